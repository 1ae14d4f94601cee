"""Seeing Monte Carlo tree search: what is recorded is what runs compiled, and the pictures show its numbers."""

from __future__ import annotations

import itertools
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_run import mostly_slow
from plyground import action_text, actions, make_game, result, terminal, to_move
from plyground.core.limits import Limit
from plyground.core.notation import read_moves
from plyground.errors import BadOption, IllegalAction, SpecError, UnsuitableGame
from plyground.games.tree import read_tree
from plyground.native.randomness import random_below, stream
from plyground.pictures.tree import Look, tree_svg, tree_text
from plyground.players import make_player
from plyground.players.mcts import MctsPlayer
from plyground.search.retrograde import build_table
from plyground.watch.mcts_run import MctsRun
from plyground.watch.opinion import opinion, opinion_svg
from plyground.watch.simulations import simulations_drawing
from plyground.watch.visited_tree import tree_drawing
from plyground.watch.worked_example import worked_example

MINUS = "\N{MINUS SIGN}"
TICTACTOE = make_game("tictactoe")
THREE = read_tree(
    {
        "players": ["ann", "bob", "cid"],
        "root": {
            "player": 0,
            "children": [
                {"player": 1, "children": [[1, 2, 6], [4, 3, 3]]},
                {"player": 2, "children": [[5, 1, 7], [0, 5, 2]]},
            ],
        },
    }
)
DICE = read_tree(
    {"max": [{"chance": [[0.7, 1.0], [0.3, {"min": [-1, 0.5]}]]}, {"chance": [[0.5, 0.9], [0.5, {"max": [0.2, 0]}]]}]}
)
GAMES = {
    "tictactoe": TICTACTOE,
    "connect4": make_game("connect4:columns=4,rows=4"),
    "reversi": make_game("reversi"),
    "small reversi": make_game("reversi:size=4"),
    "nim": make_game("nim:piles=2,3"),
    "three players": THREE,
    "chance": DICE,
    "chance first": read_tree({"chance": [{"max": [1, {"min": [0, -1]}]}, {"min": [0, {"max": [1, -1]}]}]}),
}
every_kind_of_game = pytest.mark.parametrize(
    "name", mostly_slow(list(GAMES), "tictactoe", "reversi", "three players", "chance")
)
PLAYERS = [
    "mcts:rollout=uniform",
    "mcts:rollout=uniform,expansion=all",
    *(
        f"mcts:solver=off,rollout=uniform,{options}"  # as other tests have compiled them
        for options in (
            "c=1",
            "form=plain,c=0.3,reward=signed",
            "reward=margin,scale=4",
            "selection=proportional",
            "expansion=all",
            "rollouts=2",
            "rollout_depth=2",
            "rave=50",
            "bias=1",
            "widening=1",
            "transpositions=on",
        )
    ),
    "mcts:solver=off,rollout=greedy",
    "mcts:solver=off,rollout=game",
]
QUICK = re.compile("mcts:rollout=uniform$|form|rave|transpositions")
"""Each variant is compiled by itself: the others are in the long run."""


def nodes_of(mcts):
    return mcts.tree.nodes[: int(mcts.tree.used[0])]


def same_tree(one, other):
    assert one.tree.used[0] == other.tree.used[0]
    for field in ("visits", "first", "count", "action", "total", "prior"):
        assert (nodes_of(one)[field] == nodes_of(other)[field]).all(), field
    assert np.array_equal(nodes_of(one)["exact"], nodes_of(other)["exact"], equal_nan=True)


def grown(game, simulations, player="mcts", seed=3):
    mcts = MctsRun(game, game.initial, simulations, player, seed)
    mcts.run(simulations)
    return mcts


def simulations_in(events):
    """The events of each simulation."""
    found = []
    for event in events:
        if event.kind == "simulation_started":
            found.append([])
        found[-1].append(event)
    return found


def looks_after(drawing, steps=None):
    """How each node looks after this many steps."""
    looks = [Look("unseen", "", (), "plain", "")] * len(drawing.nodes)
    for changes in [drawing.start, *(step.changes for step in drawing.steps[:steps])]:
        for index, look in changes.items():
            said = {name: value for name, value in vars(look).items() if value is not None}
            looks[index] = replace(looks[index], **said)
    return looks


