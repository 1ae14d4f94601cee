"""Engines that are specialised in one game: a folder for each game."""
