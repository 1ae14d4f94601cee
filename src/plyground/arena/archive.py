"""Games into a database from the files of other programs, and out of it for them.

In: transcripts, GGF and WTHOR for Reversi and PGN for chess, as `plyground.formats` reads them. A game that was
imported before is recognised by its content and not added again. Out: JSON and CSV for any game, GGF for Reversi on
8x8, PGN for chess, transcripts.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime, timedelta
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from plyground.arena.database import Database, PackedGame
from plyground.core.played_game import OVER, PlayedGame, PlayedMove, PlayerEntry
from plyground.core.rules import action_text
from plyground.errors import ActionError, FormatError
from plyground.formats.board import read_board, write_board
from plyground.formats.ggf import write_ggf
from plyground.formats.pgn import ChessRecord, PgnMove, write_pgn
from plyground.formats.places import OnError, read_one
from plyground.formats.recognise import read_any_file
from plyground.formats.record import Ending, Record, Result
from plyground.formats.replay import END, START, play_written
from plyground.formats.transcript import write_transcript
from plyground.formats.wthor import GameBase, name_at, read_wthor
from plyground.games import make_game
from plyground.games.chess import Chess
from plyground.games.chess.board import drawn_by_rule
from plyground.games.chess.lines import words_of
from plyground.games.chess.moves import count_moves
from plyground.games.reversi import PASS
from plyground.visible_text import visible

__all__ = [
    "EXPORTS",
    "Imported",
    "chess_record_of",
    "export_csv",
    "export_ggf",
    "export_json",
    "export_pgn",
    "export_transcripts",
    "import_file",
    "record_of",
    "text_cell",
]

REVERSI = "reversi"
BROKEN_OFF = "broken off"
TEXTS = [action_text(START, action) for action in range(PASS + 1)]
DATE = re.compile(r"\s*(\d{4})(?:[.\-/](\d{1,2})(?:[.\-/](\d{1,2}))?)?(?!\d)")
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?(?:\|[-+]?[\d.]+(?:[eE][-+]?\d+)?)*")
"""Numbers, which bars may separate."""
DISCS = 64.0
"""An evaluation of 1 is a win by this many discs."""


class Imported(NamedTuple):
    """What a file has brought: the games that were read, and how many of them were not in the database before."""

    games: int
    added: int


# In ---------------------------------------------------------------------------------------------------------------


def import_file(
    database: Database, path: str | Path, *, tournament: str = "", on_error: OnError | None = None
) -> Imported:
    """Add the games of a file, whichever of the known formats it is in.

    They belong to `tournament`; without one, to the event and the year that the file gives for each, or to one of the
    file's name. With `on_error` a game that cannot be read is handed to it, and the others are added.
    """
    file = Path(path)
    named = _slashless(tournament) or ""
    if file.suffix.lower() == ".wtb":
        games = _packed_base(read_wthor(file), named, file.stem, on_error)
    else:
        games = _packed_records(_records(file, on_error), named, file.stem)
    count = 0

    def counted() -> Iterator[PackedGame]:
        nonlocal count
        for game in games:
            count += 1
            yield game

    added = database.add_packed(counted())
    return Imported(count, added)


def _records(file: Path, on_error: OnError | None) -> Iterator[Record | ChessRecord]:
    for item in read_any_file(file, on_error=on_error):
        if not isinstance(item, Record | ChessRecord):
            raise FormatError(f"{file} holds positions, and a games database holds games")
        yield item


def _packed_records(records: Iterable[Record | ChessRecord], tournament: str, stem: str) -> Iterator[PackedGame]:
    seen: Counter[str] = Counter()
    for record in records:
        if isinstance(record, ChessRecord):
            yield _packed_chess(record, tournament, stem, seen)
            continue
        score = record.score if record.finished else record.result.score if record.result else 0.0
        value = float(np.sign(score or 0.0))
        evaluations = [None if one is None else one / DISCS for one in record.evaluations]
        yield _packed(
            (record.black, record.white),
            (value, -value),
            record.moves,
            record.start.turn,
            reason=_reason(record),
            place=record.place,
            date=record.date,
            opening="" if record.start == START else write_board(record.start),
            times=json.dumps(record.times) if record.times else None,
            evaluations=json.dumps(evaluations) if evaluations else None,
            tournament=tournament,
            stem=stem,
            seen=seen,
        )


def _packed_chess(record: ChessRecord, tournament: str, stem: str, seen: Counter[str]) -> PackedGame:
    times = _times(record)
    return _packed(
        (record.white, record.black),
        record.returns or (0.0, 0.0),
        record.moves,
        record.start.turn,
        reason=_chess_reason(record),
        place=record.tag("Event"),
        date=record.tag("Date") or record.tag("UTCDate"),
        game=record.game,
        texts=words_of(record.start, record.moves),
        further=(record.game, record.tag("Round")),
        times=json.dumps(times) if any(times) else None,
        tournament=tournament,
        stem=stem,
        seen=seen,
    )


def _times(record: ChessRecord) -> list[float | None]:
    """The seconds that each move took: as comments say, or as the clock went down."""
    increment = re.fullmatch(r"\d+\+(\d+(?:\.\d+)?)", record.tag("TimeControl"))
    added = float(increment[1]) if increment else 0.0
    times, clocks = [], [move.clock for move in record.line]
    for ply, move in enumerate(record.line):
        here, before = clocks[ply], clocks[ply - 2] if ply > 1 else None
        passed = None if here is None or before is None else max(0.0, round(before + added - here, 3))
        times.append(passed if move.time is None else move.time)
    return times


def _chess_reason(record: ChessRecord) -> str:
    if record.result == "*":
        return BROKEN_OFF
    if not count_moves(record.final) or (drawn_by_rule(record.final) and record.result == "1/2-1/2"):
        return OVER
    if record.result == "1/2-1/2":
        return "agreed"
    loser = "black" if record.result == "1-0" else "white"
    said = record.tag("Termination").lower()
    return f"{loser} ran out of time" if "time" in said else f"{loser} resigns"


def _packed_base(base: GameBase, tournament: str, stem: str, on_error: OnError | None) -> Iterator[PackedGame]:
    """All games of a WTHOR file; the rules are applied to all of them at once, and only then to each."""
    seen: Counter[str] = Counter()
    replayed = base.replayed
    date = str(base.year) if base.year else ""
    lengths = (base.moves != END).sum(axis=1).tolist()
    margins = (2 * base.games["discs"].astype(np.int64) - 64).tolist()
    leads = (replayed.black - replayed.white).tolist()
    columns = zip(
        base.games["black"].tolist(),
        base.games["white"].tolist(),
        base.games["tournament"].tolist(),
        base.moves.tolist(),
        lengths,
        replayed.faults.tolist(),
        replayed.finished.tolist(),
        leads,
        margins,
        strict=True,
    )
    for index, (black, white, event, moves, length, fault, finished, lead, margin) in enumerate(columns):
        if fault >= 0:
            list(read_one(partial(base.__getitem__, index), "", on_error))
            continue
        value = float(np.sign(lead if finished else margin))
        yield _packed(
            (name_at(base.players, black), name_at(base.players, white)),
            (value, -value),
            play_written(START, moves[:length]).actions,
            0,
            reason=OVER if finished else f"{BROKEN_OFF}, counted {margin:+d}",
            place=name_at(base.tournaments, event),
            date=date,
            tournament=tournament,
            stem=stem,
            seen=seen,
        )


def _packed(
    names: tuple[str, str],
    returns: tuple[float, float],
    actions: Sequence[int],
    turn: int,
    *,
    reason: str,
    place: str,
    date: str,
    tournament: str,
    stem: str,
    seen: Counter[str],
    opening: str = "",
    times: str | None = None,
    evaluations: str | None = None,
    game: str = REVERSI,
    texts: Sequence[str] | None = None,
    further: tuple[str, ...] = (),
) -> PackedGame:
    written = json.dumps(actions, separators=(",", ":"))
    content = "\n".join((*names, place, date, reason, opening, str(returns[0]), written, *further))
    digest = hashlib.blake2b(content.encode("utf-8", "replace"), digest_size=6).hexdigest()
    seen[digest] += 1
    again = f"-{seen[digest]}" if seen[digest] > 1 else ""
    event = visible(tournament or _slashless(f"{place} {_year(date)}".strip() if place else stem))
    columns = (
        f"{event}/{digest}{again}",
        event,
        game,
        reason,
        opening,
        _started(date),
        0.0,
        _movers(len(actions), turn),
        written,
        '["' + '","'.join(texts or [TEXTS[action] for action in actions]) + '"]' if actions else "[]",
        times,
        evaluations,
        None,
        None,
    )
    return PackedGame(tuple(map(PlayerEntry, names)), returns, columns)


@lru_cache
def _movers(length: int, turn: int) -> str:
    return json.dumps([(turn + ply) % 2 for ply in range(length)], separators=(",", ":"))


@lru_cache
def _started(date: str) -> float:
    """The beginning of the day, the month or the year that a date names, in seconds since 1970; 0 if it names none."""
    found = DATE.match(date)
    if found is None:
        return 0.0
    try:
        day = datetime(int(found[1]), int(found[2] or 1), int(found[3] or 1), tzinfo=UTC)
    except ValueError:
        return 0.0
    return (day - EPOCH).total_seconds()


def _year(date: str) -> str:
    found = DATE.match(date)
    return found[1] if found else ""


def _slashless(name: str) -> str:
    """A name that can be a tournament's: the slash is what ends it in the key of a game."""
    return " ".join(name.replace("/", "-").split())


