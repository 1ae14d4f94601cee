"""AlphaGo of 2016: the games of people as arrays, and the networks that learn from them."""

import json
import random
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="the extra learn is not installed")

import torch

from plyground.cli.train_alphago import (
    overfitting_command,
    policy_command,
    reinforce_command,
    value_command,
)
from plyground.core.rules import actions, planes, result, transformed, transformed_action, utility
from plyground.engines.reversi.alphago.boards import Symmetries, cells, legal_shares, planes_of, words_on
from plyground.engines.reversi.alphago.human_games import (
    Split,
    moves_of,
    position_keys,
    read_human_games,
    split_by_year,
)
from plyground.engines.reversi.alphago.policy_games import (
    Games,
    Policy,
    legal_squares,
    make_moves,
    make_openings,
    new_games,
    play_games,
    policy_match,
    results,
)
from plyground.engines.reversi.alphago.reinforce import (
    ReinforceLesson,
    ReinforceRecipe,
    reversi_network,
    train_reinforce,
)
from plyground.engines.reversi.alphago.supervised import PolicyLesson, PolicyRecipe, accuracy, train_policy
from plyground.engines.reversi.alphago.value_network import (
    ValueRecipe,
    held_out,
    load_judged,
    one_of_each_game,
    overfitting,
    overfitting_svg,
    squared_error,
    train_value,
    whole_games,
)
from plyground.engines.reversi.squares import symmetric, symmetric_square
from plyground.errors import BadOption, FormatError
from plyground.formats.record import Record
from plyground.formats.replay import START
from plyground.formats.wthor import GAME, collect_games, parse_wthor, write_wthor
from plyground.games.reversi import FULL, PASS, Reversi
from plyground.learning.network import Network, Shape, folded, unfolded
from plyground.learning.onnx_file import load_network, onnx_bytes, quantised
from plyground.learning.run import save_checkpoint
from plyground.native.compiling import interpreted

YEARS = range(2001, 2009)
CPU = torch.device("cpu")


