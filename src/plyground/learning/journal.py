"""The figures of a training run, a line of JSON for each iteration, and their curves."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from plyground.core.files import write_file
from plyground.errors import FormatError
from plyground.pictures.plot import Panel, Series, plot_svg

__all__ = ["Journal", "curves_svg"]


class Journal:
    """The lines of a run, in a file. A line is written when its iteration is over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines: list[dict[str, Any]] = []

    def read(self) -> list[dict[str, Any]]:
        """The lines in the file, up to one that was cut off while it was written."""
        try:
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise FormatError(f"cannot read the journal {self.path}: {error}") from None
        found = []
        for line in text.splitlines():
            try:
                facts = json.loads(line)
            except ValueError:
                break
            if isinstance(facts, dict):
                found.append(facts)
        return found

    def resume(self, iteration: int) -> None:
        """Read what was written before, and forget what came after this iteration: it will be done again."""
        known = self.read() if self.path.exists() else []
        self.lines = [facts for facts in known if facts.get("iteration", iteration + 1) <= iteration]
        write_file(self.path, "".join(json.dumps(line) + "\n" for line in self.lines).encode())

    def add(self, facts: dict[str, Any]) -> None:
        """Write a line."""
        self.lines.append(facts)
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(facts) + "\n")


def curves_svg(lines: list[dict[str, Any]], title: str) -> str:
    """Losses and strength over the time of a run."""
    minutes = [line["seconds"] / 60 for line in lines]

    def series(name: str, label: str) -> Series:
        known = [
            (minute, line[name]) for minute, line in zip(minutes, lines, strict=True) if line.get(name) is not None
        ]
        return Series(label, [minute for minute, _ in known], [value for _, value in known])

    losses = Panel(
        [series("policy_loss", "policy"), series("policy_entropy", "its lower bound"), series("value_loss", "value")],
        title="Losses",
        x_label="minutes",
        y_label="cross-entropy, squared error",
    )
    speed = Panel(
        [series("evaluations_per_second", "network evaluations"), series("positions_per_second", "positions")],
        title="Speed of self-play",
        x_label="minutes",
        y_label="per second",
        y_log=True,
    )
    panels = [losses, speed]
    if any(line.get("elo") is not None for line in lines):
        strength = Panel([series("elo", "Elo")], title="Strength", x_label="minutes", y_label="Elo above the beginning")
        panels.insert(1, strength)
    return plot_svg(panels, title=title)
