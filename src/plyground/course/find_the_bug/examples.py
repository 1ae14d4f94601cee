"""The programs that come with Plyground: right ones, and one for each classic mistake."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from plyground.errors import UnknownName, suggestion

__all__ = ["EXAMPLES", "Example", "example"]


@dataclass(frozen=True)
class Example:
    """A program: its name, and what is wrong with it in English and in Chinese; nothing for a right one."""

    name: str
    english: str
    chinese: str
    right: bool = False

    @property
    def file(self) -> Path:
        """Where it is."""
        return Path(str(files(__package__) / "programs" / f"{self.name}.py"))

    def summary(self, lang: str) -> str:
        """What it shows, in a language."""
        return self.chinese if lang == "zh" else self.english


EXAMPLES = {
    one.name: one
    for one in (
        Example("alphabeta", "alpha-beta, right", "α-β 剪枝，正确", right=True),
        Example("negamax", "alpha-beta as negamax, right", "negamax 形式的 α-β 剪枝，正确", right=True),
        Example("minimax", "minimax on one board with undo, right", "在同一棋盘上走与撤的极小化极大，正确", right=True),
        Example("uct", "UCT, right", "UCT，正确", right=True),
        Example("sign", "negamax forgets the sign of what comes back", "negamax 忘了给返回值变号"),
        Example("strict", "the cut asks for > where >= is right", "剪枝条件把 >= 写成 >"),
        Example("swapped", "alpha and beta are swapped in the call", "递归调用时 alpha 与 beta 弄反"),
        Example("exchanged", "max and min are exchanged at the root", "根节点处 max 与 min 弄反"),
        Example("early_return", "a value is returned before all children are seen", "没看完所有子节点就返回"),
        Example("depth", "the depth is off by one", "深度差一层"),
        Example("passes", "a player who must pass is taken for the end of the game", "忘了停一手：把无处可下当作终局"),
        Example("no_copy", "the board is neither copied nor put back", "棋盘既没有复制也没有复原"),
        Example("uct_sign", "UCT adds the same reward at every level", "UCT 回传时每层都加同样的收益"),
        Example("root_visits", "the bound has N of the root, not of the parent", "上界用了根节点的 N，而不是父节点的"),
        Example("forgotten_action", "the expansion never tries the last action", "扩展时从不试最后一个动作"),
        Example("wrong_player", "the playout counts for the wrong player", "模拟对局的结果记给了另一方"),
    )
}
"""By name; the right ones first."""


def example(name: str) -> Example:
    """The example of a name; `UnknownName` if there is none."""
    if name not in EXAMPLES:
        raise UnknownName(f"there is no example '{name}'{suggestion(name, EXAMPLES)}")
    return EXAMPLES[name]
