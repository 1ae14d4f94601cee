"""The player `engine`: its options, its answers, its clocks, pondering, and what it refuses."""

from __future__ import annotations

import threading
import time

import pytest

from plyground import Limit, actions, make_game, result
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.engines.reversi.book import load_book
from plyground.engines.reversi.engine import Engine
from plyground.engines.reversi.levels import find_level
from plyground.errors import BadOption, UnknownName, UnsuitableGame
from plyground.games.reversi import PASS
from plyground.native.randomness import random_below, stream
from plyground.players import PLAYERS, Position, make_player, players_for
from plyground.players.reversi_engine import HANDING_OVER

pytestmark = pytest.mark.usefixtures("engine_code")

GAME = make_game("reversi")
FORCED_PASS = "e6 f4 f3 d6 c6 e3 e2 d2 f5 g3 c3 d1 g2 g4 f2 e1 c1 h2 f1 d3 h3 h4"
"""After these moves the side to move has to pass."""


def position_after(text):
    states, history = read_moves(GAME, text)
    return Position(GAME, states[-1], tuple(history))


def after_random_moves(number, count):
    rng, state, history = stream(number), GAME.initial, []
    for _ in range(count):
        options = actions(state)
        history.append(options[random_below(rng, len(options))])
        state = result(state, history[-1])
    return Position(GAME, state, tuple(history))


def player(spec, seed=1):
    made = make_player(spec, GAME, seed)
    made.prepare(GAME)
    return made


@pytest.fixture
def limits(monkeypatch):
    """The limits that the engine is given, one for each search."""
    seen = []
    search = Engine.search

    def watched(self, state, limit=None, *, on_report=None):
        seen.append(limit)
        return search(self, state, limit, on_report=on_report)

    monkeypatch.setattr(Engine, "search", watched)
    return seen


def test_a_move_says_what_it_is_worth_and_what_it_cost():
    position = after_random_moves(1, 20)
    move = player("engine:depth=6").choose(position, Limit())
    report = Engine().search(position.state, Limit(depth=6))
    assert (move.action, move.value, move.depth, move.line) == (report.move, report.value / 64, 6, report.line)
    assert move.line[0] == move.action
    assert move.nodes > 0
    assert move.time > 0


def test_a_solved_ending_is_worth_its_discs():
    position = after_random_moves(8, 50)
    move = player("engine:time=60").choose(position, Limit())
    state = position.state
    for action in move.line:
        state = result(state, action)
    assert actions(state) == []
    own, other = int(state.own).bit_count(), int(state.opponent).bit_count()
    empty = 64 - own - other
    difference = own - other + (empty if own > other else -empty if own < other else 0)
    assert move.value == (difference if state.turn == position.state.turn else -difference) / 64


def test_a_single_move_and_a_pass_are_answered_without_a_long_search(limits):
    engine = player("engine:time=30")
    passing = position_after(FORCED_PASS)
    assert actions(passing.state) == [PASS]
    move = engine.choose(passing, Limit())
    assert (move.action, move.line[0]) == (PASS, PASS)
    assert -1 <= move.value <= 1
    single = next(p for n in range(1000) if len(actions((p := after_random_moves(n, 50)).state)) == 1)
    assert engine.choose(single, Limit()).action == actions(single.state)[0]
    assert all(limit.depth <= 4 for limit in limits)


@pytest.mark.parametrize("spec", ["engine:level=3", "engine:level=14", "engine:depth=4", "engine:nodes=2000"])
def test_the_same_seed_plays_the_same_game(spec):
    def played(seed):
        players = [player(spec, seed), player(spec, seed + 1)]
        return [turn.action for turn in play_game(GAME, players, seed=seed, moves="f5 d6 c3").moves]

    assert played(7) == played(7)


def test_one_player_object_repeats_a_game_if_it_makes_no_mistakes():
    players = [player("engine:depth=5"), player("engine:depth=4")]
    first, second = (play_game(GAME, players) for _ in range(2))
    assert first.moves != ()
    assert [turn.action for turn in first.moves] == [turn.action for turn in second.moves]


def test_a_strong_level_beats_a_weak_one():
    returns = 0.0
    for seed in range(2):
        returns += play_game(GAME, [player("engine:level=2", seed), player("engine:level=11", seed)]).returns[1]
        returns += play_game(GAME, [player("engine:level=11", seed), player("engine:level=2", seed)]).returns[0]
    assert returns == 4


def test_the_weakest_level_still_beats_chance():
    wins = 0
    for seed in range(10):
        wins += play_game(GAME, [player("engine:level=1", seed), make_player("random", GAME, seed)]).returns[0] > 0
    assert wins >= 7


