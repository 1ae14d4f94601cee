"""Pac-Man: the rules against a literal model, the searches against each other, the trap, learning."""

from __future__ import annotations

import json
import math
import random
import re
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground import CHANCE, Limit, actions, evaluation, make_game, parse_action, probability, result, text, to_move
from plyground.errors import BadOption, FormatError, IllegalAction, UnreadableAction, UnsuitableGame
from plyground.games.pacman import GUESSED, believing, features, ghost_cell, ghost_scared, new_game, weighed
from plyground.games.pacman.board import CAUGHT, EAST, NORTH, SOUTH, STOP, TIME_UP, WEST, WON, byte_of, distance, size
from plyground.games.pacman.mazes import MAZES, find_maze, parse_maze
from plyground.games.pacman.picture import moving_picture, picture, rounds, strip_picture
from plyground.games.pacman.weights import LEARNED
from plyground.native.compiling import interpreted
from plyground.players import Position, make_player
from plyground.search.minimax import minimax_search
from plyground.subjects.pacman.film import film_frames, round_sentence
from plyground.subjects.pacman.learning import learn_weights, weights_module
from plyground.subjects.pacman.many_games import belief_of, play_games, wilson_interval

STEPS = {NORTH: (-1, 0), EAST: (0, 1), SOUTH: (1, 0), WEST: (0, -1), STOP: (0, 0)}
SVG = "{http://www.w3.org/2000/svg}"


def game_of(maze, ghosts="random", steps=0):
    return make_game(f"pacman:maze={maze},ghosts={ghosts},steps={steps}")


def drawn(rows, *kinds, steps=0):
    maze = parse_maze(rows)
    return new_game(maze, kinds or ("minimax",) * len(maze.ghosts), steps)


def played(state, *moves):
    for move in moves:
        state = result(state, parse_action(state, move))
    return state


# The rules -----------------------------------------------------------------------------------------------------------


class Literal:
    """The rules once more, as one would tell them to a child: places are (row, column), sets are sets."""

    def __init__(self, rows, steps):
        cells = {(r, c): symbol for r, row in enumerate(rows) for c, symbol in enumerate(row)}
        self.floor = {place for place, symbol in cells.items() if symbol != "#"}
        self.food = {place for place, symbol in cells.items() if symbol == "."}
        self.capsules = {place for place, symbol in cells.items() if symbol == "o"}
        self.man = next(place for place, symbol in cells.items() if symbol == "P")
        homes = [place for place, symbol in cells.items() if symbol == "G"]
        self.ghosts = [{"home": home, "at": home, "heading": None, "scared": 0} for home in homes]
        self.points, self.left, self.turn, self.end = 10, steps, 0, None

    def ways(self):
        if self.end:
            return set()
        if self.turn == 0:
            return {d for d in range(4) if self.there(self.man, d) in self.floor} | {STOP}
        ghost = self.ghosts[self.turn - 1]
        if ghost["scared"] % 2:
            return {STOP}
        open_ways = {d for d in range(4) if self.there(ghost["at"], d) in self.floor}
        back = None if ghost["heading"] is None else (ghost["heading"] + 2) % 4
        return open_ways - {back} or open_ways or {STOP}

    @staticmethod
    def there(place, direction):
        return place[0] + STEPS[direction][0], place[1] + STEPS[direction][1]

    def meet(self, ghost):
        if ghost["scared"]:
            self.points += 20
            ghost.update(at=ghost["home"], heading=None, scared=0)
        else:
            self.points -= 1000
            self.end = "caught"

    def go(self, direction):
        if self.turn == 0:
            self.man = self.there(self.man, direction)
            self.points -= 1
            self.left -= 1
            met = [ghost for ghost in self.ghosts if ghost["at"] == self.man]
            if any(not ghost["scared"] for ghost in met):
                met = [ghost for ghost in met if not ghost["scared"]][:1] + [g for g in met if g["scared"]]
            for ghost in met:
                self.meet(ghost)
            if not self.end:
                if self.man in self.food:
                    self.food.remove(self.man)
                    self.points += 10
                    if not self.food:
                        self.points += 1000
                        self.end = "won"
                if self.man in self.capsules:
                    self.capsules.remove(self.man)
                    for ghost in self.ghosts:
                        ghost["scared"] = 20
                if not self.end and self.left == 0:
                    self.end = "late"
        else:
            ghost = self.ghosts[self.turn - 1]
            if direction != STOP:
                ghost["at"], ghost["heading"] = self.there(ghost["at"], direction), direction
                if ghost["at"] == self.man:
                    self.meet(ghost)
            if ghost["scared"]:
                ghost["scared"] -= 1
        self.turn = 0 if self.end or self.turn == len(self.ghosts) else self.turn + 1


