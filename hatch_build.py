"""Builds the pages of the documentation into the package, so that every installed Plyground has them.

Those that have games to begin with in the workshop of the app go along as they are written, too.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PLACE = "plyground/web/site"
EXAMPLES, EXAMPLE_PAGES = "plyground/web/lab/examples", ("tutorial.md", "workshop.md")


class Site(BuildHookInterface[Any]):
    """Runs MkDocs when a wheel is made. An editable install finds them in the source tree, where git ignores them."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            build_site(Path(self.root), Path(self.root, "src", PLACE))
            return
        self._folder = tempfile.TemporaryDirectory()
        build_site(Path(self.root), Path(self._folder.name))
        build_data["force_include"][self._folder.name] = PLACE
        for page in EXAMPLE_PAGES:
            build_data["force_include"][str(Path(self.root, "docs", page))] = f"{EXAMPLES}/{page}"

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if version != "editable":
            self._folder.cleanup()


def build_site(root: Path, folder: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(folder)]
    done = subprocess.run(
        command, cwd=root, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"the pages of the documentation cannot be built:\n{done.stdout}{done.stderr}")
