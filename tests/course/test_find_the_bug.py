"""Find the bug: right programs of many kinds pass, every mistake is found at its node, nothing brings it down."""

from __future__ import annotations

import contextlib
import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.course.find_the_bug.comparing import compare
from plyground.course.find_the_bug.depth_first import compare_depth_first
from plyground.course.find_the_bug.examples import EXAMPLES
from plyground.course.find_the_bug.observing import StudentProgram
from plyground.course.find_the_bug.simulations import compare_simulations, simulations_of
from plyground.course.find_the_bug.tasks import Task, game_task, tree_task
from plyground.course.find_the_bug.words import words
from plyground.course.handins.assignments import make_assignment, write_handout
from plyground.errors import BadOption, FormatError, PlayerFailed, UnknownName
from plyground.games.tree import read_tree

HERE = Path(__file__).parent
RIGHT = {path.stem: path for path in sorted((HERE / "right").glob("*.py"))}
RIGHT |= {f"bundled {one.name}": one.file for one in EXAMPLES.values() if one.right}
DEPTH_FIRST = [name for name in RIGHT if "uct" not in name]
UCT = [name for name in RIGHT if "uct" in name]


@pytest.fixture(scope="module")
def program():
    """Programs by their files, each started once."""
    started: dict[Path, StudentProgram] = {}
    with contextlib.ExitStack() as stack:

        def start(file: Path) -> StudentProgram:
            if file not in started:
                started[file] = stack.enter_context(StudentProgram(file))
                assert started[file].failure is None
            return started[file]

        yield start


def first_difference(program: StudentProgram, task: Task):
    observed = program.observe(task)
    if program.algorithm == "uct":
        return observed, compare_simulations(observed)
    return observed, compare_depth_first(observed, program.algorithm, program.function, program.takes)


# Trees, and what they are worth by the definition alone


def nodes(levels: int, mover: int):
    leaf = st.integers(-3, 3)
    if levels == 0:
        return leaf
    kind = ("max", "min")[mover]
    return st.lists(nodes(levels - 1, 1 - mover) | leaf, min_size=1, max_size=3).map(lambda below: {kind: below})


trees = st.tuples(st.integers(1, 4), st.integers(0, 1)).flatmap(lambda shape: nodes(*shape))


def as_task(root) -> Task:
    game = read_tree(root)
    return Task("a random tree", game, game.initial)


def worth(node) -> float:
    if isinstance(node, int):
        return node
    ((kind, below),) = node.items()
    return (max if kind == "max" else min)(map(worth, below))


@settings(max_examples=40)
@given(trees)
def test_no_right_program_is_blamed(program, root):
    for name in DEPTH_FIRST:
        observed, found = first_difference(program(RIGHT[name]), as_task(root))
        assert observed.failure is None
        assert found is None, name


WRONG_VALUES = ["sign", "exchanged", "early_return", "swapped"]


@settings(max_examples=40)
@given(trees)
def test_no_wrong_value_is_passed(program, root):
    """Whatever is said in detail: a program that returns a wrong value at the root is never called right."""
    for name in WRONG_VALUES:
        for file in (HERE / "bugs" / f"{name}.py", EXAMPLES[name].file):
            observed, found = first_difference(program(file), as_task(root))
            value = observed.value
            if "negamax" in program(file).function or "textbook" in file.read_text(encoding="utf-8"):
                value = None if value is None else value if "max" in root else -value
            if value is not None and not math.isclose(value, worth(root)):
                assert found is not None, (file, root)
                assert not found.costs


def test_an_unneeded_look_is_only_a_matter_of_time(program):
    numbers = random.Random(4)
    seen = 0
    for _ in range(60):
        levels, mover = numbers.randint(1, 4), numbers.randint(0, 1)
        root = random_root(numbers, levels, mover)
        observed, found = first_difference(program(EXAMPLES["strict"].file), as_task(root))
        assert observed.value == worth(root)
        assert found is None or (found.costs and found.cause == "strict")
        seen += found is not None
    assert seen > 5


def random_root(numbers: random.Random, levels: int, mover: int):
    if levels == 0:
        return numbers.randint(-3, 3)
    below = [random_root(numbers, levels - 1, 1 - mover) for _ in range(numbers.randint(1, 3))]
    return {("max", "min")[mover]: below}


