"""Hex: each side connects its two edges of a rhombus of hexagons, and one of them always does.

An action is the cell row * size + column, a1 at the top left, in an acute corner; size * size is the swap. Red
(player 0) moves first and connects top and bottom, blue left and right. Each row is half a cell further to the right
than the one above it, so a cell touches the two beside it, two above (up, and up and right) and two below (down, and
down and left).
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.game import Game
from plyground.core.grid import Grid, column_name
from plyground.core.rules import action_buffer, parse_action, to_move
from plyground.errors import BadOption, IllegalAction
from plyground.games.lattice import board_cells, cell_name, cells_of_word, has, no_cells, with_cell
from plyground.native.bits import bit_index, mix64

__all__ = ["Hex", "hex_game"]

SMALLEST, LARGEST = 2, 19
NEIGHBOURS = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
UNREACHED = 1000


class Hex(NamedTuple):
    """The stones of the player to move and of the other one; those of each that are linked to its first edge.

    The first edge is the top for red and the left for blue. `moves` counts the swap too; `won` says that the last move
    has won; `swap` whether the second player may swap.
    """

    mine: tuple[np.uint64, ...]
    theirs: tuple[np.uint64, ...]
    my_links: tuple[np.uint64, ...]
    their_links: tuple[np.uint64, ...]
    moves: int
    won: bool
    size: int
    swap: bool


def depth_of(cell: int, size: int, player: int) -> int:
    """How many cells lie between a cell and the first edge of a player."""
    return cell % size if player else cell // size


def touches(links: tuple[np.uint64, ...], cell: int, size: int, player: int) -> bool:
    """Whether a cell lies at the first edge of a player, or beside a stone that is linked to it."""
    if depth_of(cell, size, player) == 0:
        return True
    row, column = cell // size, cell % size
    for down, right in NEIGHBOURS:
        if 0 <= row + down < size and 0 <= column + right < size and has(links, cell + down * size + right):
            return True
    return False


def linked(
    stones: tuple[np.uint64, ...], links: tuple[np.uint64, ...], cell: int, size: int, player: int, pending: Any
) -> tuple[tuple[np.uint64, ...], bool]:
    """The stones linked to the first edge after one that touches them, and whether one of the new lies at the other.

    A stone is linked once in a game and never unlinked, so that all moves of a game together visit each stone once.
    `pending` is room for the cells of a board.
    """
    links = with_cell(links, cell)
    pending[0], count, across = cell, 1, False
    while count:
        count -= 1
        here = pending[count]
        across = across or depth_of(here, size, player) == size - 1
        row, column = here // size, here % size
        for down, right in NEIGHBOURS:
            if 0 <= row + down < size and 0 <= column + right < size:
                there = here + down * size + right
                if has(stones, there) and not has(links, there):
                    links = with_cell(links, there)
                    pending[count] = there
                    count += 1
    return links, across


@rules.to_move.rule(Hex)
def _(state: Hex) -> int:
    return state.moves & 1


@rules.max_actions.rule(Hex)
def _(state: Hex) -> int:
    return state.size * state.size  # where the swap is legal, one cell is taken


@rules.distinct_actions.rule(Hex)
def _(state: Hex) -> int:
    return state.size * state.size + state.swap


@rules.legal_actions.rule(Hex)
def _(state: Hex, out: Any) -> int:
    if state.won:
        return 0
    cells = state.size * state.size
    count = 0
    for word in range(len(state.mine)):
        empty = cells_of_word(word, cells) & ~(state.mine[word] | state.theirs[word])
        while empty:
            out[count] = 64 * word + bit_index(empty)
            count += 1
            empty &= empty - np.uint64(1)
    if state.swap and state.moves == 1:
        out[count] = cells
        count += 1
    return count


@rules.terminal.rule(Hex)
def _(state: Hex) -> bool:
    return state.won  # a full board has a winner


@rules.result.rule(Hex)
def _(state: Hex, action: int) -> Hex:
    player = to_move(state)
    if action == state.size * state.size:
        return swapped(state)
    mine, links, won = with_cell(state.mine, action), state.my_links, False
    if touches(links, action, state.size, player):
        links, won = linked(mine, links, action, state.size, player, action_buffer(state))
    return Hex(state.theirs, mine, state.their_links, links, state.moves + 1, won, state.size, state.swap)


def swapped(state: Hex) -> Hex:
    """After the swap: the only stone has become the second player's, mirrored at the long axis as the edges are."""
    stone = 0
    for word in range(len(state.theirs)):
        if state.theirs[word]:
            stone = 64 * word + bit_index(state.theirs[word])
    there = stone % state.size * state.size + stone // state.size
    mine, links = with_cell(state.mine, there), state.my_links
    if touches(links, there, state.size, 1):
        links = with_cell(links, there)
    return Hex(state.mine, mine, state.my_links, links, state.moves + 1, False, state.size, state.swap)


