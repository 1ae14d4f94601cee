"""A class that hands in: honest players of Reversi, and players that are broken or hostile, with whose fault it is."""

from __future__ import annotations

from pathlib import Path

STUDENT = '''"""{name}"""
import random
{head}

class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        legal = list(board.get_legal_actions(self.color))
        {body}
'''

GREEDY = """best, most = None, -1
        for square in legal:
            flipped = board._move(square, self.color)
            if len(flipped) > most:
                best, most = square, len(flipped)
            board.backpropagation(square, flipped, self.color)
        return best"""
CORNERS = """def worth(square):
            row, column = board.board_num(square)
            edges = (row in (0, 7)) + (column in (0, 7))
            return (3, 1, 8)[edges] if edges else len(board._can_fliped(square, self.color)) / 10
        return max(legal, key=lambda square: (worth(square), random.random()))"""
HONEST = {
    "random": "return random.choice(legal)",
    "first": "return legal[0]",
    "last": "return sorted(legal)[-1]",
    "greedy": GREEDY,
    "corners": CORNERS,
    "loud": "print('x' * 999 + chr(27), flush=True); return random.choice(legal)",
    "set": "return next(iter(set(legal)))",
}
"""Bodies of `get_move` that play to the end."""

BROKEN: dict[str, tuple[str, str, str]] = {
    "loops": ("", "while True: pass", "time"),
    "loops at import": ("while True: pass", "return legal[0]", "start"),
    "crashes": ("", "return legal[len(legal)]", "error"),
    "exits": ("import os", "os._exit(3)", "ended"),
    "memory": ("", "hoard = bytearray(10**10); return legal[0]", "memory"),
    "wrong class": ("Player = None", "", "start"),
    "prints": ("", "while True: print('noise ' * 100)", "time"),
    "illegal": ("", "return 'A1' if 'A1' not in legal else 'H8'", "illegal"),
    "import": ("import no_such_module_at_all", "return legal[0]", "start"),
    "syntax": ("x = = 1", "return legal[0]", "start"),
    "board": ("", "board._board[0][0] = self.color; return legal[0]", "board"),
    "kills": ("import os", "os.kill(os.getppid(), 9); return None", "ended|illegal|error"),
    "forges": ("import os, json", "os.write(1, b'{}'); return 'Z9'", "illegal"),
}
"""What stands before the class, the body of `get_move`, and the code of the fault for which the hand-in is to blame."""


def source(name: str, head: str, body: str) -> str:
    text = STUDENT.format(name=name, head=head, body=body)
    return text.replace("class AIPlayer", "class Player") if name == "wrong class" else text


def write_class(folder: Path, honest: int, broken: list[str]) -> None:
    """Write a class: half of the honest ones as files, half in folders of their own with a helper beside them."""
    folder.mkdir(parents=True, exist_ok=True)
    names = list(HONEST)
    for number in range(honest):
        kind = names[number % len(names)]
        text = source(f"{kind} {number}", f"LUCK = {number}", HONEST[kind])
        if number % 2:
            (folder / f"student {number:02}, {kind}.py").write_text(text, encoding="utf-8")
        else:
            own = folder / f"student {number:02} {kind}"
            own.mkdir()
            (own / "helper.py").write_text(f"NUMBER = {number}\n", encoding="utf-8")
            (own / "ai_player.py").write_text(f"from helper import NUMBER\n{text}", encoding="utf-8")
    for name in broken:
        head, body, _ = BROKEN[name]
        (folder / f"broken {name}.py").write_text(source(name, head, body or "return legal[0]"), encoding="utf-8")
