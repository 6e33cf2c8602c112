"""The vizier's favour (11): use the vizier between turns, decline, wake it again."""

from __future__ import annotations

from typing import Final, final

from granada.rules.acting import Purchase, exchange_payments, purchase, purchase_verdict
from granada.rules.bonus import Reveal
from granada.rules.chance import Chance
from granada.rules.end_of_turn import REFILL_YARD
from granada.rules.leftovers import CHECK_END
from granada.rules.money import payments, total, worth
from granada.rules.placing import PLACING
from granada.rules.state import Action, State, Step
from granada.rules.verdict import LEGAL, Verdict


@final
class UseVizier(Purchase):
    """11.2: buy one tile between two turns, paying exactly; the vizier becomes inactive."""

    __slots__ = ()

    @staticmethod
    def offer(state: State, seat: int, offers: list[Action]) -> None:
        player = state.players[seat]
        for slot, tile in enumerate(state.yard):
            if tile is None:
                continue
            currency = state.space_of(slot)
            price = tile.price
            if worth(player.purses[currency]) >= price:
                for cards in payments(currency, player.purses[currency], price):
                    if total(cards) > price:
                        break  # payments come cheapest first
                    offers.append(UseVizier(tile, cards))
            if player.exchange:
                for cards in exchange_payments(player, currency, price):
                    if total(cards) == price:
                        offers.append(UseVizier(tile, cards))

    @staticmethod
    def is_possible(state: State, seat: int) -> bool:
        """11.3: whether the player has an active vizier and can pay exactly for some tile."""
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
                for cards in exchange_payments(player, currency, tile.price):
                    if total(cards) == tile.price:
                        return True
        return False

    def verdict(self, state: State, seat: int) -> Verdict:
        bought = purchase_verdict(state, seat, self.tile, self.cards)
        if bought is not LEGAL:
            return bought
        if total(self.cards) != self.tile.price:
            return Verdict("11.2", "exact", f"with the vizier exactly {self.tile.price} must be paid")
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.players[seat].vizier = False
        purchase(state, seat, self.tile, self.cards)
        while state.step is FAVOUR:
            state.finish_step()
        for step in reversed(AFTER_USE):
            state.push(step, seat)


@final
class Decline(Action):
    """11.2: let the chance go."""

    __slots__ = ()

    def verdict(self, state: State, seat: int) -> Verdict:
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.finish_step()


@final
class Wake(Action):
    """11.6: reactivate the vizier, as the action of the turn."""

    __slots__ = ()

    @staticmethod
    def offer(state: State, seat: int, offers: list[Action]) -> None:
        if state.players[seat].vizier is False:
            offers.append(WAKE)

    def verdict(self, state: State, seat: int) -> Verdict:
        vizier = state.players[seat].vizier
        if vizier is None:
            return Verdict("11.1", "module", "this game is played without viziers")
        return Verdict("11.6", "active", "the vizier is active already") if vizier else LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.players[seat].vizier = True
        state.finish_step()


DECLINE: Final = Decline()
WAKE: Final = Wake()


@final
class AskViziers(Step):
    """6.5, 11.3: everybody may use the vizier, the player next on turn first, the one who just finished last."""

    def run(self, state: State, seat: int, chance: Chance) -> None:
        for asked in reversed(state.order_from((state.turn + 1) % len(state.players))):
            if state.players[asked].vizier:
                state.push(FAVOUR, asked)


@final
class Favour(Step):
    """11.2, 11.3: a player with an active vizier who can pay exactly for some tile is asked."""

    def waits(self, state: State, seat: int) -> bool:
        return UseVizier.is_possible(state, seat)

    def offer(self, state: State, seat: int, part: int, offers: list[Action]) -> bool:
        if part == 0:
            UseVizier.offer(state, seat, offers)
            offers.append(DECLINE)
            Reveal.offer(state, seat, offers)
        return part == 0

    def admits(self, action: Action) -> Verdict:
        if isinstance(action, (UseVizier, Decline, Reveal)):
            return LEGAL
        return Verdict("11.2", "step", "between two turns a player can only use the vizier or decline")


ASK_VIZIERS: Final = AskViziers()
FAVOUR: Final = Favour()
#: 11.3: after each use the yard is refilled, which may end the game (11.7), and all others may decide anew.
AFTER_USE: Final[tuple[Step, ...]] = (PLACING, REFILL_YARD, CHECK_END, ASK_VIZIERS)
