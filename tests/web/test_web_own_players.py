"""Players that were named when the server was started: who may have them, and what hostile ones can do, by the API."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from plyground.arena.copies import Copies
from plyground.core.limits import Limit
from plyground.errors import BadOption
from plyground.games import make_game
from plyground.players.player import Move, Position
from plyground.web.server.own_players import check_player, class_players, read_player
from plyground.web.server.pool import Job, Pool
from plyground.web.server.preparing import seated
from plyground.web.server.settings import Limits, Named
from plyground.web.server.specs import lone_files, serve
from web_client import Visitor, app_in, until

STUDENT = """
import os, sys, time

class AIPlayer:
    def __init__(self, color):
        self.color, self.asked = color, 0

    def get_move(self, board):
        self.asked += 1
{trick}
        return next(board.get_legal_actions(self.color))
"""
HOSTILE = {
    "raises": ("raise ValueError('oh <b>dear</b>')", "fails", "PlayerFailed", "ValueError: oh <b>dear</b>"),
    "leaves": ("os._exit(3)", "fails", "ProgramEnded", "ended with status 3"),
    "prints": ("os.write(3, b'x' * 2_000_000); os.write(4, b'x' * 2_000_000)", "fails", None, ""),
    "cheats": ("board._board[0][0] = self.color", "fails", "PlayerFailed", "changed the board"),
    "errs": ("return 'A1'", "illegal_moves", None, ""),
    "speaks": ("return {'move': object()}", "illegal_moves", None, ""),
    "sleeps": ("time.sleep(10_000)", "time", None, ""),
}
SEARCH = 1.0
"""Seconds for a move in these tests."""


def write_student(file: Path, trick: str = "") -> Path:
    file.parent.mkdir(exist_ok=True)
    file.write_text(STUDENT.format(trick=textwrap.indent(textwrap.dedent(trick).strip() or "pass", " " * 8)))
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("own players")
    write_student(folder / "honest" / "player.py")
    write_student(folder / "edited" / "player.py", "return 'D3'")
    write_student(folder / "counts" / "player.py", "if self.asked != (60 - board.count('.')) // 2 + 1: raise OSError")
    for name, (trick, *_) in HOSTILE.items():
        write_student(folder / name / "player.py", trick)
    (folder / "first.py").write_text("def first(game, state):\n    return game.actions(state)[0]\n")
    (folder / "values.py").write_text("def value(state):\n    return 0.0\n")
    return folder


@pytest.fixture(scope="module")
def visitor(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    names = ("honest", "edited", "counts", *HOSTILE)
    players = [(name, f"course:file={folder / name / 'player.py'}") for name in names]
    players.append(("张三", f"course:file={folder / 'honest' / 'player.py'}"))
    players.append(("strong one", "mcts:simulations=20"))
    speaker = f"{sys.executable} -m plyground.cli.main"
    players.append(("speaks gtp", f"gtp:command={speaker} gtp tictactoe --player random"))
    players.append(("speaks uci", f"uci:command={speaker} uci tictactoe --player random"))
    players.append(("speaks nboard", f"nboard:command={speaker} nboard --player random"))
    players.append(("a function", f"aima:file={folder / 'first.py'}"))
    try:
        with app_in(
            tmp_path_factory.mktemp("served"), players=tuple(players), hand_ins=names[:3], search=SEARCH
        ) as made:
            yield made
    finally:
        serve(Named())


def finished(visitor: Visitor, game: dict[str, Any]) -> dict[str, Any]:
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        return until(socket, lambda said: said["type"] == "game" and said["game"]["over"])["game"]


# Who may have them ------------------------------------------------------------------------------------------------


def test_pages_know_the_names_and_nothing_of_the_files(visitor: Visitor, folder: Path) -> None:
    about = visitor.get("/api/about")
    cards = {card["spec"]: card for card in about["cards"]["reversi"] if card.get("own")}
    assert {"honest", "张三", "strong one", *HOSTILE} <= cards.keys()
    assert cards["张三"]["name"] == {"en": "张三", "zh": "张三"}
    assert "hand-in" in cards["honest"]["about"]["en"]
    others = ["strong one", "speaks gtp", "speaks uci", "a function"]
    assert [card["spec"] for card in about["cards"]["tictactoe"] if card.get("own")] == others
    spoken = next(card["about"] for card in about["cards"]["tictactoe"] if card["spec"] == "speaks uci")
    assert spoken == {"en": "A program that speaks UCI.", "zh": "一个使用 UCI 协议的程序。"}
    assert about["class"] == ["honest", "edited", "counts"]
    assert str(folder) not in json.dumps(about)
    assert "player.py" not in json.dumps(about)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("course:file={folder}/honest/player.py", "there is no player 'course' here"),
        ("honest:file={folder}/raises/player.py", "there is no player 'honest' here"),
        ("honest=course:file={folder}/raises/player.py", "there is no player"),
        ("other=course:file={folder}/raises/player.py", "there is no player"),
        ("alphabeta:evaluation={folder}/values.py:value", "has no evaluation"),
        ("gtp:command=sh -c true", "there is no player 'gtp' here"),
        ("uci:command=sh -c true", "there is no player 'uci' here"),
        ("aima:file={folder}/values.py", "there is no player 'aima' here"),
        ("Honest", "there is no player 'Honest' here"),
        ("李四", "plain letters"),
    ],
)
def test_visitors_name_neither_files_nor_commands(visitor: Visitor, folder: Path, spec: str, why: str) -> None:
    spec = spec.format(folder=folder)
    assert why in visitor.refused("/api/games", game="reversi", players=["human", spec])
    assert why in visitor.refused("/api/tournaments", game="reversi", players=["random", spec])
    with visitor.socket("/ws/search") as socket:
        assert why in visitor.search(socket, 1, "think", game="reversi", player=spec)[-1]["error"]


def test_who_cannot_play_a_game_says_so(visitor: Visitor) -> None:
    assert "honest cannot play" in visitor.refused("/api/games", game="tictactoe", players=["human", "honest"])


# At a game --------------------------------------------------------------------------------------------------------


def test_a_named_player_plays_to_the_end_and_is_kept_by_its_name(visitor: Visitor, folder: Path) -> None:
    over = finished(visitor, visitor.begin("reversi", "honest", "张三"))
    assert over["over"]["why"] == "over"
    kept = visitor.client.get(f"/api/database/games/app/{over['id']}/{over['at']}").text
    assert json.loads(kept)["players"] == ["honest", "张三"]
    assert str(folder) not in kept
    assert str(folder) not in json.dumps(over)


def after(visitor: Visitor, game: dict[str, Any], ply: int) -> dict[str, Any]:
    """The game as it is after so many moves, or at its end if that is earlier."""

    def wanted(said: dict[str, Any]) -> bool:
        return said["type"] == "game" and bool(said["game"]["over"] or said["game"]["position"]["ply"] == ply)

    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        return until(socket, wanted)["game"]


def test_a_program_stays_the_same_for_a_whole_game_and_is_new_in_the_next(visitor: Visitor) -> None:
    # It fails if it is not asked for the first time at its first move, for the second at its second, and so on.
    assert finished(visitor, visitor.begin("reversi", "counts", "random", moves="d3 c3"))["over"]["why"] == "fails"
    for _ in range(2):
        game = visitor.begin("reversi", "counts", "human")
        for ply in (1, 3, 5):
            game = after(visitor, game, ply)
            assert game["over"] is None
            legal = game["position"]["legal"]
            game = visitor.post(f"/api/games/{game['id']}/move", action=legal[0]["action"], at=game["at"])
        assert after(visitor, game, 7)["over"] is None


def test_an_edited_file_counts_in_the_next_game(visitor: Visitor, folder: Path) -> None:
    for square in ("d3", "c4"):
        write_student(folder / "edited" / "player.py", f"return {square.upper()!r}")
        game = visitor.begin("reversi", "edited", "human")
        assert after(visitor, game, 1)["nodes"][-1]["text"] == square


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_player_loses_its_game_with_a_reason_and_the_server_lives_on(
    visitor: Visitor, folder: Path, name: str
) -> None:
    _, why, code, detail = HOSTILE[name]
    over = finished(visitor, visitor.begin("reversi", name, "random", seed=1))["over"]
    assert (over["why"], over["loser"], over["winner"]) == (why, 0, 1)
    assert code in (None, over.get("code"))
    assert detail in over.get("detail", "")
    assert str(folder) not in json.dumps(over)
    assert visitor.get("/api/games")


def test_a_program_that_somebody_has_left_ends(visitor: Visitor, folder: Path) -> None:
    finished(visitor, visitor.begin("reversi", "honest", "random", seed=1))
    mark = str(folder / "honest").encode()
    end = time.monotonic() + 60
    while any(
        mark in (told := _command_of(entry)) and b"course_worker" in told
        for entry in Path("/proc").glob("[0-9]*/cmdline")
    ):
        assert time.monotonic() < end
        time.sleep(0.02)


def _command_of(entry: Path) -> bytes:
    try:
        return entry.read_bytes()
    except OSError:
        return b""


def test_what_a_program_would_play_is_watched(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "think", game="reversi", player="honest")
        chosen = next(event for event in events if event["event"] == "chosen")
        assert chosen["text"] in ("d3", "c4", "f5", "e6")
        assert chosen["value"] is None
        assert not [event for event in events if event["event"] in ("tree", "thinking")]
        failed = next(
            one
            for one in visitor.search(socket, 2, "think", game="reversi", player="raises")
            if one["event"] == "chosen"
        )
        assert failed["lost"]["code"] == "PlayerFailed"
        named = visitor.search(socket, 3, "think", game="tictactoe", player="strong one")
        assert "tree" in [event["event"] for event in named]


@pytest.mark.parametrize(
    ("game", "name", "clock"),
    [
        pytest.param("tictactoe", "speaks gtp", {"move": 60}, marks=pytest.mark.slow),
        pytest.param(
            "tictactoe", "speaks uci", {"game": 60, "increment": 1}, marks=pytest.mark.slow
        ),  # as in the arena
        ("reversi", "speaks nboard", {"move": 60}),
        ("tictactoe", "a function", {"move": 60}),
    ],
)
def test_programs_of_other_protocols_and_functions_play_too(
    visitor: Visitor, game: str, name: str, clock: dict[str, float]
) -> None:
    played = after(visitor, visitor.begin(game, name, "human", clock=clock), 1)
    assert played["over"] is None, played["over"]


# In the arena -----------------------------------------------------------------------------------------------------


def held(visitor: Visitor, **wish: Any) -> dict[str, Any]:
    made = visitor.post("/api/tournaments", 201, **wish)
    with visitor.socket(f"/ws/tournaments/{made['id']}") as socket:
        return until(socket, lambda said: said["type"] == "end")


def test_a_program_that_speaks_uci_plays_in_the_arena(visitor: Visitor) -> None:
    end = held(visitor, game="tictactoe", players=["speaks uci", "random"], games=2, openings=0, move_time=60, seed=1)
    assert (end["state"], end["done"]) == ("done", 2)
    rows = visitor.client.get(f"/api/tournaments/{end['id']}").json()["rows"]
    assert [row["forfeits"] for row in rows] == [0, 0]


def test_a_class_plays_each_against_each_and_hostile_ones_lose_alone(visitor: Visitor, folder: Path) -> None:
    players = ["honest", "raises", "errs"]
    end = held(visitor, game="reversi", players=players, games=2, openings=0, move_time=5, seed=3)
    assert (end["state"], end["done"], end["players"]) == ("done", 6, players)
    answer = visitor.client.get(f"/api/tournaments/{end['id']}")
    rows = {row["name"]: row for row in answer.json()["rows"]}
    assert (rows["honest"]["wins"], rows["honest"]["losses"]) == (4, 0)
    assert rows["raises"]["forfeits"] + rows["errs"]["forfeits"] == 6
    games = visitor.client.get(f"/api/database/games?tournament={end['id']}")
    assert {game["ended"]["code"] for game in games.json()} == {"fails", "illegal_moves"}
    replay = visitor.get(f"/api/database/games/{games.json()[0]['key']}")
    assert len(replay["positions"]) == len(replay["moves"]) + 1
    table = visitor.client.get(f"/api/tournaments/{end['id']}/table.csv")
    lines = list(csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"))))
    assert [line["place"] for line in lines] == ["1", "2", "3"]
    assert (lines[0]["name"], lines[0]["wins"]) == ("honest", "4")
    listed = visitor.client.get(f"/api/tournaments/{end['id']}/games.csv")
    assert len(list(csv.DictReader(io.StringIO(listed.content.decode("utf-8-sig"))))) == 6
    for said in (answer.text, games.text, table.text, listed.text):
        assert str(folder) not in said
    visitor.get(f"/api/tournaments/{end['id']}/secrets.csv", 422)
    visitor.get("/api/tournaments/nothing/table.csv", 404)


def test_each_of_a_class_meets_chosen_opponents_and_nobody_else(visitor: Visitor) -> None:
    players = ["random", "strong one", "honest", "edited"]
    end = held(visitor, game="reversi", players=players, kind="gauntlet", heads=2, games=1, openings=0, seed=3)
    assert end["total"] == 4
    games = visitor.get(f"/api/database/games?tournament={end['id']}")
    assert {tuple(game["players"]) for game in games} == {
        ("random", "honest"), ("random", "edited"), ("strong one", "honest"), ("strong one", "edited")
    }  # fmt: skip
    refused = visitor.refused("/api/tournaments", game="reversi", players=players, kind="gauntlet", heads=4)
    assert "4 of 4 players cannot meet all others" in refused


def test_a_stopped_tournament_does_not_go_on_with_other_files(visitor: Visitor, folder: Path) -> None:
    write_student(folder / "edited" / "player.py", "time.sleep(0.2)")
    made = visitor.post("/api/tournaments", 201, game="reversi", players=["edited", "random"], games=40, openings=0)
    with visitor.socket(f"/ws/tournaments/{made['id']}") as socket:
        until(socket, lambda said: said["type"] == "board")
    visitor.delete(f"/api/tournaments/{made['id']}")
    write_student(folder / "edited" / "player.py")
    visitor.post(f"/api/tournaments/{made['id']}/resume", 201)
    with visitor.socket(f"/ws/tournaments/{made['id']}") as socket:
        end = until(socket, lambda said: said["type"] == "end")
    assert (end["state"], end["code"]) == ("failed", "AlteredFile")


# What is named at the start ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("student.py", "has no name"),
        ("=random", "cannot be a name"),
        ("me=", "has no name"),
        ("course:file=student.py", "has no name"),
        ("mcts=course:file=student.py", "is the name of a player that is always there"),
        ("Human=random", "is the name of a player that is always there"),
        ("ME=random", "two players are called 'ME'"),
        ("a/b=random", "cannot be a name"),
        ("<b>=random", "cannot be a name"),
        ("=1+1=random", "cannot be a name"),
        ("-1=random", "cannot be a name"),
        ("x\u202ey=random", "cannot be a name"),
        ("x" * 41 + "=random", "cannot be a name"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_one_line(text: str, why: str) -> None:
    with pytest.raises(BadOption, match=why) as refused:
        read_player(text, ["me"])
    assert "\n" not in str(refused.value)


def test_names_are_of_any_language() -> None:
    assert read_player(" 张三 2 = course:file=a,b.py") == ("张三 2", "course:file=a,b.py")
    assert read_player("Jose\u0301=random")[0] == "Jos\xe9"


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("course:file=nowhere.py", "there is no file nowhere.py"),
        ("aima:file=nowhere.py", "there is no file nowhere.py"),
        ("alphabeta:evaluation=nowhere.py:value", "there is no file nowhere.py"),
        ("gtp:command=no-such-program", "there is no program"),
        ("human", "people need not be named"),
        ("nobody", "there is no player 'nobody'"),
        ("mcts:speed=9", "has no option 'speed'"),
        ("cfr", "plays none of the games"),
    ],
)
def test_what_is_wrong_with_a_player_is_said_before_the_server_starts(spec: str, why: str) -> None:
    with pytest.raises(BadOption, match=why) as refused:
        check_player("me", spec, [make_game("reversi"), make_game("tictactoe")])
    assert str(refused.value).startswith("--player me: ")


def test_hand_ins_are_named_by_their_files_and_what_is_none_is_left_out(tmp_path: Path) -> None:
    for name in ("anna.py", "random.py", "li (1).py", "张三.py", "=1+1.py", "_draft.py"):
        write_student(tmp_path / name)
    write_student(tmp_path / "bert" / "ai.py")
    (tmp_path / "bert" / "main.py").write_text("from ai import AIPlayer\n")
    (tmp_path / "gbk.py").write_bytes("# -*- coding: gbk -*-\n# 我的\nclass AIPlayer: pass\n".encode("gbk"))
    (tmp_path / "board.py").write_text("class Board: pass\n")
    (tmp_path / "notes.txt").write_text("class AIPlayer: pass\n")
    write_student(tmp_path / "two" / "a.py")
    write_student(tmp_path / "two" / "b.py")
    found, problems = class_players(tmp_path, ["Anna"])
    assert {name: Path(spec.partition("=")[2]).name for name, spec in found} == {
        "1 1": "=1+1.py", "anna 2": "anna.py", "bert": "ai.py", "gbk": "gbk.py", "li 1": "li (1).py",
        "random 2": "random.py", "张三": "张三.py",
    }  # fmt: skip
    assert [problem.partition(" is left out: ")[::2] for problem in problems] == [
        ("--class: board.py", "it has no class AIPlayer"),
        ("--class: two", "a.py and b.py have a class AIPlayer; keep one of them"),
    ]
    (tmp_path / "none").mkdir()
    for folder in (tmp_path / "none", tmp_path / "nowhere", tmp_path / "anna.py"):
        with pytest.raises(BadOption, match="--class: "):
            class_players(folder)


def test_a_hand_in_is_no_link_to_the_work_of_another(tmp_path: Path) -> None:
    write_student(tmp_path / "anna.py")
    write_student(tmp_path / "bert" / "ai.py")
    (tmp_path / "carl.py").symlink_to("anna.py")
    (tmp_path / "dora").symlink_to("bert")
    (tmp_path / "emil").mkdir()
    (tmp_path / "emil" / "ai.py").symlink_to("../anna.py")
    write_student(tmp_path / "f\n\x1b[2J" / "ai.py")
    found, problems = class_players(tmp_path)
    assert [name for name, _ in found] == ["anna", "bert"]
    assert [problem.partition(" is left out: ")[2] for problem in problems] == [
        "it is a link",
        "it is a link",
        "it has no class AIPlayer",
        "its path has signs that cannot be shown; rename it",
    ]
    assert not any("\x1b" in problem for problem in problems)


def test_a_hand_in_that_is_a_file_sees_none_of_the_others(tmp_path: Path) -> None:
    looks = "if os.listdir('.') != ['anna.py']: raise OSError(os.listdir('.'))"
    write_student(tmp_path / "anna.py", looks)
    write_student(tmp_path / "bert.py")
    write_student(tmp_path / "carl" / "ai.py")
    (tmp_path / "carl" / "helper.py").write_text("")
    found, _ = class_players(tmp_path)
    specs = dict(found)
    game = make_game("reversi")
    try:
        serve(Named(players=tuple(found), hand_ins=tuple(specs)))
        with seated(game, specs["anna"], 1, "", 0) as player:
            assert isinstance(player.choose(Position(game, game.initial), Limit(time=30.0)), Move)
        with Copies([specs["anna"], specs["carl"]], lone_files()) as copies:
            folders = [Path(spec.partition("file=")[2]).parent for spec in copies.specs]
            seen = [sorted(path.name for path in folder.iterdir()) for folder in folders]
    finally:
        serve(Named())
    assert seen == [["anna.py"], ["ai.py", "helper.py"]]


# Where a game is at home ------------------------------------------------------------------------------------------


class Noted:
    """A worker that takes note of what it is asked, and answers when it is let."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.gate = asyncio.Event()

    async def run(self, job: Job) -> None:
        self.seen.append(job.work["name"])
        await self.gate.wait()
        job.settle(answer=None)

    async def kill(self) -> None:
        self.gate.set()

    async def tell(self, message: dict[str, Any]) -> None:
        self.seen.append(f"leave {message['leave']}")


