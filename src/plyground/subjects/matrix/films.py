"""Films of this chapter: elimination step by step, learning as it goes, a tournament's result.

Where the screen is narrow, the pictures of a frame are below each other.
"""

from __future__ import annotations

from plyground.pictures.filmstrip import Fact, Frame
from plyground.subjects.matrix.analysis import Analysis
from plyground.subjects.matrix.learners import LearningRun
from plyground.subjects.matrix.matrix_game import number_text
from plyground.subjects.matrix.pictures import analysis_svg, game_svg, learning_svg, table_is_drawn, tournament_svg
from plyground.subjects.matrix.repeated import Series, ecology
from plyground.subjects.matrix.words import analysis_sections, elimination_lines, phrase

__all__ = ["STYLES", "analysis_film", "learning_film", "series_film"]

STYLES = ("matrix.css",)
"""The style sheets of the pictures, which follow the theme of a page."""
MOST_FRAMES = 40


def analysis_film(found: Analysis, *, narrow: bool = False, lang: str = "en") -> list[Frame]:
    """The game, and then its elimination step by step: strict, or weak where strict takes out nothing."""
    game = found.game
    facts = analysis_sections(found, lang)
    kind = phrase(lang, "costs" if game.costs else "utilities")
    about = f"{phrase(lang, 'size', rows=game.shape[0], columns=game.shape[1])} {kind}"
    frames = [Frame(analysis_svg(found, narrow=narrow, lang=lang), about, facts)]
    elimination = found.strict if found.strict is not None and found.strict.steps else found.weak
    if elimination is None or not table_is_drawn(game):
        return frames
    lines = elimination_lines(game, elimination, lang)
    for number in range(1, len(elimination.steps) + 1):
        last = number == len(elimination.steps)
        caption = f"{lines[number - 1]}. {lines[-1]}" if last else lines[number - 1]
        frames.append(Frame(game_svg(found, elimination=elimination, steps=number, lang=lang), caption, facts))
    return frames[: MOST_FRAMES + 1]


def learning_film(run: LearningRun, value: float | None, *, narrow: bool = False, lang: str = "en") -> list[Frame]:
    """The average strategies as they change, on axes that stay."""
    every = max(1, -(-len(run.snapshots) // MOST_FRAMES))
    chosen = [*run.snapshots[:-1:every], run.last]
    frames = []
    for snapshot in chosen:
        sign = -1 if run.game.costs else 1
        low, high = sorted((sign * snapshot.low, sign * snapshot.high))
        key = "learning-gap" if value is None else "learning-bounds"
        figures = {"gap": number_text(snapshot.gap), "low": number_text(low), "high": number_text(high)}
        caption = phrase(lang, key, step=f"{snapshot.time:,}", **figures)
        facts: list[Fact] = [
            (
                run.game.players[player],
                [
                    f"{name}: {weight:.4f}"
                    for name, weight in zip(run.game.names(player), mixed, strict=True)
                    if weight > 0.00005
                ][:12],
            )
            for player, mixed in enumerate((snapshot.first, snapshot.second))
        ]
        frames.append(Frame(learning_svg(run, value, until=snapshot.time, narrow=narrow, lang=lang), caption, facts))
    return frames


def series_film(series: Series, *, stacked: bool = False, lang: str = "en") -> list[Frame]:
    """One frame: who got what, and the order."""
    sign = -1 if series.game.costs else 1
    shares = ecology(series)[-1]
    best = series.order[0]
    lines = [
        phrase(
            lang,
            "series-line",
            place=place,
            name=series.strategies[number],
            mean=f"{sign * series.scores[number]:.3f}",
            won=series.wins[number],
            cooperation=f"{100 * series.cooperation[number].mean():.0f}",
            share=f"{100 * shares[number]:.1f}",
        )
        for place, number in enumerate(series.order, 1)
    ]
    caption = phrase(
        lang,
        "series",
        name=series.strategies[best],
        mean=f"{sign * series.scores[best]:.3f}",
        winner=series.strategies[series.wins.index(max(series.wins))],
        won=max(series.wins),
    )
    return [Frame(tournament_svg(series, stacked=stacked, lang=lang), caption, [(phrase(lang, "standings"), lines)])]