@settings(max_examples=60)
@given(st.sampled_from(sorted(MAZES)), st.integers(0, 10**6), st.integers(1, 80))
def test_the_rules_are_those_of_a_literal_model(name, seed, steps):
    rows = MAZES[name].strip().splitlines()
    state, model, luck = game_of(name, "random", steps).initial, Literal(rows, steps), random.Random(seed)
    width = len(rows[0])
    while True:
        assert set(actions(state)) == model.ways()
        assert divmod(state.pacman, width) == model.man
        assert [divmod(ghost_cell(state, n), width) for n in range(state.ghosts)] == [g["at"] for g in model.ghosts]
        assert [ghost_scared(state, n) for n in range(state.ghosts)] == [g["scared"] for g in model.ghosts]
        assert (state.points, state.left, size(state.food)) == (model.points, model.left, len(model.food))
        assert {WON: "won", CAUGHT: "caught", TIME_UP: "late"}.get(state.ended) == model.end
        if model.end:
            break
        assert to_move(state) == (0 if model.turn == 0 else CHANCE)
        action = luck.choice(actions(state))
        state = result(state, action)
        model.go(action)


def test_points_are_counted_as_the_course_counts_them():
    game = drawn("#######\n#P..o.#\n#######")
    assert game.initial.points == 10
    state = played(game.initial, "east", "stop", "e")
    assert state.points == 10 - 3 + 2 * 10
    state = played(state, "east", "east")
    assert (state.points, state.ended) == (10 - 5 + 3 * 10 + 1000, WON)
    assert game.returns(state) == (1035.0,)


def test_scared_ghosts_rest_every_second_turn_and_are_eaten():
    game = drawn("########\n#.Po G #\n########")
    state = played(game.initial, "east", "west")
    assert ghost_scared(state, 0) == 19
    state = played(state, "stop")
    assert actions(state) == [STOP]
    before = played(state, "stop", "stop")
    state = played(before, "w")
    assert state.points == before.points + 20  # it has walked into him
    assert ghost_cell(state, 0) == find_maze_cell(game, "G")
    assert ghost_scared(state, 0) == 0


def find_maze_cell(game, symbol):
    assert symbol == "G"
    return byte_of(game.initial.homes, 0)


def test_a_ghost_turns_back_only_at_the_end_of_a_way():
    game = drawn("########\n#P   G.#\n########")
    state = played(game.initial, "stop")
    assert sorted(actions(state)) == [EAST, WEST]
    state = played(state, "east", "stop")
    assert actions(state) == [WEST]
    state = played(state, "west", "stop")
    assert actions(state) == [WEST]


def test_random_ghosts_are_uniform_and_directional_ones_chase():
    rows = "#########\n#.P   G.#\n#### ####\n#.......#\n#########"
    state = played(drawn(rows, "random").initial, "stop")
    assert {action: probability(state, action) for action in actions(state)} == {EAST: 0.5, WEST: 0.5}
    state = played(drawn(rows, "directional").initial, "stop")
    assert probability(state, WEST) == pytest.approx(0.8 + 0.1)
    assert probability(state, EAST) == pytest.approx(0.1)
    scared = state._replace(scared=2)
    assert probability(scared, EAST) == pytest.approx(0.9)


