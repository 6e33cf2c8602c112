"""Write docs/ladder.md and its plots from the stored results."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import granada
from benchmarks.ladder_history import Key, PreviousReport, WinShares
from benchmarks.ladder_ratings import rate_all
from benchmarks.ladder_tournaments import REMARKS, Entry, Target
from granada.arena import report_rows
from granada.arena.intervals import Share, share_of, together
from granada.arena.outcome import Thinking
from granada.arena.plots import Estimate, budget_curves, plot_curves, plot_ladder, plot_levels, plot_matrix, rated
from granada.arena.ratings import Rating
from granada.arena.results import BadResults, difference, has_other_bots, is_same, read_results
from granada.arena.standings import Interval, Standings
from granada.arena.tournament import budget_of
from granada.rules.errors import BadOptions

HEAD = """# The ladder

```sh
make ladder     # play everything that is not stored yet, and write this page
python benchmarks/ladder.py --only granada-doubling-0.2s --scale 0.1
python benchmarks/ladder.py --list
```

Written by `benchmarks/ladder.py`; the tournaments and their targets are in `benchmarks/ladder_tournaments.py`. Seats
rotate, and everyone plays the same deals, each from every seat. Intervals are 95% intervals; those of win shares group
the games of a deal, because luck that everyone had cancels out ([arena.md](arena.md)). A fair share is one half with
two players and one third with three. The target for each level is to win 65% against the one below; for strongest
against plain search, which has the same time, it is more than half.

Games with a time budget cannot be reproduced, so they are kept in `benchmarks/ladder_games`; others can be played
again. For games that are no longer stored, the win shares are kept (`docs/ladder/figures.json`) and still count. Their
sections stay unchanged, and so do the ratings until all games are stored again.

