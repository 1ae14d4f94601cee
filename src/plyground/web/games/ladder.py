"""A visitor's ladder of a game: its measured opponents as rungs, and where the visitor stands among them.

A game counts for it only if it was begun as a rated one. Then everything is as it was when the opponents were measured:
the usual rules from the beginning, no clock, sides that alternate; and nothing is taken back or hinted. The rating is
Glicko-2's, with one game as a rating period. Everybody begins at the bottom, where whoever plays at random is, with a
deviation that lets a strong player be far above after a few games: nobody is rated high for having lost to the best.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from plyground.arena.glicko import Belief, updated
from plyground.web.server.opponents import Strength, measured
from plyground.web.server.refusals import Refusal

if TYPE_CHECKING:
    from plyground.web.games.live import LiveGame

__all__ = ["Climb", "check_rated", "counted", "ladder_facts", "standing_facts"]

CONFIDENCE = 1.96
"""Standard deviations in half of a 95% interval."""
ENOUGH = 2.0
"""Points against an opponent after which it is behind you: a win is one, a draw half of one."""
BOTTOM = 0.0
"""The rating of whoever plays at random, the anchor of what was measured."""
HUMAN = "human"


class Climb(NamedTuple):
    """A rated game that has ended, as it is kept: the visitor's seat and score, and the rating after it."""

    id: str
    ended: float
    seat: int
    opponent: str
    score: float
    rating: float
    deviation: float
    volatility: float


def check_rated(game: str, players: Sequence[str], *, as_measured: bool) -> str:
    """The opponent of a rated game of these; `Refusal` if it cannot be one. `as_measured`: nothing else is special."""
    rungs = measured().get(game.strip(), {})
    if not rungs:
        raise Refusal(422, f"{game.strip()[:40]}: nobody is rated in this game; play it unrated", "unrated")
    others = [player.strip() for player in players if player.strip() != HUMAN]
    if len(players) != 2 or len(others) != 1 or others[0] not in rungs:
        raise Refusal(422, "a rated game is one person against an opponent whose rating was measured", "unrated")
    if not as_measured:
        raise Refusal(
            422, "a rated game has no clock, no seed, no board and no moves; who begins is the server's: first=lot",
            "unrated",
        )  # fmt: skip
    return others[0]


def counted(game: LiveGame, before: Sequence[Climb], now: float) -> Climb | None:
    """What a rated game that is over does to the rating of its visitor; None if it does not count.

    An opponent that fails, or is too slow, has not been beaten: such a game does not count.
    """
    over = game.over
    assert over is not None
    seat = game.players.index(HUMAN)
    opponent = game.players[1 - seat]
    strength = measured().get(game.spec, {}).get(opponent)
    unmanned = over["loser"] == 1 - seat and over["why"] != "resigns"
    if strength is None or unmanned:
        return None
    score = 0.5 if over["winner"] is None else float(over["winner"] == seat)
    belief = Belief(*before[-1][-3:]) if before else Belief(BOTTOM)
    after = updated(belief, [(strength.elo, strength.deviation, score)])
    return Climb(game.id, now, seat, opponent, score, after.rating, after.deviation, after.volatility)


def standing_facts(climbs: Sequence[Climb]) -> dict[str, Any] | None:
    """Where somebody stands, for the pages; None before the first game. `change` is what the last game has done."""
    if not climbs:
        return None
    last = climbs[-1]
    change = round(last.rating) - round(climbs[-2].rating) if len(climbs) > 1 else None
    error = round(CONFIDENCE * last.deviation)
    return {"rating": round(last.rating), "error": error, "games": len(climbs), "change": change}


def ladder_facts(game: str, climbs: Sequence[Climb], unfinished: str | None) -> dict[str, Any]:
    """The ladder for the pages, the weakest rung first.

    A rung is `behind` somebody who has two points against it, or is rated above it with 95% confidence. `next` is the
    lowest one that is not.
    """
    rungs = [_rung(spec, strength, climbs) for spec, strength in _in_order(measured().get(game, {}))]
    return {
        "game": game,
        "rungs": rungs,
        "you": standing_facts(climbs),
        "history": [
            {"rating": round(one.rating), "error": round(CONFIDENCE * one.deviation), "opponent": one.opponent,
             "score": one.score, "ended": one.ended}
            for one in climbs
        ],
        "next": next((rung["spec"] for rung in rungs if not rung["behind"]), None),
        "unfinished": unfinished,
    }  # fmt: skip


def _in_order(rungs: dict[str, Strength]) -> list[tuple[str, Strength]]:
    return sorted(rungs.items(), key=lambda one: one[1].place)


def _rung(spec: str, strength: Strength, climbs: Sequence[Climb]) -> dict[str, Any]:
    scores = [one.score for one in climbs if one.opponent == spec]
    surely = bool(climbs) and climbs[-1].rating - CONFIDENCE * climbs[-1].deviation > strength.elo
    return {
        "spec": spec,
        **strength._asdict(),
        "points": sum(scores),
        "met": len(scores),
        "behind": sum(scores) >= ENOUGH or surely,
    }
