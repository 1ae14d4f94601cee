"""The engine's opening book: symmetry, minimax over the graph, what is searched next, games, files, the command."""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import struct
import subprocess
import sys
import time
import zlib
from collections import Counter
from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Limit, actions, make_game, result, terminal
from plyground.core.rules import transformed, transformed_action
from plyground.engines.reversi import book_making as bookmaking
from plyground.engines.reversi.book import (
    COLUMNS,
    PACKAGED,
    SIGNATURE,
    Entry,
    OpeningBook,
    book_move,
    canonical_key,
    load_book,
    replies,
)
from plyground.engines.reversi.book_making import DEPTH_COST, DOUBT, LAST_PLY, Bookmaker, count_games, game_files
from plyground.engines.reversi.engine import Engine, Report, legal_moves
from plyground.errors import BadOption, FormatError, PlygroundError, TruncatedFile
from plyground.formats import Record, collect_games, read_transcript, write_ggf, write_transcript, write_wthor
from plyground.formats.replay import START
from plyground.games.reversi import PASS, Reversi
from plyground.native.dispatch import coerced
from plyground.native.randomness import stream

ROOT = canonical_key(START)[0]


def played(seed, plies=100):
    """A random game, as a record."""
    rng, state, history = random.Random(seed), START, []
    while actions(state) and len(history) < plies:
        history.append(rng.choice(actions(state)))
        state = result(state, history[-1])
    return Record(START, tuple(history))


def random_entry(rng, key, games=0):
    """Values and numbers by chance, the same for moves that lead to the same position."""
    after = replies(key)
    values = {reply: rng.randint(-40, 40) for reply in after}
    counts = {reply: rng.choice([0, 0, 1, 5, 40]) for reply in after}
    searched = [values[reply] for reply in after]
    return Entry(10, 0, games or sum(counts.values()), searched, list(searched), [counts[reply] for reply in after])


def random_book(seed, games=12, plies=10):
    """The first positions of random games, and some deeper ones."""
    rng, book = random.Random(seed), OpeningBook(7)
    for number in range(games):
        for state in played(f"{seed} {number}", plies).states():
            key = canonical_key(state)[0]
            if actions(state) and rng.random() < 0.9:
                book.put(key, random_entry(rng, key))
    return book


@cache
def some_book(seed):
    """A book to look things up in, not to change."""
    return random_book(seed)


@cache
def forced_pass():
    """A position of a real game in which the side to move has to pass."""
    states = (state for seed in range(50) for state in played(seed).states())
    return next(state for state in states if actions(state) == [PASS])


class Oracle:
    """Stands in for the engine: knows at once, by no search at all, what every position is worth at every depth."""

    def __init__(self, stop_after=math.inf):
        self.asked = []
        self.stop_after = stop_after

    @staticmethod
    def value(key, depth):
        """In discs, for the side to move."""
        return zlib.crc32(repr((key, depth)).encode()) % 31 - 15

    def score_moves(self, state, limit, *, on_reports=None):
        if len(self.asked) >= self.stop_after:
            raise KeyboardInterrupt
        self.asked.append(canonical_key(state)[0])
        for depth in range(1, limit.depth + 1):
            reports = []
            for action in actions(state):
                value = -self.value(canonical_key(result(state, action))[0], depth)
                reports.append(Report(action, value, depth, "73%", False, (action,), 0, 0.0))
            reports = tuple(sorted(reports, key=lambda report: -report.value))
            on_reports(reports)
        return reports


def images(state):
    return [coerced(transformed(state, index)) for index in range(8)]


# Looking up ----------------------------------------------------------------------------------------------------------


def test_a_position_is_found_however_the_board_lies():
    rng = random.Random(1)
    for seed in range(40):
        state = played(seed, rng.randint(0, 50)).final
        if terminal(state):
            continue
        book, key = OpeningBook(), canonical_key(state)[0]
        book.put(key, random_entry(rng, key, games=9))
        worth = dict(zip(replies(key), book.entry(key).values, strict=True))
        for image in images(state):
            assert canonical_key(image)[0] == key
            known = book.find(image)
            assert {move.action for move in known.moves} == set(actions(image))
            for move in known.moves:
                assert move.value == worth[canonical_key(result(image, move.action))[0]] / 2
            assert [move.value for move in known.moves] == sorted((m.value for m in known.moves), reverse=True)
            assert (known.value, known.games, known.depth) == (known.moves[0].value, 9, 10)
        assert len(book) == 1


