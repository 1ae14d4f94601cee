"""The app served by the command, as a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path


class Server:
    """A running server: its address, its process, and what it prints.

    Without `ahead` it compiles only what somebody asks for: most tests need little of what pages may need next.
    """

    def __init__(self, folder: Path, *arguments: str, open_files: int | None = None, ahead: bool = False) -> None:
        self.errors = folder / "errors.txt"
        command = [sys.executable, "-m", "plyground.cli.main", "web", "--no-browser", "--db", str(folder / "games.db")]
        if not ahead:
            command.append("--no-compile-ahead")
        if open_files is not None:
            command = ["sh", "-c", 'ulimit -n "$0" && exec "$@"', str(open_files), *command]
        with self.errors.open("a") as errors:
            self.process = subprocess.Popen(
                [*command, *arguments], cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
                text=True, env=os.environ,
            )  # fmt: skip
        assert self.process.stdout is not None
        self.greeting = self.process.stdout.readline()
        found = re.search(r"http://\S+:\d+", self.greeting)
        assert found, self.errors.read_text()
        self.address = found[0]

    def stop(self, how: int = signal.SIGINT) -> int:
        """End it as Ctrl-C does; its exit status."""
        self.process.send_signal(how)
        try:
            status = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        assert self.process.stdout is not None
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def serving(folder: Path, *arguments: str, open_files: int | None = None, ahead: bool = False) -> Iterator[Server]:
    """A server on a free port, ended at the end; whatever it has printed is not a traceback."""
    server = Server(folder, *(arguments or ("--port", "0")), open_files=open_files, ahead=ahead)
    try:
        yield server
    finally:
        if server.process.poll() is None:
            server.stop()
        elif server.process.stdout is not None:
            server.process.stdout.close()
    assert "Traceback" not in server.errors.read_text()
