"""How strong players are, from the games between them, and how sure that is.

The model of Bradley and Terry (1952) with draws as Davidson (1970) added them: players i and j whose ratings differ
by d, in natural units, win, draw and lose in the proportion ``exp(d/2) : nu : exp(-d/2)``. The ratings and nu are those
that make the results most likely; 400 points of Elo are a factor of ten in wins to losses. Nobody's colour counts.

What games cannot tell is not made up. Players who have not met, nor through others, are not compared. A player who
has always won is rated no number but "at least" one, written ≥.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from statistics import NormalDist
from typing import Any, Literal, NamedTuple

import numpy as np

from plyground.core.played_game import PlayedGame, PlayerEntry
from plyground.errors import BadOption, UnknownName, suggestion

__all__ = ["Rating", "Ratings", "Tally", "rate", "spellings", "tally", "tally_labels"]

ELO = 400 / math.log(10)
"""Points of Elo in a natural unit."""
CONFIDENCE = 0.95
PRIOR_DEVIATION = 2.0
"""Of the logarithm of nu around 0. Weak, and only there for the few games that would have nu grow without end."""
MOST_STEPS = 200
DENSE = 400
"""Up to this many players a step is found by the matrix of all of them, otherwise by `MOST_GRADIENTS` small ones."""
MOST_GRADIENTS = 1000
HALVINGS = 40
SIGNS = {"": "", "at least": "≥", "at most": "≤"}

Floats = np.ndarray[Any, np.dtype[np.float64]]
Indices = np.ndarray[Any, np.dtype[np.int64]]


class Tally(NamedTuple):
    """What two players did against each other; wins are the first one's."""

    first: str
    second: str
    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Rating:
    """One player's line. Ratings and the ends of intervals are in points of Elo, from the anchor or from the mean.

    `rating` is None for a player that cannot be compared with the others of its group. `bound` says that it is only the
    least or the most that it can be, and then there is no interval. `low` and `high` hold the true rating with 95%
    confidence for this one player; `joint_low` and `joint_high` are wider, and hold those of all players at once.
    Players with another number for `group` have no games that connect them.
    """

    name: str
    games: int
    wins: int
    draws: int
    losses: int
    rating: float | None = None
    bound: Literal["", "at least", "at most"] = ""
    low: float | None = None
    high: float | None = None
    joint_low: float | None = None
    joint_high: float | None = None
    group: int = 0

    @property
    def points(self) -> float:
        """A win is a point, a draw is half of one."""
        return self.wins + self.draws / 2

    @property
    def text(self) -> str:
        """The rating for people."""
        if self.rating is None:
            return "no games" if not self.games else "not comparable"
        return f"{SIGNS[self.bound]} {_points(self.rating)}".strip()


@dataclass(frozen=True)
class Ratings:
    """Everybody's rating, the strongest first; those of another group come after, with a sentence in `notes`.

    `draws` is Davidson's nu: players of the same strength draw nu / (nu + 2) of their games.
    """

    rows: tuple[Rating, ...]
    draws: float = 0.0
    anchor: str | None = None
    notes: tuple[str, ...] = ()
    _fit: _Fit | None = field(default=None, repr=False, compare=False)

    def __getitem__(self, name: str) -> Rating:
        if name not in self._by_name:
            raise _unknown(name, list(self._by_name))
        return self._by_name[name]

    @cached_property
    def _by_name(self) -> dict[str, Rating]:
        return {row.name: row for row in self.rows}

    def superiority(self, first: str, second: str) -> float | None:
        """The likelihood of superiority: how probable it is that the first is the stronger of the two.

        None if the games do not say.
        """
        self[first], self[second]
        if self._fit is None:
            return None
        return self._fit.superiority(self._fit.index[first], self._fit.index[second])


