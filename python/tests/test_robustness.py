"""Wrong arguments of every kind raise and never abort; a million games need no more memory than a few."""

from __future__ import annotations

import inspect
import resource
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import constructor_game as c
from constructor_game import _engine

JUNK: list[Any] = [
    None,
    True,
    -1,
    0,
    3,
    7,
    360,
    2**31,
    2**63,
    2**64,
    -(2**70),
    1.5,
    float("nan"),
    "",
    "x",
    "greedy",
    "0 5 " * 19,
    "\x00\ud800",
    b"",
    b"\x01" * 200,
    [],
    [0] * 5,
    [[0] * 5] * 4,
    ["greedy"] * 4,
    {},
    {"players": 3},
    object(),
    int,
    lambda *arguments: None,
    np.zeros(3),
    np.zeros((2, 749), np.uint8),
    np.zeros(361, np.int8),
    np.zeros(749, np.uint8),
    np.int64(5),
    np.array(7),
    c.ACTIONS[3],
    c.Game(seed=1),
    c.Player("greedy"),
]

#: Values that ask for much work, which is not what is tested here.
SLOW = {"playouts", "think_ms", "boards", "games", "n", "threads", "parts"}

junk = st.sampled_from(JUNK)


def targets() -> dict[str, Callable[..., Any]]:
    """Every function, class and method of the native module."""
    instances = [
        c.Game(seed=1, record=True),
        c.Player("greedy", seed=1),
        c.VectorEnv(2, seed=1),
        c.ACTIONS[3],
        _engine._Units(),
    ]
    found: dict[str, Callable[..., Any]] = {}
    for name in _engine.__all__:
        value = getattr(_engine, name)
        if callable(value):
            found[name] = value
    for instance in instances:
        for name in dir(instance):
            method = getattr(instance, name)
            if callable(method) and (
                not name.startswith("_") or name in ("__eq__", "__deepcopy__", "__call__", "__hash__")
            ):
                found[f"{type(instance).__name__}.{name}"] = method
    return found


@pytest.mark.parametrize("name", sorted(targets()))
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_wrong_arguments_raise(name: str, data: st.DataObject) -> None:
    target = targets()[name]
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (ValueError, TypeError):
        parameters = []
    arguments, named = [], {}
    for parameter in parameters:
        small = parameter.name in SLOW
        value = data.draw(
            st.sampled_from([value for value in JUNK if not isinstance(value, int) or value < 5]) if small else junk
        )
        if parameter.kind == inspect.Parameter.KEYWORD_ONLY:
            if data.draw(st.booleans()):
                named[parameter.name] = value
        else:
            arguments.append(value)
    extra = data.draw(st.lists(junk, max_size=1))
    try:
        target(*arguments, *extra, **named)
    except Exception:
        pass


SIMULATION = {"players": ["greedy"] * 4, "edition": "constructor", "layout": None, "seed": 1, "first": 0, "games": 2}
SIMULATION |= {
    "trades": False,
    "schedule": "fixed",
    "max_turns": 50,
    "sprt": None,
    "adjust": None,
    "playouts": None,
    "think_ms": None,
}


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(sorted(SIMULATION)),
    st.sampled_from([value for value in JUNK if not isinstance(value, int) or value < 100]),
)
def test_wrong_setups_raise(name: str, value: Any) -> None:
    setup: Any = {**SIMULATION, name: value}
    try:
        _engine._simulate(setup, threads=1, rows=True, records=True, all_games=True, progress=None)
    except Exception:
        pass
    with pytest.raises(TypeError, match="there is no argument 'nonsense'"):
        _engine._simulate(
            {**SIMULATION, "nonsense": value}, threads=1, rows=False, records=False, all_games=False, progress=None
        )


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300))
def test_bytes_that_are_no_game_raise(data: bytes) -> None:
    for read in (c.Game.from_bytes, c.read_records):
        try:
            read(data)
        except ValueError:
            pass
    try:
        c.Game.from_save(data.decode("latin-1"))
    except ValueError:
        pass


@pytest.mark.parametrize("kind", [c.Game, c.Player, c.VectorEnv, c.Action, c.Record])
def test_classes_are_final(kind: type) -> None:
    with pytest.raises(TypeError):
        type("Own", (kind,), {})
    with pytest.raises((AttributeError, TypeError)):
        c.Game(seed=1).points = [10] * 4  # type: ignore[misc]


def peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def test_a_million_games_do_not_grow() -> None:
    env = c.VectorEnv(1_024, seed=1, max_turns=4, threads=2)
    games, begun = 0, None
    while games < 1_000_000:
        env.step(env.sample_actions())
        games += int(env.truncated.sum())
        if begun is None and games > 50_000:
            begun = peak_megabytes()
    assert begun is not None and peak_megabytes() - begun < 2


def test_objects_are_released() -> None:
    def work() -> None:
        game = c.Game(seed=1, record=True)
        for _ in range(200):
            game.apply(game.legal_actions()[0])
        game.record()
        game.observe()
        game.legal_mask()
        game.outcomes(game.legal_actions()[0])
        c.Game.from_bytes(c.Game(seed=1).to_bytes())
        c.VectorEnv(20, seed=1, opponents=["normal"] * 3).step([0] * 20)
        c.simulate(20, ["greedy"] * 4, threads=2, records=True).columns  # noqa: B018
        try:
            game.apply(0)
        except c.IllegalActionError:
            pass

    for _ in range(50):
        work()
    begun = peak_megabytes()
    for _ in range(400):
        work()
    assert peak_megabytes() - begun < 3
