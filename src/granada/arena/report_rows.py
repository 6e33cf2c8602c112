"""The results of a tournament as rows of text, for the terminal, the HTML report and Markdown documents."""

from __future__ import annotations

from collections.abc import Iterable
from shlex import quote
from statistics import fmean
from typing import Final

from granada.arena.outcome import FINISHED, FORFEIT, STOPPED, VOID, Thinking
from granada.arena.standings import Interval, Standings
from granada.arena.tournament import FIXED, Tournament
from granada.rules.scoring import SCORINGS

#: The most reasons of forfeited and void games that are listed.
MOST_REASONS: Final = 10
#: A table: the first row has the column heads, the first column the row heads.
Rows = list[list[str]]


def heading(tournament: Tournament) -> str:
    """Return what is played, on one line."""
    parts = [tournament.edition.capitalize()]
    if tournament.modules:
        parts.append(f"modules {', '.join(tournament.modules)}")
    parts.append(f"{tournament.scoring} scoring")
    parts.append(f"{tournament.seats} players {'at one table' if tournament.mode == FIXED else 'in a round-robin'}")
    if tournament.rotate:
        parts.append("seats rotated")
    if tournament.paired:
        parts.append("same deals for all")
    return ", ".join([*parts, f"seed {tournament.seed}"])


def command(tournament: Tournament) -> str:
    """Return the command that plays the tournament."""
    standard = Tournament(())
    words = ["granada arena", f"--players {','.join(tournament.players)}"]
    words += [f"--{key} {value}" for key, value in (("edition", tournament.edition), ("mode", tournament.mode))]
    if tournament.modules:
        words.append(f"--modules {','.join(tournament.modules)}")
    if tournament.scoring != standard.scoring:
        words.append(f"--scoring {tournament.scoring}")
    if tournament.mode != FIXED:
        words.append(f"--seats {tournament.seats}")
    words.append(f"--games {tournament.games} --seed {tournament.seed}")
    words += [f"--{key}" for key in ("rotate", "paired") if getattr(tournament, key)]
    if tournament.max_turns != standard.max_turns:
        words.append(f"--max-turns {tournament.max_turns}")
    if tournament.patience != standard.patience:
        words.append(f"--patience {tournament.patience:g}")
    for key, values in (("bot-file", tournament.bot_files), ("bot-program", tournament.bot_programs)):
        words += [f"--{key} {quote(value)}" for value in values]
    for key, file in (("granada-tiles", tournament.granada_tiles), ("huts", tournament.huts)):
        words += [f"--{key} {quote(file)}"] if file else []
    return " ".join(words)


def summary(standings: Standings) -> str:
    """Return how the games ended, on one line."""
    ends = standings.ends
    size = standings.tournament.size
    parts = [f"{standings.games}{f' of {size}' if standings.games < size else ''} game{'' if size == 1 else 's'}"]
    parts += [f"{ends[end]} {word}" for end, word in ((STOPPED, "unfinished"), (FORFEIT, "forfeited"), (VOID, "void"))]
    return ", ".join([*parts, f"{fmean(standings.turns) if ends[FINISHED] else 0:.1f} turns a game"])


def shares(standings: Standings) -> Rows:
    """Return wins, points and ratings, best entrant first."""
    is_paired = standings.tournament.paired
    rows = [["", "games", "wins", "share", "95 % interval", *(["by deals"] if is_paired else []), "points", "margin"]]
    rows[0] += ["± 95 %", *(["rating", "± 95 %"] if standings.is_rated else [])]
    for one in standings.ladder:
        row = [one.spec, str(one.games), f"{one.wins:.1f}", f"{100 * one.share:.1f} %", _percent(one.interval)]
        if is_paired:
            row.append(_percent(one.interval_by_deal))
        row += [f"{one.points():.1f}", f"{one.margin():+.1f}", _half_width(one.margin_interval)]
        if one.rating is not None:
            row += [f"{one.rating.points:.0f}", f"± {one.rating.spread:.0f}"]
        rows.append(row)
    return rows


def _percent(interval: Interval) -> str:
    return f"{100 * interval[0]:.1f} – {100 * interval[1]:.1f} %"


def _half_width(interval: Interval | None) -> str:
    return "-" if interval is None else f"± {(interval[1] - interval[0]) / 2:.1f}"


def matrix(standings: Standings) -> Rows:
    """Return how often each entrant was ahead of each other."""
    ladder = standings.ladder
    rows = [["ahead of", *[rival.spec for rival in ladder]]]
    for one in ladder:
        met = [standings.meeting(one.spec, rival.spec) for rival in ladder]
        rows.append([one.spec, *[f"{100 * m.share:.1f} %" if m.games else "-" for m in met]])
    return rows


def points(standings: Standings) -> Rows:
    """Return mean points and margins by item, and points by scoring."""
    ladder = standings.ladder
    rows = [["points (margin)", *[one.spec for one in ladder]]]
    for items in (*[[item] for item in standings.items], standings.items):
        label = items[0] if len(items) == 1 else "total"
        rows.append([label, *[f"{one.points(items=items):.1f} ({one.margin(items):+.1f})" for one in ladder]])
    for scoring in SCORINGS:
        rows.append([f"scoring {scoring}", *[f"{one.points([scoring]):.1f}" for one in ladder]])
    return rows


def times(standings: Standings) -> Rows:
    """Return how long the bots thought, and how that compares with their budgets."""
    return times_of([(one.spec, one.thinking, one.budget) for one in standings.ladder])


def times_of(thinkers: Iterable[tuple[str, Thinking, float | None]]) -> Rows:
    """Return the same for specs with their times and budgets."""
    rows = [["time a decision", "decisions", "mean", "95 %", "longest", "budget", "beyond 120 %", "mean", "worst"]]
    for spec, thinking, budget in thinkers:
        mean = thinking.seconds / thinking.decisions if thinking.decisions else 0.0
        row = [spec, str(thinking.decisions)]
        row += [_time(mean), _time(thinking.percentile(0.95)), _time(thinking.longest)]
        is_limited = _has_budget(spec, thinking, budget)
        row += [_time(budget) if is_limited else "-"]
        if thinking.late:
            row += [f"{100 * thinking.late / thinking.decisions:.2f} %", f"+{_time(thinking.excess / thinking.late)}"]
            row += [f"+{_time(thinking.worst)}"]
        else:
            row += ["never" if is_limited else "-", "-", "-"]
        rows.append(row)
    return rows


def _has_budget(spec: str, thinking: Thinking, budget: float | None) -> bool:
    """Return whether a time budget is worth showing: it was asked for, or the bot used much of it."""
    return budget is not None and (":" in spec or thinking.longest > budget / 2)


def _time(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    if seconds < 0.001:
        return f"{1e6 * seconds:.0f} µs"
    return f"{1000 * seconds:.1f} ms" if seconds < 1 else f"{seconds:.2f} s"


def faults(standings: Standings) -> list[str]:
    """Return why games were forfeited or void."""
    lines: list[str] = []
    for (player, reason), games in list(standings.faults.items())[:MOST_REASONS]:
        times = f"{games} game{'' if games == 1 else 's'}"
        lines.append(f"{player} lost {times}: {reason}" if player is not None else f"{times} void: {reason}")
    if len(standings.faults) > MOST_REASONS:
        lines.append(f"… and {len(standings.faults) - MOST_REASONS} other reasons")
    return lines