@pytest.mark.parametrize("name", DEPTH_FIRST)
def test_right_programs_pass_in_games_too(program, name):
    limited = "depth" in program(RIGHT[name]).takes
    tasks = [game_task("tictactoe", "a1 b1 b2 c3", 9 if limited else None)]
    if limited:
        tasks += [game_task("tictactoe", "b2", 2), game_task("reversi:size=4", "", 3)]
    for task in tasks:
        assert first_difference(program(RIGHT[name]), task)[1] is None


@pytest.mark.parametrize("name", UCT)
def test_right_simulations_pass(program, name):
    for seed in range(2):
        for spec, moves in (("tictactoe", "b2 a1"), ("tictactoe", ""), ("reversi:size=4", "")):
            task = game_task(spec, moves, simulations=50, seed=seed)
            observed, found = first_difference(program(RIGHT[name]), task)
            assert observed.failure is None
            assert found is None, (spec, moves, seed)
            assert len(simulations_of(observed)) == 50


def test_the_same_seed_is_the_same_search(program):
    task = game_task("tictactoe", simulations=30, seed=5)
    one, other = (program(RIGHT["bundled uct"]).observe(task).events for _ in range(2))
    assert one == other


# Mistakes


BUNDLED = {
    "sign": ("window", "a1 b2", "sign"),
    "strict": ("missed_cut", "2", "strict"),
    "swapped": ("window", "a1 b1", "swapped"),
    "exchanged": ("value", "", "exchanged"),
    "early_return": ("early", "a1", "at_once"),
    "depth": ("stops", "1", "depth"),
    "passes": ("stops", "a", "pass"),
    "no_copy": ("illegal", "a1", "no_copy"),
    "uct_sign": ("backup", "c2", "uct_sign"),
    "root_visits": ("choice", "a3", "root_visits"),
    "forgotten_action": ("forgotten", "", "forgotten_action"),
    "wrong_player": ("backup", "c2", "wrong_player"),
}
WRITTEN = {
    "sign": ("value", "a1", "sign"),
    "strict": ("missed_cut", "2", "strict"),
    "swapped": ("early", "a1", "at_once"),
    "exchanged": ("window", "a1 b2", "exchanged"),
    "early_return": ("early", "", "at_once"),
    "depth": ("deeper", "1 1", "depth"),
    "passes": ("not_over", "a", "pass"),
    "no_copy": ("illegal", "a3", "no_copy"),
    "uct_sign": ("backup", "c1", "uct_sign"),
    "root_visits": ("choice", "c1", "root_visits"),
    "forgotten_action": ("forgotten", "", "forgotten_action"),
    "wrong_player": ("backup", "c2", "wrong_player"),
}


def test_every_mistake_is_there():
    assert set(BUNDLED) == {one.name for one in EXAMPLES.values() if not one.right}
    assert set(WRITTEN) == {path.stem for path in (HERE / "bugs").glob("*.py")} == set(BUNDLED)


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize(
    ("file", "expected"),
    [(EXAMPLES[name].file, expected) for name, expected in BUNDLED.items()]
    + [(HERE / "bugs" / f"{name}.py", expected) for name, expected in WRITTEN.items()],
    ids=[f"bundled {name}" for name in BUNDLED] + list(WRITTEN),
)
def test_each_mistake_is_found_at_its_node(file, expected, lang):
    found = compare(file, lang=lang)
    assert found.difference is not None
    assert (found.difference.kind, " ".join(found.path), found.difference.cause) == expected
    assert words(lang)(f"cause_{expected[2]}") in found.cause
    assert found.drawing is not None
    marked = found.drawing.steps[-1]
    assert marked.caption == found.text
    (look,) = (look for look in marked.changes.values() if look.state == "open")
    if found.yours:
        assert words(lang)("yours", value=found.yours) in look.lines
        assert words(lang)("right", value=found.right) in look.lines
    assert "{" not in found.text + found.cause + found.besides


