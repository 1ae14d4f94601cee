"""Compiled functions and their cache, in real processes."""

from __future__ import annotations

import ast
import json
import os
import pickle
import signal
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from llvmlite import binding as llvm
from numba.core.registry import cpu_target

import plyground
from plyground import Game, compiled, interpreted, legal_actions, make_game, result, terminal, to_move, utility
from plyground.core.limits import Budget
from plyground.errors import UncompiledWarning
from plyground.games.contract import check_game
from plyground.native.randomness import stream
from plyground.search.minimax import minimax_value
from plyground.search.perft import perft
from plyground.search.playout import playouts
from plyground.signals import undisturbed

GAME_FILE = """
from typing import NamedTuple
from plyground import Game, legal_actions, result, to_move, utility

class Sticks(NamedTuple):
    left: int
    turn: int

@to_move.rule(Sticks)
def _(state):
    return state.turn

@legal_actions.rule(Sticks)
def _(state, out):
    count = min(MOST, state.left)
    for i in range(count):
        out[i] = i + 1
    return count

@result.rule(Sticks)
def _(state, action):
    return Sticks(state.left - action, 1 - state.turn)

@utility.rule(Sticks)
def _(state, player):
    return -1 if state.turn == player else 1

MOST = 3
game = Game("sticks", initial=Sticks(8, 0))
"""

PROGRAM = """
import json, sys, warnings
from numba.core import event
from plyground import make_game
from plyground.core.limits import Budget
from plyground.search.minimax import minimax_value
from plyground.search.perft import perft
with warnings.catch_warnings(record=True) as caught, event.install_recorder("numba:compile") as compiles:
    warnings.simplefilter("always")
    answers = []
    for spec in sys.argv[1:]:
        state = make_game(spec).initial
        answers.append([minimax_value(state, 4, 0, Budget()), perft(state, 5, 0, Budget())])
print(json.dumps({"answers": answers, "compiled": len(compiles.buffer), "notes": [str(w.message) for w in caught]}))
"""


