"""Games of one move: their text, dominance, values, security, Pareto, learning, pictures."""

from __future__ import annotations

import itertools
import random
import re
from fractions import Fraction
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyground.errors import BadOption, FormatError, PlygroundError, UnknownName
from plyground.native.compiling import interpreted
from plyground.subjects.cake.words import WORDS as CAKE_WORDS
from plyground.subjects.matrix.analysis import analyse
from plyground.subjects.matrix.argument import game_from_text, game_of
from plyground.subjects.matrix.dominance import dominations, iterated_dominance
from plyground.subjects.matrix.exact_lp import maximise
from plyground.subjects.matrix.facts import analysis_facts
from plyground.subjects.matrix.game_text import read_game
from plyground.subjects.matrix.learners import LEARNERS, learning_run
from plyground.subjects.matrix.matrix_game import MatrixGame, expected, number_text, zero_sum_game
from plyground.subjects.matrix.named_games import NAMED_GAMES, named_game
from plyground.subjects.matrix.pareto import pareto_better, pareto_front
from plyground.subjects.matrix.pictures import analysis_svg, game_svg, learning_svg
from plyground.subjects.matrix.security import security_level
from plyground.subjects.matrix.vertices import vertex_equilibria
from plyground.subjects.matrix.words import WORDS, analysis_sections
from plyground.subjects.matrix.zero_sum import solve_arrays, solve_matrix, solve_zero_sum
from test_matrix_nash import bimatrix, games, random_game, table

# Text ---------------------------------------------------------------------------------------------------------------


def write_game(game: MatrixGame) -> str:
    """The text of a game, which `read_game` reads back as the same game."""
    lines = [f"name: {game.name}"] if game.name else []
    if game.players != ("Row", "Column"):
        lines.append(f"players: {game.players[0]}, {game.players[1]}")
    if game.costs:
        lines.append("payoffs: costs")
    cells = [["", *map(quoted, game.columns)]]
    for name, mine, yours in zip(game.rows, game.first, game.second, strict=True):
        cells.append([quoted(name), *(f"{a},{b}" for a, b in zip(mine, yours, strict=True))])
    widths = [max(len(row[place]) for row in cells) for place in range(len(cells[0]))]
    lines += ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join(lines) + "\n"


def quoted(name: str) -> str:
    plain = re.fullmatch(r'[^\s",;#()+\-.\d:][^\s",;#():]*', name)
    return name if plain else f'"{name}"'


def test_a_game_is_read_as_one_would_write_it():
    game = read_game(
        """
        # the dilemma
        name: prisoner's dilemma
        players: Anna, Bert
        payoffs: costs
                  silent   betray
        silent    1,1      (3, 0)     # a comment
        betray    0,3      2.0,4/2
        """
    )
    assert game.rows == game.columns == ("silent", "betray")
    assert (game.name, game.players, game.costs) == ("prisoner's dilemma", ("Anna", "Bert"), True)
    assert game.first == table([[1, 3], [0, 2]])
    assert game.utilities[0] == table([[-1, -3], [0, -2]])


def test_a_single_number_is_what_the_other_loses():
    game = read_game("1 -1; \N{MINUS SIGN}1 1e0")
    assert game.constant_sum == 0
    assert game.second == table([[-1, 1], [1, -1]])


def test_names_with_blanks_or_digits_are_in_quotes():
    game = read_game('"take it; now" "2"; "row 1" 1,2 3,4; "row 2" 5,6 7,8')
    assert game.columns == ("take it; now", "2")
    assert game.rows == ("row 1", "row 2")


