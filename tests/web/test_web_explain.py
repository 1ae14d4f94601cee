"""Moves explained, and openings explored: nothing is said that was not searched or counted, in any game."""

from __future__ import annotations

from collections import OrderedDict

import pytest

from plyground.arena.database import Database
from plyground.core.axes import Accepts
from plyground.core.played_game import PlayedGame, PlayedMove, PlayerEntry
from plyground.core.rules import action_text, actions, result
from plyground.engines.reversi.analysis_facts import board_counts
from plyground.errors import BadOption, IllegalAction, PlygroundError
from plyground.formats.board import read_board
from plyground.games import GAMES, make_game
from plyground.native.compiling import interpreted
from plyground.players import make_player
from plyground.web.games.analyses import analyse_game
from plyground.web.games.explaining import explain_move
from plyground.web.games.exploring import explore
from plyground.web.games.positions import game_positions
from web_client import another, app_in

SMALL = {
    "mnk": "mnk:m=3,n=3,k=3",
    "hex": "hex:size=3",
    "nim": "nim:piles=2,3",
    "dots_and_boxes": "dots_and_boxes:rows=2,columns=2",
}
"""Where a whole game takes long without machine code."""
COMPILED = {"reversi", "connect4", "gomoku", "chess"}
"""Whose engines are machine code: they are asked through the app."""
LAST_SQUARES = "XXXX-XXXXXXOOOOOXXXXXX--XXOXXO-OXOXXOXOOOOOOXOXOO-XXXXXXOOXXXXXO X"


def two_sided() -> list[str]:
    """The games of the library that two players play who see everything."""
    found = []
    for name in GAMES:
        try:
            game = make_game(SMALL.get(name, name))
        except PlygroundError:  # a file of one's own
            continue
        if game.axes.players == 2 and Accepts(players=(2,)).obstacle(game.axes) is None:
            found.append(name)
    return found


def explained(game: str, moves: str, board: str = "", time: float = 0.3) -> dict:
    events: list[dict] = []
    explain_move(events.append, game=game, moves=moves, board=board, time=time)
    assert [event["event"] for event in events] == ["started", "explanation"]
    return events[-1]


def check(game: str, moves: str, found: dict, board: str = "") -> None:
    """What holds of every explanation: its lines can be played, and it compares like with like."""
    made = make_game(game)
    with interpreted():
        states, _, texts = game_positions(made, moves) if not board else ([read_board(board)], [], [])
        before = states[-2] if not board else states[0]
        for name in ("played", "best"):
            line = found[name]
            if line is None:
                continue
            state = before
            for text in line["line"]:
                named = {action_text(state, action): action for action in actions(state)}
                state = result(state, named[text])
            assert len(line["positions"]) == len(line["line"]) + 1
            assert line["line"][0] == line["move"]
            assert 1 <= line["compared"] <= len(line["line"])
            over = line["positions"][-1]["over"]
            if over and line["exact"] and found["unit"] == "utility":
                assert over["returns"][found["mover"]] == pytest.approx(line["value"])
    if texts:
        assert found["played"]["move"] == texts[-1]
    if found["best"] is None:
        assert found["loss"] == 0
    else:
        assert found["best"]["move"] != found["played"]["move"]
        assert found["best"]["value"] - found["played"]["value"] == found["loss"] >= 0
        assert found["best"]["compared"] == found["played"]["compared"]


@pytest.mark.parametrize("name", [name for name in two_sided() if name not in COMPILED])
def test_the_first_move_of_every_game_is_explained(name):
    game = SMALL.get(name, name)
    made = make_game(game)
    with interpreted():
        first = action_text(made.initial, actions(made.initial)[0])
        check(game, first, explained(game, first))


def test_a_blunder_is_refuted_on_the_board_and_what_was_thrown_away_is_known():
    with interpreted():
        found = explained("tictactoe", "b2 b1 c3", time=30.0)  # O has not taken a corner, and X wins
        lost = explained("tictactoe", "b2 b1", time=30.0)
    assert (lost["verdict"], lost["loss"], lost["mover"]) == ("blunder", 1.0, 1)
    assert (lost["played"]["value"], lost["played"]["exact"], lost["best"]["value"]) == (-1.0, True, 0.0)
    assert lost["best"]["move"] in ("a1", "c1", "a3", "c3")
    assert found["best"] is None or found["loss"] == 0
    with interpreted():
        careless = explained("tictactoe", "b2 a1 a3 b1 a2", time=30.0)  # c1 wins at once
    assert careless["played"]["wins"] == ["c1"]


def test_whoever_judges_is_ready_before_the_time_runs(monkeypatch):
    happened: list[str] = []

    def making(*details):
        happened.append("made")
        return make_player(*details)

    def said(event):
        happened.append(event["event"])

    monkeypatch.setattr("plyground.web.server.preparing.make_player", making)
    for work in (explain_move, analyse_game):
        monkeypatch.setattr("plyground.web.server.preparing._players", OrderedDict())
        happened.clear()
        more = {"text": "", "depth": None, "lines": 0} if work is analyse_game else {}
        with interpreted():
            work(said, game="tictactoe", moves="b2 b1 a3 c1 c3", board="", time=0.3, **more)
        assert happened.index("made") < happened.index("started"), work


def test_what_cannot_be_explained_is_refused_in_one_line():
    with pytest.raises(IllegalAction, match="there is no move to explain yet"):
        explained("tictactoe", "")
    with pytest.raises(IllegalAction, match="move 2"):
        explained("tictactoe", "a1 a1")
    with pytest.raises(BadOption, match="a board can be set up for reversi"):
        explained("tictactoe", "a1", board=LAST_SQUARES)


