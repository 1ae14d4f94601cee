"""Bandits: arms, policies against their formulas, regret against theory, compiled against interpreted, bad input."""

from __future__ import annotations

import json
import math
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
import pytest
import typer
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

from plyground import compiled, interpreted
from plyground.cli.bandit import bandit_command
from plyground.errors import BadOption, BrokenRule, FormatError, PlygroundError, SpecError, UnknownName
from plyground.native.randomness import random_unit, stream
from plyground.subjects.bandits import experiment
from plyground.subjects.bandits.arms import Arms, parse_arms
from plyground.subjects.bandits.experiment import measure_regret, recording_times
from plyground.subjects.bandits.pictures import regret_svg
from plyground.subjects.bandits.policies import (
    POLICIES,
    EpsilonGreedy,
    Exp3,
    Greedy,
    PolicyMemory,
    Thompson,
    Ucb1,
    UcbTuned,
    best_arm,
    choose,
    learn,
    make_policy,
    split_policies,
)
from plyground.subjects.bandits.sampling import random_beta, random_gamma, random_normal
from plyground.subjects.bandits.theory import hoeffding_radius, ucb1_bound

ARMS = Arms((0.6, 0.55, 0.4))
SPECS = [
    "greedy",
    "egreedy:0.1",
    "egreedy:decay=1",
    "ucb1",
    "ucb1:C=0.5",
    "ucbtuned",
    "thompson",
    "exp3:gamma=0.1",
    "uniform",
]

app = typer.Typer()
app.command("bandit")(bandit_command)


