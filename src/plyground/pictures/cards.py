"""Playing cards as SVG: rows of cards, face up or face down, each row with its label, and lines of text below."""

from __future__ import annotations

from collections.abc import Sequence

from plyground.pictures.lettering import escaped

__all__ = ["BACK", "cards_svg"]

BACK = "?"
"""A card that lies face down."""
WIDTH, HEIGHT, GAP = 44, 60, 6
LABEL, EDGE, LINE = 96, 12, 22
INK, RED, FELT, PAPER, BACKING = "#111827", "#b91c1c", "#1f7a4d", "#ffffff", "#1e3a8a"
FONT = 'font-family="system-ui, sans-serif"'


def cards_svg(rows: Sequence[tuple[str, Sequence[str]]], lines: Sequence[str] = (), *, marked: int = -1) -> str:
    """Rows of cards, such as ``("North", ["A♠", "K♥", BACK])``, on felt; the row `marked` is whose turn it is."""
    most = max((len(cards) for _, cards in rows), default=0)
    longest = 7 * max((len(line) for line in lines), default=0)
    width = 2 * EDGE + LABEL + max(most * (WIDTH + GAP), longest - LABEL + GAP)
    height = 2 * EDGE + len(rows) * (HEIGHT + GAP) + LINE * len(lines)
    label = "; ".join([f"{name}: {' '.join(cards) or 'no cards'}" for name, cards in rows] + list(lines))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escaped(label)}">',
        f'<rect width="{width}" height="{height}" rx="8" fill="{FELT}"/>',
    ]
    for number, (name, cards) in enumerate(rows):
        top = EDGE + number * (HEIGHT + GAP)
        weight = ' font-weight="700"' if number == marked else ""
        sign = "▸ " if number == marked else ""
        parts.append(
            f'<text x="{EDGE}" y="{top + HEIGHT / 2 + 5:g}" {FONT} font-size="15" fill="{PAPER}"{weight}>'
            f"{sign}{escaped(name)}</text>"
        )
        parts += [_card(card, EDGE + LABEL + place * (WIDTH + GAP), top) for place, card in enumerate(cards)]
    for number, line in enumerate(lines):
        y = EDGE + len(rows) * (HEIGHT + GAP) + LINE * number + 14
        parts.append(f'<text x="{EDGE}" y="{y}" {FONT} font-size="14" fill="{PAPER}">{escaped(line)}</text>')
    return "".join(parts) + "</svg>"


def _card(card: str, x: int, y: int) -> str:
    if card == BACK:
        return (
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{BACKING}" stroke="{PAPER}"/>'
            f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 7:g}" {FONT} font-size="20" fill="#c7d2fe" '
            f'text-anchor="middle">?</text>'
        )
    colour = RED if {"♥", "♦"} & set(card) else INK
    return (
        f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{HEIGHT}" rx="5" fill="{PAPER}" stroke="{INK}"/>'
        f'<text x="{x + WIDTH / 2:g}" y="{y + HEIGHT / 2 + 7:g}" {FONT} font-size="20" font-weight="600" '
        f'fill="{colour}" text-anchor="middle">{escaped(card)}</text>'
    )
