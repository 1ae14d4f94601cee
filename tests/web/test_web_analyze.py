"""Analysing in the app, as a visitor does it in a real browser; and the same as a page in one file."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect
from typer.testing import CliRunner

from plyground.cli.main import app
from plyground.core.limits import Limit
from plyground.engines.reversi.analysis import analyse
from plyground.engines.reversi.engine import Engine
from plyground.formats import read_transcript
from plyground.web.games.analysis_page import analysis_html

BLUNDER = "f5d6c3d3c4f4c5b3c2e6c6b4b5d2"
"""A game of fourteen moves, most of them from books."""
START = f"{'-' * 27}O*{'-' * 6}*O{'-' * 27}"
GGF = f"(;GM[Othello]PC[x]PB[Ada]PW[Grace]RE[?]TY[8]BO[8 {START} *]"
LAST_SQUARES = "XXXX-XXXXXXOOOOOXXXXXX--XXOXXO-OXOXXOXOOOOOOXOXOO-XXXXXXOOXXXXXO X"
"""Five empty squares; black can play e1."""


COMPILING = 600_000
"""Milliseconds in which the engine is there, though it has never been compiled before."""


class Desk:
    """The analyze page in a visitor's browser."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page
        self.heading = self.page.get_by_role("heading", level=1)
        self.count = self.page.locator(".stepper-count")
        self.values = self.page.locator(".hint-text")
        self.best = self.page.locator(".hint[data-best=yes] .hint-text")
        self.lines = self.page.locator(".hint-list button")

    def square(self, name):
        return self.page.get_by_role("gridcell", name=re.compile(rf"^{name}, "))

    def read(self, text):
        self.page.get_by_label("A transcript, a board, OBF or GGF").fill(text)
        self.visitor.button("Read").click()

    def wait_for(self, count):
        expect(self.count).to_have_text(count)
        return self


@pytest.fixture
def desk(visit):
    def opened(path="/analyze?hints=off", **options):
        found = Desk(visit(path, **options))
        expect(found.count).not_to_be_empty()
        return found

    return opened


def test_a_game_is_pasted_and_every_move_is_judged(desk):
    at = desk()
    at.read("1. f5 d6 2. c3 d3 3. c4 f4 4. c5 b3 5. c2 a1?")
    expect(at.page.locator("[role=status] .error")).to_contain_text("The first 9 moves were read, up to the one")
    expect(at.page.locator("[role=status] .error")).to_contain_text("move 10: a1 flips nothing")
    at.wait_for("9 / 9")
    chosen = "({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd)"
    assert at.page.locator("textarea").evaluate(chosen) == "a1"
    at.read(BLUNDER.upper())
    at.wait_for("14 / 14")
    expect(at.heading).to_have_text("Tamenori")
    assert "moves=f5+d6" in at.page.url
    at.page.get_by_label("Time per move").select_option("0.2")
    at.visitor.button("Judge every move").click()
    expect(at.page.locator(".review-players tbody tr")).to_have_count(2, timeout=COMPILING)
    expect(at.page.locator(".review-moves button > :last-child").first).to_have_text(re.compile(r"^[+−]?\d+$"))
    expect(at.page.locator(".graph-curve")).to_have_count(1)
    at.visitor.accessible()
    graph = at.page.get_by_role("slider", name="Evaluation over the game")
    graph.focus()
    at.visitor.press("Home", "ArrowRight", "ArrowRight")
    at.wait_for("2 / 14")
    expect(graph).to_have_attribute("aria-valuetext", re.compile("^after 2 moves: "))
    box = graph.bounding_box()
    at.page.mouse.click(box["x"] + box["width"] - 12, box["y"] + 40)
    at.wait_for("14 / 14")
    mistakes = at.page.locator(".review-mistakes button")
    assert "judge=0.2" in at.page.url
    judged = at.page.locator(".review-moves").inner_text()
    at.page.reload()
    at.wait_for("14 / 14")
    assert at.page.locator(".review-moves").inner_text() == judged
    expect(at.page.locator(".graph-curve")).to_have_count(1)
    if mistakes.count():
        number = int(mistakes.first.inner_text().split(".")[0])
        mistakes.first.click()
        at.wait_for(f"{number - 1} / 14")


