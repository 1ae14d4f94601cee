"""A played game is one value: from the referee through the database, the pages and the files, and back."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import actions, interpreted, make_game, text
from plyground.arena.archive import export_ggf, export_json, import_file
from plyground.arena.database import Database
from plyground.arena.referee import Rules, play_game
from plyground.core.played_game import OVER, PlayedGame, PlayedMove, PlayerEntry, forfeited, winner_of
from plyground.players import Move, Player, Resign
from plyground.web.games.live import LiveGame, new_game
from plyground.web.games.records import list_games, show_game

GAMES = ("tictactoe", "connect4", "nim:piles=3,4,5", "reversi:size=4", "reversi")


class Drawn(Player):
    """Plays and says what was drawn for it; after this many moves it resigns."""

    def __init__(self, name, random, patience):
        self.spec, self._random, self._patience = name, random, patience

    def choose(self, position, limit):
        self._patience -= 1
        if self._patience < 0:
            return Resign()
        action = self._random.choice(actions(position.state))
        if self._random.random() < 0.5:
            return Move(action)
        return Move(action, self._random.randint(-64, 64) / 64, (), self._random.randint(1, 60), 2**40)


@st.composite
def played_games(draw):
    game = make_game(draw(st.sampled_from(GAMES)))
    random = Random(draw(st.integers(0, 2**32)))
    players = [Drawn(name, random, draw(st.sampled_from([4, 99]))) for name in ("ann", "bob")]
    with interpreted():
        opening = draw(st.sampled_from(["", play_game(game, players[:1] * 2).moves[0].text]))
        record = play_game(game, players, rules=Rules(move_time=None), moves=opening)
    assert (record.game, record.opening) == (game.spec, opening)
    # The database keeps millionths of seconds.
    moves = tuple(replace(move, time=round(move.time, 6)) for move in record.moves)
    return game, replace(record, key="t1/1", moves=moves)


@settings(max_examples=30, deadline=None)
@given(played_games())
def test_a_game_is_the_same_from_the_referee_to_the_files(drawn):
    game, record = drawn
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.db"
        with Database(path) as base:
            base.add(record)
            (found,) = base.results()
            (exported,) = json.loads("".join(export_json([found])))
        assert found == record
        assert exported == json.loads(json.dumps(asdict(record)))

        shown = show_game(path, record.key)
        assert shown["moves"] == [asdict(move) for move in record.moves]
        assert (shown["returns"], shown["winner"], shown["reason"]) == (
            list(record.returns), record.winner, record.reason
        )  # fmt: skip
        assert list_games(path, None, "ann", None, None, 5, None)[0].items() <= {"index": 0, **shown}.items()
        with interpreted():
            states = record.states(game.initial)
            assert [one["text"] for one in shown["positions"]] == [text(state) for state in states]
            assert not record.complete or record.returns == game.returns(states[-1])

        if record.game == "reversi":
            file = Path(folder) / "games.ggf"
            file.write_text("".join(export_ggf([record])), encoding="utf-8")
            with Database(Path(folder) / "other.db") as base:
                import_file(base, file)
                (back,) = base.results()
            plain = [replace(move, time=0.0, value=None, depth=None, nodes=None) for move in record.moves]
            assert [replace(move, time=0.0, value=None) for move in back.moves] == plain
            assert [move.value for move in back.moves] == [move.value for move in record.moves]
            assert (back.returns, back.winner, back.complete) == (record.returns, record.winner, record.complete)
            assert [player.name for player in back.players] == ["ann", "bob"]


@settings(max_examples=30, deadline=None)
@given(played_games())
def test_a_game_in_the_app_is_the_same_game(drawn):
    _, record = drawn
    live = new_game("somebody", record.game, ["human", "human"], moves=" ".join(move.text for move in record.moves))
    if not record.complete:
        live.forfeit(live.mover, "resigns", "resigns")
    for node, move in zip(live.nodes[1:], record.moves, strict=True):
        live.go_to(node.parent)
        live.add(move.action, Move(move.action, move.value, (), move.depth, move.nodes), move.time)
    kept = LiveGame.from_content(json.loads(json.dumps(live.content())))
    assert kept.content() == live.content()
    again = kept.record()
    assert again.moves == tuple(replace(move, time=round(move.time, 3)) for move in record.moves)
    assert (again.game, again.returns, again.reason) == (record.game, record.returns, record.reason)
    assert kept.over["winner"] == again.winner == record.winner


def test_a_game_of_the_app_is_kept_as_ever():
    """As files of the app have it that were written before moves were values of their own."""
    first = {"id": 0, "parent": None, "player": None, "action": None, "text": None, "time": None, "value": None,
             "depth": None, "nodes": None, "left": None}  # fmt: skip
    nodes = [
        first,
        {**first, "id": 1, "parent": 0, "player": 0, "action": 4, "text": "b2", "left": [10.0, 9.5]},
        {**first, "id": 2, "parent": 1, "player": 1, "action": 0, "text": "a1", "time": 0.25, "value": -0.5, "depth": 3,
         "nodes": 7},
    ]  # fmt: skip
    content = {**new_game("somebody", "tictactoe", ["human", "human"]).content(), "nodes": nodes, "at": 2}
    game = LiveGame.from_content(content)
    assert game.moves() == [PlayedMove(0, 4, "b2"), PlayedMove(1, 0, "a1", 0.25, -0.5, 3, 7)]
    assert json.dumps(game.content()) == json.dumps(content)


@pytest.mark.parametrize(
    ("returns", "winner"),
    [((1.0, -1.0), 0), ((-1.0, 1.0), 1), ((0.0, 0.0), None), ((1.0, 1.0, -2.0), None), ((0.0, -1.0, 1.0), 2),
     ((5.0,), None), ((), None)],
)  # fmt: skip
def test_the_winner_is_alone_at_the_top(returns, winner):
    assert winner_of(returns) == winner
    assert PlayedGame("", "g", tuple(PlayerEntry("") for _ in returns), returns).winner == winner


def test_whoever_forfeits_has_lost_to_all_others():
    game = make_game("nim:piles=3")
    for loser in (0, 1):
        returns, reason = forfeited(game, loser, "resigns")
        record = PlayedGame("", game.spec, (), returns, reason=reason)
        assert (record.winner, record.complete) == (1 - loser, False)
        assert reason == f"{game.seats[loser]} resigns" != OVER
