"""Endgame tables of chess: for every position of an ending who wins, and in how many plies.

    tables = bundled_tables()                  # KQK, KRK, KPK, KBBK and KBNK
    tables = tables_for("KQKR")                # these and another one, which is built once and kept
    tables.probe(state)                        # Verdict(outcome=1, plies=31), for the side to move; None if unknown
    tables.moves(state)                        # the same for each move, the best first

In compiled code `plyground.engines.chess.endings.code_in` does what `probe` does; `tables_at` finds the tables by their
address, for a search that keeps it in a record. Distances are to mate. The rule of fifty moves is not in them: no win
takes fifty moves, so it matters only where it has begun to count before.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import lzma
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import parse_json, read_file, write_file
from plyground.core.rules import actions
from plyground.engines.chess.endings import SIGNATURES, Ending, board_at, code_in, ending_of, read_ending, signature
from plyground.errors import FormatError, TruncatedFile
from plyground.games.chess.board import KINDS, NO_PAST, Board, Chess
from plyground.games.chess.moves import after
from plyground.native.cache_root import cache_root
from plyground.native.lending import Lent, lent_at
from plyground.search.indexed_retrograde import (
    NO_POSITION,
    build_codes,
    ending_places,
    is_lost,
    is_won,
    outcome_of,
    plies_of,
    prepare_codes,
)

__all__ = [
    "BUNDLED", "EndingTable", "EndingTables", "MoveVerdict", "Progress", "Summary", "Verdict", "build_ending",
    "bundled_tables", "known_ending", "state_at", "tables_at", "tables_for",
]  # fmt: skip

Progress = Callable[[str, int, int], None]
"""Called with the name of the ending that is being built, how much of it is done, and of how much."""

BUNDLED = ("KQK", "KRK", "KPK", "KBBK", "KBNK")
FOLDER = Path(__file__).with_name("ending_files")
SUFFIX = ".ending"
MAGIC = b"plyground chess ending 1\n"
DIGEST = 32
LARGEST_FILE = 1 << 24
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6 | lzma.PRESET_EXTREME, "lc": 0, "pb": 0}]


class Verdict(NamedTuple):
    """What a position is worth to the side to move: 1, 0 or -1; and the plies to mate, None for a draw."""

    outcome: int
    plies: int | None

    @property
    def moves(self) -> int | None:
        """The moves of the winner to mate, as people count them: "mate in 3"."""
        return None if self.plies is None else (self.plies + 1) // 2


class MoveVerdict(NamedTuple):
    """What a move is worth to whoever plays it: 1, 0 or -1; and the plies to mate, this move counted."""

    action: int
    outcome: int
    plies: int | None


class Summary(NamedTuple):
    """How many positions with this side to move there are, up to symmetry, and how they end for it.

    `longest` is a position in which it wins, or else loses, as late as can be; None if no game is decided.
    """

    positions: int
    won: int
    drawn: int
    lost: int
    longest: Chess | None
    plies: int | None


def verdict_of(code: int) -> Verdict | None:
    """What a code says; None for one that is not of a position."""
    if code in (-1, NO_POSITION):
        return None
    outcome = outcome_of(code)
    return Verdict(outcome, plies_of(code) if outcome else None)


# One ending ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False, repr=False)
class EndingTable:
    """The codes of all places of an ending, see `plyground.search.indexed_retrograde`."""

    ending: Ending
    codes: NDArray[np.uint8]

    def __repr__(self) -> str:
        return f"<table of {self.ending.name}, {len(self):,} positions>"

    def __len__(self) -> int:
        return int(np.count_nonzero(self.codes != NO_POSITION))

    def save(self, path: str | Path) -> int:
        """Write the table to a file, whole or not at all; returns its size in bytes.

        Two lines of text, what it is and a header in JSON; the codes, compressed; a digest of all before.
        """
        header = {"ending": self.ending.name, "places": len(self.codes)}
        packed = lzma.compress(self.codes.tobytes(), lzma.FORMAT_RAW, filters=FILTERS)
        data = MAGIC + json.dumps(header).encode() + b"\n" + packed
        data += hashlib.sha256(data).digest()
        write_file(path, data)
        return len(data)

    @classmethod
    def load(cls, path: str | Path) -> EndingTable:
        """The table in a file; `FormatError` says what is wrong with it."""
        data = read_file(path, "table of an ending", LARGEST_FILE)
        if not data.startswith(MAGIC):
            raise FormatError(
                f"{path} is not a table of a chess ending of this version; make one: plyground endgame chess KRK"
            )
        if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:]:
            raise TruncatedFile(f"{path} is damaged or not whole: its content does not agree with its digest")
        line, _, packed = data[len(MAGIC) : -DIGEST].partition(b"\n")
        header = parse_json(line.decode(errors="replace"), f"the header of {path}")
        try:
            ending, places = read_ending(str(header["ending"])), int(header["places"])
            if places != ending_places(ending):
                raise ValueError
            codes = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS).decompress(packed, max_length=places + 1)
            if len(codes) != places:
                raise ValueError
        except (ValueError, KeyError, TypeError, OverflowError, lzma.LZMAError):
            raise FormatError(f"{path} is damaged: it cannot be unpacked") from None
        return cls(ending, np.frombuffer(codes, np.uint8))


# Several endings ----------------------------------------------------------------------------------------------------


class EndingTables(Lent):
    """The tables of some endings, for Python and for compiled code.

    `codes` are those of all endings, one behind the other. `starts` says for the `signature` of each ending where its
    codes begin, -1 if it is not there; and whether colours have to be exchanged first.
    """

    arrays: ClassVar[dict[str, tuple[Any, int]]] = {"codes": (np.uint8, 1), "starts": (np.int64, 2)}
    codes: NDArray[np.uint8]
    starts: NDArray[np.int64]
    tables: dict[str, EndingTable]

    def __init__(self, tables: Iterable[EndingTable] = ()) -> None:
        by_name = {table.ending.name: table for table in tables}
        starts = np.full((SIGNATURES, 2), (-1, 0), np.int64)
        at, every = 0, [np.zeros(0, np.uint8)]
        for table in by_name.values():
            starts[signature(*table.ending.swapped)] = at, 1
            starts[signature(*table.ending)] = at, 0
            at += len(table.codes)
            every.append(table.codes)
        codes = np.concatenate(every)
        for array in (codes, starts):
            array.flags.writeable = False
        super().__init__(codes=codes, starts=starts, tables=by_name)

    def __repr__(self) -> str:
        return f"<tables of {', '.join(self.tables) or 'no ending'}>"

    def __contains__(self, name: str) -> bool:
        return name in self.tables

    def with_tables(self, *tables: EndingTable) -> EndingTables:
        """These tables and some more."""
        return EndingTables((*self.tables.values(), *tables))

    def probe(self, state: Chess | Board) -> Verdict | None:
        """What the position is worth to the side to move, and in how many plies; None if no table has it.

        The past does not count, neither the clock nor repetitions. Nobody may still castle.
        """
        return verdict_of(code_in(state, self))

    def moves(self, state: Chess) -> list[MoveVerdict]:
        """What each legal move is worth to the side to move: the fastest wins, draws, the slowest losses.

        Empty if the game is over, or the position or one that it can become is not in the tables.
        """
        found = []
        for action in actions(past_forgotten(state)):
            reply = self.probe(after(state, action))
            if reply is None:
                return []
            found.append(MoveVerdict(action, -reply.outcome, None if reply.plies is None else reply.plies + 1))
        return sorted(found, key=lambda move: (-move.outcome, move.outcome * (move.plies or 0)))

    def line(self, state: Chess) -> list[int]:
        """A line of best play to mate, the winner as fast and the loser as slow as can be; empty for a draw."""
        line = []
        verdict = self.probe(state)
        for _ in range((verdict and verdict.plies) or 0):
            options = self.moves(state)
            if not options:
                break
            line.append(options[0].action)
            state = after(state, options[0].action)
        return line

    def summary(self, ending: Ending, turn: int) -> Summary:
        """How the positions of an ending with this side to move end; the ending's name must be among `tables`."""
        table = self.tables[ending.name]
        half = len(table.codes) // 2
        counts = np.bincount(table.codes[turn * half : (turn + 1) * half], minlength=NO_POSITION + 1)
        won, lost = ([code for code in range(NO_POSITION) if counts[code] and kind(code)] for kind in (is_won, is_lost))
        longest = max(won or lost, default=None)
        place = None if longest is None else turn * half + int(np.argmax(table.codes[turn * half :] == longest))
        return Summary(
            int(counts[:NO_POSITION].sum()),
            int(counts[won].sum()),
            int(counts[0]),
            int(counts[lost].sum()),
            None if place is None else state_at(ending, place),
            None if longest is None else plies_of(longest),
        )