def test_who_moves_depends_on_the_kind_of_each_ghost():
    game = game_of("rooms", "minimax,random")
    assert (game.axes.players, game.axes.chance, game.seats) == (2, True, ("Pac-Man", "ghosts"))
    state = played(game.initial, "stop")
    assert to_move(state) == 1
    assert to_move(result(state, actions(state)[0])) == CHANCE
    alone = game_of("rooms", "none")
    assert (alone.axes.players, alone.axes.chance) == (1, False)
    assert to_move(played(alone.initial, "stop")) == 0
    assert game_of("classic", "random,none,directional").initial.ghosts == 2


def test_distances_are_those_of_a_walk():
    for name in MAZES:
        maze, state = find_maze(name), game_of(name).initial
        for start in sorted(maze.floor)[::7]:
            seen, waiting = {start: 0}, [start]
            for cell in waiting:
                for other in maze.neighbours(cell):
                    if other not in seen:
                        seen[other] = seen[cell] + 1
                        waiting.append(other)
            for end in sorted(maze.floor)[::5]:
                assert distance(state.floor, state.width, start, end) == seen[end]


def test_directions_are_read_by_their_beginnings():
    state = game_of("tiny").initial
    assert parse_action(state, " No ") == NORTH
    assert parse_action(state, "s") == SOUTH
    with pytest.raises(IllegalAction, match="'east' is not legal here; legal: north, south, stop"):
        parse_action(state, "east")
    for nonsense in ("", "up", "northwest", "5"):
        with pytest.raises(UnreadableAction, match="not a direction"):
            parse_action(state, nonsense)


def test_the_text_of_a_state_is_a_maze():
    for name in MAZES:
        drawing, _, line = text(game_of(name).initial).rpartition("\n")
        assert parse_maze(drawing).ghosts == find_maze(name).ghosts
        assert line.startswith("10 points")


# Mazes ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rows", "what"),
    [
        ("", "is empty"),
        ("#####\n#P..#\n### #\n", "it is open in line 3, column 4"),
        ("#####\n#P..\n#####", "it is open in line 2, column 5"),
        ("#####\n#...#\n#####", "it has 0 P"),
        ("#####\n#PPX#\n#####", "'X' in line 2, column 4 means nothing"),
        ("#####\n#P.P#\n#####", "it has 2 P"),
        ("#####\n#P  #\n#####", "no food"),
        ("#####\n#P#.#\n#####", "the food in line 2, column 4 cannot be reached"),
        ("#" * 64, "too large"),
        ("#" * 20_000, "too large"),
        ("##########\n#PGGGGGGG#\n#........#\n##########", "7 ghosts; it may have 6"),
    ],
)
def test_a_maze_that_is_none_gets_one_line(rows, what):
    with pytest.raises(FormatError, match=re.escape(what)):
        parse_maze(rows)


def test_mazes_come_from_files(tmp_path):
    file = tmp_path / "own.txt"
    file.write_text("\n   %%%%%\n   %P.G%\n   %%%%%\n\n")
    game = game_of(file)
    assert (game.initial.width, game.initial.height, game.initial.ghosts) == (5, 3, 1)
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(FormatError, match="is not a maze: it is not text"):
        game_of(file)
    with pytest.raises(FormatError, match="cannot read the maze"):
        game_of(tmp_path / "nothing.txt")
    with pytest.raises(BadOption, match=r"there is no maze 'smal'.*small"):
        game_of("smal")


def test_wrong_options_get_one_line():
    with pytest.raises(BadOption, match=r"there is no ghost 'ranom'.*random"):
        game_of("small", "ranom")
    with pytest.raises(BadOption, match="room for 1 ghost, not 2"):
        game_of("tiny", "random,random")
    with pytest.raises(BadOption, match="steps must be from 1 to 10000"):
        game_of("tiny", "random", -1)
    with pytest.raises(BadOption, match="no ghost 'nice' to believe in"):
        believing(game_of("tiny"), "nice")
    with pytest.raises(BadOption, match="a person believes what they like"):
        make_player("believer:player=human")
    with pytest.raises(UnsuitableGame, match="needs pacman"):
        make_player("believer:player=minimax", make_game("tictactoe"))


# Searches ------------------------------------------------------------------------------------------------------------

EXPECTIMAX = "expectiminimax:depth={},star=0,ties=first"


