"""PGN against python-chess's reader: games with variations, comments and marks; odd writing; damage."""

from __future__ import annotations

import io
import random
import re
from types import ModuleType
from typing import Any

import pytest

from plyground import make_game
from plyground.errors import FormatError, IllegalAction, PlygroundError
from plyground.formats import ChessRecord, Format, PgnMove, read_any, read_pgn, read_pgn_games, recognise, write_pgn
from plyground.formats.pgn import NULL_MOVE
from plyground.formats.places import located
from plyground.games.chess import fen
from plyground.games.chess.lines import play_line, words_of

ODD = """
[Event "Test"] [Site "here"]
[White "A \\"x\\" B"]
[Black "unescaped "quotes" here"]
[Date "????.??.??"]
[Result "1-0"]
[ECO "C41"]

{before} 1. e4 {[%clk 0:10:00] hi} e5!? 2.Nf3 d6 $2 {Philidor's
defence} ; more } here
% a line of its own, with a bracket (
3.d4 Bg4?! (3... exd4 {x} 4. Nxd4 (4. Qxd4 a6) (4. c3 -- 5. a3) Nf6) 4. dxe5 Bxf3 5. Qxf3 de5 6.Bf1c4 g8f6
7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. 0-0-0 Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6
15. Bxd7+ Nxd7 16. Qb8+! Nxb8 17. Rd8 1-0
"""
EXPORTED = """[Event "Test"]
[Site "here"]
[Date "????.??.??"]
[Round "?"]
[White "A \\"x\\" B"]
[Black "unescaped \\"quotes\\" here"]
[Result "1-0"]
[ECO "C41"]

{before} 1. e4 {[%clk 0:10:00] hi} 1... e5 $5 2. Nf3 d6 $2 {Philidor's defence}
; more } here
3. d4 Bg4 $6 (3... exd4 {x} 4. Nxd4 (4. Qxd4 a6) (4. c3 -- 5. a3) 4... Nf6) 4.
dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 10. Nxb5 cxb5
11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+
$1 Nxb8 17. Rd8# 1-0
"""


def test_odd_writing_is_read_and_put_in_order():
    game = read_pgn(ODD)
    assert write_pgn(game) == EXPORTED
    assert read_pgn(EXPORTED) == game
    assert (game.white, game.tag("ECO"), game.result, game.doubt) == ('A "x" B', "C41", "1-0", None)
    assert (game.comments, game.line[0].clock, game.line[3].nags) == (("before",), 600.0, (2,))
    assert game.line[5].variations[0][1].variations[1][1].action == NULL_MOVE


# In lockstep with python-chess ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    return pytest.importorskip("chess.pgn", reason="python-chess is not installed")


def random_game(peer: Any, seed: int) -> Any:
    """A game of python-chess with variations, comments and marks, some of Chess960."""
    import chess

    dice = random.Random(seed)
    game = peer.Game()
    if seed % 3 == 0:
        game.setup(chess.Board.from_chess960_pos(dice.choice([n for n in range(960) if n != 518])))
    game.headers["White"] = dice.choice(['Ann "A"', "张三", "b\\c", "O'Neil"])
    game.comment = dice.choice(["", "at first; a [bracket] and (more)"])
    node = game
    for _ in range(dice.randrange(1, 60)):
        options = list(node.board().legal_moves)
        if not options:
            break
        branches = dice.sample(options, min(len(options), dice.choice([1, 1, 1, 2, 3])))
        for place, move in enumerate(branches):
            child = node.add_variation(move)
            grow(dice, child, place > 0)
        node = node.variations[0]
    game.headers["Result"] = dice.choice(["1-0", "0-1", "1/2-1/2", "*"])
    return game


def grow(dice: random.Random, node: Any, variation: bool, depth: int = 0) -> None:
    if dice.random() < 0.3:
        node.comment = dice.choice(["good", "[%clk 0:01:02.5] hm", "50% of $1 (or 1-0)", "1... e5 * ; %"])
    if dice.random() < 0.3:
        node.nags = set(dice.sample([1, 2, 3, 4, 5, 6, 10, 14, 146], dice.choice([1, 2])))
    if variation:
        if dice.random() < 0.2 and node.starts_variation():
            node.starting_comment = "instead"
        options = list(node.board().legal_moves)
        for move in dice.sample(options, min(len(options), dice.choice([0, 1, 1, 2]) if depth < 6 else 0)):
            grow(dice, node.add_variation(move), True, depth + 1)


