"""Monte Carlo tree search: the formulas, every variant, proofs, limits, memory and threads."""

from __future__ import annotations

import itertools
import math
import threading
import time as clock
from dataclasses import replace

import numpy as np
import pytest

from plyground import Budget, Limit, actions, interpreted, make_game, result, terminal, to_move, transformed
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.core.recording import recording
from plyground.errors import BadOption, IllegalAction
from plyground.games.tree import read_tree
from plyground.native.randomness import random_below, stream
from plyground.players import Position, make_player
from plyground.search.flat_monte_carlo import flat_search
from plyground.search.mcts import DONE, SOLVED, grow
from plyground.search.mcts_selection import chosen_child, puct_child, upper_bound
from plyground.search.mcts_tree import new_tree
from plyground.search.mcts_variant import GAME, GREEDY, PRIOR, ROOT_VISITS, SIGNED, MctsSettings, MctsVariant
from plyground.search.minimax import minimax_value
from plyground.search.tree_search import Child, TreeSearch, best_child
from test_tictactoe import all_positions

TICTACTOE = make_game("tictactoe")
USUAL = MctsVariant(policy=GAME)
PROVING = MctsVariant(policy=GAME, solver=True)
"""What the player uses, and so what other tests have compiled: each variant takes seconds for each game."""
VARIANTS = {
    "plain": MctsVariant(),
    "signed": MctsVariant(reward=SIGNED),
    "margin": MctsVariant(reward=2),
    "proportional": MctsVariant(proportional=True),
    "expand all": MctsVariant(expand_all=True),
    "greedy": MctsVariant(policy=GREEDY),
    "game": MctsVariant(policy=1),
    "guided": MctsVariant(guided=True),
    "rave": MctsVariant(rave=True),
    "solver": MctsVariant(solver=True),
    "solver, all": MctsVariant(solver=True, expand_all=True),
    "transpositions": MctsVariant(transpositions=True),
    "parallel": MctsVariant(parallel=True),
    "root's visits": MctsVariant(form=ROOT_VISITS),
    "prior": MctsVariant(guided=True, form=PRIOR),
}
QUICK = ("plain", "prior")
"""Each variant is compiled by itself: the others are in the long run."""
NAMES = [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in VARIANTS]


def grown(game, variant, simulations, seed=1, settings=None, places=50_000):
    tree = new_tree(places, variant)
    low, high = game.utilities
    settings = (settings or MctsSettings(scale=10.0, bias=0.5, widening=2.0, rollouts=1))._replace(low=low, high=high)
    code = grow(tree, game.initial, settings, variant, stream(seed), Budget(simulations))
    return tree, code


def children(tree, node=0):
    first, count = tree.nodes[node]["first"], tree.nodes[node]["count"]
    return tree.nodes[first : first + count]


def test_the_worked_example():
    """Root 12/21 with children 7/10, 5/8, 0/3: mean + sqrt(ln 21 / n) is 1.252, 1.242, 1.007."""
    tree = new_tree(8)
    for place, (wins, visits) in enumerate([(7, 10), (5, 8), (0, 3), (4 - 2, 4), (6 - 5, 6)], 1):
        tree.nodes[place]["total"], tree.nodes[place]["visits"] = wins, visits
    settings = MctsSettings(exploration=1.0)
    bounds = [
        upper_bound(tree.nodes, tree.amaf, place, 21, math.log(21), settings, MctsVariant()) for place in range(1, 6)
    ]
    # The last two are the opponent's children 2/4 and 5/6 under 7/10, seen by the opponent: 1 - mean + sqrt(ln 21/n).
    assert [round(bound, 3) for bound in bounds] == [1.252, 1.242, 1.007, 1.372, 0.879]


