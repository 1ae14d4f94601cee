"""The chess engine."""
