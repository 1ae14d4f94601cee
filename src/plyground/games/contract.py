"""`check_game`: the contract that every game must keep, ours and yours.

>>> from plyground import make_game
>>> from plyground.games.contract import check_game
>>> report = check_game(make_game("nim"), positions=200)
>>> report.compiled, report.games > 0
(True, True)
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from xml.etree import ElementTree

import numpy as np

from plyground.core.chance import random_action
from plyground.core.game import Game
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
    legal_actions,
    max_actions,
    observation,
    parse_action,
    planes,
    planes_shape,
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
)
from plyground.errors import ActionError, ContractBroken, PlygroundError, UncompiledWarning
from plyground.native.compiling import compiled, interpreted
from plyground.native.dispatch import coerced
from plyground.native.randomness import random_below, stream
from plyground.pictures.board import svg

__all__ = ["Report", "check_game"]

LONGEST = 100_000


@dataclass(frozen=True)
class Report:
    """What was checked: random games, their positions, and whether compiled code was compared."""

    games: int
    positions: int
    longest: int
    most_actions: int
    compiled: bool


def check_game(game: Game, *, positions: int = 2000, seed: int = 0) -> Report:
    """Play random games until `positions` positions are seen and check every rule against the others.

    Raises `ContractBroken` with a sentence that names the rule, the position and what is wrong. Checked:
    random play reaches an end; legal actions are distinct, fit the buffer, and are exactly the ones whose text is
    accepted; terminal states have none; utilities lie in their range and are zero-sum, and no draw, where declared;
    probabilities sum to 1; symmetries commute with the rules; equal states hash equally; players who see alike have the
    same legal actions and the same past; pictures can be drawn; compiled equals interpreted.
    """
    rng = stream(seed)
    played = seen = longest = most = 0
    memory = _Memory(game)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UncompiledWarning)
        while seen < positions:
            state, length = coerced(game.initial), 0
            memory.begin()
            while True:
                options = _check_position(game, state, rng, draw=seen % 64 == 0)
                _check_hidden(game, state, options, rng)
                seen += 1
                most = max(most, len(options))
                if not options or seen >= positions:
                    break
                length += 1
                if length > LONGEST:
                    raise ContractBroken(f"{game.name}: a random game has not ended after {LONGEST:,} moves")
                _check_compiled(game, state, rng)
                with interpreted():
                    action = random_action(state, options, len(options), rng)
                memory.note(state, options, int(action))
                with interpreted():
                    state = coerced(result(state, action))
            played += not options
            longest = max(longest, length)
            if seen >= positions:
                break
        _check_end(game, rng)
        played += 1
    slow = [warning for warning in caught if issubclass(warning.category, UncompiledWarning)]
    for warning in slow[:1]:
        warnings.warn(warning.message, stacklevel=2)
    return Report(played, seen, longest, most, compiled=not slow)


def _check_end(game: Game, rng: Any) -> None:
    """One whole game, however long, so that at least one end is looked at."""
    state = coerced(game.initial)
    for _ in range(LONGEST):
        options = actions(state)
        if not options:
            _check_position(game, state, rng, draw=True)
            _check_compiled(game, state, rng)
            return
        with interpreted():
            state = coerced(result(state, random_action(state, options, len(options), rng)))
    raise ContractBroken(f"{game.name}: a random game has not ended after {LONGEST:,} moves")


def _some(items: Sequence[int], rng: Any, most: int = 6) -> list[int]:
    """A few of the items, drawn at random: every position is looked at, not every action of every position."""
    return list(items) if len(items) <= most else [items[random_below(rng, len(items))] for _ in range(most)]


def _check_position(game: Game, state: Any, rng: Any, draw: bool) -> list[int]:
    def broken(rule: str, what: str) -> ContractBroken:
        return ContractBroken(f"{game.name}: {what}; position: {_shown(state)}", rule)

    try:
        hash(state)
    except TypeError:
        raise broken("", "the state cannot be hashed; use numbers and tuples of numbers as fields") from None
    options = actions(state)
    if len(set(options)) != len(options):
        raise broken("legal_actions", f"legal_actions lists an action twice: {options}")
    if count_actions(state) != len(options):
        raise broken("count_actions", f"count_actions says {count_actions(state)}, legal_actions lists {len(options)}")
    if terminal(state) != (not options):
        raise broken("terminal", f"terminal says {bool(terminal(state))}, but there are {len(options)} legal actions")
    if not options:
        _check_utilities(game, state, broken)
    else:
        _check_moves(game, state, options, rng, broken)
    _check_symmetries(state, options, rng, broken)
    _check_planes(state, broken)
    twin = type(state)(*state)
    if state_hash(twin) != state_hash(state) or twin != state:
        raise broken("state_hash", "equal states have different hashes")
    if code := position_code(state):
        again = coerced(read_position(game.initial, code))
        # A notation may leave the past out, as FEN does; then the position is the same, if not the state.
        if again != state and (position_code(again) != code or (options and actions(again) != options)):
            raise broken("position_code", f"the position is written '{code}', which reads back as another one")
    for player in range(game.axes.players):
        seen = observation(state, player)
        if not game.axes.hidden and type(seen) is type(state) and seen != state:
            raise broken(
                "observation", f"player {player} does not see everything, but the game declares perfect information"
            )
    if draw:
        if not text(state):
            raise broken("text", "text draws nothing")
        try:
            ElementTree.fromstring(svg(state))
        except ElementTree.ParseError as error:
            raise broken("grid", f"svg is not well-formed XML: {error}") from None
    return options


# What players know ------------------------------------------------------------------------------------------------


def _check_hidden(game: Game, state: Any, options: list[int], rng: Any) -> None:
    """What players know of a state is enough to move, does not change by looking twice, and fits what may be."""
    if not game.axes.hidden:
        return
    for player in range(game.axes.players):
        seen = observation(state, player)
        broken = partial(_broken, game, state, f"the observation of player {player}")
        hash(seen)
        if type(seen) is type(state):
            if observation(seen, player) != seen:
                raise broken("is another one when it is observed again")
            if not text(seen) or ElementTree.fromstring(svg(seen)) is None:
                raise broken("cannot be drawn")
            if options and (to_move(seen) != to_move(state) or (to_move(state) == player and actions(seen) != options)):
                raise broken(f"has another player to move, or the legal actions {actions(seen)} and not {options}")
        if type(state) in possible_state.implementations and options and to_move(state) == player:
            with interpreted():
                drawn = possible_state(seen, player, rng)
            if observation(drawn, player) != seen:
                raise broken(f"is not that of what possible_state draws from it, {_shown(drawn)}")


def _broken(game: Game, state: Any, what: str, fault: str) -> ContractBroken:
    return ContractBroken(f"{game.name}: {what} {fault}; position: {_shown(state)}", "observation")


class _Memory:
    """Perfect recall: in all states that look alike to a player it has seen and done the same before."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._pasts: dict[tuple[int, Any], tuple[Any, list[int]]] = {}
        self._past: list[Any] = []

    def begin(self) -> None:
        self._past = [()] * self._game.axes.players

    def note(self, state: Any, options: list[int], action: int) -> None:
        """The player to move sees this state, and chooses this action."""
        mover = int(to_move(state))
        if mover == CHANCE or not self._game.axes.hidden:
            return
        seen = observation(state, mover)
        past, legal = self._pasts.setdefault((mover, seen), (self._past[mover], options))
        if legal != options:
            raise _broken(self._game, state, "the observation", f"is that of a state with the legal actions {legal}")
        if past != self._past[mover]:
            raise _broken(
                self._game, state, f"the observation of player {mover}", "is the same after other moves of its own: "
                "players must not forget (perfect recall); make what they have seen and done a part of the state",
            )  # fmt: skip
        self._past[mover] = hash((past, seen, action))


