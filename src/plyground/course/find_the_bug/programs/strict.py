"""Alpha-beta that goes on where a value equals the bound."""

from math import inf


def alphabeta(state, depth, alpha, beta, maximizing, game):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    if maximizing:
        best = -inf
        for action in game.actions(state):
            value = alphabeta(game.result(state, action), depth - 1, alpha, beta, False, game)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha > beta:
                break
    else:
        best = inf
        for action in game.actions(state):
            value = alphabeta(game.result(state, action), depth - 1, alpha, beta, True, game)
            best = min(best, value)
            beta = min(beta, best)
            if beta < alpha:
                break
    return best
