"""The program beside a film: at every step the marked lines are those that run, and variables have their values.

Nothing here asks the film which lines those are. The short Python runs under a trace, and so does the pseudo-code
itself, which a small translator turns into Python line by line. Both traces are parted into steps by their texts.
"""

from __future__ import annotations

import inspect
import math
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from types import CodeType, FrameType, FunctionType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import actions, interpreted, make_game, result, terminal, to_move
from plyground.core.rules import CHANCE, action_text, evaluation, probability, utility
from plyground.games.tree import read_tree
from plyground.native.randomness import stream
from plyground.pictures.program import Form
from plyground.pictures.tree import Drawing, Step, tree_data
from plyground.search.anytime import DEEPEST
from plyground.search.lecture import alphabeta, expectiminimax, minimax, uct
from plyground.search.playout import playout
from plyground.watch.classroom import lesson
from plyground.watch.mcts_run import MctsRun
from plyground.watch.programs import SEARCH_VARIABLES, SIMULATION_VARIABLES
from plyground.watch.search_numbers import plain
from plyground.watch.searches import exercise, search_drawing
from plyground.watch.simulation_numbers import trimmed
from plyground.watch.simulations import simulations_drawing
from plyground.watch.worked_example import worked_example

SHORT = {
    function.__name__: function
    for function in (
        minimax.minimax_value,
        alphabeta.alphabeta_value,
        expectiminimax.expectiminimax_value,
        expectiminimax.expectiminimax_within,
    )
}


# Tracing -------------------------------------------------------------------------------------------------------------


@dataclass
class Moment:
    """A line that begins to run, or goes on after a call (`back`). What the frame held then, and holds afterwards."""

    code: CodeType
    line: int
    frame: int
    back: bool
    before: dict[str, Any]
    after: dict[str, Any] = field(default_factory=dict)
    returned: Any = None
    left: bool = False
    """Whether the function is left from here."""


def traced(codes: Sequence[CodeType], run: Callable[[], Any]) -> list[Moment]:
    """The lines of some functions in the order in which they run."""
    moments: list[Moment] = []
    last: dict[int, Moment] = {}
    alive: list[FrameType] = []

    def note(frame: FrameType, back: bool) -> None:
        held = dict(frame.f_locals)
        if id(frame) in last:
            last[id(frame)].after = held
        moments.append(Moment(frame.f_code, frame.f_lineno, id(frame), back, held))
        last[id(frame)] = moments[-1]

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        if frame.f_code not in codes:
            return None
        if event == "call":
            alive.append(frame)  # so that no other frame gets its number
            last.pop(id(frame), None)
        elif event == "line":
            note(frame, False)
        elif event == "return":
            ended = last[id(frame)]
            ended.after, ended.returned, ended.left = dict(frame.f_locals), argument, True
            above = frame.f_back
            while above is not None and above.f_code not in codes:
                above = above.f_back
            if above is not None:
                note(above, True)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        with interpreted():
            run()
    finally:
        sys.settrace(before)
    return moments


def parted(moments: Sequence[Moment], begins: Callable[[int], bool]) -> list[list[Moment]]:
    """The moments in parts, each of which begins where it is said."""
    parts: list[list[Moment]] = []
    for i, moment in enumerate(moments):
        if not parts or begins(i):
            parts.append([])
        parts[-1].append(moment)
    return parts


def once(lines: Sequence[Any]) -> list[Any]:
    """Each line once, where it has run last."""
    return [line for i, line in enumerate(lines) if line not in lines[i + 1 :]]


def numbers_of(form: Form, step: Step, which: int) -> list[str]:
    """The numbers of the lines that a film marks at a step."""
    assert step.ran is not None
    return [form.lines[place][0] for place in step.ran.lines[which]]


def form_of(drawing: Drawing, name: str) -> tuple[int, Form]:
    assert drawing.program is not None
    return next((which, form) for which, form in enumerate(drawing.program.forms) if form.name == name)


def source_of(function: FunctionType) -> dict[int, str]:
    lines, first = inspect.getsourcelines(function)
    return {first + i: line.strip() for i, line in enumerate(lines)}


# Searches that call themselves ---------------------------------------------------------------------------------------


