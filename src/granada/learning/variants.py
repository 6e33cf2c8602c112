"""Small variants for quick experiments: they change the set-up, never the rules."""

from __future__ import annotations

from typing import Final, final

from granada.rules.chance import Chance
from granada.rules.errors import BadOptions
from granada.rules.flow import begin_turn
from granada.rules.options import Options
from granada.rules.setup import new_game
from granada.rules.state import State


@final
class SmallVariant:
    """What a variant changes in the set-up of a game of two (9)."""

    def __init__(self, name: str, bag: int, is_solo: bool, meaning: str) -> None:
        self.name: Final = name
        #: The number of tiles left in each bag; -1: all of them.
        self.bag: Final = bag
        self.is_solo: Final = is_solo
        self.meaning: Final = meaning


#: All variants by name; the game itself has no name.
VARIANTS: Final = {
    variant.name: variant
    for variant in (
        SmallVariant(
            "short",
            10,
            False,
            "two players and Dirk; after the set-up, 10 random tiles stay in each bag, and the others leave the game",
        ),
        SmallVariant(
            "solo",
            -1,
            True,
            "one player against Dirk, for points: the cards of the second seat are discarded after the set-up, and the "
            "first seat takes every turn",
        ),
        SmallVariant("short-solo", 10, True, "both: one player, and 10 tiles in each bag"),
    )
}


def find_variant(name: str, options: Options) -> SmallVariant | None:
    """Return a variant by its name, None without a name; BadOptions if it does not fit the options."""
    if not name:
        return None
    variant = VARIANTS.get(name)
    if variant is None:
        raise BadOptions(f"the variant '{name}' is none of {', '.join(VARIANTS)} (15)")
    if options.players != 2:
        raise BadOptions(f"the variant '{name}' changes a game of 2 players, not {options.players} (9.1)")
    return variant


def number_of_seats(options: Options, variant: SmallVariant | None) -> int:
    """Return the number of seats that decide."""
    return 1 if variant is not None and variant.is_solo else options.players


def set_up(options: Options, variant: SmallVariant | None, chance: Chance) -> State:
    """Return a new game, with the set-up of a variant."""
    state = new_game(options, chance)
    if variant is not None:
        for bag in state.bags:
            while 0 <= variant.bag < len(bag):
                bag.pop(chance.below(len(bag)))
        if variant.is_solo:
            _leave_one_seat(state)
    return state


def _leave_one_seat(state: State) -> None:
    """Remove all seats but the first, which takes the first turn."""
    for player in state.players[1:]:
        state.discards += player.hand()
    del state.players[1:]
    begin_turn(state, 0)
    state.turns = 1
