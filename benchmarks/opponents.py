"""How strong the named opponents of the app are: a tournament for each game, which ends when its time is over.

    python -m benchmarks.opponents --jobs 16 --minutes 9.5 --out src/plyground/web/server/opponents.json
    python -m benchmarks.opponents --games tictactoe,nim --pairs 20 --minutes 1 --out ratings.json

The ratings are those of `plyground.arena.ratings`, in points of Elo, and `random` is the anchor: whoever plays at
random has 0 in every game. Every opening, random moves after which neither side is much better off, is played twice
with colours swapped, and only such pairs count. Next come the two whose game tells most for the time that it takes:
most often two of about the same strength. Players who are on no card, bridges, connect those who are too far apart.

A player has as much time as its card says and nothing else runs on its core, so take no more jobs than there are cores.
The file has every result in it and is written every few seconds: whatever ends the program, the same command goes on
from there. To measure anew, name a new file.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import itertools
import json
import math
import multiprocessing
import queue
import time
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import plyground
from plyground.arena.hall import Hall, Setting, enter_players
from plyground.arena.openings import default_plies, random_openings
from plyground.arena.ratings import ELO, Floats, Ratings, rate
from plyground.arena.referee import Rules
from plyground.arena.tournament import Fixture, points_of, seed_of
from plyground.core.files import parse_json, read_text, write_file
from plyground.core.registry import split_spec
from plyground.errors import BadOption, PlygroundError, UnknownName, suggestion
from plyground.games import make_game
from plyground.players import make_player, players_for
from plyground.web.server.opponents import CARDS, cards_for

ANCHOR = "random"
SEED = 20261118
WEIGHTS = {
    "tictactoe": 1,
    "nim": 1,
    "mnk": 2,
    "dots_and_boxes": 5,
    "hex": 6,
    "connect4": 8,
    "gomoku": 12,
    "reversi": 16,
}
"""The share of the time that each game gets: long games of slow players need more."""
BRIDGES = {
    "": [f"mcts:simulations={count}" for count in (2, 4, 8, 16, 64, 256, 1024)],
    "connect4": [f"engine:level={level}" for level in (2, 5, 8)],
    "gomoku": [f"engine:level={level}" for level in (2, 4, 6)],
    "reversi": [f"engine:level={level}" for level in (2, 6, 13)],
}
"""Players on no card: of every game, and of one."""
FIRST_PAIRS = 1
BRIDGE_WEIGHT = 0.03
PRIOR_DEVIATION = 4.0
"""Of a rating before the first game, in natural units: 700 points of Elo."""
TARGET = 25
"""Half of an interval, in points of Elo, that is narrow enough."""
USUAL_MOVES, USUAL_SECONDS = 20, 0.3
"""What a player's games are taken to cost before one was seen: moves of its own time, or seconds for all of them."""
LATE = 1.25
"""A game is not begun if this many times what it may take is more than what is left."""
SAVE_EVERY = 5.0
OPENINGS = 100
OUTCOMES = {1.0: "W", 0.5: "D", 0.0: "L"}
BETWEEN = " | "


# In the processes that play -------------------------------------------------------------------------------------------


class Played(NamedTuple):
    """A game: the outcome for the first of the pair, and the seconds of each of the two."""

    outcome: str
    seconds: tuple[float, float]


@cache
def hall(game: str, first: str, second: str) -> Hall:
    """Where two players meet."""
    return Hall(Setting(game, enter_players([first, second], make_game(game)), Rules(move_time=None)))


@cache
def openings(game: str) -> list[str]:
    """The openings of a game, always the same ones. Short games begin with one random move."""
    made = make_game(game)
    return random_openings(made, OPENINGS, max(1, default_plies(made)), SEED)


