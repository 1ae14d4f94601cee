"""Exercises on trees: what they call right, against slow implementations from the definitions that share no code."""

from __future__ import annotations

import importlib
import itertools
import math
import random

import pytest

from plyground.course.exercises.alphabeta import cut_answers
from plyground.course.exercises.cuts import count_cuts
from plyground.course.exercises.exercise import LEVELS
from plyground.course.exercises.kinds import answer_key, ask, judge, make_exercise
from plyground.course.exercises.plain_tree import read_plain_tree
from plyground.errors import BadOption
from plyground.games.tree import read_tree
from plyground.watch.searches import search_drawing


def children(node):
    if not isinstance(node, dict):
        return []
    return node.get("max") or node.get("min") or [child for _, child in node.get("chance", [])] or node["children"]


def by_level(root):
    """All nodes by their paths, level by level, as drawings number them."""
    found, level = {}, {(): root}
    while level:
        found |= level
        level = {(*path, place): child for path, node in level.items() for place, child in enumerate(children(node))}
    return found


class SlowAlphaBeta:
    """Recursive alpha-beta as the book prints it, with everything written down."""

    def __init__(self, root):
        self.entered, self.left, self.other = {}, {}, {}
        self.cuts = {}  # path of the node: the kind, and the branches that are left
        self.visited = set()
        self.value = self._value(root, (), -math.inf, math.inf)

    def _value(self, node, path, alpha, beta):
        self.visited.add(path)
        self.entered[path] = (alpha, beta)
        if not isinstance(node, dict):
            return node
        maximising = "max" in node
        v = -math.inf if maximising else math.inf
        for place, child in enumerate(children(node)):
            found = self._value(child, (*path, place), alpha, beta)
            left = len(children(node)) - place - 1
            if maximising:
                v = max(v, found)
                stop, kind = v >= beta, "beta"
            else:
                v = min(v, found)
                stop, kind = v <= alpha, "alpha"
            if stop:
                if left:
                    self.cuts[path] = (kind, [(*path, place + 1 + k) for k in range(left)])
                break
            if maximising:
                alpha = max(alpha, v)
            else:
                beta = min(beta, v)
        self.left[path] = (alpha, beta)
        self.other[path] = (max(alpha, v), beta) if maximising else (alpha, min(beta, v))
        return v


def random_tree(rng, depth, widest=3, mover=0, budget=None):
    budget = budget if budget is not None else [60]
    if depth == 0 or (budget[0] <= 0) or (depth < 6 and rng.random() < 0.12):
        return rng.randrange(-15, 16)
    count = rng.randrange(1, widest + 1)
    budget[0] -= count
    return {("max", "min")[mover]: [random_tree(rng, depth - 1, widest, 1 - mover, budget) for _ in range(count)]}


