"""The fast rollout policy (AlphaGo 2016) for Reversi: a linear softmax over the legal moves, on local patterns.

The logit of a move is the sum of eleven weights. One is for its kind of square. Five are for what stands on each of the
four lines through the square and on the eight squares around it: a number in base 3, of nothing, a disc of the player
to move, a disc of the other one. Five are for what can be counted after the move: discs flipped, moves of the other
player, corners among them, moves that the mover would have, and the mover's discs next to empty squares. Symmetric
moves share their weights. The weights are learned from human games, see `alphago.rollout_fit`.

Weights are whole numbers of 1/32 and powers of e are looked up, so that a choice costs a few additions for each
legal move and is the same to the bit interpreted and compiled.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import read_arrays, write_arrays
from plyground.core.rules import action_buffer, actions
from plyground.games.lattice import symmetric_cell
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import MASK64, popcount
from plyground.native.compiling import compiled, inlined
from plyground.native.kinds import class_of
from plyground.native.overloads import native
from plyground.native.randomness import random_unit
from plyground.search.playout import learned_action

__all__ = [
    "FEATURES",
    "PACKAGED",
    "UNIT",
    "WEIGHTS",
    "RolloutPolicy",
    "load_rollout",
    "probabilities",
    "read_rollout",
    "rollout_policy",
    "rounded",
    "save_rollout",
    "stage_of",
    "write_features",
]

PACKAGED = Path(__file__).with_name("rollout.npz")
STAGES = 4
"""Quarters of the game, each with weights of its own for all patterns."""
UNIT = 32
"""A weight of this much multiplies the odds of a move by e."""
MOST = 127


# Patterns: the four lines through a square, and the ring around it --------------------------------------------------

_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
GROUPS = len(_DIRECTIONS) + 1


def _squares_of(square: int, group: int) -> list[int]:
    """The squares of a move's pattern, the move's own left out."""
    row, column = divmod(square, 8)
    if group < len(_DIRECTIONS):
        down, right = _DIRECTIONS[group]
        steps = [(step * down, step * right) for step in range(-7, 8) if step]
    else:
        steps = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if down or right]
    places = [(row + down, column + right) for down, right in steps]
    return [8 * r + c for r, c in places if 0 <= r < 8 and 0 <= c < 8]


_COLUMN, _SUM, _RING = 0x0102040810204080, 0x0101010101010101, 1 << 61 | 1 << 50 | 1 << 39
"""Products with these bring the squares of a column, of a diagonal, of three rows of three, side by side to the top."""


def _mask(squares: list[int]) -> int:
    return sum(1 << square for square in squares)


LINE_SHIFTS = np.array([[8 * (square // 8), square % 8, 0, 0] for square in range(64)], np.uint64)
LINE_MASKS = np.array(
    [[0xFF, _SUM, *(_mask([square, *_squares_of(square, group)]) for group in (2, 3))] for square in range(64)],
    np.uint64,
)
LINE_FACTORS = np.array([1 << 56, _COLUMN, _SUM, _SUM], np.uint64)
RING_MASKS = np.array([_mask(_squares_of(square, 4)) for square in range(64)], np.uint64)


def line_bits(word: Any, square: int, group: int) -> int:
    """The bits of the word on one of the four lines through a square, side by side: 8 bits."""
    line = int(word) >> int(LINE_SHIFTS[square, group]) & int(LINE_MASKS[square, group])
    return (line * int(LINE_FACTORS[group]) & MASK64) >> 56


def ring_bits(word: Any, square: int) -> int:
    """The bits of the word around a square, in three rows of three: 9 bits."""
    ring, turn = int(word) & int(RING_MASKS[square]), (int(square) - 9) % 64
    ring = (ring >> turn | ring << (64 - turn)) & MASK64
    return (ring * _RING & MASK64) >> 55


@native(line_bits)
def _line_bits(word: Any, square: Any, group: Any) -> Any:
    def impl(word, square, group):  # type: ignore[no-untyped-def]
        line = word >> LINE_SHIFTS[square, group] & LINE_MASKS[square, group]
        return np.int64(line * LINE_FACTORS[group] >> np.uint64(56))

    return impl


@native(ring_bits)
def _ring_bits(word: Any, square: Any) -> Any:
    factor = np.uint64(_RING)

    def impl(word, square):  # type: ignore[no-untyped-def]
        turn = np.uint64(square - 9) & np.uint64(63)
        ring = word & RING_MASKS[square]
        ring = ring >> turn | ring << (np.uint64(64) - turn & np.uint64(63))
        return np.int64(ring * factor >> np.uint64(55))

    return impl


def _image(square: int, index: int) -> int:
    return symmetric_cell(square, 8, 8, index)


class _Geometry(NamedTuple):
    starts: NDArray[np.int32]
    digits: NDArray[np.uint16]
    readings: NDArray[np.uint8]
    kinds: NDArray[np.uint8]
    canonical: NDArray[np.int32]


def _geometry() -> _Geometry:
    """Where each pattern's weights begin, how its bits become a number, and which contents are mirror images.

    A move and its pattern are looked at from the symmetry that makes them smallest; the squares in rising order are the
    digits. Where several symmetries do so, their contents share a weight.
    """
    starts = np.zeros((64, GROUPS), np.int32)
    readings = np.zeros((64, GROUPS), np.uint8)
    known: dict[Any, int] = {}
    ways: dict[tuple[int, ...], int] = {}
    canonical: list[NDArray[np.int32]] = []
    size = 0
    for square in range(64):
        for group in range(GROUPS):
            squares = _squares_of(square, group)
            views = []
            for index in range(8):
                order = sorted(squares, key=lambda other: _image(other, index))
                views.append((_image(square, index), tuple(_image(other, index) for other in order), order))
            key = min(view[:2] for view in views)
            orders = [view[2] for view in views if view[:2] == key]
            if key not in known:
                known[key] = size
                canonical.append(size + _least_images(orders))
                size += 3 ** len(squares)
            starts[square, group] = known[key]
            way = tuple(_bits(1 << other, square, group).bit_length() - 1 for other in orders[0])
            readings[square, group] = ways.setdefault(way, len(ways))
    digits = np.zeros((len(ways), 512), np.uint16)
    contents = np.arange(512)
    for way, number in ways.items():
        for place, bit in enumerate(way):
            digits[number] += (contents >> bit & 1).astype(np.uint16) * np.uint16(3**place)
    least = [min(_image(square, index) for index in range(8)) for square in range(64)]
    kinds = np.array([sorted(set(least)).index(square) for square in least], np.uint8)
    return _Geometry(starts, digits, readings, kinds, np.concatenate(canonical))


def _least_images(orders: list[list[int]]) -> NDArray[np.int32]:
    """For each content of a pattern the smallest of its mirror images, where its squares come in several orders."""
    contents = np.arange(3 ** len(orders[0]), dtype=np.int32)
    least = contents.copy()
    for order in orders[1:]:
        image = np.zeros_like(contents)
        for place, other in enumerate(orders[0]):
            image += contents // 3**place % 3 * 3 ** order.index(other)
        least = np.minimum(least, image)
    return least


def _bits(word: int, square: int, group: int) -> int:
    return ring_bits(word, square) if group == GROUPS - 1 else line_bits(word, square, group)


STARTS, DIGITS, READINGS, KINDS, CANONICAL = _geometry()
"""For each square and pattern: where its weights begin, and which row of `DIGITS` turns its bits into a number. The
kind of each square. For each content of each pattern the one that stands for it and for its mirror images."""
SQUARE_KINDS = int(KINDS.max()) + 1
PATTERNS = len(CANONICAL)
BIASES = 61 * SQUARE_KINDS
COUNTS, MOST_COUNTED, SPANS = 5, 31, 16
CORNERS = np.uint64(0x8100000000000081)
PLAIN = BIASES + SPANS * COUNTS * (MOST_COUNTED + 1)
WEIGHTS = PLAIN + STAGES * PATTERNS
"""How many weights there are: those of squares by empty squares, those of counts by spans of four empty squares, and
those of patterns by stage."""
FEATURES = 1 + COUNTS + GROUPS


@compiled
def stage_of(empties: int) -> int:
    """The quarter of the game in which a position with this many empty squares is."""
    return max(0, min(STAGES - 1, (60 - empties) * STAGES // 60))


@inlined
def bias_at(square: int, empties: int) -> int:
    """Which weight a move has for its kind of square."""
    return min(60, empties) * SQUARE_KINDS + int(KINDS[square])


@inlined
def line_at(own: Any, opponent: Any, square: int, group: int) -> int:
    """Which weight of a stage a move has for what stands on a line."""
    way, mine, theirs = READINGS[square, group], line_bits(own, square, group), line_bits(opponent, square, group)
    return int(STARTS[square, group]) + int(DIGITS[way, mine]) + 2 * int(DIGITS[way, theirs])


@inlined
def ring_at(own: Any, opponent: Any, square: int) -> int:
    """Which weight of a stage a move has for what stands around it."""
    way, mine, theirs = READINGS[square, 4], ring_bits(own, square), ring_bits(opponent, square)
    return int(STARTS[square, 4]) + int(DIGITS[way, mine]) + 2 * int(DIGITS[way, theirs])


@inlined
def counts_after(own: Any, opponent: Any, square: int) -> tuple[int, int, int, int, int]:
    """Discs flipped, the other player's moves then, corners among them, the mover's moves, and its open discs."""
    flipped = flips(own, opponent, square)
    mine, theirs = own | flipped | np.uint64(1) << np.uint64(square), opponent & ~flipped
    replies = moves(theirs, mine)
    empty = ~(mine | theirs)
    west, east = empty & np.uint64(0xFEFEFEFEFEFEFEFE), empty & np.uint64(0x7F7F7F7F7F7F7F7F)
    near = empty | west >> np.uint64(1) | east << np.uint64(1)
    near |= near << np.uint64(8) | near >> np.uint64(8)
    return (
        popcount(flipped),
        popcount(replies),
        popcount(replies & CORNERS),
        popcount(moves(mine, theirs)),
        popcount(near & mine),
    )


@inlined
def count_at(which: int, count: int, empties: int) -> int:
    """Which weight a move has for one of its counts."""
    return BIASES + (min(60, empties) // 4 * COUNTS + which) * (MOST_COUNTED + 1) + min(MOST_COUNTED, count)


@compiled
def write_features(own: Any, opponent: Any, square: int, empties: int, out: Any) -> None:
    """Write the places of a move's `FEATURES` weights; of mirrored contents the canonical one."""
    first = PLAIN + stage_of(empties) * PATTERNS
    counts = counts_after(own, opponent, square)
    out[0] = bias_at(square, empties)
    for which in range(COUNTS):
        out[1 + which] = count_at(which, counts[which], empties)
    for group in range(4):
        out[6 + group] = first + CANONICAL[line_at(own, opponent, square, group)]
    out[10] = first + CANONICAL[ring_at(own, opponent, square)]


