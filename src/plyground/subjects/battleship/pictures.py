"""Pictures of Battleship: what a shooter believes, a whole game as a film, and how many shots it takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from plyground.games.battleship import HIT, MISS, SUNK, cell_text
from plyground.native.randomness import stream
from plyground.pictures.filmstrip import Frame
from plyground.pictures.player_words import check_language
from plyground.pictures.plot import Panel, Series, plot_svg
from plyground.pictures.sea import sea_svg
from plyground.subjects.battleship.belief import EXACT_STEPS, SAMPLES, Belief, Sea, Shots, believe, random_fleet
from plyground.subjects.battleship.shooters import Aim, ShotStatistics, aim_at

__all__ = ["battle_film", "belief_svg", "shots_svg"]

WORDS = {
    "en": {
        "knows": "chance of a hit, in %",
        "fleet": "the fleet",
        "start": "Nothing is known yet.",
        "shot": "Shot {number}, {cell}: {answer}.",
        "miss": "a miss",
        "hit": "a hit",
        "sunk": "the ship of {length} is sunk",
        "next": "Next it aims at {cell}, where a ship lies with probability {chance}%.",
        "blind": "Next it aims at {cell}.",
        "over": "The whole fleet is sunk with {number} shots.",
        "fits": "Fleets that fit",
        "afloat": "Ships afloat",
        "exact": "exactly {fleets}",
        "about": "about {fleets}",
    },
    "zh": {
        "knows": "命中概率（%）",
        "fleet": "舰队",
        "start": "还什么都不知道。",
        "shot": "第 {number} 发，{cell}：{answer}。",
        "miss": "未中",
        "hit": "命中",
        "sunk": "长 {length} 的船沉没",
        "next": "接下来瞄准 {cell}，那里有船的概率是 {chance}%。",
        "blind": "接下来瞄准 {cell}。",
        "over": "用 {number} 发击沉整个舰队。",
        "fits": "符合的舰队",
        "afloat": "尚未沉没的船",
        "exact": "恰好 {fleets}",
        "about": "约 {fleets}",
    },
}


def marks(sea: Sea, shots: Shots) -> list[str]:
    """A character a cell, as `sea_svg` takes them: what the answers say."""
    cells = ["."] * sea.cells
    for cell, answer in shots:
        cells[cell] = "o" if answer == MISS else "x" if answer == HIT else "#"
    return cells


def belief_svg(sea: Sea, shots: Shots, belief: Belief, target: int = -1, title: str = "") -> str:
    """The board with the chance of a hit in every cell that was not shot at, in percent."""
    name = title or WORDS["en"]["knows"]
    board = marks(sea, shots)
    return sea_svg([(name, board)], rows=sea.rows, columns=sea.columns, chances=belief.chances.tolist(), target=target)


def battle_film(sea: Sea, aim: Aim, seed: int, lang: str = "en") -> list[Frame]:
    """A game of one shooter against a random fleet, a frame a shot."""
    words = WORDS[check_language(lang)]
    rng = stream(seed)
    where = sea.places()
    fleet = [
        frozenset(int(c) for c in where.cells[ship, place, : sea.ships[ship]])
        for ship, place in enumerate(random_fleet(sea, rng))
    ]
    real = ["."] * sea.cells
    for ship, cells in enumerate(fleet):
        for cell in cells:
            real[cell] = chr(65 + ship)
    shots: Shots = []
    frames = []
    told = words["start"]
    while True:
        fired = {cell for cell, _ in shots}
        afloat = [ship for ship, cells in enumerate(fleet) if not cells <= fired]
        drawn = seed + 1000 * len(shots)
        belief = believe(sea, shots, seed=drawn)
        target, caption = -1, told
        if afloat:  # it aims by the numbers that the picture shows
            target, _ = aim_at(sea, shots, aim, drawn, samples=SAMPLES, steps=EXACT_STEPS)
            sentence = words["blind"] if aim in ("random", "hunt") else words["next"]
            chance = f"{100 * belief.chances[target]:.0f}"
            caption += " " + sentence.format(cell=cell_text(target, sea.columns), chance=chance)
        else:
            caption += " " + words["over"].format(number=len(shots))
        picture = sea_svg(
            [(words["knows"], marks(sea, shots)), (words["fleet"], _seen(real, shots))], rows=sea.rows,
            columns=sea.columns, chances=belief.chances.tolist(), target=target,
        )  # fmt: skip
        number = words["exact" if belief.exact else "about"].format(fleets=_large(belief.fleets, lang))
        lengths = ", ".join(str(sea.ships[ship]) for ship in afloat) or "-"
        frames.append(Frame(picture, caption, [(words["fits"], [number]), (words["afloat"], [lengths])]))
        if not afloat:
            return frames
        answer = MISS
        for ship, cells in enumerate(fleet):
            if target in cells:
                answer = SUNK + ship if cells <= fired | {target} else HIT
        shots.append((target, answer))
        said = words["miss"] if answer == MISS else words["hit"]
        if answer >= SUNK:
            said = words["sunk"].format(length=sea.ships[answer - SUNK])
        told = words["shot"].format(number=len(shots), cell=cell_text(target, sea.columns), answer=said)


def _seen(real: Sequence[str], shots: Shots) -> list[str]:
    cells = list(real)
    for cell, answer in shots:
        cells[cell] = "o" if answer == MISS else "x"
    return cells


LARGE = {"en": ((1e9, " billion"), (1e6, " million")), "zh": ((1e8, " 亿"), (1e4, " 万"))}


def _large(number: float, lang: str) -> str:
    """A number as people say it: large ones with two digits and a word."""
    for unit, word in LARGE[lang]:
        if number >= max(unit, 1e6):
            digits = float(f"{number:.2g}") / unit
            return f"{digits:,.0f}{word}" if digits >= 10 else f"{digits:.1f}{word}"
    return f"{number:,.0f}"


def shots_svg(results: Sequence[ShotStatistics], sea: Sea) -> str:
    """The share of fleets that each shooter has sunk with n shots."""
    lines = []
    for found in results:
        times = np.arange(sum(sea.ships), sea.cells + 1)
        sunk = np.searchsorted(np.sort(found.shots), times, side="right") / len(found.shots)
        lines.append(Series(f"{found.aim} ({found.mean:.1f})", times, sunk))
    games = len(results[0].shots)
    ships = ",".join(map(str, sea.ships))
    return plot_svg(
        [Panel(lines, "Fleets sunk with n shots, and the mean", "shots", "share", y_range=(0, 1), width=520)],
        title=f"Battleship on {sea.rows}×{sea.columns}, ships {ships}: {games:,} random fleets",
    )