def test_something_may_stand_in_the_corner():
    assert read_game("A/B left right; up 1 2; down 3 4").columns == ("left", "right")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "line 1, column 1: there are no payoffs"),
        ("1 2; 3", "line 1, column 6: this row has 1 cell, the first one has 2"),
        ("1 2\n3 x", "line 2, column 3: 'x' is not a payoff"),
        ("1,1 2; 3 4", "line 1, column 5: some cells have one number and some two"),
        ("1 2; 3,1 4,1", "line 1, column 6: some cells have one number and some two"),
        ("a b\n1,1 1/0,2", "line 2, column 5: '1/0' divides by zero"),
        ("a b; c d; 1 2", "line 1, column 6: a row without payoffs"),
        ("a b c d; 1 2", "line 1, column 1: there are 4 names for 2 columns"),
        ("up 1 2; 3 4", "line 1, column 8: either every row has a name"),
        ("up 1 2; up 3 4", "line 1, column 1: the rows need 2 different names"),
        ("payoffs: money; 1 2", "line 1, column 9: payoffs are costs or utilities"),
        ("payoffs: costs; payoffs: costs; 1 2", "line 1, column 17: 'payoffs' is there twice"),
        ("players: Anna; 1 2", "line 1, column 9: players are two different names"),
        ("size: 4; 1 2", "line 1, column 1: there is no setting 'size'"),
        ("1 2; 3 4)", "line 1, column 8: '4)' is neither a payoff"),
        ("1 2; 3 nan", "line 1, column 8: 'nan' is not a payoff"),
        ("1 2; 3 1e999", "line 1, column 8: '1e999' is not a number"),
        ("1 2; 3 1.5/2", "line 1, column 8: '1.5/2' is not a number"),
        ('"open 1 2', "line 1, column 1: '\"open' is neither"),
        ("1 2; 3 " + "9" * 41, "line 1, column 8:"),
        ("\x00 1 2", "line 1, column 1: a name has 1 to 60 printable characters"),
        (";".join(["1"] * 501), "line 1, column 1001: a player may have at most 500 strategies"),
    ],
)
def test_what_is_wrong_with_a_text_is_said_with_line_and_column(text, line):
    with pytest.raises(FormatError) as error:
        read_game(text)
    assert str(error.value).startswith(line)
    assert "\n" not in str(error.value)


@given(st.text(alphabet='0123456789 ,;./-+e()"#:\nabN\x00é', max_size=40))
def test_no_text_breaks_the_reader(text):
    try:
        game = read_game(text)
    except FormatError as error:
        said = str(error)
    else:
        said = "line " if read_game(write_game(game)) == game else "read back as another game"
    assert said.startswith("line ")


@pytest.mark.parametrize("name", NAMED_GAMES)
def test_what_is_written_is_read_back(name):
    game = named_game(name)
    assert read_game(write_game(game)) == game


def test_an_argument_is_a_name_a_file_or_a_text(tmp_path):
    path = tmp_path / "x.game"
    path.write_text("1,1 3,0\n0,3 2,2\n")
    assert game_of(str(path)) == game_of("1,1 3,0; 0,3 2,2")
    assert game_of(str(path), costs=True).costs
    assert game_of("Stag-Hunt") == named_game("stag-hunt")
    path.write_text("1 2\n3\n")
    with pytest.raises(FormatError, match=r"x\.game: line 2, column 1"):
        game_of(str(path))
    path.write_bytes(b"\xff\xfe1 2")
    with pytest.raises(FormatError, match="UTF-8"):
        game_of(str(path))
    with pytest.raises(FormatError, match="cannot read the game nothing"):
        game_of("nothing.txt")
    with pytest.raises(UnknownName, match="did you mean 'chicken'"):
        game_of("chiken")
    with pytest.raises(FormatError):
        game_from_text(" ")


def test_numbers_are_fractions_as_long_as_they_are_short():
    assert number_text(Fraction(1, 3)) == "1/3"
    assert number_text(Fraction(123456789, 1234567891)) == "0.1"
    assert number_text(-0.00001) == "0"


# Dominance ----------------------------------------------------------------------------------------------------------


