"""Measures of policies, beside matches of functions that play the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import constructor_game as c


def last(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """A policy that plays the last legal action."""
    return 360 - masks[:, ::-1].argmax(axis=1)


NOISE = np.random.default_rng(1).random((97, 361))
NOISE[:, [action.index for action in c.ACTIONS if action.kind == "build-basement"]] += 1
NOISE[:, [action.index for action in c.ACTIONS if action.kind == "improve"]] += 2
# An offer that is refused would be made again for ever.
NOISE[:, [action.index for action in c.ACTIONS if action.kind == "offer"]] -= 2


def build(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    """A policy that improves, builds basements, and otherwise does something that depends on the position."""
    return np.where(masks, NOISE[observations.sum(axis=1, dtype=np.int64) % 97], -9).argmax(axis=1)


def as_function(policy: Any) -> Any:
    """The same player as a function of a game."""
    return lambda game: int(policy(game.observe()[None], game.legal_mask()[None])[0])


@pytest.mark.parametrize("policy", [last, build])
@pytest.mark.parametrize(
    ("others", "settings"),
    [("greedy", {}), ("random", {"max_turns": 300}), ("greedy", {"trades": True, "edition": "watan", "max_turns": 30})],
)
def test_results_are_those_of_a_match(policy: Any, others: str, settings: dict[str, Any]) -> None:
    """The same boards, dice and opponents: every game has the same end."""
    evaluation = c.evaluate(policy, others, boards=12, seed=4, slots=7, **settings)
    columns = c.match(as_function(policy), others, boards=12, seed=4, **settings).columns
    own = columns["player_number"] == 1
    assert evaluation.wins.tolist() == columns["won"][own].reshape(12, 4).sum(axis=1).tolist()
    assert evaluation.win_rate == columns["won"][own].mean()
    low, high = evaluation.interval
    assert low - 1e-9 <= evaluation.win_rate <= high + 1e-9 and evaluation.accepted is None


def test_sequential_test_is_that_of_a_match() -> None:
    rates = (0.05, 0.2)
    settings: Any = {"boards": 400, "max_turns": 300}
    evaluation = c.evaluate(build, "random", sprt=rates, slots=64, **settings)
    match = c.match(as_function(build), "random", sprt=rates, **settings)
    assert evaluation.accepted == match.accepted is not None
    assert 4 * evaluation.boards == match.games < 1600
    assert evaluation.win_rate == match.win_rates[0]
    assert list(evaluation.interval) == [match.summary["players"][0][f"win_rate_{end}"] for end in ("low", "high")]


def test_number_of_slots_and_threads_changes_nothing() -> None:
    results = [
        c.evaluate(build, [last, "greedy", "normal"], boards=10, slots=slots, threads=threads).wins.tolist()
        for slots, threads in [(1, 1), (5, 2), (64, 1)]
    ]
    assert results[0] == results[1] == results[2]


def test_wrong_arguments_are_refused() -> None:
    wrong: list[dict[str, Any]] = [
        {"boards": 0}, {"opponents": ["greedy"] * 2}, {"opponents": "nobody"}, {"observations": False}, {"sprt": (0.5, 0.2), "boards": 32},
    ]  # fmt: skip
    for settings in wrong:
        with pytest.raises(ValueError):
            c.evaluate(**{"policy": build, "opponents": "greedy", "boards": 2, **settings})
    refused: list[dict[str, Any]] = [
        {"opponents": None}, {"policy": "greedy"}, {"seat": 0}, {"skip_forced": False}, {"boards": 1.5}
    ]  # fmt: skip
    for settings in refused:
        with pytest.raises(TypeError):
            c.evaluate(**{"policy": build, "opponents": "greedy", "boards": 2, **settings})


def test_moves_table_has_the_moves_of_records() -> None:
    records = c.read_records(c.simulate(3, ["greedy"] * 4, records=True).records)
    table = c.moves_table(records)
    assert table.num_rows == sum(map(len, records))
    rows = table.to_pylist()
    for game, record in enumerate(records):
        own = [row for row in rows if row["game"] == game]
        for row, move, position in zip(own, record.moves, record.games(), strict=False):
            assert (row["action"], row["builder"], row["turn"], row["roll"]) == (
                move.action, move.builder, move.turn, move.roll
            )  # fmt: skip
            assert row["name"] == c.ACTIONS[move.action].name and row["builder"] == position.player
            assert row["won"] == (record.winner == move.builder)
    assert c.moves_table([]).num_rows == 0


def test_search_returns_what_was_tried() -> None:
    for name in ("expert", "hard", "veteran"):
        player, game = c.Player(name, playouts=200, seed=1), c.Game(seed=2)
        found = player.search(game)
        assert found["action"] == c.Player(name, playouts=200, seed=1).choose(game)
        assert found["action"] in found["actions"] and found["prior"] == found["actions"][0]
        assert all(game.is_legal(int(action)) for action in found["actions"])
        assert found["visits"].sum() <= 200 and (found["visits"] > 0).all()
        assert ((found["values"] >= 0) & (found["values"] <= 1)).all()
        assert len(set(found["actions"].tolist())) == len(found["actions"]) > 3
    game.apply(found["action"])
    assert len(c.Player("greedy", seed=1).search(game)["actions"]) == 0
    done = c.Game(seed=3)
    while not done.done:
        done.apply(c.Player("greedy", seed=0).choose(done))
    with pytest.raises(ValueError, match="the game is over"):
        c.Player("expert").search(done)


def test_search_finds_the_best_action_among_visits() -> None:
    """Where one action wins at once, its value is the greatest."""
    game = c.Game(seed=2)
    players = [c.Player("greedy", seed=0) for _ in range(4)]
    found = None
    for seed in range(60):
        game = c.Game(seed=seed)
        while not game.done:
            assert game.player is not None
            if game.phase == "during-turn" and len(game.legal_actions()) > 2:
                winning = [
                    action for action in game.legal_actions()
                    if c.ACTIONS[action].kind in ("improve", "build-basement") and game.outcomes(action)[0][0].done
                ]  # fmt: skip
                if winning:
                    found = c.Player("expert", playouts=200, seed=1).search(game)
                    values = dict(zip(found["actions"].tolist(), found["values"].tolist(), strict=True))
                    assert all(values.get(action, 1.0) == 1.0 for action in winning) and found["action"] in winning
                    break
            game.apply(players[game.player].choose(game))
        if found:
            return
    raise AssertionError("no such position")
