"""Minimax that makes its moves on the board itself and does not take them back."""

from math import inf


def minimax(state, depth, maximizing, game):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    best = -inf if maximizing else inf
    for action in game.actions(state):
        child = state.play(action)
        value = minimax(child, depth - 1, not maximizing, game)
        best = max(best, value) if maximizing else min(best, value)
    return best
