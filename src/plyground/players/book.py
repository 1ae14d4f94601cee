"""Playing from a book, and making one: any player's results, position by position."""

from __future__ import annotations

import random
import time as clock
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Annotated, Any, ClassVar

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions, result, to_move, utility
from plyground.errors import BadOption, UnsuitableGame
from plyground.formats.polyglot import PolyglotBook
from plyground.games.chess import Chess
from plyground.native.dispatch import coerced
from plyground.native.randomness import fresh_seed
from plyground.players import make_player, players_for
from plyground.players.player import Choice, Move, Player, Position
from plyground.search.opening_book import Book, BookEntry

__all__ = ["BookPlayer", "book", "book_move", "build_book"]

NESTED_COMMA = ";"
POLYGLOT = ".bin"
_NO_VALUE = "{} does not say what a position is worth; a book needs a player that searches"
SAVE_EVERY = 10.0
"""Seconds after which a growing book is written to its file again."""

Progress = Callable[[int, int, int], None]
"""Called with the depth, in moves, that is being made, and how many positions of it are done, of how many."""


def book_move(book: Book, position: Position) -> Move | None:
    """What the book plays in a position, with the value and the depth that a search found; None if it knows nothing."""
    start = clock.perf_counter()
    entry = book.find(position.state)
    if entry is None:
        return None
    return Move(entry.actions[0], entry.value, entry.actions[:1], entry.depth, 0, clock.perf_counter() - start)


class BookPlayer(Player):
    """Plays from a book as long as it knows the position, and then lets another player go on.

    A file that ends in ``.bin`` is a Polyglot book of chess, from which moves are drawn by their weights.
    """

    accepts: ClassVar[Accepts] = Accepts(simultaneous=True, hidden=True, chance=True, general_sum=True)

    def __init__(self, file: str, player: Player, seed: int) -> None:
        self._file = file
        self._player = player
        self._dice = random.Random(seed)
        self._book: Book | PolyglotBook | None = None
        self._game = ""

    def prepare(self, game: Game) -> None:
        if self._book is None or self._game != game.spec:
            self._player.accepts.check(self._player.spec.partition(":")[0], game, players_for(game))
            polyglot = Path(self._file).suffix.lower() == POLYGLOT
            if polyglot and not isinstance(game.initial, Chess):
                raise UnsuitableGame(f"{self._file} is a Polyglot book of chess, and the game is {game.spec}")
            self._book = PolyglotBook.load(self._file) if polyglot else Book.load(self._file, game)
            self._game = game.spec
        self._player.prepare(game)

    def choose(self, position: Position, limit: Limit) -> Choice:
        if self._book is None or self._game != position.game.spec:
            self.prepare(position.game)
        if isinstance(self._book, PolyglotBook):
            action = self._book.choose(position.state, self._dice)
            known = None if action is None else Move(action, line=(action,))
        else:
            assert self._book is not None
            known = book_move(self._book, position)
        return known or self._player.choose(position, limit)

    def pondering(self, position: Position) -> AbstractContextManager[None]:
        return self._player.pondering(position)

    def refused(self, reason: str) -> None:
        self._player.refused(reason)


def book(
    file: Annotated[str, "a book made by plyground book; or a Polyglot book of chess, .bin"],
    player: Annotated[str, "who goes on where the book ends; ; for the commas in its spec, as in mcts:c=0.7;rave=300"],
    seed: Annotated[int | None, "seed of that player, and of moves from a Polyglot book"] = None,
    *,
    game: Game | None = None,
) -> Player:
    """Plays from an opening book first, then as another player."""
    spec = player.replace(NESTED_COMMA, ",")
    chosen = fresh_seed() if seed is None else seed
    return BookPlayer(file, make_player(spec, game, chosen), chosen)


# Making a book ------------------------------------------------------------------------------------------------------


