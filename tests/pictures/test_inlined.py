"""Modules and styles put into one page."""

from __future__ import annotations

import re

import pytest

from plyground.pictures.inlined import ADDRESS, inlined_modules, page_html
from plyground.web.games.analysis_page import ROOTS, STYLES


@pytest.fixture
def folder(tmp_path):
    """Modules that import each other in all the ways that are used."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "main.js").write_text(
        'import { one, two as zwei } from "./deep/parts.js";\nimport words from "/deep/words.js";\n\n'
        "globalThis.found = [one(), zwei, words.hello];\n"
    )
    (tmp_path / "deep" / "parts.js").write_text(
        'import { secret } from "./more.js";\n\nexport function one() {\n  return secret;\n}\nexport const two = 2;\n'
    )
    (tmp_path / "deep" / "more.js").write_text("export const secret = 1;\nconst one = 3;\n")
    (tmp_path / "deep" / "words.js").write_text('export default {\n  hello: "x",\n};\n')
    (tmp_path / "style.css").write_text('@font-face { font-family: "F"; src: url("/f.woff2"); }\nb { color: red; }\n')
    return tmp_path


def test_modules_come_after_what_they_import_and_once(folder):
    script = inlined_modules("/main", {"/": folder})
    names = re.findall(r"^const (\$\w+) = \(\(\) =>", script, re.M)
    assert names == ["$_deep_more", "$_deep_parts", "$_deep_words", "$_main"]
    assert not re.search(r"^(import|export) ", script, re.M)


def test_the_script_does_what_the_modules_do(folder, browser):
    page = browser.new_page()
    page.add_script_tag(content=inlined_modules("/main", {"/": folder}))
    assert page.evaluate("found") == [1, 2, "x"]
    page.close()


def test_a_page_holds_its_data_and_no_fonts(folder):
    page = page_html(
        title="<&>",
        lang="en",
        data={"text": "</script><!--"},
        entry="/main",
        styles=["/style.css"],
        roots={"/": folder},
    )
    assert "<title>&lt;&amp;&gt;</title>" in page
    assert page.count("</script") == 2
    assert "<!--" not in page
    assert "color: red" in page
    assert "woff2" not in page


@pytest.mark.parametrize("entry", [f"{ADDRESS}replay_page", "/static/games/analyze/analysis_page"])
def test_nothing_of_a_page_is_left_to_be_fetched(entry):
    script = inlined_modules(entry, ROOTS)
    assert not re.search(r"^(import|export) ", script, re.M)
    assert not re.search(r"\bimport\(|\bfetch\(", script)
    page = page_html(title="", lang="en", data={}, entry=entry, styles=STYLES, roots=ROOTS)
    assert not re.search(r"url\(|@import|<link (?!rel=\"icon\" href=\"data:)", page)
