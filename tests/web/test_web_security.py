"""Who may talk to the server: hosts, origins, the join code, limits; and the command that serves it."""

from __future__ import annotations

import json
import re
import signal
import socket
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import httpx2
import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocketDisconnect
from websockets.exceptions import InvalidStatus
from websockets.sync import client

from plyground.cli import web as command
from plyground.web.server import join
from plyground.web.server.guard import host_name, same_origin
from plyground.web.server.settings import CODE_LETTERS
from web_client import ADDRESS, Visitor, another, app_in
from web_server import Server, serving

connect = partial(client.connect, open_timeout=120)  # a slow machine has time to answer
OURS = ["127.0.0.1", "localhost", "[::1]", "127.0.0.1:8421", "localhost:9999", "LOCALHOST:8421"]
FOREIGN = [
    "evil.example", "evil.example:8421", "127.0.0.1.evil.example", "localhost.evil.example", "10.0.0.1:8421", "",
    "127.0.0.1:8421@evil.example", "evil@127.0.0.1", "127.0.0.1:port", "127.0.0.1, evil.example", "[::2]", "0x7f000001",
]  # fmt: skip


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("security"), body=10_000, sockets=3) as made:
        yield made


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("served")) as made:
        yield made


# Hosts and origins ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("host", OURS)
def test_our_own_names_are_answered(visitor: Visitor, host: str) -> None:
    assert visitor.client.get("/api/games", headers={"host": host}).status_code == 200


@pytest.mark.parametrize("host", FOREIGN)
def test_a_name_that_points_here_but_is_not_ours_is_refused(visitor: Visitor, host: str) -> None:
    for path in ("/", "/api/games", "/static/app.js", "/join"):
        answer = visitor.client.get(path, headers={"host": host})
        assert answer.status_code == 403
        assert "does not go by that name" in answer.json()["error"]
        assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": f"http://{ADDRESS}.evil.example"},
        {"origin": "null"},
        {"origin": f"file://{ADDRESS}"},
        {"origin": "http://["},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_a_page_of_another_site_can_change_nothing(visitor: Visitor, headers: dict[str, str]) -> None:
    body = {"game": "tictactoe", "players": ["human", "human"]}
    assert visitor.client.post("/api/games", json=body, headers=headers).status_code == 403
    with (
        pytest.raises(WebSocketDisconnect),
        visitor.client.websocket_connect(f"ws://{ADDRESS}/ws/search", headers=headers),
    ):
        pass


def test_our_own_pages_can(visitor: Visitor) -> None:
    body = {"game": "tictactoe", "players": ["human", "human"]}
    origin = {"origin": f"http://{ADDRESS}", "sec-fetch-site": "same-origin"}
    assert visitor.client.post("/api/games", json=body, headers=origin).status_code == 201
    with visitor.client.websocket_connect(f"ws://{ADDRESS}/ws/search", headers=origin) as search:
        search.send_json({"id": 1, "do": "nothing"})
        assert search.receive_json()["event"] == "error"


@given(st.text(max_size=40))
def test_no_header_upsets_the_guard(text: str) -> None:
    assert host_name(text) is None or isinstance(host_name(text), str)
    assert not same_origin(text, "evil.example") or text.partition("//")[2].strip("/").lower() == "evil.example"


def test_every_answer_carries_the_policy(visitor: Visitor) -> None:
    for path in ("/", "/api/games", "/nothing", "/static/nothing.js"):
        headers = visitor.client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "unsafe-inline" not in policy
        assert "frame-ancestors 'none'" in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


def test_files_outside_of_the_pages_are_not_served(visitor: Visitor) -> None:
    for path in (
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/",
    ):
        assert visitor.client.get(path).status_code in (404, 405)


# Limits -----------------------------------------------------------------------------------------------------------


def test_a_large_body_is_refused_whether_it_says_so_or_not(visitor: Visitor) -> None:
    text = json.dumps({"text": "f5" * 10_000}).encode()
    assert "at most 10,000 bytes" in visitor.client.post("/api/read", content=text).json()["error"]
    parts = (text[start : start + 1000] for start in range(0, len(text), 1000))
    answer = visitor.client.post("/api/read", content=parts)
    assert (answer.status_code, answer.json()["error"]) == (413, "a request may have at most 10,000 bytes")


def test_a_visitor_has_only_so_many_sockets(visitor: Visitor) -> None:
    somebody = another(visitor)
    somebody.get("/api/games")
    with somebody.socket("/ws/search"), somebody.socket("/ws/search"), somebody.socket("/ws/search"):
        with somebody.socket("/ws/search") as fourth:
            assert "3 pages open already" in fourth.receive_json()["error"]
        with visitor.socket("/ws/search") as other:
            other.send_json({"id": 1, "do": "nothing"})
            assert other.receive_json()["event"] == "error"
    with somebody.socket("/ws/search") as again:
        again.send_json({"id": 1, "do": "nothing"})
        assert again.receive_json()["event"] == "error"