def _reason(record: Record) -> str:
    stated = record.result
    if stated is not None and stated.ending is not Ending.PLAYED:
        loser = "nobody" if not stated.score else "white" if stated.score > 0 else "black"
        return {
            Ending.RESIGNED: f"{loser} resigns",
            Ending.TIMEOUT: f"{loser} ran out of time",
            Ending.AGREED: "agreed",
        }[stated.ending] + f", counted {stated.score:+g}"
    if record.finished:
        return OVER
    return BROKEN_OFF if stated is None else f"{BROKEN_OFF}, counted {stated.score:+g}"


# Out --------------------------------------------------------------------------------------------------------------


def record_of(result: PlayedGame) -> Record:
    """A game of Reversi on 8x8 as the formats know it; `FormatError` for any other game.

    A game that did not end on the board is counted as its reason says, or as 64 discs for the winner, and marked as
    lost on time or else as resigned.
    """
    if result.game not in (REVERSI, f"{REVERSI}:size=8"):
        raise FormatError(f"the game {result.key} is one of {result.game}; this format has only Reversi on 8x8")
    record = Record(
        START if not result.opening or len(result.opening) < 64 else _start(result.opening),
        tuple(move.action for move in result.moves),
        tuple(None if move.value is None else move.value * DISCS for move in result.moves),
        tuple(move.time or None for move in result.moves),
        black=result.players[0].name,
        white=result.players[1].name,
        date=_date(result.started),
        place=result.tournament,
    )
    black, white = record.discs
    if record.finished and result.complete:
        stated = Result(black - white)
    elif result.reason == BROKEN_OFF:
        return record
    else:
        counted = re.search(r"counted ([+-]\d+(?:\.\d+)?)", result.reason)
        sign = float(np.sign(result.returns[0] - result.returns[1]))
        stated = Result(float(counted[1]) if counted else DISCS * sign, _ending(result.reason))
    return replace(record, result=stated)


