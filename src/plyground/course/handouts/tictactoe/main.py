"""Play tic-tac-toe against your own player: python3 main.py, in a window, or in the terminal with --text."""

import random
import sys

from player import best_move
from rules import EMPTY, is_over, moves, new_board, result, show, to_move, winner

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
        "again": "New game",
        "no window": "No window can be opened here, so we play in the terminal.",
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
        "again": "新的一局",
        "no window": "这里无法打开窗口，改在终端中进行。",
    },
}
WORDS = TEXTS[LANG]


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
        self.root.title("Tic-tac-toe")
        self.status = tkinter.Label(self.root, font=("", 14), pady=8)
        self.status.grid(row=0, column=0, columnspan=3)
        self.squares = []
        for square in range(9):
            button = tkinter.Button(self.root, font=("", 32), width=3, command=lambda square=square: self.click(square))
            button.grid(row=1 + square // 3, column=square % 3)
            self.squares.append(button)
        again = tkinter.Button(self.root, text=WORDS["again"], command=self.begin)
        again.grid(row=4, column=0, columnspan=3, pady=8)
        self.begin()

    def begin(self):
        self.mine = random.choice("XO")  # who moves first is chosen at random
        self.board = new_board()
        self.over = False
        self.status["text"] = WORDS["you"].format(sign=self.mine)
        self.answer()

    def click(self, square):
        if not self.over and to_move(self.board) == self.mine and self.board[square] == EMPTY:
            self.board = result(self.board, square)
            self.answer()

    def answer(self):
        """Let the player move, if it is its turn, and show the board."""
        if not is_over(self.board) and to_move(self.board) != self.mine:
            square = best_move(list(self.board))
            if square not in moves(self.board):
                self.over = True
                self.status["text"] = WORDS["illegal"].format(square=square)
            else:
                self.board = result(self.board, square)
        for square in range(9):
            self.squares[square]["text"] = self.board[square]
        if is_over(self.board):
            self.over = True
            self.status["text"] = verdict(self.board, self.mine)


def play_in_window():
    """Whether a window could be opened; if so, it has been closed again."""
    try:
        import tkinter

        window = Window(tkinter)
    except ImportError:
        return False
    except tkinter.TclError:
        return False
    window.root.mainloop()
    return True


if __name__ == "__main__":
    try:
        if "--text" in sys.argv:
            play_in_terminal()
        elif not play_in_window():
            print(WORDS["no window"])
            play_in_terminal()
    except (KeyboardInterrupt, EOFError):
        print()
