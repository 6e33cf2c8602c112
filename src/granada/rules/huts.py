"""The workers' huts (14): take a hut."""

from __future__ import annotations

from typing import ClassVar, Final, final

from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.events import HutTurnedUp
from granada.rules.state import Action, State
from granada.rules.tiles import ALHAMBRA_TYPES, NO_TYPE, TYPES
from granada.rules.verdict import LEGAL, Verdict

#: 14.4: the highest number of huts that a player may own.
HUT_LIMIT: Final = 3


def huts_of(state: State, seat: int) -> int:
    """14.4: return how many huts a player owns, in city, reserve and tray together."""
    player = state.players[seat]
    count = 0
    for tile in player.city.tiles():
        count += tile.is_hut
    for tile in (*player.reserve, *(state.tray if state.seat == seat else ())):
        count += tile.is_hut
    return count


@final
class TakeHut(Action):
    """14.2: take the face-up hut of a type, free of charge; the next hut of its pile is turned up."""

    __slots__ = ("type",)

    verb: ClassVar[str] = "hut"
    form: ClassVar[str] = "hut TYPE"

    def __init__(self, type_: int = NO_TYPE) -> None:
        self.type: Final = type_

    def __str__(self) -> str:
        return f"hut {TYPES[self.type]}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return TakeHut(ALHAMBRA_TYPES.index(words)) if words in ALHAMBRA_TYPES else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        if state.huts:
            offers += huts_to_take(state, seat)

    def verdict(self, state: State, seat: int) -> Verdict:
        if not 0 <= self.type < len(state.huts):
            return Verdict("14.2", "module", "there are no huts of that type in this game")
        if state.huts[self.type] is None:
            return Verdict("14.2", "pile", f"there are no {TYPES[self.type]} huts left")
        if huts_of(state, seat) >= HUT_LIMIT:
            return Verdict("14.4", "limit", "a player owns at most three huts")
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        hut = state.huts[self.type]
        if hut is not None:
            state.tray = (*state.tray, hut)
        turn_up_hut(state, self.type, chance)
        state.finish_step()

    def key(self) -> tuple[object, ...]:
        return (self.type,)

    def __repr__(self) -> str:
        return f"TakeHut({self.type})"


def huts_to_take(state: State, seat: int) -> list[TakeHut]:
    """Return the ways to take a hut (14.2, 14.4)."""
    if huts_of(state, seat) >= HUT_LIMIT:
        return []
    return [TakeHut(hut.type) for hut in state.huts if hut is not None]


def turn_up_hut(state: State, type_: int, chance: Chance) -> None:
    """14.1, 14.2: turn up the next hut of a pile, if there is one."""
    pile = list(state.piles[type_])
    huts = list(state.huts)
    huts[type_] = None
    if pile:
        hut = chance.hut(tuple(pile))
        pile.remove(hut)
        huts[type_] = hut
        state.emit(HutTurnedUp(hut))
    state.huts = tuple(huts)
    state.piles = tuple([tuple(pile) if i == type_ else other for i, other in enumerate(state.piles)])
