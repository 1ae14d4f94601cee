"""Arrays are what was expected, and nothing is unpacked before that is known."""

import io
import tracemalloc
import zipfile

import numpy as np
import pytest

from plyground.core.array_file import read_arrays
from plyground.errors import FormatError

KINDS = {"words": ("u8", ("n",)), "table": ("i1", ("n", 3)), "name": ("U", ()), "more": ("f4", (2,))}
GOOD = {
    "words": np.arange(4, dtype=np.uint64),
    "table": np.arange(12, dtype=np.int8).reshape(4, 3),
    "name": np.array("reversi"),
}


def read(path):
    return read_arrays(path, "file of words", KINDS, optional=("more",), hint="make another")


def packed(arrays, how=np.savez_compressed) -> bytes:
    data = io.BytesIO()
    how(data, **arrays)
    return data.getvalue()


@pytest.mark.parametrize("how", [np.savez, np.savez_compressed])
def test_arrays_come_back_as_they_were(tmp_path, how):
    path = tmp_path / "x.npz"
    path.write_bytes(packed(GOOD | {"table": np.asfortranarray(GOOD["table"])}, how))
    found = read(path)
    assert list(found) == list(GOOD)
    for name, array in GOOD.items():
        assert np.array_equal(found[name], array)
    assert found["table"].flags.writeable
    path.write_bytes(packed(GOOD | {"more": np.zeros(2, np.float32)}, how))
    assert read(path)["more"].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"words": None}, "it has no array 'words'"),
        ({"words": np.arange(4)}, r"'words' is int64 of shape \(4,\), not uint64 of shape \(4,\)"),
        ({"table": np.zeros((5, 3), np.int8)}, r"'table' is int8 of shape \(5, 3\), not int8 of shape \(4, 3\)"),
        ({"table": np.zeros(4, np.int8)}, r"'table' is int8 of shape \(4,\), not int8 of shape \(4, 3\)"),
        ({"more": np.zeros(3, np.float32)}, r"'more' is float32 of shape \(3,\), not float32 of shape \(2,\)"),
        ({"name": np.array(3)}, r"'name' is int64 of shape \(\), not a text"),
        ({"name": np.array([None], object)}, "'name' is not an array of numbers"),
        ({"words": np.zeros(4, [("a", "u8")])}, "'words' is not an array of numbers"),
        ({"words": np.zeros(4, ">u8")}, "'words' is not an array of numbers"),
    ],
)
def test_which_array_is_wrong_is_said(tmp_path, changed, reason):
    path = tmp_path / "x.npz"
    path.write_bytes(packed({name: array for name, array in (GOOD | changed).items() if array is not None}))
    with pytest.raises(FormatError, match=rf"x\.npz is not a file of words: {reason}; make another$"):
        read(path)


def archive(path, **members: bytes):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in members.items():
            file.writestr(f"{name}.npy", content)


def with_header(shape: str, body: bytes, descr: str = "<u8") -> bytes:
    header = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + body


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (with_header("(1000000000000,)", bytes(80)), "'words' is .* bytes long, and"),
        (with_header("(3,)", bytes(80)), "'words' is .* bytes long, and"),
        (with_header("(" + "1, " * 15 + ")", bytes(8)), "'words' is uint64 of shape"),
        (with_header("(" + "1, " * 30 + ")", bytes(8)), "'words' is not an array"),
        (with_header("(" * 300, bytes(8)), "'words' is not an array"),
        (with_header("(1,)", bytes(8), "<u3"), "'words' is not an array"),
        (b"", "'words' is not an array"),
        (with_header("(5000000,)", bytes(40_000_000)), "would unpack to 40,000,000 bytes, from a file of"),
    ],
)
def test_headers_are_not_believed(tmp_path, content, reason):
    path = tmp_path / "x.npz"
    archive(path, words=content)
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=reason):
            read(path)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_a_flipped_bit_is_found_by_the_checksum(tmp_path):
    path = tmp_path / "x.npz"
    whole = packed(GOOD, np.savez)
    place = whole.index(GOOD["table"].tobytes())
    path.write_bytes(whole[:place] + b"\x80" + whole[place + 1 :])
    with pytest.raises(FormatError, match="is not a file of words: it is damaged"):
        read(path)
