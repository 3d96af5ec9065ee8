"""Ray: three nodes on this machine, of which one is killed, one added, and the driver killed and started again."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.dataset as ds
import pytest
from conftest import Program

import constructor_game as c
from constructor_game import cluster
from constructor_game.cluster import pool, progress

ray = pytest.importorskip("ray")
pytestmark = pytest.mark.ray

#: The seconds within which a driver is done, or at least a unit: many more than it takes, since its processes may wait for the tests beside it.
PATIENCE = 300

#: Two seconds of one core or so, in a dozen units.
GAMES, UNIT = 120_000, 10_000
PLAYERS = ["greedy", "random", "normal", "greedy"]


@pytest.fixture(scope="module")
def nodes() -> Iterator[Any]:
    """A cluster of a head without CPUs and two nodes of one CPU each."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    from ray.cluster_utils import Cluster

    # Lost nodes are noticed after a second instead of ten.
    quick = {"health_check_initial_delay_ms": 1_000, "health_check_period_ms": 500, "health_check_failure_threshold": 2}
    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": quick},
    )
    made.add_node(num_cpus=1)
    made.add_node(num_cpus=1)
    yield made
    made.shutdown()


def command(out: Path, address: str, *more: str, games: int = GAMES) -> list[str]:
    module = [sys.executable, "-m", "constructor_game.cluster", "simulate"]
    options = ["--players", ",".join(PLAYERS), "--games", str(games), "--seed", "4", "--out", str(out)]
    return [*module, *options, "--address", address, "--unit-games", str(UNIT), *more]


def wait_for_units(out: Path, count: int, process: subprocess.Popen[str]) -> int:
    """Wait until there are as many units or the driver has ended, and return their number."""
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until:
        found = len(list((out / "units").glob("*.unit")))
        if found >= count or process.poll() is not None:
            return found
        time.sleep(0.05)
    process.kill()
    raise AssertionError(f"{found} units instead of {count}: {process.communicate()[1]}")


def check_folder(out: Path, program: Program, games: int = GAMES) -> None:
    """The folder has every game once, and its merged result is that of the program, to the byte."""
    expected = program("simulate", "-players", ",".join(PLAYERS), "-games", games, "-seed", 4)
    assert (out / "table.txt").read_text() == expected == program("merge", out / "units")
    summary, own = json.loads((out / "summary.json").read_text()), json.loads(c.merge((out / "units").iterdir()).json)
    del summary["run"], own["run"]
    assert summary == own and not summary["interrupted"]
    rows = ds.dataset(out / "rows").to_table().sort_by([("game", "ascending"), ("seat", "ascending")])
    assert rows.equals(c.simulate(games, PLAYERS, seed=4).rows.unify_dictionaries().cast(rows.schema))
    assert not list(out.rglob(".unfinished-*"))


