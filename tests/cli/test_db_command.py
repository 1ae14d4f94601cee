"""The commands on a games database, as people and programs use them."""

from __future__ import annotations

import json
import re

import pytest
from typer.testing import CliRunner

from plyground.arena.database import Database
from plyground.cli.main import app
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.errors import BadOption, DatabaseError, FormatError, UnknownName
from plyground.formats import read_any_file
from plyground.games import make_game

MOVES = (PlayedMove(0, 37, "f5", 0.25, 0.5, 7, 12345), PlayedMove(1, 43, "d6"))


@pytest.fixture
def file(tmp_path):
    """Three Reversi players, of whom one has only won, two Nim players, and one tournament that is only planned."""
    with Database(tmp_path / "games.db") as database:

        def play(key: str, first: str, second: str, returns: tuple[float, float], game: str = "reversi") -> None:
            players = (PlayerEntry(first, f"{first}:x=1"), PlayerEntry(second, f"{second}:x=1"))
            database.add(PlayedGame(key, game, players, returns, MOVES, started=86400.0 * 365))

        for number in range(6):
            play(f"t1/{number}", "ann", "bob", (1, -1) if number % 3 else (-1, 1))
        play("t1/6", "cat", "ann", (1, -1))
        play("t2/0", "ann", "dan", (0, 0), "nim")
        play("t2/1", "dan", "ann", (1, -1), "nim")
        database.save_tournament("t3", {})
    return str(tmp_path / "games.db")


def run(*words: str) -> str:
    done = CliRunner().invoke(app, ["db", *words], env={"COLUMNS": "120", "NO_COLOR": "1"})
    if done.exception:
        raise done.exception
    return done.stdout


def answer(*words: str):
    return json.loads(run(*words, "--json"))


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("│")] for line in text.splitlines() if "│" in line]


def test_tournaments_are_listed(file):
    assert [row[:4] for row in rows(run("tournaments", file))] == [
        ["t1", "7", "reversi", "3"], ["t2", "2", "nim", "2"], ["t3", "0", "", "0"],
    ]  # fmt: skip
    assert [one["games"] for one in answer("tournaments", file)] == [7, 2, 0]


def test_games_are_listed_and_filtered(file):
    shown = run("games", file, "--player", "ann", "--limit", "3", "--offset", "5")
    assert [row[:3] for row in rows(shown)] == [
        ["t1/5", "1-0", "ann - bob"], ["t1/6", "1-0", "cat - ann"], ["t2/0", "½-½", "ann - dan"],
    ]  # fmt: skip
    assert "3 of 9 games" in shown
    listed = answer("games", file, "--game", "nim")
    assert listed["count"] == 2
    assert listed["games"][1] == {
        "key": "t2/1", "tournament": "t2", "game": "nim", "players": ["dan", "ann"], "returns": [1.0, -1.0],
        "winner": 0, "reason": "the game is over", "opening": "", "moves": 2, "started": 31536000.0, "seconds": 0.0,
    }  # fmt: skip
    assert answer("games", file, "--reason", "time") == {"count": 0, "games": []}
    assert len(answer("games", file, "--limit", "0")["games"]) == 9


def test_one_game_is_shown_with_its_moves(file):
    shown = run("show", file, "t1/0")
    assert "1: ann  ann:x=1  -1" in shown
    assert "1. 1: f5  value +0.50, depth 7, 12,345 nodes, 0.250 s" in shown
    assert "2. 2: d6" in shown
    after = run("show", file, "t1/0", "--boards").partition("1. 1: f5")[2].partition("2. 2: d6")[0]
    assert "5 . . . X X X . ." in after
    assert answer("show", file, "t1/0")["moves"][0]["nodes"] == 12345
    with pytest.raises(UnknownName, match="has no game with the key 't1/99'"):
        run("show", file, "t1/99")


