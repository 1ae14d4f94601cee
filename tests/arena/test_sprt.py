"""The sequential test: Wald's own numbers where there are such, and the promised errors where there are not."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.sprt import Sprt, expected_score
from plyground.errors import BadOption


def test_bounds_are_walds():
    assert Sprt(0, 5, alpha=0.05, beta=0.1).bounds == pytest.approx((math.log(0.1 / 0.95), math.log(0.9 / 0.05)))


@given(st.integers(0, 60), st.integers(0, 60))
def test_wins_and_losses_alone_give_walds_ratio(wins, losses):
    test = Sprt(0, 60, singles=[losses, 0, wins])
    low, high = expected_score(0), expected_score(60)
    wald = wins * math.log(high / low) + losses * math.log((1 - high) / (1 - low))
    assert test.llr == pytest.approx(wald, abs=0.01)
    assert test.games == wins + losses


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5), st.floats(-200, 200), st.floats(1, 200))
def test_seen_from_the_other_side_the_ratio_turns_round(pairs, elo0, width):
    one = Sprt(elo0, elo0 + width, pairs=pairs)
    other = Sprt(-elo0 - width, -elo0, pairs=pairs[::-1])
    assert one.llr == pytest.approx(-other.llr, abs=1e-6)


@given(st.lists(st.integers(0, 50), min_size=5, max_size=5), st.integers(0, 3))
def test_a_better_score_speaks_for_h1(pairs, at):
    better = list(pairs)
    better[at + 1] += 1
    worse = list(pairs)
    worse[at] += 1
    assert Sprt(0, 30, pairs=better).llr >= Sprt(0, 30, pairs=worse).llr - 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(("draws", "alpha"), [(0.05, 0.05), (0.5, 0.1)])
def test_wrong_verdicts_are_as_rare_as_promised(draws, alpha):
    rng = np.random.default_rng(6)
    runs = 250
    for elo, wrong in ((0.0, "H1"), (100.0, "H0")):
        wins = expected_score(elo) - draws / 2
        games = rng.choice([0.0, 0.5, 1.0], p=[1 - draws - wins, draws, wins], size=(runs, 1000, 2)).tolist()
        errors = 0
        for pairs in games:
            test = Sprt(0, 100, alpha, alpha)
            for first, second in pairs:
                test.update(first, second)
                if test.decision:
                    break
            assert test.decision
            errors += test.decision == wrong
        assert errors <= runs * alpha + 3 * math.sqrt(runs * alpha * (1 - alpha))


def test_a_pair_says_more_than_its_two_games_where_the_opening_decides():
    """Each opening is won by black, whoever it is: single games look noisy, pairs are certain."""
    pairs, singles = Sprt(-20, 20), Sprt(-20, 20)
    for number in range(100):
        first, second = (1, 0) if number % 10 else (1, 1)
        pairs.update(first, second)
        singles.update(first)
        singles.update(second)
    assert pairs.llr > singles.llr > 0
    assert pairs.score == singles.score == 0.55
    assert pairs.games == singles.games == 200


def test_what_is_said_while_it_runs_and_at_the_end():
    test = Sprt(0, 50)
    assert (test.decision, test.llr, test.score, test.games) == (None, 0, None, 0)
    assert test.text == "not decided yet (LLR +0.00, bounds -2.94 and +2.94, 0 games)"
    for _ in range(50):
        test.update(1, 1)
    assert test.decision == "H1"
    assert test.text.startswith("H1: +50 Elo is more likely")
    other = Sprt(0, 50)
    for _ in range(50):
        other.update(0, 0)
    assert other.decision == "H0"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((5, 5), "elo0 must be less than elo1"),
        ((math.nan, 5), "elo0 must be less than elo1"),
        ((0, 5, 0.0), "alpha is a risk between 0 and 0.5, not 0"),
        ((0, 5, 0.05, 0.6), "beta is a risk between 0 and 0.5, not 0.6"),
    ],
)
def test_bad_settings_are_refused(arguments, message):
    with pytest.raises(BadOption, match=message):
        Sprt(*arguments)


def test_a_game_is_won_drawn_or_lost():
    test = Sprt()
    with pytest.raises(BadOption, match=r"scored 0, 0.5 or 1, not 0.7"):
        test.update(1, 0.7)
    assert test.games == 0
