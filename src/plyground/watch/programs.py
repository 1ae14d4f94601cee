"""The programs that stand beside films: as a lecture writes them, and as the short Python in `search/lecture`.

A line is found by what happens there, such as "max.call" where MAX asks for the value of a move. What happens is said
by `plyground.watch.running`, from the events of the search.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from plyground.pictures.program import Form, Program, Ran
from plyground.search import playout
from plyground.search.lecture import alphabeta, expectiminimax, minimax, uct
from plyground.search.mcts_variant import (
    OWN_VISITS,
    PRIOR,
    ROOT_VISITS,
    SIGNED,
    WIN_DRAW_LOSS,
    MctsSettings,
    MctsVariant,
)
from plyground.watch.sentences import Sentences
from plyground.watch.simulation_numbers import MINUS, ROOT, SimulationNumbers

__all__ = ["SEARCH_VARIABLES", "SIMULATION_VARIABLES", "Written", "search_program", "simulation_program"]

Lines = list[tuple[str, str]]
"""What happens at a line, one word for each thing, and its text."""


@dataclass(frozen=True)
class Written:
    """A program in its forms, each with the places of its lines by what happens there."""

    program: Program
    places: Sequence[Mapping[str, int]]

    def ran(self, happened: Sequence[str], values: Iterable[str]) -> Ran:
        """The lines of each form at which these things happened; of a line that has run twice, the second time."""
        runs = []
        for places in self.places:
            ran = [places[what] for what in happened if what in places]
            runs.append(tuple(place for i, place in enumerate(ran) if place not in ran[i + 1 :]))
        return Ran(tuple(runs), tuple(values))


def _written(name: str, lines: Lines, names: Sequence[str]) -> tuple[Form, dict[str, int]]:
    """Pseudo-code, numbered from 1; an empty line has no number."""
    numbered, places, number = [], {}, 0
    for place, (happens, text) in enumerate(lines):
        number += bool(text)
        numbered.append((str(number) if text else "", text))
        places.update(dict.fromkeys(happens.split(), place))
    return Form(name, numbered, names), places


# The source of the short Python -------------------------------------------------------------------------------------


@cache
def _source(function: Any) -> tuple[tuple[int, str], ...]:
    """The source of a function without its docstring, with the numbers of its lines in its file."""
    lines, first = inspect.getsourcelines(inspect.unwrap(function))
    tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    assert isinstance(tree, ast.FunctionDef)
    said = tree.body[0]
    told = range(said.lineno, (said.end_lineno or 0) + 1) if ast.get_docstring(tree) is not None else range(0)
    return tuple((first + i, line.rstrip()) for i, line in enumerate(lines) if i + 1 not in told)


def _python(parts: Sequence[tuple[Any, str]], names: Sequence[str]) -> tuple[Form, dict[str, int]]:
    """The sources of functions, each with what happens at its lines.

    That is one line of text for each, in the order of the source: what happens, a bar, and how the line begins.
    """
    numbered: list[tuple[str, str]] = []
    places: dict[str, int] = {}
    file = ""
    for function, happens in parts:
        shown = inspect.unwrap(function).__module__.replace(".", "/") + ".py"
        if numbered:
            numbered.append(("", ""))
        if shown != file:
            file = shown
            numbered.append(("", f"# {shown}"))
        source = _source(function)
        begin, at = len(numbered), 0
        numbered += [(str(number), text) for number, text in source]
        for line in textwrap.dedent(happens).strip().splitlines():
            words, _, start = line.partition(" | ")
            at = next(i for i in range(at, len(source)) if source[i][1].lstrip().startswith(start))
            places.update(dict.fromkeys(words.split(), begin + at))
            at += 1
    return Form("python", numbered, names), places


# Minimax, alpha-beta, expectiminimax --------------------------------------------------------------------------------

SEARCH_VARIABLES = (
    "state", "depth", "action", "outcome", "child", "share", "best", "mean", "alpha", "beta", "chosen", "returned",
)  # fmt: skip
"""`child` is the value of the action and `best` the best so far; at chance nodes these are `share` and `mean`."""
SEARCH_NAMES = {
    "pseudo": (
        "s", "depth", "a", "r", "{function}(RESULT(s, a))", "{function}(RESULT(s, r))", "v", "v", "α", "β", "a*",
        "return",
    ),
    "python": (
        "state", "depth", "options[i]", "options[i]", "value", "value", "best", "mean", "alpha", "beta", "best_action",
        "return",
    ),
}  # fmt: skip

LEAVES = """
    enter | entered(state)
    terminal? | if terminal(state):
    utility | value = float(utility
    ended | evaluated(state, value)
    ended.return | return value
    mover | {mover} = to_move(state)
    horizon? | if depth == 0
    evaluate | value = float(evaluation
    horizon | evaluated(state, value)
    horizon.return | return value
"""
MOVES = """
    max.init min.init | best, best_action =
    max.loop min.loop | for i in range
    max.call min.call | value = {function}(
    max.backed min.backed | backed_up(
    max.better? min.better? | if value > best
    max.better min.better | best, best_action =
"""
CUTS = """
    max.cut? min.cut? | if best >= beta
    max.cut min.cut | break
    side? | if {maximising}:
    max.raise | alpha = max
    min.raise | beta = min
    again | window(
"""
CHANCES = """
    chance? | if mover == CHANCE:
    chance.init | mean = 0.0
    chance.loop | for i in range
    chance.probability | chance = probability
    chance.impossible? | if chance == 0.0:
    chance.skipped | skipped(
    chance.continue | continue
    chance.call | value = {function}(
    chance.backed | backed_up(
    chance.add | mean +=
    chance.chose | chose(
    chance.return | return mean
"""
CHOSE = """
    max.chose min.chose cut.chose | chose(
    max.return min.return cut.return | return best
"""


def _said(*parts: str, **words: str) -> str:
    return "\n".join(line.strip() for part in parts for line in part.format(**words).strip().splitlines())


def _python_search(algorithm: str, windows: bool) -> tuple[Any, str]:
    """The short Python of a search, and what happens at its lines."""
    window, options = ("window | window(",) if windows else (), "options | options ="
    if algorithm != "expectiminimax":
        function: Any = alphabeta.alphabeta_value if windows else minimax.minimax_value
        parts = (LEAVES, *window, options, MOVES, *((CUTS,) if windows else ()), CHOSE)
        return function, _said(*parts, function=function.__name__, mover="maximising", maximising="maximising")
    function = expectiminimax.expectiminimax_within if windows else expectiminimax.expectiminimax_value
    parts = (LEAVES, *window, options, CHANCES, MOVES, *((CUTS,) if windows else ()), CHOSE)
    return function, _said(*parts, function=function.__name__, mover="mover", maximising="mover == player")


def _pseudo_search(function: str, *, depth: bool, windows: bool, chance: bool) -> Lines:
    """A search as one function that calls itself."""
    one = ["s"] + ["depth"] * depth + ["α", "β"] * windows
    limit, window = [f"depth {MINUS} 1"] * depth, ["α", "β"] * windows
    below = f"{function}({', '.join(['RESULT(s, a)', *limit, *window])})"
    lines = [
        ("", f"function {function}({', '.join(one)})"),
        ("terminal? utility", "  if TERMINAL(s) then return UTILITY(s)"),
    ]
    if depth:
        decides = " and PLAYER(s) ≠ CHANCE" * chance
        lines.append(("horizon? evaluate", f"  if depth = 0{decides} then return EVAL(s)"))
    sides = (
        ("max", "if", f"{MINUS}∞", "max", "v ≥ β", "α"),
        ("min", "else if" if chance else "else", "+∞", "min", "v ≤ α", "β"),
    )
    for side, test, worst, best, meets, bound in sides:
        asks = f" PLAYER(s) = {side.upper()} then" if test != "else" else ""
        lines += [
            (f"{side}?" if asks else "", f"  {test}{asks}"),
            (f"{side}.init", f"    v ← {worst}"),
            (f"{side}.loop", "    for each a in ACTIONS(s) do"),
            (f"{side}.call", f"      v ← {best}(v, {below})"),
        ]
        if windows:
            lines.append((f"{side}.cut? {side}.cut", f"      if {meets} then return v"))
            lines.append((f"{side}.raise", f"      {bound} ← {best}({bound}, v)"))
        lines.append((f"{side}.return", "    return v"))
    if chance:
        fresh = [f"{MINUS}∞", "+∞"] * windows
        share = f"{function}({', '.join(['RESULT(s, r)', *['depth'] * depth, *fresh])})"
        lines += [
            ("", "  else"),
            ("chance.init", "    v ← 0"),
            ("chance.loop", "    for each r in OUTCOMES(s) with P(r) > 0 do"),
            ("chance.call chance.add", f"      v ← v + P(r) · {share}"),
            ("chance.return", "    return v"),
        ]
    return lines


def search_program(algorithm: str, *, depth: bool, windows: bool) -> Written | None:
    """The program of a search, or None if a lecture has no short one. `depth`: whether it looks only so deep."""
    functions = {"minimax": "MINIMAX", "alphabeta": "ALPHABETA", "expectiminimax": "EXPECTIMINIMAX"}
    if algorithm not in functions:
        return None
    function, chance = functions[algorithm], algorithm == "expectiminimax"
    called = [name.format(function=function) for name in SEARCH_NAMES["pseudo"]]
    lines = _pseudo_search(function, depth=depth, windows=windows, chance=chance)
    pseudo, where = _written("pseudo", lines, called)
    python, there = _python([_python_search(algorithm, windows)], SEARCH_NAMES["python"])
    return Written(Program((pseudo, python)), (where, there))


# UCT ----------------------------------------------------------------------------------------------------------------

SIMULATION_VARIABLES = (
    "node", "visits", "total", "negated", "kept", "bound", "delta", "opposite", "reward", "constant", "given",
)  # fmt: skip
"""`total` and `delta` are as the picture writes them, `negated` and `opposite` as BACKUPNEGAMAX would have them, `kept`
and `reward` as the search has them. `constant` is what BESTCHILD is called with, `given` what the search was."""
SIMULATION_NAMES = {
    "pseudo": ("v", "N(v)", "Q(v)", "", "", "UCB(v)", "Δ", "", "", "C", ""),
    "negamax": ("v", "N(v)", "", "Q(v)", "", "UCB(v)", "", "Δ", "", "C", ""),
    "python": ("node", "node.visits", "", "", "node.total", "bound(node)", "", "", "reward", "", "c"),
}

UCT_PYTHON = (
    uct.uct,
    """
    root | root = Node(
    simulation | for _ in range
    select | path = select(
    playout | end = playout(
    credit | for node in reversed
    visits | node.visits += 1
    total | node.total +=
    answer | return root
    """,
)
UCT_ALL_PYTHON = (
    uct.uct_all,
    """
    root | root = Node(
    simulation | for _ in range
    select | path = select(
    all all.over | if not terminal
    all.expand | expand(path[-1], rng)
    each | for way in
    playout | end = playout(
    credit | for node in reversed
    visits | node.visits += 1
    total | node.total +=
    answer | return root
    """,
)
UCT_PARTS = (
    (
        uct.select,
        """
        select.start | path = [root]
        select.while select.over | while not terminal
        children? | if not path[-1].children:
        expand | expand(path[-1], rng)
        highest | path.append(
        fresh? | if path[-1].visits == 0:
        fresh | break
        fresh.return select.return | return path
        """,
    ),
    (
        uct.expand,
        """
        expand.options | options, mover =
        expand.loop | for i in range
        expand.other | other =
        expand.swap | options[i], options[other] =
        expand.add | node.children.append
        """,
    ),
    (
        uct.highest,
        """
        bound.def | def bound
        bound.untried? | if child.visits == 0:
        bound.untried | return math.inf
        bound.share | share =
        bound | return child.total
        highest.return | return max(
        """,
    ),
    (
        playout.playout,
        """
        playout.actions | actions =
        playout.count | action =
        playout.while | while action >= 0:
        playout.move | state = result(
        playout.next | action =
        playout.return | return state
        """,
    ),
)


def _pseudo_uct(numbers: SimulationNumbers, policy: str, *, negamax: bool) -> Lines:
    """UCT as Browne et al. 2012 write it (Algorithms 2 and 3), with the words of the variant where it differs."""
    say, variant, settings = numbers.say, numbers.variant, numbers.settings
    backup = "BACKUPNEGAMAX" if negamax else "BACKUP"
    visits = "N(v₀)" if variant.form == ROOT_VISITS else "N(v)"
    term = "P(v′) / (1 + N(v′))" if variant.form == PRIOR else f"{ROOT}(ln {visits} / N(v′))"
    nodes = f"Q(v′)/N(v′) + C {term}" + " + …" * numbers.more
    leaf, each = "vₗ", []
    if variant.expand_all:
        leaf, each = "v′", [("all each", "    for each v′ in EXPANDALL(vₗ) do")]
    elif settings.rollouts > 1:
        each = [("again", f"    {say('program_rollouts', count=settings.rollouts)}")]
    deeper = "  " * len(each)
    lines: Lines = [
        ("", "function UCTSEARCH(s₀)"),
        ("root", f"  {say('program_root')}"),
        ("simulation", f"  while {say('program_budget')} do"),
        ("select", "    vₗ ← TREEPOLICY(v₀)"),
        *each,
        ("playout", f"    {deeper}Δ ← DEFAULTPOLICY(s({leaf}))"),
        ("backup", f"    {deeper}{backup}({leaf}, Δ)"),
        *([("prove", f"      {say('program_prove')}")] * (variant.solver and variant.expand_all)),
        *([("solve", f"    SOLVE(vₗ)  ▷ {say('program_solve')}")] * variant.solver),
        ("answer", "  return a(BESTCHILD(v₀, 0))" if numbers.bare else f"  return {say('program_answer')}"),
        ("", ""),
        ("", "function TREEPOLICY(v)"),
        ("select.while select.over", f"  while {say('program_nonterminal', node='v', proven=variant.solver)} do"),
    ]
    if variant.chance:
        lines += [
            ("chance?", f"    if {say('program_chance')} then"),
            ("draw", f"      v ← {say('program_draw')}"),
            ("drawn?", "      if N(v) = 0 then return v"),
        ]
    lines += [
        ("untried?", f"    {'else ' * variant.chance}if {say('program_unexpanded')} then"),
        ("untried", "      return EXPAND(v)"),
        ("", "    else"),
        ("best", "      v ← BESTCHILD(v, C)"),
        ("select.return", "  return v"),
        ("", ""),
        ("", "function EXPAND(v)"),
        ("child.choose", f"  {say('program_untried')}"),
        ("child.add", f"  {say('program_child')}"),
        ("child.return", "  return v′"),
        ("", ""),
        *(_pseudo_expand_all(say, variant) if variant.expand_all else ()),
        ("", "function BESTCHILD(v, C)"),
        ("bounds", f"  {say('program_each', bound=nodes)}"),
        ("best.return", f"  return {say('program_best', proportional=variant.proportional)}"),
        ("", ""),
        ("", "function DEFAULTPOLICY(s)"),
        ("playout.while", f"  while {_while_playout(say, variant, settings)} do"),
        ("playout.move", f"    {say('program_policy', policy=policy)}"),
        ("playout.next", "    s ← RESULT(s, a)"),
        ("playout.return", f"  return {say('program_reward')}"),
        ("", ""),
        ("", f"function {backup}(v, Δ)"),
        ("credit", f"  while {say('program_not_null')} do"),
        ("visits", "    N(v) ← N(v) + 1"),
        ("total", "    Q(v) ← Q(v) + Δ" if negamax else "    Q(v) ← Q(v) + Δ(v, p)"),
        *([("flip", f"    Δ ← 1 {MINUS} Δ" if variant.reward == WIN_DRAW_LOSS else f"    Δ ← {MINUS}Δ")] * negamax),
        ("parent", f"    v ← {say('program_parent')}"),
    ]
    return lines


def _pseudo_expand_all(say: Sentences, variant: MctsVariant) -> Lines:
    return [
        ("", "function EXPANDALL(v)"),
        ("all.over", f"  if {say('program_over', proven=variant.solver)} then return {{v}}"),
        ("all.loop", "  for each a in ACTIONS(s(v)) do"),
        ("all.add", f"    {say('program_child')}"),
        ("all.return", f"  return {say('program_children')}"),
        ("", ""),
    ]


def _while_playout(say: Sentences, variant: MctsVariant, settings: MctsSettings) -> str:
    most = settings.rollout_depth if variant.shortened else 0
    return say("program_playing", most=most)


def simulation_program(numbers: SimulationNumbers, policy: str, *, random: bool, negamax: bool) -> Written | None:
    """The program of a Monte Carlo tree search, or None if it is another one; `policy` is that of playouts, in words.

    `random` says whether playouts are at random, `negamax` whether players alternate, so that signs could be flipped.
    """
    variant, say = numbers.variant, numbers.say
    if variant.puct:
        return None
    forms = [_written("pseudo", _pseudo_uct(numbers, policy, negamax=False), SIMULATION_NAMES["pseudo"])]
    if negamax and variant.reward in (WIN_DRAW_LOSS, SIGNED):
        forms.append(_written("negamax", _pseudo_uct(numbers, policy, negamax=True), SIMULATION_NAMES["negamax"]))
    more = {
        "solver": variant.solver,
        "policy": not random or variant.shortened,
        "form": variant.form != OWN_VISITS,
        "selection": numbers.more or variant.proportional or variant.guided,
        "sharing": variant.transpositions,
        "rewards": variant.reward != WIN_DRAW_LOSS,
        "rollouts": numbers.settings.rollouts > 1,
    }
    if not variant.chance and variant.players <= 2:
        search = UCT_ALL_PYTHON if variant.expand_all else UCT_PYTHON
        forms.append(_python((search, *UCT_PARTS), SIMULATION_NAMES["python"]))
    said = say("and").join(say(f"program_{what}_more") for what, beyond in more.items() if beyond)
    note = say("program_note", more=said) if said and forms[-1][0].name == "python" else ""
    return Written(Program([form for form, _ in forms], note), [places for _, places in forms])
