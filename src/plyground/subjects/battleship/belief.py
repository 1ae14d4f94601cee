"""What a shooter may believe: how likely each cell holds a ship, given all answers so far.

All fleets that fit the answers are taken as equally likely. They are the leaves of one tree: while a hit is not
explained, the next step is to lay a ship over the first such hit; then the ships that were never hit are laid down
one after the other. Every fleet is at the end of exactly one path. So the whole tree gives exact probabilities
(`exact_chances`). Where that is too large, all ways to explain the hits are gone through and only the other ships are
laid at random: one that has k free places takes each with probability 1/k, and the product of these k is the weight
of the fleet (`sampled_chances`), after Knuth, "Estimating the Efficiency of Backtrack Programs", 1975.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption
from plyground.games.battleship import HIT, MISS, SUNK, check_sea
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream

__all__ = [
    "Belief",
    "Options",
    "Sea",
    "believe",
    "exact_chances",
    "placing_actions",
    "random_fleet",
    "sample_fleets",
    "sampled_chances",
]

EXACT_STEPS = 300_000
"""How many steps `believe` takes for exact numbers before it falls back on samples."""
SAMPLES = 2000


@dataclass(frozen=True)
class Sea:
    """A board and the lengths of the ships on it."""

    rows: int = 10
    columns: int = 10
    ships: tuple[int, ...] = (5, 4, 3, 3, 2)

    def __post_init__(self) -> None:
        check_sea(self.rows, self.columns, self.ships)

    @property
    def cells(self) -> int:
        """How many there are."""
        return self.rows * self.columns

    def places(self) -> Places:
        """Everywhere that each ship may lie on an empty board."""
        return _places(self.rows, self.columns, self.ships)


class Places(NamedTuple):
    """Where ships may lie: `cells` has shape (ships, places, longest ship), filled up with -1."""

    cells: NDArray[np.int64]
    counts: NDArray[np.int64]
    lengths: NDArray[np.int64]


def _places(rows: int, columns: int, ships: tuple[int, ...]) -> Places:
    longest = max(ships)
    found: list[list[list[int]]] = []
    for length in ships:
        lying = []
        for cell in range(rows * columns):
            if cell % columns + length <= columns:
                lying.append([cell + step for step in range(length)])
            if length > 1 and cell // columns + length <= rows:
                lying.append([cell + step * columns for step in range(length)])
        found.append(lying)
    cells = np.full((len(ships), max(map(len, found)), longest), -1, np.int64)
    for ship, lying in enumerate(found):
        for place, here in enumerate(lying):
            cells[ship, place, : len(here)] = here
    return Places(cells, np.array([len(lying) for lying in found], np.int64), np.array(ships, np.int64))


class Options(NamedTuple):
    """The places of each ship that fit the answers one by one: numbers into `Places`, and how many there are.

    `hit` is 1 for the cells that were hit, `times` when each was shot at, from 1, or 0.
    """

    places: NDArray[np.int64]
    counts: NDArray[np.int64]
    hit: NDArray[np.int64]
    times: NDArray[np.int64]


@compiled
def fit_options(
    cells: Any, counts: Any, lengths: Any, times: Any, answers: Any, sunk_at: Any, out: Any, found: Any
) -> None:
    """Write the places of each ship that fit the answers into `out`, and how many into `found`.

    `times` is when each cell was shot at, from 1, or 0; `answers` what was said, -1 if nothing; `sunk_at` the cell at
    which each ship was said to be sunk, or -1.
    """
    for ship in range(len(lengths)):
        count = 0
        for place in range(counts[ship]):
            fits, open_cells, covers = True, 0, False
            for step in range(lengths[ship]):
                cell = cells[ship, place, step]
                if answers[cell] == MISS:
                    fits = False
                    break
                if answers[cell] >= SUNK and answers[cell] != SUNK + ship:
                    fits = False  # the last shot at another ship
                    break
                if times[cell] == 0:
                    open_cells += 1
                elif sunk_at[ship] >= 0 and times[cell] > times[sunk_at[ship]]:
                    fits = False  # it was sunk before this hit
                    break
                covers = covers or cell == sunk_at[ship]
            if fits and (covers and open_cells == 0 if sunk_at[ship] >= 0 else open_cells > 0):
                out[ship, count] = place
                count += 1
        found[ship] = count


@compiled
def count_fleets(
    cells: Any, lengths: Any, places: Any, counts: Any, hit: Any, times: Any, laid: Any, taken: Any, totals: Any,
    sinking: Any, steps: Any,
) -> float:  # fmt: skip
    """How many fleets go on from the ships that are laid.

    Adds to `totals`, for each cell, in how many of them a ship lies there, and to `sinking`, for each ship and cell,
    in how many a shot there sinks it. `laid` is 1 for ships that have their place, `taken` counts the ships in a
    cell, `times` are 0 for cells that were not shot at. `steps` is [those made, the most there may be]; when they are
    used up the answer is not to be used.
    """
    target = first_open_hit(hit, taken)
    found = 0.0
    left = 0
    for ship in range(len(lengths)):
        left += 1 - laid[ship]
    if left == 0:
        return 1.0 if target < 0 else 0.0
    for ship in range(len(lengths)):
        if laid[ship]:
            continue
        for i in range(counts[ship]):
            place = places[ship, i]
            if target >= 0 and not lies_on(cells, lengths[ship], ship, place, target):
                continue
            if not is_free(cells, lengths[ship], ship, place, taken):
                continue
            steps[0] += 1
            if steps[0] > steps[1]:
                return found
            laid[ship] = 1
            for step in range(lengths[ship]):
                taken[cells[ship, place, step]] += 1
            below = count_fleets(cells, lengths, places, counts, hit, times, laid, taken, totals, sinking, steps)
            laid[ship] = 0
            afloat, last = 0, -1
            for step in range(lengths[ship]):
                cell = cells[ship, place, step]
                taken[cell] -= 1
                totals[cell] += below
                if times[cell] == 0:
                    afloat += 1
                    last = cell
            if afloat == 1:
                sinking[ship, last] += below
            found += below
        if target < 0:
            break  # nothing is left to explain: this ship goes everywhere, and the next below it
    return found


@compiled
def first_open_hit(hit: Any, taken: Any) -> int:
    """The first cell that was hit and on which no ship lies yet; -1 if there is none."""
    for cell in range(len(hit)):
        if hit[cell] and not taken[cell]:
            return cell
    return -1


@compiled
def lies_on(cells: Any, length: int, ship: int, place: int, target: int) -> bool:
    """Whether a ship at a place covers a cell."""
    for step in range(length):  # noqa: SIM110 - generator expressions do not compile
        if cells[ship, place, step] == target:
            return True
    return False


@compiled
def is_free(cells: Any, length: int, ship: int, place: int, taken: Any) -> bool:
    """Whether no cell of a place is taken."""
    for step in range(length):  # noqa: SIM110
        if taken[cells[ship, place, step]]:
            return False
    return True


@compiled
def sample_covers(
    cells: Any, lengths: Any, places: Any, counts: Any, hit: Any, times: Any, fleet: Any, taken: Any, rate: float,
    totals: Any, squares: Any, sinking: Any, sums: Any, rng: Any,
) -> float:  # fmt: skip
    """Go through all ways to explain the hits, and lay the ships that are left at random, several times for each way.

    How often is in proportion to how many fleets the way may lead to at most: `rate` times that number, and once at
    least. Returns the sum of these numbers; with a rate of 0 nothing else is done. Weights are added to `totals`,
    `squares` and `sinking` as in `count_fleets`, and to `sums`: [all weights, their squares]. `fleet` are the places
    so far, -1 for none.
    """
    target = first_open_hit(hit, taken)
    if target < 0:
        most = 1.0
        for ship in range(len(lengths)):
            if fleet[ship] < 0:
                most *= counts[ship]
        rounds = max(1, int(rate * most)) if rate > 0.0 else 0
        for _ in range(rounds):
            if not complete(
                cells, lengths, places, counts, times, fleet, taken, rounds, totals, squares, sinking, sums, rng
            ):
                break
        return most
    whole = 0.0
    for ship in range(len(lengths)):
        if fleet[ship] >= 0:
            continue
        for i in range(counts[ship]):
            place = places[ship, i]
            if lies_on(cells, lengths[ship], ship, place, target) and is_free(cells, lengths[ship], ship, place, taken):
                fleet[ship] = place
                for step in range(lengths[ship]):
                    taken[cells[ship, place, step]] += 1
                whole += sample_covers(
                    cells, lengths, places, counts, hit, times, fleet, taken, rate, totals, squares, sinking, sums, rng
                )
                fleet[ship] = -1
                for step in range(lengths[ship]):
                    taken[cells[ship, place, step]] -= 1
    return whole


@compiled
def complete(
    cells: Any, lengths: Any, places: Any, counts: Any, times: Any, fleet: Any, taken: Any, rounds: int, totals: Any,
    squares: Any, sinking: Any, sums: Any, rng: Any,
) -> bool:  # fmt: skip
    """Lay the ships that are left at random, add the weight of the fleet, and take them up again.

    The weight is the product of the numbers of free places of each, over the number of rounds. False if nothing was
    left to lay: then the fleet is counted whole, and once is enough.
    """
    weight, late = 1.0, np.zeros(len(lengths), np.int64)
    left = 0
    for ship in range(len(lengths)):
        if fleet[ship] >= 0 or weight == 0.0:
            continue
        left += 1
        choices, chosen = 0, -1
        for i in range(counts[ship]):
            if is_free(cells, lengths[ship], ship, places[ship, i], taken):
                choices += 1
                if random_below(rng, choices) == 0:  # each of them is kept with the same probability in the end
                    chosen = places[ship, i]
        weight *= choices
        if choices:
            fleet[ship], late[ship] = chosen, 1
            for step in range(lengths[ship]):
                taken[cells[ship, chosen, step]] += 1
    if left:
        weight /= rounds
    if weight > 0.0:
        sums[0] += weight
        sums[1] += weight * weight
        for ship in range(len(lengths)):
            afloat, last = 0, -1
            for step in range(lengths[ship]):
                cell = cells[ship, fleet[ship], step]
                totals[cell] += weight
                squares[cell] += weight * weight
                if times[cell] == 0:
                    afloat += 1
                    last = cell
            if afloat == 1:
                sinking[ship, last] += weight
    for ship in range(len(lengths)):
        if late[ship]:
            for step in range(lengths[ship]):
                taken[cells[ship, fleet[ship], step]] -= 1
            fleet[ship] = -1
    return left > 0


@compiled
def sample_fleets(
    cells: Any, lengths: Any, places: Any, counts: Any, hit: Any, times: Any, samples: int, totals: Any, squares: Any,
    sinking: Any, rng: Any,
) -> tuple[float, float]:  # fmt: skip
    """Add up about n `samples`; the sum of their weights, about how many fleets fit, and that of their squares."""
    fleet, taken = np.full(len(lengths), -1, np.int64), np.zeros(len(hit), np.int64)
    sums = np.zeros(2)
    most = sample_covers(
        cells, lengths, places, counts, hit, times, fleet, taken, 0.0, totals, squares, sinking, sums, rng
    )
    if most > 0.0:
        rate = samples / most
        sample_covers(
            cells, lengths, places, counts, hit, times, fleet, taken, rate, totals, squares, sinking, sums, rng
        )
    return sums[0], sums[1]


Shots = list[tuple[int, int]]


def noted(sea: Sea, shots: Shots) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """When each cell was shot at, what was said, and where each ship was sunk, as `fit_options` takes them."""
    times, answers = np.zeros(sea.cells, np.int64), np.full(sea.cells, -1, np.int64)
    sunk_at = np.full(len(sea.ships), -1, np.int64)
    for number, (cell, answer) in enumerate(shots):
        if not (0 <= cell < sea.cells and MISS <= answer < SUNK + len(sea.ships)):
            raise BadOption(f"a shot is a cell from 0 to {sea.cells - 1} and an answer, not ({cell}, {answer})")
        if times[cell] or (answer >= SUNK and sunk_at[answer - SUNK] >= 0):
            raise BadOption("no cell is shot at twice, and no ship sunk twice")
        times[cell], answers[cell] = number + 1, answer
        if answer >= SUNK:
            sunk_at[answer - SUNK] = cell
    return times, answers, sunk_at


def fitting_options(sea: Sea, shots: Shots) -> Options:
    """What fits the shots, each a cell and an answer: MISS, HIT, or SUNK and the number of the ship."""
    times, answers, sunk_at = noted(sea, shots)
    where = sea.places()
    places, counts = np.zeros(where.cells.shape[:2], np.int64), np.zeros(len(sea.ships), np.int64)
    fit_options(where.cells, where.counts, where.lengths, times, answers, sunk_at, places, counts)
    return Options(places, counts, (answers >= HIT).astype(np.int64), times)


@dataclass(frozen=True)
class Belief:
    """How likely each cell holds a ship, 1 where it was hit; `errors` are standard errors, all 0 if it is exact.

    `fleets` is how many fit, or about how many.
    """

    chances: NDArray[np.float64]
    errors: NDArray[np.float64]
    fleets: float
    exact: bool


def exact_chances(sea: Sea, shots: Shots, steps: int = 2**62) -> Belief | None:
    """Exact probabilities, from all fleets that fit; None if that takes more than this many steps."""
    where, options = sea.places(), fitting_options(sea, shots)
    totals, used = np.zeros(sea.cells), np.array([0, steps], np.int64)
    laid, taken = np.zeros(len(sea.ships), np.int64), np.zeros(sea.cells, np.int64)
    fleets = count_fleets(
        where.cells, where.lengths, options.places, options.counts, options.hit, options.times, laid, taken, totals,
        np.zeros((len(sea.ships), sea.cells)), used,
    )  # fmt: skip
    if used[0] > steps:
        return None
    if not fleets:
        raise BadOption("no fleet fits these answers; is one of them wrong?")
    return Belief(totals / fleets, np.zeros(sea.cells), float(fleets), exact=True)


def sampled_chances(sea: Sea, shots: Shots, samples: int = SAMPLES, seed: int = 0) -> Belief:
    """The same from random fleets that fit, with standard errors."""
    where, options = sea.places(), fitting_options(sea, shots)
    totals, squares, sinking = np.zeros(sea.cells), np.zeros(sea.cells), np.zeros((len(sea.ships), sea.cells))
    whole, whole_squares = sample_fleets(
        where.cells, where.lengths, options.places, options.counts, options.hit, options.times, samples, totals,
        squares, sinking, stream(seed),
    )  # fmt: skip
    if not whole:
        raise BadOption("no fleet was found that fits these answers; is one of them wrong?")
    chances = totals / whole
    # The error of a ratio of means: the residual of each sample is its weight times (1 or 0, minus the chance).
    residuals = squares * (1 - 2 * chances) + chances**2 * whole_squares
    return Belief(chances, np.sqrt(np.maximum(residuals, 0)) / whole, float(whole), exact=False)


def believe(sea: Sea, shots: Shots, *, samples: int = SAMPLES, seed: int = 0, steps: int = EXACT_STEPS) -> Belief:
    """Exact probabilities where they are found within this many steps, else sampled ones."""
    return exact_chances(sea, shots, steps) or sampled_chances(sea, shots, samples, seed)


def random_fleet(sea: Sea, rng: Any) -> NDArray[np.int64]:
    """The places of a fleet, all fleets being equally likely: ships are thrown until none overlap."""
    where = sea.places()
    fleet = np.zeros(len(sea.ships), np.int64)
    throw_fleet(where.cells, where.counts, where.lengths, np.zeros(sea.cells, np.int64), fleet, rng)
    return fleet


def placing_actions(sea: Sea, fleet: NDArray[np.int64]) -> list[int]:
    """The actions of the game that put the ships of a fleet on their places, in order."""
    where, found = sea.places(), []
    for ship, place in enumerate(fleet):
        cells = where.cells[ship, place]
        down = sea.ships[ship] > 1 and sea.columns > 1 and cells[1] - cells[0] == sea.columns
        found.append(2 * int(cells[0]) + bool(down))
    return found


@compiled
def throw_fleet(cells: Any, counts: Any, lengths: Any, taken: Any, fleet: Any, rng: Any) -> None:
    """Write a fleet into `fleet`, and the number of ships in each cell into `taken`."""
    thrown = False
    while not thrown:
        taken[:] = 0
        thrown = True
        for ship in range(len(lengths)):
            place = random_below(rng, counts[ship])
            if not is_free(cells, lengths[ship], ship, place, taken):
                thrown = False
                break
            fleet[ship] = place
            for step in range(lengths[ship]):
                taken[cells[ship, place, step]] += 1
