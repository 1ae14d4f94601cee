"""Films of this chapter: elimination step by step, learning as it goes, a tournament's result.

Where the screen is narrow, the pictures of a frame are below each other.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from plyground.pictures.filmstrip import Fact, Frame
from plyground.pictures.guess import MOST_CHOICES, Guess, guess_among
from plyground.subjects.matrix.analysis import Analysis
from plyground.subjects.matrix.dominance import Elimination
from plyground.subjects.matrix.learners import LearningRun, Snapshot
from plyground.subjects.matrix.matrix_game import MatrixGame, number_text
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
    solved = tuple(section.title for section in facts)
    frames = [Frame(analysis_svg(found, narrow=narrow, lang=lang), about, facts, ahead=solved)]
    elimination = found.strict if found.strict is not None and found.strict.steps else found.weak
    if elimination is None or not table_is_drawn(game):
        return frames
    lines = elimination_lines(game, elimination, lang)
    for number in range(1, len(elimination.steps) + 1):
        last = number == len(elimination.steps)
        caption = f"{lines[number - 1]}. {lines[-1]}" if last else lines[number - 1]
        svg = game_svg(found, elimination=elimination, steps=number, lang=lang)
        frames.append(Frame(svg, caption, facts, _struck_out(game, elimination, number, lang), solved))
    return frames[: MOST_FRAMES + 1]


def _struck_out(game: MatrixGame, elimination: Elimination, number: int, lang: str) -> Guess | None:
    """Which strategy the step takes out, beside some of the same player's that stay to the end.

    Only of strict dominance: what it leaves was dominated at no time, while weak dominance depends on the order.
    """
    if elimination.kind != "strict":
        return None
    step = elimination.steps[number - 1]
    names = game.names(step.player)
    left = (elimination.rows, elimination.columns)[step.player]
    choices = [names[strategy] for strategy in sorted([step.strategy, *left[: MOST_CHOICES - 1]])]
    question = phrase(lang, "dominance-guess", who=game.players[step.player])
    return guess_among(question, choices, names[step.strategy])


@dataclass(frozen=True)
class _Played:
    """What a player used most between two snapshots, being the best response to the averages of the first one."""

    player: int
    strategy: int
    responses: tuple[int, ...]


def _played(run: LearningRun, before: Snapshot, now: Snapshot, turn: int) -> _Played | None:
    """Of the player whose turn it is to be asked about, else of the other one; None if neither can be foretold."""
    if run.learner != "fictitious":
        return None
    first, second = run.game.arrays
    expected = (first @ before.second, before.first @ second)
    for player in (turn, 1 - turn):
        old, new = ((one.first, one.second)[player] for one in (before, now))
        played = np.rint(new * now.time - old * before.time)
        best = expected[player] >= expected[player].max() - 1e-9
        strategy = int(played.argmax())
        if best.sum() == 1 and best[strategy] and np.sum(played == played[strategy]) == 1:
            others = np.argsort(-expected[player], kind="stable")[:MOST_CHOICES]
            return _Played(player, strategy, tuple(sorted(map(int, others))))
    return None


def learning_film(run: LearningRun, value: float | None, *, narrow: bool = False, lang: str = "en") -> list[Frame]:
    """The average strategies as they change, on axes that stay."""
    every = max(1, -(-len(run.snapshots) // MOST_FRAMES))
    chosen = [*run.snapshots[:-1:every], run.last]
    frames = []
    for number, snapshot in enumerate(chosen):
        sign = -1 if run.game.costs else 1
        low, high = sorted((sign * snapshot.low, sign * snapshot.high))
        key = "learning-gap" if value is None else "learning-bounds"
        figures = {"gap": number_text(snapshot.gap), "low": number_text(low), "high": number_text(high)}
        caption = phrase(lang, key, step=f"{snapshot.time:,}", **figures)
        guess = None
        if number and (played := _played(run, chosen[number - 1], snapshot, number % 2)):
            names, who = run.game.names(played.player), run.game.players[played.player]
            what, other = names[played.strategy], run.game.players[1 - played.player]
            since = chosen[number - 1].time + 1
            key = "learning-guess-one" if since == snapshot.time else "learning-guess"
            question = phrase(lang, key, who=who, first=f"{since:,}", last=f"{snapshot.time:,}")
            guess = guess_among(question, [names[response] for response in played.responses], what)
            caption += phrase(lang, "learning-because", who=who, what=what, other=other)
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
        frames.append(
            Frame(learning_svg(run, value, until=snapshot.time, narrow=narrow, lang=lang), caption, facts, guess)
        )
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
