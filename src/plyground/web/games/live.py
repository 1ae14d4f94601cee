"""A game in progress: a tree of positions, of which one is on the board, and the referee's rules for going on.

Moves can be taken back, and other ones played from there: nothing that was played is lost. Forced passes and the draws
of chance are the referee's own moves, as everywhere. Nothing here waits for anybody; see `plyground.web.games.tables`.
"""

from __future__ import annotations

import secrets
import time as clock
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from plyground.arena.clocks import Clocks
from plyground.arena.referee import objection_to
from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.game_time import GameTime
from plyground.core.notation import must_pass
from plyground.core.played_game import OVER, PlayedGame, PlayedMove, PlayerEntry, forfeited
from plyground.core.rules import CHANCE, action_text, actions, result, to_move
from plyground.errors import BadOption, IllegalAction
from plyground.games.reversi import Reversi
from plyground.native.compiling import interpreted
from plyground.native.randomness import random_below, stream
from plyground.players import Move
from plyground.web.games.game_clock import ClockRules
from plyground.web.games.offers import Offer
from plyground.web.games.positions import (
    ending,
    game_positions,
    opening_facts,
    position,
    rules_that_ended,
    spec_with_start,
    started_game,
)
from plyground.web.games.seating import Seating
from plyground.web.server.catalogue import TITLES
from plyground.web.server.refusals import Refusal
from plyground.web.server.specs import HUMAN, allowed_game, allowed_player, enter_allowed

__all__ = ["LiveGame", "LiveNode", "new_game"]

LONGEST_OPENING = 20
"""Moves in which an opening gets its name."""
AGREED = "agreed"
"""Why a game has ended that both sides have called a draw."""
MOST_NODES = 5000
"""Positions that one game may collect."""
NO_MOVE = dict.fromkeys(one.name for one in fields(PlayedMove))
"""What is said of a move where none was made: at the beginning."""


@dataclass
class LiveNode:
    """A position that was on the board, and the move that led there; `left` is what the clocks showed."""

    id: int
    parent: int | None
    move: PlayedMove | None = None
    left: list[float] | None = None

    def facts(self) -> dict[str, Any]:
        """The node for the pages. A move of which the time is not known has none."""
        facts = {"id": self.id, "parent": self.parent, **NO_MOVE}
        if self.move is not None:
            facts |= {name: getattr(self.move, name) for name in NO_MOVE}
            facts["time"] = self.move.time or None
        return facts

    def content(self) -> dict[str, Any]:
        """What is kept, for JSON."""
        return {**self.facts(), "left": self.left}

    @classmethod
    def from_content(cls, content: dict[str, Any]) -> LiveNode:
        """The node that `content` has described."""
        said = {name: content[name] for name in NO_MOVE}
        move = None if content["parent"] is None else PlayedMove(**{**said, "time": said["time"] or 0.0})
        return cls(content["id"], content["parent"], move, content["left"])


