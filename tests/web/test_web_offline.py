"""The app installed, and without its server: what is still there, what is said, and that nothing personal is kept."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from plyground.web.server.app import STATIC
from plyground.web.server.assets import Assets
from plyground.web.server.guard import HEADERS
from plyground.web.server.offline import make_worker
from web_browser import Visitor
from web_client import app_in
from web_server import Server

KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    for (const { url } of await (await caches.open(name)).keys()) found.push(new URL(url).pathname);
  }
  return found;
}"""
READY = """() => navigator.serviceWorker.controller && caches.open("plyground-read").then(async (cache) =>
  (await cache.match("/api/learn/alphabeta?lang=zh")) && (await cache.match("/api/about")))"""
"""Whether everything that is kept ahead has come."""
PERSONAL = re.compile(r"/(api/(?!about$|learn)|play/|ws/|join|health|embed)")


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[Any]:
    """Starts servers of one folder, one after the other, at the same port; `stop` ends the one that runs."""
    running: list[Server] = []

    def start(*more: str) -> Server:
        port = running[-1].address.rpartition(":")[2] if running else "0"
        running.append(Server(tmp_path, "--port", port, *more))
        return running[-1]

    yield start
    if running and running[-1].process.poll() is None:
        running[-1].stop()


def test_pages_are_there_without_the_server_and_nothing_personal_is_kept(browser: Browser, servers: Any) -> None:
    server = servers()
    visitor = Visitor(browser, server.address, service_workers="allow").open("/play?game=tictactoe")
    page = visitor.page
    page.evaluate(
        """() => fetch("/api/games", { method: "POST", headers: { "Content-Type": "application/json" },
             body: JSON.stringify({ game: "tictactoe", players: ["human", "human"], moves: "b2" }) })"""
    )
    page.wait_for_function(READY)
    visitor.open("/docs/")
    visitor.open("/library")
    expect(page.locator(".library-list li")).to_have_count(1)
    kept = page.evaluate(KEPT)
    assert {"/", "/learn", "/docs/", "/api/about"} <= set(kept)
    assert any(path.endswith("/app.js") for path in kept)
    assert [path for path in kept if PERSONAL.match(path)] == []

    server.stop()
    line = page.get_by_text("The server cannot be reached; this is a saved copy.")
    visitor.open("/learn")
    expect(page.locator(".learn-list li").first).to_be_visible()
    expect(line).to_be_visible()
    visitor.open("/learn/alphabeta")
    expect(page.locator(".lesson-text").first).to_contain_text("Two numbers on the way down")
    expect(line).to_be_visible()
    visitor.open("/docs/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    visitor.open("/library")
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(line).to_be_visible()

    servers()
    expect(line).to_be_hidden()  # it is there again, and so is what was missing, without anybody's doing
    expect(page.locator(".library-list li")).to_have_count(1)
    visitor.problems.clear()  # the browser reports what it could not fetch
    visitor.leave()


@pytest.mark.slow
def test_a_new_version_takes_over_at_once(browser: Browser, servers: Any) -> None:
    server = servers()
    visitor = Visitor(browser, server.address, service_workers="allow").open("/learn")
    page = visitor.page
    page.wait_for_function(READY)
    # As if the files had been others: what is kept has another name, and the page in it is an old one.
    page.evaluate(
        """async () => {
          const old = await caches.open("plyground-0123456789abcdef");
          await old.put("/learn", new Response("an old page", { headers: { "content-type": "text/html" } }));
          await (await navigator.serviceWorker.ready).unregister();
        }"""
    )
    visitor.open("/learn")
    expect(page.locator(".learn-list li").first).to_be_visible()
    page.wait_for_function(READY)
    page.wait_for_function("async () => !(await caches.keys()).includes('plyground-0123456789abcdef')")
    visitor.leave()


def test_the_worker_is_of_the_files_as_they_are(tmp_path: Path) -> None:
    shutil.copytree(STATIC, tmp_path / "static")
    before = make_worker(Assets({"": tmp_path / "static"})._read())
    (tmp_path / "static" / "dom.js").write_text("// another one")
    after = make_worker(Assets({"": tmp_path / "static"})._read())
    assert before != after
    facts = json.loads(json.loads(re.search(r'JSON\.parse\((".*")\);', after.decode())[1]))
    assert all(file.startswith(f"/static/{facts['edition']}/") for file in facts["files"])
    assert {"/", "/play", "/library", "/watch", "/learn"} <= set(facts["pages"])
    assert not [page for page in facts["pages"] if ":" in page or "embed" in page or "[" in page]


def test_headers_and_the_manifest(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        worker = visitor.client.get("/offline.js")
        assert worker.headers["content-type"].startswith("text/javascript")
        assert worker.headers["cache-control"] == "no-cache"
        assert worker.headers["content-security-policy"] == HEADERS["content-security-policy"]
        facts = json.loads(json.loads(re.search(r'JSON\.parse\((".*")\);', worker.text)[1]))
        for address in [*facts["files"][::9], *facts["pages"], *facts["lessons"][::9]]:
            assert visitor.client.get(address, headers={"accept": "text/html"}).status_code == 200, address
        page = visitor.client.get("/", headers={"accept": "text/html"}).text
        address = re.search(r'rel="manifest" href="([^"]+)"', page)[1]
        manifest = visitor.client.get(address)
        assert manifest.headers["content-type"] == "application/manifest+json"
        icons = {(icon["sizes"], icon.get("purpose")): icon["src"] for icon in manifest.json()["icons"]}
        assert {("192x192", None), ("512x512", None), ("512x512", "maskable")} <= set(icons)
        for (sizes, _), source in icons.items():
            icon = visitor.client.get(f"{address.rpartition('/')[0]}/{source}")
            assert icon.status_code == 200
            if sizes != "any":  # the size stands in the header of a PNG
                assert int.from_bytes(icon.content[16:20], "big") == int(sizes.split("x")[0])


def test_whoever_has_not_given_the_join_code_gets_no_worker_and_no_page(tmp_path: Path) -> None:
    with app_in(tmp_path, join_code="ABCD-EFGH") as visitor:
        assert visitor.client.get("/offline.js").status_code == 303
        assert visitor.client.get("/learn", headers={"accept": "text/html"}).status_code == 303
