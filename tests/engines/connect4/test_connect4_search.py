"""The solver of Connect Four: scores of small racks by brute force, positions of the large one, the makers of books."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest

from plyground.engines.connect4.book import ScoreBook
from plyground.engines.connect4.book_making import BookMaker, levels
from plyground.engines.connect4.known_scores import RECORD, KnownScores, code_of
from plyground.engines.connect4.lines import canonical, key_of, mirror_image, taken_in
from plyground.engines.connect4.memory import Memory
from plyground.engines.connect4.search import solve
from plyground.engines.connect4.table import Table
from plyground.errors import BadOption, FormatError
from plyground.games.connect4 import has_four


def memory(columns=7, rows=6, table=1 << 22):
    """To be held as long as its record is used, which has addresses only."""
    return Memory(Table(table), np.zeros(16, np.int64), columns, rows)


def empty_score(columns, rows, table=1 << 25):
    held = memory(columns, rows, table)
    return solve(0, 0, held.record)


def drops(taken, columns, rows):
    for column in range(columns):
        place = column * (rows + 1)
        cell = (taken >> place & (1 << rows) - 1) + 1 << place
        if cell < 1 << place + rows:
            yield cell


def brute_force(columns, rows):
    """The score of any position of a small rack, by the rules alone."""

    @cache
    def score(mine, taken):
        discs, cells = taken.bit_count(), columns * rows
        moves = list(drops(taken, columns, rows))
        if any(has_four(mine | cell, rows) for cell in moves):
            return (cells + 1 - discs) // 2
        return max((-score(mine ^ taken, taken | cell) for cell in moves), default=0)

    return score


def random_position(rng, columns, rows, discs):
    while True:
        mine = taken = 0
        for _ in range(discs):
            cell = rng.choice(list(drops(taken, columns, rows)))
            if has_four(mine | cell, rows):
                break
            mine, taken = mine ^ taken, taken | cell
        else:
            return mine, taken


@pytest.mark.parametrize(
    ("columns", "rows", "empty"),
    [(4, 4, 12), (5, 4, 12), (3, 6, 13), (5, 6, 11), (7, 6, 9), (4, 5, 12), (7, 5, 9), (6, 7, 8)],
)
def test_scores_are_those_of_brute_force(columns, rows, empty):
    """Racks of even and of odd height: what zugzwang proves is for the former alone."""
    rng, score, held = random.Random(1), brute_force(columns, rows), memory(columns, rows)
    for _ in range(60):
        mine, taken = random_position(rng, columns, rows, columns * rows - rng.randint(1, empty))
        assert solve(mine, taken, held.record) == score(mine, taken), (mine, taken)


@pytest.mark.parametrize(("columns", "rows"), [(4, 4), (5, 4), (4, 5), (4, 6), (5, 5), (7, 4)])
def test_small_racks_are_drawn(columns, rows):
    """Tromp, https://tromp.github.io/c4/c4.html, has who wins on each rack."""
    assert empty_score(columns, rows) == 0


def test_the_second_player_wins_on_six_by_four():
    assert empty_score(6, 4) == -1


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "score"), [(6, 5, 0), (5, 6, 0), (7, 5, 0), (6, 6, -1)])
def test_larger_racks(columns, rows, score):
    """The same table: the second player wins on 6 x 6, and so there the score is negative."""
    found = empty_score(columns, rows, 1 << 28)
    assert (found > 0) - (found < 0) == score


def test_mirror_images_have_one_score_and_one_key():
    rng, held = random.Random(2), memory()
    record = held.record
    for _ in range(40):
        mine, taken = random_position(rng, 7, 6, rng.randint(16, 30))
        key = key_of(mine, taken, record)
        image = mirror_image(key, record)
        assert mirror_image(image, record) == key
        assert canonical(image, record) == canonical(key, record) == min(key, image)
        assert taken_in(key, record) == taken
        seen = taken_in(image, record)
        assert solve(image - seen - record["bottom"], seen, record) == solve(mine, taken, record)