def family(*statistics):
    """A tree of a root and children with these wins, visits and priors."""
    tree = new_tree(2 * len(statistics) + 2)
    tree.nodes[0]["first"], tree.nodes[0]["count"] = 1, len(statistics)
    tree.nodes[0]["visits"] = sum(visits for _, visits, _ in statistics)
    tree.nodes["exact"] = math.nan
    for place, (wins, visits, prior) in enumerate(statistics, 1):
        tree.nodes[place]["total"], tree.nodes[place]["visits"], tree.nodes[place]["prior"] = wins, visits, prior
    return tree


def test_the_form_with_a_prior_by_hand():
    """Q/N + P/(1 + N): 6/10 + 0.25/11 = 0.623, 2/4 + 0.75/5 = 0.65 and 1/2 + 0.25/3 = 0.583."""
    tree = family((6, 10, 0.25), (2, 4, 0.75), (1, 2, 0.25))
    variant, settings = MctsVariant(guided=True, form=PRIOR), MctsSettings(exploration=1.0)
    with interpreted():
        bounds = [upper_bound(tree.nodes, tree.amaf, place, 16, 0.0, settings, variant) for place in (1, 2, 3)]
        assert bounds == pytest.approx([0.6 + 0.25 / 11, 0.65, 0.5 + 0.25 / 3])
        assert chosen_child(tree.nodes, tree.amaf, 0, settings, variant, stream(0)) == 2
        assert chosen_child(tree.nodes, tree.amaf, 0, settings._replace(exploration=0.0), variant, stream(0)) == 1
        # The same for a network's priors: the root of N would make the exploration four times as large.
        assert puct_child(tree.nodes, 0, settings, MctsVariant(puct=True, form=PRIOR)) == 2
        narrow = settings._replace(exploration=0.7)
        assert puct_child(tree.nodes, 0, narrow, MctsVariant(puct=True, form=PRIOR)) == 1
        assert puct_child(tree.nodes, 0, narrow, MctsVariant(puct=True)) == 2


def test_the_form_with_the_visits_of_the_root():
    """Below a node of 4 visits under a root of 21, ln 21 decides: the bounds of the lecture's third level."""
    tree = new_tree(8)
    for place, (wins, visits) in enumerate([(12, 21), (2, 4), (1, 3), (1, 1)]):
        tree.nodes[place]["total"], tree.nodes[place]["visits"], tree.nodes[place]["exact"] = wins, visits, math.nan
    tree.nodes[1]["first"], tree.nodes[1]["count"] = 2, 2
    with interpreted(), recording() as events:
        assert chosen_child(tree.nodes, tree.amaf, 1, MctsSettings(1.0), MctsVariant(form=ROOT_VISITS), stream(0)) == 3
    assert [round(event.upper_bound, 3) for event in events] == [1.341, 2.745]


@pytest.mark.parametrize("name", NAMES)
def test_compiled_and_interpreted_grow_the_same_tree(name):
    variant = VARIANTS[name]
    for spec in ("tictactoe", "connect4:columns=4,rows=4") if name in ("plain", "solver") else ("tictactoe",):
        game = make_game(spec)
        fast, code = grown(game, variant, 150)
        with interpreted():
            slow, slow_code = grown(game, variant, 150)
        assert code == slow_code == DONE
        used = int(fast.used[0])
        assert used == slow.used[0]
        for field in ("visits", "first", "count", "action"):
            assert (fast.nodes[field][:used] == slow.nodes[field][:used]).all()
        assert np.allclose(fast.nodes["total"][:used], slow.nodes["total"][:used])


@pytest.mark.parametrize("name", NAMES)
def test_visits_add_up(name):
    tree, _ = grown(TICTACTOE, VARIANTS[name], 2000)
    if name != "transpositions":
        assert children(tree)["visits"].sum() == tree.nodes[0]["visits"]
    assert sorted(children(tree)["action"]) == list(range(9))
    if "all" not in name:
        assert tree.nodes[0]["visits"] == 2000


