"""Backgammon by heart: networks that judge positions, what they learn from, bear-off tables, and search."""
