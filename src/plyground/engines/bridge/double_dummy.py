"""The double-dummy solver: how many tricks the declarer wins if all four hands lie open and all play their best.

Alpha-beta over the cards, with two savings. Cards of one hand between which no other hand has a card are equal, and
one of them is tried. And what is known of a position between tricks, a lower and an upper bound on the tricks still
to win, is kept in a table: it does not depend on what was played before. Chang, "Building a Fast Double-Dummy Bridge
Solver", 1996.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.rules import actions, result
from plyground.errors import BadOption
from plyground.games.minibridge import NONE, MiniBridge, trick_winner
from plyground.native.bits import mix64
from plyground.native.compiling import compiled
from plyground.search.pimc import open_value

__all__ = ["double_dummy", "double_dummy_values"]

TABLE_BITS = 14
DECK = 40
winner_of = compiled(trick_winner)


@compiled
def tricks_to_come(
    hands: Any,
    trick: Any,
    leader: int,
    placed: int,
    low: int,
    high: int,
    ranks: int,
    trump: int,
    keys: Any,
    bounds: Any,
) -> Any:
    """How many tricks the declarer wins from here on, the one on the table included.

    Exact if it lies strictly between `low` and `high`; a value of at most `low` is an upper bound, one of at least
    `high` a lower bound. `hands` and `trick` are changed and restored; `placed` cards lie on the table.
    """
    seat = (leader + placed) % 4
    mine = hands[seat]
    left = mine.bit_count()
    if placed == 0:
        if left == 0:
            return 0
        if left <= low:
            return left
        if high <= 0:
            return 0
    floor, ceiling, word = 0, left, np.uint64(0)
    entry = np.int64(0)
    if placed == 0:
        word = mix64(np.uint64(hands[0]))
        for i in range(1, 4):
            word = mix64(word ^ np.uint64(hands[i]) + np.uint64(i))
        word = mix64(word ^ np.uint64(leader + 1))
        entry = np.int64(word & np.uint64(len(keys) - 1))
        if keys[entry] == word:
            floor, ceiling = bounds[entry] & 63, bounds[entry] >> 6
            if floor == ceiling or floor >= high:
                return floor
            if ceiling <= low:
                return ceiling
    options, first_low, first_high = mine, low, high
    if placed:
        suit = ((1 << ranks) - 1) << (trick[leader] // ranks * ranks)
        if mine & suit:
            options = mine & suit
    others = 0
    for i in range(4):
        others |= hands[i] if i != seat else 0
        if placed and trick[i] >= 0 and (i - leader) % 4 < placed:
            others |= 1 << trick[i]
    t0, t1, t2, t3 = trick[0], trick[1], trick[2], trick[3]
    declares = seat % 2 == 0
    best = -1 if declares else 64
    last = NONE
    for card in range(DECK - 1, -1, -1):
        if not options >> card & 1:
            continue
        if last != NONE and last // ranks == card // ranks:
            between = ((1 << last) - 1) & ~((2 << card) - 1)
            if not others & between:
                last = card
                continue  # as good as the one before
        last = card
        hands[seat] = mine & ~(1 << card)
        trick[seat] = card
        if placed < 3:
            value = tricks_to_come(hands, trick, leader, placed + 1, low, high, ranks, trump, keys, bounds)
        else:
            winner = winner_of(trick, leader, ranks, trump)
            won = 1 - winner % 2
            # A literal 0, or 64 below, would be a type of its own, and what recurs with two types is not kept on disk.
            value = won + tricks_to_come(
                hands, trick, winner, placed - 3, low - won, high - won, ranks, trump, keys, bounds
            )
        hands[seat] = mine
        trick[0], trick[1], trick[2], trick[3] = t0, t1, t2, t3
        if declares:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    if placed == 0:
        if best < first_high:
            ceiling = min(ceiling, best)
        if best > first_low:
            floor = max(floor, best)
        keys[entry] = word
        bounds[entry] = floor | ceiling << 6
    return best


@compiled
def declarer_tricks(state: MiniBridge) -> int:
    """The tricks that the declarer has in the end, all hands being open."""
    hands, trick = np.zeros(4, np.int64), np.zeros(4, np.int64)
    for seat in range(4):
        hands[seat], trick[seat] = state.hands[seat], state.trick[seat]
    keys, bounds = np.zeros(1 << TABLE_BITS, np.uint64), np.zeros(1 << TABLE_BITS, np.int64)
    placed, most = state.played % 4, state.size + 1
    return state.tricks + tricks_to_come(  # type: ignore[no-any-return]
        hands, trick, state.leader, placed, -most, most, state.ranks, state.trump, keys, bounds
    )


@open_value.rule(MiniBridge)
def _(state: MiniBridge, player: int) -> float:
    tricks = declarer_tricks(state)
    value = (2.0 * tricks - state.size) / state.size
    if state.goal:
        value = 1.0 if tricks >= state.goal else -1.0
    return value if player == 0 else -value


def double_dummy(state: MiniBridge) -> int:
    """The tricks that the declarer wins of all, if everybody sees all cards; those won already included."""
    if state.undealt or state.veiled:
        raise BadOption("all four hands must be dealt and seen to be solved double-dummy")
    return int(declarer_tricks(state))


def double_dummy_values(state: MiniBridge) -> dict[int, int]:
    """The same after each card that may be played now."""
    if state.undealt or state.veiled:
        raise BadOption("all four hands must be dealt and seen to be solved double-dummy")
    return {card: int(declarer_tricks(result(state, card))) for card in actions(state)}
