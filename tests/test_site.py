"""The documentation as a site: it builds without a warning, opens from the disk, and asks nobody for anything."""

from __future__ import annotations

import functools
import http.server
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from plyground.course.lesson import lesson_names, read_lesson
from plyground.web.server.guard import HEADERS
from web_browser import AXE

ROOT = Path(__file__).resolve().parent.parent
SAMPLE = [
    "index", "tutorial", "command-line", "api", "bandits", "learn/alphabeta", "zh/index", "zh/tutorial",
    "zh/engine/index", "zh/learn/games",
]  # fmt: skip
"""A page of each kind: the start page, listings, long tables, the reference, pictures, lessons; translated or not."""
FEW = ["index", "learn/alphabeta", "zh/tutorial"]


# The pages as files ----------------------------------------------------------------------------------------------


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built once, with every warning an error; processes that share the tests share it."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        return build(tmp_path_factory.mktemp("site"))
    folder = tmp_path_factory.getbasetemp().parent / "site"
    done = folder.with_name("site.done")
    try:
        folder.mkdir()
    except FileExistsError:
        while not done.exists():
            time.sleep(0.2)
        assert done.read_text() == "", "the site could not be built; another test says why"
        return folder
    done_text = "failed"
    try:
        build(folder)
        done_text = ""
    finally:
        part = done.with_suffix(".part")
        part.write_text(done_text)
        part.replace(done)
    return folder


def build(folder: Path) -> Path:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(folder)]
    environment = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@dataclass
class Parsed(HTMLParser):
    """What a page has: anchors, links, what the browser loads for it, and what the app's policy forbids."""

    file: Path
    anchors: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)
    forbidden: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.file.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        have = {name: value or "" for name, value in attributes}
        self.anchors |= {have[name] for name in ("id", "name") if name in have}
        if tag == "a" and "href" in have:
            self.links.append(have["href"])
        elif tag == "link" and have.get("rel") not in ("prev", "next"):
            self.loaded.append(have["href"])
        elif "src" in have:
            self.loaded.append(have["src"])
        inside = tag == "script" and "src" not in have and have.get("type") != "application/json"
        if inside or tag == "style" or any(name == "style" or name.startswith("on") for name in have):
            self.forbidden.append(self.get_starttag_text() or tag)

    def target(self, link: str) -> Path:
        path = unquote(urlsplit(link).path)
        return (self.file.parent / path).resolve() if path else self.file


@pytest.fixture(scope="session")
def parsed(site: Path) -> dict[Path, Parsed]:
    return {file: Parsed(file) for file in sorted(site.resolve().rglob("*.html"))}


def test_every_link_and_every_anchor_is_there(parsed: dict[Path, Parsed]) -> None:
    missing = []
    for page in parsed.values():
        for link in page.links:
            if re.match(r"https?:", link) or link == "/":  # the app's start, shown where the app serves the page
                continue
            target, anchor = page.target(link), unquote(urlsplit(link).fragment)
            if target not in parsed or (anchor and anchor not in parsed[target].anchors | {"__skip"}):
                missing.append(f"{page.file.name}: {link}")
    assert missing == []


def test_pages_load_nothing_from_elsewhere(parsed: dict[Path, Parsed]) -> None:
    for page in parsed.values():
        assert [source for source in page.loaded if not page.target(source).is_file()] == [], page.file.name
        assert [source for source in page.loaded if ":" in source or source.startswith("/")] == [], page.file.name


def test_pages_have_nothing_that_the_policy_of_the_app_forbids(parsed: dict[Path, Parsed]) -> None:
    assert {page.file.name: page.forbidden for page in parsed.values() if page.forbidden} == {}


@pytest.mark.parametrize("start", ["index.html", "zh/index.html"])
def test_every_page_is_three_clicks_away(site: Path, parsed: dict[Path, Parsed], start: str) -> None:
    folder = (site.resolve() / start).parent
    wanted = {file for file in parsed if file.is_relative_to(folder)}
    if start == "index.html":
        wanted = {file for file in wanted if not file.is_relative_to(folder / "zh")}
    reached = {folder / "index.html"}
    for _ in range(3):
        reached |= {parsed[file].target(link) for file in reached for link in parsed[file].links} & wanted
    assert wanted - reached == set()


