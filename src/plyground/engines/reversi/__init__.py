"""The flagship: Reversi on bitboards."""
