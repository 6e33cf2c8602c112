"""The workers' huts (14): take a hut."""

from __future__ import annotations

from typing import Final, final

from granada.rules.chance import Chance
from granada.rules.events import HutTurnedUp
from granada.rules.state import Action, State
from granada.rules.tiles import TYPES
from granada.rules.verdict import LEGAL, Verdict

#: 14.4: so many huts may a player own.
HUT_LIMIT: Final = 3


def huts_of(state: State, seat: int) -> int:
    """14.4: how many huts a player owns, city, reserve and tray together."""
    player = state.players[seat]
    count = 0
    for tile in player.city.tiles():
        count += tile.is_hut
    for tile in (*player.reserve, *(state.tray if state.seat == seat else ())):
        count += tile.is_hut
    return count


@final
class TakeHut(Action):
    """14.2: take the face-up hut of a type, free of charge; the next of the pile is turned up."""

    __slots__ = ("type",)

    def __init__(self, type_: int) -> None:
        self.type: Final = type_

    @staticmethod
    def offer(state: State, seat: int, offers: list[Action]) -> None:
        if state.huts and huts_of(state, seat) < HUT_LIMIT:
            for hut in state.huts:
                if hut is not None:
                    offers.append(TakeHut(hut.type))

    def verdict(self, state: State, seat: int) -> Verdict:
        if not 0 <= self.type < len(state.huts):
            return Verdict("14.2", "module", "there are no huts of that type in this game")
        if state.huts[self.type] is None:
            return Verdict("14.2", "pile", f"the pile of {TYPES[self.type]} huts is used up")
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


def turn_up_hut(state: State, type_: int, chance: Chance) -> None:
    """14.1, 14.2: turn up the next hut of a pile, if there is one."""
    pile = list(state.piles[type_])
    huts = list(state.huts)
    huts[type_] = None
    if pile:
        hut = chance.hut(tuple(pile))
        pile.remove(hut)
        huts[type_] = hut
        state.tell(HutTurnedUp(hut))
    state.huts = tuple(huts)
    state.piles = tuple([tuple(pile) if i == type_ else other for i, other in enumerate(state.piles)])
