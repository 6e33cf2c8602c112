"""Bonus cards (13): reveal one, or keep them before a scoring."""

from __future__ import annotations

from typing import ClassVar, Final, final

from granada.rules.chance import Chance
from granada.rules.components import Components
from granada.rules.player import Player
from granada.rules.state import Action, State, Step
from granada.rules.tiles import BLANK, Tile
from granada.rules.verdict import LEGAL, Verdict


def sorted_cards(cards: list[Tile | None]) -> tuple[Tile | None, ...]:
    """Return bonus cards in their fixed order, hidden ones last."""
    known = sorted([card.order for card in cards if card is not None])
    by_order = {card.order: card for card in cards if card is not None}
    unknown: list[Tile | None] = [None for card in cards if card is None]
    return (*[by_order[order] for order in known], *unknown)


def take_back_card(player: Player, tile: Tile) -> None:
    """13.3: put the revealed card of a tile that left the city back into the hand; everybody has seen it."""
    if tile in player.revealed:
        player.revealed = tuple([card for card in player.revealed if card is not tile])
        player.bonus = sorted_cards([*player.bonus, tile])
        player.seen_bonus = (*player.seen_bonus, tile)


def ask_all(state: State) -> None:
    """13.2: ask every seat to reveal, in turn order from the player next on turn."""
    for seat in reversed(state.order_from((state.turn + 1) % len(state.players))):
        state.push(REVEALING, seat)


def ask_again(state: State) -> None:
    """13.2: after a reveal before a scoring, ask every seat again; at other decisions, do nothing."""
    agenda = state.agenda
    rest = agenda
    while rest is not None and isinstance(rest.step, Revealing):
        rest = rest.then
    if rest is not agenda:
        state.agenda = rest
        ask_all(state)


def is_asked(state: State, seat: int) -> bool:
    """13.2: return whether a seat has an unrevealed card and a built tile without walls whose card is not revealed."""
    player = state.players[seat]
    if not player.bonus:
        return False
    city = player.city
    for tile in state.options.components.bonus:
        if tile not in player.revealed and city.contains(tile):
            return True
    return False


@final
class Reveal(Action):
    """13.2: reveal the bonus card of a tile that is built in your city."""

    __slots__ = ("tile",)

    verb: ClassVar[str] = "reveal"
    form: ClassVar[str] = "reveal TILE"

    def __init__(self, tile: Tile = BLANK) -> None:
        self.tile: Final = tile

    def __str__(self) -> str:
        return f"reveal {self.tile.name}"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return Reveal(box.tile(words)) if words else None

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        player = state.players[seat]
        for card in player.bonus:
            if card is not None and player.city.contains(card):
                offers.append(Reveal(card))

    def verdict(self, state: State, seat: int) -> Verdict:
        player = state.players[seat]
        if self.tile not in player.bonus and not self._may_be_hidden(state, player):
            return Verdict("13.2", "card", f"the bonus card of {self.tile.name} is not in hand")
        if not player.city.contains(self.tile):
            return Verdict("13.2", "city", f"{self.tile.name} is not built in this city")
        return LEGAL

    def _may_be_hidden(self, state: State, player: Player) -> bool:
        """16.2: return whether a hidden card of the player can be this one."""
        if None not in player.bonus or self.tile not in state.options.components.bonus:
            return False
        return not any([self.tile in other.bonus or self.tile in other.revealed for other in state.players])

    def do(self, state: State, seat: int, chance: Chance) -> None:
        player = state.players[seat]
        hand = list(player.bonus)
        hand.remove(self.tile if self.tile in hand else None)
        player.bonus = tuple(hand)
        player.seen_bonus = tuple([card for card in player.seen_bonus if card is not self.tile])
        player.revealed = (*player.revealed, self.tile)
        ask_again(state)

    def key(self) -> tuple[object, ...]:
        return (self.tile,)

    def __repr__(self) -> str:
        return f"Reveal({self.tile!r})"


@final
class Keep(Action):
    """13.2: reveal no more cards before a scoring."""

    __slots__ = ()

    verb: ClassVar[str] = "keep"
    form: ClassVar[str] = "keep"

    @staticmethod
    def parse(words: str, box: Components) -> Action | None:
        return None if words else KEEP

    def offer(self, state: State, seat: int, offers: list[Action]) -> None:
        offers.append(KEEP)

    def verdict(self, state: State, seat: int) -> Verdict:
        return LEGAL

    def do(self, state: State, seat: int, chance: Chance) -> None:
        state.finish_step()


KEEP: Final = Keep()


@final
class Revealing(Step):
    """13.2: before a scoring, a player reveals a card, after which every seat is asked again, or keeps the cards."""

    def __init__(self) -> None:
        super().__init__(
            "reveal",
            (Reveal, Keep),
            "13.2",
            Verdict("13.2", "step", "before a scoring, bonus cards can only be revealed or kept"),
        )

    def waits(self, state: State, seat: int) -> bool:
        return is_asked(state, seat)


REVEALING: Final = Revealing()
