"""The search against plain minimax, exchanges against a search of them, and the rules of draws inside the tree."""

from __future__ import annotations

import random

import numpy as np
import pytest

import chess
from plyground import Limit, actions, result
from plyground.core.rules import action_code
from plyground.engines.chess.ending_tables import BUNDLED, bundled_tables
from plyground.engines.chess.engine import Engine
from plyground.engines.chess.exchange import EXCHANGE_VALUES, exchange_reaches
from plyground.engines.chess.memory import Memory
from plyground.engines.chess.search import FOUND, INFINITE, MATE, board_of, search_root, set_up
from plyground.engines.chess.table import EXACT, Table, store
from plyground.engines.chess.techniques import ALL, NONE
from plyground.games.chess import chess as chess_game
from plyground.games.chess import fen
from plyground.games.chess.attacks import in_check
from plyground.native.compiling import interpreted

FENS = (
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/5Q2/8/8/8/8/1r6/K7 b - - 0 1",
    "8/P1k5/8/8/8/3b4/4K1p1/8 w - - 0 1",
    "r3k3/8/8/3pP3/8/8/8/4K2R w Kq d6 0 1",
)
SOUND = NONE._replace(table=True, null_windows=True, aspiration=True, killers=True, history=True, continuation=True)
"""What changes the order of the tree, and how much of it is looked at, but not its value."""


def state_of(code: str):
    return chess_game(code).initial


@pytest.fixture(scope="module")
def memory():
    return Memory(Table(1 << 20), np.zeros(16, np.int64))


def value(memory, state, depth: int, techniques=NONE) -> int:
    memory.begin(0, None)
    memory.use(techniques)
    set_up(memory.record, state)
    return int(search_root(memory.record, state, -INFINITE, INFINITE, depth))


def minimax(memory, state, depth: int, ply: int = 0) -> int:
    """The value by definition: the best of what is left to the other side, by the rules of the game alone."""
    if depth == 0:
        return value(memory, state, 0)
    options = actions(state)
    if not options:
        return ply - MATE if chess.Board(fen(state)).is_checkmate() else 0
    return max(-minimax(memory, result(state, action), depth - 1, ply + 1) for action in options)


@pytest.mark.parametrize("code", FENS)
def test_the_search_is_minimax_when_nothing_is_left_out(memory, code):
    state = state_of(code)
    expected = minimax(memory, state, 2)
    assert value(memory, state, 2) == expected
    assert value(memory, state, 2, SOUND) == expected


@pytest.mark.parametrize("name", ["table", "null_windows", "killers", "history", "continuation"])
def test_an_order_and_a_table_do_not_change_values(memory, name):
    memory.forget()
    state = state_of("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10")
    assert value(memory, state, 3, NONE._replace(**{name: True})) == value(memory, state, 3)


def test_the_same_search_looks_at_the_same_positions():
    # A signature: whoever changes the search or the evaluation on purpose writes the new number here.
    engine = Engine(table=1 << 22)
    total = 0
    for code in FENS:
        engine.clear()
        total += engine.search(state_of(code), Limit(depth=8)).nodes
    assert total == SIGNATURE


SIGNATURE = 23_143


# Exchanges -----------------------------------------------------------------------------------------------------------


def best_exchange(board: chess.Board, square: int, taken_value: int) -> int:
    """What the side to move wins by taking on a square, if it may stop: every order of takers is tried."""
    best = 0
    for taker in board.attackers(board.turn, square):
        kind = board.piece_type_at(taker)
        after = board.copy(stack=False)
        after.set_piece_at(square, after.remove_piece_at(taker))
        if kind == chess.KING and after.attackers(not board.turn, square):
            continue
        after.turn = not board.turn
        gain = taken_value - best_exchange(after, square, EXCHANGE_VALUES[kind - 1])
        best = max(best, gain)
    return best


