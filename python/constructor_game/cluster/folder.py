"""The folder with the results of a run."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from constructor_game import _engine


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that it is there wholly or not at all, also after a crash."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".unfinished-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


class Folder:
    """A folder of one job: `job.json`, `units/`, and `rows/` with their `checks/`."""

    def __init__(self, path: Path, job: str, *, rows: bool) -> None:
        """Open a folder; raises `ValueError` if it is of another job, or has other files."""
        self._path = path
        self._job: dict[str, Any] = json.loads(job)
        self._rows = rows
        #: The number of games of a unit, if the folder has units already.
        self.unit_games: int | None = None
        file = path / "job.json"
        if not file.exists():
            if path.exists() and (not path.is_dir() or any(not _is_unfinished(entry) for entry in path.iterdir())):
                raise ValueError(f"{path}: expected a new or empty folder, or that of an earlier run")
            return
        try:
            found = json.loads(file.read_text(encoding="utf-8"))
            found_job, self.unit_games = dict(found["job"]), int(found["unit_games"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"{file}: damaged: {error}") from None
        if found_job != self._job:
            differences = sorted(
                name for name in {*found_job, *self._job} if found_job.get(name) != self._job.get(name)
            )
            raise ValueError(f"{path}: it is of another job, which differs in: {', '.join(differences)}")

    def begin(self, unit_games: int) -> None:
        """Make what is missing of the folder."""
        self._path.mkdir(parents=True, exist_ok=True)
        if self.unit_games is None:
            self.unit_games = unit_games
            job = {"job": self._job, "unit_games": unit_games}
            write_whole(self._path / "job.json", (json.dumps(job, indent=2) + "\n").encode())
        for folder in ("units", "rows", "checks") if self._rows else ("units",):
            (self._path / folder).mkdir(exist_ok=True)

    def _unit(self, first: int) -> Path:
        return self._path / "units" / f"{first:015}.unit"

    def _parquet(self, first: int) -> Path:
        return self._path / "rows" / f"{first:015}.parquet"

    def _check(self, first: int) -> Path:
        return self._path / "checks" / f"{first:015}.sha256"

    def _has_rows(self, first: int) -> bool:
        """Return whether the rows of a unit are there as they were written."""
        try:
            rows, check = self._parquet(first).read_bytes(), self._check(first).read_bytes()
        except OSError:
            return False
        return check == _check_line(first, rows)

    def read_units(self, units: _engine._Units, games: int) -> int:
        """Add the units that are there, of the first `games` games. Return how many games they have.

        A unit that is damaged, or whose rows are damaged or missing, is left out, so that it is played again.
        """
        done = 0
        # Those of drivers that were killed.
        for path in filter(_is_unfinished, [*self._path.iterdir(), *self._path.glob("*/.*")]):
            path.unlink(missing_ok=True)
        for path in sorted((self._path / "units").glob("*.unit")):
            if not path.stem.isdecimal():
                continue
            first = int(path.stem)
            if self._rows and first < games and not self._has_rows(first):
                print(f"{self._parquet(first)}: missing or damaged: its unit is played again", file=sys.stderr)
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            try:
                count = int(json.loads(text.partition("\n")[0])["games"])
            except (ValueError, KeyError, TypeError):
                count = 0
            expected = max(0, min(self.unit_games or 0, games - first))
            if 0 < count == expected and _is_whole(text):
                units.read(str(path), text)
                done += count
            elif count > expected and _is_whole(text):
                raise ValueError(
                    f"{path}: it has games up to {first + count - 1}: ask for as many games as the run before"
                )
            elif count == 0 or not _is_whole(text):
                print(f"{path}: damaged: it is played again", file=sys.stderr)
        return done

    def write_unit(self, first: int, unit: str, parquet: bytes | None) -> str:
        """Write a unit and its rows. Return the name of the unit's file."""
        # The rows come first: a unit that is there is complete.
        if parquet is not None:
            write_whole(self._parquet(first), parquet)
            write_whole(self._check(first), _check_line(first, parquet))
        path = self._unit(first)
        write_whole(path, unit.encode())
        return str(path)


def _is_unfinished(path: Path) -> bool:
    """Return whether a file was being written when its driver was killed."""
    return path.name.startswith(".unfinished-")


def _check_line(first: int, rows: bytes) -> bytes:
    """Return the SHA-256 of a unit's rows, as `sha256sum -c` reads it."""
    return f"{hashlib.sha256(rows).hexdigest()}  rows/{first:015}.parquet\n".encode()


def _is_whole(text: str) -> bool:
    """Return whether a unit's checksum fits."""
    line, end, checksum = text.partition("\n")
    digest = hashlib.sha256((line + end).encode()).hexdigest()
    return checksum == f"sha256 {digest}\n"
