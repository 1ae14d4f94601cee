"""The one mechanism: a rule is a generic function dispatched on the type of the state.

In plain Python ``result(state, action)`` looks up the implementation registered for ``type(state)`` and calls it.
Inside compiled code Numba picks the same implementation at compile time, so the call costs nothing. Whoever writes
a game sees neither: helper functions that a rule calls are compiled along with it, and a state's constructor
converts its arguments to the field types that the class declares.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import inspect
import traceback
import types as python_types
import typing
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

import numba
import numpy as np
from numba import types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target
from numba.core.typing.templates import AttributeTemplate, infer_getattr, make_callable_template
from numba.extending import models, register_model, typeof_impl

from plyground.errors import BrokenRule, GameError, MissingRule, PlygroundError
from plyground.native.overloads import CALLEE_OPTIONS, native

__all__ = ["Rule", "coerced", "is_state", "optional", "required"]

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])

ALL_RULES: list[Rule[Any, Any]] = []
_STATE_TYPES: dict[type, tuple[Callable[[Any], Any], ...]] = {}
"""Each state type with one converter a field, which makes the value of exactly the declared type."""


class Rule(Generic[P, R]):
    """A generic function of a game state. Use it as a function; add a game with ``@name.rule(StateType)``."""

    def __init__(self, function: Callable[P, R], *, has_default: bool, compiles: bool) -> None:
        functools.update_wrapper(self, function)
        self.name = function.__name__
        self.default: Any = function if has_default else None
        self.compiles = compiles
        self.implementations: dict[type, Callable[..., Any]] = {}
        ALL_RULES.append(self)
        if compiles:
            # Numba finds the implementation through this: it is asked with the arguments' types.
            # A rule that writes into a buffer is the one that could write beyond it.
            writes = "out" in inspect.signature(function).parameters
            native(self, boundscheck=writes)(self._typed)

    def rule(self, *state_types: type) -> Callable[[F], F]:
        """Register the decorated function as this rule for the given state types."""

        def register(function: F) -> F:
            wanted = len(inspect.signature(self).parameters)
            given = len(inspect.signature(function).parameters)
            if given != wanted:
                raise GameError(f"the rule {self.name} takes {wanted} arguments {_parameters(self)}, not {given}")
            for state_type in state_types:
                _adopt(state_type)
                self.implementations[state_type] = function
            return function

        return register

    def implementation(self, state_type: type) -> Callable[..., Any]:
        """The function that serves states of this type: the registered one, or the default."""
        found: Callable[..., Any] | None = self.implementations.get(state_type, self.default)
        if found is None:
            raise MissingRule(
                f"{state_type.__name__} has no rule {self.name}; "
                f"write one: @{self.name}.rule({state_type.__name__}) def _{_parameters(self)}"
            )
        return found

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        state_type = type(args[0])
        try:
            return self.implementation(state_type)(*args, **kwargs)  # type: ignore[no-any-return]
        except PlygroundError:
            raise
        except Exception as error:
            hint = "; if there are many actions, register a larger max_actions" if self.name == "legal_actions" else ""
            place = traceback.extract_tb(error.__traceback__)[-1]
            raise BrokenRule(
                f"the rule {self.name} of {state_type.__name__} fails: {type(error).__name__}: {error} "
                f"({Path(place.filename).name}, line {place.lineno}){hint}"
            ) from error

    def __repr__(self) -> str:
        return f"<rule {self.name}{_parameters(self)}>"

    def _typed(self, *args: Any) -> Any:
        if not isinstance(args[0], types.BaseNamedTuple):
            return None
        function = self.implementation(args[0].instance_class)
        make_compilable(function)
        return function


def required(function: Callable[P, R]) -> Rule[P, R]:
    """A rule that every game must define."""
    return Rule(function, has_default=False, compiles=True)


def optional(*, compiles: bool = True) -> Callable[[Callable[P, R]], Rule[P, R]]:
    """A rule with a default, the decorated function; ``compiles=False`` for rules that deal in text and pictures."""
    return lambda function: Rule(function, has_default=True, compiles=compiles)


def _parameters(rule: Rule[Any, Any]) -> str:
    return "(" + ", ".join(inspect.signature(rule).parameters) + ")"


# States ---------------------------------------------------------------------------------------------------------


def is_state(value: object) -> bool:
    """Whether a game has registered rules for this value's type."""
    return type(value) in _STATE_TYPES


