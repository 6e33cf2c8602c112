"""The vizier's favour (11): use the vizier between turns, decline to, reactivate it."""

from __future__ import annotations

from typing import ClassVar, Final, final

from granada.rules.acting import Purchase, exchange_payments, purchase, purchase_verdict
from granada.rules.bonus import Reveal
from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.end_of_turn import REFILL_YARD
from granada.rules.leftovers import CHECK_END
from granada.rules.money import cards, payments, total, worth
from granada.rules.placing import PLACING
from granada.rules.state import Action, State, Step
from granada.rules.verdict import LEGAL, Verdict


@final
class UseVizier(Purchase):
    """11.2: buy one tile between two turns with an exact payment; the vizier becomes inactive."""

    __slots__ = ()

    verb: ClassVar[str] = "vizier"
    form: ClassVar[str] = "vizier TILE with CARDS"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        name, word, paid = words.partition(" with ")
        return UseVizier(box.tile(name), cards(paid)) if word else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        offers += vizier_purchases(state, seat)

    @staticmethod
    def is_possible(state: State, seat: int) -> bool:
        """11.3: return whether the player has an active vizier and can pay exactly for a tile."""
        player = state.players[seat]
        if not player.vizier:
            return False
        for slot, tile in enumerate(state.yard):
            if tile is None:
                continue
            currency = state.space_of(slot)
            purse = player.purses[currency]
            if worth(purse) >= tile.price and total(payments(currency, purse, tile.price)[0]) == tile.price:
                return True
            if player.exchange:
                for paid in exchange_payments(player, currency, tile.price):
                    if total(paid) == tile.price:
                        return True
        return False

    def verdict(self, state: State, seat: int) -> Verdict:
        bought = purchase_verdict(state, seat, self.tile, self.cards)
        if bought is not LEGAL:
            return bought
        if total(self.cards) != self.tile.price:
            return Verdict("11.2", "exact", f"the vizier requires an exact payment of {self.tile.price}")
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.players[seat].vizier = False
        purchase(state, seat, self.tile, self.cards)
        while state.step is USING_VIZIER:
            state.finish_step()
        for step in reversed(AFTER_USE):
            state.push(step, seat)


def vizier_purchases(state: State, seat: int) -> list[UseVizier]:
    """Return the exact payments for tiles on the yard (11.2)."""
    found: list[UseVizier] = []
    player = state.players[seat]
    for slot, tile in enumerate(state.yard):
        if tile is None:
            continue
        currency = state.space_of(slot)
        price = tile.price
        if worth(player.purses[currency]) >= price:
            for paid in payments(currency, player.purses[currency], price):
                if total(paid) > price:
                    break  # payments are sorted by sum
                found.append(UseVizier(tile, paid))
        if player.exchange:
            for paid in exchange_payments(player, currency, price):
                if total(paid) == price:
                    found.append(UseVizier(tile, paid))
    return found


@final
class Decline(Action):
    """11.2: do not use the vizier now."""

    __slots__ = ()

    verb: ClassVar[str] = "decline"
    form: ClassVar[str] = "decline"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return None if words else DECLINE

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        offers.append(DECLINE)

    def verdict(self, state: State, seat: int) -> Verdict:
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.finish_step()


@final
class Wake(Action):
    """11.6: reactivate the vizier, as the action of the turn."""

    __slots__ = ()

    verb: ClassVar[str] = "wake"
    form: ClassVar[str] = "wake"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return None if words else WAKE

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        if state.players[seat].vizier is False:
            offers.append(WAKE)

    def verdict(self, state: State, seat: int) -> Verdict:
        vizier = state.players[seat].vizier
        if vizier is None:
            return Verdict("11.1", "module", "this game is played without viziers")
        return Verdict("11.6", "active", "the vizier is already active") if vizier else LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.players[seat].vizier = True
        state.finish_step()


DECLINE: Final = Decline()
WAKE: Final = Wake()


@final
class AskViziers(Step):
    """6.5, 11.3: everybody may use the vizier, starting with the player next on turn."""

    def __init__(self) -> None:
        super().__init__("ask_viziers")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        for asked in reversed(state.order_from((state.turn + 1) % len(state.players))):
            if state.players[asked].vizier:
                state.push(USING_VIZIER, asked)


@final
class UsingVizier(Step):
    """11.2, 11.3: a player with an active vizier who can pay exactly for a tile decides."""

    def __init__(self) -> None:
        super().__init__(
            "vizier",
            (UseVizier, Decline, Reveal),
            "11.3",
            Verdict("11.2", "step", "between two turns a player can only use the vizier or decline"),
        )

    def waits(self, state: State, seat: int) -> bool:
        return UseVizier.is_possible(state, seat)


ASK_VIZIERS: Final = AskViziers()
USING_VIZIER: Final = UsingVizier()
#: 11.3: after each use, the yard is refilled, which may end the game (11.7), and all others may decide again.
AFTER_USE: Final[tuple[Step, ...]] = (PLACING, REFILL_YARD, CHECK_END, ASK_VIZIERS)