tables_at = lent_at(EndingTables)
"""For compiled code: the tables at an `EndingTables.address`, which somebody keeps alive."""


def past_forgotten(state: Chess) -> Chess:
    """The position as if it had just come up."""
    return state._replace(clock=0, repeats=0, kept=0, past=NO_PAST)


def known_ending(state: Chess | Board) -> Ending | None:
    """The ending that a position belongs to, as it usually stands; None if no table can have it."""
    men = [
        kind + (0 if int(state.white) >> square & 1 else 5)
        for kind, squares in enumerate(state[:5], 1)
        for square in range(64)
        if int(squares) >> square & 1
    ]
    if not 1 <= len(men) <= 2 or state.castling or sum(KINDS[(kind - 1) % 5] == "P" for kind in men) > 1:
        return None
    ending = ending_of(*men).usual
    return None if ending.drawn else ending


def state_at(ending: Ending, place: int) -> Chess | None:
    """The position at a place; None if none is there."""
    exists, board = board_at(ending, place)
    if not exists:
        return None
    return Chess(
        board.pawns, board.knights, board.bishops, board.rooks, board.queens, board.kings, board.white, board.castling,
        int(board.turn), -1, 0, 1, 0, False, 0, NO_PAST,
    )  # fmt: skip


# Where they come from -----------------------------------------------------------------------------------------------


