"""Battleship: rules, what each side sees, beliefs against brute force, shooters against each other and the optimum."""

from __future__ import annotations

import itertools
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import actions, make_game, observation, parse_action, result, text
from plyground.arena.referee import play_game
from plyground.cli.battleship import read_shots
from plyground.errors import BadOption
from plyground.games.battleship import HIT, MISS, SUNK, UNSEEN, shots_of
from plyground.native.randomness import stream
from plyground.players import make_player
from plyground.subjects.battleship.belief import Sea, believe, exact_chances, random_fleet, sampled_chances
from plyground.subjects.battleship.pictures import battle_film, belief_svg, shots_svg
from plyground.subjects.battleship.shooters import aim_at, measure_shots, optimal_shots


def play(game, *texts):
    state = game.initial
    for move in texts:
        state = result(state, parse_action(state, move))
    return state


def test_shots_are_answered():
    game = make_game("battleship:size=4,ships=3,2")
    state = play(game, "a1h", "a2h", "b1v", "d3v", "b1", "a1", "d3", "c1", "d4", "b1")
    assert shots_of(state, 0) == [(1, HIT), (11, HIT), (15, SUNK + 1)]
    assert shots_of(state, 1) == [(0, HIT), (2, HIT), (1, SUNK)]
    end = play(game, "a1h", "a2h", "b1v", "d3v", "b1", "a1", "d3", "c1", "d4", "b1", "b2", "d4", "b3")
    assert not actions(end)
    assert game.returns(end) == (1.0, -1.0)


def test_nobody_sees_the_other_fleet():
    game = make_game("battleship:size=4,ships=3,2")
    state = play(game, "a1h", "a2h", "b1v", "d3v", "b1", "a1")
    seen = observation(state, 0)
    assert seen.ships == (*state.ships[:2], UNSEEN, UNSEEN)
    shown = text(seen).splitlines()
    assert "A" not in shown[2][14:]  # the first ship of the second player lies in column b
    other = play(game, "a1h", "a2h", "b1v", "d2v", "b1", "a1")
    assert observation(other, 0) == seen


# Beliefs ------------------------------------------------------------------------------------------------------------


def answered(sea, fleet, order):
    """The shots in this order at a fleet, each with its answer; `fleet` are the sets of cells of the ships."""
    fired, found = set(), []
    for cell in order:
        fired.add(cell)
        struck = next((ship for ship, cells in enumerate(fleet) if cell in cells), None)
        sunk = struck is not None and fleet[struck] <= fired
        found.append((cell, MISS if struck is None else SUNK + struck if sunk else HIT))
    return found


def all_fleets(sea):
    where = sea.places()
    each = [
        [frozenset(where.cells[ship, place, : sea.ships[ship]].tolist()) for place in range(where.counts[ship])]
        for ship in range(len(sea.ships))
    ]
    return [fleet for fleet in itertools.product(*each) if len(frozenset().union(*fleet)) == sum(sea.ships)]


SEAS = [Sea(3, 3, (3, 2)), Sea(4, 4, (3, 2)), Sea(3, 5, (2, 2)), Sea(2, 6, (4, 1)), Sea(4, 4, (2, 2, 1))]
FLEETS = {sea: all_fleets(sea) for sea in SEAS}


@given(st.sampled_from(SEAS), st.integers(0, 10**6), st.integers(0, 12))
@settings(max_examples=80)
def test_exact_chances_equal_brute_force(sea, seed, number):
    rng = np.random.default_rng(seed)
    fleets = FLEETS[sea]
    order = rng.permutation(sea.cells)[:number].tolist()
    shots = answered(sea, fleets[rng.integers(len(fleets))], order)
    fitting = [fleet for fleet in fleets if answered(sea, fleet, order) == shots]
    found = exact_chances(sea, shots)
    expected = [
        sum(any(cell in ship for ship in fleet) for fleet in fitting) / len(fitting) for cell in range(sea.cells)
    ]
    assert found.fleets == len(fitting)
    assert found.chances == pytest.approx(expected, abs=1e-12)
    drawn = sampled_chances(sea, shots, 4000, seed)
    assert np.all(np.abs(drawn.chances - expected) <= 5 * drawn.errors + 0.004)


def test_samples_agree_with_exact_numbers_on_the_large_board():
    sea = Sea()
    shots = read_shots(
        sea, "e5 hit, e6 hit, e4 miss, c3 sunk 2, c2 hit, h8 hit, h9 hit, h7 miss, b9 miss, i2 miss, g4 miss"
    )
    shots = [shots[4], shots[3], *shots[:3], *shots[5:]]  # the second cell of the small ship came last
    exact = exact_chances(sea, shots)
    drawn = sampled_chances(sea, shots, 20_000, seed=2)
    assert exact.fleets > 10_000
    assert np.all(np.abs(drawn.chances - exact.chances) <= 5 * drawn.errors + 1e-3)
    assert drawn.errors.max() < 0.01
    assert drawn.fleets == pytest.approx(exact.fleets, rel=0.1)


def test_nothing_known_is_symmetric_and_sums_to_the_fleet():
    found = believe(Sea(), [], samples=20_000, seed=1)
    assert not found.exact
    board = found.chances.reshape(10, 10)
    assert board.sum() == pytest.approx(17, abs=1e-9)
    assert np.abs(board - board.T).max() < 0.03
    assert board[4:6, 4:6].min() > board[0, 0]


