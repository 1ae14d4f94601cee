"""AlphaGo as of 2016: the fast rollout policy, leaves that a network and a playout judge together, and the player."""

import importlib
import json
import math
import re
import shutil
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from plyground.cli.train_alphago import rollout_command
from plyground.core.limits import Budget, Limit
from plyground.core.rules import (
    actions,
    distinct_actions,
    planes_shape,
    result,
    terminal,
    to_move,
    transformed,
    transformed_action,
    utility,
)
from plyground.engines.reversi.alphago.human_games import HumanMoves
from plyground.engines.reversi.alphago.rollout_fit import fit_rollout, measure_rollout, stored_weights
from plyground.engines.reversi.rollout import (
    FEATURES,
    WEIGHTS,
    load_rollout,
    probabilities,
    rollout_action,
    rollout_policy,
    save_rollout,
    write_features,
)
from plyground.errors import BadOption, FormatError, PlygroundError
from plyground.formats.record import Record
from plyground.formats.replay import START
from plyground.formats.wthor import collect_games, write_wthor
from plyground.games import make_game
from plyground.games.reversi import PASS, Reversi
from plyground.games.reversi.moves import flips, moves
from plyground.learning.onnx_file import onnx_bytes
from plyground.native.compiling import interpreted
from plyground.native.randomness import random_unit, stream
from plyground.native.state_codec import states_as_words
from plyground.players import Position, make_player, players_for
from plyground.search.endgame_table import NO_TABLE
from plyground.search.mcts_tree import new_tree
from plyground.search.mcts_variant import LEARNED, MctsSettings, MctsVariant
from plyground.search.net_search import NetSearch, absorb, gather, new_leaves, play_out

TICTACTOE, REVERSI = make_game("tictactoe"), make_game("reversi")


def reached(game, choices):
    """The state after these choices, each an index into the legal actions; never a finished game."""
    state = game.initial
    for choice in choices:
        options = actions(state)
        following = result(state, options[choice % len(options)])
        if terminal(following):
            break
        state = following
    return state


some_positions = some.lists(some.integers(0, 20), max_size=59).map(lambda choices: reached(REVERSI, choices))


@pytest.fixture(scope="module")
def noise():
    """A policy of random weights."""
    return rollout_policy(np.random.default_rng(7).integers(-40, 40, WEIGHTS).astype(np.int8))


# The rollout policy -------------------------------------------------------------------------------------------------


@settings(max_examples=50)
@given(some_positions, some.integers(1, 7))
def test_symmetric_moves_have_the_same_probability(noise, state, index):
    here, there = probabilities(state, noise), probabilities(transformed(state, index), noise)
    assert math.isclose(sum(here.values()), 1.0)
    assert {transformed_action(state, action, index): share for action, share in here.items()} == there


@settings(max_examples=30)
@given(some_positions, some.integers(0, 1000))
def test_a_choice_is_the_same_compiled_and_interpreted(noise, state, seed):
    options = np.array([*actions(state), *[0] * 60])
    count = len(actions(state))
    fast = rollout_action(state, options, count, noise.record, stream(seed))
    with interpreted():
        slow = rollout_action(state, options, count, noise.record, stream(seed))
    assert fast == slow
    assert fast in actions(state)
    # the definition: the first action whose cumulative probability is above the random number
    drawn, below = random_unit(stream(seed)), 0.0
    for action, share in probabilities(state, noise).items():
        below += share
        if drawn < below - 1e-12:
            assert fast == action
            break


