"""The opening book: symmetric positions are one, deeper results stay, and an interrupted book goes on."""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import Budget, Limit, action_text, actions, interpreted, make_game, result, terminal, to_move
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.core.rules import action_in_book, as_in_book, symmetries, transformed, transformed_action
from plyground.errors import BadOption, FormatError, IllegalAction, SpecError, UnsuitableGame
from plyground.formats.polyglot import ENTRY, move_code, polyglot_key
from plyground.games.tree import read_tree
from plyground.native.dispatch import coerced
from plyground.players import PLAYERS, Position, make_player, players_for
from plyground.players import book as players_book
from plyground.players.book import book_move, build_book
from plyground.players.player import Player
from plyground.search.minimax import minimax_value
from plyground.search.opening_book import Book, BookEntry
from test_retrograde import random_positions

TICTACTOE = make_game("tictactoe")
SYMMETRIC = ["tictactoe", "reversi:size=4", "reversi", "connect4", "mnk:m=4,n=3,k=3", "gomoku:size=9", "nim"]


@pytest.mark.parametrize("spec", SYMMETRIC)
def test_a_move_comes_back_as_the_board_is_turned(spec):
    """Kept in one position and looked up in all its images: the same move, turned along, and legal."""
    game, rng = make_game(spec), random.Random(5)
    for state in random_positions(game, 12):
        if terminal(state):
            continue
        book = Book(game)
        best = tuple(rng.sample(actions(state), min(2, len(actions(state)))))
        assert book.add(state, BookEntry(best, 0.25, 6, 100, "minimax", "x"))
        for index in range(symmetries(state)):
            image = coerced(transformed(state, index))
            found = book.find(image)
            assert (found.value, found.depth, found.nodes, found.player) == (0.25, 6, 100, "minimax")
            assert set(found.actions) <= set(actions(image))
            # An image may be symmetric in itself: then the move may come back as its own mirror image.
            for action, there in zip(best, found.actions, strict=True):
                expected = coerced(transformed(result(state, action), index))
                assert book.key(result(image, there)) == book.key(expected)
            if len({coerced(transformed(state, k)) for k in range(symmetries(state))}) == symmetries(state):
                assert found.actions == tuple(transformed_action(state, action, index) for action in best)
        assert len(book) == 1


def test_unknown_positions_and_illegal_moves():
    book = Book(TICTACTOE)
    assert book.find(TICTACTOE.initial) is None
    assert book_move(book, Position(TICTACTOE, TICTACTOE.initial)) is None
    with pytest.raises(IllegalAction, match="action 9 is not legal here"):
        book.add(TICTACTOE.initial, BookEntry((9,), 0.0))


def test_deeper_results_stay():
    book = Book(TICTACTOE)

    def add(player, depth, nodes, action=0):
        return book.add(TICTACTOE.initial, BookEntry((action,), 0.0, depth, nodes, player))

    assert add("minimax:depth=3", 3, 500)
    assert not add("minimax:depth=3", 3, 500)
    assert not add("minimax:depth=2", 2, 80)
    assert add("minimax:depth=5", 5, 9000, action=4)
    assert not add("mcts", 4, 20_000), "another kind of player: what counts is the depth"
    assert add("mcts:time=1", 6, 2000)
    assert not add("mcts", 30, 1000), "the same kind of player: what counts is the number of nodes"
    assert add("mcts", 2, 3000, action=8)
    assert book.find(TICTACTOE.initial).nodes == 3000
    assert len(book) == 1


def test_books_are_merged():
    first, second = Book(TICTACTOE), Book(TICTACTOE)
    corner, centre = result(TICTACTOE.initial, 0), result(TICTACTOE.initial, 4)
    for book, state, action, depth in [
        (first, TICTACTOE.initial, 4, 3),
        (second, TICTACTOE.initial, 0, 6),
        (first, corner, 4, 8),
        (second, corner, 8, 2),
        (second, centre, 0, 4),
    ]:
        book.add(state, BookEntry((action,), 0.0, depth, 10 * depth, "minimax"))
    assert first.merge(second) == 2
    assert len(first) == 3
    assert [first.find(state).depth for state in (TICTACTOE.initial, corner, centre)] == [6, 8, 4]
    with pytest.raises(FormatError, match="a book of nim cannot be merged into one of tictactoe"):
        first.merge(Book(make_game("nim")))


