"""Reading what people paste, and writing what they take away, without a search: quick enough for the server itself."""

from __future__ import annotations

import json
from collections.abc import Sequence
from itertools import islice
from typing import Any, Literal

from plyground.core.game import Game
from plyground.core.grid import grid_text, with_last
from plyground.core.notation import Fault
from plyground.core.rules import action_text, actions, grid, text
from plyground.engines.reversi.analysis import Analysis, JudgedMove, annotated
from plyground.engines.reversi.engine import Report
from plyground.engines.reversi.evaluation_graph import evaluation_svg
from plyground.errors import ActionError, BadOption, FormatError
from plyground.formats import (
    Record,
    ScoredPosition,
    only_reversi,
    read_any,
    recognise,
    write_ggf,
    write_obf,
    write_transcript,
)
from plyground.formats.board import write_board
from plyground.formats.places import has_content
from plyground.formats.recognise import Format
from plyground.formats.replay import read_square
from plyground.formats.transcript import read_transcript_beginning
from plyground.games.chess import Chess, fen
from plyground.games.reversi import on_8x8
from plyground.native.compiling import interpreted
from plyground.pictures.board import grid_svg, svg
from plyground.pictures.png import svg_png
from plyground.web.games.analyses import opening_of, positions_of, record_facts
from plyground.web.games.positions import fault_facts, game_beginning, game_positions, opening_facts, started_game
from plyground.web.server.specs import allowed_game

__all__ = ["export", "game_line", "read_pasted"]

MOST_READ = 100
"""Games or positions of one text that are shown."""
Exported = tuple[bytes, str, str]
"""The content, its type, and the name of the file."""


def read_pasted(pasted: str) -> dict[str, Any]:
    """What a text is, and the games and positions in it."""
    with interpreted():
        kind, fault = recognise(pasted), None
        items: list[Record | ScoredPosition]
        try:
            items = list(islice(only_reversi(read_any(pasted)), MOST_READ + 1))
        except ActionError:
            begun, fault = _beginning(pasted) if kind is Format.TRANSCRIPT else (Record(), None)
            if not begun.moves:
                raise
            items = [begun]
        if not items:
            raise FormatError("there is no game and no position in this text")
        games = [item for item in items[:MOST_READ] if isinstance(item, Record)]
        return {
            "kind": kind.value,
            "more": len(items) > MOST_READ,
            "problem": fault_facts(fault),
            "games": [
                {"moves": write_transcript(one, passes=True), "names": [one.black, one.white], **record_facts(one)}
                for one in games
            ],
            "positions": [_position_facts(item) for item in items[:MOST_READ] if isinstance(item, ScoredPosition)],
        }


def _beginning(pasted: str) -> tuple[Record, Fault | None]:
    """The legal beginning of a game that goes wrong; of several games, of which one goes wrong, none."""
    lines = [line for line in pasted.splitlines() if has_content(line)]
    if len(lines) > 1 and read_transcript_beginning(lines[1])[0].moves:
        return Record(), None
    return read_transcript_beginning(pasted)


def _position_facts(item: ScoredPosition) -> dict[str, Any]:
    return {
        "board": write_board(item.state),
        "to_move": int(item.state.turn),
        "scores": [{"move": action_text(item.state, action), "score": score} for action, score in item.scores],
        "comment": item.comment,
    }


def game_line(game: str, moves: str, board: str, beginning: bool) -> dict[str, Any]:
    """All positions of a line of moves; with `beginning`, up to the first one that is not legal, which is told."""
    begun = started_game(allowed_game(game), board)
    states, history, texts, fault = game_beginning(begun, moves)
    if fault is not None and not beginning:
        raise fault.error
    opening = None
    if on_8x8(begun) and begun.initial == allowed_game("reversi").initial:
        opening = opening_of(Record(moves=tuple(history))) if history else None
    return {
        "game": game,
        "seats": list(begun.seats),
        "positions": positions_of(begun, states),
        "moves": texts,
        "actions": history,
        "problem": fault_facts(fault),
        **opening_facts(opening),
    }


# Writing ----------------------------------------------------------------------------------------------------------


