"""The networks that judge positions of backgammon: how likely each kind of win and loss is for whoever is to roll.

There are two networks, one for races, where no man can be hit any more, and one for all else. Each has a wide first
layer and a narrow second one. The inputs are almost all 0 or 1: for each side and point, how many men stand there, one
input a number, so that the first layer is a sum of some twenty rows. Some more tell what a sum cannot see, above all
how many of the 36 rolls hit.

The five outputs are the chances to win, to win a gammon at least, a backgammon, to lose a gammon at least, and to lose
a backgammon, as other programs have them.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.errors import FormatError
from plyground.games.backgammon.board import (
    MOVING,
    Backgammon,
    Men,
    all_points,
    count_men,
    men_on,
    mirrored,
    occupied,
    pips,
    several,
)
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled
from plyground.native.row_sums import fill_sum

__all__ = [
    "INPUTS", "NARROW", "OUTPUTS", "Net", "Room", "empty_net", "equity", "flip", "forward", "hitting_rolls", "judge",
    "load_net", "moving", "new_net", "new_room", "note_inputs", "race", "save_net", "settled",
]  # fmt: skip

Singles = NDArray[np.float32]

POINTS = 24
A_POINT, BAR_AT, OFF_AT, A_SIDE = 6, 144, 147, 162
"""Rows: of a point for 1 to 4 men, 5 or more, and for each beyond; of the bar for 1, 2, more; for 1 to 15 men off."""
SEEN_AT = 2 * A_SIDE
SEEN = 8
INPUTS = SEEN_AT + SEEN
NARROW = 32
OUTPUTS = 5
CLASSES = 2
"""The network of races, then that of all else."""
HALF_PIPS = 100.0


class Net(NamedTuple):
    """Both networks. Shapes: rows (2, inputs, wide), first (2, wide), second (2, wide, narrow), third (2, narrow), last
    (2, narrow, outputs), ends (2, outputs): the weights of the layers, each with its constants after it."""

    rows: Singles
    first: Singles
    second: Singles
    third: Singles
    last: Singles
    ends: Singles


class Room(NamedTuple):
    """What is computed on the way to a judgement: the layers, units and inputs that are not 0 with
    their values, and outputs."""

    wide: Singles
    active: NDArray[np.int64]
    lit: Singles
    narrow: Singles
    chosen: NDArray[np.int64]
    values: Singles
    outputs: Singles


def empty_net(wide: int) -> Net:
    """Networks of zeros."""
    shapes = ((INPUTS, wide), (wide,), (wide, NARROW), (NARROW,), (NARROW, OUTPUTS), (OUTPUTS,))
    return Net(*(np.zeros((CLASSES, *shape), np.float32) for shape in shapes))


def new_net(wide: int, seed: int) -> Net:
    """Networks that know nothing."""
    rng = np.random.default_rng(seed)
    net = empty_net(wide)
    net.rows[:] = rng.normal(0, 0.25, net.rows.shape)
    net.second[:] = rng.normal(0, (2 / wide) ** 0.5, net.second.shape)
    net.last[:] = rng.normal(0, 0.5 * (2 / NARROW) ** 0.5, net.last.shape)
    net.ends[:] = (0.0, -1.2, -4.0, -1.2, -4.0)
    return net


def new_room(wide: int) -> Room:
    return Room(
        np.zeros(wide, np.float32), np.zeros(wide + 1, np.int64), np.zeros(wide + 1, np.float32),
        np.zeros(NARROW, np.float32), np.zeros(96, np.int64), np.zeros(96, np.float32), np.zeros(OUTPUTS, np.float32),
    )  # fmt: skip


def race(mine: Men, other: Men) -> bool:
    """Whether no man can be hit any more."""
    if (occupied(mine) | occupied(other)) >> (POINTS + 1):
        return False
    theirs = mirrored(occupied(other), POINTS)
    return occupied(mine) < (theirs & -theirs)


def hitting_rolls(mine: Men, other: Men) -> int:
    """With how many of the 36 rolls a man of the other side can be hit, the other men's moves not looked at."""
    made = several(other)
    both = mirrored(made | (occupied(other) ^ made) << 32, POINTS)
    targets = both >> 32
    if targets == 0:
        return 0
    free = all_points(POINTS) & ~both | targets
    where = occupied(mine) & all_points(POINTS)
    waiting = men_on(mine, POINTS + 1)
    bar = 2 << POINTS
    found = 0
    for one in range(1, 7):
        for other_die in range(1, one + 1):
            weight = 1 if one == other_die else 2
            hit = 0
            if waiting == 0:
                by_one, by_other = where >> one, where >> other_die
                hit = (by_one | by_other) & targets
                if hit == 0:
                    hit = ((by_one & free) >> other_die | (by_other & free) >> one) & targets
                    if one == other_die and hit == 0:
                        twice = (by_one & free) >> one & free
                        hit = (twice >> one | (twice >> one & free) >> one) & targets
            else:
                enters_one, enters_other = bar >> one & free, bar >> other_die & free
                hit = (enters_one | enters_other) & targets
                if hit == 0 and waiting == 1:
                    if enters_one:
                        hit = (where | enters_one) >> other_die & targets
                    if enters_other:
                        hit |= (where | enters_other) >> one & targets
                    if one == other_die and hit == 0 and enters_one:
                        step = ((where | enters_one) >> one) & free
                        hit = (step >> one | (step >> one & free) >> one) & targets
            found += weight if hit else 0
    return found


