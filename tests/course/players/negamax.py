"""Negamax on copies, deeper and deeper as long as there is time; whoever must pass is passed over before the call."""

import time
from copy import deepcopy

INFINITE = 10**9


class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        begun, depth, found = time.time(), 1, None
        while time.time() - begun < 50 and depth < 4:
            best = -INFINITE
            for action in board.get_legal_actions(self.color):
                value = self.after(board, action, self.color, depth, -INFINITE, INFINITE)
                if value > best:
                    best, found = value, action
            depth += 1
        return found

    def after(self, board, action, color, depth, alpha, beta):
        copy = deepcopy(board)
        copy._move(action, color)
        other = "O" if color == "X" else "X"
        if any(True for _ in copy.get_legal_actions(other)):
            return -self.negamax(copy, other, depth - 1, -beta, -alpha)
        return self.negamax(copy, color, depth - 1, alpha, beta)

    def negamax(self, board, color, depth, alpha, beta):
        moves = list(board.get_legal_actions(color))
        if depth == 0 or not moves:
            return board.count(color) - board.count("O" if color == "X" else "X")
        best = -INFINITE
        for action in moves:
            best = max(best, self.after(board, action, color, depth, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
