"""Train sb3-contrib's MaskablePPO against three random players, and measure it and the built-in players in the same games.

    python examples/baseline.py --steps 1000000

It needs the extra `sb3`, and takes some ten minutes on two cores.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np
import numpy.typing as npt
from sb3_contrib import MaskablePPO
from stable_baselines3.common.env_util import make_vec_env

import constructor_game as c

OPPONENTS = ("random", "greedy", "normal")


def main() -> None:
    """Print the win rate of each player against three of each opponent: 25 % is even."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--steps", type=int, default=1_000_000, help="steps of training (default: 1000000)")
    parser.add_argument("--boards", type=int, default=250, help="boards of each measurement (default: 250)")
    options = parser.parse_args()
    settings = {"opponents": ["random"] * 3, "skip_forced": True, "float_observations": True}
    envs = make_vec_env("constructor_game/Constructor-v0", n_envs=8, seed=1, env_kwargs=settings)
    model = MaskablePPO("MultiInputPolicy", envs, seed=1)
    model.learn(options.steps)

    def trained(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        seen: dict[str, npt.NDArray[Any]] = {"observation": c.to_float(observations), "action_mask": masks}
        return np.asarray(model.predict(seen, action_masks=masks, deterministic=True)[0])

    for opponent in OPPONENTS:
        found = c.evaluate(trained, opponent, options.boards)
        low, high = found.interval
        print(f"MaskablePPO against three {opponent}: {found.win_rate:.1%} ({low:.1%} to {high:.1%})", flush=True)
        for player in ("random", "greedy", "normal", "hard", "expert"):
            rate = c.match(player, opponent, options.boards, playouts=200).win_rates[0]
            print(f"{player} against three {opponent}: {rate:.1%}", flush=True)


if __name__ == "__main__":
    main()
