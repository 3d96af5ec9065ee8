"""The game as a PettingZoo AEC environment."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo import AECEnv

from ._engine import ACTIONS, BUILDERS, Game, IllegalActionError
from .episode import RENDER_MODES, Episode, Observation, action_space, observation_space

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import EpisodeSettings

#: The agents, in turn order.
AGENTS = tuple(f"player_{number}" for number in range(len(BUILDERS)))

_NUMBER_OF = {name: number for number, name in enumerate(AGENTS)}


class ConstructorAECEnv(AECEnv[str, Any, Any]):
    """Four agents, `player_0` to `player_3`, who act in the order of the rules.

    An observation is a dictionary: `observation` is a `uint8` array, seen from the agent's seat, whose entries
    `OBSERVATION` names, and `action_mask` an `int8` array. The mask is also in `infos[agent]`. Only the agent that is
    to act has legal actions.
    """

    metadata: ClassVar[dict[str, Any]] = {
        "name": "constructor_v0",
        "render_modes": RENDER_MODES,
        "is_parallelizable": False,
        "render_fps": 4,
    }

    def __init__(self, **settings: Unpack[EpisodeSettings]) -> None:
        """Make an environment.

        `edition` is one of `editions()`. `layout` is the text of a layout or the path of its file; without one, every game
        draws its own. With `trades`, players may offer trades. The game is truncated after `max_turns` turns (1,000), or
        after `max_steps` actions (100,000), since a turn can have any number of offers. `rewards` are given at the end
        ("win": 1 to the winner, -1/3 to the others), or for points ("points": a tenth for each point when it is gained).
        An `illegal` action ends the game with -1 for its agent ("terminate"), or raises `IllegalActionError` ("raise").
        With `float_observations`, observations are `float32`. `render_mode` is "ansi", "human" or None.
        """
        super().__init__()
        self._episode = episode = Episode(**settings)
        self.render_mode = episode.render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self._observation_spaces = {name: observation_space(floats=episode.floats) for name in AGENTS}
        self._action_spaces = {name: action_space() for name in AGENTS}
        # Kept for users who expect the attributes of older environments.
        self.observation_spaces = dict(self._observation_spaces)
        self.action_spaces = dict(self._action_spaces)
        self._no_actions: npt.NDArray[np.int8] = np.zeros(len(ACTIONS), np.int8)
        self._rng = np.random.default_rng()

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._episode.game

    def observation_space(self, agent: str) -> spaces.Dict[Any]:
        """Return the space of an agent's observations; always the same object."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[np.int64]:
        """Return the space of an agent's actions; always the same object."""
        return self._action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. The seed decides this game and all later ones, until another seed is given."""
        if seed is not None:
            self._rng = np.random.default_rng(seed)
        self._episode.begin(int(self._rng.integers(1 << 63)))
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {name: {"action_mask": self._no_actions} for name in AGENTS}
        self._await_action()

    def _await_action(self) -> None:
        """Select the agent that is to act, with its mask."""
        player = self.game.player
        assert player is not None
        self.agent_selection = agent = AGENTS[player]
        self._mask = self.game.legal_mask()
        self.infos[agent] = {"action_mask": self._mask}

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        is_acting = agent == self.agent_selection and not self.terminations[agent] and not self.truncations[agent]
        mask = self._mask if is_acting else self._no_actions
        return {"observation": self._episode.observe(_NUMBER_OF[agent]), "action_mask": mask.copy()}

    def state(self) -> npt.NDArray[Any]:
        """Return the whole position: the entries of `OBSERVATION` from the seat of `player_0`. Everybody sees all of it."""
        return self._episode.observe(0)

    def step(self, action: int | None) -> None:
        """Play an action of the selected agent; None once the game is over."""
        if not self.agents:
            raise RuntimeError("no game is played: call reset() first")
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} is to act: None is for agents whose game is over")
        episode, points = self._episode, self.game.points
        try:
            episode.apply(action)
        except (IllegalActionError, IndexError) as error:
            if episode.raises:
                raise
            self._cumulative_rewards[agent] = 0.0
            self._end_illegally(agent, error)
            return
        # What the agent was told with its observation is not told again.
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = {"action_mask": self._no_actions}
        if episode.gives_points or self.game.done:
            self._reward(episode.rewards(points))
        if self.game.done:
            self._end(self.terminations)
        elif episode.is_truncated():
            self._end(self.truncations)
        else:
            self._await_action()
        if self.render_mode == "human":
            self.render()

    def _reward(self, rewards: list[float]) -> None:
        self.rewards = dict(zip(AGENTS, rewards, strict=True))
        self._accumulate_rewards()

    def _end(self, ends: dict[str, bool]) -> None:
        ends.update(dict.fromkeys(AGENTS, True))
        self._deads_step_first()

    def _end_illegally(self, agent: str, error: Exception) -> None:
        warnings.warn(f"the game ends, since {agent} played an illegal action: {error}", stacklevel=3)
        self.infos[agent] = {"action_mask": self._no_actions, "illegal_action": str(error)}
        self._reward([-1.0 if name == agent else 0.0 for name in AGENTS])
        self._end(self.terminations)

    def render(self) -> str | None:
        """Return the board as text in mode "ansi"; print it in mode "human"."""
        return self._episode.render()

    def close(self) -> None:
        """Do nothing: there is nothing to release."""
