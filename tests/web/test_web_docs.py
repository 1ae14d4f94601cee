"""The documentation in the app and from the command: which page a name means, and who serves it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from playwright.sync_api import expect

from plyground.cli import docs as command
from plyground.errors import BadOption, PlygroundError, UnknownName
from plyground.web import docs
from plyground.web.docs import page_file
from plyground.web.server.app import create_app
from plyground.web.server.guard import HEADERS
from plyground.web.server.settings import Settings
from web_client import ADDRESS

NAMES = ["index", "book", "mcts", "engine/index", "engine/book", "games/nim"]


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A site of a few pages, in the place of the real one, which is made when the package is installed."""
    for folder in ("", "zh"):
        for name in NAMES:
            file = tmp_path / folder / f"{name}.html"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"{folder} {name}")
    monkeypatch.setattr(docs, "SITE", tmp_path)
    return tmp_path


def client(tmp_path: Path, **settings: str) -> TestClient:
    app = create_app(Settings(database=tmp_path / "games.db", **settings))
    return TestClient(app, base_url=f"http://{ADDRESS}", follow_redirects=False)


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("mcts", "mcts"), ("MCTS", "mcts"), ("nim", "games/nim"), ("games/nim", "games/nim"), ("book", "book"),
        ("engine/book", "engine/book"), ("engine", "engine/index"), ("docs/mcts.zh.md", "mcts"), ("mcts.html", "mcts"),
    ],
)  # fmt: skip
def test_a_page_is_found_by_its_name(site: Path, name: str, page: str) -> None:
    assert page_file(name) == site / f"{page}.html"
    assert page_file(name, "zh") == site / "zh" / f"{page}.html"


@pytest.mark.parametrize(
    ("name", "hint"),
    [("mtcs", "did you mean mcts?"), ("boook", "did you mean book"), ("xyz", "plyground docs opens the first one")],
)
def test_the_nearest_names_of_a_page_that_is_not_there(site: Path, name: str, hint: str) -> None:
    with pytest.raises(UnknownName, match=re.escape(f"there is no page '{name}'; {hint}")):
        page_file(name)


def test_other_languages_are_refused(site: Path) -> None:
    with pytest.raises(BadOption, match="must be en or zh, not 'fr'"):
        page_file("mcts", "fr")


def test_pages_that_were_not_built_are_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(docs, "SITE", tmp_path / "missing")
    with pytest.raises(PlygroundError, match=r"pip install -e \."):
        page_file("index")
    answer = client(tmp_path).get("/docs/")
    assert (answer.status_code, answer.text) == (404, docs.MISSING)


def test_the_command_opens_a_file(
    site: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    opened: list[str] = []
    monkeypatch.setattr(command, "has_browser", lambda: True)
    monkeypatch.setattr(command.webbrowser, "open", opened.append)
    command.docs_command("nim", "zh", no_browser=True)
    assert opened == []
    command.docs_command("nim", "zh")
    assert opened == [(site / "zh" / "games" / "nim.html").as_uri()]
    assert capsys.readouterr().out == f"{site / 'zh' / 'games' / 'nim.html'}\n" * 2


def test_the_app_serves_the_pages_under_its_policy(site: Path, tmp_path: Path) -> None:
    visitor = client(tmp_path)
    assert visitor.get("/docs").headers["location"].endswith("/docs/")
    for path, text in (("/docs/", " index"), ("/docs/zh/", "zh index"), ("/docs/zh/games/nim.html", "zh games/nim")):
        answer = visitor.get(path)
        assert (answer.status_code, answer.text) == (200, text)
        assert answer.headers["content-security-policy"] == HEADERS["content-security-policy"]
    assert visitor.get("/docs/../pyproject.toml").status_code == 404


def test_a_class_reads_after_giving_its_code(site: Path, tmp_path: Path) -> None:
    assert client(tmp_path, join_code="ABCDEFGH").get("/docs/").status_code == 303


def test_the_menu_leads_to_the_pages_in_its_language(visit) -> None:
    page = visit("/").page
    read = page.get_by_role("navigation", name="Pages").get_by_role("link", name="Read", exact=True)
    expect(read).to_have_attribute("href", "/docs/")
    page.keyboard.press("l")
    expect(page.get_by_role("link", name="阅读", exact=True)).to_have_attribute("href", "/docs/zh/")
