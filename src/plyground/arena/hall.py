"""Where one game of a tournament is played: who may enter, how players are made for a game, and its result.

Every game has players of its own, made for it from its seed, and closed after it, whatever happens. So a game comes out
the same wherever and whenever it is played, unless its players look at the clock.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import time as clock
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from plyground.arena.copies import named_files
from plyground.arena.referee import OnMove, Rules, begun, play_game, quick_actions
from plyground.arena.tournament import Fixture, seed_of
from plyground.core.axes import Accepts
from plyground.core.files import parse_json, read_text, write_file
from plyground.core.game import Game
from plyground.core.played_game import PlayedGame, PlayerEntry, forfeited, undecided
from plyground.core.registry import split_spec
from plyground.errors import AlteredFile, BadOption, PlygroundError, UnsuitableGame
from plyground.games import make_game
from plyground.players import PLAYERS, Player, make_player
from plyground.processes.program import files_in
from plyground.protocols.caged_player import CagedPlayer
from plyground.protocols.client import ProgramPlayer
from plyground.version import __version__
from plyground.visible_text import visible

__all__ = ["Hall", "Output", "Setting", "enter_players", "has_files", "read_output", "seat_player"]

TWO_PLAYERS = Accepts(players=(2,), simultaneous=True, hidden=True, chance=True, general_sum=True)
FOREIGN = {"aima"}
"""Players that cannot be made without running the code in their files."""
PROGRAMS = {"gtp", "uci", "nboard", "course"}
"""Players that run their files in a process of their own by themselves."""
ATTEMPTS = 2
"""How often a game is played that was disturbed, before it stays so."""


# Who plays --------------------------------------------------------------------------------------------------------


def enter_players(specs: Iterable[str], game: Game) -> tuple[PlayerEntry, ...]:
    """The players of these specs, each with a name of its own; all are checked to be able to play the game.

    A name may be given before the spec, ``anna=course:file=a.py``. Without one, a player from a file is called by the
    file's name, the others by their specs.
    """
    named = [_named(spec.strip()) for spec in specs]
    names, specs = [name for name, _ in named], [spec for _, spec in named]
    options = [split_spec(spec) for spec in specs]
    stems = [Path(given["file"]).stem if list(given) == ["file"] else "" for _, given in options]
    entries: list[PlayerEntry] = []
    for own, spec, stem, (name, given) in zip(names, specs, stems, options, strict=True):
        if name == "human":
            raise BadOption("people do not play in the arena; use plyground play")
        if name not in FOREIGN:
            make_player(spec, game).close()
        elif not Path(given.get("file", "")).is_file():
            raise BadOption(f"{name}: there is no file {given.get('file', '')}; write {name}:file=player.py")
        shown = stem if stem and stems.count(stem) == 1 and stem not in specs else spec
        full = _spelled_out(name, given)
        same = sum(entry.spec == full for entry in entries)
        shown = own or (f"{shown} ({same + 1})" if same else shown)
        entries.append(PlayerEntry(shown, full, _code_digest(given)))
    return tuple(entries)


def _named(text: str) -> tuple[str, str]:
    """The name that stands before a spec, empty if there is none, and the spec."""
    before, equals, rest = text.partition("=")
    return (before.strip(), rest.strip()) if equals and ":" not in before else ("", text)


def _spelled_out(name: str, given: Mapping[str, str]) -> str:
    """A spec with the defaults of all options that have one."""
    options = dict(given)
    for option in PLAYERS.options(name):
        if option.name not in options and option.default not in (None, ""):
            options[option.name] = _option_text(option.default)
    return f"{name}:{','.join(f'{key}={value}' for key, value in options.items())}" if options else name


def seat_player(spec: str, game: Game, seed: int | None, *, cage: str = "plain", kept: Path | None = None) -> Player:
    """The player of a spec for one game. Code and files that are not ours do not enter this process, but on Windows.

    `cage` is the wall around them, see `plyground.processes.cage`; `kept` a folder for their machine code.
    """
    kind, options = split_spec(spec)
    player: Player
    if kind in PROGRAMS or sys.platform == "win32" or not (files := named_files(options)):
        player = make_player(spec, game, seed)
    else:
        player = CagedPlayer(_from_anywhere(kind, options), game, seed, [*files, *_game_files(game)])
    if isinstance(player, ProgramPlayer):
        player.cage, player.kept = cage, kept
    return player


def _from_anywhere(kind: str, options: Mapping[str, str]) -> str:
    """A spec whose files are found from any folder: behind the wall a program begins in another one."""
    found = dict(options)
    for name, value in options.items():
        before, colon, function = value.rpartition(":")
        for file, rest in ((before, colon + function), (value, "")):
            if any(files_in([file])):
                found[name] = f"{Path(file).absolute()}{rest}"
    return f"{kind}:{','.join(f'{name}={value}' for name, value in found.items())}"


def has_files(spec: str) -> bool:
    """Whether a player is somebody's program, or is made of somebody's files."""
    kind, options = split_spec(spec)
    return kind in PROGRAMS or bool(named_files(options))


def _game_files(game: Game) -> list[Path]:
    """The files in which a game of the user's own stands."""
    spec = game.spec
    if spec.endswith((".py", ".json")) and Path(spec).is_file():
        return [Path(spec)]
    return named_files(split_spec(spec)[1]) if spec.startswith("aima:") else []


