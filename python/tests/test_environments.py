"""The environments by the checkers of PettingZoo and Gymnasium, and what they promise besides."""

from __future__ import annotations

import itertools
import warnings
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_check

import constructor_game as c
from constructor_game.gymnasium_env import ConstructorEnv, ConstructorVectorEnv
from constructor_game.pettingzoo_env import ConstructorAECEnv

ID = "constructor_game/Constructor-v0"

# The checkers prefer observations without masks, and play illegal actions on purpose.
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")

SETTINGS: list[dict[str, Any]] = [
    {},
    {"trades": True, "rewards": "points", "max_turns": 30},
    {"float_observations": True, "edition": "watan"},
]


@pytest.mark.parametrize("settings", SETTINGS)
def test_pettingzoo_checkers_accept_it(settings: dict[str, Any]) -> None:
    api_test(c.env(**settings), num_cycles=2_000)
    seed_test(lambda: c.env(**settings), num_cycles=300)
    api_test(c.raw_env(**settings), num_cycles=500)


def test_pettingzoo_observations_are_saved() -> None:
    save_obs_check(c.env())


def play(env: ConstructorAECEnv, seed: int) -> list[Any]:
    """A game of the first legal actions, by the loop of PettingZoo's documents."""
    seen: list[Any] = []
    env.reset(seed=seed)
    rng = np.random.default_rng(seed)
    for agent in env.agent_iter():
        observation, reward, termination, truncation, info = env.last()
        assert (observation["action_mask"] == info["action_mask"]).all()
        seen.append((agent, observation["observation"].tobytes(), reward, termination, truncation))
        if termination or truncation:
            action = None
        else:
            action = int(rng.choice(np.flatnonzero(observation["action_mask"])))
        env.step(action)
    return seen


def test_rewards_are_given_at_the_end() -> None:
    env = c.env()
    seen = play(env, 1)
    winner = env.game.winner
    assert winner is not None and not env.agents
    last = {agent: reward for agent, _, reward, termination, _ in seen if termination}
    assert last == {f"player_{number}": 1.0 if number == winner else -1 / 3 for number in range(4)}
    assert all(reward == 0 for _, _, reward, termination, _ in seen if not termination)
    assert play(env, 1) == seen == play(c.env(), 1) != play(env, 2), "the seed decides everything"


def test_points_are_rewarded_when_asked_for() -> None:
    env = c.env(rewards="points")
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent, _, reward, _, _ in play(env, 3):
        totals[agent] += reward
    assert list(totals.values()) == pytest.approx([points / 10 for points in env.game.points])


def test_games_are_truncated() -> None:
    env = c.env(max_turns=7)
    seen = play(env, 1)
    assert env.game.turns == 7 and sum(truncation for *_, truncation in seen) == 4


def test_only_the_acting_agent_has_actions() -> None:
    env = c.env()
    env.reset(seed=1)
    assert env.agent_selection == "player_0"
    for agent in env.agents:
        observation = env.observe(agent)
        assert observation["action_mask"].any() == (agent == "player_0")
        assert (observation["observation"] == env.game.observe(env.agents.index(agent))).all()
        assert env.observation_space(agent).contains(observation)


def test_illegal_actions_end_the_game_or_raise() -> None:
    env = c.env()
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="places two basements"):
        env.step(54)
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0, "player_2": 0.0, "player_3": 0.0}
    assert all(env.terminations.values()) and "basements" in env.infos["player_0"]["illegal_action"]
    raw = c.raw_env()
    raw.reset(seed=1)
    with pytest.raises(c.IllegalActionError):
        raw.step(54)
    with pytest.raises(IndexError):
        raw.step(1_000)
    raw.step(7)
    assert raw.agent_selection == "player_1"


@pytest.mark.parametrize(
    "settings", [{"rewards": "x"}, {"illegal": "x"}, {"max_turns": 0}, {"max_steps": 0}, {"edition": "x"}]
)
def test_wrong_settings_are_refused(settings: dict[str, Any]) -> None:
    for make in (c.env, ConstructorEnv):
        with pytest.raises(ValueError):
            make(**settings)