def test_a_search_stops_where_it_is_told_to():
    one = memory()
    one.begin(nodes=1000)
    solve(0, 0, one.record)
    assert one.record["halted"] == 1
    assert one.record["nodes"] == 1000


def test_racks_that_are_too_large_are_refused():
    with pytest.raises(BadOption, match="up to 7 x 6, 6 x 7 or 5 x 8, not 8 x 6"):
        memory(8, 6)


# The book -----------------------------------------------------------------------------------------------------------


def test_positions_by_discs_are_those_of_the_literature():
    """UCI's database of Connect-4 (J. Tromp, 1995) has the 67,557 positions of 8 discs whose next move is open."""
    found = levels(8, memory())
    assert [len(level.keys) for level in found[:5]] == [1, 4, 25, 121, 568]
    assert int(found[8].is_open.sum()) == 67_557


def test_a_book_is_made_stopped_and_gone_on_with(tmp_path):
    file = tmp_path / "small.book"
    first = BookMaker(5, file, table=1 << 20, columns=4, rows=4)
    total = first.missing
    assert next(iter(first.solve(1, 0.0))) < total
    maker = BookMaker(5, file, table=1 << 20, columns=4, rows=4)
    assert maker.missing == first.missing
    assert list(maker.solve(2, 60.0))[-1] == 0
    book = maker.book()
    assert maker.empty_score == 0
    book.save(file)
    loaded = ScoreBook.load(file)
    assert (loaded.plies, len(loaded)) == (5, len(book))
    score, held = brute_force(4, 4), memory(4, 4)
    record = held.record
    for key in loaded.keys.tolist():
        taken = taken_in(key, record)
        assert loaded.find(key) == score(key - taken - int(record["bottom"]), taken)
    assert loaded.find(1) is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda data: b"x" + data, "not a book of Connect Four scores"),
        (lambda data: data[:30], "ends before the number"),
        (lambda data: data[:-4], "should have"),
        (lambda data: data[:36] + bytes(8) + data[44:], "damaged|should have"),
    ],
)
def test_damaged_books_are_refused_in_a_line(tmp_path, change, said):
    file = tmp_path / "scores.book"
    ScoreBook(3, np.arange(1, 50, dtype=np.int64), np.zeros(49, np.int8)).save(file)
    file.write_bytes(change(file.read_bytes()))
    with pytest.raises(FormatError, match=said) as refused:
        ScoreBook.load(file)
    assert "\n" not in str(refused.value)


def test_known_scores_are_read_as_their_package_tells_them(tmp_path):
    """Two boards of the package's documentation: won in 29 plies, and lost in 12. The rest of the level is solved."""
    held = memory()
    won = board("....... ...X... .X.O... .O.X.O. .X.O.X. .O.X.O.", held)
    lost = board("....... ....... ..XX... ..OO... .XOX... .XXO.OO", held)
    codes = sorted((code_of(key, held.record), value) for key, value in ((won, 71), (lost, -88)))
    file = tmp_path / "known.dat"
    file.write_bytes(np.array(codes, RECORD).tobytes())
    keys = np.array(
        [won, mirror_image(won, held.record), lost, board("X...... O...... X...... O...... X...... OXOXOXO", held)]
    )
    scores, known = KnownScores.load(file).find(keys, held)
    assert known.tolist() == [True, True, True, False]
    assert scores.tolist()[:3] == [1, 1, -10]
    for data in (b"", b"1234", np.array(codes[::-1], RECORD).tobytes(), np.array([(5, 3)], RECORD).tobytes()):
        file.write_bytes(data)
        with pytest.raises(FormatError, match="positions"):
            KnownScores.load(file)


def board(rows, held):
    """The key of a position that is drawn row by row from the top, X to move."""
    mine = taken = 0
    for height, row in enumerate(reversed(rows.split())):
        for column, disc in enumerate(row):
            cell = 1 << column * 7 + height
            mine |= cell if disc == "X" else 0
            taken |= cell if disc != "." else 0
    return mine + taken + int(held.record["bottom"])
