"""Searches to watch: what a search did on a game, a lesson or a tree, as the replay on the pages takes it."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from plyground.core.game import Game
from plyground.core.registry import split_spec
from plyground.core.rules import action_text
from plyground.errors import BadOption, UnknownName, suggestion
from plyground.games.tree import read_tree
from plyground.native.compiling import interpreted
from plyground.pictures.tree import Drawing, tree_data
from plyground.search.glimpse import now_and_then
from plyground.watch.classroom import MONTE_CARLO, TYPED_TITLES, Lesson, classroom
from plyground.watch.growing import grown_tree
from plyground.watch.mcts_run import MctsRun
from plyground.watch.searches import search_drawing
from plyground.watch.sentences import sentences
from plyground.watch.simulations import simulations_drawing
from plyground.watch.story import SearchDrawing
from plyground.watch.visited_tree import tree_drawing
from plyground.watch.worked_example import WORKED_EXAMPLE, worked_example
from plyground.web.games.choosing import PAUSE, choose_move
from plyground.web.games.positions import game_positions, started_game
from plyground.web.server.catalogue import named
from plyground.web.server.events import Send
from plyground.web.server.specs import PLAYABLE, allowed_game

__all__ = ["draw_search", "think_aloud"]

SIMULATIONS = 200
MOST_SIMULATIONS = 1_000_000
MOST_SHOWN = 60
FILES = ("endgame", "evaluation")


def draw_search(
    send: Send,
    *,
    what: str,
    tree: Any,
    algorithm: str,
    depth: int | None,
    moves: str,
    board: str,
    evaluation: str,
    order: str,
    symmetry: bool,
    quiescence: bool,
    simulations: int | None,
    shown: int | None,
    seed: int,
    lang: str,
) -> None:
    """Send one ``drawing`` event. `what` is a game's spec or a lesson's name; a `tree` is used instead if given."""
    sentences(lang)  # refuses languages that it does not speak
    send({"event": "started"})
    lesson, game = _subject(what, tree, board, lang)
    algorithm = algorithm or lesson.algorithm
    if lesson.name == WORKED_EXAMPLE and (algorithm, moves, simulations, shown) == (lesson.algorithm, "", None, None):
        _tell(send, worked_example(lang), {}, lang)
        return
    state = game_positions(game, moves or lesson.moves)[0][-1]
    name = split_spec(algorithm)[0] if algorithm else ""
    if name in MONTE_CARLO:
        _draw_mcts(send, game, state, algorithm, simulations, shown, seed, lang)
        return
    if evaluation and evaluation not in game.evaluations:
        known = ", ".join(game.evaluations) or "none"
        raise BadOption(f"{game.name} has no evaluation '{evaluation[:40]}'; it has: {known}")
    found = search_drawing(
        game,
        state,
        algorithm=algorithm,
        depth=lesson.depth if depth is None else depth,
        evaluation=evaluation or lesson.evaluation,
        order=order or "none",
        symmetry=symmetry or lesson.symmetry,
        quiescence=quiescence or lesson.quiescence,
        lang=lang,
    )
    _tell(send, found.drawing, _facts(found), lang)


def _subject(what: str, tree: Any, board: str, lang: str) -> tuple[Lesson, Game]:
    if tree is not None:
        return Lesson("tree"), read_tree(tree, TYPED_TITLES[lang], "the tree")
    if what in classroom():
        lesson = classroom()[what]
        game = lesson.make(lang)
        return lesson, named(game, lang) if lesson.game else game
    try:
        return Lesson(what), named(started_game(allowed_game(what), board), lang)
    except UnknownName:
        if ":" in what:
            raise
        names = [*classroom(), *PLAYABLE]
        raise UnknownName(f"there is no tree or game '{what[:40]}'{suggestion(what, names)}") from None


def _draw_mcts(
    send: Send, game: Game, state: Any, algorithm: str, simulations: int | None, shown: int | None, seed: int, lang: str
) -> None:
    name, options = split_spec(algorithm)
    for option in FILES:
        if option in options:
            raise BadOption(f"{name}: {option}: files of the server cannot be named here")
    number = SIMULATIONS if simulations is None else simulations
    if number > MOST_SIMULATIONS:
        raise BadOption(f"at most {MOST_SIMULATIONS:,} simulations can be watched, not {number:,}")

    runs: list[MctsRun] = []

    def watching(run: MctsRun) -> AbstractContextManager[None]:
        runs.append(run)

        def tell() -> None:
            drawing = grown_tree(game, state, run.tree, run.variant, run.settings, lang, large=True)
            send({"event": "tree", "tree": tree_data(drawing, lang=lang)})

        return now_and_then(tell, PAUSE)

    if shown is None:
        drawing = tree_drawing(
            game, state, simulations=number, player=algorithm, seed=seed, lang=lang, watching=watching
        )
    else:
        if shown > MOST_SHOWN:
            raise BadOption(f"at most {MOST_SHOWN} simulations can be shown step by step, not {shown}")
        drawing = simulations_drawing(
            game, state, simulations=number, shown=shown, player=algorithm, seed=seed, lang=lang, watching=watching
        )
    # A root that is solved ends the search early: what is told is how many simulations there were.
    _tell(send, drawing, {"algorithm": name, "simulations": runs[-1].done}, lang)


def _facts(found: SearchDrawing) -> dict[str, Any]:
    return {
        "algorithm": found.algorithm,
        "depth": found.depth,
        "visited": found.visited,
        "leaves": found.leaves,
        "moves_cut": found.moves_cut,
        "cuts": [
            {"node": cut.node, "kind": cut.kind, "value": cut.value, "bound": cut.bound, "actions": list(cut.actions)}
            for cut in found.cuts
        ],
        "value": found.value,
        "text": found.text,
        "line": list(found.line),
        "nodes": [
            {"name": node.name, "who": node.who, "visited": node.visited, "value": node.value, "text": node.text,
             "low": node.low, "high": node.high, "alpha": node.alpha, "beta": node.beta}
            for node in found.nodes
        ],
    }  # fmt: skip


def _tell(send: Send, drawing: Drawing, facts: dict[str, Any], lang: str) -> None:
    send({"event": "drawing", "drawing": tree_data(drawing, lang=lang), "facts": facts})


def think_aloud(
    send: Send, *, game: str, board: str, moves: str, player: str, time: float, seed: int | None, lang: str, large: bool
) -> None:
    """Let a player choose only to see how: ``thinking`` and ``tree`` events, and what it chose in ``chosen``."""
    states, history, _ = game_positions(started_game(allowed_game(game), board), moves)
    chosen = choose_move(
        send, game=game, board=board, history=history, player=player, time=time, seed=seed, tree=[lang], large=large,
        stays=False,
    )  # fmt: skip
    if "action" in chosen and "text" not in chosen:
        with interpreted():
            chosen["text"] = action_text(states[-1], chosen["action"])
    send({"event": "chosen", **chosen})