def bandit_app(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


# Arms ------------------------------------------------------------------------------------------------------------


def test_arms():
    assert parse_arms(" 0.6, .55,4e-1") == ARMS
    assert ARMS.gaps == pytest.approx((0, 0.05, 0.2))
    assert parse_arms("-3,1e3", 2.0) == Arms((-3.0, 1000.0), 2.0)
    assert (ARMS.scale, Arms((1,), 0.5).scale) == (1, 1)


@pytest.mark.parametrize(
    ("text", "sigma"),
    [
        ("", None),
        ("  ", 1.0),
        (",", None),
        ("0.6,,0.4", None),
        ("a half", None),
        ("nan", None),
        ("nan", 1.0),
        ("inf", 1.0),
        ("1.01", None),
        ("-0.01", None),
        ("1e10", 1.0),
        ("0.5", -1.0),
        ("0.5", math.nan),
        ("0.5", math.inf),
        (",".join(["0.5"] * 1001), None),
    ],
)
def test_bad_arms(text, sigma):
    with pytest.raises(BadOption) as caught:
        parse_arms(text, sigma)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 150


def test_bad_arms_made_directly():
    for means, sigma in [((), None), ((math.nan,), None), ((math.nan,), 1.0), ((2.0,), None), ((0.5,), -1.0)]:
        with pytest.raises(BadOption):
            Arms(means, sigma)


# Specs -----------------------------------------------------------------------------------------------------------


def test_specs():
    assert make_policy("egreedy") == make_policy("egreedy:0.1") == EpsilonGreedy(0.1, 0.0)
    assert make_policy("egreedy:decay=2") == EpsilonGreedy(0.0, 2.0)
    assert make_policy("ucb1") == Ucb1(1.0)
    assert make_policy("ucb1:C=0.5") == make_policy("ucb1:0.5") == Ucb1(0.5)
    assert make_policy("exp3:gamma=0.2") == Exp3(0.2)
    assert set(POLICIES) == {spec.partition(":")[0] for spec in SPECS}
    for name in POLICIES:
        assert POLICIES.summary(name)
        make_policy(name)


def test_lists_of_specs():
    assert split_policies("greedy, egreedy:0.1 ,ucb1:C=2") == ["greedy", "egreedy:0.1", "ucb1:C=2"]
    assert split_policies("egreedy:epsilon=0.1,decay=2,ucb1") == ["egreedy:epsilon=0.1,decay=2", "ucb1"]


@pytest.mark.parametrize(
    ("spec", "error", "words"),
    [
        ("ucb", UnknownName, "did you mean 'ucb1'?"),
        ("UCB1", UnknownName, "did you mean 'ucb1'?"),
        ("egredy:0.1", UnknownName, "did you mean 'egreedy'?"),
        ("ucb1:D=1", UnknownName, "no option 'D'"),
        ("greedy:0.1", SpecError, "0.1"),
        ("ucb1:C=-1", BadOption, "at least 0"),
        ("ucb1:nan", BadOption, "number"),
        ("ucb1:C=", BadOption, "number"),
        ("egreedy:1.5", BadOption, "from 0 to 1"),
        ("egreedy:decay=0", BadOption, "above 0"),
        ("egreedy:epsilon=0.1,decay=1", BadOption, "either"),
        ("exp3:0", BadOption, "above 0"),
        ("exp3:gamma=2", BadOption, "at most 1"),
        ("", SpecError, "names nothing"),
    ],
)
def test_bad_specs(spec, error, words):
    with pytest.raises(error) as caught:
        make_policy(spec)
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("text", ["", "greedy,,ucb1", "ucb1,ucb1", ","])
def test_bad_lists_of_specs(text):
    with pytest.raises(SpecError):
        split_policies(text)


# Random numbers --------------------------------------------------------------------------------------------------

DRAWS = 20_000


@compiled
def draw(law, a, b, rng, out):
    for i in range(len(out)):
        out[i] = random_normal(rng) if law == 0 else random_gamma(a, rng) if law == 1 else random_beta(a, b, rng)
    return 0


def drawn(law, a=1.0, b=1.0, seed=0, count=DRAWS):
    out = np.empty(count)
    draw(law, float(a), float(b), stream(seed), out)
    return out


def check_moments(numbers, mean, variance, fourth):
    """Mean and variance within five standard errors; `fourth` is the fourth central moment of the law."""
    n = len(numbers)
    assert numbers.mean() == pytest.approx(mean, abs=5 * math.sqrt(variance / n))
    spread = math.sqrt(max(fourth - variance**2, 0.02 * variance**2) / n)
    assert numbers.var() == pytest.approx(variance, abs=5 * spread)


def test_normal():
    numbers = drawn(0, count=200_000)
    check_moments(numbers, 0, 1, 3)
    for z in (-2, -1, 0, 0.5, 1.5, 3):
        exact = (1 + math.erf(z / math.sqrt(2))) / 2
        assert (numbers <= z).mean() == pytest.approx(exact, abs=5 * math.sqrt(exact * (1 - exact) / 200_000))


@settings(max_examples=40)
@given(st.floats(0.05, 100), st.integers(0, 1000))
def test_gamma(shape, seed):
    numbers = drawn(1, shape, seed=seed)
    assert (numbers >= 0).all()
    check_moments(numbers, shape, shape, 3 * shape**2 + 6 * shape)


@settings(max_examples=40)
@given(st.floats(0.05, 100), st.floats(0.05, 100), st.integers(0, 1000))
def test_beta(a, b, seed):
    numbers = drawn(2, a, b, seed=seed)
    assert ((numbers >= 0) & (numbers <= 1)).all()
    mean, total = a / (a + b), a + b
    variance = a * b / (total**2 * (total + 1))
    excess = 6 * ((a - b) ** 2 * (total + 1) - a * b * (total + 2)) / (a * b * (total + 2) * (total + 3))
    check_moments(numbers, mean, variance, (excess + 3) * variance**2)


def test_tiny_shapes():
    numbers = drawn(2, 1e-4, 3e-4)
    assert ((numbers >= 0) & (numbers <= 1)).all()
    assert numbers.mean() == pytest.approx(0.25, abs=0.02)


def test_random_numbers_are_the_same_interpreted():
    for law in (0, 1, 2):
        fast = drawn(law, 0.7, 2.5, seed=3, count=200)
        with interpreted():
            assert drawn(law, 0.7, 2.5, seed=3, count=200) == pytest.approx(fast, rel=1e-12)


# Policies against their formulas ---------------------------------------------------------------------------------


def memory_of(pulls, means, variances=None, sigma=-1.0):
    pulls, means = np.array(pulls, np.int64), np.array(means, float)
    variances = means * (1 - means) if variances is None else np.array(variances, float)
    return PolicyMemory(pulls, pulls * means, pulls * (variances + means**2), np.zeros((2, len(pulls))), sigma)


def test_each_arm_once_first():
    for spec in ("greedy", "egreedy", "egreedy:decay=1", "ucb1", "ucbtuned"):
        found = measure_regret(ARMS, spec, pulls=3, runs=5)
        assert found.shares[-1] == pytest.approx([1 / 3] * 3)
        assert (found.finals == found.finals[0]).all()
    found = measure_regret(Arms(ARMS.means, 1.0), "thompson", pulls=3, runs=5)
    assert found.shares[-1] == pytest.approx([1 / 3] * 3)


@given(st.lists(st.tuples(st.integers(1, 50), st.floats(0, 1), st.floats(0, 0.25)), min_size=1, max_size=5))
def test_scores(rows):
    pulls, means, variances = map(np.array, zip(*rows, strict=True))
    t = int(pulls.sum())
    radius = np.sqrt(2 * math.log(t) / pulls)
    tuned = np.sqrt(math.log(t) / pulls * np.minimum(0.25, variances + radius))
    for policy, scores in (
        (Greedy(), means),
        (Ucb1(1.0), means + radius),
        (Ucb1(0.3), means + 0.3 * radius),
        (UcbTuned(), means + tuned),
    ):
        memory = memory_of(pulls, means, variances)
        chosen = choose(policy, t, memory, stream(1))
        assert scores[chosen] == pytest.approx(scores.max(), abs=1e-9)
        assert memory.notes[0] == pytest.approx(scores, abs=1e-7)


def test_ties_are_broken_at_random():
    rng = stream(5)
    counts = np.bincount([best_arm([1.0, 3.0, 3.0, 2.0, 3.0], rng) for _ in range(6000)], minlength=5)
    assert counts[[0, 3]].sum() == 0
    assert counts[[1, 2, 4]] == pytest.approx([2000] * 3, abs=200)


def test_epsilon_decays():
    def explored(t):
        rng = stream(2)
        memory = memory_of([t - 20, 10, 5, 5], [1, 0, 0, 0])
        return np.mean([choose(EpsilonGreedy(0.0, 2.0), t, memory, rng) != 0 for _ in range(4000)])

    assert explored(40) == pytest.approx(2 * 4 / 40 * 3 / 4, abs=0.03)
    assert explored(400) == pytest.approx(2 * 4 / 400 * 3 / 4, abs=0.01)


def test_thompson_chooses_an_arm_as_often_as_it_is_believed_the_best():
    rng = stream(4)
    memory = memory_of([1, 0], [1, 0])  # Beta(2, 1) against Beta(1, 1): better with probability 2/3
    first = np.mean([choose(Thompson(), 1, memory, rng) == 0 for _ in range(10_000)])
    assert first == pytest.approx(2 / 3, abs=0.02)
    memory = memory_of([4, 1], [1.0, 0.0], sigma=2.0)  # the difference is normal: mean 1, variance 4/4 + 4/1
    first = np.mean([choose(Thompson(), 5, memory, rng) == 0 for _ in range(10_000)])
    assert first == pytest.approx((1 + math.erf(1 / math.sqrt(10))) / 2, abs=0.02)


def test_exp3_follows_its_weights():
    memory = memory_of([1, 1, 1], [0, 0, 0])
    policy, rng = Exp3(0.3), stream(4)
    weights = np.ones(3)
    for step in range(200):
        arm = choose(policy, step, memory, rng)
        chances = 0.7 * weights / weights.sum() + 0.1
        assert memory.notes[1] == pytest.approx(chances)
        reward = float(step % 3 == arm)
        learn(policy, arm, reward, memory)
        weights[arm] *= math.exp(0.3 * reward / chances[arm] / 3)


def test_exp3_stays_finite():
    found = measure_regret(Arms((1.0, 0.0)), "exp3:gamma=1e-9", pulls=2000, runs=2)
    assert np.isfinite(found.pseudo.mean).all()


# Regret ----------------------------------------------------------------------------------------------------------


def same(one, other, rel=0.0):
    """Whether two measurements agree."""
    for a, b in [
        (one.times, other.times),
        (one.pseudo.mean, other.pseudo.mean),
        (one.pseudo.error, other.pseudo.error),
        (one.realised.mean, other.realised.mean),
        (one.realised.error, other.realised.error),
        (one.shares, other.shares),
        (one.finals, other.finals),
        (one.first.pulls, other.first.pulls),
        (one.first.totals, other.first.totals),
    ]:
        if not np.allclose(a, b, rtol=rel, atol=rel):
            return False
    return True


@pytest.mark.parametrize("spec", SPECS)
def test_compiled_equals_interpreted(spec):
    for arms in (ARMS, Arms((0.5, -1.0), 0.7)):
        if spec.startswith("exp3") and arms.sigma is not None:
            continue
        fast = measure_regret(arms, spec, pulls=150, runs=4, seed=3)
        with interpreted():
            slow = measure_regret(arms, spec, pulls=150, runs=4, seed=3)
        assert (fast.first.pulls == slow.first.pulls).all()
        assert same(fast, slow, rel=1e-9)


@pytest.mark.parametrize("spec", SPECS)
def test_runs_are_the_same_however_many_and_in_whatever_parts(spec, monkeypatch):
    many = measure_regret(ARMS, spec, pulls=300, runs=60, seed=3)
    few = measure_regret(ARMS, spec, pulls=300, runs=7, seed=3)
    assert (many.finals[:7] == few.finals).all()
    assert (many.first.totals == few.first.totals).all()
    assert not same(many, measure_regret(ARMS, spec, pulls=300, runs=60, seed=4))
    monkeypatch.setattr(experiment, "WORK", 7000)
    assert same(measure_regret(ARMS, spec, pulls=300, runs=60, seed=3), many)
    monkeypatch.setattr(experiment, "WORK", 100)
    assert same(measure_regret(ARMS, spec, pulls=300, runs=60, seed=3), many)


@settings(max_examples=30)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=5), st.sampled_from(SPECS), st.integers(1, 300))
def test_regret_is_never_negative(means, spec, pulls):
    found = measure_regret(Arms(tuple(means)), spec, pulls=pulls, runs=5, seed=1)
    assert (found.finals >= 0).all()
    assert (np.diff(found.pseudo.mean, prepend=0) >= -1e-9).all()
    assert found.pseudo.mean[-1] == pytest.approx(found.finals.mean())
    assert found.shares.sum(axis=1) == pytest.approx(np.ones(len(found.times)))
    assert found.first.pulls.sum(axis=1) == pytest.approx(found.times)
    assert found.times[-1] == pulls


