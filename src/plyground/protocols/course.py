"""The framework of the course work "MiniAlphaGo for Reversi": a board, a game, and players who answer with a square.

A student's player is a class ``AIPlayer`` with ``__init__(self, color)`` and ``get_move(self, board)``, which returns a
square such as ``"D3"``. It runs unchanged in `Game` here, and in the arena as ``course:file=student.py``. The other way
round, `AIPlayer` here plays in the course's own `Game` with any player of ours.

Black is ``X``, white is ``O``; rows are 1 to 8 downwards and columns A to H. This file needs nothing but the standard
library, so that it can be handed to students as it is; only `AIPlayer` asks Plyground.
"""

from __future__ import annotations

import ctypes
import random
import threading
import time
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

__all__ = ["AIPlayer", "Board", "Game", "HumanPlayer", "RandomPlayer", "TooLong", "timed"]

Square = str | Sequence[int]
MOVE_TIME = 60
"""Seconds that a player has for an answer."""
ILLEGAL_ANSWERS_TO_LOSE = 3
COLUMNS = "ABCDEFGH"
AROUND = ((-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1))
"""The eight directions, clockwise from the top: legal actions come in this order around each disc of the other side."""


class Board:
    """The board: 8 rows of 8 squares, each ``X``, ``O`` or ``.``"""

    def __init__(self) -> None:
        self.empty = "."
        self._board = [[self.empty] * 8 for _ in range(8)]
        self._board[3][4] = self._board[4][3] = "X"
        self._board[3][3] = self._board[4][4] = "O"

    def __getitem__(self, index: int) -> list[str]:
        return self._board[index]

    def display(self, step_time: dict[str, Any] | None = None, total_time: dict[str, Any] | None = None) -> None:
        """Print the board, and for each side its discs, the time of its last move and of all its moves."""
        step_time, total_time = step_time or {"X": 0, "O": 0}, total_time or {"X": 0, "O": 0}
        print(" ", " ".join(COLUMNS))
        for number, row in enumerate(self._board, 1):
            print(number, " ".join(row))
        print("统计棋局: 棋子总数 / 每一步耗时 / 总时间 ")
        print(f"黑   棋: {self.count('X')} / {step_time['X']} / {total_time['X']}")
        print(f"白   棋: {self.count('O')} / {step_time['O']} / {total_time['O']}\n")

    def count(self, color: str) -> int:
        """How many squares hold this sign."""
        return sum(row.count(color) for row in self._board)

    def get_winner(self) -> tuple[int, int]:
        """Who has more discs, 0 black, 1 white, 2 neither; and by how many."""
        difference = self.count("X") - self.count("O")
        return (0 if difference > 0 else 1 if difference < 0 else 2), abs(difference)

    def _move(self, action: Square, color: str) -> list[str] | bool:
        """Put a disc and flip; the flipped squares, or False, and nothing done, if there are none."""
        flipped = self._can_fliped(action, color)
        if not flipped:
            return False
        assert isinstance(flipped, list)
        for square in [self._place(action), *map(self.board_num, flipped)]:
            self._board[square[0]][square[1]] = color
        return flipped

    def _can_fliped(self, action: Square, color: str) -> list[str] | bool:
        """The squares that a disc here would flip; False if there are none."""
        row, column = self._place(action)
        if not self.is_on_board(row, column) or self._board[row][column] != self.empty:
            return False
        other = "O" if color == "X" else "X"
        flipped = []
        for down, right in AROUND:
            line = []
            x, y = row + down, column + right
            while self.is_on_board(x, y) and self._board[x][y] == other:
                line.append(self.num_board((x, y)))
                x, y = x + down, y + right
            if line and self.is_on_board(x, y) and self._board[x][y] == color:
                flipped += line
        return flipped or False

    def backpropagation(self, action: Square, flipped_pos: Sequence[Square], color: str) -> None:
        """Undo a move of this colour that has flipped these squares."""
        other = "O" if color == "X" else "X"
        row, column = self._place(action)
        self._board[row][column] = self.empty
        for square in flipped_pos:
            row, column = self._place(square)
            self._board[row][column] = other

    def is_on_board(self, x: int, y: int) -> bool:
        """Whether row x and column y, from 0, are on the board."""
        return 0 <= x <= 7 and 0 <= y <= 7

    def get_legal_actions(self, color: str) -> Iterator[str]:
        """The squares where this colour may move, one after the other, in capital letters."""
        other = "O" if color == "X" else "X"
        near: dict[tuple[int, int], None] = {}
        for row in range(8):
            for column in range(8):
                if self._board[row][column] == other:
                    around = ((row + down, column + right) for down, right in AROUND)
                    near |= dict.fromkeys(p for p in around if self.is_on_board(*p) and self[p[0]][p[1]] == self.empty)
        for place in near:
            if self._can_fliped(place, color):
                yield self.num_board(place)

    def board_num(self, action: str) -> tuple[int, int]:
        """Row and column, from 0, of a square such as ``A1`` or ``a1``."""
        return int(action[1]) - 1, ord(action[0].upper()) - ord("A")

    def num_board(self, action: Sequence[int]) -> str:
        """The square of a row and a column."""
        return f"{chr(ord('A') + action[1])}{action[0] + 1}"

    def _place(self, action: Square) -> tuple[int, int]:
        return self.board_num(action) if isinstance(action, str) else (action[0], action[1])


