"""Observations as floats, and what the environments have in common: spaces, and an episode."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any, Literal, SupportsIndex

import numpy as np
import numpy.typing as npt

from ._engine import ACTIONS, COMPACT_OBSERVATION_MAX, OBSERVATION_MAX, OBSERVATION_SCALE, Game

if TYPE_CHECKING:
    from gymnasium import spaces

#: An observation with its mask of legal actions, both as arrays.
Observation = dict[str, npt.NDArray[Any]]

for _constant in (OBSERVATION_MAX, OBSERVATION_SCALE, COMPACT_OBSERVATION_MAX):
    _constant.setflags(write=False)

_TO_UNIT: npt.NDArray[np.float32] = np.reciprocal(OBSERVATION_SCALE)

#: The greatest value of each entry of the float view.
_FLOAT_MAX: npt.NDArray[np.float32] = OBSERVATION_MAX * _TO_UNIT


def to_float(
    observations: npt.NDArray[np.uint8], out: npt.NDArray[np.float32] | None = None
) -> npt.NDArray[np.float32]:
    """Return observations as `float32`, with each entry divided by its `OBSERVATION_SCALE`. The entries are along the last axis.

    The entries are from 0 to 1, except for points above 10, more than 10 units of a resource in a hand, and incomes above one unit a roll.
    """
    return np.multiply(observations, _TO_UNIT, out=out, dtype=np.float32)


def observation_space(*, floats: bool) -> spaces.Dict[Any]:
    """Return the space of observations with their masks."""
    from gymnasium import spaces

    largest: npt.NDArray[Any] = _FLOAT_MAX if floats else OBSERVATION_MAX
    entries: spaces.Box[Any] = spaces.Box(np.zeros_like(largest), largest, dtype=largest.dtype.type)
    mask: spaces.Box[Any] = spaces.Box(0, 1, (len(ACTIONS),), dtype=np.int8)
    return spaces.Dict({"observation": entries, "action_mask": mask})


#: How the environments of one game can show it.
RENDER_MODES = ["ansi", "human"]


def action_space() -> spaces.Discrete[np.int64]:
    """Return the space of actions: the indices of `ACTIONS`."""
    from gymnasium import spaces

    return spaces.Discrete(len(ACTIONS))


class Episode:
    """A game as an environment plays it: its settings, its limits and its rewards."""

    def __init__(
        self,
        *,
        edition: str = "constructor",
        layout: Any = None,
        trades: bool = False,
        max_turns: int = 1_000,
        max_steps: int = 100_000,
        rewards: Literal["win", "points"] = "win",
        illegal: Literal["terminate", "raise"] = "terminate",
        float_observations: bool = False,
        render_mode: str | None = None,
    ) -> None:
        """Keep the settings; raises `ValueError` for one that is not allowed."""
        if rewards not in ("win", "points"):
            raise ValueError(f"rewards: expected 'win' or 'points', not {rewards!r}")
        if illegal not in ("terminate", "raise"):
            raise ValueError(f"illegal: expected 'terminate' or 'raise', not {illegal!r}")
        for name, limit in (("max_turns", max_turns), ("max_steps", max_steps)):
            if operator.index(limit) < 1:
                raise ValueError(f"{name}: expected at least 1")
        self._game_settings: dict[str, Any] = {"edition": edition, "layout": layout, "trades": trades}
        self.max_turns, self.max_steps = max_turns, max_steps
        self.gives_points = rewards == "points"
        self.raises = illegal == "raise"
        self.floats = float_observations
        self.render_mode = render_mode
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin a game."""
        self.game = Game(seed=seed, **self._game_settings)
        self.steps = 0

    def apply(self, action: SupportsIndex) -> None:
        """Play an action."""
        self.game.apply(action)
        self.steps += 1

    def is_truncated(self) -> bool:
        """Return whether the game has reached a limit before its end."""
        return not self.game.done and (self.game.turns >= self.max_turns or self.steps >= self.max_steps)

    def rewards(self, before: list[int]) -> list[float]:
        """Return the rewards of the four builders since they had the points `before`."""
        game = self.game
        if self.gives_points:
            return [(now - then) / 10 for now, then in zip(game.points, before, strict=True)]
        if not game.done:
            return [0.0] * len(before)
        return [1.0 if builder == game.winner else -1 / 3 for builder in range(len(before))]

    def observe(self, seat: int) -> npt.NDArray[Any]:
        """Return the observation from a builder's seat."""
        entries = self.game.observe(seat)
        return to_float(entries) if self.floats else entries

    def render(self) -> str | None:
        """Return the board as text in mode "ansi"; print it in mode "human". Warn in other modes, which others ask for and never use."""
        if self.render_mode == "ansi":
            return str(self.game)
        if self.render_mode == "human":
            print(self.game)
        else:
            mode = f"render_mode is {self.render_mode!r}, neither 'ansi' nor 'human'"
            warnings.warn(f"nothing is shown: {mode}", stacklevel=3)
        return None
