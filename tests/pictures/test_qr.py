"""QR codes: against what the standard and others have published, and read back by a reader of its own."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.pictures.qr import error_correction, format_bits, qr_matrix, qr_svg, version_bits

FORMATS = (
    "101010000010010", "101000100100101", "101111001111100", "101101101001011",
    "100010111111001", "100000011001110", "100111110010111", "100101010100000",
)  # fmt: skip
"""The 15 bits of level M with each mask, table C.1 of ISO/IEC 18004."""
ROOM = {1: 14, 2: 26, 3: 42, 4: 62, 5: 84, 6: 106, 7: 122, 8: 152, 9: 180, 10: 213, 20: 666, 30: 1370, 40: 2331}
"""How many bytes fit into a version at level M, table 7 of ISO/IEC 18004."""


def test_the_bits_for_format_and_version_are_those_of_the_standard() -> None:
    assert tuple(f"{format_bits(mask):015b}" for mask in range(8)) == FORMATS
    assert f"{version_bits(7):018b}" == "000111110010010100"
    assert f"{version_bits(40):018b}" == "101000110001101001"


def test_the_error_correction_is_that_of_a_published_example() -> None:
    """HELLO WORLD at 1-M, as many texts about QR codes work it out."""
    data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17]
    assert list(error_correction(data, 10)) == [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]


@pytest.mark.parametrize("version", [1, 2, 6, 7, 10, 40])
def test_a_version_holds_what_the_standard_says(version: int) -> None:
    assert len(qr_matrix("x" * ROOM[version])) == 17 + 4 * version
    if version < 40:
        assert len(qr_matrix("x" * (ROOM[version] + 1))) == 17 + 4 * (version + 1)
    else:
        with pytest.raises(ValueError, match="at most 2,331 bytes, not 2,332"):
            qr_matrix("x" * 2332)


def read(matrix: list[list[bool]]) -> str:
    """The text of a symbol of version 1 to 6; its error correction must find nothing to correct."""
    size = len(matrix)
    version = (size - 17) // 4
    first = [matrix[i][8] for i in (0, 1, 2, 3, 4, 5, 7, 8)] + [matrix[8][i] for i in (7, 5, 4, 3, 2, 1, 0)]
    second = [matrix[8][size - 1 - i] for i in range(8)] + [matrix[size - 7 + i][8] for i in range(7)]
    mask = FORMATS.index("".join("01"[bit] for bit in first[::-1]))
    assert "".join("01"[bit] for bit in second[::-1]) == FORMATS[mask], "both copies say the same"
    assert matrix[size - 8][8], "the module that is always dark"
    turns = (
        lambda r, c: (r + c) % 2, lambda r, c: r % 2, lambda r, c: c % 3, lambda r, c: (r + c) % 3,
        lambda r, c: (r // 2 + c // 3) % 2, lambda r, c: (r * c) % 2 + (r * c) % 3,
        lambda r, c: ((r * c) % 2 + (r * c) % 3) % 2, lambda r, c: ((r + c) % 2 + (r * c) % 3) % 2,
    )[mask]  # fmt: skip

    def for_data(r: int, c: int) -> bool:
        corner = (r < 9 and (c < 9 or c >= size - 8)) or (r >= size - 8 and c < 9)
        middle = version > 1 and abs(r - (size - 7)) <= 2 and abs(c - (size - 7)) <= 2
        return not (corner or middle or 6 in (r, c))

    bits, column, up = [], size - 1, True
    while column > 0:
        column -= column == 6
        for r in reversed(range(size)) if up else range(size):
            bits += [matrix[r][c] != (turns(r, c) == 0) for c in (column, column - 1) if for_data(r, c)]
        column, up = column - 2, not up
    found = [int("".join("01"[bit] for bit in bits[i : i + 8]), 2) for i in range(0, len(bits) - 7, 8)]
    count, checks = {1: (1, 10), 2: (1, 16), 3: (1, 26), 4: (2, 18), 5: (2, 24), 6: (4, 16)}[version]
    blocks = [found[i::count] for i in range(count)]
    for block in blocks:
        assert not any(syndrome(block, power) for power in range(checks))
    data = "".join(f"{byte:08b}" for block in blocks for byte in block[:-checks])
    assert data[:4] == "0100", "bytes"
    length = int(data[4:12], 2)
    return bytes(int(data[12 + 8 * i : 20 + 8 * i], 2) for i in range(length)).decode()


def syndrome(block: list[int], power: int) -> int:
    """The block as a polynomial, at a power of 2: 0 if nothing is wrong."""
    root, value = 1, 0
    for _ in range(power):
        root = root << 1 ^ (0x11D if root & 0x80 else 0)
    for byte in block:
        product, factor = 0, value
        for place in range(8):
            product ^= factor if root >> place & 1 else 0
            factor = factor << 1 ^ (0x11D if factor & 0x80 else 0)
        value = product ^ byte
    return value


@given(st.text(max_size=26).filter(lambda text: len(text.encode()) <= ROOM[6]))
def test_what_is_written_is_read_back(text: str) -> None:
    assert read(qr_matrix(text)) == text


@pytest.mark.parametrize("length", [1, 14, 15, 26, 42, 62, 63, 84, 85, 106])
def test_every_small_version_is_read_back(length: int) -> None:
    text = ("http://192.168.1.17:8421/play/" + "AbCdEfGhIjKl" * 9)[:length]
    assert read(qr_matrix(text)) == text


def test_a_picture_has_the_quiet_zone_that_cameras_need() -> None:
    picture = qr_svg("https://example.org/play/7")
    assert 'viewBox="0 0 33 33"' in picture
    assert 'd="M4 4h1v1h-1z' in picture
