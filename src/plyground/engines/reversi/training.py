"""Fitting the evaluation: a ridge regression for each stage of the game, before the network is fitted to what is left.

The sum of 64 weights is to be the score of a position. Those of a stage minimise, over its positions,

    sum of count * loss(score - value)  +  ridge * (sum of parameters^2)

The loss of an error is its square up to some discs, and beyond them grows in proportion to it, so that a lost position
that nobody could have judged does not pull at everything (P. Huber, "Robust estimation of a location parameter", 1964).
A weight is a sum of parameters. One of them is its own. Others it shares: one with the same content in exchanged
colours, whose value is likely the opposite, and four with contents that agree with it, or with its mirror image, in
more than half of the squares. So a rare content is worth what its parts are worth, and a frequent one what it is seen
to be worth; the search pays nothing, because the sum is stored.

The minimum is found by conjugate gradients, each parameter scaled by how often it occurs (M. Hestenes and E. Stiefel,
"Methods of conjugate gradients for solving linear systems", 1952), in rounds: in each a position counts the less, the
larger its error was in the last. There is no rate of learning to choose, and nothing is random.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.engines.reversi.evaluation import HIGHEST, STAGES, UNIT, fine_value, stage_of
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.patterns import CENTRES, FEATURES, SHAPES, WEIGHTS, canonical_weights, write_features
from plyground.engines.reversi.positions import Games, Sample
from plyground.engines.reversi.table import Table
from plyground.engines.reversi.weights import Weights
from plyground.errors import FormatError
from plyground.native.bits import popcount
from plyground.native.compiling import compiled, interpreted

__all__ = [
    "Checkpoint",
    "Errors",
    "Sharing",
    "Training",
    "fingerprint",
    "fit_stage",
    "fit_stages",
    "judged",
    "measure",
    "stage_empties",
    "values",
]

Reals = NDArray[np.float64]
Singles = NDArray[np.float32]


@dataclass(frozen=True)
class Training:
    """How the weights are fitted.

    `ridge`: this many positions' worth of belief that a parameter is 0. `steps`: of conjugate gradients, in each of
    `rounds`. `most_count`: a position counts at most this many times, however often it occurs. `margin`: a stage learns
    from the positions of this many plies around it as well, the less the farther they are: with d plies 2^(-d/2).
    `width`: in discs, up to where the square of an error counts.
    """

    ridge: float = 100.0
    steps: int = 10
    rounds: int = 3
    most_count: int = 4
    margin: int = 2
    width: float = 6.0


OTHER_PARITY = 0.3
"""How much positions in between count, where a stage has only even or only odd numbers of empty squares."""


def stage_empties(stage: int) -> list[int]:
    """The numbers of empty squares in a stage."""
    with interpreted():
        return [empties for empties in range(1, 61) if stage_of(empties) == stage]


def share_of(empties: int, stage: int, margin: int) -> float:
    """How much the positions with this many empty squares count for a stage."""
    members = stage_empties(stage)
    distance = max(members[0] - empties, empties - members[-1], 0)
    if distance > margin:
        return 0.0
    alike = any((empties - member) % 2 == 0 for member in members)
    return float(2.0 ** (-distance / 2) * (1 if alike else OTHER_PARITY))


# Sharing ------------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """For each weight the number of a parameter that is added to it, and the factor."""

    parameter: NDArray[np.int64]
    factor: Singles


class Sharing:
    """How the weights of a stage are made of parameters. The parts of one family number the same parameters."""

    def __init__(self, *families: Sequence[Part]) -> None:
        self.parameters = 0
        self._parts = []
        for family in families:
            known, numbers = np.unique(np.stack([part.parameter for part in family]), return_inverse=True)
            for part, number in zip(family, numbers.reshape(len(family), -1), strict=True):
                self._parts.append(Part(self.parameters + number.astype(np.int64), part.factor))
            self.parameters += len(known)

    def weights(self, parameters: Reals) -> Singles:
        """The weights that these parameters make."""
        total = np.zeros(WEIGHTS, np.float32)
        for number, factor in self._parts:
            total += parameters[number] * factor
        return total

    def gathered(self, weights: Reals, power: int = 1) -> Reals:
        """For each parameter the sum over the weights that it is part of, times the factor: the transposed map.

        With the factors squared, how often each parameter occurs if the weights occur this often.
        """
        total = np.zeros(self.parameters)
        for number, factor in self._parts:
            total += np.bincount(number, weights * factor**power, self.parameters)
        return total


FACTOR = 0.7
"""Of what a weight does not share, and of each of the two ways to see a part."""


@cache
def usual_sharing() -> Sharing:
    """A parameter of its own for each weight, one for exchanged colours, two for parts of the shape, seen both ways."""
    canonical = canonical_weights().astype(np.int64)
    places = np.arange(WEIGHTS)
    mirror = canonical.copy()
    mirror[canonical] = places  # the greater of a pair comes last; of the rest each is its own image
    mirror = np.where(canonical == places, mirror, canonical)
    exchanged, lower, upper = np.empty(WEIGHTS, np.int64), np.empty(WEIGHTS, np.int64), np.empty(WEIGHTS, np.int64)
    start = 0
    for squares in (len(shape.split()) for shape in SHAPES.values()):
        size, kept = 3**squares, squares // 2 + 1
        content = np.arange(size)
        exchanged[start : start + size] = start + size - 1 - content
        lower[start : start + size] = start + content % 3**kept
        upper[start : start + size] = start + content // 3 ** (squares - kept)
        start += size
    opposite = canonical[exchanged]
    own = Part(canonical, np.full(WEIGHTS, FACTOR, np.float32))
    colours = Part(np.minimum(canonical, opposite), np.sign(opposite - canonical).astype(np.float32))
    families = [[own], [colours]]
    for part in (lower, upper):
        other = part[exchanged]
        signed = Part(np.minimum(part, other), (FACTOR * np.sign(other - part)).astype(np.float32))
        families.append([signed, Part(signed.parameter[mirror], signed.factor[mirror])])
    return Sharing(*families)


# Fitting ------------------------------------------------------------------------------------------------------------


def features_of(sample: Sample) -> NDArray[np.int16]:
    """What stands on the shapes, shape (n, features)."""
    rows = np.empty((len(sample), FEATURES), np.int16)
    _write_all_features(sample.own, sample.opponent, rows)
    return rows


@compiled
def _write_all_features(own: Any, opponent: Any, rows: Any) -> None:
    for i in range(len(own)):
        write_features(own[i], opponent[i], rows[i])


@compiled
def _add_up(rows: Any, weights: Any, out: Any) -> None:
    """The value of each row: the sum of its weights."""
    for i in range(len(rows)):
        total = np.float32(0)
        for feature in range(FEATURES):
            total += weights[CENTRES[feature] + rows[i, feature]]
        out[i] = total


@compiled
def _spread(rows: Any, amounts: Any, out: Any) -> None:
    """Add each row's amount to all of its weights: the transpose of `_add_up`."""
    for i in range(len(rows)):
        for feature in range(FEATURES):
            out[CENTRES[feature] + rows[i, feature]] += amounts[i]


