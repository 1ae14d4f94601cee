"""Negamax on one board that forgets to take back a move after a cut-off loop."""

BIG = 10**6


def negamax(state, depth, alpha, beta, game):
    mover = game.to_move(state)
    if depth == 0 or game.is_terminal(state):
        return game.evaluate(state, mover)
    best = -BIG
    for action in reversed(game.actions(state)):
        state.play(action)
        score = -negamax(state, depth - 1, -beta, -max(alpha, best), game)
        if score > best:
            state.undo()
            best = score
            if best >= beta:
                break
    return best