def test_a_mode_that_others_ask_for_is_accepted_and_warned_of_where_it_shows_nothing() -> None:
    env = ConstructorEnv(render_mode="rgb_array")
    env.reset(seed=1)
    with pytest.warns(UserWarning, match="rgb_array"):
        assert env.render() is None
    with pytest.warns(UserWarning, match="rgb_array"):
        gymnasium.make(ID, render_mode="rgb_array")


def _offers(mask: npt.NDArray[np.int8]) -> int:
    """Return a legal action of a player who only trades, as long as it can."""
    legal = np.flatnonzero(mask)
    traded = [action for action in legal if c.ACTIONS[action].kind in ("offer", "refuse")]
    return int(traded[0] if traded else legal[-1])


def test_an_episode_ends_though_somebody_only_trades() -> None:
    env = ConstructorEnv(trades=True, max_turns=50, max_steps=900)
    observation, info = env.reset(seed=1)
    truncated = terminated = False
    for _step in range(901):
        observation, _, terminated, truncated, info = env.step(_offers(observation["action_mask"]))
        if terminated or truncated:
            break
    assert truncated and not info["action_mask"].any()
    assert info["seat"] == env.seat and ConstructorEnv(seat=2).reset(seed=1)[1]["seat"] == 2
    aec = c.raw_env(trades=True, max_steps=400)
    aec.reset(seed=1)
    steps = 0
    while not any(aec.truncations.values()) and steps < 402:
        steps += 1
        aec.step(_offers(aec.observe(aec.agent_selection)["action_mask"]))
    assert steps == 400 and all(aec.truncations.values())
    engine = c.VectorEnv(3, seed=1, trades=True, max_turns=1_000, max_steps=300)
    assert engine.masks is not None
    steps = 0
    while not engine.truncated.any() and steps < 302:
        steps += 1
        engine.step([_offers(mask) for mask in engine.masks])
    assert steps == 300 and engine.truncated.all()


def test_pettingzoo_state_is_the_position_of_everybody() -> None:
    env = c.raw_env()
    env.reset(seed=1)
    env.step(7)
    assert (env.state() == env.observe("player_0")["observation"]).all()


@pytest.mark.parametrize("settings", [*SETTINGS, {"skip_forced": True, "seat": 2}])
def test_gymnasium_checker_accepts_it(settings: dict[str, Any]) -> None:
    env = gymnasium.make(ID, opponents=["greedy", "random", "normal"], **settings)
    check_env(env.unwrapped, skip_render_check=True)


def test_gymnasium_plays_whole_games() -> None:
    env = gymnasium.make(ID, opponents=["random"] * 3, skip_forced=True, max_turns=10_000, render_mode="ansi")
    env.action_space.seed(1)
    wins = 0
    for seed in range(10):
        observation, info = env.reset(seed=seed)
        terminated = truncated = False
        reward = 0.0
        while not (terminated or truncated):
            assert (observation["action_mask"] == info["action_mask"]).all() and info["action_mask"].sum() > 1
            assert (env.unwrapped.action_masks() == info["action_mask"].astype(bool)).all()  # type: ignore[attr-defined]
            assert reward == 0
            action = env.action_space.sample(mask=info["action_mask"])
            observation, reward, terminated, truncated, info = env.step(action)
        assert not info["action_mask"].any()
        if terminated:
            own = env.unwrapped.seat  # type: ignore[attr-defined]
            assert reward == (1.0 if info["winner"] == own else -1 / 3)
            wins += info["winner"] == own
    assert 0 < wins < 10
    assert len(str(env.render()).splitlines()) == 41
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.unwrapped.step(0)


