"""Sealed files: whoever does not know the key cannot write one, and no bit of them can change unseen."""

import os
import stat

import pytest

from plyground.native.sealing import KEY_FILE, private_folder_key, sealed, unsealed

KEY = bytes(range(32))


def test_a_sealed_file_opens_by_its_key_and_name_only():
    data = sealed(KEY, "a.bin", b"content")
    assert unsealed(KEY, "a.bin", data) == b"content"
    assert unsealed(KEY, "b.bin", data) is None
    assert unsealed(KEY[::-1], "a.bin", data) is None
    assert unsealed(KEY, "a.bin", b"content") is None
    assert unsealed(KEY, "a.bin", b"") is None


def test_a_flipped_bit_is_seen_wherever_it_is():
    data = sealed(KEY, "a.bin", b"content")
    for bit in range(8 * len(data)):
        spoilt = bytearray(data)
        spoilt[bit // 8] ^= 1 << bit % 8
        assert unsealed(KEY, "a.bin", bytes(spoilt)) is None


def test_the_key_is_kept_and_is_its_owners_alone(tmp_path):
    folder = tmp_path / "code"
    key = private_folder_key(folder)
    assert len(key) == 32
    assert private_folder_key(folder) == key
    assert private_folder_key(tmp_path / "other") != key
    if os.name != "nt":
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700
        assert stat.S_IMODE((folder / KEY_FILE).stat().st_mode) == 0o600
    assert [path.name for path in folder.iterdir()] == [KEY_FILE]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission bits")
def test_a_key_that_others_could_know_is_replaced(tmp_path):
    folder = tmp_path / "code"
    key = private_folder_key(folder)
    (folder / KEY_FILE).chmod(0o640)
    second = private_folder_key(folder)
    assert second != key
    (folder / KEY_FILE).write_bytes(b"short")
    third = private_folder_key(folder)
    assert third not in (key, second)
    known = tmp_path / "known"
    known.write_bytes(KEY)
    known.chmod(0o600)
    (folder / KEY_FILE).unlink()
    (folder / KEY_FILE).symlink_to(known)
    assert private_folder_key(folder) != KEY


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such permission bits")
def test_a_folder_of_somebody_else_is_refused_and_a_wide_one_of_ours_is_narrowed(tmp_path, monkeypatch):
    folder = tmp_path / "code"
    private_folder_key(folder)
    folder.chmod(0o777)
    private_folder_key(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    (tmp_path / "link").symlink_to(folder)
    with pytest.raises(PermissionError, match="somebody else"):
        private_folder_key(tmp_path / "link")
    stranger = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: stranger)
    with pytest.raises(PermissionError, match="it belongs to somebody else"):
        private_folder_key(folder)
