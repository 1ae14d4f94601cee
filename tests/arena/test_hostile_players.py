"""Players who do everything to bring the arena down: each in a real process, and each loses nothing but its games."""

from __future__ import annotations

import contextlib
import ctypes
import errno
import json
import os
import re
import tempfile
import textwrap
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest

from plyground import Limit, make_game
from plyground.arena.copies import Copies
from plyground.arena.hall import enter_players, seat_player
from plyground.arena.match import hold
from plyground.arena.ratings import tally
from plyground.arena.referee import Rules
from plyground.arena.tournament import Plan, standings
from plyground.errors import AlteredFile, PlayerFailed
from plyground.players import Position, make_player
from plyground.processes import program as process
from plyground.processes.cage import landlock_version
from plyground.protocols import caged_player
from plyground.protocols.caged_player import CagedPlayer

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
    "sleeps too long": ("time.sleep(0.5)", SHORT, r"took \d|did not answer in time"),
    "takes 10 GB": ("self.hog = bytearray(10 ** 10)", Rules(), "MemoryError"),
    "starts 50 children": (
        """
        if self.moves == 3:
            for number in range(50):
                if os.fork() == 0:
                    if number % 2:
                        os.setsid()
                    signal.signal(signal.SIGTERM, signal.SIG_IGN)
                    if number % 3 == 0:
                        os.execvp("sh", ["sh", "-c", "while :; do sleep 1000; done # " + __file__])
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
    "kills itself": ("if self.moves == 3: os.kill(os.getpid(), 9)", Rules(), "PermissionError"),
    "aborts": ("if self.moves == 3: os.abort()", Rules(), "SIGABRT"),
    "deletes itself": ("if self.moves == 3: os.remove(__file__); os._exit(3)", Rules(), "there is no file|status 3"),
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
    end = time.monotonic() + 60
    while running := mentioned_in_processes(str(mark)):
        assert time.monotonic() < end, running
        time.sleep(0.02)


def played(spec: str, rules: Rules, games: int = 2, jobs: int = 1):
    plan = Plan("reversi", enter_players([spec, "random"], REVERSI), games, seed=3, rules=rules)
    return list(hold(plan, jobs=jobs).results.values())


LONG = {"sleeps too long", "prints megabytes", "aborts", "raises", "leaves", "kills itself", "plays on the board"}
"""In the long run: what others that end, print or change the board show as well."""


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow if name in LONG else []) for name in TRICKS]
)
def test_a_hostile_player_costs_its_own_games_only(name, tmp_path, monkeypatch):
    trick, rules, reason = TRICKS[name]
    if name == "closes its streams":
        monkeypatch.setattr(process, "GRACE", 0.2)  # it does not end, however long that is waited for
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
    ("program", "timeout", "reason"),
    [
        ("while True: pass", 0.4, "did not answer in time"),
        pytest.param(
            "while True: print('noise ' * 1000)",
            0.4,
            "did not answer in time|100,000 lines that are no answer",
            marks=pytest.mark.slow,
        ),
        pytest.param(
            "import sys\nwhile True: sys.stdout.write('x' * 65536)", 60, "without a line break", marks=pytest.mark.slow
        ),
        ("raise SystemExit('not today')", 60, "ended with status 1: not today"),
    ],
)
def test_programs_that_do_not_speak_the_protocol_lose(program, timeout, reason, tmp_path):
    file = tmp_path / "program.py"
    file.write_text(program)
    results = played(f"gtp:command=python3 {file},timeout={timeout}", SHORT)
    for seat, result in enumerate(results):
        assert result.winner == 1 - seat
        assert re.search(reason, result.reason)
    assert_nothing_runs(tmp_path)


def test_a_function_from_a_file_does_not_run_in_the_arena(tmp_path):
    file = tmp_path / "player.py"
    file.write_text("import os\n\ndef choose(game, state):\n    os._exit(7)\n")
    (result,) = played(f"aima:file={file}", Rules(), games=1)
    assert result.winner == 1
    assert "ended with status 7" in result.reason
    assert_nothing_runs(tmp_path)


@pytest.mark.slow
def test_a_class_with_hostile_players_finishes_with_the_right_table(tmp_path):
    files = []
    tricks = [TRICKS[name][0] for name in ("exits", "changes the board", "starts 50 children")]
    for number, trick in enumerate(["time.sleep(10_000)", *tricks]):
        folder = tmp_path / str(number)
        folder.mkdir()
        files.append(write_student(folder, trick))
    specs = ["random", *(f"course:file={file}" for file in files)]
    plan = Plan("reversi", enter_players(specs, REVERSI), 2, "gauntlet", seed=1, rules=Rules(move_time=6.0))
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


# Files of code that are no programs ---------------------------------------------------------------------------------


def evaluation(folder, body):
    file = folder / "judge.py"
    file.write_text(f"import os, sys\n\ndef value(state):\n    {body}\n")
    return f"minimax:evaluation={file}:value,depth=1"  # which compiles in half of the time of alphabeta


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("os._exit(7)", "judge.py ended with status 7"),
        ("sys.exit(7)", "judge.py: SystemExit: 7"),
        ("raise BaseException([v for v in os.environ.values() if 'hunter2' in v])", r"BaseException: \[\]$"),
    ],
)
def test_an_evaluation_does_not_run_in_the_arena(body, reason, tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_TEST_SECRET", "hunter2")
    (result,) = played(evaluation(tmp_path, body), Rules(), games=1)
    assert result.winner == 1
    assert re.search(reason, result.reason)


@pytest.mark.slow
def test_an_evaluation_that_never_returns_is_given_up(tmp_path, monkeypatch):
    monkeypatch.setattr(caged_player, "TIMEOUT", 3.0)
    (result,) = played(evaluation(tmp_path, "while True: pass"), SHORT, games=1)
    assert result.winner == 1
    assert "judge.py did not answer in time" in result.reason


def test_a_network_from_a_file_does_not_run_in_the_arena(tmp_path):
    file = tmp_path / "network.onnx"
    file.write_bytes(bytes(1000))
    (result,) = played(f"minialphago:network={file}", Rules(), games=1)
    assert result.winner == 1
    assert "network.onnx" in result.reason


def test_it_plays_in_the_cage_as_it_does_elsewhere(tmp_path):
    spec = evaluation(tmp_path, "return 1.0 * (state.own & 0xFFFF)")
    game = make_game("reversi")
    position = Position(game, game.initial, ())
    with make_player(spec, game, 3) as here, contextlib.closing(seat_player(spec, game, 3)) as there:
        moves = [player.choose(position, Limit()) for player in (here, there)]
    assert isinstance(there, CagedPlayer)
    assert replace(moves[0], time=None) == replace(moves[1], time=None)


@pytest.mark.parametrize("spec", ["aima:file=own/first.py,name=first", "minimax:depth=1,evaluation=own/first.py:value"])
def test_files_may_be_named_from_the_folder_one_is_in(tmp_path, monkeypatch, spec):
    """Behind the wall a program begins in another folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own").mkdir()
    text = "def first(game, state):\n    return game.actions(state)[0]\n\ndef value(state):\n    return 0.0\n"
    (tmp_path / "own" / "first.py").write_text(text, encoding="utf-8")
    game = make_game("tictactoe")
    with contextlib.closing(seat_player(spec, game, 3)) as player:
        assert isinstance(player, CagedPlayer)
        assert player.choose(Position(game, game.initial, ()), Limit(time=30.0)) is not None


def test_what_is_wrong_with_a_file_is_said_without_its_folder(tmp_path):
    file = tmp_path / "two.py"
    file.write_text("def one(game, state): ...\n\ndef two(game, state): ...\n", encoding="utf-8")
    game = make_game("tictactoe")
    with (
        contextlib.closing(seat_player(f"aima:file={file}", game, 3)) as player,
        pytest.raises(PlayerFailed, match=r"^aima: two\.py has 2 functions"),
    ):
        player.choose(Position(game, game.initial, ()), Limit(time=30.0))


# Justice ------------------------------------------------------------------------------------------------------------


class Killer(threading.Thread):
    """Kills players from outside, so many times."""

    def __init__(self, mark, times):
        super().__init__(daemon=True)
        self.mark, self.times, self.over = mark, times, False

    def run(self):
        killed = set()
        while not self.over and len(killed) < self.times:
            for pid in mentioned_in_processes(self.mark):
                command = Path(f"/proc/{pid}/cmdline")
                with contextlib.suppress(OSError):
                    if b"course_worker" in command.read_bytes() and b"supervisor" not in command.read_bytes():
                        os.kill(pid, 9)
                        killed.add(pid)
            time.sleep(0.005)


@pytest.mark.parametrize(("times", "disturbed"), [(1, False), (1000, True)])
def test_nobody_wins_a_game_because_the_other_was_killed(times, disturbed, tmp_path):
    file = write_student(tmp_path, "time.sleep(0.02)").rename(tmp_path / f"victim{tmp_path.name}.py")
    killer = Killer(file.name, times)
    killer.start()
    try:
        plan = Plan("reversi", enter_players([f"course:file={file}", "random"], REVERSI), 1, seed=3)
        (result,) = hold(plan).results.values()
    finally:
        killer.over = True
        killer.join()
    assert result.disturbed == disturbed
    if disturbed:
        assert re.fullmatch(r"disturbed: black victim.*\.py ended by signal SIGKILL", result.reason)
        assert result.winner is None
        assert [line.games for line in standings(plan, [result])] == [0, 0]
        assert tally([result]) == []
    else:
        assert result.reason == OVER


def test_copies_play_and_what_is_changed_meanwhile_does_not_count(tmp_path):
    file = write_student(tmp_path, "pass")
    plan = Plan("reversi", enter_players([f"course:file={file}", "random"], REVERSI), 2, seed=3)
    results = hold(plan, on_result=lambda result: file.write_text("raise SystemExit")).results.values()
    assert [result.reason for result in results] == [OVER] * 2


def test_changed_copies_are_noticed_before_the_next_game(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    folder = tmp_path / "own"
    folder.mkdir()
    file = write_student(folder, "pass")
    plan = Plan("reversi", enter_players([f"course:file={file}", "random"], REVERSI), 2, seed=3)

    def change(result):
        (copy,) = tmp_path.glob("plyground-players-*/*/*/student.py")
        copy.write_text("raise SystemExit")

    with pytest.raises(AlteredFile, match="the files of student have been changed since it was entered"):
        hold(plan, on_result=change)


def test_other_players_files_are_not_among_the_copies(tmp_path):
    for name in ("anna", "bert", "helper"):
        (tmp_path / f"{name}.py").write_text("")
    with Copies([f"course:file={tmp_path}/{name}.py" for name in ("anna", "bert")]) as copies:
        folders = [Path(spec.partition("file=")[2]).parent for spec in copies.specs]
        assert [sorted(path.name for path in folder.iterdir()) for folder in folders] == [
            ["anna.py", "helper.py"],
            ["bert.py", "helper.py"],
        ]
    assert not folders[0].exists()


def test_processor_time_is_measured_beside_the_other(tmp_path):
    trick = """
        end = time.process_time() + 0.05
        while time.process_time() < end: pass
        """
    (result,) = played(f"course:file={write_student(tmp_path, trick)}", Rules(), games=1)
    moves = sum(move.player == 0 for move in result.moves)
    assert result.processor_times[0] > 0.04 * (moves - 5)
    assert result.processor_times[1] < result.processor_times[0]


# Looking into other processes, without a cage -----------------------------------------------------------------------

SPY = """
import ctypes, errno, os, time

class Piece(ctypes.Structure):
    _fields_ = [("start", ctypes.c_void_p), ("length", ctypes.c_size_t)]

C = ctypes.CDLL(None, use_errno=True)
C.ptrace.argtypes = [ctypes.c_long, ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p]

def checked(answer):
    if answer < 0:
        raise OSError(ctypes.get_errno(), "")
    return answer

def read_mem(pid, address):
    with open(f"/proc/{pid}/mem", "rb", buffering=0) as memory:
        memory.seek(address)
        return memory.read(16)

def read_by_call(pid, address):
    found = ctypes.create_string_buffer(16)
    here, there = Piece(ctypes.addressof(found), 16), Piece(address, 16)
    checked(C.process_vm_readv(pid, ctypes.byref(here), 1, ctypes.byref(there), 1, 0))
    return found.raw

def trace(pid, address):
    checked(C.ptrace(16, pid, None, None))
    os.waitpid(pid, 0x40000000)
    C.ptrace(17, pid, None, None)

def take_file(pid, address):
    checked(C.syscall(438, checked(C.syscall(434, pid, 0)), 0, 0))

def read_environment(pid, address):
    return open(f"/proc/{pid}/environ", "rb").read()

def read_file(pid, address):
    os.open(f"/proc/{pid}/fd/0", os.O_RDONLY | os.O_NONBLOCK)

TRICKS = [read_mem, read_by_call, trace, take_file, read_environment, read_file]

def look(pid, address):
    "What each trick comes to: 0, or the number of the error."
    found = {}
    for trick in TRICKS:
        try:
            trick(pid, address)
        except OSError as error:
            found[trick.__name__] = error.errno
        else:
            found[trick.__name__] = 0
    return found

def look_at_child():
    "The same on a process of its own, to know that the tricks are good."
    own = ctypes.create_string_buffer(b"0123456789abcdef")
    child = os.fork()
    if child == 0:
        time.sleep(1000)
    try:
        return look(child, ctypes.addressof(own))
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
"""
KEEPER = """
import ctypes, json, os
SECRET = ctypes.create_string_buffer(os.urandom(16))
with open("{folder}/keeper.json", "w") as file:
    json.dump([os.getpid(), ctypes.addressof(SECRET)], file)
"""


def test_nobody_reads_the_memory_of_the_opponent_or_the_arena(tmp_path):
    secret = ctypes.create_string_buffer(os.urandom(16))
    targets = {"arena": [os.getpid(), ctypes.addressof(secret)]}
    (tmp_path / "spying.py").write_text(SPY)
    keeper, spy = tmp_path / "keeper.py", tmp_path / "spy.py"
    keeper.write_text(KEEPER.format(folder=tmp_path) + STUDENT.format(trick="        pass"))
    trick = f"""
        import json, spying
        if self.moves == 1:
            targets = {json.dumps(targets)} | {{"keeper": json.load(open("{tmp_path}/keeper.json"))}}
            targets["supervisor"] = [os.getppid(), 0]
            found = {{name: spying.look(*target) for name, target in targets.items()}}
            found["child"] = spying.look_at_child()
            json.dump(found, open("{tmp_path}/found.json", "w"))
        """
    spy.write_text(STUDENT.format(trick=textwrap.indent(textwrap.dedent(trick).strip(), " " * 8)))
    plan = Plan("reversi", enter_players([f"course:file={keeper}", f"course:file={spy}"], REVERSI), 1, seed=1)
    (result,) = hold(plan, cage="off").results.values()
    assert result.reason == OVER
    found = json.loads((tmp_path / "found.json").read_text())
    assert set(found.pop("child").values()) == {0}
    assert set(found) == {"arena", "keeper", "supervisor"}
    for errors in found.values():
        assert set(errors.values()) <= {errno.EPERM, errno.EACCES}, found
    assert_nothing_runs(tmp_path)


@pytest.mark.skipif(landlock_version() < 6, reason="signals are kept in from Linux 6.12 on")
def test_nobody_ends_the_opponent_or_the_arena(tmp_path):
    """Its own supervisor neither, which would leave its children behind."""
    killer = tmp_path / "killer.py"
    trick = f"""
        if self.moves == 3:
            for pid, number in (({os.getpid()}, 0), (os.getppid(), 9), (int(open("{tmp_path}/pid").read()), 9)):
                try:
                    os.kill(pid, number)
                except PermissionError:
                    continue
                os._exit(1)
            if os.fork() == 0:
                os.setsid()
                time.sleep(10_000)
        """
    killer.write_text(STUDENT.format(trick=textwrap.indent(textwrap.dedent(trick).strip(), " " * 8)))
    victim = tmp_path / "victim.py"
    victim.write_text(
        f"import os\nopen('{tmp_path}/pid', 'w').write(str(os.getpid()))\n" + STUDENT.format(trick=" " * 8 + "pass")
    )
    specs = [f"course:file={killer}", f"course:file={victim}"]
    plan = Plan("reversi", enter_players(specs, REVERSI), 2, seed=1)
    results = list(hold(plan, cage="off").results.values())
    assert [result.reason for result in results] == [OVER] * 2
    assert_nothing_runs(tmp_path)
