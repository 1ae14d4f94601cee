"""``plyground matrix``: what it prints, writes and refuses."""

from __future__ import annotations

import json
import sys
from xml.etree import ElementTree

import pytest

from plyground.arena.database import Database


def answer(command, *words, **options):
    done = command("matrix", *words, **options)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_game_is_short_for_solving_it(command):
    short, long = answer(command, "chicken"), answer(command, "solve", "chicken")
    assert short == long
    assert "9/10 swerve + 1/10 straight" in short


def test_a_text_may_begin_with_a_minus_and_a_file_may_be_a_dash(command):
    text = "-1 2; 3 -4"
    assert "worth 1/5 to Row" in answer(command, text)
    assert answer(command, "-", stdin=text) == answer(command, text)


def test_costs_turn_the_dilemma_round(command):
    table = "1,1 3,0; 0,3 2,2"
    less = json.loads(answer(command, table, "--costs", "--json"))
    assert less["equilibria"][0]["strategies"] == [["0", "1"]] * 2
    more = json.loads(answer(command, table, "--json"))
    assert more["dominant"] == [0, 0]


def test_all_commands_print_json_and_pages(command, tmp_path):
    runs = {
        "solve": ("rock-paper-scissors",),
        "learn": ("matching-pennies", "--steps", "1000", "--seed", "1", "--learner", "regret"),
        "repeated": ("tit-for-tat", "defect", "--rounds", "10", "--seed", "1", "--noise", "0.1"),
        "cake": ("Anna: 1 1 4", "Bert: 3 1 0", "--lang", "zh"),
    }
    for name, words in runs.items():
        assert json.loads(answer(command, name, *words, "--json"))
        for suffix in ("svg", "png", "html"):
            path = tmp_path / f"{name}.{suffix}"
            assert f"wrote {path}" in answer(command, name, *words, "--out", str(path))
        ElementTree.parse(tmp_path / f"{name}.svg")
        assert (tmp_path / f"{name}.png").read_bytes().startswith(b"\x89PNG")
        assert "<script" in (tmp_path / f"{name}.html").read_text(encoding="utf-8")
    assert len(json.loads(answer(command, "list", "--json"))) >= 8
    assert len(json.loads(answer(command, "repeated", "--list", "--json"))) >= 10


def test_cutting_and_choosing_is_a_game_worth_one_half_each(command):
    text = answer(command, "cake")
    assert text == answer(command, "solve", "cake")
    assert "The two payoffs always add up to 1: cutter gets 1/2, chooser the rest." in text
    found = json.loads(answer(command, "cake", "--json"))
    assert found["zero_sum"]["value"] == "1/2"
    assert found["zero_sum"]["strategies"] == [["0", "0", "0", "0", "1"], ["1", "0"]]
    assert "切的人 得 1/2" in answer(command, "cake", "--lang", "zh")
    path = command.folder / "cake.svg"
    assert f"wrote {path}" in answer(command, "cake", "--out", str(path))
    assert "Cut and choose" in path.read_text(encoding="utf-8")


def test_a_tournament_is_repeated_by_its_seed_and_kept(command, tmp_path):
    words = ("repeated", "random", "joss", "grim", "--going-on", "0.9", "--seed", "4", "--db", str(tmp_path / "g.db"))
    shown = answer(command, *words)
    assert answer(command, *words[:-2]) == shown
    with Database(tmp_path / "g.db") as base:
        (kept,) = base.tournaments()
        results = list(base.results(tournament=kept.id))
    assert len(results) == 15
    assert {move.text for move in results[0].moves} <= {"cooperate", "defect"}
    again = command("matrix", *words)
    assert again.returncode == 2
    assert "this very tournament" in again.stderr


@pytest.mark.slow
def test_learning_is_seen_on_a_terminal_and_stops_at_ctrl_c():
    pexpect = pytest.importorskip("pexpect", reason="needs a Unix terminal")
    words = ["-m", "plyground", "matrix", "learn", "rock-paper-scissors", "--seconds", "60"]
    terminal = pexpect.spawn(sys.executable, words, encoding="utf-8", dimensions=(40, 100), timeout=240)
    for step in ("step 1 ", "step 2 ", "value"):
        terminal.expect(step)
    terminal.sendintr()
    terminal.expect("stopped")
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130


@pytest.mark.parametrize(
    ("words", "line"),
    [
        ([], "Missing command"),
        (["chiken"], "there is no game 'chiken'; did you mean 'chicken'?"),
        (["1 2; 3"], "line 1, column 6: this row has 1 cell, the first one has 2"),
        (["nowhere.game"], "cannot read the game nowhere.game: No such file"),
        (["chicken", "--out", "x.pdf"], "--out must end in .svg, .png or .html, not 'x.pdf'"),
        (["chicken", "--out", "/nowhere/x.svg"], "there is no folder '/nowhere'"),
        (["chicken", "--lang", "fr"], "no language 'fr'; there are: en, zh"),
        (["learn", "chicken", "--learner", "me"], "--learner must be one of fictitious, regret, not 'me'"),
        (["learn", "chicken", "--steps", "0"], "--steps"),
        (["repeated", "me", "defect"], "there is no strategy 'me'"),
        (["repeated", "--rounds", "5", "--going-on", "0.5"], "not both"),
        (["repeated", "--payoffs", "stag-hunt", "--noise", "9"], "noise is a probability from 0 to 0.5, not 9"),
        (["cake", "--method", "moving-knife"], "--method is for people; name some, such as 'Anna: 1 1 4'"),
        (["cake", "--lang", "fr"], "there is no language 'fr'"),
        (["cake", "Anna: 1 2", "Bert: x"], "Bert, value 1: 'x' is not a number"),
        (["cake", "1", "1", "1", "--method", "cut-and-choose"], "cut-and-choose is for 2 people, not 3"),
    ],
)
def test_bad_input_gets_one_clear_line(command, words, line):
    done = command("matrix", *words)
    assert done.returncode == 2
    assert line in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    assert done.stdout == ""
