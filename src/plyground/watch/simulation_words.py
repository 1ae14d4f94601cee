"""What is said of a Monte Carlo tree search while it is replayed, in English and in Chinese.

Numbers and moves come as finished texts, but for those that decide between one and many.
"""

from __future__ import annotations

from typing import ClassVar

from plyground.errors import BadOption
from plyground.watch.narration import NO_SPACE

__all__ = ["SimulationWords", "simulation_words"]


class SimulationWords:
    """The sentences in English."""

    phases: ClassVar[dict[str, str]] = {
        "selection": "selection",
        "expansion": "expansion",
        "simulation": "simulation",
        "backpropagation": "backpropagation",
        "proof": "proof",
    }
    outcomes = ("win", "loss", "draw")
    chance = "chance"
    root = "the root"
    the_end = "the game is over"
    a_draw = "a draw"
    then_evaluation = "then the evaluation"

    def spaced(self, text: str) -> str:
        """A text that was put together from parts, with spaces only where the language has them."""
        return text

    # Titles ----------------------------------------------------------------------------------------------------

    def simulations_title(self, game: str, first: int, last: int, player: str, formula: str) -> str:
        which = f"simulation {last:,}" if first == last else f"simulations {first:,} to {last:,}"
        return f"{game}, {which} ({player}). Q/N at a node is to whoever moved there; {formula}"

    def tree_title(self, game: str, simulations: int, solved: bool, player: str) -> str:
        title = f"{game}, the tree after {simulations:,} simulations{', solved' * solved} ({player})"
        return f"{title}. Q/N is to whoever moved there; +n nodes are not drawn"

    def formula(self, bound: str, more: bool) -> str:
        return f"bound = {bound}{' + what the variant adds' * more}"

    # At nodes --------------------------------------------------------------------------------------------------

    def to_move(self, seat: str) -> str:
        return f"{seat} to move"

    def proven(self, what: str) -> str:
        return f"proven {what}"

    def hidden(self, count: int) -> str:
        return f"+{count:,} node{'s' * (count != 1)}"

    def visits(self, count: int) -> str:
        return f"{count:,} visit{'s' * (count != 1)}"

    def plies(self, depth: int) -> str:
        return f"depth {depth}"

    # Steps -----------------------------------------------------------------------------------------------------

    def step(self, number: int, phase: str, text: str) -> str:
        return f"Simulation {number:,}, {self.phases[phase]}: {text}"

    def drawn_first(self, move: str) -> str:
        return f"chance draws {move} for the first time. It becomes a node."

    def tried_first(self, who: str, move: str) -> str:
        return f"{who} has not tried {move} here yet. It becomes a node."

    def drawn(self, move: str) -> str:
        return f"chance draws {move}."

    def only(self, who: str, move: str, forced: bool) -> str:
        return f"{who} has {'only' if forced else 'looked at'} {move}."

    def takes(self, who: str, move: str, proven: str) -> str:
        return f"{who} takes {move}, a {proven}."

    def in_proportion(self, move: str, bound: str, count: int) -> str:
        return f"{move}, whose bound is {bound}, is drawn in proportion to the {count} bounds."

    def compares(self, who: str, count: int, move: str, bound: str) -> str:
        return f"{who} compares {count} moves. {move} has the highest bound, {bound}."

    def beyond(self, count: int, bound: str) -> str:
        return f" The {count} that are not drawn have at most {bound}."

    def policy(self, kind: str) -> str:
        return {
            "greedy": "mostly greedily",
            "game": "by the game's own policy",
            "learned": "by a policy learned from people",
            "random": "at random",
        }[kind]

    def reward(self, reward: str, seat: str) -> str:
        return f"{reward} for {seat}"

    def rewards(self, rewards: list[str]) -> str:
        return ", ".join(rewards)

    def known(self, ended: bool, proven: str, results: str) -> str:
        why = "the endgame table knows how the game ends"
        if ended:
            why = "the game is over here"
        elif proven:
            why = f"no playout is needed, for the move is a {proven}"
        return f"{why}: {results}."

    def playout(self, count: int, policy: str, moves: str, ending: str, results: str) -> str:
        moved = f"{count} move{'s' * (count != 1)}"
        return f"{moved} {policy}: {moves}; {ending}. {results[0].upper()}{results[1:]}."

    def wins(self, seat: str) -> str:
        return f"{seat} wins"

    def gets_at(self, seat: str, reward: str, here: str) -> str:
        return f"{seat} gets {reward} at {here}"

    def counts_for(self, here: str, seat: str, reward: str) -> str:
        return f"{here} counts for {seat}, who gets {reward}"

    def own_move(self, here: str, seat: str, reward: str) -> str:
        return f"{here} is {seat}'s move, and {seat} gets {reward}"

    def credit(self, text: str, change: str) -> str:
        return f"{text}: {change}."

    def proof(self, here: str, proven: str, seat: str) -> str:
        return f"{here} is a {proven} for {seat}."

    def opinion(self, simulations: int, move: str, share: str, mean: str, nodes: int) -> str:
        times = f"{simulations:,} simulation{'s' * (simulations != 1)}"
        return f"After {times}: {move} has {share} of the visits and a mean of {mean}. The tree has {nodes:,} nodes."

    # The example by hand ---------------------------------------------------------------------------------------

    worked_game = "worked example"
    worked_seats = ("White", "Black")

    def worked_title(self, bound: str) -> str:
        return f"One simulation by hand. White's wins / visits; bound = {bound}"

    def worked_root(self, bound: str) -> str:
        return f" The bound is {bound}, for 21 visits of the root."

    def worked_reply(self, minus: str, bound: str, own: list[str]) -> str:
        return (
            f" Black's mean is 1 {minus} White's, and the bound 1 {minus} {bound}. "
            f"UCT takes ln 10 here, the visits of this node: {' and '.join(own)}, and the same choice."
        )

    def worked_bound(self, root: str) -> str:
        return f"mean + {root}(ln 21 / n)"


