"""The end of a turn (6): display, yard and scorings; and what Dirk draws (9.5)."""

from __future__ import annotations

from typing import Final, final

from granada.rules.bonus import ask_all
from granada.rules.chance import Chance
from granada.rules.events import DirkDrew, Displayed, Reshuffled, YardFilled
from granada.rules.money import SCORE, Card
from granada.rules.scoring import SCORING
from granada.rules.state import State, Step
from granada.rules.tiles import GRANADA, Tile

#: 1.9: the number of cards on display.
DISPLAY_SIZE: Final = 4
#: 9.3, 9.5: the number of tiles that Dirk draws from each bag at set-up and after scoring A.
DIRK_DRAW: Final = 6


def show_face(tile: Tile, marker: int) -> Tile:
    """6.2: return the face that a tile from the bag shows: for a Granada tile, the one with the marker's parity."""
    if marker and tile.back is not None:
        return tile.back
    return tile


def refill_display(state: State, chance: Chance) -> None:
    """6.1: refill the display to four cards; score cards are laid aside and announce their scoring."""
    if len(state.display) == DISPLAY_SIZE:
        return
    display = list(state.display)
    turned_up: list[Card] = []
    while len(display) < DISPLAY_SIZE:
        if state.deck.is_empty():
            if turned_up:
                state.emit(Displayed(tuple(turned_up)))
                turned_up = []
            if not state.discards:
                break
            _reshuffle(state, chance)
        card = chance.display_card(state.deck)
        turned_up.append(card)
        if card.sort == SCORE:
            state.announced = tuple(sorted((*state.announced, card.name)))
        else:
            display.append(card)
    state.display = tuple(display)
    if turned_up:
        state.emit(Displayed(tuple(turned_up)))


def _reshuffle(state: State, chance: Chance) -> None:
    """6.1, 10.3: shuffle the discards into a new deck, a pending score card into the second of its five piles."""
    chance.reshuffle()
    state.emit(Reshuffled())
    state.deck.refill(state.discards)
    state.discards.clear()
    if state.pending is not None:
        state.deck.divide({1: state.pending}, (), ())
        state.pending = None


def refill_yard(state: State, chance: Chance) -> bool:
    """6.2, 10.4: refill the yard, space by space; if a Granada tile was added, the marker then changes.

    Return whether every place on the yard has a tile.
    """
    if not state.has_gap():
        return True
    kinds = state.options.kinds
    is_marker_moved = False
    for slot in range(len(state.yard)):
        half = slot % len(kinds)
        bag = state.bags[half]
        if state.yard[slot] is None and bag:
            put_on_yard(state, slot, chance.yard_tile(bag, state.marker, state.space_of(slot)))
            is_marker_moved = is_marker_moved or kinds[half] == GRANADA
    if is_marker_moved:
        state.marker = 1 - state.marker
    return not state.has_gap()


@final
class RefillYard(Step):
    """11.3: the yard is refilled after a vizier was used."""

    def __init__(self) -> None:
        super().__init__("refill_yard")

    def run(self, state: State, seat: int, chance: Chance) -> None:
        refill_yard(state, chance)


def put_on_yard(state: State, slot: int, tile: Tile) -> None:
    """2.2, 6.2: put a tile from the bag on the yard, with the face that the marker shows."""
    face = show_face(tile, state.marker)
    state.yard[slot] = face
    state.emit(YardFilled(state.space_of(slot), face))


def push_announced_scorings(state: State) -> None:
    """6.3: push the announced scorings on the agenda, A before B, each followed by Dirk's draw (9.5)."""
    for letter in reversed(state.announced):
        state.push(DIRK_DRAWS[letter], state.turn)
        push_scoring(state, letter)
    state.announced = ()


def push_scoring(state: State, letter: str) -> None:
    """13.2: push a scoring on the agenda, and before it the decisions to reveal."""
    state.push(SCORING[letter], state.turn)
    ask_all(state)


@final
class DirkDraws(Step):
    """9.5, 10.10: after scoring A, Dirk draws six tiles from each bag; after B, a third of those left."""

    def __init__(self, letter: str) -> None:
        super().__init__(f"dirk_draws_{letter}")
        self.letter: Final = letter

    def run(self, state: State, seat: int, chance: Chance) -> None:
        if state.dirk is not None:
            give_tiles_to_dirk(
                state,
                [min(DIRK_DRAW, len(bag)) if self.letter == "A" else len(bag) // 3 for bag in state.bags],
                chance,
            )


def give_tiles_to_dirk(state: State, counts: list[int], chance: Chance) -> None:
    """9.3, 9.5: let Dirk draw these numbers of tiles from each bag, with the face that the marker shows."""
    dirk = state.dirk
    if dirk is None or not any(counts):
        return
    faces: list[Tile] = []
    for tile in chance.dirk_tiles(state.bags, counts, state.marker):
        state.bags[state.options.kinds.index(tile.kind)].remove(tile)
        faces.append(show_face(tile, state.marker))
    dirk.tiles += tuple(faces)
    state.emit(DirkDrew(tuple(faces)))


REFILL_YARD: Final = RefillYard()
DIRK_DRAWS: Final = {letter: DirkDraws(letter) for letter in ("A", "B")}