def coerced(state: Any) -> Any:
    """The state with every field of exactly its declared type.

    Compiled code hands back plain ints. Sent in again unchanged, a uint64 field would be taken for an int64 and
    everything would compile a second time.
    """
    return type(state)(*[convert(value) for convert, value in zip(_STATE_TYPES[type(state)], state, strict=True)])


def _adopt(state_type: type) -> None:
    """Check that the type can be a state, and note its field types."""
    if state_type in _STATE_TYPES:
        return
    if not (isinstance(state_type, type) and issubclass(state_type, tuple) and hasattr(state_type, "_fields")):
        raise GameError(f"a state must be a NamedTuple class, not {state_type!r}; write: class State(NamedTuple): ...")
    _STATE_TYPES[state_type] = tuple(map(_converter, _field_annotations(state_type)))


def _field_annotations(state_type: Any) -> list[Any]:
    """The declared type of each field; names that cannot be resolved (classes local to a function) stay Any."""
    try:
        hints = typing.get_type_hints(state_type)
    except NameError:
        hints = {name: hint for name, hint in state_type.__annotations__.items() if isinstance(hint, type)}
    return [hints.get(field, Any) for field in state_type._fields]


def _int64(value: Any) -> int:
    number = int(value)
    if not -(2**63) <= number < 2**63:
        raise BrokenRule(f"{number} in a state does not fit into 64 bits; use several fields")
    return number


def _converter(annotation: Any) -> Callable[[Any], Any]:
    if annotation is int:
        return _int64
    if isinstance(annotation, type) and issubclass(annotation, (int, float, np.generic)):
        return annotation
    if typing.get_origin(annotation) is tuple:
        items = typing.get_args(annotation)
        if len(items) == 2 and items[1] is Ellipsis:
            every = _converter(items[0])
            return lambda value: tuple(map(every, value))
        each = tuple(map(_converter, items))
        return lambda value: tuple(convert(item) for convert, item in zip(each, value, strict=True))
    if isinstance(annotation, type) and issubclass(annotation, tuple) and hasattr(annotation, "_fields"):
        _adopt(annotation)
        return coerced
    return lambda value: value


def _numba_field(annotation: Any, given: Any) -> Any:
    """The Numba type of a field declared so, when the constructor is called with a value of type `given`."""
    if annotation is int:
        return types.int64
    if annotation is float:
        return types.float64
    if annotation is bool:
        return types.boolean
    if isinstance(annotation, type) and issubclass(annotation, np.generic):
        return numba.from_dtype(np.dtype(annotation))
    if typing.get_origin(annotation) is tuple and isinstance(given, types.BaseTuple):
        items = typing.get_args(annotation)
        wanted = [items[0]] * len(given) if len(items) == 2 and items[1] is Ellipsis else list(items)
        if len(wanted) == len(given):
            return types.Tuple(tuple(map(_numba_field, wanted, given)))
    return types.unliteral(given)


class _StateClass(types.NamedTupleClass):  # type: ignore[misc]
    """A state class as seen in compiled code: calling it converts each argument to the declared field type."""

    def get_impl_key(self, signature: Any) -> Any:
        return types.NamedTupleClass  # Numba's own constructor does the conversion, once the result's type asks for it


register_model(_StateClass)(models.OpaqueModel)

_typeof_other_class = typeof_impl.dispatch(type)


@typeof_impl.register(type)
def _typeof_class(value: type, context: Any) -> Any:
    return _StateClass(value) if value in _STATE_TYPES else _typeof_other_class(value, context)


@infer_getattr
class _StateClassAttributes(AttributeTemplate):  # type: ignore[misc]
    key = _StateClass

    def resolve___call__(self, state_class: _StateClass) -> Any:
        state_type = state_class.instance_class
        signature = inspect.signature(state_type)
        annotations = _field_annotations(state_type)

        def typer(*args: Any, **kws: Any) -> Any:
            try:
                given = signature.bind(*args, **kws).args
            except TypeError as error:
                raise TypingError(f"{state_type.__name__}{signature}: {error}") from None
            return types.BaseTuple.from_types(tuple(map(_numba_field, annotations, given)), state_type)

        typer.pysig = signature  # type: ignore[attr-defined]
        return types.Function(make_callable_template(types.NamedTupleClass, typer))


