"""What the bodies of requests are made of: texts and numbers with bounds."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

__all__ = ["Body", "Language", "Number", "Seed", "Spec", "Text"]

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
