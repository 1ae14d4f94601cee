"""What a game is: its rules as contracts, axes, limits, the grid as a value, registries, recording, files."""
