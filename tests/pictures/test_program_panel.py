"""The program beside a film, in a real browser: marked lines, variables, forms, breakpoints, on any screen."""

from __future__ import annotations

import pytest

from plyground import make_game
from plyground.pictures.tree import tree_data
from plyground.watch.classroom import lesson
from plyground.watch.searches import search_drawing
from plyground.watch.simulations import simulations_drawing
from test_replay import Replay

MARKED = """() => ({
  ran: [...document.querySelectorAll(".code .ran")].map(line => line.querySelector("button").textContent),
  now: document.querySelector(".code [aria-current=step] button")?.textContent ?? "",
  variables: [...document.querySelectorAll(".variables div")]
    .map(pair => [...pair.children].map(part => part.textContent)),
  seen: (() => {
    const line = document.querySelector(".code [aria-current=step]")?.getBoundingClientRect();
    const box = document.querySelector(".code").getBoundingClientRect();
    return !line || (line.top >= box.top - 1 && line.bottom <= box.bottom + 1);
  })(),
})"""


class Panel(Replay):
    @property
    def marked(self):
        return self.page.evaluate(MARKED)

    def line(self, number):
        return self.page.locator(f'.line-number[aria-label$=" {number}"]')

    @property
    def step(self):
        return int(self.count.split(" / ")[0])


@pytest.fixture
def panel(browser, tmp_path):
    made = []

    def opened(drawing, *, lang="en", at="", **options):
        made.append(Panel(browser, tmp_path, **options))
        return made[-1].open(drawing, at, lang=lang)

    yield opened
    for one in made:
        one.close()
        assert one.problems == []
        assert [url for url in one.requests if not url.startswith(("file:", "data:"))] == []


def films(lang):
    """A film of each kind of search."""
    for name, algorithm in (
        ("worked", "minimax"),
        ("exercise2", "alphabeta"),
        ("pacman-random-ghost", "expectiminimax"),
    ):
        yield search_drawing(lesson(name).make(), algorithm=algorithm, lang=lang).drawing
    game = make_game("tictactoe")
    yield simulations_drawing(game, game.initial, simulations=12, shown=3, player="mcts:solver=off", lang=lang)


def expected(data, form, step):
    """What the data says of a step: the numbers of the lines that run, where it stands, and the variables."""
    program = data["program"]
    lines, names = program["forms"][form]["lines"], program["forms"][form]["names"]
    run, *values = program["steps"][step - 1]
    ran = program["runs"][run][form]
    return {
        "ran": [lines[place][0] for place in sorted(ran)],
        "now": lines[ran[-1]][0],
        "variables": [[name, value] for name, value in zip(names, values, strict=True) if name and value],
        "seen": True,
    }


@pytest.mark.parametrize("lang", ["en", pytest.param("zh", marks=pytest.mark.slow)])
def test_every_film_is_stepped_to_its_end_with_the_line_marked_that_runs(panel, lang):
    for drawing in films(lang):
        data = tree_data(drawing, lang=lang)
        page = panel(drawing, lang=lang, width=1100, height=700)
        for form, written in enumerate(data["program"]["forms"]):
            page.press("Home")
            page.page.locator(".forms button").nth(form).click()
            shown = page.page.locator(".code li").all_text_contents()
            assert shown == [number + text for number, text in written["lines"]]
            assert page.marked == {"ran": [], "now": "", "variables": [], "seen": True}
            for step in range(1, len(drawing.steps) + 1):
                page.press("ArrowRight")
                assert page.marked == expected(data, form, step), (drawing.title, written["name"], step)
            page.press("ArrowLeft")
            assert page.marked == expected(data, form, len(drawing.steps) - 1)
        page.close()


