"""GGF, the Generic Game Format of the Generic Game Server (Buro and Durdanović), for Othello on 8x8.

    (;GM[Othello]PC[GGS/os]DT[2003.12.15]PB[a]PW[b]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+4.00]
    BO[8 ---------------------------O*------*O--------------------------- *]B[d3/+1.50/0.01]W[c5//2.5];)

A move may have an evaluation, in discs for the player who makes it, and the seconds it took. RE is the result for
black, with a suffix: ``:r`` resigned, ``:t`` timeout, ``:s`` agreed. In an archive each line begins with the number of
games in it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from plyground.core.rules import actions
from plyground.errors import FormatError, IllegalAction, TruncatedFile
from plyground.formats.board import read_board, write_board
from plyground.formats.places import OnError, located, place, read_one
from plyground.formats.record import Clock, Ending, Record, Result
from plyground.formats.replay import START, play_written, read_square, why_illegal
from plyground.games.lattice import cell_name
from plyground.games.reversi import PASS, Reversi

__all__ = ["read_ggf", "read_ggf_games", "write_ggf"]

Properties = list[tuple[str, str]]


class Written(NamedTuple):
    """A move as it stands in the text: who makes it, its action, and its notes."""

    colour: str
    action: int
    evaluation: float | None
    time: float | None


OPENING = re.compile(r"(?:(?P<games>[0-9]{1,9})\s*)?\((?=\s*;|\s*$)")
PROPERTY = re.compile(r"(?P<name>[A-Za-z]*)\s*\[")
VALUE = re.compile(r"[^\]\\]*(?:\\.[^\]\\]*)*", re.DOTALL)
ESCAPED = re.compile(r"\\([\]\\])")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
TIME = re.compile(r"(?:(?:([0-9]{1,4}):)?([0-9]{1,6}):)?([0-9]{1,9}\.?[0-9]*|\.[0-9]+)")
RESULT = re.compile(rf"({NUMBER.pattern})\s*(?::\s*([rts]?))?", re.IGNORECASE)
BOARD = re.compile(r"\s*([0-9]{1,3})\s+(.*)", re.DOTALL)
NAME = re.compile(r"[A-Z]+")
LONGEST_GAME = 1 << 20
"""Characters, from the beginning of its first line."""
MOST_FAULTS = 1000
"""Places in a text that are not GGF, such as games within games, until the rest of it is left."""
OURS = {"GM", "PC", "DT", "PB", "PW", "RE", "BO", "B", "W"}
"""Properties that have a place of their own in a record."""
ONCE = OURS - {"B", "W"} | {"RB", "RW", "TI", "TB", "TW", "TY"}
SIZE = re.compile(r"s?([0-9]{1,3})", re.IGNORECASE)


def read_ggf(text: str) -> Record:
    """The one game in a text."""
    games = list(read_ggf_games(text.splitlines(keepends=True)))
    if len(games) != 1:
        raise FormatError(f"one game was expected, and here are {len(games)}; a game is (;GM[Othello]...;)")
    return games[0]


def read_ggf_games(lines: Iterable[str], source: str = "", *, on_error: OnError | None = None) -> Iterator[Record]:
    """All games, one after the other, as from an open file; a game may take many lines, or share one with others.

    Passes may be left out. Properties that are not known here are kept in `Record.properties`. An error says the line
    where its game begins, the number of the game from 1, and the move. With `on_error` a game that cannot be read is
    handed to it, and reading goes on.
    """
    number = 0
    for line, found in _games(lines):
        number += not isinstance(found, FormatError)
        game = "" if isinstance(found, FormatError) else f"game {number}"
        yield from read_one(partial(_record, found), place(source, f"line {line}", game), on_error)


def write_ggf(record: Record) -> str:
    """One line, without a line break; evaluations and times of moves included."""
    for name, _ in record.properties:
        if not NAME.fullmatch(name) or name in OURS:
            raise FormatError(f"{name[:20]!r} cannot be the name of a further property; it is a few capital letters")
    kept = dict(record.properties)
    known: list[tuple[str, str | None]] = [
        ("GM", "Othello"),
        ("PC", record.place),
        ("DT", record.date),
        ("PB", record.black),
        ("PW", record.white),
        ("RB", _decimal(record.black_rating)),
        ("RW", _decimal(record.white_rating)),
    ]
    if record.black_clock == record.white_clock and "TI" not in kept:
        known.append(("TI", _clock_text(record.black_clock)))
    else:
        known += [("TB", _clock_text(record.black_clock)), ("TW", _clock_text(record.white_clock))]
    known.append(("TY", "8"))
    if record.result is not None:
        suffix = f":{record.result.ending.value}" if record.result.ending.value else ""
        known.append(("RE", f"{_decimal(record.result.score, signed=True)}{suffix}"))
    header = [(name, value) for name, value in known if value is not None and name not in kept]
    header += [*record.properties, ("BO", f"8 {write_board(record.start, '*O-')}")]
    return f"(;{''.join(f'{name}[{_escaped(value)}]' for name, value in header)}{''.join(_moves_text(record))};)"


# Reading ----------------------------------------------------------------------------------------------------------


def _games(lines: Iterable[str]) -> Iterator[tuple[int, Properties | FormatError]]:
    """The properties of each game with the line where it begins; or, with its line, what is wrong in the text itself.

    After such a fault the text is skipped to the next beginning of a game.
    """
    begun = 0  # the line where the game begins that is being read; 0 between games
    properties: Properties = []
    name = ""
    value: list[str] | None = None
    announced, announced_at = 0, 0
    lost = False
    size, faults = 0, 0
    for number, line in enumerate(lines, 1):
        at = 0
        size = size + len(line) if begun else len(line)
        if size > LONGEST_GAME:
            yield begun or number, FormatError(f"a game has at most {LONGEST_GAME:,} characters, and here are more")
            return
        while at < len(line):
            if value is not None:
                found = VALUE.match(line, at)
                end = found.end() if found else at
                value.append(line[at:end])
                if line[end : end + 1] == "]":
                    properties.append((name, " ".join(ESCAPED.sub(r"\1", "".join(value)).split())))
                    value = None
                elif end < len(line):
                    value.append(line[end])
                at = end + 1
            elif begun and (line[at].isspace() or line[at] == ";"):
                at += 1
            elif begun and line[at] == ")":
                yield begun, properties
                begun, at = 0, at + 1
                announced = max(announced - 1, 0)
            elif begun and (found := PROPERTY.match(line, at)) and (found["name"] or properties):
                name, value, at = (found["name"] or name).upper(), [], found.end()
            elif not begun and line[at].isspace():
                at += 1
            elif not begun and (found := OPENING.match(line, at)):
                if found["games"] is not None or lost:
                    if announced and not lost:
                        yield announced_at, _missing(announced)
                    announced, announced_at = int(found["games"] or 0), number
                begun, properties, lost, at = number, [], False, found.end()
            else:
                faults += not lost
                if faults > MOST_FAULTS:
                    yield number, FormatError(f"the {faults:,}th place that is not GGF; nothing more is read")
                    return
                if not lost:
                    wanted = "a property such as B[f5], or ;) at the end of the game" if begun else "a game, (;...;)"
                    yield number, FormatError(f"expected {wanted}, not {line[at : at + 20].strip()!r}")
                begun, lost = 0, True
                restart = OPENING.search(line, at)
                at = restart.start() if restart else len(line)
    if begun:
        yield begun, TruncatedFile("the game that begins here has no end; a game ends with ;)")
    elif announced and not lost:
        yield announced_at, _missing(announced)


def _missing(games: int) -> TruncatedFile:
    return TruncatedFile(f"the line announces more games than there are: {games} missing")


def _record(properties: Properties | FormatError) -> Record:
    if isinstance(properties, FormatError):
        raise properties
    start = START
    written: list[Written] = []
    game = ""
    texts = {"PC": "", "DT": "", "PB": "", "PW": ""}
    ratings: dict[str, float] = {}
    clocks: dict[str, Clock] = {}
    result = None
    kept: Properties = []
    seen: set[str] = set()
    for name, value in properties:
        if name in ONCE and name in seen:
            raise FormatError(f"{name} is there twice; a game ends with ;) before the next one begins")
        seen.add(name)
        if name == "GM":
            game = value
        elif name in texts:
            texts[name] = value
        elif name in ("RB", "RW") and (rating := _number(value)) is not None:
            ratings[name] = rating
        elif name in ("TI", "TB", "TW") and (clock := _clock(value)) is not None:
            clocks[name] = clock
        elif name == "TY":
            size = SIZE.match(value)
            if size and int(size[1]) != 8:
                raise FormatError(f"the type {value[:20]!r} is a board of another size; only 8x8 is read")
            if value != "8":
                kept.append((name, value))
        elif name == "RE":
            result = _result(value)
        elif name == "BO":
            start = _board(value)
        elif name in ("B", "W"):
            with located(f"move {len(written) + 1}"):
                written.append(_move(name, value))
        else:
            kept.append((name, value))
    if game.lower() != "othello":
        raise FormatError(f"the game is {game[:20]!r}, not Othello" if game else "GM[Othello] is missing")
    moves, origins = _with_passes(start, written)
    return Record(
        start,
        moves,
        evaluations=tuple(None if i is None else written[i].evaluation for i in origins),
        times=tuple(None if i is None else written[i].time for i in origins),
        black=texts["PB"],
        white=texts["PW"],
        black_rating=ratings.get("RB"),
        white_rating=ratings.get("RW"),
        black_clock=clocks.get("TB", clocks.get("TI")),
        white_clock=clocks.get("TW", clocks.get("TI")),
        date=texts["DT"],
        place=texts["PC"],
        result=result,
        properties=tuple(kept),
    )


def _with_passes(start: Reversi, written: list[Written]) -> tuple[tuple[int, ...], list[int | None]]:
    """All actions, and which of the written moves each one is; None for a pass that was left out."""
    squares = [move.action for move in written]
    moves, final, fault = play_written(start, squares)
    origins: list[int | None] = []
    at = 0
    for ply, action in enumerate(moves):
        if action == PASS and squares[at] != PASS:
            origins.append(None)
        else:
            _check_colour(at, written[at], (start.turn + ply) % 2)
            origins.append(at)
            at += 1
    if fault < len(written):
        if actions(final) not in ([], [PASS]):
            _check_colour(fault, written[fault], final.turn)
        raise IllegalAction(f"move {fault + 1}: {why_illegal(final, squares[fault])}")
    return moves, origins


def _check_colour(index: int, move: Written, turn: int) -> None:
    if move.colour != "BW"[turn]:
        raise IllegalAction(
            f"move {index + 1}: {move.colour}[{_name(move.action)}] is not {('black', 'white')[turn]}'s, who is to move"
        )


def _move(colour: str, value: str) -> Written:
    move, *notes = (part.strip() for part in value.split("/"))
    action = read_square(move)
    if len(notes) > 2:
        raise FormatError(f"{value[:40]!r} has more than a square, an evaluation and a time")
    evaluation = _number(notes[0]) if notes and notes[0] else None
    if evaluation is None and notes and notes[0]:
        raise FormatError(f"the evaluation {notes[0][:20]!r} is not a number of discs")
    time = _seconds(notes[1]) if len(notes) == 2 and notes[1] else None
    if time is None and len(notes) == 2 and notes[1]:
        raise FormatError(f"the time {notes[1][:20]!r} is not a number of seconds")
    return Written(colour, action, evaluation, time)


def _board(value: str) -> Reversi:
    found = BOARD.fullmatch(value)
    if found is None:
        raise FormatError("BO must be the size, the squares and the side to move, such as BO[8 <64 squares> *]")
    if int(found[1]) != 8:
        raise FormatError(f"the board is {int(found[1])}x{int(found[1])}; only 8x8 is read")
    with located("BO"):
        return read_board(found[2])


def _result(value: str) -> Result | None:
    if value in ("", "?"):
        return None
    found = RESULT.fullmatch(value)
    if found is None or (score := _number(found[1])) is None:
        raise FormatError(f"the result {value[:20]!r} is not a number of discs, such as +4.00 or -64.00:r")
    return Result(score, Ending((found[2] or "").lower()))


def _clock(value: str) -> Clock | None:
    """A clock ``mm:ss/mm:ss/mm:ss``, of which any part may be empty; None if it is something else."""
    parts = [_seconds(part) if part.strip() else 0.0 for part in value.split("/")]
    known = [part for part in parts if part is not None]
    return Clock(*known) if len(known) == len(parts) <= 3 else None


def _number(text: str) -> float | None:
    number = float(text) if NUMBER.fullmatch(text.strip()) else math.nan
    return number if math.isfinite(number) else None


def _seconds(text: str) -> float | None:
    """Seconds from ``hh:mm:ss``, ``mm:ss`` or ``ss``, with decimals or without."""
    found = TIME.fullmatch(text.strip())
    if found is None:
        return None
    return 3600.0 * int(found[1] or 0) + 60.0 * int(found[2] or 0) + float(found[3])


# Writing ----------------------------------------------------------------------------------------------------------


def _moves_text(record: Record) -> Iterator[str]:
    nothing = (None,) * len(record.moves)
    notes = zip(record.moves, record.evaluations or nothing, record.times or nothing, strict=True)
    for ply, (action, evaluation, time) in enumerate(notes):
        parts = [_name(action), _decimal(evaluation, signed=True) or "", _decimal(time) or ""]
        yield f"{'BW'[(record.start.turn + ply) % 2]}[{'/'.join(parts).rstrip('/')}]"


def _name(action: int) -> str:
    return "PA" if action == PASS else cell_name(action // 8, action % 8)


def _decimal(number: float | None, *, signed: bool = False) -> str | None:
    """At least two decimals, as many as it takes, and never an exponent."""
    if number is None:
        return None
    return np.format_float_positional(number + 0.0, unique=True, min_digits=2, sign=signed)


def _clock_text(clock: Clock | None) -> str | None:
    if clock is None:
        return None
    parts = (clock.main, clock.increment, clock.extension)
    return "/".join(_time_text(part) if part else "" for part in parts).rstrip("/") or "00:00"


def _time_text(seconds: float) -> str:
    if seconds.is_integer():
        return f"{int(seconds) // 60:02}:{int(seconds) % 60:02}"
    return _decimal(seconds) or ""


def _escaped(value: str) -> str:
    return " ".join(value.split()).replace("\\", "\\\\").replace("]", "\\]")
