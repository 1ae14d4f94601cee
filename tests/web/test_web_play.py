"""Playing in the app, through what a visitor sees, hears and presses in a real browser."""

from __future__ import annotations

import gzip
import json
import random
import re

import pytest
from playwright.sync_api import expect

from plyground.errors import PlygroundError
from plyground.web.server.app import STATIC

PASSING = "XXXX.XXXXXXOOOOOXXXXXX..XXOXXO.OXOXXOXOOOOOOXOXOO.XXXXXXOOXXXXXO X"
"""Five empty squares: after black's e1 white cannot move."""


class Table:
    """The page of a game in a visitor's browser."""

    def __init__(self, visitor):
        self.visitor, self.page = visitor, visitor.page
        self.status = self.page.locator("h1.status")
        self.detail = self.page.locator(".status-detail")
        self.moves = self.page.locator(".moves .move:not(.start, .branch)")

    def square(self, name):
        return self.page.get_by_role("gridcell", name=re.compile(rf"^{name}, "))

    def legal(self):
        return self.page.locator(".cell.playable")

    def play(self, square):
        """Click a square, by its name or as it was found, and wait until the move is on the board."""
        square = self.square(square) if isinstance(square, str) else square
        expect(square).to_have_class(re.compile("playable"))
        before = self.at
        square.click()
        self.changed(before)

    @property
    def at(self):
        return self.page.locator(".table-page").get_attribute("data-at")

    def changed(self, before):
        """Wait until another position is on the board."""
        self.page.wait_for_function("before => document.querySelector('.table-page').dataset.at !== before", arg=before)

    def await_turn(self, over=("You won", "You lost", "A draw")):
        """Until it is the visitor's move or the game is over; whether it goes on."""
        status = "text => new RegExp(`^(${text})$`).test(document.querySelector('h1.status').textContent)"
        self.page.wait_for_function(status, arg="|".join(["Your move", *over]))
        return self.status.inner_text() == "Your move"

    def start(self):
        self.visitor.button("Start the game").click()
        self.page.wait_for_url("**/play/*")
        expect(self.status).not_to_have_text("")


@pytest.fixture
def table(visit):
    """table(path) opens a page and returns what is on it; without a path a game of tic-tac-toe between two people."""

    def opened(path="/play?game=tictactoe&p=human&p=human", start=True, **options):
        found = Table(visit(path, **options))
        if start:
            found.start()
        return found

    return opened


@pytest.mark.slow
def test_no_first_move_wins_at_tictactoe_against_alphabeta(table):
    game = table("/play?game=tictactoe&p=human&p=alphabeta")
    rng = random.Random(7)
    outcomes = set()
    for first in ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"):
        game.play(first)
        while game.await_turn():
            game.play(game.legal().nth(rng.randrange(game.legal().count())))
        outcomes.add(game.status.inner_text())
        assert game.page.locator(".highlight").count() == (3 if game.status.inner_text() == "You lost" else 0)
        before = game.page.url
        game.visitor.button("Rematch").click()
        game.page.wait_for_function("before => location.href !== before", arg=before)
        expect(game.moves).to_have_count(0)
    assert "You lost" in outcomes
    assert outcomes <= {"You lost", "A draw"}


@pytest.mark.slow
def test_a_player_keeps_to_its_own_time_where_the_game_gives_more(table):
    """Two seconds are also what it takes if nothing is said; under a minute a move that was three times as long."""
    game = table("/play?game=reversi&p=human&p=mcts:time=2&move=60")
    game.play("f5")
    expect(game.moves).to_have_count(2)
    assert re.search(r"\D2\.\ds$", game.moves.nth(1).inner_text())


def test_a_game_of_reversi_against_mcts_in_which_white_must_pass(table):
    game = table(f"/play?game=reversi&p=human&p=mcts:simulations=50&board={PASSING.replace(' ', '+')}")
    assert game.legal().count() > 1
    game.play("e1")
    expect(game.detail).to_have_text("White cannot move and passes.")
    expect(game.page.locator("#announcer")).to_contain_text("White cannot move and passes.")
    assert game.moves.all_inner_texts()[1].startswith("pass")
    while game.await_turn(("You won .*", "You lost .*", "A draw")):
        game.play(game.legal().first)
    counts = [int(text) for text in game.page.locator(".seat .count").all_inner_texts()]
    assert 60 <= sum(counts) <= 64
    assert game.status.inner_text().startswith("You ")
    assert f"{max(counts)}\u2009:\u2009{min(counts)}" in game.status.inner_text()


