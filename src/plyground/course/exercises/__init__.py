"""Exercises of the course: made from a number, asked in two languages, judged item by item with the reason.

A kind of exercise is one module and one line in `kinds.py`.
"""
