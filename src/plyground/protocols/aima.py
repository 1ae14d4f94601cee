"""Games and players in the style of "Artificial Intelligence: A Modern Approach" (Russell and Norvig).

There a game is an object with ``actions(state)``, ``result(state, move)``, ``utility(state, player)``,
``terminal_test(state)`` (in newer editions ``is_terminal``), ``to_move(state)`` and ``initial``; a player is a function
``f(game, state)``; a search is called with the state and the game, and returns a move or a value and a move. Here such
games become games of ours and such functions players, and the other way round.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Hashable
from typing import Annotated, Any, ClassVar, NamedTuple

from plyground.core import rules
from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.sources import load_module
from plyground.errors import BadOption, BrokenRule, PlayerFailed, PlygroundError
from plyground.native.compiling import interpret_only
from plyground.players.player import Choice, Move, Player, Position

__all__ = ["AimaGame", "AimaPlayer", "AimaState", "aima_game", "aima_player", "as_function", "from_aima"]

MOST_MOVES = 512
LOOKED_AT = 2000
"""How many positions of a game are looked at to find out who plays it."""


# Their games here -------------------------------------------------------------------------------------------------


class Rules:
    """A game of theirs, with its players in the order in which they move."""

    def __init__(self, game: Any, players: tuple[Hashable, ...]) -> None:
        self.game, self.players = game, players

    def over(self, state: Any) -> bool:
        """Whether the game has ended."""
        test = getattr(self.game, "terminal_test", None) or self.game.is_terminal
        return bool(test(state))

    def moves(self, state: Any) -> list[Any]:
        """The legal moves; an action of ours is a place in this list."""
        return [] if self.over(state) else list(self.game.actions(state))


class AimaState(NamedTuple):
    """A state of theirs, whatever it is, with the rules that it belongs to."""

    rules: Rules
    state: Any


interpret_only(AimaState)  # their states can be any object


@rules.to_move.rule(AimaState)
def _(state: AimaState) -> int:
    mover = state.rules.game.to_move(state.state)
    if mover not in state.rules.players:
        raise BrokenRule(f"{mover!r} is to move, but the players are {', '.join(map(repr, state.rules.players))}")
    return state.rules.players.index(mover)


@rules.max_actions.rule(AimaState)
def _(state: AimaState) -> int:
    return MOST_MOVES


@rules.legal_actions.rule(AimaState)
def _(state: AimaState, out: Any) -> int:
    count = len(state.rules.moves(state.state))
    for action in range(count):
        out[action] = action
    return count


@rules.result.rule(AimaState)
def _(state: AimaState, action: int) -> AimaState:
    return AimaState(state.rules, state.rules.game.result(state.state, state.rules.moves(state.state)[action]))


@rules.terminal.rule(AimaState)
def _(state: AimaState) -> bool:
    return state.rules.over(state.state)


@rules.utility.rule(AimaState)
def _(state: AimaState, player: int) -> float:
    return float(state.rules.game.utility(state.state, state.rules.players[player]))


@rules.state_hash.rule(AimaState)
def _(state: AimaState) -> int:
    return int.from_bytes(hashlib.blake2b(repr(state.state).encode(), digest_size=8).digest(), "little")


@rules.planes_shape.rule(AimaState)
def _(state: AimaState) -> tuple[int, int, int]:
    return (1, 1, 1)


@rules.planes.rule(AimaState)
def _(state: AimaState, out: Any) -> None:
    """Nothing is known of what a state of theirs holds."""


@rules.action_text.rule(AimaState)
def _(state: AimaState, action: int) -> str:
    moves = state.rules.moves(state.state)
    if not 0 <= action < len(moves):
        raise IndexError(action)
    return "".join(str(moves[action]).split())


@rules.text.rule(AimaState)
def _(state: AimaState) -> str:
    return str(state.state)


def from_aima(
    game: Any, *, name: str = "", players: tuple[Hashable, ...] = (), utilities: tuple[float, float] = (-1.0, 1.0)
) -> Game:
    """A game of theirs as a game of ours, for two players and zero sum; every search here plays it, interpreted.

    `players` are the names that their `to_move` gives, the first player first; they are found out if not given.
    States are compared and hashed, so they must have an equality and a `repr` that tell them apart.
    """
    missing = [what for what in ("actions", "result", "utility", "to_move", "initial") if not hasattr(game, what)]
    if not hasattr(game, "terminal_test") and not hasattr(game, "is_terminal"):
        missing.append("terminal_test")
    if missing:
        raise BadOption(f"aima: {type(game).__name__} is not a game: it has no {', no '.join(missing)}")
    theirs = Rules(game, ())
    theirs.players = players or _players(theirs)
    seats = tuple(map(str, theirs.players))
    label = name or type(game).__name__
    return Game(label, AimaState(theirs, game.initial), seats=seats, utilities=utilities)


def _players(theirs: Rules) -> tuple[Hashable, ...]:
    """Whoever is to move in the first positions of the game: its two players."""
    found: list[Hashable] = []
    layer = [theirs.game.initial]
    looked = 0
    while layer and looked < LOOKED_AT:
        state = layer.pop(0)
        looked += 1
        if not theirs.over(state):
            mover = theirs.game.to_move(state)
            if mover not in found:
                found.append(mover)
            if len(found) == 2:
                return tuple(found)
            layer += [theirs.game.result(state, move) for move in theirs.moves(state)]
    raise BadOption(f"aima: in {type(theirs.game).__name__} only {found} is ever to move; two players are needed")


def aima_game(
    file: Annotated[str, "a Python file in which the game is made, or its class is"],
    name: Annotated[str, "the name of the game or of the class in the file; the only one if not set"] = "",
) -> Game:
    """A game in the style of AIMA: an object with actions, result, utility, to_move, terminal_test and initial."""
    game = _found(file, name, "game", lambda value: hasattr(value, "to_move") and hasattr(value, "utility"))
    if isinstance(game, type):
        try:
            game = game()
        except Exception as error:
            raise BadOption(f"aima: {game.__name__}() fails: {type(error).__name__}: {error}") from None
    return from_aima(game)


def _found(file: str, name: str, kind: str, fits: Callable[[Any], bool]) -> Any:
    """What a file has under a name; or the only thing in it that fits."""
    module = load_module(file)
    if name:
        if not hasattr(module, name):
            raise BadOption(f"aima: {file} has no '{name}'")
        return getattr(module, name)
    own = {key: value for key, value in vars(module).items() if not key.startswith("_") and fits(value)}
    concrete = {key: value for key, value in own.items() if not isinstance(value, type) or hasattr(value, "initial")}
    found = concrete or own
    if len(found) != 1:
        listed = f": {', '.join(found)}" if found else ""
        raise BadOption(f"aima: {file} has {len(found) or 'no'} {kind}{'s' * (len(found) != 1)}{listed}; give name=...")
    return next(iter(found.values()))


# Our games there --------------------------------------------------------------------------------------------------


class AimaGame:
    """A game of ours as an object in their style; a move is an action of ours, a player is 0 or 1."""

    def __init__(self, game: Game) -> None:
        self.game, self.initial = game, game.initial

    def actions(self, state: Any) -> list[int]:
        """The legal moves."""
        return rules.actions(state)

    def result(self, state: Any, move: int) -> Any:
        """The state after a move."""
        return rules.result(state, self.game.legal(state, move))

    def utility(self, state: Any, player: int) -> float:
        """What a finished game is worth to a player."""
        return float(rules.utility(state, player))

    def terminal_test(self, state: Any) -> bool:
        """Whether the game has ended."""
        return not rules.actions(state)

    is_terminal = terminal_test

    def to_move(self, state: Any) -> int:
        """The player to move."""
        return int(rules.to_move(state))

    def display(self, state: Any) -> None:
        """Print the state."""
        print(rules.text(state))

    def play_game(self, *players: Callable[[Any, Any], Any]) -> float:
        """Let functions ``f(game, state)`` play, the first player's first; the utility to the first player."""
        state = self.initial
        while not self.terminal_test(state):
            state = self.result(state, players[self.to_move(state)](self, state))
        self.display(state)
        return self.utility(state, self.to_move(self.initial))


