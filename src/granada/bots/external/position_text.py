"""A view as text, for programs in any language: a line for each thing, and one for each action that can be played.

docs/bots.md describes it; `position_reader` reads it back. What a seat may not see (16.2) is not in its view, and so
not in the text.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.records.notation import action_text, bonus_text
from granada.rules.cells import NO_CELL, cell_text
from granada.rules.money import Card, cards_text
from granada.rules.options import SPACES
from granada.rules.player import Player
from granada.rules.state import Action, State
from granada.rules.tiles import ALHAMBRA_TYPES, KINDS, Tile
from granada.rules.view import View

FIRST_LINE: Final = "granada-position 1"
#: An empty space, or no score card.
NONE: Final = "-"
HIDDEN: Final = "hidden"
OPEN: Final = "open"
PARITIES: Final = ("even", "odd")
ACTIVE: Final = "active"
ASLEEP: Final = "asleep"


def position_text(view: View, actions: Sequence[Action]) -> str:
    """Return the text of a view that remembers the hands (16.1), and of the actions to choose from."""
    if not view.remembers:
        raise ValueError("only a view that remembers the hands is written as a position (16.1)")
    table = view.table
    lines = [FIRST_LINE, *_options(table), f"seat {view.seat + 1}", *_common(table)]
    for seat, player in enumerate(table.players):
        lines += _player(player, seat + 1, table)
    if table.dirk is not None:
        lines += [f"dirk_score {table.dirk.score}", _named("dirk_tiles", table.dirk.tiles)]
    lines += [f"action {action_text(action)}" for action in actions]
    return "\n".join(lines) + "\n"


def _options(table: State) -> list[str]:
    options = table.options
    lines = [
        f"edition {options.edition}",
        " ".join(["modules", *options.modules]),
        f"scoring {options.scoring}",
        f"players {options.players}",
        f"money {OPEN if options.open_money else HIDDEN}",
    ]
    if options.ages:
        lines.append(" ".join(["ages", *[str(age) for age in options.ages]]))
    return lines


def _common(table: State) -> list[str]:
    """Return the lines of the common parts of the table and of the progress of the game."""
    halves = len(table.options.kinds)
    deck = table.deck
    lines = [
        f"turn {table.turn + 1}",
        f"turns {table.turns}",
        f"played {table.n}",
        " ".join(["agenda", *[f"{task.step.word}:{task.seat + 1}" for task in table.tasks()]]),
        _named("tray", table.tray),
        " ".join(["announced", *table.announced]),
        f"marker {PARITIES[table.marker]}",
    ]
    if table.awards:
        lines.append(" ".join(["awards", *[f"{tile.name}:{seat + 1}" for seat, tile in table.awards]]))
    for space in range(SPACES):
        lines.append(_named(f"yard {space + 1}", table.yard[space * halves : (space + 1) * halves]))
    for kind, bag in zip(table.options.kinds, table.bags, strict=True):
        lines.append(_named(f"bag {KINDS[kind]}", bag))
    lines += [
        _cards("display", table.display),
        _cards("discards", tuple(table.discards)),
        _cards("deck", tuple(deck.pool)),
        _cards("deck_exchange", deck.exchange),
        *[f"pile {pile.size} {_card(pile.score)} {pile.exchange}" for pile in deck.piles],
        f"drawn {deck.drawn}",
        f"pending {_card(table.pending)}",
    ]
    for word, hut, pile in zip(ALHAMBRA_TYPES, table.huts, table.piles, strict=False):
        lines += [_named(f"hut {word}", [hut]), _named(f"huts_left {word}", pile)]
    return lines


def _player(player: Player, seat: int, table: State) -> list[str]:
    city = player.city
    starts = [NONE if start == NO_CELL else cell_text(start) for start in city.starts]
    tiles = [f"{tile.name}@{cell_text(place)}" for tile, place in zip(city.tiles(), city.places, strict=True)]
    lines = [
        f"score {seat} {player.score}",
        _cards(f"hand {seat}", player.hand()),
        " ".join([f"city {seat}", *tiles]),
        " ".join([f"starts {seat}", *starts]),
        _named(f"reserve {seat}", player.reserve),
    ]
    if player.vizier is not None:
        lines.append(f"vizier {seat} {ACTIVE if player.vizier else ASLEEP}")
    if "bonus" in table.options.modules:
        lines += [
            " ".join([f"bonus {seat}", *[bonus_text(card) for card in player.bonus]]),
            _named(f"bonus_seen {seat}", player.seen_bonus),
            _named(f"bonus_revealed {seat}", player.revealed),
        ]
    return lines


def _named(key: str, tiles: Sequence[Tile | None]) -> str:
    return " ".join([key, *[NONE if tile is None else tile.name for tile in tiles]])


def _cards(key: str, cards: tuple[Card, ...]) -> str:
    return f"{key} {cards_text(cards)}".rstrip()


def _card(card: Card | None) -> str:
    return NONE if card is None else card.name