def dominates(game, step, others):
    """Against each of the others' strategies that are left, how much better the mixture is."""
    gains = []
    for other in others:
        values = [game.utilities[step.player][other][own] if step.player else game.utilities[0][own][other]
                  for own in range(game.shape[step.player])]  # fmt: skip
        mixed = sum((weight * value for weight, value in zip(step.by, values, strict=True)), Fraction(0))
        gains.append(mixed - values[step.strategy])
    return gains


@given(games(), st.sampled_from(["strict", "weak"]))
def test_each_step_of_elimination_is_a_domination_in_what_is_left(game, kind):
    left = [set(range(game.shape[0])), set(range(game.shape[1]))]
    elimination = iterated_dominance(game, kind)
    for step in elimination.steps:
        used = {number for number, weight in enumerate(step.by) if weight}
        assert sum(step.by) == 1
        assert used <= left[step.player] - {step.strategy}
        gains = dominates(game, step, left[1 - step.player])
        assert min(gains) > 0 if kind == "strict" else min(gains) >= 0 < max(gains)
        left[step.player].remove(step.strategy)
    assert (set(elimination.rows), set(elimination.columns)) == tuple(left)


@settings(max_examples=80)
@given(games())
def test_strict_elimination_keeps_all_equilibria_whatever_the_order(game):
    elimination = iterated_dominance(game)
    for x, y in vertex_equilibria(game).extreme:
        assert {i for i, weight in enumerate(x) if weight} <= set(elimination.rows)
        assert {j for j, weight in enumerate(y) if weight} <= set(elimination.columns)
    turned = MatrixGame(*(tuple(row[::-1] for row in part[::-1]) for part in (game.first, game.second)))
    other = iterated_dominance(turned)
    assert sorted(game.shape[0] - 1 - row for row in other.rows) == list(elimination.rows)
    assert sorted(game.shape[1] - 1 - column for column in other.columns) == list(elimination.columns)


@settings(max_examples=60)
@given(games(largest=3))
def test_what_is_not_dominated_is_a_best_response_to_something(game):
    """Pearce (1984): a strategy of two players is never a best response exactly if it is strictly dominated."""
    beaten = {one.strategy for one in dominations(game) if one.player == 0}
    grid = range(13)
    for own in range(game.shape[0]):
        answered = any(
            game_value(game, own, weights) == max(game_value(game, i, weights) for i in range(game.shape[0]))
            for weights in itertools.product(grid, repeat=game.shape[1])
            if any(weights)
        )
        assert not (answered and own in beaten)


def game_value(game, row, weights):
    return sum(weight * game.first[row][j] for j, weight in enumerate(weights))


def test_a_mixture_dominates_where_no_pure_strategy_does():
    game = named_game("mixed-dominance")
    elimination = iterated_dominance(game)
    assert elimination.steps[0].pure is None
    assert elimination.steps[0].by == (Fraction(1, 2), Fraction(1, 2), 0)
    assert elimination.solved
    assert (elimination.rows, elimination.columns) == ((0,), (0,))


def test_cutting_in_half_is_what_weak_dominance_leaves():
    elimination = iterated_dominance(named_game("cake"), "weak")
    assert elimination.solved
    assert elimination.rows == (4,)
    assert not iterated_dominance(named_game("cake")).steps


def test_large_games_are_compared_by_pure_strategies():
    chance = random.Random(1)
    rows = [[chance.randint(0, 9) for _ in range(30)] for _ in range(29)]
    game = zero_sum_game([*rows, [10] * 30])
    elimination = iterated_dominance(game)
    assert not elimination.mixtures
    assert elimination.rows == (29,)


# Values -------------------------------------------------------------------------------------------------------------


@given(games(most=9, largest=6))
def test_the_value_is_guaranteed_by_both_and_both_solvers_find_it(game):
    found = solve_matrix(game.first)
    assert sum(found.first) == sum(found.second) == 1
    assert min(found.first) >= 0
    assert min(found.second) >= 0
    rows, columns = game.shape
    assert min(expected(game.first, found.first, unit(columns, j)) for j in range(columns)) == found.value
    assert max(expected(game.first, unit(rows, i), found.second) for i in range(rows)) == found.value
    floats = solve_arrays(game.arrays[0])
    assert floats.value == pytest.approx(float(found.value), abs=1e-8)


