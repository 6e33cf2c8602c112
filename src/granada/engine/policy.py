"""The quick policy: the best action by a static evaluation, without listing all actions; fast enough for roll-outs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, final

from granada.engine.purse import cheapest, cheapest_payment, sums_of
from granada.engine.standing import Standing
from granada.engine.weights import Weights
from granada.rules.acting import Buy, Take, exchange_payments, takes_of
from granada.rules.bonus import KEEP, Reveal, Revealing
from granada.rules.cells import NO_CELL
from granada.rules.chance import Chance
from granada.rules.city import City
from granada.rules.compiling import mypyc_attr
from granada.rules.flow import Acting
from granada.rules.huts import huts_to_take
from granada.rules.money import EXCHANGE, UNIT, Card, payments, total, worth
from granada.rules.placing import TURNING_PRICE, Give, Place, Placing, PlacingAward, Reserve
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State
from granada.rules.tiles import Tile
from granada.rules.vizier import DECLINE, WAKE, UsingVizier, vizier_purchases

if TYPE_CHECKING:
    from mypy_extensions import i64  # a native integer when compiled

#: The cost of turning a tile over besides the money: cards that may be missing later.
TURNING_TROUBLE: Final = 1.0
#: The value of a hut in the reserve: it may fit later.
HUT_IN_RESERVE: Final = 0.1
#: The usual number of cards in a payment.
USUAL_CARDS: Final = 1.5
_UNKNOWN: Final = -1e9
#: Tiles of one kind with the same walls fit on the same cells: the number of such shapes.
_SHAPES: Final = 32


@mypyc_attr(free_list_len=1)
@final
class Weighed:
    """An action and its estimated worth in points."""

    __slots__ = ("action", "worth")

    def __init__(self, action: Action, worth: float) -> None:
        self.action: Final = action
        self.worth: Final = worth


@mypyc_attr(free_list_len=1)
@final
class Spot:
    """A cell and the worth it adds to a tile; NO_CELL if the tile fits nowhere."""

    __slots__ = ("added", "cell")

    def __init__(self, cell: int, added: float) -> None:
        self.cell: Final = cell
        self.added: Final = added


def by_worth(weighed: Weighed) -> float:
    """Sort key: best first."""
    return -weighed.worth


@final
class Policy:
    """Evaluates actions in one state, and follows the state while it is played."""

    __slots__ = ("_best", "_choice", "_most", "standing", "state", "weights")

    def __init__(self, state: State, weights: Weights) -> None:
        self.state: Final = state
        self.weights: Final = weights
        self.standing: Final = Standing(state, weights)
        #: The best cell for each seat and shape of tile; reset when the city or the scorings to come change.
        self._best: Final[list[list[Spot | None]]] = [[None] * _SHAPES for _ in state.players]
        #: The best action found so far while choosing, and its worth.
        self._choice: Action | None = None
        self._most = 0.0

    def play(self, chance: Chance) -> None:
        """Play the best action of the seat that decides."""
        seat, action = self.state.seat, self.choose()
        self.state.play(action, chance)
        self.follow(seat, action)

    def play_until(self, turns: int, chance: Chance) -> None:
        """Play the best actions of all seats until this many turns have begun or the game ends."""
        state = self.state
        while state.agenda is not None and state.turns < turns:
            self.play(chance)

    def follow(self, seat: int, action: Action) -> None:
        """Update after a seat has played an action."""
        standing = self.standing
        if isinstance(action, (Place, Add)) and not self.state.huts:
            standing.note_built(seat, action.face if isinstance(action, Place) else action.tile)
            self._forget(seat)
        elif isinstance(action, (Place, Add, Remove, Swap, Reveal)):
            standing.note(seat)
            self._forget(seat)
        standing.note_dirk()
        if standing.note_scoring():
            for other in range(len(self._best)):
                self._forget(other)

    def _forget(self, seat: int) -> None:
        self._best[seat] = [None] * _SHAPES

    # Choosing

    def choose(self) -> Action:
        """Return the best action; of equals, the first in the order of `weigh`."""
        state = self.state
        step, seat = state.step, state.seat
        self._begin()
        if isinstance(step, Acting):
            self._choose_take(seat)
            self._choose_buy(seat)
            self._choose_other(seat)
        elif isinstance(step, (Placing, PlacingAward)) and not state.huts:
            for tile in state.tray:
                self._choose_place(seat, tile, isinstance(step, Placing))
        else:
            for weighed in self.weigh():
                self._consider(weighed)
        choice = self._choice
        if choice is not None:
            return choice
        return state.offers()[0]  # pass, or rebuilding where nothing else is possible

    def _begin(self) -> None:
        self._choice = None

    def _is_better(self, worth: float) -> bool:
        """Return whether this is better than all before, and remember it if so."""
        if self._choice is not None and worth <= self._most:
            return False
        self._most = worth
        return True

    def _consider(self, weighed: Weighed) -> None:
        if self._is_better(weighed.worth):
            self._choice = weighed.action

    def _choose_take(self, seat: int) -> None:
        before = [_UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN]
        for take in takes_of(self.state):
            if self._is_better(self._take_worth(seat, take, before)):
                self._choice = take

    def _choose_buy(self, seat: int) -> None:
        """Consider the best purchase; the payment is computed only for that one."""
        state, weights = self.state, self.weights
        player = state.players[seat]
        if player.exchange:
            found: list[Weighed] = []
            self._weigh_buys(seat, found)
            for weighed in found:
                self._consider(weighed)
            return
        best: Tile | None = None
        most = 0.0
        space = 0
        halves: i64 = len(state.options.kinds)
        slot: i64 = 0
        for tile in state.yard:
            if tile is not None:
                currency: i64 = slot // halves
                purse: i64 = player.purses[currency]
                price: i64 = tile.price
                paid: i64 = cheapest(sums_of(purse), price) if purse else 0
                if paid:
                    value = self.tile_worth(seat, tile) - weights.coin * float(paid) - USUAL_CARDS * weights.card
                    if paid == price:
                        value += weights.another_action
                    if best is None or value > most:
                        best, most, space = tile, value, currency
            slot += 1
        if best is not None and self._is_better(most):
            self._choice = Buy(best, cheapest_payment(space, player.purses[space], best.price))

    def _choose_other(self, seat: int) -> None:
        player = self.state.players[seat]
        if player.reserve or player.vizier is False or self.state.huts:
            found: list[Weighed] = []
            self._weigh_others(seat, found)
            for weighed in found:
                self._consider(weighed)

    def _choose_place(self, seat: int, tile: Tile, may_turn: bool) -> None:
        """Consider the best place for a tile that is not a hut."""
        face = tile
        cards: tuple[Card, ...] = ()
        while True:
            value = self._type_worth(seat, face)
            paid = self.money_worth(cards)
            spot = self._best_spot(seat, face)
            if spot.cell != NO_CELL and self._is_better(value + spot.added - paid):
                self._choice = Place(tile, spot.cell, face, cards)
            if self.state.dirk is not None and may_turn and self._is_better(self.standing.gift(seat, face) - paid):
                self._choice = Give(tile, face, cards)
            if self._is_better(self._reserve_worth(value, may_turn)):
                self._choice = Reserve(tile, face)
            back = tile.back
            if back is None or face is back or not may_turn:
                return
            payment = self._turning_payment(seat)
            if payment is None:
                return
            face, cards = back, payment

    def weigh(self) -> list[Weighed]:
        """Return the sensible actions with their worth; removing and swapping built tiles is not among them."""
        state = self.state
        seat, step = state.seat, state.step
        found: list[Weighed] = []
        if isinstance(step, Acting):
            self._weigh_takes(seat, found)
            self._weigh_buys(seat, found)
            self._weigh_others(seat, found)
        elif isinstance(step, (Placing, PlacingAward)):
            for tile in state.tray:
                self._weigh_places(seat, tile, isinstance(step, Placing), found)
        elif isinstance(step, UsingVizier):
            found.append(Weighed(DECLINE, 0.0))
            for action in vizier_purchases(state, seat):
                value = self.tile_worth(seat, action.tile) - self.money_worth(action.cards) - self.weights.vizier
                found.append(Weighed(action, value))
        elif isinstance(step, Revealing):
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
            found.append(Weighed(WAKE, self.weights.vizier + 1.0))

    # Money

    def money_worth(self, cards: tuple[Card, ...]) -> float:
        """Return the worth of some cards in hand."""
        found = 0.0
        for card in cards:
            if card.sort == EXCHANGE:
                found += self.weights.exchange_card
            else:
                found += self.weights.card + self.weights.coin * card.value
        return found

    def _weigh_takes(self, seat: int, found: list[Weighed]) -> None:
        before = [_UNKNOWN, _UNKNOWN, _UNKNOWN, _UNKNOWN]
        for take in takes_of(self.state):
            found.append(Weighed(take, self._take_worth(seat, take, before)))

    def _take_worth(self, seat: int, take: Take, before: list[float]) -> float:
        """Return the worth of taking some cards; `before` caches the readiness without them, by currency."""
        cards = take.cards
        value = self.money_worth(cards)
        if cards[0].sort == EXCHANGE:
            return value
        purses = self.state.players[seat].purses
        count: i64 = len(cards)
        i: i64 = 0
        while i < count:  # cards are sorted: those of one currency come together
            currency: i64 = cards[i].currency
            purse: i64 = purses[currency]
            more: i64 = purse
            while i < count:
                card = cards[i]
                if card.currency != currency:
                    break
                more += UNIT[card.value]
                i += 1
            ready = before[currency]
            if ready == _UNKNOWN:
                ready = self._readiness(seat, currency, purse)
                before[currency] = ready
            value += self._readiness(seat, currency, more) - ready
        return value

    def _readiness(self, seat: int, currency: i64, purse: i64) -> float:
        """Return the worth of being able to pay for the tiles of a space with a purse."""
        weights = self.weights
        yard = self.state.yard
        halves: i64 = len(self.state.options.kinds)
        slot: i64 = currency * halves
        last: i64 = slot + halves
        sums: i64 = sums_of(purse)
        ready = 0.0
        while slot < last:
            tile = yard[slot]
            if tile is not None:
                price: i64 = tile.price
                rest: i64 = sums >> price
                if rest & 1:
                    ready += weights.payable_exactly * (self._type_worth(seat, tile) + weights.another_action)
                elif rest:
                    ready += weights.payable * self._type_worth(seat, tile)
            slot += 1
        return ready

    # Tiles

    def _type_worth(self, seat: int, tile: Tile) -> float:
        """Return the worth of a tile apart from its place."""
        return self.weights.tile + self.weights.majority * self.standing.gain(seat, tile.type)

    def tile_worth(self, seat: int, tile: Tile) -> float:
        """Return the worth of a tile of the yard for a seat, at its best place and with its better face."""
        value = self._type_worth(seat, tile) + self._spot_worth(seat, tile)
        back = tile.back
        if back is not None:
            turning = self.weights.coin * TURNING_PRICE + TURNING_TROUBLE
            turned = self._type_worth(seat, back) + self._spot_worth(seat, back) - turning
            if turned > value:
                value = turned
        return value

    def _spot_worth(self, seat: int, tile: Tile) -> float:
        """Return the worth that the best cell adds to a tile; a tile that fits nowhere loses most of its worth."""
        spot = self._best_spot(seat, tile)
        if spot.cell == NO_CELL:
            return -(1.0 - self.weights.reserve) * self._type_worth(seat, tile)
        return spot.added

    def _best_spot(self, seat: int, tile: Tile) -> Spot:
        """Return the best cell for a tile, the first of equal ones."""
        known = self._best[seat]
        shape = tile.kind << 4 | tile.walls
        found = known[shape]
        if found is None:
            city = self.state.players[seat].city
            best, place = 0.0, NO_CELL
            for cell in city.cells_for(tile):
                value = self.standing.wall_gain(seat, city, tile, cell)
                if place == NO_CELL or value > best:
                    best, place = value, cell
            found = Spot(place, best)
            known[shape] = found
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
                exact = self.weights.another_action if total(cards) == tile.price else 0.0
                found.append(Weighed(Buy(tile, cards), value + exact - self.money_worth(cards)))

    def _weigh_adds(self, seat: int, found: list[Weighed]) -> None:
        for tile in self.state.players[seat].reserve:
            spot = self._best_spot(seat, tile)
            if spot.cell != NO_CELL:
                found.append(Weighed(Add(tile, spot.cell), self._type_worth(seat, tile) + spot.added))

    def _weigh_huts(self, seat: int, found: list[Weighed]) -> None:
        for action in huts_to_take(self.state, seat):
            hut = self.state.huts[action.type]
            if hut is not None:
                found.append(Weighed(action, self.weights.hut * self._best_hut(seat, hut)))

    def _best_hut(self, seat: int, hut: Tile) -> float:
        """14.5: return the worth of a hut at its best place, by the adjacent buildings of its type."""
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
        gain = beside * self.weights.majority * self.standing.gain(seat, hut.type)
        return gain + self.standing.wall_gain(seat, city, hut, cell)

    # Placing

    def _weigh_places(self, seat: int, tile: Tile, may_turn: bool, found: list[Weighed]) -> None:
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
            found.append(Weighed(Reserve(tile, face), self._reserve_worth(value, may_turn)))

    def _reserve_worth(self, value: float, is_acquired: bool) -> float:
        """Return the worth of a tile in the reserve: 0 after an award (8.3), because no turn follows."""
        return self.weights.reserve * value if is_acquired else 0.0

    def _turning_payment(self, seat: int) -> tuple[Card, ...] | None:
        """4.2: return the cheapest payment for turning a tile over."""
        best: tuple[Card, ...] | None = None
        for currency in range(4):
            purse = self.state.players[seat].purses[currency]
            if worth(purse) >= TURNING_PRICE:
                cards = payments(currency, purse, TURNING_PRICE)[0]
                if best is None or total(cards) < total(best):
                    best = cards
        return best
