"""The page that replays a drawing, in a real browser: steps, looks, folding, zoom, and nothing from the network."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from plyground import make_game
from plyground.pictures.board import svg as board_svg
from plyground.pictures.lettering import WIDTHS, text_width
from plyground.pictures.tree import Drawing, Guess, Look, Node, Step, tree_html, tree_svg
from plyground.pictures.tree_layout import FinalTree, fold_tree, lay_out
from test_tree_pictures import NASTY, drawings, wide, worked
from web_browser import PATIENCE


class Replay:
    """A page opened from a file, with everything that it asks of the network and everything that goes wrong in it."""

    def __init__(self, browser, folder, *, width=1200, height=800, motion="reduce", scheme="light"):
        self.folder = folder
        self.requests, self.problems = [], []
        self.context = browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion=motion, color_scheme=scheme
        )
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self.problems.append(message.text))
        self.page.on("dialog", lambda dialog: (self.problems.append(dialog.message), dialog.dismiss()))

    def open(self, drawing, at="", **options):
        file = self.folder / "replay.html"
        file.write_text(tree_html(drawing, **options), encoding="utf-8")
        self.page.goto("about:blank")
        self.requests.clear()
        self.page.goto(f"{file.as_uri()}#{at}")
        return self

    def close(self):
        self.context.close()

    def press(self, key):
        self.page.keyboard.press(key)

    def click(self, selector):
        self.page.click(selector)

    @property
    def caption(self):
        return self.page.inner_text(".caption")

    @property
    def count(self):
        return self.page.inner_text(".count")

    @property
    def picture(self):
        """Everything that is drawn, as markup; the order in which it was drawn within a layer is of no consequence."""
        return self.page.evaluate("""
            [...document.querySelectorAll(".world > g")]
              .map(({ classList, children }) => [classList[0], [...children].map(part => part.outerHTML).sort()])""")

    def node(self, number):
        return f'[data-node="{number}"]'

    def state(self, number):
        return self.page.get_attribute(self.node(number), "class").split()

    def text(self, number):
        return self.page.evaluate(
            "n => [...document.querySelectorAll(`[data-node='${n}'] text`)].map(text => text.textContent)", number
        )

    def shown(self):
        return set(self.page.evaluate("[...document.querySelectorAll('[data-node]')].map(g => Number(g.dataset.node))"))

    def view(self):
        return self.page.evaluate("({ ...replay.view.view })")


@pytest.fixture
def replay(browser, tmp_path):
    opened = Replay(browser, tmp_path)
    yield opened
    opened.close()
    assert opened.problems == []
    assert [url for url in opened.requests if not url.startswith(("file:", "data:"))] == []


def test_the_page_asks_nothing_of_the_network(replay):
    board = board_svg(make_game("tictactoe").initial)
    drawing = Drawing("Boards", [Node(None, "max", board=board)], [Step("One.", 0, {}, [(board, "the board")])])
    replay.open(drawing)
    replay.press("ArrowRight")
    replay.page.wait_for_load_state("networkidle")
    files = [url for url in replay.requests if not url.startswith("data:")]
    assert [url.split("#")[0] for url in files] == [(replay.folder / "replay.html").as_uri()]
    blocked = replay.page.evaluate("fetch('https://example.org').then(() => 'loaded', () => 'blocked')")
    assert blocked == "blocked"
    replay.problems.clear()  # the browser reports what the policy has blocked
    replay.requests.clear()


# Guessing


def test_the_reader_guesses_before_what_is_decided_is_shown(replay):
    steps = list(worked().steps)
    steps[2] = replace(steps[2], guess=Guess("What now?", ("a cut", "the next <b>move</b>"), 1))
    steps[5] = replace(steps[5], guess=Guess("Which move?", ("a1", "a2", "a3"), 0))
    replay.open(replace(worked(), steps=steps))
    page = replay.page
    said, rows = ".guess-said", ".rows b"
    replay.press("End")
    replay.press("Home")
    assert page.inner_text(said) == ""  # nobody is asked who has not wished it
    replay.open(replace(worked(), steps=steps))
    page.focus(".guess-first")
    replay.press("Enter")
    assert page.get_attribute(".guess-first", "aria-pressed") == "true"
    assert page.locator(rows).all_inner_texts()[1:] == ["…"] * 6
    for _ in range(3):
        replay.press("ArrowRight")
    assert (replay.count, page.inner_text(".guess-question")) == ("2 / 6", "What now?")
    assert page.locator(".guess-choices button").all_text_contents() == ["1a cut", "2the next <b>move</b>"]
    assert page.is_hidden(".caption")
    replay.press("3")  # no answer has this number
    assert replay.count == "2 / 6"
    replay.press("1")
    assert (replay.count, replay.caption) == ("3 / 6", steps[2].caption)
    assert page.inner_text(said) == "Not so. Right would be: the next <b>move</b>. 0 of 1 right so far."
    replay.press("ArrowRight")
    assert (replay.count, page.inner_text(said)) == ("4 / 6", "")
    page.click(".play")  # playing stops at the question
    page.wait_for_selector(".guess-question:has-text('Which move?')")
    assert replay.count == "5 / 6"
    page.click(".guess-choices button >> nth=0")
    assert (replay.count, replay.caption) == ("6 / 6", "MAX chooses.")
    assert page.inner_text(said) == "Right. 1 of 2 right so far."
    page.wait_for_selector(".next:disabled")
    replay.press("Home")
    replay.press("ArrowRight")
    replay.press("ArrowRight")
    replay.press("ArrowRight")
    replay.press("ArrowRight")  # whoever goes on is shown it, and has not guessed
    assert (replay.count, page.is_hidden(".guess")) == ("3 / 6", True)
    replay.press("End")  # and whoever jumps is not asked
    assert (replay.count, page.is_hidden(".guess")) == ("6 / 6", True)
    page.click(".guess-first")
    replay.press("Home")
    for _ in range(3):
        replay.press("ArrowRight")
    assert replay.count == "3 / 6"


def test_a_film_in_which_nothing_is_decided_has_nothing_to_guess(replay):
    replay.open(worked())
    assert replay.page.is_hidden(".guess-first")


# Steps


def test_buttons_go_through_the_steps(replay):
    replay.open(worked())
    assert replay.count == "0 / 6"
    assert replay.caption.startswith("Before the first step.")
    assert replay.page.is_disabled(".first")
    assert replay.page.is_disabled(".back")
    replay.click(".next")
    assert (replay.count, replay.caption) == ("1 / 6", "MAX begins.")
    replay.click(".next")
    assert replay.caption == "The leaves are looked at."
    replay.click(".back")
    assert replay.caption == "MAX begins."
    replay.click(".last")
    assert (replay.count, replay.caption) == ("6 / 6", "MAX chooses.")
    assert replay.page.is_disabled(".next")
    assert replay.page.is_disabled(".last")
    replay.click(".first")
    assert replay.count == "0 / 6"


def test_keys_go_through_the_steps(replay):
    replay.open(worked())
    replay.press("ArrowRight")
    replay.press("ArrowRight")
    assert replay.count == "2 / 6"
    replay.press("ArrowLeft")
    assert replay.count == "1 / 6"
    replay.press("End")
    assert replay.count == "6 / 6"
    replay.press("ArrowRight")
    assert replay.count == "6 / 6"
    replay.press("Home")
    replay.press("ArrowLeft")
    assert replay.count == "0 / 6"
    replay.page.focus(".slider")
    replay.press("ArrowRight")
    assert replay.count == "1 / 6"  # once, not twice


def test_the_slider_and_the_list_jump(replay):
    replay.open(worked())
    replay.page.fill(".slider", "4")
    assert replay.caption == "MIN's second value is low enough."
    replay.click("[data-step='2']")
    assert replay.caption == "The leaves are looked at."
    assert replay.page.inner_text("[aria-current]") == "2\nThe leaves are looked at."
    assert replay.page.input_value(".slider") == "2"


def test_the_address_names_a_step(replay):
    assert replay.open(worked(), at="3").count == "3 / 6"
    assert replay.open(worked(), at="last").count == "6 / 6"
    assert replay.open(worked(), at="99").count == "6 / 6"
    assert replay.open(worked(), at="<b>").count == "0 / 6"


def test_play_runs_to_the_end_and_space_stops_it(replay):
    drawing = worked()
    replay.open(replace(drawing, steps=[*drawing.steps] * 20))  # long enough for a slow machine to stop it
    replay.page.select_option(".speed", "5")
    replay.press("Space")
    replay.page.wait_for_function("() => replay.tree.at > 0")
    assert replay.page.get_attribute(".play", "aria-label") == "pause"
    replay.press("Space")
    assert replay.page.get_attribute(".play", "aria-label") == "play"
    stopped = replay.count
    replay.page.wait_for_timeout(500)
    assert replay.count == stopped
    replay.page.select_option(".speed", "100")
    replay.click(".play")
    replay.page.wait_for_function("() => replay.tree.at === replay.tree.steps.length && !replay.playing")
    assert replay.count == "120 / 120"
    replay.click(".play")  # from the end it begins again
    replay.page.wait_for_function("() => replay.tree.at === replay.tree.steps.length && !replay.playing")


def test_looks_follow_the_steps(replay):
    replay.open(worked())
    assert replay.state(0) == ["node", "unvisited", "plain", "parent"]
    replay.press("ArrowRight")
    assert replay.state(0)[1] == "open"
    assert replay.text(0) == ["A", "α = -∞", "β = +∞"]
    assert replay.page.locator(".ring").count() == 1
    assert replay.page.locator(f"{replay.node(0)} .ring").count() == 1
    replay.page.fill(".slider", "4")
    assert replay.text(0) == ["≥ 3", "A", "α = 3", "β = +∞"]
    assert replay.text(7) == ["x", "c2", "alpha cut:", "v ≤ α (2 ≤ 3)"]
    assert replay.state(7)[1:3] == ["unvisited", "cut"]
    assert replay.page.locator(".node .strike").count() == 1
    replay.press("End")
    assert replay.text(0) == ["3", "A", "α = 3", "β = +∞"]
    assert replay.page.locator(".lit .way.best").count() == 2


def test_rewinding_gives_exactly_the_earlier_picture(replay):
    replay.open(worked())
    pictures = [replay.picture]
    for _ in range(6):
        replay.press("ArrowRight")
        pictures.append(replay.picture)
    assert len(set(map(str, pictures))) == 7
    for step in (5, 4, 3, 2, 1, 0):
        replay.press("ArrowLeft")
        assert replay.picture == pictures[step]
    for step in (6, 2, 5, 0, 4, 1, 3):
        replay.page.fill(".slider", str(step))
        assert replay.picture == pictures[step]


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawings(most=15))
def test_any_drawing_can_be_replayed(replay, drawing):
    replay.open(drawing)
    forwards = [replay.page.evaluate("JSON.stringify(replay.tree.looks)")]
    for _ in drawing.steps:
        replay.press("ArrowRight")
        forwards.append(replay.page.evaluate("JSON.stringify(replay.tree.looks)"))
    for looks in reversed(forwards[:-1]):
        replay.press("ArrowLeft")
        assert replay.page.evaluate("JSON.stringify(replay.tree.looks)") == looks
    assert replay.problems == []


def test_hostile_text_stays_text(replay):
    nodes = [Node(None, "max", NASTY, NASTY), Node(0, "leaf", NASTY)]
    look = Look("done", NASTY, (NASTY,), "cut", NASTY)
    replay.open(Drawing(NASTY, nodes, [Step(NASTY, 1, {1: look, 0: look}, [("<svg/>", NASTY)])]), at="last")
    assert "<script>alert(1)</script>" in replay.caption
    assert replay.page.locator("script").count() == 2
    assert "<script>alert(1)</script>" in replay.page.title()


def test_a_board_cannot_act(replay):
    board = (
        '<svg viewBox="0 0 9 9" onload="alert(1)"><script>alert(2)</script><image href="https://example.org/x"/></svg>'
    )
    replay.open(Drawing("", [Node(None, "max", board=board)], [Step("", 0, {}, [(board, "")])]), at="last")
    assert replay.page.locator("image").count() == 1
    replay.page.wait_for_function("() => document.querySelector('.strip img').naturalWidth > 0")
    replay.page.wait_for_load_state("networkidle")


# The picture


@pytest.mark.slow
@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(drawings())
def test_the_page_lays_the_tree_out_as_the_picture_does(replay, drawing):
    """If nothing changes in the replay, both are the same to a tenth of a pixel."""
    tree = FinalTree(drawing)
    still = Drawing(drawing.title, drawing.nodes, [], dict(enumerate(looks_of(tree))))
    replay.open(still)
    tree = FinalTree(still)
    places, _ = lay_out(tree, fold_tree(tree, 12, 4000))
    ours = {(place.number, place.folded): (place.x - places[0].x, place.y) for place in places}
    theirs = replay.page.evaluate("replay.view.places.map(({ number, folded, x, y }) => [number, folded, x, y])")
    assert {(number, folded): (x, y) for number, folded, x, y in theirs} == {
        key: (pytest.approx(x, abs=0.1), pytest.approx(y, abs=0.1)) for key, (x, y) in ours.items()
    }


def looks_of(tree):
    for look in tree.looks:
        yield Look(look.state, look.value, look.lines, look.edge, look.note, look.width, look.tint)


BOXES = """scope => [...document.querySelectorAll(`${scope} text`)].map(text => {
  const { left, top, right, bottom } = text.getBoundingClientRect();
  return [text.textContent, left, top, right, bottom];
})"""


def overlapping(found):
    """The pairs of texts whose boxes cross; letters never fill the height of their line, so it may be a bit less."""
    boxes = [(text, left, top + 2, right, bottom - 2) for text, left, top, right, bottom in found if text.strip()]
    return [
        (one[0], other[0])
        for one, other in itertools.combinations(boxes, 2)
        if one[1] < other[3] and other[1] < one[3] and one[2] < other[4] and other[2] < one[4]
    ]


def busy(seed):
    """A random tree in which every node says something."""
    chance = random.Random(seed)
    nodes = [Node(None, "max", name="root")]
    while len(nodes) < 40:
        shape = chance.choice(["max", "min", "chance", "player", "leaf"])
        parent = chance.randrange(max(0, len(nodes) - 9), len(nodes))
        nodes.append(Node(parent, shape, f"Move {len(nodes)}", chance.choice(["", "WIDE NAME"])))
    values = ["3", "≤ 12", "-0.52"] + (["(1.00, WWW)"] if seed % 2 else [])
    notes = ["", "alpha cut: v ≤ α (2 ≤ 3)", "beta cut: v ≥ β (9 ≥ 7)"]
    start = {
        i: Look(
            "done",
            chance.choice(values),
            chance.choice([(), ("α = 3, β = +∞",), ("12/21", "mean 0.571")]),
            chance.choice(["plain", "best", "cut"]),
            chance.choice(notes),
        )
        for i in range(40)
    }
    return Drawing("Busy", nodes, [], start)


@pytest.mark.parametrize("seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(2, 6))])
def test_no_text_covers_another(replay, seed):
    replay.open(busy(seed), most_children=40, width=10**6)
    found = replay.page.evaluate(BOXES, ".nodes")
    assert len(found) > 100
    assert overlapping(found) == []
    file = replay.folder / "tree.svg"
    file.write_text(tree_svg(busy(seed), most_children=40, width=10**6), encoding="utf-8")
    replay.page.goto(file.as_uri())
    found = replay.page.evaluate(BOXES, "svg")
    assert len(found) > 100
    assert overlapping(found) == []


def test_letters_are_no_wider_than_we_think(replay):
    replay.open(worked())
    letters = "".join(WIDTHS.values()) + "äÉжш中文字あ한→▲▼⁻²"
    script = """([letters, font]) => {
      const pen = document.createElement("canvas").getContext("2d");
      pen.font = font;
      return [...letters].map(letter => pen.measureText(letter).width);
    }"""
    for bold in (False, True):
        measured = replay.page.evaluate(script, [letters, f"{'600 ' if bold else ''}100px system-ui"])
        for letter, width in zip(letters, measured, strict=True):
            assert width <= text_width(letter, 100, bold=bold) * 1.05, letter
        assert sum(measured) <= text_width(letters, 100, bold=bold)


# Folding


def test_a_click_on_a_node_folds_and_unfolds_it(replay):
    replay.open(worked(), at="last")
    before, box = replay.picture, replay.page.locator(f"{replay.node(5)} .shape").bounding_box()
    replay.click(f"{replay.node(5)} .shape")
    assert replay.shown() == set(range(13)) - {6, 7, 8}
    assert replay.page.text_content("[data-pill='5']") == "+3"
    assert replay.page.get_attribute(replay.node(5), "aria-expanded") == "false"
    assert replay.page.locator(f"{replay.node(5)} .shape").bounding_box() == pytest.approx(box, abs=0.5)  # it stays
    replay.click(f"{replay.node(5)} .shape")
    assert replay.picture == before
    replay.click(f"{replay.node(0)} .shape")
    assert replay.shown() == {0}
    replay.click("[data-pill='0']")
    assert replay.picture == before


def test_the_pill_shows_all_children(replay):
    replay.open(wide(m58=Look("done", "best", edge="best")))
    assert replay.page.text_content("[data-pill='0']") == "+93"
    assert len(replay.shown()) == 8
    replay.click("[data-pill='0']")
    assert len(replay.shown()) == 101
    assert replay.page.locator("[data-pill]").count() == 0
    replay.click(".unfold")
    replay.click(".unfold")
    assert len(replay.shown()) == 8


def test_a_pill_can_be_opened_by_key(replay):
    replay.open(wide())
    replay.page.focus("[data-pill='0']")
    replay.press("Enter")
    assert len(replay.shown()) == 101


def test_a_folded_node_is_uncovered_while_the_search_is_there(replay):
    drawing = wide()
    steps = [Step("Far right.", 90), Step("Further.", 91), Step("At the root.", 0)]
    replay.open(Drawing("", drawing.nodes, steps, drawing.start))
    at_first = replay.shown()
    replay.press("ArrowRight")
    assert replay.shown() == at_first | {90}
    assert replay.page.text_content("[data-pill='0']") == "+93"
    replay.press("ArrowRight")
    assert replay.shown() == at_first | {91}
    replay.press("ArrowRight")
    assert replay.shown() == at_first


def test_what_the_reader_has_closed_stays_closed(replay):
    replay.open(worked(), at="1")
    replay.click(f"{replay.node(1)} .shape")
    replay.press("ArrowRight")  # to a leaf below it
    assert 2 not in replay.shown()
    assert replay.page.locator(f"{replay.node(1)} .ring").count() == 1


def test_steps_move_nothing(replay):
    """Room is kept for all that will ever be said."""
    replay.open(worked())
    spots = (
        "[...document.querySelectorAll('[data-node]')].map(g => g.dataset.node + g.getAttribute('transform')).sort()"
    )
    before = replay.page.evaluate(spots)
    for _ in range(6):
        replay.press("ArrowRight")
        assert replay.page.evaluate(spots) == before


# The view


def in_view(replay, selector):
    node = replay.page.locator(selector).bounding_box()
    canvas = replay.page.locator(".tree").bounding_box()
    return (
        canvas["x"] <= node["x"]
        and canvas["y"] <= node["y"]
        and node["x"] + node["width"] <= canvas["x"] + canvas["width"]
        and node["y"] + node["height"] <= canvas["y"] + canvas["height"]
    )


def test_zoom_and_fit(replay):
    replay.open(worked())
    first = replay.view()
    replay.click(".closer")
    assert replay.view()["scale"] == pytest.approx(first["scale"] * 1.35)
    replay.click(".further")
    assert replay.view()["scale"] == pytest.approx(first["scale"])
    replay.page.mouse.move(500, 400)
    replay.page.mouse.wheel(0, -500)
    replay.page.wait_for_function("scale => replay.view.view.scale > scale * 1.5", arg=first["scale"])
    replay.click(".fit")
    assert replay.view() == pytest.approx(first)
    replay.press("+")
    replay.press("0")
    assert replay.view() == pytest.approx(first)


def test_the_wheel_zooms_about_the_pointer(replay):
    replay.open(worked())
    box = replay.page.locator(f"{replay.node(2)} .shape").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    replay.page.mouse.move(x, y)
    scale = replay.view()["scale"]
    replay.page.mouse.wheel(0, -300)
    replay.page.wait_for_function("scale => replay.view.view.scale > scale", arg=scale)
    box = replay.page.locator(f"{replay.node(2)} .shape").bounding_box()
    assert (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) == pytest.approx((x, y), abs=2)


def test_dragging_moves_the_tree_and_folds_nothing(replay):
    replay.open(worked())
    before, shown = replay.view(), replay.shown()
    box = replay.page.locator(f"{replay.node(1)} .shape").bounding_box()
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 3
    replay.page.mouse.move(x, y)
    replay.page.mouse.down()
    replay.page.mouse.move(x + 60, y + 25, steps=4)
    replay.page.mouse.up()
    after = replay.view()
    assert (after["x"] - before["x"], after["y"] - before["y"]) == pytest.approx((60, 25), abs=5)
    assert replay.shown() == shown


def test_the_focus_is_kept_in_view(replay):
    nodes = [Node(None, "max"), *(Node(i // 3, "min", "a move") for i in range(120))]
    steps = [Step(f"Node {i}.", i, {i: Look("done", str(i))}) for i in range(121)]
    replay.open(Drawing("Wide", nodes, steps), width=10**6)
    assert not in_view(replay, replay.node(120))
    for step in (121, 1, 60, 90, 41):
        replay.page.fill(".slider", str(step))
        assert in_view(replay, f"{replay.node(step - 1)} .shape")


def test_motion_ends_where_stillness_is(browser, tmp_path):
    quiet, lively = Replay(browser, tmp_path), Replay(browser, tmp_path, motion="no-preference")
    lively.page.clock.install()
    for page in (quiet, lively):
        page.open(worked(), at="last")
        if page is lively:
            page.page.clock.pause_at(10**12 * 4)  # milliseconds, and far from now: motion begins, and waits
        page.click(f"{page.node(5)} .shape")
        page.click(".fit")
    moving = lively.page.evaluate(
        "replay.view.places.some(({ number, x }) => replay.view.entries.get('n' + number)?.spot.x !== x)"
    )
    lively.page.clock.run_for(600)
    assert moving
    assert quiet.picture == lively.picture
    assert quiet.problems == lively.problems == []
    quiet.close()
    lively.close()


# Boards, languages, small screens, many steps


def test_the_boards_of_a_step_are_shown_in_a_strip(replay):
    board = board_svg(make_game("tictactoe").initial)
    steps = [Step("Two boards.", 0, {}, [(board, "first"), (board, "second")]), Step("None.", 0)]
    replay.open(Drawing("", [Node(None, "max", board=board)], steps))
    height = replay.page.locator(".tree").bounding_box()["height"]
    replay.press("ArrowRight")
    assert replay.page.locator(".strip figure").all_inner_texts() == ["first", "second"]
    replay.page.wait_for_function("() => document.querySelector('.strip img').naturalWidth > 0")
    replay.press("ArrowRight")
    assert replay.page.locator(".strip figure").count() == 0
    assert replay.page.locator(".tree").bounding_box()["height"] == height


def test_the_page_speaks_chinese(replay):
    replay.open(worked(), lang="zh")
    assert replay.page.get_attribute("html", "lang") == "zh-CN"
    assert replay.page.get_attribute(".next", "aria-label") == "前进一步"
    assert "剪去" in replay.page.inner_text(".legend")
    assert "undefined" not in replay.page.inner_text("body")


def test_every_control_has_a_name(replay):
    replay.open(worked())
    controls = replay.page.locator("button:not([data-step]), input, select")
    names = [controls.nth(i).get_attribute("aria-label") for i in range(controls.count())]
    assert len(names) == len(set(names)) == 13
    assert all(names)
    assert replay.page.get_attribute(".caption", "aria-live") == "polite"


@pytest.mark.parametrize("width", [375, 768, 1400])
def test_nothing_is_wider_than_the_screen(browser, tmp_path, width):
    page = Replay(browser, tmp_path, width=width, height=720)
    board = board_svg(make_game("tictactoe").initial)
    drawing = worked()
    steps = [replaced(step, board) for step in drawing.steps]
    page.open(
        Drawing("A rather long title for a page on a telephone, with a word: " + "x" * 60, drawing.nodes, steps), at="4"
    )
    assert page.page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in (
        "header",
        ".caption",
        ".controls",
        ".slider",
        ".speed",
        ".zoom",
        ".steps",
        ".legend",
        ".last",
        ".tree",
    ):
        box = page.page.locator(selector).bounding_box()
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= width, selector
        assert box["y"] + box["height"] <= 720, selector
    assert page.page.locator(".tree").bounding_box()["height"] > 100
    assert page.problems == []
    page.close()


def replaced(step, board):
    return Step(step.caption * 3, step.focus, step.changes, [(board, f"move {i}") for i in range(9)])


def test_light_and_dark(browser, tmp_path):
    shades = {}
    for scheme in ("light", "dark"):
        page = Replay(browser, tmp_path, scheme=scheme).open(worked())
        shade = "getComputedStyle(document.querySelector('.stage')).backgroundColor"
        shades[scheme] = page.page.evaluate(shade)
        page.click("#theme")
        shades[f"{scheme}, switched"] = page.page.evaluate(shade)
        page.close()
    assert shades["light"] == shades["dark, switched"] == "rgb(255, 255, 255)"
    assert shades["dark"] == shades["light, switched"] != "rgb(255, 255, 255)"


def test_boards_are_dark_in_the_dark_and_those_that_others_drew_stay_as_they_are(replay):
    board, own = board_svg(make_game("tictactoe").initial), '<svg viewBox="0 0 9 9"><path fill="#ffffff"/></svg>'
    nodes = [Node(None, "max", board=board), Node(0, "leaf", board=own)]
    replay.open(Drawing("", nodes, [Step("Two boards.", 0, {}, [(board, "")])]), at="last")

    def seen():
        return replay.page.evaluate("""
            [...document.querySelectorAll(".node image"), ...document.querySelectorAll(".strip img")]
              .map(image => decodeURIComponent(image.getAttribute("href") ?? image.src))""")

    light = seen()
    assert all("#ffffff" in picture for picture in light)
    replay.click("#theme")
    replay.page.wait_for_function(
        "() => document.querySelector('.strip img').src.includes(encodeURIComponent('#171c22'))"
    )
    dark = seen()
    assert ["#ffffff" in picture for picture in dark] == [False, True, False]
    replay.click("#theme")
    replay.page.wait_for_function(
        "() => document.querySelector('.strip img').src.includes(encodeURIComponent('#ffffff'))"
    )
    assert seen() == light


@pytest.mark.slow
def test_fifteen_thousand_steps_and_five_thousand_nodes(replay):
    nodes = [Node(None, "max"), *(Node(i // 4, "min", "a") for i in range(4999))]
    steps = [Step(f"Step {i}.", i % 5000, {i % 5000: Look("done", str(i % 97))}) for i in range(15_000)]
    replay.open(Drawing("Large", nodes, steps))
    assert replay.page.locator("[data-step]").count() < 60
    replay.press("End")
    assert replay.count == "15000 / 15000"
    assert replay.page.inner_text("[aria-current] b") == "Step 14999."
    replay.click(".unfold")
    assert replay.page.evaluate("replay.view.places.length") == 5000
    assert replay.page.locator("[data-node]").count() < 1000  # only what can be seen is there
    assert in_view(replay, f"{replay.node(4999)} .shape")
    replay.press("Home")
    assert replay.page.evaluate("replay.tree.looks.every(look => look.state === 'unseen')")


def test_a_crowd_is_painted_on_a_canvas_and_can_be_clicked(replay):
    nodes = [Node(None, "max"), *(Node(i // 4, "min", "a") for i in range(4999))]
    replay.open(Drawing("Large", nodes, [], {0: Look("done", "1")}), most_children=10**6, width=10**6)
    replay.click(".fit")
    assert replay.page.locator("[data-node]").count() <= 1
    painted = """() => {
      const { width, height } = document.querySelector(".crowd");
      const dots = document.querySelector(".crowd").getContext("2d").getImageData(0, 0, width, height).data;
      return dots.some(Boolean);
    }"""
    assert replay.page.evaluate(painted)
    # The root is where the view says, and a click on it folds the whole tree.
    x, y = replay.page.evaluate("""() => {
      const { view, places, svg } = replay.view;
      const { left, top } = svg.getBoundingClientRect();
      const [{ x, y, size }] = places;
      return [left + view.x + x * view.scale, top + view.y + (y + size.height / 2) * view.scale];
    }""")
    replay.page.mouse.click(x, y)
    assert replay.shown() == {0}
    assert replay.page.evaluate("replay.view.crowd.empty")


def test_a_drawing_without_steps_is_a_picture(replay):
    drawing = worked()
    replay.open(Drawing("Still", drawing.nodes, []))
    assert replay.page.is_hidden(".controls")
    assert replay.page.is_hidden(".steps")
    assert len(replay.shown()) == 13
    replay.open(Drawing("Nothing", [], []))
    assert replay.shown() == set()


def test_an_exercise_begins_with_its_question_and_lists_what_has_been_reached(replay):
    drawing = replace(worked(), question="Which leaves are cut off?")
    replay.open(drawing)
    assert replay.caption == "Which leaves are cut off?"

    def rows():
        return replay.page.evaluate("[...document.querySelectorAll('.rows b')].map(row => row.textContent)")

    assert rows()[:3] == ["Question", "…", "…"]
    replay.press("ArrowRight")
    replay.press("ArrowRight")
    replay.press("ArrowLeft")
    told = [step.caption for step in drawing.steps]
    assert rows()[:4] == ["Question", told[0], told[1], "…"]
