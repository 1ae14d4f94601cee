"""Tree search with a network: the two halves of a simulation, batches, proofs, Gumbel numbers."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from plyground.core.limits import Limit
from plyground.core.rules import actions, distinct_actions, result, terminal, to_move, utility
from plyground.engines.reversi.endings import SolvedEndings, winner_value
from plyground.engines.reversi.engine import Engine
from plyground.games import make_game
from plyground.native.compiling import cache_folder, interpreted
from plyground.native.randomness import stream
from plyground.search.gumbel import gumbel_choice, halving_schedule, improved_policy
from plyground.search.mcts_tree import NODE
from plyground.search.net_search import NetSearch, add_noise, random_gamma

TICTACTOE = make_game("tictactoe")


def noise_judge(actions_count, scale=1.0, seed=0):
    """A network of random opinions, the same for the same planes."""
    draws = np.random.default_rng(seed)
    mixing, opinion = draws.normal(size=(2, 128, actions_count))

    def judge(planes):
        flat = planes.reshape(len(planes), -1)
        width = flat.shape[1]
        logits = (scale * (flat @ mixing[:width])).astype(np.float32)
        values = np.tanh(scale * (flat @ opinion[:width, 0])).astype(np.float32)
        return logits, values

    return judge


def flat_judge(count):
    return lambda planes: (np.zeros((len(planes), count), np.float32), np.zeros(len(planes), np.float32))


@pytest.fixture(scope="module")
def search():
    return NetSearch(TICTACTOE, noise_judge(9), batch=1, reuse=False)


@pytest.fixture(scope="module")
def doubtful():
    return NetSearch(TICTACTOE, noise_judge(9, scale=0.2), batch=1, reuse=False)


def solved(state):
    """The value of a state to player 0, by trying everything."""
    if terminal(state):
        return utility(state, 0)
    values = [solved(result(state, action)) for action in actions(state)]
    return max(values) if to_move(state) == 0 else min(values)


@settings(max_examples=25)
@given(some.lists(some.integers(0, 8), min_size=2, max_size=7), some.integers(1, 60))
def test_compiled_and_interpreted_searches_are_the_same(search, choices, simulations):
    state = TICTACTOE.initial
    for choice in choices:
        if terminal(result(state, actions(state)[choice % len(actions(state))])):
            break
        state = result(state, actions(state)[choice % len(actions(state))])
    fast = search.search(state, Limit(simulations=simulations))
    with interpreted():
        slow = search.search(state, Limit(simulations=simulations))
    assert fast.children == slow.children
    assert fast.line == slow.line
    assert fast.simulations == slow.simulations <= simulations


@settings(max_examples=25)
@given(some.lists(some.integers(0, 8), min_size=3, max_size=7))
def test_with_enough_simulations_the_answer_is_right(doubtful, choices):
    """Whatever the network thinks, if it leaves no move out: the value is that of best play, and wins are proven."""
    state = TICTACTOE.initial
    for choice in choices:
        following = result(state, actions(state)[choice % len(actions(state))])
        if terminal(following):
            break
        state = following
    found = doubtful.search(state, Limit(simulations=3000))
    value = solved(state) * (1 if to_move(state) == 0 else -1)
    assert found.value == pytest.approx(value, abs=0.1)
    assert not found.complete or found.value == value
    if value == 1:
        assert found.complete


@pytest.mark.parametrize("batch", [1, 5, 8])
def test_every_simulation_is_counted_once(batch):
    search = NetSearch(TICTACTOE, noise_judge(9), batch=batch, reuse=False)
    found = search.search(TICTACTOE.initial, Limit(simulations=203))
    assert found.simulations == 203
    assert sum(child.visits for child in found.children) == 202  # one for the root itself
    assert sorted(child.action for child in found.children) == actions(TICTACTOE.initial)


def test_the_tree_is_kept_from_move_to_move():
    search = NetSearch(TICTACTOE, noise_judge(9), batch=4)
    first = search.search(TICTACTOE.initial, Limit(simulations=300), ())
    after = result(TICTACTOE.initial, first.action)
    reply = search.search(after, Limit(simulations=8), (first.action,))
    assert sum(child.visits for child in reply.children) > 50


def test_priors_and_values_steer_the_search():
    """A network that likes one square, and one that thinks that whoever has another has the better game."""

    def fond(planes):
        logits = np.zeros((len(planes), 9), np.float32)
        logits[:, 2] = 5.0
        return logits, np.zeros(len(planes), np.float32)

    assert NetSearch(TICTACTOE, fond, reuse=False).search(TICTACTOE.initial, Limit(simulations=64)).action == 2

    def hopeful(planes):
        mine, theirs = planes.reshape(len(planes), -1, 9)[:, 0, 5], planes.reshape(len(planes), -1, 9)[:, 1, 5]
        return np.zeros((len(planes), 9), np.float32), 0.9 * (mine - theirs)

    assert NetSearch(TICTACTOE, hopeful, reuse=False).search(TICTACTOE.initial, Limit(simulations=200)).action == 5


def test_a_small_memory_makes_room():
    search = NetSearch(TICTACTOE, noise_judge(9), memory=20_000, reuse=False)
    assert search.search(TICTACTOE.initial, Limit(simulations=500)).simulations == 500


def test_a_move_that_wins_is_known_however_unlikely_the_network_thinks_it():
    def blind(planes):
        logits = np.zeros((len(planes), 9), np.float32)
        logits[:, 2] = -40.0
        return logits, np.zeros(len(planes), np.float32)

    state = TICTACTOE.initial
    for action in (0, 3, 1):  # X threatens to end the game at 2
        state = result(state, action)
    search = NetSearch(TICTACTOE, blind, batch=1, reuse=False)
    found = search.search(state, Limit(simulations=12))
    assert [child.action for child in found.children if child.exact is None] == [2]  # all others lose
    state = result(state, 4)
    found = search.search(state, Limit(simulations=1))
    assert (found.action, found.value, found.complete) == (2, 1.0, True)


@pytest.mark.slow
def test_ends_of_reversi_are_exact():
    game, engine, solver = make_game("reversi"), Engine(table=1 << 20), SolvedEndings(9)
    draws = np.random.default_rng(5)
    seen = set()
    for _ in range(60):
        state, wanted = game.initial, int(draws.integers(1, 12))
        while not terminal(state) and 64 - (int(state.own) | int(state.opponent)).bit_count() > wanted:
            state = result(state, int(draws.choice(actions(state))))
        if terminal(state):
            continue
        value = winner_value(state, solver.endings)
        if wanted > 9:
            assert math.isnan(value)
            continue
        score = engine.search(state, Limit(depth=60)).value * (1 if to_move(state) == 0 else -1)
        assert value == np.sign(score)
        seen.add(value)
    assert seen >= {1.0, -1.0}
    assert list(cache_folder().glob("plyground.engines.reversi.endings.winner_value-*"))  # the next start has it
    search = NetSearch(game, noise_judge(distinct_actions(game.initial)), endgame=solver.endings, reuse=False)
    known = 0
    for _ in range(20):
        state, wanted = game.initial, int(draws.integers(5, 11))  # a root of 10 is not known, but its moves are
        while not terminal(state) and 64 - (int(state.own) | int(state.opponent)).bit_count() > wanted:
            state = result(state, int(draws.choice(actions(state))))
        if terminal(state):
            continue
        best = np.sign(engine.search(state, Limit(depth=60)).value)
        found = search.search(state, Limit(simulations=200))
        assert found.complete
        assert found.value == best
        after = result(state, found.action)
        if not terminal(after):
            assert np.sign(engine.search(after, Limit(depth=60)).value) == (
                best if to_move(after) == to_move(state) else -best
            )
            known += 1
    assert known > 10


# Gumbel numbers ---------------------------------------------------------------------------------------------------


@given(some.integers(1, 16), some.integers(1, 200))
def test_a_schedule_visits_the_better_half_more(moves, simulations):
    """Follow the schedule with moves of fixed strength: every try is possible, and visits end in order of strength."""
    schedule = halving_schedule(simulations)[moves]
    visits = [0] * moves
    for wanted in schedule:
        able = [move for move in range(moves) if visits[move] == wanted]
        assert able
        visits[able[0]] += 1
    assert visits == sorted(visits, reverse=True)
    assert sum(visits) == simulations


def small_root(priors, visits, means):
    nodes = np.zeros(len(priors) + 1, NODE)
    nodes["exact"] = np.nan
    nodes[0]["first"], nodes[0]["count"] = 1, len(priors)
    nodes["action"][1:] = np.arange(len(priors))
    nodes["prior"][1:], nodes["visits"][1:] = priors, visits
    nodes["total"][1:] = np.array(visits) * means
    return nodes


def test_an_improved_policy_by_hand():
    nodes = small_root([0.5, 0.3, 0.2], [3, 1, 0], [0.4, 0.6, 0.0])
    out = np.zeros(3, np.float32)
    improved_policy(nodes, 0.5, out)
    mixed = (0.5 + 4 * (0.5 * 0.4 + 0.3 * 0.6) / 0.8) / 5
    exponents = np.log([0.5, 0.3, 0.2]) + 5.3 * np.array([0.4, 0.6, mixed])
    wanted = np.exp(exponents - exponents.max())
    assert out == pytest.approx(wanted / wanted.sum(), abs=1e-5)


def test_a_gumbel_choice_by_hand():
    nodes = small_root([0.5, 0.3, 0.2], [2, 2, 1], [0.4, 0.6, 0.9])
    none = np.zeros(3, np.float32)
    assert gumbel_choice(nodes, none, -1) == 2  # of the two with most visits the better
    assert gumbel_choice(nodes, none, 1) == 3
    assert gumbel_choice(nodes, np.array([20, 0, 0], np.float32), -1) == 1
    assert gumbel_choice(nodes, none, 9) == 2  # nobody has so many


def test_noise_is_dirichlet_distributed():
    random, shares = stream(3), []
    for _ in range(4000):
        nodes = small_root([0.7, 0.2, 0.1], [0, 0, 0], [0.0, 0.0, 0.0])
        add_noise(nodes, 0.25, 0.6, random)
        assert nodes["prior"][1:].sum() == pytest.approx(1.0, abs=1e-5)
        shares.append((nodes["prior"][1] - 0.75 * 0.7) / 0.25)
    # Dirichlet(0.6, 0.6, 0.6): mean 1/3, variance (1/3)(2/3) / (1 + 1.8)
    assert np.mean(shares) == pytest.approx(1 / 3, abs=0.02)
    assert np.var(shares) == pytest.approx(2 / 9 / 2.8, abs=0.005)
    drawn = [random_gamma(2.5, random) for _ in range(4000)]
    assert np.mean(drawn) == pytest.approx(2.5, abs=0.1)
    assert np.var(drawn) == pytest.approx(2.5, abs=0.3)