def test_a_cookie_that_is_not_ours_makes_a_new_visitor(visitor: Visitor) -> None:
    for value in ("", "x", "../../etc", "a" * 500, 'x";y'):
        answer = visitor.client.get("/api/games", headers={"cookie": f"plyground_visitor={value}"})
        assert answer.json() == []
        assert re.search(r"plyground_visitor=[\w-]{24};.*HttpOnly.*SameSite=Lax", answer.headers["set-cookie"])


# The join code ----------------------------------------------------------------------------------------------------


@pytest.fixture
def class_room(tmp_path: Path) -> Iterator[Visitor]:
    with app_in(tmp_path, join_code="ABCD2345", hosts=frozenset({"*"})) as made:
        yield made


def test_nothing_is_seen_before_the_join_code_is_given(class_room: Visitor) -> None:
    page = class_room.client.get("/play/abc?lang=zh")
    assert (page.status_code, page.headers["location"]) == (303, "/join?next=%2Fplay%2Fabc%3Flang%3Dzh")
    assert "join code" in class_room.get("/api/games", 401)["error"]
    assert "join code" in class_room.post("/api/games", 401, game="tictactoe", players=["human", "human"])["error"]
    with pytest.raises(WebSocketDisconnect), class_room.socket("/ws/search"):
        pass
    form = class_room.client.get("/join?next=%2Fplay")
    assert 'value="/play"' in form.text
    assert "<script" not in form.text


def test_who_gives_the_code_is_in_and_somebody_else_is_not(class_room: Visitor) -> None:
    wrong = class_room.client.post("/join", data={"code": "ABCD9999", "next": "/play"})
    assert wrong.status_code == 403
    assert "This is not the code" in wrong.text
    right = class_room.client.post("/join", data={"code": "abcd-2345", "next": "/play?x=1"})
    assert (right.status_code, right.headers["location"]) == (303, "/play?x=1")
    assert class_room.get("/api/games") == []
    class_room.begin()
    assert another(class_room).get("/api/games", 401)
    stolen = another(class_room)
    stolen.client.cookies.set("plyground_pass", class_room.client.cookies["plyground_pass"])
    assert stolen.get("/api/games", 401), "a pass belongs to one visitor"


@pytest.mark.parametrize("target", ["//evil.example", "/\\evil.example", "https://evil.example", "javascript:alert(1)"])
def test_the_way_back_leads_nowhere_else(class_room: Visitor, target: str) -> None:
    answer = class_room.client.post("/join", data={"code": "ABCD2345", "next": target})
    assert answer.headers["location"] == "/"
    assert "alert(1)" not in class_room.client.get("/join", params={"next": target}).text


def test_wrong_codes_are_counted_by_address_and_lock_nobody_out(class_room: Visitor) -> None:
    def status(who: Visitor, code: str) -> int:
        return int(who.client.post("/join", data={"code": code}).status_code)

    for _ in range(join.MOST_WRONG):
        assert status(another(class_room), "ZZZZZZZZ") == 403, "cookies do not matter"
    refused = class_room.client.post("/join", data={"code": "ZZZZZZZZ"})
    assert refused.status_code == 429
    assert "wait a minute" in refused.text
    elsewhere = another(class_room, "10.0.0.7")
    assert status(elsewhere, "ZZZZZZZZ") == 403
    assert status(elsewhere, "ABCD2345") == 303
    assert status(class_room, "ABCD2345") == 303, "somebody else may sit behind the same address"


def test_wrong_codes_are_forgotten_after_a_minute() -> None:
    codes = join.WrongCodes()
    assert [codes.add("a", 0.0) for _ in range(join.MOST_WRONG)] == [False] * join.MOST_WRONG
    assert codes.add("a", 1.0)
    assert not codes.add("b", 1.0)
    assert not codes.add("a", 1.0 + join.MEMORY)


def test_a_class_may_use_any_numeric_address_but_no_foreign_name(class_room: Visitor) -> None:
    assert class_room.client.get("/join", headers={"host": "192.168.1.7:8421"}).status_code == 200
    assert class_room.client.get("/join", headers={"host": "[fe80::1]:8421"}).status_code == 200
    assert class_room.client.get("/join", headers={"host": "evil.example:8421"}).status_code == 403


# The command ------------------------------------------------------------------------------------------------------


def _client(address: str, **options: Any) -> httpx2.Client:
    """Somebody who waits as long as a slow machine takes."""
    return httpx2.Client(base_url=address, timeout=120, **options)


