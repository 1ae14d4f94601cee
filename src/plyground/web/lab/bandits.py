"""Bandits for their page: one played by hand, arm by arm, and by policies beside; and the regret of many runs.

As in `subjects.bandits.experiment` everybody meets the same luck at the same time: the t-th reward is made from the
t-th number of one stream, whoever pulls which arm.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from plyground.errors import BadOption
from plyground.native.compiling import interpreted
from plyground.native.randomness import Stream, random_unit, stream
from plyground.subjects.bandits.arms import Arms, parse_arms
from plyground.subjects.bandits.experiment import Regret, check_experiment, measure_regret
from plyground.subjects.bandits.policies import PolicyMemory, choose, learn
from plyground.subjects.bandits.sampling import random_normal
from plyground.subjects.bandits.theory import hoeffding_radius
from plyground.web.server.events import Progress, Send

__all__ = ["BanditGame", "measure"]

HIDDEN = "random:"
MOST_HIDDEN = 50
MOST_WORK = 2_000_000_000
"""Pulls times runs times arms, of all policies together, in a measurement."""
ARMS_STREAM = 0xA125
"""The stream of a seed from which hidden arms are drawn."""


def read_arms(text: str, sigma: float | None, seed: int) -> Arms:
    """The arms of a text: their means, or how many hidden ones."""
    if not text.startswith(HIDDEN):
        return parse_arms(text, sigma)
    number = text.removeprefix(HIDDEN).strip()
    if not (number.isascii() and number.isdigit() and 1 <= int(number) <= MOST_HIDDEN):
        raise BadOption(f"write random: and a number of arms from 1 to {MOST_HIDDEN}, not '{text[:40]}'")
    rng = stream(seed, ARMS_STREAM)
    return Arms(tuple(round(random_unit(rng), 2) for _ in range(int(number))), sigma)


@dataclass
class BanditPlayer:
    """Somebody who pulls arms, and their results; `policy` is None for the visitor."""

    name: str
    policy: Any
    memory: PolicyMemory
    luck: Stream
    rng: Stream
    regret: float = 0.0
    regrets: list[float] = field(default_factory=list)
    arm: int | None = None
    reward: float | None = None


class BanditGame:
    """The arms, the visitor and the policies; `pulled` are arms that the visitor has pulled before."""

    def __init__(
        self, arms: str, sigma: float | None, seed: int, policies: list[str], pulled: Sequence[int] = ()
    ) -> None:
        self.arms, self.seed = read_arms(arms, sigma, seed), seed
        self.time = 0
        self.pulled: list[int] = []
        count = len(self.arms)
        deviation = -1.0 if sigma is None else float(sigma)

        def player(name: str, policy: Any) -> BanditPlayer:
            memory = PolicyMemory(
                np.zeros(count, np.int64), np.zeros(count), np.zeros(count), np.zeros((2, count)), deviation
            )
            return BanditPlayer(name, policy, memory, stream(seed, 0, 0), stream(seed, 0, 1))

        self.visitor = player("", None)
        self.others = [player(spec, check_experiment(self.arms, spec, 1, 1)) for spec in policies]
        for arm in pulled:
            self.pull(arm)

    def pull(self, arm: int) -> float:
        """The visitor pulls an arm, and every policy the one it chooses; what the visitor gets."""
        if not 0 <= arm < len(self.arms):
            raise BadOption(f"there is no arm {arm}; they are 0 to {len(self.arms) - 1}")
        with interpreted():
            for other in self.others:
                self._pull(other, int(choose(other.policy, self.time, other.memory, other.rng)))
            self._pull(self.visitor, arm)
        self.time += 1
        self.pulled.append(arm)
        return self.visitor.reward or 0.0

    def _pull(self, player: BanditPlayer, arm: int) -> None:
        mean, sigma = self.arms.means[arm], self.arms.sigma
        if sigma is None:
            reward = 1.0 if random_unit(player.luck) < mean else 0.0
        else:
            reward = mean + sigma * float(random_normal(player.luck))
        memory = player.memory
        memory.pulls[arm] += 1
        memory.totals[arm] += reward
        memory.squares[arm] += reward * reward
        if player.policy is not None:
            learn(player.policy, arm, reward, memory)
        player.arm, player.reward = arm, reward
        player.regret += self.arms.gaps[arm]
        player.regrets.append(round(player.regret, 6))

    def facts(self, reveal: bool = False) -> dict[str, Any]:
        """How it stands, for the pages."""
        facts = {
            "arms": len(self.arms),
            "seed": self.seed,
            "sigma": self.arms.sigma,
            "pulls": self.time,
            "pulled": self.pulled,
            **self._standing(self.visitor),
            "policies": [{"policy": other.name, **self._standing(other)} for other in self.others],
        }
        if reveal:
            facts |= {"true_means": list(self.arms.means), "best": self.arms.best}
        return facts

    def _standing(self, player: BanditPlayer) -> dict[str, Any]:
        memory = player.memory
        means = [
            float(total / pulls) if pulls else None for total, pulls in zip(memory.totals, memory.pulls, strict=True)
        ]
        return {
            "arm": player.arm,
            "counts": memory.pulls.tolist(),
            "means": means,
            "bounds": [self._bounds(mean, int(pulls)) for mean, pulls in zip(means, memory.pulls, strict=True)],
            "total": float(memory.totals.sum()),
            "regret": round(player.regret, 6),
            "regrets": player.regrets,
        }

    def _bounds(self, mean: float | None, pulls: int) -> list[float] | None:
        """Between what the mean of an arm lies with high probability."""
        if mean is None:
            return None
        radius = hoeffding_radius(max(1, self.time), pulls, self.arms.scale)
        return [mean - radius, mean + radius] if math.isfinite(radius) else None


def measure(
    send: Send, *, arms: str, policies: list[str], pulls: int, runs: int, seed: int, sigma: float | None, log: bool
) -> None:
    """Send ``progress`` now and then, and ``regret`` with the curves of all policies at the end."""
    parsed = parse_arms(arms, sigma)
    for policy in policies:
        check_experiment(parsed, policy, pulls, runs)
    if pulls * runs * len(parsed) * len(policies) > MOST_WORK:
        raise BadOption("this is more than the app measures at once; take fewer pulls, runs or policies")
    send({"event": "started"})
    progress = Progress(send)
    curves = []
    for number, policy in enumerate(policies):

        def tell(part: float, number: int = number, policy: str = policy) -> None:
            progress(policy=policy, part=(number + part) / len(policies))

        regret = measure_regret(
            parsed, policy, pulls=pulls, runs=runs, seed=seed, log=log, hindsight=True, on_progress=tell
        )
        curves.append(_curve(regret))
        send({"event": "curve", **curves[-1]})
    send({"event": "regret", "arms": list(parsed.means), "pulls": pulls, "runs": runs, "curves": curves})


def _curve(regret: Regret) -> dict[str, Any]:
    assert regret.hindsight is not None
    return {
        "policy": regret.policy,
        "times": regret.times.tolist(),
        "regret": regret.pseudo.mean.tolist(),
        "error": regret.pseudo.error.tolist(),
        "realised": regret.realised.mean.tolist(),
        "realised_error": regret.realised.error.tolist(),
        "hindsight": regret.hindsight.mean.tolist(),
        "hindsight_error": regret.hindsight.error.tolist(),
        "shares": regret.shares[-1].tolist(),
        "best_share": regret.best_share,
    }
