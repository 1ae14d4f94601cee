"""Nim: Bouton's theorem, normal and misere."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

from plyground import action_text, actions, make_game, parse_action
from plyground.core.limits import Budget
from plyground.errors import BadOption, IllegalAction, UnreadableAction
from plyground.search.minimax import minimax_value

PILES = [(a, b, c) for a in range(1, 5) for b in range(a, 5) for c in range(b, 5)]


@pytest.mark.parametrize("misere", [False, True])
def test_bouton(misere):
    for piles in PILES:
        game = make_game(f"nim:piles={','.join(map(str, piles))},misere={'on' if misere else 'off'}")
        wins = reduce(xor, piles) != 0
        if misere and max(piles) == 1:
            wins = len(piles) % 2 == 0
        assert minimax_value(game.initial, 99, 0, Budget()) == (1.0 if wins else -1.0)


def test_actions_as_text():
    state = make_game("nim:piles=2,1").initial
    assert [action_text(state, action) for action in actions(state)] == ["1:1", "1:2", "2:1"]
    assert parse_action(state, " 1:2 ") == 2
    with pytest.raises(IllegalAction):
        parse_action(state, "2:2")
    with pytest.raises(UnreadableAction):
        parse_action(state, "take two")


@pytest.mark.parametrize("piles", ["0", "-1", "100", "1,2,3,4,5,6,7,8,9,1"])
def test_impossible_piles(piles):
    with pytest.raises(BadOption, match="piles must be"):
        make_game(f"nim:piles={piles}")
