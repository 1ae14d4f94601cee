"""Measured opponents, and the ladder: which games count for a visitor's rating, and that nobody can make one up."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.arena.glicko import Belief, updated
from plyground.web.games.ladder import Climb, counted, ladder_facts
from plyground.web.games.store import open_live
from plyground.web.server.catalogue import about
from plyground.web.server.opponents import MEASURED, Strength, measured
from web_client import Visitor, another, app_in, until

RATED = {"rated": True, "first": "lot"}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("ladder")) as made:
        yield made


@pytest.fixture
def visitor(shared: Visitor) -> Visitor:
    return another(shared)


def begin(visitor: Visitor, opponent: str = "random", **more: Any) -> dict[str, Any]:
    return visitor.begin("tictactoe", "human", opponent, **{**RATED, **more})


def play_out(visitor: Visitor, game: dict[str, Any], most: int = 9) -> dict[str, Any]:
    """Play the first legal move each time, until the game is over or there were this many."""
    path = f"/api/games/{game['id']}"
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        for _ in range(most + 1):
            seen = until(socket, lambda one: one.get("type") == "game" and (
                one["game"]["over"] or one["game"]["position"]["to_move"] in one["game"]["mine"]
            ))["game"]  # fmt: skip
            if seen["over"] or not most:
                return seen
            most -= 1
            visitor.post(f"{path}/move", 200, action=seen["position"]["legal"][0]["action"], at=seen["at"])
    return visitor.get(path)


# What was measured ------------------------------------------------------------------------------------------------


def test_every_card_is_measured_or_said_not_to_be_and_cards_stand_in_measured_order():
    facts = json.loads(MEASURED.read_text())
    assert facts["anchor"] == "random"
    for name, cards in about()["cards"].items():
        if name not in facts["games"]:
            assert all(card["rating"] is None for card in cards), name
            continue
        found = facts["games"][name]
        specs = [card["spec"] for card in cards if not card.get("own")]
        assert set(specs) == {*found["ratings"], *found["unmeasured"]}
        assert not set(found["ratings"]) & set(found["unmeasured"])
        rated = [card["rating"] for card in cards if card["rating"] is not None]
        order = [(rating["bound"] == "at least", rating["elo"]) for rating in rated]
        assert order == sorted(order), "whoever has lost to nobody stands last"
        assert [card["rating"] is None for card in cards] == sorted(card["rating"] is None for card in cards)
        if found["ratings"]:
            assert found["ratings"]["random"]["elo"] == 0, "the anchor"
            assert re.fullmatch(r"20\d\d-\d\d-\d\d", found["measured"])
            assert found["version"]


# Which games count ------------------------------------------------------------------------------------------------


def test_a_rated_game_counts_once_and_the_sides_alternate(visitor: Visitor) -> None:
    assert visitor.get("/api/ladder/tictactoe")["you"] is None
    assert visitor.get("/api/ladder") == []
    first = begin(visitor)
    assert (first["mine"], first["rated"]) == ([0], {"state": "open"})
    over = play_out(visitor, first)
    assert over["rated"]["state"] == "counted"
    score = 0.5 if over["over"]["winner"] is None else float(over["over"]["winner"] == 0)
    after = updated(Belief(0), [(0, 0, score)])
    ladder = visitor.get("/api/ladder/tictactoe")
    assert ladder["you"] == {
        "rating": round(after.rating),
        "error": round(1.96 * after.deviation),
        "games": 1,
        "change": None,
    }
    assert (ladder["history"][0]["opponent"], ladder["history"][0]["score"]) == ("random", score)
    assert ladder["unfinished"] is None
    second = begin(visitor)
    assert second["mine"] == [1], "whoever began the last time is second now"
    play_out(visitor, second)
    assert visitor.get("/api/ladder")[0]["games"] == 2
    assert another(visitor).get("/api/ladder") == [], "nobody else's"
    visitor.delete("/api/ladder/tictactoe")
    assert visitor.get("/api/ladder/tictactoe")["you"] is None


def test_nothing_is_taken_back_hinted_or_shown_in_a_rated_game(visitor: Visitor) -> None:
    game = play_out(visitor, begin(visitor), 1)
    path = f"/api/games/{game['id']}"
    assert visitor.post(f"{path}/goto", 409, node=0, resume=True)["code"] == "rated"
    with visitor.socket("/ws/search") as socket:
        for do in ("hints", "analyse", "think"):
            *_, last = visitor.search(socket, 1, do, game="tictactoe")
            assert (last["event"], last.get("code")) == ("error", "rated")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        until(socket, lambda one: one["type"] == "game")
        socket.send_text('{"tree":"en"}')
        visitor.post(f"{path}/move", 200, action=game["position"]["legal"][0]["action"], at=game["at"])
        seen: list[str] = []
        until(socket, lambda one: bool(seen.append(one["type"])) or (
            one["type"] == "game" and (one["game"]["over"] or one["game"]["position"]["to_move"] == 0)
        ))  # fmt: skip
        assert "tree" not in seen
    play_out(visitor, game)
    assert visitor.post(f"{path}/goto", 409, node=0, resume=True)["code"] == "rated", "nor is it played on"
    with visitor.socket("/ws/search") as socket:
        assert visitor.search(socket, 2, "hints", game="tictactoe", time=0.1)[-1]["event"] == "done"


@pytest.mark.parametrize(
    "more",
    [
        {"first": "choice"},
        {"clock": {"move": 60}},
        {"seed": 1},
        {"moves": "b2"},
        {"people": "invited"},
        {"game": "mnk:m=4", "players": ["human", "random"]},
        {"game": "tictactoe:x=1", "players": ["human", "random"]},
        {"players": ["human", "human"]},
        {"players": ["random", "random"]},
        {"players": ["human", "mcts:simulations=1"]},
        {"players": ["human", "alphabeta:depth=1"]},
        {"players": ["human"]},
        {"players": []},
        {"game": "kuhn", "players": ["human", "random"]},
        {"rating": 3000},
        {"seat": -1},
    ],
)
def test_what_cannot_be_rated_is_refused_with_one_line(visitor: Visitor, more: dict[str, Any]) -> None:
    wish = {"game": "tictactoe", "players": ["human", "random"], **RATED, **more}
    line = visitor.refused("/api/games", **wish)
    assert line
    assert "\n" not in line
    assert visitor.get("/api/ladder/tictactoe")["unfinished"] is None


def test_nobody_can_set_a_rating_or_play_for_somebody_else(visitor: Visitor) -> None:
    for method in ("post", "put", "patch"):
        answer = visitor.client.request(method, "/api/ladder/tictactoe", json={"rating": 3000})
        assert answer.status_code == 405
    game = begin(visitor)
    path, thief = f"/api/games/{game['id']}", another(visitor)
    assert thief.post(f"{path}/move", 403, action=0, at=0)["code"] == "seat"
    assert thief.post(f"{path}/resign", 403, player=0)["code"] == "seat"
    thief.delete(path, 403)
    assert visitor.post(f"{path}/invite", 409, player=0)["code"] == "only"
    assert visitor.post(f"{path}/offer", 409, what="draw")["code"] == "alone"
    assert visitor.post("/api/games", 409, game="tictactoe", players=["human", "random"], **RATED)["code"] == (
        "unfinished_rated"
    )
    assert visitor.get("/api/ladder/tictactoe")["unfinished"] == game["id"]
    again = visitor.post(f"{path}/rematch", 201)
    assert again["rated"] is None, "a rematch is for fun"


def test_who_resigns_or_deletes_has_lost_and_who_has_not_moved_has_not_begun(visitor: Visitor) -> None:
    visitor.delete(f"/api/games/{begin(visitor)['id']}")
    assert visitor.get("/api/ladder") == []
    game = begin(visitor)
    assert game["mine"] == [0], "who looks and goes does not choose the side by that"
    lost = visitor.post(f"/api/games/{game['id']}/resign", player=0)
    assert lost["rated"]["rating"] < 0
    game = play_out(visitor, begin(visitor), 1)
    visitor.delete(f"/api/games/{game['id']}")
    ladder = visitor.get("/api/ladder/tictactoe")
    assert [one["score"] for one in ladder["history"]] == [0, 0]
    assert ladder["you"]["change"] < 0


@pytest.mark.slow
def test_whoever_does_not_come_back_has_lost(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        played = play_out(visitor, begin(visitor), 1)
        fresh = visitor.begin("nim", "human", "random", **RATED)
        cookies = visitor.client.cookies
    with app_in(tmp_path, rated_untouched=-1.0) as visitor:
        visitor.client.cookies = cookies
        with visitor.socket(f"/ws/games/{played['id']}") as socket:
            over = until(socket, lambda one: one["type"] == "game" and one["game"]["over"])["game"]
        assert (over["over"]["why"], over["over"]["loser"], over["rated"]["state"]) == ("leaves", 0, "counted")
        assert [one["game"] for one in visitor.get("/api/ladder")] == ["tictactoe"]
        while visitor.get("/api/ladder/nim")["unfinished"]:
            pass  # it is put away as soon as the server comes to it
        assert fresh["id"] not in {one["id"] for one in visitor.get("/api/games")}, "nobody had moved there"


# How a rating comes -----------------------------------------------------------------------------------------------


def ended(winner: int | None, why: str = "over", loser: int | None = None, opponent: str = "random") -> Any:
    over = {"winner": winner, "why": why, "loser": loser}
    return SimpleNamespace(id="a", spec="tictactoe", players=["human", opponent], over=over)


def test_a_program_that_fails_was_not_beaten():
    for why in ("fails", "time", "illegal_moves"):
        assert counted(ended(0, why, 1), [], 0.0) is None
    assert counted(ended(0, "resigns", 1), [], 0.0) is not None
    for why in ("resigns", "leaves", "time"):
        climb = counted(ended(1, why, 0), [], 0.0)
        assert climb is not None
        assert climb.score == 0
    assert counted(ended(0, opponent="mcts:simulations=3"), [], 0.0) is None


def test_nobody_is_rated_high_for_losing_to_the_best_and_whoever_beats_it_is():
    best = max(measured()["tictactoe"], key=lambda spec: measured()["tictactoe"][spec].elo)
    lost, won = (counted(ended(winner, opponent=best), [], 0.0) for winner in (1, 0))
    assert lost is not None
    assert won is not None
    assert -100 < lost.rating <= 0
    assert lost.deviation > 300
    assert won.rating > 500
    assert not any(rung["behind"] for rung in ladder_facts("tictactoe", [lost], None)["rungs"])


def test_rungs_are_climbed_by_points_or_by_rating(monkeypatch: pytest.MonkeyPatch) -> None:
    rungs = {
        "c": Strength(900, 40, 9),
        "a": Strength(0, 0, 9),
        "b": Strength(400, 40, 9),
        "d": Strength(1200, 0, 9, "at least"),
    }
    monkeypatch.setattr("plyground.web.games.ladder.measured", lambda: {"tictactoe": rungs})

    def climbs(*games: tuple[str, float], rating: float = 0.0) -> list[Climb]:
        return [Climb(str(i), i, 0, who, score, rating, 100.0, 0.06) for i, (who, score) in enumerate(games)]

    def behind(*games: tuple[str, float], rating: float = 0.0) -> tuple[list[str], str | None]:
        facts = ladder_facts("tictactoe", climbs(*games, rating=rating), None)
        assert [rung["spec"] for rung in facts["rungs"]] == ["a", "b", "c", "d"]
        return [rung["spec"] for rung in facts["rungs"] if rung["behind"]], facts["next"]

    assert behind() == ([], "a")
    assert behind(("a", 1), ("a", 0.5)) == ([], "a")
    assert behind(("a", 1), ("a", 0.5), ("a", 0.5)) == (["a"], "b")
    assert behind(("b", 1), rating=600) == (["a", "b"], "c"), "rated above it with 95% confidence"
    assert behind(("b", 1), rating=590) == (["a"], "b")
    assert behind(("d", 1), ("d", 1), rating=1500) == (["a", "b", "c", "d"], None)


# The file ---------------------------------------------------------------------------------------------------------


def test_a_file_from_before_there_were_ratings_goes_on(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        game = visitor.begin("tictactoe", "human", "random")
        cookies = visitor.client.cookies
    file = tmp_path / "games.live.db"
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        base.execute("DROP TABLE climbs")
        base.execute("ALTER TABLE live DROP COLUMN rated")
        ((content,),) = base.execute("SELECT content FROM live").fetchall()
        old = {name: value for name, value in json.loads(content).items() if name != "rated"}
        base.execute("UPDATE live SET content = ?", (json.dumps(old),))
        base.execute("PRAGMA user_version = 2")
    open_live(file).close()
    with app_in(tmp_path) as visitor:
        visitor.client.cookies = cookies
        assert visitor.get(f"/api/games/{game['id']}")["rated"] is None
        assert play_out(visitor, begin(visitor))["rated"]["state"] == "counted"


def test_ratings_survive_a_restart(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        play_out(visitor, begin(visitor))
        before, cookies = visitor.get("/api/ladder/tictactoe"), visitor.client.cookies
    with app_in(tmp_path) as visitor:
        visitor.client.cookies = cookies
        assert visitor.get("/api/ladder/tictactoe") == before
        assert before["rungs"][0] == {
            "spec": "random", **measured()["tictactoe"]["random"]._asdict(), "points": before["rungs"][0]["points"],
            "met": 1, "behind": False,
        }  # fmt: skip


# On the pages -----------------------------------------------------------------------------------------------------


def test_a_visitor_climbs_a_rung_of_tictactoe(visit: Any) -> None:
    visitor = visit("/play?game=tictactoe&p=human&p=human")
    page = visitor.page
    perfect = measured()["tictactoe"]["alphabeta"]
    card = page.locator(".opponent", has=page.get_by_role("radio", name="Perfect"))
    expect(card.locator(".rating")).to_have_text(f"{perfect.elo} ± {perfect.error}")
    expect(page.get_by_text("a player that moves at random has 0")).to_be_visible()
    ladder = page.locator(".ladder")
    expect(ladder).to_contain_text("no rating yet")
    expect(ladder.locator("[aria-current=step]")).to_contain_text("Dice")
    expect(page.get_by_role("checkbox", name="Rated game")).to_have_count(0)
    page.get_by_role("radio", name="Perfect").check(force=True)
    switch = page.get_by_role("checkbox", name="Rated game")
    switch.focus()
    page.keyboard.press("Space")
    expect(page.get_by_text("Who begins")).to_have_count(0)
    expect(switch).to_be_focused()
    assert "rated=1" in page.url
    ladder.get_by_role("button", name="Play Dice, rated").press("Enter")
    page.wait_for_url("**/play/*")
    expect(page.locator(".game-title")).to_have_text("Tic-tac-toe · Rated")
    for name in ("Take back", "Hints", "Graph", "Search"):
        expect(page.get_by_role("button", name=name, exact=True)).to_have_count(0)
    expect(page.get_by_role("button", name="Resign")).to_be_enabled()
    status = page.locator("h1.status")
    while True:
        expect(status).to_have_text(re.compile("^(Your move|You won|You lost|A draw)$"))
        if status.inner_text() != "Your move":
            break
        before = page.locator(".table-page").get_attribute("data-at")
        page.locator(".cell.playable").first.click()
        page.wait_for_function("at => document.querySelector('.table-page').dataset.at !== at", arg=before)
    expect(page.locator(".status-detail")).to_contain_text(re.compile(r"Your rating: .* ± \d+"))
    expect(visitor.button("Rematch")).to_have_count(0)
    expect(visitor.button("Hints")).to_be_visible()
    page.get_by_role("link", name="To the ladder").click()
    expect(ladder.locator(".you")).to_contain_text("You")
    expect(ladder).to_contain_text("1 rated game")
    visitor.open("/")
    page.locator(".ladder-card").click()
    expect(ladder.locator(".you")).to_be_visible()
    ladder.get_by_role("button", name="Forget my rating").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget my rating").click()
    expect(ladder).to_contain_text("no rating yet")
    expect(ladder.locator(".you")).to_have_count(0)
    visitor.accessible()
    visitor.fits()
