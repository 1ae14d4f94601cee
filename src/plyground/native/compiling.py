"""`@compiled`: one function, read and watched as Python, run as machine code.

A compiled function is called like any other. The first call with a kind of game compiles it for that game and keeps
the machine code in the user's cache folder; the next start of the program loads it from there. Under
`interpreted()` the very same function object runs as plain Python, which is how searches are recorded and shown.

The cache folder is named by a digest of Plyground's sources, because Numba does not notice that a callee in another
file has changed. Each file in it is named by a digest of the game's own rules, for the same reason, and sealed
(`plyground.native.sealing`): what somebody else has put there, or the disk has spoilt, is compiled again and never run.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import inspect
import os
import pickle
import re
import shutil
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, Generic, ParamSpec, TypeVar

import numba
from llvmlite.binding import ExecutionEngine, ModuleRef
from numba import types
from numba.core.caching import _Cache
from numba.core.codegen import JitEngine
from numba.core.compiler import CompileResult
from numba.core.errors import NumbaError, UnsupportedBytecodeError
from numba.core.registry import cpu_target
from numba.core.serialize import dumps

from plyground.errors import BrokenRule, UncompiledWarning
from plyground.native.cache_root import cache_problem, cache_root
from plyground.native.dispatch import ALL_RULES, code_digest, coerced, is_state, make_compilable, state_digest
from plyground.native.overloads import CALLEE_OPTIONS, COMPILE_OPTIONS, Static
from plyground.native.quick_compiling import has_unresolved_calls
from plyground.native.sealing import private_folder_key, sealed, unsealed
from plyground.signals import undisturbed

__all__ = [
    "Compiled",
    "cache_folder",
    "compiled",
    "inlined",
    "interpret_only",
    "interpreted",
    "not_interpreted",
    "on_compile",
    "set_within",
]

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")


_interpreted: ContextVar[bool] = ContextVar("interpreted", default=False)

NOT_COMPILABLE = (NumbaError, UnsupportedBytecodeError, RecursionError)
"""What Numba raises for code that it cannot compile; the last one where types grow without end."""


# Numba reads its registries by generators that go on from call to call. An exception in one of them ends it for good,
# and from then on nothing could be compiled or loaded in this process.
for _context in (cpu_target.target_context, cpu_target.typing_context):
    _context.refresh = undisturbed(_context.refresh)

# While LLVM makes machine code it calls back, and what is raised in a call from C is lost: Ctrl-C was, more often than
# not. It takes no longer to arrive, since nothing else of Python runs meanwhile.
JitEngine.finalize_object = undisturbed(JitEngine.finalize_object)

# LLVM takes these modules over, and only then llvmlite notes that they are no longer its own. An exception between the
# two, where a signal that came meanwhile is answered, would free them twice: the process crashed.
for _owner, _taking in ((ModuleRef, "link_in"), (ExecutionEngine, "add_module")):
    setattr(_owner, _taking, undisturbed(getattr(_owner, _taking)))


@contextlib.contextmanager
def set_within(variable: ContextVar[T], value: T) -> Iterator[T]:
    """Inside this context the variable has this value."""
    token = variable.set(value)
    try:
        yield value
    finally:
        variable.reset(token)


def interpreted() -> contextlib.AbstractContextManager[object]:
    """Inside this context compiled functions run as plain Python, calls among themselves included."""
    return set_within(_interpreted, True)


def not_interpreted() -> contextlib.AbstractContextManager[object]:
    """Inside this context, even within `interpreted`, functions run as machine code: for what nobody watches."""
    return set_within(_interpreted, False)


class Compiled(Generic[P, R]):
    """A function that runs as machine code, compiled once for each type of game state it is called with."""

    def __init__(self, function: Callable[P, R], *, inline: bool = False) -> None:
        functools.update_wrapper(self, function)
        self.function = function
        self._signature = inspect.signature(function)
        self._inner = numba.njit(**CALLEE_OPTIONS, inline="always" if inline else "never")(function)
        self._numba_type_ = types.Dispatcher(self._inner)  # lets compiled code call this object
        self._entries: dict[type | None, Any] = {}

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if _interpreted.get():
            return self.function(*args, **kwargs)
        values, state_type = self._arguments(args, kwargs)
        if self._gave_up(state_type, values):
            return self._run_interpreted(values)
        try:
            return self._entry(state_type)(*values)  # type: ignore[no-any-return]
        except NOT_COMPILABLE as error:
            self._give_up(state_type, values, error)
            return self._run_interpreted(values)
        except IndexError as error:
            raise BrokenRule(
                f"a rule of {state_type.__name__ if state_type else self.function.__name__} went beyond its buffer "
                f"or a tuple ({error}); if there are many legal actions, register a larger max_actions"
            ) from None

    def prepare(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Compile for arguments like these, or load from the cache, without running: no clock should pay for it."""
        values, state_type = self._arguments(args, kwargs)
        if _interpreted.get() or self._gave_up(state_type, values):
            return
        try:
            self._entry(state_type).compile(tuple(map(numba.typeof, values)))
        except NOT_COMPILABLE as error:
            self._give_up(state_type, values, error)

    def _arguments(self, args: Any, kwargs: Any) -> tuple[list[Any], type | None]:
        """All arguments in order, states of exactly their declared types; and the type of the state among them."""
        if kwargs or len(args) != len(self._signature.parameters):
            bound = self._signature.bind(*args, **kwargs)
            bound.apply_defaults()
            args = bound.args
        values = [coerced(value) if is_state(value) else value for value in args]
        return values, next((type(value) for value in values if is_state(value)), None)

    def _gave_up(self, state_type: type | None, values: list[Any]) -> bool:
        return bool(_uncompilable) and (state_type in _uncompilable or self._case(state_type, values) in _uncompilable)

    def _case(self, state_type: type | None, values: list[Any]) -> tuple[Any, ...]:
        """What is compiled apart from the rest: of another variant of a search, say, it may well compile."""
        return self, state_type, *(value for value in values if isinstance(value, Static))

    def _run_interpreted(self, values: list[Any]) -> R:
        with interpreted():
            return self.function(*values)  # type: ignore[call-arg]

    def _entry(self, state_type: type | None) -> Any:
        """A dispatcher of its own for each game, so that each game's machine code is cached by itself."""
        if state_type in self._entries:
            return self._entries[state_type]
        # Written out with its parameters: a function of *args would pack a tuple at every call.
        names = ", ".join(self._signature.parameters)
        around = {"inner": self._inner, "__name__": self.function.__module__}  # Numba looks the module up by name
        entry = eval(f"lambda {names}: inner({names})", around)
        dispatcher = numba.njit(**COMPILE_OPTIONS)(entry)
        dispatcher._cache = _DiskCache(self.function, state_type, on_miss=partial(make_compilable, self.function))
        self._entries[state_type] = dispatcher
        return dispatcher

    def _give_up(self, state_type: type | None, values: list[Any], error: Exception) -> None:
        """Say once why this runs interpreted, naming the rule at fault where it is a rule."""
        _announce("", False)
        if state_type is not None:
            state = next(value for value in values if is_state(value))
            for rule in ALL_RULES:
                if rule.compiles and (reason := _why_not(rule, state)):
                    _uncompilable.add(state_type)
                    warnings.warn(
                        f"{state_type.__name__} runs interpreted (slowly): "
                        f"its rule {rule.name} does not compile: {reason}",
                        UncompiledWarning,
                        stacklevel=3,
                    )
                    return
        _uncompilable.add(self._case(state_type, values))
        name = getattr(self.function, "__name__", "function")
        warnings.warn(
            f"{name} runs interpreted (slowly): it does not compile: {_reason(error)}", UncompiledWarning, stacklevel=3
        )

    def __repr__(self) -> str:
        return f"<compiled {self.function.__qualname__}{self._signature}>"


