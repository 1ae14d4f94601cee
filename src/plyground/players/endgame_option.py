"""What a player needs of an endgame table: to open it for the game at hand, and to play by it without searching."""

from __future__ import annotations

from typing import Annotated

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.rules import to_move
from plyground.errors import UnsuitableGame
from plyground.players.player import Position
from plyground.search.endgame_table import NO_TABLE, EndgameTable, NoTable
from plyground.search.result import RootResult, all_equal

__all__ = ["Endgame", "EndgameOption"]

Endgame = Annotated[str, "file of an endgame table, whose positions need no search"]
"""The option, as every player has it."""


class EndgameOption:
    """A player's option ``endgame=FILE``: the table, opened when a game is known; no table if the file is ""."""

    def __init__(self, file: str) -> None:
        self._file = file
        self._spec = ""
        self.table: EndgameTable | NoTable = NO_TABLE

    def open_for(self, game: Game) -> EndgameTable | NoTable:
        """The table of utilities for this game; `FormatError` if the file has none, `UnsuitableGame` if none can."""
        if self._file and self._spec != game.spec:
            if obstacle := Accepts(players=(2,)).obstacle(game.axes):
                raise UnsuitableGame(f"there can be no endgame table of {game.name}: {obstacle}; leave out endgame")
            self.table = EndgameTable.load(self._file, game, "utility")
            self._spec = game.spec
        return self.table

    def found(self, position: Position) -> RootResult | None:
        """The best moves, equally good, of a position that is in the table, with their exact value; None otherwise.

        The `depth` is the distance to the end of the game, if the position is not a draw.
        """
        if isinstance(self.table, NoTable):
            return None
        best = self.table.best_actions(position.state)
        if not best:
            return None
        value = self.table.value(position.state)
        assert value is not None
        own = value if to_move(position.state) == 0 else 0.0 - value
        return all_equal(best, own, depth=self.table.distance(position.state), complete=True)
