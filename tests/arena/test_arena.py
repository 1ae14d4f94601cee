"""The arena: the same table however it is played, on how many processes, and however often it is killed."""

from __future__ import annotations

import io
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pexpect
import pytest
from rich.console import Console

from plyground import make_game
from plyground.arena.crew import Workers, make_crew
from plyground.arena.database import Database
from plyground.arena.hall import Setting, enter_players
from plyground.arena.match import Outcome, hold
from plyground.arena.ratings import rate
from plyground.arena.referee import Rules
from plyground.arena.scoreboard import scoreboard
from plyground.arena.sprt import Sprt
from plyground.arena.tournament import Plan
from plyground.cli import cage_option
from plyground.cli.arena import arena_command
from plyground.errors import BadOption, PlygroundError, ProgramEnded, UnknownName, UnsuitableGame
from plyground.players import PLAYERS
from plyground.processes import program as process

TICTACTOE = make_game("tictactoe")


def random_plan(games=20, players=2, seed=5, **options):
    return Plan("tictactoe", enter_players(["random"] * players, TICTACTOE), games, seed=seed, **options)


def moves_of(outcome):
    return {key: [move.text for move in result.moves] for key, result in outcome.results.items()}


def test_games_are_the_same_on_one_process_and_on_three():
    plan = random_plan(players=3)
    alone = hold(plan)
    assert alone.finished
    assert len(alone.results) == plan.total() == 60
    several = hold(plan, jobs=3)
    assert moves_of(several) == moves_of(alone)
    assert list(several.results) == list(alone.results)
    assert moves_of(hold(random_plan(players=3, seed=6))) != moves_of(alone)


def test_games_that_are_known_are_not_played_again():
    plan = random_plan()
    whole = hold(plan)
    some = dict(list(whole.results.items())[3:15])
    heard = []
    again = hold(plan, Outcome(dict(some)), on_result=lambda result: heard.append(result.key))
    assert set(heard) == set(whole.results) - set(some)
    assert moves_of(again) == moves_of(whole)


def test_a_swiss_tournament_can_be_resumed_too():
    plan = random_plan(2, 5, format="swiss", rounds=3)
    whole = hold(plan)
    some = dict(list(whole.results.items())[:6])
    assert moves_of(hold(plan, Outcome(some), jobs=2)) == moves_of(whole)


def test_what_is_kept_of_a_game():
    plan = random_plan(2, openings=("a1 b2",))
    first, second = hold(plan).results.values()
    assert (first.game, first.opening, first.reason) == ("tictactoe", "a1 b2", "the game is over")
    assert [player.name for player in first.players] == ["random", "random (2)"]
    assert [player.name for player in second.players] == ["random (2)", "random"]
    assert [move.text for move in first.moves][:2] == ["a1", "b2"]
    assert [move.player for move in first.moves][:4] == [0, 1, 0, 1]
    assert first.key == f"{plan.id}/1/0-1/0"
    assert first.seconds > 0
    assert time.time() - 1000 < first.started < time.time()
    assert sum(first.returns) == 0


def test_players_are_entered_with_all_options_and_the_digest_of_their_files(tmp_path):
    file = tmp_path / "student.py"
    file.write_text("class AIPlayer: pass")
    game = make_game("reversi")
    before = enter_players([f"course:file={file}", "mcts:simulations=7", "random", "random"], game)
    assert before[0].spec == f"course:file={file},timeout=60.0,memory=8000.0"
    assert before[1].spec.startswith("mcts:simulations=7,")
    assert [player.name for player in before] == ["student", "mcts:simulations=7", "random", "random (2)"]
    file.write_text("class AIPlayer: ...")
    after = enter_players([f"course:file={file}", "mcts:simulations=7"], game)
    assert after[0].digest != before[0].digest
    assert after[1] == before[1]
    (tmp_path / "more").mkdir()
    other = tmp_path / "more" / "student.py"
    other.write_text("class AIPlayer: pass")
    both = [f"course:file={file}", f"course:file={other}"]
    assert [player.name for player in enter_players(both, game)] == both


