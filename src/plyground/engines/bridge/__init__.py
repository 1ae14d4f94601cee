"""Bridge by heart: the double-dummy solver."""
