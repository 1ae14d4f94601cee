"""What the tests share: every built-in game, and the command as a process of its own."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

import one_thread  # noqa: F401 - before what it speaks to
from plyground.core.registry import GAMES
from template_process import TemplateProcess
from web_browser import NO_BROWSER, browser, served, visit  # noqa: F401 - fixtures for the tests of pages

# In the background of a shell Ctrl-C is ignored, by children too, and tests that press it would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The first call of anything compiled takes a second, or many on a slow machine; examples are the same at every run.
for profile, examples in (("quick", 80), ("thorough", 500)):
    hypothesis.settings.register_profile(
        profile,
        deadline=None,
        derandomize=True,
        max_examples=examples,
        suppress_health_check=[hypothesis.HealthCheck.too_slow],
    )
hypothesis.settings.load_profile("quick")

GAMES_BY_NAME = [name for name in GAMES if not any(option.required for option in GAMES.options(name))]
"""Every game of the library that is not read from a file or from another library."""
VARIANTS = {
    "mnk": ["mnk", "mnk:m=4,n=3,k=3"],
    "gomoku": ["gomoku:size=9"],
    "connect4": ["connect4", "connect4:columns=5,rows=4"],
    "reversi": ["reversi", "reversi:size=6", "reversi:size=4"],
    "chess": ["chess:fen=r3k2r/1P4p1/8/5pP1/8/8/8/R3K2R w KQkq f6 88 60", "chess:chess960=5"],
    "hex": ["hex:size=9,swap=on"],
    "dots_and_boxes": ["dots_and_boxes:rows=2,columns=3"],
    "backgammon": [
        "backgammon:points=8,men=2,faces=3,cube=on",
        "backgammon",
        "backgammon:match=5,score=2,4,crawford=off",
    ],
    "nim": ["nim", "nim:piles=7,misere=on"],
    "pacman": ["pacman:maze=tiny,ghosts=directional", "pacman:maze=rooms,ghosts=minimax,random"],
    "minibridge": ["minibridge:cards=3,suits=2,trump=S,goal=2"],
    "battleship": ["battleship:size=4,ships=3,2"],
}
GAME_SPECS = [spec for name in GAMES_BY_NAME for spec in VARIANTS.get(name, [name])]
"""Every game, with the options that change its rules, or that make it small enough."""


LONG_PAGES = {
    "arena.md", "assignments.md", "bandits.md", "battleship.md", "book.md", "cfr.md", "classroom.md",
    "command-line.md", "database.md", "expectiminimax.md", "maxn.md", "minibridge.md", "pacman.md", "protocols.md",
    "pvs-mtdf.md", "real-time.md", "retrograde.md", "slides.md", "train-your-own-game.md",
}  # fmt: skip
"""Pages whose examples and commands compile much, or train; they are tried in the long run."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """One more than there are processors: tests of pages and of other programs wait for a quarter of their time."""
    return len(os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)) + 1


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        page = item.path
        if item.name.startswith("test_commands_do_what_the_page_shows") and isinstance(item, pytest.Function):
            page = item.callspec.params["page"]
        if page.name in LONG_PAGES:
            item.add_marker(pytest.mark.slow)


def pytest_collection_finish() -> None:
    """What has been imported and collected by now is needed to the end, and no garbage is looked for in it."""
    gc.collect()
    gc.freeze()


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """On CI everything is installed, so a skipped test hides something: it fails the run."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if os.environ.get("CI") and reporter is not None and exitstatus == 0 and reporter.stats.get("skipped"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """One line for all tests that had no browser."""
    skipped = terminalreporter.stats.get("skipped", [])
    if missed := sum(NO_BROWSER in str(report.longrepr) for report in skipped):
        terminalreporter.write_line(
            f"{missed} tests of pages were skipped, since no browser was found: ./test installs one, "
            "and so does: playwright install --with-deps chromium"
        )


@pytest.fixture(scope="session")
def engine_code() -> None:
    """For tests that use the Reversi engine, in this process or in others: it is compiled by the first of them."""
    from engine_code import compile_engine

    compile_engine()


class Command:
    """The installed command, run as a user would run it: a new process, or a fork of one that has imported it."""

    def __init__(self, folder: Path, template: TemplateProcess | None = None) -> None:
        self.folder = folder
        self._template = template

    def __call__(
        self, *args: str, env: dict[str, str] | None = None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        if self._template and not env:
            return self._template.run(args, self.folder, environment(), stdin, timeout=900)
        return subprocess.run(
            [sys.executable, "-m", "plyground.cli.main", *args],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=900,
            cwd=self.folder,
            env=environment() | (env or {}),
            check=False,
        )


def environment() -> dict[str, str]:
    return {**os.environ, "COLUMNS": "200", "NO_COLOR": "1"}


@pytest.fixture(scope="session")
def template() -> Iterator[TemplateProcess | None]:
    if sys.platform != "linux":  # elsewhere there is no fork, or libraries do not live through one
        yield None
        return
    process = TemplateProcess(environment())
    yield process
    process.close()


@pytest.fixture
def command(tmp_path: Path, template: TemplateProcess | None) -> Command:
    return Command(tmp_path, template)


@pytest.fixture
def new_process(tmp_path: Path) -> Command:
    """The command in a new process in any case, where it is about its start."""
    return Command(tmp_path)
