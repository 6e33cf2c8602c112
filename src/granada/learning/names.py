"""The versioned names of all environments."""

from __future__ import annotations

from typing import Final, NamedTuple

from granada.rules.options import EDITIONS

#: It changes if tokens, observations or rewards do, so that results stay comparable.
VERSION: Final = 0


class Named(NamedTuple):
    """An environment with a name: its edition and variant, and the reward that suits it."""

    edition: str
    variant: str = ""
    reward: str = "rank"

    def arguments(self) -> dict[str, str]:
        """Return the arguments of the environment that are not the default."""
        given = {"edition": self.edition}
        if self.variant:
            given["variant"] = self.variant
        if self.reward != "rank":
            given["reward"] = self.reward
        return given


#: The Gymnasium environments by id.
GYMNASIUM: Final = {
    f"granada/{name}-v{VERSION}": named
    for name, named in (
        ("Alhambra", Named("alhambra")),
        ("Granada", Named("granada")),
        ("Combined", Named("combined")),
        ("AlhambraShort", Named("alhambra", "short")),
        ("AlhambraSolo", Named("alhambra", "solo", "points")),
        ("AlhambraShortSolo", Named("alhambra", "short-solo", "points")),
    )
}
#: The PettingZoo environments by id, with their modules.
PETTINGZOO: Final = {f"granada/{edition}-v{VERSION}": f"granada.learning.{edition}_v{VERSION}" for edition in EDITIONS}
#: The OpenSpiel games by short name.
OPEN_SPIEL: Final = {f"python_granada_{edition}": edition for edition in EDITIONS}
