"""Who is there: which visitors have the page of a game open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from plyground.web.server.sockets import Audience, Outlet

__all__ = ["Presence"]


class Presence:
    """The visitors behind an audience. Whoever goes is there for `patience` seconds more: a page is loaded again.

    `on_change` is called with whoever has come or gone.
    """

    def __init__(self, audience: Audience, patience: float, on_change: Callable[[str], None]) -> None:
        self._audience, self._patience, self._on_change = audience, patience, on_change
        self._there: set[str] = set()
        self._going: dict[str, asyncio.TimerHandle] = {}

    def of(self, visitor: str) -> bool:
        """Whether a visitor is there."""
        return visitor in self._there

    def came(self, outlet: Outlet) -> None:
        """A browser is in the audience from now on."""
        if (going := self._going.pop(outlet.visitor, None)) is not None:
            going.cancel()
        if outlet.visitor not in self._there:
            self._there.add(outlet.visitor)
            self._on_change(outlet.visitor)

    def went(self, outlet: Outlet) -> None:
        """A browser is not in the audience any more; its visitor may have another one."""
        visitor = outlet.visitor
        if any(other.visitor == visitor for other in self._audience) or visitor in self._going:
            return
        self._going[visitor] = asyncio.get_running_loop().call_later(self._patience, self._gone, visitor)

    def _gone(self, visitor: str) -> None:
        del self._going[visitor]
        self._there.discard(visitor)
        self._on_change(visitor)

    def close(self) -> None:
        """Nobody is waited for any more."""
        for going in self._going.values():
            going.cancel()
        self._going.clear()
