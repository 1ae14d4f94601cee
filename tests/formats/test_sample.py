"""The bundled games of people: what is in them, by which rule they were chosen, and that one can learn from them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from plyground.core.rules import actions, result
from plyground.engines.reversi.alphago.human_games import read_human_games, split_by_year
from plyground.engines.reversi.alphago.rollout_fit import fit_rollout, measure_rollout, stored_weights
from plyground.errors import BadOption, FormatError
from plyground.formats.record import Record, Result
from plyground.formats.replay import START
from plyground.formats.sample import SAMPLE, games_folder
from plyground.formats.sample.make import GAMES_A_YEAR, YEARS, chosen, make_sample
from plyground.formats.wthor import collect_games, read_names, read_wthor, write_names, write_wthor
from plyground.native.compiling import interpreted

DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


@pytest.fixture(scope="module")
def bases():
    return [read_wthor(games_folder(SAMPLE) / f"WTH_{year}.wtb") for year in YEARS]


def flipped(board, side, x, y):
    """The squares that a disc of `side` on x, y flips, by walking along every line."""
    found = []
    for dx, dy in DIRECTIONS:
        line, at = [], (x + dx, y + dy)
        while board.get(at) == -side:
            line.append(at)
            at = (at[0] + dx, at[1] + dy)
        if board.get(at) == side:
            found += line
    return found


def can_move(board, side):
    return any((x, y) not in board and flipped(board, side, x, y) for x in range(1, 9) for y in range(1, 9))


def test_there_are_1600_games_of_sixteen_years_in_less_than_150_kilobytes(bases):
    assert [base.year for base in bases] == list(range(2010, 2026))
    assert [len(base) for base in bases] == [GAMES_A_YEAR] * 16
    assert sum(map(len, bases)) == 1600
    files = [path for path in games_folder(SAMPLE).iterdir() if path.suffix in (".wtb", ".JOU", ".TRN")]
    assert len(files) == 18
    assert sum(path.stat().st_size for path in files) < 150_000


def test_every_game_is_legal_to_its_end_by_rules_written_down_again(bases):
    """On a dictionary of squares, from the bytes of the files: nothing here knows the library's rules."""
    for base in bases:
        for game in base.games:
            board = {(5, 4): 1, (4, 5): 1, (4, 4): -1, (5, 5): -1}  # black has e4 and d5
            side = 1
            for byte in game["moves"].tolist():
                if not byte:
                    break
                y, x = divmod(byte, 10)
                turned = [] if (x, y) in board else flipped(board, side, x, y)
                if not turned:  # a pass is not written
                    assert not can_move(board, side)
                    side = -side
                    turned = flipped(board, side, x, y)
                assert turned
                assert (x, y) not in board
                board.update(dict.fromkeys([*turned, (x, y)], side))
                side = -side
            assert not can_move(board, 1)
            assert not can_move(board, -1)
            black, white = (list(board.values()).count(colour) for colour in (1, -1))
            empty = 64 - black - white
            assert game["discs"] == (black + empty if black > white else black if black < white else 32)


def test_every_game_has_its_names_and_is_there_once(bases):
    games = [record for base in bases for record in base]
    assert all(game.black and game.white and game.place for game in games)
    for base in bases:
        assert len({game.moves for game in base}) == GAMES_A_YEAR
    needed = {name for game in games for name in (game.black, game.white)}
    assert set(read_names(games_folder(SAMPLE) / "WTH.JOU")) == needed | {"???"}


# The rule ---------------------------------------------------------------------------------------------------------


def game_number(number):
    """A whole game, another one for each number, between two named players."""
    state, moves = START, []
    with interpreted():
        while options := actions(state):
            moves.append(options[(number * 7 + len(moves) * (number + 3)) % len(options)])
            state = result(state, moves[-1])
    return Record(START, tuple(moves), black="ant", white="bee", place="Club")


