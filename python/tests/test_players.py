"""Players: the engine's, and functions."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import random_game

import constructor_game as c


@pytest.mark.parametrize("name", c.PLAYERS)
def test_players_choose_legal_actions(name: str) -> None:
    player = c.Player(name, playouts=3, seed=1)
    for seed in range(40):
        game = random_game(seed, 20 * seed, trades=True)
        if game.done:
            with pytest.raises(ValueError, match="over"):
                player.choose(game)
        else:
            before = game.to_bytes()
            assert game.is_legal(player.choose(game)) and game.to_bytes() == before


def test_seeds_decide_choices() -> None:
    game = c.Game(seed=1)

    def choices(seed: int) -> list[int]:
        player = c.Player("random", seed=seed)
        return [player.choose(game) for _ in range(20)]

    assert choices(1) == choices(1) != choices(2)
    copy = pickle.loads(pickle.dumps(c.Player("expert", playouts=7, seed=3)))
    assert repr(copy) == "Player('expert', playouts=7, seed=3)"
    assert (
        repr(pickle.loads(pickle.dumps(c.Player("hard", think_ms=5, seed=3)))) == "Player('hard', think_ms=5, seed=3)"
    )
    assert (copy.name, copy.playouts, copy.think_ms, copy.seed) == ("expert", 7, None, 3)


def test_a_loop_with_players_is_a_simulation() -> None:
    """Greedy and normal players decide without chance: a loop in Python plays the games of simulate."""
    names = ["greedy", "normal", "normal", "greedy"]
    rows = c.simulate(8, names, seed=3, rotate_seats=False).columns
    for number in range(8):
        game = c.Game(seed=int(rows["seed"][4 * number]))
        players = [c.Player(name, seed=0) for name in names]
        plies = 0
        while not game.done:
            for player in players:
                player.observe(game)
            assert game.player is not None
            game.apply(players[game.player](game))
            plies += 1
        assert (
            plies == rows["plies"][4 * number] and game.points == rows["points"][4 * number : 4 * number + 4].tolist()
        )


def test_evaluation_is_a_chance_for_each_builder() -> None:
    player = c.Player("expert", playouts=200, seed=1)
    game = c.Game(seed=1)
    chances = player.evaluate(game)
    assert chances.shape == (4,) and 0.95 < chances.sum() <= 1 + 1e-9
    assert (player.evaluate(game) != chances).any(), "other playouts"
    again = c.Player("expert", playouts=200, seed=1).evaluate(game)
    assert (again == chances).all()
    ahead = c.Game.from_save(
        "0\n9 9 9 9 9 r 0 h 0 T 20 T 30 T\n0 0 0 0 0 r h 5 B\n0 0 0 0 0 r h 10 B\n0 0 0 0 0 r h 15 B\n"
        + c.Game(seed=1).layout
        + "\n0\n"
    )
    assert player.evaluate(ahead, playouts=50).argmax() == 0
    over = random_game(1, 100_000)
    assert over.winner is not None and player.evaluate(over).tolist() == np.eye(4)[over.winner].tolist()
    with pytest.raises(ValueError, match="playouts"):
        player.evaluate(game, playouts=0)
    weak = player.evaluate(game, playouts=50, players=["random", "normal", "normal", None])
    assert weak[0] < 0.1 and abs(weak.sum() - 1) < 1e-9, "a random player hardly ever wins"
    with pytest.raises(ValueError, match="there is no player 'x'"):
        player.evaluate(game, players=["x", "greedy", "greedy", "greedy"])
    with pytest.raises(ValueError):
        player.evaluate(game, players=["greedy"])


def test_wrong_players_are_refused() -> None:
    with pytest.raises(ValueError, match="there is no player 'x': random, greedy"):
        c.Player("x")
    with pytest.raises(ValueError, match="not both"):
        c.Player("expert", playouts=1, think_ms=1)
    for wrong in ({"playouts": 0}, {"think_ms": 0}, {"playouts": -1}, {"playouts": 2**40}, {"seed": -1}, {"seed": "x"}):
        with pytest.raises((ValueError, TypeError, OverflowError)):
            c.Player("expert", **wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        c.Player("greedy").choose("game")  # type: ignore[arg-type]


def builds(game: c.Game) -> int:
    """Builds whatever it can."""
    return max(game.legal_actions())


def first(game: c.Game) -> int:
    return game.legal_actions()[0]


def test_functions_play_in_simulations() -> None:
    one = c.simulate(40, [first, "random", "random", "random"], seed=1, threads=1)
    two = c.simulate(40, [first, "random", "random", "random"], seed=1, threads=2)
    assert one.table == two.table and "first" in one.table
    names = {row["player"] for row in one.rows.to_pylist()}
    assert names == {"first", "random"}

    def like_greedy(game: c.Game) -> int:
        return c.Player("greedy", seed=0).choose(game)

    asked = c.simulate(10, [like_greedy, "greedy", "random", "random"], seed=2, rotate_seats=False)
    built_in = c.simulate(10, ["greedy", "greedy", "random", "random"], seed=2, rotate_seats=False)
    assert all((asked.columns[name] == built_in.columns[name]).all() for name in built_in.columns)
    assert c.match(first, "random", 3).games == 12


def test_functions_see_the_whole_game() -> None:
    def looks(game: c.Game) -> int:
        assert game.player is not None and not game.done
        built = sum(len(own) for own in game.residences)
        assert c.Game.from_save(game.to_save()).to_save() == game.to_save() and (built > 0 or game.phase == "setup")
        return game.legal_actions()[0]

    turns: set[int] = set()

    def counts(game: c.Game) -> int:
        turns.add(game.turns)
        return looks(game)

    c.simulate(2, [counts] * 4, max_turns=30)
    assert max(turns) > 20 and 0 in turns


@pytest.mark.parametrize("threads", [1, 2])
def test_exceptions_of_functions_come_back(threads: int) -> None:
    def fails(game: c.Game) -> int:
        if game.turns or game.phase != "setup":
            raise KeyError("what I did not expect")
        return game.legal_actions()[0]

    with pytest.raises(KeyError, match="did not expect"):
        c.simulate(100, [fails, "greedy", "greedy", "greedy"], threads=threads)
    for wrong, error in [
        (54, c.IllegalActionError),
        (1_000, IndexError),
        ("x", TypeError),
        (None, TypeError),
        (0.5, TypeError),
    ]:
        with pytest.raises(error):
            c.simulate(10, [lambda game, wrong=wrong: wrong, "greedy", "greedy", "greedy"], threads=threads)  # type: ignore[misc]

    def progress(games: int) -> None:
        raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        c.simulate(10_000, ["random"] * 4, progress=progress)


def test_progress_counts_games() -> None:
    seen: list[int] = []
    c.simulate(2_000, ["greedy"] * 4, progress=seen.append)
    assert seen == sorted(seen) and seen[-1] == 2_000


def test_simulations_run_in_threads() -> None:
    """The GIL is released: another thread goes on meanwhile, and two simulations at once are each right."""
    tables: list[str] = []
    threads = [
        threading.Thread(target=lambda: tables.append(c.simulate(3_000, ["greedy"] * 4, threads=1).table))
        for _ in range(2)
    ]
    for thread in threads:
        thread.start()
    ticks = 0
    while any(thread.is_alive() for thread in threads):
        ticks += 1
        time.sleep(0.001)
    assert ticks > 10 and len(set(tables)) == 1 and len(tables) == 2


@pytest.mark.parametrize(
    "call",
    [
        "c.simulate(10**9, ['greedy'] * 4, rows=False)",
        "c.simulate(100, ['expert'] * 4, playouts=10**8)",
        "c.simulate(10**9, [lambda game: game.legal_actions()[0]] * 4, rows=False)",
        "c.Player('expert', think_ms=3_600_000).choose(c.Game(seed=1))",
        "c.Player('expert').evaluate(c.Game(seed=1), playouts=2**31)",
    ],
)
def test_ctrl_c_interrupts_long_calls(call: str) -> None:
    code = f"import constructor_game as c\nprint('ready', flush=True)\n{call}"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        begun = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert "KeyboardInterrupt" in errors and time.monotonic() - begun < 20
    finally:
        process.kill()
        process.wait()


def test_players_are_shared_by_threads() -> None:
    player, game = c.Player("expert", playouts=50, seed=1), c.Game(seed=1)
    chosen: list[int] = []
    threads = [threading.Thread(target=lambda: chosen.append(player.choose(game))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(chosen) == 8 and all(game.is_legal(action) for action in chosen)
