"""The one mechanism: rules dispatched on the state's type, interpreted and compiled alike."""

from __future__ import annotations

import copy
import enum
from typing import NamedTuple

import numpy as np
import pytest

from plyground import Game, actions, compiled, legal_actions, make_game, result, state_hash, terminal, to_move, utility
from plyground.core.limits import Budget
from plyground.errors import BrokenRule, GameError, MissingRule
from plyground.native.bits import bit_index, mix64, popcount
from plyground.native.dispatch import code_digest, coerced, state_digest
from plyground.search.minimax import minimax_value
from plyground.search.perft import perft


class Count(NamedTuple):
    """Count up to a limit in steps of 1 or 2; fields of three kinds, to be mixed up by careless rules."""

    total: np.uint64
    turn: bool
    trail: tuple[int, ...]


STEPS = (1, 2)


def step_allowed(total, step):
    """A plain helper, which rules may call without a word about compiling."""
    return total + step <= LAST


LAST = 6


@to_move.rule(Count)
def _(state):
    return int(state.turn)


@legal_actions.rule(Count)
def _(state, out):
    count = 0
    for step in STEPS:
        if step_allowed(int(state.total), step):
            out[count] = step
            count += 1
    return count


@result.rule(Count)
def _(state, action):
    # An int64 where uint64 is declared, an int where bool is: the constructor converts.
    if action == 1:
        return Count(int(state.total) + 1, 1 - state.turn, state.trail)
    return Count(trail=state.trail, turn=not state.turn, total=state.total + np.uint64(2))


@utility.rule(Count)
def _(state, player):
    return 1 if (not state.turn) == player else -1


START = Count(np.uint64(0), False, (1, 2))


def test_interpreted_and_compiled_run_the_same_rules():
    assert actions(START) == [1, 2]
    assert terminal(Count(np.uint64(6), True, (1, 2)))
    assert perft(START, 6, 1, Budget()) == 13  # compositions of 6 into ones and twos
    assert minimax_value(START, 10, 0, Budget()) == minimax_value.function(START, 10, 0, Budget())


def test_states_from_compiled_code_do_not_compile_again():
    @compiled
    def step(state, action):
        return result(state, action)

    state = START
    for action in (1, 2, 1):
        state = step(state, action)
    (dispatcher,) = step._entries.values()
    assert len(dispatcher.signatures) == 1
    assert coerced(state) == Count(np.uint64(4), True, (1, 2))
    assert type(coerced(state).total) is np.uint64


def test_a_missing_rule_says_how_to_write_it():
    class Bare(NamedTuple):
        x: int

    with pytest.raises(
        MissingRule, match=r"Bare has no rule result; write one: @result.rule\(Bare\) def _\(state, action\)"
    ):
        result(Bare(1), 0)


def test_a_rule_with_the_wrong_number_of_arguments():
    class Bare(NamedTuple):
        x: int

    with pytest.raises(GameError, match=r"the rule result takes 2 arguments \(state, action\), not 1"):
        result.rule(Bare)(lambda state: state)


def test_a_state_must_be_a_named_tuple():
    with pytest.raises(GameError, match="must be a NamedTuple class"):
        to_move.rule(dict)(lambda state: 0)
    with pytest.raises(GameError, match="no rules are registered"):
        Game("nothing", initial=(1, 2))


def test_too_many_actions_are_an_error_not_a_crash():
    class Wide(NamedTuple):
        done: int

    @to_move.rule(Wide)
    def _(state):
        return 0

    @legal_actions.rule(Wide)
    def _(state, out):
        count = 0
        if not state.done:
            for action in range(1000):
                out[action] = action
                count += 1
        return count

    @result.rule(Wide)
    def _(state, action):
        return Wide(1)

    @utility.rule(Wide)
    def _(state, player):
        return 0.0

    with pytest.raises(BrokenRule, match="register a larger max_actions"):
        actions(Wide(0))
    with pytest.raises(BrokenRule, match="larger max_actions"):
        perft(Wide(0), 2, 0, Budget())


