"""How the networks learn: from games against themselves, by what a look one roll ahead makes of each position.

In the first part of the time a position is drawn towards the one that follows it in the game, and towards the result,
as TD(lambda) does: so the values spread from the ends of games. From then on its target is the mean over all 21
rolls of what the network says of the best play of each. No luck of dice is in that, so that every position is worth
learning from, and learned from several times.

Each worker is a thread with a copy of the networks, its own games, its own memory of positions, and its own steps of
Adam (Kingma and Ba 2015); after some seconds all copies are replaced by their mean. What only threads can do at once
is compiled code, and everything but the mean is.
"""

from __future__ import annotations

import time as clock
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyground.core.array_file import read_arrays, write_arrays
from plyground.core.rules import action_buffer, drawn_action
from plyground.engines.backgammon.network import (
    OUTPUTS,
    Net,
    Room,
    empty_net,
    flip,
    forward,
    judge,
    moving,
    new_net,
    new_room,
    note_inputs,
    race,
    save_net,
    settled,
)
from plyground.games.backgammon import backgammon
from plyground.games.backgammon.board import Backgammon, Men, occupied
from plyground.games.backgammon.moves import after_play, drawn_play, list_plays
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream
from plyground.native.row_sums import add_rows

__all__ = ["Recipe", "Stage", "train_networks"]

LONGEST_GAME = 500
"""Turns; what is longer is not learned from, as at the very beginning."""


@dataclass(frozen=True)
class Recipe:
    """How to learn: width of the first layer, share of the time in which results count, rates of Adam at the beginning
    and at the end, times that each position is learned from, and positions remembered by each worker."""

    wide: int = 256
    results: float = 0.2
    rate: float = 1e-3
    last_rate: float = 3e-5
    times: int = 4
    memory: int = 100_000
    batch: int = 128
    seconds: float = 1.0


class Worker(NamedTuple):
    """What a worker has: a copy of the networks, slopes, Adam's means and squares, positions with targets, counts."""

    net: Net
    slopes: Net
    means: Net
    squares: Net
    room: Room
    men: NDArray[np.int64]
    targets: NDArray[np.float32]
    game_men: NDArray[np.int64]
    game_targets: NDArray[np.float32]
    numbers: NDArray[np.int64]
    rng: NDArray[np.uint64]
    losses: NDArray[np.float64]


FILLED, PLACE, STEPS, SEEN, GAMES = range(5)


def new_worker(recipe: Recipe, seed: int, number: int) -> Worker:
    return Worker(
        empty_net(recipe.wide), empty_net(recipe.wide), empty_net(recipe.wide), empty_net(recipe.wide),
        new_room(recipe.wide),
        np.zeros((recipe.memory, 8), np.int64), np.zeros((recipe.memory, OUTPUTS), np.float32),
        np.zeros((LONGEST_GAME, 8), np.int64), np.zeros((LONGEST_GAME, OUTPUTS), np.float32),
        np.zeros(8, np.int64), stream(seed, number), np.zeros(2),
    )  # fmt: skip


def best_play(state: Backgammon, net: Net, room: Room, plays: Any, outputs: Any) -> int:
    """The play that the networks like best; in `outputs` what they say of it to the other side, who is to roll."""
    count = list_plays(state, plays)
    best, chosen = 1e9, plays[0]
    for i in range(count):
        mine, other = after_play(state, plays[i])
        value = judge(other, mine, net, room)
        if value < best:
            best, chosen = value, plays[i]
            outputs[:] = room.outputs
    return chosen  # type: ignore[no-any-return]


def note(worker: Worker, mine: Men, other: Men, turn: int) -> None:
    row = worker.game_men[turn]
    row[0], row[1], row[2], row[3] = mine
    row[4], row[5], row[6], row[7] = other


