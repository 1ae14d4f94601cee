"""What ``plyground analyze`` does with chess: games in PGN and positions in EPD or FEN, judged by any player."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from plyground.cli.console import check_out, out, plain_table, print_json, progress_bar
from plyground.core.files import write_file
from plyground.errors import BadOption, FormatError

if TYPE_CHECKING:
    from plyground.core.limits import Limit
    from plyground.formats import ChessPosition, ChessRecord, PgnMove
    from plyground.players.judging import JudgedChoice
    from plyground.players.player import Move, Player

__all__ = ["analyze_chess"]

SIGNS = {"inaccuracy": "?!", "mistake": "?", "blunder": "??"}
NAGS = {"inaccuracy": 6, "mistake": 2, "blunder": 4}
COLOURS = {"inaccuracy": "yellow", "mistake": "dark_orange", "blunder": "bold red"}
SECONDS = 0.5
"""For each move, if no limit is given."""
LONGEST_LINE = 8
"""How many moves of a line are shown."""
SHOWN_MISTAKES = 10
SEATS = ("White", "Black")


@dataclass(frozen=True)
class _Judged:
    record: ChessRecord
    moves: Sequence[JudgedChoice]


def analyze_chess(
    spec: str,
    what: str,
    analyst: str | None,
    limit: Limit,
    svg: Path | None,
    pgn: Path | None,
    as_json: bool,
) -> None:
    """Judge every game and every position of a text or a file."""
    from plyground.core.limits import Interrupted, Limit
    from plyground.formats import ChessPosition, ChessRecord
    from plyground.formats.argument import read_argument
    from plyground.games import make_game
    from plyground.players import make_player
    from plyground.players.judging import judge_game

    if spec.partition(":")[0] != "chess" or ":" in spec:
        raise BadOption(f"write plyground analyze chess ..., not '{spec}': a file says where its games begin")
    items = read_argument(what, chess=True)
    games = [item for item in items if isinstance(item, ChessRecord)]
    if svg is not None and len(games) != 1:
        raise BadOption(f"--svg draws one game, and here are {len(games) or 'only positions'}")
    if pgn is not None and not games:
        raise BadOption("--pgn is for games, and here are only positions")
    check_out(svg, option="--svg", inputs=(what,))
    check_out(pgn, option="--pgn", inputs=(what, svg))
    game = make_game("chess")
    player = make_player(analyst or game.opponent, game, 0)
    allowed = limit if limit != Limit() or analyst is not None else Limit(time=SECONDS)
    done: list[_Judged] = []
    with player:
        for number, item in enumerate(items, 1):
            if isinstance(item, ChessPosition):
                _show_position(item, number, len(items), player, allowed, as_json)
                continue
            assert isinstance(item, ChessRecord)
            begun = replace(game, initial=item.start, spec=item.game)
            try:
                with progress_bar(f"game {number} of {len(items)}" if len(items) > 1 else "analysing", "moves") as bar:
                    count = len(item.moves)

                    def judged(move: JudgedChoice, count: int = count, bar: Any = bar) -> None:
                        bar(count - move.index, count)

                    moves = judge_game(begun, item.moves, player, allowed, on_move=judged)
            except Interrupted as interrupted:
                done.append(_Judged(item, interrupted.answer))
                _show_game(done[-1], number, len(items), as_json)
                _write_files(done, svg, pgn, as_json)
                raise
            done.append(_Judged(item, moves))
            _show_game(done[-1], number, len(items), as_json)
    _write_files(done, svg, pgn, as_json)


# Positions --------------------------------------------------------------------------------------------------------


def _show_position(
    position: ChessPosition, number: int, count: int, player: Player, limit: Limit, as_json: bool
) -> None:
    from plyground.core.game import game_of
    from plyground.core.rules import action_text, actions, position_code
    from plyground.players.player import Move, Position

    state = position.state
    if not actions(state):
        raise FormatError(f"position {number}: the game is over there, and there is nothing to analyse")
    found = player.choose(Position(game_of(state), state), limit)
    if not isinstance(found, Move) or found.value is None:
        raise BadOption(f"{player.spec} does not say what a position is worth; whoever analyses must search")
    facts: dict[str, Any] = {
        "position": position_code(state),
        "name": position.name,
        "move": action_text(state, found.action),
        "value": found.value,
        "depth": found.depth,
        "nodes": found.nodes,
        "line": _words(state, _line(found)),
    }
    if as_json:
        print_json(facts)
        return
    named = f"position {number}{f' ({position.name})' if position.name else ''}: " if count > 1 or position.name else ""
    line = " ".join(facts["line"][:LONGEST_LINE])
    out.print(f"[bold]{escape(named)}{SEATS[state.turn]} to move[/]: {line}  {found.value:+.2f}, depth {found.depth}")


# Games ------------------------------------------------------------------------------------------------------------


def _line(found: Move) -> tuple[int, ...]:
    return found.line or (found.action,)


def _words(state: Any, line: Sequence[int]) -> list[str]:
    """A line of play as people write it, as far as it is legal: another program may have said it."""
    from plyground.errors import IllegalAction
    from plyground.games.chess.lines import words_of

    for end in range(len(line), 0, -1):
        try:
            return words_of(state, line[:end])
        except IllegalAction:
            continue
    return []


def _number(move: JudgedChoice) -> str:
    return f"{move.state.number}{'.' if move.player == 0 else '...'}"


def _show_game(judged: _Judged, number: int, count: int, as_json: bool) -> None:
    record, moves = judged.record, judged.moves
    if as_json:
        print_json(_facts(judged))
        return
    if count > 1:
        out.print(f"[bold]game {number}[/]")
    out.print(f"[bold]{escape(record.white or 'White')} - {escape(record.black or 'Black')}  {record.result}[/]")
    if moves:
        out.print(_moves_table(moves))
        out.print(_players_table(judged))
    worst = sorted((move for move in moves if move.verdict in SIGNS), key=lambda move: -move.loss)[:SHOWN_MISTAKES]
    for move in worst:
        played, best = _words(move.state, (move.action,))[0], _words(move.state, (move.best.action,))[0]
        says = f"{_number(move)} {played}{SIGNS[move.verdict]} loses {move.loss:.2f}: {best} has {move.best_value:+.2f}"
        out.print(f"[{COLOURS[move.verdict]}]{says}[/]", soft_wrap=True)
    if record.doubt:
        out.print(f"[yellow]note:[/] {escape(record.doubt)}", soft_wrap=True)


def _moves_table(moves: Sequence[JudgedChoice]) -> Table:
    columns = "move", "played", "value", "best", "value", "loss", "", "depth", "best line"
    table = plain_table(*columns, left=("played", "best", "", "best line"), whole=columns[:-1])
    for move in moves:
        line = _words(move.state, _line(move.best))
        table.add_row(
            _number(move),
            _words(move.state, (move.action,))[0],
            f"{move.value:+.2f}",
            line[0],
            f"{move.best_value:+.2f}",
            f"{move.loss:.2f}" if move.loss >= 0.005 else "",
            SIGNS.get(move.verdict, ""),
            str(move.best.depth or ""),
            " ".join(line[:LONGEST_LINE]),
            style=COLOURS.get(move.verdict, ""),
        )
    return table


def _players_table(judged: _Judged) -> Table:
    columns = "player", "moves", "lost a move", "inaccuracies", "mistakes", "blunders"
    table = plain_table(*columns, left=("player",), whole=columns)
    for seat, name in enumerate((judged.record.white, judged.record.black)):
        facts = _player_facts(judged, seat)
        counts = (str(facts[kind]) for kind in ("inaccuracies", "mistakes", "blunders"))
        lost = "" if facts["loss"] is None else f"{facts['loss']:.3f}"
        table.add_row(escape(f"{SEATS[seat]} ({name})" if name else SEATS[seat]), str(facts["moves"]), lost, *counts)
    return table


def _player_facts(judged: _Judged, seat: int) -> dict[str, Any]:
    own = [move for move in judged.moves if move.player == seat]
    verdicts = [move.verdict for move in own]
    return {
        "name": (judged.record.white, judged.record.black)[seat],
        "moves": len(own),
        "loss": sum(move.loss for move in own) / len(own) if own else None,
        "inaccuracies": verdicts.count("inaccuracy"),
        "mistakes": verdicts.count("mistake"),
        "blunders": verdicts.count("blunder"),
    }


def _facts(judged: _Judged) -> dict[str, Any]:
    """An analysed game for JSON."""
    record = judged.record
    moves = [
        {
            "number": move.index + 1,
            "player": SEATS[move.player].lower(),
            "move": _words(move.state, (move.action,))[0],
            "value": move.value,
            "loss": move.loss,
            "verdict": move.verdict,
            "choices": move.choices,
            "best": {
                "move": _words(move.state, (move.best.action,))[0],
                "value": move.best_value,
                "depth": move.best.depth,
                "nodes": move.best.nodes,
                "line": _words(move.state, _line(move.best)),
            },
        }
        for move in judged.moves
    ]
    players = [_player_facts(judged, seat) for seat in (0, 1)]
    return {"game": record.game, "tags": dict(record.tags), "result": record.result, "moves": moves, "players": players}


# Files ------------------------------------------------------------------------------------------------------------


def _write_files(done: Sequence[_Judged], svg: Path | None, pgn: Path | None, as_json: bool) -> None:
    from plyground.formats import write_pgn
    from plyground.pictures.picture_file import write_picture

    if svg is not None and done:
        write_picture(svg, _graph(done[0]), "Evaluation")
    if pgn is not None and done:
        write_file(pgn, "\n".join(write_pgn(_annotated(judged)) for judged in done).encode())
    for path in (svg, pgn):
        if path is not None and done and not as_json:
            out.print(f"wrote {escape(str(path))}", soft_wrap=True)


def _graph(judged: _Judged) -> str:
    """What the positions are worth to White, move by move, and where the mistakes are."""
    from plyground.pictures.plot import Panel, Series, plot_svg

    # The position before each move, as the best move would have it, and the one after the last.
    values = [(move.index, _to_white(move, move.best_value)) for move in judged.moves]
    if judged.moves:
        values.append((judged.moves[-1].index + 1, _to_white(judged.moves[-1], judged.moves[-1].value)))
    series = [Series("value to White", [x / 2 + 1 for x, _ in values], [y for _, y in values])]
    for verdict, nag in SIGNS.items():
        wrong = [move for move in judged.moves if move.verdict == verdict]
        if wrong:
            places = [(move.index + 1) / 2 + 1 for move in wrong]
            series.append(
                Series(f"{verdict} {nag}", places, [_to_white(move, move.value) for move in wrong], style="points")
            )
    title = f"{judged.record.white or 'White'} - {judged.record.black or 'Black'}  {judged.record.result}"
    panel = Panel(series, x_label="move", y_label="value", y_range=(-1.0, 1.0), width=760)
    return plot_svg([panel], title=title)


def _to_white(move: JudgedChoice, value: float) -> float:
    return value if move.player == 0 else 0.0 - value


def _annotated(judged: _Judged) -> ChessRecord:
    """The game with the values of its moves, marks at the mistakes, and the line that would have been better."""
    from plyground.formats import PgnMove

    line = list(judged.record.line)
    for move in judged.moves:
        written = line[move.index]
        nag = NAGS.get(move.verdict)
        remark = f"value {_to_white(move, move.value):+.2f}"
        better: tuple[tuple[PgnMove, ...], ...] = ()
        if nag is not None:
            legal = _line(move.best)[: len(_words(move.state, _line(move.best)))]
            better = (tuple(PgnMove(action) for action in legal[:LONGEST_LINE]),)
        line[move.index] = replace(
            written,
            nags=(*written.nags, nag) if nag is not None and nag not in written.nags else written.nags,
            comments=(*written.comments, remark),
            variations=(*written.variations, *better),
        )
    return replace(judged.record, line=tuple(line))
