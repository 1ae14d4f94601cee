"""The commands ``plyground matrix ...``: games of one move, learning, the repeated game, cakes."""

from __future__ import annotations

import contextlib
import re
import time as clock
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.live import Live
from rich.markup import escape
from rich.table import Table
from typer.core import TyperGroup

from plyground.cli.console import JsonFlag, check_out, chosen_seed, err, out, plain_table, print_json, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption
from plyground.pictures.picture_file import PICTURE_FORMATS, write_picture

if TYPE_CHECKING:
    from plyground.pictures.filmstrip import Frame
    from plyground.subjects.cake.division import Division
    from plyground.subjects.matrix.analysis import Analysis
    from plyground.subjects.matrix.learners import LearningRun, Snapshot
    from plyground.subjects.matrix.matrix_game import MatrixGame
    from plyground.subjects.matrix.repeated import Series
    from plyground.subjects.matrix.words import Section

__all__ = ["matrix_app"]

NUMBER_FIRST = re.compile(r"-\s*[\d.]")
WIDEST = 14
"""Columns of a table up to which it is printed."""
BAR = 24
SHOW = 4.0
"""Seconds in which learning is shown on a terminal."""


class Matrix(TyperGroup):
    """``plyground matrix GAME`` is short for ``plyground matrix solve GAME``; a text may begin with a minus."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        words = [f" {word}" if NUMBER_FIRST.match(word) and " " in word else word for word in args]
        if words and words[0] not in self.commands and words[0] not in ("-h", "--help"):
            words.insert(0, "solve")
        return super().parse_args(ctx, words)


matrix_app = typer.Typer(
    cls=Matrix,
    help="Games of one move: dominance, Nash equilibria, values; learning, repeated play and cakes. "
    "plyground matrix GAME is short for plyground matrix solve GAME.",
    rich_markup_mode="rich",
)

GameArgument = Annotated[
    str,
    typer.Argument(metavar="GAME", help="A name from plyground matrix list, a file, or a text: '1,1 3,0; 0,3 2,2'."),
]
CostsFlag = Annotated[bool, typer.Option("--costs", help="The payoffs are costs: less is better.")]
OutOption = Annotated[Path | None, typer.Option(help="Write a picture (.svg, .png) or a page (.html) to this file.")]
LangOption = Annotated[str, typer.Option(help="Language: en or zh.")]
SeedOption = Annotated[int | None, typer.Option(help="The same seed gives the same numbers.", min=0)]


@matrix_app.command("solve")
def solve_command(
    what: GameArgument,
    costs: CostsFlag = False,
    lang: LangOption = "en",
    out: OutOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Say everything about a game: dominance step by step, all Nash equilibria, value, security levels, Pareto front.

    Example: plyground matrix "1,1 3,0; 0,3 2,2" --costs
    """
    check_out(out, *PICTURE_FORMATS, inputs=(what,))
    from plyground.subjects.matrix.argument import game_of

    _solve(lambda: game_of(what, costs=costs), lang, out, as_json)


def _solve(make: Callable[[], MatrixGame], lang: str, out: Path | None, as_json: bool) -> None:
    """Say everything about a game."""
    from plyground.subjects.matrix.analysis import analyse
    from plyground.subjects.matrix.words import analysis_sections

    with progress_bar("solving") as show:
        game = make()
        found = analyse(game, show)
    sections = analysis_sections(found, lang)
    if as_json:
        from plyground.subjects.matrix.facts import analysis_facts

        print_json(analysis_facts(found))
    else:
        _print_game(found)
        _print_sections(sections)
    if out is not None:
        from plyground.subjects.matrix.films import analysis_film

        _write(out, game.name or "Game", analysis_film(found, lang=lang), 0, lang, as_json)


@matrix_app.command("list")
def list_command(as_json: JsonFlag = False) -> None:
    """List the games that have a name.

    Example: plyground matrix list
    """
    from plyground.subjects.matrix.named_games import NAMED_GAMES

    if as_json:
        print_json([{"name": game.name, "about": game.about["en"], "text": game.text} for game in NAMED_GAMES.values()])
        return
    _print_list({game.name: game.about["en"] for game in NAMED_GAMES.values()}, "game")


