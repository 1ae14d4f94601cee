"""The FFO endgames: the standard test of Othello endgame solvers.

    pytest -m slow tests/engines/reversi/test_reversi_ffo.py

solves all of #1 to #39 and scores all their moves; the plain run takes those of up to 17 empty squares.
"""

from __future__ import annotations

import pytest

from plyground import action_text
from plyground.engines.reversi.engine import Engine
from plyground.formats import read_board

# Number; the board from a1 to h8, X black, O white; the side to move; its score; all moves that reach it.
FFO = """
1 --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X +18 g8
2 -XXXXXX---XOOOO--XOXXOOX-OOOOOOOOOOOXXOOOOOXXOOX--XXOO----XXXXX- X +10 a4
3 ----OX----OOXX---OOOXX-XOOXXOOOOOXXOXXOOOXXXOOOOOXXXXOXO--OOOOOX X +2 d1
4 -XXXXXX-X-XXXOO-XOXXXOOXXXOXOOOX-OXOOXXX--OOOXXX--OOXX----XOXXO- X +0 h8 a5
5 -OOOOO----OXXO-XXXOXOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOOO---XXXXX-- X +32 g8
6 --OXXX--OOOXXX--OOOXOXO-OOXOOOX-OOXXXXXXXOOXXOX--OOOOX---XXXXXX- X +14 a1 h3
7 --OXXO--XOXXXX--XOOOXXXXXOOXXXXXXOOOOXXX-XXXXXXX--XXOOO----XXOO- X +8 a6
8 ---X-X--X-XXXX--XXXXOXXXXXXOOOOOXXOXXXO-XOXXXXO-XOOXXX--XOOXXO-- O +8 e1
9 --XOXX--O-OOXXXX-OOOXXXX-XOXXXOXXXOXOOOXOXXOXOXX--OXOO----OOOO-- O -8 g7 a4
10 -XXXX-----OXXX--XOXOXOXXOXOXXOXXOXXOXOOOXXXOXOOX--OXXO---OOOOO-- O +10 b2
11 ---O-XOX----XXOX---XXOOXO-XXOXOXXXXOOXOX-XOOXXXXXOOOXX-XOOOOOOO- O +30 b3
12 --O--O--X-OOOOX-XXOOOXOOXXOXOXOOXXOXXOOOXXXXOOOO--OXXX---XXXXX-- O -8 b7
13 --XXXXX--OOOXX---OOOXXXX-OXOXOXXOXXXOXXX--XOXOXX--OXOOO--OOOOO-- X +14 b7
14 --XXXXX---OOOX---XOOXXXX-OOOOOOOOOOXXXOOOOOXXOOX--XXOO----XXXXX- X +18 a3
15 ----O------OOX---OOOXX-XOOOXOOOOOXXOXXOOOXXXOOOOOXXXOOXO--OOOOOX X +4 g3 b8
16 -XXXXXX-X-XXXOO-XOXXXOOXXOOXXXOX-OOOXXXX--OOXXXX---OOO----XOX-O- X +24 f8
17 -OOOOO----OXXO-XXXOOOXX-XXOXOXXOXXOOXOOOXXXXOO-OX-XOO----XXXX--- X +8 f8
18 -XXX------OOOX--XOOOOOXXOXOXOOXXOXXOOOOOXXXOXOOX--OXXO---OOOOO-- X -2 g2
19 --OXXO--XOXXXX--XOOOOXXXXOOOXXXXX-OOOXXX--OOOOXX--XXOOO----XXOO- X +8 b6
20 XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X +6 h5
21 OOOOOOOOXOOXXX--XXOOXOO-XOXOOO--XOOOOX--XOOXOO--XOOOOO--XXXX---- O +0 g5
22 --OOOO--X-OOOOO-XXOOXOXXXOXOXXXXXXXOXXXX-XXOXOXX--OXXX-X----X--- O +2 g8
23 --O-------OOX---OOOXXXO-OOOOXOXXXXXOOXOXXXXXXOOXX-XXXXOX--XXXX-- X +4 a2
24 --O--O-----OOOX--X-XOXOO--XXXOOOXXXXOOOOXXXOXXOOXXXXXX--XOXX-O-- O +0 c3
25 ----X------XXXO--OOOXXXXXOOOOXXO-XXOOXXOOOXOXXXXOOOXX---X-XXXX-- O +0 g1 a5
26 -OOOOO----OXXO---OOOOXXO-OOOXOXX-OOXOOXX-XOXXOXX--O-XXXX--O----O X +0 d8
27 --XO-O----OOOO--OOXOXXO-OOOOXXOOOOOXXOX-OXOXXXXX--XXXX----X-O-X- X -2 b7
28 --O-------OOO--X-XOOOOXXXXXXOXOX-XXOXOOXXXOXOOXX-OOOOO-X---OOO-- X +0 f1 b2 e1
29 -OXXXX----OXXO--XXOOXOOOXXXOOXOOXXOOXOOOXXXXOO-XX-XXO----------- X +10 g2
30 -XXX----X-XOO---XXOXOO--XOXOXO--XOOXOXXXXOOXXOX---OOOOO--XXXXX-- X +0 g3
31 -OOOOO----OOOO--OXXOOO---XXXOO--XXXXXXO-XXXOOO-OX-OOOO---OOOOO-- X -2 g6
32 --XX----O-XXOX--OOXOO---OXOXOOO-OOXXOOOXOOXXXOOX--XXXXOX--X--X-X X -4 g3
33 -XXXXXXX--XOOO----OXOOXX-OOXXOXX-OOOOOXX-X-XOOXX---O-X-X--OOOO-- X -8 e7 a3
34 -------------O-O-OOOOOOOOOOOOXOOOXXOOOXO-XXXOXOO--XXXOXO--OXXXXO X -2 c2
35 --XXX-----XXXX-OOOXXOOOOOOOOOOXO-OOXXXXO-OOOXXXO---XOXX---X----- O +0 c7
36 ---X-O----XXXO-XXXXXXXXXXOOXXOOXXOXOOOXXXXOOOO-XX--OOOO--------- O +0 b7
37 --OOOO--O-OOOO--OXXXOOO-OXXOXO--OOXXOXX-OOXXXX--O-XXX-----XX-O-- X -20 g2
38 --OOOO----OOOO---XOXXOOXOOXOOOOX-OOOOOXXXOOXXXXX--X-X----------- X +4 b2
39 O-OOOO--XOXXOX--XOOOXXX-XOOOXX--XOOXOX--XOXXX---X-XX------------ O +64 a8 b1 g1 g5 g6 c8 h3 e8 h4
"""


