"""The ablation ladder of AlphaGo (2016): what policy network, value network and rollouts are each worth, in Elo.

    python -m benchmarks.alphago --policy policy.onnx --reinforced reinforced.onnx --value value.onnx --jobs 16

Everybody meets everybody, once with equal simulations and once with equal time, from balanced random openings, each
played twice with colours changed. The networks, each of which may be missing:

    rollouts, value, policy     alone: equal priors and one judge; the policy alone plays its first choice, no search
    with + in every pair, all   as in the paper's figure 4
    reinforced                  the same with the policy of the policy gradient as prior
    random, mcts, minialphago   landmarks

Games go to a file of JSON lines; the same command goes on where it was interrupted. In the end, or with --report at
any time, ratings with 95% intervals (Bradley-Terry-Davidson) are printed and drawn.
"""

from __future__ import annotations

import argparse
import itertools
import json
import multiprocessing
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plyground import Limit, actions, make_game, result, to_move
from plyground.arena.openings import random_openings
from plyground.arena.ratings import Ratings, rate
from plyground.core.files import write_file
from plyground.core.notation import read_moves
from plyground.errors import BadOption, PlygroundError
from plyground.learning.onnx_file import load_network
from plyground.pictures.plot import Bars, Panel, plot_svg
from plyground.players import Move, Position, make_player
from plyground.players.net_player import network_path

__all__ = ["Game", "Ladder", "contestants", "finished", "ladder_svg", "ladder_table", "play_ladder", "standings"]

OPENING_MOVES = 8
ANCHOR = "rollouts"


@dataclass(frozen=True)
class Ladder:
    """Players by name, all held to the same limit, such as ``simulations=200`` or ``time=0.1``."""

    limit: str
    players: dict[str, str]

    @property
    def kind(self) -> str:
        """What is equal."""
        return self.limit.partition("=")[0]


@dataclass(frozen=True)
class Game:
    """One game to play: an opening's number and moves, and the names of black and white."""

    opening: int
    moves: str
    black: str
    white: str

    @property
    def key(self) -> tuple[Any, ...]:
        """What it is told apart by."""
        return self.opening, self.black, self.white


def contestants(
    policy: str | None, reinforced: str | None, value: str | None, minialphago: str | None = None
) -> dict[str, str]:
    """The players that these files make possible, without their limits."""
    found = {"random": "random", "mcts": "mcts", "rollouts": "alphago:policy=off,value=off"}
    if value:
        found["value"] = f"alphago:policy=off,value={value},rollouts=off"
        found["rollouts + value"] = f"alphago:policy=off,value={value}"
    for name, everything, file in (("policy", "all", policy), ("reinforced", "all, reinforced", reinforced)):
        if file:
            found[name] = f"alphago:policy={file},value=off,rollouts=off"
            found[f"rollouts + {name}"] = f"alphago:policy={file},value=off"
            if value:
                found[f"value + {name}"] = f"alphago:policy={file},value={value},rollouts=off"
                found[everything] = f"alphago:policy={file},value={value}"
    if minialphago:
        found["minialphago"] = f"minialphago:network={minialphago}"
    return found


