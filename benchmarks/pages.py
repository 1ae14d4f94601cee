"""How soon a page of the app is there: its first paint, and when it can be used, in Chromium with a warm server.

    python -m benchmarks.pages [--visits 5] [--json]

A server of its own is started on loopback. Every visit is that of a new visitor, whose browser has kept nothing. The
first paint is what the browser reports as its first contentful paint; a page can be used when what it is there for
stands on it and answers. Medians and the slowest are printed, with the load of the machine, and the status is 1 if a
median misses its bar.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

from benchmarks.web import served

PAINT, USABLE = 300, 1000
"""Milliseconds after the visitor has asked for the page."""
PAGES = {
    "/": ".hero a.button.primary",
    "/play": "button[type=submit]:not(:disabled)",
    "/analyze": ".cell.playable",
    "/watch": ".watch-panel select",
    "/bandits": ".page button:not(:disabled)",
    "/arena": ".page button:not(:disabled)",
}
"""What must be there before a page can be used."""
WATCH = """selector => {
  const look = () => {
    if (document.querySelector(selector)) window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


def visit(browser: Browser, address: str, path: str, selector: str) -> tuple[float, float]:
    """The first paint and the time from which the page can be used, in milliseconds, for a new visitor."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = context.new_page()
    page.add_init_script(f"({WATCH})({json.dumps(selector)})")
    page.goto(address + path)
    page.wait_for_function("() => window.usable")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    usable = page.evaluate("window.usable")
    context.close()
    return paint, usable


def measure(visits: int) -> dict[str, Any]:
    """Milliseconds for each page."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for path, selector in PAGES.items():  # the server is warm, and so is the browser's own code
            visit(browser, address, path, selector)
        times = {path: [visit(browser, address, path, s) for _ in range(visits)] for path, s in PAGES.items()}
        browser.close()
    rows = [
        {
            "page": path,
            "paint": statistics.median(paint for paint, _ in seen),
            "slowest_paint": max(paint for paint, _ in seen),
            "usable": statistics.median(usable for _, usable in seen),
            "slowest_usable": max(usable for _, usable in seen),
        }
        for path, seen in times.items()
    ]
    good = all(row["paint"] < PAINT and row["usable"] < USABLE for row in rows)
    return {"load": os.getloadavg()[0], "visits": visits, "rows": rows, "good": good}


def main() -> None:
    """Print a line for each page."""
    parser = argparse.ArgumentParser(description="How soon pages of the app are there.")
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    answer = measure(options.visits)
    if options.json:
        print(json.dumps(answer))
    else:
        print(f"load {answer['load']:.1f}, {answer['visits']} visits a page; milliseconds, median and slowest")
        print(f"{'page':10} {'first paint':>14} {'usable':>14}")
        for row in answer["rows"]:
            paint, usable = (f"{row[name]:.0f} {row[f'slowest_{name}']:.0f}" for name in ("paint", "usable"))
            print(f"{row['page']:10} {paint:>14} {usable:>14}")
    sys.exit(0 if answer["good"] else 1)


if __name__ == "__main__":
    main()
