"""Every page of the app in every look: axe finds nothing serious, everything has a name, nothing is too wide."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Browser

from web_browser import Visitor
from web_server import serving

SCRIPT = Path(__file__).resolve().parents[2] / "docs" / "pictures" / "pages.py"
DOCUMENTS = ("docs", "docs in Chinese")
"""The documentation has tests of its own, in the looks and languages that it has."""


@pytest.fixture(scope="module")
def pages() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pictures_of_pages", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def camera(pages: ModuleType, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A visitor with games and a tournament, and the server that has them."""
    folder = tmp_path_factory.mktemp("pages")
    with serving(folder, "--port", "0", "--workshop") as server:
        yield pages.Camera(browser, server.address, folder)


@pytest.mark.slow
@pytest.mark.parametrize("locale", ["en-GB", "zh-CN"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 390])
def test_axe_finds_nothing_on_any_page(
    pages: ModuleType, camera: Any, browser: Browser, width: int, scheme: str, locale: str
) -> None:
    look = {"color_scheme": scheme, "locale": locale, "storage_state": camera.state}
    visitor = Visitor(browser, camera.address, width=width, height=844, **look)
    found = {}
    for scene, (address, selector) in pages.SCENES.items():
        if scene in DOCUMENTS:
            continue
        visitor.open(address.format(**camera.names))
        visitor.page.wait_for_selector(selector)
        try:
            visitor.accessible()
            visitor.fits()
        except Exception as problem:
            found[scene] = str(problem)
        if scene == "nothing":
            visitor.problems.clear()  # the browser reports the status 404
    assert not found, "\n".join(f"{scene}: {problem}" for scene, problem in found.items())
    visitor.leave()
