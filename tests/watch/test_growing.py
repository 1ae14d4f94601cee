"""Pictures of searches while they run."""

from __future__ import annotations

import math
from contextlib import nullcontext

import numpy as np
import pytest

from plyground.core.limits import Limit
from plyground.core.notation import read_moves
from plyground.core.rules import action_text, actions, result
from plyground.games import make_game
from plyground.games.tree import read_tree
from plyground.native.compiling import interpreted
from plyground.pictures.tree import tree_data, tree_text
from plyground.players import Move, Position, make_player
from plyground.search.minimax import minimax_search
from plyground.watch.growing import Growing, grown_tree
from plyground.watch.mcts_run import MctsRun
from plyground.watch.search_numbers import plain


def grown(simulations: int, *, large: bool = False):
    game = make_game("tictactoe")
    run = MctsRun(game, game.initial, simulations, "mcts:solver=off")
    run.run(simulations)
    return grown_tree(game, game.initial, run.tree, run.variant, run.settings, large=large), run


def test_a_tree_as_it_stands_shows_its_most_visited_moves_with_their_visits():
    drawing, run = grown(2000)
    assert drawing.steps == []
    assert drawing.start[0].lines == ("2,000 visits",)
    roots = [number for number, node in enumerate(drawing.nodes) if node.parent == 0]
    visits = [int(drawing.start[number].lines[0].split()[0].replace(",", "")) for number in roots]
    nodes = run.tree.nodes
    first = int(nodes[0]["first"])
    assert sorted(visits) == sorted(nodes["visits"][first : first + 9].tolist())[-len(roots) :]
    lit = [number for number in roots if drawing.start[number].edge == "best"]
    assert [visits[roots.index(number)] for number in lit] == [max(visits)]


def test_a_large_picture_has_more_nodes_and_no_picture_is_deep():
    small, large = grown(3000)[0], grown(3000, large=True)[0]
    assert len(small.nodes) < len(large.nodes)

    def depth(drawing, number):
        parent = drawing.nodes[number].parent
        return 0 if parent is None else 1 + depth(drawing, parent)

    assert max(depth(small, number) for number in range(len(small.nodes))) <= 3


def test_a_tree_can_be_shown_before_the_first_simulation():
    game = make_game("tictactoe")
    run = MctsRun(game, game.initial, 10)
    drawing = grown_tree(game, game.initial, run.tree, run.variant, run.settings)
    assert len(tree_data(drawing)["nodes"]) == 1


class Watched:
    """A player's choice in a position, and its search as it was left."""

    def __init__(self, game, spec, moves="", *, large=False, lang="en", compiled=True):
        self.game = make_game(game) if isinstance(game, str) else game
        states, history = read_moves(self.game, moves)
        self.state = states[-1]
        self.player = make_player(spec, self.game, seed=1)
        with nullcontext() if compiled else interpreted():
            self.player.prepare(self.game)
            self.move = self.player.choose(Position(self.game, self.state, tuple(history)), Limit())
        found = Growing(self.game, self.state, lang, large=large).drawing(self.player, self.move)
        self.drawing, self.legend = found

    def children(self, number=0):
        return [n for n, node in enumerate(self.drawing.nodes) if node.parent == number]

    def look(self, action):
        """How the root's move looks that people write so."""
        number = next(n for n in self.children() if self.drawing.nodes[n].action.endswith(f" {action}"))
        return self.drawing.start[number]


@pytest.fixture(scope="module")
def watched():
    return Watched("connect4", "alphabeta:depth=8,ties=first", "4")


def test_alpha_beta_shows_its_window_and_the_windows_of_its_moves(watched):
    root = watched.drawing.start[0]
    best = watched.move.value
    assert root.lines[:2] == ("depth 8", f"α = {plain(best)}, β = 1")
    glimpse = watched.player.glimpse()
    assert glimpse.moves[0].window == (-1.0, 1.0)
    alpha = -1.0
    for move in glimpse.moves:
        assert move.window == (alpha, 1.0)
        alpha = max(alpha, move.low)
    assert alpha == best
    assert len(glimpse.moves) == 7


def test_the_values_and_bounds_that_are_shown_are_true(watched):
    """Whatever the picture says of a move holds for its minimax value at the same depth."""
    glimpse = watched.player.glimpse()
    exact = make_player("alphabeta:depth=8,lines=7,ties=first", watched.game)
    values = {line[0]: value for value, line in exact.choose(Position(watched.game, watched.state), Limit()).lines}
    assert len(values) == 7
    assert all(move.low <= values[move.action] <= move.high for move in glimpse.moves)
    assert sum(move.low == move.high for move in glimpse.moves) >= 1