def test_the_tree_of_the_search_grows_beside_the_board(table):
    game = table("/play?game=tictactoe&p=human&p=mcts:simulations=3000,solver=off", locale="zh-CN", start=False)
    game.visitor.button("开始").click()
    expect(game.page.locator(".search-panel")).to_contain_text("搜索树会在这里生长")
    game.visitor.shows_searches()
    game.page.get_by_role("gridcell", name=re.compile("^b2，")).click()
    tree = game.page.get_by_role("img", name=re.compile("^搜索树。.*3000 次模拟"))
    expect(tree.locator(".node")).not_to_have_count(0)
    expect(tree.locator(".way.best")).not_to_have_count(0)  # a line straight down has no width: not "visible"
    game.visitor.accessible()
    game.visitor.press("t")
    expect(tree).to_be_hidden()
    game.page.reload()
    expect(game.page.locator(".search-panel")).to_be_hidden()


def test_the_tree_beside_the_board_is_never_that_of_a_move_taken_back(table):
    game = table("/play?game=tictactoe&p=human&p=mcts:simulations=300,solver=off")
    game.visitor.shows_searches()
    panel, nodes = game.page.locator(".search-panel"), game.page.locator(".search-panel .node")
    game.play("b2")
    game.await_turn()
    expect(nodes).not_to_have_count(0)
    game.visitor.button("Take back").click()
    expect(nodes).to_have_count(0)
    expect(panel).to_contain_text("grows here")
    game.play("a1")
    game.await_turn()
    expect(nodes).not_to_have_count(0)


@pytest.mark.parametrize("width", [1280, pytest.param(360, marks=pytest.mark.slow)])
def test_the_windows_and_cuts_of_alpha_beta_are_shown_beside_the_board(table, width):
    game = table("/play?game=tictactoe&p=human&p=alphabeta", width=width)
    if width == 360:
        game.visitor.press("t")
    game.visitor.shows_searches()
    game.play("b2")
    panel = game.page.locator(".search-panel")
    expect(panel.locator("header")).to_have_text(re.compile(r"positions · \d+ cuts, \d\d% by the first move"))
    tree = panel.get_by_role("img", name=re.compile("^The tree of the search. .* cuts"))
    expect(tree.locator(".way.cut")).not_to_have_count(0)
    expect(tree).to_contain_text("α cut: 0 ≤ 0")
    expect(tree).to_contain_text("α = 0, β = 1")
    expect(panel.locator(".legend")).to_contain_text("A struck line: moves that were cut off.")
    game.visitor.accessible()
    game.visitor.press("l")  # the other language, of the search that is over too
    expect(panel.locator(".legend")).to_contain_text("剪去的着法")
    expect(panel.locator(".live-tree")).to_contain_text("α 剪枝")


def test_a_reversi_square_shows_what_it_would_turn(table):
    game = table("/play?game=reversi&p=human&p=human")
    assert game.legal().count() == game.page.locator(".dot").count() == 4
    game.square("f5").hover()
    expect(game.page.locator(".ghost")).to_have_count(1)
    turning = game.page.locator(".cell:has(.turning)")
    assert turning.get_attribute("data-cell") == "4,4"
    game.play("f5")
    expect(game.square("f5")).to_have_attribute("aria-label", re.compile("f5, Black, last move"))
    expect(game.square("e5")).to_have_attribute("aria-label", re.compile("e5, Black"))
    assert game.page.locator(".seat .count").all_inner_texts() == ["1", "4"]


def test_hints_show_a_value_for_every_move_and_mark_the_best(table):
    game = table("/play?game=tictactoe&p=human&p=human&moves=a1b1")
    game.visitor.button("Hints").click()
    hints = game.page.locator(".hint")
    expect(hints).to_have_count(7)
    best = game.page.locator(".cell:has(.hint[data-best])")
    expect(best).to_have_count(3)
    for cell in ("1,0", "1,1", "2,0"):  # b2, a2 and a3 win against b1
        expect(game.page.locator(f'[data-cell="{cell}"]')).to_have_attribute(
            "aria-label", re.compile("best, value win")
        )
    game.status.click()  # the button would take the key for itself
    game.visitor.press("Space")
    expect(game.moves).to_have_count(3)
    game.visitor.button("Graph").click()
    expect(game.page.get_by_role("img", name=re.compile("now X win"))).to_be_visible()