def test_the_sentence_says_where_and_what():
    assert compare(HERE / "bugs" / "sign.py", [tree_task("worked")]).text == (
        "At B (after a1): yours returns −3, the right value is 3: MIN takes the smallest of 3, 12, 8."
    )
    cut = compare(EXAMPLES["strict"].file, [tree_task("((3 12 8) (3 4 6))")])
    assert cut.text == (
        "At C (after 2), after move 1: yours goes on to move 2, the right search cuts here, since v ≤ α (3 ≤ 3)."
    )
    assert cut.difference.costs
    assert (cut.yours, cut.right, cut.node) == ("goes on", "cuts here", "C")


def student(tmp_path, text: str) -> Path:
    file = tmp_path / "student.py"
    file.write_text(text, encoding="utf-8")
    return file


def changed(tmp_path, name: str, *changes: tuple[str, str]) -> Path:
    text = EXAMPLES[name].file.read_text(encoding="utf-8")
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    return student(tmp_path, text)


@pytest.mark.parametrize(
    ("name", "changes", "kind", "cause"),
    [
        ("alphabeta", [("best = -inf", "best = 0")], "window", "first_best"),
        ("alphabeta", [("best = min(best, value)", "best = value")], "value", "last"),
        ("alphabeta", [("beta = min(beta, best)", "pass")], "window", "not_narrowed"),
        ("alphabeta", [("beta, True, game)", "beta, False, game)")], "turn", "turn"),
        ("minimax", [("utility(state)", "utility(state, game.players[1])")], "leaf", "leaf_sign"),
        ("minimax", [("not maximizing", "True")], "turn", "exchanged"),
        ("minimax", [("    return best", "    return None")], "nothing", ""),
        ("minimax", [("        state.play(action)\n", ""), ("        state.undo()\n", "")], "same", ""),
        ("minimax", [("game.actions(state):", "game.actions(state) * 2:")], "again", ""),
        ("minimax", [("game.actions(state):", "game.actions(state)[:1]:")], "early", "early_return"),
        ("negamax", [("-beta, -alpha, -color", "alpha, beta, -color")], "window", "window_sign"),
        ("uct", [("c * sqrt(2 * log(node.N) / child.N)", "0")], "choice", "no_exploration"),
        ("uct", [("return max(node.children", "return min(node.children")], "choice", ""),
        ("uct", [("log(node.N) / child.N", "log(child.N) / node.N")], "choice", "swapped_visits"),
        ("uct", [("key=lambda child: child.N)", "key=lambda child: -child.N)")], "final_move", ""),
        ("uct", [("    while node is not None:", "    while node.parent is not None:")], "uncounted", ""),
        ("uct", [("default_policy(node.state, game", "default_policy(state, game")], "playout", ""),
    ],
)  # fmt: skip
def test_other_mistakes_have_their_own_words(tmp_path, name, changes, kind, cause):
    found = compare(changed(tmp_path, name, *changes), seed=1, timeout=2.0)
    assert found.difference is not None
    assert (found.difference.kind, found.difference.cause) == (kind, cause)


def test_the_move_at_the_root_is_compared(tmp_path):
    book = (HERE / "right" / "textbook.py").read_text(encoding="utf-8")
    searched = "max_value(state, -math.inf, +math.inf)"
    wrong = student(tmp_path, book.replace(f"return {searched}", f"{searched}\n    return game.actions(state)[-1]"))
    found = compare(wrong, [tree_task("worked")])
    assert found.text == "At the root: yours plays a3, which is worth 2; a1 is worth 3."


def test_what_only_costs_time_comes_after_what_is_wrong():
    found = compare(EXAMPLES["exchanged"].file)
    assert found.difference.kind == "value"
    assert found.difference.besides.costs
    assert "only costs time" in found.besides


def test_an_own_evaluation_is_taken_as_it_is(tmp_path):
    file = changed(tmp_path, "alphabeta", ("game.evaluate(state)", "len(game.actions(state)) * 3.5"))
    assert compare(file, [game_task("tictactoe", "b2 a1", 2)]).difference is None


COUNTED = """
class Solver:
    def minimax(self, state, depth, is_maximizing, game):
        if game.is_terminal(state):
            won = game.utility(state)
            return won * (10 - depth)
        values = [self.minimax(game.result(state, action), depth + 1, not is_maximizing, game)
                  for action in game.actions(state)]
        return max(values) if is_maximizing else min(values)
"""


