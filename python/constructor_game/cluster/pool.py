"""Pure functions on Ray's workers."""

from __future__ import annotations

import os
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any

import constructor_game

#: The seconds in which a cluster must answer.
_PATIENCE = 10.0


class SignatureError(RuntimeError):
    """A worker has another signature: its program would play other games."""


class Pool:
    """The workers of a Ray cluster, as a context manager.

    A cluster that is initialized already is used. Otherwise `address` is that of a running one, such as "auto"; without it, one is
    started on this machine, and stopped at the end.
    """

    def __init__(self, address: str | None = None, cpus: int | None = None) -> None:
        """Remember where the cluster is; `cpus` limits one that is started."""
        self._address = address
        if cpus is not None and cpus < 1:
            raise ValueError(f"cpus: expected at least 1, not {cpus}")
        self._cpus = cpus
        self._counted = (0.0, 1)
        self._owns = False
        self.signature = constructor_game.signature()

    def __enter__(self) -> Pool:
        """Connect, or start the cluster."""
        # Ray reports its use to its makers unless this is set.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        import ray

        self._ray = ray
        if not ray.is_initialized():
            settings: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
            if self._address is None:
                settings |= {"num_cpus": self._cpus, "include_dashboard": False}
            _check_reachable(self._address)
            # Ray sets a handler of its own, which would end the driver without a word.
            handler = signal.getsignal(signal.SIGTERM)
            ray.init(address=self._address, **settings)
            if handler is not None and threading.current_thread() is threading.main_thread():
                signal.signal(signal.SIGTERM, handler)
            self._owns = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Disconnect; stop the cluster if it was started here."""
        if self._owns:
            self._ray.shutdown()

    def cpus(self) -> int:
        """Return the number of CPUs of the cluster; asked for twice a second."""
        when, cpus = self._counted
        now = time.monotonic()
        if now - when > 0.5:
            cpus = max(1, int(self._ray.cluster_resources().get("CPU", 1)))
            self._counted = (now, cpus)
        return cpus

    def nodes(self) -> dict[str, str]:
        """Return the names of the nodes that are alive, by their numbers."""
        return {node["NodeID"]: node["NodeManagerHostname"] for node in self._ray.nodes() if node["Alive"]}

    def run(self, function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[tuple[int, Any] | None]:
        """Yield the number and the result of each `function(*task)`, in the order in which they end, and None when none has ended for a second.

        A task of a node that is lost is run again elsewhere. When the iteration is given up, what is running is cancelled.
        """
        ray = self._ray
        remote = ray.remote(num_cpus=1, max_retries=-1)(_check_signature_and_call)
        numbered = enumerate(tasks)
        running: dict[Any, int] = {}
        has_more = True
        try:
            while has_more or running:
                # Twice as many as there are CPUs, so that none waits, and new nodes find work.
                while has_more and len(running) < 2 * self.cpus():
                    following = next(numbered, None)
                    if following is None:
                        has_more = False
                        break
                    number, task = following
                    running[remote.remote(self.signature, function, task)] = number
                ended, _ = ray.wait(list(running), num_returns=1, timeout=1.0) if running else ([], None)
                if not ended:
                    yield None
                for reference in ended:
                    number = running.pop(reference)
                    try:
                        result = ray.get(reference)
                    except ray.exceptions.RayTaskError as error:
                        raise _cause(error, ray.exceptions.RayError) from None
                    except ray.exceptions.RayError as error:
                        raise OSError(f"Ray: {error}") from None
                    yield number, result
        finally:
            for reference in running:
                ray.cancel(reference, force=True)


def _cause(error: Any, from_ray: type[Exception]) -> BaseException:
    """Return why a task failed: its own exception, or that its worker could not run it at all."""
    cause: BaseException = error.cause or error
    if not isinstance(cause, from_ray | ImportError):
        return cause
    reason = (str(cause).strip() or type(cause).__name__).splitlines()[-1]
    worker = re.search(r"\bip=([^,\s)]+)", str(error))
    advice = "install the same version of constructor-game on every machine"
    return OSError(f"worker {worker[1] if worker else 'unknown'}: {reason}: {advice}")


def _check_reachable(address: str | None) -> None:
    """Raise `OSError` if nothing listens at an address: Ray would try for minutes."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon or not port.isdecimal():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=_PATIENCE).close()
    except (OSError, OverflowError) as error:
        raise OSError(f"there is no Ray cluster at {address}: {error}") from None


def _check_signature_and_call(expected: str, function: Callable[..., Any], task: tuple[Any, ...]) -> Any:
    """Call a function on a worker, which first shows its signature; it is computed once a process."""
    own = constructor_game.signature()
    if own != expected:
        raise SignatureError(
            f"worker {socket.gethostname()}: signature {own}, but that of the driver is {expected}: "
            "install the same version of constructor-game on every machine"
        )
    return function(*task)
