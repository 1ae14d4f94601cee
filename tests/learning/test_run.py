"""A run in a folder: whole after a kill at any write, refused if it does not fit, open in one process at a time."""

import hashlib
import io
import json
import math
import os
import pickle
import subprocess
import sys
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

pytest.importorskip("torch", reason="the extra learn is not installed")

import torch

from plyground.core.limits import Limit
from plyground.errors import BadOption, FormatError
from plyground.games import make_game
from plyground.learning.run import MARK, Journal, Run, curve, load_checkpoint, measured, misfit, save_checkpoint
from plyground.learning.train import train, train_td
from plyground.learning.zero import Recipe, ZeroRun
from plyground.pictures.plot import Panel
from plyground.players import Position, make_player

TICTACTOE = make_game("tictactoe")
QUICK = Recipe(size="1x8", simulations=4, positions=60, batch=32, reuse=1, match_every=0)


class Adding(Run):
    """Learns nothing but the sum of its iterations, and remembers each of them."""

    kind: ClassVar[str] = "adding"

    def __init__(self, folder, size="small"):
        super().__init__(folder, {"size": size})
        self.total, self.seen, self.word = torch.zeros(3), torch.zeros(0, 2), "none"

    def learn(self, progress, tell):
        self.total = self.total + self.iteration + 1
        self.seen = torch.cat([self.seen, torch.full((1, 2), float(self.iteration))])
        self.word = f"after {self.iteration}"
        return {"total": self.total[0].item()}

    def contents(self):
        return {"total": self.total, "seen": [{"rows": self.seen}], "word": self.word}

    def restore(self, contents):
        word = contents["word"]
        self.total, self.seen, self.word = contents["total"], contents["seen"][0]["rows"], word

    def network_file(self):
        return repr(self.state()).encode()

    def panels(self):
        return [Panel([curve(self.journal.lines, "total", "total")])]

    def state(self):
        return self.iteration, self.word, self.total.tolist(), self.seen.tolist()


def opened(folder, **options):
    run = Adding(folder, **options)
    run.open()
    return run


def after(folder, iterations):
    run = opened(folder)
    run.train(iterations=iterations)
    run.close()
    return run.state()


def lines_of(folder):
    return [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]


# Killed -------------------------------------------------------------------------------------------------------------


class Killed(BaseException):
    """What no code expects."""


