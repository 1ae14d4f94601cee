"""The languages that pictures speak, and the words of the buttons with which films and trees are gone through."""

from __future__ import annotations

from plyground.errors import BadOption

__all__ = ["PLAYER_WORDS", "check_language"]

PLAYER_WORDS = {
    "en": {
        "lang": "en",
        "theme": "light or dark",
        "first": "to the start",
        "back": "one step back",
        "next": "next step",
        "last": "to the end",
        "play": "play",
        "pause": "pause",
        "step": "step",
        "speed": "speed",
    },
    "zh": {
        "lang": "zh-CN",
        "theme": "切换浅色或深色",
        "first": "回到开头",
        "back": "后退一步",
        "next": "前进一步",
        "last": "跳到结尾",
        "play": "播放",
        "pause": "暂停",
        "step": "步骤",
        "speed": "速度",
    },
}


def check_language(lang: str) -> str:
    """The language itself, if it is one of those that pictures speak."""
    if lang not in PLAYER_WORDS:
        raise BadOption(f"there is no language '{lang[:20]}'; there are: {', '.join(PLAYER_WORDS)}")
    return lang
