"""The command ``plyground play``."""

from __future__ import annotations

import contextlib
import itertools
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.markup import escape

from plyground.cli.cage_option import CageOption, chosen_cage
from plyground.cli.console import (
    GameArgument,
    GameSeedOption,
    JsonFlag,
    chosen_seed,
    err,
    out,
    picked,
    print_json,
    progress_bar,
)
from plyground.errors import BadOption, SpecError
from plyground.visible_text import visible

if TYPE_CHECKING:
    from plyground.core.game import Game
    from plyground.core.played_game import PlayedGame, PlayedMove
    from plyground.players import Move, Player

__all__ = ["play_command"]

SHOWN_LINE = 8
"""How many moves of a line stand in the terminal."""


def play_command(
    game: GameArgument,
    first: Annotated[str | None, typer.Option(help="Who moves first, e.g. human or minimax:depth=6.")] = None,
    second: Annotated[str | None, typer.Option(help="Who moves second.")] = None,
    player: Annotated[list[str] | None, typer.Option(help="For any number of players: one for each seat.")] = None,
    move_time: Annotated[float | None, typer.Option(help="Seconds a move; taking longer loses.")] = None,
    moves: Annotated[str, typer.Option(help="Go on from these moves, e.g. 'f5 d6 c3'.")] = "",
    seed: GameSeedOption = None,
    cage: CageOption = "plain",
    show_output: Annotated[
        bool, typer.Option("--show-output", help="Show what players that are programs or files print.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the result.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Play a game in the terminal, or let two players play it.

    Without players named, you meet the computer, and who moves first is chosen at random.

    Example: plyground play reversi --first human --second minimax:depth=5
    """
    from plyground.arena.copies import Copies
    from plyground.arena.hall import seat_player
    from plyground.arena.referee import FRIENDLY, play_game
    from plyground.core.notation import read_moves
    from plyground.games import make_game

    if move_time is not None and not move_time > 0:
        raise BadOption(f"--move-time must be a positive number of seconds, not {move_time:g}")
    seed = chosen_seed(seed)
    chosen = make_game(game)
    specs = _seating(chosen, [first, second], player or [], seed)
    people = [seat for seat, spec in enumerate(specs) if _is_human(spec)]
    read_moves(chosen, moves)
    if as_json and people:
        raise SpecError("--json is for games between programs; a person needs the terminal")
    turns: list[PlayedMove] = []
    facts: list[dict[str, Any]] = []
    screen = None if quiet or as_json else _Screen(chosen, specs, people, seed, turns)

    def note(turn: PlayedMove, _state: Any, answer: Move) -> None:
        facts.append(_turn_facts(turn, answer, _before_last(chosen, turns)))

    chosen_cage(cage, specs)
    with contextlib.ExitStack() as stack:
        copies = stack.enter_context(Copies(specs))
        with progress_bar("getting ready"):
            seated = [
                stack.enter_context(contextlib.closing(seat_player(spec, chosen, number, cage=cage, kept=kept)))
                for spec, kept, number in zip(copies.specs, copies.kept, itertools.count(seed * 1000 + 1))
            ]
            if show_output:
                _listen(chosen, seated)
        try:
            record = play_game(
                chosen,
                seated,
                seed=seed,
                rules=replace(FRIENDLY, move_time=move_time),
                moves=moves,
                on_move=screen.on_move if screen else note if as_json else None,
                waiting=screen.waiting if screen else None,
                record_into=turns,
            )
        except KeyboardInterrupt:
            if not (chosen.axes.hidden and people):  # the moves would show what the people may not see
                _say_how_to_go_on(game, specs, turns, seed)
            raise
    winner = record.winner if len(specs) > 1 else 0  # programs that read this know nothing else of a game of one
    if as_json:
        end = {"returns": list(record.returns), "winner": winner, "reason": record.reason}
        print_json({"game": chosen.spec, "players": specs, "seed": seed, "moves": facts, **end})
        return
    if screen:
        _print_state(record.states(chosen.initial)[-1])
    _print_verdict(chosen, specs, record, winner)


def _listen(game: Game, players: list[Player]) -> None:
    """Let what programs print stand on the standard error stream, each line with the seat's name before it."""
    from plyground.protocols.client import ProgramPlayer

    def listener(seat: str) -> Callable[[str], None]:
        return lambda line: err.print(f"[dim]{escape(seat)} |[/] {escape(visible(line))}", soft_wrap=True)

    for seat, player in zip(game.seats, players, strict=True):
        if isinstance(player, ProgramPlayer):
            player.on_output = listener(seat)


def _is_human(spec: str) -> bool:
    return spec.partition(":")[0] == "human"


class _Screen:
    """Reports a game while it is played."""

    def __init__(self, game: Game, specs: list[str], people: list[int], seed: int, turns: list[PlayedMove]) -> None:
        self._game, self._specs, self._people, self._turns = game, specs, people, turns
        pairs = ", ".join(f"{seat}: {spec}" for seat, spec in zip(game.seats, specs, strict=True))
        out.print(f"[bold]{escape(game.name)}[/]  {escape(pairs)}  [dim](seed {seed})[/]")

    def on_move(self, turn: PlayedMove, _state: Any, answer: Move) -> None:
        before = _before_last(self._game, self._turns)
        if self._game.axes.hidden and self._people:
            line = _seen_line(self._game, len(self._turns), turn, before, self._people)
        else:
            line = _turn_line(self._game, len(self._turns), turn, answer, before)
        out.print(line, soft_wrap=True)

    def waiting(self, seat: int) -> contextlib.AbstractContextManager[Any]:
        if _is_human(self._specs[seat]):
            return contextlib.nullcontext()
        return err.status(f"{escape(self._game.seats[seat])} is thinking ...")


def _print_verdict(game: Game, specs: list[str], record: PlayedGame, winner: int | None) -> None:
    if winner is not None:
        verdict = f"{game.seats[winner]} ({specs[winner]}) wins"
    else:
        verdict = "Draw" if record.complete else "The game ends early"
    reason = "" if record.complete else f": {record.reason}"
    results = ", ".join(f"{seat} {value:+g}" for seat, value in zip(game.seats, record.returns, strict=True))
    out.print(f"[bold]{escape(verdict)}[/]{escape(reason)}  [dim]({escape(results)})[/]")


def _seating(game: Game, two: list[str | None], listed: list[str], seed: int) -> list[str]:
    """A spec for every seat; seats left open are filled with the person and the computer, at random."""
    from plyground.native.randomness import random_below, stream
    from plyground.players import default_opponent

    seats = game.axes.players
    if listed:
        if any(two):
            raise SpecError("give either --player for each seat, or --first and --second, not both")
        if len(listed) != seats:
            raise SpecError(f"{game.name} has {seats} seats; give --player {seats} times, not {len(listed)}")
        return listed
    if seats == 1:
        return [two[0] or "human"]
    opponent = default_opponent(game)
    if not any(two):
        specs = ["human"] + [opponent] * (seats - 1)
        shift = random_below(stream(seed), seats)
        return specs[-shift:] + specs[:-shift] if shift else specs
    named = next(spec for spec in two if spec)
    filler = opponent if _is_human(named) else "human"
    return [spec or filler for spec in two] + [opponent] * (seats - 2)


def _before_last(game: Game, turns: list[Any]) -> Any:
    """The state in which the last of the turns was chosen."""
    from plyground.core.rules import result

    state = game.initial
    for turn in turns[:-1]:
        state = result(state, turn.action)
    return state


def _line_texts(state: Any, line: tuple[int, ...]) -> list[str]:
    """The moves of a line as people write them, from the state in which it begins."""
    from plyground.core.rules import action_text, result

    texts = []
    for action in line:
        texts.append(action_text(state, action))
        state = result(state, action)
    return texts


def _turn_facts(turn: PlayedMove, move: Move, state: Any) -> dict[str, Any]:
    """A move for JSON: who, what, how long, and what the player thought of it."""
    facts = {
        **picked(turn, "player", "action", "text"),
        "time": round(turn.time, 6),
        "value": move.value,
        "line": _line_texts(state, move.line),
        **picked(move, "depth", "nodes", "cuts", "table_hits"),
    }
    if move.lines:
        facts["lines"] = [{"value": value, "line": _line_texts(state, line)} for value, line in move.lines]
    return facts


def _turn_line(game: Game, number: int, turn: PlayedMove, move: Move, state: Any) -> str:
    from plyground.core.rules import CHANCE

    who = "chance" if turn.player == CHANCE else game.seats[turn.player]
    facts = []
    if move.value is not None:
        facts.append(f"value {_signed(move.value)}")
    if move.depth:
        facts.append(f"depth {move.depth}")
    if move.nodes:
        facts.append(f"{move.nodes:,} {'node' if move.nodes == 1 else 'nodes'}")
    if move.cuts:
        facts.append(f"{move.cuts:,} cut{'s' * (move.cuts != 1)}")
    if move.table_hits:
        facts.append(f"{move.table_hits:,} table hit{'s' * (move.table_hits != 1)}")
    if turn.time >= 0.0005:
        facts.append(f"{turn.time:.3f} s")

    def written(line: tuple[int, ...]) -> str:
        return " ".join(_line_texts(state, line[:SHOWN_LINE])) + (" ..." if len(line) > SHOWN_LINE else "")

    if len(move.line) > 1 and not move.lines:
        facts.append(f"line {written(move.line)}")
    best = "".join(f"\n       {_signed(value)}  {written(line)}" for value, line in move.lines)
    return f"{number:>3}. {escape(who)}: [bold]{escape(turn.text)}[/]  [dim]{escape(', '.join(facts) + best)}[/]"


def _seen_line(game: Game, number: int, turn: Any, state: Any, people: list[int]) -> str:
    """A move as people who do not see everything are shown it: only what all of them see, and no player's thoughts."""
    from plyground.core.rules import CHANCE, action_seen

    who = "chance" if turn.player == CHANCE else game.seats[turn.player]
    seen = all(action_seen(state, turn.action, person) for person in people)
    shown = f"[bold]{escape(turn.text)}[/]" if seen else "[dim]not to be seen[/]"
    return f"{number:>3}. {escape(who)}: {shown}"


def _signed(value: float) -> str:
    """A value with its sign and two digits, and never -0.00."""
    return f"{round(value, 2) + 0.0:+.2f}"


def _print_state(state: Any) -> None:
    from plyground.core.rules import grid, text
    from plyground.pictures.terminal import grid_terminal

    board = grid(state)
    out.print(grid_terminal(board) if board is not None else escape(text(state)))


def _say_how_to_go_on(game: str, specs: list[str], turns: list[Any], seed: int) -> None:
    if not turns:
        return
    moves = " ".join(turn.text for turn in turns)
    command = ["plyground", "play", game, "--seed", str(seed), "--moves", moves]
    for spec in specs:
        command += ["--player", spec]
    err.print(f"\nStopped after {len(turns)} moves. To go on:\n{shlex.join(command)}", soft_wrap=True)
