"""The engine on the board: forced moves, symmetry, limits, levels, and what it refuses."""

from __future__ import annotations

import random
import threading

import numpy as np
import pytest

from plyground import Limit, actions, make_game, make_player, parse_action, result, terminal, to_move, utility
from plyground.core.rules import symmetries, transformed
from plyground.engines.gomoku.board import put_position
from plyground.engines.gomoku.engine import Engine, stones_of
from plyground.engines.gomoku.levels import LEVELS
from plyground.engines.gomoku.memory import Memory
from plyground.engines.gomoku.roots import static_value
from plyground.engines.gomoku.table import Table
from plyground.errors import BadOption, IllegalAction, UnsuitableGame
from plyground.players import Move, Position, default_opponent, players_for

GAME = make_game("gomoku")


@pytest.fixture(scope="module")
def engine():
    return Engine(table=1 << 20)


def after(moves: str, game=GAME):
    state = game.initial
    for move in moves.split():
        state = result(state, parse_action(state, move))
    return state


def names(state, *moves: str) -> set[int]:
    return {parse_action(state, move) for move in moves}


def play_out(sides, game=GAME, opening: str = "") -> int | None:
    """Who wins a game between two players, who are given the position and answer with a move; None for a draw."""
    state, history = after(opening, game), ()
    for move in opening.split():
        history += (parse_action(after("", game), move),)
    while not terminal(state):
        choice = sides[to_move(state)].choose(Position(game, state, history), Limit())
        state, history = result(state, choice.action), (*history, choice.action)
    return next((seat for seat in (0, 1) if utility(state, seat) == 1), None)


# What has to be played -----------------------------------------------------------------------------------------------

FORCED = {
    "a five is taken": ("h8 a1 i8 a2 j8 a3 k8 a4", ["g8", "l8"]),
    "a five is taken before the other's is stopped": ("h8 h9 i8 i9 j8 j9 k8 k9", ["g8", "l8"]),
    "a four is stopped": ("h8 g8 i8 a1 j8 a15 k8", ["l8"]),
    "an open three is stopped": ("h8 a1 i8 o15 j8", ["f8", "g8", "k8", "l8"]),
    "a broken three is stopped": ("h8 a1 i8 o15 k8", ["g8", "j8", "l8"]),
    "an open four is made": ("h8 a1 i8 a2 j8 a15", ["g8", "k8"]),
}


@pytest.mark.parametrize("case", FORCED)
@pytest.mark.parametrize("spec", ["engine:nodes=20000", "engine:depth=1", *(f"engine:level={n}" for n in (3, 6, 10))])
def test_what_is_forced_is_played(case, spec):
    moves, wanted = FORCED[case]
    state = after(moves)
    player = make_player(f"{spec},table=1MB", GAME, seed=3)
    assert player.choose(Position(GAME, state), Limit()).action in names(state, *wanted)


