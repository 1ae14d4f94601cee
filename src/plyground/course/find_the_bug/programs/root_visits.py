"""UCT whose bound has the visits of the root under the logarithm, not those of the parent."""

from math import log, sqrt


class Node:
    def __init__(self, state, parent=None, action=None):
        self.state = state
        self.parent = parent
        self.action = action
        self.children = []
        self.N = 0
        self.Q = 0


def uct(state, simulations, game, rng, c=1.0):
    root = Node(state)
    for _ in range(simulations):
        node = tree_policy(root, game, rng, c)
        end = default_policy(node.state, game, rng)
        backup(node, end, game)
    return max(root.children, key=lambda child: child.N).action


def tree_policy(root, game, rng, c):
    node = root
    while not game.is_terminal(node.state):
        tried = [child.action for child in node.children]
        untried = [action for action in game.actions(node.state) if action not in tried]
        if untried:
            return expand(node, untried, game, rng)
        node = best_child(node, root, c)
    return node


def expand(node, untried, game, rng):
    action = rng.choice(untried)
    child = Node(game.result(node.state, action), node, action)
    node.children.append(child)
    return child


def best_child(node, root, c):
    return max(node.children, key=lambda child: child.Q / child.N + c * sqrt(2 * log(root.N) / child.N))


def default_policy(state, game, rng):
    while not game.is_terminal(state):
        state = game.result(state, rng.choice(game.actions(state)))
    return state


def backup(node, end, game):
    while node is not None:
        mover = game.to_move((node.parent or node).state)
        node.N += 1
        node.Q += game.utility(end, mover)
        node = node.parent
