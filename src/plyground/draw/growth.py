"""The growth laws of alpha-beta as a picture: leaves seen against the depth, measured and in theory."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.draw.plot import PALETTE, Panel, Series, plot_svg
from plyground.search.growth import GrowthRow

__all__ = ["growth_svg"]


def growth_svg(families: Sequence[Sequence[GrowthRow]]) -> str:
    """A panel for each branching factor: points are measured, dashed lines are the laws."""
    return plot_svg(
        [_panel(rows, legend=number == 0) for number, rows in enumerate(families)],
        title="Leaves that alpha-beta sees in a uniform tree",
    )


def _panel(rows: Sequence[GrowthRow], legend: bool) -> Panel:
    b, depths = rows[0].branching, [row.depth for row in rows]
    fine = np.linspace(min(depths), max(depths), 60)
    worst, random, best = PALETTE[:3]
    series = [
        Series("b^d", fine, float(b) ** fine, style="dashed", colour=worst),
        Series("worst order", depths, [row.worst for row in rows], style="points", colour=worst),
        Series("b^(3d/4)", fine, float(b) ** (0.75 * fine), style="dashed", colour=random),
        Series("random order", depths, [row.mean for row in rows], style="points", colour=random),
        Series("b^(d/2)", fine, float(b) ** (0.5 * fine), style="dashed", colour=best),
        Series("best order", depths, [row.best for row in rows], style="points", colour=best),
    ]
    return Panel(
        series,
        f"{b} moves in each position",
        "depth d",
        "leaves (logarithmic)",
        y_log=True,
        y_range=(1.0, 2.0 * rows[-1].worst),
        legend=legend,
    )
