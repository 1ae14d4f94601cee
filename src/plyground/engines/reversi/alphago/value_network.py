"""The third network of AlphaGo: who will win from here, if both play by the policy that has learned to win.

It learns from positions with the result of the game that they come from, by the mean squared error (z - v(s))^2. The
positions of one game differ by a single disc and share one result, so a network that sees all of them remembers games
instead of judging positions. Silver et al. (2016) therefore take ONE position from each of many games:

    moves 1 .. U-1 by the supervised policy, for variety; move U at random; all others by the reinforced policy

with a random U for each game, and of each game only the position after move U. `whole` takes all positions of fewer
games between reinforced policies, to show what happens then.
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

from plyground.core.array_file import read_arrays, write_arrays
from plyground.core.files import write_file
from plyground.engines.reversi.alphago.boards import ACTIONS, PLANES, Symmetries, planes_of, words_on
from plyground.engines.reversi.alphago.policy_games import Policy, make_moves, new_games, results
from plyground.engines.reversi.alphago.reinforce import reversi_network
from plyground.engines.reversi.positions import Rows
from plyground.errors import BadOption
from plyground.learning.learner import Learner, learning_rate
from plyground.learning.network import Shape, Weights, named_size
from plyground.learning.onnx_file import onnx_bytes
from plyground.learning.run import Journal, Progress, Run, Tell, measured, nobody
from plyground.learning.zero import chosen_device
from plyground.pictures.plot import Panel, Series, plot_svg

__all__ = [
    "Judged",
    "Overfitting",
    "ValueLesson",
    "ValueRecipe",
    "held_out",
    "one_of_each_game",
    "overfitting",
    "overfitting_svg",
    "squared_error",
    "train_value",
    "usual_value_recipe",
    "whole_games",
]

LAST_PLY = 58
"""The last move, counted from 0, that may be the random one: there is a position after it."""
HELD = 20
"""One game in this many is held out, with all of its positions."""


@dataclass(frozen=True)
class ValueRecipe:
    """How a value network learns.

    It learns from `positions`, one of each game or, if `whole`, all of each game; `games` are played at once. An
    iteration has `every` steps on `batch` positions each, at the learning rate `rate`; the errors in the journal are
    means over `check` positions.
    """

    size: str = "small"
    positions: int = 50_000
    whole: bool = False
    games: int = 512
    batch: int = 512
    rate: float = 2e-3
    decay: float = 1e-2
    every: int = 50
    check: int = 5000
    seed: int = 0


def usual_value_recipe(device: str) -> ValueRecipe:
    """What suits a device: on a GPU many more games, large batches and a larger network."""
    if chosen_device(device) == "cpu":
        return ValueRecipe()
    return ValueRecipe(size="medium", positions=4_000_000, games=8192, batch=4096, every=500, check=100_000)


@dataclass(frozen=True, eq=False)
class Judged(Rows):
    """n positions, the result of their games for the player to move (1, 0, -1), and the games' numbers."""

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    result: NDArray[np.int8]
    game: NDArray[np.int32]


NOTHING = Judged(np.zeros(0, np.uint64), np.zeros(0, np.uint64), np.zeros(0, np.int8), np.zeros(0, np.int32))


def held_out(known: Judged) -> NDArray[np.bool_]:
    """Which positions are not learned from: those of one game in `HELD`."""
    held: NDArray[np.bool_] = known.game % HELD == 0
    return held


# Positions ----------------------------------------------------------------------------------------------------------


