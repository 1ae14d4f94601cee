"""CFR, CFR+, best responses, exploitability: known equilibria, OpenSpiel's numbers, files, player, command."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Limit, make_game, to_move
from plyground.arena.referee import play_game
from plyground.errors import BadOption, FormatError, UnsuitableGame
from plyground.native.randomness import stream
from plyground.players import Position, make_player
from plyground.search.best_response import best_response, expected_values, exploitability
from plyground.search.cfr import checkpoints, solve
from plyground.search.extensive import estimated_size, extensive
from plyground.search.strategy_file import Strategy, load_strategy, strategy_data

KUHN = extensive(make_game("kuhn"))


def kuhn_strategy(alpha):
    """Kuhn's equilibria: the first player bets the jack with alpha; all the rest follows."""
    bet = {
        (0, "J", ""): alpha, (0, "Q", ""): 0.0, (0, "K", ""): 3 * alpha,
        (0, "J", "check bet"): 0.0, (0, "Q", "check bet"): alpha + 1 / 3, (0, "K", "check bet"): 1.0,
        (1, "J", "check"): 1 / 3, (1, "Q", "check"): 0.0, (1, "K", "check"): 1.0,
        (1, "J", "bet"): 0.0, (1, "Q", "bet"): 1 / 3, (1, "K", "bet"): 1.0,
    }  # fmt: skip
    out = []
    for one in KUHN.sets:
        seat, card = one.player, "JQK"[one.seen.cards[one.player]]
        said = one.label.partition("said: ")[2].replace("nothing yet", "")
        out += [1 - bet[seat, card, said], bet[seat, card, said]]
    return np.array(out)


@given(st.floats(0, 1 / 3))
def test_kuhns_family_of_equilibria_cannot_be_exploited(alpha):
    strategy = kuhn_strategy(alpha)
    assert abs(exploitability(KUHN, strategy)) < 1e-12
    assert expected_values(KUHN, strategy) == pytest.approx((-1 / 18, 1 / 18), abs=1e-12)


@given(st.floats(0.001, 1 / 3), st.floats(0.01, 0.5))
@settings(max_examples=50)
def test_what_is_not_in_the_family_can_be(alpha, shift):
    strategy = kuhn_strategy(alpha)
    wrong = next(n for n, one in enumerate(KUHN.sets) if one.label.startswith("first: Q") and "bet" in one.label)
    slot = KUHN.nodes.slot[wrong]
    strategy[slot : slot + 2] = [min(1.0, strategy[slot] + shift), max(0.0, strategy[slot + 1] - shift)]
    assert exploitability(KUHN, strategy) > 1e-4


def test_cfr_plus_finds_one_of_the_family():
    found = solve(KUHN, 10_000)
    assert found.exploitability < 1e-5
    assert found.values[0] == pytest.approx(-1 / 18, abs=1e-5)
    jack = next(n for n, one in enumerate(KUHN.sets) if one.label == "first: J   second: ?   said: nothing yet")
    alpha = found.strategy[KUHN.nodes.slot[jack] + 1]
    assert 0 <= alpha <= 1 / 3 + 1e-3
    assert found.strategy == pytest.approx(kuhn_strategy(alpha), abs=2e-3)


def test_a_thousand_iterations_are_enough_for_four_digits():
    found = solve(KUHN, 1000)
    assert found.exploitability < 1e-4
    assert [point.iterations for point in found.curve] == checkpoints(1000)
    early = solve(KUHN, 100_000, target=1e-3)
    assert early.exploitability <= 1e-3
    assert early.iterations < 1000


