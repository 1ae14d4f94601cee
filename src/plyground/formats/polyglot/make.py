"""Work out the numbers behind the keys of Polyglot books, from books that the program polyglot has made.

    python -m plyground.formats.polyglot.make

Games are played at random, polyglot (Debian's package of that name) makes a book of each, and the key of every
position is read that a move of the book names without doubt. A key is the exclusive or of the numbers of what is in the
position, so all of them together are linear equations over two elements; their solution is the file `numbers.bin`: 781
words of 64 bits, most significant byte first.

What no game can show is left at 0: pawns on the first and last rank. And since in every position there is one king of
each side, the same word may be added to the numbers of all kings; here a black king on a1 has 0. No key depends on it.
"""

from __future__ import annotations

import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np

from plyground.core.files import write_file
from plyground.errors import FormatError
from plyground.formats.polyglot import ENTRY, FILE, NUMBERS, key_parts, move_code
from plyground.games.chess import Chess, chess
from plyground.games.chess.board import drawn_by_rule
from plyground.games.chess.moves import after, legal_moves
from plyground.games.chess.notation import san

__all__ = ["Equations", "equations_of_a_game"]

MOST_GAMES = 5000
LONGEST = 500
"""Moves of a game."""
UNSEEN = {64 * kind + square for kind in (0, 1) for square in (*range(8), *range(56, 64))}
"""The numbers of pawns where none can stand."""


class Equations:
    """A system of linear equations over two elements: unknown words, and sums of them that are known."""

    def __init__(self) -> None:
        self._rows: dict[int, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, parts: int, value: int) -> None:
        """The words whose bits are set in `parts` have this exclusive or."""
        while parts:
            first = parts.bit_length() - 1
            if first not in self._rows:
                self._rows[first] = parts, value
                return
            row, known = self._rows[first]
            parts, value = parts ^ row, value ^ known
        if value:
            raise FormatError("the keys of the books contradict each other")

    def solution(self, unknowns: int) -> list[int]:
        """The words, those at 0 that nothing says anything about."""
        words = [0] * unknowns
        for first in sorted(self._rows):
            rest, value = self._rows[first]
            rest ^= 1 << first
            while rest:
                other = rest.bit_length() - 1
                rest ^= 1 << other
                value ^= words[other]
            words[first] = value
        return words


def equations_of_a_game(seed: int, folder: Path) -> list[tuple[int, int]]:
    """The positions of a random game, as sums of numbers, and the keys that polyglot gives them."""
    dice = random.Random(seed)
    state: Chess = chess().initial
    states: list[Chess] = []
    actions: list[int] = []
    words: list[str] = []
    while len(states) < LONGEST and not drawn_by_rule(state) and (options := legal_moves(state)):
        action = dice.choice(options)
        states.append(state)
        actions.append(action)
        words.append(san(state, action))
        state = after(state, action)
    (folder / "game.pgn").write_text(f'[Event "{seed}"]\n[Result "1/2-1/2"]\n\n' + "\n".join(words) + "\n1/2-1/2\n\n")
    command = ["polyglot", "make-book", "-pgn", "game.pgn", "-bin", "game.bin", "-min-game", "1"]
    subprocess.run([*command, "-max-ply", str(LONGEST)], cwd=folder, check=True, capture_output=True)
    entries = np.frombuffer((folder / "game.bin").read_bytes(), ENTRY)
    keys = {int(entry["move"]): int(entry["key"]) for entry in entries}
    codes = [move_code(one, action) for one, action in zip(states, actions, strict=True)]
    clear = {code for code, count in Counter(codes).items() if count == 1} & keys.keys()
    befores: list[Chess | None] = [None, *states[:-1]]
    return [
        (_sum(state), keys[code])
        for before, state, code in zip(befores, states, codes, strict=True)
        if code in clear and not (before is not None and _hides_a_pawn(before, state))
    ]


def _hides_a_pawn(before: Chess, state: Chess) -> bool:
    """Whether a pawn has just gone two steps that cannot be taken: polyglot may note it, and we do not."""
    gone, come = int(before.pawns & ~state.pawns), int(state.pawns & ~before.pawns)
    return come in (gone << 16, gone >> 16) and state.passant < 0


def _sum(state: Chess) -> int:
    return sum(1 << part for part in key_parts(state))


def main() -> None:
    equations, wanted = Equations(), NUMBERS - len(UNSEEN) - 1
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(MOST_GAMES):
            for parts, key in equations_of_a_game(seed, Path(folder)):
                equations.add(parts, key)
            print(f"game {seed + 1}: {len(equations)} equations of {wanted}", end="\r", file=sys.stderr)
            if len(equations) == wanted:
                break
    words = equations.solution(NUMBERS)
    kings = slice(64 * 10, 64 * 12)
    words[kings] = [word ^ words[kings.start] for word in words[kings]]
    write_file(FILE, b"".join(word.to_bytes(8, "big") for word in words))


if __name__ == "__main__":
    main()
