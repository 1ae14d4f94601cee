"""The games database: nothing is lost, nothing twice, nothing broken, whoever is killed and whoever else writes."""

from __future__ import annotations

import json
import math
import os
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.arena import database as database_module
from plyground.arena import shared_file
from plyground.arena.database import APPLICATION, VERSION, Database
from plyground.arena.ratings import tally
from plyground.cli.db import ratings_command
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.errors import DatabaseError, PlygroundError

ANN, BOB, CAT = PlayerEntry("ann", "mcts:time=1", "d1"), PlayerEntry("bob", "random", "d2"), PlayerEntry("cat")


def sample(key: str = "t/1", players=(ANN, BOB), returns=(1.0, -1.0), game: str = "reversi", **fields) -> PlayedGame:
    moves = (
        PlayedMove(0, 37, "f5", 0.25, 0.5, 7, 12345),
        PlayedMove(1, 43, "d6", 0.5),
        PlayedMove(-1, 3, "dice", 0.0, None, None, None),
    )
    return PlayedGame(key, game, tuple(players), returns, moves, **fields)


@pytest.fixture
def games(tmp_path):
    with Database(tmp_path / "games.db") as database:
        yield database


TEXT = st.text(st.characters(blacklist_categories=["Cs"]), max_size=20)
FINITE = st.floats(-1e9, 1e9)
MAYBE = st.none() | FINITE
COUNT = st.none() | st.integers(0, 2**70)
MOVES = st.builds(
    PlayedMove,
    st.integers(-1, 5),
    st.integers(-(2**40), 2**70),
    TEXT,
    st.integers(0, 10**9).map(lambda microseconds: microseconds / 1e6),
    MAYBE,
    COUNT,
    COUNT,
)
PLAYERS = st.builds(PlayerEntry, TEXT, TEXT, TEXT)


@st.composite
def results(draw) -> PlayedGame:
    seats = draw(st.integers(0, 4))
    return PlayedGame(
        key=draw(TEXT),
        game=draw(TEXT),
        players=tuple(draw(PLAYERS) for _ in range(seats)),
        returns=tuple(draw(FINITE) for _ in range(seats)),
        moves=tuple(draw(st.lists(MOVES, max_size=4))),
        reason=draw(TEXT),
        opening=draw(TEXT),
        started=draw(FINITE),
        seconds=draw(FINITE),
    )


@settings(max_examples=60)
@given(st.lists(results(), max_size=4))
def test_what_comes_out_is_what_went_in(many):
    with tempfile.TemporaryDirectory() as folder, Database(Path(folder) / "games.db") as database:
        expected = {}
        for result in many:
            assert database.add(result) == (result.key not in expected)
            expected.setdefault(result.key, result)
        assert list(database.results()) == list(expected.values())


def test_a_key_is_written_once(games):
    assert games.add(sample("t/1"))
    assert not games.add(sample("t/1", returns=(-1.0, 1.0)))
    assert [result.returns for result in games.results()] == [(1.0, -1.0)]


def test_keys_belong_to_their_tournament(games):
    for key in ("t/1", "t/2", "t2/1", "alone"):
        games.add(sample(key))
    assert games.keys("t") == {"t/1", "t/2"}
    assert games.keys("alone") == {"alone"}
    assert games.keys("T") == set()


def test_filters(games):
    games.add(sample("a/1"))
    games.add(sample("a/2", (BOB, CAT), reason="cat took 61 s of 60 s"))
    games.add(sample("b/1", (CAT, ANN), game="nim"))

    def found(**filters) -> list[str]:
        keys = [result.key for result in games.results(**filters)]
        filters.pop("limit", None)
        if not filters.pop("offset", 0):
            assert games.count(**filters) >= len(keys)
        return keys

    assert found() == ["a/1", "a/2", "b/1"]
    assert found(tournament="a") == ["a/1", "a/2"]
    assert found(player="cat") == ["a/2", "b/1"]
    assert found(player="cat", game="nim") == ["b/1"]
    assert found(reason="61 s") == ["a/2"]
    assert found(key="b/1") == ["b/1"]
    assert found(limit=1, offset=1) == ["a/2"]
    assert found(player="' OR 1=1 --") == []
    assert games.games() == ["nim", "reversi"]


