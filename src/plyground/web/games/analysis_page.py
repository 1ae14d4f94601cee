"""An analysis as a page in one file, drawn with the modules of the app."""

from __future__ import annotations

from importlib.resources import files

from plyground.core.rules import action_text
from plyground.engines.reversi.analysis import Analysis
from plyground.engines.reversi.analysis_facts import game_facts
from plyground.engines.reversi.openings import opening_name
from plyground.formats.replay import START
from plyground.pictures.inlined import ADDRESS, STATIC, Roots, page_html
from plyground.web.games.analyses import record_positions

__all__ = ["analysis_html"]

ROOTS: Roots = {"/static/": files("plyground.web") / "static", ADDRESS: STATIC}
ANALYZE = "/static/games/analyze"
STYLES = (
    *(f"/static/{name}.css" for name in ("tokens", "app", "board")),
    *(f"{ANALYZE}/{name}.css" for name in ("review", "analyze", "analysis_page")),
)


def analysis_html(analysis: Analysis, *, lang: str = "en") -> str:
    """A page with the board, the evaluation over the game, the mistakes and all moves; `lang` is "en" or "zh"."""
    record = analysis.record
    players = " \N{EN DASH} ".join(name for name in (record.black, record.white) if name)
    opening = opening_name(record.moves, lang) if record.start == START and record.moves else None
    title = ": ".join(part for part in (players, opening) if part) or ("黑白棋" if lang == "zh" else "Reversi")
    data = {
        "title": title,
        "facts": game_facts(analysis),
        "positions": record_positions(record),
        "moves": [action_text(state, action) for state, action in zip(record.states(), record.moves, strict=False)],
    }
    tag, entry = "zh-CN" if lang == "zh" else "en", f"{ANALYZE}/analysis_page"
    return page_html(title=title, lang=tag, data=data, entry=entry, styles=STYLES, roots=ROOTS)
