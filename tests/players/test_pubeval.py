"""The yardstick pubeval: the same choices as elsewhere."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import actions, make_game, result, terminal
from plyground.engines.backgammon.network import race
from plyground.engines.backgammon.pubeval import pubeval, pubeval_play
from plyground.errors import UnsuitableGame
from plyground.games.backgammon.board import MOVING, men_on, own_men
from plyground.games.backgammon.moves import walked
from plyground.players import make_player


def board_of(state, player):
    """Both sides' men as the other program takes them: of the other side, then of the player."""
    return [[men_on(own_men(state, side), point) for point in range(1, 26)] for side in (1 - player, player)]


def moved(state, ends):
    """The men of both sides after men of the player have moved from and to these points, counted from 0."""
    mine, other = own_men(state, state.turn), own_men(state, 1 - state.turn)
    for start, end in zip(ends[::2], ends[1::2], strict=True):
        mine, other = walked(mine, other, start + 1, start - end, 24)
    return (mine, other) if state.turn == 0 else (other, mine)


def valued(state, men):
    racing = race(state.first, state.second)
    return pubeval(men[state.turn], men[1 - state.turn], racing)


def test_it_plays_what_gnubg_says_that_pubeval_plays():
    gnubg = pytest.importorskip("gnubg_nn", reason="needs the extra test: pip install '.[test]'")
    start, rng, plays = make_game("backgammon").initial, random.Random(2), np.zeros(4000, np.int64)
    compared = 0
    for _ in range(12):
        state = start
        while not terminal(state):
            if state.phase == MOVING and len(actions(state)) > 1:
                ours = result(state, int(pubeval_play(state, plays)))
                theirs = gnubg.pub_best_move(board_of(state, state.turn), state.roll >> 3, state.roll & 7)
                assert valued(state, moved(state, theirs)) == valued(state, (ours.first, ours.second))  # or as good
                compared += 1
            state = result(state, rng.choice(actions(state)))
    assert compared > 500


def test_it_plays_backgammon_alone():
    with pytest.raises(UnsuitableGame, match="it plays backgammon alone"):
        make_player("pubeval", make_game("tictactoe"))
    with pytest.raises(UnsuitableGame, match="24 points"):
        make_player("pubeval", make_game("backgammon:points=8,men=2"))
