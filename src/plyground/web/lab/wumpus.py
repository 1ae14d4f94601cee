"""The scores of agents in many caves of the Wumpus world, for its page."""

from __future__ import annotations

import math
import time as clock
from typing import Any

from plyground.subjects.wumpus.statistics import compare_agents
from plyground.subjects.wumpus.world import Cave
from plyground.web.server.preparing import Send

__all__ = ["compare"]

PAUSE = 0.1
"""Seconds between two events of progress."""


def compare(
    send: Send, *, agents: list[str], worlds: int, width: int, height: int, pits: float, solvable: bool, seed: int
) -> dict[str, Any]:
    """Send ``progress`` now and then, and ``scores`` with a row for each agent at the end."""
    send({"event": "started"})
    told = 0.0

    def progress(part: float) -> None:
        nonlocal told
        if clock.monotonic() - told > PAUSE:
            told = clock.monotonic()
            send({"event": "progress", "part": part})

    cave = Cave(width, height, pits)
    rows = compare_agents(agents, worlds=worlds, cave=cave, seed=seed, solvable=solvable, on_progress=progress)
    found = [
        {
            "agent": row.agent,
            "mean": row.mean,
            "margin": None if math.isnan(row.margin) else row.margin,
            "gold": row.gold,
            "died": row.died,
            "steps": row.steps,
        }
        for row in rows
    ]
    send({"event": "scores", "worlds": worlds, "agents": found})
    return {}
