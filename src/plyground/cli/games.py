"""The command ``plyground games``."""

from __future__ import annotations

from typing import Any

from plyground.cli.console import JsonFlag, out, plain_table, print_json
from plyground.core.registry import Option, Registry

__all__ = ["games_command", "print_registry"]


def games_command(as_json: JsonFlag = False) -> None:
    """List the games with every option.

    Example: plyground games --json
    """
    from plyground.games import GAMES

    print_registry(GAMES, "Games", as_json)
    if not as_json:
        out.print("A tree file [bold]x.json[/] or a Python file [bold]x.py[/] is a game too.")


def print_registry(registry: Registry[Any], title: str, as_json: bool) -> None:
    if as_json:
        listing = [
            {
                "name": name,
                "summary": registry.summary(name),
                "options": [
                    {"name": o.name, "type": o.type, "default": o.default, "required": o.required, "help": o.help}
                    for o in registry.options(name)
                ],
            }
            for name in registry
        ]
        print_json(listing)
    else:
        _print_registry_table(registry, title)


def _print_registry_table(registry: Registry[Any], title: str) -> None:
    columns = "name / option", "type", "default", "what it is"
    table = plain_table(*columns, left=columns, whole=("name / option", "default"), title=title, title_justify="left")
    for name in registry:
        table.add_row(f"[bold cyan]{name}[/]", "", "", registry.summary(name))
        for option in registry.options(name):
            table.add_row(f"  {option.name}", option.type, _default_text(option), f"[dim]{option.help}[/]")
    out.print(table)


def _default_text(option: Option) -> str:
    if option.required:
        return "(required)"
    if isinstance(option.default, bool):
        return "on" if option.default else "off"
    if isinstance(option.default, tuple):
        return ",".join(map(str, option.default))
    return "" if option.default is None else str(option.default)
