"""Reversi boards on a device: words of 64 bits, which become planes there, seen through any of the eight symmetries.

Millions of positions fit on a GPU as words, and nothing but their numbers has to travel for a batch.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from plyground.engines.reversi.squares import symmetric_square

__all__ = ["ACTIONS", "PLANES", "Symmetries", "cells", "legal_shares", "planes_of", "words_on"]

PLANES = (2, 8, 8)
"""Of the player to move and of the other one, as the game's own rule `planes` draws them."""
ACTIONS = 65
"""The squares, and the pass, which is never a choice: no policy here learns it."""
NOT_LEGAL = -1e4
"""The logit of a square on which one may not move."""


def words_on(device: torch.device, words: NDArray[np.uint64]) -> torch.Tensor:
    """Words on a device. They are signed numbers there, which PyTorch can shift; only single bits are looked at."""
    return torch.from_numpy(words.view(np.int64)).to(device)


class Symmetries:
    """The eight symmetries of the board as tables on a device.

    `sources` (8, 64): which square of a board is seen on each square of its image. `targets` (8, 64): where each goes.
    """

    def __init__(self, device: torch.device) -> None:
        targets = torch.tensor([[symmetric_square(square, index) for square in range(64)] for index in range(8)])
        self.targets = targets.to(device)
        self.sources = targets.argsort(dim=1).to(device)


def cells(words: torch.Tensor, sources: torch.Tensor) -> torch.Tensor:
    """Boards (n,) square by square, (n, 64) of 0 and 1; `sources` is a row of `Symmetries` for each, or for all."""
    return words[:, None] >> sources & 1


def planes_of(own: torch.Tensor, opponent: torch.Tensor, sources: torch.Tensor) -> torch.Tensor:
    """What a network sees, (n, 2, 8, 8), channels last in memory."""
    both = torch.stack([cells(own, sources), cells(opponent, sources)], dim=-1)
    return both.view(-1, 8, 8, 2).permute(0, 3, 1, 2).float()


def legal_shares(logits: torch.Tensor, legal: torch.Tensor) -> torch.Tensor:
    """The logarithm of the policy on the squares (n, 64), all of it on those that are `legal`, (n, 64) of 0 and 1."""
    found: Any = torch.log_softmax(logits[:, :64].float().masked_fill(legal == 0, NOT_LEGAL), dim=1)
    return found  # type: ignore[no-any-return]
