"""Places of a picture that can be marked: the page makes them buttons, on paper they are empty."""

from __future__ import annotations

from plyground.pictures.lettering import escaped
from plyground.pictures.svg import px

__all__ = ["STYLE", "hot_spot"]

STYLE = "exercise.css"
"""How marks look; it is loaded beside the picture's own sheet."""


def hot_spot(key: str, label: str, x: float, y: float, width: float, height: float, *, marked: bool = False) -> str:
    """A rectangle that stands for an item by its key; `marked` is for the picture with the answers."""
    look = ' class="exercise-spot exercise-marked"' if marked else ' class="exercise-spot"'
    return (
        f'<rect data-item="{escaped(key)}" aria-label="{escaped(label)}"{look} x="{px(x)}" y="{px(y)}" '
        f'width="{px(width)}" height="{px(height)}" rx="4"/>'
    )
