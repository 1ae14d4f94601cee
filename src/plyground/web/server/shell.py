"""The page that all pages are: ``static/index.html``, filled in for the page that is asked for.

What it says before any script has come is in the HTML itself, in both languages, with the few rules of style that it
takes and the script that knows the visitor's theme and language. The modules and style sheets of the page are named in
it too, so that a slow network fetches all of them at once. What a page is made of is read from ``static/pages.js``.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import Response

from plyground.web.server.assets import ADDRESS, PLAIN, Assets, Content, Edition, content_of
from plyground.web.server.guard import HEADERS

__all__ = ["Shell", "imports_of", "wants_page"]

INDEX, PAGES, ENTRY = "index.html", "pages.js", "app.js"
HOME = "page.home"
LANGUAGES = {"en": "en", "zh": "zh-Hans"}
PAGE = re.compile(r'\{ path: "([^"]+)", title: "([^"]+)"[^\n]*? module: "([^"]+)"([^\n]*)')
STYLE = re.compile(r'style: (\[[^\]]*\]|"[^"]*")')
SUBJECT = re.compile(r'^  subject\("(\w+)", "\w+"([^)]*)\)', re.M)
QUOTED = re.compile(r'"([^"]*)"')
IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "([^"]+)";', re.M)
SHEET, SCRIPT = '<link rel="stylesheet" href="/static/{}">', '<script src="/static/{}"></script>'
FIRST = {"first.css": ("style", SHEET), "theme.js": ("script", SCRIPT)}
"""Files that stand in the page itself: without them nothing is painted, and each would be one more way to and fro."""
SLOTS = ("<!-- title -->", "<!-- styles -->", "<!-- modules -->", "<!-- first words -->")


@dataclass(frozen=True)
class Page:
    """What is known of a page: the pattern of its address, its word in the dictionary, and its files."""

    pattern: re.Pattern[str]
    title: str
    module: str
    styles: tuple[str, ...]
    framed: bool = False
    """Whether pages of other sites may show it in a frame."""


def read_pages(text: str) -> list[Page]:
    """The pages that ``pages.js`` lists."""
    found = []
    for path, title, module, rest in PAGE.findall(text):
        styles = STYLE.search(rest)
        sheets = tuple(QUOTED.findall(styles[1])) if styles else ()
        found.append(Page(pattern_of(path), title, module, sheets, "framed: true" in rest))
    for name, styles in SUBJECT.findall(text):
        sheets = tuple(f"{ADDRESS}{style}.css" for style in QUOTED.findall(styles))
        found.append(Page(pattern_of(f"/{name}"), f"page.{name}", f"{ADDRESS}lab/{name}.js", sheets))
    return found


def pattern_of(path: str) -> re.Pattern[str]:
    """Which addresses a path such as ``/play/:id`` stands for."""
    return re.compile(re.sub(r"/:\w+", "/[^/]+", path).rstrip("/") + "/?")


def imports_of(edition: Edition, module: str) -> list[str]:
    """The addresses of all modules that a module needs before it runs, itself first; not what it imports later on."""
    found = [module]
    for address in found:
        name = address.removeprefix(ADDRESS)
        if name not in edition.files:
            continue
        for wanted in IMPORT.findall(edition.files[name].read_text("utf-8")):
            whole = f"{address.rpartition('/')[0]}/{wanted[2:]}" if wanted.startswith("./") else wanted
            if whole not in found:
                found.append(whole)
    return found


def wants_page(request: Request) -> bool:
    """Whether it is a person with a browser who asks for an address: a page, not a file or something for programs."""
    path = request.url.path
    if request.method not in ("GET", "HEAD") or path.startswith(("/api/", "/ws/", ADDRESS)):
        return False
    return "." not in path.rpartition("/")[2] and "text/html" in request.headers.get("accept", "")


class Shell:
    """Answers with the page; each is made once."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._edition: Edition | None = None
        self._pages: list[Page] = []
        self._made: dict[Page | None, tuple[Content, str]] = {}

    async def response(self, request: Request, status: int = 200) -> Response:
        """The page of an address; with a status of 404 the one that says that there is none."""
        edition = await self._assets.edition()
        if edition is not self._edition:
            self._edition, self._made = edition, {}
            self._pages = read_pages(edition.files[PAGES].read_text("utf-8"))
        path = request.url.path
        page = next((one for one in self._pages if one.pattern.fullmatch(path)), None) if status == 200 else None
        if page not in self._made:
            self._made[page] = make_page(edition, page)
        content, policy = self._made[page]
        response = content.response(request.headers, PLAIN)
        response.headers["content-security-policy"] = policy
        if status != 200:
            response.status_code = status
        return response


def make_page(edition: Edition, page: Page | None) -> tuple[Content, str]:
    """The page as it is sent, and the policy that lets what stands in it work."""
    text = edition.files[INDEX].read_text("utf-8")
    modules = imports_of(edition, f"{ADDRESS}{ENTRY}")
    styles: tuple[str, ...] = ()
    if page is not None:
        modules += [module for module in imports_of(edition, page.module) if module not in modules]
        styles = page.styles
    title, words = first_words(edition, page)
    parts = (
        f"{html.escape(title)} · Plyground" if title else "Plyground",
        "".join(f'<link rel="stylesheet" href="{address}">\n' for address in styles),
        "".join(f'<link rel="modulepreload" href="{address}">\n' for address in modules),
        words,
    )
    for slot, part in zip(SLOTS, parts, strict=True):
        text = text.replace(slot, part)
    text, policy = edition.addressed(text), [HEADERS["content-security-policy"]]
    if page is not None and page.framed:
        policy = [policy[0].replace("frame-ancestors 'none'", "frame-ancestors *")]
    for name, (element, reference) in FIRST.items():
        inside = edition.addressed(edition.files[name].read_text("utf-8"))
        text = text.replace(edition.addressed(reference.format(name)), f"<{element}>{inside}</{element}>")
        digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
        policy.append(f"{element}-src 'self' 'sha256-{digest}'")
    return content_of(text.encode(), "text/html"), "; ".join(policy)


def first_words(edition: Edition, page: Page | None) -> tuple[str, str]:
    """The English title of a page, and what is read on it until its modules have come."""
    title = "missing.title" if page is None else page.title
    keys = ["missing.title", "missing.text"] if page is None else [title, f"{title}.about"]
    if title == HOME:
        keys = ["home.title", "home.lead"]
    texts = {}
    for name, lang in LANGUAGES.items():
        dictionary = edition.files[f"i18n/{name}.js"].read_text("utf-8")
        for key in (*keys, "first.wait"):
            found = re.search(rf'^  "{re.escape(key)}": ("(?:[^"\\]|\\.)*"),$', dictionary, re.M)
            texts[key, lang] = json.loads(found[1]) if found else ""

    def both(key: str) -> str:
        return "".join(f'<span lang="{lang}">{html.escape(texts[key, lang])}</span>' for lang in LANGUAGES.values())

    heading, lead = keys
    wait = "" if page is None else f'<p class="muted">{both("first.wait")}</p>'
    words = f'<header><h1>{both(heading)}</h1><p class="lead">{both(lead)}</p></header>{wait}'
    return "" if title == HOME else texts[heading, "en"], f'<div class="page first">{words}</div>'
