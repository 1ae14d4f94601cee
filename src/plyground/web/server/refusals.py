"""What is answered to requests that cannot be served: a status, one clear line as ``{"error": ...}``, and its code.

The line is English; by the ``code`` the pages find a sentence in another language. No line says where anything lies on
the server's disk: of a path only its last part is sent.
"""

from __future__ import annotations

import logging
import re
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException

from plyground.errors import DatabaseError, PlygroundError
from plyground.web.server.shell import Shell, wants_page

__all__ = ["Refusal", "code_of", "install", "line_of", "one_line", "validation_line"]

LONGEST_LINE = 500
STATUS_WORDS = {
    404: "there is nothing at this address",
    405: "this address does not answer that method",
}
FOLDERS = re.compile(r"""(?<![\w.:/\\-])(?:[A-Za-z]:[\\/]|[\\/]|~/)(?:[^\s\\/:'"]+[\\/])+(?=[^\s\\/:'"])""")
"""The folders of an absolute path; not the slashes of an address in the web, or of a board."""
NO_DATABASE = "the games cannot be read or kept at the moment; whoever runs the server finds the reason in its log"
log = logging.getLogger("plyground.web")


class Refusal(Exception):
    """A request is refused with this HTTP status and line; the `code` says which kind of refusal it is."""

    def __init__(self, status: int, line: str, code: str = "") -> None:
        super().__init__(line)
        self.status, self.line, self.code = status, line, code or str(status)


def line_of(error: BaseException) -> str:
    """What an error says, in one line that can be sent; of a database that fails only that, and the rest is logged."""
    if isinstance(error, DatabaseError):
        log.error("%s", error)
        return NO_DATABASE
    return one_line(error.line if isinstance(error, Refusal) else str(error)) or type(error).__name__


def code_of(error: BaseException) -> str:
    """Which kind of error it is: a refusal's own code, or the name of the class in `plyground.errors` that it is."""
    known = (kind.__name__ for kind in type(error).__mro__ if kind.__module__ == PlygroundError.__module__)
    return str(getattr(error, "code", "") or next(known, type(error).__name__))


def one_line(text: str) -> str:
    """The text in one line, not too long, of characters that can be sent, and without folders of this machine."""
    return FOLDERS.sub("", " ".join(text.split())).encode("utf-8", "replace").decode()[:LONGEST_LINE]


def validation_line(errors: Any) -> str:
    """The first of Pydantic's complaints as a line."""
    first = errors[0]
    place = ".".join(str(part) for part in first["loc"] if part not in ("body", "query", "path"))
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "json_invalid":
        return "the request is not JSON"
    return one_line(f"{place[:80]}: {message[:1].lower()}{message[1:]}" if place else message)


def answer(status: int, line: str, code: str = "") -> JSONResponse:
    """The response of a refusal."""
    return JSONResponse({"error": line, "code": code or str(status)}, status)


def install(app: FastAPI, shell: Shell) -> None:
    """Make the app answer every error in this way; people with browsers are shown a page where there is none."""

    @app.exception_handler(Refusal)
    async def refused(request: Request, error: Refusal) -> JSONResponse:
        return answer(error.status, line_of(error), code_of(error))

    @app.exception_handler(PlygroundError)
    async def wrong(request: Request, error: PlygroundError) -> JSONResponse:
        return answer(503 if isinstance(error, DatabaseError) else 422, line_of(error), code_of(error))

    @app.exception_handler(RequestValidationError)
    async def invalid(request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(422, validation_line(error.errors()))

    @app.exception_handler(HTTPException)
    async def other(request: Request, error: HTTPException) -> Response:
        if error.status_code == 404 and wants_page(request):
            return await shell.response(request, 404)
        response = answer(error.status_code, STATUS_WORDS.get(error.status_code, str(error.detail)))
        response.headers.update(error.headers or {})
        return response

    @app.exception_handler(Exception)
    async def broken(request: Request, error: Exception) -> JSONResponse:
        log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        return answer(500, "something went wrong in the server; its terminal says what")
