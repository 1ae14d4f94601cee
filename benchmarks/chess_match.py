"""How strong the chess engine is: matches against other programs, through UCI.

    python -m benchmarks.chess_match --opponent stockfish:2500 --games 100 --time 1
    python -m benchmarks.chess_match --opponent "python sunfish.py" --games 100 --time 0.5
    python -m benchmarks.chess_match --opponent stockfish:1320 --ours engine:level=8 --games 40

The opponent is a command, or `stockfish:ELO` for Stockfish limited by UCI_Elo. An opening is eight random moves after
which a short search sees neither side ahead; each is played twice with colours changed. Both sides have as many seconds
for a move, on one thread. Who answers with no move where there is one has given up. The interval is that of 95%, over
pairs of games; Elo is the difference that the share means.
"""

from __future__ import annotations

import argparse
import itertools
import math
import shlex
import sys
from collections.abc import Iterator, Sequence
from typing import Any

import chess.engine

import chess
from plyground import Limit, actions, make_game, result
from plyground.core.rules import action_code
from plyground.engines.chess.engine import Engine
from plyground.native.randomness import random_below, stream
from plyground.players import make_player
from plyground.players.player import Move, Position

__all__ = ["elo", "interval", "openings"]

OPENING_MOVES = 8
EVEN = 60
"""Centipawns that either side may be ahead after an opening."""
TABLE = 1 << 24
GAME = make_game("chess")


def openings(seed: int) -> Iterator[tuple[int, ...]]:
    """Even openings, ever new ones, the same for the same seed."""
    engine = Engine(table=TABLE)
    for number in itertools.count():
        rng, state, moves = stream(seed, number), GAME.initial, list[int]()
        for _ in range(OPENING_MOVES):
            options = actions(state)
            if not options:
                break
            moves.append(options[random_below(rng, len(options))])
            state = result(state, moves[-1])
        if actions(state) and abs(engine.search(state, Limit(depth=8)).centipawns) <= EVEN:
            yield tuple(moves)


def interval(shares: Sequence[float]) -> tuple[float, float]:
    """The mean share of the pairs of games, and half of its interval of 95%."""
    mean = sum(shares) / len(shares)
    spread = sum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1)
    return mean, 1.96 * math.sqrt(spread / len(shares))


def elo(share: float) -> float:
    """The difference in Elo that a share of the points means."""
    return -400 * math.log10(1 / max(1e-3, min(1 - 1e-3, share)) - 1)


def points(player: Any, opponent: Any, opening: Sequence[int], seat: int, seconds: float) -> float:
    """The points of our player, who is White in seat 0, in one game: 1, 0.5 or 0."""
    state, history, board = GAME.initial, list[int](), chess.Board()
    for action in opening:
        board.push_uci(action_code(state, action))
        state = result(state, action)
        history.append(action)
    while actions(state):
        if int(state.turn) == seat:
            choice = player.choose(Position(GAME, state, tuple(history)), Limit(time=seconds))
            assert isinstance(choice, Move)
            action = choice.action
            board.push_uci(action_code(state, action))
        else:
            answer = opponent.play(board, chess.engine.Limit(time=seconds), game=(opening, seat))
            if answer.move is None:
                return 1.0
            words = {action_code(state, option): option for option in actions(state)}
            action = words[answer.move.uci()]
            board.push(answer.move)
        state = result(state, action)
        history.append(action)
    return (GAME.returns(state)[seat] + 1) / 2


def started(name: str) -> Any:
    """The opponent, running."""
    command, _, strength = name.partition(":")
    if command != "stockfish":
        return chess.engine.SimpleEngine.popen_uci(shlex.split(name))
    found = chess.engine.SimpleEngine.popen_uci("stockfish")
    if strength:
        found.configure({"UCI_LimitStrength": True, "UCI_Elo": int(strength)})
    return found


def main() -> None:
    """Read the arguments and play."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--opponent", default="stockfish:2500", help="stockfish:ELO or a command (stockfish:2500)")
    parser.add_argument("--ours", default="engine", help="our player; its own limits hold as well (engine)")
    parser.add_argument("--games", type=int, default=20, help="games (20)")
    parser.add_argument("--time", type=float, default=0.1, help="seconds for a move (0.1)")
    parser.add_argument("--seed", type=int, default=1, help="of the openings (1)")
    given = parser.parse_args()
    spec = given.ours
    if spec == "engine":
        spec = f"engine:time={given.time}"
    shares: list[float] = []
    opponent = started(given.opponent)
    try:
        with make_player(spec, GAME) as player:
            for opening in itertools.islice(openings(given.seed), math.ceil(given.games / 2)):
                both = [points(player, opponent, opening, seat, given.time) for seat in (0, 1)]
                shares.append(sum(both) / 2)
                mean, half = interval(shares)
                print(f"{2 * len(shares)} games: {mean:.1%} +- {half:.1%}, {elo(mean):+.0f} Elo", flush=True)
    finally:
        opponent.quit()


if __name__ == "__main__":
    sys.exit(main())