@compiled
def play_game(start: Backgammon, worker: Worker, ahead: bool, decay: float) -> int:
    """Play a game against oneself; its positions with their targets go into the worker's memory. How many."""
    plays = action_buffer(start)
    net, room, rng = worker.net, worker.room, worker.rng
    found = np.zeros(OUTPUTS, np.float32)
    turned = np.zeros(OUTPUTS, np.float32)
    mean = np.zeros(OUTPUTS, np.float32)
    mine, other = start.first, start.second
    turn, opening = 0, random_below(rng, 4) - 1
    thrown = drawn_action(start, plays, rng)
    first = max(thrown >> 3, thrown & 7) << 3 | min(thrown >> 3, thrown & 7)
    while turn < LONGEST_GAME and occupied(mine) and occupied(other):
        one, two = 1 + random_below(rng, 6), 1 + random_below(rng, 6)
        roll = max(one, two) << 3 | min(one, two)
        if turn == 0:
            roll = first
        chosen = 0
        note(worker, mine, other, turn)
        if ahead and turn > 0:
            mean[:] = 0.0
            for larger in range(1, 7):
                for smaller in range(1, larger + 1):
                    state = moving(start, mine, other, larger << 3 | smaller)
                    play = best_play(state, net, room, plays, found)
                    flip(found, turned)
                    weight = np.float32(1 / 36 if larger == smaller else 2 / 36)
                    for k in range(OUTPUTS):
                        mean[k] += weight * turned[k]
                    if roll == larger << 3 | smaller:
                        chosen = play
            worker.game_targets[turn] = mean
        state = moving(start, mine, other, roll)
        if not ahead or turn == 0:
            chosen = best_play(state, net, room, plays, found)
            flip(found, worker.game_targets[turn])
        if turn < opening or random_below(rng, 50) == 0:
            chosen = drawn_play(state, plays, rng)
        mine, other = after_play(state, chosen)
        mine, other = other, mine
        turn += 1
    if turn >= LONGEST_GAME:
        return 0
    settled(mine, other, found)
    memory = len(worker.men)
    for back in range(turn):
        now = turn - 1 - back
        flip(found, turned)
        for k in range(OUTPUTS):
            found[k] = decay * turned[k] + (1.0 - decay) * worker.game_targets[now, k]
        if now == 0:
            break  # the first roll has no doubles, which is another position
        at = worker.numbers[PLACE]
        worker.men[at] = worker.game_men[now]
        worker.targets[at] = found
        worker.numbers[PLACE] = (at + 1) % memory
        worker.numbers[FILLED] = min(worker.numbers[FILLED] + 1, memory)
    worker.numbers[SEEN] += turn
    worker.numbers[GAMES] += 1
    return turn


def add_slopes(mine: Men, other: Men, target: Any, worker: Worker) -> float:
    """Add what one position has to say to the slopes; the cross entropy of its outputs."""
    net, room, slopes = worker.net, worker.room, worker.slopes
    racing = race(mine, other)
    which = 0 if racing else 1
    count = note_inputs(mine, other, racing, room)
    active = forward(which, count, net, room)
    narrow, wide, out = room.narrow, room.wide, room.outputs
    loss = 0.0
    last = net.last[which]
    for k in range(OUTPUTS):
        p = min(max(out[k], np.float32(1e-6)), np.float32(1 - 1e-6))
        loss -= target[k] * np.log(p) + (1.0 - target[k]) * np.log(1.0 - p)
        out[k] -= target[k]
        slopes.ends[which, k] += out[k]
    for j in range(len(narrow)):
        x = narrow[j]
        slope = np.float32(0.0)
        if x > 0.0:
            for k in range(OUTPUTS):
                slopes.last[which, j, k] += x * out[k]
                slope += last[j, k] * out[k]
        narrow[j] = slope
        slopes.third[which, j] += slope
    second = net.second[which]
    add_rows(slopes.second[which], room.active, room.lit, active, narrow)
    wide[:] = 0.0
    for i in range(active):
        unit = room.active[i]
        total = np.float32(0.0)
        row = second[unit]
        for j in range(len(narrow)):
            total += row[j] * narrow[j]
        wide[unit] = total
        slopes.first[which, unit] += total
    add_rows(slopes.rows[which], room.chosen, room.values, count, wide)
    return loss