class Fate:
    """Kills at the given one of the steps that files are written in: half of a text, or instead of a replacement."""

    def __init__(self, monkeypatch, last):
        self.left = last
        monkeypatch.setattr(os, "fdopen", self.wrapped(os.fdopen))
        monkeypatch.setattr(Path, "open", self.wrapped(Path.open))
        monkeypatch.setattr(Path, "replace", self.before(Path.replace))

    def is_due(self):
        self.left -= 1
        return self.left < 0

    def before(self, function):
        def step(*arguments):
            if self.is_due():
                raise Killed
            return function(*arguments)

        return step

    def wrapped(self, function):
        def opening(*arguments, **options):
            file = function(*arguments, **options)
            if "r" not in (mode := options.get("mode", arguments[1] if len(arguments) > 1 else "r")) or "+" in mode:
                write = file.write

                def cut_off(data):
                    if self.is_due():
                        write(data[: len(data) // 2])
                        raise Killed
                    return write(data)

                return Writing(file, cut_off)
            return file

        return opening


class Writing:
    """A file with another way to write."""

    def __init__(self, file, write):
        self._file, self.write = file, write
        self.flush, self.fileno = file.flush, file.fileno

    def __enter__(self):
        self._file.__enter__()
        return self

    def __exit__(self, *trouble):
        return self._file.__exit__(*trouble)


def test_a_run_killed_at_any_write_is_whole_afterwards(tmp_path):
    states = {number: after(tmp_path / "whole", number) for number in (2, 3, 5)}
    kills = set()
    for step in range(100):
        folder = tmp_path / str(step)
        run = opened(folder)
        run.train(iterations=2)
        with pytest.MonkeyPatch.context() as monkeypatch:
            Fate(monkeypatch, step)
            try:
                run.iterate(0.5)
            except Killed:
                kills.add(step)
        run.close()
        again = opened(folder)
        assert again.state() == states[again.iteration]
        assert [line["iteration"] for line in lines_of(folder)] == list(range(1, again.iteration + 1))
        assert (folder / "network.onnx").read_bytes() in {repr(states[number]).encode() for number in (2, 3)}
        assert (folder / "curves.svg").read_text().endswith("</svg>")
        again.train(iterations=5)
        assert again.state() == states[5]
        assert (folder / "network.onnx").read_bytes() == repr(states[5]).encode()
        again.close()
        if step not in kills:
            break
    assert kills == set(range(step))
    assert len(kills) >= 8  # the journal and three files, each written and put in its place


# Refused ------------------------------------------------------------------------------------------------------------


def without(contents, path):
    *way, last = path
    for key in way:
        contents = contents[key]
    kept = contents[last]
    del contents[last]
    return kept


def put(contents, path, value):
    *way, last = path
    for key in way:
        contents = contents[key]
    contents[last] = value


def paths(contents, way=()):
    """Where the arrays are."""
    if isinstance(contents, torch.Tensor):
        yield way
    elif isinstance(contents, dict | list):
        for key, part in contents.items() if isinstance(contents, dict) else enumerate(contents):
            yield from paths(part, (*way, key))


def kept_files(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.name != ".lock"}


def frozen(contents):
    """Contents as a value that can be compared."""
    if isinstance(contents, torch.Tensor):
        return str(contents.dtype), tuple(contents.shape), contents.numpy().tobytes()
    if isinstance(contents, dict):
        return {key: frozen(part) for key, part in contents.items()}
    return [frozen(part) for part in contents] if isinstance(contents, list | tuple) else contents


@pytest.fixture(scope="module")
def trained(tmp_path_factory):
    folder = tmp_path_factory.mktemp("zero") / "run"
    run = ZeroRun(TICTACTOE, folder, QUICK)
    run.open()
    run.train(iterations=2)
    run.save()
    run.close()
    return folder


def is_refused(run, match):
    before, files = frozen(run.contents()), kept_files(run.folder)
    with pytest.raises((BadOption, FormatError), match=match) as refusal:
        run.open()
    assert "\n" not in str(refusal.value)
    assert (run.iteration, run.seconds, run.journal.lines) == (0, 0.0, [])
    assert frozen(run.contents()) == before
    assert kept_files(run.folder) == files


@pytest.mark.parametrize("thorough", [False, pytest.param(True, marks=pytest.mark.slow)])
def test_a_checkpoint_that_differs_in_one_array_is_refused_and_nothing_is_changed(trained, tmp_path, thorough):
    run, path = ZeroRun(TICTACTOE, tmp_path, QUICK), tmp_path / "checkpoint.pt"
    arrays = [way for way in paths(load_checkpoint(trained / "checkpoint.pt")) if way[0] == "contents"]
    assert {way[1] for way in arrays} == {"learner", "replay", "fleets"}
    for way in arrays if thorough else {way[1]: way for way in arrays}.values():
        name = r"\.".join(map(str, way[1:]))
        contents = load_checkpoint(trained / "checkpoint.pt")
        array = without(contents, way)
        save_checkpoint(path, contents)
        is_refused(run, f"does not fit this run: it has no {name}")
        put(contents, way, array[..., None])
        save_checkpoint(path, contents)
        is_refused(run, f"does not fit this run: {name} is .*1 of .*, not ")
        put(contents, way, array.to(torch.float64))
        save_checkpoint(path, contents)
        is_refused(run, f"does not fit this run: {name} is .*float64, not ")
        put(contents, way, array)
        put(contents, (*way[:-1], "another"), array)
        save_checkpoint(path, contents)
        is_refused(run, "does not fit this run: it has .*another, and this run has not")
    for name in ("elo", "regrets", "champion"):
        contents = load_checkpoint(trained / "checkpoint.pt")
        del contents["contents"][name]
        save_checkpoint(path, contents)
        is_refused(run, f"of another version of Plyground .*{name}")


def test_a_run_with_other_games_in_progress_or_other_room_is_refused(trained):
    for recipe, said in (
        (replace(QUICK, workers=2), r"it has no fleets\.1"),
        (replace(QUICK, games=32), r"fleets\.0\.roots is 64x.* of int64, not 32x.* of int64"),
        (replace(QUICK, room=50), "positions, and room for 50"),
    ):
        is_refused(ZeroRun(TICTACTOE, trained, recipe), said)


def test_a_run_of_another_kind_or_with_other_settings_is_refused(tmp_path):
    after(tmp_path, 1)
    is_refused(Adding(tmp_path, size="large"), "holds a run with size small, not large; name another folder")
    is_refused(ZeroRun(TICTACTOE, tmp_path, QUICK), "holds a run with kind adding, not zero; name another folder")


def test_a_checkpoint_of_earlier_versions_opens(trained, tmp_path):
    """It had its parts side by side, and nothing of an optimiser that had not learned yet."""
    kept = load_checkpoint(trained / "checkpoint.pt")
    terms, contents = kept.pop("terms"), kept.pop("contents")
    del terms["kind"]
    for learned in (True, False):
        if not learned:
            contents["learner"]["optimiser"]["state"] = {}
        save_checkpoint(tmp_path / "checkpoint.pt", terms | kept | contents)
        run = ZeroRun(TICTACTOE, tmp_path, QUICK)
        assert run.open()
        assert run.iteration == 2
        assert run.iterate(0.5)["iteration"] == 3
        run.close()


def test_who_resigns_does_not_change_when_a_run_goes_on(tmp_path):
    run = ZeroRun(TICTACTOE, tmp_path, QUICK)
    run.open()
    run.regrets = [-0.9] * 200
    run.save()
    again = ZeroRun(TICTACTOE, tmp_path, QUICK)
    again.open()
    assert again.plan.resign == pytest.approx(-0.9)


class Unsaved(ZeroRun):
    """Takes so long to save that it does not."""

    def keep(self):
        pass


def test_ctrl_c_loses_nothing_but_the_iteration_in_progress(tmp_path):
    whole = Unsaved(TICTACTOE, tmp_path / "whole", QUICK)
    whole.open()
    for _ in range(4):
        whole.iterate(0.5)
    run = Unsaved(TICTACTOE, tmp_path / "stopped", QUICK)
    run.open()
    for _ in range(2):
        run.iterate(0.5)

    def press(progress):
        if (progress.iteration, progress.stage) == (3, "learning"):  # a step of it is done
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.iterate(0.5, press)
    again = Unsaved(TICTACTOE, tmp_path / "stopped", QUICK)
    assert again.open()
    assert again.iteration == 2
    for _ in range(2):
        again.iterate(0.5)
    assert again.data == whole.data


# Two processes ------------------------------------------------------------------------------------------------------

HOLDER = """
import sys
from pathlib import Path
from plyground.games import make_game
from plyground.learning.zero import Recipe, ZeroRun
run = ZeroRun(make_game("tictactoe"), Path(sys.argv[1]), Recipe(size="1x8"))
run.open()
print("open", flush=True)
sys.stdin.read()
"""


def test_two_processes_cannot_train_in_one_folder(command, tmp_path):
    folder = tmp_path / "run"
    words = [sys.executable, "-c", HOLDER, str(folder)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout.readline() == "open\n"
        files = kept_files(folder)
        done = command("train", "tictactoe", "--size", "1x8", "--out", str(folder), "--iterations", "1")
        assert (done.returncode, done.stdout) == (2, "")
        said = f"another process is training in {folder}; wait until it is done, or name another folder"
        assert " ".join(done.stderr.split()) == f"error: {said}"
        is_refused(ZeroRun(TICTACTOE, folder, QUICK), "another process is training in")
        assert kept_files(folder) == files
        holder.kill()
    run = ZeroRun(TICTACTOE, folder, QUICK)
    assert not run.open()  # whoever is killed holds nothing
    run.close()


# From Python --------------------------------------------------------------------------------------------------------


def test_a_network_is_trained_from_python_and_plays(tmp_path):
    told, lines = [], []
    small = {"size": "1x8", "simulations": 4, "positions": 60, "device": "cpu"}
    network = train(
        "tictactoe", iterations=1, out=tmp_path / "r", on_progress=told.append, on_iteration=lines.append, **small
    )
    assert network.path == tmp_path / "r" / "network.onnx"
    assert (network.game, network.spec) == ("tictactoe", f"minialphago:network={network.path}")
    assert [line["iteration"] for line in lines] == [1]
    assert {progress.stage for progress in told} >= {"starts", "self-play"}
    player = make_player(network.spec, TICTACTOE, seed=1)
    chosen = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit(simulations=8))
    assert chosen.action in range(9)
    assert train(TICTACTOE, iterations=1, out=tmp_path / "r", **small) == network
    assert [line["iteration"] for line in lines_of(tmp_path / "r")] == [1]
    more = train("tictactoe", iterations=1, out=tmp_path / "more", start=network, **small | {"size": ""})
    assert more.path.exists()
    with pytest.raises(BadOption, match="is a network for tictactoe, not for connect4"):
        train("connect4", iterations=1, out=tmp_path / "s", start=network.path, **small)
    for wrong in ({"minutes": -1.0}, {"iterations": 0}, {"gate": 1.0}):
        with pytest.raises(BadOption, match="must be"):
            train("tictactoe", out=tmp_path / "none", **wrong)
    assert not (tmp_path / "none").exists()


def test_values_are_learned_from_python_and_play(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    stages = []
    values = train_td("tictactoe", games=20, hidden=4, measure=lambda net: len(net.bias), on_progress=stages.append)
    assert values.path == tmp_path / "runs" / "tictactoe.npz"
    assert [stage.games for stage in stages] == list(range(21))
    assert [stage.games for stage in stages if stage.score == 4] == list(range(2, 21, 2))
    assert values.spec == f"alphabeta:depth=4,evaluation={values.path}"
    make_player(values.spec, TICTACTOE)
    with pytest.raises(BadOption, match="has learned from 20 games already"):
        train_td("tictactoe", games=20)

    def interrupt(stage):
        if stage.games == 25:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_td("tictactoe", games=30, on_progress=interrupt)
    train_td("tictactoe", games=30, measure=lambda net: 0.5, on_progress=(again := []).append)
    assert again[0].games == 25  # Ctrl-C has lost nothing
    assert [stage.games for stage in again if stage.score] == [27, 30]


# Files that are damaged, or lie --------------------------------------------------------------------------------------


def sealed_again(data: bytes) -> bytes:
    """A checkpoint with these contents, and a digest that fits."""
    return MARK + hashlib.sha256(data).digest() + data


def archive_of(contents) -> bytes:
    room = io.BytesIO()
    torch.save(contents, room)
    return room.getvalue()


def compressed(data: bytes) -> bytes:
    room = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED) as new:
        for info in old.infolist():
            new.writestr(info.filename, old.read(info))
    return room.getvalue()


def with_program(program: bytes) -> bytes:
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w") as new:
        for name, content in (("data.pkl", program), ("version", b"3\n"), ("byteorder", b"little")):
            new.writestr(f"archive/{name}", content)
    return room.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "cannot be unpacked"),
        (b"PK\x03\x04nonsense", "cannot be unpacked"),
        (compressed(archive_of({"x": torch.zeros(1000)})), r"is compressed"),
        (archive_of({"x": torch.zeros(1).expand(10**10)}), "more numbers than the file has"),
        (archive_of({"x": torch.zeros(3, device="meta")}), "cannot be unpacked"),
        (with_program(b"cbuiltins\nbytearray\n(J\xff\xff\xff\x7ftR."), "it names 'builtins bytearray'"),
        (with_program(pickle.dumps(Path)), "it names|cannot be unpacked"),
        (archive_of([1, 2]), "holds no run"),
    ],
)
def test_a_checkpoint_that_lies_is_refused_in_a_line(tmp_path, data, reason):
    path = tmp_path / "checkpoint.pt"
    path.write_bytes(sealed_again(data))
    with pytest.raises(FormatError, match=reason) as caught:
        load_checkpoint(path)
    assert "\n" not in str(caught.value)
    assert str(path) in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("[1]", "line 2 is not a JSON object"),
        ("{", "line 2 is not JSON"),
        ('{"iteration": "two", "seconds": 2}', 'line 2: "iteration" must be a number, not "two"'),
        ('{"iteration": 2}', 'line 2: "seconds" must be a number, not null'),
        ('{"iteration": 2, "seconds": NaN}', 'line 2: "seconds" must be a number'),
        ('{"iteration": 2, "seconds": 1e999}', 'line 2: "seconds" must be a number'),
        ('{"iteration": 2, "seconds": 3, "loss": {}}', 'line 2: "loss" is not a number'),
        ('{"iteration": 2, "seconds": 3, "loss": 1' + "0" * 400 + "}", 'line 2: "loss" is not a number'),
        ("[" * 100_000, "line 2 is nested too deeply"),
    ],
)
def test_a_damaged_line_of_a_journal_is_named(tmp_path, wrong, reason):
    good = '{"iteration": 1, "seconds": 1.5, "loss": NaN, "interval": [0.1, 0.2], "elo": null}'
    journal = Journal(tmp_path / "journal.jsonl")
    journal.path.write_text(f"{good}\n{wrong}\n{good}\n")
    before = journal.path.read_bytes()
    with pytest.raises(FormatError, match=reason) as caught:
        journal.resume(9)
    assert "\n" not in str(caught.value)
    assert journal.path.read_bytes() == before
    journal.path.write_text(f"{good}\n{wrong}")  # cut off while it was written
    journal.resume(9)
    assert [line["iteration"] for line in journal.lines] == [1]


def test_figures_that_are_not_numbers_leave_gaps():
    lines = [{"seconds": 60, "loss": 1.0}, {"seconds": 120, "loss": "x"}, {"seconds": 180, "loss": float("nan")}]
    assert measured(lines, "seconds", "loss") == [(60, 1.0)]


def test_numbers_of_a_checkpoint_are_compared_by_kind():
    ours = {"steps": 3, "rates": [0.1, 0.2], "facts": {}, "unsettled": None}
    assert misfit(ours, {"steps": 4, "rates": (1, 2), "facts": {"a": "b"}, "unsettled": 5}) == ""
    assert misfit(ours, {"steps": "4"}) == "steps is a text, not a number"
    assert misfit(ours, {"steps": True}) == "steps is on or off, not a number"
    assert misfit(ours, {"rates": [0.1, None]}) == "rates 2 is nothing, not a number"
    assert misfit(ours, {"steps": math.inf}) == "steps is not a number that it can be, not a number"
