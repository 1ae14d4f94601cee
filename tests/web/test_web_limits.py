"""How much one address may take, whatever cookies it sends; who is believed about addresses; games that expire."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.database import Database
from plyground.web.games.store import Store, open_live
from plyground.web.server import join
from plyground.web.server.pool import Job, Pool
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import DAY, Limits
from web_client import Visitor, another, app_in

BEGIN = {"game": "tictactoe", "players": ["human", "human"]}


def rows(folder: Path, query: str) -> list[Any]:
    connection = sqlite3.connect(folder / "games.live.db", isolation_level=None)
    try:
        return connection.execute(query).fetchall()
    finally:
        connection.close()


# Games ------------------------------------------------------------------------------------------------------------


def test_one_address_without_cookies_fills_its_own_places_only(tmp_path: Path) -> None:
    with app_in(tmp_path, address_games=5, all_games=20) as visitor:
        played = another(visitor, "10.0.0.1")
        mine = played.move(played.begin(), "b2")
        for _ in range(30):
            another(visitor, "10.0.0.1").begin()
        assert rows(tmp_path, "SELECT count(*) FROM live WHERE address = '10.0.0.1'") == [(5,)]
        assert played.get(f"/api/games/{mine['id']}")["at"] == 1, "a game with moves is not the first to go"
        elsewhere = another(visitor, "10.0.0.2").begin()
        assert rows(tmp_path, f"SELECT address FROM live WHERE id = '{elsewhere['id']}'") == [("10.0.0.2",)]


def test_an_address_whose_games_are_all_being_played_is_told_to_wait_and_others_are_not(tmp_path: Path) -> None:
    with app_in(tmp_path, address_games=2, all_games=20) as visitor:
        for _ in range(2):
            player = another(visitor, "10.0.0.1")
            player.move(player.begin(), "b2")
        assert "too many games" in another(visitor, "10.0.0.1").refused("/api/games", 503, **BEGIN)
        another(visitor, "10.0.0.2").begin()
        rows(tmp_path, "UPDATE live SET changed = changed - 7200")
        another(visitor, "10.0.0.1").begin()


def test_when_all_places_are_taken_the_address_with_most_games_gives_way(tmp_path: Path) -> None:
    with app_in(tmp_path, address_games=5, all_games=6) as visitor:
        few = another(visitor, "10.0.0.1").begin()
        for _ in range(5):
            another(visitor, "10.0.0.2").begin()
        another(visitor, "10.0.0.3").begin()
        kept = dict(rows(tmp_path, "SELECT address, count(*) FROM live GROUP BY address"))
        assert kept == {"10.0.0.1": 1, "10.0.0.2": 4, "10.0.0.3": 1}
        assert visitor.get(f"/api/games/{few['id']}")["id"] == few["id"]


def test_games_that_nobody_touches_expire_and_those_without_a_move_sooner(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        ids = {name: visitor.begin()["id"] for name in ("old", "moved", "unmoved", "new")}
        for name in ("old", "moved"):
            visitor.post(f"/api/games/{ids[name]}/move", action=4, at=0)
    for name, days in (("old", 91), ("moved", 2), ("unmoved", 2)):
        rows(tmp_path, f"UPDATE live SET changed = changed - {days * DAY} WHERE id = '{ids[name]}'")

    async def scene() -> int:
        store = Store(tmp_path / "games.live.db", tmp_path / "games.db")
        await store.open()
        try:
            return await store.expire(Limits.untouched, Limits.unmoved, Limits.removed)
        finally:
            await store.close()

    assert asyncio.run(scene()) == 2
    with app_in(tmp_path) as again:
        assert again.get(f"/api/games/{ids['moved']}")["at"] == 1
        assert again.get(f"/api/games/{ids['new']}")["at"] == 0
        assert "no such game" in again.get(f"/api/games/{ids['old']}", 404)["error"]
        assert "no such game" in again.get(f"/api/games/{ids['unmoved']}", 404)["error"]


def test_of_games_that_nobody_watches_only_so_many_are_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.web.games.tables.MOST_OPEN", 3)
    with app_in(tmp_path) as visitor:
        games = [visitor.begin() for _ in range(8)]
        metrics = another(visitor, "127.0.0.1").client.get("/metrics").text
        assert "plyground_games_open 4\n" in metrics, "those, and the one that has just begun"
        assert visitor.move(games[0], "b2")["at"] == 1, "the others are on the disk"


def test_a_server_forgets_old_games_when_it_starts(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        visitor.begin()
    rows(tmp_path, f"UPDATE live SET changed = changed - {2 * DAY}")
    with app_in(tmp_path):
        until(lambda: rows(tmp_path, "SELECT count(*) FROM live") == [(0,)])


def until(true: Any) -> None:
    for _ in range(2400):
        if true():
            return
        time.sleep(0.05)
    pytest.fail("it does not come true")


def test_a_game_whose_server_was_killed_before_it_was_recorded_is_recorded_by_the_next_once(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        game = visitor.begin()
        for move in ["a1", "b1", "a2", "b2", "a3"]:
            game = visitor.move(game, move)
    with Database(tmp_path / "games.db") as base:
        (kept,) = base.results()
    (tmp_path / "games.db").unlink()
    rows(tmp_path, "UPDATE live SET unrecorded = 1, changed = changed - 100")
    for _ in range(2):
        with app_in(tmp_path):
            until(lambda: rows(tmp_path, "SELECT unrecorded FROM live") == [(0,)])
        rows(tmp_path, "UPDATE live SET unrecorded = 1")
    with Database(tmp_path / "games.db") as base:
        (again,) = base.results()
    assert (again.key, again.moves, again.returns) == (kept.key, kept.moves, kept.returns)
    assert abs(again.started + again.seconds - (kept.started + kept.seconds) + 100) < 60, "it ended when it ended"


def test_a_file_of_an_earlier_version_keeps_its_games(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        game = visitor.begin()
    rows(tmp_path, "DROP INDEX live_by_address")
    for column in ("address", "moved", "unrecorded", "rated"):
        rows(tmp_path, f"ALTER TABLE live DROP COLUMN {column}")
    rows(tmp_path, "PRAGMA user_version = 0")
    open_live(tmp_path / "games.live.db").close()
    with app_in(tmp_path) as again:
        assert again.get(f"/api/games/{game['id']}")["at"] == 0


# Searches and sockets ---------------------------------------------------------------------------------------------


class Slow:
    """A worker that takes note of what it is asked, and waits for ever or not at all."""

    def __init__(self, *, ends: bool) -> None:
        self.seen: list[str] = []
        self._ends = ends

    async def run(self, job: Job) -> None:
        self.seen.append(job.work["name"])
        if not self._ends:
            await asyncio.Event().wait()
        job.settle(answer=None)

    async def kill(self) -> None:
        pass


def pool_of(worker: Slow, **limits: Any) -> Pool:
    pool = Pool(1, Limits(**limits))
    pool._free, pool._workers = [worker], [worker]  # type: ignore[list-item]
    return pool


def test_addresses_are_served_in_turns_however_many_visitors_one_has() -> None:
    async def scene() -> list[str]:
        worker = Slow(ends=True)
        pool = pool_of(worker)
        jobs = [pool.submit(f"visitor {n}", {"name": f"a{n}"}, address="a", time=None) for n in range(4)]
        jobs += [pool.submit(who, {"name": f"b{who}"}, address="b", time=None) for who in "xxy"]
        await asyncio.gather(*(job.result() for job in jobs))
        await pool.close()
        return worker.seen

    assert asyncio.run(scene()) == ["a0", "a1", "bx", "a2", "by", "a3", "bx"]


def test_an_address_cannot_take_all_places_in_the_queue() -> None:
    async def scene() -> None:
        pool = pool_of(Slow(ends=False), address_waiting=3, all_waiting=5)
        for number in range(4):  # one of them runs
            pool.submit(f"visitor {number}", {"name": "a"}, address="a", time=None, counted=False)
        with pytest.raises(Refusal, match="of your network are waiting") as refused:
            pool.submit("another", {"name": "a"}, address="a", time=None, counted=False)
        assert refused.value.status == 429
        assert pool.waiting == 3
        pool.submit("somebody", {"name": "b"}, address="b", time=None)
        await pool.close()
        assert pool.waiting == 0

    asyncio.run(scene())


def test_an_address_has_only_so_many_sockets_whatever_its_cookies(tmp_path: Path) -> None:
    with app_in(tmp_path, address_sockets=2) as visitor:
        one, two, three = (another(visitor, "10.0.0.1") for _ in range(3))
        with one.socket("/ws/search"), two.socket("/ws/search"):
            with three.socket("/ws/search") as refused:
                assert "your network has 2 pages open already" in refused.receive_json()["error"]
            with another(visitor, "10.0.0.2").socket("/ws/search") as elsewhere:
                elsewhere.send_json({"id": 1, "do": "nothing"})
                assert elsewhere.receive_json()["event"] == "error"


# Servers in front -------------------------------------------------------------------------------------------------


def wrong_codes(visitor: Visitor, address: str) -> int:
    """How many wrong codes are answered with the form, when each says that it comes from another address."""
    client = another(visitor, address).client
    answers = [
        client.post("/join", data={"code": "ZZZZZZZZ"}, headers={"x-forwarded-for": f"192.0.2.{number}"})
        for number in range(join.MOST_WRONG + 5)
    ]
    return [answer.status_code for answer in answers].count(403)


def test_only_a_server_in_front_that_was_named_is_believed_about_addresses(tmp_path: Path) -> None:
    room = {"join_code": "ABCD2345", "hosts": frozenset({"*"}), "proxies": ("10.0.0.9",)}
    with app_in(tmp_path, **room) as visitor:
        assert wrong_codes(visitor, "10.0.0.1") == join.MOST_WRONG
        assert wrong_codes(visitor, "10.0.0.9") == join.MOST_WRONG + 5
    with app_in(tmp_path, **{**room, "proxies": ()}) as visitor:
        assert wrong_codes(visitor, "10.0.0.9") == join.MOST_WRONG
        assert wrong_codes(visitor, "127.0.0.1") == join.MOST_WRONG


def test_cookies_of_an_encrypted_page_stay_with_encrypted_pages(tmp_path: Path) -> None:
    with app_in(tmp_path, proxies=("10.0.0.9",)) as visitor:
        for address, secure in (("10.0.0.9", True), ("10.0.0.1", False)):
            answer = another(visitor, address).client.get("/api/games", headers={"x-forwarded-proto": "https"})
            assert ("; Secure" in answer.headers["set-cookie"]) == secure
