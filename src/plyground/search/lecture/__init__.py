"""Searches as a lecture writes them down: short, without enhancements, and the same node for node as the tuned ones."""
