"""Every game of the library keeps the contract."""

from __future__ import annotations

import pytest

from conftest import GAME_SPECS, GAMES_BY_NAME, VARIANTS
from plyground import make_game
from plyground.games.contract import check_game
from plyground.games.tree import read_tree

TREES = {
    "worked": {"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]},
    "chance": {"max": [{"chance": [[0.25, 4], [0.75, {"min": [1, 2]}]]}, {"chance": {"head": 3, "tail": -1}}]},
    "three players": {
        "player": 0,
        "children": {
            "a": {"player": 1, "children": [[1, 2, 6], [4, 3, 3]]},
            "b": {"player": 2, "children": [[6, 1, 2]]},
        },
    },
}


FIRST = {VARIANTS.get(name, [name])[0] for name in GAMES_BY_NAME}


@pytest.mark.parametrize(
    ("spec", "positions"),
    [
        *(pytest.param(spec, 200, marks=[] if spec in FIRST else pytest.mark.slow) for spec in GAME_SPECS),
        *(pytest.param(spec, 5000, marks=pytest.mark.slow) for spec in GAME_SPECS),
    ],
)
def test_the_contract(spec, positions):
    report = check_game(make_game(spec), positions=positions // 2 if spec.startswith("gomoku") else positions, seed=5)
    assert report.compiled
    assert report.games >= 1


@pytest.mark.parametrize("name", TREES)
def test_the_contract_of_trees(name):
    assert check_game(read_tree(TREES[name]), positions=300).compiled
