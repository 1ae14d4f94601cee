"""How CFR comes nearer to an equilibrium: exploitability against iterations, and against time."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.pictures.plot import Panel, Series, number_text, plot_svg
from plyground.search.cfr import CfrResult

__all__ = ["convergence_svg"]

BLACK = "#000000"
LEAST = 1e-12
"""Below this a number is rounding, and a logarithmic axis has no place for 0."""
WORDS = {
    "en": ("iterations T", "seconds", "exploitability", "{game}: exploitability {value} after {count:,} iterations"),
    "zh": ("迭代次数 T", "秒", "可利用度", "{game}：{count:,} 次迭代后可利用度 {value}"),
}
"""By language: the two axes at the bottom, the one at the left, and the title."""


def convergence_svg(results: Sequence[CfrResult], *, seconds: bool = True, lang: str = "en", width: int = 400) -> str:
    """Two panels with logarithmic axes, a line for each result, and dashed 1/√T and 1/T. `lang` is "en" or "zh".

    Without `seconds` there is no panel of time, which is another one at every run. `width` is that of the first panel,
    in pixels.
    """
    by_iteration, by_time = [], []
    for found in results:
        heights = [max(point.exploitability, LEAST) for point in found.curve]
        by_iteration.append(Series(found.algorithm, [point.iterations for point in found.curve], heights))
        by_time.append(Series(found.algorithm, [max(point.seconds, 1e-6) for point in found.curve], heights))
    marks = [point.iterations for point in max(results, key=lambda found: found.iterations).curve]
    start = results[0].curve[0].exploitability or 1.0
    laws = [
        Series("1/√T", marks, [start / mark**0.5 for mark in marks], style="dashed", colour=BLACK),
        Series("1/T", marks, [start / mark for mark in marks], style="dashed", colour="#9ca3af"),
    ]
    game, last = results[0].tree.game, results[-1]
    iterations, time, height, title = WORDS[lang]
    panels = [Panel([*by_iteration, *laws], "", iterations, height, x_log=True, y_log=True, width=width)]
    if seconds:
        panels.append(Panel(by_time, "", time, height, x_log=True, y_log=True, legend=False, width=300))
    return plot_svg(
        panels,
        title=title.format(game=game.spec.capitalize(), value=number_text(last.exploitability), count=last.iterations),
    )
