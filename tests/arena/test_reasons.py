"""Why games ended: what is written can be read back, whoever has written it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import plyground.web
from plyground.arena.clocks import Clocks
from plyground.arena.reasons import LOST, WHOLE, read_reason
from plyground.arena.referee import Rules, play_game
from plyground.core.game_time import GameTime
from plyground.errors import PlygroundError
from plyground.games import make_game
from plyground.players import Move, Player, Resign, make_player

STATIC = Path(plyground.web.__file__).parent / "static"


class Odd(Player):
    """Answers as it was told to."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, position, limit):
        return self.answer()


def fail():
    raise PlygroundError("the wheel\n  came off")


@pytest.mark.parametrize(
    ("answer", "rules", "code", "facts"),
    [
        (Resign, Rules(), "resigns", {}),
        (lambda: Move(99), Rules(), "illegal_moves", {"count": "3"}),
        (lambda: Move(99), Rules(illegal_moves=1), "illegal", {"detail": "action 99 is not legal here; legal: a1, b1"}),
        (fail, Rules(), "fails", {"detail": "the wheel came off"}),
        (lambda: Move(4), Rules(move_time=1e-9), "move_time", {"limit": "1e-09"}),
        (lambda: Move(4), Rules(game_time=GameTime(1e-9)), "game_time", {"limit": "1e-09"}),
    ],
)
def test_every_way_to_lose_at_the_referees_table_is_recognised(answer, rules, code, facts):
    game = make_game("tictactoe")
    record = play_game(game, [Odd(answer), make_player("random", game)], rules=rules)
    found = read_reason(record.reason, game.seats)
    assert (found.code, found.seat, found.loser) == (code, "X", 0)
    assert {name: found.facts[name][: len(text)] for name, text in facts.items()} == facts


def test_a_game_that_was_played_to_its_end_is_over():
    game = make_game("tictactoe")
    record = play_game(game, [make_player("random", game, 1), make_player("random", game, 2)])
    assert read_reason(record.reason).code == "over"


@pytest.mark.parametrize("seconds", [61.23456, 3600.0, 1234567.0, 0.0625])
def test_times_of_any_size_are_read(seconds):
    line = Clocks(2, seconds / 2, None).spend(1, seconds)
    found = read_reason(f"white {line}", ("black", "white"))
    assert (found.code, found.loser) == ("move_time", 1)
    assert float(found.facts["spent"]) == pytest.approx(seconds, rel=0.01)


@pytest.mark.parametrize(
    ("line", "code", "loser", "facts"),
    [
        ("white resigns, counted +12", "resigns", 1, {"counted": "+12"}),
        ("black ran out of time, counted -64", "time", 0, {"counted": "-64"}),
        ("agreed, counted +0", "agreed", None, {"counted": "+0"}),
        ("broken off", "broken", None, {}),
        ("broken off, counted -6.5", "broken", None, {"counted": "-6.5"}),
        ("player 3 resigns", "resigns", None, {}),
        ("the cat sat on the board", "", None, {}),
        ("", "", None, {}),
    ],
)
def test_the_lines_of_archives_and_unknown_ones_are_read_as_far_as_they_go(line, code, loser, facts):
    found = read_reason(line, ("black", "white"))
    assert (found.code, found.loser, found.facts) == (code, loser, facts)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_code_has_words_in_both_languages_with_the_same_blanks(lang):
    words = json.loads((STATIC / "words" / f"arena.{lang}.json").read_text(encoding="utf-8"))
    for code, pattern in {**WHOLE, **LOST}.items():
        if code == "over":
            continue
        said = words[f"arena.reason.{code}"]
        blanks = [name for name in ("spent", "limit", "count", "detail") if f"(?P<{name}>" in pattern]
        assert all(f"{{{name}}}" in said for name in blanks)
        assert ("{side}" in said) == (code in LOST)