def test_the_same_seed_grows_the_same_tree():
    first, again, other = (grown(TICTACTOE, MctsVariant(), 5000, seed)[0] for seed in (7, 7, 8))
    assert first.nodes.tobytes() == again.nodes.tobytes()
    assert first.nodes.tobytes() != other.nodes.tobytes()


@pytest.mark.slow
def test_the_minimax_move_on_every_tictactoe_position_up_to_symmetry():
    seen = {min(transformed(s, k) for k in range(8)) for s in all_positions(TICTACTOE.initial) if not terminal(s)}
    assert len(seen) > 600
    for number, state in enumerate(sorted(seen)):
        search = TreeSearch(TICTACTOE, MctsVariant(), MctsSettings(), memory=30_000_000, seed=number, reuse=False)
        found = search.search(state, Limit(simulations=20_000))
        mover = to_move(state)
        exact = minimax_value(state, 9, mover, Budget())
        assert minimax_value(result(state, found.action), 9, mover, Budget()) == exact


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe",
        pytest.param("reversi:size=4", marks=pytest.mark.slow),
        pytest.param("connect4:columns=4,rows=4", marks=pytest.mark.slow),
        pytest.param("nim:piles=2,3,4", marks=pytest.mark.slow),
    ],
)
def test_proven_values_equal_minimax(spec):
    game, rng = make_game(spec), stream(11)
    checked = 0
    while checked < 25:
        state = game.initial
        for _ in range(6 + checked % 3):
            if options := actions(state):
                state = result(state, options[random_below(rng, len(options))])
        if terminal(state):
            continue
        checked += 1
        search = TreeSearch(game, PROVING, MctsSettings(), seed=checked, reuse=False)
        found = search.search(state, Limit(simulations=300_000))
        mover = to_move(state)
        assert found.complete
        assert found.value == minimax_value(state, 99, mover, Budget())
        for child in found.children:
            if child.exact is not None:
                assert child.exact == minimax_value(result(state, child.action), 99, mover, Budget())


@pytest.mark.parametrize("final", ["visits", "mean", "secure", "agreement"])
def test_a_proven_loss_is_not_played_while_something_else_is_open(final):
    lost, doubtful, drawn = Child(0, 50, 0.7, -1.0), Child(1, 20, -0.2, None), Child(2, 5, -0.9, 0.0)
    assert best_child([lost, doubtful], final) == doubtful
    assert best_child([lost, doubtful, drawn], final) == drawn
    assert best_child([lost, Child(1, 20, 0.3, None), drawn], final).action == 1
    assert best_child([lost], final) == lost


def test_a_solved_root_stops_at_once():
    game = make_game("nim:piles=1,2")
    tree, code = grown(game, PROVING, 10_000)
    assert code == SOLVED
    assert tree.nodes[0]["visits"] < 1000
    assert tree.nodes[0]["exact"] == 1.0


@pytest.mark.slow
def test_chance_nodes_converge_to_the_expectation():
    game = read_tree(
        {"max": [{"chance": [[0.7, 1.0], [0.3, {"min": [-1, 0.5]}]]}, {"chance": [[0.5, 0.9], [0.5, 0.2]]}]}
    )
    search = TreeSearch(game, USUAL, MctsSettings(exploration=0.5), seed=3)
    found = search.search(game.initial, Limit(simulations=200_000))
    means = {child.action: child.mean for child in found.children}
    assert found.action == 1
    assert abs(means[1] - 0.55) < 0.01
    assert abs(means[0] - 0.4) < 0.05  # the minimum is found below, so the mean comes down to 0.7 - 0.3


def test_draws_are_draws():
    game = read_tree({"max": [0, {"min": [0, 0]}]}, name="draws")
    game = replace(game, utilities=(-1.0, 1.0))
    found = TreeSearch(game, USUAL, MctsSettings(), seed=1).search(game.initial, Limit(simulations=1000))
    assert all(child.mean == 0.0 for child in found.children)