def test_tournaments_and_their_plans(games):
    assert games.tournament("t") is None
    games.save_tournament("t", {"players": ["ann", "bob"], "seed": 7})
    games.save_tournament("later", [])
    games.add(sample("t/1", started=50.0))
    games.add(sample("t/2", (BOB, CAT), started=40.0))
    assert games.tournament("t") == {"players": ["ann", "bob"], "seed": 7}
    games.save_tournament("t", {"seed": 8})
    assert games.tournament("t") == {"seed": 8}
    summaries = games.tournaments()
    assert [(one.id, one.game, one.games, one.players) for one in summaries] == [
        ("t", "reversi", 2, 3),
        ("later", "", 0, 0),
    ]
    assert summaries[0].started == 40.0
    with pytest.raises(DatabaseError, match="has no slash"):
        games.save_tournament("a/b", {})


def test_tallies_are_those_of_the_games(games):
    many = [
        sample("a/1"), sample("a/2", (BOB, ANN), (0.0, 0.0)), sample("a/3", (ANN, BOB, CAT), (2.0, 1.0, 1.0)),
        sample("a/4", (ANN, ANN)), sample("a/5", (ANN, PlayerEntry(""))), sample("a/6", (PlayerEntry("ann", "x"), CAT)),
        sample("a/7", (CAT,), (1.0,)),
    ]  # fmt: skip
    for result in many:
        games.add(result)
    games.add(sample("b/1", game="nim"))
    assert sorted(games.tallies("reversi")) == sorted(tally(many))
    assert games.tallies("reversi", tournament="b") == []
    assert games.tallies("nim", tournament="b") == [("ann", "bob", 1, 0, 0)]


def test_what_hostile_players_say_is_stored_all_the_same(games):
    move = PlayedMove(0, 1, "a\udc80\x00'\";", math.nan, math.inf, 10**30, 2**80)
    assert games.add(PlayedGame("t/\udcff", "g", (PlayerEntry("\ud800"),), (0.0,), (move,), "\udcff", started=math.inf))
    (found,) = games.results()
    assert (found.moves[0].value, found.moves[0].time, found.moves[0].depth) == (None, 0.0, 10**30)
    assert (found.key, found.players[0].name, found.started) == ("t/?", "\\ud800", 0.0)
    with pytest.raises(DatabaseError, match="a finite return for each of its players"):
        games.add(sample("t/2", returns=(math.nan, 0.0)))
    with pytest.raises(DatabaseError, match="a finite return for each"):
        games.add(sample("t/3", returns=(1.0,)))
    assert games.count() == 1


def test_the_lists_are_json_for_other_programs(games, tmp_path):
    games.add(sample())
    with sqlite3.connect(tmp_path / "games.db") as other:
        rows = other.execute("SELECT value FROM games, json_each(texts) ORDER BY json_each.key").fetchall()
        assert rows == [("f5",), ("d6",), ("dice",)]
        assert other.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    other.close()


# Other files ---------------------------------------------------------------------------------------------------------

FIRST_TABLES = """
CREATE TABLE players (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, spec TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (name, spec, digest)
);
CREATE TABLE tournaments (id TEXT PRIMARY KEY, plan TEXT NOT NULL);
CREATE TABLE games (
    id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, tournament TEXT NOT NULL, game TEXT NOT NULL,
    reason TEXT NOT NULL, opening TEXT NOT NULL, started REAL NOT NULL, seconds REAL NOT NULL,
    movers TEXT NOT NULL, actions TEXT NOT NULL, texts TEXT NOT NULL, times TEXT, evaluations TEXT
);
CREATE TABLE seats (
    game_id INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE, seat INTEGER NOT NULL,
    player_id INTEGER NOT NULL REFERENCES players (id), result REAL NOT NULL, PRIMARY KEY (game_id, seat)
) WITHOUT ROWID;
CREATE INDEX games_of_a_tournament ON games (tournament);
CREATE INDEX seats_of_a_player ON seats (player_id);
INSERT INTO players VALUES (1, 'ann', 'random', ''), (2, 'bob', '', '');
INSERT INTO tournaments VALUES ('t', '{"seed": 7}');
INSERT INTO games VALUES (
    1, 't/1', 't', 'nim', 'over', '', 5.0, 1.0, '[0,1]', '[3,4]', '["3","4"]', '[0.5,null]', NULL
);
INSERT INTO seats VALUES (1, 0, 1, 1.0), (1, 1, 2, -1.0);
"""


def write_tables(path: Path, script: str, application: int = APPLICATION, version: int = 1) -> Path:
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.execute(f"PRAGMA application_id = {application}")
    connection.execute(f"PRAGMA user_version = {version}")
    connection.commit()
    connection.close()
    return path


