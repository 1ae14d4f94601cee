"""What a worker reports on the way while it does a piece of work."""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from typing import Any

__all__ = ["Progress", "Send", "Sender"]

Send = Callable[[dict[str, Any]], None]


class Sender:
    """Sends the events of a piece of work; `wishes` is what the server has said of it since it began."""

    def __init__(self, send: Send, wishes: dict[str, Any]) -> None:
        self._send, self.wishes = send, wishes

    def __call__(self, event: dict[str, Any]) -> None:
        self._send(event)


class Progress:
    """Sends ``progress`` events, at most one in `pause` seconds, however often it is called."""

    def __init__(self, send: Send, pause: float = 0.1) -> None:
        self._send, self._pause, self._told = send, pause, 0.0

    def __call__(self, **facts: Any) -> None:
        if clock.monotonic() - self._told > self._pause:
            self._told = clock.monotonic()
            self._send({"event": "progress", **facts})
