"""AlphaGo Zero for any game with planes: self-play, learning, matches, checkpoints, over and over (Silver et al. 2017).

The folder of such a `Run` also has ``network-int8.onnx``: the network as it would play now, less exact and quicker.
"""

from __future__ import annotations

import copy
import math
import os
import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import torch

from plyground.core.axes import Accepts
from plyground.core.files import write_file
from plyground.core.game import Game
from plyground.core.rules import distinct_actions, planes_shape
from plyground.errors import BadOption, UnsuitableGame
from plyground.learning.fleet import NEVER, Harvest, Plan, Style, longest_game, put_roots
from plyground.learning.gpu_meter import GpuMeter
from plyground.learning.learner import Learner, Losses, learning_rate, mean_losses
from plyground.learning.network import Shape, named_size
from plyground.learning.onnx_file import OnnxNetwork, onnx_bytes, quantised, stored_weights
from plyground.learning.replay_buffer import Replay, new_batch
from plyground.learning.run import Progress, Run, Tell, nobody
from plyground.learning.self_play import SelfPlay, Tally, net_match
from plyground.learning.torch_network import TorchNetwork
from plyground.pictures.plot import Panel
from plyground.search.endings import solver_of
from plyground.search.net_search import Judge

if TYPE_CHECKING:
    from plyground.learning.cluster_self_play import ClusterSelfPlay

__all__ = ["ZERO_ACCEPTS", "Recipe", "ZeroRun", "chosen_device", "usual_recipe"]

ZERO_ACCEPTS = Accepts(players=(2,))
RESIGN_ERROR = 0.05
"""Of the players who would have resigned, this share may have been wrong."""
SEEN = 256
"""Positions by which a network is quantised."""
KEPT_OF_FLEETS = (
    "roots",
    "streams",
    "lengths",
    "plies",
    "words",
    "policies",
    "values",
    "movers",
    "plays_out",
    "lowest",
)


@dataclass(frozen=True)
class Recipe:
    """How a run learns. A field without a unit is a count.

    In each iteration self-play brings `positions`, and each position is learned from `reuse` times on average, in
    batches of `batch`, drawn from the newest `room`. `rate` is the highest learning rate, `thought` the share of the
    search's own opinion in the value that is learned. Where the game has a solver, positions of up to `solve` empty
    squares are solved, and not learned. Self-play has `workers` threads with `games` games each.
    Every `match_every` iterations the network meets its former self in `match_games` games; with `gate` above 0 it
    plays on only if it takes that share of the points.
    """

    size: str = "tiny"
    simulations: int = 32
    gumbel: bool = True
    positions: int = 4000
    reuse: float = 4.0
    batch: int = 256
    room: int = 200_000
    rate: float = 2e-3
    thought: float = 0.5
    resign: bool = True
    opening: int = 0
    solve: int = 10
    workers: int = 1
    games: int = 64
    parts: int = 1
    match_every: int = 5
    match_games: int = 40
    gate: float = 0.0
    seed: int = 0