def check_values(game: Any, step: Step, part: Sequence[Moment], depth: bool, names: dict[str, str]) -> None:
    """Variables as the frame holds them in which the step ends; `names` are those of the film's variables there."""
    assert step.ran is not None
    told = dict(zip(SEARCH_VARIABLES, step.ran.values, strict=True))
    size = game.points[""].size if game.points.get("") else 1.0
    end = part[-1]
    inner = any(end.after.get(names.get(film)) is not None for film in ("best", "mean"))
    for film, name in names.items():
        if film == "depth":
            assert told[film] == (str(end.after[name]) if depth else "")
        elif film == "chosen":
            chosen = end.after.get(name, -1)
            assert told[film] == (action_text(end.after["state"], chosen) if chosen >= 0 else "")
        else:
            value = end.after.get(name) if inner else None
            assert told[film] == ("" if value is None else plain(float(value) / size)), film
    assert told["returned"] == (plain(float(end.returned) / size) if end.left else "")


def check_python(game: Any, drawing: Drawing, depth: int | None) -> None:
    which, form = form_of(drawing, "python")
    name = next(found[1] for _, text in form.lines if (found := re.match(r"def (\w+)", text)))
    function = SHORT[name].function
    source = source_of(function)
    shown = {int(number): text.strip() for number, text in form.lines if number}
    assert shown.items() <= source.items()  # what is shown is the source
    state, limit = game.initial, depth or DEEPEST
    bounds = (-math.inf, math.inf) if "alpha" in inspect.signature(function).parameters else ()
    moments = traced([function.__code__], lambda: function(state, limit, *bounds, 0))

    def begins(i: int) -> bool:
        text, moment = source[moments[i].line], moments[i]
        if moment.back or text.startswith("for i in range"):
            return True
        return text.startswith("if best >= beta") and source[moments[i + 1].line].startswith("break")

    parts: list[list[Moment]] = []
    for part in parted(moments, begins):
        skips = any(source[moment.line].startswith("skipped(") for moment in part)
        if skips and parts and any(source[moment.line].startswith("skipped(") for moment in parts[-1]):
            parts[-1] += part  # told in one step
        else:
            parts.append(part)
    *steps, last = drawing.steps
    assert len(steps) == len(parts)
    variables = ("depth", "best", "mean", "alpha", "beta")
    names = {**dict(zip(variables, variables, strict=True)), "chosen": "best_action"}
    for step, part in zip(steps, parts, strict=True):
        assert numbers_of(form, step, which) == [str(line) for line in once([moment.line for moment in part])]
        check_values(game, step, part, depth is not None, names)
    assert [source[int(number)] for number in numbers_of(form, last, which)] == [source[moments[-1].line]]


SIGNS = {"←": "=", "−∞": "-INF", "+∞": "INF", "−": "-", "≥": ">=", "≤": "<=", "≠": "!=", "·": "*", "P(r)": "P(s, r)"}


def translated(form: Form) -> tuple[str, dict[int, str]]:
    """Pseudo-code as Python with the same lines, and its own text of each."""
    said = {i + 1: text for i, (_, text) in enumerate(form.lines)}
    lines = []
    for text in said.values():
        body = text.lstrip()
        condition = re.fullmatch(r"(if|else if) (.*) then( return .*)?", body)
        if condition:
            test = re.sub(r" = ", " == ", condition[2])
            body = f"{condition[1].replace('else if', 'elif')} {test}:{condition[3] or ''}"
        elif body == "else":
            body = "else:"
        elif loop := re.fullmatch(r"for each (\w) in (\w+\(s\))(?: with (.*))? do", body):
            body = f"for {loop[1]} in [{loop[1]} for {loop[1]} in {loop[2]} if {loop[3] or True}]:"
        elif body.startswith("function "):
            body = f"def {body.removeprefix('function ')}:"
        for sign, python in SIGNS.items():
            body = body.replace(sign, python)
        lines.append(" " * (len(text) - len(text.lstrip())) + body)
    return "\n".join(lines), said