def test_statistics_are_those_of_the_runs():
    found = measure_regret(ARMS, "egreedy", pulls=200, runs=50, seed=2)
    assert found.pseudo.error[-1] == pytest.approx(found.finals.std(ddof=1) / math.sqrt(50))
    assert math.isnan(measure_regret(ARMS, "egreedy", pulls=200, runs=1).pseudo.error[-1])


@pytest.mark.parametrize("arms", [ARMS, Arms((0.9, 0.1)), Arms((3.0, -1.0, 0.0, 2.0), 1.5)])
def test_uniform_costs_the_mean_gap_at_every_pull(arms):
    found = measure_regret(arms, "uniform", pulls=1000, runs=2000, seed=1)
    exact = found.times * np.mean(arms.gaps)
    assert (np.abs(found.pseudo.mean - exact) < 4.5 * found.pseudo.error).all()
    assert (np.abs(found.realised.mean - exact) < 4.5 * found.realised.error).all()


@pytest.mark.parametrize("spec", SPECS)
def test_both_regrets_have_the_same_expectation(spec):
    found = measure_regret(ARMS, spec, pulls=500, runs=2000, seed=1)
    difference = abs(found.pseudo.mean[-1] - found.realised.mean[-1])
    assert difference < 4 * math.hypot(found.pseudo.error[-1], found.realised.error[-1])


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "uniform"])
def test_every_policy_learns(spec):
    arms = Arms((0.2, 0.8, 0.3))
    assert measure_regret(arms, spec, pulls=3000, runs=200, seed=1).best_share > 0.6


