"""Proven wins: every defence is tried by a checker that knows fives alone, and small boards by the plain solver."""

from __future__ import annotations

import random

import pytest

from plyground import Budget, action_text, actions, make_game, parse_action, result, terminal, to_move, utility
from plyground.core.limits import Limit
from plyground.engines.gomoku.engine import Engine
from plyground.games.mnk import makes_line
from plyground.players import answering
from plyground.search.minimax import minimax_value

POSITIONS = 100_000


@pytest.fixture(scope="module")
def engine():
    return Engine(table=1 << 20)


@pytest.fixture(scope="module")
def engine_of_four():
    return Engine(table=1 << 20, in_line=4)


def after(game, moves: str):
    state = game.initial
    for move in moves.split():
        state = result(state, parse_action(state, move))
    return state


def fives(state, cells) -> list[int]:
    """Where a side would complete a line, from the rules of the game alone."""
    return [action for action in actions(state) if makes_line(state, cells, action)]


def check_win(state, prove) -> int:
    """That the side to move wins against every defence, by the moves that `prove` names; how many of them were made."""
    move = prove(state)
    assert move in actions(state)
    there = result(state, move)
    if terminal(there):
        assert utility(there, to_move(state)) == 1
        return 1
    assert not fives(there, there.mine), "the defender has a five"
    completing = fives(there, there.theirs)
    if len(completing) > 1:
        return 1
    defences = completing or actions(there)  # against a four any other defence loses at once
    return 1 + sum(check_win(result(there, defence), prove) for defence in defences)


def proven(engine, *, fours: bool = False):
    def prove(state):
        line = engine.proof(state, POSITIONS, fours=fours)
        assert line, "a win was proven, and is not any more"
        return line[0]

    return prove


FOURS = [
    "h8 j10 j8 k9 h10 i11 h12 h11 g11 i9 f10 e9 i12 k8 j9 e7 k10 l11 e10 g10 f9 f8 d10 l9 l8 j6 f12 k11 j11 l12 m13 "
    "l13 l10 g12 e13 d14 b10 c10",
    "h8 i7 i6 k8 f8 k7 h6 h5 h10 h9 k5 e8 f9 f6 e9 g7 d9 c9 d8 k9 k6",
    "h8 j10 g9 h11 f8 i10 g8 e8 i8 j8 g10 g11 h9 f11 i11 h10 i9 e11 d11 k10 l10 f9",
]
"""Games of the engine's weak levels, each up to a position that is won by four, seven or eight moves, all of them fours
but the last."""


@pytest.mark.parametrize("moves", FOURS)
def test_wins_by_fours(engine, moves):
    state = after(make_game("gomoku"), moves)
    line = engine.proof(state, POSITIONS, fours=True)
    assert line, "no win is seen"
    now = state
    for move in line:
        assert move in actions(now)
        now = result(now, move)
    assert terminal(now)
    assert utility(now, to_move(state)) == 1
    check_win(state, proven(engine, fours=True))


def random_positions(game, seed: int, count: int):
    """Positions in which nobody has a five at once: games of whoever looks one move ahead, with chance in between."""
    drawn = random.Random(seed)
    play = answering("engine:depth=1", game, seed)
    while count:
        state, history = game.initial, ()
        for _ in range(drawn.randrange(6, 18)):
            if terminal(state):
                break
            near = [a for a in actions(state) if abs(a % 9 - 4) < 4 and abs(a // 9 - 4) < 4]
            action = drawn.choice(near) if drawn.random() < 0.4 else play(state, history)
            state, history = result(state, action), (*history, action)
        if not terminal(state) and not fives(state, state.mine) and not fives(state, state.theirs):
            count -= 1
            yield state


@pytest.mark.slow
def test_every_defence_against_a_proven_win_is_answered(engine):
    """The positions are drawn, the engine claims what it claims, and the checker believes nothing but fives."""
    won = made = 0
    for state in random_positions(make_game("gomoku:size=9"), 7, 60):
        for fours in (True, False):
            if engine.proof(state, 5000, fours=fours):
                won += 1
                made += check_win(state, proven(engine, fours=fours))
    assert won >= 6
    assert made > 3 * won


def test_proofs_agree_with_the_plain_solver(engine_of_four):
    """On 5 x 5 with four in a line: what is proven to win, minimax wins, and some of it takes more than two moves."""
    game, drawn = make_game("mnk:m=5,n=5,k=4"), random.Random(11)
    deep = 0
    for _ in range(200):
        state = game.initial
        while state.taken < 17 and not terminal(state):
            state = result(state, drawn.choice(actions(state)))
        if terminal(state) or fives(state, state.mine):
            continue
        line = engine_of_four.proof(state, POSITIONS)
        if line:
            deep += len(line) > 3
            assert minimax_value(state, 8, int(to_move(state)), Budget()) == 1.0
    assert deep >= 3


@pytest.mark.parametrize("board", ["mnk:m=6,n=5,k=4", "mnk:m=6,n=6,k=4"])
def test_four_in_a_line_is_won_on_six_by_five(engine_of_four, board):
    """The first player wins the 6,5,4 game (and larger boards): after c3 every answer is refuted by threats."""
    game = make_game(board)
    state = after(game, "c3")
    for answer in actions(state):
        assert engine_of_four.proof(result(state, answer), POSITIONS), action_text(state, answer)


def test_four_in_a_line_is_not_won_on_five_by_five(engine_of_four):
    """The 5,5,4 game is a draw: against each first move there is an answer after which no win can be proven."""
    game = make_game("mnk:m=5,n=5,k=4")
    for first in actions(game.initial):
        state = result(game.initial, first)
        assert not all(engine_of_four.proof(result(state, answer), POSITIONS) for answer in actions(state))


def test_a_search_within_a_limit_plays_the_win_to_its_five(engine):
    game = make_game("gomoku")
    state = after(game, FOURS[1])
    winner = to_move(state)
    while not terminal(state):
        if to_move(state) == winner:
            report = engine.search(state, Limit(nodes=20_000))
            assert report.exact
            assert report.value == 1.0
            move = report.move
        else:
            move = (fives(state, state.theirs) or actions(state))[0]
        state = result(state, move)
    assert utility(state, winner) == 1