def test_players_may_be_given_names():
    first, second, third = enter_players(["Anna K.=mcts:simulations=7", "random", " lot = random"], TICTACTOE)
    assert (first.name, second.name, third.name) == ("Anna K.", "random", "lot")
    assert first.spec.startswith("mcts:simulations=7,")
    assert third.spec == "random"
    with pytest.raises(BadOption, match="the same name"):
        Plan("tictactoe", enter_players(["a=random", "a=minimax"], TICTACTOE))


@pytest.mark.parametrize(
    ("spec", "game", "error", "message"),
    [
        ("human", "reversi", BadOption, "people do not play"),
        ("randm", "reversi", UnknownName, "did you mean 'random'"),
        ("engine", "tictactoe", UnsuitableGame, "needs reversi"),
        ("aima:file=none.py", "reversi", BadOption, "there is no file none.py"),
    ],
)
def test_who_cannot_play_is_told_before_the_first_game(spec, game, error, message):
    with pytest.raises(error, match=message):
        enter_players([spec, "random"], make_game(game))


def test_a_test_ends_a_match_early_and_at_the_same_game_everywhere():
    plan = Plan("tictactoe", enter_players(["minimax", "random"], TICTACTOE), 200, seed=2)
    alone = hold(plan, Outcome(sprt=Sprt(0, 200)))
    assert alone.sprt.decision == "H1"
    assert alone.sprt.games == len(alone.results) < 100
    several = hold(plan, Outcome(sprt=Sprt(0, 200)), jobs=2)
    assert several.sprt == alone.sprt
    assert list(several.results) == list(alone.results)
    with pytest.raises(BadOption, match="for two players"):
        hold(random_plan(players=3), Outcome(sprt=Sprt()))


GAME_FILE = """
import ctypes, os, signal, time
from plyground.games.nim import nim
from plyground.players import PLAYERS, Move, Player
from plyground.core.rules import actions

class Crashing(Player):
    def choose(self, position, limit):
        os.kill(os.getpid(), signal.SIGSEGV)

class Hanging(Player):
    def choose(self, position, limit):
        while True:
            time.sleep(1)

class CrashingOnce(Player):
    def choose(self, position, limit):
        if not os.path.exists({mark!r}):
            open({mark!r}, "w").close()
            os._exit(1)
        return Move(actions(position.state)[0])

PLAYERS.add("crashing", Crashing)
PLAYERS.add("hanging", Hanging)
PLAYERS.add("once", CrashingOnce)
game = nim()
"""


@pytest.fixture(autouse=True)
def usual_players(monkeypatch):
    """What a game's file adds to the players is gone after the test."""
    monkeypatch.setattr(PLAYERS, "_factories", dict(PLAYERS._factories))


@pytest.fixture
def rough_game(tmp_path):
    file = tmp_path / "rough.py"
    file.write_text(GAME_FILE.format(mark=str(tmp_path / "mark")))
    return str(file)


def rough_results(spec, names, rules=Rules(), games=2):  # noqa: B008 - rules are frozen
    game = make_game(spec)
    plan = Plan(spec, enter_players(names, game), games, rules=rules, seed=1)
    return list(hold(plan, jobs=2).results.values())


def test_a_player_that_kills_its_process_loses_and_the_arena_goes_on(rough_game):
    for seat, result in enumerate(rough_results(rough_game, ["crashing", "random"])):
        assert result.winner == 1 - seat
        assert "its process ended by signal SIGSEGV" in result.reason


@pytest.mark.slow
def test_a_player_that_hangs_within_a_process_loses(rough_game):
    (result,) = rough_results(rough_game, ["hanging", "random"], Rules(move_time=0.1), games=1)
    assert result.winner == 1
    assert "did not come back in time" in result.reason


@pytest.mark.slow
def test_a_process_that_ends_once_costs_no_game(rough_game):
    results = rough_results(rough_game, ["once", "random"])
    assert [result.reason for result in results] == ["the game is over"] * 2


def test_a_process_that_cannot_even_begin_is_an_error(tmp_path):
    file = tmp_path / "vanishing.py"
    file.write_text(GAME_FILE.format(mark="none"))
    plan = Plan(str(file), enter_players(["random", "random"], make_game(str(file))), 2)
    crew = Workers(Setting(plan.game, plan.players, plan.rules), 1)
    file.unlink()
    try:
        with pytest.raises(ProgramEnded, match="cannot be played: its process ended with status 1"):
            list(crew.play(plan.round(1, {})))
    finally:
        crew.close()


