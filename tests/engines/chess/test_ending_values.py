"""The values of the bundled tables: published figures, and each position against the positions after it."""

from __future__ import annotations

import random

import ending_oracle as oracle
import numpy as np
import pytest

from plyground.engines.chess.ending_tables import BUNDLED, bundled_tables, tables_for

LONGEST = {"KQK": 10, "KRK": 16, "KPK": 28, "KBBK": 19, "KBNK": 33}
KRK_BY_DEPTH = (27, 78, 246, 81, 198, 471, 592, 683, 1433, 1712, 1985, 2854, 3597, 4194, 4553, 2166, 390)
"""Black to move, mated in 0, 1, 2, ... moves; besides 2,796 draws: M. Bain and A. van Hoff's set "Chess (King-Rook vs.
King)" of 28,056 positions in the UCI repository (1994)."""
SAMPLE = 4000


def codes(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The codes of the positions with White to move, and with Black."""
    found = bundled_tables().tables[name].codes
    white, black = np.split(found, 2)
    return white[white != 255], black[black != 255]


@pytest.mark.parametrize("name", BUNDLED)
def test_the_longest_mates_are_as_published(name):
    white, black = codes(name)
    assert white.max() - 1 == 2 * LONGEST[name] - 1  # plies of a win with White to move
    assert black.max() - 1 == 2 * LONGEST[name]


def test_king_and_pawn_against_king_has_the_published_counts():
    white, black = codes("KPK")
    assert (len(white), np.count_nonzero(white)) == (81_664, 62_480)
    assert (len(black), np.count_nonzero(black)) == (84_012, 48_802)
    assert len(white) + len(black) == 165_676
    assert np.count_nonzero(white) + np.count_nonzero(black) == 111_282


def test_king_and_rook_against_king_has_the_published_distances():
    _, black = codes("KRK")
    counts = np.bincount(black)
    assert len(black) == 28_056
    assert counts[0] == 2_796
    assert tuple(counts[1::2]) == KRK_BY_DEPTH
    assert not counts[2::2].any()


def check(name: str, chosen: np.ndarray | None = None) -> int:
    """Compare places of a table, all or those chosen, with what follows from their moves; how many are positions."""
    tables = {other: table.codes for other, table in tables_for(name).tables.items()}
    table, men = tables[name], oracle.parsed(name)
    kings = np.argwhere(oracle.KINGS < oracle.INVALID)
    others = len(men.kinds) - 2
    checked = 0
    every = np.arange(len(table)) if chosen is None else chosen
    for part in np.array_split(every, max(1, len(every) // 60_000)):
        rest, columns = part.copy(), []
        kinds = men.kinds[2:]
        order = sorted(
            range(others), key=lambda i: (kinds[i][0] != "P", kinds[i][1], oracle.LETTERS.index(kinds[i][0]))
        )
        pawned = kinds[order[0]][0] == "P"
        for man in reversed(order[1:] if pawned else order):
            columns.append((man, rest % 64))
            rest //= 64
        if pawned:
            black, white, rest = rest % 64, rest // 64 % 64, rest // 4096
            columns.append((order[0], 8 + rest % 24 // 4 * 8 + rest % 4))
            turns = rest // 24
        else:
            white, black = kings[rest % 462].T
            turns = rest // 462
        squares = np.stack([white, black, *(column for _, column in sorted(columns, key=lambda one: one[0]))])
        for turn in (0, 1):
            mine = turns == turn
            here, told = squares[:, mine], table[part[mine]].astype(np.int64)
            real = oracle.legal(men, turn, here)
            real &= oracle.places(men, turn, here) == part[mine]  # of two images of one position one has the place
            assert ((told != 255) == real).all()
            assert (oracle.expected(tables, name, turn, here[:, real]) == told[real]).all()
            checked += int(real.sum())
    return checked


@pytest.mark.parametrize("name", ["KQK", "KRK", "KPK"])
def test_every_position_of_three_men_follows_from_its_moves(name):
    assert check(name) == len(bundled_tables().tables[name])


@pytest.mark.parametrize("name", ["KBBK", "KBNK"])
def test_positions_of_four_men_follow_from_their_moves(name):
    rng = random.Random(name)
    chosen = np.array(sorted(rng.sample(range(len(bundled_tables().tables[name].codes)), SAMPLE)))
    assert check(name, chosen) > SAMPLE / 4


@pytest.mark.slow
@pytest.mark.parametrize("name", ["KBBK", "KBNK", "KQKR", "KRKP"])
def test_every_position_of_four_men_follows_from_its_moves(name):
    assert check(name) == len(tables_for(name).tables[name])
