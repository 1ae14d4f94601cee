"""Hex: somebody always connects; small boards solved; the same game as OpenSpiel's."""

from __future__ import annotations

import random
from collections import deque

import pytest

from plyground import (
    action_text,
    actions,
    evaluation,
    make_game,
    parse_action,
    result,
    search,
    terminal,
    text,
    to_move,
    utility,
)
from plyground.core.limits import Budget
from plyground.core.rules import grid
from plyground.errors import BadOption, IllegalAction
from plyground.search.perft import perft


def play(game, moves):
    state = game.initial
    for move in moves.split():
        assert not terminal(state)
        state = result(state, parse_action(state, move))
    return state


def crosses(cells, symbol):
    """Whether a symbol connects top and bottom (R) or left and right (B), by a search of the picture alone."""
    size = len(cells)
    depth = (lambda r, c: r) if symbol == "R" else (lambda r, c: c)
    queue = deque((r, c) for r in range(size) for c in range(size) if depth(r, c) == 0 and cells[r][c] == symbol)
    seen = set(queue)
    while queue:
        r, c = queue.popleft()
        if depth(r, c) == size - 1:
            return True
        for there in ((r - 1, c), (r - 1, c + 1), (r, c - 1), (r, c + 1), (r + 1, c - 1), (r + 1, c)):
            inside = 0 <= there[0] < size and 0 <= there[1] < size
            if inside and there not in seen and cells[there[0]][there[1]] == symbol:
                seen.add(there)
                queue.append(there)
    return False


@pytest.mark.parametrize("size", [2, 3, 5, 8, 9, 12])
def test_the_game_ends_when_somebody_connects_and_somebody_always_does(size):
    rng = random.Random(size)
    for _ in range(max(2, 40 // size)):
        state = make_game(f"hex:size={size}").initial
        while not terminal(state):
            cells = grid(state).cells
            assert not crosses(cells, "R")
            assert not crosses(cells, "B")
            state = result(state, rng.choice(actions(state)))
        cells = grid(state).cells
        assert (utility(state, 0), utility(state, 1)) == ((1, -1) if crosses(cells, "R") else (-1, 1))
        assert crosses(cells, "R") != crosses(cells, "B")
        # The Hex theorem: however the rest is filled, one side has a chain and the other has none.
        filled = [[symbol if symbol != "." else rng.choice("RB") for symbol in row] for row in cells]
        assert crosses(filled, "R") != crosses(filled, "B")


@pytest.mark.parametrize("size", [3, 6, 11])
def test_lockstep_with_openspiel(size):
    pyspiel = pytest.importorskip("pyspiel", reason="needs the extra openspiel: pip install '.[openspiel]'")
    theirs = pyspiel.load_game(f"hex(board_size={size})")
    for seed in range(4):
        rng = random.Random(seed)
        there, here = theirs.new_initial_state(), make_game(f"hex:size={size}").initial
        while not there.is_terminal():
            assert actions(here) == there.legal_actions()
            assert to_move(here) == there.current_player()
            action = rng.choice(there.legal_actions())
            there.apply_action(action)
            here = result(here, action)
        assert terminal(here)
        assert [utility(here, 0), utility(here, 1)] == there.returns()


def test_perft():
    """Falling factorials until somebody can have connected; then as OpenSpiel's rules count."""
    counts = [perft(make_game("hex:size=3").initial, depth, 0, Budget()) for depth in range(1, 10)]
    assert counts == [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960]


@pytest.mark.parametrize(
    ("size", "winning"),
    [
        (2, "b1 a2"),
        (3, "c1 a2 b2 c2 a3"),
        pytest.param(4, "d1 c2 b3 a4", marks=pytest.mark.slow),
    ],
)
def test_winning_openings(size, winning):
    """The first player wins (Nash) by these moves (van Rijswijck's tables); acute corners lose (Beck 1969)."""
    start = make_game(f"hex:size={size}").initial
    found = [
        action_text(start, action)
        for action in actions(start)
        if search(result(start, action), "alphabeta", depth=size * size).value < 0
    ]
    assert found == winning.split()


def test_the_swap_takes_the_first_move_over():
    game = make_game("hex:size=4,swap=on")
    first = play(game, "c1")
    assert actions(first)[-1] == 16
    assert action_text(first, 16) == "swap"
    state = result(first, parse_action(first, "SWAP"))
    assert to_move(state) == 0
    assert text(state) == "  a b c d\n1 . . . .\n 2 . . . .\n  3 B . . .\n   4 . . . ."
    for later in (result(state, 5), play(make_game("hex:size=4"), "c1")):
        with pytest.raises(IllegalAction, match="only as the second player's first move"):
            parse_action(later, "swap")
    assert terminal(play(game, "c1 swap a1 b3 a2 c3 a4 d3"))
    assert utility(play(game, "c1 swap a1 b3 a2 c3 a4 d3"), 1) == 1.0


def test_with_the_swap_the_second_player_wins():
    assert search(make_game("hex:size=3,swap=on").initial, "alphabeta", depth=10).value == -1.0


def test_the_evaluation_does_not_care_for_colours():
    """After the swap the other side sees the mirror image of what the second player saw."""
    start = make_game("hex:size=5,swap=on").initial
    for first in actions(start)[::3]:
        state = result(start, first)
        assert evaluation(state) == evaluation(result(state, 25))


def test_the_evaluation_counts_what_is_still_needed():
    game = make_game("hex:size=5")
    assert evaluation(play(game, "c3 a1")) > 0.2  # the middle for red, a corner for blue
    assert evaluation(play(game, "c3 a1 c2")) < evaluation(play(game, "c3 a1 e5")) < 0
    assert -1 < evaluation(play(game, "c3 a1 c2 a2 c1 a3 c4 a4")) < 1


@pytest.mark.parametrize("spec", ["hex:size=1", "hex:size=20"])
def test_impossible_boards(spec):
    with pytest.raises(BadOption, match="size must be 2 to 19"):
        make_game(spec)
