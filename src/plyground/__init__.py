"""Plyground: adversarial search, readable, visible, playable and fast.

A game is a handful of functions of a state, an algorithm is one function, and both are compiled to machine code when
they meet. The front door, which three imports open:

    make_game, make_player, play, tournament        games, players, and what happens between them
    search, solve, train                            what to play, what is proven, what is learned
    Game, Limit, and the rules by their names       for whoever writes a game or a search
"""

import os
import sys


def _is_the_command() -> bool:
    """Whether this process was started as the command, and not as another program that imports Plyground."""
    program = sys.argv[0] if sys.argv else ""
    if program == "-m":  # as long as the module is being looked for
        return sys.orig_argv[sys.orig_argv.index("-m") + 1] in ("plyground", "plyground.cli.main")
    name = os.path.basename(program)  # noqa: PTH119 - importing pathlib takes long
    return name.partition(".")[0] in ("plyground", "plyground-script")


if _is_the_command():  # before anything else: all that is imported takes long enough to be interrupted
    import _signal  # type: ignore[import-not-found] # built in: the module `signal` would have to be read first

    # They wait for the thousandth of a second that this takes, where the system lets them.
    waiting = hasattr(_signal, "pthread_sigmask")
    before = _signal.pthread_sigmask(_signal.SIG_BLOCK, (_signal.SIGINT, _signal.SIGTERM)) if waiting else ()
    from plyground import signals

    signals.end_at_once()
    if waiting:
        _signal.pthread_sigmask(_signal.SIG_SETMASK, before)

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any

import plyground.rooms  # fills the registries, for whichever module is imported
import plyground.search  # noqa: F401 - see below
from plyground.version import __version__

if TYPE_CHECKING:
    from plyground.arena.play import play, tournament
    from plyground.core.axes import Accepts, Axes
    from plyground.core.game import Game
    from plyground.core.limits import Budget, Limit
    from plyground.core.rules import (
        CHANCE,
        action_buffer,
        action_code,
        action_text,
        actions,
        count_actions,
        distinct_actions,
        drawn_action,
        evaluation,
        evaluation_for,
        grid,
        legal_actions,
        max_actions,
        noisy,
        observation,
        parse_action,
        planes,
        planes_shape,
        playout_action,
        position_code,
        possible_state,
        probability,
        read_position,
        result,
        score,
        state_hash,
        symmetries,
        terminal,
        text,
        to_move,
        transformed,
        transformed_action,
        utility,
        viewer,
        with_item,
    )
    from plyground.games import make_game
    from plyground.games.contract import check_game
    from plyground.learning.train import train, train_td
    from plyground.native.compiling import compiled, interpreted
    from plyground.pictures.board import svg
    from plyground.players import Player, make_player
    from plyground.players.search import search, solve

__all__ = [
    "CHANCE",
    "Accepts",
    "Axes",
    "Budget",
    "Game",
    "Limit",
    "Player",
    "__version__",
    "action_buffer",
    "action_code",
    "action_text",
    "actions",
    "check_game",
    "compiled",
    "count_actions",
    "distinct_actions",
    "drawn_action",
    "evaluation",
    "evaluation_for",
    "grid",
    "interpreted",
    "legal_actions",
    "make_game",
    "make_player",
    "max_actions",
    "noisy",
    "observation",
    "parse_action",
    "planes",
    "planes_shape",
    "play",
    "playout_action",
    "position_code",
    "possible_state",
    "probability",
    "read_position",
    "result",
    "score",
    "search",
    "solve",
    "state_hash",
    "svg",
    "symmetries",
    "terminal",
    "text",
    "to_move",
    "tournament",
    "train",
    "train_td",
    "transformed",
    "transformed_action",
    "utility",
    "viewer",
    "with_item",
]

HOMES = (
    "core.rules",
    "core.axes",
    "core.game",
    "core.limits",
    "games",
    "native.compiling",
    "players",
    "players.search",
    "pictures.board",
    "games.contract",
    "learning.train",
    "arena.play",
)
"""Where the names come from."""


def __getattr__(name: str) -> Any:
    """What the package exports is imported when it is first asked for: the command line and the app start at once."""
    if name in __all__:
        for module in HOMES:
            home = importlib.import_module(f"plyground.{module}")
            if name in home.__all__:
                globals()[name] = getattr(home, name)
                return globals()[name]
    raise AttributeError(f"module 'plyground' has no attribute {name!r}")


class _CallablePackage(ModuleType):
    """The package `plyground.search`, which is the function too: importing a module of it would hide the function."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return importlib.import_module("plyground.players.search").search(*args, **options)


sys.modules["plyground.search"].__class__ = _CallablePackage