def check_drawing(drawing):
    """What every renderer relies on."""
    assert drawing.nodes[0].parent is None
    for index, node in enumerate(drawing.nodes[1:], 1):
        assert 0 <= node.parent < index
    for step in drawing.steps:
        assert step.caption
        assert all(0 <= index < len(drawing.nodes) for index in step.changes)
        assert step.focus is None or 0 <= step.focus < len(drawing.nodes)
        for svg, caption in step.boards:
            ElementTree.fromstring(svg)
            assert caption
    for index, look in enumerate(looks_after(drawing)):
        assert look.state != "unseen", drawing.nodes[index]
        assert look.tint is None or -1 <= look.tint <= 1
    ElementTree.fromstring(tree_svg(drawing))
    assert tree_text(drawing)


# The search, portion by portion -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "player",
    [player if QUICK.search(player) else pytest.param(player, marks=pytest.mark.slow) for player in PLAYERS],
)
def test_a_recorded_search_grows_the_compiled_tree(player):
    compiled = grown(TICTACTOE, 120, player)
    recorded = MctsRun(TICTACTOE, TICTACTOE.initial, 120, player, 3)
    recorded.record(120)
    same_tree(compiled, recorded)


@every_kind_of_game
def test_a_recorded_search_grows_the_compiled_tree_of_every_kind_of_game(name):
    compiled = grown(GAMES[name], 60)
    recorded = MctsRun(GAMES[name], GAMES[name].initial, 60, seed=3)
    recorded.record(60)
    same_tree(compiled, recorded)


@every_kind_of_game
def test_portions_grow_the_tree_of_one_run(name):
    more = ("mcts:solver=off,rollout=uniform,rave=50", "mcts:rollout=uniform,transpositions=on")
    for player in ("mcts", *more) if name == "tictactoe" else ("mcts",):
        whole = grown(GAMES[name], 400, player)
        portions = MctsRun(GAMES[name], GAMES[name].initial, 400, player, 3)
        for size in (1, 1, 7, 91, 0, 300):
            portions.run(size)
        same_tree(whole, portions)
        assert portions.done == whole.done


def test_the_tree_is_the_one_that_the_player_grows():
    for game in (TICTACTOE, GAMES["small reversi"], DICE):
        player = make_player("mcts:seed=11", game)
        assert isinstance(player, MctsPlayer)
        found = player.new_search(game).search(game.initial, Limit(simulations=700))
        nodes = nodes_of(grown(game, 700, "mcts", 11))
        first, count = nodes[0]["first"], nodes[0]["count"]
        visits = {int(child["action"]): int(child["visits"]) for child in nodes[first : first + count]}
        assert visits == {child.action: child.visits for child in found.children}


def test_a_seed_in_the_player_wins():
    same_tree(grown(TICTACTOE, 50, "mcts:seed=5", seed=1), grown(TICTACTOE, 50, seed=5))


# Events ------------------------------------------------------------------------------------------------------------


@every_kind_of_game
def test_the_four_phases_come_in_order(name):
    game = GAMES[name]
    events = MctsRun(game, game.initial, 60, "mcts:solver=off", 1).record(60)
    order = ["simulation_started", "scored", "descended", "playout_moved", "rewarded", "credited"]
    shape = re.compile(r"0(1*2)+3*4+5+")
    assert len(simulations_in(events)) == 60
    for simulation in simulations_in(events):
        assert shape.fullmatch("".join(str(order.index(event.kind)) for event in simulation))
        path = [event.node for event in simulation if event.kind == "descended"]
        up = [event.node for event in simulation if event.kind == "credited"]
        assert up == [*reversed(path), 0]
        rewards = {event.player: event.reward for event in simulation if event.kind == "rewarded"}
        assert sorted(rewards) == list(range(game.axes.players))
        assert all(event.reward == rewards[event.player] for event in simulation if event.kind == "credited")
        fresh = [event.fresh for event in simulation if event.kind == "descended"]
        assert not any(fresh[:-1])  # only the last node of a path can be new


@every_kind_of_game
def test_bounds_are_mean_plus_exploration_and_the_highest_is_selected(name):
    game = GAMES[name]
    mcts = MctsRun(game, game.initial, 150, "mcts:c=0.8,solver=off", 1)
    statistics = {0: (0.0, 0)}
    compared = 0
    for simulation in simulations_in(mcts.record(150)):
        scores, parent = [], 0
        for event in simulation:
            if event.kind == "scored":
                total, visits = statistics[event.node]
                assert event.mean == pytest.approx(total / visits)
                expected = 0.8 * math.sqrt(2 * math.log(statistics[parent][1]) / visits)
                assert event.exploration == pytest.approx(expected)
                assert event.upper_bound == pytest.approx(event.mean + event.exploration)
                scores.append(event)
            elif event.kind == "descended":
                if scores and not event.fresh:
                    assert event.node == max(scores, key=lambda score: score.upper_bound).node
                    compared += 1
                scores, parent = [], event.node
            elif event.kind == "credited":
                statistics[event.node] = (event.total, event.visits)
    assert compared > 50