def shape(path: Path) -> tuple[list, int]:
    """The columns of all tables and the indices, whatever order they were made in, and the version."""
    connection = sqlite3.connect(path)
    tables = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
    found = [(name, sorted(row[1:4] for row in connection.execute(f"PRAGMA table_info({name})"))) for name in tables]
    indices = connection.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY name"
    )
    found += indices.fetchall()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.close()
    return found, version


@pytest.mark.parametrize("write", [True, False])
def test_a_file_of_the_first_version_is_brought_to_the_present_one(tmp_path, write):
    path = write_tables(tmp_path / "old.db", FIRST_TABLES)
    with Database(path, write=write) as database:
        (found,) = database.results()
        assert found == PlayedGame(
            "t/1", "nim", (PlayerEntry("ann", "random"), PlayerEntry("bob")), (1.0, -1.0),
            (PlayedMove(0, 3, "3", 0.5), PlayedMove(1, 4, "4")), "over", "", 5.0, 1.0,
        )  # fmt: skip
        assert database.tournament("t") == {"seed": 7}
    with Database(path) as database:
        assert not database.add(sample("t/1"))
        assert database.add(sample("t/2"))
    with Database(tmp_path / "new.db"):
        pass
    assert shape(path) == shape(tmp_path / "new.db")
    assert shape(path)[1] == VERSION


def test_a_migration_that_fails_changes_nothing(tmp_path, monkeypatch):
    path = write_tables(tmp_path / "old.db", FIRST_TABLES)
    before = shape(path)
    monkeypatch.setitem(database_module.MIGRATIONS, 1, "ALTER TABLE games ADD COLUMN depths TEXT; SELECT nonsense")
    with pytest.raises(DatabaseError, match="nonsense"):
        Database(path)
    assert shape(path) == before


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda path: path.write_text("f5d6c3 is no database, however long this text may be " * 20),
            "it is not a database",
        ),
        (lambda path: path.mkdir(), "is a folder, not a games database"),
        (lambda path: write_tables(path, "CREATE TABLE t (x)", 0, 0), "is a database of another program"),
        (lambda path: write_tables(path, "CREATE TABLE t (x)", 77, 1), "is a database of another program"),
        (lambda path: write_tables(path, "CREATE TABLE t (x)", APPLICATION, 99), "newer Plyground: its version is 99"),
    ],
    ids=["text", "folder", "foreign", "foreign-marked", "newer"],
)
def test_what_is_no_database_of_ours_is_refused_and_left_alone(tmp_path, make, message, write):
    path = tmp_path / "x.db"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(DatabaseError, match=message) as caught:
        Database(path, write=write)
    assert "\n" not in str(caught.value)
    assert (path.read_bytes() if path.is_file() else None) == before


def test_what_is_not_there_is_not_read(tmp_path):
    with pytest.raises(DatabaseError, match="there is no database"):
        Database(tmp_path / "absent.db", write=False)
    with pytest.raises(DatabaseError, match="there is no folder"):
        Database(tmp_path / "absent" / "games.db")
    (tmp_path / "empty.db").touch()
    with pytest.raises(DatabaseError, match="is empty"):
        Database(tmp_path / "empty.db", write=False)
    assert (tmp_path / "empty.db").stat().st_size == 0
    Database(tmp_path / "empty.db").close()
    assert (tmp_path / "empty.db").stat().st_size > 0


def test_looking_changes_nothing_and_leaves_nothing(tmp_path):
    with Database(tmp_path / "games.db") as database:
        database.add(sample("t/1"))
    before = (tmp_path / "games.db").read_bytes()
    with Database(tmp_path / "games.db", write=False) as database:
        assert database.keys("t") == {"t/1"}
        with pytest.raises(DatabaseError, match=r"cannot write to the database .*: it cannot be written"):
            database.add(sample("t/2"))
    assert [path.name for path in tmp_path.iterdir()] == ["games.db"]
    assert (tmp_path / "games.db").read_bytes() == before


def test_odd_names_of_files_are_names_of_files(tmp_path):
    for name in ("a?mode=ro&x=1#y.db", "hundred%20.db", "名.db"):
        with Database(tmp_path / name) as database:
            database.add(sample())
        with Database(tmp_path / name, write=False) as database:
            assert database.count() == 1
        assert (tmp_path / name).is_file()


