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
    ("locale", "words"),
    [
        pytest.param("en-GB", "Black's program failed: me.py: ", marks=pytest.mark.slow),
        ("zh-CN", "黑方的程序出错了：me.py: "),
    ],
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
    expect(page.get_by_role("checkbox", name="Sprout")).to_be_checked()
    page.get_by_role("checkbox", name="Sprout").uncheck()
    page.get_by_role("checkbox", name="my first try").last.check()
    visitor.button("Start the class tournament").click()
    expect(page.locator(".badge")).to_have_text("finished")
    names = page.locator(".arena-table .arena-name > span")
    assert sorted(names.all_inner_texts()) == ["Dice", "anna", "my first try", "张三"]
    games = page.locator(".arena-games tbody tr")
    expect(games).to_have_count(8)
    expect(page.locator(".arena-games")).to_contain_text("could not go on: me.py: ")
    visitor.accessible()
    with page.expect_download() as download:
        page.get_by_role("link", name="Table as CSV", exact=True).click()
    download.value.save_as(tmp_path / "table.csv")
    with (tmp_path / "table.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["name"]: row["forfeits"] for row in rows}["my first try"] == "4"
    games.first.get_by_role("link").click()
    expect(page.locator(".stepper-count")).to_have_text(re.compile("^0 / "))


@pytest.mark.slow
def test_a_room_is_projected_followed_and_there_again_after_a_restart(browser: Browser, tmp_path: Path):
    (tmp_path / "hand-ins").mkdir()
    for name in ("anna", "ben"):
        (tmp_path / "hand-ins" / f"{name}.py").write_text(HONEST)
    with serving(tmp_path, "--port", "0", "--class", "hand-ins") as server:
        port = server.address.rpartition(":")[2]
        teacher = Visitor(browser, server.address, width=1920, height=1080)
        page = teacher.open("/arena").page
        teacher.button("Start the class tournament").click()
        expect(page.locator(".badge")).to_have_text("finished")
        teacher.button("Open a room to project").click()
        page.wait_for_url(re.compile(r"/arena/room/\w{6}$"))
        expect(page.locator(".room-won")).to_contain_text(re.compile(r"\d points?$"))
        expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()
        expect(page.locator(".room-address")).to_contain_text(page.url.partition("//")[2])
        teacher.accessible()
        # A student, at another machine: a server in front says so.
        path = page.url.removeprefix(server.address)
        away = {"extra_http_headers": {"X-Forwarded-For": "10.0.0.7"}}
        student = Visitor(browser, server.address, width=390, height=800, locale="zh-CN", color_scheme="dark", **away)
        phone = student.open(path).page
        expect(phone.locator(".crosstable a")).to_have_count(2)
        expect(phone.locator(".room-tools")).not_to_contain_text("再来一场")
        student.fits()
        student.accessible()
        # The teacher chooses who plays next, and the phone follows.
        page.get_by_role("link", name="Choose players").click()
        expect(page.locator(".note")).to_contain_text(path.rpartition("/")[2])
        page.get_by_label("Chosen opponents").check(force=True)
        page.locator(".class-tournament").get_by_label("Games of each pair").fill("400")
        teacher.button("Start the class tournament").click()
        page.wait_for_url(f"**{path}")
        for seen in (page, phone):
            expect(seen.locator(".arena-board .miniature")).to_be_visible()
            expect(seen.locator(".room-next li").first).to_contain_text("–")
            expect(seen.locator(".crosstable a").first).to_be_visible()
        expect(phone.locator(".room-tools button", has_text="停止")).to_have_count(0)
        teacher.accessible()
        student.accessible()
        teacher.button("Stop").click()
        expect(phone.locator(".badge")).to_have_text("已停止")
        expect(teacher.button("Once more")).to_be_visible()
        server.stop()
        with serving(tmp_path, "--port", port, "--class", "hand-ins"):
            page.reload()
            phone.reload()
            expect(phone.locator(".badge")).to_have_text("已停止")
            expect(phone.locator(".crosstable a").first).to_be_visible()
            teacher.button("Go on").click()
            for seen in (page, phone):
                expect(seen.locator(".arena-board .miniature")).to_be_visible()
            teacher.button("Stop").click()
            expect(phone.locator(".badge")).to_have_text("已停止")
            phone.goto(f"{server.address}/arena/room/NOROOM")
            expect(phone.get_by_role("heading", level=1)).to_have_text("没有这个房间")
            for one in (teacher, student):
                one.problems.clear()  # the browser reports that the server was away, and that there is no such room
                one.leave()


@pytest.mark.slow
def test_the_form_of_the_class_fits_a_telephone_in_chinese_and_the_dark(come):
    visitor = come("/arena", locale="zh-CN", color_scheme="dark", width=390, height=800)
    expect(visitor.page.locator(".class-tournament")).to_contain_text("已选 2 / 2")
    visitor.page.get_by_label("指定的对手").check(force=True)
    expect(visitor.page.get_by_role("checkbox", name="骰子").first).to_be_checked()
    visitor.fits()
    visitor.accessible()
