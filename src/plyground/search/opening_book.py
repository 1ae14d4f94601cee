"""An opening book: what searches have found, kept by position, to be played without searching again.

A position and its symmetric images are one entry, kept for the image whose numbers come first; the actions are turned
along with the board, and back when they are looked up. A game may say that still more positions are one: in chess
neither the clock nor the way there counts, and White to move is the same as Black to move with the colours exchanged.
A deeper result takes the place of a shallower one.

The file is JSON Lines: a header, then one line for each position. A book has thousands of positions, not millions, so
it can afford to be readable, and two books can be compared line by line.

    {"format": "plyground book", "version": 1, "game": "tictactoe", "state": "TicTacToe", "initial": [0, 0]}
    {"line": "b2", "position": [0, 16], "actions": [0], "value": 0.0, "depth": 8, "nodes": 59704, "player": "minimax"}
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plyground.core.files import parse_json, read_text, shown_json, write_file
from plyground.core.game import Game
from plyground.core.rules import action_in_book, actions, as_in_book, symmetries, transformed, transformed_action
from plyground.errors import FormatError
from plyground.native.dispatch import coerced
from plyground.native.state_codec import state_numbers

__all__ = ["Book", "BookEntry"]

Key = tuple[int | float, ...]

FORMAT = "plyground book"
VERSION = 1
LARGEST_BOOK = 1 << 28
MOST = 1 << 64
"""No number of a position, an action or a count is beyond it."""


@dataclass(frozen=True)
class BookEntry:
    """What a search found in a position: its best actions, the best first, and the value to the player to move.

    `depth` in plies and `nodes` say what the search cost, `player` is the spec that searched, `line` the moves by
    which the position was reached, as people write them: for readers, since other moves may lead there too.
    """

    actions: tuple[int, ...]
    value: float
    depth: int = 0
    nodes: int = 0
    player: str = ""
    line: str = ""

    def deeper_than(self, other: BookEntry) -> bool:
        """Whether this result should take the other's place.

        More nodes count if the same kind of player has searched both times; its depth may mean less, as in Monte Carlo
        tree search. Between different kinds nodes cannot be compared, so depth counts first.
        """
        if self.player.partition(":")[0] == other.player.partition(":")[0]:
            return (self.nodes, self.depth) > (other.nodes, other.depth)
        return (self.depth, self.nodes) > (other.depth, other.nodes)


class Book:
    """The book of one game. It grows by `add` and is asked with `find`."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._entries: dict[Key, BookEntry] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        return f"<book of {self.game.spec}, {len(self):,} positions>"

    def key(self, state: Any) -> Key:
        """What a position and its symmetric images have in common: the numbers of the one whose numbers come first."""
        return _canonical(state)[0]

    def find(self, state: Any) -> BookEntry | None:
        """What the book knows of a position, its actions turned to how the position lies; None if nothing."""
        key, index = _canonical(state)
        entry = self._entries.get(key)
        if entry is None:
            return None
        turned_back = {_turned(state, action, index): action for action in actions(state)}
        if not all(action in turned_back for action in entry.actions):  # the rules have changed, or the file lies
            return None
        return replace(entry, actions=tuple(turned_back[action] for action in entry.actions))

    def choose(self, state: Any, rng: Any = None) -> int | None:
        """The best move that the book knows in a position; None if it knows nothing. Nothing is left to chance."""
        entry = self.find(state)
        return None if entry is None else entry.actions[0]

    def add(self, state: Any, entry: BookEntry) -> bool:
        """Keep a result, unless a legal one as deep is known; whether it was kept. Its actions must be legal."""
        for action in entry.actions:
            self.game.legal(state, action)
        key, index = _canonical(state)
        if self.find(state) is None:  # an entry that cannot be played must not keep this one out, however deep
            self._entries.pop(key, None)
        turned = tuple(_turned(state, action, index) for action in entry.actions)
        return self._keep(key, replace(entry, actions=turned))

    def merge(self, other: Book) -> int:
        """Take over what another book of the same game knows better; returns how many entries were taken."""
        if _identity(other.game) != _identity(self.game):
            raise FormatError(f"a book of {other.game.spec} cannot be merged into one of {self.game.spec}")
        return sum([self._keep(key, entry) for key, entry in other._entries.items()])

    def _keep(self, key: Key, entry: BookEntry) -> bool:
        known = self._entries.get(key)
        if known is not None and not entry.deeper_than(known):
            return False
        self._entries[key] = entry
        return True

    def save(self, path: str | Path) -> int:
        """Write the book to a file, whole or not at all; returns its size in bytes."""
        data = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self._lines()).encode()
        write_file(path, data)
        return len(data)

    def _lines(self) -> Iterator[dict[str, Any]]:
        yield {"format": FORMAT, "version": VERSION, "game": self.game.spec, **_identity(self.game)}
        for key, entry in self._entries.items():
            yield {"line": entry.line, "position": key} | vars(entry)

    @classmethod
    def load(cls, path: str | Path, game: Game) -> Book:
        """The book of a game in a file; `FormatError` says which line is wrong, or that it is another game's."""
        lines = read_text(path, "book", LARGEST_BOOK).split("\n")
        header = _object(lines[0])
        if header is None or header.get("format") != FORMAT:
            raise FormatError(f"{path} is not a book; make one with plyground book")
        if header.get("version") != VERSION:
            version = shown_json(header.get("version"))[:20]
            raise FormatError(f"{path} is a book of version {version}; this program reads version {VERSION}")
        if {key: header.get(key) for key in ("state", "initial")} != _identity(game):
            raise FormatError(f"{path} is a book of {str(header.get('game'))[:80]}, not of {game.spec}")
        book = cls(game)
        for number, line in enumerate(lines[1:], 2):
            if line.strip():
                book._keep(*_read_entry(_object(line), f"{path}, line {number}"))
        return book