def compiled(function: Callable[P, R]) -> Compiled[P, R]:
    """Compile the function for every game it is called with.

    It is called like any other. The first call with a kind of game takes seconds; the machine code is kept in the
    user's cache folder for the next start. Under `interpreted` the same function runs as plain Python.
    """
    return Compiled(function)


def inlined(function: Callable[P, R]) -> Compiled[P, R]:
    """The same for a small function in a hot loop: its code is put in place of every call from compiled code."""
    return Compiled(function, inline=True)


_uncompilable: set[Any] = set()
"""What runs interpreted because it does not compile: state types, and functions with their state type and variant."""


def interpret_only(state_type: type) -> None:
    """Never try to compile anything for states of this type: they hold what no machine code can."""
    _uncompilable.add(state_type)


def _why_not(rule: Any, state: Any) -> str | None:
    """The reason why one rule of a game does not compile by itself; None if it does."""
    if type(state) not in rule.implementations or "rng" in inspect.signature(rule).parameters:
        return None
    make_compilable(rule.implementations[type(state)])
    kinds = [numba.typeof(state)]
    for name in list(inspect.signature(rule).parameters)[1:]:
        buffer = types.Array(types.float32, 3, "C") if rule.name == "planes" else types.Array(types.int64, 1, "C")
        kinds.append(buffer if name == "out" else types.int64)
    try:
        numba.njit(**CALLEE_OPTIONS)(rule.implementations[type(state)]).compile(tuple(kinds))
    except NOT_COMPILABLE as error:
        return _reason(error)
    return None


