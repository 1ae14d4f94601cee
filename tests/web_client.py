"""What the tests of the app's API share: the app in this process, and visitors who talk to it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from plyground.web.server.app import create_app
from plyground.web.server.settings import Limits, Settings

ADDRESS = "127.0.0.1:8421"


class Visitor:
    """A browser without pages: it keeps its cookies, and sends what pages send."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def get(self, path: str, status: int = 200) -> Any:
        return self._answer(self.client.get(path), status)

    def post(self, path: str, status: int | tuple[int, ...] = (200, 201), **body: Any) -> Any:
        return self._answer(self.client.post(path, json=body), status)

    def delete(self, path: str, status: int = 204) -> Any:
        return self._answer(self.client.delete(path), status)

    def refused(self, path: str, status: int = 422, **body: Any) -> str:
        """The line with which a request is refused."""
        return str(self.post(path, status, **body)["error"])

    def _answer(self, response: Any, status: int | tuple[int, ...]) -> Any:
        wanted = (status,) if isinstance(status, int) else status
        assert response.status_code in wanted, (response.status_code, response.text)
        return response.json() if response.headers.get("content-type", "").startswith("application/json") else response

    @contextlib.contextmanager
    def socket(self, path: str) -> Iterator[Any]:
        with self.client.websocket_connect(f"ws://{ADDRESS}{path}") as socket:
            yield socket

    def begin(self, game: str = "tictactoe", *players: str, **more: Any) -> dict[str, Any]:
        """A new game; two people play it if nobody is named."""
        return self.post("/api/games", 201, game=game, players=list(players) or ["human", "human"], **more)

    def move(self, game: dict[str, Any], text: str) -> dict[str, Any]:
        """Make a move in a game as it was seen last."""
        action = next(legal["action"] for legal in game["position"]["legal"] if legal["text"] == text)
        return self.post(f"/api/games/{game['id']}/move", 200, action=action, at=game["at"])

    def search(self, socket: Any, number: int, do: str, **details: Any) -> list[dict[str, Any]]:
        """All events of a search, the last of which is `done` or `error`."""
        socket.send_json({"id": number, "do": do, **details})
        events = []
        while not events or events[-1]["event"] not in ("done", "error"):
            events.append(socket.receive_json())
            assert events[-1]["id"] == number
        return events


def until(socket: Any, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """The first message of a socket that is wanted."""
    while True:
        message = socket.receive_json()
        if wanted(message):
            return message
        assert message.get("type") != "failed", message


@contextlib.contextmanager
def app_in(folder: Path, **changes: Any) -> Iterator[Visitor]:
    """The app, served from a folder, with a first visitor; further ones come with `another`.

    Nothing is compiled ahead, and no process started, unless that is among the `changes`.
    """
    limits = replace(Limits(), **{name: changes.pop(name) for name in list(changes) if hasattr(Limits, name)})
    settings = Settings(
        database=folder / "games.db", limits=limits, **{"workers": 2, "compile_ahead": False, **changes}
    )
    with TestClient(create_app(settings), base_url=f"http://{ADDRESS}", follow_redirects=False) as client:
        yield Visitor(client)


def another(visitor: Visitor, address: str = "testclient") -> Visitor:
    """Somebody else, with other cookies, at the same app, and at another address if that is said.

    The first one must be there.
    """
    client = TestClient(
        visitor.client.app, base_url=f"http://{ADDRESS}", follow_redirects=False, client=(address, 50000)
    )
    client.portal = visitor.client.portal  # the same event loop
    return Visitor(client)
