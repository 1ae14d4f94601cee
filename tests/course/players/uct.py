"""UCT as long as there is time, with a board in each node; a pass is no node."""

import math
import random
import time
from copy import deepcopy


def other(color):
    return "O" if color == "X" else "X"


class Node:
    def __init__(self, board, color, parent=None, action=None):
        self.board, self.parent, self.action = board, parent, action
        self.color = color if list(board.get_legal_actions(color)) else other(color)
        self.untried = list(board.get_legal_actions(self.color))
        random.shuffle(self.untried)
        self.children = []
        self.visits, self.wins = 0, 0.0


class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        root = Node(deepcopy(board), self.color)
        begun = time.time()
        while time.time() - begun < 50:
            node = self.select(root)
            winner = self.playout(deepcopy(node.board), node.color)
            self.backup(node, winner)
        return max(root.children, key=lambda child: child.visits).action

    def select(self, node):
        while node.untried or node.children:
            if node.untried:
                action = node.untried.pop()
                after = deepcopy(node.board)
                after._move(action, node.color)
                node.children.append(Node(after, other(node.color), node, action))
                return node.children[-1]
            parent = node
            node = max(
                node.children,
                key=lambda child: child.wins / child.visits + math.sqrt(2 * math.log(parent.visits) / child.visits),
            )
        return node

    def playout(self, board, color):
        while True:
            moves = list(board.get_legal_actions(color))
            if not moves:
                color = other(color)
                moves = list(board.get_legal_actions(color))
                if not moves:
                    return board.get_winner()[0]
            board._move(random.choice(moves), color)
            color = other(color)

    def backup(self, node, winner):
        while node is not None:
            node.visits += 1
            if node.parent is not None:
                mover = "XO".index(node.parent.color)
                node.wins += 0.5 if winner == 2 else float(winner == mover)
            node = node.parent