def test_the_number_of_jobs_is_checked():
    with pytest.raises(BadOption, match="jobs must be from 1"):
        make_crew(None, 0)


# The command ------------------------------------------------------------------------------------------------------


def test_the_command_prints_a_table(capsys):
    arena_command("tictactoe", ["minimax", "random"], games=10, seed=3)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "tictactoe  round-robin, 10 of 10 games (seed 3)"
    assert lines[3].startswith("minimax")
    assert lines[4].startswith("random")


def test_the_command_speaks_json_and_resumes(command, tmp_path):
    words = ["arena", "tictactoe", "random", "random", "minimax", "--games", "6", "--db", "games.db", "--json"]
    first = command(*words, "--seed", "4")
    assert first.returncode == 0, first.stderr
    facts = json.loads(first.stdout)
    assert (facts["games"], facts["planned"], facts["seed"]) == (18, 18, 4)
    assert sum(row["points"] for row in facts["table"]) == 18
    again = command(*words, "--seed", "4")
    assert again.returncode == 2
    assert "--resume goes on with it" in again.stderr
    with sqlite3.connect(tmp_path / "games.db") as base:
        base.execute("PRAGMA foreign_keys = ON")
        base.execute("DELETE FROM games WHERE id % 3 = 0")
    base.close()
    resumed = command(*words, "--resume")  # the seed is found in the database
    assert "games.db has been altered: the game" in resumed.stderr
    again = json.loads(resumed.stdout)
    for row in (*facts["table"], *again["table"]):
        assert row.pop("processor_time") > 0  # the games that were missing have been played again
    assert again == facts
    with Database(tmp_path / "games.db") as kept:
        assert len(kept.keys(facts["tournament"])) == 18


@pytest.mark.slow
def test_the_command_says_what_the_cage_is_without(monkeypatch, tmp_path):
    (tmp_path / "player.py").write_text(
        "class AIPlayer:\n    def __init__(self, color): self.color = color\n"
        "    def get_move(self, board): return list(board.get_legal_actions(self.color))[0]\n"
    )
    monkeypatch.setattr(process, "missing_parts", lambda: ("a limit of the memory",))
    words = "reversi", ["course:file=player.py", "random"]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadOption, match="--cage strict: this machine cannot give a limit of the memory"):
        arena_command(*words, games=1, cage="strict")
    with pytest.raises(BadOption, match="--cage must be one of strict, plain, off, not 'soft'"):
        arena_command("reversi", ["random", "random"], games=1, cage="soft")
    with cage_option.err.capture() as said:
        arena_command(*words, games=1, seed=1)
    assert said.get() == "The cage of this machine is without: a limit of the memory.\n"


@pytest.fixture
def arena(tmp_path, capsys):
    """The command within this process: its JSON, and what it has said besides."""

    def run(*players, **options):
        arena_command("tictactoe", list(players), db=tmp_path / "games.db", as_json=True, **options)
        said = capsys.readouterr()
        return the_same_again(said.out), said.err

    return run


def the_same_again(text):
    """The command's JSON, less the processor times, which differ from run to run."""
    facts = json.loads(text)
    for row in facts["table"]:
        assert row.pop("processor_time") >= 0
    return facts


@pytest.mark.parametrize(
    ("shorter", "longer"),
    [
        ({"games": 3}, {"games": 8}),
        ({"games": 2, "format_": "swiss", "rounds": 2}, {"games": 2, "format_": "swiss", "rounds": 4}),
    ],
)
def test_a_tournament_goes_on_with_more_games(arena, tmp_path, shorter, longer):
    players = ["random"] * 5
    first, _ = arena(*players, **shorter)
    with Database(tmp_path / "games.db") as base:
        before = list(base.results())
    facts, said = arena(*players, resume=True, **longer)
    assert said == ""
    assert (facts["tournament"], facts["seed"]) == (first["tournament"], first["seed"])
    assert facts["games"] == facts["planned"] > len(before)
    with Database(tmp_path / "games.db") as base:
        assert list(base.results())[: len(before)] == before
        assert base.count() == facts["games"]
    assert any("points decide" in note for note in facts["notes"]) == ("format_" in longer)
    again, said = arena(*players, resume=True, **shorter)
    assert again == facts
    assert f"planned with {facts['games']} games already" in said
    (tmp_path / "games.db").unlink()
    assert arena(*players, seed=first["seed"], **longer)[0] == facts


