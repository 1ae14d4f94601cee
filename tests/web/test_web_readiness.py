"""Compiling ahead: in which order, what is told of it, and what the cards of the opponents say."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.web.lab import SUBJECTS
from plyground.web.server.readiness import Readiness, preparing
from plyground.web.server.settings import Limits
from web_browser import Visitor
from web_client import app_in
from web_server import serving


def test_what_is_asked_for_last_is_prepared_first(monkeypatch: pytest.MonkeyPatch) -> None:
    async def story() -> None:
        readiness = Readiness(Limits())
        prepared: list[str] = []
        turn = asyncio.Semaphore(0)

        async def run(job: Any) -> None:
            await turn.acquire()
            prepared.append(job.work["player"])
            if job.work["player"] == "broken":
                job.settle(RuntimeError("cannot be prepared"))
            job.settle(answer=None)

        monkeypatch.setattr(readiness._worker, "run", run)
        readiness.want([preparing("nim", "a"), preparing("nim", "broken"), preparing("nim", "c")])
        await asyncio.sleep(0)
        assert [readiness.state(preparing("nim", name)) for name in ("a", "broken", "c")] == [
            "compiling",
            "waiting",
            "waiting",
        ]
        readiness.want([preparing("nim", "c"), preparing("nim", "a"), preparing("nim", "d")])
        while len(prepared) < 4:
            turn.release()
            await asyncio.sleep(0)
        assert prepared == ["a", "c", "d", "broken"]
        readiness.want([preparing("nim", "c")])
        turn.release()
        for _ in range(5):
            await asyncio.sleep(0)
        assert len(prepared) == 4
        assert {readiness.state(preparing("nim", name)) for name in prepared} == {"ready"}
        await readiness.close()

    asyncio.run(story())


def test_a_process_of_its_own_gets_players_ready() -> None:
    async def story() -> None:
        readiness = Readiness(Limits())
        wanted = [preparing("tictactoe", "random"), preparing("tictactoe", "nobody")]
        readiness.want(wanted)
        while {readiness.state(work) for work in wanted} != {"ready"}:
            await asyncio.sleep(0.05)
        await readiness.close()

    asyncio.run(story())


def test_where_nothing_is_compiled_ahead_no_process_starts_and_nothing_is_said_of_it(tmp_path: Path) -> None:
    with app_in(tmp_path, compile_ahead=False) as visitor:
        assert visitor.get("/api/ready?game=nim") == {"opponents": None}
        assert visitor.get("/api/ready/queens") == {"ready": False}
        state = visitor.client.app.state
        assert state.pool.processes == []
        assert state.readiness._worker.pid is None


@pytest.mark.slow
def test_every_opponent_gets_ready_and_games_that_are_not_there_are_refused(tmp_path: Path) -> None:
    with app_in(tmp_path, compile_ahead=True) as visitor:
        while True:
            states = visitor.client.get("/api/ready?game=nim&player=mcts:time=0.2").json()["opponents"]
            assert set(states.values()) <= {"ready", "compiling", "waiting"}
            if set(states.values()) == {"ready"}:
                break
            time.sleep(0.2)
        assert set(states) == {"random", "flat:simulations=200", "mcts:time=0.2", "alphabeta"}
        for query, line in (
            ("game=nothing", "there is no game 'nothing' here"),
            ("game=nim&player=book:file=x", "there is no player 'book' here"),
            ("game=nim:piles=x", "piles"),
        ):
            answer = visitor.client.get(f"/api/ready?{query}")
            assert answer.status_code == 422
            assert line in answer.json()["error"]


def test_every_page_of_the_laboratory_has_work_to_prepare(tmp_path: Path) -> None:
    with app_in(tmp_path, compile_ahead=True) as visitor:
        wanted: list[str] = []
        visitor.client.app.state.readiness.want = lambda works: wanted.extend(
            work["do"]
            for work in works
            if work["do"].startswith("lab.")  # beside what the start of the server wants
        )
        pages = {
            page
            for page in SUBJECTS.values()
            if page not in ("/watch", "/wumpus", "/practice", "/puzzles", "/workshop")
        }  # without machine code
        for page in sorted(pages):
            before = len(wanted)
            assert visitor.get(f"/api/ready{page}") == {"ready": False}
            assert len(wanted) > before
        assert visitor.get("/api/ready/nowhere") == {"ready": True}
        assert len(set(wanted)) == len(wanted)


@pytest.mark.slow
def test_the_cards_say_who_is_ready(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path, ahead=True) as server:
        visitor = Visitor(browser, server.address).open("/play?game=nim")
        expect(visitor.page.locator(".opponent .readiness")).to_have_text(["ready"] * 4)
        visitor.leave()
