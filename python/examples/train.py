"""Trains a policy by PPO, with NumPy alone, on games against three greedy players, and measures it. About four minutes on two cores.

    python examples/train.py            # trains with seed 1
    python examples/train.py --seconds 30 --seed 2

PPO: John Schulman and others, "Proximal policy optimization algorithms", 2017. Advantages: generalised advantage estimation, by the
same, 2016. Illegal actions get no probability, so that the gradient is that of the legal ones.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import numpy as np
import numpy.typing as npt

import constructor_game

Array = npt.NDArray[Any]

SLOTS, STEPS, EPOCHS, BATCH = 256, 64, 3, 2048
HIDDEN = 128
DISCOUNT, LAMBDA, CLIP = 0.999, 0.98, 0.2
ENTROPY, VALUE, LEARNING_RATE = 0.01, 0.5, 1e-3
WIN = 1.0


class Network:
    """A policy and a value with one hidden layer in common, and Adam for its weights."""

    def __init__(self, rng: np.random.Generator) -> None:
        inputs, actions = len(constructor_game.OBSERVATION), len(constructor_game.ACTIONS)
        shapes = {
            "w": (inputs, HIDDEN),
            "b": (HIDDEN,),
            "policy": (HIDDEN, actions),
            "direct": (inputs, actions),
            "value": (HIDDEN, 1),
        }
        scales = {"w": np.sqrt(2 / 60), "b": 0.0, "policy": 0.01, "direct": 0.0, "value": 0.1}
        self.weights = {
            name: (rng.standard_normal(shape) * scales[name]).astype(np.float32) for name, shape in shapes.items()
        }
        self.mean = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.square = {name: np.zeros_like(weight) for name, weight in self.weights.items()}
        self.updates = 0

    def forward(self, entries: Array, masks: Array) -> tuple[Array, Array, Array, Array]:
        """Return the inputs, the hidden layer, the probabilities of the actions, and the values."""
        inputs = constructor_game.to_float(entries)
        hidden = np.maximum(inputs @ self.weights["w"] + self.weights["b"], 0)
        # What is next to a place counts most for it: that is learned best without a layer between.
        scores = np.where(masks == 1, hidden @ self.weights["policy"] + inputs @ self.weights["direct"], -np.inf)
        scores = np.exp(scores - scores.max(axis=1, keepdims=True))
        return inputs, hidden, scores / scores.sum(axis=1, keepdims=True), (hidden @ self.weights["value"])[:, 0]

    def update(self, gradients: dict[str, Array], rate: float) -> None:
        """Take a step of Adam, with the gradient cut to a norm of 0.5."""
        norm = np.sqrt(sum(float((gradient**2).sum()) for gradient in gradients.values()))
        self.updates += 1
        rate *= np.sqrt(1 - 0.999**self.updates) / (1 - 0.9**self.updates)
        for name, gradient in gradients.items():
            gradient *= min(1.0, 0.5 / (norm + 1e-8))
            self.mean[name] += 0.1 * (gradient - self.mean[name])
            self.square[name] += 0.001 * (gradient**2 - self.square[name])
            self.weights[name] -= (rate * self.mean[name] / (np.sqrt(self.square[name]) + 1e-7)).astype(np.float32)


def train_on(network: Network, batch: dict[str, Array], rate: float) -> None:
    """Take one step on the clipped objective of PPO, the squared error of the values, and the entropy."""
    inputs, hidden, probabilities, values = network.forward(batch["entries"], batch["masks"])
    rows, actions, count = np.arange(len(values)), batch["actions"], len(values)
    ratio = probabilities[rows, actions] / batch["probabilities"]
    advantages = batch["advantages"]
    # Where the clipped objective is flat, the gradient is zero.
    counts = np.where(advantages > 0, ratio < 1 + CLIP, ratio > 1 - CLIP)
    by_score = probabilities * (advantages * ratio * counts)[:, None]
    by_score[rows, actions] -= advantages * ratio * counts
    logs = np.log(np.maximum(probabilities, 1e-12))
    entropy = -(probabilities * logs).sum(axis=1, keepdims=True)
    by_score += ENTROPY * probabilities * (logs + entropy)
    by_score /= count
    by_value = (VALUE * 2 / count * (values - batch["returns"]))[:, None].astype(np.float32)
    by_score = by_score.astype(np.float32)
    by_hidden = (by_score @ network.weights["policy"].T + by_value @ network.weights["value"].T) * (hidden > 0)
    gradients = {
        "w": inputs.T @ by_hidden,
        "b": by_hidden.sum(axis=0),
        "policy": hidden.T @ by_score,
        "direct": inputs.T @ by_score,
        "value": hidden.T @ by_value,
    }
    network.update(gradients, rate)


def sample(rng: np.random.Generator, probabilities: Array) -> Array:
    """Return an action for each row."""
    sums = probabilities.cumsum(axis=1, dtype=np.float64)
    drawn: Array = (sums > (rng.random(len(sums)) * sums[:, -1])[:, None]).argmax(axis=1)
    return drawn


def collect(env: constructor_game.VectorEnv, network: Network, rng: np.random.Generator) -> dict[str, Array]:
    """Play `STEPS` decisions in every slot, and return them with their advantages and returns."""
    assert env.observations is not None and env.masks is not None
    kept: dict[str, list[Array]] = {name: [] for name in ("entries", "masks", "actions", "probabilities")}
    rewards, values, ends = np.zeros((3, STEPS, SLOTS), np.float32)
    rows = np.arange(SLOTS)
    for step in range(STEPS):
        _, _, probabilities, values[step] = network.forward(env.observations, env.masks)
        actions, seats = sample(rng, probabilities), env.players.copy()
        kept["entries"].append(env.observations.copy())
        kept["masks"].append(env.masks.copy())
        kept["actions"].append(actions)
        kept["probabilities"].append(probabilities[rows, actions])
        env.step(actions)
        rewards[step] = env.rewards[rows, seats] + WIN * (env.winners == seats)
        ends[step] = env.terminated | env.truncated
    advantages = np.zeros_like(values)
    following, after = network.forward(env.observations, env.masks)[3], np.zeros(SLOTS, np.float32)
    for step in reversed(range(STEPS)):
        goes_on = 1 - ends[step]
        error = rewards[step] + DISCOUNT * following * goes_on - values[step]
        after = error + DISCOUNT * LAMBDA * goes_on * after
        advantages[step], following = after, values[step]
    batch = {name: np.concatenate(parts) for name, parts in kept.items()}
    batch["returns"] = (advantages + values).reshape(-1)
    flat = advantages.reshape(-1)
    batch["advantages"] = (flat - flat.mean()) / (flat.std() + 1e-8)
    return batch


def win_rate(network: Network, opponent: str, games: int, seed: int) -> float:
    """Return the share of games that the network's likeliest actions win against three of an opponent; 0.25 is even."""
    env = constructor_game.VectorEnv(
        SLOTS, seed=seed, opponents=[opponent] * 3, skip_forced=True, max_turns=10_000, threads=2
    )
    assert env.observations is not None and env.masks is not None
    # The first games of every slot: later ones would favour short games.
    counted, wins = np.zeros(SLOTS, int), 0
    while counted.min() < games // SLOTS:
        seats = env.players.copy()
        env.step(network.forward(env.observations, env.masks)[2].argmax(axis=1))
        ended = (env.terminated | env.truncated) & (counted < games // SLOTS)
        wins += int((ended & (env.winners == seats)).sum())
        counted += ended
    return wins / int(counted.sum())


def main() -> None:
    """Train, and print how it goes."""
    parser = argparse.ArgumentParser(description="Train a policy against greedy players.")
    parser.add_argument("--seconds", type=float, default=240, help="how long to train (default: 240)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=2_048, help="games of each measurement (default: 2048)")
    options = parser.parse_args()
    rng = np.random.default_rng(options.seed)
    network = Network(rng)
    env = constructor_game.VectorEnv(
        SLOTS, seed=options.seed, opponents=["greedy"] * 3, skip_forced=True, rewards="points", threads=2
    )
    for opponent in ("random", "greedy"):
        print(f"untrained: wins {win_rate(network, opponent, options.games, 0):.1%} against three {opponent} players")
    begun, shown, rounds = time.monotonic(), 0.0, 0
    while (spent := time.monotonic() - begun) < options.seconds:
        batch = collect(env, network, rng)
        rate = LEARNING_RATE * (1 - spent / options.seconds)
        for _ in range(EPOCHS):
            order = rng.permutation(SLOTS * STEPS)
            for first in range(0, len(order), BATCH):
                chosen = order[first : first + BATCH]
                train_on(network, {name: values[chosen] for name, values in batch.items()}, rate)
        rounds += 1
        if spent - shown >= 30:
            shown = spent
            rate_now = win_rate(network, "greedy", SLOTS, 1)
            print(
                f"{spent:4.0f} s, {rounds * SLOTS * STEPS:,} decisions: wins {rate_now:.1%} against greedy", flush=True
            )
    np.savez("/tmp/net.npz", **network.weights)
    for opponent in ("random", "greedy"):
        print(f"trained: wins {win_rate(network, opponent, options.games, 0):.1%} against three {opponent} players")


if __name__ == "__main__":
    main()
