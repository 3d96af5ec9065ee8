"""Measures of policies."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ._engine import BUILDERS, Player, VectorEnv, _win_rate
from .settings import EvaluationSettings

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import Policy

#: The games of a board: the policy plays from every seat.
_SEATS = len(BUILDERS)

#: A sequential test looks at the results after this many boards, as that of a match.
_BOARDS_BETWEEN_TESTS = 32


@dataclass(frozen=True)
class Evaluation:
    """How often a policy wins.

    `boards` is the number of boards, `win_rate` the share of the games that the policy has won, 0.25 among equals, `interval` its 95 %
    interval, `wins` the wins on each board, 0 to 4, and `accepted` the win rate that a sequential test accepts, if it is decided.
    """

    boards: int
    win_rate: float
    interval: tuple[float, float]
    wins: npt.NDArray[np.int64]
    accepted: float | None


def evaluate(
    policy: Policy,
    opponents: str | Player | Policy | Sequence[str | Player | Policy],
    boards: int = 250,
    *,
    seed: int = 0,
    sprt: tuple[float, float] | None = None,
    slots: int = 256,
    **settings: Unpack[EvaluationSettings],
) -> Evaluation:
    """Measure a policy of observations and masks: each board is played from every seat, with the same dice.

    `opponents` are the three after the policy in turn order, or the one that plays all three: names, `Player`s or policies. The
    boards and dice are those of `match` with the same seed, so that the numbers of both can be compared. `slots` games are played at once. With `sprt`, two win rates in ascending order, the games stop once a sequential test
    decides between them. The other arguments are those of `VectorEnv`; `max_turns` is 10,000.

    >>> first = lambda observations, masks: masks.argmax(axis=1)
    >>> evaluate(first, "random", boards=2).boards
    2
    """
    if not callable(policy):
        raise TypeError("policy: expected a function of observations and masks; `match` measures players")
    if opponents is None:
        raise TypeError("opponents: expected a name, a Player, a policy, or three of them")
    for name in settings.keys() - EvaluationSettings.__optional_keys__:
        raise TypeError(f"there is no argument '{name}'")
    boards, slots = operator.index(boards), operator.index(slots)
    if boards < 1:
        raise ValueError("boards: expected at least 1")
    _win_rate([0] * (_SEATS + 1), sprt)  # refuses wrong rates
    others = [opponents] * 3 if isinstance(opponents, str | Player) or callable(opponents) else opponents
    games = _SEATS * boards
    slots = min(slots, games)
    settings.setdefault("max_turns", 10_000)
    env = VectorEnv(slots, seed=seed, opponents=others, skip_forced=True, paired_boards=True, **settings)
    assert env.masks is not None
    if env.observations is None:
        raise ValueError("observations: a policy needs them")
    numbers, won = np.arange(slots), np.full(games, -1)
    tested, accepted = 0, None
    while accepted is None and (won < 0).any():
        seats = env.players.copy()
        env.step(policy(env.observations, env.masks))
        ended = np.flatnonzero(env.terminated | env.truncated)
        counted = ended[numbers[ended] < games]
        won[numbers[counted]] = env.winners[counted] == seats[counted]
        numbers[ended] += slots
        # The games from the first one on without a gap, so that the result does not depend on the number of slots.
        while sprt is not None and accepted is None and tested + _BOARDS_BETWEEN_TESTS <= boards:
            played = won[: _SEATS * (tested + _BOARDS_BETWEEN_TESTS)]
            if (played < 0).any():
                break
            tested += _BOARDS_BETWEEN_TESTS
            accepted = _win_rate(_by_wins(played), sprt)[2]
    return _evaluation(won if accepted is None else won[: _SEATS * tested], sprt)


def _by_wins(won: npt.NDArray[np.int64]) -> list[int]:
    """Return how many boards have 0, 1, ..., 4 wins."""
    wins = won.reshape(-1, _SEATS).sum(axis=1)
    return [int((wins == number).sum()) for number in range(_SEATS + 1)]


def _evaluation(won: npt.NDArray[np.int64], sprt: tuple[float, float] | None) -> Evaluation:
    low, high, accepted = _win_rate(_by_wins(won), sprt)
    wins = won.reshape(-1, _SEATS).sum(axis=1)
    return Evaluation(len(wins), float(won.mean()), (low, high), wins, accepted)
