"""What the tests share: the program beside which the package is tested."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import constructor_game as c

REPOSITORY = Path(__file__).resolve().parents[2]

#: Runs the program with these arguments in a folder, and returns what it prints.
Program = Callable[..., str]


@pytest.fixture(scope="session")
def program_path() -> str:
    """The program, as `make constructor` builds it; CONSTRUCTOR names another."""
    path = os.environ.get("CONSTRUCTOR") or str(REPOSITORY / "constructor")
    if shutil.which(path) is None:
        pytest.fail(f"{path} is not there: run make constructor, or set CONSTRUCTOR")
    return path


@pytest.fixture
def program(program_path: str, tmp_path: Path) -> Program:
    def run(*arguments: object, stdin: str = "", cwd: Path = tmp_path) -> str:
        command = [program_path, *map(str, arguments)]
        done = subprocess.run(command, input=stdin, capture_output=True, text=True, cwd=cwd, timeout=120, check=False)
        assert done.returncode == 0, (command, done.stderr)
        return done.stdout

    return run


def random_game(seed: int, plies: int, *, trades: bool = False, edition: str = "constructor") -> c.Game:
    """A game after some random actions; shorter if it is over before."""
    game, rng = c.Game(seed=seed, trades=trades, edition=edition), np.random.default_rng(seed)
    for _ in range(plies):
        if game.done:
            break
        game.apply(rng.choice(game.legal_actions()))
    return game
