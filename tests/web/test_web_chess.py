"""Chess in the app: a board by pointer, finger and keys, positions set up, games in PGN, mates, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playwright.sync_api import Page, expect

from plyground.formats.pgn import read_pgn
from plyground.games.chess import fen
from plyground.web.games.chess_reading import read_chess
from web_client import Visitor as ApiVisitor
from web_client import app_in

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
CASTLING = "r3k2r/7p/8/8/8/8/7P/R3K2R w KQkq - 0 1"
PROMOTING = "4k3/P6p/8/8/8/8/7P/4K3 w - - 0 1"
GAME = """[White "Ada"]
[Black "Bo"]
[Result "0-1"]

{A short one} 1. f3 $6 e5 2. g4 {This opens the way} (2. Nh3 d5 {is quiet} 3. e4 (3. d4)) Qh4# 0-1
"""


def square(page: Page, name: str) -> Any:
    return page.get_by_role("gridcell", name=re.compile(rf"^{name}, "))


def middle(page: Page, name: str) -> tuple[float, float]:
    box = square(page, name).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, start: str, end: tuple[float, float] | str) -> None:
    x, y = middle(page, start)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 9, y - 9)
    page.mouse.move(*(middle(page, end) if isinstance(end, str) else end), steps=3)
    page.mouse.up()


def walk(page: Page, name: str) -> None:
    """Go to a square with the arrow keys."""
    for _ in range(16):
        row, column = map(int, page.evaluate("document.activeElement.dataset.cell").split(","))
        down, right = 8 - int(name[1]) - row, "abcdefgh".index(name[0]) - column
        if not down and not right:
            return
        page.keyboard.press(
            "ArrowDown" if down > 0 else "ArrowUp" if down else "ArrowRight" if right > 0 else "ArrowLeft"
        )
    raise AssertionError(name)


def by_keys(page: Page, *names: str) -> None:
    for name in names:
        walk(page, name)
        page.keyboard.press("Enter")


@pytest.fixture
def table(visit: Any) -> Callable[..., Any]:
    """A game of chess between two people at one computer, from a position."""

    def opened(board: str = "", **options: Any) -> Any:
        visitor = visit(f"/play?game=chess&p=human&p=human{f'&board={quote(board)}' if board else ''}", **options)
        visitor.button("Start the game").click()
        visitor.page.wait_for_url("**/play/*")
        expect(visitor.page.locator(".cell.movable").first).to_be_visible()
        return visitor

    return opened


def moves(page: Page) -> Any:
    return page.locator(".moves .move:not(.start, .branch)")


def test_castling_by_a_drag_and_by_two_clicks(table: Any) -> None:
    visitor = table(CASTLING)
    page = visitor.page
    drag(page, "e1", "e5")  # which the king cannot reach: it is put back
    expect(moves(page)).to_have_count(0)
    expect(square(page, "e1")).to_have_attribute("aria-label", re.compile("White king"))
    drag(page, "e1", "g1")
    expect(moves(page)).to_have_text([re.compile(r"^O-O\s")])
    expect(square(page, "f1")).to_have_attribute("aria-label", re.compile("White rook"))
    assert page.locator(".cell.last").count() == 2
    square(page, "e8").click()
    expect(square(page, "e8")).to_have_attribute("aria-label", re.compile("picked up"))
    expect(page.locator(".dot")).to_have_count(4)  # f8 and f7 are the rook's
    square(page, "c8").click()
    expect(moves(page)).to_have_text([re.compile(r"^O-O\s"), re.compile(r"^O-O-O\s")])


def test_whoever_promotes_is_asked_to_what_and_may_think_better_of_it(table: Any) -> None:
    visitor = table(PROMOTING)
    page = visitor.page
    asked = page.get_by_role("dialog", name="The pawn on a8 becomes")
    square(page, "a7").click()
    square(page, "a8").click()
    expect(asked.get_by_role("button")).to_have_count(4)
    visitor.accessible()
    visitor.press("Escape")
    expect(asked).to_have_count(0)
    expect(moves(page)).to_have_count(0)
    visitor.press("b")
    by_keys(page, "a7", "a8")
    expect(asked.get_by_role("button", name="queen")).to_be_focused()
    visitor.press("ArrowDown")
    expect(asked.get_by_role("button", name="rook")).to_be_focused()
    visitor.press("Enter")
    expect(moves(page)).to_have_text([re.compile(r"^a8=R\+")])
    expect(square(page, "e8")).to_have_attribute("aria-label", re.compile("in check"))
    expect(page.locator(".check")).to_have_count(1)
    expect(page.locator(".status-detail")).to_have_text("Check!")
    visitor.accessible()


def test_a_game_to_mate_by_keyboard_alone(table: Any) -> None:
    visitor = table()
    page = visitor.page
    visitor.press("b")
    for number, (start, end) in enumerate((("f2", "f3"), ("e7", "e5"), ("g2", "g4"), ("d8", "h4")), 1):
        walk(page, start)
        visitor.press("Enter")
        expect(page.locator(".board [role=status]")).to_contain_text("It can go to: ")
        by_keys(page, end)
        expect(moves(page)).to_have_count(number)
    expect(page.locator("h1.status")).to_have_text("Black won")
    expect(page.locator(".status-detail")).to_have_text("Checkmate.")
    expect(page.locator("#announcer")).to_contain_text("Qh4#")
    visitor.press("f")
    assert middle(page, "a8")[1] > middle(page, "a1")[1]


def test_a_piece_is_dragged_by_a_finger_and_the_page_fits_a_phone(table: Any) -> None:
    visitor = table(width=390, height=844, has_touch=True, is_mobile=True)
    page = visitor.page
    visitor.fits()
    finger = visitor.context.new_cdp_session(page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    square(page, "e2").scroll_into_view_if_needed()
    (x, y), (to_x, to_y) = middle(page, "e2"), middle(page, "e4")
    touch("touchStart", (x, y))
    for part in (0.3, 0.7, 1.0):
        touch("touchMove", (x + part * (to_x - x), y + part * (to_y - y)))
    expect(page.locator(".dragged")).to_have_count(1)
    touch("touchEnd")
    expect(moves(page)).to_have_text([re.compile("^e4")])
    square(page, "e7").tap()
    square(page, "e5").tap()
    expect(moves(page)).to_have_count(2)


# Analyze ----------------------------------------------------------------------------------------------------------


@pytest.fixture
def desk(visit: Any) -> Callable[..., Any]:
    def opened(path: str = "/analyze?game=chess&hints=off", **options: Any) -> Any:
        visitor = visit(path, **options)
        expect(visitor.page.locator(".stepper-count")).not_to_be_empty()
        return visitor

    return opened


def test_a_position_is_set_up_by_pointer_keys_and_fen(desk: Any) -> None:
    visitor = desk()
    page = visitor.page
    visitor.button("Set up").click()
    code = page.get_by_label("FEN", exact=True)
    expect(code).to_have_value(START)
    visitor.accessible()
    visitor.button("Empty board").click()
    page.get_by_text("White king", exact=True).locator("xpath=..").click()
    square(page, "e1").click()
    square(page, "a1").click()
    drag(page, "a1", (4.0, 400.0))  # off the board
    square(page, "e4").focus()
    walk(page, "h1")
    visitor.press("Shift+R")
    walk(page, "e8")
    visitor.press("k")
    walk(page, "a8")
    visitor.press("r")
    visitor.press("Delete")
    page.get_by_role("radiogroup", name="To move").get_by_text("Black").click()
    page.get_by_role("checkbox", name="White may castle O-O", exact=True).check()
    expect(page.get_by_role("checkbox", name="White may castle O-O-O")).to_be_disabled()
    expect(code).to_have_value("4k3/8/8/8/8/8/8/4K2R b K - 0 1")
    for bad, why in (
        ("4k3/8/8/8/8/8/8/4K2 w - - 0 1", "rank 1 must have 8 squares, not 7"),
        ("8/8/8/8/8/8/8/4K2R w - - 0 1", "Black must have one king, not 0"),
        ("4k3/8/8/8/8/8/8/4K2R w K", "it needs the board, w or b, castling"),
        ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", "Black is in check, and it is the other side's turn"),
        ("k7/2K5/1Q6/8/8/8/8/8 b - - 0 1", "this position is the end of a game, stalemate: there is nothing to play"),
    ):
        code.fill(bad)
        visitor.button("Analyze this").click()
        expect(page.locator(".setup .error")).to_contain_text(why)
    visitor.problems.clear()  # the console tells of each refusal
    code.fill("4k3/8/8/8/8/8/8/4K2R b K - 0 1")
    visitor.button("Analyze this").click()
    expect(page.locator(".analyze-under")).to_contain_text("Black to move")
    assert "board=4k3" in page.url
    page.reload()
    expect(square(page, "h1")).to_have_attribute("aria-label", re.compile("White rook"))
    page.get_by_role("link", name="Play from here").click()
    expect(page.locator(".set-up")).to_be_visible()


def test_a_game_in_pgn_keeps_its_variations_comments_and_marks_and_its_mistakes_can_be_practised(desk: Any) -> None:
    visitor = desk()
    page = visitor.page
    page.get_by_label("A game in PGN, moves, or a FEN").fill(GAME)
    visitor.button("Read").click()
    expect(page.locator(".stepper-count")).to_have_text("4 / 4")
    expect(page.get_by_role("heading", level=1)).to_have_text("Ada – Bo")
    told = page.locator(".review-moves")
    for text in ("A short one", "This opens the way", "is quiet", "f3?!", "2.Nh3", "3.d4"):
        expect(told).to_contain_text(text)
    # What is written is what was read, as another reader sees it.
    page.evaluate("navigator.clipboard.writeText = (text) => { window.written = text; return Promise.resolve(); }")
    visitor.button("Copy PGN").click()
    assert read_pgn(page.evaluate("window.written")) == read_pgn(GAME)
    told.get_by_role("button", name=re.compile("Nh3")).click()
    expect(page.locator(".stepper-count")).to_have_text("3 / 5")
    visitor.button("Back to the game").click()
    page.get_by_label("Time per move").select_option("0.2")
    visitor.press("End")
    visitor.button("Judge every move").click()
    mistake = page.locator(".review-mistakes li", has_text="2. g4")
    expect(mistake).to_be_visible(timeout=600_000)
    expect(page.locator(".graph-curve")).to_have_count(1)
    expect(page.locator(".review-players tbody tr")).to_have_count(2)
    visitor.accessible()
    visitor.button("Practise").click()
    training = page.locator(".training [role=status]")
    while "g4" not in training.inner_text():
        visitor.button("Skip").click()
    expect(training).to_contain_text("White played 2. g4, which loses")
    expect(told).to_be_hidden()
    drag(page, "g2", "g4")
    expect(training).to_have_text("g4 is what was played. Try another one.")
    visitor.button("Show the move").click()
    expect(training).to_contain_text("The best move is ")
    expect(page.locator(".arrow[data-best]")).to_have_count(1)
    visitor.button("Stop").click()
    expect(told).to_be_visible()


def test_several_moves_are_drawn_with_their_values(desk: Any) -> None:
    visitor = desk("/analyze?game=chess&time=1&board=" + quote("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1"))
    page = visitor.page
    expect(page.locator(".arrow")).to_have_count(4, timeout=600_000)
    best = page.locator(".arrow-value[data-best]")
    expect(best).to_have_text("#1")
    assert page.locator(".arrow-value:not([data-best])").count() == 3
    expect(page.locator(".hint-list button").first).to_contain_text("Rd8#")


def test_mate_in_two_is_played_to_its_end(visit: Any) -> None:
    from plyground.course.puzzles.puzzle import puzzles
    from plyground.games import make_game
    from plyground.web.games.positions import started_game

    found = puzzles("chess")
    number = next(place for place, one in enumerate(found) if one.best.score == 3)
    puzzle = found[number]
    visitor = visit(f"/puzzles?game=chess&number={number}")
    page = visitor.page
    expect(page.locator(".puzzle-question")).to_contain_text("White to move. Mate in 2 moves.")
    visitor.accessible()

    def by_click(code: str) -> None:
        square(page, code[:2]).click()
        square(page, code[2:4]).click()
        if len(code) == 5:
            visitor.press(code[4])

    by_click(puzzle.variations[-1].move)
    expect(page.locator(".puzzle-verdict.wrong")).to_be_visible()
    visitor.button("Try again").click()
    state = started_game(make_game("chess"), puzzle.start).initial
    assert fen(state) == puzzle.start
    by_click(puzzle.best.move)
    expect(page.locator(".puzzle-question")).to_contain_text("Mate in 1 move.")
    by_click(puzzle.best.line[2])
    expect(page.locator(".puzzle-verdict.right")).to_contain_text("mate.")


def test_the_horizon_is_there_to_be_watched(visit: Any) -> None:
    visitor = visit("/watch?lesson=chess-exchange&step=last")
    page = visitor.page
    facts = page.locator(".watch-facts")
    expect(facts).to_contain_text("Nxc5")
    expect(page.locator(".replay image")).to_have_count(8)
    page.get_by_text("Quiescence", exact=True).first.click()
    expect(facts).to_contain_text("Nb2")
    expect(facts).to_contain_text("9 nodes visited")
    visitor.accessible()
    visitor.open("/watch?lesson=chess-horizon&step=last")
    expect(page.locator(".watch-facts")).to_contain_text("e6+ Kxe6 Bxb6")


# What is refused --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ApiVisitor]:
    with app_in(tmp_path_factory.mktemp("chess")) as made:
        yield made


@pytest.mark.parametrize(
    "board",
    [
        "x", "8/8/8/8/8/8/8/8 w - - 0 1", "k" * 5000, START.replace("w", "x"), START + " 7 7", "\x00", "０" * 8,
        START[:-2] + " 9" * 3,
    ],
)  # fmt: skip
def test_a_bad_fen_is_refused_in_one_line_wherever_it_is_sent(api: ApiVisitor, board: str) -> None:
    for path, more in (
        ("/api/position", {}), ("/api/games", {"players": ["human", "human"]}), ("/api/explore", {}),
        ("/api/export", {"what": "board"}),
    ):  # fmt: skip
        said = api.refused(path, (400, 409, 422), game="chess", board=board, **more)
        assert "\n" not in said
        assert len(said) < 400


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet=st.sampled_from(list('KQkqRrPp12345678/ wb-[]{}()$;%"\n.Ne4O#+=*x')), max_size=160))
def test_whatever_is_pasted_is_read_or_refused_in_one_line(api: ApiVisitor, text: str) -> None:
    answer = api.client.post("/api/read", json={"text": text, "game": "chess"})
    if answer.status_code == 200:
        assert answer.json()["games"] or answer.json()["positions"]
    else:
        assert answer.status_code in (400, 422)
        assert "\n" not in answer.json()["error"]


def test_what_is_nested_or_broken_is_refused(api: ApiVisitor) -> None:
    deep = "1. e4 " + "(1. d4 " * 500 + ")" * 500
    for text in (deep, "1. e4 e5 2. Ke3", '[FEN "8/8 w"]\n\n1. e4', "1. e4 {never closed", "", "\n\n"):
        said = api.refused("/api/read", (400, 422), text=text, game="chess")
        assert said
        assert "\n" not in said
    assert "game" in api.refused("/api/read", 422, text="e4", game="go")


def test_a_mate_is_judged_by_the_moves_that_were_legal(api: ApiVisitor) -> None:
    for before in (["e4"], ["zz", "zz"], ["a"] * 60, ["Kb1", "Kb1"]):
        said = api.refused("/api/puzzles/judge", (400, 409, 422), game="chess", number=0, move="Kb2", before=before)
        assert "\n" not in said
    said = api.refused("/api/puzzles/judge", (400, 409, 422), game="connect4", number=0, move="4", before=["1"])
    assert "first move" in said


def test_epd_and_several_games_are_told_apart() -> None:
    found = read_chess('r3k3/8/8/8/8/8/8/4K3 b q - bm Ra1; id "WAC 1";\n8/8/8/8/8/2k5/2q5/K7 w - - 3 40')
    assert [one["board"] for one in found["positions"]] == [
        "r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "8/8/8/8/8/2k5/2q5/K7 w - - 3 40",
    ]  # fmt: skip
    assert found["positions"][0]["comment"] == "WAC 1"
    games = read_chess(f"{GAME}\n{GAME}")["games"]
    assert len(games) == 2
    (first, *_) = games[0]["line"]
    assert (first["text"], first["nags"]) == ("f3", [6])
    assert games[0]["line"][2]["variations"][0][1]["comments"] == ["is quiet"]


def test_a_game_says_which_rule_has_ended_it(api: ApiVisitor) -> None:
    def over(**line: str) -> Any:
        return api.post("/api/position", game="chess", **line)["positions"][-1]["over"]

    assert over(moves="f3 e5 g4 Qh4#")["how"] == "mate"
    assert over(board="k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", moves="Qb6")["how"] == "stalemate"
    assert over(moves="Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8")["how"] == "repetition"
    assert over(board="k7/8/8/8/8/8/1R6/K7 w - - 99 80", moves="Rb3")["how"] == "fifty"
    assert over(board="k7/8/8/8/8/8/1p6/K7 w - - 0 1", moves="Kxb2")["how"] == "material"


def test_a_game_from_a_position_is_kept_with_it(api: ApiVisitor) -> None:
    from plyground.games import make_game

    game = api.begin("chess", board="6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1")
    over = api.move(game, "Rd8#")
    assert over["over"]["how"] == "mate"
    kept = api.get(f"/api/database/games/app/{over['id']}/{over['at']}")
    assert fen(make_game(kept["game"]).initial) == game["board"]
