"""A cake as it is cut, step by step."""

from __future__ import annotations

from plyground.pictures.filmstrip import Fact, Frame
from plyground.subjects.cake.division import Division
from plyground.subjects.cake.pictures import cake_svg
from plyground.subjects.cake.words import division_caption, division_sections, step_text

__all__ = ["division_film"]


def division_film(division: Division, *, narrow: bool = False, lang: str = "en") -> list[Frame]:
    """The cake before, and after each thing that happened; at the end whether it is fair."""
    sections = division_sections(division, lang)
    frames = [Frame(cake_svg(division, steps=0, narrow=narrow, lang=lang), division_caption(division, lang))]
    for number, step in enumerate(division.steps, 1):
        done = number == len(division.steps)
        facts: list[Fact] = [(sections[0].title, sections[0].lines[:number]), *(sections[1:] if done else ())]
        frames.append(
            Frame(cake_svg(division, steps=number, narrow=narrow, lang=lang), step_text(division, step, lang), facts)
        )
    return frames
