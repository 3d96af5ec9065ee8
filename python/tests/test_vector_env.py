"""Many games at once: the same as single games, on any number of threads."""

from __future__ import annotations

import copy
import itertools
import multiprocessing
import pickle
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
        {"opponents": [3] * 3},
        {"opponents": itertools.count()},
        {"opponents": [lambda *_: [0]] * 3, "masks": False},
        {"nonsense": 1},
        {"final_observations": "some"},
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


def played(env: c.VectorEnv, steps: int) -> bytes:
    """What the arrays show in the next steps, as bytes."""
    seen = []
    for _ in range(steps):
        env.step(env.sample_actions())
        seen.append(b"".join(getattr(env, name).tobytes() for name in ARRAYS))
    return b"".join(seen)


def likeliest(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """A policy that plays the last legal action."""
    assert len(observations) == len(masks)
    return 360 - masks[:, ::-1].argmax(axis=1)


STATES: list[dict[str, Any]] = [
    {},
    {"trades": True, "max_steps": 60},
    {"max_turns": 9, "edition": "watan", "skip_forced": True},
    {"paired_boards": True},
    {"opponents": ["greedy", "random", "normal"]},
    {"opponents": ["expert", "veteran", "hard"], "playouts": 4, "n": 3, "trades": True},
    {"opponents": [likeliest, "greedy", likeliest], "seat": 1},
]


@pytest.mark.parametrize("settings", STATES)
@pytest.mark.parametrize("steps", [0, 1, 77, 400])
def test_state_and_pickle_go_on_byte_for_byte(settings: dict[str, Any], steps: int) -> None:
    env = everything(**settings)
    played(env, steps)
    state, shown_before = env.state(), shown(env)
    pickled = pickle.dumps(env)
    expected = played(env, 60)
    env.set_state(state)
    position = ("observations", "masks", "mask_words", "players", "seeds")
    assert all((shown(env)[name] == shown_before[name]).all() for name in position)
    assert played(env, 60) == expected, "the same environment, set back"
    assert played(pickle.loads(pickled), 60) == expected, "a pickled one"
    other = everything(**{**settings, "seed": 1})
    other.set_state(state)
    assert other.seed == 5 and other.state() == state
    assert played(copy.deepcopy(other), 60) == expected, "another one"


def test_states_that_do_not_fit_change_nothing() -> None:
    env = everything(n=4, opponents=["greedy"] * 3)
    played(env, 20)
    before = env.state()
    wrong = [
        b"", b"\x00", before[:-1], before[:40], b"\x02" + before[1:], everything(n=5).state(),
        everything(n=4, edition="watan").state(), everything(n=4, trades=True).state(),
    ]  # fmt: skip
    for state in wrong:
        with pytest.raises(ValueError, match="not a state of this environment"):
            env.set_state(state)
    rng = np.random.default_rng(1)
    for _ in range(300):
        damaged = bytearray(before)
        damaged[rng.integers(len(damaged))] ^= 1 << int(rng.integers(8))
        try:
            env.set_state(bytes(damaged))
        except ValueError:
            assert env.state() == before
        env.set_state(before)


def test_states_of_other_settings_are_refused() -> None:
    settings: list[dict[str, Any]] = [
        {}, {"opponents": ["greedy"] * 3}, {"opponents": ["normal"] * 3}, {"opponents": [likeliest] * 3},
        {"opponents": ["hard"] * 3, "playouts": 2}, {"opponents": ["hard"] * 3, "playouts": 3}, {"max_turns": 9},
        {"max_steps": 9}, {"rewards": "points"}, {"edition": "watan"}, {"trades": True}, {"skip_forced": True},
        {"paired_boards": True}, {"layout": c.Game(seed=1).layout}, {"layout": c.Game(seed=2).layout},
        {"opponents": ["greedy"] * 3, "seat": 1},
    ]  # fmt: skip
    envs = [everything(n=2, **one) for one in settings]
    for env, other in itertools.permutations(envs, 2):
        with pytest.raises(ValueError, match="not a state of this environment: it is of these settings"):
            env.set_state(other.state())
    everything(n=2, threads=2, masks=False).set_state(envs[0].state())


def test_a_game_can_be_put_into_a_slot() -> None:
    game = c.Game(seed=1)
    for _ in range(40):
        game.apply(game.legal_actions()[-1])
    env = everything(n=3)
    seeds = env.seeds.copy()
    env.set_game(1, game)
    assert env.game(1) == game and env.players[1] == game.player and env.game(0) == c.Game(seed=int(seeds[0]))
    assert env.observations is not None and (env.observations[1] == game.observe()).all()
    twin = env.game(1)
    for _ in range(50):
        actions = env.sample_actions()
        twin.apply(actions[1])
        env.step(actions)
        assert env.game(1) == twin, "its generator is the game's"
    state = env.state()
    expected = played(env, 30)
    env.set_state(state)
    assert played(env, 30) == expected
    with pytest.raises(ValueError, match="another edition"):
        env.set_game(0, c.Game(edition="watan"))
    player, game = c.Player("greedy", seed=0), c.Game(seed=1)
    while not game.done:
        game.apply(player.choose(game))
    with pytest.raises(ValueError, match="it is over"):
        env.set_game(0, game)
    for slot in (3, -1, 10**30):
        with pytest.raises(ValueError, match="slot: expected a number from 0 to 2"):
            env.game(slot)


def test_opponents_play_on_from_a_game_that_was_put_there() -> None:
    game = c.Game(seed=3)
    env = everything(n=2, opponents=["greedy", likeliest, "normal"], seat=2)
    env.set_game(0, game)
    assert env.players[0] == 2 and env.game(0) != game
    state = env.state()
    expected = played(env, 40)
    env.set_state(state)
    assert played(env, 40) == expected


def test_single_slots_can_be_reset() -> None:
    env = everything(n=4)
    played(env, 30)
    before = shown(env)
    env.reset([7, None, 8, 9], mask=[True, True, False, False])
    after = shown(env)
    assert [(before["masks"][slot] == after["masks"][slot]).all() for slot in range(4)] == [False, False, True, True]
    assert env.seeds[0] == c.VectorEnv(1, seed=7).seeds[0]
    assert env.seeds[1] == derived(5, 1 + 4), "the next game of its sequence"
    with pytest.raises(ValueError, match="mask: expected 4, not 3"):
        env.reset(mask=[True] * 3)
    for mask in ([0, 2, 1, 1], np.ones((4, 1), bool)):
        with pytest.raises(TypeError, match="mask: expected 4 values of bool"):
            env.reset(mask=mask)


def derived(seed: int, number: int) -> int:
    """The seed of a game of a simulation."""
    return int(c.simulate(1, first=number, seed=seed, rotate_seats=False).columns["seed"][0])


def test_policies_are_opponents() -> None:
    """Beside a loop over single games in which the same policy plays."""
    asked = []

    def policy(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        assert observations.shape == (len(masks), 749) and (masks.sum(axis=1) > 1).all(), "asked only for choices"
        asked.append(len(masks))
        return likeliest(observations, masks)

    settings: dict[str, Any] = {"n": 6, "max_turns": 40, "rewards": "points", "final_observations": "all"}
    env = everything(opponents=[policy] * 3, seat=1, **settings)
    games = [c.Game(seed=int(seed)) for seed in env.seeds]

    def others(game: c.Game) -> None:
        while not game.done and game.turns < 40 and game.player != 1:
            game.apply(int(likeliest(game.observe()[None], game.legal_mask()[None])[0]))

    ended = 0
    for game in games:
        others(game)
    for _ in range(400):
        assert env.masks is not None and env.final_observations is not None
        assert all((env.masks[slot] == game.legal_mask()).all() for slot, game in enumerate(games))
        actions = env.sample_actions()
        points = [game.points for game in games]
        for game, action in zip(games, actions, strict=True):
            game.apply(action)
            others(game)
        env.step(actions)
        for slot, game in enumerate(games):
            gained = [(now - then) / 10 for now, then in zip(game.points, points[slot], strict=True)]
            assert env.rewards[slot].tolist() == pytest.approx(gained)
            assert env.terminated[slot] == game.done and env.truncated[slot] == (not game.done and game.turns >= 40)
            if env.terminated[slot] or env.truncated[slot]:
                ended += 1
                assert all((env.final_observations[slot][seat] == game.observe(seat)).all() for seat in range(4))
                games[slot] = c.Game(seed=int(env.seeds[slot]))
                others(games[slot])
    assert ended > 10 and max(asked) > 1, "one call for several slots"


def test_policies_that_fail_end_the_step() -> None:
    answers: list[Any] = [lambda n: [361] * n, lambda n: [0] * (n + 1), lambda n: ["x"] * n, lambda n: [54] * n]
    for answer in answers:
        calls = itertools.count()

        def policy(observations: Any, masks: Any, answer: Any = answer, calls: Any = calls) -> Any:
            return answer(len(masks)) if next(calls) == 5 else masks.argmax(axis=1)

        env = everything(n=4, opponents=[policy, "greedy", "greedy"], seat=0)
        with pytest.raises((ValueError, TypeError, IndexError)):
            played(env, 200)
        with pytest.raises(RuntimeError, match="the last step failed in the middle"):
            env.step(env.sample_actions())
        env.reset()
        played(env, 3)


def test_nothing_is_played_in_a_slot_whose_game_was_not_shown() -> None:
    env = everything(n=2)
    played(env, 20)
    state, game = env.state(), c.Game(seed=9)
    for change in (lambda: env.set_game(0, game), lambda: env.set_state(state), env.reset):
        before = shown(env)
        env.players.flags.writeable = False
        with pytest.raises(RuntimeError, match="an array of the environment"):
            change()
        env.players.flags.writeable = True
        assert env.state() == state and all((before[name] == after).all() for name, after in shown(env).items())
    played(env, 20)


def test_limits_leave_the_agent_a_decision() -> None:
    for settings in ({"max_steps": 1}, {"max_turns": 1}):
        env = everything(n=5, opponents=[likeliest] * 3, seat=3, **settings)
        for _ in range(60):
            assert (env.players == 3).all()
            env.step(env.sample_actions())
        late = c.Game(seed=1)
        while late.turns < 3:
            late.apply(late.legal_actions()[-1])
        env.set_game(2, late)
        assert env.players[2] == 3 and env.game(2).turns >= 3


def test_interrupted_steps_cannot_go_on() -> None:
    code = """
import threading, time, _thread, constructor_game as c
slow = c.VectorEnv(2, seed=1, opponents=["expert"] * 3, seat=0, playouts=1_000)
state = slow.state()
while True:
    threading.Timer(0.1, _thread.interrupt_main).start()
    try:
        while True:
            slow.step(slow.sample_actions())
    except KeyboardInterrupt:
        pass
    try:
        slow.state()
    except RuntimeError as error:
        assert "failed in the middle" in str(error), error
        break
slow.set_state(state)
assert slow.state() == state
slow.step(slow.sample_actions())
print("goes on")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert done.stdout == "goes on\n", done.stderr


def test_games_of_paired_boards_keep_their_dice() -> None:
    env = everything(n=8, paired_boards=True, max_turns=30)
    played(env, 60)
    for slot in range(8):
        game, other = env.game(slot), c.Game.from_bytes(env.game(slot).to_bytes())
        for _ in range(80):
            if game.done:
                break
            game.apply(game.legal_actions()[-1])
            other.apply(other.legal_actions()[-1])
            assert game == other


def test_actions_are_sampled_by_logits() -> None:
    env = everything(n=4_000, seed=2)
    assert env.masks is not None
    legal = env.masks.astype(bool)
    rng = np.random.default_rng(1)
    logits = np.tile(rng.normal(size=361).astype(np.float32), (4_000, 1))
    counts = np.zeros(361)
    for _ in range(50):
        np.add.at(counts, env.sample_actions(logits), 1)
    weights = np.where(legal[0], np.exp(logits[0]), 0)
    expected = 200_000 * weights / weights.sum()
    chi_squared = ((counts - expected)[legal[0]] ** 2 / expected[legal[0]]).sum()
    assert chi_squared < 53 + 4 * np.sqrt(2 * 53), "54 places: 53 degrees of freedom, four standard deviations"
    greedy = env.sample_actions(logits.astype(np.float64), greedy=True)
    assert (greedy == np.where(legal, logits, -np.inf).argmax(axis=1)).all()
    logits[:, 7] = np.inf
    with pytest.raises(ValueError, match="slot 0"):
        env.sample_actions(logits)
    logits[:] = -np.inf
    logits[:, 9] = 3
    assert (env.sample_actions(logits) == 9).all()
    logits[11, :54] = -np.inf
    with pytest.raises(ValueError, match="slot 11"):
        env.sample_actions(logits)
    with pytest.raises(ValueError, match=r"logits: expected the shape \(4000, 361\)"):
        env.sample_actions(logits[1:])
    envs = [everything(n=50, threads=threads) for threads in (1, 2)]
    drawn = [[env.sample_actions(logits[:1].repeat(50, axis=0)).tobytes() for _ in range(5)] for env in envs]
    assert drawn[0] == drawn[1]


@pytest.mark.parametrize("trades", [False, True])
def test_compact_observations_say_the_same(trades: bool) -> None:
    """Every entry beside the game, and from all seats; and the two forms tell the same positions apart."""
    env = everything(observations="compact", final_observations="all", trades=trades, max_turns=30)
    full, short = {}, {}
    for _ in range(500):
        assert env.observations is not None
        for slot in range(len(env)):
            game = env.game(slot)
            assert (env.observations[slot] == game.observe(compact=True)).all()
            full[game.observe().tobytes()] = short[game.observe(compact=True).tobytes()] = True
        env.step(env.sample_actions())
    assert len(full) == len(short) > 3_000
    game = env.game(1)
    for seat in range(4):
        entries = dict(zip(c.COMPACT_OBSERVATION, game.observe(seat, compact=True).tolist(), strict=True))
        assert (game.observe(seat, compact=True) <= c.COMPACT_OBSERVATION_MAX).all()
        builders = [(seat + after) % 4 for after in range(4)]
        kinds = {"basement": 1, "house": 2, "tower": 3}
        for number, name in enumerate(("me", "next", "across", "previous")):
            builder = builders[number]
            assert entries[f"{name}.points"] == game.points[builder]
            assert [entries[f"{name}.hand.{resource}"] for resource in c.RESOURCES] == game.hands[builder]
            assert all(entries[f"vertex.{v}"] == 3 * number + kinds[kind] for v, kind in game.residences[builder])
            assert all(entries[f"edge.{edge}"] == number + 1 for edge in game.roads[builder])
        built = sum(map(len, game.residences)) + sum(map(len, game.roads))
        assert built == sum(value > 0 for name, value in entries.items() if name.split(".")[0] in ("vertex", "edge"))
        for tile, (resource, value) in enumerate(game.tiles):
            expected = (0, 0) if resource is None else (resource + 1, value)
            assert (entries[f"tile.{tile}.resource"], entries[f"tile.{tile}.value"]) == expected
        assert entries["phase"] == c.PHASES.index(game.phase) and entries["acting"] == 1 + builders.index(game.player)
        assert entries["geese"] == (0 if game.geese is None else game.geese + 1)
    while not env.truncated.any():
        env.step(env.sample_actions())
    assert env.final_observations is not None and env.final_observations.shape == (13, 4, 196)


def test_memory_that_is_not_there_is_an_error() -> None:
    code = (
        "import resource, constructor_game as c\n"
        "resource.setrlimit(resource.RLIMIT_AS, (1_500_000_000, 1_500_000_000))\n"
        "try:\n    c.VectorEnv(2**20)\nexcept MemoryError:\n    print('refused')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr


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
