"""Limits on a search, and the budget through which a running search keeps them.

A `Limit` says how much may be spent: time, nodes, depth, simulations; whichever is reached first stops. A `Budget`
is what the search itself holds: it counts nodes and tells when to stop. In compiled code a budget is one pointer.
A `Stop` is for whoever waits: it ends whatever searches run under it, with what they have found until then.
"""

from __future__ import annotations

import contextlib
import contextvars
import threading
import time as clock
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from plyground.core.game_time import ClockFace
from plyground.errors import BadOption
from plyground.native.atomics import load_word, save_word
from plyground.native.overloads import native_attribute, native_method
from plyground.native.pointers import PointedArray

__all__ = ["Budget", "Interrupted", "Limit", "Stop", "ending_with", "run_together"]

T = TypeVar("T")
_UNLIMITED = 2**62
_LONGEST = 1e8


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during a search, which has stopped; `answer` is what it had found until then."""

    def __init__(self, answer: Any) -> None:
        super().__init__()
        self.answer = answer


@dataclass(frozen=True)
class Limit:
    """How much a search may spend. Time in seconds; None means no limit of that kind.

    `clock` is what the clocks of the game show, where it is played with some: `time` is then all that is left.
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    simulations: int | None = None
    clock: ClockFace | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not 0 < self.time <= _LONGEST:
            raise BadOption(f"time must be a positive number of seconds up to {_LONGEST:g}, not {self.time}")
        for name in ("nodes", "depth", "simulations"):
            value = getattr(self, name)
            if value is not None and value < 1:
                raise BadOption(f"{name} must be at least 1, not {value}")

    def within(self, other: Limit) -> Limit:
        """The tighter of two limits, kind by kind."""

        def tighter(a: Any, b: Any) -> Any:
            return min(a, b) if a is not None and b is not None else a if b is None else b

        return Limit(
            tighter(self.time, other.time),
            tighter(self.nodes, other.nodes),
            tighter(self.depth, other.depth),
            tighter(self.simulations, other.simulations),
            self.clock or other.clock,
        )


class Budget(PointedArray, dtype=np.int64):
    """What a running search may still spend.

    The search calls `spend` at every node and unwinds when it answers True: nothing is left. Afterwards `stopped`
    tells that the result is not to be used. Anybody may call `stop`, from any thread.
    """

    def __init__(self, nodes: int | None = None) -> None:
        # Nodes spent and whether one was refused, written by the search; nodes allowed, written by everybody else.
        super().__init__()
        self._words[2] = _UNLIMITED if nodes is None else min(nodes, _UNLIMITED)

    def spend(self) -> bool:
        """Count one node; True, and nothing counted, when the search must stop."""
        if self._words[0] >= self._words[2]:
            self._words[1] = 1
            return True
        self._words[0] += 1
        return False

    def halted(self) -> bool:
        """Whether somebody has called `stop`; for loops that spend nothing but must not outlast the clock."""
        return bool(self._words[2] < 0)

    @property
    def stopped(self) -> bool:
        """Whether the search was refused a node, so that it did not come to its own end."""
        return bool(self._words[1])

    @property
    def nodes(self) -> int:
        """How many nodes have been counted."""
        return int(self._words[0])

    def stop(self) -> None:
        """Tell the search to stop as soon as it can."""
        self._words[2] = -1

    def run(self, function: Callable[[], T], time: float | None = None) -> T:
        """Run a search that holds this budget, stopping it after `time` seconds or at Ctrl-C."""
        return run_together([function], [self], time)[0]


class Stop:
    """A wish for an answer now. It holds for every search under it, those that have not begun yet too."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ends: list[Callable[[], None]] = []
        self.requested = False

    def request(self) -> None:
        """Let all searches under this one end as soon as they can; from any thread, as often as one likes."""
        with self._lock:
            self.requested = True
            for end in self._ends:
                end()

    @contextlib.contextmanager
    def over(self) -> Iterator[None]:
        """What is searched inside ends when this is requested."""
        before = _STOP.set(self)
        try:
            yield
        finally:
            _STOP.reset(before)

    @contextlib.contextmanager
    def _ending_with(self, end: Callable[[], None]) -> Iterator[None]:
        with self._lock:
            self._ends.append(end)
            if self.requested:
                end()
        try:
            yield
        finally:
            with self._lock:
                self._ends.remove(end)


_STOP: contextvars.ContextVar[Stop | None] = contextvars.ContextVar("stop", default=None)


def ending_with(end: Callable[[], None]) -> contextlib.AbstractContextManager[None]:
    """For a search that runs inside: `end` is called, perhaps from another thread, when its answer is wanted."""
    stop = _STOP.get()
    return contextlib.nullcontext() if stop is None else stop._ending_with(end)


def run_together(functions: Sequence[Callable[[], T]], budgets: Sequence[Budget], time: float | None = None) -> list[T]:
    """Run searches that hold these budgets, each in a thread; end them after `time` seconds, at Ctrl-C or by a `Stop`.

    The searches run without the interpreter's lock, so that this thread can watch the clock and the keyboard.
    """
    answers: dict[int, T] = {}
    failures: list[BaseException] = []

    def work(number: int, context: contextvars.Context) -> None:
        try:
            answers[number] = context.run(functions[number])
        except BaseException as error:  # handed on to the caller below
            failures.append(error)

    def stop() -> None:
        for budget in budgets:
            budget.stop()

    deadline = None if time is None else clock.monotonic() + time
    # A copy of the context each: `interpreted` and `recording` hold in the threads too.
    threads = [
        threading.Thread(target=work, args=(number, contextvars.copy_context()), daemon=True)
        for number in range(len(functions))
    ]
    try:
        with ending_with(stop):
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(None if deadline is None else max(0.0, deadline - clock.monotonic()))
            if deadline is not None and any(thread.is_alive() for thread in threads):
                stop()
            for thread in threads:
                thread.join()
    except KeyboardInterrupt:  # it may come while threads are being started
        stop()
        for thread in threads:
            if thread.ident is not None:
                thread.join()
        raise
    if failures:
        raise failures[0]
    return [answers[number] for number in range(len(functions))]


_REFUSED, _ALLOWED = np.uint64(8), np.uint64(16)
"""In bytes from the nodes spent, which come first."""


@native_method(Budget, "spend")
def _spend(budget: Any) -> Any:
    def impl(budget):  # type: ignore[no-untyped-def]
        nodes = np.int64(load_word(budget.address))
        if nodes >= np.int64(load_word(budget.address + _ALLOWED)):
            save_word(budget.address + _REFUSED, np.uint64(1))
            return True
        save_word(budget.address, np.uint64(nodes + 1))
        return False

    return impl


@native_method(Budget, "halted")
def _halted(budget: Any) -> Any:
    return lambda budget: np.int64(load_word(budget.address + _ALLOWED)) < 0


@native_attribute(Budget, "stopped")
def _stopped(budget: Any) -> Any:
    return lambda budget: load_word(budget.address + _REFUSED) != 0
