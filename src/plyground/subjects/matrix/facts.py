"""What was found, for programs: plain values that JSON can hold. Fractions are texts such as "1/3", never rounded."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from plyground.subjects.matrix.analysis import Analysis
from plyground.subjects.matrix.dominance import Domination, Elimination
from plyground.subjects.matrix.learners import LearningRun
from plyground.subjects.matrix.matrix_game import MatrixGame, Profile
from plyground.subjects.matrix.repeated import Series, ecology
from plyground.subjects.matrix.vertices import Face

__all__ = ["analysis_facts", "learning_facts", "series_facts"]


def _number(value: Fraction | float) -> str | float:
    return str(value) if isinstance(value, Fraction) else value


def _numbers(values: Sequence[Fraction | float]) -> list[str | float]:
    return [_number(value) for value in values]


def game_facts(game: MatrixGame) -> dict[str, Any]:
    """The game as it was written."""
    return {
        "name": game.name,
        "players": list(game.players),
        "rows": list(game.rows),
        "columns": list(game.columns),
        "costs": game.costs,
        "payoffs": [
            [[str(a), str(b)] for a, b in zip(mine, yours, strict=True)]
            for mine, yours in zip(game.first, game.second, strict=True)
        ],
    }


def analysis_facts(found: Analysis) -> dict[str, Any]:
    """An analysis. Payoffs are as written, so with costs less is better; strategies are numbers from 0."""
    game, solution = found.game, found.solution
    return {
        "game": game_facts(game),
        "dominant": list(found.dominant),
        "dominated": {
            "strictly": [_domination(one) for one in found.dominated],
            "weakly": [_domination(one) for one in found.weakly_dominated],
        },
        "iterated": {"strict": _elimination(found.strict), "weak": _elimination(found.weak)},
        "best_responses": [sorted(map(list, cells)) for cells in found.best],
        "equilibria": [
            {
                **_profile(one.profile),
                "payoffs": _numbers([game.written(utility) for utility in one.utilities]),
                "pareto_better": [list(cell) for cell in one.better],
            }
            for one in found.equilibria
        ],
        "complete": found.complete,
        "method": found.method,
        "components": [[_face(face) for face in component.faces] for component in found.components],
        "degenerate": (found.degeneracy is not None) if found.degeneracy_known else None,
        "degeneracy": found.degeneracy
        and {
            "player": found.degeneracy.player,
            "strategy": _numbers(found.degeneracy.strategy),
            "best_responses": list(found.degeneracy.responses),
        },
        "lemke_howson": [
            {"dropped": path.dropped, "picked_up": list(path.picked), **_profile(path.equilibrium)}
            for path in found.paths
        ],
        "zero_sum": solution
        and {
            "value": _number(
                game.written(solution.value) if isinstance(solution.value, Fraction) else _signed(game, solution.value)
            ),
            "strategies": [_numbers(solution.first), _numbers(solution.second)],
            "exact": solution.exact,
        },
        "security": [
            {
                "pure": _number(game.written(one.pure)),
                "strategy": one.strategy,
                "mixed": _number(
                    game.written(one.mixed) if isinstance(one.mixed, Fraction) else _signed(game, one.mixed)
                ),
                "mixture": _numbers(one.mixture),
            }
            for one in found.security
        ],
        "pareto_front": [list(cell) for cell in found.front],
    }


def _signed(game: MatrixGame, value: float) -> float:
    return -value if game.costs else value


def _profile(profile: Profile) -> dict[str, Any]:
    return {
        "strategies": [_numbers(mixed) for mixed in profile],
        "probabilities": [[float(weight) for weight in mixed] for mixed in profile],
    }


def _domination(one: Domination) -> dict[str, Any]:
    return {"player": one.player, "strategy": one.strategy, "by": _numbers(one.by), "kind": one.kind}


def _elimination(one: Elimination | None) -> dict[str, Any] | None:
    if one is None:
        return None
    return {"steps": [_domination(step) for step in one.steps], "rows": list(one.rows), "columns": list(one.columns)}


def _face(face: Face) -> dict[str, Any]:
    return {"first": [_numbers(one) for one in face.first], "second": [_numbers(one) for one in face.second]}


def learning_facts(run: LearningRun) -> dict[str, Any]:
    """The snapshots of a learner, in utilities."""
    return {
        "game": game_facts(run.game),
        "learner": run.learner,
        "seed": run.seed,
        "snapshots": [
            {
                "step": one.time,
                "strategies": [one.first.tolist(), one.second.tolist()],
                "gap": one.gap,
                "low": one.low,
                "high": one.high,
            }
            for one in run.snapshots
        ],
    }


def series_facts(series: Series) -> dict[str, Any]:
    """A tournament of the repeated game: means in utilities of a round, the best strategy first."""
    from plyground.arena.scoreboard import rank, row_facts

    ratings, lines = rank(series.plan, list(series.results))
    arena = {
        line.name: row_facts(ratings, line, following)
        for line, following in zip(lines, [*lines[1:], None], strict=True)
    }
    shares = ecology(series)[-1]
    return {
        "game": game_facts(series.game),
        "rounds": series.horizon.rounds,
        "going_on": series.horizon.going_on,
        "noise": series.noise,
        "repetitions": series.plan.games,
        "seed": series.seed,
        "strategies": [
            {
                "name": series.strategies[number],
                "mean": float(series.scores[number]),
                "against": {
                    series.strategies[other]: float(series.means[number, other])
                    for other in range(len(series.strategies))
                },
                "cooperation": float(series.cooperation[number].mean()),
                "population": float(shares[number]),
                "arena": arena[series.strategies[number]],
            }
            for number in series.order
        ],
    }
