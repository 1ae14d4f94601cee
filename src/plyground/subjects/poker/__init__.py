"""Poker solved by regrets: how CFR comes nearer to an equilibrium."""
