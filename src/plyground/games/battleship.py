"""Battleship: both hide a fleet, then shoot in turn; whoever sinks all ships first wins.

First one player places its ships, which lie straight and do not overlap; then the other. After that each shot is
answered: miss, hit, or which ship is sunk. Cells are numbered by rows and named a1 (top left), b1, ...

Placing a ship is the action ``2 * cell``, or ``2 * cell + 1`` if it lies downwards from that cell; a shot is the cell.
"""

from __future__ import annotations

import itertools
import re
from typing import Annotated, Any, NamedTuple

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.core.grid import column_name
from plyground.core.rules import terminal, to_move, with_item
from plyground.errors import BadOption
from plyground.native.bits import mix64
from plyground.pictures.board import svg
from plyground.pictures.sea import sea_svg

__all__ = ["Battleship", "battleship", "cell_of", "cell_text", "shots_of"]

NONE, UNSEEN = -1, -2
"""Instead of the place of a ship: not placed yet, and placed but not seen."""
HALF = 50
"""Cells of one of the two words that make a set of cells."""
PACKED, BITS = 6, 10
"""Shots of the record in one whole number, and bits of each: seven for the cell, three for the answer."""
MISS, HIT, SUNK = 0, 1, 2
"""Answers; SUNK + i is that ship i is sunk."""
MOST_SHIPS = 5


class Battleship(NamedTuple):
    """Two fleets and the shots at them.

    `ships` are the places of the first player's ships and then of the second's. `fired` are the cells that each has
    shot at: two sets of 50 cells a player. `log` are the shots of each in order, packed. `left` is how many cells of
    each fleet are not hit yet, of ships to come as well. `lengths` are those of the ships.
    """

    ships: tuple[int, ...]
    fired: tuple[int, int, int, int]
    log: tuple[int, ...]
    shots: tuple[int, int]
    left: tuple[int, int]
    lengths: tuple[int, ...]
    rows: int
    columns: int


def ship_to_place(state: Battleship) -> int:
    """The number of the next ship in `ships`, or that of all if none is left to place."""
    for number in range(len(state.ships)):
        if state.ships[number] == NONE:
            return number
    return len(state.ships)


def ship_cell(place: int, step: int, columns: int) -> int:
    """A cell of a ship: the one so many steps from its first."""
    return place // 2 + (step * columns if place % 2 else step)


