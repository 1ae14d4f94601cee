"""What Python does with tuples and Numba by itself does not."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.cpython.unsafe.tuple import tuple_setitem

__all__ = ["item_replaced"]


def item_replaced(items: Any, index: Any, value: Any) -> Any:
    """For `native`: what makes a tuple with one item replaced, of a tuple whose items are all of one type."""
    if isinstance(items, types.UniTuple):
        return lambda items, index, value: tuple_setitem(items, index, value)
    return None