def build_book(
    game: Game,
    player: str,
    plies: int,
    breadth: int = 1,
    *,
    file: str | Path | None = None,
    seed: int = 0,
    on_progress: Progress | None = None,
) -> Book:
    """A book of the first `plies` moves of a game, as a player's searches see them.

    Every position is searched that can be reached by the `breadth` best moves, symmetric ones counted once, of the
    positions before it. If the breadth is more than one, each legal move is judged by a search of the position after
    it, and the entry is the best of these; so the answers to all moves are in the book as well.

    With a `file`, the book goes on from what is in it, and is written to it every ten seconds, at the end, and when
    this is interrupted: call it again to go on. The seed of a search depends on the position and on `seed` alone, so a
    book made in two parts is the same as one made at once, if the limit of the player is not time.
    """
    if player.partition(":")[0] == "human":
        raise BadOption(_NO_VALUE.format(player))
    if obstacle := Accepts(players=(2,)).obstacle(game.axes):
        raise UnsuitableGame(f"there can be no book of {game.name}: {obstacle}")
    if not actions(game.initial):
        raise UnsuitableGame(f"there can be no book of {game.name}: the game is over before it begins")
    for name, number in (("plies", plies), ("breadth", breadth)):
        if number < 1:
            raise BadOption(f"{name} must be at least 1, not {number}")
    exists = file is not None and Path(file).exists()
    work = _Work(Book.load(file, game) if exists and file is not None else Book(game), player, seed, file)
    try:
        for ply, done, level in work.levels(plies, breadth):
            if on_progress:
                on_progress(ply, done, level)
    finally:
        work.save()
    return work.book


class _Work:
    """A book in the making."""

    def __init__(self, book: Book, player: str, seed: int, file: str | Path | None) -> None:
        self.book = book
        self._player = player
        self._seed = seed
        self._file = file
        self._saved = clock.monotonic()
        self._unsaved = False

    def save(self) -> None:
        if self._file is not None and self._unsaved:
            self.book.save(self._file)
        self._saved, self._unsaved = clock.monotonic(), False

    def _add(self, position: Position, entry: BookEntry) -> BookEntry:
        self._unsaved |= self.book.add(position.state, entry)
        if clock.monotonic() - self._saved > SAVE_EVERY:
            self.save()
        return entry

    def levels(self, plies: int, breadth: int) -> Iterator[tuple[int, int, int]]:
        """Do the work, and tell after each position where it stands."""
        root = Position(self.book.game, coerced(self.book.game.initial))
        level = [root]
        for ply in range(1, plies + 1):
            found: dict[Any, Position] = {}
            yield ply, 0, len(level)
            for done, position in enumerate(level, 1):
                entry = self._ranked(position, breadth)
                for action in entry.actions[:breadth]:
                    after = _after(position, action)
                    if actions(after.state):
                        found.setdefault(self.book.key(after.state), after)
                yield ply, done, len(level)
            level = list(found.values())

    def _ranked(self, position: Position, breadth: int) -> BookEntry:
        """The entry of a position with its best moves, as many as are wanted."""
        own = self._searched(position)
        after_each = {action: _after(position, action) for action in actions(position.state)}
        # Of moves that lead to symmetric positions one is enough, the player's own if it is among them.
        kinds = {self.book.key(after.state): action for action, after in reversed(after_each.items())}
        kinds[self.book.key(after_each[own.actions[0]].state)] = own.actions[0]
        wanted = min(breadth, len(kinds))
        if len(own.actions) >= wanted:
            return own
        mover = to_move(position.state)
        values, depths, nodes = {}, [], own.nodes
        for action in kinds.values():
            after = after_each[action]
            if not actions(after.state):
                values[action] = float(utility(after.state, mover))
                nodes += 1
                continue
            entry = self._searched(after)
            values[action] = entry.value if to_move(after.state) == mover else 0.0 - entry.value
            depths.append(entry.depth)
            nodes += entry.nodes
        order = sorted(values, key=lambda action: (-values[action], action != own.actions[0], action))
        depth = 1 + min(depths, default=0)
        best = BookEntry(tuple(order[:wanted]), values[order[0]], depth, nodes, self._player, own.line)
        return self._add(position, best)

    def _searched(self, position: Position) -> BookEntry:
        """The entry of a position, from the book if this player has searched it before."""
        known = self.book.find(position.state)
        if known is not None and known.player == self._player:
            return known
        game = self.book.game
        seed = self._seed + zlib.crc32(repr(self.book.key(position.state)).encode())
        player = make_player(self._player, game, seed)
        player.prepare(game)
        move = player.choose(position, Limit())
        if not isinstance(move, Move) or move.value is None:
            raise BadOption(_NO_VALUE.format(self._player))
        game.legal(position.state, move.action)
        line = _line(position)
        entry = BookEntry((move.action,), float(move.value), move.depth or 0, move.nodes or 0, self._player, line)
        return self._add(position, entry)


def _after(position: Position, action: int) -> Position:
    return Position(position.game, coerced(result(position.state, action)), (*position.history, action))


def _line(position: Position) -> str:
    """The moves of a position as people write them."""
    state, words = position.game.initial, []
    for action in position.history:
        words.append(action_text(state, action))
        state = coerced(result(state, action))
    return " ".join(words)
