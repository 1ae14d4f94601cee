"""n queens: solutions that are solutions, counts that are right after every step, the rivals, the command, pictures."""

from __future__ import annotations

import json
import re
import statistics
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.errors import BadOption
from plyground.native.compiling import interpreted
from plyground.subjects.queens.by_hand import completed, next_step
from plyground.subjects.queens.min_conflicts import CHOICES, STARTS, Method, MinConflicts, solve_queens, watch_queens
from plyground.subjects.queens.pictures import (
    board_svg,
    comparison_svg,
    queens_film,
    queens_frames,
    queens_svg,
    step_words,
)
from plyground.subjects.queens.placement import NO_SOLUTION, attack_counts, attacked_queens, is_solution
from plyground.subjects.queens.rivals import (
    RIVALS,
    backtrack_queens,
    climb_queens,
    measure_queens,
    sizes_up_to,
    solve_with,
)

methods = st.builds(
    Method,
    st.sampled_from(STARTS),
    st.sampled_from(CHOICES),
    st.sampled_from([0.0, 0.1]),
    st.sampled_from([0, 1, 7]),
    st.sampled_from([None, 50]),
)


def attacks(one, other):
    """The rules to the letter, for two (column, row)."""
    return one[1] == other[1] or abs(one[0] - other[0]) == abs(one[1] - other[1])


def pairs(rows):
    places = list(enumerate(rows))
    return [(a[0], b[0]) for k, a in enumerate(places) for b in places[:k] if attacks(a, b)]


@pytest.mark.slow
@given(st.integers(1, 40).filter(lambda n: n not in NO_SOLUTION), methods, st.integers(0, 10**9))
def test_every_method_that_moves_any_queen_under_attack_solves_every_board(n, method, seed):
    found = solve_queens(n, method, seed=seed, max_steps=3000 if method.choice == "first" else None)
    if method.choice == "random":
        assert found.solved  # always the first queen, and the search may go in circles
    if found.solved:
        assert len(found.rows) == n
        assert pairs(found.rows.tolist()) == []
    assert found.all_steps >= found.steps


@pytest.mark.slow
@pytest.mark.parametrize(("start", "n"), [("greedy", 300_000), ("permutation", 20_000), ("random", 20_000)])
def test_large_boards_are_solved_and_verified(start, n):
    found = solve_queens(n, Method(start), seed=5)
    assert is_solution(found.rows)
    assert sorted(found.rows.tolist()) == list(range(n))


def test_the_steps_of_a_greedy_start_hardly_grow_with_the_board():
    medians = [statistics.median(solve_queens(n, seed=s).all_steps for s in range(15)) for n in (100, 1000, 100_000)]
    assert all(10 < median < 150 for median in medians), medians


def test_the_steps_of_a_random_start_grow_with_the_board():
    medians = [
        statistics.median(solve_queens(n, Method("random"), seed=s).all_steps for s in range(9)) for n in (100, 1000)
    ]
    assert medians[1] > 4 * medians[0]


@given(st.lists(st.integers(0, 11), min_size=12, max_size=12))
def test_a_board_is_a_solution_if_no_two_queens_attack_each_other(rows):
    together = pairs(rows)
    assert is_solution(rows) == (not together)
    assert attacked_queens(rows) == sorted({column for pair in together for column in pair})
    for column in (0, 5, 11):
        moved = [[*rows[:column], row, *rows[column + 1 :]] for row in range(12)]
        assert attack_counts(rows, column) == [sum(column in pair for pair in pairs(board)) for board in moved]


def test_what_is_not_a_board_is_not_a_solution():
    assert is_solution([])
    assert is_solution([0])
    assert not is_solution([0, 4, 1])
    assert not is_solution([-1, 1])


@given(st.integers(4, 30), methods, st.integers(0, 1000))
@settings(max_examples=60)
def test_the_counts_and_lists_are_right_after_every_step(n, method, seed):
    search = MinConflicts(n, method, seed)
    search.begin()
    for _ in range(15):
        board = search._board
        rows = board.rows.tolist()
        columns = np.arange(n)
        assert board.in_row.tolist() == np.bincount(rows, minlength=n).tolist()
        assert board.falling.tolist() == np.bincount(rows + columns, minlength=2 * n - 1).tolist()
        assert board.rising.tolist() == np.bincount(rows - columns + n - 1, minlength=2 * n - 1).tolist()
        free = board.free[: board.sizes[0]].tolist()
        assert sorted(free) == sorted(set(range(n)) - set(rows))
        assert [board.place[row] for row in free] == list(range(len(free)))
        listed = board.listed[: board.sizes[1]].tolist()
        assert len(set(listed)) == len(listed)
        assert set(listed) >= set(attacked_queens(rows))
        assert np.flatnonzero(board.is_listed).tolist() == sorted(listed)
        if search.run(1):
            assert attacked_queens(search.rows) == []
            break