def some_states(spec, count, seed=3):
    """Positions of random games in which Pac-Man is to move."""
    game, luck, found = make_game(spec), random.Random(seed), []
    while len(found) < count:
        state = game.initial
        for _ in range(luck.randrange(60)):
            if not actions(state):
                break
            state = result(state, luck.choice(actions(state)))
        if actions(state) and state.turn == 0:
            found.append(state)
    return game, found


@pytest.mark.slow
@pytest.mark.parametrize(
    "spec", ["pacman:maze=rooms,ghosts=minimax", "pacman:maze=open,ghosts=minimax,minimax,minimax"]
)
def test_alphabeta_and_minimax_choose_the_same_moves(spec):
    game, states = some_states(spec, 40)
    slow = make_player("minimax:depth=6,ties=first", game)
    quick = make_player("alphabeta:depth=6,order=none,tt=0,ties=first", game)
    fewer = 0
    for state in states:
        one, other = (player.choose(Position(game, state), Limit()) for player in (slow, quick))
        assert (one.action, one.value) == (other.action, other.value)
        fewer += other.nodes < one.nodes
    assert fewer > len(states) // 2


@pytest.mark.slow
def test_minimax_kills_himself_in_the_trap_and_expectimax_does_not():
    game = game_of("trapped")
    believed, state = believing(game, "minimax")
    found = minimax_search(state, Limit(depth=12))
    # 10 points, less 1 a step, and caught: nothing is better than to be caught with the first step.
    assert found.values == {WEST: 10 - 1 - 1000, EAST: 10 - 2 - 1000, STOP: 10 - 2 - 1000}
    hopeful = make_player(EXPECTIMAX.format(4), game).choose(Position(game, game.initial), Limit())
    assert hopeful.action == EAST
    lost = play_games(game, "minimax:depth=12", 10, 1)
    assert (lost.believes, lost.caught, set(lost.scores), set(lost.steps)) == ("minimax", 10, {-991}, {1})
    hoped = play_games(game, EXPECTIMAX.format(4), 20, 1)
    assert hoped.won > 4
    # What he believes decides, not how he searches: he does the same through the ordinary players.
    mistaken = make_player("believer:player=expectiminimax:depth=12;star=0;ties=first", game)
    assert mistaken.choose(Position(game, game.initial), Limit()).action == WEST
    assert believed.seats == ("Pac-Man", "ghosts")


@pytest.mark.slow
def test_expectimax_wins_against_random_ghosts_where_minimax_wins_less():
    game = game_of("small")
    hopeful = play_games(game, EXPECTIMAX.format(4), 40, 1)
    fearful = play_games(game, "minimax:depth=6", 40, 1)
    assert (hopeful.believes, fearful.believes) == ("true", "minimax")
    assert hopeful.won >= 0.95 * hopeful.games
    assert fearful.won <= hopeful.won - 4
    assert hopeful.games == hopeful.won + hopeful.caught + hopeful.late
    assert hopeful.mean_score > fearful.mean_score + hopeful.score_error


@pytest.mark.slow
def test_the_difference_is_more_than_luck():
    game = game_of("small")
    hopeful = play_games(game, "expectiminimax:depth=4", 200, 7)
    fearful = play_games(game, "alphabeta:depth=6", 200, 7)
    assert hopeful.won >= 0.95 * hopeful.games
    assert fearful.win_interval[1] < hopeful.win_interval[0]


def test_a_seed_plays_the_same_games():
    game = game_of("tiny", "directional")
    one, other = (play_games(game, "minimax:depth=4,ties=first", 3, 5) for _ in range(2))
    assert (one.scores, one.steps) == (other.scores, other.steps)
    assert one.scores[:2] == play_games(game, "minimax:depth=4,ties=first", 2, 5).scores


def test_mcts_and_ghosts_that_are_played():
    with interpreted():  # a few simulations are not worth compiling for
        game = game_of("corridor", "minimax")
        tally = play_games(game, "mcts:simulations=30", 1, 1, ghosts="minimax:depth=2")
        alone = play_games(game_of("corridor", "none"), "mcts:simulations=40,rollout_depth=10", 1, 1)
    assert tally.caught == 1  # a corridor with a ghost at its end has no other way out
    assert alone.believes == "true"
    assert alone.games == 1


