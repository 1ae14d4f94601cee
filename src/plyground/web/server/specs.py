"""Which games and players visitors may name. Nothing that reads files, starts programs or takes all memory."""

from __future__ import annotations

import functools
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from plyground.arena.copies import named_files
from plyground.arena.hall import enter_players, has_files
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.played_game import PlayerEntry
from plyground.core.registry import split_spec
from plyground.errors import BadOption, PlygroundError, UnknownName, UnsuitableGame, suggestion
from plyground.games import GAMES, make_game
from plyground.players import PLAYERS, make_player
from plyground.players.alphabeta import memory_size
from plyground.web.server.own_players import accepted_by
from plyground.web.server.settings import Named

__all__ = [
    "HUMAN",
    "PLAYABLE",
    "PROGRAMS",
    "allowed_game",
    "allowed_player",
    "cage_mode",
    "enter_allowed",
    "hand_ins",
    "lone_files",
    "own_limit",
    "own_players",
    "own_spec",
    "serve",
    "serve_games",
    "served_games",
]

HUMAN = "human"
HIDDEN = ("kuhn", "leduc", "battleship", "minibridge")
"""Games of imperfect information, which have a page of their own: at a table everybody would see everything."""
PLAYABLE = tuple(name for name in GAMES if name not in ("tree", "openspiel", "aima", "pacman", *HIDDEN))
"""The games that anybody can name; others are read from files, or made by other programs."""
ELSEWHERE = ("book", "believer", "cfr", "pimc", "ismcts", "gunner", "gtp", "uci", "nboard", "course", "aima")
"""Players that read files or start programs, and those for hidden information."""
PROGRAMS = tuple(name for name in PLAYERS if name != "human" and name not in ELSEWHERE)
"""The players that need nothing but the game."""
LONGEST_SPEC = 300
FORBIDDEN = {
    **dict.fromkeys(
        ("endgame", "file", "network", "model", "weights", "policy", "value"),
        "files of the server cannot be named here",
    ),
    "ponder": "thinking while the other side chooses is not for the app",
    "clock": "set the clock of the game instead",
}
MOST_MEGABYTES = 512.0
LIMITS = ("time", "depth", "nodes", "simulations", "level")
UNLIMITED_TIME = 10.0
"""For players of which nothing is known: a tenth of it is less than what they take by themselves."""


_served: dict[str, str] = {}
"""What a game is called here, and its spec."""
_named: list[Named] = [Named()]
_lone_files: list[frozenset[Path]] = [frozenset()]
_own_specs: dict[str, str] = {}
"""What a player is called here, and its spec."""


def serve(named: Named) -> None:
    """Let visitors have what was named when the server was started."""
    _named[0] = named
    _own_specs.clear()
    _own_specs.update(named.players)
    files = [file for name in named.hand_ins for file in named_files(split_spec(_own_specs[name])[1])]
    holds = Counter(folder for file in set(files) for folder in file.parents)
    _lone_files[0] = frozenset(file for file in files if holds[file.parent] > 1)
    _accepted.cache_clear()
    serve_games(named.games)


def own_players(game: Game | None = None) -> tuple[str, ...]:
    """The names of the players that were named when the server was started; with a game, of those who can play it."""
    return tuple(name for name in _own_specs if game is None or _plays(name, game))


def own_spec(name: str) -> str | None:
    """What stands behind such a name; None if it is none."""
    return _own_specs.get(name.strip())


def lone_files() -> frozenset[Path]:
    """The files of hand-ins that lie in one folder with other hand-ins, which their programs must not see."""
    return _lone_files[0]


def hand_ins() -> tuple[str, ...]:
    """The names of those players that are the class's."""
    return _named[0].hand_ins


def cage_mode() -> str:
    """The wall around somebody's programs."""
    return _named[0].cage


_accepted = functools.lru_cache(maxsize=1024)(accepted_by)


def _plays(name: str, game: Game) -> bool:
    try:
        return _accepted(_own_specs[name]).obstacle_in(game) is None
    except PlygroundError:  # its file is gone
        return False


