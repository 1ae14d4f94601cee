"""Networks as ONNX files: written from folded weights, read and run by onnxruntime, which playing needs alone.

The graph is written node by node, so that what is in the file is what is in this module: convolutions with their bias,
ReLU, sums, and the two heads. The file says of itself for which game it is and how it was made.

Weights are kept in half precision and widened when the file is loaded, or the whole tower computes with bytes
(`quantised`): two to three times as fast on processors that know how, at a loss that play does not notice. Then every
tensor between two layers has a scale, found by looking at some positions, and what a byte cannot hold, everything
below zero first of all, is cut off: that is the ReLU.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.files import read_file
from plyground.errors import FormatError, MissingExtra
from plyground.learning.onnx_graph import LARGEST, read_graph

__all__ = ["OnnxNetwork", "load_network", "onnx_bytes", "quantised", "stored_weights"]

OPSET = 17
DIGEST = "digest"
BLANK = "0" * 64
WEIGHT_LIMIT = 127
"""Quantised weights go from minus this to this. Processors without VNNI add products in pairs of 16 bits, which the
largest of both could overflow; with half the limit they could not, but values would be half as precise again."""
COVERED = 0.9999
"""The share of what flows between layers that bytes hold exactly enough; the rest is cut off."""

Weights = dict[str, NDArray[np.float32]]
Ranges = dict[str, tuple[float, float]]


def onnx_bytes(weights: Weights, facts: dict[str, str], *, half: bool = True) -> bytes:
    """An ONNX file with these folded weights; `facts` are kept in it as they are, the game's spec as ``game``."""
    return _Writer(weights, half=half).file(facts)


def quantised(weights: Weights, facts: dict[str, str], planes: NDArray[np.float32]) -> bytes:
    """The same, of bytes; `planes` are some positions such as the network will see."""
    watching = _Writer(weights, half=False, watched=True)
    session = _session(watching.file({}))
    names = [name for name in watching.flows.values() if name != "planes"]
    seen = dict(zip(names, session.run(names, {"planes": planes}), strict=True)) | {"planes": planes}
    ranges = {}
    for source, name in watching.flows.items():
        low, high = np.quantile(seen[name], [1.0 - COVERED, COVERED])
        ranges[source] = float(low), float(high)
    return _Writer(weights, half=True, ranges=ranges).file(facts)


