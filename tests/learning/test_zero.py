"""Learning from nothing: self-play, the replay, networks as files, and a run that is killed and goes on."""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra learn is not installed")

import torch

from plyground.core.limits import Limit
from plyground.core.rules import actions, distinct_actions, planes, planes_shape, result, terminal, to_move, utility
from plyground.errors import BadOption, FormatError, UnsuitableGame
from plyground.games import make_game
from plyground.learning.fleet import GAMES, POSITIONS, SHARE, Plan, Style
from plyground.learning.gpu_meter import GpuMeter
from plyground.learning.learner import learning_rate
from plyground.learning.network import Network, Shape, folded, named_size, settle, unfolded
from plyground.learning.onnx_file import OnnxNetwork, load_network, onnx_bytes, quantised, stored_weights
from plyground.learning.replay_buffer import Replay, new_batch
from plyground.learning.run import load_checkpoint, save_checkpoint
from plyground.learning.self_play import SelfPlay, net_match, play_games
from plyground.learning.torch_network import TorchNetwork
from plyground.learning.zero import Recipe, ZeroRun, chosen_device, usual_recipe
from plyground.native.compiling import interpreted
from plyground.native.state_codec import read_state
from plyground.players import Position, make_player
from plyground.search.net_search import NetSearch

TICTACTOE = make_game("tictactoe")
SMALL = Recipe(
    size="1x16", simulations=16, positions=1000, batch=128, reuse=6, rate=5e-3, opening=4, resign=False, match_every=0
)


def some_network(game, size="1x8", seed=0):
    torch.manual_seed(seed)
    start = game.initial
    network = Network(Shape(planes_shape(start), distinct_actions(start), *named_size(size)))
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.2)
            module.running_var.uniform_(0.5, 2.0)
            module.weight.data.uniform_(0.5, 1.5)
            module.bias.data.normal_(0, 0.2)
    return network.eval()


def flat_judge(planes):
    return np.zeros((len(planes), 9), np.float32), np.zeros(len(planes), np.float32)


# Networks ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "reversi"])
def test_a_network_says_the_same_in_torch_folded_and_from_its_file(name, tmp_path):
    game = make_game(name)
    network = some_network(game, "2x16")
    seen = np.random.default_rng(1).random((5, *planes_shape(game.initial)), dtype=np.float32)
    with torch.no_grad():
        logits, values = (tensor.numpy() for tensor in network(torch.from_numpy(seen)))
    quick = TorchNetwork(network.shape, 5, "cpu")
    quick.load(stored_weights(onnx_bytes(folded(network), {}, half=False)))
    (tmp_path / "network.onnx").write_bytes(onnx_bytes(folded(network), {"game": game.spec}))
    file = load_network(tmp_path / "network.onnx")
    assert file.facts["game"] == game.spec
    few = quick(seen[:3])[0].copy()
    assert quick(seen)[0][:3] == pytest.approx(few, abs=1e-5)
    for judge, tolerance in ((quick, 1e-4), (file, 1e-2)):  # in the file weights are of half precision
        assert judge(seen)[0] == pytest.approx(logits, abs=tolerance)
        assert judge(seen)[1] == pytest.approx(values, abs=tolerance)


@pytest.mark.parametrize("size", ["1x8", "3x32"])
def test_a_quantised_network_says_nearly_the_same(size):
    game = make_game("connect4")
    network, rng = some_network(game, size), np.random.default_rng(2)
    seen = (rng.random((256, *planes_shape(game.initial))) < 0.3).astype(np.float32)
    weights = folded(network)
    whole = OnnxNetwork(onnx_bytes(weights, {"game": game.spec}, half=False), "x")
    data = quantised(weights, {"game": game.spec}, seen[:128])
    small = OnnxNetwork(data, "x")
    assert small.facts["game"] == "connect4"
    for ours, theirs in zip(small(seen), whole(seen), strict=True):
        assert np.abs(ours - theirs).mean() < 0.05 * theirs.std()
        assert np.corrcoef(ours.ravel(), theirs.ravel())[0, 1] > 0.998
    if size == "3x32":  # else there are more names than numbers
        assert len(data) < 0.7 * len(onnx_bytes(weights, {}))


