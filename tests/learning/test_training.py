"""The evaluation is fitted to games, measured on games that were held out, and the commands around it."""

from __future__ import annotations

import json
from contextlib import closing
from itertools import islice

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.engines.reversi.correction import UNITS
from plyground.engines.reversi.correction_fit import NetworkTraining, fit_network
from plyground.engines.reversi.evaluation import STAGES, UNIT, stage_of
from plyground.engines.reversi.patterns import WEIGHTS, canonical_weights
from plyground.engines.reversi.positions import (
    UNKNOWN,
    Games,
    Positions,
    Sample,
    held_out,
    join_games,
    load_games,
    merge,
    replay_positions,
    save_games,
    split,
)
from plyground.engines.reversi.probcut import FIT, deviation
from plyground.engines.reversi.probcut_fit import (
    DEPTHS,
    Deviation,
    Measured,
    choose_positions,
    deviations,
    fit_deviations,
)
from plyground.engines.reversi.self_play import play_games
from plyground.engines.reversi.squares import canonical, symmetric
from plyground.engines.reversi.training import (
    Checkpoint,
    Training,
    features_of,
    fingerprint,
    fit_stage,
    fit_stages,
    judged,
    measure,
    share_of,
    stage_empties,
    usual_sharing,
    values,
)
from plyground.engines.reversi.weights import Weights, load_weights, save_weights, without_network
from plyground.errors import FormatError
from plyground.formats.replay import END
from plyground.formats.wthor import GAME, GameBase, write_wthor


@pytest.fixture(scope="module")
def games(engine_code) -> Games:
    with closing(play_games(3, 0, weights=load_weights(), depth=1, solve_from=6)) as played:
        moves, scores, estimates, openings = zip(*islice(played, 120), strict=True)
    return Games(np.stack(moves), np.stack(scores), np.stack(estimates), np.array(openings, np.uint8))


@pytest.fixture
def file(games, tmp_path):
    path = tmp_path / "games.npz"
    save_games(path, games)
    return path


def part(games: Games, which) -> Games:
    return Games(games.moves[which], games.scores[which], games.estimates[which], games.openings[which])


# Files --------------------------------------------------------------------------------------------------------------


def test_a_file_of_games_is_read_as_it_was_written(games, file):
    again = load_games(file)
    assert np.array_equal(again.moves, games.moves)
    assert np.array_equal(again.scores, games.scores)
    assert np.array_equal(again.openings, games.openings)


def test_games_are_joined_one_part_after_the_other(games):
    joined = join_games([part(games, slice(0, 50)), part(games, slice(50, None))])
    assert np.array_equal(joined.moves, games.moves)
    assert len(join_games([])) == 0


