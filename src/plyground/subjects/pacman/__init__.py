"""Pac-Man beyond its rules: players, films, many games, and what is learned from them."""
