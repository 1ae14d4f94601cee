"""A sample of human games: 1,600 of the WTHOR base, 100 of each year from 2010 to 2025, as WTHOR files.

For whoever wants to try what learns from people, or a database of games, before getting the whole base of the French
Othello Federation. `make` says by which rule the games were chosen, and makes the files anew.
"""

from __future__ import annotations

from pathlib import Path

__all__ = ["SAMPLE", "games_folder"]

SAMPLE = "sample"
"""What a command is given in place of a folder of games."""


def games_folder(where: str | Path) -> Path:
    """The folder that is meant: that of the bundled games for ``sample``, unless there is a folder of this name."""
    folder = Path(where)
    return Path(__file__).parent if str(folder) == SAMPLE and not folder.exists() else folder
