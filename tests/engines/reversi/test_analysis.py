"""The analysis of games: its values are the true ones, its verdicts and its accuracy follow from them."""

from __future__ import annotations

import signal
import threading

import pytest

from plyground.core.limits import Interrupted, Limit
from plyground.core.rules import actions, result
from plyground.engines.reversi.analysis import Verdict, analyse, annotated, empty_squares, move_name, verdict
from plyground.engines.reversi.engine import Engine
from plyground.formats import Ending, Record, Result, read_board, read_ggf, read_transcript, write_ggf
from reversi_endings import FFO_4, ending, last_part, minimax_score, random_game

SHALLOW = Limit(depth=2)


@pytest.fixture(scope="module")
def engine(engine_code):
    return Engine(table=1 << 22)


@pytest.fixture(scope="module")
def analysis(engine):
    return analyse(ending(), engine, SHALLOW)


def names(moves):
    return [move_name(move) for move in moves]


# Values -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("lines", [0, 2])
def test_in_an_ending_all_values_are_those_of_plain_minimax(engine, seed, lines):
    record = last_part(random_game(seed), 7)
    for move in analyse(record, engine, SHALLOW, lines=lines).moves:
        assert move.best.value == minimax_score(move.state)
        assert move.value == -minimax_score(result(move.state, move.action))
        assert move.solved


@pytest.mark.parametrize("seed", [100, 101])
@pytest.mark.parametrize("lines", [0, 3])
def test_a_whole_game_is_judged_move_by_move(engine, seed, lines):
    record = random_game(seed)
    analysis = analyse(record, engine, SHALLOW, solved_from=8, lines=lines)
    assert tuple(move.action for move in analysis.moves) == record.moves
    assert [move.index for move in analysis.moves] == list(range(len(record.moves)))
    for move, state in zip(analysis.moves, record.states(), strict=False):
        assert move.state == state
        assert move.loss >= 0
        assert move.choices == len(actions(state))
        assert move.best.exact or empty_squares(state) > 8
        assert len(move.lines) == min(lines, move.choices)
        position = state
        for action in move.best.line:
            assert action in actions(position)
            position = result(position, action)
        assert move.best.line[0] == move.best.move
        assert (move.loss == 0) or move.best.move != move.action
    assert analysis.values[-1] == (len(record.moves), record.score)


def test_the_ending_that_everything_here_is_about(analysis):
    assert [(move_name(move.action), move.value, move.loss) for move in analysis.moves if move.loss] == [
        ("h2", -14, 14),
        ("a1", 8, 6),
        ("a8", -2, 10),
    ]
    assert [move.spoiled for move in analysis.moves if move.loss] == ["draw to loss", "", "win to loss"]
    assert [value for _, value in analysis.values] == [0] * 9 + [-14] * 3 + [-8] * 2 + [2] * 2
    assert analysis.solved_from == 0
    assert analysis.end is None


def test_the_best_line_leads_to_the_value(analysis):
    blunder = analysis.mistakes[0]
    assert names(blunder.best.line) == ["h1", "h2", "b2", "a1", "pass", "a8", "pass", "b8"]
    assert Record(blunder.state, blunder.best.line).score == blunder.best.value == 0


def test_of_moves_that_are_equally_good_the_one_played_counts_as_best(engine):
    start = read_board(FFO_4)
    for played in ("a5", "h8"):
        [move] = analyse(read_transcript(played, start), engine).moves
        assert (names(move.best.line)[0], move.loss, move.verdict) == (played, 0, Verdict.BEST)


def test_lines_are_the_best_moves_in_order(engine):
    [move] = analyse(read_transcript("b6", read_board(FFO_4)), engine, lines=3).moves
    assert {move_name(report.move) for report in move.lines[:2]} == {"a5", "h8"}
    assert [report.value for report in move.lines] == [0, 0, -4]
    assert (move.value, move.loss) == (-4, 4)


def test_a_forced_move_and_a_pass_are_worth_what_they_lead_to(analysis):
    forced = [move for move in analysis.moves if move.verdict is Verdict.FORCED]
    assert names(move.action for move in forced) == ["b2", "pass", "b8"]
    assert [(move.value, move.loss) for move in forced] == [(-14, 0), (-8, 0), (2, 0)]


