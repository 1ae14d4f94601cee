"""The evaluation over a game of Reversi as SVG: black's advantage above the line, white's below, mistakes marked."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from plyground.core.rules import action_text
from plyground.engines.reversi.analysis import Analysis, JudgedMove, Verdict
from plyground.pictures.lettering import escaped, shortened, text_width
from plyground.pictures.svg import INK, PAPER, px, svg_start, svg_text

__all__ = ["evaluation_svg"]

WIDTH, HEIGHT = 860, 300
"""The size of the area inside the axes."""
LEFT, RIGHT, TOP, BOTTOM = 66, 22, 74, 78
SMALL, LARGE = 12, 17
QUIET, GROUND, PROVEN, GRID = "#4b5563", "#dfeae2", "#c6dccd", "#b4c8bb"
BLACK, WHITE = INK, PAPER
HALO = f' stroke="{GROUND}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"'
COLOURS = {Verdict.INACCURACY: "#E69F00", Verdict.MISTAKE: "#D55E00", Verdict.BLUNDER: "#B0003A"}
SCALES = ((4, 2), (8, 4), (16, 8), (24, 8), (32, 16), (48, 16), (64, 16))
"""How many discs the graph reaches up and down, and how many lie between two lines of the grid."""
MOST_LABELS = 8
FAR = 300
"""How much farther away a label may rather stand than on the areas."""
LEADER = 12
"""A label that is farther from its mark has a line to it."""
NAMES = ("black", "white")

Box = tuple[float, float, float, float]


def evaluation_svg(analysis: Analysis) -> str:
    """The graph as a stand-alone SVG: how many discs each side is ahead, if both play their best, move by move.

    A mark stands where a mistake has led to; the greatest are named, with what they lost. The part of the game that is
    solved lies on a darker ground.
    """
    graph = _Graph(analysis)
    wide, high = LEFT + WIDTH + RIGHT, TOP + HEIGHT + BOTTOM
    parts = [
        svg_start(wide, high, f"Evaluation of the game. {_headline(analysis)}"),
        svg_text(shortened(_headline(analysis), LARGE, wide - 32, bold=True), 16, 32, LARGE, anchor="start", bold=True),
        svg_text(_subtitle(analysis), 16, 55, SMALL, anchor="start", colour=QUIET),
        f'<g transform="translate({LEFT} {TOP})">',
        *graph.ground(),
        *graph.areas(),
        *graph.columns(),
        *graph.marks(),
        *graph.axes(),
        *graph.legend(),
        "</g></svg>",
    ]
    return "".join(parts)


@dataclass(frozen=True)
class _Mark:
    move: JudgedMove
    x: float
    y: float
    above: bool


class _Graph:
    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.length = max(1, len(analysis.record.moves))
        self.points = [(float(number), float(value)) for number, value in analysis.values]
        most = max(abs(value) for _, value in self.points)
        self.reach, self.step = next((scale for scale in SCALES if most * 1.1 <= scale[0]), SCALES[-1])

    def x(self, number: float) -> float:
        return WIDTH * number / self.length

    def y(self, value: float) -> float:
        return HEIGHT / 2 * (1 - value / self.reach)

    def ground(self) -> Iterator[str]:
        yield f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{GROUND}"/>'
        first = self.analysis.solved_from
        if first is not None and first < self.length:
            x = self.x(first)
            yield f'<rect x="{px(x)}" width="{px(WIDTH - x)}" height="{HEIGHT}" fill="{PROVEN}"/>'
        lines = "".join(f"M0 {px(self.y(value))}h{WIDTH}" for value in self._values())
        lines += "".join(f"M{px(self.x(number))} 0v{HEIGHT}" for number in self._numbers())
        yield f'<path d="{lines}" stroke="{GRID}" fill="none"/>'
        if first is not None and first < self.length:
            x = self.x(first)
            yield f'<path d="M{px(x)} 0v{HEIGHT}" stroke="{QUIET}" stroke-dasharray="3 4" fill="none"/>'

    def areas(self) -> Iterator[str]:
        """Black's part of the area between the curve and zero, and white's; then the curve."""
        crossed = list(_with_crossings(self.points))
        ends = f"{px(self.x(crossed[-1][0]))} {px(self.y(0))}", f"{px(self.x(crossed[0][0]))} {px(self.y(0))}"
        for fill, keep in ((BLACK, max), (WHITE, min)):
            outline = "L".join(f"{px(self.x(number))} {px(self.y(keep(value, 0.0)))}" for number, value in crossed)
            yield f'<path d="M{outline}L{ends[0]}L{ends[1]}Z" fill="{fill}"/>'
        curve = "L".join(f"{px(self.x(number))} {px(self.y(value))}" for number, value in self.points)
        yield f'<path d="M{curve}" stroke="{INK}" stroke-width="1.8" stroke-linejoin="round" fill="none"/>'
        yield f'<path d="M0 {px(self.y(0))}h{WIDTH}" stroke="{QUIET}" fill="none"/>'

    def columns(self) -> Iterator[str]:
        """An invisible strip for each move: pointing at it tells what the move was worth."""
        for move in self.analysis.moves:
            x, wide = self.x(move.index + 0.5), self.x(1)
            yield (
                f'<rect x="{px(x)}" width="{px(wide)}" height="{HEIGHT}" fill="#ffffff" fill-opacity="0">'
                f"<title>{escaped(_sentence(move))}</title></rect>"
            )

    def marks(self) -> Iterator[str]:
        values = dict(self.points)
        marks = []
        for move in self.analysis.mistakes:
            value = values[move.index + 1.0]
            marks.append(_Mark(move, self.x(move.index + 1), self.y(value), value >= 0))
        for mark in reversed(marks):
            yield _sign(mark.move.verdict, mark.x, mark.y, mark.move)
        taken: list[Box] = [(mark.x - 6, mark.y - 6, mark.x + 6, mark.y + 6) for mark in marks]
        for mark in marks[:MOST_LABELS]:
            if mark.move.verdict is not Verdict.INACCURACY:
                yield from self._label(mark, taken)

    def _label(self, mark: _Mark, taken: list[Box]) -> Iterator[str]:
        """The name of a mistake: as near to its mark, and as far beside the curve and the areas, as there is room."""
        name = f"{_name(mark.move)} \N{MINUS SIGN}{mark.move.loss}"
        half = text_width(name, SMALL) / 2 + 2
        places = []
        for down, across in itertools.product(range(-112, 113, 8), (0, -half / 2, half / 2, -half - 8, half + 8)):
            x, y = min(max(mark.x + across, half), WIDTH - half), mark.y + down
            box = (x - half, y - 8, x + half, y + 8)
            if box[1] > 2 and box[3] < HEIGHT - 2 and not any(_overlap(box, other) for other in taken):
                inwards = down > 0 if mark.above else down < 0
                places.append((FAR * self._covered(box) + abs(down) + abs(across) / 2 + 8 * inwards, box))
        if places:
            left, top, right, bottom = box = min(places)[1]
            taken.append(box)
            gap = max(top - mark.y, mark.y - bottom)
            if gap > LEADER:
                end = top if mark.y < top else bottom
                yield (
                    f'<path d="M{px(mark.x)} {px(mark.y)}L{px(min(max(mark.x, left + 4), right - 4))} {px(end)}" '
                    f'stroke="{QUIET}" fill="none"/>'
                )
            yield svg_text(name, (left + right) / 2, (top + bottom) / 2 + 4, SMALL, bold=True, more=HALO)

    def _covered(self, box: Box) -> float:
        """The share of a box that lies on the black or the white area, or on the curve around it."""
        left, top, right, bottom = box
        inside = [self.x(number) for number, _ in self.points if left < self.x(number) < right]
        shares = []
        for x in (left, *inside, right):
            curve = self.y(self._value_at(x / self.x(1)))
            upper, lower = min(curve, self.y(0)) - 2, max(curve, self.y(0)) + 2
            shares.append(max(0.0, min(bottom, lower) - max(top, upper)) / (bottom - top))
        return sum(shares) / len(shares)

    def _value_at(self, number: float) -> float:
        """The height of the curve in discs; beside its ends that of the end."""
        for (a, before), (b, behind) in itertools.pairwise(self.points):
            if a <= number <= b:
                return before + (behind - before) * (number - a) / (b - a)
        return self.points[0 if number < self.points[0][0] else -1][1]

    def axes(self) -> Iterator[str]:
        yield f'<rect width="{WIDTH}" height="{HEIGHT}" stroke="{QUIET}" fill="none"/>'
        for value in self._values():
            yield svg_text(f"{abs(value)}", -9, self.y(value) + 4, SMALL, anchor="end")
        for number in self._numbers():
            yield svg_text(f"{number}", self.x(number), HEIGHT + 19, SMALL)
        yield svg_text("moves", WIDTH / 2, HEIGHT + 38, SMALL, colour=QUIET)
        for player, middle in enumerate((self.y(self.reach / 2), self.y(-self.reach / 2))):
            fill = (BLACK, WHITE)[player]
            yield f'<g transform="translate(-46 {px(middle)}) rotate(-90)">'
            yield f'<circle cx="-46" cy="-4" r="5.5" fill="{fill}" stroke="{INK}"/>'
            yield svg_text(f"{NAMES[player]} ahead", 8, 0, SMALL) + "</g>"

    def legend(self) -> Iterator[str]:
        x, y = 0.0, HEIGHT + 62
        for name in COLOURS:
            number = sum(move.verdict is name for move in self.analysis.moves)
            words = f"{name.value}: {number}"
            yield _sign(name, x + 7, y - 4) + svg_text(words, x + 20, y, SMALL, anchor="start")
            x += 20 + text_width(words, SMALL) + 26
        if self.analysis.solved_from is not None and self.analysis.solved_from < self.length:
            yield f'<rect x="{px(x)}" y="{y - 10}" width="16" height="12" fill="{PROVEN}" stroke="{QUIET}"/>'
            yield svg_text("solved", x + 22, y, SMALL, anchor="start")

    def _values(self) -> range:
        return range(-self.reach, self.reach + 1, self.step)

    def _numbers(self) -> range:
        step = next(step for step in (1, 2, 5, 10, 20) if self.length / step <= 13)
        return range(0, self.length + 1, step)


# Words ------------------------------------------------------------------------------------------------------------


def _headline(analysis: Analysis) -> str:
    record = analysis.record
    black, white = record.discs
    score = f"{black}\N{EN DASH}{white}" if record.finished else "against"
    end = "" if record.finished else f", broken off after {len(record.moves)} moves"
    return f"{record.black or 'black'} {score} {record.white or 'white'}{end}"


def _subtitle(analysis: Analysis) -> str:
    parts = []
    for player, name in enumerate(NAMES):
        accuracy, loss = analysis.accuracy(player), analysis.mean_loss(player)
        if accuracy is not None:
            parts.append(f"{name}: accuracy {accuracy:.0f}, {loss:.1f} discs lost a move")
    return "   ·   ".join(parts)


def _name(move: JudgedMove) -> str:
    return f"{move.index + 1} {action_text(move.state, move.action)}"


def _sentence(move: JudgedMove) -> str:
    words = f"{move.index + 1}. {NAMES[move.player]} {action_text(move.state, move.action)}: {_signed(move.value)}"
    if move.loss:
        words += f", {move.verdict.value}; best {action_text(move.state, move.best.move)} {_signed(move.best.value)}"
    return words


def _signed(value: int) -> str:
    return f"{value:+}".replace("-", "\N{MINUS SIGN}")


# Shapes -----------------------------------------------------------------------------------------------------------


def _sign(name: Verdict, x: float, y: float, move: JudgedMove | None = None) -> str:
    """The mark of a kind of mistake: a circle, a diamond or a square, so that no colour is needed to tell them."""
    style = f'fill="{COLOURS[name]}" stroke="#ffffff" stroke-width="1.5"'
    title = f"<title>{escaped(_sentence(move))}</title>" if move else ""
    if name is Verdict.INACCURACY:
        return f'<circle cx="{px(x)}" cy="{px(y)}" r="4.5" {style}>{title}</circle>'
    turn = f' transform="rotate(45 {px(x)} {px(y)})"' if name is Verdict.MISTAKE else ""
    return f'<rect x="{px(x - 5)}" y="{px(y - 5)}" width="10" height="10"{turn} {style}>{title}</rect>'


def _with_crossings(points: list[tuple[float, float]]) -> Iterator[tuple[float, float]]:
    """The points, and those where the line between two of them goes through zero."""
    for (a, before), (b, behind) in itertools.pairwise(points):
        yield a, before
        if before * behind < 0:
            yield a + (b - a) * before / (before - behind), 0.0
    yield points[-1]


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
