"""n queens: min-conflicts, its rivals, and pictures."""
