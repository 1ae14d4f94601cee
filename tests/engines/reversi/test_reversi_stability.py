"""Stable discs: what is called stable is never flipped, in any continuation."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.engines.reversi.squares import symmetric
from plyground.engines.reversi.stability import new_edge_table, stable_discs
from reversi_reference import FULL, START, legal_squares, played, random_game, random_position, squares_of, words

any_word = st.integers(0, 2**64 - 1)


@pytest.fixture(scope="module")
def edges():
    return new_edge_table()


def stable(own, opponent, edges):
    return int(stable_discs(*words(own, opponent), edges))


def turned(word, index):
    return int(symmetric(np.uint64(word), index))


# The edges --------------------------------------------------------------------------------------------------------


def line_after(line, place, disc):
    """A line of eight as text after a disc is put on an empty place, legal or not."""
    other = "O" if disc == "X" else "X"
    cells = list(line)
    cells[place] = disc
    for step in (-1, 1):
        there = place + step
        while 0 <= there < 8 and line[there] == other:
            there += step
        if 0 <= there < 8 and line[there] == disc:
            for between in range(place + step, there, step):
                cells[between] = disc
    return "".join(cells)


@cache
def never_flipped(line):
    """Which places of a line hold the disc that they hold now, whatever is played on it."""
    kept = frozenset(place for place in range(8) if line[place] != ".")
    for place in range(8):
        if line[place] == ".":
            for disc in "XO":
                later = line_after(line, place, disc)
                same = {here for here in kept if later[here] == line[here]}
                kept = kept & same & never_flipped(later)
    return kept


def test_the_edge_table_is_right_for_every_content_of_an_edge(edges):
    assert edges.shape == (65536,)
    for own in range(256):
        for opponent in range(256):
            if own & opponent:
                assert edges[256 * own + opponent] == 0
                continue
            line = "".join("X" if own >> i & 1 else "O" if opponent >> i & 1 else "." for i in range(8))
            expected = sum(1 << place for place in never_flipped(line) if line[place] == "X")
            assert edges[256 * own + opponent] == expected, line


@given(content=st.integers(0, 3**8 - 1), index=st.integers(0, 7))
def test_an_edge_alone_is_looked_up_on_all_four_sides(content, index, edges):
    digits = [content // 3**place % 3 for place in range(8)]
    own = sum(1 << place for place in range(8) if digits[place] == 1)
    opponent = sum(1 << place for place in range(8) if digits[place] == 2)
    alone = int(edges[256 * own + opponent])
    assert stable(turned(own, index), turned(opponent, index), edges) == turned(alone, index)


# The board --------------------------------------------------------------------------------------------------------


@given(own=any_word)
def test_on_a_full_board_everything_is_stable(own, edges):
    assert stable(own, ~own & int(FULL), edges) == own


def test_nothing_is_stable_at_the_start(edges):
    assert stable(*START, edges) == 0


def test_a_corner_is_stable_and_so_is_what_grows_from_it(edges):
    triangle = 0b1111 | 0b111 << 8 | 0b11 << 16 | 1 << 24
    assert stable(triangle, 1 << 63, edges) == triangle
    assert stable(1 << 63, triangle, edges) == 1 << 63


@given(own=any_word, other=any_word, index=st.integers(0, 7))
def test_stability_turns_with_the_board(own, other, index, edges):
    opponent = other & ~own
    there = stable(turned(own, index), turned(opponent, index), edges)
    assert there == turned(stable(own, opponent, edges), index)


@given(own=any_word, other=any_word)
def test_only_our_own_discs_are_stable(own, other, edges):
    assert stable(own, other & ~own, edges) & ~own == 0


@pytest.mark.parametrize("seed", range(40))
def test_stable_discs_stay_in_random_continuations(seed, edges):
    black_kept = white_kept = 0
    for ply, (own, opponent) in enumerate(random_game(random.Random(seed))):
        black, white = (opponent, own) if ply % 2 else (own, opponent)
        assert black_kept & ~black == 0
        assert white_kept & ~white == 0
        black_kept |= stable(black, white, edges)
        white_kept |= stable(white, black, edges)
    assert (black_kept | white_kept).bit_count() > 10


def flippable(own, opponent, seen):
    """Our discs that some sequence of legal moves flips, and the opponent's."""
    if (own, opponent) in seen:
        return seen[own, opponent]
    ours = theirs = 0
    legal = squares_of(legal_squares(*words(own, opponent)))
    for square in legal:
        they, we = played(own, opponent, square)
        theirs |= opponent & ~they
        later_theirs, later_ours = flippable(they, we, seen)
        ours |= later_ours & own
        theirs |= later_theirs & opponent
    if not legal and legal_squares(*words(opponent, own)):
        theirs, ours = flippable(opponent, own, seen)
    seen[own, opponent] = ours, theirs
    return ours, theirs


@pytest.mark.parametrize("empties", [1, 2, 3, 4, 5, 6])
def test_no_sequence_of_moves_flips_a_stable_disc(empties, edges):
    rng = random.Random(empties)
    certain = 0
    for _ in range(15):
        own, opponent = random_position(rng, empties, movable=False)
        ours, theirs = flippable(own, opponent, {})
        assert stable(own, opponent, edges) & ours == 0
        assert stable(opponent, own, edges) & theirs == 0
        certain += stable(own, opponent, edges).bit_count() + stable(opponent, own, edges).bit_count()
    assert certain > 15 * 10