def test_foreign_and_broken_files_are_refused_in_one_line(games, file, tmp_path):
    path = tmp_path / "wrong.npz"

    def message(data: bytes) -> str:
        path.write_bytes(data)
        with pytest.raises(FormatError) as caught:
            load_games(path)
        assert "\n" not in str(caught.value)
        return str(caught.value)

    whole = file.read_bytes()
    for data in (b"", b"hello", whole[:100], whole[: len(whole) // 2], b"\x93NUMPY\x01\x00"):
        assert "is not a file of games" in message(data)
    np.save(path.with_suffix(".npy"), games.moves)
    assert "is not a file of games" in message(path.with_suffix(".npy").read_bytes())

    def with_arrays(**arrays) -> str:
        np.savez(path, **{**vars(games), **arrays})
        return message(path.read_bytes())

    assert "'moves' is uint8 of shape (120, 59)" in with_arrays(moves=games.moves[:, :59])
    assert "'scores' is int64" in with_arrays(scores=games.scores.astype(np.int64))
    assert "'openings' is uint8 of shape (7,)" in with_arrays(openings=games.openings[:7])
    moves = games.moves.copy()
    moves[4, 2] = 0
    assert "game 5: move 3 is not legal" in with_arrays(moves=moves)
    scores = games.scores.copy()
    scores[6, 3] = 100
    assert "game 7: there is no score of 100" in with_arrays(scores=scores)
    with pytest.raises(FormatError, match="cannot read the file of games"):
        load_games(tmp_path / "none.npz")


# Positions ----------------------------------------------------------------------------------------------------------

boards = st.tuples(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1)).map(
    lambda pair: (np.uint64(pair[0]), np.uint64(pair[1] & ~pair[0]))
)


@given(boards, st.integers(0, 7))
def test_symmetric_positions_have_one_form(board, index):
    own, opponent = board
    images = [tuple(np.uint64(symmetric(discs, i)) for discs in (own, opponent)) for i in range(8)]
    form = canonical(own, opponent)[:2]
    assert canonical(*images[index])[:2] == form
    assert form in images


def test_a_position_without_a_score_has_that_of_the_nearest_one_that_has(games):
    replayed = replay_positions(games)
    assert np.count_nonzero(games.estimates != UNKNOWN)
    for game in range(len(games)):
        length = int((games.moves[game] != END).sum())
        known = {e: int(games.scores[game, e]) for e in range(61) if games.scores[game, e] != UNKNOWN}
        guessed = {e: int(games.estimates[game, e]) for e in range(61) if games.estimates[game, e] != UNKNOWN}
        assert not guessed or list(guessed) == [10]
        for empties in range(61):
            score = replayed[empties].score[game]
            there = (known or guessed) and 61 - length <= empties <= 60 - games.openings[game]
            if not there:
                assert score == UNKNOWN
            elif empties in known:
                assert score == known[empties]
                assert replayed[empties].exact[game]
            else:
                assert not replayed[empties].exact[game]
                nearest = min(known | guessed, key=lambda e: (abs(e - empties), e))
                assert abs(score) == abs((known | guessed)[nearest])
            if there:
                discs = int(replayed[empties].own[game] | replayed[empties].opponent[game])
                assert discs.bit_count() == 64 - empties


def test_equal_positions_become_one_with_the_mean_score():
    numbers = np.array([5, 7, 5, 5, 9, 9], np.uint64)
    positions = Positions(numbers, numbers << np.uint64(8), np.array([1, 2, 3, 8, 4, 6], np.int8), np.zeros(6, bool))
    learned, held = merge(positions, np.array([False, True, False, True, True, True]))
    assert learned.own.tolist() == [5]
    assert learned.score.tolist() == [2.0]  # the held-out 8 does not count
    assert learned.count.tolist() == [2]
    assert held.own.tolist() == [7, 9]
    assert held.score.tolist() == [2.0, 5.0]


def test_an_exact_score_outweighs_all_others():
    numbers = np.array([5, 5, 5], np.uint64)
    positions = Positions(numbers, numbers, np.array([1, 2, 30], np.int8), np.array([False, False, True]))
    learned, held = merge(positions, np.zeros(3, bool))
    assert (learned.score.tolist(), learned.exact.tolist(), len(held)) == ([30.0], [True], 0)


def test_what_is_held_out_is_not_learned_from(games):
    """Not even as another game's position, mirrored."""
    samples = split([games, part(games, slice(0, 60))])
    replayed = replay_positions(part(games, ~held_out(games)))
    assert sum(len(held) for _, held in samples) > 50
    for empties, (learned, held) in enumerate(samples):
        used = replayed[empties].score != UNKNOWN
        known = set(zip(replayed[empties].own[used].tolist(), replayed[empties].opponent[used].tolist(), strict=True))
        measured = set(zip(held.own.tolist(), held.opponent.tolist(), strict=True))
        assert not measured & known
        assert not measured & set(zip(learned.own.tolist(), learned.opponent.tolist(), strict=True))
        assert len(measured) == len(held)


def test_nothing_to_split_is_nothing():
    assert all(len(learned) == len(held) == 0 for learned, held in split([]))


# Fitting ------------------------------------------------------------------------------------------------------------


def test_every_position_belongs_to_one_stage():
    members = [empties for stage in range(STAGES) for empties in stage_empties(stage)]
    assert sorted(members) == list(range(1, 61))
    assert all(share_of(empties, int(stage_of(empties)), 0) == 1.0 for empties in range(1, 61))


def test_weights_of_mirrored_contents_are_equal():
    sharing = usual_sharing()
    weights = sharing.weights(np.random.default_rng(1).normal(size=sharing.parameters))
    assert np.allclose(weights, weights[canonical_weights()], atol=1e-5)


def test_gathering_is_the_transpose_of_making_weights():
    sharing, rng = usual_sharing(), np.random.default_rng(2)
    parameters, weights = rng.normal(size=sharing.parameters), rng.normal(size=WEIGHTS)
    assert sharing.weights(parameters).astype(np.float64) @ weights == pytest.approx(
        float(parameters @ sharing.gathered(weights)), rel=1e-3
    )


def learned_from(games: Games) -> list[Sample]:
    return [learned for learned, _ in split([games])]


@pytest.mark.slow
def test_a_fit_finds_weights_that_are_known(games):
    """Scores that are a sum of weights are learned; without a belief in 0, almost exactly."""
    samples = learned_from(games)
    weights = load_weights().patterns[int(stage_of(20))].astype(np.float32) / 32
    known = [
        Sample(sample.own, sample.opponent, values(sample, weights), sample.exact, sample.count) for sample in samples
    ]
    found = fit_stage(known, int(stage_of(20)), Training(ridge=1e-3, steps=60, rounds=1))
    assert measure(known[20], values(known[20], weights)).mean_absolute == 0
    assert measure(known[20], values(known[20], found)).mean_absolute < 0.1


def test_each_step_lowers_what_is_minimised(games):
    samples, stage, ridge = learned_from(games), int(stage_of(20)), 10.0
    errors = []
    for steps in (1, 2, 4, 8):
        weights = fit_stage(samples, stage, Training(ridge=ridge, steps=steps, rounds=1, margin=0))
        found = [measure(samples[e], values(samples[e], weights)) for e in stage_empties(stage)]
        errors.append(sum(part.positions * part.root_mean_square**2 for part in found))
    assert errors == sorted(errors, reverse=True)
    scores = np.concatenate([samples[e].score for e in stage_empties(stage)])
    assert errors[-1] < 0.5 * float((scores**2).sum())


@pytest.mark.slow
def test_later_rounds_lower_the_loss_that_grows_in_proportion(games):
    samples, stage, width = learned_from(games), int(stage_of(20)), 3.0
    losses = []
    for rounds in (1, 3):
        training = Training(ridge=1.0, steps=10, rounds=rounds, margin=0, width=width)
        weights = fit_stage(samples, stage, training)
        errors = np.concatenate([np.abs(values(samples[e], weights) - samples[e].score) for e in stage_empties(stage)])
        losses.append(float(np.where(errors < width, errors**2, width * (2 * errors - width)).sum()))
    assert losses[1] < losses[0]


def test_the_value_is_the_same_for_symmetric_positions(games):
    sample = learned_from(games)[20]
    weights = fit_stage(learned_from(games), int(stage_of(20)), Training(steps=5))
    mirrored = Sample(
        np.array([symmetric(own, 5) for own in sample.own], np.uint64),
        np.array([symmetric(opponent, 5) for opponent in sample.opponent], np.uint64),
        sample.score, sample.exact, sample.count,
    )  # fmt: skip
    assert not np.array_equal(features_of(sample), features_of(mirrored))
    assert np.allclose(values(sample, weights), values(mirrored, weights), atol=1e-3)


@pytest.mark.slow
def test_stages_are_the_same_from_any_number_of_threads(games):
    samples, training = learned_from(games), Training(steps=2)
    one = dict(fit_stages(samples, [3, 12, 15], training))
    two = dict(fit_stages(samples, [3, 12, 15], training, threads=2))
    assert sorted(one) == sorted(two) == [3, 12, 15]
    assert all(np.array_equal(one[stage], two[stage]) for stage in one)


def test_a_fit_can_be_stopped(games):
    assert fit_stage(learned_from(games), 12, Training(), lambda: False) is None


def test_errors_are_those_of_the_definition():
    sample = Sample(
        np.array([1, 2], np.uint64), np.array([4, 8], np.uint64), np.array([3, -1], np.float32), np.ones(2, bool),
        np.array([9, 1]),
    )  # fmt: skip
    errors = measure(sample, np.zeros(2, np.float32))
    assert (errors.positions, errors.mean_absolute, errors.bias) == (2, 2.0, -1.0)
    assert errors.root_mean_square == pytest.approx(5**0.5)
    assert measure(sample[:0], np.zeros(0, np.float32)) is None


@pytest.mark.slow
def test_a_network_learns_what_a_sum_of_weights_cannot(games):
    """Whoever is ahead or behind is worth up to 1.5 discs more; the positions are few, and seen many times."""
    sample = learned_from(games)[20]
    patterns = np.zeros((STAGES, WEIGHTS), np.int16)
    patterns[:] = load_weights().patterns[int(stage_of(20))]
    many = np.tile(np.arange(len(sample)), 120)
    sums = values(sample, patterns[0].astype(np.float32) / UNIT)
    bent = Sample(sample.own, sample.opponent, sums + np.minimum(np.abs(sums) / 4, 1.5), sample.exact, sample.count)
    samples = [bent[many] if empties == 20 else sample[:0] for empties in range(61)]
    training = NetworkTraining(batch=32, head_rate=0.02)
    before = measure(bent, judged(bent, without_network(patterns)))
    told = []
    network = fit_network(samples, patterns, training, lambda done, of: told.append((done, of)))
    after = measure(bent, judged(bent, Weights(patterns, network)))
    assert after.mean_absolute < 0.4 * before.mean_absolute
    assert told == [(step, 200) for step in range(200)]
    again = fit_network(samples, patterns, training)
    assert all(np.array_equal(one, other) for one, other in zip(network, again, strict=True))
    others = np.arange(STAGES) != int(stage_of(20))
    assert not network.heads[others, -2 * UNITS :].any()  # nothing was learned there: nothing is corrected


def test_a_checkpoint_keeps_what_belongs_to_the_same_training(games, tmp_path):
    path, training = tmp_path / "w.partial", Training()
    name = fingerprint([games], training)
    weights = fit_stage(learned_from(games), 12, Training(steps=1))
    Checkpoint(path, name).add(12, weights)
    again = Checkpoint(path, name)
    assert again.stages == [12]
    assert np.allclose(again.weights(12), weights, atol=1e-5)
    assert Checkpoint(path, fingerprint([games], Training(ridge=7))).stages == []
    assert Checkpoint(path, fingerprint([part(games, slice(1, None))], training)).stages == []
    path.write_bytes(b"nonsense")
    with pytest.raises(FormatError, match="not a checkpoint"):
        Checkpoint(path, name)


# The regression of Multi-ProbCut ------------------------------------------------------------------------------------


def test_the_fit_of_deviations_finds_the_law_that_made_them():
    rows = [
        Deviation(empties, depth, shallow, 60, float(deviation(empties, depth, shallow)), 0.0)
        for empties in (12, 20, 36)
        for depth in range(4, 10)
        for shallow in range(depth % 2, depth, 2)
    ]
    assert fit_deviations(rows) == pytest.approx(FIT)
    with pytest.raises(FormatError, match="too few"):
        fit_deviations(rows[:3])


def test_deviations_are_taken_between_depths_of_one_parity():
    rng = np.random.default_rng(1)
    board = np.full(30, (1 << 26) - 1, np.uint64)
    measured = Measured(board, board << np.uint64(26), rng.integers(-9, 9, (30, DEPTHS)), rng.integers(-9, 9, 30))
    assert set(measured.empties) == {12}
    found = {(row.depth, row.shallow): row for row in deviations(measured)}
    assert all((depth - shallow) % 2 == 0 and shallow < depth for depth, shallow in found)
    assert {depth for depth, _ in found} == {4, 5, 6, 7, 8, 9, 12}
    assert found[9, 3].measured == pytest.approx((measured.values[:, 9] - measured.values[:, 3]).std())
    assert found[12, 0].mean == pytest.approx((measured.scores - measured.values[:, 0]).mean())


def test_the_positions_for_the_fit_differ_and_have_the_sizes_asked_for(games):
    boards = choose_positions([games], 8, seed=1)
    assert len(set(boards)) == len(boards)
    sizes = [64 - (own | opponent).bit_count() for own, opponent in boards]
    assert sizes == sorted(sizes)
    assert sizes.count(20) == 8
    assert choose_positions([games], 8, seed=1) == boards != choose_positions([games], 8, seed=2)


# Commands -----------------------------------------------------------------------------------------------------------


def test_self_play_goes_on_where_it_was(command):
    quick = ("--depth", "1", "--solve-from", "4", "--seed", "9", "--json")
    done = command("train", "evaluation", "games", "--out", "a.npz", "--games", "6", *quick)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"games": 6, "new": 6, "file": "a.npz"}
    for number in ("2", "6"):
        done = command("train", "evaluation", "games", "--out", "b.npz", "--games", number, "--threads", "2", *quick)
    assert json.loads(done.stdout)["new"] == 4
    a, b = (load_games(command.folder / name) for name in ("a.npz", "b.npz"))
    assert np.array_equal(a.moves, b.moves)
    assert np.array_equal(a.scores, b.scores)


