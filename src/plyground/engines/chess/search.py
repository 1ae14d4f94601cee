"""The search: principal variation search with a table, quiescence, and what cuts the tree down.

Values are centipawns for the side to move. From `FOUND` on they are mates: `MATE` less the plies from the root to it.
The value of a position is what the search returns if it lies inside the window, else a bound on that side (fail-soft).

What is left out can hide a mate but not invent one: moves of a side are left out only after one that does not lose by
force has been found, null moves and shallow guesses never return a mate. So a mate that is found is a mate.

T. A. Marsland and M. Campbell, "Parallel search of strongly ordered game trees", Computing Surveys 14, 1982 (null
windows); C. Donninger, "Null move and deep search", ICCA Journal 16, 1993; T. Anantharaman, M. Campbell and F. Hsu,
"Singular extensions: adding selectivity to brute-force searching", Artificial Intelligence 43, 1990; E. A. Heinz,
"Extended futility pruning", ICCA Journal 21, 1998.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.engines.chess.ending_tables import tables_at
from plyground.engines.chess.endings import code_in
from plyground.engines.chess.exchange import EXCHANGE_VALUES, exchange_reaches, kind_on
from plyground.engines.chess.judging import begin_evaluation, carry_evaluation, evaluate
from plyground.engines.chess.keys import key_after, key_of
from plyground.engines.chess.listing import list_noisy, list_quiet
from plyground.engines.chess.memory import DEEPEST, TRIED
from plyground.engines.chess.ordering import (
    BAD,
    BEFORE,
    GOOD,
    is_noisy,
    learn_capture,
    learn_quiet,
    next_place,
    order_noisy,
    order_quiet,
    piece_on_square,
    quiet_history,
    without_quiet,
)
from plyground.engines.chess.table import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    NO_MOVE,
    bound_of,
    depth_of,
    evaluation_of,
    find,
    move_of,
    place_of,
    store,
    value_of,
)
from plyground.games.chess.attacks import in_check
from plyground.games.chess.board import LAST_RANKS, PAST, Board, Chess, bit, dead_position, moved_onto, own_pieces
from plyground.games.chess.moves import EVERYWHERE, count_moves, limits, placed
from plyground.native.atomics import load_word, prefetch
from plyground.native.bits import mix64
from plyground.native.compiling import compiled
from plyground.search.indexed_retrograde import outcome_of, plies_of

__all__ = ["FOUND", "INFINITE", "MATE", "search", "search_root", "set_up"]

MATE = 30_000
FOUND = MATE - 1_000
INFINITE = 31_000
UNKNOWN = -INFINITE
"""The evaluation of a position in check, which is not asked for."""
DRAWN = 0


# The position and its past -------------------------------------------------------------------------------------------


@compiled
def board_of(state: Chess) -> Board:
    """A position without its past."""
    return Board(
        state.pawns, state.knights, state.bishops, state.rooks, state.queens, state.kings, state.white,
        state.castling, state.turn, state.passant, state.clock, state.shuffled,
    )  # fmt: skip


@compiled
def set_up(memory: Any, state: Chess) -> None:
    """Make this position the root: write its keys, and those of the positions before it that can come back."""
    memory.past = state.kept
    board = board_of(state)
    begin_evaluation(memory, board, 0)
    memory.key[state.kept] = key_of(memory, board)
    for ply in range(1, state.kept + 1):
        place = state.kept - ply
        move = state.past[place // 5] >> np.uint64(12 * (place % 5))
        start, end = bit(move >> np.uint64(6) & np.uint64(63)), bit(move & np.uint64(63))
        board = Board(
            board.pawns, moved_onto(board.knights, end, start), moved_onto(board.bishops, end, start),
            moved_onto(board.rooks, end, start), moved_onto(board.queens, end, start),
            moved_onto(board.kings, end, start), moved_onto(board.white, end, start), board.castling,
            1 - board.turn, -1, board.clock - 1, board.shuffled,
        )  # fmt: skip
        memory.key[place] = key_of(memory, board)


@compiled
def search_root(memory: Any, state: Chess, alpha: int, beta: int, depth: int) -> int:
    """The value of the position that has been set up, to a depth in plies; void once the thread has halted."""
    memory.root_depth = depth
    return search(memory, board_of(state), alpha, beta, depth, 0, False)


@compiled
def must_stop(memory: Any) -> bool:
    """Whether the search has to end; then it stays so."""
    if memory.nodes > memory.allowed or load_word(memory.signal):
        memory.halted = 1
    return bool(memory.halted)


@compiled
def step(memory: Any, before: Board, after: Board, ply: int) -> None:
    """Work out the row of the next ply."""
    at = memory.past + ply
    key = key_after(memory, memory.key[at], before, after)
    memory.key[at + 1] = key
    prefetch(place_of(memory, key))
    carry_evaluation(memory, before, after, ply)


@compiled
def repeated(memory: Any, board: Board, ply: int) -> bool:
    """Whether the position was there before: once below the root, or twice in the game before it.

    Who can repeat a position once can do so again, so that below the root once is enough.
    """
    at = memory.past + ply
    key = memory.key[at]
    before = 0
    for back in range(4, min(board.clock, at) + 1, 2):
        if memory.key[at - back] == key:
            if back < ply:
                return True
            before += 1
            if before == 2:
                return True
    return False


@compiled
def drawn(memory: Any, board: Board, ply: int) -> bool:
    """Whether the game is drawn here by its rules. A mate with the last of the hundred moves counts."""
    if board.clock >= 4 and repeated(memory, board, ply):
        return True
    if board.clock >= PAST:
        return not in_check(board) or count_moves(board) > 0
    return dead_position(board)


# Evaluation ----------------------------------------------------------------------------------------------------------


@compiled
def judged(memory: Any, board: Board, ply: int) -> int:
    """The evaluation of a position, with the error of a weak level."""
    value = evaluate(memory, board, ply)
    if memory.noise:
        drawn_number = np.int64(mix64(memory.key[memory.past + ply] ^ memory.noise_key) >> np.uint64(40))
        value += drawn_number % (2 * memory.noise + 1) - memory.noise
    return value


@compiled
def pawn_slot(board: Board) -> int:
    """Where is kept how wrong the evaluation was for these pawns."""
    return np.int64(  # type: ignore[return-value]
        mix64(board.pawns ^ mix64(board.pawns & board.white)) & np.uint64((1 << 14) - 1)
    )


@compiled
def corrected(memory: Any, board: Board, value: int) -> int:
    """An evaluation, changed by how wrong it was for these pawns."""
    if not memory.with_correction:
        return value
    return value + memory.correction[board.turn, pawn_slot(board)] // 256  # type: ignore[no-any-return]


@compiled
def learn_correction(memory: Any, board: Board, difference: int, depth: int) -> None:
    """The search has found this much more than the evaluation."""
    slot = pawn_slot(board)
    weight = min(16, depth + 1)
    old = int(memory.correction[board.turn, slot])
    new = (old * (256 - weight) + max(-256, min(256, difference)) * 256 * weight) // 256
    memory.correction[board.turn, slot] = max(-16_384, min(16_384, new))


# The table -----------------------------------------------------------------------------------------------------------


@compiled
def kept_value(value: int, ply: int) -> int:
    """A value as the table keeps it: mates count from the position."""
    return value + ply if value >= FOUND else value - ply if value <= -FOUND else value


@compiled
def found_value(value: int, ply: int, clock: int) -> int:
    """A value of the table as it counts from the root; a mate too far away for the fifty moves is only a good value."""
    if value >= FOUND:
        return FOUND - 1 if MATE - value > PAST - clock else value - ply
    if value <= -FOUND:
        return 1 - FOUND if MATE + value > PAST - clock else value + ply
    return value


# Endings -------------------------------------------------------------------------------------------------------------


@compiled
def known_ending(memory: Any, board: Board, ply: int) -> int:
    """The value of a position that tables know, `UNKNOWN` if none does. A mate too late for the fifty moves is none."""
    if not memory.with_endings or memory.noise:
        return UNKNOWN
    code = code_in(board, tables_at(memory.endings))
    if code < 0:
        return UNKNOWN
    outcome = outcome_of(code)
    if outcome == 0:
        return DRAWN
    value = MATE - plies_of(code)
    return found_value(value if outcome > 0 else -value, ply, board.clock)


# Quiescence ----------------------------------------------------------------------------------------------------------


@compiled
def quiesce(memory: Any, board: Board, alpha: int, beta: int, ply: int) -> int:
    """The value when only captures and promotions are looked at, and in check every move.

    Outside of check the side to move may always leave it at the evaluation.
    """
    memory.nodes += np.uint64(1)
    memory.line_length[ply] = 0
    if must_stop(memory):
        return 0
    memory.deepest = max(memory.deepest, ply)
    if drawn(memory, board, ply):
        return DRAWN
    ending = known_ending(memory, board, ply)
    if ending != UNKNOWN:
        return ending
    if not memory.with_quiescence:
        return judged(memory, board, ply)
    own, others = own_pieces(board)
    bounds = limits(board, own, others)
    checked = bounds[1] != EVERYWHERE
    if ply >= DEEPEST:
        return DRAWN if checked else judged(memory, board, ply)

    key = memory.key[memory.past + ply]
    data = find(memory, key) if memory.with_table else np.uint64(0)
    expected, evaluation = NO_MOVE, int(UNKNOWN)
    if data:
        value = found_value(value_of(data), ply, board.clock)
        bound = bound_of(data)
        if beta - alpha == 1 and (
            bound == EXACT or (bound == AT_LEAST and value >= beta) or (bound == AT_MOST and value <= alpha)
        ):
            return value
        expected, evaluation = move_of(data), evaluation_of(data)

    best, floor = -INFINITE, alpha
    if not checked:
        if evaluation == UNKNOWN:
            evaluation = judged(memory, board, ply)
        best = corrected(memory, board, evaluation)
        if best >= beta:
            if not data and memory.with_table:
                store(memory, key, 0, AT_LEAST, best, evaluation, NO_MOVE)
            return best
        floor = max(alpha, best)
    else:
        evaluation = int(UNKNOWN)

    count = list_noisy(board, bounds, memory.move[ply])
    order_noisy(memory, board, ply, count, expected)
    if checked:
        quiet = count
        count = list_quiet(board, bounds, memory.move[ply], count)
        order_quiet(memory, board, ply, quiet, count, expected)
        if count == 0:
            return ply - MATE
    best_move = NO_MOVE
    stand = best
    for place in range(count):
        order = next_place(memory, board, ply, place, count)
        action = int(memory.move[ply, place])
        if best > -FOUND:
            if order < GOOD // 2:
                break  # what is left loses material, or in check is quiet, where one escape is enough
            if not checked and memory.with_futility:
                end = action & 63
                gain = EXCHANGE_VALUES[kind_on(board, end)]
                hopeless = stand + gain + 200 <= alpha and not (
                    LAST_RANKS & bit(end) and board.pawns & bit(action >> 6)
                )
                if hopeless:
                    best = max(best, min(alpha, stand + gain + 200))
                    continue
        after = placed(board, action)
        step(memory, board, after, ply)
        memory.arrived[ply + 1 + BEFORE] = piece_on_square(board, action)
        value = -quiesce(memory, after, -beta, -floor, ply + 1)
        if memory.halted:
            return 0
        if value > best:
            best = value
            if value > floor:
                floor, best_move = value, action
                extend_line(memory, ply, action)
                if value >= beta:
                    break
    if memory.with_table:
        bound = AT_LEAST if best >= beta else AT_MOST
        store(memory, key, 0, bound, kept_value(best, ply), evaluation, best_move)
    return best


@compiled
def extend_line(memory: Any, ply: int, action: int) -> None:
    """The best line from here is this move and the best line after it."""
    length = memory.line_length[ply + 1]
    memory.line[ply, 0] = action
    for i in range(length):
        memory.line[ply, i + 1] = memory.line[ply + 1, i]
    memory.line_length[ply] = length + 1


# The search ----------------------------------------------------------------------------------------------------------


@compiled
def null_move(board: Board) -> Board:
    """The board if the side to move passes."""
    return Board(
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, board.white,
        board.castling, 1 - board.turn, -1, board.clock + 1, board.shuffled,
    )  # fmt: skip


@compiled
def left_out(memory: Any, action: int) -> bool:
    """Whether a move of the root is not to be looked at."""
    if memory.only != NO_MOVE:
        return memory.only != action  # type: ignore[no-any-return]
    found = False
    for i in range(memory.skipped):
        found = found or memory.skip[i] == action
    return found


@compiled
def learn_cut(
    memory: Any, board: Board, ply: int, action: int, noisy: bool, depth: int, quiet: int, takes: int
) -> None:
    """A move has cut after so many quiet ones and captures that did not."""
    bonus = min(1600, 160 * depth - 60)
    if noisy:
        learn_capture(memory, board, action, bonus)
    else:
        if memory.killer[ply, 0] != action:
            memory.killer[ply, 1] = memory.killer[ply, 0]
            memory.killer[ply, 0] = action
        learn_quiet(memory, board, ply, action, bonus)
        for i in range(quiet):
            learn_quiet(memory, board, ply, int(memory.tried[ply, i]), -bonus)
    for i in range(takes):
        learn_capture(memory, board, int(memory.tried_captures[ply, i]), -bonus)


@compiled
def search(memory: Any, board: Board, alpha: int, beta: int, depth: int, ply: int, cutting: bool) -> int:
    """The value of the position to a depth in plies; void once the thread has halted.

    `cutting` says that a cut is expected here. The move in `excluded` is left out, where there is one.
    """
    if depth <= 0:
        return quiesce(memory, board, alpha, beta, ply)
    memory.nodes += np.uint64(1)
    memory.line_length[ply] = 0
    if must_stop(memory):
        return 0
    memory.deepest = max(memory.deepest, ply)
    excluded = int(memory.excluded[ply])
    if ply > 0:
        if drawn(memory, board, ply):
            return DRAWN
        ending = known_ending(memory, board, ply)
        if ending != UNKNOWN:
            return ending
        alpha, beta = max(alpha, ply - MATE), min(beta, MATE - ply - 1)
        if alpha >= beta:
            return alpha
    window = beta - alpha > 1
    own, others = own_pieces(board)
    bounds = limits(board, own, others)
    checked = bounds[1] != EVERYWHERE
    if ply >= DEEPEST:
        return DRAWN if checked else judged(memory, board, ply)
    if checked and memory.with_check_extension and excluded == NO_MOVE and ply < 2 * memory.root_depth:
        depth += 1

    # What is known already.
    key = memory.key[memory.past + ply]
    data = find(memory, key) if memory.with_table else np.uint64(0)
    expected, known, known_depth, bound = int(NO_MOVE), 0, -1, 0
    evaluation = int(UNKNOWN)
    if data:
        known, known_depth, bound = found_value(value_of(data), ply, board.clock), depth_of(data), bound_of(data)
        expected, evaluation = move_of(data), evaluation_of(data)
        if (
            not window
            and excluded == NO_MOVE
            and ply > 0
            and known_depth >= depth
            and board.clock < 90
            and (bound == EXACT or (bound == AT_LEAST and known >= beta) or (bound == AT_MOST and known <= alpha))
        ):
            return known
    memory.killer[ply + 1, 0], memory.killer[ply + 1, 1] = NO_MOVE, NO_MOVE
    memory.cuts[ply + 2] = 0

    if checked:
        evaluation = int(UNKNOWN)
    elif evaluation == UNKNOWN:
        evaluation = judged(memory, board, ply)
    now = evaluation if checked else corrected(memory, board, evaluation)
    memory.evaluation[ply] = now
    improving = False
    if not checked:
        if ply >= 2 and memory.evaluation[ply - 2] != UNKNOWN:
            improving = now > memory.evaluation[ply - 2]
        elif ply >= 4 and memory.evaluation[ply - 4] != UNKNOWN:
            improving = now > memory.evaluation[ply - 4]
    likely = now
    if data and not checked and bound & (AT_LEAST if known > now else AT_MOST):
        likely = known  # a better guess than the evaluation

    if not window and not checked and excluded == NO_MOVE and abs(beta) < FOUND:
        # So far above or below the window that a look at the moves is not worth it.
        ahead = likely - 60 * (depth - (1 if improving else 0))
        if memory.with_reverse_futility and depth <= 8 and likely < FOUND and ahead >= beta:
            return (likely + beta) // 2
        if memory.with_razoring and depth <= 3 and likely + 120 + 160 * depth <= alpha:
            value = quiesce(memory, board, alpha, alpha + 1, ply)
            if value <= alpha or memory.halted:
                return value
        heavier = own & ~(board.pawns | board.kings)
        if (
            memory.with_null_move
            and depth >= 3
            and likely >= beta
            and now >= beta - 20 * depth + 150
            and heavier
            and ply >= memory.no_null_before
            and memory.arrived[ply + BEFORE] >= 0
        ):
            less = 3 + depth // 3 + min(3, (likely - beta) // 200)
            after = null_move(board)
            step(memory, board, after, ply)
            memory.arrived[ply + 1 + BEFORE] = -1
            value = -search(memory, after, -beta, 1 - beta, depth - less, ply + 1, not cutting)
            if memory.halted:
                return 0
            if value >= beta:
                value = min(value, FOUND - 1)
                if depth < 12 and heavier & (heavier - np.uint64(1)):
                    return value
                # Zugzwang is likelier here than a wrong answer is cheap.
                kept, memory.no_null_before = memory.no_null_before, ply + 3 * (depth - less) // 4 + 1
                sure = search(memory, board, beta - 1, beta, depth - less, ply, False)
                memory.no_null_before = kept
                if memory.halted:
                    return 0
                if sure >= beta:
                    return value

    unknown = memory.with_table and expected == NO_MOVE
    if memory.with_internal_reduction and unknown and depth >= 4 and (window or cutting):
        depth -= 1

    # Is the table's move better than all others?
    extension = 0
    if (
        memory.with_singular
        and ply > 0
        and depth >= 7
        and expected != NO_MOVE
        and excluded == NO_MOVE
        and known_depth >= depth - 3
        and bound & AT_LEAST  # or exact
        and abs(known) < FOUND
        and ply < 2 * memory.root_depth
    ):
        limit = known - 2 * depth
        memory.excluded[ply] = expected
        value = search(memory, board, limit - 1, limit, (depth - 1) // 2, ply, cutting)
        memory.excluded[ply] = NO_MOVE
        if memory.halted:
            return 0
        if value < limit:
            extension = 2 if not window and value < limit - 30 else 1
        elif limit >= beta:
            return max(limit, 1 - FOUND)  # several moves are good enough
        elif known >= beta:
            extension = -1
        memory.line_length[ply] = 0

    moves = memory.move[ply]
    count = list_noisy(board, bounds, moves)
    order_noisy(memory, board, ply, count, expected)
    # The table's move comes first, whatever it is.
    listed_all = expected != NO_MOVE and not is_noisy(board, others, expected)
    if listed_all:
        first = count
        count = list_quiet(board, bounds, moves, count)
        order_quiet(memory, board, ply, first, count, expected)
    best, best_move, floor = -INFINITE, NO_MOVE, alpha
    number, quiet, takes, place = 0, 0, 0, 0
    while True:
        order = int(BAD) * 2
        if place < count:
            order = next_place(memory, board, ply, place, count)
        if not listed_all and order < GOOD // 2:
            first = count
            count = list_quiet(board, bounds, moves, count)
            order_quiet(memory, board, ply, first, count, expected)
            listed_all = True
            continue
        if place >= count:
            break
        action = int(moves[place])
        place += 1
        if action == excluded or (ply == 0 and left_out(memory, action)):
            continue
        noisy = is_noisy(board, others, action)
        if (
            memory.with_late_moves
            and not noisy
            and ply > 0
            and best > -FOUND
            and depth <= 8
            and quiet >= (4 + depth * depth) // (1 if improving else 2)
        ):
            count = without_quiet(memory, ply, place, count)
            continue
        number += 1
        after = placed(board, action)
        checks = in_check(after)
        history = 0 if noisy else quiet_history(memory, board, ply, action)

        reduced = int(memory.reduction[min(63, depth), min(63, number)])
        if ply > 0 and best > -FOUND:
            shallow = max(0, depth - 1 - reduced)
            if noisy or checks:
                if (
                    memory.with_exchanges
                    and depth <= 7
                    and order < GOOD // 2
                    and not exchange_reaches(board, action, -90 * depth)
                ):
                    continue
            else:
                if memory.with_futility and not checked and shallow <= 7 and now + 90 + 75 * shallow <= alpha:
                    continue
                if memory.with_late_moves and depth <= 4 and history < -4000 * depth:
                    continue
                if (
                    memory.with_exchanges
                    and shallow <= 7
                    and not exchange_reaches(board, action, -25 * shallow * shallow)
                ):
                    continue

        if noisy:
            if takes < TRIED:
                memory.tried_captures[ply, takes] = action
                takes += 1
        elif quiet < TRIED:
            memory.tried[ply, quiet] = action
            quiet += 1

        step(memory, board, after, ply)
        memory.arrived[ply + 1 + BEFORE] = piece_on_square(board, action)
        next_depth = depth - 1 + (extension if action == expected else 0)
        if number == 1 or not memory.with_null_windows:
            value = -search(memory, after, -beta, -floor, next_depth, ply + 1, not window and not cutting)
        else:
            less = 0
            if memory.with_reductions and depth >= 3 and number > (3 if window else 2):
                if not noisy:
                    less = reduced - history // 8000
                    less += (0 if window else 1) + (1 if cutting else 0) - (2 if checks else 0)
                    less -= 1 if order >= GOOD // 8 else 0
                    less += 1 if memory.cuts[ply + 1] > 3 else 0
                    less += 0 if improving or checked else 1
                elif order < GOOD // 2:
                    less = reduced // 2
                less = max(0, min(less, next_depth - 1))
            value = -search(memory, after, -floor - 1, -floor, next_depth - less, ply + 1, True)
            if less > 0 and value > floor and not memory.halted:
                value = -search(memory, after, -floor - 1, -floor, next_depth, ply + 1, not cutting)
            if floor < value < beta and not memory.halted:
                value = -search(memory, after, -beta, -floor, next_depth, ply + 1, False)
        if memory.halted:
            return 0
        if value > best:
            best = value
            if value > floor:
                floor, best_move = value, action
                extend_line(memory, ply, action)
                if value >= beta:
                    memory.cuts[ply] += 1
                    # Those that were tried before it, without itself.
                    quiet -= 0 if noisy or quiet == TRIED else 1
                    takes -= 0 if not noisy or takes == TRIED else 1
                    learn_cut(memory, board, ply, action, noisy, depth, quiet, takes)
                    break

    if number == 0:
        if excluded != NO_MOVE:
            return alpha
        return ply - MATE if checked else DRAWN
    if excluded == NO_MOVE and not (ply == 0 and (memory.skipped > 0 or memory.only != NO_MOVE)):
        bound = AT_LEAST if best >= beta else EXACT if best > alpha else AT_MOST
        if memory.with_table:
            store(memory, key, depth, bound, kept_value(best, ply), evaluation, best_move)
        if (
            memory.with_correction
            and not checked
            and abs(best) < FOUND
            and (best_move == NO_MOVE or not is_noisy(board, others, best_move))
            and not (bound == AT_LEAST and best <= now)
            and not (bound == AT_MOST and best >= now)
        ):
            learn_correction(memory, board, best - now, depth)
    return best
