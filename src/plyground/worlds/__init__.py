"""Worlds that are searched online, puzzles, and what is played in a maze: one module each."""