def test_each_of_three_players_maximises_its_own():
    """max^n by hand: player 1 takes [4, 3, 3] over [1, 2, 6], player 2 takes [5, 1, 7], so player 0 prefers 5."""
    tree = {
        "player": 0,
        "children": [
            {"player": 1, "children": [[1, 2, 6], [4, 3, 3]]},
            {"player": 2, "children": [[5, 1, 7], [0, 5, 2]]},
        ],
    }
    game = read_tree(tree)
    found = TreeSearch(game, USUAL, MctsSettings(exploration=0.7), seed=5).search(
        game.initial, Limit(simulations=50_000)
    )
    assert found.action == 1
    assert abs(found.value - 5.0) < 0.2


def test_two_moves_in_a_row_keep_their_sign():
    """MAX moves twice: no sign may be flipped between the two."""
    game = read_tree({"max": [{"max": [-1, 1]}, {"min": [1, 0.5]}]})
    found = TreeSearch(game, PROVING, MctsSettings(), seed=5).search(game.initial, Limit(simulations=2000))
    assert (found.action, found.value, found.complete) == (0, 1.0, True)
    plain = TreeSearch(game, USUAL, MctsSettings(), seed=5).search(game.initial, Limit(simulations=20_000))
    assert plain.action == 0


def test_a_trap_is_seen_with_enough_simulations():
    """A deep trap: the left move looks good to random play, and loses by one forced answer."""
    trap = {"max": [{"min": [-1, *[1] * 9]}, {"min": [0, 0, 0]}]}
    game = read_tree(trap)
    search = TreeSearch(game, USUAL, MctsSettings(), seed=2, reuse=False)
    assert search.search(game.initial, Limit(simulations=12)).action == 0
    assert search.search(game.initial, Limit(simulations=5000)).action == 1


# Limits and memory ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("final", ["visits", "mean", "secure", "agreement"])
def test_one_simulation_still_answers(final):
    reversi = make_game("reversi")
    search = TreeSearch(reversi, PROVING, MctsSettings(), final=final)
    found = search.search(reversi.initial, Limit(simulations=1))
    assert found.action in actions(reversi.initial)
    assert search.search(reversi.initial, Limit(time=0.001)).action in actions(reversi.initial)


def test_a_tree_is_not_reused_for_an_unrelated_state():
    player = make_player("mcts:simulations=500", TICTACTOE, 1)
    player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
    states, _ = read_moves(TICTACTOE, "a1 b2")
    assert player.choose(Position(TICTACTOE, states[-1]), Limit()).action in actions(states[-1])


def test_every_simulation_is_run_when_threads_fill_the_tree():
    game = make_game("connect4:columns=5,rows=4")
    search = TreeSearch(game, USUAL, MctsSettings(), threads=2, memory=400_000)
    assert search.search(game.initial, Limit(simulations=20_000)).simulations == 20_000


def test_nothing_to_win_is_nothing_won():
    game = read_tree({"max": [{"min": [0, 0]}, {"min": [0, 0]}]})
    assert make_player("mcts:simulations=100", game, 1).choose(Position(game, game.initial), Limit()).value == 0.0


def test_an_untried_move_before_a_proven_loss():
    game = read_tree({"max": [-1, 1]})
    for seed in range(8):
        assert make_player("mcts:simulations=1", game, seed).choose(Position(game, game.initial), Limit()).action == 1


def test_many_rollouts_do_not_outlast_the_clock():
    reversi = make_game("reversi")
    player = make_player("mcts:rollouts=2000000,time=0.05", reversi, 1)
    player.prepare(reversi)
    assert player.choose(Position(reversi, reversi.initial), Limit()).time < 20.0  # all of them take minutes


def test_a_finished_game_has_nothing_to_search():
    states, _ = read_moves(TICTACTOE, "a1 a2 b1 b2 c1")
    for search in (TreeSearch(TICTACTOE, MctsVariant(), MctsSettings()).search, flat_search):
        with pytest.raises(IllegalAction, match="the game is over"):
            search(states[-1], Limit(simulations=10))


