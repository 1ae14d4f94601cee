"""The command in processes that have imported it already: a new interpreter spends most of its time on imports.

A process imports Plyground, and waits. For each command it forks, and the fork becomes what `python -m plyground.cli`
is: its own folder, environment, streams, module state and exit status. Run as a program, this file is that process.
"""

from __future__ import annotations

import atexit
import functools
import gc
import importlib
import json
import os
import pkgutil
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from pathlib import Path
from typing import Any


class TemplateProcess:
    """Runs commands one after the other, each in a fork of one process, which was started with this environment."""

    def __init__(self, env: dict[str, str]) -> None:
        self._env = env
        self._start()

    def _start(self) -> None:
        self._socket, other = socket.socketpair()
        self._answers = self._socket.makefile()
        with other:
            self._process = subprocess.Popen(
                [sys.executable, __file__, str(other.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                env=self._env,
                pass_fds=[other.fileno()],
                start_new_session=True,
            )

    def run(
        self, args: tuple[str, ...], cwd: Path, env: dict[str, str], stdin: str, timeout: float
    ) -> subprocess.CompletedProcess[str]:
        with tempfile.TemporaryDirectory() as folder:
            streams = [Path(folder, name) for name in ("stdin", "stdout", "stderr")]
            streams[0].write_text(stdin, encoding="utf-8")
            request = {"args": args, "cwd": str(cwd), "env": env, "streams": [str(path) for path in streams]}
            self._socket.settimeout(timeout)
            self._socket.sendall(json.dumps(request).encode() + b"\n")
            try:
                status = int(self._answers.readline())
            except TimeoutError:
                os.killpg(self._process.pid, signal.SIGKILL)
                self.close()
                self._start()  # the other tests go on
                raise
            stdout, stderr = (path.read_text(encoding="utf-8") for path in streams[1:])
        return subprocess.CompletedProcess(args, os.waitstatus_to_exitcode(status), stdout, stderr)

    def close(self) -> None:
        self._answers.close()
        self._socket.close()
        self._process.wait(60)


def serve(channel: socket.socket) -> dict[str, Any] | None:
    """Fork for every request; a request is returned in the fork alone, and None once nobody asks any more."""
    with channel, channel.makefile() as requests:
        for line in requests:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # later versions of Python warn about forks of programs with threads
                fork = os.fork()
            if fork == 0:
                request: dict[str, Any] = json.loads(line)
                return request
            _, status = os.waitpid(fork, 0)
            channel.sendall(f"{status}\n".encode())
    return None


def become_the_command(args: list[str], cwd: str, env: dict[str, str], streams: list[str]) -> None:
    for number, path in enumerate(streams):
        opened = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.dup2(opened, number)
        os.close(opened)
    os.environ.clear()
    os.environ.update(env)
    os.chdir(cwd)
    sys.path[0] = cwd
    sys.argv[1:] = args
    del sys.modules["plyground.cli.main"]
    try:
        runpy.run_module("plyground.cli.main", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        leave(end.code if isinstance(end.code, int) else 0)


def leave(status: int) -> None:
    """End as a program ends, but let the system clear the memory at once: Python would go through every object."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def warm_up() -> None:
    """Import what commands need, and have the compiler ready; nothing of Plyground is compiled or loaded."""
    import numba
    import typer.main

    import plyground

    for module in pkgutil.walk_packages(plyground.__path__, "plyground."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
    numba.njit(lambda number: number + 1)(1)
    # Half of a short command is spent on the annotations of all commands, which are the same in every fork.
    typer.main.get_params_from_function = functools.cache(typer.main.get_params_from_function)
    plyground.cli.main.app(["games"], standalone_mode=False)
    gc.freeze()


if __name__ == "__main__":
    warm_up()
    if request := serve(socket.socket(fileno=int(sys.argv[1]))):
        become_the_command(**request)
