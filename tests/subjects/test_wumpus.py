"""The Wumpus world: rules against a literal model, knowledge against brute force, agents that see percepts alone."""

from __future__ import annotations

import inspect
import itertools
import json
import re
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.errors import BadOption, UnknownName
from plyground.pictures.filmstrip import styled_svg
from plyground.subjects.wumpus import agents as wumpus_agents
from plyground.subjects.wumpus.agents import AGENTS, explore, make_agent
from plyground.subjects.wumpus.knowledge import Knowledge, _weigh_all, _weigh_in_turn, pit_shares
from plyground.subjects.wumpus.pictures import picture_svg, scores_svg, visit_film, visit_frames
from plyground.subjects.wumpus.statistics import compare_agents, lead
from plyground.subjects.wumpus.world import (
    ACTIONS,
    CLIMB,
    FORWARD,
    GRAB,
    LEFT,
    RIGHT,
    SHOOT,
    Cave,
    Percept,
    World,
    is_solvable,
    make_world,
    neighbours,
    perceive,
    start,
    step,
)

caves = st.builds(Cave, st.integers(1, 5), st.integers(2, 5), st.sampled_from([0.0, 0.1, 0.2, 0.4]), st.just(60))
worlds = st.builds(lambda cave, seed: make_world(cave, seed=seed), caves, st.integers(0, 10**6))


class Literal:
    """The rules once more, slow and to the letter: a table of squares, and sentences turned into conditions."""

    def __init__(self, world):
        self.table = {
            (x, y): {"pit": (x, y) in world.pits, "wumpus": (x, y) == world.wumpus, "gold": (x, y) == world.gold}
            for x in range(1, world.cave.width + 1)
            for y in range(1, world.cave.height + 1)
        }
        self.x = self.y = 1
        self.facing = "E"
        self.arrows, self.carries, self.beast_lives, self.dead, self.out, self.score = 1, False, True, False, False, 0

    def beside(self, what):
        places = [(self.x + 1, self.y), (self.x - 1, self.y), (self.x, self.y + 1), (self.x, self.y - 1)]
        return any(self.table.get(place, {}).get(what) for place in places)

    def do(self, action):
        bump = scream = False
        self.score -= 1
        dx, dy = {"E": (1, 0), "N": (0, 1), "W": (-1, 0), "S": (0, -1)}[self.facing]
        here = self.table[self.x, self.y]
        if action == "left":
            self.facing = {"E": "N", "N": "W", "W": "S", "S": "E"}[self.facing]
        if action == "right":
            self.facing = {"E": "S", "S": "W", "W": "N", "N": "E"}[self.facing]
        if action == "forward":
            if (self.x + dx, self.y + dy) in self.table:
                self.x, self.y = self.x + dx, self.y + dy
                if self.table[self.x, self.y]["pit"]:
                    self.dead = True
                if self.table[self.x, self.y]["wumpus"] and self.beast_lives:
                    self.dead = True
                if self.dead:
                    self.score -= 1000
            else:
                bump = True
        if action == "grab" and here["gold"]:
            here["gold"], self.carries = False, True
            self.score += 1000
        elif action == "release" and self.carries:
            here["gold"], self.carries = True, False
            self.score -= 1000
        if action == "shoot" and self.arrows:
            self.arrows = 0
            self.score -= 10
            place = (self.x + dx, self.y + dy)
            while place in self.table:
                if self.table[place]["wumpus"] and self.beast_lives:
                    scream, self.beast_lives = True, False
                place = (place[0] + dx, place[1] + dy)
        if action == "climb" and (self.x, self.y) == (1, 1):
            self.out = True
        return self.percept(bump, scream)

    def percept(self, bump=False, scream=False):
        here = self.table[self.x, self.y]
        return (here["wumpus"] or self.beside("wumpus"), self.beside("pit"), here["gold"], bump, scream)


