"""Options that several commands of ``plyground train`` have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

__all__ = [
    "DeviceOption", "FolderOption", "GamesSeedOption", "IterationsOption", "MinutesOption", "PositionsSeedOption",
    "RunSeedOption", "SizeOption", "told",
]  # fmt: skip

FolderOption = Annotated[Path, typer.Option(help="The run's folder; goes on with what is in it.")]
MinutesOption = Annotated[float | None, typer.Option(help="Stop after this many minutes of work, all starts together.")]
IterationsOption = Annotated[int | None, typer.Option(help="Stop after this many iterations in all.", min=1)]
SizeOption = Annotated[
    str | None, typer.Option(help="tiny, small, medium, large, huge, or blocks x channels such as 6x128.")
]
DeviceOption = Annotated[str, typer.Option(help="cpu, cuda, cuda:1 ...; auto takes a GPU if there is one.")]
RunSeedOption = Annotated[int, typer.Option(help="Another seed, another run.", min=0)]
GamesSeedOption = Annotated[int, typer.Option(help="Another seed, other games.", min=0)]
PositionsSeedOption = Annotated[int, typer.Option(help="Another seed, other positions.", min=0)]


def told(**options: Any) -> dict[str, Any]:
    """The options that were given; the others stay as they suit the device."""
    return {name: value for name, value in options.items() if value is not None}
