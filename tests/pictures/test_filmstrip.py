"""Films: frames to step through, play and rewind, on a page in one file and in the app."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from plyground.errors import BadOption
from plyground.pictures.filmstrip import Frame, film_data, film_html, styled_svg

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
