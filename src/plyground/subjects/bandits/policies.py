"""Policies: which arm to pull next, given what the arms have paid so far.

A policy is a `NamedTuple` of its parameters with the rule `choose`, and `learn` where it keeps notes of its own. Both
are dispatched on the policy's type and compiled, as the rules of a game are, so that a policy of your own runs as
fast as these. Throughout, t is the number of pulls made so far, T_i how often arm i was pulled, mean_i what it paid on
average, and K the number of arms.
"""

from __future__ import annotations

import math
from typing import Annotated, Any, NamedTuple

from plyground.core.registry import Registry
from plyground.errors import BadOption, SpecError
from plyground.native.dispatch import optional, required
from plyground.native.randomness import random_below, random_unit
from plyground.subjects.bandits.sampling import random_beta, random_normal

__all__ = [
    "POLICIES",
    "EpsilonGreedy",
    "Exp3",
    "Greedy",
    "PolicyMemory",
    "Thompson",
    "Ucb1",
    "UcbTuned",
    "Uniform",
    "best_arm",
    "choose",
    "learn",
    "make_policy",
    "split_policies",
]


class PolicyMemory(NamedTuple):
    """What a policy may know: arrays over the arms, updated after every pull.

    `pulls` (K,) counts, `totals` (K,) sums rewards and `squares` (K,) their squares; `notes` (2, K) starts as zeros
    and belongs to the policy. `sigma` is the standard deviation of Gaussian arms, and negative for Bernoulli arms.
    """

    pulls: Any
    totals: Any
    squares: Any
    notes: Any
    sigma: float


@required
def choose(policy: Any, t: int, memory: PolicyMemory, rng: Any) -> int:
    """The arm to pull after `t` pulls, from 0 to K-1."""
    raise NotImplementedError


@optional()
def learn(policy: Any, arm: int, reward: float, memory: PolicyMemory) -> None:
    """Take note of a reward, after the memory's counts and sums have been updated."""


def best_arm(scores: Any, rng: Any) -> int:
    """The arm with the largest score; one of them at random if there are several."""
    best, ties = 0, 1
    for arm in range(1, len(scores)):
        if scores[arm] > scores[best]:
            best, ties = arm, 1
        elif scores[arm] == scores[best]:
            ties += 1
            if random_below(rng, ties) == 0:
                best = arm
    return best


# Greedy and epsilon-greedy ---------------------------------------------------------------------------------------


class Greedy(NamedTuple):
    """Always the arm with the best mean, after each was pulled once."""


@choose.rule(Greedy)
def _(policy: Greedy, t: int, memory: PolicyMemory, rng: Any) -> int:
    return best_mean(t, memory, rng)


def best_mean(t: int, memory: PolicyMemory, rng: Any) -> int:
    """The arm that has paid best on average; in the first K pulls each arm once."""
    arms = len(memory.pulls)
    if t < arms:
        return t
    for arm in range(arms):
        memory.notes[0, arm] = memory.totals[arm] / memory.pulls[arm]
    return best_arm(memory.notes[0], rng)


class EpsilonGreedy(NamedTuple):
    """Greedy, but with probability `epsilon` a random arm; if `decay` > 0, epsilon is min(1, decay K / t)."""

    epsilon: float
    decay: float


@choose.rule(EpsilonGreedy)
def _(policy: EpsilonGreedy, t: int, memory: PolicyMemory, rng: Any) -> int:
    arms = len(memory.pulls)
    if t < arms:
        return t
    epsilon = policy.decay * arms / t if policy.decay > 0.0 else policy.epsilon
    if random_unit(rng) < epsilon:
        return random_below(rng, arms)
    return best_mean(t, memory, rng)


# Optimism --------------------------------------------------------------------------------------------------------


class Ucb1(NamedTuple):
    """UCB1 (Auer, Cesa-Bianchi and Fischer 2002): the largest mean_i + C sqrt(2 ln t / T_i)."""

    C: float


