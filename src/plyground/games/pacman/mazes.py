"""Mazes for Pac-Man, drawn as text: those that come with the library, and yours from a file.

    #   wall         .   food       P   Pac-Man
    (blank) floor    o   capsule    G   a ghost

A maze is closed by walls, has at most 256 cells, one Pac-Man, at most six ghosts, and food that can be reached.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from plyground.core.files import read_text
from plyground.errors import BadOption, FormatError, suggestion

__all__ = ["MAZES", "MOST_CELLS", "MOST_GHOSTS", "Maze", "find_maze", "parse_maze"]

MOST_CELLS = 256
MOST_GHOSTS = 6
WIDEST = 63
WALL, FLOOR, FOOD, CAPSULE, PACMAN, GHOST = "# .oPG"
LARGEST_FILE = 10_000
"""Characters; the largest maze has 256 cells."""

MAZES = {
    "trapped": """
###########
#G P    ###
#######  ##
#......G..#
#.###.###.#
#.........#
###########
""",
    "corridor": """
#######
#.P..G#
#######
""",
    "tiny": """
########
#..  ..#
#.#..#.#
#P#.G#.#
#......#
########
""",
    "small": """
#############
#...........#
#.#.#.#.#.#.#
#.#.#...#.#.#
#.#.#G#G#.#.#
#.o.#...#.o.#
###.##.##.###
##....P....##
#############
""",
    "open": """
############
#..........#
#.G......G.#
#....oo....#
#..........#
#.G..P.....#
#..........#
############
""",
    "rooms": """
################
#o...#....#...o#
#.##.#.##.#.##.#
#.....GG.......#
#.##.#.##.#.##.#
#....#.##.#....#
###.##.##.##.###
#......P.......#
#.####.##.####.#
#o............o#
################
""",
    "classic": """
####################
#o...#........#...o#
#.##.#.######.#.##.#
#.#..............#.#
#.#.##.##  ##.##.#.#
#......#GGGG#......#
#.#.##.######.##.#.#
#.#......P.......#.#
#.##.#.######.#.##.#
#o...#........#...o#
####################
""",
}
"""Ours, the smallest first after the trap."""


@dataclass(frozen=True)
class Maze:
    """A maze: its size, and its cells as numbers, row by row from the upper left corner."""

    name: str
    width: int
    height: int
    floor: frozenset[int]
    food: frozenset[int]
    capsules: frozenset[int]
    pacman: int
    ghosts: tuple[int, ...]

    def neighbours(self, cell: int) -> Iterator[int]:
        """The cells of the floor beside a cell."""
        for other in (cell - self.width, cell + 1, cell + self.width, cell - 1):
            if other in self.floor:
                yield other

    def reachable(self) -> set[int]:
        """The cells that Pac-Man can walk to."""
        seen, waiting = {self.pacman}, [self.pacman]
        while waiting:
            for other in self.neighbours(waiting.pop()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        return seen


def find_maze(name: str) -> Maze:
    """The maze of that name, or of a text file: what ends in .txt, or has a folder in its name, is a file."""
    if name in MAZES:
        return parse_maze(MAZES[name], name)
    if name.endswith(".txt") or "/" in name or "\\" in name:
        return parse_maze(read_text(name, "maze", LARGEST_FILE), Path(name).stem)
    raise BadOption(f"there is no maze '{name[:40]}'{suggestion(name, MAZES)}; a maze of your own is a file x.txt")


def parse_maze(text: str, name: str = "maze") -> Maze:
    """The maze that a text draws; `FormatError` says what is wrong with it, and where."""
    if len(text) > LARGEST_FILE:
        raise FormatError(f"the maze {name} is too large: it may have {MOST_CELLS} cells")
    rows = [row.rstrip() for row in text.replace("%", WALL).splitlines()]
    while rows and not rows[0]:
        rows.pop(0)
    while rows and not rows[-1]:
        rows.pop()
    if not rows:
        raise FormatError(f"the maze {name} is empty; draw it with # . o P G and blanks")
    left = min(len(row) - len(row.lstrip()) for row in rows if row)
    rows = [row[left:] for row in rows]
    width, height = max(map(len, rows)), len(rows)

    def wrong(what: str) -> FormatError:
        return FormatError(f"the maze {name}: {what}")

    if width * height > MOST_CELLS or width > WIDEST:
        raise wrong(f"{width} x {height} is too large; it may have {MOST_CELLS} cells and {WIDEST} columns")
    cells: dict[str, list[int]] = {kind: [] for kind in (WALL, FLOOR, FOOD, CAPSULE, PACMAN, GHOST)}
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row.ljust(width)):
            where = f"line {r + 1}, column {c + 1}"
            if symbol not in cells:
                raise wrong(f"'{symbol}' in {where} means nothing; write # . o P G or a blank")
            if symbol != WALL and (r in (0, height - 1) or c in (0, width - 1)):
                raise wrong(f"it is open in {where}; close it with #")
            cells[symbol].append(r * width + c)
    if len(cells[PACMAN]) != 1:
        raise wrong(f"it has {len(cells[PACMAN])} P; it needs one, where Pac-Man begins")
    if len(cells[GHOST]) > MOST_GHOSTS:
        raise wrong(f"it has {len(cells[GHOST])} ghosts; it may have {MOST_GHOSTS}")
    if not cells[FOOD]:
        raise wrong("it has no food; write . where there is some")
    floor = frozenset(cell for kind, group in cells.items() if kind != WALL for cell in group)
    maze = Maze(
        name, width, height, floor, frozenset(cells[FOOD]), frozenset(cells[CAPSULE]), cells[PACMAN][0],
        tuple(cells[GHOST]),
    )  # fmt: skip
    if lost := sorted(maze.food - maze.reachable()):
        raise wrong(f"the food in line {lost[0] // width + 1}, column {lost[0] % width + 1} cannot be reached")
    return maze
