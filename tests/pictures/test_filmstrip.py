"""Films: frames to step through, play and rewind, on a page in one file and in the app."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from plyground.errors import BadOption
from plyground.pictures.filmstrip import Frame, film_data, film_html, styled_svg
from plyground.pictures.guess import Guess

SVG = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20" width="200" height="200"><text y="9">{}</text></svg>'
FRAMES = [
    Frame(SVG.format("zero"), "Nothing has happened </script>."),
    Frame(SVG.format("one"), "It begins.", [("Known", ["1 < 2", "a & b"])]),
    Frame(SVG.format("two"), "It ends.", [("Known", ["all"]), ("Planned", ["nothing"])]),
]


@pytest.fixture
def page(browser, tmp_path):
    """The film as a page in a file, opened; it may request nothing from the network, and nothing may go wrong."""
    file = tmp_path / "film.html"
    file.write_text(film_html(FRAMES, title="A <short> film", styles=[]), encoding="utf-8")
    page = browser.new_page()
    problems = []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: problems.append(request.url) if request.url != file.as_uri() else None)
    page.goto(file.as_uri())
    yield page
    assert [problem for problem in problems if not problem.startswith("data:")] == []
    page.close()


def test_a_film_is_stepped_played_and_rewound(page):
    caption, count = page.locator(".film-caption"), page.locator(".film-count")
    assert page.title() == "A <short> film"
    expect(caption).to_have_text("Nothing has happened </script>.")
    expect(page.locator(".film-picture svg")).to_have_text("zero")
    expect(page.get_by_role("button", name="one step back")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("1 / 2")
    expect(page.locator(".film-facts li")).to_have_text(["1 < 2", "a & b"])
    page.keyboard.press("End")
    expect(page.locator(".film-facts h3")).to_have_text(["Known", "Planned"])
    expect(page.get_by_role("button", name="next step")).to_be_disabled()
    page.keyboard.press("ArrowRight")
    expect(count).to_have_text("2 / 2")
    page.locator(".film-speed").select_option("100")
    page.get_by_role("button", name="play", exact=True).click()
    expect(page.get_by_role("button", name="play", exact=True)).to_be_visible()
    expect(count).to_have_text("2 / 2")
    page.locator(".film-slider").fill("1")
    expect(caption).to_have_text("It begins.")
    page.get_by_role("button", name="to the start").click()
    expect(count).to_have_text("0 / 2")


def test_a_film_can_be_put_in_the_place_of_another(page):
    data = film_data([Frame(SVG.format("alone"), "One picture.")], title="Alone", lang="zh")
    page.evaluate("film => strip.show(film)", data)
    expect(page.locator(".film-picture svg")).to_have_text("alone")
    expect(page.locator(".film-controls")).to_be_hidden()
    expect(page.locator(".film-facts")).to_be_hidden()


def test_who_guesses_first_is_asked_before_a_step_and_not_told_what_it_will_be(page):
    planned = '<g class="film-ahead"><text y="5">planned</text></g></svg>'
    frames = [
        Frame(
            SVG.format("zero").replace("</svg>", planned),
            "Start.",
            [("Known", ["all"]), ("Plan", ["on"])],
            None,
            ["Plan"],
        ),
        Frame(SVG.format("one"), "It goes on.", [("Plan", ["on"])], Guess("What now?", ("back", "on"), 1), ["Plan"]),
        Frame(SVG.format("two"), "It goes on again.", [("Known", ["all"])]),
        Frame(SVG.format("three"), "It turns back.", [], Guess("And now?", ("back", "on"), 0)),
    ]
    for lang, (first, right, wrong) in {
        "en": (
            "guess first: be asked",
            "Right. 1 of 1 right so far.",
            "Not so. Right would be: back. 1 of 2 right so far.",
        ),
        "zh": ("先猜一猜", "猜对了。 目前 1 题，猜对 1 题。", "不对，应该是：back。 目前 2 题，猜对 1 题。"),
    }.items():
        page.evaluate("film => strip.show(film)", film_data(frames, title="Asked", lang=lang))
        caption, said = page.locator(".film-caption"), page.locator(".guess-said")
        toggle, choices = page.locator(".guess-first"), page.get_by_role("group", name="What now?")
        expect(toggle).to_have_accessible_name(re.compile(f"^{first}"))
        expect(toggle).to_have_attribute("aria-pressed", "false")
        expect(page.locator("svg").get_by_text("planned")).to_be_visible()
        toggle.click()
        expect(page.locator("svg").get_by_text("planned")).to_be_hidden()
        expect(page.locator(".film-facts h3").get_by_text("Plan")).to_be_hidden()
        expect(page.locator(".film-facts h3").get_by_text("Known")).to_be_visible()
        page.keyboard.press("ArrowRight")
        expect(page.locator(".guess-question")).to_have_text("What now?")
        expect(caption).to_be_hidden()
        expect(page.locator(".film-picture svg")).to_contain_text("zero")
        expect(choices.get_by_role("button")).to_have_text(["1back", "2on"])
        page.keyboard.press("2")
        expect(said).to_have_text(right)
        expect(caption).to_have_text("It goes on.")
        expect(page.locator(".film-facts h3").get_by_text("Plan")).to_be_visible()
        page.locator(".film-speed").select_option("100")
        page.locator(".film-play").click()  # it stops where something is asked
        expect(page.locator(".guess-question")).to_have_text("And now?")
        expect(page.locator(".film-count")).to_have_text("2 / 3")
        page.get_by_role("button", name="on", exact=True).click()
        expect(said).to_have_text(wrong)
        expect(caption).to_have_text("It turns back.")
        expect(page.locator(".film-next, .film-back").first).to_be_visible()
        page.keyboard.press("Home")
        page.keyboard.press("End")  # whoever jumps ahead is not asked
        expect(caption).to_have_text("It turns back.")
        toggle.click()
        page.keyboard.press("Home")
        page.keyboard.press("ArrowRight")
        expect(caption).to_have_text("It goes on.")


def test_a_film_in_which_nothing_is_asked_has_no_button_for_it(page):
    expect(page.locator(".guess-first")).to_be_hidden()


@pytest.mark.parametrize("sheet", ["queens.css", "wumpus.css"])
def test_a_picture_that_stands_alone_has_the_light_colours(sheet):
    svg = styled_svg(SVG.format("x"), sheet)
    assert svg.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert "light-dark" not in svg
    assert "var(" not in svg
    assert re.search(r"<style>\..*\}</style>", svg, re.DOTALL)


def test_films_speak_two_languages():
    assert film_data(FRAMES, title="t", lang="zh")["words"]["play"] == "播放"
    with pytest.raises(BadOption, match="no language 'fr'; there are: en, zh"):
        film_data(FRAMES, title="t", lang="fr")
