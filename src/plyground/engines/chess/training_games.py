"""Games that a teacher plays against itself, with random moves in between, for positions to learn from.

A game begins with `OPENING` random moves; after them each move is the teacher's own, or with probability `RANDOM` any
legal one, so that an evaluation also learns from what no good player would allow. Every position after the opening is
kept with the teacher's score. A game ends by the rules, or when the scores leave no doubt.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from plyground.engines.chess.positions import MATED, UNFINISHED, Positions
from plyground.engines.chess.teacher import Judgement, Teacher
from plyground.games.chess.attacks import in_check
from plyground.games.chess.board import PAST, UNDERPROMOTIONS, Board, dead_position, own_pieces
from plyground.games.chess.moves import list_moves, placed
from plyground.games.chess.notation import STANDARD, read_fen
from plyground.native.compiling import compiled
from plyground.native.randomness import random_below, stream

__all__ = ["OPENING", "RANDOM", "TrainingGames"]

OPENING = (6, 11)
"""The least and the greatest number of random moves at the beginning."""
RANDOM = 14
"""One move in so many is random after that."""
TABLES = 96
"""Games that are played at the same time in each of two rooms: one waits for the teacher, one is worked on."""
DECIDED = (1200, 4)
"""A game is won at this score, for so many plies in a row."""
LEVEL = (12, 10, 80)
"""It is drawn at a score no greater than this for so many plies in a row, after so many plies."""
LONGEST = 400

PLAYING, CHECKMATE, DRAWN = 0, 1, 2
MOVES = 256
FEN_LENGTH = 100
LETTERS = np.frombuffer(b"PNBRQKpnbrqk", np.uint8)
TURN, PASSANT, CLOCK = 0, 1, 2
START = read_fen(STANDARD)


@compiled
def board_of(words: Any, facts: Any) -> Board:
    """The board in eight words and three numbers."""
    return Board(
        words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
        np.int64(facts[TURN]), np.int64(facts[PASSANT]), np.int64(facts[CLOCK]), False,
    )  # fmt: skip


@compiled
def play(words: Any, facts: Any, action: int, rng: Any, out: Any) -> int:
    """Play an action on the board, or with -1 any legal one; what there is to play then: PLAYING, CHECKMATE, DRAWN."""
    board = board_of(words, facts)
    if action < 0:
        action = out[random_below(rng, list_moves(board, out))]
    there = placed(board, action)
    words[0], words[1], words[2], words[3] = there.pawns, there.knights, there.bishops, there.rooks
    words[4], words[5], words[6], words[7] = there.queens, there.kings, there.white, there.castling
    facts[TURN], facts[PASSANT], facts[CLOCK] = there.turn, there.passant, there.clock
    if list_moves(there, out) == 0:
        return CHECKMATE if in_check(there) else DRAWN
    return DRAWN if there.clock >= PAST or dead_position(there) else PLAYING


@compiled
def is_quiet(words: Any, facts: Any, action: int) -> bool:
    """Whether the side to move is not in check and the action neither takes nor promotes."""
    board = board_of(words, facts)
    if action >= UNDERPROMOTIONS or in_check(board):
        return False
    _, others = own_pieces(board)
    start, end = action >> 6, action & 63
    if others >> np.uint64(end) & np.uint64(1):
        return False
    is_pawn = board.pawns >> np.uint64(start) & np.uint64(1)
    return not (is_pawn and (end == board.passant or end < 8 or end > 55))


@compiled
def write_fen(words: Any, facts: Any, out: Any) -> int:
    """Write the position as FEN in bytes, and return how many."""
    at = 0
    for row in range(8):
        empty = 0
        for file in range(8):
            square = np.uint64(8 * (7 - row) + file)
            letter = 0
            for kind in range(6):
                if words[kind] >> square & np.uint64(1):
                    letter = LETTERS[kind if words[6] >> square & np.uint64(1) else kind + 6]
            if letter == 0:
                empty += 1
            if letter != 0 or file == 7:
                if empty:
                    out[at] = 48 + empty
                    at += 1
                    empty = 0
                if letter != 0:
                    out[at] = letter
                    at += 1
        if row < 7:
            out[at] = 47
            at += 1
    out[at] = 32
    out[at + 1] = 119 if facts[TURN] == 0 else 98
    out[at + 2] = 32
    at += 3
    before = at
    # The rooks that may castle, in the order KQkq.
    for side in range(4):
        corner = np.uint64(7 if side == 0 else 0 if side == 1 else 63 if side == 2 else 56)
        if words[7] >> corner & np.uint64(1):
            out[at] = LETTERS[5 if side == 0 else 4 if side == 1 else 11 if side == 2 else 10]
            at += 1
    if at == before:
        out[at] = 45
        at += 1
    out[at] = 32
    at += 1
    if facts[PASSANT] < 0:
        out[at] = 45
        at += 1
    else:
        out[at] = 97 + (facts[PASSANT] & 7)
        out[at + 1] = 49 + (facts[PASSANT] >> 3)
        at += 2
    out[at] = 32
    at += 1
    if facts[CLOCK] > 9:
        out[at] = 48 + facts[CLOCK] // 10
        at += 1
    out[at] = 48 + facts[CLOCK] % 10
    out[at + 1] = 32
    out[at + 2] = 49
    return at + 3


def action_of(move: str) -> int:
    """The action of a move as UCI writes it, whoever is to move."""
    start = ord(move[0]) - 97 + 8 * (ord(move[1]) - 49)
    end = ord(move[2]) - 97 + 8 * (ord(move[3]) - 49)
    if len(move) == 5 and move[4] in "nbr":
        return UNDERPROMOTIONS + ((start & 7) * 3 + (end & 7) - (start & 7) + 1) * 3 + "nbr".index(move[4])
    return start << 6 | end


class Game:
    """One game that is being played."""

    def __init__(self, number: int, rng: Any, moves: Any) -> None:
        self.number = number
        self.words = np.array([*START[:8]], np.uint64)
        self.facts = np.array([0, -1, 0], np.int64)
        self.rows: list[tuple[bytes, int, int, int]] = []
        """The sets of squares, who was to move, the score and whether it was quiet."""
        self.seen: set[bytes] = set()
        self.decided = self.level = 0
        least, most = OPENING
        for _ in range(least + int(random_below(rng, most - least + 1))):
            if play(self.words, self.facts, -1, rng, moves) != PLAYING:
                self.__init__(number, rng, moves)  # type: ignore[misc]
                return

    def fen(self, buffer: Any) -> str:
        return bytes(buffer[: write_fen(self.words, self.facts, buffer)]).decode()

    def advance(self, judged: Judgement, rng: Any, moves: Any) -> int | None:
        """Note what the teacher says, and play on; the result for White once there is one."""
        turn, action = int(self.facts[TURN]), action_of(judged.move)
        self.rows.append(
            (self.words[:7].tobytes(), turn, judged.score, int(is_quiet(self.words, self.facts, action)))
        )
        self.decided = self.decided + 1 if abs(judged.score) >= DECIDED[0] else 0
        self.level = self.level + 1 if abs(judged.score) <= LEVEL[0] and len(self.rows) > LEVEL[2] else 0
        if self.decided >= DECIDED[1]:
            return 1 if (judged.score > 0) == (turn == 0) else -1
        state = play(self.words, self.facts, -1 if random_below(rng, RANDOM) == 0 else action, rng, moves)
        if state == CHECKMATE:
            return 1 if turn == 0 else -1
        place = self.words.tobytes() + bytes(self.facts[:1])
        if state == DRAWN or self.level >= LEVEL[1] or place in self.seen or len(self.rows) >= LONGEST:
            return 0
        self.seen.add(place)
        return None

    def positions(self, result: int) -> Positions:
        """All rows of a game with its result for White."""
        count = len(self.rows)
        sets, turns, scores, quiet = zip(*self.rows, strict=True)
        to_move = np.array(turns, np.uint8)
        results = np.where(to_move == 0, result, -result) if result != UNFINISHED else np.full(count, UNFINISHED)
        return Positions(
            np.frombuffer(b"".join(sets), np.uint64).reshape(count, 7),
            to_move,
            np.clip(np.array(scores), -MATED, MATED).astype(np.int16),
            results.astype(np.int8),
            np.array(quiet, np.uint8),
            np.full(count, self.number, np.int32),
        )


class TrainingGames:
    """Games of a teacher from number `first` on, as `played` hands them out; `rest` are those in the middle."""

    def __init__(self, teacher: Teacher, seed: int, first: int) -> None:
        self._teacher = teacher
        self._rng = stream(seed, first)
        self._next = first
        self._moves = np.zeros(MOVES, np.int64)
        self._buffer = np.zeros(FEN_LENGTH, np.uint8)
        self._rooms: list[list[Game]] = [[self._new() for _ in range(TABLES)] for _ in range(2)]

    def played(self) -> Generator[Positions, None, None]:
        """The positions of each game as it ends, without end."""
        for room in self._rooms:
            self._ask(room)
        while True:
            for room in self._rooms:
                finished = []
                for at, judged in enumerate(self._teacher.answers()):
                    result = room[at].advance(judged, self._rng, self._moves)
                    if result is not None:
                        finished.append(room[at].positions(result))
                        room[at] = self._new()
                self._ask(room)
                yield from finished

    def rest(self) -> list[Positions]:
        """The positions of the games that are not at their end."""
        games = [game for room in self._rooms for game in room if game.rows]
        return [game.positions(UNFINISHED) for game in games]

    def _ask(self, room: list[Game]) -> None:
        self._teacher.ask([game.fen(self._buffer) for game in room])

    def _new(self) -> Game:
        self._next += 1
        return Game(self._next - 1, self._rng, self._moves)

