"""Backgammon, with the doubling cube and the score of a match, on the usual board or on a small one.

A turn is one action, a whole play: with two dice lower_first * 1024 + p * 32 + q, the man on point p moving by the
larger die and the one on q by the smaller one, or the other way round if lower_first is 1; with doubles the number of
p >= q >= r >= s in a list of all such points, 0 to 23750. 0 for a point means no man, the action 0 that none can move.
Points are numbered from the player's own home, 25 is the bar. What the numbers mean depends on the roll, which is part
of the state: so all games, of whatever length, get by with 23,751 of them. Of several plays that lead to one
position only one is legal, so that a search never looks at a position twice and a player at random prefers none;
which one it is, `moves` says. Any way of writing a play is understood.

Why whole turns? A man at a time would be up to four actions of one player in a row. Then a search to depth 2 would see
half an answer, tables would hold unfinished turns, and what is legal now would depend on what can be played after it.

Before each play chance throws the dice: its actions are 8 * larger die + smaller die, each double with 1/36, the others
with 2/36. At the start of the game 15 rolls are possible, since a double is thrown again; the first player begins.

With the cube a player who may double chooses before the roll: 0 to roll, 1 to double. The other one answers: 0 to take,
1 to pass. These are actions like others.

A match is one game of the library: when a game of it ends, the men stand again as at the start, and the score has
grown.
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.core.rules import CHANCE, parse_action
from plyground.errors import BadOption, FormatError, IllegalAction
from plyground.games.backgammon.board import (
    ANSWERING,
    CRAWFORD,
    CUBE,
    DOUBLING,
    JACOBY,
    LARGEST_CUBE,
    MOVING,
    NO_OWNER,
    OPENING,
    OVER,
    PAST_CRAWFORD,
    ROLLING,
    WHOLE,
    Backgammon,
    Men,
    added,
    count_men,
    men_on,
    occupied,
    own_men,
    pips,
)
from plyground.games.backgammon.cube import (
    LONGEST_MATCH,
    UNEARNED,
    awarded,
    may_double,
    points_won,
    winner_of,
    worth,
)
from plyground.games.backgammon.moves import DOUBLE_PLAYS, after_play, drawn_play, list_plays, most_plays
from plyground.games.backgammon.notation import (
    BEFORE_ROLL,
    NO_MEN,
    TO_A_DOUBLE,
    match_id,
    play_text,
    position_id,
    read_ids,
    read_play,
)
from plyground.games.backgammon.picture import SEATS, board_svg, board_text
from plyground.native.bits import mix64
from plyground.native.randomness import random_below
from plyground.pictures.board import svg

__all__ = ["Backgammon", "backgammon"]

STANDARD = np.array([[24, 2], [13, 5], [8, 3], [6, 5]])
"""Where a side's fifteen men stand at the start, and how many."""
ROLL, DOUBLE = 0, 1
TAKE, PASS = 0, 1
MIXED_ROLLS = np.array([larger << 3 | smaller for larger in range(2, 7) for smaller in range(1, larger)])
"""The rolls of two different dice, those of dice with fewer faces first."""
PAIR = np.array([0.0, *(1 / faces**2 for faces in range(1, 7))])
FIRST_PAIR = np.array([0.0, 0.0, *(1 / (faces * (faces - 1)) for faces in range(2, 7))])
"""How likely one die and then the other are, by their number of faces; at the start they differ."""
THROWS = np.array([[max(a, b) << 3 | min(a, b) for b in range(1, 7)] for a in range(1, 7)])
"""The roll that two dice make."""


@rules.to_move.rule(Backgammon)
def _(state: Backgammon) -> int:
    if state.phase in (OPENING, ROLLING):
        return CHANCE
    return 1 - state.turn if state.phase == ANSWERING else state.turn


@rules.max_actions.rule(Backgammon)
def _(state: Backgammon) -> int:
    return most_plays(state.men, state.faces)


@rules.distinct_actions.rule(Backgammon)
def _(state: Backgammon) -> int:
    return DOUBLE_PLAYS


@rules.legal_actions.rule(Backgammon)
def _(state: Backgammon, out: Any) -> int:
    if state.phase == MOVING:
        return list_plays(state, out)
    if state.phase == OVER:
        return 0
    if state.phase in (DOUBLING, ANSWERING):
        out[0], out[1] = 0, 1
        return 2
    count = state.faces * (state.faces - 1) // 2
    for i in range(count):
        out[i] = MIXED_ROLLS[i]
    if state.phase == OPENING:
        for i in range(count):
            out[count + i] = (MIXED_ROLLS[i] & 7) << 3 | MIXED_ROLLS[i] >> 3
        return 2 * count
    for larger in range(1, state.faces + 1):
        out[count] = 9 * larger
        count += 1
    return count


