"""The repeated game: strategies as they are described, tournaments on the arena's plan, populations."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.arena.ratings import rate
from plyground.arena.tournament import standings
from plyground.errors import BadOption, UnknownName
from plyground.subjects.matrix.facts import series_facts
from plyground.subjects.matrix.game_text import read_game
from plyground.subjects.matrix.named_games import named_game
from plyground.subjects.matrix.pictures import tournament_svg
from plyground.subjects.matrix.repeated import DILEMMA, Horizon, ecology, hold_series, play_match
from plyground.subjects.matrix.strategies import COOPERATE, STRATEGIES


def played(first, second, rounds, **options):
    match = play_match(DILEMMA, (first, second), horizon=Horizon(rounds), **options)
    return tuple("".join("CD"[move] for move in moves) for moves in (match.first, match.second))


@pytest.mark.parametrize(
    ("strategy", "other", "moves"),
    [
        ("tit-for-tat", "alternate", "CCDCDC"),
        ("suspicious", "cooperate", "DCCCCC"),
        ("two-tats", "defect", "CCDDDD"),
        ("two-tats", "alternate", "CCCCCC"),
        ("two-tits", "alternate", "CCDDDD"),
        ("grim", "alternate", "CCDDDD"),
        ("pavlov", "defect", "CDCDCD"),
        ("pavlov", "cooperate", "CCCCCC"),
        ("gradual", "defect", "CDCCDDCC"),
        ("majority", "alternate", "CCCCCC"),
        ("hard-majority", "cooperate", "DCCCCC"),
        ("prober", "cooperate", "DCCDDD"),
        ("prober", "tit-for-tat", "DCCDDD"[:3] + "CCC"),
        ("tester", "tit-for-tat", "DCCCCC"),
        ("tester", "cooperate", "DCCDCDCD"),
        ("detective", "cooperate", "CDCCDDDD"),
        ("detective", "tit-for-tat", "CDCCCC"),
        ("last-word", "cooperate", "CCCCCD"),
        ("backward", "cooperate", "DDDDDD"),
        ("alternate", "defect", "CDCDCD"),
        ("contrite", "defect", "CDDDDD"),
    ],
)
def test_strategies_do_what_is_said_of_them(strategy, other, moves):
    assert played(strategy, other, len(moves))[0] == moves


def test_who_does_not_know_the_end_cannot_defect_just_before_it():
    for name in ("last-word", "backward"):
        match = play_match(DILEMMA, (name, "tit-for-tat"), horizon=Horizon(None, 0.95), seed=3)
        assert set(match.first) == {COOPERATE}


def test_contrition_ends_the_quarrel_that_a_slip_begins():
    def cooperation(name):
        match = play_match(DILEMMA, (name, name), horizon=Horizon(5000), noise=0.02, seed=1)
        return 1 - np.mean(match.first + match.second)

    assert cooperation("contrite") > 0.9 > cooperation("tit-for-tat")
    assert cooperation("generous") > 0.9


def test_extortion_takes_more_than_its_share():
    match = play_match(DILEMMA, ("extortionate", "cooperate"), horizon=Horizon(20_000), seed=1)
    mine, theirs = match.means
    assert mine - 1 == pytest.approx(2 * (theirs - 1), rel=0.05)


@settings(max_examples=60)
@given(st.sampled_from(sorted(STRATEGIES)), st.sampled_from(sorted(STRATEGIES)), st.integers(0, 99), st.booleans())
def test_matches_are_repeated_by_their_seed_and_pay_what_the_table_says(first, second, seed, noisy):
    options = {"horizon": Horizon(30), "noise": 0.1 if noisy else 0.0, "seed": seed}
    match = play_match(DILEMMA, (first, second), **options)
    assert match == play_match(DILEMMA, (first, second), **options)
    rounds = list(zip(match.first, match.second, strict=True))
    assert len(rounds) == 30
    assert match.means[0] == pytest.approx(float(sum(DILEMMA.first[a][b] for a, b in rounds)) / 30)
    assert match.means[1] == pytest.approx(float(sum(DILEMMA.second[a][b] for a, b in rounds)) / 30)


def test_tit_for_tat_never_wins_a_match_and_is_far_above_who_wins_most():
    series = hold_series(list(STRATEGIES), horizon=Horizon(100), repetitions=2, seed=1)
    names = list(series.strategies)
    assert series.wins[names.index("tit-for-tat")] == 0
    order = [names[number] for number in series.order]
    most = names[series.wins.index(max(series.wins))]
    assert most in ("defect", "backward")
    assert order.index("tit-for-tat") < 8 < order.index(most)


def test_results_are_the_arenas():
    names = ["tit-for-tat", "defect", "grim"]
    series = hold_series(names, horizon=Horizon(10), repetitions=4, seed=5, moves=True)
    assert len(series.results) == series.plan.total() == 12
    assert len({result.key for result in series.results}) == 12
    table = {line.name: line for line in standings(series.plan, list(series.results))}
    assert [table[name].wins for name in names] == list(series.wins)
    assert rate(series.results)["defect"].wins == table["defect"].wins
    assert len(series.results[0].moves) == 20
    assert series.results[0].moves[0].text == "cooperate"
    facts = series_facts(series)
    assert {row["name"] for row in facts["strategies"]} == set(names)
    assert facts["strategies"][0]["arena"]["games"] == 8


def test_means_and_scores_are_those_of_the_matches():
    series = hold_series(["tit-for-tat", "defect", "cooperate"], horizon=Horizon(4), repetitions=1)
    expected = np.array([[3, 0.75, 3], [2, 1, 5], [3, 0, 3]])
    assert np.allclose(series.means, expected)
    assert np.allclose(series.scores, expected.mean(axis=1))
    assert series.cooperation[0].tolist() == [1, 0.25, 1]


def test_defectors_grow_first_and_starve_later():
    series = hold_series(["cooperate", "defect", "tit-for-tat"], horizon=Horizon(100), repetitions=1)
    shares = ecology(series, 300)
    assert np.allclose(shares.sum(axis=1), 1)
    defectors = shares[:, 1]
    assert defectors[:10].max() > defectors[0]
    assert defectors[-1] < 0.01


def test_other_games_can_be_repeated_and_costs_are_turned_round():
    costs = named_game("prisoners-dilemma")
    series = hold_series(["cooperate", "defect"], game=costs, horizon=Horizon(5), repetitions=1)
    assert np.allclose(series.means, [[-1, -3], [0, -2]])
    hold_series(["pavlov", "grim"], game=named_game("chicken"), horizon=Horizon(5), repetitions=1)
    ElementTree.fromstring(tournament_svg(series))


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({"horizon": Horizon(10), "noise": 0.7}, "noise is a probability"),
        ({"horizon": Horizon(100_000), "repetitions": 1000}, "more than 50,000,000 rounds"),
        ({"game": named_game("battle-of-the-sexes")}, "same for both players"),
        ({"game": read_game("1 2 3; 4 5 6; 7 8 9")}, "two strategies"),
    ],
)
def test_what_cannot_be_played_is_refused(options, line):
    with pytest.raises(BadOption, match=line):
        hold_series(["tit-for-tat", "defect"], **options)


def test_names_and_horizons_that_do_not_fit_are_refused():
    with pytest.raises(UnknownName, match="did you mean 'tit-for-tat'"):
        hold_series(["tit-for-tats", "defect"])
    with pytest.raises(BadOption, match="same name"):
        hold_series(["defect", "defect"])
    for wrong in ((None, None), (5, 0.5), (0, None), (None, 1.0)):
        with pytest.raises(BadOption):
            Horizon(*wrong)
