"""Bear-off tables: what positions are worth in which all men are at home, exactly, computed backwards from the end.

    tables = bearoff_tables()                  # built in seconds once, then read from the cache folder
    tables.turns(men)                          # how likely a side needs 0, 1, 2, ... turns to bear off its men
    tables.equity(mine, other)                 # what a position is worth to whoever is to roll, up to 6 men a side

One side alone: for all 54,264 ways in which up to 15 men stand on 6 points, how many turns they take, if each play is
the one that needs the fewest turns on average. Both sides: for up to 6 men each, what the position is worth if both
play as well as can be, without a cube and with it, the owner's doubles included. Nobody can lose a gammon there.

A position has a place: its men and the gaps between points are a row of 15 + 6 marks, and its place is how many such
rows come before it. Positions of up to 6 men come first.
"""

from __future__ import annotations

import contextlib
from functools import cache
from math import comb
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import read_arrays, write_arrays
from plyground.core.rules import action_buffer
from plyground.engines.backgammon.network import moving
from plyground.errors import FormatError
from plyground.games.backgammon import backgammon
from plyground.games.backgammon.board import Backgammon, Men, added, men_on, occupied
from plyground.games.backgammon.moves import after_play, list_plays
from plyground.native.cache_root import cache_root
from plyground.native.compiling import compiled

__all__ = [
    "CENTRED", "CUBELESS", "OTHERS_CUBE", "OWN_CUBE", "BearoffTables", "at_home", "bearoff_place", "bearoff_tables",
    "build_tables", "men_at_place",
]  # fmt: skip

HOME = 6
MOST_MEN, BOTH_MEN = 15, 6
ONE_SIDE = comb(MOST_MEN + HOME, HOME)
BOTH_SIDES = comb(BOTH_MEN + HOME, HOME)
MOST_TURNS = 32
"""No position takes more: the 15 men on the last point take at most 30 turns, with a throw of ones and twos each."""
ROLLS = 21
NOBODY: Men = (0, 0, 0, 0)
CHOOSE = np.array([[comb(n, k) for k in range(HOME + 1)] for n in range(MOST_MEN + HOME + 1)])
CUBELESS, CENTRED, OWN_CUBE, OTHERS_CUBE = range(4)
"""The columns of the values of both sides: without a cube; with one that nobody, the side to roll, the other owns; for
a cube of 1, before it is decided whether to double."""


class BearoffTables(NamedTuple):
    """`chances` (54264, 32): of each place, how likely so many turns are needed; `values` (4, 924, 924): of the side to
    roll, then the other one, in points, by the columns above."""

    chances: NDArray[np.float32]
    values: NDArray[np.float32]

    def turns(self, men: Men) -> NDArray[np.float32]:
        """How likely a side needs 0, 1, 2, ... turns to bear off its men, which are all at home."""
        chances: NDArray[np.float32] = self.chances[bearoff_place(men)]
        return chances

    def win(self, mine: Men, other: Men) -> float:
        """How likely the side to roll is the first without men: exact for few men, otherwise if both only hurry."""
        one, two = bearoff_place(mine), bearoff_place(other)
        if max(one, two) < BOTH_SIDES:
            return (1.0 + float(self.values[CUBELESS, one, two])) / 2.0
        return float(first_to_finish(self.chances[one], self.chances[two]))

    def equity(self, mine: Men, other: Men, cube: int = CUBELESS) -> float | None:
        """What a position is worth to the side to roll, in points for a cube of 1; None with more men than 6 a side."""
        one, two = bearoff_place(mine), bearoff_place(other)
        return float(self.values[cube, one, two]) if max(one, two) < BOTH_SIDES else None


@compiled
def first_to_finish(mine: Any, other: Any) -> float:
    """How likely the side to roll needs no more turns than the other one, by how likely both need how many."""
    total, later = 0.0, 1.0
    for turns in range(len(mine)):
        total += mine[turns] * later
        later -= other[turns]
    return total


def at_home(men: Men) -> bool:
    """Whether all men that are left are at home."""
    return occupied(men) >> (HOME + 1) == 0


@compiled
def bearoff_place(men: Men) -> int:
    """The place of a side's men."""
    place, before = 0, 0
    for k in range(HOME):
        before += men_on(men, HOME - k)
        place += CHOOSE[before + k, k + 1]
    return place


@compiled
def men_at_place(place: int) -> Men:
    """The men of a side at a place."""
    men = (0, 0, 0, 0)
    rest, above = place, MOST_MEN + HOME
    marks = np.zeros(HOME, np.int64)
    for back in range(HOME):
        k = HOME - 1 - back
        at = above - 1
        while CHOOSE[at, k + 1] > rest:
            at -= 1
        rest -= CHOOSE[at, k + 1]
        marks[k] = at - k
        above = at
    before = 0
    for k in range(HOME):
        for _ in range(marks[k] - before):
            men = added(men, HOME - k)
        before = marks[k]
    return men


