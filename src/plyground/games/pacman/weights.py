"""Weights of Pac-Man's features, in points, as ``plyground train pacman`` learns them with its defaults."""

LEARNED = (
    -19.197,  # food
    -3.296,  # food distance
    -69.719,  # danger
    30.393,  # beside
    44.043,  # prey
    5.294,  # capsule
)