def test_a_game_that_ends_early_has_a_value_for_its_last_position(engine):
    record = read_transcript("h8b6a7h7g7a5b7a6h2", read_board(FFO_4))
    analysis = analyse(record, engine)
    assert (names(analysis.end.line)[0], analysis.end.value) == ("h1", 14)
    assert analysis.values[-1] == (9, -14)


def test_a_game_without_moves_has_a_value(engine):
    analysis = analyse(Record(read_board(FFO_4)), engine)
    assert analysis.moves == ()
    assert analysis.values == ((0, 0),)
    assert analysis.accuracy(0) is analysis.mean_loss(1) is None


def test_the_part_that_is_solved_begins_where_few_squares_are_empty(engine):
    analysis = analyse(ending(), engine, SHALLOW, solved_from=10)
    assert analysis.solved_from == 4
    assert [move.solved for move in analysis.moves] == [False] * 4 + [True] * 11
    unsolved = analyse(read_transcript("f5d6"), engine, SHALLOW, solved_from=10)
    assert unsolved.solved_from is None


# Verdicts ---------------------------------------------------------------------------------------------------------


def test_verdicts_go_by_the_loss():
    losses = {0: "best", 1: "good", 2: "good", 3: "inaccuracy", 5: "inaccuracy", 6: "mistake", 11: "mistake"}
    assert {loss: verdict(loss, 2).value for loss in losses} == losses
    assert verdict(12, 2) is verdict(128, 2) is Verdict.BLUNDER
    assert verdict(0, 1) is Verdict.FORCED


def test_mistakes_come_by_size(analysis):
    assert [(move_name(move.action), move.verdict) for move in analysis.mistakes] == [
        ("h2", Verdict.BLUNDER),
        ("a8", Verdict.MISTAKE),
        ("a1", Verdict.MISTAKE),
    ]
    assert analysis.count(0, Verdict.BLUNDER) == 1
    assert analysis.count(1, Verdict.MISTAKE) == 2


def test_accuracy_is_the_mean_of_what_each_loss_leaves(analysis):
    black, white = analysis.decisions(0), analysis.decisions(1)
    assert sum(move.loss for move in black) == 14
    assert sum(move.loss for move in white) == 16
    assert analysis.mean_loss(0) == 14 / len(black)
    assert analysis.accuracy(0) == pytest.approx((100 * (len(black) - 1) + 100 * 2 ** (-14 / 6)) / len(black))
    assert analysis.accuracy(1) == pytest.approx((100 * (len(white) - 2) + 50 + 100 * 2 ** (-10 / 6)) / len(white))


# The rest ---------------------------------------------------------------------------------------------------------


def test_the_annotated_game_has_the_values_and_the_result(analysis):
    record = annotated(analysis)
    assert record.evaluations == tuple(float(move.value) for move in analysis.moves)
    assert record.result == Result(2.0, Ending.PLAYED)
    assert read_ggf(write_ggf(record)) == record


def test_a_result_that_was_stated_is_kept(engine):
    stated = Record(read_board(FFO_4), (63,), result=Result(-64.0, Ending.RESIGNED))
    assert annotated(analyse(stated, engine)).result == stated.result


def test_moves_are_told_from_the_last_to_the_first(engine):
    told = []
    analysis = analyse(ending(), engine, on_move=told.append)
    assert tuple(reversed(told)) == analysis.moves


def test_who_is_told_may_end_the_analysis(engine):
    class Enough(Exception):
        pass

    def stop(move):
        raise Enough

    with pytest.raises(Enough):
        analyse(ending(), engine, on_move=stop)


def test_ctrl_c_leaves_the_moves_that_were_judged(engine):
    record = random_game(7)
    seen = []

    def judged(move):
        seen.append(move)
        if len(seen) == 9:
            threading.Timer(0.2, signal.pthread_kill, (threading.get_ident(), signal.SIGINT)).start()

    with pytest.raises(Interrupted) as caught:
        analyse(record, engine, Limit(depth=60), solved_from=8, on_move=judged)
    analysis = caught.value.answer
    assert analysis.moves == tuple(reversed(seen))
    assert 9 <= len(analysis.moves) < len(record.moves)
    assert len(analysis.values) == len(analysis.moves) + 1
    assert annotated(analysis).evaluations[0] is None