@cache
def bundled_tables() -> EndingTables:
    """The tables that come with the package."""
    return EndingTables(EndingTable.load(FOLDER / f"{name}{SUFFIX}") for name in BUNDLED)


def build_ending(
    ending: Ending, known: EndingTables | None = None, on_progress: Progress | None = None
) -> EndingTables:
    """The tables of an ending and of all that it can become, built unless they are among the `known` ones."""
    tables = EndingTables() if known is None else known
    if ending.name in tables:
        return tables
    for other in sorted(ending.next_endings):
        tables = build_ending(other, tables, on_progress)
    prepare_codes(ending, tables)

    def show(done: int, total: int) -> None:
        if on_progress:
            on_progress(ending.name, done, total)

    return tables.with_tables(EndingTable(ending, build_codes(ending, tables, show)))


def kept_file(name: str) -> Path:
    """Where the table of an ending is kept that had to be built; `OSError` without a home."""
    return cache_root() / "chess_endings" / f"{name}{SUFFIX}"


def tables_for(*names: str, on_progress: Progress | None = None) -> EndingTables:
    """The bundled tables and those of the endings named, such as KQKR, with all that these can become.

    What is not bundled is built when it is first asked for, a matter of seconds, and kept in the user's cache folder: a
    table of four men is up to 1.6 MB long, too much to bundle for the few who will ask for it.
    """
    tables = bundled_tables()
    for name in names:
        tables = _with_ending(read_ending(name), tables, on_progress)
    return tables


def _with_ending(ending: Ending, tables: EndingTables, on_progress: Progress | None) -> EndingTables:
    if ending.name in tables:
        return tables
    for other in sorted(ending.next_endings):
        tables = _with_ending(other, tables, on_progress)
    # A file that is missing, damaged or of another version is built again, and a folder that cannot be written to is
    # no reason to do without the table.
    with contextlib.suppress(FormatError, OSError):
        table = EndingTable.load(kept_file(ending.name))
        if table.ending == ending:
            return tables.with_tables(table)
    tables = build_ending(ending, tables, on_progress)
    with contextlib.suppress(FormatError, OSError):
        file = kept_file(ending.name)
        file.parent.mkdir(parents=True, exist_ok=True)
        tables.tables[ending.name].save(file)
    return tables