def test_two_browsers_play_one_game_on_a_served_app(server: Server) -> None:
    address = server.address.replace("http", "ws")
    with _client(server.address) as one, _client(server.address) as two:
        assert one.get("/").status_code == 200
        wish = {"game": "tictactoe", "players": ["human", "human"], "people": "invited", "seat": 1}
        game = one.post("/api/games", json=wish).json()
        assert two.post(f"/api/games/{game['id']}/claim").json()["mine"] == [0]
        with connect(f"{address}/ws/games/{game['id']}", origin=server.address) as watching:
            assert json.loads(watching.recv())["game"]["at"] == 0
            moved = two.post(f"/api/games/{game['id']}/move", json={"action": 4, "at": 0})
            assert moved.status_code == 200
            assert json.loads(watching.recv())["game"]["position"]["grid"]["cells"] == ["...", ".X.", "..."]


def test_a_real_socket_from_another_site_is_refused(server: Server) -> None:
    address = server.address.replace("http", "ws")
    with pytest.raises(InvalidStatus) as refused, connect(f"{address}/ws/search", origin="http://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with pytest.raises(InvalidStatus), connect(f"{address}/ws/search", additional_headers={"Host": "evil.example"}):
        pass


def test_a_message_that_is_not_text_closes_the_socket(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as talking:
        talking.send_bytes(b"\0")
        with pytest.raises(WebSocketDisconnect) as closed:
            talking.receive_json()
    assert closed.value.code == 1003


def test_a_message_that_is_too_long_closes_the_socket_and_nothing_else(server: Server) -> None:
    address = server.address.replace("http", "ws")
    with connect(f"{address}/ws/search", origin=server.address) as talking:
        talking.send("x" * (2 << 20))
        with pytest.raises(Exception, match="1009"):
            talking.recv()
    with _client(server.address) as other:
        assert other.get("/api/games").status_code == 200


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_the_server_ends_in_good_order_and_its_games_are_there_after_it(tmp_path: Path, how: int) -> None:
    with serving(tmp_path, ahead=True) as first, _client(first.address) as visitor:
        game = visitor.post("/api/games", json={"game": "nim", "players": ["human", "random"]}).json()
        moved = visitor.post(f"/api/games/{game['id']}/move", json={"action": 1, "at": 0}).json()
        workers = _children(first.process.pid)
        with connect(f"{first.address.replace('http', 'ws')}/ws/games/{game['id']}", origin=first.address):
            status = first.stop(how)
        assert status == (0 if how != signal.SIGKILL else -signal.SIGKILL)
        _until_gone(workers)
    with serving(tmp_path) as second, _client(second.address, cookies=visitor.cookies) as again:
        found = again.get(f"/api/games/{game['id']}").json()
        assert found["nodes"][1]["text"] == moved["nodes"][1]["text"]
        assert [one["id"] for one in again.get("/api/games").json()] == [game["id"]]


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _runs(pid: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False


def _until_gone(pids: list[int]) -> None:
    for _ in range(2400):
        if not any(map(_runs, pids)):
            return
        time.sleep(0.05)
    pytest.fail("a worker has outlived its server")


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path, command: Any) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        done = command("web", "--no-browser", "--port", str(port), "--db", str(tmp_path / "games.db"))
    assert done.returncode == 2
    assert done.stderr.strip() == f"error: port {port} is taken by another program; give another one with --port"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--port", "70000"), "--port must be from 0 to 65535"),
        (("--host", "no.such.host.invalid"), "is not an address of this machine"),
        (("--db", "/dev/null/games.db"), "cannot keep games in"),
    ],
)
def test_what_cannot_be_served_is_said_in_one_line(command: Any, arguments: tuple[str, ...], line: str) -> None:
    done = command("web", "--no-browser", "--port", "0", *arguments)
    assert done.returncode == 2
    assert line in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_port_the_next_one_that_is_free_is_taken_and_said(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(
        command, "_run", lambda settings, listener, address: (served.append((settings, address)), listener.close())
    )
    monkeypatch.setattr(command, "has_browser", lambda: True)
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        monkeypatch.setattr(command, "DEFAULT_PORT", other.getsockname()[1])
        command.serve(database=tmp_path / "games.db")
    (settings, address), printed = served[0], capsys.readouterr()
    assert settings.port > command.DEFAULT_PORT
    assert f"port {command.DEFAULT_PORT} is taken; using {settings.port}" in printed.err
    assert address == f"http://127.0.0.1:{settings.port}/"
    assert address in printed.out
    assert settings.join_code == ""


def test_serving_others_asks_for_a_code_that_is_new_each_time(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    served: list[Any] = []
    monkeypatch.setattr(
        command, "_run", lambda settings, listener, address: (served.append(settings), listener.close())
    )
    for _ in range(2):
        command.serve(0, "0.0.0.0", browser=False, database=tmp_path / "games.db")
    codes = re.findall(r"Join code: (\w{4})-(\w{4})", capsys.readouterr().out)
    assert ["".join(code) for code in codes] == [settings.join_code for settings in served]
    assert len(set(codes)) == 2
    assert all(set(settings.join_code) <= set(CODE_LETTERS) and "*" in settings.hosts for settings in served)
