"""What is in an ONNX file, looked at before anything runs it.

A file of some hundred bytes can ask for gigabytes, or loop for ever. So the graph is read from the file's bytes, and
accepted only if it is one such as `onnx_file` writes: of its operators with its options, all weights in the file, and
every tensor of a shape that follows from theirs. The format is that of Protocol Buffers: numbered fields, of which
those that a network needs are listed here, and any other is refused.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

__all__ = ["NetworkGraph", "read_graph"]

LARGEST = 1 << 28
MOST_NODES = 4096
MOST_CHANNELS = 1024
MOST_ACTIONS = 1 << 16
LARGEST_KERNEL = 15
FLOAT = 1
KINDS = {FLOAT: np.float32, 2: np.uint8, 3: np.int8, 6: np.int32, 10: np.float16}
"""The numbers that stand for kinds of numbers."""

# Fields of each message, and how many of each there may be.
MODEL = {1: 1, 7: 1, 8: 1, 14: 64}  # version, graph, set of operators, facts
GRAPH = {1: MOST_NODES, 2: 1, 5: MOST_NODES, 11: 1, 12: 2}  # nodes, name, stored tensors, inputs, outputs
NODE = {1: 3, 2: 2, 4: 1, 5: 4}  # inputs, outputs, operator, attributes
ATTRIBUTE = {1: 1, 3: 1, 8: 8, 20: 1}  # name, number, numbers, kind
TENSOR = {1: 8, 2: 1, 8: 1, 9: 1}  # shape, kind, name, bytes
OPERATORS = {1: 1, 2: 1}  # domain, version
PAIR = {1: 1, 2: 1}
DIMENSION = {1: 1, 2: 1}  # a number, or a name

Fields = dict[int, list[int | bytes]]


class NetworkGraph(NamedTuple):
    """What a file says of itself, and the sizes of its input and its policy."""

    facts: dict[str, str]
    channels: int
    actions: int


class _Shape(NamedTuple):
    """What is known of a tensor: one of weights has all lengths; of what flows, `size` are its channels or numbers."""

    kind: str
    """stored, map (n, channels, rows, columns) or flat (n, numbers)"""
    size: int | None = None
    lengths: tuple[int, ...] = ()


def read_graph(data: bytes) -> NetworkGraph:
    """The graph of a network in a file; `ValueError` says why it is none."""
    if len(data) > LARGEST:
        raise ValueError(f"it has more than {LARGEST:,} bytes")
    model = _fields(data, MODEL, "the file")
    operators = _fields(_bytes(model, 8), OPERATORS, "the set of operators")
    if _text(operators, 1, ""):
        raise ValueError("its operators are not those of ONNX itself")
    graph = _fields(_bytes(model, 7), GRAPH, "the graph")
    tensors = dict(_stored(part) for part in graph.get(5, []))
    channels = _planes(_bytes(graph, 11))
    tensors["planes"] = _Shape("map", channels)
    for part in graph.get(1, []):
        for name, shape in _computed(part, tensors):
            if name in tensors:
                raise ValueError(f"two tensors are called {name[:40]!r}")
            tensors[name] = shape
    outputs = [_text(_fields(part, {1: 1, 2: 1}, "an output"), 1) for part in graph.get(12, [])]
    logits, value = (tensors.get(name, _Shape("nothing")) for name in ("logits", "value"))
    if outputs != ["logits", "value"] or logits.kind != "flat" or logits.size is None or value != _Shape("flat", 1):
        raise ValueError("its outputs are not logits and a value")
    pairs = [_fields(part, PAIR, "a fact") for part in model.get(14, [])]
    return NetworkGraph({_text(pair, 1): _text(pair, 2, "") for pair in pairs}, channels, logits.size)


# The graph ----------------------------------------------------------------------------------------------------------


def _planes(part: bytes) -> int:
    """The channels of the input, the one of its lengths that the network decides."""
    value = _fields(part, {1: 1, 2: 1}, "the input")
    kind = _fields(_bytes(_fields(_bytes(value, 2), {1: 1}, "the input"), 1), {1: 1, 2: 1}, "the input")
    shape = _fields(_bytes(kind, 2), {1: 4}, "the input").get(1, [])
    lengths = [_fields(part, DIMENSION, "the input") for part in shape]
    fixed = [1 in length for length in lengths]
    if _text(value, 1) != "planes" or _number(kind, 1) != FLOAT or fixed != [False, True, False, False]:
        raise ValueError("its input is not planes (n, channels, rows, columns)")
    return _within(_number(lengths[1], 1), MOST_CHANNELS, "channels")


def _stored(part: int | bytes) -> tuple[str, _Shape]:
    tensor = _fields(part, TENSOR, "a stored tensor")
    name, kind = _text(tensor, 8), KINDS.get(_number(tensor, 2))
    lengths = tuple(_numbers(tensor, 1))
    data = _bytes(tensor, 9)
    if kind is None or len(lengths) > 4 or not all(0 < length <= LARGEST for length in lengths):
        raise ValueError(f"{name[:40]!r} is no tensor of weights")
    if len(data) != math.prod(lengths) * np.dtype(kind).itemsize:
        raise ValueError(f"{name[:40]!r} has {len(data):,} bytes, which are not {'x'.join(map(str, lengths))} numbers")
    if kind in (np.float16, np.float32) and not np.isfinite(np.frombuffer(data, kind)).all():
        raise ValueError(f"{name[:40]!r} has weights that are not finite")
    return name, _Shape("stored", None, lengths)


def _computed(part: int | bytes, tensors: Mapping[str, _Shape]) -> Iterator[tuple[str, _Shape]]:
    """The tensors that a node puts out."""
    node = _fields(part, NODE, "a node")
    operator = _text(node, 4)
    outputs = [_decoded(name) for name in node.get(2, [])]
    given = []
    for name in map(_decoded, node.get(1, [])):
        if name not in tensors:
            raise ValueError(f"a {operator[:40]} has an input {name[:40]!r} that is not there")
        given.append(tensors[name])
    options = dict(_attribute(attribute) for attribute in node.get(5, []))
    shape = _shape_after(operator, given, options)
    if shape is None or len(outputs) != (2 if operator == "Split" else 1):
        raise ValueError(f"an operator {operator[:40]!r} with {options} on {[one.kind for one in given]} is not known")
    for name in outputs:
        yield name, shape


def _shape_after(operator: str, given: list[_Shape], options: dict[str, list[int]]) -> _Shape | None:
    """What an operator makes of tensors; None if it is not one that our networks have."""
    first = given[0] if given else _Shape("nothing")
    kinds, lengths = [one.kind for one in given], [one.lengths for one in given[1:]]
    match operator:
        case "Relu" | "Tanh" if kinds in (["map"], ["flat"]) and not options:
            return first
        case "Flatten" if kinds == ["map"] and not options:
            return _Shape("flat")
        case "Split" if kinds == ["map"] and options == {"axis": [1]} and first.size and first.size % 2 == 0:
            return _Shape("map", first.size // 2)
        case "Add" if kinds == ["map", "map"] and first == given[1] and not options:
            return first
        case "Cast" if kinds == ["stored"] and options == {"to": [FLOAT]}:
            return first
        case "QuantizeLinear" | "DequantizeLinear" if kinds == ["map", "stored", "stored"] and not options:
            return first if lengths == [(), ()] else None
        case "DequantizeLinear" if kinds == ["stored"] * 3 and options == {"axis": [0]}:
            return first if lengths == [first.lengths[:1]] * 2 else None
        case "Conv" if kinds == ["map", "stored", "stored"] and len(lengths[0]) == 4:
            outputs, inputs, size, _ = lengths[0]
            usual = {"kernel_shape": [size, size], "pads": [size // 2] * 4}
            fits = lengths == [(outputs, inputs, size, size), (outputs,)] and inputs == first.size and options == usual
            if fits and size % 2 and size <= LARGEST_KERNEL:
                return _Shape("map", _within(outputs, MOST_CHANNELS, "channels"))
        case "Gemm" if kinds == ["flat", "stored", "stored"] and len(lengths[0]) == 2:
            outputs, inputs = lengths[0]
            if lengths[1] == (outputs,) and options == {"transB": [1]} and first.size in (None, inputs):
                return _Shape("flat", _within(outputs, MOST_ACTIONS, "outputs"))
    return None


def _attribute(part: int | bytes) -> tuple[str, list[int]]:
    attribute = _fields(part, ATTRIBUTE, "an attribute")
    numbers = _numbers(attribute, 3) + _numbers(attribute, 8)
    return _text(attribute, 1), numbers


def _within(number: int, most: int, what: str) -> int:
    if not 0 < number <= most:
        raise ValueError(f"it has {number:,} {what}, and may have {most:,}")
    return number


# Protocol Buffers ---------------------------------------------------------------------------------------------------


def _fields(data: int | bytes, known: Mapping[int, int], what: str) -> Fields:
    """The fields of a message by number: whole numbers, or the bytes of texts and of messages inside."""
    if isinstance(data, int):
        raise ValueError(f"{what} is a number")
    found: Fields = {}
    at = 0
    while at < len(data):
        key, at = _varint(data, at)
        number, wire = key >> 3, key & 7
        value: int | bytes
        if wire == 0:
            value, at = _varint(data, at)
        elif wire == 2:
            length, at = _varint(data, at)
            value = data[at : at + length]
            at += length
            if at > len(data):
                raise ValueError(f"{what} ends too early")
        else:
            raise ValueError(f"{what} has a field {number} of a kind that is not known")
        if number not in known:
            raise ValueError(f"{what} has a field {number} that no network of ours has")
        found.setdefault(number, []).append(value)
        if len(found[number]) > known[number]:
            raise ValueError(f"{what} has more than {known[number]} of its field {number}")
    return found


def _varint(data: bytes, at: int) -> tuple[int, int]:
    number = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        number |= (byte & 127) << shift
        if byte < 128:
            return number - (1 << 64) if number >= 1 << 63 else number, at
    raise ValueError("a number in it has no end")


def _bytes(fields: Fields, number: int) -> bytes:
    value = fields.get(number, [None])[0]
    if not isinstance(value, bytes):
        raise ValueError(f"it has no field {number}")
    return value


def _number(fields: Fields, number: int) -> int:
    value = fields.get(number, [None])[0]
    if not isinstance(value, int):
        raise ValueError(f"it has no number in field {number}")
    return value


def _numbers(fields: Fields, number: int) -> list[int]:
    """A list of numbers, each in a field of its own or all in one."""
    found: list[int] = []
    for value in fields.get(number, []):
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value) and len(found) <= 8:
            part, at = _varint(value, at)
            found.append(part)
    if len(found) > 8:
        raise ValueError("a list of numbers is too long")
    return found


def _text(fields: Fields, number: int, otherwise: str | None = None) -> str:
    if number not in fields and otherwise is not None:
        return otherwise
    return _bytes(fields, number).decode()


def _decoded(value: int | bytes) -> str:
    if isinstance(value, int):
        raise ValueError("a name is a number")
    return value.decode()
