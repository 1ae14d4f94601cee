"""Searches in processes of their own: programs that move, hints, analyses, drawings; killed, late, cancelled, fair."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from plyground.pictures.tree import tree_data
from plyground.watch.classroom import lesson
from plyground.watch.searches import search_drawing
from plyground.web.lab import SUBJECTS
from plyground.web.server.app import STATIC
from plyground.web.server.pool import Job, Pool, Stopped, WorkFailed
from plyground.web.server.refusals import Refusal
from plyground.web.server.settings import Limits
from plyground.web.server.specs import serve_games
from web_client import Visitor, app_in, until

ENDLESS = "minimax:depth=40"
"""On large piles it looks at more positions than can be counted."""
PILES = "nim:piles=30,30,30"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("workers"), away=0.1, workers=1) as made:  # it compiles once
        yield made


def processes(visitor: Visitor) -> list[int]:
    return list(visitor.client.app.state.pool.processes)


def working(pid: int) -> bool:
    """Whether a process uses the processor; one that has ended does not."""

    def used() -> int:
        try:
            return sum(map(int, Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13]))
        except (FileNotFoundError, ProcessLookupError):
            return 0

    before = used()
    time.sleep(0.3)
    return used() - before > 2


def is_thinking(message: dict[str, Any]) -> bool:
    return message["type"] == "game" and message["game"]["thinking"] is not None


def at_ply(ply: int) -> Any:
    """A message that shows a game after this many moves, where nobody thinks."""

    def wanted(message: dict[str, Any]) -> bool:
        game = message.get("game")
        return message["type"] == "game" and not game["thinking"] and game["position"]["ply"] == ply

    return wanted


# Programs that move -----------------------------------------------------------------------------------------------


def test_a_program_answers_and_what_it_thought_is_told(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "human", "minimax:depth=4")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        visitor.move(game, "b2")
        answered = until(socket, at_ply(2))["game"]
    last = answered["nodes"][-1]
    assert (last["player"], last["depth"]) == (1, 4)
    assert last["value"] is not None
    assert last["nodes"] > 0


def test_a_worker_leaves_the_processor_to_the_server(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "mcts:simulations=10", "human")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        until(socket, at_ply(1))
        (worker,) = processes(visitor)
        assert os.getpriority(os.PRIO_PROCESS, worker) > os.getpriority(os.PRIO_PROCESS, 0)
        assert os.getsid(worker) == os.getsid(0)  # between sessions Linux may not look at it
        assert os.getpgid(worker) != os.getpgid(0)  # Ctrl-C does not reach it


def test_what_a_program_thinks_is_told_while_it_thinks(visitor: Visitor) -> None:
    game = visitor.begin("reversi", "human", "engine:time=2.5,book=off")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        visitor.move(game, "f5")
        thought = until(socket, lambda message: message["type"] == "thinking" and "depth" in message)
        answered = until(socket, at_ply(2))["game"]
    assert thought["player"] == 1
    assert thought["line"][0] in ("d6", "f6", "f4")
    assert 0 < thought["depth"] <= answered["nodes"][-1]["depth"]


def test_a_tree_is_shown_while_it_grows_to_who_wants_to_see_it(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "human", "mcts:time=3,solver=off")
    path = f"/ws/games/{game['id']}"
    with visitor.socket(path) as socket, visitor.socket(path) as other:
        socket.send_text('{"tree":"zh"}')
        until(socket, lambda message: message["type"] == "pong")
        visitor.move(game, "b2")
        trees = []
        while not at_ply(2)(message := socket.receive_json()):
            if message["type"] == "tree":
                trees.append(message)
        heard = []
        while not at_ply(2)(message := other.receive_json()):
            heard.append(message["type"])
    assert len(trees) >= 2
    assert "tree" not in heard
    counts = [message["simulations"] for message in trees]
    assert counts == sorted(counts)
    last = trees[-1]["tree"]
    assert last["start"]["0"]["lines"] == [f"{counts[-1]:,} 次访问"]
    assert {action.split()[0] for _, _, action, _, _ in last["nodes"][1:]} == {"O", "X"}


def test_everybody_sees_the_search_in_their_own_language_also_who_asks_while_it_runs(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "human", "mcts:time=2.5,solver=off")  # a player of its own, with no tree yet
    path = f"/ws/games/{game['id']}"

    def a_tree(message: dict[str, Any]) -> bool:
        return message["type"] == "tree"

    with visitor.socket(path) as english, visitor.socket(path) as chinese:
        english.send_text('{"tree":"en"}')
        until(english, lambda message: message["type"] == "pong")
        visitor.move(game, "b2")
        first = until(english, a_tree)
        chinese.send_text('{"tree":"zh"}')  # the search is running, and has drawn in English alone so far
        second = until(chinese, a_tree)
        later = until(english, a_tree)
        until(english, at_ply(2))
        until(chinese, at_ply(2))
        with visitor.socket(path) as again:  # a page that is loaded again sees the search of the last move
            again.send_text('{"tree":"zh"}')
            kept = until(again, a_tree)
    assert [tree["lang"] for tree in (first, second, later, kept)] == ["en", "zh", "en", "zh"]
    assert "most visited" in first["legend"]
    assert "访问最多" in second["legend"]
    assert kept["simulations"] >= second["simulations"]
    assert kept["tree"]["start"]["0"]["lines"][0].endswith("次访问")


def test_a_player_is_watched_while_it_thinks_about_a_position(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        think = {"game": "tictactoe", "moves": "b2"}
        events = visitor.search(socket, 1, "think", player="alphabeta:time=5", **think)
        (refused,) = visitor.search(socket, 2, "think", player="human", **think)
    chosen = next(event for event in events if event["event"] == "chosen")
    trees = [event["tree"] for event in events if event["event"] == "tree"]
    assert chosen["line"][0] in ("a1", "c1", "a3", "c3")
    looks = trees[-1]["start"]
    lit = [node[2] for number, node in enumerate(trees[-1]["nodes"]) if looks[str(number)].get("edge") == "best"]
    assert lit[0] == f"O {chosen['line'][0]}"
    last = [event for event in events if event["event"] == "tree"][-1]
    assert last["cuts"] > last["first_cuts"] > 0
    assert "cut" in {look.get("edge") for look in last["tree"]["start"].values()}
    assert "name a program" in refused["error"]


OWN_GAME = """
from typing import NamedTuple
from plyground.core.game import Game
from plyground.core.rules import legal_actions, result, to_move, utility


