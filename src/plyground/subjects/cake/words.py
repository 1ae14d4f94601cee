"""How a cake was divided and whether that is fair, in English and in Chinese."""

from __future__ import annotations

from fractions import Fraction

from plyground.subjects.cake.division import CakeStep, Division, Pieces, best_cut_knowing
from plyground.subjects.matrix.matrix_game import number_text
from plyground.subjects.matrix.words import Section, Speech

__all__ = ["division_sections", "step_text"]


def pieces_text(pieces: Pieces, say: Speech) -> str:
    """Stretches of cake."""
    texts = [f"[{number_text(left)}, {number_text(right)}]" for left, right in pieces if right > left]
    return " + ".join(texts) or say("nothing")


def division_sections(division: Division, lang: str = "en") -> list[Section]:
    """How a cake was divided, and whether that is fair, for people."""
    say = Speech(lang)
    people = division.people
    steps = tuple(step_text(division, step, lang) for step in division.steps)
    fair = number_text(Fraction(1, len(people)))
    worths = division.worths
    short = [people[own].name for own, row in enumerate(worths) if row[own] < Fraction(1, len(people))]
    lines = [say("not-proportional", who=say.join(short), fair=fair) if short else say("proportional", fair=fair)]
    lines += [
        say(
            "envy",
            who=people[own].name,
            other=people[other].name,
            theirs=number_text(worths[own][other]),
            own=number_text(worths[own][own]),
        )
        for own, other in division.envy
    ] or [say("envy-free")]
    if division.method == "cut-and-choose":
        place, value = best_cut_knowing(*people)
        lines.append(say("knowing", place=number_text(place), value=number_text(value)))
    return [Section(say("steps"), steps), Section(say("fair"), tuple(lines))]


def step_text(division: Division, step: CakeStep, lang: str = "en") -> str:
    """One thing that happened."""
    say = Speech(lang)
    key = "cuts-plain" if step.what == "cuts" and division.method == "selfridge-conway" else step.what
    return say(
        key,
        who=division.people[step.person].name,
        place="" if step.place is None else number_text(step.place),
        value="" if step.value is None else number_text(step.value),
        pieces=pieces_text(step.takes, say),
    )
