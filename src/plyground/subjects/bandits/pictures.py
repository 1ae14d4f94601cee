"""The pictures of this chapter: regret over time with arm shares and confidence intervals, and pi by random points."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from plyground.pictures.plot import Bars, Panel, Series, plot_svg
from plyground.subjects.bandits.arms import Arms
from plyground.subjects.bandits.experiment import Curve, Regret
from plyground.subjects.bandits.pi import STANDARD_DEVIATION, PiErrors, PiEstimate, random_points

__all__ = ["pi_svg", "regret_svg"]

MOST_SHOWN = 12
"""Arms that a picture shows one by one."""
BLACK = "#000000"


def regret_svg(results: Sequence[Regret], *, log: bool = False) -> str:
    """Three panels: mean pseudo-regret with its 95% band, arm shares, and the confidence intervals of one run.

    Where it was measured, a fourth after the first: the mean regret against the best arm in hindsight. On logarithmic
    axes, regret that grows linearly is a straight line of slope 1. The run is the first one of the first UCB policy, or
    of the first policy. The radius is Hoeffding's.
    """
    arms, runs, pulls = results[0].arms, results[0].runs, int(results[0].times[-1])
    kind = "Bernoulli" if arms.sigma is None else "Gaussian"
    lines = [_line(result, result.pseudo) for result in results]
    late = [_line(result, result.hindsight) for result in results if result.hindsight is not None]
    shown = _shown_arms(arms)
    names = [f"{arms.means[arm]:g}" for arm in shown]
    rest = ["others"] if len(shown) < len(arms) else []
    shares = [
        Bars(
            result.policy,
            [result.shares[-1][arm] for arm in shown] + [1 - sum(result.shares[-1][arm] for arm in shown)] * len(rest),
        )
        for result in results
    ]
    watched = next((result for result in results if result.policy.startswith("ucb")), results[0])
    means, radii = watched.first.means(), watched.first.radii()
    believed = [
        Bars("true mean", [arms.means[arm] for arm in shown], style="mark", colour=BLACK),
        Bars(
            watched.policy,
            [means[arm] for arm in shown],
            [means[arm] - radii[arm] for arm in shown],
            [means[arm] + radii[arm] for arm in shown],
            style="dot",
        ),
    ]
    label = "arm, by its mean"
    measured = "Mean pseudo-regret" + (" and its 95% interval" if runs > 1 else "")
    bars: dict[str, Any] = {"categories": names + rest, "width": 70 + min(30 * len(shown) * len(results), 260)}
    panels = [
        Panel(lines, measured, "pulls", "regret", x_log=log, y_log=log),
        *(
            [Panel(late, "Against the best arm in hindsight", "pulls", "regret", x_log=log, legend=False)]
            if late
            else []
        ),
        Panel(shares, "Share of pulls", label, "share", y_range=(0, 1), legend=False, **bars),
        Panel(believed, "One run: mean ± radius", label, "reward", categories=names, width=230),
    ]
    counts = _count(len(arms), f"{kind} arm"), _count(pulls, "pull"), _count(runs, "run")
    return plot_svg(panels, title=", ".join(counts))


def _line(result: Regret, curve: Curve) -> Series:
    """A regret over the pulls, with its 95% band if there were several runs."""
    margin = 1.96 * curve.error
    band = (curve.mean - margin, curve.mean + margin) if result.runs > 1 else (None, None)
    return Series(result.policy, result.times, curve.mean, *band)


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def _shown_arms(arms: Arms) -> list[int]:
    """All arms, or the best of very many, in their order."""
    if len(arms) <= MOST_SHOWN:
        return list(range(len(arms)))
    best = sorted(range(len(arms)), key=lambda arm: arms.gaps[arm])
    return sorted(best[: MOST_SHOWN - 1])


def pi_svg(one: PiEstimate, many: PiErrors, seed: int, *, points: int = 1500) -> str:
    """Two panels: the first points of a run in and around the circle; the error against n on logarithmic axes."""
    inside: list[tuple[float, float]] = []
    outside: list[tuple[float, float]] = []
    for x, y in random_points(min(points, int(one.times[-1])), seed):
        (inside if x * x + y * y <= 1 else outside).append((x, y))
    turns = [2 * math.pi * i / 240 for i in range(241)]
    circle = [
        Series(f"inside ({len(inside):,})", *_columns(inside), style="points"),
        Series(f"outside ({len(outside):,})", *_columns(outside), style="points"),
        Series("", [math.cos(turn) for turn in turns], [math.sin(turn) for turn in turns], colour=BLACK),
    ]
    n = one.times
    errors = [
        Series("this run", n, abs(one.estimates - math.pi), colour="#56B4E9"),
        Series(f"root mean square of {many.runs:,} runs", many.times, many.errors, colour="#0072B2"),
        Series("1.64 / √n", n, STANDARD_DEVIATION / n**0.5, style="dashed", colour=BLACK),
    ]
    first, square = f"The first {len(inside) + len(outside):,} points", (-1, 1)
    axes: dict[str, Any] = {"x_log": True, "y_log": True, "y_range": (STANDARD_DEVIATION / math.sqrt(n[-1]) / 30, 5)}
    panels = [
        Panel(circle, first, x_range=square, y_range=square, width=320, height=320),
        Panel(errors, "Error of the estimate", "points n", "error", **axes, width=420, height=320),
    ]
    title = f"π from {int(n[-1]):,} random points: {one.value:.6g} ± {1.96 * one.error:.2g}"
    return plot_svg(panels, title=title)


def _columns(points: Sequence[tuple[float, float]]) -> tuple[list[float], list[float]]:
    return [x for x, _ in points], [y for _, y in points]