def tree_of_peer(node: Any) -> list[Any]:
    """A line from a node on: the move, the marks, the comments, the variations instead of it."""
    found: list[Any] = []
    while node.variations:
        main, *others = node.variations
        found.append((*said_by_peer(main), [[(*said_by_peer(one), []), *tree_of_peer(one)] for one in others]))
        node = main
    return found


def said_by_peer(node: Any) -> tuple[Any, ...]:
    said = node.comment if isinstance(node.comment, str) else " ".join(node.comment)
    before = node.starting_comment if isinstance(node.starting_comment, str) else " ".join(node.starting_comment)
    return node.san(), sorted(node.nags), " ".join(said.split()), " ".join(before.split())


def tree_of(state: Any, line: tuple[PgnMove, ...]) -> list[Any]:
    found = []
    for move in line:
        others = [tree_of(state, other) for other in move.variations]
        (name,) = words_of(state, [move.action])
        found.append((name, sorted(move.nags), " ".join(move.comments), " ".join(move.before), others))
        state = play_line(state, [move.action])
    return found


@pytest.mark.parametrize("games", [12, pytest.param(1500, marks=pytest.mark.slow)])
def test_games_of_python_chess_are_the_same_there_and_back(peer, games):
    for seed in range(games):
        theirs = random_game(peer, seed)
        text = str(theirs)
        game = read_pgn(text)
        wanted = tree_of_peer(theirs)
        assert tree_of(game.start, game.line) == wanted, text
        assert (game.white, game.result) == (theirs.headers["White"], theirs.headers["Result"])
        assert fen(game.final).split()[:3] == theirs.end().board().fen().split()[:3]
        written = write_pgn(game)
        assert read_pgn(written) == game
        again = peer.read_game(io.StringIO(written))
        assert not again.errors
        assert tree_of_peer(again) == wanted
        # python-chess leaves the backslashes in what it reads.
        assert re.sub(r'\\(["\\])', r"\1", again.headers["White"]) == game.white


# Many games, and where they begin ---------------------------------------------------------------------------------


def test_many_games_in_a_file():
    text = '1. e4 e5 1-0 1. d4 *\n[White "x"]\n\n[Black "y"]\n1. c4 {a\n[Event "no tag"]\n} 1/2\n[White "z"]\n1. Nf3'
    games = list(read_pgn_games(text.splitlines(keepends=True)))
    assert [(game.white, game.black, len(game.moves), game.result) for game in games] == [
        ("", "", 2, "1-0"),
        ("", "", 1, "*"),
        ("x", "y", 1, "1/2-1/2"),
        ("z", "", 1, "*"),
    ]
    assert games[2].line[0].comments == ('a [Event "no tag"]',)


def test_a_bad_game_does_not_spoil_the_others():
    text = (
        f'[White "a"]\n\n1. e4 e5 2. Ke3 *\n\n[White "b"\n[Black "c"]\n\n1. e4 *\n\n{EXPORTED}\n[White "d"]\n\n1. e4 {{'
    )
    faults: list[PlygroundError] = []
    games = list(read_pgn_games(text.splitlines(keepends=True), "f.pgn", on_error=faults.append))
    assert games == [read_pgn(ODD)]
    assert [str(fault).split(";")[0][:60] for fault in faults] == [
        "f.pgn, line 1, game 1: move 2: 'Ke3' is not legal here",
        "f.pgn, line 5: '[White \"b\"' is not a tag here",
        f"f.pgn, line {text.count(chr(10)) - 1}: a comment has no end",
    ]


def test_games_from_other_positions():
    begun = read_pgn('[SetUp "1"]\n[FEN "4k3/8/8/8/8/8/4P3/4K3 b - - 3 7"]\n\n7... Kd7 8. e4 *')
    assert begun.game == "chess:fen=4k3/8/8/8/8/8/4P3/4K3 b - - 3 7"
    assert "7... Kd7 8. e4 *" in write_pgn(begun)
    shuffled = (
        '[Variant "Chess960"]\n[FEN "nrkbbqrn/pppppppp/8/8/8/8/PPPPPPPP/NRKBBQRN w KQkq - 0 1"]\n\n1. Ng3 Ng6 2. e4 *'
    )
    game = read_pgn(shuffled)
    assert game.game.startswith("chess:chess960=")
    assert make_game(game.game).initial == game.start
    assert read_pgn(write_pgn(game)) == game
    half = read_pgn('[Variant "Chess960"]\n[FEN "4k3/8/8/8/8/8/8/5KR1 w G - 0 1"]\n\n1. O-O *')
    assert make_game(half.game).initial == half.start
    with pytest.raises(FormatError, match="the variant 'Atomic' is not chess"):
        read_pgn('[Variant "Atomic"]\n\n1. e4 *')


