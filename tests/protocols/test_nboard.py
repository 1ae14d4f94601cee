"""The NBoard protocol: every command, any line at all, and games that equal those played here."""

from __future__ import annotations

import re
import sys
import threading
import time
from contextlib import ExitStack

import pytest

from plyground import Limit, make_game
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.errors import BadOption, PlayerFailed, UnsuitableGame
from plyground.formats import Record, write_ggf
from plyground.players import Move, Player, Position, make_player
from plyground.processes.program import Process
from plyground.protocols.nboard import ANSWER, NBoardEngine
from protocol_lines import hostile_lines

REVERSI = make_game("reversi")
ENGINE = [sys.executable, "-m", "plyground.cli.main", "nboard"]


@pytest.fixture(scope="module", autouse=True)
def patience():
    """A program receives everything that is sent to it, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyground.protocols.client.CLOSING", 60.0)
        yield


def moves_of(text):
    return tuple(read_moves(REVERSI, text)[1])


def ggf(text="", **facts):
    return write_ggf(Record(moves=moves_of(text), **facts))


class Board:
    """An engine with everything that it says."""

    def __init__(self, player="random:seed=1"):
        self.said = []
        self.engine = NBoardEngine(make_player(player) if isinstance(player, str) else player, self.said.append)

    def tell(self, *lines):
        """What it says to these lines, after it has thought in peace."""
        del self.said[:]
        for line in lines:
            assert self.engine.handle(line)
            self.engine.wait()
        return list(self.said)


class Ponderous(Player):
    """Thinks until it is allowed to answer."""

    def __init__(self):
        self.begun, self.allowed = threading.Event(), threading.Event()

    def choose(self, position, limit):
        self.begun.set()
        assert self.allowed.wait(120)
        return Move(19)


def test_greeting_and_synchronising():
    board = Board()
    assert board.tell("nboard 2") == ["set myname random:seed=1"]
    assert board.tell("nboard 1")[0].startswith("status ")
    assert board.tell("ping 7") == ["pong 7"]
    assert board.tell("learn") == ["learned"]
    assert board.tell("set contempt 20", "set colour red", "what is this", "", "set") == []
    assert not board.engine.handle("quit")


def test_a_move_is_chosen_and_not_made():
    board = Board("minimax:depth=2,seed=1")
    said = board.tell("go")
    answer = next(line for line in said if line.startswith("==="))
    assert re.fullmatch(r"=== [A-H][1-8]/-?\d+\.\d\d/\d+\.\d\d", answer)
    assert re.fullmatch(r"nodestats \d+ \d+\.\d\d", said[-3])
    assert [said[0], said[-1]] == ["status thinking", "status"]
    assert board.tell("go")[-2].startswith("=== ")  # still black's turn


def test_moves_in_every_form():
    board = Board()
    assert board.tell("move F5", "move d6/1.25/0.5", "move c3//2") == []
    said = board.tell("move a1")
    assert len(said) == 1
    assert said[0].startswith("status action 0 is not legal here")
    assert board.tell("move z9")[0].startswith("status 'z9' is not a square")
    assert board.tell("move PA")[0].startswith("status action 64 is not legal here")


def test_a_game_is_set_up():
    board = Board("minimax:depth=1")
    assert board.tell(f"set game {ggf('f5 d6 c3 d3', black='A', white='B')}") == []
    assert board.tell("move c4") == []
    assert board.tell("set game (;GM[Othello")[0].startswith("status ")
    assert board.tell("set game")[0].startswith("status ")
    assert board.tell("set game (;GM[Othello]PC[x]TY[8]BO[8 " + "-" * 64 + " *];)")[0].startswith("status ")
    ending = "(;GM[Othello]TY[8]BO[8 " + "*" * 62 + "O- *];)"
    assert board.tell(f"set game {ending}") == []
    assert any(line.startswith("=== H8/") for line in board.tell("go"))
    assert board.tell("move H8", "go", "hint 3") == []  # the game is over


def test_passes():
    board = Board()
    board.tell("set game (;GM[Othello]TY[8]BO[8 " + "*" * 63 + "- O];)")  # nobody has a move
    assert board.tell("go") == []
    passing = "set game (;GM[Othello]TY[8]BO[8 " + "*" * 56 + "-O****** O];)"
    board.tell(passing)
    assert "=== PA//0.00" in board.tell("go")
    assert board.tell("move PA") == []
    assert any(line.startswith("=== A8/") for line in board.tell("go"))
    board.tell(passing)
    assert board.tell("move A8") == []  # the pass is put in
    board.tell(passing)
    assert board.tell("move H8")[0].startswith("status ")
    assert "=== PA//0.00" in board.tell("go")  # and taken out again


def test_depth():
    board = Board("minimax")
    assert board.tell("set depth 3") == []
    assert any(re.fullmatch(r"search \w+ \S+ 0 3", line) for line in board.tell("hint 1"))
    for wrong in ("0", "x", "-1", ""):
        assert board.tell(f"set depth {wrong}")[0].startswith("status the depth must be")


def test_hints_of_the_engine():
    board = Board("engine:depth=4")
    said = board.tell("hint 2")
    found = [re.fullmatch(r"search ((?:[A-H][1-8]|PA)+) (-?\d+\.\d\d) 0 (\d+|100%)", line) for line in said[1:-2]]
    assert all(found)
    assert len(found) == 8
    assert [match[3] for match in found] == ["1", "1", "2", "2", "3", "3", "4", "4"]
    assert float(found[-2][2]) >= float(found[-1][2])
    assert said[-2].startswith("nodestats ")


def test_analysis_goes_back_from_the_end():
    board = Board("minimax:depth=1")
    board.tell("move F5", "move D6")
    said = [line.split() for line in board.tell("analyze") if line.startswith("analysis")]
    assert [line[1] for line in said] == ["2", "1", "0"]
    assert all(re.fullmatch(r"-?\d+\.\d\d", line[2]) for line in said)


@pytest.mark.parametrize("line", ["ping 1", "move F5", "quit", "set game " + ggf(), "go"])
def test_a_command_ends_the_thinking(line):
    player = Ponderous()
    board = Board(player)
    board.engine.handle("go")
    assert player.begun.wait(120)
    unwanted = board.engine._cancelled
    answering = threading.Thread(target=lambda: unwanted.wait(120) and player.allowed.set())
    answering.start()
    board.engine.handle(line)
    answering.join()
    board.engine.wait()
    thought = [said for said in board.said if said.startswith("===")]
    assert len(thought) == (line == "go")


def test_the_engine_stops_at_once():
    board = Board("engine:depth=60,table=1MB")
    board.tell(f"set game {ggf('f5 d6 c3 d3 c4 f4 f6 f3 e6 e7')}")
    board.engine.handle("go")
    board.engine.handle("ping 1")
    assert board.said[-1] == "pong 1"
    assert not any(line.startswith("===") for line in board.said)


def test_a_player_for_another_board_is_refused():
    class Alone(Player):
        accepts = make_player("random").accepts.__class__(players=(1,))

        def choose(self, position, limit):
            raise NotImplementedError

    with pytest.raises(BadOption, match="cannot play reversi"):
        Board(Alone())
    with pytest.raises(UnsuitableGame, match="it knows one game only"):
        make_player("nboard:command=cat", make_game("tictactoe"))


# Any line at all ---------------------------------------------------------------------------------------------------

VALID = [
    "nboard 2", "set depth 4", "set contempt 0", "set game " + ggf("f5 d6 c3"), "set game " + ggf(), "move SQUARE",
    "move SQUARE/1.5/2", "move SQUARE", "move PA", "hint 3", "go", "ping 12", "learn", "analyze",
]  # fmt: skip
SAID = re.compile(
    r"status( .*)?|set myname .+|pong.*|learned|nodestats \d+ \S+|analysis \d+ \S+|"
    r"search ([A-H][1-8]|PA)+ \S+ 0 \S+|=== ([A-H][1-8]|PA)/\S*/\S+"
)


def check_hostile_lines(count):
    board = Board()
    thought = 0
    for line in hostile_lines(VALID, count, seed=count):
        board.engine.handle(line)
        assert all(SAID.fullmatch(said) and "\n" not in said for said in board.said), (line, board.said)
        thought += any(said.startswith(("===", "search")) for said in board.said)
        if len(board.said) > 1000:
            del board.said[:]
    board.engine.stop()
    assert board.tell("ping 99") == ["pong 99"]
    assert thought > count / 50


def test_no_line_is_its_end():
    check_hostile_lines(2000)


@pytest.mark.slow
def test_no_line_of_a_hundred_thousand_is_its_end():
    check_hostile_lines(100_000)


def test_no_line_is_the_end_of_the_real_process():
    lines = [line for line in hostile_lines(VALID, 400, seed=7) if not re.search(r"quit|[\n\r]", line)]
    with Process([*ENGINE, "--player", "random", "--seed", "1"]) as program:
        for line in lines:
            program.send(line.encode(errors="replace").decode(), time.monotonic() + 60)
        program.send("ping 987654", time.monotonic() + 60)
        while program.receive(time.monotonic() + 60) != "pong 987654":
            pass


# Over the protocol and without -------------------------------------------------------------------------------------


def played(specs):
    with ExitStack() as seats:
        players = [seats.enter_context(make_player(spec, REVERSI, seed)) for seed, spec in enumerate(specs, 1)]
        return play_game(REVERSI, players)


@pytest.mark.slow
def test_a_game_over_the_protocol_equals_the_game_without():
    spec = "engine:depth=3"
    direct = played([spec, spec])
    there = f"nboard:command={' '.join(ENGINE)} --player {spec}"
    over = played([there, spec])
    assert [turn.action for turn in over.moves] == [turn.action for turn in direct.moves]
    assert over.returns == direct.returns
    for mine, theirs in zip(direct.moves, over.moves, strict=True):
        assert theirs.value == pytest.approx(mine.value)


# As a client ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "move", "value"),
    [
        ("=== F5/1.25/0.5", "F5", "1.25"),
        ("=== F5 -3.00 0.5", "F5", "-3.00"),
        ("===f5", "f5", None),
        ("=== PA//0.5", "PA", None),
        ("=== PA", "PA", None),
    ],
)
def test_answers_in_every_dialect(line, move, value):
    found = ANSWER.fullmatch(line)
    assert (found["move"], found["value"]) == (move, value)


SCRIPT = """
import sys
answers = {answers!r}
for line in sys.stdin:
    words = line.split()
    if words[0] == "ping":
        print("status hello"); print("pong", words[1], flush=True)
    elif words[0] == "go":
        print("search F5 0 0 1"); print(answers.pop(0), flush=True)
    elif words[0] == "quit":
        break
    print(line.strip(), file=open({log!r}, "a"))
