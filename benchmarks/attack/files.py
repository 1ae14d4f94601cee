"""Mutated files of every format, and small ones of large cost: 20,000 and more, read in child processes.

A child may take a limited time and memory for each file. ``python -m benchmarks.attack.files [MUTATIONS]`` prints what
has failed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

__all__ = ["attacks"]

MUTATIONS = 820
"""Of each format: of twenty-eight formats more than 20,000."""
PART = 410
"""Mutations that a child reads, one after the other."""
SECONDS = 20.0
"""For one file; a database may take some seconds until it is ended."""
MEMORY = 768 << 20
"""Bytes that reading one file may add."""
CHILDREN = os.cpu_count() or 1
ROOT = Path(__file__).parent.parent.parent


def attacks(mutations: int = MUTATIONS) -> Iterator[tuple[str, bool, str]]:
    """What was tried, whether it was read or refused in one line, and what happened otherwise."""
    from benchmarks.attack.hostile_files import BOMBS, FORMATS

    jobs = [(kind.name, first, min(first + PART, mutations)) for first in range(0, mutations, PART) for kind in FORMATS]
    jobs += [(kind, -1, number) for number, (kind, _) in enumerate(BOMBS)]
    with ThreadPoolExecutor(CHILDREN) as pool:
        for found in pool.map(lambda job: list(_outcomes(*job)), jobs):
            yield from found


def _outcomes(kind: str, first: int, end: int) -> Iterator[tuple[str, bool, str]]:
    """What a child says of its files; one that ends or hangs has failed at a file, and another goes on after it."""
    while first < end:
        done = first
        for name, fault in _child(kind, first, end):
            yield f"{kind}: {name}", not fault, fault
            done += 1
        if first < 0 or done >= end:
            return
        first = done


def _child(kind: str, first: int, end: int) -> Iterator[tuple[str, str]]:
    command = [sys.executable, "-m", "benchmarks.attack.files", "--child", kind, str(first), str(end)]
    name = ""
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=said, text=True) as child,
    ):
        # The child stops itself where Python runs; this is for code that does not come back.
        watch = threading.Timer(3 * SECONDS, child.kill)
        watch.start()
        for line in child.stdout or ():
            watch.cancel()
            watch = threading.Timer(3 * SECONDS, child.kill)
            watch.start()
            fact: dict[str, Any] = json.loads(line)
            if "fault" in fact:
                yield name, fact["fault"]
                name = ""
            else:
                name = fact["name"]
        watch.cancel()
        status = child.wait()
        if status or name:
            said.seek(0)
            yield name or "start", f"the process ended with {status}: {said.read()[-300:]}"


def _read_files(kind_name: str, first: int, end: int) -> None:
    """The child: read the mutations of a format, or a bomb if `first` is -1."""
    import resource
    import signal

    from benchmarks.attack.hostile_files import BOMBS, FORMATS, attempt, mutated

    kind = next(kind for kind in FORMATS if kind.name == kind_name)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / (kind.suffix if not kind.suffix.startswith(".") else f"sample{kind.suffix}")
        kind.write(path)
        sample = path.read_bytes()
        for other in folder.iterdir():
            other.unlink()
        attempt(kind, sample, folder)  # whatever is loaded or compiled only once
        if first < 0:
            files = [(what, make(sample)) for (_, what), make in list(BOMBS.items())[end : end + 1]]
        else:
            files = [(str(number), b"") for number in range(first, end)]
        held = _held()
        resource.setrlimit(resource.RLIMIT_DATA, (held + MEMORY, resource.RLIM_INFINITY))
        signal.signal(signal.SIGALRM, _late)
        for what, content in files:
            print(json.dumps({"name": what}), flush=True)
            data = content or mutated(sample, int(what), kind.seal)
            signal.setitimer(signal.ITIMER_REAL, SECONDS)
            try:
                fault = attempt(kind, data, folder)
            except BaseException as error:
                fault = f"{type(error).__name__}: {str(error)[:200]}"
            signal.setitimer(signal.ITIMER_REAL, 0)
            print(json.dumps({"fault": fault}), flush=True)


class _Late(BaseException):
    """A file has taken too long; no reader may take it for a fault of the file."""


def _late(number: int, frame: Any) -> None:
    raise _Late(f"longer than {SECONDS:g} s")


def _held() -> int:
    """Bytes of data that this process has now."""
    told = Path("/proc/self/status").read_text()
    return next(int(line.split()[1]) for line in told.splitlines() if line.startswith("VmData:")) << 10


def _main(arguments: list[str]) -> None:
    if arguments[:1] == ["--child"]:
        _read_files(arguments[1], int(arguments[2]), int(arguments[3]))
        return
    tried = failed = 0
    for name, survived, detail in attacks(int(arguments[0]) if arguments else MUTATIONS):
        tried += 1
        if not survived:
            failed += 1
            print(f"{name}: {detail}", flush=True)
    print(f"{tried:,} tried, {tried - failed:,} survived, {failed:,} failed")


if __name__ == "__main__":
    _main(sys.argv[1:])
