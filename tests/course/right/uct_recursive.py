"""UCT that calls itself; a win counts 1, a draw 1/2, to whoever moves at a node; visits are counted going down."""

import math


class TreeNode:
    def __init__(self, position):
        self.position = position
        self.visits = 0
        self.wins = 0.0
        self.kids = {}


def mcts(state, iterations, game, rng):
    root = TreeNode(state)
    for _ in range(iterations):
        simulate(root, game, rng)
    return max(root.kids, key=lambda action: root.kids[action].visits)


def simulate(node, game, rng):
    """The result to whoever moves at the node."""
    node.visits += 1
    if game.is_terminal(node.position):
        result = points(game, node.position, game.to_move(node.position))
    elif len(node.kids) < len(game.actions(node.position)):
        action = next(action for action in game.actions(node.position) if action not in node.kids)
        child = node.kids[action] = TreeNode(game.result(node.position, action))
        child.visits += 1
        end = child.position
        while not game.is_terminal(end):
            end = game.result(end, rng.choice(game.actions(end)))
        child.wins += points(game, end, game.to_move(child.position))
        result = points(game, end, game.to_move(node.position))
    else:
        child = max(node.kids.values(), key=lambda kid: bound(node, kid))
        result = 1 - simulate(child, game, rng)
    node.wins += result
    return result


def bound(node, kid):
    return 1 - kid.wins / kid.visits + 0.8 * math.sqrt(math.log(node.visits) / kid.visits)


def points(game, end, player):
    return (game.utility(end, player) + 1) / 2