@dataclass
class LiveGame:
    """Everything that is to be kept of a game. `at` is the number of the node on the board.

    `ended` is how the game came to an end there, if it did. `paused` after a move was taken back: programs wait.
    `address` is where the owner was when the game began, by which limits are counted. `begun` is how many moves were
    on the board by then. `offer` is what one side waits for the other to answer, `declined` what was refused at what is
    on the board, and `rematch` the game that both have agreed to play next. `rated` says of a rated game its `state`:
    "open", "counted" or "void", and what it has done to its owner's rating.
    """

    id: str
    owner: str
    spec: str
    players: list[str]
    board: str = ""
    seed: int = 0
    seeded: bool = False
    clock: ClockRules | None = None
    note: str = ""
    nodes: list[LiveNode] = field(default_factory=list)
    at: int = 0
    paused: bool = False
    ended: dict[str, Any] | None = None
    message: str | None = None
    message_code: str = ""
    version: int = 0
    started: float = 0.0
    address: str = ""
    begun: int = 0
    seating: Seating = field(default_factory=lambda: Seating("", []))
    offer: Offer | None = None
    declined: Offer | None = None
    rematch: str = ""
    rated: dict[str, Any] | None = None

    def __post_init__(self) -> None:
        if not self.seating.holders:
            self.seating = Seating.of(self.owner, [spec == HUMAN for spec in self.players])
        self._states: dict[int, Any] = {}
        self._children: dict[tuple[int, int], int] = {
            (node.parent, node.move.action): node.id
            for node in self.nodes
            if node.parent is not None and node.move is not None
        }
        self.passes: list[str] = []
        self._openings: dict[int, str | None] = {}
        self._opening: str | None = None
        self._shown: tuple[int, int, dict[str, Any]] | None = None

    # Keeping it --------------------------------------------------------------------------------------------------

    def content(self) -> dict[str, Any]:
        """What is kept, for JSON."""
        kept = {one.name: getattr(self, one.name) for one in fields(self)}
        kept["nodes"] = [node.content() for node in self.nodes]
        kept["clock"] = None if self.clock is None else vars(self.clock)
        kept["seating"] = self.seating.content()
        kept |= {name: None if kept[name] is None else vars(kept[name]) for name in ("offer", "declined")}
        return kept

    @classmethod
    def from_content(cls, content: dict[str, Any]) -> LiveGame:
        """The game that `content` has described; in one from before there were seats its owner holds all of them."""
        rules, seating = content["clock"], content.get("seating", {"holders": []})
        made = {
            "nodes": [LiveNode.from_content(node) for node in content["nodes"]],
            "clock": ClockRules(**rules) if rules else None,
            "seating": Seating(content["owner"], **seating),
            **{name: Offer(**content[name]) for name in ("offer", "declined") if content.get(name) is not None},
        }
        return cls(**{**content, **made})

    def summary(self) -> dict[str, Any]:
        """A line in the list of a visitor's games, and what it is found by; its `holders` are for the server alone."""
        moves = [move.text for move in self.moves()]
        facts = {"game": self.spec, "players": self.players, "ply": len(moves), "over": self.over, "at": self.at}
        seats = {"shared": self.seating.shared, "waiting": bool(self.seating.free), "holders": self.seating.holders}
        begun = {"started": self.started, "board": self.board, **opening_facts(self._opening)}
        return {**facts, **seats, **begun, "moves": moves, "rated": bool(self.rated)}

    # The position ------------------------------------------------------------------------------------------------

    @cached_property
    def game(self) -> Game:
        """The rules, begun from the board that was set up."""
        return started_game(allowed_game(self.spec), self.board)

    def path(self, number: int) -> list[LiveNode]:
        """The nodes from the first move to this one."""
        found = []
        node = self.nodes[number]
        while node.parent is not None:
            found.append(node)
            node = self.nodes[node.parent]
        return found[::-1]

    def moves(self) -> list[PlayedMove]:
        """The moves that led to what is on the board."""
        return [node.move for node in self.path(self.at) if node.move is not None]

    def history(self) -> list[int]:
        """The actions that led to what is on the board."""
        return [move.action for move in self.moves()]

    @property
    def ply(self) -> int:
        """How many moves have been made."""
        return len(self.path(self.at))

    def state_at(self, number: int) -> Any:
        """The state of a node."""
        if number not in self._states:
            state = self.game.initial
            with interpreted():
                for node in self.path(number):
                    if node.id not in self._states:
                        assert node.move is not None
                        self._states[node.id] = result(state, node.move.action)
                    state = self._states[node.id]
            self._states[number] = state
        return self._states[number]

    @property
    def state(self) -> Any:
        """What is on the board."""
        return self.state_at(self.at)

    @property
    def over(self) -> dict[str, Any] | None:
        """How the game has ended at what is on the board; None if it goes on."""
        return self._over_at(self.at)

    def _over_at(self, number: int) -> dict[str, Any] | None:
        if self.ended is not None and self.ended["node"] == number:
            return {key: value for key, value in self.ended.items() if key != "node"}
        return None

    @property
    def unfinished(self) -> bool:
        """Whether the game is rated, and what comes of that is open: nobody is helped, nothing is taken back."""
        return self.rated is not None and self.rated["state"] == "open"

    @property
    def begun_by_person(self) -> bool:
        """Whether somebody has made a move of their own."""
        return any(self.choice_before(seat) is not None for seat, spec in enumerate(self.players) if spec == HUMAN)

    @property
    def mover(self) -> int | None:
        """Whose turn it is; None if the game is over."""
        return None if self.over else int(to_move(self.state))

    @property
    def program(self) -> str | None:
        """The spec of the program whose turn it is; None if it is a person's."""
        mover = self.mover
        return None if mover is None or self.players[mover] == HUMAN else self.players[mover]

    def shown(self) -> dict[str, Any]:
        """The position on the board for the pages."""
        if self._shown is None or self._shown[:2] != (self.at, self.version):
            facts = self.position_at(self.at)
            self._opening = self._named_opening()
            self._shown = (self.at, self.version, facts)
        return self._shown[2]

    def position_at(self, number: int) -> dict[str, Any]:
        """A position that was on the board, for the pages; `Refusal` if there is none of that number."""
        self.check_node(number)
        parent = self.nodes[number].parent
        before = None if parent is None else self.state_at(parent)
        return position(self.game, self.state_at(number), len(self.path(number)), before, self._over_at(number))

    def _named_opening(self) -> str | None:
        """What the opening is called; only Reversi from its beginning has names."""
        from plyground.engines.reversi.openings import position_name
        from plyground.formats.replay import START

        if not isinstance(self.game.initial, Reversi) or self.game.initial != START:
            return None
        found = None
        for node in self.path(self.at)[:LONGEST_OPENING]:
            if node.id not in self._openings:
                with interpreted():
                    self._openings[node.id] = position_name(self.state_at(node.id)) or found
            found = self._openings[node.id]
        return found

    def facts(self) -> dict[str, Any]:
        """The game for the pages, but for what only the clock on the wall knows."""
        seats = self.game.seats
        return {
            "id": self.id,
            "version": self.version,
            "game": self.spec,
            "title": TITLES.get(self.game.name, (self.game.name,))[0],
            "seats": list(seats),
            "players": [
                {"spec": spec, "name": spec, "kind": HUMAN if spec == HUMAN else "program"} for spec in self.players
            ],
            "seats_note": self.note or None,
            "board": self.board or None,
            "nodes": [node.facts() for node in self.nodes],
            "at": self.at,
            "position": self.shown(),
            "passes": list(self.passes),
            "paused": self.paused,
            "over": self.over,
            "message": self.message,
            "message_code": self.message_code,
            "shared": self.seating.shared,
            "free": self.seating.free,
            "draws": self.drawable,
            "offer": None if self.offer is None else vars(self.offer),
            "declined": None if self.declined is None else vars(self.declined),
            "rematch": self.rematch or None,
            "rated": self.rated,
            **opening_facts(self._opening),
        }

    # Going on ----------------------------------------------------------------------------------------------------

    def add(self, action: int, answer: Move | None = None, time: float | None = None) -> LiveNode:
        """Put a legal action on the board; if it was played here before, go there again."""
        number = self._children.get((self.at, action))
        if number is None:
            if len(self.nodes) >= MOST_NODES:
                raise Refusal(422, f"this game has {MOST_NODES} positions already; begin another one")
            with interpreted():
                mover, text = int(to_move(self.state)), action_text(self.state, action)
            number = len(self.nodes)
            self.nodes.append(LiveNode(number, self.at, PlayedMove(mover, action, text)))
            self._children[self.at, action] = number
        node = self.nodes[number]
        assert node.move is not None
        if time is not None:
            node.move = replace(node.move, time=round(time, 3))
        if answer is not None and answer.value is not None:
            node.move = replace(node.move, value=answer.value, depth=answer.depth, nodes=answer.nodes)
        self.at = number
        return node

    def settle(self) -> None:
        """The referee's own moves: forced passes, chance, and the end of the game."""
        with interpreted():
            while options := actions(self.state):
                mover = int(to_move(self.state))
                if mover == CHANCE:
                    rng = stream(self.seed, self.ply)
                    self.add(chance_action(self.state, options, len(options), rng))
                elif must_pass(self.state, options):
                    self.passes.append(self.game.seats[mover])
                    self.add(options[0])
                else:
                    return
            self.end(ending(self.game.returns(self.state), OVER, **rules_that_ended(self.state)))

    def end(self, how: dict[str, Any]) -> None:
        """The game ends at what is on the board."""
        self.ended = {"node": self.at, **how}

    def forfeit(self, seat: int, why: str, reason: str, **more: Any) -> None:
        """Somebody has lost otherwise than at the board: `why` as in `ending`, `reason` as the end of a sentence."""
        self.end(ending(*forfeited(self.game, seat, reason), why, seat, **more))

    def check_move(self, action: int) -> None:
        """`IllegalAction` if it cannot be played here."""
        with interpreted():
            options = actions(self.state)
            if objection := objection_to(Move(action), self.state, options):
                raise IllegalAction(objection)

    def was_made(self, action: int, at: int) -> int | None:
        """The seat that has made this move at that node, on the way to what is on the board; None if nobody has."""
        number = self._children.get((at, action))
        made = next((node.move for node in self.path(self.at) if node.id == number), None)
        return None if made is None else made.player

    def choice_before(self, seat: int) -> int | None:
        """Where the seat has made its last choice on the way to what is on the board; None if it has made none."""
        for node in reversed(self.path(self.at)[self.begun :]):
            if node.move is not None and node.move.player == seat and node.move.text != "pass":
                return node.parent
        return None

    @property
    def drawable(self) -> bool:
        """Whether two people may agree on a draw: the rules can end in one, and what one wins the other loses."""
        return self.game.draws and self.game.axes.zero_sum and self.players == [HUMAN, HUMAN]

    def draw(self) -> None:
        """Both sides agree that nobody has won."""
        self.end(ending([sum(self.game.utilities) / 2] * len(self.players), AGREED, AGREED))

    def forget_offers(self) -> None:
        """What was offered or declined at another position, or before the end, is so no more."""
        self.offer, self.declined = (
            one if one is not None and one.at == self.at and one.stands(over=self.over is not None) else None
            for one in (self.offer, self.declined)
        )

    def check_node(self, number: int) -> None:
        """`Refusal` if there is no position of that number."""
        if not 0 <= number < len(self.nodes):
            raise Refusal(422, f"there is no position {number} in this game; they are 0 to {len(self.nodes) - 1}")

    def go_to(self, number: int) -> None:
        """Put a position that was on the board there again."""
        self.check_node(number)
        self.at = number
        with interpreted():
            if not actions(self.state):
                self.end(ending(self.game.returns(self.state), OVER, **rules_that_ended(self.state)))

    def new_clocks(self) -> Clocks | None:
        """The clocks as they stood when what is on the board was reached."""
        if self.clock is None:
            return None
        time = None if self.clock.game is None else GameTime(self.clock.game, self.clock.increment)
        clocks = Clocks(len(self.players), self.clock.move, time)
        left = self.nodes[self.at].left
        if left is not None:
            clocks.left = list(left)
        return clocks

    def note_clocks(self, left: Sequence[float]) -> None:
        """What the clocks show after the last move, and after the referee's own moves that have followed it."""
        node = self.nodes[self.at]
        node.left = list(left)
        while node.parent and node.move and (node.move.text == "pass" or node.move.player == CHANCE):
            node = self.nodes[node.parent]
            node.left = list(left)

    def record(self, ended: float | None = None) -> PlayedGame:
        """The game as it was played, from its first move to what is on the board; it has `ended` just now, or then."""
        over = self.over
        assert over is not None
        return PlayedGame(
            f"app/{self.id}/{self.at}",
            spec_with_start(self.game) if self.board else self.spec,
            tuple(self._entry(spec) for spec in self.players),
            tuple(over["returns"]),
            tuple(self.moves()),
            over["reason"],
            "",
            self.started,
            (clock.time() if ended is None else ended) - self.started,
        )

    def _entry(self, spec: str) -> PlayerEntry:
        return PlayerEntry(HUMAN, HUMAN) if spec == HUMAN else enter_allowed([spec], allowed_game(self.spec))[0]


