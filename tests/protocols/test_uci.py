"""UCI both ways: what is said, what goes wrong, any line at all, and games that equal those played here."""

from __future__ import annotations

import re
import sys
import threading
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from plyground import Limit, actions, make_game
from plyground.arena.referee import Rules, play_game
from plyground.core.game_time import ClockFace, GameTime
from plyground.core.limits import Stop
from plyground.core.notation import read_moves
from plyground.core.registry import PLAYERS
from plyground.core.rules import action_code, position_code, read_position
from plyground.errors import BadOption, FormatError, PlayerFailed, UnsuitableGame
from plyground.native.compiling import interpreted
from plyground.players import Move, Player, Position, Resign, make_player
from plyground.processes.program import Process
from plyground.protocols.uci import Declared, read_score, score_words
from plyground.protocols.uci_engine import Search, UciEngine
from protocol_lines import hostile_lines

REVERSI, CONNECT4, TICTACTOE = make_game("reversi"), make_game("connect4"), make_game("tictactoe")
ENGINE = f"{sys.executable} -m plyground.cli.main uci"
PATIENCE = 60.0


@pytest.fixture(scope="module", autouse=True)
def patience():
    """A program receives everything that is sent to it, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyground.protocols.client.CLOSING", PATIENCE)
        yield


# As an engine: a controller that sends a line when the answer to the last one is there ------------------------------


def talked(*steps, game="tictactoe", player="random", seed=1):
    """What is answered to these lines, in which ``...X`` waits until one more line begins with X."""
    said, news, awaited = [], threading.Condition(), {}

    def write(line):
        with news:
            said.append(line)
            news.notify_all()

    def lines():
        for step in steps:
            if not step.startswith("..."):
                yield step
                continue
            wanted = step[3:]
            awaited[wanted] = awaited.get(wanted, 0) + 1
            with news:
                done = lambda: sum(line.startswith(wanted) for line in said) >= awaited[wanted]  # noqa: B023, E731
                assert news.wait_for(done, PATIENCE), (step, said)

    with interpreted():
        UciEngine(make_game(game), player, write, seed).serve(lines())
    return said


class Remembering(Player):
    """Plays the first legal move, with what it was told to think of it, and remembers what it was allowed."""

    limits: list[Limit]

    def __init__(self, answer=None, wait=False):
        self.limits, self.prepared, self.answer, self.wait = [], 0, answer, wait

    def prepare(self, game):
        self.prepared += 1

    def thoughts(self):
        return Move(0, 0.25, (0,), 2, 50) if self.limits else None

    def choose(self, position, limit):
        from plyground.core.limits import ending_with

        self.limits.append(limit)
        if self.wait:
            wanted = threading.Event()
            with ending_with(wanted.set):
                assert wanted.wait(PATIENCE)
        if isinstance(self.answer, Exception):
            raise self.answer
        first = actions(position.state)[0]
        return self.answer or Move(first, 0.5, (first,), 3, 100)


@pytest.fixture
def guest(monkeypatch):
    """A player under the name ``guest``, which has all options that a controller may set."""
    made = []

    def enter(player):
        def factory(
            time: float | None = None, depth: int | None = None, nodes: int | None = None, level: int | None = None,
            threads: int = 1, tt: str = "64MB",
        ):  # fmt: skip
            """A guest."""
            made.append({"time": time, "level": level, "threads": threads, "tt": tt})
            return player

        monkeypatch.setitem(PLAYERS._factories, "guest", factory)
        return player, made

    return enter


def test_what_it_is_and_what_it_can_be_set_to(guest):
    _, made = guest(Remembering())
    said = talked("uci", "setoption name Threads value 4", "setoption name hash value 16", "uci", player="guest:tt=8MB")
    assert said[0].startswith("id name Plyground ")
    assert said[1].startswith("id author ")
    end = said.index("uciok")
    assert set(said[2:end]) == {
        "option name Ponder type check default false",
        "option name UCI_Variant type string default tictactoe",
        "option name Player type string default guest:tt=8MB",
        "option name Level type spin default 0 min 0 max 20",
        "option name Threads type spin default 1 min 1 max 256",
        "option name Hash type spin default 8 min 1 max 65536",
    }
    assert "option name Player type string default guest:threads=4,tt=16" in said[end:]
    assert made[-1] == {"time": 1e8, "level": None, "threads": 4, "tt": "16"}
    talked("setoption name Level value 7", player="guest:level=3")
    assert made[-1]["level"] == 7
    talked("setoption name Level value 0", player="guest:level=3")
    assert made[-1]["level"] is None


def test_it_greets_before_it_prepares_and_is_ready_after_it(guest):
    player, _ = guest(Remembering())
    assert talked("uci", player="guest")[-1] == "uciok"
    assert player.prepared == 0
    assert talked("isready", player="guest") == ["readyok"]
    assert player.prepared == 1


def test_a_move(guest):
    player, _ = guest(Remembering())
    said = talked("position startpos moves b2 a1", "go movetime 500", "...bestmove", player="guest")
    assert re.fullmatch(r"info depth 3 score cp \d+ nodes 100 nps \d+ time \d+ pv b1", said[0])
    assert said[1:] == ["bestmove b1"]
    assert player.limits == [Limit(time=0.475)]


def test_limits(guest):
    player, _ = guest(Remembering())

    def allowed(words, moves="", spec="guest"):
        talked(f"position startpos moves {moves}", f"go {words}", "...bestmove", player=spec)
        return player.limits[-1]

    assert allowed("depth 4") == Limit(depth=4)
    assert allowed("mate 3") == Limit(depth=5)
    assert allowed("nodes 1000 unheard of") == Limit(nodes=1000)
    assert allowed("wtime 60000 btime 10 winc 1000") == Limit(time=3.8)
    assert allowed("wtime 10 btime 60000 movestogo 3", "b2") == Limit(time=19.0)
    assert allowed("wtime 500 winc 9000").time == pytest.approx(0.475)  # not more than there is
    assert allowed("wtime -40 btime -40") == allowed("movetime 0") == Limit(time=0.01)
    assert allowed("") == Limit(time=1.0)
    assert allowed("", spec="guest:level=2") == Limit()


def test_numbers_that_are_none_are_named_and_the_rest_counts(guest):
    player, _ = guest(Remembering())
    said = talked("go depth x movetime", "...bestmove", player="guest")
    assert said[:2] == ["info string go depth needs a whole number", "info string go movetime needs a whole number"]
    assert player.limits == [Limit(time=1.0)]


def test_it_thinks_until_it_is_stopped(guest):
    guest(Remembering(wait=True))
    said = talked("go infinite", "isready", "...readyok", "stop", "...bestmove", player="guest")
    assert said[0] == "readyok"
    assert said[-1] == "bestmove a1"


def test_an_answer_that_came_early_is_held_back_until_it_is_asked_for(guest):
    guest(Remembering())
    said = talked("go infinite", "...info", "isready", "...readyok", "stop", "...bestmove", player="guest")
    assert [line.split()[0] for line in said] == ["info", "readyok", "bestmove"]


def test_pondering_begins_to_count_when_the_move_is_played(guest):
    player, _ = guest(Remembering(wait=True))
    said = talked("go ponder movetime 200", "...info", "ponderhit", "...bestmove", player="guest")
    assert re.match(r"info depth 2 score cp \d+ nodes 50 nps \d+ time \d+ pv a1", said[0])  # while it thinks
    assert player.limits == [Limit()]
    guest(Remembering())
    assert talked("go ponder", "...info", "ponderhit", "...bestmove", player="guest")[-1] == "bestmove a1"


def test_what_would_never_end_is_not_in_the_way(guest):
    guest(Remembering(wait=True))
    said = talked("go infinite", "position startpos moves a1", "go infinite", "quit", player="guest")
    assert [line for line in said if "bestmove" in line] == ["bestmove a1", "bestmove b1"]
    guest(Remembering(wait=True))
    assert talked("go depth 5", "go depth 5", player="guest").count("bestmove a1") == 2  # the end of the input


def test_only_some_moves():
    said = talked("position startpos moves a1 a2 b1 b2", "go searchmoves c3 c1 zz depth 3", "...bestmove",
                  player="minimax:depth=3;ties=first")  # fmt: skip
    assert said[0].startswith("info string 'zz'")
    assert re.match(r"info depth 1 score mate 1 nodes \d+ nps \d+ time \d+ pv c1", said[-2])
    assert said[-1] == "bestmove c1"
    assert (
        talked("go searchmoves b2 infinite", "...info", "stop", "...bestmove", player="random")[-1][:11]
        == "bestmove b2"
    )


def test_positions():
    said = talked("position startpos moves c4 c3", "go depth 1", "...bestmove", "position startpos moves a1",
                  "position fen X", "position", "go depth 1", "...bestmove",
                  game="reversi", player="minimax:depth=1;ties=first")  # fmt: skip
    assert said.count(said[1]) == 2  # the position stays as it was
    assert any("move 1 of the position: 'a1' is not legal here" in line for line in said)
    assert any("board must be 64 of X, O and -" in line for line in said)
    assert "info string write position startpos moves ..., or position fen ... moves ..." in said
    board = position_code(read_moves(REVERSI, "f5")[0][-1])
    fen = talked(f"position fen {board} moves d6", "go depth 1", "...bestmove", game="reversi",
                 player="minimax:depth=1;ties=first")  # fmt: skip
    same = talked("position startpos moves f5 d6", "go depth 1", "...bestmove", game="reversi",
                  player="minimax:depth=1;ties=first")  # fmt: skip
    assert fen[-1] == same[-1]
    assert "no notation for positions of ConnectFour" in talked("position fen x", game="connect4")[0]


def test_the_end_of_the_game_and_players_that_cannot_go_on(guest):
    over = "position startpos moves a1 a2 b1 b2 c1"
    assert talked(over, "go", "...bestmove")[-2:] == ["info string the game is over", "bestmove (none)"]
    for answer, message in [
        (Resign(), "the player resigns"),
        (Move(99), "action 99 is not legal here"),
        (PlayerFailed("no more"), "no more"),
        (ZeroDivisionError("by\nzero"), "ZeroDivisionError: by zero"),
    ]:
        guest(Remembering(answer))
        said = talked("go", "...bestmove", player="guest")
        assert said[0].startswith(f"info string {message}")
        assert said[1:] == ["bestmove (none)"]


def test_other_games_and_other_players():
    said = talked("setoption name UCI_Variant value hex:size=2", "go", "...bestmove", player=None, game="nim:piles=1,2")
    assert re.fullmatch("bestmove [ab][12].*", said[-1])
    refused = [
        "UCI_Variant value kuhn", "UCI_Variant value tree", "UCI_Variant value /tmp/x.py", "Player value nobody",
        "Player value engine", "Player value human", "Level value 2", "Level", "", "Unheard value of",
    ]  # fmt: skip
    accepted = ["setoption name Ponder value true", "go", "...bestmove"]
    said = talked(*(f"setoption name {option}" for option in refused), *accepted)
    assert len(said) == 12
    assert all(line.startswith("info string ") for line in said[:10])
    assert said[0].startswith("info string UCI cannot play kuhn")
    assert "engine cannot play tictactoe" in said[4]
    assert said[-1].startswith("bestmove ")
    with pytest.raises(UnsuitableGame, match="UCI cannot play"):
        UciEngine(make_game("kuhn"), "random", print)


def test_castling_is_written_as_the_controller_wants_it():
    """In Chess960 the king goes onto its rook, wherever that stands."""
    castle = "go searchmoves e1g1 e1h1 e1c1 e1a1 depth 1"
    code = "position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
    plain = talked("uci", code, castle, "...bestmove", game="chess")
    assert "option name UCI_Chess960 type check default false" in plain
    assert plain[-1].split()[1] in ("e1g1", "e1c1")
    asked = "setoption name UCI_Chess960 value "
    said = talked(f"{asked}true", "uci", code, castle, "...bestmove", f"{code} moves e1h1 e8a8", "go", "...bestmove",
                  "position fen 4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1 moves f1g1", "go", "...bestmove",
                  f"{asked}false", code, castle, "...bestmove", game="chess")  # fmt: skip
    assert "option name UCI_Chess960 type check default true" in said
    answers = [line.split()[1] for line in said if line.startswith("bestmove")]
    assert answers[0] in ("e1h1", "e1a1")
    assert answers[-1] in ("e1g1", "e1c1")
    assert not [line for line in said if line.startswith("info string move")]
    assert talked(f"{asked}maybe", game="chess") == ["info string UCI_Chess960 is true or false, not 'maybe'"]
    assert "there is no option 'UCI_Chess960'" in talked(f"{asked}true")[0]


def test_unknown_words_are_skipped_and_unknown_lines_are_named():
    said = talked("joho  uci", "", "   ", "\x1b[31m what is this")
    assert "uciok" in said
    assert r"info string there is no command in '\x1b[31m what is this'" in said
    assert talked("debug on", "register later", "ponderhit", "stop") == []


def test_a_search_of_any_kind_can_be_stopped():
    """Each of them would take minutes."""
    for spec in ("alphabeta:time=100000", "mcts:time=100000", "flat:time=100000", "minimax:time=100000"):
        with interpreted():
            player, stop = make_player(spec, CONNECT4), Stop()
            threading.Timer(0.3, stop.request).start()
            with stop.over():
                assert player.choose(Position(CONNECT4, CONNECT4.initial), Limit()).action in range(7)
                assert player.choose(Position(CONNECT4, CONNECT4.initial), Limit()).action in range(
                    7
                )  # and no later one


def test_the_reversi_engine_can_be_stopped(engine_code):
    player, stop = make_player("engine:depth=60,book=off", REVERSI), Stop()
    threading.Timer(0.3, stop.request).start()
    with stop.over():
        assert player.choose(Position(REVERSI, REVERSI.initial), Limit()).action in actions(REVERSI.initial)


# Any line at all ---------------------------------------------------------------------------------------------------

VALID = [
    "uci", "isready", "ucinewgame", "debug on", "position startpos", "position startpos moves SQUARE SQUARE",
    "position startpos moves d3 c3 c4", "position fen " + position_code(REVERSI.initial) + " moves d3",
    "go movetime 1", "go depth 1", "go nodes 5", "go wtime 10 btime 10 winc 0 binc 0 movestogo 2", "go infinite",
    "go ponder movetime 3", "go searchmoves d3 SQUARE infinite", "go mate 1", "go", "stop", "ponderhit",
    "setoption name Player value random", "setoption name UCI_Variant value tictactoe",
    "setoption name UCI_Variant value reversi", "setoption name Threads value 2", "setoption name Ponder value true",
]  # fmt: skip
SAID = re.compile(r"(id|option|uciok|readyok|info|bestmove)\b[^\n\r\0]*")


CHESS = [
    "position startpos moves e2e4 e7e5 g1f3", "position startpos moves e2e4 SQUARE", "ucinewgame", "isready", "uci",
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "position fen 8/P7/8/8/8/8/8/k1K5 w - - 0 1 moves a7a8n", "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
    "setoption name UCI_Chess960 value true", "setoption name UCI_Variant value chess", "go movetime 1", "go depth 1",
    "go wtime 10 btime 10 winc 0 binc 0", "go searchmoves e2e4 e1g1 infinite", "go infinite", "go", "stop",
]  # fmt: skip


def check_hostile_lines(count, valid=VALID, game="reversi", seed=1):
    lines = [line for line in hostile_lines(valid, count, seed=seed) if "quit" not in line]
    said = talked(*lines, "quit", game=game, player="random")
    assert all(SAID.fullmatch(line) for line in said)
    searches = sum(bool(re.match(r"go\b", line.strip())) for line in lines)
    assert sum(line.startswith("bestmove ") for line in said) >= searches / 2 > 10


def test_no_line_is_its_end():
    check_hostile_lines(400)
    check_hostile_lines(200, CHESS, "chess")


@pytest.mark.slow
def test_no_line_of_a_hundred_thousand_is_its_end():
    for seed in range(2, 12):
        check_hostile_lines(2_000, seed=seed)
        check_hostile_lines(10_000, CHESS, "chess", seed)


# Over the protocol and without -------------------------------------------------------------------------------------


def played(game, specs, **settings):
    with ExitStack() as seats:
        players = [seats.enter_context(make_player(spec, game, seed)) for seed, spec in enumerate(specs, 1)]
        return play_game(game, players, **settings)


def test_a_whole_game_over_the_protocol_on_either_side_equals_the_game_without():
    """Both colours in one game: the program is told to play Connect Four."""
    direct = played(CONNECT4, ["random:seed=3"] * 2)
    over = played(CONNECT4, [f"uci:command={ENGINE} tictactoe --player random:seed=3"] * 2)
    assert [turn.action for turn in over.moves] == [turn.action for turn in direct.moves]
    assert over.returns == direct.returns


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("game", ["tictactoe", "connect4", "reversi", "nim:piles=3,4,5", "gomoku"])
def test_games_against_random_on_either_side(game, seat):
    specs = [f"uci:command={ENGINE} {game} --player mcts:simulations=50", "random"]
    record = played(make_game(game), specs[::-1] if seat else specs, rules=Rules())
    assert record.complete, record.reason
    assert all(move.value is not None and move.nodes for move in record.moves if move.player == seat)


# As a client, of a program that answers from a list ----------------------------------------------------------------

SCRIPT = """
import sys
answers = {answers!r}
log = open({log!r}, "a")
for line in sys.stdin:
    print(line.strip(), file=log, flush=True)
    word = (line.split() or [""])[0]
    reply = answers.get(word, {{"uci": "uciok", "isready": "readyok"}}.get(word, ""))
    if isinstance(reply, list):
        reply = reply.pop(0) if reply else "bestmove resign"
    print("some noise that is no answer")
    if reply:
        print(reply)
    sys.stdout.flush()
    if word == "quit":
        break
