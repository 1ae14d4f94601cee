"""Makes pictures of every page of the app, to be looked at: `python docs/pictures/pages.py --out FOLDER`.

Each page is shown to one visitor, who has a game in progress, finished ones and a finished tournament: on a desktop, on
a phone, in the dark, in Chinese, and some of them large, as for a projector. `FOLDER/index.html` has all pictures side
by side. `--only watch,arena` and `--variants phone,dark` make some of them. It needs a browser, as the tests do.
"""

from __future__ import annotations

import argparse
import html
import sys
import tempfile
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright
from playwright.sync_api import TimeoutError as TookTooLong

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tests"))

from plyground.web.server.app import STATIC  # noqa: E402
from plyground.web.server.shell import read_pages  # noqa: E402
from web_browser import launched  # noqa: E402
from web_server import serving  # noqa: E402

PATIENCE = 60_000
"""Milliseconds for what a page is there for; a search may have to be compiled first."""
CALM = 600
"""Milliseconds in which what moves comes to rest."""
TALLEST = 2600
"""Pixels of a page that are shown."""
GAME = "f5d6c3d3c4f4f6f3e6e7d7"
PREPARED = """async () => {
  const headers = { "Content-Type": "application/json" };
  const post = async (path, body) => {
    const said = await (await fetch(path, { method: "POST", headers, body: JSON.stringify(body) })).json();
    if (said.error) throw new Error(`${path}: ${said.error}`);
    return said;
  };
  const begin = (game, players, more = {}) => post("/api/games", { game, players, ...more });
  const going = await begin("reversi", ["human", "human"], { moves: "GAME" });
  await begin("connect4", ["human", "alphabeta"], { moves: "4 4 3" });
  await begin("gomoku", ["human", "human"], { moves: "h8 h9 i9 g7 i8" });
  const done = await begin("tictactoe", ["human", "human"]);
  for (const [at, action] of [0, 3, 1, 4, 2].entries()) await post(`/api/games/${done.id}/move`, { action, at });
  const players = ["random", "alphabeta:depth=2", "flat:simulations=50"];
  const cup = await post("/api/tournaments", { game: "tictactoe", players, games: 4, seed: 1 });
  const one = async () => (await fetch(`/api/tournaments/${cup.id}`)).json();
  while (!["done", "stopped", "failed"].includes((await one()).state)) await new Promise((go) => setTimeout(go, 500));
  const [game] = await (await fetch(`/api/database/games?tournament=${cup.id}&limit=1`)).json();
  const room = await post("/api/arena/rooms", { tournament: cup.id });
  const chess = await begin("chess", ["human", "human"], { moves: "e4 e5 Nf3 Nc6 Bb5" });
  const hex = await begin("hex", ["human", "human"]);
  const boxes = await begin("dots_and_boxes", ["human", "human"]);
  const friend = await begin("connect4", ["human", "human"], { people: "invited" });
  return {
    going: going.id, done: done.id, cup: cup.id, key: encodeURIComponent(game.key), room: room.id,
    chess: chess.id, hex: hex.id, boxes: boxes.id, friend: friend.id,
  };
}""".replace("GAME", GAME)
SCENES: dict[str, tuple[str, str]] = {
    "home": ("/", ".demo-board .board-svg, .demo-board .miniature"),
    "play": ("/play", "button[type=submit]:not(:disabled)"),
    "game": ("/play/{going}", ".board-svg .cell.playable"),
    "game over": ("/play/{done}", ".afterwards .button"),
    "game of chess": ("/play/{chess}", ".board-svg .cell.playable, .board-svg .cell.movable"),
    "game of hex": ("/play/{hex}", ".board-svg .cell.playable"),
    "game of boxes": ("/play/{boxes}", ".board-svg"),
    "game by link": ("/play/{friend}", ".board-svg"),
    "library": ("/library", ".library-list li"),
    "library search": ("/library?text=f5d6", ".library-list li"),
    "analyze": ("/analyze", ".cell.playable"),
    "analysis": (f"/analyze?moves={GAME}&time=1&judge=0.2", ".hint-list button"),
    "analysis of connect4": ("/analyze?game=connect4&moves=4+4+3&time=1", ".hint-list button"),
    "analysis of chess": (
        "/analyze?game=chess&moves=e4+e5+Nf3+d6+(Nc6+Bb5+a6)+d4+Bg4+dxe5+Bxf3+Qxf3+dxe5+Bc4+Nf6+Qb3&time=1&judge=0.2",
        ".arrow",
    ),
    "watch": ("/watch?step=12", ".replay .tree, .replay svg"),
    "watch mcts": ("/watch?algorithm=mcts&step=9", ".replay .legend li"),
    "watch chess": ("/watch?lesson=chess-exchange&algorithm=alphabeta:quiescence%3Don&step=8", ".replay image"),
    "play chess": ("/play?game=chess", "button[type=submit]:not(:disabled)"),
    "learn": ("/learn", ".learn-list li"),
    "lesson": ("/learn/alphabeta", ".lesson-text h2"),
    "arena": ("/arena", ".page button:not(:disabled)"),
    "tournament": ("/arena?tournament={cup}", ".arena table tbody tr"),
    "room": ("/arena/room/{room}", "table .cross-name"),
    "arena game": ("/arena/games/{key}", ".board-svg"),
    "bandits": ("/bandits", ".page button:not(:disabled)"),
    "queens": ("/queens", ".film-picture svg"),
    "queens by hand": ("/queens?mode=hand", ".page button:not(:disabled)"),
    "wumpus": ("/wumpus", ".film-picture svg"),
    "wumpus by hand": ("/wumpus?mode=hand", ".page svg:not(.sign)"),
    "matrix": ("/matrix", ".film-picture svg"),
    "pacman": ("/pacman", ".page svg:not(.sign)"),
    "hidden": ("/hidden", ".hidden-numbers tbody tr"),
    "battleship": ("/hidden?tab=battleship", ".film-picture svg"),
    "bridge": ("/hidden?tab=bridge", ".hidden-numbers tbody tr, .page table tbody tr"),
    "practice": ("/practice", ".page button:not(:disabled)"),
    "puzzles": ("/puzzles", ".board-svg"),
    "puzzle of chess": ("/puzzles?game=chess&number=7", ".board-svg"),
    "workshop": ("/workshop", ".page textarea"),
    "embedded game": ("/embed/game?game=connect4&moves=4 4 3", ".board-svg"),
    "embedded film": ("/embed/film?step=12", ".replay svg"),
    "docs": ("/docs/", "main h1"),
    "docs in Chinese": ("/docs/zh/", "main h1"),
    "nothing": ("/nowhere", ".page h1"),
}
"""Pages: the address, and what must be there before the picture is made."""
NAMES = ("going", "done", "cup", "key", "room", "chess", "hex", "boxes", "friend")
"""What the addresses leave open; the visitor's own games and tournaments."""
LARGE = ("game", "game over", "analysis", "watch", "watch mcts", "lesson", "tournament", "room", "arena game")
VARIANTS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
    "dark": {"viewport": {"width": 1280, "height": 800}, "color_scheme": "dark"},
    "chinese": {"viewport": {"width": 1280, "height": 800}, "locale": "zh-CN"},
    "projector": {"viewport": {"width": 1280, "height": 720}},
    "large projector": {"viewport": {"width": 1920, "height": 1080}},
}
USUAL = {"color_scheme": "light", "locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}


def main() -> None:
    """Make the pictures; the status is 1 if something that a page is there for did not come."""
    parser = argparse.ArgumentParser(description="Pictures of every page of the app.")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER")
    parser.add_argument("--only", default=",".join(SCENES), help="pages, with commas between them")
    parser.add_argument("--variants", default=",".join(VARIANTS), help="variants, with commas between them")
    options = parser.parse_args()
    scenes, variants = options.only.split(","), options.variants.split(",")
    for name, known in [(name, SCENES) for name in scenes] + [(name, VARIANTS) for name in variants]:
        if name not in known:
            parser.error(f"there is no '{name}'; there are {', '.join(known)}")
    missing = unseen_pages()
    if missing:
        parser.error(f"no picture shows {', '.join(missing)}: add a line to SCENES")
    options.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder), "--port", "0", "--workshop") as server,
        sync_playwright() as playwright,
    ):
        made = Camera(launched(playwright), server.address, options.out).take(scenes, variants)
    (options.out / "index.html").write_text(contact_sheet(made), "utf-8")
    late = [name for names in made.values() for name, there in names.items() if not there]
    print(f"{sum(map(len, made.values()))} pictures in {options.out}")
    if late:
        sys.exit(f"what the page is there for did not come: {', '.join(late)}")


