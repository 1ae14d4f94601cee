"""Move ordering: the sooner the best move is searched, the more alpha-beta can cut.

The orders can be combined. *Previous*: the best move that the table remembers from an earlier, shallower search, and at
the root the backed-up values of the last iteration. *Killers* (Akl and Newborn 1977): moves that made a cut at
the same depth in a sibling. *Evaluation*: what the evaluation says of the position after the move. *History*
(Schaeffer 1983): moves that have made cuts anywhere, weighted by the size of the tree they cut.
"""

from __future__ import annotations

from typing import Any

from plyground.core.rules import result, terminal, to_move, utility
from plyground.native.compiling import compiled, inlined
from plyground.search.evaluations import leaf_evaluation
from plyground.search.transpositions import find_entry, position_key

__all__ = ["HISTORY_ACTIONS", "KILLER_PLIES", "next_best", "note_cut", "rank_moves"]

HISTORY_ACTIONS = 4096
"""Actions that are equal modulo this number share their history."""
KILLER_PLIES = 256
FIRST, KNOWN = 1 << 61, 1 << 45
EVALUATION, KILLER, MOST_HISTORY = 1 << 28, 1 << 22, 1 << 21
"""How much each order counts at most. A difference in the evaluation of 1/64 of the range of utilities outweighs a
killer: where there is an evaluation to go by, killers and history only decide between moves that look much the same."""


@compiled
def rank_moves(
    state: Any,
    options: Any,
    count: int,
    scores: Any,
    first: int,
    alpha: float,
    beta: float,
    player: int,
    depth: int,
    ply: int,
    memory: Any,
    scale: Any,
    variant: Any,
) -> None:
    """Write how promising each action looks into `scores`. `first` is the remembered best action, or -1."""
    mover = to_move(state)
    numbers = memory.numbers[0]
    low, extent = numbers["low"], numbers["high"] - numbers["low"]
    for i in range(count):
        action = options[i]
        score = 0
        if variant.previous and variant.table and depth > 1 and action != first:
            place = find_entry(memory.table, position_key(result(state, action), numbers["salt"]))
            if place >= 0:
                # What an earlier search said of the position after it: promising, or refuted.
                value = memory.table[place]["value"]
                share = (value - low) / extent
                if mover == player:
                    score = int((min(1.0, max(0.0, share))) * KNOWN) + (KNOWN if value > alpha else -2 * KNOWN)
                else:
                    score = int((1.0 - min(1.0, max(0.0, share))) * KNOWN) + (KNOWN if value < beta else -2 * KNOWN)
        if variant.previous and action == first:
            score += FIRST
        elif (
            variant.killers
            and ply < KILLER_PLIES
            and (memory.killers[ply, 0] == action + 1 or memory.killers[ply, 1] == action + 1)
        ):
            score += KILLER
        if variant.by_evaluation:
            after = result(state, action)
            if terminal(after):
                guess = scale.of(float(utility(after, mover)))
            else:
                own = to_move(after) == mover
                guess = leaf_evaluation(after, variant) if own else -leaf_evaluation(after, variant)
            share = (guess - low) / extent
            score += int(min(1.0, max(0.0, share)) * EVALUATION)
        if variant.history:
            score += memory.history[mover, action % HISTORY_ACTIONS]
        scores[i] = score


@inlined
def next_best(options: Any, scores: Any, i: int, count: int) -> None:
    """Bring the most promising of the actions from the i-th on to the i-th place, the others keeping their order."""
    best = i
    for j in range(i + 1, count):
        if scores[j] > scores[best]:
            best = j
    action, score = options[best], scores[best]
    for j in range(best, i, -1):
        options[j], scores[j] = options[j - 1], scores[j - 1]
    options[i], scores[i] = action, score


@compiled
def note_cut(action: int, mover: int, ply: int, depth: int, memory: Any, variant: Any) -> None:
    """Remember an action that made a cut."""
    if variant.killers and ply < KILLER_PLIES and memory.killers[ply, 0] != action + 1:
        memory.killers[ply, 1] = memory.killers[ply, 0]
        memory.killers[ply, 0] = action + 1  # 0 is none
    if variant.history:
        place = action % HISTORY_ACTIONS
        memory.history[mover, place] += depth * depth
        if memory.history[mover, place] > MOST_HISTORY:
            for side in range(2):  # loops, because slices take longer to compile than all the rest
                for i in range(HISTORY_ACTIONS):
                    memory.history[side, i] //= 2