def test_a_rule_that_fails_is_named():
    class Failing(NamedTuple):
        x: int

    @to_move.rule(Failing)
    def _(state):
        return state.y

    @legal_actions.rule(Failing)
    def _(state, out):
        return [1, 2]

    with pytest.raises(
        BrokenRule, match=r"the rule to_move of Failing fails: AttributeError: .*test_rules.py, line \d+"
    ):
        to_move(Failing(1))
    with pytest.raises(BrokenRule, match="must write the actions into `out` and return how many"):
        actions(Failing(1))
    with pytest.raises(BrokenRule, match="does not fit into 64 bits"):
        coerced(Failing(2**70))


def test_the_digest_follows_helpers_and_constants(monkeypatch):
    before = state_digest(Count)
    monkeypatch.setitem(globals(), "LAST", 7)
    assert state_digest(Count) != before
    monkeypatch.undo()
    assert state_digest(Count) == before
    monkeypatch.setitem(globals(), "step_allowed", lambda total, step: total + step < LAST)
    assert state_digest(Count) != before
    assert code_digest(test_interpreted_and_compiled_run_the_same_rules) != code_digest(step_allowed)


class Mode(enum.IntEnum):
    """A global that rules may use; its values are part of what is compiled."""

    WIDE = 3


TABLES = (np.arange(2000), 5)


def with_default(x, width=2):
    return x * width + Mode.WIDE + TABLES[1]


def test_the_digest_follows_defaults_enums_and_tables(monkeypatch):
    before = code_digest(with_default)
    monkeypatch.setattr(with_default, "__defaults__", (5,))
    assert code_digest(with_default) != before
    monkeypatch.undo()
    other = TABLES[0].copy()
    other[1000] = -1
    monkeypatch.setitem(globals(), "TABLES", (other, 5))
    assert code_digest(with_default) != before
    monkeypatch.undo()
    monkeypatch.setitem(globals(), "Mode", enum.IntEnum("Mode", {"WIDE": 4}))
    assert code_digest(with_default) != before


def fill_far(out, count):
    for i in range(count):
        out[i] = i


def test_a_helper_may_not_write_beyond_the_buffer_either():
    class Far(NamedTuple):
        left: int

    to_move.rule(Far)(lambda state: 0)
    utility.rule(Far)(lambda state, player: 0.0)
    result.rule(Far)(lambda state, action: Far(state.left - 1))

    @legal_actions.rule(Far)
    def _(state, out):
        count = 5000 if state.left else 0
        fill_far(out, count)
        return count

    with pytest.raises(BrokenRule, match="larger max_actions"):
        perft(Far(3), 2, 0, Budget())


def test_floats_are_hashed_by_all_their_bits():
    class Share(NamedTuple):
        part: float

    to_move.rule(Share)(lambda state: 0)

    @compiled
    def fast(state):
        return state_hash(state)

    assert state_hash(Share(0.0)) != state_hash(Share(0.25))
    assert int(fast(Share(0.25))) == int(state_hash(Share(0.25)))


def test_a_copied_budget_has_its_own_counters():
    first = Budget(10)
    second = copy.deepcopy(first)
    perft(START, 3, 0, second)
    assert first.nodes == 0
    assert second.nodes > 0


def test_hashes_differ_and_agree_with_compiled():
    @compiled
    def fast(state):
        return state_hash(state)

    states = [
        make_game(f"nim:piles={a},{b},{c}").initial for a in range(1, 9) for b in range(1, 9) for c in range(1, 9)
    ]
    hashes = {int(state_hash(state)) for state in states}
    assert len(hashes) == len(states)
    assert all(int(fast(state)) == int(state_hash(state)) for state in states[:50])


def test_bits_are_the_same_in_both_worlds():
    @compiled
    def all_of(word):
        return popcount(word), bit_index(word), mix64(word), word.bit_count(), word.bit_length()

    for value in (0, 1, 2**63, 2**64 - 1, 0x00F0_0000_0000_1000):
        word = np.uint64(value)
        fast = all_of(word)
        assert fast[:2] == (popcount(word), bit_index(word))
        assert int(fast[2]) == int(mix64(word))
        assert fast[3:] == (value.bit_count(), value.bit_length())
    assert all_of(-5)[3:] == ((-5).bit_count(), (-5).bit_length())
