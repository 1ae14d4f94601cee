"""The page of queens, as a visitor uses it in a real browser."""

from __future__ import annotations

import re

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


def test_many_queens_are_placed_at_once(visit):
    visitor = visit("/queens", width=360, color_scheme="dark", locale="zh-CN")
    page = visitor.page
    expect(page.locator(".film-picture svg")).to_be_visible()
    page.get_by_label("皇后数").last.fill("3000")
    page.get_by_role("button", name="放置").click()
    expect(page.locator("p[role=status]")).to_contain_text("3,000 个皇后已放好并验证")
    expect(page.locator(".worlds-picture svg")).to_be_visible()
    visitor.fits()
    visitor.accessible()
