"""The Go Text Protocol: every command, what goes wrong, any line at all, and games that equal those played here."""

from __future__ import annotations

import random
import re
import sys
import time
from contextlib import ExitStack
from dataclasses import replace

import pytest

from plyground import Limit, make_game
from plyground.arena.referee import play_game
from plyground.core.notation import read_moves
from plyground.errors import BadOption, PlayerFailed, UnsuitableGame
from plyground.formats.sgf import read_sgf
from plyground.players import Move, Player, Position, Resign, make_player
from plyground.processes.program import Process
from plyground.protocols.gtp_engine import GtpEngine
from protocol_lines import hostile_lines

REVERSI = make_game("reversi")
ENGINE = f"{sys.executable} -m plyground.cli.main gtp"


@pytest.fixture(scope="module", autouse=True)
def patience():
    """A program receives everything that is sent to it, however slow the machine is."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("plyground.protocols.client.CLOSING", 60.0)
        yield


COMMANDS = {
    "protocol_version", "name", "version", "known_command", "list_commands", "quit", "boardsize", "clear_board", "komi",
    "play", "genmove", "reg_genmove", "undo", "time_settings", "time_left", "set_game", "list_games", "loadsgf",
    "showboard", "final_score", "gogui-rules_game_id", "gogui-rules_board", "gogui-rules_board_size",
    "gogui-rules_legal_moves", "gogui-rules_side_to_move", "gogui-rules_final_result",
}  # fmt: skip


class Remembering(Player):
    """Plays the first legal move, and remembers what it was allowed."""

    def __init__(self, choice=None):
        self.limits = []
        self.prepared = 0
        self.choice = choice

    def prepare(self, game):
        self.prepared += 1

    def choose(self, position, limit):
        from plyground import actions

        self.limits.append(limit)
        return self.choice or Move(actions(position.state)[0])


def engine(player=None, game="reversi"):
    return GtpEngine(make_game(game), player or make_player("random:seed=1"))


def ask(gtp, *commands):
    return [gtp.answer(command) for command in commands]


def test_the_form_of_an_answer():
    gtp = engine()
    assert gtp.answer("protocol_version\n") == "= 2\n\n"
    assert gtp.answer("12 protocol_version") == "=12 2\n\n"
    assert gtp.answer("7 nonsense") == "?7 unknown command\n\n"
    assert gtp.answer("nonsense") == "? unknown command\n\n"
    assert gtp.answer("3 clear_board") == "=3\n\n"
    assert gtp.answer("") == gtp.answer("   # a comment") == gtp.answer("\r\n") == ""
    assert gtp.answer("\x01na\x02me\t # who?\r\n") == "= Plyground\n\n"


def test_what_it_is():
    gtp = engine()
    listed = gtp.answer("list_commands")[2:].split()
    assert listed == sorted(listed)
    for name in listed:
        assert gtp.answer(f"known_command {name}") == "= true\n\n"
    assert set(listed) == COMMANDS
    assert gtp.answer("known_command x") == gtp.answer("known_command") == "= false\n\n"


def test_moves():
    gtp = engine()
    assert ask(gtp, "play b F5", "play WHITE d6", "play black f5", "play b", "play red c3", "play b zz") == [
        "=\n\n",
        "=\n\n",
        "? illegal move\n\n",
        "? syntax error\n\n",
        "? syntax error\n\n",
        "? illegal move\n\n",
    ]
    assert gtp.answer("gogui-rules_side_to_move") == "= black\n\n"
    assert gtp.answer("play w c5") == "? illegal move\n\n"  # it is black's turn, and black need not pass
    assert ask(gtp, "undo", "undo", "undo") == ["=\n\n", "=\n\n", "? cannot undo\n\n"]
    assert gtp.answer("gogui-rules_legal_moves") == "= d3 c4 f5 e6\n\n"
    assert gtp.answer("play b pass") == "? illegal move\n\n"


def test_the_board_as_it_is_shown():
    gtp = engine()
    gtp.answer("play b f5")
    assert gtp.answer("gogui-rules_board").splitlines()[:6] == [
        "= . . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . O X . . .",
        ". . . X X X . .",
        ". . . . . . . .",
    ]
    assert gtp.answer("gogui-rules_board_size") == "= 8\n\n"
    assert gtp.answer("gogui-rules_game_id") == "= Othello\n\n"
    shown = gtp.answer("showboard")
    assert shown.startswith("=\n")
    assert shown.count("\n\n") == 1


def passing_position(gtp):
    """Play random moves until the side to move must pass; which side that is."""
    rng = random.Random(1)
    while True:
        gtp.answer("clear_board")
        while legal := gtp.answer("gogui-rules_legal_moves")[2:].split():
            side = gtp.answer("gogui-rules_side_to_move")[2:].strip()
            if legal == ["pass"]:
                return side
            assert gtp.answer(f"play {side} {rng.choice(legal)}") == "=\n\n"


def test_the_other_colour_may_play_when_a_pass_is_due():
    gtp = engine()
    side = passing_position(gtp)
    other = {"black": "white", "white": "black"}[side]
    before = gtp.answer("showboard")
    move = gtp.answer(f"reg_genmove {other}")
    assert re.fullmatch(r"= [a-h][1-8]\n\n", move)
    assert gtp.answer("showboard") == before
    assert gtp.answer(f"play {other} {move[2:].strip()}") == "=\n\n"
    assert gtp.answer("undo") == "=\n\n"  # the move and the pass
    assert gtp.answer("gogui-rules_legal_moves") == "= pass\n\n"
    assert gtp.answer(f"genmove {side}") == "= pass\n\n"


def test_generated_moves_are_made_and_suggested_ones_are_not():
    gtp = engine(Remembering())
    assert gtp.answer("reg_genmove b") == "= d3\n\n"
    assert gtp.answer("gogui-rules_side_to_move") == "= black\n\n"
    assert gtp.answer("genmove w") == "? it is not white's turn\n\n"
    assert gtp.answer("genmove") == "? syntax error\n\n"
    assert gtp.answer("genmove b") == "= d3\n\n"
    assert gtp.answer("gogui-rules_side_to_move") == "= white\n\n"
    assert engine(Remembering(Resign())).answer("genmove b") == "= resign\n\n"


def test_the_end():
    gtp = engine()
    assert gtp.answer("final_score") == "? the game is not over\n\n"
    assert gtp.answer("gogui-rules_final_result") == "= the game is not over\n\n"
    for number in range(200):
        if gtp.answer("gogui-rules_legal_moves") == "=\n\n":
            break
        side = gtp.answer("gogui-rules_side_to_move")[2:].strip()
        assert gtp.answer(f"{number} genmove {side}").startswith(f"={number} ")
    assert re.fullmatch(r"= (0|[BW]\+\d+)\n\n", gtp.answer("final_score"))
    assert re.fullmatch(r"= (draw|(black|white) wins by \d+)\n\n", gtp.answer("gogui-rules_final_result"))
    assert ask(gtp, "genmove b", "genmove w", "play b pass") == ["= pass\n\n", "= pass\n\n", "=\n\n"]


def test_sizes_and_games():
    gtp = engine()
    assert ask(gtp, "boardsize 8", "boardsize 6", "boardsize 5", "boardsize", "boardsize x") == [
        "=\n\n",
        "=\n\n",
        "? unacceptable size\n\n",
        "? syntax error\n\n",
        "? syntax error\n\n",
    ]
    assert gtp.answer("gogui-rules_board_size") == "= 6\n\n"
    assert "Othello" in gtp.answer("list_games").split()
    assert gtp.answer("set_game connect4") == "=\n\n"
    assert sorted(gtp.answer("gogui-rules_legal_moves")[2:].split()) == list("1234567")
    assert gtp.answer("set_game OTHELLO") == "=\n\n"
    for name in ("ludo", "", "tree", "worked.json", "/etc/passwd.py", "openspiel:go", "aima:file=x.py", "nim:piles=x"):
        assert gtp.answer(f"set_game {name}") == "? unsupported game\n\n", name
    assert engine(make_player("engine")).answer("boardsize 6") == "? unacceptable size\n\n"
    with pytest.raises(UnsuitableGame, match="GTP cannot play"):
        GtpEngine(make_game("openspiel:pig"), make_player("random"))


def test_komi_is_accepted_and_ignored():
    assert ask(engine(), "komi 6.5", "komi -3", "komi", "komi x") == ["=\n\n", "=\n\n"] + ["? syntax error\n\n"] * 2


def test_time():
    player = Remembering()
    gtp = engine(player)

    def allowed():
        gtp.answer("reg_genmove b")
        return player.limits[-1].time

    assert allowed() is None
    gtp.answer("time_settings 0 10 1")
    assert allowed() == pytest.approx(9.5)
    gtp.answer("time_settings 60 0 0")
    assert allowed() == pytest.approx(60 / 20 * 0.95, rel=0.01)
    gtp.answer("time_left b 1 0")
    assert allowed() == pytest.approx(1 / 20 * 0.8, rel=0.1)
    gtp.answer("time_left b 0 0")
    assert allowed() == 0.01
    gtp.answer("time_left b 9 3")
    assert allowed() == pytest.approx(3 * 0.95)
    gtp.answer("time_settings 0 10 0")  # by the specification: no limit
    assert allowed() is None
    for wrong in ("time_settings", "time_settings 1 2", "time_settings a b c", "time_settings -1 0 0", "time_left b 1"):
        assert gtp.answer(wrong) == "? syntax error\n\n"


def test_the_player_is_prepared_once_a_game():
    player = Remembering()
    gtp = engine(player)
    ask(gtp, "genmove b", "genmove w", "clear_board", "clear_board", "genmove b")
    assert player.prepared == 2


def test_sgf(tmp_path):
    file = tmp_path / "game.sgf"
    file.write_text("(;GM[2]FF[4]C[a \\] b];B[f5]BL[1];W[df];B[C3](;W[d3])(;W[e3]))", encoding="utf-8")
    assert read_sgf(file.read_text(encoding="utf-8")) == [(0, "f5"), (1, "d6"), (0, "c3"), (1, "d3")]
    gtp = engine()
    assert gtp.answer(f"loadsgf {file}") == "=\n\n"
    assert gtp.answer("gogui-rules_side_to_move") == "= black\n\n"
    assert gtp.answer(f"loadsgf {file} 2") == "=\n\n"  # before move 2
    assert gtp.answer("gogui-rules_side_to_move") == "= white\n\n"
    board = gtp.answer("showboard")
    file.write_text("(;GM[2];B[a1])", encoding="utf-8")
    for wrong in (file, tmp_path, tmp_path / "none.sgf", "/dev/zero", "\0"):
        assert gtp.answer(f"loadsgf {wrong}") in ("? cannot load file\n\n", "? syntax error\n\n")
    assert gtp.answer("showboard") == board
    assert gtp.answer("undo") == "=\n\n"


# Any line at all ---------------------------------------------------------------------------------------------------

VALID = [
    "protocol_version", "name", "version", "known_command play", "list_commands", "boardsize 8", "boardsize 4",
    "clear_board", "komi 6.5", "play b SQUARE", "play w SQUARE", "play black SQUARE", "play white SQUARE",
    "play w pass", "genmove b", "genmove w", "12 genmove b", "reg_genmove b", "reg_genmove w", "undo",
    "time_settings 300 10 1",
    "time_left b 10 0", "time_left w 5 2", "set_game Othello", "set_game tictactoe", "set_game nim:piles=3,4",
    "list_games", "loadsgf /nowhere/game.sgf 3", "showboard", "final_score", "gogui-rules_game_id", "gogui-rules_board",
    "gogui-rules_board_size", "gogui-rules_legal_moves", "gogui-rules_side_to_move", "gogui-rules_final_result",
]  # fmt: skip


def check_hostile_lines(count):
    gtp = engine()
    answered = 0
    for line in hostile_lines(VALID, count, seed=count):
        answer = gtp.answer(line)
        assert not answer or re.fullmatch(r"[=?]\d*( [^\0]*|\n[^\0]*)?\n\n", answer), (line, answer)
        assert answer.count("\n\n") == bool(answer), (line, answer)
        answered += answer.startswith("=")
        if gtp.finished:
            gtp.finished = False
    assert answered > count / 4


def test_no_line_is_its_end():
    check_hostile_lines(3000)


@pytest.mark.slow
def test_no_line_of_a_hundred_thousand_is_its_end():
    check_hostile_lines(100_000)


def test_no_line_is_the_end_of_the_real_process():
    lines = [line for line in hostile_lines(VALID, 400, seed=7) if not re.search(r"quit|[\n\r]", line)]
    with Process([*ENGINE.split(), "reversi", "--player", "random", "--seed", "1"]) as program:
        for line in lines:
            program.send(line.encode(errors="replace").decode(), time.monotonic() + 60)
        program.send("77 name", time.monotonic() + 60)
        while program.receive(time.monotonic() + 60) != "=77 Plyground":
            pass


# Over the protocol and without -------------------------------------------------------------------------------------


def played(game, specs, moves=""):
    with ExitStack() as seats:
        players = [seats.enter_context(make_player(spec, game, seed)) for seed, spec in enumerate(specs, 1)]
        return play_game(game, players, moves=moves)


@pytest.mark.parametrize(
    ("spec", "game"),
    [pytest.param("minimax:depth=2;ties=first", "reversi", marks=pytest.mark.slow), ("random:seed=3", "connect4")],
)
def test_a_game_over_the_protocol_equals_the_game_without(spec, game):
    chosen = make_game(game)
    direct = played(chosen, [spec.replace(";", ",")] * 2)
    there = f"gtp:command={ENGINE} {game} --player {spec}"
    over = played(chosen, [there, there])
    assert [turn.action for turn in over.moves] == [turn.action for turn in direct.moves]
    assert over.returns == direct.returns


# As a client, of a program that answers from a list ----------------------------------------------------------------

SCRIPT = """
import sys
replies = {replies!r}
log = open({log!r}, "a")
for line in sys.stdin:
    words = line.split()
    print(line.strip(), file=log, flush=True)
    reply = replies.get(words[0], "")
    if isinstance(reply, list):
        reply = reply.pop(0) if reply else "resign"
    print("some noise that is no answer")
    print(reply if reply.startswith("?") else f"= {{reply}}")
    print(flush=True)
    if words[0] == "quit":
        break