def _check_utilities(game: Game, state: Any, broken: Any) -> None:
    low, high = game.utilities
    values = game.returns(state)
    if not all(math.isfinite(value) and low <= value <= high for value in values):
        raise broken("utility", f"utilities {values} are outside the declared range {game.utilities}")
    if game.axes.zero_sum and abs(sum(values)) > 1e-9:
        raise broken("utility", f"utilities {values} do not sum to 0, but the game declares zero-sum")
    if not game.draws and len(set(values)) == 1 < len(values):
        raise broken("utility", f"utilities {values} are a draw, but the game declares that it has none: draws=False")
    if not all(math.isfinite(score(state, player)) for player in range(game.axes.players)):
        raise broken("score", "a score is not finite")


def _check_moves(game: Game, state: Any, options: list[int], rng: Any, broken: Any) -> None:
    mover = int(to_move(state))
    if mover != CHANCE and not 0 <= mover < game.axes.players:
        raise broken("to_move", f"to_move says {mover}, but the players are 0 to {game.axes.players - 1}")
    if mover == CHANCE:
        if not game.axes.chance:
            raise broken("to_move", "CHANCE is to move, but the game declares no chance")
        chances = [float(probability(state, action)) for action in options]
        if min(chances) < 0 or not math.isclose(sum(chances), 1.0, abs_tol=1e-6):
            raise broken("probability", f"the probabilities of the chance outcomes sum to {sum(chances):g}, not to 1")
    elif type(state) in distinct_actions.implementations and not max(options) < distinct_actions(state):
        raise broken(
            "distinct_actions",
            f"distinct_actions says {distinct_actions(state)}, but there is an action {max(options)}",
        )
    low, high = game.utilities
    guess = float(evaluation(state))
    if not (math.isfinite(guess) and min(low, -high) <= guess <= max(high, -low)):
        raise broken("evaluation", f"the evaluation {guess} is outside the range of utilities")
    opinions = [float(evaluation_for(state, player)) for player in range(game.axes.players)]
    if mover != CHANCE and not math.isnan(opinions[mover]) and not math.isclose(opinions[mover], guess, abs_tol=1e-9):
        raise broken(
            "evaluation_for",
            f"evaluation_for says {opinions[mover]} to the player to move, but evaluation says {guess}",
        )
    if game.axes.zero_sum and abs(sum(opinions)) > 1e-9:
        raise broken(
            "evaluation_for", f"evaluation_for says {opinions}, which do not sum to 0, but the game declares zero-sum"
        )
    texts = [action_text(state, action) for action in options]
    if len(set(texts)) != len(texts):
        raise broken("action_text", f"two actions have the same text: {texts}")
    codes = [action_code(state, action) for action in options]
    if len(set(codes)) != len(codes) or any(code.split() != [code] for code in codes):
        raise broken("action_code", f"the codes of actions must be different words: {codes}")
    for action in _some(options, rng):
        name = action_text(state, action)
        # Where the case tells moves apart, as bxc3 and Bxc3, it has to be right.
        loud = f" {name.upper() if sum(other.upper() == name.upper() for other in texts) == 1 else name} "
        if parse_action(state, name) != action or parse_action(state, loud) != action:
            raise broken("action_text", f"action {action} is written '{name}', which reads back as another action")
        following = result(state, action)
        if type(following) is not type(state):
            raise broken(
                "result", f"result of action {action} is a {type(following).__name__}, not a {type(state).__name__}"
            )
        if max_actions(following) > max_actions(state):
            raise broken(
                "max_actions",
                f"max_actions grows from {max_actions(state)} to {max_actions(following)} by action {action}",
            )
    if (drawn := drawn_action(state, [0] * max_actions(state), rng)) not in options:
        raise broken("drawn_action", f"drawn_action says {drawn}, which is not among the legal actions {texts}")
    near = {-1, 0, *(action + step for action in _some(options, rng) for step in (-1, 1, 2))}
    for action in _some(sorted(near - set(options)), rng):
        try:
            name = action_text(state, action)
        except (PlygroundError, IndexError, ValueError):
            continue  # no text, so nobody can ask for it
        if name in texts:
            continue
        try:
            parse_action(state, name)
        except ActionError:
            continue
        raise broken("parse_action", f"'{name}' (action {action}) is accepted, but not among the legal actions {texts}")


