"""Games that the engine plays against itself, and scores of games that others have played."""

from __future__ import annotations

from contextlib import closing
from itertools import islice

import numpy as np
import pytest

from plyground.core.rules import actions, result, terminal
from plyground.engines.reversi.positions import RELATED, UNKNOWN
from plyground.engines.reversi.self_play import OPENINGS, GameRow, in_order, play_games, score_games, solve_positions
from plyground.engines.reversi.weights import load_weights
from plyground.formats.replay import END, replay_games
from plyground.games.reversi import PASS, reversi

pytestmark = pytest.mark.usefixtures("engine_code")


def played(seed=1, first=0, count=6, **options) -> list[GameRow]:
    with closing(play_games(seed, first, weights=load_weights(), depth=2, solve_from=8, **options)) as games:
        return list(islice(games, count))


def same(some: list[GameRow], others: list[GameRow]) -> bool:
    return all(
        np.array_equal(a.moves, b.moves) and np.array_equal(a.scores, b.scores) and a.opening == b.opening
        for a, b in zip(some, others, strict=True)
    )


def only_move(squares: list[int]) -> bool:
    state = reversi().initial
    for square in squares:
        if actions(state) == [PASS]:
            state = result(state, PASS)
        state = result(state, square)
    return len(actions(state)) == 1 and actions(state) != [PASS]


def best_score(state) -> int:
    """By plain minimax, for the side to move; empty squares go to the winner."""
    if terminal(state):
        own, opponent = int(state.own).bit_count(), int(state.opponent).bit_count()
        empty = 64 - own - opponent
        return own - opponent + (empty if own > opponent else -empty if own < opponent else 0)
    return max(-best_score(result(state, action)) for action in actions(state))


def test_games_are_legal_and_go_to_their_end():
    games = played()
    replayed = replay_games(np.stack([game.moves for game in games]))
    assert (replayed.faults == -1).all()
    assert replayed.finished.all()
    assert all(OPENINGS[0] <= game.opening <= OPENINGS[1] for game in games[::RELATED])


def test_variations_leave_their_game_after_its_opening_with_a_random_move():
    games = played(count=4 * RELATED)
    for number, game in enumerate(games):
        original = games[number - number % RELATED]
        if game is not original:
            kept = game.opening - 1
            assert kept >= original.opening
            assert np.array_equal(game.moves[:kept], original.moves[:kept])
            assert game.moves[kept] != original.moves[kept] or only_move(game.moves[:kept].tolist())


def test_scores_are_those_of_plain_minimax():
    checked = 0
    for game in played():
        state = reversi().initial
        for ply, square in enumerate(game.moves[game.moves != END].tolist()):
            if actions(state) == [PASS]:
                state = result(state, PASS)
            empties = 60 - ply
            assert (game.scores[empties] != UNKNOWN) == (empties <= 8)
            if empties <= 6:
                assert game.scores[empties] == best_score(state)
                checked += 1
            state = result(state, square)
    assert checked > 20


def test_a_solved_game_is_played_without_a_mistake():
    """The score of each solved position is that of the next, for whoever moves there, and the last one's is the end."""
    for game in played():
        replayed = replay_games(game.moves[None])
        black, white = int(replayed.black[0]), int(replayed.white[0])
        final = black - white
        final += (64 - black - white) * np.sign(final)
        known = game.scores[game.scores != UNKNOWN]
        assert len(known)
        assert set(np.abs(known).tolist()) == {abs(final)}


def test_a_game_is_decided_by_seed_and_number_alone():
    all_games = played()
    assert same(played(first=2, count=4), all_games[2:])
    assert same(played(first=3, count=3), all_games[3:])
    assert same(played(threads=2), all_games)
    assert not same(played(seed=2), all_games)


def test_the_games_of_a_seed_differ():
    assert len({game.moves.tobytes() for game in played(count=20)}) > 18  # with one move only there is no other


def test_written_games_get_the_same_scores_as_their_players_gave_them():
    games = played()
    scored = list(score_games(np.stack([game.moves for game in games]), weights=load_weights(), solve_from=8))
    assert same(scored, [game._replace(opening=0) for game in games])


def test_a_game_that_was_broken_off_early_gets_no_scores():
    moves = np.full((1, 60), END, np.uint8)
    moves[0, :3] = [19, 18, 17]
    assert replay_games(moves).faults[0] == -1
    (game,) = score_games(moves, weights=load_weights(), solve_from=8)
    assert (game.scores == UNKNOWN).all()


def test_positions_are_solved_in_order_by_any_number_of_threads():
    boards, scores = [], []
    for game in played():
        state = reversi().initial
        for ply, square in enumerate(game.moves[game.moves != END].tolist()):
            if actions(state) == [PASS]:
                state = result(state, PASS)
            if 60 - ply in (5, 8):
                boards.append((int(state.own), int(state.opponent)))
                scores.append(int(game.scores[60 - ply]))
            state = result(state, square)
    for threads in (1, 3):
        assert list(solve_positions(boards, weights=load_weights(), threads=threads)) == scores


def test_leaving_the_loop_stops_the_threads():
    seen = []

    def work(number, memory):
        seen.append(number)
        return number

    with closing(in_order(work, range(1000), load_weights(), 2)) as results:
        assert list(islice(results, 3)) == [0, 1, 2]
    assert len(seen) < 50


def test_an_error_in_a_thread_reaches_the_caller():
    def work(number, memory):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(in_order(work, range(3), load_weights(), 2))
