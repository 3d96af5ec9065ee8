"""Measures the environments, and beside them those of other packages where they are installed.

Each line is the best of five runs, which take turns.

    taskset -c 0 env RAYON_NUM_THREADS=1 python benches/speed.py

That command keeps it, and fastcatan, on one core, but for the rows with two threads. Actions are random. Of batches, only the calls of the environment are timed, not the choice of the actions. "fastcatan" and
"catanatron" are packages for a similar game with more rules.
"""

from __future__ import annotations

import importlib.util
import random
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

import constructor_game as c

RUNS = 5

#: The least seconds of a run.
SECONDS = 1.0

#: The most plies of one game: random builders may block each other for ever.
PLIES = 2_000

#: Steps, and the seconds that they took.
Measured = tuple[int, float]


def single() -> Measured:
    """Loop over one game, with lists of legal actions."""
    choice = random.choice
    steps, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        game = c.Game(seed=steps)
        legal_actions, apply = game.legal_actions, game.apply
        for _ in range(PLIES):
            if not (actions := legal_actions()):
                break
            apply(choice(actions))
            steps += 1
    return steps, spent


def batch(**settings: Any) -> Callable[[], Measured]:
    """Return a bench of the steps of `VectorEnv`."""

    def run() -> Measured:
        env = c.VectorEnv(seed=1, **settings)
        for _ in range(200):
            env.step(env.sample_actions())
        steps, spent = 0, 0.0
        while spent < SECONDS:
            actions = env.sample_actions()
            begun = time.perf_counter()
            env.step(actions)
            spent += time.perf_counter() - begun
            steps += len(env)
        return steps, spent

    return run


def pettingzoo() -> Measured:
    """Run the loop of PettingZoo's documents, with a random legal action of each mask."""
    env = c.env(max_turns=500)
    steps, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        env.reset(seed=steps)
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            over = termination or truncation
            env.step(None if over else random.choice(observation["action_mask"].nonzero()[0].tolist()))
            steps += 1
    return steps, spent


def fastcatan_single() -> Measured:
    """Run the same loop over one game of fastcatan."""
    import fastcatan  # type: ignore[import-not-found]

    env, choice = fastcatan.Env(), random.choice
    steps, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < SECONDS:
        env.reset(steps)
        legal_actions, step = env.legal_actions, env.step
        for _ in range(PLIES):
            steps += 1
            if step(choice(legal_actions())):
                break
    return steps, spent


def fastcatan_batch() -> Measured:
    """Make steps and packed masks of a batch of fastcatan."""
    import fastcatan

    count = 1_024
    env = fastcatan.BatchedEnv(count, 1)
    env.reset()
    masks = np.zeros((count, fastcatan.MASK_WORDS), np.uint64)
    done = np.zeros(count, np.uint8)
    env.write_masks(masks)
    rng = np.random.default_rng(1)
    steps, spent = 0, 0.0
    while spent < SECONDS:
        actions = _random_actions(rng, masks)
        begun = time.perf_counter()
        env.step_autoreset(actions, done)
        env.write_masks(masks)
        spent += time.perf_counter() - begun
        steps += count
    return steps, spent


def _random_actions(rng: np.random.Generator, masks: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint32]:
    bits = np.unpackbits(masks.view(np.uint8), axis=1, bitorder="little")
    actions: npt.NDArray[np.uint32] = (bits * rng.random(bits.shape, np.float32)).argmax(axis=1).astype(np.uint32)
    return actions


def catanatron() -> Measured:
    """Play whole games of Catanatron's random players."""
    from catanatron.game import Game  # type: ignore[import-not-found]
    from catanatron.models.player import Color, RandomPlayer  # type: ignore[import-not-found]

    steps, begun = 0, time.perf_counter()
    while (spent := time.perf_counter() - begun) < 3 * SECONDS:
        game = Game([RandomPlayer(color) for color in (Color.RED, Color.BLUE, Color.WHITE, Color.ORANGE)])
        game.play()
        steps += len(game.state.actions)
    return steps, spent


BENCHES: list[tuple[str, str | None, Callable[[], Measured]]] = [
    ("one game, a Python loop", None, single),
    ("fastcatan: one game, a Python loop", "fastcatan", fastcatan_single),
    ("catanatron: one game of random players", "catanatron", catanatron),
    ("PettingZoo, masks and observations", None, pettingzoo),
    ("256 games: steps", None, batch(n=256, masks=False, observations=False)),
    ("256 games: packed masks", None, batch(n=256, masks=False, mask_words=True, observations=False)),
    ("256 games: byte masks, observations", None, batch(n=256)),
    ("1024 games: packed masks", None, batch(n=1_024, masks=False, mask_words=True, observations=False)),
    ("1024 games: byte masks, observations", None, batch(n=1_024)),
    ("fastcatan: 1024 games: packed masks", "fastcatan", fastcatan_batch),
    ("2048 games: byte masks, observations", None, batch(n=2_048)),
    ("2048 games: the same, two threads", None, batch(n=2_048, threads=2)),
    ("2048 games, greedy opponents", None, batch(n=2_048, opponents=["greedy"] * 3)),
    ("2048 games, greedy opponents, two threads", None, batch(n=2_048, opponents=["greedy"] * 3, threads=2)),
]


def main() -> None:
    """Run all benches in turn, and print the best of each."""
    benches = [bench for bench in BENCHES if bench[1] is None or importlib.util.find_spec(bench[1])]
    for name, package, _ in BENCHES:
        if package and not importlib.util.find_spec(package):
            print(f"left out: {name}, since {package} is not installed (fastcatan needs Python 3.12)")
    best = [0.0] * len(benches)
    for _ in range(RUNS):
        for number, (_, _, run) in enumerate(benches):
            steps, seconds = run()
            best[number] = max(best[number], steps / seconds)
    for (name, _, _), rate in zip(benches, best, strict=True):
        print(f"{name:<42} {rate:>14,.0f} steps/s")


if __name__ == "__main__":
    main()
