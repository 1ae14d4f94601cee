"""Plans of tournaments: everybody meets whom it should, with both colours, and every game has a seed of its own."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import make_game
from plyground.arena.openings import choose_openings, default_plies, random_openings, read_openings
from plyground.arena.referee import Rules
from plyground.arena.tournament import Meeting, Plan, meetings, points_of, seed_of, standings
from plyground.core.game_time import GameTime
from plyground.core.notation import read_moves
from plyground.core.played_game import PlayedGame, PlayerEntry
from plyground.errors import BadOption


def entries(count):
    return tuple(PlayerEntry(f"p{number}", f"p{number}") for number in range(count))


def result_of(plan, fixture, returns):
    return PlayedGame(fixture.key, plan.game, tuple(plan.players[n] for n in fixture.seats), returns)


def stronger_wins(plan, fixture):
    """The player with the lower number wins."""
    return result_of(plan, fixture, (1.0, -1.0) if fixture.seats[0] < fixture.seats[1] else (-1.0, 1.0))


def played_through(plan, judge=stronger_wins):
    """All rounds with their fixtures, and the results."""
    results, rounds = {}, []
    while fixtures := plan.round(len(rounds) + 1, results):
        rounds.append(fixtures)
        results |= {fixture.key: judge(plan, fixture) for fixture in fixtures}
    return rounds, results


@given(st.integers(2, 9), st.integers(1, 5))
def test_in_a_round_robin_everybody_meets_everybody(count, games):
    plan = Plan("reversi", entries(count), games, openings=("a", "b"))
    ((fixtures),), _ = played_through(plan)
    assert len(fixtures) == plan.total()
    met = Counter(frozenset(fixture.seats) for fixture in fixtures)
    assert met == dict.fromkeys(map(frozenset, combinations(range(count), 2)), games)
    assert len({fixture.key for fixture in fixtures}) == len({fixture.seed for fixture in fixtures}) == len(fixtures)


def test_each_opening_is_played_with_both_colours():
    plan = Plan("reversi", entries(2), 6, openings=("a", "b", "c"))
    (fixtures,), _ = played_through(plan)
    assert [(fixture.opening, fixture.seats) for fixture in fixtures] == [
        (opening, seats) for opening in "abc" for seats in ((0, 1), (1, 0))
    ]


def test_each_round_of_a_swiss_tournament_has_openings_of_its_own():
    plan = Plan("reversi", entries(4), 3, "swiss", 2, openings=("a", "b", "c", "d"))
    assert plan.opening_count == 4
    first, second = played_through(plan)[0]
    assert [{fixture.opening for fixture in games} for games in (first, second)] == [{"a", "b"}, {"c", "d"}]


def test_in_a_gauntlet_the_first_meets_all_others():
    plan = Plan("reversi", entries(4), 2, "gauntlet")
    (fixtures,), _ = played_through(plan)
    assert Counter(frozenset(fixture.seats) for fixture in fixtures) == {frozenset((0, n)): 2 for n in (1, 2, 3)}
    assert plan.total() == 6


@settings(max_examples=60)
@given(st.integers(2, 17), st.integers(1, 6), st.randoms(use_true_random=False))
def test_in_a_swiss_tournament_nobody_meets_twice_while_that_can_be(count, rounds, lots):
    plan = Plan("reversi", entries(count), 2, "swiss", rounds)

    def judge(plan, fixture):
        return result_of(plan, fixture, lots.choice([(1.0, -1.0), (0.0, 0.0), (-1.0, 1.0)]))

    played, results = played_through(plan, judge)
    assert len(played) == rounds
    assert len(results) == plan.total()
    met = Counter()
    for fixtures in played:
        busy = Counter(number for fixture in fixtures for number in fixture.seats)
        assert set(busy.values()) == {2}
        assert len(busy) == count - count % 2
        met.update(frozenset(fixture.seats) for fixture in fixtures)
    if rounds <= count // 2:  # such a field always has a pairing without repetition
        assert set(met.values()) == {2}


def test_in_a_swiss_tournament_winners_meet_winners_and_the_best_wins():
    plan = Plan("reversi", entries(8), 1, "swiss", 3)
    (first, second, third), results = played_through(plan)
    assert {fixture.seats for fixture in first} == {(0, 1), (2, 3), (4, 5), (6, 7)}
    assert {frozenset(fixture.seats) for fixture in second} >= {frozenset((0, 2)), frozenset((4, 6))}
    assert frozenset((0, 4)) in {frozenset(fixture.seats) for fixture in third}
    assert standings(plan, list(results.values()))[0].name == "p0"


def test_who_rests_does_not_rest_again_before_the_others_have():
    plan = Plan("reversi", entries(5), 1, "swiss", 5)
    rounds, _ = played_through(plan)
    resting = [set(range(5)) - {n for fixture in fixtures for n in fixture.seats} for fixtures in rounds]
    assert sorted(min(one) for one in resting) == [0, 1, 2, 3, 4]


def test_a_plan_goes_through_json_and_keeps_its_name():
    plan = Plan("reversi:size=6", entries(3), 4, "swiss", 2, 7, ("d3", "c4 e3"), "2", Rules(5.0, GameTime(60, 1), 2))
    again = Plan.from_dict(json.loads(json.dumps(plan.as_dict())))
    assert again == plan
    assert again.id == plan.id
    assert {plan.id} != {Plan("reversi:size=6", entries(3), 4, "swiss", 2, 8, ("d3", "c4 e3"), "2").id}


@pytest.mark.parametrize("changed", [{"rules": "ab"}, {"rules": None}, {"players": "ab"}, {"openings": 3}, {"more": 1}])
def test_what_is_no_plan_is_told_from_one(changed):
    plan = Plan("reversi:size=6", entries(3), 4, "swiss", 2, 7)
    with pytest.raises((TypeError, KeyError)):
        Plan.from_dict(plan.as_dict() | changed)


def test_seeds_depend_on_the_name_alone():
    assert seed_of(7, "1/0-1/3") == seed_of(7, "1/0-1/3")
    assert len({seed_of(seed, name) for seed in range(50) for name in range(50)}) == 2500


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"players": entries(1)}, "at least two players"),
        ({"players": entries(2) + entries(1)}, "the same name"),
        ({"games": 0}, "at least one game"),
    ],
)
def test_plans_that_are_none(wrong, message):
    with pytest.raises(BadOption, match=message):
        Plan(**{"game": "reversi", "players": entries(2), **wrong})


def test_points_and_standings_count_forfeits_apart():
    plan = Plan("reversi", entries(2), 4)
    (fixtures,), _ = played_through(plan)
    results = [result_of(plan, fixture, (1.0, -1.0)) for fixture in fixtures[:2]]
    results.append(result_of(plan, fixtures[2], (0.0, 0.0)))
    lost = result_of(plan, fixtures[3], (1.0, -1.0))
    results.append(PlayedGame(lost.key, lost.game, lost.players, lost.returns, reason="white resigns"))
    assert [points_of(result, 0) for result in results] == [1, 1, 0.5, 1]
    table = {line.name: line for line in standings(plan, results)}
    assert (table["p0"].wins, table["p0"].draws, table["p0"].losses, table["p0"].forfeits) == (1, 1, 2, 1)
    assert (table["p1"].points, table["p1"].forfeits) == (2.5, 0)


# Openings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("spec", "plies"), [("reversi", 8), ("tictactoe", 2), ("connect4", 6), ("reversi:size=4", 3)])
def test_random_openings_are_different_legal_and_the_same_again(spec, plies):
    game = make_game(spec)
    found = random_openings(game, 6, plies, seed=4)
    assert found == random_openings(game, 6, plies, seed=4)
    assert len({read_moves(game, moves)[0][-1] for moves in found}) == len(found) > 1
    assert {len(read_moves(game, moves)[1]) for moves in found} == {plies}
    assert found != random_openings(game, 6, plies, seed=5)


def test_openings_are_balanced():
    from plyground.core.limits import Limit
    from plyground.engines.reversi.engine import Engine

    engine, game = Engine(table=1_000_000), make_game("reversi")
    for moves in random_openings(game, 10, 8, seed=1):
        assert abs(engine.search(read_moves(game, moves)[0][-1], Limit(depth=6)).value) <= 4


def test_there_may_be_fewer_openings_than_games():
    game = make_game("tictactoe")
    assert choose_openings(game, "0", 3, 1) == ["", "", ""]
    found = choose_openings(game, "1", 30, 1)
    assert len(found) == 30
    assert len(set(found)) <= 9
    with pytest.raises(BadOption, match="over within 12 random moves"):
        choose_openings(game, "12", 1, 1)


@pytest.mark.parametrize(("spec", "plies"), [("reversi", 8), ("connect4", 2), ("tictactoe", 0), ("nim", 0)])
def test_games_that_random_moves_would_decide_begin_without(spec, plies):
    assert default_plies(make_game(spec)) == plies


def test_openings_from_a_file(tmp_path):
    game = make_game("reversi")
    file = tmp_path / "openings.txt"
    file.write_text("# perpendicular\nf5d6\n\nF5 F6 e6\n")
    assert read_openings(game, file) == ["f5 d6", "f5 f6 e6"]
    assert choose_openings(game, str(file), 3, 1) == ["f5 d6", "f5 f6 e6", "f5 d6"]
    file.write_text("f5d6\nf5 a1\n")
    with pytest.raises(BadOption, match="line 2: move 2: 'a1' is not legal"):
        read_openings(game, file)
    file.write_text("# nothing\n")
    with pytest.raises(BadOption, match="there is no opening in"):
        read_openings(game, file)
    with pytest.raises(BadOption, match=r"cannot read the file of openings .*: No such file"):
        choose_openings(game, str(tmp_path / "none.txt"), 1, 1)
    file.write_text("a1 b1 a2 b2 a3\n")
    with pytest.raises(BadOption, match="the game is over"):
        read_openings(make_game("tictactoe"), file)


@given(st.integers(2, 6), st.integers(1, 3), st.data())
def test_the_crosstable_adds_up_to_the_standings(count, games, data):
    def judged(plan, fixture):
        first = data.draw(st.sampled_from([-1.0, 0.0, 1.0]))
        reason = data.draw(st.sampled_from(["the game is over", "white resigns", "disturbed: black was killed"]))
        players = tuple(plan.players[n] for n in fixture.seats)
        return PlayedGame(fixture.key, plan.game, players, (first, -first), reason=reason)

    plan = Plan("reversi", entries(count), games)
    _, results = played_through(plan, judged)
    crossed = meetings(plan, list(results.values()))
    assert [(one.first, one.second) for one in crossed] == list(combinations(range(count), 2))
    assert all(one.wins + one.draws + one.losses + one.disturbed == games for one in crossed)
    for line in standings(plan, list(results.values())):
        number = int(line.name[1:])
        wins = sum(one.wins for one in crossed if one.first == number)
        wins += sum(one.losses for one in crossed if one.second == number)
        draws = sum(one.draws for one in crossed if number in (one.first, one.second))
        assert (line.wins, line.draws) == (wins, draws)


def test_a_meeting_is_told_from_the_point_of_view_of_the_first_player():
    plan = Plan("reversi", entries(2), 2)
    (fixtures,), results = played_through(plan)
    assert [fixture.seats for fixture in fixtures] == [(0, 1), (1, 0)]
    assert meetings(plan, list(results.values())) == [Meeting(0, 1, wins=2)]
    assert meetings(plan, []) == []
