"""Backgammon as people and programs write it: plays such as 8/5 6/5, and GNU Backgammon's position and match IDs.

The IDs are written from the program's manual. Of a position it says that the player on roll comes first; the program
itself puts the other one first, and so do we.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections import Counter
from functools import lru_cache

from plyground.core.rules import refusal
from plyground.errors import FormatError, IllegalAction, ImpossibleBoard, UnreadableAction
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
    count_men,
    homes,
    men_on,
    mirrored,
    occupied,
    own_men,
    placed,
)
from plyground.games.backgammon.moves import LOWER_FIRST, NO_PLAY, list_plays, most_plays, play_points

__all__ = [
    "BEFORE_ROLL", "TO_A_DOUBLE", "all_plays", "match_id", "play_text", "position_id", "read_ids", "read_play", "steps",
]  # fmt: skip

NO_MEN: Men = (0, 0, 0, 0)
BEFORE_ROLL = ("roll", "double")
TO_A_DOUBLE = ("take", "pass")
SHOWN = 90
"""How much of a text a refusal repeats."""
ZONES = 25
"""Points and bar in a position ID."""
LONGEST_MATCH = 25


# Plays -----------------------------------------------------------------------------------------------------------


def all_plays(state: Backgammon) -> list[int]:
    """The numbers of all plays of the roll."""
    out = [0] * most_plays(state.men, state.faces)
    return [int(play) for play in out[: list_plays(state, out)]]


def steps(state: Backgammon, action: int) -> list[tuple[int, int]]:
    """The steps of a play, each from a point to another or to 0, in its order."""
    larger, smaller = divmod(int(state.roll), 8)
    lower_first = larger != smaller and bool(action >> LOWER_FIRST & 1)
    sources = play_points(action, larger == smaller)
    dice = [smaller if lower_first == (k == 0) else larger for k in range(4)]
    return [(int(p), max(0, int(p) - die)) for p, die in zip(sources, dice, strict=True) if p]


@lru_cache(maxsize=256)
def _names(state: Backgammon) -> dict[int, str]:
    return {action: _written(state, action) for action in all_plays(state)}


def play_text(state: Backgammon, action: int) -> str:
    """A legal play as people write it, such as bar/20* 6/5(2); `IllegalAction` for any other."""
    name = _names(state).get(int(action))
    if name is None:
        raise IllegalAction(f"{action} is not the number of a legal play")
    return name


def _written(state: Backgammon, action: int) -> str:
    """The text of a play: each man from where to where, with * where it hits, equal ones once with how many.

    A man that goes on is one entry, with the points between only where it hits.
    """
    if action == NO_PLAY:
        return "no move"
    blots = _blots(state)
    left = Counter(steps(state, action))
    order = sorted(left, reverse=True)
    ways = []
    while +left:
        way = [next(step for step in order if left[step])]
        left[way[0]] -= 1
        while onward := next((step for step in order if left[step] and step[0] == way[-1][1]), None):
            left[onward] -= 1
            way.append(onward)
        text = _name(state, way[0][0])
        for number, (_, to) in enumerate(way):
            hits = to in blots
            blots.discard(to)
            if hits or number == len(way) - 1:
                text += f"/{_name(state, to)}{'*' * hits}"
        ways.append(text)
    # The first of several men on a point hits; they are one entry all the same.
    entries: dict[str, tuple[str, int]] = {}
    for text in ways:
        shown, number = entries.get(text.replace("*", ""), (text, 0))
        entries[text.replace("*", "")] = (shown, number + 1)
    return " ".join(shown + (f"({number})" if number > 1 else "") for shown, number in entries.values())


def _blots(state: Backgammon) -> set[int]:
    """The points on which the player to move would hit."""
    other = own_men(state, 1 - state.turn)
    single = mirrored(occupied(other), state.points)
    return {
        p for p in range(1, state.points + 1) if single >> p & 1 and men_on(other, state.points + 1 - p) == 1
    }  # fmt: skip


def _name(state: Backgammon, point: int) -> str:
    return "off" if point == 0 else "bar" if point == state.points + 1 else str(point)


ENTRY = re.compile(r"(bar|\d+)((?:/(?:bar|off|\d+)\*?)+)(?:\((\d)\))?")
NO_MOVE = {"nomove", "noplay", "cannotmove", "pass", "-"}


def read_play(state: Backgammon, text: str) -> int:
    """The legal play that a text means: in any order of men, man by man or die by die, with or without the stars."""
    named = {name: action for action, name in _names(state).items()}
    words = text.strip().lower()
    squeezed = " ".join(words.split())
    if squeezed in named:
        return named[squeezed]
    if "".join(words.split()) in NO_MOVE:
        if list(named.values()) == [NO_PLAY]:
            return NO_PLAY
        raise IllegalAction(refusal(state, f"'{_clipped(text)}'"))
    wanted = _said(state, words)
    if wanted is None:
        raise UnreadableAction(
            f"'{_clipped(text)}' is not a play of backgammon, such as 8/5 6/5, bar/20* or 6/off(2); "
            f"legal: {', '.join(list(named)[:4])}{', ...' * (len(named) > 4)}"
        )
    change, stops = wanted
    fitting = [action for action in named.values() if _change(state, action) == change]
    for action in fitting:
        if stops and stops <= _stops(state, action):
            return action
    for action in fitting:
        if not stops:
            return action
    # Of two ways for one man the points between tell which; they are not said if nobody is hit there.
    for action in fitting:
        if stops <= {point for step in _all_ways(state, action) for point in step}:
            return action
    raise IllegalAction(refusal(state, f"'{_clipped(text)}'"))


def _said(state: Backgammon, words: str) -> tuple[Counter[int], set[int]] | None:
    """What a text says of the men: how many more or fewer stand where, and the points that men touch on their way."""
    if not words or ENTRY.sub("", words).strip(" ,"):
        return None
    change: Counter[int] = Counter()
    between: set[int] = set()
    for match in ENTRY.finditer(words):
        names = [match[1], *(name.rstrip("*") for name in match[2][1:].split("/"))]
        route = [0 if n == "off" else state.points + 1 if n == "bar" else int(n) for n in names]
        many = int(match[3] or 1)
        change[route[0]] -= many
        change[route[-1]] += many
        between |= set(route[1:-1])
        between |= {point for point, name in zip(route[1:], match[2][1:].split("/"), strict=True) if "*" in name}
    change.pop(0, None)
    return Counter({point: n for point, n in change.items() if n}), between - {0}


def _change(state: Backgammon, action: int) -> Counter[int]:
    change: Counter[int] = Counter()
    for start, end in steps(state, action):
        change[start] -= 1
        change[end] += 1
    change.pop(0, None)
    return Counter({point: n for point, n in change.items() if n})


def _stops(state: Backgammon, action: int) -> set[int]:
    return {end for _, end in steps(state, action)}


def _all_ways(state: Backgammon, action: int) -> list[tuple[int, ...]]:
    """The points that a play may touch when the same men move by the dice in any order."""
    larger, smaller = divmod(int(state.roll), 8)
    return [(start - larger, start - smaller, end) for start, end in steps(state, action)]


def _clipped(text: str) -> str:
    return text if len(text) <= SHOWN else text[:SHOWN] + "..."


# Position and match IDs ------------------------------------------------------------------------------------------


def position_id(state: Backgammon) -> str:
    """The men as GNU Backgammon writes them, 14 characters: of whoever's turn it is not, then of the other.

    For each point from the first to the 24th, and for the bar, as many ones as there are men, and a zero; in 80 bits.
    On a smaller board the bar comes where it always does, and the points between have no men.
    """
    bits = ""
    for player in (1 - state.turn, state.turn):
        men = own_men(state, player)
        for zone in range(1, ZONES + 1):
            point = zone if zone <= state.points else state.points + 1 if zone == ZONES else 0
            bits += "1" * (men_on(men, point) if point else 0) + "0"
    return _base64(bits.ljust(80, "0"))


def match_id(state: Backgammon) -> str:
    """All else as GNU Backgammon writes it, 12 characters: cube, whose turn, Crawford game, dice, score."""
    answering, over = state.phase == ANSWERING, state.phase == OVER
    passed = over and occupied(state.first) != 0 and occupied(state.second) != 0
    fields = [
        (int(state.cube).bit_length() - 1, 4),
        (3 if state.owner == NO_OWNER else state.owner, 2),
        (state.turn, 1),
        (bool(state.rules & CRAWFORD), 1),
        (0 if state.phase == OPENING else 4 if passed else 2 if over else 1, 3),
        (1 - state.turn if answering else state.turn, 1),
        (answering, 1),
        (0, 2),
        (state.roll >> 3, 3),
        (state.roll & 7, 3),
        (state.length, 15),
        (state.scores[0], 15),
        (state.scores[1], 15),
    ]
    return _base64("".join(f"{int(value):0{width}b}"[::-1] for value, width in fields).ljust(72, "0"))


def _base64(bits: str) -> str:
    """Bits, the first of each byte being its lowest, in base 64."""
    data = bytes(int(bits[at : at + 8][::-1], 2) for at in range(0, len(bits), 8))
    return base64.b64encode(data).decode().rstrip("=")


def _bits(text: str, length: int, what: str) -> str:
    """The bits of an ID of a number of characters."""
    try:
        if len(text) != length:
            raise ValueError
        data = base64.b64decode(text + "=" * (-length % 4), validate=True)
    except (ValueError, binascii.Error):
        raise FormatError(
            f"'{_clipped(text)}' is not a {what} ID; it has {length} letters, digits, + and /, "
            f"such as {'4HPwATDgc/ABMA' if what == 'position' else 'cAkAAAAAAAAA'}"
        ) from None
    return "".join(f"{byte:08b}"[::-1] for byte in data)


def read_ids(code: str, like: Backgammon) -> Backgammon:
    """The position of a position ID, or of one with a match ID after a colon, on the board of `like`.

    Without a match ID the player to move is the first one, and is about to roll.
    """
    position, colon, match = code.strip().partition(":")
    other, mine = _read_men(position, like)
    if not colon:
        start = like._replace(
            first=mine, second=other, turn=0, roll=0, phase=ROLLING, cube=1, owner=NO_OWNER
        )  # fmt: skip
        return _checked(_awaited(start))
    bits = _bits(match, 12, "match")
    at = 0

    def field(width: int) -> int:
        nonlocal at
        at += width
        return int(bits[at - width : at][::-1], 2)

    cube, owner, turn, crawford, stage = 1 << field(4), field(2), field(1), field(1), field(3)
    decider, doubled, resigned, die, other_die = field(1), field(1), field(2), field(3), field(3)
    length, scores = field(15), (field(15), field(15))
    roll = 8 * max(die, other_die) + min(die, other_die)
    if resigned:
        raise FormatError("the match ID offers a resignation, which is no position here; take it back first")
    if owner == 2 or cube > LARGEST_CUBE:
        raise FormatError(f"the match ID has {'no such owner of the cube' if owner == 2 else f'a cube of {cube}'}")
    if length > LONGEST_MATCH or max(scores) >= max(length, 1):
        raise FormatError(
            f"the match ID has a score of {scores[0]} to {scores[1]} in a match to {length}; matches are to "
            f"{LONGEST_MATCH} points at most, and go on until somebody has them"
        )
    if bool(die) != bool(other_die) or max(die, other_die) > like.faces:
        raise FormatError(
            f"the match ID has the dice {die} and {other_die}; they show 1 to {like.faces}, or nothing yet"
        )
    if doubled and (decider == turn or roll):
        raise FormatError(
            "the match ID offers a double, which is done before the roll and answered by the other player"
        )
    rules = like.rules & (CUBE | JACOBY)
    if cube > 1 or owner != 3 or doubled:
        rules |= CUBE
    if length:
        without = like.rules & PAST_CRAWFORD or max(scores) == length - 1
        rules = CUBE | (CRAWFORD if crawford else PAST_CRAWFORD if without else 0)
        rules |= WHOLE if like.rules & WHOLE or not like.length else 0
    first, second = (mine, other) if turn == 0 else (other, mine)
    state = like._replace(
        first=first, second=second, turn=turn, roll=roll, cube=cube, owner=NO_OWNER if owner == 3 else owner,
        length=length, scores=scores, rules=rules, phase=MOVING if roll else ANSWERING if doubled else ROLLING,
    )  # fmt: skip
    if stage == 4:
        return _checked(state._replace(phase=OVER, roll=0))
    if stage == 0 and not roll and not doubled:
        return _checked(state._replace(phase=OPENING))
    return _checked(_awaited(state))


def _awaited(state: Backgammon) -> Backgammon:
    """The position with what comes next: the end if a player has no men, whether to double if that may be."""
    from plyground.games.backgammon.cube import may_double

    if not occupied(state.first) or not occupied(state.second):
        return state._replace(phase=OVER, roll=0, turn=0 if not occupied(state.first) else 1)
    if state.phase == ROLLING and may_double(state):
        return state._replace(phase=DOUBLING)
    return state


def _read_men(position: str, like: Backgammon) -> tuple[Men, Men]:
    """The men of whoever's turn it is not, and of the other."""
    bits = _bits(position, 14, "position")
    zones = bits.split("0")
    sides = []
    for begin in (0, ZONES):
        men = NO_MEN
        for zone, ones in enumerate(zones[begin : begin + ZONES], start=1):
            if not ones:
                continue
            if like.points < zone < ZONES:
                raise ImpossibleBoard(f"the position ID has men on point {zone}; the board has {like.points}")
            if len(ones) > like.men:
                raise ImpossibleBoard(f"the position ID has {len(ones)} men on a point; there are {like.men} a side")
            men = placed(men, like.points + 1 if zone == ZONES else zone, len(ones))
        sides.append(men)
    if len(zones) < 2 * ZONES or any(zones[2 * ZONES :]):
        raise ImpossibleBoard(f"the position ID has more men than the {like.men} a side that there are")
    return sides[0], sides[1]


def _checked(state: Backgammon) -> Backgammon:
    """The position, if it can be one of a game."""
    for men in (state.first, state.second):
        if count_men(men) > state.men:
            raise ImpossibleBoard(f"a side has {count_men(men)} men on the board; there are {state.men}")
    if not occupied(state.first) and not occupied(state.second):
        raise ImpossibleBoard("neither side has men on the board")
    if mirrored(occupied(state.first), state.points) & occupied(state.second):
        raise ImpossibleBoard("men of both sides are on one point")
    bar = 2 << state.points
    closed = all(men_on(men, p) > 1 for men in (state.first,) for p in range(1, homes(state.points) + 1)) and all(
        men_on(state.second, p) > 1 for p in range(1, homes(state.points) + 1)
    )
    if closed and occupied(state.first) & bar and occupied(state.second) & bar and state.faces <= homes(state.points):
        raise ImpossibleBoard("both sides have men on the bar and closed homes, so nobody can ever move")
    return state
