"""One-shot games: matrices of payoffs, equilibria, learning, repeated play, and the division of a cake."""