@pytest.mark.parametrize(
    "arms",
    [ARMS, Arms((0.9, 0.8)), Arms((0.5, 0.45)), Arms((0.9, 0.6, 0.6, 0.6, 0.1)), Arms((0.3, 0.0, 0.2), 0.5)],
)
def test_ucb1_keeps_its_bound(arms):
    found = measure_regret(arms, "ucb1", pulls=5000, runs=300, seed=1, log=True)
    bounds = [ucb1_bound(arms, n) for n in found.times.tolist()]
    assert (found.pseudo.mean + 3 * found.pseudo.error <= bounds).all()


@pytest.mark.slow
def test_greedy_grows_linearly_and_ucb1_does_not():
    def doubling(spec):
        found = measure_regret(ARMS, spec, pulls=100_000, runs=200, seed=1)
        half = int(np.searchsorted(found.times, 50_000))
        assert found.times[half] == 50_000
        return found.pseudo.mean[-1] / found.pseudo.mean[half]

    assert doubling("greedy") == pytest.approx(2, abs=0.02)
    assert doubling("uniform") == pytest.approx(2, abs=0.02)
    assert doubling("ucb1") < 1.25


def test_ucb1_without_exploration_is_greedy():
    assert same(
        measure_regret(ARMS, "ucb1:C=0", pulls=500, runs=50), measure_regret(ARMS, "greedy", pulls=500, runs=50)
    )


