"""Training in rounds whose games are played on a cluster."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from constructor_game import _engine
from constructor_game.cluster.folder import write_whole
from constructor_game.cluster.pool import Pool


def tune(
    what: str,
    weights: str | os.PathLike[str],
    *,
    rounds: int = 300,
    boards: int = 500,
    seed: int = 0,
    edition: str = "constructor",
    address: str | None = None,
    cpus: int | None = None,
    report: Callable[[str], object] | None = None,
) -> None:
    """Tune a computer player up to a round, as the program's command `tune` does: the file becomes the same, byte for byte.

    `what` is "normal" (the weights of the normal player), "planner" (those of the expert's playouts), "value" (its value
    network), "placement" (its network of where others place in the setup), or "turn" (its network for decisions in turns). `weights`
    is the file, written after every round: where it has rounds already, the others follow. `boards` is the number of boards of a
    round, of a network the number of games. `report` is called with a line about each round.
    """
    if rounds < 1 or boards < 1:
        raise ValueError("rounds and boards: expected at least 1")
    path = Path(weights)
    file = path.read_text(encoding="utf-8") if path.exists() else None
    played = 0 if file is None else _engine._rounds_of(file)
    with Pool(address, cpus) as pool:
        while played < rounds:
            file, line = _engine._train_round(
                what,
                file,
                edition=edition,
                seed=seed,
                boards=boards,
                parts=4 * pool.cpus(),
                play=lambda tasks: pool.map(_engine._play_task, [(task,) for task in tasks]),
            )
            write_whole(path, file.encode())
            played += 1
            if report is not None:
                report(line)
