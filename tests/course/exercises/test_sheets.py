"""Sheets for a class: no exercise twice, the same again from the same seed, and pages that show no answers."""

from __future__ import annotations

import itertools
import json
import re

import pytest

from plyground.course.exercises.exercise import LEVELS, NoneFound
from plyground.course.exercises.kinds import KINDS, answer_key, digest, judge, kind_options, make_exercise
from plyground.course.exercises.sheets import answers_html, index_html, make_sheets, sheet_html
from plyground.errors import BadOption, UnknownName


def test_every_kind_and_level_is_asked_and_its_own_key_is_right():
    for kind, level in itertools.product(KINDS, LEVELS):
        exercise = make_exercise(kind, level, 11)
        assert json.loads(json.dumps(exercise.data)) == exercise.data
        given = {}
        for item, answer in answer_key(exercise):
            by_text = {text: value for value, text in item.choices}
            given[item.key] = by_text.get(answer.text.split(" / ")[0], answer.text)
        assert {verdict.found for verdict in judge(exercise, given)} <= {"right"}, (kind, level)
        assert len(judge(exercise, given)) == len(given)
        hostile = {key: value for key in given for value in ["\x00" * 500]} | {"no such key": "1", "": ""}
        assert {verdict.found for verdict in judge(exercise, hostile)} <= {"wrong", "missing"}


@pytest.mark.parametrize("kind", KINDS)
def test_three_hundred_students_get_three_hundred_sheets(kind):
    level = {"alphabeta": 2}.get(kind, 1)
    sheets = list(make_sheets([kind], 300, 7, level=level))
    assert len({digest(exercise) for sheet in sheets for exercise in sheet.exercises}) == 300
    again = list(make_sheets([kind], 20, 7, level=level))
    assert again == sheets[:20]  # however many students come after
    assert list(make_sheets([kind], 5, 8, level=level)) != again[:5]


def test_a_sheet_holds_what_was_ordered_and_no_exercise_comes_twice():
    sheets = list(make_sheets(["minimax", "ucb"], 30, 1, count=3, level=2, names=["Anna", "Ben"]))
    assert [one.kind for one in sheets[0].exercises] == ["minimax"] * 3 + ["ucb"] * 3
    assert [sheet.name for sheet in sheets[:3]] == ["Anna", "Ben", ""]
    assert len({digest(one) for sheet in sheets for one in sheet.exercises}) == 180


def test_the_number_on_the_sheet_makes_the_same_exercise_again():
    (sheet,) = make_sheets(["alphabeta"], 1, 5, options={"depth": 4, "deep_cuts": 1})
    (one,) = sheet.exercises
    assert make_exercise(one.kind, one.level, one.number, one.options) == one
    assert f"no. {one.number} · deep cuts 1 · depth 4" in sheet_html(sheet)


def test_orders_that_cannot_be_filled_are_refused():
    for order, line in (
        ({"students": 0}, "1 to 2,000 students"),
        ({"students": 2001}, "1 to 2,000 students"),
        ({"count": 51}, "1 to 50 exercises, not 51"),
        ({"level": 6}, "level is from 1 to 5, not 6"),
        ({"kinds": ["windows"], "options": {"depth": 3}}, "kind windows has no option depth"),
        ({"options": {"branching": 1}}, "option branching is from 2 to 6, not 1"),
    ):
        wish = {"kinds": ["alphabeta"], "students": 1, "seed": 1} | order
        with pytest.raises(BadOption, match=line):
            list(make_sheets(**wish))
    with pytest.raises(UnknownName, match="did you mean 'minimax'"):
        list(make_sheets(["minmax"], 1, 1))
    assert set(kind_options("alphabeta")) == {"depth", "branching", "alpha_cuts", "beta_cuts", "deep_cuts"}


def test_when_all_exercises_of_a_kind_are_given_out_it_says_so(monkeypatch):
    from plyground.course.exercises import minimax

    monkeypatch.setitem(minimax.LEVELS, 1, (1, 2, 0, 1))  # four trees in all
    assert len(list(make_sheets(["minimax"], 4, 1, level=1))) == 4
    with pytest.raises(BadOption, match="not enough different exercises minimax of level 1 for 5 students"):
        list(make_sheets(["minimax"], 5, 1, level=1))


def test_a_number_without_a_tree_does_not_take_the_sheets_from_a_class(monkeypatch):
    from plyground.course.exercises import alphabeta

    wish = {"depth": 5, "alpha_cuts": 2, "beta_cuts": 3, "deep_cuts": 0}
    monkeypatch.setattr(alphabeta, "SHAPES_TRIED", 1)
    monkeypatch.setattr(alphabeta, "CHANGES", 100)  # rare, as seven plies with nine cuts are
    unlucky = 0
    for number in range(20):
        try:
            make_exercise("alphabeta", 3, number, wish)
        except NoneFound:
            unlucky += 1
    assert 4 <= unlucky <= 16
    sheets = list(make_sheets(["alphabeta"], 40, 3, options=wish))
    assert len({digest(exercise) for sheet in sheets for exercise in sheet.exercises}) == 40
    with pytest.raises(BadOption, match="no tree of depth 3"):
        list(make_sheets(["alphabeta"], 1, 3, options={"depth": 3, "alpha_cuts": 9}))


def test_a_sheet_gives_nothing_away_and_the_key_has_it_all():
    sheets = list(make_sheets(list(KINDS), 2, 3, level=2, names=["<b>Eve</b> & co", "小明"]))
    for lang in ("en", "zh"):
        page, key = sheet_html(sheets[0], lang), answers_html(sheets, lang, seed=3)
        assert "&lt;b&gt;Eve&lt;/b&gt; &amp; co" in page
        assert "<b>Eve" not in page + key
        assert "小明" in key
        assert "exercise-marked" not in page.partition("</style>")[2].replace(".exercise-marked", "")
        # struck through edges, and letters of bounds, are in the key alone
        assert "#b3440a" not in page
        assert "#b3440a" in key
        for exercise in sheets[0].exercises:
            assert str(exercise.number) in page
            for _, answer in answer_key(exercise, lang):
                assert answer.reason.partition("<")[0].partition("&")[0].partition("'")[0] in key
                assert answer.reason not in page
        index = index_html(sheets, lang, seed=3)
        assert re.findall(r'href="(student-\d+\.html)"', index) == ["student-001.html", "student-002.html"]


def test_nothing_of_an_exercise_is_folded():
    from plyground.pictures.tree import Drawing, Look, Node, tree_data, tree_svg, tree_text

    nodes = [Node(None, "max"), *(Node(0, "leaf") for _ in range(300))]
    start = {number: Look(state="done", value=str(number)) for number in range(1, 301)}
    asked, shown = Drawing("", nodes, [], start, "Which one?"), Drawing("", nodes, [], start)
    assert "data-folded" not in tree_svg(asked)
    assert "data-folded" in tree_svg(shown)
    assert len(tree_text(asked).splitlines()) == 301
    assert all(tree_data(asked)["kept"])
    assert not all(tree_data(shown)["kept"])
