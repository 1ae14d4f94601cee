"""What the tests share: every built-in game, and the command as a real process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import hypothesis
import pytest

# The first call of anything compiled takes a second; examples are the same at every run.
hypothesis.settings.register_profile("plyground", deadline=None, derandomize=True, max_examples=200)
hypothesis.settings.load_profile("plyground")

GAME_SPECS = [
    "tictactoe",
    "mnk",
    "mnk:m=4,n=3,k=3",
    "gomoku:size=9",
    "connect4",
    "connect4:columns=5,rows=4",
    "reversi",
    "reversi:size=6",
    "reversi:size=4",
    "nim",
    "nim:piles=7,misere=on",
]
"""Every game of the library, with the options that change its rules."""


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """On CI everything is installed, so a skipped test hides something: it fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and exitstatus == 0 and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


class Command:
    """The installed command, run as a user would run it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def __call__(
        self, *args: str, env: dict[str, str] | None = None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "plyground.cli", *args],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=300,
            cwd=self.folder,
            env={**os.environ, "COLUMNS": "200", "NO_COLOR": "1", **(env or {})},
            check=False,
        )


@pytest.fixture
def command(tmp_path: Path) -> Command:
    return Command(tmp_path)
