"""The Wumpus world for its page: films of visits, and the scores of agents in many caves."""

from __future__ import annotations

import math
from typing import Any

from plyground.native.compiling import interpreted
from plyground.pictures.filmstrip import film_data
from plyground.subjects.wumpus.agents import explore, make_agent
from plyground.subjects.wumpus.pictures import film_title, visit_frames
from plyground.subjects.wumpus.statistics import compare_agents
from plyground.subjects.wumpus.world import Cave, make_world
from plyground.web.server.events import Progress, Send

__all__ = ["compare", "film_visit"]


def film_visit(
    *, agent: str, width: int, height: int, pits: float, solvable: bool, truth: bool, seed: int, lang: str
) -> dict[str, Any]:
    """One visit to a cave, action by action, as a film."""
    cave = Cave(width, height, pits, 5 * width * height + 60)
    with interpreted():
        world = make_world(cave, seed=seed, solvable=solvable)
        record = explore(world, make_agent(agent, cave, seed), keep_turns=True)
        frames = visit_frames(record, truth=truth, lang=lang)
    final = record.final
    return {
        "seed": seed,
        "score": final.score,
        "steps": final.steps,
        "alive": final.alive,
        "has_gold": final.has_gold,
        "film": film_data(frames, title=film_title(agent, lang), lang=lang),
    }


def compare(
    send: Send, *, agents: list[str], worlds: int, width: int, height: int, pits: float, solvable: bool, seed: int
) -> None:
    """Send ``progress`` now and then, and ``scores`` with a row for each agent at the end."""
    send({"event": "started"})
    progress = Progress(send)
    cave = Cave(width, height, pits)
    rows = compare_agents(
        agents, worlds=worlds, cave=cave, seed=seed, solvable=solvable, on_progress=lambda part: progress(part=part)
    )
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
