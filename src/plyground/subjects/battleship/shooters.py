"""Shooters: where to aim, given the answers so far; and how many shots each needs to sink a whole fleet.

`random` shoots anywhere. `hunt` shoots at every second cell, as on a chessboard, until it hits, and then beside the
hits (hunt and target). `probable` takes the cell that most likely holds a ship. `informed` adds to that probability a
part of what the answer is expected to tell: its entropy, in bits.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.games.battleship import HIT, MISS, SUNK
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream
from plyground.subjects.battleship.belief import (
    Sea,
    Shots,
    count_fleets,
    fit_options,
    noted,
    sample_fleets,
    throw_fleet,
)

__all__ = ["AIMS", "Aim", "ShotStatistics", "aim_at", "measure_shots", "optimal_shots"]

Aim = Literal["random", "hunt", "probable", "informed"]
AIMS: tuple[Aim, ...] = ("random", "hunt", "probable", "informed")
RANDOM, HUNT, PROBABLE, INFORMED = range(4)
CURIOSITY = 0.4
"""How much a bit of information counts, in hits."""
EXACT_STEPS, SAMPLES = 20_000, 1000
"""For each shot: steps of the exact count before fleets are sampled instead, and how many of them."""


@compiled
def choose_shot(
    cells: Any, counts: Any, lengths: Any, columns: int, times: Any, answers: Any, sunk_at: Any, aim: int, curiosity:
    float, exact_steps: int, samples: int, places: Any, found: Any, chances: Any, outcomes: Any, rng: Any,
) -> int:  # fmt: skip
    """The cell to shoot at. Writes how likely each holds a ship into `chances` (PROBABLE and INFORMED)."""
    size = len(times)
    if aim == RANDOM:
        return random_open(times, -1, 1, columns, rng)
    if aim == HUNT:
        target = beside_hits(times, answers, sunk_at, lengths, columns, rng)
        if target >= 0:
            return target
        step = 64
        for ship in range(len(lengths)):
            if sunk_at[ship] < 0:
                step = min(step, lengths[ship])
        chosen = random_open(times, 0, step, columns, rng)
        return chosen if chosen >= 0 else random_open(times, -1, 1, columns, rng)
    fit_options(cells, counts, lengths, times, answers, sunk_at, places, found)
    hit = np.zeros(size, np.int64)
    for cell in range(size):
        hit[cell] = 1 if answers[cell] >= HIT else 0
    chances[:] = 0.0
    outcomes[:] = 0.0
    steps = np.array([0, exact_steps], np.int64)
    laid, taken = np.zeros(len(lengths), np.int64), np.zeros(size, np.int64)
    whole = count_fleets(cells, lengths, places, found, hit, times, laid, taken, chances, outcomes, steps)
    if steps[0] > exact_steps:
        chances[:] = 0.0
        outcomes[:] = 0.0
        whole, _ = sample_fleets(
            cells, lengths, places, found, hit, times, samples, chances, np.zeros(size), outcomes, rng
        )
    if whole <= 0.0:
        return random_open(times, -1, 1, columns, rng)
    best, chosen = -1.0, -1
    for cell in range(size):
        chances[cell] /= whole
        if times[cell]:
            continue
        worth = chances[cell]
        if aim == INFORMED:
            worth += curiosity * entropy(chances[cell], outcomes, cell, whole)
        if worth > best:
            best, chosen = worth, cell
    return chosen


@compiled
def entropy(chance: float, outcomes: Any, cell: int, whole: float) -> float:
    """How many bits the answer to a shot tells on average: miss, hit, or which ship is sunk."""
    bits, hits = 0.0, chance
    for ship in range(outcomes.shape[0]):
        part = outcomes[ship, cell] / whole
        hits -= part
        if part > 1e-12:
            bits -= part * math.log2(part)
    for part in (hits, 1.0 - chance):
        if part > 1e-12:
            bits -= part * math.log2(part)
    return bits


@compiled
def random_open(times: Any, parity: int, step: int, columns: int, rng: Any) -> int:
    """A random cell not shot at, with a parity of 0 only on every `step`-th diagonal; -1 if there is none."""
    chosen, seen = -1, 0
    for cell in range(len(times)):
        if times[cell] or (parity >= 0 and (cell // columns + cell % columns) % step != parity):
            continue
        seen += 1
        if random_below(rng, seen) == 0:
            chosen = cell
    return chosen


@compiled
def beside_hits(times: Any, answers: Any, sunk_at: Any, lengths: Any, columns: int, rng: Any) -> int:
    """A cell next to a hit, while more cells have been hit than ships that are sunk have; -1 otherwise.

    Cells in line with two hits come first.
    """
    hits = 0
    for cell in range(len(times)):
        hits += answers[cell] >= HIT
    for ship in range(len(lengths)):
        if sunk_at[ship] >= 0:
            hits -= lengths[ship]
    if hits <= 0:
        return -1
    chosen, seen, rank = -1, 0, 0
    for cell in range(len(times)):
        if times[cell]:
            continue
        row, column = cell // columns, cell % columns
        value = 0
        for direction in range(4):
            dr, dc = (direction == 0) - (direction == 1), (direction == 2) - (direction == 3)
            run = 0
            r, c = row + dr, column + dc
            while 0 <= c < columns and 0 <= r < len(times) // columns and answers[r * columns + c] == HIT and run < 2:
                run += 1
                r, c = r + dr, c + dc
            value = max(value, run)
        if value > rank:
            rank, seen, chosen = value, 0, -1
        if value == rank and value > 0:
            seen += 1
            if random_below(rng, seen) == 0:
                chosen = cell
    return chosen


@compiled
def play_out(
    cells: Any, counts: Any, lengths: Any, columns: int, size: int, aim: int, curiosity: float, exact_steps: int,
    samples: int, games: int, results: Any, rng: Any,
) -> None:  # fmt: skip
    """Write how many shots it takes to sink each of this many random fleets."""
    times, answers = np.zeros(size, np.int64), np.zeros(size, np.int64)
    sunk_at = np.zeros(len(lengths), np.int64)
    taken, fleet, afloat = np.zeros(size, np.int64), np.zeros(len(lengths), np.int64), np.zeros(len(lengths), np.int64)
    places, found = np.zeros(cells.shape[:2], np.int64), np.zeros(len(lengths), np.int64)
    chances, outcomes = np.zeros(size), np.zeros((len(lengths), size))
    for game in range(games):
        throw_fleet(cells, counts, lengths, taken, fleet, rng)
        times[:] = 0
        answers[:] = -1
        sunk_at[:] = -1
        afloat[:] = lengths
        left, shots = len(lengths), 0
        while left:
            shot = choose_shot(
                cells, counts, lengths, columns, times, answers, sunk_at, aim, curiosity, exact_steps, samples,
                places, found, chances, outcomes, rng,
            )  # fmt: skip
            shots += 1
            times[shot], answers[shot] = shots, MISS
            for ship in range(len(lengths)):
                for step in range(lengths[ship]):
                    if cells[ship, fleet[ship], step] == shot:
                        afloat[ship] -= 1
                        answers[shot] = HIT
                        if afloat[ship] == 0:
                            answers[shot], sunk_at[ship] = SUNK + ship, shot
                            left -= 1
        results[game] = shots


def aim_at(
    sea: Sea,
    shots: Shots,
    aim: Aim,
    seed: int = 0,
    *,
    curiosity: float = CURIOSITY,
    samples: int = SAMPLES,
    steps: int = EXACT_STEPS,
) -> tuple[int, NDArray[np.float64]]:
    """The cell that a shooter takes, and how likely it thinks each cell holds a ship (zeros if it does not think).

    With the same `seed`, `samples` and `steps` it thinks what `believe` says.
    """
    where, (times, answers, sunk_at) = sea.places(), noted(sea, shots)
    chances, outcomes = np.zeros(sea.cells), np.zeros((len(sea.ships), sea.cells))
    shot = choose_shot(
        where.cells, where.counts, where.lengths, sea.columns, times, answers, sunk_at, _number(aim),
        float(curiosity), steps, samples, np.zeros(where.cells.shape[:2], np.int64), np.zeros(len(sea.ships),
        np.int64), chances, outcomes, stream(seed),
    )  # fmt: skip
    return int(shot), chances


def _number(aim: str) -> int:
    if aim not in AIMS:
        raise BadOption(f"aim must be {', '.join(AIMS[:-1])} or {AIMS[-1]}, not '{aim[:40]}'")
    return AIMS.index(aim)


@dataclass(frozen=True)
class ShotStatistics:
    """How many shots a shooter needed, game by game."""

    aim: Aim
    shots: NDArray[np.int64]

    @property
    def mean(self) -> float:
        """Of all games."""
        return float(self.shots.mean())

    @property
    def error(self) -> float:
        """The standard error of the mean; NaN for one game."""
        return float(self.shots.std(ddof=1) / math.sqrt(len(self.shots))) if len(self.shots) > 1 else math.nan


def measure_shots(
    sea: Sea,
    aim: Aim,
    games: int,
    seed: int = 0,
    *,
    curiosity: float = CURIOSITY,
    samples: int = SAMPLES,
    on_progress: Callable[[float], None] = lambda part: None,
) -> ShotStatistics:
    """Let a shooter sink this many random fleets, the same ones for every shooter of a seed."""
    if games < 1:
        raise BadOption(f"games must be at least 1, not {games}")
    where, results = sea.places(), np.zeros(games, np.int64)
    number = _number(aim)
    for game in range(games):
        play_out(
            where.cells, where.counts, where.lengths, sea.columns, sea.cells, number, float(curiosity), EXACT_STEPS,
            samples, 1, results[game : game + 1], stream(seed, game),
        )  # fmt: skip
        on_progress((game + 1) / games)
    return ShotStatistics(aim, results)


# Belief-state search ------------------------------------------------------------------------------------------------

MOST_FLEETS = 400


def optimal_shots(sea: Sea) -> float:
    """The fewest shots that sink a random fleet on average: expectimax over beliefs, exact, for tiny boards.

    A belief is the set of fleets that fit all answers; a shot splits it by the answer. No belief can do with fewer
    shots than its fleets have cells left on average, which cuts most of the tree.
    """
    fleets = _all_fleets(sea)
    if len(fleets) > MOST_FLEETS:
        raise BadOption(f"there are more than {MOST_FLEETS} fleets; the best shots can be found on smaller boards only")
    occupied = [sum(fleet) for fleet in fleets]
    known: dict[tuple[frozenset[int], int], float] = {}

    def answer(fleet: int, bit: int, fired: int) -> int:
        for ship, cells in enumerate(fleets[fleet]):
            if cells & bit:
                return SUNK + ship if not cells & ~(fired | bit) else HIT
        return MISS

    def least(belief: frozenset[int], fired: int) -> float:
        return sum((occupied[fleet] & ~fired).bit_count() for fleet in belief) / len(belief)

    def shots_from(belief: frozenset[int], fired: int) -> float:
        covered = 0
        for fleet in belief:
            covered |= occupied[fleet]
        open_cells, fired = covered & ~fired, covered & fired
        if not open_cells:
            return 0.0
        key = belief, fired
        if key in known:
            return known[key]
        best = math.inf
        bits = [1 << cell for cell in range(sea.cells) if open_cells >> cell & 1]
        bits.sort(key=lambda bit: -sum(bool(occupied[fleet] & bit) for fleet in belief))
        for bit in bits:
            parts: dict[int, list[int]] = {}
            for fleet in belief:
                parts.setdefault(answer(fleet, bit, fired), []).append(fleet)
            groups = [frozenset(group) for group in parts.values()]
            value = 1.0 + sum(len(group) / len(belief) * least(group, fired | bit) for group in groups)
            if value >= best:
                continue
            value = 1.0
            for group in groups:
                value += len(group) / len(belief) * shots_from(group, fired | bit)
            best = min(best, value)
        known[key] = best
        return best

    return shots_from(frozenset(range(len(fleets))), 0)


def _all_fleets(sea: Sea) -> list[tuple[int, ...]]:
    """Every fleet as the sets of cells of its ships; a few more than `MOST_FLEETS` at most."""
    where = sea.places()
    masks = [
        [sum(1 << int(cell) for cell in where.cells[ship, place, :length]) for place in range(where.counts[ship])]
        for ship, length in enumerate(sea.ships)
    ]
    found: list[tuple[int, ...]] = [()]
    for options in masks:
        longer = ((*fleet, mask) for fleet in found for mask in options if not sum(fleet) & mask)
        found = list(itertools.islice(longer, 20 * MOST_FLEETS))
    return found
