"""A tournament held in a worker, with its table and its boards reported as they change."""

from __future__ import annotations

import contextlib
import secrets
import threading
import time as clock
from collections.abc import Iterable, Iterator
from dataclasses import astuple, replace
from pathlib import Path
from typing import Any

from plyground.arena.copies import Copies
from plyground.arena.database import Database
from plyground.arena.hall import Hall, Setting
from plyground.arena.match import Outcome, hold
from plyground.arena.openings import choose_openings, default_plies
from plyground.arena.referee import Rules
from plyground.arena.scoreboard import rank, row_facts
from plyground.arena.tournament import Fixture, Format, Plan, meetings
from plyground.core.game import Game
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.errors import BadOption
from plyground.players import Move
from plyground.web.games.positions import position
from plyground.web.server.events import Send
from plyground.web.server.specs import allowed_game, allowed_player, cage_mode, enter_allowed, lone_files, own_spec

__all__ = ["MOST_CROSSED", "again", "hold_tournament", "make_plan", "spec_of", "table_pairs", "table_rows"]

PAUSE = 0.2
"""Seconds between two pictures of a board."""
MOST_GAMES = 20_000
MOST_CROSSED = 40
"""So many players have a crosstable; that of a larger field cannot be read, and would be sent with every game."""
NEXT = 4
"""How many of the games to come are told."""


def make_plan(
    game: str,
    players: list[str],
    kind: Format,
    games: int,
    rounds: int | None,
    openings: int | None,
    move_time: float | None,
    seed: int | None,
    heads: int = 1,
) -> Plan:
    """The plan of a tournament, without its openings, which take a while to find; without a seed it gets a new one."""
    chosen, allowed = allowed_game(game), [allowed_player(player, game) for player in players]
    if rounds is not None and kind != "swiss":
        raise BadOption("rounds are for swiss; with the other kinds games says how often players meet")
    plies = default_plies(chosen) if openings is None else openings
    plan = Plan(
        game, enter_allowed(allowed, chosen), games, kind, rounds or (len(players) - 1).bit_length() + 1,
        secrets.randbelow(1_000_000_000) if seed is None else seed, (), str(plies), Rules(move_time=move_time),
        heads if kind == "gauntlet" else 1,
    )  # fmt: skip
    if kind != "swiss":
        plan = replace(plan, rounds=1)
    if plan.total() > MOST_GAMES:
        raise BadOption(f"a tournament here has at most {MOST_GAMES:,} games, not {plan.total():,}")
    return plan


def again(plan: Plan) -> Plan:
    """The same players once more, as they are now: other openings, other games, another tournament."""
    return make_plan(
        plan.game, [spec_of(player) for player in plan.players], plan.format, plan.games,
        plan.rounds if plan.format == "swiss" else None, int(plan.opened_by) if plan.opened_by.isdecimal() else None,
        plan.rules.move_time, None, plan.heads,
    )  # fmt: skip


def spec_of(player: PlayerEntry) -> str:
    """What a visitor has written to enter a player, whose name has a number where the same was entered twice."""
    return player.name.rpartition(" (")[0] or player.name


class Watched:
    """Plays the games one after the other, and reports every move, and who comes next."""

    def __init__(self, setting: Setting, game: Game, send: Send) -> None:
        self._hall, self._send = Hall(setting, game), send
        self._teller = Teller(self._hall.game, send)

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[PlayedGame]:
        """All of them."""
        coming = list(fixtures)
        for number, fixture in enumerate(coming):
            following = [self._names(one) for one in coming[number + 1 : number + 1 + NEXT]]
            self._send({"event": "next", "round": int(fixture.key.split("/")[1]), "next": following})
            self._teller.begin(fixture.key, self._names(fixture))
            yield self._hall.play(fixture, self._teller.waiting, self._teller.moved)

    def close(self) -> None:
        """Nothing outlasts a game."""

    def _names(self, fixture: Fixture) -> list[str]:
        return [self._hall.setting.players[number].name for number in fixture.seats]


