"""The command ``plyground course check``: hand-ins of practice, judged again."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from plyground.arena.archive import text_cell
from plyground.cli.console import JsonFlag, print_json, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption, PlygroundError
from plyground.visible_text import visible

__all__ = ["check_command"]

COLUMNS = ("name", "file", "solved", "unaided", "hints", "exercises", "forged", "problem")


def check_command(
    folder: Annotated[Path, typer.Argument(help="The folder with the files that students have handed in.")],
    out: Annotated[Path | None, typer.Option(help="Write a table for a spreadsheet, such as practice.csv.")] = None,
    as_json: JsonFlag = False,
) -> None:
    """Judge what students have practised: each answer again, from the exercise's number; forged judgements are named.

    Example: plyground course check handins/ --out practice.csv
    """
    from plyground.course.exercises.handed_in import check_file
    from plyground.course.exercises.kinds import KINDS

    if not folder.is_dir():
        raise BadOption(f"{folder} is not a folder; give the one with the files that students have handed in")
    files = sorted(path for path in folder.iterdir() if path.suffix == ".json" and path.is_file())
    if not files:
        raise BadOption(f"there is no hand-in in {folder}; they are files that end in .json")
    rows = []
    with progress_bar("judging", "hand-ins", quiet=as_json) as show:
        for number, path in enumerate(files, 1):
            row: dict[str, object] = dict.fromkeys(COLUMNS, "") | {
                "file": visible(path.name),
                "kinds": {},
                "forged": [],
            }
            try:
                row |= asdict(check_file(path))
            except PlygroundError as error:
                row["problem"] = visible(str(error))
            rows.append(row)
            show(number, len(files))
    if out is not None:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([*COLUMNS, *KINDS])
        for row in rows:
            kinds = row["kinds"]
            assert isinstance(kinds, dict)
            cells = [*(_cell(row[name]) for name in COLUMNS), *(str(kinds.get(kind, "")) for kind in KINDS)]
            writer.writerow(map(text_cell, cells))
        write_file(out, text.getvalue().encode("utf-8-sig", "replace"))
    if as_json:
        print_json(rows)
        return
    for row in rows:
        if row["problem"]:
            typer.echo(f"{row['file']}: {row['problem']}")
            continue
        forged = row["forged"]
        assert isinstance(forged, list | tuple)
        told = f"; FORGED: {', '.join(forged)}" if forged else ""
        solved = f"{row['solved']} of {row['exercises']} solved, {row['unaided']} without hints"
        typer.echo(f"{row['file']}: {row['name']}: {solved}{told}")
    if out is not None:
        typer.echo(f"wrote {out}")


def _cell(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
