"""Where players meet: the referee, matches and tournaments, ratings, and the games database."""