@pytest.mark.parametrize("player", [f"mcts:solver=off,rollout=uniform,{option}" for option in ("rave=50", "bias=1")])
def test_what_a_variant_adds_is_what_the_terms_leave_over(player):
    events = MctsRun(TICTACTOE, TICTACTOE.initial, 100, player, 1).record(100)
    left = [
        e.upper_bound - e.mean - e.exploration for e in events if e.kind == "scored" and math.isfinite(e.upper_bound)
    ]
    assert any(abs(rest) > 0.01 for rest in left)
    drawing = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=100, shown=1, player=player)
    assert re.search(r"bound, [\d.]+ \+ [\d.]+ \S [\d.]+ = [\d.]+\.$", drawing.steps[0].caption)


@every_kind_of_game
def test_after_each_simulation_the_numbers_are_those_of_the_compiled_tree(name):
    game = GAMES[name]
    recorded = MctsRun(game, game.initial, 40, seed=2)
    compiled = MctsRun(game, game.initial, 40, seed=2)
    statistics, proven = {}, {}
    for simulation in simulations_in(recorded.record(40)):
        for event in simulation:
            if event.kind == "credited":
                statistics[event.node] = (event.total, event.visits)
            elif event.kind == "proved":
                proven[event.node] = np.float32(event.reward)
        compiled.run(1)
        nodes = nodes_of(compiled)
        visited = [place for place in range(len(nodes)) if nodes[place]["visits"]]
        assert statistics == {place: (nodes[place]["total"], nodes[place]["visits"]) for place in visited}
        assert proven == {place: nodes[place]["exact"] for place in visited if not np.isnan(nodes[place]["exact"])}


# Simulations step by step -------------------------------------------------------------------------------------------


def phases(drawing):
    """(simulation, phase) of each step but the last, which has the answer."""
    *steps, last = drawing.steps
    assert last.caption.startswith("The search is over: ") == (drawing.nodes[0].shape != "chance")
    steps = steps if last.caption.startswith("The search is over: ") else drawing.steps
    pairs = [re.match(r"Simulation ([\d,]+), (\w+): ", step.caption).groups() for step in steps]
    return [(int(number.replace(",", "")), phase) for number, phase in pairs]


@every_kind_of_game
@pytest.mark.parametrize("simulations", [1, 5, 60])
def test_every_kind_of_game_is_told_phase_by_phase(name, simulations):
    game = GAMES[name]
    drawing = simulations_drawing(game, game.initial, simulations=simulations, shown=5, player="mcts:solver=off")
    check_drawing(drawing)
    told = phases(drawing)
    first = max(1, simulations - 4)
    assert sorted({number for number, _ in told}) == list(range(first, simulations + 1))
    for number in range(first, simulations + 1):
        here = [phase for phase, _ in itertools.groupby(phase for which, phase in told if which == number)]
        assert "".join(phase[0] for phase in here) in ("sesb", "esb", "ssb")
        assert here[-2:] == ["simulation", "backpropagation"]


@pytest.mark.parametrize("player", PLAYERS)
def test_every_variant_is_told_and_ends_with_the_numbers_of_the_tree(player):
    drawing = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=150, shown=3, player=player, seed=3)
    check_drawing(drawing)
    nodes = nodes_of(grown(TICTACTOE, 150, player))
    assert looks_after(drawing)[0].value.endswith(f"/{nodes[0]['visits']:,}")
    root = nodes[nodes[0]["first"] : nodes[0]["first"] + nodes[0]["count"]]
    visits = {f"X {'abc'[child['action'] % 3]}{child['action'] // 3 + 1}": int(child["visits"]) for child in root}
    shown = [(node, look) for node, look in zip(drawing.nodes, looks_after(drawing), strict=True) if node.parent == 0]
    assert len(shown) > 1
    for node, look in shown:
        assert look.value.endswith(f"/{visits[node.action]}")


@given(seed=st.integers(0, 10**6), moves=st.integers(0, 5), simulations=st.integers(1, 80), shown=st.integers(1, 6))
@settings(max_examples=25)
def test_every_number_on_the_way_follows_from_the_one_before(seed, moves, simulations, shown):
    state, rng = TICTACTOE.initial, stream(seed)
    for _ in range(moves):
        if not terminal(state):
            options = actions(state)
            state = result(state, options[random_below(rng, len(options))])
    if terminal(state):
        return
    drawing = simulations_drawing(TICTACTOE, state, simulations=simulations, shown=shown, seed=seed)
    check_drawing(drawing)
    for number, step in enumerate(drawing.steps):
        if ", backpropagation: " not in step.caption:
            continue
        before, after = looks_after(drawing, number), looks_after(drawing, number + 1)
        reward, was, now = re.search(r"gets ([\d.]+): (\S+) → (\S+)\.$", step.caption).groups()
        assert (before[step.focus].value, after[step.focus].value) == (was, now)
        (total, visits), (more, again) = (map(float, text.split("/")) for text in (was, now))
        assert again == visits + 1
        assert more == total + float(reward)


