"""The network of AlphaGo Zero: a tower of residual blocks with a policy head and a value head, in PyTorch.

Needs the extra ``learn``. A trained network is folded: what its normalisations do goes into the weights before them.
Folded weights are what is exported (`onnx_file`) and what plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption, MissingExtra

try:
    import torch
    from torch import nn
except ImportError:
    raise MissingExtra("training networks needs PyTorch: pip install 'plyground[learn]'") from None

__all__ = ["SIZES", "Network", "Shape", "folded", "named_size", "settle", "unfolded"]

Weights = dict[str, NDArray[np.float32]]

SIZES = {"tiny": (2, 32), "small": (4, 48), "medium": (5, 64), "large": (6, 128), "huge": (10, 128)}
"""Residual blocks and channels, by name."""


@dataclass(frozen=True)
class Shape:
    """What a network is made for: the planes (channels, rows, columns), the number of actions, and its own size."""

    planes: tuple[int, int, int]
    actions: int
    blocks: int
    channels: int


def named_size(name: str) -> tuple[int, int]:
    """Blocks and channels of a size such as ``small`` or ``6x128``."""
    if name in SIZES:
        return SIZES[name]
    blocks, times, channels = name.partition("x")
    if times and blocks.isdecimal() and channels.isdecimal() and 0 < int(blocks) <= 40 and 0 < int(channels) <= 512:
        return int(blocks), int(channels)
    raise BadOption(f"there is no size '{name}'; sizes: {', '.join(SIZES)}, or blocks x channels, such as 6x128")


class Block(nn.Module):
    """Two convolutions, and what came in added to what comes out."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.first_norm = nn.BatchNorm2d(channels)
        self.second = nn.Conv2d(channels, channels, 3, padding=1, bias=False)
        self.second_norm = nn.BatchNorm2d(channels)
        nn.init.zeros_(self.second_norm.weight)  # each block begins as the identity

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        inner = torch.relu(self.first_norm(self.first(x)))
        return torch.relu(x + self.second_norm(self.second(inner)))


class Network(nn.Module):
    """planes (n, channels, rows, columns) -> logits (n, actions), value (n,) from -1 to 1 for the player to move."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        inputs, rows, columns = shape.planes
        heads = head_channels(shape)
        self.stem = nn.Conv2d(inputs, shape.channels, 3, padding=1, bias=False)
        self.stem_norm = nn.BatchNorm2d(shape.channels)
        self.blocks = nn.ModuleList(Block(shape.channels) for _ in range(shape.blocks))
        self.head = nn.Conv2d(
            shape.channels, 2 * heads, 1, bias=False
        )  # of both heads: one pass over the tower's output
        self.head_norm = nn.BatchNorm2d(2 * heads)
        self.policy = nn.Linear(heads * rows * columns, shape.actions)
        self.value_inner = nn.Linear(heads * rows * columns, 64)
        self.value = nn.Linear(64, 1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        x = torch.relu(self.stem_norm(self.stem(planes)))
        for block in self.blocks:
            x = block(x)
        x = torch.relu(self.head_norm(self.head(x)))
        policy, value = x.chunk(2, dim=1)
        inner = torch.relu(self.value_inner(value.flatten(1)))
        return self.policy(policy.flatten(1)), torch.tanh(self.value(inner)).squeeze(1)


def head_channels(shape: Shape) -> int:
    """Channels of each head: few, because a dense layer follows."""
    return max(4, min(16, shape.channels // 8))


def folded(network: Network) -> Weights:
    """The weights with every normalisation folded into the convolution before it."""

    def fold(convolution: Any, norm: Any, name: str) -> Weights:
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        weight = convolution.weight * scale[:, None, None, None]
        bias = norm.bias - norm.running_mean * scale
        return {f"{name}.weight": array(weight), f"{name}.bias": array(bias)}

    def array(tensor: torch.Tensor) -> NDArray[np.float32]:
        return np.ascontiguousarray(tensor.detach().float().cpu().numpy())

    found = fold(network.stem, network.stem_norm, "stem")
    for number, block in enumerate(network.blocks):
        found |= fold(block.first, block.first_norm, f"block{number}.first")
        found |= fold(block.second, block.second_norm, f"block{number}.second")
    found |= fold(network.head, network.head_norm, "head")
    for name in ("policy", "value_inner", "value"):
        layer = getattr(network, name)
        found |= {f"{name}.weight": array(layer.weight), f"{name}.bias": array(layer.bias)}
    return found


def unfolded(weights: Weights, rows: int, columns: int) -> Network:
    """A network that says what these folded weights say, ready to learn on: its normalisations change nothing yet.

    A file does not say how large the board is.
    """
    channels, inputs = weights["stem.weight"].shape[:2]
    blocks = sum(name.endswith("first.weight") for name in weights)
    network = Network(Shape((inputs, rows, columns), len(weights["policy.bias"]), blocks, channels))

    def put(convolution: Any, norm: Any, name: str) -> None:
        convolution.weight.copy_(torch.from_numpy(weights[f"{name}.weight"]))
        norm.bias.copy_(torch.from_numpy(weights[f"{name}.bias"]))
        norm.weight.fill_(1.0)
        norm.running_var.fill_(1.0 - norm.eps)

    with torch.no_grad():
        put(network.stem, network.stem_norm, "stem")
        for number, block in enumerate(network.blocks):
            put(block.first, block.first_norm, f"block{number}.first")
            put(block.second, block.second_norm, f"block{number}.second")
        put(network.head, network.head_norm, "head")
        for name in ("policy", "value_inner", "value"):
            layer = getattr(network, name)
            layer.weight.copy_(torch.from_numpy(weights[f"{name}.weight"]))
            layer.bias.copy_(torch.from_numpy(weights[f"{name}.bias"]))
    return network.eval()


@torch.no_grad()
def settle(network: Network, planes: torch.Tensor) -> None:
    """Let the normalisations of an unfolded network take their mean and variance from these positions.

    What it says stays the same. But in training normalisations go by what is in the batch, and now that is what they
    are used to, so that the first steps go on where the network was.
    """

    def take(norm: Any, seen: tuple[torch.Tensor]) -> None:
        variance, mean = torch.var_mean(seen[0], dim=(0, 2, 3), correction=0)
        scale = norm.weight / torch.sqrt(norm.running_var + norm.eps)
        norm.bias.add_((mean - norm.running_mean) * scale)
        norm.weight.copy_(scale * torch.sqrt(variance + norm.eps))
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)

    norms = [module for module in network.modules() if isinstance(module, nn.BatchNorm2d)]
    hooks = [norm.register_forward_pre_hook(take) for norm in norms]
    network.eval()
    network(planes)
    for hook in hooks:
        hook.remove()
