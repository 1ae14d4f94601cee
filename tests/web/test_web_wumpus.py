"""The page of the Wumpus world, as a visitor uses it in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import expect


def test_a_visit_to_the_wumpus_world_shows_what_the_agent_thinks(visit):
    visitor = visit("/wumpus?agent=logical&seed=12")
    page = visitor.page
    facts = page.locator(".film-facts")
    expect(facts).to_contain_text("no breeze at 1,1 → no pit at")
    visitor.press("End")
    expect(page.locator(".film-caption")).to_contain_text("It is out of the cave.")
    expect(facts).to_contain_text("960 after 30 actions")
    page.get_by_label("Agent", exact=True).select_option("probabilistic")
    expect(page.locator(".film-count")).to_have_text(re.compile("^0 / "))
    expect(facts).to_contain_text("It believes")
    visitor.accessible()
    page.get_by_label("Caves", exact=True).fill("20")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("tr[data-agent=probabilistic]")).to_contain_text("±")
    page.set_viewport_size({"width": 360, "height": 700})
    visitor.fits()
