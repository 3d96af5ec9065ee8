from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, Final, Literal, SupportsIndex, final

import numpy as np
import numpy.typing as npt
from typing_extensions import Self, Unpack

from .settings import VectorSettings

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
    "Game",
    "IllegalActionError",
    "Move",
    "Player",
    "Record",
    "VectorEnv",
    "_Results",
    "_Units",
    "__version__",
    "_job",
    "_player",
    "_simulate",
    "_vector_env",
    "_win_rate",
    "editions",
    "parse_records",
    "signature",
]

__version__: Final[str]

ACTIONS: Final[tuple[Action, ...]]
ACTIONS_VERSION: Final[int]
BUILDERS: Final[tuple[str, ...]]
EDGE_VERTICES: Final[tuple[tuple[int, int], ...]]
OBSERVATION: Final[tuple[str, ...]]
OBSERVATION_MAX: Final[npt.NDArray[np.uint8]]
COMPACT_OBSERVATION: Final[tuple[str, ...]]
COMPACT_OBSERVATION_MAX: Final[npt.NDArray[np.uint8]]
OBSERVATION_SCALE: Final[npt.NDArray[np.float32]]
OBSERVATION_VERSION: Final[int]
PHASES: Final[tuple[str, ...]]
PLAYERS: Final[tuple[str, ...]]
RESOURCES: Final[tuple[str, ...]]
VERTEX_TILES: Final[tuple[tuple[int, ...], ...]]

_Layout = str | PathLike[str] | None
_Hands = Sequence[Sequence[int]]
_Index = SupportsIndex

class IllegalActionError(ValueError):
    """The rules do not allow an action. The game is unchanged.

    `action` is its index, `rule` the kind of rule: 'phase', 'place', 'resources', 'builder', 'trades' or 'chance', and
    `slot` its slot in a `VectorEnv`, or None.
    """

    action: int
    rule: Literal["phase", "place", "resources", "builder", "trades", "chance"]
    slot: int | None