class Count(NamedTuple):
    left: int
    turn: int


@legal_actions.rule(Count)
def _(state, out):
    for i in range(min(2, state.left)):
        out[i] = i + 1
    return min(2, state.left)


@result.rule(Count)
def _(state, action):
    return Count(state.left - action, 1 - state.turn)


@to_move.rule(Count)
def _(state):
    return state.turn


@utility.rule(Count)
def _(state, player):
    return -1.0 if state.turn == player else 1.0


game = Game("countdown", Count(4, 0))
"""


def test_games_that_are_named_at_the_start_are_played_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "countdown.py").write_text(OWN_GAME)
    (tmp_path / "other.py").write_text(OWN_GAME)
    tree = Path(str(files("plyground.games"))) / "trees" / "worked.json"
    games = (str(tmp_path / "countdown.py"), str(tree), "openspiel:tic_tac_toe")
    try:
        with app_in(tmp_path, served=games, workers=1) as visitor:
            about = visitor.get("/api/about")
            names = [game["name"] for game in about["games"]]
            assert names[-3:] == ["countdown.py", "worked.json", "openspiel:tic_tac_toe"]
            assert "mcts:time=0.2" in [card["spec"] for card in about["cards"]["countdown.py"]]
            game = visitor.begin("countdown.py", "human", "random")
            with visitor.socket(f"/ws/games/{game['id']}") as socket:
                visitor.post(f"/api/games/{game['id']}/move", action=1, at=0)
                assert until(socket, at_ply(2))["game"]["nodes"][-1]["player"] == 1
            assert visitor.begin("worked.json")["position"]["text"].startswith("MAX at A")
            assert len(visitor.begin("openspiel:tic_tac_toe")["position"]["legal"]) == 9
            for hidden in (str(tmp_path / "other.py"), "other.py", games[0], "openspiel:go", "tree:file=worked.json"):
                assert "there is no game" in visitor.refused("/api/games", game=hidden, players=["human", "human"])
    finally:
        serve_games(())


def test_two_programs_play_to_the_end_while_somebody_watches(visitor: Visitor) -> None:
    game = visitor.begin("nim", "random", "random", seed=1)
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        over = until(socket, lambda message: message["type"] == "game" and message["game"]["over"])["game"]
    assert over["over"]["winner"] in (0, 1)
    kept = visitor.get(f"/api/database/games/app/{game['id']}/{over['at']}")
    assert [move["text"] for move in kept["moves"]] == [node["text"] for node in over["nodes"][1:]]


def test_a_program_waits_after_a_move_is_taken_back_until_the_game_is_resumed(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "human", "random")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        visitor.move(game, "b2")
        until(socket, at_ply(2))
        paused = visitor.post(f"/api/games/{game['id']}/goto", node=1)
        assert (paused["paused"], paused["thinking"]) == (True, None)
        assert "it is the turn of random" in visitor.refused(f"/api/games/{game['id']}/move", 409, action=0, at=1)
        visitor.post(f"/api/games/{game['id']}/goto", node=1, resume=True)
        assert until(socket, at_ply(2))["game"]["paused"] is False
        back = visitor.post(f"/api/games/{game['id']}/goto", node=0)
        other = next(legal["text"] for legal in back["position"]["legal"] if legal["text"] != "b2")
        visitor.move(back, other)
        assert until(socket, at_ply(2))["game"]["nodes"][-1]["player"] == 1, "a person's move goes on with the game"


def test_a_program_that_oversteps_its_time_is_stopped_by_its_limit_and_loses_by_the_referees(
    visitor: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plyground.arena.clocks.SAFETY", 0.5)  # it is told of half, so that a slow machine is no reason
    game = visitor.begin(PILES, "human", ENDLESS, clock={"move": 3.0})
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        visitor.post(f"/api/games/{game['id']}/move", action=game["position"]["legal"][0]["action"], at=0)
        answered = until(socket, at_ply(2))["game"]
    assert answered["over"] is None
    assert answered["nodes"][-1]["time"] < 3.0


# What goes wrong --------------------------------------------------------------------------------------------------


def test_killing_a_worker_in_a_search_says_so_and_the_game_can_be_played_on(visitor: Visitor) -> None:
    game = visitor.begin(PILES, ENDLESS, "human")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        until(socket, is_thinking)
        until_working(visitor)
        before = processes(visitor)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        failed = until(socket, lambda message: message["type"] == "failed")
        assert failed["message"] == "the search was ended from outside: its process ended by SIGKILL"
        shown = until(socket, lambda message: message["type"] == "game")["game"]
        assert (shown["failed"], shown["message"], shown["thinking"]) == (True, failed["message"], None)
        again = visitor.post(f"/api/games/{game['id']}/retry")
        assert again["failed"] is False
        assert again["thinking"]["player"] == 0
        until_working(visitor)
        assert not set(processes(visitor)) & set(before)
        back = visitor.post(f"/api/games/{game['id']}/resign", player=1)
        assert back["over"]["winner"] == 0
    assert "no search has failed" in visitor.refused(f"/api/games/{game['id']}/retry", 409)


def until_working(visitor: Visitor) -> None:
    for _ in range(200):
        if any(map(working, processes(visitor))):
            return
        time.sleep(0.05)
    pytest.fail("nothing is searched")


def until_resting(visitor: Visitor) -> None:
    for _ in range(200):
        if not any(map(working, processes(visitor))):
            return
    pytest.fail("the search goes on")


def test_a_search_is_cancelled_when_the_last_viewer_leaves_and_begins_again_with_the_next(visitor: Visitor) -> None:
    game = visitor.begin(PILES, ENDLESS, "human")
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        until(socket, is_thinking)
        until_working(visitor)
    while visitor.get(f"/api/games/{game['id']}")["thinking"]:
        time.sleep(0.05)
    until_resting(visitor)
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        until(socket, is_thinking)
        until_working(visitor)
        visitor.delete(f"/api/games/{game['id']}")
    until_resting(visitor)


# The socket for searches ------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_hints_deepen_until_the_game_is_seen_whole(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "hints", game="tictactoe", moves="b2 b1", time=5)
    told = [event for event in events if event["event"] == "hints"]
    assert "position" in told[0]
    assert all("position" not in event for event in told[1:])
    assert [event["depth"] for event in told] == sorted(event["depth"] for event in told)
    last = told[-1]
    assert {hint["text"] for hint in last["hints"]} == {"a1", "c1", "a2", "c2", "a3", "b3", "c3"}
    values = {hint["text"]: hint["value"] for hint in last["hints"]}
    assert values["a1"] == 1.0, "an edge is a mistake that loses"
    assert all(hint["exact"] and hint["line"][0] == hint["text"] for hint in last["hints"])


@pytest.mark.slow
def test_hints_for_reversi_are_the_engines(visitor: Visitor) -> None:
    board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "hints", board=board, time=20)
        last = [event for event in events if event["event"] == "hints"][-1]
        best = last["hints"][0]
        assert (last["unit"], best["exact"], best["value"]) == ("discs", True, 6)
        game = visitor.search(socket, 2, "analyse", moves="g6h5f6h8h6h7", board=board)
    kinds = [event["event"] for event in game if event["event"] != "compiling"]
    assert kinds == ["read", "started", *["move"] * 7, "analysis", "done"]
    read, analysis = game[0], game[-2]
    assert [len(read["positions"]), len(read["moves"])] == [8, 7]
    first = analysis["moves"][0]
    assert (first["move"], first["value"], first["loss"], first["verdict"]) == ("g6", -2, 8, "mistake")
    judged = [{**move, "lines": []} for move in analysis["moves"]]
    graph = visitor.post(
        "/api/export", what="graph", format="svg", moves=analysis["transcript"], board=board, analysis=judged
    )
    assert graph.text.startswith("<svg")
    ggf = visitor.post("/api/export", what="ggf", moves=analysis["transcript"], board=board, analysis=judged)
    assert "B[g6/-2.00]" in ggf.text


def test_hints_for_gomoku_are_the_engines(visitor: Visitor) -> None:
    """An open three must be stopped: only answers are named, and a game says which move was none."""
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "hints", game="gomoku", moves="h8 a1 i8 o15 j8", time=20, depth=2)
        game = visitor.search(socket, 2, "analyse", game="gomoku", moves="h8 a1 i8 o15 j8 a15 k8 a2 g8", depth=2)
    last = [event for event in events if event["event"] == "hints"][-1]
    assert last["unit"] == "utility"
    assert {hint["text"] for hint in last["hints"]} == {"g8", "k8"}
    verdicts = {move["move"]: move["verdict"] for move in game[-2]["moves"]}
    assert verdicts["a15"] == "blunder"
    assert verdicts["k8"] == "best"
    assert [move["best"]["solved"] for move in game[-2]["moves"] if move["move"] in ("k8", "g8")] == [True, True]


def test_hints_for_connect_four_are_proven(visitor: Visitor) -> None:
    """One column draws and all others lose, some sooner: advice is the solver's, with how long the game lasts."""
    moves = "4 4 4 4 4 2 3 5 5 2"
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "hints", game="connect4", moves=moves, time=20)
        small = visitor.search(socket, 2, "analyse", game="connect4:columns=5,rows=4", moves="1 2 1 2 1 3 1", time=20)
    last = [event for event in events if event["event"] == "hints"][-1]
    assert [(hint["text"], hint["value"]) for hint in last["hints"] if hint["value"] > -1] == [("5", 0)]
    assert {hint["text"]: hint["plies"] for hint in last["hints"]} == {
        "5": 32, "1": 30, "2": 30, "3": 30, "6": 30, "7": 28, "4": 26,
    }  # fmt: skip
    assert all(hint["exact"] for hint in last["hints"])
    judged = small[-2]["moves"][-2]
    assert (judged["move"], judged["verdict"], judged["value"], judged["plies"]) == ("3", "blunder", -1, 2)
    assert (judged["best"]["move"], judged["best"]["solved"]) == ("1", True)