def test_each_game_has_its_own_ratings(file):
    shown = run("ratings", file)
    found = rows(shown)
    assert [row[0] for row in found] == ["dan", "ann", "cat", "ann", "bob"]
    assert found[2][6].startswith("≥ ")
    assert found[3][1:6] == ["7", "4", "0", "3", "57.1%"]
    assert re.search(r"^nim$", shown, re.MULTILINE)
    assert "≥ and ≤ (95%)" in shown
    pools = answer("ratings", file, "--anchor", "bob", "--at", "1500")
    assert [one["anchor"] for one in (pools["nim"], pools["reversi"])] == [None, "bob"]
    (bob,) = (row for row in pools["reversi"]["players"] if row["name"] == "bob")
    assert (bob["rating"], bob["low"], bob["high"]) == (1500, 1500, 1500)
    assert pools["reversi"]["players"][1]["superiority_over_next"] > 0.5
    assert list(answer("ratings", file, "--tournament", "t2")) == ["nim"]
    assert [row[0] for row in rows(run("ratings", file, "--game", "reversi", "--least-games", "5"))] == ["ann", "bob"]
    assert "no games between different players" in run("ratings", file, "--tournament", "t3")


def test_ratings_of_whom_there_is_not_are_refused(file):
    with pytest.raises(UnknownName, match="no player 'anne' to be the anchor; did you mean 'ann'"):
        run("ratings", file, "--anchor", "anne")
    with pytest.raises(UnknownName, match="has no games of 'reversy'; did you mean 'reversi'"):
        run("ratings", file, "--game", "reversy")


def test_players_of_one_name_are_found_by_it_and_told_apart(file):
    with Database(file) as database:
        for number, digest in enumerate(["aaaa1111", "bbbb2222"]):
            players = (PlayerEntry("eve", "course:file=eve.py", digest), PlayerEntry("bob", "bob:x=1"))
            database.add(PlayedGame(f"t4/{number}", "reversi", players, (1, -1), MOVES, started=86400.0 * number))
    listed = {row[0]: row[1:] for row in rows(run("players", file))}
    assert listed["eve (aaaa1111)"] == ["1", "", "", "course:file=eve.py"]
    assert listed["eve (bbbb2222)"] == ["1", "1970-01-02", "1970-01-02", "course:file=eve.py"]
    assert listed["ann"][0] == "9"
    assert [one["games"] for one in answer("players", file) if one["name"] == "eve"] == [1, 1]
    assert answer("games", file, "--player", "eve")["count"] == 2
    assert answer("games", file, "--player", "eve (bbbb2222)")["games"][0]["key"] == "t4/1"
    with pytest.raises(UnknownName, match="has no player 'evi'; did you mean 'eve'"):
        run("games", file, "--player", "evi")
    done = CliRunner().invoke(app, ["db", "ratings", file, "--game", "reversi", "--anchor", "eve", "--json"])
    assert json.loads(done.stdout)["reversi"]["anchor"] == "eve (bbbb2222)"
    assert "the last to play of the 2 players called eve" in done.stderr
    shown = run("ratings", file, "--game", "reversi", "--anchor", "eve (aaaa1111)")
    assert "which is which: plyground db players" in shown


def test_games_go_out_and_come_in_again(file, tmp_path):
    assert len(json.loads(run("export", file))) == 9
    assert run("export", file, "--format", "csv", "--game", "nim").count("\n") == 3
    out = tmp_path / "out.ggf"
    run("export", file, "--game", "reversi", "--out", str(out))
    assert out.read_text().count("(;GM[Othello]") == 7
    run("export", file, "--out", str(tmp_path / "out.txt"), "--tournament", "t1")
    assert (tmp_path / "out.txt").read_text() == "f5d6\n" * 7
    other = str(tmp_path / "other.db")
    assert run("import", other, str(out)) == "7 games read, 7 added\n"
    assert answer("import", other, str(tmp_path)) == {"files": 1, "games": 7, "added": 0, "left_out": 0}
    with Database(other) as database:
        assert [result.returns for result in database.results()][:2] == [(-1.0, 1.0), (1.0, -1.0)]
    with pytest.raises(FormatError, match="only Reversi"):
        run("export", file, "--format", "ggf")