The apprentice, a trained policy, is not listed here: [learning.md](learning.md#the-apprentice) has its rank among these
bots.
"""


def write_report(docs: Path, folder: Path, entries: Sequence[Entry]) -> dict[str, Rating]:
    """Write the report; returns the ratings if all games that count are stored."""
    pictures = docs / "ladder"
    pictures.mkdir(parents=True, exist_ok=True)
    previous, history = PreviousReport(docs), WinShares(pictures / "figures.json")
    stored = {entry.name: found for entry in entries if (found := _standings(entry, folder, previous)) is not None}
    today = datetime.now(UTC).date().isoformat()
    for entry in entries:
        if entry.name in stored:
            for target in entry.targets:
                key = Key(entry.name, str(target), entry.tournament.seed)
                history.add(key, _share(stored[entry.name], target), today)
    history.write()
    known = [entry for entry in entries if entry.name in stored or entry.name in previous.sections]
    lines = [HEAD, _circumstances(history), ""]
    lines += ["## Targets", "", *_targets(known, history), ""]
    lines += _combined_targets(known, history)
    lines += [*(_times(stored.values()) or [previous.times]), ""]
    ratings = rate_all([(one.tournament, one.outcomes) for one in stored.values()]) if len(stored) == len(known) else {}
    lines += [*(["## Ratings", "", *_ratings(ratings, pictures)] if ratings else [previous.ratings]), ""]
    for set_up in dict.fromkeys([entry.tournament.edition for entry in known]):
        own = [entry for entry in known if entry.tournament.edition == set_up]
        lines += [f"## {set_up.capitalize()}, modules {', '.join(own[0].tournament.modules)}", ""]
        lines += _overview(set_up, own, history, pictures)
        for entry in own:
            if entry.name in stored:
                is_old = has_other_bots(str(folder / f"{entry.name}.jsonl"))
                lines += _section(entry, stored[entry.name], history, pictures, is_old)
            else:
                lines += [previous.sections[entry.name], ""]
    few = [entry for entry in known if entry.name not in stored and previous.has_fewer(entry.name, entry.tournament)]
    if few:
        lines += ["## Fewer games than planned", "", ", ".join([entry.name for entry in few]), ""]
    missing = [entry.name for entry in entries if entry not in known]
    if missing:
        lines += ["## Not played yet", "", ", ".join(missing), ""]
    (docs / "ladder.md").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return ratings


def _times(standings: Iterable[Standings]) -> list[str]:
    """Return the thinking times of each bot in all stored games."""
    thinking: dict[str, Thinking] = {}
    for one in standings:
        for standing in one.entrants:
            thinking.setdefault(standing.spec, Thinking()).join(standing.thinking)
    rows = report_rows.times_of([(spec, found, budget_of(spec)) for spec, found in thinking.items()])
    text = (
        "In all stored games. The targets are 10 ms on average for the levels below search, and at most 120% of a"
        " budget. The sections of the tournaments say what else was running on the machine when a budget was exceeded."
    )
    return ["## Time per decision", "", text, "", *_markdown(rows)] if thinking else []


def _ratings(ratings: dict[str, Rating], pictures: Path) -> list[str]:
    """Return the ratings over all set-ups and numbers of players."""
    rows = [["bot", "rating", "95 %"]]
    for spec, rating in sorted(ratings.items(), key=lambda one: -one[1].points):
        rows.append([spec, f"{rating.points:.0f}", f"± {rating.spread:.0f}"])
    text = "From all games above (openskill, Plackett-Luce; 400 points mean ten wins to one)."
    title = "Rating by budget, with 95 % intervals"
    curves = budget_curves([rated(spec, rating) for spec, rating in ratings.items()])
    budgets = plot_curves(curves, title, "budgets")
    return [text, "", *_markdown(rows), *(["", *_picture(budgets, "budgets", title, pictures)] if budgets else [])]


def _standings(entry: Entry, folder: Path, previous: PreviousReport) -> Standings | None:
    """Return the standings of the stored games; None if there are none, or the previous report has more."""
    path = folder / f"{entry.name}.jsonl"
    if not path.exists():
        return None
    try:
        tournament, outcomes = read_results(str(path))
    except BadResults as error:
        print(f"{entry.name} is skipped: {error}", file=sys.stderr)
        return None
    # The first line has the number of games of the first run; later runs may have added more.
    lines_up = tournament.size // tournament.games
    tournament = replace(tournament, games=max(1, len(outcomes) // lines_up))
    if not is_same(tournament, entry.tournament):
        why = difference(tournament, entry.tournament)
        print(f"{entry.name} is skipped: another tournament is stored under this name: {why}", file=sys.stderr)
        return None
    if not outcomes:
        return None
    try:
        standings = Standings(tournament, tournament.prepare(), outcomes)
    except BadOptions as error:
        print(f"{entry.name} is skipped: {error}", file=sys.stderr)
        return None
    if previous.has_more(entry.name, tournament):
        print(f"{entry.name} is left unchanged: the report has more games than are stored", file=sys.stderr)
        return None
    return standings


def _circumstances(history: WinShares) -> str:
    days = history.days() or ["never"]
    played = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    rules = "compiled" if granada.is_compiled() else "interpreted"
    return (
        f"Played {played}; granada {granada.__version__}, rules {rules}, Python {platform.python_version()},"
        f" {os.cpu_count()} cores, {platform.machine()}, {platform.system()}."
    )


#: The columns of the tables of targets, after the name.
_COLUMNS = ("target", "at least", "interval above", "result", "95 % interval", "games", "met")


def _targets(entries: Sequence[Entry], history: WinShares) -> list[str]:
    rows = [["tournament", *_COLUMNS]]
    for entry, target, share in _shares(entries, history):
        rows.append([entry.name, *_row(target, share)])
    return _markdown(rows)


def _combined_targets(entries: Sequence[Entry], history: WinShares) -> list[str]:
    """Return targets that several editions or budgets share, over all their games."""
    same: dict[tuple[str, float, float], list[tuple[Entry, Target, Share]]] = {}
    for entry, target, share in _shares(entries, history):
        if target.rival is None and share.games:
            same.setdefault((entry.kind, target.at_least, target.above), []).append((entry, target, share))
    rows = [["tournaments", "editions", *_COLUMNS]]
    for (kind, _, _), same_kind in same.items():
        if len(same_kind) > 1:
            players = dict.fromkeys([target.player for _, target, _ in same_kind])
            editions = dict.fromkeys([entry.tournament.edition for entry, _, _ in same_kind])
            combined = replace(same_kind[0][1], player=" or ".join(players))
            rows.append([kind, ", ".join(editions), *_row(combined, together([share for _, _, share in same_kind]))])
    return ["## Targets, combined", "", *_markdown(rows), ""] if len(rows) > 1 else []


def _shares(entries: Sequence[Entry], history: WinShares) -> list[tuple[Entry, Target, Share]]:
    """Return all targets with their win shares."""
    pairs = [(entry, target, history.share(entry.name, str(target))) for entry in entries for target in entry.targets]
    return [(entry, target, share) for entry, target, share in pairs if share is not None]


def _row(target: Target, found: Share) -> list[str]:
    above = _percent(target.above) if target.above else ""
    cells = [str(target), _percent(target.at_least), above, _percent(found.share), _interval(found)]
    return [*cells, str(found.games), _verdict(target, found.share, found.interval)]


def _share(standings: Standings, target: Target) -> Share:
    if target.rival is not None:
        return share_of(standings.meeting(target.player, target.rival).by_deal)
    return share_of(list(standings.of(target.player).wins_by_deal.values()))


def _verdict(target: Target, share: float, interval: Interval) -> str:
    low, high = interval
    if share >= target.at_least:
        if low <= target.above:
            return "the share is, but the interval is too wide: more games needed"
        return "yes" if low >= target.at_least else "yes, but not with certainty"
    return "no, but within the interval" if high >= target.at_least else "**no**"


def _overview(set_up: str, entries: Sequence[Entry], history: WinShares, pictures: Path) -> list[str]:
    """Return a plot of all targets of a set-up."""
    levels: list[Estimate] = []
    for entry, target, found in _shares(entries, history):
        low, high = found.interval
        name = f"{', '.join(entry.tournament.players)}" if target.rival is None else str(target)
        levels.append(Estimate(name, 100 * found.share, 100 * low, 100 * high, _percent(found.share)))
    if not levels:
        return []
    title = f"{set_up.capitalize()}: win share of the first, in percent"
    return _picture(plot_levels(levels, title, f"{set_up}-overview"), f"{set_up}-overview", title, pictures)


def _section(entry: Entry, standings: Standings, history: WinShares, pictures: Path, is_old: bool) -> list[str]:
    lines = [
        f"### {entry.name}",
        "",
        f"`{report_rows.command(standings.tournament)}`",
        "",
        f"{report_rows.summary(standings)}.",
        "",
    ]
    lines += ["**The bots have changed since these games were started.**", ""] if is_old else []
    lines += [REMARKS[entry.name], ""] if entry.name in REMARKS else []
    for target in entry.targets:
        for seed, other in history.by_seed(entry.name, str(target)).items():
            if seed != standings.tournament.seed:
                games = f"of {other.games} games ({_interval(other)})"
                lines += [
                    f"In addition, with seed {seed} and the bots of the time: {target} {_percent(other.share)} {games}."
                    " The table of targets counts both.",
                    "",
                ]
    lines += [*_markdown(report_rows.shares(standings)), ""]
    if len(standings.entrants) > 2:
        lines += _picture(plot_ladder(standings, entry.name), entry.name, "Ratings", pictures)
        matrix = f"{entry.name}-matrix"
        lines += _picture(plot_matrix(standings, matrix), matrix, "Who is ahead of whom", pictures)
    lines += [*_markdown(report_rows.times(standings)), ""]
    lines += [f"- {line}" for line in report_rows.faults(standings)]
    return [*lines, ""] if lines[-1] else lines


def _picture(svg: str, name: str, title: str, pictures: Path) -> list[str]:
    (pictures / f"{name}.svg").write_text(svg, encoding="utf-8", newline="\n")
    return [f"![{title}](ladder/{name}.svg)", ""]


def _markdown(rows: Sequence[Sequence[str]]) -> list[str]:
    head, *others = [f"| {' | '.join(row)} |" for row in rows]
    return [head, f"|---|{'---:|' * (len(rows[0]) - 1)}", *others]


def _percent(part: float) -> str:
    return f"{100 * part:.1f} %"


def _interval(found: Share) -> str:
    low, high = found.interval
    return f"{_percent(low)} – {_percent(high)}"
