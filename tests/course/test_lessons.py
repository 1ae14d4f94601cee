"""The lessons themselves: every figure can be drawn, every link leads somewhere, both languages teach the same."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyground.course.figures import figure_svg
from plyground.course.lesson import FIGURE_PAGES, FOLDER, LANGUAGES, lesson_names, parse_lesson, read_lesson
from plyground.course.lesson_html import HERE, link_target
from plyground.course.lessons import LESSONS
from plyground.errors import BadOption, FormatError

ROOT = Path(__file__).resolve().parents[2]
STATIC = ROOT / "src" / "plyground" / "web" / "static"
PICTURES = ROOT / "docs" / "pictures" / "lessons"
KINDS = {
    "alphabeta", "windows", "minimax", "expectimax", "maxn", "ucb", "min_conflicts", "wumpus", "dominance",
    "equilibrium",
}  # fmt: skip
"""What can be practised."""
SCRIPTS = {"watch": "watch/watch", "queens": "queens", "wumpus": "wumpus", "bandits": "bandits", "matrix": "matrix"}
LINK = re.compile(r"(?<!!)\[(?:[^\[\]]|`[^`]*`)*\]\(([^)\s]+)\)")

every_lesson = pytest.mark.parametrize("name", lesson_names())
every_language = pytest.mark.parametrize("lang", LANGUAGES)


def test_every_text_is_in_the_order_of_the_course():
    there = {path.name.partition(".")[0] for path in FOLDER.glob("*.md")}
    assert there == set(lesson_names())
    assert len(LESSONS) == len(set(LESSONS)) == 15


@every_lesson
@every_language
def test_every_figure_is_drawn(name, lang):
    for figure in read_lesson(name, lang).figures:
        root = ElementTree.fromstring(figure_svg(figure, lang))
        assert root.tag == "{http://www.w3.org/2000/svg}svg"
        assert len(list(root.iter())) > 10


@every_lesson
def test_every_parameter_of_a_figure_is_one_that_its_page_reads(name):
    for figure in read_lesson(name).figures:
        stem = SCRIPTS.get(figure.page, figure.page)
        text = (STATIC / "lab" / f"{stem}.js").read_text(encoding="utf-8")
        if figure.page == "hidden":
            text += "".join(
                (STATIC / "lab" / f"{tab}.js").read_text(encoding="utf-8") for tab in ("poker", "battleship")
            )
        for key, _ in figure.query:
            assert re.search(rf'"{key}"|\b{key}:|\b{key}=', text), f"line {figure.line}: /{figure.page} has no '{key}'"


@every_lesson
def test_there_are_questions_and_what_is_practised_exists(name):
    lesson = read_lesson(name)
    assert 2 <= len(lesson.quizzes) <= 5
    assert {exercise.kind for exercise in lesson.exercises} <= KINDS
    assert len(lesson.lead) < 300


@every_lesson
def test_both_languages_teach_the_same(name):
    english, chinese = (read_lesson(name, lang) for lang in ("en", "zh"))

    def shape(lesson):
        return (
            [heading.level for heading in lesson.headings],
            [type(part).__name__ for part in lesson.parts],
            [(figure.page, figure.query) for figure in lesson.figures],
            [[answer.right for answer in quiz.answers] for quiz in lesson.quizzes],
            [(exercise.kind, exercise.level) for exercise in lesson.exercises],
        )

    assert shape(english) == shape(chinese)
    for part in chinese.quizzes:
        assert re.search("[\u4e00-\u9fff]", part.question)
    for figure in chinese.figures:
        assert re.search("[\u4e00-\u9fff]", figure.caption)


@every_lesson
@every_language
def test_every_link_leads_somewhere(name, lang):
    source = (FOLDER / f"{name}{LANGUAGES[lang]}.md").read_text(encoding="utf-8")
    for target in LINK.findall(source):
        assert link_target(target, lang) is not None, target
        if not target.startswith("http"):
            assert (ROOT / HERE / target.partition("#")[0]).resolve().exists(), target


@every_lesson
@every_language
def test_the_right_answer_is_not_always_the_first(name, lang):
    first = [quiz.answers[0].right for quiz in read_lesson(name, lang).quizzes]
    assert len(first) < 4 or not all(first)


def test_the_pictures_of_the_site_are_those_of_the_figures():
    wanted = {
        f"{name}-{figure.key}{suffix}.svg"
        for name in lesson_names()
        for lang, suffix in LANGUAGES.items()
        for figure in read_lesson(name, lang).figures
    }
    there = {file.name for file in PICTURES.glob("*.svg")}
    assert there == wanted, "python docs/pictures/make.py lessons makes them"
    for file in PICTURES.glob("*.svg"):
        assert file.stat().st_size < 60_000, file.name
        root = ElementTree.parse(file).getroot()
        assert root.get("role") == "img"


@pytest.mark.parametrize(("name", "place"), [("alphabeta", 0), ("hidden_information", 2)])
@every_language
def test_a_picture_is_what_the_code_draws_now(name, place, lang):
    figure = read_lesson(name, lang).figures[place]
    file = PICTURES / f"{name}-{figure.key}{LANGUAGES[lang]}.svg"
    assert figure_svg(figure, lang) == file.read_text(encoding="utf-8")


def test_a_game_by_its_name_speaks_the_language_of_the_lesson():
    drawn = figure_svg(read_lesson("matrix_games", "zh").figures[0], "zh")
    assert "沉默" in drawn
    assert "silent" not in drawn


# Figures of every page, whether a lesson has one or not ---------------------------------------------------------------


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("watch", "lesson: worked-mcts"),
        ("watch", "tree: min (3 (1 2) -4)\nalgorithm: alphabeta"),
        ("watch", 'tree: {"max": {"a": 1, "b": {"min": [0, 2]}}}\nalgorithm: minimax'),
        ("watch", "game: tictactoe\nalgorithm: mcts:simulations=40,steps=2,seed=1"),
        ("watch", "game: tictactoe\nmode: live\nplayer: mcts:time=5"),
        ("bandits", "arms: 0.6,0.4\npolicies: greedy,ucb1\nseed: 3"),
        ("queens", "n: 6\nseed: 2"),
        ("wumpus", "agent: logical\nseed: 5"),
        ("matrix", "what: game"),
        ("matrix", "what: learn\nsteps: 100"),
        ("matrix", "what: cake"),
        ("matrix", "what: repeated\nwho: tit-for-tat,defect\nrounds: 5"),
        ("pacman", "maze: tiny\nghosts: none"),
        ("hidden", "tab: battleship\nsize: 5\nseed: 1"),
        ("hidden", "tab: bridge"),
        pytest.param("hidden", "tab: poker\ngame: kuhn", marks=pytest.mark.slow),
    ],
)
@every_language
def test_every_page_has_a_picture(page, lines, lang):
    lesson = parse_lesson(f"# T\n\nAbout.\n\n```figure {page}\n{lines}\ncaption: x\n```\n", "x")
    ElementTree.fromstring(figure_svg(lesson.figures[0], lang))
    assert page in FIGURE_PAGES


@pytest.mark.parametrize(
    ("page", "lines"),
    [
        ("watch", "lesson: nothing"),
        ("watch", "tree: ((3 2)"),
        ("watch", "tree: ()"),
        ("watch", "tree: (3 x)"),
        ("watch", "tree: 3"),
        ("watch", "tree: {"),
        ("bandits", "arms: random:5"),
    ],
)
def test_a_figure_that_cannot_be_drawn_is_an_error_of_ours(page, lines):
    lesson = parse_lesson(f"# T\n\nAbout.\n\n```figure {page}\n{lines}\ncaption: x\n```\n", "x")
    with pytest.raises((BadOption, FormatError)) as caught:
        figure_svg(lesson.figures[0])
    assert "\n" not in str(caught.value)


@every_language
def test_every_entry_of_the_history_says_where_its_idea_is_seen(lang):
    source = (FOLDER / f"history{LANGUAGES[lang]}.md").read_text(encoding="utf-8")
    entries = {entry.partition("\n")[0]: entry for entry in source.split("\n## ")}
    dated = {title: entry for title, entry in entries.items() if re.search(r"[（(]\d{4}", title)}
    assert len(dated) >= 10
    for title, entry in dated.items():
        where = entry[re.search("See it|看一看", entry).start() :]
        assert LINK.findall(where) or "`plyground" in where, title
    (deep_blue,) = (entry for title, entry in dated.items() if "Deep Blue" in title or "深蓝" in title)
    assert {"chess.md", "chess-endings.md"} <= {target.rpartition("/")[2] for target in LINK.findall(deep_blue)}
