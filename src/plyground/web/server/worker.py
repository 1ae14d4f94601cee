"""A process in which searches for visitors run, one at a time.

    python -m plyground.web.server.worker MEMORY NICENESS NAMED

Each line of its input is a piece of work as JSON, ``{"job": 3, "do": "games.choosing:choose_move", ...}``, or
``{"stop": 3}``, or what is wanted differently meanwhile, ``{"wish": 3, "tree": ["en"]}``, or a game that is left by
programs which are kept for it, ``{"leave": "game"}``. Each line of its output has the number of a piece of work, a
letter and JSON:

    e   an event on the way
    d   done, with the answer
    x   refused, with the line that says why and its code
    s   stopped, as was asked for
    f   failed, with what went wrong; the whole story is on the standard error stream

The code and the players that one piece of work has needed are kept for the next. When the input ends, so does it.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import queue
import signal
import sys
import threading
import traceback
from functools import partial
from typing import Any

from plyground.web.server.threads import find_task

NOBODYS = -2
"""The number of work whose answer nobody waits for."""


class Desk:
    """Where work comes in and answers go out; a thread reads, the main thread works."""

    def __init__(self) -> None:
        self._out = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # what anything prints is not mistaken for an answer
        self._work: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self.running = -1
        self.unwanted = -1
        self._wishes: dict[int, dict[str, Any]] = {}

    def listen(self) -> None:
        """Take in lines until there are no more, then end the process, whatever it is doing."""
        for line in sys.stdin.buffer:
            message = json.loads(line)
            if "wish" in message:
                self._wishes.setdefault(message.pop("wish"), {}).update(message)
            elif "leave" in message:
                self._work.put({"job": NOBODYS, "do": "server.preparing:leave_table", "table": message["leave"]})
            elif "stop" in message:
                self.unwanted = message["stop"]
                if self.running == self.unwanted:
                    with contextlib.suppress(ProcessLookupError, AttributeError):
                        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
            else:
                self._work.put(message)
        os._exit(0)

    def interrupted(self, *_: object) -> None:
        """The signal's handler: it may come late, when the work is done already."""
        if self.running == self.unwanted:
            raise KeyboardInterrupt

    def send(self, job: int, letter: str, content: Any) -> None:
        """Write a line, from any thread."""
        text = json.dumps(without_infinities(content), ensure_ascii=False, separators=(",", ":"))
        data = f"{job} {letter} {text}\n".encode("utf-8", "replace")
        with self._lock:
            self._out.write(data)
            self._out.flush()

    def work(self) -> None:
        """Do what comes in."""
        from plyground.errors import PlygroundError
        from plyground.native.compiling import on_compile
        from plyground.web.server.events import Sender

        find_task("games.choosing:choose_move")  # what most searches need is there before the first of them

        def compiling(what: str, starting: bool) -> None:
            if self.running >= 0:
                self.send(self.running, "e", {"event": "compiling", "what": what if starting else None})

        with on_compile(compiling):
            while True:
                message = self._work.get()
                job, do = message.pop("job"), message.pop("do")
                letter, answer = "s", None
                try:
                    self.running = job
                    if self.unwanted != job:
                        wishes = self._wishes.setdefault(job, {})
                        answer = find_task(do)(Sender(partial(self.send, job, "e"), wishes), **message)
                        letter = "d"
                    self.running = -1
                except KeyboardInterrupt:
                    letter = "s"
                except PlygroundError as error:
                    letter, answer = "x", (str(error), type(error).__name__)
                except MemoryError:
                    letter, answer = "x", ("the search needs more memory than the server gives it", "memory")
                except Exception as error:  # a fault of ours, which costs this piece of work only
                    traceback.print_exc()
                    letter, answer = "f", f"{type(error).__name__}: {error}"
                self.running = -1
                for over in [number for number in self._wishes if number <= job]:
                    self._wishes.pop(over, None)
                self.send(job, letter, answer)


def without_infinities(value: Any) -> Any:
    """JSON has no infinities and no NaN: they become null."""
    if isinstance(value, dict):
        return {key: without_infinities(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [without_infinities(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.item() if hasattr(value, "item") else value


def main(memory: str, niceness: str, named: str) -> None:
    """Work until the input ends; `named` is what was named at the server's start, see `Named`, as JSON."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (int(memory), int(memory)))
    with contextlib.suppress(AttributeError, OSError):
        os.nice(int(niceness))
    desk = Desk()
    if facts := json.loads(named):
        from plyground.web.server.settings import Named
        from plyground.web.server.specs import serve

        players = tuple((name, spec) for name, spec in facts["players"])
        serve(Named(tuple(facts["games"]), players, tuple(facts["hand_ins"]), facts["cage"]))
    signal.signal(signal.SIGINT, desk.interrupted)
    threading.Thread(target=desk.listen, daemon=True).start()
    desk.work()


if __name__ == "__main__":
    main(*sys.argv[1:])
