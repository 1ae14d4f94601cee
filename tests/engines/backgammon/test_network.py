"""The networks of backgammon: inputs, outputs, slopes, files, and that they learn."""

from __future__ import annotations

import numpy as np
import pytest

from plyground import make_game
from plyground.engines.backgammon.engine import bundled_net
from plyground.engines.backgammon.matches import against_pubeval
from plyground.engines.backgammon.network import (
    equity,
    flip,
    hitting_rolls,
    judge,
    load_net,
    new_net,
    new_room,
    race,
    save_net,
    settled,
)
from plyground.engines.backgammon.training import Recipe, add_slopes, new_worker, train_networks
from plyground.errors import FormatError
from plyground.games.backgammon.board import placed
from plyground.native.compiling import interpreted

START = make_game("backgammon").initial
NOBODY = (0, 0, 0, 0)


def men(**points):
    side = NOBODY
    for name, number in points.items():
        side = placed(side, 25 if name == "bar" else int(name[1:]), number)
    return side


def test_a_race_is_where_nobody_can_be_hit():
    assert not race(START.first, START.second)
    assert race(men(p6=15), men(p6=15))
    assert race(men(p12=2), men(p12=2))
    assert not race(men(p13=2), men(p13=2))
    assert not race(men(p6=15), men(p6=14, bar=1))


@pytest.mark.parametrize(
    ("hitter", "target", "rolls"),
    [
        ({"p24": 1}, {"p7": 1}, 17),  # six away: 11 with a six, and 5-1, 4-2, 3-3, 2-2
        ({"p24": 1}, {"p2": 1}, 11),  # one away
        ({"p24": 2}, {"p12": 1}, 2),  # eleven away: 6-5
        ({"p24": 2}, {"p13": 1}, 3),  # twelve away: 6-6, 4-4 and 3-3
        ({"p24": 1}, {"p7": 2}, 0),  # made, so nobody to hit
        ({"bar": 1}, {"p3": 1}, 14),  # in the home that is entered: 11 with a three, 2-1, 1-1
    ],
)
def test_rolls_that_hit_are_counted(hitter, target, rolls):
    with interpreted():
        assert hitting_rolls(men(**hitter), men(**target)) == rolls


def test_outputs_of_what_is_over_are_the_result():
    out = np.zeros(5, np.float32)
    assert settled(NOBODY, men(p6=14), out)
    assert (list(out), equity(out)) == ([1, 0, 0, 0, 0], 1)
    assert settled(NOBODY, men(p6=14, p24=1), out)
    assert equity(out) == 3
    assert settled(men(p6=15), NOBODY, out)
    assert equity(out) == -2
    turned = np.zeros(5, np.float32)
    flip(out, turned)
    assert equity(turned) == 2
    assert not settled(men(p6=1), men(p6=1), out)


def test_what_the_bundled_networks_say_is_sensible():
    net = bundled_net()
    room = new_room(net.rows.shape[2])
    assert judge(START.first, START.second, net, room) == pytest.approx(0.07, abs=0.06)  # to be about to roll is good
    assert judge(men(p1=1), men(p6=14), net, room) > 0.95
    assert judge(men(p6=14), men(p1=1), net, room) < -0.95
    assert judge(men(p1=1), men(p20=15), net, room) > 1.5


def test_slopes_are_those_of_the_cross_entropy():
    recipe = Recipe(wide=32, memory=10)
    worker = new_worker(recipe, 1, 0)
    for part, new in zip(worker.net, new_net(32, 1), strict=True):
        part[:] = new
    target = np.array([0.7, 0.2, 0.05, 0.1, 0.02], np.float32)
    room = worker.room

    def loss():
        judge(START.first, START.second, worker.net, room)
        out = np.clip(room.outputs.astype(float), 1e-6, 1 - 1e-6)
        return -(target * np.log(out) + (1 - target) * np.log(1 - out)).sum()

    with interpreted():
        assert add_slopes(START.first, START.second, target, worker) == pytest.approx(loss(), abs=1e-4)
    checked = 0
    for part, slopes in zip(worker.net, worker.slopes, strict=True):
        flat, given = part.reshape(-1), slopes.reshape(-1)
        for place in np.flatnonzero(given)[:: max(1, np.count_nonzero(given) // 12)]:
            before = flat[place]
            flat[place] = before + 1e-2
            high = loss()
            flat[place] = before - 1e-2
            low = loss()
            flat[place] = before
            assert given[place] == pytest.approx((high - low) / 2e-2, abs=5e-3)
            checked += 1
    assert checked > 40


def test_networks_are_written_and_read(tmp_path):
    net = new_net(32, 3)
    save_net(tmp_path / "n.npz", net, 77)
    again, positions = load_net(tmp_path / "n.npz")
    assert positions == 77
    assert all(np.allclose(one, other, atol=2e-3) for one, other in zip(net, again, strict=True))
    (tmp_path / "n.npz").write_bytes(b"PK nonsense")
    with pytest.raises(FormatError, match="is not a network of backgammon") as caught:
        load_net(tmp_path / "n.npz")
    assert "\n" not in str(caught.value)


@pytest.mark.slow
def test_networks_learn_from_nothing_and_go_on(tmp_path):
    stages = []
    recipe = Recipe(wide=32, results=0.5, memory=20_000)
    train_networks(tmp_path, minutes=0.5, recipe=recipe, on_stage=stages.append)
    first = stages[-1]
    path = train_networks(tmp_path, minutes=0.6, jobs=2, recipe=recipe, on_stage=stages.append)
    assert stages[-1].positions > first.positions > 1000
    before = against_pubeval(new_net(32, 1), 300)
    after = against_pubeval(load_net(path)[0], 300)
    assert after.mean > before.mean + 5 * before.error


@pytest.mark.slow
def test_the_bundled_networks_beat_pubeval_by_half_a_point():
    points = against_pubeval(bundled_net(), 10_000)
    assert points.mean > 0.5
    assert points.error < 0.015
