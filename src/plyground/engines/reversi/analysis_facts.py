"""What an analysis says, for programs: the same for ``plyground analyze --json`` and for the app."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyground.engines.reversi.analysis import Analysis, JudgedMove, Verdict, empty_squares, move_name
from plyground.engines.reversi.engine import Report
from plyground.engines.reversi.memory import edge_table
from plyground.engines.reversi.stability import stable_discs
from plyground.formats import write_board, write_transcript
from plyground.games.reversi import Reversi
from plyground.games.reversi.moves import moves
from plyground.native.bits import popcount

__all__ = ["board_counts", "game_facts", "move_facts", "notes", "position_facts", "report_facts"]

NAMES = ("black", "white")
CORNERS = np.uint64(0x8100000000000081)


def position_facts(state: Reversi, reports: Sequence[Report]) -> dict[str, Any]:
    """A position and its best moves."""
    return {"board": write_board(state), "lines": [report_facts(report) for report in reports]}


def game_facts(analysis: Analysis) -> dict[str, Any]:
    """A game with all its moves judged."""
    record = analysis.record
    return {
        "black": record.black,
        "white": record.white,
        "start": write_board(record.start),
        "transcript": write_transcript(record, passes=True),
        "finished": record.finished,
        "discs": list(record.discs),
        "score": record.score,
        "notes": notes(analysis),
        "players": {
            name: {
                "accuracy": analysis.accuracy(player),
                "mean_loss": analysis.mean_loss(player),
                "decisions": len(analysis.decisions(player)),
                "inaccuracies": analysis.count(player, Verdict.INACCURACY),
                "mistakes": analysis.count(player, Verdict.MISTAKE),
                "blunders": analysis.count(player, Verdict.BLUNDER),
            }
            for player, name in enumerate(NAMES)
        },
        "solved_from": analysis.solved_from,
        "values": [{"moves": number, "black": value} for number, value in analysis.values],
        "moves": [move_facts(move) for move in analysis.moves],
        "end": None if analysis.end is None else report_facts(analysis.end),
    }


def move_facts(move: JudgedMove) -> dict[str, Any]:
    """A move, what it was worth, and what would have been better."""
    return {
        "number": move.index + 1,
        "player": NAMES[move.player],
        "move": move_name(move.action),
        "value": move.value,
        "loss": move.loss,
        "verdict": move.verdict.value,
        "spoiled": move.spoiled or None,
        "choices": move.choices,
        "best": report_facts(move.best),
        "lines": [report_facts(report) for report in move.lines],
    }


def report_facts(report: Report) -> dict[str, Any]:
    """What a search found: values are in discs for the side to move."""
    return {
        "move": move_name(report.move),
        "value": report.value,
        "depth": report.depth,
        "confidence": report.confidence,
        "solved": report.exact,
        "line": [move_name(move) for move in report.line],
        "nodes": report.nodes,
    }


def board_counts(state: Reversi) -> dict[str, list[float]]:
    """What can be counted on a board, for black and for white.

    `discs`; `moves`, the legal ones if it were that side's turn; `corners`; `stable`, discs that can never be flipped:
    there may be more of these than are found.
    """
    sides = [(state.own, state.opponent), (state.opponent, state.own)]
    if state.turn:
        sides.reverse()
    words = [(np.uint64(own), np.uint64(opponent)) for own, opponent in sides]
    return {
        "discs": [float(popcount(own)) for own, _ in words],
        "moves": [float(popcount(moves(own, opponent))) for own, opponent in words],
        "corners": [float(popcount(own & CORNERS)) for own, _ in words],
        "stable": [float(popcount(stable_discs(own, opponent, edge_table()))) for own, opponent in words],
    }


def notes(analysis: Analysis) -> list[str]:
    """What is to be said about the game besides its moves, as sentences."""
    record, found = analysis.record, []
    if analysis.end is not None:
        end = analysis.end
        found.append(
            f"the game ends early, after {len(record.moves)} moves, with {empty_squares(record.final)} empty squares; "
            f"{NAMES[record.final.turn]} is to move, and the best move is {move_name(end.move)}, {end.value:+}"
        )
    if record.doubt:
        found.append(record.doubt)
    if missing := len(record.moves) - len(analysis.moves):
        found.append(f"stopped: the first {missing} moves have not been analysed")
    return found