def chess_record_of(result: PlayedGame) -> ChessRecord:
    """A game of chess as PGN has it, with the time and the value of each move in a comment; `FormatError` for any
    other game, and for one that is damaged."""
    if result.game.partition(":")[0] != "chess":
        raise FormatError(f"the game {result.key} is one of {result.game}; PGN is for chess")
    start = make_game(result.game).initial
    assert isinstance(start, Chess)
    line = [PgnMove(move.action, comments=_remarks(move)) for move in result.moves]
    if line and result.reason not in (OVER, BROKEN_OFF):
        line[-1] = replace(line[-1], comments=(*line[-1].comments, result.reason.replace("}", ")")))
    first, second = (*result.returns, 0.0, 0.0)[:2]
    stated = "1-0" if first > second else "0-1" if first < second else "1/2-1/2"
    tags = {"Event": result.tournament, "Date": _date(result.started)}
    tags |= dict(zip(("White", "Black"), (player.name for player in result.players), strict=False))
    if result.reason == BROKEN_OFF or result.disturbed:
        stated, tags["Termination"] = "*", "abandoned"
    elif _ending(result.reason) is Ending.TIMEOUT:
        tags["Termination"] = "time forfeit"
    try:
        return ChessRecord(start, tuple(line), tuple(tags.items()), stated)
    except ActionError as error:
        raise FormatError(f"the game {result.key} is damaged: {error}") from None