def test_other_games_have_moves_of_their_own_to_paste_and_go_wrong_in_the_same_way(desk):
    at = desk("/analyze?game=connect4&hints=off")
    field = at.page.get_by_label("The moves of the game")
    expect(field).to_have_attribute("placeholder", "1 2 3 …")
    field.fill("4 4 9 1")
    at.visitor.button("Read").click()
    at.wait_for("2 / 2")
    expect(at.page.locator("[role=status] .error")).to_contain_text("move 3: '9' is not legal here")
    at.visitor.open("/play?game=reversi&p=human&p=human&moves=f5d6c3a1d3")
    expect(at.page.get_by_role("alert")).to_contain_text("The first 3 moves were read, up to the one that goes wrong")
    assert "moves=f5+d6+c3" in at.page.url
    at.visitor.button("Start the game").click()
    expect(at.page.locator(".moves .move:not(.start)")).to_have_count(3)


def test_in_connect_four_the_middle_column_alone_is_best_at_the_start(desk):
    at = desk("/analyze?game=connect4")
    expect(at.best).to_have_text(["win"])
    expect(at.page.locator(".hint-text", has_text="loss")).to_have_count(4)
    expect(at.page.locator(".hint-text", has_text="draw")).to_have_count(2)
    at.visitor.open("/analyze?game=connect4&moves=4&hints=off")
    ends = at.page.locator(".evaluation-svg .graph-number", has_text=re.compile("^[A-Z]"))
    expect(ends).to_have_text(["Red", "Yellow"])
    boxes = [(ends.nth(i).bounding_box(), at.page.locator(".evaluation-svg").bounding_box()) for i in range(2)]
    assert all(label["x"] >= whole["x"] for label, whole in boxes)


def test_at_twice_the_size_the_board_fits_the_window_and_the_end_is_said_in_a_sentence(desk):
    at = desk("/analyze?game=tictactoe&moves=a1 b1 a2 b2 a3&hints=off", width=640, height=400, device_scale_factor=2)
    expect(at.page.locator(".analyze-under")).to_contain_text("X won")
    box = at.page.locator(".analyze .board").bounding_box()
    assert box["height"] <= 400 - 56  # below the bar
    at.visitor.fits()


def test_values_stream_onto_the_squares_and_the_best_move_is_played(desk):
    at = desk("/analyze?moves=f5")
    expect(at.values).to_have_count(3, timeout=COMPILING)
    expect(at.lines).to_have_count(3)
    expect(at.best.first).to_have_text(re.compile(r"^[+−]?\d+$"))
    expect(at.square("d6")).to_have_attribute("aria-label", re.compile("value|best"))
    at.visitor.press("v")
    expect(at.values).to_have_count(0)
    assert "hints=off" in at.page.url
    at.visitor.press("v")
    expect(at.lines.first).to_be_visible()
    at.visitor.press(" ")
    at.wait_for("2 / 2")
    assert re.search(r"moves=f5\+(d6|f6|f4)$", at.page.url)  # the best that was known so far
    at.visitor.press("Backspace")
    at.wait_for("1 / 2")


def test_solved_positions_are_ticked(desk):
    at = desk(f"/analyze?board={LAST_SQUARES}")
    expect(at.page.locator(".hint-exact").first).to_be_attached(timeout=COMPILING)
    expect(at.page.locator(".hint-value .sign").first).to_be_visible()


