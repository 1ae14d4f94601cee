"""Principal variation search (Marsland and Campbell 1982; NegaScout, Reinefeld 1983).

If moves are well ordered, the first one is mostly the best. So only it is searched with the whole window; of each other
move a search with a null window proves that it is no better, which is cheaper because everything outside an empty
window is a cut. Where the proof fails, the move is searched again with the window as it stands.

It is alpha-beta with one step changed, so it lives in `plyground.search.alphabeta` as the variant `scout`.
"""

from __future__ import annotations

from dataclasses import replace

from plyground.search.alphabeta import AlphaBetaVariant

__all__ = ["pvs"]


def pvs(variant: AlphaBetaVariant) -> AlphaBetaVariant:
    """The same search with scouting."""
    return replace(variant, scout=True)
