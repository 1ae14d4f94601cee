"""What a teacher says while a search runs: one sentence for each thing that happens, in English and in Chinese.

Numbers, moves and windows come as finished texts. ``at`` is where something happens, such as "MIN at B".
"""

from __future__ import annotations

import re
from typing import Literal

from plyground.errors import BadOption
from plyground.pictures.lettering import CLOSING, WIDE

__all__ = ["Bound", "English", "narration"]

NO_SPACE = re.compile(f"(?<=[{WIDE}]) (?=[{WIDE}])|(?<=[{CLOSING}]) ")
"""Where Chinese has none: between its characters, and after its punctuation."""

Bound = Literal["exact", "most", "least", "between", ""]
"""How much is known of a value: itself, a bound from above, one from below, both, or nothing."""


class English:
    """The sentences in English."""

    def spaced(self, text: str) -> str:
        """A text that was put together from parts, with spaces only where the language has them."""
        return text

    # Places ----------------------------------------------------------------------------------------------------

    def at_name(self, who: str, name: str) -> str:
        return f"{who} at {name}"

    def at_root(self, who: str) -> str:
        return f"{who} at the root"

    def after(self, who: str, moves: str) -> str:
        return f"{who} after {moves}"

    def numbered(self, number: str) -> str:
        return f"move {number}"

    def to_move(self, seat: str) -> str:
        return f"{seat} to move"

    def roles(self, first: str, second: str) -> str:
        return f"{first} is MAX, {second} is MIN."

    def chance(self) -> str:
        return "chance"

    def title(self, game: str, algorithm: str, depth: int | None, symmetry: bool, evaluation: str) -> str:
        deep = "" if depth is None else f", depth {depth}"
        by = f", evaluation {evaluation}" if evaluation else ""
        return f"{game}: {algorithm}{deep}{by}{', up to symmetry' * symmetry}"

    # Values ----------------------------------------------------------------------------------------------------

    def amount(self, bound: Bound, low: str, high: str) -> str:
        """A value in the middle of a sentence; `low` and `high` are its bounds, equal if it is exact."""
        return {
            "exact": low,
            "most": f"at most {high}",
            "least": f"at least {low}",
            "between": f"between {low} and {high}",
            "": "nothing sure",
        }[bound]

    # Events ----------------------------------------------------------------------------------------------------

    def begin(self, at: str, window: str) -> str:
        return f"{at}: nothing is known yet, {window}." if window else f"{at}: the search begins."

    def begin_again(self, at: str, window: str) -> str:
        return f"{at}, again from the start" + (f", with {window}." if window else ".")

    def asks(self, at: str, bound: str, window: str, more: bool) -> str:
        """A null window at the root is a question."""
        return f"{at}: is it worth {'more than' if more else 'at least'} {bound}? {window}."

    def down(self, at: str, move: str, window: str) -> str:
        return f"By {move} to {at}" + (f", with {window}." if window else ".")

    def down_again(self, at: str, move: str, window: str) -> str:
        return f"By {move} again to {at}" + (f", now with {window}." if window else ".")

    def leaf(self, move: str, value: str, again: bool) -> str:
        return f"By {move} {'again ' * again}to a leaf: {value}."

    def over(self, move: str, value: str, again: bool) -> str:
        return f"By {move} the game is {'again ' * again}over: {value}."

    def horizon(self, move: str, value: str, terms: str, again: bool) -> str:
        said = f"{terms} = {value}" if terms else value
        return f"By {move} {'again ' * again}to the depth limit: the evaluation says {said}."

    def known(self, move: str, value: str) -> str:
        return f"By {move} to a position that is known already: {value}."

    def better(self, at: str, move: str, amount: str, change: str) -> str:
        return f"{at}: {move} brings {amount}, the best so far{change}."

    def no_better(self, at: str, move: str, amount: str, best: str) -> str:
        return f"{at}: {move} brings {amount}, no better than {best}."

    def unclear(self, at: str, move: str, amount: str) -> str:
        return f"{at}: {move} brings {amount}."

    def share(self, at: str, move: str, probability: str, value: str, product: str) -> str:
        return f"{at}: {move} adds {probability} × {value} = {product} to the mean."

    def best_for(self, at: str, move: str, value: str, seat: str) -> str:
        return f"{at}: {move} brings {value}, the best for {seat} so far."

    def not_best_for(self, at: str, move: str, value: str, seat: str, best: str) -> str:
        return f"{at}: {move} brings {value}, no better for {seat} than {best}."

    def rises(self, old: str, new: str) -> str:
        return f"; α rises from {old} to {new}"

    def falls(self, old: str, new: str) -> str:
        return f"; β falls from {old} to {new}"

    def alpha_cut(self, at: str, value: str, bound: str, rest: int, elsewhere: bool) -> str:
        """`elsewhere`: the bound is what the other player has in another place, not what chance makes of that."""
        why = f"MAX already has {bound} elsewhere" if elsewhere else f"Only more than {bound} could still matter"
        return f"{at}: alpha cut, {value} ≤ {bound}. {why}, {self._rest(rest, 'move')}."

    def beta_cut(self, at: str, value: str, bound: str, rest: int, elsewhere: bool) -> str:
        why = f"MIN already has {bound} elsewhere" if elsewhere else f"Only less than {bound} could still matter"
        return f"{at}: beta cut, {value} ≥ {bound}. {why}, {self._rest(rest, 'move')}."

    def chance_cut(self, at: str, value: str, bound: str, low: bool, rest: int) -> str:
        sign, side = ("≤", "above") if low else ("≥", "below")
        return (
            f"{at}: chance cut, {value} {sign} {bound}. Whatever else comes, the mean does not get {side} {bound}, "
            f"{self._rest(rest, 'outcome')}."
        )

    def near_cut(self, at: str, value: str, bound: str, rest: int) -> str:
        return f"{at}: near cut, {value} is close enough to {bound}, {self._rest(rest, 'move')}."

    def shallow_cut(self, at: str, value: str, bound: str, rest: int) -> str:
        return (
            f"{at}: shallow cut, {value} ≥ {bound}. That leaves too little for whoever moves above, "
            f"{self._rest(rest, 'move')}."
        )

    def _rest(self, count: int, thing: str) -> str:
        if count == 0:
            return f"but no {thing} is left to cut"
        return f"so the other {f'{count} {thing}s' if count > 1 else thing} need not be looked at"

    def cut_note(self, kind: str, value: str, bound: str) -> str:
        """What stands beside the edge that is cut."""
        return {
            "alpha": f"α cut: v ≤ α ({value} ≤ {bound})",
            "beta": f"β cut: v ≥ β ({value} ≥ {bound})",
            "low chance": f"chance cut: v ≤ α ({value} ≤ {bound})",
            "high chance": f"chance cut: v ≥ β ({value} ≥ {bound})",
            "near": f"near cut: {value} ≈ {bound}",
            "shallow": f"shallow cut: {value} ≥ {bound}",
        }[kind]

    def left_out(self, at: str, moves: str) -> str:
        return f"{at}: {moves} left out for now."

    def done(self, at: str, amount: str, move: str) -> str:
        return f"{at} is worth {amount}" + (f", by {move}." if move else ".")

    def mean(self, at: str, amount: str) -> str:
        return f"{at} is worth {amount} on average."

    def result(self, who: str, move: str, amount: str, line: str) -> str:
        if not move:
            return f"{who}: the value is {amount}."
        return f"{who} plays {move}: worth {amount}." + (f" Best play: {line}." if line else "")

    def cost(self, visited: int, leaves: int, cut: int, windows: bool) -> str:
        off = f", {cut:,} {'move' if cut == 1 else 'moves'} cut off" if cut or windows else ""
        return f" {visited:,} nodes visited, {leaves:,} of them leaves{off}."

    # Exercises -------------------------------------------------------------------------------------------------

    def question(self, algorithm: str) -> str:
        if algorithm in ("alphabeta", "pvs", "mtdf"):
            return (
                "Search this tree by alpha-beta, from left to right. Write down α and β at each node as they stand, "
                "strike out the edges that are cut, and say of each cut which kind it is and why."
            )
        if algorithm in ("expectiminimax", "star1", "star2"):
            return "Write the value of each node: the best for MAX, the worst for MAX at MIN, the mean at chance nodes."
        if algorithm == "maxn":
            return "Write at each node the utilities that come back to it: whoever moves wants the most for itself."
        return "Write the minimax value at each node. Which move does MAX choose?"

    def exercise(self, title: str) -> str:
        return f"Exercise: {title}"

    def asked(self, title: str, question: str) -> str:
        return f"{title}. {question}"