def test_all_that_is_said_can_be_said_in_chinese():
    game = make_game("tictactoe")
    for drawing in (
        simulations_drawing(game, game.initial, simulations=60, shown=4, lang="zh"),
        tree_drawing(game, game.initial, simulations=60, lang="zh"),
        worked_example("zh"),
    ):
        words = " ".join([drawing.title, *(step.caption for step in drawing.steps)])
        for look in (look for step in drawing.steps for look in step.changes.values()):
            words += " ".join(look.lines or ())
        english = set(re.findall(r"[A-Za-z]{3,}", words)) - {"tictactoe", "mcts", "UCT", "BESTCHILD"}
        assert not english
        check_drawing(drawing)


def test_the_path_is_lit_and_only_that_of_the_simulation_told():
    drawing = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=200, shown=6)
    lit_by = []
    for number, (simulation, _) in enumerate(phases(drawing), 1):
        lit = {index for index, look in enumerate(looks_after(drawing, number)) if look.edge == "best"}
        for index in lit:
            assert drawing.nodes[index].parent == 0 or drawing.nodes[index].parent in lit
        lit_by.append((simulation, lit))
    for simulation, group in itertools.groupby(lit_by, key=lambda pair: pair[0]):
        longest = max((lit for _, lit in group), key=len)
        assert len({drawing.nodes[index].parent for index in longest}) == len(longest), simulation  # one path, not two


def test_all_compared_children_show_their_terms():
    drawing = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=120, shown=1, player="mcts:solver=off")
    looks = looks_after(drawing, 1)
    terms = [look.lines[0] for node, look in zip(drawing.nodes, looks, strict=True) if node.parent == 0]
    assert len(terms) == 9
    bounds = []
    for text in terms:
        mean, exploration, bound = map(float, re.fullmatch(r"(.*) \+ (.*) = (.*)", text).groups())
        assert bound == pytest.approx(mean + exploration, abs=0.0016)
        bounds.append(bound)
    assert f"= {max(bounds):.3f}." in drawing.steps[0].caption
    assert "X compares 9 moves" in drawing.steps[0].caption


@pytest.mark.slow
def test_of_very_many_children_those_with_high_bounds_are_drawn():
    game = make_game("hex:size=9")
    drawing = simulations_drawing(game, game.initial, simulations=200, shown=2)
    check_drawing(drawing)
    assert sum(node.parent == 0 for node in drawing.nodes) == 10
    compared, beyond, bound = re.search(
        r"compares (\d+) moves.*= ([\d.]+)\. The (\d+) that", drawing.steps[0].caption
    ).group(1, 3, 2)
    assert int(compared) == 81
    assert int(beyond) == 71
    highest = float(re.search(r"at most ([\d.]+)\.", drawing.steps[0].caption)[1])
    assert highest <= float(bound)
    assert any(line.startswith("+") for line in looks_after(drawing)[0].lines)


def test_playouts_are_shown_as_a_few_boards_with_the_first_and_the_last():
    reversi = GAMES["reversi"]
    drawing = simulations_drawing(reversi, reversi.initial, simulations=3, shown=3)
    playouts = [step for step in drawing.steps if step.boards]
    assert len(playouts) == 3
    for step in playouts:
        assert len(step.boards) == 12
        length = int(re.search(r"simulation: (\d+) moves", step.caption)[1])
        assert step.boards[0][1] == drawing.nodes[step.focus].action
        assert step.boards[-1][1].startswith(f"{length}. ")
        assert len({svg for svg, _ in step.boards}) > 10
    with_boards = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=4, shown=1, boards=True)
    assert all(node.board for node in with_boards.nodes)
    without = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=4, shown=1, boards=False)
    assert not any(node.board for node in without.nodes)


def test_the_last_simulations_before_a_proof_are_shown():
    game = make_game("nim:piles=1,2")
    drawing = simulations_drawing(game, game.initial, simulations=10_000, shown=3)
    check_drawing(drawing)
    assert len({number for number, _ in phases(drawing)}) == 3
    assert drawing.steps[-2].caption.endswith("the root is a proven win for player 1.")
    assert drawing.steps[-1].caption.startswith("The search is over: the root is solved. ")
    assert "proven win" in looks_after(drawing)[0].lines


