"""`python -m release`: run all checks of a release and write the list of its components into dist."""

from __future__ import annotations

import json
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Final

from granada import __version__
from release.checks import (
    Documents,
    check_address,
    check_changelog,
    check_citation,
    check_documents,
    check_licences,
    check_tag,
    check_version,
)
from release.components import bill_of_materials, components

ROOT: Final = Path(__file__).parents[1]
PYTHON: Final = sys.executable
#: The generated documents: the command for people, its arguments, and the files that it writes.
DOCUMENTS: Final[Documents] = {
    "make api": (
        ("make", "--no-print-directory", "api"),
        ("docs/api/openapi.json", "docs/api/socket.json", "web/src/api.d.ts"),
    ),
    "python -m tests.import_diagram": ((PYTHON, "-m", "tests.import_diagram"), ("docs/architecture.md",)),
    "python -m granada.learning.index docs/learning.md": (
        (PYTHON, "-m", "granada.learning.index", "docs/learning.md"),
        ("docs/learning.md",),
    ),
}


def git(root: Path, *arguments: str) -> str:
    """Return the output of git; an empty text if it fails."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True, check=False)
    return done.stdout.rstrip() if done.returncode == 0 else ""


def main(root: Path = ROOT, documents: Documents = DOCUMENTS) -> int:
    """Print the result of each check; 1 if something has to be done."""
    changelog = (root / "CHANGELOG.md").read_text("utf-8")
    citation = (root / "CITATION.cff").read_text("utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    changed = git(root, "status", "--porcelain").splitlines()
    here = git(root, "tag", "--points-at", "HEAD").split()
    earlier = set(git(root, "tag").split()) - set(here)
    found = components(root)
    results = {
        "version": check_version(__version__, earlier),
        "changelog": check_changelog(changelog, __version__),
        "citation": check_citation(citation, changelog, __version__),
        "address": check_address(project["urls"]["Repository"], git(root, "remote", "get-url", "origin")),
        "licences": check_licences(found),
        "documents": check_documents(root, documents),
        "tag": check_tag(__version__, here, [line[3:] for line in changed]),
    }
    for check, advice in results.items():
        print(f"{'ok' if advice is None else 'FAIL':4}  {check:9}  {advice or ''}".rstrip())
    bill = root / "dist" / f"granada-{__version__}.cdx.json"
    bill.parent.mkdir(exist_ok=True)
    bill.write_text(json.dumps(bill_of_materials(__version__, found), indent=2) + "\n", "utf-8")
    print(f"Wrote {bill.relative_to(root)}: {len(found)} components.")
    failed = [check for check, advice in results.items() if advice is not None]
    print(f"Not ready: {', '.join(failed)}." if failed else f"Version {__version__} is ready to be released.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
