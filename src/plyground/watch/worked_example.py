"""One simulation by hand: the four phases on a small tree with numbers as lectures show them.

The tree and its counts are the lesson ``worked-mcts``, a tree file like any other; the search is plain UCT, with the
visits of the root in the bound at every level, as the lecture has it.
"""

from __future__ import annotations

import math
from dataclasses import replace

from plyground.games.tree import counts_of
from plyground.pictures.tree import Drawing
from plyground.watch.classroom import lesson
from plyground.watch.sentences import sentences
from plyground.watch.simulation_numbers import MINUS, ROOT, fixed
from plyground.watch.simulations import simulations_drawing

__all__ = ["WORKED_EXAMPLE", "worked_example"]

WORKED_EXAMPLE = "worked-mcts"
REPLIES, BLACKS_REPLIES = ((2, 4), (5, 6)), ((1, 3), (1, 1))
"""Black's wins and visits below a and below d, for what UCT itself would say there."""


def worked_example(lang: str = "en") -> Drawing:
    """The 22nd simulation on a root of 12/21 with children 7/10, 5/8 and 0/3: all four phases, in Black's wins.

    The bound is mean + sqrt(ln 21 / n) at all levels, as in many courses, where UCT takes ln N of the node itself; the
    remarks say what that would change.
    """
    say = sentences(lang)
    game = replace(lesson(WORKED_EXAMPLE).make(lang), seats=(say("worked_black"), say("worked_white")))
    counts = counts_of(game.initial)
    assert counts is not None
    bound = say("worked_bound", root=ROOT, visits=int(counts.visits[0]))
    whites = [_uct(n - wins, n, 10) for wins, n in REPLIES]
    blacks = [_uct(wins, n, 4) for wins, n in BLACKS_REPLIES]
    remarks = {
        1: say("worked_root", bound=bound),
        2: say("worked_reply", minus=MINUS, bound=bound, first=whites[0], second=whites[1]),
        3: say("worked_third", first=blacks[0], second=blacks[1]),
    }
    drawing = simulations_drawing(
        game, game.initial, simulations=1, shown=1, player="uct:form=root", boards=False, lang=lang, remarks=remarks
    )
    return replace(drawing, title=say.spaced(say("worked_title", bound=bound)))


def _uct(wins: int, visits: int, parent: int) -> str:
    """The bound that UCT has, which takes N from the node where the choice is made."""
    return fixed(wins / visits + math.sqrt(math.log(parent) / visits))
