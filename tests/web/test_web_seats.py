"""Two people at one game, through the API: who may do what, what is offered, and whose time runs."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from web_client import Visitor, another, app_in, until


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    with app_in(tmp_path_factory.mktemp("seats"), away=0.05) as made:
        yield made


class Two:
    """A game of two people with seats of their own, and a third who watches."""

    def __init__(self, visitor: Visitor, game: str = "tictactoe", **more: Any) -> None:
        self.one, self.two, self.third = another(visitor), another(visitor), another(visitor)
        self.game = self.one.begin(game, people="invited", **more)
        self.path = f"/api/games/{self.game['id']}"
        self.two.post(f"{self.path}/claim")

    def play(self, moves: str) -> dict[str, Any]:
        """Moves, each by whoever's turn it is."""
        for move in moves.split():
            self.game = self.one.get(self.path)
            mover = (self.one, self.two)[self.game["position"]["to_move"]]
            self.game = mover.move(self.game, move)
        return self.game

    def look(self) -> dict[str, Any]:
        return self.third.get(self.path)


def refusal(who: Visitor, path: str, status: int, **body: Any) -> str:
    """The code with which something is refused."""
    answer = who.post(path, status, **body)
    assert "\n" not in answer["error"]
    return str(answer["code"])


# Seats ------------------------------------------------------------------------------------------------------------


def test_whoever_comes_first_takes_the_free_seat_and_everybody_else_watches(visitor: Visitor) -> None:
    one, two, third = another(visitor), another(visitor), another(visitor)
    game = one.begin("tictactoe", people="invited", seat=1)
    path = f"/api/games/{game['id']}"
    assert (game["mine"], game["free"], game["shared"]) == ([1], [0], True)
    assert refusal(one, f"{path}/move", 403, action=4, at=0) == "seat"
    assert one.post(f"{path}/claim")["mine"] == [1], "nobody takes both seats"
    assert two.get(path)["free"] == [0], "to look at a game is not to take a seat"
    with one.socket(f"/ws/games/{game['id']}") as socket:
        socket.receive_json()
        assert two.post(f"{path}/claim")["mine"] == [0]
        told = socket.receive_json()["game"]
        assert (told["mine"], told["free"]) == ([1], [])
    assert two.post(f"{path}/claim")["mine"] == [0], "a request that is repeated does no harm"
    late = third.post(f"{path}/claim")
    assert (late["mine"], "key" in late) == ([], False)
    assert [game["id"] for game in two.get("/api/games")] == [game["id"]], "both find the game in their lists"
    assert [(one["own"], one["shared"]) for one in two.get("/api/games")] == [(False, True)]
    assert third.get("/api/games") == []


def test_the_game_begins_when_both_are_there(visitor: Visitor) -> None:
    one, two = another(visitor), another(visitor)
    game = one.begin("tictactoe", people="invited", clock={"game": 100})
    path = f"/api/games/{game['id']}"
    assert refusal(one, f"{path}/move", 409, action=4, at=0) == "waiting"
    assert refusal(one, f"{path}/offer", 409, what="draw") == "waiting"
    assert refusal(one, f"{path}/resign", 409, player=0) == "waiting"
    two.post(f"{path}/claim")
    assert one.post(f"{path}/move", action=4, at=0)["at"] == 1


def test_lots_are_drawn_for_the_seat_of_whoever_invites(visitor: Visitor) -> None:
    drawn = {tuple(visitor.begin("tictactoe", people="invited", first="lot", seed=seed)["mine"]) for seed in range(8)}
    assert drawn == {(0,), (1,)}
    assert (
        refusal(visitor, "/api/games", 422, game="nim", players=["human", "random"], people="invited", seat=1) == "422"
    )


FOREIGN = [
    ("move", {"action": 8, "at": 1}),
    ("resign", {"player": 0}),
    ("goto", {"node": 0}),
    ("goto", {"node": 1, "resume": True}),
    ("rematch", {}),
    ("offer", {"what": "draw", "player": 0}),
    ("offer", {"what": "takeback", "player": 0}),
    ("invite", {"player": 0}),
]


