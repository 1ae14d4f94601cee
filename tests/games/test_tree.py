"""Explicit trees: every form of node, and what is said of a broken file."""

from __future__ import annotations

import json

import numpy as np
import pytest

from plyground import CHANCE, action_text, actions, evaluation, make_game, probability, result, text, to_move, utility
from plyground.core.limits import Budget
from plyground.errors import FormatError
from plyground.games.tree import load_tree, read_tree
from plyground.search.minimax import minimax_value

WORKED = {"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]}


def test_the_worked_tree_is_worth_3_by_the_first_move():
    game = read_tree(WORKED)
    assert minimax_value(game.initial, 2, 0, Budget()) == 3.0
    assert minimax_value(result(game.initial, 0), 1, 0, Budget()) == 3.0
    assert game.utilities == (-14.0, 14.0)


def test_labels_values_and_names():
    game = read_tree({"title": "t", "root": {"name": "A", "max": {"left": {"min": [1], "value": 0.5}, "right": 2}}})
    assert game.name == "t"
    assert [action_text(game.initial, action) for action in actions(game.initial)] == ["left", "right"]
    left = result(game.initial, 0)
    assert evaluation(left) == -0.5  # MIN is to move there, and 0.5 is MAX's value
    assert "A" in text(game.initial)
    assert "leaf" in text(result(game.initial, 1))


def test_chance_and_players():
    game = read_tree({"chance": [[0.25, [1, 2, 3]], [0.75, {"player": 2, "children": [[0, 0, 1]]}]]})
    assert game.axes.players == 3
    assert game.axes.chance
    assert not game.axes.zero_sum
    assert to_move(game.initial) == CHANCE
    assert [probability(game.initial, action) for action in (0, 1)] == [0.25, 0.75]
    assert [utility(result(game.initial, 0), player) for player in range(3)] == [1.0, 2.0, 3.0]
    assert to_move(result(game.initial, 1)) == 2


def test_same_tree_same_state_different_tree_different_state():
    first, again, other = read_tree(WORKED), read_tree(WORKED), read_tree({"max": [1, 2]})
    assert first.initial == again.initial
    assert hash(first.initial) == hash(again.initial)
    assert first.initial != other.initial


def test_a_big_tree():
    game = read_tree({"max": [{"min": [int(x) for x in row]} for row in np.arange(100_000).reshape(400, 250)]})
    assert minimax_value(game.initial, 2, 0, Budget()) == 399 * 250


def test_a_file_is_a_game(tmp_path):
    file = tmp_path / "worked.json"
    file.write_text(json.dumps(WORKED))
    assert make_game(str(file)).initial == read_tree(WORKED).initial
    assert make_game(f"tree:file={file}").initial == read_tree(WORKED).initial


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "is not JSON"),
        ('{"max": [1, 2}', "line 1, column"),
        ("[]", "at least one utility"),
        ('"leaf"', "a node is a number"),
        ("true", "a node is a number"),
        ("null", "a node is a number"),
        ("NaN", "NaN is not a number"),
        ('{"max": [Infinity]}', "Infinity is not a number"),
        ("1e999", "finite number"),
        ('{"max": []}', "at least one node"),
        ('{"max": 3}', "the children are a list"),
        ('{"max": [1], "min": [2]}', "exactly one of"),
        ("{}", "exactly one of"),
        ('{"max": [1], "valeu": 3}', 'unknown key "valeu"'),
        ('{"max": [1], "name": 3}', '"name" must be a text'),
        ('{"player": "x", "children": [1]}', '"player" must be a whole number'),
        ('{"player": 0}', "the children are a list"),
        ('{"chance": [[0.5, 1], [0.6, 2]]}', "sum to 1"),
        ('{"chance": [[-0.5, 1], [1.5, 2]]}', "a probability is a number from 0 to 1, not -0.5"),
        ('{"chance": [[1.5, 1], [-0.5, 2]]}', "a probability is a number from 0 to 1, not 1.5"),
        ('{"max": {"a": 1, "b": 2, "a": 3}}', '"a" stands twice in one object'),
        ('{"chance": [[-0.5, 1], [1.5, 2]]}', "a number from 0 to 1"),
        ('{"chance": [[0.5, 1], 2]}', "either every chance outcome"),
        ('{"max": [[1, 2], [1, 2, 3]]}', "one for each"),
        ('{"max": [1, {"player": 2, "children": [1]}]}', "one for each"),
        ('{"root": {"max": [1]}, "players": "A"}', '"players" must be a list'),
        ('{"max": [{"min": [1, "two"]}]}', "root > 1 > 2"),
        ("[" * 100_000, "nested too deeply"),
        ('{"max": [1' + "0" * 400 + "]}", "finite number"),
        ('{"max": {"A": 1, "a": 2}}', "the same name"),
    ],
)
def test_broken_files_say_what_and_where(tmp_path, content, message):
    file = tmp_path / "broken.json"
    file.write_text(content)
    with pytest.raises(FormatError) as caught:
        load_tree(file)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(FormatError, match="cannot read"):
        load_tree(tmp_path / "absent.json")
    (tmp_path / "binary.json").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(FormatError, match="not a tree file: it is not text"):
        load_tree(tmp_path / "binary.json")