@given(worlds, st.lists(st.integers(0, 6), max_size=50))
def test_percepts_and_scores_are_those_of_the_literal_model(world, actions):
    literal, state = Literal(world), start(world)
    assert perceive(world, state) == literal.percept()
    for action in actions:
        state, percept, reward = step(world, state, action)
        before = literal.score
        assert percept == literal.do(ACTIONS[action])
        assert (reward, state.score) == (literal.score - before, literal.score)
        assert (state.at, state.alive, state.out) == ((literal.x, literal.y), not literal.dead, literal.out)
        assert (state.has_gold, state.wumpus_alive) == (literal.carries, literal.beast_lives)
        if state.ended:
            break


def test_nothing_happens_after_the_end():
    world = World(Cave(2, 1), frozenset({(2, 1)}), (2, 1), (2, 1))
    state, _, reward = step(world, start(world), FORWARD)
    assert (state.alive, reward) == (False, -1001)
    with pytest.raises(BadOption, match="it is over"):
        step(world, state, FORWARD)
    late = Cave(2, 2, 0.0, 1)
    world = make_world(late, seed=1)
    state, *_ = step(world, start(world), SHOOT)
    with pytest.raises(BadOption, match="it is over"):
        step(world, state, SHOOT)


@pytest.mark.parametrize("action", [-1, 7, 1.5, "forward", None])
def test_what_is_no_action_is_refused(action):
    world = make_world(seed=1)
    with pytest.raises(BadOption, match="there is no action"):
        step(world, start(world), action)


@pytest.mark.parametrize("wrong", [(0, 4), (4, 0), (1, 1), (41, 4), (4, 4, 1.5), (4, 4, float("nan")), (4, 4, 0.2, -1)])
def test_impossible_caves_are_refused(wrong):
    with pytest.raises(BadOption):
        Cave(*wrong)


def test_impossible_worlds_are_refused():
    for pits, wumpus, gold in (({(1, 1)}, (2, 2), (2, 2)), (set(), (1, 1), (2, 2)), (set(), (2, 2), (9, 9))):
        with pytest.raises(BadOption):
            World(Cave(), frozenset(pits), wumpus, gold)
    with pytest.raises(BadOption, match="less likely"):
        make_world(Cave(4, 4, 1.0), solvable=True)


def test_caves_are_as_likely_as_the_rules_say():
    made = [make_world(seed=seed) for seed in range(3000)]
    assert sum(len(world.pits) for world in made) / 3000 == pytest.approx(15 * 0.2, abs=0.12)
    for square in Cave().squares[1:]:
        assert sum(world.wumpus == square for world in made) / 3000 == pytest.approx(1 / 15, abs=0.02)
        assert sum(world.gold == square for world in made) / 3000 == pytest.approx(1 / 15, abs=0.02)
    assert make_world(seed=5) == make_world(seed=5)
    assert all(is_solvable(make_world(seed=seed, solvable=True)) for seed in range(50))
    assert not all(map(is_solvable, made))


# Knowledge -------------------------------------------------------------------------------------------------------


def walked(world, seed, length=25):
    """What a walk over squares that happen to be harmless tells; an arrow is shot on the way. An oracle of a walk."""
    known, state = Knowledge(world.cave), start(world)
    percept = perceive(world, state)
    known.tell(state.at, percept)
    actions = [(seed >> (2 * k)) % 7 for k in range(length)]
    for action in actions:
        after, percept, _ = step(world, state, action if action < 6 else FORWARD)
        if not after.alive:
            continue
        if action == SHOOT and state.has_arrow:
            (known.tell_hit if percept.scream else known.tell_missed)(after.at, after.heading)
        state = after
        known.tell(state.at, percept)
    return known, state


def explanations(world, known, state):
    """Brute force: every map that would have given the same percepts in the squares visited, with its weight."""
    cave = world.cave
    hidden = [square for square in cave.squares if square not in known.breeze]
    p = cave.pit_probability
    for count in range(len(hidden) + 1):
        for pits in itertools.combinations(hidden, count):
            fits = all(
                any(square in pits for square in neighbours(cave, at)) == breeze for at, breeze in known.breeze.items()
            )
            if fits:
                yield frozenset(pits), p ** len(pits) * (1 - p) ** (len(hidden) - len(pits))