def test_moves_turn_with_the_board():
    state = played(3, 9).final
    book, key = OpeningBook(), canonical_key(state)[0]
    book.put(key, random_entry(random.Random(2), key))
    upright = {move.action: move.value for move in book.find(state).moves}
    for index, image in enumerate(images(state)):
        turned = {move.action: move.value for move in book.find(image).moves}
        assert turned == {transformed_action(state, action, index): value for action, value in upright.items()}


def test_the_colour_does_not_matter():
    state = played(3, 9).final
    book, key = OpeningBook(), canonical_key(state)[0]
    book.put(key, random_entry(random.Random(2), key))
    assert book.find(state._replace(turn=1 - state.turn)) == book.find(state)


def test_what_the_book_does_not_know():
    book, rng = random_book(1), stream(1)
    over = next(record.final for record in map(played, range(20)) if record.finished)
    for state in (played(99, 30).final, over, make_game("reversi:size=6").initial):
        assert book.find(state) is None
        assert book_move(state, rng, 1.0, book) is None


def test_an_entry_has_a_value_for_every_move():
    with pytest.raises(ValueError, match="4 moves, and the entry 3"):
        OpeningBook().put(ROOT, Entry(4, 0, 0, [0] * 3, [0] * 3, [0] * 3))


def test_a_forced_pass_is_an_entry_like_any_other():
    state = forced_pass()
    following = result(state, PASS)
    here, there = canonical_key(state)[0], canonical_key(following)[0]
    assert legal_moves(*here) == [PASS]
    assert replies(here) == (there,)
    book = OpeningBook()
    book.put(there, random_entry(random.Random(4), there))
    book.put(here, Entry(8, 0, 0, [100], [100], [0]))
    book.back_up()
    assert [key for key, _ in book.positions()] == [here, there]
    assert book.find(state).value == -book.find(following).value
    assert book_move(state, stream(1), 0.0, book).move == PASS


# Minimax over the graph ----------------------------------------------------------------------------------------------


def plain_minimax(book, state):
    """What best play through the book is worth, by the rules alone."""
    key = canonical_key(state)[0]
    entry = book.entry(key)
    found = dict(zip(replies(key), entry.searched, strict=True))
    return max(
        -plain_minimax(book, after) if there in book else found[there]
        for after in (result(state, action) for action in actions(state))
        for there in [canonical_key(after)[0]]
    )


@pytest.mark.parametrize("seed", range(8))
def test_values_are_backed_up_as_minimax_says(seed):
    book = random_book(seed, games=30, plies=7)
    book.back_up()
    compared = 0
    for key, entry in book.positions():
        state = Reversi(np.uint64(key[0]), np.uint64(key[1]), START.board, 0)
        assert max(entry.values) == plain_minimax(book, state)
        compared += entry.values != entry.searched
    assert compared > 10


def test_the_line_is_best_play():
    book = random_book(5, games=60, plies=6)
    book.back_up()
    state, value = START, book.find(START).value
    for action in book.line(START):
        known = book.find(state)
        assert action == known.moves[0].action
        assert known.value == value
        state, value = result(state, action), -value
    assert book.find(state) is None


# Choosing ------------------------------------------------------------------------------------------------------------


@given(st.integers(0, 30), st.integers(0, 2**32), st.sampled_from([0.0, 0.5, 1.0, 4.0, 1e9]))
def test_a_move_from_the_book_loses_no_more_than_the_tolerance(seed, lot, tolerance):
    book, state = some_book(seed % 3), played(seed, seed % 6).final
    known = book.find(state)
    report = book_move(state, stream(lot), tolerance, book)
    assert report == book_move(state, stream(lot), tolerance, book)
    if known is None:
        assert report is None
        return
    worth = {move.action: move.value for move in known.moves}
    assert known.value - worth[report.move] <= tolerance
    assert report.value == round(worth[report.move])
    assert report.line[0] == report.move
    for action in report.line:
        assert action in actions(state)
        state = result(state, action)


