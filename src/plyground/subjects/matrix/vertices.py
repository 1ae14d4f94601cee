"""All Nash equilibria of any game, degenerate or not, by the vertices of its best-response polytopes.

Mixed strategies of the first player, up to scale, are the points of a polytope: no probability is negative, and no
strategy of the second player gets more than the best one. Each point has *labels*: its own strategies that it does not
use, and the second player's best responses to it. Two points, one of each player's polytope, are an equilibrium if
between them they have all labels (von Stengel 2007, section 3.4). The vertices are found by the double description
method (Motzkin, Raiffa, Thompson and Thrall 1953) in whole numbers.

A game is *degenerate* if some mixed strategy has more best responses than strategies of its own; such a vertex has
more labels than dimensions. Then equilibria may form whole faces. They are the convex combinations of *extreme*
equilibria, pairs of vertices: the maximal sets in which each vertex of the one player goes with each of the other
(Winkels 1979; Avis, Rosenberg, Savani and von Stengel 2010). Sets that share an equilibrium make a *component*.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from math import gcd

from plyground.errors import BadOption
from plyground.subjects.matrix.matrix_game import Matrix, MatrixGame, Mixed, Profile, transposed, whole

__all__ = ["Component", "Degeneracy", "Face", "VertexEquilibria", "vertex_equilibria"]

MOST_WORK = 60_000_000
"""Pairs of rays, times the rays that may lie between them, in one step; beyond it a game is refused."""
MOST_FACES = 20_000


@dataclass(frozen=True)
class Degeneracy:
    """A player's mixed strategy that has more best responses of the other player than strategies of its own."""

    player: int
    strategy: Mixed
    responses: tuple[int, ...]


@dataclass(frozen=True)
class Face:
    """A set of equilibria: any mixture of the first player's `first` with any mixture of the second one's `second`."""

    first: tuple[Mixed, ...]
    second: tuple[Mixed, ...]

    @property
    def single(self) -> bool:
        """Whether it is one equilibrium alone."""
        return len(self.first) == len(self.second) == 1

    @property
    def extreme(self) -> list[Profile]:
        """The equilibria of which all others are mixtures."""
        return [(x, y) for x in self.first for y in self.second]


@dataclass(frozen=True)
class Component:
    """Faces that hang together: equilibria between which one can go without a jump."""

    faces: tuple[Face, ...]

    @property
    def single(self) -> bool:
        """Whether it is an isolated equilibrium."""
        return len(self.faces) == 1 and self.faces[0].single


@dataclass(frozen=True)
class VertexEquilibria:
    """All equilibria: the extreme ones, and the components that they span; and why the game is degenerate, if it is."""

    extreme: tuple[Profile, ...]
    components: tuple[Component, ...]
    degeneracy: Degeneracy | None


@dataclass(frozen=True)
class _Vertex:
    """A mixed strategy, with its labels as bits: the own strategies that it does not use, then the responses to it."""

    strategy: Mixed
    unused: int
    responses: int


def vertex_equilibria(game: MatrixGame) -> VertexEquilibria:
    """All equilibria of a game in fractions.

    >>> from plyground.subjects.matrix.matrix_game import zero_sum_game
    >>> found = vertex_equilibria(zero_sum_game([[0, 0], [0, 1]]))
    >>> len(found.extreme), len(found.components), found.degeneracy is None
    (2, 1, False)
    """
    first = _vertices(transposed(game.utilities[1]))
    second = _vertices(game.utilities[0])
    every_row, every_column = (1 << game.shape[0]) - 1, (1 << game.shape[1]) - 1
    # Which vertices of the second player go with each of the first.
    partners = {
        x: frozenset(
            y
            for y, other in enumerate(second)
            if (one.unused | other.responses) == every_row and (one.responses | other.unused) == every_column
        )
        for x, one in enumerate(first)
    }
    partners = {x: ys for x, ys in partners.items() if ys}
    faces = sorted(_maximal_faces(partners))
    extreme = sorted(((first[x].strategy, second[y].strategy) for x, ys in partners.items() for y in ys), reverse=True)
    components = [
        Component(
            tuple(
                Face(
                    tuple(sorted((first[x].strategy for x in xs), reverse=True)),
                    tuple(sorted((second[y].strategy for y in ys), reverse=True)),
                )
                for xs, ys in group
            )
        )
        for group in _connected(faces)
    ]
    components.sort(key=lambda component: component.faces[0].extreme, reverse=True)
    return VertexEquilibria(tuple(extreme), tuple(components), _degeneracy(0, first) or _degeneracy(1, second))


