"""Attacks on everything that strangers can reach, run again to see what survives them."""
