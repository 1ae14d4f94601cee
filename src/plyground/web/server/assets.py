"""Files for browsers: compressed once, not for every request, and asked for again only when they have changed.

The files that pages are made of have addresses with the digest of all of them, ``/static/DIGEST/app.js``, so a browser
may keep them for good. In the files themselves addresses are written without it, ``/static/dom.js``; it is put in when
they are read. Under their plain addresses they are there too, and browsers ask whether they are still the same. A page
that was loaded before the files changed finds nothing under its digest any more, and has to be loaded anew.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Receive, Scope, Send

from plyground.web.server.threads import off_loop

__all__ = ["Assets", "CompressedFiles"]

ADDRESS = "/static/"
PLAIN, FOREVER = "no-cache", "max-age=31536000, immutable"
TYPES = {".js": "text/javascript", ".json": "application/json", ".svg": "image/svg+xml", ".ttf": "font/ttf",
         ".webmanifest": "application/manifest+json",
         ".woff2": "font/woff2", ".md": "text/plain", ".LICENSE": "text/plain"}  # fmt: skip
SQUEEZED = ("text/", "application/json", "application/manifest+json", "image/svg+xml", "font/ttf", "application/xml")
"""Kinds of files that become smaller; the others are compressed already."""
ADDRESSED = ("text/javascript", "text/css", "text/html")
PAUSE = 1.0
"""Seconds between two looks at whether a file was edited."""
MOST_COMPRESSED = 32_000_000
"""Bytes of compressed pages of the documentation that are kept."""


@dataclass(frozen=True)
class Content:
    """A file as it is sent."""

    body: bytes
    squeezed: bytes | None
    kind: str
    digest: str

    def response(self, headers: Headers, caching: str) -> Response:
        """The answer to a request with these headers."""
        wanted = self.squeezed is not None and takes_gzip(headers.get("accept-encoding", ""))
        tag = f'"{self.digest}{"-gzip" if wanted else ""}"'
        sent = {"etag": tag, "cache-control": caching}
        if self.squeezed is not None:
            sent["vary"] = "accept-encoding"
        if tag in headers.get("if-none-match", ""):
            return Response(status_code=304, headers=sent)
        if wanted:
            sent["content-encoding"] = "gzip"
        charset = "; charset=utf-8" if self.kind.startswith("text/") else ""
        return Response(self.squeezed if wanted else self.body, headers={**sent, "content-type": self.kind + charset})


def takes_gzip(header: str) -> bool:
    """Whether a browser that says so in ``Accept-Encoding`` reads what is compressed."""
    for part in header.lower().split(","):
        name, _, weight = part.partition(";")
        if name.strip() == "gzip":
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def kind_of(name: str) -> str:
    """What kind of file it is, by its name."""
    suffix = Path(name).suffix
    return TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"


def content_of(body: bytes, kind: str) -> Content:
    """The file with its compressed form, if that is worth its while."""
    squeezed = gzip.compress(body, 9, mtime=0) if kind.startswith(SQUEEZED) else None
    return Content(body, squeezed, kind, hashlib.sha256(body).hexdigest()[:20])


@dataclass(frozen=True)
class Edition:
    """All files as they are at one time, by their names below the address; what was asked for is kept as it is sent."""

    digest: str
    files: Mapping[str, Path]
    sent: dict[tuple[str, bool], Content] = field(default_factory=dict)

    def addressed(self, text: str) -> str:
        """A text in which addresses of files have the digest."""
        return text.replace(ADDRESS, f"{ADDRESS}{self.digest}/")

    def content(self, name: str, fixed: bool) -> Content:
        """A file, its addresses with the digest if it is asked for by one itself."""
        if (found := self.sent.get((name, fixed))) is None:
            body, kind = self.files[name].read_bytes(), kind_of(name)
            if fixed and kind in ADDRESSED:
                body = self.addressed(body.decode()).encode()
            found = self.sent[name, fixed] = content_of(body, kind)
        return found


class Assets:
    """What is below ``/static/``: folders by the beginnings of the names of their files, such as "" and "pictures/"."""

    def __init__(self, folders: Mapping[str, Path]) -> None:
        self._folders = folders
        self._seen: tuple[int, int] = (0, 0)
        self._looked = 0.0
        self._edition = self._read()

    async def edition(self) -> Edition:
        """The files as they are now: whoever edits one need not start the server again."""
        if clock.monotonic() - self._looked > PAUSE:
            await off_loop(self._look)
        return self._edition

    def _look(self) -> None:
        self._looked = clock.monotonic()
        if self._stamp(self._files()) != self._seen:
            self._edition = self._read()

    def _files(self) -> dict[str, Path]:
        found = {}
        for start, folder in self._folders.items():
            for file in sorted(folder.rglob("*")):
                if file.is_file():
                    found[start + file.relative_to(folder).as_posix()] = file
        return found

    def _stamp(self, files: Mapping[str, Path]) -> tuple[int, int]:
        return len(files), max((file.stat().st_mtime_ns for file in files.values()), default=0)

    def _read(self) -> Edition:
        files = self._files()
        self._seen = self._stamp(files)
        whole = hashlib.sha256()
        for name, file in files.items():
            whole.update(name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
        return Edition(whole.hexdigest()[:16], files)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file."""
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            raise HTTPException(405)
        edition = self._edition
        name = scope["path"].removeprefix(ADDRESS)
        fixed = name.startswith(f"{edition.digest}/")
        name = name.removeprefix(f"{edition.digest}/")
        if name not in edition.files:
            raise HTTPException(404)
        content = edition.sent.get((name, fixed))
        if content is None:
            content = await off_loop(edition.content, name, fixed)
        response = content.response(Headers(scope=scope), FOREVER if fixed else PLAIN)
        await response(scope, receive, send)


class CompressedFiles(StaticFiles):
    """A folder of files that may change, such as the pages of the documentation: browsers ask each time."""

    def __init__(self, **options: object) -> None:
        super().__init__(**options)  # type: ignore[arg-type]
        self._kept: dict[tuple[str, float, int], Content] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The file in its compressed form, or as it lies in the folder."""
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = PLAIN
        kind, file = response.headers.get("content-type", ""), getattr(response, "path", None)
        if response.status_code != 200 or file is None or not kind.startswith(SQUEEZED):
            return response
        return (await off_loop(self._content, Path(file))).response(Headers(scope=scope), PLAIN)

    def _content(self, file: Path) -> Content:
        facts = file.stat()
        key = str(file), facts.st_mtime, facts.st_size
        if (found := self._kept.get(key)) is None:
            if sum(len(one.squeezed or b"") for one in self._kept.values()) > MOST_COMPRESSED:
                self._kept.clear()
            found = self._kept[key] = content_of(file.read_bytes(), kind_of(file.name))
        return found