@given(st.integers(5, 25), st.sampled_from(CHOICES), st.integers(0, 500))
@settings(max_examples=80)
def test_plain_min_conflicts_moves_a_queen_under_attack_to_a_row_with_the_fewest_attackers(n, choice, seed):
    before = None
    for board, moved in watch_queens(n, Method("random", choice), seed=seed, max_steps=12):
        if moved is not None:
            under = attacked_queens(before)
            assert moved in under
            assert choice == "random" or moved == under[0]
            assert np.flatnonzero(board != before).tolist() in ([], [moved])
            counts = attack_counts(board, moved)
            assert counts[board[moved]] == min(counts)
        before = board


def test_of_equal_rows_any_may_be_chosen_and_a_queen_on_tabu_does_not_return():
    rows = [0, 0, 0, 0, 0, 0]
    reached = set()
    for seed in range(60):
        boards = list(watch_queens(6, Method(tabu=0), seed=seed, rows=rows, max_steps=1))
        board, moved = boards[1]
        reached.add((moved, int(board[moved])))
    assert len({moved for moved, _ in reached}) == 6
    assert len(reached) > 12
    came = {}
    before = None
    for number, (board, moved) in enumerate(watch_queens(9, Method("random", tabu=4, restart=0), seed=3, max_steps=80)):
        if moved is not None:
            old, new = int(before[moved]), int(board[moved])
            if attack_counts(board, moved)[new]:
                assert number - came.get((moved, new), -100) >= 4
            came[moved, old] = number
        before = board


def test_the_film_shows_what_the_search_does():
    found = solve_queens(12, seed=4)
    boards = list(watch_queens(12, seed=4))
    assert len(boards) == found.all_steps + found.restarts + 1
    assert boards[-1][0].tolist() == found.rows.tolist()


def test_the_same_seed_gives_the_same_queens():
    one, two = (solve_queens(500, seed=9).rows for _ in range(2))
    assert one.tolist() == two.tolist()
    assert one.tolist() != solve_queens(500, seed=10).rows.tolist()


def test_boards_without_a_solution_and_the_smallest_ones():
    assert not solve_queens(2).solved
    assert not solve_queens(3).solved
    assert solve_queens(0).rows.tolist() == []
    assert solve_queens(1).rows.tolist() == [0]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [(-1, "cannot be negative"), (10**12, "too many"), (1.5, "whole number"), ("8", "whole number"), (True, "whole")],
)
def test_what_is_no_number_of_queens_is_refused(wrong, message):
    with pytest.raises(BadOption, match=message):
        solve_queens(wrong)


@pytest.mark.parametrize(
    "options", [{"start": "x"}, {"choice": "x"}, {"walk": 2.0}, {"walk": float("nan")}, {"tabu": -1}, {"restart": -1}]
)
def test_what_is_no_method_is_refused(options):
    with pytest.raises(BadOption):
        Method(**options)


@pytest.mark.parametrize("rows", [[0, 1], [0, 1, 2, 9], [0, 1, 2, -1], [0.5, 1, 2, 3]])
def test_boards_to_begin_from_are_checked(rows):
    with pytest.raises(BadOption, match="4 queens need 4 rows"):
        next(watch_queens(4, rows=rows))
    with pytest.raises(BadOption, match="one line"):
        next(watch_queens(200, rows=[0] * 200))


# The rivals ------------------------------------------------------------------------------------------------------


def test_hill_climbing_does_as_the_textbook_says():
    """Russell and Norvig: 14% of random 8-queens boards, after 4 steps, and 3 where it is stuck; 94% with sideways."""
    plain = [climb_queens(8, seed=seed) for seed in range(1500)]
    won = [one.steps for one in plain if one.solved]
    lost = [one.steps for one in plain if not one.solved]
    assert len(won) / 1500 == pytest.approx(0.14, abs=0.03)
    assert statistics.mean(won) == pytest.approx(4, abs=0.4)
    assert statistics.mean(lost) == pytest.approx(3, abs=0.4)
    sideways = [climb_queens(8, seed=seed, sideways=100) for seed in range(400)]
    assert sum(one.solved for one in sideways) / 400 == pytest.approx(0.94, abs=0.04)
    assert all(is_solution(one.rows) for one in plain + sideways if one.solved)


@pytest.mark.parametrize("fewest_first", [False, True])
def test_backtracking_is_complete(fewest_first):
    for n in range(10):
        found = backtrack_queens(n, fewest_first=fewest_first)
        assert found.solved == (n not in NO_SOLUTION)
        assert n in NO_SOLUTION or (len(found.rows) == n and pairs(found.rows.tolist()) == [])
    assert not backtrack_queens(40, max_nodes=200).solved


def test_backtracking_finds_the_first_solution_in_order():
    assert backtrack_queens(8).rows.tolist() == [0, 4, 7, 5, 2, 6, 1, 3]


def test_the_ways_are_compared():
    rows = measure_queens(sizes_up_to(20), runs=2, patience=500)
    assert {row.rival for row in rows} == set(RIVALS)
    assert all(0 <= row.success <= 1 and row.seconds >= 0 for row in rows)
    ElementTree.fromstring(comparison_svg(rows))
    assert sizes_up_to(1000)[0] == 8
    assert sizes_up_to(1000)[-1] == 1000
    with pytest.raises(BadOption, match="there is no 'x'"):
        solve_with("x", 8, seed=0, patience=1)
    for too_large in (lambda: climb_queens(10**6), lambda: backtrack_queens(10**6), lambda: sizes_up_to(3)):
        with pytest.raises(BadOption):
            too_large()


