"""Evaluations by name and from files: the right one is used, compiled or not, and what is wrong is said in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plyground import Limit, actions, interpreted, make_game, result
from plyground.core.rules import evaluation
from plyground.errors import BadOption, BrokenRule, FormatError, GameError, UncompiledWarning
from plyground.native.compiling import Compiled
from plyground.players import Position, make_player
from plyground.search.alphabeta import AlphaBetaSettings, AlphaBetaVariant
from plyground.search.alphabeta_search import AlphaBetaSearch
from plyground.search.evaluations import find_evaluation, leaf_evaluation, register_evaluation

TICTACTOE = make_game("tictactoe")
CONNECT4 = make_game("connect4")


def after(*moves: int) -> Any:
    state = TICTACTOE.initial
    for action in moves:
        state = result(state, action)
    return state


def saved(folder: Path, text: str) -> Path:
    file = folder / "mine.py"
    file.write_text(text, encoding="utf-8")
    return file


def value_at(state: Any, name: str) -> float:
    """What a named evaluation says of a state."""
    return leaf_evaluation(state, AlphaBetaVariant(evaluation=find_evaluation(name, TICTACTOE)))


CORNER = "def corner(state):\n    return 0.5 if state.mine & 1 else -0.5 if state.theirs & 1 else 0.0\n"


# Which evaluation -------------------------------------------------------------------------------------------------


def test_no_name_is_the_games_own():
    assert find_evaluation("", TICTACTOE) == ""
    assert leaf_evaluation(after(4), AlphaBetaVariant()) == evaluation(after(4)) == -0.4


def test_a_game_has_evaluations_by_name():
    state = after(4, 1)  # X in the middle, O above it: 6 lines open for X, 4 for O
    assert value_at(state, "open-lines") == 0.2
    assert value_at(state, "counts") == 2 / 32
    with pytest.raises(BadOption):
        find_evaluation("counts", CONNECT4)


@pytest.mark.parametrize("name", ["open-lines", pytest.param("counts", marks=pytest.mark.slow)])
def test_a_named_evaluation_is_the_same_compiled_and_interpreted(name):
    search = AlphaBetaSearch(
        TICTACTOE, AlphaBetaVariant(evaluation=find_evaluation(name, TICTACTOE)), AlphaBetaSettings()
    )
    states = [after(), after(4), after(4, 1), after(0, 8, 2)]
    found = [search.search(state, Limit(depth=1)).value for state in states]
    with interpreted():
        assert [search.search(state, Limit(depth=1)).value for state in states] == found
    best = [max(-value_at(result(state, action), name) for action in actions(state)) for state in states]
    assert found == best


def test_a_function_from_a_file_is_used(tmp_path):
    file = saved(tmp_path, CORNER)
    assert value_at(after(0), f"{file}:corner") == -0.5
    player = make_player(f"alphabeta:depth=1,evaluation={file}:corner,tt=0", TICTACTOE, 1)
    move = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
    assert (move.action, move.value) == (0, 0.5)


def test_a_file_that_changes_is_another_evaluation(tmp_path):
    before = find_evaluation(f"{saved(tmp_path, CORNER)}:corner", TICTACTOE)
    assert find_evaluation(f"{saved(tmp_path, CORNER)}:corner", TICTACTOE) == before
    changed = find_evaluation(f"{saved(tmp_path, CORNER.replace('0.5', '0.25'))}:corner", TICTACTOE)
    assert changed != before
    assert leaf_evaluation(after(0), AlphaBetaVariant(evaluation=before)) == -0.5
    assert leaf_evaluation(after(0), AlphaBetaVariant(evaluation=changed)) == -0.25


@pytest.mark.slow
def test_a_function_from_a_file_may_use_helpers_and_constants(tmp_path):
    file = saved(
        tmp_path,
        "from plyground import count_actions\n"
        "WEIGHTS = (3, 2, 3, 2, 4, 2, 3, 2, 3)\n\n\n"
        "def weight(cells):\n"
        "    total = 0\n"
        "    for cell in range(9):\n"
        "        total += WEIGHTS[cell] * (cells >> cell & 1)\n"
        "    return total\n\n\n"
        "def places(state):\n"
        "    return (weight(state.mine) - weight(state.theirs)) / 25 + 0.001 * count_actions(state)\n",
    )
    variant = AlphaBetaVariant(evaluation=find_evaluation(f"{file}:places", TICTACTOE))
    found = AlphaBetaSearch(TICTACTOE, variant, AlphaBetaSettings()).search(TICTACTOE.initial, Limit(depth=1))
    assert (found.action, found.value) == (4, 4 / 25 - 0.008)


def test_a_compiled_function_and_a_lambda_are_functions_too(tmp_path):
    file = saved(tmp_path, f"from plyground import compiled\n\n\n@compiled\n{CORNER}\n\nhalf = lambda state: 0.5\n")
    assert value_at(after(0), f"{file}:corner") == -0.5
    assert value_at(after(0), f"{file}:half") == 0.5


def test_two_functions_of_one_name_do_not_meet():
    def guess(state):
        return 0.125

    first = register_evaluation(guess)

    def guess(state):
        return 0.25

    second = register_evaluation(guess)
    found = [leaf_evaluation(after(), AlphaBetaVariant(evaluation=name)) for name in (first, second)]
    assert found == [0.125, 0.25]


# What can be wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "name", "says"),
    [
        (CONNECT4, "x", "connect4 has no evaluation 'x'; it has only its own, or give one as file.py:function"),
        (
            TICTACTOE,
            "count",
            "tictactoe has no evaluation 'count'; did you mean 'counts'? Your own is written file.py:function",
        ),
        (
            TICTACTOE,
            "zzz",
            "tictactoe has no evaluation 'zzz'; there are: counts, open-lines. Your own is written file.py:function",
        ),
        (CONNECT4, "m.py", "connect4 has no evaluation 'm.py'; it has only its own, or give one as file.py:function"),
        (CONNECT4, "m.py:", "connect4 has no evaluation 'm.py:'; it has only its own, or give one as file.py:function"),
        (CONNECT4, ":f", "connect4 has no evaluation ':f'; it has only its own, or give one as file.py:function"),
    ],
)
def test_an_unknown_name_is_answered_with_what_there_is(game, name, says):
    with pytest.raises(BadOption) as caught:
        find_evaluation(name, game)
    assert str(caught.value) == says


def test_a_missing_file_is_named(tmp_path):
    missing = tmp_path / "missing.py"
    with pytest.raises(FormatError) as caught:
        find_evaluation(f"{missing}:value", TICTACTOE)
    assert str(caught.value) == f"there is no file {missing}"


@pytest.mark.parametrize("name", ["corners", "NUMBER", "part", "__name__"])
def test_a_missing_function_is_named(tmp_path, name):
    file = saved(tmp_path, f"from functools import partial\n\n{CORNER}\n\nNUMBER = 3\npart = partial(corner)\n")
    with pytest.raises(BadOption) as caught:
        find_evaluation(f"{file}:{name}", TICTACTOE)
    assert str(caught.value) == f"{file} has no function '{name}'; write: def {name}(state): ..."


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def corner(state:\n", "SyntaxError"),
        ("import nothing_of_this_name\n", "ModuleNotFoundError"),
        ("1 / 0\n", "Zero"),
    ],
)
def test_a_file_that_does_not_run_is_named(tmp_path, text, says):
    file = saved(tmp_path, text)
    with pytest.raises(GameError, match=f"mine.py does not run: {says}"):
        find_evaluation(f"{file}:corner", TICTACTOE)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("def f(state):\n    return state.nothing\n", r"has no attribute 'nothing' \(mine.py, line 2\)"),
        ("def f(state, player):\n    return 0.5\n", r"missing 1 required positional argument: 'player'"),
        ("def f(state):\n    return 1 / 0\n", r"ZeroDivisionError: division by zero \(mine.py, line 2\)"),
    ],
)
def test_a_function_that_fails_is_named_with_its_line(tmp_path, text, says):
    file = saved(tmp_path, text)
    with pytest.raises(BrokenRule, match=f"^the evaluation f fails: .*{says}; it takes a state and returns a number$"):
        value_at(after(), f"{file}:f")


# As processes of their own: what does not compile is remembered for the rest of a process.


def test_a_function_that_does_not_compile_plays_slowly_and_says_so(command):
    saved(command.folder, "def f(state):\n    return sum(0.1 for cell in range(9) if state.mine >> cell & 1)\n")
    done = command(
        "play", "tictactoe", "--first", "alphabeta:depth=2,evaluation=mine.py:f,order=none,tt=0", "--second", "random",
        "--seed", "1", "--quiet",
    )  # fmt: skip
    assert done.returncode == 0
    assert "(alphabeta:depth=2,evaluation=mine.py:f,order=none,tt=0) wins" in done.stdout
    assert "note: alphabeta runs interpreted (slowly): it does not compile:" in done.stderr
    assert "(mine.py, line 2)" in done.stderr


def test_another_evaluation_compiles_all_the_same(tmp_path, monkeypatch):
    file = saved(
        tmp_path,
        "def slow(state):\n    return 0.0 * sum(1 for _ in range(2))\n\n\ndef fast(state):\n    return 0.125\n",
    )
    slow, fast = (
        AlphaBetaVariant(evaluation=find_evaluation(f"{file}:{name}", TICTACTOE)) for name in ("slow", "fast")
    )
    with pytest.warns(UncompiledWarning, match="alphabeta runs interpreted"):
        AlphaBetaSearch(TICTACTOE, slow).prepare()
    assert AlphaBetaSearch(TICTACTOE, slow).search(TICTACTOE.initial, Limit(depth=2)).value == 0  # said only once
    monkeypatch.setattr(Compiled, "_run_interpreted", None)
    assert AlphaBetaSearch(TICTACTOE, fast).search(TICTACTOE.initial, Limit(depth=2)).value == 0.125


def test_a_function_that_fails_is_one_line_for_the_user(command):
    saved(command.folder, "def f(state):\n    return state.nothing\n")
    player = "alphabeta:depth=2,evaluation=mine.py:f,order=none,tt=0"
    done = command("play", "tictactoe", "--first", player, "--second", "random")
    assert done.returncode == 0
    assert "O (random) wins: X fails: the evaluation f fails: AttributeError: " in done.stdout
    assert "Traceback" not in done.stderr
