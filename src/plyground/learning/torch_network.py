"""A folded network on a GPU, or on the processor, as a judge of large batches.

On a GPU everything between the trees' planes and their answers, transfers included, is one recorded graph of fixed
size, in half precision, channels last; each worker has its own, on a stream of its own, so that one's transfers overlap
with the other's arithmetic. New weights are copied into the recorded graph's.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from plyground.learning.network import Shape, Weights

__all__ = ["TorchNetwork"]

ONE = [1, 1]


class TorchNetwork:
    """Judges up to `rows` positions at a time; written into its own `planes` they need not be copied."""

    def __init__(self, shape: Shape, rows: int, device: str) -> None:
        self.device = torch.device(device)
        self.on_gpu = self.device.type == "cuda"
        self.kind = torch.float16 if self.on_gpu else torch.float32
        self.shape = shape
        self._weights: dict[str, torch.Tensor] = {}
        self._given = torch.zeros((rows, *shape.planes), pin_memory=self.on_gpu)
        self._logits = torch.zeros((rows, shape.actions), pin_memory=self.on_gpu)
        self._values = torch.zeros(rows, pin_memory=self.on_gpu)
        self.planes: NDArray[np.float32] = self._given.numpy()
        self._graph: Any = None
        self._stream: Any = torch.cuda.Stream(self.device) if self.on_gpu else None  # type: ignore[no-untyped-call]
        # A thread that waits leaves its core to the others.
        self._done: Any = torch.cuda.Event(blocking=True) if self.on_gpu else None  # type: ignore[no-untyped-call]

    def load(self, weights: Weights) -> None:
        """Judge by these weights from now on."""
        for name, array in weights.items():
            tensor = torch.from_numpy(array).to(self.device, self.kind)
            if tensor.dim() == 4:
                tensor = tensor.contiguous(memory_format=torch.channels_last)
            if name in self._weights:
                self._weights[name].copy_(tensor)
            else:
                self._weights[name] = tensor
        if self.on_gpu:
            torch.cuda.synchronize(self.device)
            if self._graph is None:
                self._record()

    def __call__(self, planes: NDArray[np.float32]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        count = len(planes)
        if planes is not self.planes:
            self.planes[:count] = planes
        if self.on_gpu:
            with torch.cuda.stream(self._stream):
                self._graph.replay()
                self._done.record(self._stream)
            self._done.synchronize()
        else:
            self._forward()
        return self._logits.numpy()[:count], self._values.numpy()[:count]

    @torch.no_grad()
    def _record(self) -> None:
        torch.backends.cudnn.benchmark = True
        with torch.cuda.stream(self._stream):
            for _ in range(3):
                self._forward()
        torch.cuda.synchronize(self.device)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, stream=self._stream):
            self._forward()

    @torch.no_grad()
    def _forward(self) -> None:
        x = self._given.to(self.device, non_blocking=True).to(self.kind, memory_format=torch.channels_last)
        x = self._convolution(x, "stem")
        for number in range(self.shape.blocks):
            inner = self._convolution(x, f"block{number}.first")
            x = self._convolution(inner, f"block{number}.second", x)
        x = self._convolution(x, "head")
        policy, value = x.chunk(2, dim=1)
        logits = self._dense(policy.flatten(1), "policy")
        values = torch.tanh(self._dense(torch.relu(self._dense(value.flatten(1), "value_inner")), "value"))
        self._logits.copy_(logits, non_blocking=True)
        self._values.copy_(values.squeeze(1), non_blocking=True)

    def _convolution(self, x: torch.Tensor, name: str, added: torch.Tensor | None = None) -> torch.Tensor:
        """A convolution, what is added to it, and ReLU: one kernel on a GPU."""
        weight, bias = self._weights[f"{name}.weight"], self._weights[f"{name}.bias"]
        border = weight.shape[2] // 2
        if self.on_gpu:
            if added is None:
                return torch.cudnn_convolution_relu(x, weight, bias, ONE, [border, border], ONE, 1)
            return torch.cudnn_convolution_add_relu(x, weight, added, 1.0, bias, ONE, [border, border], ONE, 1)
        found = functional.conv2d(x, weight, bias, padding=border)
        return torch.relu(found if added is None else found + added)

    def _dense(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(x, self._weights[f"{name}.weight"], self._weights[f"{name}.bias"])
