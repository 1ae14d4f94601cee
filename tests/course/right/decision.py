"""Minimax whose root only chooses a move, and whose leaves are never called."""


class Player:
    def __init__(self):
        self.seen = 0

    def minimax_decision(self, state, game):
        best = max if game.to_move(state) == game.players[0] else min
        return best(game.actions(state), key=lambda action: self.value(game.result(state, action), game))

    def value(self, state, game):
        self.seen += 1
        if game.is_terminal(state):
            return game.utility(state)
        values = []
        for action in game.actions(state):
            child = game.result(state, action)
            values.append(game.utility(child) if game.is_terminal(child) else self.value(child, game))
        return max(values) if game.to_move(state) == game.players[0] else min(values)
