"""The commands ``plyground course ...``: each is a function in a file of its own, ``course_NAME.py``."""

from __future__ import annotations

import typer

from plyground.cli.course_check import check_command
from plyground.cli.course_compare import compare_command
from plyground.cli.course_exercises import exercises_command
from plyground.cli.course_grade import grade_command
from plyground.cli.course_init import init_command

__all__ = ["course_app"]

course_app = typer.Typer(
    help="For students and teachers of a course on adversarial search: exercises, hand-ins and their grading.",
    rich_markup_mode="rich",
    no_args_is_help=True,
)


@course_app.callback()
def _course() -> None:
    """For students and teachers of a course on adversarial search: exercises, hand-ins and their grading."""


course_app.command("init")(init_command)
course_app.command("grade")(grade_command)
course_app.command("compare")(compare_command)
course_app.command("exercises")(exercises_command)
course_app.command("check")(check_command)
