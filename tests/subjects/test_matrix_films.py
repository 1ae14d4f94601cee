"""What films of matrix games ask: the answer is what the next frame shows, and the game says so by itself."""

from __future__ import annotations

import random
import re
from fractions import Fraction

import numpy as np
import pytest

from plyground.native.compiling import interpreted
from plyground.subjects.matrix.analysis import analyse
from plyground.subjects.matrix.films import analysis_film, learning_film
from plyground.subjects.matrix.learners import learning_run
from plyground.subjects.matrix.matrix_game import MatrixGame
from plyground.subjects.matrix.named_games import named_game


def random_game(chance, rows, columns):
    tables = [[[Fraction(chance.randint(-9, 9)) for _ in range(columns)] for _ in range(rows)] for _ in range(2)]
    return MatrixGame(*(tuple(map(tuple, table)) for table in tables))


@pytest.mark.parametrize("learner", ["fictitious", "regret"])
def test_learning_asks_what_is_played_next_and_it_is_the_best_response_to_what_was_played(learner):
    asked = 0
    for seed in range(6):
        game = random_game(random.Random(seed), 3, 4)
        with interpreted():
            run = learning_run(game, learner, steps=60, seed=seed)
        frames = learning_film(run, None)
        assert len(frames) == len(run.snapshots)
        for old, new, frame in zip(run.snapshots[:-1], run.snapshots[1:], frames[1:], strict=True):
            if frame.guess is None:
                continue
            who = 0 if game.players[0] in frame.guess.question else 1
            answer = game.names(who).index(frame.guess.choices[frame.guess.right])
            counts = [(one.first, one.second)[who] * one.time for one in (old, new)]
            played = np.rint(counts[1] - counts[0])
            assert played[answer] == max(played)
            assert played.tolist().count(max(played)) == 1
            assert re.search(rf"steps? .*\b{new.time}\?", frame.guess.question)
            first, second = (np.array(table, dtype=float) for table in (game.first, game.second))
            gains = first @ old.second if who == 0 else old.first @ second
            assert gains[answer] == max(gains)
            assert f"gone on with {game.names(who)[answer]}:" in frame.caption
            asked += 1
    assert asked > 20 if learner == "fictitious" else asked == 0


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_elimination_asks_what_is_struck_out_beside_what_stays_to_the_end(lang):
    asked = 0
    for seed in range(40):
        found = analyse(random_game(random.Random(seed), 3, 3))
        frames = analysis_film(found, lang=lang)
        if found.strict is None or not found.strict.steps:
            assert not any(frame.guess for frame in frames)
            continue
        for step, before, frame in zip(found.strict.steps, frames[:-1], frames[1:], strict=True):
            names = found.game.names(step.player)
            assert frame.guess.choices[frame.guess.right] == names[step.strategy]
            left = (found.strict.rows, found.strict.columns)[step.player]
            assert {names.index(name) for name in frame.guess.choices} == {step.strategy, *left}
            assert set(before.ahead) == {heading for heading, _ in before.facts}
            asked += 1
    assert asked > 10


def test_the_prisoners_dilemma_asks_what_a_lecture_asks():
    frames = analysis_film(analyse(named_game("prisoners-dilemma")))
    assert frames[1].guess.choices[frames[1].guess.right] == "silent"
    assert len(frames[1].guess.choices) == 2
