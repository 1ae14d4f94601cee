"""Rooms of the arena, and what is taken away from a tournament, as programs ask for them.

Who may change what, what others see, what a restart leaves, and hostile addresses.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.database import Database
from plyground.core.played_game import PlayedGame, PlayerEntry
from plyground.formats.recognise import read_any
from plyground.web.games.tournament_files import write_file
from web_client import Visitor, another, app_in, until

WISH = {"game": "nim", "players": ["random", "random", "flat:simulations=2"], "games": 2, "openings": 0}
LONG = {"game": "nim", "players": [f"random:seed={seed}" for seed in range(6)], "games": 1000, "openings": 0}


def held(visitor: Visitor, **wish: Any) -> dict[str, Any]:
    made = visitor.post("/api/tournaments", 201, **{**WISH, **wish})
    with visitor.socket(f"/ws/tournaments/{made['id']}") as socket:
        end = until(socket, lambda said: said["type"] == "end")
    assert end["state"] == "done", end
    return end


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("rooms")) as made:
        yield made


@pytest.fixture(scope="module")
def reversi(visitor: Visitor) -> dict[str, Any]:
    """A tournament of Reversi that has been held."""
    return held(visitor, game="reversi", players=["random", "random"], seed=5)


# Rooms ------------------------------------------------------------------------------------------------------------


def test_a_class_follows_a_room_and_cannot_change_what_it_shows(tmp_path: Path) -> None:
    with app_in(tmp_path) as teacher:
        student, local = another(teacher, "10.0.0.7"), another(teacher, "127.0.0.1")
        first = held(teacher, seed=1)
        assert "begin a tournament first" in student.refused("/api/arena/rooms", 403, tournament=first["id"])
        assert "begin a tournament first" in student.refused("/api/arena/rooms", 403)
        room = teacher.post("/api/arena/rooms", tournament=first["id"])
        assert (room["yours"], room["holds"], room["tournament"]) == (True, True, first["id"])
        assert teacher.post("/api/arena/rooms", tournament=first["id"])["id"] == room["id"]
        assert [one["id"] for one in teacher.get("/api/arena/rooms")] == [room["id"]]
        assert student.get("/api/arena/rooms") == []
        address = f"/api/arena/rooms/{room['id']}"
        seen = student.get(address)
        assert (seen["yours"], seen["holds"]) == (False, False)
        assert local.get(address)["yours"]
        with student.socket(f"/ws/arena/rooms/{room['id']}") as socket:
            assert socket.receive_json() == {"type": "room", "id": room["id"], "tournament": first["id"]}
            assert socket.receive_json()["players"] == ["random", "random (2)", "flat:simulations=2"]
            table = socket.receive_json()
            assert table["type"] == "table"
            assert sum(sum(pair[2:]) for pair in table["pairs"]) == table["done"] == 6
            # Nothing that a student sends changes the room.
            assert "only whoever has opened" in student.refused(f"{address}/next", 403)
            assert "only whoever has opened" in student.refused("/api/tournaments", 403, **WISH, room=room["id"])
            assert "has been held already" in student.refused("/api/tournaments", 409, **WISH, seed=1)
            assert "can go on with it" in student.refused(f"/api/tournaments/{first['id']}/resume", 403)
            # The teacher begins the next one, and everybody sees it without doing anything.
            second = teacher.post(f"{address}/next", 201)
            assert second["id"] != first["id"]
            assert second["players"] == first["players"]
            until(socket, lambda said: said == {"type": "room", "id": room["id"], "tournament": second["id"]})
            end = until(socket, lambda said: said["type"] == "end")
            assert (end["id"], end["state"], end["done"]) == (second["id"], "done", 6)
            # And another one, with other players, which whoever is at the server's machine stops.
            third = teacher.post("/api/tournaments", 201, **LONG, seed=3, room=room["id"])
            until(socket, lambda said: said.get("tournament") == third["id"])
            until(socket, lambda said: said["type"] == "next" and said["next"] and len(said["next"][0]) == 2)
            until(socket, lambda said: said["type"] == "board" and said["position"]["svg"])
            assert student.delete(f"/api/tournaments/{third['id']}", 403)["code"] == "not_yours"
            local.delete(f"/api/tournaments/{third['id']}")
            until(socket, lambda said: said["type"] == "end" and said["state"] == "stopped")
            # Whoever is in the room sees that it goes on.
            teacher.post(f"/api/tournaments/{third['id']}/resume", 201)
            until(socket, lambda said: said["type"] == "tournament" and said["state"] == "running")
        teacher.delete(f"/api/tournaments/{third['id']}")
    with app_in(tmp_path) as stranger:  # after a restart, with the same cookies for the teacher alone
        again = another(stranger)
        again.client.cookies = teacher.client.cookies
        with stranger.socket(f"/ws/arena/rooms/{room['id']}") as socket:
            assert socket.receive_json()["tournament"] == third["id"]
            assert socket.receive_json()["state"] == "stopped"
        assert stranger.get(address)["yours"] is False
        assert "can go on with it" in stranger.refused(f"/api/tournaments/{third['id']}/resume", 403)
        assert again.get(address)["yours"] is True
        again.post(f"/api/tournaments/{third['id']}/resume", 201)
        again.delete(f"/api/tournaments/{third['id']}")


def test_a_room_is_empty_until_something_is_begun_in_it(visitor: Visitor) -> None:
    local = another(visitor, "127.0.0.1")
    room = local.post("/api/arena/rooms", 201)
    assert room["tournament"] == ""
    assert "no tournament was held" in local.refused(f"/api/arena/rooms/{room['id']}/next", 409)
    with visitor.socket(f"/ws/arena/rooms/{room['id']}") as socket:
        assert socket.receive_json()["tournament"] == ""
        begun = local.post("/api/tournaments", 201, **WISH, seed=11, room=room["id"])
        assert until(socket, lambda said: said["type"] == "end")["id"] == begun["id"]


def test_rooms_make_way_for_newer_ones(tmp_path: Path) -> None:
    with app_in(tmp_path, rooms=2) as visitor:
        ids = [held(visitor, seed=seed)["id"] for seed in range(3)]
        rooms = [visitor.post("/api/arena/rooms", tournament=one)["id"] for one in ids]
        assert [one["id"] for one in visitor.get("/api/arena/rooms")] == rooms[:0:-1]
        visitor.get(f"/api/arena/rooms/{rooms[0]}", 404)


def test_the_join_code_is_told_to_whoever_projects_the_room_alone(tmp_path: Path) -> None:
    with app_in(tmp_path, join_code="ABCDEFGH", address="http://192.168.1.5:8421") as teacher:
        student = another(teacher, "10.0.0.7")
        for one in (teacher, student):
            assert one.client.post("/join", data={"code": "ABCD-EFGH", "next": "/"}).status_code == 303
        room = teacher.post("/api/arena/rooms", tournament=held(teacher, seed=1)["id"])
        assert (room["code"], room["address"]) == ("ABCDEFGH", "http://192.168.1.5:8421")
        assert student.get(f"/api/arena/rooms/{room['id']}")["code"] == ""


HOSTILE = ("ABC123", "nothing", "..", "%2e%2e%2fgames.db", "'; DROP TABLE rooms", "<b>", "\u202e", "%00", "A" * 40)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_address_is_answered_in_one_line(visitor: Visitor, name: str) -> None:
    for method, path in (
        ("GET", f"/api/arena/rooms/{name}"), ("POST", f"/api/arena/rooms/{name}/next"),
        ("GET", f"/api/tournaments/{name}"), ("GET", f"/api/tournaments/{name}/games.json"),
        ("DELETE", f"/api/tournaments/{name}"), ("POST", f"/api/tournaments/{name}/resume"),
    ):  # fmt: skip
        answer = visitor.client.request(method, path, json={} if method == "POST" else None)
        assert 400 <= answer.status_code < 500, (path, answer.status_code, answer.text)
        assert answer.status_code == 405 or "error" in answer.json()
    wish = visitor.post("/api/tournaments", (403, 404, 422), **WISH, room=name)
    assert "error" in wish
    with visitor.socket("/ws/arena/rooms/nothing") as socket:
        assert socket.receive_json()["code"] == "no_room"


def test_long_and_odd_wishes_are_refused(visitor: Visitor, reversi: dict[str, Any]) -> None:
    visitor.get(f"/api/arena/rooms/{'A' * 41}", 422)
    visitor.post("/api/arena/rooms", 422, tournament="x" * 41)
    visitor.post("/api/arena/rooms", 422, tournament=7)
    visitor.post("/api/arena/rooms", 422, room="ABC123")
    visitor.post("/api/arena/rooms", 403, tournament="no such")
    another(visitor, "127.0.0.1").post("/api/arena/rooms", 404, tournament="no such")
    assert visitor.get(f"/api/database/games?tournament={reversi['id']}&player=random&opponent=nobody") == []
    visitor.get(f"/api/database/games?opponent={'x' * 301}", 422)


def test_whoever_comes_through_a_server_in_front_is_not_at_the_machine(visitor: Visitor) -> None:
    local = another(visitor, "127.0.0.1")
    local.client.headers["x-forwarded-for"] = "127.0.0.1"
    assert "begin a tournament first" in local.refused("/api/arena/rooms", 403)


# What is taken away -----------------------------------------------------------------------------------------------


def taken(visitor: Visitor, tournament: str, name: str) -> str:
    answer = visitor.client.get(f"/api/tournaments/{tournament}/{name}")
    assert answer.status_code == 200, answer.text
    what, _, form = name.partition(".")
    assert answer.headers["content-disposition"].endswith(f'{tournament}-{what}.{form}"')
    return answer.content.decode("utf-8-sig" if form == "csv" else "utf-8")


def test_tables_and_games_are_taken_away(visitor: Visitor, reversi: dict[str, Any]) -> None:
    one = reversi["id"]
    rows = list(csv.DictReader(io.StringIO(taken(visitor, one, "crosstable.csv"))))
    names = [row["name"] for row in rows]
    assert sorted(names) == ["random", "random (2)"]
    assert float(rows[0]["points"]) + float(rows[1]["points"]) == 2
    assert [row[name] for row, name in zip(rows, names, strict=True)] == ["", ""]
    assert float(rows[0][names[1]]) == float(rows[0]["points"])
    facts = json.loads(taken(visitor, one, "table.json"))
    assert [row["name"] for row in facts["table"]] == names
    (pair,) = facts["crosstable"]
    assert pair["wins"] + pair["draws"] + pair["losses"] == facts["done"] == 2
    games = json.loads(taken(visitor, one, "games.json"))
    assert {player["name"] for game in games for player in game["players"]} == set(names)
    assert {player["spec"] for game in games for player in game["players"]} == {""}
    listed = list(csv.DictReader(io.StringIO(taken(visitor, one, "games.csv"))))
    played = [game["played"].split() for game in listed]
    assert played == [[move["text"] for move in game["moves"]] for game in games]
    for form in ("txt", "ggf"):
        records = list(read_any(taken(visitor, one, f"games.{form}")))
        assert [len(record.moves) for record in records] == [len(moves) for moves in played]


def test_what_has_no_such_form_is_refused(visitor: Visitor, reversi: dict[str, Any]) -> None:
    nim = held(visitor, seed=21)
    assert taken(visitor, nim["id"], "games.txt").count("\n") == 6
    assert "only Reversi on 8x8" in visitor.get(f"/api/tournaments/{nim['id']}/games.ggf", 422)["error"]
    assert "csv or json" in visitor.get(f"/api/tournaments/{reversi['id']}/table.ggf", 422)["error"]
    for name in ("games.exe", "secrets.csv", "table.csv.exe", "games.JSON", ".csv", "games."):
        assert visitor.client.get(f"/api/tournaments/{reversi['id']}/{name}").status_code in (404, 422)


def test_no_cell_of_a_spreadsheet_is_a_formula_and_no_path_is_told(tmp_path: Path) -> None:
    names = ["=HYPERLINK(1)", "＝1+1"]
    players = tuple(PlayerEntry(name, "course:file=/home/teacher/secret.py", "") for name in names)
    with Database(tmp_path / "games.db") as base:
        base.add(PlayedGame("one/1/0-1/0", "reversi", players, (1.0, -1.0), reason="@white resigns"))
    rows = [{"name": name, "points": 1.0, "share": 1.0} for name in names]
    facts = {
        "id": "one", "game": "reversi", "players": names, "kind": "round-robin", "seed": 1, "state": "done",
        "done": 1, "total": 1, "rows": rows, "pairs": [[0, 1, 1, 0, 0, 0]],
    }  # fmt: skip
    for what, form in (("table", "csv"), ("crosstable", "csv"), ("games", "csv"), ("games", "json"), ("games", "ggf")):
        with write_file(what, form, facts, tmp_path / "games.db") as file:
            text = file.read().decode("utf-8-sig")
        assert "secret" not in text
        if form == "csv":
            cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
            assert not [cell for cell in cells if cell.startswith(("=", "＝", "@"))], cells


def test_a_file_has_a_name_that_every_header_can_carry(tmp_path: Path) -> None:
    source = 'from plyground import make_game\n\ngame = make_game("nim")\n'
    (tmp_path / "尼姆.py").write_text(source)
    with app_in(tmp_path, served=(str(tmp_path / "尼姆.py"),)) as visitor:
        end = held(visitor, game="尼姆.py", players=["random", "random"], seed=1)
        answer = visitor.client.get(f"/api/tournaments/{end['id']}/table.csv")
        assert answer.headers["content-disposition"].startswith('attachment; filename="__')
