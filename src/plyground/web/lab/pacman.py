"""Pac-Man in the app: rounds played by hand, games of programs as films, and how often they win."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any, Literal

from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.limits import Limit
from plyground.core.played_game import PlayedGame
from plyground.core.rules import CHANCE, actions, result, to_move
from plyground.errors import BadOption
from plyground.games.pacman import ABSENT, GHOST_KINDS, Pacman, new_game
from plyground.games.pacman.board import EAST, size
from plyground.games.pacman.mazes import MAZES, find_maze
from plyground.games.pacman.picture import heading_between, picture, still_part
from plyground.native.compiling import interpreted
from plyground.native.randomness import stream
from plyground.pictures.filmstrip import film_data
from plyground.players import Move, Position, make_player
from plyground.subjects.pacman.film import (
    KINDS,
    WORDS,
    ending_sentence,
    film_frames,
    film_title,
    ghost_facts,
    round_sentence,
)
from plyground.subjects.pacman.many_games import Tally, default_ghosts, play_games
from plyground.web.server.events import Progress, Send

__all__ = ["Player", "choose_ghosts", "play_round", "position_facts", "watch_games"]

Player = Literal["expectimax", "learned", "minimax", "alphabeta", "mcts", "random"]
MOST_NODES = 2_000_000
KEPT = 400
"""How many positions are kept for those who go on from them."""
LONGEST = 50_000
"""Plies of a game: the largest maze has far fewer before time is up."""
PAUSE = 0.2

_kept: OrderedDict[tuple[Any, ...], tuple[Pacman, int]] = OrderedDict()


def maze_game(maze: str, ghosts: Sequence[str]) -> Game:
    """The game of a page: one of our mazes, and a kind for each of its ghosts."""
    if maze not in MAZES:
        raise BadOption(f"there is no maze '{maze[:40]}' here; there are: {', '.join(MAZES)}")
    found = find_maze(maze)
    if len(ghosts) > len(found.ghosts) or any(kind not in (*GHOST_KINDS, ABSENT) for kind in ghosts):
        raise BadOption(f"ghosts: at most {len(found.ghosts)} of {', '.join(GHOST_KINDS)}, none")
    return new_game(found, (*ghosts, *(ABSENT,) * (len(found.ghosts) - len(ghosts))))


def spec_of(player: Player, rounds: int, game: Game) -> str:
    """The player of a name that looks that many rounds ahead; of minimax every ghost's move is a ply of its own."""
    plies = rounds * (1 + int(game.initial.ghosts))
    return {
        "expectimax": f"expectiminimax:depth={rounds},nodes={MOST_NODES}",
        "learned": f"expectiminimax:depth={rounds},nodes={MOST_NODES},evaluation=learned",
        "minimax": f"minimax:depth={plies},nodes={MOST_NODES}",
        "alphabeta": f"alphabeta:depth={plies},nodes={MOST_NODES}",
        "mcts": f"mcts:simulations={300 * rounds},rollout_depth=16",
        "random": "random",
    }[player]


# A round by hand -----------------------------------------------------------------------------------------------------


def reached(maze: str, ghosts: Sequence[str], history: str) -> tuple[Game, Pacman, int]:
    """The game, the position after a history, a digit for each ply, and where Pac-Man looks."""
    game = maze_game(maze, ghosts)
    key = (maze, tuple(ghosts), history)
    if key in _kept:
        _kept.move_to_end(key)
        return game, *_kept[key]
    if len(history) > LONGEST:
        raise BadOption(f"a game has at most {LONGEST} plies")
    state, heading = game.initial, EAST
    for letter in history:
        if not ("0" <= letter <= "4" and int(letter) in actions(state)):
            raise BadOption("the history has a move that is not legal; begin the game again")
        following = result(state, int(letter))
        heading = heading_between(state, following, heading)
        state = following
    return game, state, heading