@pytest.fixture(scope="module")
def whole_games():
    games = [game_number(number) for number in range(12)]
    assert len({game.moves for game in games}) == 12
    return games


def test_games_come_at_even_distances_and_unfit_ones_do_not_count(whole_games):
    good = whole_games[:6]
    broken_off = replace(whole_games[6], moves=whole_games[6].moves[:20], result=Result(10.0))
    wrong = replace(whole_games[7], result=Result(-whole_games[7].score or 2.0))
    nameless = replace(whole_games[8], black="")
    mixed = [broken_off, good[0], wrong, good[1], good[0], good[2], nameless, good[3], good[4], good[1], good[5]]
    base = collect_games(mixed, 2010, (2010, 1, 1))
    assert [game.moves for game in chosen(base, 6)] == [game.moves for game in good]
    assert [game.moves for game in chosen(base, 3)] == [good[number].moves for number in (0, 2, 4)]
    with pytest.raises(BadOption, match="6 of its games are fit"):
        chosen(base, 7)


def test_the_sample_is_made_anew_from_a_folder(bases, tmp_path):
    """From itself it makes itself, to the byte: the rule has nothing left to choose."""
    assert make_sample(games_folder(SAMPLE), tmp_path) == 1600
    for file in tmp_path.iterdir():
        assert file.read_bytes() == (games_folder(SAMPLE) / file.name).read_bytes()
    assert len(list(tmp_path.iterdir())) == 18


def test_a_year_that_is_missing_is_named(tmp_path):
    with pytest.raises(FormatError, match=r"WTH_2010\.wtb"):
        make_sample(tmp_path, tmp_path)


# Using it ---------------------------------------------------------------------------------------------------------


def test_a_folder_of_that_name_is_taken_in_its_place(whole_games, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bundled = games_folder(SAMPLE)
    assert bundled.is_dir()
    (tmp_path / SAMPLE).mkdir()
    assert games_folder(SAMPLE).resolve() == tmp_path / SAMPLE != bundled
    base = collect_games(whole_games, 2001, (2001, 1, 1))
    write_wthor(tmp_path / SAMPLE / "WTH_2001.wtb", base)
    write_names(tmp_path / SAMPLE / "WTH.JOU", base.players, (2001, 1, 1))
    assert set(read_human_games(SAMPLE).year.tolist()) == {2001}


def test_rollouts_learn_from_it_to_predict_people():
    """More than half the moves of the years that were held out; two moves teach it next to nothing."""
    split = split_by_year(read_human_games(SAMPLE))
    untaught = measure_rollout(split.test, stored_weights(fit_rollout(split.train[:2], epochs=1)))
    taught = measure_rollout(split.test, stored_weights(fit_rollout(split.train, epochs=2)))
    assert taught.moves > 17_000
    assert taught.top > 0.5
    assert taught.top > untaught.top + 0.15
    assert taught.loss < 1.35


def test_the_database_takes_it(command):
    done = command("db", "import", "games.db", SAMPLE, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == {"files": 16, "games": 1600, "added": 1600, "left_out": 0}
    again = command("db", "import", "games.db", SAMPLE)
    assert again.stdout == "1,600 games read, 0 added\n"


def test_the_commands_say_that_there_is_one(command):
    done = command("train", "alphago", "rollout", "nowhere", "--out", "rollout.npz")
    assert done.returncode == 2
    assert "or sample for the bundled games" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_policy_network_learns_from_it(command):
    done = command(
        "train", "alphago", "policy", SAMPLE, "--out", "runs", "--iterations", "3", "--size", "1x16", "--batch", "256",
        "--report", "2000", "--device", "cpu", "--json",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    *journal, last = [json.loads(line) for line in done.stdout.splitlines()]
    losses = [facts["validation_loss"] for facts in journal]
    assert losses == sorted(losses, reverse=True)
    assert last["report"]["test"]["all"]["top1"] > 0.3