def test_taking_back_leads_to_the_choice_before_and_another_move_makes_a_branch(table):
    game = table("/play?game=tictactoe&p=human&p=random")
    game.play("b2")
    game.await_turn()
    expect(game.moves).to_have_count(2)
    game.visitor.button("Take back").click()
    expect(game.square("b2")).to_have_attribute("aria-label", re.compile("b2, empty"))
    assert game.status.inner_text() == "Your move"
    game.play("a1")
    game.await_turn()
    expect(game.page.locator(".branch").first).to_have_text(re.compile(r"b2\s*\+1"))
    game.page.locator(".branch").first.click()
    expect(game.square("b2")).to_have_attribute("aria-label", re.compile("b2, X"))
    game.visitor.button("Go on from here").click()
    expect(game.status).to_have_text("Your move")
    game.visitor.press("Home")
    expect(game.page.locator(".piece:not(.ghost) path")).to_have_count(1)  # the seat's own sign alone


def test_what_the_socket_tells_first_is_the_answer_to_what_was_asked(table):
    game = table("/play?game=tictactoe&p=human&p=random")
    held = []
    game.page.route("**/api/games/*/move", lambda route: held.append((route, route.fetch())))
    game.play("b2")
    game.await_turn()
    expect(game.legal()).to_have_count(7)
    game.visitor.button("Take back").click()
    expect(game.square("b2")).to_have_attribute("aria-label", re.compile("b2, empty"))
    ((route, answer),) = held
    route.fulfill(response=answer)
    expect(game.legal()).to_have_count(9)


def test_the_lot_decides_who_begins_and_the_page_says_so(table):
    game = table("/play?game=tictactoe", start=False)
    game.page.get_by_role("radio", name="Perfect").check()
    game.page.get_by_role("radio", name="At random").check()
    assert "first=lot" in game.page.url
    game.start()
    game.await_turn()
    seats = game.page.locator(".seat strong").all_inner_texts()
    assert sorted(seats) == ["Perfect", "You"]


def test_resigning_asks_first_and_ends_the_game(table):
    game = table("/play?game=reversi&p=human&p=human&move=600")
    expect(game.page.locator(".seat .clock").first).to_have_text(re.compile(r"^(10:00|[89]:[0-5]\d)$"))
    game.visitor.button("Resign").click()
    dialog = game.page.get_by_role("dialog", name="Resign the game?")
    dialog.get_by_role("button", name="Cancel").click()
    expect(game.status).to_have_text("Black to move")
    game.visitor.button("Resign").click()
    dialog.get_by_role("button", name="Resign").click()
    expect(game.status).to_have_text("White won")
    assert game.detail.inner_text() == "Black resigned."
    assert game.legal().count() == 0


def test_the_clock_runs_out(table):
    game = table("/play?game=tictactoe&p=human&p=human&total=0.7")
    expect(game.status).to_have_text("O won")
    assert game.detail.inner_text() == "X ran out of time."