@compiled
def fill_one_side(start: Backgammon, order: Any, chances: Any) -> None:
    """How many turns each place needs; in this order, all that follow a place come before it."""
    plays = action_buffer(start)
    means = np.zeros(len(chances))
    chances[0, 0] = 1.0
    for i in range(1, len(order)):
        place = order[i]
        men = men_at_place(place)
        for larger in range(1, 7):
            for smaller in range(1, larger + 1):
                state = moving(start, men, NOBODY, larger << 3 | smaller)
                count = list_plays(state, plays)
                best, least = 0, 1e9
                for k in range(count):
                    after, _ = after_play(state, plays[k])
                    following = bearoff_place(after)
                    if means[following] < least:
                        best, least = following, means[following]
                weight = 1 / 36 if larger == smaller else 2 / 36
                means[place] += weight * (1.0 + least)
                for turns in range(1, chances.shape[1]):
                    chances[place, turns] += weight * chances[best, turns - 1]


@compiled
def note_following(start: Backgammon, begins: Any, following: Any) -> int:
    """The places after each roll, of the places of few men: those of place p and roll r begin at begins[21 p + r]."""
    plays = action_buffer(start)
    count, at = 0, 0
    for place in range(BOTH_SIDES):
        men = men_at_place(place)
        for larger in range(1, 7):
            for smaller in range(1, larger + 1):
                begins[at] = count
                at += 1
                if place == 0:
                    continue
                state = moving(start, men, NOBODY, larger << 3 | smaller)
                number = list_plays(state, plays)
                for k in range(number):
                    after, _ = after_play(state, plays[k])
                    following[count] = bearoff_place(after)
                    count += 1
    begins[at] = count
    return count


@compiled
def fill_both_sides(order: Any, pips: Any, begins: Any, following: Any, values: Any) -> None:
    """What positions are worth to the side to roll, those with the fewest pips of both sides first."""
    size = len(pips)
    starts = np.zeros(pips.max() + 2, np.int64)  # of the places with so many pips, in `order`
    for i in range(size):
        starts[pips[i] + 1] += 1
    for k in range(1, len(starts)):
        starts[k] += starts[k - 1]
    most = len(starts) - 2
    for place in range(size):
        values[:, 0, place] = -1.0  # the other side has no man left: lost
        values[:, place, 0] = -1.0
    for together in range(2, 2 * most + 1):
        for mine in range(max(1, together - most), min(most, together - 1) + 1):
            theirs = together - mine
            for i in range(starts[mine], starts[mine + 1]):
                for j in range(starts[theirs], starts[theirs + 1]):
                    one, two = order[i], order[j]
                    cubeless, centred, own, others = 0.0, 0.0, 0.0, 0.0
                    at = ROLLS * one
                    for larger in range(1, 7):
                        for smaller in range(1, larger + 1):
                            weight = 1 / 36 if larger == smaller else 2 / 36
                            a, b, c, d = -9.0, -9.0, -9.0, -9.0
                            for k in range(begins[at], begins[at + 1]):
                                after = following[k]
                                a = max(a, 1.0 if after == 0 else -values[CUBELESS, two, after])
                                b = max(b, 1.0 if after == 0 else -values[CENTRED, two, after])
                                c = max(c, 1.0 if after == 0 else -values[OTHERS_CUBE, two, after])
                                d = max(d, 1.0 if after == 0 else -values[OWN_CUBE, two, after])
                            cubeless += weight * a
                            centred += weight * b
                            own += weight * c
                            others += weight * d
                            at += 1
                    doubled = min(1.0, 2.0 * others)
                    values[CUBELESS, one, two] = cubeless
                    values[CENTRED, one, two] = max(centred, doubled)
                    values[OWN_CUBE, one, two] = max(own, doubled)
                    values[OTHERS_CUBE, one, two] = others


@compiled
def note_pips(pips: Any) -> None:
    """How many pips each place has."""
    for place in range(len(pips)):
        men = men_at_place(place)
        total = 0
        for point in range(1, HOME + 1):
            total += point * men_on(men, point)
        pips[place] = total


def build_tables() -> BearoffTables:
    """Compute all tables, in seconds."""
    start = backgammon().initial
    pips = np.zeros(ONE_SIDE, np.int64)
    note_pips(pips)
    chances = np.zeros((ONE_SIDE, MOST_TURNS), np.float64)
    fill_one_side(start, np.argsort(pips, kind="stable"), chances)
    few = pips[:BOTH_SIDES].copy()
    begins, following = np.zeros(ROLLS * BOTH_SIDES + 1, np.int64), np.zeros(1 << 20, np.int64)
    note_following(start, begins, following)
    values = np.zeros((4, BOTH_SIDES, BOTH_SIDES))
    fill_both_sides(np.argsort(few, kind="stable"), few, begins, following, values)
    return BearoffTables(chances.astype(np.float32), values.astype(np.float32))


@cache
def bearoff_tables() -> BearoffTables:
    """The tables, from the cache folder, or computed and kept there if that can be written."""
    path = None
    with contextlib.suppress(OSError):
        path = cache_root() / "backgammon" / "bearoff-1.npz"
    known = {"chances": ("f4", (ONE_SIDE, MOST_TURNS)), "values": ("f4", (4, BOTH_SIDES, BOTH_SIDES))}
    if path is not None and path.exists():
        with contextlib.suppress(FormatError, OSError):
            return BearoffTables(**read_arrays(path, "bear-off table", known))
    tables = build_tables()
    if path is not None:
        _keep(path, tables)
    return tables


def _keep(path: Path, tables: BearoffTables) -> None:
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_arrays(path, compressed=False, **tables._asdict())
