"""The moves of recorded games as arrays: what a policy learns from people.

A folder of WTHOR files becomes one row for each move: the position before it, the move, and how the game ended. Years
divide the rows into those to learn from, those to choose by, and those to report on. People repeat openings, so many
early positions of the last years were played before as well; `position_keys` say which, and a report gives the accuracy
on the others too.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file
from plyground.engines.reversi.positions import Rows
from plyground.engines.reversi.squares import canonical
from plyground.engines.reversi.table import key_of
from plyground.errors import BadOption, FormatError
from plyground.formats.replay import END
from plyground.formats.sample import SAMPLE, games_folder
from plyground.formats.wthor import GameBase, parse_wthor
from plyground.games.reversi.moves import flips, moves
from plyground.native.compiling import compiled

__all__ = ["HumanMoves", "Split", "moves_of", "position_keys", "read_human_games", "split_by_year"]

HELD_YEARS = 3
"""This many years are for the test, and as many before them for validation."""


@dataclass(frozen=True, eq=False)
class HumanMoves(Rows):
    """n moves that were made, each with the position before it; forced passes are not moves.

    `own` and `opponent` are the discs of the player to move and of the other one, bit 8*row + column, a1 first.
    `move` is a square, 0 to 63. `score` is the result of the game as the file states it, in discs for the player to
    move, squares left empty counted for the winner. `year` is the file's, `game` numbers the games from 0, `ply` the
    discs that were placed before. The moves of a game follow each other.
    """

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    move: NDArray[np.uint8]
    score: NDArray[np.float32]
    year: NDArray[np.int16]
    game: NDArray[np.int32]
    ply: NDArray[np.uint8]


def read_human_games(where: str | Path | Iterable[str | Path]) -> HumanMoves:
    """The moves of all games in a folder of WTHOR files, ``sample`` for the bundled ones, or in the files named.

    A game with a move that is not legal, or with an impossible result, is left out. A damaged file is an error, which
    names it.
    """
    if isinstance(where, str | Path):
        folder = games_folder(where)
        if not folder.is_dir():
            better = f"name one that holds WTHOR files (.wtb), or {SAMPLE} for the bundled games"
            raise BadOption(f"there is no folder '{folder}'; {better}")
        files = sorted(path for path in folder.iterdir() if path.suffix.lower() == ".wtb")
        if not files:
            raise BadOption(f"there are no WTHOR files (.wtb) in '{folder}'")
    else:
        files = [Path(path) for path in where]
    parts, games = [], 0
    for file in files:
        base = parse_wthor(read_file(file, "WTHOR file"), str(file))
        parts.append(moves_of(base, games))
        games += len(base)
    return HumanMoves.joined(parts)


def moves_of(base: GameBase, first: int = 0) -> HumanMoves:
    """The moves of the games of one file, its games numbered from `first`."""
    if not 0 < base.year < 10_000:
        raise FormatError(f"{base.source or 'the file'} does not say in which year its games were played")
    rows = 60 * len(base)
    kinds: Any = (np.uint64, np.uint64, np.uint8, np.float32, np.int16, np.int32, np.uint8)
    found = HumanMoves(*(np.empty(rows, kind) for kind in kinds))
    found.year[:] = base.year
    black = np.ascontiguousarray(base.games["discs"])
    arrays = found.own, found.opponent, found.move, found.score, found.game, found.ply
    count = _write_moves(np.ascontiguousarray(base.moves), black, first, *arrays)
    return found[:count]


@compiled
def _write_moves(
    games: Any, black: Any, first: int, owns: Any, opponents: Any, squares: Any, scores: Any, numbers: Any, plies: Any
) -> int:
    """Play all games by the rules; a game that turns out to be wrong is written over by the next one."""
    row = 0
    for game in range(len(games)):
        own, opponent = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)
        score = np.float32(2.0 * black[game] - 64.0)  # for the player to move, black at first
        begin, right, ended = row, black[game] <= 64, False
        for ply in range(games.shape[1]):
            square = int(games[game, ply])
            if square == END:
                ended = True
                continue
            if not moves(own, opponent):
                own, opponent, score = opponent, own, -score
            if ended or square > 63 or not moves(own, opponent) >> np.uint64(square) & np.uint64(1):
                right = False
                break
            owns[row], opponents[row], squares[row], scores[row] = own, opponent, square, score
            numbers[row], plies[row] = first + game, ply
            row += 1
            flipped = flips(own, opponent, square)
            own, opponent = opponent & ~flipped, own | flipped | np.uint64(1) << np.uint64(square)
            score = -score
        if not right:
            row = begin
    return row


# Years --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Split:
    """To learn from, to choose by, and to report on: earlier years, some later ones, the last."""

    train: HumanMoves
    validation: HumanMoves
    test: HumanMoves


def split_by_year(known: HumanMoves, years: int = HELD_YEARS) -> Split:
    """Whole years: the last `years` for the test, as many before them for validation, the rest to learn from.

    First moves are left out. Files turn every game so that it begins with f5: nobody's choice, and nothing to predict.
    """
    known = known[known.ply > 0]
    last = int(known.year.max()) if len(known) else 0
    train = known.year <= last - 2 * years
    test = known.year > last - years
    if not train.any() or not (~train & ~test).any():
        raise BadOption(
            f"the games must be of more than {2 * years} years: the last {years} are held out for the test, "
            f"and the {years} before them for validation"
        )
    return Split(known[train], known[~train & ~test], known[test])


def position_keys(own: NDArray[np.uint64], opponent: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """A number for each position, the same for all that are symmetric to it."""
    keys = np.empty(len(own), np.uint64)
    _write_keys(np.ascontiguousarray(own), np.ascontiguousarray(opponent), keys)
    return keys


@compiled
def _write_keys(own: Any, opponent: Any, keys: Any) -> None:
    for row in range(len(keys)):
        keys[row] = key_of(*canonical(own[row], opponent[row])[:2])