@pytest.mark.parametrize(("act", "body"), FOREIGN)
def test_nobody_acts_for_a_seat_that_is_not_theirs(visitor: Visitor, act: str, body: dict[str, Any]) -> None:
    owner, other = another(visitor), another(visitor)
    here = owner.begin()
    owner.move(here, "b2")
    assert refusal(other, f"/api/games/{here['id']}/{act}", 403, **body) == "seat"
    alone = owner.begin("tictactoe", "human", "random", moves="b2 a1")
    body_alone = {**body, "at": 2} if "at" in body else body
    assert refusal(other, f"/api/games/{alone['id']}/{act}", 403, **body_alone) == "seat"
    apart = Two(visitor)
    apart.play("b2")
    assert refusal(apart.third, f"{apart.path}/{act}", 403, **body) == "seat"
    if act == "move":  # it is the turn of the second seat
        assert refusal(apart.one, f"{apart.path}/{act}", 403, **body) == "seat"
    elif act in ("goto", "rematch"):
        assert refusal(apart.two, f"{apart.path}/{act}", 403, **body) == "offer"
    else:
        assert refusal(apart.two, f"{apart.path}/{act}", 403, **body) == "seat"
    for game in (here["id"], apart.game["id"]):
        assert visitor.get(f"/api/games/{game}")["at"] == 1
        assert visitor.get(f"/api/games/{game}")["over"] is None


def test_answers_and_retries_are_not_for_those_who_watch(visitor: Visitor) -> None:
    apart = Two(visitor)
    apart.play("b2")
    apart.two.post(f"{apart.path}/offer", what="draw")
    assert refusal(apart.third, f"{apart.path}/answer", 403, what="draw", accept=True) == "seat"
    assert refusal(apart.two, f"{apart.path}/answer", 403, what="draw", accept=True) == "own"
    assert refusal(apart.third, f"{apart.path}/retry", 403) == "seat"
    assert apart.look()["over"] is None


def test_no_answer_says_who_somebody_is(visitor: Visitor) -> None:
    apart = Two(visitor)
    numbers = [who.client.cookies["plyground_visitor"] for who in (apart.one, apart.two)]
    secret = apart.one.begin()["key"]
    for answer in (apart.game, apart.look(), apart.two.get("/api/games"), apart.play("b2")):
        assert not any(word in json.dumps(answer) for word in (*numbers, secret))


# Scripts without cookies ------------------------------------------------------------------------------------------


def test_a_script_that_keeps_no_cookies_sends_the_key_of_its_seat(visitor: Visitor) -> None:
    def script() -> Visitor:
        return another(visitor)  # a new visitor each time, as one without cookies is

    game = script().begin("tictactoe", people="invited")
    path, key = f"/api/games/{game['id']}", game["key"]
    other = script().post(f"{path}/claim")["key"]
    assert len({key, other, script().begin()["key"]}) == 3
    assert refusal(script(), f"{path}/move", 403, action=4, at=0) == "seat"
    assert refusal(script(), f"{path}/move", 403, action=4, at=0, key=other) == "seat"
    assert refusal(script(), f"{path}/move", 403, action=4, at=0, key="0" * 32) == "key"
    assert refusal(script(), f"{path}/move", 422, action=4, at=0, key="é") == "422"
    assert script().post(f"{path}/move", action=4, at=0, key=key)["mine"] == [0]
    assert script().post(f"{path}/move", action=0, at=1, key=other)["at"] == 2
    assert script().post(f"{path}/resign", player=0, key=key)["over"]["winner"] == 1


def test_the_key_of_one_game_opens_no_other(visitor: Visitor) -> None:
    owner = another(visitor)
    one, two = owner.begin(), owner.begin()
    assert one["key"] != two["key"]
    assert refusal(another(visitor), f"/api/games/{two['id']}/move", 403, action=4, at=0, key=one["key"]) == "key"


def test_an_invitation_leads_through_the_join_code_to_the_seat(tmp_path: Path) -> None:
    with app_in(tmp_path, join_code="ABCD2345") as owner:
        owner.client.post("/join", data={"code": "ABCD2345"})
        path = f"/play/{owner.begin('tictactoe', people='invited')['id']}"
        guest = another(owner)
        asked = guest.client.get(path)
        assert asked.status_code == 303
        assert refusal(guest, f"/api{path.replace('play', 'games')}/claim", 401) == "401"
        form = {"code": "ABCD2345", "next": path}
        assert guest.client.post("/join", data=form).headers["location"] == path
        assert guest.post(f"/api{path.replace('play', 'games')}/claim")["mine"] == [1]


# Offers -----------------------------------------------------------------------------------------------------------


