"""Mini-bridge: rules, what the declarer sees, the double-dummy solver against minimax, PIMC, ISMCTS and fusion."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import CHANCE, Limit, actions, make_game, observation, result, text, to_move
from plyground.arena.referee import play_game
from plyground.core.rules import as_seen, possible_state, utility
from plyground.engines.bridge.double_dummy import double_dummy, double_dummy_values
from plyground.errors import BadOption, UnsuitableGame
from plyground.games.minibridge import card_name, minibridge
from plyground.native.randomness import random_below, stream
from plyground.players import make_player, players_for
from plyground.search.cfr import solve
from plyground.search.extensive import extensive
from plyground.search.ismcts import ismcts_search
from plyground.search.pimc import pimc_search, solved
from plyground.subjects.bridge.fusion import FUSION, FUSION_EXACT, compare_leads, dealt, leads_svg, worlds_of

SPECS = ["minibridge:cards=3", "minibridge:cards=3,suits=3,trump=S", "minibridge:cards=2,suits=4,trump=D"]


def played(spec, seed, moves):
    """A position after random moves."""
    state, rng = dealt(make_game(spec), seed), stream(seed, 1)
    for _ in range(moves):
        options = actions(state)
        if len(options) == 0:
            break
        state = result(state, options[random_below(rng, len(options))])
    return state


@given(st.sampled_from(SPECS), st.integers(0, 10**6), st.integers(0, 11))
def test_the_solver_equals_plain_minimax(spec, seed, moves):
    state = played(spec, seed, moves)
    tricks = double_dummy(state)
    assert (2 * tricks - state.size) / state.size == solved(state, 0, -9.0, 9.0)
    values = double_dummy_values(state)
    if values:
        assert (max if to_move(state) == 0 else min)(values.values()) == tricks


def test_tricks_are_won_by_the_rules():
    spec = "minibridge:cards=3,suits=2,north=A9.K,south=KT.A,leader=S"
    state = next(world for world, _ in worlds_of(make_game(spec).initial))
    names = {card_name(card, 6): card for card in range(12)}
    assert [card_name(card, 6) for card in actions(state)] == ["ST", "SK", "HA"]
    state = result(state, names["SK"])
    west = actions(state)
    assert {card // 6 for card in west} == {0} or not any(card // 6 == 0 for card in west)  # follows suit if it can
    for world, _ in worlds_of(make_game(spec).initial):
        assert world.hands[1].bit_count() == world.hands[3].bit_count() == 3
        assert double_dummy(world) == 3  # spades from the top, and a heart


def test_all_deals_are_as_likely():
    worlds = list(worlds_of(make_game(FUSION).initial))
    assert len(worlds) == 70
    assert [likely for _, likely in worlds] == pytest.approx([1 / 70] * 70)
    assert len({world.hands for world, _ in worlds}) == 70


def test_the_declarer_sees_which_cards_are_out_but_not_where():
    game = make_game(FUSION)
    seen = {observation(world, 0) for world, _ in worlds_of(game.initial)}
    assert len(seen) == 1
    assert "East  ?" in text(seen.pop())
    assert len({observation(world, 1) for world, _ in worlds_of(game.initial)}) == 70


def test_possible_worlds_are_those_that_fit_what_was_shown():
    state, rng = played("minibridge:cards=4", 3, 0), stream(9)
    while to_move(state) == 1 or state.played < 6:
        state = result(state, actions(state)[0])
    seen = as_seen(state, 0)
    drawn = {possible_state(seen, 0, rng).hands for _ in range(400)}
    assert state.hands in drawn
    left = [hand.bit_count() for hand in state.hands]
    for hands in drawn:
        assert [hand.bit_count() for hand in hands] == left
        assert hands[1] | hands[3] == state.hands[1] | state.hands[3]


def test_who_does_not_follow_is_known_to_be_void():
    rng = stream(4)
    for seed in range(30):
        state = played("minibridge:cards=4", seed, 9)
        if to_move(state) != 0:
            continue
        for _ in range(20):
            world = possible_state(as_seen(state, 0), 0, rng)
            assert observation(world, 0) == observation(state, 0)
    shown = played("minibridge:cards=4", 2, 8)
    assert not shown.veiled


# Strategy fusion ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def leads():
    return compare_leads(make_game(FUSION), seed=1, simulations=400_000)


@pytest.mark.slow
def test_pimc_throws_a_sure_gain_away_and_information_sets_keep_it(leads):
    found = {report.name: report for report in leads.reports}
    assert leads.pimc == "HT"
    assert leads.ismcts == "S7"
    assert found["S7"].least == 3  # in every world, even with open cards, and
    assert found["S7"].opened == pytest.approx(3)
    assert found["HT"].opened == pytest.approx(3.3143, abs=1e-4)  # what PIMC believes
    assert FUSION_EXACT["HT"] < FUSION_EXACT["S7"] == 3
    assert found["HT"].planned < found["S7"].planned
    assert "<svg" in leads_svg(leads)


@pytest.mark.slow
def test_the_exact_values_of_the_two_leads():
    for lead, tricks in FUSION_EXACT.items():
        found = solve(extensive(make_game(f"{FUSION},lead={lead}")), 300)
        assert 2 + 2 * found.values[0] == pytest.approx(tricks, abs=2e-3)


def test_searches_choose_by_the_same_worlds_as_enumeration(leads):
    state = as_seen(dealt(make_game(FUSION), 5), 0)
    sampled = pimc_search(state, Limit(simulations=2000), seed=3)
    for report in leads.reports:
        assert 2 + 2 * sampled.values[report.card] == pytest.approx(report.opened, abs=0.06)
    again = ismcts_search(state, Limit(simulations=20_000), seed=1)
    assert again == ismcts_search(state, Limit(simulations=20_000), seed=1)
    assert again.simulations == 20_000


@pytest.mark.slow
def test_a_small_deal_is_solved_by_cfr_between_the_two():
    game = make_game("minibridge:cards=2,suits=2,north=A.K,south=Q.J,leader=S")
    found = solve(extensive(game), 200)
    planned = compare_leads(game, simulations=20_000, seed=1)
    best = max(report.opened for report in planned.reports)
    assert 1 + found.values[0] <= best + 1e-3
    assert found.exploitability < 0.01


def test_players_play_it():
    game = make_game("minibridge:cards=3,goal=2")
    assert {"ismcts", "pimc", "random"} <= set(players_for(game))
    record = play_game(
        game, [make_player("ismcts:simulations=200", game, 1), make_player("pimc:worlds=5", game, 2)], seed=4
    )
    assert record.complete
    assert set(record.returns) == {1.0, -1.0}
    assert utility(record.states(game.initial)[-1], 0) == record.returns[0]


def test_searches_with_open_cards_refuse():
    with pytest.raises(UnsuitableGame, match="alphabeta cannot play minibridge: players do not see everything"):
        make_player("alphabeta", make_game("minibridge"))
    with pytest.raises(UnsuitableGame, match="pimc cannot play battleship: it does not say what may be hidden"):
        make_player("pimc", make_game("battleship"))
    with pytest.raises(UnsuitableGame, match="everything is seen"):
        make_player("ismcts", make_game("tictactoe"))


def test_poker_is_played_by_information_sets():
    game = make_game("kuhn")
    king = result(result(game.initial, 2), 0)
    called = result(result(king, 0), 1)  # check, bet: with the king one calls
    found = ismcts_search(as_seen(called, 0), Limit(simulations=2000), utilities=game.utilities)
    assert found.action == 1
    assert found.values[1] == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"cards": 11}, "1 to 10 cards"),
        ({"cards": 3, "suits": 5}, "1 to 4 suits"),
        ({"cards": 4, "suits": 1}, "cannot be 1 suits"),
        ({"goal": 5}, "from 0 to 4, not 5"),
        ({"trump": "D"}, "the suits are S, H"),
        ({"north": "AK.QJ"}, "give both north and south"),
        ({"north": "AK.QJ", "south": "AQ.T9"}, "a card in common"),
        ({"north": "AK.Q2", "south": "J.T98"}, "there is no card '2'"),
        ({"north": "AKQ.QJ", "south": "J.T98"}, "must be 4 different cards"),
        ({"north": "AK.Q.J", "south": "J.T98"}, "has 3 suits"),
        ({"north": "AK.QJ", "south": "QJ.A7", "leader": "S", "lead": "HQ"}, "must be a card of the hand that leads"),
    ],
)
def test_wrong_options(options, message):
    with pytest.raises(BadOption, match=re.escape(message)):
        minibridge(**options)


def test_the_command(command, tmp_path):
    out = tmp_path / "leads.svg"
    run = command("bridge", "--simulations", "2000", "--seed", "1", "--out", str(out))
    assert run.returncode == 0, run.stderr
    assert "PIMC plays HT, information set MCTS plays" in run.stdout
    assert out.read_text(encoding="utf-8").startswith("<svg")
    answer = json.loads(command("bridge", "minibridge:cards=3,suits=3", "--seed", "4", "--json").stdout)
    assert answer["tricks"] == min(answer["leads"].values())  # West leads
    assert np.all([0 <= tricks <= 3 for tricks in answer["leads"].values()])
    for arguments, message in ((("kuhn",), "is not mini-bridge"), (("--simulations", "0"), "at least 1")):
        wrong = command("bridge", *arguments)
        assert wrong.returncode == 2
        assert message in " ".join(wrong.stderr.split())


def test_chance_deals():
    assert to_move(make_game(FUSION).initial) == CHANCE
