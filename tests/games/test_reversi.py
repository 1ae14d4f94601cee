"""Reversi: the kernels against slow rules, perft in both conventions, passes and the end of the game."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import actions, compiled, make_game, parse_action, result, score, terminal, utility
from plyground.core.limits import Budget
from plyground.errors import BadOption, IllegalAction, UnreadableAction
from plyground.games.reversi import PASS, Reversi
from plyground.games.reversi.moves import flips, moves
from plyground.search.perft import perft

GAME = make_game("reversi")
FULL = np.uint64(2**64 - 1)
PERFT = [4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571056, 212258216]
PERFT_WITH_ENDED_GAMES = [*PERFT[:9], 24571284, 212258800]

words = st.integers(min_value=0, max_value=2**64 - 1)


@compiled
def fast_moves(own, opponent):
    return moves(own, opponent)


@compiled
def fast_flips(own, opponent, square):
    return flips(own, opponent, square)


@given(words, words)
def test_vector_kernels_equal_the_slow_rules_on_any_board(own, other):
    opponent = other & ~own
    mine, theirs = np.uint64(own), np.uint64(opponent)
    assert int(fast_moves(mine, theirs)) == int(moves(mine, theirs))
    for square in range(64):
        if not (own | opponent) >> square & 1:
            assert int(fast_flips(mine, theirs, square)) == int(flips(mine, theirs, square))


@pytest.mark.slow
def test_processors_without_vector_leading_zeros(tmp_path):
    """The other way to find the highest square, for AVX2 and NEON, gives the same game."""
    program = (
        "import plyground.games.reversi.moves as m; m._LEADING_ZEROS_IS_ONE_INSTRUCTION = False\n"
        "from plyground import Budget, make_game; from plyground.search.perft import perft\n"
        "print(perft(make_game('reversi').initial, 8, 0, Budget()))"
    )
    env = {**os.environ, "PLYGROUND_CACHE_DIR": str(tmp_path), "NUMBA_CPU_NAME": "generic"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=env, check=True)
    assert int(done.stdout) == PERFT[7]


def test_kernels_on_a_known_move():
    state = GAME.initial
    assert actions(state) == [19, 26, 37, 44]
    after = result(state, parse_action(state, "f5"))
    assert after == Reversi(np.uint64(1 << 27), np.uint64(1 << 28 | 1 << 35 | 1 << 36 | 1 << 37), FULL, 1)


def test_perft():
    assert [perft(GAME.initial, depth, 0, Budget()) for depth in range(1, 12)] == PERFT


def test_perft_when_ended_games_count_as_leaves():
    assert [perft(GAME.initial, depth, 1, Budget()) for depth in range(1, 12)] == PERFT_WITH_ENDED_GAMES


def test_the_shortest_game_ends_after_nine_moves():
    """There are games of nine moves that leave no white disc; that is why the conventions part at depth 10."""
    state = GAME.initial
    for move in ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"]:
        state = result(state, parse_action(state, move))
    assert terminal(state)
    assert score(state, 0) == 13
    assert utility(state, 0) == 1.0


def test_a_forced_pass_is_the_only_action():
    # Black a1, white b1, black to move has c1; white has nothing.
    state = Reversi(np.uint64(2), np.uint64(1), FULL, 1)
    assert actions(state) == [PASS]
    assert parse_action(state, "pass") == PASS
    passed = result(state, PASS)
    assert passed == Reversi(np.uint64(1), np.uint64(2), FULL, 0)
    assert actions(passed) == [2]


def test_passing_otherwise_is_illegal():
    with pytest.raises(IllegalAction):
        parse_action(GAME.initial, "pass")


@pytest.mark.parametrize(
    ("text", "error"), [("e5", IllegalAction), ("a9", IllegalAction), ("hello!", UnreadableAction)]
)
def test_bad_moves(text, error):
    with pytest.raises(error, match="legal: d3, c4, f5, e6"):
        parse_action(GAME.initial, text)


def test_small_boards_start_in_their_middle():
    four = make_game("reversi:size=4")
    assert [action % 8 < 4 and action // 8 < 4 for action in actions(four.initial)] == [True] * 4
    assert perft(four.initial, 1, 0, Budget()) == 4


@pytest.mark.parametrize("size", [0, 5, 7, 10, -8])
def test_impossible_sizes(size):
    with pytest.raises(BadOption, match="4, 6 or 8"):
        make_game(f"reversi:size={size}")
