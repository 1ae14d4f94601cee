"""The command ``plyground pi``."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from plyground.cli import console
from plyground.core.files import write_file
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.subjects.bandits.pi import PiErrors, PiEstimate

__all__ = ["pi_command"]

REPEATED_POINTS = 1_000_000
"""How far the repeated runs go from which the mean error of an estimate of pi is measured."""


def pi_command(
    points: Annotated[int, typer.Option(help="Random points to throw.")] = 1_000_000,
    runs: Annotated[int, typer.Option(help="Independent runs that show how the error shrinks.")] = 200,
    seed: console.SeedOption = None,
    out: console.OutOption = None,
    as_json: console.JsonFlag = False,
) -> None:
    """Estimate pi by random points in a square: the share inside the circle is pi / 4.

    The error is measured over many runs of up to a million points each.

    Example: plyground pi --points 1000000 --out pi.svg
    """
    from plyground.subjects.bandits.pi import estimate_pi, pi_errors
    from plyground.subjects.bandits.pictures import pi_svg

    if runs < 1:
        raise BadOption(f"runs must be at least 1, not {runs}")
    console.check_out(out)
    seed = console.chosen_seed(seed)
    repeated = min(points, REPEATED_POINTS)
    total = points + runs * repeated
    with console.progress_bar("throwing", "points") as show:
        one = estimate_pi(points, seed, on_progress=lambda part: show(round(part * points), total))
        many = pi_errors(
            repeated, runs, seed, on_progress=lambda part: show(points + round(part * runs) * repeated, total)
        )
    if as_json:
        answer = {
            "points": points,
            "seed": seed,
            "estimate": one.value,
            "error": one.error,
            "times": one.times.tolist(),
            "estimates": one.estimates.tolist(),
            "runs": runs,
            "repeated_times": many.times.tolist(),
            "rms_errors": many.errors.tolist(),
        }
        console.print_json(answer)
    else:
        _print_estimates(one, many, seed)
    if out is not None:
        write_file(out, pi_svg(one, many, seed).encode())


def _print_estimates(one: PiEstimate, many: PiErrors, seed: int) -> None:
    table = console.plain_table("points n", "estimate", "error", f"RMS error of {many.runs:,} runs", "RMS error × √n")
    errors = dict(zip(many.times.tolist(), many.errors.tolist(), strict=True))
    found = dict(zip(one.times.tolist(), one.estimates.tolist(), strict=True))
    for n, estimate in found.items():
        if n == one.times[-1] or math.log10(n).is_integer():
            rms = [f"{errors[n]:.2g}", f"{errors[n] * math.sqrt(n):.2f}"] if n in errors else ["", ""]
            table.add_row(f"{n:,}", f"{estimate:.6f}", f"{estimate - math.pi:+.6f}", *rms)
    console.out.print(table)
    console.out.print(f"π ≈ [bold]{one.value:.6g}[/] ± {1.96 * one.error:.2g}  [dim](95% interval, seed {seed})[/]")
