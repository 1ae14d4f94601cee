"""Playing a tournament to its end: whatever is missing of it, in whichever order, with a test that may end it early."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from plyground.arena.copies import Copies
from plyground.arena.crew import Crew, make_crew
from plyground.arena.hall import Setting
from plyground.arena.sprt import Sprt
from plyground.arena.tournament import Fixture, Plan, points_of
from plyground.core.played_game import PlayedGame
from plyground.errors import BadOption

__all__ = ["Outcome", "hold"]


@dataclass
class Outcome:
    """The results of a tournament so far by the keys of the games, and the test if there is one.

    When it is `finished` they are in the order of the plan, and all of them count.
    """

    results: dict[str, PlayedGame] = field(default_factory=dict)
    sprt: Sprt | None = None
    finished: bool = False
    _pairs: int = 0

    def test(self, fixtures: list[Fixture]) -> bool:
        """Whether the test is decided by the pairs of games that are complete, taken in their order."""
        while self.sprt is not None and self.sprt.decision is None and 2 * self._pairs < len(fixtures):
            pair = fixtures[2 * self._pairs : 2 * self._pairs + 2]
            if any(fixture.key not in self.results for fixture in pair):
                break
            if not any(self.results[fixture.key].disturbed for fixture in pair):
                first, second = (points_of(self.results[fixture.key], fixture.seats.index(0)) for fixture in pair)
                self.sprt.update(first, second)
            self._pairs += 1
        return self.sprt is not None and self.sprt.decision is not None

    def close(self, fixtures: list[Fixture]) -> None:
        """The tournament is over; what was played beyond the end of the test does not count."""
        if self.test(fixtures):
            fixtures = fixtures[: 2 * self._pairs]
        self.results = {fixture.key: self.results[fixture.key] for fixture in fixtures}
        self.finished = True


def hold(
    plan: Plan,
    outcome: Outcome | None = None,
    *,
    jobs: int = 1,
    crew_of: Callable[[Setting], Crew] | None = None,
    cage: str = "plain",
    on_result: Callable[[PlayedGame], None] = lambda result: None,
) -> Outcome:
    """Play a tournament to its end, or go on with one of which the outcome so far is known, which is added to.

    `on_result` is called with every game when it has ended. `crew_of` makes those who play, if they are not `jobs`
    processes of this machine. Of players' files copies play, made now; strangers' programs run in a `cage`, see
    `plyground.processes.cage`. With a test, which is for two players, the tournament ends as soon as its pairs of
    games, in the order of the plan, decide it.
    """
    outcome = Outcome() if outcome is None else outcome
    if outcome.sprt is not None and (len(plan.players) != 2 or plan.games % 2 or plan.format == "swiss"):
        raise BadOption("a test is for two players who play an even number of games")
    setting = Setting(plan.game, plan.players, plan.rules, cage)
    fixtures: list[Fixture] = []
    with contextlib.ExitStack() as stack:
        if crew_of is None:
            copies = stack.enter_context(Copies([player.spec for player in plan.players]))
            setting = replace(setting, specs=tuple(copies.specs), kept=tuple(copies.kept))
        crew = crew_of(setting) if crew_of else make_crew(setting, jobs)
        stack.callback(crew.close)
        number = 1
        while games := plan.round(number, outcome.results):
            fixtures += games
            number += 1
            if outcome.test(fixtures):
                break
            for result in crew.play([fixture for fixture in games if fixture.key not in outcome.results]):
                outcome.results[result.key] = result
                on_result(result)
                if outcome.test(fixtures):
                    break
    outcome.close(fixtures)
    return outcome
