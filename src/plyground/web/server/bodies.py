"""What the bodies of requests are made of: texts and numbers with bounds."""

from __future__ import annotations

import secrets
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = ["Body", "Language", "Line", "Number", "Seed", "Seeded", "Spec", "Text", "writable"]

LARGEST = 2**53


def writable(text: str) -> str:
    """The text itself, if it can be written: halves of surrogate pairs cannot."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("the text has characters that cannot be written") from None
    return text


Spec = Annotated[str, Field(max_length=300), AfterValidator(writable)]
"""Such as ``mcts:time=1``."""
Text = Annotated[str, Field(max_length=500_000), AfterValidator(writable)]
"""Whatever somebody has pasted."""
Number = Annotated[int, Field(ge=-LARGEST, le=LARGEST)]
Seed = Annotated[int, Field(ge=0, lt=LARGEST)]
Language = Literal["en", "zh"]


class Body(BaseModel):
    """What a request says; unknown fields are refused, so that a misspelt one is noticed."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Line(Body):
    """A line of moves from the beginning of a game, or from a board."""

    game: Spec = "reversi"
    moves: Text = ""
    board: Text = ""


class Seeded(Body):
    """What depends on a seed, and gets one if none is given."""

    seed: Seed | None = None

    def seeded(self) -> dict[str, Any]:
        """All of it, with its seed."""
        return {**self.model_dump(), "seed": secrets.randbelow(1_000_000) if self.seed is None else self.seed}
