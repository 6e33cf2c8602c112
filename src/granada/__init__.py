"""Granada: Dirk Henn's board games Alhambra and Granada as one exact rules library.

>>> import random
>>> import granada
>>> luck = granada.Luck(random.Random(7))
>>> state = granada.new_game(granada.Options("granada", players=3), luck)
>>> action = next(iter(state.legal_actions))
>>> granada.action_text(action)
'take b4'
>>> events = state.play(action, luck)
>>> state.is_legal(granada.parse_action("take y9"))
Verdict('3.2', 'display', 'y9 is not on the display')
"""

from granada.records.lines import RecordLines
from granada.records.luck import Luck
from granada.records.notation import action_text, event_text, parse_action
from granada.records.playout import MAX_TURNS, play_at_random
from granada.records.record import Record, RecordError
from granada.records.replay import Replay, replay
from granada.rules import pictures
from granada.rules.acting import Buy, Pass, Take
from granada.rules.bonus import Keep, Reveal
from granada.rules.cells import cell, x_of, y_of
from granada.rules.chance import Chance
from granada.rules.city import City, new_city
from granada.rules.components import Components, load, standard, tile
from granada.rules.errors import BadComponents, BadOptions, IllegalAction, NotationError
from granada.rules.events import (
    DIRK,
    NOBODY,
    Acted,
    Awarded,
    BonusDealt,
    Dealt,
    DirkDrew,
    Displayed,
    Ended,
    Event,
    HutTurnedUp,
    Reshuffled,
    Row,
    Scored,
    Started,
    YardFilled,
)
from granada.rules.huts import TakeHut
from granada.rules.lawful import is_lawful
from granada.rules.leftovers import standings, winners
from granada.rules.money import Card, card, cards
from granada.rules.options import Options
from granada.rules.placing import Give, Place, Reserve
from granada.rules.player import Player
from granada.rules.rebuilding import Add, Remove, Swap
from granada.rules.scoring import score_rows
from granada.rules.setup import new_game
from granada.rules.state import Action, State
from granada.rules.tiles import Tile
from granada.rules.verdict import Verdict
from granada.rules.view import View
from granada.rules.vizier import Decline, UseVizier, Wake

__version__ = "0.1.0"

__all__ = [
    "DIRK",
    "MAX_TURNS",
    "NOBODY",
    "Acted",
    "Action",
    "Add",
    "Awarded",
    "BadComponents",
    "BadOptions",
    "BonusDealt",
    "Buy",
    "Card",
    "Chance",
    "City",
    "Components",
    "Dealt",
    "Decline",
    "DirkDrew",
    "Displayed",
    "Ended",
    "Event",
    "Give",
    "HutTurnedUp",
    "IllegalAction",
    "Keep",
    "Luck",
    "NotationError",
    "Options",
    "Pass",
    "Place",
    "Player",
    "Record",
    "RecordError",
    "RecordLines",
    "Remove",
    "Replay",
    "Reserve",
    "Reshuffled",
    "Reveal",
    "Row",
    "Scored",
    "Started",
    "State",
    "Swap",
    "Take",
    "TakeHut",
    "Tile",
    "UseVizier",
    "Verdict",
    "View",
    "Wake",
    "YardFilled",
    "action_text",
    "card",
    "cards",
    "cell",
    "event_text",
    "is_compiled",
    "is_lawful",
    "load",
    "new_city",
    "new_game",
    "parse_action",
    "play_at_random",
    "replay",
    "score_rows",
    "standard",
    "standings",
    "tile",
    "winners",
    "x_of",
    "y_of",
]


def is_compiled() -> bool:
    """Return whether the rules were compiled with mypyc."""
    from granada.rules import state

    return not state.__file__.endswith((".py", ".pyc"))  # a page has bytecode without sources


def _paint(piece: object) -> str:
    from granada.drawing import paint  # imported late: only notebooks need it, and the artwork is large

    return paint(piece)


pictures.use_painter(_paint)