def test_a_proven_move_is_taken_and_needs_no_playout():
    states, _ = read_moves(TICTACTOE, "a1 b2 c3 c1")
    told = simulations_drawing(
        TICTACTOE, states[-1], simulations=500, shown=500, player="mcts:rollout=uniform,expansion=all"
    )
    assert any(re.search(r"takes \w\d, a proven win\.$", step.caption) for step in told.steps)
    # Where positions are shared, a proof is met that was found on another path.
    told = simulations_drawing(
        TICTACTOE, states[2], simulations=450, shown=80, player="mcts:c=0.5,rollout=uniform,transpositions=on"
    )
    assert any("no playout is needed, for the move is a proven draw: " in step.caption for step in told.steps)


def test_an_endgame_table_takes_the_place_of_playouts(tmp_path):
    _, history = read_moves(TICTACTOE, "b2")
    build_table(TICTACTOE, history).save(tmp_path / "after-b2.table")
    player = f"mcts:endgame={tmp_path / 'after-b2.table'}"
    told = simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=9, shown=9, player=player)
    check_drawing(told)
    known = [step for step in told.steps if "the endgame table knows how the game ends: 0.5 for X" in step.caption]
    assert [told.nodes[step.focus].action for step in known] == ["X b2"]


def test_whose_point_of_view_is_said():
    drawing = simulations_drawing(THREE, THREE.initial, simulations=20, shown=8)
    credits = [step.caption for step in drawing.steps if ", backpropagation: " in step.caption]
    assert any(re.search(r"cid 1 is cid's move, and cid gets 1: ", caption) for caption in credits)
    assert any("the root counts for ann, who gets 0.714: " in caption for caption in credits)
    dice = simulations_drawing(DICE, DICE.initial, simulations=30, shown=6)
    assert any(re.search(r"chance draws \d \(0\.\d\)", step.caption) for step in dice.steps)
    assert any(re.search(r"\(0\.\d\) counts for MAX, who gets", step.caption) for step in dice.steps)


# The answer ---------------------------------------------------------------------------------------------------------

ANSWER = re.compile(
    r"The search is over: (all its simulations are done|the root is solved)\. BESTCHILD with C = 0 takes (\S+?)"
    r"(?:, a proven (\w+))?; (?:its mean is the highest|no other move was tried, and its mean)[^/]*? (\d[\d.]*)/(\d+) "
    r"= ([\d.]+)\.(?: mcts plays (\S+?)[:,] .*)?"
)


def childrens_means(game, state, found):
    """Mean reward and visits of the moves that were tried, by their names, as the compiled search has them."""
    low, high = game.utilities
    tried = [child for child in found.children if child.visits]
    return {action_text(state, child.action): (child.mean - low) / (high - low) for child in tried}


@pytest.mark.parametrize("player", ["mcts", "mcts:final=secure", "mcts:solver=off,final=mean", "mcts:solver=off"])
def test_the_answer_is_that_of_the_compiled_search(player):
    disagreed = solved = 0
    starts = [(TICTACTOE, moves) for moves in ("", "a1 b2", "a1 b2 c3 c1")]
    for game, moves in [*starts, (GAMES["small reversi"], "")]:
        state = read_moves(game, moves)[0][-1]
        for simulations in (1, 5, 60):
            drawing = simulations_drawing(
                game, state, simulations=simulations, shown=2, player=player, seed=simulations
            )
            check_drawing(drawing)
            search = make_player(f"{player}{',' if ':' in player else ':'}seed={simulations}", game).new_search(game)
            found = search.search(state, Limit(simulations=simulations))
            last = drawing.steps[-1]
            ended, best, _, total, visits, mean, other = ANSWER.fullmatch(last.caption).groups()
            played = action_text(state, found.action)
            assert (other or best) == played
            assert drawing.nodes[last.focus].action == f"{game.seats[to_move(state)]} {played}"
            means = childrens_means(game, state, found)
            assert means[best] == pytest.approx(max(means.values()))
            assert float(mean) == pytest.approx(max(means.values()), abs=0.0006)
            assert float(total) / int(visits) == pytest.approx(float(mean), abs=0.0006)
            assert (ended == "the root is solved") == (found.simulations < simulations or found.complete)
            looks = looks_after(drawing)
            moved = [index for index, node in enumerate(drawing.nodes) if node.parent == 0]
            assert [index for index in moved if looks[index].edge == "best"] == [last.focus]
            disagreed += other is not None
            solved += ended == "the root is solved"
    assert disagreed or "final" in player
    assert not disagreed or "mean" not in player
    assert bool(solved) == ("solver" not in player)


