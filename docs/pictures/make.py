"""Makes the pictures of the documentation: `python docs/pictures/make.py`, or with names only those.

`python docs/pictures/make.py lessons` makes those of the figures of the lessons, in the folder of that name.

Each picture is what a command or a function of Plyground draws, from a fixed seed, on a ground of its own, so that it
looks right on light pages and on dark ones. `SPOKEN` are pictures that say something: `x.zh.svg` stands for `x.svg` on
Chinese pages. `RECORDED` are pictures of long runs: their pages say how they were made.
"""

from __future__ import annotations

import math
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from plyground import Limit, make_game, to_move, utility
from plyground.core.notation import read_moves
from plyground.core.rules import action_text
from plyground.native.randomness import stream
from plyground.pictures.board import svg as board_picture
from plyground.pictures.filmstrip import Frame, styled_svg
from plyground.pictures.lettering import wrapped
from plyground.pictures.plot import Panel, Series, plot_svg
from plyground.pictures.svg import INK, svg_text
from plyground.pictures.tidy import tidy
from plyground.pictures.tree import tree_svg
from plyground.players import Position, make_player
from plyground.search.lecture.uct import Node, select
from plyground.search.playout import playout

FOLDER = Path(__file__).parent
SVG = "http://www.w3.org/2000/svg"


# What the pages show as a command -----------------------------------------------------------------------------------


