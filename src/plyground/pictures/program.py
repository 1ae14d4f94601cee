"""The program beside a film: an algorithm as text, and which of its lines run at each step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from plyground.pictures.lettering import clean

__all__ = ["Form", "Program", "Ran", "program_data"]


@dataclass(frozen=True)
class Form:
    """One way to write the program: "pseudo", "negamax" or "python".

    `lines` have the number that stands beside them, "" for what is no line of it such as the name of a file, and their
    text. `names` are what the variables are called, in the order of `Ran.values`; "" for those that it does not have.
    """

    name: str
    lines: Sequence[tuple[str, str]]
    names: Sequence[str]


@dataclass(frozen=True)
class Program:
    """All forms of one algorithm, the usual one first. `note` says what the search does beyond the Python."""

    forms: Sequence[Form]
    note: str = ""


@dataclass(frozen=True)
class Ran:
    """What runs at a step. `lines` has for each form the places in `Form.lines`, in the order in which they run.

    The last of them is where the program stands when the step is over. `values` are those of the variables then.
    """

    lines: tuple[tuple[int, ...], ...]
    values: tuple[str, ...]


def program_data(program: Program, steps: Sequence[Ran | None]) -> dict[str, Any]:
    """The program for JSON: its `forms`; the `runs` that there are, each with the lines of every form; and for each
    step the number of its run and the values of the variables.
    """
    runs: dict[tuple[tuple[int, ...], ...], int] = {}
    nothing = Ran(((),) * len(program.forms), ())
    return {
        "forms": [
            {"name": form.name, "lines": list(map(list, form.lines)), "names": list(form.names)}
            for form in program.forms
        ],
        "note": clean(program.note),
        "steps": [
            [runs.setdefault(ran.lines, len(runs)), *map(clean, ran.values)] for ran in (at or nothing for at in steps)
        ],
        "runs": [[list(lines) for lines in run] for run in runs],
    }