def test_a_move_of_ones_own_leaves_the_game_and_comes_back(desk):
    at = desk(f"/analyze?moves={BLUNDER}&ply=1&hints=off").wait_for("1 / 14")
    at.square("f6").click()
    at.wait_for("2 / 2")
    expect(at.page.get_by_text("You have left the game.")).to_be_visible()
    at.visitor.button("Back to the game").click()
    at.wait_for("1 / 14")
    at.square("d6").click()
    at.wait_for("2 / 14")


def test_board_graph_moves_and_lines_are_on_one_screen_and_a_phone_has_them_in_a_row(desk):
    at = desk(f"/analyze?moves={BLUNDER}&ply=4")
    expect(at.lines.first).to_be_visible(timeout=COMPILING)
    for part in (".analyze-board .board", ".evaluation-graph", ".review-moves", ".hint-list", ".stepper"):
        box = at.page.locator(part).bounding_box()
        assert box["height"] > 20, part
        assert 0 <= box["y"] <= 800 - box["height"], part
    assert at.page.evaluate("scrollY") == 0
    at.page.set_viewport_size({"width": 390, "height": 844})
    at.visitor.fits()
    tops = [
        at.page.locator(part).bounding_box()["y"]
        for part in (".analyze-board", ".stepper", ".hint-list", ".evaluation-graph", ".review-moves", ".explorer")
    ]
    assert tops == sorted(tops)


def test_variations_keep_the_main_line_and_are_stepped_promoted_deleted_and_still_there_after_a_reload(desk):
    at = desk(f"/analyze?moves={BLUNDER}&ply=1&hints=off").wait_for("1 / 14")
    variations = at.page.locator(".review-variation")
    at.square("f6").click()
    at.wait_for("2 / 2")
    at.square("e6").click()
    at.wait_for("3 / 3")
    at.visitor.press("ArrowLeft")
    at.square("c4").click()  # within the variation another one
    expect(variations).to_have_text(["(2f6e6(3c4))"])
    expect(at.page.locator(".review-moves > li:not(.review-variation)")).to_have_count(14)
    assert "moves=f5+d6+%28f6+e6+%28c4%29%29+c3" in at.page.url
    expect(at.page.locator(".review-moves [aria-current=step]")).to_have_text("3c4")
    at.visitor.accessible()
    at.page.reload()
    at.wait_for("3 / 3")
    expect(variations).to_have_text(["(2f6e6(3c4))"])
    expect(at.page.locator(".review-moves [aria-current=step]")).to_have_text("3c4")
    at.visitor.press("[")  # the variation beside it
    expect(at.page.locator(".review-moves [aria-current=step]")).to_have_text("e6")
    at.visitor.press("[", "p")  # up within the variation, then to the main line
    expect(variations).to_have_text(["(2f6c4(3e6))"])
    at.visitor.button("Promote").click()
    expect(at.page.get_by_text("You have left the game.")).to_be_hidden()
    at.wait_for("3 / 3")
    expect(variations.first).to_have_text(re.compile(r"^\(2d6c3d3"))
    first = variations.first.get_by_role("button").first
    first.focus()
    at.visitor.press("Enter")
    at.wait_for("2 / 14")
    at.visitor.press("p", "End")
    at.wait_for("14 / 14")
    variations.get_by_role("button", name="f6").click()
    at.wait_for("2 / 3")
    at.visitor.press("Delete")
    at.wait_for("1 / 14")
    expect(variations).to_have_count(0)
    at.visitor.open("/analyze?moves=f5 (zz) d6 (f6 a1)&hints=off")  # written by hand, and wrong
    at.wait_for("2 / 2")
    at.page.locator(".review-moves").get_by_role("button", name="f6").click()
    at.wait_for("2 / 2")
    expect(at.page.locator(".review-variation")).to_have_text(["(1zz)", "(2f6)"])


