"""Games of Reversi between policies without any search, thousands at once.

All games make a move together: the rules run in compiled code over arrays, and each policy is asked once for all games
in which it is to move. Forced passes are made on the way, so that every game has as many discs as the others.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from plyground.engines.reversi.alphago.boards import Symmetries, cells, legal_shares, planes_of, words_on
from plyground.games.reversi.moves import flips, moves
from plyground.learning.network import Network
from plyground.native.compiling import compiled

__all__ = [
    "Games",
    "MatchResult",
    "Policy",
    "legal_squares",
    "make_moves",
    "make_openings",
    "new_games",
    "play_games",
    "policy_match",
    "results",
]

Squares = NDArray[np.int64]
MOST_AT_ONCE = 16_384
"""Positions that a network judges together; more would not be quicker."""


class Games(NamedTuple):
    """n games in progress: discs of the player to move and of the other one, legal squares (none: the game is over),
    and who is to move, 0 for black."""

    own: NDArray[np.uint64]
    opponent: NDArray[np.uint64]
    legal: NDArray[np.uint64]
    turn: NDArray[np.int8]


def new_games(count: int) -> Games:
    """Games at the usual first position."""
    own, opponent = np.full(count, 0x0000000810000000, np.uint64), np.full(count, 0x0000001008000000, np.uint64)
    return Games(own, opponent, legal_squares(own, opponent), np.zeros(count, np.int8))


def legal_squares(own: NDArray[np.uint64], opponent: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The legal squares of each position."""
    found = np.empty(len(own), np.uint64)
    _write_legal(np.ascontiguousarray(own), np.ascontiguousarray(opponent), found)
    return found


@compiled
def _write_legal(own: Any, opponent: Any, legal: Any) -> None:
    for row in range(len(own)):
        legal[row] = moves(own[row], opponent[row])


@compiled
def make_moves(games: Games, squares: Any) -> None:
    """Make a move in each game that is not over."""
    owns, opponents, legal, turn = games.own, games.opponent, games.legal, games.turn
    for game in range(len(owns)):
        if legal[game]:
            own, opponent, square = owns[game], opponents[game], squares[game]
            flipped = flips(own, opponent, square)
            own, opponent = opponent & ~flipped, own | flipped | np.uint64(1) << np.uint64(square)
            turn[game] ^= 1
            if not moves(own, opponent):
                own, opponent = opponent, own
                turn[game] ^= 1
            owns[game], opponents[game], legal[game] = own, opponent, moves(own, opponent)


def results(games: Games) -> NDArray[np.float32]:
    """How finished games ended for black: 1, 0 or -1."""
    lead = np.bitwise_count(games.own).astype(np.float32) - np.bitwise_count(games.opponent)
    signs: NDArray[np.float32] = np.sign(np.where(games.turn == 0, lead, -lead))
    return signs


class Policy:
    """Chooses moves by a network: drawn in proportion to its policy, or the likeliest. Without a network, at random."""

    def __init__(self, network: Network | None, device: torch.device, *, greedy: bool = False) -> None:
        self.network: Any = None if network is None else network.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.device, self.greedy = device, greedy
        self._symmetries = Symmetries(device)

    @torch.no_grad()
    def choose(self, games: Games, which: NDArray[np.intp], luck: torch.Generator) -> Squares:
        """A square for each of these games; `luck` is on the policy's device."""
        found = [self._choose(games, which[at : at + MOST_AT_ONCE], luck) for at in range(0, len(which), MOST_AT_ONCE)]
        return np.concatenate(found)

    def _choose(self, games: Games, which: NDArray[np.intp], luck: torch.Generator) -> Squares:
        own, opponent, legal = (words_on(self.device, array[which]) for array in games[:3])
        straight = self._symmetries.sources[:1]
        allowed = cells(legal, straight)
        if self.network is None:
            shares = legal_shares(torch.zeros(len(which), 64, device=self.device), allowed)
        else:
            self.network.eval()
            with torch.autocast(self.device.type, torch.float16, enabled=self.device.type == "cuda"):
                logits, _ = self.network(planes_of(own, opponent, straight))
            shares = legal_shares(logits, allowed)
        if not self.greedy:  # the highest sum of a share's logarithm and a Gumbel number falls on each with its share
            unit = torch.rand(shares.shape, generator=luck, device=self.device)
            shares = shares - torch.log(-torch.log(unit.clamp(1e-20, 1.0 - 1e-7)))
        squares: Squares = shares.argmax(dim=1).cpu().numpy()
        return squares


Watch = Callable[[NDArray[np.intp], Squares], None]


def play_games(
    games: Games,
    policies: tuple[Policy, Policy],
    black: NDArray[np.intp],
    luck: torch.Generator,
    watch: tuple[Watch | None, Watch | None] = (None, None),
) -> None:
    """Play all games to their ends. `black` is for each game the policy, 0 or 1, that has the black discs.

    Before the moves of a policy are made, its `watch` is called with the games in which it moves, and where.
    """
    squares = np.zeros(len(games.own), np.int64)
    while games.legal.any():
        mover = np.where(games.legal != 0, black ^ games.turn, -1)
        for number, policy in enumerate(policies):
            which = np.flatnonzero(mover == number)
            if len(which):
                squares[which] = policy.choose(games, which, luck)
                if told := watch[number]:
                    told(which, squares[which])
        make_moves(games, squares)


def make_openings(games: Games, device: torch.device, plies: Squares, luck: torch.Generator) -> None:
    """Begin each game with this many random moves."""
    by_lot = Policy(None, device)
    for ply in range(int(plies.max(initial=0))):
        now = plies > ply
        opened = Games(games.own[now], games.opponent[now], games.legal[now], games.turn[now])
        squares = np.zeros(len(opened.own), np.int64)
        which = np.flatnonzero(opened.legal)
        squares[which] = by_lot.choose(opened, which, luck)
        make_moves(opened, squares)
        for name in Games._fields:
            getattr(games, name)[now] = getattr(opened, name)


class MatchResult(NamedTuple):
    """Of the first of two policies: games won, drawn and lost, its share of the points, and the 95% interval."""

    won: int
    drawn: int
    lost: int
    share: float
    low: float
    high: float


def policy_match(
    first: Policy, second: Policy, pairs: int, *, opening: int = 0, seed: int = 0, most: int = 4096
) -> MatchResult:
    """Play pairs of games with exchanged colours, both from the same opening of this many random moves.

    Greedy policies always play the same game from the same position, so that they need an opening. The interval is
    that of the mean of the pairs.
    """
    luck = torch.Generator(first.device).manual_seed(seed)
    points = np.empty((pairs, 2), np.float32)
    for at in range(0, pairs, most):
        count = min(most, pairs - at)
        one = new_games(count)
        make_openings(one, first.device, np.full(count, opening), luck)
        games = Games(one.own.repeat(2), one.opponent.repeat(2), one.legal.repeat(2), one.turn.repeat(2))
        black = np.arange(2 * count) % 2
        play_games(games, (first, second), black, luck)
        points[at : at + count] = (results(games) * np.where(black == 0, 1, -1)).reshape(count, 2)
    share = float(points.mean()) / 2 + 0.5
    spread = float(points.mean(axis=1).std()) / 2 * 1.96 / math.sqrt(pairs)
    won, drawn, lost = (int((points == sign).sum()) for sign in (1, 0, -1))
    return MatchResult(won, drawn, lost, share, max(0.0, share - spread), min(1.0, share + spread))
