"""Endings by name and number, tables on disk, what they answer, and puzzles; against python-chess where it plays."""

from __future__ import annotations

import itertools
import pickle
import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from plyground import actions, compiled, make_game
from plyground.engines.chess import ending_tables
from plyground.engines.chess.ending_puzzles import mate_puzzles
from plyground.engines.chess.ending_tables import (
    BUNDLED,
    EndingTable,
    EndingTables,
    Verdict,
    build_ending,
    bundled_tables,
    known_ending,
    state_at,
    tables_at,
    tables_for,
)
from plyground.engines.chess.endings import code_in, place_of, read_ending
from plyground.errors import BadOption, FormatError
from plyground.games.chess import Chess, fen, read_fen
from plyground.games.chess.board import Board
from plyground.games.chess.moves import after
from plyground.games.chess.notation import read_move, uci

KRK = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
FILES = ending_tables.FOLDER


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    return pytest.importorskip("chess", reason="python-chess is not installed")


# Names and numbers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "name"),
    [("KRK", "KRK"), (" kkr ", "KRK"), ("KNBK", "KBNK"), ("KPKR", "KRKP"), ("KKBB", "KBBK"), ("KNKB", "KBKN")],
)
def test_an_ending_is_known_by_its_men(text, name):
    assert read_ending(text).name == name


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is not an ending"),
        ("KR", "write White's men and then Black's, king first, such as KRK or KRKP"),
        ("KRKX", "is not an ending"),
        ("KRRRK", "has 5 men; tables have up to 4"),
        ("KPPK", "has two pawns; tables have at most one"),
        ("KNK", "is always drawn"),
        ("KK", "is always drawn"),
        ("K" + "Q" * 100 + "K", "has 102 men"),
    ],
)
def test_what_is_no_ending_is_refused(text, message):
    with pytest.raises(FormatError, match=message):
        read_ending(text)


@pytest.mark.parametrize(
    ("name", "nexts"),
    [
        ("KPK", {"KQK", "KRK"}),
        ("KBNK", set()),
        ("KQKR", {"KQK", "KRK"}),
        ("KRKP", {"KPK", "KRK", "KQK", "KQKR", "KRKR", "KRKB", "KRKN"}),
    ],
)
def test_what_an_ending_can_become(name, nexts):
    assert {ending.name for ending in read_ending(name).next_endings} == nexts


@pytest.mark.parametrize("name", ["KRK", "KPK", "KBBK", "KBNK", "KQKR", "KRKP"])
def test_mirror_images_have_one_number_and_others_have_another(name):
    rng, ending = random.Random(name), read_ending(name)
    pawned = "P" in name
    seen: dict[int, tuple[Any, ...]] = {}
    for _ in range(300):
        turn, squares = rng.randrange(2), rng.sample(range(8, 56), 4)
        if ending.second == 0:
            squares[3] = 0
        images = []
        for image in range(2 if pawned else 8):
            turned = [square ^ (7 if image & 1 else 0) ^ (56 if image & 2 else 0) for square in squares]
            images.append([square // 8 + square % 8 * 8 if image & 4 else square for square in turned])
        numbers = {int(place_of(*ending, turn, *squares)) for squares in images}
        assert len(numbers) == 1
        number = numbers.pop()
        if number < 0:
            continue
        men = [tuple(sorted(two[2:]) if name == "KBBK" else two[2 : 3 + bool(ending.second)]) for two in images]
        key = (turn, min((*two[:2], *rest) for two, rest in zip(images, men, strict=True)))
        assert seen.setdefault(number, key) == key


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (KRK, "KRK"),
        ("8/8/8/8/8/2K5/1r6/k7 b - - 0 1", "KRK"),
        ("8/8/8/1p6/8/2K5/1R6/k7 b - - 0 1", "KRKP"),
        ("8/8/8/8/8/2K5/1N6/k7 b - - 0 1", None),
        ("8/8/8/8/8/2K5/8/k7 b - - 0 1", None),
        ("8/8/1p6/1p6/8/2K5/8/k7 b - - 0 1", None),
        ("4k3/8/8/8/8/8/8/4K2R w K - 0 1", None),
    ],
)
def test_a_position_belongs_to_an_ending(code, name):
    found = known_ending(read_fen(code))
    assert (found and found.name) == name


# What tables answer -------------------------------------------------------------------------------------------------


