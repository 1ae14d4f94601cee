"""The lessons in the app: every one is walked through in both languages, as a reader would."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from plyground.course.exercises.kinds import answer_key, make_exercise
from plyground.course.lesson import Lesson, lesson_names, read_lesson
from web_client import Visitor as Client
from web_client import app_in

APPEARS = {
    "watch": ".replay svg.tree .shape, .replay svg.tree .frame",
    "bandits": ".arm",
    "queens": ".worlds-film svg",
    "wumpus": ".worlds-film svg",
    "matrix": ".matrix-film svg",
    "pacman": ".pacman",
    "hidden": ".hidden-body svg",
}
"""What is seen in a figure when its page is at work in it."""
LOCALES = {"en": "en-GB", "zh": "zh-CN"}
QUICK = {"games": "zh", "bandits": "zh", "matrix_games": "en", "hidden_information": "zh"}
"""What the plain run reads: every page that figures show is among them. The long run reads all in both languages."""


# The server -----------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with app_in(tmp_path_factory.mktemp("learn")) as visitor:
        yield visitor


def test_the_server_lists_the_lessons_in_order(client: Client) -> None:
    for lang in ("en", "zh"):
        found = client.get(f"/api/learn?lang={lang}")["lessons"]
        assert [one["name"] for one in found] == list(lesson_names())
        assert found[2]["title"] == read_lesson("minimax", lang).title
        assert found[2]["quizzes"] == len(read_lesson("minimax").quizzes)
        assert found[2]["figures"] == len(read_lesson("minimax").figures)
        assert found[2]["exercises"] == [{"kind": "minimax", "level": 1}]
    assert found[2]["sections"][0] == "向上是 MAX，向下是 MIN"


def test_a_lesson_has_its_parts_and_its_neighbours(client: Client) -> None:
    first, second = (client.get(f"/api/learn/{name}?lang=zh") for name in lesson_names()[:2])
    assert first["previous"] is None
    assert first["next"]["name"] == second["name"]
    assert second["previous"]["title"] == first["title"]
    kinds = [block["kind"] for block in first["blocks"]]
    assert set(kinds) == {"text", "figure", "quiz"}


@pytest.mark.parametrize("name", ["minmax", "..%2Flesson", "x" * 41, "%00", "minimax.zh"])
def test_lessons_that_are_not_there_are_refused(client: Client, name: str) -> None:
    answer = client.client.get(f"/api/learn/{name}")
    assert answer.status_code in (404, 422)
    assert "error" in answer.json()


def test_other_languages_are_refused(client: Client) -> None:
    assert client.client.get("/api/learn/minimax?lang=fr").status_code == 422


# The pages ------------------------------------------------------------------------------------------------------------


def quiz(page: Any, number: int) -> Locator:
    return page.locator(".quiz").nth(number)


def look_at_figures(page: Any, lesson: Lesson) -> None:
    """Every figure is scrolled to, and what its page shows appears in it."""
    figures = page.locator(".lesson-figure")
    expect(figures).to_have_count(len(lesson.figures))
    for number, figure in enumerate(lesson.figures):
        shown = figures.nth(number)
        shown.scroll_into_view_if_needed()
        expect(shown).to_have_attribute("data-state", "shown")
        expect(shown.locator(APPEARS[figure.page]).first).to_be_visible()


@pytest.mark.parametrize(
    ("name", "lang"),
    [
        pytest.param(name, lang, marks=[] if QUICK.get(name) == lang else pytest.mark.slow)
        for name in lesson_names()
        for lang in ("en", "zh")
    ],
)
def test_a_lesson_is_read_to_its_end(visit: Any, name: str, lang: str) -> None:
    lesson = read_lesson(name, lang)
    visitor = visit(f"/learn/{name}", locale=LOCALES[lang])
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_text(lesson.title)
    look_at_figures(page, lesson)
    expect(page.locator(".quiz")).to_have_count(len(lesson.quizzes))
    for number, asked in enumerate(lesson.quizzes):
        for place, answer in enumerate(asked.answers):
            item = quiz(page, number).locator("li").nth(place)
            expect(item.locator(".quiz-why")).to_be_hidden()
            item.get_by_role("button").click()
            expect(item).to_have_attribute("data-verdict", "right" if answer.right else "wrong")
            expect(item.locator(".quiz-why")).to_be_visible()
    practice = page.locator(".lesson-exercise a")
    expect(practice).to_have_count(len(lesson.exercises))
    for number, exercise in enumerate(lesson.exercises):
        expect(practice.nth(number)).to_have_attribute("href", exercise.address)
        expect(practice.nth(number)).not_to_contain_text("learn.kind")
    page.locator(".lesson-end").scroll_into_view_if_needed()
    expect(page.locator(".lesson-end")).to_have_attribute("data-read", "yes")
    visitor.fits()
    page.goto(f"{visitor.address}/learn")
    chapter = page.locator(f'a[href="/learn/{name}"].learn-chapter')
    expect(chapter).to_have_attribute("data-read", "yes")
    for step, count in (
        ("read", len([one for one in lesson.headings if one.level == 2])),
        ("quiz", len(lesson.quizzes)),
    ):
        chip = chapter.locator(f'[data-step="{step}"]')
        expect(chip).to_contain_text(f"{count}/{count}")
        expect(chip).to_have_attribute("data-state", "done")


def test_progress_is_kept_and_can_be_forgotten(visit: Any) -> None:
    visitor = visit("/learn")
    page = visitor.page
    card = page.locator(".learn-card")
    expect(card).to_have_text(re.compile(r"^Begin here.*\D$", re.DOTALL))  # nothing is counted yet
    card.click()
    first, second = lesson_names()[:2]
    expect(page).to_have_url(re.compile(f"/learn/{first}$"))
    right = next(place for place, answer in enumerate(read_lesson(first).quizzes[0].answers) if answer.right)
    quiz(page, 0).get_by_role("button").nth(right).click()
    page.reload()
    expect(quiz(page, 0).locator("li").nth(right)).to_have_attribute("data-verdict", "right")
    page.goto(f"{visitor.address}/learn")
    expect(card).to_contain_text("Continue")
    # The answer may have scrolled the page.
    expect(card).to_have_attribute("href", re.compile(rf"^/learn/{first}(\?at=[\d.]+)?$"))
    page.goto(f"{visitor.address}/learn/{first}")
    page.locator(".lesson-end").scroll_into_view_if_needed()
    expect(page.locator(".lesson-end")).to_have_attribute("data-read", "yes")
    page.goto(f"{visitor.address}/learn")
    expect(card).to_have_attribute("href", f"/learn/{second}")
    expect(page.get_by_role("progressbar", name="Lessons read")).to_have_attribute("aria-valuenow", "1")
    visitor.button("Forget my progress").click()
    page.get_by_role("dialog").get_by_role("button", name="Forget", exact=True).click()
    expect(card).to_contain_text("Begin here")
    page.reload()
    expect(page.locator('[data-read="yes"]')).to_have_count(0)
    expect(visitor.button("Forget my progress")).to_be_disabled()


def step(page: Any, name: str) -> Locator:
    return page.locator(f'.lesson-steps [data-step="{name}"]')


def test_a_lesson_is_read_watched_done_and_answered_and_continues_at_its_place(visit: Any, tmp_path: Any) -> None:
    visitor = visit("/learn/minimax", height=700)
    page = visitor.page
    for name, count in (("read", "0/4"), ("watch", "0/2"), ("do", "0/1"), ("quiz", "0/3")):
        expect(step(page, name)).to_contain_text(count)
    # Watch: a film counts when it was followed to its end.
    step(page, "watch").get_by_role("button").click()
    figure = page.locator(".lesson-figure").first
    expect(figure.locator(".count")).to_contain_text("0 /")
    figure.locator(".next").click()
    expect(figure).to_have_attribute("data-watched", "no")
    figure.locator(".last").click()
    expect(figure).to_have_attribute("data-watched", "yes")
    expect(step(page, "watch")).to_contain_text("1/2")
    # Do: an exercise of the kind, at this level or a higher one, solved without looking at the answers.
    step(page, "do").get_by_role("button").click()
    expect(page.locator(".lesson-exercise a")).to_be_focused()
    visitor.press("Enter")
    expect(page).to_have_url(re.compile(r"/practice\?kind=minimax&level=1"))
    for number, shown in ((7, True), (8, False)):
        visitor.open(f"/practice?kind=minimax&level=2&number={number}")
        if shown:
            visitor.button("Show the answers").click()
            visitor.button("Back to the question").click()
        for item, answer in answer_key(make_exercise("minimax", 2, number)):
            page.locator(f'[data-key="{item.key}"]').fill(answer.text)
        visitor.button("Check").click()
        expect(page.locator(".practice-total")).to_contain_text("All right")
        visitor.open("/learn/minimax")
        expect(step(page, "do")).to_have_attribute("data-state", "open" if shown else "done")
    # Read: where the reader was is noted, and the card leads there, also from the home page.
    second = page.locator(".lesson-text h2").nth(1)
    heading = second.text_content()
    second.evaluate("one => window.scrollTo(0, one.getBoundingClientRect().top + scrollY - 120)")
    expect(step(page, "read")).to_contain_text("1/4")
    visitor.open("/learn")
    card = page.locator(".learn-card")
    expect(card).to_contain_text(f"at “{heading}”")
    expect(card).to_have_attribute("href", re.compile(r"/learn/minimax\?at=[\d.]+$"))
    expect(page.locator('a[href="/learn/minimax"] [data-step="watch"]')).to_contain_text("1/2")
    card.click()
    expect(second).to_be_in_viewport()
    expect(page).to_have_url(re.compile("/learn/minimax$"))
    # A file takes the progress to another browser.
    visitor.open("/learn")
    with page.expect_download() as saved:
        visitor.button("Save to a file").click()
    saved.value.save_as(tmp_path / "progress.json")
    other = visit("/learn")
    expect(other.page.locator(".learn-card")).to_contain_text("Begin here")
    (tmp_path / "wrong.json").write_text('{"read": {"minimax": true}}')
    other.page.locator("input[type=file]").set_input_files(tmp_path / "wrong.json")
    expect(other.page.locator(".toast.bad")).to_contain_text("holds no progress of Plyground")
    other.page.locator("input[type=file]").set_input_files(tmp_path / "progress.json")
    expect(other.page.locator(".learn-card")).to_contain_text(f"at “{heading}”")
    expect(other.page.locator('a[href="/learn/minimax"] [data-step="do"]')).to_have_attribute("data-state", "done")


def test_what_others_have_written_into_the_storage_does_no_harm(visit: Any) -> None:
    visitor = visit("/learn")
    for text in (
        "{",
        "null",
        "7",
        '{"read": 3, "right": {"games": 5}, "last": {}}',
        '{"right": {"games": ["x"]}}',
        '{"places": {"games": {"at": "<b>", "section": -1}}, "solved": {"ucb": {"9": 1}}}',
    ):
        visitor.page.evaluate("text => localStorage.setItem('plyground.lessons', text)", text)
        visitor.page.goto(f"{visitor.address}/learn/games")
        expect(visitor.page.get_by_role("heading", level=1)).to_have_text("Games and their axes")
        visitor.page.goto(f"{visitor.address}/learn")
        expect(visitor.page.locator(".learn-chapter")).to_have_count(len(lesson_names()))


def test_a_figure_can_be_changed_opened_and_begun_again(visit: Any) -> None:
    visitor = visit("/learn/minimax")
    page = visitor.page
    figure = page.locator(".lesson-figure").first
    value = figure.locator("[data-fact=value] b")
    expect(value).to_have_text("3")
    figure.locator(".watch-panel > summary").click()
    figure.get_by_role("textbox").first.fill("((3 12 8) (2 4 6) (14 5 4))")
    expect(value).to_have_text("4")
    assert page.url.endswith("/learn/minimax")
    figure.get_by_role("button", name="Start over").click()
    expect(value).to_have_text("3")
    figure.get_by_role("link", name="Open in Watch").click()
    expect(page).to_have_url(re.compile(r"/watch\?tree=.*algorithm=minimax"))
    expect(page.locator(".lesson-figure")).to_have_count(0)  # the address changes before the page does
    expect(page.locator("[data-fact=value] b")).to_have_text("3")


@pytest.mark.parametrize(
    ("width", "height", "whole"), [pytest.param(1280, 800, 5, marks=pytest.mark.slow), (390, 844, 4)]
)  # the last is wide for a phone
def test_figures_of_alphabeta_show_their_trees_whole(visit: Any, width: int, height: int, whole: int) -> None:
    lesson = read_lesson("alphabeta")
    page = visit("/learn/alphabeta", width=width, height=height).page
    look_at_figures(page, lesson)
    inside = """svg => { const all = svg.getBoundingClientRect();
        return [...svg.querySelectorAll(".shape")].every(shape => { const one = shape.getBoundingClientRect();
            return one.left >= all.left && one.right <= all.right
                && one.top >= all.top && one.bottom <= all.bottom; }) }"""
    trees = page.locator(".lesson-figure svg.tree")
    expect(trees).to_have_count(5)
    assert [trees.nth(number).evaluate(inside) for number in range(whole)] == [True] * whole


def test_lines_of_code_and_formulas_stay_whole_on_a_phone(visit: Any) -> None:
    visitor = visit("/learn/chance", width=390, height=844)
    code = visitor.page.locator(".lesson-text pre code").first
    written = code.text_content()
    assert written.count("\n") == 3  # an empty line at the end would be a fifth
    boxes = code.evaluate("""code => { const range = document.createRange(); range.selectNodeContents(code);
        return new Set([...range.getClientRects()].map(box => Math.round(box.top))).size }""")
    assert boxes == 4
    pre = visitor.page.locator(".lesson-text pre").first
    pre.focus()
    visitor.press("ArrowRight")
    visitor.page.wait_for_function("pre => pre.scrollLeft > 0", arg=pre.element_handle())
    visitor.fits()


def test_a_named_table_is_one_of_those_with_a_name(visit: Any) -> None:
    page = visit("/learn/matrix_games").page
    figure = page.locator(".lesson-figure").first
    figure.scroll_into_view_if_needed()
    expect(figure.locator(".matrix-film svg").first).to_be_visible()
    expect(figure.get_by_label("Games with a name")).to_have_value("prisoners-dilemma")
    expect(figure.locator("textarea")).to_have_value(re.compile("name: Prisoner's dilemma\n"))


def test_the_head_of_the_program_has_room_for_its_words_and_forms(visit: Any) -> None:
    page = visit("/watch?game=tictactoe&moves=a1%20b2%20c3%20c1&algorithm=mcts:simulations=40,steps=4").page
    forms = page.locator(".forms button")
    expect(forms).to_have_count(3)
    unroll, first = page.locator(".unroll").bounding_box(), forms.first.bounding_box()
    beside, above = unroll["x"] + unroll["width"] <= first["x"], unroll["y"] + unroll["height"] <= first["y"]
    assert beside or above  # as wide as the letters of this machine are
    assert page.locator(".program-head").evaluate("head => head.scrollWidth <= head.clientWidth")
    assert page.locator(".unroll").evaluate("button => button.scrollWidth <= button.clientWidth")


def test_both_arrows_to_breakpoints_stay_in_one_line_however_wide_the_letters_are(visit: Any) -> None:
    page = visit("/watch?lesson=worked-mcts").page
    forms = page.locator(".forms")
    expect(forms.locator("button")).to_have_count(3)
    for spacing in range(7):  # the letters are not the same on every machine, nor before the fonts have come
        forms.evaluate("(one, spacing) => { one.style.letterSpacing = `${spacing}px` }", spacing)
        back, on = (page.locator(f".{name}-breakpoint").bounding_box() for name in ("from", "to"))
        assert back["y"] == on["y"]
        assert page.locator(".program-head").evaluate("head => head.scrollWidth <= head.clientWidth")


def test_keys_go_to_the_figure_that_has_the_focus(visit: Any) -> None:
    visitor = visit("/learn/minimax")
    page = visitor.page
    figures = page.locator(".lesson-figure")
    for number in (1, 0):
        figures.nth(number).scroll_into_view_if_needed()
        expect(figures.nth(number).locator(".count")).to_contain_text("0 /")
    visitor.press("ArrowRight")
    expect(figures.nth(0).locator(".count")).to_contain_text("0 /")
    figures.nth(0).locator(".buttons button").nth(2).focus()
    visitor.press("ArrowRight", "ArrowRight")
    expect(figures.nth(0).locator(".count")).to_contain_text("2 /")
    expect(figures.nth(1).locator(".count")).to_contain_text("0 /")
    page.get_by_role("heading", level=1).click()
    figures.nth(0).locator(".caption").click()  # nothing to press there
    visitor.press("ArrowRight")
    expect(figures.nth(0).locator(".count")).to_contain_text("3 /")


def test_a_lesson_by_the_keyboard(visit: Any) -> None:
    visitor = visit("/learn/formal_games")
    page = visitor.page
    answer = quiz(page, 0).get_by_role("button").first
    answer.focus()
    visitor.press("Enter")
    expect(quiz(page, 0).locator("li").first).to_have_attribute("data-verdict", "right")
    expect(quiz(page, 0).get_by_role("status")).to_contain_text("Right.")
    visitor.press("n")
    expect(page).to_have_url(re.compile("/learn/minimax$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Minimax")
    visitor.press("p")
    expect(page).to_have_url(re.compile("/learn/formal_games$"))


def test_the_language_changes_and_the_lesson_stays(visit: Any) -> None:
    visitor = visit("/learn/minimax")
    page = visitor.page
    expect(page.get_by_role("heading", level=1)).to_have_text("Minimax")
    quiz(page, 0).get_by_role("button").first.click()
    visitor.press("l")
    expect(page.get_by_role("heading", level=1)).to_have_text("极小化极大")
    expect(quiz(page, 0).locator("li").first).to_have_attribute("data-verdict", "wrong")


def test_a_lesson_that_is_not_there_says_so(visit: Any) -> None:
    visitor = visit("/learn/minmax")
    expect(visitor.page.locator(".lead")).to_contain_text("did you mean 'minimax'")
    visitor.problems.clear()  # the browser reports the missing lesson


@pytest.mark.parametrize(
    ("scheme", "width", "locale"),
    [("light", 1280, "en-GB"), pytest.param("dark", 390, "zh-CN", marks=pytest.mark.slow)],
)
def test_axe_finds_nothing_serious(visit: Any, scheme: str, width: int, locale: str) -> None:
    visitor = visit("/learn", color_scheme=scheme, width=width, locale=locale)
    expect(visitor.page.locator(".learn-chapter").first).to_be_visible()
    visitor.accessible()
    visitor.fits()
    for name in ("alphabeta", "games"):
        visitor.open(f"/learn/{name}")
        look_at_figures(visitor.page, read_lesson(name))
        quiz(visitor.page, 0).get_by_role("button").first.click()
        visitor.accessible()
        visitor.fits()


def test_a_phone_has_room_for_formulas_and_for_all_buttons_of_a_long_film(visit: Any) -> None:
    visitor = visit("/learn/ordering", width=390, locale="zh-CN")
    page = visitor.page
    look_at_figures(page, read_lesson("ordering", "zh"))
    film = page.locator(".watch-stage.two .replay").first
    expect(film.locator(".count")).to_have_text("0 / 368")
    middles = film.locator(".controls").evaluate(
        "row => [...row.querySelectorAll('button, select')].filter((one) => one.offsetParent)"
        ".map((one) => one.getBoundingClientRect()).map(({ top, bottom }) => Math.round((top + bottom) / 2))"
    )
    assert len(middles) >= 7
    assert max(middles) - min(middles) <= 2
    visitor.open("/learn/mcts")
    expect(page.locator(".lesson-text pre").first).to_be_visible()
    wide = page.locator(".lesson-text pre").evaluate_all(
        "all => all.filter((one) => one.scrollWidth > one.clientWidth)"
    )
    assert wide == []
    visitor.open("/learn/real_time")
    look_at_figures(page, read_lesson("real_time", "zh"))
    for title in page.locator(".watch-column > header h2").all():
        expect(title).to_contain_text(re.compile("^(井字棋|国际象棋)："))


def test_on_paper_there_is_the_lesson_alone(visit: Any) -> None:
    page = visit("/learn/minimax").page
    expect(page.locator(".lesson-text").first).to_be_visible()
    page.emulate_media(media="print")
    for hidden in (".bar", ".lesson-end", ".figure-tools"):
        expect(page.locator(hidden).first).to_be_hidden()
    expect(page.locator(".quiz").first).to_be_visible()