def test_the_search_goes_on_until_it_is_stopped_and_follows_the_board(desk):
    at = desk("/analyze?moves=f5 d6")
    sent = []
    at.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    at.page.reload()
    at.wait_for("2 / 2")
    endless = at.visitor.button("Endless")
    endless.click()
    expect(endless).to_have_attribute("aria-pressed", "true")
    head = at.page.locator(".lines-panel > header")
    expect(head).to_contain_text(re.compile(r"depth (1[2-9]|[2-9]\d)"), timeout=COMPILING)
    expect(at.page.locator(".graph-here")).to_have_count(1)  # what it finds is in the graph
    at.visitor.press("ArrowLeft")
    at.wait_for("1 / 2")
    expect(at.lines).to_have_count(3)
    expect(head.locator(".spinner")).to_be_visible()
    assert sum('"endless":true' in text for text in sent) == 2
    at.visitor.press("e")
    expect(endless).to_have_attribute("aria-pressed", "false")
    expect(head.locator(".spinner")).to_have_count(0)
    expect(at.lines).to_have_count(3)  # what was found stays
    assert sum('"do":"stop"' in text for text in sent) >= 2


def test_all_values_are_seen_by_one_side_and_it_is_said_which(desk):
    at = desk(f"/analyze?board={LAST_SQUARES}")
    expect(at.page.locator(".hint-exact").first).to_be_attached(timeout=COMPILING)
    expect(at.page.locator(".graph-panel")).to_contain_text("All values are for Black.")
    text = at.best.first.text_content()
    assert text.startswith("+")
    expect(at.lines.first.locator(".hint-value")).to_have_text(text)
    graph = at.page.get_by_role("slider", name="Evaluation over the game")
    expect(graph).to_have_attribute("aria-valuetext", f"after 0 moves: {text} for Black")
    at.page.get_by_label("Seen by").select_option("White")
    expect(at.best.first).to_have_text(text.replace("+", "−"))
    expect(at.lines.first.locator(".hint-value")).to_have_text(text.replace("+", "−"))
    expect(graph).to_have_attribute("aria-valuetext", f"after 0 moves: {text.replace('+', '−')} for White")
    expect(at.page.locator(".graph-panel")).to_contain_text("All values are for White.")
    assert "view=second" in at.page.url


def test_a_move_is_explained_in_words_and_on_a_small_board(desk):
    at = desk("/analyze?game=tictactoe&moves=b2 b1&hints=off").wait_for("2 / 2")
    at.visitor.press("w")
    dialog = at.page.get_by_role("dialog", name="O: 2. b1")
    expect(dialog).to_contain_text("The moves were searched to the end of the game")
    expect(dialog).to_contain_text("O had a draw, and now loses.")
    expect(dialog).to_contain_text("The refutation: X answers b1 with")
    expect(dialog).to_contain_text("X wins.")
    count = dialog.locator(".stepper-count")
    expect(count).to_have_text(re.compile(r"^2 / \d"))
    expect(dialog.locator(".board .piece")).to_have_count(3)
    dialog.get_by_role("button", name="Forward").click()
    expect(dialog.locator(".board .piece")).to_have_count(4)
    at.visitor.press("ArrowLeft", "ArrowLeft")
    expect(dialog.locator(".board .piece")).to_have_count(2)
    dialog.get_by_role("radio", name="instead:").check()
    expect(count).to_have_text(re.compile(r"^1 / \d"))
    at.visitor.accessible()
    at.visitor.press("Escape")
    expect(dialog).to_be_hidden()


def test_piles_are_taken_from_where_they_lie(desk):
    at = desk("/analyze?game=nim:piles=1,2&hints=off")
    at.visitor.button("Take 1 from pile 2").click()
    at.wait_for("1 / 1")
    expect(at.page.get_by_role("group", name="Pile 2: 1 object")).to_be_visible()
    at.visitor.press("w")
    dialog = at.page.get_by_role("dialog", name="Player 1: 1. 2:1")
    expect(dialog.locator(".pile")).to_have_count(2)
    at.visitor.accessible()
    at.visitor.press("Escape")
    at.visitor.fits()


