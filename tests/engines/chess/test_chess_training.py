"""Learning what chess positions are worth: the positions, the lecture's sum, and the network."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import chess as python_chess
from plyground.engines.chess.network import SCALE, network_values
from plyground.engines.chess.network_fit import (
    NetworkTraining,
    fit_network,
    loss_of,
    quantised_loss,
    shares,
    sums_of,
    targets_of,
)
from plyground.engines.chess.positions import (
    MATED,
    UNFINISHED,
    Positions,
    chunk_files,
    count_positions,
    load_positions,
    save_chunk,
)
from plyground.engines.chess.sum_fit import differences, fit_sum
from plyground.engines.chess.teacher import Judgement
from plyground.engines.chess.training_games import TrainingGames
from plyground.errors import FormatError
from plyground.games.chess.features import FEATURES, side_features
from plyground.games.chess.notation import read_fen

PIECES = {python_chess.PAWN: 100, python_chess.KNIGHT: 310, python_chess.BISHOP: 330, python_chess.ROOK: 500}
PIECES[python_chess.QUEEN] = 900


class Materialist:
    """Judges by material, and takes what it can; remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.boards: dict[str, tuple[int, bool, int]] = {}

    def ask(self, fens: Any) -> None:
        self.asked.append(list(fens))

    def answers(self) -> list[Judgement]:
        return [self.judge(fen) for fen in self.asked.pop(0)]

    def judge(self, fen: str) -> Judgement:
        board = python_chess.Board(fen)
        assert board.is_valid()
        assert not board.is_game_over()
        sign = {board.turn: 1, not board.turn: -1}
        score = sum(PIECES.get(piece.piece_type, 0) * sign[piece.color] for piece in board.piece_map().values())
        captures = sorted(board.legal_moves, key=lambda move: (not board.is_capture(move), move.uci()))
        move = captures[0]
        quiet = not (board.is_check() or board.is_capture(move) or move.promotion)
        self.boards[f"{board.board_fen()} {board.turn}"] = score, quiet, board.turn
        return Judgement(score, move.uci())

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def taught() -> tuple[Materialist, Positions]:
    teacher = Materialist()
    games, parts = TrainingGames(teacher, 1, 0), list[Positions]()
    for game in games.played():
        parts.append(game)
        if len(parts) == 150:
            break
    return teacher, Positions.joined([*parts, *games.rest()])


def fen_of(positions: Positions, number: int) -> str:
    board = python_chess.Board(None)
    for kind, squares in enumerate(positions.sets[number, :6]):
        for square in python_chess.SquareSet(int(squares)):
            white = bool(int(positions.sets[number, 6]) >> square & 1)
            board.set_piece_at(square, python_chess.Piece(kind + 1, white))
    return f"{board.board_fen()} {positions.turns[number] == 0}"


def test_what_the_teacher_said_is_what_is_kept(taught: tuple[Materialist, Positions]) -> None:
    teacher, positions = taught
    assert len(positions) > 3000
    for number in range(len(positions)):
        score, quiet, white = teacher.boards[fen_of(positions, number)]
        assert positions.scores[number] == max(-MATED, min(MATED, score))
        assert bool(positions.quiet[number]) == quiet
        assert bool(positions.turns[number] == 0) == white


def test_the_results_of_a_game_belong_to_the_side_to_move(taught: tuple[Materialist, Positions]) -> None:
    positions = taught[1]
    decided = 0
    for number in np.unique(positions.games):
        game = positions[positions.games == number]
        if UNFINISHED in game.results:
            assert (game.results == UNFINISHED).all()
            continue
        assert len(np.unique(np.where(game.turns == 0, game.results, -game.results))) == 1
        if abs(int(game.scores[-1])) > 1200:
            decided += 1
            assert np.sign(game.results[-1]) == np.sign(game.scores[-1])
    assert decided > 20


def test_positions_are_kept_in_files_of_a_folder(taught: tuple[Materialist, Positions], tmp_path: Path) -> None:
    positions = taught[1]
    save_chunk(tmp_path / "new", positions[:1000])
    save_chunk(tmp_path / "new", positions[1000:])
    files = chunk_files(tmp_path / "new")
    assert [file.name for file in files] == ["positions-00000.npz", "positions-00001.npz"]
    assert count_positions(files) == len(positions)
    assert np.array_equal(load_positions(tmp_path / "new").sets, positions.sets)
    with pytest.raises(FormatError, match="holds no positions"):
        load_positions(tmp_path)
    files[0].write_bytes(b"nothing")
    with pytest.raises(FormatError, match="is not a file of chess positions"):
        load_positions(tmp_path / "new")


