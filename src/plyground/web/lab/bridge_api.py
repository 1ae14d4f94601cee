"""What the page of hidden information asks about bridge."""

from __future__ import annotations

from plyground.web.server.bodies import Language
from plyground.web.server.wishes import Router, Wish

__all__ = ["router"]

router = Router()


@router.wish("bridge", "lab.bridge:show_deal")
class Deal(Wish):
    """The deal that fools a search."""

    lang: Language = "en"
