"""Games that a teacher plays against itself, with random moves in between, for positions to learn from.

A game begins with `OPENING` random moves; after them each move is the teacher's own, or one in so many any
legal one, so that an evaluation also learns from what no good player would allow. Every position after the opening is
kept with the teacher's score. A game ends by the rules, or when the scores leave no doubt.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np

from plyground.engines.chess.positions import UNFINISHED, Positions
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
RANDOM = 8
"""One move in so many is random after that, unless told otherwise."""
TABLES = 96
"""Games that are played at the same time in each of two rooms: one waits for the teacher, one is worked on."""
FAIR = 200
"""A game whose first score is greater than this is put up anew: little is learnt where all is decided."""
DECIDED = (1200, 4)
"""A game is won at this score, for so many plies in a row."""
LEVEL = (12, 10, 80)
"""It is drawn at a score no greater than this for so many plies in a row, after so many plies."""
LONGEST = 400

MOVES = 256
FEN_LENGTH = 100
LETTERS = np.frombuffer(b"PNBRQKpnbrqk", np.uint8)
TURN, PASSANT, CLOCK, PLIES, SURE, EVEN = range(6)
"""What is known of a game besides its board: three facts of the position, how many positions are noted, and for how
many of the last ones the score has been decided, or level."""
BOARD = np.array([*read_fen(STANDARD)[:8]], np.uint64)


@compiled
def board_of(words: Any, facts: Any) -> Board:
    """The board in eight words and three numbers."""
    turn: Any = np.int64(facts[TURN])
    passant: Any = np.int64(facts[PASSANT])
    clock: Any = np.int64(facts[CLOCK])
    return Board(
        words[0], words[1], words[2], words[3], words[4], words[5], words[6], words[7],
        turn, passant, clock, False,
    )  # fmt: skip


@compiled
def play(words: Any, facts: Any, action: int) -> None:
    """Play an action on the board."""
    there = placed(board_of(words, facts), action)
    words[0], words[1], words[2], words[3] = there.pawns, there.knights, there.bishops, there.rooks
    words[4], words[5], words[6], words[7] = there.queens, there.kings, there.white, there.castling
    facts[TURN], facts[PASSANT], facts[CLOCK] = there.turn, there.passant, there.clock


@compiled
def outcome(words: Any, facts: Any, moves: Any) -> int:
    """The result for White if the game is over by the rules, else `UNFINISHED`; repetition is not looked at."""
    board = board_of(words, facts)
    if list_moves(board, moves) == 0:
        return (-1 if board.turn == 0 else 1) if in_check(board) else 0
    return 0 if board.clock >= PAST or dead_position(board) else UNFINISHED


@compiled
def begin(words: Any, facts: Any, rng: Any, moves: Any) -> None:
    """Put up a new game after its random moves."""
    while True:
        for i in range(8):
            words[i] = BOARD[i]
        facts[:] = 0
        facts[PASSANT] = -1
        over = UNFINISHED
        for _ in range(OPENING[0] + random_below(rng, OPENING[1] - OPENING[0] + 1)):
            play(words, facts, moves[random_below(rng, list_moves(board_of(words, facts), moves))])
            over = outcome(words, facts, moves)
            if over != UNFINISHED:
                break
        if over == UNFINISHED:
            return


@compiled
def advance(
    words: Any,
    facts: Any,
    score: int,
    action: int,
    rng: Any,
    moves: Any,
    sets: Any,
    turns: Any,
    scores: Any,
    quiet: Any,
    one_random_in: int,
) -> int:
    """Note the position with the teacher's score and move, and play on; the result for White once there is one."""
    ply, turn = facts[PLIES], facts[TURN]
    for i in range(7):
        sets[ply, i] = words[i]
    turns[ply], scores[ply], quiet[ply] = turn, score, is_quiet(words, facts, action)
    facts[PLIES] = ply + 1
    facts[SURE] = facts[SURE] + 1 if abs(score) >= DECIDED[0] else 0
    facts[EVEN] = facts[EVEN] + 1 if abs(score) <= LEVEL[0] and ply >= LEVEL[2] else 0
    if facts[SURE] >= DECIDED[1]:
        return 1 if (score > 0) == (turn == 0) else -1
    if random_below(rng, one_random_in) == 0:
        action = moves[random_below(rng, list_moves(board_of(words, facts), moves))]
    play(words, facts, action)
    if facts[EVEN] >= LEVEL[1] or facts[PLIES] >= LONGEST:
        return 0
    # Pieces that stand as they did: a game that comes back to a position is taken for a draw.
    for back in range(2, min(facts[CLOCK], facts[PLIES]) + 1, 2):
        same = True
        for i in range(7):
            same = same and sets[facts[PLIES] - back, i] == words[i]
        if same:
            return 0
    return outcome(words, facts, moves)


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


