"""A visitor's own games: found again, taken away, removed and brought back."""

from __future__ import annotations

import csv
import io
import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import expect

from plyground.formats.transcript import read_transcripts
from web_client import Visitor, another, app_in


@pytest.fixture(scope="module")
def owner(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Somebody with five games: one is open, one won, one lost, one drawn, one against themselves."""
    with app_in(tmp_path_factory.mktemp("library")) as visitor:
        guest = another(visitor)
        visitor.names, visitor.guest = {}, guest  # type: ignore[attr-defined]
        opened = visitor.begin("reversi", "human", "human", moves="f5d6c3d3c4")
        visitor.names["open"] = opened["id"]  # type: ignore[attr-defined]
        for result, seat, moves in (
            ("won", 0, "a1 b1 a2 b2 a3"),
            ("lost", 1, "a1 b1 a2 b2 a3"),
            ("draw", 0, "a1 b2 c3 b1 b3 a3 c1 c2 a2"),
        ):
            game = visitor.begin("tictactoe", "human", "human", people="invited", seat=seat)
            guest.post(f"/api/games/{game['id']}/claim")
            both = [visitor, guest] if seat == 0 else [guest, visitor]
            for place, move in enumerate(moves.split()):
                game = both[place % 2].move(game, move)
            assert game["over"]
            visitor.names[result] = game["id"]  # type: ignore[attr-defined]
        alone = visitor.begin("connect4")
        for move in "1122334":
            alone = visitor.move(alone, move)
        visitor.names["finished"] = alone["id"]  # type: ignore[attr-defined]
        yield visitor


def found(visitor: Visitor, **wanted: Any) -> list[str]:
    """What the games that are found are called above, in their order."""
    answer = visitor.get(f"/api/library?{urlencode(wanted)}")
    names = {number: name for name, number in visitor.names.items()}  # type: ignore[attr-defined]
    return [names[one["id"]] for one in answer["games"]]


def test_all_games_are_found_by_what_they_are(owner):
    assert found(owner) == ["finished", "draw", "lost", "won", "open"]
    assert found(owner, sort="oldest") == ["open", "won", "lost", "draw", "finished"]
    assert found(owner, sort="longest", game="tictactoe") == ["draw", "lost", "won"]
    for result in ("open", "won", "lost", "draw"):
        assert found(owner, result=result) == [result]
    assert found(owner, result="finished") == ["finished", "draw", "lost", "won"]
    assert found(owner, text="TIGER") == found(owner, text="f5d6c3") == found(owner, text="f5 d6 虎") == ["open"]
    assert found(owner, text="四子棋") == found(owner, text="connect four") == ["finished"]
    assert found(owner, text="tiger connect") == []
    assert found(owner, opponent="human", game="reversi") == ["open"]
    assert found(owner, opponent="random") == []
    when = next(one["changed"] for one in owner.get("/api/library")["games"] if one["result"] == "lost")
    assert found(owner, since=when) == ["finished", "draw", "lost"]
    assert found(owner, until=when) == ["won", "open"]


def test_pages_and_what_there_is_to_choose_from(owner):
    answer = owner.get("/api/library?limit=2&offset=2")
    assert [one["result"] for one in answer["games"]] == ["lost", "won"]
    assert (answer["found"], answer["all"]) == (5, 5)
    assert dict(map(tuple, answer["by_game"])) == {"tictactoe": 3, "connect4": 1, "reversi": 1}
    assert answer["by_opponent"] == [["human", 5]]
    assert owner.get("/api/library?offset=10000")["games"] == []


def test_a_guest_has_the_game_too_and_nobody_learns_who_somebody_is(owner):
    answer = owner.guest.get("/api/library")
    assert {one["result"] for one in answer["games"]} == {"won", "lost", "draw"}
    assert [one["own"] for one in answer["games"]] == [False] * 3
    won = next(one for one in owner.get("/api/library?result=won")["games"])
    assert next(one for one in answer["games"] if one["id"] == won["id"])["result"] == "lost"
    cookies = [*owner.client.cookies.values(), *owner.guest.client.cookies.values()]
    for path in ("/api/library", "/api/library/export?format=json", "/api/games"):
        for visitor in (owner, owner.guest):
            assert not [one for one in cookies if one in visitor.client.get(path).text]
    assert another(owner).get("/api/library")["all"] == 0


def test_files_of_games_can_be_read_again(owner):
    chosen = owner.names["open"], owner.names["won"]
    rows = owner.get("/api/library/export?format=json&" + urlencode({"id": chosen}, doseq=True))
    assert [(row["result"], row["moves"][:2]) for row in rows] == [("won", ["a1", "b1"]), ("open", ["f5", "d6"])]
    table = owner.client.get("/api/library/export?format=csv&game=reversi")
    assert "games.csv" in table.headers["content-disposition"]
    (row,) = csv.DictReader(io.StringIO(table.text))
    assert (row["opening"], row["length"], row["moves"]) == ("Tiger", "5", "f5 d6 c3 d3 c4")
    text = owner.client.get("/api/library/export?game=reversi").text
    (record,) = read_transcripts(text.splitlines())
    assert len(record.moves) == 5


NAMES = ("text", "game", "opponent", "result", "sort", "since", "until", "offset", "limit", "id", "format")
HOSTILE = st.sampled_from(["%", "_", "' OR 1=1 --", "\0", "(a+)+$"])


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.sampled_from(NAMES), st.one_of(st.text(max_size=400), st.integers(), st.floats(), HOSTILE)))
def test_whatever_is_wanted_the_answer_is_games_or_one_line(owner, wanted):
    for path in ("/api/library", "/api/library/export"):
        answer = owner.client.get(
            path, params=[(name, str(value).encode("utf-8", "replace")) for name, value in wanted.items()]
        )
        assert answer.status_code in (200, 422)
        if answer.status_code == 422:
            assert "\n" not in answer.json()["error"]
        elif path == "/api/library":
            assert answer.json()["found"] <= 5


def test_a_removed_game_can_be_brought_back_by_its_owner_alone(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        somebody = another(visitor)
        game = visitor.begin("tictactoe")
        game = visitor.move(game, "b2")
        visitor.delete(f"/api/games/{game['id']}")
        assert visitor.get("/api/library")["all"] == 0
        assert somebody.refused(f"/api/games/{game['id']}/restore", 404)
        visitor.post(f"/api/games/{game['id']}/restore", 204)
        visitor.post(f"/api/games/{game['id']}/restore", 204)
        assert [one["moves"] for one in visitor.get("/api/library")["games"]] == [["b2"]]
        assert somebody.refused(f"/api/games/{game['id']}/restore", 403)
        assert visitor.move(visitor.get(f"/api/games/{game['id']}"), "a1")["at"] == 2
        assert visitor.refused("/api/games/nowhere/restore", 404)


def test_games_from_before_there_was_a_library_are_found_too(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        game = visitor.begin("reversi", "human", "human", moves="f5d6c3")
        cookies = dict(visitor.client.cookies)
    with sqlite3.connect(tmp_path / "games.live.db") as base:
        ((text,),) = base.execute("SELECT summary FROM live").fetchall()
        old = {name: fact for name, fact in json.loads(text).items() if name in ("game", "players", "ply", "over")}
        base.execute("UPDATE live SET summary = ?", (json.dumps(old),))
        base.execute("DROP TABLE removed")
        base.execute("PRAGMA user_version = 4")
    with app_in(tmp_path) as visitor:
        visitor.client.cookies.update(cookies)
        (one,) = visitor.get("/api/library?text=f5d6")["games"]
        assert (one["id"], one["mine"], one["moves"]) == (game["id"], [0, 1], ["f5", "d6", "c3"])


PLAYED = """async () => {
  const headers = { "Content-Type": "application/json" };
  const post = async (path, body) =>
    (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  const players = ["human", "human"];
  await post("/api/games", { game: "reversi", players, moves: "f5d6c3d3c4" });
  for (let made = 0; made < 21; made++) await post("/api/games", { game: "tictactoe", players, moves: "b2" });
  const { id } = await post("/api/games", { game: "tictactoe", players });
  for (const [at, action] of [0, 3, 1, 4, 2].entries()) await post(`/api/games/${id}/move`, { action, at });
}"""


def test_a_game_is_found_removed_brought_back_and_saved(visit: Any) -> None:
    visitor = visit("/", width=390, height=844)
    page = visitor.page
    page.evaluate(PLAYED)
    page.reload()
    page.get_by_role("link", name="All your games (23)").click()
    rows = page.locator(".library-list li")
    expect(rows).to_have_count(20)
    visitor.fits()
    visitor.accessible()
    page.get_by_role("button", name="Next", exact=True).click()
    expect(rows).to_have_count(3)
    page.get_by_label("Search", exact=True).fill("tiger")
    expect(rows).to_have_count(1)
    expect(page.get_by_text("1 game of 23")).to_be_visible()
    page.reload()  # what is wanted is in the address
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Reversi")
    page.get_by_role("checkbox", name="Choose Reversi").check()
    with page.expect_download() as saved:
        page.get_by_role("link", name="Transcripts").click()
    assert saved.value.path().read_text().splitlines()[1] == "f5d6c3d3c4"
    visitor.button("Remove").click()
    expect(page.get_by_text("No game of yours matches.")).to_be_visible()
    expect(visitor.button("Bring back")).to_be_focused()
    visitor.press("Enter")
    expect(rows).to_contain_text("Tiger")
    visitor.button("Next").wait_for(state="detached")
    page.get_by_label("Search", exact=True).fill("")
    page.get_by_label("Result").select_option("finished")
    expect(rows).to_have_count(1)
    rows.get_by_role("link", name="Replay").click()
    expect(page.get_by_role("slider").or_(page.locator(".board")).first).to_be_visible()
    assert "/arena/games/app" in page.url


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "locale"), [("light", "zh-CN"), ("dark", "en-GB")])
def test_the_library_can_be_read_by_everybody(visit: Any, scheme: str, locale: str) -> None:
    visitor = visit("/library", color_scheme=scheme, locale=locale)
    expect(visitor.page.locator(".empty")).to_be_visible()
    visitor.page.evaluate(PLAYED)
    visitor.page.reload()
    expect(visitor.page.locator(".library-list li")).to_have_count(20)
    visitor.fits()
    visitor.accessible()