def test_any_game_with_two_sides_is_analysed(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "analyse", game="tictactoe", moves="b2 b1 c3 a1 a2 c2 c1 a3")
    analysis = events[-2]
    verdicts = {move["move"]: move["verdict"] for move in analysis["moves"]}
    assert (verdicts["b2"], verdicts["b1"]) == ("best", "blunder")
    assert analysis["values"][0] == {"moves": 0, "first": 0.0}


def test_what_is_watched_is_the_drawing_that_the_command_writes(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:

        def drawn(number: int, **wanted: Any) -> dict[str, Any]:
            events = visitor.search(socket, number, "watch", **wanted)
            return next(event for event in events if event["event"] == "drawing")

        worked = drawn(1, lesson="worked", algorithm="alphabeta")
        assert (worked["facts"]["visited"], len(worked["facts"]["cuts"])) == (11, 1)
        expected = tree_data(search_drawing(lesson("worked").make(), algorithm="alphabeta").drawing)
        assert worked["drawing"] == json.loads(json.dumps(expected))
        tree = {"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]}
        assert drawn(2, tree=tree, algorithm="minimax", lang="zh")["facts"]["visited"] == 13
        assert drawn(3, lesson="worked-mcts")["drawing"]["steps"]


def test_the_regret_of_policies_is_measured(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        events = visitor.search(socket, 1, "bandit", arms="0.9,0.1", policies=["uniform"], pulls=50, runs=40, seed=1)
    curves = events[-2]["curves"]
    assert curves[0]["regret"][-1] == pytest.approx(20, abs=3)
    assert len(curves[0]["times"]) == len(curves[0]["error"])


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ({"id": 1, "do": "fly"}, "there is no 'fly'"),
        ({"id": 1, "do": "hints", "game": "x.py"}, "there is no game 'x.py' here"),
        ({"id": 1, "do": "hints", "moves": "a1"}, "move 1: 'a1' is not legal here"),
        ({"id": 1, "do": "hints", "player": "gtp:command=ls"}, "there is no player 'gtp' here"),
        ({"id": 1, "do": "hints", "time": -1}, "time: input should be greater than 0"),
        ({"id": 1, "do": "hints", "tiem": 1}, "tiem: extra inputs are not permitted"),
        ({"id": 1, "do": "analyse", "text": "nonsense"}, "is not the beginning of a game"),
        (
            {"id": 1, "do": "analyse", "text": "---------------------------OX------XO--------------------------- X"},
            "only positions",
        ),
        ({"id": 1, "do": "explain", "game": "tictactoe"}, "there is no move to explain yet"),
        ({"id": 1, "do": "watch"}, "say what to watch"),
        ({"id": 1, "do": "watch", "lesson": "wroked"}, "did you mean 'worked'?"),
        ({"id": 1, "do": "watch", "tree": {"max": [1, {"min": []}]}}, "at least one node"),
        ({"id": 1, "do": "watch", "tree": {"file": "/etc/passwd"}}, "the tree: root"),
        ({"id": 1, "do": "watch", "game": "tictactoe", "evaluation": "x.py:f"}, "no evaluation 'x.py:f'"),
        ({"id": 1, "do": "watch", "game": "tictactoe", "algorithm": "mcts:endgame=x"}, "files of the server"),
        ({"id": 1, "do": "watch", "game": "gomoku", "depth": 3}, "with a depth of 1"),
        ({"id": 1, "do": "bandit", "arms": "2"}, "probability from 0 to 1"),
        ({"id": 1, "do": "bandit", "pulls": 10_000_000, "runs": 100_000}, "more than the app measures"),
        ({"id": "x", "do": "hints"}, "id: input should be a valid integer"),
        ({"do": "hints"}, "id: input should be a valid integer"),
        ([1], "a message is a JSON object"),
        ("[1", "a message is a JSON object"),
        ("[" * 100_000, "nested too deeply"),
        ('{"id":1,"do":"watch","tree":' + '{"max":[' * 900 + "1" + "]}" * 900 + "}", "nested too deeply"),
    ],
)
def test_a_search_that_cannot_be_made_is_refused_with_one_line(visitor: Visitor, message: Any, line: str) -> None:
    with visitor.socket("/ws/search") as socket:
        socket.send_text(message if isinstance(message, str) else json.dumps(message))
        answer = until(socket, lambda event: event["event"] == "error")
        assert line in answer["error"]
        assert "\n" not in answer["error"]
        assert visitor.search(socket, 9, "watch", lesson="worked")[-1] == {"id": 9, "event": "done"}


def test_searches_are_stopped_one_by_one_and_all_when_the_page_closes(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        socket.send_json({"id": 1, "do": "hints", "game": PILES, "time": 60, "player": ENDLESS})
        socket.send_json({"id": 2, "do": "hints", "game": PILES, "time": 60, "player": ENDLESS})
        until(socket, lambda event: event["event"] == "started")
        socket.send_json({"id": 2, "do": "stop"})
        assert until(socket, lambda event: event["event"] == "done") == {"id": 2, "event": "done", "stopped": True}
        socket.send_json({"id": 1, "do": "stop"})
        assert until(socket, lambda event: event["event"] == "done") == {"id": 1, "event": "done", "stopped": True}
        socket.send_json({"id": 3, "do": "hints", "game": PILES, "time": 60, "player": ENDLESS})
        until(socket, lambda event: event["event"] == "started")
    until_resting(visitor)


# The queue --------------------------------------------------------------------------------------------------------


class Order:
    """A worker that does nothing but take note of what it is asked, when it is let."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.gate = asyncio.Event()

    async def run(self, job: Job) -> None:
        self.seen.append(job.work["name"])
        await self.gate.wait()
        job.settle(answer=job.work["name"])

    async def kill(self) -> None:
        self.gate.set()

    async def tell(self, message: dict[str, Any]) -> None:
        self.gate.set()


def pool_of(*workers: Order, **limits: Any) -> Pool:
    pool = Pool(len(workers), Limits(**limits))
    pool._free, pool._workers = list(workers), list(workers)
    return pool


def test_visitors_are_served_in_turns_whatever_one_has_asked_for_before() -> None:
    async def scene() -> list[str]:
        worker = Order()
        worker.gate.set()
        pool = pool_of(worker)
        jobs = [pool.submit("a", {"name": f"a{n}"}, time=None) for n in range(3)]
        jobs += [pool.submit(who, {"name": f"{who}{n}"}, time=None) for n in range(2) for who in "bc"]
        await asyncio.gather(*(job.result() for job in jobs))
        await pool.close()
        return worker.seen

    assert asyncio.run(scene()) == ["a0", "a1", "b0", "c0", "a2", "b1", "c1"]


def test_long_work_leaves_a_worker_free_for_moves() -> None:
    async def scene() -> list[str]:
        first, second = Order(), Order()
        pool = pool_of(first, second)
        pool.submit("a", {"name": "long 1"}, time=None, long=True)
        pool.submit("b", {"name": "long 2"}, time=None, long=True)
        pool.submit("c", {"name": "move"}, time=None)
        await asyncio.sleep(0)
        seen = first.seen + second.seen
        await pool.close()
        return sorted(seen)

    assert asyncio.run(scene()) == ["long 1", "move"]


def test_an_endless_search_gives_way_when_others_wait_and_goes_on_when_nobody_does() -> None:
    async def scene() -> None:
        worker = Order()
        pool = pool_of(worker)
        endless = pool.submit("a", {"name": "endless"}, time=None, long=True, turn=0.0)
        await asyncio.sleep(0)
        assert not endless.answer.done()  # nobody waits
        other = pool.submit("b", {"name": "other"}, time=None, long=True)
        assert await other.result() == "other"
        assert endless.answer.done()
        assert worker.seen == ["endless", "other"]
        await pool.close()

    asyncio.run(scene())


def test_an_endless_search_has_its_turn_before_it_gives_way() -> None:
    async def scene() -> None:
        worker = Order()
        pool = pool_of(worker)
        pool.submit("a", {"name": "endless"}, time=None, long=True, turn=3600.0)
        pool.submit("b", {"name": "other"}, time=None, long=True)
        await asyncio.sleep(0.05)
        assert worker.seen == ["endless"]
        assert not worker.gate.is_set()
        await pool.close()

    asyncio.run(scene())


def test_the_turn_of_an_endless_search_begins_when_all_is_compiled() -> None:
    async def scene() -> None:
        worker = Order()
        pool = pool_of(worker)
        endless = pool.submit("a", {"name": "endless"}, time=None, long=True, turn=0.0)
        endless.on_event('{"event":"compiling","what":"a search"}')
        pool.submit("b", {"name": "other"}, time=None, long=True)
        await asyncio.sleep(0.05)
        assert not worker.gate.is_set()
        endless.on_event('{"event":"compiling","what":null}')
        await asyncio.wait_for(worker.gate.wait(), 60)
        await pool.close()

    asyncio.run(scene())


def test_endless_hints_end_when_the_page_goes(visitor: Visitor) -> None:
    with visitor.socket("/ws/search") as socket:
        socket.send_json({"id": 1, "do": "hints", "game": PILES, "player": ENDLESS, "endless": True})
        until(socket, lambda event: event["event"] == "started")
    until_resting(visitor)


def test_who_asks_for_too_much_is_refused_and_what_waits_can_be_cancelled() -> None:
    async def scene() -> None:
        worker = Order()
        pool = pool_of(worker, searches=2)
        running, waiting = (pool.submit("a", {"name": name}, time=None) for name in ("one", "two"))
        with pytest.raises(Refusal, match="2 searches at once already"):
            pool.submit("a", {"name": "three"}, time=None)
        pool.cancel(waiting)
        with pytest.raises(Stopped):
            await waiting.result()
        await pool.close()
        with pytest.raises((Stopped, WorkFailed)):
            await running.result()

    asyncio.run(scene())


def test_work_that_does_not_come_back_in_time_is_ended_and_the_worker_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("plyground.web.server.pool.LEAST_PATIENCE", 0.2)

    async def scene() -> None:
        pool = Pool(1, Limits())
        endless: dict[str, Any] = {
            "do": "games.choosing:choose_move", "game": PILES, "board": "", "history": [], "time": None, "seed": 0
        }  # fmt: skip
        endless |= {"player": ENDLESS, "tree": []}
        quick = {**endless, "player": "random"}
        events: list[str] = []
        await pool.submit("a", quick, time=60.0).result()
        before = pool.processes
        job = pool.submit("a", endless, time=0.1, on_event=events.append)
        with pytest.raises(WorkFailed, match="did not come back in time"):
            await job.result()
        assert '{"event":"started"}' in events
        answer = await pool.submit("a", quick, time=60.0).result()
        assert answer["action"] in range(1000)
        assert pool.processes != before
        await pool.close()
        assert pool.processes == []

    asyncio.run(scene())


def test_a_search_gets_no_more_memory_than_it_may_have(tmp_path: Path) -> None:
    with app_in(tmp_path, memory=3 << 30) as visitor, visitor.socket("/ws/search") as socket:
        assert visitor.search(socket, 1, "watch", lesson="worked")[-1]["event"] == "done"
        (pid,) = processes(visitor)
        limits = Path(f"/proc/{pid}/limits").read_text()
    assert f"{3 << 30}" in next(line for line in limits.splitlines() if line.startswith("Max address space"))


def test_what_workers_do_is_there_and_imports_nothing_of_the_server(visitor: Visitor) -> None:
    tasks = {wish.task for wish in visitor.client.app.state.wishes.values()}
    script = (
        "import sys; from plyground.web.server.threads import find_task; "
        "print(all(callable(find_task(task)) for task in sys.argv[1:]), 'fastapi' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", script, *tasks], capture_output=True, text=True, check=True)
    assert len(tasks) > len(SUBJECTS)
    assert done.stdout.split() == ["True", "False"]


def test_every_subject_has_its_script_and_its_page() -> None:
    listed = (STATIC / "pages.js").read_text(encoding="utf-8")
    for subject, page in SUBJECTS.items():
        assert list((STATIC / "lab").rglob(f"{subject}.js")), subject
        assert f'"{page}"' in listed or f'subject("{page[1:]}"' in listed
