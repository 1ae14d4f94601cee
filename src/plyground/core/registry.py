"""Things made from a text such as ``minimax:depth=9,time=2``: a name, and options that a Python function declares.

A factory is an ordinary function whose parameters are the options. The annotation gives the type and one line of
help, ``depth: Annotated[int, "plies to look ahead"] = 4``; the first line of its docstring describes the whole. Options
that several factories share are declared once, as the fields of a dataclass: a parameter of that type stands for all.
A parameter that can be given by name only is no option: whoever makes the thing may know it, such as the game.
"""

from __future__ import annotations

import importlib
import inspect
import math
import types
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Annotated, Any, Generic, Literal, TypeVar, Union

from plyground.errors import BadOption, SpecError, UnknownName, suggestion

__all__ = ["ENGINES", "GAMES", "PLAYERS", "SOLVERS", "Option", "Registry", "split_spec"]

T = TypeVar("T")

_TRUE = {"on", "true", "yes", "1"}
_FALSE = {"off", "false", "no", "0"}


@dataclass(frozen=True)
class Option:
    """One option of a factory, for lists and help. `default` is None for "not set", and `required` has none."""

    name: str
    type: str
    default: Any
    help: str
    required: bool = False


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """The name and the options of a spec, still as texts.

    A comma begins a new option only where ``name=`` follows, so that values may hold commas:

    >>> split_spec("nim:piles=3,4,5,misere=on")
    ('nim', {'piles': '3,4,5', 'misere': 'on'})
    """
    name, colon, rest = spec.strip().partition(":")
    if not name:
        raise SpecError(f"'{spec}' names nothing; write name or name:option=value,option=value")
    options: dict[str, str] = {}
    last = None
    for part in rest.split(",") if colon else []:
        key, equals, value = part.partition("=")
        if equals and key.strip().replace("_", "").isalnum():
            last = key.strip()
            if last in options:
                raise SpecError(f"'{spec}' gives the option '{last}' twice")
            options[last] = value.strip()
        elif last is not None:
            options[last] += "," + part
        else:
            raise SpecError(f"'{part}' in '{spec}' is not option=value; write {name}:option=value,option=value")
    return name, options


class Registry(Generic[T]):
    """Factories by name. A factory may be given as "module:function", imported when it is first needed."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self._factories: dict[str, Callable[..., T] | str] = {}

    def add(self, name: str, factory: Callable[..., T] | str) -> None:
        """Register a factory under a name."""
        self._factories[name] = factory

    def __iter__(self) -> Iterator[str]:
        return iter(self._factories)

    def __contains__(self, name: object) -> bool:
        return name in self._factories

    def factory(self, name: str) -> Callable[..., T]:
        """The function that makes things of this name."""
        if name not in self._factories:
            raise UnknownName(f"there is no {self.kind} '{name}'" + suggestion(name, self._factories))
        found = self._factories[name]
        if isinstance(found, str):
            module, _, function = found.partition(":")
            found = typing.cast("Callable[..., T]", getattr(importlib.import_module(module), function))
            self._factories[name] = found
        return found

    def summary(self, name: str) -> str:
        """The first line of a factory's description."""
        return (inspect.getdoc(self.factory(name)) or "").partition("\n")[0]

    def options(self, name: str) -> list[Option]:
        """The options of a factory, in order."""
        return [
            Option(one.name, _type_name(one.kind), None if one.required else one.default, one.help, one.required)
            for one in _parameters(self.factory(name))
        ]

    def make(self, spec: str, **given: Any) -> T:
        """The thing that a spec describes. `given` fills what the factory asks for and the spec leaves open."""
        name, texts = split_spec(spec)
        factory = self.factory(name)
        parameters = {one.name: one for one in _parameters(factory)}
        signature = inspect.signature(factory).parameters
        known = {*parameters, *(one.name for one in signature.values() if one.kind is one.KEYWORD_ONLY)}
        values: dict[str, Any] = {key: value for key, value in given.items() if key in known}
        for key, value_text in texts.items():
            if key not in parameters:
                end = suggestion(key, parameters) if parameters else "; it has none"
                raise UnknownName(f"the {self.kind} '{name}' has no option '{key}'{end}")
            values[key] = _convert(value_text, parameters[key].kind, f"{name}: {key}")
        groups: dict[str, dict[str, Any]] = {}
        for key, one in parameters.items():
            if key not in values and one.required:
                kind = _type_name(one.kind)
                raise SpecError(f"the {self.kind} '{name}' needs the option '{key}' ({kind}); write {name}:{key}=...")
            if one.group and key in values:
                groups.setdefault(one.group, {})[key] = values.pop(key)
        shared = {group: replace(signature[group].default, **given) for group, given in groups.items()}
        return factory(**values, **shared)


