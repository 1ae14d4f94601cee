"""Makes the picture of the app in the README: `python docs/pictures/app.py`. It needs a browser, as the tests do."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

from web_browser import launched  # noqa: E402
from web_server import serving  # noqa: E402

OUT = Path(__file__).with_name("app.png")
GAME = {"game": "reversi", "players": ["human", "mcts:time=2"], "moves": "f5d6c3d3c4f4e6f6"}
MOVE = "e3"


def main() -> None:
    """A game of Reversi after eight moves, with what the engine thinks of each move."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server, sync_playwright() as playwright:
        browser = launched(playwright)
        page = browser.new_page(viewport={"width": 1280, "height": 800}, device_scale_factor=1.5, color_scheme="light")
        page.goto(f"{server.address}/play")
        address = page.evaluate(
            "game => fetch('/api/games', {method: 'POST', headers: {'Content-Type': 'application/json'}, "
            "body: JSON.stringify(game)}).then(answer => answer.json()).then(made => made.id)",
            GAME,
        )
        page.goto(f"{server.address}/play/{address}")
        page.get_by_role("gridcell", name=MOVE).click()
        page.wait_for_timeout(6_000)  # the program has thought and moved
        page.get_by_role("button", name="Hints").click()
        page.wait_for_timeout(12_000)  # the engine has valued every move
        page.screenshot(path=OUT)
        browser.close()


if __name__ == "__main__":
    main()
