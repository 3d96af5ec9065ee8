"""Many games at once: the same as single games, on any number of threads."""

from __future__ import annotations

import itertools
import multiprocessing
import signal
import subprocess
import sys
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import constructor_game as c

ARRAYS = ("observations", "masks", "mask_words", "players", "rewards", "terminated", "truncated", "winners", "seeds")


def shown(env: c.VectorEnv) -> dict[str, npt.NDArray[Any]]:
    """A copy of all arrays."""
    return {name: getattr(env, name).copy() for name in ARRAYS}


def everything(**settings: Any) -> c.VectorEnv:
    return c.VectorEnv(**{"n": 13, "seed": 5, "mask_words": True, **settings})


@pytest.mark.parametrize(
    ("edition", "trades", "rewards"), list(itertools.product(c.editions(), [False, True], ["win", "points"]))
)
def test_every_slot_is_a_single_game(edition: str, trades: bool, rewards: Any) -> None:
    # Random builders hardly end a turn in which they can offer trades.
    max_turns = 3 if trades else 60
    env = everything(edition=edition, trades=trades, rewards=rewards, max_turns=max_turns)
    games = [c.Game(seed=int(seed), edition=edition, trades=trades) for seed in env.seeds]
    ended = 0
    for _ in range(2_000):
        for slot, game in enumerate(games):
            assert env.observations is not None and env.masks is not None and env.mask_words is not None
            assert env.players[slot] == game.player
            assert (env.observations[slot] == game.observe()).all() and (env.masks[slot] == game.legal_mask()).all()
            bits = np.unpackbits(env.mask_words[slot].view(np.uint8), bitorder="little")[:361]
            assert (bits == game.legal_mask()).all()
        actions = env.sample_actions()
        before = [game.points for game in games]
        for game, action in zip(games, actions, strict=True):
            game.apply(action)
        env.step(actions)
        for slot, game in enumerate(games):
            assert env.terminated[slot] == game.done
            assert env.truncated[slot] == (not game.done and game.turns >= max_turns)
            if rewards == "points":
                expected = [(after - was) / 10 for after, was in zip(game.points, before[slot], strict=True)]
            elif game.done:
                expected = [1.0 if builder == game.winner else -1 / 3 for builder in range(4)]
            else:
                expected = [0.0] * 4
            assert env.rewards[slot].tolist() == pytest.approx(expected)
            assert env.winners[slot] == (-1 if game.winner is None else game.winner)
            if game.done or game.turns >= max_turns:
                ended += 1
                games[slot] = c.Game(seed=int(env.seeds[slot]), edition=edition, trades=trades)
    assert ended > 20


@pytest.mark.parametrize(
    "settings",
    [{}, {"trades": True, "max_turns": 40}, {"opponents": ["greedy", "random", "normal"], "final_observations": True}],
)
def test_number_of_threads_changes_nothing(settings: dict[str, Any]) -> None:
    envs = [everything(n=61, threads=threads, **settings) for threads in (1, 2, 7)]
    for _ in range(600):
        actions = [env.sample_actions().copy() for env in envs]
        assert (actions[0] == actions[1]).all() and (actions[0] == actions[2]).all()
        for env, own in zip(envs, actions, strict=True):
            env.step(own)
        first, *others = [shown(env) for env in envs]
        for other in others:
            assert all(first[name].tobytes() == other[name].tobytes() for name in ARRAYS)
    if settings.get("final_observations"):
        assert len({env.final_observations.tobytes() for env in envs}) == 1  # type: ignore[union-attr]


def test_games_are_those_of_a_simulation() -> None:
    """Slot i begins with game i of a simulation with the same seed, and goes on with game i + n."""
    env = c.VectorEnv(4, seed=9, max_turns=1)
    seeds = c.simulate(12, seed=9).columns["seed"][::4]
    seen: list[list[int]] = [[] for _ in range(4)]
    while min(map(len, seen)) < 3:
        for slot in range(4):
            if not seen[slot] or seen[slot][-1] != env.seeds[slot]:
                seen[slot].append(int(env.seeds[slot]))
        env.step(env.sample_actions())
    assert [own[:3] for own in seen] == [seeds[slot::4].tolist() for slot in range(4)]


def test_seeds_decide_everything() -> None:
    def run(env: c.VectorEnv) -> list[bytes]:
        states = []
        for _ in range(300):
            env.step(env.sample_actions())
            states.append(b"".join(getattr(env, name).tobytes() for name in ARRAYS))
        return states

    opponents = ["random", "greedy", "expert"]
    env = everything(n=3, opponents=opponents, playouts=2)
    first = run(env)
    env.reset(5)
    assert run(env) == first == run(everything(n=3, opponents=opponents, playouts=2))
    assert run(everything(n=3, seed=6, opponents=opponents, playouts=2)) != first
    env.reset(5)
    begun = env.seeds.copy()
    env.reset()
    assert not (env.seeds == begun).any(), "without a seed, the next games begin"


def test_opponents_play_between_own_decisions() -> None:
    env = everything(n=8, opponents=["greedy"] * 3, seat=2, skip_forced=True)
    for _ in range(500):
        assert (env.players == 2).all()
        assert env.masks is not None and (env.masks.sum(axis=1) > 1).all(), "what is forced is played"
        env.step(env.sample_actions())
    rotated = everything(n=8, opponents=["greedy"] * 3)
    assert rotated.players.tolist() == [0, 1, 2, 3] * 2