def trees(count=200):
    """Random trees of one to seven levels, ties among the leaves included; every other one lets MIN begin."""
    rng = random.Random(20)
    made = []
    while len(made) < count:
        depth = 1 + len(made) % 7
        root = random_tree(rng, depth, widest=2 + len(made) % 3, mover=len(made) // 7 % 2)
        if isinstance(root, dict):
            made.append(root)
    return made


TREES = trees()


def answers(kind, root):
    """What an exercise of a kind with this tree would accept."""
    return importlib.import_module(f"plyground.course.exercises.{kind}").answers({"root": root}, "en")


def depth_of(node):
    return 1 + max(map(depth_of, children(node))) if isinstance(node, dict) else 0


def test_the_trees_are_as_deep_as_they_should_be():
    depths = {depth_of(root) for root in TREES}
    assert len(TREES) == 200
    assert depths == set(range(1, 8))


def test_every_branch_of_two_hundred_trees_is_judged_as_a_slow_search_says():
    kinds = set()
    for root in TREES:
        slow, paths = SlowAlphaBeta(root), list(by_level(root))
        lost = {branch: kind for kind, branches in slow.cuts.values() for branch in branches}
        tree = read_plain_tree(root)
        assert len(paths) == len(tree.parents)
        answers = {int(answer.key): answer for answer in cut_answers(tree, "en")}
        for number, path in enumerate(paths[1:], 1):
            right = lost.get(path, "")
            answer = answers[number]
            for given in ("", "alpha", "beta"):
                assert answer.accepts(given) == (given == right), (root, path)
            below = any(path[:length] in lost for length in range(len(path)))
            word = "cut. The bound" if right else "already" if below else "looks here"
            assert (word in answer.reason) or (right and "cut." in answer.reason), answer.reason
            assert (path in slow.visited) == (not right and not below)
            kinds.add(right or word)
    assert kinds == {"alpha", "beta", "already", "looks here"}


def test_cuts_are_counted_and_called_deep_as_a_slow_search_says():
    deep_seen = 0
    for root in TREES:
        slow = SlowAlphaBeta(root)
        found = count_cuts(read_plain_tree(root))
        assert found.alpha == sum(kind == "alpha" for kind, _ in slow.cuts.values())
        assert found.beta == sum(kind == "beta" for kind, _ in slow.cuts.values())
        deep = 0
        for path, (kind, _) in slow.cuts.items():
            # The bound is that with which the node's parent was entered: so the parent has not set it itself.
            own = 0 if kind == "alpha" else 1
            deep += slow.entered[path][own] == slow.entered[path[:-1]][own]
        assert found.deep == deep
        deep_seen += deep
    assert deep_seen > 20


def test_the_search_that_plays_cuts_the_same_branches():
    for root in TREES[::20]:
        found = search_drawing(read_tree({"root": root}), algorithm="alphabeta")
        marked = {int(answer.key) for answer in cut_answers(read_plain_tree(root), "en") if answer.text}
        parents = {cut.node for cut in found.cuts if cut.actions}
        drawn = {
            number
            for number, node in enumerate(found.nodes)
            if node.parent in parents and found.nodes[node.parent].visited and not node.visited
        }
        assert marked == drawn


# The generator -------------------------------------------------------------------------------------------------------


WISHES = [
    {"depth": 2, "branching": 3, "alpha_cuts": 0, "beta_cuts": 0, "deep_cuts": 0},
    {"depth": 3, "branching": 3, "alpha_cuts": 2, "beta_cuts": 2, "deep_cuts": 0},
    {"depth": 4, "branching": 2, "alpha_cuts": 2, "beta_cuts": 1, "deep_cuts": 1},
    {"depth": 5, "branching": 2, "alpha_cuts": 1, "beta_cuts": 3, "deep_cuts": 1},
    {"depth": 6, "branching": 3, "alpha_cuts": 3, "beta_cuts": 2, "deep_cuts": 2},
    {"depth": 7, "branching": 3, "alpha_cuts": 4, "beta_cuts": 3, "deep_cuts": 3},
]
BY_LEVEL = {1: (2, 0, 0), 2: (1, 1, 0), 3: (2, 1, 0), 4: (2, 2, 1), 5: (3, 3, 2)}


def counted(root):
    slow = SlowAlphaBeta(root)
    kinds = [kind for kind, _ in slow.cuts.values()]
    deep = sum(
        slow.entered[path][kind == "beta"] == slow.entered[path[:-1]][kind == "beta"]
        for path, (kind, _) in slow.cuts.items()
    )
    return kinds.count("alpha"), kinds.count("beta"), deep


@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: f"depth {wish['depth']}")
def test_a_generated_tree_has_exactly_the_cuts_that_were_asked_for(wish):
    for number in range(8):
        root = make_exercise("alphabeta", 3, number, wish).data["root"]
        assert counted(root) == (wish["alpha_cuts"], wish["beta_cuts"], wish["deep_cuts"])
        assert depth_of(root) == wish["depth"]
        assert max(len(children(node)) for node in by_level(root).values()) <= wish["branching"]


def test_the_levels_have_their_cuts():
    for level, number in itertools.product(LEVELS, range(10)):
        assert counted(make_exercise("alphabeta", level, number).data["root"]) == BY_LEVEL[level]


