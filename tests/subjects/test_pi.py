"""Pi by random points: the estimate, and its error that shrinks as 1 / sqrt(n)."""

from __future__ import annotations

import json
import math
from xml.etree import ElementTree

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from plyground import interpreted
from plyground.cli.pi import pi_command
from plyground.errors import BadOption
from plyground.native.randomness import stream
from plyground.subjects.bandits import pi
from plyground.subjects.bandits.pi import STANDARD_DEVIATION, count_inside, estimate_pi, pi_errors, random_points
from plyground.subjects.bandits.pictures import pi_svg

app = typer.Typer()
app.command("pi")(pi_command)


def pi_app(*arguments):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200"})


def test_the_estimate_is_close():
    one = estimate_pi(1_000_000, seed=7)
    assert abs(one.value - math.pi) < 4 * STANDARD_DEVIATION / 1000
    assert one.error == pytest.approx(STANDARD_DEVIATION / 1000, rel=0.01)
    assert one.times[0] == 1
    assert one.times[-1] == 1_000_000
    assert set(10 ** np.arange(7)) <= set(one.times)


def test_few_points_are_not_sure():
    assert estimate_pi(1, seed=7).error > 1


def test_compiled_equals_interpreted():
    with interpreted():
        slow = count_inside(2000, stream(3)), estimate_pi(500, seed=3).estimates
    assert count_inside(2000, stream(3)) == slow[0]
    assert (estimate_pi(500, seed=3).estimates == slow[1]).all()


def test_the_points_shown_are_the_points_counted():
    points = random_points(1000, seed=3)
    inside = sum(x * x + y * y <= 1 for x, y in points)
    assert estimate_pi(1000, seed=3).value == 4 * inside / 1000


def test_seeds_and_parts(monkeypatch):
    whole = estimate_pi(10_000, seed=5).estimates
    assert (estimate_pi(10_000, seed=5).estimates == whole).all()
    assert (estimate_pi(10_000, seed=6).estimates != whole).any()
    monkeypatch.setattr(pi, "WORK", 77)
    heard = []
    assert (estimate_pi(10_000, seed=5, on_progress=heard.append).estimates == whole).all()
    assert len(heard) > 100
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


def test_the_error_shrinks_with_the_root_of_n():
    many = pi_errors(100_000, 400, seed=7)
    scaled = many.errors * np.sqrt(many.times)
    assert scaled == pytest.approx(np.full(len(scaled), STANDARD_DEVIATION), rel=0.2)
    slope = np.polyfit(np.log(many.times), np.log(many.errors), 1)[0]
    assert slope == pytest.approx(-0.5, abs=0.02)


@pytest.mark.parametrize(("points", "runs"), [(0, 1), (-5, 1), (10**13, 1), (10, 0)])
def test_bad_numbers(points, runs):
    with pytest.raises(BadOption, match=r"must be"):
        pi_errors(points, runs, seed=1)


def test_ctrl_c_breaks_it_off():
    def stop(part):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        estimate_pi(10**12, seed=1, on_progress=stop)


def test_picture():
    one, many = estimate_pi(10_000, seed=7), pi_errors(10_000, 10, seed=7)
    root = ElementTree.fromstring(pi_svg(one, many, 7))
    assert "10,000 random points" in root.get("aria-label")
    ElementTree.fromstring(pi_svg(estimate_pi(1, seed=7), pi_errors(1, 1, seed=7), 7))


def test_command(tmp_path):
    out = tmp_path / "pi.svg"
    done = pi_app("--points", "2000", "--runs", "20", "--seed", "7", "--out", str(out))
    assert done.exit_code == 0
    assert "seed 7" in done.stdout
    assert "RMS error of 20 runs" in done.stdout
    ElementTree.parse(out)
    answer = json.loads(pi_app("--points", "2000", "--runs", "20", "--seed", "7", "--json").stdout)
    assert answer["estimate"] == estimate_pi(2000, seed=7).value
    assert len(answer["times"]) == len(answer["estimates"])
    assert len(answer["repeated_times"]) == len(answer["rms_errors"])


@pytest.mark.parametrize(
    "arguments", [("--points", "0"), ("--runs", "0"), ("--out", "."), ("--out", "no/such/folder/pi.svg")]
)
def test_command_refuses(arguments):
    error = pi_app(*arguments).exception
    assert isinstance(error, BadOption)
    assert "\n" not in str(error)


def test_help_has_an_example():
    assert "Example: plyground pi" in " ".join(pi_app("--help").stdout.split())
