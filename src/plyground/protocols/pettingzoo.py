"""Games of ours as PettingZoo environments, in which players take turns (AEC).

    >>> environment = env("reversi")
    >>> environment.reset(seed=1)
    >>> environment.agent_selection, environment.observe("player_0")["observation"].shape
    ('player_0', (8, 8, 2))

The agents are ``player_0``, ``player_1``, ...; an observation is a dict with the "observation", an array of shape
(rows, columns, channels) seen by the agent, and the "action_mask", in which legal actions are 1, and all are 0 when it
is not the agent's turn. Rewards are utilities, at the end. Needs ``pip install 'plyground[pettingzoo]'``.

Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning", 2021.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from plyground.core.chance import chance_action
from plyground.core.game import Game
from plyground.core.rules import CHANCE, actions, distinct_actions, grid, planes, planes_shape, result, text, to_move
from plyground.errors import MissingExtra, UnsuitableGame
from plyground.games import make_game
from plyground.native.compiling import interpreted
from plyground.native.randomness import fresh_seed, stream
from plyground.protocols.seen import action_mask, seen_planes

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
    from pettingzoo.utils import wrappers
except ImportError:
    raise MissingExtra("PettingZoo is not installed; pip install 'plyground[pettingzoo]'") from None

__all__ = ["GameEnvironment", "env", "raw_env"]


def env(game: str | Game = "reversi", render_mode: str | None = None) -> Any:
    """The environment as algorithms use it: an illegal action ends the game, and calls must come in order."""
    wrapped: Any = wrappers.TerminateIllegalWrapper(raw_env(game, render_mode), illegal_reward=-1)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


def raw_env(game: str | Game = "reversi", render_mode: str | None = None) -> GameEnvironment:
    """The environment without wrappers."""
    return GameEnvironment(make_game(game) if isinstance(game, str) else game, render_mode)


class GameEnvironment(AECEnv):  # type: ignore[misc]
    """One game of ours. Chance moves are made by the environment, from the seed of `reset`."""

    def __init__(self, game: Game, render_mode: str | None = None) -> None:
        super().__init__()
        if game.axes.simultaneous:
            raise UnsuitableGame(f"{game.name} cannot be a PettingZoo environment: players move at the same time")
        self.game, self.render_mode = game, render_mode
        self.metadata = {"render_modes": ["ansi", "human"], "is_parallelizable": False, "name": game.name}
        self.possible_agents = [f"player_{seat}" for seat in range(game.axes.players)]
        self.agents = list(self.possible_agents)
        channels, rows, columns = planes_shape(game.initial)
        # The boards of our own games are zeros and ones; of other games nothing is known.
        board = type(game.initial) in planes.implementations and grid(game.initial) is not None
        self._type: Any = np.int8 if board else np.float32
        low, high = (0, 1) if board else (-np.inf, np.inf)
        count = distinct_actions(game.initial)
        self.action_spaces = {agent: spaces.Discrete(count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(low, high, (rows, columns, channels), self._type),
                    "action_mask": spaces.Box(0, 1, (count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.state_now: Any = game.initial
        self._rng = stream(0)

    def observation_space(self, agent: str) -> Any:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the seed is for chance moves."""
        self._rng = stream(fresh_seed() if seed is None else seed)
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.state_now = self._after_chance(self.game.initial)
        self.agent_selection = self.agents[int(to_move(self.state_now))]

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees."""
        seat = self.possible_agents.index(agent)
        mask = action_mask(self.state_now)
        if not actions(self.state_now) or int(to_move(self.state_now)) != seat:
            mask[:] = 0
        seen = np.moveaxis(seen_planes(self.state_now, seat), 0, -1)
        return {"observation": seen.astype(self._type), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """The agent whose turn it is acts; None once the game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        self.state_now = self._after_chance(result(self.state_now, self.game.legal(self.state_now, int(action))))
        self._clear_rewards()
        if not actions(self.state_now):
            for name, value in zip(self.possible_agents, self.game.returns(self.state_now), strict=True):
                self.rewards[name] = value
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[(self.agents.index(agent) + 1) % len(self.agents)]
        else:
            self.agent_selection = self.possible_agents[int(to_move(self.state_now))]
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | None:
        """The board as text: printed with render_mode "human", returned with "ansi"."""
        if self.render_mode == "human":
            print(text(self.state_now))
        return text(self.state_now) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held that would have to be given back."""

    def _after_chance(self, state: Any) -> Any:
        while (options := actions(state)) and int(to_move(state)) == CHANCE:
            with interpreted():
                state = result(state, chance_action(state, options, len(options), self._rng))
        return state
