"""What decisions in poker are worth: as Kuhn's theory has it, and never less than what the equilibrium plays."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import make_game
from plyground.search.cfr import solve
from plyground.search.extensive import extensive
from plyground.search.strategy_file import Strategy
from plyground.subjects.poker.decisions import decision_values


@pytest.mark.parametrize(("spec", "value"), [("kuhn", -1 / 18), ("leduc", -0.085606)])
def test_decisions_at_an_equilibrium(spec, value):
    tree = extensive(make_game(spec))
    strategy = Strategy(tree, solve(tree, 1000).strategy)
    values, whole = decision_values(strategy)
    assert whole[0] == pytest.approx(value, abs=1e-3)
    assert whole.sum() == pytest.approx(0)
    worth = {}
    for number, one in enumerate(tree.sets):
        slots = slice(*tree.nodes.slot[number : number + 2])
        worth |= {(one.label, name): cost for name, cost in zip(one.names, values[slots], strict=True)}
        if spec == "kuhn":  # nothing that the equilibrium plays is worth less than what it does not
            played = strategy.probabilities[slots] > 0.01
            assert values[slots][played] == pytest.approx(np.full(played.sum(), values[slots].max()), abs=5e-3)
    if spec == "kuhn":
        begin = "second: ?   said: nothing yet"
        assert worth[f"first: J   {begin}", "bet"] == pytest.approx(-1, abs=5e-3)  # a bluff is as good as a check
        assert worth[f"first: J   {begin}", "check"] == pytest.approx(-1, abs=5e-3)
        assert worth[f"first: Q   {begin}", "check"] == pytest.approx(-1 / 3, abs=5e-3)
        assert worth[f"first: Q   {begin}", "bet"] == pytest.approx(-1 / 2, abs=5e-3)  # a mistake of a sixth
        assert worth["first: ?   second: K   said: bet", "fold"] == -1
        assert worth["first: ?   second: K   said: bet", "call"] == 2
