"""Copied code is found whatever it is called, code that was given out is not, and strangers' texts do no harm."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.course.handins import similarity
from plyground.course.handins.assignments import given_out, make_assignment
from plyground.course.handins.similarity import GUARANTEED, compare_all

STUDENTS = {
    file.stem: file.read_text(encoding="utf-8")
    for file in sorted((Path(__file__).parent.parent / "protocols" / "students").glob("*.py"))
}


def one(text, file="player.py"):
    return {file: text}


def renamed(text):
    """Other names, other numbers, comments, blank lines and quotes: what a copy is dressed up with."""
    words = sorted(set(re.findall(r"\b(?:node|child|self\.\w+|board|color|best|value)\b", text)))
    for number, word in enumerate(words):
        new = f"self.thing{number}" if word.startswith("self.") else f"thing{number}"
        text = re.sub(rf"(?<![\w.]){re.escape(word)}\b", new, text)
    lines = text.splitlines()
    return "# all my own work\n\n" + "\n".join(
        f"{line}  # {number}" if line else "" for number, line in enumerate(lines)
    )


@pytest.mark.parametrize("name", [name for name in STUDENTS if name != "random_student"])
def test_a_copy_in_disguise_is_found(name):
    (pair,) = compare_all({"anna": one(STUDENTS[name]), "bert": one(renamed(STUDENTS[name]))})
    assert (pair.first, pair.second) == ("anna", "bert")
    assert pair.share > 0.9
    place = pair.places[0]
    lines = STUDENTS[name].splitlines()
    assert 1 <= place.first[1] <= place.first[2] <= len(lines)
    assert place.second[2] - place.second[1] == place.first[2] - place.first[1]


def test_different_programs_are_not_alike():
    assert not compare_all({name: one(text) for name, text in STUDENTS.items()})


def test_a_passage_in_the_middle_is_found_where_it_stands():
    uct, other = STUDENTS["uct_student"].splitlines(), STUDENTS["alphabeta_student"].splitlines()
    taken = uct[20:50]
    (pair,) = compare_all({"a": one("\n".join(uct)), "b": one("\n".join([*other, *taken]))})
    first, second = pair.places[0].first, pair.places[0].second
    assert 20 <= first[1] <= 24
    assert 46 <= first[2] <= 51
    assert second[1] >= len(other)
    assert pair.first_share < 0.8
    assert pair.second_share > pair.first_share / 3


@pytest.mark.parametrize("name", ["reversi", "tictactoe", "wumpus", "queens"])
def test_what_was_given_out_does_not_count(name):
    texts = {file: text for file, text in given_out(make_assignment(name)).items() if file.endswith(".py")}
    assert compare_all({"a": texts, "b": texts}), "they are the same, if nobody says that it was given out"
    assert not compare_all({"a": texts, "b": texts}, list(texts.values()))


def test_what_half_of_a_class_has_does_not_count():
    text = STUDENTS["uct_student"]
    assert len(compare_all({str(number): one(text) for number in range(3)})) == 3
    assert not compare_all({str(number): one(text) for number in range(20)})


TOKENS = ["x", "7", "'s'", "if", "for", "in", "return", "+", "-", "(", ")", "[", "]", ":", "=", ",", "not", "lambda"]


def slow_longest(one_text, other_text):
    """The longest passage that two rows of tokens share, by the table that every textbook has."""
    best = 0
    row = [0] * (len(other_text) + 1)
    for a in one_text:
        after = [0] * (len(other_text) + 1)
        for at, b in enumerate(other_text):
            after[at + 1] = row[at] + 1 if a == b else 0
        best = max(best, *after)
        row = after
    return best


@given(st.integers(0, 10_000), st.integers(0, 80), st.integers(0, 60), st.integers(0, 60))
def test_every_long_passage_is_found(seed, shared, before, after):
    luck = random.Random(seed)

    def some(count):
        return [luck.choice(TOKENS) for _ in range(count)]

    passage = some(shared)
    first, second = some(before) + passage + some(after), some(after) + passage + some(before)
    longest = slow_longest(first, second)
    pairs = compare_all({"a": one(" ".join(first)), "b": one(" ".join(second))})
    found = max((place.tokens for pair in pairs for place in pair.places), default=0)
    assert found <= longest
    if longest >= max(GUARANTEED, 60) and longest >= 0.25 * min(len(first), len(second)):
        assert found == longest


@given(st.lists(st.text(max_size=300), min_size=2, max_size=4))
def test_texts_of_strangers_do_no_harm(texts):
    compare_all({str(number): one(text) for number, text in enumerate(texts)})


@pytest.mark.parametrize(
    "text",
    ['"""' * 2001, "'" * 5001, "\\" * 5000, "(" * 40_000, "x = 1\n" * 20_000, "#" * 90_000, "0x" * 30_000, "\0" * 5000],
)
def test_texts_that_are_long_and_odd(text):
    compare_all({"a": one(text), "b": one(text)})


def test_many_files_are_no_more_work_than_a_large_one(monkeypatch):
    """What is read of a hand-in is bounded for all its files together."""
    monkeypatch.setattr(similarity, "MOST_TOKENS", 200)
    read = []
    tokens = similarity._Alphabet.read
    monkeypatch.setattr(similarity._Alphabet, "read", lambda self, text: read.append(text) or tokens(self, text))
    compare_all({"anna": {f"{number}.py": "a = b\n" * 30 for number in range(50)}})
    assert len(read) == 3
