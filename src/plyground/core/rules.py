"""The rules of a game, as generic functions of a state.

A state is a `NamedTuple`: immutable, hashable, with fields that are numbers or tuples of numbers. An action is a
whole number, a player is 0, 1, ..., and `CHANCE` is the player who throws the dice. A game is the functions below,
registered for its state type; the first four are required, the others have defaults:

    to_move            PLAYER(s): whose turn it is, or CHANCE
    legal_actions      ACTIONS(s): writes action ids into a buffer, returns how many
    result             RESULT(s, a)
    utility            UTILITY(s, p) of a terminal state

    terminal           TERMINAL(s)                          default: no legal action
    probability        Pr(a) of a chance outcome            default: uniform
    score              the margin on the game's own scale   default: the utility
    evaluation         a guess at the utility, side to move default: 0
    evaluation_for     the same for any player              default: NaN, no opinion
    noisy              whether an action upsets the guess   default: none does
    playout_action     a move in a random game              default: uniformly random
    drawn_action       one at random, drawn without a list  default: from the list
    promising          whether to try an action first       default: every action is
    max_actions        room for legal_actions               default: 256
    distinct_actions   how many action ids there can be     default: max_actions
    count_actions      how many legal actions there are     default: counts them
    state_hash         64 bits                              default: a mix of all fields
    symmetries, transformed, transformed_action             default: only the identity
    as_in_book, action_in_book                              default: the state itself, the action itself
    observation        what a player knows of a state       default: everything
    possible_state     what may be, for all a player knows  default: the state itself
    planes_shape, planes                                    default: every number of the state
    viewer             who sees the planes, if chance moves default: player 0
    action_text, parse_action                               default: the number
    action_code        the same in one word, for programs   default: the text without blanks
    position_code, read_position                            default: no notation for positions
    grid, text         the board                            default: text from the grid, or the fields

Chance moves are actions too: where `to_move` is CHANCE, `legal_actions` lists the outcomes.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from plyground.core.grid import Grid, grid_text
from plyground.errors import BrokenRule, FormatError, IllegalAction, UnreadableAction
from plyground.native.arrays import stack_integers
from plyground.native.bits import mix64
from plyground.native.dispatch import optional, required
from plyground.native.kinds import is_float, is_tuple
from plyground.native.overloads import native
from plyground.native.randomness import random_below, random_unit
from plyground.native.state_codec import word_count
from plyground.native.tuples import item_replaced

__all__ = [
    "CHANCE", "action_buffer", "action_code", "action_in_book", "action_seen", "action_text", "actions", "as_in_book",
    "as_seen", "canonical_image", "count_actions", "distinct_actions", "drawn_action", "evaluation",
    "evaluation_for", "grid", "legal_actions", "max_actions", "noisy", "observation", "parse_action", "planes",
    "planes_shape",
    "playout_action", "position_code", "possible_state", "probability", "promising", "read_position", "refusal",
    "result", "score", "state_hash", "symmetries", "terminal", "text", "to_move", "transformed", "transformed_action",
    "utility", "viewer", "with_item",
]  # fmt: skip

CHANCE = -1
"""The player who decides at random."""
SHOWN = 12
"""How many legal moves a refusal names."""


# The four required rules -----------------------------------------------------------------------------------------


@required
def to_move(state: Any) -> int:
    """PLAYER(s): the player to move, from 0, or CHANCE. No search asks for it in terminal states."""
    raise NotImplementedError


@required
def legal_actions(state: Any, out: Any) -> int:
    """ACTIONS(s): write the ids of all legal actions into `out`, in a fixed order, and return how many.

    None in a terminal state. A player who must pass has one action, the pass.
    """
    raise NotImplementedError


@required
def result(state: Any, action: Any) -> Any:
    """RESULT(s, a): the state after a legal action. Never asked with an illegal one."""
    raise NotImplementedError


@required
def utility(state: Any, player: Any) -> float:
    """UTILITY(s, p): what a terminal state is worth to a player; in [-1, 1] unless the game says otherwise."""
    raise NotImplementedError


# Rules with defaults ---------------------------------------------------------------------------------------------


@optional()
def max_actions(state: Any) -> int:
    """An upper bound on the number of legal actions of this state and all that follow it."""
    return 256


@optional(compiles=False)
def distinct_actions(state: Any) -> int:
    """One more than the highest id of any action of this state and all that follow it; chance has its own ids.

    Asked where an action is a place in a vector, as for networks and learning environments.
    """
    return max_actions(state)


@optional()
def count_actions(state: Any) -> int:
    """How many legal actions there are."""
    return legal_actions(state, action_buffer(state))


@optional()
def terminal(state: Any) -> bool:
    """TERMINAL(s): whether the game is over."""
    return count_actions(state) == 0


@optional()
def probability(state: Any, action: Any) -> float:
    """Pr(a): how likely a chance outcome is. Only asked where CHANCE is to move; the outcomes sum to 1."""
    return 1.0 / count_actions(state)


@optional()
def score(state: Any, player: Any) -> float:
    """By how much a terminal state is won (+) or lost (-) by a player, on the game's own scale, such as discs."""
    return utility(state, player)


