"""What is said about games and tournaments, in English and in Chinese: sections of short lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from plyground.pictures.player_words import check_language
from plyground.subjects.matrix.analysis import Analysis, Equilibrium
from plyground.subjects.matrix.dominance import Domination, Elimination
from plyground.subjects.matrix.matrix_game import MatrixGame, number_text
from plyground.subjects.matrix.vertices import Face

__all__ = ["Section", "analysis_sections", "elimination_lines", "mixture_text", "phrase"]

MOST_LISTED = 40
"""Lines of one kind that are shown; after them a line says how many more there are."""
MOST_BETTER = 3


class Section(NamedTuple):
    """A heading and lines below it."""

    title: str
    lines: tuple[str, ...]


WORDS = {
    "en": {
        "and": ", ",
        "dominance": "Dominance",
        "strictly": "{who}: {what} is strictly dominated by {by}",
        "weakly": "{who}: {what} is weakly dominated by {by}",
        "left": "What is left: {rows} / {columns}",
        "none-dominated": "No strategy is strictly dominated, not even by a mixture.",
        "none-dominated-pure": "No strategy is strictly dominated by a pure one; for mixtures the game is too large.",
        "weak-goes-on": "With weak dominance, where the result may depend on the order:",
        "dominant": "{who}: {what} is dominant",
        "equilibria": "Nash equilibria",
        "count": "{count} in all, by {method}:",
        "count-one": "One, by {method}:",
        "some": "{count} found by {method}; there may be more:",
        "spans": "{count} extreme ones, by {method}; all others are mixtures of them, as said below:",
        "none-pure": "None in pure strategies; there is one in mixed strategies, but the game is too large.",
        "payoffs": "payoffs {first}, {second}",
        "better": "better in Pareto's sense: {cells}",
        "degenerate": "The game is degenerate: "
        "against {who}'s {strategy}, {count} strategies of {other} pay the most ({responses}), "
        "more than the {used} used in it.",
        "not-degenerate": "The game is not degenerate: each equilibrium stands alone, and their number is odd.",
        "unknown-degenerate": "Whether the game is degenerate was not examined; it is too large.",
        "component-single": "Component {number}: a single equilibrium",
        "component": "Component {number}: {faces}",
        "face": "{first} against {second}",
        "any": "any mixture of {strategies}",
        "lemke": "The paths of Lemke and Howson from all {labels} labels lead to: {numbers}",
        "front-all": "All outcomes: what one gains the other loses.",
        "value": "Value",
        "value-line": "The game is worth {value} to {who}{exact}.",
        "value-both": "The two payoffs always add up to {total}: {first} gets {value}, {second} the rest.",
        "guarantees": "{who} makes sure of it by {strategy}",
        "approximately": ", as closely as floating point tells",
        "security": "Security levels",
        "security-pure": "{who} can make sure of {pure} by {strategy}",
        "security-both": "{who} can make sure of {pure} by {strategy}, and of {mixed} on average by {mixture}",
        "front": "Pareto front",
        "costs": "Payoffs are costs: less is better.",
        "utilities": "Payoffs: more is better.",
        "more": "... and {count} more",
        "support enumeration": "support enumeration",
        "vertex enumeration": "vertex enumeration",
        "Lemke-Howson": "the paths of Lemke and Howson",
        "pure strategies": "looking at pure strategies",
        "size": "{rows} rows and {columns} columns.",
        "learning-gap": "Step {step}: both together could still gain {gap}",
        "learning-bounds": "Step {step}: the value lies between {low} and {high}",
        "learning-guess": "Which strategy does {who} play most in steps {first} to {last}?",
        "learning-guess-one": "Which strategy does {who} play in step {last}?",
        "learning-because": ". {who} has gone on with {what}: the best response to what {other} had played",
        "dominance-guess": "Which strategy of {who} is strictly dominated, and struck out next?",
        "series": "{name} has the best payoff, {mean} a round; {winner} has won the most matches, {won}",
        "series-line": "{place}. {name}: {mean} a round, cooperates {cooperation}%, {won} won, population {share}%",
        "standings": "The order",
    },
    "zh": {
        "and": "、",
        "dominance": "占优",
        "strictly": "{who}：{what} 被 {by} 严格占优",
        "weakly": "{who}：{what} 被 {by} 弱占优",
        "left": "剩下：{rows} / {columns}",
        "none-dominated": "没有被严格占优的策略，混合策略也不能占优。",
        "none-dominated-pure": "没有被纯策略严格占优的策略；博弈太大，未考察混合策略。",
        "weak-goes-on": "用弱占优（结果可能取决于顺序）：",
        "dominant": "{who}：{what} 是占优策略",
        "equilibria": "纳什均衡",
        "count": "共 {count} 个（{method}）：",
        "count-one": "只有一个（{method}）：",
        "some": "{method} 找到 {count} 个，可能还有：",
        "spans": "{count} 个极点均衡（{method}），其余都是它们的混合，见下：",
        "none-pure": "没有纯策略均衡；混合均衡一定存在，但博弈太大，这里不求。",
        "payoffs": "收益 {first}，{second}",
        "better": "帕累托更优的结果：{cells}",
        "degenerate": "博弈是退化的："
        "面对{who}的 {strategy}，{other} 有 {count} 个最优反应（{responses}），多于它所用的 {used} 个策略。",
        "not-degenerate": "博弈非退化：每个均衡都是孤立的，个数为奇数。",
        "unknown-degenerate": "博弈太大，未考察是否退化。",
        "component-single": "分支 {number}：单个均衡",
        "component": "分支 {number}：{faces}",
        "face": "{first} 对 {second}",
        "any": "{strategies} 的任意混合",
        "lemke": "从全部 {labels} 个标签出发的 Lemke-Howson 路径到达：{numbers}",
        "front-all": "所有结果：一方所得即另一方所失。",
        "value": "博弈的值",
        "value-line": "对 {who} 来说，博弈的值是 {value}{exact}。",
        "value-both": "两方收益之和总是 {total}：{first} 得 {value}，{second} 得其余。",
        "guarantees": "{who} 以 {strategy} 保证它",
        "approximately": "（浮点近似）",
        "security": "安全水平",
        "security-pure": "{who} 以 {strategy} 可保证 {pure}",
        "security-both": "{who} 以 {strategy} 可保证 {pure}，以 {mixture} 平均可保证 {mixed}",
        "front": "帕累托前沿",
        "costs": "数字是代价：越少越好。",
        "utilities": "数字是收益：越多越好。",
        "more": "……还有 {count} 个",
        "support enumeration": "支撑枚举",
        "vertex enumeration": "顶点枚举",
        "Lemke-Howson": "Lemke-Howson 路径",
        "pure strategies": "考察纯策略",
        "size": "{rows} 行 {columns} 列。",
        "learning-gap": "第 {step} 步：双方共还能多得 {gap}",
        "learning-bounds": "第 {step} 步：值在 {low} 与 {high} 之间",
        "learning-guess": "第 {first} 到 {last} 步，{who}用得最多的是哪个策略？",
        "learning-guess-one": "第 {last} 步，{who}用哪个策略？",
        "learning-because": "。{who}接着用 {what}：它是对{other}此前所用策略的最优反应",
        "dominance-guess": "接下来，{who}的哪个策略被严格占优，要划去？",
        "series": "{name} 的收益最高，每轮 {mean}；{winner} 赢的场次最多，{won} 场",
        "series-line": "{place}. {name}：每轮 {mean}，合作 {cooperation}%，赢 {won} 场，种群 {share}%",
        "standings": "名次",
    },
}


class Speech:
    """Sentences of one language by their names; `words` are those of every language."""

    def __init__(self, lang: str, words: Mapping[str, Mapping[str, str]] = WORDS) -> None:
        self.lang, self.words = lang, words[check_language(lang)]

    def __call__(self, key: str, **facts: object) -> str:
        return self.words[key].format(**facts)

    def join(self, parts: Sequence[str]) -> str:
        return self.words["and"].join(parts)

    def some(self, lines: Sequence[str]) -> list[str]:
        kept = list(lines[:MOST_LISTED])
        return kept + ([self("more", count=len(lines) - len(kept))] if len(lines) > len(kept) else [])


def phrase(lang: str, key: str, **facts: object) -> str:
    """One sentence by its name."""
    return Speech(lang)(key, **facts)


def mixture_text(names: Sequence[str], weights: Sequence[Fraction | float]) -> str:
    """A mixed strategy for people: ``1/3 rock + 2/3 paper``; a pure one by its name."""
    used = [(weight, name) for weight, name in zip(weights, names, strict=True) if weight > 1e-9]
    if len(used) == 1:
        return used[0][1]
    shown = [f"{number_text(weight)} {name}" for weight, name in used[:8]]
    return " + ".join(shown) + (f" + {len(used) - 8} …" if len(used) > 8 else "")


def cell_text(game: MatrixGame, cell: tuple[int, int]) -> str:
    """An outcome: the two strategies, and what they pay as it is written in the table."""
    i, j = cell
    payoffs = f"{number_text(game.first[i][j])}, {number_text(game.second[i][j])}"
    return f"{game.rows[i]} / {game.columns[j]} ({payoffs})"


def _cells_text(game: MatrixGame, cells: Sequence[tuple[int, int]], most: int) -> str:
    return "; ".join(cell_text(game, cell) for cell in cells[:most]) + ("; …" if len(cells) > most else "")


# Games --------------------------------------------------------------------------------------------------------------


def analysis_sections(found: Analysis, lang: str = "en") -> list[Section]:
    """What is known of a game, for people."""
    say = Speech(lang)
    sections = []
    if found.strict is not None and found.weak is not None:
        sections.append(Section(say("dominance"), tuple(_dominance(found, say))))
    sections.append(Section(say("equilibria"), tuple(_equilibria(found, say))))
    if found.solution is not None:
        sections.append(Section(say("value"), tuple(_value(found, say))))
    else:
        sections.append(Section(say("security"), tuple(_security(found, say))))
    everything = found.game.constant_sum is not None
    front = say("front-all") if everything else _cells_text(found.game, found.front, 12)
    return [*sections, Section(say("front"), (front,))]


def elimination_lines(game: MatrixGame, elimination: Elimination, lang: str = "en") -> list[str]:
    """The steps of iterated dominance, and what is left."""
    say = Speech(lang)
    lines = [f"{number}. {_domination(game, step, say)}" for number, step in enumerate(elimination.steps, 1)]
    rows = say.join([game.rows[row] for row in elimination.rows])
    columns = say.join([game.columns[column] for column in elimination.columns])
    return [*lines, say("left", rows=rows, columns=columns)]


def _domination(game: MatrixGame, step: Domination, say: Speech) -> str:
    names = game.names(step.player)
    return say(
        f"{step.kind}ly", who=game.players[step.player], what=names[step.strategy], by=mixture_text(names, step.by)
    )


def _dominance(found: Analysis, say: Speech) -> list[str]:
    game, strict, weak = found.game, found.strict, found.weak
    assert strict is not None
    assert weak is not None
    lines = [
        say("dominant", who=game.players[player], what=game.names(player)[strategy])
        for player, strategy in enumerate(found.dominant)
        if strategy is not None
    ]
    if strict.steps:
        lines += elimination_lines(game, strict, say.lang)
    else:
        lines.append(say("none-dominated" if strict.mixtures else "none-dominated-pure"))
    if len(weak.steps) > len(strict.steps):
        lines.append(say("weak-goes-on"))
        lines += elimination_lines(game, weak, say.lang)
    return say.some(lines)


def _equilibria(found: Analysis, say: Speech) -> list[str]:
    game, count = found.game, len(found.equilibria)
    method = say(found.method)
    if not count:
        return [say("none-pure")]
    key = "count" if found.complete else "some"
    if found.degeneracy is not None and count > 1:
        key = "spans"
    elif found.complete and count == 1:
        key = "count-one"
    lines = [say(key, count=count, method=method)]
    lines += say.some([_equilibrium(game, number, one, say) for number, one in enumerate(found.equilibria, 1)])
    if found.degeneracy is not None:
        lines.append(_degeneracy(found, say))
        if not all(component.single for component in found.components):
            lines += say.some([_component(found, number, say) for number in range(1, len(found.components) + 1)])
    else:
        lines.append(say("not-degenerate" if found.degeneracy_known else "unknown-degenerate"))
    if found.paths and found.complete:
        lines.append(_paths(found, say))
    return lines


def _equilibrium(game: MatrixGame, number: int, one: Equilibrium, say: Speech) -> str:
    strategies = " / ".join(mixture_text(game.names(player), one.profile[player]) for player in (0, 1))
    first, second = (number_text(game.written(utility)) for utility in one.utilities)
    line = f"{number}. {strategies}: {say('payoffs', first=first, second=second)}"
    return line + (f"; {say('better', cells=_cells_text(game, one.better, MOST_BETTER))}" if one.better else "")


def _degeneracy(found: Analysis, say: Speech) -> str:
    game, why = found.game, found.degeneracy
    assert why is not None
    names, others = game.names(why.player), game.names(1 - why.player)
    return say(
        "degenerate",
        who=game.players[why.player],
        strategy=mixture_text(names, why.strategy),
        other=game.players[1 - why.player],
        count=len(why.responses),
        responses=say.join([others[response] for response in why.responses[:6]]),
        used=sum(1 for weight in why.strategy if weight),
    )


def _component(found: Analysis, number: int, say: Speech) -> str:
    component = found.components[number - 1]
    if component.single:
        return say("component-single", number=number)
    return say("component", number=number, faces="; ".join(_face(found.game, face, say) for face in component.faces))


def _face(game: MatrixGame, face: Face, say: Speech) -> str:
    sides = []
    for player, strategies in enumerate((face.first, face.second)):
        texts = [mixture_text(game.names(player), strategy) for strategy in strategies]
        marked = [f"({text})" if " + " in text else text for text in texts]
        sides.append(texts[0] if len(texts) == 1 else say("any", strategies=say.join(marked)))
    return say("face", first=sides[0], second=sides[1])


def _paths(found: Analysis, say: Speech) -> str:
    numbers = {one.profile: number for number, one in enumerate(found.equilibria, 1)}
    reached = sorted({numbers[path.equilibrium] for path in found.paths})
    return say("lemke", labels=len(found.paths), numbers=", ".join(map(str, reached)))


def _value(found: Analysis, say: Speech) -> list[str]:
    game, solution = found.game, found.solution
    assert solution is not None
    value = number_text(
        game.written(Fraction(solution.value)) if solution.exact else -solution.value if game.costs else solution.value
    )
    exact = "" if solution.exact else say("approximately")
    first, second = game.players
    if game.constant_sum:
        total = number_text(game.written(game.constant_sum))
        lines = [say("value-both", total=total, first=first, second=second, value=value)]
    else:
        lines = [say("value-line", value=value, who=first, exact=exact)]
    for player, strategy in enumerate((solution.first, solution.second)):
        text = mixture_text(game.names(player), strategy)
        lines.append(say("guarantees", who=game.players[player], strategy=text))
    return lines


def _security(found: Analysis, say: Speech) -> list[str]:
    lines = []
    for one in found.security:
        names = found.game.names(one.player)
        mixed = Fraction(one.mixed) if isinstance(one.mixed, float) else one.mixed
        key = "security-both" if mixed > one.pure else "security-pure"
        who, strategy, mixture = found.game.players[one.player], names[one.strategy], mixture_text(names, one.mixture)
        levels = {"pure": number_text(found.game.written(one.pure)), "mixed": number_text(found.game.written(mixed))}
        lines.append(say(key, who=who, strategy=strategy, mixture=mixture, **levels))
    return lines