@matrix_app.command("learn")
def learn_command(
    what: GameArgument,
    learner: Annotated[str, typer.Option(help="fictitious (play) or regret (matching).")] = "fictitious",
    steps: Annotated[int, typer.Option(help="How often the game is played.", min=1)] = 100_000,
    seconds: Annotated[
        float, typer.Option(help="How long it is shown on a terminal; it takes less.", min=0, max=600)
    ] = SHOW,
    costs: CostsFlag = False,
    seed: SeedOption = None,
    lang: LangOption = "en",
    out: OutOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Let both players learn by playing, and watch their average strategies converge, or not.

    Example: plyground matrix learn rock-paper-scissors --learner regret --seed 7 --out learning.svg
    """
    check_out(out, *PICTURE_FORMATS, inputs=(what,))
    from plyground.pictures.player_words import check_language
    from plyground.subjects.matrix.argument import game_of
    from plyground.subjects.matrix.learners import LEARNERS, learning_run
    from plyground.subjects.matrix.zero_sum import solve_zero_sum

    check_language(lang)
    if learner not in LEARNERS:
        raise BadOption(f"--learner must be one of {', '.join(LEARNERS)}, not '{learner}'")
    seed = chosen_seed(seed)
    with progress_bar("getting ready"):
        game = game_of(what, costs=costs)
        value = None if game.constant_sum is None else float(solve_zero_sum(game).value)
    with _screen(game, value, seconds, steps) as show:
        run = learning_run(game, learner, steps=steps, seed=seed, on_snapshot=show)
    if as_json:
        from plyground.subjects.matrix.facts import learning_facts

        print_json({**learning_facts(run), "value": value})
    else:
        _print_learning(run, value)
    if out is not None:
        from plyground.subjects.matrix.films import learning_film

        _write(out, game.name or "Game", learning_film(run, value, lang=lang), -1, lang, as_json)


@matrix_app.command("repeated")
def repeated_command(
    strategies: Annotated[list[str] | None, typer.Argument(help="Who takes part; without names all of --list.")] = None,
    payoffs: Annotated[
        str, typer.Option(help="Another game of two strategies that is the same for both, such as chicken or a text.")
    ] = "",
    rounds: Annotated[int | None, typer.Option(help="Rounds of a match, which both know; 200 if not given.")] = None,
    going_on: Annotated[
        float | None, typer.Option(help="Instead of --rounds: after each round, go on with this probability.")
    ] = None,
    noise: Annotated[float, typer.Option(help="The probability that a move comes out as the other one.")] = 0.0,
    repetitions: Annotated[int, typer.Option(help="Matches of each two.", min=1, max=1000)] = 5,
    costs: CostsFlag = False,
    seed: SeedOption = None,
    db: Annotated[Path | None, typer.Option(help="Keep every match in this database of games.")] = None,
    lang: LangOption = "en",
    out: OutOption = None,
    listing: Annotated[bool, typer.Option("--list", help="List the strategies.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Hold a tournament of the repeated prisoner's dilemma: tit for tat and its friends.

    Example: plyground matrix repeated --noise 0.02 --seed 7 --out tournament.svg
    """
    from plyground.subjects.matrix.strategies import STRATEGIES

    if listing:
        about = {strategy.name: strategy.about for strategy in STRATEGIES.values()}
        if as_json:
            print_json([{"name": name, "about": text} for name, text in about.items()])
        else:
            _print_list(about, "strategy")
        return
    check_out(out, *PICTURE_FORMATS, inputs=(db,))
    from plyground.pictures.player_words import check_language
    from plyground.subjects.matrix.argument import game_of
    from plyground.subjects.matrix.repeated import DILEMMA, Horizon, hold_series

    check_language(lang)
    horizon = Horizon(200 if rounds is None and going_on is None else rounds, going_on)
    seed = chosen_seed(seed)
    with progress_bar("playing") as show:
        series = hold_series(
            strategies or list(STRATEGIES),
            game=game_of(payoffs, costs=costs) if payoffs else DILEMMA,
            horizon=horizon,
            noise=noise,
            repetitions=repetitions,
            seed=seed,
            moves=db is not None,
            on_progress=show,
        )
    if db is not None:
        _keep(series, db)
    if as_json:
        from plyground.subjects.matrix.facts import series_facts

        print_json(series_facts(series))
    else:
        _print_series(series)
    if out is not None:
        from plyground.subjects.matrix.films import series_film

        _write(out, series.game.name or "Repeated game", series_film(series, lang=lang), 0, lang, as_json)


@matrix_app.command("cake")
def cake_command(
    people: Annotated[
        list[str] | None,
        typer.Argument(
            help="What pieces of the cake are worth, for each person: 'Anna: 1 1 4' 'Bert: 3 1 0'. "
            "Without people, cutting and choosing is solved as a matrix game."
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(help="cut-and-choose, moving-knife, last-diminisher or selfridge-conway."),
    ] = "",
    lang: LangOption = "en",
    out: OutOption = None,
    as_json: JsonFlag = False,
) -> None:
    """Divide a cake fairly among people who like different parts of it; without people, solve cutting and choosing.

    The numbers of a person are the values of equal pieces from left to right; 3*1/4 is a piece of width 1/4.

    Example: plyground matrix cake "Anna: 1 1 4" "Bert: 3 1 0" "Cleo: 1 2 1" --method moving-knife
    """
    check_out(out, *PICTURE_FORMATS)
    if not people:
        if method:
            raise BadOption("--method is for people; name some, such as 'Anna: 1 1 4' 'Bert: 3 1 0'")
        from plyground.pictures.player_words import check_language
        from plyground.subjects.matrix.named_games import named_game

        check_language(lang)
        _solve(lambda: named_game("cake", lang), lang, out, as_json)
        return
    from plyground.subjects.cake.division import divide
    from plyground.subjects.cake.valuations import read_valuations
    from plyground.subjects.cake.words import division_sections

    division = divide(read_valuations(people), method)
    sections = division_sections(division, lang)
    if as_json:
        from plyground.subjects.cake.facts import division_facts

        print_json(division_facts(division))
    else:
        _print_sections(sections[:1])
        _print_worths(division)
        _print_sections(sections[1:])
    if out is not None:
        from plyground.subjects.cake.films import division_film

        _write(out, f"Cake: {division.method}", division_film(division, lang=lang), -1, lang, as_json)


# Output --------------------------------------------------------------------------------------------------------------


def _write(out: Path, title: str, frames: list[Frame], shown: int, lang: str, quiet: bool) -> None:
    """A film as a page, or one frame of it as a picture."""
    from plyground.pictures.filmstrip import film_html
    from plyground.subjects.matrix.films import STYLES

    if out.suffix.lower() == ".html":
        write_file(out, film_html(frames, title=title, styles=STYLES, lang=lang).encode())
    else:
        write_picture(out, frames[shown].svg, title)
    if not quiet:
        typer.echo(f"wrote {out}")


def _print_list(about: dict[str, str], what: str) -> None:
    table = plain_table(what, "what it is", left=(what, "what it is"), whole=(what,))
    for name, text in about.items():
        table.add_row(f"[bold cyan]{name}[/]", escape(text))
    out.print(table)


def _print_game(found: Analysis) -> None:
    from plyground.subjects.matrix.matrix_game import number_text

    game = found.game
    kind = "less is better" if game.costs else "more is better"
    title = f"[bold]{escape(game.name)}[/]  " if game.name else ""
    out.print(
        f"{title}{game.shape[0]}x{game.shape[1]}, {escape(game.players[0])} against {escape(game.players[1])}, {kind}",
        soft_wrap=True,
    )
    if max(game.shape) > WIDEST:
        return
    table = plain_table("", left=("",), whole=("",))
    for name in game.columns:
        table.add_column(escape(name), justify="center", overflow="fold")
    for i, name in enumerate(game.rows):
        cells = []
        for j in range(game.shape[1]):
            texts = [
                number_text(payoffs[i][j]) + ("*" if (i, j) in best else "")
                for payoffs, best in zip((game.first, game.second), found.best, strict=True)
            ]
            cells.append(", ".join(texts))
        table.add_row(f"[bold]{escape(name)}[/]", *cells)
    out.print(table)
    out.print("[dim]* a best response[/]")


def _print_sections(sections: list[Section]) -> None:
    for section in sections:
        out.print(f"\n[bold]{escape(section.title)}[/]")
        for line in section.lines:
            out.print(f"  {escape(line)}", soft_wrap=not out.is_terminal)


def _print_worths(division: Division) -> None:
    from plyground.subjects.matrix.matrix_game import number_text

    eyes, shares = "in the eyes of", [escape(f"{person.name}'s share") for person in division.people]
    table = plain_table(eyes, *shares, left=(eyes,), whole=(eyes,))
    for own, row in enumerate(division.worths):
        cells = [
            f"[bold]{number_text(value)}[/]" if own == other else number_text(value) for other, value in enumerate(row)
        ]
        table.add_row(escape(division.people[own].name), *cells)
    out.print()
    out.print(table)


def _print_series(series: Series) -> None:
    from plyground.subjects.matrix.repeated import ecology

    shares = ecology(series)[-1]
    columns = "strategy", "payoff a round", "cooperates", "matches won", "population"
    table = plain_table(*columns, left=("strategy",), whole=columns)
    sign = -1 if series.game.costs else 1
    for number in series.order:
        payoff, share = f"{sign * series.scores[number]:.3f}", f"{100 * shares[number]:.1f}%"
        together, won = f"{100 * series.cooperation[number].mean():.0f}%", str(series.wins[number])
        table.add_row(escape(series.strategies[number]), payoff, together, won, share)
    out.print(table)
    horizon = series.horizon
    long = (
        f"{horizon.rounds} rounds"
        if horizon.rounds
        else f"about {horizon.mean:g} rounds, going on with {horizon.going_on:g}"
    )
    out.print(
        f"[dim]{len(series.results)} matches and each against itself, {long}, noise {series.noise:g}, "
        f"seed {series.seed}; population: its share after 200 generations[/]",
        soft_wrap=not out.is_terminal,
    )


def _keep(series: Series, path: Path) -> None:
    from plyground.arena.database import Database

    with Database(path) as base:
        if base.keys(series.plan.id):
            raise BadOption(f"{path} has matches of this very tournament; --seed plays another")
        base.save_tournament(series.plan.id, series.plan.as_dict())
        for result in series.results:
            base.add(replace(result, started=clock.time()))


# On the screen -------------------------------------------------------------------------------------------------------


def _print_learning(run: LearningRun, value: float | None) -> None:
    out.print(_learning_table(run.game, run.last, value))
    chance = f", seed {run.seed}" if run.learner == "regret" else ""
    out.print(f"[dim]{run.learner}, {run.last.time:,} steps{chance}[/]")


def _learning_table(game: MatrixGame, snapshot: Snapshot, value: float | None) -> Table:
    sign = -1 if game.costs else 1
    columns = "player", "strategy", "share", ""
    table = plain_table(*columns, left=("player", "strategy", ""), whole=columns, title_justify="left")
    for player, mixed in enumerate((snapshot.first, snapshot.second)):
        names = game.names(player)
        most_used = sorted(sorted(range(len(names)), key=lambda number: -mixed[number])[:12])
        for place, number in enumerate(most_used):
            table.add_row(
                escape(game.players[player]) if place == 0 else "",
                escape(names[number]),
                f"{mixed[number]:.4f}",
                "[cyan]" + "█" * round(BAR * float(mixed[number])) + "[/]",
                end_section=place == len(most_used) - 1,
            )
    if value is None:
        table.add_row("[dim]gap[/]", "", f"{snapshot.gap:.4f}", "[dim]what both could still gain[/]")
    else:
        low, high = sorted((sign * snapshot.low, sign * snapshot.high))
        table.add_row(
            "[dim]value[/]", "", f"{sign * value + 0.0:.4f}", f"[dim]between {low + 0.0:.4f} and {high + 0.0:.4f}[/]"
        )
    return table


@contextlib.contextmanager
def _screen(game: MatrixGame, value: float | None, seconds: float, steps: int) -> Iterator[Callable[[Snapshot], None]]:
    """The average strategies as they change, on a terminal, slowly enough to be seen."""
    if not err.is_terminal or not seconds:
        yield lambda snapshot: None
        return
    from plyground.subjects.matrix.learners import snapshot_times

    pause = seconds / len(snapshot_times(steps))
    with Live(console=err, transient=True, auto_refresh=False) as live:

        def show(snapshot: Snapshot) -> None:
            table = _learning_table(game, snapshot, value)
            table.title = f"step {snapshot.time:,}"
            live.update(table, refresh=True)
            clock.sleep(pause)

        yield show