GAMES: Registry[Any] = Registry("game")
PLAYERS: Registry[Any] = Registry("player")
SOLVERS: Registry[Any] = Registry("solver of endings")
ENGINES: Registry[Any] = Registry("engine")
"""What there is, by name. `plyground.rooms` fills them: a room below need not know the rooms above it."""


@dataclass(frozen=True)
class _Parameter:
    """An option as it is declared; `group` is the factory's parameter that has it as a field, "" for its own."""

    name: str
    kind: Any
    help: str
    default: Any
    group: str = ""

    @property
    def required(self) -> bool:
        return self.default is inspect.Parameter.empty


def _parameters(factory: Callable[..., Any]) -> Iterator[_Parameter]:
    """The options of a factory, in order."""
    hints = typing.get_type_hints(factory, include_extras=True)
    for parameter in inspect.signature(factory).parameters.values():
        if parameter.kind is parameter.KEYWORD_ONLY:
            continue
        hint = hints.get(parameter.name, str)
        if is_dataclass(hint):
            inner = typing.get_type_hints(hint, include_extras=True)
            for one in fields(hint):
                default = getattr(parameter.default, one.name)
                yield _Parameter(one.name, *_declared(inner[one.name]), default, parameter.name)
        else:
            yield _Parameter(parameter.name, *_declared(hint), parameter.default)


def _declared(hint: Any) -> tuple[Any, str]:
    """The type and the line of help in an annotation."""
    if typing.get_origin(hint) is Annotated:
        kind, help_text = typing.get_args(hint)[:2]
        return kind, help_text
    return hint, ""


def _union_members(kind: Any) -> list[Any]:
    if typing.get_origin(kind) in (Union, types.UnionType):
        return [member for member in typing.get_args(kind) if member is not type(None)]
    return [kind]


def _type_name(kind: Any) -> str:
    kind = _union_members(kind)[0]
    if typing.get_origin(kind) is Literal:
        return "|".join(map(str, typing.get_args(kind)))
    if typing.get_origin(kind) is tuple:
        return f"{_type_name(typing.get_args(kind)[0])},..."
    return {int: "integer", float: "number", bool: "on|off", str: "text"}.get(
        kind, getattr(kind, "__name__", str(kind))
    )


def _convert(value: str, kind: Any, where: str) -> Any:
    kind = _union_members(kind)[0]
    try:
        if typing.get_origin(kind) is tuple:
            return tuple(_convert(part.strip(), typing.get_args(kind)[0], where) for part in value.split(","))
        if typing.get_origin(kind) is Literal:
            if value in typing.get_args(kind):
                return value
            raise ValueError
        if kind is bool:
            if value.lower() in _TRUE | _FALSE:
                return value.lower() in _TRUE
            raise ValueError
        if kind in (int, float):
            number = kind(value)
            if not math.isfinite(number) or abs(number) > 2**62:
                raise ValueError
            return number
        return value
    except (ValueError, OverflowError):
        raise BadOption(f"{where} must be of the form {_type_name(kind)}, not '{value}'") from None
