"""OBF: a position a line, with scores of its moves.

    -XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; % FFO 2

The 64 squares, the side to move, the score of any moves in discs for that side at the end of the game (squares left
empty count for the winner, so scores are even), and a comment.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from plyground.core.rules import action_text, actions, refusal
from plyground.errors import FormatError, IllegalAction
from plyground.formats.board import check_board, read_board, write_board
from plyground.formats.places import OnError, read_each_line
from plyground.formats.replay import read_square
from plyground.games.reversi import PASS, Reversi
from plyground.native.dispatch import coerced

__all__ = ["ScoredPosition", "read_obf", "read_obf_lines", "write_obf"]

SCORE = re.compile(r"[+-]?[0-9]{1,3}")


@dataclass(frozen=True)
class ScoredPosition:
    """A position, the known scores of its moves, and a comment.

    `scores` are pairs of a legal action and the final difference in discs for the side to move: even, -64 to 64.
    """

    state: Reversi
    scores: tuple[tuple[int, int], ...] = ()
    comment: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", coerced(check_board(self.state)))
        object.__setattr__(self, "scores", tuple((int(action), int(score)) for action, score in self.scores))
        options = actions(self.state) if self.scores else []
        seen = set()
        for action, score in self.scores:
            if action not in options:
                named = action_text(self.state, action) if 0 <= action <= PASS else str(action)
                raise IllegalAction(refusal(self.state, f"{named} has a score, but", options))
            name = action_text(self.state, action)
            if action in seen:
                raise FormatError(f"{name} has two scores")
            if not -64 <= score <= 64:
                raise FormatError(f"the score of {name} must be between -64 and +64, not {score:+}")
            if score % 2:
                raise FormatError(f"the score of {name} must be even, because a board has 64 squares, not {score:+}")
            seen.add(action)

    @property
    def best(self) -> tuple[int, ...]:
        """The actions with the highest score; none if no score is known."""
        highest = max((score for _, score in self.scores), default=None)
        return tuple(action for action, score in self.scores if score == highest)


def read_obf(line: str) -> ScoredPosition:
    """One position; the scores and the comment may be missing."""
    content, _, comment = line.partition("%")
    board, *fields = content.split(";")
    state = read_board(board)
    scores = []
    for field in filter(str.strip, fields):
        move, colon, score = map(str.strip, field.partition(":"))
        if not colon or not SCORE.fullmatch(score):
            raise FormatError(f"{field.strip()[:20]!r} is not a move and its score, such as A2:+38")
        scores.append((read_square(move), int(score)))
    return ScoredPosition(state, tuple(scores), " ".join(comment.split()))


def read_obf_lines(
    lines: Iterable[str], source: str = "", *, on_error: OnError | None = None
) -> Iterator[ScoredPosition]:
    """A position a line, one after the other, as from an open file.

    Empty lines and lines that begin with ``%`` or ``#`` are left out. With `on_error` a line that
    cannot be read is handed to it, and reading goes on.
    """
    return read_each_line(lines, read_obf, source, on_error)


def write_obf(position: ScoredPosition) -> str:
    """The line, without a line break."""
    parts = [write_board(position.state)]
    for action, score in position.scores:
        name = "PS" if action == PASS else action_text(position.state, action).upper()
        parts.append(f"{name}:{score:+}")
    comment = " ".join(position.comment.split())
    return "; ".join(parts) + ";" + (f" % {comment}" if comment else "")