def some_game(luck):
    """Moves of a game by somebody who likes low squares."""
    state, played = START, []
    with interpreted():
        while options := actions(state):
            played.append(min(luck.sample(options, min(2, len(options)))))
            state = result(state, played[-1])
    return Record(START, tuple(played))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Eight years of four games each, as WTHOR files."""
    folder = tmp_path_factory.mktemp("wthor")
    luck = random.Random(1)
    for year in YEARS:
        games = collect_games([some_game(luck) for _ in range(4)], year, (year, 12, 31))
        write_wthor(folder / f"WTH_{year}.wtb", games)
    (folder / "WTH.JOU").write_bytes(b"names are not needed")
    return folder


@pytest.fixture(scope="module")
def known(folder):
    return read_human_games(folder)


# The games of people ----------------------------------------------------------------------------------------------


def test_every_move_comes_with_the_position_before_it_and_the_result_for_who_makes_it(folder, known):
    row = number = 0
    for file in sorted(folder.glob("*.wtb")):
        base = parse_wthor(file.read_bytes())
        for index in range(len(base)):
            state, ply = START, 0
            with interpreted():
                for action in base[index].moves:
                    if action != PASS:
                        assert (known.own[row], known.opponent[row]) == (state.own, state.opponent)
                        score = 2 * int(base.games["discs"][index]) - 64
                        assert known.score[row] == (-score if state.turn else score)
                        facts = known.move[row], known.year[row], known.game[row], known.ply[row]
                        assert facts == (action, base.year, number, ply)
                        row, ply = row + 1, ply + 1
                    state = result(state, action)
            number += 1
    assert row == len(known)


def test_a_game_that_breaks_the_rules_is_left_out(folder):
    base = parse_wthor((folder / "WTH_2001.wtb").read_bytes())
    whole = moves_of(base)
    for place, byte in ((20, 11), (3, 99), (59, 0)):
        games = base.games.copy()
        games["moves"][1, place] = byte
        broken = moves_of(type(base)(games, 2001, base.written), 10)
        right = whole.game != 1
        if byte:
            assert np.array_equal(broken.move, whole.move[right])
            assert np.array_equal(broken.game, whole.game[right] + 10)
        else:
            assert len(broken) == len(whole) - (whole.ply[whole.game == 1].max() == 59)
    games = base.games.copy()
    games["discs"][2] = 65
    assert set(moves_of(type(base)(games, 2001, base.written)).game) == {0, 1, 3}


def test_years_divide_the_games(known):
    split = split_by_year(known)
    years = [sorted(set(part.year.tolist())) for part in (split.train, split.validation, split.test)]
    assert years == [[2001, 2002], [2003, 2004, 2005], [2006, 2007, 2008]]
    games = [set(part.game.tolist()) for part in (split.train, split.validation, split.test)]
    assert len(set.union(*games)) == sum(map(len, games)) == 32
    with pytest.raises(BadOption, match="more than 6 years"):
        split_by_year(known[known.year > 2002])


def test_symmetric_positions_have_one_key_and_others_have_others(known):
    keys = position_keys(known.own, known.opponent)
    with interpreted():
        for index in range(8):
            own = np.array([symmetric(board, index) for board in known.own[:60]], np.uint64)
            opponent = np.array([symmetric(board, index) for board in known.opponent[:60]], np.uint64)
            assert np.array_equal(position_keys(own, opponent), keys[:60])
    assert len(set(keys[:60].tolist())) == 60


def test_positions_that_were_played_before_are_known(known):
    split = split_by_year(known)
    held, learned = (position_keys(part.own, part.opponent) for part in (split.test, split.train))
    seen = np.isin(held, learned)
    assert seen[split.test.ply < 2].all()  # all first moves are symmetric
    assert split.test.ply.min() == 1  # and no choice
    assert not seen[split.test.ply > 30].any()


def test_damaged_files_and_empty_folders_are_named(folder, tmp_path):
    data = (folder / "WTH_2003.wtb").read_bytes()
    for damaged, said in ((data[:-7], "announces 4 games"), (data[:9], "16 bytes of header"), (b"no" * 50, "no date")):
        (tmp_path / "WTH_2003.WTB").write_bytes(damaged)
        with pytest.raises(FormatError, match=said) as caught:
            read_human_games(tmp_path)
        assert "WTH_2003.WTB" in str(caught.value)
        assert "\n" not in str(caught.value)
    (tmp_path / "WTH_2003.WTB").unlink()
    with pytest.raises(BadOption, match=r"no WTHOR files \(\.wtb\) in"):
        read_human_games(tmp_path)
    with pytest.raises(BadOption, match="there is no folder"):
        read_human_games(tmp_path / "none")
    with pytest.raises(FormatError, match=re.escape("cannot read the WTHOR file")):
        read_human_games([tmp_path / "none.wtb"])
    write_wthor(tmp_path / "x.wtb", type(parse_wthor(data))(np.zeros(0, GAME), 0, (2001, 1, 1)))
    with pytest.raises(FormatError, match="in which year"):
        read_human_games([Path(tmp_path / "x.wtb")])


# Boards on a device -----------------------------------------------------------------------------------------------


def test_a_network_sees_every_symmetry_of_a_board_as_the_rules_draw_it(known):
    """And the move that was made, and the legal squares, go where the board's squares go."""
    tables, drawn = Symmetries(CPU), np.zeros((2, 8, 8), np.float32)
    few = known[np.arange(5, len(known), 97)]
    words = [words_on(CPU, array) for array in (few.own, few.opponent, legal_squares(few.own, few.opponent))]
    for index in range(8):
        sources = tables.sources[index : index + 1]
        seen, legal = planes_of(words[0], words[1], sources).numpy(), cells(words[2], sources).numpy()
        moves = tables.targets[index][torch.from_numpy(few.move).long()].tolist()
        with interpreted():
            for row in range(len(few)):
                state = Reversi(few.own[row], few.opponent[row], FULL, 0)
                # The game and the engine number the symmetries differently; each is one of the other's.
                images = [(transformed(state, number), number) for number in range(8)]
                image, number = next(
                    pair for pair in images if transformed_action(state, 10, pair[1]) == symmetric_square(10, index)
                )
                planes(image, drawn)
                assert np.array_equal(seen[row], drawn)
                assert np.flatnonzero(legal[row]).tolist() == sorted(actions(image))
                assert moves[row] == transformed_action(state, int(few.move[row]), number)


