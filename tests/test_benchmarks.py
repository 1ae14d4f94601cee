"""The benchmark harness: its arithmetic and its order. Never how fast anything is."""

from __future__ import annotations

import importlib
import json
import math
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from itertools import cycle
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground.core.registry import split_spec
from plyground.errors import BadOption, UnknownName

ROOT = Path(__file__).parent.parent
sys.path.append(str(ROOT))  # the benchmarks are not part of the installed package

entry = importlib.import_module("benchmarks.__main__")
harness = importlib.import_module("benchmarks.harness")
opponents = importlib.import_module("benchmarks.opponents")
peers = importlib.import_module("benchmarks.peers")
threads = importlib.import_module("benchmarks.threads")
Comparison, Sample, Subject, compare = harness.Comparison, harness.Sample, harness.Subject, harness.compare


def fake(name, *samples, log=None):
    """A subject that answers with the given (work, seconds), one a run, the first for the warm-up."""
    answers: Iterator = cycle(Sample(*sample) for sample in samples)

    def run():
        if log is not None:
            log.append(name)
        return next(answers)

    return Subject(name, run)


def test_rounds_are_interleaved_after_one_warm_up_round():
    log, heard = [], []
    subjects = tuple(fake(name, (1, 1), log=log) for name in "ABC")
    report = compare(Comparison("order", "runs", "A", subjects), 2, heard.append)
    assert log == ["A", "B", "C"] * 3
    assert heard == log
    assert [(row.name, len(row.samples)) for row in report.rows] == [("A", 2), ("B", 2), ("C", 2)]


def test_medians_spread_and_ratio():
    ours = fake("ours", (999, 0.001), (100, 1), (100, 2), (100, 4))
    peer = fake("peer", (999, 0.001), (10, 2), (10, 1), (10, 0.5))
    report = compare(Comparison("speed", "nodes", "peer", (ours, peer)), 3)
    row, base = report.rows
    assert (row.work, row.seconds, row.rate, row.slowest, row.fastest) == (100, 2, 50, 25, 100)
    assert (base.work, base.seconds, base.rate, base.slowest, base.fastest) == (10, 1, 10, 5, 20)
    assert (row.ratio, base.ratio) == (5, 1)


def test_the_warm_up_is_not_measured():
    report = compare(Comparison("speed", "nodes", "a", (fake("a", (1, 1000), (1, 1)),)), 1)
    assert report.rows[0].samples == (Sample(1, 1),)


def test_the_rate_is_a_median_of_rates_when_work_varies():
    row = compare(Comparison("speed", "nodes", "a", (fake("a", (1, 1), (1, 1), (30, 10), (8, 1)),)), 3).rows[0]
    assert row.rate == 3


def test_without_the_baseline_there_is_no_ratio():
    report = compare(Comparison("speed", "nodes", "absent", (fake("a", (1, 1)),)), 1)
    assert report.rows[0].ratio is None
    assert report.as_dict()["rows"][0]["ratio"] is None


def test_no_repeats_is_an_error():
    with pytest.raises(BadOption, match="at least 1, not 0"):
        compare(Comparison("speed", "nodes", "a", (fake("a", (1, 1)),)), 0)


def test_timed_hands_the_work_on():
    assert harness.timed(lambda: 7)().work == 7
    sample = harness.timed(lambda: 7, 3)()
    assert sample.work == 21
    assert sample.seconds >= 0


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not tell")
def test_one_core_and_back():
    before = os.sched_getaffinity(0)
    with harness.one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="this system does not tell")
def test_every_core_inside_one_core():
    before = os.sched_getaffinity(0)
    with harness.one_core():
        with harness.every_core():
            assert os.sched_getaffinity(0) == before
        assert len(os.sched_getaffinity(0)) == 1


@pytest.mark.parametrize(
    ("value", "shown"),
    [(0.05249, "0.0525"), (1.0, "1"), (12.34, "12.3"), (999, "999"), (1_500, "1.5 k"), (638.3e6, "638 M")],
)
def test_figures_are_short(value, shown):
    assert harness._scaled(value) == shown


@pytest.mark.parametrize(
    ("seconds", "shown"), [(2.5, "2.5 s"), (0.0385, "38.5 ms"), (3e-6, "3 µs"), (1.6e-9, "1.6 ns")]
)
def test_durations_have_a_unit(seconds, shown):
    assert harness._duration(seconds) == shown


