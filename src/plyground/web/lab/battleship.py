"""Battleship for the page of hidden information."""

from __future__ import annotations

from plyground.pictures.filmstrip import film_data
from plyground.subjects.battleship.belief import Sea
from plyground.subjects.battleship.pictures import battle_film
from plyground.subjects.battleship.shooters import Aim
from plyground.web.server.events import Send

__all__ = ["sink_fleet"]

FLEETS = {4: (3, 2), 5: (3, 2), 6: (4, 3, 2), 7: (4, 3, 3, 2), 8: (4, 3, 3, 2)}
"""Fleets of small boards; the others have the usual one."""


def sink_fleet(send: Send, *, size: int, aim: Aim, seed: int, lang: str) -> None:
    """Send ``battleship`` with a film of a shooter that sinks a random fleet."""
    send({"event": "started"})
    sea = Sea(size, size, FLEETS.get(size, (5, 4, 3, 3, 2)))
    frames = battle_film(sea, aim, seed, lang)
    film = film_data(frames, title="Battleship", lang=lang)
    send({"event": "battleship", "film": film, "shots": len(frames) - 1})
