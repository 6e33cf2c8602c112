"""Tournaments for the tests: short ones."""

from __future__ import annotations

from pathlib import Path

from granada.arena.outcome import GameOutcome
from granada.arena.tournament import FIXED, Tournament
from granada.arena.workers import play_here

#: The file with the bots that misbehave.
ODD = str(Path(__file__).with_name("odd_bots.py"))
#: Three quick bots that are always the same.
TRIO = Tournament(("random", "greedy", "random:2s"), "granada", ("vizier",), games=4, seed=5, rotate=True, paired=True)


def duel(player: str, rival: str = "random", games: int = 1, patience: float = 60.0) -> Tournament:
    """A bot of the odd ones against another, at one table."""
    return Tournament((player, rival), seats=2, games=games, mode=FIXED, patience=patience, bot_files=(ODD,), seed=1)


def played(tournament: Tournament, jobs: int = 1) -> list[GameOutcome]:
    """All games, in their order."""
    outcomes = play_here(tournament, tournament.pairings(), jobs)
    return sorted(outcomes, key=lambda outcome: outcome.pairing.number)


def without_times(outcomes: list[GameOutcome]) -> list[GameOutcome]:
    """What has to be the same whenever and wherever it is played."""
    return [outcome.without_times() for outcome in outcomes]