def run(cache: Path, *specs: str) -> dict[str, object]:
    env = {**os.environ, "PLYGROUND_CACHE_DIR": str(cache)}
    done = subprocess.run([sys.executable, "-c", PROGRAM, *specs], capture_output=True, text=True, env=env, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.slow
def test_a_warm_start_compiles_nothing(tmp_path):
    specs = ("tictactoe", "reversi", "nim")
    cold = run(tmp_path / "cache", *specs)
    warm = run(tmp_path / "cache", *specs)
    assert cold["compiled"] > 0
    assert warm["compiled"] == 0
    assert warm["answers"] == cold["answers"]
    assert [answer[1] for answer in warm["answers"]][:2] == [15120, 1396]


SEARCH = """
import json, math
from numba.core import event
from plyground import Budget, make_game
from plyground.native import compiling
from plyground.search.alphabeta import AlphaBetaSettings, AlphaBetaVariant, alphabeta, new_memory
game, loads = make_game("nim:piles=3,2"), []
load = compiling._DiskCache.load_overload
compiling._DiskCache.load_overload = lambda *args: loads.append(args) or load(*args)
with event.install_recorder("numba:compile") as compiles:
    rest = new_memory(game), AlphaBetaSettings(), AlphaBetaVariant(), Budget()
    for depth in range(1, 4):
        alphabeta(game.initial, depth, -math.inf, math.inf, 0, *rest)
print(json.dumps([len(loads), len(compiles.buffer)]))
"""


@pytest.mark.slow
def test_machine_code_is_read_from_disk_once_and_not_at_every_call(tmp_path):
    """Types that a file of machine code brings again would fit no call, and each would read it again."""
    env = {**os.environ, "PLYGROUND_CACHE_DIR": str(tmp_path / "cache")}
    for compiles in (True, False):
        done = subprocess.run([sys.executable, "-c", SEARCH], capture_output=True, text=True, env=env, check=False)
        assert done.returncode == 0, done.stderr
        loads, compilations = json.loads(done.stdout)
        assert (loads, compilations > 0) == (1, compiles)


def test_an_edited_game_is_not_run_from_the_old_cache(tmp_path):
    file = tmp_path / "sticks.py"
    file.write_text(GAME_FILE)
    first = run(tmp_path / "cache", str(file))
    again = run(tmp_path / "cache", str(file))
    assert again["compiled"] == 0
    file.write_text(GAME_FILE.replace("MOST = 3", "MOST = 2"))
    edited = run(tmp_path / "cache", str(file))
    assert edited["compiled"] > 0
    assert (first["answers"][0][1], edited["answers"][0][1]) == (again["answers"][0][1], 26)


def test_a_cache_folder_that_cannot_be_made_is_said_once_and_does_no_harm(tmp_path):
    (tmp_path / "file").write_text("in the way")
    answer = run(tmp_path / "file" / "cache", "tictactoe")
    assert answer["answers"][0][1] == 15120
    assert len(answer["notes"]) == 1
    assert "cannot keep compiled code" in answer["notes"][0]
    assert "PLYGROUND_CACHE_DIR" in answer["notes"][0]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission bits")
def test_a_read_only_cache_folder(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir()
    folder.chmod(0o555)
    try:
        answer = run(folder, "tictactoe")
    finally:
        folder.chmod(0o755)
    assert answer["answers"][0][1] == 15120  # root may write all the same; nobody is stopped


class Poison:
    """What runs when it is unpickled."""

    def __init__(self, trace: Path) -> None:
        self.trace = trace

    def __reduce__(self):
        return Path.touch, (self.trace,)


@pytest.mark.parametrize("number", [2, pytest.param(5, marks=pytest.mark.slow)])
def test_what_is_not_ours_or_has_changed_in_the_cache_is_compiled_again_and_never_run(tmp_path, number):
    cache, trace = tmp_path / "cache", tmp_path / "trace"
    cold = run(cache, "nim")
    files = sorted(cache.rglob("*.bin"))
    whole = {file: file.read_bytes() for file in files}
    flipped = bytearray(whole[files[0]])
    flipped[len(flipped) // 2] ^= 4
    spoilt_in_each_way = (pickle.dumps(Poison(trace)), bytes(flipped), whole[files[1]], whole[files[0]][:-1], b"")
    for spoilt in spoilt_in_each_way[:number]:
        files[0].write_bytes(spoilt)
        answer = run(cache, "nim")
        assert answer["answers"] == cold["answers"]
        assert answer["compiled"] > 0
        (note,) = answer["notes"]
        assert note == f"{files[0]} is damaged, or somebody else has written it, so it is compiled again"
    assert run(cache, "nim") == {**cold, "compiled": 0}
    assert not trace.exists()


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid(), reason="only root can give a folder away")
def test_the_machine_code_of_somebody_else_is_not_used(tmp_path):
    cache = tmp_path / "cache"
    cold = run(cache, "nim")
    (folder,) = cache.iterdir()
    os.chown(folder, 12345, 12345)
    answer = run(cache, "nim")
    assert answer["answers"] == cold["answers"]
    assert answer["compiled"] > 0
    (note,) = answer["notes"]
    assert note.startswith(f"compiled code in {folder} is not used (it belongs to somebody else)")


RECURSION = """
import numpy as np
from plyground import compiled, make_game, terminal
@compiled
def double(state, n, flag):
    if n == 0:
        return 1 if flag else 0
    return double(state, n - 1, True) + double(state, n - 1, np.int64(0) > 1)
print(double(make_game("nim").initial, 5, False))
"""


def test_recursion_with_two_signatures_is_kept(tmp_path):
    """Numba calls one signature from the other through a pointer, which would be wild in another process."""
    (tmp_path / "program.py").write_text(RECURSION)
    env = {**os.environ, "PLYGROUND_CACHE_DIR": str(tmp_path / "cache")}
    kept = []
    for _ in range(2):
        args = [sys.executable, str(tmp_path / "program.py")]
        done = subprocess.run(args, capture_output=True, text=True, env=env, check=False)
        assert (done.returncode, done.stdout) == (0, "16\n"), done.stderr
        kept.append([(file.name, file.stat().st_mtime_ns) for file in (tmp_path / "cache").rglob("*.bin")])
    assert len(kept[0]) == 1
    assert kept[1] == kept[0]


@compiled
def widening(number):
    if number == 0:
        return 0
    return widening(number - 1) + 0.5


@compiled
def lying(number) -> int:
    if number == 0:
        return 0
    return lying(number - 1) + 0.5


@compiled
def board(number) -> int:
    if number == 0:
        return np.uint64(2**63)
    return board(number - 1) | np.uint64(1)


def test_what_a_function_that_calls_itself_returns_is_found_whatever_it_declares():
    assert widening(3) == 1.5
    assert board(3) == 2**63 + 1
    with pytest.warns(UncompiledWarning, match="lying calls itself and returns float64, but is declared to return int"):
        assert lying(3) == 1.5


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_functions_that_call_each_other(depth):
    assert [even(depth), odd(depth)] == [depth % 2 == 0, depth % 2 == 1]


@compiled
def even(number) -> bool:
    return True if number == 0 else odd(number - 1)


@compiled
def odd(number) -> bool:
    return False if number == 0 else even(number - 1)


def test_damaged_cache_files_are_compiled_again(tmp_path):
    cache = tmp_path / "cache"
    run(cache, "tictactoe")
    files = list(cache.glob("*/*.bin"))
    assert files
    for i, file in enumerate(files):
        file.write_bytes(b"" if i % 2 else file.read_bytes()[:1000])
    answer = run(cache, "tictactoe")
    assert answer["compiled"] > 0
    assert answer["answers"][0][1] == 15120


class Wordy(NamedTuple):
    """A game whose rule uses a dictionary of texts, which does not compile."""

    left: int
    turn: int


NAMES = {0: "nothing", 1: "one"}


@to_move.rule(Wordy)
def _(state):
    return state.turn


@legal_actions.rule(Wordy)
def _(state, out):
    if NAMES.get(state.left) == "nothing":
        return 0
    out[0] = 1
    return 1


@result.rule(Wordy)
def _(state, action):
    return Wordy(state.left - 1, 1 - state.turn)


@utility.rule(Wordy)
def _(state, player):
    return 1.0 if state.turn != player else -1.0


def test_a_game_that_does_not_compile_runs_with_one_warning_that_names_the_rule(monkeypatch):
    monkeypatch.setattr("plyground.native.compiling._uncompilable", set())  # whoever has met the game before
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert minimax_value(Wordy(3, 0), 9, 0, Budget()) == 1.0
        assert minimax_value(Wordy(4, 0), 9, 0, Budget()) == -1.0
        assert perft(Wordy(4, 0), 4, 0, Budget()) == 1
    notes = [str(warning.message) for warning in caught if warning.category is UncompiledWarning]
    assert len(notes) == 1
    assert "Wordy runs interpreted" in notes[0]
    assert "legal_actions" in notes[0]
    assert "\n" not in notes[0]


class Growing(NamedTuple):
    """A game whose tuple grows, so that every state is of another type to the compiler."""

    trail: tuple[int, ...]
    turn: int


@to_move.rule(Growing)
def _(state):
    return state.turn


@legal_actions.rule(Growing)
def _(state, out):
    import math  # which does not compile either

    out[0] = int(math.sqrt(1))
    return 1 if len(state.trail) < 4 else 0


@result.rule(Growing)
def _(state, action):
    return Growing((*state.trail, action), 1 - state.turn)


@utility.rule(Growing)
def _(state, player):
    return 1.0 if state.turn != player else -1.0


def test_what_no_compiler_likes_still_runs():
    with pytest.warns(UncompiledWarning, match="Growing runs interpreted"):
        assert minimax_value(Growing((), 0), 9, 0, Budget()) == -1.0


def test_such_a_game_still_keeps_the_contract():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert check_game(Game("wordy", Wordy(3, 0)), positions=20).games > 0


def test_an_algorithm_that_does_not_compile_runs_with_a_warning():
    @compiled
    def shout(state):
        return eval("terminal(state)")

    with pytest.warns(UncompiledWarning, match="shout runs interpreted"):
        assert shout(make_game("tictactoe").initial) is False


def test_interpreted_runs_the_same_function_object_as_python():
    calls = []

    @compiled
    def probe(state):
        return terminal(state)

    original = probe.function
    probe.function = lambda state: calls.append(state) or original(state)
    state = make_game("nim").initial
    assert probe(state) is False
    assert calls == []
    with interpreted():
        assert not probe(state)
    assert calls == [state]


def test_threads_run_at_the_same_time_on_shared_arrays():
    state = make_game("reversi").initial
    streams = [stream(1), stream(2)]
    answers = [0, 0]

    def work(i):
        answers[i] = playouts(state, 200, streams[i])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [playouts(state, 200, stream(1)), playouts(state, 200, stream(2))]


def test_prepare_compiles_without_running():
    @compiled
    def fill(state, out):
        out[0] = terminal(state) + 7
        return out[0]

    out, state = np.zeros(1, np.int64), make_game("nim").initial
    fill.prepare(state, out)
    assert out[0] == 0
    assert fill(state, out) == 7


def test_no_buffer_is_taken_in_a_loop():
    """A buffer is on the stack, which grows with each one until the function returns: a long loop would overflow it."""
    found = []
    for path in Path(plyground.__file__).parent.rglob("*.py"):
        for loop in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(loop, (ast.For, ast.While)):
                for call in ast.walk(loop):
                    if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "action_buffer":
                        found.append(f"{path.name}:{call.lineno}")
    assert not found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_who_interrupts_waits_until_numba_has_read_its_registries(number):
    """Else the generators by which it reads them end, and nothing can be compiled any more."""
    done = []

    def reading():
        signal.raise_signal(number)
        done.append(sum(range(10_000)))  # where the exception would come

    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            undisturbed(reading)()
        assert signal.getsignal(number) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGTERM, before)
    assert len(done) == 1
    for context in (cpu_target.target_context, cpu_target.typing_context):
        assert "refresh" in context.refresh.__wrapped__.__name__


def test_who_interrupts_while_modules_are_linked_does_not_free_one_twice(monkeypatch):
    """LLVM destroys the second module, and nobody may do so again."""
    one, other = (llvm.parse_assembly(f"define void @{name}() {{ ret void }}") for name in "fg")
    detach = llvm.ModuleRef.detach

    def interrupted(module):
        monkeypatch.undo()
        signal.raise_signal(signal.SIGINT)
        sum(range(1000))  # where the exception would come
        detach(module)

    monkeypatch.setattr(llvm.ModuleRef, "detach", interrupted)
    try:
        with pytest.raises(KeyboardInterrupt):
            one.link_in(other)
        assert other.closed
    finally:
        detach(other)


def test_who_interrupts_while_machine_code_is_made_is_heard(monkeypatch):
    engine = cpu_target.target_context.codegen()._engine._ee
    notify = engine._object_cache_notify

    def interrupted(*made):
        monkeypatch.undo()
        signal.raise_signal(signal.SIGINT)
        notify(*made)

    def add(number):
        return number + 1

    numba.njit(add)(1)  # what Numba itself needs is there before
    monkeypatch.setattr(engine, "_object_cache_notify", interrupted)
    with pytest.raises(KeyboardInterrupt):
        numba.njit(add)(1)
    assert numba.njit(add)(2) == 3  # and what comes next is compiled