def test_arms_without_a_difference():
    for arms in (Arms((0.5,)), Arms((0.3, 0.3)), Arms((0.0, 0.0)), Arms((1.0, 1.0)), Arms((2.0, 2.0), 0.0)):
        for spec in SPECS:
            if not (spec.startswith("exp3") and arms.sigma is not None):
                found = measure_regret(arms, spec, pulls=50, runs=3)
                assert (found.pseudo.mean == 0).all()
                assert found.best_share == pytest.approx(1)


def test_recording_times():
    for pulls in (1, 2, 199, 200, 201, 10**6, 10**12):
        for log in (False, True):
            times = recording_times(pulls, log=log)
            assert times[0] >= 1
            assert times[-1] == pulls
            assert len(times) <= 200
            assert (np.diff(times) > 0).all()


def test_radius():
    assert hoeffding_radius(1000, 10) == pytest.approx(math.sqrt(2 * math.log(1000) / 10))
    assert math.exp(-2 * 10 * hoeffding_radius(1000, 10) ** 2) == pytest.approx(1000**-4)
    assert hoeffding_radius(1000, 10, scale=3) == 3 * hoeffding_radius(1000, 10)
    assert hoeffding_radius(1, 1) == 0
    assert hoeffding_radius(5, 0) == math.inf
    one = measure_regret(ARMS, "ucb1", pulls=1000, runs=1, seed=1).first
    for index in (0, 50, -1):
        t = int(one.times[index])
        assert one.radii(index) == [hoeffding_radius(t, int(pulls)) for pulls in one.pulls[index]]
        assert one.means(index) == pytest.approx(one.totals[index] / one.pulls[index])
    never = measure_regret(ARMS, "uniform", pulls=1, runs=1, seed=1).first
    assert sorted(map(math.isnan, never.means())) == [False, True, True]


def test_theory_refuses():
    for wrong in (
        lambda: hoeffding_radius(0, 1),
        lambda: hoeffding_radius(1, -1),
        lambda: ucb1_bound(ARMS, 0),
        lambda: ucb1_bound(Arms((0.5,), 1.0), 10),
    ):
        with pytest.raises(BadOption):
            wrong()


@pytest.mark.parametrize(
    ("spec", "arms", "options"),
    [
        ("ucb1", ARMS, {"pulls": 0}),
        ("ucb1", ARMS, {"pulls": 10**13}),
        ("ucb1", ARMS, {"runs": 0}),
        ("ucb1", ARMS, {"runs": -1}),
        ("ucb1", ARMS, {"runs": 10**9}),
        ("exp3", Arms((0.5,), 1.0), {}),
        ("nothing", ARMS, {}),
    ],
)
def test_experiments_refused(spec, arms, options):
    with pytest.raises(SpecError) as caught:
        measure_regret(arms, spec, **options)
    assert "\n" not in str(caught.value)


class Last(NamedTuple):
    """A policy of our own: a fixed place counted from the end."""

    back: int


@choose.rule(Last)
def _(policy, t, memory, rng):
    return len(memory.pulls) - policy.back