COUNTED = {
    "view": 1,
    "root": {"Q": 7, "N": 16, "max": {"a": {"Q": 5, "N": 12, "min": [1, -1]}, "b": {"Q": 1, "N": 3, "min": [1, -1]},
                                      "c": {"Q": 1, "N": 1, "min": [1, -1]}}},
}  # fmt: skip


@pytest.mark.parametrize(
    ("player", "told", "lit"),
    [
        ("uct", " uct plays a: it has the most visits, 12.", "a"),
        ("mcts:solver=off,c=1,final=mean", "", "b"),
        (
            "mcts:solver=off,c=1,final=secure",
            " mcts plays a: its utility on average less 1/√N is the highest, −0.122.",
            "a",
        ),
        ("mcts:solver=off,c=1,final=agreement", " mcts would go on: a has the most visits, 12.", "b"),
    ],
)
def test_another_move_than_the_highest_mean_is_said_with_its_rule(player, told, lit):
    game = read_tree(COUNTED)
    drawing = simulations_drawing(game, game.initial, simulations=1, shown=1, player=player)
    best = "BESTCHILD with C = 0 takes b; its mean is the highest for MAX, 1 − 1/3 = 0.667."
    assert drawing.steps[-1].caption == f"The search is over: all its simulations are done. {best}{told}"
    assert drawing.nodes[drawing.steps[-1].focus].action == f"MAX {lit}"
    assert looks_after(drawing)[drawing.steps[-1].focus].edge == "best"


@pytest.mark.parametrize(
    ("tree", "said"),
    [
        ({"max": [-1, -1, {"min": [1, 1]}]}, r", a proven loss; .* mcts plays (\S+), which was not tried: .*"),
        ({"max": [{"min": [1, -1]}, {"min": [1, 1, -1]}]}, r" solved\. .* takes (\S+), a proven loss; (?!.* plays )"),
    ],
)
def test_what_is_proven_is_said_of_the_answer(tree, said):
    game, met = read_tree(tree), 0
    for seed in range(6):
        for simulations in (1, 2, 40):
            drawing = simulations_drawing(game, game.initial, simulations=simulations, shown=1, seed=seed)
            check_drawing(drawing)
            found = make_player(f"mcts:seed={seed}", game).new_search(game)
            played = action_text(game.initial, found.search(game.initial, Limit(simulations=simulations)).action)
            last = drawing.steps[-1]
            assert drawing.nodes[last.focus].action == f"MAX {played}"
            if proven := re.search(said, last.caption):
                assert proven[1] == played
                met += 1
    assert met


def test_where_chance_moves_at_the_root_there_is_no_answer():
    game = GAMES["chance first"]
    drawing = simulations_drawing(game, game.initial, simulations=9, shown=2)
    assert ", backpropagation: " in drawing.steps[-1].caption


# The tree -----------------------------------------------------------------------------------------------------------


@every_kind_of_game
def test_the_tree_of_every_kind_of_game(name):
    drawing = tree_drawing(GAMES[name], GAMES[name].initial, simulations=300, nodes=25, player="mcts:solver=off")
    check_drawing(drawing)
    assert len(drawing.nodes) <= 25
    assert "300 simulations" in drawing.title


@pytest.mark.parametrize("player", PLAYERS)
def test_the_tree_of_every_variant(player):
    check_drawing(tree_drawing(TICTACTOE, TICTACTOE.initial, simulations=300, nodes=25, player=player))


def test_drawn_and_counted_nodes_are_all_nodes():
    drawing = tree_drawing(TICTACTOE, TICTACTOE.initial, simulations=3000, nodes=40, player="mcts:solver=off", seed=3)
    total = int((nodes_of(grown(TICTACTOE, 3000, "mcts:solver=off"))["visits"] > 0).sum())
    hidden = [
        int(re.match(r"\+([\d,]+) nodes?$", line)[1].replace(",", ""))
        for look in looks_after(drawing)
        for line in look.lines
        if line.startswith("+")
    ]
    assert len(drawing.nodes) + sum(hidden) == total
    assert f"The tree has {total:,} nodes." in drawing.steps[-1].caption


