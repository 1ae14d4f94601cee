"""Where players meet: the referee, and later matches, tournaments and ratings."""