@pytest.mark.parametrize(
    ("shots", "message"),
    [
        ([(0, HIT), (8, HIT), (4, MISS), (1, MISS), (3, MISS)], "no fleet fits"),
        ([(0, MISS), (0, MISS)], "no cell is shot at twice"),
        ([(9, MISS)], "a shot is a cell from 0 to 8"),
        ([(0, 7)], "a shot is a cell"),
    ],
)
def test_impossible_answers(shots, message):
    with pytest.raises(BadOption, match=message):
        exact_chances(Sea(3, 3, (3, 2)), shots)


def test_fleets_are_drawn_evenly():
    sea, rng, counts = Sea(3, 3, (3, 2)), stream(3), {}
    for _ in range(5600):
        key = tuple(random_fleet(sea, rng).tolist())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == len(FLEETS[sea])
    expected = 5600 / len(counts)
    assert max(abs(count - expected) for count in counts.values()) < 6 * expected**0.5


# Shooters -----------------------------------------------------------------------------------------------------------


def test_the_optimum_is_known_where_it_can_be_counted():
    assert optimal_shots(Sea(1, 3, (2,))) == 2.5  # the middle is sure, and then one of two
    assert optimal_shots(Sea(2, 2, (1,))) == 2.5
    with pytest.raises(BadOption, match="more than 400 fleets"):
        optimal_shots(Sea())


@pytest.mark.slow
def test_knowing_more_takes_fewer_shots():
    sea = Sea(3, 3, (3, 2))
    best = optimal_shots(sea)
    found = {aim: measure_shots(sea, aim, 3000, seed=1) for aim in ("random", "hunt", "probable", "informed")}
    means = {aim: one.mean for aim, one in found.items()}
    assert means["random"] > means["hunt"] > means["probable"] > means["informed"]
    assert best <= means["informed"] + 3 * found["informed"].error
    assert means["informed"] < best + 0.2
    paired = found["probable"].shots - found["informed"].shots  # the same fleets
    assert paired.mean() > 3 * paired.std() / len(paired) ** 0.5
    assert "<svg" in shots_svg(list(found.values()), sea)


def test_the_likeliest_cell_is_taken():
    sea = Sea(4, 4, (3, 2))
    shots = [(5, HIT), (6, HIT), (4, MISS)]
    cell, chances = aim_at(sea, shots, "probable")
    assert cell == 7
    assert chances == pytest.approx(exact_chances(sea, shots).chances)
    with pytest.raises(BadOption, match="aim must be random, hunt, probable or informed"):
        aim_at(sea, [], "magic")


def test_the_player_beats_a_random_one():
    game = make_game("battleship:size=5,ships=3,2")
    won = 0
    for seed in range(20):
        players = [make_player("random", game, seed), make_player("gunner:aim=probable,samples=200", game, seed)]
        won += play_game(game, players, seed=seed).returns[1] == 1.0
    assert won >= 18


def test_a_game_is_a_film():
    frames = battle_film(Sea(3, 3, (3, 2)), "probable", 4)
    assert frames[0].caption.startswith("Nothing is known yet. Next it aims at")
    assert "The whole fleet is sunk with" in frames[-1].caption
    assert len(battle_film(Sea(3, 3, (3, 2)), "probable", 4, "zh")) == len(frames)
    assert "<svg" in belief_svg(Sea(3, 3, (2,)), [], believe(Sea(3, 3, (2,)), []))


def test_the_likeliest_shooter_of_a_film_aims_at_the_highest_number_shown():
    frames = battle_film(Sea(8, 8, (4, 3, 3, 2)), "probable", 977106)
    for frame in frames[:-1]:
        aimed = int(re.search(r"with probability (\d+)%", frame.caption)[1])
        assert aimed == max(map(int, re.findall(r'font-size="11"[^>]*>(\d+)<', frame.svg)))
    facts = [fact for frame in frames for _, (fact,) in frame.facts]
    assert "about 40 million" in facts
    assert not [fact for fact in facts if "e+" in fact]


# The command --------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command(command, tmp_path):
    run = command(
        "battleship", "--size", "4", "--ships", "3,2", "--shots", "b2 hit, c2 hit, a2 miss", "--json", "--seed", "1"
    )
    answer = json.loads(run.stdout)
    assert answer["exact"]
    assert answer["probable"] == "d2"
    page = tmp_path / "game.html"
    words = "--size 3x4 --ships 3,2 --games 30 --aims hunt,probable --seed 1 --out"
    run = command("battleship", *words.split(), str(page))
    assert run.returncode == 0, run.stderr
    assert "probable" in run.stdout
    assert "film" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--size", "0"), "1 to 10 rows and columns"),
        (("--size", "ten"), "--size must be a number"),
        (("--ships", "5,x"), "--ships must be lengths"),
        (("--size", "3", "--ships", "4"), "lengths from 1 to 3"),
        (("--size", "2", "--ships", "2,2,2"), "there may be no room left"),
        (("--shots", "z9 miss"), "is not a cell of this board"),
        (("--shots", "c4 sunk"), "is not a shot"),
        (("--shots", "c4 sunk 7"), "no ship of 7 is left"),
        (("--aims", "luck"), "there is no shooter 'luck'"),
        (("--games", "0"), "games must be at least 1"),
    ],
)
def test_the_command_refuses_in_one_line(command, arguments, message):
    run = command("battleship", *arguments)
    assert run.returncode == 2
    assert message in " ".join(run.stderr.split())
