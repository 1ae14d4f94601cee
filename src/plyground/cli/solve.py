"""The command ``plyground solve``."""

from __future__ import annotations

import time as clock
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live
from rich.markup import escape
from rich.text import Text

from plyground.cli.console import LinesJsonFlag, err, out, print_json
from plyground.errors import BadOption

if TYPE_CHECKING:
    from plyground.engines.reversi.solving import Running, Solution, Solving
    from plyground.formats import ScoredPosition

__all__ = ["solve_command"]

SHOWN_LINE = 8
"""How many moves of a line stand in the table."""
COLUMNS = {"position": 8, "score": 5, "best": 5, "empties": 7, "nodes": 13, "seconds": 8, "line": 6}
"""The columns of the table, and how wide they are at least."""
FLUSH_LEFT = ("best", "line")


def solve_command(
    what: Annotated[
        str, typer.Argument(metavar="FILE|BOARD|GAME|-", help="A file, a text, - for the input, or a game with dice.")
    ],
    jobs: Annotated[int, typer.Option(help="Positions to solve side by side.", min=1, max=256)] = 1,
    threads: Annotated[int, typer.Option(help="Threads for each position.", min=1, max=256)] = 1,
    all_moves: Annotated[bool, typer.Option("--moves", help="Score every move, not the best alone.")] = False,
    wld: Annotated[bool, typer.Option("--wld", help="Find out win, loss or draw only, which is faster.")] = False,
    analyst: Annotated[
        str | None, typer.Option("--player", help="For positions of chess: who looks for the best move.")
    ] = None,
    as_json: LinesJsonFlag = False,
) -> None:
    """Solve positions of Reversi: the score with best play on both sides, the best move and the line, proven.

    They come from boards, OBF, GGF, WTHOR or transcripts; of a game the last position is solved. Scores that an OBF
    file gives are compared, and the exit status is 1 if one differs.

    A game with chance is solved from its beginning, such as backgammon:points=8,men=2,faces=2.

    Positions of chess in EPD are a test of a player: how often it finds the best move (bm), or not the one to avoid
    (am).

    Example: plyground solve positions.obf --jobs 2
    """
    from plyground.cli.solve_game import names_a_game, solve_game
    from plyground.engines.reversi.engine import Engine
    from plyground.engines.reversi.solving import Solving
    from plyground.formats import ChessPosition, ScoredPosition, only_reversi
    from plyground.formats.argument import read_argument

    if names_a_game(what):
        if jobs > 1 or threads > 1 or wld or analyst is not None:
            raise BadOption("--jobs, --threads, --wld and --player are for positions; a game has --moves alone")
        solve_game(what, all_moves, as_json)
        return
    items = read_argument(what)
    if suite := [item for item in items if isinstance(item, ChessPosition)]:
        from plyground.cli.solve_suite import solve_suite

        if jobs > 1 or threads > 1 or all_moves or wld:
            raise BadOption(
                "--jobs, --threads, --moves and --wld are for Reversi; options of --player say how it searches"
            )
        solve_suite(suite, analyst, as_json)
        return
    if analyst is not None:
        raise BadOption("--player is for positions of chess; Reversi is solved by its engine")
    positions = [
        item if isinstance(item, ScoredPosition) else ScoredPosition(item.final) for item in only_reversi(items)
    ]
    engines = [Engine(threads=threads) for _ in range(min(jobs, len(positions)))]
    engines[0].prepare()
    printer = _Printer(len(positions), as_json)
    solving = Solving(positions, engines, all_moves=all_moves, wld=wld)
    try:
        for index in range(len(positions)):
            printer.print(index, _waited_for(solving, index, positions))
    except KeyboardInterrupt:
        known = solving.stop()
        for index in range(printer.printed, len(positions)):
            if index in known:
                printer.print(index, known[index])
        raise
    finally:
        solving.stop()
    printer.print_total()
    if printer.differing:
        raise typer.Exit(1)


def _waited_for(solving: Solving, index: int, positions: list[ScoredPosition]) -> Solution:
    """The next solution; until it is there the terminal shows how far the searches have come."""
    if (solution := solving.wait(index)) is not None:
        return solution
    with Live(console=err, transient=True, auto_refresh=False) as live:
        while (solution := solving.wait(index)) is None:
            if err.is_terminal:
                lines = [_progress(running, len(positions)) for running in solving.running()]
                live.update(Text("\n".join(lines), style="dim", no_wrap=True, overflow="ellipsis"), refresh=True)
    return solution