def test_taking_back_is_offered_and_accepted(visitor: Visitor) -> None:
    two = Two(visitor)
    assert refusal(two.one, f"{two.path}/offer", 409, what="takeback") == "nothing"
    two.play("b2 a1")
    assert two.two.post(f"{two.path}/offer", what="takeback")["offer"] == {
        "what": "takeback", "seat": 1, "at": 2, "swap": False,
    }  # fmt: skip
    assert two.look()["at"] == 2, "nothing happens before the other side agrees"
    assert two.one.post(f"{two.path}/answer", what="takeback", accept=True)["at"] == 1
    two.play("c1")
    two.one.post(f"{two.path}/offer", what="takeback")  # of the own move, and so of the answer to it
    back = two.two.post(f"{two.path}/answer", what="takeback", accept=True)
    assert (back["at"], back["offer"], back["position"]["to_move"]) == (0, None, 0)


def test_an_offer_lapses_with_the_next_move_and_is_not_repeated_after_a_no(visitor: Visitor) -> None:
    two = Two(visitor)
    two.play("b2")
    two.one.post(f"{two.path}/offer", what="draw")
    assert two.play("a1")["offer"] is None
    assert refusal(two.two, f"{two.path}/answer", 409, what="draw", accept=True) == "lapsed"
    two.one.post(f"{two.path}/offer", what="draw")
    said = two.two.post(f"{two.path}/answer", what="draw", accept=False)
    assert (said["offer"], said["declined"]["seat"]) == (None, 0)
    assert refusal(two.one, f"{two.path}/offer", 409, what="draw") == "declined"
    assert two.play("c3")["declined"] is None
    assert two.one.post(f"{two.path}/offer", what="draw")["offer"]["what"] == "draw"
    taken = two.one.post(f"{two.path}/answer", what="draw", accept=False)
    assert (taken["offer"], taken["declined"]) == (None, None), "an own offer can be taken back"


def test_a_draw_is_agreed_on_where_the_game_can_be_drawn(visitor: Visitor) -> None:
    two = Two(visitor)
    two.play("b2")
    two.one.post(f"{two.path}/offer", what="draw")
    assert refusal(two.two, f"{two.path}/offer", 409, what="takeback") == "nothing"
    over = two.two.post(f"{two.path}/offer", what="draw")["over"]  # the same offer from the other side is a yes
    assert over == {"returns": [0.0, 0.0], "winner": None, "reason": "agreed", "why": "agreed", "loser": None}
    kept = visitor.get(f"/api/database/games/app/{two.game['id']}/1")
    assert (kept["ended"]["code"], kept["returns"]) == ("agreed", [0.0, 0.0])
    nim = Two(visitor, "nim")
    assert (two.look()["draws"], nim.look()["draws"]) == (True, False)
    assert refusal(nim.one, f"{nim.path}/offer", 409, what="draw") == "undrawable"
    alone = visitor.begin("tictactoe", "human", "random")
    assert refusal(visitor, f"/api/games/{alone['id']}/offer", 409, what="draw") == "alone"


def test_one_offer_is_answered_before_another_is_made(visitor: Visitor) -> None:
    two = Two(visitor)
    two.play("b2 a1")
    two.one.post(f"{two.path}/offer", what="draw")
    assert refusal(two.two, f"{two.path}/offer", 409, what="takeback") == "answer"
    assert two.one.post(f"{two.path}/offer", what="takeback")["offer"]["what"] == "takeback", "one's own can be changed"


def test_a_rematch_is_agreed_on_and_both_keep_their_seats_or_swap_them(visitor: Visitor) -> None:
    two = Two(visitor, clock={"game": 100})
    two.play("b2")
    assert refusal(two.one, f"{two.path}/offer", 409, what="rematch") == "unfinished"
    two.one.post(f"{two.path}/resign", player=0)
    assert two.one.post(f"{two.path}/resign", player=0)["over"]["loser"] == 0, "a request that is repeated does no harm"
    assert refusal(two.two, f"{two.path}/resign", 409, player=1) == "over"
    assert refusal(two.two, f"{two.path}/offer", 409, what="takeback") == "over"
    two.two.post(f"{two.path}/offer", what="rematch", swap=True)
    with two.third.socket(f"/ws/games/{two.game['id']}") as socket:
        number = two.one.post(f"{two.path}/answer", what="rematch", accept=True)["rematch"]
        assert until(socket, lambda message: message["type"] == "rematch")["id"] == number
    for who, seats in ((two.one, [1]), (two.two, [0]), (two.third, [])):
        game = who.get(f"/api/games/{number}")
        assert (game["mine"], game["free"], game["clocks"]["left"]) == (seats, [], [100, 100])
    assert two.two.get(two.path)["rematch"] == number, "also for a page that is loaded again"
    again = two.two.post(f"{two.path}/offer", what="rematch")
    assert (again["rematch"], again["offer"]) == (number, None), "there is one rematch"


