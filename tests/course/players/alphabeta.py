"""Alpha-beta that passes by a call of its own, on one board with undo; values are its own."""

import math


def other(color):
    return "O" if color == "X" else "X"


class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        best, found = -math.inf, None
        for action in list(board.get_legal_actions(self.color)):
            flipped = board._move(action, self.color)
            value = self.alphabeta(board, 3, best, math.inf, other(self.color))
            board.backpropagation(action, flipped, self.color)
            if value > best:
                best, found = value, action
        return found

    def evaluate(self, board):
        return board.count(self.color) - board.count(other(self.color))

    def alphabeta(self, board, depth, alpha, beta, color):
        moves = list(board.get_legal_actions(color))
        if not moves and not list(board.get_legal_actions(other(color))):
            return 100 * self.evaluate(board)
        if depth == 0:
            return self.evaluate(board)
        if not moves:
            return self.alphabeta(board, depth - 1, alpha, beta, other(color))
        value = -math.inf if color == self.color else math.inf
        for action in moves:
            flipped = board._move(action, color)
            child = self.alphabeta(board, depth - 1, alpha, beta, other(color))
            board.backpropagation(action, flipped, color)
            if color == self.color:
                value = max(value, child)
                if value >= beta:
                    break
                alpha = max(alpha, value)
            else:
                value = min(value, child)
                if value <= alpha:
                    break
                beta = min(beta, value)
        return value
