"""What the referee itself costs for a move of Reversi, with players in this process and in processes of their own.

In this process it is the time of whole games less the time that the players had: random ones, who are asked and timed.
Programs answer at once, by GTP, from a list of moves, so that the whole time of a game is the referee's, the protocol's
and the system's. The least that it could be is one line to a program and back for each move.

Then whole games of random players, as `plyground arena` plays them, with and without the database that keeps them.
"""

from __future__ import annotations

import itertools
import json
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

from benchmarks.harness import Comparison, Sample, Subject
from plyground.arena.database import Database
from plyground.arena.hall import enter_players
from plyground.arena.match import hold
from plyground.arena.referee import Rules, play_game, quick_actions
from plyground.arena.tournament import Plan
from plyground.core.played_game import PlayedGame
from plyground.games import make_game
from plyground.players import make_player
from plyground.processes.program import Process
from plyground.protocols.gtp import GtpPlayer

__all__ = ["comparisons"]

GAMES = 20
LINES = 2000
MATCH = 100
SEEDS = itertools.count()
FORGOTTEN = "not kept"
INSIDE, OUTSIDE, LINE = "players in this process", "programs, by GTP", "a line to a program and back"
PROGRAM = """
import json, sys
moves = json.loads(sys.argv[1])
played = 0
for line in sys.stdin:
    word, *rest = line.split()
    answer = ""
    if word == "list_commands":
        answer = "clear_board"
    elif word == "clear_board":
        played = 0
    elif word == "genmove":
        answer = moves[played]
    played += word in ("genmove", "play")
    print("=", answer, end="\\n\\n", flush=True)
"""


def comparisons() -> Iterator[Comparison]:
    """The referee's time for a move, as the time of each."""
    game = make_game("reversi")
    listing = quick_actions(game)

    def played(seed: int) -> tuple[list[str], float]:
        players = [make_player("random", game, 2 * seed + seat) for seat in range(2)]
        record = play_game(game, players, rules=Rules(), list_actions=listing)
        return [turn.text for turn in record.moves], sum(turn.time for turn in record.moves)

    def inside() -> Sample:
        start = time.perf_counter()
        games = [played(seed) for seed in range(GAMES)]
        seconds = time.perf_counter() - start
        return Sample(sum(len(moves) for moves, _ in games), seconds - sum(thought for _, thought in games))

    moves = played(0)[0]
    command = [sys.executable, "-S", "-c", PROGRAM, json.dumps(moves)]
    with ExitStack() as programs:
        players = [GtpPlayer(command, time=None, timeout=60.0, memory=None) for _ in range(2)]
        for player in players:
            programs.callback(player.close)
        echo = programs.enter_context(Process(["cat"]))

        def outside() -> Sample:
            start = time.perf_counter()
            lengths = [len(play_game(game, players, rules=Rules(), list_actions=listing).moves) for _ in range(GAMES)]
            return Sample(sum(lengths), time.perf_counter() - start)

        def lines() -> Sample:
            start = time.perf_counter()
            for _ in range(LINES):
                echo.send("genmove black")
                echo.receive()
            return Sample(LINES, time.perf_counter() - start)

        subjects = (Subject(INSIDE, inside), Subject(OUTSIDE, outside), Subject(LINE, lines))
        yield Comparison("The referee's time for a move of Reversi", "moves", LINE, subjects)
    with tempfile.TemporaryDirectory() as folder, Database(Path(folder) / "games.db") as base:
        subjects = (
            Subject("kept in a database", lambda: _tournament(base.add)),
            Subject(FORGOTTEN, lambda: _tournament(lambda result: None)),
        )
        yield Comparison("Whole games of random players on Reversi", "games", FORGOTTEN, subjects)


def _tournament(keep: Callable[[PlayedGame], object]) -> Sample:
    """A match of two random players, with other games each time."""
    plan = Plan("reversi", enter_players(["random", "random"], make_game("reversi")), MATCH, seed=next(SEEDS))
    start = time.perf_counter()
    hold(plan, on_result=lambda result: keep(result) and None)
    return Sample(MATCH, time.perf_counter() - start)