# The lecture's sum -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("fen", "feature", "white", "black"),
    [
        ("4k3/pp6/8/8/P7/P4P2/5PP1/4K3 w - - 0 1", "doubled pawn", 2, 0),
        ("4k3/pp6/8/8/P7/P4P2/5PP1/4K3 w - - 0 1", "isolated pawn", 2, 0),
        ("4k3/pp6/8/8/P7/P4P2/5PP1/4K3 w - - 0 1", "passed pawn", 2, 0),
        ("4k3/pp6/8/8/P7/P4P2/5PP1/4K3 w - - 0 1", "pawn before the king", 2, 0),
        ("r2qk3/ppp5/8/8/8/8/8/4KBNR b - - 0 1", "rook", 1, 1),
        ("r2qk3/ppp5/8/8/8/8/8/4KBNR b - - 0 1", "queen", 0, 1),
        ("6k1/5ppp/8/8/8/8/8/5RK1 w - - 0 1", "attack near the other king", 1, 0),
        ("6k1/5ppp/8/8/8/8/8/5RK1 w - - 0 1", "move", 15, 8),
    ],
)
def test_counts(fen: str, feature: str, white: int, black: int) -> None:
    state, place = read_fen(fen), FEATURES.index(feature)
    assert (side_features(state, 0)[place], side_features(state, 1)[place]) == (white, black)


def test_weights_that_made_the_results_are_found(taught: tuple[Materialist, Positions]) -> None:
    """Results are drawn as if each count were worth what is written here."""
    positions = taught[1]
    truth = np.array([1.0, 3.0, 3.5, 5.0, 9.0, 0.1, -0.4, -0.3, 0.5, 0.2, 0.1])
    odds = differences(positions) @ truth * 0.5
    rng = np.random.default_rng(3)
    wins = rng.random(len(positions)) < 1 / (1 + np.exp(-odds))
    made = Positions(
        positions.sets, positions.turns, np.zeros_like(positions.scores), np.where(wins, 1, -1).astype(np.int8),
        np.ones_like(positions.quiet), positions.games,
    )  # fmt: skip
    learnt = fit_sum(made)
    assert (np.abs(learnt.weights - truth)[:5] < 0.25 * truth[:5]).all()
    assert (np.abs(learnt.weights - truth) < 5 * learnt.errors + 1e-6).all()
    assert learnt.likelihood > -0.6931


def test_too_few_games_are_refused(taught: tuple[Materialist, Positions]) -> None:
    positions = taught[1]
    with pytest.raises(FormatError, match="too few to learn from"):
        fit_sum(positions[positions.games < 50])


# The network -------------------------------------------------------------------------------------------------------

TRAINING = NetworkTraining(passes=4, batch=256, rate=3e-3)


def test_the_network_learns_and_loses_little_in_whole_numbers(taught: tuple[Materialist, Positions]) -> None:
    positions = taught[1][:5000]
    network = fit_network(positions, TRAINING)
    before = float(np.mean((1 / (1 + np.exp(-sums_of(positions))) - targets_of(positions, 0.0)) ** 2))
    assert loss_of(network, positions) < before / 2
    whole = network.quantised()
    assert quantised_loss(whole, positions) == pytest.approx(loss_of(network, positions), rel=0.05)
    exact = np.log(shares(network, positions).astype(np.float64))
    exact -= np.log1p(-shares(network, positions).astype(np.float64))
    found = sums_of(positions) + network_values(whole, positions.sets, positions.turns) / SCALE
    near = np.abs(exact) < 4
    off = np.abs(found - exact)[near] * SCALE
    assert off.mean() < 10
    assert off.max() < 50


def test_a_fit_goes_on_where_it_was_interrupted(taught: tuple[Materialist, Positions], tmp_path: Path) -> None:
    positions, file = taught[1][:1500], tmp_path / "n.partial"
    whole = fit_network(positions, TRAINING)

    class Interrupted(Exception):
        pass

    def interrupt(done: int, total: int, loss: float) -> None:
        if done > 0.6 * total:
            raise Interrupted

    with pytest.raises(Interrupted):
        fit_network(positions, TRAINING, interrupt, file)
    assert file.exists()
    steps: list[int] = []
    again = fit_network(positions, TRAINING, lambda done, total, loss: steps.append(done), file)
    assert steps[0] > steps[-1] / 3
    assert not file.exists()
    assert np.array_equal(whole.rows, again.rows)
    assert np.array_equal(whole.outputs, again.outputs)


def test_what_another_fit_has_left_is_not_used(taught: tuple[Materialist, Positions], tmp_path: Path) -> None:
    positions, file = taught[1][:1500], tmp_path / "n.partial"

    def stop(done: int, total: int, loss: float) -> None:
        if done > 0.6 * total:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fit_network(positions, TRAINING, stop, file)
    steps: list[int] = []
    fit_network(positions[:-1], TRAINING, lambda done, total, loss: steps.append(done), file)
    assert steps[0] == 1
    file.write_bytes(b"nothing")
    with pytest.raises(FormatError, match="checkpoint of a training"):
        fit_network(positions, TRAINING, checkpoint=file)
