"""A player chooses a move in a worker, and what it thinks is reported and drawn meanwhile."""

from __future__ import annotations

import contextlib
import importlib
import time as clock
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from plyground.arena.hall import has_files
from plyground.arena.referee import Rules, objection_to
from plyground.core.game import Game
from plyground.core.game_time import ClockFace
from plyground.core.limits import Limit
from plyground.core.rules import action_text, actions, result, to_move
from plyground.errors import PlygroundError, ProgramKilled, ProgramTimeout
from plyground.native.compiling import interpreted
from plyground.players import Player, Position, Resign
from plyground.players.player import Move
from plyground.players.tree_player import TreePlayer
from plyground.search.glimpse import now_and_then
from plyground.visible_text import visible
from plyground.web.games.positions import line_texts, spec_with_start, started_game
from plyground.web.server.events import Send, Sender
from plyground.web.server.preparing import prepared, seated
from plyground.web.server.specs import allowed_game, own_spec

__all__ = ["PAUSE", "choose_move"]

GLANCE, PAUSE = 0.05, 0.3
"""Seconds between two looks at what is thought, and between two pictures of a search."""
LONGEST_LINE = 12
LONGEST_REASON = 500
LANGUAGES = ("en", "zh")


def replayed(game: Game, board: str, history: list[int]) -> Any:
    """The state after some actions."""
    with interpreted():
        state = started_game(game, board).initial
        for action in history:
            state = result(state, action)
    return state


def move_facts(move: Move, state: Any, longest: int | None = None) -> dict[str, Any]:
    """What a player would play, or plays, and what it thinks of it; of its line so many moves."""
    facts = {"action": int(move.action), "value": move.value, "depth": move.depth, "nodes": move.nodes}
    return {**facts, "line": line_texts(state, move.line[:longest])}


class Thinker:
    """Reports what a player thinks, if that has changed, and draws its search in the languages that somebody wants."""

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
        """Report it if it is time to: a tree changes all the time, what is thought only now and then."""
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
            self._send({"event": "thinking", **move_facts(thought, self._state, LONGEST_LINE)})

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
    tree: list[str], large: bool = False, stays: bool = True, table: str = "",
    clocks: tuple[Sequence[float], float] | None = None,
) -> dict[str, Any]:  # fmt: skip
    """What a player chooses: an action and what it thinks of it, or that it resigns. The clock starts at `started`.
    Somebody's program may also have `lost`, see `ask_program`; it is kept for the game on this `table`.

    In each of the languages for the `tree`, ``tree`` events show the search while it runs, `large` or small. The last
    picture is sent in all languages if it `stays` when another is chosen. `clocks` are what the seats have left and
    what each move adds, if the game has a clock.
    """
    face = None if clocks is None else ClockFace(tuple(clocks[0]), clocks[1])
    limit = Limit(time=time, clock=face)
    own = own_spec(player)
    if own is not None and has_files(own):
        made = started_game(allowed_game(game), board)
        if board.strip():  # the program is told of the game by its spec
            made = replace(made, spec=spec_with_start(made))
        return ask_program(send, made, replayed(made, "", history), tuple(history), own, limit, seed, table)
    usual, chooser = prepared(game, player, seed)
    made = started_game(usual, board)
    state = replayed(made, "", history)
    if tree:
        importlib.import_module("plyground.watch.growing")  # before the clock runs
    send({"event": "started"})
    thinker = Thinker(send, chooser, made, state, tree, large)
    with now_and_then(thinker.look, GLANCE):
        start = clock.monotonic()
        choice = chooser.choose(Position(made, state, tuple(history)), limit)
        spent = clock.monotonic() - start
    if isinstance(choice, Resign):
        return {"resigns": True, "spent": spent}
    assert isinstance(choice, Move)
    if thinker.langs:
        with contextlib.suppress(Exception):
            thinker.tell(choice, LANGUAGES if stays else ())
    return {**move_facts(choice, state), "spent": spent}


def ask_program(
    send: Send, game: Game, state: Any, history: tuple[int, ...], spec: str, limit: Limit, seed: int | None,
    table: str,
) -> dict[str, Any]:  # fmt: skip
    """What somebody's program answers, judged as the referee of a tournament does; `lost` is why it has lost instead.

    Its process is behind a wall, so that whatever it does ends its game and nothing else. A program that was killed
    from outside has not lost: that is raised.
    """
    with interpreted():
        options, seat = actions(state), int(to_move(state))
    spent, illegal = 0.0, Rules().illegal_moves
    try:
        with seated(game, spec, seed, table, seat) as player:
            if not getattr(player, "running", False):
                player.prepare(game)
            send({"event": "started"})
            for _ in range(illegal):
                start = clock.monotonic()
                left = None if limit.time is None else max(0.0, limit.time - spent)
                choice = player.choose(Position(game, state, history), replace(limit, time=left))
                spent += clock.monotonic() - start
                if isinstance(choice, Resign):
                    return {"resigns": True, "spent": spent}
                with interpreted():
                    objection = objection_to(choice, state, options)
                if objection is None:
                    assert isinstance(choice, Move)
                    with interpreted():
                        text = action_text(state, choice.action)
                    return {**_known_facts(choice, state), "text": text, "spent": spent}
                player.refused(objection)
    except ProgramKilled:
        raise
    except ProgramTimeout:
        return {"lost": {"why": "time", "reason": "ran out of time"}, "spent": spent}
    except PlygroundError as error:
        line = visible(" ".join(str(error).split()))[:LONGEST_REASON]
        return {"lost": {"why": "fails", "reason": f"fails: {line}", "detail": line, "code": type(error).__name__}}
    return {
        "lost": {"why": "illegal_moves", "reason": f"played {illegal} illegal moves in a row", "count": str(illegal)}
    }


def _known_facts(move: Move, state: Any) -> dict[str, Any]:
    """What a program says of its move; a line that cannot be played is not shown."""
    try:
        return move_facts(move, state, LONGEST_LINE)
    except Exception:  # the program may have said anything
        return move_facts(replace(move, line=()), state)
