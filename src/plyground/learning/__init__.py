"""Learning to play: networks, self-play, AlphaGo and AlphaGo Zero, temporal differences."""