def _check_symmetries(state: Any, options: list[int], rng: Any, broken: Any) -> None:
    if transformed(state, 0) != state:
        raise broken("transformed", "symmetry 0 is not the identity")
    for index in _some(range(1, symmetries(state)), rng, most=2):
        image = transformed(state, index)
        moved = {action: transformed_action(state, action, index) for action in options}
        if set(moved.values()) != set(actions(image)):
            raise broken(
                "transformed_action",
                f"symmetry {index} maps the legal actions to {sorted(moved.values())}, not to {actions(image)}",
            )
        if options:
            if to_move(image) != to_move(state) or not math.isclose(evaluation(image), evaluation(state), abs_tol=1e-9):
                raise broken("transformed", f"symmetry {index} changes the player to move or the evaluation")
            action = options[random_below(rng, len(options))]
            if transformed(result(state, action), index) != result(image, moved[action]):
                raise broken("transformed", f"symmetry {index} does not commute with the result of action {action}")


def _check_planes(state: Any, broken: Any) -> None:
    shape = tuple(planes_shape(state))
    if len(shape) != 3 or min(shape) < 1:
        raise broken("planes_shape", f"planes_shape is {shape}, not three positive numbers")
    out = np.zeros(shape, np.float32)
    planes(state, out)
    if not np.isfinite(out).all():
        raise broken("planes", "planes writes numbers that are not finite")


