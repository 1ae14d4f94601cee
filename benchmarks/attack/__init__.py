"""Attacks on the product, which it must survive; each module yields what it tried and how that ended."""