# The policy ---------------------------------------------------------------------------------------------------------

LOWEST, HIGHEST = -14 * UNIT, 22 * UNIT
"""Logits beyond these count as these: so powers of e fit into 64 bits, and no legal move is impossible."""

RECORD = np.dtype(
    [
        ("weights", np.int8, (WEIGHTS,)),
        ("powers", np.int64, (HIGHEST - LOWEST + 1,)),  # of e, as multiples of 2^-20
    ],
    align=True,
)


class RolloutPolicy(NamedTuple):
    """The weights and the powers of e, as a record that compiled code is given by its address."""

    record: Any

    def choose(self, state: Any, actions: Any, count: int, rng: Any) -> int:
        """One of the `count` legal actions, drawn by the policy."""
        return rollout_action(state, actions, count, self.record, rng)


def rollout_policy(weights: NDArray[np.int8]) -> RolloutPolicy:
    """The policy of these `WEIGHTS` weights, in units of 1/32; of mirrored contents the canonical one counts."""
    array = np.zeros(1, RECORD)
    array["weights"][0, :PLAIN] = weights[:PLAIN]
    array["weights"][0, PLAIN:] = weights[PLAIN:].reshape(STAGES, PATTERNS)[:, CANONICAL].ravel()
    array["powers"][0] = np.round(2.0**20 * np.exp(np.arange(LOWEST, HIGHEST + 1) / UNIT))
    return RolloutPolicy(array[0])


