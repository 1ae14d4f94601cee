"""AlphaGo as it was in 2016, for Reversi: policies from people and from winning, a value network, fast rollouts."""
