"""Nash equilibria: three algorithms against each other, against nashpy and Gambit, and degenerate games."""

from __future__ import annotations

import io
import random
import warnings
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.errors import BadOption
from plyground.subjects.matrix.analysis import analyse
from plyground.subjects.matrix.best_response import best_responses, is_equilibrium, pure_equilibria, regrets
from plyground.subjects.matrix.lemke_howson import lemke_howson, lemke_howson_all
from plyground.subjects.matrix.matrix_game import MatrixGame, transposed, zero_sum_game
from plyground.subjects.matrix.named_games import NAMED_GAMES, named_game
from plyground.subjects.matrix.supports import support_count, support_equilibria
from plyground.subjects.matrix.vertices import vertex_equilibria


def table(rows):
    return tuple(tuple(Fraction(value) for value in row) for row in rows)


def bimatrix(first, second):
    return MatrixGame(table(first), table(second))


def random_game(chance, rows, columns, most=99):
    return bimatrix(
        *([[chance.randint(-most, most) for _ in range(columns)] for _ in range(rows)] for _ in range(2)),
    )


@st.composite
def games(draw, most=2, largest=4):
    """Small numbers, so that most of the games are degenerate."""
    rows, columns = draw(st.integers(1, largest)), draw(st.integers(1, largest))
    cells = st.lists(st.integers(-most, most), min_size=columns, max_size=columns)
    tables = st.lists(cells, min_size=rows, max_size=rows)
    return bimatrix(draw(tables), draw(tables))


# Peers --------------------------------------------------------------------------------------------------------------


def gambit_equilibria(game):
    """What Gambit's vertex enumeration finds, in fractions."""
    import pygambit

    rows, columns = game.shape
    numbers = " ".join(f"{game.first[i][j]} {game.second[i][j]}" for j in range(columns) for i in range(rows))
    text = f'NFG 1 R "x" {{ "a" "b" }} {{ {rows} {columns} }}\n\n{numbers}\n'
    found = pygambit.nash.enummixed_solve(pygambit.read_nfg(io.BytesIO(text.encode())), rational=True)
    return sorted(
        tuple(
            tuple(Fraction(str(profile[player][str(number + 1)])) for number in range(count))
            for player, count in zip("ab", game.shape, strict=True)
        )
        for profile in found.equilibria
    )