def test_a_game_waits_for_the_worker_that_has_its_program_unless_that_is_busy_for_long() -> None:
    async def scene() -> tuple[list[str], list[str]]:
        one, two = Noted(), Noted()
        pool = Pool(2, Limits())
        pool._free, pool._workers = [one, two], [one, two]  # type: ignore[list-item]
        await _done(pool, two, "game 1", home="game")
        pool.submit("b", {"name": "other"}, time=None)  # takes the second
        waiting = pool.submit("a", {"name": "game 2"}, time=None, home="game")
        await asyncio.sleep(0)
        assert one.seen == []
        two.gate.set()
        await waiting.result()
        two.gate.clear()
        pool.submit("c", {"name": "long"}, time=None, long=True)
        moved = pool.submit("a", {"name": "game 3"}, time=None, home="game")
        one.gate.set()
        await moved.result()
        pool.leave("game")
        pool.leave("another")
        await asyncio.sleep(0)
        await pool.close()
        return one.seen, two.seen

    async def _done(pool: Pool, worker: Noted, name: str, home: str) -> None:
        worker.gate.set()
        await pool.submit("a", {"name": name}, time=None, home=home).result()
        await asyncio.sleep(0)
        worker.gate.clear()

    assert asyncio.run(scene()) == (["game 3", "leave game"], ["game 1", "other", "game 2", "long"])