def test_a_full_disk_is_said_and_loses_no_earlier_game(games):
    games.add(sample("t/0"))
    games._connection.execute("PRAGMA max_page_count = 20")
    kept = 1

    def fill() -> None:
        nonlocal kept
        for kept in range(1, 1000):
            games.add(sample(f"t/{kept}", (PlayerEntry(f"p{kept}", "x" * 1000), BOB)))

    with pytest.raises(DatabaseError, match=r"cannot write to the database .*: the disk is full"):
        fill()
    assert 1 < kept < 999
    assert games.count() == kept
    games._connection.execute("PRAGMA max_page_count = 100000")
    assert games.add(sample(f"t/{kept}", (PlayerEntry(f"p{kept}", "x" * 1000), BOB)))
    assert [result.players[0].name for result in games.results()][-1] == f"p{kept}"
    assert games._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_lock_that_is_never_released_is_said(tmp_path, monkeypatch):
    monkeypatch.setattr(database_module, "PATIENCE", 0.05)
    with Database(tmp_path / "games.db") as database:
        other = sqlite3.connect(tmp_path / "games.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(DatabaseError, match="another program has kept it locked"):
            database.add(sample())
        assert database.count() == 0  # reading goes on
        other.execute("ROLLBACK")
        other.close()
        assert database.add(sample())


# Real processes ------------------------------------------------------------------------------------------------------

WRITERS = """
import json, os, random, signal, sys, time
from pathlib import Path
from plyground.arena.database import Database
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.errors import DatabaseError
from plyground.web.games.store import open_live

def game(key):
    moves = tuple(PlayedMove(n % 2, n, str(n), 0.5, 0.25, n, n) for n in range(60))
    return PlayedGame(key, "reversi", (PlayerEntry("a" + key), PlayerEntry("b")), (1.0, -1.0), moves)

def child(work):
    number = os.fork()
    if number == 0:
        try:
            work()
        finally:
            os._exit(0)
    return number
"""
"""Importing is slow and forking is not: all writers come from one process, and each opens the file by itself."""


def run_writers(script: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", WRITERS + script, *arguments], capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_kill_9_loses_at_most_the_game_in_flight(tmp_path):
    """Twenty writers are killed at random moments: eight while the file is being made or opened, the others later."""
    run_writers(
        """
folder = sys.argv[1]
luck = random.Random(9)
for writer in range(20):
    told = os.open(f"{folder}/told{writer}", os.O_CREAT | os.O_WRONLY)
    def work():
        with Database(f"{folder}/games.db") as database:
            for number in range(100000):
                os.write(told, f"{'kept' if database.add(game(f't{writer}/{number}')) else 'known'}\\n".encode())
    victim = child(work)
    heard = luck.randrange(1, 20) if writer >= 8 else 0
    while os.path.getsize(f"{folder}/told{writer}") < len("kept\\n") * heard:
        time.sleep(0.001)
    time.sleep(luck.random() * 0.01)
    os.kill(victim, signal.SIGKILL)
    assert os.WIFSIGNALED(os.waitpid(victim, 0)[1])
""",
        str(tmp_path),
    )
    told = [(tmp_path / f"told{writer}").read_text().splitlines() for writer in range(20)]
    assert all(told[8:])
    assert {line for lines in told for line in lines} == {"kept"}
    with Database(tmp_path / "games.db") as database:
        assert database._connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database._connection.execute("PRAGMA foreign_key_check").fetchall() == []
        for writer, lines in enumerate(told):
            found = {int(key.partition("/")[2]) for key in database.keys(f"t{writer}")}
            assert found in (set(range(len(lines))), set(range(len(lines) + 1)))
        for result in database.results():
            assert (len(result.players), len(result.moves)) == (2, 60)
            assert result.players[0].name == f"a{result.key}"


@pytest.mark.parametrize(
    ("opened", "times"),
    [
        ("open_live(Path(path))", 40),
        pytest.param("open_live(Path(path))", 150, marks=pytest.mark.slow),
        pytest.param("Database(path)", 150, marks=pytest.mark.slow),
    ],
)
def test_processes_make_one_file_at_once(tmp_path, opened, times):
    """Three open a file that is not there, at one moment, many times over: none meets half of it."""
    run_writers(
        """
folder = sys.argv[1]
def work(path, moment):
    while time.monotonic() < moment:
        pass
    eval(sys.argv[2]).close()
    with open(f"{folder}/done", "a") as file:
        file.write("done\\n")
for number in range(int(sys.argv[3])):
    moment = time.monotonic() + 0.004
    for process in [child(lambda: work(f"{folder}/{number}.db", moment)) for writer in range(3)]:
        os.waitpid(process, 0)
""",
        str(tmp_path),
        opened,
        str(times),
    )
    assert (tmp_path / "done").read_text().count("done") == 3 * times


def test_processes_write_one_file_at_once(tmp_path):
    """Three begin with no file, each wants to write the same hundred games: every game is kept once, by one of them."""
    run_writers(
        """
folder = sys.argv[1]
def work(writer):
    with Database(f"{folder}/games.db") as database:
        new = [number for number in range(100) if database.add(game(f"t/{number}"))]
    with open(f"{folder}/new{writer}", "w") as file:
        json.dump(new, file)
for process in [child(lambda writer=writer: work(writer)) for writer in range(3)]:
    os.waitpid(process, 0)
""",
        str(tmp_path),
    )
    new = [json.loads((tmp_path / f"new{writer}").read_text()) for writer in range(3)]
    assert sorted(number for numbers in new for number in numbers) == list(range(100))
    with Database(tmp_path / "games.db", write=False) as database:
        assert database.keys("t") == {f"t/{number}" for number in range(100)}
        assert database._rows("SELECT count(*) FROM players") == [(101,)]


def test_a_folder_without_permission_is_read_and_not_written():
    """As another user than root, to whom everything is permitted."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with Database(folder / "games.db") as database:
            database.add(sample())
        (folder / "games.db").chmod(0o444)
        folder.chmod(0o555)
        said = run_writers(
            """
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
with Database(sys.argv[1] + "/games.db", write=False) as database:
    print(database.count())
for name in ("games.db", "new.db"):
    try:
        Database(sys.argv[1] + "/" + name)
    except DatabaseError as error:
        print(error)
""",
            name,
        )
        folder.chmod(0o755)
        assert sorted(path.name for path in folder.iterdir()) == ["games.db"]
    count, there, new = said.splitlines()
    assert count == "1"
    assert "games.db" in there
    assert "cannot be written" in there
    assert "new.db" in new
    assert "cannot be written" in new


def test_every_error_is_one_of_ours():
    assert issubclass(DatabaseError, PlygroundError)
    assert issubclass(DatabaseError, OSError)


# Files from elsewhere -----------------------------------------------------------------------------------------------

ENDLESS = "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"


def changed(path, *statements) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


@pytest.fixture
def file(tmp_path) -> Path:
    with Database(tmp_path / "games.db") as database:
        for number in range(20):
            database.add(sample(f"t/{number}"))
        database.save_tournament("t", {"games": 20})
    return tmp_path / "games.db"


@pytest.mark.parametrize("write", [True, False])
@pytest.mark.parametrize(
    ("statements", "message"),
    [
        (["DROP TABLE seats", f"CREATE VIEW seats AS {ENDLESS}"], "it has a view 'seats'; remove it with DROP VIEW"),
        ([f"CREATE VIEW mine AS {ENDLESS}"], "it has a view 'mine'"),
        (["CREATE TRIGGER t AFTER INSERT ON games BEGIN DELETE FROM games; END"], "it has a trigger 't'"),
        (["DROP TABLE seats"], "it has no table seats"),
        (["DROP TABLE seats", "CREATE VIRTUAL TABLE seats USING fts5(x)"], "it has no table seats"),
        (["ALTER TABLE games DROP COLUMN reason"], "its table games has no column reason"),
        (
            ["ALTER TABLE games DROP COLUMN nodes", "ALTER TABLE games ADD COLUMN nodes TEXT AS (zeroblob(1 << 30))"],
            "its table games has no column nodes",
        ),
    ],
)
def test_a_file_from_elsewhere_brings_no_programs_along(file, statements, message, write):
    changed(file, *statements)
    with pytest.raises(DatabaseError, match=message) as caught:
        Database(file, write=write)
    assert "\n" not in str(caught.value)


def test_a_damaged_file_is_refused_when_it_is_opened(file):
    whole = file.read_bytes()
    for page in range(1, len(whole) // 4096):
        file.write_bytes(whole[: 4096 * page] + bytes(4096) + whole[4096 * page + 4096 :])
        with pytest.raises(DatabaseError, match=r"it is damaged"):
            Database(file, write=False)
    file.write_bytes(whole)
    with Database(file, write=False) as database:
        assert database.count() == 20


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE games SET movers = 'x' WHERE id = 7",
        "UPDATE games SET movers = '{}' WHERE id = 7",
        "UPDATE games SET movers = '[0]' WHERE id = 7",
        "UPDATE games SET texts = '[1, 2, 3]' WHERE id = 7",
        "UPDATE games SET actions = '[1.5, 2, 3]' WHERE id = 7",
        "UPDATE games SET nodes = '[[], {}, 3]' WHERE id = 7",
        "UPDATE games SET times = '" + "[" * 100_000 + "' WHERE id = 7",
        "UPDATE games SET reason = x'00ff' WHERE id = 7",
        "UPDATE games SET reason = CAST(x'ff0a41' AS TEXT) WHERE id = 7",
        "UPDATE players SET name = x'00ff'",
    ],
)
def test_a_game_that_is_none_is_said_in_a_line(file, statement):
    changed(file, statement)
    with Database(file, write=False) as database:
        with pytest.raises(DatabaseError, match="cannot read the database") as caught:
            list(database.results())
        assert "\n" not in str(caught.value)
        assert len(str(caught.value)) < 400


def test_a_plan_that_is_none_is_said_in_a_line(file):
    changed(file, "UPDATE tournaments SET plan = '{'")
    with Database(file, write=False) as database, pytest.raises(DatabaseError, match="it is damaged"):
        database.tournament("t")


def test_a_query_that_takes_far_too_long_is_ended(file, monkeypatch):
    monkeypatch.setattr(shared_file, "EFFORT", 100_000)
    changed(
        file,
        f"INSERT INTO seats SELECT 1, i + 10, 1, 0, NULL FROM ({ENDLESS} LIMIT 3000)",  # a game of 3,000 players
    )
    with Database(file, write=False) as database:
        for _ in range(2):  # and the next query has its own time
            with pytest.raises(DatabaseError, match="it takes too long"):
                database.tallies("reversi")
            assert database.count() == 20


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no named pipes in folders")
def test_what_is_no_file_is_not_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for write in (True, False):
        with pytest.raises(DatabaseError, match="is a pipe, not a games database"):
            Database(tmp_path / "pipe", write=write)
        with pytest.raises(DatabaseError, match="is a device, not a games database"):
            Database(os.devnull, write=write)


def test_a_seat_of_nobody_is_said_in_a_line(file):
    changed(file, "DELETE FROM players WHERE name = 'bob'")
    with Database(file, write=False) as database, pytest.raises(DatabaseError, match="it is damaged"):
        database.tallies("reversi")


# What others do to it ---------------------------------------------------------------------------------------------


@pytest.fixture
def filled(tmp_path):
    path = tmp_path / "games.db"
    with Database(path) as database:
        for number in range(4):
            database.add(sample(f"t/{number}"))
    return path


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("UPDATE seats SET result = -result WHERE game_id = 2", "the game t/1 or one before it"),
        ("UPDATE games SET reason = 'x' WHERE id = 3", "the game t/2 or one before it"),
        ("UPDATE players SET name = 'x' WHERE id = 1", "the game t/0 or one before it"),
        ("DELETE FROM games WHERE id = 2", "the game t/2 or one before it"),
        ("DELETE FROM games WHERE id = 4", "it has 3 games, and 4 were written"),
    ],
)
def test_what_others_have_changed_is_found(filled, statement, message, capsys):
    with Database(filled, write=False) as database:
        assert database.check_chain() is None
    changed(filled, statement)
    with Database(filled, write=False) as database:
        assert message in database.check_chain()
    ratings_command(filled, None, None, None, 0.0, 0, False)
    assert message in " ".join(capsys.readouterr().err.split())


def test_a_game_that_is_changed_while_a_tournament_runs_is_noticed_at_once(filled):
    with Database(filled, guard=True) as database:
        assert database.add(sample("t/8"))
        with Database(filled) as another:
            another.add(sample("u/1"))
        assert database.add(sample("t/9"))
        changed(filled, "UPDATE seats SET result = -result WHERE game_id = 5")
        with pytest.raises(DatabaseError, match="somebody has altered the game t/8 in the database"):
            database.add(sample("t/10"))


@pytest.mark.parametrize("replaced", [False, True])
def test_a_database_that_vanishes_is_noticed_at_once(filled, replaced):
    with Database(filled, guard=True) as database:
        database.add(sample("t/8"))
        filled.unlink()
        if replaced:
            Database(filled).close()
        with pytest.raises(DatabaseError, match="somebody has removed or replaced the database"):
            database.add(sample("t/9"))


def test_processor_times_are_kept(tmp_path):
    with Database(tmp_path / "games.db") as database:
        database.add(sample(processor_times=(1.5, 0.25)))
        (found,) = database.results()
    assert found.processor_times == (1.5, 0.25)