def tally(results: Iterable[PlayedGame]) -> list[Tally]:
    """Who did what against whom. A game of three or more counts for each two of them: which has the higher return.

    Players are told apart by name, and where two share it, by their spec or the digest of their code too. A player's
    games against itself are left out, and so are those of players without a name, who may be anybody, and games that
    were disturbed.
    """
    pairs: dict[tuple[PlayerEntry, PlayerEntry], list[int]] = {}
    for result in results:
        if result.disturbed:
            continue
        for i, first in enumerate(result.players):
            for j in range(i + 1, len(result.players)):
                counts = pairs.setdefault((first, result.players[j]), [0, 0, 0])
                counts[1 - _sign(result.returns[i] - result.returns[j])] += 1
    labels = tally_labels(player for pair in pairs for player in pair)
    return [Tally(labels[a], labels[b], *counts) for (a, b), counts in pairs.items() if a != b and a.name and b.name]


def spellings(player: PlayerEntry) -> tuple[str, ...]:
    """How a player may be called, from its name alone to all that is known; lists use the first that is its own."""
    spec, digest = player.spec or "spec unknown", player.digest[:8] or "code unknown"
    return (player.name, *(f"{player.name} ({mark})" for mark in (spec, digest, f"{spec}, {digest}")))


def tally_labels(players: Iterable[PlayerEntry]) -> dict[PlayerEntry, str]:
    """A name for each player that no other has: its own, and where several share it, its spec or its code's digest."""
    named: dict[str, list[PlayerEntry]] = {}
    for player in sorted(set(players), key=lambda player: (player.name, player.spec, player.digest)):
        named.setdefault(player.name, []).append(player)
    labels: dict[PlayerEntry, str] = {}
    for same in named.values():
        for player in same:
            specs = len({other.spec for other in same}) > 1
            digests = len({other.digest for other in same if other.spec == player.spec}) > 1
            labels[player] = spellings(player)[specs + 2 * digests]
    return labels


def rate(
    results: Iterable[PlayedGame] | Iterable[tuple[str, str, int, int, int]],
    *,
    anchor: str | None = None,
    at: float = 0.0,
    players: Sequence[str] = (),
) -> Ratings:
    """Rate players by finished games of one kind, or by a table of (first, second, wins, draws, losses).

    The ratings are such that `anchor` has `at` points, and intervals are those of the difference to it; without one
    the mean is `at`. `players` are further names to be in the list, with games or without.

    >>> ratings = rate([("a", "b", 60, 20, 20)])
    >>> a = ratings["a"]
    >>> round(a.rating), round(a.low), round(a.high), round(ratings.superiority("a", "b"), 4)
    (96, 52, 140, 1.0)
    >>> rate([("a", "b", 10, 0, 0)], anchor="b")["a"].text
    '≥ +183'
    """
    games: list[PlayedGame] = []
    table: list[Tally] = []
    for item in results:
        if isinstance(item, PlayedGame):
            games.append(item)
        else:
            table.append(Tally(*item))
    if kinds := sorted({game.game for game in games})[1:]:
        raise BadOption(f"a rating is for one game, and these are of {games[0].game} and {kinds[0]}; rate each alone")
    table += tally(games)
    for row in table:
        if min(row.wins, row.draws, row.losses) < 0:
            raise BadOption(f"{row.first} - {row.second}: games are counted from 0, not {min(row[2:])}")
    names = sorted({name for row in table for name in row[:2]} | set(players))
    if anchor is not None and anchor not in names:
        raise _unknown(anchor, names)
    if not math.isfinite(at):
        raise BadOption(f"the anchor has a number of points, not {at}")
    if not names:
        return Ratings((), anchor=anchor)
    return _Fit(names, table, anchor).ratings(at)


