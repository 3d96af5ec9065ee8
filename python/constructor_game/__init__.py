"""Constructor, a game of builders for four players: a fast engine, environments, computer players and simulations.

Builders are numbered 0 to 3 in turn order, resources 0 to 4 (`RESOURCES`), actions 0 to 360 (`ACTIONS`).

>>> game = Game(seed=7)
>>> game.player, game.phase, len(game.legal_actions())
(0, 'setup', 54)
>>> game.apply(7)
>>> ACTIONS[7].name, game.points
('settle 7', [1, 0, 0, 0])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ._engine import (
    ACTIONS,
    ACTIONS_VERSION,
    BUILDERS,
    COMPACT_OBSERVATION,
    COMPACT_OBSERVATION_MAX,
    EDGE_VERTICES,
    OBSERVATION,
    OBSERVATION_MAX,
    OBSERVATION_SCALE,
    OBSERVATION_VERSION,
    PHASES,
    PLAYERS,
    RESOURCES,
    VERTEX_TILES,
    Action,
    Game,
    IllegalActionError,
    Move,
    Player,
    Record,
    VectorEnv,
    __version__,
    editions,
    signature,
)
from .episode import to_float
from .evaluation import Evaluation, evaluate
from .registration import register as _register
from .simulation import Results, match, merge, moves_table, read_records, simulate

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .pettingzoo_env import ConstructorAECEnv
    from .settings import EpisodeSettings

__all__ = [
    "ACTIONS",
    "ACTIONS_VERSION",
    "BUILDERS",
    "COMPACT_OBSERVATION",
    "COMPACT_OBSERVATION_MAX",
    "EDGE_VERTICES",
    "OBSERVATION",
    "OBSERVATION_MAX",
    "OBSERVATION_SCALE",
    "OBSERVATION_VERSION",
    "PHASES",
    "PLAYERS",
    "RESOURCES",
    "VERTEX_TILES",
    "Action",
    "Evaluation",
    "Game",
    "IllegalActionError",
    "Move",
    "Player",
    "Record",
    "Results",
    "VectorEnv",
    "__version__",
    "editions",
    "env",
    "evaluate",
    "match",
    "merge",
    "moves_table",
    "raw_env",
    "read_records",
    "signature",
    "simulate",
    "to_float",
]

_register()


def env(**settings: Unpack[EpisodeSettings]) -> ConstructorAECEnv:
    """Return a PettingZoo AEC environment for all four builders. Needs the extra `pettingzoo`.

    The keyword arguments are those of `constructor_game.pettingzoo_env.ConstructorAECEnv`.
    """
    from .pettingzoo_env import ConstructorAECEnv

    return ConstructorAECEnv(**settings)


def raw_env(**settings: Unpack[EpisodeSettings]) -> ConstructorAECEnv:
    """Return the same environment, but with `illegal="raise"`: an illegal action raises `IllegalActionError`."""
    settings.setdefault("illegal", "raise")
    return env(**settings)