def note_side(men: Men, at: int, chosen: Any, values: Any, count: int) -> int:
    """Add the inputs of one side; how many there are now."""
    rest = occupied(men) & all_points(POINTS)
    while rest:
        point = bit_index(rest)
        rest &= rest - 1
        number = men_on(men, point)
        base = at + A_POINT * (point - 1)
        chosen[count] = base + min(number, 5) - 1
        values[count] = 1.0
        count += 1
        if number > 5:
            chosen[count] = base + 5
            values[count] = number - 5
            count += 1
    waiting = men_on(men, POINTS + 1)
    if waiting:
        chosen[count] = at + BAR_AT + min(waiting, 3) - 1
        values[count] = 1.0
        count += 1
    gone = 15 - count_men(men)
    if gone > 0:
        chosen[count] = at + OFF_AT + gone - 1
        values[count] = 1.0
        count += 1
    return count


def note_inputs(mine: Men, other: Men, racing: bool, room: Room) -> int:
    """Write which inputs are not 0, and their values; how many."""
    chosen, values = room.chosen, room.values
    count = note_side(mine, 0, chosen, values, 0)
    count = note_side(other, A_SIDE, chosen, values, count)
    my_pips, their_pips = float(pips(mine)), float(pips(other))
    seen = count
    values[seen] = my_pips / HALF_PIPS
    values[seen + 1] = their_pips / HALF_PIPS
    values[seen + 2] = (their_pips - my_pips) / 30.0
    number = 3
    if not racing:
        mine_hit, other_hit = hitting_rolls(mine, other) / 36.0, hitting_rolls(other, mine) / 36.0
        home = 126
        values[seen + 3] = mine_hit
        values[seen + 4] = other_hit
        values[seen + 5] = mine_hit * popcount(several(mine) & home) / 3.0
        values[seen + 6] = other_hit * popcount(several(other) & home) / 3.0
        values[seen + 7] = (popcount(several(mine) & home) - popcount(several(other) & home)) / 3.0
        number = 8
    for k in range(number):
        chosen[count] = SEEN_AT + k
        count += 1
    return count


