"""A sample of every format that the product reads, and what damage and malice make of it.

A new format joins by a line in `FORMATS`: its name, how to write a sample, how to read a file, and, if a file carries a
digest of itself, how to make that fit again; an attacker would.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import re
import sqlite3
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from plyground import make_game
from plyground.arena.database import Database
from plyground.arena.openings import read_openings
from plyground.core.files import read_text
from plyground.core.game import Game
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.course.exercises.handed_in import check_file
from plyground.course.lesson import parse_lesson
from plyground.course.lesson_html import lesson_blocks
from plyground.engines.chess import ending_tables
from plyground.engines.reversi import book as reversi_book
from plyground.engines.reversi.positions import UNKNOWN, Games, load_games, save_games
from plyground.engines.reversi.rollout import WEIGHTS as ROLLOUT_WEIGHTS
from plyground.engines.reversi.rollout import read_rollout, save_rollout
from plyground.errors import FormatError, PlygroundError
from plyground.formats.pgn import ChessRecord, read_pgn, write_pgn
from plyground.formats.polyglot import ENTRY, PolyglotBook, move_code, polyglot_key
from plyground.formats.recognise import read_any_file
from plyground.formats.sgf import read_sgf
from plyground.formats.wthor import collect_games, read_names, read_wthor, write_names, write_wthor
from plyground.games import tree
from plyground.games.pacman.mazes import MAZES, find_maze
from plyground.games.tree import counts_of, load_tree
from plyground.learning.onnx_file import BLANK, DIGEST, OnnxNetwork, onnx_bytes
from plyground.learning.onnx_graph import read_graph
from plyground.learning.run import MARK, Journal, Run, curve
from plyground.native.sealing import sealed, unsealed
from plyground.pictures.plot import Panel, plot_svg
from plyground.search import endgame_table
from plyground.search.cfr import solve
from plyground.search.extensive import Extensive, extensive
from plyground.search.learned_values import ValueNet, load_value, save_value
from plyground.search.opening_book import Book, BookEntry
from plyground.search.retrograde import build_table
from plyground.search.strategy_file import load_strategy, strategy_data
from plyground.subjects.matrix.argument import game_of
from plyground.subjects.wumpus.caves import read_caves
from plyground.web.games.store import open_live

__all__ = ["BOMBS", "FORMATS", "FileFormat", "attempt", "mutated"]

Seal = Callable[[bytes], bytes]


@dataclass(frozen=True)
class FileFormat:
    """A kind of file: the end of its name, how a sample is written, how one is read, how its digest is mended."""

    name: str
    suffix: str
    write: Callable[[Path], object]
    read: Callable[[Path], object]
    seal: Seal = bytes


# Samples ------------------------------------------------------------------------------------------------------------

TICTACTOE: Game = make_game("tictactoe")
KEY = bytes(range(32))
GGF = (
    "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15]PB[a]PW[b]RB[2197.01]RW[2199.72]TI[05:00//02:00]TY[8]RE[+4.00]"
    "BO[8 ---------------------------O*------*O--------------------------- *]B[d3/+1.50/0.01]W[c5//2.5];)\n"
)
OBF = "-XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X; A4:+10; A3:-4; % FFO 2\n"
BOARD = "  a b c d e f g h\n" + "".join(f"{row} - - - {'O X' if row == 4 else 'X O'} - - -\n" for row in range(1, 9))
PGN = """[Event "Café \\"x\\""]
[White "Anna"]
[Black "张三"]
[Date "2024.05.01"]
[Result "1-0"]