class _Writer:
    """Writes one file. With `ranges` of what flows between layers the tower is quantised; `watched`, it can be seen."""

    def __init__(self, weights: Weights, *, half: bool, ranges: Ranges | None = None, watched: bool = False) -> None:
        try:
            import onnx
        except ImportError:
            raise MissingExtra("writing networks needs onnx: pip install 'plyground[learn]'") from None
        self._onnx: Any = onnx
        self._weights, self._half, self._ranges = weights, half, ranges
        self._nodes: list[Any] = []
        self._stored: list[Any] = []
        self._scales: dict[str, float] = {}
        self.flows: dict[str, str] = {}
        """What layers put out, and what the next ones see of it."""
        self._tower()
        self._watched = self.flows if watched else {}

    def file(self, facts: dict[str, str]) -> bytes:
        """The whole file."""
        helper, kind, weights = self._onnx.helper, self._onnx.TensorProto.FLOAT, self._weights
        planes = helper.make_tensor_value_info(
            "planes", kind, ["n", weights["stem.weight"].shape[1], "rows", "columns"]
        )
        logits = helper.make_tensor_value_info("logits", kind, ["n", len(weights["policy.bias"])])
        value = helper.make_tensor_value_info("value", kind, ["n", 1])
        shape = ["n", None, "rows", "columns"]
        others = [
            helper.make_tensor_value_info(name, kind, shape) for name in self._watched.values() if name != "planes"
        ]
        graph = helper.make_graph(self._nodes, "plyground", [planes], [logits, value, *others], self._stored)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=8)
        helper.set_model_props(model, facts | {DIGEST: BLANK})
        self._onnx.checker.check_model(model)
        data = bytes(model.SerializeToString())
        return data.replace(BLANK.encode(), hashlib.sha256(data).hexdigest().encode())

    def _tower(self) -> None:
        x = self._flow("planes")
        x = self._flow(self._convolution(x, "stem", "stem"), relu=True)
        for number in range(sum(name.endswith("first.weight") for name in self._weights)):
            name = f"block{number}"
            inner = self._flow(self._convolution(x, f"{name}.first", f"{name}.inner"), relu=True)
            second = self._flow(self._convolution(inner, f"{name}.second", f"{name}.outer"))
            x = self._flow(self._add("Add", [second, x], f"{name}.sum"), relu=True)
        # The heads are small, and computed as they are.
        heads = self._add("Relu", [self._convolution(x, "head", "head", self._tensors("head"))], "head.relu")
        self._nodes.append(self._onnx.helper.make_node("Split", [heads], ["policy.in", "value.in"], axis=1))
        self._dense(self._add("Flatten", ["policy.in"], "policy.flat"), "policy", "logits")
        inner = self._dense(self._add("Flatten", ["value.in"], "value.flat"), "value_inner", "value.1")
        self._add("Tanh", [self._dense(self._add("Relu", [inner], "value.2"), "value", "value.3")], "value")

    def _add(self, kind: str, inputs: list[str], output: str, **options: Any) -> str:
        self._nodes.append(self._onnx.helper.make_node(kind, inputs, [output], **options))
        return output

    def _store(self, array: NDArray[Any], name: str) -> str:
        self._stored.append(self._onnx.numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def _tensor(self, name: str) -> str:
        """A tensor of weights as it is."""
        if not self._half:
            return self._store(self._weights[name], name)
        stored = self._store(self._weights[name].astype(np.float16), name + ".half")
        return self._add("Cast", [stored], name, to=self._onnx.TensorProto.FLOAT)

    def _flow(self, source: str, *, relu: bool = False) -> str:
        """What comes out of a layer, with ReLU or without, as the next one sees it."""
        if self._ranges is None:
            found = self._add("Relu", [source], source + ".relu") if relu else source
            self.flows[source] = found
            return found
        low, high = self._ranges[source]
        low = min(low, 0.0)
        scale = max(high - low, 1e-6) / 255
        found, zero = source + ".seen", np.array(round(-low / scale), np.uint8)
        given = [self._store(np.array(scale, np.float32), found + ".scale"), self._store(zero, found + ".zero")]
        self._scales[found] = scale
        self._add("QuantizeLinear", [source, *given], found + ".bytes")
        return self._add("DequantizeLinear", [found + ".bytes", *given], found)

    def _convolution(self, source: str, name: str, output: str, filters: list[str] | None = None) -> str:
        size = self._weights[f"{name}.weight"].shape[2]
        given = [source, *(filters or self._filters(source, name))]
        return self._add("Conv", given, output, kernel_shape=[size, size], pads=[size // 2] * 4)

    def _tensors(self, name: str) -> list[str]:
        """Weights and bias of a layer as they are."""
        return [self._tensor(f"{name}.weight"), self._tensor(f"{name}.bias")]

    def _filters(self, source: str, name: str) -> list[str]:
        """Weights and bias of a convolution; quantised, each of its outputs has a scale of its own."""
        if self._ranges is None:
            return self._tensors(name)
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        scales = np.maximum(np.abs(weight).reshape(len(weight), -1).max(1), 1e-9) / WEIGHT_LIMIT
        sums = scales * self._scales[source]
        found = []
        for what, numbers, by in (
            ("weight", np.rint(weight / scales[:, None, None, None]).astype(np.int8), scales),
            ("bias", np.clip(np.rint(bias / sums), -(2**31) + 1, 2**31 - 1).astype(np.int32), sums),
        ):
            stored = self._store(numbers, f"{name}.{what}.bytes")
            scale = self._store(by.astype(np.float32), f"{name}.{what}.scale")
            zero = self._store(np.zeros(len(by), numbers.dtype), f"{name}.{what}.zero")
            found.append(self._add("DequantizeLinear", [stored, scale, zero], f"{name}.{what}", axis=0))
        return found

    def _dense(self, source: str, name: str, output: str) -> str:
        return self._add("Gemm", [source, *self._tensors(name)], output, transB=1)


def stored_weights(data: bytes) -> dict[str, NDArray[np.float32]]:
    """The folded weights in a file, as precise as it holds them."""
    import onnx
    from onnx import numpy_helper

    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in onnx.load_from_string(data).graph.initializer}
    found = {}
    for name, array in stored.items():
        whole, _, kind = name.rpartition(".")
        if kind == "bytes":
            scales = stored[whole + ".scale"]
            found[whole] = (array * scales.reshape(-1, *[1] * (array.ndim - 1))).astype(np.float32)
        elif kind not in ("scale", "zero"):
            found[name.removesuffix(".half")] = array.astype(np.float32)
    return found


def is_whole(data: bytes, digest: str) -> bool:
    """Whether a file is as it was written: its digest is that of the file with a blank in the digest's place."""
    blank = data.replace(digest.encode(), BLANK.encode())
    return len(digest) == len(BLANK) and hashlib.sha256(blank).hexdigest() == digest


def _session(data: bytes, threads: int = 1) -> Any:
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")  # it would write to the home folder, and tell its makers
    try:
        import onnxruntime
    except ImportError:
        raise MissingExtra("playing with a network needs onnxruntime: pip install onnxruntime") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 4
    return onnxruntime.InferenceSession(data, options, providers=["CPUExecutionProvider"])


class OnnxNetwork:
    """A network from a file, run by onnxruntime on the processor: a `Judge`."""

    def __init__(self, data: bytes, name: str, threads: int = 1) -> None:
        self.data, self.name = data, name
        try:
            self.facts, self.channels, self.actions = read_graph(data)
            if not is_whole(data, self.facts.get(DIGEST, "")):
                raise ValueError("its digest does not agree with it")
            self._session = _session(data, threads)
        except MissingExtra:
            raise
        except Exception as error:  # onnxruntime has an error class for each way in which a file can be wrong
            reason = f": {error}" if isinstance(error, ValueError) else ""
            raise FormatError(f"{name} is not a network of Plyground, or it is damaged{reason}") from None

    def __call__(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        try:
            logits, value = self._session.run(None, {"planes": planes})
        except Exception:  # as above
            raise FormatError(f"{self.name} cannot judge planes of shape {planes.shape}: it is damaged") from None
        if not (np.isfinite(value).all() and np.isfinite(logits).all()):
            raise FormatError(f"{self.name} computes what is not a number: it is damaged")
        return logits, value[:, 0]


def load_network(path: Path, threads: int = 1) -> OnnxNetwork:
    """The network in a file; `FormatError` if the file is not one."""
    return OnnxNetwork(read_file(path, "network", LARGEST), str(path), threads)
