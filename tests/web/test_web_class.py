"""Players that were named when the server was started, as visitors meet them in a real browser."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from web_browser import Visitor
from web_server import serving

HONEST = """
class AIPlayer:
    def __init__(self, color):
        self.color = color

    def get_move(self, board):
        return next(board.get_legal_actions(self.color))
"""
FAILING = HONEST.replace("return next(board", "raise ValueError('my mistake')\n        return next(board")


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("class")
    (folder / "hand-ins").mkdir()
    (folder / "hand-ins" / "anna.py").write_text(HONEST)
    (folder / "hand-ins" / "张三.py").write_text(HONEST)
    (folder / "me.py").write_text(FAILING)
    own = ("--player", "my first try=course:file=me.py", "--class", "hand-ins")
    with serving(folder, "--port", "0", *own) as server:
        yield server.address


@pytest.fixture
def come(browser: Browser, address: str) -> Iterator[Any]:
    visitors: list[Visitor] = []

    def come(path: str, **options: Any) -> Visitor:
        visitors.append(Visitor(browser, address, **options))
        return visitors[-1].open(path)

    yield come
    for visitor in visitors:
        visitor.leave()


@pytest.mark.parametrize(
    ("locale", "words"), [("en-GB", "Black's program has failed: me.py: "), ("zh-CN", "黑方的程序出错了：me.py: ")]
)
def test_a_named_player_is_an_opponent_and_why_it_failed_is_told(come, locale, words):
    visitor = come("/play?game=reversi", locale=locale)
    page = visitor.page
    page.get_by_label("my first try", exact=True).check()
    visitor.accessible()
    page.locator("input[name^=begins-][value=other]").check(force=True)
    page.locator(".start-bar button").click()
    expect(page.locator(".status-detail")).to_contain_text(words)
    expect(page.locator(".status-detail")).to_contain_text("ValueError: my mistake")
    visitor.accessible()


def test_what_a_silent_program_plays_is_watched(come):
    visitor = come("/watch?game=reversi&mode=live&player=anna")
    expect(visitor.page.locator(".legend")).to_have_text(
        re.compile(r"anna plays \w\d after [\d.]+ s, and says nothing about its search\.")
    )


def test_a_class_tournament_is_held_replayed_and_exported(come, tmp_path: Path):
    visitor = come("/arena")
    page = visitor.page
    form = page.locator(".class-tournament")
    expect(form).to_contain_text("2 of 2")
    visitor.accessible()
    visitor.button("None").click()
    visitor.button("Start the class tournament").click()
    expect(form.get_by_role("alert")).to_have_text("Choose at least two hand-ins.")
    visitor.button("All").click()
    page.get_by_label("Chosen opponents").check(force=True)
    page.get_by_label("Opponent 2", exact=True).fill("my first try")
    visitor.button("Start the class tournament").click()
    expect(page.locator(".badge")).to_have_text("finished")
    names = page.locator(".arena-table .arena-name")
    assert sorted(names.all_inner_texts()) == ["anna", "my first try", "random", "张三"]
    games = page.locator(".arena-games tbody tr")
    expect(games).to_have_count(8)
    expect(page.locator(".arena-games")).to_contain_text("could not go on: me.py: ")
    visitor.accessible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Table as CSV").click()
    download.value.save_as(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["name"]: row["forfeits"] for row in rows}["my first try"] == "4"
    games.first.get_by_role("link").click()
    expect(page.locator(".stepper-count")).to_have_text(re.compile("^0 / "))


def test_the_form_of_the_class_fits_a_telephone_in_chinese_and_the_dark(come):
    visitor = come("/arena", locale="zh-CN", color_scheme="dark", width=390, height=800)
    expect(visitor.page.locator(".class-tournament")).to_contain_text("已选 2 / 2")
    visitor.page.get_by_label("指定的对手").check(force=True)
    expect(visitor.page.get_by_label("对手 1", exact=True)).to_be_visible()
    visitor.fits()
    visitor.accessible()
