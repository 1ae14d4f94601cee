"""The engine on the board: mates, limits, threads, levels, the player, and UCI through python-chess."""

from __future__ import annotations

import sys
import threading

import chess.engine
import pytest

import chess
from plyground import Limit, actions, make_game, make_player, parse_action, result
from plyground.core.rules import action_code
from plyground.engines.chess.clock import time_for_move
from plyground.engines.chess.engine import Engine, utility_of
from plyground.engines.chess.levels import LEVELS, find_level, play_level
from plyground.engines.chess.search import MATE
from plyground.errors import BadOption, IllegalAction
from plyground.games.chess import chess as chess_game
from plyground.games.chess import fen
from plyground.native.randomness import stream
from plyground.players import Move, Position, default_opponent

GAME = make_game("chess")

MATES = (
    (1, "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1"),
    (2, "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"),
    (2, "r2qkb1r/pp2nppp/3p4/2pNN1B1/2BnP3/3P4/PPP2PPP/R2bK2R w KQkq - 0 1"),
    (2, "6k1/2r2p1p/1pr3p1/p3b3/P2p3P/3P2P1/1P2PR2/3K4 b - - 3 36"),
    (2, "2r3kr/8/2p1p1P1/6n1/p2PpK2/4P3/q3b1N1/8 b - - 4 44"),
    (2, "1Q6/5R2/5Q2/8/8/4k3/K7/8 w - - 1 69"),
    (2, "8/2r5/RKP5/2P3k1/P7/5q2/8/8 b - - 2 61"),
    (2, "r5nr/7p/8/6k1/p2P2B1/6Q1/PP1K4/5R2 w - - 0 34"),
    (3, "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"),
    (3, "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1"),
    (3, "1Q2r3/P7/2K2k2/2P3R1/8/8/7P/8 w - - 1 64"),
    (3, "8/p3kp2/b1p1pp2/6p1/P7/q3P1N1/2Rr1P1P/4K2R b - - 1 27"),
    (3, "7k/4KR2/p7/P6p/7P/6P1/8/8 w - - 5 65"),
    (4, "8/3qk3/4p1n1/3p1p1p/8/8/1p4K1/8 b - - 3 62"),
    (4, "7k/R4r2/7p/4p1pN/P5P1/4P3/8/5BK1 w - - 0 41"),
    (4, "8/5k2/P6p/7P/1P2PK1N/8/6P1/3R4 w - - 3 48"),
)
"""Mates in so many moves: known ones, and some that came up when a weak level played."""


def state_of(code: str):
    return chess_game(code).initial


def forced(board: chess.Board, moves: int) -> bool:
    """Whether the side to move mates in so many moves, by trying everything."""
    for move in list(board.legal_moves):
        if moves == 1 and not board.gives_check(move):
            continue
        board.push(move)
        won = board.is_checkmate() or (moves > 1 and any(board.legal_moves) and no_escape(board, moves - 1))
        board.pop()
        if won:
            return True
    return False


def no_escape(board: chess.Board, moves: int) -> bool:
    for move in list(board.legal_moves):
        board.push(move)
        lost = forced(board, moves)
        board.pop()
        if not lost:
            return False
    return True


@pytest.fixture(scope="module")
def engine():
    return Engine(table=1 << 22)


# Mates ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("moves", "code"), MATES)
def test_mates_are_found_and_their_lines_lead_to_mate(engine, moves, code):
    engine.clear()
    report = engine.search(state_of(code), Limit(nodes=300_000))
    assert report.exact
    assert report.mate == moves
    assert report.value == 1.0
    board = chess.Board(code)
    for action in report.line:
        board.push_uci(action_code(state_of(board.fen()), action))
    assert board.is_checkmate()
    assert len(report.line) == 2 * moves - 1 == report.plies


@pytest.mark.slow
@pytest.mark.parametrize(("moves", "code"), [mate for mate in MATES if mate[0] <= 3])
def test_the_mates_are_as_long_as_is_said(moves, code):
    assert forced(chess.Board(code), moves)
    assert moves == 1 or not forced(chess.Board(code), moves - 1)


def test_who_is_mated_lasts_as_long_as_possible(engine):
    engine.clear()
    report = engine.search(state_of("7k/8/8/8/8/8/r6r/4K3 w - - 0 1"), Limit(depth=8))
    assert report.centipawns < 0
    assert report.mate is not None
    assert report.mate < 0
    assert report.value == -1.0


# Limits --------------------------------------------------------------------------------------------------------------


def test_depth_and_nodes_are_kept(engine):
    assert engine.search(GAME.initial, Limit(depth=3)).depth == 3
    engine.clear()
    assert engine.search(GAME.initial, Limit(nodes=2_000)).nodes <= 2_001


def test_a_search_is_stopped_by_another_thread(engine):
    started = threading.Event()
    found = []

    def work() -> None:
        found.append(engine.search(GAME.initial, on_report=lambda report: started.set()))

    thread = threading.Thread(target=work)
    thread.start()
    assert started.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()
    assert found[0].move in actions(GAME.initial)


