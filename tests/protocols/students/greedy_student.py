from copy import deepcopy

from board import Board


class AIPlayer:
    """Takes as many discs as it can."""

    def __init__(self, color):
        self.color = color
        assert Board().count("X") == 2

    def get_move(self, board):
        best_action, most = None, -1
        for action in board.get_legal_actions(self.color):
            trial = deepcopy(board)
            flipped = trial._move(action, self.color)
            if flipped and len(flipped) > most:
                best_action, most = action, len(flipped)
        return best_action
