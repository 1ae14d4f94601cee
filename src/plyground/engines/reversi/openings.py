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

_NAMES = (
    ("Parallel", "f5f4", "平行"),
    ("Diagonal", "f5f6", "斜"),
    ("Perpendicular", "f5d6", "垂直"),
    # After f5 f6
    ("Wing", "f5f6d3f4", "翼"),
    ("Semi-Wing", "f5f6c4f4", "半翼"),
    ("X-square", "f5f6e6f4g7", "X 位"),
    ("Snake", "f5f6e6f4g6", "蛇"),
    ("Lysons", "f5f6e6f4g6c6"),
    ("Pyramid", "f5f6e6f4g6c5g4g5f3e3c4", "金字塔"),
    ("Heath", "f5f6e6f4g5"),
    ("Heath-Chimney", "f5f6e6f4g5d6"),
    ("Heath-Bat", "f5f6e6f4g5e7e3"),
    ("Iwasaki", "f5f6e6f4g5e7d7", "岩崎"),
    ("Raccoon Dog", "f5f6e6f4g4", "狸"),
    ("Hamilton", "f5f6e6f4g3"),
    ("Lollipop", "f5f6e6f4g3d6", "棒棒糖"),
    ("Buffalo", "f5f6e6f4c3", "水牛"),
    ("Hokuriku Buffalo", "f5f6e6f4c3c4", "北陆水牛"),
    ("Maruoka Buffalo", "f5f6e6f4c3d7f3", "丸冈水牛"),
    ("Tanida Buffalo", "f5f6e6f4c3d6f3c4c5b4", "谷田水牛"),
    ("Cow", "f5f6e6f4e3", "牛"),
    ("Chimney", "f5f6e6f4e3d6", "烟囱"),
    ("Bat", "f5f6e6f4e3c5g5", "蝙蝠"),
    ("Rose-v-Toth", "f5f6e6f4e3c5c4"),
    ("Tanida", "f5f6e6f4e3c5c4e7", "谷田"),
    ("Aircraft", "f5f6e6f4e3c5c4e7g4", "飞机"),
    ("Sailboat", "f5f6e6f4e3c5c4e7b5e2", "帆船"),
    ("Maruoka", "f5f6e6f4e3c5c4d3f3e2", "丸冈"),
    ("Landau", "f5f6e6f4e3c5c4d3c3"),
    # After f5 d6 c5
    ("Horse", "f5d6c5f4d3", "马"),
    ("Rabbit", "f5d6c5f4e3", "兔"),
    ("Mimura", "f5d6c5f4e3d3", "三村"),
    ("Shaman", "f5d6c5f4e3c6f3", "萨满"),
    ("Inoue", "f5d6c5f4e3c6e6", "井上"),
    ("Iago", "f5d6c5f4e3c6e6f6", "伊阿古"),
    ("Bhagat", "f5d6c5f4e3c6d7"),
    ("Rose", "f5d6c5f4e3c6d3", "玫瑰"),
    ("Ralle", "f5d6c5f4e3c6d3f3"),
    ("Flat", "f5d6c5f4e3c6d3f6e6d7"),
    ("Greenberg", "f5d6c5f4e3c6d3f6e6d7e7"),
    ("Rotating Flat", "f5d6c5f4e3c6d3f6e6d7g4"),
    ("Murakami", "f5d6c5f4e3c6d3f6e6d7g4c4", "村上"),
    ("Rose-Birth", "f5d6c5f4e3c6d3f6e6d7g3c4"),
    ("Brightstein", "f5d6c5f4e3c6d3f6e6d7g3c4g5c3b4e2"),
    ("Rose-Tamenori", "f5d6c5f4e3c6d3f6e6d7g3c4b4", "玫瑰为则"),
    # After f5 d6 c4
    ("No-Cat", "f5d6c4g5", "无猫"),
    ("Swallow", "f5d6c4g5c6", "燕"),
    ("Italian", "f5d6c4d3e6", "意大利"),
    ("Cat", "f5d6c4d3c5", "猫"),
    ("Sakaguchi", "f5d6c4d3c5f4e3f3c2c6", "坂口"),
    ("Berner", "f5d6c4d3c5f4e3f3c2b4b3"),
    # After f5 d6 c3
    ("Bent Ganglion", "f5d6c3g5"),
    ("Tiger", "f5d6c3d3c4", "虎"),
    ("Aubrey", "f5d6c3d3c4b3"),
    ("Brightwell", "f5d6c3d3c4f4e3"),
    ("Leader's Tiger", "f5d6c3d3c4f4e6"),
    ("Rose-Bill", "f5d6c3d3c4f4c5b3c2"),
    ("Tamenori", "f5d6c3d3c4f4c5b3c2e6", "为则"),
    ("Central Rose-Bill", "f5d6c3d3c4f4c5b3c2b4"),
    ("Ishii", "f5d6c3d3c4f4c5b4b5c6f3e6e3", "石井"),
    ("Mainline Tiger", "f5d6c3d3c4f4c5b4b5c6f3e6e3g6f6g5d7g3", "主线虎"),
    ("Stephenson", "f5d6c3d3c4f4f6"),
    ("Kung", "f5d6c3d3c4f4f6b4"),
    ("No-Kung", "f5d6c3d3c4f4f6g5"),
    ("Comp'Oth", "f5d6c3d3c4f4f6f3"),
    ("Lightning Bolt", "f5d6c3d3c4f4f6f3e3", "闪电"),
    ("F.A.T. Draw", "f5d6c3d3c4f4f6f3e6e7d7g6f8f7g5h6h4g4h3h5h7"),
)
"""Names, lines, all written with f5 as the first move, and what they are called in Chinese, if not the same."""
OPENINGS = {name: line for name, line, *_ in _NAMES}
CHINESE = {name: chinese[0] for name, _, *chinese in _NAMES if chinese}


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