@pytest.mark.slow
def test_better_moves_are_drawn_more_often():
    state = read_transcript("f5d6c3d3c4").final
    key = canonical_key(state)[0]
    book = OpeningBook()
    book.put(key, Entry(10, 0, 0, [8, 7, 4, 3, -20, 8], [8, 7, 4, 3, -20, 8], [0] * 6))
    worth = {move.action: move.value for move in book.find(state).moves}

    def share(tolerance):
        rng = stream(3)
        drawn = Counter(worth[book_move(state, rng, tolerance, book).move] for _ in range(1500))
        return {value: drawn[value] / 1500 for value in drawn}

    assert share(0) == {4.0: 1.0}
    assert share(2) == pytest.approx({4.0: 10 / 15, 3.5: 4 / 15, 2.0: 1 / 15}, abs=0.04)
    rng = stream(3)
    assert len({book_move(state, rng, 0, book).move for _ in range(50)}) == 2, "both of the best moves"


@pytest.mark.parametrize("tolerance", [-0.1, math.nan, -math.inf])
def test_a_tolerance_is_a_number_of_discs(tolerance):
    with pytest.raises(BadOption, match="a tolerance is a number of discs from 0"):
        book_move(START, stream(1), tolerance, random_book(1))


# Counting games ------------------------------------------------------------------------------------------------------


def slow_counts(records, plies):
    positions, steps = Counter(), Counter()
    for record in records:
        keys = [canonical_key(state)[0] for state in record.states()]
        positions.update(keys[:plies])
        steps.update(islice(pairwise(keys), plies))
    return positions, steps


def test_games_are_counted_as_the_rules_would(tmp_path):
    records = [played(f"{seed} of ten", 100 if seed % 3 else 25) for seed in range(60)]
    records = [record for record in records if record.finished]
    assert any(PASS in record.moves[:-1] for record in records)
    write_wthor(tmp_path / "a.wtb", collect_games(records[:20], 2020, (2020, 1, 1)))
    (tmp_path / "b.ggf").write_text("\n".join(write_ggf(record) for record in records[20:30]))
    (tmp_path / "c.txt").write_text("\n".join(write_transcript(record) for record in records[30:]))
    frequencies = count_games(game_files(tmp_path), plies=70)
    assert frequencies.games == len(records)
    positions, steps = slow_counts(records, 70)
    for key, count in positions.items():
        assert frequencies.of(key) == (count, [steps[key, reply] for reply in replies(key)])
    assert frequencies.of(ROOT) == (len(records), [len(records)] * 4), "the first moves are one and the same"


def test_games_are_counted_up_to_a_ply_and_up_to_an_illegal_move(tmp_path):
    base = collect_games([played(1), played(2)], 2020, (2020, 1, 1))
    games = base.games.copy()
    games["moves"][1, 3] = 11  # a1, which nobody can have reached
    write_wthor(tmp_path / "x.wtb", type(base)(games, 2020, (2020, 1, 1)))
    frequencies = count_games([tmp_path / "x.wtb"], plies=5)
    for record, legal in ((played(1), 5), (played(2), 4)):
        keys = [canonical_key(state)[0] for state in record.states()]
        counted = [frequencies.of(key)[0] > 0 for key in keys[2:8]]
        assert counted == [number < legal for number in range(2, 8)]


def test_a_folder_without_games(tmp_path):
    with pytest.raises(BadOption, match="there are no files with games"):
        game_files(tmp_path)


def test_no_games_at_all():
    assert count_games([]).of(ROOT) == (0, [0] * 4)


# Growing -------------------------------------------------------------------------------------------------------------


def test_a_value_is_the_mean_of_two_depths():
    maker = Bookmaker(OpeningBook(), Oracle(), depth=6)
    maker.expand(positions=1)
    there = replies(ROOT)[0]
    assert maker.book.find(START).value == -(Oracle.value(there, 5) + Oracle.value(there, 6)) / 2
    assert maker.book.find(START).depth == 6


