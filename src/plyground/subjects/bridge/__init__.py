"""Bridge: the double-dummy solver, and deals that show what it leads to when cards are hidden."""