def test_the_same_search_twice_is_the_same():
    first, second = (Engine(table=1 << 20).search(GAME.initial, Limit(depth=7)) for _ in range(2))
    assert (first.line, first.centipawns, first.nodes) == (second.line, second.centipawns, second.nodes)


def test_two_threads_find_what_one_finds(engine):
    code = "r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1"
    assert Engine(table=1 << 20, threads=2).search(state_of(code), Limit(depth=8)).mate == 3


def test_a_game_that_is_over_is_not_searched(engine):
    with pytest.raises(IllegalAction, match="the game is over"):
        engine.search(state_of("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), Limit(depth=1))


def test_every_move_is_scored_and_those_that_are_asked_for(engine):
    engine.clear()
    state = GAME.initial
    every = engine.score_moves(state, Limit(depth=2), every=True)
    assert sorted(report.move for report in every) == sorted(actions(state))
    assert [report.centipawns for report in every] == sorted((report.centipawns for report in every), reverse=True)
    worst = every[-1].move
    deeper = engine.score_moves(state, Limit(depth=5), also=[worst])
    assert worst in {report.move for report in deeper}
    assert len(deeper) < len(every)
    assert all(report.line[0] == report.move for report in deeper)


def test_values_are_utilities():
    assert utility_of(0) == 0
    assert 0 < utility_of(100) < utility_of(300) < utility_of(20_000) < utility_of(MATE - 5) == 1


# Clocks and levels ---------------------------------------------------------------------------------------------------


def test_the_clock_never_runs_out():
    for increment in (0.0, 0.1):
        left = 10.0
        for _ in range(300):
            spent = time_for_move(left, increment).most
            assert 0 < spent < left
            left += increment - spent
    assert time_for_move(60, moves=1).most < 60
    assert time_for_move(300).usual < time_for_move(300).most


def test_levels_play_legal_moves_and_the_first_ones_err(engine):
    state = state_of("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - 0 4")
    mate = next(action for action in actions(state) if action_code(state, action) == "f3f7")
    played = {
        number: [play_level(engine, state, LEVELS[number - 1], Limit(), stream(seed)).move for seed in range(8)]
        for number in (1, 12)
    }
    assert all(move in actions(state) for moves in played.values() for move in moves)
    assert set(played[12]) == {mate}
    with pytest.raises(BadOption, match="level must be from 1 to 20 in chess, not 21"):
        find_level(21)


def test_weak_levels_leave_a_piece_now_and_then_and_strong_ones_never(engine):
    """The rook can take a pawn, and is taken then: who does not look on sees the pawn alone."""
    state = state_of("5bk1/5ppp/3p4/4p3/8/3R4/5PPP/6K1 w - - 0 1")
    taken = parse_action(state, "Rxd6")

    def losses(level: int, games: int) -> int:
        played = [play_level(engine, state, LEVELS[level - 1], Limit(), stream(seed)) for seed in range(games)]
        return sum(report.move == taken for report in played)

    weak = losses(1, 40)
    assert 20 > weak > losses(4, 40) > 0
    assert losses(12, 8) == 0


# The player ----------------------------------------------------------------------------------------------------------


def test_the_engine_is_the_usual_opponent():
    assert default_opponent(GAME) == "engine"


def test_the_player_says_what_it_thinks():
    with make_player("engine:depth=6,table=1MB", GAME) as player:
        move = player.choose(Position(GAME, GAME.initial), Limit())
        assert isinstance(move, Move)
        assert move.depth == 6
        assert move.line[0] == move.action
        scores = player.score_moves(GAME.initial, Limit(depth=3))
        assert max(scores.moves, key=lambda scored: scored.value) == scores.moves[0]


def test_options_of_other_games_are_refused():
    with pytest.raises(BadOption, match="the option tolerance means nothing in chess"):
        make_player("engine:tolerance=2", GAME)


def test_the_player_plays_from_a_position_with_a_past():
    state, history = GAME.initial, list[int]()
    with make_player("engine:nodes=300,table=1MB", GAME) as player:
        for _ in range(20):
            move = player.choose(Position(GAME, state, tuple(history)), Limit())
            assert isinstance(move, Move)
            history.append(move.action)
            state = result(state, move.action)
    assert chess.Board(fen(state)).is_valid()


def test_python_chess_plays_with_it_through_uci():
    with chess.engine.SimpleEngine.popen_uci([sys.executable, "-m", "plyground", "uci", "chess"], timeout=60) as engine:
        assert {"Hash", "Threads", "Level"} <= set(engine.options)
        engine.configure({"Hash": 8})
        board = chess.Board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1")
        info = engine.analyse(board, chess.engine.Limit(depth=8))
        assert info["score"].white() == chess.engine.Mate(3)
        played = engine.play(chess.Board(), chess.engine.Limit(nodes=3000), info=chess.engine.INFO_ALL)
        assert played.move in chess.Board().legal_moves
        assert {"depth", "score", "nodes", "nps", "time", "pv"} <= set(played.info)
