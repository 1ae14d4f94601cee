"""The board of backgammon as plain text and as SVG, with the first player's home at the lower right."""

from __future__ import annotations

from plyground.games.backgammon.board import (
    ANSWERING,
    CUBE,
    DOUBLING,
    MOVING,
    NO_OWNER,
    OPENING,
    OVER,
    Backgammon,
    count_men,
    men_on,
    own_men,
)
from plyground.games.backgammon.cube import points_won, winner_of

__all__ = ["SEATS", "board_svg", "board_text"]

SEATS = ("white", "black")
SIGNS = "OX"
SHOWN = 5
"""So many men of a point are drawn one beside the other; with more of them there is a number."""
PIPS = {1: (4,), 2: (2, 6), 3: (2, 4, 6), 4: (0, 2, 6, 8), 5: (0, 2, 4, 6, 8), 6: (0, 2, 3, 5, 6, 8)}
"""Which of nine places of a die have a dot."""

FRAME, FELT, BAR, NUMBERS = "#5b3a29", "#e9dcc3", "#6f4a35", "#f3e9d8"
POINTS = ("#b9783f", "#7f9172")
MEN = (("#fdfaf3", "#8d7f6a", "#3b332a"), ("#3a2f2b", "#14100e", "#f3e9d8"))
"""For each player: a man, its edge, and what is written on it."""
WIDE, TALL, MAN = 40, 176, 18
SIDE, TOP, GAP = 48, 24, 34


def column(state: Backgammon, point: int) -> tuple[int, bool]:
    """Where a point of the first player lies: its column from the left, and whether at the top."""
    half = state.points // 2
    return (half - point, False) if point <= half else (point - half - 1, True)


def on_point(state: Backgammon, point: int) -> tuple[int, int]:
    """How many men stand on a point of the first player, and whose they are."""
    number = men_on(state.first, point)
    return (number, 0) if number else (men_on(state.second, state.points + 1 - point), 1)


def dice(state: Backgammon) -> tuple[int, int]:
    return state.roll >> 3, state.roll & 7


def status(state: Backgammon) -> str:
    """What has happened and what is to come, in words."""
    mover = SEATS[state.turn]
    if state.phase == OVER:
        how = ("", "", " a gammon", " a backgammon")[points_won(state)]
        return f"{SEATS[winner_of(state)]} wins{how}"
    if state.phase == MOVING:
        return f"{mover} has rolled {dice(state)[0]}-{dice(state)[1]}"
    if state.phase == ANSWERING:
        return f"{mover} doubles to {2 * state.cube}"
    if state.phase == DOUBLING:
        return f"{mover} may double or roll"
    return f"{mover} throws the dice" + (" first" if state.phase == OPENING else "")


def stakes(state: Backgammon) -> str:
    """The cube and the score, in words; nothing without them."""
    words = []
    if state.rules & CUBE:
        words.append(f"cube {state.cube}" + ("" if state.owner == NO_OWNER else f" at {SEATS[state.owner]}"))
    if state.length:
        words.append(f"{state.scores[0]} to {state.scores[1]} in a match to {state.length}")
    return "; ".join(words)


def board_text(state: Backgammon) -> str:
    """The points in two rows of columns, white O and black X, the bar in the middle."""
    half, quarter = state.points // 2, state.points // 4
    lines = []

    def edge(top: bool) -> str:
        names = [str(half + 1 + c if top else half - c).rjust(2) for c in range(half)]
        return f" {' '.join(names[:quarter])} |   | {' '.join(names[quarter:])}"

    for top in (True, False):
        rows = []
        for row in range(SHOWN):
            cells = []
            for c in range(half):
                number, side = on_point(state, half + 1 + c if top else half - c)
                full = row == SHOWN - 1 and number > SHOWN
                cells.append(str(number).rjust(2) if full else f" {SIGNS[side]}" if number > row else "  ")
            # White comes from the bar into the upper half, and Black into the lower one.
            waiting = men_on(own_men(state, 0 if top else 1), state.points + 1)
            sign = SIGNS[0 if top else 1]
            middle = f"{waiting:>2}" if row == SHOWN - 1 and waiting > SHOWN else f" {sign}" if waiting > row else "  "
            rows.append(f" {' '.join(cells[:quarter])} |{middle} | {' '.join(cells[quarter:])}".rstrip())
        if top:
            lines += [edge(True), *rows, " " + "-" * (3 * quarter) + "+---+" + "-" * (3 * quarter)]
        else:
            lines += [*reversed(rows), edge(False)]
    off = [state.men - count_men(own_men(state, side)) for side in (0, 1)]
    lines.append(f"O white: {off[0]} off   X black: {off[1]} off" + (f"   {stakes(state)}" if stakes(state) else ""))
    lines.append(status(state))
    return "\n".join(lines)


