"""Botzone's Reversi: a line of JSON in, a line of JSON out.

The line holds all ``requests`` (the other side's moves) and ``responses`` (our own) so far; x is the column and y the
row, from 0, and -1, -1 a pass, or in the first request that we are black. A program that keeps running says so, and is
then sent the single next request.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from plyground.core.limits import Limit
from plyground.errors import FormatError, PlygroundError
from plyground.games.reversi import PASS, reversi
from plyground.players.player import Move, Player
from plyground.protocols.session import Session

__all__ = ["KEEP_RUNNING", "serve"]

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
NONE = {"x": -1, "y": -1}


def serve(player: Player, lines: Iterable[str], write: Callable[[str], None], *, keep_running: bool) -> None:
    """Answer requests until the input ends; only the first one unless the program is to keep running."""
    session = Session(reversi(), player)
    session.prepare()
    begun = False
    for line in lines:
        if not line.strip():
            continue
        asked = _read(line)
        if begun:
            _play(session, asked)
        else:
            _play_all(session, asked)
        begun = True
        write(json.dumps({"response": _answer(session)}))
        if not keep_running:
            return
        write(KEEP_RUNNING)


def _read(line: str) -> dict[str, Any]:
    try:
        asked = json.loads(line)
    except (ValueError, RecursionError):
        raise FormatError(f"a request must be a line of JSON, not {line.strip()[:40]!r}") from None
    if not isinstance(asked, dict):
        raise FormatError(f"a request must be an object, not {line.strip()[:40]!r}")
    return asked


def _play_all(session: Session, asked: dict[str, Any]) -> None:
    """The whole game so far: the other side's moves and ours by turns."""
    requests, responses = asked.get("requests"), asked.get("responses")
    if not (isinstance(requests, list) and isinstance(responses, list) and len(requests) == len(responses) + 1):
        raise FormatError('the first line must have the lists "requests" and "responses", the first longer by one')
    for number, request in enumerate(requests):
        if number:
            _play(session, responses[number - 1])
        if number or _action(request) != PASS:  # else it says that we are black
            _play(session, request)


def _play(session: Session, move: Any) -> None:
    action = _action(move)
    if action == PASS and session.over():
        return
    try:
        session.play(action)
    except PlygroundError as error:
        raise FormatError(f"move {len(session.history) + 1}: {error}") from None


def _action(move: Any) -> int:
    x, y = (move.get("x"), move.get("y")) if isinstance(move, dict) else (None, None)
    if type(x) is int and type(y) is int:
        if (x, y) == (-1, -1):
            return PASS
        if 0 <= x < 8 and 0 <= y < 8:
            return 8 * y + x
    raise FormatError(f'a move must be such as {{"x": 2, "y": 3}}, not {json.dumps(move)[:40]}')


def _answer(session: Session) -> dict[str, int]:
    if session.over():
        return NONE
    choice = session.choose(Limit())
    if not isinstance(choice, Move):
        return NONE
    session.play(choice.action)
    return NONE if choice.action == PASS else {"x": choice.action % 8, "y": choice.action // 8}
