"""Lessons as values: what the reader accepts, what it says of mistakes, and what becomes of hostile Markdown."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.course.lesson import (
    Exercise,
    Figure,
    Heading,
    Quiz,
    Text,
    lesson_names,
    parse_lesson,
    read_lesson,
    with_scripts,
)
from plyground.course.lesson_html import lesson_blocks, link_target, markdown_html
from plyground.errors import BadOption, FormatError, UnknownName

START = "# A title\n\nWhat it is about.\n"
WHOLE = """# A title

What it is about,
on two lines.

## First

Some text.

```figure watch
tree: ((3 12 8) (2 4 6))
algorithm: alphabeta:depth=2,order=none
caption: A tree, and *more*.
```

```python
# no heading
```

````text
```quiz
no quiz
```
````

```quiz
Which one,
of these?
- [x] This | because
- [ ] That
  one | since `a | b`
```

<!-- a note to whoever writes -->

```exercise
kind: alphabeta
level: 3
```
"""


def test_a_lesson_is_read_into_its_parts():
    lesson = parse_lesson(WHOLE, "x")
    assert (lesson.title, lesson.lead) == ("A title", "What it is about,\non two lines.")
    assert lesson.headings == (Heading(1, "A title"), Heading(2, "First"))
    kinds = [type(part) for part in lesson.parts]
    assert kinds == [Text, Figure, Text, Quiz, Exercise]
    figure, quiz, exercise = lesson.figures[0], lesson.quizzes[0], lesson.exercises[0]
    assert figure.query == (("tree", "((3 12 8) (2 4 6))"), ("algorithm", "alphabeta:depth=2,order=none"))
    assert (figure.page, figure.caption, figure.line) == ("watch", "A tree, and *more*.", 10)
    assert figure.address == "/watch?tree=((3%2012%208)%20(2%204%206))&algorithm=alphabeta:depth%3D2,order%3Dnone"
    assert quiz.question == "Which one,\nof these?"
    assert [(answer.text, answer.right, answer.why) for answer in quiz.answers] == [
        ("This", True, "because"),
        ("That\none", False, "since `a | b`"),
    ]
    assert (exercise.kind, exercise.level, exercise.address) == ("alphabeta", 3, "/practice?kind=alphabeta&level=3")
    assert "no quiz" in lesson.parts[2].markdown
    assert "a note" not in "".join(part.markdown for part in lesson.parts if isinstance(part, Text))


def test_what_a_figure_shows_is_its_key_and_not_what_is_said_of_it():
    def key(query: str, caption: str) -> str:
        return parse_lesson(f"{START}\n```figure watch\n{query}\ncaption: {caption}\n```\n", "x").figures[0].key

    assert key("lesson: worked", "a") == key("lesson: worked", "b") != key("lesson: exercise1", "a")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "line 1: a lesson begins with its title"),
        ("Text without a title.\n", "line 1: a lesson begins with its title"),
        ("```figure watch\ncaption: x\n```\n# Late\n", "line 1: a lesson begins with its title"),
        ("# Title\n\n## Section\n", "below the title a paragraph"),
        (START + "\n# Another\n", "a lesson has one title"),
        (START + "\n```quiz\nWhy?\n", "line 5: a fence is opened here and not closed"),
        (START + "\n```figure wach\ncaption: x\n```\n", "line 5: a figure names one page, of watch, bandits"),
        (START + "\n```figure\ncaption: x\n```\n", "line 5: a figure names one page"),
        (START + "\n```figure watch bandits\ncaption: x\n```\n", "line 5: a figure names one page"),
        (START + "\n```figure watch\nlesson: worked\n```\n", "line 5: the last line of a figure is 'caption: ...'"),
        (START + "\n```figure watch\ncaption: x\nlesson: worked\n```\n", "line 5: the last line of a figure"),
        (START + "\n```figure watch\nlesson: a\nlesson: b\ncaption: x\n```\n", "line 5: a figure has 'lesson' twice"),
        (START + "\n```figure watch\nwhat is this\ncaption: x\n```\n", "line 5: a figure has lines 'key: value'"),
        (START + f"\n```figure watch\ntree: {'1 ' * 3000}\ncaption: x\n```\n", "line 5: 'tree' is too long"),
        (START + "\n```quiz extra\nWhy?\n```\n", "line 5: a fence of quiz has no more words"),
        (START + "\n```quiz\n- [x] a | b\n- [ ] c | d\n```\n", "line 5: a quiz begins with its question"),
        (START + "\n```quiz\nWhy?\n- [x] a | b\n```\n", "line 5: a quiz has 2 to 8 answers, not 1"),
        (START + "\n```quiz\nWhy?\n" + "- [x] a | b\n" * 9 + "```\n", "line 5: a quiz has 2 to 8 answers, not 9"),
        (START + "\n```quiz\nWhy?\n- [ ] a | b\n- [ ] c | d\n```\n", "line 5: no answer of the quiz is right"),
        (START + "\n```quiz\nWhy?\n- [x] a\n- [ ] c | d\n```\n", "line 5: an answer says why"),
        (START + "\n```quiz\nWhy?\n- [X] a | b\n- [ ] c | d\n```\n", "line 5: an answer is written '- [x] text"),
        (START + "\n```exercise\nlevel: 1\n```\n", "line 5: an exercise has 'kind: name'"),
        (START + "\n```exercise\nkind: alphabeta\nmore: 1\n```\n", "line 5: an exercise has 'kind: name'"),
        (START + "\n```exercise\nkind: a&b\n```\n", "line 5: an exercise has 'kind: name'"),
        (START + "\n```exercise\nkind: alphabeta\nlevel: 6\n```\n", "line 5: the level of an exercise is a number"),
        (START + "\n```exercise\nkind: alphabeta\nlevel: ²\n```\n", "line 5: the level of an exercise is a number"),
        (START + "x" * 200_000, "too long for a lesson"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line_that_names_file_and_line(text, said):
    with pytest.raises(FormatError) as caught:
        parse_lesson(text, "x", file="x.md")
    message = str(caught.value)
    assert message.startswith("x.md")
    assert said in message
    assert "\n" not in message


@given(st.text(st.sampled_from("#`~\n -[x]|: abkindfgure<>*_()\\\"'"), max_size=300))
def test_any_text_is_a_lesson_or_an_error_of_ours(text):
    for source in (text, START + text):
        try:
            lesson = parse_lesson(source, "x")
        except FormatError as error:
            assert "\n" not in str(error)  # noqa: PT017 - whether it is raised is the text's affair
        else:
            lesson_blocks(lesson)


def test_names_and_languages_that_are_not_there():
    with pytest.raises(UnknownName, match="there is no lesson 'minmax'; did you mean 'minimax'"):
        read_lesson("minmax")
    with pytest.raises(UnknownName):
        read_lesson("../lesson")
    with pytest.raises(BadOption, match="en and zh, not in 'fr'"):
        read_lesson("minimax", "fr")


# HTML ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "text <img src=x onerror=alert(1)> text",
        "[x](javascript:alert(1))",
        "[x](data:text/html,hello)",
        "![x](https://example.org/x.png)",
        "[x](//example.org)",
        "[x](../../../../../etc/passwd)",
        '[x](minimax.md "title\\" onclick=\\"x")',
        "<https://example.org/?a=<script>>",
        "`<b>`\n\n    <i>\n\n```html\n<u>\n```",
        "| a | b |\n|:-:|--:|\n| <s> | 1 |",
        "> <style>p { color: red }</style>",
    ],
)
def test_hostile_markdown_becomes_text(markdown):
    for html in (markdown_html(markdown, "en"), markdown_html(markdown, "en", inline=True)):
        tags = set(re.findall(r"<(\w+)", html))
        assert tags <= {"p", "a", "code", "pre", "em", "div", "table", "thead", "tbody", "tr", "th", "td", "blockquote"}
        assert not re.search(r"<[^>]*\s(on\w+|style|title|src)=", html)
        for target in re.findall(r'href="([^"]*)"', html):
            assert re.match(r"https?://|/learn/|/docs/", target), target


@pytest.mark.parametrize(
    ("target", "en", "zh"),
    [
        ("minimax.md", "/learn/minimax", "/learn/minimax"),
        ("../../../../docs/minimax.md#the-rule", "/docs/minimax.html#the-rule", "/docs/zh/minimax.html#the-rule"),
        ("../../../../docs/games/nim.md", "/docs/games/nim.html", "/docs/zh/games/nim.html"),
        ("https://example.org/x", "https://example.org/x", "https://example.org/x"),
        ("nothing.md", None, None),
        ("../lesson.py", None, None),
    ],
)
def test_links_lead_to_the_app_and_to_its_documentation(target, en, zh):
    assert (link_target(target, "en"), link_target(target, "zh")) == (en, zh)


def test_broken_lines_of_chinese_are_joined_without_a_space():
    assert markdown_html("第一行，\n第二行", "zh") == "<p>第一行，第二行</p>"
    assert markdown_html("第一\n**行** x\ny", "zh") == "<p>第一<strong>行</strong> x\ny</p>"


def test_numbers_stand_on_the_right_without_a_style():
    html = markdown_html("| a | b |\n|---|---:|\n| x | 1 |", "en")
    assert '<td class="number">1</td>' in html
    assert "style" not in html


def test_all_lessons_are_read_in_both_languages():
    assert len(lesson_names()) >= 8
    for name in lesson_names():
        for lang in ("en", "zh"):
            assert lesson_blocks(read_lesson(name, lang))


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("about 35^100 lines", "about 35<sup>100</sup> lines"),
        ("O(b^(m/2)) at best", "O(b<sup>m/2</sup>) at best"),
        ("b^⌈m/2⌉ + b^⌊m/2⌋ − 1", "b<sup>⌈m/2⌉</sup> + b<sup>⌊m/2⌋</sup> − 1"),
        ("max^n，极大", "max<sup>n</sup>，极大"),
        ("p_σ and p_ρ(a | s), T_i", "p<sub>σ</sub> and p<sub>ρ</sub>(a | s), T<sub>i</sub>"),
        ("8 ln n / Δ_i² times, μ* − μ_i", "8 ln n / Δ<sub>i</sub>² times, μ* − μ<sub>i</sub>"),
        ("<code>b^m p_i</code> b^m", "<code>b^m p_i</code> b<sup>m</sup>"),
        ("<pre><code>x^2\n</code></pre>", "<pre><code>x^2\n</code></pre>"),
        ('<a href="/x?a_b=c^d">a_name</a> ^ _', '<a href="/x?a_b=c^d">a_name</a> ^ _'),
        ("order_by rows and x^(unclosed", "order_by rows and x^(unclosed"),
    ],
)
def test_powers_are_raised_and_indices_lowered_but_not_in_code(written, shown):
    assert with_scripts(written) == shown
    assert markdown_html("b^m, `b^m`", "en", inline=True) == "b<sup>m</sup>, <code>b^m</code>"
