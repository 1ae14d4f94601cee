"""Files are written whole or not at all, to regular files only, and read within bounds."""

from __future__ import annotations

import os
import socket
import stat
from pathlib import Path

import pytest

from plyground.core.files import check_writable, parse_json, read_file, read_text, write_file
from plyground.errors import BadOption, FormatError


@pytest.fixture
def pipe(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    path = tmp_path / "pipe"
    os.mkfifo(path)
    return path


# Writing


def test_a_device_a_pipe_and_a_folder_are_not_replaced(tmp_path, pipe):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
        places = [(Path(os.devnull), "a device"), (pipe, "a pipe"), (tmp_path, "a folder")]
        for place, kind in [*places, (tmp_path / "socket", "a socket")]:
            before = place.stat()
            with pytest.raises(FormatError, match=f"cannot write {place}: it is {kind}, not a file"):
                write_file(place, b"new")
            with pytest.raises(BadOption, match=f"--out must be a file, and '{place}' is {kind}"):
                check_writable(place, "--out")
            assert (place.stat().st_ino, place.stat().st_mode) == (before.st_ino, before.st_mode)


def test_a_link_stays_and_what_it_leads_to_is_replaced(tmp_path):
    (tmp_path / "there").mkdir()
    target, link = tmp_path / "there" / "x.svg", tmp_path / "link.svg"
    link.symlink_to(target)
    for content in (b"made", b"replaced"):  # first it leads nowhere
        check_writable(link, "--out")
        write_file(link, content)
        assert link.is_symlink()
        assert target.read_bytes() == content
    link.unlink()
    link.symlink_to(os.devnull)
    with pytest.raises(FormatError, match="it is a device"):
        write_file(link, b"new")
    link.unlink()
    link.symlink_to(link)
    with pytest.raises(FormatError, match="cannot write"):
        write_file(link, b"new")
    with pytest.raises(BadOption, match="cannot be written"):
        check_writable(link, "--out")


def test_the_old_content_is_kept_until_the_new_one_is_on_the_disk(tmp_path, monkeypatch):
    path, synced = tmp_path / "x", []
    path.write_bytes(b"old")
    usual = os.fsync

    def watched(handle):
        if stat.S_ISREG(os.fstat(handle).st_mode):
            assert path.read_bytes() == b"old"
            assert os.fstat(handle).st_size == len(b"new content")
        synced.append(stat.S_ISDIR(os.fstat(handle).st_mode))
        usual(handle)

    monkeypatch.setattr(os, "fsync", watched)
    write_file(path, b"new content")
    assert path.read_bytes() == b"new content"
    assert synced == ([False] if os.name == "nt" else [False, True])

    def full(handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FormatError, match=r"cannot write .*: No space left on device"):
        write_file(path, b"newer")
    assert path.read_bytes() == b"new content"
    assert list(tmp_path.iterdir()) == [path]


def test_permissions_are_kept(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_file(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


# Reading


def test_what_is_no_file_is_not_read(tmp_path, pipe):
    for place, kind in ((Path("/dev/zero"), "a device"), (pipe, "a pipe"), (tmp_path, "a folder")):
        with pytest.raises(FormatError, match=f"cannot read the book {place}: it is {kind}, not a file"):
            read_file(place, "book")
    with pytest.raises(FormatError, match="cannot read the book"):
        read_file("a\0b", "book")


def test_a_file_is_read_within_bounds(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"12345")
    assert read_file(path, "book", most=5) == b"12345"
    with pytest.raises(FormatError, match=r"x is too large for a book: it has 5 bytes, and may have 4"):
        read_file(path, "book", most=4)


def test_text_is_utf_8(tmp_path):
    path = tmp_path / "x"
    path.write_bytes(b"\xef\xbb\xbf\xe4\xb8\xad")
    assert read_text(path, "maze") == "中"
    path.write_bytes(b"ab\xff")
    with pytest.raises(FormatError, match=r"x is not a maze: it is not text in UTF-8 \(byte 2\)"):
        read_text(path, "maze")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1,\n2", "x.json is not JSON: .* at line 2, column 2"),
        ("[" * 100_000, "x.json is nested too deeply"),
        ('["\\ud800"]', "x.json has an escape"),
        ("1" * 5000, "x.json: .*"),
    ],
)
def test_what_is_wrong_with_json_is_said_in_a_line(text, message):
    with pytest.raises(FormatError, match=message) as caught:
        parse_json(text, "x.json")
    assert "\n" not in str(caught.value)


def test_a_pair_of_surrogates_is_a_character():
    assert parse_json('"\\ud83d\\ude00"', "x.json") == "😀"
