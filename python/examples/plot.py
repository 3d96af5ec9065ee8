"""Plots a thousand games: who wins from which seat, and how long games take. Needs the extras `arrow` and `plot`.

python examples/plot.py games.png
"""

import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

import constructor_game as c


def main() -> None:
    """Play the games and write the picture."""
    path = sys.argv[1] if len(sys.argv) > 1 else "games.png"
    results = c.simulate(1_000, ["expert", "normal", "greedy", "random"], playouts=20, seed=1)
    rows = results.rows.to_pandas()
    figure, (rates, lengths) = plt.subplots(1, 2, figsize=(10, 4), layout="constrained")
    players = rows.groupby(["player", "builder"], observed=True)["won"].mean().unstack()
    colours = ["tab:blue", "tab:red", "tab:orange", "gold"]
    players.plot.bar(ax=rates, color=colours, rot=0, ylabel="win rate", xlabel="", title="Wins by player and seat")
    rates.axhline(0.25, color="grey", linestyle="dotted")
    turns = rows.loc[rows["seat"] == 1, "turns"]
    lengths.hist(turns, bins=np.arange(0, turns.max() + 10, 10).tolist())
    lengths.set(title="Turns of a game", xlabel="turns", ylabel="games")
    figure.savefig(path, dpi=120)
    print(f"{path}: {results.games} games")


if __name__ == "__main__":
    main()