"""


def client(tmp_path, *answers, options=""):
    file, log = tmp_path / "engine.py", tmp_path / "log"
    file.write_text(SCRIPT.format(answers=list(answers), log=str(log)), encoding="utf-8")
    player = make_player(f"nboard:command={sys.executable} {file}{options}", REVERSI)
    player.cage = "off"  # else nobody would see what it writes down
    return player, log


def test_what_a_program_is_told(tmp_path):
    player, log = client(tmp_path, "=== D3/2.00/0.1", "=== E3 -1 0.1", "=== Z9", options=",depth=8")
    for moves in ("", "d3 c5", "f5"):
        states, history = read_moves(REVERSI, moves)
        choice = player.choose(Position(REVERSI, states[-1], tuple(history)), Limit())
        assert (choice.action, choice.value) == {
            "": (19, 2 / 64),
            "d3 c5": (20, -1 / 64),
            "f5": (-1, None),
        }[moves]
    player.close()
    told = log.read_text().splitlines()
    assert told == [
        "nboard 2", "set depth 8", f"set game {ggf()}", "ping 1", "ping 2", "go", "move D3", "move C5", "ping 3", "go",
        f"set game {ggf('f5')}", "ping 4", "go",
    ]  # fmt: skip


def test_a_program_that_hangs_or_ends_fails_and_is_gone():
    for command, timeout, message in (
        ("sleep 1000", 0.2, "did not answer in time"),
        ("true", 60, "ended with status 0"),
    ):
        player = make_player(f"nboard:command={command},timeout={timeout}")
        with pytest.raises(PlayerFailed, match=message):
            player.prepare(REVERSI)
        assert not player.running


def test_a_program_that_only_prints_is_not_waited_for():
    with pytest.raises(PlayerFailed, match="yes printed 100,000 lines that are no answer"):
        make_player("nboard:command=yes,timeout=600").prepare(REVERSI)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nboard:command=no-such-program", "there is no program 'no-such-program'"),
        ("nboard:command=cat,depth=0", "depth must be at least 1"),
        ("nboard:command=cat,timeout=-1", "nboard: timeout must be a positive number"),
    ],
)
def test_options_are_checked(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec)