def play_round(maze: str, ghosts: Sequence[str], history: str, action: int | None, seed: int) -> tuple[str, bool]:
    """The history after Pac-Man's action and the moves of random ghosts; and whether a played ghost is to move.

    Chance depends on the seed and on the number of the ply alone.
    """
    _, state, heading = reached(maze, ghosts, history)
    if action is not None:
        if state.ended:
            raise BadOption("the game is over; begin another")
        if action not in actions(state) or to_move(state) != 0:
            raise BadOption("Pac-Man cannot go there")
        following = result(state, action)
        heading, state = heading_between(state, following, heading), following
        history += str(action)
    while (options := actions(state)) and (mover := to_move(state)) != 0:
        if mover != CHANCE:
            keep(maze, ghosts, history, state, heading)
            return history, True
        with interpreted():
            chosen = int(chance_action(state, options, len(options), stream(seed, len(history))))
        state = result(state, chosen)
        history += str(chosen)
    keep(maze, ghosts, history, state, heading)
    return history, False


def keep(maze: str, ghosts: Sequence[str], history: str, state: Pacman, heading: int) -> None:
    """Remember a position, from which most likely somebody goes on."""
    _kept[maze, tuple(ghosts), history] = (state, heading)
    while len(_kept) > KEPT:
        _kept.popitem(last=False)


def position_facts(maze: str, ghosts: Sequence[str], history: str, before: str | None, lang: str) -> dict[str, Any]:
    """A position for the page: its picture, what happened since `before`, and what Pac-Man may do."""
    _, state, heading = reached(maze, ghosts, history)
    words = WORDS[lang]
    if before is None:
        said = ending_sentence(state, lang) or words["start"].format(points=state.points)
    else:
        said = round_sentence(reached(maze, ghosts, before)[1], state, lang)
    return {
        "svg": picture(state, heading, lang),
        "caption": said,
        "history": history,
        "points": int(state.points),
        "food": size(state.food),
        "left": int(state.left),
        "over": bool(state.ended),
        "legal": actions(state) if state.turn == 0 else [],
        "ghosts": ghost_facts(state, lang),
    }


def choose_ghosts(send: Send, *, maze: str, ghosts: list[str], history: str, seed: int) -> dict[str, Any]:
    """What the second player chooses for its ghosts, one after the other, with the random ghosts between them."""
    game, _, _ = reached(maze, ghosts, history)
    with make_player(default_ghosts(game), game, seed) as player:
        send({"event": "started"})
        waits = True
        while waits:
            _, state, heading = reached(maze, ghosts, history)
            move = player.choose(Position(game, state), Limit(time=1.0))
            assert isinstance(move, Move)
            history += str(int(move.action))
            keep(maze, ghosts, history, result(state, move.action), heading)
            history, waits = play_round(maze, ghosts, history, None, seed)
    return {"history": history}


# Programs ------------------------------------------------------------------------------------------------------------


def watch_games(
    send: Send,
    *,
    maze: str,
    ghosts: list[str],
    player: Player,
    rounds: int,
    believes: str | None,
    games: int,
    seed: int,
    lang: str,
) -> None:
    """Let a program play: send ``progress`` now and then, the ``film`` of the first game, and the ``tally`` at last."""
    game = maze_game(maze, ghosts)
    spec = spec_of(player, rounds, game)
    films: list[PlayedGame] = []
    done = 0
    progress = Progress(send, PAUSE)
    send({"event": "started"})

    def on_game(played: PlayedGame) -> None:
        nonlocal done
        done += 1
        if not films:
            films.append(played)
        progress(done=done, games=games)

    tally = play_games(game, spec, games, seed, believes=believes, on_game=on_game)
    film = film_data(film_frames(films[0], game.initial, lang), title=film_title(spec, tally.believes, lang), lang=lang)
    # The walls are the same in all pictures: they are sent once.
    start = still_part(game.initial, lang)
    for frame in film["frames"]:
        frame["svg"] = frame["svg"].removeprefix(start)
    send({"event": "film", "film": film, "start": start})
    send({"event": "tally", "cells": tally_cells(tally, lang)})


def tally_cells(tally: Tally, lang: str) -> list[str]:
    """A line of the table of games: who, its beliefs, games won and their interval, caught, time up, score."""
    low, high = tally.win_interval
    error = "" if tally.games < 2 else f" ± {tally.score_error:.0f}"
    return [
        tally.player.replace(f",nodes={MOST_NODES}", ""),
        KINDS[lang][tally.believes],
        f"{tally.won} / {tally.games}",
        f"{100 * low:.0f}\N{EN DASH}{100 * high:.0f}%",
        str(tally.caught),
        str(tally.late),
        f"{tally.mean_score:.0f}".replace("-", "\N{MINUS SIGN}") + error,
    ]
