"""The app, served until a signal ends it or has it start again.

SIGINT and SIGTERM end it in good order: nothing new is accepted, requests are answered, sockets are told, and what was
played is on the disk anyway. SIGHUP does the same and then starts the program anew, in the same process and with the
same listening socket: whoever connects meanwhile waits a moment and is not turned away.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from plyground.errors import BadOption
from plyground.web.server.app import create_app
from plyground.web.server.connections import Connections, open_files
from plyground.web.server.handing_on import start_again
from plyground.web.server.log import open_log
from plyground.web.server.settings import Settings

__all__ = ["run_server"]

log = logging.getLogger("plyground.web")
LONGEST_MESSAGE = 1 << 20
KEPT_OPEN = 75
"""Seconds that a connection without requests is kept: longer than a person thinks about most moves."""
GOODBYE = 10
"""Seconds that requests in work get at the end."""


def run_server(settings: Settings, listener: socket.socket, on_start: Callable[[], None]) -> None:
    """Serve the app on a socket until a signal ends it; `on_start` is called as soon as it answers."""
    open_log(settings.log)
    files = open_files()
    app = create_app(replace(settings, limits=settings.limits.within(files, settings.workers)))
    config = uvicorn.Config(
        app,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # the app looks at them itself, where it was told to
        backlog=settings.limits.backlog(files),
        ws_max_size=LONGEST_MESSAGE,
        timeout_graceful_shutdown=GOODBYE,
        timeout_keep_alive=KEPT_OPEN,
        lifespan="on",
    )
    app.state.connections.configure(config)
    server = uvicorn.Server(config)
    log.info("serving on port %d", settings.port)
    kept = listener.dup()  # the server closes its own before the last request is answered
    ending = asyncio.run(_serve(server, listener, app.state.connections, on_start))
    if not server.started:
        raise BadOption("the server could not start; what it said stands above")
    log.info("ended, and starts again" if ending == "again" else "ended")
    if ending == "again":
        start_again(kept, settings.join_code)
    kept.close()


async def _serve(
    server: uvicorn.Server, listener: socket.socket, connections: Connections, on_start: Callable[[], None]
) -> str:
    """Serve; how it is to go on: "end" or "again"."""
    loop = asyncio.get_running_loop()
    ending = "end"

    def end(*_: object) -> None:
        server.should_exit = connections.ending = True

    def hang_up() -> None:
        nonlocal ending
        # Of a terminal that is closed comes the same signal: what was started there ends with it.
        ending = "end" if any(map(os.isatty, range(3))) else "again"
        loop.remove_signal_handler(signal.SIGHUP)
        signal.signal(signal.SIGHUP, signal.SIG_IGN)  # another one, until it has started again, would end it
        end()

    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, end)
        except NotImplementedError:  # on Windows
            signal.signal(number, end)
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # not under nohup
        loop.add_signal_handler(signal.SIGHUP, hang_up)
    watching = [asyncio.create_task(connections.watch()), asyncio.create_task(_started(server, on_start))]
    with contextlib.ExitStack() as stack:
        # The server's own handlers would raise the signal again after the end.
        server.capture_signals = lambda: stack  # type: ignore[method-assign,assignment,return-value]
        await server.serve(sockets=[listener])
    for task in watching:
        task.cancel()
    await asyncio.gather(*watching, return_exceptions=True)
    return ending


async def _started(server: uvicorn.Server, on_start: Callable[[], None]) -> None:
    while not server.started:
        await asyncio.sleep(0.01)
    await asyncio.to_thread(on_start)
