"""Games: what they say, what they refuse, copies, bytes, saved games, chance from outside."""

from __future__ import annotations

import copy
import math
import pickle
import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from conftest import Program, random_game
from hypothesis import given, settings
from hypothesis import strategies as st

import constructor_game as c

#: Indices are never renumbered: this table is written down here, by hand.
RANGES = [
    ("settle", 0, 53),
    ("roll", 54, 54),
    ("move-geese", 55, 73),
    ("rob", 74, 77),
    ("build-road", 78, 149),
    ("build-basement", 150, 203),
    ("improve", 204, 257),
    ("offer", 258, 357),
    ("accept", 358, 358),
    ("refuse", 359, 359),
    ("end-turn", 360, 360),
]

positions = st.builds(
    random_game,
    st.integers(0, 2**32),
    st.integers(0, 1_500),
    trades=st.booleans(),
    edition=st.sampled_from(c.editions()),
)


def during_turn(seed: int = 3) -> c.Game:
    """A game in which the builder has rolled."""
    game = random_game(seed, 8)
    game.apply(54, roll=5)
    return game


def test_table_of_actions_is_never_renumbered() -> None:
    assert (c.ACTIONS_VERSION, len(c.ACTIONS)) == (1, 361)
    for kind, first, last in RANGES:
        assert {action.kind for action in c.ACTIONS[first : last + 1]} == {kind}
    assert len({action.name for action in c.ACTIONS}) == 361
    offer = c.ACTIONS[258 + 25 * 2 + 5 * 3 + 1]
    assert (offer.name, offer.builder, offer.give, offer.take) == ("offer orange heat energy", 2, 3, 1)
    assert (c.ACTIONS[7].vertex, c.ACTIONS[60].tile, c.ACTIONS[80].edge, c.ACTIONS[75].builder) == (7, 5, 2, 1)
    assert [int(action) for action in c.ACTIONS] == list(range(361))
    assert pickle.loads(pickle.dumps(offer)) == offer and c.Action(7) == c.ACTIONS[7] and "roll" in repr(c.ACTIONS[54])


def test_new_game_says_what_it_is() -> None:
    game = c.Game(seed=7)
    assert (game.player, game.phase, game.done, game.winner, game.turns) == (0, "setup", False, None, 0)
    assert (game.points, game.hands, game.edition, game.seed) == ([0] * 4, [[0] * 5] * 4, "constructor", 7)
    assert game.legal_actions() == list(range(54))
    assert game.roads == [[]] * 4 and game.residences == [[]] * 4
    game.apply(7)
    assert game.residences[0] == [(7, "basement")]
    assert game.builder_names == ["Blue", "Red", "Orange", "Yellow"]
    assert len(str(game).splitlines()) == 41 and game._repr_svg_().startswith("<svg")


def test_seeds_are_drawn_unless_given() -> None:
    assert c.Game().seed != c.Game().seed
    assert c.Game(seed=5) == c.Game(seed=5) and c.Game(seed=5) != c.Game(seed=6)
    layout = c.Game(seed=5).layout
    assert c.Game(layout=layout).layout == layout


def test_layout_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "layout.txt"
    file.write_text(c.Game(seed=5).layout)
    assert c.Game(layout=file).layout == c.Game(seed=5).layout
    with pytest.raises(FileNotFoundError, match="missing"):
        c.Game(layout=tmp_path / "missing.txt")


def test_board_is_described() -> None:
    """The first tiles of the drawing in the README; every place is next to something."""
    assert (len(c.VERTEX_TILES), len(c.EDGE_VERTICES)) == (54, 72)
    assert [c.VERTEX_TILES[vertex] for vertex in (0, 3, 4, 53)] == [(0,), (0, 1), (0, 2), (18,)]
    assert (c.EDGE_VERTICES[0], c.EDGE_VERTICES[1], c.EDGE_VERTICES[71]) == ((0, 1), (0, 3), (52, 53))
    assert sorted(tile for tiles in c.VERTEX_TILES for tile in tiles) == [tile for tile in range(19) for _ in range(6)]
    numbers = list(map(int, c.Game(seed=3).layout.split()))
    for tile, (resource, value) in enumerate(c.Game(seed=3).tiles):
        assert (5 if resource is None else resource, value) == (numbers[2 * tile], numbers[2 * tile + 1])