def _remarks(move: PlayedMove) -> tuple[str, ...]:
    """What a player has said of its move, as a comment."""
    parts = []
    if move.time:
        minutes, seconds = divmod(move.time, 60.0)
        parts.append(f"[%emt {int(minutes // 60)}:{int(minutes % 60):02}:{seconds:06.3f}]")
    parts += [] if move.value is None else [f"value {move.value:+.3f}"]
    parts += [f"depth {move.depth}"] if move.depth else []
    return (" ".join(parts),) if parts else ()


def _start(opening: str) -> Any:
    try:
        return read_board(opening)
    except FormatError:
        return START  # moves, of which there can be more than 64 letters


def _ending(reason: str) -> Ending:
    if reason.startswith(BROKEN_OFF):
        return Ending.PLAYED
    if reason.startswith("agreed"):
        return Ending.AGREED
    return Ending.TIMEOUT if re.search(r"\btime\b|\d s\b", reason) else Ending.RESIGNED


def _date(started: float) -> str:
    return _moment(started).strftime("%Y.%m.%d") if started else ""


def _moment(started: float) -> datetime:
    return EPOCH + timedelta(seconds=started)


def export_json(results: Iterable[PlayedGame]) -> Iterator[str]:
    """A JSON list, a game a line."""
    between = "[\n"
    for result in results:
        yield between + json.dumps(asdict(result), ensure_ascii=False)
        between = ",\n"
    yield "[]\n" if between == "[\n" else "\n]\n"


def export_csv(results: Iterable[PlayedGame]) -> Iterator[str]:
    """A table with a header and a game a line; the players and their returns are separated by bars."""
    line = io.StringIO()
    writer = csv.writer(line, lineterminator="\n")
    header = ("key", "tournament", "game", "started", "seconds", "players", "returns", "winner", "reason", "opening")
    writer.writerow((*header, "moves"))
    for result in results:
        yield line.getvalue()
        line.seek(0)
        line.truncate()
        winner = "" if result.winner is None else result.players[result.winner].name
        writer.writerow(
            text_cell(cell)
            for cell in (
                result.key,
                result.tournament,
                result.game,
                _moment(result.started).isoformat(timespec="seconds") if result.started else "",
                f"{result.seconds:g}",
                "|".join(player.name for player in result.players),
                "|".join(f"{value:g}" for value in result.returns),
                winner,
                result.reason,
                result.opening,
                " ".join(move.text for move in result.moves),
            )
        )
    yield line.getvalue()


def text_cell(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; only names and texts are ever changed, by a mark in front."""
    return f"'{cell}" if cell.startswith(FORMULA) and not NUMBER.fullmatch(cell) else cell


def export_ggf(results: Iterable[PlayedGame]) -> Iterator[str]:
    """A line of GGF for each game."""
    return (write_ggf(record_of(result)) + "\n" for result in results)


def export_pgn(results: Iterable[PlayedGame]) -> Iterator[str]:
    """The games of chess in PGN, with an empty line between two."""
    return (write_pgn(chess_record_of(result)) + "\n" for result in results)


def export_transcripts(results: Iterable[PlayedGame]) -> Iterator[str]:
    """The moves of each game in a line; those of Reversi without blanks and without passes."""
    for result in results:
        if result.game == REVERSI:
            yield write_transcript(record_of(result)) + "\n"
        else:
            yield " ".join(move.text for move in result.moves) + "\n"


EXPORTS: dict[str, Callable[[Iterable[PlayedGame]], Iterator[str]]] = {
    "json": export_json,
    "csv": export_csv,
    "ggf": export_ggf,
    "pgn": export_pgn,
    "transcript": export_transcripts,
}
"""What games can be written as, by name."""