def board_svg(state: Backgammon) -> str:
    """The board as a stand-alone SVG; what belongs to a point of the first player has its number in data-point."""
    half, quarter = state.points // 2, state.points // 4
    width, height = 2 * SIDE + (half + 1) * WIDE, 2 * TOP + 2 * TALL + GAP
    bottom = height - TOP

    def left(c: int) -> float:
        return SIDE + (c + (c >= quarter)) * WIDE

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{label(state)}" font-family="system-ui, sans-serif">'
        f'<rect width="{width}" height="{height}" rx="10" fill="{FRAME}"/>'
    ]
    for begin in (SIDE, SIDE + (quarter + 1) * WIDE):
        parts.append(
            f'<rect x="{begin}" y="{TOP}" width="{quarter * WIDE}" height="{2 * TALL + GAP}" rx="3" fill="{FELT}"/>'
        )
    parts.append(f'<rect x="{left(quarter) - WIDE}" y="{TOP}" width="{WIDE}" height="{2 * TALL + GAP}" fill="{BAR}"/>')
    for side in (0, 1):
        y = bottom - TALL if side == 0 else TOP
        parts.append(
            f'<rect x="{width - SIDE + 6}" y="{y}" width="{SIDE - 12}" height="{TALL}" rx="4" '
            f'fill="#00000038" data-off="{side}"/>'
        )
    for point in range(1, state.points + 1):
        c, top = column(state, point)
        x, base, tip = left(c), (TOP if top else bottom), (TOP + TALL - 12 if top else bottom - TALL + 12)
        colour = POINTS[point % 2]
        parts.append(
            f'<path d="M{x + 2} {base}h{WIDE - 4}L{x + WIDE / 2} {tip}z" fill="{colour}" data-point="{point}"/>'
            f'<text x="{x + WIDE / 2}" y="{TOP - 7 if top else bottom + 16}" font-size="12" fill="{NUMBERS}" '
            f'text-anchor="middle">{point}</text>'
        )
        number, side = on_point(state, point)
        parts += stack(x + WIDE / 2, base + (MAN if top else -MAN), 1 if top else -1, number, side, f"{point}")
    for side in (0, 1):
        x, middle = left(quarter) - WIDE / 2, TOP + TALL + GAP / 2
        number = men_on(own_men(state, side), state.points + 1)
        away = -1 if side == 0 else 1
        parts += stack(x, middle + away * (MAN + 22), away, number, side, "bar")
        parts += borne_off(state, side, width - SIDE + 9, bottom if side == 0 else TOP)
    parts += thrown(state, left(quarter) + quarter * WIDE / 2, left(0) + quarter * WIDE / 2, TOP + TALL + GAP / 2)
    parts += doubling_cube(state, height)
    return "".join(parts) + "</svg>"


def stack(x: float, y: float, step: int, number: int, side: int, place: str) -> list[str]:
    """Men on a point or on the bar, from the edge inwards; of more than fit, a number says how many."""
    face, rim, ink = MEN[side]
    parts = []
    for k in range(min(number, SHOWN)):
        middle = y + step * k * (2 * MAN - 2)
        parts.append(
            f'<g data-man="{place}"><circle cx="{x}" cy="{middle}" r="{MAN - 0.75}" fill="{face}" stroke="{rim}" '
            f'stroke-width="1.5"/><circle cx="{x}" cy="{middle}" r="{MAN - 6}" fill="none" stroke="{rim}" '
            f'stroke-opacity="0.55"/></g>'
        )
    if number > SHOWN:
        parts.append(
            f'<text x="{x}" y="{y + step * (SHOWN - 1) * (2 * MAN - 2) + 5}" font-size="15" font-weight="600" '
            f'fill="{ink}" text-anchor="middle">{number}</text>'
        )
    return parts


def borne_off(state: Backgammon, side: int, x: float, edge: float) -> list[str]:
    """The men borne off, lying on their sides in the tray."""
    face, rim, _ = MEN[side]
    number = state.men - count_men(own_men(state, side))
    thick = (TALL - 8) / max(state.men, 8)
    parts = []
    for k in range(number):
        y = edge - 4 - (k + 1) * thick if side == 0 else edge + 4 + k * thick
        parts.append(
            f'<rect x="{x}" y="{y:g}" width="{SIDE - 18}" height="{thick - 1:g}" rx="2" fill="{face}" stroke="{rim}"/>'
        )
    return parts


def thrown(state: Backgammon, right: float, left: float, middle: float) -> list[str]:
    """The dice, White's in the right half of the board and Black's in the left one."""
    if not state.roll:
        return []
    face, rim, ink = MEN[state.turn]
    x = right if state.turn == 0 else left
    parts = []
    for number, at in zip(dice(state), (x - 34, x + 6), strict=True):
        parts.append(f'<rect x="{at}" y="{middle - 14}" width="28" height="28" rx="6" fill="{face}" stroke="{rim}"/>')
        for place in PIPS[number]:
            cx, cy = at + 7 + 7 * (place % 3), middle - 7 + 7 * (place // 3)
            parts.append(f'<circle cx="{cx}" cy="{cy}" r="2.7" fill="{ink}"/>')
    return parts


def doubling_cube(state: Backgammon, height: float) -> list[str]:
    """The cube at the left: in the middle with 64 on top while nobody has doubled, otherwise beside its owner."""
    if not state.rules & CUBE:
        return []
    offered = state.phase == ANSWERING
    owner = 1 - state.turn if offered else state.owner
    y = height / 2 - 15 if owner == NO_OWNER else height - TOP - 36 if owner == 0 else TOP + 6
    shown = 2 * state.cube if offered else 64 if state.cube == 1 else state.cube
    return [
        f'<rect x="{SIDE / 2 - 15}" y="{y}" width="30" height="30" rx="5" fill="#fdfaf3" stroke="#8d7f6a"/>'
        f'<text x="{SIDE / 2}" y="{y + 21}" font-size="16" font-weight="700" fill="#3b332a" '
        f'text-anchor="middle">{shown}</text>'
    ]


def label(state: Backgammon) -> str:
    """The picture for those who do not see it: where the men are, each side's points seen from where it sits."""
    sides = []
    for side in (0, 1):
        men = own_men(state, side)
        places = [f"{men_on(men, p)} on {p}" for p in range(state.points, 0, -1) if men_on(men, p)]
        if waiting := men_on(men, state.points + 1):
            places.insert(0, f"{waiting} on the bar")
        if gone := state.men - count_men(men):
            places.append(f"{gone} off")
        sides.append(f"{SEATS[side]} {', '.join(places)}")
    more = f"; {stakes(state)}" if stakes(state) else ""
    return f"backgammon board: {'; '.join(sides)}{more}; {status(state)}"
