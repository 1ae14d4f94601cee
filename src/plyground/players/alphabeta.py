"""The players of the alpha-beta family: `alphabeta`, `pvs` and `mtdf`, with every enhancement an option."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any, ClassVar, Literal

from plyground.core.axes import Accepts
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.errors import BadOption, suggestion
from plyground.native.randomness import fresh_seed, random_below, stream
from plyground.players.endgame_option import Endgame, EndgameOption
from plyground.players.player import Move, Player, Position
from plyground.players.search_player import SearchPlayer
from plyground.search.alphabeta import AlphaBetaSettings, AlphaBetaVariant
from plyground.search.alphabeta_search import AlphaBetaResult, AlphaBetaSearch, Root
from plyground.search.evaluations import find_evaluation
from plyground.search.glimpse import Glimpse
from plyground.search.mtdf import mtdf as mtdf_root
from plyground.search.pvs import pvs as with_scouts
from plyground.search.result import SearchResult

__all__ = ["AlphaBetaPlayer", "alphabeta", "mtdf", "pvs"]

DEFAULT_LIMIT = Limit(time=1.0)
ORDERS = {"evaluation": "by_evaluation", "previous": "previous", "killer": "killers", "history": "history"}
LARGEST_TABLE = 10**12
UNITS = {"": 1e6, "b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9}


class AlphaBetaPlayer(SearchPlayer):
    """Searches with `plyground.search.alphabeta_search` within a limit and plays the best move.

    `searched` are more fields of its `AlphaBetaSearch`.
    """

    accepts: ClassVar[Accepts] = Accepts(players=(2,))

    def __init__(
        self,
        limit: Limit,
        variant: AlphaBetaVariant,
        settings: AlphaBetaSettings,
        *,
        evaluation: str = "",
        endgame: str = "",
        seed: int | None = None,
        **searched: Any,
    ) -> None:
        self.limit = limit
        self._variant, self._settings, self._searched = variant, settings, searched
        self._evaluation, self._endgame = evaluation, EndgameOption(endgame)
        self._seed, self._rng = seed, stream(seed or 0)
        self._search: AlphaBetaSearch | None = None

    def prepare(self, game: Game) -> None:
        self.search_of(game).prepare()

    def find(self, position: Position, limit: Limit) -> SearchResult:
        search = self.search_of(position.game)
        if known := self._endgame.found(position):
            chosen = random_below(self._rng, len(known.best)) if self._seed is not None else 0
            return known.choosing(known.best[chosen])
        return search.search(position.state, self.limit.within(limit))

    def move_of(self, found: SearchResult, time: float | None = None) -> Move:
        move = super().move_of(found, time)
        if not isinstance(found, AlphaBetaResult):
            return move
        several = tuple((found.values[action], line) for action, line in found.lines.items())
        return replace(move, table_hits=found.table_hits, lines=several if self._settings.lines > 1 else ())

    def thoughts(self) -> Move | None:
        found = None if self._search is None else self._search.latest
        return None if found is None else super().move_of(found)

    def glimpse(self) -> Glimpse | None:
        return None if self._search is None else self._search.glimpse()

    def search_of(self, game: Game) -> AlphaBetaSearch:
        """The search with the player's options, the same one for the same game."""
        if self._search is None or self._search.game is not game:
            self._search = AlphaBetaSearch(
                game,
                replace(self._variant, evaluation=find_evaluation(self._evaluation, game)),
                self._settings,
                endgame=self._endgame.open_for(game),
                seed=self._seed,
                **self._searched,
            )
        return self._search


def memory_size(text: str, name: str) -> int:
    """The bytes of a text such as 64MB, 512KB, 2GB; a number alone is megabytes."""
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmg]?b)?", text.strip().lower())
    if not found:
        raise BadOption(f"{name} must be a size such as 64MB, or 0 for none, not '{text}'")
    size = float(found[1]) * UNITS[found[2] or ""]
    if size > LARGEST_TABLE:
        raise BadOption(f"{name}: {text} is too large; the most is {LARGEST_TABLE / 1e9:g}GB")
    return int(size)


def orders(text: str, name: str) -> dict[str, Any]:
    """The fields of a variant for a text such as evaluation+killer, all or none."""
    words = list(ORDERS) if text == "all" else [] if text == "none" else text.split("+")
    for word in words:
        if word not in ORDERS:
            raise BadOption(f"{name}: there is no order '{word}'{suggestion(word, [*ORDERS, 'all', 'none'])}")
    return {ORDERS[word]: True for word in words}