small = st.builds(
    lambda width, height, p, seed: make_world(Cave(width, height, p, 99), seed=seed),
    st.integers(2, 4), st.integers(2, 3), st.sampled_from([0.1, 0.2, 0.5]), st.integers(0, 10**6),
)  # fmt: skip


@given(small, st.integers(0, 2**60))
def test_probabilities_are_those_of_brute_force(world, seed):
    known, state = walked(world, seed)
    maps = list(explanations(world, known, state))
    total = sum(weight for _, weight in maps)
    for square in world.cave.squares:
        share = sum(weight for pits, weight in maps if square in pits) / total
        assert known.pit_probability(square) == pytest.approx(share, abs=1e-12)
        assert (square in known.no_pit) == (share == 0)
        assert (square in known.pits) == (share == pytest.approx(1.0, abs=1e-12))


@given(small, st.integers(0, 2**60))
def test_the_wumpus_is_suspected_exactly_where_it_explains_every_percept(world, seed):
    known, state = Knowledge(world.cave), start(world)
    percept = perceive(world, state)
    history = [(state, percept, None)]
    known.tell(state.at, percept)
    for action in [(seed >> (2 * k)) % 6 for k in range(25)]:
        after, percept, _ = step(world, state, action)
        if not after.alive:
            continue
        if action == SHOOT and state.has_arrow:
            (known.tell_hit if percept.scream else known.tell_missed)(after.at, after.heading)
        history.append((after, percept, action))
        state = after
        known.tell(state.at, percept)
    fits = set()
    for suspect in world.cave.squares[1:]:
        other = World(world.cave, world.pits, suspect, world.gold)
        again = start(other)
        ok = perceive(other, again).stench == history[0][1].stench
        for _, percept, action in history[1:]:
            again, seen, _ = step(other, again, action)
            ok = ok and again.alive and seen.stench == percept.stench and seen.scream == percept.scream
            if again.ended:
                break
        if ok:
            fits.add(suspect)
    assert known.suspects == fits
    assert sum(known.wumpus_probability(square) for square in world.cave.squares) == pytest.approx(1.0)


@given(st.lists(st.integers(1, 2**9 - 1), min_size=1, max_size=7), st.sampled_from([0.05, 0.2, 0.6]))
def test_both_ways_of_counting_agree(masks, p):
    masks = [*masks, 2**9 - 1]
    slow = _weigh_in_turn(masks, 9, p)
    assert _weigh_all(np.array(masks, dtype=np.int64), 9, p).tolist() == pytest.approx(slow, rel=1e-12)


def test_long_frontiers_are_counted_too():
    """A breeze between each two neighbours of a line of squares: no two in a row may be without a pit."""
    line = [(x, 1) for x in range(1, 16)]
    shares = pit_shares([[a, b] for a, b in itertools.pairwise(line)], 0.2)
    fits = [pits for pits in itertools.product((0, 1), repeat=15) if all(a or b for a, b in itertools.pairwise(pits))]
    weights = [0.2 ** sum(pits) * 0.8 ** (15 - sum(pits)) for pits in fits]
    for k, square in enumerate(line):
        share = sum(weight for pits, weight in zip(fits, weights, strict=True) if pits[k]) / sum(weights)
        assert shares[square] == pytest.approx(share, rel=1e-12)
    assert len(pit_shares([[(x, 1), (x + 1, 1)] for x in range(200)], 0.2)) == 201


def test_proofs_say_why():
    known = Knowledge(Cave())
    known.tell((1, 1), Percept(False, False, False, False, False))
    assert ("no pit: no breeze", ((1, 1),), (1, 2)) in known.proofs
    assert ("no wumpus: no stench", ((1, 1),), (2, 1)) in known.proofs
    known.tell((2, 1), Percept(False, True, False, False, False))
    assert not known.pits
    known.tell((1, 2), Percept(True, False, False, False, False))
    assert ("pit", ((2, 1), (2, 2), (1, 1)), (3, 1)) in known.proofs
    assert known.wumpus == (1, 3)
    assert any(proof.rule == "wumpus" for proof in known.proofs)
    assert known.is_safe((2, 2))


