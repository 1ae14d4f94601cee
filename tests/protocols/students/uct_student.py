import math
import random
import time


class Node:
    def __init__(self, parent, action, color, untried):
        self.parent, self.action, self.color = parent, action, color
        self.untried = untried
        self.children = []
        self.visits, self.wins = 0, 0.0

    def ucb(self, c):
        return self.wins / self.visits + c * math.sqrt(2 * math.log(self.parent.visits) / self.visits)


def other(color):
    return "O" if color == "X" else "X"


class AIPlayer:
    """UCT that plays every simulation on the board itself, and takes all moves back."""

    simulations = 6

    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        root = Node(None, None, self.color, list(board.get_legal_actions(self.color)))
        deadline = time.time() + 50
        for _ in range(self.simulations):
            made = []
            node = root
            while not node.untried and node.children:
                node = max(node.children, key=lambda child: child.ucb(0.7))
                self.play(board, node.action, other(node.color), made)
            if node.untried:
                action = node.untried.pop(random.randrange(len(node.untried)))
                self.play(board, action, node.color, made)
                turn = other(node.color)
                child = Node(node, action, turn, list(board.get_legal_actions(turn)))
                node.children.append(child)
                node = child
            self.update(node, self.playout(board, node.color, made))
            for action, flipped, color in reversed(made):
                board.backpropagation(action, flipped, color)
            if time.time() > deadline:
                break
        return max(root.children, key=lambda child: child.visits).action

    def play(self, board, action, color, made):
        flipped = board._move(action, color)
        assert flipped
        made.append((action, flipped, color))

    def playout(self, board, color, made):
        stuck = 0
        while stuck < 2:
            actions = list(board.get_legal_actions(color))
            if actions:
                stuck = 0
                self.play(board, random.choice(actions), color, made)
            else:
                stuck += 1
            color = other(color)
        winner, _ = board.get_winner()
        return winner

    def update(self, node, winner):
        while node is not None:
            node.visits += 1
            if winner == 2:
                node.wins += 0.5
            elif "XO"[winner] != node.color:
                node.wins += 1
            node = node.parent
