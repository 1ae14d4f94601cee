"""Alpha-beta for a game like Reversi that takes a player who must pass for the end of the game."""

from math import inf


def alphabeta(state, depth, alpha, beta, maximizing, game):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    moves = [action for action in game.actions(state) if action != "pass"]
    if not moves:
        return game.evaluate(state)
    if maximizing:
        best = -inf
        for action in moves:
            value = alphabeta(game.result(state, action), depth - 1, alpha, beta, False, game)
            best = max(best, value)
            alpha = max(alpha, best)
            if alpha >= beta:
                break
    else:
        best = inf
        for action in moves:
            value = alphabeta(game.result(state, action), depth - 1, alpha, beta, True, game)
            best = min(best, value)
            beta = min(beta, best)
            if beta <= alpha:
                break
    return best
