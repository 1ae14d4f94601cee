"""Watching a search: the events that an algorithm emits while it runs as plain Python.

An algorithm's source calls `entered`, `evaluated`, `backed_up` and `chose` at the places a teacher would point at.
In compiled code these calls vanish. Under a recorder the same function runs interpreted and every call becomes an
`Event`:

    >>> from plyground.games import make_game
    >>> from plyground.recording import record
    >>> from plyground.search.minimax import minimax_value
    >>> from plyground.limits import Budget
    >>> game = make_game("nim:piles=1,1")
    >>> value, events = record(minimax_value, game.initial, 2, 0, Budget())
    >>> value, [event.kind for event in events][:4]
    (-1.0, ['entered', 'entered', 'entered', 'evaluated'])
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

from plyground.compiling import Compiled, interpreted
from plyground.native import native

__all__ = ["Event", "backed_up", "chose", "entered", "evaluated", "record", "recording"]

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Event:
    """One thing that happened in a search.

    `kind` is the name of the function that emitted it. `state` is the node it happened at; `action` and `value` are
    None where they do not apply. `ply` counts from the search's root, 0.
    """

    kind: str
    ply: int
    state: Any
    action: int | None = None
    value: float | None = None


@dataclass
class _Recorder:
    events: list[Event]
    ply: int = -1


_recorder: ContextVar[_Recorder | None] = ContextVar("recorder", default=None)


@contextlib.contextmanager
def recording() -> Iterator[list[Event]]:
    """Inside this context compiled functions run as plain Python and their events are collected."""
    recorder = _Recorder([])
    token = _recorder.set(recorder)
    try:
        with interpreted():
            yield recorder.events
    finally:
        _recorder.reset(token)


def record(function: Compiled[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, list[Event]]:
    """Run a compiled function as plain Python: its answer, and its events in order."""
    with recording() as events:
        return function(*args, **kwargs), events


def _emit(kind: str, state: Any, action: Any = None, value: Any = None, *, enter: int = 0, leave: int = 0) -> None:
    recorder = _recorder.get()
    if recorder is not None:
        recorder.ply += enter
        number = None if value is None else float(value)
        recorder.events.append(Event(kind, recorder.ply, state, None if action is None else int(action), number))
        recorder.ply -= leave


def entered(state: Any) -> None:
    """The search has come to a node."""
    _emit("entered", state, enter=1)


def evaluated(state: Any, value: Any) -> None:
    """The node is a leaf of the search, and this is its value; the search leaves it."""
    _emit("evaluated", state, value=value, leave=1)


def backed_up(state: Any, action: Any, value: Any) -> None:
    """The action's value has come back to the node above it."""
    _emit("backed_up", state, action, value)


def chose(state: Any, action: Any, value: Any) -> None:
    """All actions are searched; this is the best one, and the node's value; the search leaves the node."""
    _emit("chose", state, action, value, leave=1)


@native(entered)
def _entered(state: Any) -> Any:
    return lambda state: None


@native(evaluated)
def _evaluated(state: Any, value: Any) -> Any:
    return lambda state, value: None


@native(backed_up)
@native(chose)
def _backed_up(state: Any, action: Any, value: Any) -> Any:
    return lambda state, action, value: None