# Making one -------------------------------------------------------------------------------------------------------


def test_the_book_of_perfect_play():
    book = build_book(TICTACTOE, "minimax:depth=9", plies=9, breadth=9)
    classes = {}
    pending = [TICTACTOE.initial]
    while pending:
        state = pending.pop()
        if not terminal(state) and book.key(state) not in classes:
            classes[book.key(state)] = state
            pending += [coerced(result(state, action)) for action in actions(state)]
    assert len(classes) == len(book) == 627  # 765 classes less the 138 in which the game is over
    for state in classes.values():
        entry = book.find(state)
        value = minimax_value(state, 9, to_move(state), Budget())
        assert entry.value == value
        assert minimax_value(result(state, entry.actions[0]), 9, to_move(state), Budget()) == value


def test_breadth_and_plies():
    """From the empty board three moves are different: the corner, the edge and the centre."""
    lonely = build_book(TICTACTOE, "minimax:depth=9,ties=first", plies=1)
    assert len(lonely) == 1
    wide = build_book(TICTACTOE, "minimax:depth=9,ties=first", plies=1, breadth=5)
    assert len(wide) == 4
    assert len(wide.find(TICTACTOE.initial).actions) == 3
    for plies in range(1, 6):
        narrow = build_book(TICTACTOE, "minimax:depth=9,ties=first", plies=plies)
        assert len(narrow) == plies
        state = TICTACTOE.initial
        for _ in range(plies):
            state = coerced(result(state, narrow.find(state).actions[0]))
        assert narrow.find(state) is None


def test_a_wide_book_ranks_moves_by_the_positions_after_them():
    game = read_tree({"max": {"a": {"min": [3, 1]}, "b": {"min": [2, 9]}, "c": {"min": [7]}, "d": 0.5}})
    book = build_book(game, "minimax:depth=1", plies=1, breadth=3)
    entry = book.find(game.initial)
    assert entry.actions == (2, 1, 0)
    assert entry.value == 7
    assert entry.depth == 2


def test_lines_are_written_as_people_write_them():
    book = build_book(make_game("reversi:size=4"), "minimax:depth=2,ties=first", plies=3)
    lines = [entry.line for entry in book._entries.values()]
    assert lines[0] == ""
    for line in lines:
        states, _ = read_moves(book.game, line)
        assert book.find(states[-1]).line == line


def test_progress_is_told():
    told = []
    build_book(TICTACTOE, "minimax:depth=2", 3, 2, on_progress=lambda *facts: told.append(facts))
    assert [facts for facts in told if facts[0] == 1] == [(1, 0, 1), (1, 1, 1)]
    assert {facts[0] for facts in told} == {1, 2, 3}
    assert all(0 <= done <= level for _, done, level in told)


def test_an_interrupted_book_goes_on_and_becomes_the_same(tmp_path):
    game, spec = make_game("reversi:size=6"), "mcts:simulations=50"
    build_book(game, spec, 3, 2, file=tmp_path / "whole.book", seed=7)
    whole = Book.load(tmp_path / "whole.book", game)

    def stop_after(number):
        def on_progress(*_):
            nonlocal number
            number -= 1
            if number < 0:
                raise KeyboardInterrupt

        return on_progress

    sizes = []
    for number in (2, 4, 5):
        with pytest.raises(KeyboardInterrupt):
            build_book(game, spec, 3, 2, file=tmp_path / "parts.book", seed=7, on_progress=stop_after(number))
        sizes.append(len(Book.load(tmp_path / "parts.book", game)))
    assert 0 < sizes[0] <= sizes[1] < len(whole)
    build_book(game, spec, 3, 2, file=tmp_path / "parts.book", seed=7)
    parts = Book.load(tmp_path / "parts.book", game)
    assert parts._entries == whole._entries
    assert sorted(path.name for path in tmp_path.iterdir()) == ["parts.book", "whole.book"]


