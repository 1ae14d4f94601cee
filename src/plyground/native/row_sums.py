"""Sums of weighted rows of a matrix, kept in the machine's vector registers from the first row to the last.

This is what a layer of a network costs when most of its inputs are 0. Numba's own loops would read and write the sum
once for each row.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from plyground.native.overloads import native

__all__ = ["add_rows", "fill_sum"]

LANES = 32
_FLAGS = ("contract",)


def fill_sum(target: Any, start: Any, rows: Any, chosen: Any, values: Any, count: Any) -> None:
    """target = start + the sum of values[i] * rows[chosen[i]] for i below `count`; all float32, `chosen` int64.

    `rows` is contiguous, and its width a multiple of 32.
    """
    target[:] = start
    for i in range(count):
        target += values[i] * rows[chosen[i]]


def add_rows(rows: Any, chosen: Any, values: Any, count: Any, what: Any) -> None:
    """rows[chosen[i]] += values[i] * what, for i below `count`."""
    for i in range(count):
        rows[chosen[i]] += values[i] * what


def _data(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return make_array(kind)(context, builder, value).data


def _width(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return builder.extract_value(make_array(kind)(context, builder, value).shape, kind.ndim - 1)


def _spread(builder: Any, number: Any) -> Any:
    vector = ir.VectorType(number.type, LANES)
    first = builder.insert_element(ir.Constant(vector, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    places = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [ir.Constant(ir.IntType(32), 0)] * LANES)
    return builder.shuffle_vector(first, ir.Constant(vector, ir.Undefined), places)


def _at(builder: Any, data: Any, place: Any) -> Any:
    vector = ir.VectorType(data.type.pointee, LANES).as_pointer()
    return builder.bitcast(builder.gep(data, [place]), vector)


@intrinsic
def _fill_sum(_context: Any, target: Any, start: Any, rows: Any, chosen: Any, values: Any, count: Any) -> Any:
    kinds = (target, start, rows, chosen, values, count)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        into, begin, matrix, picks, weights = (
            _data(context, builder, kind, arg) for kind, arg in zip(kinds[:5], args[:5], strict=True)
        )
        width = _width(context, builder, target, args[0])
        step = ir.Constant(width.type, LANES)
        total = cgutils.alloca_once(builder, ir.VectorType(into.type.pointee, LANES))
        with cgutils.for_range_slice(builder, ir.Constant(width.type, 0), width, step) as (lane, _):
            builder.store(builder.load(_at(builder, begin, lane), align=4), total)
            with cgutils.for_range(builder, args[5]) as loop:
                row = builder.mul(builder.load(builder.gep(picks, [loop.index])), width)
                weight = _spread(builder, builder.load(builder.gep(weights, [loop.index])))
                numbers = builder.load(_at(builder, matrix, builder.add(row, lane)), align=4)
                product = builder.fmul(numbers, weight, flags=_FLAGS)
                builder.store(builder.fadd(builder.load(total), product, flags=_FLAGS), total)
            builder.store(builder.load(total), _at(builder, into, lane), align=4)
        return context.get_dummy_value()

    return types.void(*kinds), codegen


@intrinsic
def _add_rows(_context: Any, rows: Any, chosen: Any, values: Any, count: Any, what: Any) -> Any:
    kinds = (rows, chosen, values, count, what)

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        matrix, picks, weights, plus = (_data(context, builder, kinds[k], args[k]) for k in (0, 1, 2, 4))
        width = _width(context, builder, what, args[4])
        step = ir.Constant(width.type, LANES)
        with cgutils.for_range(builder, args[3]) as loop:
            row = builder.mul(builder.load(builder.gep(picks, [loop.index])), width)
            weight = _spread(builder, builder.load(builder.gep(weights, [loop.index])))
            with cgutils.for_range_slice(builder, ir.Constant(width.type, 0), width, step) as (lane, _):
                place = _at(builder, matrix, builder.add(row, lane))
                product = builder.fmul(builder.load(_at(builder, plus, lane), align=4), weight, flags=_FLAGS)
                builder.store(builder.fadd(builder.load(place, align=4), product, flags=_FLAGS), place, align=4)
        return context.get_dummy_value()

    return types.void(*kinds), codegen


@native(fill_sum)
def _fill_sum_compiled(target: Any, start: Any, rows: Any, chosen: Any, values: Any, count: Any) -> Any:
    return lambda target, start, rows, chosen, values, count: _fill_sum(target, start, rows, chosen, values, count)


@native(add_rows)
def _add_rows_compiled(rows: Any, chosen: Any, values: Any, count: Any, what: Any) -> Any:
    return lambda rows, chosen, values, count, what: _add_rows(rows, chosen, values, count, what)