def test_two_at_one_computer_offer_nothing_to_themselves_but_can_call_it_a_draw(visitor: Visitor) -> None:
    game = visitor.begin()
    path = f"/api/games/{game['id']}"
    assert (game["mine"], game["shared"]) == ([0, 1], False)
    visitor.move(game, "b2")
    assert refusal(visitor, f"{path}/offer", 422, what="draw") == "422"
    visitor.post(f"{path}/offer", what="draw", player=0)
    assert visitor.post(f"{path}/answer", what="draw", player=1, accept=True)["over"]["why"] == "agreed"


def test_whoever_plays_for_both_can_leave_a_seat_to_somebody_else(visitor: Visitor) -> None:
    owner, friend = another(visitor), another(visitor)
    game = owner.begin()
    path = f"/api/games/{game['id']}"
    owner.move(game, "b2")
    assert owner.post(f"{path}/invite", player=1)["free"] == [1]
    assert refusal(owner, f"{path}/invite", 409, player=0) == "only"
    assert refusal(friend, f"{path}/move", 403, action=0, at=1) == "seat"
    friend.post(f"{path}/claim")
    assert friend.post(f"{path}/move", action=0, at=1)["at"] == 2
    assert refusal(owner, f"{path}/goto", 403, node=0) == "offer"


# Bad networks -----------------------------------------------------------------------------------------------------


def test_a_move_that_is_posted_again_after_a_lost_answer_is_no_error(visitor: Visitor) -> None:
    two = Two(visitor)
    two.play("b2")
    assert two.one.post(f"{two.path}/move", action=4, at=0)["at"] == 1
    two.play("a1")
    again = two.one.post(f"{two.path}/move", action=4, at=0)
    assert (again["at"], len(again["nodes"])) == (2, 3), "also if the other side has answered meanwhile"
    assert refusal(two.two, f"{two.path}/move", 403, action=4, at=0) == "seat", "it was not theirs"
    assert refusal(two.one, f"{two.path}/move", 409, action=5, at=0) == "moved"


def test_looking_back_changes_nothing_for_anybody(visitor: Visitor) -> None:
    two = Two(visitor)
    two.play("b2 a1 c3")
    version = two.look()["version"]
    for who in (two.one, two.two, two.third):
        found = who.get(f"{two.path}/nodes/1")
        assert found["position"]["grid"]["cells"] == ["...", ".X.", "..."]
        assert len(found["position"]["legal"]) == 8
    assert "0 to 3" in two.one.get(f"{two.path}/nodes/4", 422)["error"]
    assert (two.look()["at"], two.look()["version"]) == (3, version)
    two.one.post(f"{two.path}/resign", player=0)
    assert two.one.get(f"{two.path}/nodes/3")["position"]["over"]["why"] == "resigns"
    assert two.one.get(f"{two.path}/nodes/2")["position"]["over"] is None


def test_whoever_leaves_is_said_to_be_away_and_whoever_comes_back_to_be_there(visitor: Visitor) -> None:
    two = Two(visitor)

    def present(socket: Any) -> list[int]:
        return list(until(socket, lambda message: message["type"] == "presence")["present"])

    with two.one.socket(f"/ws/games/{two.game['id']}") as socket:
        assert socket.receive_json()["game"]["present"] == [0]
        with two.two.socket(f"/ws/games/{two.game['id']}"):
            assert present(socket) == [0, 1]
            with two.third.socket(f"/ws/games/{two.game['id']}") as watching:
                assert watching.receive_json()["game"]["present"] == [0, 1]
        assert present(socket) == [0]
        with two.two.socket(f"/ws/games/{two.game['id']}"):
            assert present(socket) == [0, 1]


# Clocks -----------------------------------------------------------------------------------------------------------


def test_the_first_move_of_each_side_costs_no_time_and_an_offer_stops_no_clock(visitor: Visitor) -> None:
    two = Two(visitor, clock={"game": 100})
    assert two.look()["clocks"]["running"] is None
    assert two.play("b2")["clocks"]["running"] is None
    begun = two.play("a1")["clocks"]
    assert (begun["running"], begun["left"]) == (0, [100, 100])
    offered = two.two.post(f"{two.path}/offer", what="draw")["clocks"]
    assert offered["running"] == 0
    passed = offered["now"] - begun["now"]
    assert offered["left"][0] == pytest.approx(begun["left"][0] - passed, abs=0.002), (
        "it runs on as if nothing was said"
    )


