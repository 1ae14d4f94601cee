"""Polyglot books: the published keys, python-chess's keys and reader, and books that the program polyglot makes."""

from __future__ import annotations

import random
import shutil
import subprocess
from typing import Any

import numpy as np
import pytest

from plyground import action_text, make_game, parse_action, result
from plyground.errors import FormatError, TruncatedFile
from plyground.formats.polyglot import ENTRY, PolyglotBook, key_parts, move_code, polyglot_key
from plyground.formats.polyglot.make import Equations, equations_of_a_game
from plyground.games.chess import read_fen
from plyground.games.chess.moves import after, legal_moves

PUBLISHED = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 0x463B96181691FC9C,
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": 0x823C9B50FD114196,
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2": 0x0756B94461C50FB0,
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2": 0x662FAFB965DB29D4,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": 0x22A48B5A8E47FF78,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3": 0x652A607CA3F242C1,
    "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4": 0x00FDD303C946BDD9,
    "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": 0x3C8123EA7B067637,
    "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4": 0x5C3F9B829B279560,
}
"""The examples in the description of the format."""
START = make_game("chess").initial


@pytest.mark.parametrize("code", PUBLISHED)
def test_published_keys(code):
    assert polyglot_key(read_fen(code)) == PUBLISHED[code]


@pytest.mark.parametrize("games", [3, pytest.param(300, marks=pytest.mark.slow)])
def test_keys_in_lockstep_with_python_chess(games):
    """Also with promoted pieces and kings anywhere: every number that a game can show is right."""
    chess = pytest.importorskip("chess", reason="python-chess is not installed")
    polyglot = pytest.importorskip("chess.polyglot")
    seen = set()
    for seed in range(games):
        dice, board, state = random.Random(seed), chess.Board(), START
        for _ in range(300):
            if board.ep_square is None or board.has_legal_en_passant() or not board.has_pseudo_legal_en_passant():
                assert polyglot_key(state) == polyglot.zobrist_hash(board)
            seen.update(key_parts(state))
            options = list(board.legal_moves)
            if not options:
                break
            move = dice.choice(options)
            state = after(state, parse_action(state._replace(clock=0, repeats=0), move.uci()))
            board.push(move)
    assert len(seen) > (700 if games > 100 else 300)


def book_bytes(*moves: tuple[str, int], state: Any = START) -> bytes:
    rows = [(polyglot_key(state), move_code(state, parse_action(state, move)), weight, 0) for move, weight in moves]
    return np.array(rows, ENTRY).tobytes()


def test_a_book_is_asked(tmp_path):
    file = tmp_path / "my.bin"
    file.write_bytes(book_bytes(("e4", 1), ("d4", 3), ("a3", 0)) + bytes(16))
    book = PolyglotBook.load(file)
    assert [(action_text(START, move.action), move.weight) for move in book.moves(START)] == [
        ("d4", 3),
        ("e4", 1),
        ("a3", 0),
    ]
    dice = random.Random(1)
    chosen = [action_text(START, book.choose(START, dice)) for _ in range(400)]
    assert set(chosen) == {"e4", "d4"}
    assert 0.6 < chosen.count("d4") / 400 < 0.9
    assert book.choose(result(START, parse_action(START, "e4")), dice) is None


def test_castling_and_promotions(tmp_path):
    state = read_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1")
    polyglot = pytest.importorskip("chess.polyglot")
    file = tmp_path / "my.bin"
    moves = ("O-O", "O-O-O", "b8=Q", "b8=N", "bxa8=R")
    file.write_bytes(book_bytes(*((move, 1) for move in moves), state=state))
    with polyglot.open_reader(file) as reader:
        import chess

        found = {entry.move.uci() for entry in reader.find_all(chess.Board("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1"))}
    assert found == {"e1g1", "e1c1", "b7b8q", "b7b8n", "b7a8r"}
    book = PolyglotBook.load(file)
    assert {action_text(state, move.action).rstrip("+") for move in book.moves(state)} == set(moves)


def test_bad_books(tmp_path):
    file = tmp_path / "my.bin"
    file.write_bytes(book_bytes(("e4", 1))[:-1])
    with pytest.raises(TruncatedFile, match="its entries have 16 bytes each, and it has 15 bytes"):
        PolyglotBook.load(file)
    file.write_bytes(b"")
    with pytest.raises(FormatError, match="is empty"):
        PolyglotBook.load(file)


def test_equations_are_solved():
    equations, words = Equations(), [random.Random(1).getrandbits(64) for _ in range(6)]
    for parts in (0b111, 0b1010, 0b110011, 0b1, 0b10, 0b100000, 0b110101):
        value = 0
        for place, word in enumerate(words):
            value ^= word if parts >> place & 1 else 0
        equations.add(parts, value)
    assert equations.solution(6) == words
    with pytest.raises(FormatError, match="contradict"):
        equations.add(0b1, words[0] ^ 1)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("polyglot") is None, reason="the program polyglot is not installed")
def test_books_of_polyglot_have_our_keys(tmp_path):
    from plyground.formats.polyglot import _numbers

    numbers, checked = _numbers(), 0
    for seed in range(3):
        for parts, key in equations_of_a_game(10_000 + seed, tmp_path):
            ours = 0
            for place in range(781):
                ours ^= numbers[place] if parts >> place & 1 else 0
            assert ours == key
            checked += 1
    assert checked > 100
    book = PolyglotBook.load(tmp_path / "game.bin")
    assert [move.weight for move in book.moves(START)] == [1]
    assert set(legal_moves(START)) >= {move.action for move in book.moves(START)}
    assert subprocess.run(["polyglot", "info-book", "-bin", "game.bin"], cwd=tmp_path, check=False).returncode in (0, 1)
