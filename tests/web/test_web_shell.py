"""What every page comes in: the shell, the app's files, pages that are not there, a server that does not answer."""

from __future__ import annotations

import gzip
import re
import socket

import pytest
from playwright.sync_api import expect

from plyground.web.server.app import PAGES, STATIC
from web_browser import Visitor
from web_client import app_in
from web_server import serving

BROWSER = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8", "accept-encoding": "gzip, br"}


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    with app_in(tmp_path_factory.mktemp("shell")) as visitor:
        yield visitor.client


def addresses(html):
    """The files that a page names, by kind."""
    links = re.findall(r'<link rel="(\w+)"[^>]* href="([^"]+)"', html)
    scripts = re.findall(r'<script type="module" src="([^"]+)"', html)
    return {kind: [address for rel, address in links if rel == kind] for kind, _ in links} | {"script": scripts}


# Pages that are not there ------------------------------------------------------------------------------------------


def test_where_there_is_no_page_people_see_one_and_programs_a_line(client):
    answer = client.get("/nowhere", headers=BROWSER)
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert "There is nothing here" in answer.text
    assert "这里没有内容" in answer.text
    for path, headers in (
        ("/nowhere", {"accept": "application/json"}),
        ("/nowhere", {"accept": "*/*"}),
        ("/nowhere.png", BROWSER),
        ("/api/nowhere", BROWSER),
        ("/static/nowhere", BROWSER),
    ):
        answer = client.get(path, headers=headers)
        assert (answer.status_code, answer.json()["error"]) == (404, "there is nothing at this address")
    assert client.post("/nowhere", headers=BROWSER).json()["error"] == "there is nothing at this address"


def test_the_page_that_is_not_there_leads_home(visit):
    visitor = visit("/nowhere/at/all")
    expect(visitor.page.get_by_role("heading", name="There is nothing here")).to_be_visible()
    expect(visitor.page).to_have_title(re.compile("There is nothing here"))
    visitor.problems.clear()  # the browser reports the status, 404
    visitor.accessible()
    visitor.button("中文").click()
    visitor.page.get_by_role("link", name="回到首页", exact=True).click()
    expect(visitor.page.locator(".hero")).to_be_visible()


# Files --------------------------------------------------------------------------------------------------------------


def test_pages_and_files_answer_head(client):
    html = client.get("/", headers=BROWSER).text
    files = [address for found in addresses(html).values() for address in found]
    for path in ("/", "/play", "/watch", "/learn/games", "/join", "/static/app.js", "/docs/", *files[:3]):
        got, head = client.get(path, headers=BROWSER), client.head(path, headers=BROWSER)
        assert (head.status_code, head.content) == (got.status_code, b""), path
        assert got.status_code in (200, 303) or path == "/docs/", path
        assert head.headers["content-type"] == got.headers["content-type"] if "content-type" in got.headers else True
    assert client.delete("/").status_code == client.put("/static/app.js").status_code == 405


def test_files_are_compressed_and_kept_for_good_under_the_digest_of_all(client):
    html = client.get("/watch", headers=BROWSER).text
    named = [address for found in addresses(html).values() for address in found]
    (digest,) = {re.match(r"/static/([0-9a-f]{16})/", address)[1] for address in named}
    for address in named:
        answer = client.get(address, headers=BROWSER)
        assert answer.status_code == 200, address
        assert answer.headers["cache-control"] == "max-age=31536000, immutable"
        assert answer.headers["content-encoding"] == "gzip"
        assert answer.headers["vary"] == "accept-encoding"
        assert "set-cookie" not in answer.headers
        assert not re.search(rf"/static/(?!{digest}/)", answer.text), address  # what it imports is kept for good too
    font = client.get(f"/static/{digest}/fonts/source-serif-4.woff2", headers=BROWSER)
    assert "content-encoding" not in font.headers
    plain = client.get(f"/static/{digest}/dom.js", headers={"accept-encoding": "gzip;q=0, identity"})
    assert "content-encoding" not in plain.headers
    assert client.get("/static/0123456789abcdef/dom.js").status_code == 404


