"""Battleship: what is known of the enemy's fleet, where to shoot, and how many shots that takes."""
