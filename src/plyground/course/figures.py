"""Figures of lessons as pictures, for pages that cannot run them: what the app would show, drawn by the same code.

Of a search its end is drawn, of a film its last picture, of a bandit the regret of its policies.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from plyground.core.files import parse_json
from plyground.core.notation import read_moves
from plyground.core.registry import split_spec
from plyground.course.lesson import Figure
from plyground.errors import BadOption
from plyground.games import make_game
from plyground.games.tree import read_tree
from plyground.games.tree_notation import read_notation
from plyground.native.compiling import interpreted
from plyground.pictures.board import svg as board_svg
from plyground.pictures.filmstrip import styled_svg
from plyground.pictures.tree import Drawing, tree_svg

__all__ = ["figure_svg"]

Query = dict[str, str]
WIDTH = 1800
"""Of a picture of a tree, in pixels: what is wider is folded."""
PULLS, RUNS = 1000, 100
"""Of the experiment that a picture of bandits shows."""


def figure_svg(figure: Figure, lang: str = "en") -> str:
    """The picture of a figure, which stands alone; an error of ours if the app could not show it either."""
    return DRAWN[figure.page](dict(figure.query), lang)


# Searches -----------------------------------------------------------------------------------------------------------


def _watch(query: Query, lang: str) -> str:
    from plyground.watch.classroom import TYPED_TITLES, Lesson, classroom
    from plyground.watch.searches import exercise, search_drawing
    from plyground.watch.worked_example import worked_example

    name = query.get("lesson", "worked")
    if "tree" in query:
        lesson, game = Lesson("tree"), read_tree(_written_tree(query["tree"]), TYPED_TITLES[lang], "the tree")
    elif "game" in query:
        lesson, game = Lesson(query["game"]), make_game(query["game"])
    elif name == "worked-mcts":
        return _picture(worked_example(lang), lang)
    else:
        if name not in classroom():
            raise BadOption(f"there is no lesson '{name[:40]}' to watch; there are: {', '.join(classroom())}")
        lesson = classroom()[name]
        game = lesson.make(lang)
    state = read_moves(game, query.get("moves", "") or lesson.moves)[0][-1]
    mode = query.get("mode", "watch")
    if mode == "live":
        return board_svg(state)
    spec = "alphabeta" if mode == "exercise" else query.get("algorithm", "")
    algorithm, options = split_spec(spec) if spec else ("", {})
    if algorithm == "mcts":
        return _picture(_simulations(game, state, options, lang), lang)
    names = ("depth", "evaluation", "order", "symmetry", "quiescence")
    fields = {key: options.pop(key) for key in names if key in options}
    found = search_drawing(
        game,
        state,
        algorithm=_spec(algorithm, options) or lesson.algorithm,
        depth=int(fields["depth"]) if "depth" in fields else lesson.depth,
        evaluation=fields.get("evaluation", "") or lesson.evaluation,
        order=fields.get("order", "none"),
        symmetry=fields.get("symmetry") == "on" or lesson.symmetry,
        quiescence=fields.get("quiescence") == "on" or lesson.quiescence,
        lang=lang,
    )
    return _picture(exercise(found, lang, answers=False) if mode == "exercise" else found.drawing, lang)


def _simulations(game: Any, state: Any, options: Query, lang: str) -> Drawing:
    from plyground.watch.simulations import simulations_drawing
    from plyground.watch.visited_tree import tree_drawing

    fields = {key: options.pop(key) for key in ("simulations", "steps", "seed") if key in options}
    simulations, seed = int(fields.get("simulations", "200")), int(fields.get("seed", "0"))
    player = _spec("mcts", options)
    if "steps" not in fields:
        return tree_drawing(game, state, simulations=simulations, player=player, seed=seed, lang=lang)
    shown = int(fields["steps"])
    return simulations_drawing(game, state, simulations=simulations, shown=shown, player=player, seed=seed, lang=lang)


def _picture(drawing: Drawing, lang: str) -> str:
    return tree_svg(drawing, width=WIDTH, lang=lang)


def _spec(name: str, options: Query) -> str:
    return f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}" if options else name


def _written_tree(text: str) -> Any:
    """A tree as the app writes it into its address: in a line, or as JSON."""
    return parse_json(text, "the tree") if text.lstrip().startswith("{") else read_notation(text)


# Subjects -----------------------------------------------------------------------------------------------------------


def _bandits(query: Query, lang: str) -> str:
    from plyground.subjects.bandits.arms import parse_arms
    from plyground.subjects.bandits.experiment import measure_regret
    from plyground.subjects.bandits.pictures import regret_svg

    text = query.get("arms", "0.6,0.55,0.4")
    if text.startswith("random:"):
        raise BadOption("a figure of bandits names the means of its arms, such as arms: 0.6,0.55,0.4")
    arms, seed = parse_arms(text), int(query.get("seed", "0"))
    policies = re.split(r",(?=\s*[a-z]\w*(?:[:,]|$))", query.get("policies", "greedy,egreedy:0.1,ucb1,thompson"))
    return regret_svg([measure_regret(arms, policy.strip(), pulls=PULLS, runs=RUNS, seed=seed) for policy in policies])


def _queens(query: Query, lang: str) -> str:
    from plyground.subjects.queens.min_conflicts import Method
    from plyground.subjects.queens.pictures import STYLE, queens_frames

    method = Method(
        query.get("start", "random"), query.get("choice", "random"), float(query.get("walk", "0")),
        int(query.get("tabu", "0")),
    )  # fmt: skip
    with interpreted():
        frames = queens_frames(int(query.get("n", "8")), method, seed=int(query.get("seed", "0")), lang=lang)
    return styled_svg(frames[-1].svg, STYLE)


def _wumpus(query: Query, lang: str) -> str:
    from plyground.subjects.wumpus.agents import explore, make_agent
    from plyground.subjects.wumpus.pictures import STYLE, visit_frames
    from plyground.subjects.wumpus.world import Cave, make_world

    width, height, seed = (
        int(query.get(key, usual)) for key, usual in (("width", "4"), ("height", "4"), ("seed", "52"))
    )
    cave = Cave(width, height, float(query.get("pits", "0.2")), 5 * width * height + 60)
    with interpreted():
        world = make_world(cave, seed=seed, solvable=query.get("solvable") == "true")
        record = explore(world, make_agent(query.get("agent", "probabilistic"), cave, seed), keep_turns=True)
        frames = visit_frames(record, truth=query.get("truth", "true") == "true", lang=lang)
    return styled_svg(frames[len(frames) // 2].svg, STYLE)  # in the middle, where the agent does not know all yet


def _matrix(query: Query, lang: str) -> str:
    from plyground.subjects.cake.division import divide
    from plyground.subjects.cake.films import division_film
    from plyground.subjects.cake.valuations import read_valuations
    from plyground.subjects.matrix.analysis import analyse
    from plyground.subjects.matrix.argument import game_from_text
    from plyground.subjects.matrix.films import STYLES, analysis_film, learning_film, series_film
    from plyground.subjects.matrix.learners import learning_run
    from plyground.subjects.matrix.named_games import NAMED_GAMES
    from plyground.subjects.matrix.repeated import DILEMMA, Horizon, hold_series
    from plyground.subjects.matrix.strategies import STRATEGIES
    from plyground.subjects.matrix.zero_sum import solve_zero_sum

    what, text, seed = query.get("what", "game"), query.get("text", ""), int(query.get("seed", "1"))
    named = list(NAMED_GAMES.values())
    if what == "game":
        frames = analysis_film(analyse(game_from_text(text or named[0].name, lang)), lang=lang)
        return styled_svg(frames[0].svg, STYLES[0])
    if what == "learn":
        game = game_from_text(text or named[3].name, lang)
        value = None if game.constant_sum is None else float(solve_zero_sum(game).value)
        learner: Any = query.get("learner", "fictitious")
        frames = learning_film(
            learning_run(game, learner, steps=int(query.get("steps", "10000")), seed=seed), value, lang=lang
        )
    elif what == "repeated":
        rounds = int(query.get("rounds", "200"))
        known = query.get("known", "yes") == "yes"
        series = hold_series(
            query["who"].split(",") if query.get("who") else list(STRATEGIES),
            game=game_from_text(text, lang) if text else DILEMMA,
            horizon=Horizon(rounds) if known else Horizon(None, 1 - 1 / max(rounds, 1)),
            noise=float(query.get("noise", "0")),
            repetitions=5,
            seed=seed,
        )
        frames = series_film(series, stacked=True, lang=lang)
    else:
        people = text or "Anna: 1 1 4\nBert: 3 1 0\nCleo: 1 2 1"
        frames = division_film(
            divide(read_valuations(people.replace("; ", "\n").splitlines()), query.get("method", "")), lang=lang
        )
    return styled_svg(frames[-1].svg, STYLES[0])


def _pacman(query: Query, lang: str) -> str:
    from plyground.games.pacman import ABSENT, new_game
    from plyground.games.pacman.board import EAST
    from plyground.games.pacman.mazes import find_maze
    from plyground.games.pacman.picture import STYLE, picture

    maze = find_maze(query.get("maze", "small"))
    kinds: Sequence[str] = query.get("ghosts", "random").split(",")
    kinds = [*kinds, *[kinds[0] if len(kinds) == 1 else ABSENT] * len(maze.ghosts)][: len(maze.ghosts)]
    game = new_game(maze, tuple(kinds))
    return styled_svg(picture(game.initial, EAST, lang), STYLE)


def _hidden(query: Query, lang: str) -> str:
    from plyground.subjects.battleship.belief import Sea
    from plyground.subjects.battleship.pictures import battle_film
    from plyground.subjects.bridge.fusion import FUSION
    from plyground.subjects.poker.pictures import convergence_svg

    tab = query.get("tab", "poker")
    if tab == "battleship":
        size = int(query.get("size", "8"))
        aim: Any = query.get("aim", "probable")
        sea = Sea(size, size, {5: (3, 2), 6: (4, 3, 2), 8: (4, 3, 3, 2)}.get(size, (5, 4, 3, 3, 2)))
        frames = battle_film(sea, aim, int(query.get("seed", "0")), lang)
        return frames[len(frames) // 3].svg  # where most is believed, and little known
    if tab == "bridge":
        return board_svg(make_game(FUSION).initial)
    from plyground.search.cfr import solve
    from plyground.search.extensive import extensive

    tree = extensive(make_game(query.get("game", "kuhn")))
    return convergence_svg([solve(tree, 1000, name) for name in ("cfr", "cfr+")], seconds=False, lang=lang)


DRAWN: dict[str, Callable[[Query, str], str]] = {
    "watch": _watch,
    "bandits": _bandits,
    "queens": _queens,
    "wumpus": _wumpus,
    "matrix": _matrix,
    "pacman": _pacman,
    "hidden": _hidden,
}
"""For each page that a figure can show, what draws it."""