def test_unknown_name_suggests_the_nearest():
    with pytest.raises(UnknownName, match="there is no benchmark 'perfd'; did you mean 'perft'\\?"):
        entry.run("perfd", 1, False)


def test_without_a_name_all_are_listed(capsys):
    entry.run(None, 1, False)
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == list(entry.BENCHMARKS)
    assert all(len(line.split()) > 5 for line in lines)


def test_every_benchmark_module_is_listed():
    modules = {path.stem for path in (ROOT / "benchmarks").glob("[!_]*.py")}
    run_alone = {
        "ablation",
        "alphago",
        "backgammon_match",
        "chess_match",
        "chess_techniques",
        "clock",
        "gomoku",
        "levels",
        "opponents",
        "pages",
        "panning",
        "selfplay",
        "strength",
        "threads",
        "web",
    }
    assert modules - run_alone - {"harness", "peers"} == set(entry.BENCHMARKS)


def test_minimax_measured_as_json(capsys):
    pytest.importorskip("pyspiel")
    entry.run("minimax", 1, True)
    answer = json.loads(capsys.readouterr().out)
    assert (answer["benchmark"], answer["repeats"], answer["notes"]) == ("minimax", 1, [])
    for comparison in answer["comparisons"]:
        rows = {row["name"]: row for row in comparison["rows"]}
        assert rows[comparison["baseline"]]["ratio"] == 1
        assert rows["plyground minimax compiled"]["ratio"] > 0
    nodes = answer["comparisons"][1]["rows"][0]
    assert nodes["work"] % 549_946 == 0  # every position of every game of tic-tac-toe