def test_what_is_counted_on_a_board_of_reversi_is_each_sides_own():
    black = board_counts(read_board(LAST_SQUARES))
    white = board_counts(read_board(LAST_SQUARES[:-1] + "O"))
    assert black == white  # whoever is to move
    assert black["discs"] == [float(LAST_SQUARES[:64].count(side)) for side in "XO"]
    corners = [LAST_SQUARES[square] for square in (0, 7, 56, 63)]
    assert black["corners"] == [float(corners.count(side)) for side in "XO"]
    assert all(0 <= stable <= discs for stable, discs in zip(black["stable"], black["discs"], strict=True))
    assert black["moves"][0] == 5.0


def played(spec, moves, name, first):
    """A game of ann against bob; what it is worth to ann is `first`."""
    with interpreted():
        _, history, texts = game_positions(make_game(spec), moves)
    made = tuple(PlayedMove(i, action, text) for i, (action, text) in enumerate(zip(history, texts, strict=True)))
    return PlayedGame(name, spec, (PlayerEntry("ann"), PlayerEntry("bob")), (first, -first), made)


@pytest.fixture(scope="module")
def visitor(tmp_path_factory):
    folder = tmp_path_factory.mktemp("explain")
    with Database(folder / "games.db") as base:
        for number, (tournament, moves, first) in enumerate(
            [("wthor", "f5d6", 1.0), ("wthor", "d3c5", 1.0), ("app", "f5f6", -1.0)]
        ):
            base.add(played("reversi", moves, f"{tournament}/{number}", first))
    with app_in(folder, workers=1) as made:
        yield made


def test_the_engines_games_are_explained_too(visitor):
    with visitor.socket("/ws/search") as socket:
        for game, moves, board in (
            ("reversi", "e1", LAST_SQUARES),
            ("reversi", "f5 f6 e6", ""),
            ("connect4", "4 4 4 4 4 2", ""),
            ("gomoku", "h8 a1", ""),
            ("chess", "f3 e5 g4", ""),
        ):
            events = visitor.search(socket, 1, "explain", game=game, moves=moves, board=board, time=0.3)
            assert events[-1]["event"] == "done", events[-1]
            found = next(event for event in events if event["event"] == "explanation")
            check(game, moves, found, board)
            if board:
                assert found["played"]["exact"]
                assert set(found["played"]["counts"]) == {"discs", "moves", "corners", "stable"}


def test_the_explorer_has_book_values_names_and_counts(visitor):
    found = visitor.post("/api/explore", game="reversi", moves="f5")
    assert found["games"] == {"counted": 3, "total": 3}
    rows = {row["text"]: row for row in found["moves"]}
    assert (rows["d6"]["opening"], rows["d6"]["opening_zh"]) == ("Perpendicular", "垂直")
    assert (rows["d6"]["others"], rows["d6"]["here"]) == ([2, 0, 0, 0], [0, 0, 0, 0])
    assert (rows["f6"]["others"], rows["f6"]["here"]) == ([0, 0, 0, 0], [0, 0, 1, 0])
    assert rows["d6"]["value"] > rows["f4"]["value"]  # parallel is the worst of the three
    assert found["unit"] == "discs"
    assert visitor.post("/api/explore", game="tictactoe", moves="b2")["moves"] == []
    assert "a1" in visitor.refused("/api/explore", game="reversi", moves="a1")
    assert "there is no game" in visitor.refused("/api/explore", game="chequers")


def test_the_first_answer_of_the_explorer_does_not_wait_for_the_count(tmp_path, monkeypatch):
    monkeypatch.setattr("plyground.arena.explorer.BATCH", 1)
    monkeypatch.setattr("plyground.web.games.exploring.QUICK", 0.0)
    monkeypatch.setattr("plyground.web.games.exploring.COUNTING", 3600.0)
    with Database(tmp_path / "games.db") as base:
        for number, moves in enumerate(("b2 a1", "a1 b2")):
            base.add(played("tictactoe", moves, f"old/{number}", 1.0))
    wish = {"game": "tictactoe", "moves": "", "board": "", "database": str(tmp_path / "games.db"), "own": []}
    with interpreted():
        said = [explore(lambda _: None, patient=patient, **wish)["games"] for patient in (False, True, False)]
    assert [(games["counted"], games["total"]) for games in said] == [(0, 2), (2, 2), (2, 2)]


def test_the_explorer_counts_apart_the_games_in_which_whoever_asks_had_a_seat(visitor):
    one, two, third = another(visitor), another(visitor), another(visitor)

    def finish(game, *movers, moves):
        for number, move in enumerate(moves.split()):
            game = movers[number % len(movers)].move(movers[0].get(f"/api/games/{game['id']}"), move)
        return game

    shared = one.begin("tictactoe", people="invited")
    two.post(f"/api/games/{shared['id']}/claim")
    assert finish(shared, one, two, moves="b2 a1 a2 b1 c2")["over"]["winner"] == 0
    assert finish(one.begin("tictactoe"), one, moves="b2 a1 a2 b1 b3 c1")["over"]["winner"] == 1
    assert finish(one.begin("tictactoe"), one, moves="b2 a1")["over"] is None  # and so it is not counted

    def mine(who, moves):
        return {row["text"]: row["mine"] for row in who.post("/api/explore", game="tictactoe", moves=moves)["moves"]}

    assert mine(one, "") == {"b2": [1, 0, 1, 0]}
    assert mine(two, "") == {"b2": [1, 0, 0, 0]}
    assert set(map(tuple, mine(third, "").values())) <= {(0, 0, 0, 0)}
    assert mine(two, "b2") == {corner: [1, 0, 0, 0] for corner in ("a1", "c1", "a3", "c3")}  # one move, mirrored
    assert mine(one, "b2 a1 a2 b1") == {"c2": [1, 0, 0, 0], "b3": [0, 0, 1, 0]}