def _reason(error: Exception) -> str:
    """The one line of Numba's report that says what it could not do, and where."""
    if isinstance(error, RecursionError):
        return "a type grows without end; does a tuple field change its length?"
    plain = re.sub(r"\x1b\[[0-9;]*m", "", str(error))  # Numba writes in colours where it finds colorama
    lines = [line.strip() for line in plain.splitlines() if line.strip()]
    text = next((line for line in lines if not line.startswith("Failed in")), "unknown reason")
    if "yield in a closure" in text:
        text = "generator expressions such as any(... for ...) do not compile; write a loop or a list"
    elif found := re.match(r"No implementation of function Function\(<(?:built-in )?function (\w+)", text):
        text = f"{found[1]} has no compiled form for what it is given here"
    elif "'_replace'" in text:
        text = "_replace does not compile; write the new state out, State(...)"
    place = next((line for line in lines if line.startswith('File "')), "").rstrip(":")
    if place:
        path, _, line = place.removeprefix('File "').partition('", line ')
        text = f"{text} ({Path(path).name}, line {line})"
    return text


# The cache on disk -----------------------------------------------------------------------------------------------

_listeners: list[Callable[[str, bool], None]] = []


@contextlib.contextmanager
def on_compile(listener: Callable[[str, bool], None]) -> Iterator[None]:
    """Call ``listener(what, True)`` when a compilation starts and ``listener(what, False)`` when it has ended."""
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


def _announce(what: str, starting: bool) -> None:
    for listener in list(_listeners):
        listener(what, starting)


def cache_folder() -> Path | None:
    """Where machine code is kept; None if no folder can be written, and everything is compiled at each start.

    ``PLYGROUND_CACHE_DIR`` chooses another place than the user's cache directory.
    """
    cache = _cache()
    return cache and cache[0]


@functools.cache
def _cache() -> tuple[Path, bytes] | None:
    """The folder and its key."""
    if problem := cache_problem():
        warnings.warn(problem, UncompiledWarning, stacklevel=3)
        return None
    root = cache_root()
    folder = root / _sources_digest()
    if not folder.exists():
        with contextlib.suppress(OSError):  # another process may be tidying up as well
            _forget_old_versions(root, keep=folder)
    try:
        return folder, private_folder_key(folder)
    except OSError as error:
        warnings.warn(
            f"compiled code in {folder} is not used ({error.strerror or error}), so every start compiles again; "
            "remove that folder, or set PLYGROUND_CACHE_DIR to one of your own",
            UncompiledWarning,
            stacklevel=3,
        )
        return None


