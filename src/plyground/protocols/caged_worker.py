"""Runs a player of ours that is made of somebody's files, in a process of its own.

    python -m plyground.protocols.caged_worker

The first line that it reads is JSON with the specs of the "game" and the "player", and the "seed". It answers with
``{"ready": true}`` or ``{"error": WHY}``, then to each line with a "limit" and the "history" of the game, or where not
everything is seen the "words" of what is, with the "move", with "resign", or with an "error". In "notes" stands what
does not compile. What the files print goes to the standard error stream, and they have no input.
"""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import as_seen, result
from plyground.errors import PlygroundError, UncompiledWarning
from plyground.games import make_game
from plyground.native.state_codec import read_state
from plyground.players import Move, Position, make_player


def main() -> None:
    """Answer until the input ends."""
    questions = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)  # what a file prints is not mistaken for an answer

    notes: list[str] = []
    warnings.showwarning = lambda message, category, *_: (
        notes.append(str(message)) if issubclass(category, UncompiledWarning) else None
    )

    def say(**answer: Any) -> None:
        answers.write(json.dumps({**answer, "notes": notes}) + "\n")
        answers.flush()
        notes.clear()

    try:
        wanted = json.loads(questions.readline())
        game = make_game(wanted["game"])
        player = make_player(wanted["player"], game, wanted["seed"])
        player.prepare(game)
    except BaseException as error:
        say(**_fault(error))
        return
    say(ready=True)
    for line in questions:
        question = json.loads(line)
        try:
            choice = player.choose(_position(game, question), Limit(**question["limit"]))
            say(**({"move": asdict(choice)} if isinstance(choice, Move) else {"resign": True}))
        except BaseException as error:
            say(**_fault(error))


def _position(game: Game, question: dict[str, Any]) -> Position:
    if (words := question.get("words")) is not None:
        return Position(game, read_state(as_seen(game.initial, question["seat"]), words))
    return Position(game, _after(game, question["history"]), tuple(question["history"]))


def _after(game: Game, history: Sequence[int]) -> Any:
    state = game.initial
    for action in history:
        state = result(state, action)
    return state


def _fault(error: BaseException) -> dict[str, Any]:
    """What went wrong, in one line; "known" if the line is one of ours, which says all by itself."""
    known = isinstance(error, PlygroundError)
    what = str(error) if known else f"{type(error).__name__}: {error}"
    return {"error": " ".join(what.split()), "known": known}


if __name__ == "__main__":
    main()
