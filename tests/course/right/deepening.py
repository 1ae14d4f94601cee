"""Alpha-beta, deeper and deeper; the moves of a node are sorted by the evaluation first."""


def alphabeta(state, depth, game):
    value = 0
    for limit in range(1, min(depth, 5) + 1):
        value = search(state, limit, -9999, 9999, game)
    return value


def search(state, depth, alpha, beta, game):
    if game.is_terminal(state):
        return game.utility(state)
    if depth == 0:
        return game.evaluate(state)
    biggest = game.to_move(state) == game.players[0]
    children = [game.result(state, action) for action in game.actions(state)]
    children.sort(key=game.evaluate, reverse=biggest)
    best = None
    for child in children:
        value = search(child, depth - 1, alpha, beta, game)
        if biggest:
            best = value if best is None else max(best, value)
            alpha = max(alpha, best)
        else:
            best = value if best is None else min(best, value)
            beta = min(beta, best)
        if alpha >= beta:
            return best
    return best
