"""The registration of the Gymnasium environments."""

from __future__ import annotations

import importlib.util

ID = "constructor_game/Constructor-v0"


def register() -> None:
    """Register the environments with Gymnasium, if it is installed and they are not registered."""
    if importlib.util.find_spec("gymnasium") is None:
        return
    import gymnasium

    if ID not in gymnasium.registry:
        gymnasium.register(
            ID,
            entry_point="constructor_game.gymnasium_env:ConstructorEnv",
            vector_entry_point="constructor_game.gymnasium_env:ConstructorVectorEnv",
        )