def test_own_values_of_a_finished_game_are_taken_in_games(tmp_path):
    task = game_task("tictactoe", "a1 b1 b2 c3")
    assert compare(student(tmp_path, COUNTED), [task]).difference is None
    wrong = student(tmp_path, COUNTED.replace("won * (10 - depth)", "won * (depth - 10)"))
    assert compare(wrong, [task]).difference.cause == ""
    with pytest.raises(BadOption, match="takes no depth as a limit"):
        compare(student(tmp_path, COUNTED), [game_task("tictactoe", "a1", 2)])


# Programs that fail


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def minimax(state, game):\n    return 1 / 0\n",
         "student.py, line 2: ZeroDivisionError: division by zero (return 1 / 0)"),
        ("def alphabeta(state, game:\n", "student.py, line 1: SyntaxError: "),
        ("x = 1\n", "student.py: AttributeError: there is no function alphabeta(...), minimax(...) or uct(...) in it"),
        ("import nowhere\n", "student.py, line 1: ModuleNotFoundError: No module named 'nowhere'"),
        ("def minimax(state, wind, game):\n    return 0\n",
         "student.py: TypeError: minimax(... wind ...): nobody knows what 'wind' is"),
        ("def minimax(state, game):\n    raise SystemExit(3)\n", "student.py, line 2: SystemExit: 3"),
        ("def minimax(state, game):\n    while True:\n        pass\n",
         "student.py did not come to an end in 1 seconds; is there an endless loop? --timeout gives it longer"),
        ("def minimax(state, game):\n    while True:\n        print('x' * 1000)\n",
         "student.py did not come to an end in 1 seconds"),
        ("import os\ndef minimax(state, game):\n    os._exit(7)\n", "student.py ended with status 7"),
        ("def minimax(state, game):\n    return len(bytearray(4 * 10**9))\n",
         "line 2: it has used up the memory"),
        ("def minimax(state, game):\n    return game.result('x', 'y')\n",
         "line 2: TypeError: the game is asked about 'str'"),
        ("import os\ndef minimax(state, game):\n    for n in range(3, 20):\n        try:\n"
         "            os.write(n, b'[1]\\n')\n        except OSError:\n            pass\n    return 0\n",
         "has written over the line to its referee"),
    ],
)  # fmt: skip
def test_a_program_that_fails_is_told_in_one_line(tmp_path, text, says):
    with pytest.raises(PlayerFailed) as caught:
        compare(student(tmp_path, text), timeout=1.0)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_waiting_for_the_processor_is_not_held_against_a_program(tmp_path):
    """To us it looks as sleeping does."""
    text = RIGHT["bundled minimax"].read_text(encoding="utf-8")
    slow = text.replace("game):\n", "game):\n    if pause:\n        time.sleep(pause.pop())\n", 1)
    assert compare(student(tmp_path, f"{slow}\nimport time\npause = [1.5]\n"), timeout=1.0).difference is None


def test_an_endless_recursion_is_a_difference_with_the_failure_after_it(tmp_path):
    file = student(tmp_path, "def minimax(state, depth, game):\n    return minimax(state, depth - 1, game)\n")
    found = compare(file, timeout=5.0)
    assert found.difference.kind == "same"
    assert "line 2: the search calls itself without end" in found.failure


def test_a_loop_after_a_difference_does_not_hide_it(tmp_path):
    file = changed(tmp_path, "no_copy", ("best = -inf", "while not game.actions(state): pass\n    best = -inf"))
    assert compare(file, timeout=2.0).difference.cause == "no_copy"


def test_prints_are_no_answers(tmp_path):
    file = changed(tmp_path, "alphabeta", ("    if depth == 0:", '    print("{}" * 500)\n    if depth == 0:'))
    assert compare(file).difference is None


def test_nodes_that_cannot_be_read_are_said_to_be_so(tmp_path):
    file = student(tmp_path, "def uct(state, simulations, game, rng):\n    return game.actions(state)[0]\n")
    found = compare(file)
    assert found.difference.kind == "opaque"
    file = student(tmp_path, "def alphabeta(state, alpha, beta, game):\n    return 3\n")
    assert compare(file).difference.kind == "unseen"


