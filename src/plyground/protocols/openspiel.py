"""OpenSpiel: its games as games of ours, and ours as games of OpenSpiel.

``openspiel:connect_four`` is a game here, which every search plays, interpreted. `as_openspiel` makes any game of ours
one that OpenSpiel's algorithms play. Needs ``pip install 'plyground[openspiel]'``.

Lanctot et al., "OpenSpiel: A Framework for Reinforcement Learning in Games", 2019.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import math
import os
import re
import sys
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple

import numpy as np

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.errors import BadOption, MissingExtra, UnknownName, UnsuitableGame, suggestion
from plyground.native.compiling import interpret_only
from plyground.protocols.seen import legal_within, seen_planes

__all__ = ["Node", "OpenSpielState", "as_openspiel", "openspiel"]

LONGEST_GAME = 100_000
"""The longest game of ours that OpenSpiel is told to expect, in moves."""
SIZE = re.compile(r"(\w*(?:size|row|col|width|height|num|player|dim|card|dice|rank|suit)\w*)\s*=\s*(\d+)")
"""Parameters by which the memory of their games grows, often with the square."""
LARGEST = 1000
ENCODED = str.maketrans("=,", "~;")
DECODED = str.maketrans("~;", "=,")


def _pyspiel() -> Any:
    try:
        import pyspiel
    except ImportError:
        raise MissingExtra("OpenSpiel is not installed; pip install 'plyground[openspiel]'") from None
    return pyspiel


# Their games here -------------------------------------------------------------------------------------------------


class Node:
    """A state of theirs, never changed, and told apart by the moves that led to it."""

    __slots__ = ("game", "key", "state")

    def __init__(self, game: Any, state: Any, key: tuple[int, ...]) -> None:
        self.game, self.state, self.key = game, state, key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.key == other.key and str(self.game) == str(other.game)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"{self.game} after {list(self.key)}"

    def __reduce__(self) -> Any:
        return _node, (str(self.game), self.key)


def _node(name: str, key: tuple[int, ...]) -> Node:
    game = _pyspiel().load_game(name)
    state = game.new_initial_state()
    for action in key:
        state.apply_action(action)
    return Node(game, state, key)


class OpenSpielState(NamedTuple):
    """A state of any game of OpenSpiel."""

    node: Node


interpret_only(OpenSpielState)  # its rules are OpenSpiel's


@rules.to_move.rule(OpenSpielState)
def _(state: OpenSpielState) -> int:
    return int(state.node.state.current_player())


@rules.max_actions.rule(OpenSpielState)
def _(state: OpenSpielState) -> int:
    return int(max(1, state.node.game.num_distinct_actions(), state.node.game.max_chance_outcomes()))


@rules.distinct_actions.rule(OpenSpielState)
def _(state: OpenSpielState) -> int:
    return int(state.node.game.num_distinct_actions())


@rules.legal_actions.rule(OpenSpielState)
def _(state: OpenSpielState, out: Any) -> int:
    options = state.node.state.legal_actions()
    for place, action in enumerate(options):
        out[place] = action
    return len(options)


@rules.result.rule(OpenSpielState)
def _(state: OpenSpielState, action: int) -> OpenSpielState:
    node = state.node
    return OpenSpielState(Node(node.game, node.state.child(int(action)), (*node.key, int(action))))


@rules.terminal.rule(OpenSpielState)
def _(state: OpenSpielState) -> bool:
    return bool(state.node.state.is_terminal())


@rules.probability.rule(OpenSpielState)
def _(state: OpenSpielState, action: int) -> float:
    return float(dict(state.node.state.chance_outcomes())[action])


@rules.utility.rule(OpenSpielState)
def _(state: OpenSpielState, player: int) -> float:
    return float(state.node.state.returns()[player])


@rules.state_hash.rule(OpenSpielState)
def _(state: OpenSpielState) -> int:
    digest = hashlib.blake2b(np.array(state.node.key, np.int64).tobytes(), digest_size=8).digest()
    return int.from_bytes(digest, "little")


@rules.observation.rule(OpenSpielState)
def _(state: OpenSpielState, player: int) -> Any:
    kind = state.node.game.get_type()
    if _is_open(kind):
        return state
    if kind.provides_information_state_string:
        return state.node.state.information_state_string(player)
    return state.node.state.observation_string(player)


@rules.planes_shape.rule(OpenSpielState)
def _(state: OpenSpielState) -> tuple[int, int, int]:
    if not state.node.game.get_type().provides_observation_tensor:
        return (1, 1, 1)
    shape = [*state.node.game.observation_tensor_shape(), 1, 1]
    return (shape[0], shape[1], math.prod(shape[2:]))


@rules.planes.rule(OpenSpielState)
def _(state: OpenSpielState, out: Any) -> None:
    player = state.node.state.current_player()
    if player >= 0 and state.node.game.get_type().provides_observation_tensor:
        out[:] = np.array(state.node.state.observation_tensor(player), np.float32).reshape(out.shape)


@rules.action_text.rule(OpenSpielState)
def _(state: OpenSpielState, action: int) -> str:
    node = state.node
    names = [_name(node.state, option) for option in node.state.legal_actions()]
    name = _name(node.state, action) if action in node.state.legal_actions() else str(int(action))
    return name if names.count(name) <= 1 else f"{name}#{int(action)}"


def _name(state: Any, action: int) -> str:
    return "".join(state.action_to_string(state.current_player(), int(action)).split()) or str(int(action))


@rules.text.rule(OpenSpielState)
def _(state: OpenSpielState) -> str:
    return str(state.node.state) or "nothing has happened yet"


def _is_open(kind: Any) -> bool:
    return bool(kind.information == _pyspiel().GameType.Information.PERFECT_INFORMATION)


def openspiel(name: Annotated[str, "a game of OpenSpiel, such as connect_four or hex(board_size=5)"]) -> Game:
    """Any game of OpenSpiel, by its name there: openspiel:connect_four, openspiel:hex(board_size=5)."""
    spiel = _pyspiel()
    short = name.partition("(")[0].strip()
    if short not in spiel.registered_names():
        near = suggestion(short, spiel.registered_names())
        hint = near if "did you mean" in near else "; pyspiel.registered_names() lists them"
        raise UnknownName(f"there is no game '{short}' in OpenSpiel{hint}")
    for option, value in SIZE.findall(name):
        if len(value) > len(str(LARGEST)) or int(value) > LARGEST:
            raise BadOption(f"openspiel: {option} must be at most {LARGEST}, not {value[:20]}; it takes memory unasked")
    try:
        with _quietly():
            game = spiel.load_game_as_turn_based(name)
    except (spiel.SpielError, RuntimeError, ValueError, TypeError) as error:
        raise BadOption(f"openspiel: {name} cannot be made: {' '.join(str(error).split())[:200]}") from None
    kind = game.get_type()
    if kind.chance_mode == spiel.GameType.ChanceMode.SAMPLED_STOCHASTIC or (
        kind.dynamics == spiel.GameType.Dynamics.MEAN_FIELD
    ):
        raise UnsuitableGame(f"openspiel: {name} has chance moves without probabilities, or a crowd of players")
    return Game(
        short,
        OpenSpielState(Node(game, game.new_initial_state(), ())),
        axes=Axes(
            players=game.num_players(),
            hidden=not _is_open(kind),
            chance=kind.chance_mode != spiel.GameType.ChanceMode.DETERMINISTIC,
            zero_sum=kind.utility == spiel.GameType.Utility.ZERO_SUM,
        ),
        utilities=(game.min_utility(), game.max_utility()),
        summary=kind.long_name,
    )


@contextlib.contextmanager
def _quietly() -> Iterator[None]:
    """OpenSpiel prints its errors before it raises them."""
    sys.stderr.flush()
    kept, nowhere = os.dup(2), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 2)
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(nowhere)


# Our games there --------------------------------------------------------------------------------------------------


def as_openspiel(spec: str) -> Any:
    """A game of ours, named by its spec, as a `pyspiel.Game`.

    From then on OpenSpiel knows it by name too, ``plyground(game=reversi:size~6)``: in a parameter there, ``=`` is
    written ``~``, and a comma ``;``.
    """
    return _classes()[0]({"game": spec.translate(ENCODED)})


@functools.cache
def _classes() -> tuple[Any, Any]:
    """The classes of games and states, made when OpenSpiel is first needed, and registered with it."""
    spiel = _pyspiel()
    kinds = spiel.GameType

    def game_type(game: Game | None) -> Any:
        axes = game.axes if game else Axes()
        return kinds(
            short_name="plyground",
            long_name=f"Plyground {game.name}" if game else "Plyground",
            dynamics=kinds.Dynamics.SEQUENTIAL,
            chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC if axes.chance else kinds.ChanceMode.DETERMINISTIC,
            information=(
                kinds.Information.IMPERFECT_INFORMATION if axes.hidden else kinds.Information.PERFECT_INFORMATION
            ),
            utility=kinds.Utility.ZERO_SUM if axes.zero_sum else kinds.Utility.GENERAL_SUM,
            reward_model=kinds.RewardModel.TERMINAL,
            max_num_players=axes.players if game else 8,
            min_num_players=axes.players if game else 1,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
            parameter_specification={"game": "tictactoe"},
        )

    class PlygroundGame(spiel.Game):  # type: ignore[name-defined,misc]
        """A game of ours."""

        def __init__(self, params: Any = None) -> None:
            from plyground.games import make_game

            parameter = str((params or {}).get("game", "tictactoe"))
            self.ours = game = make_game(parameter.translate(DECODED))
            if game.axes.simultaneous:
                raise UnsuitableGame(f"{game.spec} cannot be played in OpenSpiel from here: players move at one time")
            info = spiel.GameInfo(
                num_distinct_actions=rules.distinct_actions(game.initial),
                max_chance_outcomes=rules.max_actions(game.initial) if game.axes.chance else 0,
                num_players=game.axes.players,
                min_utility=game.utilities[0],
                max_utility=game.utilities[1],
                utility_sum=0.0 if game.axes.zero_sum else None,
                max_game_length=LONGEST_GAME,
            )
            super().__init__(game_type(game), info, {"game": parameter})

        def new_initial_state(self, state: Any = None) -> Any:
            return PlygroundState(self)

        def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            if self.ours.axes.hidden:
                return PlanesObserver(self.ours, params)
            if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
                return PlanesObserver(self.ours, params)
            return IIGObserverForPublicInfoGame(iig_obs_type, params)

    class PlygroundState(spiel.State):  # type: ignore[name-defined,misc]
        """A state of ours, and the rules as OpenSpiel asks for them."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.ours: Game = game.ours
            self.state = self.ours.initial

        def current_player(self) -> int:
            if not rules.actions(self.state):
                return int(spiel.PlayerId.TERMINAL)
            mover = int(rules.to_move(self.state))
            return int(spiel.PlayerId.CHANCE) if mover == rules.CHANCE else mover

        def _legal_actions(self, player: int) -> list[int]:
            return sorted(legal_within(self.state))

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(action, float(rules.probability(self.state, action))) for action in rules.actions(self.state)]

        def _apply_action(self, action: int) -> None:
            self.state = rules.result(self.state, action)

        def _action_to_string(self, player: int, action: int) -> str:
            return rules.action_text(self.state, action)

        def is_terminal(self) -> bool:
            return not rules.actions(self.state)

        def returns(self) -> list[float]:
            return list(self.ours.returns(self.state)) if self.is_terminal() else [0.0] * self.ours.axes.players

        def __str__(self) -> str:
            return rules.text(self.state)

    class PlanesObserver:
        """What a player sees, as planes of numbers."""

        def __init__(self, game: Game, params: Any) -> None:
            if params:
                raise ValueError(f"observations have no parameters, not {params}")
            shape = tuple(rules.planes_shape(game.initial))
            self.tensor = np.zeros(math.prod(shape), np.float32)
            self.dict = {"observation": self.tensor.reshape(shape)}

        def set_from(self, state: Any, player: int) -> None:
            self.dict["observation"][:] = seen_planes(state.state, player)

        def string_from(self, state: Any, player: int) -> str:
            if state.ours.axes.hidden:
                return str(rules.observation(state.state, player))
            return rules.text(state.state)

    spiel.register_game(game_type(None), PlygroundGame)
    return PlygroundGame, PlygroundState
