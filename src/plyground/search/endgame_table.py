"""Endgame tables: the exact value of every position of a set, for searches to look up instead of searching.

`plyground.search.retrograde` builds them. A position is found by 64 bits of hash that symmetric positions share, so a
position outside of a table of n positions is taken for one inside with a probability of n / 2^64: once in
10^12 lookups if n is eighteen million.
"""

from __future__ import annotations

import hashlib
import json
import math
import sys
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from plyground.core.axes import Accepts
from plyground.core.files import parse_json, read_file, write_file
from plyground.core.game import Game
from plyground.core.rules import (
    actions,
    canonical_image,
    legal_actions,
    max_actions,
    result,
    score,
    state_hash,
    symmetries,
    terminal,
    to_move,
    transformed,
    utility,
)
from plyground.errors import FormatError, IllegalAction
from plyground.native.bits import mix64
from plyground.native.compiling import compiled, inlined
from plyground.native.dispatch import coerced, state_digest
from plyground.native.kinds import class_of
from plyground.native.lending import Lent
from plyground.native.overloads import Static, native
from plyground.native.randomness import random_below, stream

__all__ = [
    "NO_TABLE", "EndgameTable", "Measure", "NoTable", "canonical_key", "endgame_value", "fill_slots", "hash_table",
    "key_of", "rules_digest", "slot_of", "state_after", "table_entry",
]  # fmt: skip

DECISIVE = (
    to_move, legal_actions, result, terminal, utility, score, max_actions, state_hash, symmetries, transformed,
)  # fmt: skip
"""The rules on which a table depends."""

Measure = Literal["utility", "score"]
"""What the values of a table are: the game's utilities, or its scores (margins such as discs)."""

NO_DISTANCE = 0xFFFF
MAGIC = b"plyground endgame table "
VERSION = 1
UNPACKED = 4
"""How many times its packed size a table may have: keys are hashes, whose differences hardly pack."""
LONGEST_HEADER = 1 << 22
DIGEST = 32
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"
"""The digest of rules is that of their bytecode, which differs from one Python to the next."""


# Keys and slots -------------------------------------------------------------------------------------------------------


@compiled
def canonical_key(state: Any) -> Any:
    """64 bits that are equal for symmetric states, and never 0."""
    return key_of(canonical_image(state)[0])


@inlined
def key_of(word: Any) -> Any:
    """The key of a hash: mixed once more, so that any hash spreads over the table; 0 is kept for empty slots."""
    key = mix64(word)
    if key == np.uint64(0):
        key = np.uint64(1)
    return key


@inlined
def slot_of(keys: Any, key: Any) -> Any:
    """Where a key is, or would be, in a hash table with a power of two of slots."""
    mask = np.uint64(len(keys) - 1)
    slot = key & mask
    while keys[slot] != np.uint64(0) and keys[slot] != key:
        slot = (slot + np.uint64(1)) & mask
    return slot


@compiled
def fill_slots(keys: Any, places: Any, old_keys: Any, old_places: Any) -> None:
    """Enter keys with their places into an empty hash table; a key of 0 is an empty slot of the old one."""
    for i in range(len(old_keys)):
        if old_keys[i] != np.uint64(0):
            slot = slot_of(keys, old_keys[i])
            keys[slot] = old_keys[i]
            places[slot] = old_places[i]


# The table ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class NoTable(Static):
    """Stands where a search has no endgame table: compiled code then holds nothing of it."""


NO_TABLE = NoTable()