def unit(count, place):
    return tuple(Fraction(int(number == place)) for number in range(count))


def test_two_hundred_strategies_a_side_are_solved_by_highs():
    payoffs = np.random.default_rng(1).integers(-99, 100, (200, 200))
    game = zero_sum_game(payoffs.tolist())
    found = solve_zero_sum(game)
    assert not found.exact
    first, second = np.array(found.first), np.array(found.second)
    low, high = (first @ payoffs).min(), (payoffs @ second).max()
    assert low - 1e-6 <= found.value <= high + 1e-6
    assert high - low < 1e-6


def test_a_game_of_general_sum_has_no_value():
    with pytest.raises(BadOption, match="not a zero-sum game"):
        solve_zero_sum(named_game("chicken"))


def test_constant_sums_and_costs_are_zero_sum_too():
    assert solve_zero_sum(named_game("cake")).value == Fraction(1, 2)
    costs = MatrixGame(table([[1, -1], [-1, 2]]), table([[-1, 1], [1, -2]]), costs=True)
    assert solve_zero_sum(costs).value == Fraction(-1, 5)


def test_a_linear_program_without_an_end_and_one_without_a_beginning():
    one = Fraction(1)
    assert maximise([one], [[-one]], [one]) is None
    with pytest.raises(BadOption, match="negative"):
        maximise([one], [[one]], [-one])
    best = maximise([one, 2 * one], [[one / 3, one / 7], [one, one]], [one, 5 * one])
    assert sum(price * bound for price, bound in zip(best.prices, (one, 5 * one), strict=True)) == best.value


@settings(max_examples=60)
@given(games())
def test_no_equilibrium_pays_less_than_the_security_level(game):
    levels = [security_level(game, player).mixed for player in (0, 1)]
    for x, y in vertex_equilibria(game).extreme:
        for player in (0, 1):
            assert expected(game.utilities[player], x, y) >= levels[player] >= security_level(game, player).pure


@given(games())
def test_the_pareto_front_is_what_nothing_is_better_than(game):
    cells = [(i, j) for i in range(game.shape[0]) for j in range(game.shape[1])]
    worth = {(i, j): (game.first[i][j], game.second[i][j]) for i, j in cells}
    best = [cell for cell in cells if not any(pareto_better(worth[other], worth[cell]) for other in cells)]
    assert pareto_front(game) == best


# Learning -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("learner", LEARNERS)
def test_learners_close_in_on_the_value_of_the_linear_program(learner):
    chance = np.random.default_rng(5)
    for shape in ((3, 3), (5, 7)):
        game = zero_sum_game(chance.integers(-9, 10, shape).tolist())
        value = float(solve_zero_sum(game).value)
        run = learning_run(game, learner, steps=3_000_000, seed=1)
        assert run.last.low <= value + 1e-9
        assert run.last.high >= value - 1e-9
        assert run.last.high - run.last.low < 0.03
        assert run.last.gap == pytest.approx(run.last.high - run.last.low, abs=1e-9)


@pytest.mark.parametrize("learner", LEARNERS)
def test_learning_is_the_same_interpreted_and_in_pieces(learner, monkeypatch):
    game = named_game("rock-paper-scissors")
    whole = learning_run(game, learner, steps=300, seed=4)
    monkeypatch.setattr("plyground.subjects.matrix.learners.PIECE", 777)
    with interpreted():
        parts = learning_run(game, learner, steps=300, seed=4)
    assert [one.time for one in whole.snapshots] == [one.time for one in parts.snapshots]
    assert np.allclose(whole.last.first, parts.last.first)
    assert whole.last.first.sum() == pytest.approx(1)