def fits(state: Battleship, number: int, place: int) -> bool:
    """Whether a ship may lie there: on the board, straight, and on no other of the same fleet."""
    count = len(state.lengths)
    length = state.lengths[number % count]
    row, column = place // 2 // state.columns, place // 2 % state.columns
    if place % 2:
        if length == 1 or row + length > state.rows:  # a ship of one cell lies in one way
            return False
    elif column + length > state.columns:
        return False
    for other in range(number // count * count, number):
        for step in range(state.lengths[other % count]):
            taken = ship_cell(state.ships[other], step, state.columns)
            for own in range(length):
                if ship_cell(place, own, state.columns) == taken:
                    return False
    return True


@rules.to_move.rule(Battleship)
def _(state: Battleship) -> int:
    number = ship_to_place(state)
    if number < len(state.ships):
        return number // len(state.lengths)
    return (state.shots[0] + state.shots[1]) % 2


@rules.max_actions.rule(Battleship)
def _(state: Battleship) -> int:
    return 2 * state.rows * state.columns


@rules.distinct_actions.rule(Battleship)
def _(state: Battleship) -> int:
    return 2 * state.rows * state.columns


@rules.terminal.rule(Battleship)
def _(state: Battleship) -> bool:
    return state.left[0] == 0 or state.left[1] == 0


@rules.legal_actions.rule(Battleship)
def _(state: Battleship, out: Any) -> int:
    count = 0
    if terminal(state):
        return 0
    number = ship_to_place(state)
    if number < len(state.ships):
        for place in range(2 * state.rows * state.columns):
            if fits(state, number, place):
                out[count] = place
                count += 1
        return count
    mover = (state.shots[0] + state.shots[1]) % 2
    for cell in range(state.rows * state.columns):
        if not state.fired[2 * mover + cell // HALF] >> cell % HALF & 1:
            out[count] = cell
            count += 1
    return count


def answer_to(state: Battleship, shooter: int, cell: int) -> int:
    """What a shot comes to: MISS, HIT, or SUNK and the number of the ship."""
    count = len(state.lengths)
    for ship in range(count):
        place = state.ships[(1 - shooter) * count + ship]
        struck, afloat = False, False
        for step in range(state.lengths[ship]):
            here = ship_cell(place, step, state.columns)
            if here == cell:
                struck = True
            elif not state.fired[2 * shooter + here // HALF] >> here % HALF & 1:
                afloat = True
        if struck:
            return HIT if afloat else SUNK + ship
    return MISS


@rules.result.rule(Battleship)
def _(state: Battleship, action: int) -> Battleship:
    number = ship_to_place(state)
    if number < len(state.ships):
        return Battleship(
            with_item(state.ships, number, action), state.fired, state.log, state.shots, state.left, state.lengths,
            state.rows, state.columns,
        )  # fmt: skip
    mover = (state.shots[0] + state.shots[1]) % 2
    answer = answer_to(state, mover, action)
    half = 2 * mover + action // HALF
    shot, words = state.shots[mover], len(state.log) // 2
    word = mover * words + shot // PACKED
    packed = state.log[word] | (action << 3 | answer) << shot % PACKED * BITS
    left = state.left[1 - mover] - (0 if answer == MISS else 1)
    return Battleship(
        state.ships,
        with_item(state.fired, half, state.fired[half] | 1 << action % HALF),
        with_item(state.log, word, packed),
        with_item(state.shots, mover, shot + 1),
        with_item(state.left, 1 - mover, left),
        state.lengths,
        state.rows,
        state.columns,
    )


@rules.utility.rule(Battleship)
def _(state: Battleship, player: int) -> float:
    return 1.0 if state.left[player] > 0 else -1.0


@rules.observation.rule(Battleship)
def _(state: Battleship, player: int) -> Battleship:
    """The own fleet and all shots with their answers; of the other fleet only which ships are placed."""
    count = len(state.lengths)
    ships = state.ships
    for number in range((1 - player) * count, (2 - player) * count):
        if ships[number] != NONE:
            ships = with_item(ships, number, UNSEEN)
    return Battleship(ships, state.fired, state.log, state.shots, state.left, state.lengths, state.rows, state.columns)


@rules.state_hash.rule(Battleship)
def _(state: Battleship) -> Any:
    word = mix64(state.shots[0] * 1000 + state.shots[1])
    for item in state.ships:
        word = mix64(int(word) ^ item + 3)
    for item in state.log:
        word = mix64(int(word) ^ item)
    return word


@rules.planes_shape.rule(Battleship)
def _(state: Battleship) -> tuple[int, int, int]:
    return (4, state.rows, state.columns)


@rules.planes.rule(Battleship)
def _(state: Battleship, out: Any) -> None:
    """The own fleet, the shots at it, the own shots, and those of them that hit, of the player to move."""
    count, me = len(state.lengths), to_move(state)
    for ship in range(count):
        place = state.ships[me * count + ship]
        if place >= 0:
            for step in range(state.lengths[ship]):
                here = ship_cell(place, step, state.columns)
                out[0, here // state.columns, here % state.columns] = 1.0
    words = len(state.log) // 2
    for who in range(2):
        for shot in range(state.shots[who]):
            packed = state.log[who * words + shot // PACKED] >> shot % PACKED * BITS & 1023
            row, column = packed // 8 // state.columns, packed // 8 % state.columns
            out[2 if who == me else 1, row, column] = 1.0
            if who == me and packed % 8 != MISS:
                out[3, row, column] = 1.0


# Words and pictures -------------------------------------------------------------------------------------------------


def shots_of(state: Battleship, player: int) -> list[tuple[int, int]]:
    """The shots of a player in order: the cell and the answer."""
    words, found = len(state.log) // 2, []
    for shot in range(state.shots[player]):
        packed = state.log[player * words + shot // PACKED] >> shot % PACKED * BITS & 1023
        found.append((packed // 8, packed % 8))
    return found


def cell_text(cell: int, columns: int) -> str:
    """The name of a cell, such as c4: the column, then the row from the top."""
    return f"{column_name(cell % columns)}{cell // columns + 1}"


def cell_of(name: str, rows: int, columns: int) -> int:
    """The cell of a name."""
    match = re.fullmatch(r"([a-z])(\d{1,2})", name.strip().lower())
    column, row = (ord(match[1]) - 97, int(match[2]) - 1) if match else (-1, -1)
    if not (0 <= column < columns and 0 <= row < rows):
        last = cell_text(rows * columns - 1, columns)
        raise BadOption(f"'{name[:20]}' is not a cell of this board; cells are a1 to {last}")
    return row * columns + column


@rules.action_text.rule(Battleship)
def _(state: Battleship, action: int) -> str:
    if not 0 <= action < 2 * state.rows * state.columns:
        return str(action)
    if ship_to_place(state) < len(state.ships):
        return cell_text(action // 2, state.columns) + ("v" if action % 2 else "h")
    return cell_text(action, state.columns)


def waters(state: Battleship, player: int) -> list[str]:
    """A player's own waters, a character a cell: ``.`` water, a letter a ship, ``o``, ``x`` a hit, ``#`` sunk."""
    cells = ["."] * (state.rows * state.columns)
    count = len(state.lengths)
    for ship in range(count):
        place = state.ships[player * count + ship]
        for step in range(state.lengths[ship] if place >= 0 else 0):
            cells[ship_cell(place, step, state.columns)] = chr(65 + ship)
    sunk = {answer - SUNK for _, answer in shots_of(state, 1 - player) if answer >= SUNK}
    for cell, answer in shots_of(state, 1 - player):
        ship = ord(cells[cell]) - 65
        known = cells[cell] != "." and ship in sunk
        cells[cell] = "o" if answer == MISS else "#" if known or answer >= SUNK else "x"
    return cells


@rules.text.rule(Battleship)
def _(state: Battleship) -> str:
    boards = [waters(state, player) for player in range(2)]
    width = 2 * state.columns + 3
    head = " " * 3 + " ".join(column_name(c) for c in range(state.columns))
    lines = [f"{'first:':<{width + 3}}second:", f"{head:<{width + 3}}{head}"]
    for row in range(state.rows):
        parts = [" ".join(board[row * state.columns : (row + 1) * state.columns]) for board in boards]
        lines.append(f"{row + 1:>2} {parts[0]:<{width}}{row + 1:>2} {parts[1]}")
    sunk = []
    for player, name in enumerate(("first", "second")):
        gone = [str(state.lengths[a - SUNK]) for _, a in shots_of(state, 1 - player) if a >= SUNK]
        if gone:
            sunk.append(f"{name} has lost: {', '.join(gone)}")
    return "\n".join(lines + sunk)


@svg.rule(Battleship)
def _(state: Battleship) -> str:
    return sea_svg([("first", waters(state, 0)), ("second", waters(state, 1))], rows=state.rows, columns=state.columns)


# The game -----------------------------------------------------------------------------------------------------------


def battleship(
    size: Annotated[int, "cells along a side of a square board, 2 to 10"] = 10,
    rows: Annotated[int, "rows, if the board is not square"] = 0,
    columns: Annotated[int, "columns, if the board is not square"] = 0,
    ships: Annotated[tuple[int, ...], "lengths of the ships, up to 5 of them"] = (5, 4, 3, 3, 2),
) -> Game:
    """Battleship: hide a fleet, and shoot at the other one, cell by cell."""
    rows, columns = rows or size, columns or size
    check_sea(rows, columns, ships)
    hidden, shots = (NONE,) * (2 * len(ships)), (0,) * (2 * -(-rows * columns // PACKED))
    start = Battleship(hidden, (0, 0, 0, 0), shots, (0, 0), (sum(ships),) * 2, tuple(ships), rows, columns)
    return Game("battleship", start, axes=Axes(hidden=True), seats=("first", "second"), opponent="gunner")


def check_sea(rows: int, columns: int, ships: tuple[int, ...]) -> None:
    """Refuse boards that are too small or too large, and fleets that cannot be placed in any order."""
    if not (1 <= rows <= 10 and 1 <= columns <= 10):
        raise BadOption(f"battleship: a board has 1 to 10 rows and columns, not {rows} and {columns}")
    if not 1 <= len(ships) <= MOST_SHIPS or not all(1 <= ship <= max(rows, columns) for ship in ships):
        raise BadOption(
            f"battleship: ships must be 1 to {MOST_SHIPS} lengths from 1 to {max(rows, columns)}, "
            f"not {','.join(map(str, ships))}"
        )
    for number, ship in enumerate(ships):
        if not _always_room(rows, columns, ship, ships[:number]):
            raise BadOption(
                f"battleship: there may be no room left for a ship of {ship} on {rows}x{columns}; take fewer"
            )


def _always_room(rows: int, columns: int, length: int, placed: tuple[int, ...]) -> bool:
    """Whether a ship fits wherever the others were placed: no player can get itself into a corner.

    The board is cut into strips for the ship, once across and once down. However the others lie, one strip stays free.
    """
    across, down = rows * (columns // length), columns * (rows // length)
    for lying in itertools.product((False, True), repeat=len(placed)):
        in_rows = sum(_strips(m, length, columns) if flat else m for m, flat in zip(placed, lying, strict=True))
        in_columns = sum(m if flat else _strips(m, length, rows) for m, flat in zip(placed, lying, strict=True))
        if in_rows >= across and in_columns >= down:
            return False
    return True


def _strips(other: int, length: int, side: int) -> int:
    """How many of the strips of one row another ship touches at most that lies along it."""
    return min(side // length, (other - 2) // length + 2) if other > 1 else min(1, side // length)
