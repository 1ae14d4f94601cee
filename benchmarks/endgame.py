"""The Reversi engine solves the FFO endgames #40 to #44: nodes, time, and what a second thread gains.

Positions of 20 to 23 empty squares, the usual measure of endgame solvers. Every solution is checked. The table is
empty at the start of each position. With two threads both cores of the machine are used.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.harness import Comparison, Sample, Subject, every_core
from plyground.engines.reversi.engine import Engine
from plyground.errors import PlygroundError
from plyground.formats import read_board

__all__ = ["FFO", "comparisons", "solved"]

FFO = {
    # number: the board, X black, O white; the side to move; its score with best play, in discs
    40: ("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X", 38),
    41: ("-OOOOO----OOOOX--OOOOOO-XXXXXOO--XXOOX--OOXOXX----OXXO---OOO--O- X", 0),
    42: ("--OOO-------XX-OOOOOOXOO-OOOOXOOX-OOOXXO---OOXOO---OOOXO--OOOO-- X", 6),
    43: ("--XXXXX---XXXX---OOOXX---OOXXXX--OOXXXO-OOOOXOO----XOX----XXXXX- O", -12),
    44: ("--O-X-O---O-XO-O-OOXXXOOOOOOXXXOOOOOXX--XXOOXO----XXXX-----XXX-- O", -14),
}
ONE, TWO = "all five, one thread", "all five, two threads"


def comparisons() -> Iterator[Comparison]:
    """Each position by itself, the speed, and all of them by one and by two threads."""
    one, two = Engine(), Engine(threads=2)
    one.prepare()
    each = tuple(Subject(f"#{number}", lambda number=number: solved(one, number)) for number in FFO)  # type: ignore[misc]
    yield Comparison("FFO endgames one by one, one thread", "nodes", "", each, less=True)
    yield Comparison("FFO endgames, nodes a second", "nodes", ONE, (Subject(ONE, lambda: _all(one)),))

    def together() -> Sample:
        with every_core():
            return _all(two)

    subjects = (Subject(ONE, lambda: _all(one)), Subject(TWO, together))
    yield Comparison("FFO endgames, threads", "nodes", ONE, subjects, less=True)


def solved(engine: Engine, number: int) -> Sample:
    """One position; a fast wrong answer is worth nothing."""
    board, score = FFO[number]
    engine.clear()
    report = engine.search(read_board(board))
    if not report.exact or report.value != score:
        raise PlygroundError(f"FFO #{number} is worth {score}, but the engine says {report.value}")
    return Sample(report.nodes, report.time)


def _all(engine: Engine) -> Sample:
    samples = [solved(engine, number) for number in FFO]
    return Sample(sum(sample.work for sample in samples), sum(sample.seconds for sample in samples))
