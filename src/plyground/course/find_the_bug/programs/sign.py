"""Negamax that forgets to change the sign of what comes back."""

from math import inf


def negamax(state, depth, alpha, beta, color, game):
    if game.is_terminal(state):
        return color * game.utility(state)
    if depth == 0:
        return color * game.evaluate(state)
    best = -inf
    for action in game.actions(state):
        value = negamax(game.result(state, action), depth - 1, -beta, -alpha, -color, game)
        best = max(best, value)
        alpha = max(alpha, best)
        if alpha >= beta:
            break
    return best