@optional()
def evaluation(state: Any) -> float:
    """A guess at what this unfinished state is worth to the player to move, strictly inside the range of utilities."""
    return 0.0


@optional()
def evaluation_for(state: Any, player: Any) -> float:
    """The same guess for any player, in games of more than two; NaN where the game has no opinion.

    Searches then share what `evaluation` leaves of the game's sum among the others.
    """
    return np.nan


@optional()
def noisy(state: Any, action: Any) -> bool:
    """Whether the position after this action should not be judged before the answer is seen, as after a capture.

    Quiescence search looks at these actions beyond the depth limit.
    """
    return False


@optional()
def playout_action(state: Any, actions: Any, count: Any, rng: Any) -> int:
    """One of the `count` legal actions for a playout that is wiser than chance; `rng` is for `random_below`."""
    return actions[random_below(rng, count)]  # type: ignore[no-any-return]


@optional()
def drawn_action(state: Any, out: Any, rng: Any) -> int:
    """A legal action at random: by their probabilities where chance moves, otherwise each as likely; -1 if none is.

    `out` is room for the legal actions. A game that can draw without listing them all plays random games faster.
    """
    count = legal_actions(state, out)
    if count == 0:
        return -1
    if to_move(state) != CHANCE:
        return out[random_below(rng, count)]  # type: ignore[no-any-return]
    rest = random_unit(rng)
    for i in range(count - 1):
        rest -= probability(state, out[i])
        if rest < 0.0:
            return out[i]  # type: ignore[no-any-return]
    return out[count - 1]  # type: ignore[no-any-return]


@optional()
def promising(state: Any, action: Any) -> bool:
    """Whether a tree search with playouts looks at this action at all while it knows of others that do not lose.

    Where there are hundreds of legal actions, most of them far from everything, the others are looked at first.
    """
    return True


@optional()
def state_hash(state: Any) -> Any:
    """64 bits of hash; equal states hash equally."""
    return _fold(np.uint64(0x243F6A8885A308D3), state)


@optional()
def symmetries(state: Any) -> int:
    """How many symmetries the rules have, the identity (index 0) included."""
    return 1


@optional()
def transformed(state: Any, index: Any) -> Any:
    """The state under one of its symmetries."""
    return state


@optional()
def transformed_action(state: Any, action: Any, index: Any) -> int:
    """The action that corresponds to `action` in ``transformed(state, index)``."""
    return action  # type: ignore[no-any-return]


@optional(compiles=False)
def as_in_book(state: Any) -> Any:
    """The state that stands in an opening book for this one and all in which the same is best: without the way there,
    without clocks, and with one side to move if the sides are alike. Its value to the side to move is the same."""
    return state


@optional(compiles=False)
def action_in_book(state: Any, action: int) -> int:
    """The action that corresponds to `action` in ``as_in_book(state)``."""
    return action