# Compiled against interpreted -------------------------------------------------------------------------------------


@compiled
def _survey(state: Any, out: Any, numbers: Any, picture: Any, players: int) -> int:
    """Everything that the rules say of one state, written into arrays; returns how many legal actions there are."""
    buffer = action_buffer(state)
    count = legal_actions(state, buffer)
    for i in range(count):
        out[i] = buffer[i]
    numbers[0] = count_actions(state)
    numbers[1] = terminal(state)
    numbers[2] = max_actions(state)
    numbers[3] = symmetries(state)
    if count:
        numbers[4] = to_move(state)
        numbers[5] = evaluation(state)
        if to_move(state) == CHANCE:
            numbers[6] = probability(state, buffer[0])
    else:
        for player in range(players):
            numbers[7 + 2 * player] = utility(state, player)
            numbers[8 + 2 * player] = score(state, player)
    planes(state, picture)
    return count


@compiled
def _result(state: Any, action: int) -> Any:
    return result(state, action)


@compiled
def _hash(state: Any) -> Any:
    return state_hash(state)


@compiled
def _transformed(state: Any, index: int) -> Any:
    return transformed(state, index)


@compiled
def _transformed_action(state: Any, action: int, index: int) -> int:
    return transformed_action(state, action, index)


@compiled
def _observation(state: Any, player: int) -> Any:
    return observation(state, player)


def _check_compiled(game: Game, state: Any, rng: Any) -> None:
    def same(what: str, fast: Any, slow: Any) -> None:
        if fast != slow:
            raise ContractBroken(
                f"{game.name}: {what} differs: compiled {fast}, interpreted {slow}; position: {_shown(state)}",
                what.partition(" ")[0],
            )

    players = game.axes.players

    def survey() -> tuple[list[int], list[float], Any]:
        out = np.zeros(max(1, max_actions(state)), np.int64)
        numbers = np.zeros(7 + 2 * players)
        picture = np.zeros(planes_shape(state), np.float32)
        count = _survey(state, out, numbers, picture, players)
        return out[:count].tolist(), [round(value, 9) for value in numbers.tolist()], picture.tolist()

    fast = survey()
    with interpreted():
        slow = survey()
    same("legal_actions", fast[0], slow[0])
    same("a rule that gives a number", fast[1], slow[1])
    same("planes", fast[2], slow[2])
    same("state_hash", int(_hash(state)), int(state_hash(state)))
    for player in range(players):
        same("observation", _observation(state, player), observation(state, player))
    for action in _some(fast[0], rng):
        same(f"result of action {action}", _result(state, action), result(state, action))
    for index in _some(range(symmetries(state)), rng, most=2):
        same(f"transformed {index}", _transformed(state, index), transformed(state, index))
        for action in _some(fast[0], rng, most=2):
            there = transformed_action(state, action, index)
            same(f"transformed_action {index}", _transformed_action(state, action, index), there)


def _shown(state: Any) -> str:
    shown = repr(state)
    return shown if len(shown) <= 300 else shown[:300] + "..."
