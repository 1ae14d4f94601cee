"""Temporal differences: the gradient, the traces, and what a small network learns."""

import json
import signal
import threading

import numpy as np
import pytest

from plyground.core.limits import Budget, Limit
from plyground.core.rules import actions, drawn_action, parse_action, result, terminal, to_move, utility
from plyground.errors import BadOption, FormatError, UnsuitableGame
from plyground.games import make_game
from plyground.learning.temporal import (
    Learning,
    accumulate,
    judge,
    learn,
    match_share,
    new_net,
    new_scratch,
    new_traces,
    play_and_learn,
    worth,
)
from plyground.native.compiling import interpreted
from plyground.native.randomness import stream
from plyground.players import Position, answering, make_player
from plyground.search.learned_values import ValueNet, load_value, result_steps, save_value, value_function

GAME = make_game("tictactoe")
DICE = make_game("backgammon")
SMALL_DICE = make_game("backgammon:points=8,men=2,faces=3")


def some_net(hidden, seed=1):
    net = new_net(GAME, hidden, seed)
    draws = np.random.default_rng(seed)
    return ValueNet(*(part + draws.normal(0, 0.3, part.shape).astype(np.float32) for part in net))


def after(*moves):
    state = GAME.initial
    for move in moves:
        state = result(state, move)
    return state


@pytest.mark.parametrize("hidden", [0, 5])
@pytest.mark.parametrize("moves", [(4,), (4, 0)])
def test_traces_are_gradients_of_what_a_position_is_worth_to_the_first_player(hidden, moves):
    net, state = some_net(hidden), after(*moves)
    scratch, traces = new_scratch(GAME, net), new_traces(net)
    value = accumulate(state, net, traces, 0.0, scratch)
    assert value == pytest.approx(worth(state, net, scratch), abs=1e-6)
    for part, trace in zip(net, (trace[0] for trace in traces), strict=True):
        for place in np.ndindex(part.shape):
            before = part[place]
            part[place] = before + 1e-2
            high = worth(state, net, scratch)
            part[place] = before - 1e-2
            low = worth(state, net, scratch)
            part[place] = before
            assert trace[place] == pytest.approx((high - low) / 2e-2, abs=2e-3)


def test_traces_fade():
    net = some_net(3)
    scratch, once, twice = new_scratch(GAME, net), new_traces(net), new_traces(net)
    accumulate(after(4), net, once, 0.5, scratch)
    first = [part.copy() for part in once]
    accumulate(after(4, 0), net, once, 0.5, scratch)
    accumulate(after(4, 0), net, twice, 0.5, scratch)
    for both, before, alone in zip(once, first, twice, strict=True):
        assert both == pytest.approx(0.5 * before + alone, abs=1e-6)


def test_an_interrupt_stops_learning_in_the_middle():
    stages = learn(GAME, some_net(5), Learning(), 10**15, every=10**15)
    threading.Timer(0.1, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        next(stages)


def test_compiled_and_interpreted_learning_are_the_same():
    nets = []
    for slowly in (False, True):
        net = some_net(4)
        arguments = GAME.initial, net, new_traces(net), Learning(), new_scratch(GAME, net), stream(3), Budget(4)
        if slowly:
            with interpreted():
                play_and_learn(*arguments)
        else:
            play_and_learn(*arguments)
        nets.append(net)
    for fast, slow in zip(*nets, strict=True):
        assert fast == pytest.approx(slow, abs=1e-4)


@pytest.mark.slow
def test_a_small_network_learns_tictactoe():
    """From losing nearly always against a player who sees three plies ahead to drawing now and then."""
    net = new_net(GAME, 40)
    before = match_share(GAME, net, answering("alphabeta:depth=3", GAME, 0), 60, opening=1)
    stages = list(learn(GAME, net, Learning(alpha=0.05, opening=2), 30_000, every=300))
    assert [stage.games for stage in stages[::50]] == [300, 15_300]
    assert stages[-1].surprise < stages[0].surprise / 2
    assert match_share(GAME, net, answering("alphabeta:depth=3", GAME, 0), 60, opening=1) > before + 0.1
    assert match_share(GAME, net, answering("random", GAME, 0), 100, opening=0) > 0.9


def dice_net(seed=1):
    net, draws = new_net(DICE, 5, seed), np.random.default_rng(seed)
    return ValueNet(*(part + draws.normal(0, 0.2, part.shape).astype(np.float32) for part in net))


def test_a_game_of_several_points_has_an_output_for_each_step_from_one_result_to_the_next():
    assert list(result_steps(GAME)) == [1]
    assert list(result_steps(DICE)) == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 6, 1 / 6])  # -3, -2, -1, 1, 2, 3
    assert new_net(DICE, 3).out.shape == (3, 5)
    net, scratch = dice_net(), new_scratch(DICE, dice_net())
    state = DICE.initial
    rng = stream(5)
    while not terminal(state):
        state = result(state, drawn_action(state, [0] * 4000, rng))
    assert worth(state, net, scratch) == pytest.approx(utility(state, 0) / 3)
    assert list(scratch.first) == [1.0 if utility(state, 0) >= points else -1.0 for points in (-2, -1, 1, 2, 3)]


