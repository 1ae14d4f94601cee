"""How Python functions get their counterpart in compiled code."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba import types
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.consts import ConstantInference
from numba.core.ir_utils import get_definition, guard
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.core.untyped_passes import InlineClosureLikes, InlineInlinables
from numba.extending import (
    NativeValue,
    lower_getattr_generic,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_model,
    unbox,
)

__all__ = ["CALLEE_OPTIONS", "COMPILE_OPTIONS", "Static", "StaticType", "native", "native_attribute", "native_method"]


@register_pass(mutates_CFG=False, analysis_only=False)
class _FoldStatics(FunctionPass):  # type: ignore[misc]
    """Put the fields of `Static` arguments into the code as constants, before types are inferred.

    What follows them is pruned then and need not be compiled at all, which saves most of the time for a plain variant
    of a search with many options.
    """

    _name = "plyground_fold_statics"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Part of Numba's interface: True if anything was changed."""
        function = state.func_ir
        changed = False
        for block in function.blocks.values():
            for statement in block.body:
                if not isinstance(statement, ir.Assign):
                    continue
                read = statement.value
                if not (isinstance(read, ir.Expr) and read.op == "getattr"):
                    continue
                source = guard(get_definition, function, read.value)
                kind = state.args[source.index] if isinstance(source, ir.Arg) else None
                if isinstance(kind, StaticType):
                    constant = ir.Const(kind.number(read.attr)[1], read.loc)
                    definitions = function._definitions[statement.target.name]
                    definitions[definitions.index(read)] = constant
                    statement.value = constant
                    changed = True
        if changed:
            function._consts = ConstantInference(function)
        return changed


class _Pipeline(CompilerBase):  # type: ignore[misc]
    """Numba's own passes, and ours where they can make use of it."""

    def define_pipelines(self) -> list[Any]:
        """Part of Numba's interface."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(_FoldStatics, InlineClosureLikes)
        passes.add_pass_after(_FoldStatics, InlineInlinables)
        passes.finalize()
        return [passes]


COMPILE_OPTIONS: dict[str, Any] = {
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": False,
    "pipeline_class": _Pipeline,
    "no_cfunc_wrapper": True,  # nothing of ours is called from C
}
"""How everything is compiled: without the interpreter's lock. Rules that write into a buffer, and helper functions, are
checked for writing beyond it; the rest is not."""

CALLEE_OPTIONS = COMPILE_OPTIONS | {"no_cpython_wrapper": True}
"""The same for what only compiled code calls: it is compiled in three quarters of the time if Python cannot call it."""


def native(function: Any, *, boundscheck: bool = False, inline: str = "never") -> Callable[[Any], Any]:
    """Decorate a function that, given the types of the arguments, returns what compiled code runs for `function`.

    Numba's `overload`, without its insistence that annotations agree.
    """
    options = COMPILE_OPTIONS | {"boundscheck": boundscheck}
    return overload(function, jit_options=options, strict=False, inline=inline)  # type: ignore[no-any-return]


def native_method(kind: Any, name: str) -> Callable[[Any], Any]:
    """The same for a method of a class of `Pointed` objects, or of a Numba type."""
    kind = getattr(kind, "_kind", kind)
    return overload_method(kind, name, jit_options=COMPILE_OPTIONS, strict=False)  # type: ignore[no-any-return]


def native_attribute(kind: Any, name: str) -> Callable[[Any], Any]:
    """The same for an attribute."""
    kind = getattr(kind, "_kind", kind)
    return overload_attribute(kind, name, jit_options=COMPILE_OPTIONS, strict=False)  # type: ignore[no-any-return]


class Static:
    """A value whose fields are part of its type, so that compiled code sees them as constants.

    Subclasses are frozen dataclasses of whole numbers, floats and truth values. A function compiled with one value
    holds none of the code that only another value would need.
    """

    @property
    def _numba_type_(self) -> Any:
        return _static_type(self)


class StaticType(types.Type):  # type: ignore[misc]
    """The Numba type of one such value."""

    def __init__(self, value: Static) -> None:
        super().__init__(repr(value))
        self.value = value

    def number(self, name: str) -> tuple[Any, Any]:
        """A field's Numba type, and the field."""
        found = getattr(self.value, name)
        kinds = {bool: types.boolean, int: types.int64, float: types.float64}
        return kinds[type(found)], found


@cache
def _static_type(value: Static) -> StaticType:
    """Made once for each value: at every call of a compiled function the types of its arguments are asked for."""
    return StaticType(value)


register_model(StaticType)(models.OpaqueModel)


@unbox(StaticType)
def _unbox_static(kind: Any, value: Any, c: Any) -> Any:
    return NativeValue(c.context.get_dummy_value())


@infer_getattr
class _StaticAttributes(AttributeTemplate):  # type: ignore[misc]
    key = StaticType

    def generic_resolve(self, kind: StaticType, name: str) -> Any:
        return kind.number(name)[0]


@lower_getattr_generic(StaticType)
def _lower_static(context: Any, builder: Any, kind: StaticType, value: Any, name: str) -> Any:
    return context.get_constant(*kind.number(name))
