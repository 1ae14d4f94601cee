"""The Reversi engine in the middle game: nodes a second with the evaluation, and the time to depth 12.

Sixteen positions after 20 to 32 moves, from games that began with eight random moves and went on with the engine at
depth 8. A search deepens step by step, as in a game, from an empty table. With two threads both cores are used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from benchmarks.harness import Comparison, Sample, Subject, every_core
from plyground.core.limits import Limit
from plyground.engines.reversi.engine import Engine
from plyground.formats import read_board

__all__ = ["POSITIONS", "comparisons"]

POSITIONS = (
    # X black, O white; the side to move
    "----------OX-O----OOOOO---OXOOX--XXXXO----XXXO-----X-O---------- X",
    "----------XX----XOXX-----XOOOO--OXXOOO--OOOXO---O-OOX-----O--X-- X",
    "--XXO--XO-XXOXX-OOXXOX---XOXOXO-XOOOOOO-----OOO----------------- X",
    "--X--O----XOOO--XXXOOO--OOOOOO---OXXXO---XOXOXX---OO-OX---O--O-X X",
    "----X-O---X-XO----XXXO---OXOOOO--OXXXXX---OO-------O------------ X",
    "---O--------OX-X--XXOOOX---OOOOX--OOOXXX----OXXX---O-X-------X-- X",
    "--OO------OOXX---XOOXX--XXOXXXX--OOOXXX---OOXXO----O-X-----O---- X",
    "----------XXXO--O-XXXOOXXXXXXOXXXOOXXOXXOOOOXOX---O--O---------- X",
    "----------O-X-----OXX----OOXXO--OOOOOOO--X-XXOOO-----X---------- X",
    "-----------XO----OOOO----OOOOO---OOOOOX--XOOOX----OOXX------OX-- X",
    "----------OOOX---XOOOO---XOXOX--OOOXXX---OOXX-----OOXO----OOOO-- X",
    "---X-------XXX---OOXXX---XOOXOX--XOOOO---OOXOOO---OXO-OO---XOOOO X",
    "---O-------OO----OXOOX---XXXO-----XXOO----XXOXX---X-OO---------- X",
    "----------------XXOOOO--XOXOOO--XXOOOO--XXXOXO----OXO--------O-- X",
    "--O-OX----OOOX----OOOX----OXOX----OOOX-O--OXOXX---OOOXOX----X--- X",
    "OOOO----OOOOOOX-OOOOOXO--OXXXO--O-XXXXO--XXXXX----XX------------ X",
)
DEPTH = 12
ONE, TWO = "one thread", "two threads"


def comparisons() -> Iterator[Comparison]:
    """Nodes a second; then searches, where the time for each is the mean time to depth 12."""
    one, two = Engine(), Engine(threads=2)
    one.prepare()
    title = f"Reversi midgame to depth {DEPTH}, {len(POSITIONS)} positions"
    yield Comparison(f"{title}: nodes", "nodes", ONE, (Subject(ONE, _run(one, True)),))

    def together() -> Sample:
        with every_core():
            return _run(two, False)()

    yield Comparison(f"{title}: searches", "searches", ONE, (Subject(ONE, _run(one, False)), Subject(TWO, together)))


def _run(engine: Engine, count_nodes: bool) -> Callable[[], Sample]:
    states = [read_board(position) for position in POSITIONS]

    def run() -> Sample:
        nodes, seconds = 0, 0.0
        for state in states:
            engine.clear()
            report = engine.search(state, Limit(depth=DEPTH))
            nodes, seconds = nodes + report.nodes, seconds + report.time
        return Sample(nodes if count_nodes else len(states), seconds)

    return run
