"""Commands whose arguments may be boards: one that begins with empty squares, ``--X...``, is not an option."""

from __future__ import annotations

import re
from typing import Any

from typer.core import TyperCommand

__all__ = ["TakesBoards"]

LIKE_A_BOARD = re.compile(r"-[-.XxOoBbWw*\s]{15}")


class TakesBoards(TyperCommand):
    """A command that reads a word like a board as an argument."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, [f" {word}" if LIKE_A_BOARD.match(word) else word for word in args])