# Limits ----------------------------------------------------------------------------------------------------------


def test_the_search_gets_a_little_less_than_the_limit(limits):
    position = after_random_moves(4, 52)  # solved at once, so that nothing takes long
    engine = player("engine:time=5")
    engine.choose(position, Limit())
    engine.choose(position, Limit(time=3))
    engine.choose(position, Limit(time=0.002))
    first, second, third = limits
    assert 3 < first.time <= 5 - HANDING_OVER
    assert 1.5 <= second.time <= 3 - HANDING_OVER
    assert third.time == pytest.approx(0.001)


def test_without_options_it_takes_a_second_or_a_tenth_of_the_referees_time(limits):
    position = after_random_moves(4, 52)  # solved at once, so that nothing takes long
    engine = player("engine")
    for given in (None, 0.5, 60.0):
        engine.choose(position, Limit(time=given))
    player("engine:time=1").choose(position, Limit(time=60.0))
    for limit, wanted in zip(limits, [1.0, 0.5, 6.0, 1.0], strict=True):
        assert 0.6 * wanted < limit.time < wanted


def test_limits_can_be_combined(limits):
    position = after_random_moves(5, 52)
    player("engine:depth=7,nodes=1000,time=20").choose(position, Limit(nodes=500))
    assert (limits[0].depth, limits[0].nodes) == (7, 500)
    assert 19 < limits[0].time < 20


def test_a_level_can_be_held_to_a_time(limits):
    player("engine:level=20,time=0.02").choose(after_random_moves(6, 12), Limit())
    assert limits[0].depth == find_level(20).depth
    assert limits[0].time < 0.02


# Whole games -----------------------------------------------------------------------------------------------------


def test_the_clock_of_a_whole_game_loses_what_the_moves_have_taken():
    first, second = player("engine:clock=1.5"), player("engine:clock=1+0.01")
    answers = []
    play_game(GAME, [first, second], on_move=lambda move, _, answer: answers.append((move.player, answer.time)))
    spent = sum(time for player, time in answers if player == 0)
    # How well it keeps to the clock is measured by benchmarks.clock, where nobody else wants the processor.
    assert first.clock.left == pytest.approx(max(0.0, 1.5 - spent), abs=1e-6)
    assert first.clock.left < 1.5


def test_whoever_has_no_time_left_moves_at_once():
    engine = player("engine:clock=1")
    engine.prepare(GAME)
    engine.clock.spend(5.0)
    position = after_random_moves(1, 10)
    assert engine.choose(position, Limit()).action in actions(position.state)


def test_a_new_game_fills_the_clock():
    engine = player("engine:clock=10,depth=2")
    engine.choose(after_random_moves(1, 10), Limit())
    assert engine.clock.left < 10
    engine.prepare(GAME)
    assert engine.clock.left == 10
    engine.clock.spend(4.0)
    engine.choose(Position(GAME, GAME.initial), Limit())
    assert 9 < engine.clock.left < 10


def test_the_clock_allots_less_than_a_level_or_a_referee_only_if_it_must(limits):
    position = after_random_moves(7, 20)
    player("engine:clock=100,level=14").choose(position, Limit(time=0.5))
    assert limits[0].depth == find_level(14).depth
    assert 0.25 <= limits[0].time < 0.5


# Pondering -------------------------------------------------------------------------------------------------------


def test_pondering_searches_until_it_is_stopped(monkeypatch):
    begun, ended = threading.Event(), threading.Event()
    search = Engine.search

    def watched(self, state, limit=None, *, on_report=None):
        begun.set()
        report = search(self, state, limit, on_report=on_report)
        ended.set()
        return report

    engine = player("engine:depth=4,ponder=on")
    monkeypatch.setattr(Engine, "search", watched)
    position = after_random_moves(9, 6)
    with engine.pondering(position):
        assert begun.wait(60)
        time.sleep(0.05)
        assert not ended.is_set()
    assert ended.is_set()
    assert engine.choose(position, Limit()).action in actions(position.state)


def test_pondering_that_is_left_at_once_stops_all_the_same():
    engine = player("engine:depth=4,ponder=on")
    for number in range(20):
        with engine.pondering(after_random_moves(number, 8)):
            pass
    assert not any(thread.name.endswith("(search)") for thread in threading.enumerate())