def test_the_memory_budget_is_kept_by_recycling():
    reversi = make_game("reversi")
    search = TreeSearch(reversi, PROVING, MctsSettings(), memory=200_000, seed=1)
    found = search.search(reversi.initial, Limit(simulations=50_000))
    assert found.simulations == 50_000
    assert sum(tree.nodes.nbytes + tree.amaf.nbytes for tree in search._kept) <= 100_000
    assert found.action in actions(reversi.initial)
    assert sum(child.visits for child in found.children) == 50_000


def test_a_limit_of_nodes():
    reversi = make_game("reversi")
    found = TreeSearch(reversi, PROVING, MctsSettings()).search(reversi.initial, Limit(nodes=500))
    assert found.nodes <= 500
    assert found.simulations > 100


def test_nodes_take_32_bytes():
    assert new_tree(10).nodes.itemsize == 32


def test_the_tree_is_kept_between_moves():
    search = TreeSearch(TICTACTOE, MctsVariant(), MctsSettings(), seed=4)
    search.search(TICTACTOE.initial, Limit(simulations=20_000), ())
    expected = {
        int(node["action"]): int(node["visits"])
        for child in children(search._kept[0])
        if child["action"] == 4
        for node in children(search._kept[0], int(child["first"]) and _place(search._kept[0], 4))
    }
    state = result(TICTACTOE.initial, 4)
    found = search.search(state, Limit(simulations=1), (4,))
    grew = {child.action: child.visits for child in found.children}
    assert sum(grew.values()) == sum(expected.values()) + 1
    assert all(grew[action] >= visits for action, visits in expected.items())


def _place(tree, action):
    first = int(tree.nodes[0]["first"])
    return next(place for place in range(first, first + 9) if tree.nodes[place]["action"] == action)


@pytest.mark.parametrize("mode", ["tree", "root"])
def test_threads_together_run_all_simulations(mode):
    connect4 = make_game("connect4")
    search = TreeSearch(connect4, USUAL, MctsSettings(), threads=2, mode=mode, seed=1)
    found = search.search(connect4.initial, Limit(simulations=20_000))
    assert found.simulations == 20_000
    assert sum(child.visits for child in found.children) == 20_000
    assert all(child.visits > 0 for child in found.children)


# The players ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "usual"),
    [("tictactoe", "solver=off,rollout=uniform"), pytest.param("reversi:size=4", "", marks=pytest.mark.slow)],
)
def test_every_option_plays_legally(spec, usual):
    """With what is usual as above, other tests have compiled almost everything."""
    options = [
        "c=0.5,form=plain,expansion=all", "reward=signed,rollouts=3", "reward=margin,scale=16,final=secure,solver=off",
        "selection=proportional,final=agreement", "rollout=greedy,epsilon=0.2,rollout_depth=4,reuse=off", "rave=300",
        "bias=1,memory=1", "widening=2", "transpositions=on", "threads=2", "threads=2,parallel=root", "rollout=game",
    ]  # fmt: skip
    game = make_game(spec)
    for option in options:
        names = {word.partition("=")[0] for word in option.split(",")}
        others = [word for word in usual.split(",") if word and word.partition("=")[0] not in names]
        player = ",".join(["mcts:simulations=60", option, *others])
        assert play_game(game, [make_player(player, game, 1), make_player("random", game, 2)]).complete


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mcts:c=-1", "c must be at least 0"),
        ("mcts:simulations=0", "simulations must be at least 1"),
        ("mcts:time=0", "time must be a positive"),
        ("mcts:rollouts=0", "rollouts must be at least 1"),
        ("mcts:threads=0", "threads must be at least 1"),
        ("mcts:memory=0", "must be positive"),
        ("mcts:memory=nan", "must be of the form number"),
        ("mcts:rave=1,threads=2", "rave works with one thread"),
        ("mcts:virtual_loss=0", "virtual_loss at least 1"),
        ("mcts:epsilon=2", "epsilon must be at most 1"),
        ("mcts:expansion=all,rave=10", "expansion=all works without rave"),
        ("mcts:time=1e11", "up to 1e"),
        ("flat:simulations=0", "simulations must be at least 1"),
    ],
)
def test_bad_options(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec)


