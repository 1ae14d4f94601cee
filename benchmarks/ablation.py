"""What each technique of the Reversi engine saves: nodes and time without it, one at a time.

    python -m benchmarks.ablation endgame
    python -m benchmarks.ablation midgame --only probcut table

`endgame` solves the FFO positions #40 to #44, `midgame` searches the positions of `benchmarks.midgame` to depth 12.
A technique is switched off before the engine is compiled, so that each has its own process, and compiles for some
twenty seconds that are not measured. Nodes are the same at every run; seconds are those of the processor.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from benchmarks.endgame import FFO, solved
from benchmarks.harness import Sample
from benchmarks.midgame import DEPTH, POSITIONS
from plyground.core.limits import Limit
from plyground.engines.reversi import endgame, engine, midgame, ordering, table
from plyground.engines.reversi import last_plies as lastplies
from plyground.formats import read_board
from plyground.games.reversi.moves import flips
from plyground.native.bits import popcount
from plyground.native.compiling import compiled

NOTHING = "nothing"


@compiled
def _finds_nothing(memory: Any, key: Any) -> Any:
    return np.uint64(0)


@compiled
def _known_move(own: Any, opponent: Any, memory: Any) -> int:
    data = table.find(memory, table.key_of(own, opponent))
    return table.move_of(data) if data else int(table.NO_MOVE)


@compiled
def _never(depth: int, empties: int) -> int:
    return -1


@compiled
def _all_quadrants(empty: Any) -> Any:
    return ~np.uint64(0)


@compiled
def _count_flips(own: Any, square: Any) -> int:
    return popcount(flips(own, ~own & ~lastplies.bit(square), square))


def _table() -> None:
    """Results of other branches; the best move of the root is still looked up."""
    endgame.find = midgame.find = _finds_nothing  # type: ignore[attr-defined]
    midgame.known_move = engine.known_move = _known_move  # type: ignore[attr-defined]


def _endgame_table() -> None:
    endgame.TABLE_FROM = 99


def _stability() -> None:
    endgame.STABILITY_FROM[:] = 99


def _parity() -> None:
    """No quadrant comes before another."""
    for module in (endgame, lastplies, midgame):
        module.odd_quadrants = _all_quadrants  # type: ignore[attr-defined]


def _fastest_first() -> None:
    ordering.REPLY = ordering.POTENTIAL = 0


def _potential_mobility() -> None:
    ordering.POTENTIAL = 0


def _last_flips() -> None:
    """The flips of the last move by the general kernel, then counted."""
    lastplies.last_flips = _count_flips  # type: ignore[attr-defined]


def _evaluation_order() -> None:
    midgame.ordering_depth = _never  # type: ignore[attr-defined]


def _transposition_cut() -> None:
    """Only where threads do not need the same constant: the ablation runs with one."""
    midgame.SHARE_FROM = 99


def _selective_steps() -> None:
    """Solve at once after the shallow steps, without the two searches that leave things out."""
    plain = engine.schedule

    def exact_only(empties: int, depth: int | None = None) -> Any:
        steps = list(plain(empties, depth))
        return iter([step for step in steps if step[0] < empties or step[1] == engine.CERTAIN])

    engine.schedule = exact_only  # type: ignore[assignment]


def _deepening() -> None:
    """The last step alone."""
    plain = engine.schedule
    engine.schedule = lambda empties, depth=None: iter(list(plain(empties, depth))[-1:])  # type: ignore[assignment]


def _aspiration() -> None:
    engine.ASPIRATION = 64


def _probcut() -> None:
    midgame.PROBE_FROM = 99


TECHNIQUES: dict[str, Callable[[], None]] = {
    NOTHING: lambda: None,
    "table": _table,
    "endgame-table": _endgame_table,
    "stability": _stability,
    "parity": _parity,
    "fastest-first": _fastest_first,
    "potential-mobility": _potential_mobility,
    "last-flips": _last_flips,
    "evaluation-order": _evaluation_order,
    "transposition-cut": _transposition_cut,
    "selective-steps": _selective_steps,
    "deepening": _deepening,
    "aspiration": _aspiration,
    "probcut": _probcut,
}
SAME_MACHINE_CODE = (NOTHING, "selective-steps", "deepening", "aspiration")
SETS = {
    "endgame": [name for name in TECHNIQUES if name not in ("probcut", "table")],
    "midgame": [
        NOTHING, "table", "evaluation-order", "transposition-cut", "stability", "deepening", "aspiration", "probcut",
    ],
}  # fmt: skip


def measured(which: str) -> Sample:
    """Nodes of the whole set, and the processor's seconds for them, after compiling."""
    searcher = engine.Engine()
    searcher.prepare()
    start = time.process_time()
    if which == "endgame":
        nodes = sum(solved(searcher, number).work for number in FFO)
    else:
        nodes = 0
        for position in POSITIONS:
            searcher.clear()
            nodes += searcher.search(read_board(position), Limit(depth=DEPTH)).nodes
    return Sample(nodes, time.process_time() - start)


def in_a_process(which: str, technique: str) -> Sample:
    """The same without a technique; machine code of another engine must not come from the cache, nor stay in it."""
    with tempfile.TemporaryDirectory() as folder:
        changed = {} if technique in SAME_MACHINE_CODE else {"PLYGROUND_CACHE_DIR": folder}
        done = subprocess.run(
            [sys.executable, "-m", "benchmarks.ablation", which, "--without", technique],
            stdout=subprocess.PIPE, text=True, check=True, env={**os.environ, **changed},
        )  # fmt: skip
    return Sample(*json.loads(done.stdout))


def main() -> None:
    """Read the arguments, and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", choices=list(SETS))
    parser.add_argument("--only", nargs="+", choices=list(TECHNIQUES), help="these techniques alone")
    parser.add_argument("--without", choices=list(TECHNIQUES), help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.without:
        TECHNIQUES[given.without]()
        print(json.dumps(measured(given.set)))
        return
    base = None
    for technique in given.only or SETS[given.set]:
        sample = in_a_process(given.set, technique)
        base = base or sample
        print(
            f"without {technique:20}{sample.work:>16,.0f} nodes {sample.work / base.work:6.2f}x "
            f"{sample.seconds:8.2f} s {sample.seconds / base.seconds:6.2f}x",
            flush=True,
        )


if __name__ == "__main__":
    main()