def check_pseudo(game: Any, drawing: Drawing, depth: int | None) -> None:
    which, form = form_of(drawing, "pseudo")
    program, said = translated(form)
    rules: dict[str, Any] = {
        "INF": math.inf, "MAX": 0, "MIN": 1, "CHANCE": CHANCE, "TERMINAL": terminal,
        "PLAYER": lambda s: int(to_move(s)),
        "UTILITY": lambda s: float(utility(s, 0)), "ACTIONS": actions, "OUTCOMES": actions, "RESULT": result,
        "EVAL": lambda s: float(evaluation(s)) * (1 if to_move(s) == 0 else -1),
        "P": lambda s, r: float(probability(s, r)),
    }  # fmt: skip
    exec(compile(program, "pseudo", "exec"), rules)
    function = rules[re.match(r"def (\w+)", program)[1]]
    parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
    given = {"s": game.initial, "depth": depth, "α": -math.inf, "β": math.inf}
    moments = traced([function.__code__], lambda: function(*(given[name] for name in parameters)))

    def begins(i: int) -> bool:
        text, moment = said[moments[i].line].strip(), moments[i]
        return moment.back or text.startswith("for each") or (text.startswith("if v ") and moment.left)

    parts = parted(moments, begins)
    *steps, last = drawing.steps
    assert len(steps) == len(parts)
    names = {"depth": "depth", "alpha": "α", "beta": "β"}
    for step, part in zip(steps, parts, strict=True):
        assert numbers_of(form, step, which) == [str(line) for line in once([moment.line for moment in part])]
        chance = step.ran is not None and step.ran.values[SEARCH_VARIABLES.index("mean")]
        check_values(game, step, part, depth is not None, names | {"mean" if chance else "best": "v"})
    assert numbers_of(form, last, which) == [str(moments[-1].line)]


def check(game: Any, algorithm: str, depth: int | None = None) -> Drawing:
    drawing = search_drawing(game, algorithm=algorithm, depth=depth).drawing
    assert len(drawing.steps) > 1
    check_python(game, drawing, depth)
    check_pseudo(game, drawing, depth)
    return drawing


@pytest.mark.parametrize("algorithm", ["minimax", "alphabeta", "expectiminimax"])
@pytest.mark.parametrize("name", ["worked", "exercise1", "exercise2", "exercise3"])
def test_trees_of_the_classroom(name, algorithm):
    check(lesson(name).make(), algorithm)
    check(lesson(name).make(), algorithm, 2)


@pytest.mark.parametrize("name", ["pacman-random-ghost", "monotone-before", "star"])
def test_trees_with_chance(name):
    check(lesson(name).make(), "expectiminimax")


def test_a_board_game_to_a_depth():
    drawing = check(make_game("tictactoe"), "alphabeta", 2)
    evaluated = [step for step in drawing.steps if "depth limit" in step.caption]
    assert evaluated
    which, form = form_of(drawing, "pseudo")
    for step in evaluated:
        assert form.lines[step.ran.lines[which][-1]][1].strip() == "if depth = 0 then return EVAL(s)"
        assert dict(zip(SEARCH_VARIABLES, step.ran.values, strict=True))["depth"] == "0"


