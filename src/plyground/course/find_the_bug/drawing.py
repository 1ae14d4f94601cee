"""The first difference as a picture: the right search with its numbers, and the node where the student's differs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyground.course.find_the_bug.difference import Difference
from plyground.course.find_the_bug.observing import DEEPEST
from plyground.course.find_the_bug.simulations import Count, Simulation
from plyground.course.find_the_bug.tasks import Positions
from plyground.course.find_the_bug.words import Telling
from plyground.pictures.inlined import ADDRESS, page_html
from plyground.pictures.lettering import clean
from plyground.pictures.tree import MOST_CHILDREN, WIDTH, Drawing, Look, Node, Step, tree_data
from plyground.pictures.tree_layout import FinalTree, fold_tree
from plyground.pictures.tree_picture import TreePicture
from plyground.pictures.tree_words import tree_words
from plyground.watch.search_numbers import plain
from plyground.watch.searches import search_drawing
from plyground.watch.small_board import small_board

__all__ = ["SearchPicture", "difference_html", "difference_svg", "player_drawing", "simulation_drawing", "with_board"]

MOST_WHOLE = 60
"""A tree with more nodes is drawn around the difference only."""


class SearchPicture:
    """The right search of a task, with the number of the node that is drawn for each position."""

    def __init__(self, positions: Positions, algorithm: str, lang: str) -> None:
        self.positions = positions
        task = positions.task
        game = replace(task.game, points={})  # the numbers that a student's program sees
        depth = DEEPEST if task.depth is None and not task.explicit else task.depth
        found = search_drawing(
            game, task.state, algorithm=algorithm, depth=depth, evaluation=task.evaluation, lang=lang
        )
        self.drawing, self.explicit = found.drawing, task.explicit
        self._children: list[list[int]] = [[] for _ in self.drawing.nodes]
        for number, node in enumerate(self.drawing.nodes):
            if node.parent is not None:
                self._children[node.parent].append(number)
        self._names = [node.name for node in found.nodes]

    def number(self, place: int) -> int:
        """The node of a position, or of the last one above it that is drawn."""
        line = []
        while self.positions.above[place] >= 0:
            line.append(self.positions.by[place])
            place = self.positions.above[place]
        number = 0
        for action in reversed(line):
            if action >= len(self._children[number]):
                break
            number = self._children[number][action]
        return number

    def name(self, place: int) -> str:
        """The letter of a position, if it has one."""
        number = self.number(place)
        depth, above = 0, self.drawing.nodes[number].parent
        while above is not None:
            depth, above = depth + 1, self.drawing.nodes[above].parent
        return self._names[number] if depth == self.positions.ply(place) else ""

    def marked(self, place: int, caption: str, yours: str, right: str, telling: Telling) -> Drawing:
        """The drawing with one more step, which shows the difference."""
        number = self.number(place)
        lines = FinalTree(self.drawing).looks[number].lines
        if yours:
            lines = (*lines, telling.say("yours", value=yours), telling.say("right", value=right))
        step = Step(caption, number, {number: Look(state="open", lines=tuple(lines))})
        drawing = replace(self.drawing, steps=[*self.drawing.steps, step])
        return drawing if len(drawing.nodes) <= MOST_WHOLE else self._around(drawing, number)

    def _around(self, drawing: Drawing, number: int) -> Drawing:
        """Only the way to a node, with what stands beside it and below the node itself."""
        line = [number]
        while (above := drawing.nodes[line[-1]].parent) is not None:
            line.append(above)
        kept = sorted({0, *(child for one in line for child in self._children[one])})
        new = {old: place for place, old in enumerate(kept)}
        nodes = [
            replace(node, parent=None if node.parent is None else new[node.parent])
            for node in map(drawing.nodes.__getitem__, kept)
        ]
        steps = []
        for step in drawing.steps:
            changes = {new[one]: look for one, look in step.changes.items() if one in new}
            if changes and (step.focus is None or step.focus in new):
                steps.append(replace(step, focus=None if step.focus is None else new[step.focus], changes=changes))
        start = {new[one]: look for one, look in drawing.start.items() if one in new}
        return Drawing(drawing.title, nodes, steps, start)


def player_drawing(positions: Positions, found: Difference, caption: str, telling: Telling) -> Drawing:
    """The line of a player's own search to the difference, with the values that it has found on the way."""
    line = [found.place]
    while positions.above[line[-1]] >= 0:
        line.append(positions.above[line[-1]])
    beside = {place for place in found.seen if positions.above[place] in line}
    places = sorted({*line, *beside}, key=lambda place: [positions.ply(place), _line(positions, place)])
    numbers = {place: number for number, place in enumerate(places)}
    nodes = [
        Node(
            numbers[positions.above[place]] if place else None,
            "leaf" if positions.facts[place]["over"] else "max" if positions.is_max(place) else "min",
            positions.move(place) if place else "",
        )
        for place in places
    ]
    looks = {
        numbers[place]: Look(
            state="done",
            value=plain(found.seen[place]) if place in found.seen else "",
            edge="best" if place in line and place else None,
        )
        for place in places
    }
    yours, right = telling.sides(found)
    lines = (telling.say("yours", value=yours), telling.say("right", value=right)) if yours else ()
    at = numbers[found.place]
    steps = [
        Step(telling.say.spaced(telling.say("on_the_way")), None, looks),
        Step(caption, at, {at: replace(looks[at], state="open", lines=lines)}),
    ]
    return Drawing(positions.task.title, nodes, steps)


