"""Lines for protocol engines that nobody would write: random bytes, and valid commands with something wrong in them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

SQUARES = [f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)]
WORDS = ["", "0", "-1", "9" * 30, "1e9", "nan", "pass", "PA", "black", "w", "\t", "#", "é", "棋", "\x00", "x" * 500]


def hostile_lines(valid: Sequence[str], count: int, seed: int) -> Iterator[str]:
    """Valid lines as they are, and mutated in every way, and noise; the same seed gives the same lines."""
    rng = random.Random(seed)
    for _ in range(count):
        line = rng.choice(valid).replace("SQUARE", rng.choice(SQUARES))
        match rng.randrange(10):
            case 0:  # noise
                length, top = rng.randrange(60), rng.choice((32, 128, 0x3000))
                yield "".join(chr(rng.randrange(top)) for _ in range(length))
            case 1:  # one character is another
                at = rng.randrange(len(line) + 1)
                yield line[:at] + chr(rng.randrange(256)) + line[at + 1 :]
            case 2:  # some characters are missing
                at = rng.randrange(len(line) + 1)
                yield line[:at] + line[at + rng.randrange(4) :]
            case 3:  # another word
                words = line.split(" ")
                words[rng.randrange(len(words))] = rng.choice(WORDS)
                yield " ".join(words)
            case 4:  # one word too many
                yield f"{line} {rng.choice(WORDS)}"
            case 5:  # the end is missing
                yield line[: rng.randrange(len(line) + 1)]
            case 6:  # two lines in one
                yield line + rng.choice(valid)
            case _:
                yield line
