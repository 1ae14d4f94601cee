"""What a game of backgammon is worth: points, the doubling cube, and the chances to win a match from a score.

Match equities before the Crawford game are those of Rick Janowski's formula, D being the difference in points and T
what the player behind still needs: the leader wins the match with the probability 0.5 + 0.85 D / (T + 6), at most with
that of the score with one point to go. From then on they are counted out: every game is even, GAMMONS of those won are
gammons, and the player behind doubles at once, which the leader may refuse at the start if that is better.
"""

from __future__ import annotations

import numpy as np

from plyground.games.backgammon.board import (
    CRAWFORD,
    CUBE,
    JACOBY,
    LARGEST_CUBE,
    NO_OWNER,
    PAST_CRAWFORD,
    Backgammon,
    count_men,
    homes,
    occupied,
    own_men,
)

__all__ = ["LONGEST_MATCH", "UNEARNED", "awarded", "may_double", "points_won", "winner_of", "worth"]

LONGEST_MATCH = 25
GAMMONS = 0.26
UNEARNED = 3
"""The most that a game counts, times the cube: a backgammon."""


def _past_crawford() -> list[float]:
    """The chances of a player who needs 0, 1, 2, ... points, after the Crawford game, if the other needs one."""
    chances = [1.0, 0.5]
    for away in range(2, LONGEST_MATCH + 1):
        played = 0.5 * (1 - GAMMONS) * chances[max(0, away - 2)] + 0.5 * GAMMONS * chances[max(0, away - 4)]
        chances.append(min(played, chances[away - 1]))
    return chances


def _before_crawford() -> list[list[float]]:
    """The chances of a player who needs as many points as the row says, if the other needs as many as the column."""
    behind = _past_crawford()
    size = LONGEST_MATCH + 1
    table = [[0.5] * size for _ in range(size)]
    for mine in range(size):
        for other in range(size):
            if mine == 0 or other == 0:
                table[mine][other] = 1.0 if mine == 0 else 0.0
            elif mine < other:
                one_away = 1 - 0.5 * ((1 - GAMMONS) * behind[other - 1] + GAMMONS * behind[max(0, other - 2)])
                formula = 0.5 + 0.85 * (other - mine) / (other + 6)
                table[mine][other] = one_away if mine == 1 else min(formula, one_away)
                table[other][mine] = 1 - table[mine][other]
    return table


AFTER = np.array(_past_crawford())
BEFORE = np.array(_before_crawford())


def match_equity(mine: int, other: int, past_crawford: bool) -> float:
    """How likely a player wins the match who needs `mine` points while the other needs `other`."""
    mine, other = max(mine, 0), max(other, 0)
    if past_crawford and mine > 0 and other > 0:
        if other == 1:
            return AFTER[mine]  # type: ignore[no-any-return]
        if mine == 1:
            return 1.0 - AFTER[other]  # type: ignore[no-any-return]
    return BEFORE[mine, other]  # type: ignore[no-any-return]


def may_double(state: Backgammon) -> bool:
    """Whether the player whose turn it is may double before the roll.

    Not who would win the match without: a cube that is dead for its owner is not offered.
    """
    if not state.rules & CUBE or state.rules & CRAWFORD or state.cube >= LARGEST_CUBE:
        return False
    if state.owner not in (NO_OWNER, state.turn):
        return False
    return state.length == 0 or state.length - state.scores[state.turn] > state.cube


def winner_of(state: Backgammon) -> int:
    """Who has won: the player without men on the board, or whose double was passed."""
    if occupied(state.first) == 0:
        return 0
    return 1 if occupied(state.second) == 0 else state.turn


def points_won(state: Backgammon) -> int:
    """How much the winner has won, the cube not counted: 1; 2 for a gammon, 3 for a backgammon."""
    winner = winner_of(state)
    loser = own_men(state, 1 - winner)
    if occupied(own_men(state, winner)) or count_men(loser) < state.men:
        return 1
    if state.rules & JACOBY and state.owner == NO_OWNER:
        return 1
    return 3 if occupied(loser) >> (state.points - homes(state.points) + 1) else 2


def awarded(state: Backgammon, points: int) -> float:
    """What it is worth to player 0 if the game ends with so many points for that player, or for the other if negative.

    For money these are the points themselves; in a match, the chance to win it minus the chance to lose it.
    """
    if state.length == 0:
        return float(points)
    mine, other = state.length - state.scores[0], state.length - state.scores[1]
    if points > 0:
        mine -= points
    else:
        other += points
    past = state.rules & (CRAWFORD | PAST_CRAWFORD) != 0
    return 2.0 * match_equity(mine, other, past) - 1.0


def worth(state: Backgammon, chance: float) -> float:
    """What a position is worth to player 0 who wins the game with this chance, if it ends at the present stake."""
    cube = state.cube
    return chance * awarded(state, cube) + (1.0 - chance) * awarded(state, -cube)