@dataclass(frozen=True, eq=False, repr=False)
class EndgameTable(Lent):
    """The value of every position that can be reached from a root, and its distance to the end.

    `game` is the game's spec, `history` the actions from its initial state to the root, `measure` what the values are,
    `rules` a digest of the rules. `keys` and `entries` are a hash table from `canonical_key`, 0 where a slot is empty,
    to 65536 * code + distance, where a code is a place among `levels`.
    """

    arrays: ClassVar[dict[str, tuple[Any, int]]] = {
        "keys": (np.uint64, 1),
        "entries": (np.uint32, 1),
        "levels": (np.float64, 1),
    }
    game: str
    history: tuple[int, ...]
    measure: Measure
    rules: str
    positions: int
    levels: NDArray[np.float64]
    keys: NDArray[np.uint64]
    entries: NDArray[np.uint32]

    def __post_init__(self) -> None:
        for array in (self.levels, self.keys, self.entries):
            array.flags.writeable = False
        self._note_addresses()

    def __repr__(self) -> str:
        return f"<endgame table of {self.game}, {self.positions:,} positions>"

    def __len__(self) -> int:
        return self.positions

    def __contains__(self, state: Any) -> bool:
        return found_entry(state, self) >= 0

    def value(self, state: Any) -> float | None:
        """The value of a position to player 0; None if it is not in the table."""
        entry = found_entry(state, self)
        return None if entry < 0 else float(self.levels[entry >> 16])

    def distance(self, state: Any) -> int | None:
        """How many plies the game takes if the winner hurries and the loser delays.

        None for a draw, unless the game is over, and for a position that is not in the table.
        """
        entry = found_entry(state, self)
        return None if entry < 0 or entry & NO_DISTANCE == NO_DISTANCE else entry & NO_DISTANCE

    def best_actions(self, state: Any) -> list[int]:
        """The actions of the highest value to the player to move: the fastest wins, the slowest losses, all draws.

        Empty if the position is not in the table, or the game is over. Playing them wins what can be won, also where
        positions repeat, because every move of the winner comes one ply nearer to the end.
        """
        if found_entry(state, self) < 0:
            return []
        options = actions(state)
        sign = 1.0 if options and to_move(state) == 0 else -1.0

        def worth(action: int) -> tuple[float, int]:
            entry = found_entry(result(state, action), self)
            value = sign * float(self.levels[entry >> 16])
            distance = entry & NO_DISTANCE
            return value, -distance if value > 0 else distance if value < 0 else 0

        ranks = {action: worth(action) for action in options}
        return [action for action in options if ranks[action] == max(ranks.values())]

    def save(self, path: str | Path) -> int:
        """Write the table to a file, whole or not at all; returns its size in bytes.

        Two lines of text, what it is and a header in JSON, then the positions, compressed: their keys in ascending
        order as differences, their codes and distances, all split into bytes of equal rank. At the end, a digest of
        all before.
        """
        taken = np.flatnonzero(self.keys)
        order = taken[np.argsort(self.keys[taken])]
        steps = np.diff(self.keys[order], prepend=np.uint64(0))
        header = {
            "game": self.game,
            "history": self.history,
            "measure": self.measure,
            "positions": self.positions,
            "levels": self.levels.tolist(),
            "rules": self.rules,
            "python": PYTHON,
        }
        packed = zlib.compress(_byte_planes(steps.astype("<u8")) + _byte_planes(self.entries[order].astype("<u4")))
        data = MAGIC + f"{VERSION}\n{json.dumps(header)}\n".encode() + packed
        data += hashlib.sha256(data).digest()
        write_file(path, data)
        return len(data)

    @classmethod
    def load(cls, path: str | Path, game: Game, measure: Measure | None = None) -> EndgameTable:
        """The table in a file, for a game whose rules must be those it was built with; `FormatError` if they are not.

        The rules are compared by their digest where the same version of Python made it. In any case the values of the
        positions in some random games from the root must agree with one another and with the ends of the games.
        `measure` is the kind of values that is needed, if it matters.
        """
        data = read_file(path, "endgame table")
        if not data.startswith(MAGIC):
            raise FormatError(f"{path} is not an endgame table; make one with plyground endgame")
        version, _, rest = data[len(MAGIC) :].partition(b"\n")
        if version != str(VERSION).encode():
            shown = version[:20].decode(errors="replace")
            raise FormatError(f"{path} is an endgame table of version {shown}; this program reads version {VERSION}")
        if hashlib.sha256(data[:-DIGEST]).digest() != data[-DIGEST:]:
            raise FormatError(f"{path} is damaged: its content does not agree with its digest; build it again")
        line, _, packed = rest[:-DIGEST].partition(b"\n")
        try:
            header = parse_json(line[:LONGEST_HEADER].decode(), "its header")
            table = _unpacked_table(header, packed)
            same_python = header["python"] == PYTHON
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError, MemoryError, zlib.error):
            raise FormatError(f"{path} is damaged: it cannot be unpacked; build it again") from None
        if (same_python and table.rules != rules_digest(type(game.initial))) or not _fits(table, game):
            if table.game == game.spec:
                raise FormatError(f"{path} was built with other rules of {game.spec}; build it again")
            raise FormatError(f"{path} is a table of {table.game}, not of {game.spec}")
        if measure is not None and table.measure != measure:
            raise FormatError(f"{path} holds values of the kind {table.measure}; what is needed here is {measure}")
        return table


def rules_digest(state_type: Any) -> str:
    """A digest of the rules that decide what is in a table; an evaluation, say, may change without harm."""
    return state_digest(state_type, DECISIVE)


def state_after(game: Game, history: Sequence[int]) -> Any:
    """The state after these actions, which must be legal, from the game's initial state."""
    state = coerced(game.initial)
    for action in history:
        state = coerced(result(state, game.legal(state, action)))
    return state


