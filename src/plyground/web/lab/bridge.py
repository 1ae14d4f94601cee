"""A deal of bridge for the page of hidden information."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plyground.games import make_game
from plyground.pictures.board import svg
from plyground.subjects.bridge.fusion import FUSION, FUSION_EXACT, compare_leads, leads_svg
from plyground.web.server.events import Send

__all__ = ["show_deal"]


@lru_cache(maxsize=1)
def _leads() -> Any:
    return compare_leads(make_game(FUSION), simulations=400_000, seed=1)


def show_deal(send: Send, *, lang: str) -> None:
    """Send ``bridge``: the deal of strategy fusion as the declarer sees it, and what each lead is worth to whom."""
    send({"event": "started"})
    found = _leads()
    facts = {
        "hands": svg(found.state),
        "svg": leads_svg(found),
        "pimc": found.pimc,
        "ismcts": found.ismcts,
        "leads": [
            {"card": one.name, "opened": one.opened, "planned": one.planned, "exact": FUSION_EXACT.get(one.name)}
            for one in found.reports
        ],
    }
    send({"event": "bridge", **facts})
