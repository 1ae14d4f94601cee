"""A machine without a browser: the tests of pages are skipped, and one line says so."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent


@pytest.mark.parametrize(("ci", "status"), [pytest.param("", 0, marks=pytest.mark.slow), ("1", 1)])
def test_without_a_browser_the_tests_of_pages_are_skipped_which_fails_on_ci(ci, status, tmp_path):
    bare = os.environ | {"PATH": str(tmp_path), "PLAYWRIGHT_BROWSERS_PATH": str(tmp_path), "CI": ci}
    command = [sys.executable, "-m", "pytest", "-n0", "-p", "no:cacheprovider", "tests/pictures/test_filmstrip.py"]
    done = subprocess.run(command, env=bare, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout
    assert "4 tests of pages were skipped, since no browser was found: ./test installs one" in done.stdout