@optional()
def observation(state: Any, player: Any) -> Any:
    """What a player knows of the state: equal for exactly the states that the player cannot tell apart.

    All states of one value, where the player is to move, are an information set. Players forget nothing: what they have
    seen and done before is part of it. Best is a state of the same type in which the hidden fields hold a number for
    "unknown": the rules of pictures draw it, and `legal_actions` of it are those of the player whose turn it is.
    """
    return state


@optional()
def possible_state(state: Any, player: Any, rng: Any) -> Any:
    """A state that may be, for all the player knows: of those with the same observation, drawn by the luck of the deal.

    `state` may be an observation. What the other players' moves suggest is not weighed, only what they rule out.
    """
    return state


@optional()
def planes_shape(state: Any) -> tuple[int, int, int]:
    """The shape (channels, rows, columns) of `planes`."""
    return (word_count(state), 1, 1)


@optional()
def planes(state: Any, out: Any) -> None:
    """Write the state as a network's input into `out` (float32, all zeros before), seen by the player to move.

    Where chance moves it is seen by the `viewer`.
    """
    _write_numbers(state, out, 0)


@optional()
def viewer(state: Any) -> int:
    """Whose view `planes` show: that of the player to move; where chance moves, player 0's."""
    mover = to_move(state)
    return mover if mover != CHANCE else 0


@optional(compiles=False)
def action_text(state: Any, action: Any) -> str:
    """An action as people write it, such as ``f5``."""
    return str(int(action))


@optional(compiles=False)
def parse_action(state: Any, text: str) -> int:
    """The legal action that a text means; the inverse of `action_text`, forgiving about case and blanks."""
    for action in actions(state):
        if action_text(state, action) == text.strip():
            return action
    wanted = "".join(text.split()).lower()
    named = {"".join(action_text(state, action).split()).lower(): action for action in actions(state)}
    if wanted in named:
        return named[wanted]
    if not named:
        raise IllegalAction(f"'{text}' cannot be played: the game is over")
    if _shape(wanted) in map(_shape, named):
        raise IllegalAction(refusal(state, f"'{text}'"))
    raise UnreadableAction(f"'{text}' is not an action; legal: {_listed(state, actions(state))}")


@optional(compiles=False)
def action_code(state: Any, action: Any) -> str:
    """An action as programs write it to each other: one word, different for different legal actions."""
    return "".join(action_text(state, action).split())


@optional(compiles=False)
def position_code(state: Any) -> str:
    """A position as programs write it to each other, such as FEN in chess; empty where there is no such notation."""
    return ""


@optional(compiles=False)
def read_position(state: Any, code: str) -> Any:
    """The position that a code means, the inverse of `position_code`; `state` is one of the same game."""
    raise FormatError(f"there is no notation for positions of {type(state).__name__}; name the moves that lead there")


def _shape(name: str) -> str:
    """A text with every run of digits as 0 and of letters as a: what looks like a legal action is readable."""
    return re.sub(r"[^\W\d_]+", "a", re.sub(r"\d+", "0", name))


@optional(compiles=False)
def grid(state: Any) -> Grid | None:
    """The board as cells, from which text, colour and SVG are drawn; None for games without a board."""
    return None


@optional(compiles=False)
def text(state: Any) -> str:
    """The state as plain text."""
    board = grid(state)
    if board is not None:
        return grid_text(board)
    return "\n".join(f"{name}: {_plain(value)}" for name, value in zip(state._fields, state, strict=True))


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return " ".join(str(_plain(item)) for item in value)
    return value.item() if isinstance(value, np.generic) else value


# What the rules are written with ---------------------------------------------------------------------------------


def actions(state: Any) -> list[int]:
    """The legal actions as a list."""
    buffer = action_buffer(state)
    count = legal_actions(state, buffer)
    if not isinstance(count, (int, np.integer)):
        raise BrokenRule(
            f"legal_actions of {type(state).__name__} must write the actions into `out` and return how many, "
            f"not return {count!r}"
        )
    return [int(action) for action in buffer[:count]]


