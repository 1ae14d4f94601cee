"""The Wumpus world: which squares are proven safe by what the agent has perceived?"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from plyground.course.exercises.dice import Dice
from plyground.course.exercises.exercise import Answer, Item, Question, exactly
from plyground.course.exercises.hot_spots import hot_spot
from plyground.pictures.player_words import check_language
from plyground.subjects.wumpus.agents import Thoughts
from plyground.subjects.wumpus.knowledge import Knowledge
from plyground.subjects.wumpus.pictures import CELL, world_svg
from plyground.subjects.wumpus.world import ENTRANCE, Cave, Percept, Square, State, World, neighbours, perceive

__all__ = ["answers", "generate", "question"]

VISITED = {1: (3, 5), 2: (4, 6), 3: (5, 7), 4: (6, 8), 5: (7, 10)}
"""How many squares the agent has been in, from and to."""
SIDES = (4, 5)
"""How many squares a cave has each way."""
PITS = 20
"""Of a hundred squares so many have a pit."""
STYLE = "wumpus.css"

WORDS = {
    "en": {
        "title": "The Wumpus world: which squares are safe?",
        "text": "The agent has been in the light squares, and has perceived what is drawn there: waves at the "
        "upper left are a breeze (a pit is beside the square), waves at the upper right are a stench (the wumpus is "
        "beside it). A light square without a sign has neither. There is one wumpus; any square but {entrance} may "
        "have a pit. Mark every dark square that is proven safe: no pit and no wumpus can be there.",
        "square": "square {square}", "safe": "safe",
        "no_pit": "No breeze at {calm}: there is no pit.", "no_wumpus": "No wumpus: {why}.",
        "no_stench": "no stench at {still}", "far": "it is not beside every stench ({smelt})",
        "found": "the wumpus must be at {wumpus}",
        "pit": "There must be a pit: a breeze at {breeze}, and every other square beside it is free of pits.",
        "maybe_pit": "A pit may be there: no visited square beside it is without a breeze.",
        "unknown": "A pit may be there: no square beside it has been visited.",
        "wumpus": "The wumpus must be there.",
        "maybe_wumpus": "The wumpus may be there: what was smelt does not rule it out.",
    },
    "zh": {
        "title": "Wumpus 世界：哪些格子是安全的？",
        "text": "智能体到过浅色的格子，感知画在格子里：左上角的波纹是微风（相邻格有陷阱），"
        "右上角的波纹是臭气（相邻格有怪物）。"
        "没有标记的浅色格子两者都没有。怪物只有一只；除 {entrance} 外任何格子都可能有陷阱。"
        "请标出每一个可以证明安全的深色格子：那里既不可能有陷阱，也不可能有怪物。",
        "square": "格子 {square}", "safe": "安全",
        "no_pit": "{calm} 没有微风：这里没有陷阱。", "no_wumpus": "没有怪物：{why}。",
        "no_stench": "{still} 没有臭气", "far": "它并不与每处臭气（{smelt}）相邻",
        "found": "怪物必在 {wumpus}",
        "pit": "这里必有陷阱：{breeze} 有微风，而它旁边的其他格子都没有陷阱。",
        "maybe_pit": "这里可能有陷阱：旁边到过的格子都有微风。",
        "unknown": "这里可能有陷阱：旁边没有到过的格子。",
        "wumpus": "怪物必在这里。", "maybe_wumpus": "怪物可能在这里：闻到的臭气没有排除它。",
    },
}  # fmt: skip


def _square(square: Square) -> str:
    return f"({square[0]}, {square[1]})"


def _squares(squares: list[Square]) -> str:
    return ", ".join(map(_square, sorted(squares)))


# Making ---------------------------------------------------------------------------------------------------------------


def generate(dice: Dice, level: int, options: Mapping[str, int]) -> dict[str, Any]:
    """A walk of an agent that takes no chances, or at higher levels a few, through a cave it survives.

    There is something to prove and something that cannot be proven, and from level 3 on both pits and the wumpus play
    a part in it.
    """
    while True:
        cave = Cave(dice.pick(SIDES), dice.pick(SIDES))
        world = _world(dice, cave)
        visited = _walk(dice, world, dice.between(*VISITED[level]))
        if visited is None:
            continue
        data: dict[str, Any] = {
            "size": [cave.width, cave.height],
            "visited": [[*at, *_signs(world, at)] for at in sorted(visited)],
        }
        knowledge = _knowledge(data)
        frontier = knowledge.frontier()
        safe = [square for square in frontier if knowledge.is_safe(square)]
        signs = [any(sign[place] for sign in data["visited"]) for place in (2, 3)]
        if safe and len(safe) < len(frontier) and (any(signs) if level < 3 else all(signs)):
            return data


def _world(dice: Dice, cave: Cave) -> World:
    others = [square for square in cave.squares if square != ENTRANCE]
    pits = frozenset(square for square in others if dice.below(100) < PITS)
    return World(cave, pits, dice.pick(others), dice.pick(others))


def _signs(world: World, at: Square) -> tuple[bool, bool]:
    percept = perceive(world, State(at=at))
    return percept.breeze, percept.stench


def _walk(dice: Dice, world: World, count: int) -> list[Square] | None:
    """Squares in the order in which they are entered, each beside one before; None if the agent would die."""
    found = [ENTRANCE]
    while len(found) < count:
        beside = sorted({square for at in found for square in neighbours(world.cave, at)} - set(found))
        open_ = [square for square in beside if square not in world.pits and square != world.wumpus]
        if not open_:
            return None
        found.append(dice.pick(open_))
    return found


def _knowledge(data: Mapping[str, Any]) -> Knowledge:
    knowledge = Knowledge(Cave(*data["size"]))
    for x, y, breeze, stench in data["visited"]:
        knowledge.tell((x, y), Percept(bool(stench), bool(breeze), False, False, False))
    return knowledge


# Asking and judging --------------------------------------------------------------------------------------------------


def question(data: Mapping[str, Any], lang: str) -> Question:
    """The cave as the agent knows it; every square that it has not been in can be marked."""
    words = WORDS[check_language(lang)]
    knowledge = _knowledge(data)
    choices = (("safe", words["safe"]),)
    items = tuple(
        Item(f"{x}-{y}", words["square"].format(square=_square((x, y))), "mark", choices)
        for x, y in knowledge.cave.squares
        if (x, y) not in knowledge.breeze
    )
    return Question(
        words["title"],
        words["text"].format(entrance=_square(ENTRANCE)),
        items,
        svg=_picture(data, knowledge, items, lang, answered=False),
        style=STYLE,
        solved=_picture(data, knowledge, items, lang, answered=True),
    )


def _picture(
    data: Mapping[str, Any], knowledge: Knowledge, items: tuple[Item, ...], lang: str, *, answered: bool
) -> str:
    cave = knowledge.cave
    at = (data["visited"][-1][0], data["visited"][-1][1])
    visited = frozenset(knowledge.visited)
    safe = frozenset(square for square in cave.squares if knowledge.is_safe(square)) if answered else frozenset()
    # The picture takes what it shows from a world: one that agrees with what was perceived.
    world = _agreeing_world(knowledge)
    thoughts = Thoughts(at, 0, visited, safe)
    svg = world_svg(world, State(at=at), thoughts, truth=False, lang=lang)
    spots = []
    for item in items:
        x, y = map(int, item.key.split("-"))
        left, top = (x - 1) * CELL + 24, (cave.height - y) * CELL + 4
        spots.append(hot_spot(item.key, item.label, left + 5, top + 5, CELL - 10, CELL - 10, marked=(x, y) in safe))
    return svg.replace("</svg>", "".join(spots) + "</svg>")


def _agreeing_world(knowledge: Knowledge) -> World:
    """A pit wherever one may be: it explains every breeze, and no square without one has a pit beside it."""
    pits = frozenset(square for square in knowledge.cave.squares if square not in knowledge.no_pit)
    wumpus = min(knowledge.suspects)
    return World(knowledge.cave, pits, wumpus, min(pits | {wumpus}))


def answers(data: Mapping[str, Any], lang: str) -> list[Answer]:
    """For every square that was not visited whether it is proven safe, and why or why not."""
    words = WORDS[check_language(lang)]
    knowledge = _knowledge(data)
    found = []
    for square in knowledge.cave.squares:
        if square in knowledge.breeze:
            continue
        safe = knowledge.is_safe(square)
        reason = _safe_reason(knowledge, square, words) if safe else _danger_reason(knowledge, square, words)
        right = "safe" if safe else ""
        key = f"{square[0]}-{square[1]}"
        found.append(Answer(key, words["safe"] if safe else "", reason, exactly(right)))
    return found


def _safe_reason(knowledge: Knowledge, square: Square, words: Mapping[str, str]) -> str:
    beside = neighbours(knowledge.cave, square)
    calm = [at for at in beside if knowledge.breeze.get(at) is False]
    still = [at for at in beside if knowledge.stench.get(at) is False]
    smelt = [at for at, smell in knowledge.stench.items() if smell]
    if still:
        why = words["no_stench"].format(still=_squares(still))
    elif knowledge.wumpus is not None:
        why = words["found"].format(wumpus=_square(knowledge.wumpus))
    else:
        why = words["far"].format(smelt=_squares(smelt))
    return f"{words['no_pit'].format(calm=_squares(calm))} {words['no_wumpus'].format(why=why)}"


def _danger_reason(knowledge: Knowledge, square: Square, words: Mapping[str, str]) -> str:
    parts = []
    beside = neighbours(knowledge.cave, square)
    if square in knowledge.pits:
        sure = [
            at
            for at in beside
            if knowledge.breeze.get(at)
            and all(other in knowledge.no_pit for other in neighbours(knowledge.cave, at) if other != square)
        ]
        parts.append(words["pit"].format(breeze=_squares(sure)))
    elif square not in knowledge.no_pit:
        parts.append(words["maybe_pit" if any(at in knowledge.breeze for at in beside) else "unknown"])
    if square == knowledge.wumpus:
        parts.append(words["wumpus"])
    elif square in knowledge.suspects:
        parts.append(words["maybe_wumpus"])
    return " ".join(parts)