@final
class Action:
    """An action of the table: its index, its name and its parts."""

    def __new__(cls, index: SupportsIndex) -> Self: ...
    @property
    def index(self) -> int:
        """Return the index in `ACTIONS`."""
    @property
    def kind(self) -> str:
        """Return the kind, such as `build-road`."""
    @property
    def name(self) -> str:
        """Return the name: the kind and the parts, such as `build-road 38` or `offer red brick wifi`."""
    @property
    def vertex(self) -> int | None:
        """Return the vertex of `settle`, `build-basement` and `improve`."""
    @property
    def edge(self) -> int | None:
        """Return the edge of `build-road`."""
    @property
    def tile(self) -> int | None:
        """Return the tile of `move-geese`."""
    @property
    def builder(self) -> int | None:
        """Return the builder who is robbed, or to whom a trade is offered."""
    @property
    def give(self) -> int | None:
        """Return the resource that an offer gives."""
    @property
    def take(self) -> int | None:
        """Return the resource that an offer takes."""
    def __index__(self) -> int: ...
    def __int__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Game:
    """A game: a position, its generator, and the order of building.

    Arguments:
    - `edition`: one of `editions()`.
    - `layout`: the text of a layout, or the path of its file; `None` draws it.
    - `seed`: 0 to 2^64 - 1, as in the text game; `None` draws it.
    - `trades`: whether players may offer trades.
    - `record`: whether actions are kept for `record()`.

    Raises `ValueError` if an argument is invalid, and `OSError` if the file cannot be read.
    """

    def __new__(
        cls,
        *,
        edition: str = "constructor",
        layout: _Layout = None,
        seed: int | None = None,
        trades: bool = False,
        record: bool = False,
    ) -> Self: ...
    @staticmethod
    def from_save(
        text: str,
        *,
        edition: str = "constructor",
        seed: int | None = None,
        trades: bool = False,
        record: bool = False,
    ) -> Game:
        """Continue a saved game.

        Arguments: `text` is the saved game; the others are those of `Game`. Returns the game. Raises `ValueError`,
        which names the wrong line, if `text` is not a valid saved game.
        """
    def to_save(self) -> str:
        """Return the text of a saved game, as the text game of this edition would save it now."""
    @staticmethod
    def from_bytes(data: bytes) -> Game:
        """Return the game that `to_bytes` wrote.

        Raises `ValueError` if `data` is not such a game.
        """
    def to_bytes(self) -> bytes:
        """Return the game as some 200 bytes, with its generator."""
    def copy(self) -> Game:
        """Return a copy, with its generator and its record."""
    def __copy__(self) -> Game: ...
    def __deepcopy__(self, _memo: Any) -> Game: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    @property
    def edition(self) -> str:
        """Return the name of the edition."""
    @property
    def seed(self) -> int:
        """Return the seed."""
    @property
    def trades(self) -> bool:
        """Return whether players may offer trades."""
    @property
    def turns(self) -> int:
        """Return the number of turns that have ended."""
    @property
    def player(self) -> int | None:
        """Return the current player; None once the game is over."""
    @property
    def phase(self) -> str:
        """Return the phase: one of `PHASES`."""
    @property
    def done(self) -> bool:
        """Return whether the game is over."""
    @property
    def winner(self) -> int | None:
        """Return the winner, if the game is over."""
    @property
    def points(self) -> list[int]:
        """Return the points of each builder."""
    @property
    def hands(self) -> list[list[int]]:
        """Return the units of each resource that each builder holds."""
    @property
    def geese(self) -> int | None:
        """Return the tile with the geese; None if they are off the board."""
    @property
    def layout(self) -> str:
        """Return the layout, in the format of a layout file."""
    @property
    def tiles(self) -> list[tuple[int | None, int]]:
        """Return the resource and the value of each tile; None and 7 for a park."""
    @property
    def roads(self) -> list[list[int]]:
        """Return the edges with roads of each builder."""
    @property
    def residences(self) -> list[list[tuple[int, Literal["basement", "house", "tower"]]]]:
        """Return the vertices with residences of each builder, and the kinds: `basement`, `house`, `tower`."""
    @property
    def builder_names(self) -> list[str]:
        """Return the edition's names of the builders."""
    @property
    def resource_names(self) -> list[str]:
        """Return the edition's names of the resources."""
    def legal_actions(self) -> list[int]:
        """Return the indices of the legal actions; none once the game is over."""
    def legal_mask(self, out: npt.NDArray[Any] | None = None) -> npt.NDArray[np.int8]:
        """Return an array with 1 for each legal action and 0 for the others: `out` if it is given, of `int8`, `uint8` or
        `bool`.
        """
    def is_legal(self, action: _Index) -> bool:
        """Return whether an action is legal."""
    def apply(
        self,
        action: _Index,
        *,
        roll: int | None = None,
        lost: _Hands | None = None,
        stolen: int | str | None = None,
    ) -> None:
        """Play an action.

        Arguments:
        - `action`: an `Action` or an index, 0 to 360.
        - `roll`: the sum of the dice, 2 to 12.
        - `lost`: the units lost on a 7, four rows of five counts.
        - `stolen`: the stolen resource, its number or name.

        Outcomes of chance that are not given are drawn. Raises `IllegalActionError`, with its `rule`, if the rules do
        not allow the action or the outcome; the game is then unchanged.
        """
    def outcomes(self, action: _Index) -> list[tuple[Game, float]]:
        """Return all positions that may follow an action, with their probabilities.

        `action` is an `Action` or an index. Returns pairs of a game, with a copy of the generator, and a probability;
        the probabilities add up to 1. Raises `IllegalActionError` if the action is illegal.
        """
    def observe(
        self, seat: int | None = None, out: npt.NDArray[np.uint8] | None = None, *, compact: bool = False
    ) -> npt.NDArray[np.uint8]:
        """Return the observation from a builder's seat.

        Arguments: `seat`, 0 to 3, by default the current player; `out`, the `uint8` array to write and return, of one
        entry for each name in `OBSERVATION`, or in `COMPACT_OBSERVATION` if it is `compact`.
        """
    def action_text(self, action: _Index) -> str:
        """Return an action as it is typed in the text game."""
    def parse(self, text: str) -> int:
        """Return the action that this text stands for in the current phase.

        Raises `ValueError` if there is none.
        """
    def record(self, players: Sequence[str] | None = None) -> str:
        """Return the record so far, as JSON Lines.

        `players` are the names of the players. Raises `ValueError` unless the game was made with `record=True`.
        """
    def svg(self) -> str:
        """Return the board as a picture."""
    def _repr_svg_(self) -> str: ...

