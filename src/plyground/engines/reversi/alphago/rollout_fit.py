"""Fitting the rollout policy of `engines.reversi.rollout` to the moves of people, by stochastic gradient ascent.

For each move that was made, the weights of its features grow, and those of all legal moves shrink by what the policy
gives them: the gradient of the logarithm of the move's probability. Each weight has a step of its own, which
falls with the gradients that it has seen (Adagrad; J. Duchi, E. Hazan, Y. Singer 2011), because some patterns are met a
million times and others twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.engines.reversi.alphago.human_games import HumanMoves
from plyground.engines.reversi.rollout import FEATURES, UNIT, WEIGHTS, rounded, write_features
from plyground.errors import BadOption
from plyground.games.reversi.moves import moves
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled

__all__ = ["Accuracy", "fit_rollout", "measure_rollout", "stored_weights"]

STEP, LAST_STEP = 0.1, 0.005
PORTION = 100_000
MOST_MOVES = 64


class Accuracy(NamedTuple):
    """How well a policy predicts moves: mean negative log likelihood, and how often its first choice was made.

    `choices` is that among positions with more than one legal move. Of several moves with the same odds each is
    counted as a share of a first choice.
    """

    loss: float
    top: float
    choices: float
    moves: int


def fit_rollout(
    known: HumanMoves,
    *,
    epochs: int = 4,
    seed: int = 0,
    tell: Callable[[int, int, float], None] = lambda epoch, done, loss: None,
) -> NDArray[np.float32]:
    """Weights in natural units; `tell` gets the epoch from 1, the moves done in it, and the loss of the last ones."""
    if not len(known):
        raise BadOption("there are no moves to learn from")
    weights = np.zeros(WEIGHTS, np.float32)
    squares = np.full(WEIGHTS, 1e-6, np.float32)
    draws = np.random.default_rng(seed)
    for epoch in range(epochs):
        order = draws.permutation(len(known)).astype(np.int64)
        step = LAST_STEP + STEP * (1.0 - epoch / epochs)
        for first in range(0, len(order), PORTION):
            portion = order[first : first + PORTION]
            loss, _, _, _ = _learn(known.own, known.opponent, known.move, portion, weights, squares, step)
            tell(epoch + 1, first + len(portion), loss / len(portion))
    return weights


def stored_weights(weights: NDArray[np.float32]) -> NDArray[np.float32]:
    """What a file keeps of these weights."""
    return rounded(weights).astype(np.float32) / np.float32(UNIT)


def measure_rollout(held: HumanMoves, weights: NDArray[np.float32]) -> Accuracy:
    """How well weights, in natural units, predict these moves."""
    everything, unused = np.arange(len(held)), np.zeros(1, np.float32)
    loss, hits, chosen, choices = _learn(held.own, held.opponent, held.move, everything, weights, unused, 0.0)
    return Accuracy(loss / max(1, len(held)), hits / max(1, len(held)), chosen / max(1, choices), len(held))


@compiled
def _learn(
    own: Any, opponent: Any, squares: Any, order: Any, weights: Any, seen: Any, step: float
) -> tuple[float, float, float, int]:
    """Go through moves in this order, learn if there is a step; loss, hits, hits among choices, and choices."""
    features = np.zeros((MOST_MOVES, FEATURES), np.int64)
    logits = np.zeros(MOST_MOVES)
    loss = hits = chosen = 0.0
    choices = 0
    for row in order:
        mine, theirs = own[row], opponent[row]
        empties = 64 - popcount(mine | theirs)
        legal, count, made, highest = moves(mine, theirs), 0, 0, -math.inf
        while legal:
            square = bit_index(legal)
            legal &= legal - np.uint64(1)
            if square == squares[row]:
                made = count
            write_features(mine, theirs, square, empties, features[count])
            logit = 0.0
            for feature in features[count]:
                logit += float(weights[feature])
            logits[count] = logit
            highest = max(highest, logit)
            count += 1
        whole, equals = 0.0, 0
        for move in range(count):
            whole += math.exp(logits[move] - highest)
            equals += logits[move] == highest
        hit = 1.0 / equals if logits[made] == highest else 0.0
        loss += math.log(whole) - (logits[made] - highest)
        hits += hit
        if count == 1:
            continue
        choices += 1
        chosen += hit
        if step > 0.0:
            for move in range(count):
                slope = math.exp(logits[move] - highest) / whole - (1.0 if move == made else 0.0)
                if abs(slope) > 1e-4:
                    for feature in features[move]:
                        seen[feature] += np.float32(slope * slope)
                        weights[feature] -= np.float32(step * slope / math.sqrt(seen[feature]))
    return loss, hits, chosen, choices
