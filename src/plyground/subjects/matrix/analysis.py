"""Everything that is to be said about a game of one move, found by the modules of this folder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Literal

from plyground.errors import BadOption
from plyground.subjects.matrix.best_response import pure_equilibria
from plyground.subjects.matrix.dominance import Domination, Elimination, dominations, iterated_dominance, unit
from plyground.subjects.matrix.lemke_howson import Path, lemke_howson_all
from plyground.subjects.matrix.matrix_game import MatrixGame, Profile, expected
from plyground.subjects.matrix.pareto import pareto_better, pareto_front
from plyground.subjects.matrix.security import Security, security_level
from plyground.subjects.matrix.supports import support_count, support_equilibria
from plyground.subjects.matrix.vertices import Component, Degeneracy, vertex_equilibria
from plyground.subjects.matrix.zero_sum import Solution, solve_zero_sum

__all__ = ["Analysis", "Equilibrium", "analyse"]

MOST_SUPPORTS = 200_000
"""Pairs of supports up to which all equilibria are looked for."""
MOST_FOLLOWED = 50
"""Strategies of both players together, up to which the paths of Lemke and Howson are followed in larger games."""
MOST_COMPARED = 40
"""Strategies a side up to which dominance is examined; beyond it the table is not for people to read."""

Method = Literal["support enumeration", "vertex enumeration", "Lemke-Howson", "pure strategies"]


@dataclass(frozen=True)
class Equilibrium:
    """An equilibrium with the utilities that it brings; `better` are outcomes that Pareto finds better, if any."""

    profile: Profile
    utilities: tuple[Fraction, Fraction]
    better: tuple[tuple[int, int], ...]

    @property
    def pure(self) -> tuple[int, int] | None:
        """The outcome, as (row, column), if nobody mixes."""
        x, y = self.profile
        return (x.index(Fraction(1)), y.index(Fraction(1))) if 1 in x and 1 in y else None


@dataclass(frozen=True)
class Analysis:
    """What is known of a game. In a degenerate game the equilibria are the extreme ones, which span the components.

    `complete` says whether these are all; `method` how they were found. `degeneracy` is None also where nobody looked,
    which is where `degeneracy_known` is False.
    """

    game: MatrixGame
    dominated: tuple[Domination, ...]
    weakly_dominated: tuple[Domination, ...]
    strict: Elimination | None
    weak: Elimination | None
    equilibria: tuple[Equilibrium, ...]
    components: tuple[Component, ...]
    degeneracy: Degeneracy | None
    degeneracy_known: bool
    complete: bool
    method: Method
    paths: tuple[Path, ...]
    solution: Solution | None
    security: tuple[Security, Security]
    front: tuple[tuple[int, int], ...]

    @cached_property
    def dominant(self) -> tuple[int | None, int | None]:
        """The strategy of each player that dominates all its others strictly, if there is one."""
        found: list[int | None] = []
        for player in (0, 1):
            count = self.game.shape[player]
            beaten = {one.strategy for one in self.dominated if one.player == player}
            alone = [strategy for strategy in range(count) if strategy not in beaten]
            pure = all(one.pure == alone[0] for one in self.dominated if one.player == player) if alone else False
            found.append(alone[0] if len(alone) == 1 and count > 1 and pure else None)
        return found[0], found[1]

    @cached_property
    def best(self) -> tuple[frozenset[tuple[int, int]], frozenset[tuple[int, int]]]:
        """The cells in which each player's strategy is a best response to the other's."""
        first, second = self.game.utilities
        rows, columns = range(self.game.shape[0]), range(self.game.shape[1])
        tops = [max(first[i][j] for i in rows) for j in columns]
        return (
            frozenset((i, j) for i in rows for j in columns if first[i][j] == tops[j]),
            frozenset((i, j) for i in rows for j in columns if second[i][j] == max(second[i])),
        )


def analyse(game: MatrixGame, on_progress: Callable[[float], None] = lambda part: None) -> Analysis:
    """All that this folder can find out about a game; of large games less, and it says so.

    `on_progress` is told which part of the equilibria has been compared with all outcomes: in large games that is long.

    >>> from plyground.subjects.matrix.named_games import named_game
    >>> found = analyse(named_game("prisoners-dilemma"))
    >>> found.dominant, found.equilibria[0].pure, found.equilibria[0].better
    ((1, 1), (1, 1), ((0, 0),))
    """
    front = tuple(pareto_front(game))
    profiles: list[Profile]
    components: tuple[Component, ...] = ()
    degeneracy, known, complete = None, False, True
    method: Method = "support enumeration"
    paths: tuple[Path, ...] = ()
    if support_count(game.shape) <= MOST_SUPPORTS:
        try:
            vertices = vertex_equilibria(game)
        except BadOption:  # too many vertices
            profiles, complete = support_equilibria(game), False
        else:
            degeneracy, components, known = vertices.degeneracy, vertices.components, True
            if degeneracy is None:
                profiles = support_equilibria(game)
            else:
                profiles, method = list(vertices.extreme), "vertex enumeration"
        paths = tuple(lemke_howson_all(game))
    else:
        complete = False
        rows, columns = game.shape
        profiles = [(unit(rows, row), unit(columns, column)) for row, column in pure_equilibria(game)]
        method = "pure strategies"
        if sum(game.shape) <= MOST_FOLLOWED:
            method = "Lemke-Howson"
            paths = tuple(lemke_howson_all(game))
            profiles += [path.equilibrium for path in paths]
    small = max(game.shape) <= MOST_COMPARED
    equilibria = []
    for number, profile in enumerate(distinct := dict.fromkeys(profiles), 1):
        equilibria.append(_equilibrium(game, profile))
        on_progress(number / len(distinct))
    return Analysis(
        game,
        tuple(dominations(game)) if small else (),
        tuple(dominations(game, "weak")) if small else (),
        iterated_dominance(game) if small else None,
        iterated_dominance(game, "weak") if small else None,
        tuple(equilibria),
        components,
        degeneracy,
        known,
        complete,
        method,
        paths,
        None if game.constant_sum is None else solve_zero_sum(game),
        (security_level(game, 0), security_level(game, 1)),
        front,
    )


def _equilibrium(game: MatrixGame, profile: Profile) -> Equilibrium:
    first, second = game.utilities
    utilities = (expected(first, *profile), expected(second, *profile))
    better = tuple(
        (i, j)
        for i in range(game.shape[0])
        for j in range(game.shape[1])
        if pareto_better((first[i][j], second[i][j]), utilities)
    )
    return Equilibrium(profile, utilities, better)
