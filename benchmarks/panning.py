"""How smoothly a tree of 20,000 nodes moves in Chromium: frames a second while it is panned, at several scales.

    python -m benchmarks.panning

The page is the one that ``plyground tree --out`` writes, with every node unfolded. In each frame the view moves by 15
pixels; what is timed is the distance of the frames, as ``requestAnimationFrame`` tells it.
"""

from __future__ import annotations

import shutil
import statistics
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from plyground.pictures.tree import Drawing, Look, Node, Step, tree_html

NODES = 20_000
FRAMES = 90
SCALES = (1.0, 0.3, 0.1, 0.03, 0.01)
EVERYTHING = 10**9
EDGES = ("plain", "best", "cut")

PAN = """async (frames) => {
  const { view } = replay;
  const times = [];
  let last = performance.now();
  for (let i = 0; i < frames; i++) {
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - last);
    last = performance.now();
    view.setView(view.view.x + (i < frames / 2 ? 15 : -15), view.view.y, view.view.scale);
  }
  return times.slice(2);
}"""


def large_tree() -> Drawing:
    """Four children a node, every leaf visited."""
    shapes = ("max", "min")
    nodes = [Node(None, "max")]
    nodes += [Node(i // 4, shapes[i % 2] if 4 * i < NODES else "leaf", f"a{i % 4 + 1}") for i in range(NODES - 1)]
    looks = {i: Look("done", str(i % 97), ("α = 3, β = 7",), EDGES[i % 3]) for i in range(NODES)}
    return Drawing("A large tree", nodes, [Step("All of it.", 0, looks)])


def main() -> None:
    """Print a line for each scale."""
    found = shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        page_file = Path(folder) / "tree.html"
        page_file.write_text(tree_html(large_tree(), most_children=EVERYTHING, width=EVERYTHING), encoding="utf-8")
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{page_file.as_uri()}#last")
        print(f"{'scale':>8} {'in view':>8} {'frames/s':>9} {'median':>8} {'slowest':>8}")
        for scale in (*SCALES, None):
            if scale is None:
                page.click(".fit")
                page.wait_for_timeout(500)
            else:
                page.evaluate("scale => replay.view.setView(600, 0, scale)", scale)
            times = page.evaluate(PAN, FRAMES)
            shown = page.evaluate("replay.view.drawn.filter(({ seen }) => seen).length")
            name = "all" if scale is None else f"{scale:g}"
            rate = 1000 / statistics.mean(times)
            print(f"{name:>8} {shown:>8,} {rate:>9.0f} {statistics.median(times):>6.1f}ms {max(times):>6.1f}ms")
        browser.close()


if __name__ == "__main__":
    main()
