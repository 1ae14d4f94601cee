"""The pictures of this chapter: tables with best responses, outcomes, learning, and tournaments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np

from plyground.pictures.lettering import shortened, text_width, wrapped
from plyground.pictures.plot import AXIS, GRID, PALETTE, Panel, Series, plot_svg
from plyground.pictures.svg import INK, PAPER, svg_start, svg_text
from plyground.subjects.matrix.analysis import Analysis
from plyground.subjects.matrix.dominance import Elimination
from plyground.subjects.matrix.learners import LearningRun, Snapshot
from plyground.subjects.matrix.matrix_game import MatrixGame, number_text
from plyground.subjects.matrix.repeated import Series as Tournament
from plyground.subjects.matrix.repeated import ecology

__all__ = ["analysis_svg", "game_svg", "learning_svg", "outcomes_svg", "table_is_drawn", "tournament_svg"]

SMALL, NORMAL, LARGE = 12, 15, 17
EDGE = 16
FIRST, SECOND = PALETTE[0], PALETTE[1]
"""The colours of the two players."""
TINT, GONE = "#fdf0da", "#9ca3af"
MOST_DRAWN = 12
"""Strategies a side up to which a table is drawn."""
CELL_HIGH = 58
LEGENDS = {
    "en": {
        "best": "framed: a best response", "nash": "tinted: an equilibrium", "costs": "costs: less is better",
        "outcome": "outcome", "outcomes": "What the two players get", "front": "Pareto front",
        "equilibrium": "Nash equilibrium", "steps": "steps",
        "average": "{who}: average strategy", "gap": "what both could still gain", "low": "{who} guarantees",
        "high": "{who} concedes", "value": "value", "bounds": "Bounds of the value", "share": "share",
        "payoffs": "What a row gets in a round against a column", "mean": "mean",
        "ecology": "A population that grows with its payoff", "generation": "generation",
        "fictitious": "Fictitious play", "regret": "Regret matching", "dominated": "step {number}",
    },
    "zh": {
        "best": "加框：最优反应", "nash": "着色：均衡", "costs": "代价：越少越好",
        "outcome": "结果", "outcomes": "双方的所得", "front": "帕累托前沿", "equilibrium": "纳什均衡", "steps": "步数",
        "average": "{who}：平均策略", "gap": "双方还能得到的", "low": "{who} 保证", "high": "{who} 让出",
        "value": "值", "bounds": "值的上下界", "share": "份额", "payoffs": "行对列每轮所得", "mean": "平均",
        "ecology": "随收益增长的种群", "generation": "代",
        "fictitious": "虚拟对局", "regret": "遗憾匹配", "dominated": "第 {number} 步",
    },
}  # fmt: skip


# The table ----------------------------------------------------------------------------------------------------------


def game_svg(
    found: Analysis, *, elimination: Elimination | None = None, steps: int | None = None, lang: str = "en"
) -> str:
    """The table: the first player's payoffs below, the second one's above, best responses framed, equilibria tinted.

    With an `elimination`, what its first `steps` steps have taken out is crossed out.
    """
    game = found.game
    done = () if elimination is None else elimination.steps[: len(elimination.steps) if steps is None else steps]
    gone = {(step.player, step.strategy): number for number, step in enumerate(done, 1)}
    pure = {one.pure for one in found.equilibria}
    words = LEGENDS[lang]
    label = min(190.0, max(text_width(name, NORMAL) for name in (*game.rows, game.players[0])) + 18)
    payoffs = [number_text(value) for table in (game.first, game.second) for row in table for value in row]
    cell = max(72.0, 2 * max(text_width(text, NORMAL) for text in payoffs) + 34)
    cell = max(cell, min(150.0, max(text_width(name, NORMAL) for name in game.columns) + 14))
    top = EDGE + (26 if game.name else 0) + 60
    width = max(2 * EDGE + label + cell * game.shape[1], 350)
    notes = wrapped(
        " · ".join([words["best"], words["nash"], *([words["costs"]] if game.costs else [])]), SMALL, width - 2 * EDGE
    )
    bottom = top + CELL_HIGH * game.shape[0]
    height = bottom + 12 + 18 * len(notes) + EDGE / 2
    title = shortened(game.name, LARGE, width - 2 * EDGE, bold=True)
    parts = [svg_start(width, height, game.name or "game")]
    if game.name:
        parts.append(svg_text(title, EDGE, EDGE + 16, LARGE, anchor="start", bold=True))
    middle = EDGE + label + cell * game.shape[1] / 2
    parts.append(svg_text(game.players[1], middle, top - 44, SMALL, colour=SECOND, bold=True))
    parts.append(svg_text(game.players[0], EDGE, top - 12, SMALL, anchor="start", colour=FIRST, bold=True))
    for j, name in enumerate(game.columns):
        x, colour = EDGE + label + cell * (j + 0.5), GONE if (1, j) in gone else INK
        parts.append(svg_text(shortened(name, NORMAL, cell - 6), x, top - 12, NORMAL, colour=colour))
    for i, name in enumerate(game.rows):
        y, colour = top + CELL_HIGH * (i + 0.5) + 5, GONE if (0, i) in gone else INK
        parts.append(svg_text(shortened(name, NORMAL, label - 10), EDGE, y, NORMAL, anchor="start", colour=colour))
        for j in range(game.shape[1]):
            parts += _cell(found, (i, j), EDGE + label + cell * j, top + CELL_HIGH * i, cell, (i, j) in pure, gone)
    for (player, strategy), number in gone.items():
        if player:
            x = EDGE + label + cell * (strategy + 0.5)
            line = f"M{x:g} {top:g}V{bottom:g}"
            parts.append(svg_text(words["dominated"].format(number=number), x, top - 29, 10, colour=SECOND))
        else:
            y = top + CELL_HIGH * (strategy + 0.5)
            line = f"M{EDGE + label:g} {y:g}H{EDGE + label + cell * game.shape[1]:g}"
            parts.append(
                svg_text(words["dominated"].format(number=number), EDGE, y + 21, 10, anchor="start", colour=FIRST)
            )
        parts.append(f'<path d="{line}" stroke="{INK}" stroke-width="1.6" stroke-opacity="0.55"/>')
    for number, line in enumerate(notes):
        parts.append(svg_text(line, EDGE, bottom + 22 + 18 * number, SMALL, anchor="start", colour=AXIS))
    return "".join(parts) + "</svg>"


def _cell(
    found: Analysis,
    place: tuple[int, int],
    x: float,
    y: float,
    wide: float,
    tinted: bool,
    gone: dict[tuple[int, int], int],
) -> Iterator[str]:
    i, j = place
    game = found.game
    out = (0, i) in gone or (1, j) in gone
    fill = TINT if tinted and not out else PAPER
    yield f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{CELL_HIGH}" fill="{fill}" stroke="{AXIS}"/>'
    yield f'<path d="M{x:g} {y:g}l{wide:g} {CELL_HIGH}" stroke="{GRID}"/>'
    for player, table in enumerate((game.first, game.second)):
        text = number_text(table[i][j])
        room = text_width(text, NORMAL)
        left = x + wide - room - 11 if player else x + 11
        base = y + 22 if player else y + CELL_HIGH - 13
        colour = GONE if out else (FIRST, SECOND)[player]
        if place in found.best[player] and not out:
            yield (
                f'<rect x="{left - 5:g}" y="{base - 16:g}" width="{room + 10:g}" height="22" rx="5" fill="none" '
                f'stroke="{colour}" stroke-width="1.6"/>'
            )
        yield svg_text(text, left + room / 2, base, NORMAL, colour=colour, bold=place in found.best[player] and not out)


def outcomes_svg(found: Analysis, lang: str = "en") -> str:
    """All outcomes by what they pay the two players, with the Pareto front and the equilibria."""
    game, words = found.game, LEGENDS[lang]
    first, second = game.arrays
    sign = -1 if game.costs else 1
    content = [Series(words["outcome"], sign * first.ravel(), sign * second.ravel(), style="points", colour=GONE)]
    if game.constant_sum is None:
        front = sorted((float(game.first[i][j]), float(game.second[i][j])) for i, j in found.front)
        content.append(
            Series(words["front"], [a for a, _ in front], [b for _, b in front], style="dashed", colour=PALETTE[2])
        )
    points = [tuple(float(game.written(value)) for value in one.utilities) for one in found.equilibria]
    content.append(
        Series(words["equilibrium"], [a for a, _ in points], [b for _, b in points], style="points", colour=PALETTE[1])
    )
    hint = f" ({words['costs']})" if game.costs else ""
    panel = Panel(content, "", game.players[0] + hint, game.players[1], width=300, height=240)
    return plot_svg([panel], label=words["outcomes"])


def analysis_svg(found: Analysis, *, narrow: bool = False, lang: str = "en") -> str:
    """The table, if it is small enough, with the outcomes beside it, or where it is `narrow` below it."""
    pictures = [outcomes_svg(found, lang)]
    if table_is_drawn(found.game):
        pictures.insert(0, game_svg(found, lang=lang))
    return together(pictures, found.game.name or "game", narrow)


def together(pictures: Sequence[str], label: str, stacked: bool = False) -> str:
    """Several pictures as one, side by side or each below the other."""
    sizes = []
    for picture in pictures:
        found = re.search(r'width="([\d.]+)" height="([\d.]+)"', picture)
        assert found is not None
        sizes.append((float(found[1]), float(found[2])))
    wide, high = zip(*sizes, strict=True)
    parts = [svg_start(max(wide), sum(high), label) if stacked else svg_start(sum(wide), max(high), label)]
    place = 0.0
    for picture, size in zip(pictures, sizes, strict=True):
        x, y = (0.0, place) if stacked else (place, 0.0)
        parts.append(picture.replace("<svg ", f'<svg x="{x:g}" y="{y:g}" ', 1))
        place += size[stacked]
    return "".join(parts) + "</svg>"


# Learning -----------------------------------------------------------------------------------------------------------


def learning_svg(
    run: LearningRun, value: float | None = None, *, until: int | None = None, narrow: bool = False, lang: str = "en"
) -> str:
    """The average strategies over time and, in a zero-sum game, the bounds that close in on the value, else the gap.

    `until` leaves out later snapshots and keeps the axes. Where it is `narrow`, the plots are below each other.
    """
    game, words = run.game, LEGENDS[lang]
    shown = [snapshot for snapshot in run.snapshots if until is None or snapshot.time <= until]
    times = [snapshot.time for snapshot in shown]
    ends = (1.0, max(10.0, float(run.last.time)))
    over_time = partial(Panel, x_label=words["steps"], x_log=True, x_range=ends, width=280, height=220)
    panels = [
        over_time(_shares(game.names(player), shown, player), words["average"].format(who=who), y_range=(0, 1))
        for player, who in enumerate(game.players)
    ]
    if value is not None:
        sign = -1 if game.costs else 1
        bounds = [
            Series(words["low"].format(who=game.players[0]), times, [sign * one.low for one in shown], colour=FIRST),
            Series(words["high"].format(who=game.players[1]), times, [sign * one.high for one in shown], colour=SECOND),
            Series(words["value"], ends, [sign * value] * 2, style="dashed", colour=PALETTE[6]),
        ]
        every = [number for one in run.snapshots for number in (sign * one.low, sign * one.high)]
        room = 0.05 * (max(every) - min(every)) or 1.0
        panels.append(over_time(bounds, words["bounds"], y_range=(min(every) - room, max(every) + room)))
    else:
        gaps = Series(words["gap"], times, [one.gap for one in shown], colour=PALETTE[6])
        most = max(one.gap for one in run.snapshots) or 1.0
        panels.append(over_time([gaps], y_range=(0, 1.05 * most)))
    title = f"{words[run.learner]}{': ' if game.name else ''}{game.name}"
    return together([plot_svg([panel]) for panel in panels], title, True) if narrow else plot_svg(panels, title=title)


def _shares(names: Sequence[str], shown: Sequence[Snapshot], player: int) -> list[Series]:
    times = [snapshot.time for snapshot in shown]
    table = np.array([snapshot.second if player else snapshot.first for snapshot in shown])
    most_used = sorted(range(len(names)), key=lambda number: -table[-1, number])[:8]
    return [Series(names[number], times, table[:, number]) for number in sorted(most_used)]


# Tournaments --------------------------------------------------------------------------------------------------------


def tournament_svg(series: Tournament, *, stacked: bool = False, lang: str = "en") -> str:
    """What each strategy got against each other one, the best above, and how a population of them would go on."""
    words = LEGENDS[lang]
    shares = ecology(series)
    order = series.order
    lines = [
        Series(series.strategies[number], range(len(shares)), shares[:, number])
        for number in sorted(order, key=lambda number: -shares[-1, number])[:8]
    ]
    plot = plot_svg(
        [Panel(lines, words["ecology"], words["generation"], words["share"], width=860 if stacked else 380, height=300)]
    )
    return together([_meetings_svg(series, words), plot], "tournament", stacked)


def _meetings_svg(series: Tournament, words: dict[str, str]) -> str:
    order = series.order
    sign = -1.0 if series.game.costs else 1.0
    names = [series.strategies[number] for number in order]
    label = max(text_width(name, SMALL) for name in names) + 12
    cell, high = 38, 22
    slanted = 0.75 * label + 8
    top = EDGE + 24 + slanted
    width = 2 * EDGE + label + 52 + cell * len(order) + 0.5 * label
    height = top + high * len(order) + EDGE
    least, most = float(series.means.min()), float(series.means.max())
    parts = [
        svg_start(width, height, words["payoffs"]),
        svg_text(words["payoffs"], EDGE, EDGE + 14, NORMAL, anchor="start", bold=True),
    ]
    parts.append(svg_text(words["mean"], EDGE + label + 24, top - 8, SMALL, bold=True))
    for place, name in enumerate(names):
        x = EDGE + label + 52 + cell * (place + 0.5)
        parts.append(
            f'<g transform="translate({x:g} {top - 8:g}) rotate(-50)">{svg_text(name, 0, 0, SMALL, anchor="start")}</g>'
        )
    for row, number in enumerate(order):
        y = top + high * row
        parts.append(svg_text(names[row], EDGE, y + 15, SMALL, anchor="start"))
        parts.append(svg_text(f"{sign * series.scores[number]:.2f}", EDGE + label + 24, y + 15, SMALL, bold=True))
        for place, other in enumerate(order):
            x = EDGE + label + 52 + cell * place
            mean = float(series.means[number, other])
            strength = (mean - least) / (most - least) if most > least else 0.5
            parts.append(
                f'<rect x="{x:g}" y="{y:g}" width="{cell - 1}" height="{high - 1}" fill="{PALETTE[2]}" '
                f'fill-opacity="{0.05 + 0.5 * strength:.2f}"/>'
            )
            parts.append(svg_text(f"{sign * mean:.1f}", x + cell / 2, y + 15, 11))
    return "".join(parts) + "</svg>"


def table_is_drawn(game: MatrixGame) -> bool:
    """Whether a table is small enough to be drawn."""
    return max(game.shape) <= MOST_DRAWN
