"""One line of progress."""

from __future__ import annotations

import sys
import time
from types import TracebackType

from constructor_game.cluster.pool import Pool


def _duration(seconds: float) -> str:
    if seconds < 100:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    return f"{minutes} min" if minutes < 100 else f"{minutes // 60} h {minutes % 60} min"


class ProgressLine:
    """A line on standard error with the games that are done: kept up to date on a terminal, otherwise printed twice a minute."""

    def __init__(self, games: int, *, quiet: bool) -> None:
        """Show nothing yet."""
        self._games = games
        self._is_terminal = sys.stderr.isatty()
        self._interval = 0.5 if self._is_terminal else 30.0
        self._quiet = quiet
        self._begun = self._shown = time.monotonic()
        self._before = 0
        self._looked = 0.0
        self._nodes: dict[str, str] = {}
        #: The number of games that are done.
        self.done = 0

    def begin(self, done: int) -> None:
        """Start the clock, with the games that an earlier run played."""
        self.done = self._before = done
        self._begun = time.monotonic()

    def __enter__(self) -> ProgressLine:
        """Begin."""
        return self

    def show(self, pool: Pool) -> None:
        """Show the line, if it is time."""
        now = time.monotonic()
        self._name_lost_nodes(pool, now)
        if self._quiet or now - self._shown < self._interval:
            return
        self._shown = now
        rate = (self.done - self._before) / max(now - self._begun, 1e-9)
        left = f", {_duration((self._games - self.done) / rate)} left" if rate > 0 else ""
        text = (
            f"{self.done:,} of {self._games:,} games, {rate:,.0f} games/s on {pool.cpus()} CPUs of "
            f"{len(self._nodes)} nodes{left}"
        )
        if self._is_terminal:
            print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
        else:
            print(text, file=sys.stderr, flush=True)

    def _name_lost_nodes(self, pool: Pool, now: float) -> None:
        """Say which nodes are gone, once for each, since Ray's own messages are long."""
        if now - self._looked < 1:
            return
        before, self._looked, self._nodes = self._nodes, now, pool.nodes()
        for number in before.keys() - self._nodes.keys():
            end = "\x1b[K" if self._is_terminal else ""
            message = f"node {before[number]} was lost; what it was playing is played elsewhere"
            print(f"\r{message}{end}" if end else message, file=sys.stderr, flush=True)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Clear the line. Say what is kept of an interrupted run."""
        if self._is_terminal and not self._quiet:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
        if kind is not None and issubclass(kind, KeyboardInterrupt) and not self._quiet:
            message = f"interrupted: {self.done:,} of {self._games:,} games are kept; the same command goes on"
            print(message, file=sys.stderr, flush=True)
