"""The techniques of the search, each of which can be switched off to see what it is worth.

`python -m benchmarks.chess_techniques` counts the nodes to a depth without each of them, and plays matches.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["ALL", "NONE", "Techniques"]


class Techniques(NamedTuple):
    """What the search makes use of. With none of them it is plain alpha-beta with quiescence and a move order.

    table: results of the same position by another way. null_windows: later moves are first only asked whether they are
    better. aspiration: the window is narrow around the last value. quiescence: captures are searched on at the end.
    exchanges: captures that lose material come last, or are left out. killers, history, continuation: quiet moves that
    were good elsewhere come first. null_move: who stands well enough to pass need not look on. reductions: late moves
    are searched less deep. late_moves: late quiet moves are left out near the leaves. reverse_futility: far above the
    window near the leaves, nothing is searched. futility: far below it, quiet moves are left out. razoring: far below
    it, only captures are searched. check_extension, singular: one ply more in check, and for a move that is much better
    than all others. internal_reduction: where no good move is known, one ply less. correction: the evaluation learns
    how wrong it has been for these pawns. network: a network corrects the sum of the evaluation. endings: tables know
    what the bundled endings are worth, and in how many plies; weak levels, which err, do without.
    """

    table: bool = True
    null_windows: bool = True
    aspiration: bool = True
    quiescence: bool = True
    exchanges: bool = True
    killers: bool = True
    history: bool = True
    continuation: bool = True
    null_move: bool = True
    reductions: bool = True
    late_moves: bool = True
    reverse_futility: bool = True
    futility: bool = True
    razoring: bool = True
    check_extension: bool = True
    singular: bool = True
    internal_reduction: bool = True
    correction: bool = True
    network: bool = True
    endings: bool = True


ALL = Techniques()
NONE = Techniques(*[False] * len(Techniques._fields))
