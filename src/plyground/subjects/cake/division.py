"""Cutting a cake so that nobody can complain.

A division is *proportional* if each of n people has a piece worth at least 1/n in their own eyes, and *envy-free* if
nobody would rather have another one's piece; what is envy-free is proportional too.

- Cut and choose: for two, as old as Genesis 13. The cutter makes two pieces of the same worth, the other one chooses.
  As a game it is minimax: whoever cuts unevenly is left with the smaller piece, so that one half is what the cutter can
  make sure of, and what remains for the chooser at least.
- The moving knife (Dubins and Spanier 1961): a knife goes from left to right; whoever first thinks that 1/n lies left
  of it cries stop and takes it. The others go on.
- The last diminisher (Banach and Knaster, in Steinhaus 1948): somebody marks a piece of 1/n; each in turn may trim it
  to 1/n in their own eyes; the last who did takes it.
- Selfridge and Conway (about 1960): for three, and envy-free.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from plyground.errors import BadOption, UnknownName, suggestion
from plyground.subjects.cake.valuations import Interval, Valuation

__all__ = ["METHODS", "CakeStep", "Division", "Pieces", "best_cut_knowing", "divide"]

Pieces = tuple[Interval, ...]
ZERO, ONE, HALF = Fraction(0), Fraction(1), Fraction(1, 2)


@dataclass(frozen=True)
class CakeStep:
    """Something that happens: who, what (a word), where on the cake, and which piece goes to them, if one does."""

    person: int
    what: str
    place: Fraction | None = None
    value: Fraction | None = None
    takes: Pieces = ()


@dataclass(frozen=True)
class Division:
    """Who has which pieces, and how it came to that. `worths[i][j]` is what j's share is worth to i."""

    method: str
    people: tuple[Valuation, ...]
    shares: tuple[Pieces, ...]
    steps: tuple[CakeStep, ...]

    @property
    def worths(self) -> tuple[tuple[Fraction, ...], ...]:
        """What everybody thinks of every share."""
        return tuple(tuple(person.worth(share) for share in self.shares) for person in self.people)

    @property
    def proportional(self) -> bool:
        """Whether everybody has at least 1/n in their own eyes."""
        return all(row[own] >= Fraction(1, len(self.people)) for own, row in enumerate(self.worths))

    @property
    def envy(self) -> tuple[tuple[int, int], ...]:
        """Who would rather have whose share."""
        worths = self.worths
        return tuple(
            (own, other) for own, row in enumerate(worths) for other, value in enumerate(row) if value > row[own]
        )

    @property
    def envy_free(self) -> bool:
        """Whether nobody would rather have another one's share."""
        return not self.envy


def divide(people: Sequence[Valuation], method: str = "") -> Division:
    """Divide a cake; without a method, cut and choose for two and the last diminisher for more.

    >>> from plyground.subjects.cake.valuations import read_valuations
    >>> division = divide(read_valuations(["Anna: 1 1", "Bert: 1 3"]))
    >>> [str(row[own]) for own, row in enumerate(division.worths)]
    ['1/2', '3/4']
    """
    method = method or ("cut-and-choose" if len(people) == 2 else "last-diminisher")
    if method not in METHODS:
        raise UnknownName(f"there is no method '{method[:40]}'{suggestion(method, METHODS)}")
    procedure, number = METHODS[method]
    if number not in (None, len(people)):
        raise BadOption(f"{method} is for {number} people, not {len(people)}")
    shares, steps = procedure(tuple(people))
    return Division(method, tuple(people), tuple(shares), tuple(steps))


def best_cut_knowing(cutter: Valuation, chooser: Valuation) -> tuple[Fraction, Fraction]:
    """Where to cut, and what it brings, if the cutter knows what the chooser likes: never less than one half.

    The chooser is indifferent there, and would take the other piece for the smallest crumb more.
    """
    place = chooser.cut(ZERO, HALF)
    assert place is not None
    left = cutter.worth([(ZERO, place)])
    return place, max(left, 1 - left)


def _cut_and_choose(people: tuple[Valuation, ...]) -> tuple[list[Pieces], list[CakeStep]]:
    cutter, chooser = people
    place = cutter.cut(ZERO, HALF)
    assert place is not None
    left: Pieces = ((ZERO, place),)
    right: Pieces = ((place, ONE),)
    steps = [CakeStep(0, "cuts", place, HALF)]
    worth = chooser.worth(left)
    chosen, rest = (left, right) if worth >= HALF else (right, left)
    steps += [CakeStep(1, "chooses", None, chooser.worth(chosen), chosen), CakeStep(0, "keeps", None, HALF, rest)]
    return [rest, chosen], steps


def _moving_knife(people: tuple[Valuation, ...]) -> tuple[list[Pieces], list[CakeStep]]:
    fair = Fraction(1, len(people))
    shares: list[Pieces] = [()] * len(people)
    steps = []
    waiting, start = list(range(len(people))), ZERO
    while len(waiting) > 1:
        stops = [(place, person) for person in waiting if (place := people[person].cut(start, fair)) is not None]
        place, person = min(stops)
        shares[person] = ((start, place),)
        steps.append(CakeStep(person, "stops", place, fair, shares[person]))
        waiting.remove(person)
        start = place
    last = waiting[0]
    shares[last] = ((start, ONE),)
    steps.append(CakeStep(last, "rest", None, people[last].worth(shares[last]), shares[last]))
    return shares, steps


