"""Watching a search: the events that an algorithm emits while it runs as plain Python.

An algorithm's source calls the functions below at the places a teacher would point at. In compiled code these calls
vanish. Under a recorder the same function runs interpreted and every call becomes an `Event`. A node's events are
`entered`, then either `evaluated` or `looked_up` if it is a leaf of the search, or else, in a quiescence search after
`stood`, `window` (again whenever it has
changed), `backed_up` after each action, perhaps `skipped` and `cut`, and at last `chose`:

    >>> from plyground.games import make_game
    >>> from plyground.core.recording import record
    >>> from plyground.search.minimax import minimax_value
    >>> from plyground.core.limits import Budget
    >>> game = make_game("nim:piles=1,1")
    >>> value, events = record(minimax_value, game.initial, 2, 0, Budget())
    >>> value, [event.kind for event in events][:4]
    (-1.0, ['entered', 'entered', 'entered', 'evaluated'])
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, ParamSpec, TypeVar

import numpy as np

from plyground.native.compiling import Compiled, interpreted, set_within
from plyground.native.overloads import native

__all__ = [
    "ALPHA_CUT", "BETA_CUT", "CHANCE_CUT", "NEAR_CUT", "Event", "SimulationEvent", "backed_up", "chose", "credited",
    "cut", "descended", "entered", "evaluated", "looked_up", "playout_moved", "proved", "record", "recording",
    "rewarded", "scored", "simulation_started", "skipped", "stood", "unrecorded", "window",
]  # fmt: skip

P = ParamSpec("P")
R = TypeVar("R")


ALPHA_CUT, BETA_CUT, CHANCE_CUT, NEAR_CUT = range(4)
"""Why a node's other actions need not be searched: MIN's value is at most alpha; MAX's is at least beta; what is left
at a chance node cannot bring it back into the window; the value is within a margin of the bound."""

Value = float | tuple[float, ...]


@dataclass(frozen=True)
class Event:
    """One thing that happened in a search.

    `kind` is the name of the function that emitted it. `state` is the node it happened at; what does not apply is None.
    `ply` counts from the search's root, 0. `value` is one number, or one for each player. `window` has alpha and beta
    after it. A `cut` has its `reason`, one of the constants above, and the `bound` that the value has met.
    """

    kind: str
    ply: int
    state: Any
    action: int | None = None
    value: Value | None = None
    alpha: float | None = None
    beta: float | None = None
    reason: int | None = None
    bound: float | None = None


@dataclass
class _Recorder:
    events: list[Event]
    ply: int = -1


_recorder: ContextVar[_Recorder | None] = ContextVar("recorder", default=None)


@contextlib.contextmanager
def recording() -> Iterator[list[Event]]:
    """Inside this context compiled functions run as plain Python and their events are collected."""
    recorder = _Recorder([])
    with set_within(_recorder, recorder), interpreted():
        yield recorder.events


def unrecorded() -> contextlib.AbstractContextManager[object]:
    """Inside this context nothing is collected: for what a search does beforehand and nobody is to watch."""
    return set_within(_recorder, None)


def record(function: Compiled[P, R], *args: P.args, **kwargs: P.kwargs) -> tuple[R, list[Event]]:
    """Run a compiled function as plain Python: its answer, and its events in order."""
    with recording() as events:
        return function(*args, **kwargs), events


def _emit(kind: str, state: Any, *, enter: int = 0, leave: int = 0, **facts: Any) -> None:
    recorder = _recorder.get()
    if recorder is not None:
        recorder.ply += enter
        recorder.events.append(Event(kind, recorder.ply, state, **facts))
        recorder.ply -= leave


def _value(value: Any) -> Value:
    return float(value) if np.ndim(value) == 0 else tuple(map(float, value))


def entered(state: Any) -> None:
    """The search has come to a node."""
    _emit("entered", state, enter=1)


def window(state: Any, alpha: Any, beta: Any) -> None:
    """The window of the node as it stands now: what MAX, and what MIN, is sure of on the path to here."""
    _emit("window", state, alpha=float(alpha), beta=float(beta))


def stood(state: Any, value: Any) -> None:
    """The player to move may stop here with this value, and need not play any of the actions that are looked at."""
    _emit("stood", state, value=_value(value))


def evaluated(state: Any, value: Any) -> None:
    """The node is a leaf of the search, and this is its value; the search leaves it."""
    _emit("evaluated", state, value=_value(value), leave=1)


def looked_up(state: Any, value: Any) -> None:
    """The value was found in a table or a book; the search leaves the node."""
    _emit("looked_up", state, value=_value(value), leave=1)


def backed_up(state: Any, action: Any, value: Any) -> None:
    """The action's value has come back to the node above it."""
    _emit("backed_up", state, action=int(action), value=_value(value))


