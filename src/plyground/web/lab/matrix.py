"""What the page of matrix games asks for, as films: a game, its learners, the repeated game, a cake."""

from __future__ import annotations

from plyground.errors import BadOption
from plyground.pictures.filmstrip import Frame, film_data
from plyground.subjects.cake.division import divide
from plyground.subjects.cake.films import division_film
from plyground.subjects.cake.valuations import read_valuations
from plyground.subjects.matrix.analysis import analyse
from plyground.subjects.matrix.argument import game_from_text
from plyground.subjects.matrix.films import analysis_film, learning_film, series_film
from plyground.subjects.matrix.learners import Learner, learning_run
from plyground.subjects.matrix.matrix_game import MatrixGame
from plyground.subjects.matrix.repeated import DILEMMA, Horizon, hold_series
from plyground.subjects.matrix.zero_sum import solve_zero_sum
from plyground.web.server.events import Progress, Send

__all__ = ["draw_matrix"]

LARGEST = 60
"""Strategies a side; larger games are for the command."""
REPETITIONS = 5


def draw_matrix(
    send: Send,
    *,
    what: str,
    text: str,
    learner: Learner,
    steps: int,
    seed: int,
    strategies: list[str],
    rounds: int,
    known: bool,
    noise: float,
    method: str,
    narrow: bool,
    lang: str,
) -> None:
    """Send one ``film`` event. `what` is game, learn, repeated or cake; `text` the game, or people's valuations."""
    send({"event": "started"})
    if what == "game":
        game = _small(text, lang)
        title, frames = game.name, analysis_film(analyse(game), narrow=narrow, lang=lang)
    elif what == "learn":
        game = _small(text, lang)
        value = None if game.constant_sum is None else float(solve_zero_sum(game).value)
        run = learning_run(game, learner, steps=steps, seed=seed)
        title, frames = game.name, learning_film(run, value, narrow=narrow, lang=lang)
    elif what == "repeated":
        title, frames = _repeated(send, text, strategies, rounds, known, noise, seed, lang)
    else:
        people = read_valuations(line for line in text.splitlines() if line.strip())
        title, frames = "", division_film(divide(people, method), narrow=narrow, lang=lang)
    send({"event": "film", "film": film_data(frames, title=title or what, lang=lang)})


def _small(text: str, lang: str) -> MatrixGame:
    game = game_from_text(text, lang)
    if max(game.shape) > LARGEST:
        raise BadOption(f"the app shows games of up to {LARGEST} strategies a side; plyground matrix takes larger ones")
    return game


def _repeated(
    send: Send, text: str, strategies: list[str], rounds: int, known: bool, noise: float, seed: int, lang: str
) -> tuple[str, list[Frame]]:
    if len(strategies) < 2:
        raise BadOption("a tournament needs at least two strategies")
    progress = Progress(send)
    series = hold_series(
        strategies,
        game=game_from_text(text, lang) if text.strip() else DILEMMA,
        horizon=Horizon(rounds) if known else Horizon(None, 1 - 1 / max(rounds, 1)),
        noise=noise,
        repetitions=REPETITIONS,
        seed=seed,
        on_progress=lambda part: progress(part=part),
    )
    return series.game.name, series_film(series, stacked=True, lang=lang)
