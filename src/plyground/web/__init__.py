"""The app: a server with an API, and pages without a build step in `static`.

What is slow to import waits until it is needed: the first page is served before the games are there.
"""
