"""Alpha-beta that never returns anything outside its window."""


def alphabeta(state, depth, alpha, beta, maximizing, game):
    if game.terminal_test(state) or depth == 0:
        return game.evaluate(state)
    for action in game.actions(state):
        value = alphabeta(game.result(state, action), depth - 1, alpha, beta, not maximizing, game)
        if maximizing:
            if value >= beta:
                return beta
            alpha = max(alpha, value)
        else:
            if value <= alpha:
                return alpha
            beta = min(beta, value)
    return alpha if maximizing else beta
