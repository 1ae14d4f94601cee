"""Checkpoints of a training run: one file, written in one step, that says whether it is whole."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import torch

from plyground.core.files import read_file, write_file
from plyground.errors import FormatError

__all__ = ["load_checkpoint", "save_checkpoint"]

MARK = b"plyground checkpoint 1\n"


def save_checkpoint(path: Path, contents: dict[str, Any]) -> None:
    """Write tensors, numbers and texts, whole or not at all."""
    room = io.BytesIO()
    torch.save(contents, room)
    data = room.getvalue()
    write_file(path, MARK + hashlib.sha256(data).digest() + data)


def load_checkpoint(path: Path) -> dict[str, Any]:
    """What a checkpoint holds; `FormatError` if the file is another one or is damaged."""
    data = read_file(path, "checkpoint")
    if not data.startswith(MARK):
        raise FormatError(f"{path} is not a checkpoint of Plyground; name the folder of a training run, or a new one")
    digest, rest = data[len(MARK) : len(MARK) + 32], data[len(MARK) + 32 :]
    if hashlib.sha256(rest).digest() != digest:
        raise FormatError(f"the checkpoint {path} is damaged; delete it to begin anew, or bring back an earlier copy")
    found: dict[str, Any] = torch.load(io.BytesIO(rest), map_location="cpu", weights_only=True)
    return found