def same_as_nashpy(game, found):
    """Its vertex enumeration finds the same; its support enumeration, which loses some to rounding, no others."""
    import nashpy

    peer = nashpy.Game(*game.arrays)
    ours = [tuple(np.array(mixed, dtype=float) for mixed in profile) for profile in found]

    def places(theirs):
        return [
            [all(np.allclose(a, b, atol=1e-9) for a, b in zip(mine, other, strict=True)) for mine in ours].index(True)
            for other in theirs
        ]

    assert sorted(places(peer.vertex_enumeration())) == list(range(len(ours)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RuntimeWarning)  # that it has lost some
        places(peer.support_enumeration())


def check_against_peers(count, seed):
    chance = random.Random(seed)
    compared = 0
    for _ in range(count):
        game = random_game(chance, chance.randint(2, 5), chance.randint(2, 5))
        vertices = vertex_equilibria(game)
        assert sorted(vertices.extreme) == gambit_equilibria(game)
        if vertices.degeneracy is None:
            found = support_equilibria(game)
            assert sorted(found) == sorted(vertices.extreme)
            same_as_nashpy(game, found)
            compared += 1
    assert compared > 0.9 * count


def test_random_games_have_the_equilibria_that_nashpy_and_gambit_find():
    check_against_peers(40, seed=1)


@pytest.mark.slow
def test_two_thousand_random_games_have_the_equilibria_that_nashpy_and_gambit_find():
    check_against_peers(2000, seed=2)


def test_degenerate_games_have_the_extreme_equilibria_that_gambit_finds():
    chance = random.Random(3)
    degenerate = 0
    for _ in range(80):
        game = random_game(chance, chance.randint(1, 4), chance.randint(1, 4), most=1)
        vertices = vertex_equilibria(game)
        assert sorted(vertices.extreme) == gambit_equilibria(game)
        degenerate += vertices.degeneracy is not None
    assert degenerate > 40


# Against each other -------------------------------------------------------------------------------------------------


@given(games())
def test_whatever_is_found_is_an_equilibrium_and_none_is_missed(game):
    vertices = vertex_equilibria(game)
    assert vertices.extreme
    assert all(is_equilibrium(game, profile) for profile in vertices.extreme)
    supports = support_equilibria(game)
    assert set(supports) <= set(vertices.extreme)
    assert {path.equilibrium for path in lemke_howson_all(game)} <= set(vertices.extreme)
    pure = {(x.index(1), y.index(1)) for x, y in vertices.extreme if 1 in x and 1 in y}
    assert pure == set(pure_equilibria(game))
    if vertices.degeneracy is None:
        assert set(supports) == set(vertices.extreme)
        assert len(supports) % 2 == 1
        assert all(component.single for component in vertices.components)


@given(games(), st.randoms(use_true_random=False))
def test_every_mixture_within_a_face_is_an_equilibrium(game, chance):
    for component in vertex_equilibria(game).components:
        for face in component.faces:
            profile = []
            for strategies in (face.first, face.second):
                weights = [chance.randint(1, 5) for _ in strategies]
                mixed = [
                    sum((w * s[place] for w, s in zip(weights, strategies, strict=True)), Fraction(0)) / sum(weights)
                    for place in range(len(strategies[0]))
                ]
                profile.append(tuple(mixed))
            assert is_equilibrium(game, (profile[0], profile[1]))


@given(games())
def test_degeneracy_is_explained_by_a_strategy_with_too_many_best_responses(game):
    why = vertex_equilibria(game).degeneracy
    if why is not None:
        assert best_responses(game, 1 - why.player, why.strategy) == why.responses
        assert len(why.responses) > sum(1 for weight in why.strategy if weight)


@settings(max_examples=60)
@given(games(largest=3))
def test_changing_places_changes_the_places_of_the_equilibria(game):
    turned = MatrixGame(transposed(game.second), transposed(game.first))
    assert {(y, x) for x, y in vertex_equilibria(game).extreme} == set(vertex_equilibria(turned).extreme)


@settings(max_examples=60)
@given(games(largest=3), st.integers(1, 5), st.integers(-3, 3))
def test_a_positive_affine_change_of_utilities_keeps_the_equilibria(game, factor, more):
    changed = MatrixGame(table([[factor * value + more for value in row] for row in game.first]), game.second)
    assert vertex_equilibria(game).extreme == vertex_equilibria(changed).extreme


def test_payoffs_that_floating_point_cannot_tell_apart_are_told_apart():
    tiny = Fraction(1, 10**30)
    game = bimatrix([[1 + tiny, 1], [1, 1 + 2 * tiny]], [[1, 1 + tiny], [1 + tiny, 1]])
    (profile,) = support_equilibria(game)
    assert profile == ((Fraction(1, 2), Fraction(1, 2)), (Fraction(2, 3), Fraction(1, 3)))


# Known games --------------------------------------------------------------------------------------------------------

THIRD = Fraction(1, 3)
KNOWN = {
    "prisoners-dilemma": [((0, 1), (0, 1))],
    "prisoners-dilemma-10": [((0, 1), (0, 1))],
    "matching-pennies": [((Fraction(1, 2),) * 2,) * 2],
    "rock-paper-scissors": [((THIRD,) * 3,) * 2],
    "stag-hunt": [((1, 0), (1, 0)), ((0, 1), (0, 1)), ((Fraction(3, 4), Fraction(1, 4)),) * 2],
    "chicken": [((1, 0), (0, 1)), ((0, 1), (1, 0)), ((Fraction(9, 10), Fraction(1, 10)),) * 2],
    "battle-of-the-sexes": [
        ((1, 0), (1, 0)),
        ((0, 1), (0, 1)),
        ((Fraction(3, 5), Fraction(2, 5)), (Fraction(2, 5), Fraction(3, 5))),
    ],
}


@pytest.mark.parametrize("name", KNOWN)
def test_named_games_have_their_equilibria(name):
    assert sorted(one.profile for one in analyse(named_game(name)).equilibria) == sorted(KNOWN[name])


def test_the_dilemma_is_one_in_both_tables():
    for name, silent, betrayed in (("prisoners-dilemma", 1, 2), ("prisoners-dilemma-10", 1, 8)):
        found = analyse(named_game(name))
        assert found.game.costs
        assert found.dominant == (1, 1)
        (equilibrium,) = found.equilibria
        assert equilibrium.utilities == (-betrayed, -betrayed)
        assert equilibrium.better == ((0, 0),)
        assert found.game.first[0][0] == silent
        assert (1, 1) not in found.front


def test_a_segment_of_equilibria_is_one_component():
    found = analyse(named_game("degenerate"))
    assert found.degeneracy is not None
    (component,) = found.components
    assert [len(face.first) for face in component.faces] == [2]
    assert not component.single


def test_two_segments_that_meet_are_one_component():
    # Whatever both do pays the same, unless both choose the second strategy.
    game = bimatrix([[0, 0], [0, -1]], [[0, 0], [0, -1]])
    found = vertex_equilibria(game)
    assert len(found.extreme) == 3
    (component,) = found.components
    assert len(component.faces) == 2


def test_a_game_without_any_difference_is_all_equilibrium():
    found = vertex_equilibria(bimatrix([[7] * 3] * 2, [[7] * 3] * 2))
    assert len(found.extreme) == 6
    assert len(found.components) == 1


def test_nobody_regrets_in_an_equilibrium_only():
    game = named_game("prisoners-dilemma")
    silent, betray = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(1))
    assert regrets(game, (betray, betray)) == (0, 0)
    assert regrets(game, (silent, silent)) == (1, 1)
    assert regrets(game, (silent, betray)) == (1, 0)


