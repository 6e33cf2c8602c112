"""The components of a release by its lock files, and their list in CycloneDX format (a software bill of materials)."""

from __future__ import annotations

import base64
import json
import re
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path
from typing import Any

from release.licences import licence_of

#: A locked Python package with its hashes; a line ends with a backslash if hashes follow.
LOCKED = re.compile(r"^([\w.-]+)==([\w.]+)[^\\\n]*((?: \\\n +--hash=sha256:\w+)+)", re.MULTILINE)
#: The first line of a notice in NOTICES.txt: name version (licence).
NOTICE = re.compile(r"^(\S+) (\d\S*) \(([^()]+)\)$", re.MULTILINE)


@dataclass(frozen=True)
class Component:
    """A package that is installed with Granada, or contained in it."""

    name: str
    version: str
    #: An SPDX expression; empty if the package does not say.
    licence: str
    #: `pypi`, `npm` or `generic`, as in package URLs.
    kind: str
    #: The algorithm and the hexadecimal digest of each file that the lock allows.
    hashes: tuple[tuple[str, str], ...] = ()

    @property
    def address(self) -> str:
        """Return the package URL."""
        return f"pkg:{self.kind}/{self.name.replace('@', '%40')}@{self.version}"


def components(root: Path) -> list[Component]:
    """Return what a release contains or installs: of the server, of the client, and of the static site."""
    found = [*_python(root / "requirements" / "server.txt"), *_client(root), *_site(root)]
    return sorted(set(found), key=lambda component: (component.address, component.hashes))


def _python(lock: Path) -> list[Component]:
    found = []
    for name, version, lines in LOCKED.findall(lock.read_text("utf-8")):
        try:
            licence = licence_of(metadata(name))
        except PackageNotFoundError:
            licence = ""
        hashes = tuple(("SHA-256", digest) for digest in re.findall(r"sha256:(\w+)", lines))
        found.append(Component(name, version, licence, "pypi", hashes))
    return found


def _client(root: Path) -> list[Component]:
    notices = (root / "src" / "granada" / "page" / "NOTICES.txt").read_text("utf-8")
    return [_npm(root, name, licence) for name, _, licence in NOTICE.findall(notices)]


def _npm(root: Path, name: str, licence: str | None = None) -> Component:
    """Return an npm package as it is locked."""
    locked: dict[str, Any] = json.loads((root / "web" / "package-lock.json").read_text("utf-8"))["packages"]
    package = locked[f"node_modules/{name}"]
    algorithm, _, digest = package["integrity"].partition("-")
    hashes = ((algorithm.upper().replace("SHA", "SHA-"), base64.b64decode(digest).hex()),)
    return Component(name, package["version"], licence or package.get("license", ""), "npm", hashes)


def _site(root: Path) -> list[Component]:
    (description,) = (root / "src" / "granada" / "site" / "python").glob("runtime-*.json")
    python = json.loads(description.read_text("utf-8"))["lock"]["info"]["python"]
    cpython = Component("cpython", python, "PSF-2.0", "generic")
    return [_npm(root, "pyodide"), cpython, *_python(root / "requirements" / "browser.txt")]


def bill_of_materials(version: str, found: list[Component]) -> dict[str, Any]:
    """Return the list of components in CycloneDX 1.6; the same components give the same text."""
    own = {
        "type": "application",
        "bom-ref": f"pkg:pypi/granada@{version}",
        "name": "granada",
        "version": version,
        "purl": f"pkg:pypi/granada@{version}",
        "licenses": [{"license": {"id": "MIT"}}],
    }
    # Two locks may name different files of one package.
    references = [f"{one.address}#{number}" for number, one in enumerate(found)]
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {"component": own},
        "components": [_as_data(one, reference) for one, reference in zip(found, references, strict=True)],
        "dependencies": [{"ref": own["bom-ref"], "dependsOn": references}],
    }


def _as_data(component: Component, reference: str) -> dict[str, Any]:
    data: dict[str, Any] = {
        "type": "library",
        "bom-ref": reference,
        "name": component.name,
        "version": component.version,
        "purl": component.address,
    }
    if component.hashes:
        data["hashes"] = [{"alg": algorithm, "content": digest} for algorithm, digest in component.hashes]
    if component.licence:
        data["licenses"] = [{"expression": component.licence}]
    return data