class Endgame:
    """A line of the list."""

    def __init__(self, line):
        number, board, side, score, *moves = line.split()
        self.number, self.state = int(number), read_board(f"{board} {side}")
        self.score, self.moves = int(score), set(moves)
        self.empties = board.count("-")


ENDGAMES = [Endgame(line) for line in FFO.strip().splitlines()]
QUICK = [endgame for endgame in ENDGAMES if endgame.empties <= 17]


def name(endgame):
    return f"#{endgame.number}"


@pytest.fixture(scope="module", params=[1, 2], ids=["one thread", "two threads"])
def engine(request):
    engine = Engine(threads=request.param)
    engine.prepare()
    return engine


def check_solution(endgame, engine):
    engine.clear()
    report = engine.search(endgame.state)
    assert (report.value, report.exact) == (endgame.score, True)
    assert action_text(endgame.state, report.move) in endgame.moves


def check_all_moves(endgame, engine):
    engine.clear()
    reports = engine.score_moves(endgame.state)
    assert all(report.exact for report in reports)
    assert reports[0].value == endgame.score
    best = {action_text(endgame.state, report.move) for report in reports if report.value == endgame.score}
    assert best == endgame.moves


def test_the_list_is_whole():
    assert [endgame.number for endgame in ENDGAMES] == list(range(1, 40))
    assert len(QUICK) >= 20


@pytest.mark.parametrize("endgame", QUICK, ids=name)
def test_small_ffo_endgames_are_solved(endgame, engine):
    check_solution(endgame, engine)


@pytest.mark.parametrize("endgame", QUICK, ids=name)
def test_all_moves_of_small_ffo_endgames_are_scored(endgame, engine):
    check_all_moves(endgame, engine)


@pytest.mark.slow
@pytest.mark.parametrize("endgame", ENDGAMES, ids=name)
def test_ffo_endgames_are_solved(endgame, engine):
    check_solution(endgame, engine)


@pytest.mark.slow
@pytest.mark.parametrize("endgame", ENDGAMES, ids=name)
def test_all_moves_of_ffo_endgames_are_scored(endgame, engine):
    check_all_moves(endgame, engine)
