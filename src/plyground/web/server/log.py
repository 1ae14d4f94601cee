"""What the server says to whoever runs it: on the terminal, or in a file that is begun anew when it grows large.

Nobody outside can fill it: of the same complaint only a few are written each minute, then how many more there were.
"""

from __future__ import annotations

import logging
import logging.handlers
import sys
from pathlib import Path

from plyground.errors import BadOption

__all__ = ["Throttle", "open_log"]

LARGEST, KEPT = 1 << 20, 5
"""Bytes in a log file, and how many old ones are kept beside it, as FILE.1 to FILE.5."""
MOST_ALIKE, MINUTE = 5, 60.0
MOST_KINDS = 1000


class Throttle(logging.Filter):
    """Lets the first few records of a kind through in each minute; the next one says how many were left out."""

    def __init__(self) -> None:
        super().__init__()
        self._kinds: dict[tuple[str, str], tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        kind = (record.name, str(record.msg))
        begun, count = self._kinds.get(kind, (record.created, 0))
        if record.created - begun >= MINUTE:
            if count > MOST_ALIKE:
                record.msg, record.args = f"{record.getMessage()} (and {count - MOST_ALIKE} more like it)", ()
            begun, count = record.created, 0
        if kind not in self._kinds and len(self._kinds) >= MOST_KINDS:
            self._kinds.clear()
        self._kinds[kind] = (begun, count + 1)
        return count < MOST_ALIKE


def open_log(file: Path | None) -> None:
    """Write what is logged from now on to a file, or to the terminal if there is none."""
    handler: logging.Handler = logging.StreamHandler(sys.stderr)
    if file is not None:
        try:
            handler = logging.handlers.RotatingFileHandler(file, maxBytes=LARGEST, backupCount=KEPT, encoding="utf-8")
        except OSError as error:
            raise BadOption(f"--log: cannot write {file}: {error.strerror}; name another file") from None
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    handler.addFilter(Throttle())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("plyground.web").setLevel(logging.INFO if file is not None else logging.WARNING)
