"""Reversi: every hand-in plays against the same opponents, by the arena's referee, with the rules of the assignment.

All meet the same opponents from the same openings, with the same random numbers on the other side. Each game is kept in
a database when it has ended, so that grading goes on where it was stopped.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from plyground.arena.copies import Copies
from plyground.arena.crew import make_crew
from plyground.arena.database import Database
from plyground.arena.hall import Output, Setting, enter_players, has_files, read_output, seat_player
from plyground.arena.reasons import read_reason
from plyground.arena.referee import Rules
from plyground.arena.tournament import Fixture, points_of, seed_of
from plyground.core.played_game import PlayedGame, PlayerEntry
from plyground.core.rules import action_text, actions, result
from plyground.course.handins.marking import Fault, Mark, Measured, Terms, excerpt
from plyground.errors import BadOption, PlygroundError
from plyground.games import make_game
from plyground.native.randomness import random_below, stream
from plyground.protocols.client import ProgramPlayer

__all__ = ["check_opponents", "mark_start", "marks_by_games", "play_all"]

GAME = "reversi"
OPENING_PLIES = 4
OPENINGS = 0x6A7D
"""The stream of the seed that openings are drawn from."""
LEAST_STARTING = 5.0
"""A player has twice as many seconds to get ready, or twice its time for a move if that is more."""


def check_opponents(specs: Sequence[str]) -> tuple[PlayerEntry, ...]:
    """The opponents, each checked to be able to play; none of them is a file, which would not be the same next time."""
    for spec in specs:
        if has_files(spec):
            raise BadOption(f"the opponent '{spec}' is made of files; opponents are players of Plyground")
    return enter_players(specs, make_game(GAME))


def _spec(file: Path, terms: Terms) -> str:
    timeout = max(terms.move_time, LEAST_STARTING)
    return f"course:file={file},timeout={timeout:g},memory={terms.memory:g}"


def mark_start(name: str, digest: str, file: Path, terms: Terms, cage: str) -> Mark | None:
    """Start a player once, alone: what cannot be started has lost all its games. None if it can be."""
    game = make_game(GAME)
    player = seat_player(_spec(file, terms), game, terms.seed, cage=cage)
    assert isinstance(player, ProgramPlayer)
    try:
        player.prepare(game)
        return None
    except PlygroundError as error:
        used = Measured(player.processor_time(), 0.0, player.most_memory())
        fault = Fault("start", str(error), {}, excerpt(player.last_words()))
        return _mark(name, digest, terms, {}, [fault], used)
    finally:
        with contextlib.suppress(PlygroundError):
            player.close()


def play_all(
    files: Mapping[tuple[str, str], Path],
    terms: Terms,
    opponents: Sequence[PlayerEntry],
    work: Path,
    *,
    jobs: int,
    cage: str,
    on_game: Callable[[int, int], None],
) -> dict[str, PlayedGame]:
    """All games of hand-ins, which are named by name and digest; those in the database of the folder are not played.

    `on_game` is told how many have been played, and of how many. Results by their keys, see `_fixtures`.
    """
    game = make_game(GAME)
    outputs = work / "programs"
    outputs.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as stack:
        base = stack.enter_context(Database(work / "games.db", guard=True))
        if remark := base.check_chain():
            raise BadOption(f"{remark}; remove {work} to grade again from the beginning")
        entries = [*opponents, *(PlayerEntry(name, "course", digest) for name, digest in files)]
        fixtures = [
            fixture
            for number, who in enumerate(files, len(opponents))
            for fixture in _fixtures(number, who, terms, _openings(terms))
        ]
        wanted = {fixture.key for fixture in fixtures}
        done = {one.key: one for one in base.results(tournament=terms.id) if one.key in wanted and not one.disturbed}
        missing = [fixture for fixture in fixtures if fixture.key not in done]
        on_game(len(done), len(fixtures))
        if not missing:
            return done
        specs = [*(one.spec for one in opponents), *(_spec(file, terms) for file in files.values())]
        copies = stack.enter_context(Copies(specs))
        # The digests of entries are those of whole hand-ins; the copies are ours, and nobody else can change them.
        seated = tuple(PlayerEntry(one.name, one.spec) for one in entries)
        rules = Rules(move_time=terms.move_time)
        setting = Setting(game.spec, seated, rules, cage, tuple(copies.specs), tuple(copies.kept), outputs)
        crew = make_crew(setting, jobs)
        stack.callback(crew.close)
        for played in crew.play(missing):
            done[played.key] = played
            if not played.disturbed:  # to be played again next time
                base.add(played)
            on_game(len(done), len(fixtures))
    return done


def _openings(terms: Terms) -> list[str]:
    """The start, and after each two games, with swapped colours, another few random moves to begin with."""
    game, rng = make_game(GAME), stream(terms.seed, OPENINGS)
    found = [""]
    while len(found) < (terms.games + 1) // 2:
        state, moves = game.initial, []
        for _ in range(OPENING_PLIES):
            options = actions(state)
            action = options[random_below(rng, len(options))]
            moves.append(action_text(state, action))
            state = result(state, action)
        found.append(" ".join(moves))
    return found


def _fixtures(number: int, who: tuple[str, str], terms: Terms, openings: Sequence[str]) -> Iterable[Fixture]:
    for opponent in range(len(terms.opponents)):
        for game in range(terms.games):
            seats = (opponent, number) if game % 2 else (number, opponent)
            yield Fixture(
                _key(who, terms, opponent, game), seats, openings[game // 2], seed_of(terms.seed, opponent, game)
            )


def _key(who: tuple[str, str], terms: Terms, opponent: int, game: int) -> str:
    return f"{terms.id}/{who[0]}/{who[1]}/{opponent}/{game}"


def marks_by_games(
    hand_ins: Iterable[tuple[str, str]], terms: Terms, results: Mapping[str, PlayedGame], work: Path
) -> list[Mark]:
    """What the games of each hand-in come to."""
    return [_mark_of(who, terms, results, work / "programs") for who in hand_ins]


def _mark_of(who: tuple[str, str], terms: Terms, results: Mapping[str, PlayedGame], outputs: Path) -> Mark:
    points: dict[str, float] = dict.fromkeys(terms.opponents, 0.0)
    counts = {"won": 0, "drawn": 0, "lost": 0, "forfeits": 0, "disturbed": 0}
    faults: list[Fault] = []
    processor = longest = 0.0
    memory = 0
    for number, opponent in enumerate(terms.opponents):
        for game in range(terms.games):
            key = _key(who, terms, number, game)
            played, seat = results[key], game % 2
            output = read_output(outputs, key, seat)
            processor += played.processor_times[seat] if played.processor_times else 0.0
            longest = max([longest, *(move.time for move in played.moves if move.player == seat)])
            memory = max(memory, output.memory)
            where = {
                "opponent": opponent,
                "game": game + 1,
                "seat": ("black", "white")[seat],
                "move": _moves(played, seat),
            }
            if played.disturbed:
                counts["disturbed"] += 1
                faults.append(Fault("disturbed", "", where))
                continue
            share = points_of(played, seat)
            points[opponent] += share
            counts["won" if share == 1 else "lost" if share == 0 else "drawn"] += 1
            if share == 0 and not played.complete:
                counts["forfeits"] += 1
                faults.append(_fault(played, where, output))
    return _mark(*who, terms, {**counts, "points": points}, faults, Measured(processor, round(longest, 6), memory))


def _moves(played: PlayedGame, seat: int) -> int:
    """Which move of its own the game ended at."""
    opening = len(played.opening.split())
    return sum(move.player == seat for move in played.moves[opening:]) + 1


def _fault(played: PlayedGame, where: Mapping[str, Any], output: Output) -> Fault:
    reason = read_reason(played.reason, ("black", "white"))
    detail, words = reason.facts.get("detail", ""), excerpt(output.words)
    if reason.code == "move_time" or "did not answer in time" in detail:
        return Fault("time", "", where, words)
    if reason.code == "illegal_moves":
        return Fault("illegal", "", where, words)
    if reason.code == "resigns":
        return Fault("resigned", "", where, words)
    if "changed the board" in detail:
        return Fault("board", "", where, words)
    if "MemoryError" in detail or "used up the memory" in detail:
        return Fault("memory", detail, where, words)
    if re.search(r"\S+ (ended|closed its output|was killed)", detail):
        return Fault("ended", detail.partition(": ")[0], where, words)
    return Fault("error", detail or played.reason, where, words)


def _mark(
    name: str, digest: str, terms: Terms, facts: Mapping[str, Any], faults: Sequence[Fault], used: Measured
) -> Mark:
    """With no `facts`, all games are lost by forfeit without having been played."""
    total = terms.games * len(terms.opponents)
    nothing = {"won": 0, "drawn": 0, "lost": total, "forfeits": total, "disturbed": 0}
    found = facts or {**nothing, "points": dict.fromkeys(terms.opponents, 0.0)}
    counted = max(1, total - int(found["disturbed"]))
    return Mark(name, digest, sum(found["points"].values()) / counted, {**found, "games": total}, tuple(faults), used)