def hash_table(keys: NDArray[np.uint64], entries: NDArray[np.uint32]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The same in slots, at most three quarters full."""
    slots = 1 << (len(keys) * 4 // 3).bit_length()
    table = np.zeros(slots, np.uint64), np.zeros(slots, np.uint32)
    fill_slots(*table, keys, entries)
    return table


def _byte_planes(column: NDArray[Any]) -> bytes:
    """All lowest bytes, then all second ones, and so on: bytes of one kind compress better together."""
    return column.view(np.uint8).reshape(len(column), -1).T.tobytes()


def _column(planes: bytes, kind: str) -> NDArray[Any]:
    size = np.dtype(kind).itemsize
    return np.frombuffer(planes, np.uint8).reshape(size, -1).T.copy().view(kind).reshape(-1)


def _unpacked_table(header: Any, packed: bytes) -> EndgameTable:
    """The table in the file's parts; `ValueError` or the like if they make no table."""
    positions, levels = int(header["positions"]), np.array(header["levels"], np.float64)
    if header["measure"] not in ("utility", "score") or positions < 1 or levels.ndim != 1:
        raise ValueError
    size = 12 * positions
    if size > UNPACKED * len(packed):
        raise ValueError
    planes = zlib.decompressobj().decompress(packed, size + 1)
    if len(planes) != size or not np.isfinite(levels).all():
        raise ValueError
    keys = np.cumsum(_column(planes[: 8 * positions], "<u8"), dtype=np.uint64)
    entries = _column(planes[8 * positions :], "<u4").astype(np.uint32)
    if keys[0] == 0 or not (keys[1:] > keys[:-1]).all() or int(entries.max() >> np.uint32(16)) >= len(levels):
        raise ValueError
    history = tuple(int(action) for action in header["history"])
    keys, entries = hash_table(keys, entries)
    return EndgameTable(
        str(header["game"]), history, header["measure"], str(header["rules"]), positions, levels, keys, entries
    )


def _fits(table: EndgameTable, game: Game, games: int = 20, longest: int = 200) -> bool:
    """Whether the positions of some random games have the values that follow from the positions after them."""
    if Accepts(players=(2,)).obstacle(game.axes):
        return False
    try:
        root = state_after(game, table.history)
    except IllegalAction:
        return False
    rng = stream(0)
    for _ in range(games):
        state = root
        for _ in range(longest):
            options = actions(state)
            if not options:
                if table.value(state) != (score if table.measure == "score" else utility)(state, 0):
                    return False
                break
            values = [table.value(result(state, action)) for action in options]
            known = [value for value in values if value is not None]
            if len(known) < len(values) or table.value(state) != (max(known) if to_move(state) == 0 else min(known)):
                return False
            state = coerced(result(state, options[random_below(rng, len(options))]))
    return True


# Looking it up --------------------------------------------------------------------------------------------------------


def endgame_value(state: Any, table: Any) -> float:
    """The value of a position to player 0; NaN if it is not in the table. For searches, which call it at every node:

        known = endgame_value(state, table)
        if not math.isnan(known):
            value = known if player == 0 else -known
            looked_up(state, value)
            return value

    `table` is an `EndgameTable`, or `NO_TABLE`, for which the whole paragraph vanishes from compiled code. In compiled
    code a table is one pointer, and nothing is allocated or counted; whoever calls the search keeps the table alive.
    Ask `terminal` first: it is cheaper. The cost is one hash for each symmetry of the game, and one access to memory.
    """
    if hasattr(table, "value_of"):  # computed instead of looked up
        return float(table.value_of(state))
    entry = found_entry(state, table)
    return math.nan if entry < 0 else float(table.levels[entry >> 16])


def table_entry(state: Any, table: Any) -> int:
    """What the table holds of a position, 65536 * code + distance; -1 if nothing."""
    if isinstance(table, NoTable):
        return -1
    slot = slot_of(table.keys, canonical_key(state))
    return int(table.entries[slot]) if table.keys[slot] else -1


@compiled
def found_entry(state: Any, table: Any) -> int:
    """The same, for calls from Python."""
    return table_entry(state, table)


@native(table_entry)
def _table_entry(state: Any, table: Any) -> Any:
    if class_of(table) is NoTable:
        return lambda state, table: -1

    def impl(state, table):  # type: ignore[no-untyped-def]
        slot = slot_of(table.keys, canonical_key(state))
        return np.int64(table.entries[slot]) if table.keys[slot] else -1

    return impl


@native(endgame_value, inline="always")  # so that without a table nothing is left of it
def _endgame_value(state: Any, table: Any) -> Any:
    if class_of(table) is NoTable:
        return lambda state, table: math.nan
    if class_of(table) is not EndgameTable:
        return None

    def impl(state, table):  # type: ignore[no-untyped-def]
        entry = table_entry(state, table)
        return math.nan if entry < 0 else table.levels[entry >> 16]

    return impl