def usual_recipe(device: str, game: Game) -> Recipe:
    """What suits a device: on a GPU many games at once, whose trees step on all cores, and a larger network.

    Up to an eighth of a game is made at random, so that also positions that no good player reaches are learned.
    """
    opening = longest_game(game) // 8
    if device == "cpu":
        return Recipe(opening=opening)
    return Recipe(
        size="medium",
        positions=250_000,
        reuse=2.0,
        batch=2048,
        room=3_000_000,
        opening=opening,
        workers=4,
        games=4096,
        parts=max(1, (os.cpu_count() or 4) // 4),
        match_games=200,
    )


def chosen_device(name: str) -> str:
    """The device of a name: ``cpu``, ``cuda``, ``cuda:1``, or with ``auto`` a GPU if there is one."""
    found = torch.cuda.device_count()
    if name == "auto":
        return "cuda" if found else "cpu"
    kind, _, index = name.partition(":")
    if kind == "cpu" and not index:
        return name
    if kind != "cuda" or (index and not index.isdecimal()):
        raise BadOption(f"there is no device '{name}'; devices: auto, cpu, cuda, cuda:1 and so on")
    if int(index or 0) >= found:
        known = f"it sees {found}" if found else "it sees none, or is the build for processors"
        raise BadOption(f"PyTorch cannot use the GPU '{name}': {known}; --device cpu always works")
    return name


class ZeroRun(Run):
    """A network that learns a game from its own play. With a `cluster` self-play happens there instead of here."""

    kind: ClassVar[str] = "zero"

    def __init__(
        self,
        game: Game,
        folder: Path,
        recipe: Recipe,
        *,
        device: str = "cpu",
        cluster: ClusterSelfPlay | None = None,
    ) -> None:
        if obstacle := ZERO_ACCEPTS.obstacle(game.axes):
            raise UnsuitableGame(f"a network cannot learn {game.name} here: {obstacle}")
        super().__init__(folder, {"game": game.spec, "size": recipe.size})
        self.game, self.recipe, self.device = game, recipe, device
        self.title = f"{game.spec}, a network of {recipe.size} size learns from its own games"
        blocks, channels = named_size(recipe.size)
        start = game.initial
        self.shape = Shape(planes_shape(start), distinct_actions(start), blocks, channels)
        if device == "cpu":
            torch.set_num_threads(1)  # the other cores are for self-play
        self.learner = Learner(self.shape, seed=recipe.seed, device=device)
        self.replay = Replay(game, recipe.room, recipe.thought)
        self.plan, self.style = Plan(simulations=recipe.simulations, opening=recipe.opening), Style(recipe.gumbel)
        self.cluster = cluster
        self.selfplay = SelfPlay(
            game,
            self.plan,
            self.style,
            workers=0 if cluster else recipe.workers,
            games=recipe.games,
            parts=recipe.parts,
            solve=recipe.solve,
            seed=recipe.seed,
        )
        self.elo = 0.0
        self.regrets: list[float] = []
        self._networks: list[TorchNetwork] = []
        self._crew = ThreadPoolExecutor(recipe.parts)
        self._meter = None if device == "cpu" else GpuMeter(torch.device(device).index or 0)
        self._saved, self._saved_at, self._saving = 0, 0.0, 0.0
        """The last iteration that was saved, when, and how long that took, in seconds."""
        self.data = self._exported()
        self.champion = self.data
        """The network of the last match."""

    # Going on ---------------------------------------------------------------------------------------------------------

    def open(self) -> bool:
        known = super().open()
        self._saved = self.iteration
        self.data = self._exported()
        return known

    def begin_with(self, network: OnnxNetwork) -> None:
        """Let a new run learn on from a network of its size."""
        try:
            self.learner.begin_with(stored_weights(network.data))
        except (KeyError, RuntimeError, ValueError):
            raise BadOption(f"{network.name} is not a network of size {self.recipe.size}; leave --size out") from None
        self.data = self.champion = self._exported()

    def contents(self) -> dict[str, Any]:
        replay = {name: _tensor(array) for name, array in self.replay.contents().items()}
        numbers = {"elo": self.elo, "regrets": self.regrets, "champion": self.champion}
        return self._in_motion() | {"replay": replay} | numbers

    def _in_motion(self) -> dict[str, Any]:
        """Of the contents, what changes while an iteration is in progress; the rest does when it is over."""
        fleets = [
            {name: _tensor(getattr(worker.fleet, name)) for name in KEPT_OF_FLEETS} for worker in self.selfplay.workers
        ]
        return {"learner": self.learner.contents(), "fleets": fleets}

    def restore(self, contents: dict[str, Any]) -> None:
        elo, regrets, champion = contents["elo"], contents["regrets"], bytes(contents["champion"])
        self.replay.restore({name: tensor.numpy() for name, tensor in contents["replay"].items()})
        self._put_back(contents)
        self.elo, self.regrets, self.champion = elo, regrets, champion
        if self.recipe.resign:
            self._calibrate([])

    def _put_back(self, contents: dict[str, Any]) -> None:
        self.learner.restore(contents["learner"])
        for worker, arrays in zip(self.selfplay.workers, contents["fleets"], strict=True):
            for name, tensor in arrays.items():
                target = getattr(worker.fleet, name)
                target[:] = tensor.numpy().view(target.dtype)
            put_roots(worker.fleet)

    def iterate(self, progress: float, tell: Tell = nobody) -> dict[str, Any]:
        """See `Run`. Ctrl-C takes back the iteration in progress, and saves those before it that are not saved yet."""
        before = copy.deepcopy(self._in_motion()) if self._saved != self.iteration else None
        added = self.replay.added
        try:
            return super().iterate(progress, tell)
        except KeyboardInterrupt:
            if before and self.replay.added == added:
                self._put_back(before)
                self.save()
            raise

    def network_file(self) -> bytes:
        return self.data

    def keep(self) -> None:
        """Save, unless that would take more than a twentieth of the time: a large run takes seconds to save."""
        if clock.monotonic() - self._saved_at >= 20 * self._saving:
            self.save()

    def save(self) -> None:
        start = clock.monotonic()
        super().save()
        write_file(self.folder / "network-int8.onnx", self.playable(self.data))
        self._saved, self._saved_at = self.iteration, clock.monotonic()
        self._saving = self._saved_at - start

    def close(self) -> None:
        """Leave what was lent: the folder, the cluster, and the GPU's meter."""
        super().close()
        if self.cluster:
            self.cluster.close()
        if self._meter:
            self._meter.close()

    # Learning ---------------------------------------------------------------------------------------------------------

    def learn(self, progress: float, tell: Tell) -> dict[str, Any]:
        start = clock.monotonic()
        recipe, number = self.recipe, self.iteration + 1
        rate = learning_rate(recipe.rate, progress)
        brought: list[Harvest] = []
        done = 0

        def count(positions: int) -> None:
            nonlocal done
            done = positions

        # Self-play goes on with the network as it is while that learns from what is there already.
        gather = self._gather(number)
        with ThreadPoolExecutor(1) as aside:
            playing = aside.submit(gather, recipe.positions, brought.append, count)
            try:
                losses = self._learn(rate, lambda step, steps: tell(Progress(number, "learning", step, steps)))
                learned = clock.monotonic() - start
                while not playing.done():
                    wait([playing], timeout=0.1)
                    tell(Progress(number, "self-play", min(done, recipe.positions), recipe.positions))
            except BaseException:
                (self.cluster or self.selfplay).stop()
                raise
        tally = playing.result()
        played = clock.monotonic() - start
        for harvest in brought:
            self.replay.add(harvest)
        for worker in self.selfplay.workers:  # searches of moves begin again, as in a run that goes on from here
            put_roots(worker.fleet)
        if recipe.resign:
            self._calibrate(tally.regrets)
        self.data = self._exported()
        facts: dict[str, Any] = {
            "positions": self.replay.added,
            "games": tally.games,
            "plies_per_game": round(tally.plies / max(1, tally.games), 2),
            "first_wins": round(tally.first_won / max(1, tally.games), 4),
            "draws": round(tally.drawn / max(1, tally.games), 4),
            "resigned": tally.resigned,
            "resign_below": None if self.plan.resign == NEVER else round(self.plan.resign, 3),
            "positions_per_second": round(tally.positions / played, 1),
            "evaluations_per_second": round(tally.evaluations / played, 1),
            "selfplay_seconds": round(played, 2),
            "learning_seconds": round(learned, 2),
            "steps": self.learner.steps,
            "rate": rate,
        }
        if tally.asking:
            facts["network_share"] = round(tally.asking / (tally.asking + tally.stepping), 3)
        if self._meter and (use := self._meter.since_last()) is not None:
            facts["gpu_use"] = round(use, 3)
        if losses:
            facts |= {"policy_loss": losses.policy, "policy_entropy": losses.entropy, "value_loss": losses.value}
        if recipe.match_every and number % recipe.match_every == 0:
            tell(Progress(number, "match", 0, 1))
            facts |= self._match(number)
        return facts

    def _learn(self, rate: float, tell: Callable[[int, int], None]) -> Losses | None:
        """As many steps as the positions of an iteration are worth; none before there are any."""
        recipe = self.recipe
        if not len(self.replay):
            return None
        steps = max(1, round(recipe.positions * recipe.reuse / recipe.batch))
        batch = new_batch(self.game, recipe.batch)
        losses = []
        for step in range(steps):
            self.replay.sample(batch, recipe.seed, self.learner.steps, crew=self._crew, parts=recipe.parts)
            losses.append(self.learner.step(batch, rate))
            tell(step, steps)
        return mean_losses(losses)

    def _calibrate(self, regrets: list[float]) -> None:
        """Resign where few of those who did not lose have ever stood so badly."""
        self.regrets = (self.regrets + regrets)[-1000:]
        threshold = NEVER
        if len(self.regrets) >= 100:
            threshold = min(-0.6, float(np.quantile(self.regrets, RESIGN_ERROR)))
            threshold = NEVER if threshold < -0.995 else threshold
        self.plan = self.plan._replace(resign=threshold)
        self.selfplay.change(self.plan)

    def _match(self, number: int) -> dict[str, Any]:
        """Meet the network of the last match; the Elo of the run goes on from there."""
        recipe = self.recipe
        score = net_match(
            self.game,
            self._judge_of(self.data),
            self._judge_of(self.champion),
            games=recipe.match_games,
            simulations=recipe.simulations,
            opening=4,
            solve=recipe.solve,
            seed=number,
        )
        share = min(max(score.share, 0.5 / recipe.match_games), 1.0 - 0.5 / recipe.match_games)
        facts = {"match": [score.won, score.drawn, score.lost]}
        if score.share >= recipe.gate:
            self.elo += 400.0 * math.log10(share / (1.0 - share))
            self.champion = self.data
        return facts | {"elo": round(self.elo, 1)}

    def _judge_of(self, data: bytes) -> Judge:
        """A network for a match, on the run's device."""
        if self.device == "cpu":
            return OnnxNetwork(self.playable(data), "the network")
        network = TorchNetwork(self.shape, self.recipe.match_games, self.device)
        network.load(stored_weights(data))
        return network

    def _gather(self, number: int) -> Callable[[int, Callable[[Harvest], None], Callable[[int], None]], Tally]:
        """How an iteration's positions are brought in."""
        data = self.champion if self.recipe.gate > 0.0 else self.data
        if self.cluster:
            return partial(self.cluster.gather, self.playable(data), self.plan, self.style, number)
        return partial(self.selfplay.gather, self._judges(data))

    def _judges(self, data: bytes) -> list[Judge]:
        if self.device == "cpu":
            playable = self.playable(data)
            return [OnnxNetwork(playable, "the network") for _ in range(self.recipe.workers)]
        if not self._networks:
            rows = self.recipe.games
            self._networks = [TorchNetwork(self.shape, rows, self.device) for _ in range(self.recipe.workers)]
        for network in self._networks:
            network.load(stored_weights(data))
        return list(self._networks)

    def playable(self, data: bytes) -> bytes:
        """A network as a processor plays it quickest: quantised, by what it makes of positions of the replay."""
        if not len(self.replay):
            return data
        some = new_batch(self.game, SEEN)
        self.replay.sample(some, self.recipe.seed, self.iteration)
        return quantised(stored_weights(data), self._facts(), some.planes)

    def panels(self) -> list[Panel]:
        losses = {"policy_loss": "policy", "policy_entropy": "its lower bound", "value_loss": "value"}
        speeds = {"evaluations_per_second": "network evaluations", "positions_per_second": "positions"}
        learning = self.over_time("Losses", "cross-entropy, squared error", losses)
        strength = self.over_time("Strength", "Elo above the beginning", {"elo": "Elo"})
        speed = self.over_time("Speed of self-play", "per second", speeds, y_log=True)
        rated = any(line.get("elo") is not None for line in self.journal.lines)
        return [learning, strength, speed] if rated else [learning, speed]

    def _exported(self) -> bytes:
        return onnx_bytes(self.learner.weights(), self._facts())

    def _facts(self) -> dict[str, str]:
        facts = {"game": self.game.spec, "size": self.recipe.size, "iteration": str(self.iteration)}
        if solver_of(self.game) is not None:
            facts["solved"] = str(self.recipe.solve)
        return facts


def _tensor(array: Any) -> torch.Tensor:
    """An array as a tensor of the same bytes; PyTorch has no arithmetic on unsigned numbers, and needs none here."""
    array = np.asarray(array)
    signed = {"u8": "i8", "u2": "i2"}.get(array.dtype.str[1:])
    return torch.from_numpy(array.view(signed) if signed else array)