@pytest.mark.parametrize(
    ("action", "rule", "text"),
    [
        (7, "phase", "builds, trades, or ends"),
        (54, "phase", "rolled once a turn"),
        (78, "place", "not next to what"),
        (204, "place", "Nothing is built|belongs to"),
        (258 + 25, "trades", "turned off"),
        (358, "phase", "builds, trades"),
    ],
)
def test_illegal_actions_name_the_rule_and_change_nothing(action: int, rule: str, text: str) -> None:
    game = during_turn()
    before = game.to_bytes()
    with pytest.raises(c.IllegalActionError, match=text) as caught:
        game.apply(action)
    assert (caught.value.rule, caught.value.action) == (rule, action)
    assert isinstance(caught.value, ValueError) and game.to_bytes() == before
    assert not game.is_legal(action)


def test_prices_are_named() -> None:
    game = during_turn()
    own = next(vertex for vertex, _ in game.residences[0])
    with pytest.raises(c.IllegalActionError, match="lacks .*HEAT") as caught:
        game.apply(204 + own)
    assert caught.value.rule == "resources"


@settings(max_examples=150, deadline=None)
@given(positions, st.integers(0, 360))
def test_an_action_is_applied_just_if_it_is_legal(game: c.Game, action: int) -> None:
    before, legal = game.to_bytes(), game.legal_actions()
    assert game.is_legal(action) == (action in legal)
    if action in legal:
        game.apply(action)
        assert game.to_bytes() != before
    else:
        with pytest.raises(c.IllegalActionError):
            game.apply(action)
        assert game.to_bytes() == before


@settings(max_examples=150, deadline=None)
@given(positions)
def test_copies_pickles_and_bytes_are_the_same_game(game: c.Game) -> None:
    twins = [
        game.copy(),
        copy.copy(game),
        copy.deepcopy(game),
        pickle.loads(pickle.dumps(game)),
        c.Game.from_bytes(game.to_bytes()),
    ]
    for twin in twins:
        assert twin == game and hash(twin) == hash(game) and twin.to_save() == game.to_save()
        assert (twin.turns, twin.seed, twin.trades, repr(twin)) == (game.turns, game.seed, game.trades, repr(game))
        original = game.copy()
        for _ in range(30):
            if twin.done:
                break
            # The generator is the same too.
            action = twin.legal_actions()[-1]
            twin.apply(action)
            original.apply(action)
        assert twin == original and twin.hands == original.hands


@settings(max_examples=300, deadline=None)
@given(positions, st.data())
def test_damaged_bytes_are_refused_or_another_game(game: c.Game, data: st.DataObject) -> None:
    damaged = bytearray(game.to_bytes())
    at = data.draw(st.integers(0, len(damaged) - 1))
    damaged[at] ^= data.draw(st.integers(1, 255))
    try:
        read = c.Game.from_bytes(bytes(damaged))
    except ValueError:
        return
    read.legal_actions()
    assert c.Game.from_bytes(read.to_bytes()) == read


@settings(max_examples=100, deadline=None)
@given(positions)
def test_saved_games_are_read_back(game: c.Game) -> None:
    read = c.Game.from_save(game.to_save(), edition=game.edition, trades=game.trades)
    assert read.to_save() == game.to_save()
    assert (read.points, read.hands, read.roads) == (game.points, game.hands, game.roads)


def test_mask_and_list_are_equal_in_100_000_positions() -> None:
    """Along random games of all editions, with and without trades; the mask into an array that is there."""
    count, seed, mask = 0, 0, np.zeros(361, np.int8)
    rng = np.random.default_rng(1)
    while count < 100_000:
        game = c.Game(seed=seed, trades=seed % 2 == 1, edition=c.editions()[seed % 3])
        seed += 1
        for _ in range(1_000):
            legal = game.legal_actions()
            assert game.legal_mask(out=mask) is mask
            assert np.flatnonzero(mask).tolist() == sorted(legal)
            count += 1
            if not legal:
                break
            game.apply(legal[int(rng.integers(len(legal)))])