def test_with_other_openings_a_tournament_does_not_go_on(arena, tmp_path):
    file = tmp_path / "openings.txt"
    file.write_text("a1 b2\nb2 a1\n")
    facts, _ = arena("random", "random", games=4, openings=str(file))
    file.write_text("c3 b2\nb2 a1\n")
    assert arena("random", "random", games=4, openings=str(file), resume=True)[0] == facts
    with pytest.raises(BadOption, match="have changed; without more games it goes on"):
        arena("random", "random", games=6, openings=str(file), resume=True)


def test_an_edited_player_is_another_one_and_that_is_said(arena, tmp_path):
    file = tmp_path / "mine"
    file.write_text("#!/bin/sh\nexit 0\n")
    file.chmod(0o755)
    spec = f"gtp:command={file}"
    first, _ = arena(spec, "random", games=1, cage="off")
    assert arena(spec, "random", games=1, cage="off", resume=True) == (first, "")
    file.write_text("#!/bin/sh\nexit 1\n")
    assert first["notes"][-1] == f"{spec} forfeits: X fails: mine ended with status 0"
    second, said = arena(spec, "random", games=1, cage="off", resume=True)
    assert said == f"The code of {spec} has changed: it is another player now. Another tournament begins.\n"
    assert second["tournament"] != first["tournament"]
    _, said = arena("random", "random", games=1, cage="off", resume=True)
    assert said == "There is no such tournament in the database; it begins now.\n"


@pytest.mark.parametrize(
    ("players", "options", "message"),
    [
        (1, {}, "at least two players"),
        (2, {"resume": True}, "--resume needs the database"),
        (2, {"format_": "cup"}, "--format must be one of round-robin, gauntlet, swiss"),
        (2, {"rounds": 3}, "--rounds is for --format swiss"),
        (2, {"sprt": "5"}, "--sprt must be two numbers"),
        (3, {"sprt": "0,5"}, "--sprt is for two players"),
        (2, {"anchor": "x"}, "--anchor must be one of the players"),
        (2, {"move_time": -1.0}, "--move-time must be"),
        (2, {"clock_": "x"}, "--clock must be seconds"),
        (2, {"openings": "none.txt"}, "cannot read the file of openings"),
        (2, {"db": Path("none/games.db")}, "there is no folder"),
    ],
)
def test_what_is_wrong_is_said(players, options, message):
    with pytest.raises(PlygroundError, match=message):
        arena_command("tictactoe", ["random"] * players, **options)


def test_what_is_wrong_is_said_in_one_line(command):
    run = command("arena", "tictactoe", "random", "randm")
    assert (run.returncode, run.stderr) == (2, "error: there is no player 'randm'; did you mean 'random'?\n")


# Killed and interrupted -------------------------------------------------------------------------------------------


class Tournament:
    """A tournament as a process of its own, which can be killed."""

    def __init__(self, folder, games):
        self.folder, self.games = folder, games
        self.base = folder / "games.db"

    def command(self, *more):
        words = ["arena", "tictactoe", "random", "random", "--games", str(self.games), "--seed", "9", *more]
        return [sys.executable, "-m", "plyground.cli.main", *words]

    def start(self, *more):
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        command = self.command("--db", str(self.base), "--resume", *more)
        return subprocess.Popen(command, text=True, cwd=self.folder, start_new_session=True, **streams)

    def finish(self, *more):
        run = subprocess.run(self.command("--json", *more), capture_output=True, text=True, cwd=self.folder, check=True)
        return the_same_again(run.stdout)

    def keys(self):
        if not self.base.exists():
            return []
        with Database(self.base, write=False) as base:
            return [result.key for result in base.results()]

    def count(self):
        """How many games are there now; cheap."""
        try:
            base = sqlite3.connect(f"file:{self.base}?mode=ro", uri=True)
        except sqlite3.OperationalError:
            return 0
        try:
            return base.execute("SELECT count(*) FROM games").fetchone()[0]
        except sqlite3.OperationalError:
            return 0
        finally:
            base.close()

    def run_until(self, games, *more):
        """A process that has finished this many more games, and a part of the next one."""
        process = self.start(*more)
        wanted = min(self.count() + games, self.games)
        while self.count() < wanted and process.poll() is None:
            time.sleep(0.002)
        return process