FORGING = """import os
def forge():
    for n in range(3, 20):
        try:
            os.write(n, {lie!r})
        except OSError:
            pass
"""
LIES = (
    '{"events": [["return", 1]]}', '{"events": [["call", 0, "x", 99, {}, 1]]}', '{"events": [5]}', '{"ask": [0, 99]}',
    '{"ask": 3}', '{"ask": [0, 1e999]}', '{"done": {}}', '{"done": {"value": "x", "move": [], "text": 3, "c": "y"}}',
    f'{{"done": {{"value": 1{"0" * 400}, "move": null, "text": "", "c": null}}}}', '{"ready": true}', "[" * 10**5,
    '{"error": "x", "kind": "no such kind", "line": 1e999}', '{"events": [["set", 0, "visits", "x"]]}',
    '{"ask": [0, 0]}\n' * 3 + '{"ask": [-1, 0]}',
)  # fmt: skip


@pytest.mark.parametrize("lie", LIES)
def test_what_is_forged_does_not_bring_it_down(tmp_path, lie):
    text = FORGING.format(lie=f"{lie}\n".encode())
    file = student(tmp_path, f"{text}def minimax(state, game):\n    forge()\n    return 0\n")
    with contextlib.suppress(PlayerFailed):  # or a comparison of whatever was told: but nothing else
        compare(file, timeout=2.0)


@pytest.mark.parametrize(
    "lie",
    [
        '{"ready": true}', '{"ready": true, "function": 1, "algorithm": "minimax", "takes": 5}', "[" * 10**5, "5",
        '{"ready": true, "function": "f", "algorithm": "none of these", "takes": []}', '{"kind": [], "error": {}}',
    ],
)  # fmt: skip
def test_what_is_forged_while_a_file_is_loaded_does_not_bring_it_down(tmp_path, lie):
    file = student(tmp_path, FORGING.format(lie=f"{lie}\n".encode()) + "forge()\ndef minimax(state, game): return 0\n")
    with pytest.raises(PlayerFailed):
        compare(file, timeout=2.0)


def test_forged_nodes_that_are_each_others_parents_do_not_bring_it_down(tmp_path):
    events = [["set", 1, "parent", 2], ["set", 2, "parent", 1], ["set", 1, "visits", 1], ["set", 2, "visits", 1]]
    lie = json.dumps({"events": [["set", 0, "visits", 1], *events]})
    text = FORGING.format(lie=f"{lie}\n".encode())
    file = student(
        tmp_path, f"{text}def uct(state, game, simulations):\n    forge()\n    return game.actions(state)[0]\n"
    )
    with pytest.raises(PlayerFailed, match="has written over the line"):
        compare(file, timeout=2.0)


# What is asked for


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("((3 12 8) (2 4", FormatError, "a bracket is never closed"),
        ("((3 x))", FormatError, "a leaf is a number, such as -2.5, not 'x'"),
        ("(())", FormatError, "a node needs at least one child"),
        ("wurked", UnknownName, "did you mean 'worked'?"),
        ("three-players", BadOption, "MAX and MIN"),
        ("star", BadOption, "without chance"),
    ],
)
def test_a_tree_that_cannot_be_searched_is_refused(text, error, says):
    with pytest.raises(error, match=says.replace("?", r"\?")):
        tree_task(text)


def test_languages_have_the_same_sentences():
    assert set(words("en").lines) == set(words("zh").lines)


# The player of the assignment, on the board that is given out with it

PLAYER = """
import math
from rules import is_over, moves, result, to_move, winner

def best_move(board):
    values = {square: alphabeta(result(board, square)) for square in moves(board)}
    return (max if to_move(board) == "X" else min)(values, key=values.get)

def alphabeta(board, alpha=-math.inf, beta=math.inf):
    if is_over(board):
        return {"X": 1, "O": -1, None: 0}[winner(board)]
    if to_move(board) == "X":
        value = -math.inf
        for square in moves(board):
            value = max(value, alphabeta(result(board, square), alpha, beta))
            if value >= beta:
                return value
            alpha = max(alpha, value)
    else:
        value = math.inf
        for square in moves(board):
            value = min(value, alphabeta(result(board, square), alpha, beta))
            if value <= alpha:
                return value
            beta = min(beta, value)
    return value
"""
IN_PLACE = """
import rules

def minimax(board):
    if rules.is_over(board):
        return {"X": 10, "O": -10, None: 0}[rules.winner(board)]
    sign, values = rules.to_move(board), []
    for square in rules.moves(board):
        board[square] = sign
        values.append(minimax(board))
        board[square] = " "
    return max(values) if sign == "X" else min(values)
"""


