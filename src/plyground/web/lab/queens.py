"""Queens for their page: films of small boards, and solutions of large ones."""

from __future__ import annotations

from typing import Any

from plyground.native.compiling import interpreted
from plyground.pictures.filmstrip import film_data
from plyground.subjects.queens.by_hand import completed, next_step
from plyground.subjects.queens.min_conflicts import Method, solve_queens
from plyground.subjects.queens.pictures import board_svg, film_title, queens_frames, step_words
from plyground.subjects.queens.placement import is_solution
from plyground.web.server.events import Send

__all__ = ["film_board", "hint", "solve_board"]

MOST_STEPS = 5_000_000
"""After this many steps the answer is that it was not solved: the first queen under attack may go round in circles."""


def film_board(
    *, n: int, start: str, choice: str, walk: float, tabu: int, seed: int, lang: str, rows: list[int] | None = None
) -> dict[str, Any]:
    """Min-conflicts on a small board, as a film; from these rows if there are some, -1 for a column without a queen."""
    with interpreted():  # a small board does not need machine code, and the server should not wait for it
        begun = None if rows is None else completed(rows, seed)
        n = n if begun is None else len(begun)
        frames = queens_frames(n, Method(start, choice, walk, tabu), seed=seed, lang=lang, rows=begun)
    return {"seed": seed, "film": film_data(frames, title=film_title(n, lang), lang=lang)}


def hint(*, rows: list[int], seed: int, lang: str) -> dict[str, Any]:
    """What min-conflicts would do next on a board that was placed by hand, and why; nothing if it is solved."""
    with interpreted():
        step = next_step(rows, seed)
    if step is None:
        return {"column": None}
    return {"column": step.column, "row": step.row, "came": step.came, "why": step_words(step, lang)}


def solve_board(send: Send, *, n: int, start: str, choice: str, walk: float, tabu: int, seed: int, lang: str) -> None:
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
