"""PNG needs no fonts of the machine: these tests are the same where there are some and where there are none."""

import re
from pathlib import Path

import pytest

from plyground.pictures import fonts, png
from plyground.pictures.fonts import font_characters
from plyground.pictures.png import svg_png
from plyground.pictures.tree import tree_svg
from test_tree_pictures import worked

SOURCE = Path(png.__file__).parent.parent


def picture(text, family="system-ui, sans-serif", weight=400):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="40" font-family="{family}">'
        f'<rect width="300" height="40" fill="#fff"/><text x="5" y="28" font-size="20" font-weight="{weight}">{text}'
        "</text></svg>"
    )


@pytest.fixture
def no_fonts(monkeypatch):
    """A system without fonts."""
    monkeypatch.setattr(png, "system_font_folders", list)


@pytest.mark.usefixtures("no_fonts")
def test_every_kind_of_character_is_drawn():
    with pytest.warns(UserWarning, match="no font for"):
        box = svg_png(picture("か"))
    shown = {character: svg_png(picture(character)) for character in "0123456789Aé−αβ∞≤△▸♠♥♔⚀│极小大剪枝，。"}
    empty = svg_png(picture(" "))
    assert len(set(shown.values())) == len(shown)  # none is an empty box, and none is another's
    assert not {box, empty} & set(shown.values())


@pytest.mark.usefixtures("no_fonts")
@pytest.mark.parametrize("family", ["sans-serif", "ui-monospace, monospace"])
def test_weights_and_widths(family):
    assert svg_png(picture("il", family)) != svg_png(picture("ii", family))
    assert svg_png(picture("剪枝", family, 700)) != svg_png(picture("剪枝", family, 400))
    assert svg_png(picture("0", "monospace")) != svg_png(picture("0", "sans-serif"))


def test_named_fonts_do_not_change_a_picture(monkeypatch):
    plain = svg_png(picture("MAX 走", "sans-serif"))
    assert svg_png(picture("MAX 走", "'DejaVu Serif', 'PingFang SC', sans-serif")) == plain
    assert svg_png(picture("MAX 走", "Nowhere")) == plain
    monkeypatch.setattr(png, "system_font_folders", lambda: pytest.fail("the system's fonts were asked for"))
    assert svg_png(picture("MAX 走", "DejaVu Sans, sans-serif")) == plain


@pytest.mark.usefixtures("no_fonts")
def test_a_chinese_tree_has_its_words():
    svg = tree_svg(worked(), lang="zh")
    words = re.findall(r">([^<>]*[一-鿿][^<>]*)</text>", svg)
    assert len(words) > 5
    drawn = svg_png(svg, 1)
    for word in words:
        assert svg_png(svg.replace(f">{word}</text>", "></text>"), 1) != drawn


def test_the_fonts_have_every_character_of_every_word():
    texts = [path for path in SOURCE.rglob("*") if path.suffix in {".py", ".js", ".json", ".html", ".md"}]
    used = {character for path in texts for character in path.read_text("utf-8") if character > "~"}
    assert len(used) > 800
    missing = used - font_characters()
    assert not missing, f"no font for {''.join(sorted(missing))}: run python fonts/make.py"


def test_the_system_follows_behind(monkeypatch, recwarn):
    chinese = svg_png(picture("走 MAX"))
    monkeypatch.setattr(png, "FONT_FILES", fonts.FONT_FILES[:1])
    monkeypatch.setattr(png, "font_characters", lambda: font_characters() - {"走"})
    monkeypatch.setattr(png, "system_font_folders", lambda: ["/nowhere", str(fonts.FOLDER)])
    assert svg_png(picture("走 MAX")) == chinese
    assert not recwarn
    monkeypatch.setattr(png, "system_font_folders", lambda: ["/nowhere"])
    with pytest.warns(
        UserWarning, match="^no font for 走, drawn as empty boxes; install a font that has them, or"
    ) as said:
        assert svg_png(picture("走 MAX")) != chinese
    assert len(said) == 1
    assert "\n" not in str(said[0].message)


@pytest.mark.usefixtures("no_fonts")
def test_what_is_not_drawn_needs_no_font(recwarn):
    svg_png(picture("a\u200bb\ufe0f\u3000 &amp;").replace("<rect", "<title>かな</title><rect"))
    assert not recwarn