@compiled
def _add_up_and_spread(rows: Any, counts: Any, weights: Any, out: Any) -> None:
    """Both, the value times the row's count in between."""
    for i in range(len(rows)):
        total = np.float32(0)
        for feature in range(FEATURES):
            total += weights[CENTRES[feature] + rows[i, feature]]
        total *= counts[i]
        for feature in range(FEATURES):
            out[CENTRES[feature] + rows[i, feature]] += total


def fit_stage(
    samples: Sequence[Sample], stage: int, training: Training, on_step: Callable[[], bool] = lambda: True
) -> Singles | None:
    """The weights of a stage, in discs, from the positions by their number of empty squares.

    `on_step` is called before each step; None is returned when it answers False.
    """
    rows, scores, counts = _stage_rows(samples, stage, training)
    sharing = usual_sharing()
    parameters, found, spread = np.zeros(sharing.parameters), np.zeros(len(rows), np.float32), np.zeros(WEIGHTS)
    for number in range(training.rounds):
        amounts, ridge = counts, training.ridge
        if number:
            _add_up(rows, sharing.weights(parameters), found)
            amounts = counts * np.minimum(1, training.width / np.maximum(np.abs(scores - found), 1e-3))
            ridge *= float(amounts.sum() / counts.sum())
        spread[:] = 0
        _spread(rows, amounts, spread)
        scale = sharing.gathered(spread, 2) + ridge
        spread[:] = 0
        _spread(rows, amounts * (scores - found), spread)
        residual = sharing.gathered(spread) - ridge * parameters
        direction = residual / scale
        size = float(residual @ direction)
        for _ in range(training.steps):
            if not on_step():
                return None
            if size < 1e-12:
                break
            spread[:] = 0
            _add_up_and_spread(rows, amounts, sharing.weights(direction), spread)
            image = sharing.gathered(spread) + ridge * direction
            length = size / float(direction @ image)
            parameters += length * direction
            residual -= length * image
            scaled = residual / scale
            before, size = size, float(residual @ scaled)
            direction = scaled + size / before * direction
    return sharing.weights(parameters)


def _stage_rows(
    samples: Sequence[Sample], stage: int, training: Training
) -> tuple[NDArray[np.int16], Singles, Singles]:
    """The features, the scores and the counts that a stage learns from."""
    rows, scores, counts = [], [], []
    for empties in range(1, 61):
        share = share_of(empties, stage, training.margin)
        if share:
            sample = samples[empties]
            rows.append(features_of(sample))
            scores.append(sample.score)
            counts.append((np.minimum(sample.count, training.most_count) * share).astype(np.float32))
    return np.concatenate(rows), np.concatenate(scores), np.concatenate(counts)


