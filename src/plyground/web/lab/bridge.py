"""Deals of bridge for the page of hidden information: one that fools a search, and others to play."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from plyground.core.chance import random_action
from plyground.core.rules import CHANCE, action_text, actions, observation, parse_action, result, to_move
from plyground.engines.bridge.double_dummy import double_dummy, double_dummy_values
from plyground.errors import ActionError, BadOption
from plyground.games import make_game
from plyground.games.minibridge import SEATS, MiniBridge, card_name, cards_of, seat_to_play
from plyground.native.compiling import interpreted
from plyground.native.randomness import stream
from plyground.pictures.board import svg
from plyground.subjects.bridge.fusion import FUSION, FUSION_EXACT, compare_leads, leads_svg
from plyground.web.server.events import Send

__all__ = ["deal_facts", "play_deal", "show_deal"]

DECLARER = 0


@lru_cache(maxsize=1)
def _leads() -> Any:
    return compare_leads(make_game(FUSION), simulations=400_000, seed=1)


def show_deal(send: Send, *, lang: str) -> None:
    """Send ``bridge``: the deal of strategy fusion as the declarer sees it, and what each lead is worth to whom."""
    send({"event": "started"})
    found = _leads()
    facts = {
        "hands": svg(found.state),
        "svg": leads_svg(found, lang),
        "pimc": found.pimc,
        "ismcts": found.ismcts,
        "leads": [
            {"card": one.name, "opened": one.opened, "planned": one.planned, "exact": FUSION_EXACT.get(one.name)}
            for one in found.reports
        ],
    }
    send({"event": "bridge", **facts})


def play_deal(send: Send, *, cards: int, trump: str, moves: list[str], seed: int, lang: str) -> None:
    """Send ``bridge_play``: a deal after the declarer's cards; the defence sees all hands and plays double-dummy.

    The seed decides the deal. When it is over, all hands are shown, and what each card of the declarer has cost with
    open cards.
    """
    send({"event": "started"})
    state, own = dealt(cards, trump, seed), list(moves)
    deal, chosen = state, []
    while options := actions(state):
        if to_move(state) == DECLARER:
            if not own:
                break
            word = own.pop(0)
            try:
                card = parse_action(state, word)
            except ActionError as error:
                raise BadOption(str(error)) from None
            chosen.append((state, card))
        else:
            card = _defence(state, options)
        state = result(state, card)
    facts = deal_facts(state)
    if facts["over"]:
        facts["deal"] = svg(deal)
        facts["open"] = double_dummy(deal)
        facts["review"] = [_verdict(before, card) for before, card in chosen]
    send({"event": "bridge_play", **facts})


def dealt(cards: int, trump: str, seed: int) -> MiniBridge:
    """The cards of a seed, before the opening lead; the side with more honours declares."""
    rng, state = stream(seed, 1), make_game(f"minibridge:cards={cards},suits=4,trump={trump}").initial
    with interpreted():
        while to_move(state) == CHANCE:
            options = actions(state)
            state = result(state, random_action(state, options, len(options), rng))
    north, east, south, west = state.hands
    if _honours(north | south, state.ranks) < _honours(east | west, state.ranks):
        state = state._replace(hands=(east, south, west, north))
    return state  # type: ignore[no-any-return]


def _honours(cards: int, ranks: int) -> int:
    """4, 3, 2 and 1 points for ace, king, queen and jack."""
    return sum(max(0, card % ranks - ranks + 5) for card in cards_of(cards))


def _defence(state: MiniBridge, options: list[int]) -> int:
    """A card after which the declarer wins the fewest tricks, all hands being open; of several the lowest."""
    values = double_dummy_values(state) if len(options) > 1 else {options[0]: 0}
    fewest = min(values.values())
    return min((card for card in options if values[card] == fewest), key=lambda card: (card % state.ranks, card))


def deal_facts(state: MiniBridge) -> dict[str, Any]:
    """What the declarer may know: until the end, nothing of it depends on how the unseen cards lie."""
    options = actions(state)
    return {
        "svg": svg(observation(state, DECLARER)),
        "seat": SEATS[seat_to_play(state)] if options else None,
        "cards": [{"name": action_text(state, c), "sign": card_name(c, state.ranks, sign=True)} for c in options[::-1]],
        "tricks": state.tricks,
        "played": state.played // 4,
        "size": state.size,
        "over": not options,
    }


def _verdict(state: MiniBridge, card: int) -> dict[str, Any]:
    """What a card of the declarer has cost, counted in tricks with open cards, and which ones would have cost none."""
    values = double_dummy_values(state)
    best = max(values.values())
    return {
        "trick": state.played // 4 + 1,
        "seat": SEATS[seat_to_play(state)],
        "card": card_name(card, state.ranks, sign=True),
        "choices": len(values),
        "cost": best - values[card],
        "better": [card_name(other, state.ranks, sign=True) for other, value in values.items() if value == best],
    }
