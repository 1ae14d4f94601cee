"""Machines without room, without a home or without a network: the program works or says in one line what is wrong.

What stands in the way is a file where a folder should be, a limit on the size of files, or a device that is always
full: those stop everybody, an administrator too.
"""

import http.client
import os
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from plyground.errors import BadOption, FormatError
from plyground.learning.run import Journal
from plyground.native import cache_root as places
from plyground.native.cache_root import cache_problem, cache_root
from plyground.web.server import settings
from plyground.web.server.settings import default_database
from web_server import serving

GAME = ("play", "tictactoe", "--first", "minimax", "--second", "random", "--seed", "7")
FULL_LATER = """
import resource, sys
from plyground.cli.main import main
from plyground.native.compiling import cache_folder
if sys.argv.pop(1) == "later":
    cache_folder()
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
main()
"""
"""The command on a disk that has room for 1000 bytes: from the start, or from the first moment on."""


@pytest.fixture
def blocked(tmp_path):
    """A folder that nobody can make."""
    (tmp_path / "file").write_text("in the way")
    return tmp_path / "file" / "folder"


def lines_of(text):
    return [line for line in text.splitlines() if line.strip()]


def test_without_a_cache_a_game_is_played_all_the_same(new_process, blocked):
    done = new_process(*GAME, env={"PLYGROUND_CACHE_DIR": str(blocked)})
    assert done.returncode == 0, done.stderr
    assert "X (minimax) wins" in done.stdout
    said, compiling = lines_of(done.stderr)
    assert said == (
        f"note: cannot keep compiled code in {blocked} (Not a directory), so every start compiles again; "
        "set PLYGROUND_CACHE_DIR to a folder that can be written"
    )
    assert compiling == "Compiling minimax_value for TicTacToe to machine code ..."


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
@pytest.mark.parametrize("when", ["later", pytest.param("at once", marks=pytest.mark.slow)])
def test_a_full_disk_for_the_cache(tmp_path, when):
    done = subprocess.run(
        [sys.executable, "-c", FULL_LATER, when, *GAME],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "PLYGROUND_CACHE_DIR": str(tmp_path), "COLUMNS": "200", "NO_COLOR": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "X (minimax) wins" in done.stdout
    notes = [line for line in lines_of(done.stderr) if not line.startswith("Compiling")]
    assert len(notes) == 1
    assert notes[0].startswith(f"note: cannot keep compiled code in {tmp_path}")
    assert "(File too large), so " in notes[0]
    left = [path.name for path in tmp_path.rglob("*") if path.is_file()]
    assert left == ([] if when == "at once" else ["key"])  # no halves


def test_no_home_for_the_cache(monkeypatch):
    def homeless(*_, **__):
        raise RuntimeError("could not determine the home directory")

    monkeypatch.delenv("PLYGROUND_CACHE_DIR", raising=False)
    for answer in (homeless, lambda *_, **__: Path("~/.cache/plyground")):
        monkeypatch.setattr(places, "user_cache_path", answer)
        with pytest.raises(OSError, match="no home folder"):
            cache_root()
        assert cache_problem().startswith("cannot keep compiled code (you have no home folder), so every start")
        monkeypatch.setattr(settings, "user_data_path", answer)
        with pytest.raises(BadOption, match=r"^you have no home folder to keep games in; name the .* with --db$"):
            default_database()


def test_the_app_needs_a_place_for_games(new_process, blocked):
    variables = {"HOME": str(blocked), "XDG_DATA_HOME": str(blocked), "LOCALAPPDATA": str(blocked)}
    for arguments in (("web", "--no-browser", "--port", "0"), ()):
        done = new_process(*arguments, env=variables)
        assert done.returncode == 2
        said = [line for line in lines_of(done.stderr) if "is taken; using" not in line]
        assert len(said) == 1
        assert said[0].startswith("error: cannot keep games in ")
        assert said[0].endswith("Not a directory; name another database with --db")


def test_the_app_without_a_cache_and_behind_a_proxy(tmp_path, blocked, monkeypatch):
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")  # where nobody listens
    monkeypatch.setenv("PLYGROUND_CACHE_DIR", str(blocked))
    with serving(tmp_path, ahead=True) as server:
        connection = http.client.HTTPConnection(urlsplit(server.address).netloc, timeout=60)
        connection.request("GET", "/api/games")
        assert connection.getresponse().status == 200
        connection.close()
    (said,) = lines_of(server.errors.read_text())
    assert said.startswith(f"note: cannot keep compiled code in {blocked} (Not a directory)")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has such a device")
@pytest.mark.parametrize("arguments", [pytest.param(("games",), marks=pytest.mark.slow), ("games", "--json"), GAME])
def test_output_to_a_full_disk(arguments):
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "plyground.cli.main", *arguments],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=900,
            check=False,
        )
    assert done.returncode == 2
    assert lines_of(done.stderr)[-1] == "error: cannot read or write the output: No space left on device"
    assert "Traceback" not in done.stderr


def test_a_journal_that_cannot_be_written(blocked):
    with pytest.raises(FormatError, match=r"^cannot write the journal .*: Not a directory; make room and start again"):
        Journal(blocked).add({"iteration": 1})


def test_networks_leave_nothing_in_the_home(tmp_path):
    network = Path(settings.__file__).parents[2] / "engines/reversi/networks/minialphago_reversi.onnx"
    lines = "import sys; from pathlib import Path; from plyground.learning.onnx_file import load_network; "
    environment = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment.pop("ORT_DISABLE_TELEMETRY", None)
    loading = [sys.executable, "-c", f"{lines} load_network(Path(sys.argv[1]))", str(network)]
    subprocess.run(loading, env=environment, check=True, timeout=900)
    assert not list(tmp_path.iterdir())