def one_of_each_game(supervised: Policy, reinforced: Policy, count: int, seed: int, first: int = 0) -> Judged:
    """Play `count` games at once, and take one position of each: the one after a random move.

    A game that is over by then gives none. The games are numbered from `first`.
    """
    luck = torch.Generator(supervised.device).manual_seed(seed)
    turning = np.random.default_rng((seed, 2)).integers(0, LAST_PLY + 1, count)
    by_lot = Policy(None, supervised.device)
    games, squares = new_games(count), np.zeros(count, np.int64)
    own, opponent = np.zeros(count, np.uint64), np.zeros(count, np.uint64)
    turn, there = np.zeros(count, np.int8), np.zeros(count, np.bool_)
    ply = 0
    while games.legal.any():  # every game makes a move in each round of this loop, so that all are at the same ply
        going_on = games.legal != 0
        for policy, now in ((supervised, turning > ply), (by_lot, turning == ply), (reinforced, turning < ply)):
            which = np.flatnonzero(going_on & now)
            if len(which):
                squares[which] = policy.choose(games, which, luck)
        make_moves(games, squares)
        taken = np.flatnonzero((turning == ply) & (games.legal != 0))
        own[taken], opponent[taken] = games.own[taken], games.opponent[taken]
        turn[taken], there[taken] = games.turn[taken], True
        ply += 1
    worth = results(games) * np.where(turn == 0, 1, -1)
    everything = Judged(own, opponent, worth.astype(np.int8), np.arange(first, first + count, dtype=np.int32))
    return everything[there]


def whole_games(reinforced: Policy, count: int, seed: int, first: int = 0) -> Judged:
    """Play `count` games of the policy against itself, and take all positions after the first move."""
    luck = torch.Generator(reinforced.device).manual_seed(seed)
    games, squares = new_games(count), np.zeros(count, np.int64)
    seen: list[tuple[NDArray[Any], ...]] = []
    while games.legal.any():
        which = np.flatnonzero(games.legal)
        squares[which] = reinforced.choose(games, which, luck)
        make_moves(games, squares)
        which = np.flatnonzero(games.legal)
        seen.append((games.own[which], games.opponent[which], games.turn[which], which))
    own, opponent, turn, number = (np.concatenate(column) for column in zip(*seen, strict=True))
    worth = results(games)[number] * np.where(turn == 0, 1, -1)
    return Judged(own, opponent, worth.astype(np.int8), (first + number).astype(np.int32))


def save_judged(path: Path, known: Judged) -> None:
    """Write positions, whole or not at all."""
    write_arrays(path, compressed=False, **vars(known))


def load_judged(path: Path) -> Judged:
    """The positions in a file."""
    kinds = {name: (kind, ("n",)) for name, kind in zip(Judged.__annotations__, ("u8", "u8", "i1", "i4"), strict=True)}
    return Judged(**read_arrays(path, "file of positions", kinds, hint="delete it to play again"))


# Learning -----------------------------------------------------------------------------------------------------------


