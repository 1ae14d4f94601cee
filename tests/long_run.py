"""What the plain run tries of a table, and what only the long run does, `pytest -m slow`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import pytest


def mostly_slow(rows: Iterable[Any] | Mapping[str, tuple[Any, ...]], *plain: Any) -> list[Any]:
    """The rows as `parametrize` takes them; the plain run has those whose name or first value is among `plain`."""
    named = rows.items() if isinstance(rows, Mapping) else ((None, row) for row in rows)
    made, met = [], set()
    for name, row in named:
        values = row if isinstance(row, tuple) else (row,)
        key = values[0] if name is None else name
        met.add(key)
        made.append(pytest.param(*values, id=name, marks=[] if key in plain else pytest.mark.slow))
    assert met.issuperset(plain), "a row that is not there is not tried"
    return made
