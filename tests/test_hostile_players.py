"""Players who do everything to bring the arena down: each in a real process, and each loses nothing but its games."""

from __future__ import annotations

import re
import textwrap
import time
from pathlib import Path

import pytest

from plyground import make_game
from plyground.arena.match import enter_players, hold
from plyground.arena.referee import Rules
from plyground.arena.tournament import Plan

REVERSI = make_game("reversi")
SHORT = Rules(move_time=0.4)
OVER = "the game is over"

STUDENT = """
import os, random, signal, sys, time

class AIPlayer:
    def __init__(self, color):
        self.color = color
        self.moves = 0

    def get_move(self, board):
        self.moves += 1
        self.trick(board)
        return random.choice(list(board.get_legal_actions(self.color)))

    def trick(self, board):
{trick}
"""

TRICKS = {
    "loops for ever": ("while True: pass", SHORT, "did not answer in time"),
    "ignores signals": (
        """
        for number in range(1, 65):
            try:
                signal.signal(number, signal.SIG_IGN)
            except (OSError, ValueError):
                pass
        while True: pass
        """,
        SHORT,
        "did not answer in time",
    ),
    "sleeps too long": ("time.sleep(0.5)", SHORT, "took 0|did not answer in time"),
    "takes 10 GB": ("self.hog = bytearray(10 ** 10)", Rules(), "MemoryError"),
    "starts 50 children": (
        """
        if self.moves == 3:
            for number in range(50):
                if os.fork() == 0:
                    if number % 2:
                        os.setsid()
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    time.sleep(10_000)
        """,
        Rules(),
        None,
    ),
    "prints megabytes": ("print('x' * 2_000_000); print('y' * 2_000_000, file=sys.stderr)", Rules(), None),
    "prints megabytes as its answer": (
        "os.write(3, b'x' * 2_000_000); os.write(4, b'x' * 2_000_000)",
        Rules(),
        "line|fails",
    ),
    "closes its streams": ("os.closerange(0, 100); time.sleep(10_000)", Rules(), "closed its output"),
    "exits": ("if self.moves == 3: os._exit(3)", Rules(), "ended with status 3"),
    "is killed": ("if self.moves == 3: os.kill(os.getpid(), 9)", Rules(), "SIGKILL"),
    "raises": ("if self.moves == 3: raise ValueError('oh')", Rules(), "ValueError: oh"),
    "leaves": ("if self.moves == 3: sys.exit()", Rules(), "SystemExit"),
    "changes the board": ("board._board[0][0] = self.color", Rules(), "changed the board"),
    "plays on the board": ("board._move(next(board.get_legal_actions(self.color)), self.color)", Rules(), "changed"),
}


def write_student(folder: Path, trick: str) -> Path:
    file = folder / "student.py"
    file.write_text(STUDENT.format(trick=textwrap.indent(textwrap.dedent(trick).strip(), " " * 8)))
    return file


def mentioned_in_processes(mark: str) -> list[int]:
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if mark.encode() in entry.read_bytes():
                found.append(int(entry.parent.name))
        except OSError:
            continue
    return found


def assert_nothing_runs(mark: Path) -> None:
    end = time.monotonic() + 10
    while running := mentioned_in_processes(str(mark)):
        assert time.monotonic() < end, running
        time.sleep(0.02)


def played(spec: str, rules: Rules, games: int = 2, jobs: int = 1):
    plan = Plan("reversi", enter_players([spec, "random"], REVERSI), games, seed=3, rules=rules)
    return list(hold(plan, jobs=jobs).results.values())


@pytest.mark.parametrize("name", TRICKS)
def test_a_hostile_player_costs_its_own_games_only(name, tmp_path):
    trick, rules, reason = TRICKS[name]
    file = write_student(tmp_path, trick)
    results = played(f"course:file={file}", rules)
    assert_nothing_runs(tmp_path)
    assert len(results) == 2
    for seat, result in enumerate(results):
        assert result.players[seat].name == "student"
        if reason is None:
            assert result.reason == OVER
        else:
            assert result.winner == 1 - seat
            assert result.reason.startswith(REVERSI.seats[seat])
            assert re.search(reason, result.reason)


@pytest.mark.parametrize(
    "answer",
    ["'A1'", "next(board.get_legal_actions('O' if self.color == 'X' else 'X'))", "'PASS'", "None", "'Z' * 100_000"],
    ids=["an illegal move", "a move of the other side", "a pass", "nothing", "nonsense"],
)
def test_illegal_answers_lose_at_the_third(answer, tmp_path):
    file = tmp_path / "student.py"
    file.write_text(
        "class AIPlayer:\n"
        "    def __init__(self, color): self.color = color\n"
        f"    def get_move(self, board): return {answer}\n"
    )
    for seat, result in enumerate(played(f"course:file={file}", Rules())):
        assert result.winner == 1 - seat
        assert result.reason == f"{REVERSI.seats[seat]} played 3 illegal moves in a row"
        assert len(result.moves) == seat  # the random player's only move
    assert_nothing_runs(tmp_path)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("while True: pass", "did not answer in time"),
        ("while True: print('noise ' * 1000)", "did not answer in time"),
        ("import sys\nwhile True: sys.stdout.write('x' * 65536)", "without a line break"),
        ("raise SystemExit('not today')", "ended with status 1: not today"),
    ],
)
def test_programs_that_do_not_speak_the_protocol_lose(program, reason, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(program)
    results = played(f"gtp:command=python3 {file},timeout=0.4", SHORT)
    for seat, result in enumerate(results):
        assert result.winner == 1 - seat
        assert reason in result.reason
    assert_nothing_runs(tmp_path)


def test_a_function_from_a_file_does_not_run_in_the_arena(tmp_path):
    file = tmp_path / "player.py"
    file.write_text("import os\n\ndef choose(game, state):\n    os._exit(7)\n")
    (result,) = played(f"aima:file={file}", Rules(), games=1)
    assert result.winner == 1
    assert "ended with status 7" in result.reason
    assert_nothing_runs(tmp_path)


def test_a_class_with_hostile_players_finishes_with_the_right_table(tmp_path):
    files = []
    for number, name in enumerate(["loops for ever", "exits", "changes the board", "starts 50 children"]):
        folder = tmp_path / str(number)
        folder.mkdir()
        files.append(write_student(folder, TRICKS[name][0]))
    specs = ["random", *(f"course:file={file}" for file in files)]
    plan = Plan("reversi", enter_players(specs, REVERSI), 2, "gauntlet", seed=1, rules=Rules(move_time=1.5))
    results = list(hold(plan, jobs=2).results.values())
    assert len(results) == 8
    for result in results:
        seat = 1 - [player.name for player in result.players].index("random")
        if "3/student" in result.players[seat].spec:
            assert result.reason == OVER
        else:
            assert result.winner == 1 - seat
            assert result.reason != OVER
    assert_nothing_runs(tmp_path)
