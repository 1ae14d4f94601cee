"""The Wumpus world: caves, agents, what they know, pictures and statistics."""