def test_pondering_helps_the_next_move():
    """Not in every single position, since what was learned of other moves may mislead; but by far in all together."""
    players = [player("engine:depth=60,table=8MB"), player("engine:depth=60,table=8MB,ponder=on")]
    nodes = [0, 0]
    for number in range(6):
        position = after_random_moves(number, 44)
        reply = result(position.state, players[0].choose(position, Limit(depth=10)).action)
        for which, engine in enumerate(players):
            engine.prepare(GAME)
            with engine.pondering(position):
                if which == 1:
                    engine.engine.search(position.state)  # waits until the pondering search has solved it, or solves it
            nodes[which] += engine.choose(Position(GAME, reply), Limit()).nodes
    assert nodes[1] < nodes[0] / 2


def test_without_the_option_it_does_not_ponder(limits):
    with player("engine").pondering(after_random_moves(9, 6)):
        pass
    assert limits == []


def test_a_game_with_pondering_on_both_sides_comes_to_its_end():
    players = [player("engine:depth=3,ponder=on"), player("engine:depth=2,ponder=on,threads=2")]
    assert play_game(GAME, players).complete


# What it refuses -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("game", "obstacle"),
    [
        ("reversi:size=6", "its engine knows one board only (size: needs 8); use"),
        ("reversi:size=4", "its engine knows one board only (size: needs 8); use"),
        ("tictactoe", "there is no engine for it (game: needs reversi"),
        ("nim", "there is no engine for it (game: needs reversi"),
    ],
)
def test_it_plays_only_what_there_is_an_engine_for(game, obstacle):
    with pytest.raises(UnsuitableGame) as caught:
        make_player("engine", make_game(game))
    message = str(caught.value)
    assert obstacle in message
    assert "\n" not in message
    assert "engine" not in set(players_for(make_game(game)))


def test_it_is_the_strongest_that_plays_reversi():
    assert next(players_for(GAME)) == "engine"
    assert next(players_for(make_game("reversi:size=8"))) == "engine"


def test_the_opening_comes_from_the_book_and_varies(limits):
    """At the first move all four are equal; what is played after them loses no more than allowed."""
    book = load_book()
    games = set()
    for seed in range(8):
        engine = player("engine:time=30,tolerance=1", seed)
        position, line = Position(GAME, GAME.initial), []
        for _ in range(6):
            known = book.find(position.state)
            move = engine.choose(position, Limit())
            values = {option.action: option.value for option in known.moves}
            assert values[move.action] >= known.value - 1
            line.append(move.action)
            position = Position(GAME, result(position.state, move.action))
        games.add(tuple(line))
    assert len(games) > 4
    assert not limits  # nothing was searched


@pytest.mark.parametrize("spec", ["engine:time=0.01,book=off", "engine:depth=2", "engine:nodes=100", "engine:level=10"])
def test_without_the_book_the_first_move_is_searched(spec):
    assert player(spec).choose(Position(GAME, GAME.initial), Limit()).nodes > 0


def test_however_short_the_limit_the_end_is_not_played_blindly():
    """The first legal move is seldom the best: a step of one ply is always there before the game is solved."""
    for seed in range(6):
        position = after_random_moves(seed, 49)
        if len(actions(position.state)) > 1:
            move = player("engine:nodes=40").choose(position, Limit())
            assert move.depth >= 1


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("engine:level=0", "level must be from 1 to 20, not 0"),
        ("engine:level=21", "level must be from 1 to 20, not 21"),
        ("engine:level=3,depth=4", "not both"),
        ("engine:level=3,nodes=4", "not both"),
        ("engine:level=3,ponder=on", "stronger than it is"),
        ("engine:table=0", "at least 1MB, not '0'"),
        ("engine:table=64XB", "must be a size such as 64MB"),
        ("engine:threads=0", "threads must be from 1 to 256, not 0"),
        ("engine:clock=5min", "such as 300 or 300\\+2, not '5min'"),
        ("engine:time=0", "time must be a positive number"),
        ("engine:depth=0", "depth must be at least 1"),
        ("engine:nodes=-5", "nodes must be at least 1"),
        ("engine:tolerance=-1", "tolerance must be from 0 to 64 discs, not -1"),
        ("engine:tolerance=nan", "tolerance must be"),
    ],
)
def test_bad_options_are_refused_in_one_line(spec, words):
    with pytest.raises(BadOption, match=words) as caught:
        make_player(spec)
    assert "\n" not in str(caught.value)


def test_unknown_options_are_refused():
    with pytest.raises(UnknownName, match="no option 'tabel'; did you mean 'table'"):
        make_player("engine:tabel=64MB")


def test_making_a_player_is_cheap():
    assert PLAYERS.make("engine")._engine is None