@pytest.mark.parametrize("spec", ["engine:nodes=5000", "engine:level=1", "engine:level=5", "engine:level=8"])
def test_the_answer_to_the_first_stone_stands_beside_it(spec):
    """The opponent that people met before answered h8 with a1."""
    state = after("h8")
    for seed in range(3):
        action = make_player(f"{spec},table=1MB", GAME, seed).choose(Position(GAME, state), Limit()).action
        assert max(abs(action // 15 - 7), abs(action % 15 - 7)) <= 2


def test_the_first_stone_stands_in_the_middle(engine):
    for spec in ("gomoku", "gomoku:size=9", "gomoku:size=19", "mnk:m=7,n=9,k=5"):
        state = make_game(spec).initial
        assert engine.search(state, Limit(depth=2)).move == state.rows // 2 * state.columns + state.columns // 2


# The evaluation ------------------------------------------------------------------------------------------------------


def static(state) -> int:
    record = Memory(Table(1 << 10), int(state.k)).record
    put_position(record, int(state.rows), int(state.columns), stones_of(state))
    return int(static_value(record))


@pytest.mark.parametrize("spec", ["gomoku:size=9", "mnk:m=6,n=8,k=5"])
def test_mirrored_and_turned_positions_are_worth_the_same(spec):
    game, drawn = make_game(spec), random.Random(1)
    for _ in range(10):
        state = game.initial
        while state.taken < 20 and not terminal(state):
            state = result(state, drawn.choice(actions(state)))
        assert len({static(transformed(state, index)) for index in range(symmetries(state))}) == 1


def test_both_sides_are_judged_alike():
    stones = stones_of(after("h8 i9 j8 i7 i8 g8"))
    records = [Memory(Table(1 << 10), 5).record for _ in range(2)]
    for record, position in zip(records, (stones, (3 - stones) % 3), strict=True):  # black and white exchanged
        put_position(record, 15, 15, position)
    assert records[0]["value"].tolist() == records[1]["value"].tolist()[::-1]
    assert records[0]["count"].tolist() == records[1]["count"].tolist()[::-1]


def test_a_mirrored_position_is_searched_to_the_mirrored_result(engine):
    state = after("h8 i9 j8 i7 i8 g8")
    values = set()
    for index in range(symmetries(state)):
        engine.clear()
        report = engine.search(transformed(state, index), Limit(depth=2))
        values.add(round(report.value, 6))
        assert report.move in actions(transformed(state, index))
    assert len(values) == 1


# Limits --------------------------------------------------------------------------------------------------------------


def test_nodes_are_a_limit_and_an_answer_comes_whatever_the_limit(engine):
    state = after("h8 i9 j8 i7")
    for nodes in (1, 2, 50, 3000):
        report = engine.search(state, Limit(nodes=nodes))
        assert report.nodes <= nodes
        assert report.move in actions(state)
        assert report.line[0] == report.move


def test_the_same_search_finds_the_same(engine):
    state = after("h8 i9 j8 i7")
    reports = []
    for _ in range(2):
        engine.clear()
        reports.append(engine.search(state, Limit(nodes=30_000)))
    assert reports[0].line == reports[1].line
    assert reports[0].value == reports[1].value


def test_a_search_without_a_limit_ends_when_it_is_stopped(engine):
    state = after("h8 i9")
    seen = threading.Event()
    thread = threading.Thread(target=lambda: engine.search(state, on_report=lambda report: seen.set()))
    thread.start()
    assert seen.wait(60)
    engine.stop()
    thread.join(60)
    assert not thread.is_alive()


def test_every_move_of_a_hint_is_legal_and_what_loses_is_said_to_lose(engine):
    state = after("h8 a1 i8 o15 j8")
    reports = engine.score_moves(state, Limit(depth=2))
    assert {report.move for report in reports} <= set(actions(state))
    assert [report.value for report in reports] == sorted((report.value for report in reports), reverse=True)
    assert names(state, "g8", "k8") <= {report.move for report in reports}
    won = engine.score_moves(after("h8 a1 i8 a2 j8 a15"), Limit(depth=2))
    assert won[0].exact
    assert won[0].value == 1.0


def test_games_on_every_size_end_as_the_rules_say():
    for spec in ("gomoku:size=5", "gomoku:size=9", "gomoku:size=19", "mnk:m=8,n=6,k=5", "mnk:m=6,n=6,k=4"):
        game = make_game(spec)
        play_out([make_player("engine:nodes=300,table=1MB", game, 1) for _ in range(2)], game)


# Levels --------------------------------------------------------------------------------------------------------------


class Builder:
    """Puts its stones side by side in one row, wherever there is room."""

    def choose(self, position, limit):
        state, stones = position.state, stones_of(position.state)
        own = 1 + int(to_move(state))
        for row in (7, 6, 8, 5, 9):
            cells = range(row * 15, row * 15 + 15)
            free = [cell for cell in cells if stones[cell] == 0]
            beside = [cell for cell in free if any(stones[one] == own for one in (cell - 1, cell + 1) if one in cells)]
            if free:
                return Move((beside or free[len(free) // 2 :])[0])
        return Move(actions(state)[0])


def test_a_middle_level_does_not_lose_in_a_few_moves():
    """The opponent with six stars lost to whoever put five in a row. An attacker who only builds lines gets nowhere."""

    for level in (3, 6):
        for seat in (0, 1):
            sides = [make_player(f"engine:level={level},table=1MB", GAME, seed=seat), Builder()]
            assert play_out(sides if seat == 0 else sides[::-1]) == seat


def test_levels_are_in_order():
    assert [level.depth for level in LEVELS] == sorted(level.depth for level in LEVELS)
    assert [level.noise for level in LEVELS] == sorted((level.noise for level in LEVELS), reverse=True)
    assert all(level.overlooks == 0 for level in LEVELS[2:])


# The player ----------------------------------------------------------------------------------------------------------


def test_it_is_the_opponent_that_people_meet():
    assert default_opponent(GAME) == "engine"
    assert default_opponent(make_game("mnk:m=10,n=10,k=5")) == "engine"
    assert "engine" not in set(players_for(make_game("mnk")))


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("engine:level=0", "level must be from 1 to 10 in Gomoku, not 0"),
        ("engine:level=11", "level must be from 1 to 10 in Gomoku, not 11"),
        ("engine:threads=2", "the option threads means nothing in Gomoku; leave it out"),
        ("engine:book=on", "the option book means nothing in Gomoku"),
        ("engine:clock=60", "the option clock means nothing in Gomoku"),
        ("engine:level=3,nodes=5", "not both"),
    ],
)
def test_options_that_make_no_sense_are_refused_in_one_line(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec, GAME)


@pytest.mark.parametrize(
    ("board", "why"), [("mnk:m=7,n=7,k=6", "lines of 3 to 5"), ("mnk:m=9,n=4,k=4", "at least 5 x 5")]
)
def test_boards_that_it_does_not_know(board, why):
    with pytest.raises(UnsuitableGame, match=why):
        make_player("engine", make_game(board))


def test_nothing_is_searched_where_the_game_is_over(engine):
    over = after("h8 a1 i8 a2 j8 a3 k8 a4 l8")
    with pytest.raises(IllegalAction, match="the game is over"):
        engine.search(over, Limit(depth=1))
    with pytest.raises(BadOption, match="made for 5 in a line, not 4"):
        engine.search(make_game("mnk:m=6,n=6,k=4").initial, Limit(depth=1))
    assert np.array_equal(stones_of(GAME.initial), np.zeros(225))
