"""Ratings of the bots from all games of the ladder, for docs/ladder.md and for the server."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from granada.arena.outcome import GameOutcome
from granada.arena.ratings import Rating, rate
from granada.arena.tournament import Tournament
from granada.bots import BOTS
from granada.bots.spec import Spec

#: Read by the server (`granada.tables.levels`).
RATINGS = Path(__file__).parent.parent / "src" / "granada" / "bots" / "ratings.json"
#: The lowest rating shown; lower ones would not be meaningful.
MIN_RATING = 100


def rate_all(played: Sequence[tuple[Tournament, Sequence[GameOutcome]]]) -> dict[str, Rating]:
    """Return the ratings of all players, over the games of all tournaments."""
    specs = list(dict.fromkeys([spec for tournament, _ in played for spec in tournament.players]))
    outcomes: list[GameOutcome] = []
    for tournament, own in played:
        for outcome in own:
            line_up = tuple([specs.index(tournament.players[number]) for number in outcome.pairing.line_up])
            outcomes.append(replace(outcome, pairing=replace(outcome.pairing, line_up=line_up)))
    return rate(specs, outcomes) or {}


def write_ratings(ratings: dict[str, Rating], path: Path = RATINGS) -> None:
    """Write the rating of each bot, with its largest budget up to one second."""
    best: dict[str, tuple[float, float]] = {}
    for spec, rating in ratings.items():
        parsed = Spec.parse(spec)
        seconds = parsed.seconds or 0.0
        if parsed.name in BOTS and seconds <= 1.0 and seconds >= best.get(parsed.name, (0.0, 0.0))[0]:
            best[parsed.name] = (seconds, rating.points)
    found = {name: max(MIN_RATING, round(best[name][1])) for name in BOTS if name in best}
    path.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8", newline="\n")
