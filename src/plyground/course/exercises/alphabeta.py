"""Mark the cuts: which branches does alpha-beta never look at, and of which kind is each cut?

Every branch that a cut takes away is to be marked, with the kind of the cut; what hangs below it is not, because the
search never comes there to cut it. The answer is complete when all these branches are marked and no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from plyground.course.exercises.cuts import CutCount, Visit, count_cuts, visits
from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, NoneFound, Question, exactly
from plyground.course.exercises.numbers import number_words
from plyground.course.exercises.plain_tree import (
    PlainTree,
    grow,
    nested_tree,
    read_plain_tree,
    tree_drawing,
    two_player_tree,
)
from plyground.errors import BadOption
from plyground.pictures.player_words import check_language
from plyground.pictures.tree import Look

__all__ = ["OPTIONS", "answers", "cut_answers", "cut_items", "cut_words", "generate", "question", "window_words"]

OPTIONS = {"depth": (2, 8), "branching": (2, 6), "alpha_cuts": (0, 20), "beta_cuts": (0, 20), "deep_cuts": (0, 20)}
"""What may be asked for besides a level, from the least to the most."""


class Wish(NamedTuple):
    depth: int
    branching: int
    alpha_cuts: int | None
    beta_cuts: int | None
    deep_cuts: int | None

    def distance(self, found: CutCount) -> int:
        """How far a tree is from what was wished for; 0 if it is just so."""
        pairs = ((self.alpha_cuts, found.alpha), (self.beta_cuts, found.beta), (self.deep_cuts, found.deep))
        return sum(abs(wanted - number) for wanted, number in pairs if wanted is not None)


LEVELS = {
    1: Wish(2, 3, 2, 0, 0),
    2: Wish(3, 2, 1, 1, 0),
    3: Wish(4, 2, 2, 1, 0),
    4: Wish(5, 2, 2, 2, 1),
    5: Wish(7, 3, 3, 3, 2),
}
SHAPES_TRIED = 12
CHANGES = 1500
"""Leaves changed in a tree of one shape before another shape is tried."""

WORDS = {
    "en": {
        "title": "Alpha-beta: mark the cuts",
        "text": "Alpha-beta goes through this tree from left to right. Mark every branch that is cut off, each as an α "
        "cut or as a β cut. What hangs below a cut branch is not marked: the search never comes there.",
        "alpha": "α cut", "beta": "β cut",
        "cut": "{who} at {name} knows v = {v} with α = {a}, β = {b}: v {sign} {bound}, {kind}. {rest}",
        "shallow": "The bound comes from {setter}, right above.",
        "deep": "The bound comes from {setter}, far above: a deep cut.",
        "below": "The branch {branch} above it is cut off already: the search never comes here.",
        "visited": "The search looks here: {who} at {name} {known}, with α = {a}, β = {b}. A cut needs v {sign} "
        "{bound}.",
        "unknown": "has no value yet", "known": "knows v = {v}",
    },
    "zh": {
        "title": "α-β 剪枝：标出剪枝",
        "text": "α-β 剪枝从左到右搜索这棵树。请标出每一条被剪掉的分支，并注明是 α 剪枝还是 β 剪枝。"
        "被剪分支下面的分支不用标：搜索根本不会到那里。",
        "alpha": "α 剪枝", "beta": "β 剪枝",
        "cut": "{name} 处的 {who} 已知 v = {v}，α = {a}，β = {b}：v {sign} {bound}，{kind}。{rest}",
        "shallow": "这个界来自正上方的 {setter}。",
        "deep": "这个界来自更高处的 {setter}：深层剪枝。",
        "below": "上面的分支 {branch} 已被剪掉：搜索不会到这里。",
        "visited": "搜索会看这里：{name} 处的 {who} {known}，α = {a}，β = {b}。剪枝需要 v {sign} {bound}。",
        "unknown": "还没有值", "known": "已知 v = {v}",
    },
}  # fmt: skip


# Making ---------------------------------------------------------------------------------------------------------------


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A tree with exactly the cuts of the level, or of the options; what an option leaves open may be anything."""
    wish = _wish(level, options)
    distinct = level < 4 or bool(options)
    for _ in range(SHAPES_TRIED):
        family = grow(dice, wish.depth, wish.branching)
        found = _with_cuts(dice, family, wish, distinct)
        if found is not None:
            return {"root": found}
    raise NoneFound(
        f"no tree of depth {wish.depth} with up to {wish.branching} branches a node was found that has "
        f"{_wish_words(wish)}; ask for fewer cuts, or for a deeper or wider tree"
    )


def _wish_words(wish: Wish) -> str:
    counts = (("alpha cuts", wish.alpha_cuts), ("beta cuts", wish.beta_cuts), ("of them deep", wish.deep_cuts))
    return ", ".join(f"{count} {word}" for word, count in counts if count is not None) or "these cuts"


def _wish(level: int, options: Mapping[str, int]) -> Wish:
    usual = LEVELS[level]
    if not options:
        return usual
    depth, branching = options.get("depth", usual.depth), options.get("branching", usual.branching)
    wish = Wish(depth, branching, *(options.get(name) for name in ("alpha_cuts", "beta_cuts", "deep_cuts")))
    _check(wish)
    return wish


def _check(wish: Wish) -> None:
    """Refuse what no tree can have."""
    alpha, beta, deep = wish.alpha_cuts, wish.beta_cuts, wish.deep_cuts
    for count, least, word in ((alpha, 2, "an alpha"), (beta, 3, "a beta"), (deep, 4, "a deep")):
        if count and wish.depth < least:
            raise BadOption(f"{word} cut needs a tree of depth {least} or more, not {wish.depth}")
    if deep and alpha is not None and beta is not None and deep > alpha + beta:
        raise BadOption(
            f"deep cuts are among the alpha and beta cuts: {deep} of them need as many cuts in all, not {alpha + beta}"
        )