def trees(kinds: Sequence[str], least: int) -> st.SearchStrategy[Any]:
    """Trees of MAX, MIN and chance; the weights of outcomes are at least so large."""

    def chance(children: list[Any], weights: list[int]) -> Any:
        weights = [max(weights[i % len(weights)], i == 0) for i in range(len(children))]
        return {"chance": [[w / sum(weights), child] for w, child in zip(weights, children, strict=True)], "value": 1}

    def node(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
        children = st.lists(below, min_size=1, max_size=3)
        weights = st.lists(st.integers(least, 4), min_size=1, max_size=3)
        moves = st.builds(lambda kind, found: {kind: found, "value": 1}, st.sampled_from(["max", "min"]), children)
        return moves | st.builds(chance, children, weights) if "chance" in kinds else moves

    return st.recursive(st.integers(-6, 6), node, max_leaves=24).filter(lambda tree: isinstance(tree, dict))


@settings(max_examples=40)
@given(tree=trees(["max", "min"], 1), depth=st.none() | st.integers(1, 4))
def test_any_tree_without_chance(tree, depth):
    for algorithm in ("minimax", "alphabeta"):
        check(read_tree(tree), algorithm, depth)


@settings(max_examples=40)
@given(tree=trees(["max", "min", "chance"], 1), depth=st.none() | st.integers(1, 4))
def test_any_tree_with_chance(tree, depth):
    check(read_tree(tree), "expectiminimax", depth)


@settings(max_examples=20)
@given(tree=trees(["max", "min", "chance"], 0))
def test_outcomes_that_never_come_are_skipped_in_the_python_too(tree):
    game = read_tree(tree)
    check_python(game, search_drawing(game, algorithm="expectiminimax").drawing, None)


def test_expectiminimax_has_windows_only_where_it_cuts():
    plain_one = search_drawing(lesson("pacman-random-ghost").make(), algorithm="expectiminimax").drawing
    assert "α" not in "".join(text for _, text in form_of(plain_one, "pseudo")[1].lines)
    cutting = search_drawing(lesson("worked").make(), algorithm="expectiminimax").drawing
    assert "if v ≥ β then return v" in "".join(text for _, text in form_of(cutting, "pseudo")[1].lines)


@pytest.mark.parametrize("algorithm", ["pvs", "mtdf", "star1", "maxn"])
def test_searches_without_a_short_form_have_no_program(algorithm):
    tree = lesson({"star1": "star", "maxn": "three-players"}.get(algorithm, "worked")).make()
    drawing = search_drawing(tree, algorithm=algorithm).drawing
    assert drawing.program is None
    assert all(step.ran is None for step in drawing.steps)
    assert tree_data(drawing)["program"] is None


def test_an_exercise_has_the_program_of_its_answers_only():
    found = search_drawing(lesson("exercise1").make(), algorithm="alphabeta")
    assert exercise(found).program is found.drawing.program
    assert exercise(found, answers=False).program is None


# Monte Carlo ---------------------------------------------------------------------------------------------------------

PLAIN = "mcts:c=1,form=plain,solver=off,rollout=uniform"
SMALL_TREE = {"max": [{"min": [3, 12, 8]}, {"min": [2, {"max": [4, 6]}]}, {"min": [14, 5, 2]}]}
GAMES = {"tictactoe": make_game("tictactoe"), "a tree": read_tree(SMALL_TREE), "nim": make_game("nim:piles=1,2")}


def simulation_values(step: Step) -> dict[str, str]:
    assert step.ran is not None
    return dict(zip(SIMULATION_VARIABLES, step.ran.values, strict=True))


def whole_film(game: Any, simulations: int, player: str = PLAIN, seed: int = 0) -> Drawing:
    """A film of a search from its first simulation on."""
    return simulations_drawing(game, game.initial, simulations=simulations, shown=simulations, player=player, seed=seed)


@pytest.mark.parametrize(
    "search", [uct.uct, pytest.param(uct.uct_all, marks=pytest.mark.slow)], ids=["one child", "all children"]
)
@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), simulations=st.integers(1, 40))
def test_the_lines_of_the_short_uct(name, search, seed, simulations):
    game = GAMES[name]
    player = PLAIN if search is uct.uct else f"{PLAIN},expansion=all"
    drawing = whole_film(game, simulations, player, seed)
    which, form = form_of(drawing, "python")
    run = MctsRun(game, game.initial, simulations, player, seed)
    low, high = run.settings.low, run.settings.high
    bound = next(code for code in uct.highest.__code__.co_consts if isinstance(code, CodeType))
    functions = [search, uct.select, uct.expand, uct.highest, playout.function]
    source = {function.__code__: source_of(function) for function in functions}
    source[bound] = source[uct.highest.__code__]
    moments = traced(list(source), lambda: search(game.initial, simulations, stream(seed, 1, 0), 1.0, low, high))
    moments = [moment for moment in moments if not moment.back]
    texts = [source[moment.code][moment.line] for moment in moments]
    ends = [
        i for i, pair in enumerate(pairwise(texts)) if pair[0].startswith("for way") and pair[1].startswith("for _")
    ]
    for i in reversed(ends):  # the last look of a loop has no step
        del moments[i], texts[i]

    def begins(i: int) -> bool:
        text, follows = texts[i], texts[i + 1] if i + 1 < len(texts) else ""
        if text.startswith("for _ in"):
            return i > 1 and follows.startswith(("path = select", "return root"))  # the first step makes the root
        if text.startswith("while not terminal"):
            return not texts[i - 1].startswith("path = [root]")
        if text.startswith("if not terminal"):
            return texts[i - 2].startswith("break")
        if text.startswith("for way in"):
            return texts[i - 1].startswith("for node in") and follows.startswith("end = playout")
        if text.startswith("end = playout"):
            held = moments[i].before
            return texts[i - 2].startswith("break") or len(held.get("way", [])) > len(held["path"])
        return text.startswith("for node in") and follows.startswith("node.visits")

    parts = parted(moments, begins)
    assert len(parts) == len(drawing.steps)
    shown = [text for number, text in form.lines if number]
    assert all(text.strip() in "\n".join(map("\n".join, map(dict.values, source.values()))) for text in shown)
    for step, part in zip(drawing.steps, parts, strict=True):
        assert step.ran is not None
        marked = {form.lines[line][1].strip() for line in step.ran.lines[which]}
        ran = {source[moment.code][moment.line] for moment in part}
        assert marked == ran
        last = source[part[-1].code][part[-1].line]
        credited = [moment for moment in part if source[moment.code][moment.line].startswith("node.total")]
        if credited:
            last = "node.total += (utility(end, node.mover) - low) / (high - low)"
            node = credited[0].before["node"]
            told = simulation_values(step)
            assert int(told["visits"]) >= 1
            assert told["reward"] == trimmed((utility(part[0].before["end"], node.mover) - low) / (high - low), 3)
        assert form.lines[step.ran.lines[which][-1]][1].strip().startswith(last[:20])
    held, told = parts[-1][-1].before, simulation_values(drawing.steps[-1])  # where the root is returned
    assert held["node"] is held["root"]
    assert (told["node"], told["visits"], told["kept"], told["given"]) == (
        "the root", str(held["root"].visits), trimmed(held["root"].total), trimmed(held["c"], 3)
    )  # fmt: skip


