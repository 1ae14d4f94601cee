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
from plyground.subjects.poker.decisions import decision_values
from plyground.subjects.poker.pictures import convergence_svg
from plyground.web.server.events import Send

__all__ = ["hand_facts", "play_hand", "solve_game"]

MOST_SHOWN = 60
OPPONENT_ITERATIONS = 1000
WIDE, NARROW = 400, 270
"""Pixels of the curves."""


def solve_game(send: Send, *, game: str, iterations: int, lang: str, narrow: bool) -> None:
    """Send ``poker_solve``: CFR and CFR+ side by side, their curves as a picture, and the strategy of the second.

    A `narrow` picture, for a phone, leaves the curves over time away.
    """
    send({"event": "started"})
    tree = _tree(game)
    results = [solve(tree, iterations, name, time=20.0) for name in ("cfr", "cfr+")]
    slot, found = tree.nodes.slot, results[-1]
    facts = {
        "svg": convergence_svg(results, lang=lang, seconds=not narrow, width=NARROW if narrow else WIDE),
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


@lru_cache(maxsize=2)
def _values(game: str) -> Any:
    return decision_values(_strategy(game))


def play_hand(send: Send, *, game: str, moves: list[str], seat: int, seed: int, lang: str) -> None:
    """Send ``poker_hand``: a hand against CFR+ after the visitor's own moves: what it sees, and what it may do.

    The cards and the other side's choices come from the seed, so that the same moves lead to the same hand. When it is
    over, all cards are shown, and what each of the visitor's decisions was worth.
    """
    send({"event": "started"})
    rules, own = make_game(game), list(moves)
    strategy, deals, choices = _strategy(game), stream(seed, 1), stream(seed, 2)
    state, said, decided = rules.initial, [], []
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
            decided.append((state, name))
        else:
            chosen = strategy.sample(state, mover, choices)
            name = next(text for text, action in names.items() if action == chosen)
        said.append({"player": mover, "text": name})
        state = result(state, names[name])
    facts = hand_facts(state, said, seat)
    if facts["over"]:
        facts["won"] = rules.returns(state)[seat]
        facts["expected"] = float(_values(game)[1][seat])
        facts["review"] = [_decision(game, before, name, seat) for before, name in decided]
    send({"event": "poker_hand", **facts})


def hand_facts(state: Any, said: list[dict[str, Any]], seat: int) -> dict[str, Any]:
    """What a visitor may know of a hand: until it is over, nothing that depends on what the seat does not see."""
    options = actions(state)
    return {
        "svg": svg(observation(state, seat) if options else state),
        "actions": [action_text(state, action) for action in options],
        "said": said,
        "over": not options,
    }


def _decision(game: str, state: Any, name: str, seat: int) -> dict[str, Any]:
    """What the equilibrium plays where the visitor has chosen, what each choice is worth, what this one has cost."""
    tree = _tree(game)
    number = tree.find(state, seat)
    one, slots = tree.sets[number], slice(*tree.nodes.slot[number : number + 2])
    values = _values(game)[0][slots].tolist()
    chosen = one.names.index(name)
    return {
        "seen": one.label,
        "actions": list(one.names),
        "probabilities": _strategy(game).probabilities[slots].tolist(),
        "values": values,
        "chosen": chosen,
        "cost": max(values) - values[chosen],
    }