def _canonical(state: Any) -> tuple[Key, int]:
    """The numbers of the image that stands for a position and all symmetric ones, and the symmetry that leads there."""
    state = coerced(as_in_book(coerced(state)))
    images = [(tuple(state_numbers(transformed(state, index))), index) for index in range(symmetries(state))]
    return min(images)


def _turned(state: Any, action: int, index: int) -> int:
    """An action of a position in the image that stands in the book."""
    state = coerced(state)
    return int(transformed_action(coerced(as_in_book(state)), action_in_book(state, action), index))


def _identity(game: Game) -> dict[str, Any]:
    """What tells the games apart whose states mean the same."""
    return {"state": type(game.initial).__name__, "initial": state_numbers(game.initial)}


def _object(line: str) -> dict[str, Any] | None:
    """The JSON object in a line, or None if there is none."""
    try:
        value = parse_json(line, "a line")
    except FormatError:
        return None
    return value if isinstance(value, dict) else None


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and -MOST <= value < MOST


def _is_number(value: Any) -> bool:
    return _is_whole(value) or (isinstance(value, float) and math.isfinite(value))


FIELDS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "position": ("a list of numbers", lambda value: isinstance(value, list) and all(map(_is_number, value))),
    "actions": (
        "a list of at least one whole number",
        lambda value: isinstance(value, list) and len(value) > 0 and all(map(_is_whole, value)),
    ),
    "value": ("a number", _is_number),
    "depth": ("a whole number from 0", lambda value: _is_whole(value) and value >= 0),
    "nodes": ("a whole number from 0", lambda value: _is_whole(value) and value >= 0),
    "player": ("a text", lambda value: isinstance(value, str)),
    "line": ("a text", lambda value: isinstance(value, str)),
}
"""What a line of the file must have, and of what kind."""


def _read_entry(value: dict[str, Any] | None, where: str) -> tuple[Key, BookEntry]:
    if value is None:
        raise FormatError(f"{where}: expected a JSON object with a position")
    for name, (kind, fits) in FIELDS.items():
        if not fits(value.get(name)):
            raise FormatError(f'{where}: "{name}" must be {kind}, not {shown_json(value.get(name))}')
    entry = BookEntry(
        tuple(value["actions"]), value["value"], value["depth"], value["nodes"], value["player"], value["line"]
    )
    return tuple(value["position"]), entry
