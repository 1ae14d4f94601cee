"""Visits to the Wumpus world by hand: the same world as the agents', and conclusions that are never wrong."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import BadOption
from plyground.native.compiling import interpreted
from plyground.subjects.wumpus.agents import explore, make_agent
from plyground.subjects.wumpus.by_hand import play_actions
from plyground.subjects.wumpus.world import CLIMB, FORWARD, Cave, make_world, neighbours, step

CAVE = Cave(4, 4, 0.2, 60)


@given(st.integers(0, 10_000), st.lists(st.integers(0, 6), max_size=40))
def test_conclusions_hold_in_the_world_and_come_from_what_was_seen(seed: int, actions: list[int]) -> None:
    world = make_world(CAVE, seed=seed)
    try:
        visit = play_actions(world, actions)
    except BadOption:  # it was over before
        return
    known = visit.known
    assert not set(visit.safe()) & world.pits
    assert known.pits <= world.pits
    assert known.wumpus in (None, world.wumpus)
    assert not (visit.state.wumpus_alive and world.wumpus in visit.safe())
    beside = {square for at in visit.seen for square in neighbours(CAVE, at)}
    assert set(visit.open()) <= beside - visit.seen
    assert set(visit.open()).isdisjoint(visit.safe())


@pytest.mark.parametrize("seed", [12, 52, 7])
def test_the_same_actions_by_hand_end_as_an_agents_do_and_prove_as_much(seed: int) -> None:
    with interpreted():
        world = make_world(CAVE, seed=seed, solvable=True)
        record = explore(world, make_agent("logical", CAVE, seed), keep_turns=True)
        visit = play_actions(world, [turn.action for turn in record.turns])
        before = play_actions(world, [turn.action for turn in record.turns[:-1]])
    assert visit.state == record.final
    assert visit.over
    assert frozenset(before.safe()) == record.turns[-1].thoughts.safe
    assert set(before.proofs) == {proof for turn in record.turns for proof in turn.thoughts.proofs}


def test_after_the_end_nothing_more_is_done() -> None:
    world = make_world(CAVE, seed=12)
    assert play_actions(world, [CLIMB]).state.out
    with pytest.raises(BadOption, match="over before its action 2"):
        play_actions(world, [CLIMB, FORWARD])
    with pytest.raises(BadOption, match="there is no action"):
        play_actions(world, [9])
    state = play_actions(world, []).state
    assert step(world, state, FORWARD)[0] == play_actions(world, [FORWARD]).state
