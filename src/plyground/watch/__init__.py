"""Searches to watch: what a search did, event by event, in words and drawn; and what it looks like while it runs."""