@pytest.mark.parametrize("moves", [("3-1",), ("1-3",), ("3-1", "8/5 6/5")])
def test_each_output_has_traces_of_its_own_and_flips_for_the_other_player(moves):
    net, state = dice_net(), DICE.initial
    for move in moves:
        state = result(state, parse_action(state, move))
    scratch, traces = new_scratch(DICE, net), new_traces(net)
    accumulate(state, net, traces, 0.0, scratch)
    for part, trace in zip(net, traces, strict=True):
        places = [(np.unravel_index(place, part.shape)) for place in range(0, part.size, max(1, part.size // 7))]
        for place in places:
            before, step = part[place], np.float32(1e-2)
            part[place] = before + step
            worth(state, net, scratch)
            high = scratch.first.copy()
            part[place] = before - step
            worth(state, net, scratch)
            part[place] = before
            slopes = (high - scratch.first) / 2e-2
            assert slopes == pytest.approx([trace[k][place] for k in range(5)], abs=4e-3)


def test_a_game_with_dice_is_learned(tmp_path):
    net = new_net(SMALL_DICE, 8)
    before = [part.copy() for part in net]
    stages = list(learn(SMALL_DICE, net, Learning(), 20, every=10))
    assert [stage.games for stage in stages] == [10, 20]
    assert any((part != old).any() for part, old in zip(net, before, strict=True))
    save_value(tmp_path / "x.npz", net, SMALL_DICE, 20)
    function = value_function(tmp_path / "x.npz", SMALL_DICE)
    assert function(SMALL_DICE.initial) == pytest.approx(
        0.999 * 3 * judge(SMALL_DICE.initial, net, new_scratch(SMALL_DICE, net)), abs=1e-5
    )
    share = match_share(SMALL_DICE, net, answering("random", SMALL_DICE, 0), 10, opening=0)
    assert 0 <= share <= 1


def test_learned_values_serve_every_search(tmp_path):
    net, path = some_net(6), tmp_path / "x.npz"
    save_value(path, net, GAME, 7)
    again, games = load_value(path, GAME)
    assert games == 7
    function, scratch = value_function(path, GAME), new_scratch(GAME, net)
    for state in (after(4), after(4, 0), after(0, 4, 8)):
        assert function(state) == pytest.approx(0.999 * judge(state, again, scratch), abs=1e-5)
    player = make_player(f"alphabeta:depth=1,evaluation={path}", GAME)
    move = player.choose(Position(GAME, GAME.initial), Limit())
    values = {action: -judge(result(GAME.initial, action), net, scratch) for action in actions(GAME.initial)}
    assert values[move.action] == max(values.values())
    assert move.value == pytest.approx(0.999 * max(values.values()), abs=1e-4)


def test_files_that_hold_no_values_are_refused(tmp_path):
    path = tmp_path / "x.npz"
    save_value(path, some_net(6), GAME, 7)
    whole = path.read_bytes()
    with pytest.raises(BadOption, match="are for tictactoe, not connect4"):
        load_value(path, make_game("connect4"))
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(
        FormatError, match="is not a file of learned values: it is damaged; `plyground train td` makes one"
    ):
        load_value(path, GAME)
    path.write_bytes(b"PK nonsense")
    with pytest.raises(FormatError, match="is not a file of learned values"):
        load_value(path, GAME)
    with pytest.raises(FormatError, match="cannot read"):
        load_value(tmp_path / "none.npz", GAME)


def test_games_of_hidden_cards_are_refused():
    game = make_game("kuhn")
    with pytest.raises(UnsuitableGame, match="temporal differences cannot learn"):
        next(learn(game, new_net(game, 2), Learning(), 10))


def test_the_command_learns_and_goes_on(command, tmp_path):
    base = [
        "train",
        "td",
        "tictactoe",
        "--out",
        str(tmp_path / "t.npz"),
        "--hidden",
        "8",
        "--json",
        "--match-games",
        "4",
    ]
    done = command(*base, "--games", "200", "--opponent", "random")
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1]["games"] == 200
    assert len(lines) == 10
    done = command(*base, "--games", "300", "--opponent", "random")
    assert done.returncode == 0, done.stderr
    assert load_value(tmp_path / "t.npz", GAME)[1] == 300
    for wrong, said in (
        (["--games", "300"], "has learned from 300 games already"),
        (["--games", "400", "--alpha", "0"], "--alpha must be from 0 to 1"),
        (["--games", "400", "--lambda", "2"], "--lambda must be from 0 to 1"),
        (["--games", "400", "--out", "x.txt"], "--out must end in .npz"),
    ):
        done = command(*base, *wrong)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_reversi_6x6_from_nothing_to_beating_alpha_beta(tmp_path):
    """Learned values, one ply deep, against two plies with the game's own evaluation; then at equal depth."""
    game = make_game("reversi:size=6")
    net = new_net(game, 64)
    assert match_share(game, net, answering("alphabeta:depth=2", game, 0), 200) < 0.45
    for _ in learn(game, net, Learning(), 40_000, every=20_000):
        pass
    assert match_share(game, net, answering("alphabeta:depth=2", game, 0), 200) > 0.6
    save_value(tmp_path / "x.npz", net, game, 40_000)
    ours = make_player(f"alphabeta:depth=2,evaluation={tmp_path / 'x.npz'}", game)
    theirs = make_player("alphabeta:depth=2", game)
    points = 0.0
    for number in range(100):
        state, opened = game.initial, np.random.default_rng(number // 2)
        for _ in range(4):
            state = result(state, int(opened.choice(actions(state))))
        while not terminal(state):
            player = ours if to_move(state) == number % 2 else theirs
            state = result(state, player.choose(Position(game, state), Limit()).action)
        points += (np.sign(game.returns(state)[number % 2]) + 1) / 2
    assert points > 60