"""
OPTIONS = """id name Test
option name Hash type spin default 16 min 1 max 64
option name Skill Level type spin default 20 min 0 max 20
option name Style type combo default Solid var Solid var Very Risky
option name UCI_LimitStrength type check default false
option name UCI_Elo type spin default 1350 min 1350 max 2850
option name Clear Hash type button
uciok"""


def client(tmp_path, options="", **answers):
    file, log = tmp_path / "engine.py", tmp_path / "log"
    file.write_text(SCRIPT.format(answers=answers, log=str(log)), encoding="utf-8")
    log.unlink(missing_ok=True)
    player = make_player(f"uci:command={sys.executable} {file}{options}")
    player.cage = "off"  # else nobody would see what it writes down
    return player, log


def test_what_a_program_is_told(tmp_path):
    settings = ",time=2,depth=7,elo=1800,options=skill level=5;Style=very risky;Clear Hash"
    answers = ["bestmove a1 ponder b2", "bestmove RESIGN"]
    player, log = client(tmp_path, settings, uci=OPTIONS, go=answers)
    with player:
        record = play_game(TICTACTOE, [player, make_player("random:seed=4")])
    assert record.reason == "X resigns"
    told = log.read_text().splitlines()
    first, second = (move.text for move in record.moves)
    assert told[:12] == [
        "uci", "setoption name Skill Level value 5", "setoption name Style value Very Risky",
        "setoption name Clear Hash", "setoption name UCI_LimitStrength value true", "setoption name UCI_Elo value 1800",
        "ucinewgame", "isready", "position startpos", "go depth 7 movetime 2000",
        f"position startpos moves {first} {second}", "go depth 7 movetime 2000",
    ]  # fmt: skip
    assert told[-1] == "quit"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ("options=Hash=65", "its option Hash must be a whole number from 1 to 64, not '65'"),
        ("options=Hash=x", "must be a whole number"),
        ("options=Hsh=6", "has no option 'Hsh'; did you mean 'Hash'"),
        ("options=Style=wild", "its option Style cannot be 'wild'; there are: Solid, Very Risky"),
        ("options=UCI_LimitStrength=maybe", "is true or false"),
        ("elo=900", "its option UCI_Elo must be a whole number from 1350 to 2850"),
    ],
)
def test_what_a_program_cannot_be_set_to(tmp_path, settings, message):
    player, _ = client(tmp_path, f",{settings}", uci=OPTIONS)
    with pytest.raises(BadOption, match=re.escape(message)):
        player.prepare(TICTACTOE)
    assert not player.running


def test_options_as_programs_declare_them():
    assert Declared.read("option name A b  type spin default 1 min -5 max 9") == Declared("A b", "spin", -5, 9)
    assert Declared.read("option name type type combo var x var y z") == Declared("type", "combo", choices=("x", "y z"))
    assert Declared.read("option name only") is Declared.read("optional") is None


def test_what_it_thinks_is_read(tmp_path):
    info = """info depth 9 seldepth 12 multipv 1 score cp 100 nodes 4321 nps 1000 pv a1 b2 zz c3