def test_what_a_move_costs_is_the_difference_of_the_values_that_are_written(desk):
    at = desk("/analyze?game=tictactoe&hints=off")
    script = """async (pairs) => {
      const ours = (name) => import(new URL(name, document.querySelector("script[src$='/app.js']").src));
      const { lossText } = await ours("games/analyze/review.js");
      const { valueText } = await ours("games/play/values.js");
      const number = (text) => Number(text.replace("\u2212", "-").match(/-?[\\d.]+/)[0]);
      const wrong = [];
      for (const [unit, value, best] of pairs) {
        const cost = number(lossText(best - value, unit, { value, best: { value: best } }));
        const [one, two] = [value, best].map((worth) => number(valueText(worth, unit)));
        if (Math.abs(cost - (two - one)) > 1e-9) wrong.push([unit, value, best, cost]);
      }
      const mate = lossText(0.9, "pawns", { value: -1, best: { value: -0.1 } });
      return [wrong, mate];
    }"""
    rng = random.Random(4)
    pairs = [
        (unit, *sorted(rng.uniform(-most, most) for _ in range(2)))
        for unit, most in [("utility", 0.97), ("pawns", 0.97), ("discs", 64)]
        for _ in range(100)
    ]
    wrong, mate = at.page.evaluate(script, pairs)
    assert wrong == []
    assert mate == "45% in winning chances"  # beside values in pawns


def test_the_explorer_plays_the_moves_that_it_knows(desk):
    at = desk("/analyze?moves=f5&hints=off")
    row = at.page.locator(".explorer tbody tr").filter(has_text="Perpendicular")
    expect(row).to_contain_text(re.compile(r"[+−]?\d\.\d"), timeout=COMPILING)
    row.get_by_role("button", name="d6").click()
    at.wait_for("2 / 2")
    expect(at.heading).to_have_text("Perpendicular")


def test_a_position_is_set_up_square_by_square(desk):
    at = desk()
    at.visitor.button("Set up").click()
    at.visitor.button("Empty board").click()
    at.square("a1").click()
    at.visitor.accessible()
    at.visitor.button("Analyze this").click()
    expect(at.page.locator("#toasts")).to_contain_text("neither side can move")
    at.visitor.problems.clear()  # the browser reports the refusal, status 422
    expect(at.square("a1")).to_have_attribute("aria-label", re.compile("a1, Black"))  # and the board is still there
    at.visitor.button("Starting position").click()
    at.square("e5").click()  # a black disc instead of a white one
    at.page.get_by_role("radiogroup", name="Put").get_by_role("radio", name="White").check()
    at.square("a1").focus()
    at.visitor.press("ArrowRight", "ArrowRight", "ArrowRight", "Enter")
    at.page.get_by_role("radiogroup", name="Put").get_by_role("radio", name="nothing").check()
    at.square("d5").click()
    at.page.get_by_role("radiogroup", name="To move").get_by_role("radio", name="White").check()
    at.visitor.button("Analyze this").click()
    expect(at.heading).to_have_text("A position of your own")
    expect(at.page.locator(".analyze-under")).to_contain_text("White to move")
    assert f"board={'-' * 3}O{'-' * 23}OX{'-' * 7}X{'-' * 27}+O" in at.page.url


def test_other_formats_are_recognised(desk):
    at = desk()
    at.read(f"{GGF}B[f5]W[d6];)\n{GGF}B[c4]W[e3]B[f6];)")
    at.wait_for("2 / 2")
    expect(at.page.locator(".analyze-under")).to_contain_text("Ada – Grace")
    expect(at.page.get_by_text("2 games (GGF)")).to_be_visible()
    at.page.get_by_label("Which one").select_option("1")
    at.wait_for("3 / 3")
    at.read(f"{LAST_SQUARES}; E1:+4;\n")
    expect(at.page.locator("[role=status]").filter(has_text="One position")).to_be_visible()
    at.read("what is this?")
    expect(at.page.locator("[role=status] .error")).to_be_visible()
    at.visitor.problems.clear()  # the browser reports the refusal, status 422


