"""Every example in a docstring is true; the modules are the installed ones."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import plyground

MODULES = [
    module.name for module in pkgutil.walk_packages(plyground.__path__, "plyground.") if "__main__" not in module.name
]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings(name):
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_there_are_examples():
    found = [doctest.DocTestFinder().find(importlib.import_module(name)) for name in MODULES]
    assert sum(len(test.examples) for tests in found for test in tests) > 5