def test_the_engine_searches_every_move():
    """The real engine; a new one to compare with, since what a table remembers may change a value."""
    maker = Bookmaker(OpeningBook(), Engine(table=1 << 20), depth=5)
    maker.expand(positions=2)
    state = read_transcript("f5").final
    two = [Engine(table=1 << 20).score_moves(state, Limit(depth=depth)) for depth in (4, 5)]
    values = [{report.move: report.value for report in reports} for reports in two]
    known = maker.book.find(state)
    assert {move.action for move in known.moves} == {29, 43, 45}
    for move in known.moves:
        assert abs(move.value - (values[0][move.action] + values[1][move.action]) / 2) <= 2
    assert (known.depth, known.confidence, known.exact) == (5, two[1][0].confidence, False)


def test_the_end_of_a_game_is_exact():
    state = played("the end", 52).final
    maker = Bookmaker(OpeningBook(), Engine(table=1 << 20), depth=14)
    maker._search(canonical_key(state)[0], 0)
    known = maker.book.find(state)
    assert known.exact
    assert known.value == Engine(table=1 << 20).search(state).value


def cheapest_ways(book, depth):
    """The cost of every position, by walking all ways through the book."""
    costs = {}

    def walk(key, cost):
        costs[key] = min(cost, costs.get(key, math.inf))
        entry = book.entry(key)
        if entry is None:
            return
        for reply, value, count in zip(replies(key), entry.values, entry.played, strict=True):
            rarity = math.log2((entry.games + DOUBT) / count) if count else math.inf
            walk(reply, cost + DEPTH_COST + min((max(entry.values) - value) / 2, rarity))

    walk(ROOT, 0.0)
    missing = {key: cost for key, cost in costs.items() if key not in book or book.entry(key).depth < depth}
    return {key: cost for key, cost in missing.items() if replies(key)}


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("depth", [10, 11])
def test_the_cheapest_position_comes_next(seed, depth):
    book = random_book(seed, games=20, plies=6)
    book.back_up()
    candidates = list(Bookmaker(book, Oracle(), depth=depth).candidates())
    costs = [candidate.cost for candidate in candidates]
    assert costs == sorted(costs)
    expected = cheapest_ways(book, depth)
    assert {candidate.key: candidate.cost for candidate in candidates} == pytest.approx(expected)
    assert len(expected) > 20