@rules.terminal.rule(Backgammon)
def _(state: Backgammon) -> bool:
    return state.phase == OVER


@rules.probability.rule(Backgammon)
def _(state: Backgammon, action: int) -> float:
    if state.phase == OPENING:
        return FIRST_PAIR[state.faces]  # type: ignore[no-any-return]
    even = PAIR[state.faces]
    return even if action >> 3 == action & 7 else 2.0 * even  # type: ignore[no-any-return]


@rules.drawn_action.rule(Backgammon)
def _(state: Backgammon, out: Any, rng: Any) -> int:
    if state.phase == MOVING:
        return drawn_play(state, out, rng)
    if state.phase == OVER:
        return -1
    if state.phase in (DOUBLING, ANSWERING):
        return random_below(rng, 2)
    if state.phase == OPENING:
        one, other = random_below(rng, state.faces), random_below(rng, state.faces - 1)
        return (one + 1) << 3 | (other + 1 if other < one else other + 2)
    both = random_below(rng, state.faces * state.faces)
    return THROWS[both // state.faces, both % state.faces]  # type: ignore[no-any-return]


def at_start(state: Backgammon) -> Men:
    """A side's men at the start of a game: fifteen as usual, others one each on the furthest points."""
    men = (0, 0, 0, 0)
    if state.men < 15:
        return ((((1 << state.men) - 1) << (state.points - state.men + 1)), 0, 0, 0)
    for k in range(len(STANDARD)):
        for _ in range(STANDARD[k, 1]):
            men = added(men, STANDARD[k, 0])
    return men


def after_game(state: Backgammon) -> Backgammon:
    """What comes after a game has ended: nothing, or the next game of the match."""
    if state.rules & WHOLE == 0:
        return state
    points, winner = state.cube * points_won(state), winner_of(state)
    mine, other = state.scores
    mine, other = (mine + points, other) if winner == 0 else (mine, other + points)
    if max(mine, other) >= state.length:
        return state
    held = state.rules
    if held & CRAWFORD:
        held += PAST_CRAWFORD - CRAWFORD
    elif held & PAST_CRAWFORD == 0 and max(mine, other) == state.length - 1:
        held |= CRAWFORD
    men = at_start(state)
    return Backgammon(
        men, men, 0, OPENING, 0, 1, NO_OWNER, state.length, (mine, other), held, state.points, state.men, state.faces
    )


def with_cube(state: Backgammon, phase: int, cube: int, owner: int) -> Backgammon:
    """The state with another cube, and something else to come."""
    return Backgammon(
        state.first, state.second, state.turn, phase, 0, cube, owner, state.length, state.scores, state.rules,
        state.points, state.men, state.faces,
    )  # fmt: skip


def with_phase(state: Backgammon, first: Men, second: Men, turn: int, phase: int, roll: int) -> Backgammon:
    """The state with other men, another turn and something else to come; the stake stays."""
    return Backgammon(
        first, second, turn, phase, roll, state.cube, state.owner, state.length, state.scores, state.rules,
        state.points, state.men, state.faces,
    )  # fmt: skip


@rules.result.rule(Backgammon)
def _(state: Backgammon, action: int) -> Backgammon:
    if state.phase == MOVING:
        mine, other = after_play(state, action)
        first, second = (mine, other) if state.turn == 0 else (other, mine)
        if occupied(mine) == 0:
            return after_game(with_phase(state, first, second, state.turn, OVER, 0))
        after = with_phase(state, first, second, 1 - state.turn, ROLLING, 0)
        return with_phase(after, first, second, after.turn, DOUBLING, 0) if may_double(after) else after
    if state.phase == DOUBLING:
        phase = ANSWERING if action == DOUBLE else ROLLING
        return with_phase(state, state.first, state.second, state.turn, phase, 0)
    if state.phase == ANSWERING:
        if action == PASS:
            return after_game(with_phase(state, state.first, state.second, state.turn, OVER, 0))
        return with_cube(state, ROLLING, 2 * state.cube, 1 - state.turn)
    if state.phase == OPENING and action >> 3 < action & 7:
        return with_phase(state, state.first, state.second, 1, MOVING, (action & 7) << 3 | action >> 3)
    turn = 0 if state.phase == OPENING else state.turn
    return with_phase(state, state.first, state.second, turn, MOVING, action)


@rules.score.rule(Backgammon)
def _(state: Backgammon, player: int) -> float:
    """The points that the game counts, cube included."""
    points = float(state.cube * points_won(state))
    return points if winner_of(state) == player else -points


@rules.utility.rule(Backgammon)
def _(state: Backgammon, player: int) -> float:
    points = state.cube * points_won(state)
    value = awarded(state, points if winner_of(state) == 0 else -points)
    return value if player == 0 else -value


@rules.evaluation.rule(Backgammon)
def _(state: Backgammon) -> float:
    """As if it were a race alone: the chance of whoever is ahead in pips, half a roll counted for whose turn it is."""
    first, second = pips(state.first), pips(state.second)
    half = 0.0 if state.phase == OPENING else 4.0
    ahead = second - first + (half if state.turn == 0 else -half)
    chance = 1.0 / (1.0 + math.exp(-ahead / (3.0 + 0.07 * (first + second))))
    value = worth(state, chance)
    if state.phase == ANSWERING:
        taken = worth(with_cube(state, ROLLING, 2 * state.cube, 1 - state.turn), chance)
        passed = awarded(state, state.cube if state.turn == 0 else -state.cube)
        value = min(taken, passed) if state.turn == 0 else max(taken, passed)
        return -value if state.turn == 0 else value
    return value if state.turn == 0 else -value


@rules.state_hash.rule(Backgammon)
def _(state: Backgammon) -> Any:
    """Without what stays the same throughout a game."""
    word = mix64((state.first[0] | state.first[1] << 32) ^ 0x1E3779B97F4A7C15)
    word = mix64(word ^ mix64(state.first[2] | state.first[3] << 32))
    word = mix64(word ^ mix64((state.second[0] | state.second[1] << 32) ^ 0x2545F4914F6CDD1D))
    word = mix64(word ^ mix64(state.second[2] | state.second[3] << 32))
    rest = state.turn | state.phase << 1 | state.roll << 4 | (state.owner + 1) << 11 | state.cube << 13
    return mix64(word ^ mix64(rest))


@rules.viewer.rule(Backgammon)
def _(state: Backgammon) -> int:
    """Who plays, or is about to throw; who answers a double."""
    return 1 - state.turn if state.phase == ANSWERING else state.turn


@rules.planes_shape.rule(Backgammon)
def _(state: Backgammon) -> tuple[int, int, int]:
    return (8 * state.points + 6 + state.faces + 6, 1, 1)


@rules.planes.rule(Backgammon)
def _(state: Backgammon, out: Any) -> None:
    """Tesauro's inputs, 198 on the usual board; then the dice, the cube and the score, zero before a roll for money.

    For the player who plays, throws or answers, then for the other, for each point whether there are 1, 2, 3 men at
    least, and half of how many more; then half of the men on the bar, and the share of those borne off. Two more say
    whose turn it is.
    """
    at = 0
    mover = 1 - state.turn if state.phase == ANSWERING else state.turn
    for side in range(2):
        men = own_men(state, mover if side == 0 else 1 - mover)
        for point in range(1, state.points + 1):
            number = men_on(men, point)
            for least in range(1, 4):
                out[at, 0, 0] = 1.0 if number >= least else 0.0
                at += 1
            out[at, 0, 0] = (number - 3) / 2.0 if number > 3 else 0.0
            at += 1
        out[at, 0, 0] = men_on(men, state.points + 1) / 2.0
        out[at + 1, 0, 0] = (state.men - count_men(men)) / state.men
        at += 2
    out[at, 0, 0] = 1.0
    at += 2
    if state.roll:
        out[at + (state.roll >> 3) - 1, 0, 0] += 1.0
        out[at + (state.roll & 7) - 1, 0, 0] += 1.0
    at += state.faces
    out[at, 0, 0] = math.log2(state.cube) / 6.0
    out[at + 1, 0, 0] = 1.0 if state.owner == mover else 0.0
    out[at + 2, 0, 0] = 1.0 if state.owner == 1 - mover else 0.0
    out[at + 3, 0, 0] = 1.0 if state.phase == ANSWERING else 0.0
    out[at + 4, 0, 0] = (state.length - state.scores[mover]) / 25.0
    out[at + 5, 0, 0] = (state.length - state.scores[1 - mover]) / 25.0


# What people write and see ---------------------------------------------------------------------------------------


@rules.action_text.rule(Backgammon)
def _(state: Backgammon, action: int) -> str:
    if state.phase == MOVING:
        return play_text(state, action)
    if state.phase == DOUBLING:
        return BEFORE_ROLL[action]
    if state.phase == ANSWERING:
        return TO_A_DOUBLE[action]
    one, other = action >> 3, action & 7
    if not 1 <= min(one, other) <= max(one, other) <= state.faces or (
        one == other if state.phase == OPENING else one < other
    ):
        raise IllegalAction(f"{action} is not the number of a roll that can be")
    return f"{one}-{other}"


@rules.parse_action.rule(Backgammon)
def _(state: Backgammon, text: str) -> int:
    if state.phase == MOVING:
        return read_play(state, text)
    if state.phase in (OPENING, ROLLING) and (digits := text.strip().replace("-", "")).isdecimal() and len(digits) == 2:
        return int(parse_action.default(state, "-".join(digits if state.phase == OPENING else sorted(digits)[::-1])))
    return int(parse_action.default(state, text))


@rules.position_code.rule(Backgammon)
def _(state: Backgammon) -> str:
    if state.phase == ROLLING and may_double(state):
        return ""  # it is decided not to double, which the IDs do not say
    return f"{position_id(state)}:{match_id(state)}"


@rules.read_position.rule(Backgammon)
def _(state: Backgammon, code: str) -> Backgammon:
    return read_ids(code, state)


@rules.text.rule(Backgammon)
def _(state: Backgammon) -> str:
    return board_text(state)


@svg.rule(Backgammon)
def _(state: Backgammon) -> str:
    return board_svg(state)


def backgammon(
    points: Annotated[int, "points of the board, a multiple of 4 up to 24; a quarter is home"] = 24,
    men: Annotated[int, "men a side: 15 as usual, others one each on the furthest points"] = 15,
    faces: Annotated[int, "faces of a die, 2 to 6"] = 6,
    cube: Annotated[bool, "with the doubling cube"] = False,
    jacoby: Annotated[bool, "gammons count only after a double (for money, with the cube)"] = False,
    match: Annotated[int, "points of a match that is played to its end, up to 25; 0: one game for money"] = 0,
    score: Annotated[tuple[int, ...], "the points that both have in the match already"] = (0, 0),
    crawford: Annotated[bool, "the first game in which somebody needs one point has no cube"] = True,
    single: Annotated[bool, "one game of the match alone, worth the chance to win it"] = False,
    position: Annotated[str, "where to begin: position ID and match ID of GNU Backgammon"] = "",
) -> Game:
    """Backgammon: bring all your men home and off the board first. Dice, and a doubling cube if you like."""
    if points % 4 or not 4 <= points <= 24:
        raise BadOption(f"backgammon: points must be a multiple of 4 from 4 to 24, not {points}")
    if not 1 <= men <= 15 or (men != 15 and men > points // 2) or (men == 15 and points < 24):
        raise BadOption(f"backgammon: men must be 1 to {points // 2}{', or 15' if points == 24 else ''}, not {men}")
    if not 2 <= faces <= 6:
        raise BadOption(f"backgammon: faces must be 2 to 6, not {faces}")
    if not 0 <= match <= LONGEST_MATCH:
        raise BadOption(f"backgammon: match must be 0 to {LONGEST_MATCH}, not {match}")
    if len(score) != 2 or not all(0 <= points_had < max(match, 1) for points_had in score):
        most = f"0 to {match - 1} each" if match else "0,0 for money"
        raise BadOption(f"backgammon: score must be two numbers, {most}, not {','.join(map(str, score))}")
    if jacoby and (match or not cube):
        raise BadOption("backgammon: jacoby=on is a rule for money with the cube; say cube=on and no match")
    held = (CUBE if cube or match else 0) | (JACOBY if jacoby else 0) | (WHOLE if match and not single else 0)
    held |= PAST_CRAWFORD if match and not crawford else CRAWFORD if match and max(score) == match - 1 else 0
    bare = Backgammon(NO_MEN, NO_MEN, 0, OPENING, 0, 1, NO_OWNER, match, (score[0], score[1]), held, points, men, faces)
    start = bare._replace(first=at_start(bare), second=at_start(bare))
    if position:
        try:
            start = read_ids(position, start)
        except FormatError as error:
            raise BadOption(f"backgammon: {error}") from None
    if single and not start.length:
        raise BadOption("backgammon: single=on needs a match that the game belongs to, such as match=7")
    if single:
        start = start._replace(rules=start.rules & ~WHOLE)
    highest = 1 if start.length else UNEARNED * (LARGEST_CUBE if start.rules & CUBE else 1)
    return Game(
        "backgammon",
        start,
        axes=Axes(chance=True),
        utilities=(-float(highest), float(highest)),
        seats=SEATS,
        opponent="expectiminimax",
        draws=bool(start.length),  # a game may end where the match stands even
    )
