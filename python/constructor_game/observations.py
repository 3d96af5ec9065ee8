"""Observations as floats, and what the environments have in common: spaces and settings."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from ._engine import ACTIONS, OBSERVATION_MAX, OBSERVATION_SCALE, Game

if TYPE_CHECKING:
    from gymnasium import spaces

#: An observation with its mask of legal actions, both as arrays.
Observation = dict[str, npt.NDArray[Any]]

for _constant in (OBSERVATION_MAX, OBSERVATION_SCALE):
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


def observe(game: Game, seat: int, *, floats: bool) -> npt.NDArray[Any]:
    """Return the observation of a game from a builder's seat."""
    entries = game.observe(seat)
    return to_float(entries) if floats else entries


def observation_space(*, floats: bool) -> spaces.Dict[Any]:
    """Return the space of observations with their masks."""
    from gymnasium import spaces

    largest: npt.NDArray[Any] = _FLOAT_MAX if floats else OBSERVATION_MAX
    entries: spaces.Box[Any] = spaces.Box(np.zeros_like(largest), largest, dtype=largest.dtype.type)
    mask: spaces.Box[Any] = spaces.Box(0, 1, (len(ACTIONS),), dtype=np.int8)
    return spaces.Dict({"observation": entries, "action_mask": mask})


#: How the environments of one game can show it.
RENDER_MODES = ["ansi", "human"]


def check_settings(rewards: str, illegal: str, max_turns: int, max_steps: int) -> None:
    """Raise `ValueError` for a setting of an environment that is not allowed."""
    if rewards not in ("win", "points"):
        raise ValueError(f"rewards: expected 'win' or 'points', not {rewards!r}")
    if illegal not in ("terminate", "raise"):
        raise ValueError(f"illegal: expected 'terminate' or 'raise', not {illegal!r}")
    if max_turns < 1:
        raise ValueError("max_turns: expected at least 1")
    if max_steps < 1:
        raise ValueError("max_steps: expected at least 1")


def show(game: Game, render_mode: str | None) -> str | None:
    """Return the board as text in mode "ansi"; print it in mode "human". Warn in other modes, which others may ask for and never use."""
    if render_mode == "ansi":
        return str(game)
    if render_mode == "human":
        print(game)
    else:
        warnings.warn(f"nothing is shown: render_mode is {render_mode!r}, neither 'ansi' nor 'human'", stacklevel=3)
    return None


def action_space() -> spaces.Discrete[np.int64]:
    """Return the space of actions: the indices of `ACTIONS`."""
    from gymnasium import spaces

    return spaces.Discrete(len(ACTIONS))