class _Fit:
    """The most likely ratings.

    Players are indices into `names`. Those who are `tied` have finite differences: each has scored against each,
    if only through others of them. Between such components one side has won every game, and a difference has but one
    bound. `positions` are natural units, in each group relative to the mean of its base, which is the component of the
    anchor or else the largest.
    """

    def __init__(self, names: list[str], table: list[Tally], anchor: str | None) -> None:
        self.names, self.anchor = names, anchor
        n = len(names)
        self.index = index = {name: i for i, name in enumerate(names)}
        self.record = np.zeros((n, 3), np.int64)
        counts: dict[tuple[int, int], list[int]] = {}
        for first, second, *row in table:
            i, j = index[first], index[second]
            if i == j or not sum(row):
                continue
            own, other, turned = min(i, j), max(i, j), row if i < j else row[::-1]
            pair = counts.setdefault((own, other), [0, 0, 0])
            for k in range(3):
                pair[k] += turned[k]
            self.record[i] += row
            self.record[j] += row[::-1]
        self.pairs = np.array(sorted(counts), np.int64).reshape(-1, 2)
        self.outcomes = np.array([counts[i, j] for i, j in self.pairs.tolist()], np.float64).reshape(-1, 3)
        self.groups = _connected(n, self.pairs)
        scored = [(i, j) for (i, j), (w, d, _) in counts.items() if w + d]
        scored += [(j, i) for (i, j), (_, d, lost) in counts.items() if lost + d]
        self.edges: list[list[int]] = [[] for _ in range(n)]
        for i, j in scored:
            self.edges[i].append(j)
        self.tied = _strong_components(self.edges)
        self.positions, self.log_nu, self.covariance = self._maximum()
        self.bounds = np.zeros(n, np.int64)
        self.placed = np.zeros(n, np.bool_)
        self.crossing: dict[int, tuple[Indices, Indices, Floats]] = {}
        self.above: dict[int, set[int]] = {}
        self.base = np.zeros(n, np.int64)
        for group in range(int(self.groups.max()) + 1):
            self._place(group)

    # The maximum ------------------------------------------------------------------------------------------------------

    def _maximum(self) -> tuple[Floats, float, Floats]:
        """Newton's method on the games between players who are tied; the likelihood is concave, so there is one top."""
        inside = self.tied[self.pairs[:, 0]] == self.tied[self.pairs[:, 1]]
        active = np.unique(self.pairs[inside])  # whoever is tied to nobody has nothing to be found here
        n = len(active)
        i, j = np.searchsorted(active, self.pairs[inside]).T
        outcomes = self.outcomes[inside]
        games = outcomes.sum(axis=1)
        drawn = bool(outcomes[:, 1].any())
        x, u = np.zeros(n), 0.0 if drawn else -math.inf
        together = (self.tied[active, None] == self.tied[None, active]).astype(np.float64)

        def likelihood(x: Floats, u: float) -> float:
            logs = _log_shares(x[i] - x[j], u)
            seen = np.where(outcomes > 0, outcomes * np.where(outcomes > 0, logs, 0.0), 0.0).sum()
            return float(seen - (u * u / (2 * PRIOR_DEVIATION**2) if drawn else 0.0))

        best = likelihood(x, u)
        for _ in range(MOST_STEPS):
            curves = _Curves(i, j, _log_shares(x[i] - x[j], u), games, drawn)
            slope = np.append(_signed_sums(i, j, (outcomes[:, 0] - outcomes[:, 2] - games * curves.lead) / 2, n), 0.0)
            if drawn:
                slope[n] = outcomes[:, 1].sum() - games @ curves.draw - u / PRIOR_DEVIATION**2
            step = np.linalg.solve(curves.matrix(together), slope) if n <= DENSE else curves.solve(slope)
            if slope @ step < 1e-16 * (1 + games.sum()):
                break
            length = 1.0
            while length > 1e-12:
                new = likelihood(x + length * step[:n], u + length * step[n] if drawn else u)
                if new >= best:
                    break
                length /= 2
            else:
                break
            x, u, best = x + length * step[:n], u + length * step[n] if drawn else u, new
        positions = np.zeros(len(self.names))
        positions[active] = x
        covariance = np.zeros((len(self.names), len(self.names)))
        covariance[np.ix_(active, active)] = np.linalg.inv(curves.matrix(together))[:n, :n]
        return positions, u, covariance

    # Who stands where -------------------------------------------------------------------------------------------------

    def _place(self, group: int) -> None:
        """Give each component of a group its place: the base at its mean, the others as near as they can be to it."""
        members = np.flatnonzero(self.groups == group)
        components = sorted(set(self.tied[members].tolist()))
        sizes = {c: (int((self.tied == c).sum()), c) for c in components}
        anchor = self.names.index(self.anchor) if self.anchor is not None else -1
        base = int(self.tied[anchor]) if anchor in members else max(components, key=lambda c: sizes[c])
        self.base[members] = base
        inside = self.tied == base
        self.positions[inside] -= self.positions[inside].mean()
        self.placed |= inside
        below = {c: {int(self.tied[j]) for i in members[self.tied[members] == c] for j in self.edges[i]} for c in sizes}
        for component in reversed(components):  # whoever has beaten others comes before them
            below[component] |= set().union(*(below[other] for other in below[component] - {component}))
        self.above.update(below)
        for component in reversed(components):
            if component != base and base in below[component]:
                self._push(component, +1)
        for component in components:
            if component != base and component in below[base]:
                self._push(component, -1)

    def _push(self, component: int, side: int) -> None:
        """Move a component above (+1) or below (-1) what is placed, to where its clean score has a chance of 1 in 20.

        At that place and any nearer one such a row of wins, or of losses, would be seen in 5% of cases or less.
        """
        own = self.tied == component
        first, second = self.pairs.T
        ahead, behind = own[first] & self.placed[second], own[second] & self.placed[first]
        mine = np.concatenate([first[ahead], second[behind]])
        theirs = np.concatenate([second[ahead], first[behind]])
        won = np.concatenate([self.outcomes[ahead, 0], self.outcomes[behind, 2]])
        lost = np.concatenate([self.outcomes[ahead, 2], self.outcomes[behind, 0]])
        weight = won if side > 0 else lost
        seen = weight > 0
        self.crossing[component] = mine[seen], theirs[seen], weight[seen]
        low, high = -60.0, 60.0
        for _ in range(HALVINGS):
            middle = (low + high) / 2
            if self._clean_score(component, middle, side) < math.log(1 - CONFIDENCE):
                low = middle
            else:
                high = middle
        self.positions[own] += side * high
        self.bounds[own] = side
        self.placed |= own

    def _clean_score(self, component: int, shift: float, side: int) -> float:
        """The logarithm of the chance that a component wins (loses) as it did, when it is moved up (down) by that."""
        mine, theirs, weight = self.crossing[component]
        lead = side * (self.positions[mine] - self.positions[theirs]) + shift
        return float(weight @ _log_shares(lead, self.log_nu)[:, 0])

    # What is said -----------------------------------------------------------------------------------------------------

    def superiority(self, a: int, b: int) -> float | None:
        if a == b:
            return 0.5
        one, other = int(self.tied[a]), int(self.tied[b])
        if one == other:
            spread = self.covariance[a, a] + self.covariance[b, b] - 2 * self.covariance[a, b]
            return NormalDist().cdf((self.positions[a] - self.positions[b]) / math.sqrt(spread))
        for upper, lower, sign in ((one, other, 1), (other, one, -1)):
            if lower in self.above.get(upper, ()) and self.placed[a] and self.placed[b]:
                moved = upper if self.bounds[a if upper == one else b] > 0 else lower
                side = 1 if moved == upper else -1
                gap = sign * (self.positions[a] - self.positions[b])
                # The signed root of the likelihood ratio of "as strong" against "stronger than anything".
                deviation = math.sqrt(-2 * self._clean_score(moved, -gap, side))
                return NormalDist().cdf(sign * deviation)
        return None

    def ratings(self, at: float) -> Ratings:
        spreads = np.zeros(len(self.names))
        origin = np.zeros(len(self.names))
        anchor = self.names.index(self.anchor) if self.anchor is not None else -1
        for component in set(self.base.tolist()):
            inside = np.flatnonzero(self.tied == component)
            block = self.covariance[np.ix_(inside, inside)]
            if anchor in inside:
                k = int(np.flatnonzero(inside == anchor)[0])
                spread = np.diag(block) + block[k, k] - 2 * block[k]
                origin[self.base == component] = self.positions[anchor]
            else:
                spread = np.diag(block) - 2 * block.mean(axis=0) + block.mean()
            spreads[inside] = ELO * np.sqrt(np.maximum(spread, 0.0))
        rows = []
        for i, name in enumerate(self.names):
            wins, draws, losses = self.record[i].tolist()
            row = Rating(name, wins + draws + losses, wins, draws, losses, group=int(self.groups[i]))
            alone = not row.games and i != anchor
            if self.placed[i] and not alone:
                rating = ELO * float(self.positions[i] - origin[i]) + at
                row = replace(row, rating=rating, bound=("", "at least", "at most")[int(self.bounds[i])])
                if (
                    not self.bounds[i]
                    and (self.groups == self.groups[i]).sum() > 1
                    and (self._varies(i) or i == anchor)
                ):
                    one = _quantile(1) * spreads[i]
                    every = _quantile(int((spreads[self.groups == row.group] > 0).sum())) * spreads[i]
                    row = replace(
                        row, low=rating - one, high=rating + one, joint_low=rating - every, joint_high=rating + every
                    )
            rows.append(row)
        groups = self._group_order()
        # Whoever has only beaten the others stands above them, however little its games may say.
        sides = {name: int(side) for name, side in zip(self.names, self.bounds, strict=True)}
        rows.sort(
            key=lambda row: (
                groups.index(row.group), row.rating is None, -sides[row.name], -(row.rating or 0.0), row.name
            )
        )  # fmt: skip
        rows = [replace(row, group=groups.index(row.group)) for row in rows]
        nu = math.exp(self.log_nu) if math.isfinite(self.log_nu) else 0.0
        return Ratings(tuple(rows), nu, self.anchor, tuple(_notes(rows)), self)

    def _varies(self, i: int) -> bool:
        """Whether the player's place was estimated, and not merely set."""
        return int((self.tied == self.tied[i]).sum()) > 1

    def _group_order(self) -> list[int]:
        """The anchor's group first, then by their number of games."""
        games = self.record.sum(axis=1)
        anchor = int(self.groups[self.names.index(self.anchor)]) if self.anchor is not None else -1
        found = sorted(set(self.groups.tolist()))
        return sorted(found, key=lambda g: (g != anchor, -int(games[self.groups == g].sum()), g))