def test_opponents_may_be_functions() -> None:
    asked = []

    def first(game: c.Game) -> int:
        asked.append(game.player)
        return game.legal_actions()[0]

    env = ConstructorEnv([first, "greedy", c.Player("normal")], seat=1)
    _, info = env.reset(seed=1)
    env.step(int(info["action_mask"].argmax()))
    assert set(asked) == {2}
    with pytest.raises(ValueError, match="expected three"):
        ConstructorEnv(["greedy"])
    with pytest.raises(ValueError, match="no player"):
        ConstructorEnv(["nobody", "greedy", "greedy"])
    with pytest.raises(TypeError, match="opponents"):
        ConstructorEnv([3, "greedy", "greedy"])  # type: ignore[list-item]


def test_vector_environment_names_its_autoreset_mode() -> None:
    env = gymnasium.make_vec(
        ID, num_envs=6, vectorization_mode="vector_entry_point", opponents=["random"] * 3, max_turns=40
    )
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=4)
    assert env.observation_space.contains(observations)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(400):
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]])
        kept = observations["observation"]
        before = kept.copy()
        observations, rewards, terminated, truncated, infos = env.step(actions)
        assert (kept == before).all(), "arrays are copies"
        assert rewards.shape == (6,) and env.observation_space.contains(observations)
        done = terminated | truncated
        ended += int(done.sum())
        assert ("final_obs" in infos) == bool(done.any())
        for slot in np.flatnonzero(done):
            assert infos["_final_obs"][slot]
            last = infos["final_obs"][slot]["observation"]
            assert last.sum() != observations["observation"][slot].sum()
            winner = infos["final_info"]["winner"][slot]
            assert (winner >= 0) == terminated[slot]
        assert (rewards[~terminated] == 0).all()
    assert ended > 6
    with pytest.raises(c.IllegalActionError):
        env.step(np.full(6, 358))


def test_vector_environment_is_seeded() -> None:
    def run(env: ConstructorVectorEnv, seed: int | None) -> list[bytes]:
        observations, infos = env.reset(seed=seed)
        seen = []
        for _ in range(100):
            actions = infos["action_mask"].argmax(axis=1)
            observations, _, _, _, infos = env.step(actions)
            seen.append(observations["observation"].tobytes())
        return seen

    one, other = (ConstructorVectorEnv(4, ["normal", "random", "greedy"], threads=threads) for threads in (1, 2))
    first = run(one, 1)
    assert first == run(other, 1) == run(one, 1) != run(one, 2)
    assert run(one, None) != run(one, None), "without a seed, the next games follow"


def test_vector_environment_takes_a_seed_and_a_mask_for_each_slot() -> None:
    env, single = ConstructorVectorEnv(3), ConstructorVectorEnv(1)
    observations, _ = env.reset(seed=[5, 6, None])
    for slot, seed in enumerate([5, 6]):
        assert (single.reset(seed=[seed])[0]["observation"][0] == observations["observation"][slot]).all()
    after, _ = env.reset(options={"reset_mask": np.array([True, False, True])})
    same = (after["observation"] == observations["observation"]).all(axis=1)
    assert same.tolist() == [False, True, False]
    again, _ = env.reset(seed=[5, 1, 1], options={"reset_mask": np.array([True, False, False])})
    assert (again["observation"][0] == observations["observation"][0]).all()
    one, _ = env.reset(seed=5, options={"reset_mask": np.array([True, True, False])})
    assert (one["observation"][:2] == observations["observation"][:2]).all(), "5 and 6, as in Gymnasium's own"
    with pytest.raises(ValueError, match="seed: expected 3, not 2"):
        env.reset(seed=[1, 2])


def test_first_reset_of_a_vector_environment_is_random() -> None:
    for arguments in ({"seed": [None] * 2}, {"options": {"reset_mask": np.array([True, False])}}, {}):
        first, second = (ConstructorVectorEnv(2).reset(**arguments)[0]["observation"] for _ in range(2))
        assert (first != second).any(axis=1).all(), arguments