def _option_text(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _code_digest(options: Mapping[str, str]) -> str:
    """Of the package's version, and of the files that a player is made of."""
    digest = hashlib.sha256(__version__.encode())
    for file in named_files(options):
        with contextlib.suppress(OSError):
            digest.update(file.read_bytes())
    return digest.hexdigest()[:16]


# One game ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Setting:
    """What all games of a tournament have in common.

    `specs` are those by which the players are made, with copies of their files, and `kept` the folders of their machine
    code; without, they are made as they were entered. `cage` is the wall around strangers' programs. `outputs` is a
    folder in which it is noted of each program in each game what it printed last and its memory, see `read_output`.
    """

    game: str
    players: tuple[PlayerEntry, ...]
    rules: Rules
    cage: str = "plain"
    specs: tuple[str, ...] = ()
    kept: tuple[Path | None, ...] = ()
    outputs: Path | None = None


@dataclass(frozen=True)
class Output:
    """What a program printed last in a game, and the most bytes of memory that it had."""

    words: str = ""
    memory: int = 0


def read_output(folder: Path, key: str, seat: int) -> Output:
    """The note about a program of a game that has ended; an empty one if there is none."""
    with contextlib.suppress(PlygroundError, TypeError, LookupError, ValueError, OverflowError):
        facts = parse_json(read_text(_output_file(folder, key, seat), "note about a program"), "a note")
        return Output(str(facts["words"]), int(facts["memory"]))
    return Output()


def _output_file(folder: Path, key: str, seat: int) -> Path:
    return folder / f"{hashlib.sha256(f'{key}/{seat}'.encode()).hexdigest()[:32]}.json"


class Hall:
    """Where games of a tournament are played, one at a time, by the referee.

    The `game` is given where the setting's name of it is not its spec.
    """

    def __init__(self, setting: Setting, game: Game | None = None) -> None:
        self.setting = setting
        self.game = make_game(setting.game) if game is None else game
        if obstacle := TWO_PLAYERS.obstacle(self.game.axes):
            raise UnsuitableGame(f"the arena is for games of two players: {obstacle}")
        self._list_actions = quick_actions(self.game)

    def play(
        self,
        fixture: Fixture,
        waiting: Callable[[int], AbstractContextManager[Any]] | None = None,
        on_move: OnMove | None = None,
    ) -> PlayedGame:
        """Play a game to its end. `waiting(seat)` is entered while a player thinks, `on_move` gets every move.

        A game that was disturbed, because a program was killed from elsewhere, is played again once.
        """
        for attempt in range(ATTEMPTS):
            record = self._play(fixture, waiting, on_move)
            if not record.disturbed or attempt + 1 == ATTEMPTS:
                break
        return record

    def _play(
        self,
        fixture: Fixture,
        waiting: Callable[[int], AbstractContextManager[Any]] | None,
        on_move: OnMove | None,
    ) -> PlayedGame:
        game, players = self.game, list[Player]()
        try:
            for seat, number in enumerate(fixture.seats):
                try:
                    players.append(self._seat(number, seed_of(fixture.seed, seat)))
                except AlteredFile:
                    raise
                except PlygroundError as error:  # it could be made when it was entered, so it has done this itself
                    return self.forfeit(fixture, seat, str(error))
            record = play_game(
                game,
                players,
                seed=fixture.seed,
                rules=self.setting.rules,
                moves=fixture.opening,
                on_move=on_move,
                waiting=waiting,
                list_actions=self._list_actions,
            )
        finally:
            for player in players:
                with contextlib.suppress(Exception):  # whatever it is, the game is over
                    player.close()
            self._note_outputs(fixture, players)
        return replace(record, key=fixture.key, game=self.setting.game, players=self._entries(fixture))

    def _note_outputs(self, fixture: Fixture, players: Sequence[Player]) -> None:
        folder = self.setting.outputs
        for seat, player in enumerate(players if folder is not None else ()):
            if folder is not None and isinstance(player, ProgramPlayer):
                facts = {"words": visible(player.last_words()), "memory": player.most_memory()}
                write_file(_output_file(folder, fixture.key, seat), json.dumps(facts).encode())

    def _seat(self, number: int, seed: int) -> Player:
        """A player for a game, if its files are still those with which it was entered."""
        setting, entry = self.setting, self.setting.players[number]
        spec = setting.specs[number] if setting.specs else entry.spec
        if entry.digest and _code_digest(split_spec(spec)[1]) != entry.digest:
            raise AlteredFile(f"the files of {entry.name} have been changed since it was entered; begin again with it")
        kept = setting.kept[number] if setting.kept else None
        return seat_player(spec, self.game, seed, cage=setting.cage, kept=kept)

    def forfeit(self, fixture: Fixture, seat: int, why: str) -> PlayedGame:
        """The result of a game that a player has brought down together with the process in which it was played."""
        moves = tuple(begun(self.game, fixture.opening)[1])
        returns, reason = forfeited(self.game, seat, f"fails: {why}")
        players = self._entries(fixture)
        return PlayedGame(
            fixture.key, self.setting.game, players, returns, moves, reason, fixture.opening, clock.time()
        )

    def disturbed(self, fixture: Fixture, seat: int, why: str) -> PlayedGame:
        """The result of a game that something else than a player has brought down, again and again."""
        moves = tuple(begun(self.game, fixture.opening)[1])
        returns, reason = undecided(self.game, seat, why)
        players = self._entries(fixture)
        return PlayedGame(
            fixture.key, self.setting.game, players, returns, moves, reason, fixture.opening, clock.time()
        )

    def _entries(self, fixture: Fixture) -> tuple[PlayerEntry, ...]:
        return tuple(self.setting.players[number] for number in fixture.seats)