@pytest.mark.parametrize("name", ["minimax", "perft", "playouts"])
def test_without_the_peers_their_rows_are_left_out(name, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    monkeypatch.setitem(sys.modules, "chess", None)
    for comparison in importlib.import_module(f"benchmarks.{name}").comparisons():
        assert comparison.subjects
        assert not any("OpenSpiel" in subject.name or "python-chess" in subject.name for subject in comparison.subjects)
        missing = peers.NO_PYTHON_CHESS if "Chess" in comparison.title else peers.NO_OPENSPIEL
        assert comparison.notes == (missing,)


def test_tables_say_what_is_missing(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    entry.run("minimax", 1, False)
    shown = capsys.readouterr().out
    assert shown.count("pip install '.[peers]'") == 1
    assert "nodes/s" in shown


@pytest.mark.parametrize("name", ["nash", "perft", "playouts", "solving", "stops"])
def test_baselines_are_among_the_subjects(name):
    pytest.importorskip("pyspiel")
    if name == "perft":
        pytest.importorskip("chess")
    for comparison in importlib.import_module(f"benchmarks.{name}").comparisons():
        assert comparison.baseline in [subject.name for subject in comparison.subjects]


def test_the_command_says_in_one_line_what_is_wrong():
    process = subprocess.run(
        [sys.executable, "-m", "benchmarks", "startu"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 2
    assert process.stderr == "error: there is no benchmark 'startu'; did you mean 'startup'?\n"


# Strength over threads ------------------------------------------------------------------------------------------------


def test_threads_are_options_of_both_sides():
    assert threads.with_options("mcts:c=0.5,threads=3", threads=1, time=0.1) == "mcts:c=0.5,threads=1,time=0.1"
    assert threads.with_options("engine", threads=2, time=1) == "engine:threads=2,time=1"


def test_threads_are_measured_in_pairs_of_games_and_drawn(monkeypatch, capsys):
    played = []

    def fake_match(games, first, jobs, ours, theirs, game):
        played.append((games, jobs, ours.args, theirs.args, game))
        yield 2, 1.5, 0.75, 0.25, [1.0, 1.0]
        yield games, 0.6 * games, 0.6, 0.05, [2.0, 2.0]

    monkeypatch.setattr(threads, "match", fake_match)
    monkeypatch.setattr(threads, "speed_of", lambda spec, game, seconds: 100.0 * spec.count("threads=2") + 100.0)
    rows = threads.measure("mcts:solver=off", "tictactoe", [1, 2], 0.1, 40)
    one, two = "mcts:solver=off,threads=1,time=0.1", "mcts:solver=off,threads=2,time=0.1"
    assert played == [(40, 1, (two,), (one,), "tictactoe")]
    assert rows == [threads.ThreadsRow(1, 100.0, 0, 0.5, 0.0), threads.ThreadsRow(2, 200.0, 40, 0.6, 0.05)]
    assert "2       200      2.00     40  60.0% +- 5.0%" in threads.rows_text(rows)
    root = ElementTree.fromstring(threads.threads_svg(rows, "a title"))
    assert "Against one thread" in "".join(root.itertext())
    ElementTree.fromstring(threads.threads_svg(rows[:1], "one row"))
    assert "2 threads, 40 games: 60.0% +- 5.0%" in capsys.readouterr().out


def test_what_is_stopped_keeps_what_was_measured(monkeypatch):
    def stopped(*given):
        yield 2, 1.0, 0.5, 0.1, [1.0, 1.0]
        raise KeyboardInterrupt

    monkeypatch.setattr(threads, "match", stopped)
    monkeypatch.setattr(threads, "speed_of", lambda *given: 1.0)
    assert [row.threads for row in threads.measure("mcts", "tictactoe", [1, 2, 4], 0.1, 4)] == [1]


@pytest.mark.parametrize("text", ["", "2,4", "1,x", "0,1", "1,2,2"])
def test_lists_of_threads_that_cannot_be(text):
    with pytest.raises(BadOption, match="begins with 1"):
        threads._numbers(text)


def simulated(true, most, results=None, seed=1):
    """A tournament of nim between players of known strength, played by chance."""
    rng = random.Random(seed)
    made = opponents.Tournament("nim", 100, results or {})
    for _ in range(most):
        found = made.next(1e9)
        if found is None:
            break
        first, second, number = found
        chance = 1 / (1 + 10 ** ((true(second) - true(first)) / 400))
        made.take(first, second, number, opponents.Played("W" if rng.random() < chance else "L", (0.1, 0.1)))
    return made


def test_opponents_of_known_strength_are_found_and_the_tournament_goes_on_from_its_file():
    def true(spec):
        name, options = split_spec(spec)
        return {"random": 0, "flat": 300, "alphabeta": 1100}.get(
            name, 150 * math.log2(float(options.get("simulations", 64)))
        )

    first = simulated(true, 1500)
    kept = json.loads(json.dumps(first.facts()))
    made = simulated(true, 1500, kept["results"], seed=2)
    found = made.facts()
    assert list(found["ratings"]) == ["random", "flat:simulations=200", "mcts:time=0.2", "alphabeta"]
    assert found["unmeasured"] == []
    for spec, rating in found["ratings"].items():
        assert abs(rating["elo"] - true(spec)) <= 3 * rating["error"]
        assert rating["error"] <= 80
        assert rating["bound"] == ""
        assert rating["games"] % 2 == 0, "only pairs count"
    assert sum(row[0] + row[1] + row[2] for row in kept["results"].values()) >= 1400
    assert made.next(0.0) is None, "nothing is begun that cannot be finished"


def test_half_a_pair_of_opponents_waits_for_its_return_game():
    pairing = opponents.Pairing.read(3, 0, 1, {"9": "W"})
    assert (pairing.begun, pairing.written()) == (5, [3, 0, 1, {"9": "W"}])
    pairing.take(8, "L")
    assert pairing.written() == [4, 0, 2, {}]
    made = opponents.Tournament(
        "nim", 10, {"random | alphabeta": [0, 0, 2, {"3": "L"}], "random | nobody": [1, 0, 0, {}]}
    )
    assert made.next(1e9) == ("random", "alphabeta", 2)


def test_opponents_that_nothing_connects_with_the_anchor_are_not_measured():
    made = opponents.Tournament("nim", 10, {"mcts:time=0.2 | alphabeta": [1, 0, 1, {}]})
    assert made.facts()["ratings"] == {}
    assert made.facts()["unmeasured"] == made.cards


@pytest.mark.parametrize("arguments", ["--games kuhn", "--jobs 0", "--minutes nan", "--games ,"])
def test_opponents_refuses_with_one_line(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["opponents", "--out", str(tmp_path / "x.json"), *arguments.split()])
    with pytest.raises(SystemExit, match="2"):
        opponents.main()
    assert capsys.readouterr().err.count("\n") == 1