@dataclass(eq=False)
class Node:
    """A node as the pseudo-code has it: v with s(v), a(v), N(v), Q(v), a parent and children."""

    state: Any
    action: int | None = None
    parent: Node | None = None
    mover: int = 0
    visits: int = 0
    total: float = 0.0
    children: list[Node] = field(default_factory=list)


ANSWER = "return a(BESTCHILD(v₀, 0))"
WORDS = {
    "create root node v₀ with state s₀": "v0 = root(s0)",
    "while within computational budget do": "while budget():",
    "vₗ ← TREEPOLICY(v₀)": "vl = TREEPOLICY(v0)",
    "Δ ← DEFAULTPOLICY(s(vₗ))": "Δ = DEFAULTPOLICY(vl.state)",
    "BACKUP(vₗ, Δ)": "BACKUP(vl, Δ)",
    "BACKUPNEGAMAX(vₗ, Δ)": "BACKUPNEGAMAX(vl, Δ[vl.mover])",
    "repeat 2 times": "for _ in range(2):",
    "for each v′ in EXPANDALL(vₗ) do": "for child in EXPANDALL(vl):",
    "Δ ← DEFAULTPOLICY(s(v′))": "Δ = DEFAULTPOLICY(child.state)",
    "BACKUP(v′, Δ)": "BACKUP(child, Δ)",
    "BACKUPNEGAMAX(v′, Δ)": "BACKUPNEGAMAX(child, Δ[child.mover])",
    "if v is terminal then return {v}": "if terminal(v.state): return [v]",
    "for each a in ACTIONS(s(v)) do": "for a in every(v):",
    "return children of v": "return v.children",
    ANSWER: "return BESTCHILD(v0, 0).action",
    "while v is nonterminal do": "while not terminal(v.state):",
    "if v is not fully expanded then": "if len(v.children) < len(actions(v.state)):",
    "return EXPAND(v)": "return EXPAND(v)",
    "v ← BESTCHILD(v, C)": "v = BESTCHILD(v, C)",
    "choose a ∈ untried actions of s(v)": "a = untried(v)",
    "add a child v′: s(v′) = RESULT(s(v), a), a(v′) = a": "child = add(v, a)",
    "return v′": "return child",
    "each child v′: UCB(v′) ← Q(v′)/N(v′) + C √(ln N(v) / N(v′))": "bounds = ucb(v, C)",
    "return v′ with the highest UCB(v′)": "return highest(v, bounds)",
    "while s is nonterminal do": "while not terminal(s):",
    "choose a ∈ ACTIONS(s) at random": "a = drawn(s)",
    "s ← RESULT(s, a)": "s = result(s, a)",
    "return reward for state s": "return reward(s)",
    "while v is not null do": "while v is not None:",
    "N(v) ← N(v) + 1": "v.visits += 1",
    "Q(v) ← Q(v) + Δ(v, p)": "v.total += Δ[v.mover]",
    "Q(v) ← Q(v) + Δ": "v.total += Δ",
    "Δ ← 1 − Δ": "Δ = 1 - Δ",
    "v ← parent of v": "v = v.parent",
}
"""The lines of UCT in Python, one for one. What is left to chance there was recorded, and is looked up."""


