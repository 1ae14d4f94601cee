"""The app's API: games in progress, what is read and written, tournaments, the database."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from plyground.arena.database import Database
from plyground.core.rules import actions, grid, result
from plyground.games import make_game
from plyground.native.compiling import interpreted
from plyground.web.games.live import LiveGame, new_game
from plyground.web.games.positions import position
from plyground.web.games.tournaments import hold_tournament, make_plan
from plyground.web.server.option_words import CHINESE
from web_client import Visitor, another, app_in, until
from web_server import Server, serving

START = "---------------------------OX------XO--------------------------- X"


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("api")) as made:
        yield made


def play(visitor: Visitor, moves: str, game: dict[str, Any] | None = None) -> dict[str, Any]:
    game = game or visitor.begin()
    for move in moves.split():
        game = visitor.move(game, move)
    return game


# What there is ----------------------------------------------------------------------------------------------------


def test_about_names_games_players_opponents_searches_and_lessons(visitor: Visitor) -> None:
    about = visitor.get("/api/about")
    games = {game["name"]: game for game in about["games"]}
    assert games["reversi"]["style"] == "discs"
    assert games["reversi"]["evaluation"]
    assert games["nim"]["style"] is None
    assert {"human", "mcts", "engine"} <= {player["name"] for player in about["players"]}
    assert "gtp" not in {player["name"] for player in about["players"]}
    assert {one["kind"] for one in about["algorithms"]} == {"tree", "mcts"}
    worked = next(lesson for lesson in about["lessons"] if lesson["name"] == "worked")
    assert worked["title"]["en"] != worked["title"]["zh"]


def test_what_players_and_options_say_of_themselves_is_said_in_chinese_too(visitor: Visitor) -> None:
    about = visitor.get("/api/about")
    places = [*about["games"], *about["players"], *about["algorithms"]]
    said = [player["summary"] for player in about["players"]]
    said += [option["help"] for place in places for option in place["options"]]
    assert len(said) > 100
    english = {text["en"] for text in said if not re.search("[\u4e00-\u9fff]", text["zh"])}
    assert english == set(), "lines for these are missing in option_words.py"
    assert set(CHINESE) <= {text["en"] for text in said}, "nothing says this any more"


def test_every_opponent_can_play_its_game(visitor: Visitor) -> None:
    for game, cards in visitor.get("/api/about")["cards"].items():
        assert len({card["id"] for card in cards}) == len(cards)
        for card in cards:
            made = visitor.begin(game, "human", card["spec"])
            assert made["players"][1]["spec"] == card["spec"]
            visitor.delete(f"/api/games/{made['id']}")


def test_every_page_is_the_shell(visitor: Visitor) -> None:
    for path in ("/", "/play", "/play/abc", "/analyze", "/watch", "/bandits", "/arena", "/arena/games/a/b/c"):
        assert visitor.get(path).headers["content-type"].startswith("text/html")
    assert visitor.get("/api/nothing", 404) == {"error": "there is nothing at this address", "code": "404"}
    assert visitor.get("/nothing", 404) == {"error": "there is nothing at this address", "code": "404"}
    assert "error" in visitor.get("/api/read", 405)


# Positions --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "spec",
    [
        "tictactoe",
        "connect4",
        "reversi",
        "reversi:size=4",
        "gomoku",
        "nim",
        "mnk:m=9,n=9,k=4",
        "hex:size=9,swap=on",
        "dots_and_boxes",
    ],
)
@settings(max_examples=10)
@given(st.data())
def test_a_position_shows_what_every_legal_move_changes(spec: str, data: st.DataObject) -> None:
    game = make_game(spec)
    states = [game.initial]
    with interpreted():
        for _ in range(data.draw(st.integers(0, 12))):
            if options := actions(states[-1]):
                states.append(result(states[-1], data.draw(st.sampled_from(options))))
        shown = position(game, states[-1], len(states) - 1, states[-2] if len(states) > 1 else None)
        assert [legal["action"] for legal in shown["legal"]] == actions(states[-1])
        for legal in shown["legal"][:: max(1, len(shown["legal"]) // 6)]:
            before, after = grid(states[-1]), grid(result(states[-1], legal["action"]))
            if before is None or after is None:
                assert legal["changes"] == []
                continue
            cells = [(r, c) for r, row in enumerate(before.cells) for c, _ in enumerate(row)]
            changed = [[r, c] for r, c in cells if before.cells[r][c] != after.cells[r][c]]
            assert legal["changes"] == changed
            assert legal["cell"] is None or (
                before.cells[legal["cell"][0]][legal["cell"][1]] == "." and legal["cell"] in changed
            )


def test_the_disc_that_is_put_and_those_that_turn_are_told(visitor: Visitor) -> None:
    shown = visitor.post("/api/position", game="reversi", moves="f5 d6")
    first = shown["positions"][0]
    assert first["counts"] == [2, 2]
    assert next(legal for legal in first["legal"] if legal["text"] == "f5") == {
        "action": 37, "text": "f5", "cell": [4, 5], "changes": [[4, 4], [4, 5]],
    }  # fmt: skip
    assert shown["positions"][1]["grid"]["last"] == [4, 5]
    assert shown["positions"][2]["to_move"] == 0


def test_the_swap_of_hex_is_no_cell(visitor: Visitor) -> None:
    """It empties one cell and fills another; whoever touches that other one puts a stone there."""
    shown = visitor.post("/api/position", game="hex:size=9,swap=on", moves="b1")["positions"][-1]
    by_text = {legal["text"]: legal for legal in shown["legal"]}
    assert by_text["swap"] == {"action": 81, "text": "swap", "cell": None, "changes": [[0, 1], [1, 0]]}
    assert by_text["a2"]["cell"] == [1, 0]
    cells = [tuple(legal["cell"]) for legal in shown["legal"] if legal["cell"]]
    assert len(cells) == len(set(cells)) == 80


def test_an_opening_has_its_name(visitor: Visitor) -> None:
    assert visitor.post("/api/position", game="reversi", moves="f5d6c3d3c4")["opening"] == "Tiger"
    assert visitor.post("/api/position", game="reversi", moves="f5f6e6f4g5")["opening_zh"] == "Heath"


# Games in progress ------------------------------------------------------------------------------------------------


def test_two_people_play_to_the_end_and_the_database_has_the_game(visitor: Visitor) -> None:
    game = play(visitor, "b2 a1 c1 a3 a2 c2 b1 b3 c3")
    over = {"returns": [0.0, 0.0], "winner": None, "reason": "the game is over", "why": "over", "loser": None}
    assert game["over"] == over
    assert game["position"]["legal"] == []
    key = f"app/{game['id']}/{game['at']}"
    kept = visitor.get(f"/api/database/games/{key}")
    assert [move["text"] for move in kept["moves"]] == ["b2", "a1", "c1", "a3", "a2", "c2", "b1", "b3", "c3"]
    assert kept["players"] == ["human", "human"]
    assert len(kept["positions"]) == 10


def test_a_won_game_names_the_winner(visitor: Visitor) -> None:
    game = play(visitor, "a1 b1 a2 b2 a3")
    assert game["over"]["winner"] == 0
    assert visitor.refused(f"/api/games/{game['id']}/move", 409, action=8, at=game["at"]) == "the game is over"


def test_an_illegal_move_is_refused_with_the_reason(visitor: Visitor) -> None:
    game = play(visitor, "b2")
    line = visitor.refused(f"/api/games/{game['id']}/move", action=4, at=1)
    assert line.startswith("action 4 is not legal here; legal: a1, b1")
    assert visitor.get(f"/api/games/{game['id']}")["at"] == 1


def test_a_move_from_a_board_of_before_is_refused(visitor: Visitor) -> None:
    game = visitor.begin()
    visitor.move(game, "b2")
    assert "somebody else has moved" in visitor.refused(f"/api/games/{game['id']}/move", 409, action=0, at=0)


def test_moves_are_taken_back_and_other_branches_kept(visitor: Visitor) -> None:
    game = play(visitor, "b2 a1 c3")
    back = visitor.post(f"/api/games/{game['id']}/goto", node=1)
    assert (back["at"], back["paused"], back["position"]["ply"]) == (1, True, 1)
    branch = visitor.move(back, "c1")
    assert [node["parent"] for node in branch["nodes"]] == [None, 0, 1, 2, 1]
    again = visitor.move(visitor.post(f"/api/games/{game['id']}/goto", node=1), "a1")
    assert again["at"] == 2, "a move that was played before leads to the same node"
    assert len(again["nodes"]) == 5
    assert "0 to 4" in visitor.refused(f"/api/games/{game['id']}/goto", node=5)


def test_a_lost_game_can_be_taken_back_and_played_on(visitor: Visitor) -> None:
    game = play(visitor, "a1 b1 a2 b2 a3")
    back = visitor.post(f"/api/games/{game['id']}/goto", node=4)
    assert back["over"] is None
    assert visitor.move(back, "c3")["over"] is None
    assert visitor.post(f"/api/games/{game['id']}/goto", node=5)["over"]["winner"] == 0


def test_who_resigns_has_lost(visitor: Visitor) -> None:
    game = play(visitor, "b2")
    over = visitor.post(f"/api/games/{game['id']}/resign", player=0)["over"]
    assert over == {"returns": [-1.0, 1.0], "winner": 1, "reason": "X resigns", "why": "resigns", "loser": 0}
    assert visitor.refused(f"/api/games/{game['id']}/resign", 409, player=1) == "the game is over"


def test_a_program_does_not_resign_for_a_person(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "human", "random")
    assert "not a person's" in visitor.refused(f"/api/games/{game['id']}/resign", player=1)
    assert "not a person's" in visitor.refused(f"/api/games/{game['id']}/resign", player=7)


def test_a_rematch_swaps_the_seats_and_is_told(visitor: Visitor) -> None:
    game = visitor.begin("tictactoe", "human", "random", clock={"move": 50})
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        new = visitor.post(f"/api/games/{game['id']}/rematch", swap=True)
        assert until(socket, lambda message: message["type"] == "rematch")["id"] == new["id"]
    assert [player["spec"] for player in new["players"]] == ["random", "human"]
    assert new["clocks"]["left"] == [50, 50]


def test_a_forced_pass_is_made_and_announced(visitor: Visitor) -> None:
    game = visitor.begin("reversi", board="------OX" + "-" * 48 + "------OX X")
    after = visitor.move(game, "f1")
    assert after["passes"] == ["white"]
    assert [node["text"] for node in after["nodes"]] == [None, "f1", "pass"]
    assert (after["at"], after["position"]["to_move"]) == (2, 0)
    done = visitor.move(after, "f8")
    assert done["over"]["winner"] == 0
    assert done["passes"] == []


def test_the_clocks_of_before_are_shown_where_a_pass_was_made(visitor: Visitor) -> None:
    clock = {"game": 100, "increment": 5}
    game = visitor.begin("reversi", board="------OX" + "-" * 48 + "------OX X", clock=clock)
    visitor.move(game, "f1")
    for node in (2, 1):
        left = visitor.post(f"/api/games/{game['id']}/goto", node=node)["clocks"]["left"]
        assert 104 < left[0] <= 105
        assert left[1] == 100
    assert visitor.post(f"/api/games/{game['id']}/goto", node=0)["clocks"]["left"] == [100, 100]


def test_a_game_from_a_board_that_was_set_up_is_in_the_database_and_replayed(visitor: Visitor) -> None:
    board = "XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXX-XXXXXXOOXXXXXXO- X"
    game = visitor.begin("reversi", board=board)
    while not game["over"]:
        game = visitor.move(game, game["position"]["legal"][0]["text"])
    kept = visitor.get(f"/api/database/games/app/{game['id']}/{game['at']}")
    assert kept["game"] == f"reversi:board={board.replace(' ', '')}"
    assert "".join(kept["positions"][0]["grid"]["cells"]) == board[:64].replace("-", ".")
    assert kept["positions"][-1]["grid"]["cells"] == game["position"]["grid"]["cells"]


def test_an_opening_is_named_while_it_is_played(visitor: Visitor) -> None:
    game = visitor.begin("reversi", moves="f5d6c3d3c4")
    assert (game["opening"], game["opening_zh"]) == ("Tiger", "虎")
    assert visitor.post(f"/api/games/{game['id']}/goto", node=0)["opening"] is None


def test_a_refusal_has_a_code_by_which_it_is_translated(visitor: Visitor) -> None:
    game = play(visitor, "b2")
    path = f"/api/games/{game['id']}/move"
    assert visitor.post(path, 409, action=0, at=0)["code"] == "moved"
    assert visitor.post(path, 422, action=4, at=1)["code"] == "IllegalAction"
    assert visitor.post("/api/games", 422, game="ludo", players=["human"])["code"] == "UnknownName"
    assert visitor.post("/api/games", 422, game=7)["code"] == "422"
    assert visitor.get("/api/games/nowhere", 404)["code"] == "gone"


def test_a_board_that_nobody_can_play_on_is_refused(visitor: Visitor) -> None:
    full = "X" * 64 + " X"
    assert "neither side can move" in visitor.refused(
        "/api/games", game="reversi", players=["human", "human"], board=full
    )
    assert "64 squares" in visitor.refused("/api/games", game="reversi", players=["human", "human"], board="XO")
    assert "not for tictactoe" in visitor.refused(
        "/api/games", game="tictactoe", players=["human", "human"], board=START
    )


def test_a_game_begins_with_moves_and_by_lot(visitor: Visitor) -> None:
    game = visitor.begin("reversi", moves="f5d6c3")
    assert game["position"]["ply"] == 3
    seats = {
        visitor.begin("tictactoe", "human", "random", first="lot", seed=seed)["players"][0]["spec"] for seed in range(8)
    }
    assert seats == {"human", "random"}


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ({"game": "ludo", "players": ["human", "human"]}, "there is no game 'ludo' here"),
        ({"game": "reversi:size=7", "players": ["human", "human"]}, "size must be 4, 6 or 8"),
        ({"game": "game.py", "players": ["human", "human"]}, "there is no game 'game.py' here"),
        ({"game": "tree:file=/etc/passwd", "players": ["human", "human"]}, "there is no game 'tree' here"),
        ({"game": "openspiel:hex", "players": ["human", "human"]}, "there is no game 'openspiel' here"),
        ({"game": "reversi", "players": ["human"]}, "reversi has 2 seats, not 1"),
        ({"game": "reversi", "players": ["human", "gtp:command=ls"]}, "there is no player 'gtp' here"),
        ({"game": "reversi", "players": ["human", "course:file=x.py"]}, "there is no player 'course' here"),
        ({"game": "reversi", "players": ["human", "mcts:endgame=/etc/passwd"]}, "files of the server"),
        ({"game": "reversi", "players": ["human", "alphago:policy=/etc/passwd,value=off"]}, "files of the server"),
        ({"game": "reversi", "players": ["human", "minialphago:network=/etc/passwd"]}, "files of the server"),
        ({"game": "reversi", "players": ["human", "alphabeta:evaluation=x.py:f"]}, "no evaluation 'x.py:f'"),
        ({"game": "reversi", "players": ["human", "mcts:memory=100000"]}, "memory may be at most 512"),
        ({"game": "reversi", "players": ["human", "engine:table=4GB"]}, "table may be at most 512MB"),
        ({"game": "reversi", "players": ["human", "mcts:threads=4000"]}, "threads may be at most"),
        ({"game": "tictactoe", "players": ["human", "engine"]}, "there is no engine for it"),
        ({"game": "tictactoe", "players": ["human", "mcts:time=-1"]}, "time must be a positive number"),
        ({"game": "tictactoe", "players": ["human", "human:name=me"]}, "a person has no options"),
        ({"game": "tictactoe", "players": ["human", "human"], "moves": "b2 b2"}, "move 2: 'b2' is not legal here"),
        ({"game": "tictactoe", "players": ["human", "human"], "clock": {"move": -1}}, "clock.move"),
        ({"game": "tictactoe", "players": ["human", "human"], "clock": {"game": 1e300}}, "clock.game"),
        ({"game": "tictactoe", "players": ["human", "human"], "sead": 3}, "sead"),
        ({"game": "tictactoe"}, "players: field required"),
        ({"game": 3, "players": []}, "game: input should be a valid string"),
        ({"game": "tictactoe" * 100, "players": ["human", "human"]}, "game: string should have at most"),
        ({"game": "棋", "players": ["human", "human"]}, "plain letters"),
    ],
)
def test_what_cannot_be_played_is_refused_with_one_line(visitor: Visitor, body: dict[str, Any], line: str) -> None:
    answer = visitor.refused("/api/games", **body)
    assert line in answer
    assert "\n" not in answer


def test_what_is_not_json_is_refused_with_one_line(visitor: Visitor) -> None:
    unreadable = [b"", b"{", b"[1]", b'"x"', b"null", b"\xff\xfe", b'{"game": NaN}']
    unreadable += [b'{"game":"\\ud800","players":[]}', b"[" * 100_000, b'{"seed":' + b"9" * 10_000 + b"}"]
    for content in unreadable:
        answer = visitor.client.post("/api/games", content=content, headers={"content-type": "application/json"})
        assert answer.status_code in (400, 422)
        assert set(answer.json()) == {"error", "code"}


def test_a_visitor_sees_its_own_games_the_last_one_first(visitor: Visitor) -> None:
    somebody = another(visitor)
    assert somebody.get("/api/games") == []
    first, second = somebody.begin(), somebody.begin("nim")
    somebody.move(first, "b2")
    listed = somebody.get("/api/games")
    assert [(game["id"], game["ply"], game["over"]) for game in listed] == [
        (first["id"], 1, None),
        (second["id"], 0, None),
    ]
    assert first["id"] not in {game["id"] for game in visitor.get("/api/games")}


def test_who_has_the_address_of_a_game_can_watch_it_but_not_delete_it(visitor: Visitor) -> None:
    game = visitor.begin()
    somebody = another(visitor)
    with somebody.socket(f"/ws/games/{game['id']}") as socket:
        assert socket.receive_json()["game"]["at"] == 0
        visitor.move(game, "b2")
        assert socket.receive_json()["game"]["at"] == 1
    assert "only whoever has begun" in somebody.delete(f"/api/games/{game['id']}", 403)["error"]
    visitor.delete(f"/api/games/{game['id']}")
    assert "no such game" in visitor.get(f"/api/games/{game['id']}", 404)["error"]
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        assert "no such game" in socket.receive_json()["error"]


# Clocks -----------------------------------------------------------------------------------------------------------


def test_who_lets_the_clock_run_out_has_lost(visitor: Visitor) -> None:
    game = visitor.begin(clock={"move": 0.2})
    assert game["clocks"]["running"] == 0
    with visitor.socket(f"/ws/games/{game['id']}") as socket:
        over = until(socket, lambda message: message["type"] == "game" and message["game"]["over"])["game"]["over"]
    assert over["winner"] == 1
    took = re.fullmatch(r"X took (\S+) s of 0.2 s for a move", over["reason"])
    assert took
    assert float(took[1]) >= 0.2  # the alarm may be late
    assert (over["why"], over["loser"]) == ("time", 0)


def test_a_game_clock_counts_what_was_used_and_adds_the_increment(visitor: Visitor) -> None:
    game = play(visitor, "b2 a1", visitor.begin(clock={"game": 100, "increment": 50}))
    assert all(105 < left <= 150 for left in game["clocks"]["left"])
    assert game["clocks"]["running"] == 0
    assert game["clocks"]["move"] is None
    back = visitor.post(f"/api/games/{game['id']}/goto", node=0)
    assert back["clocks"]["left"] == [100, 100]


# Keeping games ----------------------------------------------------------------------------------------------------


def test_games_survive_a_restart_of_the_server(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        game = play(visitor, "b2 a1 c3", visitor.begin(clock={"game": 100}))
        cookies = dict(visitor.client.cookies)
        visitor.post(f"/api/games/{game['id']}/goto", node=2)
    with app_in(tmp_path) as visitor:
        visitor.client.cookies.update(cookies)
        listed = visitor.get("/api/games")
        assert [one["id"] for one in listed] == [game["id"]]
        found = visitor.get(f"/api/games/{game['id']}")
        assert found["at"] == 2
        assert [node["text"] for node in found["nodes"]] == [None, "b2", "a1", "c3"]
        assert visitor.move(found, "c1")["position"]["ply"] == 3


@settings(max_examples=20)
@given(st.data())
def test_a_game_that_is_kept_is_the_same_when_it_comes_back(data: st.DataObject) -> None:
    game = new_game(
        "somebody", data.draw(st.sampled_from(["tictactoe", "connect4", "reversi:size=4"])), ["human", "human"]
    )
    for _ in range(data.draw(st.integers(0, 15))):
        if data.draw(st.booleans()):
            game.go_to(data.draw(st.integers(0, len(game.nodes) - 1)))
        legal = game.shown()["legal"]
        if legal:
            game.add(data.draw(st.sampled_from(legal))["action"])
            game.settle()
        game.version += 1
    again = LiveGame.from_content(game.content())
    assert again.content() == game.content()
    assert again.facts() == {**game.facts(), "passes": []}
    assert again.history() == game.history()


def test_the_oldest_finished_games_make_room_and_unfinished_ones_do_not(tmp_path: Path) -> None:
    with app_in(tmp_path, games=2) as visitor:
        done = play(visitor, "a1 b1 a2 b2 a3")
        visitor.begin()
        visitor.begin()
        assert "no such game" not in str(visitor.get("/api/games"))
        assert done["id"] not in {game["id"] for game in visitor.get("/api/games")}
        assert "2 unfinished games" in visitor.refused("/api/games", 429, game="tictactoe", players=["human", "human"])


def test_a_file_of_another_program_is_not_touched(tmp_path: Path, command: Any) -> None:
    import sqlite3

    with sqlite3.connect(tmp_path / "games.live.db") as other:
        other.execute("CREATE TABLE mine (x)")
    other.close()
    done = command("web", "--no-browser", "--port", "0", "--db", str(tmp_path / "games.db"))
    assert done.returncode == 2
    assert "is another program's" in done.stderr
    assert "Traceback" not in done.stderr


# Reading and writing ----------------------------------------------------------------------------------------------


def test_whatever_is_pasted_is_recognised(visitor: Visitor) -> None:
    game = visitor.post("/api/read", text="1. f5 d6 2. c3 D3 3. C4")
    assert game["kind"] == "transcript"
    assert game["games"][0]["moves"] == "f5d6c3d3c4"
    assert game["games"][0]["opening"] == "Tiger"
    assert visitor.post("/api/read", text=START)["positions"] == [
        {"board": START, "to_move": 0, "scores": [], "comment": ""}
    ]
    scored = visitor.post("/api/read", text=f"{START}; F5:+2; % even")
    assert (scored["kind"], scored["positions"][0]["scores"]) == ("OBF", [{"move": "f5", "score": 2}])
    ggf = visitor.post("/api/export", what="ggf", moves="f5d6", names=["Anna", "Bo"]).text
    read = visitor.post("/api/read", text=ggf)
    assert (read["kind"], read["games"][0]["names"]) == ("GGF", ["Anna", "Bo"])


@pytest.mark.parametrize(
    "text", ["", "hello", "a1f5d6", "f5d6\nf5f5", "(;GM[Othello]", START[:60], "\0" * 50, "X" * 5000]
)
def test_what_cannot_be_read_is_refused_with_one_line(visitor: Visitor, text: str) -> None:
    answer = visitor.refused("/api/read", text=text)
    assert answer
    assert "\n" not in answer


@pytest.mark.parametrize(
    ("text", "moves", "number", "wrong", "code"),
    [
        ("f5d6c3d3c4f4c5b3c2e6c6b4b5h8", "f5d6c3d3c4f4c5b3c2e6c6b4b5", 14, "h8", "IllegalAction"),
        ("1. f5 d6\n2. c3 nonsense", "f5d6c3", 4, "nonsense", "UnreadableAction"),
        ("f5f5", "f5", 2, "f5", "IllegalAction"),
    ],
)
def test_of_a_game_that_goes_wrong_the_beginning_is_read(
    visitor: Visitor, text: str, moves: str, number: int, wrong: str, code: str
) -> None:
    found = visitor.post("/api/read", text=text)
    assert [game["moves"] for game in found["games"]] == [moves]
    problem = found["problem"]
    assert (problem["move"], text[problem["start"] : problem["end"]], problem["code"]) == (number, wrong, code)
    assert problem["error"].startswith(f"move {number}: ")
    line = visitor.post("/api/position", game="connect4", moves="4 4 9 1", beginning=True)
    assert (line["moves"], line["problem"]["move"], line["problem"]["start"]) == (["4", "4"], 3, 4)
    assert visitor.post("/api/position", game="connect4", moves="4 4")["problem"] is None
    assert "'9' is not legal here" in visitor.refused("/api/position", game="connect4", moves="4 4 9 1")


def test_positions_are_exported_as_pictures_and_texts(visitor: Visitor) -> None:
    svg = visitor.post("/api/export", what="board", format="svg", game="reversi", moves="f5")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert svg.text.startswith("<svg")
    png = visitor.post("/api/export", what="board", format="png", game="tictactoe", moves="b2")
    assert png.content.startswith(b"\x89PNG")
    assert visitor.post("/api/export", what="board", game="reversi").text.strip() == START
    assert visitor.post("/api/export", what="transcript", moves="f5 D6").text.strip() == "f5d6"
    assert visitor.post("/api/export", what="obf", moves="", scores={"f5": 2}).text.strip().endswith("F5:+2;")
    assert "not for tictactoe" in visitor.refused("/api/export", what="ggf", game="tictactoe")
    assert "analysis of every move" in visitor.refused("/api/export", what="graph", format="svg", moves="f5")


# Tournaments and the database -------------------------------------------------------------------------------------


def test_a_tournament_is_held_watched_and_kept(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        begun = visitor.post("/api/tournaments", game="nim", players=["random", "random"], games=4, openings=0, seed=1)
        assert begun["total"] == 4
        with visitor.socket(f"/ws/tournaments/{begun['id']}") as socket:
            boards, tables = [], []
            while (message := socket.receive_json())["type"] != "end":
                (boards if message["type"] == "board" else tables).append(message)
        assert message["state"] == "done"
        assert boards[0]["position"]["svg"]
        table = [table for table in tables if table["type"] == "table"][-1]
        assert table["done"] == 4
        assert sum(row["points"] for row in table["rows"]) == 4
        listed = visitor.get("/api/database/games?limit=3")
        assert [game["index"] for game in listed] == [3, 2, 1]
        assert [game["index"] for game in visitor.get("/api/database/games?before=1")] == [0]
        assert visitor.get("/api/database/games?game=reversi") == []
        assert visitor.get(f"/api/database/games/{listed[0]['key']}")["positions"][-1]["over"]
        assert visitor.get("/api/database/games/no/such", 404)
    with app_in(tmp_path) as visitor:
        assert [one["id"] for one in visitor.get("/api/tournaments")] == [begun["id"]]
        assert visitor.get(f"/api/tournaments/{begun['id']}")["done"] == 4
    with Database(tmp_path / "games.db", write=False) as base:
        assert base.count(tournament=begun["id"]) == 4


def test_each_round_of_a_swiss_tournament_has_its_own_openings(tmp_path: Path) -> None:
    plan = make_plan("tictactoe", [f"random:seed={seed}" for seed in range(4)], "swiss", 2, 3, 3, None, 1)
    told: list[dict[str, Any]] = []
    hold_tournament(told.append, plan=plan.as_dict(), database=str(tmp_path / "games.db"), resumed=False)
    openings: dict[str, set[str]] = {}
    with Database(tmp_path / "games.db", write=False) as base:
        for result in base.results():
            openings.setdefault(result.key.split("/")[1], set()).add(result.opening)
    assert [len(those) for those in openings.values()] == [1, 1, 1]
    assert len(set.union(*openings.values())) == 3
    assert [row["games"] for row in told[-1]["rows"]] == [6] * 4


def test_a_tournament_is_stopped_by_its_owner_and_resumed(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        players = [f"random:seed={seed}" for seed in range(6)]  # 15,000 games, which take a minute
        wish = {"game": "nim", "players": players, "games": 1000, "openings": 0, "seed": 2}
        begun = visitor.post("/api/tournaments", **wish)
        with visitor.socket(f"/ws/tournaments/{begun['id']}") as socket:
            until(socket, lambda message: message["type"] == "table" and message["done"] >= 3)
        assert "hold a tournament already" in visitor.refused("/api/tournaments", 429, **{**wish, "seed": 3})
        assert "only whoever has begun" in another(visitor).delete(f"/api/tournaments/{begun['id']}", 403)["error"]
        visitor.delete(f"/api/tournaments/{begun['id']}")
        stopped = visitor.get(f"/api/tournaments/{begun['id']}")
        assert stopped["state"] == "stopped"
        assert 3 <= stopped["done"] < stopped["total"]
        visitor.post(f"/api/tournaments/{begun['id']}/resume")
        with visitor.socket(f"/ws/tournaments/{begun['id']}") as socket:
            first = until(socket, lambda message: message["type"] == "table" and message["done"] > 0)
        assert first["done"] >= stopped["done"]
        visitor.delete(f"/api/tournaments/{begun['id']}")


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"players": ["random"]}, "players: list should have at least 2 items"),
        ({"players": ["random", "human"]}, "people do not play in the arena"),
        ({"players": ["random", "gtp:command=ls"]}, "there is no player 'gtp' here"),
        ({"rounds": 3}, "rounds are for swiss"),
        ({"games": 0}, "games: input should be greater than or equal to 1"),
        ({"kind": "knockout"}, "kind"),
    ],
)
def test_a_tournament_that_cannot_be_held_is_refused(visitor: Visitor, change: dict[str, Any], line: str) -> None:
    assert line in visitor.refused("/api/tournaments", **{"game": "nim", "players": ["random", "random"], **change})


# The schema -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("schema")) as made:
        yield made


def test_the_script_of_the_documentation_plays_without_keeping_cookies(server: Server) -> None:
    page = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")
    (script,) = (block for block in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "urlopen" in block)
    played: dict[str, Any] = {}
    exec(script.replace("http://127.0.0.1:8421", server.address), played)  # the page's own words
    assert played["game"]["nodes"][1]["text"] == "b2"


@pytest.mark.parametrize("requests", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_no_request_that_the_schema_knows_breaks_the_server(server: Server, requests: int) -> None:
    """Requests made up from the OpenAPI schema, with wrong values and right ones, about things that are there."""
    schema = schemathesis.openapi.from_url(f"{server.address}/api/openapi.json", timeout=120)
    with httpx2.Client(base_url=server.address, timeout=120) as client:
        known = {
            "game": client.post("/api/games", json={"game": "tictactoe", "players": ["human", "human"]}).json()["id"],
            "bandit": client.post("/api/bandits", json={}).json()["id"],
        }
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 20

    @settings(max_examples=requests, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
    @given(data=st.data())
    def ask(operation: Any, mode: schemathesis.GenerationMode, data: st.DataObject) -> None:
        case = data.draw(operation.as_strategy(generation_mode=mode))
        for name, value in known.items():
            if name in case.path_parameters and data.draw(st.integers(0, 3)):
                case.path_parameters[name] = value
        response = case.call(timeout=120)
        assert response.status_code < 500, (case.as_curl_command(), response.text)
        if response.status_code >= 400:
            assert set(response.json()) == {"error", "code"}
            assert "\n" not in response.json()["error"]

    for operation in operations:
        ask(operation, schemathesis.GenerationMode.POSITIVE)
        if operation.body or list(operation.iter_parameters()):  # else there is nothing to be wrong about
            ask(operation, schemathesis.GenerationMode.NEGATIVE)
