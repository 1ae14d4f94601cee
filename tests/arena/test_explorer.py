"""Moves and results by position: symmetric, counted once, whatever happens to the files."""

from __future__ import annotations

import sqlite3
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.arena.archive import BROKEN_OFF
from plyground.arena.database import Database
from plyground.arena.explorer import PLIES, Explorer, MoveCounts
from plyground.core.notation import read_moves
from plyground.core.played_game import DISTURBED, PlayedGame, PlayedMove, PlayerEntry
from plyground.core.rules import action_text, actions, result
from plyground.errors import DatabaseError
from plyground.games import make_game
from plyground.native.compiling import interpreted

ANN, BOB = PlayerEntry("ann"), PlayerEntry("bob")
TICTACTOE = make_game("tictactoe")
REVERSI = make_game("reversi")


def played(key: str, game, moves: str, first: float, **fields) -> PlayedGame:
    with interpreted():
        states, history = read_moves(game, moves)
        texts = [action_text(state, action) for state, action in zip(states, history, strict=False)]
    made = tuple(PlayedMove(i % 2, action, text) for i, (action, text) in enumerate(zip(history, texts, strict=True)))
    return PlayedGame(key, game.spec, (ANN, BOB), (first, -first), made, **fields)


@pytest.fixture
def base(tmp_path):
    return tmp_path / "games.db"


def keep(path: Path, *games: PlayedGame) -> None:
    with Database(path) as database:
        for game in games:
            database.add(game)


def counted(path: Path, game, moves: str = "", seconds: float = 60.0):
    with interpreted(), Explorer(path) as explorer:
        progress = explorer.count(game, seconds)
        state = read_moves(game, moves)[0][-1]
        found = {action_text(state, action): pair for action, pair in explorer.moves(game, state).items()}
    return progress, found


def test_moves_are_counted_by_who_won_apart_for_games_of_the_app_and_up_to_symmetry(base):
    keep(
        base,
        played("wthor/1", REVERSI, "f5d6c3", 1.0),
        played("wthor/2", REVERSI, "d3c5f6f5", -1.0),  # the same opening, mirrored
        played("app/x/3", REVERSI, "f5f6", 0.0),
        played("wthor/4", REVERSI, "f5d6", 0.0, reason=BROKEN_OFF),
        played("wthor/5", REVERSI, "f5f4", 0.0, reason=f"{DISTURBED}black stopped"),
        played("wthor/6", TICTACTOE, "a1", 1.0),
    )
    progress, first = counted(base, REVERSI)
    assert progress == (5, 5)
    assert first == dict.fromkeys(("d3", "c4", "f5", "e6"), (MoveCounts(1, 0, 1, 1), MoveCounts(0, 1, 0)))
    _, second = counted(base, REVERSI, "f5")
    assert second == {"d6": (MoveCounts(1, 0, 1, 1), MoveCounts()), "f6": (MoveCounts(), MoveCounts(0, 1, 0))}
    _, mirrored = counted(base, REVERSI, "e6")
    assert set(mirrored.values()) == set(second.values())


def test_a_position_is_found_whichever_moves_led_to_it(base):
    keep(base, played("t/1", TICTACTOE, "a1 b1 c3 b2", 1.0))
    assert counted(base, TICTACTOE, "c3 b1 a1")[1]["b2"] == (MoveCounts(1), MoveCounts())


def test_new_games_are_added_to_those_that_were_counted(base):
    keep(base, played("t/1", TICTACTOE, "b2 a1", 1.0))
    assert counted(base, TICTACTOE)[1]["b2"][0] == MoveCounts(1)
    keep(base, played("t/2", TICTACTOE, "b2 a2", -1.0))
    assert counted(base, TICTACTOE, seconds=0.0)[0] == (1, 2)  # and says that it is not done
    assert counted(base, TICTACTOE) == ((2, 2), {"b2": (MoveCounts(1, 0, 1), MoveCounts())})