@pytest.mark.parametrize("of_bytes", [False, True])
def test_a_network_from_its_file_learns_on_where_it_was(of_bytes):
    game, rng = make_game("connect4"), np.random.default_rng(3)
    weights = folded(some_network(game, "2x16"))
    seen = (rng.random((256, *planes_shape(game.initial))) < 0.3).astype(np.float32)
    data = quantised(weights, {}, seen) if of_bytes else onnx_bytes(weights, {})
    network = unfolded(stored_weights(data), *planes_shape(game.initial)[1:])
    given = torch.from_numpy(seen)
    with torch.no_grad():
        before = [tensor.clone() for tensor in network(given)]
        apart = [tensor.clone() for tensor in network.train()(given)]
        network = unfolded(stored_weights(data), *planes_shape(game.initial)[1:])
        settle(network, given)
        after, learning = network(given), network.train()(given)
    answers = before, OnnxNetwork(data, "x")(seen), after, learning, apart
    for known, theirs, still, trained, lost in zip(*answers, strict=True):
        assert np.corrcoef(known.numpy().ravel(), theirs.ravel())[0, 1] > (0.998 if of_bytes else 0.99999)
        assert torch.allclose(still, known, atol=1e-4)
        assert torch.allclose(trained, known, atol=1e-4)
        assert not torch.allclose(lost, known, atol=0.05)  # what settling is for


