"""The board of backgammon: men on points, each player's own seen from where that player sits, and the dice.

A player's men stand on points 1 (next to home's edge) to `points`, and on the bar, which is point `points` + 1; they
move towards 0. What is borne off is not on the board any more. Point p of one player is point `points` + 1 - p of the
other. A set of points is an int in which bit p stands for point p.

How many men there are on each point is kept as four such sets, the binary digits of the numbers: point p holds
1 * (bit p of the first) + 2 * (bit p of the second) + 4 * ... + 8 * ... men. So all points with men on them are one
`|`, and a man is moved by adding with carry.
"""

from __future__ import annotations

from typing import NamedTuple

from plyground.native.bits import popcount

__all__ = [
    "ANSWERING", "CRAWFORD", "CUBE", "DOUBLING", "JACOBY", "LARGEST_CUBE", "MOVING", "NO_OWNER", "OPENING", "OVER",
    "PAST_CRAWFORD", "ROLLING", "WHOLE", "Backgammon", "Men", "added", "all_points", "count_men", "homes", "men_on",
    "mirrored", "occupied", "own_men", "pips", "placed", "several", "taken",
]  # fmt: skip

Men = tuple[int, int, int, int]

OPENING, ROLLING, MOVING, DOUBLING, ANSWERING, OVER = range(6)
"""What comes next: the first roll, a roll, a play, whether to double before it, the answer to a double, nothing."""
CUBE, JACOBY, CRAWFORD, PAST_CRAWFORD, WHOLE = 1, 2, 4, 8, 16
"""Which rules hold, as bits: there is a doubling cube; gammons count only after a double; this is the Crawford game, or
there is none to come; the match goes on after this game."""
NO_OWNER = -1
LARGEST_CUBE = 64


class Backgammon(NamedTuple):
    """A position of backgammon, with what has to happen next.

    `first` and `second` are the men of the two players. `turn` is whose turn it is, while the other one answers a
    double too, and who has won after a pass; 0 while the opening throw is to come. `roll` is 8 * larger die + smaller
    die, 0 before the roll. `owner` is who may double, or NO_OWNER for both. `length` is that of the match in points, 0
    for money, and `scores` what both have.
    """

    first: Men
    second: Men
    turn: int
    phase: int
    roll: int
    cube: int
    owner: int
    length: int
    scores: tuple[int, int]
    rules: int
    points: int
    men: int
    faces: int


def own_men(state: Backgammon, player: int) -> Men:
    return state.first if player == 0 else state.second


def homes(points: int) -> int:
    """How many points the home of a player has: a quarter of the board."""
    return points // 4


def all_points(points: int) -> int:
    """The set of all points, without the bar."""
    return (2 << points) - 2


def occupied(men: Men) -> int:
    """The points with men on them."""
    return men[0] | men[1] | men[2] | men[3]


def several(men: Men) -> int:
    """The points with two men or more."""
    return men[1] | men[2] | men[3]


def men_on(men: Men, point: int) -> int:
    return (
        (men[0] >> point & 1) + 2 * (men[1] >> point & 1) + 4 * (men[2] >> point & 1) + 8 * (men[3] >> point & 1)
    )  # fmt: skip


def count_men(men: Men) -> int:
    """How many men are not borne off."""
    return popcount(men[0]) + 2 * popcount(men[1]) + 4 * popcount(men[2]) + 8 * popcount(men[3])


def taken(men: Men, point: int) -> Men:
    """With one man less on a point: subtracting 1 in binary, where a borrow runs on while it meets zeros."""
    bit = 1 << point
    ones = men[0] ^ bit
    bit &= ones
    twos = men[1] ^ bit
    bit &= twos
    fours = men[2] ^ bit
    bit &= fours
    return (ones, twos, fours, men[3] ^ bit)


def added(men: Men, point: int) -> Men:
    """With one man more on a point: adding 1 in binary, where a carry runs on while it meets ones."""
    bit = 1 << point
    ones = men[0] ^ bit
    bit &= men[0]
    twos = men[1] ^ bit
    bit &= men[1]
    fours = men[2] ^ bit
    bit &= men[2]
    return (ones, twos, fours, men[3] ^ bit)


def placed(men: Men, point: int, number: int) -> Men:
    """With `number` men more on a point."""
    for _ in range(number):
        men = added(men, point)
    return men


def mirrored(sets: int, points: int) -> int:
    """Two sets of points, the second 32 bits higher, as the other player numbers them. The bar has no place there.

    Each half is reversed by exchanging neighbours, pairs, fours, bytes and halves, and then moved to where it belongs.
    """
    word = sets & ((2 << points) - 2) * 0x100000001
    word = (word >> 1 & 0x5555555555555555) | (word & 0x5555555555555555) << 1
    word = (word >> 2 & 0x3333333333333333) | (word & 0x3333333333333333) << 2
    word = (word >> 4 & 0x0F0F0F0F0F0F0F0F) | (word & 0x0F0F0F0F0F0F0F0F) << 4
    word = (word >> 8 & 0x00FF00FF00FF00FF) | (word & 0x00FF00FF00FF00FF) << 8
    word = (word >> 16 & 0x0000FFFF0000FFFF) | (word & 0x0000FFFF0000FFFF) << 16
    return word >> (30 - points) & ((2 << points) - 2) * 0x100000001


def pips(men: Men) -> int:
    """How many points a player's men are away from home altogether."""
    total = 0
    for k in range(4):
        rest = men[k]
        point = 0
        while rest:
            total += (rest & 1) * point << k
            rest >>= 1
            point += 1
    return total
