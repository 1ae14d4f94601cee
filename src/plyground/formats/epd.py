"""EPD: a position of chess a line, with operations: what is the best move, what it is worth, what it is called.

    1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id "BK.01";

Test suites come in it (S. Edwards, 1994). A FEN is read too, with operations behind it or without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from plyground.core.rules import action_text
from plyground.errors import ActionError, FormatError, IllegalAction, UnreadableAction
from plyground.formats.places import OnError, read_each_line
from plyground.games.chess import Chess
from plyground.games.chess.lines import play_words, words_of
from plyground.games.chess.notation import fen, find_move, read_fen
from plyground.native.dispatch import coerced

__all__ = ["ChessPosition", "Operand", "read_epd", "read_epd_lines", "write_epd"]

Operand = int | float | str

MOVES, LINE = ("bm", "am", "sm", "pm"), ("pv",)
"""Operations whose operands are moves of the position, and a line of play from it."""
FIELDS = re.compile(r"\s*(\S+\s+\S+\s+\S+\s+\S+)(?:\s+([0-9]{1,7})\s+([0-9]{1,7})(?=\s|;|$))?")
TOKEN = re.compile(r'\s*(?:"((?:[^"\\]|\\.)*)"|(;)|([^\s";]+))')
NUMBER = re.compile(r"[+-]?[0-9]{1,18}(\.[0-9]{1,18})?")
OPCODE = re.compile(r"[A-Za-z]\w{0,14}")
LONGEST_LINE = 1 << 14
"""Characters of a position with all its operations."""


@dataclass(frozen=True)
class ChessPosition:
    """A position and what is said about it.

    `operations` are pairs of a name and its operands: numbers, texts, or moves in SAN. The moves of ``bm`` (the best
    ones), ``am`` (those to avoid), ``sm``, ``pm`` and ``pv`` are legal, and in SAN as we write it.
    """

    state: Chess
    operations: tuple[tuple[str, tuple[Operand, ...]], ...] = ()
    _known: dict[str, tuple[Operand, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "state", coerced(self.state))
        operations = tuple((name, _checked(self.state, name, operands)) for name, operands in self.operations)
        for name, _ in operations:
            if not OPCODE.fullmatch(name):
                raise FormatError(f"{name[:20]!r} is not the name of an operation; it is a word such as bm, id or c0")
        object.__setattr__(self, "operations", operations)
        object.__setattr__(self, "_known", dict(operations))
        if len(self._known) < len(operations):
            raise FormatError("an operation stands there twice")

    def operands(self, name: str) -> tuple[Operand, ...]:
        """What is said by an operation; nothing where there is none of that name."""
        return self._known.get(name, ())

    @property
    def name(self) -> str:
        """What the position is called (``id``)."""
        return " ".join(map(str, self.operands("id")))

    @property
    def best(self) -> tuple[int, ...]:
        """The best moves (``bm``), as actions."""
        return tuple(find_move(self.state, str(word)) for word in self.operands("bm"))

    @property
    def avoid(self) -> tuple[int, ...]:
        """The moves to avoid (``am``)."""
        return tuple(find_move(self.state, str(word)) for word in self.operands("am"))

    @property
    def line(self) -> tuple[int, ...]:
        """The line that is expected (``pv``)."""
        return tuple(play_words(self.state, list(map(str, self.operands("pv"))))[0])


def read_epd(line: str) -> ChessPosition:
    """One position; the operations may be missing, and so may the semicolon behind the last one."""
    if len(line) > LONGEST_LINE:
        raise FormatError(f"a position has at most {LONGEST_LINE:,} characters, and here are {len(line):,}")
    found = FIELDS.match(line)
    if found is None:
        raise FormatError(
            f"'{' '.join(line.split())[:40]}' is not a position in EPD: it begins with the four fields of FEN"
        )
    numbers = f" {found[2]} {found[3]}" if found[2] else ""
    board = found[1] if found[2] else found[1].rstrip(";")
    operations: list[tuple[str, list[Operand]]] = []
    ended, at = True, found.end()
    while at < len(line.rstrip()):
        token = TOKEN.match(line, at)
        if token is None:
            raise FormatError(f"{line[at:].strip()[:20]!r} is a text without an end")
        at = token.end()
        quoted, end, word = token.groups()
        if end:
            ended = True
        elif ended:
            if word is None:
                raise FormatError(
                    f"{(quoted or '')[:20]!r} is not the name of an operation; it is a word such as bm, id or c0"
                )
            operations.append((word, []))
            ended = False
        elif quoted is not None:
            operations[-1][1].append(re.sub(r'\\(["\\])', r"\1", quoted))
        else:
            operations[-1][1].append(_operand(word, operations[-1][0]))
    operations = [(name, operands) for name, operands in operations if name != "noop"]
    known = dict(operations)
    for name, place in (("hmvc", 0), ("fmvn", 1)):  # the two last fields of FEN, as EPD has them
        if name in known:
            parts = (numbers or " 0 1").split()
            parts[place] = " ".join(map(str, known[name]))
            numbers = " " + " ".join(parts)
    rest = tuple((name, tuple(operands)) for name, operands in operations if name not in ("hmvc", "fmvn"))
    return ChessPosition(read_fen(board + numbers), rest)


def read_epd_lines(
    lines: Iterable[str], source: str = "", *, on_error: OnError | None = None
) -> Iterator[ChessPosition]:
    """A position a line, one after the other, as from an open file.

    Empty lines and lines that begin with ``%`` or ``#`` are left out. With `on_error` a line that cannot be read is
    handed to it, and reading goes on.
    """
    return read_each_line(lines, read_epd, source, on_error)


def write_epd(position: ChessPosition) -> str:
    """The line, without a line break."""
    state = position.state
    board, clock, number = fen(state, named=state.shuffled).rsplit(" ", 2)
    parts = [board]
    for name, operands in position.operations:
        moves = name in MOVES + LINE
        words = (str(one) if moves or not isinstance(one, str) else _quoted(one) for one in operands)
        parts.append(" ".join((name, *words)) + ";")
    parts += [f"hmvc {clock};"] if clock != "0" else []
    parts += [f"fmvn {number};"] if number != "1" else []
    return " ".join(parts)


def _quoted(text: str) -> str:
    text = " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _operand(word: str, name: str) -> Operand:
    if name in MOVES + LINE:
        return word
    if found := NUMBER.fullmatch(word):
        return float(word) if found[1] else int(word)
    return word


def _checked(state: Chess, name: str, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
    """The operands, moves among them in SAN; `ActionError` if one is not legal."""
    words = [word for word in (str(one).strip(",") for one in operands) if word]
    try:
        if name in MOVES:
            return tuple(action_text(state, find_move(state, word)) for word in words)
        if name in LINE:
            actions, _, error = play_words(state, words)
            if error is not None:
                raise error
            return tuple(words_of(state, actions))
    except ActionError as error:
        kind = IllegalAction if isinstance(error, IllegalAction) else UnreadableAction
        raise kind(f"{name}: {error}") from None
    return tuple(" ".join(one.split()) if isinstance(one, str) else one for one in operands)