def test_vector_environment_says_seats_and_winners() -> None:
    env = ConstructorVectorEnv(3, ["greedy"] * 3, skip_forced=True)
    _, infos = env.reset(seed=(1, 2, 3))
    ended = 0
    while ended < 4:
        seats = infos["seat"]
        _, rewards, terminated, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        assert (infos["winner"] == -1).all()
        for slot in np.flatnonzero(terminated):
            ended += 1
            final = infos["final_info"]
            assert final["seat"][slot] == seats[slot]
            assert (rewards[slot] == 1) == (final["winner"][slot] == seats[slot])


def test_an_opponent_that_fails_ends_the_game() -> None:
    calls = itertools.count()

    def fails(game: c.Game) -> int:
        if next(calls) == 20:
            raise ZeroDivisionError
        return game.legal_actions()[0]

    env = ConstructorEnv([fails] * 3, seat=1)
    _, info = env.reset(seed=1)
    with pytest.raises(ZeroDivisionError):
        for _ in range(100):
            *_, info = env.step(int(info["action_mask"].argmax()))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(0)
    env.reset(seed=1)
    short = ConstructorEnv(seat=3, max_steps=1)
    short.reset(seed=1)
    assert short.game.player == 3, "the agent decides before the limit counts"


def test_a_refused_action_takes_no_reward() -> None:
    env = c.raw_env(rewards="points")
    env.reset(seed=1)
    env.step(0)
    while env.agent_selection != "player_0":
        env.step(int(env.last()[0]["action_mask"].argmax()))
    before = env.last()[1]
    with pytest.raises(c.IllegalActionError):
        env.step(0)
    assert env.last()[1] == before == pytest.approx(0.1)


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_gymnasium_makes_vectors_of_it(mode: str) -> None:
    """In Gymnasium's own loops, until games have been won."""
    env = gymnasium.make_vec(ID, num_envs=3, vectorization_mode=mode, opponents=["greedy"] * 3, skip_forced=True)
    try:
        _, infos = env.reset(seed=3)
        ended = 0
        for _ in range(600):
            # An environment whose game is over is reset in the next step.
            _, _, terminated, _, infos = env.step(infos["action_mask"].argmax(axis=1))
            ended += int(terminated.sum())
            assert all(infos["winner"][slot] >= 0 for slot in np.flatnonzero(terminated))
        assert ended > 1
    finally:
        env.close()


def test_floats_are_within_their_space() -> None:
    env = ConstructorVectorEnv(3, float_observations=True)
    observations, _ = env.reset(seed=1)
    assert observations["observation"].dtype == np.float32
    assert env.observation_space.contains(observations)


def test_trainers_make_it_by_its_name() -> None:
    algorithms = pytest.importorskip("sb3_contrib", reason="the extra sb3, with PyTorch, is not installed")
    from stable_baselines3.common.env_util import make_vec_env

    with warnings.catch_warnings():
        # It is asked for a mode that it does not have, and warns.
        warnings.simplefilter("ignore", UserWarning)
        envs = make_vec_env(ID, n_envs=2, seed=1)
        model = algorithms.MaskablePPO(
            "MultiInputPolicy", ID, n_steps=64, batch_size=64, n_epochs=1, seed=1, device="cpu"
        )
        model.learn(128)
    assert envs.reset()["action_mask"].shape == (2, 361)


def test_maskable_ppo_uses_it_as_it_is() -> None:
    algorithms = pytest.importorskip("sb3_contrib", reason="the extra sb3, with PyTorch, is not installed")
    env = gymnasium.make(ID, opponents=["random"] * 3, skip_forced=True)
    model = algorithms.MaskablePPO(
        "MultiInputPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, device="cpu"
    )
    with warnings.catch_warnings():
        # An illegal action would warn.
        warnings.simplefilter("error", UserWarning)
        model.learn(512)
    observation, info = env.reset(seed=1)
    action, _ = model.predict(observation, action_masks=info["action_mask"])
    assert info["action_mask"][int(action)] == 1
