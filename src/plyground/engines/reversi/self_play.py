"""Games that the engine plays against itself, and exact scores of games that others have played.

A game of its own begins with some random moves, goes on with a fixed depth, and is solved exactly as soon as few
squares are empty. Each is played twice more: up to some move as before, then a random one, then on with that depth. So
positions are learned from that nobody would choose, but every search has to judge. From a game that others have played
only the moves are taken; what its last positions are worth is solved again.

Each game and its variations are worked out by themselves, with an empty table: its number and the seed decide a game,
whatever the threads, and however often the work was interrupted.
"""

from __future__ import annotations

import queue
from collections import deque
from collections.abc import Callable, Generator, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from itertools import chain, count, islice
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from plyground.engines.reversi.endgame import CERTAIN
from plyground.engines.reversi.last_plies import bit
from plyground.engines.reversi.memory import Memory
from plyground.engines.reversi.midgame import EXACT_BELOW, known_move, search_root
from plyground.engines.reversi.positions import RELATED, UNKNOWN
from plyground.engines.reversi.probcut import DEVIATIONS
from plyground.engines.reversi.table import NO_MOVE, Table
from plyground.engines.reversi.weights import Weights
from plyground.formats.replay import END, replay_games
from plyground.games.reversi import final_score
from plyground.games.reversi.moves import flips, moves
from plyground.native.bits import bit_index, popcount
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream

__all__ = [
    "OPENINGS",
    "GameRow",
    "exact_score",
    "full_value",
    "in_order",
    "play_game",
    "play_games",
    "score_games",
    "solve_positions",
]

OPENINGS = (6, 16)
"""The least and the greatest number of random moves at the beginning of a game."""
NEAR = 4
"""This many plies before the first exact score, the search to the end of the game estimates one. With 16 + 4 empty
squares it is off by 0.9 discs on average, where the first exact score on the way of the game is off by 3.0 in games of
the engine with itself, and by 5.7 in games of people."""
TABLE = 4 << 20
"""Bytes of a thread's table: it is emptied before each game."""
AHEAD = 4
"""How many games a thread may be ahead of the one that is waited for."""

R = TypeVar("R")


class GameRow(NamedTuple):
    """One row of `plyground.engines.reversi.positions.Games`."""

    moves: NDArray[np.uint8]
    scores: NDArray[np.int8]
    estimates: NDArray[np.int8]
    opening: int


