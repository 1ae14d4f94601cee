"""Leduc poker: two cards of each rank, two rounds of betting, and a card on the table that all see.

Both put one chip into the pot and get a card. A round of betting follows: a raise is two chips in the first round, four
in the second, and there are two raises a round at most. Between the rounds a card is laid open. A card of the same rank
as the open one wins, else the higher card. Southey et al., "Bayes' Bluff: Opponent Modelling in Poker", 2005.

Actions are 0 to fold, 1 to check or call, 2 to bet or raise; where chance deals, the card: 2 * rank + suit.
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

__all__ = ["Leduc", "leduc"]

NAMES = "23456789TJQKA"
SUITS = "♠♥"
NONE, UNSEEN = -1, -2
"""Instead of a card: not dealt yet, and dealt but not seen."""
FOLD, CALL, RAISE = range(3)
OVER = 2
MOST_RAISES = 2


class Leduc(NamedTuple):
    """Cards and bets.

    `said` are the actions so far, in base 4 after a leading 1; `round` is 0, 1 or OVER; `raises` and `moves` count in
    this round; `stakes` are the chips of each player in the pot; `folded` is who has folded, or NONE.
    """

    cards: tuple[int, int]
    board: int
    said: int
    round: int
    raises: int
    moves: int
    stakes: tuple[int, int]
    turn: int
    folded: int
    ranks: int


@rules.to_move.rule(Leduc)
def _(state: Leduc) -> int:
    if state.cards[0] == NONE or state.cards[1] == NONE or (state.round == 1 and state.board == NONE):
        return CHANCE
    return state.turn


@rules.max_actions.rule(Leduc)
def _(state: Leduc) -> int:
    return max(3, 2 * state.ranks)


@rules.distinct_actions.rule(Leduc)
def _(state: Leduc) -> int:
    return 3


@rules.legal_actions.rule(Leduc)
def _(state: Leduc, out: Any) -> int:
    count = 0
    if terminal(state):
        return 0
    if to_move(state) == CHANCE:
        for card in range(2 * state.ranks):
            if card not in (state.cards[0], state.cards[1]):
                out[count] = card
                count += 1
        return count
    if state.stakes[state.turn] < state.stakes[1 - state.turn]:
        out[count] = FOLD
        count += 1
    out[count] = CALL
    count += 1
    if state.raises < MOST_RAISES:
        out[count] = RAISE
        count += 1
    return count


@rules.result.rule(Leduc)
def _(state: Leduc, action: int) -> Leduc:
    cards, board, stakes, ranks = state.cards, state.board, state.stakes, state.ranks
    if to_move(state) == CHANCE:
        if state.round == 1:
            return Leduc(cards, action, state.said, 1, 0, 0, stakes, 0, NONE, ranks)
        cards = with_item(cards, 0 if cards[0] == NONE else 1, action)
        return Leduc(cards, board, state.said, 0, 0, 0, stakes, 0, NONE, ranks)
    said, turn = 4 * state.said + action, state.turn
    if action == FOLD:
        return Leduc(cards, board, said, OVER, state.raises, state.moves + 1, stakes, turn, turn, ranks)
    stakes = with_item(stakes, turn, stakes[1 - turn])
    if action == RAISE:
        stakes = with_item(stakes, turn, stakes[turn] + (2 if state.round == 0 else 4))
        return Leduc(cards, board, said, state.round, state.raises + 1, state.moves + 1, stakes, 1 - turn, NONE, ranks)
    if state.moves > 0:  # both have had their say
        return Leduc(cards, board, said, state.round + 1, 0, 0, stakes, 0, NONE, ranks)
    return Leduc(cards, board, said, state.round, state.raises, 1, stakes, 1 - turn, NONE, ranks)


@rules.terminal.rule(Leduc)
def _(state: Leduc) -> bool:
    return state.round == OVER


@rules.utility.rule(Leduc)
def _(state: Leduc, player: int) -> float:
    if state.folded != NONE:
        winner = 1 - state.folded
    else:
        strength = [0, 0]
        for seat in range(2):
            rank = state.cards[seat] // 2
            strength[seat] = rank + (state.ranks if rank == state.board // 2 else 0)
        if strength[0] == strength[1]:
            return 0.0
        winner = 0 if strength[0] > strength[1] else 1
    return float(state.stakes[1 - winner] if player == winner else -state.stakes[player])


@rules.observation.rule(Leduc)
def _(state: Leduc, player: int) -> Leduc:
    """The other card is seen when both are shown: at the end, if nobody has folded."""
    if state.cards[1 - player] == NONE or (state.round == OVER and state.folded == NONE):
        return state
    return Leduc(
        with_item(state.cards, 1 - player, UNSEEN), state.board, state.said, state.round, state.raises, state.moves,
        state.stakes, state.turn, state.folded, state.ranks,
    )  # fmt: skip


@rules.possible_state.rule(Leduc)
def _(state: Leduc, player: int, rng: Any) -> Leduc:
    seen: Leduc = observation(state, player)
    if seen.cards[1 - player] != UNSEEN:
        return seen
    card = random_below(rng, 2 * state.ranks)
    while card in (seen.cards[player], seen.board):
        card = random_below(rng, 2 * state.ranks)
    return Leduc(
        with_item(seen.cards, 1 - player, card), seen.board, seen.said, seen.round, seen.raises, seen.moves,
        seen.stakes, seen.turn, seen.folded, seen.ranks,
    )  # fmt: skip


def _card_text(card: int, ranks: int) -> str:
    return {NONE: "-", UNSEEN: BACK}.get(card) or _rank_names(ranks)[card // 2] + SUITS[card % 2]


def _rank_names(ranks: int) -> str:
    """J, Q and K, as usual; others around them for other decks."""
    return NAMES[len(NAMES) - 1 - ranks : -1] if ranks < len(NAMES) else NAMES


@rules.action_text.rule(Leduc)
def _(state: Leduc, action: int) -> str:
    if terminal(state) or (to_move(state) != CHANCE and action not in (FOLD, CALL, RAISE)):
        return str(action)
    if to_move(state) == CHANCE:
        return _card_text(action, state.ranks)
    facing = state.stakes[state.turn] < state.stakes[1 - state.turn]
    return ("fold", "call" if facing else "check", "raise" if facing or state.raises else "bet")[action]


def _said(state: Leduc) -> str:
    """What has been said, in letters: f, c, r, with a stroke between the rounds."""
    words, code = "", state.said
    while code > 1:
        words, code = "fcr"[code % 4] + words, code // 4
    out, moves = "", 0
    for letter in words:
        out += letter
        moves += 1
        if letter == "c" and moves > 1 and "/" not in out:
            out, moves = out + "/", 0
    return out or "nothing yet"


@rules.text.rule(Leduc)
def _(state: Leduc) -> str:
    first, second = (_card_text(card, state.ranks) for card in state.cards)
    board = _card_text(state.board, state.ranks)
    pot = f"{state.stakes[0]}+{state.stakes[1]}"
    return f"first: {first}   second: {second}   table: {board}   pot: {pot}   said: {_said(state)}"


@svg.rule(Leduc)
def _(state: Leduc) -> str:
    names = [[] if card == NONE else [_card_text(card, state.ranks)] for card in (*state.cards, state.board)]
    turn = -1 if terminal(state) else int(to_move(state))
    rows = [("first", names[0]), ("second", names[1]), ("table", names[2])]
    return cards_svg(rows, [f"pot {state.stakes[0]}+{state.stakes[1]}", _said(state)], marked=turn)


def leduc(ranks: Annotated[int, "how many ranks, 2 to 13; of each there are two cards"] = 3) -> Game:
    """Leduc poker: two rounds of betting and a card that all see."""
    if not 2 <= ranks <= len(NAMES):
        raise BadOption(f"leduc: ranks must be a number from 2 to {len(NAMES)}, not {ranks}")
    return Game(
        "leduc",
        Leduc((NONE, NONE), NONE, 1, 0, 0, 0, (1, 1), 0, NONE, ranks),
        axes=Axes(hidden=True, chance=True),
        utilities=(-13.0, 13.0),
        seats=("first", "second"),
        opponent="cfr",
    )