"""


def client(tmp_path, options="", **replies):
    file, log = tmp_path / "engine.py", tmp_path / "log"
    file.write_text(SCRIPT.format(replies=replies, log=str(log)), encoding="utf-8")
    player = make_player(f"gtp:command={sys.executable} {file}{options}")
    player.cage = "off"  # else nobody would see what it writes down
    return player, log


def test_what_a_program_is_told(tmp_path):
    player, log = client(tmp_path, ",time=2", list_commands="time_settings\nset_game", genmove=["d3", "c6", "RESIGN"])
    with player:
        record = play_game(REVERSI, [player, make_player("random:seed=4")])
    assert record.reason == "black resigns"
    told = log.read_text().splitlines()
    assert told[:4] == ["list_commands", "set_game Othello", "boardsize 8", "clear_board"]
    assert told[4:6] == ["time_settings 0 2 1", "genmove black"]
    assert told[-1] == "quit"
    assert f"play white {record.moves[1].text}" in told


def test_an_illegal_answer_is_refused_three_times(tmp_path):
    with client(tmp_path, genmove=["a1", "zz", "a1", "a1"])[0] as player:
        record = play_game(REVERSI, [player, make_player("random")])
    assert record.reason == "black played 3 illegal moves in a row"


def test_a_program_that_refuses(tmp_path):
    player, _ = client(tmp_path, boardsize="? unacceptable size")
    with pytest.raises(UnsuitableGame, match="does not play reversi: unacceptable size"):
        player.prepare(REVERSI)
    with pytest.raises(UnsuitableGame, match="GTP has no way to set up a position"):
        player.prepare(replace(REVERSI, initial=read_moves(REVERSI, "f5")[0][-1]))
    player, _ = client(tmp_path, genmove="? too hard")
    with pytest.raises(PlayerFailed, match="refuses to play: too hard"):
        player.choose(Position(REVERSI, REVERSI.initial), Limit())


def test_a_game_that_goes_another_way_is_set_up_anew(tmp_path):
    player, log = client(tmp_path, genmove=["d3", "f6", "e3"])
    for moves in ("", "f5", "f5 d6 c3"):
        states, history = read_moves(REVERSI, moves)
        player.choose(Position(REVERSI, states[-1], tuple(history)), Limit())
    player.close()
    assert log.read_text().split("\n")[3:-2] == [
        "genmove black", "clear_board", "play black f5", "genmove white", "clear_board", "play black f5",
        "play white d6", "play black c3", "genmove white",
    ]  # fmt: skip


def test_a_program_that_hangs_or_ends_fails_and_is_gone():
    for command, timeout, message in (
        ("sleep 1000", 0.2, "did not answer in time"),
        ("true", 60, "ended with status 0"),
    ):
        player = make_player(f"gtp:command={command},timeout={timeout}")
        with pytest.raises(PlayerFailed, match=message):
            player.prepare(REVERSI)
        assert not player.running


def test_a_program_that_only_prints_is_not_waited_for():
    with pytest.raises(PlayerFailed, match="yes printed 100,000 lines that are no answer"):
        make_player("gtp:command=yes,timeout=600").prepare(REVERSI)


def test_the_limit_of_the_referee_counts_and_only_without_one_the_timeout():
    player = make_player("gtp:command=cat,timeout=1")
    now = time.monotonic()
    assert 100 < player.deadline(Limit(time=100)) - now < 130
    assert 0.9 < player.deadline(Limit()) - now < 30


def test_the_command_says_in_one_line_what_went_wrong(command):
    done = command("play", "reversi", "--first", "gtp:command=false", "--second", "random", "--cage", "off", "-q")
    assert (done.returncode, done.stderr) == (2, "error: false ended with status 1\n")
    done = command("gtp", "openspiel:pig")
    assert done.returncode == 2
    assert done.stderr == "error: GTP cannot play pig: chance has moves (chance: needs a deterministic game)\n"


def test_the_command_speaks_until_it_is_told_to_quit(command):
    typed = "1 genmove b\n2 showboard\n3 quit\n4 name\n"
    done = command("gtp", "tictactoe", "--player", "minimax:depth=1;ties=first", stdin=typed)
    assert done.returncode == 0, done.stderr
    assert re.fullmatch(r"=1 [abc][123]\n\n=2\n  a b c\n(.*\n){3}\n=3\n\n", done.stdout)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("gtp:command=", "gtp: command is empty"),
        ("gtp:command=no-such-program", "there is no program 'no-such-program'"),
        ("gtp:command=cat,timeout=0", "gtp: timeout must be a positive number"),
        ("gtp:command=cat,memory=-1", "gtp: memory must be at least 0"),
        ("gtp:command=cat,time=0", "time must be a positive number"),
    ],
)
def test_options_are_checked(spec, message):
    with pytest.raises(BadOption, match=message):
        make_player(spec)
