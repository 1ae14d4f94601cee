"""The page where a visitor of a class gives the join code that stands in the server's terminal."""

from __future__ import annotations

import hmac
import html
import time as clock
from collections import OrderedDict, deque
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from plyground.web.server.guard import PASS_COOKIE, cookie, pass_for
from plyground.web.server.settings import CODE_LETTERS

__all__ = ["WrongCodes", "router"]

router = APIRouter(include_in_schema=False)
MOST_WRONG, MEMORY = 20, 60.0
"""How many wrong codes from one address get the form again in how many seconds."""
MOST_ADDRESSES = 10_000
DAY = 24 * 3600

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Plyground</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/static/tokens.css">
<link rel="stylesheet" href="/static/join.css">
</head>
<body>
<main>
<h1>Plyground</h1>
<form method="post" action="/join">
<input type="hidden" name="next" value="{next}">
<label for="code">Join code <span lang="zh-CN">加入码</span></label>
<input id="code" name="code" value="{code}" autocomplete="off" autocapitalize="characters" spellcheck="false" required
 autofocus maxlength="20"{described}>
<p id="wrong" role="alert">{wrong}</p>
<button>Join <span lang="zh-CN">加入</span></button>
</form>
<p>The code is in the terminal of whoever serves this page. <span lang="zh-CN">加入码显示在服务器的终端里。</span></p>
</main>
</body>
</html>
"""


class WrongCodes:
    """Who has given wrong codes lately. The right one is let in all the same: a whole class may share an address.

    There are a million million codes. What is counted keeps the server from being kept busy, not the code secret.
    """

    def __init__(self) -> None:
        self._times: OrderedDict[str, deque[float]] = OrderedDict()
        self.total = 0

    def add(self, address: str, now: float) -> bool:
        """Count a wrong code; whether there were too many from that address in the last minute."""
        times = self._times.pop(address, None) or deque(maxlen=MOST_WRONG)
        too_many = len(times) == MOST_WRONG and now - times[0] < MEMORY
        times.append(now)
        self._times[address] = times
        if len(self._times) > MOST_ADDRESSES:
            self._times.popitem(last=False)
        self.total += 1
        return too_many


def page(target: str, code: str = "", wrong: str = "", status: int = 200) -> HTMLResponse:
    """The form; `target` is where to go then."""
    described = ' aria-invalid="true" aria-describedby="wrong"' if wrong else ""
    fields = {"next": html.escape(target), "code": html.escape(code), "wrong": html.escape(wrong)}
    return HTMLResponse(PAGE.format(described=described, **fields), status, {"cache-control": "no-store"})


def inside(target: str) -> str:
    """Where to go, if that is on this server."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"


@router.api_route("/join", methods=["GET", "HEAD"], response_class=HTMLResponse)
async def ask(request: Request, next: str = "/", code: str = "") -> Response:
    """The form; a code in the address, as the terminal prints it for the teacher, is filled in."""
    if not request.app.state.settings.join_code:
        return RedirectResponse(inside(next), 303)
    return page(inside(next), code[:20])


@router.post("/join", response_class=HTMLResponse)
async def enter(request: Request) -> Response:
    """Check the code, and let the visitor in."""
    wanted = request.app.state.settings.join_code
    fields = parse_qs((await request.body()).decode(errors="replace"))
    code, target = (fields.get(name, [""])[0] for name in ("code", "next"))
    target = inside(target)
    given = "".join(letter for letter in code.upper() if letter in CODE_LETTERS)
    if wanted and not hmac.compare_digest(given.encode(), wanted.replace("-", "").encode()):
        if request.app.state.wrong_codes.add(request.scope["address"], clock.monotonic()):
            return page(target, "", "Too many wrong codes; wait a minute. / 输错次数太多，请等一分钟。", 429)
        return page(target, code[:20], "This is not the code. / 加入码不正确。", 403)
    response = RedirectResponse(target, 303)
    ticket = cookie(PASS_COOKIE, pass_for(wanted, request.scope["visitor"]), DAY, request.scope)
    response.headers.append("set-cookie", ticket)
    return response