def test_exchanges_are_worth_what_a_search_of_them_finds():
    rng = random.Random(20261118)
    tried = 0
    while tried < 300:
        state, board = chess_game().initial, chess.Board()
        for _ in range(rng.randrange(10, 90)):
            options = actions(state)
            if not options:
                break
            action = options[rng.randrange(len(options))]
            board.push_uci(action_code(state, action))
            state = result(state, action)
        takes = [
            action
            for action in actions(state)
            if board.is_capture(move := chess.Move.from_uci(action_code(state, action)))
            and not board.is_en_passant(move)
            and not move.promotion
            and board.piece_type_at(move.from_square) != chess.KING
        ]
        for action in takes[:3]:
            move = chess.Move.from_uci(action_code(state, action))
            victim, kind = board.piece_type_at(move.to_square), board.piece_type_at(move.from_square)
            after = board.copy(stack=False)
            after.set_piece_at(move.to_square, after.remove_piece_at(move.from_square))
            after.turn = not board.turn
            worth = EXCHANGE_VALUES[victim - 1] - best_exchange(after, move.to_square, EXCHANGE_VALUES[kind - 1])
            with interpreted():
                plain = board_of(state)
            assert exchange_reaches(plain, action, worth), (board.fen(), move, worth)
            assert not exchange_reaches(plain, action, worth + 1), (board.fen(), move, worth)
            tried += 1


# Draws and mates inside the tree -------------------------------------------------------------------------------------


def test_a_perpetual_check_is_a_draw():
    # A queen and a rook behind, White checks on e8 and h5 for ever.
    state = state_of("6k1/6p1/8/8/8/8/qr6/4Q2K w - - 0 1")
    report = Engine(table=1 << 20).search(state, Limit(depth=10))
    assert report.centipawns == 0


def test_what_has_been_there_twice_before_is_a_draw_at_the_next_move(memory):
    state = chess_game().initial
    for code in ("g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1"):
        state = result(state, next(action for action in actions(state) if action_code(state, action) == code))
    back = next(action for action in actions(state) if action_code(state, action) == "f6g8")
    reports = {report.move: report for report in Engine(table=1 << 20).score_moves(state, Limit(depth=2), every=True)}
    assert reports[back].centipawns == 0
    assert any(report.centipawns != 0 for report in reports.values())


@pytest.mark.parametrize(
    ("clock", "mate"), [(98, 1), (99, 1)], ids=["a move to spare", "with the last of the hundred moves"]
)
def test_a_mate_comes_before_the_fifty_moves(clock, mate):
    state = state_of(f"8/8/8/8/8/1k6/7r/K7 b - - {clock} 80")
    assert Engine(table=1 << 20).search(state, Limit(depth=4)).mate == mate


def test_a_mate_that_comes_too_late_for_the_fifty_moves_is_a_draw():
    report = Engine(table=1 << 20).search(state_of("8/8/8/8/8/2k5/1r6/K7 b - - 99 80"), Limit(depth=8))
    assert report.centipawns == 0


def test_a_foreign_move_in_the_table_is_not_played():
    engine = Engine(table=1 << 20)
    state = state_of(FENS[0])
    memory = engine._memories[0]
    memory.begin(1, None)
    set_up(memory.record, state)
    key = memory.record["key"][memory.record["past"]]
    store(memory.record, key, 60, EXACT, 500, 500, 8 << 6 | 16)
    report = engine.search(state, Limit(depth=6))
    assert report.move in actions(state)
    at = state
    for action in report.line:
        assert action in actions(at)
        at = result(at, action)


def test_values_stay_below_mates_where_nothing_is_proven(memory):
    for code in FENS:
        assert abs(value(memory, state_of(code), 0, ALL)) < FOUND


@pytest.mark.parametrize(
    ("code", "plies"),
    [
        ("8/8/8/8/8/2k5/1R6/K7 w - - 0 1", 31),
        ("8/8/8/8/8/2k5/1R6/K7 w - - 75 80", None),
        ("8/8/4k3/8/3PK3/8/8/8 b - - 0 1", 0),
        ("8/8/8/8/2n5/1k6/8/K2R4 b - - 0 1", None),
    ],
)
def test_tables_say_what_endings_are_worth(code, plies):
    engine = Engine(table=1 << 20)
    report = engine.search(chess_game(code).initial, Limit(depth=2))
    if plies:
        assert (report.plies, report.depth) == (plies, 1)
    else:
        assert not report.exact
        assert plies is None or report.centipawns == 0


@pytest.mark.parametrize(
    "name", ["KRK", *(pytest.param(each, marks=pytest.mark.slow) for each in BUNDLED if each != "KRK")]
)
def test_the_longest_wins_are_played_to_mate_in_their_time(name):
    tables, engine = bundled_tables(), Engine(table=1 << 20)
    state = tables.summary(tables.tables[name].ending, 0).longest
    plies = tables.probe(state).plies
    for ply in range(plies):
        best = engine.search(state, Limit(time=5.0)).move if ply % 2 == 0 else tables.moves(state)[0].action
        state = result(state, best)
    assert not actions(state)
    assert in_check(state)