def test_each_page_is_there_in_both_languages(site: Path) -> None:
    def names(folder: Path) -> set[str]:
        return {file.relative_to(folder).as_posix() for file in folder.rglob("*.html")}

    chinese = names(site / "zh")
    assert chinese == {name for name in names(site) if not name.startswith("zh/")}


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_lessons_are_pages_with_pictures_and_questions(site: Path, lang: str) -> None:
    folder = site / ("zh" if lang == "zh" else "")
    for name in lesson_names():
        lesson = read_lesson(name, lang)
        text = (folder / "learn" / f"{name}.html").read_text(encoding="utf-8")
        assert not re.search(r"```|markdown=|(figure|quiz|exercise)\n", text), name
        pictures = re.findall(r'<figure[^>]*>\s*<p><img alt="([^"]+)" src="([^"]+)"', text)
        assert [Path(address).name for _, address in pictures] == [f"{name}-{one.key}.svg" for one in lesson.figures]
        assert all((folder / "learn" / address).is_file() for _, address in pictures)
        for one in lesson.figures:
            assert f'data-app="{escape(one.address)}"' in text
        answers = [answer for quiz in lesson.quizzes for answer in quiz.answers]
        said = {"en": ("Wrong.", "Right."), "zh": ("不对。", "对。")}[lang]
        verdicts = re.findall(r"<details>\s*<summary>.*?</summary>\s*<p><strong>(.*?)</strong>", text, re.DOTALL)
        assert verdicts == [said[answer.right] for answer in answers]


def test_the_menu_has_the_lessons_in_the_order_of_the_course(site: Path) -> None:
    for folder in (site, site / "zh"):
        text = (folder / "learn" / "games.html").read_text(encoding="utf-8")
        linked = re.findall(r'href="(\w+)\.html"', text)
        places = [linked.index(name) for name in lesson_names()[1:]]
        assert places == sorted(places)


@pytest.mark.slow
def test_addresses_of_the_app_are_links_where_the_app_serves_the_page(
    browser: Browser, site: Path, tmp_path: Path
) -> None:
    (tmp_path / "docs").symlink_to(site)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(tmp_path))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/docs/learn/minimax.html")
        expect(page.locator("a[data-app]").first).to_have_attribute("href", re.compile(r"^/watch\?tree="))
        page.goto((site / "learn" / "minimax.html").as_uri())
        expect(page.locator("a[data-app]").first).not_to_have_attribute("href", re.compile("."))
        page.close()
        server.shutdown()


def test_comments_are_titles_or_nothing(site: Path) -> None:
    page = (site / "tutorial.html").read_text(encoding="utf-8")
    assert '<span class="filename">chomp.py</span>' in page
    assert not re.search(r"<!-- (file|append|translated)", page)
    assert "translated from" not in (site / "zh" / "tutorial.html").read_text(encoding="utf-8")


def test_chinese_pages_have_the_anchors_of_the_english_ones(site: Path, parsed: dict[Path, Parsed]) -> None:
    anchors = [parsed[(site / folder / "tutorial.html").resolve()].anchors for folder in ("", "zh")]
    assert "write-it-down" in anchors[0]
    assert {name for name in anchors[0] if not name.startswith("__")} <= anchors[1]


def test_chinese_lines_are_joined_without_a_space(site: Path) -> None:
    han = "[\u4e00-\u9fff，。：；、（）]"
    for file in (site / "zh").rglob("*.html"):
        text = re.sub(r"<pre\b.*?</pre>", "", file.read_text(encoding="utf-8"), flags=re.DOTALL)
        assert re.findall(rf"[^>\n]{{0,9}}{han}\n *{han}[^<\n]{{0,9}}", text) == [], file.name


# The pages in a browser ------------------------------------------------------------------------------------------


class Reader:
    """Somebody who reads the pages from the disk: what the browser asks for, and what goes wrong in it."""

    def __init__(self, browser: Browser, **options: Any) -> None:
        self.context = browser.new_context(**{"reduced_motion": "reduce", "color_scheme": "light", **options})
        self.page: Page = self.context.new_page()
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", lambda message: self.problems.append(message.text))

    def search(self, words: str) -> Any:
        """The titles of what is found, as links."""
        self.page.locator(".md-search__input").click()
        self.page.locator(".md-search__input").fill(words)
        self.page.keyboard.press("End")  # what inserts a text at once presses no key
        return self.page.locator(".md-search-result__link")


