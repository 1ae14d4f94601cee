"""The engine as its users call it: limits, stopping, reports, odd positions."""

from __future__ import annotations

import random
import threading
from functools import cache
from itertools import pairwise

import numpy as np
import pytest

from plyground import actions, make_game, result
from plyground.core.limits import Limit
from plyground.engines.reversi.endgame import CERTAIN
from plyground.engines.reversi.engine import MIDGAME, Engine, Report, schedule
from plyground.engines.reversi.midgame import EXACT_BELOW
from plyground.errors import BadOption, IllegalAction
from plyground.games.reversi import PASS
from reversi_reference import START, exact_score, exact_scores, random_position, random_positions, state_of

INITIAL = make_game("reversi").initial


@pytest.fixture(scope="module", params=[1, 2], ids=["one thread", "two threads"])
def engine(request):
    engine = Engine(table=1 << 20, threads=request.param)
    engine.prepare()
    return engine


@pytest.fixture(autouse=True)
def _forgetful(request):
    if "engine" in request.fixturenames:
        request.getfixturevalue("engine").clear()


def playable(state, line):
    for move in line:
        if move not in actions(state):
            return False
        state = result(state, move)
    return True


# Reports ----------------------------------------------------------------------------------------------------------


def test_a_fixed_depth_is_reached_step_by_step(engine):
    heard = []
    last = engine.search(INITIAL, Limit(depth=7), on_report=heard.append)
    assert [report.depth for report in heard] == [1, 2, 3, 4, 5, 6, 7]
    assert heard[-1] == last
    assert not last.exact
    for one, other in pairwise(heard):
        assert one.nodes < other.nodes
        assert one.time <= other.time
    for report in heard:
        assert report.move == report.line[0]
        assert playable(INITIAL, report.line)


def test_the_start_is_even(engine):
    report = engine.search(INITIAL, Limit(depth=8))
    assert abs(report.value) <= 4
    assert report.move in actions(INITIAL)


def test_one_thread_gives_the_same_report_every_time():
    first, second = (Engine(table=1 << 20).search(INITIAL, Limit(depth=8)) for _ in range(2))
    assert [first.move, first.value, first.line, first.nodes] == [second.move, second.value, second.line, second.nodes]


def test_what_was_found_serves_the_next_search():
    engine = Engine(table=1 << 22)
    first = engine.search(INITIAL, Limit(depth=9))
    assert engine.search(INITIAL, Limit(depth=9)).nodes < first.nodes / 2
    engine.clear()
    assert engine.search(INITIAL, Limit(depth=9)).nodes == first.nodes


def test_without_a_limit_the_game_is_solved(engine):
    own, opponent = random_position(random.Random(1), 15)
    heard = []
    last = engine.search(state_of(own, opponent), on_report=heard.append)
    assert (last.value, last.exact, last.depth, last.confidence) == (exact_score(own, opponent), True, 15, "100%")
    assert [report.exact for report in heard] == [False] * (len(heard) - 1) + [True]


def test_more_depth_than_squares_is_the_whole_game(engine):
    own, opponent = random_position(random.Random(2), 9)
    report = engine.search(state_of(own, opponent), Limit(depth=60))
    assert (report.value, report.exact, report.depth) == (exact_score(own, opponent), True, 9)


def test_less_depth_than_squares_is_not_exact_even_near_the_end(engine):
    own, opponent = random_position(random.Random(3), 10)
    report = engine.search(state_of(own, opponent), Limit(depth=4))
    assert (report.exact, report.depth) == (False, 4)


def test_colours_do_not_matter(engine):
    own, opponent = random_position(random.Random(4), 14)
    black, white = (engine.search(state_of(own, opponent, turn)) for turn in (0, 1))
    assert (black.value, black.exact) == (white.value, white.exact)


def test_the_score_falls_to_the_reply(engine):
    """The value after the best move, for the other side, is the negative."""
    own, opponent = random_position(random.Random(5), 13)
    state = state_of(own, opponent)
    report = engine.search(state)
    after = result(state, report.move)
    assert engine.search(after).value == -report.value


# All moves --------------------------------------------------------------------------------------------------------


