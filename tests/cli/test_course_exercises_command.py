"""``plyground course exercises`` as a user runs it: what it writes, how that prints, and every way to get it wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from plyground.course.exercises.kinds import KINDS, judge, make_exercise

EXERCISES = ("course", "exercises")


def done_well(done):
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout


def refused(done):
    assert done.returncode == 2, (done.stdout, done.stderr)
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    return line


def test_sheets_a_key_and_an_index_are_written(command):
    said = done_well(command(*EXERCISES, "--kind", "alphabeta", "--students", "3", "--seed", "7", "--out", "sheets"))
    index = Path("sheets") / "index.html"
    assert said == f"wrote {index} (3 sheets, and their answers in answers.html; seed 7)\n"
    folder = command.folder / "sheets"
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["answers.html", "index.html", "student-001.html", "student-002.html", "student-003.html"]
    pages = {name: (folder / name).read_text(encoding="utf-8") for name in names}
    assert len({pages[name] for name in names}) == 5
    again = command(*EXERCISES, "--kind", "alphabeta", "--students", "3", "--seed", "7", "--out", "again")
    done_well(again)
    for name in names:
        assert (command.folder / "again" / name).read_text(encoding="utf-8") == pages[name]


def test_programs_are_told_everything(command):
    options = ("--kind", "windows", "--kind", "ucb", "--students", "2", "--seed", "3", "--level", "2", "--count", "2")
    told = json.loads(done_well(command(*EXERCISES, *options, "--out", "a", "--json")))
    assert (told["seed"], told["folder"], told["answers"]) == (3, "a", "answers.html")
    assert [sheet["file"] for sheet in told["sheets"]] == ["student-001.html", "student-002.html"]
    for sheet in told["sheets"]:
        assert [one["kind"] for one in sheet["exercises"]] == ["windows"] * 2 + ["ucb"] * 2
        for one in sheet["exercises"]:
            exercise = make_exercise(one["kind"], one["level"], one["number"], one["options"])
            assert exercise.data == one["data"]
            assert judge(exercise, {})


def test_names_come_from_a_file(command):
    (command.folder / "class.txt").write_text("Anna K.\n\n  小明  \n<i>Eve\x1b[31m\n", encoding="utf-8")
    command_line = (*EXERCISES, "--kind", "minimax", "--seed", "1", "--names", "class.txt", "--out", "named")
    told = json.loads(done_well(command(*command_line, "--json")))
    assert [sheet["name"] for sheet in told["sheets"]] == ["Anna K.", "小明", "<i>Eve\\x1b[31m"]
    page = (command.folder / "named" / "student-003.html").read_text(encoding="utf-8")
    assert "&lt;i&gt;Eve" in page
    assert "<i>" not in page


def test_chinese_sheets(command):
    done_well(command(*EXERCISES, "--kind", "wumpus", "--students", "1", "--seed", "1", "--lang", "zh", "--out", "zh"))
    page = (command.folder / "zh" / "student-001.html").read_text(encoding="utf-8")
    assert '<html lang="zh-Hans">' in page
    assert "哪些格子是安全的" in page


def test_the_kinds_are_listed(command):
    lines = done_well(command(*EXERCISES, "--list")).splitlines()
    assert [line.split()[0] for line in lines] == list(KINDS)
    assert [row["kind"] for row in json.loads(done_well(command(*EXERCISES, "--list", "--json")))] == list(KINDS)


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ([], "--out must name the folder"),
        (["--out", "x"], "--kind must be one of alphabeta, windows"),
        (["--out", "x", "--kind", "alphabetta", "--students", "1"], "did you mean 'alphabeta'"),
        (["--out", "x", "--kind", "minimax"], "--students must say how many"),
        (["--out", "x", "--kind", "minimax", "--students", "0"], "1 to 2,000 students"),
        (["--out", "x", "--kind", "minimax", "--students", "99999"], "1 to 2,000 students"),
        (["--out", "x", "--kind", "minimax", "--students", "2", "--level", "6"], "from 1 to 5, not 6"),
        (["--out", "x", "--kind", "minimax", "--students", "2", "--depth", "3"], "minimax has no option depth"),
        (
            ["--out", "x", "--kind", "alphabeta", "--students", "2", "--depth", "2", "--deep-cuts", "9"],
            "depth 4 or more",
        ),
        (["--out", "x", "--kind", "minimax", "--students", "2", "--lang", "fr"], "no language 'fr'"),
        (["--out", "x", "--kind", "minimax", "--names", "nobody.txt"], "cannot read the file of names"),
        (["--out", "x", "--kind", "minimax", "--names", "empty.txt"], "has no names"),
        (["--out", "x", "--kind", "minimax", "--names", "two.txt", "--students", "3"], "does not go with --names"),
        (["--out", "full", "--kind", "minimax", "--students", "2"], "has files in it already"),
        (["--out", "two.txt", "--kind", "minimax", "--students", "2"], "is a file"),
        (["--out", "two.txt/x", "--kind", "minimax", "--students", "2"], "two.txt"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_and_nothing_is_written(command, options, line):
    (command.folder / "empty.txt").write_text("\n \n")
    (command.folder / "two.txt").write_text("Anna\nBen\n")
    (command.folder / "full").mkdir()
    (command.folder / "full" / "mine.txt").write_text("keep")
    assert line in refused(command(*EXERCISES, *options))
    assert not (command.folder / "x").exists()
    assert [file.name for file in (command.folder / "full").iterdir()] == ["mine.txt"]


def test_sheets_print_on_both_papers_with_nothing_cut_off(command, browser):
    """In print every exercise is on one page, and nothing is wider than the paper."""
    kinds = [word for kind in KINDS for word in ("--kind", kind)]
    done_well(command(*EXERCISES, *kinds, "--students", "1", "--seed", "2", "--level", "5", "--out", "all"))
    page = browser.new_page()
    page.emulate_media(media="print")
    for file in ("student-001.html", "answers.html", "index.html"):
        page.goto((command.folder / "all" / file).as_uri())
        for paper in ((794, 1123), (816, 1056)):  # A4 and Letter at 96 dots an inch
            for kind, (width, height), margin in (
                (":not(.wide)", paper, 2 * 53),
                (".wide", (paper[1], paper[0]), 2 * 46),
            ):
                page.set_viewport_size({"width": width - margin, "height": height - margin})
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (file, width)
                tall = page.locator(f".exercise{kind}").evaluate_all("all => all.map((one) => one.offsetHeight)")
                assert bool(tall) == file.startswith("student")
                assert max(tall, default=0) <= height - margin, (file, kind, paper)
        count = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
        assert 1 <= count <= (len(KINDS) if file.startswith("student") else 20)
    page.close()
