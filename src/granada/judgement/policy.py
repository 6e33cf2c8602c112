"""Quick play: the action that looks best at once, found without listing them all. Fast enough to play games ahead."""

from __future__ import annotations

from typing import Final, final

from granada.judgement.purse import cheapest, sums_of
from granada.judgement.standing import Standing
from granada.judgement.temper import Temper
from granada.rules.acting import Buy, Take, exchange_payments
from granada.rules.bonus import KEEP, Asking, Reveal
from granada.rules.cells import NO_CELL
from granada.rules.chance import Chance
from granada.rules.city import City
from granada.rules.flow import Act
from granada.rules.huts import TakeHut
from granada.rules.money import EXCHANGE, UNIT, Card, payments, total, worth
from granada.rules.placing import TURNING_PRICE, Give, Place, Placing, PlacingAward, Reserve
from granada.rules.rebuilding import Add
from granada.rules.state import Action, State
from granada.rules.tiles import Tile
from granada.rules.vizier import DECLINE, WAKE, Favour, UseVizier

#: What it costs to turn a tile over beside the money: cards that may be missed later.
TURNING_TROUBLE: Final = 1.0
#: A hut that fits nowhere may fit later.
HUT_IN_RESERVE: Final = 0.1
#: A tile is paid with about so many cards.
USUAL_CARDS: Final = 1.5


@final
class Weighed:
    """An action and what it looks worth, in points."""

    __slots__ = ("action", "worth")

    def __init__(self, action: Action, worth: float) -> None:
        self.action: Final = action
        self.worth: Final = worth


@final
class Spot:
    """A cell and what it adds to the worth of a tile; NO_CELL if the tile fits nowhere."""

    __slots__ = ("added", "cell")

    def __init__(self, cell: int, added: float) -> None:
        self.cell: Final = cell
        self.added: Final = added


def by_worth(weighed: Weighed) -> float:
    """Sort key: the best first."""
    return -weighed.worth


