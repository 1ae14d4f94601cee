"""The names that players have given to openings.

A name belongs to a position, so that it is found however the board lies and in whichever order the moves were made.

    >>> opening_name("f5d6c3d3c4")
    'Tiger'
    >>> opening_name("c4e3f6e6f5c5f4")  # the same, turned by half, and two moves later
    'Tiger'
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from plyground.core.rules import result
from plyground.engines.reversi.book import Key, canonical_key
from plyground.formats.replay import START, replay
from plyground.formats.transcript import read_transcript
from plyground.games.reversi import Reversi

__all__ = ["CHINESE", "OPENINGS", "opening_name", "position_name"]

OPENINGS = {
    "Parallel": "f5f4",
    "Diagonal": "f5f6",
    "Perpendicular": "f5d6",
    # After f5 f6
    "Wing": "f5f6d3f4",
    "Semi-Wing": "f5f6c4f4",
    "X-square": "f5f6e6f4g7",
    "Snake": "f5f6e6f4g6",
    "Lysons": "f5f6e6f4g6c6",
    "Pyramid": "f5f6e6f4g6c5g4g5f3e3c4",
    "Heath": "f5f6e6f4g5",
    "Heath-Chimney": "f5f6e6f4g5d6",
    "Heath-Bat": "f5f6e6f4g5e7e3",
    "Iwasaki": "f5f6e6f4g5e7d7",
    "Raccoon Dog": "f5f6e6f4g4",
    "Hamilton": "f5f6e6f4g3",
    "Lollipop": "f5f6e6f4g3d6",
    "Buffalo": "f5f6e6f4c3",
    "Hokuriku Buffalo": "f5f6e6f4c3c4",
    "Maruoka Buffalo": "f5f6e6f4c3d7f3",
    "Tanida Buffalo": "f5f6e6f4c3d6f3c4c5b4",
    "Cow": "f5f6e6f4e3",
    "Chimney": "f5f6e6f4e3d6",
    "Bat": "f5f6e6f4e3c5g5",
    "Rose-v-Toth": "f5f6e6f4e3c5c4",
    "Tanida": "f5f6e6f4e3c5c4e7",
    "Aircraft": "f5f6e6f4e3c5c4e7g4",
    "Sailboat": "f5f6e6f4e3c5c4e7b5e2",
    "Maruoka": "f5f6e6f4e3c5c4d3f3e2",
    "Landau": "f5f6e6f4e3c5c4d3c3",
    # After f5 d6 c5
    "Horse": "f5d6c5f4d3",
    "Rabbit": "f5d6c5f4e3",
    "Mimura": "f5d6c5f4e3d3",
    "Shaman": "f5d6c5f4e3c6f3",
    "Inoue": "f5d6c5f4e3c6e6",
    "Iago": "f5d6c5f4e3c6e6f6",
    "Bhagat": "f5d6c5f4e3c6d7",
    "Rose": "f5d6c5f4e3c6d3",
    "Ralle": "f5d6c5f4e3c6d3f3",
    "Flat": "f5d6c5f4e3c6d3f6e6d7",
    "Greenberg": "f5d6c5f4e3c6d3f6e6d7e7",
    "Rotating Flat": "f5d6c5f4e3c6d3f6e6d7g4",
    "Murakami": "f5d6c5f4e3c6d3f6e6d7g4c4",
    "Rose-Birth": "f5d6c5f4e3c6d3f6e6d7g3c4",
    "Brightstein": "f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2",
    "Rose-Tamenori": "f5d6c5f4e3c6d3f6e6d7g3c4b4",
    # After f5 d6 c4
    "No-Cat": "f5d6c4g5",
    "Swallow": "f5d6c4g5c6",
    "Italian": "f5d6c4d3e6",
    "Cat": "f5d6c4d3c5",
    "Sakaguchi": "f5d6c4d3c5f4e3f3c2c6",
    "Berner": "f5d6c4d3c5f4e3f3c2b4b3",
    # After f5 d6 c3
    "Bent Ganglion": "f5d6c3g5",
    "Tiger": "f5d6c3d3c4",
    "Aubrey": "f5d6c3d3c4b3",
    "Brightwell": "f5d6c3d3c4f4e3",
    "Leader's Tiger": "f5d6c3d3c4f4e6",
    "Rose-Bill": "f5d6c3d3c4f4c5b3c2",
    "Tamenori": "f5d6c3d3c4f4c5b3c2e6",
    "Central Rose-Bill": "f5d6c3d3c4f4c5b3c2b4",
    "Ishii": "f5d6c3d3c4f4c5b4b5c6f3e6e3",
    "Mainline Tiger": "f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3",
    "Stephenson": "f5d6c3d3c4f4f6",
    "Kung": "f5d6c3d3c4f4f6b4",
    "No-Kung": "f5d6c3d3c4f4f6g5",
    "Comp'Oth": "f5d6c3d3c4f4f6f3",
    "Lightning Bolt": "f5d6c3d3c4f4f6f3e3",
    "F.A.T. Draw": "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7",
}
"""Names and lines, all written with f5 as the first move."""

CHINESE = {
    "Parallel": "平行",
    "Diagonal": "斜",
    "Perpendicular": "垂直",
    "Wing": "翼",
    "Semi-Wing": "半翼",
    "X-square": "X 位",
    "Snake": "蛇",
    "Pyramid": "金字塔",
    "Iwasaki": "岩崎",
    "Raccoon Dog": "狸",
    "Lollipop": "棒棒糖",
    "Buffalo": "水牛",
    "Hokuriku Buffalo": "北陆水牛",
    "Maruoka Buffalo": "丸冈水牛",
    "Tanida Buffalo": "谷田水牛",
    "Cow": "牛",
    "Chimney": "烟囱",
    "Bat": "蝙蝠",
    "Tanida": "谷田",
    "Aircraft": "飞机",
    "Sailboat": "帆船",
    "Maruoka": "丸冈",
    "Horse": "马",
    "Rabbit": "兔",
    "Mimura": "三村",
    "Shaman": "萨满",
    "Inoue": "井上",
    "Iago": "伊阿古",
    "Rose": "玫瑰",
    "Murakami": "村上",
    "Rose-Tamenori": "玫瑰为则",
    "No-Cat": "无猫",
    "Swallow": "燕",
    "Italian": "意大利",
    "Cat": "猫",
    "Sakaguchi": "坂口",
    "Tiger": "虎",
    "Tamenori": "为则",
    "Ishii": "石井",
    "Mainline Tiger": "主线虎",
    "Lightning Bolt": "闪电",
}
"""What they are called in Chinese; those that are missing go by their other name there too."""


@cache
def _named() -> dict[Key, str]:
    return {canonical_key(read_transcript(line).final)[0]: name for name, line in OPENINGS.items()}


def position_name(state: Reversi) -> str | None:
    """The name of an opening that ends in just this position, however it is turned."""
    return _named().get(canonical_key(state)[0])


def opening_name(moves: str | Sequence[int], lang: str = "en") -> str | None:
    """The name of the opening that a game has begun with: the last named position that it went through.

    `moves` is a transcript, or the actions from the usual first position; passes may be left out. None if there is no
    name for it. Moves that cannot be read or are not legal are refused as everywhere. In the language "zh" it is the
    Chinese name, if there is one.
    """
    history = read_transcript(moves).moves if isinstance(moves, str) else replay(START, moves)
    state, found = START, None
    for action in history:
        state = result(state, action)
        found = position_name(state) or found
    return CHINESE.get(found, found) if found and lang == "zh" else found