def test_the_most_visited_nodes_are_drawn_with_thick_edges():
    simulations = 100_000
    game = make_game("connect4")
    drawing = tree_drawing(game, game.initial, simulations=simulations, seed=3)
    check_drawing(drawing)
    assert len(drawing.nodes) == 60
    looks = looks_after(drawing)
    visits = [int(look.lines[0].removesuffix("s").removesuffix(" visit").replace(",", "")) for look in looks]
    assert visits[0] == simulations
    for index, node in enumerate(drawing.nodes[1:], 1):
        assert visits[index] <= visits[node.parent]
        assert looks[index].width == pytest.approx(max(1.0, 14 * math.sqrt(visits[index] / simulations)))
    nodes = nodes_of(grown(game, simulations))
    assert sorted(visits)[-8:] == sorted(nodes["visits"])[-8:]
    assert sum(node.parent == 0 for node in drawing.nodes) == 7  # every move at the root, however few its visits
    line = [index for index, look in enumerate(looks) if look.edge == "best"]
    assert drawing.nodes[line[0]].parent == 0
    assert visits[line[0]] == max(visits[1:])
    share = float(re.search(r"has (\d+)% of the visits", drawing.steps[-1].caption)[1])
    assert share == pytest.approx(100 * max(visits[1:]) / simulations, abs=0.51)


def test_the_colour_is_the_mean_to_whoever_moved_there():
    game = read_tree({"max": [{"min": [1, 1]}, {"min": [-1, -1]}]})
    drawing = tree_drawing(game, game.initial, simulations=200, player="mcts:solver=off")
    tints = {node.action: look.tint for node, look in zip(drawing.nodes, looks_after(drawing), strict=True)}
    assert (tints["MAX 1"], tints["MAX 2"]) == (1.0, -1.0)
    assert tints["MIN 1"] in (1.0, -1.0)
    states, _ = read_moves(TICTACTOE, "a1 b2 c3 c1")
    solved = tree_drawing(TICTACTOE, states[-1], simulations=5000)
    assert "solved" in solved.title
    for look in looks_after(solved)[1:]:
        if "proven loss" in look.lines:  # whatever the mean was
            assert look.tint == -1.0


def test_the_steps_show_the_tree_growing():
    drawing = tree_drawing(TICTACTOE, TICTACTOE.initial, simulations=250, nodes=30)
    assert [re.match(r"After ([\d,]+) sim", step.caption)[1] for step in drawing.steps] == [
        "10",
        "20",
        "50",
        "100",
        "200",
        "250",
    ]
    seen = [sum(look.state == "done" for look in looks_after(drawing, number)) for number in range(1, 7)]
    assert seen == sorted(seen)
    assert seen[0] < seen[-1] == 30


# The example by hand ------------------------------------------------------------------------------------------------


WORKED_LEVELS = {  # Black's wins and visits, whether White compares, and the bound by the formula of the lecture
    "Black a": (7, 10, False, 1.252), "Black b": (5, 8, False, 1.242), "Black c": (0, 3, False, 1.007),
    "White d": (2, 4, True, 1.372), "White e": (5, 6, True, 0.879),
    "Black f": (1, 3, False, 1.341), "Black g": (1, 1, False, 2.745),
}  # fmt: skip


def test_the_worked_example_to_three_decimals():
    drawing = worked_example()
    check_drawing(drawing)
    start = {drawing.nodes[number].action: look.value for number, look in drawing.start.items()}
    assert start == {"": "12/21"} | {action: f"{wins}/{n}" for action, (wins, n, _, _) in WORKED_LEVELS.items()}
    assert drawing.nodes[0].name == "Black to move"
    looks = {node.action: look for node, look in zip(drawing.nodes, looks_after(drawing), strict=True)}
    for action, (wins, n, white, bound) in WORKED_LEVELS.items():
        mean = 1 - wins / n if white else wins / n
        assert f"{mean + math.sqrt(math.log(21) / n):.3f}" == f"{bound:.3f}"
        assert looks[action].lines[0].endswith(f" = {bound:.3f}")
        assert looks[action].lines[0].startswith(f"1 {MINUS} ") == white
    path = ["Black a", "White d", "Black g", "White h"]
    assert [action for action, look in looks.items() if look.edge == "best"] == path
    assert [looks[action].value for action in reversed(["", *path])] == ["0/1", "1/2", "2/5", "7/11", "12/22"]
    assert [looks[action].value for action in ("Black b", "Black c", "White e", "Black f")] == [
        "5/8",
        "0/3",
        "5/6",
        "1/3",
    ]
    assert [phase for _, phase in phases(drawing)] == [
        *["selection"] * 3, "expansion", "simulation", *["backpropagation"] * 5
    ]  # fmt: skip
    told = [step.caption for step in drawing.steps]
    assert "The slide has 1.243 at 5/8; it is 0.625 + 0.617 = 1.242." in told[0]
    assert "UCT takes ln 10 here, the visits of this node: 1.259 and 0.786" in told[1]
    assert "UCT takes ln 4 here: 1.013 and 2.177" in told[2]
    assert "White wins. 0 for Black, 1 for White" in told[4]
    assert told[-1] == (
        "The search is over: all its simulations are done. "
        "BESTCHILD with C = 0 takes a; its mean is the highest for Black, 7/11 = 0.636."
    )
    assert drawing.nodes[drawing.steps[-1].focus].action == "Black a"
    assert "Q/N, such as 7/10: the sum Q of Black's rewards" in drawing.legend
    assert "UCB, the upper confidence bound" in drawing.legend


