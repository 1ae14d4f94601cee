"""Searches as one call: the same answer from every algorithm, exact values, and what is refused."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Budget, Game, actions, interpreted, make_game, result, terminal, to_move
from plyground.errors import UnknownName, UnsuitableGame
from plyground.players.search import search, solve
from plyground.search.minimax import minimax_value
from plyground.search.result import SearchResult

DEEP = ("alphabeta", "pvs", "mtdf", "minimax", "expectiminimax", "maxn", "paranoid")
NIM = make_game("nim:piles=2,2,1")


def positions(game: Game) -> st.SearchStrategy:
    """Positions of a game that are not over, by any moves."""

    def played(choices: list[int]):
        state = game.initial
        for choice in choices:
            after = result(state, actions(state)[choice % len(actions(state))])
            if terminal(after):
                break
            state = after
        return state

    return st.lists(st.integers(0, 99), max_size=8).map(played)


def check(found: SearchResult, state) -> None:
    assert found.action in actions(state)
    assert found.line[0] == found.action
    assert found.values[found.action] == found.value
    assert set(found.values) <= set(actions(state))
    assert found.nodes > 0
    assert found.time > 0
    for action in found.line:
        assert action in actions(state)
        state = result(state, action)


@settings(max_examples=15)
@given(positions(NIM), st.integers(0, 9))
def test_every_search_by_depth_answers_alike(state, seed):
    with interpreted():
        exact = minimax_value(state, 9, to_move(state), Budget())
        for algorithm in DEEP:
            found = search(state, algorithm, depth=9, seed=seed, game=NIM)
            check(found, state)
            assert (found.value, found.complete) == (exact, True)


@settings(max_examples=15)
@given(positions(NIM), st.integers(0, 9))
def test_every_search_by_simulations_answers_alike(state, seed):
    with interpreted():
        for algorithm in ("mcts", "uct", "flat"):
            found = search(state, algorithm, simulations=30, seed=seed, game=NIM)
            check(found, state)
            assert found.simulations <= 30
            assert found.value == search(state, algorithm, simulations=30, seed=seed, game=NIM).value


@settings(max_examples=15)
@given(positions(NIM))
def test_a_solved_position_has_its_exact_value_and_the_line_leads_to_it(state):
    with interpreted():
        found = solve(state, game=NIM)
        check(found, state)
        end = state
        for action in found.line:
            end = result(end, action)
        assert found.value == minimax_value(state, 9, to_move(state), Budget())
        if terminal(end):  # a line from a table may be shorter
            assert found.value == NIM.returns(end)[to_move(state)]


def test_the_game_of_a_state_is_known():
    with interpreted():
        state = make_game("nim:piles=1,2").initial
        assert search(state, depth=3).line == search(state, depth=3, game=make_game("nim:piles=1,2")).line


def test_what_cannot_be_searched_is_refused_in_one_line():
    pacman, _ = make_game("pacman"), make_game("pacman:ghosts=minimax")  # of one player and chance, and of two
    for message, refused in (
        ("has no option 'dept'; did you mean 'depth'", lambda: search(NIM.initial, "minimax", dept=3)),
        ("there is no player 'alphabet'", lambda: search(NIM.initial, "alphabet")),
        ("the player random does not search; use alphabeta", lambda: search(NIM.initial, "random")),
        ("may belong to games of several kinds", lambda: search(pacman.initial, "minimax")),
        ('use search(state, "maxn") instead', lambda: solve(pacman.initial, game=pacman)),
        ("use the command plyground cfr instead", lambda: solve(make_game("kuhn").initial)),
    ):
        with pytest.raises((UnknownName, UnsuitableGame)) as error:
            refused()
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_the_function_and_the_package_of_its_name_do_not_hide_each_other():
    """Whichever is imported first."""
    import plyground
    import plyground.search.minimax as module

    with interpreted():
        assert plyground.search(NIM.initial, depth=9, game=NIM) == search(NIM.initial, depth=9, game=NIM)
    assert plyground.search.minimax is module
