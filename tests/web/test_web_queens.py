"""The page of queens, as a visitor uses it in a real browser."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from playwright.sync_api import expect


def test_queens_are_watched_step_by_step(visit):
    visitor = visit("/queens?n=6&seed=3&start=random")
    page = visitor.page
    caption, count = page.locator(".film-caption"), page.locator(".film-count")
    expect(caption).to_contain_text("of 6 queens are under attack")
    visitor.press("ArrowRight")
    expect(caption).to_contain_text("The queen of column")
    visitor.press("End")
    expect(caption).to_contain_text("solved after")
    visitor.accessible()
    page.get_by_label("Queens").first.fill("5")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(caption).to_contain_text("of 5 queens")
    expect(count).to_have_text(re.compile("^0 / "))
    assert "n=5" in page.url


def test_a_strip_asks_first_by_keyboard_alone_and_learn_keeps_the_count(visit):
    visitor = visit("/queens?n=6&seed=3&start=random", width=360)
    page = visitor.page
    page.get_by_role("button", name="guess first").focus()
    visitor.press("Enter", "ArrowRight")
    question = page.locator(".guess-question")
    expect(question).to_contain_text("Where does it go?")
    visitor.accessible()
    visitor.fits()
    visitor.press("1")
    expect(page.locator(".guess-said")).to_have_text(
        re.compile(r"(Right\.|Not so\. Right would be: .*\.) [01] of 1 right so far\.")
    )
    expect(page.locator(".film-caption")).to_contain_text("The queen of column")
    page.goto(urljoin(page.url, "/learn"))
    expect(page.get_by_text(re.compile("guessed in films: [01] of 1 right"))).to_be_visible()


def test_many_queens_are_placed_at_once(visit):
    visitor = visit("/queens", width=360, color_scheme="dark", locale="zh-CN")
    page = visitor.page
    expect(page.locator(".film-picture svg")).to_be_visible()
    page.get_by_label("皇后数").last.fill("3000")
    page.get_by_role("button", name="放置").click()
    expect(page.locator("p[role=status]:not(.guess-said)")).to_contain_text("3,000 个皇后已放好并验证")
    expect(page.locator(".worlds-picture svg")).to_be_visible()
    visitor.fits()
    visitor.accessible()


def test_queens_by_hand_with_the_keyboard_alone(visit):
    visitor = visit("/queens?mode=hand&n=4")
    page = visitor.page
    said, squares = page.locator(".queens-status"), page.locator(".square-cell")
    expect(squares).to_have_count(16)
    visitor.press("b", "Enter", "ArrowRight", "ArrowDown", "Enter")  # two queens on a diagonal
    expect(said).to_have_text("2 of 4 queens placed, 2 under attack.")
    expect(squares.nth(5)).to_have_attribute("aria-label", "row 2, column 2, a queen under attack by 1")
    expect(page.locator(".queens-line")).to_have_count(1)
    visitor.press("c")
    expect(page.locator(".queens-count")).to_have_count(14)
    expect(squares.nth(2).locator(".queens-count")).to_have_text("2")  # row 1, column 3
    visitor.press("h")
    expect(page.get_by_text("Column 3 has no queen yet. The greedy start")).to_be_visible()
    expect(page.locator(".queens-came")).to_have_count(1)
    visitor.accessible()
    visitor.press("u", "u")
    expect(said).to_have_text("0 of 4 queens placed, 0 under attack.")
    visitor.press("b", "Home", "PageUp", "ArrowDown", "Enter", "ArrowRight", "PageDown", "Enter")
    visitor.press("ArrowRight", "PageUp", "Enter", "ArrowRight", "ArrowDown", "Enter")
    expect(said).to_contain_text("4 under attack")  # the last one stands a row too high
    expect(page).to_have_url(re.compile("rows=bdab&moves=4"))
    page.reload()
    expect(said).to_contain_text("4 of 4 queens placed")
    visitor.press("h")
    expect(page.get_by_text(re.compile("Min-conflicts draws one of them, here"))).to_be_visible()
    visitor.press("f")
    expect(page.locator(".film-caption")).to_contain_text("The start: 4 of 4 queens are under attack")
    visitor.press("b", "End", "PageUp", "ArrowDown", "ArrowDown", "Enter")
    expect(said).to_have_text("Solved: 4 queens, none attacks another, after 5 moves.")
    expect(visitor.button("Hint")).to_be_disabled()


def test_queens_by_hand_on_a_phone(visit):
    visitor = visit("/queens", width=390, color_scheme="dark", locale="zh-CN", has_touch=True)
    page = visitor.page
    page.get_by_role("radio", name="亲手放").check()
    squares = page.locator(".square-cell")
    squares.nth(8).tap()
    expect(squares.nth(8)).to_have_attribute("aria-label", "第 2 行第 1 列，皇后")
    squares.nth(16).tap()
    expect(squares.nth(16)).to_have_attribute("aria-label", "第 3 行第 1 列，皇后")
    squares.nth(16).tap()
    expect(page.locator(".queens-status")).to_have_text("已放 0 / 8 个皇后，0 个受攻击。")
    page.get_by_role("button", name="让它从这里走完").tap()
    expect(page.locator(".film-caption")).to_contain_text("开局：8 个皇后中")
    visitor.fits()
    visitor.accessible()