@settings(max_examples=30)
@given(some_positions)
def test_features_say_what_stands_there(state):
    """Counts against plain arithmetic; a disc more on a line changes that line's feature and no other line's."""
    own, opponent = np.uint64(state.own), np.uint64(state.opponent)
    empties = 64 - (int(own) | int(opponent)).bit_count()
    for square in actions(state):
        if square == PASS:
            continue
        places = np.zeros(FEATURES, np.int64)
        write_features(own, opponent, square, empties, places)
        with interpreted():
            again = np.zeros(FEATURES, np.int64)
            write_features(own, opponent, square, empties, again)
        assert places.tolist() == again.tolist()
        flipped = int(flips(own, opponent, square))
        mine = int(own) | flipped | 1 << square
        theirs = int(opponent) & ~flipped
        replies = int(moves(np.uint64(theirs), np.uint64(mine)))
        near = sum(
            any(
                not (mine | theirs) >> 8 * r + c & 1
                for r in range(max(0, s // 8 - 1), min(8, s // 8 + 2))
                for c in range(max(0, s % 8 - 1), min(8, s % 8 + 2))
            )
            for s in range(64)
            if mine >> s & 1
        )
        counts = [
            flipped.bit_count(),
            replies.bit_count(),
            (replies & 0x8100000000000081).bit_count(),
            int(moves(np.uint64(mine), np.uint64(theirs))).bit_count(),
            near,
        ]
        assert (places[1:6] - 610).tolist() == [
            (empties // 4 * 5 + which) * 32 + min(31, count) for which, count in enumerate(counts)
        ]
        for group, (down, right) in enumerate(((0, 1), (1, 0), (1, 1), (1, -1))):
            line = [
                8 * (square // 8 + k * down) + square % 8 + k * right
                for k in range(-7, 8)
                if k and 0 <= square // 8 + k * down < 8 and 0 <= square % 8 + k * right < 8
            ]
            for place in line:
                if not (int(own) | int(opponent)) >> place & 1:
                    changed = np.zeros(FEATURES, np.int64)
                    write_features(own | np.uint64(1 << place), opponent, square, empties, changed)
                    differs = changed[6:10] != places[6:10]
                    assert not differs[[g for g in range(4) if g != group]].any()
                    mirrored = (
                        differs[group] or len(line) % 2 == 0
                    )  # only a line that is its own mirror may not show it
                    assert mirrored


def test_the_package_plays_as_people_do():
    policy = load_rollout()
    after = result(REVERSI.initial, 37)  # f5
    shares = probabilities(after, policy)
    assert set(shares) == {29, 43, 45}
    assert shares[29] < 0.05  # f4, the parallel opening: hardly anybody plays it
    corner = Reversi(np.uint64(0x0000001C3C000000), np.uint64(0x0000003E00040200), np.uint64(2**64 - 1), 0)
    assert 0 in actions(corner)
    assert max(probabilities(corner, policy), key=probabilities(corner, policy).get) == 0


@pytest.mark.slow
def test_fitting_finds_a_simple_habit(tmp_path):
    """Players who always take the last square of those that they can: nearly all of it is learned from 80 games."""
    draws, rows = np.random.default_rng(1), []
    for game in range(80):
        state = REVERSI.initial
        while not terminal(state):
            options = actions(state)
            chosen = options[-1] if draws.random() < 0.9 else int(draws.choice(options))
            if chosen != PASS:
                rows.append((state.own, state.opponent, options[-1], 0, 2000, game, 0))
            state = result(state, chosen)
    columns = zip(HumanMoves.__annotations__, zip(*rows, strict=True), strict=True)
    kinds = {"own": np.uint64, "opponent": np.uint64, "move": np.uint8}
    known = HumanMoves(**{name: np.array(column, kinds.get(name, np.int16)) for name, column in columns})
    learned, held = known[: 12 * len(known) // 15], known[12 * len(known) // 15 :]
    before = measure_rollout(held, np.zeros(WEIGHTS, np.float32))
    weights = fit_rollout(learned, epochs=3)
    after = measure_rollout(held, weights)
    # the habit is not symmetric and the features are: a corner of the board looks like its mirror image
    assert after.top > before.top + 0.2
    assert after.loss < before.loss - 0.5
    assert before.moves == len(held)
    save_rollout(tmp_path / "habit.npz", weights)
    kept = load_rollout(tmp_path / "habit.npz")
    assert measure_rollout(held, stored_weights(weights)).top == pytest.approx(after.top, abs=0.02)
    state = REVERSI.initial
    odds = stored_weights(weights)
    with interpreted():
        logits = []
        for square in actions(state):
            places = np.zeros(FEATURES, np.int64)
            write_features(state.own, state.opponent, square, 60, places)
            logits.append(odds[places].sum())
    shares = np.exp(logits) / np.exp(logits).sum()
    assert list(probabilities(state, kept).values()) == pytest.approx(shares, rel=1e-4)


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 nothing", b"cut", b"other"])
def test_a_file_that_is_no_rollout_policy_is_named(tmp_path, damage):
    path = tmp_path / "rollout.npz"
    if damage == b"cut":
        save_rollout(path, np.ones(WEIGHTS, np.float32))
        path.write_bytes(path.read_bytes()[:-40])
    elif damage == b"other":
        np.savez(path, weights=np.zeros(5, np.int8))
    else:
        path.write_bytes(damage)
    with pytest.raises(FormatError, match=r"rollout\.npz"):
        load_rollout(path)


def test_the_command_fits_and_reports(tmp_path, capsys):
    draws = np.random.default_rng(3)
    for year in range(2001, 2008):
        records = []
        for _ in range(3):
            state, played = START, []
            while options := actions(state):
                played.append(int(draws.choice(options)))
                state = result(state, played[-1])
            records.append(Record(START, tuple(played)))
        write_wthor(tmp_path / f"{year}.wtb", collect_games(records, year, (2020, 1, 1)))
    out = tmp_path / "rollout.npz"
    rollout_command(tmp_path, out, epochs=1, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["bytes"] == out.stat().st_size
    assert 0.0 < facts["test"]["top"] < 1.0
    assert facts["learned"] < 3 * 60  # of one year; three are for validation, and three for the test
    load_rollout(out)
    rollout_command(tmp_path, out, epochs=1)
    assert re.search(r"test: \d+\.\d\d% of \d+ moves are the first choice", capsys.readouterr().out)
    with pytest.raises(BadOption, match="there is no folder"):
        rollout_command(tmp_path / "nowhere", out)
    with pytest.raises(BadOption, match="there is no folder"):
        rollout_command(tmp_path, tmp_path / "nowhere" / "x.npz")


# Mixed leaves -------------------------------------------------------------------------------------------------------


def noise_judge(count, scale=1.0):
    """A network of random opinions, the same for the same planes."""
    mixing, opinion = np.random.default_rng(0).normal(size=(2, 128, count))

    def judge(planes):
        flat = planes.reshape(len(planes), -1)
        logits = (scale * (flat @ mixing[: flat.shape[1]])).astype(np.float32)
        return logits, np.tanh(scale * (flat @ opinion[: flat.shape[1], 0])).astype(np.float32)

    return judge


@pytest.fixture(scope="module")
def mixed():
    return NetSearch(TICTACTOE, noise_judge(9, 0.3), batch=1, reuse=False, mix=0.25)


@pytest.mark.parametrize("mix", [0.0, 0.3, 1.0])
def test_a_leaf_is_worth_what_one_computes_by_hand(mix):
    """Two simulations by hand: of the root, and of its first child, where the other player is to move."""
    state, tree, leaves = TICTACTOE.initial, new_tree(64), new_leaves(TICTACTOE.initial, 1)
    variant = MctsVariant(puct=True, solver=True, mixed=mix > 0)
    numbers = MctsSettings(exploration=0.6, mix=mix)
    logits = np.zeros(9, np.float32)
    with interpreted():
        gather(tree, state, -1, numbers, variant, stream(0), leaves, 0)
        leaves.rewards[0] = (1.0, 0.0)  # the playout was won by the first player
        absorb(tree, state, numbers, variant, leaves, 0, logits, 0.5)
        gather(tree, state, 3, numbers, variant, stream(0), leaves, 0)
        leaves.rewards[0] = (0.5, 0.5)
        absorb(tree, state, numbers, variant, leaves, 0, logits, 0.8)  # to the second player, who is to move
    assert tree.nodes[3]["total"] == pytest.approx((1 - mix) * 0.1 + mix * 0.5)
    assert tree.nodes[3]["visits"] == 1
    assert tree.nodes[0]["total"] == pytest.approx((1 - mix) * 0.75 + mix * 1.0 + (1 - mix) * 0.1 + mix * 0.5)
    assert tree.nodes[3]["prior"] == pytest.approx(1 / 9)


@pytest.mark.slow
@settings(max_examples=12)
@given(some.lists(some.integers(0, 8), min_size=2, max_size=6), some.integers(1, 40))
def test_compiled_and_interpreted_mixed_searches_are_the_same(mixed, choices, simulations):
    state = reached(TICTACTOE, choices)
    mixed._searches = 0
    fast = mixed.search(state, Limit(simulations=simulations))
    with interpreted():
        mixed._searches = 0
        slow = mixed.search(state, Limit(simulations=simulations))
    assert fast.children == slow.children
    assert fast.line == slow.line


def solved(state):
    """The value of a state to player 0, by trying everything."""
    if terminal(state):
        return utility(state, 0)
    values = [solved(result(state, action)) for action in actions(state)]
    return max(values) if to_move(state) == 0 else min(values)


@pytest.mark.slow
@settings(max_examples=15)
@given(some.lists(some.integers(0, 8), min_size=3, max_size=7))
def test_with_enough_simulations_a_mixed_search_is_right(mixed, choices):
    state = reached(TICTACTOE, choices)
    found = mixed.search(state, Limit(simulations=3000))
    value = solved(state) * (1 if to_move(state) == 0 else -1)
    assert found.value == pytest.approx(value, abs=0.1)
    assert not found.complete or found.value == value


@pytest.mark.slow
def test_rollouts_alone_tell_what_is_better():
    nothing = NetSearch(TICTACTOE, noise_judge(9, 0.0), batch=1, reuse=False, mix=1.0)
    found = nothing.search(TICTACTOE.initial, Limit(simulations=400))
    assert found.action == 4  # the centre wins most random games
    assert 0.1 < found.value < 0.8


# The player ---------------------------------------------------------------------------------------------------------


def network_file(path, game, seed=0):
    """An untrained network for a game."""
    draws, (inputs, rows, columns) = np.random.default_rng(seed), planes_shape(game.initial)
    count = distinct_actions(game.initial)
    shapes = {
        "stem.weight": (8, inputs, 3, 3), "stem.bias": (8,), "head.weight": (8, 8, 1, 1), "head.bias": (8,),
        "policy.weight": (count, 4 * rows * columns), "policy.bias": (count,),
        "value_inner.weight": (64, 4 * rows * columns), "value_inner.bias": (64,),
        "value.weight": (1, 64), "value.bias": (1,),
    }  # fmt: skip
    weights = {name: draws.normal(0, 0.3, shape).astype(np.float32) for name, shape in shapes.items()}
    path.write_bytes(onnx_bytes(weights, {"game": game.spec}))
    return path


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    folder = tmp_path_factory.mktemp("networks")
    return network_file(folder / "policy.onnx", TICTACTOE, 1), network_file(folder / "value.onnx", TICTACTOE, 2)


def grown(spec, game=TICTACTOE, simulations=60):
    """What a player's tree holds after a search from the start."""
    player = make_player(f"{spec},simulations={simulations},batch=1,seed=3", game)
    move = player.choose(Position(game, game.initial), Limit())
    tree = player.search.growing
    return move, tree.nodes[: tree.used[0]]


@pytest.mark.parametrize("without", ["rollouts=off", "mix=0"])
def test_without_rollouts_the_search_is_that_of_zero_node_for_node(networks, without):
    path, _ = networks
    with interpreted():
        move, nodes = grown(f"alphago:policy={path},value={path},{without}")
        other, zero = grown(f"minialphago:network={path}")
    assert nodes.tobytes() == zero.tobytes()
    assert (move.action, move.value, move.line) == (other.action, other.value, other.line)


@pytest.mark.slow
def test_each_part_can_be_left_out(networks):
    policy, value = networks
    _, everything = grown(f"alphago:policy={policy},value={value}")
    _, no_policy = grown(f"alphago:policy=off,value={value}")
    _, no_value = grown(f"alphago:policy={policy},value=off")
    _, all_mix = grown(f"alphago:policy={policy},value={value},mix=1")
    count = everything[0]["count"]
    assert no_policy["prior"][1 : 1 + count] == pytest.approx(1 / count)
    assert everything["prior"][1 : 1 + count].max() > 1.2 / count
    assert no_value.tobytes() == all_mix.tobytes()  # what has no weight makes no difference
    trees = [nodes.tobytes() for nodes in (everything, no_policy, no_value)]
    assert len(set(trees)) == 3


def test_a_policy_alone_plays_its_first_choice(networks):
    policy, _ = networks
    player = make_player(f"alphago:policy={policy},value=off,rollouts=off", TICTACTOE)
    player.prepare(TICTACTOE)
    move = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
    with interpreted():
        _, nodes = grown(f"minialphago:network={policy}", simulations=2)
    children = nodes[1 : 1 + nodes[0]["count"]]
    assert move.action == children["action"][children["prior"].argmax()]
    assert player.thoughts() is None


def test_a_policy_alone_can_draw_its_moves(networks):
    policy, _ = networks
    with interpreted():
        _, nodes = grown(f"minialphago:network={policy}", simulations=2)
    children = nodes[1 : 1 + nodes[0]["count"]]
    player = make_player(f"alphago:policy={policy},value=off,rollouts=off,draw=on,seed=3", TICTACTOE)
    position = Position(TICTACTOE, TICTACTOE.initial)
    counts = np.zeros(9)
    for _ in range(2000):
        counts[player.choose(position, Limit()).action] += 1
    assert counts[children["action"]] / 2000 == pytest.approx(children["prior"], abs=0.04)
    again = make_player(f"alphago:policy={policy},value=off,rollouts=off,draw=on,seed=3", TICTACTOE)
    once_more = np.bincount([again.choose(position, Limit()).action for _ in range(50)], minlength=9)
    assert once_more.sum() == 50
    assert (once_more <= counts).all()  # the same seed draws the same moves


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("alphago", "alphago cannot play tictactoe: no networks for it are bundled"),
        ("alphago:policy=reinforced,value=off", "cannot read the network reinforced"),
        ("alphago:policy=off", "cannot read the network value"),
        ("alphago:policy=off,value=off,rollouts=off", "nothing is left to think with"),
        ("alphago:policy=off,value=off,draw=on", "draw=on is for a policy without search"),
        ("alphago:policy=off,value=off,mix=2", "mix must be from 0 to 1, not 2"),
        ("alphago:policy=off,value=off,mix=nan", "mix"),
        ("alphago:policy=off,value=off,batch=0", "batch must be from 1 to 1024, not 0"),
        ("alphago:policy=off,value=off,c=-1", "c must be at least 0"),
        ("alphago:policy=off,value=off,memory=0", "memory must be positive"),
        ("alphago:policy=off,value=off,rollout=wise", "rollout"),
        (
            "alphago:policy=off,value=off,rollout=learned",
            "rollout=learned is for Reversi on 8x8 squares; for tictactoe",
        ),
        ("alphago:policy=nowhere.onnx,value=off", "cannot read the network nowhere.onnx"),
        ("mcts:rollout=learned", "mcts: rollout=learned is for Reversi on 8x8 squares; for tictactoe"),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(spec, words):
    with pytest.raises(PlygroundError) as refused:
        make_player(spec, TICTACTOE).prepare(TICTACTOE)
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_networks_that_come_along_are_found_by_name(networks, tmp_path, monkeypatch):
    policy, value = networks
    monkeypatch.setenv("PLYGROUND_NETWORKS", str(tmp_path))
    assert "alphago" not in players_for(TICTACTOE)
    shutil.copy(policy, tmp_path / "alphago_policy_tictactoe.onnx")
    shutil.copy(value, tmp_path / "alphago_value_tictactoe.onnx")
    shutil.copy(value, tmp_path / "alphago_reinforced_tictactoe.onnx")
    assert "alphago" in players_for(TICTACTOE)
    same = {"mix=0.5": f"policy={policy},value={value}", "policy=reinforced": f"policy={value},value={value}"}
    for short, long in same.items():
        trees = [grown(f"alphago:{options}")[1].tobytes() for options in (short, long)]
        assert trees[0] == trees[1]


def test_a_network_of_another_game_or_a_damaged_one_is_named(networks, tmp_path):
    policy, value = networks
    with pytest.raises(BadOption, match="has learned tictactoe, not reversi"):
        make_player(f"alphago:policy={policy},value=off", REVERSI).prepare(REVERSI)
    cut = tmp_path / "cut.onnx"
    cut.write_bytes(value.read_bytes()[:500])
    with pytest.raises(FormatError, match=r"cut\.onnx is not a network"):
        make_player(f"alphago:policy=off,value={cut}", TICTACTOE).prepare(TICTACTOE)


@settings(max_examples=4)
@given(some.integers(0, 1000))
def test_learned_playouts_are_the_same_compiled_and_interpreted(noise, seed):
    draws, state = np.random.default_rng(seed), REVERSI.initial
    while not terminal(state) and (int(state.own) | int(state.opponent)).bit_count() < 58:
        state = result(state, int(draws.choice(actions(state))))
    leaves = new_leaves(state, 2)
    leaves.words[:] = states_as_words([state])[0]
    numbers, variant = (
        MctsSettings(rollout_depth=100),
        MctsVariant(puct=True, mixed=True, shortened=True, policy=LEARNED),
    )
    play_out(state, numbers, variant, leaves, 2, stream(seed), Budget(), NO_TABLE, noise)
    fast = leaves.rewards.tolist()
    with interpreted():
        play_out(state, numbers, variant, leaves, 2, stream(seed), Budget(), NO_TABLE, noise)
    assert fast == leaves.rewards.tolist()
    assert all(sum(pair) == 1 and set(pair) <= {0, 0.5, 1} for pair in fast)


@pytest.mark.slow
def test_reversi_is_played_with_learned_rollouts():
    """By a search without networks, and by `mcts`: better than with playouts by chance."""
    for spec in ("alphago:policy=off,value=off", "mcts:rollout=learned"):
        points = 0.0
        for game in range(20):
            players = [make_player(f"{spec},simulations=100,seed={game}", REVERSI)]
            players.insert(game % 2, make_player(f"mcts:rollout=uniform,simulations=100,seed={game}", REVERSI))
            state, history = REVERSI.initial, ()
            while not terminal(state):
                move = players[to_move(state)].choose(Position(REVERSI, state, history), Limit())
                state, history = result(state, move.action), (*history, move.action)
            points += (1 + utility(state, 1 - game % 2)) / 2
        assert points >= 14


# The ladder ---------------------------------------------------------------------------------------------------------

sys.path.append(str(Path(__file__).parents[2]))  # the benchmarks are not part of the installed package
ladders = importlib.import_module("benchmarks.alphago")


def test_the_ladder_has_every_combination():
    full = ladders.contestants("p", "r", "v", "z")
    assert len(set(full.values())) == len(full) == 14
    assert set(ladders.contestants(None, None, None)) == {"random", "mcts", "rollouts"}
    assert ladders.limited(full["policy"], "time=1") == full["policy"]  # it does not search
    assert ladders.limited("mcts", "time=1") == "mcts:time=1"
    assert ladders.limited(full["all"], "time=1") == "alphago:policy=p,value=v,time=1"
    ladder = ladders.Ladder("simulations=10", full)
    games = list(ladders.schedule(ladder, ["f5 d6", "f5 f6", "f5 f4"], 6))
    assert len({game.key for game in games}) == len(games) == 6 * 14 * 13 // 2
    keys = {game.key for game in games}
    assert all((game.opening, game.white, game.black) in keys for game in games)  # each with both colours


def test_an_interrupted_ladder_goes_on(tmp_path):
    out = tmp_path / "ladder.jsonl"
    ladder = ladders.Ladder("simulations=10", {"random": "random", "rollouts": "random", "mcts": "random"})
    games = list(ladders.schedule(ladder, ["f5 d6"], 4))
    rows = [ladders.play(ladder, game) for game in games[:7]]
    assert {row["points"] for row in rows} <= {0.0, 0.5, 1.0}
    assert all(sum(row["moves"]) + 2 >= 58 - 20 for row in rows)
    header = json.dumps({"limit": ladder.limit, "players": ladder.players})
    whole = "\n".join([header, *map(json.dumps, rows)])
    out.write_text(whole[:-9])  # killed while it wrote
    assert ladders.finished(out, ladder) == rows[:-1]
    out.write_text(whole + "\n")
    assert ladders.finished(out, ladder) == rows
    assert ladders.finished(out, ladders.Ladder("time=1", ladder.players)) == []
    with pytest.raises(BadOption, match="'mcts' was random there and is mcts now"):
        ladders.finished(out, ladders.Ladder(ladder.limit, ladder.players | {"mcts": "mcts"}))
    out.write_text('{"a": 1}\n')
    with pytest.raises(BadOption, match="line 1 is not a game of this benchmark"):
        ladders.finished(out, ladder)
    out.write_text("nonsense\n{}\n")
    with pytest.raises(BadOption, match="line 1 is not JSON"):
        ladders.finished(out, ladder)


def test_the_report_names_everybody_with_an_interval():
    def row(black, white, points):
        spent = {"seconds": [3, 6], "simulations": [90, 30], "moves": [30, 30]}
        return {"black": black, "white": white, "points": points, **spent}

    rows = [row("all", "rollouts", p) for p in (1, 1, 0.5, 1)] + [row("rollouts", "all", p) for p in (0, 1, 0, 0)]
    ladder = ladders.Ladder("simulations=3", {"all": "a", "rollouts": "b"})
    ratings = ladders.standings(rows, list(ladder.players))
    assert ratings.rows[0].name == "all"
    assert ratings.rows[0].low < ratings.rows[0].rating < ratings.rows[0].high
    table = ladders.ladder_table(ladder, rows)
    assert re.search(r"all +\+\d+ .* 8 +81\.2% +150\.0 +2\n", table)
    picture = ladders.ladder_svg([(ladder, rows), (ladder, rows)])
    assert picture.count("Equal simulations: 3 a move") >= 2
    ElementTree.fromstring(picture)
