"""Specialised in bridge: the double-dummy solver."""