def play(game: str, first: str, second: str, number: int) -> Played:
    """One game of a pairing: numbers 2n and 2n + 1 are the same opening with colours swapped."""
    swapped = number % 2
    opening = openings(game)[number // 2 % len(openings(game))]
    key = f"{game}/{first}/{second}/{number}"
    result = hall(game, first, second).play(Fixture(key, (1, 0) if swapped else (0, 1), opening, seed_of(SEED, key)))
    if not result.complete:
        raise PlygroundError(f"{key} was not played to its end: {result.reason}")
    spent = [sum(move.time for move in result.moves if move.player == seat) for seat in (swapped, 1 - swapped)]
    return Played(OUTCOMES[points_of(result, swapped)], (spent[0], spent[1]))


def compile_ahead(game: str, spec: str) -> None:
    """Make the machine code of a player, which is kept on disk for the other processes."""
    made = make_game(game)
    with contextlib.closing(make_player(spec, made, 1)) as player:
        player.prepare(made)


# A game's tournament --------------------------------------------------------------------------------------------------


@dataclass
class Pairing:
    """What two players did: wins, draws and losses of the first in pairs of games that are complete.

    `half` has the outcomes of games whose return game is missing, by their numbers; `begun` is the number of pairs that
    were begun.
    """

    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys("WDL", 0))
    half: dict[int, str] = field(default_factory=dict)
    begun: int = 0

    @classmethod
    def read(cls, won: int, drawn: int, lost: int, half: dict[str, str]) -> Pairing:
        """The pairing that `written` has described."""
        numbers = {int(number): outcome for number, outcome in half.items()}
        begun = max([(won + drawn + lost) // 2 + len(half), *(number // 2 + 1 for number in numbers)])
        return cls({"W": won, "D": drawn, "L": lost}, numbers, begun)

    def written(self) -> list[Any]:
        """For JSON."""
        return [*self.counts.values(), {str(number): outcome for number, outcome in sorted(self.half.items())}]

    def take(self, number: int, outcome: str) -> None:
        """A game has been played."""
        if (other := self.half.pop(number ^ 1, None)) is None:
            self.half[number] = outcome
        else:
            self.counts[outcome] += 1
            self.counts[other] += 1


class Tournament:
    """What was played of a game, and who should meet next."""

    def __init__(self, game: str, pairs: int, results: dict[str, list[Any]]) -> None:
        made = make_game(game)
        fitting = set(players_for(made))
        self.game, self.most = game, pairs
        self.cards = [card.spec for card in cards_for(game, fitting)]
        bridges = [spec for spec in (*BRIDGES[""], *BRIDGES.get(game, ())) if split_spec(spec)[0] in fitting]
        self.players = [*self.cards, *(spec for spec in bridges if spec not in self.cards)]
        chains = range(len(self.cards)), (self.players.index(ANCHOR), *range(len(self.cards), len(self.players)))
        self._acquaintances = [(min(pair), max(pair)) for chain in chains for pair in itertools.pairwise(chain)]
        """Who meets first, so that something is known of everybody: those next to each other in two rows."""
        self.results: dict[tuple[str, str], Pairing] = {}
        for key, kept in results.items():
            first, _, second = key.partition(BETWEEN)
            if {first, second} <= set(self.players):
                self.results[first, second] = Pairing.read(*kept)
        self.seconds: dict[str, list[float]] = {spec: [] for spec in self.players}
        self.spent = 0.0
        self.halves = [(*pair, number ^ 1) for pair, one in self.results.items() for number in one.half]
        self.ratings = self._rated()
        self._stale = 0

    # What is known ----------------------------------------------------------------------------------------------------

    def _rated(self) -> Ratings:
        table = [(*pair, one.counts["W"], one.counts["D"], one.counts["L"]) for pair, one in self.results.items()]
        return rate(table, anchor=ANCHOR, players=self.players)

    def facts(self) -> dict[str, Any]:
        """What is written down: the ratings of the cards, whoever has none, and all results."""
        self.ratings, found = self._rated(), {}
        for spec in self.cards:
            row = self.ratings[spec]
            if row.games and row.rating is not None and row.group == self.ratings[ANCHOR].group:
                error = 0 if row.low is None or row.high is None else round((row.high - row.low) / 2)
                found[spec] = {"elo": round(row.rating), "error": error, "games": row.games, "bound": row.bound}
        return {
            "ratings": dict(sorted(found.items(), key=lambda one: one[1]["elo"])),
            "unmeasured": [spec for spec in self.cards if spec not in found],
            "results": {BETWEEN.join(pair): one.written() for pair, one in sorted(self.results.items())},
        }

    def take(self, first: str, second: str, number: int, played: Played) -> None:
        """A game has been played."""
        self.results[first, second].take(number, played.outcome)
        for spec, seconds in zip((first, second), played.seconds, strict=True):
            self.seconds[spec].append(seconds)
        self.spent += sum(played.seconds)
        self._stale += 1

    # Who is next ------------------------------------------------------------------------------------------------------

    def cost(self, *specs: str) -> float:
        """The seconds that a game of these players is going to take."""
        return sum(self._cost(spec) for spec in specs)

    def _cost(self, spec: str) -> float:
        if seen := self.seconds[spec]:
            return sum(seen) / len(seen) + 0.005
        own = split_spec(spec)[1].get("time")
        return USUAL_SECONDS if own is None else USUAL_MOVES * float(own)

    def _lead(self, first: str, second: str) -> float:
        """By how much the first is ahead, in natural units."""
        one, two = self.ratings[first], self.ratings[second]
        if one.rating is None or two.rating is None or one.group != two.group:
            return 0.0
        return (one.rating - two.rating) / ELO

    def _done(self, spec: str) -> bool:
        row = self.ratings[spec]
        return row.low is not None and row.high is not None and (row.high - row.low) / 2 <= TARGET

    def next(self, left: float) -> tuple[str, str, int] | None:
        """A game to play, if one can be finished in the seconds that are left; the other half of its pair is next."""
        if self._stale > len(self.players):
            self.ratings, self._stale = self._rated(), 0
        for place, half in enumerate(self.halves):
            if LATE * self.cost(*half[:2]) < left:
                return self.halves.pop(place)
        for i, j in self._acquaintances:
            if self._begun(i, j) < FIRST_PAIRS and LATE * self.cost(self.players[i], self.players[j]) < left:
                return self._begin(i, j)
        if all(map(self._done, self.cards)):
            return None
        gain = self._gains()
        cost = np.array([self.cost(spec) for spec in self.players])
        merit = gain / (cost[:, None] + cost[None, :])
        for place in np.argsort(-merit, axis=None):
            i, j = divmod(int(place), len(self.players))
            if i < j and self._begun(i, j) < self.most and LATE * (cost[i] + cost[j]) < left:
                return self._begin(i, j)
        return None

    def _gains(self) -> Floats:
        """By how much a game between two makes the variances smaller, all together, shape (players, players).

        Variances are those of the differences to the anchor, by the information of all games that were begun. Those of
        bridges count for little. A game of somebody of whom little is known may tell more than the ratings let expect,
        so what it tells is a mean over what they may be.
        """
        n, anchor = len(self.players), self.players.index(ANCHOR)
        lead = np.array([[self._lead(one, two) for two in self.players] for one in self.players])
        worth = _slope(lead)  # of one game: most where nobody knows who wins
        information = np.eye(n) / PRIOR_DEVIATION**2
        for (first, second), pairing in self.results.items():
            i, j = self.players.index(first), self.players.index(second)
            told = 2 * pairing.begun * worth[i, j]
            information[[i, j], [i, j]] += told
            information[[i, j], [j, i]] -= told
        information[anchor, anchor] += 1e9
        covariance = np.linalg.inv(information)
        variance = np.diag(covariance)
        between = variance[:, None] + variance[None, :] - 2 * covariance
        weights = np.array([1.0 if spec in self.cards else BRIDGE_WEIGHT for spec in self.players])
        moved = (weights[:, None, None] * (covariance[:, :, None] - covariance[:, None, :]) ** 2).sum(axis=0)
        wider = np.sqrt(1 + np.pi / 8 * between)  # the normal distribution behind a logistic curve, nearly
        expected = _slope(lead / wider) / wider
        gains: Floats = expected * moved / (1 + expected * between)
        return gains

    def _begun(self, i: int, j: int) -> int:
        found = self.results.get((self.players[i], self.players[j]))
        return 0 if found is None else found.begun

    def _begin(self, i: int, j: int) -> tuple[str, str, int]:
        pair = self.players[i], self.players[j]
        pairing = self.results.setdefault(pair, Pairing())
        number = 2 * pairing.begun
        pairing.begun += 1
        self.halves.append((*pair, number + 1))
        return (*pair, number)


def _slope(lead: Floats) -> Floats:
    """The variance of one game's result, which is what it tells."""
    chance = 1 / (1 + np.exp(-lead))
    slope: Floats = chance * (1 - chance)
    return slope


# All of them ----------------------------------------------------------------------------------------------------------


def read(path: Path) -> dict[str, Any]:
    """What an earlier run has written; nothing yet if there is no such file."""
    if not path.exists():
        return {"games": {}}
    facts = parse_json(read_text(path, "file of ratings"), str(path))
    if not isinstance(facts, dict) or not isinstance(facts.get("games"), dict):
        raise BadOption(f"{path} is not a file of ratings; name another one with --out")
    return facts


def write(path: Path, facts: dict[str, Any], tournaments: list[Tournament]) -> None:
    """The file with these tournaments as they stand; what it has of other games stays."""
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    for one in tournaments:
        found = one.facts()
        if found["results"] or one.game not in facts["games"]:
            facts["games"][one.game] = {"measured": today, "version": plyground.__version__, **found}
    whole = {"anchor": ANCHOR, "at": 0, "games": dict(sorted(facts["games"].items()))}
    write_file(path, (json.dumps(whole, indent=1, ensure_ascii=False) + "\n").encode())


def hold(names: list[str], pairs: int, jobs: int, minutes: float, path: Path) -> list[Tournament]:
    """Play until the time is over, or there is nothing left to find out."""
    deadline = time.monotonic() + 60 * minutes
    facts = read(path)
    tournaments = [Tournament(name, pairs, facts["games"].get(name, {}).get("results", {})) for name in names]
    by_game = {one.game: one for one in tournaments}
    ended: queue.SimpleQueue[tuple[Any, Any]] = queue.SimpleQueue()
    running: dict[str, float] = dict.fromkeys(names, 0.0)
    flying = 0
    saved = time.monotonic()
    with multiprocessing.get_context("spawn").Pool(jobs) as pool:  # whatever still runs in the end is killed

        def start(task: Any, work: Any, arguments: tuple[Any, ...]) -> None:
            pool.apply_async(work, arguments, callback=lambda found: ended.put((task, found)),
                             error_callback=lambda error: ended.put((task, error)))  # fmt: skip

        kinds = {(one.game, split_spec(spec)[0]): spec for one in tournaments for spec in one.players}
        for (game, _), spec in kinds.items():
            start(None, compile_ahead, (game, spec))
            flying += 1
        while (left := deadline - time.monotonic()) > 0:
            while flying < jobs + 1 + jobs // 4:  # a few wait, so that no process does
                order = sorted(tournaments, key=lambda one: (one.spent + running[one.game]) / WEIGHTS.get(one.game, 4))
                task = next(((one, found) for one in order if (found := one.next(left))), None)
                if task is None:
                    break
                one, found = task
                price = one.cost(*found[:2])
                running[one.game] += price
                start((one.game, found, price), play, (one.game, *found))
                flying += 1
            if not flying:
                break
            with contextlib.suppress(queue.Empty):
                job, answer = ended.get(timeout=min(1.0, left))
                flying -= 1
                if isinstance(answer, BaseException):
                    write(path, facts, tournaments)
                    raise answer
                if job is not None:
                    game, (first, second, number), price = job
                    running[game] -= price
                    by_game[game].take(first, second, number, answer)
            if time.monotonic() - saved > SAVE_EVERY:
                write(path, facts, tournaments)
                saved = time.monotonic()
        write(path, facts, tournaments)
    return tournaments


def main() -> None:
    """Read the arguments, play, and print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", default=",".join(CARDS), help="which games, joined by commas (all)")
    parser.add_argument("--pairs", type=int, default=200, help="most pairs of games of any two players (200)")
    parser.add_argument("--jobs", type=int, default=1, help="processes; at most one a core, or times mean nothing")
    parser.add_argument("--minutes", type=float, default=10.0, help="when to end at the latest (10)")
    parser.add_argument("--out", type=Path, required=True, help="the file, which is gone on with if it is there")
    given = parser.parse_args()
    names = [name.strip() for name in given.games.split(",") if name.strip()]
    try:
        for name in names:
            if name not in CARDS:
                raise UnknownName(f"--games: there are no cards of '{name}'{suggestion(name, CARDS)}")
        if not names or given.pairs < 1 or given.jobs < 1 or not 0 < given.minutes < math.inf:
            raise BadOption("there must be a game, a pair, a job and some time at least")
        for one in hold(names, given.pairs, given.jobs, given.minutes, given.out):
            print(f"\n{one.game}: {round(one.spent)} s of thinking")
            for row in one.ratings.rows:
                error = "" if row.low is None or row.high is None else f" ± {(row.high - row.low) / 2:.0f}"
                print(
                    f"  {row.name:<28}{row.text:>8}{error:<7}{row.games:>6} games",
                    "" if row.name in one.cards else "bridge",
                )
    except PlygroundError as error:
        parser.exit(2, f"{error}\n")


if __name__ == "__main__":
    main()