@rules.utility.rule(Hex)
def _(state: Hex, player: int) -> float:
    return -1.0 if to_move(state) == player else 1.0


def two_distances(state: Hex, player: int, far: bool, distance: Any, seen: Any, queue: Any, pending: Any) -> None:
    """Write how far each empty cell is from an edge of a player if the opponent may spoil the best way once.

    That is one more than the second smallest of its neighbours' distances, where cells that are joined by the player's
    stones are neighbours (van Rijswijck's two-distance); cells beside the edge, or joined to it, have 1. The edge is
    the player's first one, or the `far` one. UNREACHED stands in cells without two ways, and with stones. The others
    are room for the cells of a board.
    """
    size, cells = state.size, state.size * state.size
    own = state.mine if to_move(state) == player else state.theirs
    other = state.theirs if to_move(state) == player else state.mine
    edge = size - 1 if far else 0
    count, waiting = 0, 0
    for cell in range(cells):
        distance[cell], seen[cell] = UNREACHED, -1
        if depth_of(cell, size, player) == edge and not has(other, cell):
            seen[cell] = cells  # the edge has this number
            if has(own, cell):
                pending[waiting] = cell
                waiting += 1
            else:
                distance[cell] = 1
                queue[count] = cell
                count += 1
    head, source, reached = -1, cells, 0  # at first the edge spreads, then each cell of the queue in turn
    while head < count:
        if head >= 0:
            source = queue[head]
            pending[0], waiting, reached = source, 1, distance[source]
            seen[source] = source
        while waiting:
            waiting -= 1
            here = pending[waiting]
            row, column = here // size, here % size
            for down, right in NEIGHBOURS:
                if 0 <= row + down < size and 0 <= column + right < size:
                    there = here + down * size + right
                    if seen[there] != source and not has(other, there):
                        seen[there] = source
                        if has(own, there):
                            pending[waiting] = there
                            waiting += 1
                        elif distance[there] > UNREACHED or head < 0:
                            distance[there] = reached + 1
                            queue[count] = there
                            count += 1
                        elif distance[there] == UNREACHED:
                            distance[there] = UNREACHED + 1  # one way; the second one counts
        head += 1


def connection(state: Hex, player: int, near: Any, far: Any, seen: Any, queue: Any, pending: Any) -> float:
    """How near a player is to connecting: moves needed, a little less if there are many ways to begin."""
    two_distances(state, player, False, near, seen, queue, pending)
    two_distances(state, player, True, far, seen, queue, pending)
    cells = state.size * state.size
    least, ways = 3 * state.size, 0
    for cell in range(cells):
        total = near[cell] + far[cell]
        if total < least:
            least, ways = total, 1
        elif total == least:
            ways += 1
    return least - ways / cells


@rules.evaluation.rule(Hex)
def _(state: Hex) -> float:
    """The difference in two-distances between the edges: what the opponent still needs less what the mover needs."""
    near, far, seen = action_buffer(state), action_buffer(state), action_buffer(state)
    queue, pending = action_buffer(state), action_buffer(state)
    mover = to_move(state)
    ahead = connection(state, 1 - mover, near, far, seen, queue, pending)
    ahead -= connection(state, mover, near, far, seen, queue, pending)
    return ahead / (abs(ahead) + 4.0)


