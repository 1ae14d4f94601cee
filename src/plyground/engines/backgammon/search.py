"""How a play is chosen: what every play leads to, then what the other side's rolls and ours make of the best ones.

    0 plies    what the networks, or the bear-off tables, say of the position after a play
    1 ply      the mean over the other side's 21 rolls, each answered by the play that is best by 0 plies
    2 plies    the mean over those rolls and answers of what our own next roll is worth

Only plays that may still be best are looked at more closely: those not much worse than the best one (a move filter).
And the mean over the rolls is not worked out to its end if it is known to be too bad: first one good answer to each
roll is looked at (by pubeval), and since the best one is worth no less to the other side, their mean is a bound. As
more and more rolls are answered in full the bound becomes exact, or shows that the play need not be looked at. This is
Star2 (Ballard 1983).

All values are for the side to roll, in what `weights_of` counts: points for money, chances to win the match otherwise.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.rules import action_buffer
from plyground.engines.backgammon.bearoff import BOTH_SIDES, CUBELESS, at_home, bearoff_place, first_to_finish
from plyground.engines.backgammon.network import OUTPUTS, Net, Room, flip, forward, moving, note_inputs, race, settled
from plyground.engines.backgammon.pubeval import pubeval_play
from plyground.games.backgammon.board import Backgammon, Men, count_men, own_men
from plyground.games.backgammon.cube import awarded
from plyground.games.backgammon.moves import after_play, list_plays
from plyground.native.compiling import compiled

__all__ = ["FILTERS", "Known", "look_ahead", "rank_plays", "say_outputs", "value_of", "weights_of"]

ROLLS = np.array([[a, b] for a in range(1, 7) for b in range(1, a + 1)])
CHANCES = np.array([1 / 36 if a == b else 2 / 36 for a, b in ROLLS])
FILTERS = np.array([[8, 0.20], [4, 0.08]])
"""For 1 ply and for 2: how many plays at most are looked at so far, and by how much they may be worse than the best.
The unit is half of what a single game won is worth more than one lost."""


class Known(NamedTuple):
    """All that is known by heart: the networks, room to run them, the bear-off tables, and a count of positions."""

    net: Net
    room: Room
    chances: NDArray[np.float32]
    values: NDArray[np.float32]
    counted: NDArray[np.int64]


@compiled
def weights_of(state: Backgammon, player: int, weights: Any) -> None:
    """What each result is worth to a player: won singly, as a gammon, as a backgammon; then lost so."""
    sign = 1 if player == 0 else -1
    for kind in range(3):
        weights[kind] = sign * awarded(state, sign * state.cube * (kind + 1))
        weights[3 + kind] = sign * awarded(state, -sign * state.cube * (kind + 1))


@compiled
def value_of(out: Any, weights: Any) -> float:
    """What outputs are worth by such weights."""
    won, lost = weights[0], weights[3]
    value = out[0] * won + (1.0 - out[0]) * lost
    value += out[1] * (weights[1] - won) + out[2] * (weights[2] - weights[1])
    value += out[3] * (weights[4] - lost) + out[4] * (weights[5] - weights[4])
    return value  # type: ignore[no-any-return]


@compiled
def say_outputs(mine: Men, other: Men, known: Known) -> None:
    """The outputs for `mine`, who is to roll, in ``known.room.outputs``: by the rules, the tables or the networks."""
    out = known.room.outputs
    known.counted[0] += 1
    if settled(mine, other, out):
        return
    racing = race(mine, other)
    by_table = racing and at_home(mine) and at_home(other)
    if not by_table or count_men(mine) == 15 or count_men(other) == 15:
        forward(0 if racing else 1, note_inputs(mine, other, racing, known.room), known.net, known.room)
    else:
        out[:] = 0.0
    if by_table:
        one, two = bearoff_place(mine), bearoff_place(other)
        if max(one, two) < BOTH_SIDES:
            out[0] = (1.0 + known.values[CUBELESS, one, two]) / 2.0
        else:
            out[0] = first_to_finish(known.chances[one], known.chances[two])
        out[2], out[4] = 0.0, 0.0


@compiled
def after_best(state: Backgammon, known: Known, weights: Any) -> tuple[float, int]:
    """By 0 plies: what the best play of a roll is worth to whoever plays it, and which it is."""
    plays = action_buffer(state)
    count = list_plays(state, plays)
    best, chosen = -1e9, plays[0]
    for i in range(count):
        mine, other = after_play(state, plays[i])
        say_outputs(other, mine, known)
        value = -value_of(known.room.outputs, weights)
        if value > best:
            best, chosen = value, plays[i]
    return best, chosen


@compiled
def one_ply(start: Backgammon, mine: Men, other: Men, known: Known, own: Any, others: Any, enough: float) -> float:
    """What a position is worth to the side to roll, by a look at its 21 rolls.

    If the answer is at least `enough`, the value is at least the answer; otherwise it is the answer. `own` are the
    weights of the side to roll.
    """
    bounds = np.empty(len(ROLLS))
    total: float = 0.0
    plays = action_buffer(start)
    if enough < 1e8:
        for r in range(len(ROLLS)):
            state = moving(start, mine, other, ROLLS[r, 0] << 3 | ROLLS[r, 1])
            after, waits = after_play(state, pubeval_play(state, plays))
            say_outputs(waits, after, known)
            bounds[r] = -value_of(known.room.outputs, others)
            total += CHANCES[r] * bounds[r]
        if total >= enough:
            return total
    for r in range(len(ROLLS)):
        state = moving(start, mine, other, ROLLS[r, 0] << 3 | ROLLS[r, 1])
        best, _ = after_best(state, known, others)
        total += CHANCES[r] * (best - bounds[r] if enough < 1e8 else best)
        if total >= enough:
            return total
    return total


@compiled
def two_ply(start: Backgammon, mine: Men, other: Men, known: Known, own: Any, others: Any) -> float:
    """The same, with a look at the rolls of the other side too, after the play that is best by 0 plies."""
    total = 0.0
    for r in range(len(ROLLS)):
        state = moving(start, mine, other, ROLLS[r, 0] << 3 | ROLLS[r, 1])
        _, play = after_best(state, known, others)
        after, waits = after_play(state, play)
        if settled(waits, after, known.room.outputs):
            total -= CHANCES[r] * value_of(known.room.outputs, others)
        else:
            total -= CHANCES[r] * one_ply(start, waits, after, known, others, own, 1e9)
    return total


@compiled
def look_ahead(start: Backgammon, mine: Men, other: Men, known: Known, own: Any, others: Any, plies: int) -> float:
    """What a position is worth to the side to roll, by so many plies."""
    if plies == 0 or settled(mine, other, known.room.outputs):
        say_outputs(mine, other, known)
        return value_of(known.room.outputs, own)
    if plies == 1:
        return one_ply(start, mine, other, known, own, others, 1e9)
    return two_ply(start, mine, other, known, own, others)


@compiled
def rank_plays(state: Backgammon, known: Known, plies: int, filters: Any, ranked: Any, values: Any, depths: Any) -> int:
    """Write all plays, the best first, what each is worth, and by how many plies that is known; how many there are.

    `ranked`, `values` and `depths` are room for all plays. A value by fewer plies than the first is a bound.
    """
    count = list_plays(state, ranked)
    own, others = np.empty(6), np.empty(6)
    weights_of(state, state.turn, own)
    weights_of(state, 1 - state.turn, others)
    unit = (own[0] - own[3]) / 2.0
    for i in range(count):
        after, waits = after_play(state, ranked[i])
        say_outputs(waits, after, known)
        values[i] = -value_of(known.room.outputs, others)
        depths[i] = 0
    sort_plays(ranked, values, depths, count)
    if count == 1:
        return count
    for ply in range(1, plies + 1):
        room, margin = int(filters[ply - 1, 0]), filters[ply - 1, 1] * unit
        asked = 0
        while asked < min(count, room) and depths[asked] == ply - 1 and values[asked] >= values[0] - margin:
            asked += 1
        best = -1e9
        for i in range(asked):
            after, waits = after_play(state, ranked[i])
            if settled(waits, after, known.room.outputs):
                value = -value_of(known.room.outputs, others)
            elif ply == 1:
                # What is worse than the best by more than the next filter allows is not needed to the digit.
                enough = 1e9 if i == 0 else -(best - margin)
                value = -one_ply(state, waits, after, known, others, own, enough)
            else:
                value = -two_ply(state, waits, after, known, others, own)
            values[i], depths[i] = value, ply
            best = max(best, value)
        sort_plays(ranked, values, depths, asked)
        if asked == 1:
            break
    return count


@compiled
def sort_plays(ranked: Any, values: Any, depths: Any, count: int) -> None:
    """The best first."""
    for i in range(1, count):
        play, value, depth = ranked[i], values[i], depths[i]
        at = i
        while at > 0 and values[at - 1] < value:
            ranked[at], values[at], depths[at] = ranked[at - 1], values[at - 1], depths[at - 1]
            at -= 1
        ranked[at], values[at], depths[at] = play, value, depth


@compiled
def mean_outputs(start: Backgammon, mine: Men, other: Men, known: Known, own: Any, others: Any, mean: Any) -> None:
    """The outputs for the side to roll, by a look at its 21 rolls."""
    mean[:] = 0.0
    turned = np.empty(OUTPUTS, np.float32)
    for r in range(len(ROLLS)):
        state = moving(start, mine, other, ROLLS[r, 0] << 3 | ROLLS[r, 1])
        _, play = after_best(state, known, others)
        after, waits = after_play(state, play)
        say_outputs(waits, after, known)
        flip(known.room.outputs, turned)
        for k in range(OUTPUTS):
            mean[k] += CHANCES[r] * turned[k]


@compiled
def outputs_before(state: Backgammon, player: int, known: Known, mean: Any) -> None:
    """The outputs for a player who is to roll, by a look at the 21 rolls."""
    own, others = np.empty(6), np.empty(6)
    weights_of(state, player, own)
    weights_of(state, 1 - player, others)
    mean_outputs(state, own_men(state, player), own_men(state, 1 - player), known, own, others, mean)