def test_nothing_is_searched_twice(tmp_path, monkeypatch):
    build_book(TICTACTOE, "minimax:depth=3", 2, 2, file=tmp_path / "t.book")
    before = (tmp_path / "t.book").read_bytes()
    monkeypatch.setattr(players_book, "make_player", None)
    build_book(TICTACTOE, "minimax:depth=3", 2, 2, file=tmp_path / "t.book")
    assert (tmp_path / "t.book").read_bytes() == before


def test_a_growing_book_is_written_now_and_then(tmp_path, monkeypatch):
    monkeypatch.setattr(players_book, "SAVE_EVERY", -1.0)
    file, seen = tmp_path / "t.book", []

    def on_progress(*_):
        seen.append(len(Book.load(file, TICTACTOE)) if file.exists() else 0)

    build_book(TICTACTOE, "minimax:depth=2", 2, 3, file=file, on_progress=on_progress)
    assert seen == sorted(seen)
    assert len(set(seen)) > 2


def test_a_deeper_player_improves_a_book(tmp_path):
    file = tmp_path / "t.book"
    build_book(TICTACTOE, "minimax:depth=1", 2, file=file)
    shallow = Book.load(file, TICTACTOE).find(TICTACTOE.initial)
    build_book(TICTACTOE, "minimax:depth=6", 2, file=file)
    deep = Book.load(file, TICTACTOE).find(TICTACTOE.initial)
    build_book(TICTACTOE, "minimax:depth=1", 2, file=file)
    assert (shallow.depth, deep.depth) == (1, 6)
    assert Book.load(file, TICTACTOE).find(TICTACTOE.initial) == deep


def test_what_makes_no_book(tmp_path):
    file = tmp_path / "t.book"
    for player in ("random", "random:seed=3"):
        with pytest.raises(BadOption, match=f"{player} does not say what a position is worth"):
            build_book(TICTACTOE, player, 2, file=file)
    with pytest.raises(BadOption, match="plies must be at least 1, not 0"):
        build_book(TICTACTOE, "minimax", 0)
    with pytest.raises(BadOption, match="breadth must be at least 1, not -1"):
        build_book(TICTACTOE, "minimax", 1, -1)
    with pytest.raises(UnsuitableGame, match="there can be no book of tree: chance has moves"):
        build_book(read_tree({"chance": [1, 2]}), "mcts", 1)
    with pytest.raises(UnsuitableGame, match="the game is over before it begins"):
        build_book(read_tree(3), "minimax", 1)
    with pytest.raises(SpecError, match="there is no player 'minmax'"):
        build_book(TICTACTOE, "minmax", 1, file=file)
    assert not file.exists()


# Playing from one -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def perfect(tmp_path_factory):
    file = tmp_path_factory.mktemp("books") / "perfect.book"
    build_book(TICTACTOE, "minimax:depth=9", 9, 9, file=file)
    return file


def test_the_player_does_not_search_while_the_book_knows(perfect):
    player = make_player(f"book:file={perfect},player=minimax:depth=1", TICTACTOE, seed=1)
    for seed in range(20):
        for seat in (0, 1):
            rival = make_player("random", TICTACTOE, seed)
            record = play_game(TICTACTOE, [player, rival] if seat == 0 else [rival, player])
            assert record.returns[seat] >= 0
            assert all(turn.nodes == 0 for turn in record.moves if turn.player == seat)


