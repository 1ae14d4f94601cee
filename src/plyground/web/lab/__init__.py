"""The other pages of the app: a module for each subject."""
