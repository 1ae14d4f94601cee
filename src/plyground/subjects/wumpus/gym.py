"""The Wumpus world as a Gymnasium environment.

    >>> import gymnasium
    >>> environment = gymnasium.make("plyground/Wumpus-v0")
    >>> observation, facts = environment.reset(seed=3)
    >>> observation.tolist()
    [0, 0, 0, 0, 0]

An observation is five bits: stench, breeze, glitter, bump, scream. Actions are those of `subjects.wumpus.world`, and
rewards add up to its score. Needs ``pip install 'plyground[gymnasium]'``.

Towers et al., "Gymnasium: A Standard Interface for Reinforcement Learning Environments", 2024.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyground.errors import BadOption, MissingExtra
from plyground.subjects.wumpus.world import ACTIONS, Cave, Percept, cave_text, make_world, perceive, start, step

try:
    import gymnasium
except ImportError:
    raise MissingExtra("Gymnasium is not installed; pip install 'plyground[gymnasium]'") from None

__all__ = ["NAME", "WumpusEnvironment"]

NAME = "plyground/Wumpus-v0"
"""What `gymnasium.make` calls it, once this module has been imported."""

Bits = NDArray[np.int8]


class WumpusEnvironment(gymnasium.Env[Bits, np.int64]):  # type: ignore[misc]
    """A cave of the size and with the pits that are asked for, another one after every `reset`."""

    metadata = {"render_modes": ["ansi"], "render_fps": 4}  # noqa: RUF012 - as Gymnasium declares it

    def __init__(
        self,
        width: int = 4,
        height: int = 4,
        pit_probability: float = 0.2,
        most_steps: int = 0,
        solvable: bool = False,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, "ansi"):
            raise BadOption(f"render_mode is None or 'ansi', not {render_mode!r}")
        self.cave = Cave(width, height, pit_probability, most_steps)
        self.solvable, self.render_mode = solvable, render_mode
        self.observation_space = gymnasium.spaces.MultiBinary(len(Percept._fields))
        self.action_space = gymnasium.spaces.Discrete(len(ACTIONS))
        self._world = make_world(self.cave, solvable=solvable)
        self._state = start(self._world)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bits, dict[str, Any]]:
        """Enter a new cave; the same seed makes the same caves."""
        super().reset(seed=seed)
        number = int(self.np_random.integers(1 << 53))
        self._world = make_world(self.cave, seed=number, solvable=self.solvable)
        self._state = start(self._world)
        return _bits(perceive(self._world, self._state)), {}

    def step(self, action: np.int64) -> tuple[Bits, float, bool, bool, dict[str, Any]]:
        """Act; the episode is truncated after the last action that the cave allows."""
        self._state, percept, reward = step(self._world, self._state, int(action))
        state = self._state
        late = state.steps >= self.cave.most_steps and not state.ended
        return _bits(percept), float(reward), state.ended, late, {"score": state.score}

    def render(self) -> str | None:
        """The cave as text, with everything in it."""
        return None if self.render_mode is None else cave_text(self._world, self._state)


gymnasium.register(NAME, entry_point=WumpusEnvironment)


def _bits(percept: Percept) -> Bits:
    return np.array(percept, dtype=np.int8)