def test_under_its_plain_address_a_file_is_asked_for_again_only_if_it_has_changed(client):
    answer = client.get("/static/dom.js", headers=BROWSER)
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.content == (STATIC / "dom.js").read_bytes()
    again = client.get("/static/dom.js", headers={**BROWSER, "if-none-match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    page = client.get("/", headers=BROWSER)
    assert page.headers["content-encoding"] == "gzip"
    again = client.get("/", headers={**BROWSER, "if-none-match": page.headers["etag"]})
    assert (again.status_code, again.headers["content-security-policy"]) == (
        304,
        page.headers["content-security-policy"],
    )


# What is there before any script ------------------------------------------------------------------------------------


def module_of(path):
    """What ``pages.js`` says of a page."""
    text = (STATIC / "pages.js").read_text(encoding="utf-8")
    found = re.search(rf'path: "{re.escape(path)}",[^\n]* module: "([^"]+)"', text)
    return found[1] if found else f"/static/lab{path}.js"


@pytest.mark.parametrize("path", PAGES)
def test_a_page_says_what_it_is_and_names_all_its_files(client, path):
    html = client.get(re.sub(r"\{.*\}", "one", path), headers=BROWSER).text
    words = re.sub(r"<(style|script|noscript)\b.*?</\1>|<title>.*?</title>|<[^>]+>", " ", html, flags=re.S)
    assert len(re.findall(r"[a-z]{3,}", words)) > 8, words
    assert len(re.findall(r"[一-鿿]", words)) > 12, words
    named = [re.sub(r"/static/\w{16}/", "/static/", address) for address in addresses(html)["modulepreload"]]
    module = module_of(re.sub(r"\{(\w+)[^}]*\}", r":\1", path))
    assert {"/static/app.js", "/static/dom.js", module} <= set(named)
    assert len(named) == len(set(named))


def sizes(client, path):
    """Compressed bytes of the page itself, and of all its style sheets, and of all its modules."""
    answer = client.get(path, headers=BROWSER)
    found = addresses(answer.text)

    def whole(kind):
        return sum(len(gzip.compress(client.get(address).content)) for address in found[kind])

    return len(gzip.compress(answer.content)), whole("stylesheet"), whole("modulepreload")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_is_small(client, path):
    page, sheets, modules = sizes(client, re.sub(r"\{.*\}", "one", path))
    assert page < 5_000  # with which it can be read
    assert sheets < 25_000
    assert 20_000 < modules < 200_000


def test_without_javascript_a_page_can_be_read(browser, served):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served}/watch")
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
    expect(page.get_by_text("the tree grows, branches are cut")).to_be_visible()
    expect(page.get_by_text("观看")).to_be_hidden()
    assert "JavaScript, which is switched off here" in page.content()
    context.close()


# A server that does not answer --------------------------------------------------------------------------------------


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return str(found.getsockname()[1])


@pytest.mark.slow
def test_a_page_that_the_server_does_not_send_comes_when_it_is_back(browser, tmp_path):
    port = free_port()
    with serving(tmp_path, "--port", port) as server:
        visitor = Visitor(browser, server.address).open("/")
        page = visitor.page
        menu = page.get_by_role("navigation", name="Pages")
        menu.get_by_role("link", name="Learn").click()
        expect(page.locator(".chapters, .lessons, main li").first).to_be_visible()
        page.get_by_role("link", name="Plyground, home page").click()
        expect(page.locator(".hero")).to_be_visible()
    menu.get_by_role("link", name="Watch").click()  # its parts are not here yet
    expect(page.get_by_role("heading", name="Watch")).to_be_visible()
    expect(page.get_by_role("alert")).to_contain_text("This page will load as soon as it does.")
    expect(page).to_have_url(re.compile("/watch$"))
    visitor.button("Try again").click()
    visitor.accessible()
    page.go_back()
    expect(page.locator(".hero")).to_be_visible()
    visitor.press("l")  # the other language is not needed from the server here
    expect(page.get_by_role("link", name="Plyground，回到首页")).to_be_visible()
    visitor.press("l")
    menu.get_by_role("link", name="Learn").click()  # its parts are here, what it shows is not
    expect(page.locator("#notice")).to_have_text("The server does not answer. Try again")
    visitor.press("l")
    expect(page.locator("#toasts")).to_contain_text("The server does not answer.")
    with serving(tmp_path, "--port", port):
        expect(page.locator("#notice")).to_have_text("")
        expect(page.locator("main li").first).to_be_visible()
        page.go_back()
        page.go_forward()
        menu.get_by_role("link", name="Watch").click()
        expect(page.locator(".watch-panel select").first).to_be_visible()
    menu.get_by_role("link", name="Arena").click()
    expect(page.get_by_role("alert")).to_be_visible()
    with serving(tmp_path, "--port", port):
        expect(page.get_by_role("button", name="Start")).to_be_visible()
        expect(page).to_have_url(re.compile("/arena$"))
        away = ("ERR_CONNECTION", "503")  # a server that ends says so to whoever waits for long
        refused = [problem for problem in visitor.problems if not any(word in problem for word in away)]
        assert refused == []
        visitor.problems.clear()
        visitor.leave()
