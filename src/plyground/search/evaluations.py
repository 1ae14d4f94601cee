"""Which evaluation a search uses at its leaves: the game's own, another that the game names, or the user's.

An evaluation is a function of a state: a guess at what it is worth to the player to move, strictly inside the range of
the game's utilities.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.errors import BadOption, BrokenRule, PlygroundError, suggestion
from plyground.game import Game, evaluation
from plyground.native import native
from plyground.rules import code_digest, make_compilable
from plyground.sources import load_module

__all__ = ["Evaluation", "evaluation_function", "find_evaluation", "leaf_evaluation", "register_evaluation"]

Evaluation = Callable[[Any], float]

_REGISTERED: dict[str, Evaluation] = {}
"""The functions in use, by a name with a digest of their code: it is part of the type that code is compiled for."""


def register_evaluation(function: Evaluation) -> str:
    """Make a function known to searches; the answer is the `evaluation` of their variant."""
    name = f"{function.__name__} {code_digest(function)[:16]}"
    _REGISTERED[name] = function
    return name


def find_evaluation(name: str, game: Game) -> str:
    """The `evaluation` of a variant, for a name that the game knows, or ``file.py:function``; "" is the game's own."""
    return register_evaluation(evaluation_function(name, game)) if name else ""


def evaluation_function(name: str, game: Game) -> Evaluation:
    """The function of that name that the game has, or of ``file.py:function``."""
    if name in game.evaluations:
        return game.evaluations[name]
    path, _, function = name.rpartition(":")
    if path.endswith(".py") and function:
        found: Any = getattr(load_module(Path(path)), function, None)
        if not inspect.isfunction(inspect.unwrap(found)):
            raise BadOption(f"{path} has no function '{function}'; write: def {function}(state): ...")
        return found  # type: ignore[no-any-return]
    if not game.evaluations:
        known = "; it has only its own, or give one as file.py:function"
    else:
        known = suggestion(name, game.evaluations)
        known += f"{'' if known.endswith('?') else '.'} Your own is written file.py:function"
    raise BadOption(f"{game.name} has no evaluation '{name}'{known}")


def leaf_evaluation(state: Any, variant: Any) -> float:
    """What the variant's evaluation says of a state, to the player to move."""
    if not variant.evaluation:
        return float(evaluation(state))
    function = _REGISTERED[variant.evaluation]
    try:
        return float(function(state))
    except PlygroundError:
        raise
    except Exception as error:
        *_, last = traceback.extract_tb(error.__traceback__)
        place = f" ({Path(last.filename).name}, line {last.lineno})" if last.filename != __file__ else ""
        raise BrokenRule(
            f"the evaluation {function.__name__} fails: {type(error).__name__}: {error}{place}; "
            "it takes a state and returns a number"
        ) from error


@native(leaf_evaluation)
def _leaf_evaluation(state: Any, variant: Any) -> Any:
    if not variant.value.evaluation:
        return lambda state, variant: float(evaluation(state))
    function = _REGISTERED[variant.value.evaluation]

    def leaf(state, variant):  # type: ignore[no-untyped-def]
        return float(function(state))

    make_compilable(leaf)
    return leaf
