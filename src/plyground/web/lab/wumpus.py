"""The Wumpus world for its page: films of visits, visits by hand, and the scores of agents in many caves."""

from __future__ import annotations

import functools
import math
from typing import Any

from plyground.native.compiling import interpreted
from plyground.pictures.filmstrip import film_data
from plyground.subjects.wumpus.agents import explore, make_agent
from plyground.subjects.wumpus.by_hand import Visit, play_actions
from plyground.subjects.wumpus.pictures import film_title, proof_lines, visit_frames, world_svg
from plyground.subjects.wumpus.statistics import compare_agents
from plyground.subjects.wumpus.world import Cave, Square, make_world
from plyground.web.server.events import Progress, Send

__all__ = ["LETTERS", "compare", "film_visit", "visit_by_hand"]

LETTERS = "lrfgesc"
"""A visit by hand is a text of these letters: left, right, forward, grab, release, shoot and climb, as in `ACTIONS`."""
known_world = functools.lru_cache(maxsize=256)(make_world)


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


def visit_by_hand(
    *, actions: str, width: int, height: int, pits: float, solvable: bool, known: bool, peek: bool, seed: int, lang: str
) -> dict[str, Any]:
    """A visit after these actions: what is perceived and has been seen, and if asked for what follows from it.

    What is in the cave is part of the answer only if it is asked for by `peek`, or when the visit is over.
    """
    with interpreted():
        world = known_world(Cave(width, height, pits), seed=seed, solvable=solvable)
        visit = play_actions(world, [LETTERS.index(letter) for letter in actions])
        shown = peek or visit.over
        svg = world_svg(world, visit.state, visit.thoughts(concluded=known), truth=shown, lang=lang)
        concluded = _conclusions(visit, lang) if known else None
    state, before = visit.state, visit.before
    idle = before is not None and state._replace(steps=0, score=0) == before._replace(steps=0, score=0)
    return {
        "seed": seed,
        "actions": actions,
        "at": list(state.at),
        "percepts": [name for name, felt in visit.percept._asdict().items() if felt],
        "score": state.score,
        "steps": state.steps,
        "most_steps": world.cave.most_steps,
        "has_arrow": state.has_arrow,
        "has_gold": state.has_gold,
        "idle": idle,
        "over": None if not visit.over else "dead" if not state.alive else "out" if state.out else "late",
        "shown": shown,
        "svg": svg,
        "known": concluded,
    }


def _conclusions(visit: Visit, lang: str) -> dict[str, Any]:
    """What follows from the percepts, square by square, and why."""
    known = visit.known
    return {
        "safe": list(map(_square, visit.safe())),
        "open": list(map(_square, visit.open())),
        "pits": list(map(_square, sorted(known.pits))),
        "wumpus": _square(known.wumpus) if known.wumpus else None,
        "wumpus_alive": known.wumpus_alive,
        "proofs": proof_lines(visit.proofs, lang),
    }


def _square(square: Square) -> str:
    return f"{square[0]},{square[1]}"


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
