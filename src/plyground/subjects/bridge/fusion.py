"""Strategy fusion: deals in which solving each world with open cards leads astray.

The declarer has a sure way to three of four tricks: a small spade towards the queen. With all cards open it would do
better with another lead, because it would always know where the king of spades is. It never will: that lead wins 2.66
tricks against best defence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.rules import CHANCE, actions, as_seen, probability, result, to_move
from plyground.engines.bridge.double_dummy import double_dummy_values
from plyground.errors import BadOption, UnsuitableGame
from plyground.games.minibridge import MiniBridge, card_name
from plyground.native.compiling import interpreted
from plyground.native.randomness import stream
from plyground.pictures.plot import Bars, Panel, plot_svg
from plyground.search.ismcts import ismcts_search

__all__ = ["FUSION", "FUSION_EXACT", "LeadReport", "Leads", "compare_leads", "dealt", "leads_svg", "worlds_of"]

FUSION = "minibridge:cards=4,suits=2,north=Q8.A9,south=AJ7.T,leader=S"
"""South leads. North Q8 of spades and A9 of hearts, South AJ7 and T; East and West hold K, T, 9 and K, Q, J, 8, 7."""
FUSION_EXACT = {"S7": 3.0, "HT": 2.664}
"""What these leads are worth against best defence, in tricks: by CFR+ on the whole tree, with lead=S7 and HT."""
MOST_WORLDS = 20_000


@dataclass(frozen=True)
class LeadReport:
    """A card that may be played now: the mean number of tricks of the declarer in the end, and the fewest in any world.

    `opened` if all cards were laid open after it (PIMC), `least` in the worst world of these; `planned` if one plan
    must do for all worlds (ISMCTS), with `visits` visits.
    """

    card: int
    name: str
    opened: float
    least: int
    planned: float
    visits: int


@dataclass(frozen=True)
class Leads:
    """What PIMC and ISMCTS think of every card; `pimc` and `ismcts` are the cards they choose."""

    state: MiniBridge
    worlds: int
    simulations: int
    reports: tuple[LeadReport, ...]
    pimc: str
    ismcts: str


def worlds_of(state: Any, likely: float = 1.0) -> Iterator[tuple[Any, float]]:
    """All ways in which chance goes on until a player is to move, with their probabilities."""
    if to_move(state) != CHANCE:
        yield state, likely
        return
    for action in actions(state):
        yield from worlds_of(result(state, action), likely * probability(state, action))


def dealt(game: Game, seed: int) -> MiniBridge:
    """The first position after a random deal; which one does not matter to a declarer who cannot see it."""
    if not isinstance(game.initial, MiniBridge):
        raise UnsuitableGame(f"{game.spec} is not mini-bridge; write minibridge, or minibridge:cards=3,suits=3")
    state, rng = game.initial, stream(seed)
    with interpreted():
        while to_move(state) == CHANCE:
            options = actions(state)
            state = result(state, chance_action(state, options, len(options), rng))
    return state


def compare_leads(
    game: Game, *, simulations: int = 500_000, seed: int = 0, time: float | None = None,
    on_progress: Callable[[float], None] = lambda part: None,
) -> Leads:  # fmt: skip
    """What each first card is worth to the declarer, by all worlds one by one, and by one plan for all of them.

    The hands of North and South must be given, and one of them lead.
    """
    start = dealt(game, seed)
    if game.initial.hands[0] == 0 or start.leader % 2:
        raise BadOption("give the hands of both, and let one of them lead: north=...,south=...,leader=S")
    count, totals, least = 0, dict.fromkeys(actions(start), 0.0), dict.fromkeys(actions(start), start.size)
    for world, likely in worlds_of(game.initial):
        count += 1
        if count > MOST_WORLDS:
            raise BadOption(f"there are more than {MOST_WORLDS:,} worlds; take fewer cards")
        for card, tricks in double_dummy_values(world).items():
            totals[card] += likely * tricks
            least[card] = min(least[card], tricks)
    on_progress(0.2)
    limit = Limit(time=time, simulations=simulations)
    places = 1 << max(16, min(22, (8 * simulations).bit_length()))
    found = ismcts_search(as_seen(start, 0), limit, seed, utilities=game.utilities, places=places)
    on_progress(1.0)
    reports = tuple(
        LeadReport(
            card,
            card_name(card, start.ranks),
            totals[card],
            least[card],
            (found.values[card] + 1) / 2 * start.size if not start.goal else found.values[card],
            found.visits[card],
        )
        for card in totals
    )
    best = max(totals, key=totals.__getitem__)
    chosen = (card_name(card, start.ranks) for card in (best, found.action))
    return Leads(as_seen(start, 0), count, found.simulations, reports, *chosen)


WORDS = {
    "en": ("all cards open (PIMC)", "one plan (ISMCTS)", "exact", "card", "tricks"),
    "zh": ("四家明牌（PIMC）", "一个计划（ISMCTS）", "精确值", "牌", "墩数"),
}


def leads_svg(leads: Leads, lang: str = "en") -> str:
    """Bars for each card: tricks by PIMC, by ISMCTS, and, for the deal of this module, the truth."""
    words = WORDS[lang]
    names = [report.name for report in leads.reports]
    bars = [
        Bars(words[0], [report.opened for report in leads.reports]),
        Bars(words[1], [report.planned for report in leads.reports]),
    ]
    if leads.state.hands[0] and set(FUSION_EXACT) <= set(names):
        known = [FUSION_EXACT.get(name, float("nan")) for name in names]
        bars.append(Bars(words[2], known, style="mark", colour="#000000"))
    return plot_svg(
        [Panel(bars, "", words[3], words[4], categories=names, y_range=(0, leads.state.size), width=420)],
        title=f"PIMC: {leads.pimc}, ISMCTS: {leads.ismcts}",
    )