@choose.rule(Ucb1)
def _(policy: Ucb1, t: int, memory: PolicyMemory, rng: Any) -> int:
    arms = len(memory.pulls)
    if t < arms:
        return t
    exploration = 2.0 * math.log(t)
    for arm in range(arms):
        pulls = memory.pulls[arm]
        memory.notes[0, arm] = memory.totals[arm] / pulls + policy.C * math.sqrt(exploration / pulls)
    return best_arm(memory.notes[0], rng)


class UcbTuned(NamedTuple):
    """UCB1-tuned (the same paper, section 4): the largest mean_i + sqrt(ln t / T_i min(1/4, V_i)).

    V_i = variance_i + sqrt(2 ln t / T_i) bounds the arm's variance from above. No reward in [0, 1] has a variance over
    1/4; for Gaussian arms sigma^2 takes its place.
    """


@choose.rule(UcbTuned)
def _(policy: UcbTuned, t: int, memory: PolicyMemory, rng: Any) -> int:
    arms = len(memory.pulls)
    if t < arms:
        return t
    log_t = math.log(t)
    most = 0.25 if memory.sigma < 0.0 else memory.sigma * memory.sigma
    for arm in range(arms):
        pulls = memory.pulls[arm]
        mean = memory.totals[arm] / pulls
        variance = max(0.0, memory.squares[arm] / pulls - mean * mean) + math.sqrt(2.0 * log_t / pulls)
        memory.notes[0, arm] = mean + math.sqrt(log_t / pulls * min(most, variance))
    return best_arm(memory.notes[0], rng)


# Chance ----------------------------------------------------------------------------------------------------------


class Thompson(NamedTuple):
    """Thompson sampling (1933): draw each arm's mean from what is believed of it, pull the arm with the largest.

    Bernoulli arms: Beta(1 + successes, 1 + failures). Gaussian arms: Normal(mean_i, sigma^2 / T_i), each pulled once
    first.
    """


@choose.rule(Thompson)
def _(policy: Thompson, t: int, memory: PolicyMemory, rng: Any) -> int:
    arms = len(memory.pulls)
    if memory.sigma >= 0.0 and t < arms:
        return t
    for arm in range(arms):
        pulls, total = memory.pulls[arm], memory.totals[arm]
        if memory.sigma < 0.0:
            memory.notes[0, arm] = random_beta(1.0 + total, 1.0 + pulls - total, rng)
        else:
            memory.notes[0, arm] = total / pulls + memory.sigma * random_normal(rng) / math.sqrt(pulls)
    return best_arm(memory.notes[0], rng)


class Exp3(NamedTuple):
    """Exp3 (Auer, Cesa-Bianchi, Freund and Schapire 2002), for rewards in [0, 1] that an adversary may choose.

    Arm i is drawn with probability p_i = (1 - gamma) w_i / sum(w) + gamma / K. A reward x multiplies the weight of the
    arm that paid it by exp(gamma x / (p_i K)). The notes hold ln w and p.
    """

    gamma: float


@choose.rule(Exp3)
def _(policy: Exp3, t: int, memory: PolicyMemory, rng: Any) -> int:
    arms = len(memory.pulls)
    largest = memory.notes[0, 0]
    for arm in range(1, arms):
        largest = max(largest, memory.notes[0, arm])
    total = 0.0
    for arm in range(arms):
        memory.notes[1, arm] = math.exp(memory.notes[0, arm] - largest)
        total += memory.notes[1, arm]
    rest = random_unit(rng)
    chosen = -1
    for arm in range(arms):
        memory.notes[1, arm] = (1.0 - policy.gamma) * memory.notes[1, arm] / total + policy.gamma / arms
        rest -= memory.notes[1, arm]
        if chosen < 0 and rest < 0.0:
            chosen = arm
    return chosen if chosen >= 0 else arms - 1