@pytest.mark.parametrize(
    ("name", "more"),
    [
        *((name, "") for name in GAMES),
        ("tictactoe", ",expansion=all"),
        *(pytest.param(name, ",expansion=all", marks=pytest.mark.slow) for name in GAMES if name != "tictactoe"),
        *(pytest.param(name, ",rollouts=2", marks=pytest.mark.slow) for name in GAMES),
    ],
)
@pytest.mark.parametrize("form_name", ["pseudo", "negamax"])
@settings(max_examples=5)
@given(seed=st.integers(0, 2**32), simulations=st.integers(1, 40))
def test_the_pseudo_code_of_uct_replays_what_was_recorded(name, form_name, more, seed, simulations):
    game, player = GAMES[name], PLAIN + more
    drawing = whole_film(game, simulations, player, seed)
    if form_name == "negamax" and name == "a tree":  # MAX moves twice in a row below its second move
        alternates = "negamax" in {form.name for form in drawing.program.forms}
        credited = [
            event
            for event in MctsRun(game, game.initial, simulations, player, seed).record(simulations)
            if event.kind == "credited"
        ]
        assert alternates == all(
            below.player != above.player for below, above in pairwise(credited) if 0 < above.ply < below.ply
        )
        if not alternates:
            return
    which, form = form_of(drawing, form_name)
    run = MctsRun(game, game.initial, simulations, player, seed)
    events = run.record(simulations)
    ways = iter([event for event in events if event.kind == "descended"])
    moves = iter([event for event in events if event.kind == "playout_moved"])
    credits = iter([event for event in events if event.kind == "credited"])
    left = [simulations]
    named = re.search(r" takes (\S+); ", drawing.steps[-1].caption)[1]
    answered = next(action for action in actions(game.initial) if action_text(game.initial, action) == named)
    low, high = run.settings.low, run.settings.high

    def budget() -> bool:
        left[0] -= 1
        return left[0] >= 0

    def untried(v: Node) -> int:
        """The event has the state that was reached; one of the actions that were not tried leads there."""
        event = next(ways)
        assert event.fresh
        tried = {child.action for child in v.children}
        return next(a for a in actions(v.state) if a not in tried and result(v.state, a) == event.state)

    def every(v: Node) -> Iterator[int]:
        for _ in actions(v.state):
            yield untried(v)

    def add(v: Node, a: int) -> Node:
        v.children.append(Node(result(v.state, a), a, v, int(to_move(v.state))))
        return v.children[-1]

    def ucb(v: Node, c: float) -> list[float]:
        return [child.total / child.visits + c * math.sqrt(math.log(v.visits) / child.visits) for child in v.children]

    def highest(v: Node, bounds: list[float]) -> Node:
        event = next(ways, None)
        best = [child for child, bound in zip(v.children, bounds, strict=True) if bound >= max(bounds) - 1e-9]
        if event is None:  # the simulations are over: of several that are best it is the one that the film names
            return next(child for child in best if child.action == answered)
        assert not event.fresh
        return next(child for child in best if child.state == event.state)

    def drawn(s: Any) -> int:
        event = next(moves)
        assert event.state == s
        return int(event.action)

    rules = {
        "root": lambda s: Node(s, mover=int(to_move(s))), "budget": budget, "terminal": terminal, "actions": actions,
        "untried": untried, "every": every, "add": add, "ucb": ucb, "highest": highest, "drawn": drawn,
        "result": result, "C": 1.0,
        "reward": lambda s: [(utility(s, player) - low) / (high - low) for player in range(2)],
    }  # fmt: skip
    lines = []
    for _, text in form.lines:
        body = text.strip()
        indent = " " * (len(text) - len(text.lstrip()))
        if body.startswith("function "):
            lines.append(f"def {body.removeprefix('function ').replace('₀', '0')}:")
        else:
            lines.append(indent + ({"else": "else:", "": "", "return v": "return v"} | WORDS)[body])
    made: dict[str, Any] = dict(rules)
    exec(compile("\n".join(lines), "pseudo", "exec"), made)
    codes = [
        found.__code__
        for found in made.values()
        if getattr(found, "__code__", None) and found.__code__.co_filename == "pseudo"
    ]
    text_at = {place + 1: text.strip() for place, (_, text) in enumerate(form.lines)}
    loops = ("for each v′ in EXPANDALL(vₗ) do", "repeat 2 times")
    moments = [
        moment
        for moment in traced(codes, partial(made["UCTSEARCH"], game.initial))
        if not moment.back or text_at[moment.line] in (*loops, ANSWER)
    ]
    said = [text_at[moment.line] for moment in moments]
    for i in reversed(range(len(said) - 1)):
        if said[i] in loops and said[i + 1].startswith("while within"):  # its last look has no step
            del moments[i], said[i]

    def begins(i: int) -> bool:
        if said[i].startswith("while within"):
            return i > 1 and said[i + 1].startswith(("vₗ", ANSWER))
        if said[i] == "while v is nonterminal do":
            return not said[i - 1].startswith("vₗ")
        if said[i] in loops:
            return said[i - 1] in ("return v′", "while v is not null do")
        if said[i].startswith("Δ ← DEFAULT"):
            if said[i - 1] == loops[0]:
                return bool(moments[i].before["vl"].children)
            return said[i - 1] not in ("return v", loops[1])
        if said[i].startswith("BACKUP"):
            return True
        following = said[i + 1] if i + 1 < len(said) else ""
        return (
            said[i] == "while v is not null do"
            and not said[i - 1].startswith("BACKUP")
            and following.startswith("N(v)")
        )

    parts = parted(moments, begins)
    assert len(parts) == len(drawing.steps)
    for step, part in zip(drawing.steps, parts, strict=True):
        assert step.ran is not None
        ran = once([form.lines[moment.line - 1][1].strip() for moment in part])
        if any(text.startswith("N(v)") for text in ran):  # the loop's last look, and what follows, has no step
            ran = (
                [text for i, text in enumerate(ran) if i <= ran.index("v ← parent of v")]
                if "v ← parent of v" in ran
                else ran
            )
            expected = {*ran, "while v is not null do"}
            event = next(credits)
            told = simulation_values(step)
            added = next(moment for moment in part if form.lines[moment.line - 1][1].strip().startswith("Q(v)"))
            node, delta = added.before["v"], added.before["Δ"]
            delta = delta[node.mover] if form_name == "pseudo" else delta
            assert told["visits"] == str(event.visits)
            assert told["delta" if form_name == "pseudo" else "opposite"] == trimmed(delta, 3)
        else:
            expected = set(ran)
        marked = [form.lines[place][1].strip() for place in step.ran.lines[which]]
        assert set(marked) == expected
        if "v ← parent of v" not in marked:
            assert marked[-1] == ran[-1]
        else:
            assert marked[-1] == "v ← parent of v"
        given = [moment.before["C"] for moment in part if "C" in moment.before]
        assert simulation_values(step)["constant"] == trimmed(given[-1] if given else 1.0)
    assert marked[-1] == ANSWER
    assert moments[-1].returned == answered
    root = next(moment for moment in reversed(moments) if "v0" in moment.before).before["v0"]
    for step in (drawing.steps[-1], [step for step in drawing.steps if step.focus == 0][-1]):
        final = simulation_values(step)
        assert final["total" if form_name == "pseudo" else "negated"] == trimmed(root.total)
        assert (final["node"], final["visits"]) == ("the root", str(root.visits))