def test_the_other_player_goes_on_where_the_book_ends(tmp_path):
    file = tmp_path / "short.book"
    build_book(TICTACTOE, "minimax:depth=9,ties=first", 1, file=file)
    player = make_player(f"book:file={file},player=minimax:depth=3;ties=first", TICTACTOE, seed=1)
    first = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
    assert (first.action, first.nodes, first.depth) == (0, 0, 9)
    state = result(result(TICTACTOE.initial, 0), 4)
    later = player.choose(Position(TICTACTOE, state, (0, 4)), Limit())
    assert later.nodes > 0
    assert later.depth == 3


def test_the_other_player_may_join_words_with_a_plus(perfect):
    player = make_player(f"book:file={perfect},player=alphabeta:order=evaluation+killer;depth=2", TICTACTOE)
    with interpreted():
        assert player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit()).nodes == 0


def test_the_other_player_ponders(perfect):
    thought = []

    class Thinker(Player):
        def choose(self, position, limit):
            raise AssertionError

        @contextlib.contextmanager
        def pondering(self, position):
            thought.append(position)
            yield

    position = Position(TICTACTOE, TICTACTOE.initial)
    with players_book.BookPlayer(str(perfect), Thinker(), seed=1).pondering(position):
        assert thought == [position]


def test_an_entry_that_cannot_be_played_gives_way():
    book = Book(TICTACTOE)
    book._keep(book.key(TICTACTOE.initial), BookEntry((99,), 0.0, 99, 10**9, "minimax"))
    assert book.find(TICTACTOE.initial) is None
    assert book.add(TICTACTOE.initial, BookEntry((4,), 0.0, 1, 1, "minimax"))
    assert book.find(TICTACTOE.initial).actions == (4,)


def test_book_moves_come_with_what_the_search_found(perfect):
    move = book_move(Book.load(perfect, TICTACTOE), Position(TICTACTOE, TICTACTOE.initial))
    assert move.value == 0
    assert move.line == (move.action,)
    assert move.depth >= 8


def test_specs_of_book_players(perfect, tmp_path):
    with pytest.raises(SpecError, match="the player 'book' needs the option 'file'"):
        make_player("book:player=random")
    with pytest.raises(SpecError, match="there is no player 'minmax'"):
        make_player(f"book:file={perfect},player=minmax")
    player = make_player(f"book:file={tmp_path / 'absent.book'},player=random", TICTACTOE)
    with pytest.raises(FormatError, match=r"cannot read the book .*absent.book: No such file"):
        player.prepare(TICTACTOE)
    dice = read_tree({"chance": [1, {"max": [1, 2]}]})
    with pytest.raises(UnsuitableGame, match="minimax cannot play tree"):
        make_player(f"book:file={perfect},player=minimax", dice).prepare(dice)
    assert "book" in PLAYERS
    assert "book" not in set(players_for(TICTACTOE))


# Files ------------------------------------------------------------------------------------------------------------


def test_a_saved_book_is_the_same_book(perfect, tmp_path):
    book = Book.load(perfect, TICTACTOE)
    assert book.save(tmp_path / "again.book") == perfect.stat().st_size
    assert (tmp_path / "again.book").read_bytes() == perfect.read_bytes()
    lines = [json.loads(line) for line in perfect.read_text(encoding="utf-8").splitlines()]
    assert lines[0] == {
        "format": "plyground book",
        "version": 1,
        "game": "tictactoe",
        "state": "TicTacToe",
        "initial": [0, 0],
    }
    assert len(lines) == 1 + len(book)


names = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)


@given(st.floats(allow_nan=False, allow_infinity=False), st.integers(0, 10**12), names, names)
def test_every_entry_survives(tmp_path_factory, value, nodes, player, line):
    book, file = Book(TICTACTOE), tmp_path_factory.getbasetemp() / "entry.book"
    entry = BookEntry((4, 1), value, nodes % 100, nodes, player, line)
    book.add(TICTACTOE.initial, entry)
    book.save(file)
    assert Book.load(file, TICTACTOE).find(TICTACTOE.initial) == book.find(TICTACTOE.initial)


