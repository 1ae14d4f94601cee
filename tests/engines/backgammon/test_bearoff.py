"""Bear-off tables of backgammon: by hand, and beside GNU Backgammon's."""

from __future__ import annotations

import random

import numpy as np
import pytest

from plyground import make_game
from plyground.engines.backgammon.bearoff import (
    CENTRED,
    OTHERS_CUBE,
    OWN_CUBE,
    at_home,
    bearoff_place,
    bearoff_tables,
    men_at_place,
)
from plyground.games.backgammon.board import men_on, placed

NOBODY = (0, 0, 0, 0)


def home(*numbers):
    """A side's men on points 1, 2, ..."""
    men = NOBODY
    for point, number in enumerate(numbers, start=1):
        men = placed(men, point, number)
    return men


def numbers(men):
    return tuple(men_on(men, point) for point in range(1, 7))


def test_places_are_numbered_without_a_gap_those_of_few_men_first():
    assert bearoff_place(NOBODY) == 0
    assert bearoff_place(home(0, 0, 0, 0, 0, 15)) == 54_263
    for place in [*range(0, 54_264, 1009), 923, 924]:
        men = men_at_place(place)
        assert bearoff_place(men) == place
        assert (sum(numbers(men)) <= 6) == (place < 924)
    assert at_home(home(1))
    assert not at_home(make_game("backgammon").initial.first)


def test_the_tables_are_right_where_they_can_be_counted():
    tables = bearoff_tables()
    assert list(tables.turns(home(1))[:3]) == [0, 1, 0]
    assert tables.turns(home(0, 0, 0, 0, 0, 1))[1] == pytest.approx(27 / 36)  # all but 1-1, 2-1, 3-1, 4-1, 3-2
    assert tables.turns(home(0, 0, 0, 0, 1, 1))[1] == pytest.approx(6 / 36)
    assert np.allclose(tables.chances.sum(axis=1), 1)
    both = home(0, 0, 0, 0, 1, 1)
    assert tables.win(both, home(1)) == pytest.approx(6 / 36)
    assert tables.equity(both, home(1)) == pytest.approx(2 * 6 / 36 - 1)
    assert tables.equity(home(7), home(1)) is None
    # With a man on each of two points the roll wins with 26 of 36: a double is right, and so is to take it.
    last = home(1, 0, 0, 1)
    chance = float(tables.turns(last)[1])
    assert chance == pytest.approx(29 / 36)
    assert tables.equity(last, home(1), CENTRED) == 1.0  # doubled and passed: 29/36 is more than three quarters
    less = home(0, 1, 0, 0, 1)  # 19 of 36
    assert tables.turns(less)[1] == pytest.approx(19 / 36)
    assert tables.equity(less, home(1), OTHERS_CUBE) == pytest.approx(2 * 19 / 36 - 1)
    assert tables.equity(less, home(1), OWN_CUBE) == pytest.approx(2 * (2 * 19 / 36 - 1))


@pytest.mark.slow
def test_the_tables_are_those_of_gnubg():
    gnubg = pytest.importorskip("gnubg_nn", reason="needs the extra test: pip install '.[test]'")
    tables, turns = bearoff_tables(), np.arange(32)
    others = 0
    for place in range(1, 54_264):
        men = men_at_place(place)
        theirs = np.zeros(32)
        given = gnubg.bearoff_probabilities(numbers(men))
        theirs[1 : len(given) + 1] = given
        ours = tables.chances[place]
        assert theirs @ turns == pytest.approx(ours @ turns, abs=2.5e-4)  # theirs are kept in 16 bits
        others += abs(theirs - ours).max() > 1e-4
    assert others == 220  # two plays are as good to within their rounding, and the other one is taken
    rng = random.Random(1)
    for _ in range(50_000):
        mine, other = men_at_place(rng.randrange(1, 924)), men_at_place(rng.randrange(1, 924))
        board = [[men_on(side, point) for point in range(1, 26)] for side in (other, mine)]
        assert gnubg.probabilities(board, gnubg.p_bearoff)[0] == pytest.approx(tables.win(mine, other), abs=1e-4)
