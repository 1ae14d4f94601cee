"""The first network of AlphaGo: a policy that predicts the moves of people (Silver et al. 2016).

The network is asked for the move that was made in a recorded position, and learns by the cross-entropy

    loss = -log p(move | position)

where p is the softmax of its logits over the legal squares. Each position is seen through a random symmetry of the
board each time. Years divide the games: it learns from the earlier ones, and is measured on the last.
"""

from __future__ import annotations

import json
import time as clock
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.typing import NDArray

from plyground.core.files import write_file
from plyground.engines.reversi.alphago import boards
from plyground.engines.reversi.alphago.human_games import (
    HumanMoves,
    Split,
    position_keys,
    read_human_games,
    split_by_year,
)
from plyground.engines.reversi.alphago.policy_games import legal_squares
from plyground.learning.learner import Learner, learning_rate
from plyground.learning.network import Shape, Weights, named_size
from plyground.learning.onnx_file import onnx_bytes
from plyground.learning.run import Progress, Run, Tell, nobody
from plyground.learning.zero import chosen_device
from plyground.pictures.plot import Panel

__all__ = ["PolicyLesson", "PolicyRecipe", "accuracy", "train_policy", "usual_policy_recipe"]

PHASES = {"opening": (0, 20), "midgame": (20, 40), "endgame": (40, 60)}
"""By the discs that were placed before the move."""


@dataclass(frozen=True)
class PolicyRecipe:
    """How a policy learns from people.

    An iteration has `every` steps, each on `batch` positions drawn at random. `rate` is the highest learning rate,
    `decay` that of the weights. `smoothing` is the share of the target that goes to all legal squares alike. After
    each iteration `check` positions of the validation years are predicted.
    """

    size: str = "small"
    batch: int = 512
    rate: float = 2e-3
    decay: float = 1e-2
    smoothing: float = 0.0
    every: int = 100
    check: int = 5000
    seed: int = 0


def usual_policy_recipe(device: str) -> PolicyRecipe:
    """What suits a device: on a GPU large batches and a larger network."""
    if chosen_device(device) == "cpu":
        return PolicyRecipe()
    return PolicyRecipe(size="medium", batch=4096, rate=3e-3, every=500, check=50_000)


class Examples:
    """Recorded moves on a device: 25 bytes each, so that all games of half a century take 200 MB there."""

    def __init__(self, known: HumanMoves, device: torch.device) -> None:
        self.own, self.opponent = boards.words_on(device, known.own), boards.words_on(device, known.opponent)
        self.legal = boards.words_on(device, legal_squares(known.own, known.opponent))
        self.move = torch.from_numpy(known.move).to(device)

    def __len__(self) -> int:
        return len(self.own)