def schedule(ladder: Ladder, openings: Sequence[str], games: int) -> Iterator[Game]:
    """Everybody against everybody: `games` of each pair, two from an opening; opening by opening."""
    for number in range(games // 2):
        for first, second in itertools.combinations(ladder.players, 2):
            moves = openings[number % len(openings)]
            yield Game(number, moves, first, second)
            yield Game(number, moves, second, first)


def limited(spec: str, limit: str) -> str:
    """A player's spec with the ladder's limit; one that does not search has none."""
    if spec == "random" or spec.endswith("value=off,rollouts=off"):
        return spec
    return f"{spec}{',' if ':' in spec else ':'}{limit}"


def play(ladder: Ladder, fixture: Game) -> dict[str, Any]:
    """Play a game; black's points (1, 1/2, 0), and each side's seconds, simulations and moves."""
    game = make_game("reversi")
    states, history = read_moves(game, fixture.moves)
    state, played = states[-1], tuple(history)
    players = []
    for seat, name in enumerate((fixture.black, fixture.white)):
        player = make_player(limited(ladder.players[name], ladder.limit), game, 1000 * fixture.opening + seat)
        player.prepare(game)
        players.append(player)
    spent, simulations, moves = [0.0, 0.0], [0, 0], [0, 0]
    while actions(state):
        seat = int(to_move(state))
        start = time.perf_counter()
        choice = players[seat].choose(Position(game, state, played), Limit())
        spent[seat] += time.perf_counter() - start
        assert isinstance(choice, Move)
        simulations[seat] += choice.nodes or 0
        moves[seat] += 1
        state, played = result(state, choice.action), (*played, choice.action)
    for player in players:
        player.close()
    return {
        "limit": ladder.limit, "opening": fixture.opening, "black": fixture.black, "white": fixture.white,
        "points": (game.returns(state)[0] + 1) / 2, "seconds": [round(s, 3) for s in spent],
        "simulations": simulations, "moves": moves,
    }  # fmt: skip


def finished(path: Path, ladder: Ladder) -> list[dict[str, Any]]:
    """The games of this ladder in a file, without a line that was cut off; other players of these names are refused."""
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = []
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
        except ValueError:
            if number < len(lines):
                raise BadOption(f"{path}, line {number} is not JSON; is it a file of this benchmark?") from None
            continue
        if not isinstance(row, dict) or row.keys() & {"players", "points"} == set():
            raise BadOption(f"{path}, line {number} is not a game of this benchmark; choose another --out")
        if row.get("limit") != ladder.limit:
            continue
        for name, spec in row.get("players", {}).items():
            if ladder.players.get(name, spec) != spec:
                now = ladder.players[name]
                raise BadOption(f"{path}: '{name}' was {spec} there and is {now} now; choose another --out")
        if "points" in row and {row["black"], row["white"]} <= ladder.players.keys():
            rows.append(row)
    return rows


def play_ladder(
    ladder: Ladder,
    openings: Sequence[str],
    games: int,
    jobs: int,
    out: Path,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> list[dict[str, Any]]:
    """Play what is missing in the file, and add it there; all games, the known ones first."""
    rows = finished(out, ladder)
    known = {(row["opening"], row["black"], row["white"]) for row in rows}
    missing = [fixture for fixture in schedule(ladder, openings, games) if fixture.key not in known]
    text = out.read_text(encoding="utf-8") if out.exists() else ""
    whole = text[: text.rfind("\n") + 1]  # without a line that was cut off
    whole += json.dumps({"limit": ladder.limit, "players": ladder.players}) + "\n" if missing else ""
    write_file(out, whole.encode())
    if not missing:
        return rows
    start = make_game("reversi")
    for spec in ladder.players.values():  # compile once, before all workers would
        make_player(limited(spec, ladder.limit), start).prepare(start)
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads' locks of the network's runtime
    with out.open("a", encoding="utf-8") as file, ProcessPoolExecutor(jobs, mp_context=context) as pool:
        waiting = [pool.submit(play, ladder, fixture) for fixture in missing]
        try:
            for done in as_completed(waiting):
                row = done.result()
                rows.append(row)
                file.write(json.dumps(row) + "\n")
                file.flush()
                tell(len(rows), len(known) + len(missing))
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return rows


# The report ---------------------------------------------------------------------------------------------------------


def standings(rows: Iterable[dict[str, Any]], players: Sequence[str]) -> Ratings:
    """Ratings of the games, from the player with rollouts alone if it is there."""
    table: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        counts = table.setdefault((row["black"], row["white"]), [0, 0, 0])
        counts[{1.0: 0, 0.5: 1, 0.0: 2}[float(row["points"])]] += 1
    anchor = ANCHOR if any(ANCHOR in pair for pair in table) else None
    return rate([(*pair, *counts) for pair, counts in table.items()], anchor=anchor, players=players)


def costs(rows: Iterable[dict[str, Any]], name: str) -> tuple[float, float]:
    """Milliseconds and simulations a move, of one player."""
    seconds = simulations = moves = 0.0
    for row in rows:
        for seat, side in enumerate(("black", "white")):
            if row[side] == name:
                seconds += row["seconds"][seat]
                simulations += row["simulations"][seat]
                moves += row["moves"][seat]
    return 1000 * seconds / max(1.0, moves), simulations / max(1.0, moves)


def ladder_table(ladder: Ladder, rows: Sequence[dict[str, Any]]) -> str:
    """The ratings as lines of text."""
    ratings = standings(rows, list(ladder.players))
    width = max(map(len, ladder.players))
    lines = [
        f"{ladder.limit}, {len(rows)} games; Elo from '{ratings.anchor or 'the mean'}', 95% intervals",
        f"{'':{width}}  {'Elo':>7}  {'interval':>15}  {'games':>5}  {'points':>6}  {'ms/move':>7}  {'sims/move':>9}",
    ]
    for row in ratings.rows:
        ends = "" if row.low is None or row.high is None else f"{row.low:+.0f} to {row.high:+.0f}"
        share = f"{row.points / row.games:.1%}" if row.games else ""
        milliseconds, simulations = costs(rows, row.name)
        lines.append(
            f"{row.name:{width}}  {row.text:>7}  {ends:>15}  {row.games:>5}  {share:>6}  "
            f"{milliseconds:>7.1f}  {simulations:>9.0f}"
        )
    return "\n".join(lines)


def ladder_svg(ladders: Sequence[tuple[Ladder, Sequence[dict[str, Any]]]]) -> str:
    """The ratings as bars with their intervals, a panel for each ladder, the strongest first."""
    panels = []
    for ladder, rows in ladders:
        rated = [row for row in standings(rows, list(ladder.players)).rows if row.rating is not None]
        nan, amount = float("nan"), ladder.limit.partition("=")[2]
        bars = Bars(
            "Elo",
            [row.rating if row.rating is not None else nan for row in rated],
            [row.low if row.low is not None else nan for row in rated],
            [row.high if row.high is not None else nan for row in rated],
            style="dot",
        )
        panels.append(
            Panel(
                [bars],
                title=f"Equal {ladder.kind}: {amount}{' s' if ladder.kind == 'time' else ''} a move",
                y_label="Elo above rollouts alone",
                categories=[row.name for row in rated],
                legend=False,
                width=max(320, 44 * len(rated)),
            )
        )
    return plot_svg(panels, title="AlphaGo (2016) for Reversi, taken apart")


def check_network(option: str, file: str | None) -> str | None:
    """The file of a network that can be read, with its whole path: workers may be elsewhere."""
    if file is None:
        return None
    path = network_path(file).resolve()
    load_network(path)
    if "," in str(path):
        raise BadOption(f"--{option}: a path with a comma cannot be an option of a player: {path}")
    return str(path)


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the arguments, play, report."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--policy", help="the supervised policy network")
    parser.add_argument("--reinforced", help="the policy network after policy gradient")
    parser.add_argument("--value", help="the value network")
    parser.add_argument("--minialphago", help="the network of AlphaGo Zero's kind, as a landmark")
    parser.add_argument("--simulations", type=int, default=200, help="of each move; 0 for no such ladder")
    parser.add_argument("--time", type=float, default=0.1, help="seconds of each move; 0 for no such ladder")
    parser.add_argument("--games", type=int, default=20, help="of each pair, an even number")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0, help="another seed, other openings")
    parser.add_argument("--out", type=Path, default=Path("alphago-ladder.jsonl"))
    parser.add_argument("--svg", type=Path, help="where to draw; beside --out if not given")
    parser.add_argument("--report", action="store_true", help="play nothing")
    given = parser.parse_args(arguments)
    if given.games < 2 or given.games % 2 or given.jobs < 1 or given.simulations < 0 or not 0 <= given.time < 1e6:
        raise BadOption("--games must be even and at least 2, --jobs at least 1, --simulations and --time not negative")
    names = ("policy", "reinforced", "value", "minialphago")
    players = contestants(*(check_network(name, getattr(given, name)) for name in names))
    ladders = []
    if given.simulations:
        ladders.append(Ladder(f"simulations={given.simulations}", players))
    if given.time:
        ladders.append(Ladder(f"time={given.time:g}", players))
    openings = (
        [] if given.report else random_openings(make_game("reversi"), given.games // 2, OPENING_MOVES, given.seed)
    )
    found = []
    for ladder in ladders:
        if given.report:
            rows = finished(given.out, ladder)
        else:
            rows = play_ladder(ladder, openings, given.games, given.jobs, given.out, progress(ladder))
        if rows:
            found.append((ladder, rows))
            print(ladder_table(ladder, rows), flush=True)
            print(flush=True)
    if found:
        picture = given.svg or given.out.with_suffix(".svg")
        write_file(picture, ladder_svg(found).encode())
        print(f"{given.out}: the games\n{picture}: the ratings")


def progress(ladder: Ladder) -> Callable[[int, int], None]:
    """Tells how far a ladder is, every ten seconds, on standard error."""
    last = time.monotonic()

    def tell(done: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last > 10 or done == total:
            last = time.monotonic()
            print(f"{ladder.limit}: {done}/{total} games", file=sys.stderr, flush=True)

    return tell


if __name__ == "__main__":
    try:
        main()
    except PlygroundError as error:
        sys.exit(str(error))
