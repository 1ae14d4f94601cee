"""Find the bug in an `AIPlayer` of Reversi: right players of several kinds pass, mistakes are found at their place."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from plyground.core.rules import actions, grid, parse_action, result, to_move
from plyground.course.find_the_bug.comparing import compare
from plyground.course.find_the_bug.tasks import GAMES, game_task, reversi_tasks, tree_task
from plyground.course.handins.assignments import make_assignment, write_handout
from plyground.errors import BadOption, PlayerFailed

HERE = Path(__file__).parent / "players"


def first_task():
    return [next(iter(reversi_tasks()))]


def changed(tmp_path, name, *changes):
    text = (HERE / f"{name}.py").read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    file = tmp_path / "ai_player.py"
    file.write_text(text, encoding="utf-8")
    return file


PASS_IS_A_NODE = [
    (
        "        self.color = color if list(board.get_legal_actions(color)) else other(color)\n",
        "        self.color = color\n",
    ),
    (
        "        random.shuffle(self.untried)\n",
        "        if not self.untried and list(board.get_legal_actions(other(color))):\n"
        '            self.untried = ["pass"]\n',
    ),
    ("after._move(action, node.color)", 'action == "pass" or after._move(action, node.color)'),
]
BY_MARGIN = [
    ("return board.get_winner()[0]", 'return board.count("X") - board.count("O")'),
    ("0.5 if winner == 2 else float(winner == mover)", "winner / 64 * (1 - 2 * mover)"),
]


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("alphabeta", []),
        pytest.param(
            "alphabeta",
            [("self.alphabeta(board, 3, best,", "self.alphabeta(board, 3, -math.inf,")],
            marks=pytest.mark.slow,
        ),
        ("negamax", []),
        ("uct", []),
        ("uct", PASS_IS_A_NODE),
        pytest.param("uct", BY_MARGIN, marks=pytest.mark.slow),
    ],
    ids=["alphabeta", "root without a window", "negamax", "uct", "a pass is a node", "rewards by margin"],
)
def test_right_players_pass(tmp_path, name, changes):
    found = compare(changed(tmp_path, name, *changes), first_task())
    assert (found.difference, found.algorithm) == (None, "uct" if name == "uct" else "alphabeta")
    assert ("It was stopped when enough had been seen" in "".join(found.remarks)) == (name == "uct")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["alphabeta", "negamax", "uct"])
@pytest.mark.parametrize("seed", range(8))
def test_right_players_pass_in_every_position(name, seed):
    assert compare(HERE / f"{name}.py", seed=seed, timeout=60.0).difference is None


UNDO = "            board.backpropagation(action, flipped, color)\n"
PASSES = "            return self.alphabeta(board, depth - 1, alpha, beta, other(color))\n"
PLAYOUT_PASSES = """                color = other(color)
                moves = list(board.get_legal_actions(color))
                if not moves:
                    return board.get_winner()[0]
"""
MISTAKES = {
    "pass": ("alphabeta", [(PASSES, "            return self.evaluate(board)\n")], "stops_at_pass", "pass"),
    "no undo": ("alphabeta", [(UNDO, "")], "colour", "no_copy"),
    "exchanged": (
        "alphabeta", [("= -math.inf if color == self.color else math.inf", "= -math.inf"), ("min(value", "max(value")],
        "value", "exchanged",
    ),
    "swapped": ("alphabeta", [("child = self.alphabeta(board, depth - 1, alpha, beta",
                               "child = self.alphabeta(board, depth - 1, beta, alpha")], "window", "swapped"),
    "colour": ("alphabeta", [("beta, other(color))\n            board", "beta, color)\n            board")],
               "colour", "turn"),
    "a move": ("alphabeta", [("return found", "return list(board.get_legal_actions(self.color))[1]")], "move", ""),
    "sign": ("negamax", [("return -self.negamax(", "return self.negamax(")], "value", "exchanged"),
    "no pass in negamax": ("negamax", [("if any(True for _ in copy.get_legal_actions(other)):", "if True:")],
                           "stops_at_pass", "pass"),
    "no copy": ("negamax", [("copy = deepcopy(board)", "copy = board")], "colour", "no_copy"),
    "uct sign": ("uct", [("node.parent.color)\n", "self.color)\n")], "backup", "uct_sign"),
    "uct sign where a pass is a node": ("uct", [*PASS_IS_A_NODE, ("index(node.parent.color)", "index(node.color)")],
                                        "backup", "wrong_player"),
    "root visits": ("uct", [("math.log(parent.visits)", "math.log(self.root.visits)"),
                            ("root = Node(", "root = self.root = Node(")], "choice", "root_visits"),
    "playout without passes": ("uct", [(PLAYOUT_PASSES, "                return board.get_winner()[0]\n")],
                               "not_over", "pass"),
    "playout on the node's board": ("uct", [("deepcopy(node.board), node.color)", "node.board, node.color)")],
                                    "uncounted", "no_copy"),
    "forgotten": ("uct", [("random.shuffle(self.untried)", "self.untried = self.untried[1:] or self.untried")],
                  "forgotten", "forgotten_action"),
}  # fmt: skip


QUICK = ("pass", "no undo", "uct sign", "uct sign where a pass is a node", "playout without passes", "forgotten")


@pytest.mark.parametrize(
    "mistake", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in MISTAKES]
)
def test_a_mistake_is_found_at_its_place(tmp_path, mistake):
    name, changes, kind, cause = MISTAKES[mistake]
    found = compare(changed(tmp_path, name, *changes), first_task())
    assert found.difference is not None
    assert (found.difference.kind, found.difference.cause) == (kind, cause)
    positions = [list(row) for row in found.board]
    assert len(positions) == 8
    assert found.drawing is not None
    at = found.drawing.steps[-1].focus
    assert found.drawing.nodes[at].board.startswith("<svg")
    assert "{" not in found.text + found.cause


LEAVES_A_MOVE = """
class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        moves = list(board.get_legal_actions(self.color))
        board._move(moves[0], self.color)
        return moves[0]

    def minimax(self, board):
        return self.minimax(board)
