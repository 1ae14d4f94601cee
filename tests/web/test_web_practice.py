"""The page to practise on, as a visitor uses it in a real browser, and what the server says to it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from plyground.course.exercises.handed_in import check_file
from plyground.course.exercises.kinds import KINDS, answer_key, make_exercise
from plyground.errors import FormatError
from plyground.web.lab.practice import asked, catalogue, judged, judged_cuts, solved
from web_client import app_in


def right_answers(kind, level, number):
    """What the page has to be given, by the keys of the items."""
    found = {}
    for item, answer in answer_key(make_exercise(kind, level, number)):
        values = {text: value for value, text in item.choices}
        found[item.key] = values.get(answer.text.split(" / ")[0], answer.text)
    return found


def test_everything_that_is_asked_can_be_judged_and_solved():
    assert [kind["name"] for kind in catalogue()["kinds"]] == list(KINDS)
    for kind in KINDS:
        question = asked(kind, 2, 5, {}, "zh")
        assert bool(question["drawing"]) != bool(question["svg"])
        given = right_answers(kind, 2, 5)
        assert judged(kind, 2, 5, {}, "en", given)["complete"]
        assert not given or not judged(kind, 2, 5, {}, "en", {})["complete"]
        assert len(solved(kind, 2, 5, {}, "zh")["answers"]) == len(given)


def test_the_judge_of_trees_refuses_what_is_no_tree():
    leaf = [0, "leaf", 1.0]
    for nodes, line in (
        ([], "has no nodes"),
        ([[0, "max", None]], "node 0 is not a leaf, and needs at least one child"),
        ([[0, "max", None], [5, "leaf", 1.0]], "node 1 must name an inner node before it"),
        ([leaf, [0, "leaf", 2.0]], "node 1 must name an inner node"),
        ([[0, "max", None], [0, "leaf", None]], "leaf 1 needs a number"),
    ):
        with pytest.raises(FormatError, match=line):
            judged_cuts(nodes, [], {}, "en")
    with pytest.raises(FormatError, match="2 labels do not go with 1 nodes"):
        judged_cuts([leaf], ["A", "B"], {}, "en")
    chain = [[max(number - 1, 0), ("max", "min")[number % 2], None] for number in range(3000)]
    told = judged_cuts([*chain, [2999, "leaf", 1.0]], [], {}, "en")
    assert told == {"verdicts": [], "right": 0, "complete": True}


def test_wrong_wishes_are_refused_in_one_line(tmp_path):
    with app_in(tmp_path) as visitor:
        for path, body, line in (
            ("", {"kind": "sudoku"}, "there is no kind of exercise 'sudoku'"),
            ("", {"level": 6}, "level"),
            ("", {"number": -1}, "number"),
            ("", {"kind": "alphabeta", "options": {"depth": 99}}, "depth is from 2 to 8, not 99"),
            ("", {"kind": "minimax", "options": {"depth": 3}}, "has no option depth"),
            ("/judge", {"answers": {"1": "x" * 201}}, "answers"),
            ("/judge", {"kind": "ucb", "answer": {}}, "answer"),
            ("/cuts", {"nodes": [[0, "chance", None]]}, "nodes"),
        ):
            answer = visitor.client.post(f"/api/practice{path}", json=body)
            assert answer.status_code == 422, (body, answer.text)
            assert line in answer.json()["error"]
        told = visitor.client.post(
            "/api/practice/judge", json={"kind": "windows", "answers": {"0-in": "-inf, inf"}}
        ).json()
        assert told["right"] == 1
        assert not told["complete"]


def heading(visitor):
    return visitor.page.locator(".practice-sheet > h2")


def test_a_visitor_marks_cuts_has_them_judged_and_goes_on(visit):
    visitor = visit("/practice?kind=alphabeta&level=2&number=8")
    page, said = visitor.page, visitor.page.locator(".practice-said")
    expect(heading(visitor)).to_have_text("Alpha-beta: mark the cuts")
    right = right_answers("alphabeta", 2, 8)
    assert set(right.values()) == {"alpha", "beta"}
    visitor.button("Check").click()
    expect(said).to_contain_text(f"0 of {len(right)} right.")
    for key, kind in right.items():
        page.get_by_role("radio", name={"alpha": "α cut", "beta": "β cut"}[kind]).check()
        page.locator(f".practice-tree [data-node='{key}'] .shape").click()
    visitor.button("Check").click()
    expect(said).to_contain_text("All right: nothing is missing.")
    expect(said.locator("li")).to_have_count(len(right))
    for key in right:
        expect(page.locator(f".practice-tree [data-node='{key}']")).to_have_class(re.compile("right"))
    first = next(iter(right))
    page.locator(f".practice-tree [data-node='{first}'] .shape").click()
    page.get_by_role("radio", name="α cut").check()
    page.locator(".practice-tree [data-node='1'] .shape").click()
    visitor.button("Check").click()
    expect(said.locator("[data-found=wrong]")).to_contain_text(["The search looks here"])
    visitor.accessible()
    visitor.button("Show the answers").click()
    expect(page.locator(".practice-said li")).to_have_count(len(right))
    expect(page.locator(".practice-tree .strike:not(.legend *)")).to_have_count(len(right))
    visitor.button("Back to the question").click()
    expect(page.locator(".practice-tree .strike:not(.legend *)")).not_to_have_count(0)  # the marks are still there
    visitor.button("Clear").click()
    expect(page.locator(".practice-tree .strike:not(.legend *)")).to_have_count(0)
    address = page.url
    page.locator(".practice-settings").get_by_role("button", name="Another one").click()
    page.wait_for_url(lambda url: url != address)
    assert re.search(r"kind=alphabeta&level=2&number=\d+", page.url)


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(kind, marks=[] if kind in ("minimax", "maxn") else pytest.mark.slow)
        for kind in KINDS
        if kind != "alphabeta"
    ],
)
def test_every_kind_is_answered_by_the_keyboard_alone(visit, kind):
    level = 4
    visitor = visit(f"/practice?kind={kind}&level={level}&number=12")
    page, said = visitor.page, visitor.page.locator(".practice-said")
    expect(heading(visitor)).to_be_visible()
    for key, text in right_answers(kind, level, 12).items():
        spot = page.locator(f".practice-picture [data-item='{key}']")
        if spot.count():
            spot.focus()
            visitor.press("Space")
            expect(spot).to_have_attribute("aria-checked", "true")
            continue
        control = page.locator(f"[data-key='{key}']")
        control.focus()
        if control.evaluate("element => element.tagName") == "SELECT":
            control.select_option(text)
        else:
            page.keyboard.type(text)
    visitor.button("Check").focus()
    visitor.press("Enter")
    expect(said).to_contain_text(re.compile("All right|Right: there is nothing"))
    visitor.accessible()


def test_answers_are_sent_by_enter_and_stay_in_another_language(visit):
    visitor = visit("/practice?kind=minimax&level=1&number=2")
    page = visitor.page
    right = right_answers("minimax", 1, 2)
    page.locator("[data-key='0']").fill(right["0"])
    expect(page.locator(".practice-tree [data-node='0']")).to_contain_text(right["0"])
    visitor.press("Enter")
    expect(page.locator(".practice-said")).to_contain_text("1 of 3 right.")
    expect(page.locator("[data-key='0']")).to_have_attribute("aria-invalid", "false")
    expect(page.locator("[data-key='1']")).to_have_attribute("aria-invalid", "true")
    page.get_by_role("button", name="中文").click()
    expect(heading(visitor)).to_have_text("极小化极大：节点的值")
    expect(page.locator("[data-key='0']")).to_have_value(right["0"])


@pytest.mark.slow
def test_the_page_fits_a_telephone_in_chinese_in_the_dark(visit):
    for kind in KINDS:
        visitor = visit(
            f"/practice?kind={kind}&level=5&number=1", locale="zh-CN", color_scheme="dark", width=390, height=844
        )
        expect(heading(visitor)).not_to_be_empty()
        visitor.fits()
        visitor.button("检查").click()
        expect(visitor.page.locator(".practice-total")).to_be_visible()
        visitor.fits()
        if kind in ("alphabeta", "equilibrium"):
            visitor.accessible()


def test_names_of_nodes_are_legible_on_a_telephone(visit):
    page = visit("/practice?kind=maxn&level=2&number=1", width=390, height=844).page
    names = page.locator(".practice-tree .tree .name")
    expect(names).to_have_count(3)
    assert all(name.bounding_box()["height"] >= 9 for name in names.all())


def test_tables_are_written_in_the_letters_of_the_app(visit):
    """A machine without Chinese letters has none in its own fonts."""
    page = visit("/practice?kind=dominance&level=1&number=1", locale="zh-CN").page
    expect(page.locator(".practice-picture .exercise-side").first).to_have_css("font-family", re.compile("Plyground"))


def test_odd_addresses_get_an_exercise_or_a_line(visit):
    visitor = visit("/practice?kind=nothing&level=77&number=x")
    expect(heading(visitor)).to_have_text("Alpha-beta: mark the cuts")
    assert re.search(r"kind=alphabeta&level=5&number=\d+$", visitor.page.url)


def test_hints_come_in_steps_streaks_are_kept_and_a_sheet_is_handed_in(visit, tmp_path):
    visitor = visit("/practice?kind=minimax&level=1&number=3")
    page = visitor.page
    streak = page.locator(".practice-streak")

    def solve(number):
        visitor.open(f"/practice?kind=minimax&level=1&number={number}")
        for key, text in right_answers("minimax", 1, number).items():
            page.locator(f'[data-key="{key}"]').fill(text)
        visitor.button("Check").click()
        expect(page.locator(".practice-total")).to_contain_text("All right")

    solve(3)
    solve(4)
    expect(streak).to_have_text("Streak: 2 (best: 2)")
    visitor.button("Check").click()
    expect(streak).to_have_text("Streak: 2 (best: 2)")  # the same exercise counts once
    visitor.open("/practice?kind=minimax&level=1&number=5")
    (last, answer) = list(answer_key(make_exercise("minimax", 1, 5)))[-1]
    told = page.locator(".practice-help")
    visitor.button("Hint").click()
    expect(told).to_have_text(f"Look at {last.label}.")
    expect(streak).to_have_text("Streak: 0 (best: 2)")
    visitor.button("Hint").click()
    expect(told).to_have_text(f"Look at {last.label}. {answer.reason}")
    visitor.button("Hint").click()
    expect(told).to_contain_text(f"Right would be {answer.text}.")
    page.locator(f'[data-key="{last.key}"]').fill(answer.text)
    visitor.button("Hint").click()  # of the next item, from the first step
    expect(told).not_to_contain_text("Right would be")
    visitor.button("Check").click()
    expect(page.locator(".practice-total")).to_contain_text("of 3 right")
    visitor.button("Hand in 3 exercises").click()
    page.get_by_role("dialog").get_by_role("textbox").fill("Li Lei")
    with page.expect_download() as saved:
        page.get_by_role("dialog").get_by_role("button", name="Make the file").click()
    assert saved.value.suggested_filename == "practice-Li-Lei.json"
    saved.value.save_as(tmp_path / "sheet.json")
    found = check_file(tmp_path / "sheet.json")
    assert (found.name, found.exercises, found.solved, found.unaided, found.hints) == ("Li Lei", 3, 2, 2, 4)
    assert found.forged == ()
    visitor.accessible()
    visitor.fits()
    visitor.button("Begin a new sheet").click()
    expect(page.get_by_role("button", name="Hand in 0 exercises")).to_be_disabled()
