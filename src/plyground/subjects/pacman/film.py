"""A game of Pac-Man as a film: one picture a round, what happened in it, and what the player expected."""

from __future__ import annotations

from plyground.core.played_game import PlayedGame
from plyground.games.pacman import GHOST_KINDS, Pacman, ghost_scared
from plyground.games.pacman.board import CAUGHT, EAST, TIME_UP, WON, byte_of, size
from plyground.games.pacman.picture import heading_between, picture, rounds
from plyground.pictures.filmstrip import Fact, Frame

__all__ = ["ending_sentence", "film_frames", "film_title", "ghost_facts", "round_sentence"]

MINUS = "\N{MINUS SIGN}"
WAYS = {"en": ("north", "east", "south", "west"), "zh": ("上", "右", "下", "左")}
KINDS = {
    "en": {"minimax": "minimax", "random": "random", "directional": "directional", "true": "what they are"},
    "zh": {"minimax": "极小化极大", "random": "随机", "directional": "追逐", "true": "它们本来的样子"},
}
WORDS = {
    "en": {
        "start": "Pac-Man has {points} points. Each step costs 1.",
        "goes": "Pac-Man goes {way}",
        "stops": "Pac-Man stops",
        "food": "eats food: +10",
        "capsule": "eats a capsule: the ghosts are scared",
        "ghost": "eats a ghost: +20",
        "won": "All food is eaten: +1000. {points} points.",
        "caught": "Caught: {minus}1000. {points} points.",
        "late": "Time is up. {points} points.",
        "score": "Score",
        "points": "{points} points, {food} food left",
        "expects": "The player expects",
        "value": "{value} points, {depth} deep",
        "ghosts": "Ghosts",
        "one": "{number}: {kind}",
        "scared": "{number}: {kind}, scared for {turns}",
        "title": "Pac-Man: {player}, who believes in {kind} ghosts",
        "titletrue": "Pac-Man: {player}",
    },
    "zh": {
        "start": "吃豆人有 {points} 分，每走一步扣 1 分。",
        "goes": "吃豆人向{way}走",
        "stops": "吃豆人停下",
        "food": "吃到豆子：+10",
        "capsule": "吃到能量丸：幽灵害怕了",
        "ghost": "吃掉一个幽灵：+20",
        "won": "豆子全部吃完：+1000。共 {points} 分。",
        "caught": "被抓住：{minus}1000。共 {points} 分。",
        "late": "时间到。共 {points} 分。",
        "score": "得分",
        "points": "{points} 分，还剩 {food} 颗豆子",
        "expects": "玩家的预期",
        "value": "{value} 分，深度 {depth}",
        "ghosts": "幽灵",
        "one": "{number}：{kind}",
        "scared": "{number}：{kind}，还要害怕 {turns} 步",
        "title": "吃豆人：{player}，相信幽灵是{kind}的",
        "titletrue": "吃豆人：{player}",
    },
}


def _signed(points: float) -> str:
    return f"{points:.0f}".replace("-", MINUS)


def film_title(player: str, believes: str, lang: str = "en") -> str:
    """What a film is called."""
    words = WORDS[lang]
    if believes == "true":
        return words["titletrue"].format(player=player)
    return words["title"].format(player=player, kind=KINDS[lang][believes])


def ending_sentence(state: Pacman, lang: str = "en") -> str:
    """How the game has ended; nothing if it goes on."""
    key = {WON: "won", CAUGHT: "caught", TIME_UP: "late"}.get(int(state.ended))
    return WORDS[lang][key].format(points=_signed(state.points), minus=MINUS) if key else ""


def round_sentence(before: Pacman, now: Pacman, lang: str = "en") -> str:
    """What has happened in a round."""
    words, join = WORDS[lang], ("，" if lang == "zh" else ", ")
    way = heading_between(before, now, -1)
    said = [words["stops"] if way < 0 else words["goes"].format(way=WAYS[lang][way])]
    if size(now.food) < size(before.food):
        said.append(words["food"])
    if size(now.capsules) < size(before.capsules):
        said.append(words["capsule"])
    if _eaten(before, now):
        said.append(words["ghost"])
    end = ending_sentence(now, lang)
    stop = "。" if lang == "zh" else "."
    return join.join(said) + stop + (("" if lang == "zh" else " ") + end if end else "")


def _eaten(before: Pacman, now: Pacman) -> bool:
    """Whether a ghost was eaten: the points say so."""
    gained = int(now.points) - int(before.points) + 1
    gained -= 10 * (size(before.food) - size(now.food))
    gained -= {WON: 1000, CAUGHT: -1000}.get(int(now.ended), 0)
    return gained > 0


def ghost_facts(state: Pacman, lang: str = "en") -> list[str]:
    """Each ghost in a line: its kind, and whether it is scared."""
    lines = []
    for ghost in range(int(state.ghosts)):
        turns = ghost_scared(state, ghost)
        kind = KINDS[lang][GHOST_KINDS[byte_of(int(state.kinds), ghost)]]
        words = WORDS[lang]["scared" if turns else "one"]
        lines.append(words.format(number=ghost + 1, kind=kind, turns=turns))
    return lines


def film_frames(played: PlayedGame, start: Pacman, lang: str = "en") -> list[Frame]:
    """The film of a game that began in this state."""
    shown = rounds(played.states(start))
    words = WORDS[lang]
    frames = []
    heading = EAST
    expected = [move for move in played.moves if move.player == 0]
    for number, state in enumerate(shown):
        if number:
            heading = heading_between(shown[number - 1], state, heading)
            caption = round_sentence(shown[number - 1], state, lang)
        else:
            caption = words["start"].format(points=_signed(state.points))
        facts: list[Fact] = [
            (words["score"], [words["points"].format(points=_signed(state.points), food=size(state.food))])
        ]
        if number < len(expected) and (value := expected[number].value) is not None:
            said = words["value"].format(value=_signed(value), depth=expected[number].depth)
            facts.append((words["expects"], [said]))
        if state.ghosts:
            facts.append((words["ghosts"], ghost_facts(state, lang)))
        frames.append(Frame(picture(state, heading, lang), caption, facts))
    return frames
