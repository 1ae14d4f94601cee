"""PGN, in which games of chess are written: tags, moves in SAN, variations, comments and marks.

    [White "Morphy"]
    [Result "1-0"]

    1. e4 e5 2. Nf3 d6 {Philidor's defence} 3. d4 Bg4 $2 (3... exd4 4. Nxd4) 1-0

All of it is kept, and written again in the form that the standard calls export format (S. Edwards, 1994). What is read
need not be: any white space, `;` comments, lines that begin with %, 0-0 for O-O, moves with squares only or without
signs, glyphs such as !? for marks, null moves (--) in variations, several games without a blank between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from plyground.errors import ActionError, FormatError, IllegalAction, TruncatedFile, UnreadableAction
from plyground.formats.places import OnError, located, place, read_one
from plyground.games.chess import Chess, chess
from plyground.games.chess.attacks import in_check
from plyground.games.chess.lines import passed, play_line, play_words, words_of
from plyground.games.chess.moves import count_moves
from plyground.games.chess.notation import STANDARD, fen, read_fen, shuffled_number

__all__ = ["NULL_MOVE", "RESULTS", "ChessRecord", "PgnMove", "read_pgn", "read_pgn_games", "write_pgn"]

NULL_MOVE = -1
"""Stands in a variation where a side does not move."""
RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0), "*": None}
"""What a game can end with, and what that is worth to White and to Black."""
ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
"""The tags that every game has, and how they are written where nothing is known."""
OF_THE_START = ("SetUp", "FEN", "Variant", "Result")
"""Tags that are made of what a record says otherwise."""
LONGEST_GAME = 1 << 20
"""Characters, from the beginning of its first line."""
MOST_MOVES = 20_000
"""In a game with all its variations. Nobody plays as many: after 8,848 moves at the latest a game is over."""
DEEPEST = 64
"""Variations within variations."""
WIDTH = 80
GLYPHS = {
    "!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6, "□": 7, "=": 10, "∞": 13, "+/=": 14, "\u2a72": 14, "+=": 14,
    "=/+": 15, "\u2a71": 15, "=+": 15, "+/-": 16, "±": 16, "-/+": 17, "∓": 17, "+-": 18, "-+": 19,
}  # fmt: skip
"""Signs in a text and the numbers that stand for them (numeric annotation glyphs)."""
TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:.-]{0,250})\s*"((?:[^"\\]|\\.)*)"\s*\]\s*')
LOOSE_TAG = re.compile(r'\s*\[\s*([A-Za-z0-9][\w+#=:.-]{0,250})\s+"(.*)"\s*\]\s*')
"""With quotes that are not escaped, alone in its line."""
LIKE_A_TAG = re.compile(r"\s*\[\s*[A-Za-z]")
TOKEN = re.compile(
    r"""(?P<blank>\s+|<[^>]*>|\.+|…)
    |(?P<comment>\{)
    |(?P<rest>;.*)
    |\$\s*(?P<nag>[0-9]{1,3})(?![0-9])
    |(?P<open>\()
    |(?P<close>\))
    |(?P<result>1-0|0-1|1/2-1/2|1/2|½-½|\*)(?![\w/-])
    |(?P<null>--|Z0(?!\w))
    |(?P<passing>e\.?p\.?(?=[\s!?]|$))
    |(?P<glyph>[!?]{1,2}|\+/[-=]|=/\+|-/\+|\+-|-\+|\+=|=\+|[=□∞\u2a72\u2a71±∓])
    |(?P<word>[A-Za-z](?:\([QRBN]\)|[^\s(){};$!?*])*|0-0(?:-0)?[+#]*)
    |(?P<number>[0-9]+)(?![0-9])""",
    re.VERBOSE,
)
VARIANTS = ("", "?", "chess", "standard", "normal", "from position", "orthodox")
SHUFFLED = ("chess960", "chess 960", "fischerandom", "fischerrandom", "fischer random", "fischer random chess")
DRAWS = ("1/2", "½-½")
CLOCK = re.compile(r"\[%(clk|emt)\s+([0-9]{1,4}):([0-9]{1,2}):([0-9]{1,2}(?:\.[0-9]{1,9})?)\s*\]")
EVALUATION = re.compile(r"\[%eval\s+(#?[+-]?[0-9]{1,6}(?:\.[0-9]{1,6})?)(?:,[0-9]{1,4})?\s*\]")


@dataclass(frozen=True)
class PgnMove:
    """A move, and what is said about it.

    `nags` are the numbers of its marks (1 is !, 2 is ?), `comments` stand behind it, `before` in front of the first
    move of a variation. `variations` are other lines, each of which begins instead of this move.
    """

    action: int
    nags: tuple[int, ...] = ()
    comments: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    variations: tuple[tuple[PgnMove, ...], ...] = ()

    @property
    def clock(self) -> float | None:
        """Seconds that the player has left after the move, as a comment says (``[%clk 1:59:30]``)."""
        return _seconds(self.comments, "clk")

    @property
    def time(self) -> float | None:
        """Seconds that the move took, as a comment says (``[%emt 0:00:30]``)."""
        return _seconds(self.comments, "emt")

    @property
    def evaluation(self) -> str:
        """What a comment says that the position after the move is worth to White, in pawns or as mate: 0.35, #-3."""
        found = EVALUATION.search(" ".join(self.comments))
        return found[1] if found else ""


@dataclass(frozen=True)
class ChessRecord:
    """A game of chess as a file has it: legal moves from a position, and all that is said about them.

    `line` is the game that was played. It may go on where the rules make a draw, which nobody has claimed then.
    `result` is what the file states: 1-0, 0-1, 1/2-1/2, or * for a game that is not finished or whose end nobody knows.
    `tags` are pairs of name and value, those that every game should have first; without those of the starting position
    and the result, and without those that say that nothing is known. `comments` stand before the first move.

    `moves` are the actions of the game, `final` is the position after them.
    """

    start: Chess = chess().initial
    line: tuple[PgnMove, ...] = ()
    tags: tuple[tuple[str, str], ...] = ()
    result: str = "*"
    comments: tuple[str, ...] = ()
    final: Chess = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.result not in RESULTS:
            raise FormatError(f"a result is one of {', '.join(RESULTS)}, not {self.result[:20]!r}")
        if any(move.action == NULL_MOVE for move in self.line):
            raise IllegalAction("a null move (--) can stand in a variation only, not in the game itself")
        tags = {name: " ".join(value.split()) for name, value in self.tags if name not in OF_THE_START}
        order = [name for name in ROSTER if name in tags] + [name for name in tags if name not in ROSTER]
        known = tuple((name, tags[name]) for name in order if tags[name] not in ("", ROSTER.get(name)))
        object.__setattr__(self, "tags", known)
        object.__setattr__(self, "final", _check(self.start, self.line))

    @property
    def moves(self) -> tuple[int, ...]:
        """The actions of the game, without the variations."""
        return tuple(move.action for move in self.line)

    def tag(self, name: str) -> str:
        """What a tag says; "" where there is none."""
        return dict(self.tags).get(name, "")

    @property
    def white(self) -> str:
        return self.tag("White")

    @property
    def black(self) -> str:
        return self.tag("Black")

    @property
    def returns(self) -> tuple[float, float] | None:
        """What the game was worth to White and to Black, as the file states it; None if it does not."""
        return RESULTS[self.result]

    @property
    def doubt(self) -> str | None:
        """What contradicts the stated result, as a sentence; None if nothing does."""
        if count_moves(self.final) or self.result == "*":
            return None
        wanted = ("0-1" if self.final.turn == 0 else "1-0") if in_check(self.final) else "1/2-1/2"
        end = "mate" if in_check(self.final) else "stalemate"
        return None if self.result == wanted else f"the stated result is {self.result}, but the game ends in {end}"

    @property
    def game(self) -> str:
        """The spec of the game that begins like this one: chess, chess:chess960=5, chess:fen=..."""
        if self.start == chess().initial:
            return "chess"
        number = shuffled_number(self.start)
        return (
            f"chess:fen={fen(self.start, named=self.start.shuffled)}" if number is None else f"chess:chess960={number}"
        )


def read_pgn(text: str) -> ChessRecord:
    """The one game in a text."""
    games = list(read_pgn_games(text.splitlines(keepends=True)))
    if len(games) != 1:
        raise FormatError(f"one game was expected, and here are {len(games)}; a game begins with its tags: [Event ...]")
    return games[0]


def read_pgn_games(lines: Iterable[str], source: str = "", *, on_error: OnError | None = None) -> Iterator[ChessRecord]:
    """All games, one after the other, as from an open file.

    An error says the line where its game begins, the number of the game from 1, and the move. With `on_error` a game
    that cannot be read is handed to it, and reading goes on.
    """
    number = 0
    for line, found in _games(lines):
        number += not isinstance(found, FormatError)
        game = "" if isinstance(found, FormatError) else f"game {number}"
        yield from read_one(partial(_record, found), place(source, f"line {line}", game), on_error)


# Writing ----------------------------------------------------------------------------------------------------------


def write_pgn(record: ChessRecord) -> str:
    """The game in export format, with a line break at its end; what follows another game needs an empty line before."""
    tags = ROSTER | dict(record.tags)
    first = {name: tags.pop(name) for name in ROSTER} | {"Result": record.result}
    if record.start != chess().initial:
        if record.start.shuffled:
            first["Variant"] = "Chess960"
        first |= {"SetUp": "1", "FEN": fen(record.start)}
    for name in tags:
        if not re.fullmatch(r"[A-Za-z0-9][\w+#=:.-]{0,250}", name):
            raise FormatError(f"{name[:20]!r} cannot be the name of a tag; it is a word of letters and digits")
    text = "".join(f'[{name} "{_escaped(value)}"]\n' for name, value in (first | tags).items())
    words = [word for comment in record.comments for word in _comment(comment)]
    words += _line_words(record.start, record.line)
    return f"{text}\n{_wrapped([*words, record.result])}\n"


def _escaped(value: str) -> str:
    value = " ".join(value.split())
    return value.replace("\\", "\\\\").replace('"', '\\"')


def _comment(text: str) -> list[str]:
    """A comment as words that may stand in lines of their own; one with a closing brace takes the rest of a line."""
    text = " ".join(text.split())
    if not text:
        return []
    return [f"; {text}\n"] if "}" in text else f"{{{text}}}".split(" ")


def _line_words(state: Chess, line: Sequence[PgnMove]) -> list[str]:
    words: list[str] = []
    numbered = True
    for first, end in _parts(line):
        part = line[first:end]  # only its first move may have variations, which begin in the same position
        null = part[0].action == NULL_MOVE
        names = ["--"] if null else words_of(state, [move.action for move in part])
        number, turn = state.number, state.turn
        for move, name in zip(part, names, strict=True):
            words += [word for comment in move.before for word in _comment(comment)]
            if turn == 0 or numbered or move.before:
                words.append(f"{number}." if turn == 0 else f"{number}...")
            words += [name, *(f"${nag}" for nag in move.nags)]
            words += [word for comment in move.comments for word in _comment(comment)]
            for variation in move.variations:
                inner = _line_words(state, variation)
                inner[0] = f"({inner[0]}"
                if inner[-1].endswith("\n"):
                    inner.append(")")
                else:
                    inner[-1] += ")"
                words += inner
            numbered = bool(move.comments or move.variations)
            number, turn = number + turn, 1 - turn
        state = passed(state) if null else play_line(state, [move.action for move in part])
    return words


def _parts(line: Sequence[PgnMove]) -> Iterator[tuple[int, int]]:
    """A line in parts that can be played at once: a null move is one, and a move with variations begins one."""
    first = 0
    for place_, move in enumerate(line):
        cut = move.variations or NULL_MOVE in (move.action, line[place_ - 1].action if place_ else 0)
        if cut and place_ > first:
            yield first, place_
            first = place_
    if line:
        yield first, len(line)


def _wrapped(words: Iterable[str]) -> str:
    lines, width = [""], 0
    for word in words:
        size = len(word.rstrip("\n"))
        if width and width + 1 + size > WIDTH:
            lines.append("")
            width = 0
        if width:
            lines[-1] += " "
            width += 1
        lines[-1] += word.rstrip("\n")
        width += size
        if word.endswith("\n"):
            lines.append("")
            width = 0
    return "\n".join(lines)


def _check(state: Chess, line: Sequence[PgnMove], depth: int = 0) -> Chess:
    """The position after a line whose variations are legal as well."""
    if depth > DEEPEST:
        raise FormatError(f"variations stand at most {DEEPEST} within each other, and here are more")
    for first, end in _parts(line):
        for variation in line[first].variations:
            if not variation:
                raise FormatError("a variation has at least one move")
            _check(state, variation, depth + 1)
        if line[first].action == NULL_MOVE:
            state = passed(state)
        else:
            state = play_line(state, [move.action for move in line[first:end]])
    return state


# Reading ----------------------------------------------------------------------------------------------------------


class _Raw(NamedTuple):
    """A game as it stands in a text: its tags, its tokens, and what it says that its result is."""

    tags: dict[str, str]
    tokens: list[tuple[str, str]]
    result: str


class _Splitter:
    """The tokens of one game after the other."""

    def __init__(self) -> None:
        self.begun = 0
        self.lost = False
        self.comment: list[str] | None = None
        self._clear()

    def _clear(self) -> None:
        self.begun, self.size, self.depth, self.moves = 0, 0, 0, 0
        self.tags: dict[str, str] = {}
        self.tokens: list[tuple[str, str]] = []

    def taken(self, result: str) -> tuple[int, _Raw]:
        """The game so far; the next one begins."""
        found = self.begun, _Raw(self.tags, self.tokens, result)
        self._clear()
        return found

    def fault(self, number: int, error: FormatError) -> tuple[int, FormatError]:
        """What is wrong with the game, the rest of which is skipped."""
        begun = self.begun or number
        self._clear()
        self.comment, self.lost = None, True
        return begun, error


def _games(lines: Iterable[str]) -> Iterator[tuple[int, _Raw | FormatError]]:
    """Each game with the line where it begins; or, with its line, what is wrong in the text itself.

    After such a fault the text is skipped to the next tags that follow something else.
    """
    game = _Splitter()
    in_tags = False
    for number, line in enumerate(lines, 1):
        if game.comment is None and line.startswith("%"):
            continue
        was_in_tags, in_tags = in_tags, bool(LIKE_A_TAG.match(line))
        if game.lost:
            if not in_tags or was_in_tags:
                continue
            game.lost = False
        if game.begun:
            game.size += len(line)
            if game.size > LONGEST_GAME:
                yield game.fault(
                    number, FormatError(f"a game has at most {LONGEST_GAME:,} characters, and here are more")
                )
                continue
        if game.comment is None and in_tags and game.tokens and not game.depth and TAG.match(line.lstrip()):
            yield game.taken("")
        try:
            yield from _tokens(game, line, number)
        except FormatError as error:
            yield game.fault(number, error)
    if game.comment is not None or game.depth:
        yield game.begun, TruncatedFile(f"a {'variation' if game.comment is None else 'comment'} has no end")
    elif game.tags or any(kind != "comment" for kind, _ in game.tokens):  # comments alone are no game
        yield game.taken("")


def _tokens(game: _Splitter, line: str, number: int) -> Iterator[tuple[int, _Raw]]:
    """Add what is in a line to a game; the games that end in it."""
    at = 0
    while at < len(line):
        if game.comment is not None:
            end = line.find("}", at)
            game.comment.append(line[at : end if end >= 0 else len(line)])
            if end < 0:
                return
            game.tokens.append(("comment", " ".join("".join(game.comment).split())))
            game.comment, at = None, end + 1
            continue
        if line[at] == "[":
            found = TAG.match(line, at) or (LOOSE_TAG.fullmatch(line) if not line[:at].strip() else None)
            if found is None or game.tokens:
                shown = " ".join(line[at:].split())[:40]
                raise FormatError(f'{shown!r} is not a tag here; a tag is [Name "value"] before the moves of a game')
            game.begun = game.begun or number
            game.tags[found[1]] = re.sub(r'\\(["\\])', r"\1", found[2])
            at = found.end()
            continue
        found = TOKEN.match(line, at)
        if found is None:
            raise FormatError(f"{' '.join(line[at:].split())[:20]!r} is neither a move nor a comment")
        kind, at = found.lastgroup or "", found.end()
        if kind in ("blank", "passing") or (kind == "number" and not game.begun):
            continue
        game.begun = game.begun or number
        game.size = game.size or len(line)
        if kind == "comment":
            game.comment = []
        elif kind == "rest":
            game.tokens.append(("comment", " ".join(found[0][1:].split())))
        elif kind == "result" and not game.depth:
            yield game.taken("1/2-1/2" if found[0] in DRAWS else found[0])
        elif kind == "result":
            game.tokens.append(("comment", found[0]))
        elif kind != "number":
            game.depth += {"open": 1, "close": -1}.get(kind, 0)
            if game.depth < 0:
                raise FormatError("a ) closes no variation")
            if game.depth > DEEPEST:
                raise FormatError(f"variations stand at most {DEEPEST} within each other, and here are more")
            game.moves += kind in ("word", "null")
            if game.moves > MOST_MOVES:
                raise FormatError(f"a game has at most {MOST_MOVES:,} moves with its variations, and here are more")
            game.tokens.append((kind, found[kind] or ""))


class _Written:
    """A move while its game is read."""

    __slots__ = ("before", "comments", "nags", "variations", "word")

    def __init__(self, word: str, before: list[str]) -> None:
        self.word, self.before = word, before
        self.nags: list[int] = []
        self.comments: list[str] = []
        self.variations: list[list[_Written]] = []


def _record(found: _Raw | FormatError) -> ChessRecord:
    if isinstance(found, FormatError):
        raise found
    start = _start(found.tags)
    line, comments = _tree(found.tokens)
    stated = found.tags.get("Result", "").replace(" ", "")
    result = found.result or ("1/2-1/2" if stated in DRAWS else stated)
    tags = tuple(found.tags.items())
    return ChessRecord(start, _played(start, line), tags, result if result in RESULTS else "*", tuple(comments))


def _start(tags: dict[str, str]) -> Chess:
    variant = " ".join(tags.get("Variant", "").lower().split())
    if variant not in VARIANTS + SHUFFLED:
        raise FormatError(f"the variant {tags['Variant'][:30]!r} is not chess; Chess960 is")
    code = tags.get("FEN", "").strip()
    return read_fen(code if code not in ("", "?") else STANDARD, shuffled=variant in SHUFFLED)


def _tree(tokens: Sequence[tuple[str, str]]) -> tuple[list[_Written], list[str]]:
    """The line of a game with its variations, and the comments before its first move."""
    main: list[_Written] = []
    comments: list[str] = []
    open_lines, waiting = [main], [comments]
    for kind, text in tokens:
        line = open_lines[-1]
        if kind in ("word", "null"):
            line.append(
                _Written("--" if kind == "null" else text, waiting[-1] if len(open_lines) > 1 and not line else [])
            )
        elif kind == "comment":
            if text:
                (line[-1].comments if line else waiting[-1]).append(text)
        elif kind in ("nag", "glyph"):
            nag = int(text) if kind == "nag" else GLYPHS.get(text)
            if nag is None or (not line and kind == "glyph"):
                raise FormatError(f"{text!r} is not a mark of a move")
            if line:
                line[-1].nags.append(nag)
            else:
                waiting[-1].append(f"${nag}")
        elif kind == "open":
            if not line:
                raise FormatError("a variation stands before the first move")
            open_lines.append([])
            waiting.append([])
        else:
            done, said = open_lines.pop(), waiting.pop()
            if done:
                open_lines[-1][-1].variations.append(done)
            else:
                open_lines[-1][-1].comments.extend(said)
    return main, comments


def _played(state: Chess, line: Sequence[_Written]) -> tuple[PgnMove, ...]:
    """The same moves as actions; `ActionError` says which one cannot be made."""
    moves: list[PgnMove] = []
    first = 0
    for end in range(1, len(line) + 1):
        if end < len(line) and not line[end].variations and "--" not in (line[end].word, line[end - 1].word):
            continue
        part = line[first:end]
        others = [tuple(_played(state, other)) for other in part[0].variations]
        number, turn = state.number, state.turn
        if part[0].word == "--":
            with located(_numbered(number, turn)):
                actions, state = [NULL_MOVE], passed(state)
        else:
            actions, state, error = play_words(state, [move.word for move in part])
            if error is not None:
                ply = turn + len(actions)
                raise _refusal(error, _numbered(number + ply // 2, ply % 2))
        for move, action in zip(part, actions, strict=True):
            texts = tuple(move.comments), tuple(move.before)
            moves.append(PgnMove(action, tuple(move.nags), *texts, tuple(others)))
            others = []
        first = end
    return tuple(moves)


def _refusal(error: ActionError, where: str) -> ActionError:
    kind = IllegalAction if isinstance(error, IllegalAction) else UnreadableAction
    return kind(f"{where}: {error}")


def _numbered(number: int, turn: int) -> str:
    return f"move {number}{'...' if turn else ''}"


def _seconds(comments: Sequence[str], what: str) -> float | None:
    """The last time of a kind that the comments name."""
    found = [one for one in CLOCK.finditer(" ".join(comments)) if one[1] == what]
    return 3600 * int(found[-1][2]) + 60 * int(found[-1][3]) + float(found[-1][4]) if found else None
