"""The regret of bandit policies over many runs, for the bandits page."""

from __future__ import annotations

import time as clock
from typing import Any

from plyground.errors import BadOption
from plyground.subjects.bandits.arms import parse_arms
from plyground.subjects.bandits.experiment import Regret, check_experiment, measure_regret
from plyground.web.server.preparing import Send

__all__ = ["measure"]

MOST_WORK = 2_000_000_000
"""Pulls times runs times arms, of all policies together."""
PAUSE = 0.1
"""Seconds between two events of progress."""


def measure(
    send: Send, *, arms: str, policies: list[str], pulls: int, runs: int, seed: int, sigma: float | None, log: bool
) -> dict[str, Any]:
    """Send ``progress`` now and then, and ``regret`` with the curves of all policies at the end."""
    parsed = parse_arms(arms, sigma)
    for policy in policies:
        check_experiment(parsed, policy, pulls, runs)
    if pulls * runs * len(parsed) * len(policies) > MOST_WORK:
        raise BadOption("this is more than the app measures at once; take fewer pulls, runs or policies")
    send({"event": "started"})
    told = 0.0
    curves = []
    for number, policy in enumerate(policies):

        def progress(part: float, number: int = number, policy: str = policy) -> None:
            nonlocal told
            if clock.monotonic() - told > PAUSE:
                told = clock.monotonic()
                send({"event": "progress", "policy": policy, "part": (number + part) / len(policies)})

        regret = measure_regret(parsed, policy, pulls=pulls, runs=runs, seed=seed, log=log, on_progress=progress)
        curves.append(_curve(regret))
        send({"event": "curve", **curves[-1]})
    send({"event": "regret", "arms": list(parsed.means), "pulls": pulls, "runs": runs, "curves": curves})
    return {}


def _curve(regret: Regret) -> dict[str, Any]:
    return {
        "policy": regret.policy,
        "times": regret.times.tolist(),
        "regret": regret.pseudo.mean.tolist(),
        "error": regret.pseudo.error.tolist(),
        "realised": regret.realised.mean.tolist(),
        "shares": regret.shares[-1].tolist(),
        "best_share": regret.best_share,
    }