class _Printer:
    """Prints solutions, each as soon as it is there."""

    def __init__(self, positions: int, as_json: bool) -> None:
        self.positions, self.as_json = positions, as_json
        self.printed = self.differing = self.nodes = 0
        self._start = clock.perf_counter()

    def print(self, index: int, solution: Solution) -> None:
        if not self.as_json and not self.printed:
            self._print_cells(*COLUMNS, style="bold")
            out.print(
                "╇".join("━" * (wide + (2 if i else 1)) for i, wide in enumerate(COLUMNS.values())), soft_wrap=True
            )
        self.printed += 1
        self.nodes += solution.nodes
        self.differing += bool(solution.differences)
        if self.as_json:
            print_json(_facts(index, solution))
        else:
            self._print_row(index, solution)

    def print_total(self) -> None:
        if self.as_json or self.positions == 1:
            return
        spent = f"{clock.perf_counter() - self._start:.2f}"
        self._print_cells("total", "", "", "", f"{self.nodes:,}", spent, "", style="bold")
        if self.differing:
            out.print(f"[bold red]{self.differing} of {self.positions} differ from the scores given[/]", soft_wrap=True)

    def _print_row(self, index: int, solution: Solution) -> None:
        from plyground.engines.reversi.analysis import empty_squares, move_name

        line = [move_name(move) for move in solution.line]
        self._print_cells(
            str(index + 1),
            "?" if solution.value is None else solution.text(solution.value),
            " ".join(map(move_name, solution.best)),
            str(empty_squares(solution.position.state)),
            f"{solution.nodes:,}",
            f"{solution.time:.2f}",
            " ".join(line[:SHOWN_LINE]) + (" ..." if len(line) > SHOWN_LINE else ""),
        )
        if not solution.solved:
            reached = "" if solution.value is None else f" at {_reached(solution.reports[0])}"
            out.print(f"  [yellow]not solved{reached}; proven: {_proven(*solution.bounds)}[/]", soft_wrap=True)
        elif self.positions == 1 and len(line) > SHOWN_LINE:
            out.print(f"  line: {' '.join(line)}", soft_wrap=True)
        if len(solution.reports) > 1:
            scores = (f"{move_name(report.move)} {solution.text(report.value)}" for report in solution.reports)
            out.print(f"  moves: {', '.join(scores)}", soft_wrap=True)
        comment = f" ({escape(solution.position.comment)})" if solution.position.comment else ""
        for difference in solution.differences:
            out.print(f"  [bold red]position {index + 1}{comment}: {difference}[/]", soft_wrap=True)

    def _print_cells(self, *cells: str, style: str = "") -> None:
        padded = [
            f"{cell:<{wide}}" if name in FLUSH_LEFT else f"{cell:>{wide}}"
            for cell, (name, wide) in zip(cells, COLUMNS.items(), strict=True)
        ]
        out.print(Text(" │ ".join(padded).rstrip(), style=style), soft_wrap=True)


def _progress(running: Running, positions: int) -> str:
    """How far a search has come, in a line."""
    parts = [f"position {running.index + 1} of {positions}"]
    if running.report:
        parts.append(f"{running.report.value:+} at {_reached(running.report)}")
    if running.bounds != (-64, 64):
        parts.append(f"proven: {_proven(*running.bounds)}")
    parts.append(f"{running.nodes / 1e6:.1f} million nodes, {running.nodes / running.time / 1e6:.1f} a second")
    parts.append(f"{running.time:.0f} s")
    return ", ".join(parts)


def _reached(report: Any) -> str:
    return f"depth {report.depth}, {report.confidence}"


def _proven(lower: int, upper: int) -> str:
    if (lower, upper) == (-64, 64):
        return "nothing yet"
    if upper == 64:
        return f"at least {lower:+}"
    return f"at most {upper:+}" if lower == -64 else f"{lower:+} to {upper:+}"


def _facts(index: int, solution: Solution) -> dict[str, Any]:
    """A solution for JSON."""
    from plyground.engines.reversi.analysis import empty_squares, move_name
    from plyground.formats import write_board

    position, reports = solution.position, solution.reports
    return {
        "position": index + 1,
        "board": write_board(position.state),
        "comment": position.comment,
        "empties": empty_squares(position.state),
        "solved": solution.solved,
        "wld": solution.wld,
        "value": solution.value,
        "lower": solution.bounds[0],
        "upper": solution.bounds[1],
        "depth": reports[0].depth if reports else 0,
        "confidence": reports[0].confidence if reports else "100%",
        "best": [move_name(move) for move in solution.best],
        "line": [move_name(move) for move in solution.line],
        "moves": [
            {
                "move": move_name(report.move),
                "value": report.value,
                "line": [move_name(move) for move in report.line],
            }
            for report in reports
            if report.depth
        ],
        "given": [{"move": move_name(move), "value": score} for move, score in position.scores],
        "differences": list(solution.differences),
        "nodes": solution.nodes,
        "seconds": round(solution.time, 6),
    }