def test_games_from_a_board_of_their_own_and_illegal_moves_count_for_nothing(base):
    broken = played("t/1", TICTACTOE, "b2 a1", 1.0)
    far = PlayedMove(0, 1 << 66, "z9")
    keep(
        base,
        played("t/2", TICTACTOE, "b2 a1", 1.0, opening="XO./.../... X"),
        PlayedGame("t/3", "tictactoe", (ANN, BOB), (1.0, -1.0), (broken.moves[0], broken.moves[0], far)),
        PlayedGame("t/4", "tictactoe", (ANN, BOB), (1.0, -1.0), (far,)),
        PlayedGame("t/5", "tictactoe", (ANN,), (1.0,), broken.moves),
        played("t/6", TICTACTOE, "b2 a1", 1.0, opening="b2"),
    )
    progress, found = counted(base, TICTACTOE)
    assert progress == (5, 5)
    assert sum(found["b2"][0]) == 3  # up to the move that is wrong, and the one whose opening are its moves
    assert sum(counted(base, TICTACTOE, "b2")[1]["a1"][0]) == 2


def test_another_database_is_counted_anew_and_a_damaged_file_made_again(base):
    keep(base, played("t/1", TICTACTOE, "b2", 1.0))
    counted(base, TICTACTOE)
    base.unlink()
    keep(base, played("t/2", TICTACTOE, "a1", 1.0), played("t/3", TICTACTOE, "a1", 1.0))
    assert "b2" not in counted(base, TICTACTOE)[1]
    index = base.with_name("games.positions.db")
    index.write_bytes(b"SQLite format 3\0" + b"x" * 4096)
    assert counted(base, TICTACTOE)[1]["a1"][0] == MoveCounts(2)
    index.unlink()
    other = sqlite3.connect(index)
    other.execute("CREATE TABLE mine (x)")
    other.close()
    with pytest.raises(DatabaseError, match="another program's"):
        Explorer(base)
    index.unlink()
    index.mkdir()
    with pytest.raises(DatabaseError, match="is a folder"):
        Explorer(base)


def test_without_a_database_there_are_no_games(base):
    assert counted(base, TICTACTOE) == ((0, 0), {})


@settings(max_examples=15, deadline=None)
@given(st.lists(st.lists(st.integers(0, 30), max_size=9), min_size=1, max_size=8))
def test_the_counts_of_a_position_are_those_of_the_games_that_went_on_from_it(tmp_path_factory, choices):
    """Random games: at the start, up to symmetry, every game that has a move is counted for what it began with."""
    path = tmp_path_factory.mktemp("random") / "games.db"
    firsts: Counter[str] = Counter()
    corner, edge = {"a1", "c1", "a3", "c3"}, {"b1", "a2", "c2", "b3"}
    games = []
    with interpreted():
        for number, picks in enumerate(choices):
            state, texts = TICTACTOE.initial, []
            for pick in picks:
                if not (options := actions(state)):
                    break
                action = options[pick % len(options)]
                texts.append(action_text(state, action))
                state = result(state, action)
            games.append(played(f"t/{number}", TICTACTOE, " ".join(texts), 0.0))
            for text in texts[:1]:
                firsts["corner" if text in corner else "edge" if text in edge else "centre"] += 1
    keep(path, *games)
    _, found = counted(path, TICTACTOE)
    for text, (others, _) in found.items():
        kind = "corner" if text in corner else "edge" if text in edge else "centre"
        assert sum(others) == firsts[kind]
    kinds = {"corner": corner, "edge": edge, "centre": {"b2"}}
    assert len(found) == sum(len(cells) for kind, cells in kinds.items() if firsts[kind])


def test_only_the_first_moves_of_a_game_are_counted(base):
    nim = make_game("nim:piles=40")
    moves = " ".join(["1:1"] * 40)
    keep(base, played("t/1", nim, moves, 1.0))
    assert counted(base, nim, " ".join(["1:1"] * (PLIES - 1)))[1]
    assert not counted(base, nim, " ".join(["1:1"] * PLIES))[1]
