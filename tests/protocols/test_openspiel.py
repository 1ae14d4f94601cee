"""Lockstep with OpenSpiel: 10,000 random games each, the same legal actions, ends and returns at every step."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from plyground import action_buffer, compiled, legal_actions, make_game, result, to_move, utility
from plyground.native.randomness import random_below, stream

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra peers: pip install '.[peers]'")

GAMES = 10_000
LONGEST = 160


@compiled
def trace(state: Any, rng: Any, chosen: Any, movers: Any, counts: Any, legal: Any, returns: Any) -> int:
    """Play one random game and write down everything OpenSpiel can be asked about; returns the number of moves."""
    buffer = action_buffer(state)
    length = 0
    count = legal_actions(state, buffer)
    while count:
        counts[length] = count
        movers[length] = to_move(state)
        for i in range(count):
            legal[length, i] = buffer[i]
        chosen[length] = buffer[random_below(rng, count)]
        state = result(state, chosen[length])
        length += 1
        count = legal_actions(state, buffer)
    for player in range(2):
        returns[player] = utility(state, player)
    return length


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("tictactoe", "tic_tac_toe"),
        pytest.param("reversi", "othello", marks=pytest.mark.slow),
        pytest.param("connect4", "connect_four", marks=pytest.mark.slow),
    ],
)
def test_lockstep(ours, theirs):
    game, other = make_game(ours), pyspiel.load_game(theirs)
    rng = stream(2026)
    chosen, movers, counts = (np.zeros(LONGEST, np.int64) for _ in range(3))
    legal, returns = np.zeros((LONGEST, 64), np.int64), np.zeros(2)
    for _ in range(GAMES):
        length = trace(game.initial, rng, chosen, movers, counts, legal, returns)
        state = other.new_initial_state()
        for step in range(length):
            assert not state.is_terminal()
            assert state.current_player() == movers[step]
            assert sorted(state.legal_actions()) == sorted(legal[step, : counts[step]].tolist())
            state.apply_action(int(chosen[step]))
        assert state.is_terminal()
        assert state.returns() == returns.tolist()