def new_game(
    owner: str,
    spec: str,
    players: Sequence[str],
    *,
    lot: bool = False,
    moves: str = "",
    board: str = "",
    clock_rules: ClockRules | None = None,
    seed: int | None = None,
    address: str = "",
    own: int | None = None,
    holders: Sequence[str] | None = None,
    rated: bool = False,
) -> LiveGame:
    """A game that begins now. With `lot` who sits where is drawn at random.

    The owner holds the seats of all people; or only `own`, and whoever comes first the other. Of a rematch the
    `holders` are known, see `Seating`.
    """
    game = allowed_game(spec)
    if len(players) != game.axes.players:
        raise BadOption(f"{game.name} has {game.axes.players} seats, not {len(players)}; give a player for each")
    seated = [allowed_player(player, spec) for player in players]
    chosen = secrets.randbelow(1_000_000_000) if seed is None else seed
    note = ""
    if lot:
        shift = random_below(stream(chosen), len(seated))
        seated = seated[-shift:] + seated[:-shift] if shift else seated
        own = None if own is None else (own + shift) % len(seated)
        note = ", ".join(f"{seat}: {player}" for seat, player in zip(game.seats, seated, strict=True))
    live = LiveGame(
        id=secrets.token_urlsafe(9),
        owner=owner,
        spec=spec.strip(),
        players=seated,
        board=board.strip(),
        seed=chosen,
        seeded=seed is not None,
        clock=clock_rules,
        note=note,
        nodes=[LiveNode(0, None)],
        started=clock.time(),
        address=address,
        seating=_seating(owner, seated, own, holders),
        rated={"state": "open"} if rated else None,
    )
    for action in game_positions(live.game, moves)[1]:
        live.add(action)
    live.settle()
    live.begun = live.ply
    return live


def _seating(owner: str, players: Sequence[str], own: int | None, holders: Sequence[str] | None) -> Seating:
    if holders is not None:
        return Seating(owner, list(holders))
    return Seating.of(owner, [spec == HUMAN for spec in players], own)
