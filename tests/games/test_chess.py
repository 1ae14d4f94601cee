"""Chess against published perfts and python-chess; every way a game ends; FEN, SAN and UCI, good and bad."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from plyground import (
    action_code,
    action_text,
    actions,
    evaluation,
    make_game,
    parse_action,
    result,
    search,
    terminal,
    utility,
)
from plyground.core.limits import Budget
from plyground.core.rules import grid, legal_actions, noisy, position_code, read_position, state_hash
from plyground.errors import ActionError, BadOption, FormatError, IllegalAction, UnreadableAction
from plyground.games.chess import Chess, fen, read_fen
from plyground.games.chess.lines import play_words, words_of
from plyground.native.compiling import compiled
from plyground.native.dispatch import coerced
from plyground.search.perft import perft

START = make_game("chess").initial
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
PERFTS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": (20, 400, 8902, 197281, 4865609, 119060324),
    KIWIPETE: (48, 2039, 97862, 4085603, 193690690),
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1": (14, 191, 2812, 43238, 674624, 11030083),
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1": (6, 264, 9467, 422333, 15833292),
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8": (44, 1486, 62379, 2103487, 89941194),
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10": (46, 2079, 89890, 3894594, 164075551),
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9": (21, 528, 12189, 326672, 8146062),
    "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9": (21, 807, 18002, 667366, 16253601),
}
"""From the Chess Programming Wiki; the last two are Chess960."""
AT_ONCE = 20_000_000


def play(moves: str, start: Any = START) -> Chess:
    state = start
    for move in moves.split():
        assert not terminal(state)
        state = result(state, parse_action(state, move))
    return state


@pytest.mark.parametrize("code", PERFTS)
def test_perft(code):
    wanted = [count for count in PERFTS[code] if count <= AT_ONCE]
    assert [perft(read_fen(code), depth + 1, 0, Budget()) for depth in range(len(wanted))] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("code", [code for code, counts in PERFTS.items() if counts[-1] > AT_ONCE])
def test_perft_of_a_hundred_million(code):
    assert perft(read_fen(code), len(PERFTS[code]), 0, Budget()) == PERFTS[code][-1]


# In lockstep with python-chess ------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def peer() -> ModuleType:
    return pytest.importorskip("chess", reason="python-chess is not installed")


@compiled
def listed(state: Any, out: Any) -> int:
    return legal_actions(state, out)


@compiled
def following(state: Any, action: int) -> Any:
    return result(state, action)


def action_of(board: Any, move: Any) -> int:
    """Our number of a move of python-chess."""
    if move.promotion in (2, 3, 4):
        files = (move.from_square & 7) * 3 + (move.to_square & 7) - (move.from_square & 7) + 1
        return 4096 + files * 3 + move.promotion - 2
    return 64 * move.from_square + move.to_square


def in_lockstep(peer: Any, seed: int, shuffled: bool) -> str:
    """One random game on both boards; every position, every list of moves and the end agree."""
    dice = random.Random(seed)
    number = dice.choice([n for n in range(960) if n != 518]) if shuffled else 518
    state = make_game(f"chess:chess960={number}").initial
    board = peer.Board.from_chess960_pos(number) if shuffled else peer.Board()
    out = np.zeros(256, np.int64)
    start, played, names = state, [], []
    while True:
        assert fen(state) == board.fen()
        count = listed(state, out)
        mate = board.is_checkmate()
        ends = [
            ("repetition", board.is_repetition(3)),
            ("fifty moves", board.halfmove_clock >= 100),
            ("dead", board.is_insufficient_material()),
            ("stalemate", board.is_stalemate()),
        ]
        if mate or any(over for _, over in ends):
            assert count == 0
            assert terminal(state)
            assert utility(state, board.turn) == (1.0 if mate else 0.0)  # White is 0 here, and True there
            assert words_of(start, played) == names
            assert play_words(start, names)[::2] == (played, None)
            return "mate" if mate else next(name for name, over in ends if over)
        named = {action_of(board, move): move for move in board.legal_moves}
        options = out[:count].tolist()
        assert sorted(options) == sorted(named)
        chosen = dice.choice(options)
        played.append(chosen)
        names.append(board.san(named[chosen]))
        assert action_code(state, chosen) == board.uci(named[chosen])
        if dice.random() < 0.1:
            action = dice.choice(options)
            assert action_text(state, action) == board.san(named[action])
        if dice.random() < 0.02:
            assert [action_text(state, action) for action in options] == [board.san(named[a]) for a in options]
        state = coerced(following(state, chosen))
        board.push(named[chosen])


@pytest.mark.parametrize("shuffled", [False, True])
@pytest.mark.parametrize("games", [40, pytest.param(10_000, marks=pytest.mark.slow)])
def test_random_games_in_lockstep(peer, games, shuffled):
    ends = {in_lockstep(peer, seed, shuffled) for seed in range(games)}
    assert {"mate", "dead", "fifty moves"} <= ends


# How games end ----------------------------------------------------------------------------------------------------


def test_mate_and_stalemate():
    fool = play("f3 e5 g4 Qh4#")
    assert terminal(fool)
    assert (utility(fool, 0), utility(fool, 1)) == (-1.0, 1.0)
    stuck = play("Qb6", read_fen("k7/8/8/2Q5/8/8/8/7K w - - 0 1"))
    assert terminal(stuck)
    assert utility(stuck, 0) == 0.0


def test_a_position_comes_the_third_time():
    """Also a pair of knights that have changed places is the same position."""
    round_trip = "Nf3 Nf6 Ng1 Ng8"
    state = play(f"{round_trip} Nf3 Nf6 Ng1")
    assert not terminal(state)
    assert state.repeats == 1
    state = play("Ng8", state)
    assert state.repeats == 2
    assert terminal(state)
    assert utility(state, 0) == 0.0
    knights = read_fen("4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1")
    swapped = play("Nd2 Ke7 Ne2 Ke8 Nf3 Ke7 Nc3 Ke8 Ng1 Ke7 Nb1 Ke8", knights)
    assert swapped.repeats == 1


def test_the_first_position_after_a_double_step_is_not_the_same_as_later():
    """There, and only there, a capture en passant was legal."""
    start = read_fen("4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1")
    state = play("e4", start)
    assert fen(state).split()[3] == "e3"
    state = play("Kd7 Kd1 Ke8 Ke1 Kd7 Kd1 Ke8 Ke1", state)
    assert state.repeats == 1
    assert terminal(play("Kd7", state))


def test_lost_rights_begin_a_new_past():
    state = play("Ke2 Ke7 Ke1 Ke8", read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1"))
    assert state.repeats == 0
    assert play("Rg1 Ke7 Rh1 Ke8", state).repeats == 1
    assert fen(state) == "4k3/8/8/8/8/8/8/4K2R w - - 4 3"


@pytest.mark.parametrize("seed", range(3))
def test_repetition_is_what_counting_positions_says(seed):
    """Through all the hundred moves that the clock allows: the past has room for them."""
    state = read_fen("1k6/1r6/8/8/8/8/6R1/6K1 w - - 0 1")
    seen: dict[str, int] = {}
    dice = random.Random(seed)
    while not terminal(state):
        key = " ".join(fen(state).split()[:4])
        assert state.repeats == seen.get(key, 0)
        seen[key] = state.repeats + 1
        quiet = [result(state, action) for action in actions(state) if not noisy(state, action)]
        fresh = [there for there in quiet if not terminal(there)]
        state = dice.choice(fresh or quiet)
    assert (state.clock, state.kept) == (100, 100)


def test_fifty_moves():
    state = read_fen("7k/8/8/8/8/8/4K3/R7 w - - 98 90")
    assert not terminal(play("Ra2", state))
    drawn = play("Ra2 Kg8", state)
    assert terminal(drawn)
    assert utility(drawn, 0) == 0.0
    mate = play("Ra8#", read_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 90"))
    assert mate.clock == 100
    assert utility(mate, 0) == 1.0


@pytest.mark.parametrize(
    ("board", "dead"),
    [
        ("k7/8/8/8/8/8/8/K7", True),
        ("kn6/8/8/8/8/8/8/K7", True),
        ("k7/8/8/8/8/8/8/KB6", True),
        ("kb6/8/8/8/8/8/B7/K7", False),
        ("kb6/8/8/8/8/7B/8/K7", False),
        ("kb6/8/8/8/8/6B1/8/K7", True),
        ("kn6/8/8/8/8/8/8/KN6", False),
        ("k7/8/8/8/8/8/8/KNN5", False),
        ("kn6/8/8/8/8/8/8/KB6", False),
        ("k7/p7/8/8/8/8/8/K7", False),
        ("k7/8/8/8/8/8/8/KQ6", False),
    ],
)
def test_dead_positions(board, dead, peer):
    state = read_fen(f"{board} w - - 0 1")
    assert peer.Board(f"{board} w - - 0 1").is_insufficient_material() == dead
    assert terminal(state) == dead


# Moves ------------------------------------------------------------------------------------------------------------


def texts(code: str) -> set[str]:
    state = read_fen(code)
    return {action_text(state, action) for action in actions(state)}


@pytest.mark.parametrize(
    ("code", "short", "long"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", True, True),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 0 1", True, False),
        ("4k3/8/8/8/4r3/8/8/R3K2R w KQ - 0 1", False, False),  # in check
        ("4k3/8/8/8/5r2/8/8/R3K2R w KQ - 0 1", False, True),  # through check
        ("4k3/8/8/8/6r1/8/8/R3K2R w KQ - 0 1", False, True),  # into check
        ("4k3/8/8/8/7r/8/8/R3K2R w KQ - 0 1", True, True),  # the rook may be attacked
        ("4k3/8/8/8/1r6/8/8/R3K2R w KQ - 0 1", True, True),  # and go over an attacked square
        ("4k3/8/8/8/8/8/8/RN2K1NR w KQ - 0 1", False, False),
    ],
)
def test_castling(code, short, long):
    found = {text.rstrip("+#") for text in texts(code)}
    assert ("O-O" in found, "O-O-O" in found) == (short, long)


def test_castling_moves_both_and_ends_the_rights():
    state = play("O-O O-O-O", read_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"))
    assert fen(state) == "2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2"
    taken = play("Rxh8+", read_fen("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"))
    assert fen(taken).split()[2] == "Qq"


def test_a_pawn_is_not_taken_in_passing_where_that_opens_a_line():
    assert "exd3" not in texts("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1")
    assert fen(play("d4", read_fen("8/8/8/8/k3p2Q/8/3P4/3K4 w - - 0 1"))).split()[3] == "-"
    assert "exd3" in texts("8/8/8/8/k2Pp3/7Q/8/3K4 b - d3 0 1")
    # The pawn that has just moved gives check, and is taken.
    assert "exd6" in {text.rstrip("+") for text in texts("8/8/8/2kpP3/8/8/8/4K3 w - d6 0 1")}
    assert "cxd3" in texts("8/8/8/4k3/2pP4/8/8/4K3 b - d3 0 1")


def test_moves_as_people_write_them():
    state = read_fen("k7/3P4/8/8/8/2N3N1/4n3/4K2R w K - 0 1")
    assert {"Ncxe2", "Ngxe2", "Kxe2", "d8=Q+", "d8=N"} <= texts(fen(state))
    named = {"d8=Q": "d7d8q", "d8n": "d7d8n", "d7d8R": "d7d8r", "d8 = b": "d7d8b",
             "ncE2": "c3e2", "Ncxe2!?": "c3e2", "Ng3-e2": "g3e2", "C3E2": "c3e2", "Kf2": "e1f2"}  # fmt: skip
    assert {text: action_code(state, parse_action(state, text)) for text in named} == named
    castling = read_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    assert {action_code(castling, parse_action(castling, text)) for text in ("0-0", "o-o", "OO", "e1g1")} == {"e1g1"}
    with pytest.raises(UnreadableAction, match="'Ne2' can mean Ncxe2, Ngxe2; name one of them"):
        parse_action(state, "Ne2")
    with pytest.raises(UnreadableAction, match=r"'d8' can mean d8=Q\+, d8=N, d8=B, d8=R\+"):
        parse_action(state, "d8")
    with pytest.raises(IllegalAction, match="'Kd3' is not legal here; legal: "):
        parse_action(state, "Kd3")
    with pytest.raises(UnreadableAction, match="is not a move; write it as e4"):
        parse_action(state, "hello")
    with pytest.raises(IllegalAction, match="the game is over"):
        parse_action(play("f3 e5 g4 Qh4#"), "e4")
    with pytest.raises(ActionError, match="not the number of a legal move"):
        action_text(state, 0)


def test_a_bishop_and_the_pawn_of_its_file():
    """Where only the case tells two moves apart, it decides; where it does not, anything goes."""
    state = read_fen("k7/8/8/8/8/2p5/1P6/K3B3 w - - 0 1")
    assert action_code(state, parse_action(state, "bxc3")) == "b2c3"
    assert action_code(state, parse_action(state, "Bxc3")) == "e1c3"
    assert action_code(state, parse_action(state, "bc3")) == "b2c3"
    with pytest.raises(UnreadableAction, match="can mean"):
        parse_action(state, "BXC3")
    assert action_code(state, parse_action(state, "bh4")) == "e1h4"


def test_a_move_of_programs_is_not_taken_for_a_bishop_s():
    state = read_fen("k7/8/8/8/2B5/8/1PB5/K7 w - - 0 1")
    assert "B2b3" in texts(fen(state))
    assert action_code(state, parse_action(state, "b2b3")) == "b2b3"
    assert action_code(state, parse_action(state, "B2b3")) == "c2b3"


def test_what_is_noisy():
    state = read_fen("3r3k/P1P5/8/3pP3/8/8/8/4K3 w - d6 0 1")
    loud = {action_text(state, action) for action in actions(state) if noisy(state, action)}
    assert {text.rstrip("+#") for text in loud} == {
        *(f"{move}={piece}" for move in ("a8", "c8", "cxd8") for piece in "QRBN"),
        "exd6",
    }


# Positions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", [KIWIPETE, *PERFTS])
def test_fen_comes_back(code):
    state = read_fen(code)
    assert read_fen(fen(state), shuffled=state.shuffled) == state
    assert position_code(read_position(START, fen(START))) == fen(START)


def test_en_passant_is_kept_only_where_it_is_legal():
    assert fen(play("e4")) == "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"
    assert fen(play("e4 Nf6 e5 d5")).split()[3] == "d6"
    assert fen(read_fen("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")).split()[3] == "-"


BAD = {
    "": "it needs the board",
    "8/8 w - -": "8 ranks",
    "9/8/8/8/8/8/8/8 w - - 0 1": "rank 8 must be written with",
    "7/8/8/8/8/8/8/8 w - - 0 1": "rank 8 must have 8 squares, not 7",
    "8/8/8/8/8/8/8/8 w - - 0 1": "White must have one king, not 0",
    "kk6/8/8/8/8/8/8/K7 w - - 0 1": "Black must have one king, not 2",
    "k7/8/8/8/8/8/8/K6P w - - 0 1": "White has a pawn on the first or last rank",
    "k7/8/8/8/8/PPPPPPPP/P7/K7 w - - 0 1": "more pieces than eight pawns can become",
    "k7/8/8/8/8/QQQQQQQQ/QQ6/K7 w - - 0 1": "more pieces than eight pawns can become",
    "k7/8/8/8/8/8/8/K7 x - - 0 1": "must be w or b, not x",
    "k6R/8/8/8/8/8/8/K7 w - - 0 1": "Black is in check, and it is the other side's turn",
    "kK6/8/8/8/8/8/8/8 w - - 0 1": "Black is in check",
    "k7/8/8/8/8/8/8/K7 w KQ - 0 1": "castling K needs the king on e1 and a rook on h1",
    "k7/8/8/8/8/8/8/K7 w AH - 0 1": "needs king and rook on the first rank",
    "k7/8/8/8/8/8/8/RRK5 w AB - 0 1": "names one side of the board twice",
    "4k2r/8/8/8/8/8/8/4K2R w KK - 0 1": "names one side of the board twice",
    "k7/8/8/8/8/8/8/K7 w X - 0 1": "castling must be some of KQkq",
    "k7/8/8/8/8/8/8/K7 w - e3 0 1": "en passant must be - or a square on rank 6, not e3",
    "k7/8/8/8/8/8/8/K7 w - e6 0 1": "no pawn can have gone two steps over e6",
    "k7/8/8/8/8/8/8/K7 w - - -1 1": "the clock must be a whole number",
    "k7/8/8/8/8/8/8/K7 w - - 0 ²": "the number of the move must be a whole number",
    "k7/8/8/8/8/8/8/K7 w - - 0 1 e4": "it needs the board",
}


@pytest.mark.parametrize("code", BAD)
def test_bad_positions(code):
    with pytest.raises(FormatError, match=r"^[^\n]*$") as caught:
        read_fen(code)
    assert BAD[code] in str(caught.value)


def test_bad_options():
    with pytest.raises(BadOption, match="chess: 'k7' is not a position in FEN"):
        make_game("chess:fen=k7")
    with pytest.raises(BadOption, match="chess960 must be from 0 to 959, not 960"):
        make_game("chess:chess960=960")


@pytest.mark.parametrize("count", [3000, pytest.param(100_000, marks=pytest.mark.slow)])
def test_no_fen_crashes(count):
    """What is read can be played and written again; all else is refused in one line."""
    dice = random.Random(1)
    codes = list(PERFTS)
    alphabet = "KQRBNPkqrbnp12345678/ -wbabcdefgh0369\n\t²é\0ABH"
    read, several = 0, False
    for _ in range(count):
        letters = list(dice.choice(codes))
        for _ in range(dice.randrange(1, 5)):
            place = dice.randrange(len(letters))
            letters[place : place + dice.randrange(3)] = dice.choices(alphabet, k=dice.randrange(3))
        try:
            state = read_fen("".join(letters), shuffled=dice.random() < 0.3)
        except FormatError as error:
            several |= "\n" in str(error)
            continue
        read += 1
        assert read_fen(fen(state), shuffled=state.shuffled) == state
        for action in actions(state):
            assert parse_action(state, action_code(state, action)) == action
            result(state, action)
    assert read > count / 50
    assert not several


def test_chess960():
    assert fen(make_game("chess:chess960=0").initial).startswith("bbqnnrkr/")
    assert fen(make_game("chess:chess960=959").initial).startswith("rkrnnqbb/")
    assert make_game("chess:chess960=518").initial == START
    # King and rook change places, and the rook had kept a check away.
    assert "O-O-O" not in texts("4k3/8/8/8/8/8/8/rR1K4 w B - 0 1")
    castled = play("O-O", read_fen("4k3/8/8/8/8/8/8/5KR1 w G - 0 1"))
    assert fen(castled) == "4k3/8/8/8/8/8/8/5RK1 b - - 1 1"


# The rest of the game ---------------------------------------------------------------------------------------------


def test_evaluations_count_pawns():
    game = make_game("chess:fen=4k3/8/8/8/8/8/8/Q3K3 w - - 0 1")
    assert game.evaluations["material"](game.initial) / game.points["material"].size == 9
    assert game.evaluations["mobility"](game.initial) / game.points["mobility"].size > 10
    assert 0.5 < evaluation(game.initial) < 1
    assert evaluation(game.initial._replace(turn=1)) == -evaluation(game.initial)
    assert evaluation(START) == 0.0


def test_hashes_tell_positions_apart():
    """All positions within three plies; equal ones by other ways hash equally, since the way is not in it."""
    frontier, seen = [START], {}
    for _ in range(3):
        frontier = [result(state, action) for state in frontier for action in actions(state)]
        for state in frontier:
            key = " ".join(fen(state).split()[:4])
            assert seen.setdefault(int(state_hash(state)), key) == key
    assert len(seen) == len(set(seen.values()))


def test_a_search_finds_the_mate():
    game = make_game("chess:fen=6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")
    found = search(game.initial, "alphabeta:depth=3")
    assert action_text(game.initial, found.action) == "Ra8#"
    assert found.value == 1.0


def test_the_board_is_drawn():
    board = grid(START)
    assert board is not None
    assert (board.cells[0], board.cells[7]) == ("rnbqkbnr", "RNBQKBNR")
