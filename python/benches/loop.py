"""Measures the whole loop of a policy: observations, a matrix, a choice of actions, a step; beside fastcatan where it is installed.

    taskset -c 0 env OPENBLAS_NUM_THREADS=1 RAYON_NUM_THREADS=1 python benches/loop.py
    python benches/loop.py --threads  # one thread and two: alone on the machine, or beside busy loops

The policy is one matrix from observations to actions, in float32, by NumPy. Actions are drawn by the softmax of the legal ones: by
`sample_actions(logits)` here, by NumPy there. Runs take turns; the numbers are medians. fastcatan has positions, actions and rules of its own.
"""

from __future__ import annotations

import argparse
import importlib.util
import statistics
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import constructor_game as c

PAIRS = 9
SECONDS = 1.0

#: Steps a second, and the environment's share of the time.
Measured = tuple[float, float]


def matrix(rows: int, columns: int) -> npt.NDArray[np.float32]:
    """Return the policy."""
    return np.random.default_rng(1).normal(0, 0.01, (rows, columns)).astype(np.float32)


def loop(step: Callable[[], float], count: int, seconds: float = SECONDS) -> Measured:
    """Repeat a step, which returns the seconds that the environment took."""
    for _ in range(5):
        step()
    begun, steps, inside = time.perf_counter(), 0, 0.0
    while (spent := time.perf_counter() - begun) < seconds:
        inside += step()
        steps += count
    return steps / spent, inside / spent


def own(count: int, observations: Any) -> Callable[[], Measured]:
    """Return the loop over an environment of this package."""
    env = c.VectorEnv(count, seed=1, observations=observations)
    size = len(c.COMPACT_OBSERVATION if observations == "compact" else c.OBSERVATION)
    policy, floats = matrix(size, len(c.ACTIONS)), np.empty((count, size), np.float32)
    logits = np.empty((count, len(c.ACTIONS)), np.float32)
    seen = env.observations
    assert seen is not None

    def step() -> float:
        np.copyto(floats, seen)
        np.matmul(floats, policy, out=logits)
        begun = time.perf_counter()
        env.step(env.sample_actions(logits))
        return time.perf_counter() - begun

    return lambda: loop(step, count)


def steps_only(count: int, threads: int) -> Callable[[], Measured]:
    """Return the loop without a policy."""
    env = c.VectorEnv(count, seed=1, threads=threads)

    def step() -> float:
        actions = env.sample_actions()
        begun = time.perf_counter()
        env.step(actions)
        return time.perf_counter() - begun

    def run() -> Measured:
        rate, share = loop(step, count)
        return rate / share, share

    return run


def fastcatan(count: int) -> Callable[[], Measured]:
    """Return the loop over a batch of fastcatan."""
    import fastcatan as f  # type: ignore[import-not-found]

    env = f.BatchedEnv(count, 1)
    env.reset()
    # The only form of a position that it writes for a whole batch.
    observations = np.zeros((count, f.SNAPSHOT_BYTES), np.uint8)
    masks, done = np.zeros((count, f.MASK_WORDS), np.uint64), np.zeros(count, np.uint8)
    policy, rng = matrix(f.SNAPSHOT_BYTES, f.NUM_ACTIONS), np.random.default_rng(1)
    env.save_snapshots(observations)
    env.write_masks(masks)

    def step() -> float:
        logits = observations.astype(np.float32) @ policy
        legal = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little", count=f.NUM_ACTIONS).view(bool)
        # Gumbel's method: the greatest of logits with noise is drawn by their softmax.
        with np.errstate(divide="ignore"):
            noise = np.log(rng.standard_exponential(logits.shape, np.float32))
        actions = np.where(legal, logits - noise, -np.inf).argmax(axis=1).astype(np.uint32)
        begun = time.perf_counter()
        env.step_autoreset(actions, done)
        env.write_masks(masks)
        env.save_snapshots(observations)
        return time.perf_counter() - begun

    return lambda: loop(step, count)


def show(name: str, runs: list[Measured]) -> float:
    """Print the median of runs, and return it."""
    rate = statistics.median(rate for rate, _ in runs)
    share = statistics.median(share for _, share in runs)
    print(f"{name:<34} {rate:>12,.0f} steps/s, {share:.0%} of the time in the environment", flush=True)
    return rate


def main() -> None:
    """Run the loops in turn."""
    parser = argparse.ArgumentParser(description="Measure the loop of a policy.")
    parser.add_argument("--threads", action="store_true", help="compare one thread with two instead")
    threads = parser.parse_args().threads
    benches: dict[str, Any] = {}
    if threads:
        for count in (1_024, 4_096):
            benches |= {f"{count} games, {number} threads": steps_only(count, number) for number in (1, 2)}
    else:
        for count in (256, 1_024, 4_096):
            benches |= {f"{count} games": own(count, True), f"{count} games, compact": own(count, "compact")}
        if importlib.util.find_spec("fastcatan"):
            benches["fastcatan, 1024 games"] = fastcatan(1_024)
        else:
            print("fastcatan is left out: it is not installed, and needs Python 3.12")
    runs: dict[str, list[Measured]] = {name: [] for name in benches}
    for _ in range(PAIRS):
        for name, run in benches.items():
            runs[name].append(run())
    rates = {name: show(name, found) for name, found in runs.items()}
    names = list(rates)
    pairs = (
        list(zip(names[::2], names[1::2], strict=True))
        if threads
        else [(names[-1], "1024 games"), (names[-1], "1024 games, compact")]
    )
    for slow, fast in pairs if threads or len(names) > 6 else []:
        ratios = sorted(one / other for (one, _), (other, _) in zip(runs[fast], runs[slow], strict=True))
        print(f"{fast} beside {slow}: {statistics.median(ratios):.2f} times, median of {PAIRS} pairs")


if __name__ == "__main__":
    main()
