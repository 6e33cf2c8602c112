"""The visible information in a picture of a table (16), for a whole state or the view of one seat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from granada.drawing.speech import ENGLISH, Speech
from granada.drawing.words import counted, printable
from granada.rules.money import Card
from granada.rules.state import State
from granada.rules.view import View


def _hand(piece: State | View, seat: int) -> tuple[Card, ...] | None:
    return piece.hand(seat) if isinstance(piece, View) else piece.players[seat].hand()


class Shown:
    """A table with the visible hands, the sizes of all hands and of the deck, and the players' names."""

    def __init__(self, piece: State | View, names: Sequence[str] | None = None, speech: Speech = ENGLISH) -> None:
        self.table: Final = piece.table if isinstance(piece, View) else piece
        seats = range(len(self.table.players))
        self.hands: Final[list[tuple[Card, ...] | None]] = [_hand(piece, seat) for seat in seats]
        self.hand_sizes: Final = [
            piece.hand_sizes[seat] if isinstance(piece, View) else len(piece.players[seat].hand()) for seat in seats
        ]
        self.deck_size: Final = piece.deck_size if isinstance(piece, View) else len(piece.deck.cards())
        if names is not None and len(names) != len(self.hands):
            raise ValueError(f"{len(names)} names are given for {len(self.hands)} players (2.1)")
        self.names: Final = [
            printable(name) for name in names or [speech.say("picture.seat", n=seat + 1) for seat in seats]
        ]

    def heading(self) -> str:
        """Return what is played, and who has to decide."""
        table = self.table
        options = table.options
        parts = [options.edition.capitalize(), counted(len(self.names), "player") + (" and Dirk" if table.dirk else "")]
        if options.modules:
            parts.append(", ".join(options.modules))
        if options.scoring != "regular":
            parts.append(f"{options.scoring} scoring")
        parts.append(f"turn {table.turns}")
        parts.append("the game is over" if table.is_over else f"{self.names[table.seat]} decides")
        return " · ".join(parts)

    def marker(self) -> str:
        """1.10: return which faces of Granada tiles are dealt next."""
        return "odd" if self.table.marker else "even"

    def score_cards(self) -> str:
        """6.1: return the score cards to come."""
        cards = [pile.score.name for pile in self.table.deck.piles if pile.score is not None]
        if self.table.pending is not None:
            cards.append(self.table.pending.name)
        return " ".join(cards)