def refusal(path, game=TICTACTOE):
    with pytest.raises(FormatError) as caught:
        Book.load(path, game)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_files_that_are_no_books(tmp_path, perfect):
    file = tmp_path / "x.book"
    assert "cannot read the book" in refusal(file)
    assert "cannot read the book" in refusal(tmp_path)
    file.write_bytes(b"\xff\xfe\x00")
    assert "is not a book: it is not text in UTF-8" in refusal(file)
    for content in ("", "\n\n", "book", "[]", "{}", "[" * 100_000, '{"format": 3}', perfect.read_text()[5:]):
        file.write_text(content)
        assert refusal(file).endswith("is not a book; make one with plyground book")
    file.write_text(perfect.read_text().replace('"version": 1', '"version": 2'))
    assert refusal(file).endswith("is a book of version 2; this program reads version 1")
    assert refusal(perfect, make_game("nim")).endswith("is a book of tictactoe, not of nim")
    assert refusal(perfect, make_game("mnk")).endswith("is a book of tictactoe, not of mnk")


@pytest.mark.parametrize(
    ("field", "value", "wanted"),
    [
        ("position", None, "a list of numbers"),
        ("position", "00", "a list of numbers"),
        ("position", [0, "a"], "a list of numbers"),
        ("position", [0, math.nan], "a list of numbers"),
        ("actions", [], "a list of at least one whole number"),
        ("actions", [1.5], "a list of at least one whole number"),
        ("actions", [True], "a list of at least one whole number"),
        ("actions", 4, "a list of at least one whole number"),
        ("value", "0", "a number"),
        ("value", math.inf, "a number"),
        ("value", None, "a number"),
        ("depth", -1, "a whole number from 0"),
        ("depth", 2.5, "a whole number from 0"),
        ("nodes", None, "a whole number from 0"),
        ("player", 7, "a text"),
        ("line", ["a1"], "a text"),
    ],
)
def test_lines_that_are_no_entries(perfect, tmp_path, field, value, wanted):
    lines = perfect.read_text(encoding="utf-8").splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), field: value})
    file = tmp_path / "x.book"
    file.write_text("\n".join(lines))
    assert refusal(file).startswith(f'{file}, line 3: "{field}" must be {wanted}, not ')


def test_a_truncated_book(perfect, tmp_path):
    file = tmp_path / "x.book"
    file.write_text(perfect.read_text()[:-20])
    assert refusal(file).endswith(f", line {1 + 627}: expected a JSON object with a position")
    file.write_text(perfect.read_text() + "\n\n")
    assert len(Book.load(file, TICTACTOE)) == 627


def test_moves_that_the_rules_do_not_know_are_not_played(tmp_path):
    book, file = Book(TICTACTOE), tmp_path / "x.book"
    book.add(TICTACTOE.initial, BookEntry((4,), 0.0))
    book.save(file)
    file.write_text(file.read_text().replace('"actions": [4]', '"actions": [77]'))
    assert Book.load(file, TICTACTOE).find(TICTACTOE.initial) is None


def test_games_with_the_same_states_share_books(perfect, tmp_path):
    first, second = make_game("connect4:columns=5,rows=4"), make_game("connect4:rows=4,columns=5")
    build_book(first, "minimax:depth=2", 1, file=tmp_path / "c.book")
    assert len(Book.load(tmp_path / "c.book", second)) == 1
    assert "not of connect4" in refusal(tmp_path / "c.book", make_game("connect4"))


def test_a_tree_has_a_book(tmp_path):
    game = read_tree({"max": [{"min": [3, 12]}, {"min": [2, 4]}]})
    build_book(game, "minimax", 2, 2, file=tmp_path / "tree.book")
    assert Book.load(tmp_path / "tree.book", game).find(game.initial).value == 3


