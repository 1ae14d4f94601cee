"""Minimax, as it should be: it makes its moves on the board itself, and takes them back."""

from math import inf


def minimax(state, depth, maximizing, game):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    best = -inf if maximizing else inf
    for action in game.actions(state):
        state.play(action)
        value = minimax(state, depth - 1, not maximizing, game)
        state.undo()
        best = max(best, value) if maximizing else min(best, value)
    return best
