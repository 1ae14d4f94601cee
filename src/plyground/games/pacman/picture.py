"""Pac-Man's maze as SVG: one position, a game that moves by itself, and a strip of positions side by side.

The colours are in ``pictures/static/pacman.css``: a picture without them follows the theme of the page that it is on.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from plyground.games.pacman import board
from plyground.pictures.filmstrip import styled_svg

if TYPE_CHECKING:
    from plyground.games.pacman import Pacman

__all__ = [
    "STYLE",
    "heading_between",
    "moving_picture",
    "picture",
    "rounds",
    "standing_picture",
    "still_part",
    "strip_picture",
]

STYLE = "pacman.css"
CELL = 24
BAR = 28
"""The height of the line below the maze."""
ROUND_SECONDS = 0.28
"""How long a round takes in a picture that moves."""
TURNED = {board.NORTH: -90, board.EAST: 0, board.SOUTH: 90, board.WEST: 180}
MOUTH = "M0 0L8.2 -5.2A9.7 9.7 0 1 0 8.2 5.2z"
BODY = "M-9 9.500V-1a9 9 0 0 1 18 0V9.500l-3-2.800-3 2.800-3-2.800-3 2.800-3-2.800z"
FEAR = "M-5.500 4.200l2.200-1.800 2.200 1.800 2.200-1.800 2.200 1.800 2.200-1.800"
LOOKS = {board.NORTH: (0, -1.3), board.EAST: (1.3, 0), board.SOUTH: (0, 1.3), board.WEST: (-1.3, 0)}
LINE = {
    "en": {
        "maze": "Pac-Man&#39;s maze",
        "points": "{points} points",
        "food": "{food} food left",
        "steps": ", {left} steps left",
        "won": "all food eaten",
        "caught": "caught",
        "late": "time is up",
    },
    "zh": {
        "maze": "吃豆人的迷宫",
        "points": "{points} 分",
        "food": "还剩 {food} 颗豆子",
        "steps": "，{left} 步",
        "won": "豆子全部吃完",
        "caught": "被抓住",
        "late": "时间到",
    },
}
"""The words of the line below the maze."""
NARROW = 240
WIDEST_STRIP = 4
GAP = 12
REST = 6
"""Rounds for which the last position stays before the game begins again."""


def standing_picture(state: Pacman) -> str:
    """One position with its colours, to stand alone."""
    return styled_svg(picture(state), STYLE)


def picture(state: Pacman, heading: int = board.EAST, lang: str = "en") -> str:
    """One position; `heading` is where Pac-Man looks."""
    parts = [still_part(state, lang), _dots(state, "food", _cells(state, state.food))]
    parts.append(_dots(state, "capsule", _cells(state, state.capsules)))
    everybody = [*(_ghost(state, ghost) for ghost in range(state.ghosts)), _man(state, heading)]
    parts += everybody[::-1] if state.ended == board.CAUGHT else everybody  # the ghost that has caught him is in front
    return "".join(parts) + _line(state, lang) + "</svg>"


def still_part(state: Pacman, lang: str = "en") -> str:
    """How every picture of a game begins: what never moves."""
    return _open(state, lang) + _walls(state)


def heading_between(before: Pacman, now: Pacman, heading: int) -> int:
    """Where Pac-Man looks after a round; as before if he has not moved."""
    for direction in (board.NORTH, board.EAST, board.SOUTH, board.WEST):
        if board.after(int(before.pacman), direction, int(before.width)) == now.pacman:
            return direction
    return heading


def rounds(states: Sequence[Pacman]) -> list[Pacman]:
    """Of all states of a game those in which Pac-Man is to move, and the last."""
    return [state for state in states[:-1] if state.turn == 0] + [states[-1]]


def _size(state: Pacman) -> tuple[int, int]:
    return int(state.width) * CELL, int(state.height) * CELL


def _open(state: Pacman, lang: str) -> str:
    width, height = _size(state)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + BAR}" width="{width}" '
        f'height="{height + BAR}" role="img" aria-label="{LINE[lang]["maze"]}">'
        f'<rect class="pm-ground" width="{width}" height="{height + BAR}" rx="10"/>'
    )


def _line(state: Pacman, lang: str) -> str:
    width, height = _size(state)
    return _words(width, height, _points(state, lang), _note(state, width, lang))


def _words(width: int, height: int, points: str, note: str) -> str:
    return (
        f'<text class="pm-text" x="10" y="{height + 18}">{points}</text>'
        f'<text class="pm-note" x="{width - 10}" y="{height + 18}" text-anchor="end">{note}</text>'
    )


def _points(state: Pacman, lang: str = "en") -> str:
    return LINE[lang]["points"].format(points=state.points).replace("-", "\N{MINUS SIGN}")


def _note(state: Pacman, width: int, lang: str = "en") -> str:
    """How it stands, as long as there is room for it."""
    words = LINE[lang]
    if state.ended != board.GOING_ON:
        return words[{board.WON: "won", board.CAUGHT: "caught", board.TIME_UP: "late"}[int(state.ended)]]
    food = words["food"].format(food=board.size(state.food))
    return food + words["steps"].format(left=state.left) if width > NARROW else food


def _centre(state: Pacman, cell: int) -> tuple[int, int]:
    row, column = divmod(int(cell), int(state.width))
    return column * CELL + CELL // 2, row * CELL + CELL // 2


def _cells(state: Pacman, cells: object) -> list[int]:
    return [cell for cell in range(int(state.width) * int(state.height)) if board.has(cells, cell)]


def _walls(state: Pacman) -> str:
    """Walls as thick lines from cell to cell, and whole blocks where four of them meet."""
    width, height = int(state.width), int(state.height)

    def wall(row: int, column: int) -> bool:
        return 0 <= row < height and 0 <= column < width and not board.has(state.floor, row * width + column)

    lines, blocks = [], []
    for row in range(height):
        for column in range(width):
            if not wall(row, column):
                continue
            x, y = column * CELL + CELL // 2, row * CELL + CELL // 2
            right, down = wall(row, column + 1), wall(row + 1, column)
            if right and not wall(row, column - 1):
                end = column
                while wall(row, end + 1):
                    end += 1
                lines.append(f"M{x} {y}h{(end - column) * CELL}")
            if down and not wall(row - 1, column):
                end = row
                while wall(end + 1, column):
                    end += 1
                lines.append(f"M{x} {y}v{(end - row) * CELL}")
            if not (right or down or wall(row, column - 1) or wall(row - 1, column)):
                lines.append(f"M{x} {y}h0")
            if right and down and wall(row + 1, column + 1):
                blocks.append(f"M{x} {y}h{CELL}v{CELL}h-{CELL}z")
    filled = f'<path class="pm-blocks" d="{"".join(blocks)}"/>' if blocks else ""
    return f'{filled}<path class="pm-walls" d="{"".join(lines)}"/>'


def _dots(state: Pacman, kind: str, cells: Iterable[int]) -> str:
    """Round dots: lines of no length with round ends."""
    places = "".join(f"M{x} {y}h0" for x, y in (_centre(state, cell) for cell in cells))
    return f'<path class="pm-{kind}" d="{places}"/>' if places else ""


def _man(state: Pacman, heading: int) -> str:
    x, y = _centre(state, state.pacman)
    kind = "pm-man pm-caught" if state.ended == board.CAUGHT else "pm-man"
    return f'<path class="{kind}" d="{MOUTH}" transform="translate({x} {y}) rotate({TURNED[heading]})"/>'


def _ghost(state: Pacman, ghost: int) -> str:
    x, y = _centre(state, board.byte_of(state.cells, ghost))
    scared, heading = board.byte_of(state.scared, ghost), board.byte_of(int(state.headings), ghost)
    drawn = _scared_body() if scared else _body(ghost) + _eyes(heading)
    return f'<g transform="translate({x} {y})">{drawn}</g>'


def _body(ghost: int) -> str:
    return f'<path class="pm-ghost{ghost}" d="{BODY}"/>'


def _eyes(heading: int) -> str:
    dx, dy = LOOKS.get(heading, (0, 0))
    return (
        '<circle class="pm-eye" cx="-3.6" cy="-1.5" r="2.9"/><circle class="pm-eye" cx="3.6" cy="-1.5" r="2.9"/>'
        f'<circle class="pm-pupil" cx="{-3.6 + dx:g}" cy="{-1.5 + dy:g}" r="1.5"/>'
        f'<circle class="pm-pupil" cx="{3.6 + dx:g}" cy="{-1.5 + dy:g}" r="1.5"/>'
    )


def _scared_body() -> str:
    return (
        f'<path class="pm-scared" d="{BODY}"/><path class="pm-fear" d="{FEAR}"/>'
        '<circle class="pm-eye" cx="-3.2" cy="-2.500" r="1.4"/><circle class="pm-eye" cx="3.2" cy="-2.500" r="1.4"/>'
    )


# A game that moves ------------------------------------------------------------------------------------------------


def moving_picture(states: Sequence[Pacman]) -> str:
    """A whole game as one SVG that moves by itself, again and again, with its colours. `states` are all of them.

    Round after round everybody slides to the next cell; what is eaten disappears. The last position stays a while.
    """
    shown = rounds(states)
    first, last = shown[0], len(shown) - 1
    length = (last + REST) * ROUND_SECONDS
    times = [number / (last + REST) for number in range(last + 1)]
    parts = [still_part(first)]
    for kind, of in (("food", [state.food for state in shown]), ("capsule", [state.capsules for state in shown])):
        for cell in _cells(first, of[0]):
            gone = next((n for n, cells in enumerate(of) if not board.has(cells, cell)), None)
            dot = _dots(first, kind, [cell])
            if gone is not None:
                dot = dot.removesuffix("/>") + f">{_switch([(0.0, 1), (times[gone], 0)], length)}</path>"
            parts.append(dot)
    for ghost in range(first.ghosts):
        afraid = [board.byte_of(state.scared, ghost) > 0 for state in shown]
        parts.append(
            f"<g>{_slide([_centre(s, board.byte_of(s.cells, ghost)) for s in shown], times, length)}"
            f"<g>{_switch([(t, 1 - scared) for t, scared in zip(times, afraid, strict=True)], length)}"
            f"{_body(ghost)}{_eyes(board.SOUTH)}</g>"
        )
        if any(afraid):
            steps = [(t, int(scared)) for t, scared in zip(times, afraid, strict=True)]
            parts.append(f'<g opacity="0">{_switch(steps, length)}{_scared_body()}</g>')
        parts.append("</g>")
    heading, turns = board.EAST, [(0.0, TURNED[board.EAST])]
    for number, (before, now) in enumerate(itertools.pairwise(shown)):
        heading = heading_between(before, now, heading)
        turns.append((times[number], TURNED[heading]))
    parts.append(
        f"<g>{_slide([_centre(s, s.pacman) for s in shown], times, length)}"
        f'<path class="pm-man" d="{MOUTH}">{_turn(turns, length)}</path></g>'
    )
    parts.append(_counter(shown, times, length))
    return styled_svg("".join(parts) + "</svg>", STYLE)


def _changes(steps: Iterable[tuple[float, object]]) -> Iterator[tuple[float, object]]:
    """Of values at times those that are not as before."""
    known = object()
    for time, value in steps:
        if value != known:
            known = value
            yield time, value


def _switch(steps: Iterable[tuple[float, object]], length: float) -> str:
    """Shown and not shown, from time to time."""
    return _animation("animate", 'attributeName="opacity" calcMode="discrete"', _changes(steps), length)


def _turn(steps: Iterable[tuple[float, object]], length: float) -> str:
    how = 'attributeName="transform" type="rotate" calcMode="discrete"'
    return _animation("animateTransform", how, _changes(dict(steps).items()), length)


def _slide(places: Sequence[tuple[int, int]], times: Sequence[float], length: float) -> str:
    """From place to place; farther than to the next cell it jumps."""
    steps: list[tuple[float, object]] = []
    for number, (x, y) in enumerate(places):
        if number:
            before = places[number - 1]
            if abs(before[0] - x) + abs(before[1] - y) > CELL:
                steps.append((times[number], f"{before[0]} {before[1]}"))
        steps.append((times[number], f"{x} {y}"))
    steps.append((1.0, f"{places[-1][0]} {places[-1][1]}"))
    return _animation("animateTransform", 'attributeName="transform" type="translate"', steps, length)


def _animation(element: str, how: str, steps: Iterable[tuple[float, object]], length: float) -> str:
    listed = list(steps)
    values = ";".join(str(value) for _, value in listed)
    times = ";".join(f"{time:.4f}".rstrip("0").rstrip(".") for time, _ in listed)
    return f'<{element} {how} values="{values}" keyTimes="{times}" dur="{length:.2f}s" repeatCount="indefinite"/>'


def _counter(shown: Sequence[Pacman], times: Sequence[float], length: float) -> str:
    """The line below the maze: each score for as long as it holds."""
    width, height = _size(shown[0])
    said = [(time, (_points(state), _note(state, width))) for time, state in zip(times, shown, strict=True)]
    parts = []
    for number, (time, (points, note)) in enumerate(said):
        until = said[number + 1][0] if number + 1 < len(said) else 1.0
        steps = [(0.0, int(number == 0)), *([(time, 1)] if number else []), *([(until, 0)] if until < 1 else [])]
        parts.append(
            f'<g opacity="{int(number == 0)}">{_switch(steps, length)}{_words(width, height, points, note)}</g>'
        )
    return "".join(parts)


def strip_picture(states: Sequence[Pacman], most: int = 12) -> str:
    """Some positions of a game side by side, from the first to the last, with the colours."""
    every = rounds(states)
    count = min(most, len(every))
    chosen = [round(number * (len(every) - 1) / max(1, count - 1)) for number in range(count)]
    width, height = _size(every[0])
    columns = min(WIDEST_STRIP, count)
    rows = -(-count // columns)
    cell_width, cell_height = width + GAP, height + BAR + GAP
    whole_width, whole_height = columns * cell_width - GAP, rows * cell_height - GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole_width} {whole_height}" width="{whole_width}" '
        f'height="{whole_height}" role="img" aria-label="A game of Pac-Man in pictures">'
    ]
    heading = board.EAST
    headings = [heading]
    for before, now in itertools.pairwise(every):
        heading = heading_between(before, now, heading)
        headings.append(heading)
    for place, number in enumerate(chosen):
        inner = picture(every[number], headings[number])
        x, y = place % columns * cell_width, place // columns * cell_height
        parts.append(inner.replace("<svg ", f'<svg x="{x}" y="{y}" ', 1))
    return styled_svg("".join(parts) + "</svg>", STYLE)