# The command --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_endgame_command(command, tmp_path):
    game = "connect4:columns=4,rows=4"
    done = command("endgame", game, "--out", "c.table")
    assert done.returncode == 0, done.stderr
    assert "80,541" in done.stdout
    assert "1 ply " in command("endgame", "nim:piles=3").stdout
    answer = json.loads(command("endgame", "reversi:size=4", "--value", "score", "--json").stdout)
    assert (answer["value"], answer["positions"], answer["file"]) == (-8.0, 14_401, None)
    later = json.loads(command("endgame", "tictactoe", "--from", "b2 a1", "--out", "t.table", "--json").stdout)
    assert later["from"] == [4, 0]
    assert later["bytes"] == (tmp_path / "t.table").stat().st_size
    player = "minimax:depth=1,endgame=c.table"
    done = command("play", game, "--first", player, "--second", "random", "--seed", "1", "--json")
    assert json.loads(done.stdout)["returns"][0] >= 0


def test_the_book_command(command, tmp_path):
    args = ("book", "tictactoe", "--plies", "2", "--breadth", "2", "--player", "minimax:depth=3", "--out", "t.book")
    assert command(*args).returncode == 0
    again = json.loads(command(*args, "--json").stdout)
    assert again["added"] == 0
    assert again["positions"] == len(Book.load(tmp_path / "t.book", TICTACTOE))
    player = "book:file=t.book,player=minimax:depth=2"
    done = command("play", "tictactoe", "--first", player, "--second", "random", "--seed", "1")
    assert done.returncode == 0, done.stderr
    assert player in done.stdout


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("endgame", "reversi", "--most", "10000"), "reversi has too many positions from here: "),
        (("endgame", "tictactoe", "--out", "absent/t.table"), "--out: there is no folder 'absent'"),
        (("endgame", "tictactoe", "--out", "."), "--out must be a file, and '.' is a folder"),
        (("endgame", "tictactoe", "--from", "a1 a1"), "move 2: 'a1' is not legal here"),
        (("endgame", "tictactoe", "--value", "luck"), "luck"),
        (("endgame", "ludo"), "there is no game 'ludo'"),
        (("book", "tictactoe"), "Missing option '--out'"),
        (("book", "tictactoe", "--out", "x.book", "--player", "random"), "does not say what a position is worth"),
        (("book", "tictactoe", "--out", "x.book", "--player", "human"), "human does not say what a position is worth"),
        (("endgame", "reversi"), "and by a cautious guess there are over "),
        (("book", "tictactoe", "--out", "x.book", "--player", "minmax"), "did you mean 'minimax'?"),
        (("book", "tictactoe", "--out", "x.book", "--plies", "0"), "greater than or equal to 1"),
        (("play", "nim", "--first", "minimax:endgame=absent", "--second", "random"), "cannot read the endgame table"),
        (("play", "nim", "--first", "book:file=absent,player=random", "--second", "random"), "cannot read the book"),
    ],
)
def test_bad_input_gets_one_clear_line(command, args, message):
    done = command(*args)
    assert done.returncode == 2, done.stdout + done.stderr
    lines = [line for line in done.stderr.splitlines() if line.strip() and not line.startswith("Compiling")]
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("error: ")
    assert message in lines[0]


@pytest.mark.parametrize("name", ["endgame", "book"])
def test_help_has_an_example(command, name):
    done = command(name, "--help")
    assert done.returncode == 0
    assert f"Example: plyground {name}" in " ".join(done.stdout.split())


@pytest.mark.slow
def test_ctrl_c_keeps_the_book(tmp_path):
    (tmp_path / "hurry.py").write_text(
        "from plyground.players import book\nbook.SAVE_EVERY = 0.2\nfrom plyground.cli.main import main\nmain()\n"
    )
    words = (
        "book",
        "reversi",
        "--plies",
        "8",
        "--breadth",
        "4",
        "--player",
        "mcts:simulations=3000",
        "--out",
        "r.book",
    )
    running = subprocess.Popen(
        [sys.executable, "hurry.py", *words],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )
    while not (tmp_path / "r.book").exists():
        assert running.poll() is None, running.stderr.read()
        time.sleep(0.1)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 130
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors
    assert len(Book.load(tmp_path / "r.book", make_game("reversi"))) >= 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hurry.py", "r.book"]


