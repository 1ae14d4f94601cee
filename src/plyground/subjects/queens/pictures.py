"""Queens as pictures: a board, the search step by step as a film, and how the ways compare as the board grows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from plyground.errors import BadOption
from plyground.pictures.filmstrip import Fact, Frame, film_html, styled_svg
from plyground.pictures.guess import MOST_CHOICES, Guess, guess_among
from plyground.pictures.player_words import check_language
from plyground.pictures.plot import Panel, Series, plot_svg
from plyground.subjects.queens.by_hand import Step
from plyground.subjects.queens.min_conflicts import USUAL, Method, watch_queens
from plyground.subjects.queens.placement import attack_counts, attacked_queens, check_size
from plyground.subjects.queens.rivals import Measured

__all__ = [
    "STYLE",
    "board_svg",
    "comparison_svg",
    "film_title",
    "queens_film",
    "queens_frames",
    "queens_svg",
    "step_words",
]

STYLE = "queens.css"
MOST_IN_A_FILM = 40
MOST_FRAMES = 600
MOST_AS_QUEENS = 64
"""On larger boards a queen is a dot."""
MOST_AS_DOTS = 400
"""On larger boards the picture shows how many queens stand in each part of the board."""
SIDE = 480
CROWN = "M-.36 .3L-.42-.16L-.2 .04L-.14-.32L0-.02L.14-.32L.2 .04L.42-.16L.36 .3z"
BALLS = ((-0.42, -0.2), (-0.14, -0.37), (0.14, -0.37), (0.42, -0.2))

WORDS = {
    "en": {
        "board": "{n} queens, {count} under attack",
        "density": "{n} queens: how many stand in each part of the board, at most {most}",
        "title": "{n} queens by min-conflicts",
        "start": "The start: {count} of {n} queens are under attack.",
        "again": "After {steps} steps without a solution the search restarts: {count} queens are under attack.",
        "step": "The queen of column {column} moves from row {came} to row {row}, where {attackers} attack it.",
        "stay": "The queen of column {column} stays in row {row}: no other is better.",
        "none": "none",
        "left": " {count} are under attack.",
        "solved": " No queen is under attack: solved after {steps} steps.",
        "stopped": " The film stops here, after {steps} steps.",
        "under": "Under attack",
        "nobody": "no queen",
        "columns": "columns {columns}",
        "attackers": "Attackers in column {column}, by row",
        "best": "the fewest: {fewest}, in row {rows}",
        "guess": "It is the turn of the queen of column {column}, which is under attack. Where does it go?",
        "guess.go": "to row {row}",
        "guess.stay": "it stays in row {row}",
        "hint.move": "Under attack: columns {under}. Min-conflicts draws one of them, here {column}, and moves its "
        "queen to a row where the fewest attack it: {fewest}, in row {rows}. It takes row {row}.",
        "hint.stay": "Under attack: columns {under}. Min-conflicts draws one of them, here {column}. The fewest attack "
        "it where it stands, in row {row}: {fewest}. So it stays, and another one is drawn.",
        "hint.place": "Column {column} has no queen yet. The greedy start puts it where the fewest attack it: "
        "{fewest}, in row {rows}. It takes row {row}.",
    },
    "zh": {
        "board": "{n} 个皇后，{count} 个受攻击",
        "density": "{n} 个皇后：棋盘各处的皇后数，最多 {most}",
        "title": "{n} 皇后：最小冲突法",
        "start": "开局：{n} 个皇后中 {count} 个受攻击。",
        "again": "走了 {steps} 步仍无解，重新开始：{count} 个皇后受攻击。",
        "step": "第 {column} 列的皇后从第 {came} 行移到第 {row} 行，那里攻击它的皇后数：{attackers}。",
        "stay": "第 {column} 列的皇后留在第 {row} 行：没有更好的行。",
        "none": "0",
        "left": " 还有 {count} 个受攻击。",
        "solved": " 没有皇后受攻击：{steps} 步后解决。",
        "stopped": " 演示到此为止，共 {steps} 步。",
        "under": "受攻击",
        "nobody": "没有",
        "columns": "第 {columns} 列",
        "attackers": "第 {column} 列各行的攻击数",
        "best": "最少 {fewest}，在第 {rows} 行",
        "guess": "轮到第 {column} 列的皇后，它受攻击。它会去哪里？",
        "guess.go": "到第 {row} 行",
        "guess.stay": "留在第 {row} 行",
        "hint.move": "受攻击的皇后在第 {under} 列。最小冲突法从中抽一个，这里是第 {column} 列，"
        "把它移到攻击最少的一行：第 {rows} 行，攻击数 {fewest}。它选第 {row} 行。",
        "hint.stay": "受攻击的皇后在第 {under} 列。最小冲突法从中抽一个，这里是第 {column} 列。"
        "它所在的第 {row} 行攻击最少（{fewest}），所以不动，再抽下一个。",
        "hint.place": "第 {column} 列还没有皇后。贪心开局把它放在攻击最少的一行："
        "第 {rows} 行，攻击数 {fewest}。它选第 {row} 行。",
    },
}


def board_svg(rows: Any, *, moved: int | None = None, came: int | None = None, lang: str = "en") -> str:
    """The board with the queens under attack in another colour, styled by `STYLE`; of more than 400 how they lie.

    `moved` is the column of a queen that has just come from row `came`: its column shows how many attack each row.
    """
    words = WORDS[check_language(lang)]
    rows = np.asarray(rows, dtype=np.int64)
    n = len(rows)
    if n > MOST_AS_DOTS:
        return _density_svg(rows, words["density"])
    under = set(attacked_queens(rows))
    size, edge = (SIDE / max(n, 1), 22 if n <= 16 else 6)
    full = SIDE + edge + 6
    label = words["board"].format(n=n, count=len(under))
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {full} {full}" width="{full}" height="{full}" '
        f'role="img" aria-label="{label}">',
        f'<g transform="translate({edge} 6)"><rect class="queens-light" width="{SIDE}" height="{SIDE}"/>',
    ]
    if n <= MOST_AS_QUEENS:
        dark = "".join(
            f"M{_n(c * size)} {_n(r * size)}h{_n(size)}v{_n(size)}h{_n(-size)}z"
            for r in range(n)
            for c in range(n)
            if (r + c) % 2
        )
        parts.append(f'<path class="queens-dark" d="{dark}"/>')
    if moved is not None:
        parts.append(f'<rect class="queens-column" x="{_n(moved * size)}" width="{_n(size)}" height="{SIDE}"/>')
    parts.append(f'<rect class="queens-edge" width="{SIDE}" height="{SIDE}"/>')
    if n <= 16:
        for place in range(n):
            middle = _n((place + 0.5) * size)
            parts.append(f'<text class="queens-name" x="{middle}" y="{SIDE + 17}">{place + 1}</text>')
            parts.append(f'<text class="queens-name" x="-12" y="{_n((place + 0.5) * size + 4)}">{place + 1}</text>')
    if n <= MOST_AS_QUEENS:
        parts += _attack_lines(rows, under, size)
    if moved is not None and n <= 24:
        counts = attack_counts(rows, moved)
        for row, count in enumerate(counts):
            if row != rows[moved]:
                best = " queens-best" if count == min(counts) else ""
                across, down = _n((moved + 0.5) * size), _n((row + 0.5) * size + 5)
                parts.append(f'<text class="queens-count{best}" x="{across}" y="{down}">{count}</text>')
    if came is not None and moved is not None and came != rows[moved]:
        parts.append(
            f'<circle class="queens-came" cx="{_n((moved + 0.5) * size)}" cy="{_n((came + 0.5) * size)}" '
            f'r="{_n(size * 0.42)}"/>'
        )
    for column in range(n):
        look = "attacked" if column in under else "moved" if column == moved else "queen"
        x, y = (column + 0.5) * size, (int(rows[column]) + 0.5) * size
        if n <= MOST_AS_QUEENS:
            balls = "".join(f'<circle cx="{bx}" cy="{by}" r=".06"/>' for bx, by in BALLS)
            parts.append(
                f'<g class="queens-{look}" transform="translate({_n(x)} {_n(y)}) scale({_n(size * 0.9)})">'
                f'<path d="{CROWN}"/>{balls}</g>'
            )
        else:
            parts.append(f'<circle class="queens-{look}" cx="{_n(x)}" cy="{_n(y)}" r="{_n(size * 0.45)}"/>')
    return "".join(parts) + "</g></svg>"


def queens_svg(rows: Any, *, lang: str = "en") -> str:
    """The board as a picture that stands alone, of any size."""
    return styled_svg(board_svg(rows, lang=lang), STYLE)


def _attack_lines(rows: Any, under: set[int], size: float) -> Iterator[str]:
    """A line between each two queens that attack each other, where none stands between them."""
    n = len(rows)
    last: dict[tuple[str, int], int] = {}
    for column in range(n):
        if column not in under:
            continue
        row = int(rows[column])
        for line in (("row", row), ("falling", row + column), ("rising", row - column)):
            if line in last:
                other = last[line]
                points = [(place + 0.5) * size for place in (other, int(rows[other]), column, row)]
                left, top, right, bottom = map(_n, points)
                yield f'<line class="queens-line" x1="{left}" y1="{top}" x2="{right}" y2="{bottom}"/>'
            last[line] = column


def _density_svg(rows: Any, words: str) -> str:
    """Of a large board, the number of queens in each of 100 times 100 parts."""
    n, parts = len(rows), 100
    columns = np.arange(n)
    counts = np.zeros((parts, parts), np.int64)
    np.add.at(counts, (rows * parts // n, columns * parts // n), 1)
    step = SIDE / parts
    most = max(1, int(counts.max()))
    cells = []
    for shade in range(1, 9):
        path = "".join(
            f"M{_n(c * step)} {_n(r * step)}h{_n(step)}v{_n(step)}h{_n(-step)}z"
            for r, c in zip(*np.nonzero(-(-counts * 8 // most) == shade), strict=True)
        )
        cells.append(f'<path class="queens-cell" fill-opacity="{shade / 8:g}" d="{path}"/>')
    text = words.format(n=f"{n:,}", most=most)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {SIDE + 12} {SIDE + 32}" width="{SIDE + 12}" '
        f'height="{SIDE + 32}" role="img" aria-label="{text}"><g transform="translate(6 6)">'
        f'<rect class="queens-light" width="{SIDE}" height="{SIDE}"/>{"".join(cells)}'
        f'<rect class="queens-edge" width="{SIDE}" height="{SIDE}"/>'
        f'<text class="queens-name" x="{SIDE / 2:g}" y="{SIDE + 18}">{text}</text></g></svg>'
    )


def _n(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


# Films -----------------------------------------------------------------------------------------------------------


def queens_frames(
    n: int, method: Method = USUAL, *, seed: int = 0, lang: str = "en", rows: Sequence[int] | None = None
) -> list[Frame]:
    """Min-conflicts on a small board, a frame a step; the steps are those of `solve_queens` with the same seed."""
    words = WORDS[check_language(lang)]
    if not 1 <= check_size(n) <= MOST_IN_A_FILM:
        raise BadOption(f"a film shows 1 to {MOST_IN_A_FILM} queens, not {n}")
    frames: list[Frame] = []
    before: Any = None
    steps = 0
    for board, moved in watch_queens(n, method, seed=seed, rows=rows, max_steps=MOST_FRAMES):
        under = attacked_queens(board)
        facts: list[Fact] = [(words["under"], [_columns(words, under)])]
        came, guess = None, None
        if moved is None:
            key = "start" if before is None else "again"
            caption = words[key].format(n=n, count=len(under), steps=steps)
            steps = 0
        else:
            steps += 1
            row, came = int(board[moved]), int(before[moved])
            counts = attack_counts(board, moved)
            attackers = str(counts[row]) if counts[row] else words["none"]
            guess = _guess(words, moved, came, row, counts)
            key = "stay" if row == came else "step"
            caption = words[key].format(column=moved + 1, row=row + 1, came=came + 1, attackers=attackers)
            best = ", ".join(str(place + 1) for place, count in enumerate(counts) if count == min(counts))
            head = words["attackers"].format(column=moved + 1)
            facts.append((head, [words["best"].format(fewest=min(counts), rows=best)]))
            caption += words["solved"].format(steps=steps) if not under else words["left"].format(count=len(under))
        frames.append(Frame(board_svg(board, moved=moved, came=came, lang=lang), caption, facts, guess))
        before = board
    if attacked_queens(before):
        last = frames[-1]
        caption = last.caption + words["stopped"].format(steps=len(frames) - 1)
        frames[-1] = replace(last, caption=caption)
    return frames


def _guess(words: dict[str, str], column: int, came: int, row: int, counts: Sequence[int]) -> Guess | None:
    """Where the queen of a column goes, among rows of which one alone has the fewest attackers.

    Nothing is asked of a step at random. The wrong rows are those with the next fewest: the nearest to being right.
    """
    fewest = min(counts)
    if counts[row] > fewest:
        return None
    worse = sorted((place for place, count in enumerate(counts) if count > fewest), key=lambda place: counts[place])
    if came in worse:  # that it stays is always worth a thought
        worse.remove(came)
        worse.insert(0, came)
    choices = {
        place: words["guess.stay" if place == came else "guess.go"].format(row=place + 1)
        for place in sorted([row, *worse[: MOST_CHOICES - 1]])
    }
    return guess_among(words["guess"].format(column=column + 1), choices.values(), choices[row])


def step_words(step: Step, lang: str = "en") -> str:
    """Why min-conflicts makes a step, in a few sentences."""
    key = "hint.place" if step.came < 0 else "hint.stay" if step.came == step.row else "hint.move"
    return WORDS[check_language(lang)][key].format(
        column=step.column + 1,
        row=step.row + 1,
        under=", ".join(str(column + 1) for column in step.under),
        fewest=min(step.counts),
        rows=", ".join(str(row + 1) for row in step.best),
    )


def _columns(words: dict[str, str], under: Sequence[int]) -> str:
    return words["columns"].format(columns=", ".join(str(c + 1) for c in under)) if under else words["nobody"]


def film_title(n: int, lang: str = "en") -> str:
    """What a film of this many queens is called."""
    return WORDS[check_language(lang)]["title"].format(n=n)


def queens_film(n: int, method: Method = USUAL, *, seed: int = 0, lang: str = "en") -> str:
    """The same as a page in one file."""
    frames = queens_frames(n, method, seed=seed, lang=lang)
    return film_html(frames, title=film_title(n, lang), styles=[STYLE], lang=lang)


# Comparing -------------------------------------------------------------------------------------------------------


def comparison_svg(rows: Sequence[Measured]) -> str:
    """Three panels over the size of the board: time, steps, and the share of runs that found a solution."""

    def lines(value: str) -> list[Series]:
        drawn = []
        for name in dict.fromkeys(row.rival for row in rows):
            own = [row for row in rows if row.rival == name]
            drawn.append(Series(name, [row.n for row in own], [getattr(row, value) for row in own]))
        return drawn

    shares, title = lines("success"), "Share of runs with a solution"
    panels = [
        Panel(lines("seconds"), "Median time", "queens", "seconds", x_log=True, y_log=True),
        Panel(lines("steps"), "Median steps", "queens", "steps", x_log=True, y_log=True, legend=False),
        Panel(shares, title, "queens", "share", x_log=True, y_range=(0, 1.02), legend=False),
    ]
    return plot_svg(panels, title="n queens: min-conflicts and its rivals")