def test_all_of_the_policy_is_on_legal_squares():
    legal = torch.tensor([[1, 0] * 32])
    shares = legal_shares(torch.randn(1, 65) * 20, legal).exp()
    assert shares.sum().item() == pytest.approx(1.0, abs=1e-5)
    assert (shares[0, 1::2] == 0).all()


def test_an_unfolded_network_says_what_the_folded_one_did():
    torch.manual_seed(3)
    network = Network(Shape((2, 8, 8), 65, 2, 16))
    seen = torch.randn(7, 2, 8, 8)
    for _ in range(3):
        network(seen)
    network.eval()
    weights = folded(network)
    again = unfolded(weights, 8, 8)
    with torch.no_grad():
        for ours, theirs in zip(network(seen), again(seen), strict=True):
            assert torch.allclose(ours, theirs, atol=1e-4)
    assert again.shape == network.shape
    assert all(np.allclose(weights[name], array, atol=1e-5) for name, array in folded(again).items())


# The policy that learns from people ---------------------------------------------------------------------------------

QUICK = PolicyRecipe(size="1x8", batch=64, every=4, check=50)


@pytest.mark.slow
def test_a_policy_learns_200_positions_by_heart(known, tmp_path):
    few = known[(known.ply > 0) & (known.game < 4)][:200]
    split = Split(few, few, few)
    lesson = PolicyLesson(split, tmp_path, PolicyRecipe(size="1x16", batch=128, rate=2e-2, every=60, check=200))
    lesson.open()
    before = accuracy(lesson.learner.average, few, CPU).top1
    for number in range(3):
        lesson.iterate(number / 3)
    after = accuracy(lesson.learner.average, few, CPU, views=8)
    assert before < 0.5
    assert after.top1 > 0.95
    assert after.loss < 0.3
    # The file says the same, and nothing of the value, which nobody has taught it.
    file = load_network(tmp_path / "network.onnx")
    words = [words_on(CPU, array) for array in (few.own, few.opponent)]
    seen = planes_of(*words, Symmetries(CPU).sources[:1]).contiguous().numpy()
    logits, values = file(seen)
    assert (values == 0).all()
    legal = cells(words_on(CPU, legal_squares(few.own, few.opponent)), Symmetries(CPU).sources[:1])
    hits = legal_shares(torch.from_numpy(logits), legal).argmax(1).numpy() == few.move
    assert hits.mean() == pytest.approx(accuracy(lesson.learner.average, few, CPU).top1, abs=0.02)


