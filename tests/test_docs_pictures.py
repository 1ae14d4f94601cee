"""The pictures of the documentation: each is on the script's list, shown on a page, said in words, small, on paper."""

import importlib.util
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "docs" / "pictures"
FILES = sorted(FOLDER.glob("*.svg"))
PAGES = [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")]
IMAGE = re.compile(r"!\[([^\]]*)\]\(([^)]+)\)")
SVG = "{http://www.w3.org/2000/svg}"

every_picture = pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)


@pytest.fixture(scope="module")
def script():
    return loaded("make")


def loaded(name):
    spec = importlib.util.spec_from_file_location(f"{name}_pictures", FOLDER / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where its dataclasses look for their names
    spec.loader.exec_module(module)
    return module


def test_every_page_of_the_app_has_its_picture():
    pages = loaded("pages")
    assert pages.unseen_pages() == []
    assert set(pages.LARGE) < set(pages.SCENES)


def test_the_list_is_that_of_the_files(script):
    assert not set(script.PICTURES) & script.RECORDED
    assert set(script.PICTURES) | script.RECORDED == {file.stem for file in FILES}


def test_what_costs_nothing_is_as_the_script_makes_it(script):
    for name in (
        "minimax-endgame",
        "alphabeta-film",
        "alphabeta-film.zh",
        "mcts-growing",
        "mcts-growing.zh",
        "reversi",
    ):
        assert script.PICTURES[name]() == (FOLDER / f"{name}.svg").read_text("utf-8"), name


def test_every_picture_is_shown_and_said_in_words():
    shown = set()
    for page in PAGES:
        for words, address in IMAGE.findall(page.read_text("utf-8")):
            least = 2 if page.name.endswith((".zh.md", ".zh-CN.md")) else 4  # characters
            assert len(words.strip()) >= least, f"{page.name}: {address} has no alt text"
            shown |= {file := (page.parent / address).resolve(), file.with_suffix(".zh.svg")}
    assert shown >= set(FILES)


@every_picture
def test_a_picture_is_small_and_has_a_ground(file):
    assert file.stat().st_size < 60_000
    root = ElementTree.parse(file).getroot()
    assert root.get("role") == "img"
    assert root.get("aria-label")
    ground = next(child for child in root if child.tag not in {f"{SVG}style", f"{SVG}title", f"{SVG}defs"})
    assert ground.tag == f"{SVG}rect"  # which hides whatever colour the page has
    size = [float(length) for length in root.get("viewBox").split()[2:]]
    sides = [ground.get(side).replace("100%", "inf") for side in ("width", "height")]
    assert all(float(side) >= length for side, length in zip(sides, size, strict=True))


@pytest.mark.parametrize("name", ["alphabeta-film", "alphabeta-film.zh", "mcts-growing", "queens-film"])
def test_the_film_stands_still_where_nothing_should_move(name):
    film = (FOLDER / f"{name}.svg").read_text("utf-8")
    style = re.search(r"<style>(.*)</style>", film, re.DOTALL)[1]
    still, moving = style.split("@media (prefers-reduced-motion:no-preference)")
    assert "animation" not in still
    assert "infinite" in moving
    assert "<animate" not in film  # which would move in any case
