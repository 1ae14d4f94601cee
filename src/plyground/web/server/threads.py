"""Work beside the event loop, in threads: small pieces that a game waits for, and larger ones that none waits for.

What is to be done is a function, or the name of one in `plyground.web`, such as ``games.reading:export``, whose module
is imported there, when it is first needed: the server serves its first page before Numba is there.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

__all__ = ["aside", "find_task", "off_loop"]

T = TypeVar("T")
_larger = ThreadPoolExecutor(2, "aside")


def find_task(name: str) -> Any:
    """The function of a module in `plyground.web`, which is imported when it is first needed."""
    module, _, function = name.partition(":")
    return getattr(importlib.import_module(f"plyground.web.{module}"), function)


async def off_loop(work: Callable[..., T] | str, *arguments: Any, **named: Any) -> T:
    """Do something small, such as a move by the rules."""
    return await asyncio.to_thread(_do, work, *arguments, **named)


async def aside(work: Callable[..., T] | str, *arguments: Any, **named: Any) -> T:
    """Do something that may take a second, such as reading a file of games; of these only two at once."""
    return await asyncio.get_running_loop().run_in_executor(_larger, partial(_do, work, *arguments, **named))


def _do(work: Callable[..., T] | str, *arguments: Any, **named: Any) -> T:
    function: Callable[..., T] = find_task(work) if isinstance(work, str) else work
    return function(*arguments, **named)