def as_function(player: Player, limit: Limit | None = None) -> Callable[[Any, Any], Any]:
    """A player of ours as a function ``f(game, state)``, for games of ours and theirs."""
    known: dict[int, Game] = {}

    def choose(game: Any, state: Any) -> Any:
        ours = game.game if isinstance(game, AimaGame) else known.setdefault(id(game), _ours(game))
        own = state if isinstance(game, AimaGame) else AimaState(ours.initial.rules, state)
        choice = player.choose(Position(ours, own), limit or Limit())
        if not isinstance(choice, Move):
            raise PlayerFailed(f"{player.spec or 'the player'} gives up, which a function cannot say")
        return choice.action if isinstance(game, AimaGame) else own.rules.moves(state)[choice.action]

    def _ours(game: Any) -> Game:
        made = from_aima(game)
        player.prepare(made)
        return made

    return choose


class AimaPlayer(Player):
    """A function ``f(game, state)``, or a search ``f(state, game)``, as a player of ours."""

    accepts: ClassVar[Accepts] = Accepts(chance=False, general_sum=True)

    def __init__(self, function: Callable[..., Any], name: str = "") -> None:
        self._function = function
        self._name = name or getattr(function, "__name__", "the function")
        self._state_first = next(iter(inspect.signature(function).parameters), "") == "state"

    def choose(self, position: Position, limit: Limit) -> Choice:
        theirs = isinstance(position.state, AimaState)
        game = position.state.rules.game if theirs else AimaGame(position.game)
        state = position.state.state if theirs else position.state
        try:
            answer = self._function(state, game) if self._state_first else self._function(game, state)
        except PlygroundError:
            raise
        except Exception as error:
            raise PlayerFailed(f"{self._name} fails: {type(error).__name__}: {error}") from error
        moves = position.state.rules.moves(state) if theirs else rules.actions(state)
        if answer not in moves and isinstance(answer, tuple) and len(answer) == 2:
            answer = answer[1]  # the value and the move
        return Move(moves.index(answer) if theirs else answer) if answer in moves else Move(-1)


def aima_player(
    file: Annotated[str, "a Python file with a function f(game, state), or a search f(state, game)"],
    name: Annotated[str, "the name of the function; the only one if not set"] = "",
) -> Player:
    """A player in the style of AIMA: a function f(game, state) in a file, which returns a move."""
    function = _found(file, name, "function", inspect.isfunction)
    if not callable(function):
        raise BadOption(f"aima: '{name}' in {file} is not a function")
    return AimaPlayer(function, name)
