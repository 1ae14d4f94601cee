"""A tournament held in a worker, with its table and its boards reported as they change."""

from __future__ import annotations

import secrets
import time as clock
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from plyground.arena.copies import Copies
from plyground.arena.database import Database
from plyground.arena.hall import Hall, Setting
from plyground.arena.match import Outcome, hold
from plyground.arena.openings import choose_openings, default_plies
from plyground.arena.referee import OnMove, Rules
from plyground.arena.scoreboard import rank, row_facts
from plyground.arena.tournament import Fixture, Format, Plan
from plyground.core.played_game import PlayedGame, PlayedMove
from plyground.errors import BadOption
from plyground.players import Move
from plyground.web.games.positions import position
from plyground.web.server.events import Send
from plyground.web.server.specs import allowed_game, allowed_player, cage_mode, enter_allowed, lone_files, own_spec

__all__ = ["hold_tournament", "make_plan"]

PAUSE = 0.2
"""Seconds between two pictures of a board."""
MOST_GAMES = 20_000


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


class Watched:
    """Plays the games one after the other, and reports every move."""

    def __init__(self, setting: Setting, send: Send) -> None:
        self._hall, self._send = Hall(setting), send

    def play(self, fixtures: Iterable[Fixture]) -> Iterator[PlayedGame]:
        """All of them."""
        for fixture in fixtures:
            yield self._hall.play(fixture, on_move=self._teller(fixture))

    def close(self) -> None:
        """Nothing outlasts a game."""

    def _teller(self, fixture: Fixture) -> OnMove:
        game = self._hall.game
        names = [self._hall.setting.players[number].name for number in fixture.seats]
        ply, told, before = 0, 0.0, game.initial

        def on_move(_: PlayedMove, state: Any, _answer: Move) -> None:
            nonlocal ply, told, before
            ply += 1
            if clock.monotonic() - told > PAUSE:
                shown, told = position(game, state, ply, before), clock.monotonic()
                self._send({"event": "board", "key": fixture.key, "players": names, "position": shown})
            before = state

        return on_move


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
                return Watched(replace(setting, specs=tuple(copies.specs), kept=tuple(copies.kept)), send)

            hold(planned, outcome, crew_of=crew_of, cage=cage_mode(), on_result=keep)
    return {"id": planned.id}


def _tell(send: Send, plan: Plan, outcome: Outcome, last: PlayedGame | None = None) -> None:
    results = dict(outcome.results)
    rows = table_rows(plan, list(results.values()))
    ended = None
    if last is not None:
        names = [player.name for player in last.players]
        ended = {"key": last.key, "players": names, "returns": list(last.returns), "reason": last.reason}
    send({"event": "table", "id": plan.id, "rows": rows, "done": len(results), "total": plan.total(), "ended": ended})


def table_rows(plan: Plan, results: list[PlayedGame]) -> list[dict[str, Any]]:
    """The table by points, with Elo where the games say it."""
    ratings, lines = rank(plan, results)
    return [
        {**row_facts(ratings, line, following), "share": line.share if line.games else None}
        for line, following in zip(lines, [*lines[1:], None], strict=True)
    ]