@learn.rule(Exp3)
def _(policy: Exp3, arm: int, reward: float, memory: PolicyMemory) -> None:
    memory.notes[0, arm] += policy.gamma * reward / (memory.notes[1, arm] * len(memory.pulls))


class Uniform(NamedTuple):
    """Any arm, all equally likely."""


@choose.rule(Uniform)
def _(policy: Uniform, t: int, memory: PolicyMemory, rng: Any) -> int:
    return random_below(rng, len(memory.pulls))


# Specs -----------------------------------------------------------------------------------------------------------


def egreedy(
    epsilon: Annotated[float | None, "probability of a random arm; 0.1 if nothing is set"] = None,
    decay: Annotated[float | None, "instead: the probability at time t is min(1, decay K / t)"] = None,
) -> EpsilonGreedy:
    """Greedy, with a random arm now and then."""
    if epsilon is not None and decay is not None:
        raise BadOption("egreedy takes either epsilon or decay, not both")
    if decay is not None:
        if not (decay > 0 and math.isfinite(decay)):
            raise BadOption(f"egreedy: decay must be above 0, not {decay:g}")
        return EpsilonGreedy(0.0, decay)
    epsilon = 0.1 if epsilon is None else epsilon
    if not 0 <= epsilon <= 1:
        raise BadOption(f"egreedy: epsilon must be a probability from 0 to 1, not {epsilon:g}")
    return EpsilonGreedy(epsilon, 0.0)


def ucb1(
    C: Annotated[float, "weight of the exploration; 1 is the paper's UCB1"] = 1.0,  # noqa: N803 (its usual name)
) -> Ucb1:
    """The largest upper confidence bound mean_i + C sqrt(2 ln t / T_i)."""
    if not (C >= 0 and math.isfinite(C)):
        raise BadOption(f"ucb1: C must be at least 0, not {C:g}")
    return Ucb1(C)


def exp3(gamma: Annotated[float, "share of the exploration, above 0 and at most 1"] = 0.1) -> Exp3:
    """Exponential weights, safe against an adversary; for rewards in [0, 1]."""
    if not 0 < gamma <= 1:
        raise BadOption(f"exp3: gamma must be above 0 and at most 1, not {gamma:g}")
    return Exp3(gamma)


POLICIES: Registry[Any] = Registry("policy")
for _factory in (Greedy, egreedy, ucb1, UcbTuned, Thompson, exp3, Uniform):
    POLICIES.add(_factory.__name__.lower(), _factory)


def make_policy(spec: str) -> Any:
    """The policy that a spec describes; a bare value is the first option.

    >>> make_policy("ucb1:C=0.5"), make_policy("egreedy:0.1")
    (Ucb1(C=0.5), EpsilonGreedy(epsilon=0.1, decay=0.0))
    >>> make_policy("thomson")
    Traceback (most recent call last):
    plyground.errors.UnknownName: there is no policy 'thomson'; did you mean 'thompson'?
    """
    name, colon, rest = spec.strip().partition(":")
    if colon and "=" not in rest and (options := POLICIES.options(name)):
        spec = f"{name}:{options[0].name}={rest}"
    return POLICIES.make(spec)


def split_policies(text: str) -> list[str]:
    """The specs in a list such as ``greedy,egreedy:0.1,ucb1:C=0.5``; none may come twice.

    >>> split_policies("greedy, ucb1:C=0.5")
    ['greedy', 'ucb1:C=0.5']
    """
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part.partition(":")[0]:  # a further option of the policy before
            specs[-1] += "," + part.strip()
        else:
            specs.append(part.strip())
    for spec in specs:
        if not spec:
            raise SpecError(f"a policy's name is missing in '{text}'; write them like greedy,egreedy:0.1,ucb1")
        if specs.count(spec) > 1:
            raise SpecError(f"the policy '{spec}' is given twice")
    return specs