def test_the_flag_falls_also_after_an_offer(visitor: Visitor) -> None:
    two = Two(visitor, clock={"move": 0.3})
    two.play("b2 a1")
    two.two.post(f"{two.path}/offer", what="draw")
    with two.third.socket(f"/ws/games/{two.game['id']}") as socket:
        over = until(socket, lambda message: message["type"] == "game" and message["game"]["over"])["game"]["over"]
    assert (over["why"], over["loser"]) == ("time", 0)


def test_the_socket_tells_the_time_of_the_clocks(visitor: Visitor) -> None:
    two = Two(visitor, clock={"game": 100})
    two.play("b2 a1")
    with two.one.socket(f"/ws/games/{two.game['id']}") as socket:
        shown = socket.receive_json()["game"]["clocks"]["now"]
        socket.send_text('{"ping":17}')
        answer = socket.receive_json()
        assert (answer["type"], answer["ping"]) == ("time", 17)
        after = two.one.get(two.path)["clocks"]["now"]
        assert shown <= answer["now"] <= after


# Games that are kept ----------------------------------------------------------------------------------------------

NEW_FIELDS = ("seating", "offer", "declined", "rematch", "begun", "rated")


def as_before_there_were_seats(file: Path) -> None:
    """The file of games in progress as the version before has left it."""
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        for number, content, summary in base.execute("SELECT id, content, summary FROM live").fetchall():
            old = {name: value for name, value in json.loads(content).items() if name not in NEW_FIELDS}
            line = {name: value for name, value in json.loads(summary).items() if name not in ("shared", "waiting")}
            base.execute(
                "UPDATE live SET content = ?, summary = ? WHERE id = ?", (json.dumps(old), json.dumps(line), number)
            )
        base.execute("DROP TABLE guests")
        base.execute("DROP TABLE climbs")
        base.execute("ALTER TABLE live DROP COLUMN rated")
        base.execute("PRAGMA user_version = 1")


def test_games_from_before_there_were_seats_go_on(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        owner = another(visitor)
        here = owner.move(owner.begin(clock={"game": 100}), "b2")
        alone = owner.begin("tictactoe", "human", "random")
        cookies = owner.client.cookies
    as_before_there_were_seats(tmp_path / "games.live.db")
    with app_in(tmp_path) as visitor:
        visitor.client.cookies = cookies
        assert {game["id"] for game in visitor.get("/api/games")} == {here["id"], alone["id"]}
        found = visitor.get(f"/api/games/{here['id']}")
        assert (found["mine"], found["at"], found["shared"]) == ([0, 1], 1, False)
        friend = another(visitor)
        assert refusal(friend, f"/api/games/{here['id']}/move", 403, action=0, at=1) == "seat"
        assert visitor.move(found, "a1")["at"] == 2
        visitor.post(f"/api/games/{here['id']}/invite", player=1)
        assert friend.post(f"/api/games/{here['id']}/claim")["mine"] == [1], "a friend is invited once more"
        assert visitor.get(f"/api/games/{alone['id']}")["mine"] == [0]


def test_seats_and_offers_survive_a_restart_of_the_server(tmp_path: Path) -> None:
    with app_in(tmp_path) as visitor:
        two = Two(visitor, clock={"game": 100, "increment": 1})
        two.play("b2 a1 c3")
        two.one.post(f"{two.path}/offer", what="takeback")
        jars = [who.client.cookies for who in (two.one, two.two)]
        left = two.look()["clocks"]["left"]
        keys = two.two.post(f"{two.path}/claim")["key"]
    with app_in(tmp_path) as visitor:
        one, guest = another(visitor), another(visitor)
        one.client.cookies, guest.client.cookies = jars
        assert [game["id"] for game in guest.get("/api/games")] == [two.game["id"]]
        assert refusal(another(visitor), f"{two.path}/move", 403, action=8, at=3) == "seat"
        assert guest.post(f"{two.path}/claim")["key"] == keys
        found = guest.get(two.path)
        assert (found["mine"], found["offer"]["what"]) == ([1], "takeback")
        assert found["clocks"]["left"] == [left[0], 101], "the move that was being thought about begins anew"
        assert guest.post(f"{two.path}/answer", what="takeback", accept=True)["at"] == 2
