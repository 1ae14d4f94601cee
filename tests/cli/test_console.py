"""What all commands share: JSON, tables, progress and files; and that no command has its own of them."""

import importlib
import io
import json
import math
import os
import threading
from contextlib import nullcontext
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.arena.database import Database
from plyground.cli import console
from plyground.cli.main import COMMANDS, app
from plyground.errors import BadOption
from plyground.pictures.terminal import Terminal

CLI = Path(console.__file__).parent

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: st.lists(inner) | st.tuples(inner) | st.dictionaries(st.text("abc"), inner),
)


def finite(value):
    if isinstance(value, dict):
        return {key: finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


@given(value=values)
def test_json_is_a_line_without_nan(value):
    lines = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(console.typer, "echo", lines.append)
        console.print_json(value)
    (line,) = lines
    assert "\n" not in line
    assert json.loads(line, parse_constant=lambda name: pytest.fail(name)) == finite(value)


def test_a_progress_bar_is_not_seen_where_nobody_looks(capsys, monkeypatch):
    monkeypatch.setattr(console, "PATIENCE", -1.0)
    with console.progress_bar("working", "games") as show:
        show(1, 3)
        show(2, None, "something")
        show(0.5)
    assert capsys.readouterr() == ("", "")


def test_work_that_says_nothing_of_itself_is_seen_all_the_same(monkeypatch):
    seen, drawn = threading.Event(), io.StringIO()
    drawn.flush = lambda: "working" in drawn.getvalue() and seen.set()
    monkeypatch.setattr(console, "PATIENCE", 0.0)
    monkeypatch.setattr(console, "err", Terminal(file=drawn, force_terminal=True, width=80))
    with console.progress_bar("working"):
        assert seen.wait(60)
    assert not [thread for thread in threading.enumerate() if isinstance(thread, threading.Timer)]


def test_names_in_a_progress_bar_are_no_markup(monkeypatch):
    drawn = io.StringIO()
    monkeypatch.setattr(console, "err", Terminal(file=drawn, force_terminal=True, color_system=None, width=80))
    bar = console.ProgressBar("[/b] :x:")
    bar.picture.start()
    bar.picture.stop()
    assert "[/b] :x:" in drawn.getvalue()


def test_several_pieces_of_work_share_a_bar(monkeypatch):
    shown = []
    monkeypatch.setattr(console, "progress_bar", lambda what: nullcontext(shown.append))

    def work(item, tell):
        tell(0.5)
        tell(1.0)
        return 10 * item

    assert console.done_each("working", [1, 2], work) == [10, 20]
    assert shown == [0.25, 0.5, 0.75, 1.0]


@pytest.mark.parametrize(
    ("done", "unit", "amount"),
    [((0.25,), "", "25%"), ((3, 1200), "games", "3/1,200 games"), ((1200, None), "games", "1,200 games")],
)
def test_a_progress_bar_says_how_far_it_is(done, unit, amount):
    bar = console.ProgressBar("working", unit)
    bar.show(*done)
    assert bar.picture.tasks[0].fields["amount"].strip() == amount
    assert bar.picture.tasks[0].total == (done[1] if len(done) > 1 else 1.0)


@pytest.mark.parametrize(
    ("name", "endings", "message"),
    [
        ("x.gif", (".svg", ".png", ".html"), "--out must end in .svg, .png or .html, not 'x.gif'"),
        ("x.gif", (".svg",), "--out must end in .svg, not 'x.gif'"),
        ("nowhere/x.svg", (".svg",), "there is no folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(tmp_path, name, endings, message):
    with pytest.raises(BadOption, match=message):
        console.check_out(tmp_path / name, *endings)


def test_a_file_that_can_be_written_is_not_refused(tmp_path):
    console.check_out(None, ".svg")
    console.check_out(tmp_path / "x.SVG", ".svg")
    assert not list(tmp_path.iterdir())


def test_a_command_is_found_by_its_name():
    commands = {command.name: command.callback for command in app.registered_commands}
    groups = {group.name: group.typer_instance for group in app.registered_groups}
    assert {*commands, *groups} == set(COMMANDS)
    for name, function in commands.items():
        assert (function.__module__, function.__name__) == (f"plyground.cli.{name}", f"{name}_command")
    for name, group in groups.items():
        assert vars(importlib.import_module(f"plyground.cli.{name}"))[f"{name}_app"] is group


@pytest.mark.parametrize("text", ["Terminal(", "rich.progress", "show_edge", 'help="Print JSON for programs.'])
def test_only_the_console_has_these(text):
    assert [path.name for path in CLI.glob("*.py") if text in path.read_text(encoding="utf-8")] == ["console.py"]


@pytest.mark.parametrize(
    "line",
    [
        "db export games.db --out games.db",
        "db export games.db --out linked.db",
        "db export games.db --out games.db-wal",
        "cfr tree:file=game.json --save game.json",
        "endgame game.json --out game.json",
        "endgame game.json --out hard.json",
        "analyze reversi game.ggf --ggf ./game.ggf",
        "train evaluation fit games.npz --out games.npz",
        "cfr kuhn --out x.svg --save x.svg",
    ],
)
def test_what_is_read_is_never_written(tmp_path, command, line):
    Database(tmp_path / "games.db").close()
    tmp_path.joinpath("linked.db").symlink_to(tmp_path / "games.db")
    tmp_path.joinpath("game.json").write_text('{"max": [1, 2]}')
    tmp_path.joinpath("hard.json").hardlink_to(tmp_path / "game.json")
    tmp_path.joinpath("game.ggf").write_text("(;GM[Othello]B[f5];)")
    tmp_path.joinpath("games.npz").write_bytes(b"")
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    done = command(*line.split())
    assert done.returncode == 2
    assert "which is read here; name another file" in " ".join(done.stderr.split())
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("line", ["bandit --out", "pi --out", "endgame tictactoe --out", "cfr kuhn --save"])
def test_a_device_stays_a_device(command, line):
    done = command(*line.split(), os.devnull)
    assert done.returncode == 2
    assert f"{line.split()[-1]} must be a file, and '{os.devnull}' is a device" in " ".join(done.stderr.split())
    assert Path(os.devnull).is_char_device()
