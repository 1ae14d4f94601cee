"""Strength over threads: a player with 1, 2, 4, ... threads against itself with one, at equal time, and its speed.

    python -m benchmarks.threads --threads 1,2 --time 0.5 --games 200 --out threads.svg
    python -m benchmarks.threads --player mcts:parallel=root,solver=off --threads 1,2,4,8 --out root.svg
    python -m benchmarks.threads --player engine --json engine.json

Each opening is six random moves, played twice with colours changed; the interval is over the pairs of games. Speed is
the simulations or nodes a second on the first position after an opening, the median of five. As many games are played
at once as the cores hold with that many threads each, or `--jobs`, and nothing else should run: two sides that share
cores with others measure those. More threads than cores are measured too, and named so. `mcts` is taken without its
solver, which is off while several threads grow one tree: so that only the threads differ. Whatever has been played is
drawn when it is stopped by Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path

from benchmarks.strength import match, opening, player_chooser
from plyground import Limit, make_game, result
from plyground.core.files import write_file
from plyground.core.registry import split_spec
from plyground.errors import BadOption
from plyground.pictures.plot import Bars, Panel, plot_svg
from plyground.players import Position, make_player

__all__ = ["ThreadsRow", "measure", "rows_text", "threads_svg", "with_options"]

REPEATS = 5


@dataclass(frozen=True)
class ThreadsRow:
    """What was measured with so many threads: work a second, and points from 0 to 1 against one thread.

    `error` is half the 95% interval of the points. With one thread there is no match.
    """

    threads: int
    speed: float
    games: int
    points: float
    error: float


def with_options(spec: str, **options: object) -> str:
    """The spec with options replaced or added."""
    name, given = split_spec(spec)
    merged = given | {key: str(value) for key, value in options.items()}
    return f"{name}:{','.join(f'{key}={value}' for key, value in merged.items())}"


def speed_of(spec: str, game_spec: str, seconds: float, repeats: int = REPEATS) -> float:
    """Simulations or nodes a second, the median over the positions after a few openings."""
    game = make_game(game_spec)
    player = make_player(spec, game, 1)
    player.prepare(game)
    rates = []
    for number in range(repeats + 1):  # the first is not counted: it warms up
        state = game.initial
        for action in opening(game, number):
            state = result(state, action)
        start = time.perf_counter()
        found = player.choose(Position(game, state), Limit(time=seconds))
        rates.append((found.nodes or 0) / (time.perf_counter() - start))
    player.close()
    return statistics.median(rates[1:])


def measure(
    player: str, game: str, threads: Sequence[int], seconds: float, games: int, first: int = 0, jobs: int = 1
) -> list[ThreadsRow]:
    """A row for each number of threads; what there is so far if Ctrl-C ends it.

    So many games run at once; 0: as many as the cores hold.
    """
    single = with_options(player, threads=1, time=seconds)
    rows: list[ThreadsRow] = []
    try:
        for number in threads:
            spec = with_options(player, threads=number, time=seconds)
            speed = speed_of(spec, game, seconds)
            played, mean, error = 0, 0.5, 0.0
            if number > 1:
                ours, theirs = partial(player_chooser, spec), partial(player_chooser, single)
                at_once = jobs or max(1, cores() // number)
                for played, _, mean, error, spent in match(games, first, at_once, ours, theirs, game):
                    took = f"seconds {spent[0]:.0f} and {spent[1]:.0f}"
                    print(f"{number} threads, {played} games: {mean:.1%} +- {error:.1%}; {took}", flush=True)
            rows.append(ThreadsRow(number, speed, played, mean, error))
    except KeyboardInterrupt:
        print("stopped", flush=True)
    return rows


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def rows_text(rows: Sequence[ThreadsRow]) -> str:
    """The rows as a table."""
    lines = ["threads  a second  speed-up  games  points against one thread"]
    for row in rows:
        score = f"{row.points:.1%} +- {row.error:.1%}" if row.games else "-"
        ratio = row.speed / rows[0].speed if rows[0].speed else 0.0
        lines.append(f"{row.threads:>7}  {row.speed:>8,.0f}  {ratio:>8.2f}  {row.games:>5}  {score}")
    return "\n".join(lines)


def threads_svg(rows: Sequence[ThreadsRow], title: str) -> str:
    """Two panels over the threads: how many times as fast as with the first, and the points against one thread."""
    numbers = [row.threads for row in rows]
    base = rows[0].speed or 1.0
    speed = [
        Bars("in proportion", [number / numbers[0] for number in numbers], style="mark", colour="#000000"),
        Bars("measured", [row.speed / base for row in rows], style="dot"),
    ]
    played = [row for row in rows if row.games]
    most = max(numbers[-1] / numbers[0], *(row.speed / base for row in rows))
    every = [str(number) for number in numbers]
    panels = [Panel(speed, "Speed", "threads", "times as fast", y_range=(0, most), categories=every, width=300)]
    if played:
        points = [
            Bars("even", [0.5] * len(played), style="mark", colour="#000000"),
            Bars(
                "points, 95% interval",
                [row.points for row in played],
                [max(0.0, row.points - row.error) for row in played],
                [min(1.0, row.points + row.error) for row in played],
                style="dot",
            ),
        ]
        names = [str(row.threads) for row in played]
        panels.append(
            Panel(points, "Against one thread", "threads", "points a game", y_range=(0, 1), categories=names, width=300)
        )
    return plot_svg(panels, title=title)


def _numbers(text: str) -> list[int]:
    numbers = sorted({int(part) for part in text.split(",") if part.strip().isdigit()})
    if not numbers or numbers[0] != 1 or len(numbers) != len(text.split(",")):
        raise BadOption(f"--threads is a list of numbers that begins with 1, such as 1,2,4; not '{text}'")
    return numbers


def main() -> None:
    """Read the arguments, measure and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--player", default="mcts:solver=off", help="any player that has threads and time")
    parser.add_argument("--game", default="reversi")
    parser.add_argument("--threads", default="1,2,4", help="1 and others, such as 1,2,4")
    parser.add_argument("--time", type=float, default=0.5, help="seconds a move, for both sides")
    parser.add_argument("--games", type=int, default=100, help="games of each match; two for each opening")
    parser.add_argument("--first", type=int, default=0, help="number of the first opening")
    parser.add_argument("--jobs", type=int, default=0, help="games at once; 0: as many as the cores hold")
    parser.add_argument("--out", type=Path, help="write the plot to this file, .svg")
    parser.add_argument("--json", type=Path, help="write the numbers to this file")
    given = parser.parse_args()
    try:
        numbers = _numbers(given.threads)
    except BadOption as error:
        parser.error(str(error))
    rows = measure(given.player, given.game, numbers, given.time, given.games, given.first, given.jobs)
    here = cores()
    title = f"{given.player} on {given.game}, {given.time:g} s a move, on {here} cores"
    print(title)
    if not rows:
        return
    print(rows_text(rows))
    if numbers[-1] > here:
        print(f"more than {here} threads share the {here} cores: they cannot be faster than {here}")
    facts = {
        "player": given.player,
        "game": given.game,
        "time": given.time,
        "cores": here,
        "rows": [*map(asdict, rows)],
    }
    if given.json is not None:
        write_file(given.json, f"{json.dumps(facts, indent=1)}\n".encode())
    if given.out is not None:
        write_file(given.out, threads_svg(rows, title).encode())


if __name__ == "__main__":
    main()
