"""The command ``plyground docs``: the documentation in the browser, from the disk."""

from __future__ import annotations

import contextlib
import webbrowser
from typing import Annotated

import typer

from plyground.cli.web import has_browser
from plyground.web.docs import page_file

__all__ = ["docs_command"]


def docs_command(
    page: Annotated[str, typer.Argument(help="A page, such as mcts or engine/book; the first if not given.")] = "index",
    language: Annotated[str, typer.Option(help="Language of the page: en or zh.")] = "en",
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print where the page is, and no more.")] = False,
) -> None:
    """Open the documentation in the browser, from the disk: nothing is served and nothing fetched.

    Example: plyground docs alphabeta --language zh
    """
    file = page_file(page, language)
    typer.echo(file)
    if not no_browser and has_browser():
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(file.as_uri())
