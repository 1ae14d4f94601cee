"""The regret of a policy, measured over many independent runs.

After n pulls, T_i of them of arm i whose mean falls short of the best mean by Delta_i,

    pseudo-regret   = sum over i of Delta_i T_i             what the choices cost; never negative
    realised regret = n * best mean - sum of all rewards    the same with the luck of the draws in it
    hindsight       = max over i of sum over t of X_i,t - sum of all rewards

Pseudo-regret and realised regret have the same expectation. Regret against the best arm in hindsight compares with the
one arm that would have paid most in this very run, where X_i,t is what arm i would have paid at time t: it is what
adversarial bandits are measured by, its expectation is at least that of the others, and in a single run it may be
negative.

Every run has streams of its own, named by the seed and the run's number: one for the rewards, one for the policy, one
for what the arms that were not pulled would have paid. So a run comes out the same however many there are, and at every
time all policies meet the same luck.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption, BrokenRule
from plyground.native.compiling import compiled
from plyground.native.randomness import random_unit, stream
from plyground.subjects.bandits.arms import Arms
from plyground.subjects.bandits.policies import Exp3, PolicyMemory, choose, learn, make_policy
from plyground.subjects.bandits.sampling import random_normal
from plyground.subjects.bandits.theory import hoeffding_radius

__all__ = ["Curve", "OneRun", "Regret", "check_experiment", "measure_regret", "recording_times"]

MOST_RUNS = 10**7
MOST_PULLS = 10**12
WORK = 4_000_000
"""Pulls times arms between two looks at the keyboard: a fraction of a second."""
NO_BAD_ARM = -(2**62)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Curve:
    """A quantity at each recorded time, shape (times,): its mean over the runs and the mean's standard error.

    The standard error of a single run is not a number.
    """

    mean: Floats
    error: Floats


@dataclass(frozen=True)
class OneRun:
    """The first of the runs by itself: how often each arm was pulled and what it paid, shape (times, arms)."""

    times: Integers
    pulls: Integers
    totals: Floats
    scale: float

    def means(self, index: int = -1) -> list[float]:
        """What each arm has paid on average up to a recorded time; not a number where it was never pulled."""
        pairs = zip(self.totals[index], self.pulls[index], strict=True)
        return [float(total / pulls) if pulls else math.nan for total, pulls in pairs]

    def radii(self, index: int = -1) -> list[float]:
        """The Hoeffding radius of each arm at a recorded time."""
        return [hoeffding_radius(int(self.times[index]), int(pulls), self.scale) for pulls in self.pulls[index]]


@dataclass(frozen=True)
class Regret:
    """What was measured. `shares` (times, arms) is the mean share of each arm in all pulls up to a time.

    `finals` (runs,) is the pseudo-regret of each run after the last pull. `hindsight` is None if it was not asked for.
    """

    policy: str
    arms: Arms
    runs: int
    seed: int
    times: Integers
    pseudo: Curve
    realised: Curve
    shares: Floats
    finals: Floats
    first: OneRun
    hindsight: Curve | None = None

    @property
    def best_share(self) -> float:
        """The share of the best arm in all pulls; of all the best arms if there are several."""
        return float(sum(share for share, gap in zip(self.shares[-1], self.arms.gaps, strict=True) if gap == 0))


def recording_times(pulls: int, count: int = 200, *, log: bool = False) -> Integers:
    """At most `count` times from 1 to `pulls`, evenly spaced or evenly spaced on a logarithmic scale.

    >>> recording_times(1000, 4), recording_times(1000, 4, log=True)
    (array([ 250,  500,  750, 1000]), array([   1,   10,  100, 1000]))
    """
    points = np.geomspace(1, pulls, count) if log else np.linspace(pulls / count, pulls, count)
    return np.unique(np.maximum(1, np.rint(points).astype(np.int64)))


@compiled
def play_pulls(
    policy: Any, means: Any, gaps: Any, best: float, sigma: float,
    start: int, stop: int, run: int,
    pulls: Any, totals: Any, squares: Any, notes: Any, rngs: Any,
    times: Any, tallies: Any, shares: Any, finals: Any, path_pulls: Any, path_totals: Any, hindsight: bool, paid: Any,
) -> int:  # fmt: skip
    """Play a batch of runs, the first of them number `run`, from time `start` to time `stop`.

    The answer is NO_BAD_ARM, or the arm that a policy chose though there is none of that number.

    A run's state is a row of `pulls`, `totals`, `squares` (batch, arms), `notes` (batch, 2, arms) and `rngs`
    (batch, 3, 1); with `hindsight` also of `paid` (batch, arms), what each arm has paid or would have paid. At each of
    the `times` the means and squared deviations of the regrets are updated in `tallies` (6, times), and the mean shares
    in `shares` (times, arms), by Welford's method in the order of the runs.
    """
    arms = len(means)
    first_record = np.searchsorted(times, start + 1)
    for row in range(len(pulls)):
        memory = PolicyMemory(pulls[row], totals[row], squares[row], notes[row], sigma)
        luck, rng, beyond = rngs[row, 0], rngs[row, 1], rngs[row, 2]
        weight = 1.0 / (run + row + 1)
        record = first_record
        for t in range(start, stop):
            arm = choose(policy, t, memory, rng)
            if not 0 <= arm < arms:
                return arm
            if sigma < 0.0:
                reward = 1.0 if random_unit(luck) < means[arm] else 0.0
            else:
                reward = means[arm] + sigma * random_normal(luck)
            memory.pulls[arm] += 1
            memory.totals[arm] += reward
            memory.squares[arm] += reward * reward
            learn(policy, arm, reward, memory)
            if hindsight:
                for i in range(arms):
                    if sigma < 0.0:
                        other = 1.0 if random_unit(beyond) < means[i] else 0.0
                    else:
                        other = means[i] + sigma * random_normal(beyond)
                    paid[row, i] += reward if i == arm else other
            if t + 1 == times[record]:
                regret, total = 0.0, 0.0
                for i in range(arms):
                    regret += gaps[i] * pulls[row, i]
                    total += totals[row, i]
                    shares[record, i] += weight * (pulls[row, i] / (t + 1) - shares[record, i])
                    if run + row == 0:
                        path_pulls[record, i] = pulls[row, i]
                        path_totals[record, i] = totals[row, i]
                deviation = regret - tallies[0, record]
                tallies[0, record] += weight * deviation
                tallies[1, record] += deviation * (regret - tallies[0, record])
                realised = (t + 1) * best - total
                deviation = realised - tallies[2, record]
                tallies[2, record] += weight * deviation
                tallies[3, record] += deviation * (realised - tallies[2, record])
                if hindsight:
                    missed = paid[row].max() - total
                    deviation = missed - tallies[4, record]
                    tallies[4, record] += weight * deviation
                    tallies[5, record] += deviation * (missed - tallies[4, record])
                if t + 1 == times[-1]:
                    finals[run + row] = regret
                record += 1
    return NO_BAD_ARM


def check_experiment(arms: Arms, policy: Any, pulls: int, runs: int) -> Any:
    """The policy that a spec or a policy value means, if it can be measured so; else an error says why not."""
    for name, value, most in (("pulls", pulls, MOST_PULLS), ("runs", runs, MOST_RUNS)):
        if not 1 <= value <= most:
            raise BadOption(f"{name} must be from 1 to {most:,}, not {value:,}")
    if isinstance(policy, str):
        policy = make_policy(policy)
    if isinstance(policy, Exp3) and arms.sigma is not None:
        raise BadOption("exp3 needs rewards from 0 to 1; use it with Bernoulli arms")
    return policy


def measure_regret(
    arms: Arms,
    policy: Any,
    *,
    pulls: int = 10_000,
    runs: int = 1000,
    seed: int = 0,
    log: bool = False,
    hindsight: bool = False,
    on_progress: Callable[[float], None] | None = None,
) -> Regret:
    """The regret of a policy, given as a spec or as a policy value, over `runs` independent runs of `pulls` pulls.

    It is recorded at about 200 times, evenly spaced or, with `log`, on a logarithmic scale. With `hindsight` also the
    regret against the best arm in hindsight is measured, which takes a little longer. `on_progress` is called several
    times a second with the part that is done, from 0 to 1.
    """
    name = policy if isinstance(policy, str) else repr(policy)
    policy = check_experiment(arms, policy, pulls, runs)
    count = len(arms)
    times = recording_times(pulls, log=log)
    tallies = np.zeros((6, len(times)))
    shares, finals = np.zeros((len(times), count)), np.zeros(runs)
    path_pulls, path_totals = np.zeros((len(times), count), np.int64), np.zeros((len(times), count))
    means, gaps = np.array(arms.means, np.float64), np.array(arms.gaps, np.float64)
    sigma = -1.0 if arms.sigma is None else float(arms.sigma)

    batch = min(max(1, WORK // (pulls * count)), runs)
    stretch = min(max(1, WORK // count), pulls)
    for run in range(0, runs, batch):
        rows = min(batch, runs - run)
        state = (
            np.zeros((rows, count), np.int64), np.zeros((rows, count)), np.zeros((rows, count)),
            np.zeros((rows, 2, count)),
            np.array([[stream(seed, number, which) for which in range(3)] for number in range(run, run + rows)]),
        )  # fmt: skip
        paid = np.zeros((rows, count))
        for start in range(0, pulls, stretch):
            stop = min(start + stretch, pulls)
            bad = play_pulls(
                policy, means, gaps, arms.best, sigma, start, stop, run, *state,
                times, tallies, shares, finals, path_pulls, path_totals, hindsight, paid,
            )  # fmt: skip
            if bad != NO_BAD_ARM:
                raise BrokenRule(f"{name} chose arm {bad}; there are arms 0 to {count - 1}")
            if on_progress is not None:
                on_progress((run * pulls + rows * stop) / (runs * pulls))

    def curve(mean: Floats, squared: Floats) -> Curve:
        error = np.sqrt(squared / (runs - 1) / runs) if runs > 1 else np.full(len(mean), math.nan)
        return Curve(mean, error)

    return Regret(
        policy=name,
        arms=arms,
        runs=runs,
        seed=seed,
        times=times,
        pseudo=curve(tallies[0], tallies[1]),
        realised=curve(tallies[2], tallies[3]),
        shares=shares,
        finals=finals,
        first=OneRun(times, path_pulls, path_totals, arms.scale),
        hindsight=curve(tallies[4], tallies[5]) if hindsight else None,
    )
