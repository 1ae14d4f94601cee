"""Queens on large boards, placed in a process of their own, for the queens page."""

from __future__ import annotations

from typing import Any

from plyground.subjects.queens.min_conflicts import Method, solve_queens
from plyground.subjects.queens.pictures import board_svg
from plyground.subjects.queens.placement import is_solution
from plyground.web.server.preparing import Send

__all__ = ["place_queens"]

MOST_STEPS = 5_000_000
"""After so many the answer is that it was not solved: the first queen under attack may go round in circles."""


def place_queens(
    send: Send, *, n: int, start: str, choice: str, walk: float, tabu: int, seed: int, lang: str
) -> dict[str, Any]:
    """Send ``queens`` with the facts and a picture."""
    send({"event": "started"})
    found = solve_queens(n, Method(start, choice, walk, tabu), seed=seed, max_steps=MOST_STEPS)
    facts = {
        "n": n,
        "seed": seed,
        "solved": found.solved,
        "verified": found.rows is not None and is_solution(found.rows),
        "possible": found.solved or n not in (2, 3),
        "attacked": found.attacked,
        "steps": found.all_steps,
        "restarts": found.restarts,
        "seconds": found.seconds,
        "svg": board_svg(found.rows, lang=lang) if found.rows is not None and n else "",
    }
    send({"event": "queens", **facts})
    return {}