def adam(weights: Any, slopes: Any, means: Any, squares: Any, scale: float, pace: float) -> None:
    """A step of Adam, and slopes of zero after it."""
    w, g, m, v = weights.reshape(-1), slopes.reshape(-1), means.reshape(-1), squares.reshape(-1)
    scale32, pace32 = np.float32(scale), np.float32(pace)
    for i in range(len(w)):
        slope = g[i] * scale32
        m[i] = np.float32(0.9) * m[i] + np.float32(0.1) * slope
        v[i] = np.float32(0.999) * v[i] + np.float32(0.001) * slope * slope
        w[i] -= pace32 * m[i] / (np.sqrt(v[i]) + np.float32(1e-7))
        g[i] = np.float32(0.0)


@compiled
def learn_batch(worker: Worker, batch: int, rate: float) -> None:
    """A step of Adam from positions of the memory, drawn at random."""
    numbers, rng = worker.numbers, worker.rng
    for _ in range(batch):
        at = random_below(rng, numbers[FILLED])
        row = worker.men[at]
        mine, other = (row[0], row[1], row[2], row[3]), (row[4], row[5], row[6], row[7])
        worker.losses[0] += add_slopes(mine, other, worker.targets[at], worker)
        worker.losses[1] += 1.0
    numbers[STEPS] += 1
    taken = float(numbers[STEPS])
    pace = rate * (1.0 - 0.999**taken) ** 0.5 / (1.0 - 0.9**taken)
    scale = 1.0 / batch
    net, slopes, means, squares = worker.net, worker.slopes, worker.means, worker.squares
    adam(net.rows, slopes.rows, means.rows, squares.rows, scale, pace)
    adam(net.first, slopes.first, means.first, squares.first, scale, pace)
    adam(net.second, slopes.second, means.second, squares.second, scale, pace)
    adam(net.third, slopes.third, means.third, squares.third, scale, pace)
    adam(net.last, slopes.last, means.last, squares.last, scale, pace)
    adam(net.ends, slopes.ends, means.ends, squares.ends, scale, pace)


@compiled
def work(
    start: Backgammon, worker: Worker, positions: int, ahead: bool, decay: float, rate: float, batch: int, times: int
) -> int:
    """Play games until there are so many positions, learning from the memory meanwhile; how many there were."""
    done, due = 0, 0
    while done < positions:
        turns = play_game(start, worker, ahead, decay)
        done += max(turns, 1)
        due += turns * times
        while due >= batch and worker.numbers[FILLED] >= 10 * batch:
            learn_batch(worker, batch, rate)
            due -= batch
    return done


class Stage(NamedTuple):
    """How far learning is: seconds of work in all, positions and games seen, mean cross entropy, positions a second."""

    seconds: float
    positions: int
    games: int
    loss: float
    speed: float


def _mean(workers: list[Worker]) -> None:
    """Replace all copies, and Adam's means and squares, by their mean."""
    for field in ("net", "means", "squares"):
        for name in Net._fields:
            parts = [getattr(getattr(worker, field), name) for worker in workers]
            total = parts[0].copy()
            for part in parts[1:]:
                total += part
            total /= len(parts)
            for part in parts:
                part[:] = total


def _keep(path: Path, worker: Worker, seconds: float, positions: int, games: int) -> None:
    state = {
        f"{field}_{name}": getattr(getattr(worker, field), name)
        for field in ("net", "means", "squares")
        for name in Net._fields
    }
    counts = np.array([seconds, positions, games, worker.numbers[STEPS]], np.float64)
    write_arrays(path, compressed=False, counts=counts, **state)