def serve_games(specs: Sequence[str]) -> None:
    """Let visitors play games besides those that are always there: files, and games of OpenSpiel.

    A file is called by its name without its folder.
    """
    _served.clear()
    _served.update({Path(spec).name if spec.endswith((".py", ".json")) else spec: spec for spec in specs})
    allowed_game.cache_clear()
    allowed_player.cache_clear()


def served_games() -> tuple[str, ...]:
    """What the games are called that were named when the server was started."""
    return tuple(_served)


@functools.lru_cache(maxsize=256)
def allowed_game(spec: str) -> Game:
    """The game of a spec that a visitor has sent."""
    if spec.strip() in _served:
        return make_game(_served[spec.strip()])
    name = _short(spec).partition(":")[0].strip()
    if name not in PLAYABLE:
        raise UnknownName(f"there is no game '{name[:40]}' here{suggestion(name, (*PLAYABLE, *_served))}")
    return make_game(spec)


@functools.lru_cache(maxsize=1024)
def allowed_player(spec: str, game_spec: str) -> str:
    """The spec itself if a visitor may use it in this game; a person is a player too, and who was named at the start.

    Of the latter the name is the whole spec: what stands behind it is not for visitors to change.
    """
    game = allowed_game(game_spec)
    if (own := own_spec(spec)) is not None:
        if obstacle := _accepted(own).obstacle_in(game):
            raise UnsuitableGame(f"{spec.strip()} cannot play {game.name}: {obstacle}")
        return spec.strip()
    name, options = split_spec(_short(spec))
    if name == HUMAN:
        if options:
            raise BadOption("a person has no options; write human")
        return HUMAN
    if name not in PROGRAMS:
        raise UnknownName(f"there is no player '{name[:40]}' here{suggestion(name, (HUMAN, *PROGRAMS, *_own_specs))}")
    for option, why in FORBIDDEN.items():
        if option in options:
            raise BadOption(f"{name}: {option}: {why}")
    if options.get("evaluation") and options["evaluation"] not in game.evaluations:
        known = ", ".join(game.evaluations) or "none"
        raise BadOption(f"{name}: {game.name} has no evaluation '{options['evaluation'][:40]}'; it has: {known}")
    for option in ("tt", "table"):
        if option in options and memory_size(options[option], f"{name}: {option}") > MOST_MEGABYTES * 1e6:
            raise BadOption(f"{name}: {option} may be at most {MOST_MEGABYTES:g}MB here")
    _check_number(name, options, "memory", MOST_MEGABYTES)
    _check_number(name, options, "threads", max(1, os.cpu_count() or 1))
    make_player(spec, game).close()
    return spec.strip()


def enter_allowed(specs: Sequence[str], game: Game) -> tuple[PlayerEntry, ...]:
    """The players of allowed specs as they are entered in a tournament and kept in the database.

    Of a player that was named at the start the name is all that is written there; its digest is that of its files.
    """
    own = {name.strip(): found for name in specs if (found := own_spec(name)) is not None}
    entries = enter_players([f"{name}={own[name.strip()]}" if name.strip() in own else name for name in specs], game)
    return tuple(replace(entry, spec=entry.name) if entry.name in own else entry for entry in entries)


def own_limit(spec: str, longest: float) -> Limit:
    """The limit that a program is given on top of its own, in a game without a clock."""
    own = own_spec(spec)
    if own is not None and has_files(own):  # the course's referee gives as much
        return Limit(time=longest)
    given = split_spec(own or spec)[1]
    return Limit(time=longest if any(option in given for option in LIMITS) else UNLIMITED_TIME)


def _short(spec: str) -> str:
    if len(spec) > LONGEST_SPEC:
        raise BadOption(f"a spec has at most {LONGEST_SPEC} characters")
    if not re.fullmatch(r"[\x20-\x7e]*", spec):
        raise BadOption("a spec is written in plain letters, such as mcts:time=1")
    return spec


def _check_number(name: str, options: dict[str, str], option: str, most: float) -> None:
    try:
        value = float(options.get(option, "0"))
    except ValueError:
        return  # the player itself says what is wrong
    if value > most:
        raise BadOption(f"{name}: {option} may be at most {most:g} here, not {value:g}")
