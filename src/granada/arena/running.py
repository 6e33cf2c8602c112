"""A tournament from its beginning, or from where it stopped, to its end."""

from __future__ import annotations

from collections.abc import Iterator

from granada.arena.on_ray import play_on_ray
from granada.arena.outcome import Outcome
from granada.arena.storing import Results
from granada.arena.workers import play_here


def run(
    results: Results, jobs: int | None = None, on_ray: bool = False, address: str | None = None
) -> Iterator[Outcome]:
    """Play what is missing in some results, and note it there; outcomes come as they are ready."""
    tournament = results.tournament
    missing = [pairing for pairing in tournament.pairings() if pairing.number not in results.outcomes]
    if not missing:
        return
    if on_ray:
        outcomes = play_on_ray(tournament, missing, jobs, address)
    else:
        outcomes = play_here(tournament, missing, jobs or 1)
    for outcome in outcomes:
        results.add(outcome)
        yield outcome
