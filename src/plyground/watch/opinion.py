"""What a Monte Carlo tree search thinks of the moves at its root while it runs: shares of the visits, and values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.core.game import Game
from plyground.core.rules import CHANCE, action_text, actions, to_move
from plyground.errors import BadOption
from plyground.pictures.plot import Panel, Series, plot_svg
from plyground.watch.mcts_run import MctsRun

__all__ = ["Opinion", "opinion", "opinion_svg"]

MOMENTS = 120
"""At how many numbers of simulations the search is looked at."""
GREY = "#6b7280"


@dataclass(frozen=True)
class Opinion:
    """Looks at one search; the moves by their visits in the end, most first.

    `visits` and `totals` have a row for each of the `moments`, which are numbers of simulations, and a column for each
    of the `actions`. Totals are of rewards to the player to move. `exact` are proven rewards; NaN if not proven.
    """

    moments: NDArray[np.int64]
    actions: tuple[int, ...]
    visits: NDArray[np.int64]
    totals: NDArray[np.float64]
    exact: NDArray[np.float64]
    solved: bool

    @property
    def shares(self) -> NDArray[np.float64]:
        """Each action's share of the visits; a row sums to 1."""
        shares: NDArray[np.float64] = self.visits / self.visits.sum(axis=1, keepdims=True)
        return shares

    @property
    def values(self) -> NDArray[np.float64]:
        """The proven reward of each action, or else the mean; NaN before its first visit."""
        mean = np.divide(self.totals, self.visits, out=np.full(self.totals.shape, math.nan), where=self.visits > 0)
        return np.where(np.isnan(self.exact), mean, self.exact)


def opinion(
    game: Game, state: Any, *, simulations: int, seed: int = 0, log: bool = True, player: str = "mcts"
) -> Opinion:
    """Run a search from `state` and look at it on the way, at moments that are even on a logarithmic or plain axis."""
    mcts = MctsRun(game, state, simulations, player, seed)
    moments, looks = [], []
    for moment in _moments(len(actions(state)), simulations, log):
        mcts.run(moment - mcts.done)
        first, count = int(mcts.tree.nodes[0]["first"]), int(mcts.tree.nodes[0]["count"])
        moments.append(mcts.done)
        looks.append(mcts.tree.nodes[first : first + count].copy())
        if mcts.solved:
            break
    order = np.argsort(-looks[-1]["visits"], kind="stable")
    rows = np.stack(looks)[:, order]
    return Opinion(
        np.array(moments),
        tuple(int(action) for action in rows[-1]["action"]),
        rows["visits"].astype(np.int64),
        rows["total"].copy(),
        rows["exact"].astype(np.float64),
        mcts.solved,
    )


def _moments(moves: int, simulations: int, log: bool) -> list[int]:
    """From when every move has been tried once, if it comes to that."""
    first = moves if moves < simulations else 1
    places = np.geomspace(first, simulations, MOMENTS) if log else np.linspace(first, simulations, MOMENTS)
    return [int(moment) for moment in np.unique(np.rint(places).astype(np.int64))]


def opinion_svg(
    game: Game,
    state: Any,
    *,
    simulations: int,
    seed: int = 0,
    log: bool = True,
    moves: int = 6,
    player: str = "mcts",
) -> str:
    """Two panels over the number of simulations: the shares of the visits, and the mean rewards to the player to move.

    The `moves` with the most visits in the end have lines of their own, the rest one together. `player` is a spec such
    as ``mcts:c=1,solver=off``.
    """
    if moves < 1:
        raise BadOption(f"at least 1 move must be shown, not {moves}")
    found = opinion(game, state, simulations=simulations, seed=seed, log=log, player=player)
    shown = found.actions if len(found.actions) <= moves + 1 else found.actions[:moves]
    x, shares, values = found.moments, found.shares, found.values
    share_lines, value_lines = [], []
    for column, action in enumerate(shown):
        name = action_text(state, action)
        share_lines.append(Series(name, x, shares[:, column]))
        value_lines.append(Series(name, x, values[:, column]))
    if rest := len(found.actions) - len(shown):
        name = f"{rest} others"
        share_lines.append(Series(name, x, shares[:, len(shown) :].sum(axis=1), style="dashed", colour=GREY))
        visits, totals = found.visits[:, len(shown) :].sum(axis=1), found.totals[:, len(shown) :].sum(axis=1)
        mean = np.divide(totals, visits, out=np.full(len(x), math.nan), where=visits > 0)
        value_lines.append(Series(name, x, mean, style="dashed", colour=GREY))
    mover = int(to_move(state))
    who = game.seats[max(0, mover)]  # what chance leads to counts for the first player
    situation = f"{game.name}, {'chance' if mover == CHANCE else who} to move"
    ended = f"{int(x[-1]):,} simulations{', solved' if found.solved else ''} ({player})"
    label = "simulations" + (" (logarithmic)" if log else "")
    return plot_svg(
        [
            Panel(share_lines, "Share of the visits", label, "share", x_log=log, y_range=(0.0, 1.0)),
            Panel(value_lines, f"Mean reward to {who}", label, "Q/N", x_log=log, legend=False),
        ],
        title=f"{situation}: {ended}",
    )
