"""Searches to watch: what a search did, event by event, told and drawn; and what it looks like while it runs."""
