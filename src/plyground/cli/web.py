"""The command ``plyground web``, which is also what ``plyground`` does by itself: serve the app and open it."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import ipaddress
import os
import secrets
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plyground.cli.console import note
from plyground.errors import BadOption
from plyground.native.cache_root import cache_problem
from plyground.web.games.store import open_live
from plyground.web.server.settings import DEFAULT_HOST, DEFAULT_PORT, Settings, default_database

if TYPE_CHECKING:
    import uvicorn

__all__ = ["has_browser", "serve", "web_command"]

PORTS_TRIED = 50
CODE_LETTERS = 8
LONGEST_MESSAGE = 1 << 20
WINDOWS_IN_USE = 10048
KEPT_OPEN = 75
"""Seconds that a connection without requests is kept: longer than a person thinks about most moves."""
GOODBYE = 3
"""Seconds that open connections get at the end."""


def web_command(
    port: Annotated[
        int | None, typer.Option(help=f"Port; without it {DEFAULT_PORT}, or the next that is free.")
    ] = None,
    host: Annotated[
        str, typer.Option(help="Address to listen on; any but this machine's own needs a join code.")
    ] = DEFAULT_HOST,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Do not open a browser.")] = False,
    db: Annotated[Path | None, typer.Option(help="The games database; in your data folder if not given.")] = None,
    game: Annotated[
        list[str] | None,
        typer.Option(help="A game to offer besides the usual ones: a file, or openspiel:NAME; may be repeated."),
    ] = None,
) -> None:
    """Serve the app, and open it in the browser. Ctrl-C ends it.

    Example: plyground web --port 8000 --no-browser
    """
    serve(port, host, browser=not no_browser, database=db, games=game or ())


def serve(
    port: int | None = None,
    host: str = DEFAULT_HOST,
    *,
    browser: bool = True,
    database: Path | None = None,
    games: Sequence[str] = (),
) -> None:
    """Serve the app until Ctrl-C; `games` are specs of games that are there besides the usual ones."""
    if port is not None and not 0 <= port <= 65535:
        raise BadOption(f"--port must be from 0 to 65535, not {port}")
    named = tuple(_found_game(spec) for spec in games)
    listener = _listen(host, port)
    bound = int(listener.getsockname()[1])
    if port is None and bound != DEFAULT_PORT:
        typer.echo(f"port {DEFAULT_PORT} is taken; using {bound}", err=True)
    local = is_loopback(host)
    settings = Settings(
        host=host,
        port=bound,
        database=(database or default_database()).expanduser().absolute(),
        hosts=_names(host),
        join_code="" if local else _new_code(),
        served=named,
    )
    open_live(settings.live_file).close()  # what is wrong with it is said before anything starts
    if problem := cache_problem():
        note(problem)
    address = f"http://{_written(host if not _is_any(host) else _own_address())}:{bound}/"
    typer.echo(f"Plyground: {address}   (Ctrl-C ends it)")
    if settings.join_code:
        code = f"{settings.join_code[:4]}-{settings.join_code[4:]}"
        typer.echo(f"Join code: {code}   (everybody who opens the page is asked for it)")
        address = f"{address}join?code={code}"
    _run(settings, listener, address if browser and has_browser() else None)


def _found_game(spec: str) -> str:
    """The spec with the whole path of its file; what is wrong with the game is said before anything starts."""
    from plyground.games import make_game

    found = str(Path(spec).expanduser().absolute()) if spec.endswith((".py", ".json")) else spec
    make_game(found)
    return found


def _run(settings: Settings, listener: socket.socket, open_at: str | None) -> None:
    import uvicorn

    from plyground.web.server.app import create_app

    config = uvicorn.Config(
        create_app(settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=LONGEST_MESSAGE,
        timeout_graceful_shutdown=GOODBYE,
        timeout_keep_alive=KEPT_OPEN,
        lifespan="on",
    )
    server = uvicorn.Server(config)
    _Opener(server, open_at).start()
    asyncio.run(_until_interrupted(server, listener))
    if not server.started:
        raise BadOption("the server could not start; what it said stands above")


async def _until_interrupted(server: uvicorn.Server, listener: socket.socket) -> None:
    """Serve; Ctrl-C and the usual signals end it in good order, and are not failures."""
    loop = asyncio.get_running_loop()

    def end(*_: object) -> None:
        server.should_exit = True

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, end)
        except NotImplementedError:  # on Windows
            signal.signal(number, end)
    with contextlib.ExitStack() as stack:
        # The server's own handlers would raise the signal again after the end.
        server.capture_signals = lambda: stack  # type: ignore[method-assign,assignment,return-value]
        await server.serve(sockets=[listener])


class _Opener(threading.Thread):
    """Opens the page as soon as it can be seen."""

    def __init__(self, server: uvicorn.Server, address: str | None) -> None:
        super().__init__(daemon=True)
        self._server, self._address = server, address

    def run(self) -> None:
        if self._address is None:
            return
        import time

        while not self._server.started and not self._server.should_exit:
            time.sleep(0.01)
        with contextlib.suppress(webbrowser.Error):
            webbrowser.open(self._address)


# Addresses --------------------------------------------------------------------------------------------------------


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens: at the port, or without one at the usual one or the next that is free."""
    if port is not None:
        return _bound(host, port)
    for tried in range(DEFAULT_PORT, DEFAULT_PORT + PORTS_TRIED):
        with contextlib.suppress(_Taken):
            return _bound(host, tried)
    return _bound(host, 0)


class _Taken(BadOption):
    """Another program listens there."""


def _bound(host: str, port: int) -> socket.socket:
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
    except (OSError, UnicodeError):
        raise BadOption(f"--host: '{host}' is not an address of this machine; write 0.0.0.0 for all of them") from None
    listener = socket.socket(family, kind, protocol)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(1024)
    except OSError as error:
        listener.close()
        if error.errno in (errno.EADDRINUSE, WINDOWS_IN_USE):
            raise _Taken(f"port {port} is taken by another program; give another one with --port") from None
        raise BadOption(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None
    return listener


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_any(host: str) -> bool:
    return host in ("0.0.0.0", "::", "")


def _names(host: str) -> frozenset[str]:
    """What the Host header may say besides the names of the loopback."""
    if is_loopback(host):
        return frozenset({host.lower()})
    own = socket.gethostname().lower()
    names = {own, f"{own}.local", socket.getfqdn().lower()}
    return frozenset({*names, "*"} if _is_any(host) else {*names, host.lower()})


def _own_address() -> str:
    """The address at which others on the network find this machine, as far as it knows; nothing is sent."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))
        return str(probe.getsockname()[0])
    return DEFAULT_HOST


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _new_code() -> str:
    from plyground.web.server.join import LETTERS

    return "".join(secrets.choice(LETTERS) for _ in range(CODE_LETTERS))


def has_browser() -> bool:
    """Whether a browser can be opened where somebody sees it."""
    if sys.platform in ("win32", "darwin"):
        return True
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        found: Any = webbrowser.get()
    except webbrowser.Error:
        return False
    return found is not None