# The opinion over time ------------------------------------------------------------------------------------------------


@every_kind_of_game
@pytest.mark.parametrize("log", [True, False])
def test_shares_sum_to_one_and_end_as_the_search_does(name, log):
    game = GAMES[name]
    player = "mcts:solver=off" if name == "nim" else "mcts"  # no other game is solved so soon
    found = opinion(game, game.initial, simulations=500, seed=3, log=log, player=player)
    assert np.allclose(found.shares.sum(axis=1), 1.0)
    assert (np.diff(found.moments) > 0).all()
    assert found.moments[-1] == 500
    assert (found.visits.sum(axis=1) == found.moments).all()
    nodes = nodes_of(grown(game, 500, player))
    children = nodes[nodes[0]["first"] : nodes[0]["first"] + nodes[0]["count"]]
    assert {int(c["action"]): int(c["visits"]) for c in children} == dict(
        zip(found.actions, found.visits[-1].tolist(), strict=True)
    )
    assert found.visits[-1].tolist() == sorted(found.visits[-1].tolist(), reverse=True)
    assert np.allclose(found.values[-1], found.totals[-1] / found.visits[-1])


def test_a_proof_ends_the_plot():
    states, _ = read_moves(TICTACTOE, "a1 b2 c3 c1")  # X wins by a3
    found = opinion(TICTACTOE, states[-1], simulations=100_000)
    assert found.solved
    assert found.moments[-1] < 100_000
    best = found.values[-1, found.actions.index(6)]
    assert best == 1.0
    assert "solved" in opinion_svg(TICTACTOE, states[-1], simulations=100_000)


def test_the_plot_names_the_most_visited_moves_and_sums_up_the_others():
    svg = opinion_svg(TICTACTOE, TICTACTOE.initial, simulations=2000, seed=3, moves=4, player="mcts:solver=off")
    root = ElementTree.fromstring(svg)
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert "5 others" in texts
    found = opinion(TICTACTOE, TICTACTOE.initial, simulations=2000, seed=3, player="mcts:solver=off")
    for action in found.actions[:4]:
        assert f"{'abc'[action % 3]}{action // 3 + 1}" in texts
    assert "others" not in opinion_svg(DICE, DICE.initial, simulations=100, log=False)
    # One move left over would be "1 others": it is named instead.
    assert "others" not in opinion_svg(TICTACTOE, TICTACTOE.initial, simulations=100, moves=8)


# Hostile input --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("draw", [simulations_drawing, tree_drawing, opinion_svg])
def test_what_cannot_be_drawn_is_refused_in_one_line(draw):
    def refused(message, error=BadOption, game=TICTACTOE, state=TICTACTOE.initial, **options):
        with pytest.raises(error, match=message) as caught:
            draw(game, state, **{"simulations": 20, **options})
        assert "\n" not in str(caught.value)

    refused("simulations must be at least 1, not 0", simulations=0)
    refused("'minimax' is not Monte Carlo tree search", player="minimax")
    refused("leave out threads", player="mcts:threads=2")
    refused("c must be at least 0", player="mcts:c=-1")
    refused("has no option 'd'", error=SpecError, player="mcts:d=1")
    refused("solver=on needs two players", game=THREE, state=THREE.initial, player="mcts:solver=on")
    refused("fills its 0.05 MB", simulations=10_000, player="mcts:memory=0.05,solver=off")
    states, _ = read_moves(TICTACTOE, "a1 a2 b1 b2 c1")
    refused("the game is over", error=IllegalAction, state=states[-1])
    hidden = replace(TICTACTOE, axes=replace(TICTACTOE.axes, hidden=True))
    refused("needs perfect information", error=UnsuitableGame, game=hidden)


def test_too_little_to_draw():
    with pytest.raises(BadOption, match="at least 1 simulation must be shown, not 0"):
        simulations_drawing(TICTACTOE, TICTACTOE.initial, simulations=5, shown=0)
    with pytest.raises(BadOption, match="at least 2 nodes must be drawn, not 1"):
        tree_drawing(TICTACTOE, TICTACTOE.initial, simulations=5, nodes=1)
    with pytest.raises(BadOption, match="at least 1 move must be shown, not 0"):
        opinion_svg(TICTACTOE, TICTACTOE.initial, simulations=5, moves=0)
