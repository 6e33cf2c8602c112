"""PettingZoo: Granada, version 0 of the environment."""

from __future__ import annotations

from typing import Unpack

from granada.learning.aec import TableEnv, wrapped
from granada.learning.missing import missing
from granada.learning.terms import Arguments

try:
    from pettingzoo.utils.wrappers import OrderEnforcingWrapper
except ModuleNotFoundError as error:
    raise missing(error) from None


def raw_env(render_mode: str | None = None, **given: Unpack[Arguments]) -> TableEnv:
    """Return the environment without wrappers."""
    return TableEnv("granada", render_mode, **given)


def env(render_mode: str | None = None, **given: Unpack[Arguments]) -> OrderEnforcingWrapper:
    """Return the environment in the usual wrappers."""
    return wrapped(raw_env(render_mode, **given))
