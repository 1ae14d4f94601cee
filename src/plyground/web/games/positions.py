"""Positions for the pages: the board, every legal move with what it would change, and how a game has ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyground.core.game import Game
from plyground.core.grid import EMPTY, Grid, with_last
from plyground.core.notation import Fault, read_beginning
from plyground.core.played_game import OVER, winner_of
from plyground.core.registry import split_spec
from plyground.core.rules import (
    CHANCE,
    action_code,
    action_text,
    actions,
    grid,
    position_code,
    read_position,
    result,
    text,
    to_move,
)
from plyground.errors import BadOption, ImpossibleBoard
from plyground.formats.board import read_board, write_board
from plyground.games.chess import Chess, how_ended
from plyground.games.reversi import on_8x8
from plyground.native.compiling import interpreted
from plyground.pictures.board import svg

__all__ = [
    "ending",
    "fault_facts",
    "game_beginning",
    "game_positions",
    "line_texts",
    "opening_facts",
    "position",
    "rules_that_ended",
    "spec_with_start",
    "started_game",
]

WIDE = 64
"""With more legal moves than this a board of marks is not drawn for each of them."""
LONGEST_MOVES = 20_000

Cell = list[int]


def position(
    game: Game, state: Any, ply: int, before: Any = None, over: dict[str, Any] | None = None, *, playable: bool = True
) -> dict[str, Any]:
    """A position as the pages want it; `before` is the state in which the last move was made, if there was one.

    `over` is how the game has ended where the rules do not say it by themselves. Where nobody is to play, as in the
    replay of a game, the legal moves need not be listed, which is most of the work.
    """
    with interpreted():
        board = grid(state)
        if board is not None and before is not None:
            old = grid(before)
            board = board if old is None else with_last(old, board)
        options = actions(state)
        mover = int(to_move(state)) if options else None
        if over is None and not options:
            over = ending(game.returns(state), OVER, **rules_that_ended(state))
        return {
            "ply": ply,
            "to_move": mover,
            "grid": None if board is None else _grid_facts(board),
            "svg": svg(state) if board is None else None,
            "legal": [] if over or mover == CHANCE or not playable else _legal(state, options, board),
            "counts": _counts(board),
            "over": over,
            "text": text(state),
            "code": position_code(state) if isinstance(state, Chess) else None,
        }


def rules_that_ended(state: Any) -> dict[str, Any]:
    """Which rule has ended a game of chess, as `how`; nothing of other games."""
    return {"how": how_ended(state)} if isinstance(state, Chess) else {}


def ending(
    returns: Sequence[float], reason: str, why: str = "over", loser: int | None = None, **more: Any
) -> dict[str, Any]:
    """How a game has ended: one utility for each player, the one with the highest, and the reason as a line.

    `why` is the reason for programs: over, agreed, resigns, leaves, time, illegal_moves or fails; all but the first two
    have a `loser`.
    `more` is what else there is to say of it: of a failure its `code` and its `detail`, of a game of chess `how`.
    """
    facts = {"returns": list(returns), "winner": winner_of(returns), "reason": reason, "why": why, "loser": loser}
    return {**facts, **more}


def started_game(game: Game, board: str) -> Game:
    """The game, begun from a position that somebody has set up, if there is one: a board of Reversi, a FEN of chess."""
    if not board.strip():
        return game
    if not on_8x8(game) and game.name != "chess":
        raise BadOption(f"a board can be set up for reversi on 8x8 squares and for chess, not for {game.spec}")
    with interpreted():
        state = read_board(board) if on_8x8(game) else read_position(game.initial, board)
        if not actions(state):
            raise ImpossibleBoard(_nothing_to_play(game, state))
    return replace(game, initial=state)


def spec_with_start(game: Game) -> str:
    """The spec of a game that was begun from a position, with this position in it."""
    if on_8x8(game):
        return f"reversi:board={write_board(game.initial).replace(' ', '')}"
    name, options = split_spec(game.spec)
    given = {**options, "fen": position_code(game.initial)}
    return f"{name}:{','.join(f'{key}={value}' for key, value in given.items())}"


def _nothing_to_play(game: Game, state: Any) -> str:
    if on_8x8(game):
        return "neither side can move on this board: there is nothing to play"
    why = {"mate": "mate", "stalemate": "stalemate", "material": "neither side has the pieces to mate"}
    return f"this position is the end of a game, {why.get(how_ended(state), 'a draw')}: there is nothing to play"


def game_positions(game: Game, moves: str) -> tuple[list[Any], list[int], list[str]]:
    """The states, the actions and their texts for a text of moves; forced passes may be left out."""
    states, history, texts, fault = game_beginning(game, moves)
    if fault is not None:
        raise fault.error
    return states, history, texts


def game_beginning(game: Game, moves: str) -> tuple[list[Any], list[int], list[str], Fault | None]:
    """The same up to the first move that is not legal, and what is wrong with that one."""
    if len(moves) > LONGEST_MOVES:
        raise BadOption(f"a text of moves has at most {LONGEST_MOVES:,} characters")
    with interpreted():
        states, history, fault = read_beginning(game, moves)
        texts = [action_text(state, action) for state, action in zip(states, history, strict=False)]
    return states, history, texts, fault


def fault_facts(fault: Fault | None) -> dict[str, Any] | None:
    """The first move that cannot be made, for the pages: its number, where in the text it stands, and why."""
    if fault is None:
        return None
    return {"move": fault.number, "start": fault.start, "end": fault.end, "error": str(fault.error),
            "code": type(fault.error).__name__}  # fmt: skip


def line_texts(state: Any, line: Sequence[int]) -> list[str]:
    """The moves of a line as people write them, from the state in which it begins."""
    texts = []
    with interpreted():
        for action in line:
            texts.append(action_text(state, action))
            state = result(state, action)
    return texts


def _grid_facts(board: Grid) -> dict[str, Any]:
    return {
        "cells": list(board.cells),
        "symbols": list(board.symbols),
        "style": board.style,
        "columns": list(board.columns),
        "rows": list(board.rows),
        **{name: None if (cell := getattr(board, name)) is None else list(cell) for name in ("last", "left", "check")},
    }


def _counts(board: Grid | None) -> list[int] | None:
    if board is None or board.style not in ("discs", "boxes"):
        return None
    return [sum(row.count(symbol) for row in board.cells) for symbol in board.symbols]


def _legal(state: Any, options: list[int], board: Grid | None) -> list[dict[str, Any]]:
    if board is not None and board.style == "chess":
        return _piece_moves(state, options, board)
    named = _cells_by_name(board) if board is not None and len(options) > WIDE else {}
    of_cells = [option for option in options if action_text(state, option) in named]
    if of_cells and not all(_changes(state, option, board) == ([cell], cell)
                            for option in (of_cells[0], of_cells[-1])
                            for cell in [named[action_text(state, option)]]):  # fmt: skip
        named = {}
    found = []
    for option in options:
        name = action_text(state, option)
        changes, cell = ([named[name]], named[name]) if name in named else _changes(state, option, board)
        found.append({"action": option, "text": name, "cell": cell, "changes": changes})
    return found


def _piece_moves(state: Any, options: list[int], board: Grid) -> list[dict[str, Any]]:
    """Moves of pieces: `start` is touched first, then `cell`, and then `promotes`, the kind of piece: q, r, b or n."""
    named = {f"{column}{row}": [r, c] for r, row in enumerate(board.rows) for c, column in enumerate(board.columns)}
    found = []
    for option in options:
        code = action_code(state, option)
        start, cell = named[code[:2]], named[code[2:4]]
        facts = {"start": start, "cell": cell, "promotes": code[4:] or None, "changes": [cell]}
        found.append({"action": option, "text": action_text(state, option), **facts})
    return found


def _cells_by_name(board: Grid) -> dict[str, Cell]:
    """The cells by their names where a move puts one mark on the board, and the name of the move is the cell's."""
    if board.style not in ("marks", "hex"):
        return {}
    return {f"{column}{row}": [r, c] for r, row in enumerate(board.rows) for c, column in enumerate(board.columns)}


def _changes(state: Any, action: int, board: Grid | None) -> tuple[list[Cell], Cell | None]:
    """Every cell that looks different after a move, and the one that is touched to play it: the only one filled by it.

    A move that also empties a cell, as the swap of Hex does, is played by no cell.
    """
    after = None if board is None else grid(result(state, action))
    if board is None or after is None:
        return [], None
    changes = [
        [r, c]
        for r, (old, new) in enumerate(zip(board.cells, after.cells, strict=True))
        for c, (was, now) in enumerate(zip(old, new, strict=True))
        if was != now
    ]
    filled = [cell for cell in changes if board.cells[cell[0]][cell[1]] == EMPTY]
    emptied = any(after.cells[r][c] == EMPTY for r, c in changes)
    return changes, filled[0] if len(filled) == 1 and not emptied else None


def opening_facts(name: str | None) -> dict[str, str | None]:
    """The name of an opening of Reversi in both languages."""
    if name is None:
        return {"opening": None, "opening_zh": None}
    from plyground.engines.reversi.openings import CHINESE  # whoever plays something else need not wait for it

    return {"opening": name, "opening_zh": CHINESE.get(name, name)}
