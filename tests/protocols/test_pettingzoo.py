"""Our games as PettingZoo environments: PettingZoo's own test, observations, masks, rewards, chance."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys

import numpy as np
import pytest

pytest.importorskip("pettingzoo", reason="needs the extra pettingzoo: pip install '.[pettingzoo]'")

from pettingzoo.test import api_test, seed_test

from plyground import Axes, Game, make_game
from plyground.errors import BrokenRule, IllegalAction, MissingExtra, UnsuitableGame
from plyground.protocols.pettingzoo import env, raw_env

DICT = "ignore:Observation"
"""PettingZoo warns of every environment whose observations are a dict with an action mask, its own included."""


@pytest.mark.filterwarnings(DICT)
@pytest.mark.parametrize("spec", ["reversi", "reversi:size=6", "tictactoe", "connect4", "nim", "gomoku:size=9"])
def test_pettingzoo_checks_our_games(spec, capsys):
    api_test(env(spec), num_cycles=100)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.filterwarnings(DICT)
def test_seeds(tmp_path):
    file = tmp_path / "dice.json"
    file.write_text('{"chance": [{"max": [1, 2]}, {"max": [{"chance": [3, 4]}, 5]}]}', encoding="utf-8")
    seed_test(lambda: env(str(file)), num_cycles=20)
    assert {ending(str(file), seed) for seed in range(20)} == {1.0, 3.0, 4.0}


def ending(spec, seed):
    """The first player's reward if it always takes the first action."""
    environment = raw_env(spec)
    environment.reset(seed=seed)
    environment.step(0)
    assert all(environment.terminations.values())
    return environment.rewards["player_0"]


def test_without_pettingzoo(monkeypatch):
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "plyground.protocols.pettingzoo")
    with pytest.raises(MissingExtra, match=re.escape("pip install 'plyground[pettingzoo]'")):
        importlib.import_module("plyground.protocols.pettingzoo")


@pytest.mark.slow
def test_the_command_needs_none_of_the_extras():
    code = "import sys, plyground.cli.main; print({'gymnasium', 'pettingzoo', 'pyspiel'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_what_agents_see():
    environment = env("reversi")
    environment.reset()
    first = environment.observe("player_0")
    assert first["observation"].shape == (8, 8, 2)
    assert first["observation"].dtype == first["action_mask"].dtype == np.int8
    assert first["action_mask"].shape == (65,)
    assert np.flatnonzero(first["action_mask"]).tolist() == [19, 26, 37, 44]
    assert not environment.observe("player_1")["action_mask"].any()
    environment.step(19)
    black, white = environment.observe("player_0"), environment.observe("player_1")
    assert environment.agent_selection == "player_1"
    assert black["observation"][:, :, 0].sum() == white["observation"][:, :, 1].sum() == 4
    assert black["observation"][:, :, 1].sum() == white["observation"][:, :, 0].sum() == 1
    assert not black["action_mask"].any()
    assert environment.observation_space("player_0").contains(black)


def test_rewards():
    environment = env("tictactoe")
    environment.reset()
    for action in (0, 3, 1, 4, 2):
        environment.step(action)
    assert environment.rewards == {"player_0": 1.0, "player_1": -1.0}
    assert environment.terminations == {"player_0": True, "player_1": True}


def test_an_illegal_action_loses_and_is_refused_without_wrappers():
    environment = env("tictactoe")
    environment.reset()
    environment.step(0)
    environment.step(0)
    assert environment.rewards["player_1"] == -1
    plain = raw_env("tictactoe")
    plain.reset()
    plain.step(0)
    with pytest.raises(IllegalAction):
        plain.step(0)


def test_drawing(capsys):
    environment = raw_env("tictactoe", render_mode="ansi")
    environment.reset()
    environment.step(4)
    assert environment.render() == "  a b c\n1 . . .\n2 . X .\n3 . . ."
    assert environment.unwrapped.metadata["name"] == "tictactoe"
    shown = raw_env("tictactoe", render_mode="human")
    shown.reset()
    shown.step(4)
    assert "2 . X ." in capsys.readouterr().out


def test_games_that_cannot_be():
    state = make_game("tictactoe").initial
    with pytest.raises(UnsuitableGame, match="players move at the same time"):
        raw_env(Game("at once", state, axes=Axes(simultaneous=True)))


def test_agents_see_what_they_may_see():
    from plyground.core.rules import planes_shape

    environment = raw_env("kuhn")
    hands = set()
    for seed in range(20):
        environment.reset(seed=seed)
        first, second = (environment.observe(agent)["observation"].ravel().tolist() for agent in environment.agents)
        assert first[1] == second[0] == -2.0  # the other card
        assert (first[0], second[1]) == environment.state_now.cards
        hands.add((first[0], second[1]))
        while environment.agents:
            mask = environment.observe(environment.agent_selection)["action_mask"]
            environment.step(int(mask.argmax()) if mask.any() else None)
    assert len(hands) == 6
    assert planes_shape(environment.game.initial) == (4, 1, 1)


def test_a_game_whose_numbers_are_too_high_is_told(tmp_path):
    file = tmp_path / "high.py"
    file.write_text(
        """
from typing import NamedTuple
from plyground import Game, legal_actions, result, to_move, utility

class High(NamedTuple):
    turn: int

@to_move.rule(High)
def _(state): return state.turn

@legal_actions.rule(High)
def _(state, out):
    out[0] = 1000
    return 1 if state.turn == 0 else 0

@result.rule(High)
def _(state, action): return High(1)

@utility.rule(High)
def _(state, player): return 0.0

game = Game("high", High(0))
""",
        encoding="utf-8",
    )
    environment = raw_env(str(file))
    environment.reset()
    with pytest.raises(BrokenRule, match="has an action 1000, but distinct_actions says 256"):
        environment.observe("player_0")