{before} 1. e4 {[%clk 0:10:00] hi} e5!? 2.Nf3 d6 $2 {Philidor's
defence} ; more } here
% a line of its own (
3. d4 Bg4?! (3... exd4 {x} 4. Nxd4 (4. Qxd4 a6) (4. c3 -- 5. a3) 4... Nf6) 4. dxe5 Bxf3 5. Qxf3 dxe5 1-0

[FEN "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w GBgb - 0 1"]
[Variant "Chess960"]
[SetUp "1"]

1. f4 f5 2. g4 *
"""
EPD = (
    '1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01"; ce -35; c0 "a \\"b\\" ;";\n'
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 am h4 g4; pv e4 e5 Nf3; acd 12; x 0.5\n"
)
SGF = "(;GM[2]PB[a]PW[b]C[a \\] b];B[f5]C[good];W[d6];B[ec](;W[])(;W[cd]))"
TREE = {
    "title": "t",
    "players": ["A", "B"],
    "root": {"max": {"l": {"min": [3, 12]}, "r": {"chance": [[0.5, 2], [0.5, 4]]}}},
}
PRACTICE = (
    '{"file": "plyground practice", "version": 1, "name": "Li", "exercises": [{"kind": "minimax", "level": 1, '
    '"number": 3, "options": {}, "answers": {"0": "3", "1": "2"}, "complete": false, "hints": 1}]}'
)
LESSON = """# A title

What it is about, in *one* [paragraph](minimax.md).

## A section

```figure watch
tree: ((3 12 8) (2 4 6) (14 5 2))
algorithm: alphabeta
caption: A tree.
```

| a | b |
|---|---|
| `1` | $2$ |

```quiz
Which leaves are never seen?
- [x] x and y | 2 is less than 3.
- [ ] none | Minimax sees them all.
```

```exercise
kind: alphabeta
level: 2
```
"""
MATRIX = "name: prisoner's dilemma\nplayers: Anna, Bert\n    silent betray\nsilent 1,1 3,0\nbetray 0,3 2/3,2e1\n"


@cache
def _kuhn() -> Extensive:
    return extensive(make_game("kuhn"))


def _text(content: str) -> Callable[[Path], object]:
    return lambda path: path.write_text(content, encoding="utf-8")


def _write_games(path: Path) -> None:
    moves = np.full((40, 60), 255, np.uint8)
    moves[:, :3] = 37, 43, 18
    scores = np.full((40, 61), UNKNOWN, np.int8)
    save_games(path, Games(moves, scores, scores.copy(), np.zeros(40, np.uint8)))


def _read_chess(path: Path) -> object:
    """Everything in a file, written and read again where it is a game."""
    items = list(read_any_file(path))
    return [read_pgn(write_pgn(item)) for item in items if isinstance(item, ChessRecord)] or repr(items)


def _write_polyglot(path: Path) -> None:
    start = make_game("chess").initial
    rows = [(polyglot_key(start), move_code(start, action), weight, 0) for action, weight in ((796, 3), (731, 2))]
    path.write_bytes(np.array(rows, ENTRY).tobytes() * 20)


def _read_polyglot(path: Path) -> object:
    book = PolyglotBook.load(path)
    start = make_game("chess").initial
    return book.moves(start), book.choose(start, random.Random(1))


def _write_values(path: Path) -> None:
    inputs, hidden = 18, 4
    shapes = ((inputs, hidden), (hidden,), (hidden, 1), (inputs, 1), (1,))
    save_value(path, ValueNet(*(np.ones(shape, np.float32) for shape in shapes)), TICTACTOE, 7)


def _write_rollout(path: Path) -> None:
    save_rollout(path, np.zeros(ROLLOUT_WEIGHTS, np.float32))


def _write_book(path: Path) -> None:
    book = Book(TICTACTOE)
    book.add(TICTACTOE.initial, BookEntry((4, 0), 0.5, 9, 1234, "mcts:time=1", ""))
    book.save(path)


def _read_book(path: Path) -> object:
    book = Book.load(path, TICTACTOE)
    return f"{book.find(TICTACTOE.initial)!r} {book.save(path)}"


def _write_reversi_book(path: Path) -> None:
    path.write_bytes(reversi_book.PACKAGED.read_bytes())


def _write_table(path: Path) -> None:
    build_table(make_game("nim:piles=3,2")).save(path)


def _seal_table(data: bytes) -> bytes:
    content = data[: -endgame_table.DIGEST]
    return content + hashlib.sha256(content).digest()


def _write_strategy(path: Path) -> None:
    path.write_text(json.dumps(strategy_data(solve(_kuhn(), 10, "cfr+"))))


def _write_network(path: Path) -> None:
    shapes = {
        "stem.weight": (4, 2, 3, 3),
        "head.weight": (4, 4, 1, 1),
        "policy.weight": (10, 18),
        "value_inner.weight": (8, 18),
        "value.weight": (1, 8),
    }
    weights = {name: np.ones(shape, np.float32) for name, shape in shapes.items()}
    weights |= {name.replace("weight", "bias"): np.zeros(shape[0], np.float32) for name, shape in shapes.items()}
    path.write_bytes(onnx_bytes(weights, {"game": "x"}))


def _seal_network(data: bytes) -> bytes:
    try:
        digest = read_graph(data).facts.get(DIGEST, "")
    except ValueError:
        return data
    if len(digest) != len(BLANK):
        return data
    blank = data.replace(digest.encode(), BLANK.encode())
    return data.replace(digest.encode(), hashlib.sha256(blank).hexdigest().encode())


def _read_network(path: Path) -> object:
    return OnnxNetwork(path.read_bytes(), str(path))(np.zeros((2, 2, 3, 3), np.float32))


class _Counting(Run):
    """A run that only counts."""

    kind = "counting"

    def __init__(self, folder: Path) -> None:
        import torch

        super().__init__(folder, {"size": "1"})
        self.kept: dict[str, Any] = {
            "total": torch.zeros(3),
            "seen": torch.zeros(0, 2),
            "steps": 3,
            "word": "w",
            "rates": [0.1],
        }

    def learn(self, progress: float, tell: Any) -> dict[str, Any]:
        return {"loss": 0.5, "interval": [0.1, 0.2], "elo": None}

    def contents(self) -> dict[str, Any]:
        return self.kept

    def restore(self, contents: dict[str, Any]) -> None:
        self.kept = {name: contents[name] for name in self.kept}

    def network_file(self) -> bytes:
        return b""

    def panels(self) -> list[Panel]:
        lines = self.journal.lines
        return [Panel([curve(lines, "loss", "loss"), curve(lines, "elo", "Elo")], title="t", x_label="x", y_label="y")]


def _write_run(path: Path) -> None:
    run = _Counting(path.parent)
    run.open()
    run.train(iterations=3)
    run.close()


def _read_run(path: Path) -> object:
    run = _Counting(path.parent)
    run.open()
    try:
        run.train(iterations=run.iteration + 1)
        return plot_svg(run.panels())
    finally:
        run.close()


def _write_journal(path: Path) -> None:
    journal = Journal(path)
    for number in range(1, 5):
        journal.add(
            {"iteration": number, "seconds": 1.5 * number, "loss": 0.5 / number, "interval": [0.1, 0.2], "elo": None}
        )


def _read_journal(path: Path) -> object:
    journal = Journal(path)
    journal.resume(3)
    series = [curve(journal.lines, name, name) for name in ("loss", "elo", "interval")]
    return plot_svg([Panel(series, title="t", x_label="x", y_label="y")])


def _seal_checkpoint(data: bytes) -> bytes:
    content = data[len(MARK) + 32 :]
    return data[: len(MARK)] + hashlib.sha256(content).digest() + content if data.startswith(MARK) else data


def _write_database(path: Path) -> None:
    players = PlayerEntry("ann", "mcts:time=1", "d1"), PlayerEntry("bob", "random", "d2")
    moves = PlayedMove(0, 37, "f5", 0.25, 0.5, 7, 12345), PlayedMove(1, 43, "d6", 0.5)
    with Database(path) as database:
        for number in range(20):
            database.add(PlayedGame(f"t/{number}", "reversi", players, (1.0, -1.0), moves))
        database.save_tournament("t", {"games": 20})


def _read_database(path: Path) -> object:
    with Database(path, write=False) as database:
        for game in database.games():
            database.tallies(game)
        read = [database.players(), database.tournaments(), database.tournament("t"), database.keys("t")]
        read.append(list(database.results()))
    with Database(path) as database:
        database.save_tournament("u", {})
        database.add(PlayedGame("u/1", "nim", (PlayerEntry("ann"), PlayerEntry("cat")), (1.0, 0.0), ()))
    return repr(read)


def _write_wthor(path: Path) -> None:
    game = next(iter(_records()))
    write_wthor(path, collect_games([game] * 5, 2003, (2004, 1, 2)))


def _records() -> Any:
    from plyground.formats.record import Result
    from plyground.formats.transcript import read_transcript

    record = read_transcript("f5d6c3d3c4")
    return [type(record)(record.start, record.moves, result=Result(4.0))]


def _read_sgf(path: Path) -> object:
    try:
        return read_sgf(path.read_text(encoding="utf-8", errors="replace"))
    except ValueError as error:
        raise FormatError(f"{path}: {error}") from None


def _write_code(path: Path) -> None:
    path.write_bytes(sealed(KEY, "code", b"machine code" * 50))


def _read_code(path: Path) -> object:
    """Like the cache of machine code: what is not as it was sealed is never unpickled."""
    content = unsealed(KEY, "code", path.read_bytes())
    if content is None:
        raise FormatError(f"{path} is damaged")
    if content != b"machine code" * 50:
        raise AssertionError("a file with another content is taken for ours")
    return content


def _measured(path: Path) -> None:
    n = 30
    data = io.BytesIO()
    words = np.arange(n, dtype=np.uint64)
    np.savez_compressed(
        data, own=words, opponent=words, values=np.zeros((n, 10), np.int64), scores=np.zeros(n, np.int64)
    )
    path.write_bytes(data.getvalue())


def _read_measured(path: Path) -> object:
    from plyground.cli.train_probcut import _load_measured

    return _load_measured(path)


def _counted() -> str:
    return (Path(tree.__file__).parent / "trees" / "worked-mcts.json").read_text(encoding="utf-8")


def _read_lesson(path: Path) -> object:
    return lesson_blocks(parse_lesson(read_text(path, "lesson"), "games", file=path.name))


def _read_students(path: Path) -> object:
    from plyground.cli.course_exercises import _names

    return _names(path)


FORMATS = (
    FileFormat("games of Reversi", ".npz", _write_games, load_games),
    FileFormat("learned values", ".npz", _write_values, lambda path: load_value(path, TICTACTOE)),
    FileFormat("measurements", ".npz", _measured, _read_measured),
    FileFormat("rollout policy", ".npz", _write_rollout, read_rollout),
    FileFormat("book", ".book", _write_book, _read_book),
    FileFormat("Reversi book", ".book", _write_reversi_book, reversi_book.OpeningBook.load),
    FileFormat(
        "endgame table", ".table", _write_table,
        lambda path: endgame_table.EndgameTable.load(path, make_game("nim:piles=3,2")), _seal_table,
    ),
    FileFormat(
        "chess ending", ".ending", lambda path: ending_tables.bundled_tables().tables["KRK"].save(path),
        ending_tables.EndingTable.load, _seal_table,
    ),
    FileFormat("strategy", ".json", _write_strategy, lambda path: load_strategy(path, _kuhn())),
    FileFormat("network", ".onnx", _write_network, _read_network, _seal_network),
    FileFormat("checkpoint", "checkpoint.pt", _write_run, _read_run, _seal_checkpoint),
    FileFormat("journal", ".jsonl", _write_journal, _read_journal),
    FileFormat("database", ".db", _write_database, _read_database),
    FileFormat("games in progress", ".db", lambda path: open_live(path).close(), lambda path: open_live(path).close()),
    FileFormat("GGF", ".ggf", _text(GGF * 3), lambda path: list(read_any_file(path))),
    FileFormat("OBF", ".obf", _text(OBF * 3), lambda path: list(read_any_file(path))),
    FileFormat("transcript", ".txt", _text("f5d6c3d3c4\nf5f6e6f4\n"), lambda path: list(read_any_file(path))),
    FileFormat("board", ".txt", _text(BOARD + "X to move\n"), lambda path: list(read_any_file(path))),
    FileFormat("WTHOR", ".wtb", _write_wthor, lambda path: [*read_any_file(path), *read_wthor(path).doubts()]),
    FileFormat("names", ".jou", lambda path: write_names(path, ["a", "b"], (2004, 1, 2)), read_names),
    FileFormat("PGN", ".pgn", _text(PGN), _read_chess),
    FileFormat("EPD", ".epd", _text(EPD), _read_chess),
    FileFormat("Polyglot book", ".bin", _write_polyglot, _read_polyglot),
    FileFormat("SGF", ".sgf", _text(SGF), _read_sgf),
    FileFormat("tree", ".json", _text(json.dumps(TREE)), load_tree),
    FileFormat("tree with counts", ".json", _text(_counted()), lambda path: counts_of(load_tree(path).initial)),
    FileFormat("lesson", ".md", _text(LESSON), _read_lesson),
    FileFormat("practice handed in", ".json", _text(PRACTICE), check_file),
    FileFormat("names of students", ".txt", _text("Anna\n张三\n\n=1+1\tx\n"), _read_students),
    FileFormat("maze", ".txt", _text(MAZES["small"]), lambda path: find_maze(str(path))),
    FileFormat("caves", ".txt", _text(". P\nWG .\n@ .\n\n. G W\n@ . .\n"), read_caves),
    FileFormat("matrix", ".game", _text(MATRIX), lambda path: game_of(str(path))),
    FileFormat("openings", ".txt", _text("# two\nb2 a1\na1 c3\n"), lambda path: read_openings(TICTACTOE, path)),
    FileFormat("machine code", ".bin", _write_code, _read_code),
)  # fmt: skip


# Damage and malice --------------------------------------------------------------------------------------------------

NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
VALUE = re.compile(rb'"[^"\\]*"|-?\d+(?:\.\d+)?|null|true|\[[^\[\]]*\]|\{[^{}]*\}')
HUGE = (b"9" * 20, b"9" * 400, b"9" * 5000, b"-1", b"0", b"1e999", b"NaN", b"-Infinity", b"4294967296", b"1e-400")
OTHERS = (b"null", b'"x"', b"[]", b"{}", b"-1", b"true", b'"\\ud800"', b'"\\u0000"', b"1.5", b"[[1]]")
NESTS = (b"[", b"{", b"(", b"(;", b'{"a":', b'{"max":[', b"((", b"\\", b'"')
WORDS = (b"\xff" * 4, b"\xff\xff\xff\x7f", b"\0" * 4, b"\0\0\0\x80", b"\xff" * 8, b"\0\xff" * 4)


def _flips(data: bytearray, rng: random.Random) -> bytearray:
    for _ in range(rng.choice((1, 1, 1, 2, 8))):
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
    return data


def _cut(data: bytearray, rng: random.Random) -> bytearray:
    return data[: rng.randrange(len(data))] if rng.random() < 0.7 else data[rng.randrange(len(data)) :]


def _block(data: bytearray, rng: random.Random) -> slice:
    first = rng.randrange(len(data))
    return slice(first, first + rng.choice((1, 4, 16, 100, 1000, 5000)))


def _doubled(data: bytearray, rng: random.Random) -> bytearray:
    block = _block(data, rng)
    part = data[block] * rng.choice((1, 2, 100))
    place = rng.randrange(len(data))
    return data[:place] + part[: 1 << 17] + data[place:]


def _exchanged(data: bytearray, rng: random.Random) -> bytearray:
    first, second = data[_block(data, rng)], data[_block(data, rng)]
    return bytearray(bytes(data).replace(first, b"\0\1\2", 1).replace(second, first, 1).replace(b"\0\1\2", second, 1))


def _without(data: bytearray, rng: random.Random) -> bytearray:
    del data[_block(data, rng)]
    return data


def _replaced(pattern: re.Pattern[bytes], by: tuple[bytes, ...]) -> Callable[[bytearray, random.Random], bytearray]:
    def replace(data: bytearray, rng: random.Random) -> bytearray:
        found = list(pattern.finditer(data))
        if not found:
            return _flips(data, rng)
        place = rng.choice(found)
        data[place.start() : place.end()] = rng.choice(by)
        return data

    return replace


def _large_words(data: bytearray, rng: random.Random) -> bytearray:
    first = rng.randrange(min(len(data), rng.choice((100, len(data)))))
    word = rng.choice(WORDS)
    data[first : first + len(word)] = word
    return data


def _noise(data: bytearray, rng: random.Random) -> bytearray:
    block = _block(data, rng)
    data[block] = rng.randbytes(len(data[block]))
    return data if rng.random() < 0.8 else bytearray(rng.randbytes(rng.randrange(2000)))


def _nested(data: bytearray, rng: random.Random) -> bytearray:
    place = rng.choice((0, rng.randrange(len(data))))
    return data[:place] + rng.choice(NESTS) * rng.choice((10, 900, 1100, 20_000)) + data[place:]


def _long(data: bytearray, rng: random.Random) -> bytearray:
    place = rng.randrange(len(data))
    return data[:place] + rng.choice((b" ", b"a", b"1", b"-", b"\n", b"\0", b"\xff", b"f5")) * 100_000 + data[place:]


MUTATIONS: tuple[Callable[[bytearray, random.Random], bytearray], ...] = (
    _flips, _flips, _cut, _doubled, _exchanged, _without, _replaced(NUMBER, HUGE), _replaced(VALUE, OTHERS),
    _large_words, _large_words, _noise, _nested, _long,
)  # fmt: skip


def mutated(sample: bytes, number: int, seal: Seal = bytes) -> bytes:
    """The sample with a fault or two in it; the same for the same number. Every other one has a digest that fits."""
    rng = random.Random(f"{number} {len(sample)}")
    data = bytearray(sample)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        if data:
            data = rng.choice(MUTATIONS)(data, rng)
    return seal(bytes(data)) if number % 2 else bytes(data)


# Small files of large cost ------------------------------------------------------------------------------------------


def _table_bomb(data: bytes) -> bytes:
    positions = 50_000_000
    first, header, _ = data.split(b"\n", 2)
    facts = json.loads(header) | {"positions": positions}
    content = b"\n".join((first, json.dumps(facts).encode(), _zeros(12 * positions)))
    return _seal_table(content + bytes(endgame_table.DIGEST))


def _book_bomb(data: bytes) -> bytes:
    positions = 20_000_000
    sizes = reversi_book.SIZES.pack(0, positions, positions)
    return reversi_book.SIGNATURE + sizes + _zeros(30 * positions)


@cache
def _zeros(size: int) -> bytes:
    packer = zlib.compressobj(9)
    step = bytes(1 << 24)
    return (
        b"".join(packer.compress(step) for _ in range(size >> 24))
        + packer.compress(step[: size % (1 << 24)])
        + packer.flush()
    )


def _array_bomb(data: bytes) -> bytes:
    n = 3_000_000
    room = io.BytesIO()
    with zipfile.ZipFile(room, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        shapes = {"moves": (n, 60), "scores": (n, 61), "estimates": (n, 61), "openings": (n,)}
        for name, shape in shapes.items():
            kind = "|u1" if name in ("moves", "openings") else "|i1"
            header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
            with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                member.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header)
                rest = int(np.prod(shape))
                while rest > 0:
                    member.write(bytes(min(rest, 1 << 24)))
                    rest -= 1 << 24
    return room.getvalue()


def _tree_bomb(data: bytes) -> bytes:
    """A long name above many leaves: their paths, written out, would take 2 GB."""
    return b'{"max": {"' + b"a" * 100_000 + b'": {"max": [' + b"0," * 20_000 + b"0]}}}"


def _deep_tree_bomb(data: bytes) -> bytes:
    return b'{"max":{"%s":' % (b"a" * 1000) * 150 + b'{"max":[' + b"0," * 20_000 + b"0]}" + b"}}" * 150


def _view_bomb(data: bytes) -> bytes:
    connection = sqlite3.connect(":memory:")
    connection.deserialize(data[:18] + b"\1\1" + data[20:])  # in memory there is no journal to write ahead
    connection.execute("DROP TABLE seats")
    connection.execute(
        "CREATE VIEW seats AS WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)"
        " SELECT i game_id, 0 seat, 1 player_id, 0.0 result FROM n"
    )
    return connection.serialize()


BOMBS: dict[tuple[str, str], Callable[[bytes], bytes]] = {
    ("endgame table", "a few bytes claim millions of positions"): _table_bomb,
    ("Reversi book", "a few bytes claim millions of positions"): _book_bomb,
    ("games of Reversi", "a few bytes claim millions of games"): _array_bomb,
    ("GGF", "games within games"): lambda data: b"(;" * 5_000_000,
    ("GGF", "a game without an end"): lambda data: b"(;GM[Othello]" + b"B[f5]" * 5_000_000,
    ("GGF", "a value without an end"): lambda data: b"(;GM[Othello]C[" + (b"\\" + b"a" * 60 + b"\n") * 300_000,
    ("transcript", "a game of many moves"): lambda data: b"f5 " * 10_000_000,
    ("transcript", "empty lines"): lambda data: b"f5" + b"\n" * 300_000 + b"d6\n",
    ("board", "a board of blanks"): lambda data: b"a b c d e f g h\n" + (b" " * 4000 + b"11\n") * 100,
    ("PGN", "variations within variations"): lambda data: b"1. e4 " + b"(1. d4 \n" * 2_000_000,
    ("PGN", "a comment without an end"): lambda data: b"1. e4 {" + (b"a" * 60 + b"\n") * 300_000,
    ("PGN", "a game of many moves"): lambda data: b"Nf3 Nf6 Ng1 Ng8\n" * 300_000,
    ("PGN", "many tags"): lambda data: b"".join(b'[A%d "x"]\n' % number for number in range(300_000)),
    ("EPD", "many operations"): lambda data: data.split(b"bm")[0] + b"a 1; " * 200_000,
    ("Polyglot book", "one key alone"): lambda data: data[:16] * 2_000_000,
    ("SGF", "values within values"): lambda data: b"(;" + b";A[" * 300_000,
    ("tree", "a long name above many leaves"): _tree_bomb,
    ("tree", "many leaves at a great depth"): _deep_tree_bomb,
    ("tree", "a leaf of many utilities"): lambda data: b'{"max":[' + b"0," * 20_000 + b"[" + b"0," * 20_000 + b"0]]}",
    ("strategy", "nested lists"): lambda data: b"[" * 10_000_000,
    ("journal", "nested lists"): lambda data: b"[" * 10_000_000,
    ("book", "nested lists"): lambda data: data + b"[" * 10_000_000,
    ("database", "a view without an end"): _view_bomb,
}  # fmt: skip
"""For a format, and what is wrong: what becomes of its sample."""


# Trying it ----------------------------------------------------------------------------------------------------------


def attempt(kind: FileFormat, data: bytes, folder: Path) -> str:
    """Read a file with this content in an empty folder; what went wrong, "" if it was read or refused in one line."""
    path = folder / (kind.suffix if not kind.suffix.startswith(".") else f"sample{kind.suffix}")
    path.write_bytes(data)
    try:
        kind.read(path)
    except PlygroundError as error:
        text = str(error)
        if "\n" in text or len(text) > 1000:
            return f"not one line: {text[:200]!r}"
        if path.stem not in text:
            return f"does not name the file: {text[:200]!r}"
        try:
            text.encode()
        except UnicodeEncodeError:
            return f"cannot be printed: {text[:200]!r}"
    except Exception as error:
        return f"{type(error).__name__}: {str(error)[:200]}"
    finally:
        for other in folder.iterdir():
            other.unlink()
    return ""