def test_recorded_games_are_scored_anew(command, games):
    """The same game twice, one that is not legal and one that was broken off are left out; results are ignored."""
    rows = np.zeros(5, GAME)
    for index, game in enumerate((0, 1, 0, 2, 3)):
        squares = games.moves[game]
        rows["moves"][index] = np.where(squares == END, 0, (squares // 8 + 1) * 10 + squares % 8 + 1)
    rows["moves"][3, 2] = 11
    rows["moves"][4, 30:] = 0
    write_wthor(command.folder / "w.wtb", GameBase(rows, 2020, (2020, 1, 2)))
    line = ("train", "evaluation", "label", "w.wtb", "--solve-from", "6", "--json")
    done = command(*line, "--out", "h.npz")
    assert json.loads(done.stdout) == {"games": 2, "new": 2, "left_out": 3, "file": "h.npz"}
    found = load_games(command.folder / "h.npz")
    assert np.array_equal(found.scores, games.scores[:2])
    assert json.loads(command(*line, "--out", "h.npz").stdout)["new"] == 0
    save_games(command.folder / "other.npz", part(games, slice(5, 6)))
    done = command(*line, "--out", "other.npz")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "other games" in done.stderr


@pytest.mark.slow
def test_fit_and_report(command, games):
    """What a stopped fit has left beside its file is not fitted again: such stages have the weights they had."""
    save_games(command.folder / "g.npz", games)
    line = ("train", "evaluation", "fit", "g.npz", "--out", "w.npz", "--steps", "1", "--threads", "2", "--json")
    files = []
    for _ in range(2):
        checkpoint = Checkpoint(command.folder / "w.npz.partial", fingerprint([games], Training(steps=1)))
        for stage in set(range(STAGES)) - {8, 12}:
            checkpoint.add(stage, np.full(WEIGHTS, 0.25, np.float32))
        done = command(*line)
        assert done.returncode == 0, done.stderr
        assert not checkpoint.path.exists()
        files.append((command.folder / "w.npz").read_bytes())
    assert files[0] == files[1]
    answer = json.loads(done.stdout)
    assert [row["stage"] for row in answer["stages"]] == list(range(STAGES))
    table = load_weights(command.folder / "w.npz").patterns
    fitted = [stage for stage in range(STAGES) if (table[stage] != 0.25 * UNIT).any()]
    assert fitted == [8, 12]
    assert table[fitted].any(axis=1).all()

    options = ("--weights", "w.npz", "--at", "4", "--at", "10", "--solve", "2", "--json")
    done = command("train", "evaluation", "report", "g.npz", *options)
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert [row["empties"] for row in report["exact"]] == [4, 10]
    assert report["exact"][1]["held_out"] == 2
    assert report["stages"] == answer["stages"]


def test_probcut_measures_and_fits(command, games):
    save_games(command.folder / "g.npz", games)
    save_weights(command.folder / "w.npz", without_network(np.zeros((STAGES, WEIGHTS), np.int16)))
    rng = np.random.default_rng(1)
    boards = choose_positions([games], 8, 0)
    n = len(boards) - 2
    measured = measured_at(boards[:n], rng.integers(-9, 9, (n, DEPTHS)))
    np.savez(command.folder / "m.npz", **measured._asdict())
    line = ("train", "probcut", "g.npz", "--out", "m.npz", "--each", "8", "--weights", "w.npz")
    done = command(*line, "--json")
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["positions"] == len(boards)
    assert len(answer["fit"]) == 4
    with np.load(command.folder / "m.npz") as file:
        assert np.array_equal(file["values"][:n], measured.values)
        assert not file["values"][n:].any()  # by weights that are all 0
    assert command(*line).stdout.startswith("FIT = (")
    done = command(*line, "--seed", "5")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "other positions" in done.stderr
    (command.folder / "m.npz").write_bytes(b"nonsense")
    done = command(*line)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is not a file of measurements" in done.stderr


def measured_at(boards, values) -> Measured:
    own, opponent = (np.array([board[side] for board in boards], np.uint64) for side in (0, 1))
    sizes = 64 - np.bitwise_count(own | opponent)
    return Measured(own, opponent, values, np.where(sizes <= 18, 3, UNKNOWN).astype(np.int64))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("evaluation games --out x.npz", "--games"),
        ("evaluation games --out x.npz --time -1", "--time must be"),
        ("evaluation games --out no/x.npz --games 1", "no folder"),
        ("evaluation games --out x.npz --games 0", "Invalid value for '--games'"),
        ("evaluation games --out bad.npz --games 1", "is not a file of games"),
        ("evaluation games --out x.npz --games 1 --weights bad.npz", "is not a file of weights"),
        ("evaluation label bad.npz --out x.npz", "WTHOR"),
        ("evaluation fit none.npz --out x.npz", "cannot read"),
        ("evaluation fit bad.npz --out x.npz", "is not a file of games"),
        ("evaluation fit empty.npz --out x.npz", "no positions to learn from"),
        ("evaluation fit empty.npz --out x.npz --ridge 0", "--ridge must be"),
        ("evaluation report empty.npz --at 40", "--at must be"),
        ("probcut empty.npz --out x.npz", "no positions"),
        ("probcut empty.npz --out bad.npz", "no positions"),
        ("evaluation", "Missing command"),
        ("evaluations", "No such command"),
    ],
)
def test_bad_input_gets_one_line(command, words, message):
    (command.folder / "bad.npz").write_bytes(b"this is no such file")
    save_games(command.folder / "empty.npz", join_games([]))
    done = command("train", *words.split())
    assert done.returncode == 2, done.stdout + done.stderr
    said = [line for line in done.stderr.splitlines() if not line.startswith("Compiling ")]
    assert len(said) == 1
    assert message in done.stderr