def test_every_move_is_scored_best_first(engine):
    heard = []
    reports = engine.score_moves(INITIAL, Limit(depth=5), on_reports=heard.append)
    assert sorted(report.move for report in reports) == actions(INITIAL)
    assert len({report.value for report in reports}) == 1  # the four are symmetric
    assert [step[0].depth for step in heard] == [1, 2, 3, 4, 5]
    assert heard[-1] == reports
    for report in reports:
        assert report.line[0] == report.move
        assert playable(INITIAL, report.line)


def test_the_best_of_all_moves_is_what_a_search_finds(engine):
    for own, opponent in random_positions(6, 5, 11, 15):
        state = state_of(own, opponent)
        reports = engine.score_moves(state)
        assert [report.value for report in reports] == sorted((report.value for report in reports), reverse=True)
        assert engine.search(state).value == reports[0].value


def test_scores_of_moves_include_the_one_that_ends_the_game(engine):
    """A move that leaves neither side a move has the final score."""
    rng, seen = random.Random(7), 0
    while seen < 5:
        own, opponent = random_position(rng, rng.randrange(1, 4))
        state = state_of(own, opponent)
        seen += any(not actions(result(state, move)) for move in actions(state))
        assert {report.move: report.value for report in engine.score_moves(state)} == exact_scores(own, opponent)


# Win, loss or draw, and bounds ------------------------------------------------------------------------------------


def outcome(score):
    return (score > 0) - (score < 0)


def test_win_loss_or_draw(engine):
    seen = set()
    for own, opponent in [*random_positions(21, 20, 9, 14), *random_positions(22, 20, 4, 6)]:
        state, scores = state_of(own, opponent), exact_scores(own, opponent)
        report = engine.search(state, wld=True)
        assert (report.value, report.exact) == (outcome(max(scores.values())), True)
        assert outcome(scores[report.move]) == report.value
        moves = engine.score_moves(state, wld=True)
        assert {move.move: move.value for move in moves} == {move: outcome(score) for move, score in scores.items()}
        seen.add(report.value)
    assert seen >= {-1, 1}


def test_after_win_loss_or_draw_the_score_is_still_found(engine):
    """What the table holds from the smaller question is true for the greater one."""
    for own, opponent in random_positions(23, 5, 12, 14):
        state = state_of(own, opponent)
        engine.search(state, wld=True)
        assert engine.search(state).value == exact_score(own, opponent)


def test_bounds_of_a_position_nobody_has_searched(engine):
    assert engine.bounds(INITIAL) == (-64, 64)


def test_bounds_enclose_the_score_and_meet_in_it(engine):
    for own, opponent in random_positions(24, 6, 13, 15):
        state, score = state_of(own, opponent), exact_score(own, opponent)
        steps = []
        engine.search(state, on_report=lambda report, state=state, steps=steps: steps.append(engine.bounds(state)))
        assert all(lower <= score <= upper for lower, upper in steps)
        assert engine.bounds(state)[0] == score


def test_bounds_of_a_game_that_is_over(engine):
    assert engine.bounds(state_of(0b111, 0)) == (64, 64)


# Limits -----------------------------------------------------------------------------------------------------------

LIMITS = [Limit(nodes=n) for n in (1, 2, 10, 100, 1000, 10_000, 20_000)]
LIMITS += [Limit(time=t) for t in (1e-6, 1e-4, 1e-3, 5e-3)]


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_however_little_is_allowed_there_is_a_legal_move(limit, engine):
    for own, opponent in random_positions(8, 24, 1, 60):
        state = state_of(own, opponent)
        engine.clear()
        report = engine.search(state, limit)
        assert report.line[0] == report.move
        assert playable(state, report.line)


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_a_limit_while_a_small_endgame_is_solved(limit, engine):
    """It may come between the score and the move that reaches it."""
    for own, opponent in random_positions(9, 24, 8, EXACT_BELOW):
        state = state_of(own, opponent)
        engine.clear()
        report = engine.search(state, limit)
        assert playable(state, report.line)
        assert report.move in actions(state)
        if report.exact:
            assert report.value == exact_score(own, opponent) == exact_scores(own, opponent)[report.move]


