"""Boards as text, in colour and as SVG."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

from plyground import make_game, parse_action, result, svg, text
from plyground.core.grid import Grid, column_name, grid_text, with_last
from plyground.core.rules import grid
from plyground.pictures.board import grid_svg
from plyground.pictures.terminal import grid_terminal

BOARD = Grid(("X.", ".O"), columns=("a", "b"), rows=("1", "2"), dots=((0, 1),), last=(1, 1))


def test_text():
    assert grid_text(BOARD) == "  a b\n1 X ·\n2 .[O]"


def test_rows_of_hexagons_move_to_the_right():
    board = replace(BOARD, style="hex", dots=())
    assert grid_text(board) == "  a b\n1 X .\n 2 .[O]"
    red, blue = (span.style for span in grid_terminal(board).spans[:2])  # the edges' names have their owners' colours
    assert (red, blue) == ("bright_red", "bright_blue")
    edges = [path.get("stroke") for path in ElementTree.fromstring(grid_svg(board)).iterfind("{*}path")]
    assert edges[:2] == ["#b91c1c", "#1d4ed8"]


def test_colours_are_in_the_terminal_form_only():
    assert grid_terminal(BOARD).spans
    assert "\x1b" not in grid_text(BOARD)


def test_the_last_move_is_found_by_what_is_new():
    before, after = Grid(("XO.", "...")), Grid(("XXX", "..."))
    assert with_last(before, after).last == (0, 2)
    assert with_last(after, after).last is None


def test_column_names():
    assert [column_name(i) for i in (0, 25, 26, 51, 52)] == ["a", "z", "aa", "az", "ba"]


def test_svg_is_xml_with_one_shape_a_piece():
    for style in ("marks", "discs", "slots", "hex", "boxes"):
        root = ElementTree.fromstring(grid_svg(Grid(BOARD.cells, style=style)))
        assert root.get("viewBox")
        size = "1 by 1 boxes" if style == "boxes" else "2 by 2"
        assert f"board {size}, 1 X, 1 O" in root.get("aria-label")


def test_every_game_draws_itself():
    for spec in ("tictactoe", "connect4", "reversi", "gomoku", "hex", "dots_and_boxes"):
        state = make_game(spec).initial
        assert grid(state) is not None
        ElementTree.fromstring(svg(state))
    assert text(make_game("nim:piles=2,1").initial) == "1: || (2)\n2: | (1)"
    ElementTree.fromstring(svg(make_game("nim").initial))


def test_the_side_to_move_does_not_change_the_colours():
    game = make_game("reversi")
    after = result(game.initial, parse_action(game.initial, "f5"))
    cells = "".join(grid(after).cells)
    assert (cells.count("X"), cells.count("O")) == (4, 1)