def test_a_game_by_keyboard_alone(table):
    game = table("/play?game=tictactoe&p=human&p=alphabeta", start=False)
    visitor, page = game.visitor, game.page
    expect(visitor.button("Start the game")).to_be_visible()
    for _ in range(60):
        visitor.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Start the game":
            break
    visitor.press("Enter")
    page.wait_for_url("**/play/*")
    expect(game.status).to_have_text("Your move")
    while True:
        visitor.press("b", "PageUp", "Home")
        squares = page.locator(".cell")
        target = squares.evaluate_all("cells => cells.findIndex(cell => cell.classList.contains('playable'))")
        visitor.press(*["ArrowDown"] * (target // 3), *["ArrowRight"] * (target % 3))
        assert page.evaluate("document.activeElement.getAttribute('aria-label')").endswith("can be played")
        before = game.at
        visitor.press("Enter")
        game.changed(before)
        if not game.await_turn():
            break
    assert game.status.inner_text() in ("You lost", "A draw")
    expect(page.locator("#announcer")).to_contain_text(game.status.inner_text())
    visitor.press("m")
    assert page.get_by_role("button", name="Sound").get_attribute("aria-pressed") == "true"
    visitor.press("?")
    expect(page.get_by_role("dialog", name="Keyboard shortcuts")).to_contain_text("take back")
    visitor.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_game_is_there_again_after_a_reload(table):
    game = table("/play?game=connect4&p=human&p=human")
    game.play(game.page.locator('[data-cell="0,3"]'))  # anywhere in the column
    game.page.reload()
    expect(game.moves).to_have_count(1)
    assert "game=connect4" in game.page.url
    assert game.page.locator(".slot[data-side='0']").count() >= 1
    game.visitor.open("/")
    game.page.get_by_role("link", name=re.compile("Connect Four.*1 move")).click()
    expect(game.moves).to_have_count(1)


def test_whoever_opens_the_link_of_a_game_at_one_computer_watches_until_a_seat_is_left_to_them(table, visit):
    one = table("/play?game=reversi&p=human&p=human")
    two = Table(visit(one.page.url.removeprefix(one.visitor.address), width=360, height=740))
    expect(two.detail).to_have_text("You are watching.")
    one.play("f5")
    expect(two.status).to_have_text("White to move")
    assert two.legal().count() == 0
    assert two.visitor.button("Resign").count() == two.visitor.button("Take back").count() == 0
    one.visitor.button("Share this game").click()
    one.visitor.accessible()
    one.visitor.button("Leave White to somebody else").click()
    expect(one.status).to_have_text("Waiting for your opponent")
    expect(two.status).to_have_text("A seat is free")  # who looks already need not load the page again
    two.visitor.button("Play White").click()
    two.play("d6")
    expect(one.status).to_have_text("Your move")
    expect(one.square("d6")).to_have_attribute("aria-label", re.compile("d6, White, last move"))
    expect(one.page.locator(".game-title")).to_have_text("Reversi · Perpendicular")
    assert one.visitor.button("Hints").count() == 0  # whoever plays against somebody thinks for themselves
    one.visitor.press("ArrowLeft")
    expect(one.square("d6")).to_have_attribute("aria-label", re.compile("d6, empty"))
    expect(two.square("d6")).to_have_attribute("aria-label", re.compile("d6, White"))
    two.visitor.fits()
    two.visitor.button("中文").click()
    two.visitor.button("提和").click()
    expect(two.page.locator(".offer")).to_contain_text("你已提议和棋")
    one.visitor.button("Accept").click()
    expect(two.detail).to_have_text("双方同意作和。")
    expect(one.visitor.button("Hints")).to_be_visible()


def test_language_and_theme_are_switched_without_losing_the_game_and_are_kept(table):
    game = table()
    game.play("b2")
    page = game.page
    game.visitor.button("中文").click()
    expect(game.status).to_have_text("轮到O")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    expect(page.get_by_role("gridcell", name=re.compile("^b2，X，上一步"))).to_be_visible()
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    game.visitor.button("外观").click()
    page.get_by_role("radio", name="深色").check()
    game.visitor.press("Escape")
    dark = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert dark != light
    page.reload()
    expect(game.status).to_have_text("轮到O")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == dark
    game.visitor.button("EN").click()
    expect(game.status).to_have_text("O to move")


def test_pages_beyond_the_first_four_share_a_group_of_the_menu(visit):
    visitor = visit("/watch")
    page = visitor.page
    menu = page.get_by_role("navigation", name="Pages")
    expect(menu.get_by_role("link", name="Play")).to_be_visible()
    expect(menu.get_by_role("link", name="Queens")).to_be_hidden()
    visitor.button("Explore").click()
    expect(visitor.button("Explore")).to_have_attribute("aria-expanded", "true")
    visitor.accessible()
    visitor.press("Escape")
    expect(menu.get_by_role("link", name="Queens")).to_be_hidden()
    expect(visitor.button("Explore")).to_be_focused()
    visitor.press("Enter")
    for _ in range(20):  # so many pages would be too many for a menu
        if page.evaluate("document.activeElement.getAttribute('href')") == "/queens":
            break
        visitor.press("Tab")
    visitor.press("Enter")
    expect(page).to_have_url(re.compile("/queens"))
    page.set_viewport_size({"width": 360, "height": 700})
    visitor.button("Menu").click()
    for name in ("Play", "Bandits", "Wumpus"):
        expect(menu.get_by_role("link", name=name)).to_be_visible()
    page.get_by_role("main").click(position={"x": 5, "y": 640})
    expect(menu.get_by_role("link", name="Play")).to_be_hidden()


def test_a_page_that_comes_late_does_not_close_the_menu_under_the_visitor(visit):
    visitor = visit("/")
    page = visitor.page
    main, menu = page.get_by_role("main"), page.get_by_role("navigation", name="Pages")
    menu.get_by_role("link", name="Play").click()
    expect(main).to_be_focused()
    held = []
    page.route("**/lab/queens.js", lambda route: held.append(route))
    visitor.button("Explore").click()
    with page.expect_request("**/lab/queens.js"):
        menu.get_by_role("link", name="Queens").click()
    page.set_viewport_size({"width": 360, "height": 700})
    visitor.button("Menu").click()
    expect(menu.get_by_role("link", name="Play")).to_be_focused()
    held[0].continue_()
    expect(page.locator("#announcer")).to_have_text("Queens")
    expect(menu.get_by_role("link", name="Play")).to_be_focused()
    expect(menu.get_by_role("link", name="Play")).to_be_visible()


def test_a_game_goes_on_after_a_message_that_is_torn(table):
    game = table()
    torn, whole = [], []

    def connect(socket):
        heard = whole if torn else torn

        def hand_on(message):
            heard.append(message)
            socket.send(message[: len(message) // 2] if heard is torn else message)

        socket.connect_to_server().on_message(hand_on)

    game.page.route_web_socket(re.compile("/ws/games/"), connect)
    game.page.reload()
    while not whole:
        game.page.wait_for_timeout(20)
    game.play("b2")
    expect(game.status).to_have_text("O to move")


def test_a_socket_that_is_given_up_before_it_is_open_is_closed_without_a_word(visit):
    page = visit("/").page
    with page.expect_websocket() as made:
        page.evaluate("import('/static/api.js').then(({ live }) => live('/ws/search', { message() {} }).close())")
    if not made.value.is_closed():
        made.value.wait_for_event("close")


def test_a_visitor_whose_browser_is_chinese_reads_chinese(visit):
    visitor = visit("/", locale="zh-CN")
    expect(visitor.page.get_by_role("link", name="下一局黑白棋").first).to_be_visible()


def test_both_languages_have_every_word_that_the_pages_use(visit):
    script = """async (modules) => {
        const found = { en: [], zh: [] };
        for (const name of modules) {
            const { en, zh } = (await import(`/static/words/${name}.js`)).default;
            found.en.push(...Object.keys(en));
            found.zh.push(...Object.keys(zh));
        }
        for (const name of ["en", "zh"]) {
            found[name].push(...Object.keys((await import(`/static/i18n/${name}.js`)).default));
        }
        return found;
    }"""
    modules = [file.stem for file in (STATIC / "words").glob("*.js")]
    found = {lang: set(words) for lang, words in visit("/").page.evaluate(script, modules).items()}
    for file in (STATIC / "words").glob("*.json"):
        found[file.name.split(".")[1]] |= set(json.loads(file.read_text(encoding="utf-8")))
    english, chinese = found["en"], found["zh"]
    assert english - chinese == set()
    # Lessons and the server's own lines speak English by themselves.
    assert {word for word in chinese - english if not word.startswith(("lesson.", "error."))} == set()
    used = set()
    for file in STATIC.rglob("*.js"):
        used |= set(re.findall(r"""\bt\("([\w.]+)\"""", file.read_text(encoding="utf-8")))
    assert len(used) > 100
    assert used - english == set()


def test_what_goes_wrong_is_said_in_chinese_with_its_details(visit):
    ask = """async ([path, body]) => {
        const { post } = await import(new URL("api.js", document.querySelector("script[src$='/app.js']").src));
        try { await post(path, body); } catch (error) { return error.message; }
    }"""
    begin = {"game": "reversi", "players": ["human", "human"]}
    wrong = [
        ("/api/position", {"game": "reversi", "moves": "f5 zz"}, "第 2 步：zz 在这里不合法"),
        ("/api/position", {"game": "chess", "moves": "e4 Ke5"}, "Ke5 "),
        ("/api/read", {"text": "a1"}, "不能为黑方翻转任何棋子"),
        ("/api/read", {"text": "hello"}, "“hello”不像对局或局面的开头"),
        ("/api/read", {"text": "-" * 64}, "没有写轮到谁"),
        ("/api/read", {"text": "kk6/8/8/8/8/8/8/K7 w - -", "game": "chess"}, "黑方要有一个王，这里是 2 个"),
        ("/api/read", {"text": "1. e4 %", "game": "chess"}, "第 1 行："),
        ("/api/games", {**begin, "players": ["human", "mctz"]}, "没有叫“mctz”的棋手；你要的是不是 mcts？"),
        ("/api/games", {**begin, "players": ["human", "mcts:tim=2"]}, "没有选项“tim”；你要的是不是 time？"),
        ("/api/games", {**begin, "players": ["human", "mcts:time=x"]}, "time 应是数，而不是“x”"),
        ("/api/games", {**begin, "players": ["human"]}, "2 方，这里给了 1 方"),
        ("/api/games", {**begin, "game": "mnk:m=1000"}, "m 应在 1 到 19 之间，而不是 1000"),
        ("/api/games", {**begin, "game": "nogame"}, "没有叫“nogame”的游戏"),
        ("/api/tournaments", {"game": "tictactoe", "players": ["random"]}, "至少 2 项，这里是 1 项"),
        ("/api/bandits", {"arms": "0.5,x"}, "“x”不是臂的均值"),
    ]
    visitor = visit("/play", locale="zh-CN")
    expect(visitor.page.get_by_role("radio").first).to_be_attached()  # the heading is there before the scripts are
    for path, body, expected in wrong:
        said = visitor.page.evaluate(ask, [path, body])
        assert expected in said, said
        outside = re.sub(r"“[^”]*”|\b(?:Reversi|WTHOR|Othello)\b", "", said)
        assert re.search(r"(?:[A-Za-z]{2,} ){2}", outside) is None, said
    visitor.problems.clear()  # that each was refused


def test_every_kind_of_refusal_has_chinese_words():
    chinese = (STATIC / "i18n" / "zh.js").read_text(encoding="utf-8")
    said = set(re.findall(r'^  "error\.(\w+)":', chinese, re.MULTILINE))
    kinds, some = set(), [PlygroundError]
    while some:
        some = [kind for one in some for kind in one.__subclasses__() if kind.__module__ == "plyground.errors"]
        kinds |= {kind.__name__ for kind in some}
    assert {kind for kind in said if kind[0].isupper()} <= kinds
    assert kinds - said <= {"ActionError", "GameError"}, "of which there are only kinds"
    codes = set()
    for file in STATIC.parent.rglob("*.py"):
        codes |= set(re.findall(r'Refusal\([^()]*(?:\([^()]*\)[^()]*)*"(\w+)"\)', file.read_text(encoding="utf-8")))
    assert len(codes) > 20
    for file in (STATIC / "words").glob("*.zh.json"):
        said |= {word.removeprefix("error.") for word in json.loads(file.read_text(encoding="utf-8"))}
    assert codes - said == set()


def test_whom_people_meet_first_is_a_beginner_of_the_games_own_engine(visit):
    visitor = visit("/play?game=gomoku")
    expect(visitor.page.get_by_role("radio", name="Pebble")).to_be_checked()
    visitor.page.get_by_role("radio", name="Nim").check(force=True)
    expect(visitor.page.get_by_role("radio", name="Guess")).to_be_checked()


@pytest.mark.slow
def test_a_stranger_to_gomoku_meets_somebody_who_answers(table):
    """The opponent that people met first answered h8 with a1, and one of "6 of 10" lost to three stones in a row."""
    game = table("/play?game=gomoku&p=human&p=engine:level=1")
    game.play("h8")
    game.await_turn()
    column, row = re.match(r"Move 2, ([a-o])(\d+)", game.moves.nth(1).get_attribute("aria-label")).groups()
    assert abs(ord(column) - ord("h")) <= 2
    assert abs(int(row) - 8) <= 2
    game = table("/play?game=gomoku&p=human&p=engine:level=3")
    for square in ("h8", "i8", "j8", "k8", "g8", "l8", "f8"):
        if "playable" in game.square(square).get_attribute("class"):
            game.play(square)
            assert game.await_turn(over=("You won", "You lost", "A draw"))
    expect(game.status).to_have_text("Your move")


def test_nim_is_played_by_taking_pebbles(table):
    game = table("/play?game=nim:piles=1,2&p=human&p=human")
    game.visitor.button("Take 1 from pile 2").click()
    expect(game.status).to_have_text("Player 2 to move")
    game.visitor.button("Take 1 from pile 1").click()
    game.visitor.button("Take 1 from pile 2").click()
    expect(game.status).to_have_text("Player 1 won")


def test_where_nobody_can_say_what_moves_are_worth_nobody_is_asked(table):
    game = table("/play?game=backgammon&p=human&p=human")
    expect(game.visitor.button("Resign")).to_be_visible()
    for name in ("Hints", "Graph"):
        expect(game.visitor.button(name)).to_have_count(0)
    expect(game.page.get_by_role("link", name="Analyze this game")).to_be_hidden()
    game.visitor.press("v", "e")
    expect(game.page.locator(".toast")).to_have_count(0)


def test_any_player_plays_any_other(table):
    game = table("/play?game=mnk&p=human&p=random", start=False)
    page = game.page
    page.get_by_text("Any player against any player").click()
    page.get_by_label("m", exact=True).fill("4")
    page.get_by_label("Written out").first.fill("random:seed=3")
    page.get_by_label("Written out").first.press("Tab")
    page.get_by_label("Written out").last.fill("nobody")
    page.get_by_label("Written out").last.press("Tab")
    game.visitor.button("Start the game").click()
    expect(page.get_by_role("alert")).to_contain_text("there is no player 'nobody'")
    game.visitor.problems.clear()  # the browser reports the refusal
    page.get_by_label("Player", exact=True).last.select_option("random")
    assert "game=mnk:m=4&p=random:seed=3&p=random" in page.url
    game.start()
    expect(game.status).to_have_text(re.compile("won|A draw"))


def test_a_game_that_is_gone_can_be_begun_again(table):
    game = table("/play/nowhere?game=tictactoe&p=human&p=alphabeta", start=False)
    game.page.get_by_role("link", name="Begin it again").click()
    game.visitor.problems.clear()  # the browser reports the missing game
    game.start()
    expect(game.status).to_have_text("Your move")


def test_all_javascript_together_is_small():
    """Compressed, as browsers get it; what each page needs is measured in test_web_shell.py."""
    folders = (STATIC, STATIC.parents[1] / "pictures")
    sizes = [len(gzip.compress(file.read_bytes())) for folder in folders for file in folder.rglob("*.js")]
    assert 100_000 < sum(sizes) < 450_000


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_axe_finds_nothing_serious(visit, table, scheme):
    visitor = visit("/", color_scheme=scheme)
    expect(visitor.page.get_by_role("link", name="Nim")).to_be_visible()
    visitor.accessible()
    visitor.open("/play?game=mnk&p=mcts&p=random&total=60")
    expect(visitor.button("Start the game")).to_be_visible()
    visitor.accessible()
    for path in ("reversi&moves=f5d6c3", "tictactoe&moves=b2", "connect4", "nim"):
        game = Table(visitor.open(f"/play?game={path}&p=human&p=human"))
        game.start()
        if path.startswith("tictactoe"):
            visitor.press("v", "e")
            expect(visitor.page.locator(".hint").first).to_be_visible()
        visitor.accessible()
    visitor.press("?")
    visitor.accessible()


def test_hex_is_played_with_pointer_and_keys_until_a_chain_crosses_the_board(visit):
    table = Table(visit("/play?game=hex:size=3,swap=on&p=human&p=human"))
    table.start()
    expect(table.square("b2")).to_have_attribute("aria-label", "b2, empty, can be played")
    table.play("c1")
    before = table.at
    table.visitor.button("Take over the first move").click()
    table.changed(before)
    expect(table.square("a3")).to_have_attribute("aria-label", "a3, Blue, last move")
    expect(table.status).to_have_text("Red to move")
    table.square("a3").focus()
    for key in ("ArrowUp", "ArrowRight", "ArrowUp", "Enter"):  # b1
        before = table.at
        table.page.keyboard.press(key)
    table.changed(before)
    expect(table.square("b1")).to_have_attribute("aria-label", "b1, Red, last move")
    for cell in ("c1", "b2", "c2", "b3"):
        table.play(cell)
    expect(table.status).to_have_text("Red won")
    expect(table.page.locator(".highlight")).to_have_count(3)
    table.visitor.accessible()


def test_chess_by_two_squares_with_pointer_and_keys_to_a_promotion(visit):
    table = Table(visit("/play?game=chess:fen=6k1/P4pp1/8/8/8/8/4P3/4K2R w K - 0 1&p=human&p=human"))
    table.start()
    expect(table.square("e2")).to_have_attribute("aria-label", "e2, White pawn, can move")
    table.square("e2").click()
    expect(table.square("e2")).to_have_attribute("aria-label", "e2, White pawn, picked up")
    expect(table.square("e4")).to_have_attribute("aria-label", "e4, empty, can be played")
    table.square("e1").click()  # another piece of one's own is picked up instead
    expect(table.square("e4")).to_have_attribute("aria-label", "e4, empty")
    expect(table.page.locator(".cell .dot")).to_have_count(5)
    table.play("g1")
    expect(table.square("f1")).to_have_attribute("aria-label", "f1, White rook")
    expect(table.square("g1")).to_have_attribute("aria-label", "g1, White king, last move")
    table.square("g8").focus()
    for key in ("Enter", "Escape", "Enter", "ArrowRight", "Enter"):
        before = table.at
        table.page.keyboard.press(key)
    table.changed(before)
    before = table.at
    table.square("a7").click()
    table.square("a8").click()
    table.page.get_by_role("dialog").get_by_role("button", name="knight").click()
    table.changed(before)
    expect(table.square("a8")).to_have_attribute("aria-label", "a8, White knight, last move")
    table.visitor.accessible()


def test_dots_and_boxes_by_lines_that_are_touched_and_by_keys(visit):
    table = Table(visit("/play?game=dots_and_boxes:rows=1,columns=2&p=human&p=human"))
    table.start()
    expect(table.square("a1-b1")).to_have_attribute("aria-label", "a1-b1, empty, can be played")
    for line in ("a1-b1", "a2-b2", "a1-a2"):
        table.play(line)
    expect(table.square("a1-a2")).to_have_attribute("aria-label", "a1-a2, line, last move")
    expect(table.square("a1-b2")).to_have_attribute("aria-label", "a1-b2, open box")
    table.square("a1-a2").focus()
    for key in ("ArrowRight", "ArrowRight", "Enter"):  # over the box to the line beyond it
        before = table.at
        table.page.keyboard.press(key)
    table.changed(before)
    expect(table.square("a1-b2")).to_have_attribute("aria-label", "a1-b2, Blue")
    expect(table.status).to_have_text("Blue to move")
    table.play("b1-c1")
    # Blue has moved twice in a row, and each side has its column.
    rows = table.page.locator(".moves li")
    shown = [row.locator(".move, span:not(.move-number)").all_inner_texts() for row in rows.all()]
    assert [[text.partition("\n")[0] for text in row] for row in shown] == [
        ["a1-b1", "a2-b2"], ["a1-a2", "b1-b2"], ["", "b1-c1"],
    ]  # fmt: skip
    for line in ("b2-c2", "c1-c2"):
        table.play(line)
    expect(table.status).to_have_text("Blue won 2\u2009:\u20090")
    table.visitor.accessible()


def test_pages_fit_a_phone(visit):
    visitor = visit("/", width=360, height=740)
    for path in ("/", "/play", "/play?game=mnk&p=mcts&p=random&total=60"):
        visitor.open(path)
        expect(visitor.page.locator(".tile").first).to_be_visible()
        visitor.fits()
    visitor.button("Menu").click()
    visitor.page.get_by_role("link", name="Play", exact=True).click()
    for game in ("reversi", "gomoku", "connect4", "chess", "hex", "dots_and_boxes", "nim"):
        opened = Table(visitor.open(f"/play?game={game}&p=human&p=human"))
        opened.start()
        visitor.fits()
