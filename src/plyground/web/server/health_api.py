"""For whoever looks after the server: whether it works, and how much it has to do."""

from __future__ import annotations

import hmac
import time as clock

from fastapi import APIRouter, Request
from fastapi.responses import JSONResponse, PlainTextResponse, Response

from plyground.errors import DatabaseError
from plyground.version import __version__
from plyground.web.server.addresses import is_at_machine
from plyground.web.server.refusals import Refusal

__all__ = ["router"]

router = APIRouter(include_in_schema=False)
BORN = clock.monotonic()


@router.get("/health")
async def health(request: Request) -> Response:
    """Whether games can be played: 200, or 503 if they cannot be kept."""
    try:
        await request.app.state.store.count()
    except DatabaseError:
        return JSONResponse({"status": "failing", "version": __version__}, 503)
    return JSONResponse({"status": "ok", "version": __version__})


@router.get("/metrics")
async def metrics(request: Request) -> Response:
    """What is going on, as Prometheus reads it; only for this machine, or for whoever has the token."""
    if not _may_see(request):
        raise Refusal(403, "metrics are for the server's own machine, or for whoever sends its token")
    state = request.app.state
    gauges = {
        "uptime_seconds": round(clock.monotonic() - BORN, 1),
        "connections": state.connections.open,
        "sockets": state.receptionist.open,
        "games_kept": await state.store.count(),
        "games_open": state.tables.open,
        "searches_running": state.pool.running,
        "searches_waiting": state.pool.waiting,
        "worker_processes": len(state.pool.processes),
    }
    counters = {
        "connections_late_total": state.connections.late,
        "connections_refused_total": state.connections.refused,
        "wrong_join_codes_total": state.wrong_codes.total,
        **{f'responses_total{{status="{first}xx"}}': count for first, count in sorted(state.responses.items())},
    }
    lines = [f"plyground_{name} {value}" for name, value in (gauges | counters).items()]
    return PlainTextResponse("\n".join(lines) + "\n", headers={"cache-control": "no-store"})


def _may_see(request: Request) -> bool:
    token = request.app.state.settings.metrics_token
    given = request.headers.get("authorization", "").removeprefix("Bearer ")
    if token and hmac.compare_digest(given.encode(), token.encode()):
        return True
    return is_at_machine(request.scope)
