"""The analysis of a game: what every move was worth, what would have been better, and how well each side played.

    >>> from plyground.formats import read_board, read_transcript
    >>> start = read_board("XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X")
    >>> analysis = analyse(read_transcript("g6h5f6h8h6h7", start), Engine())
    >>> [(move_name(move.action), move.value, move.loss) for move in analysis.moves[:3]]
    [('g6', -2, 8), ('h5', 2, 0), ('f6', -2, 0)]
    >>> analysis.moves[0].verdict.value, analysis.moves[0].spoiled
    ('mistake', 'win to loss')

The game is gone through from its end to its beginning with one engine, whose table then knows what the moves led to.
Endings are solved. Values are in discs for the player who makes the move; squares left empty go to the winner.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from plyground.core.limits import Interrupted, Limit
from plyground.core.rules import actions
from plyground.engines.reversi.engine import Engine, Report
from plyground.formats.record import Record, Result
from plyground.games.lattice import cell_name
from plyground.games.reversi import PASS, Reversi
from plyground.native.bits import popcount

__all__ = [
    "DEFAULT_DEPTH",
    "SOLVED_FROM",
    "Analysis",
    "JudgedMove",
    "Verdict",
    "analyse",
    "annotated",
    "empty_squares",
    "move_name",
]

DEFAULT_DEPTH = 16
SOLVED_FROM = 20
"""With this many empty squares or fewer a position is solved, whatever the limit."""
HALVING_LOSS = 6.0
"""A loss of this many discs halves the accuracy of a move."""


class Verdict(enum.Enum):
    """What to call a move, by how many discs it loses against the best one; the value is its name for people."""

    FORCED = "forced"
    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def is_mistake(self) -> bool:
        """Whether it is an inaccuracy or worse."""
        return self in LEAST_LOSS

    @property
    def sign(self) -> str:
        """How it is written behind a move: ``?!``, ``?`` or ``??``, and nothing for what is not a mistake."""
        return {Verdict.INACCURACY: "?!", Verdict.MISTAKE: "?", Verdict.BLUNDER: "??"}.get(self, "")


LEAST_LOSS = {Verdict.INACCURACY: 3, Verdict.MISTAKE: 6, Verdict.BLUNDER: 12}
"""The fewest discs that a move of this verdict loses."""


def verdict(loss: int, choices: int) -> Verdict:
    """What to call a move that loses `loss` discs, where there were `choices` moves to choose from."""
    if choices == 1:
        return Verdict.FORCED
    found = Verdict.GOOD if loss else Verdict.BEST
    for name, least in LEAST_LOSS.items():
        if loss >= least:
            found = name
    return found


@dataclass(frozen=True)
class JudgedMove:
    """A move of a game, and what it was worth.

    `index` is its place in the record, from 0; `state` the position it was made in, and `choices` the number of legal
    moves there. `best` is the best move, whose value is what the position is worth to the side to move; `value` is what
    the move that was played is worth to the same side. Where the two are not proven they were searched to the same
    depth. `lines` are the best moves, the best first, as many as were asked for.
    """

    index: int
    action: int
    state: Reversi
    choices: int
    value: int
    best: Report
    lines: tuple[Report, ...] = ()

    @property
    def player(self) -> int:
        """Who made it: 0 is black, 1 white."""
        return self.state.turn

    @property
    def loss(self) -> int:
        """By how many discs the best move is better."""
        return self.best.value - self.value

    @property
    def verdict(self) -> Verdict:
        return verdict(self.loss, self.choices)

    @property
    def solved(self) -> bool:
        """Whether its values are proven."""
        return self.best.exact

    @property
    def spoiled(self) -> str:
        """``win to loss``, ``win to draw`` or ``draw to loss`` if the move is proven to have changed the outcome."""
        if not self.solved or _outcome(self.best.value) == _outcome(self.value):
            return ""
        return f"{_outcome(self.best.value)} to {_outcome(self.value)}"


@dataclass(frozen=True)
class Analysis:
    """A game with all its moves judged.

    `end` is what the last position is worth: a search of it, or None if the game is over there. `moves` are in the
    order of the game; of an analysis that was broken off, the last ones alone.
    """

    record: Record
    moves: tuple[JudgedMove, ...]
    end: Report | None

    @property
    def values(self) -> tuple[tuple[int, int], ...]:
        """What the positions are worth to black: pairs of the number of moves made, and discs."""
        found = [(move.index, _to_black(move.best.value, move.player)) for move in self.moves]
        score = self.record.score
        if score is None:
            assert self.end is not None
            score = _to_black(self.end.value, self.record.final.turn)
        return (*found, (len(self.record.moves), score))

    @property
    def mistakes(self) -> tuple[JudgedMove, ...]:
        """The inaccuracies, mistakes and blunders, the greatest loss first."""
        return tuple(sorted((move for move in self.moves if move.verdict.is_mistake), key=lambda move: -move.loss))

    @property
    def solved_from(self) -> int | None:
        """The number of moves made from which on all positions are solved; None if the last one is not."""
        if self.end is not None and not self.end.exact:
            return None
        first = len(self.record.moves)
        for move in reversed(self.moves):
            if not move.solved:
                break
            first = move.index
        return first

    def decisions(self, player: int) -> tuple[JudgedMove, ...]:
        """The moves of a player (0 black, 1 white) who had a choice."""
        return tuple(move for move in self.moves if move.player == player and move.choices > 1)

    def count(self, player: int, name: Verdict) -> int:
        """How many moves of a player have this verdict."""
        return sum(move.player == player and move.verdict is name for move in self.moves)

    def mean_loss(self, player: int) -> float | None:
        """Discs that a player lost a move, where there was a choice; None if there never was one."""
        losses = [move.loss for move in self.decisions(player)]
        return sum(losses) / len(losses) if losses else None

    def accuracy(self, player: int) -> float | None:
        """From 0 to 100: the mean, over a player's decisions, of 100 * 2^(-loss / 6); None if there were none."""
        shares = [100.0 * 2.0 ** (-move.loss / HALVING_LOSS) for move in self.decisions(player)]
        return sum(shares) / len(shares) if shares else None


