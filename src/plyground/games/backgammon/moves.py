"""The plays of a roll: each position that can be reached is listed once, under one number.

A play is a list of men moved by one die each, from the highest point to the lowest. Sorted like this a play stays
legal (a man that moves first never stands in the way of one behind it), so no other order has to be looked at.

With two different dice, larger and smaller, a play is a point p and a point q <= p, and which die is for p. Two
plays lead to the same position only in three ways, and then the first one found counts: two men of one point, with
either die first; one man with both dice, if it hits nobody on either way; two men borne off, whichever with which die.
Nothing has to be compared with anything else.

With doubles a play is up to four points p >= q >= r >= s, and different ones lead to different positions: on the points
p, p - d, p - 2d, ... the men that leave a point are those there before plus those arrived less those there after.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.games.backgammon.board import (
    Backgammon,
    Men,
    added,
    all_points,
    homes,
    mirrored,
    occupied,
    own_men,
    several,
    taken,
)
from plyground.native.bits import bit_index, popcount
from plyground.native.randomness import random_below

__all__ = ["DOUBLE_PLAYS", "NO_PLAY", "after_play", "drawn_play", "list_plays", "most_plays", "play_points"]

NO_PLAY = 0
LOWER_FIRST, FROM = 10, 5
"""With two dice a play is lower_first << 10 | p << 5 | q: whether p moves by the smaller die, and the two points."""
ROW = 32
MEN_OF_ROW = (1 << ROW) - 1
FOURS = np.array([(p + 3) * (p + 2) * (p + 1) * p // 24 for p in range(27)])
THREES = np.array([(p + 2) * (p + 1) * p // 6 for p in range(27)])
TWOS = np.array([(p + 1) * p // 2 for p in range(27)])
"""How many lists of four, three, two points in falling order begin below p. So a play with doubles has the number
FOURS[p] + THREES[q] + TWOS[r] + s."""
DOUBLE_PLAYS = 23751
"""How many numbers of plays there are with doubles on 24 points and the bar: four out of 0 to 25, with repetition."""


def most_plays(men: int, faces: int) -> int:
    """At least how many plays a roll can have.

    With doubles four steps are shared among the men; with two dice each takes a man, and one man has two ways.
    """
    return max(
        (men + 3) * (men + 2) * (men + 1) * men // 24, men * men + men, faces * (faces + 1) // 2, faces * (faces - 1), 2
    )


def movable(where: int, open_points: int, die: int, points: int) -> int:
    """The points from which a man can move by a die; `where` are those with men, `open_points` those to land on."""
    bar = 2 << points
    if where & bar:
        return bar if open_points >> (points + 1 - die) & 1 else 0
    found = where & open_points << die
    if where >> (homes(points) + 1) == 0 and where >> die:  # all are home, and the die does not exceed all of them
        return found | where & 1 << die
    if where >> (homes(points) + 1) == 0:
        highest = where | where >> 1
        highest |= highest >> 2
        highest |= highest >> 4
        return found | (highest ^ highest >> 1)
    return found


def stepped(men: Men, point: int, die: int) -> Men:
    """The men after one of them has moved, or was borne off."""
    men = taken(men, point)
    return added(men, point - die) if point > die else men


def list_plays(state: Backgammon, out: Any) -> int:
    """Write the numbers of all plays of the roll into `out`, and return how many."""
    rows, count = gather_rows(state, out)
    end = count
    for back in range(rows):  # from the last row on, so that none is overwritten before it is read
        row = out[rows - 1 - back]
        number, points = row >> ROW, row & MEN_OF_ROW
        begin = end - popcount(points)
        end = begin
        while points:
            out[begin] = number + bit_index(points)
            begin += 1
            points &= points - 1
    return count


def drawn_play(state: Backgammon, out: Any, rng: Any) -> int:
    """One of all plays of the roll, each as likely; `out` is room for a list of them."""
    _, count = gather_rows(state, out)
    rest = random_below(rng, count)
    k = 0
    points = out[0] & MEN_OF_ROW
    while rest >= popcount(points):
        rest -= popcount(points)
        k += 1
        points = out[k] & MEN_OF_ROW
    for _ in range(rest):
        points &= points - 1
    return (out[k] >> ROW) + bit_index(points)  # type: ignore[no-any-return]


def gather_rows(state: Backgammon, out: Any) -> tuple[int, int]:
    """Write all plays of the roll in rows of those that differ by their last point alone; how many rows, and plays.

    A row is number << ROW | points: it stands for the plays number + p, for each p of that set.
    """
    mine, other = own_men(state, state.turn), own_men(state, 1 - state.turn)
    larger, smaller = state.roll >> 3, state.roll & 7
    made = several(other)
    both = mirrored(made | (occupied(other) ^ made) << 32, state.points)
    open_points, blots = all_points(state.points) & ~both, both >> 32
    if larger == smaller:
        return rows_of_doubles(mine, open_points, larger, state.points, out)
    return rows_of_pairs(mine, open_points, blots, larger, smaller, state.points, out)


def rows_of_pairs(
    mine: Men, open_points: int, blots: int, larger: int, smaller: int, points: int, out: Any
) -> tuple[int, int]:
    """The plays of two different dice."""
    where, more = occupied(mine), several(mine)
    rows, count = 0, 0
    ways = 0  # from where one man can take both dice, the larger one first
    borne = 0  # which two men can both be borne off, q from bit 8 p on
    outside = where >> (homes(points) + 1)
    if where >> (points + 1) == 0 and (outside & (outside - 1) or more >> (homes(points) + 1)):
        for lower_first in range(2):  # nobody waits on the bar, and no man is borne off in this turn
            die, rest = (smaller, larger) if lower_first else (larger, smaller)
            there, later = open_points << die, open_points << rest
            sources = where & there
            while sources:
                bit = sources & -sources
                sources ^= bit
                landing = bit >> die
                seconds = ((where ^ (bit & ~more)) | landing) & later & (2 * bit - 1)
                if lower_first == 0:
                    ways |= bit if seconds & landing else 0
                else:
                    seconds &= ~bit
                    if ways & bit and not blots & (landing | bit >> larger):
                        seconds &= ~landing
                out[rows] = (lower_first << LOWER_FIRST | bit_index(bit) << FROM) << ROW | seconds
                rows += 1 if seconds else 0
                count += popcount(seconds)
        if rows:
            return rows, count
    for lower_first in range(2):
        die, rest = (smaller, larger) if lower_first else (larger, smaller)
        sources = movable(where, open_points, die, points)
        while sources:
            bit = sources & -sources
            sources ^= bit
            point = bit_index(bit)
            then = where if more & bit else where ^ bit
            landing = bit >> die if point > die else 0
            seconds = movable(then | landing, open_points, rest, points) & (2 * bit - 1)
            if lower_first == 0:
                ways |= bit if seconds & landing else 0
                if landing == 0:
                    borne |= (seconds & ((2 << rest) - 1)) << 8 * point
            else:
                seconds &= ~bit
                if ways & bit and not blots & (landing | bit >> larger):
                    seconds &= ~landing
                if landing == 0:
                    seconds &= ~(borne >> 8 * point & 255)
            out[rows] = (lower_first << LOWER_FIRST | point << FROM) << ROW | seconds
            rows += 1 if seconds else 0
            count += popcount(seconds)
    if rows:
        return rows, count
    for lower_first in range(2):  # only one die can be played: the larger one if possible
        sources = movable(where, open_points, smaller if lower_first else larger, points)
        while sources:
            out[rows] = (lower_first << LOWER_FIRST | bit_index(sources) << FROM) << ROW | 1
            rows += 1
            sources &= sources - 1
        if rows:
            return rows, rows
    out[0] = NO_PLAY << ROW | 1
    return 1, 1


def rows_of_doubles(mine: Men, open_points: int, die: int, points: int, out: Any) -> tuple[int, int]:
    """The plays of doubles: of all lists of points in falling order the longest ones."""
    rows, count, longest = 0, 0, 1
    first = movable(occupied(mine), open_points, die, points)
    if not first:
        out[0] = NO_PLAY << ROW | 1
        return 1, 1
    while first:
        p = bit_index(first)
        first &= first - 1
        one = stepped(mine, p, die)
        second = movable(occupied(one), open_points, die, points) & ((2 << p) - 1)
        if not second and longest == 1:
            out[rows] = FOURS[p] << ROW | 1
            rows += 1
        while second:
            q = bit_index(second)
            second &= second - 1
            two = stepped(one, q, die)
            third = movable(occupied(two), open_points, die, points) & ((2 << q) - 1)
            if not third and longest <= 2:
                rows = rows if longest == 2 else 0
                longest = 2
                out[rows] = (FOURS[p] + THREES[q]) << ROW | 1
                rows += 1
            while third:
                r = bit_index(third)
                third &= third - 1
                three = stepped(two, r, die)
                fourth = movable(occupied(three), open_points, die, points) & ((2 << r) - 1)
                number = FOURS[p] + THREES[q] + TWOS[r]
                length = 4 if fourth else 3
                if length >= longest:
                    rows, count = (rows, count) if longest == length else (0, 0)
                    longest = length
                    out[rows] = number << ROW | (fourth if fourth else 1)
                    rows += 1
                    count += popcount(fourth)
    return rows, count if longest == 4 else rows


def play_points(action: int, doubles: bool) -> tuple[int, int, int, int]:
    """The points that a play moves men from, in its order; 0 where there is none."""
    if not doubles:
        return (action >> FROM & 31, action & 31, 0, 0)
    p = 25
    while FOURS[p] > action:
        p -= 1
    rest, q = action - FOURS[p], p
    while THREES[q] > rest:
        q -= 1
    rest, r = rest - THREES[q], q
    while TWOS[r] > rest:
        r -= 1
    return (p, q, r, int(rest - TWOS[r]))


def walked(mine: Men, other: Men, point: int, die: int, points: int) -> tuple[Men, Men]:
    """The men of both sides after one has moved from a point, if it is one, and has hit whom it met."""
    if point == 0:
        return mine, other
    mine = taken(mine, point)
    if point > die:
        mine = added(mine, point - die)
        there = points + 1 - (point - die)
        if occupied(other) >> there & 1:
            other = added(taken(other, there), points + 1)
    return mine, other


def after_play(state: Backgammon, action: int) -> tuple[Men, Men]:
    """The men of the player to move and of the other one after a play."""
    mine, other = own_men(state, state.turn), own_men(state, 1 - state.turn)
    larger, smaller = state.roll >> 3, state.roll & 7
    if larger != smaller:
        lower_first = action >> LOWER_FIRST & 1
        die, rest = (smaller, larger) if lower_first else (larger, smaller)
        mine, other = walked(mine, other, action >> FROM & 31, die, state.points)
        return walked(mine, other, action & 31, rest, state.points)
    p, q, r, s = play_points(action, True)
    mine, other = walked(mine, other, p, larger, state.points)
    mine, other = walked(mine, other, q, larger, state.points)
    mine, other = walked(mine, other, r, larger, state.points)
    return walked(mine, other, s, larger, state.points)
