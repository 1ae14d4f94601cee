"""Which evaluation a search uses at its leaves: the game's own, another that the game names, or the user's.

An evaluation is a function of a state: a guess at what it is worth to the player to move. It may have units of its own;
a search sees to it that wins and losses count more (see `plyground.search.scale`).
"""

from __future__ import annotations

import inspect
import math
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from plyground.core.game import Game
from plyground.core.limits import Budget
from plyground.core.rules import evaluation
from plyground.core.sources import load_module
from plyground.errors import BadOption, BrokenRule, PlygroundError, suggestion
from plyground.native.compiling import interpreted
from plyground.native.dispatch import code_digest, coerced, make_compilable
from plyground.native.kinds import Uncompilable, is_number
from plyground.native.overloads import native
from plyground.search.learned_values import value_function
from plyground.search.scale import LARGEST, Scale

__all__ = [
    "Evaluation",
    "evaluation_function",
    "find_evaluation",
    "leaf_evaluation",
    "on_one_scale",
    "register_evaluation",
]

Evaluation = Callable[[Any], float]
R = TypeVar("R")
_NO_NUMBER = "returns {!r}; it takes a state and returns a number"
LEARNED = ".npz"
"""How files of learned values end."""
EXPLAINED = 20_000
"""How many nodes are searched in plain Python to say where an evaluation goes wrong."""

_REGISTERED: dict[str, Evaluation] = {}
"""The functions in use, by a name with a digest of their code: it is part of the type that code is compiled for."""


def register_evaluation(function: Evaluation) -> str:
    """Make a function known to searches; the answer is the `evaluation` of their variant."""
    name = f"{function.__name__} {code_digest(function)[:16]}"
    _REGISTERED[name] = function
    return name


def find_evaluation(name: str, game: Game) -> str:
    """The `evaluation` of a variant, for a name that `evaluation_function` knows; "" is the game's own."""
    if not name:
        return ""
    function = evaluation_function(name, game)
    try:
        value = function(game.initial)
    except Exception:  # the start need not be a position that is ever judged
        value = 0.0
    if not _is_number(value):
        raise BrokenRule(f"the evaluation {function.__name__} {_NO_NUMBER.format(value)}")
    return register_evaluation(function)


def evaluation_function(name: str, game: Game) -> Evaluation:
    """The function of that name that the game has, that of ``file.py:function``, or learned values from a file."""
    if name in game.evaluations:
        return game.evaluations[name]
    path, _, function = name.rpartition(":")
    if path.endswith(".py") and function:
        found: Any = getattr(load_module(Path(path)), function, None)
        if not inspect.isfunction(inspect.unwrap(found)):
            raise BadOption(f"{path} has no function '{function}'; write: def {function}(state): ...")
        return found  # type: ignore[no-any-return]
    if name.endswith(LEARNED):
        return value_function(Path(name), game)
    if not game.evaluations:
        known = "; it has only its own, or give one as file.py:function"
    else:
        known = suggestion(name, game.evaluations)
        known += f"{'' if known.endswith('?') else '.'} Your own is written file.py:function"
    raise BadOption(f"{game.name} has no evaluation '{name}'{known}")


def leaf_evaluation(state: Any, variant: Any) -> float:
    """What the variant's evaluation says of a state, to the player to move."""
    if not variant.evaluation:
        value: Any = evaluation(state)
    else:
        function = _REGISTERED[variant.evaluation]
        try:
            value = function(coerced(state))  # NumPy's numbers would divide by zero and go on
        except PlygroundError:
            raise
        except Exception as error:
            *_, last = traceback.extract_tb(error.__traceback__)
            place = f" ({Path(last.filename).name}, line {last.lineno})" if last.filename != __file__ else ""
            why = f"{type(error).__name__}: {error}{place}"
            raise BrokenRule(f"{_named(variant)} fails: {why}; it takes a state and returns a number") from error
    if not _is_number(value):
        raise BrokenRule(f"{_named(variant)} {_NO_NUMBER.format(value)}")
    number = float(value)
    if not math.isfinite(number):
        raise BrokenRule(f"{_named(variant)} returns {number}; it must be a finite number")
    return number


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating, np.bool_))


def _named(variant: Any) -> str:
    """The evaluation, as the beginning of a sentence."""
    if not variant.evaluation:
        return "the game's own evaluation"
    return f"the evaluation {_REGISTERED[variant.evaluation].__name__}"


def on_one_scale(
    look: Callable[[Budget], R],
    budget: Budget,
    scale: Scale,
    variant: Any,
    renew: Callable[[], None] = lambda: None,
) -> R:
    """What a search finds when wins and losses count more than every evaluation that it meets.

    ``look(budget)`` searches. If it has met evaluations that are out of range, the scale is stretched, what was
    remembered is given up by `renew`, and it searches again. `BrokenRule` if one of them is not a finite number.
    """
    while True:
        found = look(budget)
        stray = scale.stray
        if stray is None:
            return found
        renew()
        if not abs(stray) <= LARGEST:
            with interpreted():  # where plain Python says what is wrong, and in which line
                look(Budget(EXPLAINED))
            raise BrokenRule(f"{_named(variant)} returns {stray:g}; it must be a finite number of reasonable size")
        scale.stretch()
        renew()
        if budget.stopped:
            return found


@native(leaf_evaluation)
def _leaf_evaluation(state: Any, variant: Any) -> Any:
    if not variant.value.evaluation:
        return lambda state, variant: _as_number(evaluation(state))
    function = _REGISTERED[variant.value.evaluation]

    def leaf(state, variant):  # type: ignore[no-untyped-def]
        return _as_number(function(state))

    make_compilable(leaf)
    return leaf


def _as_number(value: Any) -> float:
    return float(value)


@native(_as_number)
def _as_number_compiled(value: Any) -> Any:
    if not is_number(value):  # Numba would fail later, and say little
        raise Uncompilable(f"an evaluation must return a number, not {value}")
    return lambda value: float(value)
