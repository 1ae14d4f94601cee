"""Glicko-2 against its paper, and what must hold of any belief."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.glicko import Belief, updated

RATINGS = st.floats(-2000, 4000)
DEVIATIONS = st.floats(10, 350)


def test_the_example_of_the_paper():
    """Glickman, "Example of the Glicko-2 system" (2013): he rounds on the way, hence the tolerance."""
    after = updated(Belief(1500, 200, 0.06), [(1400, 30, 1), (1550, 100, 0), (1700, 300, 0)])
    assert after.rating == pytest.approx(1464.06, abs=0.02)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=1e-5)


@given(RATINGS, DEVIATIONS, RATINGS, DEVIATIONS)
def test_a_win_raises_a_loss_lowers_and_a_draw_lies_between(own, deviation, other, other_deviation):
    lost, drawn, won = (
        updated(Belief(own, deviation), [(other, other_deviation, score)]).rating for score in (0, 0.5, 1)
    )
    assert lost <= own <= won
    assert lost <= drawn <= won
    assert math.isfinite(lost)
    assert math.isfinite(won)


@given(RATINGS, DEVIATIONS, st.lists(st.tuples(RATINGS, DEVIATIONS, st.sampled_from([0.0, 0.5, 1.0])), max_size=30))
def test_a_belief_stays_one_whatever_is_played(own, deviation, results):
    belief = Belief(own, deviation)
    for result in results:
        belief = updated(belief, [result])
    assert 0 < belief.deviation <= 350
    assert 0 < belief.volatility < 1
    assert math.isfinite(belief.rating)


def test_without_games_nothing_changes():
    assert updated(Belief(1200, 80), []) == Belief(1200, 80)


def test_many_results_at_a_strength_lead_there():
    belief = Belief(300)
    for number in range(200):
        belief = updated(belief, [(1000, 20, number % 2)])
    assert belief.rating == pytest.approx(1000, abs=60)
    assert belief.deviation < 80