def test_a_damaged_network_is_recognised(tmp_path):
    data = onnx_bytes(folded(some_network(TICTACTOE)), {"game": "tictactoe"})
    path = tmp_path / "x.onnx"
    for place in (30, len(data) // 2, len(data) - 40):
        path.write_bytes(data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :])
        with pytest.raises(FormatError, match=r"x\.onnx is not a network of Plyground, or it is damaged"):
            load_network(path)
    path.write_bytes(data[: len(data) // 2])
    with pytest.raises(FormatError, match="damaged"):
        load_network(path)
    with pytest.raises(FormatError, match="cannot read the network"):
        load_network(tmp_path / "none.onnx")


def test_a_network_plays_the_game_that_it_has_learned(tmp_path):
    path = tmp_path / "x.onnx"
    path.write_bytes(onnx_bytes(folded(some_network(TICTACTOE)), {"game": "tictactoe"}))
    player = make_player(f"minialphago:network={path},simulations=20", TICTACTOE)
    move = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
    assert move.action in actions(TICTACTOE.initial)
    assert move.nodes == 20
    path.write_bytes(onnx_bytes(folded(some_network(TICTACTOE)), {"game": "tictactoe", "solved": "3"}))
    with pytest.raises(BadOption, match="solve must be at least 3, not 2"):
        make_player(f"minialphago:network={path},solve=2", TICTACTOE).prepare(TICTACTOE)
    path.write_bytes(onnx_bytes(folded(some_network(TICTACTOE)), {"game": "tictactoe", "solved": "many"}))
    with pytest.raises(FormatError, match="does not say how many empty squares are solved, but 'many'"):
        make_player(f"minialphago:network={path}", TICTACTOE).prepare(TICTACTOE)
    other = make_game("connect4")
    with pytest.raises(BadOption, match="has learned tictactoe, not connect4"):
        make_player(f"minialphago:network={path}", other).prepare(other)


def test_sizes_have_names():
    assert named_size("large") == named_size("6x128") == (6, 128)
    for wrong in ("gigantic", "6x", "x64", "0x64", "6x9999"):
        with pytest.raises(BadOption, match="there is no size"):
            named_size(wrong)


def test_the_learning_rate_rises_and_falls():
    rates = [learning_rate(1.0, share) for share in np.linspace(0, 1, 101)]
    assert max(rates) == pytest.approx(1.0, abs=0.01)
    assert rates[0] == pytest.approx(0.1)
    assert rates[-1] == pytest.approx(0.02)
    assert all(later <= sooner for sooner, later in itertools.pairwise(rates[2:]))


# Self-play --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("gumbel", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_self_play_brings_legal_positions_with_policies_and_results(gumbel):
    play = SelfPlay(TICTACTOE, Plan(simulations=12), Style(gumbel), workers=2, games=8, parts=2)
    replay = Replay(TICTACTOE, 10_000)
    tally = play.gather([flat_judge, flat_judge], 300, replay.add, lambda done: None)
    assert tally.positions == len(replay) >= 300
    assert tally.games > 30
    for row in range(len(replay)):
        state = read_state(TICTACTOE.initial, replay.words[row])
        assert not terminal(state)
        asked = np.nonzero(replay.policies[row])[0]
        assert set(asked) <= set(actions(state))
        assert int(replay.policies[row].sum()) == pytest.approx(SHARE, abs=9)
        assert replay.values[row] in (-1.0, 0.0, 1.0)
        wins = [action for action in actions(state) if terminal(result(state, action))]
        if any(utility(result(state, action), to_move(state)) > 0 for action in wins):
            assert replay.values[row] == 1.0  # the search proves it, and plays it


def test_the_same_seed_brings_the_same_positions():
    def positions():
        play = SelfPlay(TICTACTOE, Plan(simulations=8), Style(), workers=2, games=8, seed=5)
        replay = Replay(TICTACTOE, 1000)
        play.gather([flat_judge, flat_judge], 200, replay.add, lambda done: None)
        return replay.words[: len(replay)], replay.policies[: len(replay)]

    for ours, theirs in zip(positions(), positions(), strict=True):
        assert np.array_equal(ours, theirs)


def test_whole_games_are_played_to_their_end():
    harvest = play_games(TICTACTOE, Plan(simulations=8), Style(), flat_judge, games=12, seed=5)
    assert harvest.counts[GAMES] == 12
    states = [read_state(TICTACTOE.initial, words) for words in harvest.words]
    assert len(states) == len(harvest.results) == harvest.counts[POSITIONS]
    assert sum(state == TICTACTOE.initial for state in states) == 12


def exact_value(state):
    """With best play, to the player to move."""
    if terminal(state):
        return utility(state, to_move(state))
    after = [result(state, action) for action in actions(state)]
    return max(exact_value(new) if to_move(new) == to_move(state) else -exact_value(new) for new in after)


@pytest.mark.slow
def test_games_of_reversi_end_where_they_are_solved():
    reversi = make_game("reversi")

    def judge(planes):
        return np.random.default_rng(3).random((len(planes), 65), np.float32), np.zeros(len(planes), np.float32)

    with interpreted():  # to compile all of it for one game would take longer
        harvest = play_games(reversi, Plan(simulations=2), Style(), judge, games=2, solve=3, seed=5)
    states = [read_state(reversi.initial, words) for words in harvest.words]
    empties = [64 - (int(state.own) | int(state.opponent)).bit_count() for state in states]
    assert min(empties) == 4
    for state, left, value in zip(states, empties, harvest.results, strict=True):
        if left == 4:  # the move that was made led to an exact value
            after = [result(state, action) for action in actions(state)]
            assert value in [exact_value(new) * (1 if to_move(new) == to_move(state) else -1) for new in after]


def test_batches_show_positions_through_their_symmetries():
    """Whatever the symmetry, a policy that asks for the first empty square asks for one that is empty in the planes."""
    replay = Replay(TICTACTOE, 100)
    play = SelfPlay(TICTACTOE, Plan(simulations=4), Style(), workers=1, games=4)
    play.gather([flat_judge], 60, replay.add, lambda done: None)
    replay.policies[:] = 0
    for row in range(len(replay)):
        replay.policies[row, actions(read_state(TICTACTOE.initial, replay.words[row]))[0]] = SHARE
    batch = new_batch(TICTACTOE, 64)
    replay.sample(batch, 0, 0)
    again = new_batch(TICTACTOE, 64)
    replay.sample(again, 0, 0)
    assert np.array_equal(batch.planes, again.planes)
    for seen, policy in zip(batch.planes, batch.policies, strict=True):
        taken = seen[:2].sum(0).reshape(9)
        assert policy.sum() == pytest.approx(1.0)
        assert taken[int(policy.argmax())] == 0


def test_the_oldest_positions_are_forgotten():
    replay = Replay(TICTACTOE, 10)
    width = replay.words.shape[1]
    for number in range(25):
        replay.extend(
            np.full((1, width), number, np.uint64), np.zeros((1, 9), np.uint16), np.array([number], np.float32)
        )
    assert len(replay) == 10
    assert sorted(replay.values) == list(range(15, 25))
    replay.extend(np.zeros((30, width), np.uint64), np.zeros((30, 9), np.uint16), np.arange(30, dtype=np.float32))
    assert sorted(replay.values) == list(range(20, 30))


def test_a_match_of_equals_is_even_and_who_knows_less_loses():
    judge = OnnxNetwork(onnx_bytes(folded(some_network(TICTACTOE)), {"game": "tictactoe"}), "x")
    even = net_match(TICTACTOE, judge, judge, games=20, simulations=8, opening=3, seed=1)
    assert even.won == even.lost
    assert even.won + even.drawn + even.lost == 20

    def wise(seen):
        known = [KNOWN[tuple(map(tuple, position.reshape(-1, 9)[:2]))] for position in seen]
        return np.zeros((len(seen), 9), np.float32), np.array(known, np.float32)

    score = net_match(TICTACTOE, wise, flat_judge, games=40, simulations=12, opening=1, seed=1)
    assert score.lost == 0
    assert score.won > 0


def board(state):
    seen = np.zeros(planes_shape(state), np.float32)
    planes(state, seen)
    flat = seen.reshape(-1, 9)
    return tuple(flat[0]), tuple(flat[1])


def solve_all():
    """The value of every position of tic-tac-toe, to the player to move, by its board."""
    known = {}

    def solve(state):
        if state not in known:
            if terminal(state):
                known[state] = utility(state, 0)
            else:
                values = [solve(result(state, action)) for action in actions(state)]
                known[state] = max(values) if to_move(state) == 0 else min(values)
        return known[state]

    solve(TICTACTOE.initial)
    return {board(state): value if to_move(state) == 0 else -value for state, value in known.items()}


KNOWN = solve_all()


# Runs -------------------------------------------------------------------------------------------------------------


def losses(judge, side, simulations):
    """In how many games, of all that an opponent can choose, a network loses; with search, or by its policy alone."""
    search = NetSearch(TICTACTOE, judge, batch=1, reuse=False)
    chosen = {}

    def choice(state):
        if simulations:
            return search.search(state, Limit(simulations=simulations)).action
        seen = np.zeros((1, *planes_shape(state)), np.float32)
        planes(state, seen[0])
        logits = judge(seen)[0][0]
        return max(actions(state), key=lambda action: logits[action])

    def lost_from(state):
        if terminal(state):
            return utility(state, side) < 0
        if to_move(state) != side:
            return sum(lost_from(result(state, action)) for action in actions(state))
        if state not in chosen:
            chosen[state] = choice(state)
        return lost_from(result(state, chosen[state]))

    return lost_from(TICTACTOE.initial)


@pytest.mark.slow
def test_a_network_learns_tictactoe_to_perfect_play(tmp_path):
    """From nothing but its own games; the losses by its policy alone, without search, fall too."""
    run = ZeroRun(TICTACTOE, tmp_path / "run", SMALL)
    run.open()
    before = losses(OnnxNetwork(run.data, "x"), 1, 0)
    for number in range(22):
        run.iterate(number / 22, lambda progress: None)
    judge = OnnxNetwork(run.data, "x")
    assert losses(judge, 0, 25) == 0
    assert losses(judge, 1, 25) == 0
    assert losses(judge, 1, 0) < before / 50
    above = [line["policy_loss"] - line["policy_entropy"] for line in run.journal.lines[1:]]  # its lower bound
    assert above[-1] < above[0] / 2
    assert run.journal.lines[-1]["value_loss"] < run.journal.lines[1]["value_loss"] / 2
    run.save()
    assert (tmp_path / "run" / "curves.svg").read_text().startswith("<svg")


QUICK = Recipe(size="1x8", simulations=4, positions=100, batch=32, reuse=2, resign=False, match_every=2, match_games=4)

KILLED = """
import sys
from pathlib import Path
from plyground.games import make_game
from plyground.learning.gpu_meter import GpuMeter
from plyground.learning.zero import Recipe, ZeroRun, chosen_device, usual_recipe
run = ZeroRun(make_game("tictactoe"), Path(sys.argv[1]), Recipe(**{recipe}))
run.open()
while run.iteration < 400:
    run.iterate(0.5, lambda progress: None)
    run.save()
"""


def test_a_run_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path):
    script = KILLED.replace("{recipe}", repr(vars(QUICK)))
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path / "killed")], stderr=subprocess.PIPE, text=True
    )
    journal = tmp_path / "killed" / "journal.jsonl"
    while not (journal.exists() and journal.read_text().count("\n") >= 3):
        assert process.poll() is None, process.stderr.read()
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process.stderr.close()

    going_on = ZeroRun(TICTACTOE, tmp_path / "killed", QUICK)
    assert going_on.open()
    assert going_on.iteration >= 2
    undisturbed = ZeroRun(TICTACTOE, tmp_path / "whole", QUICK)
    assert not undisturbed.open()
    while undisturbed.iteration < going_on.iteration + 2:
        undisturbed.iterate(0.5, lambda progress: None)
        undisturbed.save()
    while going_on.iteration < undisturbed.iteration:
        going_on.iterate(0.5, lambda progress: None)
        going_on.save()

    def curve(folder):
        lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
        assert [line["iteration"] for line in lines] == list(range(1, undisturbed.iteration + 1))
        return [
            (line.get("policy_loss"), line.get("value_loss"), line["positions"], line.get("match")) for line in lines
        ]

    assert curve(tmp_path / "killed") == curve(tmp_path / "whole")
    assert going_on.data == undisturbed.data


