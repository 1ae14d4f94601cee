"""The pages of a report in a browser: in both languages, on a phone, and whatever names and outputs students choose."""

from __future__ import annotations

import pytest

from plyground.course.handins.grading import Grading
from plyground.course.handins.marking import Fault, Mark, Measured, Terms
from plyground.course.handins.report import write_report
from plyground.course.handins.report_words import WORDS
from plyground.course.handins.similarity import Pair, Place

EVIL = "<script>document.title='taken'</script>"
FACTS = {
    "reversi": {"won": 1, "drawn": 0, "lost": 3, "forfeits": 3, "disturbed": 0, "points": {"random": 1.0}, "games": 4},
    "tictactoe": {"exact": 9, "positions": 4520, "never_loses": False, "nodes": None},
    "wumpus": {"mean": -1.5, "margin": 2.0, "gold": 0.5, "died": 0.5, "actions": 3.0, "caves": 20},
    "queens": {"solved": 1, "asked": 2, "largest": 8},
}
WHERE = {
    "reversi": {"opponent": "random", "game": 2, "seat": "white", "move": 7},
    "tictactoe": {"board": "X........", "answer": "1", "side": "X"},
    "wumpus": {"cave": 3},
    "queens": {"n": 8},
}


def grading(assignment):
    """A class in which one hand-in has every fault that there is, and a name that is no name."""
    codes = list(WORDS["en"]["codes"])
    faults = tuple(
        Fault(code, EVIL, {**WHERE[assignment], "side": "X", "file": "x.py", "answer": "1"}, f"{EVIL}\n" * 3)
        for code in codes
    )
    marks = (
        Mark("anna", "1", 1.0, FACTS[assignment]),
        Mark(EVIL, "2", 0.25, FACTS[assignment], faults, Measured(1.0, 2.0, 3_000_000)),
        Mark("张三" * 40, "3", 0.25, FACTS[assignment]),
    )
    pair = Pair("anna", EVIL, 0.5, 1.0, (Place(("a.py", 1, 2), ("b.py", 1, 2), 70),))
    return Grading(Terms(assignment, opponents=("random",)), marks, (pair,))


@pytest.mark.slow
@pytest.mark.parametrize(
    "assignment", [pytest.param(name, marks=[] if name == "reversi" else pytest.mark.slow) for name in FACTS]
)
def test_pages_on_a_phone(browser, tmp_path, assignment):
    write_report(grading(assignment), tmp_path, {"anna": {"a.py": f"{EVIL}\nx\n"}, EVIL: {"b.py": f"{'y' * 500}\nz\n"}})
    pages = sorted(tmp_path.rglob("*.html"))
    assert len(pages) == 4 + 2 * 3
    page = browser.new_page(viewport={"width": 390, "height": 800})
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    for file in pages:
        page.goto(file.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, file.name
        assert page.title() != "taken"
        assert page.evaluate("document.documentElement.lang") == ("zh-CN" if ".zh." in file.name else "en")
        other = page.locator("header a")
        other.click()
        assert page.url != file.as_uri()
        assert page.evaluate("document.documentElement.lang") == ("en" if ".zh." in file.name else "zh-CN")
    assert not complaints
    page.close()


def test_both_languages_say_the_same_things():
    def shape(value):
        return {name: shape(one) for name, one in value.items()} if isinstance(value, dict) else type(value)

    assert shape(WORDS["en"]) == shape(WORDS["zh"])


def test_where_nothing_went_wrong_the_teachers_page_says_so(tmp_path):
    whole = grading("queens")
    write_report(Grading(whole.terms, whole.marks[::2], ()), tmp_path, {})
    for file, lang in (("teacher.html", "en"), ("teacher.zh.html", "zh")):
        words = WORDS[lang]
        assert f"<h2>{words['details']}</h2>\n<p>{words['nothing']}</p>" in (tmp_path / file).read_text(
            encoding="utf-8"
        )