def test_moves_boards_games_and_pictures_are_taken_away(desk):
    at = desk(f"/analyze?moves={BLUNDER}&hints=off", permissions=["clipboard-read", "clipboard-write"])
    for name, pattern in (("Copy moves", BLUNDER), ("Copy board", r"[-XO.]{64} X"), ("Copy link", r"http://.*moves=")):
        at.visitor.button(name).click()
        at.page.wait_for_function(
            "pattern => navigator.clipboard.readText().then(text => new RegExp(pattern).test(text))", arg=pattern
        )
    for name, start in (("GGF", b"(;GM[Othello]"), ("Board SVG", b"<svg"), ("Board PNG", b"\x89PNG")):
        with at.page.expect_download() as saved:
            at.visitor.button(name).click()
        assert saved.value.path().read_bytes().startswith(start), name
    expect(at.visitor.button("Graph SVG")).to_be_disabled()


def test_another_game_is_analysed_by_alphabeta(desk):
    at = desk("/analyze?game=tictactoe&moves=a1%20b1")
    expect(at.values).to_have_count(7)
    expect(at.page.locator(".hint-exact")).to_have_count(7)
    expect(at.best.first).to_have_text("win")
    at.visitor.button("Judge every move").click()
    expect(at.page.locator(".review-mistakes button")).to_contain_text(["2. b1"])


@pytest.mark.slow
def test_the_page_speaks_chinese_in_the_dark_on_a_telephone(desk):
    at = desk("/analyze?moves=f5d6&hints=off", locale="zh-CN", color_scheme="dark", width=360, height=720)
    at.wait_for("2 / 2")
    expect(at.page.locator(".analyze-under")).to_contain_text("轮到黑方")
    expect(at.page.locator("main")).to_contain_text("垂直")
    assert "Perpendicular" not in at.page.content()
    expect(at.page).to_have_title("分析：垂直 · Plyground")
    seen = at.page.get_by_label("视角", exact=True)
    assert seen.evaluate("choice => choice.offsetWidth >= choice.scrollWidth && choice.parentElement.offsetHeight < 50")
    at.visitor.fits()
    at.visitor.accessible()


# A page in one file


@pytest.fixture(scope="module")
def analysed():
    return analyse(read_transcript(BLUNDER), Engine(), Limit(depth=1), solved_from=0)


@pytest.mark.parametrize(("lang", "words"), [("en", "Mistakes"), pytest.param("zh", "失误", marks=pytest.mark.slow)])
def test_the_page_in_one_file_needs_no_server(browser, tmp_path, analysed, lang, words):
    file = tmp_path / "game.html"
    file.write_text(analysis_html(analysed, lang=lang), encoding="utf-8")
    page = browser.new_page()
    problems, requests = [], []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(file.as_uri())
    expect(page.locator(".stepper-count")).to_have_text("0 / 14")
    page.keyboard.press("End")
    expect(page.locator(".stepper-count")).to_have_text("14 / 14")
    expect(page.locator(".board .piece")).to_have_count(18)
    expect(page.locator("body")).to_contain_text(words)
    page.locator(".review-moves button").nth(4).click()
    expect(page.locator(".stepper-count")).to_have_text("5 / 14")
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    page.locator("#theme").click()
    assert page.evaluate(ground) != before
    page.close()
    assert problems == []
    assert requests == [file.as_uri()]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--out", "x.pdf"], "--out: 'x.pdf' must end in .html"),
        (["--lang", "de"], "--lang: 'de' is not a language"),
        (["--out", "nowhere/x.html"], "nowhere"),
    ],
)
def test_what_cannot_be_written_is_refused_before_the_search(arguments, message):
    result = CliRunner().invoke(app, ["analyze", "reversi", "f5d6", *arguments])
    assert result.exit_code != 0
    assert message in f"{result.output}{result.exception}"
