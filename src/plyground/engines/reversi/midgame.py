"""Search with the evaluation: null windows, principal variations, the root.

A depth is in plies; a depth equal to the number of empty squares goes to the end of the game and its values are scores.
With a confidence less than certain, Multi-ProbCut leaves out what shallow searches refute.

Several threads may search the same position with one table. Each marks the moves that it is searching, and puts off
those that another is at: so they spread over the tree without speaking to each other (after J.-C. Weill, "The ABDADA
distributed minimax search algorithm", ICCA Journal 19, 1996).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.reversi.endgame import (
    CERTAIN,
    STABILITY_FROM,
    brute_force,
    must_stop,
    solve,
    stability_bound,
)
from plyground.engines.reversi.evaluation import UNIT, evaluate, plain_value, push_features, swap_features, whole_discs
from plyground.engines.reversi.last_plies import LOSS, WIN, WORST, bit, final_score, solve_four
from plyground.engines.reversi.ordering import HASH_MOVE, SQUARE_GROUPS, next_move, order_value
from plyground.engines.reversi.patterns import write_features
from plyground.engines.reversi.probcut import PROBE_DEPTHS, PROBE_FROM, deviation
from plyground.engines.reversi.squares import odd_quadrants
from plyground.engines.reversi.table import (
    NO_MOVE,
    confidence_of,
    depth_of,
    find,
    key_of,
    lower_of,
    move_of,
    store,
    upper_of,
)
from plyground.games.reversi.moves import flips, moves
from plyground.native.atomics import load_word, save_word
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

__all__ = ["BUSY_SLOTS", "EXACT_BELOW", "SHARE_FROM", "known_bounds", "known_move", "search_root"]

EXACT_BELOW = 12
"""With no more empty squares than this a search to the end needs no evaluation to order its moves."""
LEAVES = 2
"""Up to this depth neither the table nor an order by evaluation is worth its cost."""
SHARE_FROM = 8
"""From this depth on threads tell each other what they are searching."""
BUSY_SLOTS = 4096
LATER = -(1 << 40)
"""The order of a move that another thread is searching."""


@compiled
def last_ply(own: Any, opponent: Any, alpha: int, empties: int, memory: Any) -> int:
    """Depth one: the best evaluation after one move."""
    memory.nodes += np.uint64(1)
    legal = moves(own, opponent)
    if not legal:
        if not moves(opponent, own):
            return final_score(own, opponent)
        swap_features(empties, memory)
        return -last_ply(opponent, own, -alpha - 1, empties, memory)
    best = int(WORST)
    while legal:
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        flipped = flips(own, opponent, square)
        if flipped == opponent:
            return 64
        push_features(empties, square, flipped, memory)
        memory.nodes += np.uint64(1)
        best = max(best, -evaluate(-alpha - 1, -alpha, empties - 1, memory))
        if best > alpha:
            break
    return best


@compiled
def leaves(own: Any, opponent: Any, alpha: int, empties: int, depth: int, memory: Any) -> int:
    """A small depth, squares in the order of their general worth."""
    if depth == 1:
        return last_ply(own, opponent, alpha, empties, memory)
    memory.nodes += np.uint64(1)
    if must_stop(memory):
        return 0
    legal = moves(own, opponent)
    if not legal:
        if not moves(opponent, own):
            return final_score(own, opponent)
        swap_features(empties, memory)
        return -leaves(opponent, own, -alpha - 1, empties, depth, memory)
    best = int(WORST)
    for group in SQUARE_GROUPS:
        squares = legal & group
        while squares:
            square = bit_index(squares)
            squares &= squares - np.uint64(1)
            flipped = flips(own, opponent, square)
            if flipped == opponent:
                return 64
            push_features(empties, square, flipped, memory)
            score = -leaves(
                opponent & ~flipped, own | flipped | bit(square), -alpha - 1, empties - 1, depth - 1, memory
            )
            if score > best:
                best = score
                if best > alpha:
                    return best
    return best


@compiled
def glance(own: Any, opponent: Any, alpha: int, beta: int, empties: int, depth: int, memory: Any) -> int:
    """Plain fail-soft alpha-beta to a small depth, by the sum of weights alone: the search that orders moves."""
    memory.nodes += np.uint64(1)
    if depth == 0:
        return whole_discs(plain_value(empties, memory))
    legal = moves(own, opponent)
    if not legal:
        if not moves(opponent, own):
            return final_score(own, opponent)
        swap_features(empties, memory)
        return -glance(opponent, own, -beta, -alpha, empties, depth, memory)
    best = int(WORST)
    for group in SQUARE_GROUPS:
        squares = legal & group
        while squares:
            square = bit_index(squares)
            squares &= squares - np.uint64(1)
            flipped = flips(own, opponent, square)
            if flipped == opponent:
                return 64
            push_features(empties, square, flipped, memory)
            score = -glance(
                opponent & ~flipped,
                own | flipped | bit(square),
                -beta,
                -max(alpha, best),
                empties - 1,
                depth - 1,
                memory,
            )
            if score > best:
                best = score
                if best >= beta:
                    return best
    return best


@compiled
def ordering_depth(depth: int, empties: int) -> int:
    """How deep to look at each move before trying the first; -1 for not at all."""
    if depth == empties:
        return 0 if empties < 15 else min((empties - 14) // 3, 3)
    return (depth - 10) // 3 + 1 if depth >= 10 else 0 if depth > 3 else -1


@compiled
def busy_slot(key: Any, memory: Any) -> Any:
    """Where threads mark the move to the position with this key."""
    return memory.busy + (key & np.uint64(BUSY_SLOTS - 1)) * np.uint64(8)


@compiled
def search_null(own: Any, opponent: Any, alpha: int, empties: int, depth: int, memory: Any) -> int:
    """Whether the value is greater than alpha, as a bound."""
    if depth == empties:
        if empties <= EXACT_BELOW:
            return solve(own, opponent, alpha, empties, memory)
    elif depth <= LEAVES:
        if depth == 0:
            memory.nodes += np.uint64(1)
            return evaluate(alpha, alpha + 1, empties, memory)
        return leaves(own, opponent, alpha, empties, depth, memory)
    memory.nodes += np.uint64(1)
    if must_stop(memory):
        return 0
    if alpha >= STABILITY_FROM[empties]:
        bound = stability_bound(own, opponent, memory)
        if bound <= alpha:
            return bound
    confidence = memory.confidence
    key = key_of(own, opponent)
    data = find(memory, key)
    expected = int(NO_MOVE)
    if data:
        if depth_of(data) >= depth and confidence_of(data) >= confidence:
            if lower_of(data) > alpha:
                return lower_of(data)
            if upper_of(data) <= alpha:
                return upper_of(data)
        expected = move_of(data)
    legal = moves(own, opponent)
    if not legal:
        if not moves(opponent, own):
            return final_score(own, opponent)
        swap_features(empties, memory)
        return -search_null(opponent, own, -alpha - 1, empties, depth, memory)

    if confidence < CERTAIN and depth >= PROBE_FROM:
        shallow = PROBE_DEPTHS[depth]
        margin = int(memory.deviations * deviation(empties, depth, shallow) + 0.5)
        likely = int(memory.deviations * deviation(empties, depth, 0) + 0.5)
        now = whole_discs(plain_value(empties, memory))
        high, low = alpha + 1 + margin, alpha - margin
        if high <= 64 and now >= alpha + 1 - likely // 4:
            bound = search_null(own, opponent, high - 1, empties, shallow, memory)
            if bound >= high and not memory.halted:
                return alpha + 1
        if low >= -64 and now <= alpha + likely // 4:
            bound = search_null(own, opponent, low, empties, shallow, memory)
            if bound <= low and not memory.halted:
                return alpha
        if memory.halted:
            return 0

    odd = odd_quadrants(~(own | opponent))
    squares, flipped, order = memory.square[empties], memory.flipped[empties], memory.order[empties]
    glance_depth = ordering_depth(depth, empties)
    count = 0
    while legal:
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        turned = flips(own, opponent, square)
        if turned == opponent:
            return 64
        ours, theirs = own | turned | bit(square), opponent & ~turned
        if square == expected:
            value = int(HASH_MOVE)
        else:
            value = order_value(theirs, ours, square, odd)
            if glance_depth >= 0:
                push_features(empties, square, turned, memory)
                if glance_depth == 0:
                    memory.nodes += np.uint64(1)
                    value -= plain_value(empties - 1, memory)
                else:
                    seen = glance(theirs, ours, -alpha - 13, -alpha + 12, empties - 1, glance_depth, memory)
                    value -= seen * UNIT
        if depth >= SHARE_FROM:
            # Enhanced transposition cut: a reply that is known to be good enough saves the whole search.
            data = find(memory, key_of(theirs, ours))
            if data and depth_of(data) >= depth - 1 and confidence_of(data) >= confidence:
                if -upper_of(data) > alpha:
                    return -upper_of(data)
                if -lower_of(data) <= alpha:
                    value -= 3000  # refuted already: the others may succeed
        squares[count], flipped[count], order[count] = square, turned, value
        count += 1

    best, best_move = int(WORST), int(NO_MOVE)
    shared = memory.busy != np.uint64(0) and depth >= SHARE_FROM
    slot, mark = np.uint64(0), np.uint64(0)
    number = 0
    while number < count:
        next_move(empties, number, count, memory)
        square, turned = squares[number], flipped[number]
        ours, theirs = own | turned | bit(square), opponent & ~turned
        if shared:
            mark = key_of(theirs, ours)
            slot = busy_slot(mark, memory)
            if number > 0 and order[number] > LATER and load_word(slot) == mark:
                order[number] = LATER
                continue
            save_word(slot, mark)
        if depth != empties or empties - 1 > EXACT_BELOW:
            push_features(empties, square, turned, memory)
        score = -search_null(theirs, ours, -alpha - 1, empties - 1, depth - 1, memory)
        if shared and load_word(slot) == mark:
            save_word(slot, np.uint64(0))
        if memory.halted:
            return 0
        number += 1
        if score > best:
            best, best_move = score, square
            if best > alpha:
                break
        if shared:
            # Another thread may have settled this position meanwhile.
            data = find(memory, key)
            if data and depth_of(data) >= depth and confidence_of(data) >= confidence:
                if lower_of(data) > alpha:
                    return lower_of(data)
                if upper_of(data) <= alpha:
                    return upper_of(data)
    if best > alpha:
        store(memory, key, depth, confidence, best, int(WIN), best_move)
    else:
        store(memory, key, depth, confidence, int(LOSS), best, best_move)
    return best


@compiled
def solve_window(own: Any, opponent: Any, alpha: int, beta: int, empties: int, memory: Any) -> int:
    """The score of an endgame within a window, by null windows alone: each answer is the next question."""
    if empties < 4:
        return brute_force(own, opponent, memory)
    lower, upper, question = int(LOSS), int(WIN), alpha
    while lower < upper and lower < beta and upper > alpha:
        if empties == 4:
            answer = solve_four(own, opponent, question, memory)
        else:
            answer = solve(own, opponent, question, empties, memory)
        if memory.halted:
            return 0
        if answer > question:
            lower = question = answer
        else:
            upper = answer
            question = upper - 1
        question = max(question, lower)
    return lower if lower >= beta or lower == upper else upper


@compiled
def search_window(own: Any, opponent: Any, alpha: int, beta: int, empties: int, depth: int, memory: Any) -> int:
    """Principal variation search: the value if it is inside the window, else a bound. The table gets the best move."""
    if depth == empties and empties <= EXACT_BELOW:
        return solve_window(own, opponent, alpha, beta, empties, memory)
    memory.nodes += np.uint64(1)
    if depth == 0:
        return evaluate(alpha, beta, empties, memory)
    if must_stop(memory):
        return 0
    legal = moves(own, opponent)
    if not legal:
        if not moves(opponent, own):
            return final_score(own, opponent)
        swap_features(empties, memory)
        return -search_window(opponent, own, -beta, -alpha, empties, depth, memory)
    key = key_of(own, opponent)
    data = find(memory, key)
    expected = move_of(data) if data else int(NO_MOVE)
    odd = odd_quadrants(~(own | opponent))
    squares, flipped, order = memory.square[empties], memory.flipped[empties], memory.order[empties]
    count = 0
    while legal:
        square = bit_index(legal)
        legal &= legal - np.uint64(1)
        turned = flips(own, opponent, square)
        ours, theirs = own | turned | bit(square), opponent & ~turned
        if square == expected:
            value = int(HASH_MOVE)
        else:
            value = order_value(theirs, ours, square, odd)
            push_features(empties, square, turned, memory)
            glance_depth = min(3, depth // 4)
            value -= glance(theirs, ours, int(LOSS), int(WIN), empties - 1, glance_depth, memory) * UNIT
        squares[count], flipped[count], order[count] = square, turned, value
        count += 1
    best, best_move = int(WORST), int(NO_MOVE)
    for number in range(count):
        next_move(empties, number, count, memory)
        square, turned = squares[number], flipped[number]
        ours, theirs = own | turned | bit(square), opponent & ~turned
        floor = max(alpha, best)
        push_features(empties, square, turned, memory)
        if number == 0:
            score = -search_window(theirs, ours, -beta, -floor, empties - 1, depth - 1, memory)
        else:
            score = -search_null(theirs, ours, -floor - 1, empties - 1, depth - 1, memory)
            if not memory.halted and floor < score < beta:
                push_features(empties, square, turned, memory)
                score = -search_window(theirs, ours, -beta, -floor, empties - 1, depth - 1, memory)
        if memory.halted:
            return 0
        if score > best:
            best, best_move = score, square
            if best >= beta:
                break
    lower = best if best > alpha else int(LOSS)
    upper = best if best < beta else int(WIN)
    store(memory, key, depth, memory.confidence, lower, upper, best_move)
    return best


@compiled
def search_root(own: Any, opponent: Any, alpha: int, beta: int, depth: int, memory: Any) -> int:
    """The value of a position that is not over, if it is inside the window, else a bound; void if `memory.halted`."""
    own, opponent = np.uint64(own), np.uint64(opponent)
    empties = 64 - popcount(own | opponent)
    write_features(own, opponent, memory.features[empties])
    return search_window(own, opponent, alpha, beta, empties, min(depth, empties), memory)


@compiled
def known_move(own: Any, opponent: Any, memory: Any) -> int:
    """The best move that the table knows in a position, or `NO_MOVE`."""
    data = find(memory, key_of(own, opponent))
    return move_of(data) if data else int(NO_MOVE)


@compiled
def known_bounds(own: Any, opponent: Any, memory: Any) -> tuple[int, int]:
    """The bounds that the table holds proven of the score of a position."""
    data = find(memory, key_of(own, opponent))
    if data and depth_of(data) >= 64 - popcount(own | opponent) and confidence_of(data) == CERTAIN:
        return lower_of(data), upper_of(data)
    return int(LOSS), int(WIN)