class _Curves:
    """How sharply the likelihood falls around a point: minus its second derivatives, in all positions and in log nu.

    `i` and `j` are the two of each pair of players, who met in `games` games.
    """

    def __init__(self, i: Indices, j: Indices, log_shares: Floats, games: Floats, drawn: bool) -> None:
        self.i, self.j, self.n = i, j, int(max(i.max(initial=-1), j.max(initial=-1))) + 1
        win, self.draw, loss = np.exp(log_shares).T
        self.lead = win - loss
        self.pairs = games * (win + loss - self.lead * self.lead) / 4
        self.mixed = -games * self.draw * self.lead / 2 if drawn else np.zeros(len(i))
        self.last = games @ (self.draw * (1 - self.draw)) + 1 / PRIOR_DEVIATION**2 if drawn else 1.0

    def matrix(self, together: Floats) -> Floats:
        """All of them. The mean of each component is free; any stiffness there leaves differences as they are."""
        n = self.n
        matrix = np.zeros((n + 1, n + 1))
        matrix[:n, :n] = together
        for a, b, sign in ((self.i, self.i, 1), (self.j, self.j, 1), (self.i, self.j, -1), (self.j, self.i, -1)):
            np.add.at(matrix, (a, b), sign * self.pairs)
        matrix[n, :n] = matrix[:n, n] = _signed_sums(self.i, self.j, self.mixed, n)
        matrix[n, n] = self.last
        return matrix

    def solve(self, slope: Floats) -> Floats:
        """The step of Newton's method, by conjugate gradients: for many players of whom few have met."""
        n, i, j = self.n, self.i, self.j
        scale = np.append(np.bincount(i, self.pairs, n) + np.bincount(j, self.pairs, n), self.last)
        step, rest = np.zeros(n + 1), slope.copy()
        direction = rest / scale
        size = enough = rest @ direction
        for _ in range(MOST_GRADIENTS):
            if size <= max(1e-20 * enough, 1e-16):
                break
            gaps = direction[i] - direction[j]
            change = np.append(_signed_sums(i, j, self.pairs * gaps + self.mixed * direction[n], n), 0.0)
            change[n] = self.mixed @ gaps + self.last * direction[n]
            length = size / (direction @ change)
            step += length * direction
            rest -= length * change
            last, size = size, rest @ (rest / scale)
            direction = rest / scale + size / last * direction
        return step


