"""Importing this module registers the environments with Gymnasium, PettingZoo and OpenSpiel, if they are installed.

So `gymnasium.make("granada.learning.register:granada/Alhambra-v0")` works by itself.
"""

from __future__ import annotations

from importlib.util import find_spec

from granada.learning.names import GYMNASIUM, PETTINGZOO


def register_gymnasium() -> None:
    """Register all environments with Gymnasium."""
    import gymnasium

    for name, named in GYMNASIUM.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="granada.learning.single:SeatEnv",
                vector_entry_point="granada.learning.vector:GamesEnv",
                kwargs=named.arguments(),
            )


def register_pettingzoo() -> None:
    """Register all editions with PettingZoo."""
    from pettingzoo.env_registry.registration import aec_registry, register

    for name, module in PETTINGZOO.items():
        if name not in aec_registry:
            register("aec", name, entry_point=f"{module}:env")


if find_spec("gymnasium") is not None:
    register_gymnasium()
if find_spec("pettingzoo") is not None and find_spec("pettingzoo.env_registry") is not None:  # since 1.25
    register_pettingzoo()
if find_spec("pyspiel") is not None:
    from granada.learning import spiel as spiel
