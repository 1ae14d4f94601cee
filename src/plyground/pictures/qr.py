"""QR codes: a text as a square of dark and light modules that a camera reads (ISO/IEC 18004, model 2).

Always in bytes, as UTF-8, and with error correction of level M: 15% of the symbol may be dirty or hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from itertools import pairwise

__all__ = ["error_correction", "format_bits", "qr_matrix", "qr_svg", "version_bits"]

Matrix = list[list[bool]]
Put = Callable[[int, int, bool], None]
"""Makes the module of a row and a column dark, or light."""

CHECK_BYTES = (
    10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26,
    26, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
)  # fmt: skip
"""For each version, 1 to 40, the bytes of error correction of a block at level M."""
BLOCKS = (
    1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16,
    17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
)  # fmt: skip
"""And how many blocks there are."""
LEVEL_M, BYTES = 0b00, 0b0100
FORMAT_GENERATOR, FORMAT_MASK, VERSION_GENERATOR = 0x537, 0x5412, 0x1F25
FIELD = 0x11D
"""The polynomial by which bytes are multiplied: x^8 + x^4 + x^3 + x^2 + 1."""
PADDING = (0xEC, 0x11)
QUIET = 4
"""Modules of white around the symbol, without which cameras do not find it."""
MASKS: tuple[Callable[[int, int], bool], ...] = (
    lambda r, c: (r + c) % 2 == 0,
    lambda r, c: r % 2 == 0,
    lambda r, c: c % 3 == 0,
    lambda r, c: (r + c) % 3 == 0,
    lambda r, c: (r // 2 + c // 3) % 2 == 0,
    lambda r, c: r * c % 2 + r * c % 3 == 0,
    lambda r, c: (r * c % 2 + r * c % 3) % 2 == 0,
    lambda r, c: ((r + c) % 2 + r * c % 3) % 2 == 0,
)
"""Which modules a mask turns."""
FINDER_LIKE = tuple(tuple(map(bool, map(int, line))) for line in ("10111010000", "00001011101"))


def qr_svg(text: str) -> str:
    """The code as a picture, dark on white whatever is around it.

    >>> qr_svg("https://example.org/play/7").startswith("<svg")
    True
    """
    rows = qr_matrix(text)
    size = len(rows) + 2 * QUIET
    path = "".join(
        f"M{c + QUIET} {r + QUIET}h1v1h-1z" for r, row in enumerate(rows) for c, dark in enumerate(row) if dark
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<rect width="{size}" height="{size}" fill="#fff"/><path d="{path}" fill="#000"/></svg>'
    )


def qr_matrix(text: str) -> Matrix:
    """The modules of the smallest code that holds the text, row by row, True for dark; `ValueError` if none does."""
    content = text.encode()
    version = next((v for v in range(1, 41) if _needed(v, len(content)) <= 8 * _room(v)), None)
    if version is None:
        raise ValueError(f"a QR code holds at most {_room(40) - 3:,} bytes, not {len(content):,}")
    matrix, free = _drawn_patterns(version)
    bits = _bits_of(_interleaved(version, _data_bytes(version, content)))
    for r, c in _places(len(matrix)):
        if free[r][c]:
            matrix[r][c] = next(bits, False)
    return min((_masked(matrix, free, number) for number in range(8)), key=_penalty)


# Bytes ------------------------------------------------------------------------------------------------------------


def _modules(version: int) -> int:
    """How many modules of a version are for data and error correction."""
    size, aligned = 17 + 4 * version, len(_alignment(version))
    patterns = 3 * 64 + 2 * (size - 16) + 31  # finders with their margins, timing, format and the dark module
    if aligned:
        patterns += 25 * (aligned**2 - 3) - 10 * (aligned - 2)  # those in a line with the timing share five with it
    return size**2 - patterns - (36 if version >= 7 else 0)


def _room(version: int) -> int:
    """How many bytes of data a version holds."""
    return _modules(version) // 8 - CHECK_BYTES[version - 1] * BLOCKS[version - 1]


def _needed(version: int, length: int) -> int:
    return 4 + (8 if version < 10 else 16) + 8 * length


def _data_bytes(version: int, content: bytes) -> bytes:
    """Mode, length and content, filled up to what the version holds."""
    width, room = 8 if version < 10 else 16, _room(version)
    bits = f"{BYTES:04b}{len(content):0{width}b}" + "".join(f"{byte:08b}" for byte in content)
    bits += "0" * min(4, 8 * room - len(bits))
    bits += "0" * (-len(bits) % 8)
    found = [int(bits[i : i + 8], 2) for i in range(0, len(bits), 8)]
    return bytes(found + [PADDING[i % 2] for i in range(room - len(found))])


def _interleaved(version: int, data: bytes) -> bytes:
    """The data in blocks with their error correction, a byte of each block in turn."""
    count, checks = BLOCKS[version - 1], CHECK_BYTES[version - 1]
    short, long = len(data) // count, len(data) % count
    blocks, start = [], 0
    for number in range(count):
        end = start + short + (number >= count - long)
        blocks.append(data[start:end])
        start = end
    corrections = [error_correction(block, checks) for block in blocks]
    in_turn = [block[i] for i in range(short + 1) for block in blocks if i < len(block)]
    return bytes(in_turn + [block[i] for i in range(checks) for block in corrections])


@cache
def _powers() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The powers of 2 in the field, and of which power each byte is."""
    powers, logarithms, value = [], [0] * 256, 1
    for exponent in range(255):
        powers.append(value)
        logarithms[value] = exponent
        value = value << 1 ^ (FIELD if value & 0x80 else 0)
    return tuple(powers), tuple(logarithms)


