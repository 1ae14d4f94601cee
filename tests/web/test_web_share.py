"""What visitors take away and put elsewhere: pictures and films of games and searches, in a real browser."""

from __future__ import annotations

import base64
import re
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Page, expect

DECODED = """async (data) => {
  const bytes = Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data: bytes, type: "image/gif" });
  await decoder.tracks.ready;
  await decoder.completed;
  const frames = [];
  for (let frameIndex = 0; frameIndex < decoder.tracks.selectedTrack.frameCount; frameIndex++) {
    const { image } = await decoder.decode({ frameIndex });
    const seconds = image.duration / 1e6;
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
    const counts = {};
    for (let i = 0; i < data.length; i += 4) {
      const name = [data[i], data[i + 1], data[i + 2]].map((part) => part.toString(16).padStart(2, "0")).join("");
      counts[name] = (counts[name] ?? 0) + 1;
    }
    image.close();
    frames.push({ seconds, counts, size: [canvas.width, canvas.height] });
  }
  return frames;
}"""
"""The pictures of a GIF, as the browser's own decoder reads them."""
PLAYED = """async () => {
  const headers = { "Content-Type": "application/json" };
  const post = async (address, body) => {
    const answer = await fetch(address, { method: "POST", headers, body: JSON.stringify(body) });
    return answer.json();
  };
  const { id } = await post("/api/games", { game: "tictactoe", players: ["human", "human"] });
  for (const [at, action] of [0, 3, 1, 4, 2].entries()) await post(`/api/games/${id}/move`, { action, at });
  return id;
}"""
"""A game that has been played to its end."""


def saved(page: Page, what: str) -> tuple[str, bytes]:
    with page.expect_download() as download:
        page.locator(f"[data-share={what}]").first.click()
    path = download.value.path()
    return download.value.suggested_filename, path.read_bytes()


def frames(page: Page, data: bytes) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(DECODED, base64.b64encode(data).decode())
    return found


@pytest.mark.slow
def test_a_game_is_saved_as_a_film(visit):
    visitor = visit("/analyze?game=reversi&moves=f5d6c3d3c4")
    name, data = saved(visitor.page, "gif")
    assert name == "Reversi.gif"
    pictures = frames(visitor.page, data)
    assert len(pictures) == 6
    assert [picture["seconds"] for picture in pictures] == [0.8] * 5 + [3.0]
    ((felt, most),) = sorted(pictures[0]["counts"].items(), key=lambda pair: -pair[1])[:1]
    assert most > 420 * 420 / 2
    # The board is seen in every picture, and a disc more in each.
    covered = [picture["counts"][felt] for picture in pictures]
    assert all(picture["size"] == pictures[0]["size"] for picture in pictures)
    assert covered == sorted(covered, reverse=True)
    assert covered[-1] < covered[0]


def test_a_tree_and_a_film_of_a_search_are_saved(visit):
    page = visit("/watch", color_scheme="dark").page
    expect(page.locator(".replay [data-node]").first).to_be_attached()
    page.keyboard.press("End")
    expect(page.locator(".strike:not(.legend *)")).to_have_count(2)
    name, data = saved(page, "svg")
    assert name == "The-worked-tree-alphabeta.svg"
    picture = ElementTree.fromstring(data)
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"The worked tree: alphabeta", "A", "3", "12", "8", "v ≤ α (2 ≤ 3)"} <= set(texts)
    every = list(picture.iter())
    assert not [element for element in every if element.get("class") or element.get("style") or element.get("tabindex")]
    rule, *_ = [element for element in every if element.get("stroke")]
    assert rule.get("stroke", "").startswith("#")
    assert every[1].get("fill") == "#ffffff"  # paper is white in the dark too
    _, film = saved(page, "film")
    pictures = frames(page, film)
    assert len(pictures) == 27
    assert [picture["seconds"] for picture in pictures[-2:]] == [1.2, 3.0]
    assert pictures[0]["counts"]["ffffff"] > pictures[-1]["counts"]["ffffff"]
    expect(page.locator(".paper-copy")).to_have_count(0)


@pytest.mark.slow
def test_a_finished_game_offers_its_film_at_its_table_and_in_the_arena(visit):
    visitor = visit("/")
    page = visitor.page
    visitor.open(f"/play/{page.evaluate(PLAYED)}")
    expect(page.locator("[data-share=gif]")).to_be_visible()
    name, data = saved(page, "gif")
    assert name.startswith("Tic-tac-toe-")
    assert len(frames(page, data)) == 6
    game = page.evaluate("fetch('/api/database/games?limit=1').then((answer) => answer.json())")[0]
    visitor.open(f"/arena/games/{quote(game['key'], safe='')}")
    assert len(frames(page, saved(page, "gif")[1])) == 6


