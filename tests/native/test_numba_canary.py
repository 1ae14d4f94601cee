"""What a new version of Numba may break, in words: each test is one thing of its inside that `native/` relies on.

If it has broken so much that nothing can be imported: ``pytest -n0 --noconftest tests/native/test_numba_canary.py``.
"""

from __future__ import annotations

import ast
import importlib
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba import types

PACKAGE = Path(__file__).parents[2] / "src" / "plyground"
NATIVE = PACKAGE / "native"


def imports_of_numba(path):
    """The line, the module and the name (or None) of every import of Numba or llvmlite in a file."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            found = [(node.lineno, name.name, None) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            found = [(node.lineno, node.module or "", name.name) for name in node.names]
        else:
            continue
        yield from (each for each in found if each[1].partition(".")[0] in ("numba", "llvmlite"))


def test_only_native_imports_numba():
    outside = [path for path in PACKAGE.rglob("*.py") if NATIVE not in path.parents]
    found = [f"{path.relative_to(PACKAGE)}:{line}" for path in outside for line, *_ in imports_of_numba(path)]
    assert not found, f"{found} import Numba or llvmlite: give native/ a function that says what you need of them"


@pytest.mark.parametrize("path", sorted(NATIVE.glob("*.py")), ids=lambda path: path.name)
def test_numba_has_all_that_is_imported(path):
    for line, module, name in imports_of_numba(path):
        try:
            found = importlib.import_module(module)
            if name is not None and not hasattr(found, name):
                importlib.import_module(f"{module}.{name}")
        except ImportError:
            what = f"{module} of Numba has no {name}" if name else f"Numba has no module {module}"
            pytest.fail(f"{what} any more: mend native/{path.name}, line {line}")


# compiling.py ---------------------------------------------------------------------------------------------------------


def doubled(number):
    return 2 * number


@pytest.fixture
def dispatcher():
    return numba.njit(doubled)


def test_the_interface_of_a_cache():
    from numba.core.caching import _Cache

    known = {"cache_path", "load_overload", "save_overload", "enable", "disable", "flush"}
    assert _Cache.__abstractmethods__ == known, (
        "Numba asks other things of a cache than it did: mend _DiskCache in native/compiling.py"
    )


def test_a_dispatcher_asks_its_cache_before_it_compiles_and_tells_it_afterwards(dispatcher):
    from numba.core.caching import NullCache

    told = []

    class Spy(NullCache):
        def load_overload(self, signature, context):
            told.append(("load", signature, context.refresh, context.codegen().magic_tuple()))

        def save_overload(self, signature, result):
            told.append(("save", signature, result.target_context, result.library.has_dynamic_globals))

    dispatcher._cache = Spy()
    dispatcher(1)
    signature = (types.int64,)
    assert [each[:2] for each in told] == [("load", signature), ("save", signature)], (
        "a dispatcher of Numba does not use its attribute _cache as it did: mend Compiled._entry in native/compiling.py"
    )


def test_what_is_compiled_can_be_written_to_a_file_and_read_again(dispatcher):
    from numba.core.compiler import CompileResult
    from numba.core.serialize import dumps

    dispatcher(1)
    (result,) = dispatcher.overloads.values()
    data = dumps(result._reduce())
    again = CompileResult._rebuild(result.target_context, *pickle.loads(data))
    assert again.entry_point(21) == 42, (
        "Numba's compiled functions are written or read in another way: mend _DiskCache in native/compiling.py"
    )


def test_calls_among_functions_that_are_not_compiled_yet_have_a_name_that_can_be_told():
    from numba.core.codegen import RuntimeLinker

    assert RuntimeLinker.PREFIX == ".numba.unresolved$", (
        "Numba names calls that are resolved at run time otherwise, and machine code that holds one crashes when it is "
        "loaded from a file: mend _DiskCache.save_overload in native/compiling.py"
    )


def test_the_registries_are_read_by_refresh(monkeypatch):
    from numba.core.registry import cpu_target

    import plyground.native.compiling  # noqa: F401  (which replaces both)

    for context in (cpu_target.target_context, cpu_target.typing_context):
        calls = []
        ours = context.refresh
        assert hasattr(ours, "__wrapped__"), (
            "Numba has made a new target context since it was imported, so Ctrl-C may end its registries for good: "
            "mend the replaced refresh in native/compiling.py"
        )
        monkeypatch.setattr(context, "refresh", lambda ours=ours, calls=calls: calls.append(1) or ours())
        numba.njit(doubled)(1)
        assert calls, (
            "Numba does not call refresh before it compiles, so Ctrl-C may end its registries for good: "
            "mend the replaced refresh in native/compiling.py"
        )


def test_machine_code_is_made_in_finalize_object(monkeypatch):
    from numba.core.codegen import JitEngine

    calls = []
    ours = JitEngine.finalize_object
    monkeypatch.setattr(JitEngine, "finalize_object", lambda engine: calls.append(1) or ours(engine))
    numba.njit(doubled)(1)
    assert calls, (
        "Numba makes machine code elsewhere, where Ctrl-C may be lost: "
        "mend the replaced JitEngine.finalize_object in native/compiling.py"
    )


def test_an_object_says_its_type_and_compiled_code_calls_a_dispatcher_by_its_type(dispatcher):
    class Callable:
        _numba_type_ = types.Dispatcher(dispatcher)

    call = Callable()
    assert numba.typeof(call) == types.Dispatcher(dispatcher), (
        "Numba does not ask _numba_type_ any more: mend Compiled in native/compiling.py, "
        "Static in native/overloads.py, Pointed in native/pointers.py and make_compilable in native/rules.py"
    )
    assert numba.njit(lambda number: call(number))(21) == 42, (
        "compiled code cannot call an object whose type is a Dispatcher: mend Compiled in native/compiling.py"
    )


# quick_compiling.py ---------------------------------------------------------------------------------------------------


def test_only_what_python_calls_becomes_machine_code():
    from plyground.native.compiling import compiled

    inner = compiled(lambda number: 2 * number)  # which has no name to be kept by, so that it is compiled each time
    assert inner(4) == 8
    (result,) = inner._inner.overloads.values()
    assert not result.library._finalized, (
        "Numba finishes libraries elsewhere than in get_executable and finalize, and compiling takes twice as long: "
        "mend native/quick_compiling.py"
    )


@pytest.mark.parametrize(
    ("owner", "name"),
    [
        ("codegen.CPUCodeLibrary", "finalize"),
        ("codegen.CPUCodeLibrary", "add_linking_library"),
        ("codegen.CPUCodeLibrary", "_optimize_functions"),
        ("cpu.CPUContext", "get_executable"),
        ("typeinfer.TypeInferer", "resolve_call"),
        ("typeinfer.TypeInferer", "return_types_from_partial"),
        ("typeinfer.TypeInferer", "get_return_type"),
        ("types.functions.BaseFunction", "get_call_type"),
        ("targetconfig.TargetConfig", "values"),
        ("postproc.PostProcessor", "run"),
        ("ir.Inst", "_rec_list_vars"),
        ("compiler_lock._CompilerLock", "acquire"),
    ],
)
def test_numba_calls_what_is_replaced(owner, name, monkeypatch):
    from plyground.native import quick_compiling

    module, _, kind = owner.rpartition(".")
    owner = getattr(importlib.import_module(f"numba.core.{module}"), kind)
    ours = getattr(owner, name)
    assert ours.__module__ == quick_compiling.__name__
    calls = []
    monkeypatch.setattr(owner, name, lambda *args, **named: calls.append(1) or ours(*args, **named))

    @numba.njit
    def power(number, times):
        return power(number, times - 1) * number if times > 0 else max(number, 1) // number

    assert power(3, 4) == 81
    assert calls, f"Numba does not call {name} of its {owner.__name__} any more: mend native/quick_compiling.py"


def test_options_are_what_their_properties_say():
    from numba.core.compiler import Flags

    flags = Flags()
    flags.nrt = True
    assert flags.values() == {name: getattr(flags, name) for name in flags.options}, (
        "Numba keeps the options of a compilation otherwise: mend _option_values in native/quick_compiling.py"
    )
    other = Flags(flags)
    assert (flags == other, hash(flags) == hash(other)) == (True, True)
    other.nrt = False
    assert flags != other


def test_instructions_hold_their_variables_in_lists_tuples_and_dictionaries():
    from numba.core import ir
    from numba.core.compiler import run_frontend

    def sample(board, start):
        line = [start, board[0], (start, board[1])]
        for place in range(len(board)):
            line.append(max(board[place], start))
        return line

    def variables(value):
        if isinstance(value, ir.Var):
            return [value]
        if isinstance(value, ir.Expr):
            value = value._kws
        parts = (
            vars(value).values() if isinstance(value, ir.Stmt) else value.values() if isinstance(value, dict) else value
        )
        return (
            [each for part in parts for each in variables(part)]
            if isinstance(parts, type({}.values()) | list | tuple)
            else []
        )

    for block in run_frontend(sample).blocks.values():
        for statement in block.body:
            assert statement.list_vars() == variables(statement), (
                "instructions of Numba hold their variables otherwise: mend _variables in native/quick_compiling.py"
            )


def test_generators_are_compiled():
    @numba.njit
    def doubles(most):
        for number in range(most):
            yield 2 * number

    @numba.njit
    def total(most):
        found = 0
        for number in doubles(most):
            found += number
        return found

    assert total(4) == 12, "a generator needs more than _post_process_lazily in native/quick_compiling.py works out"


def test_what_is_registered_later_is_found():
    def tripled(number):
        return 3 * number

    @numba.njit
    def first(number):
        return number + 1

    assert first(1) == 2
    numba.extending.overload(tripled)(lambda number: lambda number: 3 * number)

    @numba.njit
    def second(number):
        return tripled(number)

    assert second(2) == 6, (
        "Numba keeps its registries otherwise, and what is new in them is not seen: "
        "mend _registered in native/quick_compiling.py"
    )


# overloads.py ---------------------------------------------------------------------------------------------------------


def test_fields_of_statics_are_constants_before_types_are_inferred():
    from plyground.errors import UncompiledWarning
    from plyground.native.compiling import compiled
    from plyground.native.overloads import Static

    @dataclass(frozen=True)
    class Choice(Static):
        text: bool

    @compiled
    def length(choice, number):
        return len(number) if choice.text else number

    try:
        assert length(Choice(False), 3) == 3  # an int has no length: this compiles only where the branch is pruned
    except UncompiledWarning:
        pytest.fail(
            "Numba's passes come in another order or fold constants otherwise, and every variant of a search is "
            "compiled whole or not at all: mend _FoldStatics and _Pipeline in native/overloads.py"
        )


def test_a_function_that_stands_in_for_another_may_be_inlined():
    from plyground.native.overloads import native

    def plain(number):
        return -1

    native(plain, inline="always")(lambda number: lambda number: number + 1)
    assert numba.njit(lambda number: plain(number))(1) == 2, (
        "Numba's overload takes other options: mend native in native/overloads.py"
    )


# rules.py -------------------------------------------------------------------------------------------------------------


class Pair(NamedTuple):
    word: np.uint64
    share: float


def test_calling_a_state_class_converts_to_the_declared_types():
    from plyground.core.rules import to_move

    to_move.rule(Pair)(lambda state: 0)
    made = numba.njit(lambda number: Pair(number, number))
    made(1)
    (result,) = made.overloads.values()
    assert tuple(result.signature.return_type) == (types.uint64, types.float64), (
        "Numba makes named tuples in another way, and games are compiled with fields of the wrong types: "
        "mend _StateClass and _StateClassAttributes in native/rules.py"
    )


def test_numba_says_whether_it_knows_a_function():
    from numba.core.registry import cpu_target

    look_up = cpu_target.typing_context._lookup_global
    assert look_up(len) is not None, "Numba does not say which functions it knows: mend make_compilable in rules.py"
    assert look_up(doubled) is None, "Numba claims to know a plain function: mend make_compilable in rules.py"


# Arrays, pointers, atomics, tuples, vectors ---------------------------------------------------------------------------


def test_arrays_without_an_owner():
    from plyground.native.arrays import borrowed, stack_integers

    @numba.njit
    def total(array):
        own = stack_integers(2)
        own[0], own[1] = 1, 2
        return own.sum() + borrowed(array).sum()

    assert total(np.arange(4)) == 9, "an array of Numba consists of other parts: mend native/arrays.py"


def test_arrays_behind_a_pointer():
    from plyground.native.lending import Lent

    class Table(Lent):
        arrays = {"rows": (np.int64, 2)}  # noqa: RUF012

    table = Table(rows=np.arange(6).reshape(2, 3))
    read = numba.njit(lambda table: (table.rows[1, 2], table.address))
    assert read(table) == (5, table.address), (
        "Numba takes objects in by other means than unbox: mend native/pointers.py and native/lending.py"
    )


def test_atomic_operations():
    from plyground.native.atomics import add_at, load_word, put_where_zero, save_word

    @numba.njit
    def work(array):
        address = np.uint64(array.ctypes.data)
        save_word(address, np.uint64(5))
        before = add_at(address, np.int64(2))
        put = put_where_zero(address + np.uint64(8), np.int32(9)), put_where_zero(address + np.uint64(8), np.int32(8))
        return before, load_word(address), put

    array = np.zeros(2, np.int64)
    assert work(array) == (5, 7, (True, False)), "LLVM's atomic operations are called otherwise: mend native/atomics.py"
    assert array.tolist() == [7, 9]


def test_a_tuple_with_one_item_replaced():
    from plyground.core.rules import with_item

    replaced = numba.njit(lambda items, index: with_item(items, index, 9))
    assert replaced((1, 2, 3), 1) == (1, 9, 3), "Numba's tuple_setitem has changed: mend native/tuples.py"


def test_vectors():
    from plyground.native.vectors import vectorised

    @vectorised(np.uint64, np.int64, returns=np.int64)
    def mixed(word, number):
        signed = number.spread(4) >> (0, 1, 2, 3)
        lanes = word.spread(4) << (0, 1, 2, 3)
        return signed.clamped(-3, 3).sum() + lanes.union().to(np.int32).to(np.int64) + lanes.leading_zeros().lane(3)

    assert numba.njit(lambda word, number: mixed(word, number))(np.uint64(1), -8) == (-3 - 3 - 2 - 1) + 15 + 60, (
        "llvmlite builds vectors otherwise, or Numba's intrinsic reads its signature otherwise: mend native/vectors.py"
    )
