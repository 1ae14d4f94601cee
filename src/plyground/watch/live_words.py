"""What is written at a search while it runs, in English and in Chinese."""

from __future__ import annotations

from typing import ClassVar

from plyground.errors import BadOption

__all__ = ["LiveWords", "live_words"]


class LiveWords:
    """The words in English. `legends` say what a picture shows, by the kind of search."""

    legends: ClassVar[dict[str, str]] = {
        "windows": "Read from the memory of the search that plays. ▲ it moves, ▼ the other side; values are ▲'s, and ≤ "
        "and ≥ are bounds. α and β are the window of a move. A struck line: moves that were cut off.",
        "engine": "Read from the table of the engine. ▲ it moves, ▼ the other side; values are ▲'s discs, and ≤ and ≥ "
        "are bounds, which is all that its null windows ask for. A struck line: moves that were cut off.",
        "values": "▲ the program moves, ▼ the other side. Each move gets its value, ▲'s, when everything below it has "
        "been searched: minimax cuts nothing.",
        "averages": "▲ the program moves, ▼ whoever is against it, ○ chance. Values are ▲'s, and below each move the "
        "line that leads to it. What cannot be better than the best so far, α, is left with a bound, ≤.",
        "shares": "Whoever moves takes what is best for its own side. Values are what each player gets, in order of "
        "the seats, and below each move is the line that leads to it; ≤ bounds what the program's side gets.",
        "book": "Known by heart: a move of the opening book, and what the book expects to follow.",
        "playouts": "Random games after each move: their mean result for the program, and how many there were.",
        "mcts": "The most visited moves: the mean reward to whoever moved there, and the visits. The thicker a line, "
        "the more of the visits went there.",
        "puct": "The most visited moves: Q is the mean reward to whoever moved there, P the share that the network's "
        "policy gives the move. The thicker a line, the more of the visits went there.",
    }

    def to_move(self, seat: str) -> str:
        return f"{seat} to move"

    def depth(self, plies: int) -> str:
        return f"depth {plies}"

    def more(self, moves: int) -> str:
        return f"+{moves} move{'s' * (moves != 1)}"

    def cut_off(self, moves: int) -> str:
        return f"{moves} move{'s' * (moves != 1)}"

    def cut(self, kind: str, value: str, bound: str) -> str:
        """Why the other moves need no look; the bound is not known everywhere."""
        name, sign = ("α", "≤") if kind == "alpha" else ("β", "≥")
        return f"{name} cut: {value} {sign} {bound or name}"

    def playouts(self, count: int) -> str:
        return f"{count:,} game{'s' * (count != 1)}"


class ChineseLiveWords(LiveWords):
    """The words in Simplified Chinese."""

    legends: ClassVar[dict[str, str]] = {
        "windows": "取自正在下棋的这次搜索的内存。▲ 轮到程序，▼ 轮到对方；值属于 ▲，≤ 和 ≥ 是界。"
        "α、β 是走法的搜索窗口。被划去的线：剪去的走法。",
        "engine": "取自引擎的置换表。▲ 轮到引擎，▼ 轮到对方；值是 ▲ 的净胜子数，≤ 和 ≥ 是界，零窗口只问界。"
        "被划去的线：剪去的走法。",
        "values": "▲ 轮到程序，▼ 轮到对方。一步之下的一切都搜索完，它才得到值（属于 ▲）：极小极大什么也不剪。",
        "averages": "▲ 轮到程序，▼ 轮到它的对手，○ 机会节点。值属于 ▲，每步棋之下是得出该值的变化。"
        "不可能超过当前最好值 α 的走法只有界 ≤。",
        "shares": "轮到谁，谁就选对自己一方最好的。值是各方所得，按座次排列，每步棋之下是得出该值的变化；"
        "≤ 是程序一方所得的上界。",
        "book": "背熟的棋：开局库里的一步，以及库中预计的后续。",
        "playouts": "每步棋之后的随机对局：对程序的平均结果，以及局数。",
        "mcts": "访问最多的走法：走到此处的一方的平均得分，以及访问次数。线越粗，访问越多。",
        "puct": "访问最多的走法：Q 是走到此处的一方的平均得分，P 是网络的策略给这步棋的概率。线越粗，访问越多。",
    }

    def to_move(self, seat: str) -> str:
        return f"轮到 {seat}"

    def depth(self, plies: int) -> str:
        return f"深度 {plies}"

    def more(self, moves: int) -> str:
        return f"另有 {moves} 个走法"

    def cut_off(self, moves: int) -> str:
        return f"{moves} 个走法"

    def cut(self, kind: str, value: str, bound: str) -> str:
        name, sign = ("α", "≤") if kind == "alpha" else ("β", "≥")
        return f"{name} 剪枝：{value} {sign} {bound or name}"

    def playouts(self, count: int) -> str:
        return f"{count:,} 局"


LANGUAGES = {"en": LiveWords(), "zh": ChineseLiveWords()}


def live_words(lang: str) -> LiveWords:
    """The words in a language, "en" or "zh"."""
    if lang not in LANGUAGES:
        raise BadOption(f"there is no language '{lang}'; there are: {', '.join(LANGUAGES)}")
    return LANGUAGES[lang]
