"""UCT with means for the first player in the nodes, the path in a list, and all children made at once."""

from math import inf, log, sqrt


class Node:
    def __init__(self, parent, action):
        self.parent, self.action = parent, action
        self.children = []
        self.n, self.value = 0, 0.0


def uct_search(state, simulations, game, rng, exploration):
    root = Node(None, None)
    for _ in range(simulations):
        board, node, path = state.copy(), root, [root]
        while not game.is_terminal(board):
            if not node.children:
                node.children = [Node(node, action) for action in game.actions(board)]
                rng.shuffle(node.children)
            sign = 1 if game.to_move(board) == game.players[0] else -1
            node = max(node.children, key=lambda kid: ucb(node, kid, sign, exploration))
            board.play(node.action)
            path.append(node)
            if node.n == 0:
                break
        while not game.is_terminal(board):
            board.play(rng.choice(game.actions(board)))
        reward = game.utility(board)
        for one in reversed(path):
            one.n += 1
            one.value += (reward - one.value) / one.n
    return max(root.children, key=lambda kid: kid.n)


def ucb(node, kid, sign, exploration):
    if kid.n == 0:
        return inf
    return sign * kid.value + exploration * sqrt(2 * log(sum(one.n for one in node.children)) / kid.n)