def refusal(state: Any, what: str, options: list[int] | None = None) -> str:
    """What is said of a move that cannot be made, and which ones can; `options` are those, if they are known."""
    return f"{what} is not legal here; legal: {_listed(state, actions(state) if options is None else options)}"


def _listed(state: Any, options: list[int]) -> str:
    named = ", ".join(action_text(state, option) for option in options[:SHOWN]) or "none, the game is over"
    return named + ", ..." * (len(options) > SHOWN)


def as_seen(state: Any, player: int) -> Any:
    """The state as a player sees it; the state itself where `observation` is something else than a state."""
    seen = observation(state, player)
    return seen if type(seen) is type(state) else state


def action_seen(state: Any, action: int, player: int) -> bool:
    """Whether a player who sees what follows can tell this action from the others that were legal."""
    seen = observation(result(state, action), player)
    return all(other == action or observation(result(state, other), player) != seen for other in actions(state))


def canonical_image(state: Any) -> tuple[Any, Any]:
    """What a state and its mirror images have in common: the smallest of their hashes; and the symmetry that gives it.

    Of several symmetries with that hash it is the first.
    """
    least, chosen = np.uint64(state_hash(state)), 0
    for index in range(1, symmetries(state)):
        word = np.uint64(state_hash(transformed(state, index)))
        if word < least:
            least, chosen = word, index
    return least, chosen


def action_buffer(state: Any) -> Any:
    """Room for the legal actions of one state. In compiled code it lives on the stack: never return it.

    Take it before a loop, not in it: the stack grows with every call, and shrinks only when the function returns.
    """
    return [0] * max_actions(state)


def with_item(items: tuple[Any, ...], index: int, value: Any) -> tuple[Any, ...]:
    """The tuple with one item replaced."""
    return (*items[:index], value, *items[index + 1 :])


native(with_item)(item_replaced)


@native(action_buffer, inline="always")  # inlined before LLVM, so that the frame is the caller's
def _action_buffer(state: Any) -> Any:
    return lambda state: stack_integers(max_actions(state))


@native(canonical_image)
def _canonical_image(state: Any) -> Any:
    return canonical_image


def _fold(word: Any, value: Any) -> Any:
    """Mix a number, or every number of a tuple, into a hash."""
    if isinstance(value, tuple):
        for item in value:
            word = _fold(word, item)
        return word
    bits = int(np.float64(value).view(np.uint64)) if isinstance(value, (float, np.floating)) else int(value)
    return mix64((int(word) ^ bits) * 3 + 0x9E3779B97F4A7C15)


@native(_fold)
def _fold_compiled(word: Any, value: Any) -> Any:
    if is_tuple(value):
        if len(value) == 0:
            return lambda word, value: word
        return lambda word, value: _fold(_fold(word, value[0]), value[1:])

    if is_float(value):
        return lambda word, value: _fold(word, np.float64(value).view(np.uint64))

    def number(word, value):  # type: ignore[no-untyped-def]
        return mix64((word ^ np.uint64(value)) * np.uint64(3) + np.uint64(0x9E3779B97F4A7C15))

    return number


def _write_numbers(value: Any, out: Any, at: Any) -> int:
    if isinstance(value, tuple):
        for item in value:
            at = _write_numbers(item, out, at)
        return at  # type: ignore[no-any-return]
    out[at, 0, 0] = value
    return at + 1  # type: ignore[no-any-return]


@native(_write_numbers)
def _write_numbers_compiled(value: Any, out: Any, at: Any) -> Any:
    if is_tuple(value):
        if len(value) == 0:
            return lambda value, out, at: at
        return lambda value, out, at: _write_numbers(value[1:], out, _write_numbers(value[0], out, at))

    def number(value, out, at):  # type: ignore[no-untyped-def]
        out[at, 0, 0] = value
        return at + 1

    return number
