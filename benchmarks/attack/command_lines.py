"""Odd command lines: every option of every command with values that nobody would give it.

Each runs in a fork of a process that has imported the command, within limits of time and memory. Whatever still runs
after a few seconds is interrupted, and must end then as cleanly as all others: no traceback, one line, nothing that
acts on a terminal, no process left.
"""

from __future__ import annotations

import contextlib
import faulthandler
import gc
import os
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.attack.endings import adopt_orphans, environment, faults, processes_left
from plyground.visible_text import visible

__all__ = ["attacks", "furnish", "lines"]

RUNS = 4.0
"""Seconds that a command may run before it is interrupted."""
ENDS = 30.0
"""Seconds that it may take to end then."""
MEMORY = 8 << 30
FILE = 64 << 20
EACH = 3
"""Odd values for each option."""
VALUES = (
    "", " ", "-1", "0", "1", "1.5", "99999999999999999999", "-99999999999999999999", "1e308", "nan", "-inf", "0x10",
    "\x1b[31mred\x1b]0;title\x07", "[/b]", ":x:", "[bold]", "棋手", os.fsdecode(b"\xff\xfe"), "\u202eexe", "a\nb", "٣",
    ".", "pipe", "link", "absent/x.svg", "folder", "empty", "noise", "a" * 5000, "x=" * 500, ":" * 300, "," * 300,
    "(" * 500, "{" * 500, "%s%n%p", "${HOME}", "$(id)", "=1+1", "'", '"', "--", "-", "--help", "@file", "leave.py",
    "reversi:size=8", "reversi:size=", "reversi:size=1e9", "nim:piles=99999999999", "mnk:m=99999,n=99999,k=3",
    "minimax:depth=0", "mcts:time=nan", "random:", "engine:level=99", "cfr:file=noise", "uniform:branching=99999999",
    "tree:noise", "openspiel:hex(board_size=99999)", "connect4:columns=9999,rows=9999", "reversi:size=4,size=4",
)  # fmt: skip
"""No file outside the folder in which the command runs is among them: an attack that succeeds must not do harm."""
BASES = {
    "games": "",
    "players": "",
    "play": "tictactoe | --first random --second random -q",
    "perft": "tictactoe 2 |",
    "web": "| --no-browser --port 0 --db web.db",
    "docs": "index | --no-browser",
    "bandit": "| --runs 2 --pulls 10",
    "pi": "| --points 100 --runs 2",
    "queens": "6 |",
    "wumpus": "| --worlds 1",
    "cfr": "kuhn | --iterations 2",
    "pacman": "tiny | --games 1 --player random",
    "battleship": "| --games 1 --size 3 --ships 2",
    "bridge": "minibridge:cards=2,suits=2 | --simulations 5",
    "endgame": "tictactoe |",
    "book": "tictactoe | --out x.book --plies 1 --player random",
    "tree": "tictactoe | --depth 1",
    "solve": "board.txt |",
    "analyze": "reversi f5d6 | --depth 1",
    "arena": "tictactoe random random | --games 2",
    "gtp": "tictactoe | --player random",
    "uci": "tictactoe | --player random",
    "nboard": "| --player random",
    "botzone": "| --player random",
    "saiblo": "| --player random",
    "bench": "perft | --repeats 1",
    "train game": "tictactoe | --iterations 1 --size 1x8 --simulations 4 --positions 16 --out run",
    "train td": "tictactoe | --games 2 --match-games 2 --out td.npz",
    "train backgammon": "| --out nets --minutes 0.01 --games 0 --wide 32",
    "train probcut": "games.ggf |",
    "train book": "| --out t.book --positions 1 --depth 1",
    "train pacman": "| --maze tiny --generations 1 --population 4 --games 1",
    "train alphago policy": "games.ggf | --out p.onnx --iterations 1",
    "train alphago rollout": "games.ggf | --out r.npz",
    "train alphago reinforce": "noise | --out p.onnx --iterations 1",
    "train alphago value": "noise noise | --out v.onnx --iterations 1",
    "train alphago overfitting": "folder folder |",
    "train chess positions": "| --out positions --positions 10 --nodes 1",
    "train chess sum": "folder |",
    "train chess weights": "folder | --out weights.npz",
    "train chess network": "folder | --out network.npz --passes 1",
    "train evaluation games": "| --out g.npz --games 1 --depth 1",
    "train evaluation label": "noise | --out l.npz",
    "train evaluation fit": "noise | --out w.npz --steps 1",
    "train evaluation report": "noise |",
    "db tournaments": "games.db |",
    "db players": "games.db |",
    "db games": "games.db |",
    "db show": "games.db key |",
    "db ratings": "games.db |",
    "db import": "new.db games.ggf |",
    "db export": "games.db |",
    "matrix solve": "chicken |",
    "matrix list": "",
    "matrix learn": "chicken | --steps 10",
    "matrix repeated": "| --repetitions 1",
    "matrix cake": "'Anna: 1 2' 'Bert: 2 1' |",
    "course init": "handout | --assignment queens",
    "course grade": "folder | --assignment queens --out report",
    "course check": "folder | --out practice.csv",
    "course compare": "leave.py | --algorithm minimax",
    "course exercises": "| --kind minimax --students 1 --seed 1 --out sheets",
}
"""A quick run of each command: its arguments, then its options."""
START = "---------------------------O*------*O---------------------------"
GGF = f"(;GM[Othello]PC[x]PB[a]PW[\x1b[31m]RE[?]TI[5]TY[8]BO[8 {START} *]B[f5]W[d6];)"
BOARD = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X"


