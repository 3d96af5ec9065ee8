"""The documents and examples are true, and the types complete."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import constructor_game
from constructor_game import evaluation, simulation

FOLDER = Path(__file__).resolve().parents[1]


def run(*arguments: str, seconds: int = 120, cwd: Path = FOLDER) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, timeout=seconds, cwd=cwd, check=False
    )
    assert done.returncode == 0, (arguments, done.stdout, done.stderr)
    return done.stdout


BLOCKS = [
    pytest.param(block, id=f"{page.stem}-{number}")
    for page in [FOLDER / "README.md", *sorted((FOLDER / "docs").glob("*.md"))]
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL))
]


@pytest.mark.parametrize("block", BLOCKS)
def test_documents_run(block: str, tmp_path: Path) -> None:
    run("-c", block, cwd=tmp_path)


def test_language_model_plays() -> None:
    assert "wins" in run("examples/language_model.py")


def test_docstrings_are_true() -> None:
    for module in (constructor_game, evaluation, simulation):
        results = doctest.testmod(module)
        assert results.attempted > 0 and results.failed == 0


def test_tables_are_those_of_the_package() -> None:
    run("docs/tables.py", "--check")


def test_stub_has_the_docstrings() -> None:
    run("docs/stubs.py", "--check")


def test_everything_has_a_docstring() -> None:
    for name in constructor_game.__all__:
        value = getattr(constructor_game, name)
        if isinstance(value, type) or callable(value):
            assert value.__doc__, name
        if isinstance(value, type) and value.__module__ == "constructor_game":
            for attribute in vars(value):
                if not attribute.startswith("_"):
                    assert getattr(value, attribute).__doc__, f"{name}.{attribute}"


def test_first_bot_beats_random() -> None:
    first, *_ = run("examples/first_bot.py").splitlines()
    share = float(re.search(r"against three of random: ([\d.]+) %", first)[1])  # type: ignore[index]
    assert share > 35, first


def test_plot_is_drawn(tmp_path: Path) -> None:
    run("examples/plot.py", str(tmp_path / "games.png"))
    assert (tmp_path / "games.png").read_bytes().startswith(b"\x89PNG")


def test_training_runs() -> None:
    out = run("examples/train.py", "--seconds", "4", "--games", "256", seconds=240)
    assert out.count("trained: wins") == 4


def test_types_are_complete() -> None:
    run("-m", "mypy", seconds=300)
    allowed = {**os.environ, "MYPYPATH": str(FOLDER)}
    command = [sys.executable, "-m", "mypy.stubtest", "constructor_game._engine"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=FOLDER, env=allowed, check=False)
    assert done.returncode == 0, done.stdout
