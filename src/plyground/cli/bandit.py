"""The command ``plyground bandit``."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from plyground.cli import console
from plyground.core.files import write_file

if TYPE_CHECKING:
    from plyground.subjects.bandits.experiment import Regret

__all__ = ["bandit_command"]


def bandit_command(
    arms: Annotated[str, typer.Option(help="The means of the arms.")] = "0.6,0.55,0.4",
    policies: Annotated[
        str,
        typer.Option(
            help="Which policies to compare: greedy, egreedy:0.1, egreedy:decay=1, ucb1, ucb1:C=0.5, ucbtuned, "
            "thompson, exp3:gamma=0.1, uniform."
        ),
    ] = "greedy,egreedy:0.1,ucb1,thompson",
    pulls: Annotated[int, typer.Option(help="Pulls in a run.")] = 10_000,
    runs: Annotated[int, typer.Option(help="Independent runs of each policy.")] = 1000,
    gaussian: Annotated[
        float | None,
        typer.Option(metavar="SIGMA", help="Gaussian arms with this standard deviation, instead of Bernoulli arms."),
    ] = None,
    log: Annotated[bool, typer.Option("--log", help="Logarithmic axes in the picture.")] = False,
    hindsight: Annotated[
        bool, typer.Option("--hindsight", help="Also the regret against the best arm in hindsight of each run.")
    ] = False,
    seed: console.SeedOption = None,
    out: console.OutOption = None,
    as_json: console.JsonFlag = False,
) -> None:
    """Compare policies for a multi-armed bandit by their regret.

    Example: plyground bandit --arms 0.6,0.55,0.4 --policies greedy,egreedy:0.1,ucb1,thompson --out regret.svg
    """
    from plyground.subjects.bandits.arms import parse_arms
    from plyground.subjects.bandits.experiment import check_experiment, measure_regret
    from plyground.subjects.bandits.pictures import regret_svg
    from plyground.subjects.bandits.policies import split_policies
    from plyground.subjects.bandits.theory import ucb1_bound

    chosen = parse_arms(arms, gaussian)
    specs = split_policies(policies)
    for spec in specs:
        check_experiment(chosen, spec, pulls, runs)
    console.check_out(out)
    seed = console.chosen_seed(seed)

    def measure(spec: str, tell: Callable[[float], None]) -> Regret:
        return measure_regret(
            chosen, spec, pulls=pulls, runs=runs, seed=seed, log=log, hindsight=hindsight, on_progress=tell
        )

    results = console.done_each("pulling arms", specs, measure)
    if as_json:
        answer = {
            "arms": list(chosen.means),
            "sigma": chosen.sigma,
            "pulls": pulls,
            "runs": runs,
            "seed": seed,
            "ucb1_bound": ucb1_bound(chosen, pulls) if chosen.scale <= 1 else None,
            "times": results[0].times.tolist(),
            "policies": [
                {
                    "policy": result.policy,
                    "pseudo_regret": {"mean": result.pseudo.mean.tolist(), "error": result.pseudo.error.tolist()},
                    "realised_regret": {"mean": result.realised.mean.tolist(), "error": result.realised.error.tolist()},
                    "hindsight_regret": None
                    if result.hindsight is None
                    else {"mean": result.hindsight.mean.tolist(), "error": result.hindsight.error.tolist()},
                    "shares": result.shares[-1].tolist(),
                    "best_share": result.best_share,
                }
                for result in results
            ],
        }
        console.print_json(answer)
    else:
        _print_regrets(results)
    if out is not None:
        write_file(out, regret_svg(results, log=log).encode())


def _print_regrets(results: list[Regret]) -> None:
    late = ("in hindsight",) if results[0].hindsight is not None else ()
    figures = ("pseudo-regret", "realised regret", *late, "share of best arm")
    table = console.plain_table("policy", *figures, left=("policy",), whole=figures)
    for result in results:
        regrets = [
            _with_interval(float(curve.mean[-1]), float(curve.error[-1]))
            for curve in (result.pseudo, result.realised, result.hindsight)
            if curve is not None
        ]
        table.add_row(result.policy, *regrets, f"{100 * result.best_share:.1f}%")
    console.out.print(table)
    one = results[0]
    console.out.print(f"[dim]pulls {one.times[-1]:,}, runs {one.runs:,}, seed {one.seed}; ± is the 95% interval[/]")


def _with_interval(mean: float, error: float) -> str:
    return f"{mean:,.1f}" if math.isnan(error) else f"{mean:,.1f} ± {1.96 * error:,.1f}"
