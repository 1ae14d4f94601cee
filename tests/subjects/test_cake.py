"""Cakes: valuations against a slow literal model, procedures with what they promise, hostile input."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import BadOption, FormatError, UnknownName
from plyground.subjects.cake.division import METHODS, best_cut_knowing, divide
from plyground.subjects.cake.facts import division_facts
from plyground.subjects.cake.films import division_film
from plyground.subjects.cake.pictures import cake_svg
from plyground.subjects.cake.valuations import Valuation, read_valuation, read_valuations
from plyground.subjects.matrix.named_games import named_game
from plyground.subjects.matrix.zero_sum import solve_zero_sum

places = st.fractions(0, 1, max_denominator=40)


@st.composite
def valuations(draw, name="A"):
    heights = draw(st.lists(st.integers(0, 9), min_size=1, max_size=6).filter(any))
    widths = draw(st.lists(st.integers(1, 5), min_size=len(heights), max_size=len(heights)))
    text = " ".join(f"{height}*{width}" for height, width in zip(heights, widths, strict=True))
    return read_valuation(f"{name}: {text}")


@st.composite
def people(draw, least=2, most=5):
    return tuple(draw(valuations(name)) for name in "ABCDE"[: draw(st.integers(least, most))])


def slow_worth(person: Valuation, left: Fraction, right: Fraction) -> Fraction:
    """Every piece of the cake that lies inside, one by one."""
    return sum(
        (
            (min(b, right) - max(a, left)) * density
            for (a, b), density in zip(pairwise(person.borders), person.densities, strict=True)
            if min(b, right) > max(a, left)
        ),
        Fraction(0),
    )


@given(valuations(), places, places)
def test_worths_add_up_and_equal_the_slow_model(person, one, other):
    left, right = sorted((one, other))
    assert person.worth([(Fraction(0), Fraction(1))]) == 1
    assert person.worth([(left, right)]) == slow_worth(person, left, right)
    assert person.worth([(Fraction(0), left), (left, Fraction(1))]) == 1


@given(valuations(), places, places)
def test_a_cut_leaves_just_the_value_and_no_earlier_place_does(person, start, value):
    place = person.cut(start, value)
    rest = slow_worth(person, start, Fraction(1))
    if place is None:
        assert rest < value
    else:
        assert slow_worth(person, start, place) == value
        if place > start:
            assert slow_worth(person, start, (start + 3 * place) / 4) < value


@given(people())
def test_every_procedure_gives_the_whole_cake_away_proportionally(everybody):
    for method, (_, number) in METHODS.items():
        if number not in (None, len(everybody)):
            continue
        division = divide(everybody, method)
        pieces = sorted(piece for share in division.shares for piece in share if piece[0] < piece[1])
        assert pieces[0][0] == 0
        assert pieces[-1][1] == 1
        assert all(one[1] == other[0] for one, other in pairwise(pieces))
        assert division.proportional
        assert {piece for step in division.steps for piece in step.takes} == {
            piece for share in division.shares for piece in share
        }
        if method in ("cut-and-choose", "selfridge-conway"):
            assert division.envy_free
        assert all(sum(row) == 1 for row in division.worths)


@given(people(2, 2))
def test_who_cuts_has_exactly_half_and_more_only_by_knowing_the_other(two):
    division = divide(two, "cut-and-choose")
    assert division.worths[0][0] == Fraction(1, 2)
    place, hope = best_cut_knowing(*two)
    assert hope >= Fraction(1, 2)
    left = slow_worth(two[1], Fraction(0), place)
    assert left == Fraction(1, 2)


def test_minimax_gives_one_half_each():
    solution = solve_zero_sum(named_game("cake"))
    assert solution.value == Fraction(1, 2)
    same = divide(read_valuations(["1 2 3", "1 2 3"]))
    assert same.worths == ((Fraction(1, 2),) * 2,) * 2


def test_the_last_diminisher_can_leave_envy():
    division = divide(read_valuations(["Anna: 1 1 4", "Bert: 3 1 0", "Cleo: 1 2 1"]), "last-diminisher")
    assert division.proportional
    assert division.envy == ((1, 2), (2, 0))
    assert division.shares[1] == ((Fraction(0), Fraction(4, 27)),)
    facts = division_facts(division)
    assert facts["worths"][0] == ["83/108", "2/27", "17/108"]
    assert not facts["envy_free"]


def test_one_person_has_it_all():
    for method in ("moving-knife", "last-diminisher"):
        assert divide(read_valuations(["1 1"]), method).shares == (((Fraction(0), Fraction(1)),),)


@pytest.mark.parametrize("narrow", [False, True])
def test_divisions_are_drawn_step_by_step(narrow):
    division = divide(read_valuations(["<b>: 1 0", "&: 0 1", "C: 1 1"]), "moving-knife")
    ElementTree.fromstring(cake_svg(division, narrow=narrow))
    frames = division_film(division, narrow=narrow, lang="zh")
    assert len(frames) == len(division.steps) + 1
    for frame in frames:
        ElementTree.fromstring(frame.svg)


@pytest.mark.parametrize(
    ("texts", "line"),
    [
        (["Anna: 1 x"], "Anna, value 2: 'x' is not a number"),
        (["1 -1"], "A, value 2: '-1' is not a number from 0 up"),
        (["1*1/0"], "A, value 1: '1/0' divides by zero"),
        (["Anna: 0 0"], "Anna: the cake must be worth something"),
        (["Anna: 1*0"], "Anna: the cake must be worth something"),
        (["Anna:"], "Anna: write 1 to 200 values"),
        (["1e9"], "'1e9' is not a number"),
        (["9" * 30], "is not a number"),
        (["1 " * 201], "A: write 1 to 200 values"),
        ([": 1 2"], "a name has 1 to 40"),
        (["A: 1", "A: 2"], "same name"),
        (["1"] * 13, "1 to 12 people"),
        ([], "1 to 12 people"),
    ],
)
def test_what_is_wrong_with_a_valuation_is_said_in_one_line(texts, line):
    with pytest.raises(FormatError) as error:
        read_valuations(texts)
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_procedures_are_for_their_number_of_people():
    three = read_valuations(["1", "1 2", "2 1"])
    with pytest.raises(BadOption, match="cut-and-choose is for 2 people, not 3"):
        divide(three, "cut-and-choose")
    with pytest.raises(BadOption, match="for 3 people, not 2"):
        divide(three[:2], "selfridge-conway")
    with pytest.raises(UnknownName, match="did you mean 'moving-knife'"):
        divide(three, "moving-knive")
    assert divide(three).method == "last-diminisher"
    assert divide(three[:2]).method == "cut-and-choose"