def test_a_policy_of_our_own():
    found = measure_regret(ARMS, Last(1), pulls=100, runs=3)
    assert found.policy == "Last(back=1)"
    assert found.pseudo.mean[-1] == pytest.approx(20)
    for back in (0, 4):
        with pytest.raises(BrokenRule, match="arms 0 to 2"):
            measure_regret(ARMS, Last(back), pulls=100, runs=3)


def test_progress_and_ctrl_c():
    heard = []
    measure_regret(ARMS, "uniform", pulls=100_000, runs=40, on_progress=heard.append)
    assert len(heard) > 2
    assert heard == sorted(heard)
    assert heard[-1] == 1.0

    def stop(part):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure_regret(ARMS, "uniform", pulls=10**12, runs=10**6, on_progress=stop)


# Pictures and the command ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("log", [False, True])
def test_picture(log):
    few = [measure_regret(ARMS, spec, pulls=500, runs=20, log=log) for spec in ("greedy", "ucb1")]
    root = ElementTree.fromstring(regret_svg(few, log=log))
    assert root.get("aria-label").startswith("3 Bernoulli arms, 500 pulls, 20 runs")
    many = Arms(tuple(i / 40 for i in range(40)), 1.0)
    ElementTree.fromstring(regret_svg([measure_regret(many, "thompson", pulls=10, runs=1, log=log)], log=log))


def test_command(tmp_path):
    out = tmp_path / "regret.svg"
    words = ("--policies", "ucb1:C=0.5,thompson", "--pulls", "300", "--runs", "20", "--seed", "7")
    done = bandit_app(*words, "--out", str(out))
    assert done.exit_code == 0, done.exception
    assert "ucb1:C=0.5" in done.stdout
    assert "seed 7" in done.stdout
    assert "±" in done.stdout
    ElementTree.parse(out)
    answer = json.loads(bandit_app(*words, "--json").stdout)
    assert [entry["policy"] for entry in answer["policies"]] == ["ucb1:C=0.5", "thompson"]
    assert answer["ucb1_bound"] == ucb1_bound(ARMS, 300)
    for entry in answer["policies"]:
        found = measure_regret(ARMS, entry["policy"], pulls=300, runs=20, seed=7)
        assert entry["pseudo_regret"]["mean"] == found.pseudo.mean.tolist()
        assert entry["best_share"] == found.best_share
        assert len(answer["times"]) == len(entry["realised_regret"]["error"])


def test_command_in_hindsight(tmp_path):
    out = tmp_path / "regret.svg"
    words = ("--policies", "ucb1", "--pulls", "200", "--runs", "20", "--seed", "7")
    done = bandit_app(*words, "--hindsight", "--out", str(out))
    assert done.exit_code == 0, done.exception
    assert "in hindsight" in done.stdout
    assert "Against the best arm in hindsight" in out.read_text()
    (entry,) = json.loads(bandit_app(*words, "--hindsight", "--json").stdout)["policies"]
    found = measure_regret(ARMS, "ucb1", pulls=200, runs=20, seed=7, hindsight=True).hindsight
    assert found is not None
    assert entry["hindsight_regret"] == {"mean": found.mean.tolist(), "error": found.error.tolist()}
    (entry,) = json.loads(bandit_app(*words, "--json").stdout)["policies"]
    assert entry["hindsight_regret"] is None
    assert "hindsight" not in bandit_app(*words).stdout


def test_command_with_one_run_and_gaussian_arms():
    words = ("--gaussian", "2", "--pulls", "10", "--runs", "1", "--policies", "thompson")
    answer = json.loads(bandit_app(*words, "--json").stdout)
    assert answer["sigma"] == 2
    assert answer["ucb1_bound"] is None
    assert answer["policies"][0]["pseudo_regret"]["error"][-1] is None
    assert bandit_app(*words).exit_code == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("--arms", ""),
        ("--arms", "0.5,nan"),
        ("--arms", "2"),
        ("--gaussian", "-1"),
        ("--gaussian", "nan"),
        ("--pulls", "0"),
        ("--runs", "0"),
        ("--policies", ""),
        ("--policies", "ucb2"),
        ("--policies", "ucb1:C=-1"),
        ("--policies", "ucb1,exp3", "--gaussian", "1"),
        ("--out", "."),
        ("--out", "no/such/folder/regret.svg"),
    ],
)
def test_command_refuses(arguments):
    error = bandit_app(*arguments).exception
    assert isinstance(error, PlygroundError)
    assert "\n" not in str(error)


