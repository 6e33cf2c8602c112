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
from benchmarks.ladder_figures import Figures, Key
from benchmarks.ladder_ratings import rate_all
from benchmarks.ladder_told import Told
from benchmarks.ladder_tournaments import REMARKS, Entry, Wanted
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

    make ladder                                         play everything that is not stored yet, and write this page
    python benchmarks/ladder.py --only granada-doubling-0.2s --scale 0.1
    python benchmarks/ladder.py --list

Written by `benchmarks/ladder.py`; the tournaments and their targets are in `benchmarks/ladder_tournaments.py`. Seats
rotate, and everyone plays the same deals, each from every seat. Intervals are 95% intervals; those of win shares group
the games of a deal, because luck that everyone had cancels out ([arena.md](arena.md)). A fair share is one half with
two players and one third with three. The target for each level is to win 65% against the one below; for strongest
against plain search, which has the same time, it is more than half.

Games with a time budget cannot be reproduced, so they are kept in `benchmarks/ladder_games`; others can be played
again. For games that are no longer stored, the win shares are kept (`docs/ladder/figures.json`) and still count. Their
sections stay unchanged, and so do the ratings until all games are stored again.
"""


def write_report(docs: Path, folder: Path, entries: Sequence[Entry]) -> dict[str, Rating]:
    """Write everything that is known; returns the ratings, if all games that count are here."""
    pictures = docs / "ladder"
    pictures.mkdir(parents=True, exist_ok=True)
    told, figures = Told(docs), Figures(pictures / "figures.json")
    here = {entry.name: standings for entry in entries if (standings := _standings(entry, folder, told)) is not None}
    today = datetime.now(UTC).date().isoformat()
    for entry in entries:
        if entry.name in here:
            for wanted in entry.wanted:
                key = Key(entry.name, str(wanted), entry.tournament.seed)
                figures.note(key, _figure(here[entry.name], wanted), today)
    figures.write()
    known = [entry for entry in entries if entry.name in here or entry.name in told.sections]
    lines = [HEAD, _circumstances(figures), ""]
    lines += ["## Targets", "", *_wanted(known, figures), ""]
    lines += _together(known, figures)
    lines += [*(_times(here.values()) or [told.times]), ""]
    ratings = rate_all([(one.tournament, one.outcomes) for one in here.values()]) if len(here) == len(known) else {}
    lines += [*(["## Ratings", "", *_ratings(ratings, pictures)] if ratings else [told.ratings]), ""]
    for set_up in dict.fromkeys([entry.tournament.edition for entry in known]):
        own = [entry for entry in known if entry.tournament.edition == set_up]
        lines += [f"## {set_up.capitalize()}, modules {', '.join(own[0].tournament.modules)}", ""]
        lines += _overview(set_up, own, figures, pictures)
        for entry in own:
            if entry.name in here:
                is_old = has_other_bots(str(folder / f"{entry.name}.jsonl"))
                lines += _section(entry, here[entry.name], figures, pictures, is_old)
            else:
                lines += [told.sections[entry.name], ""]
    few = [entry for entry in known if entry.name not in here and told.has_fewer(entry.name, entry.tournament)]
    if few:
        lines += ["## Fewer games than planned", "", ", ".join([entry.name for entry in few]), ""]
    missing = [entry.name for entry in entries if entry not in known]
    if missing:
        lines += ["## Not played yet", "", ", ".join(missing), ""]
    (docs / "ladder.md").write_text("\n".join(lines), encoding="utf-8", newline="\n")
    return ratings


def _times(standings: Iterable[Standings]) -> list[str]:
    """How long each bot thought in all games that are here."""
    thinking: dict[str, Thinking] = {}
    for one in standings:
        for standing in one.entrants:
            thinking.setdefault(standing.spec, Thinking()).join(standing.thinking)
    rows = report_rows.times_of([(spec, found, budget_of(spec)) for spec, found in thinking.items()])
    told = (
        "In all stored games. The targets are 10 ms on average for the levels below search, and at most 120% of a"
        " budget. The sections of the tournaments say what else was running on the machine when a budget was exceeded."
    )
    return ["## Time per decision", "", told, "", *_markdown(rows)] if thinking else []


def _ratings(ratings: dict[str, Rating], pictures: Path) -> list[str]:
    """All games together, whatever the set-up and the number of players."""
    rows = [["bot", "rating", "95 %"]]
    for spec, rating in sorted(ratings.items(), key=lambda one: -one[1].points):
        rows.append([spec, f"{rating.points:.0f}", f"± {rating.spread:.0f}"])
    told = "From all games above (openskill, Plackett-Luce; 400 points mean ten wins to one)."
    title = "Rating by budget, with 95 % intervals"
    curves = budget_curves([rated(spec, rating) for spec, rating in ratings.items()])
    budgets = plot_curves(curves, title, "budgets")
    return [told, "", *_markdown(rows), *(["", *_picture(budgets, "budgets", title, pictures)] if budgets else [])]


def _standings(entry: Entry, folder: Path, told: Told) -> Standings | None:
    """The figures of what is stored of a tournament, however many games that are, unless more are told of."""
    path = folder / f"{entry.name}.jsonl"
    if not path.exists():
        return None
    try:
        tournament, outcomes = read_results(str(path))
    except BadResults as error:
        print(f"{entry.name} is left out: {error}", file=sys.stderr)
        return None
    # The first line keeps the number of games of the first run; later ones may have added to them.
    lines_up = tournament.size // tournament.games
    tournament = replace(tournament, games=max(1, len(outcomes) // lines_up))
    if not is_same(tournament, entry.tournament):
        why = difference(tournament, entry.tournament)
        print(f"{entry.name} is left out: another tournament is stored under this name: {why}", file=sys.stderr)
        return None
    if not outcomes:
        return None
    try:
        standings = Standings(tournament, tournament.prepare(), outcomes)
    except BadOptions as error:
        print(f"{entry.name} is left out: {error}", file=sys.stderr)
        return None
    if told.has_more(entry.name, tournament):
        print(f"{entry.name} is left as it is: the document tells of more games than are stored", file=sys.stderr)
        return None
    return standings


def _circumstances(figures: Figures) -> str:
    days = figures.days() or ["never"]
    played = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    rules = "compiled" if granada.is_compiled() else "interpreted"
    return (
        f"Played {played}; granada {granada.__version__}, rules {rules}, Python {platform.python_version()},"
        f" {os.cpu_count()} cores, {platform.machine()}, {platform.system()}."
    )


#: The columns of what is wanted, after the name.
_COLUMNS = ("target", "at least", "interval above", "result", "95 % interval", "games", "met")


def _wanted(entries: Sequence[Entry], figures: Figures) -> list[str]:
    rows = [["tournament", *_COLUMNS]]
    for entry, wanted, share in _shares(entries, figures):
        rows.append([entry.name, *_row(wanted, share)])
    return _markdown(rows)


def _together(entries: Sequence[Entry], figures: Figures) -> list[str]:
    """The same for what is wanted in several editions, or with several budgets: every game counts alike."""
    same: dict[tuple[str, float, float], list[tuple[Entry, Wanted, Share]]] = {}
    for entry, wanted, share in _shares(entries, figures):
        if wanted.rival is None and share.games:
            same.setdefault((entry.kind, wanted.at_least, wanted.surely), []).append((entry, wanted, share))
    rows = [["tournaments", "editions", *_COLUMNS]]
    for (kind, _, _), alike in same.items():
        if len(alike) > 1:
            players = dict.fromkeys([wanted.player for _, wanted, _ in alike])
            editions = dict.fromkeys([entry.tournament.edition for entry, _, _ in alike])
            everybody = replace(alike[0][1], player=" or ".join(players))
            rows.append([kind, ", ".join(editions), *_row(everybody, together([share for _, _, share in alike]))])
    return ["## Targets, combined", "", *_markdown(rows), ""] if len(rows) > 1 else []


def _shares(entries: Sequence[Entry], figures: Figures) -> list[tuple[Entry, Wanted, Share]]:
    """All that is wanted, with what was found."""
    pairs = [(entry, wanted, figures.share(entry.name, str(wanted))) for entry in entries for wanted in entry.wanted]
    return [(entry, wanted, share) for entry, wanted, share in pairs if share is not None]


def _row(wanted: Wanted, found: Share) -> list[str]:
    surely = _percent(wanted.surely) if wanted.surely else ""
    told = [str(wanted), _percent(wanted.at_least), surely, _percent(found.share), _interval(found)]
    return [*told, str(found.games), _verdict(wanted, found.share, found.interval)]


def _figure(standings: Standings, wanted: Wanted) -> Share:
    if wanted.rival is not None:
        return share_of(standings.meeting(wanted.player, wanted.rival).by_deal)
    return share_of(list(standings.of(wanted.player).wins_by_deal.values()))


def _verdict(wanted: Wanted, share: float, interval: Interval) -> str:
    low, high = interval
    if share >= wanted.at_least:
        if low <= wanted.surely:
            return "the share is, but the interval is too wide: more games needed"
        return "yes" if low >= wanted.at_least else "yes, but not with certainty"
    return "no, but within the interval" if high >= wanted.at_least else "**no**"


def _overview(set_up: str, entries: Sequence[Entry], figures: Figures, pictures: Path) -> list[str]:
    """One plot of all that is wanted of a set-up."""
    levels: list[Estimate] = []
    for entry, wanted, found in _shares(entries, figures):
        low, high = found.interval
        name = f"{', '.join(entry.tournament.players)}" if wanted.rival is None else str(wanted)
        levels.append(Estimate(name, 100 * found.share, 100 * low, 100 * high, _percent(found.share)))
    if not levels:
        return []
    title = f"{set_up.capitalize()}: win share of the first, in percent"
    return _picture(plot_levels(levels, title, f"{set_up}-overview"), f"{set_up}-overview", title, pictures)


def _section(entry: Entry, standings: Standings, figures: Figures, pictures: Path, is_old: bool) -> list[str]:
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
    for wanted in entry.wanted:
        for seed, other in figures.by_seed(entry.name, str(wanted)).items():
            if seed != standings.tournament.seed:
                games = f"of {other.games} games ({_interval(other)})"
                lines += [
                    f"In addition, with seed {seed} and the bots of the time: {wanted} {_percent(other.share)} {games}."
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