def test_players_believe_what_they_need():
    game = game_of("small")
    assert belief_of("expectiminimax:depth=2", game) == "true"
    assert belief_of("mcts:simulations=10", game) == "true"
    assert belief_of("alphabeta:depth=2", game) == "minimax"
    assert belief_of("mcts:simulations=10", game, "directional") == "directional"
    assert belief_of("alphabeta:depth=2", game_of("small", "minimax")) == "true"


def test_the_interval_of_wins():
    low, high = wilson_interval(95, 100)
    assert (round(low, 4), round(high, 4)) == (0.8882, 0.9785)
    assert wilson_interval(0, 10)[0] == 0.0
    assert wilson_interval(10, 10)[1] == 1.0


# Evaluations and learning --------------------------------------------------------------------------------------------


def test_features_say_what_they_are_called():
    rows = "#########\n#P  .  G#\n#.#o#####\n#########"
    state = drawn(rows).initial
    assert features(state) == (2.0, 1.0, pytest.approx(1 / 36), 0.0, 0.0, 0.25)
    scared = state._replace(scared=20)
    assert features(scared) == (2.0, 1.0, 0.0, 0.0, pytest.approx(1 / 6), 0.25)
    assert evaluation(state) == weighed(state, GUESSED) == pytest.approx(10 - 20 - 1 - 100 / 36 + 1.25)
    assert evaluation(result(state, STOP)) == pytest.approx(-(evaluation(state) - 1))  # to the ghosts


def test_evaluations_lie_within_the_range_of_utilities():
    for name in MAZES:
        game, states = some_states(f"pacman:maze={name},ghosts=random", 5)
        for state in states:
            for weights in (GUESSED, LEARNED):
                assert abs(weighed(state, weights)) < game.utilities[1]


def test_learning_is_reproducible_and_writes_an_evaluation(tmp_path):
    game = drawn("######\n#P...#\n######", steps=6)
    with interpreted():
        one, other = (learn_weights(game, 2, 7, population=8, games=1) for _ in range(2))
    assert one == other
    assert learn_weights.__doc__
    file = tmp_path / "own.py"
    file.write_text(weights_module(one, "plyground train pacman"))
    player = make_player(f"minimax:depth=2,evaluation={file}:learned", game_of("tiny", "minimax"))
    assert not math.isnan(player.choose(Position(game_of("tiny", "minimax"), game_of("tiny").initial), Limit()).value)
    with pytest.raises(UnsuitableGame, match="move at random"):
        learn_weights(game_of("tiny", "minimax"), 1, 1)
    with pytest.raises(BadOption, match="population must be from 5"):
        learn_weights(game, 1, 1, population=2)


@pytest.mark.slow
def test_the_learned_weights_are_what_the_command_learns():
    assert learn_weights(game_of("small"), 20, 1) == LEARNED


@pytest.mark.slow
def test_learned_weights_play_better_than_guessed_ones():
    game = game_of("small")
    guessed = play_games(game, "expectiminimax:depth=1", 300, 9)
    learned = play_games(game, "expectiminimax:depth=1,evaluation=learned", 300, 9)
    assert learned.mean_score > guessed.mean_score


# Pictures and the command ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def one_game():
    found = []
    play_games(game_of("small"), "minimax:depth=3,ties=first", 1, 4, on_game=found.append)
    return found[0]


def test_pictures_of_a_game(one_game):
    shown = rounds(one_game.states(game_of("small").initial))
    root = ElementTree.fromstring(picture(shown[0]))
    assert len(root.findall(f"{SVG}g")) == 2
    assert root.find(f"{SVG}path[@class='pm-food']").get("d").count("M") == size(shown[0].food)
    moving = ElementTree.fromstring(moving_picture(one_game.states(game_of("small").initial)))
    durations = {element.get("dur") for element in moving.iter() if element.get("dur")}
    assert len(durations) == 1
    for element in moving.iter():
        if element.get("keyTimes"):
            times = [float(time) for time in element.get("keyTimes").split(";")]
            assert times[0] == 0.0
            assert times == sorted(times)
            assert times[-1] <= 1.0
            assert len(times) == len(element.get("values").split(";"))
    strip = ElementTree.fromstring(strip_picture(one_game.states(game_of("small").initial)))
    assert len(strip.findall(f"{SVG}svg")) == 12