def test_opponents_are_players_of_the_engine() -> None:
    """A slot with greedy opponents beside a loop over a single game."""
    env = c.VectorEnv(1, seed=3, opponents=["greedy"] * 3, seat=1)
    game = c.Game(seed=int(env.seeds[0]))
    players = [c.Player("greedy", seed=0) for _ in range(4)]
    for _ in range(300):
        while game.player not in (1, None):
            assert game.player is not None
            game.apply(players[game.player].choose(game))
        if game.done:
            break
        assert env.game(0) == game
        action = env.sample_actions()[0]
        game.apply(action)
        env.step([action])


def test_last_observation_is_kept() -> None:
    env = everything(n=4, max_turns=3, final_observations=True)
    games = [c.Game(seed=int(seed)) for seed in env.seeds]
    while not env.truncated.any():
        actions = env.sample_actions()
        for game, action in zip(games, actions, strict=True):
            game.apply(action)
        env.step(actions)
    for slot in np.flatnonzero(env.truncated):
        assert env.final_observations is not None
        assert (env.final_observations[slot] == games[slot].observe()).all()


def test_illegal_actions_change_no_slot() -> None:
    env = everything(n=4)
    before = shown(env)
    for actions in ([0, 1, 2, 54], [360, 0, 0, 0]):
        with pytest.raises(c.IllegalActionError, match="slot"):
            env.step(actions)
    for wrong in ([0, 1, 2, 361], [0, 1, 2, -1], [0, 1, 2, 10**9]):
        with pytest.raises(IndexError, match="indices are 0 to 360"):
            env.step(wrong)
    assert all((before[name] == after).all() for name, after in shown(env).items())
    env.step([0, 1, 2, 3])


@pytest.mark.parametrize("kind", ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"])
def test_actions_may_be_any_integers(kind: str) -> None:
    env = everything(n=3)
    env.step(np.array([1, 2, 3], kind))
    assert [env.game(slot).residences[0] for slot in range(3)] == [[(slot + 1, "basement")] for slot in range(3)]
    env.step(np.array([9, 7, 9, 7, 9, 7], kind)[::2])


@pytest.mark.parametrize(
    "actions", [[0, 1], [0, 1, 2, 3], [0.0, 1.0, 2.0], "abc", None, [[0], [1], [2]], [0, 1, "x"], object(), {}]
)
def test_malformed_actions_are_refused(actions: Any) -> None:
    with pytest.raises((ValueError, TypeError)):
        everything(n=3).step(actions)


def test_arrays_stay_where_they_are() -> None:
    env = everything(n=3, final_observations=True)
    arrays = {name: getattr(env, name) for name in (*ARRAYS, "final_observations")}
    for _ in range(10):
        env.step(env.sample_actions())
        env.reset()
    assert all(getattr(env, name) is array for name, array in arrays.items())
    kept = env.players
    del env
    assert kept.shape == (3,), "an array outlives its environment"


def test_arrays_that_cannot_be_written_are_an_error() -> None:
    env = everything(n=3)
    env.players.flags.writeable = False
    with pytest.raises(RuntimeError, match="array of the environment"):
        env.step(env.sample_actions())


@pytest.mark.parametrize(
    "settings",
    [
        {"n": 0},
        {"n": -1},
        {"n": 2**40},
        {"threads": 0},
        {"threads": 5_000},
        {"max_turns": 0},
        {"rewards": "money"},
        {"opponents": ["greedy"]},
        {"opponents": ["nobody"] * 3},
        {"opponents": [lambda game: 0] * 3},
        {"opponents": "greedy"},
        {"seat": 1},
        {"seat": 4, "opponents": ["greedy"] * 3},
        {"seed": -1},
        {"seed": 2**64},
        {"seed": "x"},
        {"edition": "chess"},
        {"layout": "0 5"},
        {"layout": 3},
        {"playouts": 0, "opponents": ["expert"] * 3},
    ],
)
def test_wrong_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises((ValueError, TypeError, OverflowError)):
        everything(**settings)


def test_a_failed_reset_changes_nothing() -> None:
    env = everything(n=8)
    for _ in range(50):
        env.step(env.sample_actions())
    before = shown(env)
    assert env.masks is not None
    env.masks.flags.writeable = False
    with pytest.raises(RuntimeError, match="array of the environment"):
        env.reset(seed=2)
    env.masks.flags.writeable = True
    assert env.seed == 5 and all((before[name] == after).all() for name, after in shown(env).items())
    env.step(env.sample_actions())


def _step_in_a_child(env: c.VectorEnv, results: Any) -> None:
    for _ in range(10):
        env.step(env.sample_actions())
    results.put(env.seeds.tolist())


def test_threads_work_after_a_fork() -> None:
    context = multiprocessing.get_context("fork")
    env = everything(threads=2)
    env.step(env.sample_actions())
    results = context.Queue()
    child = context.Process(target=_step_in_a_child, args=(env, results))
    child.start()
    try:
        assert results.get(timeout=30) == env.seeds.tolist()
        child.join(30)
        assert child.exitcode == 0
    finally:
        child.kill()
    env.step(env.sample_actions())


def test_ctrl_c_interrupts_thinking_opponents() -> None:
    code = (
        "import constructor_game as c\nprint('ready', flush=True)\n"
        "c.VectorEnv(64, seed=1, opponents=['expert'] * 3, seat=3, playouts=10**7)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=30)
        assert "KeyboardInterrupt" in errors
    finally:
        process.kill()
        process.wait()