@compiled
def odds(own: Any, opponent: Any, square: int, empties: int, stage: int, record: Any) -> int:
    """e to the power of a move's logit, in units of 2^-20."""
    weights = record["weights"]
    first = PLAIN + stage * PATTERNS
    flipped, replies, corners, moves_then, open_discs = counts_after(own, opponent, square)
    logit = int(weights[bias_at(square, empties)])
    logit += int(weights[count_at(0, flipped, empties)])
    logit += int(weights[count_at(1, replies, empties)])
    logit += int(weights[count_at(2, corners, empties)])
    logit += int(weights[count_at(3, moves_then, empties)])
    logit += int(weights[count_at(4, open_discs, empties)])
    logit += int(weights[first + line_at(own, opponent, square, 0)])
    logit += int(weights[first + line_at(own, opponent, square, 1)])
    logit += int(weights[first + line_at(own, opponent, square, 2)])
    logit += int(weights[first + line_at(own, opponent, square, 3)])
    logit += int(weights[first + ring_at(own, opponent, square)])
    return int(record["powers"][max(LOWEST, min(HIGHEST, logit)) - LOWEST])


@compiled
def rollout_action(state: Any, actions: Any, count: int, record: Any, rng: Any) -> int:
    """One of the `count` legal actions: each with the probability that the policy gives it."""
    if count == 1:
        return actions[0]  # type: ignore[no-any-return]
    own, opponent = state.own, state.opponent
    empties = 64 - popcount(own | opponent)
    stage = stage_of(empties)
    sums = action_buffer(state)
    whole = 0
    for i in range(count):
        whole += odds(own, opponent, actions[i], empties, stage, record)
        sums[i] = whole
    drawn, i = random_unit(rng) * whole, 0
    while i < count - 1 and sums[i] <= drawn:
        i += 1
    return actions[i]  # type: ignore[no-any-return]


