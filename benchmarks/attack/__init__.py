"""Attacks that have been tried, to be tried again: ``python -m benchmarks.attack``."""