def skipped(state: Any, action: Any) -> None:
    """The action is left out without looking, by a rule of thumb such as a beam."""
    _emit("skipped", state, action=int(action))


def cut(state: Any, value: Any, reason: int, bound: Any) -> None:
    """The other actions need not be searched: the node's value has met this bound."""
    _emit("cut", state, value=_value(value), reason=int(reason), bound=float(bound))


def chose(state: Any, action: Any, value: Any) -> None:
    """The node is done; this is its best action (-1 where chance moves) and its value; the search leaves the node."""
    _emit("chose", state, action=int(action), value=_value(value), leave=1)


# Monte Carlo tree search -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class SimulationEvent(Event):
    """One thing that happened in a simulation. `node` is a place in the tree; the root's is 0.

    A simulation's events are `simulation_started`; on the way down `scored` for each child that was compared, then
    `descended`; `playout_moved` for each move of the playout; `rewarded` for each player; `credited` for each node on
    the way up, with its `visits` and `total` afterwards; and `proved` where a solver is sure. What does not apply is
    -1 or NaN.
    """

    node: int = -1
    fresh: bool = False
    player: int = -1
    reward: float = math.nan
    mean: float = math.nan
    exploration: float = math.nan
    upper_bound: float = math.nan
    visits: int = -1
    total: float = math.nan


def _emit_simulation(kind: str, state: Any = None, *, ply: Any = None, **facts: Any) -> None:
    recorder = _recorder.get()
    if recorder is not None:
        here = recorder.events[-1].ply if recorder.events else 0
        recorder.events.append(SimulationEvent(kind, here if ply is None else int(ply), state, **facts))


def simulation_started(state: Any) -> None:
    """The next simulation starts, from the root."""
    _emit_simulation("simulation_started", state, ply=0, node=0)


def scored(node: Any, mean: Any, exploration: Any, bound: Any) -> None:
    """Selection has looked at a child: bound = mean + exploration + what a variant adds; infinite if it is proven."""
    facts = {"mean": float(mean), "exploration": float(exploration), "upper_bound": float(bound)}
    _emit_simulation("scored", node=int(node), **facts)


def descended(state: Any, node: Any, ply: Any, fresh: Any) -> None:
    """The simulation has gone down to a node, which is this state; `fresh` if the node is new to the tree."""
    _emit_simulation("descended", state, node=int(node), ply=ply, fresh=bool(fresh))


def playout_moved(state: Any, action: Any) -> None:
    """The playout goes on from this state by this action."""
    _emit_simulation("playout_moved", state, action=int(action))


def rewarded(player: Any, reward: Any) -> None:
    """The result of the simulation to one of the players."""
    _emit_simulation("rewarded", player=int(player), reward=float(reward))


def credited(node: Any, ply: Any, player: Any, reward: Any, visits: Any, total: Any) -> None:
    """A node on the way up has got the reward of this player, and now has these statistics."""
    facts = {"player": int(player), "reward": float(reward), "visits": int(visits), "total": float(total)}
    _emit_simulation("credited", ply=ply, node=int(node), **facts)


def proved(node: Any, reward: Any) -> None:
    """The node is solved: this is its reward to the player who moved there."""
    _emit_simulation("proved", node=int(node), reward=float(reward))


NOTHING: dict[int, Callable[..., None]] = {
    1: lambda a: None,
    2: lambda a, b: None,
    3: lambda a, b, c: None,
    4: lambda a, b, c, d: None,
    6: lambda a, b, c, d, e, f: None,
}
"""What is left of them in compiled code, by how many arguments they have, whatever these are called."""

SEARCH_EVENTS = (entered, stood, window, evaluated, looked_up, backed_up, skipped, cut, chose)
SIMULATION_EVENTS = (simulation_started, scored, descended, playout_moved, rewarded, credited, proved)
for _event in (*SEARCH_EVENTS, *SIMULATION_EVENTS):
    native(_event)(lambda *given: NOTHING[len(given)])
