"""One network in training: steps of gradient descent on batches of positions, and the average that plays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import torch
from torch.nn import functional

from plyground.learning.network import Network, Shape, Weights, folded, settle, unfolded
from plyground.learning.replay_buffer import Batch

__all__ = ["Learner", "Losses", "learning_rate", "mean_losses", "optimiser_contents"]

AVERAGE = 0.998
"""What is left of the average of the weights at each step: it follows them 500 steps later, at first sooner."""


@dataclass(frozen=True)
class Losses:
    """Cross-entropy of the policy, how much of it is the target's own entropy, and squared error of the value."""

    policy: float
    entropy: float
    value: float


def learning_rate(highest: float, progress: float) -> float:
    """A quick rise, then half a cosine down to a fiftieth; `progress` goes from 0 to 1."""
    if progress < 0.02:
        return highest * (0.1 + 0.9 * progress / 0.02)
    return highest * (0.02 + 0.98 * 0.5 * (1.0 + math.cos(math.pi * min(1.0, progress))))


class Learner:
    """A network, its optimiser (AdamW), and the running average of its weights, on one device."""

    def __init__(self, shape: Shape, *, seed: int = 0, device: str = "cpu", decay: float = 1e-4) -> None:
        torch.manual_seed(seed)
        self.device = torch.device(device)
        # PyTorch's own types do not know that a module can be laid out with channels last.
        self.network: Any = Network(shape)
        self.average: Any = Network(shape)
        networks: list[Any] = [self.network, self.average]
        for network in networks:
            network.to(self.device, memory_format=torch.channels_last)
        self.average.load_state_dict(self.network.state_dict())
        self.average.eval()
        self.optimiser = torch.optim.AdamW(self.network.parameters(), lr=1e-3, weight_decay=decay)
        self.steps = 0
        self._unsettled = False

    def begin_with(self, weights: Weights) -> None:
        """Learn on from folded weights of this shape."""
        known = unfolded(weights, *self.network.shape.planes[1:]).state_dict()
        self.network.load_state_dict(known)
        self.average.load_state_dict(known)
        self._unsettled = True

    def step(self, batch: Batch, rate: float, value_weight: float = 1.0) -> tuple[torch.Tensor, ...]:
        """Learn from a batch; the losses are left on the device, for nobody waits for them."""
        planes = torch.from_numpy(batch.planes).to(self.device, non_blocking=True)
        planes = planes.contiguous(memory_format=torch.channels_last)
        if self._unsettled:
            settle(self.network, planes)
            self.average.load_state_dict(self.network.state_dict())
            self._unsettled = False
        policies = torch.from_numpy(batch.policies).to(self.device, non_blocking=True)
        values = torch.from_numpy(batch.values).to(self.device, non_blocking=True)
        logits, guesses = self.judged(planes)
        shares = functional.log_softmax(logits, dim=1)
        policy = -(policies * shares).sum(1).mean()
        value = functional.mse_loss(guesses, values)
        self.descend(policy + value_weight * value, rate)
        entropy = -torch.special.xlogy(policies, policies).sum(1).mean()
        return policy.detach(), entropy, value.detach()

    def judged(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Logits and values of the network in training, on a GPU computed in half precision."""
        self.network.train()
        with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
            logits, values = self.network(planes)
        return logits.float(), values.float()

    def descend(self, loss: torch.Tensor, rate: float) -> None:
        """One step down the gradient of a loss; the average follows."""
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        whole: Any = loss
        whole.backward()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 4.0)
        self.optimiser.step()
        self.steps += 1
        self._follow()

    @torch.no_grad()
    def _follow(self) -> None:
        share = 1.0 - min(AVERAGE, (1.0 + self.steps) / (10.0 + self.steps))
        ours = [tensor for tensor in self.average.state_dict().values() if tensor.is_floating_point()]
        theirs = [tensor for tensor in self.network.state_dict().values() if tensor.is_floating_point()]
        torch._foreach_lerp_(ours, theirs, share)

    def weights(self) -> Weights:
        """The folded weights of the average."""
        return folded(self.average)

    def contents(self) -> dict[str, Any]:
        """What a checkpoint keeps."""
        return {
            "network": self.network.state_dict(),
            "average": self.average.state_dict(),
            "optimiser": optimiser_contents(self.optimiser),
            "steps": self.steps,
            "unsettled": self._unsettled,
        }

    def restore(self, contents: dict[str, Any]) -> None:
        """Take back what a checkpoint has kept."""
        steps, unsettled = contents["steps"], contents["unsettled"]
        self.optimiser.load_state_dict(contents["optimiser"])
        self.network.load_state_dict(contents["network"])
        self.average.load_state_dict(contents["average"])
        self.steps, self._unsettled = steps, unsettled


def optimiser_contents(optimiser: torch.optim.Optimizer) -> dict[str, Any]:
    """What a checkpoint keeps of an optimiser of Adam's kind; before its first step, the zeros with which it begins."""
    kept = optimiser.state_dict()
    parameters = [parameter for group in optimiser.param_groups for parameter in group["params"]]
    first = {
        number: {"step": torch.tensor(0.0), "exp_avg": torch.zeros_like(like), "exp_avg_sq": torch.zeros_like(like)}
        for number, like in enumerate(parameters)
        if number not in kept["state"]
    }
    return kept | {"state": first | kept["state"]}


def mean_losses(losses: list[tuple[torch.Tensor, ...]]) -> Losses:
    """The mean of what `step` has returned."""
    policy, entropy, value = torch.stack([torch.stack(item) for item in losses]).mean(0).tolist()
    return Losses(policy, entropy, value)
