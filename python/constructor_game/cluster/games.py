"""Simulations and matches in units."""

from __future__ import annotations

import io
import math
import os
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from constructor_game import _engine, simulation
from constructor_game._engine import Player
from constructor_game.cluster.folder import Folder, write_whole
from constructor_game.cluster.pool import Pool
from constructor_game.cluster.progress import ProgressLine
from constructor_game.simulation import Results

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from constructor_game.settings import SimulationSettings, TimedSettings

#: About how many seconds a unit takes on one core, and the fewest.
UNIT_SECONDS = 10.0
MIN_UNIT_SECONDS = 1.0

#: A sequential test looks at the results after this many games: units have multiples of it.
GAMES_BETWEEN_TESTS = 128

#: The games of a board of a match.
GAMES_OF_A_BOARD = 4


def simulate(
    games: int,
    players: Sequence[str | Player],
    out: str | os.PathLike[str],
    *,
    rotate_seats: bool = True,
    rows: bool = True,
    unit_games: int | None = None,
    address: str | None = None,
    cpus: int | None = None,
    quiet: bool = False,
    **settings: Unpack[SimulationSettings],
) -> Results:
    """Play games between four players on a cluster, and return their results: those of `constructor_game.simulate`.

    `out` is a folder: `units/` has the units, `rows/` the rows of each as a Parquet file, `table.txt` and `summary.json` the
    results. Where it has units of the same job, only the others are played. `unit_games` is the number of games of a unit; by
    default, those of about ten seconds. `address` is that of a running Ray cluster, such as "auto"; without it, one is started
    here, with as many `cpus`.

    Raises `ValueError` for wrong arguments and for a folder of another job, `SignatureError` for a worker whose program would play
    other games, `OSError` for a cluster that does not answer, and `KeyboardInterrupt` for Ctrl-C. Finished units are kept.
    """
    job = simulation.simulation_job(games, players, rotate_seats, _with_text(settings))
    return _run(job, Path(out), rows=rows, unit_games=unit_games, address=address, cpus=cpus, quiet=quiet)


def match(
    player: str | Player,
    others: str | Player,
    boards: int,
    out: str | os.PathLike[str],
    *,
    sprt: tuple[float, float] | None = None,
    adjust: float | None = None,
    rows: bool = True,
    unit_games: int | None = None,
    address: str | None = None,
    cpus: int | None = None,
    quiet: bool = False,
    **settings: Unpack[SimulationSettings],
) -> Results:
    """Play one player against three of another on a cluster: the results of `constructor_game.match`.

    With `sprt`, it ends as soon as a sequential test is decided by the units from the first one on without a gap. `adjust` is
    that of `constructor_game.match`, the other arguments are those of `simulate`.
    """
    job = simulation.match_job(boards, player, others, sprt, adjust, _with_text(settings))
    return _run(job, Path(out), rows=rows, unit_games=unit_games, address=address, cpus=cpus, quiet=quiet)


def _with_text(settings: SimulationSettings) -> TimedSettings:
    """Return the settings with the layout as text: a worker may not have the file."""
    layout = settings.get("layout")
    text = Path(layout).read_text(encoding="utf-8") if isinstance(layout, os.PathLike) else layout
    return cast("TimedSettings", {**settings, "layout": text})


def _step(job: dict[str, Any]) -> int:
    """Return what the number of games of a unit must be a multiple of."""
    if job.get("sprt") is not None:
        return GAMES_BETWEEN_TESTS
    return GAMES_OF_A_BOARD if job["schedule"] == "match" else 1


def _measured_unit(job: dict[str, Any], cpus: int) -> int:
    """Return a number of games for a unit, from the speed of this machine."""
    games, step = _step(job), _step(job)
    while True:
        begun = time.perf_counter()
        sample = job.copy()
        sample["games"] = games
        simulation.run(sample, threads=1, all_games=True)
        seconds = time.perf_counter() - begun
        if seconds > 0.15 or games >= job["games"]:
            break
        games *= 4
    a_second = games / max(seconds, 1e-6)
    # Enough units for all CPUs to end together, if each still takes a second.
    wanted: float = min(UNIT_SECONDS * a_second, job["games"] / (8 * cpus))
    return max(step, step * math.ceil(max(wanted, MIN_UNIT_SECONDS * a_second) / step))


def play_unit(job: dict[str, Any], first: int, games: int, rows: bool) -> tuple[str, bytes | None]:
    """Return a unit, and its rows as a Parquet file. A pure function of its arguments."""
    part = job.copy()
    part["first"], part["games"] = first, games
    results = simulation.run(part, threads=1, rows=rows, all_games=True)
    if not rows:
        return results.unit(), None
    file = io.BytesIO()
    simulation.write_parquet(results.rows, file)
    return results.unit(), file.getvalue()


def _run(
    job: dict[str, Any],
    out: Path,
    *,
    rows: bool,
    unit_games: int | None,
    address: str | None,
    cpus: int | None,
    quiet: bool,
) -> Results:
    for player in job["players"]:
        if not isinstance(player, str | Player):
            raise TypeError("players: expected names or Players; what functions play cannot be repeated elsewhere")
        if isinstance(player, Player) and player.think_ms is not None:
            raise ValueError("players: expected playouts, not think_ms: such games cannot be repeated")
    if job["games"] < 1:
        raise ValueError("games: expected at least 1")
    if unit_games is not None and (unit_games < 1 or unit_games % _step(job) != 0):
        raise ValueError(f"unit_games: {unit_games} is not a multiple of {_step(job)}")
    begun = time.monotonic()
    folder = Folder(out, _engine._job(job), rows=rows)
    if folder.unit_games is not None and unit_games not in (None, folder.unit_games):
        raise ValueError(f"unit_games: the units of {out} have {folder.unit_games} games")
    with ProgressLine(job["games"], quiet=quiet) as line, Pool(address, cpus) as pool:
        size = folder.unit_games or unit_games or _measured_unit(job, pool.cpus())
        folder.begin(size)
        units = _engine._Units()
        line.begin(folder.read_units(units, job["games"]))
        have = set(units.ranges())
        missing = [unit for unit in _ranges(job["games"], size) if unit not in have]
        if job.get("sprt") is not None and _decided(units) is not None:
            missing = []
        tasks = ((job, first, games, rows) for first, games in missing)
        for ended in pool.run(play_unit, tasks):
            line.show(pool)
            if ended is None:
                continue
            number, (unit, parquet) = ended
            first, games = missing[number]
            name = folder.write_unit(first, unit, parquet)
            units.read(name, unit)
            line.done += games
            if job.get("sprt") is not None and _decided(units) is not None:
                break
    results = Results(units.merge(), "cluster", time.monotonic() - begun)
    write_whole(out / "table.txt", results.table.encode())
    write_whole(out / "summary.json", results.json.encode())
    return results


def _ranges(games: int, size: int) -> Iterator[tuple[int, int]]:
    """Yield the first game and the number of games of each unit."""
    for first in range(0, games, size):
        yield first, min(size, games - first)


def _decided(units: _engine._Units) -> float | None:
    """Return the win rate that the test accepts by the units that are there."""
    return units.merge().accepted if any(first == 0 for first, _ in units.ranges()) else None
