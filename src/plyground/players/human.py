"""The human player in the terminal: sees the board, types a move, or asks for help, a hint, undo or resignation."""

from __future__ import annotations

from typing import ClassVar

from rich.console import Console
from rich.markup import escape

from plyground.core.axes import Accepts
from plyground.core.grid import with_last
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions, grid, observation, parse_action, result, text, to_move
from plyground.errors import ActionError
from plyground.pictures.terminal import Terminal, grid_terminal
from plyground.players.player import Choice, Move, Player, Position, Resign, TakeBack

__all__ = ["HumanPlayer", "human"]

HELP = """[bold]MOVE[/]    play it, e.g. {example}
[bold]moves[/]   list the legal moves     [bold]hint[/]    ask for a suggestion
[bold]undo[/]    take your last move back [bold]board[/]   show the board again
[bold]resign[/]  give up                  [bold]quit[/]    leave; the moves so far are shown"""

HINT_TIME = 1.0


class HumanPlayer(Player):
    """Asks a person at the terminal."""

    accepts: ClassVar[Accepts] = Accepts(simultaneous=True, hidden=True, chance=True, general_sum=True)

    def __init__(self, console: Console) -> None:
        self._console = console
        self._greeted = False

    def choose(self, position: Position, limit: Limit) -> Choice:
        state, game = position.state, position.game
        seat = escape(game.seats[to_move(state)])
        self._show(position)
        if not self._greeted:
            self._console.print("[dim]Type a move, or[/] help [dim]for more.[/]")
            self._greeted = True
        names = [action_text(state, action) for action in actions(state)]
        self._console.print(
            f"[dim]legal:[/] {escape(' '.join(names[:40]))}{' ...' if len(names) > 40 else ''}", highlight=False
        )
        if names == ["pass"]:
            self._console.print("[yellow]You have no move and must pass.[/]")
            return Move(actions(state)[0])
        while True:
            try:
                line = self._console.input(f"[bold]{seat}[/]> ").strip()
            except EOFError:  # nobody is there any more
                raise KeyboardInterrupt from None
            match line.lower():
                case "":
                    continue
                case "help" | "?" | "h":
                    self._console.print(HELP.format(example=escape(names[0])), highlight=False)
                case "moves":
                    self._console.print(escape(" ".join(names)), highlight=False)
                case "board":
                    self._show(position)
                case "hint":
                    self._hint(position)
                case "undo":
                    return TakeBack()
                case "resign":
                    return Resign()
                case "quit" | "exit" | "q":
                    raise KeyboardInterrupt
                case _:
                    try:
                        return Move(parse_action(state, line))
                    except ActionError as error:
                        self._console.print(f"[red]{escape(str(error))}[/]", highlight=False)

    def refused(self, reason: str) -> None:
        self._console.print(f"[red]{escape(reason)}[/]", highlight=False)

    def _show(self, position: Position) -> None:
        seen = observation(position.state, to_move(position.state))
        if type(seen) is not type(position.state):
            self._console.print(f"\n{escape(str(seen))}", highlight=False)
            return
        board = grid(position.state)
        if board is not None and position.history:
            before = position.game.initial
            for action in position.history[:-1]:
                before = result(before, action)
            board = with_last(grid(before) or board, board)
        self._console.print()
        self._console.print(
            grid_terminal(board) if board is not None else escape(text(position.state)), highlight=False
        )

    def _hint(self, position: Position) -> None:
        from plyground.players import default_opponent, make_player  # the registry lists this module

        name = default_opponent(position.game)
        choice = make_player(name, position.game, seed=0).choose(position, Limit(time=HINT_TIME))
        if isinstance(choice, Move):
            worth = "" if choice.value is None else f" (value {round(choice.value, 2) + 0.0:+.2f})"  # never -0.00
            self._console.print(
                f"{name} would play [bold]{escape(action_text(position.state, choice.action))}[/]{worth}"
            )


def human() -> Player:
    """A person at this terminal: types moves; knows help, hint, undo, resign."""
    return HumanPlayer(Terminal())
