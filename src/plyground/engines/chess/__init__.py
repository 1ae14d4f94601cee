"""The chess engine: what knows chess by heart."""
