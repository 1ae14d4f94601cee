"""The command ``plyground course exercises``: sheets of exercises for a class, with an answer key."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.console import JsonFlag, chosen_seed, print_json, progress_bar
from plyground.core.files import kind_of, read_text, write_file
from plyground.errors import BadOption
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.course.exercises.sheets import Sheet

__all__ = ["exercises_command"]

LONGEST_NAME = 100
MOST_NAMES = 1 << 20
"""Bytes of a file of names."""
CutsOption = Annotated[int | None, typer.Option(help="For alphabeta: exactly so many of these cuts.")]


def exercises_command(
    kind: Annotated[
        list[str] | None, typer.Option(help="A kind of exercise, see --list; may be given several times.")
    ] = None,
    students: Annotated[int | None, typer.Option(help="How many students; with --names as many as there are.")] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same sheets.", min=0)] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write, which must be new or empty.")] = None,
    count: Annotated[int, typer.Option(help="Exercises of each kind on a sheet.", min=1)] = 1,
    level: Annotated[int, typer.Option(help="How hard they are, from 1 to 5.")] = 3,
    names: Annotated[Path | None, typer.Option(help="A text file with the name of a student in each line.")] = None,
    depth: Annotated[int | None, typer.Option(help="For alphabeta: the depth of the trees.")] = None,
    branching: Annotated[int | None, typer.Option(help="For alphabeta: the most branches of a node.")] = None,
    alpha_cuts: CutsOption = None,
    beta_cuts: CutsOption = None,
    deep_cuts: CutsOption = None,
    lang: Annotated[str, typer.Option(help="Language: en or zh.")] = "en",
    listing: Annotated[bool, typer.Option("--list", help="List the kinds of exercises.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write sheets of exercises for a class, one variant a student, with an answer key and an index, to be printed.

    Example: plyground course exercises --kind alphabeta --students 40 --seed 7 --out sheets/
    """
    from plyground.course.exercises.kinds import KINDS, ask, make_exercise
    from plyground.pictures.player_words import check_language

    check_language(lang)
    if listing:
        rows = [{"kind": name, "title": ask(make_exercise(name), lang).title} for name in KINDS]
        if as_json:
            print_json(rows)
        else:
            for row in rows:
                typer.echo(f"{row['kind']:14} {row['title']}")
        return
    if out is None:
        raise BadOption("--out must name the folder for the sheets, such as --out sheets")
    if not kind:
        raise BadOption(f"--kind must be one of {', '.join(KINDS)}")
    _check_folder(out)
    called = _names(names) if names else []
    students = _students(students, called)
    wishes = {"depth": depth, "branching": branching, "alpha_cuts": alpha_cuts, "beta_cuts": beta_cuts}
    options = {name: value for name, value in {**wishes, "deep_cuts": deep_cuts}.items() if value is not None}
    seed = chosen_seed(seed)
    from plyground.course.exercises.sheets import answers_html, index_html, make_sheets, sheet_file, sheet_html

    sheets: list[Sheet] = []
    with progress_bar("making", "sheets", quiet=as_json) as show:
        for sheet in make_sheets(kind, students, seed, count=count, level=level, options=options, names=called):
            sheets.append(sheet)
            show(len(sheets), students)
    folder_made = not kind_of(out)
    with progress_bar("writing", "sheets", quiet=as_json) as show:
        if folder_made:
            _make_folder(out)
        for number, sheet in enumerate(sheets, 1):
            write_file(out / sheet_file(sheet), sheet_html(sheet, lang).encode())
            show(number, students)
        write_file(out / "answers.html", answers_html(sheets, lang, seed=seed).encode())
        write_file(out / "index.html", index_html(sheets, lang, seed=seed).encode())
    if as_json:
        print_json({"seed": seed, "folder": str(out), "index": "index.html", "answers": "answers.html",
                    "sheets": [_facts(sheet, sheet_file(sheet)) for sheet in sheets]})  # fmt: skip
    else:
        typer.echo(f"wrote {out / 'index.html'} ({students} sheets, and their answers in answers.html; seed {seed})")


def _facts(sheet: Sheet, file: str) -> dict[str, Any]:
    return {
        "student": sheet.student,
        "name": sheet.name,
        "file": file,
        "exercises": [
            {"kind": one.kind, "level": one.level, "number": one.number, "options": dict(one.options), "data": one.data}
            for one in sheet.exercises
        ],
    }


def _check_folder(out: Path) -> None:
    try:
        found = kind_of(out)
        empty = found == "a folder" and not any(out.iterdir())
    except (OSError, ValueError) as error:
        raise BadOption(f"--out {visible(str(out))[:80]}: {getattr(error, 'strerror', None) or error}") from None
    if found and not empty:
        what = "has files in it already" if found == "a folder" else f"is {found}"
        raise BadOption(f"--out must be a new or an empty folder; '{visible(str(out))}' {what}")


def _make_folder(out: Path) -> None:
    try:
        out.mkdir(parents=True)
    except (OSError, ValueError) as error:
        line = getattr(error, "strerror", None) or error
        raise BadOption(f"--out {visible(str(out))[:80]} cannot be made: {line}") from None


def _names(path: Path) -> list[str]:
    lines = read_text(path, "file of names", MOST_NAMES).splitlines()
    found = [" ".join(visible(line).split())[:LONGEST_NAME] for line in lines if line.strip()]
    if not found:
        raise BadOption(f"{path} has no names; it needs one in each line")
    return found


def _students(students: int | None, called: list[str]) -> int:
    if students is None and not called:
        raise BadOption("--students must say how many students there are, or --names who they are")
    if students is not None and called and students != len(called):
        raise BadOption(
            f"--students {students} does not go with --names, which has {len(called)}; leave one of them out"
        )
    return len(called) if students is None else students
