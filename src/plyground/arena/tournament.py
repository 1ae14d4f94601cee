"""Tournaments: who meets whom, how often, with which colours and from which openings.

A plan says everything about a tournament, so that the same plan gives the same games: each has a key, and a seed of its
own that depends on the tournament's seed and the key alone. So it does not matter in which order games are played, on
how many processes, or how often the arena was stopped in between.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, Literal

from plyground.arena.referee import Rules
from plyground.core.game_time import GameTime
from plyground.core.played_game import PlayedGame, PlayerEntry
from plyground.errors import BadOption

__all__ = ["Fixture", "Format", "Meeting", "Plan", "Standing", "meetings", "seed_of", "standings"]

Format = Literal["round-robin", "gauntlet", "swiss"]
SEEDS = 2**31
SWISS_TRIES = 20_000
"""After this many attempts at a round without a second meeting of the same two, second meetings are allowed."""


@dataclass(frozen=True)
class Fixture:
    """A game to be played: its key, the numbers of the players by seat, the opening and the seed."""

    key: str
    seats: tuple[int, int]
    opening: str
    seed: int


@dataclass(frozen=True)
class Plan:
    """A whole tournament of a game of two players. `games` is the number of games each time that two players meet.

    In a round robin everybody meets everybody, in a gauntlet the first player, or each of the first `heads` players,
    meets each of those after them. In a Swiss tournament of `rounds` rounds players with equal points meet, nobody
    twice if it can be helped. Two games each in a row begin with the same opening and swapped colours, all meetings of
    a round with the same ones; `opened_by` says where the openings are from.
    """

    game: str
    players: tuple[PlayerEntry, ...]
    games: int = 2
    format: Format = "round-robin"
    rounds: int = 1
    seed: int = 0
    openings: tuple[str, ...] = ("",)
    opened_by: str = "0"
    rules: Rules = field(default_factory=Rules)
    heads: int = 1

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise BadOption("a tournament needs at least two players")
        if len({player.name for player in self.players}) < len(self.players):
            raise BadOption("two players of a tournament must not have the same name")
        if self.games < 1 or self.rounds < 1:
            raise BadOption("a tournament needs at least one game and one round")
        if not 1 <= self.heads < len(self.players):
            raise BadOption(f"{self.heads} of {len(self.players)} players cannot meet all others; one must be left")

    @cached_property
    def id(self) -> str:
        """Short, and different for different plans; how long a tournament goes on does not change it.

        Longer is one with more games, or in a Swiss tournament, where pairs depend on them, with more rounds.
        """
        facts = self.as_dict()
        for name in ("openings", "rounds" if self.format == "swiss" else "games"):
            del facts[name]
        return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:12]

    def as_dict(self) -> dict[str, Any]:
        """The plan for JSON. One head is not written, so that plans of earlier versions keep their ids."""
        facts: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        if self.heads == 1:
            del facts["heads"]
        return facts

    @classmethod
    def from_dict(cls, facts: Mapping[str, Any]) -> Plan:
        """The plan that `as_dict` has written."""
        rules = {**facts["rules"]}
        game_time = rules.pop("game_time")
        made = {
            "players": tuple(PlayerEntry(**player) for player in facts["players"]),
            "openings": tuple(facts["openings"]),
            "rules": Rules(game_time=GameTime(**game_time) if game_time else None, **rules),
        }
        return cls(**{**facts, **made})

    @property
    def _openings_a_round(self) -> int:
        return (self.games + 1) // 2

    @property
    def opening_count(self) -> int:
        """How many openings are needed for each to be played twice in a meeting, and no round to repeat another's."""
        return self.rounds * self._openings_a_round

    def total(self) -> int:
        """How many games there will be."""
        if self.format == "swiss":
            return self.rounds * (len(self.players) // 2) * self.games
        return len(list(self._pairs())) * self.games

    def round(self, number: int, results: Mapping[str, PlayedGame]) -> list[Fixture]:
        """The games of a round, from 1 on; empty after the last. `results` has all games of the rounds before."""
        if number > (self.rounds if self.format == "swiss" else 1):
            return []
        pairs = self._swiss_pairs(number, results) if self.format == "swiss" else list(self._pairs())
        # All pairs play their first game before any plays its second: the table is fair at every moment.
        return [self._fixture(number, pair, game) for game in range(self.games) for pair in pairs]

    def _fixture(self, number: int, pair: tuple[int, int], game: int) -> Fixture:
        key = f"{self.id}/{number}/{pair[0]}-{pair[1]}/{game}"
        opening = self.openings[((number - 1) * self._openings_a_round + game // 2) % len(self.openings)]
        return Fixture(key, pair[::-1] if game % 2 else pair, opening, seed_of(self.seed, key.partition("/")[2]))

    def _pairs(self) -> Iterator[tuple[int, int]]:
        count = len(self.players)
        gauntlet = self.format == "gauntlet"
        for first in range(self.heads if gauntlet else count):
            for second in range(self.heads if gauntlet else first + 1, count):
                yield first, second

    def _swiss_pairs(self, number: int, results: Mapping[str, PlayedGame]) -> list[tuple[int, int]]:
        """Who meets whom, by the points of the rounds before; in an odd field somebody rests, and gets all points."""
        points = [0.0] * len(self.players)
        met: set[frozenset[int]] = set()
        rested: set[int] = set()
        pairs: list[tuple[int, int]] = []
        for now in range(1, number + 1):
            order = sorted(range(len(self.players)), key=lambda player: (-points[player], player))
            if len(order) % 2:
                resting = next((player for player in reversed(order) if player not in rested), order[-1])
                order.remove(resting)
                rested.add(resting)
                points[resting] += self.games
            pairs = _meetings(order, met)
            met |= {frozenset(pair) for pair in pairs}
            for fixture in (self._fixture(now, pair, game) for pair in pairs for game in range(self.games)):
                for seat, player in enumerate(fixture.seats):
                    points[player] += points_of(results[fixture.key], seat) if now < number else 0.0
        return pairs


def _meetings(order: Sequence[int], met: set[frozenset[int]]) -> list[tuple[int, int]]:
    """Neighbours in the order meet, unless they have met before."""
    tries = 0

    def pair_up(rest: list[int]) -> list[tuple[int, int]] | None:
        nonlocal tries
        if not rest:
            return []
        first = rest[0]
        for second in rest[1:]:
            tries += 1
            if tries > SWISS_TRIES:
                return None
            if frozenset((first, second)) in met:
                continue
            others = pair_up([player for player in rest if player not in (first, second)])
            if others is not None:
                return [(min(first, second), max(first, second)), *others]
        return None

    found = pair_up(list(order))
    if found is None:
        found = [(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=True)]
    return found


def seed_of(seed: int, *names: object) -> int:
    """A seed of its own for everything that has a name in a tournament."""
    text = "/".join(map(str, (seed, *names)))
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8]) % SEEDS


def points_of(result: PlayedGame, seat: int) -> float:
    """1 for a win, 1/2 for a draw."""
    return 0.5 if result.winner is None else float(result.winner == seat)


@dataclass(frozen=True)
class Standing:
    """What a player has reached. `forfeits` are the losses that were not lost at the board: by time, by a fault."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0

    @property
    def games(self) -> int:
        """How many games it has played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """1 for a win, 1/2 for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The points of a game, on average."""
        return self.points / max(1, self.games)


@dataclass(frozen=True)
class Meeting:
    """What two players have done against each other, from the first one's point of view: a cell of the crosstable.

    They are numbers of players in the plan, the smaller one first. `disturbed` games count for nobody.
    """

    first: int
    second: int
    wins: int = 0
    draws: int = 0
    losses: int = 0
    disturbed: int = 0


def meetings(plan: Plan, results: Sequence[PlayedGame]) -> list[Meeting]:
    """Everybody who has met somebody, in the order of the plan.

    Each game is in one of the four counts of one meeting, so the crosstable and the `standings` add up to the same.
    """
    numbers = {player.name: number for number, player in enumerate(plan.players)}
    counts: dict[tuple[int, int], list[int]] = {}
    for result in results:
        seats = [numbers[player.name] for player in result.players]
        cell = counts.setdefault((min(seats), max(seats)), [0, 0, 0, 0])
        if result.disturbed:
            cell[3] += 1
        else:
            cell[1 if result.winner is None else 0 if seats[result.winner] == min(seats) else 2] += 1
    return [Meeting(*pair, *cell) for pair, cell in sorted(counts.items())]


def standings(plan: Plan, results: Sequence[PlayedGame]) -> list[Standing]:
    """Everybody, the one with the largest share of the points first."""
    counts = {player.name: [0, 0, 0, 0] for player in plan.players}
    for result in results:
        for seat, player in enumerate(() if result.disturbed else result.players):
            outcome = 1 if result.winner is None else 0 if result.winner == seat else 2
            counts[player.name][outcome] += 1
            counts[player.name][3] += outcome == 2 and not result.complete
    table = [Standing(name, *numbers) for name, numbers in counts.items()]
    return sorted(table, key=lambda line: -line.share)