class ChineseSimulationWords(SimulationWords):
    """The sentences in Simplified Chinese."""

    phases: ClassVar[dict[str, str]] = {
        "selection": "选择",
        "expansion": "扩展",
        "simulation": "模拟",
        "backpropagation": "反向传播",
        "proof": "证明",
    }
    outcomes = ("必胜", "必败", "和棋")
    chance = "机会"
    root = "根节点"
    the_end = "对局结束"
    a_draw = "和棋"
    then_evaluation = "然后用评估函数"

    def spaced(self, text: str) -> str:
        return NO_SPACE.sub("", text)

    def simulations_title(self, game: str, first: int, last: int, player: str, formula: str) -> str:
        which = f"第 {last:,} 次模拟" if first == last else f"第 {first:,} 到 {last:,} 次模拟"
        return f"{game}，{which}（{player}）。节点处的 Q/N 属于走到此处的一方；{formula}"

    def tree_title(self, game: str, simulations: int, solved: bool, player: str) -> str:
        title = f"{game}，{simulations:,} 次模拟后的树{'，已解出' * solved}（{player}）"
        return f"{title}。Q/N 属于走到此处的一方；+n 个节点未画出"

    def formula(self, bound: str, more: bool) -> str:
        return f"上界 = {bound}{' + 变体所加的项' * more}"

    def to_move(self, seat: str) -> str:
        return f"轮到 {seat}"

    def proven(self, what: str) -> str:
        return f"已证明：{what}"

    def hidden(self, count: int) -> str:
        return f"+{count:,} 个节点"

    def visits(self, count: int) -> str:
        return f"{count:,} 次访问"

    def plies(self, depth: int) -> str:
        return f"深度 {depth}"

    def step(self, number: int, phase: str, text: str) -> str:
        return f"第 {number:,} 次模拟，{self.phases[phase]}：{text}"

    def drawn_first(self, move: str) -> str:
        return f"机会第一次抽到 {move}，它成为一个节点。"

    def tried_first(self, who: str, move: str) -> str:
        return f"{who} 在这里还没试过 {move}，它成为一个节点。"

    def drawn(self, move: str) -> str:
        return f"机会抽到 {move}。"

    def only(self, who: str, move: str, forced: bool) -> str:
        return f"{who} {'只有' if forced else '只看过'} {move}。"

    def takes(self, who: str, move: str, proven: str) -> str:
        return f"{who} 走 {move}，{proven}。"

    def in_proportion(self, move: str, bound: str, count: int) -> str:
        return f"按 {count} 个上界的比例抽到 {move}，它的上界是 {bound}。"

    def compares(self, who: str, count: int, move: str, bound: str) -> str:
        return f"{who} 比较 {count} 个走法。{move} 的上界最高：{bound}。"

    def beyond(self, count: int, bound: str) -> str:
        return f"未画出的 {count} 个至多是 {bound}。"

    def policy(self, kind: str) -> str:
        return {"greedy": "大多贪心", "game": "按游戏自己的策略", "learned": "按向人学来的策略", "random": "随机"}[kind]

    def reward(self, reward: str, seat: str) -> str:
        return f"{seat} 得 {reward}"

    def rewards(self, rewards: list[str]) -> str:
        return "，".join(rewards)

    def known(self, ended: bool, proven: str, results: str) -> str:
        why = "残局表知道结局"
        if ended:
            why = "对局到此结束"
        elif proven:
            why = f"不必模拟，这步棋{proven}"
        return f"{why}。{results}。"

    def playout(self, count: int, policy: str, moves: str, ending: str, results: str) -> str:
        return f"{policy}走 {count} 步：{moves}；{ending}。{results}。"

    def wins(self, seat: str) -> str:
        return f"{seat} 获胜"

    def gets_at(self, seat: str, reward: str, here: str) -> str:
        return f"{seat} 在 {here} 得 {reward}"

    def counts_for(self, here: str, seat: str, reward: str) -> str:
        return f"{here} 记 {seat} 的得分，{seat} 得 {reward}"

    def own_move(self, here: str, seat: str, reward: str) -> str:
        return f"{here} 是 {seat} 的一步，{seat} 得 {reward}"

    def credit(self, text: str, change: str) -> str:
        return f"{text}：{change}。"

    def proof(self, here: str, proven: str, seat: str) -> str:
        return f"{here} 对 {seat} {proven}。"

    def opinion(self, simulations: int, move: str, share: str, mean: str, nodes: int) -> str:
        return f"{simulations:,} 次模拟之后：{move} 占访问的 {share}，均值 {mean}。树有 {nodes:,} 个节点。"

    worked_game = "手算的例子"
    worked_seats = ("白方", "黑方")

    def worked_title(self, bound: str) -> str:
        return f"手算一次模拟。白方的胜数 / 访问数；上界 = {bound}"

    def worked_root(self, bound: str) -> str:
        return f"上界是 {bound}，根节点访问过 21 次。"

    def worked_reply(self, minus: str, bound: str, own: list[str]) -> str:
        return (
            f"黑方的均值是 1 {minus} 白方的均值，上界是 1 {minus} {bound}。"
            f"UCT 在这里取 ln 10，即本节点的访问数：{' 和 '.join(own)}，选择相同。"
        )

    def worked_bound(self, root: str) -> str:
        return f"均值 + {root}(ln 21 / n)"


LANGUAGES = {"en": SimulationWords(), "zh": ChineseSimulationWords()}


def simulation_words(lang: str) -> SimulationWords:
    """The sentences in a language, "en" or "zh"."""
    if lang not in LANGUAGES:
        raise BadOption(f"there is no language '{lang}'; there are: {', '.join(LANGUAGES)}")
    return LANGUAGES[lang]