def of_the_assignment(folder, text):
    write_handout(make_assignment("tictactoe"), folder, force=True)
    file = folder / "player.py"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    "text", [PLAYER, PLAYER.replace("result(board, square),", "tuple(result(board, square)),"), IN_PLACE]
)
def test_the_right_player_of_the_assignment_passes(tmp_path, text):
    found = compare(of_the_assignment(tmp_path, text))
    assert (found.difference, found.tasks) == (None, 4)


@pytest.mark.parametrize(
    ("text", "old", "new", "kind", "cause"),
    [
        (PLAYER, "value >= beta", "value > beta", "missed_cut", "strict"),
        (PLAYER, ", alpha, beta))", ", beta, alpha))", "window", "swapped"),
        (PLAYER, "value = min(value, ", "value = max(-9, ", "value", "exchanged"),
        (PLAYER, "            beta = min(beta, value)\n", "            return value\n", "early", "at_once"),
        (PLAYER, "if is_over(board):", 'if " " not in board:', "illegal", ""),
        (IN_PLACE, '        board[square] = " "\n', "", "illegal", "no_copy"),
        (IN_PLACE, 'max(values) if sign == "X"', 'max(values) if sign != "X"', "value", "exchanged"),
        (IN_PLACE, "board[square] = sign", 'board[square] = "X"', "illegal", ""),
    ],
)  # fmt: skip
def test_mistakes_of_the_player_of_the_assignment_are_found(tmp_path, text, old, new, kind, cause):
    assert old in text
    found = compare(of_the_assignment(tmp_path, text.replace(old, new))).difference
    assert found is not None
    assert (found.kind, found.cause) == (kind, cause)


def test_the_player_of_the_assignment_knows_tictactoe_alone(tmp_path):
    file = of_the_assignment(tmp_path, PLAYER)
    with pytest.raises(BadOption, match=r"player\.py has the rules of tic-tac-toe; leave out --tree"):
        compare(file, [tree_task("worked")])
    assert compare(file, [game_task("tictactoe", "b2 a1 c3 c1")]).difference is None


# A textbook's function that begins as MAX, whoever moves

MAX_VALUE = """
def max_value(state, game, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state)
    v = float("-inf")
    for action in game.actions(state):
        v = max(v, min_value(game.result(state, action), game, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(state, game, alpha, beta):
    if game.is_terminal(state):
        return game.utility(state)
    v = float("inf")
    for action in game.actions(state):
        v = min(v, max_value(game.result(state, action), game, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v
"""


def test_a_search_that_is_never_told_who_moves_is_compared_where_max_begins(tmp_path):
    file = tmp_path / "student.py"
    file.write_text(MAX_VALUE, encoding="utf-8")
    found = compare(file)
    assert found.difference is None
    assert found.tasks > 10
    assert found.remarks == ("max_value() never asks who moves, so it was compared only where MAX begins.",)
    with pytest.raises(BadOption, match=r"max_value\(\) in student\.py never asks who moves, so MAX has to begin"):
        compare(file, [tree_task("min ((5 2) (5 9) (1 4))")])
    file.write_text(MAX_VALUE.replace("v <= alpha", "v < alpha"), encoding="utf-8")
    assert compare(file).difference.cause == "strict"
    file.write_text(MAX_VALUE.replace("alpha, beta))", "beta, alpha))", 1), encoding="utf-8")
    assert compare(file).difference.cause == "swapped"


def test_a_search_that_is_told_who_moves_is_compared_everywhere():
    for name in ("textbook", "bundled alphabeta", "bundled negamax"):
        assert compare(RIGHT[name]).remarks == ()
        assert compare(RIGHT[name], [tree_task("min ((5 2) (5 9) (1 4))")]).difference is None