def lines() -> list[tuple[str, ...]]:
    """Every command line, the same at every run."""
    from typer.main import get_command

    from plyground.cli.main import app

    found: list[tuple[str, ...]] = [("nonsense",), ("--nonsense",), ("play", "play", "play")]
    count = 0
    for path, command in _commands(get_command(app), ()):
        arguments, _, settings = (BASES[" ".join(path)] + " ").partition("|")
        words, options = shlex.split(arguments), shlex.split(settings)
        found += [path, (*path, "--help"), (*path, *words, *options), (*path, *words, *options, "surplus", "--odd")]
        for option in command.params:
            if option.param_type_name == "option" and not option.is_flag and option.opts[-1] != "--help":
                for value in _odd(count := count + 1):
                    found.append((*path, *words, *options, option.opts[-1], value))
        for place in range(len(words)):
            for value in _odd(count := count + 1):
                found.append((*path, *words[:place], value, *words[place + 1 :], *options))
    return list(dict.fromkeys(found))


def _odd(number: int) -> list[str]:
    return [VALUES[(EACH * number + each) % len(VALUES)] for each in range(EACH)]


def _commands(command: Any, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    if not hasattr(command, "commands"):
        yield path, command
        return
    for name, part in command.commands.items():
        yield from _commands(part, (*path, name))


def attacks() -> Iterator[tuple[str, bool, str]]:
    """Each command line, whether it ended well, and what was wrong if not."""
    adopt_orphans()
    _warm_up()
    with tempfile.TemporaryDirectory() as folder:
        for number, words in enumerate(lines()):
            place = Path(folder, str(number))
            furnish(place)
            fault = _struck(words, place)
            yield visible(f"plyground {' '.join(map(repr, words))}")[:120], not fault, visible(fault)
            subprocess.run(["rm", "-rf", str(place)], check=True)


def furnish(place: Path) -> None:
    """The files that the commands are pointed at."""
    (place / "folder").mkdir(parents=True)
    (place / "empty").touch()
    (place / "link").symlink_to("absent")
    os.mkfifo(place / "pipe")
    (place / "noise").write_bytes(bytes(range(256)) * 4)
    (place / "leave.py").write_text("import sys\nsys.exit(0)\n")
    (place / "games.ggf").write_text(GGF + "\n")
    (place / "board.txt").write_text(BOARD + "\n")
    _make_database(place / "games.db")


def _make_database(file: Path) -> None:
    """A database of two games, whose players have names that would act."""
    from plyground.arena.database import Database
    from plyground.core.played_game import PlayedGame, PlayerEntry

    with Database(file) as base:
        for number, name in enumerate(("=cmd", "\x1b[31m:x:")):
            players = PlayerEntry(name), PlayerEntry("random")
            base.add(PlayedGame(f"t/{number}", "tictactoe", players, (1.0, -1.0), reason=f"{name} resigns"))


def _struck(words: tuple[str, ...], place: Path) -> str:
    """Run the command, interrupt it if it takes long; what is wrong with its end."""
    process = os.fork()
    if process == 0:
        _become(words, place)
    number = None
    status = _waited_for(process, RUNS)
    if status is None:
        number = signal.SIGINT
        os.kill(process, number)
        status = _waited_for(process, ENDS)
    if status is None:
        os.killpg(process, signal.SIGKILL)
        os.waitpid(process, 0)
        return f"hangs: still there {ENDS:g} s after Ctrl-C"
    out, err = ((place / name).read_text(encoding="utf-8", errors="replace") for name in ("stdout", "stderr"))
    fault = faults(os.waitstatus_to_exitcode(status), out, err, stopped_by=number)
    if not fault and (left := processes_left()):
        fault = f"{left} processes are left"
    halves = [path.name for path in place.iterdir() if path.name.startswith(".") and path.is_file()]
    return fault or (f"files are left: {halves}" if halves else "")


def _waited_for(process: int, seconds: float) -> int | None:
    """The status of the process, or None if it has not ended within this time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ended, status = os.waitpid(process, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.01)
    return None


def _become(words: tuple[str, ...], place: Path) -> None:
    """In the fork: be the command, within the limits."""
    os.setsid()
    for number, name in enumerate(("empty", "stdout", "stderr")):
        opened = os.open(place / name, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(environment(place))
    os.chdir(place)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE, FILE))
    faulthandler.enable()
    sys.argv[:] = ["plyground", *words]
    status = 1
    try:
        from plyground.cli.main import main

        main()
    except SystemExit as end:
        status = end.code if isinstance(end.code, int) else 0
    except BaseException:
        sys.excepthook(*sys.exc_info())
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
        os._exit(status)


def _warm_up() -> None:
    """What the first of them would import, and all others after it."""
    import plyground.arena.database
    import plyground.cli.main  # noqa: F401

    gc.freeze()


if __name__ == "__main__":
    tried = 0
    for name, survived, detail in attacks():
        tried += 1
        if not survived:
            print(f"{name}\n    {detail}", flush=True)
    print(f"{tried} tried", flush=True)
