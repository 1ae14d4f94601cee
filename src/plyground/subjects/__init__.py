"""One room for each subject that is not a board game for two, or more than a game: model, pictures, words."""