@final
class Player:
    """A computer player. It remembers the positions it has seen in a game, so use a new player for each game.

    Arguments:
    - `name`: one of `PLAYERS`.
    - `playouts`: the budget of hard and expert players for each decision; by default 1,000.
    - `think_ms`: milliseconds for each decision instead.
    - `seed`: the seed of the player's own generator; `None` draws it.

    A player can be called as a function of a game. Raises `ValueError` if an argument is invalid.
    """

    def __new__(
        cls, name: str, *, playouts: int | None = None, think_ms: int | None = None, seed: int | None = None
    ) -> Self: ...
    @property
    def name(self) -> str:
        """Return the name of the player's kind."""
    @property
    def playouts(self) -> int | None:
        """Return the playouts for each decision; `None` for a player that thinks by time."""
    @property
    def think_ms(self) -> int | None:
        """Return the milliseconds for each decision; `None` unless the player thinks by time."""
    @property
    def seed(self) -> int:
        """Return the seed of the player's generator."""
    def __call__(self, game: Game) -> int: ...
    def search(self, game: Game) -> dict[str, Any]:
        """Choose a legal action as `choose` does, and return it with what the search has tried.

        Returns a dictionary: `action` is the choice, `actions` the indices of the candidates, `visits` how often each
        was tried, `values` their estimated chances to win, and `prior` the action that the player would choose without
        a search. The arrays are empty where nothing was searched: for players that do not search, decisions with one
        legal action, and trades that are offered to an expert.
        """
    def choose(self, game: Game) -> int:
        """Choose a legal action, and return its index.

        The game is unchanged. Raises `ValueError` if the game is over.
        """
    def observe(self, game: Game) -> None:
        """Show the player a position before any player decides. An expert learns from this how the other players play."""
    def evaluate(
        self, game: Game, *, playouts: int | None = None, players: Sequence[str | None] | None = None
    ) -> npt.NDArray[np.float64]:
        """Estimate the chance of each builder to win, by playouts.

        `playouts` is the number of playouts, by default the player's own budget. `players` names the four players who
        sit there, as `simulate` does; `None` in it is a player of whom nothing is known, who is taken for one somewhat
        weaker than `hard`. Without `players`, four normal players sit there. Returns four chances as a `float64` array,
        which add up to at most 1, since a playout may end without a winner.
        """