@pytest.mark.parametrize("limit", LIMITS, ids=str)
def test_however_little_is_allowed_every_move_is_reported(limit, engine):
    """It may come after some of the moves."""
    for own, opponent in random_positions(10, 16, 3, 50):
        state = state_of(own, opponent)
        engine.clear()
        reports = engine.score_moves(state, limit)
        assert sorted(report.move for report in reports) == actions(state)
        assert len({(report.depth, report.exact) for report in reports}) == 1


@pytest.mark.parametrize("nodes", [1000, 20_000])
def test_node_limits_are_kept(nodes, engine):
    report = engine.search(INITIAL, Limit(nodes=nodes))
    assert report.nodes <= engine.nodes < 2 * nodes + 2000  # the last few plies do not ask


# Stopping ---------------------------------------------------------------------------------------------------------


def stopped(engine, search):
    """What a search without a limit answers that is stopped after its first report; it is given what takes reports."""
    heard = threading.Event()
    answers = []
    thread = threading.Thread(target=lambda: answers.append(search(lambda _: heard.set())))
    thread.start()
    assert heard.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()
    return answers[0]


def test_stop_ends_an_endless_search_and_the_next_one_works(engine):
    answer = stopped(engine, lambda hear: engine.search(INITIAL, on_report=hear))
    assert answer.move in actions(INITIAL)
    assert not answer.exact
    assert engine.search(INITIAL, Limit(depth=5)).depth == 5
    own, opponent = random_position(random.Random(11), 12)
    assert engine.search(state_of(own, opponent)).value == exact_score(own, opponent)


def test_stop_ends_the_scoring_of_moves(engine):
    assert len(stopped(engine, lambda hear: engine.score_moves(INITIAL, on_reports=hear))) == 4


def test_stop_without_a_search_stops_nothing(engine):
    engine.stop()
    assert engine.search(INITIAL, Limit(depth=3)).depth == 3


@pytest.mark.parametrize("late", [False, True])
def test_an_interruption_while_the_search_starts_ends_it(engine, monkeypatch, late):
    """Its thread runs already, or begins after the caller has gone; then it does nothing."""
    start, begun = threading.Thread.start, []

    def interrupted(thread):
        monkeypatch.undo()
        begun.append(thread)
        if not late:
            start(thread)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    with pytest.raises(KeyboardInterrupt):
        engine.search(INITIAL)
    if late:
        begun[0].start()
        begun[0].join(60)
        assert engine.nodes == 0
    assert not begun[0].is_alive()
    assert engine.search(INITIAL, Limit(depth=3)).depth == 3


def test_what_a_listener_raises_reaches_the_caller(engine):
    def listener(report):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        engine.search(INITIAL, Limit(depth=3), on_report=listener)
    assert engine.search(INITIAL, Limit(depth=3)).depth == 3


