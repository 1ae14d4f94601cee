"""Minimax of tic-tac-toe and nim to the end, without tables, against OpenSpiel's alpha-beta in Python.

Two questions for each game. How long until the value of the start is known: there the peer has the better algorithm,
since alpha-beta leaves most of the tree out. And how many nodes a second are visited, where our own source interpreted,
less deep, shows what compiling brings.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator
from typing import Any

from benchmarks.harness import Comparison, Subject, timed
from benchmarks.peers import NO_OPENSPIEL, openspiel
from plyground import Budget, interpreted, make_game
from plyground.errors import PlygroundError
from plyground.search.minimax import minimax_value

__all__ = ["comparisons", "openspiel_search"]

BASELINE = "OpenSpiel alpha-beta in Python"
INTERPRETED_DEPTH = 5
GAMES = (
    # our name, plies to the end, value to the first player, searches a run; OpenSpiel's name, searches a run
    ("tictactoe", 9, 0.0, 50, "tic_tac_toe", 5),
    ("nim:piles=3,4,5", 12, 1.0, 15, "nim(pile_sizes=3;4;5,is_misere=false)", 1),
)


def comparisons() -> Iterator[Comparison]:
    """Two tables for each game: whole searches, and nodes."""
    spiel = openspiel()
    notes = () if spiel else (NO_OPENSPIEL,)
    for name, plies, value, times, peer_name, peer_times in GAMES:
        searches = [Subject("plyground minimax compiled", timed(_ours(name, plies, value, count_nodes=False), times))]
        nodes = [
            Subject("plyground minimax compiled", timed(_ours(name, plies, value, count_nodes=True), times)),
            Subject(f"plyground minimax interpreted, depth {INTERPRETED_DEPTH}", timed(_interpreted(name))),
        ]
        if spiel is not None:
            game = spiel.load_game(peer_name)
            searches.append(Subject(BASELINE, timed(openspiel_search(game, value, work=1), peer_times)))
            nodes.append(
                Subject(BASELINE, timed(openspiel_search(game, value, work=_alpha_beta_nodes(game)), peer_times))
            )
        yield Comparison(f"{name}: the whole search", "searches", BASELINE, tuple(searches), notes)
        yield Comparison(f"{name}: nodes", "nodes", BASELINE, tuple(nodes), notes)


def _ours(name: str, plies: int, value: float, *, count_nodes: bool) -> Callable[[], int]:
    state = make_game(name).initial

    def job() -> int:
        budget = Budget()
        _check(minimax_value(state, plies, 0, budget), value, name)
        return budget.nodes if count_nodes else 1

    return job


def _interpreted(name: str) -> Callable[[], int]:
    state = make_game(name).initial

    def job() -> int:
        budget = Budget()
        with interpreted():
            minimax_value(state, INTERPRETED_DEPTH, 0, budget)
        return budget.nodes

    return job


def _alpha_beta_search() -> Any:
    return importlib.import_module("open_spiel.python.algorithms.minimax").alpha_beta_search


def openspiel_search(game: Any, value: float, *, work: int) -> Callable[[], int]:
    """A job that solves the game by OpenSpiel's search and counts as this much work."""
    alpha_beta_search = _alpha_beta_search()

    def job() -> int:
        found, _action = alpha_beta_search(game)
        _check(found, value, str(game))
        return work

    return job


def _alpha_beta_nodes(game: Any) -> int:
    """How many nodes OpenSpiel's search visits, the same every time; counted apart, because counting takes time."""
    visits = [0]
    _alpha_beta_search()(game, state=_CountedState(game.new_initial_state(), visits))
    return visits[0]


class _CountedState:
    """An OpenSpiel state that counts how often it, or a copy, is asked `is_terminal`: once at every node."""

    def __init__(self, state: Any, visits: list[int]) -> None:
        self._state = state
        self._visits = visits

    def is_terminal(self) -> bool:
        self._visits[0] += 1
        return bool(self._state.is_terminal())

    def clone(self) -> _CountedState:
        return _CountedState(self._state.clone(), self._visits)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._state, name)


def _check(found: float, value: float, game: str) -> None:
    """The speed of a wrong answer is worth nothing."""
    if found != value:
        raise PlygroundError(f"{game} is worth {value:g} to the first player, but the search says {found:g}")