def _with_cuts(dice: Dice, family: list[list[int]], wish: Wish, distinct: bool) -> Any:
    """Leaves are changed, one or two at a time, as long as the tree does not get further from the wish."""
    leaves = [number for number, children in enumerate(family) if not children]
    most = max(20, 2 * len(leaves))
    pool = dice.shuffled(range(1, most + 1))
    values: dict[int, int] = {
        leaf: pool[place] if distinct else dice.between(0, 20) for place, leaf in enumerate(leaves)
    }
    spare = pool[len(leaves) :]
    least = wish.distance(count_cuts(two_player_tree(family, values)))
    for _ in range(CHANGES):
        if least == 0:
            return nested_tree(family, values)
        changed = dict(values)
        one, other = dice.pick(leaves), dice.pick(leaves)
        place = dice.below(len(spare)) if spare else 0
        if dice.chance(0.5) or not spare:
            changed[one], changed[other] = changed[other], changed[one]
            place = -1
        else:
            changed[one] = spare[place] if distinct else dice.between(0, 20)
        distance = wish.distance(count_cuts(two_player_tree(family, changed)))
        if distance <= least or dice.chance(0.02):
            if place >= 0:
                spare[place] = values[one]
            values, least = changed, distance
    return None


# Asking and judging --------------------------------------------------------------------------------------------------


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The tree with its leaves; every branch can be marked."""
    words = WORDS[check_language(lang)]
    tree = read_plain_tree(data["root"])
    seen = visits(tree)
    looks = {}
    for number, visit in enumerate(seen):
        parent = seen[tree.parents[number]]
        if number and parent is not None and number in parent.lost:
            looks[number] = Look(state="unseen", edge="cut", note=words[parent.cut])
        elif visit is None:
            looks[number] = Look(state="unseen")
        elif visit.value is not None and tree.shapes[number] != "leaf":
            looks[number] = Look(value=cut_words(visit, tree))
    return Question(
        words["title"],
        words["text"],
        cut_items(tree, lang),
        tree_drawing(tree, words["title"]),
        solved=tree_drawing(tree, words["title"], looks),
    )


def cut_items(tree: PlainTree, lang: str) -> tuple[Item, ...]:
    """Every branch, by the number of the node below it."""
    words = WORDS[check_language(lang)]
    choices = tuple((kind, words[kind]) for kind in ("alpha", "beta"))
    return tuple(Item(str(number), tree.branch(number), "mark", choices) for number in range(1, len(tree.parents)))


def cut_words(visit: Visit, tree: PlainTree) -> str:
    """The value that a node gives back: ``3``, or a bound such as ``≤ 2`` where it may be only that."""
    assert visit.value is not None
    low, high = visit.entered
    sign = "≤ " if visit.value <= low else "≥ " if visit.value >= high else ""
    exact = tree.shapes[visit.node] == "leaf"
    return ("" if exact else sign) + number_words(visit.value)


def window_words(alpha: float, beta: float) -> str:
    """A window for people: ``−∞, 3``."""
    return f"{number_words(alpha)}, {number_words(beta)}"


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """For every branch whether it is cut off, of which kind, and why."""
    return cut_answers(read_plain_tree(data["root"]), lang)


def cut_answers(tree: PlainTree, lang: str) -> list[Answer]:
    """The same for any tree of MAX and MIN."""
    words = WORDS[check_language(lang)]
    seen = visits(tree)
    cut_above: list[int] = [-1] * len(tree.parents)
    found = []
    for number in range(1, len(tree.parents)):
        parent = tree.parents[number]
        visit = seen[parent]
        if visit is None:
            cut_above[number] = cut_above[parent]
            reason, kind = words["below"].format(branch=tree.branch(cut_above[number])), ""
        elif number in visit.lost:
            cut_above[number] = number
            reason, kind = _cut_reason(visit, tree, words), visit.cut
        else:
            reason, kind = _visited_reason(visit, number, tree, words), ""
        found.append(Answer(str(number), words[kind] if kind else "", reason, exactly(kind)))
    return found


def _sides(visit: Visit, tree: PlainTree) -> tuple[str, str, str]:
    """Who moves, the sign of a cut here, and the name of the bound."""
    return ("MAX", "≥", "β") if tree.shapes[visit.node] == "max" else ("MIN", "≤", "α")


def _cut_reason(visit: Visit, tree: PlainTree, words: Mapping[str, str]) -> str:
    who, sign, bound = _sides(visit, tree)
    assert visit.value is not None
    deep = visit.setter != tree.parents[visit.node]
    rest = words["deep" if deep else "shallow"].format(setter=tree.names[visit.setter])
    return words["cut"].format(
        who=who, name=tree.names[visit.node], v=number_words(visit.value), a=number_words(visit.alpha),
        b=number_words(visit.beta), sign=sign, bound=bound, kind=words[visit.cut], rest=rest,
    )  # fmt: skip


def _visited_reason(visit: Visit, number: int, tree: PlainTree, words: Mapping[str, str]) -> str:
    who, sign, bound = _sides(visit, tree)
    value, alpha, beta = visit.known[number]
    known = words["unknown"] if value is None else words["known"].format(v=number_words(value))
    return words["visited"].format(
        who=who, name=tree.names[visit.node], known=known, a=number_words(alpha), b=number_words(beta), sign=sign,
        bound=bound,
    )  # fmt: skip
