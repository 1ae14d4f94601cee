"""Connect Four solved: what knows the game by heart."""