def _product(one: int, two: int) -> int:
    powers, logarithms = _powers()
    return powers[(logarithms[one] + logarithms[two]) % 255] if one and two else 0


def error_correction(data: Sequence[int], count: int) -> bytes:
    """The bytes of Reed and Solomon's error correction: the rest of the data divided by the generator."""
    generator = [1]
    for exponent in range(count):
        root = _powers()[0][exponent]
        grown = [*generator, 0]
        for i, factor in enumerate(generator):
            grown[i + 1] ^= _product(factor, root)
        generator = grown
    rest = [0] * count
    for byte in data:
        factor = byte ^ rest[0]
        rest = [*rest[1:], 0]
        rest = [old ^ _product(part, factor) for old, part in zip(rest, generator[1:], strict=True)]
    return bytes(rest)


def _bits_of(content: bytes) -> Iterator[bool]:
    return (bool(byte >> place & 1) for byte in content for place in range(7, -1, -1))


# Modules ----------------------------------------------------------------------------------------------------------


def _alignment(version: int) -> list[int]:
    """The rows, and columns, of the middles of alignment patterns."""
    if version == 1:
        return []
    count, last = version // 7 + 2, 10 + 4 * version
    step = 26 if version == 32 else (4 * version + 2 * count + 1) // (2 * count - 2) * 2
    return [6, *(last - step * i for i in range(count - 2, -1, -1))]


def _drawn_patterns(version: int) -> tuple[Matrix, Matrix]:
    """A symbol without data, and which of its modules are free for it."""
    size = 17 + 4 * version
    matrix, free = [[False] * size for _ in range(size)], [[True] * size for _ in range(size)]

    def put(r: int, c: int, dark: bool) -> None:
        if 0 <= r < size and 0 <= c < size:
            matrix[r][c], free[r][c] = dark, False

    for i in range(size):
        put(6, i, i % 2 == 0)
        put(i, 6, i % 2 == 0)
    for r, c in ((3, 3), (3, size - 4), (size - 4, 3)):
        for i in range(-4, 5):
            for j in range(-4, 5):
                put(r + i, c + j, max(abs(i), abs(j)) not in (2, 4))
    middles = _alignment(version)
    for r in middles:
        for c in middles:
            if (r, c) not in ((6, 6), (6, size - 7), (size - 7, 6)):
                for i in range(-2, 3):
                    for j in range(-2, 3):
                        put(r + i, c + j, max(abs(i), abs(j)) != 1)
    _put_format(put, size, 0)
    if version >= 7:
        for i in range(18):
            dark = bool(version_bits(version) >> i & 1)
            put(i // 3, size - 11 + i % 3, dark)
            put(size - 11 + i % 3, i // 3, dark)
    return matrix, free


def format_bits(mask: int) -> int:
    """The 15 bits that say level M and a mask, protected by a BCH code."""
    return (LEVEL_M << 3 | mask) << 10 ^ _rest(LEVEL_M << 3 | mask, FORMAT_GENERATOR, 10) ^ FORMAT_MASK


def version_bits(version: int) -> int:
    """The 18 bits that say which version a large symbol is."""
    return version << 12 ^ _rest(version, VERSION_GENERATOR, 12)


def _rest(value: int, generator: int, length: int) -> int:
    value <<= length
    while value.bit_length() > length:
        value ^= generator << value.bit_length() - generator.bit_length()
    return value


def _put_format(put: Put, size: int, mask: int) -> None:
    bits = format_bits(mask)
    for i in range(15):
        dark = bool(bits >> i & 1)
        beside = i if i < 6 else i + 1 if i < 8 else size - 15 + i
        above = size - 1 - i if i < 8 else 7 if i == 8 else 14 - i
        put(beside, 8, dark)
        put(8, above, dark)
    put(size - 8, 8, True)


def _places(size: int) -> Iterator[tuple[int, int]]:
    """Where the bits go: two columns at a time from the right, up and down in turn, around the timing pattern."""
    upward = True
    for right in (*range(size - 1, 6, -2), 5, 3, 1):
        for r in range(size - 1, -1, -1) if upward else range(size):
            yield r, right
            yield r, right - 1
        upward = not upward


def _masked(matrix: Matrix, free: Matrix, number: int) -> Matrix:
    mask = MASKS[number]
    found = [
        [dark ^ (open_ and mask(r, c)) for c, (dark, open_) in enumerate(zip(row, free[r], strict=True))]
        for r, row in enumerate(matrix)
    ]

    def put(r: int, c: int, dark: bool) -> None:
        found[r][c] = dark

    _put_format(put, len(found), number)
    return found


def _penalty(matrix: Matrix) -> int:
    """How hard a symbol is to read: long runs, blocks, what looks like a finder, and uneven shares of dark."""
    size, total = len(matrix), 0
    for lines in (matrix, [list(column) for column in zip(*matrix, strict=True)]):
        for line in lines:
            run = 0
            for i, dark in enumerate(line):
                run = run + 1 if i and line[i - 1] == dark else 1
                total += 3 if run == 5 else run > 5
            total += 40 * sum(tuple(line[i : i + 11]) in FINDER_LIKE for i in range(size - 10))
    for above, below in pairwise(matrix):
        total += 3 * sum(above[i] == above[i + 1] == below[i] == below[i + 1] for i in range(size - 1))
    dark = sum(map(sum, matrix))
    return total + 10 * (abs(20 * dark - 10 * size**2) // size**2)
