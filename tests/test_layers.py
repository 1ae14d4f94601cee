"""Down only: a package imports packages below it, also inside functions and by the strings of a registry."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import plyground

ORDER = (
    ("signals", "visible_text"),
    ("errors", "version"),
    ("native",),
    ("core",),
    ("processes",),
    ("pictures",),
    ("games",),
    ("formats",),
    ("search",),
    ("learning",),
    ("engines",),
    ("players",),
    ("watch",),
    ("protocols",),
    ("arena",),
    ("subjects",),
    ("course",),
    ("web",),
    ("cli",),
    ("rooms",),
    ("plyground",),
    ("__main__",),
)
"""From the ground up; `rooms` and the front door see everything, and nobody below sees them."""
HEIGHT = {name: height for height, names in enumerate(ORDER) for name in names}
ROOT = Path(plyground.__file__).parent
MODULE = re.compile(r"plyground(?:\.\w+)+(?::\w+)?")


def part_of(module: str) -> str:
    """The package at the second place of a module's name; the front door for the package itself."""
    return module.split(".")[1] if "." in module else "plyground"


def modules() -> Iterator[tuple[str, Path]]:
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Every module of ours that a source names in an import, wherever it stands, or in a text of its own."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are written out whole"
            # from plyground import x: a package below, or a name of the front door
            names = [f"plyground.{alias.name}" if f"{alias.name}" in HEIGHT else "plyground" for alias in node.names]
            names = names if node.module == "plyground" else [str(node.module)]
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE.fullmatch(node.value):
            names = [node.value.partition(":")[0]]
        else:
            continue
        for name in names:
            if name.partition(".")[0] == "plyground":
                yield node.lineno, name


def upward(module: str, source: str) -> list[str]:
    """The imports of a module that point up, or that name no package of the house."""
    own = part_of(module)
    return [
        f"{module}, line {line}: {own} is below {part_of(name)} and must not import {name}"
        for line, name in imported(source)
        if HEIGHT.get(part_of(name), len(ORDER)) > HEIGHT[own]
        or (part_of(name) != own and part_of(name) in _floor(own))
    ]


def _floor(own: str) -> tuple[str, ...]:
    return ORDER[HEIGHT[own]]


def test_every_package_has_its_place() -> None:
    assert {part_of(module) for module, _ in modules()} <= set(HEIGHT)


def test_imports_point_down() -> None:
    found = [fault for module, path in modules() for fault in upward(module, path.read_text(encoding="utf-8"))]
    assert not found, "\n" + "\n".join(found)


def test_an_upward_import_is_found_wherever_it_stands() -> None:
    for source in (
        "from plyground.web.server import app",
        "import plyground.cli.main",
        "from plyground import make_game",
        "def f():\n    from plyground.arena import referee",
        'GAMES.add("x", "plyground.subjects.x:x")',
    ):
        assert upward("plyground.games.nim", source), source
    assert not upward("plyground.games.nim", "from plyground.core.game import Game\nimport numpy")