def test_learning_finds_the_equilibrium_of_the_dilemma():
    for learner in LEARNERS:
        last = learning_run(named_game("prisoners-dilemma"), learner, steps=20_000, seed=1).last
        assert last.first[1] > 0.99
        assert last.second[1] > 0.99


def test_fictitious_play_goes_round_in_shapleys_game():
    game = bimatrix([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
    assert learning_run(game, "fictitious", steps=1_000_000).last.gap > 0.1


def test_learners_and_steps_that_do_not_exist_are_refused():
    game = named_game("chicken")
    with pytest.raises(BadOption, match="fictitious, regret"):
        learning_run(game, "wishful", steps=10)
    with pytest.raises(BadOption, match="steps"):
        learning_run(game, "regret", steps=0)


# What people and programs are told ----------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [WORDS, CAKE_WORDS])
def test_both_languages_say_the_same_things(words):
    assert words["en"].keys() == words["zh"].keys()
    for key, text in words["en"].items():
        holes = [{part.split("}")[0] for part in said.split("{")[1:]} for said in (text, words["zh"][key])]
        assert holes[0] == holes[1], key


@pytest.mark.parametrize("lang", WORDS)
@pytest.mark.parametrize("name", NAMED_GAMES)
def test_every_named_game_is_described_and_drawn(name, lang):
    found = analyse(named_game(name))
    sections = analysis_sections(found, lang)
    assert len(sections) == 4
    assert all(section.lines for section in sections)
    for picture in (analysis_svg(found, lang=lang), game_svg(found, elimination=found.weak, steps=1, lang=lang)):
        ElementTree.fromstring(picture)
    with pytest.raises(BadOption, match="no language"):
        analysis_sections(found, "fr")


def test_names_cannot_break_a_picture():
    game = read_game('name: <b>"x"</b> & co; "<script>" "&amp;"; "<i>" 1 2; "]]>" 3 4')
    ElementTree.fromstring(analysis_svg(analyse(game)))


def test_a_large_game_is_described_without_its_table():
    found = analyse(random_game(random.Random(8), 60, 50))
    assert found.method == "pure strategies"
    assert found.strict is None
    assert analysis_sections(found)
    assert analysis_facts(found)["degenerate"] is None
    ElementTree.fromstring(analysis_svg(found))


def test_pictures_of_learning_keep_their_axes_while_they_grow():
    run = learning_run(named_game("matching-pennies"), "fictitious", steps=1000)
    early, late = (learning_svg(run, 0.0, until=until) for until in (10, None))
    size = early[: early.index("role")]
    assert size == late[: late.index("role")]
    assert len(early) < len(late)
    ElementTree.fromstring(learning_svg(learning_run(named_game("chicken"), "regret", steps=100), None, lang="zh"))


def test_facts_are_as_written_and_exact():
    facts = analysis_facts(analyse(named_game("prisoners-dilemma")))
    assert facts["equilibria"][0]["payoffs"] == ["2", "2"]
    assert facts["equilibria"][0]["pareto_better"] == [[0, 0]]
    assert facts["security"][0] == {"pure": "2", "strategy": 1, "mixed": "2", "mixture": ["0", "1"]}
    facts = analysis_facts(analyse(named_game("rock-paper-scissors")))
    assert facts["zero_sum"]["strategies"] == [["1/3"] * 3] * 2
    assert facts["degenerate"] is False


def test_tables_that_do_not_fit_are_refused():
    for first, second in (([[1, 2], [3]], [[1, 2], [3]]), ([[1]], [[1, 2]]), ([], []), ([[]], [[]])):
        with pytest.raises(PlygroundError):
            bimatrix(first, second)


@pytest.mark.parametrize("name", NAMED_GAMES)
def test_a_named_game_is_the_same_game_in_chinese(name):
    chinese = read_game(NAMED_GAMES[name].text_in("zh"))
    english = named_game(name)
    assert (chinese.first, chinese.second, chinese.costs) == (english.first, english.second, english.costs)
    assert not re.search("[a-z]", " ".join((*chinese.rows, *chinese.columns)))
