"""The second network of AlphaGo: a policy that learns to win, from games against its past selves (Silver et al. 2016).

It begins as the policy that predicts people. In each iteration it plays many games against an opponent drawn from a
pool of its earlier versions, both drawing their moves from their policies. For each of its moves a in a position s, in
a game that it ended with z = 1 (won), 0 or -1 (lost), it takes a step along

    (z - b(s)) * gradient of log p(a | s)

which makes moves of won games likelier, and those of lost games less likely. This is REINFORCE (Williams 1992). The
baseline b(s) is what was to be expected anyway: the mean result of these games, or what a value network says. Without
it a policy that wins more often than not would become surer of whatever it happens to do.
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

from plyground.core.files import read_file, write_file
from plyground.engines.reversi.alphago import boards
from plyground.engines.reversi.alphago.policy_games import (
    Games,
    MatchResult,
    Policy,
    make_openings,
    new_games,
    play_games,
    policy_match,
    results,
)
from plyground.engines.reversi.alphago.supervised import policy_alone
from plyground.errors import BadOption, FormatError
from plyground.learning.learner import optimiser_contents
from plyground.learning.network import Network, folded, unfolded
from plyground.learning.onnx_file import OnnxNetwork, onnx_bytes, stored_weights
from plyground.learning.onnx_graph import LARGEST
from plyground.learning.run import Progress, Run, Tell, curve, measured, nobody
from plyground.learning.zero import chosen_device
from plyground.pictures.plot import Panel, Series

__all__ = ["ReinforceLesson", "ReinforceRecipe", "reversi_network", "train_reinforce", "usual_reinforce_recipe"]

OPENING = 10
"""Random moves at the beginning of games between greedy policies."""


@dataclass(frozen=True)
class ReinforceRecipe:
    """How a policy learns to win.

    An iteration has `rounds` rounds: each is `games` games at once against one opponent from the pool, and one step at
    the learning rate `rate`, which falls to a tenth. After every `pool_every` rounds the policy joins the pool. Every
    `match_every` iterations it meets the policy from which it began, in `match_pairs` pairs of games. `entropy` rewards
    a policy that keeps its choices open, and games begin with up to `opening` random moves; the paper has neither.
    """

    games: int = 256
    rounds: int = 10
    rate: float = 1e-4
    entropy: float = 0.0
    opening: int = 0
    pool_every: int = 50
    match_every: int = 1
    match_pairs: int = 200
    batch: int = 4096
    seed: int = 0


def usual_reinforce_recipe(device: str) -> ReinforceRecipe:
    """What suits a device: on a GPU more games at once."""
    if chosen_device(device) == "cpu":
        return ReinforceRecipe()
    return ReinforceRecipe(games=2048, rounds=25, match_every=4, match_pairs=500, batch=16_384)


def reversi_network(path: str | Path, kind: str) -> tuple[Network, dict[str, str]]:
    """A network of Reversi from its file, as one that can learn on, and what the file says of itself.

    `kind` is what it should have learned, policy or value, for the message if it has not.
    """
    data = read_file(path, "network", LARGEST)
    file = OnnxNetwork(data, str(path))
    if (file.channels, file.actions) != (boards.PLANES[0], boards.ACTIONS) or file.facts.get("game") != "reversi":
        raise BadOption(f"{path} is a network for {file.facts.get('game', 'another game')}, not for reversi")
    known = file.facts.get("kind", kind)  # those of self-play have both heads
    if (known == "value") != (kind == "value"):
        raise BadOption(f"{path} is a {known} network; a {kind} network is needed here")
    try:
        return unfolded(stored_weights(data), *boards.PLANES[1:]), file.facts
    except (KeyError, RuntimeError, ValueError):
        raise FormatError(f"{path} has no weights to learn on from") from None


class Moves:
    """The learner's moves in one round, in the order in which they were made."""

    def __init__(self, games: Games) -> None:
        self._games = games
        self._parts: list[tuple[NDArray[Any], ...]] = []

    def watch(self, which: NDArray[np.intp], squares: NDArray[np.int64]) -> None:
        """Keep the positions of these games, and where the learner moves in them."""
        self._parts.append((*(array[which] for array in self._games[:3]), squares, which))

    def joined(self) -> tuple[NDArray[Any], ...]:
        """Own and opponent's discs, legal squares, the move, and the game, of all moves."""
        return tuple(np.concatenate(column) for column in zip(*self._parts, strict=True))


