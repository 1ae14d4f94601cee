"""Kuhn poker: one card each from a deck of three, one bet, and bluffing is right already.

Both put one chip into the pot and get a card. The first player checks or bets one chip; facing a bet a player folds
or calls; after a check the second player may bet, too. The higher card wins the pot. Kuhn, "A simplified two-person
poker", 1950: the first player loses 1/18 of a chip a game, whatever it does.

Action 0 is to check or fold, 1 to bet or call; where chance deals, the action is the card, from 0, the lowest.
"""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.core.rules import CHANCE, observation, terminal, to_move, with_item
from plyground.errors import BadOption
from plyground.native.randomness import random_below
from plyground.pictures.board import svg
from plyground.pictures.cards import BACK, cards_svg

__all__ = ["Kuhn", "kuhn"]

NAMES = "123456789TJQK"
NONE, UNSEEN = -1, -2
"""Instead of a card: not dealt yet, and dealt but not seen."""
START, CHECKED, FOLDED, CALLED, FOLDED_LATE, CALLED_LATE = 1, 0b100, 0b110, 0b111, 0b1010, 0b1011
"""The bets so far as bits, 1 for a bet or a call, after a leading 1; and those that end the game."""


class Kuhn(NamedTuple):
    """The two cards, the bets so far (bits after a leading 1), and how many cards the deck has."""

    cards: tuple[int, int]
    bets: int
    deck: int


@rules.to_move.rule(Kuhn)
def _(state: Kuhn) -> int:
    if state.cards[0] == NONE or state.cards[1] == NONE:
        return CHANCE
    return 1 if 2 <= state.bets < 4 else 0


@rules.max_actions.rule(Kuhn)
def _(state: Kuhn) -> int:
    return state.deck


@rules.distinct_actions.rule(Kuhn)
def _(state: Kuhn) -> int:
    return 2


@rules.legal_actions.rule(Kuhn)
def _(state: Kuhn, out: Any) -> int:
    count = 0
    if to_move(state) == CHANCE:
        for card in range(state.deck):
            if card not in (state.cards[0], state.cards[1]):
                out[count] = card
                count += 1
    elif not terminal(state):
        out[0], out[1] = 0, 1
        count = 2
    return count


@rules.result.rule(Kuhn)
def _(state: Kuhn, action: int) -> Kuhn:
    if to_move(state) == CHANCE:
        seat = 0 if state.cards[0] == NONE else 1
        return Kuhn(with_item(state.cards, seat, action), state.bets, state.deck)
    return Kuhn(state.cards, 2 * state.bets + action, state.deck)


@rules.terminal.rule(Kuhn)
def _(state: Kuhn) -> bool:
    return state.bets in (CHECKED, FOLDED, CALLED, FOLDED_LATE, CALLED_LATE)


@rules.utility.rule(Kuhn)
def _(state: Kuhn, player: int) -> float:
    if state.bets == FOLDED:
        won = 1.0
    elif state.bets == FOLDED_LATE:
        won = -1.0
    else:
        won = 1.0 if state.bets == CHECKED else 2.0
        if state.cards[0] < state.cards[1]:
            won = -won
    return won if player == 0 else -won


@rules.observation.rule(Kuhn)
def _(state: Kuhn, player: int) -> Kuhn:
    """The other card is seen when both are shown: after a call, or two checks."""
    if state.cards[1 - player] == NONE or state.bets in (CHECKED, CALLED, CALLED_LATE):
        return state
    return Kuhn(with_item(state.cards, 1 - player, UNSEEN), state.bets, state.deck)


@rules.possible_state.rule(Kuhn)
def _(state: Kuhn, player: int, rng: Any) -> Kuhn:
    seen: Kuhn = observation(state, player)
    if seen.cards[1 - player] != UNSEEN:
        return seen
    card = random_below(rng, state.deck - 1)
    if card >= seen.cards[player]:
        card += 1
    return Kuhn(with_item(seen.cards, 1 - player, card), seen.bets, seen.deck)


def _card_text(card: int, deck: int) -> str:
    return {NONE: "-", UNSEEN: BACK}.get(card) or NAMES[len(NAMES) - deck :][card]


def _faces_bet(bets: int) -> bool:
    return bets > START and bets % 2 == 1


@rules.action_text.rule(Kuhn)
def _(state: Kuhn, action: int) -> str:
    if to_move(state) == CHANCE and not terminal(state):
        return _card_text(action, state.deck)
    if action not in (0, 1):
        return str(action)
    return (("fold", "call") if _faces_bet(state.bets) else ("check", "bet"))[action]


def _said(state: Kuhn) -> str:
    """What has been said, in words."""
    bits, words, bets = f"{state.bets:b}"[1:], [], START
    for bit in bits:
        words.append((("fold", "call") if _faces_bet(bets) else ("check", "bet"))[int(bit)])
        bets = 2 * bets + int(bit)
    return " ".join(words) or "nothing yet"


@rules.text.rule(Kuhn)
def _(state: Kuhn) -> str:
    first, second = (_card_text(card, state.deck) for card in state.cards)
    return f"first: {first}   second: {second}   said: {_said(state)}"


@svg.rule(Kuhn)
def _(state: Kuhn) -> str:
    hands = [[] if card == NONE else [_card_text(card, state.deck)] for card in state.cards]
    turn = -1 if terminal(state) else int(to_move(state))
    return cards_svg([("first", hands[0]), ("second", hands[1])], [_said(state)], marked=turn)


def kuhn(deck: Annotated[int, "how many cards, 3 to 13"] = 3) -> Game:
    """Kuhn poker: one card each, one bet; already bluffing is right."""
    if not 3 <= deck <= len(NAMES):
        raise BadOption(f"kuhn: deck must be a number of cards from 3 to {len(NAMES)}, not {deck}")
    return Game(
        "kuhn",
        Kuhn((NONE, NONE), START, deck),
        axes=Axes(hidden=True, chance=True),
        utilities=(-2.0, 2.0),
        seats=("first", "second"),
        opponent="cfr",
    )
