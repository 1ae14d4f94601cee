"""What a Monte Carlo tree search answers with when it is over: by its pseudo-code, and by the rule of its player."""

from __future__ import annotations

import math
from dataclasses import dataclass

from plyground.core.rules import CHANCE, action_text, to_move
from plyground.search.mcts_variant import WIN_DRAW_LOSS
from plyground.search.tree_search import Child, best_child
from plyground.watch.mcts_run import MctsRun
from plyground.watch.simulation_numbers import MINUS, SimulationNumbers, decimal, fixed
from plyground.watch.simulation_tree import visited_children

__all__ = ["Answer", "answer_of"]


@dataclass(frozen=True)
class Answer:
    """What is said in the end, and the moves at the root that it names, by their places in the tree.

    `best` has the highest mean, which is what BESTCHILD takes with C = 0. `played` is lit: what the player plays, or
    `best` while it would not play yet.
    """

    best: int
    played: int
    text: str


def answer_of(run: MctsRun, numbers: SimulationNumbers) -> Answer | None:
    """The answer of a search that is over; None where chance moves at the root."""
    state, nodes, final = run.state, run.tree.nodes, run.search.final
    mover, tried = int(to_move(state)), visited_children(nodes, 0)
    if mover == CHANCE or not tried:
        return None
    children = run.search.root_children([run.tree])
    child = best_child(children, final)
    first, count = int(nodes[0]["first"]), int(nodes[0]["count"])
    played = next(place for place in range(first, first + count) if nodes[place]["action"] == child.action)

    def rank(place: int) -> tuple[float, bool, int]:
        total, visits = float(nodes[place]["total"]), int(nodes[place]["visits"])
        return total / visits, place == played, visits  # of equal means, what is played

    best = max(tried, key=rank)
    other = _other_rule(children, child, final, same=best == played)
    words = _Words(run, numbers, mover)
    text = words.best(best, only=len(tried) == 1) + (words.other(other, played, child, children) if other else "")
    return Answer(best, best if other == "goes_on" else played, text)


def _other_rule(children: list[Child], child: Child, final: str, *, same: bool) -> str:
    """Why the player plays another child than that of the highest mean; "" if it does not."""
    if final == "agreement" and child != best_child(children, "mean"):
        return "goes_on"
    if same:
        return ""
    if child.exact is not None:
        return "proven"
    if child.visits == 0:
        return "untried"
    return "visits" if final == "agreement" else final


@dataclass(frozen=True)
class _Words:
    run: MctsRun
    numbers: SimulationNumbers
    mover: int

    def best(self, place: int, *, only: bool) -> str:
        """The end of the search, and which move has the highest mean."""
        return self.numbers.say(
            "answer",
            solved=self.run.solved,
            bare=self.numbers.bare,
            move=self._move(place),
            proven=self._proven(place),
            only=only,
            seat=self.run.game.seats[self.mover],
            mean=self._mean(place),
        )

    def other(self, rule: str, place: int, child: Child, children: list[Child]) -> str:
        """What the player plays, and why."""
        return self.numbers.say(
            f"answer_{rule}",
            player=self.run.player.partition(":")[0],
            move=self._move(place),
            proven=self._proven(place),
            visits=child.visits,
            mean=self._mean(place),
            lower=fixed(child.mean - 1.0 / math.sqrt(child.visits)) if child.visits else "",
            open=any(one.exact is not None and one.visits > 0 for one in children),
        )

    def _move(self, place: int) -> str:
        return action_text(self.run.state, int(self.run.tree.nodes[place]["action"]))

    def _mean(self, place: int) -> str:
        """Q/N as the picture has it, and the mean as whoever is to move sees it."""
        numbers, node = self.numbers, self.run.tree.nodes[place]
        total, visits = float(node["total"]), int(node["visits"])
        ratio = numbers.ratio(total, visits, self.mover)
        if numbers.view not in (None, self.mover):
            ratio = f"1 {MINUS} {ratio}" if numbers.variant.reward == WIN_DRAW_LOSS else f"{MINUS}({ratio})"
        return f"{ratio} = {decimal(total / visits)}" if visits else ratio

    def _proven(self, place: int) -> str:
        exact = float(self.run.tree.nodes[place]["exact"])
        return "" if math.isnan(exact) else self.numbers.proven(exact)
