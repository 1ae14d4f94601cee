"""``plyground course compare`` as a real process: every form of output, and every way to get it wrong."""

from __future__ import annotations

import json
from xml.etree import ElementTree

import pytest

STRICT = ("course", "compare", "--example", "strict", "--tree", "((3 12 8) (3 4 6))")
SENTENCE = "At C (after 2), after move 1: yours goes on to move 2, the right search cuts here, since v ≤ α (3 ≤ 3)."


def done_well(done):
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def test_the_tree_is_printed_with_both_sides(command):
    printed = done_well(command(*STRICT)).splitlines()
    assert printed[0] == "strict.py: alphabeta() differs from alpha-beta. ((3 12 8) (3 4 6)):"
    assert "└─ ▼ ≤ 3  C  α = 3, β = +∞  yours: goes on  right: cuts here" in printed
    assert SENTENCE in printed


def test_programs_read_the_same(command):
    answer = json.loads(done_well(command(*STRICT, "--json")))
    assert answer["text"] == SENTENCE
    expected = {"agrees": False, "kind": "missed_cut", "cause": "strict", "node": "C", "path": ["2"], "costs": True}
    assert expected.items() <= answer.items()
    agrees = json.loads(done_well(command("course", "compare", "--example", "minimax", "--tree", "worked", "--json")))
    assert agrees == {"name": "minimax.py", "function": "minimax", "algorithm": "minimax", "tasks": 1, "agrees": True}


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        ("strict", "en"),
        ("root_visits", "zh"),
        pytest.param("strict", "zh", marks=pytest.mark.slow),
        pytest.param("root_visits", "en", marks=pytest.mark.slow),
    ],
)
def test_it_is_drawn(command, name, lang):
    for ending in ("svg", "png", "html", "txt"):
        out = f"{name}.{ending}"
        printed = done_well(command("course", "compare", "--example", name, "--lang", lang, "--out", out))
        assert printed.endswith(f"wrote {out}\n")
        assert (command.folder / out).stat().st_size > 100
    picture = (command.folder / f"{name}.svg").read_text(encoding="utf-8")
    texts = "".join(ElementTree.fromstring(picture).itertext())
    assert {"en": "the first difference", "zh": "第一处不同"}[lang] in texts
    assert {"en": "yours: ", "zh": "你的："}[lang] in texts


def test_a_picture_that_is_not_needed_is_not_written_and_that_is_said(command):
    words = ("course", "compare", "--example", "minimax", "--tree", "worked", "--out", "where.html")
    assert done_well(command(*words)).splitlines()[1] == "where.html was not written: there is no difference to draw."
    assert "没有写出 where.html" in done_well(command(*words, "--lang", "zh"))
    assert not (command.folder / "where.html").exists()


def test_the_page_plays_to_the_difference(command, browser):
    done_well(command(*STRICT, "--out", "bug.html"))
    page = browser.new_page()
    faults: list[object] = []
    page.on("pageerror", lambda fault: faults.append(fault))
    page.goto((command.folder / "bug.html").as_uri())
    page.keyboard.press("End")
    page.get_by_text(SENTENCE).first.wait_for()
    page.close()
    assert not faults


def test_the_examples_are_listed_and_shown(command):
    listed = json.loads(done_well(command("course", "compare", "--list", "--json")))
    assert {one["name"] for one in listed if one["right"]} == {"alphabeta", "negamax", "minimax", "uct"}
    assert "忘了" in done_well(command("course", "compare", "--list", "--lang", "zh"))
    shown = done_well(command("course", "compare", "--example", "sign", "--show"))
    assert "value = negamax(" in shown
    (command.folder / "mine.py").write_text(shown, encoding="utf-8")
    assert "mine.py: negamax() differs from alpha-beta" in done_well(command("course", "compare", "mine.py"))


def test_help_has_an_example(command):
    assert "Example: plyground course compare" in " ".join(command("course", "compare", "--help").stdout.split())


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "give a Python file"),
        (["nowhere.py"], "there is no file nowhere.py"),
        (["x.py", "--example", "sign"], "give a Python file"),
        (["--example", "sing"], "did you mean 'sign'?"),
        (["--example", "sign", "--lang", "fr"], "there is no language 'fr'"),
        (["--example", "sign", "--algorithm", "dfs"], "--algorithm must be one of alphabeta, minimax, uct"),
        (["--example", "sign", "--algorithm", "uct"], "there is no function uct(...) in it"),
        (["--example", "sign", "--tree", "worked", "--game", "tictactoe"], "leave one out"),
        (["--example", "sign", "--moves", "b2"], "--moves is for --game"),
        (["--example", "sign", "--depth", "2"], "--depth is for --tree and --game"),
        (["--example", "sign", "--tree", "worked", "--depth", "0"], "the depth must be at least 1"),
        (["--example", "sign", "--game", "kuhn"], "games of MAX and MIN"),
        (["--example", "sign", "--out", "x.gif"], "--out must end in"),
        (["--example", "uct", "--simulations", "0"], "--simulations must be from 1 to 500"),
        (["--example", "sign", "--timeout", "0"], "--timeout must be a positive number"),
        (["--example", "sign", "--cage", "iron"], "--cage must be one of"),
        (["--example", "sign", "--function", "nix"], "there is no function nix in it"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(command, words, says):
    done = command("course", "compare", *words)
    assert (done.returncode, done.stdout) == (2, "")
    lines = done.stderr.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith("error: ")
    assert says in lines[0]