# Pictures and the command ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", [1, 8, 70, 500])
def test_boards_of_every_size_are_drawn(n):
    rows = solve_queens(n, seed=1).rows
    picture = ElementTree.fromstring(queens_svg(rows))
    assert f"{n} queens" in picture.get("aria-label")
    assert picture.get("width")


def test_queens_under_attack_are_marked():
    assert board_svg([0, 0, 3, 1]).count('class="queens-attacked"') == 2
    assert 'class="queens-attacked"' not in board_svg([1, 3, 0, 2])


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_films_tell_every_step(lang):
    frames = queens_frames(6, seed=2, lang=lang)
    assert len(frames) == len(list(watch_queens(6, seed=2)))
    for frame in frames:
        ElementTree.fromstring(frame.svg)
        assert "{" not in frame.caption
    assert "<script" in queens_film(4, seed=1, lang=lang)
    with pytest.raises(BadOption, match="a film shows"):
        queens_frames(1000)


def test_what_a_film_asks_is_where_the_queen_goes_and_no_other_answer_is_as_good():
    asked = stays = 0
    for seed in range(30):
        n, method = 4 + seed % 6, Method("random", CHOICES[seed % 2], [0.0, 0.3][seed % 3 == 0], seed % 4)
        boards = list(watch_queens(n, method, seed=seed, max_steps=40))
        frames = queens_frames(n, method, seed=seed)
        for frame, (board, moved), (before, _) in zip(frames[1:], boards[1:], boards, strict=False):
            if frame.guess is None:
                continue
            rows = [int(re.search(r"row (\d+)", choice)[1]) - 1 for choice in frame.guess.choices]
            assert re.search(r"of column (\d+)", frame.guess.question)[1] == str(moved + 1)
            assert rows[frame.guess.right] == board[moved]
            assert ("stays" in frame.guess.choices[frame.guess.right]) == (board[moved] == before[moved])
            counts = attack_counts(before, moved)
            assert all(counts[row] > counts[board[moved]] for row in rows if row != board[moved])
            asked, stays = asked + 1, stays + (board[moved] == before[moved])
    assert asked > 100
    assert stays > 5


def test_the_command_solves_draws_and_answers_programs(command):
    done = command("queens", "8", "--seed", "7", "--out", "board.svg")
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Q") == 8
    assert "8 queens placed and verified" in done.stdout
    ElementTree.parse(command.folder / "board.svg")
    answer = json.loads(command("queens", "100", "--json", "--seed", "1", "--runs", "3").stdout)
    assert is_solution(answer["rows"])
    assert answer["verified"]
    assert len(answer["runs"]) == 3
    assert command("queens", "6", "--out", "film.html", "--seed", "1").returncode == 0
    assert "film-stage" in (command.folder / "film.html").read_text(encoding="utf-8")
    assert "no solution" in command("queens", "3").stdout
    stopped = command("queens", "50", "--start", "random", "--max-steps", "1", "--seed", "1")
    assert (stopped.returncode, "not solved after 1 steps" in stopped.stdout) == (1, True)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["x"], "whole number"),
        (["-1"], "cannot be negative"),
        (["1e99"], "whole number"),
        (["9" * 30], "too many"),
        (["8", "--start", "x"], "start is one of"),
        (["8", "--runs", "0"], "--runs must be"),
        (["8", "--out", "x.gif"], "--out must end in"),
        (["8", "--out", "no/x.svg"], "there is no folder"),
        (["1000", "--out", "x.html"], "a film shows"),
        (["2", "--compare"], "needs 4 queens"),
        (["8", "--lang", "fr"], "no language"),
    ],
)
def test_the_command_refuses_in_one_line(command, arguments, message):
    done = command("queens", *arguments)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert message in done.stderr


@given(st.integers(4, 8).flatmap(lambda n: st.lists(st.integers(-1, n - 1), min_size=n, max_size=n)), st.integers(0, 9))
def test_a_hint_is_a_step_of_min_conflicts_and_says_why(rows: list[int], seed: int) -> None:
    with interpreted():
        step = next_step(rows, seed)
        board = completed(rows, seed)
    assert -1 not in board
    assert all(row in (-1, now) for row, now in zip(rows, board, strict=True))
    if step is None:
        assert is_solution(rows)
        return
    assert step.came == rows[step.column]
    assert step.row in step.best
    others = [(c, row) for c, row in enumerate(rows) if c != step.column and row >= 0]
    for row, count in enumerate(step.counts):
        assert count == sum(row == other or abs(row - other) == abs(c - step.column) for c, other in others)
    assert -1 not in rows or step.came == -1
    for lang in ("en", "zh"):
        assert f"{step.row + 1}" in step_words(step, lang)


def test_a_hint_refuses_what_is_no_board() -> None:
    for rows in ([], [4, 0, 0, 0], [-2, 0, 0, 0]):
        with pytest.raises(BadOption, match="stands in a row from 0 to"):
            next_step(rows)
