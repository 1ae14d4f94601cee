"""Numba, compiling in half of its time or less: what it does again and again is done once.

Measured on the first move of the Reversi engine, where compiling took 17 s, of which a third was LLVM's and the rest
Numba's inference of types:

- Each function that compiled code calls was optimised and turned into machine code by itself, and once more within
  each of its callers. Now only what Python calls is; all that it calls, directly or not, is linked into it at once.
- Calls are typed in rounds, until a round brings nothing new, and in each round all of them were typed afresh.
- A function was compiled once more for each constant that it was called with.
- At each recursive call all that was known of the function so far was typed once more, only to learn what it returns.
- For each operator on numbers up to sixty definitions were tried, for strings, lists and dates among them.
- After each pass it was worked out which variables live where, though hardly any of the next passes asks.
- Before each call that it types Numba went through all of its registries, in case something had been added.
- Python looked for garbage again and again in what is all needed to the end.
- Each entry into the compiler and into LLVM was told to listeners, one for each function that was being compiled.
- Functions that a module only declares went through LLVM's passes like those that it defines.
- The parameters of the same functions of Numba were read by `inspect` again and again.
- SciPy's linear algebra was imported at every start, only to see that it is there.

`tests/native/test_numba_canary.py` says in words which of these a new version of Numba would lose.
"""

from __future__ import annotations

import gc
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import Any
from weakref import WeakValueDictionary

from llvmlite import binding as llvm
from llvmlite.binding import ffi
from numba import _dynfunc, types
from numba.core import ir, utils
from numba.core.base import BaseContext
from numba.core.codegen import CPUCodeLibrary, RuntimeLinker
from numba.core.compiler_lock import _CompilerLock
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.errors import TypingError
from numba.core.postproc import PostProcessor, VariableLifetime
from numba.core.targetconfig import TargetConfig
from numba.core.transforms import canonicalize_cfg
from numba.core.typeinfer import TypeInferer
from numba.core.types.functions import BaseFunction
from numba.core.typing.context import BaseContext as TypingContext

__all__ = ["has_unresolved_calls"]

# Machine code only for what Python calls -----------------------------------------------------------------------------

_executable = CPUContext.get_executable
_unfinished: WeakValueDictionary[str, Any] = WeakValueDictionary()
"""The library of each function that only compiled code calls."""


def _executable_if_called_from_python(context: Any, library: Any, description: Any, environment: Any) -> Any:
    """What Python calls is finished here. The rest stays as it is until somebody who calls it is."""
    wrapper = description.llvm_cpython_wrapper_name
    if library._finalized or any(function.name == wrapper for function in library._final_module.functions):
        return _executable(context, library, description, environment)
    _unfinished[description.llvm_func_name] = library
    name = description.qualname.rpartition(".")[2]
    return _dynfunc.make_function(description.lookup_module(), name, "", 0, environment, (library,))


def _add_unfinished(library: Any, called: Any) -> None:
    library._linking_libraries.append(called)


def _all_called(library: Any) -> list[Any]:
    """The libraries that this one needs, directly or not, callers first: LLVM drops what nobody has asked for yet."""
    found: list[Any] = []
    seen = {library}

    def visit(caller: Any) -> None:
        for called in caller._linking_libraries:
            if called not in seen:
                seen.add(called)
                if not called._finalized:  # a finished one holds all that it needs
                    visit(called)
                found.append(called)

    visit(library)
    return found[::-1]


def _module_to_link(library: Any) -> Any:
    """The functions of a library so that several modules may have them; of an unfinished one its own functions only.

    Those are optimised by themselves first: it takes little, and what is inlined is smaller then. Without it the
    endgame solver of Reversi was slower by a tenth.
    """
    if library._finalized:
        return library._get_module_for_linking()
    if not hasattr(library, "_unfinished_module"):
        passes, builder = library._codegen._module_pass_manager()
        passes.run(library._final_module, builder)
        library._unfinished_module = library._final_module.clone()
        for function in library._unfinished_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.external:
                function.linkage = "linkonce_odr"
    return library._unfinished_module


def _finalize(library: Any) -> None:
    """Numba's own steps, but with all that is called linked in at once, and with the environments that it needs."""
    library._codegen._check_llvm_bugs()
    library._raise_if_finalized()
    _link(library, _all_called(library))
    _resolve_calls(library)
    _optimize_twice(library)
    library._final_module.verify()
    library._finalize_final_module()
    library._environments = dict(_environments(library))  # which must live as long as the code that points to them
    for name, environment in library._environments.items():
        library._codegen.set_env(name, environment)