class Chinese(English):
    """The sentences in Simplified Chinese."""

    def spaced(self, text: str) -> str:
        return NO_SPACE.sub("", text)

    def at_name(self, who: str, name: str) -> str:
        return f"{name} 处的 {who}"

    def at_root(self, who: str) -> str:
        return f"根节点的 {who}"

    def after(self, who: str, moves: str) -> str:
        return f"{moves} 之后的 {who}"

    def numbered(self, number: str) -> str:
        return f"第 {number} 个分支"

    def to_move(self, seat: str) -> str:
        return f"轮到 {seat}"

    def roles(self, first: str, second: str) -> str:
        return f"{first} 是 MAX，{second} 是 MIN。"

    def chance(self) -> str:
        return "机会节点"

    def title(self, game: str, algorithm: str, depth: int | None, symmetry: bool, evaluation: str) -> str:
        deep = "" if depth is None else f"，深度 {depth}"
        by = f"，评估函数 {evaluation}" if evaluation else ""
        return f"{game}：{algorithm}{deep}{by}{'，不计对称' * symmetry}"

    def amount(self, bound: Bound, low: str, high: str) -> str:
        return {
            "exact": low,
            "most": f"至多 {high}",
            "least": f"至少 {low}",
            "between": f"{low} 到 {high} 之间",
            "": "尚不确定",
        }[bound]

    def begin(self, at: str, window: str) -> str:
        return f"{at}：还什么都不知道，{window}。" if window else f"{at}：搜索开始。"

    def begin_again(self, at: str, window: str) -> str:
        return f"{at}：再从头搜索一次" + (f"，{window}。" if window else "。")

    def asks(self, at: str, bound: str, window: str, more: bool) -> str:
        return f"{at}：值{'大于' if more else '至少是'} {bound} 吗？{window}。"

    def down(self, at: str, move: str, window: str) -> str:
        return f"走 {move}，到 {at}" + (f"，{window}。" if window else "。")

    def down_again(self, at: str, move: str, window: str) -> str:
        return f"走 {move}，再次到 {at}" + (f"，这次 {window}。" if window else "。")

    def leaf(self, move: str, value: str, again: bool) -> str:
        return f"走 {move}，{'再次' * again}到叶节点：{value}。"

    def over(self, move: str, value: str, again: bool) -> str:
        return f"走 {move}，{'再次' * again}对局结束：{value}。"

    def horizon(self, move: str, value: str, terms: str, again: bool) -> str:
        said = f"{terms} = {value}" if terms else value
        return f"走 {move}，{'再次' * again}到达深度上限：评估函数给出 {said}。"

    def known(self, move: str, value: str) -> str:
        return f"走 {move}，到一个已知的局面：{value}。"

    def better(self, at: str, move: str, amount: str, change: str) -> str:
        return f"{at}：{move} 得到 {amount}，目前最好{change}。"

    def no_better(self, at: str, move: str, amount: str, best: str) -> str:
        return f"{at}：{move} 得到 {amount}，不比 {best} 更好。"

    def unclear(self, at: str, move: str, amount: str) -> str:
        return f"{at}：{move} 得到 {amount}。"

    def share(self, at: str, move: str, probability: str, value: str, product: str) -> str:
        return f"{at}：{move} 为均值加上 {probability} × {value} = {product}。"

    def best_for(self, at: str, move: str, value: str, seat: str) -> str:
        return f"{at}：{move} 得到 {value}，目前对 {seat} 最好。"

    def not_best_for(self, at: str, move: str, value: str, seat: str, best: str) -> str:
        return f"{at}：{move} 得到 {value}，对 {seat} 来说不比 {best} 更好。"

    def rises(self, old: str, new: str) -> str:
        return f"；α 从 {old} 升到 {new}"

    def falls(self, old: str, new: str) -> str:
        return f"；β 从 {old} 降到 {new}"

    def alpha_cut(self, at: str, value: str, bound: str, rest: int, elsewhere: bool) -> str:
        why = f"MAX 在别处已有 {bound}" if elsewhere else f"只有大于 {bound} 才还有意义"
        return f"{at}：α 剪枝，{value} ≤ {bound}。{why}，{self._rest(rest, '走法')}。"

    def beta_cut(self, at: str, value: str, bound: str, rest: int, elsewhere: bool) -> str:
        why = f"MIN 在别处已有 {bound}" if elsewhere else f"只有小于 {bound} 才还有意义"
        return f"{at}：β 剪枝，{value} ≥ {bound}。{why}，{self._rest(rest, '走法')}。"

    def chance_cut(self, at: str, value: str, bound: str, low: bool, rest: int) -> str:
        sign, side = ("≤", "高于") if low else ("≥", "低于")
        return (
            f"{at}：机会剪枝，{value} {sign} {bound}。无论其余结果如何，均值不会{side} {bound}，"
            f"{self._rest(rest, '结果')}。"
        )

    def near_cut(self, at: str, value: str, bound: str, rest: int) -> str:
        return f"{at}：近似剪枝，{value} 已足够接近 {bound}，{self._rest(rest, '走法')}。"

    def shallow_cut(self, at: str, value: str, bound: str, rest: int) -> str:
        return f"{at}：浅层剪枝，{value} ≥ {bound}。留给上一层走棋方的太少，{self._rest(rest, '走法')}。"

    def _rest(self, count: int, thing: str) -> str:
        return f"其余 {count} 个{thing}不必再看" if count else f"但已没有可剪的{thing}"

    def cut_note(self, kind: str, value: str, bound: str) -> str:
        return {
            "alpha": f"α 剪枝：v ≤ α ({value} ≤ {bound})",
            "beta": f"β 剪枝：v ≥ β ({value} ≥ {bound})",
            "low chance": f"机会剪枝：v ≤ α ({value} ≤ {bound})",
            "high chance": f"机会剪枝：v ≥ β ({value} ≥ {bound})",
            "near": f"近似剪枝：{value} ≈ {bound}",
            "shallow": f"浅层剪枝：{value} ≥ {bound}",
        }[kind]

    def left_out(self, at: str, moves: str) -> str:
        return f"{at}：暂不看 {moves}。"

    def done(self, at: str, amount: str, move: str) -> str:
        return f"{at} 的值是 {amount}" + (f"，走 {move}。" if move else "。")

    def mean(self, at: str, amount: str) -> str:
        return f"{at} 的均值是 {amount}。"

    def result(self, who: str, move: str, amount: str, line: str) -> str:
        if not move:
            return f"{who}：值是 {amount}。"
        return f"{who} 走 {move}：值 {amount}。" + (f"最佳走法：{line}。" if line else "")

    def cost(self, visited: int, leaves: int, cut: int, windows: bool) -> str:
        off = f"，剪去 {cut:,} 个走法" if cut or windows else ""
        return f"访问了 {visited:,} 个节点，其中叶节点 {leaves:,} 个{off}。"

    def question(self, algorithm: str) -> str:
        if algorithm in ("alphabeta", "pvs", "mtdf"):
            return (
                "用 α-β 剪枝从左到右搜索这棵树。写出每个节点当时的 α 和 β，划去被剪的边，"
                "并说明每次是哪一种剪枝、为什么。"
            )
        if algorithm in ("expectiminimax", "star1", "star2"):
            return "写出每个节点的值：MAX 取最大，MIN 取最小，机会节点取均值。"
        if algorithm == "maxn":
            return "写出每个节点得到的效用：轮到谁走，谁就要自己的那一份最大。"
        return "写出每个节点的极小化极大值。MAX 选哪一步？"

    def exercise(self, title: str) -> str:
        return f"练习：{title}"

    def asked(self, title: str, question: str) -> str:
        return f"{title}。{question}"


LANGUAGES = {"en": English(), "zh": Chinese()}


def narration(lang: str) -> English:
    """The sentences in a language, "en" or "zh"."""
    if lang not in LANGUAGES:
        raise BadOption(f"there is no language '{lang}'; there are: {', '.join(LANGUAGES)}")
    return LANGUAGES[lang]
