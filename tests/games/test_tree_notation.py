"""Trees as a line: read as the app reads them, and whatever is wrong said in one line."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground import make_game
from plyground.errors import FormatError
from plyground.games.tree import read_tree
from plyground.games.tree_notation import is_notation, read_notation

NUMBERS = st.one_of(st.integers(-(10**6), 10**6), st.floats(allow_nan=False, allow_infinity=False))
TREES = st.recursive(
    NUMBERS, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=25
).filter(lambda tree: isinstance(tree, list))  # fmt: skip


def by_hand(tree, side):
    """The node of nested lists, in another way than the reader's."""
    if not isinstance(tree, list):
        return float(tree)
    return {side: [by_hand(child, "min" if side == "max" else "max") for child in tree]}


def written(tree, brackets, between):
    if not isinstance(tree, list):
        return repr(tree)
    return brackets[0] + between.join(written(child, brackets, between) for child in tree) + brackets[1]


@given(
    TREES,
    st.sampled_from(["()", "[]"]),
    st.sampled_from([" ", ",", ", ", "\n\t"]),
    st.sampled_from(["", "max ", "MIN"]),
)
def test_a_line_is_the_tree_that_it_shows(tree, brackets, between, first):
    side = first.strip().lower() or "max"
    line = first + written(tree, brackets, between)
    assert is_notation(line)
    assert read_notation(line) == by_hand(tree, side)


def test_the_worked_tree_is_a_game_by_its_line():
    line = "((3 12 8) (2 4 6) (14 5 2))"
    game = make_game(line)
    assert game.spec == line
    assert game.initial == read_tree({"max": [{"min": [3, 12, 8]}, {"min": [2, 4, 6]}, {"min": [14, 5, 2]}]}).initial


def test_signs_and_decimals():
    assert read_notation("(+1 -2 .5 3. 1e2 \N{MINUS SIGN}4.25 -1E-2)")["max"] == [1, -2, 0.5, 3, 100, -4.25, -0.01]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "write one in brackets"),
        ("3", "write one in brackets"),
        ("min 3", "write one in brackets"),
        ("minimum (3 4)", "write one in brackets"),
        ("((3 12 8)", "a bracket is never closed; write ) at the end"),
        ("([(", "never closed; write )]) at the end"),
        ("()", "column 2: a node needs at least one child, and () has none"),
        ("((3) ())", "column 7: a node needs"),
        ("(3]", "column 3: '(' is closed by ']'"),
        ("(3))", "column 4: ')' stands behind"),
        ("(3) 4", "column 5: '4' stands behind"),
        ("(3 x)", "column 4: a leaf is a number, such as -2.5, not 'x'"),
        ("(3 0x10)", "not '0x10'"),
        ("(3 1_000)", "not '1_000'"),
        ("(nan)", "not 'nan'"),
        ("(1e999)", "not '1e999'"),
        ("(--1)", "not '--1'"),
        ("(١)", "not '١'"),
        ("(min 3 4)", "not 'min'"),
        ("(" + "9" * 100 + "x)", "not '" + "9" * 37 + "...'"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(line, says):
    with pytest.raises(FormatError) as error:
        read_notation(line)
    assert says in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 200


def test_deep_and_large_lines():
    deep = 50_000
    with pytest.raises(FormatError, match="never closed"):
        read_notation("(" * deep)
    node = read_notation("(" * deep + "1" + ")" * deep)
    for level in range(deep):
        ((side, (node,)),) = node.items()
        assert side == ("max", "min")[level % 2]
    assert node == 1
    with pytest.raises(FormatError, match="more than 1,000,000 nodes"):
        read_notation("(" + "1 " * 1_000_001 + ")")


@pytest.mark.parametrize("text", ["min )\n((3 12 8)", "(3\n\n x\ty)", "(3) \n(4", "((\n\n"])
def test_a_refusal_is_one_line_whatever_was_written(text):
    with pytest.raises(FormatError) as refused:
        read_notation(text)
    assert "\n" not in str(refused.value)
