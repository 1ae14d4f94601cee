"""Tournaments on a cluster: the same games, whoever dies meanwhile. A real one, of several processes, by Ray."""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

import pytest

from plyground import make_game
from plyground.arena.database import Database
from plyground.arena.match import enter_players, hold
from plyground.arena.tournament import Plan
from plyground.errors import BadOption, MissingExtra

TICTACTOE = make_game("tictactoe")


def moves_of(outcome):
    return {key: [move.text for move in result.moves] for key, result in outcome.results.items()}


def workers():
    """The processes of Ray that play games of ours."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            if b"ray::plyground_game" in (entry / "cmdline").read_bytes() and below_this(int(entry.name)):
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def below_this(process):
    while process > 1:
        if process == os.getpid():
            return True
        process = int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    return False


def test_without_ray_the_extra_is_named(monkeypatch):
    from plyground.arena.cluster import Cluster

    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(MissingExtra, match=r"pip install 'plyground\[cluster\]'"):
        hold(
            Plan("tictactoe", enter_players(["random", "random"], TICTACTOE)),
            crew_of=lambda setting: Cluster(setting, "local"),
        )


@pytest.mark.slow
@pytest.mark.filterwarnings("default")  # Ray's own
def test_workers_are_killed_and_every_game_is_there_once(tmp_path):
    from plyground.arena.cluster import Cluster

    plan = Plan("tictactoe", enter_players(["mcts:simulations=20000", "random"], TICTACTOE), 200, seed=3)
    killed = []

    def on_result(result):
        assert base.add(result)
        if len(killed) < 3 and base.count() > 20 * (len(killed) + 1):
            end = time.monotonic() + 30
            while not (busy := workers()):
                assert time.monotonic() < end
            os.kill(busy[0], signal.SIGKILL)
            killed.append(busy[0])

    with Database(tmp_path / "games.db") as base:
        outcome = hold(plan, crew_of=lambda setting: Cluster(setting, "local", 2), on_result=on_result)
        kept = [result.key for result in base.results()]
    assert len(killed) == 3
    assert len(kept) == len(set(kept)) == 200
    assert set(kept) == set(outcome.results)
    assert moves_of(outcome) == moves_of(hold(plan))
    end = time.monotonic() + 30
    while workers():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_an_address_without_a_cluster_is_said():
    from plyground.arena.cluster import Cluster

    plan = Plan("tictactoe", enter_players(["random", "random"], TICTACTOE))
    with pytest.raises(BadOption, match=r"there is no cluster at '127\.0\.0\.1:1'"):
        hold(plan, crew_of=lambda setting: Cluster(setting, "127.0.0.1:1"))