@dataclass(frozen=True)
class AlphaBetaOptions:
    """The options that the whole family has."""

    depth: Annotated[int | None, "plies to look ahead; as deep as the other limits allow if not set"] = None
    time: Annotated[float | None, "seconds a move; 1 if no limit is set"] = None
    nodes: Annotated[int | None, "positions to look at for a move"] = None
    evaluation: Annotated[str, "another evaluation that the game has, your own as file.py:function, or learned.npz"] = (
        ""
    )
    order: Annotated[str, "all, none, or some of evaluation+previous+killer+history"] = "all"
    tt: Annotated[str, "size of the transposition table, such as 64MB; 0 for none"] = "64MB"
    tt_deeper: Annotated[bool, "let the table answer with deeper results than asked: stronger, but values change"] = (
        False
    )
    quiescence: Annotated[bool, "look on along noisy moves at the depth limit"] = False
    beam: Annotated[int, "look only at this many of the most promising moves; 0 for all"] = 0
    margin: Annotated[float, "near window: cut when a value is within this margin of the bound; 0 for none"] = 0.0
    singular: Annotated[float, "search a move deeper if all others are worse by this margin; 0 for none"] = 0.0
    reuse: Annotated[bool, "keep the table from move to move"] = True
    deepening: Annotated[bool, "off: straight to the depth given, as is best where it reaches the end of the game"] = (
        True
    )
    endgame: Endgame = ""
    ties: Annotated[
        Literal["first", "random"] | None,
        "which of equally good moves to play; random if not set and the order has previous, which it needs",
    ] = None
    seed: Annotated[int | None, "seed of the choice between equally good moves"] = None


USUAL = AlphaBetaOptions()
Lines = Annotated[int, "how many of the best moves get exact values"]


def _make(
    name: str,
    options: AlphaBetaOptions,
    lines: int = 1,
    change: Callable[[AlphaBetaVariant], AlphaBetaVariant] = lambda variant: variant,
    root: Root | None = None,
) -> Player:
    """A player of the family."""
    for option in ("margin", "beam", "singular"):
        if getattr(options, option) < 0:
            raise BadOption(f"{name}: {option} must be at least 0, not {getattr(options, option):g}")
    if lines < 1:
        raise BadOption(f"{name}: lines must be at least 1, not {lines}")
    table = memory_size(options.tt, f"{name}: tt")
    variant = AlphaBetaVariant(
        table=table > 0,
        deeper=options.tt_deeper,
        quiescence=options.quiescence,
        beam=options.beam > 0,
        near=options.margin > 0,
        singular=options.singular > 0,
    )
    variant = replace(variant, **orders(options.order, name))
    if variant.singular and not (variant.table and variant.previous):
        raise BadOption(f"{name}: singular needs a table and order=previous, from which it knows the best move")
    if variant.near and name != "alphabeta":
        raise BadOption(f"{name}: margin needs windows that are not null; use alphabeta")
    if variant.beam and not variant.ordered:
        raise BadOption(f"{name}: beam needs an order, to know which moves are the best")
    chance = options.ties == "random" or (options.ties is None and variant.previous)
    if chance and not variant.previous:
        raise BadOption(f"{name}: ties=random needs order=previous, which shuffles the moves; use ties=first")
    limit = Limit(time=options.time, nodes=options.nodes, depth=options.depth)
    return AlphaBetaPlayer(
        DEFAULT_LIMIT if limit == Limit() else limit,
        change(variant),
        AlphaBetaSettings(lines=lines, beam=options.beam, margin=options.margin, singular_margin=options.singular),
        table=table,
        evaluation=options.evaluation,
        reuse=options.reuse,
        deepening=options.deepening,
        endgame=options.endgame,
        root=root,
        seed=None if not chance else fresh_seed() if options.seed is None else options.seed,
    )


def alphabeta(options: AlphaBetaOptions = USUAL, lines: Lines = 1) -> Player:
    """Alpha-beta, deeper and deeper, with move ordering and a transposition table."""
    return _make("alphabeta", options, lines)


def pvs(options: AlphaBetaOptions = USUAL, lines: Lines = 1) -> Player:
    """Principal variation search: alpha-beta that scouts ahead with null windows."""
    return _make("pvs", options, lines, with_scouts)


def mtdf(options: AlphaBetaOptions = USUAL) -> Player:
    """MTD(f): nothing but null-window searches, around a guess."""
    if memory_size(options.tt, "mtdf: tt") == 0:
        raise BadOption("mtdf: it needs a transposition table, such as tt=64MB, because it searches again and again")
    return _make("mtdf", options, root=mtdf_root)
