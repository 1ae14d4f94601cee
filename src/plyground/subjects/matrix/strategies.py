"""Strategies for a game of two moves that is played again and again: tit for tat and its friends.

A strategy is a function of what has happened so far (`Past`); it answers `COOPERATE` or `DEFECT`. It sees what was
really played, its own slips included. Papers are named where a strategy has one; many are Axelrod's (1984).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from plyground.errors import UnknownName, suggestion

__all__ = ["COOPERATE", "DEFECT", "STRATEGIES", "Past", "Strategy", "find_strategy"]

COOPERATE, DEFECT = 0, 1


@dataclass
class Past:
    """What a strategy knows: its own moves and the other's, how many rounds there are in all (None if nobody knows).

    `chance` has random numbers of its own. `payoffs[mine][theirs]` is what a round pays.
    """

    payoffs: tuple[tuple[float, float], tuple[float, float]]
    rounds: int | None
    chance: random.Random
    mine: list[int] = field(default_factory=list)
    theirs: list[int] = field(default_factory=list)
    notes: dict[str, Any] = field(default_factory=dict)

    def coin(self, probability: float) -> bool:
        """Whether something of this probability happens."""
        return self.chance.random() < probability


Rule = Callable[[Past], int]


@dataclass(frozen=True)
class Strategy:
    """A name, one sentence, and the rule."""

    name: str
    about: str
    rule: Rule


def _tit_for_tat(past: Past) -> int:
    return past.theirs[-1] if past.theirs else COOPERATE


def _two_tats(past: Past) -> int:
    return DEFECT if past.theirs[-2:] == [DEFECT, DEFECT] else COOPERATE


def _two_tits(past: Past) -> int:
    return DEFECT if DEFECT in past.theirs[-2:] else COOPERATE


def _generous(past: Past) -> int:
    if not past.theirs or past.theirs[-1] == COOPERATE:
        return COOPERATE
    return COOPERATE if past.coin(1 / 3) else DEFECT


def _contrite(past: Past) -> int:
    """Standing (Sugden 1986): whoever defects without a reason is in the wrong, and accepts the answer."""
    standing = past.notes.setdefault("standing", [True, True])
    if past.mine:
        before = list(standing)
        for player, move in enumerate((past.mine[-1], past.theirs[-1])):
            # A defection is justified against somebody in the wrong by somebody in good standing.
            standing[player] = move == COOPERATE or (before[player] and not before[1 - player])
    return DEFECT if standing[0] and not standing[1] else COOPERATE


def _grim(past: Past) -> int:
    if past.theirs and past.theirs[-1] == DEFECT:
        past.notes["angry"] = True
    return DEFECT if past.notes.get("angry") else COOPERATE


def _pavlov(past: Past) -> int:
    if not past.mine:
        return COOPERATE
    return COOPERATE if past.mine[-1] == past.theirs[-1] else DEFECT


def _majority(past: Past) -> int:
    return DEFECT if 2 * _defections(past) > len(past.theirs) else COOPERATE


def _hard_majority(past: Past) -> int:
    return DEFECT if 2 * _defections(past) >= len(past.theirs) else COOPERATE


def _defections(past: Past) -> int:
    if past.theirs:
        past.notes["defections"] = past.notes.get("defections", 0) + past.theirs[-1]
    return int(past.notes.get("defections", 0))


def _gradual(past: Past) -> int:
    """The n-th provocation is answered by n defections and two cooperations (Beaufils, Delahaye, Mathieu 1996)."""
    notes = past.notes
    plan: list[int] = notes.setdefault("plan", [])
    if not plan and past.theirs and past.theirs[-1] == DEFECT:
        notes["provoked"] = notes.get("provoked", 0) + 1
        plan.extend([DEFECT] * notes["provoked"] + [COOPERATE] * 2)
    return plan.pop(0) if plan else COOPERATE


def _joss(past: Past) -> int:
    if past.theirs and past.theirs[-1] == DEFECT:
        return DEFECT
    return DEFECT if past.coin(0.1) else COOPERATE


def _prober(past: Past) -> int:
    opening = [DEFECT, COOPERATE, COOPERATE]
    if len(past.mine) < len(opening):
        return opening[len(past.mine)]
    if past.theirs[1:3] == [COOPERATE, COOPERATE]:
        return DEFECT
    return past.theirs[-1]


def _tester(past: Past) -> int:
    if not past.mine:
        return DEFECT
    if DEFECT in past.theirs[1:2]:
        past.notes["caught"] = True
    if past.notes.get("caught"):
        return COOPERATE if len(past.mine) == 2 else past.theirs[-1]
    return COOPERATE if len(past.mine) in (1, 2) else len(past.mine) % 2


def _detective(past: Past) -> int:
    opening = [COOPERATE, DEFECT, COOPERATE, COOPERATE]
    if len(past.mine) < len(opening):
        return opening[len(past.mine)]
    return past.theirs[-1] if DEFECT in past.theirs[:4] else DEFECT


def _extortionate(past: Past) -> int:
    """The zero-determinant strategy Extort-2 of Press and Dyson (2012), for the payoffs 5, 3, 1, 0."""
    if not past.mine:
        return COOPERATE
    chance = ((8 / 9, 1 / 2), (1 / 3, 0.0))[past.mine[-1]][past.theirs[-1]]
    return COOPERATE if past.coin(chance) else DEFECT


def _last_word(past: Past) -> int:
    """Tit for tat by somebody who knows when it ends: nobody can answer the last defection."""
    if past.rounds is not None and len(past.mine) == past.rounds - 1:
        return DEFECT
    return _tit_for_tat(past)


def _backward(past: Past) -> int:
    """Backward induction: the last round is a one-shot game, so is then the one before, and so on."""
    return _tit_for_tat(past) if past.rounds is None else DEFECT


_ALL = (
    Strategy("tit-for-tat", "cooperates first, then does what the other did last (Rapoport)", _tit_for_tat),
    Strategy("generous", "tit for tat that forgives a defection one time in three (Nowak and Sigmund 1992)", _generous),
    Strategy("contrite", "tit for tat that accepts punishment for its own slips (Sugden 1986)", _contrite),
    Strategy("two-tats", "defects only after two defections in a row", _two_tats),
    Strategy("two-tits", "answers each defection with two", _two_tits),
    Strategy("suspicious", "tit for tat that defects first", lambda past: past.theirs[-1] if past.theirs else DEFECT),
    Strategy("pavlov", "win, stay; lose, shift: cooperates if both did the same (Nowak and Sigmund 1993)", _pavlov),
    Strategy("grim", "cooperates until the other defects once, then never again (Friedman 1971)", _grim),
    Strategy("gradual", "answers the n-th provocation with n defections, then makes peace", _gradual),
    Strategy("majority", "does what the other has done more often, cooperation if equal", _majority),
    Strategy("hard-majority", "the same, but defection if equal", _hard_majority),
    Strategy("joss", "tit for tat that defects one time in ten for no reason", _joss),
    Strategy("prober", "defects first; exploits whoever does not answer, else tit for tat", _prober),
    Strategy("tester", "defects first; apologises if answered, else defects every other time", _tester),
    Strategy("detective", "tries one defection early; exploits whoever does not answer, else tit for tat", _detective),
    Strategy(
        "extortionate", "takes the larger share of whatever cooperation brings (Press and Dyson 2012)", _extortionate
    ),
    Strategy("last-word", "tit for tat, but defects in the last round if it is known", _last_word),
    Strategy("backward", "always defects if the end is known, else tit for tat", _backward),
    Strategy("cooperate", "always cooperates", lambda past: COOPERATE),
    Strategy("defect", "always defects", lambda past: DEFECT),
    Strategy("alternate", "cooperates and defects by turns", lambda past: len(past.mine) % 2),
    Strategy("random", "tosses a coin", lambda past: DEFECT if past.coin(0.5) else COOPERATE),
)
STRATEGIES = {strategy.name: strategy for strategy in _ALL}
"""The strategies by name."""


def find_strategy(name: str) -> Strategy:
    """The strategy of a name."""
    if name not in STRATEGIES:
        raise UnknownName(f"there is no strategy '{name[:40]}'{suggestion(name, STRATEGIES)}")
    return STRATEGIES[name]