def test_a_live_search_can_be_rewound_while_it_goes_on(visit):
    visitor = visit("/watch?source=game&game=connect4&mode=live&player=mcts:time=3")
    page = visitor.page
    slider, now = page.locator(".rewind input"), page.locator(".rewind button")
    expect(slider).to_be_visible()
    expect(now).to_be_disabled()
    expect(slider).to_have_attribute("max", re.compile(r"^([3-9]|\d\d+)$"))
    newest = page.locator(".tree").get_attribute("aria-label")
    slider.fill("0")
    expect(page.locator(".rewind output")).to_contain_text("1")
    assert page.locator(".tree").get_attribute("aria-label") != newest
    before = page.locator(".tree").get_attribute("aria-label")
    expect(page.locator(".watch-status")).to_be_empty()  # the search has come to its end
    assert page.locator(".tree").get_attribute("aria-label") == before  # and nobody was torn away
    now.click()
    expect(now).to_be_disabled()
    expect(slider).to_be_focused()
    assert page.locator(".tree").get_attribute("aria-label") != before
    visitor.accessible()


def test_the_views_for_other_sites_have_no_bar_and_look_and_speak_as_the_address_says(visit):
    visitor = visit("/embed/game?game=connect4&moves=4 4 3&theme=dark&lang=zh", width=420, height=520)
    page = visitor.page
    expect(page.locator(".embed-title")).to_have_text("四子棋")
    expect(page.locator(".stepper-count")).to_have_text("3 / 3")
    expect(page.locator(".bar")).to_be_hidden()
    assert page.locator("html").get_attribute("data-theme") == "dark"
    page.get_by_role("button", name="后退").click()
    expect(page.locator(".stepper-count")).to_have_text("2 / 3")
    expect(page.get_by_role("link")).to_have_attribute("target", "_blank")
    visitor.fits()
    visitor.accessible()
    visitor.open("/embed/film?step=last&lang=en&theme=light")
    expect(page.locator(".strike:not(.legend *)")).to_have_count(2)
    expect(page.locator(".embed-title")).to_have_text("The worked tree: alphabeta")
    expect(page.locator(".watch-panel")).to_be_hidden()
    expect(page.get_by_role("link")).to_have_attribute("href", re.compile(r"^/watch\?(?!.*(theme|lang)=).*step=last"))
    assert page.evaluate("localStorage.length") == 0  # nothing of it is kept for the app itself
    visitor.fits()


def test_only_the_views_for_it_may_be_framed(served):
    def ancestors(path: str) -> str:
        request = Request(served + path, headers={"accept": "text/html"})
        try:
            with urlopen(request) as answer:
                policy = answer.headers["content-security-policy"]
        except HTTPError as error:
            policy = error.headers["content-security-policy"]
        return re.search("frame-ancestors ([^;]*)", policy)[1]

    assert ancestors("/embed/game") == ancestors("/embed/film?step=3") == "*"
    others = ("/", "/play", "/watch", "/analyze", "/embed", "/embed/other", "/embed/game/x", "/docs/", "/api/about")
    for path in others:
        assert ancestors(path) == "'none'", path


def test_what_shows_it_elsewhere_can_be_copied(visit):
    visitor = visit("/analyze?game=reversi&moves=f5d6", permissions=["clipboard-read", "clipboard-write"])
    visitor.page.locator("[data-share=embed]").click()
    text = visitor.page.evaluate("navigator.clipboard.readText()")
    assert re.fullmatch(
        r'<iframe src="http://127\.0\.0\.1:\d+/embed/game\?game=reversi&amp;moves=f5\+d6&amp;lang=en" '
        r'title="Reversi" width="480" height="560"></iframe>',
        text,
    ), text


def test_paper_has_what_is_read_and_nothing_that_is_pressed(visit):
    visitor = visit("/watch?step=last", color_scheme="dark")
    page = visitor.page
    expect(page.locator(".strike:not(.legend *)")).to_have_count(2)
    page.emulate_media(media="print")
    for gone in (".bar", ".watch-panel", ".replay .controls", ".replay .zoom", ".replay .steps", ".button"):
        for one in page.locator(gone).all():
            expect(one).to_be_hidden()
    expect(page.locator(".caption")).to_be_visible()
    expect(page.locator(".tree")).to_be_visible()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.querySelector('.caption')).color") == "rgb(0, 0, 0)"
    page.emulate_media(media="screen")
    visitor.open("/analyze?game=reversi&moves=f5d6")
    expect(page.locator(".board")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator(".board")).to_be_visible()
    expect(page.get_by_text("f5", exact=True).first).to_be_visible()
    expect(page.locator("[data-export]").first).to_be_hidden()
    expect(page.locator(".stepper")).to_be_hidden()