def test_moves_are_followed_that_are_good_or_often_played():
    """After f5 d6: one move that is best, one that loses 9 discs and is the most common, one that only loses."""
    state = read_transcript("f5d6").final
    book = OpeningBook()
    for line in ("", "f5"):
        key = canonical_key(read_transcript(line).final)[0]
        book.put(key, Entry(10, 0, 0, [0] * len(replies(key)), [0] * len(replies(key)), [0] * len(replies(key))))
    key = canonical_key(state)[0]
    after = {
        canonical_key(result(state, move))[0]: "abcdefgh"[move % 8] + str(move // 8 + 1) for move in actions(state)
    }
    names = [after[reply] for reply in replies(key)]
    best, common, bad = sorted(set(names))[:3]
    worth = dict.fromkeys(names, -100) | {best: 0, common: -18, bad: -18}
    values = [worth[name] for name in names]
    book.put(key, Entry(10, 0, 1000, values, list(values), [800 * (name == common) for name in names]))
    costs = {candidate.key: candidate.cost for candidate in Bookmaker(book, Oracle(), depth=10).candidates()}
    by_name = {after[reply]: costs[reply] for reply in after}
    assert by_name[best] == 3.0
    assert by_name[common] == pytest.approx(3 + math.log2(1004 / 800))
    assert by_name[bad] == 12.0


def test_an_interrupted_build_loses_nothing_and_goes_on(tmp_path):
    whole, parts = tmp_path / "whole.book", tmp_path / "parts.book"
    Bookmaker(OpeningBook(), Oracle(), depth=4, file=whole).expand(positions=25)
    interrupted = Oracle(stop_after=11)
    with pytest.raises(KeyboardInterrupt):
        Bookmaker(OpeningBook(), interrupted, depth=4, file=parts).expand(positions=25)
    kept = OpeningBook.load(parts)
    assert {key for key, _ in kept.positions()} == set(interrupted.asked)
    going_on = Oracle()
    Bookmaker(kept, going_on, depth=4, file=parts).expand(positions=14)
    assert not set(going_on.asked) & set(interrupted.asked)
    assert parts.read_bytes() == whole.read_bytes()


def test_a_growing_book_is_saved_now_and_then(tmp_path, monkeypatch):
    monkeypatch.setattr(bookmaking, "SAVE_EVERY", 0.0)
    file, sizes = tmp_path / "x.book", []
    maker = Bookmaker(OpeningBook(), Oracle(), depth=4, file=file)
    maker.expand(positions=5, on_progress=lambda done: sizes.append(len(OpeningBook.load(file)) if done > 1 else 0))
    assert sizes == [0, 1, 2, 3, 4]


def test_time_ends_a_build():
    maker = Bookmaker(OpeningBook(), Oracle(), depth=2)
    assert maker.expand(time=0.2) == maker.searched > 0


def test_shallow_entries_are_searched_again():
    book = OpeningBook()
    Bookmaker(book, Oracle(), depth=4).expand(positions=10)
    before = {key for key, _ in book.positions()}
    oracle = Oracle()
    Bookmaker(book, oracle, depth=6).expand(positions=10)
    assert oracle.asked[0] == ROOT
    assert len(set(oracle.asked) & before) >= 5
    assert book.entry(ROOT).depth == 6
    oracle = Oracle()
    Bookmaker(book, oracle, depth=4).expand(positions=5)
    assert not set(oracle.asked) & before


def test_another_evaluation_makes_every_search_count_for_nothing():
    book = OpeningBook(5)
    Bookmaker(book, Oracle(), depth=4).expand(positions=10)
    book.set_weights(5)
    assert {entry.depth for _, entry in book.positions()} == {4}
    book.set_weights(6)
    assert {entry.depth for _, entry in book.positions()} == {0}
    assert book.weights == 6
    assert book.find(START), "the old values serve until there are better ones"


def test_the_book_has_an_end():
    book = OpeningBook()
    maker = Bookmaker(book, Oracle(), depth=2)
    maker.learn(played(8), plies=60)
    assert max((own | opponent).bit_count() - 4 for (own, opponent), _ in book.positions()) == LAST_PLY
    assert all((key[0] | key[1]).bit_count() - 4 <= LAST_PLY for key in (c.key for c in maker.candidates()))


def test_frequencies_go_into_the_book(tmp_path):
    records = [played(seed) for seed in range(40)]
    write_wthor(tmp_path / "x.wtb", collect_games([r for r in records if r.finished], 2020, (2020, 1, 1)))
    frequencies = count_games([tmp_path / "x.wtb"])
    book = OpeningBook()
    Bookmaker(book, Oracle(), depth=2).expand(positions=3)
    assert book.find(START).games == 0
    for _ in range(2):  # the same games counted again do not count twice
        Bookmaker(book, Oracle(), depth=2, frequencies=frequencies).expand(positions=10)
        assert len(book) > 3
        for key, entry in book.positions():
            assert (entry.games, entry.played) == frequencies.of(key)


@pytest.mark.parametrize("depth", [1, 61, -3])
def test_a_depth_that_makes_no_sense(depth):
    with pytest.raises(BadOption, match="depth must be from 2 to 60"):
        Bookmaker(OpeningBook(), Oracle(), depth=depth)


# Learning ------------------------------------------------------------------------------------------------------------


def test_a_game_is_learned():
    record = read_transcript("f5d6c3d3c4f4f6b4c2g5")
    oracle, book = Oracle(), OpeningBook()
    maker = Bookmaker(book, oracle, depth=4)
    maker.expand(positions=2)  # the first position and the one after f5
    assert maker.learn(record) == bookmaking.LEARNED_PLIES
    known = [canonical_key(state)[0] in book for state in record.states()]
    assert known == [number < 6 for number in range(11)]
    maker.save()
    for state, action in zip(record.states()[:6], record.moves, strict=False):
        here, there = book.find(state), book.find(result(state, action))
        assert here.games == 1
        assert next(move.games for move in here.moves if move.action == action) == 1
        if there:  # the game has changed what the book thinks of its moves
            assert next(move.value for move in here.moves if move.action == action) == -there.value
    assert maker.learn(record) == 4, "the same game again goes on where it left the book"
    assert book.find(START).games == 2
    assert maker.learn(record, plies=0) == 0
    assert len(oracle.asked) == len(set(oracle.asked)) == len(book)


def test_a_refuted_move_is_not_played_again():
    """The book's best move meets a reply that wins by far: after learning the game, the book plays something else."""
    book = random_book(3, games=1, plies=1)
    state = START
    for action in (37, 43):
        state = result(state, action)
    for line in ("", "f5", "f5d6"):
        key = canonical_key(read_transcript(line).final)[0]
        book.put(key, Entry(8, 0, 0, [0] * len(replies(key)), [0] * len(replies(key)), [0] * len(replies(key))))
    best = book.find(state).moves[0].action
    after = result(state, best)

    class Refuter(Oracle):
        value = staticmethod(lambda _key, _depth: -30)  # to whoever is to move after any reply

    record = Record(START, (37, 43, best, actions(after)[0]))
    maker = Bookmaker(book, Refuter(), depth=4)
    maker.learn(record)
    maker.save()
    worth = {move.action: move.value for move in book.find(state).moves}
    assert worth[best] == -30
    assert best != book.find(state).moves[0].action
    assert book_move(state, stream(1), 1.0, book).move != best


def test_games_from_elsewhere_can_be_learned():
    """A game from a position of its own adds entries that are not to be reached from the first position."""
    middle = played(4, 12).final
    record = Record(middle, (actions(middle)[0],))
    book = OpeningBook()
    maker = Bookmaker(book, Oracle(), depth=4)
    assert maker.learn(record) == 1
    assert book.find(middle).games == 1
    assert [candidate.key for candidate in maker.candidates()] == [ROOT]


# The file ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(4))
def test_a_book_comes_back_from_its_file(tmp_path, seed):
    file, again = tmp_path / "x.book", tmp_path / "y.book"
    book = random_book(seed)
    key = canonical_key(forced_pass())[0]
    book.put(key, Entry(12, 5, 3, [-128], [128], [2**32 - 1]))
    size = book.save(file)
    loaded = OpeningBook.load(file)
    assert size == file.stat().st_size
    assert len(loaded) == len(book)
    assert loaded.weights == 7
    assert loaded.entry(key) == book.entry(key)
    loaded.put(ROOT, book.entry(ROOT) or random_entry(random.Random(1), ROOT))
    book.put(ROOT, loaded.entry(ROOT))
    assert loaded.positions() == book.positions()
    assert loaded.save(again) == book.save(file)
    assert again.read_bytes() == file.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x.book", "y.book"]


def test_an_empty_book(tmp_path):
    OpeningBook().save(tmp_path / "x.book")
    book = OpeningBook.load(tmp_path / "x.book")
    assert len(book) == 0
    assert book.find(START) is None
    assert repr(book) == "<opening book, 0 positions>"


def written(rows, count=None, announced=None, weights=0):
    """The bytes of a file of positions (own, opponent, values), whether or not they make sense."""
    columns = {
        "own": [row[0] for row in rows],
        "opponent": [row[1] for row in rows],
        "depth": [1] * len(rows),
        "confidence": [row[3] if len(row) > 3 else 0 for row in rows],
        "games": [0] * len(rows),
        "searched": [value for row in rows for value in row[2]],
        "values": [value for row in rows for value in row[2]],
        "played": [0 for row in rows for _ in row[2]],
    }
    body = b""
    for name, kind, _ in COLUMNS:
        column = np.array(columns[name], kind)
        body += column.view(np.uint8).reshape(-1, column.itemsize).T.tobytes()
    sizes = (weights, len(rows) if announced is None else announced, len(columns["values"]) if count is None else count)
    return SIGNATURE + struct.pack("<III", *sizes) + zlib.compress(body)


GOOD = (*ROOT, [0, 0, 0, 0])
HOSTILE = {
    "empty": (b"", "is not an opening book"),
    "text": (b"f5d6c3", "is not an opening book"),
    "another version": (SIGNATURE.replace(b"1", b"2") + bytes(12), "is not an opening book of this version"),
    "ends in the sizes": (SIGNATURE + bytes(11), "ends before the number of its positions"),
    "no columns": (SIGNATURE + bytes(12), "ends before|has more"),
    "not compressed": (SIGNATURE + bytes(12) + b"hello", "is damaged"),
    "ends early": (written([GOOD])[:-9], "ends before|has more|is damaged"),
    "goes on": (written([GOOD]) + b"x", "has more than the 1 positions"),
    "announces more": (written([GOOD], announced=2**32 - 1, count=2**32 - 1), "more than it can hold"),
    "announces less": (written([GOOD], announced=0, count=0), "has more than the 0 positions"),
    "another image": (written([(int(START.opponent), int(START.own), [0] * 4)]), "position 1 cannot be"),
    "two discs on a square": (written([GOOD, (1, 1, [0])]), "position 2 cannot be"),
    "a game that is over": (written([(1, 0, [0])]), "position 1 cannot be"),
    "a move too many": (written([(*ROOT, [0] * 5)]), "the positions have 4 moves, and the file has 5"),
    "twice": (written([GOOD, GOOD]), "a position stands there twice"),
    "too good": (written([(*ROOT, [0, 0, 129, 0])]), "a value is beyond 64 discs"),
    "too bad": (written([(*ROOT, [-32768, 0, 0, 0])]), "a value is beyond 64 discs"),
    "too sure": (written([(*ROOT, [0] * 4, 6)]), "a confidence is beyond 5"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_refused_in_one_line(tmp_path, name):
    content, message = HOSTILE[name]
    file = tmp_path / "x.book"
    file.write_bytes(content)
    with pytest.raises(FormatError, match=message) as caught:
        OpeningBook.load(file)
    assert "\n" not in str(caught.value)


def test_the_good_one_is_not_refused(tmp_path):
    (tmp_path / "x.book").write_bytes(written([GOOD]))
    assert len(OpeningBook.load(tmp_path / "x.book")) == 1
    with pytest.raises(FormatError, match="cannot read the opening book"):
        OpeningBook.load(tmp_path / "y.book")


def test_a_small_file_cannot_ask_for_much_memory(tmp_path):
    """A gigabyte of zeros takes a megabyte when it is compressed; only what was announced is unpacked."""
    bomb = SIGNATURE + struct.pack("<III", 0, 1, 4) + zlib.compress(bytes(1 << 26))
    (tmp_path / "x.book").write_bytes(bomb)
    with pytest.raises(FormatError, match="has more than the 1 positions"):
        OpeningBook.load(tmp_path / "x.book")


@cache
def small_file():
    """The announced sizes and the unpacked columns of a small book."""
    rows = [(*key, entry.values) for key, entry in random_book(1, games=3).positions()]
    content, at = written(rows), len(SIGNATURE) + 12
    return content[:at], zlib.decompress(content[at:])


@given(st.data())
def test_a_damaged_file_is_refused_or_harmless(tmp_path_factory, data):
    """Whatever bytes are changed: an error of ours, or a book that plays legal moves."""
    head, body = map(bytearray, small_file())
    for part in data.draw(st.lists(st.sampled_from([head, body, body]), min_size=1, max_size=3)):
        part[data.draw(st.integers(0, len(part) - 1))] = data.draw(st.integers(0, 255))
    file = tmp_path_factory.mktemp("damaged") / "x.book"
    file.write_bytes(head + zlib.compress(body))
    try:
        book = OpeningBook.load(file)
    except PlygroundError as error:
        assert "\n" not in str(error)  # noqa: PT017 - both outcomes are right
        return
    for key, _ in book.positions():
        state = Reversi(np.uint64(key[0]), np.uint64(key[1]), START.board, 0)
        assert book_move(state, stream(1), 2.0, book).move in actions(state)


def test_truncated_files_say_so(tmp_path):
    file = tmp_path / "x.book"
    random_book(1, games=3).save(file)
    content = file.read_bytes()
    for length in range(len(SIGNATURE), len(content)):
        file.write_bytes(content[:length])
        with pytest.raises(FormatError):
            OpeningBook.load(file)
    file.write_bytes(content[: len(content) // 2])
    with pytest.raises(TruncatedFile, match="and ends before them"):
        OpeningBook.load(file)


# The book of the package ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packaged():
    return OpeningBook.load(PACKAGED)


def test_the_packaged_book_is_small_and_deep(packaged):
    assert PACKAGED.stat().st_size < 1 << 20
    assert len(packaged) > 1000
    assert len(list(packaged.line(START))) >= 10
    assert packaged.find(START).games > 100_000


def test_the_packaged_book_is_backed_up(packaged):
    before = [(key, list(entry.values)) for key, entry in packaged.positions()]
    packaged.back_up()
    assert before == [(key, entry.values) for key, entry in packaged.positions()]


def test_the_packaged_book_knows_what_everybody_knows(packaged):
    """The first move is a matter of taste, the parallel opening is bad, and the game is near a draw."""
    first = packaged.find(START)
    assert {move.action for move in first.moves} == {19, 26, 37, 44}
    assert len({move.value for move in first.moves}) == 1
    assert abs(first.value) <= 4
    replies_to_f5 = {move.action: move.value for move in packaged.find(read_transcript("f5").final).moves}
    perpendicular, diagonal, parallel = (replies_to_f5[action] for action in (43, 45, 29))
    assert min(perpendicular, diagonal) > parallel + 2


def test_the_packaged_book_is_the_one_that_is_played_from():
    assert load_book() is load_book()
    report = book_move(START, stream(5))
    assert report.move in actions(START)
    assert report == book_move(START, stream(5), 1.0, load_book())


# The command ---------------------------------------------------------------------------------------------------------


def test_the_command_makes_a_book_and_goes_on(command):
    make = ("train", "book", "--out", "x.book", "--empty", "--depth", "4", "--json")
    done = command(*make, "--positions", "6")
    assert done.returncode == 0, done.stderr
    first = json.loads(done.stdout)
    assert (first["positions"], first["added"], first["searched"], first["depth"]) == (6, 6, 6, 4)
    assert first["bytes"] == (command.folder / "x.book").stat().st_size
    (command.folder / "games.txt").write_text("f5d6c3d3c4f4c5b3c2b4\nf5f6e6f4e3c5c4e7\n")
    second = json.loads(command(*make, "--positions", "3", "--games", "games.txt").stdout)
    assert (second["positions"], second["added"]) == (9, 3)
    third = json.loads(command(*make, "--learn", "games.txt").stdout)
    assert third["added"] == third["searched"] > 0
    book = OpeningBook.load(command.folder / "x.book")
    assert len(book) == third["positions"]
    assert book.find(START).value == third["value"]
    assert book.find(START).games == 4, "two that were counted, two that were learned"
    table = command("train", "book", "--out", "x.book", "--depth", "4", "--positions", "1").stdout
    assert re.search(rf"\b{third['positions'] + 1}\b", table)


def test_without_the_flag_a_new_book_begins_with_the_packaged_one(command):
    done = command("train", "book", "--out", "x.book", "--depth", "2", "--positions", "1", "--json")
    assert json.loads(done.stdout)["positions"] >= len(load_book())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--out", "x.book", "--time", "0"), "--time must be a positive number of seconds, not 0"),
        (("--out", "nowhere/x.book"), "--out: there is no folder 'nowhere'"),
        (("--out", "bad.book", "--time", "1"), "bad.book is not an opening book"),
        (("--out", "x.book", "--games", "folder"), "there are no files with games"),
        (("--out", "x.book", "--learn", "none.txt", "--empty"), "there is no file or folder 'none.txt'"),
        (("--out", "x.book", "--learn", "illegal.txt", "--empty"), "a1 flips nothing"),
        ((), "Missing option '--out'"),
    ],
)
def test_errors_of_the_command_are_one_line(command, words, message):
    (command.folder / "folder").mkdir()
    (command.folder / "bad.book").write_text("no book")
    (command.folder / "illegal.txt").write_text("f5a1\n")
    done = command("train", "book", *words)
    assert done.returncode == 2
    assert message in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


def test_the_command_says_how_it_is_used(command):
    assert re.search("book .*opening book", command("train", "--help").stdout)
    assert "Example: plyground train book" in " ".join(command("train", "book", "--help").stdout.split())


def test_ctrl_c_loses_nothing(tmp_path):
    words = ["train", "book", "--out", "x.book", "--empty", "--depth", "6", "--time", "600"]
    running = subprocess.Popen(
        [sys.executable, "-m", "plyground.cli.main", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    while not (tmp_path / "x.book").exists():
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.1)
    before = len(OpeningBook.load(tmp_path / "x.book"))
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 130
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors
    assert len(OpeningBook.load(tmp_path / "x.book")) >= before
    assert [path.name for path in tmp_path.iterdir()] == ["x.book"]