def _go_on(path: Path, worker: Worker) -> tuple[float, int, int]:
    known: dict[str, tuple[str, tuple[int | str, ...]]] = {"counts": ("f8", (4,))}
    for field in ("net", "means", "squares"):
        known |= {f"{field}_{name}": ("f4", getattr(getattr(worker, field), name).shape) for name in Net._fields}
    found = read_arrays(path, "checkpoint of networks", known, hint="delete it to start over")
    for field in ("net", "means", "squares"):
        for name in Net._fields:
            getattr(getattr(worker, field), name)[:] = found[f"{field}_{name}"]
    seconds, positions, games, steps = found["counts"]
    worker.numbers[STEPS] = int(steps)
    return float(seconds), int(positions), int(games)


def train_networks(
    folder: Path,
    *,
    minutes: float,
    jobs: int = 1,
    recipe: Recipe | None = None,
    seed: int = 1,
    on_stage: Callable[[Stage], None] = lambda stage: None,
) -> Path:
    """Learn for so many minutes of work in all, those of former calls with the same folder included.

    The folder has a checkpoint, from which another call goes on, and ``network.npz``, which plays; and all some minutes
    the network of that time beside it, named by its positions. Returns where the network is.
    """
    recipe = recipe or Recipe()
    folder.mkdir(parents=True, exist_ok=True)
    start = backgammon().initial
    workers = [new_worker(recipe, seed, number) for number in range(jobs)]
    for part, new in zip(workers[0].net, new_net(recipe.wide, seed), strict=True):
        part[:] = new
    checkpoint, out = folder / "checkpoint.npz", folder / "network.npz"
    seconds, positions, games = _go_on(checkpoint, workers[0]) if checkpoint.exists() else (0.0, 0, 0)
    for number, worker in enumerate(workers[1:], start=1):
        worker.numbers[STEPS] = workers[0].numbers[STEPS]
        for field in ("net", "means", "squares"):
            for part, first in zip(getattr(worker, field), getattr(workers[0], field), strict=True):
                part[:] = first
        worker.rng[:] = stream(seed, number, positions)
    workers[0].rng[:] = stream(seed, 0, positions)
    work(start, workers[0], 1, False, 0.0, 0.0, recipe.batch, 0)  # compiles
    total, share = 60.0 * minutes, 400
    next_mark, was_ahead = 60.0, False
    with ThreadPoolExecutor(jobs) as pool:
        while seconds < total:
            began = clock.monotonic()
            done = seconds / total
            ahead = done >= recipe.results
            share = share // 20 if ahead and not was_ahead else share
            was_ahead = ahead
            decay = 0.0 if ahead else 0.8 * (1.0 - done / recipe.results)
            rate = recipe.rate * (recipe.last_rate / recipe.rate) ** done
            before = sum(int(worker.numbers[SEEN]) for worker in workers), sum(int(w.numbers[GAMES]) for w in workers)
            tasks = [
                pool.submit(work, start, worker, share, ahead, decay, rate, recipe.batch, recipe.times)
                for worker in workers
            ]
            for task in tasks:
                task.result()
            _mean(workers)
            took = clock.monotonic() - began
            seconds += took
            after = sum(int(worker.numbers[SEEN]) for worker in workers), sum(int(w.numbers[GAMES]) for w in workers)
            positions, games = positions + after[0] - before[0], games + after[1] - before[1]
            loss = sum(worker.losses[0] for worker in workers) / max(1.0, sum(worker.losses[1] for worker in workers))
            for worker in workers:
                worker.losses[:] = 0.0
            on_stage(Stage(seconds, positions, games, float(loss), (after[0] - before[0]) / took))
            share = max(200, min(200_000, int(share * min(4.0, recipe.seconds / took))))
            if seconds >= next_mark or seconds >= total:
                _keep(checkpoint, workers[0], seconds, positions, games)
                save_net(out, workers[0].net, positions)
                save_net(folder / f"network-{positions:012}.npz", workers[0].net, positions)
                while next_mark <= seconds:
                    next_mark += 60.0
    return out
