"""The command ``plyground web``, which is also what ``plyground`` does by itself: serve the app and open it."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import socket
import sys
import webbrowser
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from plyground.cli.cage_option import CageOption, chosen_cage, say_what_is_missing
from plyground.cli.console import note
from plyground.errors import BadOption
from plyground.native.cache_root import cache_problem
from plyground.web.games.damaged import set_aside
from plyground.web.server.addresses import Proxies, is_loopback
from plyground.web.server.handing_on import JOIN_CODE, inherited_socket
from plyground.web.server.settings import CODE_LETTERS, DEFAULT_HOST, DEFAULT_PORT, Settings, default_database

__all__ = ["has_browser", "serve", "web_command"]

PORTS_TRIED = 50
CODE_LENGTH = 8
WINDOWS_IN_USE = 10048


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
    player: Annotated[
        list[str] | None,
        typer.Option(
            help="A player to offer besides the usual ones, NAME=PLAYER, such as me=course:file=student.py; "
            "may be repeated."
        ),
    ] = None,
    class_folder: Annotated[
        Path | None,
        typer.Option("--class", help="A folder of hand-ins: each file or folder in it is a player, named as it is."),
    ] = None,
    cage: CageOption = "plain",
    workshop: Annotated[
        bool,
        typer.Option("--workshop", help="A page to write games on, which run in the cage; for this machine alone."),
    ] = False,
    name: Annotated[
        list[str] | None,
        typer.Option(help="A name that others know this server by, such as play.school.edu; may be repeated."),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(help="Address of a server in front whose X-Forwarded-For is believed; may be repeated."),
    ] = None,
    join_code: Annotated[
        str, typer.Option(envvar=JOIN_CODE, help="The join code, 8 letters or more; without it a new one each time.")
    ] = "",
    metrics_token: Annotated[
        str, typer.Option(envvar="PLYGROUND_METRICS_TOKEN", help="Shows /metrics to other machines that send it.")
    ] = "",
    log: Annotated[Path | None, typer.Option(help="Log to this file, begun anew at 1 MB; 5 old ones are kept.")] = None,
    compile_ahead: Annotated[
        bool,
        typer.Option(
            "--compile-ahead/--no-compile-ahead",
            help="Compile what the page that is open may need before it is asked for.",
        ),
    ] = True,
) -> None:
    """Serve the app, and open it in the browser. Ctrl-C ends it.

    Example: plyground web --port 8000 --no-browser --player "me=course:file=student.py"
    """
    serve(
        port,
        host,
        browser=not no_browser,
        database=db,
        games=game or (),
        players=player or (),
        class_folder=class_folder,
        cage=cage,
        workshop=workshop,
        names=name or (),
        proxies=proxy or (),
        join_code=join_code,
        metrics_token=metrics_token,
        log=log,
        compile_ahead=compile_ahead,
    )


def serve(
    port: int | None = None,
    host: str = DEFAULT_HOST,
    *,
    browser: bool = True,
    database: Path | None = None,
    games: Sequence[str] = (),
    players: Sequence[str] = (),
    class_folder: Path | None = None,
    cage: str = "plain",
    workshop: bool = False,
    names: Sequence[str] = (),
    proxies: Sequence[str] = (),
    join_code: str = "",
    metrics_token: str = "",
    log: Path | None = None,
    compile_ahead: bool = True,
) -> None:
    """Serve the app until Ctrl-C; `games` are specs of games that are there besides the usual ones.

    So are `players`, each as NAME=PLAYER, and the hand-ins in the `class_folder`; `cage` is the wall around them.

    With `workshop` games can be written in the browser, on a server that this machine alone can reach.

    `names` go in the Host header, `proxies` are addresses of servers in front. With either, or on an address that
    others can reach, there is a join code: the one that is given, or a new one.
    """
    from plyground.web.games.store import open_live

    if port is not None and not 0 <= port <= 65535:
        raise BadOption(f"--port must be from 0 to 65535, not {port}")
    named = tuple(_found_game(spec) for spec in games)
    own, hand_ins = _found_players(players, class_folder, named, cage)
    Proxies(proxies)  # what is wrong with them is said before anything starts
    code = _read_code(join_code)
    for one in names:
        if not re.fullmatch(r"[\w.-]+", one):
            raise BadOption(f"--name: '{one}' is not the name of a server; write it as in play.school.edu")
    handed_on = inherited_socket()
    if handed_on:
        host, browser = str(handed_on.getsockname()[0]), False
    local = is_loopback(host) and not names and not proxies
    if workshop:
        _check_workshop(cage, alone=local and not code)
    listener = handed_on or _listen(host, port)
    bound = int(listener.getsockname()[1])
    if port is None and bound != DEFAULT_PORT and not handed_on:
        typer.echo(f"port {DEFAULT_PORT} is taken; using {bound}", err=True)
    address = f"http://{_written(host if not _is_any(host) else _own_address())}:{bound}"
    settings = Settings(
        host=host,
        port=bound,
        address="" if is_loopback(host) else address,
        database=(database or default_database()).expanduser().absolute(),
        hosts=_names(host) | {one.lower() for one in names},
        join_code=code or ("" if local else _new_code()),
        proxies=tuple(proxies),
        metrics_token=metrics_token,
        log=log,
        served=named,
        players=own,
        hand_ins=hand_ins,
        cage=cage,
        workshop=workshop,
        compile_ahead=compile_ahead,
    )
    for file in (settings.live_file, settings.database):  # what is wrong with them is said before anything starts
        if problem := set_aside(file):
            note(problem)
    open_live(settings.live_file).close()
    if problem := cache_problem():
        note(problem)
    address += "/"
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


def _found_players(
    texts: Sequence[str], folder: Path | None, games: Sequence[str], cage: str
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """The players that are named, and the names of the hand-ins; what is wrong is said before anything starts."""
    if not texts and folder is None:
        chosen_cage(cage, ())
        return (), ()
    from plyground.games import make_game
    from plyground.web.server.own_players import check_player, class_players, read_player
    from plyground.web.server.specs import PLAYABLE

    found: list[tuple[str, str]] = []
    offered = [make_game(spec) for spec in (*PLAYABLE, *games)]
    for text in texts:
        name, spec = read_player(text, [other for other, _ in found])
        check_player(name, spec, offered)
        found.append((name, spec))
    hand_ins: list[tuple[str, str]] = []
    if folder is not None:
        hand_ins, problems = class_players(folder.expanduser(), [name for name, _ in found])
        for problem in problems:
            note(problem)
        check_player(*hand_ins[0], offered)  # the others are made alike
    found += hand_ins
    chosen_cage(cage, [spec for _, spec in found])
    return tuple(found), tuple(name for name, _ in hand_ins)


def _check_workshop(cage: str, *, alone: bool) -> None:
    """`BadOption` if others could write games here, or if there is nothing around what they write."""
    from plyground.processes.program import find_program

    if not alone:
        raise BadOption(
            "--workshop runs what is written in the browser, so it is for this machine alone; "
            "leave out --host, --name, --proxy and --join-code"
        )
    if cage == "off":
        raise BadOption("--workshop runs what is written in the browser in the cage; use --cage plain or strict")
    find_program(sys.executable, "--workshop")
    say_what_is_missing(cage)


def _run(settings: Settings, listener: socket.socket, open_at: str | None) -> None:
    from plyground.web.server.serving import run_server

    def opened() -> None:
        if open_at is not None:
            with contextlib.suppress(webbrowser.Error):
                webbrowser.open(open_at)

    run_server(settings, listener, opened)


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


def _read_code(text: str) -> str:
    """A join code as it was given, without what is not a letter of it; "" if none was."""
    code = "".join(letter for letter in text.upper() if letter not in "- ")
    if code and (len(code) < CODE_LENGTH or not set(code) <= set(CODE_LETTERS)):
        raise BadOption(
            f"--join-code: '{text}' must be {CODE_LENGTH} letters or more, of {CODE_LETTERS}; without it one is drawn"
        )
    return code


def _new_code() -> str:
    return "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))


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
