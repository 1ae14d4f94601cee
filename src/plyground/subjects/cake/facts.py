"""A division for programs: plain values that JSON can hold. Fractions are texts such as "1/3", never rounded."""

from __future__ import annotations

from typing import Any

from plyground.subjects.cake.division import Division

__all__ = ["division_facts"]


def division_facts(division: Division) -> dict[str, Any]:
    """Who has which pieces of the cake, what they are worth to everybody, and whether that is fair."""
    return {
        "method": division.method,
        "people": [person.name for person in division.people],
        "shares": [[[str(left), str(right)] for left, right in share] for share in division.shares],
        "worths": [[str(worth) for worth in row] for row in division.worths],
        "proportional": division.proportional,
        "envy_free": division.envy_free,
        "envy": [list(pair) for pair in division.envy],
        "steps": [
            {
                "person": step.person,
                "what": step.what,
                "place": None if step.place is None else str(step.place),
                "value": None if step.value is None else str(step.value),
                "takes": [[str(left), str(right)] for left, right in step.takes],
            }
            for step in division.steps
        ],
    }