def test_two_searches_at_once_wait_for_each_other(engine):
    answers = []
    threads = [
        threading.Thread(target=lambda: answers.append(engine.search(INITIAL, Limit(depth=6)))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert [report.depth for report in answers] == [6, 6, 6]


# Positions --------------------------------------------------------------------------------------------------------


@cache
def passing_positions():
    """Some in which the side to move must pass."""
    rng, found = random.Random(12), []
    while len(found) < 6:
        own, opponent = random_position(rng, rng.randint(3, 13), movable=False)
        if actions(state_of(own, opponent)) == [PASS]:
            found.append((own, opponent))
    return found


def test_a_pass_at_the_root(engine):
    for own, opponent in passing_positions():
        state = state_of(own, opponent)
        report = engine.search(state)
        assert (report.move, report.value, report.exact) == (PASS, exact_score(own, opponent), True)
        assert playable(state, report.line)
        [only] = engine.score_moves(state)
        assert (only.move, only.value, only.exact) == (PASS, report.value, True)
        assert playable(state, only.line)


@pytest.mark.parametrize("limit", [Limit(nodes=1), Limit(depth=3), Limit(time=1e-6)], ids=str)
def test_a_pass_at_the_root_within_any_limit(limit, engine):
    for own, opponent in passing_positions():
        state = state_of(own, opponent)
        engine.clear()
        report = engine.search(state, limit)
        assert report.move == report.line[0] == PASS
        assert playable(state, report.line)


def test_a_single_move(engine):
    rng, seen = random.Random(13), 0
    while seen < 4:
        own, opponent = random_position(rng, rng.randint(4, 14))
        state = state_of(own, opponent)
        if len(actions(state)) == 1:
            seen += 1
            report = engine.search(state)
            assert ([report.move], report.value) == (actions(state), exact_score(own, opponent))


def test_the_last_square(engine):
    for own, opponent in random_positions(14, 5, 1, 1):
        report = engine.search(state_of(own, opponent))
        assert (report.value, report.exact) == (exact_score(own, opponent), True)


@pytest.mark.parametrize("own", [2**64 - 1, 0, 0x0F0F0F0F0F0F0F0F])
def test_a_full_board_is_an_error(own, engine):
    for method in (engine.search, engine.score_moves):
        with pytest.raises(IllegalAction, match="the game is over"):
            method(state_of(own, ~own & (2**64 - 1)))


def test_a_game_that_is_over_early_is_an_error(engine):
    for method in (engine.search, engine.score_moves):
        with pytest.raises(IllegalAction, match="the game is over"):
            method(state_of(0b111, 0))


def test_smaller_boards_are_an_error(engine):
    with pytest.raises(BadOption, match="8x8"):
        engine.search(make_game("reversi:size=6").initial)


@pytest.mark.parametrize("threads", [0, -1])
def test_no_threads_is_an_error(threads):
    with pytest.raises(BadOption, match="at least 1"):
        Engine(threads=threads)


@pytest.mark.parametrize("size", [0, 64, 1000])
def test_the_smallest_tables_work(size):
    engine = Engine(table=size)
    report = engine.search(INITIAL, Limit(depth=6))
    assert (report.depth, playable(INITIAL, report.line)) == (6, True)
    own, opponent = random_position(random.Random(15), 14)
    assert engine.search(state_of(own, opponent)).value == exact_score(own, opponent)


@pytest.mark.parametrize("discs", [(1, 2), (1 << 27, 1 << 28), (1 << 27 | 1 << 28, 1 << 36)])
def test_boards_with_fewer_discs_than_the_start(discs, engine):
    """No game has them, but an exercise may."""
    state = state_of(*discs)
    report = engine.search(state, Limit(depth=5))
    assert playable(state, report.line)
    assert abs(report.value) <= 64


# Threads ----------------------------------------------------------------------------------------------------------


def test_threads_agree_where_the_search_is_exact():
    one, three = Engine(table=1 << 20), Engine(table=1 << 20, threads=3)
    for own, opponent in random_positions(16, 6, 13, 16):
        state = state_of(own, opponent)
        first, second = one.search(state), three.search(state)
        assert (first.value, first.exact) == (second.value, second.exact)
        after = result(state, second.move)
        assert not actions(after) or one.search(after).value == -second.value


def test_threads_count_all_their_nodes():
    engine = Engine(threads=2)
    heard = []
    last = engine.search(INITIAL, Limit(depth=12), on_report=heard.append)
    assert last.nodes == engine.nodes == sum(int(memory.record["nodes"]) for memory in engine._memories)
    assert all(int(memory.record["nodes"]) > 0 for memory in engine._memories)


# The steps --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("empties", range(1, 61))
def test_the_schedule_ends_with_the_proof(empties):
    steps = list(schedule(empties))
    assert steps[-1] == (empties, CERTAIN)
    assert len(set(steps)) == len(steps)
    assert steps == sorted(steps)


@pytest.mark.parametrize("empties", range(1, 61))
def test_the_schedule_stops_at_the_depth_asked_for(empties):
    for depth in range(1, 64):
        steps = list(schedule(empties, depth))
        assert steps[-1] == ((depth, MIDGAME) if depth < empties else (empties, CERTAIN))
        assert all(step <= min(depth, empties) for step, _ in steps)


def test_reports_are_values():
    report = Report(19, 0, 1, "73%", False, (19,), 1, 0.0)
    with pytest.raises(AttributeError):
        report.move = 3
    assert np.uint64(START[0]) == INITIAL.own
