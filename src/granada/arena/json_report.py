"""The results of a tournament as plain data, for JSON (docs/arena.schema.json)."""

from __future__ import annotations

from statistics import fmean
from typing import Any

from granada.arena.standings import EntrantStanding, Standings
from granada.rules.scoring import SCORINGS


def as_data(standings: Standings, is_mixed: bool = False) -> dict[str, Any]:
    """Return all results; `is_mixed` means that some games were played by other versions of the bots."""
    tournament = standings.tournament
    names = tournament.entrants
    return {
        "tournament": {**tournament.as_data(), "size": tournament.size},
        "games": standings.games,
        "ends": dict(standings.ends),
        "mean_turns": fmean(standings.turns) if standings.turns else 0.0,
        "is_rated": standings.is_rated,
        "is_mixed": is_mixed,
        "entrants": [_entrant(standings, one) for one in standings.entrants],
        "meetings": [_meeting(standings, one, rival) for one in names for rival in names if one != rival],
        "faults": [
            {"player": player, "reason": reason, "games": games} for (player, reason), games in standings.faults.items()
        ],
    }


def _meeting(standings: Standings, spec: str, rival: str) -> dict[str, Any]:
    met = standings.meeting(spec, rival)
    return {
        "player": spec,
        "rival": rival,
        "games": met.games,
        "ahead": met.ahead,
        "share": met.share,
        "share_95": list(met.interval),
    }


def _entrant(standings: Standings, one: EntrantStanding) -> dict[str, Any]:
    margin_95 = one.margin_interval
    rating, thinking = one.rating, one.thinking
    return {
        "player": one.spec,
        "games": one.games,
        "wins": one.wins,
        "share": one.share,
        "share_95": list(one.interval),
        "share_95_by_deal": list(one.interval_by_deal),
        "forfeits": one.forfeits,
        "mean_points": one.points(),
        "points": {item: one.points(items=[item]) for item in one.items},
        "points_by_scoring": {
            scoring: {item: one.points([scoring], [item]) for item in one.items} for scoring in SCORINGS
        },
        "margin": one.margin(),
        "margin_95": None if margin_95 is None else list(margin_95),
        "margins": {item: one.margin([item]) for item in one.items},
        "rating": None
        if rating is None
        else {"mu": rating.mu, "sigma": rating.sigma, "points": rating.points, "spread_95": rating.spread},
        "thinking": {
            "budget": one.budget,
            "decisions": thinking.decisions,
            "mean": thinking.seconds / thinking.decisions if thinking.decisions else 0.0,
            "p95": thinking.percentile(0.95),
            "longest": thinking.longest,
            "late": thinking.late,
            "late_share": thinking.late / thinking.decisions if thinking.decisions else 0.0,
            "mean_excess": thinking.excess / thinking.late if thinking.late else 0.0,
            "worst_excess": thinking.worst,
        },
    }