def test_masks_are_written_to_arrays_of_bytes() -> None:
    game = during_turn()
    expected = game.legal_mask()
    assert expected.dtype == np.int8
    for kind in (np.int8, np.uint8, np.bool_):
        assert (game.legal_mask(out=np.ones(361, kind)) == expected).all()
    for wrong in (np.zeros(360, np.int8), np.zeros(722, np.int8)[::2], np.zeros((1, 361), np.int8), np.zeros(361)):
        with pytest.raises((ValueError, TypeError)):
            game.legal_mask(out=wrong)
    fixed = np.zeros(361, np.int8)
    fixed.flags.writeable = False
    with pytest.raises((ValueError, TypeError)):
        game.legal_mask(out=fixed)


def test_rolls_are_given_from_outside() -> None:
    game = random_game(3, 8)
    game.apply(54, roll=8)
    again = random_game(3, 8)
    again.apply(54, roll=8)
    assert game == again and game.phase == "during-turn"
    seven = random_game(3, 8)
    seven.apply(54, roll=7)
    assert seven.phase == "move-geese"


def rich_game() -> c.Game:
    """Blue holds ten bricks, red two energy next to tile 0; blue is to roll."""
    layout = " ".join(["0 5", "1 6", "5 7"] + ["4 8"] * 16)
    save = f"0\n10 0 0 0 0 r h 20 B\n0 2 0 0 0 r h 0 B\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n{layout}\n2\n"
    return c.Game.from_save(save, seed=1)


