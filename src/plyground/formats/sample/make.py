"""Choose the bundled sample from a folder of WTHOR files, and write it.

    python -m plyground.formats.sample.make wthor

From each year, 2010 to 2025, come 100 games, at even distances in the order of its file, among those that were played
to the end, are legal, have the result that they state, have two named players and differ in their moves from the games
before them in the file. Nobody chose a game for what happens in it. Only the names that these games need are kept.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from plyground.errors import BadOption, PlygroundError
from plyground.formats.record import Record
from plyground.formats.wthor import GameBase, collect_games, read_wthor, write_names, write_wthor

__all__ = ["GAMES_A_YEAR", "YEARS", "chosen", "make_sample"]

YEARS = range(2010, 2026)
GAMES_A_YEAR = 100


def chosen(base: GameBase, count: int = GAMES_A_YEAR) -> list[Record]:
    """`count` games of a year by the rule above, in the order of the file."""
    doubtful = base.replayed.faults >= 0
    fit: list[Record] = []
    known: set[tuple[int, ...]] = set()
    for index in np.flatnonzero(base.replayed.finished & ~doubtful).tolist():
        record = base[index]
        if record.doubt or not (record.black and record.white) or record.moves in known:
            continue
        known.add(record.moves)
        fit.append(record)
    if len(fit) < count:
        raise BadOption(f"{base.source}: {len(fit)} of its games are fit for the sample, and {count} are needed")
    return [fit[number * len(fit) // count] for number in range(count)]


def make_sample(source: str | Path, out: str | Path) -> int:
    """Write the sample of the WTHOR files in `source` to the folder `out`; how many games it has."""
    players: tuple[str, ...] = ("???",)
    tournaments: tuple[str, ...] = ("???",)
    bases = []
    for year in YEARS:
        base = read_wthor(Path(source) / f"WTH_{year}.wtb")
        found = collect_games(chosen(base), year, base.written, players=players, tournaments=tournaments)
        players, tournaments = found.players, found.tournaments
        bases.append(replace(found, depth=0))  # what best play would have led to is not kept
    for base in bases:
        write_wthor(Path(out) / f"WTH_{base.year}.wtb", base)
    write_names(Path(out) / "WTH.JOU", players, bases[-1].written)
    write_names(Path(out) / "WTH.TRN", tournaments, bases[-1].written)
    return sum(map(len, bases))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m plyground.formats.sample.make FOLDER, a folder of WTHOR files")
    try:
        print(f"{make_sample(sys.argv[1], Path(__file__).parent):,} games")
    except PlygroundError as error:
        sys.exit(f"error: {error}")
