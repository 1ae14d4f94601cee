"""Games with chance, solved: against exact arithmetic, linear equations, and what nobody can improve."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from plyground import CHANCE, actions, make_game, probability, result, to_move
from plyground.core.rules import terminal, utility
from plyground.errors import UnsuitableGame
from plyground.games.tree import read_tree
from plyground.search.stochastic import solve_stochastic

SMALL = "backgammon:points=4,men=1,faces=2"


def reached(root):
    """All positions, each once."""
    found, waiting = {root: 0}, [root]
    for state in waiting:
        for action in actions(state):
            after = result(state, action)
            if after not in found:
                found[after] = len(found)
                waiting.append(after)
    return found


def test_a_dice_game_has_the_value_of_the_fractions():
    once = {"chance": [1, 2, 3, 4, 5, 6]}
    twice = {"chance": [{"max": {"keep": n, "roll": once}} for n in range(1, 7)]}
    game = read_tree({"max": [{"chance": [{"max": {"keep": n, "roll": twice}} for n in range(1, 7)]}]})
    solution = solve_stochastic(game)
    assert Fraction(solution.value(game.initial)).limit_denominator(100) == Fraction(14, 3)


def test_small_backgammon_is_what_linear_equations_say_and_nobody_can_do_better():
    """The best actions, once fixed, make a Markov chain; its values are those, and no other action improves on them."""
    game = make_game(SMALL)
    solution, places = solve_stochastic(game), reached(game.initial)
    assert len(places) == len(solution.lower)
    assert solution.error < 1e-9
    matrix, given = np.eye(len(places)), np.zeros(len(places))
    for state, place in places.items():
        if terminal(state):
            given[place] = utility(state, 0)
        elif to_move(state) == CHANCE:
            for action in actions(state):
                matrix[place, places[result(state, action)]] -= probability(state, action)
        else:
            matrix[place, places[result(state, solution.best_actions(state)[0])]] -= 1
    values = np.linalg.solve(matrix, given)
    for state, place in places.items():
        assert solution.value(state) == pytest.approx(values[place], abs=1e-9)
        if not terminal(state) and to_move(state) != CHANCE:
            sign = 1 if to_move(state) == 0 else -1
            assert all(sign * values[places[result(state, a)]] <= sign * values[place] + 1e-9 for a in actions(state))
    assert any(count > 1 for count in np.bincount(solution.graph.edges[: solution.graph.counts[1]]))


def test_what_cannot_be_solved_gets_one_line():
    with pytest.raises(UnsuitableGame, match="players do not see everything"):
        solve_stochastic(make_game("kuhn"))
    with pytest.raises(UnsuitableGame, match="too many positions"):
        solve_stochastic(make_game(SMALL), most=20)


def test_the_command_solves_a_game(command):
    done = command("solve", SMALL, "--json")
    assert done.returncode == 0, done.stderr
    assert '"positions": 41' in done.stdout
    refused = command("solve", "nim")
    assert refused.returncode == 2
    assert refused.stderr.strip() == "error: nim has no chance; what solves such games is: plyground endgame nim"
