"""Why a turn is the best: facts that a client says in its own language, and the themes of a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from granada.puzzles.effects import STRETCHES, Effects, payable_by
from granada.rules.events import DIRK
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.state import Action, State
from granada.rules.vizier import UseVizier, Wake

#: All themes, in the order in which they are tested: the first that fits is the main one.
THEMES: Final = ("vizier", "flip", "dirk", "rebuild", "timing", "chain", "wall", "majority", "exchange", "money")
#: A scoring is part of the theme, and mentioned, if it follows this turn at least this often.
LIKELY: Final = 0.15
#: The smallest change in a majority, in points, that is mentioned.
WORTH_MENTIONING: Final = 2
#: The most facts about each of several things: majorities, and money that fits.
MOST: Final = 2
_STRETCH_ITEMS: Final = tuple([name for name, _ in STRETCHES])


@dataclass(frozen=True)
class Fact:
    """One reason, with what it is about; the code decides which of the other fields are set."""

    code: str
    #: Tiles and cards in the notation.
    tile: str = ""
    face: str = ""
    cards: tuple[str, ...] = ()
    #: A type, or wall, moat or run.
    item: str = ""
    before: int = 0
    after: int = 0
    scoring: str = ""
    #: From 0; DIRK for Dirk.
    seat: int = 0


def explain(state: State, turn: Sequence[Action], obvious: Sequence[Action]) -> list[Fact]:
    """Return why a turn is better than the obvious one: payments, gains, what others lose, and what comes next."""
    best, plain = Effects(state, turn), Effects(state, obvious)
    facts = _paid(best) + _changed(best)
    facts += _denied(best, plain) + _contested(best, plain) + _prepared(best)
    facts += _timed(best)
    # One point is mentioned only if there is nothing else.
    return facts or _changed(best, 1) or [Fact("later")]


def _paid(effects: Effects) -> list[Fact]:
    """3.4, 4.2, 9.6, 11, 3.5: return what is special about the actions."""
    facts = [Fact("exact", tile=one.tile.name, cards=tuple([card.name for card in one.cards])) for one in effects.exact]
    for one in effects.turn:
        if isinstance(one, UseVizier):
            facts.append(Fact("vizier", tile=one.tile.name, cards=tuple([card.name for card in one.cards])))
        elif isinstance(one, Wake):
            facts.append(Fact("wake"))
        elif isinstance(one, Remove):
            facts.append(Fact("remove"))
        elif isinstance(one, (Add, Swap)):
            facts.append(Fact("add" if isinstance(one, Add) else "swap", tile=one.tile.name))
    facts += [Fact("flip", tile=tile.name, face=face.name) for tile, face in effects.turned]
    facts += [Fact("gift", tile=tile.name) for tile in effects.gifts]
    return facts


def _changed(effects: Effects, least: int = WORTH_MENTIONING) -> list[Fact]:
    """7: return what the seat gains in the next scoring."""
    facts: list[Fact] = []
    for name, what in STRETCHES:
        before, after = effects.stretch(what)
        if after > before:
            facts.append(Fact("stretch", item=name, before=before, after=after))
    types = [item for item in effects.items() if item not in _STRETCH_ITEMS]
    gains = [(item, *effects.points(effects.seat, item)) for item in types]
    gains = sorted([gain for gain in gains if gain[2] - gain[1] >= least], key=lambda gain: gain[1] - gain[2])
    for item, before, after in gains[:MOST]:
        facts.append(Fact("majority", item=item, before=before, after=after, scoring=effects.scoring))
    return facts


def _denied(best: Effects, plain: Effects) -> list[Fact]:
    """7.3, 7.4: return what a rival has less in the next scoring than after the obvious turn."""
    losses = [
        (plain.points(seat, item)[1] - best.points(seat, item)[1], seat, item)
        for seat in best.seats()
        for item in best.items()
        if seat != best.seat and item not in _STRETCH_ITEMS
    ]
    losses = sorted([loss for loss in losses if loss[0] > WORTH_MENTIONING], key=lambda loss: -loss[0])
    return [
        Fact("denied", item=item, seat=seat, before=loss, scoring=best.scoring)
        for loss, seat, item in losses[: MOST - 1]
    ]


def _contested(best: Effects, plain: Effects) -> list[Fact]:
    """3.3: return a tile that the next players could buy after the obvious turn."""
    bought = {one.tile for one in plain.purchases}
    state = best.before
    for one in best.purchases:
        if one.tile in bought:
            continue
        for seat in state.order_from((best.seat + 1) % len(state.players))[:-1]:
            fit = payable_by(state, one.tile, seat)
            if fit is not None:
                return [Fact("contested", tile=one.tile.name, seat=seat, item=fit)]
    return []


def _prepared(effects: Effects) -> list[Fact]:
    """3.2, 3.4: return what the money that is taken is for."""
    if not effects.taken:
        return []
    cards = tuple([card.name for card in effects.taken])
    found = [Fact("prepared", tile=tile.name, cards=cards) for tile in effects.prepared()[:MOST]]
    return found or [Fact("money", cards=cards)]


def _timed(effects: Effects) -> list[Fact]:
    """6.3, 6.4: return whether a scoring or the end of the game follows."""
    if ends_game(effects):
        return [Fact("ends")]
    if chance_of_scoring(effects) >= LIKELY:
        return [Fact("scoring", scoring=effects.scoring)]
    return []


def ends_game(effects: Effects) -> bool:
    """6.4, 10.8: return whether the yard cannot be refilled after the turn."""
    state = effects.after
    kinds = len(state.options.kinds)
    gaps = [len([tile for tile in state.yard[half::kinds] if tile is None]) for half in range(kinds)]
    return all([gap > len(bag) for gap, bag in zip(gaps, state.bags, strict=True)])


def chance_of_scoring(effects: Effects) -> float:
    """2.6, 6.1: return how likely the cards drawn after the turn contain the next score card."""
    drawn = len(effects.before.display) - len(effects.after.display)
    above = -effects.before.deck.drawn
    for pile in effects.before.deck.piles:
        if pile.score is not None:
            first, last = max(0, above), above + pile.size - 1
            return min(1.0, max(0.0, (drawn - first) / (last - first + 1)))
        above += pile.size
    return 0.0


def themes_of(state: State, turn: Sequence[Action], obvious: Sequence[Action]) -> tuple[str, ...]:
    """Return the themes of a puzzle, the main one first: what the best turn does, and where its points come from."""
    best, plain = Effects(state, turn), Effects(state, obvious)
    fits = {
        "vizier": best.uses_vizier,
        "flip": bool(best.turned),
        "dirk": bool(best.gifts),
        "rebuild": bool(best.rebuilt),
        "timing": ends_game(best) != ends_game(plain) or max(map(chance_of_scoring, (best, plain))) >= LIKELY,
        "chain": len(best.exact) > 1 or (bool(best.exact) and len(best.exact) > len(plain.exact)),
        "exchange": bool(best.exchanged),
        "money": not best.purchases and bool(best.taken),
    }
    stretches = best.total(_STRETCH_ITEMS) - max(0, plain.total(_STRETCH_ITEMS))
    types = _majorities(best) - _majorities(plain)
    fits["wall"] = stretches >= WORTH_MENTIONING
    fits["majority"] = types >= WORTH_MENTIONING
    found = tuple([theme for theme in THEMES if fits[theme]])
    if fits["wall"] and fits["majority"] and types > stretches:
        found = tuple([{"wall": "majority", "majority": "wall"}.get(theme, theme) for theme in found])
    return found or ("majority",)


def _majorities(effects: Effects) -> int:
    """Return the seat's gain in the majorities, together with what the best rival loses."""
    types = [item for item in effects.items() if item not in _STRETCH_ITEMS]
    own = effects.total(types)
    rivals = [
        sum([effects.points(seat, item)[1] - effects.points(seat, item)[0] for item in types])
        for seat in effects.seats()
        if seat not in (effects.seat, DIRK)
    ]
    return own - min(0, *rivals) if rivals else own