def kill_again_and_again(tournament, kills, lots):
    undisturbed = tournament.finish()
    kept = []
    for number in range(kills):
        jobs = ["--jobs", "2"] if number % 3 == 1 else []
        # By far not all games in all, so that a machine which is slow to kill does not find the tournament over.
        process = tournament.run_until(lots.randrange(tournament.games // (3 * kills)), *jobs)
        time.sleep(lots.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert_no_workers()
        now = tournament.keys()
        assert len(now) == len(set(now))
        assert now[: len(kept)] == kept
        kept = now
    assert 0 < len(kept) < tournament.games
    assert tournament.finish("--db", str(tournament.base), "--resume") == undisturbed
    final = tournament.keys()
    assert len(final) == len(set(final)) == tournament.games
    assert final[: len(kept)] == kept


def assert_no_workers():
    """Nobody is left whom the ended process had started: the supervisors see that it has gone."""
    end = time.monotonic() + 60
    while left := worker_processes():
        assert time.monotonic() < end, left
        time.sleep(0.01)


def worker_processes():
    """The processes of arenas that these tests have started."""
    owner = f"OWNER={os.getpid()}".encode()
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command, environment = (entry / "cmdline").read_bytes(), (entry / "environ").read_bytes()
        except OSError:
            continue
        if b"plyground.arena.worker" in command and owner in environment.split(b"\0"):
            found.append(int(entry.name))
    return found


@pytest.fixture
def tournament(tmp_path, monkeypatch):
    monkeypatch.setenv("OWNER", str(os.getpid()))
    return Tournament(tmp_path, 2000)


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_as_if_nothing_had_been(tournament):
    kill_again_and_again(tournament, 4, random.Random(1))


@pytest.mark.slow
def test_killed_twenty_times_it_goes_on_as_if_nothing_had_been(tmp_path, monkeypatch):
    monkeypatch.setenv("OWNER", str(os.getpid()))
    kill_again_and_again(Tournament(tmp_path, 4000), 20, random.Random(2))


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_the_table_fits_the_terminal(width):
    names = ["mcts:simulations=100,rave=300", "minimax:depth=2", "random"]
    ratings = rate([(names[0], names[1], 5, 1, 4), (names[1], names[2], 7, 0, 3)], anchor="random")
    console = Console(width=width, file=io.StringIO())
    console.print(scoreboard(ratings, console, names=names, forfeits={"random": 2}))
    head, _, *lines = console.file.getvalue().splitlines()
    assert max(map(len, (head, *lines))) <= width
    assert "…" not in head
    assert [word in head for word in ("score", "Elo", "±")] == [True] * 3
    assert ("± all" in head) == (width == 200)
    short = Console(width=width, file=io.StringIO())
    short.print(scoreboard(ratings, short, names=names, most=1))
    assert "and 2 more" in short.file.getvalue()


def test_on_a_terminal_the_table_grows():
    words = [
        "-m",
        "plyground.cli.main",
        "arena",
        "tictactoe",
        "random",
        "random",
        "--games",
        "100000",
        "--openings",
        "0",
    ]
    child = pexpect.spawn(sys.executable, words, encoding="utf-8", timeout=240, dimensions=(24, 100))
    try:
        child.expect(r"random \(2\)")
        child.expect(r"\d/100,000")
        child.sendintr()
        child.expect("of 100000 games")
        child.expect("They are not kept")
        child.expect(pexpect.EOF)
    finally:
        child.close(force=True)


@pytest.mark.parametrize(
    ("jobs", "number"), [pytest.param("1", signal.SIGTERM, marks=pytest.mark.slow), ("2", signal.SIGINT)]
)
def test_ctrl_c_stops_cleanly_and_says_how_to_go_on(tournament, jobs, number):
    process = tournament.run_until(5, "--games", "100000", "--jobs", jobs)
    process.send_signal(number)
    out, err = process.communicate(timeout=120)
    assert process.returncode == 128 + number, err
    assert "of 100000 games (seed 9)" in out
    assert "To go on:" in err
    assert "--resume" in err
    assert err.rstrip().endswith("stopped")
    assert "Traceback" not in err
    assert_no_workers()
    assert len(tournament.keys()) >= 5
