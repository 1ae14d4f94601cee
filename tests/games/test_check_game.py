"""check_game finds what it promises to find: one broken game for each sentence of the contract."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import pytest

from plyground import (
    CHANCE,
    Axes,
    Game,
    action_text,
    count_actions,
    distinct_actions,
    evaluation,
    evaluation_for,
    interpreted,
    legal_actions,
    make_game,
    max_actions,
    observation,
    parse_action,
    planes,
    planes_shape,
    probability,
    result,
    state_hash,
    svg,
    symmetries,
    terminal,
    to_move,
    transformed,
    utility,
)
from plyground.errors import ContractBroken
from plyground.games.contract import check_game


def broken_game(axes=None, **overrides):
    """Take one or two from ten, alternating; with rules replaced."""

    class Pile(NamedTuple):
        left: int
        turn: int

    def legal(state, out):
        count = min(2, state.left)
        for i in range(count):
            out[i] = i + 1
        return count

    rules = {
        to_move: lambda state: state.turn,
        legal_actions: legal,
        result: lambda state, action: Pile(state.left - action, 1 - state.turn),
        utility: lambda state, player: 1.0 if state.turn != player else -1.0,
    }
    by_name = {
        rule.name: rule
        for rule in (
            to_move, legal_actions, result, utility, terminal, probability, evaluation, evaluation_for, count_actions,
            max_actions, distinct_actions, state_hash, symmetries, transformed, observation, planes, planes_shape,
            action_text, parse_action, svg,
        )
    }  # fmt: skip
    for name, function in overrides.items():
        rules[by_name[name]] = function
    for rule, function in rules.items():
        rule.rule(Pile)(function)
    return Game("pile", Pile(10, 0), axes=axes or Axes())


def test_the_unbroken_game_passes():
    report = check_game(broken_game(), positions=200)
    assert report.compiled
    assert report.longest <= 10
    assert report.most_actions == 2


def twice(state, out):
    if state.left == 0:
        return 0
    out[0] = out[1] = 1
    return 2


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"terminal": lambda state: state.left <= 3}, "terminal says True, but there are"),
        ({"legal_actions": twice}, "lists an action twice"),
        ({"count_actions": lambda state: 2}, "count_actions says 2"),
        ({"distinct_actions": lambda state: 2}, "distinct_actions says 2, but there is an action 2"),
        ({"utility": lambda state, player: 1.0}, "do not sum to 0"),
        ({"utility": lambda state, player: 7.0 if player else -7.0}, "outside the declared range"),
        ({"to_move": lambda state: state.turn + 1}, "to_move says 2"),
        ({"to_move": lambda state: CHANCE}, "declares no chance"),
        ({"evaluation": lambda state: 3.0}, "evaluation 3.0 is outside"),
        ({"evaluation_for": lambda state, player: 0.5}, "evaluation_for says 0.5 to the player to move"),
        ({"evaluation_for": lambda state, player: 0.0 if player == state.turn else 0.5}, "which do not sum to 0"),
        ({"action_text": lambda state, action: "x"}, "same text"),
        ({"parse_action": lambda state, text: 1}, "reads back as another"),
        ({"symmetries": lambda state: 2, "transformed": lambda state, index: state._replace(turn=index)}, "symmetry"),
        ({"planes_shape": lambda state: (0, 1, 1)}, "planes_shape"),
        ({"svg": lambda state: "<svg>"}, "not well-formed"),
        ({"max_actions": lambda state: 20 - state.left}, "max_actions grows from"),
        ({"observation": lambda state, player: type(state)(0, 0)}, "perfect information"),
        ({"result": lambda state, action: (state.left, 0)}, "is a tuple, not a Pile"),
    ],
)  # fmt: skip
def test_what_is_broken_is_found(overrides, message):
    with pytest.raises(ContractBroken) as caught, interpreted():
        check_game(broken_game(**overrides), positions=300)
    assert message in str(caught.value)
    assert "pile" in str(caught.value)


def test_probabilities_must_sum_to_one():
    game = broken_game(
        axes=Axes(chance=True), to_move=lambda state: CHANCE, probability=lambda state, action: 0.75
    )  # fmt: skip
    with pytest.raises(ContractBroken, match=r"sum to 1\.5, not to 1"), interpreted():
        check_game(game, positions=50)


def test_a_game_that_says_it_has_no_draws_is_never_drawn():
    with pytest.raises(ContractBroken, match="draws=False"), interpreted():
        check_game(replace(make_game("tictactoe"), draws=False), positions=500)
    assert not make_game("nim").draws


def test_a_game_that_never_ends(monkeypatch):
    monkeypatch.setattr("plyground.games.contract.LONGEST", 200)
    game = broken_game(result=lambda state, action: type(state)(state.left, 1 - state.turn))
    with pytest.raises(ContractBroken, match="has not ended"), interpreted():
        check_game(game, positions=1000)


def test_a_rule_that_differs_when_compiled():
    """Python's integers are unbounded, machine words are not: the contract notices where it matters."""
    game = broken_game(evaluation=lambda state: (3**39 * (state.left + 1)) % 7 / 100)
    with pytest.raises(ContractBroken, match=r"compiled .* interpreted"):
        check_game(game, positions=300)