def test_lemke_howson_ends_in_degenerate_games_from_every_label():
    game = bimatrix([[0, 0, 0], [0, 0, 0], [0, 0, 1]], [[0, 0, 0], [0, 0, 0], [0, 0, 1]])
    for path in lemke_howson_all(game):
        assert path.picked[-1] == path.dropped
        assert is_equilibrium(game, path.equilibrium)


def test_lemke_howson_solves_games_too_large_for_enumeration():
    game = random_game(random.Random(4), 25, 20)
    path = lemke_howson(game, 3)
    assert is_equilibrium(game, path.equilibrium)
    found = analyse(game)
    assert found.method == "Lemke-Howson"
    assert not found.complete
    assert all(is_equilibrium(game, one.profile) for one in found.equilibria)


def test_labels_and_sizes_that_are_not_there_are_refused():
    with pytest.raises(BadOption, match="no label 4"):
        lemke_howson(named_game("chicken"), 4)
    with pytest.raises(BadOption, match="pairs of supports"):
        support_equilibria(random_game(random.Random(5), 20, 20))
    assert support_count((5, 5)) == 251


def test_every_named_game_can_be_analysed():
    for name in NAMED_GAMES:
        found = analyse(named_game(name))
        assert found.complete
        assert found.equilibria


def test_zero_sum_equilibria_all_pay_the_value():
    chance = random.Random(6)
    for _ in range(20):
        game = zero_sum_game([[chance.randint(-2, 2) for _ in range(4)] for _ in range(3)])
        found = analyse(game)
        assert {one.utilities[0] for one in found.equilibria} == {found.solution.value}