def test_a_full_disk_is_one_line(tmp_path, monkeypatch):
    def fail(*args, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("plyground.core.files._take_over_permissions", fail)
    error = bandit_app("--pulls", "10", "--runs", "2", "--out", str(tmp_path / "x.svg")).exception
    assert isinstance(error, FormatError)
    assert "No space left" in str(error)
    assert not list(tmp_path.iterdir())


def test_help_has_an_example():
    assert "Example: plyground bandit" in " ".join(bandit_app("--help").stdout.split())


# Against the best arm in hindsight ------------------------------------------------------------------------------------


def hindsight_by_hand(arms, spec, pulls, runs, seed):
    """Every reward of every arm written down first, then every fixed arm tried against them: one list a run."""
    policy, found = make_policy(spec), []
    for run in range(runs):
        luck, rng, beyond = (stream(seed, run, which) for which in range(3))
        count = len(arms)
        memory = PolicyMemory(
            np.zeros(count, np.int64), np.zeros(count), np.zeros(count), np.zeros((2, count)),
            -1.0 if arms.sigma is None else arms.sigma,
        )  # fmt: skip
        table, got, regrets = [], [], []

        def draw(rng, mean):
            return mean + arms.sigma * random_normal(rng) if arms.sigma is not None else float(random_unit(rng) < mean)

        for t in range(pulls):
            arm = choose(policy, t, memory, rng)
            reward = draw(luck, arms.means[arm])
            table.append([draw(beyond, mean) for mean in arms.means])
            table[-1][arm] = reward
            got.append(reward)
            memory.pulls[arm] += 1
            memory.totals[arm] += reward
            memory.squares[arm] += reward * reward
            learn(policy, arm, reward, memory)
            regrets.append(max(sum(row[i] for row in table) for i in range(count)) - sum(got))
        found.append(regrets)
    return np.array(found)


@pytest.mark.parametrize("spec", ["ucb1", "egreedy:0.2", "thompson"])
@pytest.mark.parametrize("arms", [Arms((0.6, 0.5, 0.3)), Arms((0.2, 0.1), 1.0)])
def test_regret_in_hindsight_by_brute_force(spec, arms):
    with interpreted():
        found = measure_regret(arms, spec, pulls=40, runs=6, seed=5, hindsight=True)
        by_hand = hindsight_by_hand(arms, spec, 40, 6, 5)
    assert found.hindsight is not None
    assert found.hindsight.mean == pytest.approx(by_hand[:, found.times - 1].mean(axis=0))
    assert found.hindsight.error == pytest.approx(by_hand[:, found.times - 1].std(axis=0, ddof=1) / math.sqrt(6))


def test_hindsight_changes_nothing_else_and_is_left_out_if_not_asked_for():
    plain, more = (
        measure_regret(ARMS, "ucb1", pulls=300, runs=60, seed=3, hindsight=wanted) for wanted in (False, True)
    )
    assert plain.hindsight is None
    assert (plain.pseudo.mean == more.pseudo.mean).all()
    assert (plain.realised.mean == more.realised.mean).all()


def test_one_pull_of_two_fair_coins_misses_a_quarter():
    """Whichever is pulled: E max(X, Y) - E X = 3/4 - 1/2."""
    found = measure_regret(Arms((0.5, 0.5)), "uniform", pulls=1, runs=20_000, seed=1, hindsight=True)
    assert found.hindsight is not None
    assert abs(found.hindsight.mean[0] - 0.25) < 4 * found.hindsight.error[0] < 0.03
    assert found.pseudo.mean[0] == 0.0


def test_in_hindsight_regret_is_at_least_the_pseudo_regret_on_average():
    found = measure_regret(ARMS, "ucb1", pulls=500, runs=2000, seed=1, hindsight=True)
    assert found.hindsight is not None
    assert (found.hindsight.mean[10:] > found.pseudo.mean[10:]).all()
