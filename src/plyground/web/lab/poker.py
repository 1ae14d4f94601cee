"""Poker for the page of hidden information: its equilibria, and hands against them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plyground.core.rules import CHANCE, action_text, actions, observation, result, to_move
from plyground.errors import BadOption
from plyground.games import make_game
from plyground.native.randomness import random_below, stream
from plyground.pictures.board import svg
from plyground.search.cfr import solve
from plyground.search.extensive import extensive
from plyground.search.strategy_file import Strategy
from plyground.subjects.poker.pictures import convergence_svg
from plyground.web.server.events import Send

__all__ = ["play_hand", "solve_game"]

MOST_SHOWN = 60
OPPONENT_ITERATIONS = 1000


def solve_game(send: Send, *, game: str, iterations: int, lang: str) -> None:
    """Send ``poker_solve``: CFR and CFR+ side by side, their curves as a picture, and the strategy of the second."""
    send({"event": "started"})
    tree = _tree(game)
    results = [solve(tree, iterations, name, time=20.0) for name in ("cfr", "cfr+")]
    slot, found = tree.nodes.slot, results[-1]
    facts = {
        "svg": convergence_svg(results, lang=lang),
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
    send({"event": "poker_solve", **facts})


@lru_cache(maxsize=2)
def _tree(game: str) -> Any:
    return extensive(make_game(game))


@lru_cache(maxsize=2)
def _strategy(game: str) -> Any:
    tree = _tree(game)
    return Strategy(tree, solve(tree, OPPONENT_ITERATIONS).strategy)


def play_hand(send: Send, *, game: str, moves: list[str], seat: int, seed: int, lang: str) -> None:
    """Send ``poker_hand``: a hand against CFR+ after the visitor's own moves: what it sees, and what it may do.

    The cards and the other side's choices come from the seed, so that the same moves lead to the same hand.
    """
    send({"event": "started"})
    rules, own = make_game(game), list(moves)
    strategy, deals, choices = _strategy(game), stream(seed, 1), stream(seed, 2)
    state, said = rules.initial, []
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
    facts = {
        "svg": svg(state if over else observation(state, seat)),
        "actions": [] if over else [action_text(state, action) for action in actions(state)],
        "said": said,
        "over": over,
        "won": rules.returns(state)[seat] if over else None,
    }
    send({"event": "poker_hand", **facts})
