"""Training from Python, which is what the commands call: their options are the arguments here, by the same names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from plyground.core.files import check_writable
from plyground.core.game import Game
from plyground.errors import BadOption
from plyground.games import make_game

if TYPE_CHECKING:
    from plyground.learning.run import Progress
    from plyground.learning.temporal import Stage
    from plyground.search.learned_values import ValueNet

__all__ = ["Trained", "train", "train_td", "usual_folder"]

POSITIONS_PER_PROCESSOR = 1000
"""In an iteration on a cluster: every processor has some tasks to do."""


@dataclass(frozen=True)
class Trained:
    """What a training has made: a file, the game that it is for, and the spec of a player who plays with it."""

    path: Path
    game: str
    spec: str


def usual_folder(game: Game) -> Path:
    """Where a game is trained if no folder is given: one in ``runs``, in the current folder."""
    return Path("runs") / game.spec.replace(":", "-").replace("=", "").replace(",", "-")


def train(
    game: str | Game,
    *,
    minutes: float | None = None,
    iterations: int | None = None,
    out: str | Path | None = None,
    size: str = "",
    start: str | Path | Trained | None = None,
    simulations: int | None = None,
    positions: int | None = None,
    workers: int | None = None,
    device: str = "auto",
    cluster: str = "",
    classic: bool = False,
    gate: float = 0.0,
    seed: int = 0,
    on_progress: Callable[[Progress], None] | None = None,
    on_iteration: Callable[[dict[str, Any]], None] | None = None,
) -> Trained:
    """Let a network learn a game from nothing but its own play, as AlphaGo Zero did; ``plyground train GAME``.

    The run is in the folder `out`, without one in `usual_folder`, and goes on with what is there: `minutes` of work and
    `iterations` count all starts together, whichever is reached first; 10 minutes more if neither is given. A new run
    may `start` with a network of the game, from a file or from another training. `on_progress` receives how far an
    iteration is, `on_iteration` the journal's line of each. Without `size`, `simulations`, `positions` and
    `workers` they are what suits the device. Needs the extra ``learn``.
    """
    from plyground.learning import network  # noqa: F401 - where PyTorch is missing, this says what to install
    from plyground.learning.onnx_file import load_network
    from plyground.learning.run import Progress, check_limits, nobody
    from plyground.learning.zero import ZeroRun, chosen_device, usual_recipe

    check_limits(minutes, iterations)
    if not 0.0 <= gate < 1.0:
        raise BadOption(f"--gate must be a share from 0 to 1, such as 0.55, not {gate:g}")
    game = make_game(game) if isinstance(game, str) else game
    device = chosen_device(device)
    recipe = replace(usual_recipe(device, game), gumbel=not classic, gate=gate, seed=seed)
    begin = None
    if start:
        begin = load_network(start.path if isinstance(start, Trained) else Path(start))
        if (known := begin.facts.get("game")) != game.spec:
            raise BadOption(f"--start: {begin.name} is a network for {known}, not for {game.spec}")
        size = size or begin.facts.get("size", "")
    given = {"size": size or None, "simulations": simulations, "positions": positions, "workers": workers}
    changed: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
    recipe = replace(recipe, **changed)
    away = None
    if cluster:
        from plyground.learning.cluster_self_play import ClusterSelfPlay

        away = ClusterSelfPlay(game, cluster, recipe.workers, solve=recipe.solve, seed=seed)
        if positions is None:
            recipe = replace(recipe, positions=max(recipe.positions, POSITIONS_PER_PROCESSOR * away.processors))
    folder = Path(out or usual_folder(game)).absolute()
    tell = on_progress or nobody
    with closing(ZeroRun(game, folder, recipe, device=device, cluster=away)) as run:
        if not run.open() and begin:
            run.begin_with(begin)
        tell(Progress(run.iteration + 1, "starts", 0, 1))
        run.train(minutes=minutes, iterations=iterations, tell=tell, done=on_iteration or nobody)
        run.save()
    path = folder / "network.onnx"
    return Trained(path, game.spec, f"minialphago:network={path}")


def train_td(
    game: str | Game,
    *,
    out: str | Path | None = None,
    games: int = 200_000,
    hidden: int = 64,
    alpha: float = 0.01,
    decay: float = 0.7,
    epsilon: float = 0.1,
    seed: int = 0,
    measure: Callable[[ValueNet], float] | None = None,
    on_progress: Callable[[Stage], None] | None = None,
) -> Trained:
    """Let a small network learn to judge positions by temporal differences; ``plyground train td GAME``.

    The values are in the file `out`, which ends in .npz (beside `usual_folder` without one), and learning goes on with
    what is there, until it has learned from `games` games in all. `decay` is the command's ``--lambda``. `on_progress`
    receives how far it is: at the start and about a hundred times on the way; at every tenth of the way the stage has
    a score, what `measure` says of the network. Whatever ends the learning, what was learned is kept.
    """
    from plyground.learning.temporal import Learning, Stage, learn, new_net
    from plyground.search.learned_values import load_value, save_value

    for name, value in (("alpha", alpha), ("lambda", decay), ("epsilon", epsilon)):
        if not 0.0 <= value <= 1.0 or (name == "alpha" and value == 0.0):
            raise BadOption(f"--{name} must be from 0 to 1, not {value:g}")
    game = make_game(game) if isinstance(game, str) else game
    if out is None:
        out = Path(f"{usual_folder(game)}.npz")
        out.parent.mkdir(exist_ok=True)
    path = Path(out).absolute()
    if path.suffix != ".npz":
        raise BadOption(f"--out must end in .npz, not '{out}'")
    check_writable(path, "--out")
    net, done = load_value(path, game) if path.exists() else (new_net(game, hidden, seed), 0)
    if done >= games:
        raise BadOption(f"{out} has learned from {done:,} games already; ask for more with --games")
    tell = on_progress or (lambda stage: None)
    tell(Stage(done, 0.0))
    measured = done * 10 // games
    settings = Learning(alpha, decay, epsilon)
    try:
        for stage in learn(game, net, settings, games, seed=seed, done=done, every=max(1, games // 100)):
            done = stage.games
            before, measured = measured, done * 10 // games
            tell(replace(stage, score=measure(net)) if measure and measured > before else stage)
    finally:
        save_value(path, net, game, done)
    search = "expectiminimax:depth=1" if game.axes.chance else "alphabeta:depth=4"
    return Trained(path, game.spec, f"{search},evaluation={path}")
