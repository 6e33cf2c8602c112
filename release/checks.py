"""The checks before a release. Each returns one sentence that says what to do, or None if there is nothing to do."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from release.components import Component
from release.licences import is_allowed

VERSION = re.compile(r"\d+\.\d+\.\d+(?:(?:a|b|rc)\d+)?")
HEADING = re.compile(r"^## (\S+) \((.+)\)$", re.MULTILINE)
#: The arguments of the generators of documents, and the files that they write, by the command for people.
Documents = Mapping[str, tuple[Sequence[str], Sequence[str]]]
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


def check_version(version: str, released: Iterable[str]) -> str | None:
    """The version is new and complete."""
    if not VERSION.fullmatch(version):
        return (
            f"'{version}' is not a version such as 1.2.0 or 1.2.0rc1: correct __version__ in src/granada/__init__.py."
        )
    if f"v{version}" in released:
        return f"Version {version} was released already: raise __version__ in src/granada/__init__.py."
    return None


def check_changelog(changelog: str, version: str) -> str | None:
    """The changelog begins with this version, its date, and what has changed."""
    heading = HEADING.search(changelog)
    if heading is None or heading[1] != version:
        return f"Begin CHANGELOG.md with a section '## {version} (YYYY-MM-DD)'."
    if not DATE.fullmatch(heading[2]):
        return f"Replace '{heading[2]}' in the heading of {version} in CHANGELOG.md by the day of the release."
    section = changelog[heading.end() :].partition("\n## ")[0]
    return None if re.search(r"^- ", section, re.MULTILINE) else f"Say in CHANGELOG.md what is new in {version}."


def check_citation(citation: str, changelog: str, version: str) -> str | None:
    """CITATION.cff has this version, and the date of its release as soon as the changelog has it."""
    named = re.search(r"^version: \"?([^\"\n]+)\"?$", citation, re.MULTILINE)
    if named is None or named[1] != version:
        return f"Set 'version: {version}' in CITATION.cff."
    heading = HEADING.search(changelog)
    date = re.search(r"^date-released: \"?([^\"\n]+)\"?$", citation, re.MULTILINE)
    if heading is None or not DATE.fullmatch(heading[2]):
        return (
            "Remove 'date-released' from CITATION.cff until CHANGELOG.md has the day of the release." if date else None
        )
    if date is not None and date[1] == heading[2]:
        return None
    return f"Set 'date-released: {heading[2]}' in CITATION.cff."


def check_tag(version: str, tags: Iterable[str], changed: Sequence[str]) -> str | None:
    """The commit is complete and has the tag of this version."""
    if changed:
        return f"Commit or remove {changed[0]}: a release is made of a commit, and the tag must name it."
    if f"v{version}" not in tags:
        return f"Tag this commit when all other checks pass: git tag -a v{version} -m 'Granada {version}'."
    return None


def check_address(repository: str, remote: str) -> str | None:
    """The package names the repository that it is released from."""
    if not remote:
        return "Release from a clone of the public repository: git remote 'origin' has no address."
    if _place(repository) != _place(remote):
        return f"Set the addresses in [project.urls] of pyproject.toml: they say {repository}, and git says {remote}."
    return None


def _place(address: str) -> str:
    """Return the host and the path of a repository, however it is reached."""
    return re.sub(r"^(?:\w+://)?(?:[^@/]+@)?|/$|\.git/?$", "", address).replace(":", "/").lower()


def check_licences(components: Iterable[Component]) -> str | None:
    """All dependencies have licences that we can fulfil."""
    wrong = [f"{one.name} ({one.licence or 'unknown'})" for one in components if not is_allowed(one.licence)]
    if not wrong:
        return None
    return f"Replace {', '.join(wrong)}, or add the licence to release/licences.py if its conditions are fulfilled."


def check_documents(root: Path, written: Documents) -> str | None:
    """Generated documents are what their generators write now."""
    for command, (arguments, names) in written.items():
        paths = [root / name for name in names]
        before = [path.read_bytes() if path.exists() else b"" for path in paths]
        done = subprocess.run(arguments, cwd=root, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            return f"Find out why '{command}' fails: {(done.stdout + done.stderr).strip()[-500:]}"
        after = [path.read_bytes() if path.exists() else b"" for path in paths]
        changed = [name for name, old, new in zip(names, before, after, strict=True) if old != new]
        if changed:
            return f"'{command}' has changed {', '.join(changed)}: check and commit the difference."
    return None