def test_probing():
    tables = bundled_tables()
    assert tables.probe(read_fen(KRK)) == Verdict(1, 31)
    assert tables.probe(read_fen("8/8/8/8/8/2K5/1r6/k7 b - - 0 1")) == Verdict(1, 31)  # colours exchanged
    assert tables.probe(read_fen("8/8/8/8/8/2K5/1r6/k7 w - - 0 1")).outcome == -1
    assert tables.probe(read_fen("k7/8/8/8/8/8/8/K5B1 w - - 0 1")) == Verdict(0, None)
    assert tables.probe(make_game("chess").initial) is None
    assert tables.probe(read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")) is None  # it may castle
    assert "KQKR" not in tables
    assert tables.probe(read_fen("k7/8/8/8/8/3r4/1Q6/7K w - - 0 1")) is None
    assert Verdict(1, 31).moves == Verdict(-1, 32).moves == 16
    assert repr(tables) == "<tables of KQK, KRK, KPK, KBBK, KBNK>"
    assert repr(tables.tables["KRK"]) == "<table of KRK, 50,015 positions>"
    assert pickle.loads(pickle.dumps(tables)).probe(read_fen(KRK)) == Verdict(1, 31)


def test_the_clock_does_not_count():
    tables = bundled_tables()
    late = read_fen(KRK.replace(" 0 1", " 99 80"))
    assert tables.probe(late) == Verdict(1, 31)
    assert len(tables.moves(late)) == len(actions(late))


@compiled
def probed(board: Any, address: Any) -> int:
    return code_in(board, tables_at(address))


def test_compiled_code_finds_the_same_by_an_address():
    tables, rng = bundled_tables(), random.Random(1)
    for name, _ in itertools.product(BUNDLED, range(40)):
        ending = read_ending(name)
        state = state_at(ending, rng.randrange(len(tables.tables[name].codes)))
        if state is None:
            continue
        board = Board(*state[:8], state.turn, -1, 0, False)
        assert probed(board, np.uint64(tables.address)) == code_in(state, tables) >= 0


@pytest.mark.parametrize("name", BUNDLED)
def test_best_play_mates_in_time_by_the_rules_of_python_chess(name, peer):
    tables, ending, rng = bundled_tables(), read_ending(name), random.Random(name)
    starts = [tables.summary(ending, turn).longest for turn in (0, 1)]
    while len(starts) < 8:
        state = state_at(ending, rng.randrange(len(tables.tables[name].codes)))
        starts += [state] if state is not None else []
    for start in starts:
        verdict, line, board = tables.probe(start), tables.line(start), peer.Board(fen(start))
        assert len(line) == (verdict.plies or 0)
        state = start
        for action in line:
            options = tables.moves(state)
            assert {uci(state, one.action) for one in options} == {move.uci() for move in board.legal_moves}
            assert options[0].action == action
            assert (options[0].outcome, options[0].plies) == tuple(tables.probe(state))
            board.push_uci(uci(state, action))
            state = after(state, action)
        assert board.is_checkmate() == (verdict.outcome != 0)


def test_moves_are_told_from_best_to_worst():
    tables = bundled_tables()
    # Only by taking the opposition does the king hold the draw; see any book on king and pawn against king.
    state = read_fen("8/8/4k3/8/3PK3/8/8/8 b - - 0 1")
    assert {uci(state, one.action) for one in tables.moves(state) if one.outcome == 0} == {"e6d6"}
    plies = [one.plies for one in tables.moves(read_fen(KRK))]
    wins = [one for one in plies if one is not None]
    assert wins == sorted(wins)
    assert plies[: len(wins)] == wins
    assert tables.moves(read_fen("k7/8/1Q6/8/8/8/8/K7 b - - 0 1")) == []  # stalemate


def test_a_summary_counts_every_position_once():
    tables = bundled_tables()
    for name in BUNDLED:
        sides = [tables.summary(read_ending(name), turn) for turn in (0, 1)]
        assert sum(side.positions for side in sides) == len(tables.tables[name])
        for side in sides:
            assert side.won + side.drawn + side.lost == side.positions
            assert tables.probe(side.longest).plies == side.plies


# Building and files -------------------------------------------------------------------------------------------------


def test_built_tables_are_the_bundled_ones():
    built = build_ending(read_ending("KPK"))
    assert set(built.tables) == {"KQK", "KRK", "KPK"}
    for name, table in built.tables.items():
        assert (table.codes == bundled_tables().tables[name].codes).all()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["KBBK", "KBNK"])
def test_built_tables_of_four_men_are_the_bundled_ones(name):
    table = build_ending(read_ending(name)).tables[name]
    assert (table.codes == bundled_tables().tables[name].codes).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "white", "black"), [("KQKR", 35, 19), ("KRKP", 26, 43), ("KQKP", 28, 29), ("KRKN", 40, 1), ("KRKB", 29, 0)]
)
def test_the_longest_mates_of_four_men_on_both_sides(name, white, black):
    """As published by Thompson (1986) and in Nalimov's tables: with White to move, and Black's own wins."""
    tables = build_ending(read_ending(name), bundled_tables())
    counts = [tables.summary(read_ending(name), turn) for turn in (0, 1)]
    assert (counts[0].plies + 1) // 2 == white
    assert bool(counts[1].won) == bool(black)
    if black:
        assert (counts[1].plies + 1) // 2 == black


@pytest.mark.parametrize("name", ["KQK", "KRK", "KPK"])
def test_the_bundled_files_are_what_save_writes(name, tmp_path):
    size = bundled_tables().tables[name].save(tmp_path / "x.ending")
    assert size == (tmp_path / "x.ending").stat().st_size
    again = EndingTable.load(tmp_path / "x.ending")
    assert again.ending == read_ending(name)
    assert (again.codes == bundled_tables().tables[name].codes).all()