def test_a_policy_goes_on_exactly_and_reports(folder, tmp_path):
    told, lines = [], []
    whole = train_policy(folder, tmp_path / "whole", QUICK, iterations=4, tell=told.append, done=lines.append)
    assert [line["iteration"] for line in lines] == [1, 2, 3, 4]
    assert {progress.stage for progress in told} == {"learning", "checking"}
    train_policy(folder, tmp_path / "parts", QUICK, iterations=4, done=lambda facts: lines.append(facts))
    # Stopped in the middle of the fourth iteration: what its line had said is forgotten and done again.
    (tmp_path / "parts" / "journal.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines[4:]))
    split = split_by_year(read_human_games(folder))
    stopped = PolicyLesson(split, tmp_path / "stopped", QUICK)
    stopped.open()
    stopped.iterate(0.0)
    stopped.iterate(0.25)
    stopped.journal.add({"iteration": 3, "seconds": 9.0})
    lesson = PolicyLesson(split, tmp_path / "stopped", QUICK)
    assert lesson.open()
    lesson.iterate(0.5)
    lesson.iterate(0.75)
    assert lesson.report() == whole

    def curve(name):
        text = (tmp_path / name / "journal.jsonl").read_text()
        return [{**json.loads(line), "seconds": 0, "positions_per_second": 0} for line in text.splitlines()]

    assert curve("stopped") == curve("whole") == curve("parts")
    files = [(tmp_path / name / "network.onnx").read_bytes() for name in ("whole", "stopped")]
    assert files[0] == files[1]
    assert (tmp_path / "whole" / "curves.svg").read_text().startswith("<svg")
    facts = load_network(tmp_path / "whole" / "network.onnx").facts
    assert (facts["kind"], facts["game"], facts["tested"]) == ("policy", "reversi", "2006-2008")
    assert json.loads((tmp_path / "whole" / "report.json").read_text()) == whole
    test = whole["test"]
    phases = sum(test[phase]["positions"] for phase in ("opening", "midgame", "endgame"))
    assert phases == test["seen"]["positions"] + test["unseen"]["positions"] == test["all"]["positions"]
    assert test["choice"]["positions"] < test["all"]["positions"]
    assert test["all"]["top1"] <= test["all"]["top3"]


def test_a_folder_of_another_training_is_not_written_over(folder, tmp_path):
    train_policy(folder, tmp_path / "r", QUICK, iterations=1, most=20)
    for recipe, said in ((replace(QUICK, size="1x16"), "a run with size 1x8, not 1x16"),):
        with pytest.raises(BadOption, match=said):
            train_policy(folder, tmp_path / "r", recipe, iterations=1)
    save_checkpoint(tmp_path / "r" / "checkpoint.pt", {"game": "connect4", "size": "1x8"})
    with pytest.raises(BadOption, match="a run with kind zero, not policy"):
        train_policy(folder, tmp_path / "r", QUICK, iterations=1)
    (tmp_path / "r" / "checkpoint.pt").write_bytes(b"something else")
    with pytest.raises(FormatError, match=r"checkpoint\.pt is not a checkpoint"):
        train_policy(folder, tmp_path / "r", QUICK, iterations=1)
    for wrong in ({"minutes": 0.0}, {"iterations": 0}):
        with pytest.raises(BadOption, match="must be a positive number"):
            train_policy(folder, tmp_path / "s", QUICK, **wrong)


# Games between policies ---------------------------------------------------------------------------------------------


def lots(seed=0):
    return torch.Generator(CPU).manual_seed(seed)


@pytest.fixture(scope="module")
def beginner(tmp_path_factory):
    """The file of a policy that knows nothing yet."""
    torch.manual_seed(0)
    weights = folded(Network(Shape((2, 8, 8), 65, 1, 8)).eval())
    path = tmp_path_factory.mktemp("networks") / "beginner.onnx"
    path.write_bytes(onnx_bytes(weights, {"kind": "policy", "game": "reversi", "size": "1x8"}))
    return path


def test_many_games_go_as_the_rules_say():
    games, states, passes, luck = new_games(20), [START] * 20, 0, lots()
    policy = Policy(None, CPU)
    while games.legal.any():
        which = np.flatnonzero(games.legal)
        squares = np.zeros(20, np.int64)
        squares[which] = policy.choose(games, which, luck)
        make_moves(games, squares)
        with interpreted():
            for game in which:
                state = result(states[game], int(squares[game]))
                if actions(state) == [PASS]:
                    state = result(state, PASS)
                    passes += 1
                states[game] = state
                legal = [square for square in range(64) if int(games.legal[game]) >> square & 1]
                assert legal == actions(state)
                if legal:
                    assert (games.own[game], games.opponent[game]) == (state.own, state.opponent)
                    assert games.turn[game] == state.turn
    assert results(games).tolist() == [utility(state, 0) for state in states]
    assert passes > 0


def test_moves_are_drawn_in_proportion_to_the_policy(beginner):
    network, _ = reversi_network(beginner, "policy")
    with torch.no_grad():
        network.policy.bias[26] += 0.5
    games = new_games(4000)
    straight = Symmetries(CPU).sources[:1]
    words = [words_on(CPU, array[:1]) for array in games[:3]]
    with torch.no_grad():
        shares = legal_shares(network(planes_of(words[0], words[1], straight))[0], cells(words[2], straight)).exp()[0]
    drawn = Policy(network, CPU).choose(games, np.arange(4000), lots())
    for square in (19, 26, 37, 44):
        assert (drawn == square).mean() == pytest.approx(shares[square].item(), abs=0.03)
    greedy = Policy(network, CPU, greedy=True).choose(games, np.arange(3), lots())
    assert greedy.tolist() == [26] * 3


def test_each_policy_moves_for_its_own_colour(beginner):
    network, _ = reversi_network(beginner, "policy")
    games, black = new_games(6), np.array([0, 1, 0, 1, 0, 1])
    seen = ([], [])

    def watch(number):
        return lambda which, squares: seen[number].extend((games.turn[which] ^ black[which]).tolist())

    play_games(games, (Policy(network, CPU), Policy(None, CPU)), black, lots(), (watch(0), watch(1)))
    assert set(seen[0]) == {0}
    assert set(seen[1]) == {1}
    assert not games.legal.any()


def test_openings_are_as_long_as_they_shall_be():
    games = new_games(12)
    make_openings(games, CPU, np.arange(12) % 4, lots())
    discs = [int(own | opponent).bit_count() for own, opponent in zip(games.own, games.opponent, strict=True)]
    assert discs == [4, 5, 6, 7] * 3
    assert np.array_equal(games.legal, legal_squares(games.own, games.opponent))
    assert len(set(games.own[3::4].tolist())) > 1


def test_a_match_with_itself_is_even(beginner):
    network, _ = reversi_network(beginner, "policy")
    greedy = Policy(network, CPU, greedy=True)
    even = policy_match(greedy, greedy, 10, opening=6, most=4)
    assert (even.won, even.share) == (even.lost, 0.5)
    assert even.won + even.drawn + even.lost == 20
    drawn = policy_match(Policy(network, CPU), Policy(network, CPU), 50)
    assert drawn.low < 0.5 < drawn.high


# The policy that learns to win --------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_policy_learns_to_beat_the_one_that_it_was(beginner, tmp_path):
    recipe = ReinforceRecipe(games=96, rounds=10, rate=1e-2, pool_every=4, match_every=0)
    lines = []
    report = train_reinforce(beginner, tmp_path / "r", recipe, iterations=1, pairs=50, done=lines.append)
    assert report["drawn"]["low"] > 0.6
    assert (report["rounds"], report["games"], lines[0]["pool"]) == (10, 960, 3)
    assert sorted(path.name for path in (tmp_path / "r" / "pool").iterdir()) == ["0000.onnx", "0001.onnx", "0002.onnx"]
    facts = load_network(tmp_path / "r" / "network.onnx").facts
    assert facts["kind"] == "reinforced"
    assert float(facts["share"]) == pytest.approx(report["drawn"]["share"], abs=1e-3)
    assert (tmp_path / "r" / "curves.svg").read_text().startswith("<svg")


@pytest.mark.slow
def test_reinforcement_goes_on_exactly(beginner, tmp_path):
    recipe = ReinforceRecipe(games=4, rounds=1, rate=1e-2, opening=3, pool_every=2, match_every=3, match_pairs=2)

    def lesson(name):
        found = ReinforceLesson(beginner, tmp_path / name, recipe)
        return found, found.open()

    whole, known = lesson("whole")
    assert not known
    lines = [whole.iterate(0.0) for _ in range(3)]
    parts, _ = lesson("parts")
    again = [parts.iterate(0.0)]
    parts.learn(0.0, lambda progress: None)  # killed before this was kept
    parts, known = lesson("parts")
    assert known
    again += [parts.iterate(0.0) for _ in range(2)]
    for ours, theirs in zip(lines, again, strict=True):
        assert {**ours, "seconds": 0, "moves_per_second": 0} == {**theirs, "seconds": 0, "moves_per_second": 0}
    assert whole.network_file() == parts.network_file()


def test_the_step_follows_the_gradient_of_reinforce(beginner, tmp_path):
    """Moves of won games become likelier, those of lost games less likely; a baseline takes away what was expected."""
    games = new_games(2)
    position = [games.own, games.opponent, games.legal, np.array([19, 44])]

    def change(outcome, baseline=None):
        lesson = ReinforceLesson(beginner, tmp_path, ReinforceRecipe(rate=1e-3))
        lesson.baseline = baseline
        straight = lesson.symmetries.sources[:1]
        words = [words_on(CPU, array[:1]) for array in games[:3]]

        def logarithms():
            with torch.no_grad():
                logits, _ = lesson.network(planes_of(words[0], words[1], straight))
                return legal_shares(logits, cells(words[2], straight))[0]

        before = logarithms()
        lesson._step(position, np.array(outcome, np.float32))
        after = logarithms()
        return (after - before)[19].item(), (after - before)[44].item()

    better, worse = change([1, -1])
    assert better > 0 > worse
    worse, better = change([-1, 1])
    assert better > 0 > worse
    assert change([1, 1]) == (0.0, 0.0)  # nothing but the mean
    assert change([1, -1], lambda seen: (None, torch.tensor([1.0, -1.0]))) == (0.0, 0.0)
    better, worse = change([1, 1], lambda seen: (None, torch.tensor([0.0, 1.0])))
    assert better > 0 > worse


def test_files_that_are_no_policy_are_refused(beginner, tmp_path):
    other = tmp_path / "x.onnx"
    weights = folded(Network(Shape((2, 8, 8), 65, 1, 8)).eval())
    for facts, kind, said in (
        ({"game": "connect4"}, "policy", "is a network for connect4, not for reversi"),
        ({"game": "reversi", "kind": "value"}, "policy", "is a value network; a policy network is needed here"),
        ({"game": "reversi", "kind": "policy"}, "value", "is a policy network; a value network is needed here"),
    ):
        other.write_bytes(onnx_bytes(weights, facts))
        with pytest.raises(BadOption, match=said):
            reversi_network(other, kind)
    seen = np.random.default_rng(0).integers(0, 2, (20, 2, 8, 8)).astype(np.float32)
    other.write_bytes(quantised(weights, {"game": "reversi", "kind": "policy"}, seen))
    assert reversi_network(other, "policy")[0].shape == Shape((2, 8, 8), 65, 1, 8)
    other.write_bytes(beginner.read_bytes()[:-100])
    with pytest.raises(FormatError, match="damaged"):
        reversi_network(other, "policy")


# The value network --------------------------------------------------------------------------------------------------


def test_a_position_has_the_result_to_which_the_policy_takes_it(beginner):
    """By a greedy policy, which plays the same from the same position again."""
    network, _ = reversi_network(beginner, "policy")
    supervised, greedy = Policy(network, CPU), Policy(network, CPU, greedy=True)
    known = one_of_each_game(supervised, greedy, 60, 7, first=100)
    assert 50 <= len(known) <= 60  # a game may be over before its random move
    assert len(set(known.game.tolist())) == len(known)
    assert known.game.min() >= 100
    discs = np.array([int(own | opponent).bit_count() for own, opponent in zip(known.own, known.opponent, strict=True)])
    assert discs.min() < 20
    assert discs.max() > 50
    everything = whole_games(greedy, 2, 7)
    assert len(set(everything.game.tolist())) == 2
    for some in (known, everything):
        turn = np.zeros(len(some), np.int8)  # the side to move is called black
        games = Games(some.own.copy(), some.opponent.copy(), legal_squares(some.own, some.opponent), turn)
        assert games.legal.all()
        play_games(games, (greedy, greedy), np.zeros(len(some), np.intp), lots())
        assert results(games).tolist() == some.result.tolist()
    assert np.array_equal(one_of_each_game(supervised, greedy, 60, 7).own, known.own)


@pytest.mark.slow
def test_a_network_that_sees_whole_games_remembers_them(beginner, tmp_path):
    recipe = ValueRecipe(size="1x16", positions=400, games=200, batch=128, rate=1e-2, every=30, check=200)
    reports = []
    for whole in (False, True):
        out = tmp_path / str(whole)
        reports.append(train_value(beginner, beginner, out, replace(recipe, whole=whole), iterations=2))
    one, whole = overfitting(tmp_path / "False", tmp_path / "True")
    assert (one.sampling, whole.sampling) == ("one of each game", "of whole games")
    assert one.games == one.positions
    assert whole.games < 10
    assert abs(one.positions - whole.positions) < 250
    assert one.held_error == one.common_error == pytest.approx(reports[0]["held_error"], abs=0.01)
    assert whole.error < one.error
    assert whole.common_error - whole.error > 2 * (one.common_error - one.error)
    assert [steps for steps, *_ in whole.curve] == [30, 60]
    assert whole.curve[-1][1] == pytest.approx(whole.error, abs=0.05)
    assert "Of whole games" in overfitting_svg([one, whole])
    with pytest.raises(BadOption, match="there are no positions in"):
        overfitting(tmp_path, tmp_path / "True")


@pytest.mark.slow
def test_learning_values_goes_on_exactly(beginner, tmp_path):
    recipe = ValueRecipe(size="1x8", positions=100, games=60, batch=32, every=3, check=20)
    whole = train_value(beginner, beginner, tmp_path / "whole", recipe, iterations=2)
    train_value(beginner, beginner, tmp_path / "parts", recipe, iterations=1)
    (tmp_path / "parts" / "positions-0001.npz").unlink()  # as if it had been stopped there
    # The learning rate of an iteration depends on how many there will be, so that the first one is done again.
    (tmp_path / "parts" / "checkpoint.pt").unlink()
    parts = train_value(beginner, beginner, tmp_path / "parts", recipe, iterations=2)
    assert whole == parts
    known = load_judged(tmp_path / "whole" / "positions-0000.npz")
    network, facts = reversi_network(tmp_path / "whole" / "network.onnx", "value")
    assert facts["kind"] == "value"
    assert float(facts["error"]) == pytest.approx(whole["held_error"], abs=1e-3)
    assert squared_error(network, known[held_out(known)], CPU) < 2.0
    file = load_network(tmp_path / "whole" / "network.onnx")
    logits, _ = file(np.zeros((1, 2, 8, 8), np.float32))
    assert (logits == 0).all()
    (tmp_path / "whole" / "positions-0000.npz").write_bytes(b"no positions")
    with pytest.raises(FormatError, match=r"positions-0000\.npz is not a file of positions: it is damaged; delete it"):
        train_value(beginner, beginner, tmp_path / "whole", recipe, iterations=3)
    with pytest.raises(BadOption, match="positions 100 one of each game, not 90 one of each game"):
        train_value(beginner, beginner, tmp_path / "whole", replace(recipe, positions=90), iterations=3)


# The command --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_commands_train_one_network_after_the_other(command, capsys, folder, tmp_path):
    """The first in a process of its own, the others as functions: a new process takes a second to import PyTorch."""
    policy, better, one, whole = (tmp_path / name for name in ("policy", "better", "one", "whole"))
    small = ("--size", "1x8", "--batch", "16", "--every", "2", "--report", "50")
    done = command("train", "alphago", "policy", str(folder), "--out", str(policy), *small, "--iterations", "1")
    assert done.returncode == 0, done.stderr
    assert "test 2006-2008" in done.stdout
    assert "unseen" in done.stdout
    assert "top-1" in done.stderr

    def shown(run, *words, **options):
        run(*words, **options)
        return capsys.readouterr().out

    tiny = {"size": "1x8", "batch": 16, "every": 2, "as_json": True}
    lines = shown(policy_command, folder, policy, iterations=2, report=50, **tiny).splitlines()
    assert json.loads(lines[0])["iteration"] == 2
    assert json.loads(lines[1])["report"]["test"]["all"]["positions"] == 50
    networks = policy / "network.onnx", better / "network.onnx"
    text = shown(reinforce_command, networks[0], better, games=2, pairs=2, iterations=1)
    assert "both greedy, random openings" in text
    lines = shown(reinforce_command, networks[0], better, games=2, pairs=2, iterations=1, as_json=True).splitlines()
    assert json.loads(lines[0])["report"]["drawn"]["won"] <= 4  # nothing was left to learn
    assert "held out" in shown(value_command, *networks, one, positions=110, iterations=1, **tiny | {"as_json": False})
    lines = shown(value_command, *networks, whole, positions=110, whole=True, iterations=1, **tiny).splitlines()
    assert json.loads(lines[1])["report"]["held_error"] > 0
    assert "of whole games" in shown(overfitting_command, one, whole, out=tmp_path / "x.svg")
    assert (tmp_path / "x.svg").read_text().startswith("<svg")
    assert len(json.loads(shown(overfitting_command, one, whole, as_json=True))) == 2


def test_the_commands_say_what_is_wrong(tmp_path):
    for run, said in (
        (lambda: reinforce_command(tmp_path / "none.onnx", tmp_path), "cannot read the network"),
        (lambda: policy_command(tmp_path, tmp_path, rate=-1.0), "--rate must be a positive number"),
        (lambda: policy_command(tmp_path, tmp_path, smoothing=1.0), "--smoothing must be a share"),
        (lambda: policy_command(tmp_path, tmp_path, device="abacus"), "there is no device 'abacus'"),
        (lambda: reinforce_command(tmp_path, tmp_path, entropy=-1.0), "--entropy must be"),
        (lambda: overfitting_command(tmp_path, tmp_path, out=Path("x.gif")), "--out must end in .svg"),
    ):
        with pytest.raises((BadOption, FormatError), match=said):
            run()
