"""A part of the odd command lines that `benchmarks.attack` tries, and how it judges their ends."""

import importlib
import shlex
import sys
from pathlib import Path

import pytest

pytest.importorskip("resource", reason="limits are those of Unix")
sys.path.append(str(Path(__file__).parents[2]))  # the benchmarks are not part of the installed package

command_lines = importlib.import_module("benchmarks.attack.command_lines")
endings = importlib.import_module("benchmarks.attack.endings")

QUICK = ("perft", "queens", "tree", "db games", "db show", "db export", "matrix solve", "matrix cake", "bench", "docs")
"""Commands that compile little; of each a few lines."""
EVERY = 5
LINES = command_lines.lines()
CHOSEN = [line for line in LINES if " ".join(line[:2]).startswith(QUICK)][::EVERY]


def test_there_are_enough_and_each_command_is_among_them():
    assert len(LINES) >= 600
    assert {line[0] for line in LINES} >= {name.split()[0] for name in command_lines.BASES}


@pytest.mark.parametrize("words", CHOSEN, ids=lambda words: shlex.join(words)[:60])
def test_an_odd_command_line_ends_cleanly(command, tmp_path, words):
    command_lines.furnish(tmp_path)
    done = command(*words)
    assert not endings.faults(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize(
    ("status", "out", "err", "stopped_by", "fault"),
    [
        (0, "fine\n", "note: x\n", None, ""),
        (2, "", "error: wrong\n", None, ""),
        (2, "", "error: wrong\nand more\n", None, "status 2 with 2 lines"),
        (1, "", "Traceback (most recent call last):\nKeyError: 1\n", None, "a traceback: KeyError: 1"),
        (0, "\x1b[31m", "", None, "a raw"),
        (139, "", "", None, "status 139"),
        (-11, "", "", None, "ended by SIGSEGV"),
        (130, "", "stopped\n", 2, ""),
        (143, "", "stopped\n", 2, "status 143"),
        (130, "", "", 2, "does not say"),
    ],
)
def test_what_is_wrong_with_an_end(status, out, err, stopped_by, fault):
    found = endings.faults(status, out, err, stopped_by=stopped_by)
    assert found.startswith(fault)
    assert bool(found) == bool(fault)
