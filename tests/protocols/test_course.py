"""The course framework: board, game and players to the letter, students' files unchanged, and our players in it."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import Limit, action_text, actions, make_game, result
from plyground.arena.referee import Rules, play_game
from plyground.errors import BadOption, PlayerFailed, UnsuitableGame
from plyground.players import Position, Resign, make_player
from plyground.protocols import course
from plyground.protocols.course import AIPlayer, Board, Game, HumanPlayer, RandomPlayer

REVERSI = make_game("reversi")
STUDENTS = Path(__file__).parent / "students"


# The board --------------------------------------------------------------------------------------------------------


def test_the_board_at_the_start(capsys):
    board = Board()
    assert board.empty == "."
    assert board[3] == [".", ".", ".", "O", "X", ".", ".", "."]
    assert board._board[4] == [".", ".", ".", "X", "O", ".", ".", "."]
    assert list(board.get_legal_actions("X")) == ["D3", "C4", "F5", "E6"]
    assert list(board.get_legal_actions("O")) == ["E3", "F4", "D6", "C5"]
    assert iter(actions := board.get_legal_actions("X")) is actions
    assert (board.count("X"), board.count("O"), board.count(".")) == (2, 2, 60)
    assert board.get_winner() == (2, 0)
    board.display()
    assert capsys.readouterr().out == (
        "  A B C D E F G H\n"
        "1 . . . . . . . .\n"
        "2 . . . . . . . .\n"
        "3 . . . . . . . .\n"
        "4 . . . O X . . .\n"
        "5 . . . X O . . .\n"
        "6 . . . . . . . .\n"
        "7 . . . . . . . .\n"
        "8 . . . . . . . .\n"
        "统计棋局: 棋子总数 / 每一步耗时 / 总时间 \n"
        "黑   棋: 2 / 0 / 0\n"
        "白   棋: 2 / 0 / 0\n"
        "\n"
    )
    board.display({"X": 1, "O": 2}, {"X": 3, "O": 4})
    assert "黑   棋: 2 / 1 / 3\n白   棋: 2 / 2 / 4\n\n" in capsys.readouterr().out


def test_moves_and_squares():
    board = Board()
    assert board.board_num("A1") == board.board_num("a1") == (0, 0)
    assert board.board_num("c8") == (7, 2)
    assert board.num_board((0, 0)) == "A1"
    assert board.num_board((7, 2)) == "C8"
    assert board.is_on_board(7, 0)
    assert not board.is_on_board(8, 0)
    assert not board.is_on_board(0, -1)
    assert board._can_fliped("D3", "X") == board._can_fliped((2, 3), "X") == ["D4"]
    assert board._can_fliped("A1", "X") is False
    assert board._can_fliped("D4", "X") is False
    assert board._move("D1", "X") is False
    assert board._move("D3", "X") == ["D4"]
    assert (board.count("X"), board.count("O")) == (4, 1)
    assert board.get_winner() == (0, 3)
    board.backpropagation("D3", ["D4"], "X")
    assert board._board == Board()._board
    assert board._move((2, 3), "X") == ["D4"]
    board.backpropagation((2, 3), [(3, 3)], "X")
    assert board._board == Board()._board


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_the_board_plays_by_the_rules(seed):
    rng = random.Random(seed)
    board, state, made = Board(), REVERSI.initial, []
    while legal := actions(state):
        color = "XO"[state.turn]
        squares = list(board.get_legal_actions(color))
        assert sorted(squares) == sorted(action_text(state, a).upper() for a in legal if a != 64)
        action = rng.choice(legal)
        state = result(state, action)
        if action != 64:
            square = board.num_board((action // 8, action % 8))
            before = [list(row) for row in board._board]
            flipped = board._move(square, color)
            made.append((square, flipped, color, before))
        assert board.count("XO"[state.turn]) == int(state.own).bit_count()
        assert board.count("OX"[state.turn]) == int(state.opponent).bit_count()
    for square, flipped, color, before in reversed(made):
        board.backpropagation(square, flipped, color)
        assert board._board == before


# The game ---------------------------------------------------------------------------------------------------------


class Scripted:
    """Answers from a list, or by a function of the board."""

    def __init__(self, *answers):
        self.answers = list(answers)

    def get_move(self, board):
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        return answer(board) if callable(answer) else answer


def first(board):
    return next(board.get_legal_actions("O"))


def test_a_game_of_random_players(capsys):
    random.seed(3)
    black, white = RandomPlayer("?"), RandomPlayer("?")
    game = Game(black, white)
    assert (black.color, white.color) == ("X", "O")
    winner, difference = game.run()
    out = capsys.readouterr().out
    assert game.game_over()
    assert (winner, difference) == game.board.get_winner()
    assert out.count("=====开始游戏!=====") == out.count("=====游戏结束!=====") == 1
    assert out.endswith(f"{['黑棋获胜!', '白棋获胜!', '平局'][winner]}\n")
    assert RandomPlayer("X").random_choice(Board()) in ("D3", "C4", "F5", "E6")
    full = Board()
    full._board = [["X"] * 8 for _ in range(8)]
    assert RandomPlayer("O").get_move(full) is None


def changing(board):
    board._board[0][0] = "O"
    return first(board)


def black_moves(board):
    return next(board.get_legal_actions("X"))


@pytest.mark.parametrize(
    "answers", [["A1", None, (2, 3)], [changing]], ids=["three illegal answers", "a changed board"]
)
def test_who_breaks_the_rules_loses(answers, capsys):
    assert Game(Scripted(black_moves), Scripted(*answers)).run() == (0, 0)
    assert "黑棋 - X 胜" in capsys.readouterr().out


def test_two_illegal_answers_are_forgiven_and_q_counts_the_discs():
    game = Game(Scripted(black_moves), Scripted("A1", 5, first, "Q"))
    assert game.run() == game.board.get_winner()
    assert game.board.count("X") + game.board.count("O") == 7


def test_who_takes_too_long_loses(monkeypatch, capsys):
    monkeypatch.setattr(course, "MOVE_TIME", 0.05)

    def endless(board):
        while True:
            pass

    assert Game(Scripted(endless), Scripted(first)).run() == (1, 0)
    assert "思考超过" in capsys.readouterr().out


def test_an_error_of_a_player_is_shown():
    def wrong(board):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        Game(Scripted(wrong), Scripted(first)).run()


def test_a_person(monkeypatch, capsys):
    typed = iter(["x", "", "A1", "d3"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(typed))
    assert HumanPlayer("X").get_move(Board()) == "D3"
    assert capsys.readouterr().out.count("不合法") == 3
    monkeypatch.setattr("builtins.input", lambda prompt: "q")
    assert HumanPlayer("O").get_move(Board()) == "Q"


# Our players in the course's game ---------------------------------------------------------------------------------


def test_our_player_in_the_game_of_the_course():
    spec = "minimax:depth=1,ties=first"
    game = Game(AIPlayer("X", spec), AIPlayer("O", spec))
    winner, difference = game.run()
    record = play_game(REVERSI, [make_player(spec), make_player(spec)])
    assert (winner if winner < 2 else None) == record.winner
    final = record.states(REVERSI.initial)[-1]
    discs = sorted((int(final.own).bit_count(), int(final.opponent).bit_count()))
    assert sorted((game.board.count("X"), game.board.count("O"))) == discs
    assert difference == discs[1] - discs[0]
    board = Board()
    board._board = [["X"] * 8 for _ in range(8)]
    assert AIPlayer("O", "random").get_move(board) is None
    with pytest.raises(BadOption, match="a colour is X"):
        AIPlayer("black", "random").get_move(Board())


def test_the_framework_needs_the_standard_library_alone():
    """So that it can be handed to students as it is."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import course; course.Board(); print('numba' in sys.modules)"
    folder = str(Path(course.__file__).parent)
    done = subprocess.run([sys.executable, "-S", "-c", code, folder], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("False\n")


# Students' files, unchanged ---------------------------------------------------------------------------------------


def student(name, options=""):
    return make_player(
        f"course:file={name if isinstance(name, Path) else STUDENTS / f'{name}_student.py'}{options}", REVERSI
    )


@pytest.mark.parametrize("name", ["random", "greedy", "alphabeta", "uct"])
def test_students_run_unchanged(name):
    with student(name) as player:
        for seat in (0, 1):
            players = [player, make_player("random:seed=8")]
            record = play_game(REVERSI, players[::-1] if seat else players, rules=Rules())
            assert record.complete


def test_students_play_in_the_game_of_the_course_as_well(monkeypatch):
    sys.modules.pop("board", None)
    monkeypatch.setitem(sys.modules, "board", course)
    monkeypatch.setitem(sys.modules, "game", course)
    from plyground.core.sources import load_module

    black, white = (load_module(STUDENTS / f"{name}_student.py").AIPlayer for name in ("greedy", "random"))
    winner, _ = Game(black("X"), white("O")).run()
    assert winner in (0, 1, 2)


def test_a_greedy_student_takes_most():
    with student("greedy") as player:
        record = play_game(REVERSI, [player, make_player("random:seed=2")])
    for move, state in zip(record.moves, record.states(REVERSI.initial), strict=False):
        if move.player == 0 and move.action != 64:

            def taken(action, state=state):
                return int(result(state, action).opponent).bit_count()

            assert taken(move.action) == max(map(taken, actions(state)))


def choose(tmp_path, body, options="", head=""):
    file = tmp_path / "student.py"
    file.write_text(f"{head}\nclass AIPlayer:\n    def __init__(self, color):\n        self.color = color\n"
                    f"    def get_move(self, board):\n        {body}\n", encoding="utf-8")  # fmt: skip
    with student(file, options) as player:
        return player.choose(Position(REVERSI, REVERSI.initial), Limit())


def test_answers_of_all_kinds(tmp_path):
    assert choose(tmp_path, "return 'D3'").action == 19
    assert choose(tmp_path, "return 'd3'").action == 19
    assert choose(tmp_path, "return 'A1'").action == 0  # illegal: the referee's matter
    assert choose(tmp_path, "return None").action == -1
    assert choose(tmp_path, "return (2, 3)").action == -1
    assert choose(tmp_path, "return 'Z99'").action == -1
    assert choose(tmp_path, "return 'Q'") == Resign()
    # What it prints is no answer, and it has no input.
    assert choose(tmp_path, "print('{\"move\": \"A1\"}'); return 'D3'").action == 19
    with pytest.raises(PlayerFailed, match=r"student.py: EOFError: .*\(line 6\)"):
        choose(tmp_path, "return input()")


@pytest.mark.parametrize(
    ("body", "head", "message"),
    [
        ("return 1 / 0", "", r"student.py: ZeroDivisionError: division by zero \(line 6\)"),
        ("pass", "import no_such_module", "student.py: ModuleNotFoundError: No module named 'no_such_module'"),
        ("pass", "x = = 1", r"student.py: SyntaxError: invalid syntax \(line 1\)"),
        ("board._board[0][0] = 'X'; return 'D3'", "", "student.py changed the board that it was given"),
        ("import os; os._exit(3)", "", "student.py ended with status 3"),
        ("import sys; sys.exit('bye')", "", "student.py: SystemExit: bye"),
        ("while True: pass", "", "student.py did not answer in time"),
        ("x = bytearray(10**10); return 'D3'", "", "student.py: MemoryError"),
        ("import os; os.close(1); os.closerange(3, 99); return 'D3'", "", "student.py (ended|closed its output)"),
    ],
)
def test_what_goes_wrong_is_one_line(tmp_path, body, head, message):
    with pytest.raises(PlayerFailed, match=message) as caught:
        choose(tmp_path, body, f",timeout={1 if 'while' in body else 60},memory=1000", head)
    assert "\n" not in str(caught.value)


def test_a_file_without_a_player(tmp_path):
    file = tmp_path / "empty.py"
    file.write_text("class Player: pass\n", encoding="utf-8")
    with pytest.raises(PlayerFailed, match=r"empty.py: AttributeError: there is no class AIPlayer in it"):
        student(file).prepare(REVERSI)
    with pytest.raises(BadOption, match=r"course: there is no file nowhere.py"):
        make_player("course:file=nowhere.py")
    with pytest.raises(BadOption, match="course: timeout must be"):
        make_player(f"course:file={file},timeout=0")
    with pytest.raises(UnsuitableGame, match="it knows one game only"):
        make_player(f"course:file={file}", make_game("tictactoe"))


def test_a_new_game_gets_a_new_player(tmp_path):
    file = tmp_path / "student.py"
    file.write_text(
        "class AIPlayer:\n    def __init__(self, color):\n        self.asked = 0\n"
        "    def get_move(self, board):\n        self.asked += 1\n"
        "        return list(board.get_legal_actions(self.color))[self.asked - 1]\n",
        encoding="utf-8",
    )
    with student(file) as player:
        for _ in range(2):
            player.prepare(REVERSI)
            assert player.choose(Position(REVERSI, REVERSI.initial), Limit()).action == 19
            assert player.choose(Position(REVERSI, REVERSI.initial), Limit()).action == 26


def test_the_same_seed_plays_the_same_game():
    def played(seed):
        with make_player(f"course:file={STUDENTS / 'random_student.py'}", REVERSI, seed) as player:
            record = play_game(REVERSI, [player, make_player("random:seed=2")])
        return [move.action for move in record.moves]

    assert played(1) == played(1) != played(2)


def test_the_command_plays_with_a_student(command):
    done = command(
        "play", "reversi", "--first", f"course:file={STUDENTS / 'random_student.py'}", "--second", "random", "-q"
    )
    assert done.returncode == 0, done.stderr
    words = ("--first", "course:file=nowhere.py", "--second", "random", "--cage", "off", "-q")
    done = command("play", "reversi", *words)
    assert (done.returncode, done.stderr) == (
        2,
        "error: course: there is no file nowhere.py; write course:file=student.py\n",
    )


PRINTS = """
class AIPlayer:
    def __init__(self, color):
        self.color, self.asked = color, 0

    def get_move(self, board):
        self.asked += 1
        print("asked", self.asked, "\\x1b[31m")
        if self.asked == 3:
            THIRD
        return next(board.get_legal_actions(self.color))
"""


@pytest.mark.parametrize(
    ("third", "reason"),
    [
        ("board._board[0][0] = 'X'", "black fails: student.py changed the board that it was given"),
        ("raise ValueError('no idea')", "black fails: student.py: ValueError: no idea (line 10)"),
        ("while True: pass", "black fails: student.py did not answer in time"),
    ],
)
def test_play_says_who_has_lost(command, third, reason):
    (command.folder / "student.py").write_text(PRINTS.replace("THIRD", third), encoding="utf-8")
    game = ("play", "reversi", "--first", "course:file=student.py", "--second", "random", "--seed", "1", "-q")
    played = command(*game, "--move-time", "1", "--show-output")
    assert played.returncode == 0, played.stderr
    assert played.stdout == f"white (random) wins: {reason}  (black -1, white +1)\n"
    lines = [line for line in played.stderr.splitlines() if line.startswith("black | ")]
    assert lines[:3] == [f"black | asked {number} \\x1b[31m" for number in (1, 2, 3)]
    # Of a fault the student sees where it is, and nothing of what runs the file.
    assert ("ValueError" in third) == any('student.py", line 10' in line for line in lines)
    assert not any("course_worker" in line for line in lines)
    if "while" not in third:  # which takes its time once more
        assert "asked" not in command(*game, "--move-time", "1").stderr


def test_a_player_that_cannot_be_started_is_an_error(command):
    (command.folder / "student.py").write_text("import no_such_module\n", encoding="utf-8")
    answer = command("play", "reversi", "--first", "course:file=student.py", "--second", "random", "-q")
    assert answer.returncode == 2
    assert "student.py: ModuleNotFoundError: No module named 'no_such_module'" in answer.stderr


def test_time_and_memory_are_measured(tmp_path):
    file = tmp_path / "student.py"
    file.write_text(
        "kept = bytearray(200_000_000)\nclass AIPlayer:\n    def __init__(self, color): pass\n"
        "    def get_move(self, board): return 'D3'\n",
        encoding="utf-8",
    )
    with student(file) as player:
        player.prepare(REVERSI)
        player.choose(Position(REVERSI, REVERSI.initial), Limit())
        assert player.processor_time() > 0
        assert 200_000_000 < player.most_memory() < 400_000_000
    assert player.most_memory() > 200_000_000


def test_on_windows_every_way_to_run_a_students_file_names_what_works_there(monkeypatch, tmp_path):
    from plyground.course.find_the_bug.observing import StudentProgram
    from plyground.processes.program import find_program
    from plyground.protocols.course_player import course as students_player

    file = tmp_path / "student.py"
    file.write_text("class AIPlayer: pass\n")
    monkeypatch.setattr("sys.platform", "win32")
    ways = (
        lambda: find_program("python", "gtp"),
        lambda: students_player(str(file)),
        lambda: StudentProgram(file),
    )
    for way in ways:
        with pytest.raises(BadOption, match=r"Linux and macOS only; on Windows use WSL 2$"):
            way()