@final
class VectorEnv:
    """Many games at once, in `n` slots: a step plays one action in each.

    The arrays are the engine's: every step overwrites them.

    Arguments:
    - `n`: the number of slots.
    - `seed`: the seed from which the seeds of all games are derived; `None` draws it.
    - `edition`, `layout`, `trades`: as for `Game`.
    - `opponents`: the three players after the agent, whose actions a step plays too: names, `Player`s, or policies. A
      policy is a function of observations and masks, with a row for each slot where it decides, that returns their
      actions. Without opponents, actions are given for all four builders, and `players` says who decides in each slot.
    - `seat`: the agent's builder, 0 to 3; `None` takes one that depends on the number of the game.
    - `skip_forced`: whether actions without an alternative are played too.
    - `max_turns`: the number of turns after which a game is truncated; by default 1,000.
    - `max_steps`: the number of actions, of all players, after which a game is truncated; by default 100,000. With
      trades, a single turn can have any number.
    - `rewards`: "win" gives 1 to the winner and -1/3 to the others at the end, "points" a tenth for each point when it
      is gained.
    - `observations`, `masks`, `mask_words`, `final_observations`: which arrays are written; by default the first two.
      With `observations="compact"`, all observations have the entries of `COMPACT_OBSERVATION`. With
      `final_observations="all"`, they are seen from the seats of all four builders.
    - `paired_boards`: whether four games in a row have the same board and dice, as in a match.
    - `playouts`, `think_ms`: the budget of opponents that are given by name; by default 1,000 playouts.
    - `threads`: the number of threads, which changes no result; `None` takes one for each core.

    Raises `ValueError` if an argument is invalid, and `MemoryError` if there is not enough memory.
    """

    def __new__(cls, n: int, **settings: Unpack[VectorSettings]) -> Self: ...
    @property
    def n(self) -> int:
        """Return the number of slots."""
    @property
    def seed(self) -> int:
        """Return the seed from which the seeds of all games are derived."""
    @property
    def threads(self) -> int:
        """Return the number of threads."""
    @property
    def observations(self) -> npt.NDArray[np.uint8] | None:
        """Return the observations from the seat of the current player, a row for each slot; None if they are not wanted."""
    @property
    def final_observations(self) -> npt.NDArray[np.uint8] | None:
        """Return the last observation of each game that ended in the last step, a row for each slot, from the agent's
        seat; without opponents, from the seat of the builder whose turn would be next.

        With `final_observations="all"`, a row for each builder of each slot. None if they are not wanted.
        """
    @property
    def masks(self) -> npt.NDArray[np.int8] | None:
        """Return the legal actions as bytes of 0 and 1, a row for each slot; None if they are not wanted."""
    @property
    def mask_words(self) -> npt.NDArray[np.uint64] | None:
        """Return the legal actions as bits: action `i` is bit `i % 64` of word `i // 64`; None if they are not wanted."""
    @property
    def players(self) -> npt.NDArray[np.int8]:
        """Return the current player of each slot."""
    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """Return the rewards of the last step: a row for each slot, a column for each builder."""
    @property
    def terminated(self) -> npt.NDArray[np.bool_]:
        """Return, for each slot, whether its game was over after the last step."""
    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Return, for each slot, whether its game reached a limit in the last step."""
    @property
    def winners(self) -> npt.NDArray[np.int8]:
        """Return, for each slot, the winner of the game that ended in the last step, or -1."""
    @property
    def seeds(self) -> npt.NDArray[np.uint64]:
        """Return the seed of the game in each slot: `Game(seed=...)` is the same game, unless `paired_boards`."""
    def reset(self, seed: int | Sequence[int | None] | None = None, *, mask: npt.ArrayLike | None = None) -> None:
        """Begin a game in every slot, or in those that `mask` selects, an array of `bool`.

        With one `seed`, the games are the games of a new environment with this seed. With a list, slot `i` plays the
        games of `VectorEnv(1, seed=list[i])`; None in it begins the next game. Without a seed, the next games begin.
        """
    def step(self, actions: npt.ArrayLike) -> None:
        """Play an action in every slot, and write all arrays.

        `actions` are the indices of the actions, an integer array of shape (n,). A game that ends is replaced by a new
        one: `rewards`, `terminated`, `truncated` and `winners` are about the old game, the other arrays about the new
        one. Raises `IllegalActionError` if an action is illegal; nothing is played then.
        """
    def sample_actions(self, logits: npt.ArrayLike | None = None, *, greedy: bool = False) -> npt.NDArray[np.int64]:
        """Return a legal action for each slot, an `int64` array of shape (n,), which the next call overwrites.

        With `logits`, an array of shape (n, 361), draws it by the softmax of the logits of the legal actions, or takes
        the one with the greatest logit if `greedy`. Otherwise, all legal actions have the same probability. What is
        drawn depends on the seed of the environment and the number of calls. Raises `ValueError` if a legal action's
        logit is not a number, or none is finite.
        """
    def game(self, slot: int) -> Game:
        """Return a copy of the game in a slot."""
    def set_game(self, slot: int, game: Game) -> None:
        """Put a copy of a game into a slot, and play up to the agent's decision; the opponents begin to watch there.

        The next game of the slot is the one that would have followed. Raises `ValueError` if the game is over, of
        another edition, or with other trades.
        """
    def state(self) -> bytes:
        """Return all that `set_state` needs to go on from here, as bytes: games, generators, and what opponents have seen.

        Not kept: what policies remember, the rewards of the last step, and the time of players that think by time.
        """
    def set_state(self, state: bytes) -> None:
        """Go on from a `state()` of an environment with the same arguments.

        With opponents, their games are played again, since that alone tells what they have seen. Raises `ValueError` if
        the state does not fit; nothing is changed then.
        """
    def __len__(self) -> int: ...
    def __reduce__(self) -> tuple[Any, ...]: ...

@final
class Move:
    """A move of a recorded game."""

    @property
    def turn(self) -> int:
        """Return the number of rolls up to this move, including it; 0 in the setup."""
    @property
    def builder(self) -> int:
        """Return the builder who decided."""
    @property
    def action(self) -> int:
        """Return the index of the action."""
    @property
    def roll(self) -> int | None:
        """Return the sum of the dice, if the move is a roll."""
    @property
    def dice(self) -> list[int] | None:
        """Return the faces of the dice, if they were fair."""
    @property
    def lost(self) -> list[list[int]] | None:
        """Return what each builder lost on a 7, as `Game.apply` takes it."""
    @property
    def stolen(self) -> int | None:
        """Return the resource that was stolen."""

@final
class Record:
    """A recorded game, with every line checked against the rules."""

    @property
    def edition(self) -> str:
        """Return the name of the edition."""
    @property
    def seed(self) -> int:
        """Return the seed."""
    @property
    def header(self) -> dict[str, Any]:
        """Return the first line of the record, as a dictionary."""
    @property
    def players(self) -> list[str]:
        """Return the names of the players at the end, in turn order."""
    @property
    def moves(self) -> list[Move]:
        """Return the moves, without those that were undone."""
    @property
    def winner(self) -> int | None:
        """Return the winner, if the game is over."""
    @property
    def points(self) -> list[int]:
        """Return the points at the end."""
    def games(self) -> list[Game]:
        """Return the position before each move, and the last position."""
    def __len__(self) -> int: ...

@final
class _Results:
    """The results of a simulation, or of merged units."""

    @property
    def games(self) -> int: ...
    @property
    def player_names(self) -> list[str]: ...
    @property
    def builder_names(self) -> list[str]: ...
    @property
    def missing(self) -> str | None: ...
    @property
    def accepted(self) -> float | None:
        """Return the win rate that a sequential test accepts, if the test is decided."""
    def table(self) -> str: ...
    def json(self, command: str, duration: float) -> str: ...
    def take_columns(self) -> dict[str, npt.NDArray[Any]] | None:
        """Return the columns at the first call; later calls return `None`."""
    def records(self) -> str | None: ...
    def unit(self) -> str: ...

@final
class _Units:
    """A collection of units, to be merged."""

    def __new__(cls) -> Self: ...
    def read(self, name: str, text: str) -> None:
        """Read a unit and add it."""
    def ranges(self) -> list[tuple[int, int]]:
        """Return the first game and the number of games of each unit."""
    def merge(self) -> _Results: ...

def editions() -> list[str]:
    """Returns the names of the editions."""

def parse_records(text: bytes) -> list[Record]:
    """Reads the games of a record."""

def signature() -> str:
    """Returns the signature of the engine."""

def _player(name: str, playouts: int | None, think_ms: int | None, seed: int) -> Player:
    """Makes a player from the arguments that a pickled [`PyPlayer`] has."""

def _win_rate(boards_by_wins: Sequence[int], rates: Sequence[float] | None) -> tuple[float, float, float | None]:
    """Returns the 95 % interval of a win rate, as the table of a match has it, and the win rate that a sequential test
    accepts.
    """

def _vector_env(n: int, settings: dict[str, Any], state: bytes) -> VectorEnv:
    """Makes an environment from what a pickled one has."""

def _job(setup: dict[str, Any]) -> str:
    """Returns the JSON of the job that a simulation plays."""

def _simulate(
    setup: dict[str, Any],
    *,
    threads: int | None,
    rows: bool,
    records: bool,
    all_games: bool,
    progress: Callable[[int], object] | None,
) -> _Results:
    """Plays the games of a simulation.

    With a sequential test, stops once the test is decided, unless `all_games` is `true`. The program's commands
    `simulate` and `match` do the same.
    """