"""


def test_a_board_that_is_left_changed_is_said_to_be_so(tmp_path):
    file = tmp_path / "ai_player.py"
    file.write_text(LEAVES_A_MOVE, encoding="utf-8")
    found = compare(file, first_task())
    assert (found.difference.kind, found.difference.cause) == ("changed", "no_copy")
    assert (
        found.text
        == f"At the end the board that your player was given is not as it was: {found.path[0]} is still on it."
    )


def test_the_sides_are_named_in_the_readers_language(tmp_path):
    name, changes, _, _ = MISTAKES["uct sign where a pass is a node"]
    found = compare(changed(tmp_path, name, *changes), first_task(), lang="zh")
    assert "黑方所得的总和" in found.text


def test_the_position_is_that_of_the_path(tmp_path):
    name, changes, _, _ = MISTAKES["pass"]
    task = first_task()[0]
    found = compare(changed(tmp_path, name, *changes), [task])
    state = task.state
    for move in found.path:
        state = result(state, parse_action(state, move))
    assert tuple(grid(state).cells) == found.board
    assert found.text.startswith(f"After {' '.join(found.path)}: yours goes no deeper, but the game is not over")


def test_the_positions_have_a_choice_for_both_colours():
    for seed in range(8):
        tasks = list(reversi_tasks(seed))
        assert [to_move(task.state) for task in tasks] == [0, 1, 0]
        assert len(tasks) == len(GAMES)
        for task in tasks:
            assert 3 <= len(actions(task.state)) <= 6


def test_the_file_that_is_given_out_has_nothing_to_be_seen_yet(command):
    write_handout(make_assignment("reversi"), command.folder)
    done = command("course", "compare", "ai_player.py")
    assert done.stdout.startswith("ai_player.py: Nothing was seen of your search: a search is a function that calls")
    told = json.loads(command("course", "compare", "ai_player.py", "--json").stdout)
    assert (told["kind"], len(told["board"])) == ("unseen", 8)


def test_what_a_player_cannot_be_compared_on():
    with pytest.raises(BadOption, match="has a player of Reversi; leave out --tree, or give --game reversi"):
        compare(HERE / "uct.py", [tree_task("worked")])
    with pytest.raises(BadOption, match="has a player of Reversi"):
        compare(HERE / "uct.py", [game_task("reversi:size=4")])
    with pytest.raises(BadOption, match="looks as deep as it likes; leave out --depth"):
        compare(HERE / "alphabeta.py", [game_task("reversi", "", 3)])


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("return 1 / 0", "ai_player.py, line 5: ZeroDivisionError: division by zero (return 1 / 0)"),
        ("while True: pass", "ai_player.py did not come to an end in 1 seconds"),
    ],
)
def test_a_player_that_fails_is_told_in_one_line(tmp_path, body, says):
    file = tmp_path / "ai_player.py"
    text = "class AIPlayer:\n    def __init__(self, color):\n        pass\n    def get_move(self, board):\n"
    file.write_text(f"{text}        {body}\n", encoding="utf-8")
    with pytest.raises(PlayerFailed) as caught:
        compare(file, first_task(), timeout=1.0)
    assert str(caught.value).startswith(says)