# Agents ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", AGENTS)
@given(world=worlds, seed=st.integers(0, 1000))
@settings(max_examples=25)
def test_an_agent_needs_nothing_but_its_percepts(name, world, seed):
    """Given the same percepts where there is no world at all, it does the same."""
    record = explore(world, make_agent(name, world.cave, seed), keep_turns=True)
    alone = make_agent(name, world.cave, seed)
    assert [alone.act(turn.percept) for turn in record.turns] == [turn.action for turn in record.turns]
    assert record.final.ended or record.final.steps == world.cave.most_steps


def test_no_agent_can_reach_a_world():
    """They are made with the rules and given percepts; their module never hands them anything else."""
    for make in AGENTS.values():
        assert list(inspect.signature(make).parameters) == ["cave", "seed"]
        assert list(inspect.signature(make.act).parameters) == ["self", "percept"]
    source = inspect.getsource(wumpus_agents)
    agents = source[: source.index("class Record")].partition("__all__")[2]
    assert not re.search(r"\bWorld\b|\bmake_world\b|\bworld\.|\.pits\b(?! =)", agents.replace("known.pits", ""))
    assert not {"pits", "wumpus", "gold"} & set(vars(Cave()))


@pytest.mark.parametrize("name", ["search", "lrta", "logical"])
def test_careful_agents_never_die(name):
    caves = [make_world(Cave(5, 4, 0.25), seed=seed) for seed in range(60)]
    finals = [explore(world, make_agent(name, world.cave, 1)).final for world in caves]
    assert all(final.alive for final in finals)
    assert any(final.has_gold for final in finals)


def test_the_probabilistic_agent_shoots_when_it_pays():
    """A stench at the entrance: the wumpus is to the north or the east, and an arrow tells which."""
    world = World(Cave(), frozenset(), (1, 2), (4, 4))
    record = explore(world, make_agent("probabilistic", world.cave), keep_turns=True)
    assert SHOOT in [turn.action for turn in record.turns]
    assert record.final.has_gold
    assert record.final.out
    assert record.final.score > 900


@pytest.mark.slow
def test_the_agents_rank_as_they_should():
    agents = ["random", "search", "logical", "probabilistic"]
    rows = {row.agent: row for row in compare_agents(agents, worlds=400, seed=77)}
    for better, worse in (
        ("probabilistic", "logical"),
        ("logical", "search"),
        ("search", "random"),
    ):
        gain, margin = lead(rows[better], rows[worse])
        assert gain > margin, (better, worse, gain, margin)


@pytest.mark.slow
def test_the_agents_rank_as_they_should_in_ten_thousand_worlds():
    rows = compare_agents(["random", "search", "logical", "probabilistic"], worlds=10_000)
    for worse, better in itertools.pairwise(rows):
        assert worse.mean + worse.margin < better.mean - better.margin


def test_what_is_no_agent_is_refused():
    with pytest.raises(UnknownName, match="did you mean 'logical'"):
        make_agent("logic", Cave())
    with pytest.raises(BadOption, match="number of worlds"):
        compare_agents(worlds=0)


# Pictures, the command, Gymnasium --------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", AGENTS)
def test_a_visit_is_a_film(name, lang):
    world = make_world(seed=21)
    record = explore(world, make_agent(name, world.cave, 2), keep_turns=True)
    frames = visit_frames(record, lang=lang)
    assert len(frames) == len(record.turns) + 1
    for frame in frames:
        ElementTree.fromstring(frame.svg)
        assert "{" not in frame.caption + str(frame.facts)
    assert "light-dark" not in styled_svg(frames[0].svg, "wumpus.css")
    assert "<script" in visit_film(record, name, lang=lang)