class Teller:
    """Sends pictures of a board, not more often than people can see, and always the one that somebody thinks about."""

    def __init__(self, game: Game, send: Send) -> None:
        self._game, self._send = game, send
        self._key, self._names = "", list[str]()
        self._ply, self._told, self._last = 0, -1, 0.0
        self._before = self._state = game.initial
        self._thinking = False
        self._lock = threading.Lock()

    def begin(self, key: str, names: list[str]) -> None:
        """Another game begins; its players may take a moment to start."""
        with self._lock:
            self._key, self._names, self._ply, self._told = key, names, 0, -1
            self._before = self._state = self._game.initial
            if clock.monotonic() - self._last >= PAUSE:
                self._tell()

    def moved(self, _: PlayedMove, state: Any, _answer: Move) -> None:
        """A move was made."""
        with self._lock:
            self._ply, self._before, self._state = self._ply + 1, self._state, state

    @contextlib.contextmanager
    def waiting(self, _: int) -> Iterator[None]:
        """Somebody thinks: the board is shown now, or if the last picture was a moment ago, in a moment."""
        late = clock.monotonic() - self._last
        timer = threading.Timer(PAUSE - late, self._tell_late)
        timer.daemon = True
        with self._lock:
            self._thinking = True
            if late >= PAUSE:
                self._tell()
        if late < PAUSE:
            timer.start()
        try:
            yield
        finally:
            timer.cancel()
            with self._lock:  # a picture that comes after the end of its game would stay
                self._thinking = False

    def _tell_late(self) -> None:
        with self._lock:
            if self._thinking:
                self._tell()

    def _tell(self) -> None:
        if self._told != self._ply:
            shown = position(self._game, self._state, self._ply, self._before, playable=False)
            self._told, self._last = self._ply, clock.monotonic()
            self._send({"event": "board", "key": self._key, "players": self._names, "position": shown})


def hold_tournament(send: Send, *, plan: dict[str, Any], database: str, resumed: bool) -> dict[str, Any]:
    """Play what is missing of a tournament; every game is in the database before it is reported."""
    planned = Plan.from_dict(plan)
    game = allowed_game(planned.game)
    with Database(Path(database)) as base:
        if not planned.openings:
            drawn = choose_openings(game, planned.opened_by, planned.opening_count, planned.seed)
            planned = replace(planned, openings=tuple(drawn))
        base.save_tournament(planned.id, planned.as_dict())
        outcome = Outcome()
        if resumed:
            outcome.results = {result.key: result for result in base.results(tournament=planned.id)}
        _tell(send, planned, outcome)

        def keep(result: PlayedGame) -> None:
            base.add(result)
            _tell(send, planned, outcome, result)

        # Copies of files play: what a student edits meanwhile counts in the next tournament.
        with Copies([own_spec(player.spec) or player.spec for player in planned.players], lone_files()) as copies:

            def crew_of(setting: Setting) -> Watched:
                return Watched(replace(setting, specs=tuple(copies.specs), kept=tuple(copies.kept)), game, send)

            hold(planned, outcome, crew_of=crew_of, cage=cage_mode(), on_result=keep)
    return {"id": planned.id}


def _tell(send: Send, plan: Plan, outcome: Outcome, last: PlayedGame | None = None) -> None:
    results = dict(outcome.results)
    played = list(results.values())
    ended = None
    if last is not None:
        names = [player.name for player in last.players]
        ended = {"key": last.key, "players": names, "returns": list(last.returns), "reason": last.reason}
    table = {"rows": table_rows(plan, played), "pairs": table_pairs(plan, played)}
    send({"event": "table", "id": plan.id, **table, "done": len(results), "total": plan.total(), "ended": ended})


def table_rows(plan: Plan, results: list[PlayedGame]) -> list[dict[str, Any]]:
    """The table by points, with Elo where the games say it."""
    ratings, lines = rank(plan, results)
    return [
        {**row_facts(ratings, line, following), "share": line.share if line.games else None}
        for line, following in zip(lines, [*lines[1:], None], strict=True)
    ]


def table_pairs(plan: Plan, results: list[PlayedGame]) -> list[list[int]]:
    """The crosstable: of each pair their numbers in the plan, then wins, draws, losses of the first, and disturbed."""
    return [] if len(plan.players) > MOST_CROSSED else [list(astuple(one)) for one in meetings(plan, results)]
