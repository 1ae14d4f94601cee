"""What workers do for visitors: choose moves, and everything else that takes a processor for more than a moment.

Each task is called with a function that sends an event on the way, and returns its answer; both are for JSON.
"""

from __future__ import annotations

import contextlib
import importlib
import threading
import time as clock
from collections.abc import Callable, Iterator, Sequence
from typing import Any, cast

from plyground.core.game import Game, result
from plyground.core.limits import Limit
from plyground.native.compiling import interpreted
from plyground.players import Player, Position, Resign
from plyground.players.player import Move
from plyground.players.tree_player import TreePlayer
from plyground.web.games.positions import game_positions, line_texts, started_game
from plyground.web.server.preparing import Send, Sender, prepared
from plyground.web.server.specs import allowed_game

__all__ = ["TASKS", "find_task", "now_and_then"]

Task = Callable[..., Any]
GLANCE, PAUSE = 0.05, 0.3
"""Seconds between two looks at what is thought, and between two pictures of a search."""
LONGEST_LINE = 12
LANGUAGES = ("en", "zh")


def replayed(game: Game, board: str, history: list[int]) -> Any:
    """The state after some actions."""
    with interpreted():
        state = started_game(game, board).initial
        for action in history:
            state = result(state, action)
    return state


def thought_facts(thought: Move, state: Any) -> dict[str, Any]:
    """What a player thinks so far."""
    return {
        "event": "thinking",
        "action": int(thought.action),
        "value": thought.value,
        "depth": thought.depth,
        "nodes": thought.nodes,
        "line": line_texts(state, thought.line[:LONGEST_LINE]),
    }


@contextlib.contextmanager
def now_and_then(tell: Callable[[], None], pause: float) -> Iterator[None]:
    """While the context lasts, another thread tells something again and again, so many seconds apart."""
    over = threading.Event()

    def listen() -> None:
        while not over.wait(pause):
            with contextlib.suppress(Exception):  # what is read while it is written may make no sense
                tell()

    thread = threading.Thread(target=listen, daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Thinker:
    """Tells what a player thinks, if that has changed, and draws its search in the languages that somebody wants."""

    def __init__(self, send: Send, player: Player, game: Game, state: Any, langs: list[str], large: bool) -> None:
        self._send, self._player, self._game, self._state = send, player, game, state
        self._given, self._large = langs, large
        self._told: Move | None = None
        self._drawn: dict[str, Any] = {}
        self._growing: dict[str, Any] = {}
        self._next = clock.monotonic() + PAUSE

    @property
    def langs(self) -> list[str]:
        """The languages that are wanted now: browsers come and go."""
        wishes = self._send.wishes if isinstance(self._send, Sender) else {}
        return list(wishes.get("tree", self._given))

    def look(self) -> None:
        """Tell it if it is time to: a tree changes all the time, what is thought only now and then."""
        if clock.monotonic() >= self._next:
            self.tell()
            self._next = clock.monotonic() + PAUSE
        elif not isinstance(self._player, TreePlayer):
            self._say(self._player.thoughts())

    def tell(self, choice: Move | None = None, langs: Sequence[str] = ()) -> None:
        """What is thought now, or was chosen, and how the search stands, in the given languages or those wanted."""
        thought = choice or self._player.thoughts()
        self._say(thought)
        if thought is not None:
            for lang in langs or self.langs:
                self._draw(lang, thought)

    def _say(self, thought: Move | None) -> None:
        if thought is not None and thought != self._told:
            self._told = thought
            self._send(thought_facts(thought, self._state))

    def _draw(self, lang: str, thought: Move) -> None:
        from plyground.pictures.tree import tree_data
        from plyground.watch.growing import Growing
        from plyground.web.server.catalogue import named

        if lang not in self._growing:
            self._growing[lang] = Growing(named(self._game, lang), self._state, lang, large=self._large)
        found = self._growing[lang].drawing(self._player, thought)
        if found is None:
            return
        tree = tree_data(found[0], lang=lang)
        if tree != self._drawn.get(lang):
            self._drawn[lang] = tree
            self._send({"event": "tree", "lang": lang, "tree": tree, "legend": found[1], **self._counts(thought)})

    def _counts(self, thought: Move) -> dict[str, Any]:
        """What the search has cost so far."""
        glimpse = self._player.glimpse()
        if glimpse is None:
            return {"simulations": thought.nodes}
        counted = "simulations" if glimpse.kind == "playouts" else "nodes"
        return {counted: glimpse.nodes, "cuts": glimpse.cuts, "first_cuts": glimpse.first_cuts}


def choose_move(
    send: Send, *, game: str, board: str, history: list[int], player: str, time: float | None, seed: int | None,
    tree: list[str], large: bool = False, stays: bool = True,
) -> dict[str, Any]:  # fmt: skip
    """What a player chooses: an action and what it thinks of it, or that it resigns. The clock starts at `started`.

    In each of the languages for the `tree`, ``tree`` events show the search while it runs, `large` or small. The last
    picture is sent in all languages if it `stays` when another is chosen.
    """
    made, chooser = prepared(game, player, seed)
    state = replayed(made, board, history)
    if tree:
        importlib.import_module("plyground.watch.growing")  # before the clock runs
    send({"event": "started"})
    thinker = Thinker(send, chooser, made, state, tree, large)
    with now_and_then(thinker.look, GLANCE):
        start = clock.monotonic()
        choice = chooser.choose(Position(made, state, tuple(history)), Limit(time=time))
        spent = clock.monotonic() - start
    if isinstance(choice, Resign):
        return {"resigns": True, "spent": spent}
    assert isinstance(choice, Move)
    if thinker.langs:
        with contextlib.suppress(Exception):
            thinker.tell(choice, LANGUAGES if stays else ())
    return {
        "action": int(choice.action),
        "value": choice.value,
        "depth": choice.depth,
        "nodes": choice.nodes,
        "line": line_texts(state, choice.line),
        "spent": spent,
    }


def think_aloud(
    send: Send, *, game: str, board: str, moves: str, player: str, time: float, seed: int | None, lang: str, large: bool
) -> dict[str, Any]:
    """Let a player choose only to see how: ``thinking`` and ``tree`` events, and what it chose in ``chosen``."""
    history = game_positions(started_game(allowed_game(game), board), moves)[1]
    chosen = choose_move(
        send, game=game, board=board, history=history, player=player, time=time, seed=seed, tree=[lang], large=large,
        stays=False,
    )  # fmt: skip
    send({"event": "chosen", **chosen})
    return {}


TASKS = {
    "think": "plyground.web.server.tasks:think_aloud",
    "move": "plyground.web.server.tasks:choose_move",
    "hints": "plyground.web.games.hints:give_hints",
    "analyse": "plyground.web.games.analyses:analyse_game",
    "watch": "plyground.web.lab.watch:draw_search",
    "bandit": "plyground.web.lab.bandits_regret:measure",
    "queens": "plyground.web.lab.queens:place_queens",
    "wumpus": "plyground.web.lab.wumpus:compare",
    "matrix": "plyground.web.lab.matrix:draw_matrix",
    "pacman": "plyground.web.lab.pacman:watch_games",
    "ghosts": "plyground.web.lab.pacman:choose_ghosts",
    "hidden": "plyground.web.lab.hidden:show_hidden",
    "tournament": "plyground.web.games.tournaments:hold_tournament",
}
"""What can be done, and the function that does it, which is imported when it is first needed."""


def find_task(name: str) -> Task:
    """The function for what is to be done."""
    module, _, function = TASKS[name].partition(":")
    return cast("Task", getattr(importlib.import_module(module), function))