@pytest.mark.parametrize(("algorithm", "solver"), [("cfr", "CFRSolver"), ("cfr+", "CFRPlusSolver")])
@pytest.mark.parametrize(
    ("name", "iterations"), [("kuhn_poker", 30), pytest.param("leduc_poker", 2, marks=pytest.mark.slow)]
)
def test_openspiel_finds_the_same(name, iterations, algorithm, solver):
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel: pip install '.[openspiel]'")
    from open_spiel.python.algorithms import cfr as theirs
    from open_spiel.python.algorithms import expected_game_score
    from open_spiel.python.algorithms import exploitability as their_exploitability

    game = pyspiel.load_game(name)
    solving = getattr(theirs, solver)(game)
    for _ in range(iterations):
        solving.evaluate_and_update_policy()
    policy = solving.average_policy()
    tree = extensive(make_game(f"openspiel:{name}"))
    found = solve(tree, iterations, algorithm)
    for number, one in enumerate(tree.sets):
        row = policy.action_probability_array[policy.state_lookup[one.label]]
        mine = found.strategy[tree.nodes.slot[number] : tree.nodes.slot[number + 1]]
        assert mine == pytest.approx(row[list(one.actions)], abs=1e-9)
    assert found.exploitability == pytest.approx(their_exploitability.exploitability(game, policy), abs=1e-9)
    score = expected_game_score.policy_value(game.new_initial_state(), [policy] * 2)
    assert found.values == pytest.approx(tuple(score), abs=1e-9)
    ours = solve(extensive(make_game(name.removesuffix("_poker"))), iterations, algorithm)
    assert len(ours.strategy) == len(found.strategy)
    assert ours.values == pytest.approx(found.values, abs=1e-9)
    assert ours.exploitability == pytest.approx(found.exploitability, abs=1e-9)


def test_openspiel_solves_our_game():
    pytest.importorskip("pyspiel", reason="needs the extra openspiel: pip install '.[openspiel]'")
    from open_spiel.python.algorithms import cfr as theirs
    from open_spiel.python.algorithms import exploitability as their_exploitability

    from plyground.protocols.openspiel import as_openspiel

    game = as_openspiel("kuhn")
    solving = theirs.CFRPlusSolver(game)
    for _ in range(20):
        solving.evaluate_and_update_policy()
    theirs_now = their_exploitability.exploitability(game, solving.average_policy())
    assert theirs_now == pytest.approx(solve(KUHN, 20).exploitability, abs=1e-9)


def test_leduc_has_its_known_value():
    found = solve(extensive(make_game("leduc")), 2000)
    assert found.values[0] == pytest.approx(-0.0856, abs=2e-4)  # as in the literature: -0.085606
    assert found.exploitability < 2e-4


@given(st.lists(st.floats(0, 1), min_size=12, max_size=12), st.integers(0, 1))
@settings(max_examples=30)
def test_a_best_response_is_the_best_of_all_pure_strategies(bets, player):
    strategy = np.array([p for bet in bets for p in (1 - bet, bet)])
    mine = [n for n, one in enumerate(KUHN.sets) if one.player == player]
    values = []
    for code in range(2 ** len(mine)):
        pure = strategy.copy()
        for place, number in enumerate(mine):
            choice = code >> place & 1
            pure[2 * number], pure[2 * number + 1] = 1 - choice, choice
        values.append(expected_values(KUHN, pure)[player])
    best = best_response(KUHN, strategy, player)
    assert best.value == pytest.approx(max(values), abs=1e-12)
    chosen = strategy.copy()
    for number, action in best.choices.items():
        chosen[2 * number], chosen[2 * number + 1] = 1 - action, action
    assert expected_values(KUHN, chosen)[player] == pytest.approx(best.value, abs=1e-12)


def test_the_size_of_a_tree_is_guessed_before_it_is_made():
    assert estimated_size(make_game("kuhn")) == pytest.approx(58, rel=0.1)
    assert estimated_size(make_game("leduc")) == pytest.approx(9457, rel=0.2)
    with pytest.raises(UnsuitableGame, match="its tree has about"):
        extensive(make_game("reversi"))
    with pytest.raises(UnsuitableGame, match="more than 5,000 nodes"):
        extensive(make_game("leduc"), most=5000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"iterations": 0}, "iterations must be a number from 1"),
        ({"iterations": 10, "algorithm": "cfr++"}, "must be cfr or cfr"),
        ({"iterations": 10, "time": -1.0}, "positive number of seconds"),
    ],
)
def test_wrong_arguments(arguments, message):
    with pytest.raises(BadOption, match=message):
        solve(KUHN, **arguments)


# Files, player, command ---------------------------------------------------------------------------------------------


