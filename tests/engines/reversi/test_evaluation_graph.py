"""The graph of the evaluation: well-formed, with the marks where the mistakes are, safe with any names."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from plyground.core.limits import Limit
from plyground.engines.reversi.analysis import analyse
from plyground.engines.reversi.engine import Engine
from plyground.engines.reversi.evaluation_graph import evaluation_svg
from plyground.formats import Record, read_board
from plyground.pictures.lettering import text_width
from plyground.pictures.png import svg_png
from reversi_endings import FFO_4, ending, random_game

SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def engine():
    return Engine(table=1 << 22)


def drawn(record, engine, **options):
    root = ElementTree.fromstring(evaluation_svg(analyse(record, engine, Limit(depth=1), **options)))
    return root, [node.text for node in root.iter(f"{SVG}text")]


def test_the_ending_with_its_mistakes(engine):
    root, texts = drawn(replace(ending(), black="ant", white="bee"), engine)
    assert texts[0] == "ant 33\N{EN DASH}31 bee"
    assert {"9 h2 \N{MINUS SIGN}14", "14 a8 \N{MINUS SIGN}10", "12 a1 \N{MINUS SIGN}6"} <= set(texts)
    assert {"inaccuracy: 0", "mistake: 2", "blunder: 1", "solved", "black ahead", "white ahead"} <= set(texts)
    titles = [node.text for node in root.iter(f"{SVG}title")]
    assert "9. black h2: \N{MINUS SIGN}14, blunder; best h1 +0" in titles
    assert len(titles) == len(ending().moves) + 3


def test_names_of_mistakes_stand_beside_the_areas_and_the_curve(engine):
    root, _ = drawn(ending(), engine)
    path = next(node.get("d") for node in root.iter(f"{SVG}path") if node.get("stroke-width") == "1.8")
    curve = [tuple(map(float, point.split())) for point in path.strip("M").split("L")]
    labels = [node for node in root.iter(f"{SVG}text") if node.get("paint-order")]
    assert len(labels) == 3
    for label in labels:
        half, middle, base = text_width(label.text, 12) / 2, float(label.get("x")), float(label.get("y"))
        for x in np.linspace(middle - half, middle + half, 30):
            height = np.interp(x, *zip(*curve, strict=True))
            assert base < min(150, height) or base - 9 > max(150, height)


def test_each_side_has_its_half(engine):
    """The curve is below zero after the blunder of black, and above it at the end."""
    root, _ = drawn(ending(), engine)
    areas = {node.get("fill"): node.get("d") for node in root.iter(f"{SVG}path") if node.get("fill") != "none"}
    zero = 150.0

    def heights(path):
        return [float(point.split()[1]) for point in path.strip("MZ").split("L")]

    assert min(heights(areas["#1f2937"])) < zero
    assert max(heights(areas["#1f2937"])) == zero
    assert max(heights(areas["#ffffff"])) > zero
    assert min(heights(areas["#ffffff"])) == zero


def test_a_game_that_is_not_solved_at_its_end_has_no_solved_part(engine):
    _, texts = drawn(Record(moves=random_game(3).moves[:12]), engine)
    assert "solved" not in texts
    assert texts[0] == "black against white, broken off after 12 moves"


@pytest.mark.parametrize("moves", [0, 1, 30])
def test_games_of_any_length_can_be_drawn(engine, moves):
    record = Record(moves=random_game(4).moves[:moves])
    picture = evaluation_svg(analyse(record, engine, Limit(depth=1)))
    assert svg_png(picture, 0.5).startswith(b"\x89PNG")


def test_a_whole_random_game_has_room_for_its_many_mistakes(engine):
    root, texts = drawn(random_game(5), engine, solved_from=8)
    marks = [node for node in root.iter() if node.get("stroke") == "#ffffff"]
    assert len(marks) > 10
    assert 0 < sum("\N{MINUS SIGN}" in text and text[0].isdigit() for text in texts) <= 8


def test_names_cannot_break_the_picture(engine):
    record = Record(read_board(FFO_4), (63,), black='<script>"&\x00', white="x" * 500)
    root, texts = drawn(record, engine)
    assert texts[0].startswith('<script>"&')
    assert texts[0].endswith("…")
    assert not list(root.iter(f"{SVG}script"))