def _optimize_defined_functions(library: Any, module: Any) -> None:
    """Numba's own, without those that the module only declares."""
    module.data_layout = library._codegen._data_layout
    for function in module.functions:
        if not function.is_declaration:
            passes, builder = library._codegen._function_pass_manager()
            passes.run(function, builder)


def _optimize_twice(library: Any) -> None:
    """LLVM's passes over all that is linked together: those of level 1, then all.

    Numba runs those of level 0 first, for nothing: with these playouts of Connect Four are faster by 8%.
    """
    for level in ({"loop_vectorize": False, "slp_vectorize": False, "opt": 1, "cost": "cheap"}, {}):
        passes, builder = library._codegen._module_pass_manager(**level)
        passes.run(library._final_module, builder)


def _link(library: Any, called: list[Any]) -> None:
    for each in called:
        library._reload_init.update(each._reload_init)
        library._final_module.link_in(_module_to_link(each), preserve=True)


def _environments(library: Any) -> Iterator[tuple[str, Any]]:
    for variable in library._final_module.global_variables:
        if variable.name.startswith("_ZN08NumbaEnv") and (found := lookup_environment(variable.name)) is not None:
            yield variable.name, found


def _unresolved_calls(library: Any) -> list[str]:
    variables = library._final_module.global_variables
    return [each.name for each in variables if each.name.startswith(RuntimeLinker.PREFIX) and each.is_declaration]


def has_unresolved_calls(library: Any) -> bool:
    """Whether functions are called through a pointer that only this process knows: such code cannot be kept."""
    return bool(_unresolved_calls(library))


def _resolve_calls(library: Any) -> None:
    """Call directly what Numba calls through a pointer, as a function of several signatures that calls itself."""
    while pointers := [each for each in _unresolved_calls(library) if _called(each) in _unfinished]:
        present = {function.name for function in library._final_module.functions}
        text, name = str(library._final_module), library._final_module.name
        for pointer in pointers:
            called = _called(pointer)
            declared = rf'^(@"?{re.escape(pointer)}"? =) external (?:\w+ )*global (\S+)'
            text, found = re.subn(declared, rf'\1 internal constant \2 @"{called}"', text, flags=re.MULTILINE)
            assert found == 1, f"{pointer} is declared in a way that is not known here"
            if called not in present:
                text += f'\ndeclare void @"{called}"()'  # of whichever type, until the definition is linked in below
        library._final_module = llvm.parse_assembly(text)
        library._final_module.name = name
        for called in {_called(pointer) for pointer in pointers} - present:
            _link(library, [_unfinished[called], *_all_called(_unfinished[called])])


def _called(pointer: str) -> str:
    return pointer.removeprefix(RuntimeLinker.PREFIX)


CPUContext.get_executable = _executable_if_called_from_python
CPUCodeLibrary.add_linking_library = _add_unfinished
CPUCodeLibrary.finalize = _finalize
CPUCodeLibrary._optimize_functions = _optimize_defined_functions

# Types inferred once -------------------------------------------------------------------------------------------------

_resolve_call = TypeInferer.resolve_call
_call_type = BaseFunction.get_call_type
_partial_return_type = TypeInferer.return_types_from_partial
_return_type = TypeInferer.get_return_type

NUMBERS = (types.Integer, types.Float, types.Boolean)
DECLARED = {"int": types.int64, "float": types.float64, "bool": types.boolean}


def _resolve_call_once(inferer: Any, function: Any, args: Any, keywords: Any) -> Any:
    """What a call returns for arguments of these types does not change from round to round.

    Of the arguments of our own functions only the type counts: one would be compiled again for each constant.
    """
    if isinstance(function, (types.Dispatcher, types.RecursiveCall)):
        args = tuple(map(types.unliteral, args))
        keywords = {name: types.unliteral(kind) for name, kind in dict(keywords).items()}
    if isinstance(function, types.RecursiveCall):
        return _resolve_call(inferer, function, args, keywords)
    known = vars(inferer).setdefault("_known_calls", {})
    key = function, tuple(args), tuple(dict(keywords).items())
    if (signature := known.get(key)) is None:
        signature = known[key] = _resolve_call(inferer, function, args, keywords)
    return signature


def _call_type_once(function: Any, context: Any, args: Any, keywords: Any) -> Any:
    """Nor does what an operator returns for numbers, from function to function."""
    if keywords or not all(isinstance(kind, NUMBERS) for kind in args):
        return _call_type(function, context, args, keywords)
    known = vars(function).setdefault("_known_types", {})
    if (signature := known.get(tuple(args))) is None:
        signature = known[tuple(args)] = _call_type(function, context, args, keywords)
    return signature


