"""The keyword arguments that several functions and classes have in common. What they mean is said where they are taken."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypedDict

import numpy.typing as npt

if TYPE_CHECKING:
    from ._engine import Player

#: A policy: a function of observations and masks, with a row for each game, that returns the indices of actions.
Policy = Callable[[npt.NDArray[Any], npt.NDArray[Any]], npt.ArrayLike]


class GameSettings(TypedDict, total=False):
    """Settings of a game."""

    edition: str
    layout: str | os.PathLike[str] | None
    trades: bool


class LimitedSettings(GameSettings, total=False):
    """Settings of a game with a limit of turns."""

    max_turns: int


class EpisodeSettings(LimitedSettings, total=False):
    """The settings of an environment with one game."""

    max_steps: int
    rewards: Literal["win", "points"]
    illegal: Literal["terminate", "raise"]
    float_observations: bool
    render_mode: str | None


class EvaluationSettings(LimitedSettings, total=False):
    """The settings of many games with opponents."""

    max_steps: int
    threads: int | None
    playouts: int | None
    think_ms: int | None
    observations: bool | Literal["compact"]


class OpponentSettings(EvaluationSettings, total=False):
    """The settings of many games with an agent and opponents."""

    rewards: Literal["win", "points"]
    seat: int | None
    skip_forced: bool


class VectorSettings(OpponentSettings, total=False):
    """The settings of `VectorEnv`."""

    seed: int | None
    opponents: Sequence[str | Player | Policy] | None
    masks: bool
    mask_words: bool
    final_observations: bool | Literal["all"]
    paired_boards: bool


class SimulationSettings(LimitedSettings, total=False):
    """The settings of a simulation whose games can be repeated anywhere."""

    seed: int
    playouts: int | None


class TimedSettings(SimulationSettings, total=False):
    """The settings of a simulation whose players may think by time."""

    think_ms: int | None
