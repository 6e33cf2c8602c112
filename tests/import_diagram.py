"""The map of packages in docs/architecture.md: `python -m tests.import_diagram` rewrites it from the imports."""

from __future__ import annotations

import ast
from pathlib import Path

from tests.test_architecture import FILES, PACKAGES, SOURCE, imports, package_of

DOCUMENT = Path(__file__).parent.parent / "docs" / "architecture.md"
BEGIN, END = "<!-- map: written by python -m tests.import_diagram -->", "<!-- end of map -->"


def imported_packages() -> dict[str, set[str]]:
    """Return the packages that each package imports, itself excluded."""
    found: dict[str, set[str]] = {package: set() for package in PACKAGES}
    for path in FILES:
        package = package_of(path.relative_to(SOURCE).parts)
        if package in found:
            names = [name.split(".")[1] for name in imports(path) if name.startswith("granada.")]
            found[package] |= {name for name in names if name in PACKAGES and name != package}
    return found


def without_detours(edges: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the edges that no longer path replaces, so that the diagram stays readable."""

    def reachable(start: str) -> set[str]:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for target in edges[waiting.pop()] - seen:
                seen.add(target)
                waiting.append(target)
        return seen

    below = {package: reachable(package) for package in edges}
    return {
        package: {
            target
            for target in targets
            if not any([target in below[other] and package not in below[other] for other in targets - {target}])
        }
        for package, targets in edges.items()
    }


def purpose(package: str) -> str:
    """Return the first sentence of a package's docstring."""
    text = ast.get_docstring(ast.parse((SOURCE / package / "__init__.py").read_text("utf-8"))) or ""
    return text.partition("\n")[0]


def package_map() -> str:
    """Return the diagram and the table of packages in Markdown."""
    edges = imported_packages()
    lines = ["", "```mermaid", "graph TD"]
    for package, targets in without_detours(edges).items():
        lines += [f"    {package} --> {target}" for target in sorted(targets)]
    lines += ["```", "", "| package | purpose | imports |", "|---|---|---|"]
    for package in PACKAGES:
        named = ", ".join([target for target in PACKAGES if target in edges[package]])
        lines.append(f"| `{package}` | {purpose(package)} | {named} |")
    return "\n".join([*lines, ""])


def with_map(document: str) -> str:
    """Return a document with the current map between its markers."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"there is no place for the map: '{BEGIN}' and '{END}' are missing")
    return f"{before}{BEGIN}\n{package_map()}\n{END}{after}"


if __name__ == "__main__":
    DOCUMENT.write_text(with_map(DOCUMENT.read_text("utf-8")), "utf-8", newline="\n")