def test_films_tell_what_happens_in_both_languages(one_game):
    english, chinese = (film_frames(one_game, game_of("small").initial, lang) for lang in ("en", "zh"))
    assert len(english) == len(chinese) == len(rounds(one_game.states(game_of("small").initial)))
    assert english[0].caption == "Pac-Man has 10 points. Each step costs 1."
    assert chinese[0].caption.startswith("吃豆人有 10 分")
    assert any("eats food: +10" in frame.caption for frame in english)
    assert [head for head, _ in english[0].facts] == ["Score", "The player expects", "Ghosts"]
    state = drawn("######\n#P.G #\n#. ###\n######").initial
    caught = played(state, "east", "west")
    assert round_sentence(state, caught) == (
        "Pac-Man goes east, eats food: +10. Caught: \N{MINUS SIGN}1000. \N{MINUS SIGN}981 points."
    )


def test_the_command_counts_and_draws(command, tmp_path):
    told = command("pacman", "tiny", "--player", "minimax:depth=2", "--player", "random", "--games", "3", "--seed", "1",
                   "--out", "replay.html", "--json")  # fmt: skip
    assert told.returncode == 0, told.stderr
    facts = json.loads(told.stdout)
    assert [one["player"] for one in facts["players"]] == ["minimax:depth=2", "random"]
    assert [one["believes"] for one in facts["players"]] == ["minimax", "true"]
    for one in facts["players"]:
        assert one["games"] == len(one["scores"]) == one["won"] + one["caught"] + one["time_up"] == 3
        assert 0 <= one["win_interval"][0] <= one["win_share"] <= one["win_interval"][1] <= 1
    page = (tmp_path / "replay.html").read_text()
    assert "pm-walls" in page
    assert "Pac-Man: random" in page
    told = command("pacman", "tiny", "--player", "random", "--seed", "1", "--out", "replay.svg")
    assert "caught" in told.stdout
    assert "animateTransform" in (tmp_path / "replay.svg").read_text()
    command("pacman", "tiny", "--player", "random", "--seed", "1", "--out", "replay.png")
    assert (tmp_path / "replay.png").read_bytes().startswith(b"\x89PNG")
    command("pacman", "tiny", "--player", "random", "--seed", "1", "--out", "strip.svg", "--strip")
    assert "animate" not in (tmp_path / "strip.svg").read_text()


@pytest.mark.parametrize(
    ("args", "what"),
    [
        (["huge"], "there is no maze 'huge'"),
        (["small", "--ghosts", "kind"], "there is no ghost 'kind'"),
        (["small", "--player", "nobody"], "there is no player 'nobody'"),
        (["small", "--player", "human"], "people play in the app"),
        (["small", "--player", "engine"], "engine cannot play pacman"),
        (["small", "--believes", "nice"], "no ghost 'nice'"),
        (["small", "--out", "x.gif"], "--out must end in .html, .svg or .png"),
        (["small", "--strip"], "--strip is for --out x.svg"),
        (["small", "--lang", "fr"], "there is no language 'fr'"),
        (["small", "--games", "0"], "Invalid value for '--games'"),
        (["small", "--steps", "-5"], "steps must be from 1 to 10000"),
    ],
)
def test_the_command_says_what_is_wrong_in_one_line(command, args, what):
    told = command("pacman", *args)
    assert told.returncode == 2
    assert told.stdout == ""
    assert what in told.stderr
    assert len(told.stderr.strip().splitlines()) == 1


def test_the_train_command_refuses_what_is_no_python_file(command):
    told = command("train", "pacman", "--out", "weights.txt")
    assert told.returncode == 2
    assert "--out must end in .py" in told.stderr