class ValueLesson(Run):
    """A value network that learns from the games of policies. The positions are files beside it."""

    kind: ClassVar[str] = "value"

    def __init__(
        self, supervised: str | Path, reinforced: str | Path, folder: Path, recipe: ValueRecipe, *, device: str = "cpu"
    ) -> None:
        self.recipe, self.device = recipe, torch.device(chosen_device(device))
        (first, first_facts), (second, second_facts) = (
            reversi_network(path, "policy") for path in (supervised, reinforced)
        )
        terms = {"policies": f"{first_facts['digest'][:12]} {second_facts['digest'][:12]}"}
        terms |= {"size": recipe.size, "positions": f"{recipe.positions} {self.sampling}"}
        super().__init__(folder, terms)
        self.supervised, self.reinforced = Policy(first, self.device), Policy(second, self.device)
        shape = Shape(PLANES, ACTIONS, *named_size(recipe.size))
        self.learner = Learner(shape, seed=recipe.seed, device=str(self.device), decay=recipe.decay)
        self.symmetries = Symmetries(self.device)
        self.facts: dict[str, str] = {}
        self.learned = self.held = NOTHING
        self._words: tuple[torch.Tensor, ...] = ()

    @property
    def sampling(self) -> str:
        """What is taken of a game."""
        return "of whole games" if self.recipe.whole else "one of each game"

    def gather(self, tell: Tell = nobody) -> None:
        """Play the games that are missing; a file of positions is kept after each batch of games."""
        recipe, found, games = self.recipe, 0, 0
        parts: list[Judged] = []
        while found < recipe.positions:
            tell(Progress(self.iteration + 1, "games", found, recipe.positions))
            path = self.folder / f"positions-{len(parts):04}.npz"
            if path.exists():
                part = load_judged(path)
            else:
                seed = recipe.seed * 1_000_003 + len(parts)
                if recipe.whole:
                    missing = -(-(recipe.positions - found) // 58)
                    part = whole_games(self.reinforced, min(recipe.games, missing), seed, games)
                else:
                    part = one_of_each_game(self.supervised, self.reinforced, recipe.games, seed, games)
                save_judged(path, part)
            parts.append(part)
            found += len(part)
            games += recipe.games
        known = Judged.joined(parts)
        held = held_out(known)
        if held.all() or not held.any():
            raise BadOption(f"one game in {HELD} is held out, and {recipe.positions} positions are too few for that")
        self.learned, self.held = known[~held], known[held]
        own, opponent = (words_on(self.device, array) for array in (self.learned.own, self.learned.opponent))
        self._words = own, opponent, torch.from_numpy(self.learned.result).to(self.device)

    def learn(self, progress: float, tell: Tell) -> dict[str, Any]:
        recipe, start = self.recipe, clock.monotonic()
        if not self._words:
            self.gather(tell)
        own, opponent, outcome = self._words
        rate = learning_rate(recipe.rate, progress)
        luck = torch.Generator(self.device).manual_seed(recipe.seed * 1_000_003 + self.iteration)
        for step in range(recipe.every):
            picks = torch.randint(len(own), (recipe.batch,), generator=luck, device=self.device)
            views = torch.randint(8, (recipe.batch,), generator=luck, device=self.device)
            planes = planes_of(own[picks], opponent[picks], self.symmetries.sources[views])
            _, values = self.learner.judged(planes)
            self.learner.descend(torch.square(outcome[picks] - values).mean(), rate)
            tell(Progress(self.iteration + 1, "learning", step, recipe.every))
        spent = clock.monotonic() - start
        some = np.random.default_rng(recipe.seed).permutation(len(self.learned))[: recipe.check]
        return {
            "steps": self.learner.steps,
            "rate": rate,
            "error": squared_error(self.learner.average, self.learned[np.sort(some)], self.device),
            "held_error": squared_error(self.learner.average, self.held[: recipe.check], self.device),
            "positions_per_second": round(recipe.every * recipe.batch / spent, 1),
        }

    def contents(self) -> dict[str, Any]:
        return {"learner": self.learner.contents(), "facts": self.facts}

    def restore(self, contents: dict[str, Any]) -> None:
        facts = contents["facts"]
        self.learner.restore(contents["learner"])
        self.facts = facts

    def network_file(self) -> bytes:
        facts = {"game": "reversi", **self.terms, "iteration": str(self.iteration)}
        return onnx_bytes(value_alone(self.learner.weights()), facts | self.facts)

    def panels(self) -> list[Panel]:
        errors = {"error": "learned from", "held_error": "held out"}
        return [self.over_time(f"Squared error, positions {self.sampling}", "mean squared error", errors)]

    def report(self) -> dict[str, Any]:
        """The errors on all positions that were learned from, and on all that were held out; the file records it."""
        if not self._words:
            self.gather()
        found: dict[str, Any] = {
            "sampling": self.sampling,
            "positions": len(self.learned),
            "games": len(np.unique(self.learned.game)),
            "error": squared_error(self.learner.average, self.learned, self.device),
            "held_positions": len(self.held),
            "held_games": len(np.unique(self.held.game)),
            "held_error": squared_error(self.learner.average, self.held, self.device),
        }
        self.facts = {"error": f"{found['held_error']:.4f}"}
        write_file(self.folder / "report.json", (json.dumps(found, indent=1) + "\n").encode())
        self.save()
        return found


def value_alone(weights: Weights) -> Weights:
    """The policy head answers alike for all moves: it has learned nothing."""
    return weights | {name: np.zeros_like(weights[name]) for name in ("policy.weight", "policy.bias")}


@torch.no_grad()
def squared_error(network: Any, known: Judged, device: torch.device, *, batch: int = 8192) -> float:
    """The mean of (result - value)^2, both from -1 to 1."""
    network.eval()
    straight = Symmetries(device).sources[:1]
    total = 0.0
    for at in range(0, len(known), batch):
        part = known[at : at + batch]
        with torch.autocast(device.type, torch.float16, enabled=device.type == "cuda"):
            _, values = network(planes_of(words_on(device, part.own), words_on(device, part.opponent), straight))
        total += torch.square(torch.from_numpy(part.result).to(device) - values.float()).sum().item()
    return total / max(1, len(known))


def train_value(
    supervised: str | Path,
    reinforced: str | Path,
    out: str | Path,
    recipe: ValueRecipe | None = None,
    device: str = "auto",
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    tell: Tell = nobody,
    done: Callable[[dict[str, Any]], None] = nobody,
) -> dict[str, Any]:
    """Play the games, train in a folder or go on there, and report. `minutes` are those of learning, not of playing.

    `supervised` and `reinforced` are the network files of the two policies.
    """
    lesson = ValueLesson(supervised, reinforced, Path(out), recipe or usual_value_recipe(device), device=device)
    with closing(lesson):
        lesson.open()
        lesson.gather(tell)
        lesson.train(minutes=minutes, iterations=iterations, tell=tell, done=done)
        return lesson.report()


# Overfitting --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Overfitting:
    """One way to take positions from games, and its results.

    `error` is on the positions learned from, `held_error` on positions of other games taken in the same way, and
    `common_error` on the positions that the network which saw one of each game has not seen. `curve` has the steps of
    learning and the first two errors then, as the journal of the run has them.
    """

    sampling: str
    positions: int
    games: int
    error: float
    held_error: float
    common_error: float
    curve: tuple[tuple[float, ...], ...]


def overfitting(one: str | Path, whole: str | Path, device: str = "auto") -> list[Overfitting]:
    """Compare two finished trainings: one position of each game, and all positions of fewer games."""
    place = torch.device(chosen_device(device))
    rows = []
    common: Judged | None = None
    for folder in map(Path, (one, whole)):
        files = sorted(folder.glob("positions-*.npz"))
        if not files:
            raise BadOption(f"there are no positions in '{folder}'; name a folder of `plyground train alphago value`")
        known = Judged.joined([load_judged(file) for file in files])
        network: Any = reversi_network(folder / "network.onnx", "value")[0].to(place)
        held = held_out(known)
        common = common or known[held]
        games = np.unique(known[~held].game)
        lines = Journal(folder / "journal.jsonl").read()
        rows.append(
            Overfitting(
                "one of each game" if len(games) == (~held).sum() else "of whole games",
                int((~held).sum()),
                len(games),
                squared_error(network, known[~held], place),
                squared_error(network, known[held], place),
                squared_error(network, common, place),
                tuple(measured(lines, "steps", "error", "held_error")),
            )
        )
    return rows


def overfitting_svg(rows: list[Overfitting]) -> str:
    """How the errors went while the networks learned: where they part, a network remembers."""
    panels = []
    for row in rows:
        steps, errors, held_errors = zip(*row.curve, strict=True) if row.curve else ((), (), ())
        curves = [Series("learned from", steps, errors), Series("held out", steps, held_errors)]
        title = f"{row.sampling.capitalize()}: {row.positions:,} positions"
        panels.append(Panel(curves, title, "steps", "mean squared error"))
    return plot_svg(panels, title="What a value network has learned, and what it has only remembered")
