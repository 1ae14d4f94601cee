"""What is said of searches: the same in each language."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import plyground.watch
from plyground.errors import BadOption
from plyground.watch.sentences import CHOICE, Sentences, sentences

PART = re.compile(r"{(\w+)[:}]")


def parts_of(line):
    """What a sentence says and asks for."""
    return {*PART.findall(line), *re.findall(r"\[(\w+)[=?]", line)}


def test_a_part_is_put_in_and_decides_between_texts():
    say = Sentences("en", {"met": "{who}[moves?: {moves}][count=1?, once|[count?, {count:,} times]]"})
    assert say("met", who="X", moves="", count=0) == "X"
    assert say("met", who="X", moves="[a|b] {c}", count=1) == "X: [a|b] {c}, once"
    assert say("met", who="X", moves="", count=2000) == "X, 2,000 times"


def test_only_chinese_is_set_without_spaces():
    assert sentences("zh").spaced("走 a1。 好 吗") == "走 a1。好吗"
    assert sentences("en").spaced("走 a1。 好 吗") == "走 a1。 好 吗"


def test_the_languages_have_the_same_sentences_with_the_same_parts():
    english, chinese = sentences("en").lines, sentences("zh").lines
    assert list(english) == list(chinese)
    assert {name: parts_of(line) for name, line in english.items()} == {
        name: parts_of(line) for name, line in chinese.items()
    }


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_sentence_can_be_read(lang):
    for line in sentences(lang).lines.values():
        choices = 1
        while choices:
            line, choices = CHOICE.subn(r"\3\4", line)
        assert not set("[]|") & set(line)
        line.format(**dict.fromkeys(parts_of(line), 0))


def test_the_stories_say_what_there_is_with_all_its_parts():
    lines, said = sentences("en").lines, 0
    for file in Path(plyground.watch.__file__).parent.glob("*.py"):
        for call in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Constant):
                continue
            if getattr(call.func, "attr", getattr(call.func, "id", "")).strip("_") == "say":
                given = {keyword.arg for keyword in call.keywords}
                assert parts_of(lines[call.args[0].value]) == given, (file.name, call.lineno)
                said += 1
    assert said > 40


def test_a_language_that_there_is_not_is_refused():
    with pytest.raises(BadOption, match="there is no language 'fr'; there are: en, zh"):
        sentences("fr")
