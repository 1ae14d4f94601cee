"""The page of matrix games, as a visitor uses it in a real browser, and what the server says to it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from plyground.errors import BadOption
from plyground.subjects.matrix.strategies import STRATEGIES
from plyground.web.lab.matrix import draw_matrix

WISH = {
    "what": "game", "text": "chicken", "learner": "fictitious", "steps": 100, "seed": 1, "strategies": [], "rounds": 10,
    "known": True, "noise": 0.0, "method": "", "narrow": False, "lang": "en",
}  # fmt: skip


def film(**changes):
    events = []
    draw_matrix(events.append, **{**WISH, **changes})
    assert events[0] == {"event": "started"}
    return events[-1]["film"]


def test_films_of_all_four_kinds():
    assert len(film(text="prisoners-dilemma")["frames"]) == 3
    assert len(film(what="learn")["frames"]) > 10
    assert "Step 100" in film(what="learn")["frames"][-1]["caption"]
    names = ["tit-for-tat", "defect", "grim"]
    assert len(film(what="repeated", text="", strategies=names, known=False)["frames"][0]["facts"][0][1]) == 3
    assert film(what="cake", text="1 2\n\n2 1\n", narrow=True, lang="zh")["frames"][-1]["facts"][-1][0].startswith(
        "公平吗"
    )


def test_names_that_nobody_gave_are_in_the_visitors_language():
    said = str(film(text="3 -1; -2 4", lang="zh")["frames"])
    assert "行玩家" in said
    assert "第 2 列" in said
    assert not [word for word in ("Row", "Column", "row 1", "column 1") if word in said]
    assert "Row" in str(film(text="3 -1; -2 4")["frames"])


def test_the_server_reads_no_files_and_no_giants(tmp_path):
    path = tmp_path / "x.game"
    path.write_text("1 2; 3 4")
    for wish, line in (
        ({"text": str(path)}, "line 1, column 1"),
        ({"text": ";".join(["1 2"] * 61)}, "up to 60 strategies"),
        ({"what": "repeated", "text": "", "strategies": ["grim"]}, "at least two"),
    ):
        with pytest.raises((BadOption, ValueError), match=line):
            film(**wish)


@pytest.mark.slow
def test_a_visitor_solves_a_game_watches_it_learned_and_repeated(visit):
    visitor = visit("/matrix")
    page = visitor.page
    facts = page.locator(".film-facts")
    expect(facts).to_contain_text("betray is dominant")
    expect(page.locator(".film-count")).to_have_text("0 / 2")
    visitor.press("ArrowRight")
    expect(page.locator(".film-caption")).to_contain_text("silent is strictly dominated by betray")
    visitor.accessible()
    page.get_by_label("Games with a name").select_option("rock-paper-scissors")
    expect(facts).to_contain_text("1/3 rock + 1/3 paper + 1/3 scissors")
    page.get_by_label("The table").fill("1 2; 3")
    visitor.button("Show").click()
    expect(page.locator(".matrix-fields .error")).to_have_text(re.compile("line 1, column 6"))
    page.get_by_label("The table").fill("4,4 0,3; 3,0 3,3")
    visitor.button("Show").click()
    expect(facts).to_contain_text("3/4 row 1 + 1/4 row 2")
    page.reload()
    expect(facts).to_contain_text("3/4 row 1 + 1/4 row 2")
    page.get_by_role("radio", name="Learning").check()
    expect(page.locator(".film-caption")).to_contain_text("Step 10,000")
    page.get_by_role("radio", name="Again and again").check()
    expect(facts.locator("li")).to_have_count(len(STRATEGIES))
    for name in ("random", "joss"):
        page.get_by_role("checkbox", name=name).uncheck()
    visitor.button("Show").click()
    expect(facts.locator("li")).to_have_count(len(STRATEGIES) - 2)


def test_a_cake_is_cut_in_chinese_in_the_dark_on_a_telephone(visit):
    visitor = visit("/matrix?what=cake", locale="zh-CN", color_scheme="dark", width=360, height=720)
    page = visitor.page
    expect(page.locator(".film-facts")).to_contain_text("成比例")
    font = "element => getComputedStyle(element).fontFamily"
    assert "Plyground Chinese" in page.locator(".film-picture svg text").first.evaluate(font)
    page.get_by_label("怎样分").select_option("selfridge-conway")
    expect(page.locator(".film-facts")).to_contain_text("无嫉妒")
    visitor.fits()
    visitor.accessible()
