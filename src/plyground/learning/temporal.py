"""Temporal differences in the manner of TD-Gammon (Tesauro 1995): a small network learns to judge positions by playing.

The learner plays against itself, always to the position that it likes best, now and then somewhere else. After
every move the value of the position before is drawn towards the value of the position now (Sutton 1988):

    e <- lambda * e + gradient of V(s_t)
    w <- w + alpha * (V(s_t+1) - V(s_t)) * e

and at the end of the game towards the result. All values are meant for the first player here; the network itself
judges for the player to move, whose view the planes show. It is linear, or has one hidden layer.
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
from plyground.core.rules import action_buffer, legal_actions, planes, planes_shape, result, terminal, to_move, utility
from plyground.errors import UnsuitableGame
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, random_unit, stream
from plyground.search.learned_values import ValueNet

__all__ = ["Learning", "Stage", "greedy_action", "learn", "match_share", "new_net"]

TD_ACCEPTS = Accepts(players=(2,))


class Learning(NamedTuple):
    """The numbers of the method: step, decay of the traces, share of random moves, plies of random openings at most."""

    alpha: float = 0.02
    decay: float = 0.7
    epsilon: float = 0.1
    opening: int = 6


class Scratch(NamedTuple):
    """Room for one position: its planes, flat, and the hidden layer."""

    seen: NDArray[np.float32]
    hidden: NDArray[np.float32]


def new_net(game: Game, hidden: int, seed: int = 0) -> ValueNet:
    """A network that knows nothing; `hidden` units, 0 for a linear one."""
    inputs = math.prod(planes_shape(game.initial))
    draws = np.random.default_rng(seed)
    return ValueNet(
        draws.normal(0, 1 / math.sqrt(8), (inputs, hidden)).astype(np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(hidden, np.float32),
        np.zeros(inputs, np.float32),
        np.zeros(1, np.float32),
    )


def new_scratch(game: Game, net: ValueNet) -> Scratch:
    """Room for the positions of a game."""
    return Scratch(np.zeros(planes_shape(game.initial), np.float32), np.zeros(len(net.bias), np.float32))


@compiled
def judge(state: Any, net: ValueNet, scratch: Scratch) -> float:
    """What the network makes of a state, to the player to move, from -1 to 1."""
    scratch.seen[:] = 0.0
    planes(state, scratch.seen)
    seen, hidden = scratch.seen.reshape(-1), scratch.hidden
    hidden[:] = net.bias
    total = net.constant[0]
    for i in range(len(seen)):
        if seen[i] != 0.0:
            total += seen[i] * net.direct[i]
            row, x = net.first[i], seen[i]
            for k in range(len(hidden)):
                hidden[k] += x * row[k]
    for k in range(len(hidden)):
        hidden[k] = math.tanh(hidden[k])
        total += hidden[k] * net.out[k]
    return math.tanh(total)


@compiled
def worth(state: Any, net: ValueNet, scratch: Scratch) -> float:
    """What a state is worth to player 0: its result, or the network's guess."""
    if terminal(state):
        return max(-1.0, min(1.0, float(utility(state, 0))))
    value = judge(state, net, scratch)
    return value if to_move(state) == 0 else -value


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
    """Let the traces decay and add the gradient of what the state is worth to player 0, which is returned."""
    value = judge(state, net, scratch)
    sign = 1.0 if to_move(state) == 0 else -1.0
    slope = sign * (1.0 - value * value)
    seen, hidden = scratch.seen.reshape(-1), scratch.hidden
    traces.constant[0] = decay * traces.constant[0] + slope
    for k in range(len(hidden)):
        inner = slope * net.out[k] * (1.0 - hidden[k] * hidden[k])
        traces.out[k] = decay * traces.out[k] + slope * hidden[k]
        traces.bias[k] = decay * traces.bias[k] + inner
        hidden[k] = inner
    for i in range(len(seen)):
        x, row = seen[i], traces.first[i]
        traces.direct[i] = decay * traces.direct[i] + slope * x
        if x != 0.0:
            for k in range(len(hidden)):
                row[k] = decay * row[k] + x * hidden[k]
        else:
            for k in range(len(hidden)):
                row[k] = decay * row[k]
    return sign * value


@compiled
def step(net: ValueNet, traces: ValueNet, amount: float) -> None:
    """Move every weight along its trace."""
    net.constant[0] += amount * traces.constant[0]
    for k in range(len(net.bias)):
        net.bias[k] += amount * traces.bias[k]
        net.out[k] += amount * traces.out[k]
    for i in range(len(net.direct)):
        net.direct[i] += amount * traces.direct[i]
        row, trace = net.first[i], traces.first[i]
        for k in range(len(net.bias)):
            row[k] += amount * trace[k]


@compiled
def forget(traces: ValueNet) -> None:
    """No traces: what follows was not chosen by what came before."""
    traces.constant[:] = 0.0
    traces.bias[:] = 0.0
    traces.out[:] = 0.0
    traces.direct[:] = 0.0
    traces.first[:] = 0.0


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
            count = legal_actions(state, options)
            if count > 0:
                state = result(state, options[random_below(rng, count)])
        forget(traces)
        while not terminal(state):
            value = accumulate(state, net, traces, learning.decay, scratch)
            if random_unit(rng) < learning.epsilon:  # somewhere else: nothing is learned from that
                state = result(state, options[random_below(rng, legal_actions(state, options))])
                forget(traces)
                continue
            state = result(state, greedy_action(state, net, scratch, rng))
            difference = worth(state, net, scratch) - value
            surprise += abs(difference)
            steps += 1
            step(net, traces, learning.alpha * difference)
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
    traces = ValueNet(*map(np.zeros_like, net))
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
            action = options[random_below(opened, legal_actions(state, options))]
            if not terminal(result(state, action)):
                state = result(state, action)
                history.append(action)
        while not terminal(state):
            if to_move(state) == side:
                action = greedy_action(state, net, scratch, random)
            else:
                action = opponent(state, tuple(history))
            state = result(state, action)
            history.append(action)
        points += (float(utility(state, side)) / max(map(abs, game.utilities)) + 1.0) / 2.0
    return points / games
