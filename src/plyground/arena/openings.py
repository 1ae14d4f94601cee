"""Openings for matches: varied, so that no game is played twice, and balanced, so that the better player can win.

An opening is a text of moves from the initial state, such as ``f5 d6 c3``. Each is played twice, with colours swapped.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from plyground.arena.referee import quick_actions
from plyground.core.files import read_text
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.notation import read_moves
from plyground.core.rules import action_text, actions, result, to_move, utility
from plyground.errors import ActionError, BadOption, FormatError
from plyground.games.reversi import on_8x8
from plyground.native.compiling import compiled, interpreted
from plyground.native.randomness import random_below, stream
from plyground.search.playout import playout

__all__ = ["choose_openings", "default_plies", "random_openings", "read_openings"]

REVERSI_PLIES, OTHER_PLIES = 8, 2
SHORT, SAMPLES = 12, 10
"""A game that ends within so many moves, in as many random games, is decided by its first ones: it begins with none."""
NAMES = 0x09E1165
"""The stream of a tournament's seed that openings are drawn from."""
DISCS = 4
"""By how many discs a Reversi opening may be better for one side, after the search `SEARCH`."""
SEARCH = Limit(depth=6)
TABLE = 1_000_000
MARGIN = 0.5
"""The same for other games: the mean utility of `PLAYOUTS` random games."""
PLAYOUTS = 100
TRIES = 300
"""After this many in a row that are not balanced, or there already, no further ones are looked for."""


def choose_openings(game: Game, source: str, count: int, seed: int) -> list[str]:
    """`count` openings of a source: a number of random moves, or a file with an opening in each line.

    They are used again from the first one if there are not enough.
    """
    if source.isascii() and source.isdigit():
        found = random_openings(game, count, int(source), seed)
    else:
        found = read_openings(game, source)
    return [found[number % len(found)] for number in range(count)]


def default_plies(game: Game) -> int:
    """How many random moves a game begins with if no number is given; always the same for a game."""
    if on_8x8(game):
        return REVERSI_PLIES
    rng = stream(0, NAMES)
    with interpreted():
        return 0 if all(_is_over_soon(game.initial, rng) for _ in range(SAMPLES)) else OTHER_PLIES


def _is_over_soon(state: Any, rng: Any) -> bool:
    for _ in range(SHORT):
        if not (options := actions(state)):
            return True
        state = result(state, options[random_below(rng, len(options))])
    return not actions(state)


def read_openings(game: Game, path: str | Path) -> list[str]:
    """The openings of a text file: one in each line, empty lines and those with a # in front aside."""
    try:
        lines = read_text(path, "file of openings").splitlines()
    except FormatError as error:
        raise BadOption(f"{error}; give a number of moves, or a text file") from None
    found = []
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            states, history = read_moves(game, line)
        except ActionError as error:
            raise BadOption(f"{path}, line {number}: {error}") from None
        if not actions(states[-1]):
            raise BadOption(f"{path}, line {number}: the game is over after these moves; nothing is left to play")
        found.append(" ".join(map(action_text, states, history)))
    if not found:
        raise BadOption(f"there is no opening in {path}; write the moves of one in each line, such as f5 d6 c3")
    return found


def random_openings(game: Game, count: int, plies: int, seed: int) -> list[str]:
    """Up to this many different openings of random moves after which neither side is much better off; at least one."""
    if plies == 0:
        return [""]
    rng = stream(seed, NAMES)
    balanced, listed = _judge(game, rng), quick_actions(game)
    found: dict[Any, str] = {}
    unbalanced, tries = "", 0
    while len(found) < count and tries < TRIES:
        tries += 1
        state, moves = game.initial, list[str]()
        while len(moves) < plies and (options := listed(state)):
            action = options[random_below(rng, len(options))]
            moves.append(action_text(state, action))
            state = result(state, action)
        if len(moves) < plies or not listed(state):
            continue
        unbalanced = unbalanced or " ".join(moves)
        if state not in found and balanced(state):
            found[state] = " ".join(moves)
            tries = 0
    if not found and not unbalanced:
        raise BadOption(f"{game.name} is over within {plies} random moves; begin with fewer, or with 0")
    return list(found.values()) or [unbalanced]


def _judge(game: Game, rng: Any) -> Callable[[Any], bool]:
    """Tells whether a state is balanced: by the engine in Reversi, else by random games."""
    if on_8x8(game):
        from plyground.engines.reversi.engine import Engine

        engine = Engine(table=TABLE)
        engine.prepare()
        return lambda state: abs(engine.search(state, SEARCH).value) <= DISCS

    def mean_is_small(state: Any) -> bool:
        player = max(int(to_move(state)), 0)
        return abs(mean_utility(state, player, PLAYOUTS, rng)) <= MARGIN * max(map(abs, game.utilities))

    return mean_is_small


@compiled
def mean_utility(state: Any, player: int, games: int, rng: Any) -> float:
    """What random games from here are worth to a player, on average."""
    total = 0.0
    for _ in range(games):
        total += utility(playout(state, rng), player)
    return total / games