class Room:
    """Games that are played at the same time, each with the positions that are noted of it."""

    def __init__(self) -> None:
        self.words = np.zeros((TABLES, 8), np.uint64)
        self.facts = np.zeros((TABLES, 6), np.int64)
        self.sets = np.zeros((TABLES, LONGEST, 7), np.uint64)
        self.turns = np.zeros((TABLES, LONGEST), np.uint8)
        self.scores = np.zeros((TABLES, LONGEST), np.int16)
        self.quiet = np.zeros((TABLES, LONGEST), np.uint8)
        self.numbers = [0] * TABLES
        self.buffer = np.zeros(FEN_LENGTH, np.uint8)

    def begin(self, table: int, number: int, rng: Any, moves: Any) -> None:
        self.numbers[table] = number
        begin(self.words[table], self.facts[table], rng, moves)

    def fen(self, table: int) -> str:
        return self.buffer[: write_fen(self.words[table], self.facts[table], self.buffer)].tobytes().decode()

    def advance(self, table: int, judged: Judgement, rng: Any, moves: Any, one_random_in: int) -> int:
        return advance(
            self.words[table], self.facts[table], judged.score, action_of(judged.move), rng, moves,
            self.sets[table], self.turns[table], self.scores[table], self.quiet[table], one_random_in,
        )  # fmt: skip

    def positions(self, table: int, result: int) -> Positions:
        """All positions of a game, with its result for White."""
        count = int(self.facts[table, PLIES])
        turns = self.turns[table, :count].copy()
        results = np.where(turns == 0, result, -result) if result != UNFINISHED else np.full(count, UNFINISHED)
        return Positions(
            self.sets[table, :count].copy(),
            turns,
            self.scores[table, :count].copy(),
            results.astype(np.int8),
            self.quiet[table, :count].copy(),
            np.full(count, self.numbers[table], np.int32),
        )


class TrainingGames:
    """Games of a teacher, as `played` hands them out; `rest` are those in the middle.

    They are numbered from `first` on; `step` is the difference of two numbers.
    """

    def __init__(self, teacher: Teacher, seed: int, first: int, one_random_in: int = RANDOM, step: int = 1) -> None:
        self._teacher = teacher
        self._one_random_in = one_random_in
        self._rng = stream(seed, first)
        self._next, self._step = first, step
        self._moves = np.zeros(MOVES, np.int64)
        self._rooms = [Room(), Room()]
        for room in self._rooms:
            for table in range(TABLES):
                self._begin(room, table)

    def played(self) -> Generator[Positions, None, None]:
        """The positions of each game as it ends, without end."""
        for room in self._rooms:
            self._ask(room)
        while True:
            for room in self._rooms:
                finished = []
                for table, judged in enumerate(self._teacher.answers()):
                    if room.facts[table, PLIES] == 0 and abs(judged.score) > FAIR:
                        self._begin(room, table)
                        continue
                    result = room.advance(table, judged, self._rng, self._moves, self._one_random_in)
                    if result != UNFINISHED:
                        finished.append(room.positions(table, result))
                        self._begin(room, table)
                self._ask(room)
                yield from finished

    def rest(self) -> list[Positions]:
        """The positions of the games that are not at their end."""
        return [room.positions(table, UNFINISHED) for room in self._rooms for table in range(TABLES)]

    def _ask(self, room: Room) -> None:
        self._teacher.ask([room.fen(table) for table in range(TABLES)])

    def _begin(self, room: Room, table: int) -> None:
        room.begin(table, self._next, self._rng, self._moves)
        self._next += self._step
