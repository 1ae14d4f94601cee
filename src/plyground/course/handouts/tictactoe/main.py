"""Play tic-tac-toe against your own player: python3 main.py, in a window, or in the terminal with --text."""

import random
import sys
import traceback

from player import best_move
from rules import EMPTY, LINES, is_over, moves, new_board, result, show, to_move, winner

LANG = "en"
TEXTS = {
    "en": {
        "you": "You are {sign}. X moves first.",
        "ask": "Your square (0 to 8, q to end): ",
        "not legal": "That is not an empty square.",
        "moved": "The player takes {square}.",
        "illegal": "The player answered {square!r}, which is not an empty square: you win.",
        "won": "You win.",
        "lost": "You lose.",
        "draw": "A draw.",
        "failed": "The player ended with {error}: you win. The terminal has more.",
        "again": "New game",
        "title": "Tic-tac-toe",
        "no Tk": "Tk is not installed (on Debian and Ubuntu it is python3-tk), so we play in the terminal.",
        "no screen": "No window can be opened here, so we play in the terminal.",
    },
    "zh": {
        "you": "你执 {sign}。X 先行。",
        "ask": "请输入位置（0 到 8，q 结束）：",
        "not legal": "这里不能落子。",
        "moved": "对手下在 {square}。",
        "illegal": "对手给出了 {square!r}，这不是空格：你赢了。",
        "won": "你赢了。",
        "lost": "你输了。",
        "draw": "平局。",
        "failed": "对手出错（{error}）：你赢了。详情见终端。",
        "again": "新的一局",
        "title": "井字棋",
        "no Tk": "没有安装 Tk（在 Debian 和 Ubuntu 上是 python3-tk），改在终端中进行。",
        "no screen": "这里无法打开窗口，改在终端中进行。",
    },
}
WORDS = TEXTS[LANG]
SIDE = 110
"""Of a square in the window, in pixels."""
INK = {"X": "#1d4ed8", "O": "#b45309"}
WON = "#fde68a"
"""The ground of three in a line."""


def verdict(board, mine):
    """How the game has ended for the side `mine`, in words."""
    found = winner(board)
    return WORDS["draw" if found is None else "won" if found == mine else "lost"]


def play_in_terminal():
    mine = random.choice("XO")  # who moves first is chosen at random
    board = new_board()
    print(WORDS["you"].format(sign=mine))
    while not is_over(board):
        if to_move(board) == mine:
            print(f"\n{show(board)}\n")
            answer = input(WORDS["ask"]).strip()
            if answer == "q":
                return
            if not answer.isdecimal() or int(answer) not in moves(board):
                print(WORDS["not legal"])
                continue
            square = int(answer)
        else:
            square = best_move(list(board))
            if square not in moves(board):
                print(WORDS["illegal"].format(square=square))
                return
            print(WORDS["moved"].format(square=square))
        board = result(board, square)
    print(f"\n{show(board)}\n\n{verdict(board, mine)}")


class Window:
    """The game in a window."""

    def __init__(self, tkinter):
        self.root = tkinter.Tk()
        self.root.title(WORDS["title"])
        self.status = tkinter.Label(self.root, font=("", 14), height=2, wraplength=3 * SIDE - 20)
        self.status.grid(row=0, column=0, columnspan=3, sticky="ew")
        self.squares = []
        for square in range(9):
            row, column = 1 + square // 3, square % 3
            button = tkinter.Button(self.root, font=("", 32), width=2, command=lambda square=square: self.click(square))
            button.grid(row=row, column=column, sticky="nsew")
            self.squares.append(button)
            self.root.rowconfigure(row, minsize=SIDE, weight=1)
            self.root.columnconfigure(column, minsize=SIDE, weight=1)
        again = tkinter.Button(self.root, text=WORDS["again"], command=self.begin)
        again.grid(row=4, column=0, columnspan=3, pady=10)
        self.plain = self.squares[0]["background"]
        self.begin()

    def begin(self):
        self.mine = random.choice("XO")  # who moves first is chosen at random
        self.board = new_board()
        self.over = False
        self.status["text"] = WORDS["you"].format(sign=self.mine)
        self.show()
        self.answer()

    def click(self, square):
        if not self.over and to_move(self.board) == self.mine and self.board[square] == EMPTY:
            self.board = result(self.board, square)
            self.show()
            self.answer()

    def answer(self):
        """Let the player move, if it is its turn."""
        if self.over or to_move(self.board) == self.mine:
            return
        self.root.update_idletasks()  # your own sign is seen while the player thinks
        try:
            square = best_move(list(self.board))
        except Exception as error:
            self.end(WORDS["failed"].format(error=type(error).__name__))
            traceback.print_exc()
            return
        if square not in moves(self.board):
            self.end(WORDS["illegal"].format(square=square))
            return
        self.board = result(self.board, square)
        self.show()

    def show(self):
        """Show the board, and how the game has ended."""
        won = [line for line in LINES if {self.board[square] for square in line} in ({"X"}, {"O"})]
        for square, button in enumerate(self.squares):
            sign = self.board[square]
            ground = WON if any(square in line for line in won) else self.plain
            button.configure(text=sign, foreground=INK.get(sign, "black"), activeforeground=INK.get(sign, "black"))
            button.configure(background=ground, activebackground=ground)
        if is_over(self.board):
            self.end(verdict(self.board, self.mine))

    def end(self, said):
        self.over = True
        self.status["text"] = said


def play_in_window():
    """Play until the window is closed; if none can be opened, return the key of the words that say why."""
    try:
        import tkinter
    except ImportError:
        return "no Tk"
    try:
        window = Window(tkinter)
    except tkinter.TclError:
        return "no screen"
    window.root.mainloop()
    return None


if __name__ == "__main__":
    try:
        if "--text" in sys.argv:
            play_in_terminal()
        elif missing := play_in_window():
            print(WORDS[missing])
            play_in_terminal()
    except (KeyboardInterrupt, EOFError):
        print()