@final
class Policy:
    """Weighs actions for the seats of one state, which it follows while it is played."""

    __slots__ = ("_best", "standing", "state", "temper")

    def __init__(self, state: State, temper: Temper) -> None:
        self.state: Final = state
        self.temper: Final = temper
        self.standing: Final = Standing(state, temper)
        #: For each seat, where a tile is built best; forgotten when the city changes.
        self._best: Final[list[dict[Tile, Spot]]] = [{} for _ in state.players]

    def play(self, chance: Chance) -> None:
        """Let the seat that decides play what looks best."""
        seat, action = self.state.seat, self.choose()
        self.state.play(action, chance)
        self.follow(seat, action)

    def follow(self, seat: int, action: Action) -> None:
        """The state has gone on: a seat has played an action."""
        if not isinstance(action, (Take, Buy)):
            self.standing.note(seat)
            self._best[seat].clear()
        self.standing.note_dirk()
        if self.standing.note_scoring():
            for known in self._best:
                known.clear()

    # Choosing

    def choose(self) -> Action:
        """What looks best."""
        state = self.state
        found: list[Weighed] = []
        if isinstance(state.step, Act):
            self._weigh_takes(state.seat, found)
            self._weigh_best_buy(state.seat, found)
            self._weigh_others(state.seat, found)
        else:
            found = self.weigh()
        best: Weighed | None = None
        for weighed in found:
            if best is None or weighed.worth > best.worth:
                best = weighed
        if best is not None:
            return best.action
        return state.offers()[0]  # pass, or rebuilding where nothing else is possible

    def weigh(self) -> list[Weighed]:
        """The actions worth a thought with what they look worth; rebuilding what stands is not among them."""
        state = self.state
        seat, step = state.seat, state.step
        found: list[Weighed] = []
        if isinstance(step, Act):
            self._weigh_takes(seat, found)
            self._weigh_buys(seat, found)
            self._weigh_others(seat, found)
        elif isinstance(step, (Placing, PlacingAward)):
            for tile in state.tray:
                self._weigh_places(seat, tile, isinstance(step, Placing), found)
        elif isinstance(step, Favour):
            found.append(Weighed(DECLINE, 0.0))
            offers: list[Action] = []
            UseVizier.offer(state, seat, offers)
            for action in offers:
                if isinstance(action, UseVizier):
                    value = self.tile_worth(seat, action.tile) - self.money_worth(action.cards) - self.temper.vizier
                    found.append(Weighed(action, value))
        elif isinstance(step, Asking):
            for card in state.players[seat].bonus:
                if card is not None and state.players[seat].city.contains(card):
                    found.append(Weighed(Reveal(card), 1.0))
            found.append(Weighed(KEEP, 0.0))
        return found

    def _weigh_others(self, seat: int, found: list[Weighed]) -> None:
        player = self.state.players[seat]
        if player.reserve:
            self._weigh_adds(seat, found)
        if self.state.huts:
            self._weigh_huts(seat, found)
        if player.vizier is False:
            found.append(Weighed(WAKE, self.temper.vizier + 1.0))

    # Money

    def money_worth(self, cards: tuple[Card, ...]) -> float:
        """What it is worth to have some cards in hand."""
        found = 0.0
        for card in cards:
            if card.sort == EXCHANGE:
                found += self.temper.exchange_card
            else:
                found += self.temper.card + self.temper.coin * card.value
        return found

    def _weigh_takes(self, seat: int, found: list[Weighed]) -> None:
        takes: list[Action] = []
        Take.offer(self.state, seat, takes)
        purses = self.state.players[seat].purses
        before = [self._readiness(seat, currency, purses[currency]) for currency in range(4)]
        for action in takes:
            if isinstance(action, Take):
                value = self.money_worth(action.cards)
                added = [0, 0, 0, 0]
                for card in action.cards:
                    if card.sort != EXCHANGE:
                        added[card.currency] += UNIT[card.value]
                for currency in range(4):
                    if added[currency]:
                        purse = purses[currency] + added[currency]
                        value += self._readiness(seat, currency, purse) - before[currency]
                found.append(Weighed(action, value))

    def _readiness(self, seat: int, currency: int, purse: int) -> float:
        """How well the tiles of a space could be paid with a purse."""
        temper, halves = self.temper, len(self.state.options.kinds)
        sums = sums_of(purse)
        ready = 0.0
        for slot in range(currency * halves, (currency + 1) * halves):
            tile = self.state.yard[slot]
            if tile is not None and sums >> tile.price:
                is_exact = bool(sums >> tile.price & 1)
                part = temper.payable_exactly if is_exact else temper.payable
                ready += part * (self._type_worth(seat, tile) + (temper.another_action if is_exact else 0.0))
        return ready

    # Tiles

    def _type_worth(self, seat: int, tile: Tile) -> float:
        """What a tile is worth wherever it is built."""
        return self.temper.tile + self.temper.majority * self.standing.gain(seat, tile.type)

    def tile_worth(self, seat: int, tile: Tile) -> float:
        """What a tile of the yard is worth to a seat: at its best place, by its better face."""
        value = self._type_worth(seat, tile) + self._best_cell(seat, tile).added
        back = tile.back
        if back is not None:
            turning = self.temper.coin * TURNING_PRICE + TURNING_TROUBLE
            turned = self._type_worth(seat, back) + self._best_cell(seat, back).added - turning
            if turned > value:
                value = turned
        return value

    def _best_cell(self, seat: int, tile: Tile) -> Spot:
        """Where a tile is built best; to fit nowhere costs most of its worth."""
        known = self._best[seat]
        found = known.get(tile)
        if found is None:
            city = self.state.players[seat].city
            best, place = 0.0, NO_CELL
            for cell in city.cells_for(tile):
                value = self.standing.wall_gain(seat, city, tile, cell)
                if place == NO_CELL or value > best:
                    best, place = value, cell
            if place == NO_CELL:
                # Not kept: it depends on what the others have.
                return Spot(NO_CELL, -(1.0 - self.temper.reserve) * self._type_worth(seat, tile))
            found = Spot(place, best)
            known[tile] = found
        return found

    def _weigh_buys(self, seat: int, found: list[Weighed]) -> None:
        state = self.state
        player = state.players[seat]
        for slot, tile in enumerate(state.yard):
            if tile is None:
                continue
            currency = state.space_of(slot)
            purse = player.purses[currency]
            ways: list[tuple[Card, ...]] = []
            if worth(purse) >= tile.price:
                ways += payments(currency, purse, tile.price)[:2]
            if player.exchange:
                ways += exchange_payments(player, currency, tile.price, 2)
            if not ways:
                continue
            value = self.tile_worth(seat, tile)
            for cards in ways:
                exact = self.temper.another_action if total(cards) == tile.price else 0.0
                found.append(Weighed(Buy(tile, cards), value + exact - self.money_worth(cards)))

    def _weigh_best_buy(self, seat: int, found: list[Weighed]) -> None:
        """The same for the best purchase alone: how others are paid is not even worked out."""
        state, temper = self.state, self.temper
        player = state.players[seat]
        if player.exchange:
            self._weigh_buys(seat, found)
            return
        best: Tile | None = None
        most = 0.0
        space = 0
        sums = 0
        for slot, tile in enumerate(state.yard):
            currency = state.space_of(slot)
            if slot == 0 or currency != space:
                sums = sums_of(player.purses[currency])
                space = currency
            if tile is not None:
                paid = cheapest(sums, tile.price)
                if paid:
                    value = self.tile_worth(seat, tile) - temper.coin * float(paid) - USUAL_CARDS * temper.card
                    if paid == tile.price:
                        value += temper.another_action
                    if best is None or value > most:
                        best, most = tile, value
        if best is not None:
            currency = state.space_of(state.slot_of(best))
            found.append(Weighed(Buy(best, payments(currency, player.purses[currency], best.price)[0]), most))

    def _weigh_adds(self, seat: int, found: list[Weighed]) -> None:
        for tile in self.state.players[seat].reserve:
            spot = self._best_cell(seat, tile)
            if spot.cell != NO_CELL:
                found.append(Weighed(Add(tile, spot.cell), self._type_worth(seat, tile) + spot.added))

    def _weigh_huts(self, seat: int, found: list[Weighed]) -> None:
        offers: list[Action] = []
        TakeHut.offer(self.state, seat, offers)
        for action in offers:
            if isinstance(action, TakeHut):
                hut = self.state.huts[action.type]
                if hut is not None:
                    found.append(Weighed(action, self.temper.hut * self._best_hut(seat, hut)))

    def _best_hut(self, seat: int, hut: Tile) -> float:
        """14.5: what a hut is worth at its best place, by the buildings of its type beside it."""
        city = self.state.players[seat].city
        best = 0.0
        for cell in city.cells_for(hut):
            best = max(best, self._hut_worth(seat, city, hut, cell))
        return best

    def _hut_worth(self, seat: int, city: City, hut: Tile, cell: int) -> float:
        beside = 0
        for side in range(4):
            near = city.neighbour(cell, side)
            if near is not None and near.type == hut.type and not near.is_hut and not hut.walls >> side & 1:
                beside += 1
        gain = beside * self.temper.majority * self.standing.gain(seat, hut.type)
        return gain + self.standing.wall_gain(seat, city, hut, cell)

    # Placing

    def _weigh_places(self, seat: int, tile: Tile, may_turn: bool, found: list[Weighed]) -> None:
        temper = self.temper
        city = self.state.players[seat].city
        if tile.is_hut:
            for cell in city.cells_for(tile):
                found.append(Weighed(Place(tile, cell), self._hut_worth(seat, city, tile, cell)))
            found.append(Weighed(Reserve(tile), HUT_IN_RESERVE))
            return
        faces = [tile]
        if tile.back is not None and may_turn:
            faces.append(tile.back)
        for face in faces:
            cards: tuple[Card, ...] = ()
            if face is not tile:
                payment = self._turning_payment(seat)
                if payment is None:
                    continue
                cards = payment
            value = self._type_worth(seat, face)
            paid = self.money_worth(cards)
            for cell in city.cells_for(face):
                found.append(
                    Weighed(
                        Place(tile, cell, face, cards),
                        value + self.standing.wall_gain(seat, city, face, cell) - paid,
                    )
                )
            if self.state.dirk is not None and may_turn:
                found.append(Weighed(Give(tile, face, cards), self.standing.gift(seat, face) - paid))
            found.append(Weighed(Reserve(tile, face), temper.reserve * value))

    def _turning_payment(self, seat: int) -> tuple[Card, ...] | None:
        """4.2: the cheapest way to pay for turning a tile over."""
        best: tuple[Card, ...] | None = None
        for currency in range(4):
            purse = self.state.players[seat].purses[currency]
            if worth(purse) >= TURNING_PRICE:
                cards = payments(currency, purse, TURNING_PRICE)[0]
                if best is None or total(cards) < total(best):
                    best = cards
        return best