def _degeneracy(player: int, vertices: list[_Vertex]) -> Degeneracy | None:
    for vertex in vertices:
        used = len(vertex.strategy) - vertex.unused.bit_count()
        if vertex.responses.bit_count() > used:
            responses = tuple(n for n in range(vertex.responses.bit_length()) if vertex.responses >> n & 1)
            return Degeneracy(player, vertex.strategy, responses)
    return None


def _vertices(others: Matrix) -> list[_Vertex]:
    """The vertices of a player's polytope but the origin; `others` has the other player's utilities, a row a strategy.

    A ray (x, t) stands for the point x / t; it is kept in whole numbers without a common divisor.
    """
    size = len(others[0])
    least = min(min(row) for row in others)
    bounds = whole(tuple(tuple(value - least + 1 for value in row) for row in others))
    # One multiple for all rows keeps "at most 1" the same bound for each: t is measured in it.
    rays: list[tuple[int, ...]] = [
        tuple(int(place == number) for place in range(size + 1)) for number in range(size + 1)
    ]
    # A bit for each coordinate that is 0, the last for t, then one for each row whose bound is reached.
    zeros = [((1 << (size + 1)) - 1) & ~(1 << number) for number in range(size + 1)]
    for number, row in enumerate(bounds):
        bit = 1 << (size + 1 + number)
        slack = [ray[size] - sum(a * b for a, b in zip(row, ray, strict=False)) for ray in rays]
        inside = [place for place, value in enumerate(slack) if value > 0]
        outside = [place for place, value in enumerate(slack) if value < 0]
        border = [place for place, value in enumerate(slack) if value == 0]
        if len(inside) * len(outside) * len(rays) > MOST_WORK:
            raise BadOption("this game has too many vertices to list all its equilibria")
        new_rays = [rays[place] for place in inside + border]
        new_zeros = [zeros[place] for place in inside] + [zeros[place] | bit for place in border]
        for one in inside:
            for other in outside:
                common = zeros[one] & zeros[other]
                if common.bit_count() < size - 1 or not _adjacent(common, one, other, zeros):
                    continue
                a, b = slack[one], -slack[other]
                between = [b * mine + a * yours for mine, yours in zip(rays[one], rays[other], strict=True)]
                divisor = reduce(gcd, between)
                new_rays.append(tuple(value // divisor for value in between))
                new_zeros.append(common | bit)
        rays, zeros = new_rays, new_zeros
    vertices = []
    for ray, zero in zip(rays, zeros, strict=True):
        total = sum(ray[:size])
        if total:
            strategy = tuple(Fraction(value, total) for value in ray[:size])
            vertices.append(_Vertex(strategy, zero & ((1 << size) - 1), zero >> (size + 1)))
    return vertices


def _adjacent(common: int, one: int, other: int, zeros: list[int]) -> bool:
    """Whether no third ray lies on all bounds that two rays have in common: then an edge joins them."""
    return not any(zero & common == common and place not in (one, other) for place, zero in enumerate(zeros))


def _maximal_faces(partners: dict[int, frozenset[int]]) -> set[tuple[tuple[int, ...], tuple[int, ...]]]:
    """All maximal sets of vertices in which each of the one player goes with each of the other."""
    closed: set[frozenset[int]] = set()
    for mine in partners.values():
        closed |= {mine & other for other in closed} | {mine}
        if len(closed) > MOST_FACES:
            raise BadOption("this game has too many faces of equilibria to list them all")
    return {(tuple(x for x, mine in partners.items() if ys <= mine), tuple(sorted(ys))) for ys in closed if ys}


def _connected(
    faces: list[tuple[tuple[int, ...], tuple[int, ...]]],
) -> list[list[tuple[tuple[int, ...], tuple[int, ...]]]]:
    """Faces in groups that share equilibria."""
    groups: list[list[tuple[tuple[int, ...], tuple[int, ...]]]] = []
    for face in faces:
        touching = [
            group for group in groups if any(set(face[0]) & set(xs) and set(face[1]) & set(ys) for xs, ys in group)
        ]
        groups = [group for group in groups if group not in touching]
        groups.append([*(one for group in touching for one in group), face])
    return groups
