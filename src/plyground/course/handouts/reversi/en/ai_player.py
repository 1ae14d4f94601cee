"""Your player. Hand in this file."""

import random


class AIPlayer:
    """MiniAlphaGo for Reversi: finds its moves by Monte Carlo tree search."""

    def __init__(self, color):
        """`color` is "X" for black, who moves first, or "O" for white."""
        self.color = color

    def get_move(self, board):
        """Return a legal square such as "D3", within 60 seconds.

        `board` must be as it was when you return; search on a copy (copy.deepcopy), or undo with
        board.backpropagation. You are asked only when you can move.
        """
        legal = list(board.get_legal_actions(self.color))
        # TODO: replace this by your Monte Carlo tree search: select, expand, simulate, backpropagate.
        return random.choice(legal)
