"""Battleship for the page of hidden information: a shooter to watch, and one to play against."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plyground.core.rules import actions, observation, refusal, result, terminal
from plyground.errors import BadOption
from plyground.games import make_game
from plyground.games.battleship import SUNK, Battleship, cell_text, fits, ship_to_place, shots_of, waters
from plyground.native.compiling import interpreted
from plyground.native.randomness import stream
from plyground.pictures.filmstrip import film_data
from plyground.subjects.battleship.belief import Sea, believe, placing_actions, random_fleet
from plyground.subjects.battleship.pictures import battle_film
from plyground.subjects.battleship.shooters import EXACT_STEPS, SAMPLES, Aim, aim_at
from plyground.web.server.events import Send

__all__ = ["battle_facts", "play_battle", "sink_fleet"]

FLEETS = {4: (3, 2), 5: (3, 2), 6: (4, 3, 2), 7: (4, 3, 3, 2), 8: (4, 3, 3, 2)}
"""Fleets of small boards; the others have the usual one."""
VISITOR, PROGRAM = 0, 1


def sea_of(size: int) -> Sea:
    """The board of a size, with its fleet."""
    return Sea(size, size, FLEETS.get(size, (5, 4, 3, 3, 2)))


def sink_fleet(send: Send, *, size: int, aim: Aim, seed: int, lang: str) -> None:
    """Send ``battleship`` with a film of a shooter that sinks a random fleet."""
    send({"event": "started"})
    frames = battle_film(sea_of(size), aim, seed, lang)
    film = film_data(frames, title="Battleship", lang=lang)
    send({"event": "battleship", "film": film, "shots": len(frames) - 1})


def play_battle(
    send: Send, *, size: int, aim: Aim, fleet: list[int], shots: list[int], watched: bool, helped: bool, token: str,
    seed: int, lang: str,
) -> None:  # fmt: skip
    """Send ``battleship_game``: a game after the visitor's shots, each of which the program has answered with its own.

    The seed decides where the program's fleet lies and how it aims; the visitor knows the `token` alone. Without a
    `fleet` the answer is a random one, as actions of the game.
    """
    send({"event": "started"})
    sea = sea_of(size)
    if not fleet:
        own = placing_actions(sea, random_fleet(sea, stream(seed, 3)))
        send({"event": "battleship_game", "fleet": own, "ships": list(sea.ships)})
        return
    state = placed(sea, fleet, placing_actions(sea, random_fleet(sea, stream(seed, 1))))
    for cell in shots:
        if terminal(state):
            raise BadOption("the game is over; no more shots are answered")
        state = _shot(state, cell)
        if not terminal(state):
            state = _shot(state, _program_shot(sea, aim, tuple(shots_of(state, PROGRAM)), seed))
    send({"event": "battleship_game", "token": token, **battle_facts(sea, state, watched=watched, helped=helped)})


def placed(sea: Sea, own: list[int], hidden: list[int]) -> Battleship:
    """The game with both fleets on the board."""
    if len(own) != len(sea.ships):
        raise BadOption(f"the fleet has {len(sea.ships)} ships, not {len(own)}")
    ships = ",".join(map(str, sea.ships))
    state: Battleship = make_game(f"battleship:size={sea.rows},ships={ships}").initial
    with interpreted():
        for place in own + hidden:
            if not 0 <= place < 2 * sea.cells or not fits(state, ship_to_place(state), place):
                length = sea.ships[ship_to_place(state) % len(sea.ships)]
                raise BadOption(f"the ship of {length} does not fit there; ships lie on the board and on no other")
            state = result(state, place)
    return state


def _shot(state: Battleship, cell: int) -> Battleship:
    with interpreted():
        options = actions(state)
        if cell not in options:
            raise BadOption(refusal(state, cell_text(cell, state.columns), options))
        return result(state, cell)  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def _program_shot(sea: Sea, aim: Aim, shots: tuple[tuple[int, int], ...], seed: int) -> int:
    return aim_at(sea, list(shots), aim, _drawn(shots) if aim in ("probable", "informed") else seed + len(shots))[0]


def _drawn(shots: Any) -> int:
    """The seed of the samples after these shots: what is shown is what the shooter thought, and tells no secret."""
    return 1000 * len(shots)


def battle_facts(sea: Sea, state: Battleship, *, watched: bool, helped: bool) -> dict[str, Any]:
    """What the visitor may know: until the end, nothing of it depends on where the unseen ships lie.

    With `watched` how likely the program thinks a ship of the visitor's is in each cell, with `helped` how likely the
    visitor may think one of the program's is.
    """
    over = bool(terminal(state))
    with interpreted():
        seen: Battleship = state if over else observation(state, VISITOR)
    shots = [shots_of(seen, player) for player in (VISITOR, PROGRAM)]
    said = [[{"cell": cell_text(cell, sea.columns), "answer": min(answer, SUNK), "length": _length(sea, answer)}
             for cell, answer in some] for some in shots]  # fmt: skip
    sunk = [{answer - SUNK for _, answer in some if answer >= SUNK} for some in shots]

    def belief(some: list[tuple[int, int]]) -> list[float]:
        found = believe(sea, some, seed=_drawn(some), samples=SAMPLES, steps=EXACT_STEPS)
        return [round(float(chance), 3) for chance in found.chances]

    return {
        "ships": list(sea.ships),
        "own": "".join(waters(seen, VISITOR)),
        "theirs": "".join(waters(seen, PROGRAM)),
        "shots": said,
        "afloat": [[length for ship, length in enumerate(sea.ships) if ship not in gone] for gone in sunk[::-1]],
        "believed": belief(shots[PROGRAM]) if watched and not over else None,
        "help": belief(shots[VISITOR]) if helped and not over else None,
        "over": None if not over else "won" if state.left[PROGRAM] == 0 else "lost",
    }


def _length(sea: Sea, answer: int) -> int | None:
    return sea.ships[answer - SUNK] if answer >= SUNK else None