def test_breakpoints_are_run_to_forwards_and_backwards(panel):
    drawing = search_drawing(lesson("exercise2").make(), algorithm="alphabeta").drawing
    page = panel(drawing)
    lines = drawing.program.forms[0].lines
    cuts = [place for place, (_, text) in enumerate(lines) if text.strip() == "if v ≤ α then return v"]
    stops = [
        step for step, told in enumerate(drawing.steps, 1) if set(cuts) & set(told.ran.lines[0])
    ]  # where the line runs, whether it cuts or not
    assert len(stops) > 3
    for way in ("to-breakpoint", "from-breakpoint"):
        assert page.page.is_disabled(f".{way}")
    number = page.line(lines[cuts[0]][0])
    assert number.get_attribute("aria-label") == f"breakpoint at line {lines[cuts[0]][0]}"
    number.click()
    assert number.get_attribute("aria-pressed") == "true"
    for stop in stops:
        page.click(".to-breakpoint")
        assert page.step == stop
    page.click(".to-breakpoint")
    assert page.count == f"{len(drawing.steps)} / {len(drawing.steps)}"
    assert page.page.is_disabled(".to-breakpoint")
    page.click(".from-breakpoint")
    assert page.step == stops[-1]
    page.press("Shift+ArrowLeft")
    assert page.step == stops[-2]
    page.press("Shift+ArrowRight")
    assert page.step == stops[-1]
    number.click()
    assert number.get_attribute("aria-pressed") == "false"
    page.press("Shift+ArrowLeft")
    assert page.step == stops[-1] - 1  # without breakpoints it is one step


def test_everything_is_done_by_keyboard(panel):
    drawing = search_drawing(lesson("worked").make(), algorithm="alphabeta").drawing
    page = panel(drawing)
    number = page.line(drawing.program.forms[0].lines[6][0])
    number.focus()
    page.press("Space")
    assert number.get_attribute("aria-pressed") == "true"
    assert page.step == 0  # the space bar sets the breakpoint, and plays nothing
    page.page.get_by_role("button", name="run to the next breakpoint (Shift and right arrow)").focus()
    page.press("Enter")
    assert 6 in drawing.steps[page.step - 1].ran.lines[0]
    page.page.get_by_role("button", name="Python", exact=True).focus()
    page.press("Enter")
    assert page.page.locator(".code li").first.inner_text() == "# plyground/search/lecture/alphabeta.py"
    assert page.page.is_disabled(".to-breakpoint")  # breakpoints are of one form


def test_what_is_played_stops_at_a_breakpoint(panel):
    drawing = search_drawing(lesson("worked").make(), algorithm="alphabeta").drawing
    page = panel(drawing)
    cut = next(place for place, (_, text) in enumerate(drawing.program.forms[0].lines) if "α ← max" in text)
    page.line(drawing.program.forms[0].lines[cut][0]).click()
    page.page.select_option(".speed", "100")
    page.click(".play")
    stop = next(step for step, told in enumerate(drawing.steps, 1) if cut in told.ran.lines[0])
    page.page.wait_for_function("step => replay.tree.at === step && !replay.playing", arg=stop)


def test_on_a_telephone_the_program_is_below_the_tree_and_opens(panel):
    drawing = search_drawing(lesson("worked").make(), algorithm="alphabeta", lang="zh").drawing
    page = panel(drawing, lang="zh", at="14", width=390, height=780, scheme="dark")
    unroll = page.page.get_by_role("button", name="程序", exact=True)
    assert unroll.get_attribute("aria-expanded") == "false"
    assert not page.page.is_visible(".code")
    unroll.click()
    assert unroll.get_attribute("aria-expanded") == "true"
    assert page.marked["seen"]
    boxes = [page.page.locator(name).bounding_box() for name in (".stage", ".program")]
    assert boxes[0]["y"] + boxes[0]["height"] <= boxes[1]["y"]
    assert boxes[1]["y"] + boxes[1]["height"] <= 780
    assert boxes[0]["height"] > 200
    assert page.page.evaluate("document.documentElement.scrollWidth") == 390
    unroll.click()
    assert not page.page.is_visible(".code")
    assert page.page.is_visible(".list")


def test_a_search_without_a_program_has_no_panel(panel):
    page = panel(search_drawing(lesson("worked").make(), algorithm="mtdf").drawing)
    assert page.page.locator(".program").count() == 0
