"""Short tournaments for the tests."""

from __future__ import annotations

from pathlib import Path

from granada.arena.outcome import GameOutcome
from granada.arena.tournament import FIXED, Tournament
from granada.arena.workers import play_in_processes

#: The file with the bots that misbehave.
ODD = str(Path(__file__).with_name("odd_bots.py"))
#: Three fast, deterministic bots.
TRIO = Tournament(("random", "greedy", "random:2s"), "granada", ("vizier",), games=4, seed=5, rotate=True, paired=True)


def duel(player: str, rival: str = "random", games: int = 1, patience: float = 60.0) -> Tournament:
    """Return a tournament of an odd bot against another."""
    return Tournament((player, rival), seats=2, games=games, mode=FIXED, patience=patience, bot_files=(ODD,), seed=1)


def played(tournament: Tournament, jobs: int = 1) -> list[GameOutcome]:
    """Play all games and return them in order."""
    outcomes = play_in_processes(tournament, tournament.pairings(), jobs)
    return sorted(outcomes, key=lambda outcome: outcome.pairing.number)


def without_times(outcomes: list[GameOutcome]) -> list[GameOutcome]:
    """Return what must be the same in every run."""
    return [outcome.without_times() for outcome in outcomes]
