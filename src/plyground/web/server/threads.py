"""Work beside the event loop, in threads: small pieces that a game waits for, and larger ones that none waits for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

__all__ = ["aside", "off_loop"]

T = TypeVar("T")
_larger = ThreadPoolExecutor(2, "aside")


async def off_loop(work: Callable[..., T], *arguments: Any) -> T:
    """Do something small, such as a move by the rules."""
    return await asyncio.to_thread(work, *arguments)


async def aside(work: Callable[..., T], *arguments: Any) -> T:
    """Do something that may take a second, such as reading a file of games; of these only two at once."""
    return await asyncio.get_running_loop().run_in_executor(_larger, work, *arguments)