def export(
    what: Literal["board", "frames", "graph", "ggf", "transcript", "obf"],
    format: Literal["svg", "png", "text"],
    game: str,
    moves: str,
    board: str,
    names: Sequence[str],
    analysis: Sequence[dict[str, Any]],
    end: dict[str, Any] | None,
    scores: dict[str, int],
) -> Exported:
    """A position, a game or an analysis as a file."""
    begun = started_game(allowed_game(game), board)
    with interpreted():
        states, history, texts = game_positions(begun, moves)
        if what == "board":
            return _board_file(begun, states, format)
        if what == "frames":
            pictures = [_board_file(begun, states[: place + 1], "svg")[0].decode() for place in range(len(states))]
            return json.dumps({"frames": pictures, "moves": texts}).encode(), "application/json", "frames.json"
        if what == "transcript" and not on_8x8(begun):
            return " ".join(texts).encode(), "text/plain", "moves.txt"
        if not on_8x8(begun):
            raise BadOption(f"{what} is for reversi on 8x8 squares, not for {game}")
        if what == "obf":
            scored = tuple((read_square(name), score) for name, score in scores.items())
            legal = actions(states[-1])
            if wrong := [name for name in scores if read_square(name) not in legal]:
                raise BadOption(f"scores: '{wrong[0][:20]}' is not legal here")
            return f"{write_obf(ScoredPosition(states[-1], scored))}\n".encode(), "text/plain", "position.obf"
        black, white = [*names, "", ""][:2]
        record = Record(start=begun.initial, moves=tuple(history), black=black, white=white)
        if what == "transcript":
            return f"{write_transcript(record)}\n".encode(), "text/plain", "game.txt"
        judged = _analysis(record, analysis, end)
        if what == "ggf":
            return f"{write_ggf(annotated(judged))}\n".encode(), "text/plain", "game.ggf"
        if len(judged.moves) != len(history) or (judged.end is None and not record.finished):
            raise BadOption("graph: the analysis of every move is needed, and of the end of an unfinished game")
        return _picture(evaluation_svg(judged), format, "evaluation")


def _board_file(game: Game, states: Sequence[Any], form: str) -> Exported:
    state = states[-1]
    shown = grid(state)
    if shown is None and form == "text":
        return text(state).encode(), "text/plain", "position.txt"
    if shown is None:
        return _picture(svg(state), form, "position")
    before = grid(states[-2]) if len(states) > 1 else None
    shown = shown if before is None else with_last(before, shown)
    if form == "text":
        line = write_board(state) if on_8x8(game) else fen(state) if isinstance(state, Chess) else grid_text(shown)
        return f"{line}\n".encode(), "text/plain", "position.txt"
    return _picture(grid_svg(shown), form, "position")


def _picture(picture: str, form: str, name: str) -> Exported:
    if form == "png":
        return svg_png(picture), "image/png", f"{name}.png"
    if form == "svg":
        return picture.encode(), "image/svg+xml", f"{name}.svg"
    raise BadOption(f"format: the {name} is a picture; write svg or png")


def _analysis(record: Record, judged: Sequence[dict[str, Any]], end: dict[str, Any] | None) -> Analysis:
    """The analysis that its facts describe."""
    states = record.states()
    moves: list[JudgedMove] = []
    for facts in sorted(judged, key=lambda facts: facts["number"]):
        index = facts["number"] - 1
        if not 0 <= index < len(record.moves) or index in {move.index for move in moves}:
            raise BadOption(f"analysis: there is no move {facts['number']}, or it is judged twice")
        state = states[index]
        best = _report(facts["best"])
        moves.append(JudgedMove(index, record.moves[index], state, len(actions(state)), facts["value"], best))
    return Analysis(record, tuple(moves), None if end is None or record.finished else _report(end))


def _report(facts: dict[str, Any]) -> Report:
    line = tuple(read_square(move) for move in facts["line"]) or (read_square(facts["move"]),)
    return Report(
        line[0], facts["value"], facts["depth"], facts["confidence"], facts["solved"], line, facts["nodes"], 0.0
    )
