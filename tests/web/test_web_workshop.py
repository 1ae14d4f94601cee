"""Games that are written in the browser: who may, what hostile ones can do, and the whole walk in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from starlette.websockets import WebSocketDisconnect

from long_run import mostly_slow
from plyground.games import load_game
from plyground.games.contract import check_game
from plyground.native.compiling import interpreted
from plyground.web.lab import workshop
from plyground.web.lab.workshop import CagedGame, Problem, Shown, examples
from plyground.web.server.app import STATIC
from plyground.web.server.guard import VISITOR_COOKIE
from web_browser import Visitor as Browsing
from web_client import ADDRESS, Visitor, app_in
from web_server import serving

GAMES = {example["name"]: example["code"] for example in examples()}
TWO = ["human", "human"]


# The process --------------------------------------------------------------------------------------------------------


@pytest.fixture
def caged() -> Iterator[Any]:
    """caged(code) is a game behind the wall; all are closed at the end."""
    made: list[CagedGame] = []

    def make(code: str) -> CagedGame:
        made.append(CagedGame(code))
        return made[-1]

    yield make
    for game in made:
        game.close()


def last(game: CagedGame, do: str, **question: Any) -> Any:
    return list(game.ask(do, **question))[-1]


def test_the_examples_are_those_of_the_documentation_and_keep_the_contract(tmp_path: Path) -> None:
    assert list(GAMES) == ["chomp", "takeaway", "col", "pig"]
    for name, code in GAMES.items():
        file = tmp_path / f"{name}.py"
        file.write_text(code, encoding="utf-8")
        with interpreted():
            assert check_game(load_game(file), positions=300).games > 5


def test_a_game_is_checked_as_python_and_then_as_machine_code(caged: Any) -> None:
    loaded, first, second = caged(GAMES["takeaway"]).ask("check")
    assert (loaded.name, len(loaded.seats)) == ("take away", 2)
    assert {"random", "minimax:depth=2", "mcts:time=0.2"} <= set(loaded.programs)
    assert (first.compiled, second.compiled, second.note) == (None, True, "")
    assert second.positions > first.positions


@pytest.mark.slow
def test_a_game_that_cannot_be_compiled_runs_and_says_so(caged: Any) -> None:
    code = GAMES["takeaway"].replace(
        "count = min(3, state.left)", "count = len({1, 2, 3} & set(range(state.left + 1)))"
    )
    code = code.replace("return Stones(state.left", "exec('')\n    return Stones(state.left")
    game = caged(code)
    checked = last(game, "check")
    assert checked.compiled is False
    assert "does not compile" in checked.note
    shown = last(game, "play", players=["random", "human"], seed=1, moves=[])
    assert "runs interpreted" in shown.note


MISTAKES = {
    "syntax": ("return count\n", "return count +\n", "SyntaxError: invalid syntax", "return count +"),
    "name": ("Stones(state.left - action", "Stones(stat.left - action", "'stat' is not defined", "stat.left"),
    "arity": ("def _(state, action):", "def _(state):", "the rule result takes 2 arguments", "@result.rule"),
    "contract": ("return -1.0 if", "return 1.0 if", "do not sum to 0", "@utility.rule"),
    "missing": ("@utility.rule(Stones)\n", "", "has no rule utility", "game = Game("),
    "buffer": ("out[i] = i + 1", "out[i * 300] = i + 1", "IndexError", "out[i * 300]"),
    "wrong end": ("count = min(3, state.left)", "count = 1", "random game has not ended", ""),
    "no game": ("game = Game(", "_ = (lambda *_, **__: 0)(", "makes no game", ""),
}


@pytest.mark.parametrize(
    ("old", "new", "error", "line"), mostly_slow(MISTAKES, "syntax", "arity", "contract", "buffer", "no game")
)
def test_what_is_wrong_comes_with_its_line(caged: Any, old: str, new: str, error: str, line: str) -> None:
    code = GAMES["takeaway"].replace(old, new)
    assert code != GAMES["takeaway"]
    problem = last(caged(code), "check")
    assert isinstance(problem, Problem)
    assert error in problem.error
    assert "\n" not in problem.error
    if line:
        assert line in code.splitlines()[problem.line - 1]
    else:
        assert problem.line is None


HOSTILE = {
    "loops": ("x = 1\nwhile True: pass", "still running after 2 seconds", 2),
    "catches everything": (
        "import time\ndef wait():\n    try:\n        time.sleep(1000)\n    except BaseException: wait()\nwait()",
        "has not answered within 4 seconds", None,
    ),
    "takes memory": ("x = []\nwhile True: x.append(bytes(10**8))", "MemoryError", 2),
    "prints": ("while True: print('x' * 100_000)", "still running after 2 seconds", 1),
    "writes over the line": (
        "import os\nfor n in range(3, 30):\n    try: os.write(n, b'x' * 2_000_000)\n    except OSError: pass",
        "the game ", None,
    ),
    "forges": (
        "import os\nfor n in range(3, 30):\n    try: os.write(n, b'{\"event\": \"loaded\", \"name\": 3}\\n')\n"
        "    except OSError: pass",
        "says what cannot be shown: loaded.name", None,
    ),
    "leaves": ("import os\nos._exit(3)", "the game ended with status 3", None),
    "exits": ("import sys\nsys.exit('bye')", "SystemExit: bye", 2),
    "kills itself": ("import os\nos.kill(os.getpid(), 11)", "SIGSEGV", None),
    "forks": ("import os\nwhile True: os.fork()", "Resource temporarily unavailable", 2),
    "reads": ("open('/etc/shadow').read()", "No such file or directory", 1),
    "writes": ("open('/usr/x', 'w')", "Error", 1),
    "calls": ("import socket\nsocket.create_connection(('127.0.0.1', 80))", "Operation not permitted", 2),
}  # fmt: skip


@pytest.mark.parametrize(
    ("code", "error", "line"),
    mostly_slow(HOSTILE, "catches everything", "takes memory", "prints", "forges", "kills itself", "calls"),
)
def test_hostile_code_ends_in_one_line(
    caged: Any, monkeypatch: pytest.MonkeyPatch, code: str, error: str, line: int | None
) -> None:
    monkeypatch.setattr(workshop, "PATIENCE", 2.0)
    if "within 4" in error:
        monkeypatch.setitem(workshop.SECONDS, "load", 4.0)
    monkeypatch.setattr(workshop, "MEMORY", 2_000_000_000)
    problem = last(caged(code), "check")
    assert error in problem.error
    assert "\n" not in problem.error
    assert problem.line == line


def test_what_the_owner_has_is_out_of_sight(caged: Any, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    problem = last(caged(f"open({str(secret)!r}).read()"), "check")
    assert "No such file" in problem.error


def test_a_game_is_played_taken_back_and_begun_where_it_was(caged: Any) -> None:
    game = caged(GAMES["col"])
    shown = last(game, "play", players=["human", "random"], seed=3, moves=[])
    assert isinstance(shown, Shown)
    assert shown.position.to_move == 0
    assert shown.position.grid is not None
    assert len(shown.position.legal) == 16
    assert all(move.cell is not None for move in shown.position.legal)
    assert "b1" in last(game, "move", action=99).error
    assert "not legal" in last(game, "play", players=TWO, seed=3, moves=[0, 0]).error
    shown = last(game, "move", action=5)
    assert shown.position.grid.cells[1] == ".X.."
    answered = last(game, "go")
    assert [move.player for move in answered.moves] == [0, 1]
    assert "a person" in last(game, "go").error
    assert last(game, "back").moves == []
    again = last(caged(GAMES["col"]), "play", players=TWO, seed=3, moves=[move.action for move in answered.moves])
    assert again.position == answered.position


def test_chance_moves_by_itself_and_the_game_comes_to_an_end(caged: Any) -> None:
    game = caged(GAMES["pig"])
    loaded, shown = game.ask("play", players=["random", "random"], seed=5, moves=[])
    assert "expectiminimax:depth=4" in loaded.programs
    assert "minimax:depth=2" not in loaded.programs
    while shown.position.over is None:
        shown = last(game, "go")
    assert sorted(shown.position.over.returns) == [-1.0, 1.0]
    assert -1 in [move.player for move in shown.moves]
    assert "over" in last(game, "move", action=0).error


def test_seats_that_the_page_did_not_know_of_are_filled(caged: Any) -> None:
    code = GAMES["takeaway"].replace("1 - state.turn", "(state.turn + 1) % 3").replace(
        '"take away", Stones(21, 0), draws=False', '"three", Stones(21, 0), Axes(players=3, zero_sum=False)'
    )  # fmt: skip
    code = code.replace("import Game", "import Axes, Game")
    shown = last(caged(code), "play", players=TWO, seed=0, moves=[])
    assert shown.players == ["human"] * 3


@pytest.mark.parametrize(
    "grid",
    mostly_slow(
        ["Grid(('..', '.'))", "Grid(())", "Grid(('.' * 200,))", "Grid(('..',), last=(-1, 5))"],
        "Grid(('..', '.'))",
        "Grid(('..',), last=(-1, 5))",
    ),
)
def test_a_board_that_cannot_be_shown_is_said_to_be_one(caged: Any, grid: str) -> None:
    code = f"{GAMES['takeaway']}\nfrom plyground import grid\nfrom plyground.core.grid import Grid\n"
    code += f"@grid.rule(Stones)\ndef _(state):\n    return {grid}\n"
    problem = last(caged(code), "play", players=TWO, seed=0, moves=[])
    assert isinstance(problem, Problem)
    assert "\n" not in problem.error


# The server ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def visitor(tmp_path: Path) -> Iterator[Visitor]:
    with app_in(tmp_path, workshop=True, workshops=1) as made:
        made.get("/api/games")  # which gives it its cookie
        yield made


def talk(visitor: Visitor, origin: str | None = f"http://{ADDRESS}", **headers: str) -> Any:
    given = headers if origin is None else {**headers, "origin": origin}
    return visitor.client.websocket_connect(f"ws://{ADDRESS}/ws/workshop", headers=given)


def heard(socket: Any, number: int) -> list[dict[str, Any]]:
    """What is answered to a question, to the end."""
    found: list[dict[str, Any]] = []
    while not found or found[-1]["event"] not in ("done", "refused"):
        found.append(socket.receive_json())
        assert found[-1]["id"] == number
    return found


def refusal(visitor: Visitor, **how: Any) -> dict[str, Any]:
    with talk(visitor, **how) as socket:
        said: dict[str, Any] = socket.receive_json()
        with pytest.raises(WebSocketDisconnect):
            socket.receive_json()
    return said


def test_without_the_option_there_is_no_workshop(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        assert visitor.get("/api/about")["workshop"] is False
        assert visitor.get("/api/workshop", 403)["code"] == "workshop"
        assert refusal(visitor)["code"] == "workshop"
        assert "--workshop" in refusal(visitor)["error"]


def test_pages_of_others_are_not_served(visitor: Visitor) -> None:
    assert visitor.get("/api/about")["workshop"] is True
    assert [example["name"] for example in visitor.get("/api/workshop")["examples"]] == list(GAMES)
    for origin in ("http://evil.example", "null", "http://127.0.0.1:1"):
        with pytest.raises(WebSocketDisconnect), talk(visitor, origin=origin) as socket:
            socket.receive_json()
    assert refusal(visitor, origin=None)["code"] == "workshop_foreign"
    visitor.client.cookies.delete(VISITOR_COOKIE)
    assert refusal(visitor)["code"] == "workshop_foreign"


def test_what_is_asked_is_answered_and_nonsense_refused(visitor: Visitor) -> None:
    with talk(visitor) as socket:
        for text in ("", "[]", "{", '{"id": 1}', '{"id": 1, "do": "rm"}', '{"id": 1, "do": "check"}', "[" * 5000):
            socket.send_text(text)
            assert socket.receive_json()["event"] == "refused"
        socket.send_json({"id": 2, "do": "move", "action": 1})
        assert heard(socket, 2)[-1]["code"] == "workshop_away"
        socket.send_json({"id": 3, "do": "play", "code": GAMES["takeaway"], "players": TWO})
        assert [event["event"] for event in heard(socket, 3)] == ["loaded", "position", "done"]
        socket.send_json({"id": 4, "do": "move", "action": 2})
        assert heard(socket, 4)[0]["position"]["text"].startswith("left: 19")
        socket.send_json({"id": 5, "do": "check", "code": "import os; os._exit(1)"})
        problem, done = heard(socket, 5)
        assert (problem["event"], problem["error"]) == ("problem", "the game ended with status 1")
        assert done["event"] == "done"
        socket.send_json({"id": 6, "do": "check", "code": "x = 1"})
        assert heard(socket, 6)[0]["error"].startswith("game.py makes no game")  # without its folder
    assert visitor.client.get("/health").status_code == 200


def test_a_loop_is_stopped_and_a_new_question_ends_the_one_before(visitor: Visitor) -> None:
    with talk(visitor) as socket:
        socket.send_json({"id": 1, "do": "check", "code": "while True: pass"})
        socket.send_json({"id": 2, "do": "move", "action": 1})
        assert heard(socket, 2)[-1]["code"] == "workshop_waiting"
        socket.send_json({"id": 3, "do": "stop"})
        assert heard(socket, 3) == [{"id": 3, "event": "done"}]
        socket.send_json({"id": 4, "do": "check", "code": "while True: pass"})
        socket.send_json({"id": 5, "do": "play", "code": GAMES["takeaway"], "players": TWO})
        assert heard(socket, 5)[0]["event"] == "loaded"
    assert visitor.client.app.state.workshop.running == {}


def test_a_visitor_has_one_process_and_all_have_as_many_as_there_may_be(visitor: Visitor) -> None:
    begin = {"do": "play", "code": GAMES["takeaway"], "players": TWO}
    with talk(visitor) as first, talk(visitor) as second:
        first.send_json({"id": 1, **begin})
        assert heard(first, 1)[-1]["event"] == "done"
        second.send_json({"id": 2, **begin})
        assert heard(second, 2)[-1]["event"] == "done"
        assert first.receive_json() == {"id": None, "event": "away", "why": "elsewhere"}
        with talk(visitor, cookie=f"{VISITOR_COOKIE}={'x' * 24}") as third:
            third.send_json({"id": 3, **begin})
            assert heard(third, 3)[-1]["code"] == "workshop_full"


def test_what_nobody_touches_is_put_away(tmp_path: Path) -> None:
    with app_in(tmp_path, workshop=True, workshop_idle=0.01) as visitor:
        visitor.get("/api/games")
        with talk(visitor) as socket:
            socket.send_json({"id": 1, "do": "play", "code": GAMES["takeaway"], "players": TWO})
            assert socket.receive_json() == {"id": None, "event": "away", "why": "idle"}
        assert visitor.client.app.state.workshop.running == {}


# The command --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        ("--host", "0.0.0.0"), ("--host", "::"), ("--name", "play.school.edu"), ("--proxy", "127.0.0.1"),
        ("--join-code", "ABCDEFGH"), ("--cage", "off"),
    ],
    ids=" ".join,
)  # fmt: skip
def test_the_workshop_is_for_this_machine_alone_and_in_the_cage(command: Any, options: tuple[str, ...]) -> None:
    done = command("web", "--no-browser", "--port", "0", "--db", "games.db", "--workshop", *options)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "--workshop runs what is written in the browser" in done.stderr


# In the browser -----------------------------------------------------------------------------------------------------


def test_a_game_is_written_mended_checked_and_played_by_keyboard(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--workshop") as server:
        visitor = Browsing(browser, server.address)
        page = visitor.open("/workshop").page
        editor, said = page.get_by_role("textbox", name="The code of the game"), page.locator(".workshop-line")
        expect(editor).to_have_value(GAMES["chomp"])
        page.get_by_role("combobox", name="Begin with…").select_option("takeaway")
        expect(editor).to_have_value(GAMES["takeaway"])
        visitor.press("ControlOrMeta+z")
        expect(editor).to_have_value(GAMES["chomp"])
        visitor.press("ControlOrMeta+Shift+z")
        expect(editor).to_have_value(GAMES["takeaway"])
        expect(visitor.button("Redo")).to_be_disabled()

        # Undone is a word, or all that was one change, and everything can be done again.
        visitor.press("ControlOrMeta+a", "Tab", "ControlOrMeta+a")
        page.keyboard.type("two words")
        for left in ("two", re.compile("^    from"), GAMES["takeaway"]):
            visitor.press("ControlOrMeta+z")
            expect(editor).to_have_value(left)
        for _ in range(3):
            visitor.button("Redo").click()
        expect(editor).to_have_value("two words")
        for _ in range(3):
            visitor.button("Undo").click()
        expect(editor).to_have_value(GAMES["takeaway"])
        editor.focus()

        # A function is typed: Enter keeps the indentation, Tab indents, Shift+Tab takes it back.
        visitor.press("ControlOrMeta+Home")
        page.keyboard.type("def most(left):\nif left > 3:\nreturn 3\n")
        visitor.press("Shift+Tab")
        page.keyboard.type("return lef\n")
        visitor.press("Shift+Tab", "Enter", "Enter")
        start = "def most(left):\n    if left > 3:\n        return 3\n    return lef\n\n\n"
        expect(editor).to_have_value(start + GAMES["takeaway"])
        rest = GAMES["takeaway"].replace("min(3, state.left)", "most(state.left)").replace("(21,", "(4,")
        editor.fill(start + rest)

        visitor.press("ControlOrMeta+Enter")
        expect(said).to_contain_text("NameError: name 'lef' is not defined")
        expect(page.locator(".editor-numbers .bad")).to_have_text("4")
        expect(page.locator(".editor-colours .bad")).to_contain_text("return lef")
        expect(page.locator(".code-problem")).to_contain_text("NameError")
        visitor.accessible()
        page.get_by_role("button", name="Line 4").click()
        visitor.press("End")
        page.keyboard.type("t")
        expect(page.locator(".code-problem")).to_have_count(0)
        visitor.press("ControlOrMeta+Enter")
        expect(said).to_contain_text("The contract holds.")
        expect(said).to_contain_text("machine code")

        # Out of the editor, to a game against the program, which wins: 4 stones are lost for whoever begins.
        visitor.press("Escape", "Tab")
        expect(visitor.button("Check")).to_be_focused()
        page.get_by_label("Player 2").select_option("minimax:depth=6")
        visitor.button("Play").focus()
        visitor.press("Enter")
        actions = page.get_by_role("group", name="Moves")
        expect(actions.get_by_role("button")).to_have_text(["1", "2", "3"])
        actions.get_by_role("button", name="3", exact=True).focus()
        visitor.press("Enter")
        expect(page.locator(".workshop-moves li")).to_have_count(2)
        expect(page.locator(".workshop-turn")).to_contain_text("Player 2 won")
        visitor.press("Backspace")
        expect(page.locator(".workshop-moves li")).to_have_count(0)
        expect(actions.get_by_role("button").first).to_be_enabled()
        visitor.accessible()

        # In the other language the game is still there; what is written is, after a reload too.
        actions.get_by_role("button", name="1", exact=True).click()
        expect(page.locator(".workshop-moves li")).to_have_count(2)
        page.get_by_role("button", name="中文").click()
        expect(page.locator(".workshop-moves li")).to_have_count(2)
        expect(page.get_by_role("button", name="悔棋")).to_be_enabled()
        page.reload()
        expect(page.locator("textarea")).to_have_value(start.replace("lef\n", "left\n") + rest)
        with page.expect_download() as saved:
            page.get_by_role("button", name="保存").click()
        assert saved.value.suggested_filename == "takeaway.py"
        expect(page.locator(".workshop-use")).to_contain_text("plyground play takeaway.py")
        file = tmp_path / "other.py"
        file.write_text(GAMES["col"], encoding="utf-8")
        page.locator("input[type=file]").set_input_files(file)
        expect(page.locator("textarea")).to_have_value(GAMES["col"])
        page.get_by_role("button", name="探索").click()
        expect(page.get_by_role("link", name="工坊")).to_be_visible()
        visitor.leave()


@pytest.mark.slow
def test_a_board_is_played_on_a_phone(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, "--port", "0", "--workshop") as server:
        visitor = Browsing(browser, server.address, width=390, height=844, color_scheme="dark", locale="zh-CN")
        page = visitor.open("/workshop").page
        page.get_by_role("combobox", name="从示例开始……").select_option("col")
        page.get_by_label("玩家 2").select_option("random")
        page.get_by_role("button", name="开始").click()
        cells = page.locator(".workshop-stage .cell.playable")
        expect(cells).to_have_count(16)
        visitor.fits()
        visitor.accessible()
        board = page.locator(".workshop-stage [role=gridcell]").first
        moves = 0
        while not page.get_by_text("获胜").count():
            cells.first.focus()
            visitor.press("Enter")
            expect(page.locator(f".workshop-moves li:nth-child({moves + 1})")).to_be_visible()
            expect(
                page.locator(".workshop-turn").get_by_text("获胜").or_(page.locator(".cell.playable").first)
            ).to_be_visible()
            moves = page.locator(".workshop-moves li").count()
        expect(board).to_be_visible()
        visitor.leave()


@pytest.mark.slow
def test_a_page_without_its_server_says_how_to_start_it(visit: Any) -> None:
    visitor = visit("/workshop")
    expect(visitor.page.get_by_text("plyground web --workshop")).to_be_visible()
    visitor.accessible()
    visitor.button("Explore").click()
    expect(visitor.page.get_by_role("link", name="Puzzles")).to_be_visible()
    expect(visitor.page.get_by_role("link", name="Workshop")).to_have_count(0)


def test_both_dictionaries_name_every_opponent_and_example() -> None:
    for lang in ("en", "zh"):
        words = json.loads((STATIC / "words" / f"workshop.{lang}.json").read_text(encoding="utf-8"))
        assert {f"workshop.player.{spec}" for spec in workshop.OPPONENTS} <= words.keys()
        assert {f"workshop.example.{name}" for name in GAMES} <= words.keys()
