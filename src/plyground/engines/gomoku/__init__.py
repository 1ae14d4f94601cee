"""The Gomoku engine: shapes on lines, kept up to date move by move; alpha-beta; proven wins by fours and threats."""
