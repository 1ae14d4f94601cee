"""Puzzles, "find the best move": positions that were solved to the end, with what each move is worth.

`puzzle.py` reads the bundled sets and judges, `making.py` makes a set: ``python -m plyground.course.puzzles.making``.
"""
