"""The API for texts and files: what is pasted, positions of a line of moves, exports."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Response
from fastapi.responses import JSONResponse
from pydantic import AfterValidator, ConfigDict, Field

from plyground.pictures.qr import qr_svg
from plyground.web.server.bodies import Body, Line, Text, writable
from plyground.web.server.threads import aside

__all__ = ["router"]

router = APIRouter()

Discs = Annotated[int, Field(ge=-64, le=64)]
Square = Annotated[str, Field(max_length=8)]


class Pasted(Body):
    """Whatever somebody has pasted: a transcript, a board, OBF, GGF; of chess PGN, FEN or EPD."""

    text: Text
    game: Literal["reversi", "chess"] = "reversi"


class Begun(Line):
    """A line of moves; with `beginning` of one that is not legal throughout the part before that."""

    beginning: bool = False


class Found(Body):
    """What a search has found, as an analysis says it."""

    move: Square
    value: Discs
    depth: Annotated[int, Field(ge=0, le=64)] = 0
    confidence: Annotated[str, Field(max_length=8)] = ""
    solved: bool = False
    line: Annotated[list[Square], Field(max_length=64)] = Field(default_factory=list)
    nodes: Annotated[int, Field(ge=0)] = 0


class Judged(Body):
    """A move of an analysis; what is not needed for a picture is ignored."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    number: Annotated[int, Field(ge=1, le=200)]
    value: Discs
    best: Found


class Export(Line):
    """What to write.

    `frames` are the pictures of all positions. `analysis` are the moves of one for a graph, or for the values in GGF.
    """

    what: Literal["board", "frames", "graph", "ggf", "transcript", "obf"]
    format: Literal["svg", "png", "text"] = "text"
    names: Annotated[list[Annotated[Text, Field(max_length=200)]], Field(max_length=2)] = Field(default_factory=list)
    analysis: Annotated[list[Judged], Field(max_length=200)] = Field(default_factory=list)
    end: Found | None = None
    scores: Annotated[dict[Square, Discs], Field(max_length=64)] = Field(default_factory=dict)


@router.post("/api/read")
async def read(wish: Pasted) -> dict[str, Any]:
    """Find out what a text is, and read it: of a game that goes wrong its legal beginning, and the `problem`."""
    if wish.game == "chess":
        return await aside("games.chess_reading:read_chess", wish.text)
    return await aside("games.reading:read_pasted", wish.text)


@router.post("/api/position")
async def positions(wish: Begun) -> Response:
    """All positions of a line of moves; `problem` is the first move that is not legal, where that is not refused."""
    return JSONResponse(await aside("games.reading:game_line", **wish.model_dump()))


@router.get("/api/qr", response_class=Response)
async def qr_code(text: Annotated[str, Query(min_length=1, max_length=300), AfterValidator(writable)]) -> Response:
    """A text, such as the address of a game, as a QR code."""
    picture: str = await aside(qr_svg, text)
    return Response(picture, media_type="image/svg+xml", headers={"cache-control": "max-age=86400"})


@router.post("/api/export", response_class=Response)
async def export(wish: Export) -> Response:
    """A position, a game or an analysis as a file."""
    found: tuple[bytes, str, str] = await aside("games.reading:export", **wish.model_dump())
    content, kind, name = found
    disposition = f'attachment; filename="{name}"'
    return Response(content, media_type=kind, headers={"content-disposition": disposition})