def test_losses_and_thefts_are_given_from_outside() -> None:
    game = rich_game()
    game.apply(54, roll=7, lost=[[5, 0, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5])
    assert game.hands[0] == [5, 0, 0, 0, 0]
    game.apply(55)
    game.apply(75, stolen="energy")
    assert game.hands[:2] == [[5, 1, 0, 0, 0], [0, 1, 0, 0, 0]]
    drawn = rich_game()
    drawn.apply(54, roll=7)
    assert drawn.hands[0] == [5, 0, 0, 0, 0], "what is not given is drawn"


@pytest.mark.parametrize(
    "chance",
    [
        {"roll": 7, "lost": [[4, 0, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5]},
        {"roll": 7, "lost": [[5, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0] * 5, [0] * 5]},
        {"roll": 8, "lost": [[5, 0, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5]},
        {"lost": [[5, 0, 0, 0, 0], [0] * 5, [0] * 5, [0] * 5]},
        {"roll": 7, "stolen": 1},
    ],
)
def test_impossible_chance_is_refused(chance: dict[str, object]) -> None:
    game = rich_game()
    with pytest.raises(c.IllegalActionError) as caught:
        game.apply(54, **chance)  # type: ignore[arg-type]
    assert caught.value.rule == "chance" and game == rich_game()


@pytest.mark.parametrize(
    "chance",
    [
        {"roll": 1},
        {"roll": 13},
        {"roll": "8"},
        {"roll": 2.5},
        {"lost": [[0] * 5] * 3},
        {"lost": [[0] * 4] * 4},
        {"lost": [[-1] * 5] * 4},
        {"lost": 3},
        {"stolen": 5},
        {"stolen": "gold"},
        {"stolen": -1},
    ],
)
def test_malformed_chance_is_refused(chance: dict[str, object]) -> None:
    game = rich_game()
    with pytest.raises((ValueError, TypeError, OverflowError)):
        game.apply(54, **chance)  # type: ignore[arg-type]
    assert game == rich_game()


def test_outcomes_have_exact_probabilities() -> None:
    game = rich_game()
    outcomes = game.outcomes(54)
    assert math.isclose(sum(probability for _, probability in outcomes), 1, rel_tol=1e-12)
    sevens = [probability for after, probability in outcomes if after.phase == "move-geese"]
    assert sevens == [pytest.approx(6 / 36)], "ten bricks are halved in one way"
    # Rolls that produce nothing and ones that do: every outcome is what apply makes of it.
    for roll in range(2, 13):
        applied = game.copy()
        applied.apply(54, roll=roll)
        ways = 6 - abs(roll - 7)
        same = [probability for after, probability in outcomes if after == applied]
        assert sum(same) >= ways / 36 - 1e-12
    game.apply(54, roll=7)
    game.apply(55)
    assert [probability for _, probability in game.outcomes(75)] == [1.0]
    with pytest.raises(c.IllegalActionError):
        game.outcomes(54)


def test_hypergeometric_losses_match_a_count_by_hand() -> None:
    layout = " ".join(["5 7"] * 19)
    save = f"0\n4 6 0 0 0 r h 0 B\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n0 0 0 0 0 r h\n{layout}\n-1\n"
    losses: Counter[tuple[int, ...]] = Counter()
    for after, probability in c.Game.from_save(save).outcomes(54):
        if after.phase == "move-geese":
            losses[tuple(after.hands[0])] += probability * 36 / 6  # type: ignore[assignment]
    expected = {
        (4 - k, 6 - (5 - k), 0, 0, 0): math.comb(4, k) * math.comb(6, 5 - k) / math.comb(10, 5) for k in range(5)
    }
    assert losses == pytest.approx(expected)


def test_notation_goes_both_ways() -> None:
    for edition in c.editions():
        game = c.Game(seed=1, edition=edition)
        while not game.done and game.turns < 60:
            legal = game.legal_actions()
            assert [game.parse(game.action_text(action)) for action in legal] == legal
            game.apply(legal[-1])
    with pytest.raises(ValueError, match="malformed"):
        c.Game(seed=1, edition="watan").parse("what")


@pytest.mark.parametrize("number", range(6))
def test_games_are_those_of_the_text_game(number: int, program: Program, tmp_path: Path) -> None:
    """The typed lines of a simulated game, played by the text game and here: the saved games are equal after every tenth turn."""
    edition = c.editions()[number % 3]
    options = ["-edition", edition, "-players", "greedy,normal,random,greedy", "-seed", 5, "-trades", "on"]
    lines = program("simulate", *options, "-only", number).splitlines()
    seed = int(c.simulate(1, ["greedy", "normal", "random", "greedy"], seed=5, first=number).columns["seed"][0])
    game = c.Game(seed=seed, trades=True, edition=edition)
    typed, expected = [], {}
    for line in lines:
        if line == "no" and game.done:
            break
        if line != "fair":
            action = game.parse(line)
            if c.ACTIONS[action].kind == "end-turn" and game.turns % 10 == 0:
                name = f"turn-{game.turns}.sv"
                typed.append(f"save {name}")
                expected[name] = game.to_save()
            game.apply(action)
        typed.append(line)
    assert game.winner is not None and len(expected) > 5
    program("-edition", edition, "-seed", seed, "-random-board", stdin="\n".join([*typed, "no", ""]))
    assert {name: (tmp_path / name).read_text() for name in expected} == expected


def test_observation_is_what_its_names_say() -> None:
    """Every entry, from every seat, beside the game's own words."""
    assert (c.OBSERVATION_VERSION, len(c.OBSERVATION), len(set(c.OBSERVATION))) == (1, 749, 749)
    assert c.OBSERVATION_MAX.shape == c.OBSERVATION_SCALE.shape == (749,)
    for seed in range(30):
        game = random_game(seed, 40 * seed, trades=True)
        tiles = game.layout.split()
        for seat in range(4):
            entries = dict(zip(c.OBSERVATION, game.observe(seat).tolist(), strict=True))
            expected = dict.fromkeys(c.OBSERVATION, 0)
            for offset, name in enumerate(["me", "next", "across", "previous"]):
                builder = (seat + offset) % 4
                for vertex, kind in game.residences[builder]:
                    expected[f"{name}.residence.{vertex}"] = ["basement", "house", "tower"].index(kind) + 1
                for edge in game.roads[builder]:
                    expected[f"{name}.road.{edge}"] = 1
                for resource, count in zip(c.RESOURCES, game.hands[builder], strict=True):
                    expected[f"{name}.hand.{resource}"] = min(count, 255)
                expected[f"{name}.points"] = game.points[builder]
                expected[f"acting.{name}"] = int(game.player == builder)
            for tile in range(19):
                resource, value = int(tiles[2 * tile]), int(tiles[2 * tile + 1])
                if resource == 5:
                    expected[f"tile.{tile}.park"] = 1
                else:
                    expected[f"tile.{tile}.{c.RESOURCES[resource]}"] = 1
                    expected[f"tile.{tile}.value"] = value
                    expected[f"tile.{tile}.pips"] = 6 - abs(7 - value)
            if game.geese is not None:
                expected[f"geese.{game.geese}"] = 1
            expected[f"phase.{game.phase}"] = 1
            if game.phase == "setup":
                expected["setup-step"] = sum(len(own) for own in game.residences)
            for name in c.OBSERVATION:
                if ".income." not in name and not name.startswith("offer."):
                    assert entries[name] == expected[name], (seed, seat, name)


def test_income_is_what_36_rolls_give() -> None:
    for seed in range(10):
        game = random_game(seed, 300)
        while not game.done and game.phase != "turn-start":
            game.apply(game.legal_actions()[0])
        if game.done:
            continue
        gained = np.zeros((4, 5), int)
        for roll in [*range(2, 7), *range(8, 13)]:
            after = game.copy()
            after.apply(54, roll=roll)
            gained += (6 - abs(roll - 7)) * (np.array(after.hands) - np.array(game.hands))
        entries = dict(zip(c.OBSERVATION, game.observe(0).tolist(), strict=True))
        seen = [
            [entries[f"{seat}.income.{resource}"] for resource in c.RESOURCES]
            for seat in ("me", "next", "across", "previous")
        ]
        assert seen == np.minimum(gained, 255).tolist()


def test_offers_are_observed() -> None:
    game = c.Game(seed=1, trades=True)
    rng = np.random.default_rng(1)
    while game.phase != "offered":
        game.apply(rng.choice(game.legal_actions()))
    entries = dict(zip(c.OBSERVATION, game.observe().tolist(), strict=True))
    named = [name for name, value in entries.items() if name.startswith("offer.") and value]
    assert len(named) == 4 and "offer.to.me" in named and entries["acting.me"] == 1


def test_floats_are_scaled() -> None:
    entries = random_game(1, 300).observe()
    floats = c.to_float(entries)
    assert floats.dtype == np.float32 and np.allclose(floats * c.OBSERVATION_SCALE, entries)
    out = np.empty((2, 749), np.float32)
    assert c.to_float(np.stack([entries, entries]), out=out) is out


def test_observation_goes_into_an_array() -> None:
    game, out = random_game(1, 300), np.zeros(749, np.uint8)
    assert game.observe(2, out) is out and (out == game.observe(2)).all()
    for wrong in (np.zeros(748, np.uint8), np.zeros(1498, np.uint8)[::2], np.zeros(749, np.int8)):
        with pytest.raises((ValueError, TypeError)):
            game.observe(2, wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="seat: expected a number from 0 to 3, not 4"):
        game.observe(4)


def test_actions_equal_their_index_and_are_listed_in_order() -> None:
    assert c.ACTIONS[7] == 7 and c.ACTIONS[7] == c.Action(7) and c.ACTIONS[7] != 8 and c.ACTIONS[7] != "7"
    assert {7: 1}[c.ACTIONS[7]] == 1  # type: ignore[index]
    game = c.Game(seed=1, trades=True)
    rng = random.Random(1)
    for _step in range(300):
        legal = game.legal_actions()
        assert legal == sorted(legal) == np.flatnonzero(game.legal_mask()).tolist()
        if not legal:
            break
        game.apply(rng.choice(legal))


def test_constants_cannot_be_written() -> None:
    for constant in (c.OBSERVATION_MAX, c.OBSERVATION_SCALE):
        with pytest.raises(ValueError, match="read-only"):
            constant *= 2  # type: ignore[misc]


def test_refusals_say_their_slot() -> None:
    with pytest.raises(c.IllegalActionError) as refused:
        c.Game(seed=1).apply(54)
    assert refused.value.slot is None
    with pytest.raises(c.IllegalActionError) as refused:
        c.VectorEnv(3, seed=1).step([0, 0, 54])
    assert refused.value.slot == 2
