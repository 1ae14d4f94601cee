"""The app as a whole: its pages, its API, and what lives as long as the server does."""

from __future__ import annotations

import contextlib
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from plyground.web import docs, lab
from plyground.web.games import (
    analyses_api,
    arena_rooms_api,
    demonstration,
    demonstration_api,
    ladder_api,
    library_api,
    live_api,
    reading_api,
    records_api,
    tournaments_api,
)
from plyground.web.games.store import Store
from plyground.web.games.tables import Tables
from plyground.web.lab import learn_api, workshop_api
from plyground.web.server import health_api, join, readiness_api, refusals, search_api
from plyground.web.server.addresses import Proxies
from plyground.web.server.assets import Assets, CompressedFiles
from plyground.web.server.chores import Chores
from plyground.web.server.connections import Connections
from plyground.web.server.guard import Guard
from plyground.web.server.offline import Offline
from plyground.web.server.pool import Pool
from plyground.web.server.readiness import Readiness, preparing
from plyground.web.server.settings import NOTHING, Settings
from plyground.web.server.shell import Shell
from plyground.web.server.sockets import Receptionist
from plyground.web.server.threads import aside, find_task

__all__ = ["PAGES", "STATIC", "create_app"]

STATIC = Path(__file__).parent.with_name("static")
PICTURES = Path(__file__).parent.parent.with_name("pictures") / "static"
"""What the app and the pages that ``plyground tree`` writes have in common."""
PAGES = (
    "/", "/play", "/play/{id}", "/library", "/analyze", "/arena", "/arena/games/{key:path}", "/arena/room/{id}",
    "/learn", "/learn/{name}", "/embed/game", "/embed/film",
    *dict.fromkeys(lab.SUBJECTS.values()),
)  # fmt: skip
"""Addresses of pages: all are the same file, which looks at the address by itself."""
ABOUT = "server.catalogue:about"
FIRST_GAME = "reversi"
"""With which the pages for playing and analysing begin, where nobody names another."""


READ = ["GET", "HEAD"]


def create_app(settings: Settings | None = None) -> FastAPI:
    """The app of these settings. It opens its files and starts processes when it is served, not before."""
    settings = settings or Settings()

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        store = Store(settings.live_file, settings.database)
        app.state.damaged = await store.open()
        pool = Pool(settings.workers, settings.limits, settings.named)
        tables = Tables(store, pool, settings.limits)
        app.state.settings, app.state.store, app.state.pool, app.state.tables = settings, store, pool, tables
        app.state.receptionist = Receptionist(settings.limits)
        app.state.arena = tournaments_api.Arena(settings)
        app.state.workshop = workshop_api.Workshop(settings)
        app.state.arena_rooms = arena_rooms_api.ArenaRooms(app)
        app.state.readiness = Readiness(settings.limits, settings.named)
        shown = [preparing(demonstration.GAME, player) for player in demonstration.PLAYERS]
        app.state.demonstration = demonstration.Demonstration(
            pool,
            settings.workers,
            lambda: not settings.compile_ahead or all(app.state.readiness.state(work) == "ready" for work in shown),
        )
        chores = Chores()
        if settings.compile_ahead:
            chores.add(_warm_up(pool, app.state.readiness))
        chores.add(tables.look_after())
        try:
            yield
        finally:
            await chores.close()
            await app.state.readiness.close()
            await app.state.demonstration.close()
            await app.state.arena.close()
            await app.state.workshop.close()
            await tables.close()
            await pool.close()
            await store.close()

    app = FastAPI(title="Plyground", lifespan=lifespan, docs_url=None, redoc_url=None, openapi_url="/api/openapi.json")
    app.state.assets = Assets({"": STATIC, "pictures/": PICTURES})
    shell = Shell(app.state.assets)
    refusals.install(app, shell)
    app.state.settings, app.state.responses, app.state.wrong_codes = settings, Counter(), join.WrongCodes()
    app.state.connections = Connections(settings.limits, Proxies(settings.proxies))
    if settings.named != NOTHING:
        from plyground.web.server.specs import serve

        serve(settings.named)
    app.state.wishes, app.state.page_wishes = {}, defaultdict(list)
    for page, router in (("/analyze", analyses_api.router), *zip(lab.SUBJECTS.values(), lab.routers(), strict=True)):
        app.include_router(router)
        app.state.wishes |= router.wishes
        app.state.page_wishes[page] += router.wishes.values()
    for module in (
        live_api, library_api, ladder_api, demonstration_api, search_api, readiness_api, reading_api, tournaments_api,
        arena_rooms_api, records_api, learn_api, join, health_api,
    ):  # fmt: skip
        app.include_router(module.router)

    @app.get("/api/about")
    async def about() -> Response:
        """What there is: games, players, opponents, lessons, a workshop or none; and which files were damaged."""
        found: dict[str, Any] = await aside(ABOUT)
        return JSONResponse({**found, "workshop": settings.workshop, "damaged": app.state.damaged})

    async def shown(request: Request) -> Response:
        return await shell.response(request)

    app.add_api_route("/offline.js", Offline(app.state.assets).response, methods=READ, include_in_schema=False)
    for page in PAGES:
        app.add_api_route(page, shown, methods=READ, include_in_schema=False, response_class=HTMLResponse)
    app.mount("/static", app.state.assets)
    if docs.SITE.exists():
        app.mount("/docs", CompressedFiles(directory=docs.SITE, html=True))
    else:
        app.add_api_route("/docs/{page:path}", no_docs, methods=READ, include_in_schema=False)
    app.add_middleware(Guard, settings=settings, responses=app.state.responses)
    if settings.proxies:
        app.add_middleware(ProxyHeadersMiddleware, trusted_hosts=list(settings.proxies))
    return app


async def no_docs() -> Response:
    """What is answered where the documentation has not been built: how to build it."""
    return PlainTextResponse(docs.MISSING, 404)


async def _warm_up(pool: Pool, readiness: Readiness) -> None:
    """What the first visitor is going to need: the games in this process, a process to search in, and opponents."""
    await pool.warm_up()
    about: dict[str, Any] = await aside(ABOUT)
    cards = about["cards"][FIRST_GAME]
    readiness.want(
        [preparing(FIRST_GAME, spec) for spec in ("engine", *demonstration.PLAYERS, *(card["spec"] for card in cards))]
    )
    await aside(find_task, "games.live:new_game")  # slow the first time