@pytest.mark.parametrize(
    ("wish", "line"),
    [
        ({"depth": 2, "deep_cuts": 9}, "a deep cut needs a tree of depth 4 or more, not 2"),
        ({"depth": 2, "beta_cuts": 1}, "a beta cut needs a tree of depth 3"),
        ({"depth": 6, "alpha_cuts": 1, "beta_cuts": 1, "deep_cuts": 3}, "deep cuts are among the alpha and beta cuts"),
        ({"depth": 2, "branching": 2, "alpha_cuts": 5}, "no tree of depth 2 .* 5 alpha cuts; ask for fewer cuts"),
        ({"depth": 40}, "depth is from 2 to 8, not 40"),
    ],
)
def test_what_no_tree_can_have_is_refused_in_one_line(wish, line):
    with pytest.raises(BadOption, match=line):
        make_exercise("alphabeta", 3, 1, wish)


# Windows -------------------------------------------------------------------------------------------------------------


def test_windows_are_those_of_a_slow_search_by_either_convention():
    for level, number in itertools.product(LEVELS, range(12)):
        exercise = make_exercise("windows", level, number)
        root = exercise.data["root"]
        slow, paths = SlowAlphaBeta(root), list(by_level(root))
        inner = [n for n, path in enumerate(paths) if isinstance(by_level(root)[path], dict)]

        def said(pair):
            return f"{pair[0]}, {pair[1]}"

        for final in (slow.left, slow.other):
            given = {}
            for n in inner:
                seen = paths[n] in slow.visited
                given[f"{n}-in"] = said(slow.entered[paths[n]]) if seen else "-"
                given[f"{n}-out"] = said(final[paths[n]]) if seen else "—"
            verdicts = judge(exercise, given)
            assert len(verdicts) == 2 * len(inner)
            assert {verdict.found for verdict in verdicts} == {"right"}
        wrong = dict.fromkeys(given, "1000, 1001")
        assert {verdict.found for verdict in judge(exercise, wrong)} == {"wrong"}


def test_a_window_may_be_written_in_many_ways():
    exercise = make_exercise("windows", 2, 3)
    for text in ("-inf, inf", "−∞ ; +∞", "(-∞, ∞)", "[−oo,+oo]", "－∞，＋∞", "-infinity infinity"):
        assert judge(exercise, {"0-in": text})[0].found == "right", text
    for text in ("-inf", "0, inf", "x", "1/0, 2", "9" * 10_000, "nan, nan"):
        assert judge(exercise, {"0-in": text})[0].found == "wrong", text


def test_windows_of_two_hundred_trees_are_judged_as_a_slow_search_says():
    unseen = 0
    for root in TREES:
        slow, nodes = SlowAlphaBeta(root), by_level(root)
        judged = {answer.key: answer for answer in answers("windows", root)}
        for number, (path, node) in enumerate(nodes.items()):
            if not isinstance(node, dict):
                continue
            entering, leaving = judged.pop(f"{number}-in"), judged.pop(f"{number}-out")
            if path not in slow.visited:
                unseen += 1
                assert entering.accepts("-")
                assert leaving.accepts("-")
                continue
            entered, ends = slow.entered[path], {slow.left[path], slow.other[path]}
            bounds = (-math.inf, *range(-16, 17), math.inf)
            for window in {
                entered,
                *ends,
                *((entered[0], one) for one in bounds),
                *((one, entered[1]) for one in bounds),
            }:
                text = f"{window[0]}, {window[1]}"
                assert entering.accepts(text) == (window == entered), (root, path, window)
                assert leaving.accepts(text) == (window in ends), (root, path, window)
            assert not entering.accepts("-")
        assert not judged
    assert unseen > 100


# Values --------------------------------------------------------------------------------------------------------------


def slow_value(node):
    if not isinstance(node, dict):
        return node
    if "chance" in node:
        return sum(share * slow_value(child) for share, child in node["chance"])
    return (max if "max" in node else min)(slow_value(child) for child in children(node))


def slow_utilities(node):
    if isinstance(node, list):
        return tuple(node)
    found = [slow_utilities(child) for child in node["children"]]
    own = [utilities[node["player"]] for utilities in found]
    assert own.count(max(own)) == 1  # else two answers would be right
    return found[own.index(max(own))]