def _declared_return_type(inferer: Any) -> Any:
    """What a function returns that calls itself: once inference so far agrees with what it declares, that."""
    if (trusted := getattr(inferer, "_trusted_return_type", None)) is not None:
        return trusted
    found = _partial_return_type(inferer)
    if found is not None and found == DECLARED.get(inferer.func_id.func.__annotations__.get("return")):
        inferer._trusted_return_type = found
    return found


def _return_type_as_declared(inferer: Any, type_map: Any) -> Any:
    found = _return_type(inferer, type_map)
    if getattr(inferer, "_trusted_return_type", found) != found:
        name = inferer.func_id.func_name
        declared = inferer.func_id.func.__annotations__["return"]
        raise TypingError(f"{name} calls itself and returns {found}, but is declared to return {declared}")
    return found


TypeInferer.resolve_call = _resolve_call_once
BaseFunction.get_call_type = _call_type_once  # type: ignore[assignment, method-assign]
TypeInferer.return_types_from_partial = _declared_return_type
TypeInferer.get_return_type = _return_type_as_declared

# Options compared quickly: Numba does so at every call that it types, by properties of properties ---------------------


def _option_values(options: Any) -> dict[str, Any]:
    kind = type(options)
    if "_defaults" not in vars(kind):
        kind._defaults = {name: option.default for name, option in kind.options.items()}
    return dict(kind._defaults, **options._values)


utils.pysignature = lru_cache(1024)(utils.pysignature)
TargetConfig.values = _option_values
TargetConfig.__hash__ = lambda options: hash(type(options))

# Worked out when it is asked for -------------------------------------------------------------------------------------

_post_process = PostProcessor.run


def _post_process_lazily(processor: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Numba's own steps, less the variables alive where each block begins: only generators need them."""
    function = processor.func_ir
    if function.is_generator:
        _post_process(processor, emit_dels, extend_lifetimes)
        return
    function.blocks = canonicalize_cfg(function.blocks)
    function.variable_lifetime = VariableLifetime(function.blocks)
    function.generator_info = None
    if emit_dels:
        processor._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _variables(instruction: Any, value: Any) -> list[Any]:
    """The variables in an instruction, in their order; most of what it holds is none, and of few types."""
    kind = type(value)
    if kind is ir.Var:
        return [value]
    if kind is dict:
        value = value.values()
    elif kind is not list and kind is not tuple:
        return value.list_vars() if isinstance(value, ir.Inst) else []
    found: list[Any] = []
    for each in value:
        kind = type(each)
        if kind is ir.Var:
            found.append(each)
        elif kind is not ir.Loc and kind is not str and each is not None:
            found += _variables(instruction, each)
    return found


PostProcessor.run = _post_process_lazily
ir.Inst._rec_list_vars = _variables

# Registries read when there is something new in them -----------------------------------------------------------------

_refresh = {BaseContext: BaseContext.refresh, TypingContext: TypingContext.refresh}


def _registered(context: Any) -> int:
    """How much is in the registries that a context has read."""
    own = sum(
        len(getattr(registry, items))
        for registry, loader in context._registries.items()
        for items in loader.registry_items
    )
    return own + (_registered(context.typing_context) if isinstance(context, BaseContext) else 0)


def _refresh_if_needed(context: Any) -> None:
    if "numba.np.arraymath" not in sys.modules:  # whose import looks for SciPy, which is among what Plyground needs
        from numba.np import linalg

        linalg.ensure_blas = linalg.ensure_lapack = lambda: None
    if not context._registries or vars(context).get("_known") != _registered(context):
        _refresh[BaseContext if isinstance(context, BaseContext) else TypingContext](context)
        context._known = _registered(context)


BaseContext.refresh = _refresh_if_needed
TypingContext.refresh = _refresh_if_needed

# While the compiler works, nobody listens, and no garbage is collected -----------------------------------------------

_collecting: list[bool] = []
"""For each time that the compiler has been entered, whether garbage was collected before."""


def _begin(lock: Any) -> None:
    """Of the many objects that compiling makes nearly all live until it ends: to look through them takes a twelfth."""
    lock._lock.acquire()
    _collecting.append(gc.isenabled())
    gc.disable()


def _end(lock: Any) -> None:
    if _collecting.pop():
        gc.enable()
    lock._lock.release()


_CompilerLock.acquire = _begin
_CompilerLock.release = _end
for _callbacks in list(ffi.lib._lock._cblist):
    ffi.unregister_lock_callback(*_callbacks)
