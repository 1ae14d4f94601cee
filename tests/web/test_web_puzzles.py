"""Puzzles: what is bundled is true, and the page by keyboard alone."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.core.grid import EMPTY
from plyground.core.rules import action_code, action_text, actions, grid, parse_action, result, terminal
from plyground.course.puzzles.making import SOURCES
from plyground.course.puzzles.puzzle import SETS, daily, parse_puzzle, puzzles
from plyground.errors import BadOption, FormatError, IllegalAction, UnknownName
from plyground.games import make_game
from plyground.games.chess import how_ended
from plyground.web.games.positions import game_positions, started_game
from plyground.web.lab.puzzles import asked, catalogue, judged


def position_of(puzzle: Any) -> Any:
    game = started_game(make_game(puzzle.game), puzzle.start)
    return game_positions(game, " ".join("pass" if move == "--" else move for move in puzzle.moves))[0][-1]


@pytest.mark.parametrize("game", SETS)
def test_every_puzzle_lists_the_legal_moves_and_lines_that_can_be_played(game: str) -> None:
    found = puzzles(game)
    assert len({(puzzle.start, puzzle.moves) for puzzle in found}) == len(found) >= 50
    assert [puzzle.stars for puzzle in found] == sorted(puzzle.stars for puzzle in found)
    assert {puzzle.stars for puzzle in found} == {1, 2, 3, 4, 5}
    for puzzle in found:
        state = position_of(puzzle)
        assert puzzle.best.score >= 0
        assert {action_code(state, action) for action in actions(state)} == {one.move for one in puzzle.variations}
        if game in SOURCES:
            assert sum(row.count(EMPTY) for row in grid(state).cells) in SOURCES[game].empty
    for number in range(0, len(found), 10):
        state = position_of(found[number])
        for variation in found[number].variations:
            told = judged(game, number, variation.move)
            assert told["line"][0]["text"] == action_text(state, parse_action(state, variation.move))
            assert told["right"] == (variation is found[number].best)


def test_the_lines_of_mates_are_played_to_the_mate() -> None:
    """As long as the score says, where the line is told to its end; the same moves are right when they are judged."""
    whole = [(number, puzzle) for number, puzzle in enumerate(puzzles("chess")) if puzzle.best.score <= 11]
    for number, puzzle in whole:
        state, before = position_of(puzzle), list[str]()
        assert len(puzzle.best.line) == puzzle.best.score
        for ply, move in enumerate(puzzle.best.line):
            if ply % 2 == 0 and number % 10 == 0:
                told = judged("chess", number, move, before)
                assert told["right"]
                assert told["over"] == (ply == puzzle.best.score - 1)
            before.append(move)
            state = result(state, parse_action(state, move))
        assert how_ended(state) == "mate"


@pytest.mark.parametrize("step", [40, pytest.param(1, marks=pytest.mark.slow)])
def test_the_scores_of_reversi_are_those_of_another_search(engine_code: Any, step: int) -> None:
    """The solver searches each position after the move anew, with nothing but its result asked for."""
    from plyground.engines.reversi.engine import Engine

    engine = Engine()
    for puzzle in puzzles("reversi")[::step]:
        state = position_of(puzzle)
        for action in actions(state):
            engine.clear()
            after = result(state, action)
            told = puzzle.find(action_text(state, action)).score  # type: ignore[union-attr]
            if actions(after):
                assert -engine.search(after).value == told


@pytest.mark.parametrize("step", [20, pytest.param(1, marks=pytest.mark.slow)])
def test_the_scores_of_connect_four_are_those_of_another_search(step: int) -> None:
    """The position after each move is solved anew; and a line that is told to its end ends as the score says."""
    from plyground.engines.connect4.engine import Engine, after

    engine, ended = Engine(), 0
    for puzzle in puzzles("connect4")[::step]:
        state = position_of(puzzle)
        for one in puzzle.variations:
            here = after(state, int(one.move) - 1)
            engine.clear()
            if not terminal(here):
                report = engine.search(here)
                assert -int(report.value) * (report.plies + 1) == one.score
            for move in one.line[1:]:
                assert not terminal(here)
                here = after(here, int(move) - 1)
            if terminal(here) and one.score:
                ended += 1
                assert len(one.line) == abs(one.score)
    assert ended


@pytest.mark.slow
@pytest.mark.parametrize("game", SETS)
def test_the_same_seed_makes_the_same_puzzles(engine_code: Any, game: str) -> None:
    from itertools import islice

    from plyground.course.puzzles.making import make_puzzles

    first, second = ([puzzle.line() for puzzle in islice(make_puzzles(game, 1), 2)] for _ in range(2))
    assert first == second
    bundled = {puzzle.line() for puzzle in puzzles(game)}
    assert set(first) <= bundled


def test_each_day_has_its_puzzle_and_none_comes_twice_before_all_have_come() -> None:
    first = date(2026, 11, 18)
    start = first - timedelta(first.toordinal() % 55)
    assert sorted(daily(start + timedelta(day), 55) for day in range(55)) == list(range(55))
    assert catalogue("2026-11-18") == catalogue("2026-11-18")


def test_what_is_wrong_is_refused_in_a_line() -> None:
    for line in ("", "9;;+4 a1", "1;zz;+4 a1;-4 b2", "1;f5;+4 a1", "1;f5;+4 a1;+2 b2", "1;f5;4 a1;-4 b2"):
        with pytest.raises(FormatError, match="puzzle"):
            parse_puzzle(line, "reversi")
    for line in ("1;44;+6 8;-4 1", "1;44;+7 4;+9 1", "1;44;+0 4;+0 1", "1;4x;+7 4;-4 1"):
        with pytest.raises(FormatError, match=r"a puzzle is written|the only one to win, or draw"):
            parse_puzzle(line, "connect4")
    start = "8/8/8/8/8/2K5/1R6/k7 w - - 0 1"
    for line in ("1;8/8 w - -;+3 b2b8;+0 b2b1", *(f"1;{start};{told}" for told in
                 ("+3 b2b8;+3 b2b7", "+0 b2b8;-2 b2b7", "+3 b9;-2 b2b8", "+3 b2b8"))):  # fmt: skip
        with pytest.raises(FormatError, match=r"a puzzle is written|the only one that mates as soon|not a position"):
            parse_puzzle(line, "chess")
    with pytest.raises(UnknownName, match="there are no puzzles of 'chess960'"):
        puzzles("chess960")
    with pytest.raises(BadOption, match="numbers from 0 to"):
        asked("reversi", 5000)
    with pytest.raises(IllegalAction, match="z9 is not a legal move here"):
        judged("reversi", 0, "z9")


def test_a_puzzle_by_keyboard_alone(visit: Any) -> None:
    visitor = visit("/puzzles?game=reversi&number=3")
    page = visitor.page
    puzzle = puzzles("reversi")[3]
    worst = puzzle.variations[-1]
    record = page.locator(".puzzle-record dd")
    expect(page.locator(".puzzle-question")).to_contain_text("to move. Find the best move.")

    def play(move: str) -> None:
        visitor.press("b", "Home", "PageUp", *["ArrowRight"] * "abcdefgh".index(move[0]))
        visitor.press(*["ArrowDown"] * (int(move[1]) - 1), "Enter")

    play(worst.move)
    expect(page.locator(".puzzle-verdict.wrong")).to_contain_text(f"{worst.move} is not the best move")
    expect(page.locator(".puzzle-line b")).to_contain_text(" ".join(worst.line[:2]).replace("--", "pass"))
    expect(page.locator(".puzzle-board .hint")).to_have_count(len([one for one in worst.line if one != "--"]))
    visitor.accessible()
    visitor.fits()
    visitor.press("r")
    play(puzzle.best.move)
    expect(page.locator(".puzzle-verdict.right")).to_contain_text(f"Right: {puzzle.best.move}")
    expect(record).to_have_text(["0", "0", "0", "0"])  # the second try does not count
    visitor.open("/puzzles")
    expect(page.get_by_role("heading", level=2)).to_have_text(re.compile(r"^Puzzle of \d{1,2} [A-Z][a-z]+ 20\d\d$"))
    number = int(re.search(r"number=(\d+)", page.url)[1])  # type: ignore[index]
    play(puzzles("reversi")[number].best.move)
    expect(record).to_have_text(["1", "1", "1", "1"])
    visitor.press("n")
    expect(page).not_to_have_url(re.compile(f"number={number}$"))


def test_connect_four_by_keyboard_alone(visit: Any) -> None:
    visitor = visit("/puzzles", width=390, locale="zh-CN", color_scheme="dark")
    page = visitor.page
    expect(page.get_by_role("radio", name="黑白棋")).to_be_checked()
    page.get_by_role("radio", name="黑白棋").focus()
    visitor.press("ArrowRight")
    expect(page.get_by_role("heading", level=2)).to_have_text(
        re.compile("^20.*年.*月.*日的题目$")
    )  # the one of the day
    expect(page).to_have_url(re.compile("game=connect4"))
    puzzle = puzzles("connect4")[int(re.search(r"number=(\d+)", page.url)[1])]  # type: ignore[index]
    expect(page.locator(".board-svg")).to_have_attribute("data-style", "slots")

    def play(move: str) -> None:
        visitor.press("b", "Home", *["ArrowRight"] * (int(move) - 1), "Enter")

    wrong = puzzle.variations[-1]
    play(wrong.move)
    expect(page.locator(".puzzle-verdict.wrong")).to_contain_text(f"{wrong.move} 不是最佳着法")
    expect(page.locator(".puzzle-board .hint")).to_have_count(len(wrong.line))
    visitor.accessible()
    visitor.fits()
    visitor.press("r")
    play(puzzle.best.move)
    expect(page.locator(".puzzle-verdict.right")).to_contain_text(f"对，{puzzle.best.move} 是最佳着法")
    page.reload()
    expect(page.get_by_role("radio", name="四子棋")).to_be_checked()