def analyse(
    record: Record,
    engine: Engine,
    limit: Limit | None = None,
    *,
    solved_from: int = SOLVED_FROM,
    lines: int = 0,
    on_move: Callable[[JudgedMove], None] | None = None,
) -> Analysis:
    """Judge every move of a game, each within the limit (16 plies if there is none), from the last to the first.

    Positions with `solved_from` empty squares or fewer are solved, however long that takes. With `lines` all moves
    of each position are searched, which takes several times as long, and this many of the best are kept. `on_move` is
    called with each move when it is judged, and may raise to end the analysis.

    Ctrl-C raises `Interrupted` with the analysis of the moves that were judged until then.
    """
    limit = limit or Limit(depth=DEFAULT_DEPTH)
    states = record.states()
    end: Report | None = None
    judged: list[JudgedMove] = []
    try:
        if not record.finished:
            end = engine.search(states[-1], _limit_at(states[-1], limit, solved_from))
        following = end
        for index in reversed(range(len(record.moves))):
            allowed = _limit_at(states[index], limit, solved_from)
            move = _judge(record, index, states, following, engine, allowed, lines)
            judged.append(move)
            following = move.best
            if on_move:
                on_move(move)
    except KeyboardInterrupt:
        if end is None and not record.finished:
            raise
        raise Interrupted(Analysis(record, tuple(reversed(judged)), end)) from None
    return Analysis(record, tuple(reversed(judged)), end)


def annotated(analysis: Analysis) -> Record:
    """The game with the values of its moves as evaluations, and with its result if the game came to an end."""
    record = analysis.record
    evaluations: list[float | None] = [None] * len(record.moves)
    for move in analysis.moves:
        evaluations[move.index] = float(move.value)
    result = record.result
    if result is None and record.score is not None:
        result = Result(float(record.score))
    return replace(record, evaluations=tuple(evaluations), result=result)


def empty_squares(state: Reversi) -> int:
    """How many squares are empty on the 8x8 board."""
    return 64 - popcount(state.own | state.opponent)


def move_name(move: int) -> str:
    """A move as people write it: ``f5``, or ``pass``."""
    return "pass" if move == PASS else cell_name(move // 8, move % 8)


# Judging one move -------------------------------------------------------------------------------------------------


def _limit_at(state: Reversi, limit: Limit, solved_from: int) -> Limit:
    return Limit() if empty_squares(state) <= solved_from else limit


def _judge(
    record: Record,
    index: int,
    states: Sequence[Reversi],
    following: Report | None,
    engine: Engine,
    limit: Limit,
    lines: int,
) -> JudgedMove:
    """The move at this index; `following` is the best move of the position after it, None where the game is over."""
    state, after, action = states[index], states[index + 1], record.moves[index]
    choices = len(actions(state))
    if choices == 1:
        best = _forced(action, record, following)
        return JudgedMove(index, action, state, choices, best.value, best, (best,) if lines else ())
    if lines:
        reports = engine.score_moves(state, limit)
        value = next(report.value for report in reports if report.move == action)
        return JudgedMove(index, action, state, choices, value, reports[0], reports[:lines])
    best = engine.search(state, limit)
    if action == best.move:
        value = best.value
    elif following is None:
        value = _final_value(record, state.turn)
    elif best.exact and following.exact:
        value = -following.value
    else:
        same = Limit(time=limit.time, depth=max(1, best.depth - (action != PASS)))
        value = -engine.search(after, same).value
    if value >= best.value and action != best.move:  # as good, or better than what the first search has seen
        rest = () if following is None else following.line
        best = replace(best, move=action, value=value, line=(action, *rest))
    return JudgedMove(index, action, state, choices, value, best)


def _forced(action: int, record: Record, following: Report | None) -> Report:
    """The only move: it is worth what it leads to."""
    if following is None:
        value = _final_value(record, 1 - record.final.turn)
        return Report(action, value, 1, "100%", True, (action,), 0, 0.0)
    depth = following.depth + (action != PASS)
    return replace(
        following, move=action, value=-following.value, depth=depth, line=(action, *following.line), nodes=0, time=0.0
    )


def _final_value(record: Record, player: int) -> int:
    """The score of a finished game for a player."""
    assert record.score is not None
    return _to_black(record.score, player)


def _to_black(value: int, player: int) -> int:
    """A value for a player as one for black, and the other way round."""
    return -value if player else value


def _outcome(value: int) -> str:
    return "win" if value > 0 else "loss" if value < 0 else "draw"