def _signed_sums(i: Indices, j: Indices, values: Floats, n: int) -> Floats:
    """What each player has of the pairs: the first one plus the value, the second minus."""
    return (np.bincount(i, values, n) - np.bincount(j, values, n)).astype(np.float64)


def _log_shares(lead: Floats, log_nu: float) -> Floats:
    """The logarithms of the chances of a win, a draw and a loss, shape (n, 3), for leads in natural units."""
    weights = np.stack([lead / 2, np.full(len(lead), log_nu), -lead / 2], axis=1)
    top = weights.max(axis=1, keepdims=True)
    shares: Floats = weights - top - np.log(np.exp(weights - top).sum(axis=1, keepdims=True))
    return shares


def _quantile(count: int) -> float:
    """How many standard deviations hold `count` normal variables at once with 95%, or more if they hang together.

    Šidák (1967).
    """
    return NormalDist().inv_cdf((1 + CONFIDENCE ** (1 / max(count, 1))) / 2)


def _connected(n: int, pairs: Indices) -> Indices:
    """The number of the group of each player: those who have met, if only through others."""
    parent = list(range(n))

    def root(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for i, j in pairs.tolist():
        parent[root(i)] = root(j)
    numbers: dict[int, int] = {}
    return np.array([numbers.setdefault(root(i), len(numbers)) for i in range(n)], np.int64)


def _strong_components(edges: list[list[int]]) -> Indices:
    """The number of each player's component (Kosaraju's algorithm); whatever leads to others has the smaller number."""
    n = len(edges)
    order: list[int] = []
    seen = [False] * n
    for start in range(n):
        if seen[start]:
            continue
        seen[start] = True
        stack = [(start, iter(edges[start]))]
        while stack:
            node, rest = stack[-1]
            for follower in rest:
                if not seen[follower]:
                    seen[follower] = True
                    stack.append((follower, iter(edges[follower])))
                    break
            else:
                order.append(node)
                stack.pop()
    backwards: list[list[int]] = [[] for _ in range(n)]
    for i, followers in enumerate(edges):
        for j in followers:
            backwards[j].append(i)
    component = np.full(n, -1, np.int64)
    number = 0
    for start in reversed(order):
        if component[start] >= 0:
            continue
        component[start] = number
        waiting = [start]
        while waiting:
            for previous in backwards[waiting.pop()]:
                if component[previous] < 0:
                    component[previous] = number
                    waiting.append(previous)
        number += 1
    return component


def _notes(rows: list[Rating]) -> list[str]:
    """What a reader of the list must know, as sentences."""
    notes = []
    groups = sorted({row.group for row in rows if row.games})
    if len(groups) > 1:
        notes.append(
            f"the players fall into {len(groups)} groups without a game between them; "
            "ratings of different groups cannot be compared"
        )
    if any(row.bound for row in rows):
        notes.append("≥ and ≤ (95%): these players have won, or lost, all games that would tell how strong they are")
    if any(row.rating is None and row.games for row in rows):
        notes.append('"not comparable": the games do not say whether the player is above or below the others')
    return notes


def _unknown(name: str, names: list[str]) -> UnknownName:
    return UnknownName(f"there is no player {name!r} among those who are rated{suggestion(name, names)}")


def _sign(difference: float) -> int:
    return (difference > 0) - (difference < 0)


def _points(rating: float) -> str:
    return f"{round(rating):+d}" if round(rating) else "0"