@pytest.mark.parametrize("player", ["uct", "mcts:solver=off", "mcts:solver=off,final=mean"])
@pytest.mark.parametrize("name", GAMES)
def test_every_line_of_uctsearch_runs_in_every_film(name, player):
    for simulations in (1, 2, 17):
        drawing = whole_film(GAMES[name], simulations, player, seed=simulations)
        for which, form in enumerate(drawing.program.forms):
            texts = [text.strip() for _, text in form.lines]
            if form.name == "python":
                end = texts.index("return root")
                begin = next(place for place, text in enumerate(texts) if text.startswith("def uct("))
            else:
                begin, end = texts.index("function UCTSEARCH(s₀)"), texts.index(ANSWER)
            marked = {place for step in drawing.steps for place in step.ran.lines[which]}
            assert set(range(begin + 1, end + 1)) - marked == set(), (form.name, simulations)
            assert drawing.steps[-1].ran.lines[which][-1] == end


def test_what_bestchild_does_without_c_is_written_out_where_it_does_not_take_the_highest_mean():
    for more in ("bias=1", "selection=proportional"):
        drawing = whole_film(GAMES["tictactoe"], 5, f"{PLAIN},{more}")
        which, form = form_of(drawing, "pseudo")
        marked = [form.lines[place][1].strip() for place in drawing.steps[-1].ran.lines[which]]
        assert marked == [
            "while within computational budget do",
            "return a(v′) of the child v′ of v₀ with the highest Q(v′)/N(v′)",
        ]
        assert "The pseudo-code takes " in drawing.steps[-1].caption


def test_the_negamax_form_is_for_players_who_alternate():
    twice = read_tree({"max": [{"max": [1, -1]}, {"max": [-1, -1]}]})
    both_gain = read_tree({"max": [{"min": [[1, 2], [3, 1]]}, {"min": [[2, 2], [0, 1]]}]})
    for game, there in ((GAMES["tictactoe"], True), (twice, False), (both_gain, False)):
        drawing = whole_film(game, 20, PLAIN)
        assert ("negamax" in {form.name for form in drawing.program.forms}) == there


