"""Alpha-beta that takes the smallest value at the root, where MAX moves."""

from math import inf


def search(state, depth, alpha, beta, maximizing, game):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    if maximizing:
        best = -inf
        for action in game.actions(state):
            value = search(game.result(state, action), depth - 1, alpha, beta, False, game)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    else:
        best = inf
        for action in game.actions(state):
            value = search(game.result(state, action), depth - 1, alpha, beta, True, game)
            best = min(best, value)
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best


def alphabeta(state, depth, game):
    best, chosen = inf, None
    for action in game.actions(state):
        value = search(game.result(state, action), depth - 1, -inf, inf, False, game)
        if value < best:
            best, chosen = value, action
    return best, chosen
