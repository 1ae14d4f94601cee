"""Tournaments and self-play on a cluster: the same games, whoever dies meanwhile. A real one, by Ray."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

from engine_code import locked
from plyground import make_game
from plyground.arena.database import Database
from plyground.arena.hall import enter_players
from plyground.arena.match import hold
from plyground.arena.tournament import Plan
from plyground.errors import BadOption, MissingExtra
from plyground.players import PLAYERS

TICTACTOE = make_game("tictactoe")


@pytest.fixture
def alone(tmp_path_factory):
    """One cluster at a time on this machine: two that start at once might choose the same ports."""
    with locked(tmp_path_factory.getbasetemp().parent / "cluster.lock"):
        yield


def moves_of(outcome):
    return {key: [move.text for move in result.moves] for key, result in outcome.results.items()}


def workers(*names):
    """The processes of Ray, or below it, that play games of ours."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
            if any(name in command for name in names) and below_this(int(entry.name)):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def busy_worker(task=b"ray::plyground_game"):
    end = time.monotonic() + 120
    while not (busy := workers(task)):
        assert time.monotonic() < end
    return busy[0]


def nobody_is_left():
    end = time.monotonic() + 120
    while workers(b"ray::", b"plyground.arena.worker", b"raylet"):
        assert time.monotonic() < end
        time.sleep(0.05)


def below_this(process):
    while process > 1:
        if process == os.getpid():
            return True
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return False


def test_without_ray_the_extra_is_named(monkeypatch):
    from plyground.arena.cluster_crew import Cluster

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'plyground\[cluster\]'"):
        hold(
            Plan("tictactoe", enter_players(["random", "random"], TICTACTOE)),
            crew_of=lambda setting: Cluster(setting, "local"),
        )


ROUGH = """
import os, signal, time
from plyground.core.rules import actions
from plyground.games.nim import nim
from plyground.players import PLAYERS, Move, Player

class Crashing(Player):
    def choose(self, position, limit):
        os.kill(os.getpid(), signal.SIGSEGV)

class Patient(Player):
    def choose(self, position, limit):
        while not os.path.exists(KILLED):
            time.sleep(0.02)
        return Move(actions(position.state)[0])

PLAYERS.add("crashing", Crashing)
PLAYERS.add("patient", Patient)
game = nim()
"""


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
@pytest.mark.filterwarnings("default")  # Ray's own
def test_a_killed_worker_costs_nothing_and_a_crashing_player_its_game(tmp_path, monkeypatch):
    from plyground.arena.cluster_crew import Cluster

    monkeypatch.setattr(PLAYERS, "_factories", dict(PLAYERS._factories))
    file = tmp_path / "rough.py"
    file.write_text(ROUGH.replace("KILLED", repr(str(tmp_path / "killed"))))
    plan = Plan(
        str(file), enter_players(["patient", "random", "crashing"], make_game(str(file))), 2, "gauntlet", seed=3
    )

    def kill_one():
        os.kill(busy_worker(), signal.SIGKILL)
        (tmp_path / "killed").touch()  # no game of the patient player ends before

    def on_result(result):
        assert base.add(result)

    killer = threading.Thread(target=kill_one)
    killer.start()
    with Database(tmp_path / "games.db") as base:
        outcome = hold(plan, crew_of=lambda setting: Cluster(setting, "local", 2), on_result=on_result)
        killer.join()
        assert sorted(result.key for result in base.results()) == sorted(outcome.results)
    assert len(outcome.results) == plan.total() == 4
    assert (tmp_path / "killed").exists()
    for result in outcome.results.values():
        names = [player.name for player in result.players]
        if "crashing" in names:
            assert result.winner == 1 - names.index("crashing")
            assert "its process ended by signal SIGSEGV" in result.reason
        else:
            assert result.reason == "the game is over"
    nobody_is_left()


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
@pytest.mark.filterwarnings("default")
def test_workers_are_killed_and_every_game_is_there_once(tmp_path):
    from plyground.arena.cluster_crew import Cluster

    plan = Plan("tictactoe", enter_players(["mcts:simulations=20000", "random"], TICTACTOE), 200, seed=3)
    killed = []

    def on_result(result):
        assert base.add(result)
        if len(killed) < 3 and base.count() > 20 * (len(killed) + 1):
            killed.append(busy_worker())
            os.kill(killed[-1], signal.SIGKILL)

    with Database(tmp_path / "games.db") as base:
        outcome = hold(plan, crew_of=lambda setting: Cluster(setting, "local", 2), on_result=on_result)
        kept = [result.key for result in base.results()]
    assert len(killed) == 3
    assert len(kept) == len(set(kept)) == 200
    assert set(kept) == set(outcome.results)
    assert moves_of(outcome) == moves_of(hold(plan))
    nobody_is_left()


@pytest.mark.filterwarnings("default")
def test_an_address_without_a_cluster_is_said():
    from plyground.arena.cluster_crew import Cluster

    plan = Plan("tictactoe", enter_players(["random", "random"], TICTACTOE))
    with pytest.raises(BadOption, match=r"there is no cluster at '127\.0\.0\.1:1'"):
        hold(plan, crew_of=lambda setting: Cluster(setting, "127.0.0.1:1"))


@pytest.mark.slow
@pytest.mark.usefixtures("alone")
@pytest.mark.filterwarnings("default")
def test_self_play_brings_the_same_positions_although_a_worker_is_killed():
    pytest.importorskip("torch", reason="the extra learn is not installed")
    from plyground.learning.cluster_self_play import ClusterSelfPlay, _play
    from plyground.learning.fleet import Plan as Search
    from plyground.learning.fleet import Style
    from plyground.learning.network import Network, Shape, folded
    from plyground.learning.onnx_file import onnx_bytes

    network = onnx_bytes(folded(Network(Shape((2, 3, 3), 9, 1, 8)).eval()), {"game": "tictactoe"})
    search, brought, killed = Search(simulations=32), [], []
    expected = [_play("tictactoe", network, tuple(search), True, 0, (3, 7, number)) for number in range(5)]

    def kill_one():
        killed.append(busy_worker(b"ray::plyground_selfplay"))
        os.kill(killed[0], signal.SIGKILL)

    cluster = ClusterSelfPlay(TICTACTOE, "local", 2, seed=3)
    killer = threading.Thread(target=kill_one)  # beside: a worker's first task lasts while it imports and compiles
    try:
        killer.start()
        tally = cluster.gather(network, search, Style(), 7, 2000, brought.append, lambda done: None)
        killer.join()
    finally:
        cluster.close()
    assert killed
    assert tally.positions >= 2000 > tally.positions - len(brought[-1].results)
    assert tally.games == 16 * len(brought)
    for here, there in zip(expected, brought, strict=False):
        assert all(np.array_equal(ours, theirs) for ours, theirs in zip(here, there, strict=True))
    nobody_is_left()
