"""The command ``plyground bench``."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Annotated

import typer

from plyground.cli.console import JsonFlag
from plyground.errors import MissingExtra

__all__ = ["bench_command"]


def bench_command(
    name: Annotated[str | None, typer.Argument(help="Which benchmark; without one they are listed.")] = None,
    repeats: Annotated[int, typer.Option(help="Interleaved repeats; the median counts.", min=1)] = 5,
    as_json: JsonFlag = False,
) -> None:
    """Measure speed against named peers in one run. Needs a clone of the repository, and is run from its root.

    Example: plyground bench perft
    """
    if not Path("benchmarks/__main__.py").is_file():
        raise MissingExtra(
            "the benchmarks are in the repository, not in the package; run this from the root of a clone"
        )
    sys.path.insert(0, str(Path.cwd()))
    importlib.import_module("benchmarks.__main__").run(name, repeats, as_json)
