"""What the page of hidden information shows: equilibria of poker and hands against them, a fleet, a deal of bridge."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plyground.core.game import CHANCE, action_text, actions, observation, result, to_move
from plyground.errors import BadOption
from plyground.games import make_game
from plyground.native.randomness import random_below, stream
from plyground.pictures.board import svg
from plyground.web.server.preparing import Send

__all__ = ["show_hidden"]

MOST_SHOWN = 60
OPPONENT_ITERATIONS = 1000
LEAST = {4: (3, 2), 5: (3, 2), 6: (4, 3, 2), 7: (4, 3, 3, 2), 8: (4, 3, 3, 2)}
"""Fleets of small boards; the others have the usual one."""


def show_hidden(send: Send, *, what: str, **wish: Any) -> dict[str, Any]:
    """Send one event named as what is wanted: ``solve``, ``hand``, ``battle`` or ``deal``."""
    send({"event": "started"})
    send({"event": what, **{"solve": _solve, "hand": _hand, "battle": _battle, "deal": _deal}[what](wish)})
    return {}


def _solve(wish: dict[str, Any]) -> dict[str, Any]:
    """CFR and CFR+ side by side, their curves as a picture, and the strategy of the second."""
    from plyground.search.cfr import solve
    from plyground.subjects.poker.pictures import convergence_svg

    tree = _tree(wish["game"])
    results = [solve(tree, wish["iterations"], name, time=20.0) for name in ("cfr", "cfr+")]
    slot, found = tree.nodes.slot, results[-1]
    return {
        "svg": convergence_svg(results, lang=wish["lang"]),
        "results": [
            {"algorithm": one.algorithm, "iterations": one.iterations, "seconds": one.seconds, "value": one.values[0],
             "exploitability": one.exploitability}
            for one in results
        ],
        "nodes": len(tree.nodes.mover),
        "sets": len(tree.sets),
        "strategy": [
            {"player": one.player, "seen": one.label, "actions": list(one.names),
             "probabilities": found.strategy[slot[n] : slot[n + 1]].tolist()}
            for n, one in enumerate(tree.sets[:MOST_SHOWN])
        ],
    }  # fmt: skip


@lru_cache(maxsize=2)
def _tree(game: str) -> Any:
    from plyground.search.extensive import extensive

    return extensive(make_game(game))


@lru_cache(maxsize=2)
def _strategy(game: str) -> Any:
    from plyground.search.cfr import solve
    from plyground.search.strategy_file import Strategy

    tree = _tree(game)
    return Strategy(tree, solve(tree, OPPONENT_ITERATIONS).strategy)


def _hand(wish: dict[str, Any]) -> dict[str, Any]:
    """A hand of poker against CFR+, after the visitor's own moves: what it sees, and what it may do.

    The cards and the other side's choices come from the seed, so that the same moves lead to the same hand.
    """
    game, seat, own = make_game(wish["game"]), int(wish["seat"]), list(wish["moves"])
    strategy, deals, choices = _strategy(wish["game"]), stream(wish["seed"], 1), stream(wish["seed"], 2)
    state, said = game.initial, []
    while options := actions(state):
        mover = int(to_move(state))
        if mover == CHANCE:
            state = result(state, options[random_below(deals, len(options))])
            continue
        names = {action_text(state, action): action for action in options}
        if mover == seat:
            if not own:
                break
            name = own.pop(0)
            if name not in names:
                raise BadOption(f"'{name}' cannot be said here; there is: {', '.join(names)}")
        else:
            chosen = strategy.sample(state, mover, choices)
            name = next(text for text, action in names.items() if action == chosen)
        said.append({"player": mover, "text": name})
        state = result(state, names[name])
    over = not actions(state)
    return {
        "svg": svg(state if over else observation(state, seat)),
        "actions": [] if over else [action_text(state, action) for action in actions(state)],
        "said": said,
        "over": over,
        "won": game.returns(state)[seat] if over else None,
    }


def _battle(wish: dict[str, Any]) -> dict[str, Any]:
    """A film of a shooter that sinks a random fleet."""
    from plyground.pictures.filmstrip import film_data
    from plyground.subjects.battleship.belief import Sea
    from plyground.subjects.battleship.pictures import battle_film

    size = int(wish["size"])
    sea = Sea(size, size, LEAST.get(size, (5, 4, 3, 3, 2)))
    frames = battle_film(sea, wish["aim"], int(wish["seed"]), wish["lang"])
    return {"film": film_data(frames, title="Battleship", lang=wish["lang"]), "shots": len(frames) - 1}


@lru_cache(maxsize=4)
def _leads() -> Any:
    from plyground.subjects.bridge.fusion import FUSION, compare_leads

    return compare_leads(make_game(FUSION), simulations=400_000, seed=1)


def _deal(wish: dict[str, Any]) -> dict[str, Any]:
    """The deal of strategy fusion: the hands as the declarer sees them, and what each lead is worth to whom."""
    from plyground.subjects.bridge.fusion import FUSION_EXACT, leads_svg

    found = _leads()
    return {
        "hands": svg(found.state),
        "svg": leads_svg(found),
        "pimc": found.pimc,
        "ismcts": found.ismcts,
        "leads": [
            {"card": one.name, "opened": one.opened, "planned": one.planned, "exact": FUSION_EXACT.get(one.name)}
            for one in found.reports
        ],
    }
