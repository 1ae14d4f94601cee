"""The four assignments: what a hand-in is called, what it must define, and the files that are given out for it.

The files given out need nothing but Python. Those of Reversi are cut out of `plyground.protocols.course`, so that
students write against the very framework in which their players are graded.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

from plyground.core.files import write_file
from plyground.errors import BadOption, FormatError, UnknownName, suggestion
from plyground.protocols import course

__all__ = ["ASSIGNMENTS", "Assignment", "given_out", "make_assignment", "write_handout"]

HANDOUTS = Path(__file__).resolve().parent.parent / "handouts"


@dataclass(frozen=True)
class Assignment:
    """`file` is what students hand in, and `wanted` the class or function that it must define, a `kind` of these."""

    name: str
    file: str
    wanted: str
    kind: str

    @property
    def folder(self) -> Path:
        """Where the files lie that are given out in any language."""
        return HANDOUTS / self.name


ASSIGNMENTS = {
    assignment.name: assignment
    for assignment in (
        Assignment("reversi", "ai_player.py", "AIPlayer", "class"),
        Assignment("tictactoe", "player.py", "best_move", "function"),
        Assignment("wumpus", "agent.py", "Agent", "class"),
        Assignment("queens", "solver.py", "solve", "function"),
    )
}


def make_assignment(name: str) -> Assignment:
    """The assignment of that name."""
    if name not in ASSIGNMENTS:
        raise UnknownName(f"there is no assignment '{name}'{suggestion(name, ASSIGNMENTS)}")
    return ASSIGNMENTS[name]


def given_out(assignment: Assignment, lang: str = "en") -> dict[str, str]:
    """The texts of the files that are given out, by their names."""
    found = _reversi_framework(lang) if assignment.name == "reversi" else {}
    for folder in (assignment.folder, assignment.folder / lang):
        for file in sorted(folder.iterdir()):
            if file.is_file():
                found[file.name] = file.read_text(encoding="utf-8")
    if lang != "en":
        found = {name: re.sub(r'^LANG = "en"$', f'LANG = "{lang}"', text, flags=re.M) for name, text in found.items()}
    return found


def write_handout(assignment: Assignment, folder: Path, *, lang: str = "en", force: bool = False) -> list[Path]:
    """Write the files that are given out into a folder, which is made if it is not there; returns them.

    `BadOption` if one of them is there already, unless `force` says to replace them: it may hold a student's work.
    """
    files = {folder / name: text for name, text in given_out(assignment, lang).items()}
    if folder.exists() and not folder.is_dir():
        raise BadOption(f"'{folder}' is not a folder; name another one")
    present = [file.name for file in files if file.exists() or file.is_symlink()]
    if present and not force:
        raise BadOption(f"'{folder}' has {', '.join(present)} already; --force replaces them, or name another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"cannot make the folder {folder}: {error.strerror or error}") from None
    for file, text in files.items():
        write_file(file, text.encode())
    return list(files)


# The framework of Reversi -------------------------------------------------------------------------------------------

PARTS = {
    "board.py": ("The board of Reversi and its rules.", ["Square", "COLUMNS", "AROUND", "Board"], ""),
    "game.py": (
        "A game of Reversi between two players, with the rules of the assignment.",
        ["MOVE_TIME", "ILLEGAL_ANSWERS_TO_LOSE", "Game", "TooLong", "timed"],
        "from board import Board",
    ),
    "players.py": ("Players: a person, and one who plays at random.", ["HumanPlayer", "RandomPlayer"], ""),
}
IN_ENGLISH = {
    "统计棋局: 棋子总数 / 每一步耗时 / 总时间 ": "Discs / seconds for the last move / seconds in all",
    "黑   棋": "Black",
    "白   棋": "White",
    "黑棋获胜!": "Black wins.",
    "白棋获胜!": "White wins.",
    "平局": "A draw.",
    "黑棋 - X": "Black (X)",
    "白棋 - O": "White (O)",
    "{loser} 思考超过 {MOVE_TIME}s, {winner} 胜": "{loser} took more than {MOVE_TIME} s: {winner} wins.",
    "{loser} 落子 {ILLEGAL_ANSWERS_TO_LOSE} 次不符合规则, {winner} 胜": (
        "{loser} answered {ILLEGAL_ANSWERS_TO_LOSE} times with an illegal square: {winner} wins."
    ),
    "{loser} 擅自改动棋盘, {winner} 胜": "{loser} changed the board: {winner} wins.",
    "开始游戏!": " The game begins ",
    "游戏结束!": " The game is over ",
    " 落子不符合规则, 请重新落子!": " cannot move there: choose another square.",
    "请 '{name}-{self.color}' 方输入一个合法的坐标 (例如 'D3', 输入 'Q' 结束游戏): ": (
        "{name} ({self.color}), your square (such as D3; Q ends the game): "
    ),
    "你的输入不合法, 请重新输入!": "That is not a legal square.",
    "黑棋": "Black",
    "白棋": "White",
}
"""What the framework prints, which speaks Chinese, in English; what is part of another text comes after it."""


def _reversi_framework(lang: str) -> dict[str, str]:
    """The framework as three files, each with the parts of `plyground.protocols.course` that belong to it."""
    source = Path(course.__file__).read_text(encoding="utf-8")
    if lang == "en":
        for chinese, english in IN_ENGLISH.items():
            source = source.replace(chinese, english)
    lines, body = source.splitlines(), ast.parse(source).body
    imports = [node for node in body if isinstance(node, ast.Import | ast.ImportFrom)]
    texts: dict[str, str] = {}
    for name, (title, wanted, more) in PARTS.items():
        parts = [_part(lines, body, one) for one in wanted]
        used = {node.id for node in ast.walk(ast.parse("\n".join(parts))) if isinstance(node, ast.Name)}
        needed = [line for node in imports[1:] if (line := _import_line(node, used))]
        constants = "\n".join(part for part in parts if not part.startswith(("class", "def")))
        rest = [part for part in parts if part.startswith(("class", "def"))]
        head = [f'"""{title}"""', ast.unparse(imports[0]), "\n".join(needed), more, constants]
        texts[name] = "\n\n".join(filter(None, head)) + "\n\n\n" + "\n\n\n".join(rest) + "\n"
    return texts


def _part(lines: list[str], body: list[ast.stmt], name: str) -> str:
    """The source of what is called so, with the text below it that explains a constant."""
    for node, after in zip(body, [*body[1:], None], strict=True):
        own = getattr(node, "name", None) or (
            isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id
        )
        if own == name:
            explained = isinstance(node, ast.Assign) and isinstance(after, ast.Expr)
            last = after.end_lineno if explained and after is not None else node.end_lineno
            return "\n".join(lines[node.lineno - 1 : last])
    raise AssertionError(f"the framework of the course has no {name}")


def _import_line(node: ast.Import | ast.ImportFrom, used: set[str]) -> str:
    """An import with the names that are used; empty if none is."""
    kept = [alias for alias in node.names if (alias.asname or alias.name) in used]
    if not kept:
        return ""
    return ast.unparse(ast.Import(kept) if isinstance(node, ast.Import) else ast.ImportFrom(node.module, kept, 0))
