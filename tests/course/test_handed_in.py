"""Practice that was handed in: judged again, and what was forged is named."""

from __future__ import annotations

import csv
import json

import pytest

from plyground.course.exercises.handed_in import check_sheet
from plyground.course.exercises.kinds import KINDS, answer_key, make_exercise
from plyground.errors import FormatError


def answered(kind="minimax", level=1, number=3, *, complete=True, hints=0, wrong=False):
    given = {}
    for item, answer in answer_key(make_exercise(kind, level, number)):
        values = {text: value for value, text in item.choices}
        given[item.key] = values.get(answer.text.split(" / ")[0], answer.text)
    if wrong:
        given[next(iter(given))] = "999"
    told = {"kind": kind, "level": level, "number": number, "options": {}}
    return {**told, "answers": given, "complete": complete, "hints": hints}


def sheet(*exercises, name="Li Lei"):
    return {"file": "plyground practice", "version": 1, "name": name, "exercises": list(exercises)}


def test_what_counts_is_worked_out_from_the_answers():
    found = check_sheet(
        sheet(
            answered(),
            answered(number=4, hints=2),
            answered(number=5, wrong=True, complete=False),
            answered("ucb", 2, 9),
        )
    )
    assert (found.exercises, found.solved, found.unaided, found.hints) == (4, 3, 2, 2)
    assert found.kinds == {"minimax": 2, "ucb": 1}
    assert found.forged == ()


def test_every_kind_can_be_handed_in():
    assert check_sheet(sheet(*(answered(kind, 2, 7) for kind in KINDS))).solved == len(KINDS)


def test_a_forged_judgement_is_named_and_the_same_exercise_counts_once():
    found = check_sheet(sheet(answered(), answered(hints=1), answered(number=6, wrong=True)))
    assert (found.solved, found.unaided) == (1, 1)
    assert found.forged == ("minimax level 1 no. 6",)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"file": "other"}, "take the file that “Hand in” on Practice has made"),
        ({"exercises": []}, "1 to 500 exercises"),
        ({"name": 5}, "has a name"),
        ({"exercises": [5]}, "exercise 1 is no exercise"),
        ({"exercises": [{**answered(), "answers": {"0": 5}}]}, "exercise 1 needs a kind, level"),
        ({"exercises": [{**answered(), "kind": "sudoku"}]}, "there is no kind of exercise 'sudoku'"),
        ({"exercises": [{**answered(), "number": -1}]}, "exercise 1 needs"),
        ({"exercises": [{**answered(), "options": {"depth": 3}}]}, "has no option depth"),
    ],
)
def test_what_is_no_hand_in_is_refused_in_a_line(change, line):
    with pytest.raises(FormatError, match=line):
        check_sheet({**sheet(answered()), **change})


def test_a_teacher_checks_a_folder(command, tmp_path):
    folder = tmp_path / "handins"
    folder.mkdir()
    (folder / "a.json").write_text(json.dumps(sheet(answered(), name="=Li\nLei")))
    (folder / "b.json").write_text(json.dumps(sheet(answered(wrong=True))))
    (folder / "c.json").write_text("{")
    (folder / "notes.txt").write_text("not one of them")
    done = command("course", "check", str(folder), "--out", str(tmp_path / "practice.csv"))
    assert done.returncode == 0
    assert "b.json: Li Lei: 0 of 1 solved, 0 without hints; FORGED: minimax level 1 no. 3" in done.stdout
    assert "c.json is not a hand-in of practice: it is not JSON" in done.stdout
    with (tmp_path / "practice.csv").open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["file"], row["solved"], row["forged"]) for row in rows] == [
        ("a.json", "1", ""), ("b.json", "0", "minimax level 1 no. 3"), ("c.json", "", "")
    ]  # fmt: skip
    assert not rows[0]["name"].startswith("=")
    assert rows[0]["minimax"] == "1"
    told = json.loads(command("course", "check", str(folder), "--json").stdout)
    assert told[0]["unaided"] == 1
    refused = command("course", "check", str(tmp_path / "nowhere"))
    assert refused.returncode != 0
    assert "is not a folder" in refused.stderr
