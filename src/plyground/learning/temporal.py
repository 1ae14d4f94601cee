"""Temporal differences in the manner of TD-Gammon (Tesauro 1995): a small network learns to judge positions by playing.

The learner plays against itself, always to the position that it likes best, now and then somewhere else. After
every move the value of the position before is drawn towards the value of the position now (Sutton 1988):

    e <- lambda * e + gradient of V(s_t)
    w <- w + alpha * (V(s_t+1) - V(s_t)) * e

and at the end of the game towards the result. Where chance moves, the positions are those in which it is about to: the
dice are thrown, and then the best of what can be played is taken. All values are meant for the first player here; the
network itself judges for whom the planes show. It is linear, or has one hidden layer. Where a game is won by more or
fewer points it has an output for each number of points, with traces of its own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Budget
from plyground.core.rules import (
    CHANCE,
    action_buffer,
    drawn_action,
    legal_actions,
    planes,
    planes_shape,
    result,
    terminal,
    to_move,
    utility,
    viewer,
)
from plyground.errors import UnsuitableGame
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, random_unit, stream
from plyground.search.learned_values import ValueNet, result_steps

__all__ = ["Learning", "Stage", "greedy_action", "learn", "match_share", "new_net", "new_traces"]

TD_ACCEPTS = Accepts(players=(2,), chance=True)


class Learning(NamedTuple):
    """The numbers of the method: step, decay of the traces, share of random moves, plies of random openings at most."""

    alpha: float = 0.02
    decay: float = 0.7
    epsilon: float = 0.1
    opening: int = 6


class Scratch(NamedTuple):
    """Room for one position: its planes, flat, the hidden layer, and the outputs, for whom the planes show and for
    player 0, the latter of the position before too; and what each output counts."""

    seen: NDArray[np.float32]
    hidden: NDArray[np.float32]
    outputs: NDArray[np.float32]
    first: NDArray[np.float32]
    before: NDArray[np.float32]
    steps: NDArray[np.float32]


def new_net(game: Game, hidden: int, seed: int = 0) -> ValueNet:
    """A network that knows nothing; `hidden` units, 0 for a linear one."""
    inputs, outputs = math.prod(planes_shape(game.initial)), len(result_steps(game))
    draws = np.random.default_rng(seed)
    return ValueNet(
        draws.normal(0, 1 / math.sqrt(8), (inputs, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        np.zeros((hidden, outputs), np.float32),
        np.zeros((inputs, outputs), np.float32),
        np.zeros(outputs, np.float32),
    )


def new_traces(net: ValueNet) -> ValueNet:
    """No traces: for each output, in the first axis, those of all weights."""
    return ValueNet(*(np.zeros((len(net.constant), *part.shape), np.float32) for part in net))


def new_scratch(game: Game, net: ValueNet) -> Scratch:
    """Room for the positions of a game."""
    outputs, first, before = (np.zeros(len(net.constant), np.float32) for _ in range(3))
    seen, hidden = np.zeros(planes_shape(game.initial), np.float32), np.zeros(len(net.bias), np.float32)
    return Scratch(seen, hidden, outputs, first, before, result_steps(game))


@compiled
def judge(state: Any, net: ValueNet, scratch: Scratch) -> float:
    """What the network makes of a state, for whom its planes show, from -1 to 1."""
    scratch.seen[:] = 0.0
    planes(state, scratch.seen)
    seen, hidden, outputs = scratch.seen.reshape(-1), scratch.hidden, scratch.outputs
    hidden[:] = net.bias
    outputs[:] = net.constant
    for i in range(len(seen)):
        if seen[i] != 0.0:
            row, x = net.first[i], seen[i]
            for j in range(len(outputs)):
                outputs[j] += x * net.direct[i, j]
            for k in range(len(hidden)):
                hidden[k] += x * row[k]
    for k in range(len(hidden)):
        hidden[k] = math.tanh(hidden[k])
        for j in range(len(outputs)):
            outputs[j] += hidden[k] * net.out[k, j]
    total = 0.0
    for j in range(len(outputs)):
        outputs[j] = math.tanh(outputs[j])
        total += scratch.steps[j] * outputs[j]
    return total


@compiled
def worth(state: Any, net: ValueNet, scratch: Scratch) -> float:
    """What a state is worth to player 0, from -1 to 1: its result, or the network's guess.

    In ``scratch.first`` are the outputs for player 0: what is a bet on a result to one is a bet against it to the
    other.
    """
    steps, first = scratch.steps, scratch.first
    last = len(steps) - 1
    if terminal(state):
        value = float(utility(state, 0))
        most = 1.0
        if last > 0:
            most = 0.5 / float(steps.min())  # the steps between results are of 1 point, or of 2 over the draw
            value /= most
        value = max(-1.0, min(1.0, value))
        reached = -1.0
        for k in range(last + 1):
            reached += 2.0 * steps[k]
            first[k] = 1.0 if value >= reached - 1e-6 else -1.0
        if last == 0:
            first[0] = value
        return value
    value = judge(state, net, scratch)
    if viewer(state) == 0:
        first[:] = scratch.outputs
        return value
    for k in range(last + 1):
        first[k] = -scratch.outputs[last - k]
    return -value


@compiled
def greedy_action(state: Any, net: ValueNet, scratch: Scratch, rng: Any) -> int:
    """The action to the position that the network likes best; of equal ones any."""
    options = action_buffer(state)
    count = legal_actions(state, options)
    sign = 1.0 if to_move(state) == 0 else -1.0
    chosen, highest, ties = options[0], -math.inf, 0
    for i in range(count):
        value = sign * worth(result(state, options[i]), net, scratch)
        if value > highest:
            chosen, highest, ties = options[i], value, 1
        elif value == highest:
            ties += 1
            if random_below(rng, ties) == 0:
                chosen = options[i]
    return chosen  # type: ignore[no-any-return]


@compiled
def accumulate(state: Any, net: ValueNet, traces: ValueNet, decay: float, scratch: Scratch) -> float:
    """Let the traces decay and add the gradients of the outputs for player 0, which are in ``scratch.before`` then.

    Returns what the state is worth to player 0.
    """
    value = worth(state, net, scratch)
    scratch.before[:] = scratch.first
    seen, hidden = scratch.seen.reshape(-1), scratch.hidden
    last = len(scratch.steps) - 1
    mine = viewer(state) == 0
    for k in range(last + 1):
        own = k if mine else last - k  # the output that is meant, as the network has it
        slope = (1.0 if mine else -1.0) * (1.0 - scratch.outputs[own] * scratch.outputs[own])
        first, bias, out, direct, constant = (
            traces.first[k], traces.bias[k], traces.out[k], traces.direct[k], traces.constant[k],
        )  # fmt: skip
        fade(out.reshape(-1), decay)
        fade(direct.reshape(-1), decay)
        fade(constant, decay)
        fade(bias, decay)
        constant[own] += slope
        for h in range(len(hidden)):
            out[h, own] += slope * hidden[h]
            bias[h] += slope * net.out[h, own] * (1.0 - hidden[h] * hidden[h])
        for i in range(len(seen)):
            x, row = seen[i], first[i]
            fade(row, decay)
            if x != 0.0:
                direct[i, own] += slope * x
                for h in range(len(hidden)):
                    row[h] += x * slope * net.out[h, own] * (1.0 - hidden[h] * hidden[h])
    return value


def fade(numbers: Any, decay: float) -> None:
    """Multiply all of them."""
    for i in range(len(numbers)):
        numbers[i] *= decay


@compiled
def step(net: ValueNet, traces: ValueNet, alpha: float, scratch: Scratch) -> None:
    """Move every weight along its traces, by how far each output has moved from ``before`` to ``first``."""
    for k in range(len(scratch.steps)):
        amount = alpha * (scratch.first[k] - scratch.before[k])
        move(net.constant, traces.constant[k], amount)
        move(net.bias, traces.bias[k], amount)
        move(net.out.reshape(-1), traces.out[k].reshape(-1), amount)
        move(net.direct.reshape(-1), traces.direct[k].reshape(-1), amount)
        move(net.first.reshape(-1), traces.first[k].reshape(-1), amount)


def move(weights: Any, trace: Any, amount: float) -> None:
    """Move weights along their trace."""
    for i in range(len(weights)):
        weights[i] += amount * trace[i]


@compiled
def forget(traces: ValueNet) -> None:
    """No traces: what follows was not chosen by what came before."""
    traces.constant[:] = 0.0
    traces.bias[:] = 0.0
    traces.out[:] = 0.0
    traces.direct[:] = 0.0
    traces.first[:] = 0.0


def settled_chance(state: Any, options: Any, rng: Any) -> Any:
    """The state after all that chance has to do before a player moves."""
    while not terminal(state) and to_move(state) == CHANCE:
        state = result(state, drawn_action(state, options, rng))
    return state


@compiled
def play_and_learn(
    start: Any, net: ValueNet, traces: ValueNet, learning: Learning, scratch: Scratch, rng: Any, budget: Budget
) -> float:
    """Learn from games against oneself, each spent from the budget; returns the mean size of the differences."""
    surprise, steps = 0.0, 0
    options = action_buffer(start)
    while not budget.spend():
        state = start
        for _ply in range(random_below(rng, learning.opening + 1)):
            action = drawn_action(state, options, rng)
            if action >= 0:
                state = result(state, action)
        forget(traces)
        while not terminal(state):
            value = accumulate(state, net, traces, learning.decay, scratch)
            state = settled_chance(state, options, rng)
            if not terminal(state):
                if random_unit(rng) < learning.epsilon:  # somewhere else: nothing is learned from that
                    state = result(state, drawn_action(state, options, rng))
                    forget(traces)
                    continue
                state = result(state, greedy_action(state, net, scratch, rng))
            difference = worth(state, net, scratch) - value
            surprise += abs(difference)
            steps += 1
            step(net, traces, learning.alpha, scratch)
    return surprise / max(1, steps)


@dataclass(frozen=True)
class Stage:
    """How far learning has come: games played, mean difference from position to position, a score if measured."""

    games: int
    surprise: float
    score: float | None = None


def learn(
    game: Game, net: ValueNet, learning: Learning, games: int, *, seed: int = 0, done: int = 0, every: int = 1000
) -> Iterator[Stage]:
    """Learn in place, from game `done` to `games`; the step falls evenly to a tenth. Yields after `every` games."""
    if obstacle := TD_ACCEPTS.obstacle(game.axes):
        raise UnsuitableGame(f"temporal differences cannot learn {game.name} here: {obstacle}")
    traces = new_traces(net)
    scratch = new_scratch(game, net)
    while done < games:
        count = min(every, games - done)
        now = learning._replace(alpha=learning.alpha * (1.0 - 0.9 * done / games))
        budget = Budget(count)
        arguments = (game.initial, net, traces, now, scratch, stream(seed, done), budget)
        surprise = budget.run(partial(play_and_learn, *arguments))  # which Ctrl-C stops in the middle
        done += count
        yield Stage(done, surprise)


def match_share(
    game: Game,
    net: ValueNet,
    opponent: Callable[[Any, tuple[int, ...]], int],
    games: int,
    seed: int = 0,
    opening: int = 4,
) -> float:
    """The share of points that the network, one ply deep, takes from an opponent: random openings, both colours.

    ``opponent(state, history)`` is the action that it chooses.
    """
    scratch, random = new_scratch(game, net), stream(seed, 7)
    points = 0.0
    options = action_buffer(game.initial)
    for number in range(games):
        side = number % 2
        state, history = game.initial, []
        opened = stream(seed, number // 2)
        for _ in range(opening):
            action = drawn_action(state, options, opened)
            if not terminal(result(state, action)):
                state = result(state, action)
                history.append(action)
        while not terminal(state):
            if to_move(state) == CHANCE:
                action = drawn_action(state, options, random)
            elif to_move(state) == side:
                action = greedy_action(state, net, scratch, random)
            else:
                action = opponent(state, tuple(history))
            state = result(state, action)
            history.append(action)
        points += (float(utility(state, side)) / max(map(abs, game.utilities)) + 1.0) / 2.0
    return points / games