@pytest.mark.parametrize("kind", ["minimax", "expectimax"])
def test_values_are_those_of_the_definition(kind):
    for level, number in itertools.product(LEVELS, range(15)):
        exercise = make_exercise(kind, level, number)
        nodes = by_level(exercise.data["root"])
        values = {str(n): slow_value(node) for n, node in enumerate(nodes.values()) if isinstance(node, dict)}
        given = {key: f"{value:.2f}" if kind == "expectimax" else str(value) for key, value in values.items()}
        verdicts = judge(exercise, given)
        assert len(verdicts) == len(values)
        assert {verdict.found for verdict in verdicts} == {"right"}
        off = {key: str(value + 1) for key, value in values.items()}
        assert {verdict.found for verdict in judge(exercise, off)} == {"wrong"}


def with_chance(node):
    """The tree with chance in place of MIN; the first outcome has half of the probability."""
    if not isinstance(node, dict):
        return node
    below = [with_chance(child) for child in children(node)]
    if "max" in node:
        return {"max": below}
    rest = 0.5 / (len(below) - 1) if len(below) > 1 else 0.0
    return {"chance": [[(0.5 if rest else 1.0) if not place else rest, child] for place, child in enumerate(below)]}


@pytest.mark.parametrize("kind", ["minimax", "expectimax"])
def test_values_of_two_hundred_trees_are_judged_by_the_definition(kind):
    for plain in TREES:
        root = plain if kind == "minimax" else with_chance(plain)
        judged = {answer.key: answer for answer in answers(kind, root)}
        for number, node in enumerate(by_level(root).values()):
            if isinstance(node, dict):
                value, answer = slow_value(node), judged.pop(str(number))
                assert answer.accepts(f"{value:.3f}"), (root, number)
                assert not answer.accepts(f"{value + 1:.3f}"), (root, number)
        assert not judged


def test_utilities_of_three_players_are_those_of_the_definition():
    for level, number in itertools.product(LEVELS, range(15)):
        exercise = make_exercise("maxn", level, number)
        nodes = by_level(exercise.data["root"])
        right = {str(n): slow_utilities(node) for n, node in enumerate(nodes.values()) if isinstance(node, dict)}
        verdicts = judge(exercise, {key: " ".join(map(str, value)) for key, value in right.items()})
        assert {verdict.found for verdict in verdicts} == {"right"}
        turned = {key: ", ".join(map(str, (*value[1:], value[0] + 1))) for key, value in right.items()}
        assert {verdict.found for verdict in judge(exercise, turned)} == {"wrong"}


def of_three_players(node, rng, mover=0):
    """The tree with three players in turn; no two leaves are worth the same to anybody, so nobody is indifferent."""
    if not isinstance(node, dict):
        return [next(rng) for _ in range(3)]
    return {"player": mover, "children": [of_three_players(child, rng, (mover + 1) % 3) for child in children(node)]}


def test_utilities_of_two_hundred_trees_are_judged_by_the_definition():
    movers = set()
    for seed, plain in enumerate(TREES):
        root = of_three_players(plain, iter(random.Random(seed).sample(range(-400, 400), 600)))
        judged = {answer.key: answer for answer in answers("maxn", root)}
        for number, node in enumerate(by_level(root).values()):
            if isinstance(node, dict):
                first, second, third = slow_utilities(node)
                answer = judged.pop(str(number))
                movers.add(node["player"])
                assert answer.accepts(f"{first}, {second}, {third}"), (root, number)
                for wrong in ((first + 1, second, third), (second, third, first), (first, second), (first,)):
                    assert not answer.accepts(", ".join(map(str, wrong))), (root, number, wrong)
                assert f"P{node['player'] + 1} " in answer.reason
        assert not judged
    assert movers == {0, 1, 2}


# UCB ------------------------------------------------------------------------------------------------------------------