def _last_diminisher(people: tuple[Valuation, ...]) -> tuple[list[Pieces], list[CakeStep]]:
    fair = Fraction(1, len(people))
    shares: list[Pieces] = [()] * len(people)
    steps = []
    waiting, start = list(range(len(people))), ZERO
    while len(waiting) > 1:
        holder = waiting[0]
        place = people[holder].cut(start, fair)
        assert place is not None  # whoever is left thinks that enough is left
        steps.append(CakeStep(holder, "marks", place, fair))
        for person in waiting[1:]:
            worth = people[person].worth([(start, place)])
            if worth > fair:
                place = people[person].cut(start, fair) or place
                holder = person
                steps.append(CakeStep(person, "trims", place, worth))
            else:
                steps.append(CakeStep(person, "passes", None, worth))
        shares[holder] = ((start, place),)
        steps.append(CakeStep(holder, "takes", place, fair, shares[holder]))
        waiting.remove(holder)
        start = place
    last = waiting[0]
    shares[last] = ((start, ONE),)
    steps.append(CakeStep(last, "rest", None, people[last].worth(shares[last]), shares[last]))
    return shares, steps


def _selfridge_conway(people: tuple[Valuation, ...]) -> tuple[list[Pieces], list[CakeStep]]:
    cutter, trimmer, third = 0, 1, 2
    one = people[cutter].cut(ZERO, Fraction(1, 3))
    two = people[cutter].cut(ZERO, Fraction(2, 3))
    assert one is not None
    assert two is not None
    steps = [CakeStep(cutter, "cuts", one, Fraction(1, 3)), CakeStep(cutter, "cuts", two, Fraction(1, 3))]
    pieces: list[Pieces] = [((ZERO, one),), ((one, two),), ((two, ONE),)]
    worths = [people[trimmer].worth(piece) for piece in pieces]
    largest = max(range(3), key=lambda number: (worths[number], -number))
    second = sorted(worths)[1]
    trimmings: Pieces = ()
    if worths[largest] > second:
        start, end = pieces[largest][0]
        place = people[trimmer].cut(start, second)
        assert place is not None
        pieces[largest], trimmings = ((start, place),), ((place, end),)
        steps.append(CakeStep(trimmer, "trims", place, worths[largest]))
    else:
        steps.append(CakeStep(trimmer, "passes", None, worths[largest]))
    shares: list[Pieces] = [()] * 3
    left = [0, 1, 2]
    chosen = max(left, key=lambda number: (people[third].worth(pieces[number]), -number))
    left.remove(chosen)
    shares[third] = pieces[chosen]
    steps.append(CakeStep(third, "chooses", None, people[third].worth(pieces[chosen]), pieces[chosen]))
    # The trimmer must take the trimmed piece if it is still there.
    if trimmings and largest in left:
        chosen = largest
    else:
        chosen = max(left, key=lambda number: (people[trimmer].worth(pieces[number]), -number))
    left.remove(chosen)
    shares[trimmer] = pieces[chosen]
    steps.append(CakeStep(trimmer, "chooses", None, people[trimmer].worth(pieces[chosen]), pieces[chosen]))
    shares[cutter] = pieces[left[0]]
    steps.append(CakeStep(cutter, "keeps", None, people[cutter].worth(shares[cutter]), shares[cutter]))
    if trimmings:
        _divide_trimmings(
            people, shares, steps, trimmings[0], has_trimmed=trimmer if shares[trimmer] == pieces[largest] else third
        )
    return shares, steps


def _divide_trimmings(
    people: tuple[Valuation, ...], shares: list[Pieces], steps: list[CakeStep], rest: Interval, has_trimmed: int
) -> None:
    """Of the two who did not cut, the one without the trimmed piece divides; the other, then the cutter, choose."""
    divider = 3 - has_trimmed
    total = people[divider].worth([rest])
    places = [people[divider].cut(rest[0], total * part / 3) for part in (1, 2)]
    borders = [rest[0], *(place for place in places if place is not None), rest[1]]
    parts: list[Pieces] = [((left, right),) for left, right in pairwise(borders)]
    steps += [CakeStep(divider, "cuts", place, total / 3) for place in borders[1:-1]]
    for person in (has_trimmed, 0, divider):
        if parts:
            best = max(parts, key=lambda part: (people[person].worth(part), -part[0][0]))
            parts.remove(best)
            shares[person] = (*shares[person], *best)
            steps.append(CakeStep(person, "chooses", None, people[person].worth(best), best))


Procedure = Callable[[tuple[Valuation, ...]], tuple[list[Pieces], list[CakeStep]]]
METHODS: dict[str, tuple[Procedure, int | None]] = {
    "cut-and-choose": (_cut_and_choose, 2),
    "moving-knife": (_moving_knife, None),
    "last-diminisher": (_last_diminisher, None),
    "selfridge-conway": (_selfridge_conway, 3),
}
"""The procedures by name, and for how many people each is; None for any number."""