info depth 9 multipv 2 score cp 900 nodes 5000 pv b1
info string pv nonsense score cp 7
info depth 10 currmove a2 nodes 99999999999999999999999
bestmove a1"""
    with client(tmp_path, go=[info, "info score mate -3 pv c1\nbestmove a1"])[0] as player:
        move = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
        lost = player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit())
    assert (move.action, move.line, move.depth, move.nodes) == (0, (0, 4), 10, 4321)
    assert move.value == pytest.approx(read_score(TICTACTOE, "cp", 100))
    assert (lost.value, lost.line) == (-1.0, (0,))


@pytest.mark.parametrize("game", [TICTACTOE, CONNECT4, REVERSI], ids=lambda game: game.name)
def test_scores_there_and_back(game):
    for value in (-0.9, -0.25, 0.0, 0.1, 0.5):
        kind, number = score_words(game, game.initial, Move(0, value)).split()
        assert kind == "cp"
        assert read_score(game, kind, int(number)) == pytest.approx(value, abs=0.01)
    assert score_words(game, game.initial, Move(0)) == ""
    assert read_score(game, "cp", int(score_words(game, game.initial, Move(0, 1.0)).split()[1])) == pytest.approx(1.0)
    assert -1.0 <= read_score(game, "cp", -999_999_999) < -0.99


def test_a_won_game_is_a_mate_in_so_many_moves():
    states, _ = read_moves(TICTACTOE, "a1 a2 b1 b2")
    assert score_words(TICTACTOE, states[-1], Move(2, 1.0, (2,))) == "mate 1"
    assert score_words(TICTACTOE, states[-2], Move(4, -1.0, (4, 2))) == "mate -1"


def test_clocks_are_passed_on(tmp_path):
    player, log = client(tmp_path, go=["bestmove a1"] * 6)
    start = Position(TICTACTOE, TICTACTOE.initial)
    with player:
        for limit in (
            Limit(time=57.0, clock=ClockFace((60.0, 50.5), 2.0)),
            Limit(time=1.0, clock=ClockFace((60.0, 50.0))),
            Limit(time=57.0),
            Limit(nodes=100),
            Limit(),
        ):
            player.choose(start, limit)
    assert [line for line in log.read_text().splitlines() if line.startswith("go")] == [
        "go wtime 60000 btime 50500 winc 2000 binc 2000", "go movetime 1000", "go movetime 5700", "go nodes 100",
        "go movetime 1000",
    ]  # fmt: skip


def test_the_referee_shows_its_clocks():
    from plyground.arena.clocks import Clocks

    clocks = Clocks(2, 60.0, GameTime(30.0, 2.0))
    clocks.spend(0, 5.0)
    clocks.moved(0)
    assert clocks.limit(1).clock == ClockFace((27.0, 30.0), 2.0)
    assert Clocks(2, 60.0).limit(0).clock is None


def test_a_program_is_told_to_stop_when_the_time_is_over(tmp_path):
    with client(tmp_path, go=[""], stop="bestmove c3", options=",time=0.05")[0] as player:
        assert player.choose(Position(TICTACTOE, TICTACTOE.initial), Limit()).action == 8


def test_an_illegal_answer_is_refused_three_times(tmp_path):
    with client(tmp_path, go=["bestmove z9", "bestmove e2e4", "bestmove z9"])[0] as player:
        record = play_game(TICTACTOE, [player, make_player("random")])
    assert record.reason == "X played 3 illegal moves in a row"


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        ("bestmove (none)", "answered bestmove (none), but there are legal moves"),
        ("bestmove 0000", "answered bestmove 0000, but there are legal moves"),
        ("bestmove", "answered with a bestmove that names no move"),
    ],
)
def test_no_move_is_a_lost_game(tmp_path, answer, message):
    with client(tmp_path, go=[answer])[0] as player:
        record = play_game(TICTACTOE, [player, make_player("random")])
    assert message in record.reason
    assert record.returns == (-1.0, 1.0)


def test_where_the_game_begins(tmp_path):
    start = replace(REVERSI, initial=read_moves(REVERSI, "f5")[0][-1], spec="reversi:board=x")
    code = position_code(start.initial)
    player, log = client(tmp_path, go=["bestmove d6"])
    with player:
        assert player.choose(Position(start, start.initial), Limit()).action == 43
    assert f"position fen {code}" in log.read_text().splitlines()
    player, log = client(tmp_path, uci="option name UCI_Variant type string\nuciok", go=["bestmove d6"])
    with player:
        player.choose(Position(start, start.initial), Limit())
    told = log.read_text().splitlines()
    assert "setoption name UCI_Variant value reversi:board=x" in told
    assert "position startpos" in told
    player, _ = client(tmp_path, uci="option name UCI_Variant type combo var chess var shogi\nuciok")
    with pytest.raises(UnsuitableGame, match=r"does not play reversi:board=x: .* there are: chess, shogi"):
        player.prepare(start)


def test_programs_for_chess_are_told_of_chess960(tmp_path):
    option = "option name UCI_Chess960 type check default false"
    for spec, told in (("chess", "value false"), ("chess:chess960=0", "value true")):
        player, log = client(tmp_path, uci=f"{option}\nuciok")
        with player:
            player.prepare(make_game(spec))
        assert f"setoption name UCI_Chess960 {told}" in log.read_text().splitlines()
    with pytest.raises(UnsuitableGame, match=r"does not play chess:chess960=0: .* has no option 'UCI_Chess960'"):
        client(tmp_path)[0].prepare(make_game("chess:chess960=0"))
    # A program that knows variants by their names is told where the game begins in the usual way.
    variants = "option name UCI_Variant type combo default chess var chess var shogi"
    start = make_game("chess:fen=4k3/8/8/8/8/8/8/4K2R w K - 0 1")
    player, log = client(tmp_path, uci=f"{option}\n{variants}\nuciok", go=["bestmove e1g1"])
    with player:
        player.choose(Position(start, start.initial), Limit())
    said = log.read_text().splitlines()
    assert "setoption name UCI_Variant value chess" in said
    assert f"position fen {position_code(start.initial)}" in said


def test_codes_of_positions_and_moves():
    for moves in ("", "f5", "f5 d6 c3"):
        state = read_moves(REVERSI, moves)[0][-1]
        assert read_position(REVERSI.initial, position_code(state)) == state
    assert [action_code(CONNECT4.initial, action) for action in actions(CONNECT4.initial)] == list("1234567")
    assert position_code(CONNECT4.initial) == position_code(make_game("reversi:size=6").initial) == ""
    with pytest.raises(FormatError, match="name the moves that lead there"):
        read_position(CONNECT4.initial, "x")


def test_a_program_that_hangs_ends_or_only_prints_fails_and_is_gone():
    for command, timeout, message in (
        ("sleep 1000", 0.2, "did not answer in time"),
        ("true", 60, "ended with status 0"),
        ("yes uc", 600, "yes printed 100,000 lines that are no answer"),
    ):
        player = make_player(f"uci:command={command},timeout={timeout}")
        with pytest.raises(PlayerFailed, match=message):
            player.prepare(TICTACTOE)
        assert not player.running


def test_the_command_says_in_one_line_what_went_wrong(command):
    done = command("play", "tictactoe", "--first", "uci:command=false", "--second", "random", "--cage", "off", "-q")
    assert (done.returncode, done.stderr) == (2, "error: false ended with status 1\n")
    done = command("uci", "--player", "random", stdin="uci\n")
    assert "option name UCI_Variant type string default chess" in done.stdout.splitlines()  # what programs expect
    done = command("uci", "kuhn")
    assert done.returncode == 2
    assert done.stderr.startswith("error: UCI cannot play kuhn: ")
    done = command("uci", "tictactoe", "--player", "human")
    assert (done.returncode, done.stderr) == (2, "error: people do not speak UCI; name a program, such as mcts\n")


def test_the_command_answers_a_closed_input_and_quits():
    with Process([*ENGINE.split(), "tictactoe", "--player", "random", "--seed", "1"]) as program:
        deadline = time.monotonic() + PATIENCE
        program.send("uci", deadline)
        while program.receive(deadline) != "uciok":
            pass
        program.send("go infinite", deadline)
        program.send("stop", deadline)
        while not program.receive(deadline).startswith("bestmove "):
            pass
        program.send("quit", deadline)
        with pytest.raises(PlayerFailed, match="ended with status 0"):
            program.receive(deadline)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("uci:command=", "uci: command is empty"),
        ("uci:command=no-such-program", "there is no program 'no-such-program'"),
        ("uci:command=cat,timeout=0", "uci: timeout must be a positive number"),
        ("uci:command=cat,memory=-1", "uci: memory must be at least 0"),
        ("uci:command=cat,time=0", "time must be a positive number"),
        ("uci:command=cat,elo=-5", "uci: elo must be at least 0"),
        ("uci:command=cat,options==3", "uci: options are written as name=value;name=value"),
    ],
)
def test_options_are_checked(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec)


def test_what_a_go_says():
    search = Search.read(["go", "is", "gone", "searchmoves", "a1", "b2", "depth", "3", "infinite", "movetime", "-5"])
    assert (search.moves, search.numbers, search.infinite) == (["a1", "b2"], {"depth": 3, "movetime": -5}, True)