@pytest.mark.slow
def test_ctrl_c_stops_retrograde_analysis(tmp_path):
    running = subprocess.Popen(
        [sys.executable, "-c", "from plyground.cli.main import main; print('begins', flush=True); main()",
         "endgame", "connect4", "--most", "100000000", "--out", "c.table"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "NO_COLOR": "1"},
    )  # fmt: skip
    assert running.stdout.readline() == "begins\n"
    time.sleep(2)
    running.send_signal(signal.SIGINT)
    _, errors = running.communicate(timeout=120)
    assert running.returncode == 130
    assert errors.splitlines()[-1] == "stopped"
    assert "Traceback" not in errors
    assert list(tmp_path.iterdir()) == []


# Chess --------------------------------------------------------------------------------------------------------------


def test_positions_of_chess_in_which_the_same_is_best_are_one():
    """By whichever moves, with whatever clock, and with the colours exchanged; but not with other rights."""
    game = make_game("chess")
    book = Book(game)
    italian = read_moves(game, "e4 e5 Nf3 Nc6")[0][-1]
    bishop = next(action for action in actions(italian) if action_text(italian, action) == "Bb5")
    assert book.add(italian, BookEntry((bishop,), 0.1, 5, 100, "alphabeta"))
    for moves, wanted in (
        ("Nf3 Nc6 e4 e5", "Bb5"),
        ("e4 e5 Nf3 Nc6 Ng1 Nb8 Nf3 Nc6", "Bb5"),
        ("e3 e5 Nc3 Nf6 e4", "Bb4"),
        ("e4 e5 Nf3 Nc6 Ke2 Ke7 Ke1 Ke8", None),
        ("e4 e5 Nf3", None),
    ):
        state = read_moves(game, moves)[0][-1]
        found = book.choose(state)
        assert (None if found is None else action_text(state, found)) == wanted
    assert len(book) == 1


@pytest.mark.parametrize("seed", range(4))
def test_the_image_of_a_position_of_chess_has_its_moves(seed):
    dice = random.Random(seed)
    state = make_game(f"chess:chess960={dice.randrange(960)}").initial
    while options := actions(state):
        image = as_in_book(state)
        assert to_move(image) == 0
        assert sorted(action_in_book(state, action) for action in options) == sorted(actions(image))
        action = dice.choice(options)
        after, beside = result(state, action), result(image, action_in_book(state, action))
        if not terminal(after):
            assert as_in_book(after) == as_in_book(beside)
        state = after


def test_a_book_of_chess_is_made_and_played(tmp_path):
    file = tmp_path / "chess.book"
    with interpreted():
        book = build_book(make_game("chess"), "alphabeta:depth=1,ties=first", 2, 2, file=file)
        with make_player(f"book:file={file},player=random", make_game("chess"), 1) as player:
            move = player.choose(Position(make_game("chess"), make_game("chess").initial), Limit())
    assert move.action == book.find(make_game("chess").initial).actions[0]
    assert move.depth == book.find(make_game("chess").initial).depth


def test_a_polyglot_book_is_played(tmp_path):
    game = make_game("chess")
    knight = next(action for action in actions(game.initial) if action_text(game.initial, action) == "Nf3")
    row = (polyglot_key(game.initial), move_code(game.initial, knight), 1, 0)
    (tmp_path / "my.bin").write_bytes(np.array([row], ENTRY).tobytes())
    with make_player(f"book:file={tmp_path}/my.bin,player=random", game, 1) as player:
        assert player.choose(Position(game, game.initial), Limit()).action == knight
        there = result(game.initial, knight)
        assert player.choose(Position(game, there, (knight,)), Limit()).action in actions(there)
    with pytest.raises(UnsuitableGame, match="is a Polyglot book of chess, and the game is tictactoe"):
        make_player(f"book:file={tmp_path}/my.bin,player=random", TICTACTOE, 1).prepare(TICTACTOE)
