"""The game as Gymnasium environments: one builder learns, the others are players."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, SupportsIndex

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from ._engine import ACTIONS, BUILDERS, Game, IllegalActionError, Player, VectorEnv
from .episode import RENDER_MODES, Episode, Observation, action_space, observation_space, to_float

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .settings import EpisodeSettings, OpponentSettings, Policy

#: A player: a name, a `Player`, or a function of a game that returns an action.
Opponent = str | Player | Callable[[Game], SupportsIndex]

#: Players who learn from what they observe.
_LEARNERS = ("expert", "quiet", "veteran")

RANDOM_OPPONENTS = ("random", "random", "random")


class ConstructorEnv(gymnasium.Env[Observation, np.int64]):
    """A game from one builder's seat. A step plays an action of this builder, and those of the opponents up to the builder's next decision.

    An observation is a dictionary: `observation` is an array whose entries `OBSERVATION` names, and `action_mask` an
    `int8` array, which is also in `info`. `info["seat"]` is the agent's number, `info["winner"]` the winner's, or -1.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 4}  # type: ignore[misc]

    def __init__(
        self,
        opponents: Sequence[Opponent] = RANDOM_OPPONENTS,
        *,
        seat: int | None = None,
        skip_forced: bool = False,
        playouts: int | None = None,
        **settings: Unpack[EpisodeSettings],
    ) -> None:
        """Make an environment.

        `opponents` are the three players after the agent, in turn order. `seat` is the agent's builder; without it,
        each game draws one. With `skip_forced`, actions without an alternative are played automatically. `playouts` is the
        budget of opponents that are given by name. An illegal action ends the game with a reward of -1, or raises
        `IllegalActionError`. The other arguments are those of the PettingZoo environment.
        """
        if isinstance(opponents, str):
            raise TypeError("opponents: expected a list of three, not a text")
        if len(opponents) != len(BUILDERS) - 1:
            raise ValueError(f"opponents: expected three, not {len(opponents)}")
        if seat is not None and operator.index(seat) not in range(len(BUILDERS)):
            raise ValueError(f"seat: expected None or a number from 0 to 3, not {seat!r}")
        self._episode = Episode(**settings)
        self.observation_space: gymnasium.spaces.Space[Any] = observation_space(floats=self._episode.floats)
        self.action_space = action_space()
        self.render_mode = self._episode.render_mode
        self.seat = seat or 0
        self._opponents = list(opponents)
        self._fixed_seat = seat
        self._skips_forced = skip_forced
        self._playouts = playouts
        self._ended = True
        self._players: list[Callable[[Game], SupportsIndex]] = []
        self._watchers: list[Player] = []
        # Names are checked at once.
        for opponent in opponents:
            self._player(opponent, 0)

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self._episode.game

    def _player(self, opponent: Opponent, seed: int) -> Callable[[Game], SupportsIndex]:
        if isinstance(opponent, str):
            return Player(opponent, playouts=self._playouts, seed=seed)
        if isinstance(opponent, Player):
            return Player(opponent.name, playouts=opponent.playouts, think_ms=opponent.think_ms, seed=seed)
        if callable(opponent):
            return opponent
        raise TypeError(f"opponents: expected a name, a Player or a function, not {type(opponent).__name__}")

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game. The seed decides this game and all later ones: board, dice, seats and players."""
        super().reset(seed=seed)
        seeds = [int(number) for number in self.np_random.integers(1 << 63, size=1 + len(self._opponents))]
        drawn_seat = int(self.np_random.integers(len(BUILDERS)))
        self.seat = drawn_seat if self._fixed_seat is None else self._fixed_seat
        self._episode.begin(seeds[0])
        self._players = [
            self._player(opponent, seed) for opponent, seed in zip(self._opponents, seeds[1:], strict=True)
        ]
        # Experts learn how the others play.
        self._watchers = [player for player in self._players if isinstance(player, Player) and player.name in _LEARNERS]
        # Should an opponent fail, the game cannot go on.
        self._ended = True
        self._advance(begins=True)
        self._ended = False
        return self._observation(), self._info()

    def _advance(self, *, begins: bool = False) -> None:
        """Play the opponents' actions, and forced ones if they are skipped, up to the agent's next decision.

        The limits end no game that begins.
        """
        game = self.game
        while (player := game.player) is not None and (begins or not self._episode.is_truncated()):
            if player != self.seat:
                self._apply(self._players[(player - self.seat) % len(BUILDERS) - 1](game))
            elif self._skips_forced and len(actions := game.legal_actions()) == 1:
                self._apply(actions[0])
            else:
                break

    def _apply(self, action: SupportsIndex) -> None:
        """Play an action, and show the position before it to the opponents that learn."""
        for watcher in self._watchers:
            watcher.observe(self.game)
        self._episode.apply(action)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal, in the form that sb3-contrib's maskable algorithms ask for."""
        return self._mask().astype(bool)

    def _mask(self) -> npt.NDArray[np.int8]:
        return np.zeros(len(ACTIONS), np.int8) if self._ended else self.game.legal_mask()

    def _observation(self) -> Observation:
        return {"observation": self._episode.observe(self.seat), "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        winner = self.game.winner
        return {"action_mask": self._mask(), "winner": -1 if winner is None else winner, "seat": self.seat}

    def step(self, action: SupportsIndex) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Play an action. Return the observation, the reward, whether the game is over or truncated, and the info."""
        if self._ended:
            raise gymnasium.error.ResetNeeded("the game is over: call reset()")
        episode, points = self._episode, self.game.points
        try:
            self._apply(operator.index(action))
        except (IllegalActionError, IndexError) as error:
            if episode.raises:
                raise
            warnings.warn(f"the game ends with an illegal action: {error}", stacklevel=2)
            self._ended = True
            return self._observation(), -1.0, True, False, {**self._info(), "illegal_action": str(error)}
        self._ended = True
        self._advance()
        terminated, truncated = self.game.done, episode.is_truncated()
        self._ended = terminated or truncated
        if self.render_mode == "human":
            self.render()
        return self._observation(), episode.rewards(points)[self.seat], terminated, truncated, self._info()

    def render(self) -> str | None:
        """Return the board as text in mode "ansi"; print it in mode "human"."""
        return self._episode.render()


class ConstructorVectorEnv(gymnasium.vector.VectorEnv[Observation, npt.NDArray[Any], npt.NDArray[Any]]):
    """Many games at once, each from one builder's seat, played by `VectorEnv`.

    A game that ends is replaced by a new one in the same step: the observation is that of the new game, and
    `infos["final_obs"]` has the last observation of the old one. Opponents are names, `Player`s or policies. An illegal action
    raises `IllegalActionError`, and nothing is played.
    """

    metadata: ClassVar[dict[str, Any]] = {  # type: ignore[misc]
        "autoreset_mode": AutoresetMode.SAME_STEP,
        "render_modes": [],
        "render_fps": 4,
    }

    def __init__(
        self,
        num_envs: int = 1,
        opponents: Sequence[str | Player | Policy] = RANDOM_OPPONENTS,
        *,
        float_observations: bool = False,
        copy: bool = True,
        render_mode: str | None = None,
        **settings: Unpack[OpponentSettings],
    ) -> None:
        """Make `num_envs` environments; without a `seat`, the agent's builder depends on the number of the game.

        Without `copy`, the arrays of a step are those of the engine, and the next step overwrites them. The other arguments
        are those of `VectorEnv`.
        """
        super().__init__()
        if render_mode is not None:
            raise ValueError("render_mode: many games are not shown")
        self._engine = VectorEnv(num_envs, seed=0, final_observations=True, opponents=opponents, **settings)
        self.num_envs = num_envs
        self.render_mode = None
        self._floats = float_observations
        self._copies = copy
        self.single_observation_space = observation_space(floats=float_observations)
        self.single_action_space = action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._began = False
        self._indices = np.arange(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a new game in every environment, or in those that `options["reset_mask"]` selects.

        One seed decides all of them, and all later ones; a list has a seed for each environment.
        """
        one = int(seed) if isinstance(seed, int | np.integer) else None
        super().reset(seed=one)
        mask = (options or {}).get("reset_mask")
        is_whole = mask is None and (seed is None or one is not None)
        if not self._began or (is_whole and one is not None):
            self._engine.reset(int(self.np_random.integers(1 << 63)))
        elif is_whole:
            self._engine.reset()
        if not is_whole:
            # As Gymnasium's own vector environments do with one seed.
            seeds = seed if one is None else [one + slot for slot in range(self.num_envs)]
            self._engine.reset(seeds, mask=mask)
        self._began = True
        return self._observations(), self._infos()

    def step(
        self, actions: npt.NDArray[Any]
    ) -> tuple[Observation, npt.NDArray[Any], npt.NDArray[Any], npt.NDArray[Any], dict[str, Any]]:
        """Play an action in every game."""
        if not self._began:
            raise gymnasium.error.ResetNeeded("call reset() first")
        engine = self._engine
        seats = engine.players.copy()
        engine.step(actions)
        rewards = engine.rewards[self._indices, seats].astype(np.float64)
        terminated, truncated = engine.terminated.copy(), engine.truncated.copy()
        return self._observations(), rewards, terminated, truncated, self._infos(terminated | truncated, seats)

    def _entries(self, entries: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        if self._floats:
            return to_float(entries)
        return entries.copy() if self._copies else entries

    def _observations(self) -> Observation:
        engine = self._engine
        assert engine.observations is not None
        return {"observation": self._entries(engine.observations), "action_mask": self._masks()}

    def _masks(self) -> npt.NDArray[np.int8]:
        assert self._engine.masks is not None
        return self._engine.masks.copy() if self._copies else self._engine.masks

    def _infos(
        self, ended: npt.NDArray[np.bool_] | None = None, seats: npt.NDArray[np.int8] | None = None
    ) -> dict[str, Any]:
        always = np.ones(self.num_envs, bool)
        infos: dict[str, Any] = {
            "action_mask": self._masks(),
            "_action_mask": always,
            "seat": self._engine.players.copy(),
            "_seat": always,
            "winner": np.full(self.num_envs, -1, np.int8),
            "_winner": always,
        }
        if ended is not None and ended.any():
            final = np.full(self.num_envs, None, dtype=object)
            entries = self._engine.final_observations
            assert entries is not None
            for index in np.flatnonzero(ended):
                row = to_float(entries[index]) if self._floats else entries[index].copy()
                final[index] = {"observation": row, "action_mask": np.zeros(len(ACTIONS), np.int8)}
            winners = {"winner": self._engine.winners.copy(), "_winner": ended, "seat": seats, "_seat": ended}
            infos |= {"final_obs": final, "_final_obs": ended, "final_info": winners, "_final_info": ended}
        return infos

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Return which actions are legal in each game."""
        return self._masks().astype(bool)
