"""Simulations and matches, with the numbers of the program's commands `simulate` and `match`, and records of games."""

from __future__ import annotations

import json
import os
import time
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

import numpy as np
import numpy.typing as npt

from . import _engine
from ._engine import ACTIONS, Game, Player, Record

if TYPE_CHECKING:
    import pyarrow
    from typing_extensions import Unpack

    from .settings import TimedSettings

#: A player: a name, a `Player`, or a function of a game that returns an action.
AnyPlayer = str | Player | Callable[[Game], SupportsIndex]


class Results:
    """The results of a simulation.

    `games` is the number of games, `summary` is the summary that the program writes with `-json`, `table` is the table
    that it prints, and `rows` are the rows that it writes with `-csv`, as an Arrow table, which pandas, Polars and
    DuckDB read without a copy.
    """

    def __init__(self, engine: _engine._Results, command: str, duration: float) -> None:
        """Wrap the results of the engine."""
        self._engine = engine
        self._command = command
        self._duration = duration
        self._columns: dict[str, npt.NDArray[Any]] | None = None
        self._rows: pyarrow.Table | None = None

    @property
    def games(self) -> int:
        """The number of games."""
        return self._engine.games

    @property
    def table(self) -> str:
        """The table that the program prints."""
        return self._engine.table()

    @property
    def json(self) -> str:
        """The summary that the program writes with `-json`."""
        return self._engine.json(self._command, self._duration)

    @property
    def summary(self) -> dict[str, Any]:
        """The summary as a dictionary."""
        summary: dict[str, Any] = json.loads(self.json)
        return summary

    @property
    def win_rates(self) -> list[float]:
        """The win rate of each player."""
        return [player["win_rate"] for player in self.summary["players"]]

    @property
    def accepted(self) -> float | None:
        """The win rate that a sequential test accepts, if the test is decided."""
        return self._engine.accepted

    @property
    def adjusted(self) -> dict[str, float | None] | None:
        """The win rate less luck, with its interval, as in the summary; `None` without `adjust` or two boards."""
        adjusted: dict[str, float | None] | None = self.summary.get("adjusted")
        return adjusted

    @property
    def columns(self) -> dict[str, npt.NDArray[Any]]:
        """The rows, one for each seat of each game, as arrays by name; raises `ValueError` if they were not kept.

        `player_number` and `seat` begin with 1. `first_site` and `second_site` are -1 where there is none. `luck` is there
        with `adjust`.
        """
        if self._columns is None:
            self._columns = self._engine.take_columns()
        if self._columns is None:
            raise ValueError("the rows were not kept: simulate with rows=True; merged units have none")
        return self._columns

    @property
    def rows(self) -> pyarrow.Table:
        """The rows as an Arrow table with the columns of the program's `-csv`. Needs the extra `arrow`."""
        if self._rows is None:
            self._rows = _arrow(self.columns, self._engine.player_names, self._engine.builder_names)
        return self._rows

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Write the rows to a Parquet file. Needs the extra `arrow`."""
        write_parquet(self.rows, path)

    @property
    def records(self) -> str:
        """The records of the games, as JSON Lines; raises `ValueError` if they were not kept."""
        records = self._engine.records()
        if records is None:
            raise ValueError("the records were not kept: simulate with records=True")
        return records

    def unit(self) -> str:
        """Return the results as a unit, as the program writes them with `-unit`."""
        return self._engine.unit()

    def __repr__(self) -> str:
        """Show the table."""
        return self.table


def _arrow(columns: dict[str, npt.NDArray[Any]], players: list[str], builders: Sequence[str]) -> pyarrow.Table:
    import pyarrow as pa

    def names(values: Sequence[str], numbers: npt.NDArray[Any]) -> pa.DictionaryArray:
        # Players may have the same name; the values of a dictionary must differ.
        unique = list(dict.fromkeys(values))
        codes = np.array([unique.index(value) for value in values], np.int8)
        return pa.DictionaryArray.from_arrays(pa.array(codes[numbers - 1]), pa.array(unique, pa.string()))

    arrays: dict[str, Any] = {}
    for name, column in columns.items():
        if name in ("first_site", "second_site"):
            arrays[name] = pa.array(column, mask=column < 0)
        else:
            arrays[name] = pa.array(column)
        # In the order of the CSV file.
        if name == "seat":
            arrays["builder"] = names(builders, column)
        if name == "player_number":
            arrays["player"] = names(players, column)
    return pa.table(arrays)


def write_parquet(rows: pyarrow.Table, where: Any) -> None:
    """Write rows to a Parquet file or stream. With one version of pyarrow, the same rows give the same bytes."""
    import pyarrow.parquet as pq

    pq.write_table(rows, where, compression="zstd", use_dictionary=True)


def run(
    job: dict[str, Any],
    *,
    command: str = "",
    threads: int | None = None,
    rows: bool = False,
    records: bool = False,
    all_games: bool = False,
    progress: Callable[[int], object] | None = None,
) -> Results:
    """Play the games of a job. With `all_games`, a sequential test does not end the simulation early; units need all games."""
    begun = time.monotonic()
    results = _engine._simulate(
        job, threads=threads, rows=rows, records=records, all_games=all_games, progress=progress
    )
    return Results(results, command, time.monotonic() - begun)


def simulation_job(
    games: int, players: Sequence[AnyPlayer], rotate_seats: bool, settings: TimedSettings
) -> dict[str, Any]:
    """Return the job of a simulation, for the engine."""
    schedule = "rotated" if rotate_seats else "fixed"
    return {"games": games, "players": players, "schedule": schedule, **settings}


def match_job(
    boards: int,
    player: AnyPlayer,
    others: AnyPlayer,
    sprt: tuple[float, float] | None,
    adjust: float | None,
    settings: TimedSettings,
) -> dict[str, Any]:
    """Return the job of a match, for the engine."""
    players = [player, others, others, others]
    return {"games": 4 * boards, "players": players, "schedule": "match", "sprt": sprt, "adjust": adjust, **settings}


def simulate(
    games: int = 1_000,
    players: Sequence[AnyPlayer] = ("random", "random", "greedy", "greedy"),
    *,
    first: int = 0,
    rotate_seats: bool = True,
    threads: int | None = None,
    rows: bool = True,
    records: bool = False,
    progress: Callable[[int], object] | None = None,
    **settings: Unpack[TimedSettings],
) -> Results:
    """Play games between four players: names, `Player`s, or functions of a `Game` that return an action.

    Functions are called only where there is a choice. The games that they see have generators of their own. Only the
    kind and the budget of a `Player` are used.

    The results are those of the program's command `simulate` with the same `seed` (0), whatever the number of threads; by default, all
    cores are used. `edition`, `layout` and `trades` are those of `Game`; a game ends after `max_turns` turns (10,000). `playouts` or
    `think_ms` are the budget of players that are given by name. `rows` and `records` are kept if asked for. `progress` is called with
    the number of games so far. Ctrl-C ends the simulation with `KeyboardInterrupt`.

    >>> simulate(100, ["greedy", "random", "random", "random"], seed=1).win_rates[0] > 0.9
    True
    """
    job = {"first": first, **simulation_job(games, players, rotate_seats, settings)}
    return run(job, command="simulate", threads=threads, rows=rows, records=records, progress=progress)


def match(
    player: AnyPlayer,
    others: AnyPlayer,
    boards: int = 250,
    *,
    sprt: tuple[float, float] | None = None,
    adjust: float | None = None,
    threads: int | None = None,
    rows: bool = True,
    records: bool = False,
    progress: Callable[[int], object] | None = None,
    **settings: Unpack[TimedSettings],
) -> Results:
    """Play one player against three of another: each board is played from every seat, with the same dice.

    The results are those of the program's command `match`. With `sprt`, the match stops as soon as a sequential test
    decides between the two win rates. With `adjust`, 0 to 1, results are adjusted for luck, by that share of it. The other
    arguments are those of `simulate`.
    """
    job = match_job(boards, player, others, sprt, adjust, settings)
    return run(job, command="match", threads=threads, rows=rows, records=records, progress=progress)


def merge(units: Iterable[str | os.PathLike[str]]) -> Results:
    """Merge unit files into the results of one run, as the program's command `merge` does.

    Raises `ValueError` for a unit that is damaged, of another job or of another signature, and for games that are missing.
    """
    collected = _engine._Units()
    if isinstance(units, str | os.PathLike):
        raise TypeError("units: expected several paths")
    for path in units:
        with open(path, encoding="utf-8") as file:
            collected.read(os.fspath(path), file.read())
    merged = collected.merge()
    if merged.missing is not None:
        warnings.warn(f"{merged.missing}: decided by those before them", stacklevel=2)
    return Results(merged, "merge", 0.0)


def read_records(source: str | bytes | os.PathLike[str]) -> list[Record]:
    """Read the games of a record: JSON Lines as text or bytes, or the `Path` of a file. Every line is checked against the rules."""
    if isinstance(source, os.PathLike):
        with open(source, "rb") as file:
            source = file.read()
    content = source.encode() if isinstance(source, str) else source
    records = _engine.parse_records(content)
    if not records and content.strip():
        raise ValueError("record: no game has a whole first line; a file is given as a Path")
    return records


def moves_table(records: Iterable[Record]) -> pyarrow.Table:
    """Return the moves of records as an Arrow table, a row for each. Needs the extra `arrow`.

    `game` numbers the records and `move` their moves, both from 0; `action` is the index and `name` the name; `roll` is the sum of the
    dice where they were rolled; `won` says whether the builder who decided won in the end. With `Record.games()`, which has the
    position before each move, the table makes a set for imitation.
    """
    import pyarrow as pa

    columns: dict[str, list[Any]] = {
        name: [] for name in ("game", "move", "turn", "builder", "action", "roll", "stolen", "won")
    }
    for game, record in enumerate(records):
        for number, move in enumerate(record.moves):
            row = (game, number, move.turn, move.builder, move.action, move.roll, move.stolen)
            for column, value in zip(columns.values(), (*row, move.builder == record.winner), strict=True):
                column.append(value)
    kinds = {"game": pa.int64(), "move": pa.int32(), "turn": pa.int32(), "action": pa.int16(), "won": pa.bool_()}
    arrays = {name: pa.array(column, kinds.get(name, pa.int8())) for name, column in columns.items()}
    names = pa.DictionaryArray.from_arrays(arrays["action"], pa.array([action.name for action in ACTIONS]))
    return pa.table({**arrays, "name": names})
