"""One-shot games: matrices of payoffs, equilibria, learning, and repeated play."""