def by_command(*arguments: str) -> str:
    """The picture that a command writes."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "picture.svg")
        subprocess.run(
            [sys.executable, "-m", "plyground", *arguments, "--out", str(out)], check=True, capture_output=True
        )
        return out.read_text("utf-8")


def on_paper(svg: str, margin: int = 12) -> str:
    """The picture on a white ground with round corners, with a margin around it."""
    found = re.search(r'<svg\b[^>]*\bwidth="([\d.]+)" height="([\d.]+)"', svg)
    assert found
    width, height = (float(size) + 2 * margin for size in found.groups())
    inner = svg.replace("<svg ", f'<svg x="{margin}" y="{margin}" ', 1).replace(
        ' xmlns="http://www.w3.org/2000/svg"', ""
    )
    label = re.search(r'aria-label="([^"]*)"', svg)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{label[1] if label else ""}">'
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="#ffffff"/>{inner}</svg>\n'
    )


# What functions draw ------------------------------------------------------------------------------------------------


def minimax_endgame(lang: str) -> str:
    """Tic-tac-toe with three squares left: one move wins, one draws, one loses."""
    from plyground.watch.searches import search_drawing

    game = replace(make_game("tictactoe"), points={})  # so that a win is worth +1, and not +∞ as in a lecture
    states, _ = read_moves(game, "a1 b2 c3 c1 a3 b3")
    found = search_drawing(game, states[-1], algorithm="minimax", depth=None, evaluation="", order="none", lang=lang)
    title = {"en": "Tic-tac-toe, three squares left", "zh": "井字棋，还剩三格"}[lang]
    return tree_svg(replace(found.drawing, title=title), lang=lang)


def move_orders() -> str:
    """What alpha-beta visits by the order of moves, in the position that docs/real-time.md has."""
    game = make_game("connect4")
    state = read_moves(game, "4 4 4 2 4")[0][-1]
    depths = range(1, 9)

    def nodes(order: str, depth: int) -> int:
        with make_player(f"alphabeta:ties=first,depth={depth},order={order},tt=0", game) as player:
            return player.choose(Position(game, state), Limit()).nodes

    names = {"none": "no order", "killer": "killer", "history": "history", "evaluation": "evaluation"}
    series = [Series(name, list(depths), [nodes(order, depth) for depth in depths]) for order, name in names.items()]
    panel = Panel(series, x_label="depth", y_label="nodes (logarithmic)", y_log=True, width=520)
    return plot_svg([panel], title="Connect Four: nodes by the order of moves")


def reversi_board() -> str:
    """The board of Reversi after three moves, with the legal moves."""
    return board_picture(read_moves(make_game("reversi"), "f5 d6 c3")[0][-1])


def pacman_game() -> str:
    """A game of expectimax against random ghosts, as positions side by side."""
    return on_paper(by_command("pacman", "small", "--player", "expectiminimax:depth=4", "--seed", "1", "--strip"))


def wumpus_beliefs() -> str:
    """What the probabilistic agent believes when a breeze has told it of two pits, and a square is safe still."""
    from plyground.subjects.wumpus.agents import explore, make_agent
    from plyground.subjects.wumpus.pictures import STYLE, world_svg
    from plyground.subjects.wumpus.world import Cave, make_world

    cave = Cave()
    record = explore(make_world(cave, seed=1), make_agent("probabilistic", cave, 1), keep_turns=True)
    turn = record.turns[9]
    return on_paper(styled_svg(world_svg(record.world, turn.state, turn.thoughts), STYLE), 4)


# Films --------------------------------------------------------------------------------------------------------------

CAPTION, EDGE = 14, 16


def film(title: str, frames: Sequence[Frame], *, style: str = "", seconds: float = 1.8, hold: float = 4.0) -> str:
    """The frames one after the other, with their captions, as a picture that moves: what several have is there once.

    Where nothing should move, for readers who have said so, and in a PNG, the last frame is shown.
    """
    for prefix, address in (("", SVG), ("xlink", "http://www.w3.org/1999/xlink")):
        ElementTree.register_namespace(prefix, address)
    time = Timeline(len(frames) - 1, seconds, seconds + hold)
    roots = [ElementTree.fromstring(frame.svg) for frame in frames]
    width, height = (max(float(root.get(side, "0")) for root in roots) for side in ("width", "height"))
    captions = [wrapped(frame.caption, CAPTION, width - 2 * EDGE) for frame in frames]
    seen: dict[tuple[int, str], list[int]] = {}
    level: dict[tuple[int, str], int] = {}
    for number, (root, lines) in enumerate(zip(roots, captions, strict=True)):
        pieces = [(order, text, place) for order, part in enumerate(root) for place, text in enumerate(_pieces(part))]
        for row, line in enumerate(lines):
            text = svg_text(line, EDGE, height + EDGE + 20 * row, CAPTION, INK, anchor="start")
            pieces.append((len(root), text, row))
        for order, text, place in pieces:
            seen.setdefault((order, text), []).append(number)
            level.setdefault((order, text), place)
    parts = []
    for key, numbers in sorted(seen.items(), key=lambda item: (item[0][0], level[item[0]])):
        for start in (number for number in numbers if number - 1 not in numbers):
            end = next(number for number in range(start, len(frames) + 1) if number not in numbers)
            parts.append(f"<g{time.seen(start, None if end == len(frames) else end)}>{key[1]}</g>")
    height += EDGE + 20 * max(map(len, captions))
    fonts = roots[0].get("font-family", "system-ui, sans-serif")
    return (
        f'<svg xmlns="{SVG}" viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'aria-label="{escape(title)}" font-family="{fonts}"><style>{style}{time.style()}</style>'
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="#ffffff"/>{"".join(parts)}</svg>\n'
    )


def _pieces(part: ElementTree.Element) -> list[str]:
    """An element of a picture as text; of a group, each of its elements by itself, in its place."""
    around = ""
    if part.tag == f"{{{SVG}}}g":
        around = "".join(f' {name}="{escape(value)}"' for name, value in part.items())
    texts = [
        ElementTree.tostring(each, "unicode").replace(f' xmlns="{SVG}"', "").strip()
        for each in (part if around else [part])
    ]
    return [f"<g{around}>{text}</g>" if around else text for text in texts]


def alphabeta_film(lang: str) -> str:
    """Alpha-beta on the worked tree, step by step."""
    from plyground.pictures.tree import MOST_CHILDREN, WIDTH, tree_words
    from plyground.pictures.tree_layout import FinalTree, fold_tree
    from plyground.pictures.tree_picture import TreePicture
    from plyground.watch.classroom import classroom
    from plyground.watch.searches import search_drawing

    drawing = search_drawing(classroom()["worked"].make(lang), algorithm="alphabeta", depth=None, lang=lang).drawing

    def picture(steps: int) -> TreePicture:
        tree = FinalTree(replace(drawing, steps=drawing.steps[:steps]))
        return TreePicture(tree, fold_tree(tree, MOST_CHILDREN, WIDTH), tree_words(lang))

    last = picture(len(drawing.steps))
    frames = []
    for number, step in enumerate(drawing.steps, 1):
        now = picture(number)
        # Nothing moves from its place, but what is said of a cut is said when it is made.
        now.places = [replace(there, note=here.note) for there, here in zip(last.places, now.places, strict=True)]
        now.rows = last.rows
        frames.append(Frame(now.svg(), step.caption))
    return film({"en": "Alpha-beta on the worked tree", "zh": "例题树上的 α-β 剪枝"}[lang], frames)


def queens_repaired(lang: str) -> str:
    """Eight queens at random places, repaired by min-conflicts."""
    from plyground.subjects.queens.min_conflicts import Method
    from plyground.subjects.queens.pictures import STYLE, queens_frames

    title = {"en": "Min-conflicts on eight queens", "zh": "八皇后的最小冲突法"}[lang]
    return film(title, queens_frames(8, Method(start="random"), seed=4, lang=lang), style=light(STYLE))


def light(style: str) -> str:
    """The light colours of a style sheet."""
    return re.search(r"<style>(.*)</style>", styled_svg("<svg></svg>", style), re.DOTALL)[1]  # type: ignore[index]


@dataclass
class Grown:
    """A node of the tree, and how its numbers were after each simulation that has changed them."""

    node: Node
    parent: int
    born: int
    numbers: list[tuple[int, str]] = field(default_factory=list)


GROWING = {
    "en": {
        "title": "Monte Carlo tree search grows a tree",
        1.0: "X wins",
        -1.0: "O wins",
        0.0: "a draw",
        "simulation": "Simulation {number}: down the lit path, then at random to the end: {said}",
        "end": "After {number} simulations: {move} has most of the visits, and is played",
    },
    "zh": {
        "title": "蒙特卡洛树搜索让树生长",
        1.0: "X 胜",
        -1.0: "O 胜",
        0.0: "平局",
        "simulation": "第 {number} 次模拟：沿点亮的路径向下，再随机走到终局：{said}",
        "end": "{number} 次模拟之后：{move} 的访问次数最多，于是走它",
    },
}


def growing_tree(lang: str, simulations: int = 25, seconds: float = 0.8, hold: float = 4.0) -> str:
    """Monte Carlo tree search on tic-tac-toe, simulation by simulation, as a picture that moves.

    Where nothing should move, for readers who have said so, and in a PNG, the last moment is shown.
    """
    start, rng = read_moves(make_game("tictactoe"), "a1 b2 c3 c1")[0][-1], stream(3, 0)
    root = Node(start, to_move(start))
    nodes, paths, ends = [Grown(root, 0, 0)], [], []
    places = {id(root): 0}
    for number in range(simulations):
        path = select(root, 0.7, rng)
        end = playout(path[-1].state, rng)
        for parent, node in pairwise(path):
            if id(node) not in places:
                places[id(node)] = len(nodes)
                nodes.append(Grown(node, places[id(parent)], number))
        for node in path:
            node.visits += 1
            node.total += (utility(end, node.mover) + 1) / 2
            nodes[places[id(node)]].numbers.append((number, f"{_amount(node.total)}/{node.visits}"))
        paths.append([places[id(node)] for node in path])
        ends.append(utility(end, 0))
    return _film(start, nodes, paths, ends, GROWING[lang], Timeline(len(paths), seconds, hold))


def _amount(total: float) -> str:
    return f"{int(total) or ''}½" if total % 1 else f"{total:g}"


HALF, TALL, DOWN, GAP = 26, 13, 74, 6
LIT, STEM = "#d55e00", "#64748b"


class Timeline:
    """What is seen when, as the classes of a style sheet: moments are numbers of simulations."""

    def __init__(self, moments: int, seconds: float, hold: float) -> None:
        self.moments, self.seconds, self.whole = moments, seconds, moments * seconds + hold
        self.used: set[tuple[int, int | None]] = set()

    def seen(self, start: int, end: int | None = None) -> str:
        """The class of what is there from a moment to another, or to the end; only the latter in a still picture."""
        if start == 0 and end is None:
            return ""
        self.used.add((start, end))
        return f' class="m v{start}_{end}"' if end is None else f' class="m gone v{start}_{end}"'

    def style(self) -> str:
        """The style sheet."""
        share = 100 * self.seconds / self.whole
        rules = [".gone{opacity:0}@media (prefers-reduced-motion:no-preference){"]
        rules.append(f".m{{animation:{self.whole:g}s step-end infinite}}")
        for start, end in sorted(self.used, key=str):
            stops = {0.0: 0, start * share: 1} | ({end * share: 0} if end is not None else {})
            frames = "".join(f"{at:.4g}%{{opacity:{opacity}}}" for at, opacity in stops.items())
            rules.append(f".v{start}_{end}{{animation-name:v{start}_{end}}}@keyframes v{start}_{end}{{{frames}}}")
        return "".join(rules) + "}"


def _film(
    start: Any, nodes: list[Grown], paths: list[list[int]], ends: list[float], words: dict[Any, str], time: Timeline
) -> str:
    at, width, height = _places(nodes)
    parts = [
        f'<rect width="{width:g}" height="{height:g}" rx="10" fill="#ffffff"/>',
        f'<text x="24" y="34" font-size="17" font-weight="600">{words["title"]}</text>',
        _small_board(start, at[0][0], 50),
    ]
    for old, one in enumerate(nodes):
        x, y = at[old]
        inside = []
        if old:
            thick = 1 + 1.1 * (math.sqrt(one.node.visits) - 1)
            inside.append(
                f'<path d="{_curve(at[one.parent], (x, y))}" fill="none" stroke="{STEM}" stroke-width="{thick:.2g}"/>'
            )
            name = action_text(nodes[one.parent].node.state, one.node.action)
            inside.append(f'<text x="{x:g}" y="{y - 18:g}" font-size="13" text-anchor="middle">{name}</text>')
        inside.append(f'{_box(x, y)} fill="#f4f6fb" stroke="{INK}" stroke-width="1.5"/>')
        for (number, text), (until, _) in pairwise([*one.numbers, (None, "")]):
            seen = time.seen(number, until)
            place = f'x="{x:g}" y="{y + 5:g}" font-size="13" font-weight="600" text-anchor="middle"'
            inside.append(f"<text {place}{seen}>{text}</text>")
        parts.append(f"<g{time.seen(one.born)}>{''.join(inside)}</g>")
    for number, path in enumerate(paths):
        shapes = "".join(f"{_box(*at[old])}/>" for old in path)
        shapes += "".join(f'<path d="{_curve(at[above], at[below])}"/>' for above, below in pairwise(path))
        line = words["simulation"].format(number=number + 1, said=words[ends[number]])
        parts.append(
            f'<g{time.seen(number, number + 1)}><g fill="none" stroke="{LIT}" stroke-width="3">{shapes}</g>'
            f'<text x="24" y="{height - 24:g}" font-size="14">{line}</text></g>'
        )
    most = max(nodes[0].node.children, key=lambda child: child.visits)
    line = words["end"].format(number=len(paths), move=action_text(start, most.action))
    parts.append(f'<text x="24" y="{height - 24:g}" font-size="14"{time.seen(len(paths))}>{line}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" width="{width:g}" '
        f'height="{height:g}" role="img" aria-label="{words["title"]}" '
        f'font-family="system-ui, sans-serif" fill="{INK}"><style>{time.style()}</style>{"".join(parts)}</svg>\n'
    )


def _places(nodes: list[Grown]) -> tuple[list[tuple[float, float]], float, float]:
    """Where the nodes stand, and how large the picture is."""
    children: dict[int, list[int]] = {}
    for old in range(1, len(nodes)):
        children.setdefault(nodes[old].parent, []).append(old)
    order = [0]
    for old in order:  # which grows meanwhile: parents before their children, and these in the order of their moves
        order += sorted(children.get(old, []), key=lambda child: nodes[child].node.action or 0)
    place = {old: number for number, old in enumerate(order)}
    sides = [float(HALF)] * len(order)
    xs = tidy([place[nodes[old].parent] for old in order], sides, sides, GAP, GAP + 8)
    depths = [0] * len(nodes)
    for old in order[1:]:
        depths[old] = depths[nodes[old].parent] + 1
    left = min(xs) - HALF - 24
    at = [(round(xs[place[old]] - left, 1), 178.0 + depths[old] * DOWN) for old in range(len(nodes))]
    return at, max(xs) + HALF + 24 - left, 178 + max(depths) * DOWN + 72


def _small_board(state: Any, x: float, y: float) -> str:
    board = re.sub(r'width="\d+" height="\d+"', 'width="98" height="98"', board_picture(state), count=1)
    return board.replace('<svg xmlns="http://www.w3.org/2000/svg"', f'<svg x="{x - 55:g}" y="{y:g}"', 1)


def _box(x: float, y: float) -> str:
    return f'<rect x="{x - HALF:g}" y="{y - TALL:g}" width="{2 * HALF}" height="{2 * TALL}" rx="8"'


def _curve(above: tuple[float, float], below: tuple[float, float]) -> str:
    (x, y), (x2, y2) = above, below
    return f"M{x:g} {y + TALL:g}C{x:g} {y + 38:g} {x2:g} {y2 - 52:g} {x2:g} {y2 - 32:g}"


# The list -----------------------------------------------------------------------------------------------------------

SPOKEN: dict[str, Callable[[str], str]] = {
    "alphabeta-film": alphabeta_film,
    "exercise2": lambda lang: by_command("tree", "exercise2", "--exercise", "--lang", lang),
    "exercise3": lambda lang: by_command("tree", "exercise3", "--lang", lang),
    "expectiminimax": lambda lang: by_command(
        "tree", "monotone-before", "--algorithm", "expectiminimax", "--lang", lang
    ),
    "matrix-battle": lambda lang: by_command("matrix", "battle-of-the-sexes", "--lang", lang),
    "maxn": lambda lang: by_command("tree", "three-answers", "--algorithm", "maxn", "--lang", lang),
    "mcts-growing": growing_tree,
    "mcts-worked": lambda lang: by_command("tree", "worked-mcts", "--lang", lang),
    "minimax-endgame": minimax_endgame,
    "pacman-random-ghost": lambda lang: by_command("tree", "pacman-random-ghost", "--lang", lang),
    "queens-film": queens_repaired,
    "three-players": lambda lang: by_command("tree", "three-players", "--lang", lang),
    "tictactoe-horizon2": lambda lang: by_command("tree", "tictactoe-horizon2", "--lang", lang),
    "worked": lambda lang: by_command("tree", "worked", "--lang", lang),
}
PICTURES: dict[str, Callable[[], str]] = {
    "bandits": lambda: by_command("bandit", "--pulls", "2000", "--runs", "200", "--seed", "7"),
    "growth": lambda: by_command("tree", "growth"),
    "move-orders": move_orders,
    "pacman": pacman_game,
    "pi": lambda: by_command("pi", "--points", "1000000", "--seed", "7"),
    "queens": lambda: on_paper(by_command("queens", "12", "--seed", "2"), 4),
    "reversi": reversi_board,
    "wumpus": wumpus_beliefs,
}
for _name, _draw in SPOKEN.items():
    PICTURES[_name] = partial(_draw, "en")
    PICTURES[f"{_name}.zh"] = partial(_draw, "zh")
RECORDED = {
    "alphago-ladder", "alphago-overfitting", "alphago-policy", "alphago-reinforced", "alphago-value", "cake",
    "evaluation", "matrix-learning", "matrix-tournament", "mcts-trap", "mcts-tree", "minialphago", "queens-rivals",
    "threads", "zero-connect4", "zero-domineering",
}  # fmt: skip
"""Pictures of trainings, of tournaments and of measurements."""


def lesson_pictures() -> dict[str, Callable[[], str]]:
    """The figures of the lessons in each language; their names are those of `docs_site/hooks.py`."""
    from plyground.course.figures import figure_svg
    from plyground.course.lesson import LANGUAGES, lesson_names, read_lesson

    return {
        f"lessons/{name}-{figure.key}{suffix}": partial(lesson_picture, figure_svg, figure, lang)
        for name in lesson_names()
        for lang, suffix in LANGUAGES.items()
        for figure in read_lesson(name, lang).figures
    }


def lesson_picture(draw: Callable[..., str], figure: Any, lang: str) -> str:
    """A figure of a lesson on paper, if it has no ground of its own."""
    svg = draw(figure, lang)
    return (
        svg if re.match(r"<svg\b[^>]*>\s*(<(style|title|defs)\b.*?</\2>\s*)*<rect\b", svg, re.DOTALL) else on_paper(svg)
    )


def make_lessons() -> None:
    """Write the pictures of the lessons, and remove those that no lesson shows any more."""
    wanted = lesson_pictures()
    (FOLDER / "lessons").mkdir(exist_ok=True)
    for file in (FOLDER / "lessons").glob("*.svg"):
        if f"lessons/{file.stem}" not in wanted:
            file.unlink()
    for name, draw in wanted.items():
        data = draw().encode()
        (FOLDER / f"{name}.svg").write_bytes(data)
        print(f"{name}.svg: {len(data) / 1000:.1f} kB")


def main() -> None:
    """Write the pictures whose names are given, or all of them; `lessons` are those of all lessons."""
    if sys.argv[1:] in ([], ["lessons"]):
        make_lessons()
        if sys.argv[1:]:
            return
    for name in sys.argv[1:] or PICTURES:
        data = PICTURES[name]().encode()
        (FOLDER / f"{name}.svg").write_bytes(data)
        print(f"{name}.svg: {len(data) / 1000:.1f} kB")


if __name__ == "__main__":
    main()