def fit_stages(
    samples: Sequence[Sample],
    stages: Sequence[int],
    training: Training,
    *,
    threads: int = 1,
    on_step: Callable[[int], None] = lambda stage: None,
) -> Generator[tuple[int, Singles], None, None]:
    """Stages with their weights, as they are finished; to leave the loop stops the threads.

    `on_step` is called, from any of the threads, before each step of each stage.
    """
    usual_sharing()
    stopped = threading.Event()

    def fit(stage: int) -> tuple[int, Singles | None]:
        def step() -> bool:
            on_step(stage)
            return not stopped.is_set()

        return stage, fit_stage(samples, stage, training, step)

    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(fit, stage) for stage in stages]
        try:
            for future in as_completed(futures):
                stage, weights = future.result()
                assert weights is not None
                yield stage, weights
        finally:
            stopped.set()
            for future in futures:
                future.cancel()


# Measuring ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Errors:
    """How far the evaluation, without any search, is from the scores of this many positions; in discs.

    The mean absolute error, the root of the mean squared error, and the mean of value less score.
    """

    positions: int
    mean_absolute: float
    root_mean_square: float
    bias: float


def values(sample: Sample, weights: NDArray[Any]) -> Singles:
    """What the weights of a stage, in discs, say of positions, for the side to move."""
    out = np.empty(len(sample), np.float32)
    _add_up(features_of(sample), np.ascontiguousarray(weights, np.float32), out)
    return np.clip(out, -HIGHEST, HIGHEST)


def judged(sample: Sample, weights: Weights) -> Singles:
    """What the whole evaluation says of positions in any stage of the game: the weights and the network."""
    fine = np.empty(len(sample), np.int64)
    memory = Memory(Table(0), weights, np.zeros(16, np.int64))
    _judge_all(sample.own, sample.opponent, fine, memory.record)
    return np.clip(fine / np.float32(UNIT), -HIGHEST, HIGHEST).astype(np.float32)


@compiled
def _judge_all(own: Any, opponent: Any, out: Any, memory: Any) -> None:
    for i in range(len(own)):
        empties = 64 - popcount(own[i] | opponent[i])
        write_features(own[i], opponent[i], memory.features[empties])
        out[i] = fine_value(empties, memory)


def measure(sample: Sample, found: Singles) -> Errors | None:
    """The errors of values that were found for a sample, of which each position counts once; None if it is empty."""
    if not len(sample):
        return None
    error = found.astype(np.float64) - sample.score
    return Errors(len(sample), float(np.abs(error).mean()), float(np.sqrt((error**2).mean())), float(error.mean()))


# A checkpoint -------------------------------------------------------------------------------------------------------


def fingerprint(parts: Sequence[Games], training: Training) -> str:
    """A text that differs if anything does on which the weights depend."""
    stages = [stage_empties(stage) for stage in range(STAGES)]
    settings = astuple(training), FACTOR, OTHER_PARITY, UNIT, stages, list(SHAPES.values())
    digest = hashlib.sha256(repr(settings).encode())
    for part in parts:
        for array in (part.moves, part.scores, part.estimates, part.openings):
            digest.update(repr(array.shape).encode() + np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()


class Checkpoint:
    """The stages fitted so far, in a file; what another training has left there is not used.

    One file beside the weights, and no folder as `learning.run` has: it is deleted when all stages are done.
    """

    def __init__(self, path: Path, fingerprint: str) -> None:
        self.path, self.fingerprint = path, fingerprint
        self._own, self._places = np.unique(canonical_weights(), return_inverse=True)
        self._stages: dict[int, Singles] = {}
        if path.exists():
            self._load()

    def _load(self) -> None:
        known: Expected = {
            "fingerprint": ("U", ()),
            "stages": ("i8", ("done",)),
            "weights": ("f4", ("done", len(self._own))),
        }
        file = read_arrays(self.path, "checkpoint of a training", known, hint="delete it to start over")
        stages = file["stages"].tolist()
        if not set(stages) <= set(range(STAGES)):
            raise FormatError(f"{self.path} is not a checkpoint of a training: there is no stage {max(stages)}")
        if str(file["fingerprint"]) == self.fingerprint:
            self._stages = dict(zip(stages, file["weights"], strict=True))

    @property
    def stages(self) -> list[int]:
        """The stages that are done."""
        return sorted(self._stages)

    def add(self, stage: int, weights: Singles) -> None:
        """Keep the weights of a stage."""
        self._stages[stage] = weights[self._own]
        kept = np.stack([self._stages[number] for number in self.stages])
        names = {"fingerprint": np.array(self.fingerprint), "stages": np.array(self.stages), "weights": kept}
        write_arrays(self.path, compressed=False, **names)

    def weights(self, stage: int) -> Singles:
        """The weights of a stage that is done, in discs."""
        return self._stages[stage][self._places]

    def table(self) -> Singles:
        """All weights, shape (stages, weights of a stage)."""
        return np.stack([self.weights(stage) for stage in range(STAGES)])
