"""The command ``plyground analyze``."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from plyground.cli.console import LinesJsonFlag, Show, check_out, err, out, plain_table, print_json, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption, FormatError, UnsuitableGame

if TYPE_CHECKING:
    from plyground.core.limits import Limit
    from plyground.engines.reversi.analysis import Analysis, JudgedMove
    from plyground.engines.reversi.engine import Engine, Report
    from plyground.formats import Record, ScoredPosition
    from plyground.games.reversi import Reversi
    from plyground.players.reversi_engine import ReversiEnginePlayer

__all__ = ["analyze_command"]

NAMES = ("black", "white")
DISCS = ("●", "○")
COLOURS = {"inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "bold red"}
PICTURES = (".svg", ".png")
LANGUAGES = ("en", "zh")
LONGEST_LINE = 8
"""How many moves of a line are shown, if there is room."""
OTHER_COLUMNS, LEAST_ROOM = 60, 10
"""How wide the table of moves is without the line, and how wide the line is at least."""
SHOWN_MISTAKES = 10
POSITION_LINES = 3
"""How many lines of a position are shown by default."""
UNFIT_OPTIONS = {
    "level": "a level plays weaker on purpose; give time, depth or nodes instead",
    "clock": "a clock is for a whole game; give time, depth or nodes instead",
    "ponder": "nobody else is thinking here; leave it out",
    "book": "every move is searched here; leave it out",
    "tolerance": "every move is searched here; leave it out",
}


@dataclass(frozen=True)
class _Files:
    """What to write; None is not wanted."""

    svg: Path | None
    ggf: Path | None
    page: Path | None
    lang: str


def analyze_command(
    game: Annotated[str, typer.Argument(help="The game: reversi or chess.")],
    what: Annotated[
        str,
        typer.Argument(
            metavar="MOVES|BOARD|FILE|-", help="A game or a position, a file of any format, - is the input."
        ),
    ],
    analyst: Annotated[
        str | None, typer.Option("--player", help="Who analyses: engine with options, e.g. engine:time=5,threads=2.")
    ] = None,
    time: Annotated[float | None, typer.Option(help="Seconds for each move.")] = None,
    depth: Annotated[int | None, typer.Option(help="Plies to look ahead; 16 if no limit is given.")] = None,
    solve: Annotated[
        int | None, typer.Option(help="Solve positions with this many empty squares or fewer; 20 if not given.")
    ] = None,
    lines: Annotated[
        int | None, typer.Option(help="Show this many of the best moves; for a position 3 if not given.", min=1)
    ] = None,
    svg: Annotated[Path | None, typer.Option(help="Draw the evaluation over the game: .svg or .png.")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Write a page that shows the game and its mistakes, in one file: .html.")
    ] = None,
    lang: Annotated[str, typer.Option(help="Language of the page: en or zh.")] = "en",
    ggf: Annotated[Path | None, typer.Option(help="Write the games with the values of all moves, as GGF.")] = None,
    pgn: Annotated[
        Path | None, typer.Option(help="The same of games of chess, with marks and better lines, as PGN.")
    ] = None,
    as_json: LinesJsonFlag = False,
) -> None:
    """Analyse games of Reversi or chess: what every move was worth, what would have been better, how well each side
    played.

    Of a position, the best moves with their lines are shown. Games of chess come in PGN, positions in EPD or FEN, and
    any player that searches can judge them.

    Example: plyground analyze reversi f5d6c3d3c4f4f6 --depth 12 --svg graph.svg
    """
    from plyground.engines.reversi.analysis import SOLVED_FROM
    from plyground.formats import Record, ScoredPosition, only_reversi
    from plyground.formats.argument import read_argument

    if game.partition(":")[0] == "chess":
        from plyground.cli.analyze_chess import analyze_chess
        from plyground.core.limits import Limit

        for option, given in (("--solve", solve), ("--lines", lines), ("--out", out), ("--ggf", ggf)):
            if given is not None:
                raise BadOption(f"{option} is for reversi; for chess there are --player, --time, --depth, --svg, --pgn")
        analyze_chess(game, what, analyst, Limit(time=time, depth=depth), svg, pgn, as_json)
        return
    if pgn is not None:
        raise BadOption("--pgn is for chess; write games of reversi with --ggf")
    _check_game(game)
    player, limit = _analyst(analyst, time, depth)
    if solve is not None and not 0 <= solve <= 60:
        raise BadOption(f"--solve must be a number of empty squares from 0 to 60, not {solve}")
    solved_from = SOLVED_FROM if solve is None else solve
    items = list(only_reversi(read_argument(what)))
    games = [item for item in items if isinstance(item, Record)]
    positions = [item for item in items if isinstance(item, ScoredPosition)]
    _check_files(svg, ggf, games, what)
    _check_page(out, lang, games, what)
    for number, position in enumerate(positions, 1):
        _check_position(position, number, len(positions))
    engine = player.engine  # compiled only now: whatever is wrong has been said
    show = _Show(len(items), as_json)
    for position in positions:
        show.position(_hints(position.state, engine, limit, solved_from, lines or POSITION_LINES, as_json))
    if games:
        _analyse_games(games, engine, limit, solved_from, lines or 0, show, _Files(svg, ggf, out, lang))


def _analyse_games(
    games: Sequence[Record],
    engine: Engine,
    limit: Limit,
    solved_from: int,
    lines: int,
    show: _Show,
    wanted: _Files,
) -> None:
    from plyground.core.limits import Interrupted
    from plyground.engines.reversi.analysis import analyse

    done: list[Analysis] = []
    try:
        for number, record in enumerate(games, 1):
            engine.clear()
            with progress_bar(f"game {number} of {len(games)}" if len(games) > 1 else "analysing", "moves") as bar:

                def judged(move: JudgedMove, record: Record = record, bar: Show = bar) -> None:
                    bar(move.index + 1, len(record.moves), _sentence(move))

                analysis = analyse(record, engine, limit, solved_from=solved_from, lines=lines, on_move=judged)
            done.append(analysis)
            show.game(analysis)
    except Interrupted as interrupted:
        done.append(interrupted.answer)
        show.game(interrupted.answer)
        raise
    finally:
        _write_files(done, wanted, show)


# What is asked for ------------------------------------------------------------------------------------------------


def _check_game(spec: str) -> None:
    from plyground.games import make_game
    from plyground.games.reversi import on_8x8

    game = make_game(spec)
    if game.name != "reversi":
        raise UnsuitableGame(
            f"only reversi and chess can be analysed, not '{spec}'; write plyground analyze reversi ..."
        )
    if not on_8x8(game):
        raise UnsuitableGame(f"only reversi on 8x8 squares can be analysed, not '{spec}'")


def _analyst(spec: str | None, time: float | None, depth: int | None) -> tuple[ReversiEnginePlayer, Limit]:
    """The player whose engine it is, and the limit for each move."""
    from plyground.core.limits import Limit
    from plyground.core.registry import split_spec
    from plyground.engines.reversi.analysis import DEFAULT_DEPTH
    from plyground.players import make_player
    from plyground.players.reversi_engine import ReversiEnginePlayer

    given = Limit(time=time, depth=depth)
    name, options = split_spec(spec or "engine")
    for option, reason in UNFIT_OPTIONS.items():
        if name == "engine" and option in options:
            raise BadOption(f"--player {spec}: {reason}")
    player = make_player(spec or "engine")
    if not isinstance(player, ReversiEnginePlayer):
        raise BadOption(f"--player: '{name}' cannot analyse; write engine, such as engine:time=5")
    own = player.limit if set(options) & {"time", "depth", "nodes"} else Limit()
    limit = own.within(given)
    return player, Limit(depth=DEFAULT_DEPTH) if limit == Limit() else limit


def _check_files(svg: Path | None, ggf: Path | None, games: Sequence[Record], what: str) -> None:
    if svg is not None:
        if svg.suffix.lower() not in PICTURES:
            raise BadOption(f"--svg: '{svg}' must end in .svg or .png")
        if len(games) != 1:
            raise BadOption(f"--svg draws one game, and here are {len(games) or 'only positions'}")
        check_out(svg, option="--svg", inputs=(what,))
    if ggf is not None:
        if not games:
            raise BadOption("--ggf is for games, and here are only positions")
        check_out(ggf, option="--ggf", inputs=(what, svg))


def _check_page(out: Path | None, lang: str, games: Sequence[Record], what: str) -> None:
    if lang not in LANGUAGES:
        raise BadOption(f"--lang: '{lang}' is not a language of the pages; there are: {', '.join(LANGUAGES)}")
    if out is None:
        return
    if out.suffix.lower() != ".html":
        raise BadOption(f"--out: '{out}' must end in .html; --svg draws the evaluation, --ggf writes the games")
    if len(games) != 1:
        raise BadOption(f"--out shows one game, and here are {len(games) or 'only positions'}")
    check_out(out, inputs=(what,))


def _check_position(position: ScoredPosition, number: int, positions: int) -> None:
    from plyground.core.rules import actions

    if not actions(position.state):
        where = f"position {number}: " if positions > 1 else ""
        raise FormatError(f"{where}neither side can move: the game is over, and there is nothing to analyse")


def _hints(
    state: Reversi, engine: Engine, limit: Limit, solved_from: int, lines: int, quiet: bool
) -> tuple[Reversi, tuple[Report, ...]]:
    """The best moves of a position; the terminal shows them while the search deepens."""
    from plyground.core.limits import Limit
    from plyground.engines.reversi.analysis import empty_squares

    found: list[tuple[Report, ...]] = []
    engine.clear()
    with Live(console=err, transient=True, auto_refresh=False) as live:

        def deepened(reports: tuple[Report, ...]) -> None:
            found.append(reports[:lines])
            if err.is_terminal and not quiet:
                live.update(_hints_table(state, reports[:lines]), refresh=True)

        allowed = Limit() if empty_squares(state) <= solved_from else limit
        try:
            found.append(engine.score_moves(state, allowed, on_reports=deepened)[:lines])
        except KeyboardInterrupt:
            if not found:
                raise
            live.stop()
            out.print(_hints_table(state, found[-1]))
            raise
    return state, found[-1]


# Output -----------------------------------------------------------------------------------------------------------


class _Show:
    """Prints analyses, each when it is finished."""

    def __init__(self, items: int, as_json: bool) -> None:
        self.items, self.as_json = items, as_json
        self._shown = 0

    def position(self, hints: tuple[Reversi, tuple[Report, ...]]) -> None:
        self._shown += 1
        state, reports = hints
        if self.as_json:
            from plyground.engines.reversi.analysis_facts import position_facts

            print_json(position_facts(state, reports))
            return
        from plyground.engines.reversi.analysis import empty_squares

        number = f"position {self._shown}: " if self.items > 1 else ""
        out.print(f"[bold]{number}{NAMES[state.turn]} to move[/], {empty_squares(state)} empty squares")
        out.print(_hints_table(state, reports))

    def game(self, analysis: Analysis) -> None:
        from plyground.engines.reversi.analysis_facts import game_facts, notes

        self._shown += 1
        if self.as_json:
            print_json(game_facts(analysis))
            return
        if self.items > 1:
            out.print(f"[bold]game {self._shown}[/]")
        out.print(f"[bold]{escape(_headline(analysis.record))}[/]")
        if analysis.moves:
            out.print(_moves_table(analysis, out.width))
            out.print(_players_table(analysis))
        for move in analysis.mistakes[:SHOWN_MISTAKES]:
            spoiled = f", {move.spoiled}" if move.spoiled else ""
            out.print(f"[{COLOURS[move.verdict.value]}]{_sentence(move)}{spoiled}[/]", soft_wrap=True)
        for note in notes(analysis):
            out.print(f"[yellow]note:[/] {escape(note)}", soft_wrap=True)

    def wrote(self, path: Path) -> None:
        if not self.as_json:
            out.print(f"wrote {escape(str(path))}", soft_wrap=True)


def _write_files(done: Sequence[Analysis], wanted: _Files, show: _Show) -> None:
    """Write the files of what has been analysed, whether that is everything or not."""
    svg, ggf, page = wanted.svg, wanted.ggf, wanted.page
    if svg is not None and done:
        from plyground.engines.reversi.evaluation_graph import evaluation_svg
        from plyground.pictures.picture_file import write_picture

        write_picture(svg, evaluation_svg(done[0]), "Evaluation")
        show.wrote(svg)
    if ggf is not None and done:
        from plyground.engines.reversi.analysis import annotated
        from plyground.formats import write_ggf

        write_file(ggf, "".join(f"{write_ggf(annotated(analysis))}\n" for analysis in done).encode())
        show.wrote(ggf)

    if page is not None and done:
        from plyground.web.games.analysis_page import analysis_html

        write_file(page, analysis_html(done[0], lang=wanted.lang).encode())
        show.wrote(page)


def _headline(record: Record) -> str:
    black, white = record.black or "black", record.white or "white"
    if not record.finished:
        return f"{black} against {white}"
    mine, theirs = record.discs
    if mine == theirs:
        return f"{black} {mine}-{theirs} {white}: a draw"
    assert record.score is not None
    return f"{black} {mine}-{theirs} {white}: {NAMES[mine < theirs]} wins by {abs(record.score)}"


def _moves_table(analysis: Analysis, width: int) -> Table:
    from plyground.engines.reversi.analysis import move_name

    columns = "move", "played", "value", "best", "value", "loss", "", "depth", "line of best play"
    table = plain_table(*columns, left=("played", "best", "", "line of best play"), whole=columns)
    room = max(LEAST_ROOM, width - OTHER_COLUMNS)
    for move in analysis.moves:
        best, name = move.best, move.verdict.value
        others = [f"{move_name(report.move)} {report.value:+}" for report in move.lines]
        table.add_row(
            str(move.index + 1),
            f"{DISCS[move.player]} {move_name(move.action)}",
            f"{move.value:+}",
            move_name(best.move),
            f"{best.value:+}",
            str(move.loss) if move.loss else "",
            move.verdict.sign,
            _depth(best, move.state),
            textwrap.shorten(", ".join(others), room, placeholder=" ...") if others else _line(best.line, room),
            style=COLOURS.get(name, ""),
        )
    return table


def _players_table(analysis: Analysis) -> Table:
    from plyground.engines.reversi.analysis import Verdict

    columns = "player", "accuracy", "discs lost a move", "inaccuracies", "mistakes", "blunders"
    table = plain_table(*columns, left=("player",), whole=columns)
    for player, colour in enumerate(NAMES):
        accuracy, loss = analysis.accuracy(player), analysis.mean_loss(player)
        name = (analysis.record.black, analysis.record.white)[player]
        table.add_row(
            escape(f"{colour} ({name})" if name else colour),
            "" if accuracy is None else f"{accuracy:.1f}",
            "" if loss is None else f"{loss:.2f}",
            *(str(analysis.count(player, kind)) for kind in (Verdict.INACCURACY, Verdict.MISTAKE, Verdict.BLUNDER)),
        )
    return table


def _hints_table(state: Reversi, reports: Sequence[Report]) -> Table:
    from plyground.engines.reversi.analysis import move_name

    columns = "move", "value", "depth", "line"
    table = plain_table(*columns, left=("move", "line"), whole=columns)
    for number, report in enumerate(reports):
        cells = move_name(report.move), f"{report.value:+}", _depth(report, state), _line(report.line)
        table.add_row(*cells, style="" if number else "bold")
    return table


def _depth(report: Report, state: Reversi) -> Text:
    """How deep a search went, and how far it can be trusted if it went to the end of the game without solving it."""
    from plyground.engines.reversi.analysis import empty_squares

    if report.exact:
        return Text("solved", style="green")
    return Text(f"{report.depth}@{report.confidence}" if report.depth >= empty_squares(state) else str(report.depth))


def _line(line: Sequence[int], room: int = 80) -> str:
    """The first moves of a line, as many as fit into this many characters."""
    from plyground.engines.reversi.analysis import move_name

    for shown in range(min(len(line), LONGEST_LINE), 0, -1):
        text = " ".join(map(move_name, line[:shown])) + (" ..." if len(line) > shown else "")
        if len(text) <= room:
            return text
    return ""


def _sentence(move: JudgedMove) -> str:
    from plyground.engines.reversi.analysis import move_name

    words = f"{move.index + 1}. {NAMES[move.player]} {move_name(move.action)} {move.value:+}"
    if not move.loss:
        return words
    return f"{words} loses {move.loss}: {move_name(move.best.move)} has {move.best.value:+}"