def test_all_bundled_files_together_are_less_than_a_megabyte():
    assert {file.stem for file in FILES.iterdir()} == set(BUNDLED)
    assert sum(file.stat().st_size for file in FILES.iterdir()) < 1 << 20


def test_a_damaged_file_is_refused_in_one_line(tmp_path):
    data, rng = (FILES / "KRK.ending").read_bytes(), random.Random(1)
    file = tmp_path / "x.ending"
    broken = [data[: rng.randrange(len(data))] for _ in range(50)] + [data + b"x", b"", data.replace(b"1\n", b"2\n", 1)]
    for _ in range(150):
        changed = bytearray(data)
        changed[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        broken.append(bytes(changed))
    for content in broken:
        file.write_bytes(content)
        with pytest.raises(FormatError) as refused:
            EndingTable.load(file)
        assert "\n" not in str(refused.value)
        assert str(file) in str(refused.value)
    with pytest.raises(FormatError, match="cannot read the table of an ending"):
        EndingTable.load(tmp_path / "absent")


def test_a_table_that_is_not_bundled_is_built_once_and_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE_DIR", str(tmp_path))
    built: list[str] = []

    def build(ending: Any, known: EndingTables, on_progress: Any = None) -> EndingTables:
        built.append(ending.name)
        return known.with_tables(EndingTable(ending, np.full(2 * 462 * 64 * 64, 3, np.uint8)))

    monkeypatch.setattr(ending_tables, "build_ending", build)
    assert "KBNK" in tables_for("KRKR")
    file = tmp_path / "chess_endings" / "KRKR.ending"
    assert (tables_for("KRKR").tables["KRKR"].codes == 3).all()
    assert built == ["KRKR"]
    file.write_bytes(file.read_bytes()[:-1])
    tables_for("KRKR")
    assert built == ["KRKR", "KRKR"]
    file.write_bytes((FILES / "KRK.ending").read_bytes())  # the table of another ending is not taken for this one
    tables_for("KRKR")
    assert built == ["KRKR"] * 3


def test_stopping_leaves_no_file(tmp_path, monkeypatch):
    monkeypatch.setenv("PLYGROUND_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(ending_tables, "prepare_codes", lambda ending, known: None)

    def interrupted(ending: Any, known: Any, on_progress: Any) -> Any:
        on_progress(1, 10)
        raise KeyboardInterrupt

    monkeypatch.setattr(ending_tables, "build_codes", interrupted)
    told: list[tuple[str, int, int]] = []
    with pytest.raises(KeyboardInterrupt):
        tables_for("KQKQ", on_progress=lambda *step: told.append(step))
    assert told == [("KQKQ", 1, 10)]
    assert not list(tmp_path.rglob("*.ending"))


# Puzzles ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "moves"), list(itertools.product(["KQK", "KRK", "KPK", "KBBK"], range(1, 7))))
def test_a_puzzle_has_one_move_that_mates_in_time(name, moves, peer):
    tables = bundled_tables()
    for puzzle in itertools.islice(mate_puzzles(name, moves, seed=5), 3):
        board = peer.Board(puzzle.fen)
        assert {one.uci for one in puzzle.tries} == {move.uci() for move in board.legal_moves}
        assert board.san(peer.Move.from_uci(puzzle.best.uci)) == puzzle.best.san
        state = read_fen(puzzle.fen)
        in_time = []
        for one in puzzle.tries:
            reply = tables.probe(after(state, read_move(state, one.uci)))
            assert one.outcome == -reply.outcome
            assert one.plies == (None if reply.plies is None else reply.plies + 1)
            in_time += [one] if one.outcome == 1 and one.plies <= 2 * moves - 1 else []
        assert in_time == [puzzle.best]
        assert puzzle.best.plies == 2 * puzzle.moves - 1 == 2 * moves - 1


def test_puzzles_are_drawn_by_seed_and_each_comes_once():
    first = list(itertools.islice(mate_puzzles("KRK", 3, seed=1), 20))
    assert first == list(itertools.islice(mate_puzzles("KRK", 3, seed=1), 20))
    assert first != list(itertools.islice(mate_puzzles("KRK", 3, seed=2), 20))
    every = [puzzle.fen for puzzle in mate_puzzles("KQK", 1, seed=3)]
    assert len(set(every)) == len(every)
    assert len({puzzle.fen for puzzle in first}) == 20


@pytest.mark.parametrize(("moves", "message"), [(0, "at least one move"), (17, "no position of KRK is mate in 17")])
def test_a_puzzle_that_cannot_be_is_refused(moves, message):
    with pytest.raises(BadOption, match=message):
        next(mate_puzzles("KRK", moves, seed=1))


def test_the_state_of_a_puzzle_can_be_played():
    puzzle = next(mate_puzzles("KPK", 2, seed=1))
    assert isinstance(read_fen(puzzle.fen), Chess)
    assert fen(read_fen(puzzle.fen)) == puzzle.fen
