"""UCT whose backup forgets the sign."""

import math


class Node:
    __slots__ = ("N", "Q", "action", "children", "parent", "state", "untried")

    def __init__(self, state, parent, action, game):
        self.state, self.parent, self.action = state, parent, action
        self.children, self.untried = [], game.actions(state)
        self.N = self.Q = 0


def UCTSEARCH(s0, budget, game, rng, cp=0.7):
    v0 = Node(s0, None, None, game)
    for _ in range(budget):
        vl = TREEPOLICY(v0, game, rng, cp)
        BACKUPNEGAMAX(vl, DEFAULTPOLICY(vl.state, game, rng))
    return BESTCHILD(v0, 0).action


def TREEPOLICY(v, game, rng, cp):
    while not game.is_terminal(v.state):
        if v.untried:
            return EXPAND(v, game, rng)
        v = BESTCHILD(v, cp)
    return v


def EXPAND(v, game, rng):
    action = v.untried.pop(rng.randrange(len(v.untried)))
    child = Node(game.result(v.state, action), v, action, game)
    v.children.append(child)
    return child


def BESTCHILD(v, c):
    return max(v.children, key=lambda child: child.Q / child.N + c * math.sqrt(2 * math.log(v.N) / child.N))


def DEFAULTPOLICY(s, game, rng):
    """The reward to whoever moved to the state."""
    start = s
    while not game.is_terminal(s):
        s = game.result(s, rng.choice(game.actions(s)))
    other = game.to_move(start)
    return -game.utility(s, other)


def BACKUPNEGAMAX(v, reward):
    while v is not None:
        v.N += 1
        v.Q += reward
        v = v.parent
