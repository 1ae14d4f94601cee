"""Kuhn and Leduc poker: rules, what players see, and what the referee and the command show of them."""

from __future__ import annotations

import pytest

from plyground import CHANCE, action_text, actions, make_game, observation, result, text, to_move
from plyground.arena.referee import play_game
from plyground.core.axes import Axes
from plyground.core.game import Game
from plyground.core.rules import action_seen, legal_actions, terminal, utility
from plyground.errors import BadOption, ContractBroken, UnsuitableGame
from plyground.games.contract import check_game
from plyground.games.kuhn import UNSEEN, Kuhn
from plyground.players import Move, Player, make_player, players_for
from plyground.players.human import HumanPlayer


def after(game, *texts):
    state = game.initial
    for said in texts:
        state = result(state, next(a for a in actions(state) if action_text(state, a) == said))
    return state


@pytest.mark.parametrize(
    ("said", "returns"),
    [
        ("J K check check", (-1, 1)),
        ("K J bet fold", (1, -1)),
        ("J Q bet call", (-2, 2)),
        ("Q J check bet fold", (-1, 1)),
        ("K Q check bet call", (2, -2)),
    ],
)
def test_kuhn_pays(said, returns):
    game = make_game("kuhn")
    state = after(game, *said.split())
    assert not actions(state)
    assert game.returns(state) == returns


@pytest.mark.parametrize(
    ("said", "returns"),
    [
        ("J♠ K♥ bet fold", (1, -1)),
        ("J♠ K♥ check check Q♠ check check", (-1, 1)),
        ("J♠ K♥ bet raise call J♥ bet raise call", (13, -13)),
        ("J♠ J♥ bet call K♠ bet call", (0, 0)),
        ("Q♠ K♥ check bet call J♠ bet fold", (3, -3)),
    ],
)
def test_leduc_pays(said, returns):
    game = make_game("leduc")
    state = after(game, *said.split())
    assert not actions(state)
    assert game.returns(state) == returns


def test_two_raises_are_the_most():
    state = after(make_game("leduc"), "J♠", "K♥", "bet", "raise")
    assert [action_text(state, action) for action in actions(state)] == ["fold", "call"]


def test_each_sees_its_own_card_until_both_are_shown():
    state = after(make_game("kuhn"), "J", "K", "check")
    assert observation(state, 0).cards == (0, UNSEEN)
    assert observation(state, 1).cards == (UNSEEN, 2)
    assert text(observation(state, 1)) == "first: ?   second: K   said: check"
    assert observation(result(state, 0), 0).cards == (0, 2)
    folded = after(make_game("kuhn"), "J", "K", "bet", "fold")
    assert observation(folded, 0).cards == (0, UNSEEN)


def test_a_deal_is_seen_by_one():
    deal = make_game("kuhn").initial
    assert action_seen(deal, 1, 0)
    assert not action_seen(deal, 1, 1)
    assert action_seen(after(make_game("kuhn"), "J", "K"), 1, 1)
    board = after(make_game("leduc"), "J♠", "K♥", "check", "check")
    assert to_move(board) == CHANCE
    assert action_seen(board, 1, 0)


class Spy(Player):
    """Plays the first legal action, and remembers what it was shown."""

    accepts = HumanPlayer.accepts

    def __init__(self):
        self.shown = []

    def choose(self, position, limit):
        self.shown.append((position.state, position.history))
        return Move(actions(position.state)[-1])


@pytest.mark.parametrize("spec", ["kuhn", "leduc"])
def test_the_referee_shows_players_what_they_see(spec):
    game, spies = make_game(spec), [Spy(), Spy()]
    for seed in range(20):
        assert play_game(game, spies, seed=seed).complete
    for seat, spy in enumerate(spies):
        assert spy.shown
        for state, history in spy.shown:
            assert state.cards[1 - seat] == UNSEEN
            assert history == ()


def test_searches_that_need_to_see_everything_refuse_in_one_line():
    game = make_game("kuhn")
    for name in ("minimax", "alphabeta", "mcts", "expectiminimax", "maxn", "flat"):
        with pytest.raises(UnsuitableGame, match=f"{name} cannot play kuhn: players do not see everything"):
            make_player(name, game)
    assert "cfr" in set(players_for(game))
    assert "cfr" not in set(players_for(make_game("tictactoe")))


def test_a_person_does_not_see_the_other_card(command):
    run = command("play", "kuhn", "--first", "human", "--second", "random", "--seed", "3", stdin="check\nfold\n")
    seen = run.stdout[: run.stdout.index("wins")].rpartition("\n")[0].rpartition("\n")[0]  # without the final state
    assert "first: K   second: ?   said: nothing yet" in seen
    assert "chance: not to be seen" in seen
    assert "J" not in seen.replace("first> ", "")
    assert run.returncode == 0


def test_a_stopped_game_does_not_tell_the_cards(command):
    run = command("play", "kuhn", "--first", "human", "--second", "random", "--seed", "3", stdin="")
    assert run.returncode == 1
    assert "--moves" not in run.stderr
    shown = command("play", "kuhn", "--first", "random", "--second", "random", "--seed", "3")
    assert "chance: J" in shown.stdout


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("kuhn:deck=2", "deck must be a number of cards from 3 to 13, not 2"),
        ("kuhn:deck=14", "from 3 to 13, not 14"),
        ("leduc:ranks=1", "ranks must be a number from 2 to 13, not 1"),
        ("leduc:ranks=x", "must be of the form integer"),
    ],
)
def test_wrong_options(spec, message):
    with pytest.raises(BadOption, match=message):
        make_game(spec)


# The contract of observations ---------------------------------------------------------------------------------------


class Forgetful(Kuhn):
    """Kuhn poker; what players see is said below."""


def forgetful(sees):
    for rule in (to_move, legal_actions, result, terminal, utility):
        rule.rule(Forgetful)(rule.implementations[Kuhn])
    result.rule(Forgetful)(lambda state, action: Forgetful(*result.implementations[Kuhn](state, action)))
    action_text.rule(Forgetful)(action_text.implementations[Kuhn])
    observation.rule(Forgetful)(sees)
    return Game("forgetful", Forgetful((-1, -1), 1, 3), axes=Axes(hidden=True, chance=True), utilities=(-2.0, 2.0))


@pytest.mark.parametrize(
    ("sees", "message"),
    [
        (lambda state, player: player, "is the same after other moves of its own"),
        (lambda state, player: Forgetful(state.cards, state.bets + 1, 3), "another one when it is observed again"),
        (lambda state, player: Forgetful((-1, -1), state.bets, 3), "has another player to move"),
    ],
)
@pytest.mark.filterwarnings("ignore::plyground.errors.UncompiledWarning")
def test_players_who_forget_or_see_wrongly_break_the_contract(sees, message):
    with pytest.raises(ContractBroken, match=message):
        check_game(forgetful(sees), positions=400)