def test_a_game_may_go_on_after_a_draw_that_nobody_claimed():
    there_and_back = "Nf3 Nf6 Ng1 Ng8 " * 40
    game = read_pgn(f"{there_and_back} e4 1-0")
    assert len(game.moves) == 161
    assert read_pgn(write_pgn(game)) == game


def test_what_a_game_says():
    game = read_pgn("1. f3 {[%emt 0:00:02.5] [%eval -0.35,12]} e5 {[%eval #2]} 2. g4 Qh4# 1-0")
    assert (game.line[0].time, game.line[0].evaluation, game.line[1].evaluation) == (2.5, "-0.35", "#2")
    assert game.doubt == "the stated result is 1-0, but the game ends in mate"
    assert game.returns == (1.0, -1.0)


BAD = {
    "1. e4 e5 2. Ke3 *": "move 2: 'Ke3' is not legal here",
    "1. e4 e4 *": "move 1...: 'e4' is not legal here",
    "1. e4 (1. d4 d6 2. Nf9) *": "move 2: 'Nf9' is not a move",
    "1. e4 -- *": "a null move (--) can stand in a variation only",
    "1. e4 ) *": "a ) closes no variation",
    "1. e4 (1. d4": "a variation has no end",
    "1. e4 {x": "a comment has no end",
    "(1. e4) e5": "a variation stands before the first move",
    "1. e4 @ *": "'@ *' is neither a move nor a comment",
    "[White x]\n1. e4": "is not a tag here",
    "1. e4 " + "(1. d4 " * 70: "at most 64 within each other",
    "Nf3 Nf6 Ng1 Ng8 " * 6000: "at most 20,000 moves",
    '[FEN "8/8 w - -"]\n*': "8 ranks",
    "1. Nf3 Nf6 2. Nc3 Nc6 3. Nb5 a6 4. Nd4 *": "can mean",
    "": "one game was expected, and here are 0",
}


@pytest.mark.parametrize("text", BAD)
def test_bad_games(text):
    with pytest.raises(PlygroundError, match=r"^[^\n]*$") as caught:
        read_pgn(text)
    assert BAD[text] in str(caught.value)


def test_records_that_are_no_games_are_refused():
    with pytest.raises(IllegalAction, match="move 1: 3 is not the number of a legal move"):
        ChessRecord(line=(PgnMove(3),))
    with pytest.raises(IllegalAction, match="not the number of a legal move"):
        ChessRecord(line=(PgnMove(796, variations=((PgnMove(796), PgnMove(796)),)),))
    with pytest.raises(FormatError, match=r"a result is one of 1-0, 0-1, 1/2-1/2, \*, not 'won'"):
        ChessRecord(result="won")


def test_what_is_taken_for_chess():
    assert {recognise(text) for text in ("1. e4 e5", "e2e4", "Nf3", "c4 e5 Nf3", '[Event "x"]\n\n*', "{a} e4")} == {
        Format.PGN
    }
    assert {recognise(text) for text in ("f5d6c3", "1. f5 d6", "d3 c5", "F5D6C3 B3", "f5 a1")} == {Format.TRANSCRIPT}
    [game] = read_any("1. d4 d5 2. c4")
    assert isinstance(game, ChessRecord)
    [old] = read_any('[White "Müller"]\n\n1. e4 *'.encode("latin-1"))
    assert isinstance(old, ChessRecord)
    assert old.white == "Müller"


@pytest.mark.parametrize("count", [300, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_text_crashes(count):
    """What is read can be written and read again; all else is refused in one line."""
    dice = random.Random(3)
    alphabet = '(){};%$[]"\\!?*.-+=#0123456789 \n\tabNKQxO\0é'
    read, refused = 0, []
    for _ in range(count):
        letters = list(ODD)
        for _ in range(dice.randrange(1, 6)):
            place = dice.randrange(len(letters))
            letters[place : place + dice.randrange(4)] = dice.choices(alphabet, k=dice.randrange(4))
        try:
            with located("text"):
                games = list(read_pgn_games("".join(letters).splitlines(keepends=True)))
        except PlygroundError as error:
            refused.append(str(error))
            continue
        read += 1
        for game in games:
            assert read_pgn(write_pgn(game)) == game
    assert read > count / 50
    assert len(refused) > count / 50
    assert not any("\n" in said for said in refused)
