"""How soon a page of the app is there: its first paint, and when it can be used, in Chromium with a warm server.

    python -m benchmarks.pages [--visits 5] [--network "Slow 3G"] [--json]

A server of its own is started on loopback. Every visit is that of a new visitor, whose browser has kept nothing. The
first paint is what the browser reports as its first contentful paint; a page can be used when what it is there for
stands on it and answers. Medians and the slowest are printed, with the load of the machine, and the status is 1 if a
median misses its bar.

With a network the browser is throttled as Chrome's developer tools do it: "Slow 3G" has 400 kbit/s and answers after
2 s, "Fast 3G" 1,440 kbit/s and 0.56 s. Then it is measured when something can be read on the page: a heading and a
sentence of its own, for which there is a bar; when it can be used is printed without one.
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

PAINT, USABLE, READABLE = 300, 1000, 2500
"""Milliseconds after the visitor has asked for the page; the last on a throttled network."""
NETWORKS = {
    "Slow 3G": {"latency": 2000, "downloadThroughput": 50_000, "uploadThroughput": 50_000},
    "Fast 3G": {"latency": 562.5, "downloadThroughput": 180_000, "uploadThroughput": 84_375},
}
"""Profiles of Chrome: milliseconds, and bytes a second."""
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
  const seen = (text) => document.querySelector(text)?.checkVisibility({ visibilityProperty: true });
  const look = () => {
    if (!window.readable && seen("main h1") && seen("main p")) window.readable = performance.now();
    if (document.querySelector(selector)) window.usable = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}"""


def visit(browser: Browser, address: str, path: str, selector: str, network: str = "") -> tuple[float, float]:
    """The first paint and the time from which the page can be used, in milliseconds, for a new visitor.

    On a throttled network the first number is when something can be read.
    """
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = context.new_page()
    page.set_default_timeout(120_000)
    if network:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", {"offline": False, **NETWORKS[network]})
    page.add_init_script(f"({WATCH})({json.dumps(selector)})")
    page.goto(address + path)
    page.wait_for_function("() => window.usable")
    page.wait_for_function("() => performance.getEntriesByName('first-contentful-paint').length")
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    if network:
        paint = page.evaluate("window.readable ?? window.usable")
    usable = page.evaluate("window.usable")
    context.close()
    return paint, usable


def measure(visits: int, network: str = "") -> dict[str, Any]:
    """Milliseconds for each page."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (address, _), sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for path, selector in PAGES.items():  # the server is warm, and so is the browser's own code
            visit(browser, address, path, selector)
        times = {path: [visit(browser, address, path, s, network) for _ in range(visits)] for path, s in PAGES.items()}
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
    if network:
        good = all(row["paint"] < READABLE for row in rows)
    return {"load": os.getloadavg()[0], "visits": visits, "network": network, "rows": rows, "good": good}


def main() -> None:
    """Print a line for each page."""
    parser = argparse.ArgumentParser(description="How soon pages of the app are there.")
    parser.add_argument("--visits", type=int, default=5)
    parser.add_argument("--network", choices=NETWORKS, default="", help="how the network is throttled; not at all")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    answer = measure(options.visits, options.network)
    if options.json:
        print(json.dumps(answer))
    else:
        network = f", {options.network}" if options.network else ""
        print(f"load {answer['load']:.1f}, {answer['visits']} visits a page{network}; milliseconds, median and slowest")
        print(f"{'page':10} {'readable' if network else 'first paint':>14} {'usable':>14}")
        for row in answer["rows"]:
            paint, usable = (f"{row[name]:.0f} {row[f'slowest_{name}']:.0f}" for name in ("paint", "usable"))
            print(f"{row['page']:10} {paint:>14} {usable:>14}")
    sys.exit(0 if answer["good"] else 1)


if __name__ == "__main__":
    main()
