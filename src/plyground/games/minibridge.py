"""Mini-bridge: the play of the cards in bridge, with a small deck.

Four hands around a table, North, East, South and West. The declarer plays both North and South, and the defence East
and West. Whoever leads plays any card; the others must follow suit if they can. The highest card of the suit led wins
the trick, or the highest trump, and the winner leads next. The declarer sees North and South, but not how the other
cards lie. The defence sees everything: this is the *best defence* of Frank and Basin, "Search in games with
incomplete information: a case study using bridge card play", 1998.

A card is ``suit * ranks + rank``, rank 0 the lowest; a hand is a set of cards, one bit each. Where chance deals, the
action is the seat that gets the next card.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NamedTuple

from plyground.core import rules
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.core.rules import CHANCE, terminal, with_item
from plyground.errors import BadOption
from plyground.native.bits import bit_index
from plyground.native.randomness import random_below
from plyground.pictures.board import svg
from plyground.pictures.cards import BACK, cards_svg

__all__ = ["MiniBridge", "card_name", "followers", "minibridge", "trick_winner"]

RANKS = "AKQJT98765432"
SUITS, SIGNS = "SHDC", "♠♥♦♣"
SEATS = ("North", "East", "South", "West")
NORTH, EAST, SOUTH, WEST = range(4)
NONE = -1
PACKED = 10
"""Cards of the record in one whole number, six bits each."""


class MiniBridge(NamedTuple):
    """Where the cards are.

    `hands` are the sets of cards of North, East, South and West; if `veiled`, those of East and West are both what
    the two hold together. `undealt` cards are still to be dealt, `size` to a hand. `trick` is the card of each seat
    in this trick, or NONE; `leader` is who led to it, `opener` who led to the first; `tricks` is how many the
    declarer has won. `log` are all cards in the order of play. With a `goal` that many tricks win and fewer lose.
    `lead` is a first card that is forced, or NONE.
    """

    hands: tuple[int, int, int, int]
    trick: tuple[int, int, int, int]
    log: tuple[int, int, int, int]
    played: int
    opener: int
    leader: int
    tricks: int
    undealt: int
    veiled: bool
    size: int
    suits: int
    ranks: int
    trump: int
    goal: int
    lead: int


def seat_to_play(state: MiniBridge) -> int:
    """Whose card is next."""
    return (state.leader + state.played) % 4


def followers(hand: int, led: int, ranks: int) -> int:
    """The cards of a hand that may be played to a trick: those of the suit led, or all."""
    suit = ((1 << ranks) - 1) << (led // ranks * ranks) if led != NONE else 0
    return hand & suit if hand & suit else hand


def trick_winner(trick: Any, leader: int, ranks: int, trump: int) -> int:
    """The seat that wins a full trick."""
    best, suit = leader, trick[leader] // ranks
    for seat in range(4):
        card = trick[seat]
        if card // ranks == suit and card > trick[best]:
            best = seat
        elif card // ranks == trump and suit != trump:
            best, suit = seat, trump
    return best


@rules.to_move.rule(MiniBridge)
def _(state: MiniBridge) -> int:
    return CHANCE if state.undealt else seat_to_play(state) % 2


@rules.max_actions.rule(MiniBridge)
def _(state: MiniBridge) -> int:
    return max(4, 2 * state.size)


@rules.distinct_actions.rule(MiniBridge)
def _(state: MiniBridge) -> int:
    return state.suits * state.ranks


@rules.legal_actions.rule(MiniBridge)
def _(state: MiniBridge, out: Any) -> int:
    count = 0
    if state.undealt:
        for seat in range(4):
            if state.hands[seat].bit_count() < state.size:
                out[count] = seat
                count += 1
        return count
    if state.played == 0 and state.lead != NONE:
        out[0] = state.lead
        return 1
    led = NONE if state.played % 4 == 0 else state.trick[state.leader]
    cards = followers(state.hands[seat_to_play(state)], led, state.ranks)
    while cards:
        out[count] = bit_index(cards)
        count += 1
        cards &= cards - 1
    return count


@rules.probability.rule(MiniBridge)
def _(state: MiniBridge, action: int) -> float:
    return (state.size - state.hands[action].bit_count()) / state.undealt.bit_count()


@rules.result.rule(MiniBridge)
def _(state: MiniBridge, action: int) -> MiniBridge:
    hands, trick, log = state.hands, state.trick, state.log
    undealt, leader, tricks, played = state.undealt, state.leader, state.tricks, state.played
    if undealt:
        hands = with_item(hands, action, hands[action] | undealt & -undealt)
        undealt &= undealt - 1
    else:
        seat = seat_to_play(state)
        hands = with_item(hands, seat, hands[seat] & ~(1 << action))
        if state.veiled and seat % 2:
            hands = with_item(hands, (seat + 2) % 4, hands[seat])
        log = with_item(log, played // PACKED, log[played // PACKED] | (action + 1) << played % PACKED * 6)
        trick = with_item(trick, seat, action)
        played += 1
        if played % 4 == 0:
            leader = trick_winner(trick, leader, state.ranks, state.trump)
            tricks += 1 - leader % 2
            trick = (NONE, NONE, NONE, NONE)
    return MiniBridge(
        hands, trick, log, played, state.opener, leader, tricks, undealt, state.veiled, state.size, state.suits,
        state.ranks, state.trump, state.goal, state.lead,
    )  # fmt: skip


@rules.terminal.rule(MiniBridge)
def _(state: MiniBridge) -> bool:
    return state.undealt == 0 and state.played == 4 * state.size


@rules.utility.rule(MiniBridge)
def _(state: MiniBridge, player: int) -> float:
    """With a goal 1 or -1; without one what the declarer has won of all tricks, from -1 for none to 1 for all."""
    if state.goal:
        value = 1.0 if state.tricks >= state.goal else -1.0
    else:
        value = (2.0 * state.tricks - state.size) / state.size
    return value if player == 0 else -value


@rules.score.rule(MiniBridge)
def _(state: MiniBridge, player: int) -> float:
    return float(state.tricks if player == 0 else state.size - state.tricks)


@rules.observation.rule(MiniBridge)
def _(state: MiniBridge, player: int) -> MiniBridge:
    """The declarer sees North and South, and of East and West together which cards they hold; the defence sees all."""
    if player == 1 or state.veiled:
        return state
    both = state.hands[EAST] | state.hands[WEST]
    return MiniBridge(
        (state.hands[NORTH], both, state.hands[SOUTH], both), state.trick, state.log, state.played, state.opener,
        state.leader, state.tricks, state.undealt, True, state.size, state.suits, state.ranks, state.trump,
        state.goal, state.lead,
    )  # fmt: skip


def record_card(state: MiniBridge, number: int) -> int:
    """The card that was played as this number, from 0."""
    return (state.log[number // PACKED] >> number % PACKED * 6 & 63) - 1


def void_suits(state: MiniBridge, seat: int) -> int:
    """The cards of the suits of which a seat has shown that it has none, by not following."""
    found, leader = 0, state.opener
    trick = (NONE, NONE, NONE, NONE)
    for number in range(state.played):
        card = record_card(state, number)
        here = (leader + number) % 4
        trick = with_item(trick, here, card)
        suit = trick[leader] // state.ranks
        if here == seat and card // state.ranks != suit:
            found |= ((1 << state.ranks) - 1) << suit * state.ranks
        if number % 4 == 3:
            leader = trick_winner(trick, leader, state.ranks, state.trump)
    return found


@rules.possible_state.rule(MiniBridge)
def _(state: MiniBridge, player: int, rng: Any) -> MiniBridge:
    """The unseen cards dealt again to East and West, all deals that fit what they have shown as likely."""
    if player == 1:
        return state
    unseen = state.hands[EAST] | state.hands[WEST]
    east, west = unseen & void_suits(state, WEST), unseen & void_suits(state, EAST)
    free = unseen & ~(east | west)
    # How many cards East still has: one fewer than at the start of the trick, if it has played to it.
    room = state.size - (state.played // 4) - (1 if state.trick[EAST] != NONE else 0) - east.bit_count()
    left = free.bit_count()
    while free:
        card = free & -free
        free &= free - 1
        if random_below(rng, left) < room:
            east |= card
            room -= 1
        else:
            west |= card
        left -= 1
    return MiniBridge(
        (state.hands[NORTH], east, state.hands[SOUTH], west), state.trick, state.log, state.played, state.opener,
        state.leader, state.tricks, state.undealt, False, state.size, state.suits, state.ranks, state.trump,
        state.goal, state.lead,
    )  # fmt: skip


# Words and pictures -------------------------------------------------------------------------------------------------


def card_name(card: int, ranks: int, *, sign: bool = False) -> str:
    """A card as people write it, ``SA``, or with the sign of its suit, ``♠A``."""
    return (SIGNS if sign else SUITS)[card // ranks] + RANKS[ranks - 1 - card % ranks]


def cards_of(hand: int) -> list[int]:
    """The cards of a hand, the first suit first, the highest cards first within a suit."""
    return [card for card in range(hand.bit_length() - 1, -1, -1) if hand >> card & 1]


def _ordered(hand: int, ranks: int) -> list[int]:
    return sorted(cards_of(hand), key=lambda card: (card // ranks, -(card % ranks)))


def hand_text(hand: int, suits: int, ranks: int) -> str:
    """A hand by suits, such as ``♠AQ ♥-``."""
    parts = []
    for suit in range(suits):
        names = "".join(card_name(card, ranks)[1] for card in _ordered(hand, ranks) if card // ranks == suit)
        parts.append(f"{SIGNS[suit]}{names or '-'}")
    return " ".join(parts)


@rules.action_text.rule(MiniBridge)
def _(state: MiniBridge, action: int) -> str:
    if state.undealt:
        return SEATS[action] if 0 <= action < 4 else str(action)
    return card_name(action, state.ranks) if 0 <= action < state.suits * state.ranks else str(action)


def _lines(state: MiniBridge) -> list[str]:
    laid = [
        f"{SEATS[seat]} {card_name(state.trick[seat], state.ranks, sign=True)}"
        for seat in ((state.leader + place) % 4 for place in range(4))
        if state.trick[seat] != NONE
    ]
    trump = "no trumps" if state.trump == NONE else f"trumps {SIGNS[state.trump]}"
    goal = f", goal {state.goal}" if state.goal else ""
    lost = state.played // 4 - state.tricks
    return [
        f"declarer {state.tricks}, defence {lost} ({trump}{goal})",
        f"trick: {', '.join(laid)}" if laid else "trick: nothing yet",
    ]


@rules.text.rule(MiniBridge)
def _(state: MiniBridge) -> str:
    rows = []
    for seat, name in enumerate(SEATS):
        veiled = state.veiled and seat % 2 == 1
        rows.append(f"{name:<6}{'?' if veiled else hand_text(state.hands[seat], state.suits, state.ranks)}")
    if state.veiled:
        rows.append(f"East and West hold {hand_text(state.hands[EAST], state.suits, state.ranks)}")
    return "\n".join(rows + _lines(state))


@svg.rule(MiniBridge)
def _(state: MiniBridge) -> str:
    rows = []
    for seat, name in enumerate(SEATS):
        if state.veiled and seat % 2 == 1:
            left = state.size - state.played // 4 - (1 if state.trick[seat] != NONE else 0)
            rows.append((name, [BACK] * (0 if state.undealt else left)))
        else:
            rows.append(
                (name, [card_name(c, state.ranks, sign=True) for c in _ordered(state.hands[seat], state.ranks)])
            )
    lines = _lines(state)
    if state.veiled:
        lines.insert(0, f"unseen: {hand_text(state.hands[EAST], state.suits, state.ranks)}")
    over = terminal(state) or bool(state.undealt)
    return cards_svg(rows, lines, marked=-1 if over else seat_to_play(state))


# The game -----------------------------------------------------------------------------------------------------------


def _read_hand(text: str, what: str, cards: int, suits: int, ranks: int) -> int:
    """A hand from a text such as ``AQ.2``: suits between dots, spades first."""
    hand = 0
    parts = text.upper().replace("10", "T").split(".")
    if len(parts) > suits:
        raise BadOption(f"minibridge: {what}={text} has {len(parts)} suits; the deck has {suits}")
    for suit, names in enumerate(parts):
        for name in names.strip("-"):
            place = RANKS[:ranks].find(name)
            if place < 0:
                raise BadOption(f"minibridge: {what}={text}: there is no card '{name}'; ranks are {RANKS[:ranks]}")
            hand |= 1 << suit * ranks + ranks - 1 - place
    if hand.bit_count() != cards or len("".join(parts).replace("-", "")) != cards:
        raise BadOption(f"minibridge: {what}={text} must be {cards} different cards, such as A2.K for suits S.H")
    return hand


def minibridge(
    cards: Annotated[int, "cards in a hand, 1 to 10"] = 4,
    suits: Annotated[int, "suits in the deck, 1 to 4"] = 2,
    trump: Annotated[Literal["none", "S", "H", "D", "C"], "the trump suit"] = "none",
    goal: Annotated[int, "tricks that the declarer must win; 0 for as many as possible"] = 0,
    north: Annotated[str, "North's hand, such as AQ.32: spades, then hearts; East and West are dealt the rest"] = "",
    south: Annotated[str, "South's hand"] = "",
    leader: Annotated[Literal["N", "E", "S", "W"], "who leads to the first trick"] = "W",
    lead: Annotated[str, "a first card that is forced, such as SA"] = "",
) -> Game:
    """Mini-bridge: win tricks with two hands of a small deck, without seeing how the other cards lie."""
    if not 1 <= cards <= 10 or not 1 <= suits <= 4:
        raise BadOption(f"minibridge: a hand has 1 to 10 cards and a deck 1 to 4 suits, not {cards} and {suits}")
    deck = 4 * cards
    ranks = deck // suits
    if deck % suits or ranks > len(RANKS):
        raise BadOption(
            f"minibridge: {deck} cards cannot be {suits} suits of up to {len(RANKS)} cards each; try other numbers"
        )
    if not 0 <= goal <= cards:
        raise BadOption(f"minibridge: goal must be a number of tricks from 0 to {cards}, not {goal}")
    if trump != "none" and SUITS.index(trump) >= suits:
        raise BadOption(f"minibridge: trump={trump}, but the suits are {', '.join(SUITS[:suits])}")
    if bool(north) != bool(south):
        raise BadOption("minibridge: give both north and south, or neither")
    up, down = (_read_hand(t, w, cards, suits, ranks) if t else 0 for t, w in ((north, "north"), (south, "south")))
    if up & down:
        raise BadOption(f"minibridge: north={north} and south={south} have a card in common")
    names = {card_name(card, ranks): card for card in range(deck)}
    opener = "NESW".index(leader)
    forced = names.get(lead.upper(), NONE)
    if lead and (forced == NONE or opener % 2 or not (up, 0, down, 0)[opener] >> forced & 1):
        raise BadOption(f"minibridge: lead={lead} must be a card of the hand that leads, North or South, such as SA")
    hands, trick, log = (up, 0, down, 0), (NONE,) * 4, (0, 0, 0, 0)
    undealt, strain = ((1 << deck) - 1) & ~(up | down), NONE if trump == "none" else SUITS.index(trump)
    table = hands, trick, log, 0, opener, opener, 0, undealt, False
    start = MiniBridge(*table, cards, suits, ranks, strain, goal, forced)
    axes = Axes(hidden=True, chance=True)
    return Game("minibridge", start, axes=axes, seats=("declarer", "defence"), opponent="ismcts")