@pytest.fixture
def read(browser: Browser, site: Path) -> Iterator[Any]:
    """read("alphabeta", color_scheme="dark") opens a page from the disk; each reader is checked when the test ends."""
    readers: list[Reader] = []

    def come(name: str, **options: Any) -> Reader:
        readers.append(Reader(browser, **options))
        readers[-1].page.goto((site / f"{name}.html").as_uri())
        return readers[-1]

    yield come
    ours = (site.as_uri(), "data:", "blob:", "about:")
    for reader in readers:
        reader.page.evaluate("0")
        problems = list(reader.problems)
        reader.context.close()
        assert problems == []
        assert [url for url in reader.requests if not url.startswith(ours)] == []


@pytest.mark.parametrize(
    ("scheme", "width", "names"),
    [
        ("light", 1280, FEW),
        pytest.param("light", 1280, SAMPLE, marks=pytest.mark.slow),
        pytest.param("dark", 390, SAMPLE, marks=pytest.mark.slow),
    ],
)
def test_pages_are_accessible(read: Any, scheme: str, width: int, names: list[str], site: Path) -> None:
    page = read("index", color_scheme=scheme, viewport={"width": width, "height": 800}).page
    for name in names:
        page.goto((site / f"{name}.html").as_uri())
        page.wait_for_function("() => document.documentElement.scrollWidth <= innerWidth")
        page.evaluate(AXE.read_text(encoding="utf-8"))
        # A page from the disk may not read its own style sheets, which axe would load once more.
        found = page.evaluate("axe.run(document, { resultTypes: ['violations'], preload: false })")
        serious = [
            {"page": name, "id": item["id"], "nodes": [node["html"][:160] for node in item["nodes"][:5]]}
            for item in found["violations"]
            if item["impact"] in ("serious", "critical")
        ]
        assert not serious, json.dumps(serious, indent=1)


@pytest.mark.parametrize("lang", ["", "zh/"])
def test_the_bar_fits_a_phone_also_with_the_way_back_to_the_app(read: Any, lang: str) -> None:
    page = read(f"{lang}index", viewport={"width": 320, "height": 700}).page
    page.evaluate("() => { document.querySelector('.site-app').hidden = false; }")
    expect(page.locator(".site-app")).to_be_visible()
    for name in (".site-brand", ".site-theme"):
        box = page.locator(name).bounding_box()
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 320
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_search_from_the_disk(read: Any) -> None:
    reader = read("games/nim")
    found = reader.search("minimax")
    expect(found.first).to_be_visible()
    assert "/zh/" not in " ".join(found.evaluate_all("links => links.map((link) => link.href)"))
    found.first.click()
    expect(reader.page).to_have_url(re.compile(r"/minimax\.html\?h=minimax"))


def test_search_in_chinese_finds_a_word_within_a_sentence(read: Any) -> None:
    reader = read("zh/index")
    expect(reader.search("巧克力").first).to_be_visible()
    reader.search("巧克力").first.click()
    expect(reader.page).to_have_url(re.compile(r"/zh/tutorial\.html"))


@pytest.mark.slow
def test_the_language_changes_and_the_page_stays(read: Any) -> None:
    page = read("games/nim").page
    page.get_by_role("link", name="中文").click()
    expect(page).to_have_url(re.compile(r"/zh/games/nim\.html$"))
    page.get_by_role("link", name="EN", exact=True).click()
    expect(page).to_have_url(re.compile(r"(?<!/zh)/games/nim\.html$"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Nim")


def test_light_or_dark_is_remembered(read: Any) -> None:
    page = read("index").page
    colour = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(colour)
    page.get_by_role("button", name="Light or dark").click()
    dark = page.evaluate(colour)
    page.goto(page.url.replace("index.html", "minimax.html"))
    assert light != dark == page.evaluate(colour)


@pytest.fixture
def served_site(site: Path) -> Iterator[str]:
    """The address of the pages, with the headers that the app sends."""

    class Handler(http.server.SimpleHTTPRequestHandler):
        def end_headers(self) -> None:
            for name, value in HEADERS.items():
                self.send_header(name, value)
            super().end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(site))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
def test_pages_keep_to_the_policy_of_the_app(browser: Browser, served_site: str) -> None:
    reader = Reader(browser)
    for name in SAMPLE:
        reader.page.goto(f"{served_site}/{name}.html")
    expect(reader.search("engine").first).to_be_visible()
    reader.context.close()
    assert reader.problems == []
    assert [url for url in reader.requests if not url.startswith((served_site, "data:"))] == []
