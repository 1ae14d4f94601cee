"""What knows one game by heart: a folder for each game."""
