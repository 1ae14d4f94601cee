"""Retrograde analysis by numbers: equal to going through all positions again and again, on random graphs."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import numpy as np
import pytest

from plyground import interpreted
from plyground.errors import BrokenRule
from plyground.search.indexed_retrograde import (
    LONGEST,
    LOST_HERE,
    NO_POSITION,
    build_codes,
    code_of,
    ending_moves,
    ending_places,
    ending_unmoves,
    outcome_of,
    outside,
    plies_of,
)


class Graph(NamedTuple):
    """For each place where its moves lead, or None if no position is there; what is lost where nobody can move.

    A move that leaves the graph is written as `outside` of its code. `before` are the moves taken back, and
    places where no position is.
    """

    moves: tuple[Any, ...]
    lost: tuple[bool, ...]
    before: tuple[tuple[int, ...], ...]


@ending_places.rule(Graph)
def _(ending: Graph) -> int:
    return len(ending.moves)


@ending_moves.rule(Graph)
def _(ending: Graph, place: int, known: Any, out: Any) -> int:
    found = ending.moves[place]
    if found is None:
        return -1
    out[: len(found)] = found
    return len(found) if found else LOST_HERE if ending.lost[place] else 0


@ending_unmoves.rule(Graph)
def _(ending: Graph, place: int, out: Any) -> int:
    found = ending.before[place]
    out[: len(found)] = found
    return len(found)


def random_graph(rng: random.Random) -> Graph:
    count = rng.randrange(2, 30)
    exists = [rng.random() < 0.9 for _ in range(count)]
    real = [place for place in range(count) if exists[place]] or [0]
    exists[real[0]] = True
    moves: list[Any] = []
    for place in range(count):
        inner = rng.sample(real, min(len(real), rng.randrange(0, 4)))
        outer = [outside(rng.choice((0, *range(1, 12)))) for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        moves.append((*inner, *outer) if exists[place] else None)
    before = tuple(
        tuple(here for here in range(count) if moves[here] is None or place in moves[here]) for place in range(count)
    )
    return Graph(tuple(moves), tuple(rng.random() < 0.7 for _ in range(count)), before)


def by_repetition(graph: Graph) -> list[int]:
    """The codes, found from n plies to n + 1 by looking at every place each time."""
    found = {place: code_of(0) for place, moves in enumerate(graph.moves) if moves == () and graph.lost[place]}
    for plies in range(1, 60):
        new = {}
        for place, moves in enumerate(graph.moves):
            if not moves or place in found:
                continue
            after = [found.get(move, 0) if move >= 0 else -1 - move for move in moves]
            wins = any(code == plies and outcome_of(code) < 0 for code in after)
            loses = all(outcome_of(code) > 0 for code in after) and max(after) == plies
            if wins or loses:
                new[place] = code_of(plies)
        found |= new
    return [NO_POSITION if moves is None else found.get(place, 0) for place, moves in enumerate(graph.moves)]


def test_random_graphs():
    for seed in range(300):
        graph = random_graph(random.Random(seed))
        with interpreted():
            assert build_codes(graph, None).tolist() == by_repetition(graph), f"seed {seed}"


def chain(length: int) -> Graph:
    """Each place leads to the one before it, and whoever stands on the first has lost."""
    return Graph(
        ((), *((place,) for place in range(length - 1))),
        (True,) * length,
        (*((place + 1,) for place in range(length - 1)), ()),
    )


def test_the_longest_game_that_fits_and_one_more():
    with interpreted():
        codes = build_codes(chain(LONGEST + 1), None)
        assert [plies_of(int(code)) for code in codes] == list(range(LONGEST + 1))
        with pytest.raises(BrokenRule, match="more than 253 plies"):
            build_codes(chain(LONGEST + 2), None)


def test_progress_goes_up_to_the_end_and_an_exception_gets_out():
    told: list[tuple[int, int]] = []
    with interpreted():
        build_codes(chain(5), None, lambda done, total: told.append((done, total)))
        assert told[-1][0] == told[-1][1]
        assert all(0 < done <= total for done, total in told)

        def stop(done: int, total: int) -> None:
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            build_codes(chain(5), None, stop)


@pytest.mark.parametrize("code", [0, 1, 2, 7, 200, 253, 254, NO_POSITION])
def test_a_code_means_the_same_as_a_byte_and_as_a_number(code):
    assert outcome_of(np.uint8(code)) == outcome_of(code)
    assert outcome_of(code) == (0 if code in (0, NO_POSITION) else 1 if (code - 1) % 2 else -1)