class PolicyLesson(Run):
    """A policy that learns from the games of people."""

    kind: ClassVar[str] = "policy"

    def __init__(self, split: Split, folder: Path, recipe: PolicyRecipe, *, device: str = "cpu") -> None:
        years = f"{int(split.train.year.min())}-{int(split.train.year.max())}"
        super().__init__(folder, {"size": recipe.size, "games": f"{len(split.train)} moves of {years}"})
        self.split, self.recipe, self.device = split, recipe, torch.device(chosen_device(device))
        shape = Shape(boards.PLANES, boards.ACTIONS, *named_size(recipe.size))
        self.learner = Learner(shape, seed=recipe.seed, device=str(self.device), decay=recipe.decay)
        self.examples = Examples(split.train, self.device)
        chosen = np.random.default_rng(recipe.seed).permutation(len(split.validation))[: recipe.check]
        self.checked = split.validation[np.sort(chosen)]
        self.symmetries = boards.Symmetries(self.device)
        self.facts: dict[str, str] = {}

    def learn(self, progress: float, tell: Tell) -> dict[str, Any]:
        recipe, start = self.recipe, clock.monotonic()
        rate = learning_rate(recipe.rate, progress)
        luck = torch.Generator(self.device).manual_seed(recipe.seed * 1_000_003 + self.iteration)
        losses, hits = [], []
        for step in range(recipe.every):
            loss, hit = self._step(rate, luck)
            losses.append(loss)
            hits.append(hit)
            tell(Progress(self.iteration + 1, "learning", step, recipe.every))
        loss_mean, hit_mean = torch.stack(losses).mean().item(), torch.stack(hits).mean().item()
        learned = clock.monotonic() - start
        tell(Progress(self.iteration + 1, "checking", 0, 1))
        held = accuracy(self.learner.average, self.checked, self.device)
        return {
            "steps": self.learner.steps,
            "positions": self.learner.steps * recipe.batch,
            "rate": rate,
            "loss": loss_mean,
            "top1": hit_mean,
            "validation_loss": held.loss,
            "validation_top1": held.top1,
            "validation_top3": held.top3,
            "positions_per_second": round(recipe.every * recipe.batch / learned, 1),
        }

    def _step(self, rate: float, luck: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Learn from a batch. Loss and accuracy stay on the device, for nobody waits for them."""
        known, batch = self.examples, self.recipe.batch
        picks = torch.randint(len(known), (batch,), generator=luck, device=self.device)
        views = torch.randint(8, (batch,), generator=luck, device=self.device)
        sources = self.symmetries.sources[views]
        legal = boards.cells(known.legal[picks], sources)
        moves = self.symmetries.targets[views, known.move[picks].long()]

        logits, _ = self.learner.judged(boards.planes_of(known.own[picks], known.opponent[picks], sources))
        shares = boards.legal_shares(logits, legal)
        loss = -shares.gather(1, moves[:, None]).mean()
        target = loss
        if self.recipe.smoothing:
            alike = -((shares * legal).sum(1) / legal.sum(1)).mean()
            target = (1.0 - self.recipe.smoothing) * loss + self.recipe.smoothing * alike
        self.learner.descend(target, rate)
        return loss.detach(), (shares.argmax(1) == moves).float().mean()

    def contents(self) -> dict[str, Any]:
        return {"learner": self.learner.contents(), "facts": self.facts}

    def restore(self, contents: dict[str, Any]) -> None:
        facts = contents["facts"]
        self.learner.restore(contents["learner"])
        self.facts = facts

    def network_file(self) -> bytes:
        facts = {"kind": self.kind, "game": "reversi", **self.terms, "iteration": str(self.iteration)}
        return onnx_bytes(policy_alone(self.learner.weights()), facts | self.facts)

    def panels(self) -> list[Panel]:
        losses = {"loss": "learned from", "validation_loss": "held out"}
        hits = {"top1": "learned from", "validation_top1": "held out", "validation_top3": "held out, one of three"}
        return [
            self.over_time("Loss", "cross-entropy", losses),
            self.over_time("Moves predicted", "share", hits),
            self.over_time("Speed", "per second", {"positions_per_second": "positions"}),
        ]

    def report(self, most: int | None = None) -> dict[str, Any]:
        """Measure the network on the validation and the test years, write ``report.json``, and save the result with it.

        `most` positions of each, drawn at random; all if None.
        """
        found = policy_report(self.learner.average, self.split, self.device, most=most)
        self.facts = {"accuracy": f"{found['test']['all']['top1']:.4f}", "tested": found["test"]["years"]}
        write_file(self.folder / "report.json", (json.dumps(found, indent=1) + "\n").encode())
        self.save()
        return found


def policy_alone(weights: Weights) -> Weights:
    """The value head answers 0: it has learned nothing."""
    return weights | {name: np.zeros_like(weights[name]) for name in ("value.weight", "value.bias")}


# Measuring ----------------------------------------------------------------------------------------------------------

Judge = Callable[[torch.Tensor], tuple[torch.Tensor, torch.Tensor]]


@dataclass(frozen=True)
class Accuracy:
    """How often the likeliest move is the one that was made, how often one of the three likeliest, and the loss."""

    positions: int
    top1: float
    top3: float
    loss: float


@torch.no_grad()
def predictions(
    judge: Judge, known: HumanMoves, device: torch.device, *, views: int = 1, batch: int = 8192
) -> NDArray[np.float32]:
    """For each position how many squares came before the move made, and the logarithm of its share.

    Of squares that are thought equally likely, as in symmetric positions, the one with the lower number comes first.
    With 8 `views` the policy is the mean of those on the eight symmetric boards.
    """
    symmetries = boards.Symmetries(device)
    if isinstance(judge, torch.nn.Module):
        judge.eval()
    found = []
    for at in range(0, len(known), batch):
        examples = Examples(known[at : at + batch], device)
        legal = boards.cells(examples.legal, symmetries.sources[:1])
        mean = torch.zeros(legal.shape, device=device)
        for view in range(views):
            sources = symmetries.sources[view : view + 1]
            with torch.autocast(device.type, torch.float16, enabled=device.type == "cuda"):
                logits, _ = judge(boards.planes_of(examples.own, examples.opponent, sources))
            shares = boards.legal_shares(logits, boards.cells(examples.legal, sources)).exp()
            mean += shares[:, symmetries.targets[view]] / views
        made = mean.gather(1, examples.move.long()[:, None])
        earlier = torch.arange(64, device=device) < examples.move[:, None]
        above = ((mean > made) | ((mean == made) & earlier)).sum(1)
        found.append(torch.stack([above.float(), made[:, 0].clamp(1e-12).log()], dim=1).cpu())
    rows: NDArray[np.float32] = torch.cat(found).numpy() if found else np.zeros((0, 2), np.float32)
    return rows


def summary(rows: NDArray[np.float32]) -> Accuracy:
    """The means of some predictions."""
    if not len(rows):
        return Accuracy(0, 0.0, 0.0, 0.0)
    above, logarithm = rows[:, 0], rows[:, 1]
    return Accuracy(len(rows), float((above < 1).mean()), float((above < 3).mean()), float(-logarithm.mean()))


def accuracy(judge: Judge, known: HumanMoves, device: torch.device, *, views: int = 1) -> Accuracy:
    """How well a network predicts these moves."""
    return summary(predictions(judge, known, device, views=views))


def policy_report(judge: Judge, split: Split, device: torch.device, *, most: int | None = None) -> dict[str, Any]:
    """The accuracy on the validation and the test years, from one view and from the mean of all eight.

    In each: on all moves; by phase; where there was more than one legal move; on positions that were seen in training,
    up to symmetry, and on those that were not.
    """

    learned = np.unique(position_keys(split.train.own, split.train.opponent))

    def part(known: HumanMoves) -> dict[str, Any]:
        if most is not None and most < len(known):
            known = known[np.sort(np.random.default_rng(0).permutation(len(known))[:most])]
        seen = np.isin(position_keys(known.own, known.opponent), learned)
        legal = legal_squares(known.own, known.opponent)
        groups = {"all": np.ones(len(known), np.bool_), "choice": (legal & (legal - np.uint64(1))) != 0}
        groups |= {name: (known.ply >= low) & (known.ply < high) for name, (low, high) in PHASES.items()}
        groups |= {"seen": seen, "unseen": ~seen}
        found: dict[str, Any] = {"years": f"{int(known.year.min())}-{int(known.year.max())}"}
        for suffix, views in (("", 1), (" eight views", 8)):
            rows = predictions(judge, known, device, views=views)
            found |= {name + suffix: vars(summary(rows[chosen])) for name, chosen in groups.items()}
        return found

    return {"validation": part(split.validation), "test": part(split.test)}


def train_policy(
    games: str | Path | HumanMoves,
    out: str | Path,
    recipe: PolicyRecipe | None = None,
    device: str = "auto",
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    most: int | None = None,
    tell: Tell = nobody,
    done: Callable[[dict[str, Any]], None] = nobody,
) -> dict[str, Any]:
    """Train in a folder, or go on there, and report; `games` is a folder of WTHOR files, or what was read from one.

    `minutes` and `iterations` count all starts together. `most` positions of the validation and of the test years are
    in the report; all if None.
    """
    known = games if isinstance(games, HumanMoves) else read_human_games(games)
    lesson = PolicyLesson(split_by_year(known), Path(out), recipe or usual_policy_recipe(device), device=device)
    with closing(lesson):
        lesson.open()
        lesson.train(minutes=minutes, iterations=iterations, tell=tell, done=done)
        return lesson.report(most)