def test_the_example_by_hand_has_backupnegamax_with_sums_for_whoever_moved():
    drawing = worked_example()
    assert "BACKUPNEGAMAX(v, Δ)" in "\n".join(text for _, text in form_of(drawing, "negamax")[1].lines)
    told = [simulation_values(step) for step in drawing.steps if "backpropagation" in step.caption]
    assert [(values["total"], values["negated"]) for values in told] == [
        ("0", "1"),  # White has moved to h, and wins
        ("1", "1"),
        ("2", "3"),  # 2 of 4 were Black's, so White had 2, and now one more
        ("7", "7"),
        ("12", "10"),  # the root counts for White, who is not to move
    ]
    assert [values["opposite"] for values in told] == ["1", "0", "1", "0", "1"]


def test_rewards_from_minus_one_to_one_change_their_sign():
    game = GAMES["tictactoe"]
    drawing = whole_film(game, 5, f"{PLAIN},reward=signed")
    assert "    Δ ← −Δ" in [text for _, text in form_of(drawing, "negamax")[1].lines]
    deltas = [simulation_values(step)["opposite"] for step in drawing.steps if "backpropagation" in step.caption][:2]
    assert deltas in (["0", "0"], ["1", "−1"], ["−1", "1"])


def test_what_the_search_does_beyond_the_python_is_said():
    game = GAMES["tictactoe"]
    usual = whole_film(game, 5, "mcts")
    assert usual.program.note == "The Python is plain UCT. This search also has a solver."
    assert any("SOLVE" in text for _, text in form_of(usual, "pseudo")[1].lines)
    assert whole_film(game, 5, PLAIN).program.note == ""
    several = whole_film(game, 5, f"{PLAIN},rollouts=2").program
    assert several.note == "The Python is plain UCT. This search also has several playouts from each leaf."
    assert whole_film(game, 5, f"{PLAIN},expansion=all").program.note == ""


def test_what_is_proven_is_marked_as_solved():
    game = GAMES["nim"]
    drawing = whole_film(game, 60, "mcts:c=1")
    which, form = form_of(drawing, "pseudo")
    proofs = [step for step in drawing.steps if ", proof:" in step.caption]
    assert proofs
    for step in proofs:
        assert [form.lines[place][1].split()[0] for place in step.ran.lines[which]] == ["SOLVE(vₗ)"]


@pytest.mark.slow
def test_a_child_that_ends_the_game_is_proven_where_it_was_added():
    drawing = whole_film(GAMES["nim"], 20, "mcts:c=1,expansion=all")
    which, form = form_of(drawing, "pseudo")
    marked = [
        (form.lines[step.ran.lines[which][-1]][1].strip(), simulation_values(step)["node"])
        for step in drawing.steps
        if ", proof:" in step.caption
    ]
    at_once = [node for line, node in marked if line == "if the end of v′ is known then v′ is proven"]
    carried = [node for line, node in marked if line.startswith("SOLVE(vₗ)")]
    assert at_once
    assert carried[-1] == "the root"
    assert len(at_once) + len(carried) == len(marked)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_example_by_hand_has_its_program(lang):
    drawing = worked_example(lang)
    which, form = form_of(drawing, "pseudo")
    called = [form.lines[step.ran.lines[which][-1]][1].strip() for step in drawing.steps]
    assert called[3] == "return v′"
    assert any("ln N(v₀) / N(v′)" in text for _, text in form.lines)
    assert drawing.program.note
    assert [simulation_values(step)["visits"] for step in drawing.steps if simulation_values(step)["delta"]][1:]
    assert all(step.ran.lines[which] for step in drawing.steps)


@pytest.mark.slow
def test_chance_draws_in_the_tree_policy():
    game = lesson("pacman-random-ghost").make()
    drawing = whole_film(game, 12, "mcts:c=1")
    which, form = form_of(drawing, "pseudo")
    assert {form.name for form in drawing.program.forms} == {"pseudo"}
    drawn = [step for step in drawing.steps if "chance draws" in step.caption]
    assert drawn
    for step in drawn:
        assert any("drawn by its probability" in form.lines[place][1] for place in step.ran.lines[which])


def test_all_that_a_page_holds_fits_together():
    for drawing in (search_drawing(lesson("exercise2").make()).drawing, worked_example()):
        data = tree_data(drawing)["program"]
        assert len(data["steps"]) == len(drawing.steps)
        for step, (run, *values) in zip(drawing.steps, data["steps"], strict=True):
            assert tuple(map(tuple, data["runs"][run])) == step.ran.lines
            assert len(values) == len(data["forms"][0]["names"])
            for form, lines in zip(data["forms"], data["runs"][run], strict=True):
                assert all(form["lines"][place][0] for place in lines)  # lines that run have numbers
