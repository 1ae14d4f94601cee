import math
from copy import deepcopy

from game import Game

WEIGHTS = [
    [100, -20, 10, 5, 5, 10, -20, 100],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [5, -2, -1, -1, -1, -1, -2, 5],
    [10, -2, -1, -1, -1, -1, -2, 10],
    [-20, -50, -2, -2, -2, -2, -50, -20],
    [100, -20, 10, 5, 5, 10, -20, 100],
]


class AIPlayer:
    depth = 2

    def __init__(self, color):
        self.color = color
        self.opponent = "O" if color == "X" else "X"

    def get_move(self, board):
        _, action = self.search(deepcopy(board), self.color, self.depth, -math.inf, math.inf)
        return action

    def search(self, board, color, depth, alpha, beta):
        actions = list(board.get_legal_actions(color))
        other = self.opponent if color == self.color else self.color
        if depth == 0:
            return self.evaluate(board), None
        if not actions:
            if not list(board.get_legal_actions(other)):
                winner, diff = board.get_winner()
                sign = 0 if winner == 2 else 1 if "XO"[winner] == self.color else -1
                return 10000 * sign + diff * sign, None
            return self.search(board, other, depth - 1, alpha, beta)[0], None
        best = None
        for action in actions:
            child = deepcopy(board)
            child._move(action, color)
            value, _ = self.search(child, other, depth - 1, alpha, beta)
            if color == self.color:
                if value > alpha:
                    alpha, best = value, action
            elif value < beta:
                beta, best = value, action
            if alpha >= beta:
                break
        return (alpha if color == self.color else beta), best or actions[0]

    def evaluate(self, board):
        total = 0
        for i in range(8):
            for j in range(8):
                if board._board[i][j] == self.color:
                    total += WEIGHTS[i][j]
                elif board[i][j] == self.opponent:
                    total -= WEIGHTS[i][j]
        return total


if __name__ == "__main__":
    Game(AIPlayer("X"), AIPlayer("O")).run()