def test_a_node_that_was_cut_shows_the_move_that_was_enough_and_strikes_the_others(watched):
    struck = [n for n, look in watched.drawing.start.items() if look.edge == "cut"]
    assert struck
    for number in struck:
        node, look = watched.drawing.nodes[number], watched.drawing.start[number]
        above = watched.drawing.start[node.parent]
        siblings = [n for n in watched.children(node.parent) if n != number]
        assert len(siblings) == 1  # the move that was enough
        assert node.action.endswith((" move", " moves"))
        kind = "α" if watched.drawing.nodes[node.parent].shape == "min" else "β"
        assert look.note.startswith(f"{kind} cut: ")
        assert above.value.startswith("≤" if kind == "α" else "≥")


def test_the_table_holds_what_a_search_of_the_position_would_say(watched):
    """Every bound that the glimpse reads below the root is one on the minimax value at that depth."""
    glimpse = watched.player.glimpse()
    checked = 0
    for action in actions(watched.state):
        after = result(watched.state, action)
        known = glimpse.known(after)
        value = minimax_search(after, Limit(depth=int(known.depth))).value  # to whoever replies
        assert known.low <= -value <= known.high
        checked += known.depth == 7
    assert checked >= 4
    assert glimpse.known(watched.game.initial) is None


def test_the_cuts_are_counted_as_the_search_counts_them(watched):
    glimpse = watched.player.glimpse()
    assert glimpse.cuts == watched.move.cuts > glimpse.first_cuts > glimpse.cuts / 2
    assert glimpse.nodes == watched.move.nodes


@pytest.mark.parametrize(
    "spec",
    [
        "pvs:depth=6",
        *(pytest.param(spec, marks=pytest.mark.slow) for spec in ("mtdf:depth=6", "alphabeta:depth=6,tt=0,order=none")),
    ],
)
def test_every_search_of_the_family_can_be_watched(spec):
    watched = Watched("tictactoe", spec, "b2", lang="zh")
    text = tree_text(watched.drawing)
    assert "深度 6" in text
    assert ("剪枝" in text) == ("tt=0" not in spec)
    assert ("α = " in text) == ("mtdf" not in spec)
    assert watched.drawing.start[watched.children()[0]].edge == "best"


def test_minimax_shows_the_values_of_the_moves_that_are_finished():
    watched = Watched("tictactoe", "minimax:depth=3,ties=first", "b2", large=True)
    found = minimax_search(watched.state, Limit(depth=3))
    shown = {watched.drawing.nodes[n].action.split()[1]: watched.drawing.start[n].value for n in watched.children()}
    assert shown == {action_text(watched.state, a): plain(value) for a, value in found.values.items()}
    assert "minimax cuts nothing" in watched.legend


@pytest.mark.parametrize("spec", ["minimax", "alphabeta", "expectiminimax", "paranoid", "pvs"])
def test_wins_and_losses_are_written_as_utilities_beside_a_board(spec):
    """The points of a lecture, in which a loss is −∞, are not those of the graph and of the hints."""
    watched = Watched("tictactoe", f"{spec}:ties=first", "a1 b2 c3 c1", large=True, compiled=False)
    assert "∞" not in tree_text(watched.drawing).replace("β = +∞", "").replace("α = −∞", "")
    assert watched.drawing.start[0].value == "1"  # a3 makes two threats
    assert "−1" in {watched.look(move).value.removeprefix("≤ ") for move in ("a2", "b1")}
    if spec in ("minimax", "alphabeta"):
        assert "α = −∞" not in tree_text(watched.drawing)


def test_the_end_of_a_game_shows_its_result():
    watched = Watched("tictactoe", "alphabeta:ties=first", "a1 b2 c3 c1", compiled=False)
    ends = [n for n, node in enumerate(watched.drawing.nodes) if node.shape == "leaf" and node.action[0] in "XO"]
    values = {watched.drawing.nodes[n].action.split()[0]: watched.drawing.start[n].value for n in ends}
    assert values == {"X": "1", "O": "−1"}


COIN = read_tree({"max": {"sure": 2, "bet": {"chance": {"heads": [0.25, 12], "tails": [0.75, {"min": [0, 1]}]}}}})
THREE = read_tree({"player": 0, "children": [{"player": 1, "children": [[1, 2, 6], [4, 3, 3]]}, [2, 0, 5]]})


def test_searches_with_chance_show_their_moves_and_what_chance_may_do():
    watched = Watched(COIN, "expectiminimax:ties=first", compiled=False)
    assert tree_text(watched.drawing).splitlines() == [
        "▲ 3  MAX to move  depth 2  α = 3, β = +∞",
        "┝━ MAX bet  ○ 3  α = −∞, β = +∞",
        "│  ├─ tails (0.75)  ▼",
        "│  └─ heads (0.25)  ■ 12",
        "└─ MAX sure  ■ 2  α = 3, β = +∞",
    ]
    assert "○ chance" in watched.legend