def test_a_device_is_chosen_or_refused(monkeypatch):
    assert chosen_device("cpu") == "cpu"
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 0)
    assert chosen_device("auto") == "cpu"
    with pytest.raises(BadOption, match="PyTorch cannot use the GPU 'cuda': it sees none"):
        chosen_device("cuda")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    assert chosen_device("auto") == "cuda"
    assert chosen_device("cuda:1") == "cuda:1"
    for wrong, message in (
        ("cuda:2", "it sees 2"),
        ("gpu", "there is no device 'gpu'"),
        ("cpu:1", "there is no device"),
    ):
        with pytest.raises(BadOption, match=message):
            chosen_device(wrong)
    assert usual_recipe("cuda", TICTACTOE).games > usual_recipe("cpu", TICTACTOE).games


def test_the_use_of_a_gpu_is_read_from_the_drivers_program(tmp_path, monkeypatch):
    program = tmp_path / "nvidia-smi"
    program.write_text("#!/bin/sh\necho 40\necho '[N/A]'\necho 80\nexec sleep 60\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    meter = GpuMeter()
    while len(meter._readings) < 2:
        time.sleep(0.01)
    assert meter.since_last() == pytest.approx(0.6)
    assert meter.since_last() is None
    meter.close()
    monkeypatch.setenv("PATH", "")
    without = GpuMeter()
    assert without.since_last() is None
    without.close()


def test_a_checkpoint_that_is_damaged_or_of_another_run_is_named(tmp_path):
    path = tmp_path / "checkpoint.pt"
    save_checkpoint(path, {"numbers": torch.arange(5), "text": "x"})
    assert load_checkpoint(path)["text"] == "x"
    data = path.read_bytes()
    path.write_bytes(data[:-9] + b"!" + data[-8:])
    with pytest.raises(FormatError, match=r"checkpoint\.pt is damaged"):
        ZeroRun(TICTACTOE, tmp_path, QUICK).open()
    path.write_bytes(b"something else")
    with pytest.raises(FormatError, match=r"checkpoint\.pt is not a checkpoint"):
        ZeroRun(TICTACTOE, tmp_path, QUICK).open()
    save_checkpoint(path, {"game": "connect4", "size": "1x8"})
    with pytest.raises(BadOption, match="holds a run with game connect4, not tictactoe"):
        ZeroRun(TICTACTOE, tmp_path, QUICK).open()
    save_checkpoint(path, {"game": "tictactoe", "size": "1x8"})
    with pytest.raises(FormatError, match="another version"):
        ZeroRun(TICTACTOE, tmp_path, QUICK).open()


def test_games_of_hidden_cards_are_refused(tmp_path):
    with pytest.raises(UnsuitableGame, match="a network cannot learn"):
        ZeroRun(make_game("kuhn"), tmp_path, QUICK)


def test_a_run_begins_with_a_network(command, tmp_path):
    first = ZeroRun(TICTACTOE, tmp_path / "first", SMALL)
    first.open()
    for number in range(3):
        first.iterate(number / 3, lambda told: None)
    first.save()
    second = ZeroRun(TICTACTOE, tmp_path / "second", SMALL)
    second.open()
    second.begin_with(load_network(first.folder / "network-int8.onnx"))
    second.iterate(0.0, lambda told: None)
    began = second.iterate(0.0, lambda told: None)
    firsts = [line["policy_loss"] for line in first.journal.lines if "policy_loss" in line]
    assert began["policy_loss"] < 0.5 * (firsts[0] + firsts[-1])
    for start, said in (
        ("none.onnx", "cannot read the network"),
        ("minialphago_reversi", "is a network for reversi, not for tictactoe"),
        (str(first.folder / "network.onnx"), "is not a network of size 2x8; leave --size out"),
    ):
        words = ("train", "tictactoe", "--size", "2x8", "--out", str(tmp_path / "third"), "--start", start)
        done = command(*words)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


def test_without_pytorch_the_command_says_what_to_install(tmp_path):
    script = "import sys; sys.modules['torch'] = None; from plyground.cli.main import main; main()"
    words = [sys.executable, "-c", script, "train", "tictactoe", "--out", str(tmp_path / "r")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == "error: training networks needs PyTorch: pip install 'plyground[learn]'"


@pytest.mark.slow
def test_the_command_trains_and_goes_on(command, tmp_path):
    arguments = [
        "train",
        "tictactoe",
        "--size",
        "1x8",
        "--simulations",
        "4",
        "--positions",
        "60",
        "--out",
        str(tmp_path / "r"),
    ]
    done = command(*arguments, "--iterations", "2", "--json")
    assert done.returncode == 0, done.stderr
    assert [json.loads(line)["iteration"] for line in done.stdout.splitlines()] == [1, 2]
    done = command(*arguments, "--iterations", "3")
    assert done.returncode == 0, done.stderr
    assert "goes on with" in done.stderr
    assert Path(tmp_path / "r" / "network.onnx").exists()
    for wrong, said in (
        (["--minutes", "-1"], "--minutes must be a positive number"),
        (["--size", "enormous"], "there is no size 'enormous'"),
        (["--gate", "2"], "--gate must be a share"),
    ):
        done = command("train", "tictactoe", "--out", str(tmp_path / "s"), *wrong)
        assert done.returncode == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr
