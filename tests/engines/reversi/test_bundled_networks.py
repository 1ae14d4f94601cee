"""The bundled networks: small enough, whole, and as good as their page says, as far as a few games can tell."""

from __future__ import annotations

import pytest

from plyground.core.limits import Limit
from plyground.core.rules import result, terminal, to_move, utility
from plyground.games import make_game
from plyground.learning.onnx_file import load_network
from plyground.players import Position, make_player, players_for
from plyground.players.net_player import NETWORKS

REVERSI = make_game("reversi")


def test_they_are_small():
    sizes = {path.name: path.stat().st_size for path in NETWORKS.glob("*.onnx")}
    alphago = {name: size for name, size in sizes.items() if name.startswith("alphago_")}
    assert len(alphago) == 3
    assert sum(alphago.values()) <= 4 << 20
    assert sizes["minialphago_reversi.onnx"] <= 6 << 20


@pytest.mark.parametrize("path", sorted(NETWORKS.glob("*.onnx")), ids=lambda path: path.stem)
def test_they_know_what_they_are(path):
    facts = load_network(path).facts
    assert facts["game"] == "reversi"
    assert path.stem == f"minialphago_{facts['game']}" or path.stem == f"alphago_{facts['kind']}_{facts['game']}"


def test_reversi_has_both_players_without_options():
    assert {"minialphago", "alphago"} <= set(players_for(REVERSI))


@pytest.mark.slow
@pytest.mark.parametrize("first", [True, False])
def test_minialphago_beats_monte_carlo(first):
    ours = make_player("minialphago:simulations=24", REVERSI, seed=1)
    theirs = make_player("mcts:simulations=200", REVERSI, seed=1)
    state, history = REVERSI.initial, []
    while not terminal(state):
        player = ours if (to_move(state) == 0) == first else theirs
        action = player.choose(Position(REVERSI, state, tuple(history)), Limit()).action
        history.append(action)
        state = result(state, action)
    assert utility(state, 0 if first else 1) == 1