@rules.state_hash.rule(Hex)
def _(state: Hex) -> Any:
    word = mix64(np.uint64(state.moves & 1))
    for i in range(len(state.mine)):
        word = mix64(word ^ state.mine[i])
        word = mix64(word ^ ~state.theirs[i])
    return word


@rules.symmetries.rule(Hex)
def _(state: Hex) -> int:
    return 2  # the mirror images have other edges


@rules.transformed.rule(Hex)
def _(state: Hex, index: int) -> Hex:
    if index == 0:
        return state
    size, cells = state.size, state.size * state.size
    mine, theirs = state.mine, state.theirs
    for word in range(len(state.mine)):
        mine = rules.with_item(mine, word, np.uint64(0))
        theirs = rules.with_item(theirs, word, np.uint64(0))
    my_links, their_links = mine, theirs
    for cell in range(cells):
        if has(state.mine, cell):
            mine = with_cell(mine, cells - 1 - cell)
        if has(state.theirs, cell):
            theirs = with_cell(theirs, cells - 1 - cell)
    mover, pending = to_move(state), action_buffer(state)
    for cell in range(cells):
        if has(mine, cell) and depth_of(cell, size, mover) == 0 and not has(my_links, cell):
            my_links, _ = linked(mine, my_links, cell, size, mover, pending)
        if has(theirs, cell) and depth_of(cell, size, 1 - mover) == 0 and not has(their_links, cell):
            their_links, _ = linked(theirs, their_links, cell, size, 1 - mover, pending)
    return Hex(mine, theirs, my_links, their_links, state.moves, state.won, size, state.swap)


@rules.transformed_action.rule(Hex)
def _(state: Hex, action: int, index: int) -> int:
    cells = state.size * state.size
    return cells - 1 - action if index and action < cells else action


@rules.planes_shape.rule(Hex)
def _(state: Hex) -> tuple[int, int, int]:
    return (3, state.size, state.size)


@rules.planes.rule(Hex)
def _(state: Hex, out: Any) -> None:
    """Own stones, the other's, and which way the mover connects: all ones for blue."""
    for cell in range(state.size * state.size):
        row, column = cell // state.size, cell % state.size
        out[0, row, column] = has(state.mine, cell)
        out[1, row, column] = has(state.theirs, cell)
        out[2, row, column] = to_move(state)


@rules.action_text.rule(Hex)
def _(state: Hex, action: int) -> str:
    return "swap" if action == state.size * state.size else cell_name(action // state.size, action % state.size)


@rules.parse_action.rule(Hex)
def _(state: Hex, text: str) -> int:
    if text.strip().lower() == "swap" and not (state.swap and state.moves == 1):
        raise IllegalAction("a swap is legal only as the second player's first move, with the option swap=on")
    return int(parse_action.default(state, text))


@rules.grid.rule(Hex)
def _(state: Hex) -> Grid:
    red, blue = (state.theirs, state.mine) if to_move(state) else (state.mine, state.theirs)

    def symbol(row: int, column: int) -> str:
        cell = row * state.size + column
        return "R" if has(red, cell) else "B" if has(blue, cell) else "."

    return Grid(
        board_cells(state.size, state.size, symbol),
        symbols=("R", "B"),
        style="hex",
        columns=tuple(column_name(column) for column in range(state.size)),
        rows=tuple(str(row + 1) for row in range(state.size)),
    )


def hex_game(
    size: Annotated[int, "cells along a side, 2 to 19"] = 11,
    swap: Annotated[bool, "the second player may take the first move over"] = False,
) -> Game:
    """Hex: connect your two edges of the board. Red moves first, from top to bottom; blue goes from left to right."""
    if not SMALLEST <= size <= LARGEST:
        raise BadOption(f"hex: size must be {SMALLEST} to {LARGEST}, not {size}")
    empty = no_cells(size * size)
    start = Hex(empty, empty, empty, empty, 0, False, size, swap)
    return Game("hex", start, seats=("red", "blue"), opponent="alphabeta", draws=False)
