"""Games with scores, and the positions in them: what the evaluation learns from.

A file of games is an ``.npz`` with four arrays, `moves`, `scores`, `estimates` and `openings`, as `Games` has them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import Expected, read_arrays, write_arrays
from plyground.engines.reversi.squares import canonical
from plyground.errors import FormatError
from plyground.formats.replay import END, replay_games
from plyground.games.reversi.moves import flips, moves
from plyground.native.compiling import compiled

__all__ = [
    "NO_GAMES",
    "RELATED",
    "UNKNOWN",
    "Games",
    "Positions",
    "Rows",
    "Sample",
    "held_out",
    "join_games",
    "load_games",
    "merge",
    "replay_positions",
    "save_games",
    "split",
]

UNKNOWN = 127
"""Stands for a score that nobody has computed."""
HELD_OUT = 50
"""One game in this many, the first of each file among them, is not learned from but serves to measure."""
RELATED = 3
"""This many games of a file that follow each other may be variations of one, and are held out together."""


class Rows:
    """Arrays of n rows each, the fields of a dataclass: they are picked, and joined, together."""

    def __len__(self) -> int:
        return len(next(iter(vars(self).values())))

    def __getitem__(self, which: Any) -> Self:
        return type(self)(*(array[which] for array in vars(self).values()))

    @classmethod
    def joined(cls, parts: Sequence[Self]) -> Self:
        """All rows, one part after the other."""
        return cls(*(np.concatenate([vars(part)[name] for part in parts]) for name in cls.__annotations__))


@dataclass(frozen=True, eq=False)
class Games(Rows):
    """n games from the usual first position, with exact scores of their last positions.

    `moves` (n, 60): the squares played, without passes, `END` after the last. `scores` (n, 61): for each number of
    empty squares what the position in which the player had to move is worth with best play, in discs for that player,
    or `UNKNOWN`. `estimates` (n, 61): the same by a search that leaves out what is unlikely to matter, for a position
    or two before. `openings` (n,): how many moves at the beginning were random; the positions before are of no use.
    """

    moves: NDArray[np.uint8]
    scores: NDArray[np.int8]
    estimates: NDArray[np.int8]
    openings: NDArray[np.uint8]


NO_GAMES = Games(
    np.zeros((0, 60), np.uint8), np.zeros((0, 61), np.int8), np.zeros((0, 61), np.int8), np.zeros(0, np.uint8)
)


def join_games(parts: Sequence[Games]) -> Games:
    """All games, one part after the other."""
    return Games.joined([NO_GAMES, *parts])


def load_games(path: Path) -> Games:
    """The games of a file, checked: every move is legal, every score possible."""
    known: Expected = {
        "moves": ("u1", ("n", 60)),
        "scores": ("i1", ("n", 61)),
        "estimates": ("i1", ("n", 61)),
        "openings": ("u1", ("n",)),
    }
    hint = "`plyground train evaluation games` writes one"
    games = Games(**read_arrays(path, "file of games", known, hint=hint))
    faults = replay_games(games.moves).faults
    if (faults >= 0).any():
        number = int(np.argmax(faults >= 0))
        raise FormatError(f"{path}: game {number + 1}: move {int(faults[number]) + 1} is not legal")
    for scores in (games.scores, games.estimates):
        wrong = np.argwhere((scores != UNKNOWN) & (np.abs(scores.astype(np.int16)) > 64))
        if len(wrong):
            number, empties = wrong[0].tolist()
            score = scores[number, empties]
            raise FormatError(f"{path}: game {number + 1}: there is no score of {score}; they go from -64 to 64")
    return games


def save_games(path: Path, games: Games) -> None:
    """Write a file of games, whole or not at all."""
    write_arrays(path, **vars(games))


# Positions ----------------------------------------------------------------------------------------------------------


class Positions(NamedTuple):
    """The positions with one number of empty squares, one of each of n games. Of symmetric ones always the same.

    The `score` is for the side to move, exact if so marked; else it is that of the nearest position of the game that
    has one, exact or estimated, of two the later; `UNKNOWN` if there is none, or no position.
    """

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    score: NDArray[np.int8]
    exact: NDArray[np.bool_]


def replay_positions(games: Games) -> list[Positions]:
    """The positions of all games, for each number of empty squares from 0 to 60."""
    shape = 61, len(games)
    own, opponent, score = np.zeros(shape, np.uint64), np.zeros(shape, np.uint64), np.full(shape, UNKNOWN, np.int8)
    known = np.where(games.scores == UNKNOWN, games.estimates, games.scores)
    _replay_all(games.moves, known, games.openings, own, opponent, score)
    exact = games.scores.T != UNKNOWN
    return [Positions(own[empties], opponent[empties], score[empties], exact[empties]) for empties in range(61)]


@compiled
def _replay_all(written: Any, scores: Any, openings: Any, own_out: Any, opponent_out: Any, score_out: Any) -> None:
    turns = np.zeros(61, np.int64)
    for game in range(len(written)):
        own, opponent = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)
        turn, ply = 1, 0
        while ply < 60 and written[game, ply] != END:
            if not moves(own, opponent):
                own, opponent, turn = opponent, own, -turn
            empties = 60 - ply
            turns[empties] = turn
            own_out[empties, game], opponent_out[empties, game], _ = canonical(own, opponent)
            square = written[game, ply]
            flipped = flips(own, opponent, square)
            own, opponent, turn = opponent & ~flipped, own | flipped | np.uint64(1) << np.uint64(square), -turn
            ply += 1
        last, first = 61 - ply, 61 - openings[game]
        for empties in range(last, first):
            nearest = UNKNOWN
            for other in range(last, 61):
                if scores[game, other] != UNKNOWN and abs(other - empties) < abs(nearest - empties):
                    nearest = other
            if nearest != UNKNOWN:
                score_out[empties, game] = scores[game, nearest] * turns[nearest] * turns[empties]


@dataclass(frozen=True, eq=False)
class Sample(Rows):
    """n different positions: the mean of their scores for the side to move, if exact, and how often each occurred."""

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    score: NDArray[np.float32]
    exact: NDArray[np.bool_]
    count: NDArray[np.int64]


def split(parts: Sequence[Games]) -> list[tuple[Sample, Sample]]:
    """For each number of empty squares from 0 to 60: what is learned from, and what is held out.

    Whole games are held out, with their variations, one in `HELD_OUT` of each part; and of their positions those alone
    that occur, up to symmetry, in no game that is learned from.
    """
    replayed = [replay_positions(part) for part in parts]
    held = np.concatenate([np.zeros(0, np.bool_), *map(held_out, parts)])
    samples = []
    for empties in range(61):
        columns = (
            [np.concatenate([part[empties][field] for part in replayed]) for field in range(4)]
            if parts
            else [np.zeros(0, kind) for kind in (np.uint64, np.uint64, np.int8, np.bool_)]
        )
        there = columns[2] != UNKNOWN
        samples.append(merge(Positions(*(column[there] for column in columns)), held[there]))
    return samples


def held_out(games: Games) -> NDArray[np.bool_]:
    """Which of the games are not learned from."""
    held: NDArray[np.bool_] = np.arange(len(games)) // RELATED % HELD_OUT == 0
    return held


def merge(positions: Positions, held: NDArray[np.bool_]) -> tuple[Sample, Sample]:
    """Make equal positions one: those that occur in games that are not held out, and those that do not.

    Where a position is known exactly, only its exact scores count.
    """
    order = np.lexsort((positions.opponent, positions.own))
    own, opponent, score = positions.own[order], positions.opponent[order], positions.score[order]
    exact, learned = positions.exact[order], ~held[order]
    if not len(own):
        nothing = Sample(own, opponent, score.astype(np.float32), exact, np.zeros(0, np.int64))
        return nothing, nothing
    starts = np.r_[True, (own[1:] != own[:-1]) | (opponent[1:] != opponent[:-1])]
    first, group = np.flatnonzero(starts), np.cumsum(starts) - 1
    trained = np.logical_or.reduceat(learned, first)
    counts = learned | ~trained[group]
    solved = np.logical_or.reduceat(exact & counts, first)
    counts &= exact | ~solved[group]
    count = np.add.reduceat(counts.astype(np.int64), first)
    mean = np.add.reduceat(score.astype(np.float64) * counts, first) / count
    sample = Sample(own[first], opponent[first], mean.astype(np.float32), solved, count)
    return sample[trained], sample[~trained]