def test_a_strategy_is_kept_in_a_file(tmp_path):
    found, file = solve(KUHN, 50), tmp_path / "kuhn.json"
    file.write_text(json.dumps(strategy_data(found)), encoding="utf-8")
    assert load_strategy(file, KUHN).probabilities == pytest.approx(found.strategy, abs=0)


def spoilt(change):
    data = strategy_data(solve(KUHN, 5))
    change(data)
    return json.dumps(data)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not JSON"),
        ("[]", 'it has no "format"'),
        (lambda: spoilt(lambda data: data.update(game="leduc")), "it is for leduc"),
        (lambda: spoilt(lambda data: data.update(information_sets=3)), "not a list of objects"),
        (lambda: spoilt(lambda data: data["information_sets"].pop()), "is missing"),
        (lambda: spoilt(lambda data: data["information_sets"][0].update(probabilities=[0.5, 0.6])), "which sum to 1"),
        (lambda: spoilt(lambda data: data["information_sets"][0].update(probabilities=[2, -1])), "which sum to 1"),
        (lambda: spoilt(lambda data: data["information_sets"][0].update(actions=["a", "b"])), "are check, bet"),
    ],
)
def test_a_file_that_is_not_a_strategy(content, message, tmp_path):
    file = tmp_path / "wrong.json"
    file.write_text(content if isinstance(content, str) else content(), encoding="utf-8")
    with pytest.raises(FormatError, match=message) as caught:
        load_strategy(file, KUHN)
    assert "\n" not in str(caught.value)


def test_the_player_draws_with_the_probabilities_of_its_strategy():
    game, found = make_game("kuhn"), solve(KUHN, 1000)
    strategy = Strategy(KUHN, found.strategy)
    player = make_player("cfr:iterations=1000,seed=5", game)
    for one in KUHN.sets[:3]:
        likely = strategy.at(one.seen, 0)[1]
        bets = sum(player.choose(Position(game, one.seen), Limit()).action for _ in range(2000)) / 2000
        assert bets == pytest.approx(likely, abs=0.04)
    rng = stream(1)
    assert {strategy.sample(KUHN.sets[0].seen, 0, rng) for _ in range(100)} == {0, 1}


def test_the_player_holds_the_value_against_anybody():
    game = make_game("kuhn")
    players = [make_player("random:seed=1"), make_player("cfr:seed=2", game)]
    won = [play_game(game, players, seed=seed).returns[1] for seed in range(1500)]
    assert np.mean(won) > 1 / 18 - 3 * np.std(won) / len(won) ** 0.5
    assert np.mean(won) > 0.1


def test_the_command(command, tmp_path):
    out, file = tmp_path / "curve.svg", tmp_path / "s.json"
    run = command("cfr", "kuhn", "--iterations", "1000", "--algorithm", "both", "--out", str(out), "--save", str(file))
    assert run.returncode == 0, run.stderr
    assert "first: J   second: ?" in run.stdout
    assert "-0.0555" in run.stdout
    ElementTree.fromstring(out.read_text(encoding="utf-8"))
    answer = json.loads(command("cfr", "kuhn", "--iterations", "1000", "--json").stdout)
    assert answer["exploitability"] < 1e-4
    assert answer["values"][0] == pytest.approx(-1 / 18, abs=1e-4)
    assert len(answer["information_sets"]) == 12
    game = make_game("kuhn")
    reader = make_player(f"cfr:file={file}", game)
    reader.prepare(game)
    assert int(to_move(KUHN.sets[0].seen)) == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("reversi",), "its tree has about"),
        (("kuhn", "--algorithm", "magic"), "--algorithm must be cfr+, cfr or both"),
        (("kuhn", "--iterations", "0"), "iterations must be a number from 1"),
        (("kuhn", "--out", "curve.gif"), "--out must end in .svg, .png or .html"),
        (("kuhn", "--save", "no/folder.json"), "there is no folder"),
    ],
)
def test_the_command_refuses_in_one_line(command, arguments, message):
    run = command("cfr", *arguments)
    assert run.returncode == 2
    assert message in " ".join(run.stderr.split())
