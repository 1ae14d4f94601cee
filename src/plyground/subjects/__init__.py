"""One room for each subject that is no board game for two, or more than a game: model, pictures, words."""