class Game:
    """A game between two players; ``Game(black_player, white_player).run()`` plays and shows it."""

    def __init__(self, black_player: Any, white_player: Any) -> None:
        self.board = Board()
        self.current_player: Any = None
        self.black_player, self.white_player = black_player, white_player
        self.black_player.color, self.white_player.color = "X", "O"

    def switch_player(self, black_player: Any, white_player: Any) -> Any:
        """The other player than the one whose turn it was; black at first."""
        return white_player if self.current_player is black_player else black_player

    def print_winner(self, winner: int) -> None:
        """Say who has won: 0 black, 1 white, 2 nobody."""
        print(["黑棋获胜!", "白棋获胜!", "平局"][winner])

    def force_loss(self, is_timeout: bool = False, is_board: bool = False, is_legal: bool = False) -> tuple[int, int]:
        """The player whose turn it is loses, for one of these reasons; the winner, and a difference of 0."""
        black_loses = self.current_player is self.black_player
        loser, winner = ("黑棋 - X", "白棋 - O") if black_loses else ("白棋 - O", "黑棋 - X")
        if is_timeout:
            print(f"\n{loser} 思考超过 {MOVE_TIME}s, {winner} 胜")
        if is_legal:
            print(f"\n{loser} 落子 {ILLEGAL_ANSWERS_TO_LOSE} 次不符合规则, {winner} 胜")
        if is_board:
            print(f"\n{loser} 擅自改动棋盘, {winner} 胜")
        return (1 if black_loses else 0), 0

    def game_over(self) -> bool:
        """Whether neither side can move."""
        return not any(True for color in "XO" for _ in self.board.get_legal_actions(color))

    def run(self) -> tuple[int, int]:
        """Play until the end; who has won (0 black, 1 white, 2 nobody), and by how many discs."""
        total, step = {"X": 0.0, "O": 0.0}, {"X": 0.0, "O": 0.0}
        print("\n=====开始游戏!=====\n")
        self.board.display(step, total)
        verdict = None
        while verdict is None and not self.game_over():
            self.current_player = self.switch_player(self.black_player, self.white_player)
            color = "X" if self.current_player is self.black_player else "O"
            legal = list(self.board.get_legal_actions(color))
            if not legal:
                continue
            start = time.monotonic()
            verdict, action = self._answer(color, legal)
            if verdict is None:
                self.board._move(action, color)
                step[color] = round(time.monotonic() - start, 2)
                total[color] = round(total[color] + step[color], 2)
                self.board.display(step, total)
        print("\n=====游戏结束!=====\n")
        self.board.display(step, total)
        winner, difference = verdict or self.board.get_winner()
        self.print_winner(winner)
        return winner, difference

    def _answer(self, color: str, legal: list[str]) -> tuple[tuple[int, int] | None, str]:
        """The player's move; or the end of the game, if there is none."""
        before = deepcopy(self.board._board)
        for _ in range(ILLEGAL_ANSWERS_TO_LOSE):
            try:
                action = timed(lambda: self.current_player.get_move(board=self.board), MOVE_TIME)
            except TooLong:
                self.board._board = before
                return self.force_loss(is_timeout=True), ""
            if self.board._board != before:
                self.board._board = before
                return self.force_loss(is_board=True), ""
            if action == "Q":
                return self.board.get_winner(), ""
            if isinstance(action, str) and action.upper() in legal:
                return None, action
            print(f"{'黑棋' if color == 'X' else '白棋'} 落子不符合规则, 请重新落子!")
        return self.force_loss(is_legal=True), ""


class TooLong(BaseException):
    """Raised inside a call that has used up its time; not an Exception, so that no player catches it by accident."""


def timed(call: Any, seconds: float) -> Any:
    """What a call returns, or raises; `TooLong` after this many seconds, and the call is broken off."""
    answers: list[Any] = []
    failures: list[BaseException] = []

    def work() -> None:
        try:
            answers.append(call())
        except BaseException as error:  # handed on to the caller below
            failures.append(error)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        # It is raised at the thread's next step in Python.
        ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread.ident or 0), ctypes.py_object(TooLong))
        raise TooLong
    if failures:
        raise failures[0]
    return answers[0]


class HumanPlayer:
    """A person at the keyboard."""

    def __init__(self, color: str) -> None:
        self.color = color

    def get_move(self, board: Any) -> str:
        """Ask until the answer is a legal square, or Q to end the game."""
        name = "黑棋" if self.color == "X" else "白棋"
        while True:
            answer = (
                input(f"请 '{name}-{self.color}' 方输入一个合法的坐标 (例如 'D3', 输入 'Q' 结束游戏): ").strip().upper()
            )
            if answer == "Q" or answer in list(board.get_legal_actions(self.color)):
                return answer
            print("你的输入不合法, 请重新输入!")


class RandomPlayer:
    """Any legal move, all as likely."""

    def __init__(self, color: str) -> None:
        self.color = color

    def random_choice(self, board: Any) -> str | None:
        """One of the legal squares; None if there is none."""
        legal = list(board.get_legal_actions(self.color))
        return random.choice(legal) if legal else None

    def get_move(self, board: Any) -> str | None:
        """One of the legal squares; None if there is none."""
        return self.random_choice(board)


class AIPlayer:
    """A player of ours: `player` is its spec, such as ``mcts:time=1``."""

    def __init__(self, color: str, player: str = "engine:time=1") -> None:
        self.color = color
        self._spec = player
        self._player: Any = None

    def get_move(self, board: Any) -> str | None:
        """A square such as ``D3``; None if there is no legal move."""
        from plyground.protocols.course_player import board_player, chosen_square

        if self._player is None:
            self._player = board_player(self._spec)
        return chosen_square(self._player, board._board, self.color)