class ReinforceLesson(Run):
    """A policy that learns from games against its past selves. The pool is a folder of network files."""

    kind: ClassVar[str] = "reinforced"

    def __init__(
        self,
        policy: str | Path,
        folder: Path,
        recipe: ReinforceRecipe,
        *,
        baseline: str | Path | None = None,
        device: str = "cpu",
    ) -> None:
        self.network, facts = reversi_network(policy, "policy")
        super().__init__(folder, {"size": facts.get("size", ""), "policy": facts["digest"][:12]})
        self.recipe, self.device = recipe, torch.device(chosen_device(device))
        self.learner = Policy(self.network, self.device)
        self.supervised = reversi_network(policy, "policy")[0]
        self.baseline: Any = None if baseline is None else reversi_network(baseline, "value")[0].to(self.device)
        # The network is not in training mode: its normalisations stay as they are, and it learns as it plays.
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=recipe.rate)
        self.symmetries = boards.Symmetries(self.device)
        self.rounds, self.pool = 0, 0
        self._opponents: dict[int, Policy] = {}
        self.facts: dict[str, str] = {}

    def open(self) -> bool:
        known = super().open()
        if not self.pool:
            self._join_pool()
        return known

    # Playing and learning ---------------------------------------------------------------------------------------------

    def learn(self, progress: float, tell: Tell) -> dict[str, Any]:
        recipe, start = self.recipe, clock.monotonic()
        won, moves, entropy = [], 0, []
        for group in self.optimiser.param_groups:
            group["lr"] = recipe.rate * (1.0 - 0.9 * progress)
        for number in range(recipe.rounds):
            tell(Progress(self.iteration + 1, "games", number, recipe.rounds))
            points, count, spread = self._round()
            won.append(points)
            entropy.append(spread)
            moves += count
        spent = clock.monotonic() - start
        facts: dict[str, Any] = {
            "rounds": self.rounds,
            "games": self.rounds * recipe.games,
            "pool": self.pool,
            "pool_share": float(np.mean(won)),
            "entropy": float(np.mean(entropy)),
            "moves_per_second": round(moves / spent, 1),
        }
        if recipe.match_every and (self.iteration + 1) % recipe.match_every == 0:
            tell(Progress(self.iteration + 1, "match", 0, 1))
            drawn = self.match(recipe.match_pairs, greedy=False)
            greedy = self.match(recipe.match_pairs, greedy=True)
            facts |= {"share": drawn.share, "interval": [drawn.low, drawn.high], "greedy_share": greedy.share}
        return facts

    def _round(self) -> tuple[float, int, float]:
        """Games against an opponent from the pool, and a step: the share of the points, moves, and mean entropy."""
        recipe = self.recipe
        seed = recipe.seed * 1_000_003 + self.rounds
        luck = torch.Generator(self.device).manual_seed(seed)
        opponent = self._from_pool(int(np.random.default_rng((seed, 1)).integers(self.pool)))
        games, black = new_games(recipe.games), np.arange(recipe.games) % 2
        if recipe.opening:
            make_openings(games, luck.device, np.arange(recipe.games) // 2 % (recipe.opening + 1), luck)
        made = Moves(games)
        play_games(games, (self.learner, opponent), black, luck, (made.watch, None))
        outcome = results(games) * np.where(black == 0, 1, -1).astype(np.float32)
        *position, which = made.joined()
        entropy = self._step(position, outcome[which])
        self.rounds += 1
        if self.rounds % recipe.pool_every == 0:
            self._join_pool()
        return float(outcome.mean()) / 2 + 0.5, len(which), entropy

    def _step(self, position: list[NDArray[Any]], outcome: NDArray[np.float32]) -> float:
        """One step of REINFORCE on all moves of a round; the mean entropy of the policy there."""
        straight = self.symmetries.sources[:1]
        entropy = torch.zeros((), device=self.device)
        self.optimiser.zero_grad(set_to_none=True)
        for at in range(0, len(outcome), self.recipe.batch):
            part = slice(at, at + self.recipe.batch)
            own, opponent, legal = (boards.words_on(self.device, array[part]) for array in position[:3])
            moves = torch.from_numpy(position[3][part]).to(self.device)
            worth = torch.from_numpy(outcome[part]).to(self.device)
            planes = boards.planes_of(own, opponent, straight)
            with torch.autocast(self.device.type, torch.bfloat16, enabled=self.device.type == "cuda"):
                surprise = worth - self._expected(planes, outcome)
                logits, _ = self.network(planes)
            shares = boards.legal_shares(logits, boards.cells(legal, straight))
            spread = -(shares.exp() * shares).sum() / len(outcome)
            gain = (surprise * shares.gather(1, moves[:, None])[:, 0]).sum() / len(outcome)
            loss: Any = -gain - self.recipe.entropy * spread
            loss.backward()
            entropy += spread.detach()
        torch.nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimiser.step()
        return entropy.item()

    @torch.no_grad()
    def _expected(self, planes: torch.Tensor, outcome: NDArray[np.float32]) -> torch.Tensor | float:
        """The baseline."""
        if self.baseline is None:
            return float(outcome.mean())
        expected: torch.Tensor = self.baseline(planes)[1].float()
        return expected

    def match(self, pairs: int, *, greedy: bool) -> MatchResult:
        """Meet the policy from which it all began: both draw their moves, or both are greedy after random openings."""
        ours, theirs = (Policy(one, self.device, greedy=greedy) for one in (self.network, self.supervised))
        return policy_match(ours, theirs, pairs, opening=OPENING if greedy else 0, seed=self.recipe.seed + self.rounds)

    # The pool ---------------------------------------------------------------------------------------------------------

    def _member(self, number: int) -> Path:
        return self.folder / "pool" / f"{number:04}.onnx"

    def _join_pool(self) -> None:
        try:
            self._member(0).parent.mkdir(exist_ok=True)
        except OSError as error:
            raise BadOption(f"cannot make the folder {self._member(0).parent}: {error.strerror or error}") from None
        write_file(self._member(self.pool), self.network_file())
        self.pool += 1

    def _from_pool(self, number: int) -> Policy:
        if number not in self._opponents:
            self._opponents[number] = Policy(reversi_network(self._member(number), "policy")[0], self.device)
        return self._opponents[number]

    # Keeping ----------------------------------------------------------------------------------------------------------

    def contents(self) -> dict[str, Any]:
        kept = {"network": self.network.state_dict(), "optimiser": optimiser_contents(self.optimiser)}
        return kept | {"rounds": self.rounds, "pool": self.pool, "facts": self.facts}

    def restore(self, contents: dict[str, Any]) -> None:
        rounds, pool, facts = contents["rounds"], contents["pool"], contents["facts"]
        self.optimiser.load_state_dict(contents["optimiser"])
        self.network.load_state_dict(contents["network"])
        self.rounds, self.pool, self.facts = rounds, pool, facts

    def network_file(self) -> bytes:
        facts = {"game": "reversi", **self.terms, "rounds": str(self.rounds)}
        return onnx_bytes(policy_alone(folded(self.network)), facts | self.facts)

    def panels(self) -> list[Panel]:
        lines = self.journal.lines
        matches = [line for line in lines if isinstance(line.get("interval"), list) and len(line["interval"]) == 2]
        flat = [line | {"low": line["interval"][0], "high": line["interval"][1]} for line in matches]
        known = measured(flat, "seconds", "share", "low", "high")
        seconds, share, low, high = zip(*known, strict=True) if known else ((), (), (), ())
        shares = Series("both draw their moves", [second / 60 for second in seconds], share, low, high)
        points = [shares, curve(lines, "greedy_share", "both greedy"), curve(lines, "pool_share", "against the pool")]
        return [
            Panel(points, title="Share of points against the first policy", x_label="minutes", y_label="share"),
            Panel([curve(lines, "entropy", "entropy")], title="Entropy", x_label="minutes", y_label="nats a move"),
        ]

    def report(self, pairs: int) -> dict[str, Any]:
        """Meet the first policy in this many pairs of games, drawn and greedy; the file records it."""
        drawn, greedy = (self.match(pairs, greedy=greedy) for greedy in (False, True))
        self.facts = {"share": f"{drawn.share:.4f}", "greedy_share": f"{greedy.share:.4f}"}
        self.save()
        games = {"rounds": self.rounds, "games": self.rounds * self.recipe.games}
        found = games | {"drawn": drawn._asdict(), "greedy": greedy._asdict()}
        write_file(self.folder / "report.json", (json.dumps(found, indent=1) + "\n").encode())
        return found


def train_reinforce(
    policy: str | Path,
    out: str | Path,
    recipe: ReinforceRecipe | None = None,
    device: str = "auto",
    *,
    baseline: str | Path | None = None,
    minutes: float | None = None,
    iterations: int | None = None,
    pairs: int = 1000,
    tell: Tell = nobody,
    done: Callable[[dict[str, Any]], None] = nobody,
) -> dict[str, Any]:
    """Train in a folder, or go on there, and meet the first policy in `pairs` pairs of games.

    `policy` is the network file to begin from, `baseline` one of a value network if it is to serve as such.
    """
    lesson = ReinforceLesson(
        policy, Path(out), recipe or usual_reinforce_recipe(device), baseline=baseline, device=device
    )
    with closing(lesson):
        lesson.open()
        lesson.train(minutes=minutes, iterations=iterations, tell=tell, done=done)
        return lesson.report(pairs)
