"""A game, or a whole tournament, in one call from Python."""

from __future__ import annotations

import io
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plyground.arena.copies import Copies
from plyground.arena.database import Database
from plyground.arena.hall import enter_players, seat_player
from plyground.arena.match import Outcome, hold
from plyground.arena.openings import choose_openings, default_plies
from plyground.arena.ratings import Ratings
from plyground.arena.referee import FRIENDLY, play_game
from plyground.arena.scoreboard import rank, scoreboard
from plyground.arena.tournament import Format, Plan, Standing
from plyground.core.game import Game
from plyground.core.played_game import PlayedGame
from plyground.errors import SpecError
from plyground.games import make_game
from plyground.native.randomness import fresh_seed
from plyground.pictures.terminal import Terminal
from plyground.players import Player
from plyground.processes.program import read_cage

__all__ = ["Table", "play", "tournament"]


def play(
    game: Game | str, *players: Any, seed: int | None = None, moves: str = "", move_time: float | None = None
) -> PlayedGame:
    """Play one game to its end, with a player for each seat: specs, players, or what has a `spec`, as a network has.

    The same seed plays the same game. `moves` are played first; whoever takes longer than `move_time` seconds loses.

    >>> record = play("tictactoe", "minimax", "random", seed=2)
    >>> record.winner
    0
    """
    chosen = make_game(game) if isinstance(game, str) else game
    if len(players) != chosen.axes.players:
        raise SpecError(f"{chosen.name} has {chosen.axes.players} seats; give a player for each, not {len(players)}")
    seed = fresh_seed() if seed is None else seed
    with ExitStack() as stack:
        specs = {seat: _spec_of(player) for seat, player in enumerate(players) if not isinstance(player, Player)}
        copies = stack.enter_context(Copies(list(specs.values())))
        seated = list(players)
        for seat, spec, kept in zip(specs, copies.specs, copies.kept, strict=True):
            made = seat_player(spec, chosen, seed * 1000 + seat + 1, kept=kept)
            seated[seat] = stack.enter_context(closing(made))
            made.spec = specs[seat]
        return play_game(chosen, seated, seed=seed, rules=replace(FRIENDLY, move_time=move_time), moves=moves)


@dataclass(frozen=True)
class Table:
    """How a tournament has ended: printed it is the table, with Elo and how sure that is; `games` are all games."""

    lines: tuple[Standing, ...]
    ratings: Ratings
    games: tuple[PlayedGame, ...]

    def __str__(self) -> str:
        console = Terminal(file=io.StringIO(), width=100)
        forfeits = {line.name: line.forfeits for line in self.lines}
        table = scoreboard(self.ratings, console, names=[line.name for line in self.lines], forfeits=forfeits)
        with console.capture() as written:
            console.print(table, *self.ratings.notes, sep="\n", highlight=False, markup=False)
        return "\n".join(line.rstrip() for line in written.get().splitlines())


def tournament(
    game: Game | str,
    *players: Any,
    games: int = 2,
    format: Format = "round-robin",
    rounds: int = 1,
    openings: str = "",
    jobs: int = 1,
    seed: int | None = None,
    db: str | Path | None = None,
    cage: str = "plain",
) -> Table:
    """Let players meet: each pair plays `games` games, every opening twice with swapped colours.

    Players are specs, or what has a `spec`; a name may stand before it, ``anna=course:file=a.py``. `openings` is a
    number of random plies or a file; `jobs` games are played at once; `db` is a database that keeps every game;
    `cage` the wall around strangers' programs, ``plain``, ``strict`` or ``off``.

    >>> print(tournament("nim", "minimax", "random", games=4, seed=1).lines[0].name)
    minimax
    """
    chosen = make_game(game) if isinstance(game, str) else game
    entered = enter_players(map(_spec_of, players), chosen)
    opened_by = openings or str(default_plies(chosen))
    plan = Plan(
        chosen.spec, entered, games, format, rounds, fresh_seed() if seed is None else seed, opened_by=opened_by
    )
    plan = replace(plan, openings=tuple(choose_openings(chosen, opened_by, plan.opening_count, plan.seed)))
    outcome = Outcome()
    with ExitStack() as stack:
        base = None if db is None else stack.enter_context(Database(Path(db), guard=True))
        if base is not None:
            base.save_tournament(plan.id, plan.as_dict())

        def keep(result: PlayedGame) -> None:
            if base is not None:
                base.add(result)

        hold(plan, outcome, jobs=jobs, cage=read_cage(cage, "cage"), on_result=keep)
    ratings, lines = rank(plan, list(outcome.results.values()))
    return Table(tuple(lines), ratings, tuple(outcome.results.values()))


def _spec_of(player: Any) -> str:
    spec = player if isinstance(player, str) else getattr(player, "spec", None)
    if not isinstance(spec, str) or not spec:
        raise SpecError(f"a player is a spec such as 'mcts:time=1', or has one, not {type(player).__name__}")
    return spec
