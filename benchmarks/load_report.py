"""Write docs/load.md and docs/load.svg from the figures of a load test."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

BEGIN, END = "<!-- figures: written by benchmarks/load.py -->", "<!-- end of figures -->"
#: Targets for one process with SQLite, by number of tables: the 99th percentile of the latency in milliseconds, and the
#: milliseconds of CPU time per action.
TARGET_MS = {500: 100.0, 1000: 30.0, 2000: 80.0}
TARGET_CPU = {2000: 0.7}
#: Readable on white and on black.
_GREY, _BLUE, _ORANGE, _RED = "#808890", "#4a90d9", "#d98a2b", "#d0555a"
_WIDTH, _HEIGHT, _LEFT, _TOP, _BETWEEN = 300, 190, 60, 40, 100

Result = dict[str, Any]


def write_report(setting: dict[str, object], results: list[Result], docs: Path) -> None:
    """Replace the figures between the markers of the page, and draw the picture."""
    page = docs / "load.md"
    text = page.read_text("utf-8") if page.exists() else f"# Load\n\n{BEGIN}\n{END}\n"
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{figures_table(setting, results)}{END}{after}", "utf-8")
    (docs / "load.svg").write_text(picture(results), "utf-8")


def figures_table(setting: dict[str, object], results: list[Result]) -> str:
    """Return the figures as a Markdown table."""
    lines = [
        "",
        ", ".join([f"{key}: {value}" for key, value in setting.items()]),
        "",
        "| tables | sockets | actions/s | answered p50 | p95 | p99 | max ms "
        "| other players p99 | stored, mean | player lag p99 "
        "| errors | server CPU | idle CPU | CPU ms per action | others' CPU | memory | KB per table |",
        "|" + "---:|" * 17,
    ]
    for one in results:
        times, lags = one["answer_ms"], one["players_lag_ms"]
        lines.append(
            f"| {one['tables']} | {one['sockets']} | {one['actions_per_second']:.0f} | {times['p50']:.1f} "
            f"| {times['p95']:.1f} | {times['p99']:.1f} | {times['max']:.0f} "
            f"| {one['arrival_ms']['p99']:.1f} | {one['commit_ms']:.1f} "
            f"| {lags['p99']:.1f} | {sum(one['errors'].values())} | {100 * one['server_cpu']:.0f} % "
            f"| {100 * one['server_cpu_idle']:.1f} % | {one['server_cpu_ms_per_action']:.2f} "
            f"| {100 * one['others_cpu']:.0f} % "
            f"| {one['memory_mb']:.0f} MB | {one['memory_kb_per_table']:.0f} |"
        )
    return "\n".join([*lines, "", ""])


def picture(results: list[Result]) -> str:
    """Return an SVG with three charts over the number of tables: latency, CPU, memory."""
    tables = [one["tables"] for one in results]
    panels = [
        _panel(
            0,
            "latency, ms",
            tables,
            {
                "99 %": (_ORANGE, [one["answer_ms"]["p99"] for one in results]),
                "half": (_BLUE, [one["answer_ms"]["p50"] for one in results]),
            },
            TARGET_MS,
        ),
        _panel(
            1,
            "CPU, % of a core",
            tables,
            {
                "server": (_ORANGE, [100 * one["server_cpu"] for one in results]),
                "idle": (_BLUE, [100 * one["server_cpu_idle"] for one in results]),
            },
        ),
        _panel(2, "memory, MB", tables, {"server": (_ORANGE, [one["memory_mb"] for one in results])}),
    ]
    width, height = 3 * (_WIDTH + _BETWEEN) + _LEFT - 20, _TOP + _HEIGHT + 50
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" '
        f'font-size="12" fill="{_GREY}" role="img" aria-label="Latency, CPU and memory by number of tables">\n'
        + "\n".join(panels)
        + "\n</svg>\n"
    )


def _panel(
    number: int,
    title: str,
    tables: Sequence[int],
    curves: dict[str, tuple[str, list[float]]],
    targets: dict[int, float] | None = None,
) -> str:
    """Return a chart with both axes from zero; rings are targets for the 99 % curve."""
    aims = {count: value for count, value in (targets or {}).items() if count in tables}
    left = _LEFT + number * (_WIDTH + _BETWEEN)
    bottom = _TOP + _HEIGHT
    top_value = _round_up(max([value for _, values in curves.values() for value in values] + [*aims.values(), 0.0]))
    most = max(tables)

    def x(value: float) -> float:
        return round(left + _WIDTH * value / most, 1)

    def y(value: float) -> float:
        return round(bottom - _HEIGHT * value / top_value, 1)

    parts = [f'<text x="{left}" y="{_TOP - 16}" font-weight="bold">{title}</text>']
    for step in range(5):
        value = top_value * step / 4
        parts.append(
            f'<path d="M{left} {y(value)}h{_WIDTH}" stroke="{_GREY}" stroke-opacity="0.35"/>'
            f'<text x="{left - 6}" y="{y(value) + 4}" text-anchor="end">{value:g}</text>'
        )
    for count in tables:
        parts.append(f'<text x="{x(count)}" y="{bottom + 18}" text-anchor="middle">{count}</text>')
    parts.append(f'<text x="{left + _WIDTH / 2}" y="{bottom + 38}" text-anchor="middle">tables</text>')
    for count, value in aims.items():
        parts.append(f'<circle cx="{x(count)}" cy="{y(value)}" r="5" fill="none" stroke="{_RED}" stroke-width="2"/>')
        parts.append(f'<text x="{x(count)}" y="{y(value) - 9}" text-anchor="middle" fill="{_RED}">target</text>')
    for name, (colour, values) in curves.items():
        points = list(zip(tables, values, strict=True))
        line = " ".join([f"{x(count)},{y(value)}" for count, value in points])
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x(count)}" cy="{y(value)}" r="3" fill="{colour}"/>' for count, value in points]
        parts.append(f'<text x="{x(most) + 8}" y="{y(values[-1]) + 4}" fill="{colour}">{name}</text>')
    return "\n".join(parts)


def _round_up(value: float) -> float:
    """Return the end of an axis: 1, 2, 4 or 8 times a power of ten."""
    end = 1.0
    while end < value:
        for factor in (1, 2, 4, 8):
            if end * factor >= value:
                return end * factor
        end *= 10
    return end


def verdicts(result: Result) -> list[str]:
    """Return the targets for a number of tables, and whether they are met."""
    found: list[str] = []
    tables = result["tables"]
    for what, targets, value, unit in (
        ("p99", TARGET_MS, result["answer_ms"].get("p99", 0.0), "ms"),
        ("CPU time per action", TARGET_CPU, result["server_cpu_ms_per_action"], "ms"),
    ):
        if tables in targets:
            is_met = value <= targets[tables]
            found.append(f"{what} {value:.2f} {unit}, target {targets[tables]:g}: {'met' if is_met else 'MISSED'}")
    return found