def test_options_that_do_not_fit_the_game():
    dice = read_tree({"chance": [{"max": [1, 2]}, 3]})
    state = next(s for s in [result(dice.initial, 0)])
    for option in ("solver=on", "bias=1", "rollout=greedy", "rollout_depth=2"):
        player = make_player(f"mcts:simulations=10,{option}", dice)
        if option == "solver=on":
            with pytest.raises(BadOption, match="solver=on needs"):
                player.choose(Position(dice, state), Limit())
        else:
            with interpreted():
                player.choose(Position(dice, state), Limit())
    with pytest.raises(BadOption, match="at most 256"):
        make_player("mcts:threads=1000").prepare(dice)
    with pytest.raises(BadOption, match="transpositions work with one thread"):
        make_player("mcts:threads=2,transpositions=on").prepare(dice)
    with pytest.raises(BadOption, match="too little for gomoku; give at least"):
        make_player("mcts:memory=0.001").prepare(make_game("gomoku"))


@pytest.mark.slow
def test_uct_beats_random_play_on_every_kind_of_game():
    for spec in ("tictactoe", "connect4", "reversi:size=6", "nim"):
        game = make_game(spec)
        wins = 0
        for seed, first in itertools.product(range(4), (0, 1)):
            seats = [make_player("mcts:simulations=400", game, seed), make_player("random", game, seed)]
            record = play_game(game, seats if first == 0 else seats[::-1], seed=seed)
            wins += record.winner == first
        assert wins >= 6, spec


def test_flat_monte_carlo_takes_a_win_and_repeats_by_seed():
    states, _ = read_moves(TICTACTOE, "a1 a2 b1 b2")
    found = flat_search(states[-1], Limit(simulations=2000), seed=1)
    assert found.action == 2
    assert found.values[2] == 1.0
    assert found.simulations == 2000
    assert flat_search(states[-1], Limit(simulations=2000), seed=1) == found


# Pondering --------------------------------------------------------------------------------------------------------


def test_pondering_grows_the_tree_that_the_next_move_begins_with():
    game = make_game("reversi")
    player = make_player("mcts:simulations=1,ponder=on", game, 3)
    player.prepare(game)
    first = player.choose(Position(game, game.initial), Limit())
    after = result(game.initial, first.action)
    with player.pondering(Position(game, after, (first.action,))):
        while (thought := player.thoughts()) is None or thought.nodes < 5000:
            clock.sleep(0.01)
    answer = actions(after)[0]
    position = Position(game, result(after, answer), (first.action, answer))
    search = player._search
    trees = search._starting_trees(position.state, position.history, 10_000_000)
    assert trees[0].nodes[0]["visits"] > 100
    assert player.choose(position, Limit()).action in actions(position.state)


def test_pondering_stops_at_once_and_leaves_no_thread():
    game = make_game("connect4")
    player = make_player("mcts:simulations=10,ponder=on,threads=2", game, 3)
    before = threading.active_count()
    for _ in range(5):
        with player.pondering(Position(game, game.initial)):
            pass
    with pytest.raises(RuntimeError, match="somebody"), player.pondering(Position(game, game.initial)):
        raise RuntimeError("somebody interrupts")
    assert threading.active_count() == before


def test_a_whole_game_is_played_with_both_sides_pondering():
    game = make_game("connect4:columns=5,rows=4")
    players = [make_player("mcts:simulations=50,ponder=on", game, seed) for seed in (1, 2)]
    record = play_game(game, players)
    assert record.complete