def test_scores_of_ucb_are_those_of_the_formula_and_the_path_follows_them():
    untried = 0
    for level, number in itertools.product(LEVELS, range(15)):
        exercise = make_exercise("ucb", level, number)
        nodes, factor = exercise.data["nodes"], exercise.data["factor"]
        scores, depths = {}, {0: 0}
        for n, (parent, wins, visits) in enumerate(nodes[1:], 1):
            depths[n] = depths[parent] + 1
            share = wins / visits if visits else 0
            mean = share if depths[n] in (1, 3) else 1 - share
            bonus = math.sqrt(factor * math.log(nodes[parent][2]) / visits) if visits else math.inf
            scores[n] = math.inf if not visits else mean + bonus
            untried += not visits
        at = 0
        while family := [n for n, (parent, _, _) in enumerate(nodes) if n and parent == at]:
            at = max(family, key=lambda n: scores[n])
            assert sum(n in family and scores[n] >= scores[at] - 0.02 for n in scores) == 1
        given = {str(n): f"{score:.2f}" for n, score in scores.items()} | {"path": str(at)}
        assert {verdict.found for verdict in judge(exercise, given)} == {"right"}
        given = {str(n): f"{min(score, 9) + 0.05:.2f}" for n, score in scores.items()} | {"path": "0"}
        assert {verdict.found for verdict in judge(exercise, given)} == {"wrong"}
        for parent, row in enumerate(nodes):
            family = [other for n, other in enumerate(nodes) if n and other[0] == parent]
            if family:
                assert row[1:] == [sum(one[1] for one in family), sum(one[2] for one in family)]
    assert untried > 5


def with_visits(root, rng):
    """The nodes of a tree as rows of parent, Black's wins, visits; some leaves were never visited."""
    paths = list(by_level(root))
    rows = [[paths.index(path[:-1]) if path else 0, 0, 0] for path in paths]
    inner = {row[0] for row in rows[1:]}
    for number in range(len(rows) - 1, 0, -1):
        parent, wins, visits = rows[number]
        if number not in inner:
            visits = rng.randrange(0, 13)
            wins = rng.randint(0, visits)
            rows[number] = [parent, wins, visits]
        rows[parent][1] += wins
        rows[parent][2] += visits
    return rows


def test_scores_and_paths_of_two_hundred_trees_are_judged_by_the_formula():
    untried = chosen_by_white = 0
    for seed, root in enumerate(TREES):
        rng = random.Random(seed)
        nodes, factor, paths = with_visits(root, rng), 1 + seed % 2, list(by_level(root))
        exercise = {"nodes": nodes, "factor": factor}
        module = importlib.import_module("plyground.course.exercises.ucb")
        judged = {answer.key: answer for answer in module.answers(exercise, "en")}
        score = {0: 0.0}
        for number, (parent, wins, visits) in enumerate(nodes[1:], 1):
            answer = judged.pop(str(number))
            if visits == 0:
                untried += 1
                score[number] = math.inf
                assert answer.accepts("inf")
                assert not answer.accepts("1")
                continue
            share = (wins if len(paths[number]) % 2 == 1 else visits - wins) / visits
            chosen_by_white += len(paths[number]) % 2 == 0
            score[number] = share + (factor * math.log(nodes[parent][2]) / visits) ** 0.5
            assert answer.accepts(f"{score[number]:.2f}"), (nodes, number)
            assert not answer.accepts(f"{score[number] + 0.02:.3f}"), (nodes, number)
        at = 0
        while family := [number for number in score if number and nodes[number][0] == at]:
            at = max(family, key=score.get)  # the first of equal ones, as the generator leaves none
        ends = judged.pop("path")
        assert [number for number in score if ends.accepts(str(number))] == [at]
        assert not judged
    assert untried > 100
    assert chosen_by_white > 500


# All of them ---------------------------------------------------------------------------------------------------------


def test_the_worked_tree_is_complete_only_with_both_branches():
    tree = read_plain_tree({"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]})
    right = [answer for answer in cut_answers(tree, "en") if answer.text]
    assert [(answer.key, answer.text) for answer in right] == [("8", "α cut"), ("9", "α cut")]
    assert right[0].reason == (
        "MIN at C knows v = 2 with α = 3, β = +∞: v ≤ α, α cut. The bound comes from A, right above."
    )


def test_both_languages_ask_for_the_same():
    for kind, level in itertools.product(["alphabeta", "windows", "minimax", "expectimax", "maxn", "ucb"], (1, 5)):
        exercise = make_exercise(kind, level, 4)
        english, chinese = ask(exercise, "en"), ask(exercise, "zh")
        assert [item.key for item in english.items] == [item.key for item in chinese.items]
        assert not chinese.title.isascii()
        for (item, answer), (other, other_answer) in zip(
            answer_key(exercise, "en"), answer_key(exercise, "zh"), strict=True
        ):
            assert item.key == other.key == answer.key == other_answer.key
            assert not other_answer.reason.isascii()
