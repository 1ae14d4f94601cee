"""The rules of tic-tac-toe. A board is a list of nine signs, "X", "O" or " ", row by row from the top left.

X moves first, so that the board says whose turn it is.
"""

EMPTY = " "
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def new_board():
    """The empty board."""
    return [EMPTY] * 9


def to_move(board):
    """Whose turn it is, "X" or "O"."""
    return "X" if board.count("X") == board.count("O") else "O"


def moves(board):
    """The numbers of the empty squares, 0 to 8."""
    return [square for square in range(9) if board[square] == EMPTY]


def result(board, square):
    """A new board on which the side to move has taken this square."""
    after = list(board)
    after[square] = to_move(board)
    return after


def winner(board):
    """Who has three in a line, "X" or "O"; None if nobody has."""
    for a, b, c in LINES:
        if board[a] == board[b] == board[c] != EMPTY:
            return board[a]
    return None


def is_over(board):
    """Whether somebody has won, or the board is full."""
    return winner(board) is not None or EMPTY not in board


def show(board):
    """The board as text; empty squares show their numbers."""
    signs = [str(square) if sign == EMPTY else sign for square, sign in enumerate(board)]
    return "\n---+---+---\n".join(" " + " | ".join(signs[row : row + 3]) for row in (0, 3, 6))
