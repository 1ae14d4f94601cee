"""The server of the app: who may talk to it, its sockets, the processes that search, and its settings."""
