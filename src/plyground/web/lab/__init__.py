"""The pages about one subject each.

A subject is two modules. `<subject>.py` does the work, most of it in a worker. `<subject>_api.py` is what the server
answers by itself, and which messages it hands on: a worker has no use for FastAPI, which takes half a second to
import, and the server serves its first page before Numba is there.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from plyground.web.server.wishes import Router

__all__ = ["SUBJECTS", "routers"]

SUBJECTS = {
    "watch": "/watch",
    "bandits": "/bandits",
    "queens": "/queens",
    "wumpus": "/wumpus",
    "matrix": "/matrix",
    "pacman": "/pacman",
    "poker": "/hidden",
    "battleship": "/hidden",
    "bridge": "/hidden",
    "practice": "/practice",
    "puzzles": "/puzzles",
    "workshop": "/workshop",
}
"""Every subject, and the address of the page that shows it."""


def routers() -> list[Router]:
    """The addresses and messages of all subjects."""
    return [importlib.import_module(f"plyground.web.lab.{subject}_api").router for subject in SUBJECTS]