def test_nodes_and_drivers_may_be_lost(nodes: Any, program: Program, tmp_path: Path) -> None:
    out = tmp_path / "out"
    begin = command(out, nodes.address)
    # A driver is killed while it works ...
    first = subprocess.Popen(begin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        had = wait_for_units(out, 2, first)
        first.kill()
    finally:
        first.kill()
        first.communicate()
    assert 2 <= had < GAMES // UNIT
    kept = {path.name: path.stat().st_mtime_ns for path in (out / "units").iterdir() if path.suffix == ".unit"}
    # ... and another goes on; then a node is killed, and one is added.
    second = subprocess.Popen(begin, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        wait_for_units(out, len(kept) + 1, second)
        nodes.remove_node(next(iter(nodes.worker_nodes)), allow_graceful=False)
        nodes.add_node(num_cpus=1)
        table, errors = second.communicate(timeout=PATIENCE)
    finally:
        second.kill()
        second.wait()
    assert second.returncode == 0, errors
    check_folder(out, program)
    assert table == (out / "table.txt").read_text()
    for name, when in kept.items():
        assert (out / "units" / name).stat().st_mtime_ns == when, "what was there is not played again"


def test_ctrl_c_keeps_what_is_done(nodes: Any, program: Program, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for number, status in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
        process = subprocess.Popen(
            command(out, nodes.address), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        try:
            before = len(list((out / "units").glob("*.unit"))) if out.exists() else 0
            wait_for_units(out, before + 1, process)
            process.send_signal(number)
            printed, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            process.wait()
        assert (process.returncode, printed) == (status, "")
        assert "games are kept; the same command goes on" in errors and "Traceback" not in errors
    # A damaged unit and one with damaged rows are played again, and more games are asked for; then one without its rows.
    units = sorted((out / "units").glob("*.unit"))
    assert len(units) > 1
    units[0].write_text(units[0].read_text().replace("greedy", "random"))
    rows = [out / "rows" / unit.with_suffix(".parquet").name for unit in units]
    rows[1].write_bytes(rows[1].read_bytes()[:500])
    games = GAMES + 5_000
    done = subprocess.run(
        command(out, nodes.address, games=games), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0 and f"{units[0]}: damaged: it is played again" in done.stderr
    assert f"{rows[1]}: missing or damaged: its unit is played again" in done.stderr
    check_folder(out, program, games)
    rows[0].unlink()
    done = subprocess.run(
        command(out, nodes.address, games=games), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert done.returncode == 0 and f"{rows[0]}: missing or damaged" in done.stderr
    check_folder(out, program, games)
    # Fewer games than there are would leave a table that does not go with the rows.
    fewer = subprocess.run(
        command(out, nodes.address, games=5_000), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert fewer.returncode == 1 and "ask for as many games as the run before" in fewer.stderr
    check_folder(out, program, games)


@pytest.fixture
def connected(nodes: Any) -> Iterator[None]:
    """A driver in this process."""
    ray.init(address=nodes.address, logging_level="ERROR", log_to_driver=False)
    yield
    ray.shutdown()


@pytest.mark.usefixtures("connected")
class TestConnected:
    """With a cluster that is initialized already."""

    def test_match_is_that_of_the_program(self, program: Program, tmp_path: Path) -> None:
        results = cluster.match("greedy", "normal", 200, tmp_path / "m", seed=3, adjust=0.5, unit_games=80, quiet=True)
        options = ["-players", "greedy,normal", "-boards", 200, "-seed", 3, "-adjust", 0.5]
        assert results.table == program("match", *options)

    def test_sequential_test_ends_as_in_one_run(self, program: Program, tmp_path: Path) -> None:
        rates = (0.3, 0.4)
        results = cluster.match("greedy", "random", 20_000, tmp_path / "m", sprt=rates, unit_games=256, quiet=True)
        assert results.table == program("match", "-players", "greedy,random", "-boards", 20_000, "-sprt", "0.3,0.4")
        units = len(list((tmp_path / "m" / "units").iterdir()))
        assert units < 30, "it ends early"
        again = cluster.match("greedy", "random", 20_000, tmp_path / "m", sprt=rates, unit_games=256, quiet=True)
        assert again.table == results.table and len(list((tmp_path / "m" / "units").iterdir())) == units

    def test_players_that_think_bring_their_budget(self, program: Program, tmp_path: Path) -> None:
        expert = c.Player("expert", playouts=4)
        results = cluster.simulate(
            8, [expert, "greedy", "greedy", "greedy"], tmp_path / "s", rows=False, unit_games=2, quiet=True
        )
        options = ["-players", "expert,greedy,greedy,greedy", "-playouts", 4]
        assert results.table == program("simulate", "-games", 8, *options)
        assert not (tmp_path / "s" / "rows").exists()

    def test_workers_of_another_signature_are_refused(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setattr(c, "signature", lambda: "0123456789abcdef")
        with pytest.raises(cluster.SignatureError, match="but that of the driver is 0123456789abcdef"):
            cluster.simulate(8, PLAYERS, tmp_path / "s", unit_games=4, quiet=True)

    def test_workers_without_the_package_are_named(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        def fails(*_: object) -> None:
            raise ModuleNotFoundError("No module named 'constructor_game'")

        monkeypatch.setattr(pool, "_check_signature_and_call", fails)
        with pytest.raises(OSError, match=r"^worker [\d.]+: No module named 'constructor_game': install the same"):
            cluster.simulate(8, PLAYERS, tmp_path / "s", unit_games=4, quiet=True)

    def test_folders_of_other_jobs_are_refused(self, tmp_path: Path) -> None:
        cluster.simulate(8, PLAYERS, tmp_path / "s", unit_games=4, quiet=True)
        with pytest.raises(ValueError, match="differs in: seed"):
            cluster.simulate(8, PLAYERS, tmp_path / "s", seed=1, quiet=True)
        with pytest.raises(ValueError, match="as many games"):
            cluster.simulate(6, PLAYERS, tmp_path / "s", quiet=True)
        (tmp_path / "s" / "job.json").write_text("{")
        with pytest.raises(ValueError, match="damaged"):
            cluster.simulate(8, PLAYERS, tmp_path / "s", quiet=True)
        (tmp_path / "full").mkdir()
        (tmp_path / "full" / "file").write_text("mine")
        with pytest.raises(ValueError, match="new or empty folder"):
            cluster.simulate(8, PLAYERS, tmp_path / "full", quiet=True)
        assert (tmp_path / "full" / "file").read_text() == "mine"

    @pytest.mark.parametrize(
        "settings",
        [
            {"games": 0},
            {"games": -4},
            {"players": ["greedy"]},
            {"players": ["nobody"] * 4},
            {"players": [lambda game: 0] * 4},
            {"players": [c.Player("expert", think_ms=5)] * 4},
            {"unit_games": 0},
            {"seed": -1},
            {"edition": "chess"},
        ],
    )
    def test_wrong_settings_are_refused(self, settings: dict[str, Any], tmp_path: Path) -> None:
        with pytest.raises((ValueError, TypeError, OverflowError)):
            cluster.simulate(**{"games": 8, "players": PLAYERS, "out": tmp_path / "s", "quiet": True, **settings})
        assert not (tmp_path / "s").exists()


def test_command_line_is_clear() -> None:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        module = [sys.executable, "-m", "constructor_game.cluster"]
        return subprocess.run([*module, *arguments], capture_output=True, text=True, timeout=PATIENCE, check=False)

    assert "simulate" in run("--help").stdout and "--games" in run("simulate", "--help").stdout
    for arguments, status, message in [
        ((), 2, "required"),
        (("simulate",), 2, "--out"),
        (("simulate", "--out", "x", "--games", "1.5"), 2, "expected a whole number"),
        (("simulate", "--out", "x", "--games", "many"), 2, "expected a whole number"),
        (("match", "--out", "x", "--sprt", "1"), 2, "two win rates"),
        (("match", "--out", "x", "--players", "greedy"), 1, "expected two"),
        (("simulate", "--out", "x", "--players", "a,b"), 1, "there is no player 'a'"),
        (("simulate", "--out", "/proc/x"), 1, "error: "),
        (("simulate", "--out", "x", "--layout", "/nowhere"), 1, "/nowhere"),
    ]:
        done = run(*arguments)
        assert done.returncode == status and message in done.stderr and "Traceback" not in done.stderr, (
            arguments,
            done,
        )


def test_lost_nodes_are_named_once(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(0, 1_000, 2))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(clock))
    alive = [{"1": "one", "2": "two"}, {"1": "one", "2": "two", "3": "three"}, {"1": "one"}, {"1": "one", "4": "two"}]

    class Fake(pool.Pool):
        def __init__(self) -> None:
            self._alive = iter(alive)

        def nodes(self) -> dict[str, str]:
            return next(self._alive)

        def cpus(self) -> int:
            return 1

    with progress.ProgressLine(10, quiet=True) as line:
        fake = Fake()
        for _ in alive:
            line.show(fake)
    lines = sorted(capsys.readouterr().err.splitlines())
    assert lines == [f"node {name} was lost; what it was playing is played elsewhere" for name in ("three", "two")]


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "nowhere.invalid:6379"])
def test_addresses_without_a_cluster_are_refused_at_once(address: str, tmp_path: Path) -> None:
    options = ["--games", "8", "--address", address, "--out", str(tmp_path / "s")]
    done = subprocess.run(
        [sys.executable, "-m", "constructor_game.cluster", "simulate", *options],
        capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and f"error: there is no Ray cluster at {address}: " in done.stderr
    assert not (tmp_path / "s").exists()
