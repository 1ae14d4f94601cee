"""The words of pictures and pages of search trees, in each language."""

from __future__ import annotations

from plyground.pictures.guess import GUESS_WORDS
from plyground.pictures.player_words import PLAYER_WORDS, check_language

__all__ = ["tree_words"]

WORDS = {
    "en": {
        **PLAYER_WORDS["en"],
        **GUESS_WORDS["en"],
        "fonts": "system-ui, sans-serif",
        "tree": "search tree",
        "nodes": "nodes",
        "value": "value",
        "max": "MAX moves",
        "min": "MIN moves",
        "chance": "chance",
        "player": "a player moves",
        "leaf": "leaf",
        "best": "chosen",
        "cut": "cut off",
        "open": "being searched",
        "unseen": "not visited",
        "tint": "bad to good for whoever moved there",
        "played": "last move",
        "folded": "more children",
        "hint": "A click on a node folds or unfolds it.",
        "steps": "Steps",
        "closer": "zoom in",
        "further": "zoom out",
        "fit": "show the whole tree",
        "unfold": "unfold everything, or fold again",
        "unfoldOne": "show more children",
        "start": "Start",
        "question": "Question",
        "before": "Before the first step. Press play, or the right arrow key.",
        "program": "Program",
        "pseudo": "Pseudo-code",
        "negamax": "Negamax",
        "python": "Python",
        "lines": "lines of the program",
        "breakpoint": "breakpoint at line",
        "toBreakpoint": "run to the next breakpoint (Shift and right arrow)",
        "fromBreakpoint": "run back to the breakpoint before (Shift and left arrow)",
    },
    "zh": {
        **PLAYER_WORDS["zh"],
        **GUESS_WORDS["zh"],
        # By name too: some viewers would take any font that has the characters, with serifs or without.
        "fonts": "system-ui, 'PingFang SC', 'Microsoft YaHei', 'Noto Sans CJK SC', 'Noto Sans SC', sans-serif",
        "tree": "搜索树",
        "nodes": "个节点",
        "value": "值",
        "max": "MAX 走",
        "min": "MIN 走",
        "chance": "机会节点",
        "player": "某一方走",
        "leaf": "叶节点",
        "best": "选中",
        "cut": "剪去",
        "open": "正在搜索",
        "unseen": "未访问",
        "tint": "对走到此处的一方由差到好",
        "played": "最后一步",
        "folded": "折叠的子节点",
        "hint": "点击节点可以折叠或展开。",
        "steps": "步骤",
        "closer": "放大",
        "further": "缩小",
        "fit": "显示整棵树",
        "unfold": "全部展开，或重新折叠",
        "unfoldOne": "展开更多子节点",
        "start": "开始",
        "question": "问题",
        "before": "第一步之前。请按播放，或按右方向键。",
        "program": "程序",
        "pseudo": "伪代码",
        "negamax": "负极大值",
        "python": "Python",
        "lines": "程序的各行",
        "breakpoint": "断点，第几行：",
        "toBreakpoint": "运行到下一个断点（Shift 加右方向键）",
        "fromBreakpoint": "退回到上一个断点（Shift 加左方向键）",
    },
}


def tree_words(lang: str) -> dict[str, str]:
    return WORDS[check_language(lang)]