@functools.cache
def _say_not_kept(error: str) -> None:
    """Say once that the disk has become full, say; by this module's name, since what Numba says is not shown."""
    warnings.warn(
        f"cannot keep compiled code in {cache_folder()} ({error}), so the next start compiles it again",
        UncompiledWarning,
        stacklevel=1,
    )


def _say_spoilt(path: Path) -> None:
    warnings.warn(
        f"{path} is damaged, or somebody else has written it, so it is compiled again", UncompiledWarning, stacklevel=1
    )


def _sources_digest() -> str:
    digest = hashlib.sha256(f"{sys.version} {numba.__version__}".encode())
    package = Path(__file__).parent.parent
    for path in sorted(package.rglob("*.py")):
        if package / "web" not in path.parents:  # nothing there is compiled
            digest.update(str(path.relative_to(package)).encode() + path.read_bytes())
    return digest.hexdigest()[:20]


def _forget_old_versions(root: Path, keep: Path) -> None:
    """Remove machine code of earlier versions that nobody has touched for a month."""
    month_ago = time.time() - 30 * 24 * 3600
    for folder in root.iterdir():
        if folder != keep and len(folder.name) == 20 and folder.is_dir() and folder.stat().st_mtime < month_ago:
            shutil.rmtree(folder, ignore_errors=True)


class _DiskCache(_Cache):  # type: ignore[misc]
    """Numba's cache interface over one file for each function, game and signature.

    Numba's own cache keeps an index with all signatures of a function, which cannot be read again once a game
    in it is gone; and it trusts the time stamp of one source file.
    """

    def __init__(self, function: Any, state_type: Any, on_miss: Callable[[], None]) -> None:
        self._on_miss = on_miss
        self._what = f"{function.__name__} for {state_type.__name__}" if state_type else function.__name__
        self._stem = f"{function.__module__}.{function.__qualname__}-{state_type.__name__ if state_type else 'none'}"
        local = "<locals>" in function.__qualname__ or (state_type and "<locals>" in state_type.__qualname__)
        cache = None if local else _cache()  # what is made inside a function cannot be found again by name
        self._folder = cache and cache[0]
        if cache:
            self._seal_key = cache[1]
            self._key = code_digest(function) + (state_digest(state_type) if state_type else "")

    @property
    def cache_path(self) -> str | None:
        return str(self._folder) if self._folder else None

    def _path(self, folder: Path, signature: Any, context: Any) -> Path:
        text = f"{self._key} {signature} {context.codegen().magic_tuple()}"
        return folder / f"{self._stem}-{hashlib.sha256(text.encode()).hexdigest()[:24]}.bin"

    def load_overload(self, signature: Any, context: Any) -> Any:
        if self._folder:
            context.refresh()  # loaded code needs Numba's runtime and its external functions
            path = self._path(self._folder, signature, context)
            try:
                code = unsealed(self._seal_key, path.name, path.read_bytes())
                if code is not None:
                    return CompileResult._rebuild(context, *pickle.loads(code))
                _say_spoilt(path)
            except FileNotFoundError:
                pass
            except Exception:  # whatever is wrong with a cache file, compiling again mends it
                with contextlib.suppress(OSError):
                    path.unlink(missing_ok=True)
        _announce(self._what, True)
        self._on_miss()
        return None

    def save_overload(self, signature: Any, result: Any) -> None:
        _announce(self._what, False)
        if self._folder is None or result.library.has_dynamic_globals or has_unresolved_calls(result.library):
            return
        path = self._path(self._folder, signature, result.target_context)
        try:
            handle, name = tempfile.mkstemp(dir=self._folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(sealed(self._seal_key, path.name, dumps(result._reduce())))
                Path(name).replace(path)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
        except OSError as error:
            _say_not_kept(error.strerror or str(error))

    def enable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def disable(self) -> None:
        """Part of Numba's interface; this cache is always on."""

    def flush(self) -> None:
        """Part of Numba's interface; files of changed games are simply never asked for again."""
