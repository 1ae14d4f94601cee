"""The second process compiles nothing, whichever player plays whichever game."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from conftest import GAMES_BY_NAME
from plyground import make_game
from plyground.players import players_for

PROGRAM = """
import json, random, sys
from contextlib import closing
from numba.core import event
from plyground import CHANCE, Limit, actions, make_game, result, terminal, to_move
from plyground.players import Position, make_player

game, dice = make_game(sys.argv[1]), random.Random(1)
positions, state, history = [], game.initial, ()
while not terminal(state):
    if to_move(state) != CHANCE:
        positions.append(Position(game, state, history))
    action = dice.choice(actions(state))
    state, history = result(state, action), (*history, action)

compiled = {}
for name in sys.argv[2:]:
    with event.install_recorder("numba:compile") as compiles, closing(make_player(name, game, 1)) as player:
        player.prepare(game)
        for position in (positions[0], positions[len(positions) // 2], positions[-1]):
            player.choose(position, Limit(time=1, nodes=1000, depth=2, simulations=20))
    compiled[name] = len(compiles.buffer)
print(json.dumps(compiled))
"""


def compilations(game: str, players: list[str]) -> dict[str, int]:
    done = subprocess.run([sys.executable, "-c", PROGRAM, game, *players], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


QUICK = {
    "tictactoe": ["minimax", "alphabeta", "mcts"],
    "reversi": ["minialphago", "engine"],
}
"""A game with searches for any game, one with engines; the rest is in the long run, and takes minutes."""


LONG = [pytest.param(game, None, marks=pytest.mark.slow) for game in GAMES_BY_NAME if QUICK.get(game, [""])]


@pytest.mark.parametrize(("game", "players"), [*QUICK.items(), *LONG])
def test_a_warm_start_compiles_nothing(game, players):
    players = players or [name for name in players_for(make_game(game)) if name != "human"]
    compilations(game, players)
    assert compilations(game, players) == dict.fromkeys(players, 0)
