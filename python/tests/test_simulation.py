"""Simulations, matches, units and records beside those of the program."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from conftest import Program

import constructor_game as c

MIXED = ["random", "greedy", "normal", "greedy"]


def without_run(summary: str) -> dict[str, Any]:
    parsed: dict[str, Any] = json.loads(summary)
    del parsed["run"]
    return parsed


@pytest.mark.parametrize(
    ("options", "settings"),
    [
        ([], {}),
        (["-trades", "on", "-edition", "watan"], {"trades": True, "edition": "watan"}),
        (["-rotate-seats", "off", "-max-turns", 90], {"rotate_seats": False, "max_turns": 90}),
    ],
)
def test_simulation_is_that_of_the_program(
    options: list[Any], settings: dict[str, Any], program: Program, tmp_path: Path
) -> None:
    files = ["-json", "s.json", "-csv", "s.csv", "-unit", "s.unit"]
    table = program("simulate", "-games", 300, "-seed", 8, "-players", ",".join(MIXED), *options, *files)
    results = c.simulate(300, MIXED, seed=8, threads=2, **settings)
    assert results.table == table
    assert without_run(results.json) == without_run((tmp_path / "s.json").read_text())
    assert results.unit() == (tmp_path / "s.unit").read_text()
    with (tmp_path / "s.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert results.rows.column_names == list(rows[0])
    for own, theirs in zip(results.rows.to_pylist(), rows, strict=True):
        own["won"] = int(own["won"])
        assert {name: "" if value is None else str(value) for name, value in own.items()} == theirs


def test_match_is_that_of_the_program(program: Program) -> None:
    options = ["-players", "expert,greedy", "-playouts", 8, "-seed", 2]
    table = program("match", *options, "-boards", 6)
    assert c.match("expert", "greedy", 6, playouts=8, seed=2).table == table
    player = c.Player("expert", playouts=8)
    assert c.match(player, "greedy", 6, seed=2, threads=1).table == table, "a Player brings its own budget"
    table = program("match", "-players", "greedy,random", "-boards", 300, "-sprt", "0.3,0.4")
    results = c.match("greedy", "random", 300, sprt=(0.3, 0.4))
    assert results.table == table and results.accepted == 0.4


def test_match_is_adjusted_like_that_of_the_program(program: Program, tmp_path: Path) -> None:
    options = ["-players", "normal,greedy", "-boards", 50, "-sprt", "0.25,0.5", "-adjust", 0.54]
    table = program("match", *options, "-csv", "rows.csv", "-json", "summary.json")
    results = c.match("normal", "greedy", 50, sprt=(0.25, 0.5), adjust=0.54)
    assert results.table == table and table.splitlines()[1].startswith("less 0.54 of the luck: ")
    assert results.adjusted == json.loads((tmp_path / "summary.json").read_text())["adjusted"]
    columns = results.columns
    with (tmp_path / "rows.csv").open() as file:
        luck = [float(row["luck"]) for row in csv.DictReader(file)]
    assert np.abs(columns["luck"] - luck).max() < 1e-6
    boards = (
        np.where(columns["player_number"] == 1, columns["won"] - 0.54 * columns["luck"], 0).reshape(-1, 16).sum(axis=1)
    )
    assert results.adjusted["win_rate"] == pytest.approx(boards.mean() / 4, abs=1e-5)
    plain = c.match("normal", "greedy", 10)
    assert plain.adjusted is None and "luck" not in plain.columns


def test_games_of_a_part(program: Program, tmp_path: Path) -> None:
    program("simulate", "-games", 50, "-first", 150, "-players", ",".join(MIXED), "-unit", "part.unit", "-quiet")
    assert c.simulate(50, MIXED, first=150).unit() == (tmp_path / "part.unit").read_text()
    rows = c.simulate(200, MIXED).columns
    part = c.simulate(50, MIXED, first=150).columns
    assert all((rows[name][600:] == part[name]).all() for name in rows)


def test_units_are_merged_as_by_the_program(program: Program, tmp_path: Path) -> None:
    paths = []
    for first in (200, 0, 100):
        path = tmp_path / f"{first}.unit"
        path.write_text(c.simulate(100, MIXED, first=first, threads=1).unit())
        paths.append(path)
    merged = c.merge(paths)
    assert merged.table == c.simulate(300, MIXED).table == program("merge", *paths)
    with pytest.raises(ValueError, match="merged units are no unit"):
        merged.unit()
    with pytest.raises(ValueError, match="games 100 to 199 are missing"):
        c.merge(paths[:2])
    with pytest.raises(ValueError, match="no units"):
        c.merge([])
    damaged = tmp_path / "damaged.unit"
    damaged.write_text(paths[0].read_text().replace('"games":100', '"games":101'))
    with pytest.raises(ValueError, match="damaged.unit: damaged"):
        c.merge([*paths, damaged])
    other = tmp_path / "other.unit"
    other.write_text(c.simulate(100, MIXED, first=300, seed=1).unit())
    with pytest.raises(ValueError, match="another job"):
        c.merge([*paths, other])


def test_tables_are_read_without_a_copy() -> None:
    results = c.simulate(200, MIXED, seed=1)
    wins = np.bincount(results.columns["player_number"], results.columns["won"])[1:]
    rows = results.rows
    address = results.columns["points"].__array_interface__["data"][0]
    assert rows.column("points").chunk(0).buffers()[1].address == address
    assert pl.from_arrow(rows).filter(pl.col("won")).height == wins.sum()  # type: ignore[union-attr]
    assert isinstance(rows.to_pandas(), pd.DataFrame) and rows.to_pandas()["won"].sum() == wins.sum()
    found = duckdb.sql("select player_number, sum(won::int) from rows group by 1 order by 1").fetchall()
    assert found == [(number + 1, int(count)) for number, count in enumerate(wins)]


def test_parquet_has_the_same_bytes_twice(tmp_path: Path) -> None:
    for name in ("one", "other"):
        c.simulate(200, MIXED, seed=1).to_parquet(tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert pq.read_table(tmp_path / "one").num_rows == 800


def test_what_was_not_kept_is_an_error() -> None:
    results = c.simulate(4, MIXED, rows=False)
    with pytest.raises(ValueError, match="rows=True"):
        _ = results.rows
    with pytest.raises(ValueError, match="records=True"):
        _ = results.records
    assert "4 games" in repr(results) and len(results.win_rates) == 4 and results.games == 4


def test_records_are_those_of_the_program(program: Program, tmp_path: Path) -> None:
    program(
        "simulate", "-games", 20, "-seed", 3, "-players", ",".join(MIXED), "-trades", "on", "-records", "r", "-quiet"
    )
    written = "".join(path.read_text() for path in sorted((tmp_path / "r").iterdir()))
    records = c.simulate(20, MIXED, seed=3, trades=True, records=True, threads=2).records
    assert records == written
    games = c.read_records(records)
    assert len(games) == 20
    for number, record in enumerate(games):
        assert record.header["game"] == number and record.edition == "constructor"
        assert sorted(record.players) == sorted(MIXED)
        positions = record.games()
        assert len(positions) == len(record.moves) + 1 == len(record) + 1
        assert positions[-1].winner == record.winner and positions[-1].points == record.points
        # Every move, played from the position before it with its chance, leads to the next.
        for before, move, after in zip(positions, record.moves, positions[1:], strict=False):
            assert before.player == move.builder
            before.apply(move.action, roll=move.roll, lost=move.lost, stolen=move.stolen)
            assert before == after


@pytest.mark.parametrize("edition", c.editions())
def test_own_games_are_recorded(edition: str, program: Program, tmp_path: Path) -> None:
    """Fair and chosen rolls: the program replays the record to the same saved game."""
    game, rng = c.Game(seed=4, edition=edition, trades=True, record=True), np.random.default_rng(4)
    while not game.done and game.turns < 12:
        action = int(rng.choice(game.legal_actions()))
        if c.ACTIONS[action].kind == "offer" and rng.integers(8):
            continue
        is_roll = c.ACTIONS[action].kind == "roll"
        game.apply(action, roll=int(rng.integers(2, 13)) if is_roll and rng.integers(2) else None)
    record = game.record(["me", "human", "greedy", "x"])
    (tmp_path / "game.jsonl").write_text(record)
    program("replay", "game.jsonl", "-save", "end.sv", "-quiet")
    assert (tmp_path / "end.sv").read_text() == game.to_save()
    (read,) = c.read_records(tmp_path / "game.jsonl")
    assert read.games()[-1] == game and read.players == ["me", "human", "greedy", "x"]
    copied = game.copy()
    copied.apply(copied.legal_actions()[0])
    assert game.record(["me", "human", "greedy", "x"]) == record, "a copy has a record of its own"


def test_damaged_records_are_refused() -> None:
    record = c.simulate(1, MIXED, records=True).records
    for wrong, message in [
        ("/tmp/games.jsonl", "line 1"),
        ("[]", "line 1"),
        (record.replace('"turn":3', '"turn":9', 1), "line"),
        (record.replace("roll", "rool", 1), "line"),
        ("{}\n", "line 1"),
    ]:
        with pytest.raises(ValueError, match=message):
            c.read_records(wrong + "\n")
    with pytest.raises(ValueError, match="record=True"):
        c.Game(seed=1).record()
    with pytest.raises(TypeError, match="cannot be pickled"):
        c.Game(seed=1, record=True).__reduce__()


@pytest.mark.parametrize(
    "settings",
    [
        {"games": -1},
        {"games": 2**70},
        {"players": ["greedy"]},
        {"players": ["greedy"] * 5},
        {"players": ["nobody"] * 4},
        {"players": [3] * 4},
        {"seed": -1},
        {"seed": "x"},
        {"first": -1},
        {"first": 2**64 - 1, "games": 4},
        {"edition": "chess"},
        {"layout": "1 2 3"},
        {"max_turns": 0},
        {"playouts": 0},
        {"playouts": 5, "think_ms": 5},
        {"think_ms": 0},
        {"threads": 0},
        {"threads": 10**6},
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        c.simulate(**{"games": 4, "players": MIXED, **settings})


def test_wrong_matches_are_refused() -> None:
    for sprt in [(0.5, 0.4), (0.5, 0.5), (-0.1, 0.5), (0.5, 1.5), (float("nan"), 0.5)]:
        with pytest.raises(ValueError, match="sprt"):
            c.match("greedy", "random", 4, sprt=sprt)
    for adjust in [-0.1, 1.01, float("nan"), "x"]:
        with pytest.raises((ValueError, TypeError), match="adjust"):
            c.match("greedy", "random", 4, adjust=adjust)  # type: ignore[arg-type]
