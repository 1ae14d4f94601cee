"""Who may talk to the server: checked before anything else handles a request.

The Host header must name this server: a page that makes its own name point here (DNS rebinding) is refused. What
changes something, and every socket, must come from a page of this server. Where a join code is needed, everything else
waits until the visitor has given it. Every visitor gets a number of its own, in a cookie, which says whose games are
whose. The limits that must hold are counted by address, because a cookie is what the client says it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import json
import re
import secrets
from collections import Counter
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import quote, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from plyground.web.server.addresses import network_of
from plyground.web.server.settings import Settings

__all__ = ["HEADERS", "PASS_COOKIE", "VISITOR_COOKIE", "Guard", "pass_for", "same_origin"]

VISITOR_COOKIE, PASS_COOKIE = "plyground_visitor", "plyground_pass"
VISITOR = re.compile(r"[A-Za-z0-9_-]{20,40}")
YEAR = 365 * 24 * 3600
LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
OPEN_PATHS = ("/join", "/static/", "/health", "/metrics")
"""What can be seen without the join code."""
ENDING = "the server is ending; try again in a moment"
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; img-src 'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; "
        "frame-ancestors 'none'"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class TooLarge(HTTPException):
    """A body is larger than the limit."""

    def __init__(self, most: int) -> None:
        super().__init__(413, f"a request may have at most {most:,} bytes")


class Guard:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, settings: Settings, responses: Counter[int]) -> None:
        self.app, self.settings, self.responses = app, settings, responses

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._objection(scope, headers)
        cookies = read_cookies(headers.get("cookie", ""))
        visitor = cookies.get(VISITOR_COOKIE, "")
        known = bool(VISITOR.fullmatch(visitor))
        scope["visitor"] = visitor if known else secrets.token_urlsafe(18)
        scope["known"] = known
        scope["address"] = network_of(scope["client"][0] if scope.get("client") else "")
        if refusal is None and not self._may_enter(scope, cookies):
            reading = scope["type"] == "http" and scope["method"] in ("GET", "HEAD")
            page = reading and not scope["path"].startswith("/api/")
            refusal = (303 if page else 401, "give the join code first: open / in this browser")
        if scope["type"] == "websocket":
            if refusal is not None:
                await send({"type": "websocket.close", "code": 1008, "reason": refusal[1]})
                return
            with contextlib.suppress(asyncio.CancelledError):  # the server ends
                await self.app(scope, receive, send)
            return

        async def dressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                self.responses[message["status"] // 100] += 1
                out = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    out.setdefault(name, value)
                # What browsers and proxies keep for good must not say who somebody is.
                if not known and refusal is None and not scope["path"].startswith("/static/"):
                    out.append("set-cookie", cookie(VISITOR_COOKIE, scope["visitor"], YEAR, scope))
            await send(message)

        if refusal is not None:
            await refuse(dressed, *refusal, scope)
            return
        await self._limited(scope, receive, dressed)

    # Checks ------------------------------------------------------------------------------------------------------

    def _objection(self, scope: Scope, headers: Headers) -> tuple[int, str] | None:
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_ours(hosts[0]):
            return 403, "this server does not go by that name; use the address that it has printed"
        if scope["type"] == "http" and scope["method"] in SAFE:
            return None
        origins = headers.getlist("origin")
        if origins and any(not same_origin(origin, hosts[0]) for origin in origins):
            return 403, "this comes from a page of another site"
        if not origins and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return 403, "this comes from a page of another site"
        return None

    def _is_ours(self, host: str) -> bool:
        name = host_name(host)
        if name is None:
            return False
        if name in LOOPBACK or name in self.settings.hosts:
            return True
        return "*" in self.settings.hosts and is_address(name)

    def _may_enter(self, scope: Scope, cookies: dict[str, str]) -> bool:
        code = self.settings.join_code
        if not code or scope["path"].startswith(OPEN_PATHS):
            return True
        given = cookies.get(PASS_COOKIE, "")
        return hmac.compare_digest(given.encode(), pass_for(code, scope["visitor"]).encode())

    async def _limited(self, scope: Scope, receive: Receive, send: Send) -> None:
        most = self.settings.limits.body
        taken, started = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            if message["type"] == "http.request":
                taken += len(message.get("body", b""))
                if taken > most:
                    raise TooLarge(most)
            return message

        async def noticed(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        announced = Headers(scope=scope).get("content-length", "0")
        try:
            if announced.isdecimal() and int(announced[:20]) > most:
                raise TooLarge(most)
            await self.app(scope, counted, noticed)
        except TooLarge as error:
            if not started:
                await refuse(send, error.status_code, error.detail, scope)
        except asyncio.CancelledError:
            # The server ends, and has waited long enough: what is asked for takes longer, which is nobody's fault.
            if not started:
                await refuse(send, 503, ENDING, scope)


def same_origin(origin: str, host: str) -> bool:
    """Whether a page of that origin is one of ours."""
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and parts.netloc.lower() == host.lower() and not parts.path.strip("/")


def host_name(host: str) -> str | None:
    """The name or the address in a Host header, without the port; None if it is neither."""
    try:
        parts = urlsplit(f"//{host}")
        _ = parts.port  # refuses what is not a number
        name = parts.hostname
    except ValueError:
        return None
    return name if name and parts.netloc == host and "@" not in host else None


def is_address(name: str) -> bool:
    """Whether it is a numeric address, which no foreign name can stand for."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def pass_for(code: str, visitor: str) -> str:
    """What a visitor who has given the join code carries from then on."""
    return hmac.new(code.encode(), visitor.encode(), hashlib.sha256).hexdigest()


def read_cookies(header: str) -> dict[str, str]:
    """The cookies of a request; none if they cannot be read."""
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(header).items()}
    except CookieError:
        return {}


def cookie(name: str, value: str, age: int, scope: Scope) -> str:
    """A cookie for pages of this server alone, which no script can read; of an encrypted page, for such pages only."""
    secure = "; Secure" if scope.get("scheme") == "https" else ""
    return f"{name}={value}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"


async def refuse(send: Send, status: int, line: str, scope: Scope) -> None:
    """Answer with one line; whoever must give the join code is led there."""
    body = json.dumps({"error": line, "code": str(status)}).encode()
    headers: list[tuple[bytes, Any]] = [(b"content-type", b"application/json")]
    if status == 303:
        target = scope["path"] + ("?" + scope["query_string"].decode("latin-1") if scope["query_string"] else "")
        headers.append((b"location", b"/join?next=" + quote(target, safe="").encode()))
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