def with_board(drawing: Drawing | None, positions: Positions, found: Difference) -> Drawing | None:
    """The drawing with the position at the node of the difference, which is the one in focus at the end."""
    if drawing is None or drawing.steps[-1].focus is None:
        return drawing
    at = drawing.steps[-1].focus
    above = positions.above[found.place]
    board = small_board(positions.states[found.place], positions.states[above] if above >= 0 else None)
    nodes = [replace(node, board=board) if number == at else node for number, node in enumerate(drawing.nodes)]
    return replace(drawing, nodes=nodes)


def simulation_drawing(
    positions: Positions, simulations: Sequence[Simulation], found: Difference, caption: str, telling: Telling
) -> Drawing:
    """The student's own tree before and after the simulation in which it differs."""
    say = telling.say
    if not simulations:
        title = say("tree_plain", title=positions.task.title)
        return Drawing(
            title, [Node(None, "max" if positions.is_max(0) else "min")], [Step(caption, 0, {0: Look("open")})]
        )
    simulation = simulations[min(max(found.moment, 1), len(simulations)) - 1]
    places = _drawn(positions, simulation, found)
    numbers = {place: number for number, place in enumerate(places)}
    nodes = [
        Node(
            numbers[positions.above[place]] if place else None,
            "leaf" if positions.facts[place]["over"] else "max" if positions.is_max(place) else "min",
            positions.move(place) if place else "",
        )
        for place in places
    ]
    before = {numbers[place]: _look(simulation.before.get(place, Count())) for place in places}
    after = {}
    for place in simulation.path:
        count = simulation.before.get(place, Count())
        total = count.total + simulation.added.get(place, 0.0)
        after[numbers[place]] = replace(_look(Count(count.visits + 1, total)), edge="best" if place else None)
    scores = found.parts.get("scores", {})
    if found.kind == "choice":
        for child in positions.children(found.place):
            if child in numbers:
                shown = _look(simulation.before.get(child, Count()))
                bound = f"{plain(scores[positions.move(child)])}"
                after[numbers[child]] = replace(shown, lines=(*(shown.lines or ()), f"UCB {bound}"), edge=None)
        for place in simulation.path[1:]:
            after[numbers[place]] = replace(after[numbers[place]], edge="best")
    yours, right = telling.sides(found)
    at = numbers.get(found.place, 0)
    look = after.get(at, before.get(at, Look()))
    lines = tuple(look.lines or ())
    if yours:
        lines = (*lines, say("yours", value=yours), say("right", value=right))
    after[at] = replace(look, state="open", lines=lines)
    title = say("tree_title", title=positions.task.title, number=simulation.number)
    steps = [
        Step(say.spaced(say("before", number=simulation.number)), 0, before),
        Step(say.spaced(say("walks", number=simulation.number)), numbers[simulation.path[-1]],
             {numbers[place]: Look(edge="best") for place in simulation.path if place}),
        Step(caption, at, after),
    ]  # fmt: skip
    return Drawing(say.spaced(title), nodes, steps)


def _drawn(positions: Positions, simulation: Simulation, found: Difference) -> list[int]:
    """The nodes that are drawn, parents first: the simulation's own way, what stands beside it, then other visits."""
    wanted = {0, *simulation.path}
    place = found.place
    while place > 0:
        wanted.add(place)
        place = positions.above[place]
    for one in list(wanted):
        wanted |= {child for child in positions.children(one) if simulation.before.get(child, Count()).visits}
    if found.kind in ("choice", "forgotten", "stuck", "not_over"):
        wanted |= set(positions.children(found.place))
    for one in sorted(simulation.before, key=positions.ply):
        if len(wanted) >= MOST_WHOLE:
            break
        if one >= 0 and (one == 0 or positions.above[one] in wanted):
            wanted.add(one)
    return sorted(wanted, key=lambda place: [positions.ply(place), _line(positions, place)])


def _line(positions: Positions, place: int) -> list[int]:
    line = []
    while positions.above[place] >= 0:
        line.append(positions.by[place])
        place = positions.above[place]
    return line[::-1]


def _look(count: Count) -> Look:
    if not count.visits:
        return Look(state="unseen", value="", lines=())
    return Look(
        state="done",
        value=plain(round(count.total / count.visits, 2)),
        lines=(f"{plain(count.total)}/{plain(count.visits)}",),
    )


# Files --------------------------------------------------------------------------------------------------------------


def _words(lang: str, legend: str) -> dict[str, str]:
    return {**tree_words(lang), "open": legend}


def difference_svg(drawing: Drawing, lang: str, legend: str) -> str:
    """The drawing as SVG; the marked node is explained by the `legend`."""
    tree = FinalTree(drawing)
    return TreePicture(tree, fold_tree(tree, MOST_CHILDREN, WIDTH), _words(lang, legend)).svg()


def difference_html(drawing: Drawing, lang: str, legend: str) -> str:
    """The drawing as a page that replays the search; see `plyground.pictures.tree.tree_html`."""
    data: dict[str, Any] = {**tree_data(drawing, lang=lang), "words": _words(lang, legend)}
    styles = (f"{ADDRESS}page.css", f"{ADDRESS}guessing.css", f"{ADDRESS}replay.css")
    title = clean(drawing.title) or data["words"]["tree"]
    return page_html(title=title, lang=data["words"]["lang"], data=data, entry=f"{ADDRESS}replay_page", styles=styles)
