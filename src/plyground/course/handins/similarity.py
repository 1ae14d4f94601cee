"""Code that hand-ins have in common, whatever its names and comments are.

A source becomes a row of signs, one for each token: keywords and operators stay what they are, all names are one sign,
all numbers another, all texts a third; comments and layout are left out. Of every `KGRAM` tokens in a row a hash is
taken, and of every `WINDOW` hashes in a row the smallest is a fingerprint (Schleimer, Wilkerson and Aiken, "Winnowing:
Local Algorithms for Document Fingerprinting", 2003). So two hand-ins with `GUARANTEED` equal tokens in a row share a
fingerprint for sure. From there equal tokens are followed in both directions, and the longest passages count first.

What was given out to everybody does not count, nor what more than half of a large class has.
"""

from __future__ import annotations

import itertools
import keyword
import re
import zlib
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["GUARANTEED", "Pair", "Place", "compare_all"]

KGRAM, WINDOW = 24, 9
GUARANTEED = KGRAM + WINDOW - 1
"""Passages with fewer tokens than this are not looked for: everybody writes some of them."""
LISTED = 0.25
"""Pairs are listed in which one has this share of its tokens in common with the other."""
LEAST_TOKENS = 60
"""And at least this many tokens."""
LARGE_CLASS = 8
MOST_TOKENS = 50_000
MOST_OCCURRENCES = 20
"""How often a fingerprint of one hand-in is looked at: a program that repeats itself has it without end."""
BARRIER = "\0"
"""A token that is equal to none, itself included."""

TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<text>(?i:[rbuf]{0,2})(?:\"{3}(?:\\.|[^\\])*?(?:\"{3}|\Z)|'{3}(?:\\.|[^\\])*?(?:'{3}|\Z)
        |\"(?:\\.|[^\\\"\n])*\"?|'(?:\\.|[^\\'\n])*'?))
    |(?P<number>\d[\w.]*)
    |(?P<name>\w+)
    |(?P<blank>\s+)
    |(?P<operator>\*\*=?|//=?|<<=?|>>=?|[-+*/%&|^=!<>:]=|->|.)""",
    re.VERBOSE | re.DOTALL,
)
KEPT = frozenset(keyword.kwlist)


@dataclass(frozen=True)
class Place:
    """A passage that two hand-ins share: the file and its first and last line in each, and how many tokens."""

    first: tuple[str, int, int]
    second: tuple[str, int, int]
    tokens: int


@dataclass(frozen=True)
class Pair:
    """Two hand-ins, which share of its own tokens each has in common with the other, and where."""

    first: str
    second: str
    first_share: float
    second_share: float
    places: tuple[Place, ...]

    @property
    def share(self) -> float:
        """The larger of the two."""
        return max(self.first_share, self.second_share)


@dataclass
class _Document:
    """A hand-in as a text with a character for each token, where each token stands, and how many are its own."""

    signs: str
    places: list[tuple[str, int]]
    own: int


class _Alphabet:
    """A character for each kind of token."""

    def __init__(self) -> None:
        self._signs: dict[str, str] = {}

    def sign(self, token: str) -> str:
        return self._signs.setdefault(token, chr(0x100 + len(self._signs)) if len(self._signs) < 0xD000 else "\1")

    def read(self, text: str) -> list[tuple[str, int]]:
        """The tokens of a source, with their lines."""
        found: list[tuple[str, int]] = []
        line = 1
        for token in TOKEN.finditer(text):
            kind, words = token.lastgroup, token[0]
            if kind == "name":
                found.append((self.sign(words if words in KEPT else "name"), line))
            elif kind in ("number", "text"):
                found.append((self.sign(str(kind)), line))
            elif kind == "operator":
                found.append((self.sign(words), line))
            line += words.count("\n")
            if len(found) >= MOST_TOKENS:
                break
        return found


def compare_all(hand_ins: Mapping[str, Mapping[str, str]], given: Sequence[str] = ()) -> list[Pair]:
    """The pairs of hand-ins with much code in common, the most first. Each is the texts of its files by name."""
    alphabet = _Alphabet()
    common: set[str] = set()
    for text in given:
        signs = "".join(sign for sign, _ in alphabet.read(text))
        common |= {signs[at : at + KGRAM] for at in range(len(signs) - KGRAM + 1)}
    documents = {name: _document(files, alphabet, common) for name, files in hand_ins.items()}
    prints = {name: _fingerprints(one.signs) for name, one in documents.items()}
    owners: dict[int, list[str]] = defaultdict(list)
    for name, found in prints.items():
        for value in found:
            owners[value].append(name)
    most = len(documents) // 2 if len(documents) >= LARGE_CLASS else len(documents)
    shared: dict[tuple[str, str], list[int]] = defaultdict(list)
    for value, names in owners.items():
        if 2 <= len(names) <= max(2, most):
            for pair in itertools.combinations(names, 2):
                shared[pair].append(value)
    pairs = [
        _pair(pair, (documents[pair[0]], documents[pair[1]]), (prints[pair[0]], prints[pair[1]]), values)
        for pair, values in shared.items()
    ]
    listed = [
        pair for pair in pairs if pair.share >= LISTED and sum(place.tokens for place in pair.places) >= LEAST_TOKENS
    ]
    return sorted(listed, key=lambda pair: (-pair.share, pair.first, pair.second))


def _document(files: Mapping[str, str], alphabet: _Alphabet, given: set[str]) -> _Document:
    signs: list[str] = []
    places: list[tuple[str, int]] = []
    for name, text in files.items():
        if len(signs) >= MOST_TOKENS:
            break
        tokens = alphabet.read(text)[: MOST_TOKENS - len(signs)]
        signs += [*(sign for sign, _ in tokens), BARRIER]
        places += [*((name, line) for _, line in tokens), (name, 0)]
    whole = "".join(signs)
    for at in range(len(whole) - KGRAM + 1):
        if whole[at : at + KGRAM] in given:
            signs[at : at + KGRAM] = [BARRIER] * KGRAM
    own = "".join(signs)
    return _Document(own, places, len(own) - own.count(BARRIER))


def _fingerprints(signs: str) -> dict[int, list[int]]:
    """Where the fingerprints of a document begin, by their hashes."""
    hashes = [
        -1 if BARRIER in (gram := signs[at : at + KGRAM]) else zlib.crc32(gram.encode("utf-32-le"))
        for at in range(len(signs) - KGRAM + 1)
    ]
    found: dict[int, list[int]] = defaultdict(list)
    last = -1
    for start in range(max(0, len(hashes) - WINDOW + 1) or min(1, len(hashes))):
        window = [(value, -at) for at, value in enumerate(hashes[start : start + WINDOW], start) if value >= 0]
        if not window:
            continue
        value, at = min(window)
        if -at != last:
            last = -at
            if len(found[value]) < MOST_OCCURRENCES:
                found[value].append(last)
    return dict(found)


def _pair(
    names: tuple[str, str],
    documents: tuple[_Document, _Document],
    prints: tuple[dict[int, list[int]], dict[int, list[int]]],
    shared: Sequence[int],
) -> Pair:
    first, second = documents
    runs: set[tuple[int, int, int]] = set()
    seen: dict[int, int] = {}
    starts = sorted({(a, b) for value in shared for a in prints[0][value] for b in prints[1][value]})
    for a, b in starts:
        if seen.get(a - b, -1) > a:  # within a run of this diagonal
            continue
        begin = 0
        while a - begin > 0 and b - begin > 0 and _same(first.signs[a - begin - 1], second.signs[b - begin - 1]):
            begin += 1
        end = 0
        while (
            a + end < len(first.signs)
            and b + end < len(second.signs)
            and _same(first.signs[a + end], second.signs[b + end])
        ):
            end += 1
        seen[a - b] = a + end
        runs.add((-(begin + end), a - begin, b - begin))
    taken: tuple[set[int], set[int]] = (set(), set())
    places = []
    for length, a, b in sorted(runs):
        start, count = _longest_free(a, b, -length, taken)
        if count < GUARANTEED:
            continue
        taken[0].update(range(a + start, a + start + count))
        taken[1].update(range(b + start, b + start + count))
        places.append(Place(_lines(first, a + start, count), _lines(second, b + start, count), count))
    shares = (len(taken[0]) / max(1, first.own), len(taken[1]) / max(1, second.own))
    return Pair(*names, *shares, tuple(sorted(places, key=lambda place: (-place.tokens, place.first))))


def _same(one: str, other: str) -> bool:
    return one == other != BARRIER


def _longest_free(a: int, b: int, length: int, taken: tuple[set[int], set[int]]) -> tuple[int, int]:
    """The longest part of a run of which nothing is taken in either: where it begins in the run, and its length."""
    best = (0, 0)
    start = 0
    for at in range(length + 1):
        if at == length or a + at in taken[0] or b + at in taken[1]:
            if at - start > best[1]:
                best = (start, at - start)
            start = at + 1
    return best


def _lines(document: _Document, at: int, count: int) -> tuple[str, int, int]:
    name, line = document.places[at]
    return name, line, document.places[at + count - 1][1]
