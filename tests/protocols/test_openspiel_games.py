"""OpenSpiel's games as ours, and ours as OpenSpiel's: rules, searches, OpenSpiel's own checks."""

from __future__ import annotations

import pickle
import re
import sys

import numpy as np
import pytest

from plyground import Limit, actions, make_game, result, to_move
from plyground.arena.referee import play_game
from plyground.errors import BadOption, MissingExtra, PlygroundError, UnknownName, UnsuitableGame
from plyground.games.contract import check_game
from plyground.players import make_player
from plyground.protocols.openspiel import as_openspiel
from plyground.search.minimax import minimax_search

pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel: pip install '.[openspiel]'")

# Their games here --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("tic_tac_toe", "2 players, turns, perfect information, deterministic, zero-sum"),
        ("hex(board_size=3)", "2 players, turns, perfect information, deterministic, zero-sum"),
        ("breakthrough(rows=4,columns=3)", "2 players, turns, perfect information, deterministic, zero-sum"),
        ("pig(horizon=40)", "2 players, turns, perfect information, stochastic, zero-sum"),
        ("leduc_poker", "2 players, turns, imperfect information, stochastic, zero-sum"),
        ("matrix_pd", "2 players, turns, imperfect information, deterministic, general-sum"),
    ],
)
def test_their_games_keep_the_contract(name, kind):
    game = make_game(f"openspiel:{name}")
    assert game.spec == f"openspiel:{name}"
    assert game.axes.describe() == kind
    assert check_game(game, positions=100).positions == 100


def test_the_same_game_has_the_same_values():
    theirs, ours = make_game("openspiel:tic_tac_toe").initial, make_game("tictactoe").initial
    for action in (4, 0, 8):  # cells are numbered alike
        theirs, ours = result(theirs, action), result(ours, action)
    assert actions(theirs) == actions(ours)
    there, here = minimax_search(theirs, Limit(depth=6)), minimax_search(ours, Limit(depth=6))
    assert (there.value, list(there.values)) == (here.value, list(here.values))


@pytest.mark.parametrize(
    "spec",
    [
        "minimax:depth=3", "alphabeta:depth=4", "pvs:depth=3", "mtdf:depth=3", "mcts:simulations=20,memory=1",
        "flat:simulations=20", "maxn:depth=2", "paranoid:depth=2", "expectiminimax:depth=2",
    ],
)  # fmt: skip
def test_every_search_plays_them(spec):
    game = make_game("openspiel:tic_tac_toe")
    record = play_game(game, [make_player(spec, game, 1), make_player("random", game, 2)])
    assert record.complete


def test_dice():
    game = make_game("openspiel:pig(horizon=40)")
    record = play_game(game, [make_player("expectiminimax:depth=2", game, 1), make_player("random", game, 2)])
    assert record.complete


def test_hidden_games_are_not_searched():
    game = make_game("openspiel:kuhn_poker")
    with pytest.raises(UnsuitableGame, match="players do not see everything"):
        make_player("alphabeta", game)
    assert play_game(game, [make_player("random"), make_player("random")]).complete


def test_states_are_values():
    game = make_game("openspiel:tic_tac_toe")
    one, two = result(game.initial, 4), result(make_game("openspiel:tic_tac_toe").initial, 4)
    assert one == two
    assert hash(one) == hash(two)
    assert one != result(game.initial, 3)
    assert pickle.loads(pickle.dumps(one)) == one


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        (
            "openspiel:tic_tac_to",
            UnknownName,
            "there is no game 'tic_tac_to' in OpenSpiel; did you mean 'tic_tac_toe'?",
        ),
        ("openspiel:", UnknownName, "pyspiel.registered_names"),
        ("openspiel:hex(bord=3)", BadOption, "Unknown parameter 'bord'"),
        ("openspiel:hex(", BadOption, "Missing closing bracket"),
        ("openspiel", PlygroundError, "needs the option 'name'"),
        ("openspiel:mfg_crowd_modelling", UnsuitableGame, "a crowd of players"),
    ],
)
def test_bad_names(spec, error, message, capfd):
    with pytest.raises(error) as caught:
        make_game(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_without_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(MissingExtra, match=re.escape("pip install 'plyground[openspiel]'")):
        make_game("openspiel:chess")


# Our games there ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec", ["tictactoe", "reversi", "reversi:size=4", "nim:piles=3,4", "connect4", "leduc", "worked.json"]
)
def test_openspiel_checks_our_games(spec, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "worked.json").write_text('{"max": [{"chance": [{"min": [1, -1]}, 0]}, 0.5]}', encoding="utf-8")
    game = as_openspiel(spec)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert str(pyspiel.load_game(str(game))) == str(game)


def test_a_playthrough():
    from open_spiel.python.algorithms import generate_playthrough

    as_openspiel("reversi")
    text = generate_playthrough.playthrough("plyground(game=reversi:size~4)", None, alsologtostdout=False)
    assert 'GameType.short_name = "plyground"' in text
    assert "NumDistinctActions() = 65" in text
    assert "IsTerminal() = True" in text
    # A replay of it is the same, which is OpenSpiel's regression test.
    actions_made = [int(line.split(": ")[1]) for line in text.splitlines() if line.startswith("action: ")]
    assert generate_playthrough.playthrough("plyground(game=reversi:size~4)", actions_made) == text


def test_lockstep_with_their_own_othello():
    ours, theirs = as_openspiel("reversi").new_initial_state(), pyspiel.load_game("othello").new_initial_state()
    rng = np.random.default_rng(1)
    assert ours.legal_actions() == [19, 26, 37, 44]
    while not theirs.is_terminal():
        assert ours.legal_actions() == theirs.legal_actions()
        assert ours.current_player() == theirs.current_player()
        mine = np.array(ours.observation_tensor(ours.current_player())).reshape(2, 8, 8)
        other = np.array(theirs.observation_tensor(theirs.current_player())).reshape(3, 8, 8)
        assert (mine == other[1:]).all()
        action = int(rng.choice(theirs.legal_actions()))
        ours.apply_action(action)
        theirs.apply_action(action)
    assert ours.is_terminal()
    assert ours.returns() == theirs.returns()


def test_their_search_plays_our_game():
    from open_spiel.python.algorithms import minimax

    value, action = minimax.alpha_beta_search(as_openspiel("nim:piles=1,2"))
    state = make_game("nim:piles=1,2").initial
    assert value == 1.0
    assert int(to_move(state)) == 0
    assert action == 101  # one of the second pile: equal piles are lost
