"""Ratings: known strengths are found, intervals hold what they promise, and nothing is made up."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.arena.ratings import ELO, Tally, rate, tally
from plyground.arena.results import GameResult, PlayerEntry
from plyground.errors import BadOption, UnknownName

NAMES = [f"p{i}" for i in range(8)]
COUNTS = st.integers(0, 30)
TABLES = st.lists(
    st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), COUNTS, COUNTS, COUNTS), min_size=0, max_size=12
)


def shares(elo: np.ndarray, nu: float) -> np.ndarray:
    """Chances of win, draw and loss at these differences, written down a second time."""
    d = np.asarray(elo) / ELO
    weights = np.stack([np.exp(d / 2), np.full_like(d, nu), np.exp(-d / 2)], axis=-1)
    return weights / weights.sum(axis=-1, keepdims=True)


def game(*players: str, returns: tuple[float, ...], kind: str = "nim") -> GameResult:
    return GameResult(f"t/{players}", kind, tuple(PlayerEntry(name) for name in players), returns)


# Known strengths -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("nu", [0.0, 0.7])
def test_true_strengths_lie_in_their_intervals_as_often_as_promised(nu):
    """Eight players, 500 games each pair, 200 times: one interval holds in 95%, all joint ones at once in 95%."""
    rng = np.random.default_rng(8)
    true = np.array([-260.0, -150, -60, -20, 10, 80, 150, 250])
    first, second = np.triu_indices(8, 1)
    outcomes = rng.multinomial(500, shares(true[first] - true[second], nu), size=(200, len(first)))
    single, joint, anchored = 0, 0, 0
    for repetition in outcomes.tolist():
        pairs = zip(first.tolist(), second.tolist(), repetition, strict=True)
        table = [(NAMES[i], NAMES[j], *counts) for i, j, counts in pairs]
        free, fixed = rate(table), rate(table, anchor="p3", at=-20)
        by_mean = {name: value - true.mean() for name, value in zip(NAMES, true.tolist(), strict=True)}
        by_anchor = dict(zip(NAMES, true.tolist(), strict=True))
        single += sum(row.low <= by_mean[row.name] <= row.high for row in free.rows)
        joint += all(row.joint_low <= by_mean[row.name] <= row.joint_high for row in free.rows)
        anchored += all(row.joint_low <= by_anchor[row.name] <= row.joint_high for row in fixed.rows)
    assert 0.935 < single / 1600 < 0.965
    assert 181 <= joint <= 198
    assert 181 <= anchored <= 200  # differences to one player hang together: a little more than promised


def test_two_players_have_the_textbook_solution():
    ratings = rate([("a", "b", 75, 0, 25)], anchor="b")
    row = ratings["a"]
    assert row.rating == pytest.approx(400 * math.log10(3))
    assert row.high - row.rating == pytest.approx(1.959964 * ELO * math.sqrt(1 / 75 + 1 / 25))
    assert (ratings["b"].rating, ratings["b"].low, ratings["b"].high) == (0, 0, 0)
    assert ratings.draws == 0


def test_davidsons_draws_have_the_textbook_solution():
    """Wins to losses give the difference, D^2 / (W L) gives nu^2; the weak prior vanishes in many games."""
    ratings = rate([("a", "b", 40_000, 30_000, 10_000)], anchor="b")
    assert ratings["a"].rating == pytest.approx(400 * math.log10(4), abs=0.05)
    assert ratings.draws == pytest.approx(1.5, abs=0.001)


def test_the_likelihood_of_superiority_is_that_of_a_match():
    assert rate([("a", "b", 55, 0, 45)]).superiority("a", "b") == pytest.approx(0.8413, abs=0.002)
    assert rate([("a", "b", 55, 0, 45)]).superiority("b", "a") == pytest.approx(0.1587, abs=0.002)
    assert rate([("a", "b", 50, 10, 50)]).superiority("a", "b") == pytest.approx(0.5)


@given(TABLES)
def test_who_is_rated_by_a_number_scores_what_the_model_expects(table):
    ratings = rate(table)
    exact = {row.name for row in ratings.rows if row.rating is not None and not row.bound}
    lead = dict.fromkeys(exact, 0.0)
    for a, b, wins, draws, losses in table:
        if a == b or not {a, b} <= exact or ratings[a].group != ratings[b].group:
            continue
        win, _, loss = shares(np.array(ratings[a].rating - ratings[b].rating), ratings.draws)
        surplus = wins - losses - (wins + draws + losses) * (win - loss)
        lead[a] += surplus
        lead[b] -= surplus
    assert max(map(abs, lead.values()), default=0) < 1e-3


@given(TABLES, st.randoms())
def test_the_order_of_games_and_names_does_not_matter(table, random):
    other = [(b, a, losses, draws, wins) if random.random() < 0.5 else (a, b, wins, draws, losses)
             for a, b, wins, draws, losses in random.sample(table, len(table))]  # fmt: skip
    one, two = rate(table), rate(other)
    assert [row.name for row in one.rows if row.rating is None] == [row.name for row in two.rows if row.rating is None]
    for row in one.rows:
        same = two[row.name]
        assert (row.bound, row.games, row.wins, row.draws) == (same.bound, same.games, same.wins, same.draws)
        assert row.rating == pytest.approx(same.rating, abs=1e-3)


@given(TABLES)
def test_many_players_are_rated_as_few_are(table):
    few = rate(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyground.arena.ratings.DENSE", 0)
        many = rate(table)
    for row in few.rows:
        assert many[row.name].rating == pytest.approx(row.rating, abs=1e-3)
        assert many[row.name].high == pytest.approx(row.high, abs=1e-3)


@given(TABLES)
def test_nothing_that_is_said_is_infinite(table):
    ratings = rate(table)
    for row in ratings.rows:
        for value in (row.rating, row.low, row.high, row.joint_low, row.joint_high):
            assert value is None or math.isfinite(value)
        if row.low is not None:
            assert row.joint_low <= row.low <= row.rating <= row.high <= row.joint_high
        for other in ratings.rows:
            chance = ratings.superiority(row.name, other.name)
            opposite = ratings.superiority(other.name, row.name)
            assert (chance is None) == (opposite is None)
            if chance is not None:
                assert chance + opposite == pytest.approx(1)
                assert row.group == other.group
    assert sum(row.points for row in ratings.rows) * 2 == sum(row.games for row in ratings.rows)


@given(TABLES, st.sampled_from("abcde"), st.floats(-3000, 3000))
def test_the_anchor_stands_where_it_is_put(table, anchor, at):
    ratings = rate(table, anchor=anchor, at=at, players=["a", "b", "c", "d", "e"])
    assert ratings[anchor].rating == pytest.approx(at)
    assert ratings.rows[0].group == ratings[anchor].group


# What games do not tell ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", [1, 5, 100])
def test_who_has_always_won_is_rated_at_least(games):
    row = rate([("a", "b", games, 0, 0)], anchor="b")["a"]
    p = 0.05 ** (1 / games)  # were the chance of a win below this, so many wins would be seen in less than 5%
    assert row.rating == pytest.approx(400 * math.log10(p / (1 - p)))
    assert (row.bound, row.low, row.high) == ("at least", None, None)
    assert row.text == f"≥ {round(row.rating):+d}"
    assert rate([("a", "b", games, 0, 0)], anchor="a")["b"].rating == pytest.approx(-row.rating)
    assert rate([("a", "b", games, 0, 0)], anchor="a")["b"].bound == "at most"


def test_bounds_stand_on_each_other_and_leave_the_rest_alone():
    middle = [("b", "c", 30, 10, 20), ("c", "d", 25, 5, 30)]
    ratings = rate([*middle, ("a", "b", 8, 0, 0), ("z", "a", 4, 0, 0), ("d", "e", 9, 0, 0)])
    alone = rate(middle)
    assert [row.name for row in ratings.rows][:2] == ["z", "a"]
    assert [row.bound for row in ratings.rows] == ["at least", "at least", "", "", "", "at most"]
    for name in "bcd":
        assert ratings[name].rating == pytest.approx(alone[name].rating, abs=1e-6)
        assert ratings[name].low == pytest.approx(alone[name].low, abs=1e-6)
    assert ratings.superiority("z", "e") > ratings.superiority("a", "b") > 0.99
    assert any("≥" in note for note in ratings.notes)


def test_a_win_over_the_same_loser_compares_nobody():
    ratings = rate([("a", "c", 5, 0, 0), ("b", "c", 5, 0, 0)])
    assert ratings.superiority("a", "b") is None
    ratings = rate([("a", "c", 5, 0, 0), ("b", "c", 5, 0, 0)], anchor="a")
    assert ratings["b"].text == "not comparable"
    assert ratings["c"].bound == "at most"
    assert any("not comparable" in note for note in ratings.notes)


def test_groups_that_never_met_are_said_to_be_so():
    ratings = rate([("a", "b", 6, 0, 4), ("c", "d", 1, 1, 1)])
    assert [row.group for row in ratings.rows] == [0, 0, 1, 1]
    assert "2 groups without a game between them" in ratings.notes[0]
    assert ratings.superiority("a", "c") is None
    joined = rate([("a", "b", 6, 0, 4), ("c", "d", 1, 1, 1), ("a", "d", 0, 1, 0)])
    assert {row.group for row in joined.rows} == {0}
    assert joined.notes == ()


def test_draws_alone_make_equals_with_a_wide_interval():
    few, many = rate([("a", "b", 0, 5, 0)]), rate([("a", "b", 0, 500, 0)])
    for ratings in (few, many):
        assert [row.text for row in ratings.rows] == ["0", "0"]
        assert ratings.superiority("a", "b") == 0.5
    assert few["a"].high > many["a"].high > 100


def test_no_games_one_player_and_nobody():
    assert rate([]).rows == ()
    ratings = rate([], players=["a"])
    assert [row.text for row in ratings.rows] == ["no games"]
    assert rate([], players=["a"], anchor="a", at=1500)["a"].rating == 1500
    assert rate([("a", "b", 0, 0, 0)])["a"].text == "no games"
    ratings = rate([("a", "b", 3, 0, 3)], players=["c"])
    assert [row.text for row in ratings.rows] == ["0", "0", "no games"]
    assert ratings.notes == ()
    assert rate([("a", "a", 3, 0, 3)])["a"].games == 0


# Games ---------------------------------------------------------------------------------------------------------------


def test_games_are_counted_by_pairs():
    results = [
        game("a", "b", returns=(1, -1)),
        game("b", "a", returns=(0, 0)),
        game("a", "a", returns=(1, -1)),
        game("a", "", returns=(1, -1)),
        game("a", returns=(1,)),
        game("a", "b", "c", returns=(2, 1, 1)),
    ]
    assert sorted(tally(results)) == [
        ("a", "b", 2, 0, 0),
        ("a", "c", 1, 0, 0),
        ("b", "a", 0, 1, 0),
        ("b", "c", 0, 1, 0),
    ]
    assert rate(results)["a"].points == 3.5


def test_players_of_one_name_are_told_apart():
    players = [PlayerEntry("s", "course:file=s.py", "1234567890"), PlayerEntry("s", "course:file=s.py", "abcdefghij")]
    players += [PlayerEntry("s"), PlayerEntry("r", "random")]
    results = [GameResult(f"t/{i}", "nim", (players[i], players[-1]), (1, -1)) for i in range(3)]
    assert {row.first for row in tally(results)} == {
        "s (course:file=s.py, 12345678)", "s (course:file=s.py, abcdefgh)", "s (spec unknown)",
    }  # fmt: skip
    assert {row.second for row in tally(results)} == {"r"}


def test_bad_input_is_refused_in_one_line():
    with pytest.raises(BadOption, match="a rating is for one game, and these are of nim and reversi"):
        rate([game("a", "b", returns=(1, -1)), game("a", "b", returns=(1, -1), kind="reversi")])
    with pytest.raises(UnknownName, match="no player 'x' among those who are rated; there are: a, b"):
        rate([("a", "b", 1, 0, 0)], anchor="x")
    with pytest.raises(UnknownName):
        rate([("a", "b", 1, 0, 0)])["x"]
    with pytest.raises(UnknownName):
        rate([("a", "b", 1, 0, 0)]).superiority("a", "x")
    with pytest.raises(BadOption, match="counted from 0, not -1"):
        rate([Tally("a", "b", 1, -1, 0)])
    with pytest.raises(BadOption, match="number of points"):
        rate([("a", "b", 1, 0, 0)], at=math.nan)


@settings(max_examples=20)
@given(st.integers(2, 40), st.integers(0, 10**6))
def test_many_players_with_few_games_are_rated(players, seed):
    rng = np.random.default_rng(seed)
    pairs = rng.integers(0, players, (2 * players, 2)).tolist()
    table = [(str(a), str(b), *rng.integers(0, 2, 3).tolist()) for a, b in pairs]
    assert len(rate(table).rows) == len({name for row in table for name in row[:2]})