def play_games(
    seed: int, first: int, *, weights: Weights, depth: int = 8, solve_from: int = 16, threads: int = 1
) -> Generator[GameRow, None, None]:
    """The games of a seed from number `first` on, without end; to leave the loop stops the threads."""
    solve_from = max(solve_from, depth)

    def play(number: int, memory: Memory) -> list[GameRow]:
        rng = stream(seed, number)
        kept, opening = 0, OPENINGS[0] + int(random_below(rng, OPENINGS[1] - OPENINGS[0] + 1))
        squares, games = np.full(60, END, np.uint8), list[GameRow]()
        for _ in range(RELATED):
            scores, estimates = np.full((2, 61), UNKNOWN, np.int8)
            play_game(rng, kept, opening, depth, solve_from, memory.record, squares, scores, estimates)
            games.append(GameRow(squares, scores, estimates, opening))
            first, end = games[0].opening, min(int((games[0].moves != END).sum()), 60 - solve_from - NEAR)
            kept = first + int(random_below(rng, max(end - first, 1)))
            squares, opening = np.where(np.arange(60) <= kept, games[0].moves, END).astype(np.uint8), kept + 1
        return games

    row = np.zeros(60, np.uint8), np.zeros(61, np.int8), np.zeros(61, np.int8)
    play_game.prepare(stream(0), 0, 0, 0, 0, _any_record(weights), *row)
    played = in_order(play, count(first // RELATED), weights, threads)

    def games() -> Generator[GameRow, None, None]:
        with closing(played):
            yield from islice(chain.from_iterable(played), first % RELATED, None)

    return games()


def score_games(
    written: NDArray[np.uint8], *, weights: Weights, solve_from: int = 16, threads: int = 1
) -> Generator[GameRow, None, None]:
    """Legal games, shape (n, 60), with the exact scores of their last positions; leaving the loop stops the threads."""
    replayed = replay_games(written)
    results = replayed.black - replayed.white

    def score(number: int, memory: Memory) -> GameRow:
        squares, (scores, estimates) = np.ascontiguousarray(written[number]), np.full((2, 61), UNKNOWN, np.int8)
        score_game(squares, int(results[number]), solve_from, memory.record, scores, estimates)
        return GameRow(squares, scores, estimates, 0)

    row = np.zeros(60, np.uint8), np.zeros(61, np.int8), np.zeros(61, np.int8)
    score_game.prepare(row[0], 0, 0, _any_record(weights), *row[1:])
    return in_order(score, range(len(written)), weights, threads)


def solve_positions(
    boards: Sequence[tuple[int, int]], *, weights: Weights, threads: int = 1, table: int = 64 << 20
) -> Generator[int, None, None]:
    """The exact scores of positions, own discs and opponent's, for the side to move."""

    def solve(number: int, memory: Memory) -> int:
        own, opponent = boards[number]
        return int(exact_score(np.uint64(own), np.uint64(opponent), 0, memory.record))

    exact_score.prepare(np.uint64(0), np.uint64(0), 0, _any_record(weights))
    return in_order(solve, range(len(boards)), weights, threads, table)


def _any_record(weights: Weights) -> Any:
    """Something to compile for: in this thread, where Ctrl-C arrives, and not in several others at the same time."""
    return Memory(Table(0), weights, np.zeros(16, np.int64)).record


def in_order(
    work: Callable[[int, Memory], R], numbers: Iterable[int], weights: Weights, threads: int, table: int = TABLE
) -> Generator[R, None, None]:
    """The results of the work on each number, in order, from several threads; each begins with an empty table.

    To leave the loop stops the threads: the work then sees that its memory is halted, and its result is not used.
    """
    signal = np.zeros(16, np.int64)
    free: queue.SimpleQueue[tuple[Table, Memory]] = queue.SimpleQueue()
    for _ in range(threads):
        entries = Table(table)
        free.put((entries, Memory(entries, weights, signal)))

    def task(number: int) -> R:
        entries, memory = free.get()
        try:
            entries.clear()
            memory.begin(0, None)
            return work(number, memory)
        finally:
            free.put((entries, memory))

    waiting: deque[Future[R]] = deque()
    with ThreadPoolExecutor(threads) as pool:
        try:
            for number in numbers:
                waiting.append(pool.submit(task, number))
                if len(waiting) > AHEAD * threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            signal[0] = 1
            for future in waiting:
                future.cancel()


@compiled
def choose_confidence(confidence: int, memory: Any) -> None:
    """Set how much the next search leaves out."""
    memory.confidence = confidence
    memory.deviations = DEVIATIONS[confidence] if confidence < CERTAIN else 0.0


@compiled
def value_within(own: Any, opponent: Any, guess: int, depth: int, memory: Any) -> int:
    """The value of a position by windows around a guess."""
    low, high, width = max(guess - 3, -64), min(guess + 3, 64), 6
    while True:
        value = search_root(own, opponent, low, high, depth, memory)
        if value <= low and low > -64:
            low = max(value - width, -64)
        elif value >= high and high < 64:
            high = min(value + width, 64)
        else:
            return value
        width *= 2


@compiled
def exact_score(own: Any, opponent: Any, guess: int, memory: Any) -> int:
    """The score of a position with best play; the better the guess, the faster."""
    empties = 64 - popcount(own | opponent)
    if not moves(own, opponent):
        if not moves(opponent, own):
            return final_score(own, opponent)
        return -exact_score(opponent, own, -guess, memory)
    if empties > EXACT_BELOW:
        for confidence in (0, 2):
            choose_confidence(confidence, memory)
            guess = value_within(own, opponent, guess, empties, memory)
    choose_confidence(CERTAIN, memory)
    return value_within(own, opponent, guess, empties, memory)


@compiled
def near_score(own: Any, opponent: Any, guess: int, memory: Any) -> int:
    """The score by a search to the end of the game that leaves out what is unlikely to matter."""
    if not moves(own, opponent):
        if not moves(opponent, own):
            return final_score(own, opponent)
        return -near_score(opponent, own, -guess, memory)
    empties = 64 - popcount(own | opponent)
    choose_confidence(0, memory)
    for depth in range(4, empties - 6, 4):
        guess = value_within(own, opponent, guess, depth, memory)
    return value_within(own, opponent, guess, empties, memory)


@compiled
def full_value(own: Any, opponent: Any, depth: int, guess: int, memory: Any) -> int:
    """The value of a search to a depth that leaves nothing out; the side to move must have a move."""
    choose_confidence(CERTAIN, memory)
    return value_within(own, opponent, guess, depth, memory)


@compiled
def play_game(
    rng: Any,
    kept: int,
    opening: int,
    depth: int,
    solve_from: int,
    memory: Any,
    squares: Any,
    scores: Any,
    estimates: Any,
) -> int:
    """Play a game: the first `kept` of the squares, random moves until there are `opening`, then the engine's own.

    The first random move is another than the one that stands in its place, if there is any.
    How many moves it has, passes not counted, or -1 if stopped. Writes the squares played, and for each number of empty
    squares from `solve_from` down, which is not less than `depth`, the exact score of that position for the side to
    move; `NEAR` plies before, an estimate.
    """
    own, opponent = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)
    turn, ply, guess = 1, 0, 0
    while True:
        legal = moves(own, opponent)
        if not legal:
            if not moves(opponent, own):
                return ply
            own, opponent, turn = opponent, own, -turn
            continue
        empties = 64 - popcount(own | opponent)
        if ply < kept:
            move = squares[ply]
        elif ply < opening:
            if squares[ply] != END and popcount(legal) > 1:
                legal &= ~bit(squares[ply])
            for _ in range(random_below(rng, popcount(legal))):
                legal &= legal - np.uint64(1)
            move = bit_index(legal)
        else:
            if empties <= solve_from:
                score = exact_score(own, opponent, guess * turn, memory)
                move = solved_move(own, opponent, score, empties, memory)
                scores[empties] = score
                guess = score * turn
            elif empties == solve_from + NEAR:
                score = near_score(own, opponent, guess * turn, memory)
                move = solved_move(own, opponent, score, empties, memory)
                estimates[empties] = score
                guess = score * turn
            else:
                choose_confidence(0, memory)
                value = guess * turn
                for step in range(2 - depth % 2, depth + 1, 2):
                    value = value_within(own, opponent, value, step, memory)
                move = known_move(own, opponent, memory)
                guess = value * turn
            if memory.halted:
                return -1
        squares[ply] = move
        flipped = flips(own, opponent, move)
        own, opponent, turn = opponent & ~flipped, own | flipped | bit(move), -turn
        ply += 1


@compiled
def solved_move(own: Any, opponent: Any, score: int, empties: int, memory: Any) -> int:
    """A move that reaches the known score."""
    if empties > EXACT_BELOW:
        move = known_move(own, opponent, memory)
        if move != NO_MOVE:
            return move
    legal = moves(own, opponent)
    while legal:
        move = bit_index(legal)
        legal &= legal - np.uint64(1)
        flipped = flips(own, opponent, move)
        if exact_score(opponent & ~flipped, own | flipped | bit(move), -score, memory) <= -score:
            return move
    return bit_index(moves(own, opponent))


@compiled
def score_game(squares: Any, result: int, solve_from: int, memory: Any, scores: Any, estimates: Any) -> int:
    """Write the exact scores of a legal game's positions with at most `solve_from` empty squares; -1 if stopped.

    `NEAR` plies before it writes an estimate.

    The `result` for black is the first guess, no more.
    """
    own, opponent = np.uint64(0x0000000810000000), np.uint64(0x0000001008000000)
    turn, guess = 1, result
    for ply in range(60):
        if squares[ply] == END:
            break
        if not moves(own, opponent):
            own, opponent, turn = opponent, own, -turn
        if 60 - ply == solve_from + NEAR:
            estimates[60 - ply] = near_score(own, opponent, guess * turn, memory)
        if 60 - ply <= solve_from:
            score = exact_score(own, opponent, guess * turn, memory)
            if memory.halted:
                return -1
            scores[60 - ply] = score
            guess = score * turn
        flipped = flips(own, opponent, squares[ply])
        own, opponent, turn = opponent & ~flipped, own | flipped | bit(squares[ply]), -turn
    return 0
