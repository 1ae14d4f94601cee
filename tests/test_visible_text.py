"""Text of others does nothing to a terminal, and says what it would have done."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.errors import DatabaseError, PlayerFailed, PlygroundError
from plyground.pictures.terminal import Terminal
from plyground.visible_text import visible

HOSTILE = ["\x1b[31mred", "\x1b]0;title\x07", "\x9b2J", "back\x08", "over\rwritten", "\u202etxt.exe", "\udcff", "\x00"]


@pytest.mark.parametrize("text", HOSTILE)
def test_what_acts_is_spelled_out(text):
    shown = visible(text)
    assert shown.isprintable()
    assert shown.encode("ascii").decode("unicode_escape") == text


@given(st.text(st.characters(exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"])) | st.just("tab\tand\nline"))
def test_what_only_shows_stays(text):
    assert visible(text) == text


@given(st.text())
def test_visible_text_stays_as_it_is_and_fits_into_a_file(text):
    assert visible(visible(text)) == visible(text)
    visible(text).encode()


@pytest.mark.parametrize("kind", [PlygroundError, PlayerFailed, DatabaseError])
def test_errors_quote_nothing_raw(kind):
    assert str(kind("the program says \x1b[2J")) == r"the program says \x1b[2J"


@pytest.mark.parametrize("text", [*HOSTILE, ":x: :smile:"])
def test_a_terminal_draws_nothing_that_it_quotes(text):
    written = io.StringIO()
    terminal = Terminal(file=written, force_terminal=True, color_system=None, width=200)
    terminal.print(text, markup=False)
    assert written.getvalue() == f"{visible(text)}\n"


def test_a_terminal_still_has_its_own_colours():
    written = io.StringIO()
    Terminal(file=written, force_terminal=True, color_system="standard").print("[red]\x1b[0m[/]")
    assert written.getvalue() == "\x1b[31m\\x1b[0m\x1b[0m\n"