# What a function reaches -----------------------------------------------------------------------------------------


def referenced(function: Any) -> Iterator[tuple[str, Any]]:
    """The global and enclosing variables that a function's code names, with their values."""
    names: set[str] = set()
    pending = [function.__code__]
    while pending:
        code = pending.pop()
        names.update(code.co_names)
        pending += [constant for constant in code.co_consts if isinstance(constant, python_types.CodeType)]
    for name in sorted(names):
        if name in function.__globals__:
            yield name, function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            yield name, cell.cell_contents
        except ValueError:  # a variable of the enclosing function that is assigned later
            continue


_HELPERS: dict[Any, Any] = {}
"""The compiled form of every helper function; Numba's type of it does not keep it alive."""


def make_compilable(function: Any, seen: set[Any] | None = None) -> None:
    """Let compiled code call the plain helper functions that this one calls, and theirs.

    What it calls that is compiled by itself is gone through as well: its helpers may be plain.
    """
    cpu_target.typing_context.refresh()
    seen = {function} if seen is None else seen
    for _, value in referenced(function):
        inner = getattr(value, "__wrapped__", None)
        if isinstance(inner, python_types.FunctionType) and hasattr(value, "_numba_type_") and inner not in seen:
            seen.add(inner)
            make_compilable(inner, seen)
        if not isinstance(value, python_types.FunctionType) or hasattr(value, "_numba_type_"):
            continue
        if cpu_target.typing_context._lookup_global(value) is not None:  # Numba knows it already
            continue
        # Checked, because a helper may be what writes into a rule's buffer.
        _HELPERS[value] = numba.njit(**CALLEE_OPTIONS | {"boundscheck": True})(value)
        value._numba_type_ = types.Dispatcher(_HELPERS[value])  # type: ignore[attr-defined]
        make_compilable(value, seen)


LIBRARIES = {"math", "numba", "numpy", "plyground"}
"""Modules whose content is covered by their version, or by the digest of our own sources."""


def code_digest(*functions: Any) -> str:
    """A digest of all that the functions' machine code depends on: their code, constants, tables and helpers."""
    digest = hashlib.sha256()
    seen: set[int] = set()

    def add(value: Any) -> None:
        if isinstance(value, Rule) or id(value) in seen:
            return
        function = inspect.unwrap(value) if callable(value) else value
        if isinstance(function, python_types.FunctionType):
            seen.update((id(value), id(function)))
            add(function.__code__)
            add(function.__defaults__)
            add(tuple(sorted((function.__kwdefaults__ or {}).items())))
            for name, used in referenced(function):
                digest.update(name.encode())
                add(used)
                if isinstance(used, python_types.ModuleType) and used.__name__.partition(".")[0] not in LIBRARIES:
                    for attribute in sorted(set(function.__code__.co_names) & set(vars(used))):
                        digest.update(attribute.encode())
                        add(vars(used)[attribute])
        elif isinstance(value, python_types.CodeType):
            digest.update(value.co_code + repr(value.co_names).encode())
            for constant in value.co_consts:
                add(constant)
        elif isinstance(value, np.ndarray):
            digest.update(repr((value.dtype, value.shape)).encode() + value.tobytes())
        elif isinstance(value, tuple):
            digest.update(b"(")
            for item in value:
                add(item)
            digest.update(b")")
        elif isinstance(value, type) and issubclass(value, enum.Enum):
            digest.update(repr([(member.name, member.value) for member in value]).encode())
        elif isinstance(value, (int, float, str, bytes, frozenset, np.generic, type(None))):
            digest.update(repr(value).encode())

    for function in functions:
        add(function)
    return digest.hexdigest()


def state_digest(state_type: Any, rules: Sequence[Rule[Any, Any]] | None = None) -> str:
    """A digest of a game's compiled rules, or some of them: a game edited since is not run from an old cache."""
    chosen = [rule for rule in ALL_RULES if rule.compiles] if rules is None else rules
    own = [rule.implementations[state_type] for rule in chosen if state_type in rule.implementations]
    text = f"{state_type.__module__}.{state_type.__qualname__}{state_type._fields}{_field_annotations(state_type)}"
    return hashlib.sha256((text + code_digest(*own)).encode()).hexdigest()
