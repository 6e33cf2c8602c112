"""The report of a tournament: one self-contained HTML page without scripts."""

from __future__ import annotations

from html import escape
from typing import Final

from granada import __version__
from granada.arena import report_rows
from granada.arena.plots import plot_budgets, plot_ladder, plot_matrix, plot_points
from granada.arena.report_rows import Rows
from granada.arena.standings import Standings

_STYLE: Final = """
:root {
  color-scheme: light dark;
  --ground: #f5f5f2; --panel: #ffffff; --ink: #1c1e21; --quiet: #5c6370; --line: #d4d7dd;
}
@media (prefers-color-scheme: dark) {
  :root { --ground: #121316; --panel: #1b1d22; --ink: #e8e9ec; --quiet: #a3a9b5; --line: #3a3e47; }
}
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 64rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
h1 { font-size: 1.6rem; margin: 0 0 .3rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
p, li { color: var(--quiet); margin: .2rem 0; }
figure, .table { margin: 0 0 .8rem; overflow-x: auto; }
figure, .table { background: var(--panel); border: 1px solid var(--line); border-radius: 8px; }
svg { display: block; max-width: 100%; height: auto; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
th, td { padding: .35rem .7rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-weight: 600; }
th:first-child { text-align: left; }
"""


def report(standings: Standings) -> str:
    """Return the page."""
    tournament = standings.tournament
    title = f"Arena: {', '.join(tournament.entrants)}"
    budgets = plot_budgets(standings)
    parts = [
        f"<h1>{escape(title)}</h1>",
        f"<p>{escape(report_rows.heading(tournament))}</p>",
        f"<p>{escape(report_rows.summary(standings))}; Granada {escape(__version__)}</p>",
        *_section("Standings", _table(report_rows.shares(standings), "Standings"), _figure(plot_ladder(standings))),
        *_section("Who beats whom", _figure(plot_matrix(standings))),
        *_section(
            "Points",
            _figure(plot_points(standings)),
            _table(report_rows.points(standings), "Points and margins by item"),
        ),
        *_section("Time", _table(report_rows.times(standings), "Time per decision")),
        *_section(
            "Budget",
            _figure(budgets)
            if budgets is not None
            else "<p>To get a curve, let a bot play with several budgets, such as search:0.1s,search:0.2s.</p>",
        ),
    ]
    faults = report_rows.faults(standings)
    if faults:
        parts += _section("Forfeits", f"<ul>{''.join([f'<li>{escape(line)}</li>' for line in faults])}</ul>")
    parts += _section("How to read it", *[f"<p>{escape(line)}</p>" for line in _notes(standings)])
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8"/>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n<main>\n{body}\n</main>\n</body>\n</html>\n"
    )


def _section(title: str, *parts: str) -> list[str]:
    return [f"<h2>{escape(title)}</h2>", *parts]


def _figure(svg: str) -> str:
    return f"<figure>{svg}</figure>"


def _table(rows: Rows, label: str) -> str:
    heads = "".join([f'<th scope="col">{escape(word)}</th>' for word in rows[0]])
    lines = [
        f'<tr><th scope="row">{escape(row[0])}</th>{"".join([f"<td>{escape(word)}</td>" for word in row[1:]])}</tr>'
        for row in rows[1:]
    ]
    # Wide tables scroll on their own, also with the keyboard.
    return (
        f'<div class="table" tabindex="0" role="region" aria-label="{escape(label)}">'
        f"<table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{''.join(lines)}</tbody></table></div>"
    )


def _notes(standings: Standings) -> list[str]:
    notes = [
        f"Made by {report_rows.command(standings.tournament)}",
        "A victory shared by k players counts 1/k of a win for each. Shares are shares of decided games: unfinished and"
        " void games have no winner. Intervals are 95 % intervals (Wilson).",
        "The margin is the lead in points over the average of the others at the table, in finished games.",
    ]
    if standings.tournament.paired:
        notes.append("By deals: the games of a deal form one group, so that common luck cancels.")
    if standings.is_rated:
        notes.append(
            "Ratings: openskill (Plackett-Luce), shown on a scale like Elo's: a new player has 1500 points, and between"
            " two players 400 points more mean ten wins to one."
        )
    else:
        notes.append("No ratings: openskill is not installed (pip install 'granada[arena]').")
    return notes
