"""Endings of chess once more, in NumPy and without a line of the product: numbers, moves, and what follows from them.

Positions are handled thousands at a time: a position is a column of squares, White's king first, then Black's, then the
other men in the order of the ending's name. Only the codes of a table come from outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Squares = NDArray[np.int64]
STRAIGHT, OBLIQUE = ((0, 1), (0, -1), (1, 0), (-1, 0)), ((1, 1), (1, -1), (-1, 1), (-1, -1))
STEPS = {
    "K": (STRAIGHT + OBLIQUE, 1),
    "Q": (STRAIGHT + OBLIQUE, 7),
    "R": (STRAIGHT, 7),
    "B": (OBLIQUE, 7),
    "N": (tuple((a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)), 1),
}
INVALID = 1 << 40
LETTERS = "PNBRQ"


@dataclass(frozen=True)
class Men:
    """White's men and Black's, kings first, such as ("KBN", "K")."""

    white: str
    black: str

    @property
    def kinds(self) -> list[tuple[str, int]]:
        """Letter and side of every man, in the order of the columns."""
        return [("K", 0), ("K", 1), *((m, 0) for m in self.white[1:]), *((m, 1) for m in self.black[1:])]


def parsed(name: str) -> Men:
    at = name.index("K", 1)
    return Men(name[:at], name[at:])


def kings_in_order() -> NDArray[np.int64]:
    """The number of each pair of kings: by White's king, a1 b1 c1 d1 b2 c2 d2 c3 d3 d4, then by Black's."""
    numbers, count = np.full((64, 64), INVALID, np.int64), 0
    for white in (0, 1, 2, 3, 9, 10, 11, 18, 19, 27):
        for black in range(64):
            rank, file = divmod(black, 8)
            if max(abs(rank - white // 8), abs(file - white % 8)) > 1 and (white % 9 or rank <= file):
                numbers[white, black], count = count, count + 1
    assert count == 462
    return numbers


KINGS = kings_in_order()


def places(men: Men, turn: int, squares: Squares) -> Squares:
    """Where a table has these positions: the least number of their mirror images, as far as these have one."""
    kinds = men.kinds[2:]
    # A pawn first; else by kind, White's first.
    order = sorted(range(len(kinds)), key=lambda i: (kinds[i][0] != "P", kinds[i][1], LETTERS.index(kinds[i][0])))
    pawned = kinds[order[0]][0] == "P"
    best = np.full(squares.shape[1], INVALID, np.int64)
    for image in range(2 if pawned else 8):
        seen = squares ^ (7 if image & 1 else 0) ^ (56 if image & 2 else 0)
        if image & 4:
            seen = seen // 8 + seen % 8 * 8
        others = [seen[2 + i] for i in order]
        if pawned:
            number = turn * 24 + (others[0] // 8 - 1) * 4 + others[0] % 8
            number = (number * 64 + seen[0]) * 64 + seen[1]
            number[others[0] % 8 > 3] = INVALID
            others = others[1:]
        else:
            number = KINGS[seen[0], seen[1]] + turn * 462
            if len(others) == 2 and kinds[0] == kinds[1]:
                others = [np.minimum(*others), np.maximum(*others)]
        for square in others:
            number = np.where(number >= INVALID, INVALID, number * 64 + square)
        best = np.minimum(best, number)
    return best


def walks(kind: str, squares: Squares, man: int) -> Iterator[tuple[Squares, NDArray[np.bool_]]]:
    """Every step of a man: where it gets, and for which positions it gets there, over empty squares only."""
    directions, most = STEPS[kind]
    start = squares[man]
    for up, right in directions:
        open_ = np.ones(squares.shape[1], bool)
        for far in range(1, most + 1):
            rank, file = start // 8 + up * far, start % 8 + right * far
            open_ = open_ & (rank >= 0) & (rank < 8) & (file >= 0) & (file < 8)
            if not open_.any():
                break
            there = np.where(open_, rank * 8 + file, -1)
            yield there, open_
            open_ = open_ & ~(squares == there).any(axis=0)


def attacked(men: Men, squares: Squares, target: Squares, by: int) -> NDArray[np.bool_]:
    """For which positions a man of the side `by` attacks the square; men on square -1 are not there."""
    found = np.zeros(squares.shape[1], bool)
    for man, (kind, side) in enumerate(men.kinds):
        if side != by:
            continue
        here = squares[man] >= 0
        if kind == "P":
            ahead = squares[man] // 8 + (1 if side == 0 else -1)
            hit = (target // 8 == ahead) & (abs(target % 8 - squares[man] % 8) == 1)
            found |= hit & here
            continue
        for there, reached in walks(kind, squares, man):
            found |= reached & (there == target) & here
    return found


def legal(men: Men, turn: int, squares: Squares) -> NDArray[np.bool_]:
    """Whether the men stand on different squares and the side that has moved is not in check."""
    apart = np.ones(squares.shape[1], bool)
    for one in range(len(squares)):
        for other in range(one):
            apart &= squares[one] != squares[other]
    return apart & ~attacked(men, squares, squares[1 - turn], turn)


def moved(men: Men, turn: int, squares: Squares) -> Iterator[tuple[int, Squares, NDArray[np.bool_], str]]:
    """Every move of the side: the man, its new square, for which positions, and what it becomes ("" if it does not)."""
    for man, (kind, side) in enumerate(men.kinds):
        if side != turn:
            continue
        if kind != "P":
            for there, reached in walks(kind, squares, man):
                own = np.zeros(squares.shape[1], bool)
                for other, (_, its_side) in enumerate(men.kinds):
                    own |= (squares[other] == there) & (its_side == turn)
                yield man, there, reached & ~own, ""
            continue
        step, first, last = (8, 1, 7) if side == 0 else (-8, 6, 0)
        start = squares[man]
        once = start + step
        free = ~(squares == once).any(axis=0)
        twice = np.where(start // 8 == first, start + 2 * step, -1)
        takes = []
        for aside in (-1, 1):
            there = once + aside
            on_board = (start % 8 + aside >= 0) & (start % 8 + aside < 8)
            hit = np.zeros(squares.shape[1], bool)
            for other, (_, its_side) in enumerate(men.kinds):
                hit |= (squares[other] == there) & (its_side != turn)
            takes.append((there, on_board & hit))
        yield man, twice, free & (twice >= 0) & ~(squares == twice).any(axis=0), ""
        for there, fits in ((once, free), *takes):
            yield man, there, fits & (there // 8 != last), ""
            for becomes in "QRBN":
                yield man, there, fits & (there // 8 == last), becomes


def looked_up(tables: Mapping[str, NDArray[np.uint8]], men: Men, turn: int, squares: Squares) -> Squares:
    """The codes of positions in which the men that were taken stand on -1: all have the same ones left."""
    sides, columns = ["", ""], [[], []]  # type: tuple[list[str], list[list[Squares]]]
    for man, (kind, side) in enumerate(men.kinds):
        if squares.shape[1] and squares[man, 0] >= 0:
            sides[side] += kind
            columns[side].append(squares[man])
    if not squares.shape[1] or "".join(sides) in ("KK", "KBK", "KKB", "KNK", "KKN"):
        return np.zeros(squares.shape[1], np.int64)
    for flipped in (False, True):
        white, black = (1, 0) if flipped else (0, 1)
        orders = [
            sorted(range(1, len(sides[s])), key=lambda i, s=s: "QRBNP".index(sides[s][i])) for s in (white, black)
        ]
        ordered = [sides[s][0] + "".join(sides[s][i] for i in o) for s, o in zip((white, black), orders, strict=True)]
        if "".join(ordered) in tables:
            rows = [columns[white][0], columns[black][0]]
            rows += [columns[white][i] for i in orders[0]] + [columns[black][i] for i in orders[1]]
            there = np.array(rows) ^ (56 if flipped else 0)
            found = places(Men(*ordered), 1 - turn if flipped else turn, there)
            return tables["".join(ordered)][found].astype(np.int64)
    raise KeyError("".join(sides))


def expected(tables: Mapping[str, NDArray[np.uint8]], name: str, turn: int, squares: Squares) -> Squares:
    """What the code of each legal position must be, by the codes of the positions after its moves."""
    men = parsed(name)
    count = squares.shape[1]
    fewest, most = np.full(count, 1000), np.full(count, -1)
    draws, any_move = np.zeros(count, bool), np.zeros(count, bool)
    for man, there, fits, becomes in moved(men, turn, squares):
        after = squares.copy()
        after[man] = there
        for other, (kind, side) in enumerate(men.kinds):
            if side != turn and kind != "K":
                after[other] = np.where(squares[other] == there, -1, squares[other])
        now = men
        if becomes:
            letters = [list(men.white), list(men.black)]
            _, side = men.kinds[man]
            letters[side][letters[side].index("P")] = becomes
            now = Men("".join(letters[0]), "".join(letters[1]))
        fits = fits & ~attacked(now, after, after[turn], 1 - turn)
        groups = [(fits & (after >= 0).all(axis=0)), *(fits & (after[o] < 0) for o in range(2, len(after)))]
        for group in groups:
            at = np.flatnonzero(group)
            if not len(at):
                continue
            codes = looked_up(tables, now, 1 - turn, after[:, at])
            assert not (codes == 255).any(), "a legal move leads to what the table takes for no position"
            any_move[at] = True
            draws[at] |= codes == 0
            lost, won = codes % 2 == 1, (codes > 0) & (codes % 2 == 0)
            fewest[at[lost]] = np.minimum(fewest[at[lost]], codes[lost] + 1)
            most[at[won]] = np.maximum(most[at[won]], codes[won] + 1)
    checked = attacked(men, squares, squares[turn], 1 - turn)
    over = np.where(checked, 1, 0)
    return np.where(any_move, np.where(fewest < 1000, fewest, np.where(draws, 0, most)), over)
