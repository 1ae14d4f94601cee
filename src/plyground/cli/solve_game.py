"""Games with chance that ``plyground solve`` solves from their beginning."""

from __future__ import annotations

from pathlib import Path

from plyground.cli.console import out, print_json, print_rows, progress_bar

__all__ = ["names_a_game", "solve_game"]


def names_a_game(what: str) -> bool:
    """Whether what is to be solved is the spec of a game, and not a file or a position."""
    from plyground.games import GAMES

    return what.partition(":")[0] in GAMES and not Path(what).exists()


def solve_game(spec: str, all_moves: bool, as_json: bool) -> None:
    """Print what a game with chance is worth, and what is best after each first move or throw."""
    from plyground.core.rules import CHANCE, action_text, actions, result, terminal, to_move
    from plyground.errors import UnsuitableGame
    from plyground.games import make_game
    from plyground.search.stochastic import solve_stochastic

    game = make_game(spec)
    if not game.axes.chance:
        raise UnsuitableGame(f"{game.spec} has no chance; what solves such games is: plyground endgame {game.spec}")
    with progress_bar(unit="positions") as show:
        solution = solve_stochastic(game, on_progress=lambda what, done, total: show(done, total, what))

    def names(state: object) -> list[str]:
        return (
            []
            if terminal(state) or to_move(state) == CHANCE
            else [action_text(state, action) for action in solution.best_actions(state)]
        )

    root = game.initial
    thrown = not terminal(root) and to_move(root) == CHANCE
    after = [(action_text(root, action), result(root, action)) for action in actions(root)]
    if as_json:
        print_json(
            {
                "game": game.spec,
                "positions": len(solution.lower),
                "value": solution.value(root),
                "error": solution.error,
                "sweeps": solution.sweeps,
                "best": None if thrown else names(root),
                "moves": [
                    {"move": name, "value": solution.value(state), "best": names(state) if thrown else None}
                    for name, state in after
                ],
            }
        )
        return
    row = {
        "positions": f"{len(solution.lower):,}",
        f"value to {game.seats[0]}": f"{solution.value(root):+.9f}",
        "error at most": f"{solution.error:.0e}",
    }
    print_rows([row] if thrown else [{**row, "best": ", ".join(names(root))}])
    if thrown or all_moves:
        out.print()
        print_rows(
            [
                {
                    "chance" if thrown else "move": name,
                    f"value to {game.seats[0]}": f"{solution.value(state):+.9f}",
                    **({"best": ", ".join(names(state))} if thrown else {}),
                }
                for name, state in after
            ]
        )
