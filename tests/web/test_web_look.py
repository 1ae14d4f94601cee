"""How everything looks: light or dark, the boards, and large type for a projector, in a real browser."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from plyground.web.server.app import STATIC

TOKENS = (STATIC / "tokens.css").read_text("utf-8")
BOARDS = ("classic", "wood", "slate", "contrast")
COLOUR = """name => {
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = `var(--${name})`;
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}"""


def luminance(colour: str) -> float:
    parts = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.slow), "dark"])
def test_every_board_can_be_read_also_without_colours(visit: Any, scheme: str) -> None:
    page = visit("/learn", color_scheme=scheme).page
    white = "rgb(255, 255, 255)"
    for board in BOARDS:
        page.evaluate("name => { document.documentElement.dataset.board = name; }", board)
        seen = {name: page.evaluate(COLOUR, name) for name in re.findall(r"--([\w-]+):", TOKENS)}
        assert contrast(seen["felt"], white) >= 4.5, board  # values are written on it
        assert contrast(seen["mark-board"], seen["ink"]) >= 4.5, board
        for ground, first, second in (
            ("mark-board", "mark-first", "mark-second"),
            ("mark-board", "hex-first", "hex-second"),
        ):
            assert contrast(seen[ground], seen[first]) >= 2.9, (board, first)
            assert contrast(seen[ground], seen[second]) >= 2.9, (board, second)
        for pair in (("dark-disc", "light-disc"), ("slot-first", "slot-second")):
            assert contrast(*(seen[name] for name in pair)) >= 2, (board, pair)  # by lightness alone
        assert contrast(seen["felt"], seen["light-disc"]) >= 3, board


def test_a_look_is_chosen_and_stays(visit: Any) -> None:
    visitor = visit("/play?game=reversi")
    page = visitor.page
    visitor.button("Appearance").click()
    dialog = page.get_by_role("dialog", name="Appearance")
    dialog.get_by_role("radio", name="Wood").check()
    dialog.get_by_role("radio", name="Dark").check()
    visitor.accessible()
    felt = page.locator(".summary-board .felt, .tile .felt").first
    wood = felt.evaluate("element => getComputedStyle(element).fill")
    visitor.press("Escape")
    page.reload()
    chosen = page.evaluate("({ ...document.documentElement.dataset })")
    assert (chosen["board"], chosen["theme"]) == ("wood", "dark")
    expect(felt).to_be_visible()
    assert felt.evaluate("element => getComputedStyle(element).fill") == wood
    visitor.button("Appearance").click()
    dialog.get_by_role("radio", name="Felt").check()
    dialog.get_by_role("radio", name="Same as the system").check()
    assert felt.evaluate("element => getComputedStyle(element).fill") == "rgb(35, 120, 79)"


@pytest.mark.parametrize(("width", "height"), [pytest.param(1280, 720, marks=pytest.mark.slow), (1920, 1080)])
def test_large_type_for_a_projector(visit: Any, width: int, height: int) -> None:
    visitor = visit("/watch?step=3", width=width, height=height)
    page = visitor.page
    bar, tree = page.locator(".bar"), page.locator(".replay svg").first
    expect(tree).to_be_visible()
    visitor.press("s")
    expect(bar).to_be_hidden()
    expect(page.locator(".watch-panel")).to_be_hidden()
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") >= 20
    visitor.fits()
    visitor.accessible()
    page.reload()  # as long as the tab is open
    expect(tree).to_be_visible()
    expect(bar).to_be_hidden()
    if width > 1600:
        assert page.locator(".replay .code").evaluate("code => code.scrollWidth <= code.clientWidth")
    visitor.open("/analyze?moves=f5d6c3d3c4&hints=off")  # nothing lies on anything else
    expect(page.locator(".review-moves button")).to_have_count(5)
    moves, more = page.locator(".review-panel").bounding_box(), page.locator(".analyze-more").bounding_box()
    assert moves["y"] + moves["height"] <= more["y"]
    visitor.press("Escape")
    expect(bar).to_be_visible()
    visitor.again().open("/watch")  # another tab is as usual
    expect(visitor.page.locator(".bar")).to_be_visible()
