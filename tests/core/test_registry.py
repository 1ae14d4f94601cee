"""Specs: names, options, types, and what is said when they are wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyground.core.registry import Registry, split_spec
from plyground.errors import BadOption, SpecError, UnknownName
from plyground.games import GAMES, make_game
from plyground.players import PLAYERS, make_player


def thing(
    count: Annotated[int, "how many"],
    share: Annotated[float | None, "how much"] = None,
    kind: Annotated[Literal["plain", "fancy"], "which"] = "plain",
    sizes: Annotated[tuple[int, ...], "how large"] = (1, 2),
    loud: Annotated[bool, "how loud"] = False,
    name: Annotated[str, "called what"] = "",
):
    """A thing.

    And more about it.
    """
    return (count, share, kind, sizes, loud, name)


THINGS = Registry("thing")
THINGS.add("thing", thing)


def test_options_are_read_by_their_types():
    spec = "thing:count=3,share=0.5,kind=fancy,sizes=4,5,6,loud=on,name=a b,c"
    assert THINGS.make(spec) == (3, 0.5, "fancy", (4, 5, 6), True, "a b,c")
    assert THINGS.make("thing:count=1") == (1, None, "plain", (1, 2), False, "")


def test_given_options_fill_what_the_spec_leaves_open():
    assert THINGS.make("thing:count=1", share=0.25, unknown=3) == (1, 0.25, "plain", (1, 2), False, "")
    assert THINGS.make("thing:count=1,share=1", share=0.25)[1] == 1.0


@pytest.mark.parametrize(
    ("spec", "error", "message"),
    [
        ("thng:count=1", UnknownName, "did you mean 'thing'?"),
        ("zzz", UnknownName, "there are: thing"),
        ("thing:cuont=1", UnknownName, "did you mean 'count'?"),
        ("thing", SpecError, "needs the option 'count' (integer); write thing:count="),
        ("thing:count=x", BadOption, "count must be of the form integer, not 'x'"),
        ("thing:count=1.5", BadOption, "integer"),
        ("thing:count=", BadOption, "not ''"),
        ("thing:count=1e99", BadOption, "integer"),
        ("thing:count=99999999999999999999999", BadOption, "integer"),
        ("thing:count=1,share=nan", BadOption, "number, not 'nan'"),
        ("thing:count=1,share=inf", BadOption, "number"),
        ("thing:count=1,kind=odd", BadOption, "plain|fancy"),
        ("thing:count=1,loud=maybe", BadOption, "on|off"),
        ("thing:count=1,sizes=1,x", BadOption, "integer"),
        ("thing:count=1,count=2", SpecError, "twice"),
        ("thing:count", SpecError, "is not option=value"),
        ("thing:", SpecError, "is not option=value"),
        (":count=1", SpecError, "names nothing"),
        ("", SpecError, "names nothing"),
        ("   ", SpecError, "names nothing"),
    ],
)
def test_bad_specs(spec, error, message):
    with pytest.raises(error) as caught:
        THINGS.make(spec)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@given(st.text(max_size=40))
def test_no_text_does_anything_but_a_spec_error(text):
    try:
        split_spec(text)
        THINGS.make(text)
    except SpecError:
        pass


def test_lists_have_types_defaults_and_help():
    options = THINGS.options("thing")
    assert [(o.name, o.type, o.default, o.required) for o in options] == [
        ("count", "integer", None, True),
        ("share", "number", None, False),
        ("kind", "plain|fancy", "plain", False),
        ("sizes", "integer,...", (1, 2), False),
        ("loud", "on|off", False, False),
        ("name", "text", "", False),
    ]
    assert THINGS.summary("thing") == "A thing."


@pytest.mark.parametrize("registry", [GAMES, PLAYERS], ids=["games", "players"])
def test_everything_registered_is_described(registry):
    for name in registry:
        assert registry.summary(name)
        assert all(option.help for option in registry.options(name))


def test_specs_of_games_and_players_are_remembered():
    assert make_game("reversi:size=6").spec == "reversi:size=6"
    assert make_player("minimax:depth=2").spec == "minimax:depth=2"
    with pytest.raises(UnknownName, match="did you mean 'reversi'"):
        make_game("revers")


@dataclass(frozen=True)
class Shared:
    colour: Annotated[str, "which colour"] = "red"
    size: Annotated[int, "how large"] = 1


LARGE = Shared(size=9)


def ball(bounces: Annotated[bool, "whether it bounces"] = True, shared: Shared = LARGE) -> tuple[bool, Shared]:
    """A ball."""
    return bounces, shared


def test_options_in_common_are_declared_once() -> None:
    things: Registry[tuple[bool, Shared]] = Registry("thing")
    things.add("ball", ball)
    shown = [(option.name, option.type, option.default, option.help) for option in things.options("ball")]
    assert shown == [
        ("bounces", "on|off", True, "whether it bounces"),
        ("colour", "text", "red", "which colour"),
        ("size", "integer", 9, "how large"),
    ]
    assert things.make("ball") == (True, Shared("red", 9))
    assert things.make("ball:colour=blue,bounces=off") == (False, Shared("blue", 9))
    assert things.make("ball:size=2", colour="green") == (True, Shared("green", 2))
    with pytest.raises(BadOption, match="ball: size must be of the form integer, not 'x'"):
        things.make("ball:size=x")
    with pytest.raises(UnknownName, match="the thing 'ball' has no option 'colours'"):
        things.make("ball:colours=blue")


def lamp(bright: Annotated[bool, "whether it is bright"] = True, *, room: str = "hall") -> tuple[bool, str]:
    """A lamp."""
    return bright, room


def test_what_is_given_by_name_only_is_no_option() -> None:
    things: Registry[tuple[bool, str]] = Registry("thing")
    things.add("lamp", lamp)
    assert [option.name for option in things.options("lamp")] == ["bright"]
    assert things.make("lamp", room="kitchen") == (True, "kitchen")
    with pytest.raises(UnknownName, match="the thing 'lamp' has no option 'room'"):
        things.make("lamp:room=kitchen")
