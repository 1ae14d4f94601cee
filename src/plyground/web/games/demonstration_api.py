"""The game on the home page, for browsers that show it."""

from __future__ import annotations

from fastapi import APIRouter, WebSocket

from plyground.web.games.live_api import tree_wish
from plyground.web.server.sockets import Outlet

__all__ = ["router"]

router = APIRouter()


@router.websocket("/ws/demonstration")
async def follow(socket: WebSocket) -> None:
    """The game of two programs that everybody sees, from how it stands now; ``{"tree": "en"}`` asks for its trees."""

    async def talk(outlet: Outlet) -> None:
        demonstration = socket.app.state.demonstration
        demonstration.join(outlet)
        try:
            while True:
                demonstration.show_search(outlet, tree_wish(await socket.receive_text()))
        finally:
            demonstration.leave(outlet)

    await socket.app.state.receptionist.serve(socket, talk)