def forward(which: int, count: int, net: Net, room: Room) -> int:
    """Fill the layers and the outputs from the inputs; how many units of the wide layer are active."""
    wide, narrow = room.wide, room.narrow
    fill_sum(wide, net.first[which], net.rows[which], room.chosen, room.values, count)
    active = 0
    for k in range(len(wide)):
        x = wide[k]
        room.active[active] = k
        room.lit[active] = x
        active += 1 if x > 0.0 else 0
    fill_sum(narrow, net.third[which], net.second[which], room.active, room.lit, active)
    ends, last = net.ends[which], net.last[which]
    o0, o1, o2, o3, o4 = ends[0], ends[1], ends[2], ends[3], ends[4]
    for j in range(NARROW):
        if narrow[j] > 0.0:
            o0 += narrow[j] * last[j, 0]
            o1 += narrow[j] * last[j, 1]
            o2 += narrow[j] * last[j, 2]
            o3 += narrow[j] * last[j, 3]
            o4 += narrow[j] * last[j, 4]
    out = room.outputs
    out[0] = 1.0 / (1.0 + math.exp(-o0))
    out[1] = 1.0 / (1.0 + math.exp(-o1))
    out[2] = 1.0 / (1.0 + math.exp(-o2))
    out[3] = 1.0 / (1.0 + math.exp(-o3))
    out[4] = 1.0 / (1.0 + math.exp(-o4))
    return active


def flip(outputs: Any, into: Any) -> None:
    """The outputs as the other side has them."""
    into[0] = 1.0 - outputs[0]
    a, b = outputs[1], outputs[2]
    into[1], into[2] = outputs[3], outputs[4]
    into[3], into[4] = a, b


def moving(start: Backgammon, mine: Men, other: Men, roll: int) -> Backgammon:
    """The position of the one to play `roll`, as player 0, on the board of `start`."""
    return Backgammon(mine, other, 0, MOVING, roll, 1, -1, 0, start.scores, 0, start.points, start.men, start.faces)


@compiled
def settled(mine: Men, other: Men, out: Any) -> bool:
    """If the game is over: write the outputs for the side of `mine`, and say so."""
    if occupied(mine) and occupied(other):
        return False
    out[:] = 0.0
    won = not occupied(mine)
    loser = other if won else mine
    out[0] = 1.0 if won else 0.0
    if count_men(loser) == 15:
        out[1 if won else 3] = 1.0
        if occupied(loser) >> 19:
            out[2 if won else 4] = 1.0
    return True


@compiled
def judge(mine: Men, other: Men, net: Net, room: Room) -> float:
    """The outputs for `mine`, who is to roll, in ``room.outputs``; and what that is worth in points."""
    out = room.outputs
    if not settled(mine, other, out):
        racing = race(mine, other)
        forward(0 if racing else 1, note_inputs(mine, other, racing, room), net, room)
    return equity(out)


@compiled
def equity(out: Any) -> float:
    """What outputs are worth in points, without a cube."""
    return 2.0 * out[0] - 1.0 + out[1] + out[2] - out[3] - out[4]  # type: ignore[no-any-return]


def save_net(path: Path, net: Net, positions: int) -> None:
    """Write the networks in half precision, and from how many positions they learned."""
    write_arrays(path, positions=np.array(positions), **{k: v.astype(np.float16) for k, v in net._asdict().items()})


def load_net(path: Path) -> tuple[Net, int]:
    """The networks in a file, and the positions they learned from; `FormatError` if it is none."""
    known: Expected = {
        "positions": ("i8", ()),
        "rows": ("f2", (CLASSES, INPUTS, "wide")),
        "first": ("f2", (CLASSES, "wide")),
        "second": ("f2", (CLASSES, "wide", NARROW)),
        "third": ("f2", (CLASSES, NARROW)),
        "last": ("f2", (CLASSES, NARROW, OUTPUTS)),
        "ends": ("f2", (CLASSES, OUTPUTS)),
    }
    file = read_arrays(path, "network of backgammon", known, hint="`plyground train backgammon` makes one")
    net = Net(*(np.ascontiguousarray(file[name], np.float32) for name in Net._fields))
    if not all(np.isfinite(part).all() for part in net):
        raise FormatError(f"{path} is not a network of backgammon: a number in it is not finite")
    return net, int(file["positions"])