def test_a_faulty_game_is_noted_and_the_others_come_in(file, tmp_path):
    good = "(;GM[Othello]PB[a]PW[b]BO[8 ---------------------------O*------*O--------------------------- *]B[f5];)\n"
    (tmp_path / "x.ggf").write_text(good + good.replace("f5", "a1") + good.replace("f5", "d3"))
    done = CliRunner().invoke(app, ["db", "import", file, str(tmp_path / "x.ggf")])
    assert done.stdout == "2 games read, 2 added, 1 left out\n"
    assert "game 2: move 1: a1 flips nothing" in " ".join(done.stderr.split())
    (tmp_path / "empty").mkdir()
    with pytest.raises(BadOption, match=r"has no files \.wtb, \.ggf or \.pgn"):
        run("import", file, str(tmp_path / "empty"))


def test_nothing_is_made_by_looking(tmp_path):
    for words in (["games"], ["tournaments"], ["ratings"], ["export"]):
        with pytest.raises(DatabaseError, match="there is no database"):
            run(*words, str(tmp_path / "absent.db"))
    assert list(tmp_path.iterdir()) == []


def test_an_error_is_one_line_for_people(command):
    done = command("db", "games", "absent.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: there is no database absent.db\n"


@pytest.mark.parametrize("name", ["tournaments", "players", "games", "show", "ratings", "import", "export"])
def test_help_has_an_example(name):
    assert f"Example: plyground db {name}" in " ".join(run(name, "--help").split())


# Chess --------------------------------------------------------------------------------------------------------------

PGN = """[Event "Club"]
[Date "1858.11.02"]
[White "Ann"]
[Black "Bob"]
[TimeControl "60+1"]
[Result "1-0"]

1. e4 {[%clk 0:01:00]} e5 {[%emt 0:00:02.5]} 2. Qh5 {[%clk 0:00:58]} Nc6 3. Bc4 Nf6 4. Qxf7# 1-0

[Event "Club"]
[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"]
[Result "1/2-1/2"]

1... Kd7 2. e4 1/2-1/2

[Event "bad"]

1. e4 e5 2. Ke3 *
"""


def test_games_of_chess_come_in_and_go_out(tmp_path):
    (tmp_path / "club.pgn").write_text(PGN)
    file = str(tmp_path / "games.db")
    assert run("import", file, str(tmp_path)) == "2 games read, 2 added, 1 left out\n"
    assert run("import", file, str(tmp_path / "club.pgn")) == "2 games read, 0 added, 1 left out\n"
    with Database(file, write=False) as database:
        first, second = list(database.results())
    assert (first.game, first.returns, first.reason) == ("chess", (1.0, -1.0), "the game is over")
    assert [move.time for move in first.moves[:4]] == [0.0, 2.5, 3.0, 0.0]
    assert [move.text for move in first.moves[-2:]] == ["Nf6", "Qxf7#"]
    assert second.game == "chess:fen=4k3/8/8/8/8/8/4P3/4K3 b - - 0 1"
    assert (second.moves[0].player, second.reason) == (1, "agreed")
    out = tmp_path / "out.pgn"
    run("export", file, "--out", str(out))
    games = list(read_any_file(out))
    assert [game.result for game in games] == ["1-0", "1/2-1/2"]
    assert [(game.white, len(game.moves), game.line[1].time) for game in games] == [("Ann", 7, 2.5), ("", 2, None)]
    assert games[1].start == make_game(second.game).initial
    assert "4 . . . . P . . ." in run("show", file, second.key, "--boards")


def test_pgn_is_for_chess(file):
    with pytest.raises(FormatError, match="is one of reversi; PGN is for chess"):
        run("export", file, "--format", "pgn", "--tournament", "t1")