@pytest.mark.parametrize("name", AGENTS)
def test_what_a_film_asks_is_what_the_agent_does_next_and_the_plan_is_not_told_before(name):
    said = {"turns left": LEFT, "turns right": RIGHT, "walks forward": FORWARD, "grabs the gold": GRAB}
    said |= {"shoots its arrow": SHOOT, "climbs out": CLIMB}
    answers = set()
    for seed in range(12):
        world = make_world(seed=seed)
        record = explore(world, make_agent(name, world.cave, seed), keep_turns=True)
        frames = visit_frames(record)
        assert frames[0].guess is None
        for before, frame, turn in zip(frames[:-1], frames[1:], record.turns, strict=True):
            if frame.guess is None:
                continue
            answer = frame.guess.choices[frame.guess.right]
            assert said[answer] == turn.action
            assert frame.caption.startswith(f"It {answer}.")
            assert "Its plan: " in frame.caption
            assert list(before.ahead) == ["Plan"]
            assert len(re.findall(r'class="wumpus-(?:plan|target)', before.svg)) == before.svg.count("film-ahead")
            answers.add(answer)
    assert len(answers) >= (0 if name == "random" else 4)
    assert name != "random" or not answers


def test_the_film_of_the_logical_agent_shows_its_proofs():
    world = make_world(seed=21)
    record = explore(world, make_agent("logical", world.cave), keep_turns=True)
    lines = [line for frame in visit_frames(record) for _, facts in frame.facts for line in facts]
    assert any(re.fullmatch(r"no breeze at \d,\d → no pit at \d,\d", line) for line in lines)


def test_pictures_of_a_cave_and_of_scores():
    picture = ElementTree.fromstring(picture_svg(make_world(Cave(6, 3), seed=1)))
    assert "6 times 3" in picture.get("aria-label")
    ElementTree.fromstring(scores_svg(compare_agents(["random", "search"], worlds=3)))


def test_the_command_shows_a_visit_compares_and_answers_programs(command):
    done = command("wumpus", "--seed", "21", "--out", "visit.html")
    assert done.returncode == 0, done.stderr
    assert "probabilistic:" in done.stdout
    assert "film-stage" in (command.folder / "visit.html").read_text(encoding="utf-8")
    answer = json.loads(command("wumpus", "--agent", "search", "--seed", "21", "--json").stdout)
    assert answer["score"] == sum(turn["reward"] for turn in answer["turns"])
    table = command("wumpus", "--agent", "random,search", "--worlds", "20", "--seed", "1", "--out", "scores.svg")
    assert table.returncode == 0, table.stderr
    assert "20 worlds" in table.stdout
    ElementTree.parse(command.folder / "scores.svg")
    rows = json.loads(command("wumpus", "--agent", "all", "--worlds", "2", "--seed", "1", "--json").stdout)
    assert [row["agent"] for row in rows["agents"]] == list(AGENTS)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--agent", "x"], "no agent 'x'"),
        (["--size", "4"], "--size is columns x rows"),
        (["--size", "99x99"], "squares each way"),
        (["--pits", "2"], "probability of a pit"),
        (["--worlds", "0"], "number of worlds"),
        (["--agent", "search,random"], "one visit has one agent"),
        (["--out", "x.gif"], "--out must end in"),
        (["--worlds", "5", "--out", "x.html"], "a plot is .svg or .png"),
        (["--lang", "fr"], "no language"),
        (["--pits", "1", "--solvable"], "less likely"),
    ],
)
def test_the_command_refuses_in_one_line(command, arguments, message):
    done = command("wumpus", *arguments)
    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert message in done.stderr


def test_the_gymnasium_environment_keeps_the_contract():
    import gymnasium
    from gymnasium.utils.env_checker import check_env

    from plyground.subjects.wumpus.gym import NAME, WumpusEnvironment

    check_env(gymnasium.make(NAME, render_mode="ansi").unwrapped)
    environment = WumpusEnvironment(3, 3, most_steps=5)
    first, _ = environment.reset(seed=4)
    assert first.tolist() == environment.reset(seed=4)[0].tolist()
    ends = [environment.step(0)[2:4] for _ in range(5)]
    assert ends == [(False, False)] * 4 + [(False, True)]
    assert environment.render() is None
    with pytest.raises(BadOption, match="render_mode"):
        WumpusEnvironment(render_mode="human")
