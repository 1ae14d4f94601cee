"""The service worker: what lets a browser show pages while the server is away. It is `static/offline.js`, filled in.

A browser asks for it now and then, and when it has changed, because a file of the app has, everything is fetched anew.
"""

from __future__ import annotations

import json

from starlette.requests import Request
from starlette.responses import Response

from plyground.web.server.assets import ADDRESS, PLAIN, Assets, Edition, content_of, kind_of
from plyground.web.server.shell import PAGES, read_pages
from plyground.web.server.threads import off_loop

__all__ = ["Offline"]

WORKER, SLOT = "offline.js", '"EDITION"'
LEFT = (".md", ".LICENSE", ".html", "noto-sans-sc.ttf", WORKER)
"""Files that no page needs; and the large font, which few machines need, and which is kept when it is asked for."""
LANGUAGES = ("en", "zh")


class Offline:
    """Answers with the service worker of the files as they are now."""

    def __init__(self, assets: Assets) -> None:
        self._assets = assets
        self._made: tuple[Edition, bytes] | None = None

    async def response(self, request: Request) -> Response:
        """The script, which is made once for an edition."""
        edition = await self._assets.edition()
        if self._made is None or self._made[0] is not edition:
            self._made = edition, await off_loop(make_worker, edition)
        return content_of(self._made[1], kind_of(WORKER)).response(request.headers, PLAIN)


def make_worker(edition: Edition) -> bytes:
    """The script with the addresses of what it keeps."""
    from plyground.course.lesson import lesson_names

    pages = [page for page in read_pages(edition.files[PAGES].read_text("utf-8")) if not page.framed]
    plain = [page.pattern.pattern.removesuffix("/?") or "/" for page in pages if "[^/]+" not in page.pattern.pattern]
    names = ["", *(f"/{name}" for name in lesson_names())]
    facts = {
        "edition": edition.digest,
        "files": [f"{ADDRESS}{edition.digest}/{name}" for name in edition.files if not name.endswith(LEFT)],
        "pages": plain,
        "lessons": ["/api/about", *(f"/api/learn{name}?lang={lang}" for name in names for lang in LANGUAGES)],
    }
    text = edition.files[WORKER].read_text("utf-8")
    return text.replace(SLOT, json.dumps(json.dumps(facts))).encode()