@native(learned_action)
def _learned_action(state: Any, actions: Any, count: Any, policy: Any, rng: Any) -> Any:
    if class_of(policy) is RolloutPolicy:
        return lambda state, actions, count, policy, rng: rollout_action(state, actions, count, policy.record, rng)
    return None


def probabilities(state: Any, policy: RolloutPolicy) -> dict[int, float]:
    """The probability of each legal action."""
    options = actions(state)
    own, opponent = np.uint64(state.own), np.uint64(state.opponent)
    empties = 64 - popcount(own | opponent)
    stage = stage_of(empties)
    if len(options) < 2:
        return dict.fromkeys(options, 1.0)
    shares = [odds(own, opponent, action, empties, stage, policy.record) for action in options]
    return {action: share / sum(shares) for action, share in zip(options, shares, strict=True)}


# Files --------------------------------------------------------------------------------------------------------------


def rounded(weights: NDArray[np.float32]) -> NDArray[np.int8]:
    """Weights as they are kept: in whole numbers of 1/32, none beyond 127 of them."""
    return np.clip(np.round(weights * UNIT), -MOST, MOST).astype(np.int8)


def save_rollout(path: Path, weights: NDArray[np.float32]) -> None:
    """Write fitted weights, shape (WEIGHTS,)."""
    write_arrays(path, weights=rounded(weights))


def read_rollout(path: Path) -> NDArray[np.int8]:
    """The weights in a file, in units of 1/32."""
    hint = "`plyground train alphago rollout` writes one"
    return read_arrays(path, "rollout policy", {"weights": ("i1", (WEIGHTS,))}, hint=hint)["weights"]


@cache
def load_rollout(path: Path = PACKAGED) -> RolloutPolicy:
    """The policy in a file: the one of the package, or one that `plyground train alphago rollout` has fitted."""
    return rollout_policy(read_rollout(path))