def unseen_pages() -> list[str]:
    """The pages of the app that no scene shows."""
    paths = [address.partition("?")[0].format_map(dict.fromkeys(NAMES, 1)) for address, _ in SCENES.values()]
    pages = read_pages((STATIC / "pages.js").read_text("utf-8"))
    return [page.pattern.pattern for page in pages if not any(page.pattern.fullmatch(path) for path in paths)]


class Camera:
    """One visitor with browsers of all kinds."""

    def __init__(self, browser: Browser, address: str, out: Path) -> None:
        self.browser, self.address, self.out = browser, address, out
        context = browser.new_context(**USUAL)
        page = context.new_page()
        page.goto(f"{address}/play")
        self.names: dict[str, str] = page.evaluate(PREPARED)
        self.state = context.storage_state()
        context.close()

    def take(self, scenes: list[str], variants: list[str]) -> dict[str, dict[str, bool]]:
        """The pictures of each scene, by their files, and whether everything was there."""
        made: dict[str, dict[str, bool]] = {scene: {} for scene in scenes}
        for variant in variants:
            large = "projector" in variant
            context = self.browser.new_context(**{**USUAL, **VARIANTS[variant]}, storage_state=self.state)
            page = context.new_page()
            if large:
                page.add_init_script("sessionStorage.setItem('plyground.present', 'on')")
            for scene in scenes:
                if not large or scene in LARGE:
                    file = f"{scene}-{variant}.png".replace(" ", "-")
                    made[scene][file] = self._picture(page, scene, self.out / file, large)
            context.close()
        return made

    def _picture(self, page: Page, scene: str, file: Path, large: bool) -> bool:
        address, selector = SCENES[scene]
        page.goto(self.address + address.format(**self.names))
        try:
            page.wait_for_selector(selector, timeout=PATIENCE)
            there = True
        except TookTooLong:
            there = False
        page.evaluate("document.fonts.ready")
        page.wait_for_timeout(CALM)
        size = page.viewport_size or {"width": 0, "height": 0}
        height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
        whole = {"x": 0, "y": 0, "width": size["width"], "height": max(size["height"], height)}
        if large:
            page.screenshot(path=file)
        else:
            page.screenshot(path=file, full_page=True, clip=whole)
        return there


def contact_sheet(made: dict[str, dict[str, bool]]) -> str:
    """All pictures on one page, a row for each scene."""
    rows = "".join(
        f"<h2>{html.escape(scene)}</h2><p>"
        + "".join(f'<a href="{name}"><img src="{name}" alt="{name}" loading="lazy"></a>' for name in names)
        + "</p>"
        for scene, names in made.items()
    )
    style = "body{font:16px sans-serif;margin:2rem}p{display:flex;gap:1rem;align-items:start;overflow:auto}"
    look = "img{height:22rem;border:1px solid #999;object-fit:cover;object-position:top}"
    return f"<!doctype html><meta charset=utf-8><title>Plyground</title><style>{style}{look}</style>{rows}\n"


if __name__ == "__main__":
    main()
