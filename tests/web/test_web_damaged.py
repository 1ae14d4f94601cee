"""Files of games that are damaged: noticed at the start, kept, and said where people look; no paths in answers."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from plyground.web.games.damaged import kept_aside, set_aside
from plyground.web.server.refusals import NO_DATABASE, one_line
from web_browser import Visitor as Browsing
from web_browser import browser, expect  # noqa: F401
from web_client import app_in
from web_server import serving


def overwritten(path: Path) -> None:
    """A file whose first page is lost."""
    content = path.read_bytes()
    path.write_bytes(b"\0" * 4096 + content[4096:])


def cut(path: Path) -> None:
    """A file that ends too early."""
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribbled(path: Path) -> None:
    """A file with a page of rubbish in its middle."""
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xa5" * 4096
    path.write_bytes(content)


DAMAGES = [overwritten, cut, scribbled]


def database(path: Path) -> None:
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA application_id = 28")
        connection.execute("CREATE TABLE games (x)")
        connection.executemany("INSERT INTO games VALUES (?)", [("x" * 3000,) for _ in range(20)])
    connection.close()


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_set_aside_as_it_is(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    file = tmp_path / "games.db"
    database(file)
    assert set_aside(file) == ""
    assert not kept_aside(file)
    damage(file)
    content = file.read_bytes()
    line = set_aside(file)
    assert line.startswith(f"{file} is damaged (")
    assert not file.exists()
    assert kept_aside(file)
    (kept,) = tmp_path.glob("games.damaged-*.db")
    assert kept.read_bytes() == content
    assert kept.name in line


def test_a_file_that_is_no_database_and_is_not_called_one_is_left_alone(tmp_path: Path, command: Any) -> None:
    notes = tmp_path / "notes.txt"
    notes.write_text("what I wanted to say\n" * 500)
    done = command("web", "--no-browser", "--port", "0", "--db", str(notes))
    assert done.returncode == 2
    assert "notes.txt is not a database of games; name another file with --db" in done.stderr
    assert notes.read_text().startswith("what I wanted")


@pytest.mark.parametrize("name", ["games.db", "games.live.db"])
def test_what_is_another_programs_or_a_folder_is_said_at_the_start(tmp_path: Path, command: Any, name: str) -> None:
    def said() -> str:
        done = command("web", "--no-browser", "--port", "0", "--db", str(tmp_path / "games.db"))
        assert done.returncode == 2
        assert "Traceback" not in done.stderr
        return str(done.stderr)

    with sqlite3.connect(tmp_path / name) as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    assert f"{name} is another program's; name another database with --db" in said().replace("\n", " ")
    (tmp_path / name).unlink()
    (tmp_path / name).mkdir()
    assert f"cannot open {tmp_path / name}" in said().replace("\n", " ")


def test_a_game_whose_row_is_damaged_costs_nothing_but_itself(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        games = [visitor.begin()["id"] for _ in range(4)]
    for game, content, summary in ((games[0], "{", "{"), (games[1], "[]", "[]"), (games[2], '{"id": "x"}', "{}")):
        with sqlite3.connect(tmp_path / "games.live.db") as other:
            other.execute("UPDATE live SET content = ?, summary = ? WHERE id = ?", (content, summary, game))
        other.close()
    with app_in(tmp_path) as again:
        for game in games[:3]:
            assert "cannot be read any more" in again.get(f"/api/games/{game}", 404)["error"]
        again.client.cookies = visitor.client.cookies
        assert [one["id"] for one in again.get("/api/games")] == [games[3]]


def test_a_server_starts_beside_damaged_files_and_says_so_in_the_terminal_and_to_pages(tmp_path: Path) -> None:
    (tmp_path / "games.db").write_bytes(b"rubbish" * 1000)
    (tmp_path / "games.live.db").write_bytes(b"rubbish" * 1000)
    with serving(tmp_path) as server:
        said = server.errors.read_text()
        assert "games.db is damaged" in said
        assert "games.live.db is damaged" in said
    with app_in(tmp_path) as visitor:
        assert visitor.get("/api/about")["damaged"] == ["live", "finished"], "as long as the old files lie there"
        game = visitor.begin()
        for move in ["a1", "b1", "a2", "b2", "a3"]:
            game = visitor.move(game, move)
        assert [one["plies"] for one in visitor.get("/api/database/games")] == [5]
    for file in tmp_path.glob("*.damaged-*"):
        file.unlink()
    with app_in(tmp_path) as visitor:
        assert visitor.get("/api/about")["damaged"] == []


@pytest.mark.slow
def test_every_page_says_that_games_may_be_missing(browser: Any, tmp_path: Path) -> None:  # noqa: F811
    (tmp_path / "games.db").write_bytes(b"rubbish" * 1000)
    with serving(tmp_path) as server:
        visitor = Browsing(browser, server.address).open("/play")
        expect(visitor.page.locator("#notice")).to_contain_text("The database of finished games was damaged")
        visitor.press("l")
        expect(visitor.page.locator("#notice")).to_contain_text("已结束对局的数据库已损坏")
        visitor.context.close()


# What answers say -------------------------------------------------------------------------------------------------


def test_a_database_that_fails_while_the_server_runs_is_said_without_its_path(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        visitor.begin()
        (tmp_path / "games.db").write_bytes(b"rubbish" * 1000)
        for path in ("/api/database/games", "/api/database/games/app/x/1", "/api/tournaments"):
            answer = visitor.get(path, 503)
            assert answer == {"error": NO_DATABASE, "code": "DatabaseError"}
        assert str(tmp_path) not in str(answer)


@pytest.mark.parametrize(
    ("text", "sent"),
    [
        ("cannot read /home/teacher/course/net.onnx: it is cut off", "cannot read net.onnx: it is cut off"),
        ("No such file or directory: '/srv/plyground/x.py'", "No such file or directory: 'x.py'"),
        (r"cannot open C:\Users\teacher\games.db", "cannot open games.db"),
        ("~/course/games.db is a folder", "games.db is a folder"),
        ('File "/usr/lib/python3.11/json.py", line 3', 'File "json.py", line 3'),
        ("give the join code first: open / in this browser", "give the join code first: open / in this browser"),
        ("see http://127.0.0.1:8421/docs/web/", "see http://127.0.0.1:8421/docs/web/"),
        ("'8/8/3pP3/8 w' is not a board", "'8/8/3pP3/8 w' is not a board"),
        ("white and/or black", "white and/or black"),
    ],
)
def test_lines_that_are_sent_name_files_and_no_folders(text: str, sent: str) -> None:
    assert one_line(text) == sent
