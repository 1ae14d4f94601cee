"""Machine instructions on several numbers at once, which LLVM lowers to AVX2, AVX-512 or NEON.

A function under `vectorised` is run once, while machine code is made, and what it does with its arguments is the code:

    @vectorised(np.uint64, np.uint64, returns=np.uint64)
    def neighbours(word, board):
        steps = (1, 7, 8, 9)
        return ((word.spread(4) << steps) | (word.spread(4) >> steps)).union() & board

Arguments and results are single numbers; addresses are uint64. Only compiled code can call it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import from_dtype, types
from numba.extending import intrinsic

__all__ = ["LEADING_ZEROS_ARE_FAST", "Lanes", "fold_bits", "load", "save", "vectorised", "wide_product"]

LEADING_ZEROS_ARE_FAST: bool = binding.get_host_cpu_features().get("avx512cd", False)
"""Whether this machine counts the leading zeros of all lanes in one instruction."""

_HALF = ir.IntType(32)


class Lanes:
    """A number, or several side by side, in code that is being made. Operators work lane by lane and wrap around.

    The other operand is of the same type, or a constant: a whole number for every lane, or a sequence with one for
    each. ``>>`` moves the sign down in numbers that have one.
    """

    def __init__(self, builder: Any, value: Any, dtype: Any) -> None:
        self.builder, self.value, self.dtype = builder, value, np.dtype(dtype)

    def __add__(self, other: Any) -> Lanes:
        return self._with("add", other)

    def __sub__(self, other: Any) -> Lanes:
        return self._with("sub", other)

    def __mul__(self, other: Any) -> Lanes:
        return self._with("mul", other)

    def __and__(self, other: Any) -> Lanes:
        return self._with("and_", other)

    def __or__(self, other: Any) -> Lanes:
        return self._with("or_", other)

    def __lshift__(self, other: Any) -> Lanes:
        return self._with("shl", other)

    def __rshift__(self, other: Any) -> Lanes:
        return self._with("ashr" if self.dtype.kind == "i" else "lshr", other)

    def __invert__(self) -> Lanes:
        return self._same(self.builder.not_(self.value))

    def __neg__(self) -> Lanes:
        return self.constant(0) - self

    def constant(self, number: int) -> Lanes:
        """This number in every lane, of the same type."""
        return self._same(self._constant(number))

    def spread(self, lanes: int) -> Lanes:
        """This number in n lanes."""
        undefined = ir.Constant(ir.VectorType(self.value.type, lanes), ir.Undefined)
        first = self.builder.insert_element(undefined, self.value, ir.Constant(_HALF, 0))
        return self._same(self.builder.shuffle_vector(first, undefined, _numbers([0] * lanes)))

    def lane(self, place: int) -> Lanes:
        """The number in one lane."""
        return self._same(self.builder.extract_element(self.value, ir.Constant(_HALF, place)))

    def chosen(self, places: Sequence[int]) -> Lanes:
        """The numbers in these lanes."""
        return self._same(self.builder.shuffle_vector(self.value, self.value, _numbers(places)))

    def to(self, dtype: Any) -> Lanes:
        """The same numbers of another width; where they do not fit, their lowest bits."""
        wider = "sext" if self.dtype.kind == "i" else "zext"
        change = wider if np.dtype(dtype).itemsize > self.dtype.itemsize else "trunc"
        return Lanes(self.builder, getattr(self.builder, change)(self.value, _type(dtype, self._count)), dtype)

    def bits_as(self, dtype: Any) -> Lanes:
        """The same bits read as numbers of another width."""
        count = self._count * self.dtype.itemsize // np.dtype(dtype).itemsize
        return Lanes(self.builder, self.builder.bitcast(self.value, _type(dtype, count)), dtype)

    def clamped(self, least: int, most: int) -> Lanes:
        """Numbers beyond these bounds become the bounds."""
        value = self.value
        for bound, relation in ((self._constant(least), "<"), (self._constant(most), ">")):
            value = self.builder.select(self.builder.icmp_signed(relation, value, bound), bound, value)
        return self._same(value)

    def where_not_zero(self) -> Lanes:
        """All bits set in the lanes that are not 0, none in the others."""
        differs = self.builder.icmp_unsigned("!=", self.value, self._constant(0))
        return self._same(self.builder.sext(differs, self.value.type))

    def leading_zeros(self) -> Lanes:
        """How many zeros come before the highest set bit of each lane; no lane may be 0."""
        flag = ir.IntType(1)
        return self._same(self._call("ctlz", self.value.type, [(self.value.type, self.value), (flag, flag(1))]))

    def union(self) -> Lanes:
        """The bits that are set in any lane, as one number."""
        return self._reduced("or")

    def sum(self) -> Lanes:
        """The sum of all lanes, as one number."""
        return self._reduced("add")

    @property
    def _count(self) -> int:
        return getattr(self.value.type, "count", 0)

    def _same(self, value: Any) -> Lanes:
        return Lanes(self.builder, value, self.dtype)

    def _with(self, operation: str, other: Any) -> Lanes:
        value = other.value if isinstance(other, Lanes) else self._constant(other)
        return self._same(getattr(self.builder, operation)(self.value, value))

    def _constant(self, numbers: int | Sequence[int]) -> Any:
        if not self._count:
            return ir.Constant(self.value.type, numbers)
        each = [numbers] * self._count if isinstance(numbers, int) else numbers
        return ir.Constant(self.value.type, [ir.Constant(self.value.type.element, number) for number in each])

    def _reduced(self, operation: str) -> Lanes:
        kind = self.value.type
        return self._same(self._call(f"vector.reduce.{operation}", kind.element, [(kind, self.value)]))

    def _call(self, name: str, returns: Any, arguments: list[tuple[Any, Any]]) -> Any:
        kind = ir.FunctionType(returns, [kind for kind, _ in arguments])
        full = f"llvm.{name}.v{self._count}i{8 * self.dtype.itemsize}"
        function = self.builder.module.declare_intrinsic(full, fnty=kind)
        return self.builder.call(function, [value for _, value in arguments])


def load(address: Lanes, dtype: Any, lanes: int = 0, index: Lanes | None = None) -> Lanes:
    """The number of this type at an address, or `lanes` of them; with `index`, that many numbers further on."""
    builder = address.builder
    pointer = builder.inttoptr(address.value, _type(dtype, lanes).as_pointer())
    if index is not None:
        pointer = builder.gep(pointer, [index.value])
    return Lanes(builder, builder.load(pointer, align=np.dtype(dtype).itemsize), dtype)


def save(numbers: Lanes, address: Lanes) -> None:
    """Write numbers at an address."""
    builder = numbers.builder
    pointer = builder.inttoptr(address.value, numbers.value.type.as_pointer())
    builder.store(numbers.value, pointer, align=numbers.dtype.itemsize)


def wide_product(one: Lanes, other: Lanes) -> Lanes:
    """The products of 16-bit numbers, in 32 bits."""
    numbers = (side.to(np.int32).value for side in (one, other))
    return Lanes(one.builder, one.builder.mul(*numbers, flags=["nsw"]), np.int32)


def fold_bits(word: Lanes, start: Lanes, step: Callable[[Lanes, Lanes], Lanes]) -> Lanes:
    """What ``total = step(total, index)`` makes of `start`, for the index of every set bit; there must be one."""
    builder = word.builder
    before, loop, after = builder.block, builder.append_basic_block("bit"), builder.append_basic_block("bits")
    builder.branch(loop)
    builder.position_at_end(loop)
    total, left = (first._same(builder.phi(first.value.type)) for first in (start, word))
    index = word._same(builder.cttz(left.value, ir.Constant(ir.IntType(1), 1)))
    total_now, left_now = step(total, index), left & (left - 1)
    for value, first, later in ((total, start, total_now), (left, word, left_now)):
        value.value.add_incoming(first.value, before)
        value.value.add_incoming(later.value, loop)
    builder.cbranch(builder.icmp_unsigned("!=", left_now.value, word._constant(0)), loop, after)
    builder.position_at_end(after)
    return total_now


def vectorised(*dtypes: Any, returns: Any = None) -> Callable[[Callable[..., Any]], Any]:
    """Make what the decorated function does with its arguments a function of compiled code. See the module's text."""

    def decorate(function: Callable[..., Any]) -> Any:
        kind = types.void if returns is None else from_dtype(np.dtype(returns))
        signature = kind(*(from_dtype(np.dtype(dtype)) for dtype in dtypes))

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            answer = function(*(Lanes(builder, value, dtype) for value, dtype in zip(args, dtypes, strict=True)))
            return context.get_dummy_value() if answer is None else answer.value

        @functools.wraps(function)
        def typed(_context: Any, *args: Any) -> Any:
            return signature, codegen

        own = inspect.signature(function)  # Numba wants the arguments by their names, after its own one
        context = inspect.Parameter("_context", inspect.Parameter.POSITIONAL_OR_KEYWORD)
        typed.__signature__ = own.replace(parameters=[context, *own.parameters.values()])  # type: ignore[attr-defined]
        return intrinsic(typed)

    return decorate


def _type(dtype: Any, lanes: int) -> Any:
    number = ir.IntType(8 * np.dtype(dtype).itemsize)
    return ir.VectorType(number, lanes) if lanes else number


def _numbers(numbers: Sequence[int]) -> Any:
    return ir.Constant(ir.VectorType(_HALF, len(numbers)), [ir.Constant(_HALF, number) for number in numbers])