def test_searches_for_many_players_show_what_everybody_gets():
    watched = Watched(THREE, "maxn:ties=first", compiled=False)
    assert tree_text(watched.drawing).splitlines() == [
        "◆ (4, 3, 3)  player 1 to move  depth 2",
        "┝━ player 1 1  ◆ (4, 3, 3)",
        "│  ┕━ player 2 2  ■ (4, 3, 3)",
        "└─ player 1 2  ■ (2, 0, 5)",
    ]
    assert "what each player gets" in watched.legend


@pytest.mark.parametrize("spec", ["expectiminimax:nodes=3000", "maxn:nodes=3000", "paranoid:nodes=3000"])
def test_what_a_search_without_a_table_has_finished_is_seen_while_it_runs(spec):
    game = make_game("tictactoe")
    player = make_player(spec, game, seed=1)
    with interpreted():
        player.choose(Position(game, game.initial), Limit())
    glimpse = player.glimpse()
    assert len(glimpse.before) == 9 > len(glimpse.moves)
    assert player.thoughts().depth == glimpse.depth - 1
    exact = [move for move in glimpse.before if move.low == move.high]
    assert player.thoughts().value == max(move.low for move in exact)
    assert all(move.line[0] == move.action for move in glimpse.before)


def test_a_minimax_that_is_interrupted_shows_what_it_has_and_what_it_had():
    game = make_game("tictactoe")
    player = make_player("minimax:nodes=3000", game, seed=1)
    player.choose(Position(game, game.initial), Limit())
    glimpse = player.glimpse()
    assert len(glimpse.before) == 9 > len(glimpse.moves)
    assert player.thoughts().depth == glimpse.depth - 1
    drawing = Growing(game, game.initial, large=True).drawing(player, player.thoughts())[0]
    depths = [drawing.start[n].lines for n, node in enumerate(drawing.nodes) if node.parent == 0]
    assert (f"depth {glimpse.depth - 1}",) in depths


def test_flat_monte_carlo_shows_its_playouts_move_by_move():
    watched = Watched("tictactoe", "flat:simulations=900", "b2 a1")
    shown = {watched.drawing.start[n].lines for n in watched.children()}
    assert shown == {("129 games",), ("128 games",)}  # 900 dealt evenly to seven moves
    assert watched.drawing.start[0].lines == ("+1 move",)
    assert watched.player.thoughts().action == watched.move.action
    assert watched.drawing.start[0].value == plain(watched.move.value)


def test_the_engine_shows_what_its_table_holds():
    watched = Watched("reversi", "engine:depth=8", "f5d6c3d3c4")
    engine, mover = watched.player.engine, watched.state.turn
    for action in actions(watched.state):
        after = result(watched.state, action)
        known = watched.player.glimpse().known(after)
        if known is not None and math.isfinite(known.depth) and after.turn != mover:
            assert known.low <= known.high
            assert known.depth <= 8
    best = result(watched.state, watched.move.action)
    known = watched.player.glimpse().known(best)
    assert known.low <= watched.move.value * 64 <= known.high
    assert engine.known(best).low == -known.high
    assert "table of the engine" in watched.legend
    over = watched.state._replace(own=np.uint64(1), opponent=np.uint64(0))
    assert watched.player.glimpse().known(over).low == 64  # empty squares go to the winner
    assert watched.player.glimpse().known(over._replace(turn=1 - mover)).high == -64


def test_a_weak_level_shows_the_moves_that_it_has_judged():
    watched = Watched("reversi", "engine:level=3", "f5")
    assert len(watched.children()) == 3
    assert all(watched.drawing.start[n].value for n in watched.children())


def test_a_move_from_the_book_says_so_and_not_what_was_searched_before():
    watched = Watched("reversi", "engine:level=14", "f5")
    assert watched.player.glimpse().kind == "book"
    assert watched.legend.startswith("Known by heart")
    assert [node.parent for node in watched.drawing.nodes][:2] == [None, 0]
    assert len(watched.children()) == 1


def test_a_random_player_has_nothing_to_show():
    game = make_game("tictactoe")
    assert Growing(game, game.initial).drawing(make_player("random", game), Move(0)) is None


def test_a_tree_of_the_last_move_is_not_shown_for_this_one():
    """While the memory for a new tree is made, the old one is still there."""
    game = make_game("tictactoe")
    player = make_player("mcts:simulations=50", game, seed=1)
    player.prepare(game)
    player.choose(Position(game, game.initial), Limit())
    seen = []
    search = player.search
    fresh = search._starting_trees
    search._starting_trees = lambda *arguments: (seen.append((player.thoughts(), search.growing)), fresh(*arguments))[1]
    after = result(game.initial, 4)
    player.choose(Position(game, after, (4,)), Limit())
    assert seen == [(None, None)]
    assert player.thoughts() is not None
