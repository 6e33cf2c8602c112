"""Distributions of this project, and installing them on a machine without Node, compiler and network."""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution
from pathlib import Path

from packaging.requirements import Requirement

from tests.packaging.network import without_network

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
#: Seconds for one command, on a busy machine.
PATIENCE = 300
#: An address where nothing answers.
NOWHERE = "http://127.0.0.1:9"
#: What builds a wheel, and what the server needs.
WANTED = ("hatchling", "granada[server]")


def run(*command: object, cwd: Path, environment: dict[str, str] | None = None) -> str:
    """Run a command that must succeed and return its output."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, env=environment, capture_output=True, text=True, timeout=PATIENCE
    )
    assert done.returncode == 0, f"{' '.join(map(str, command))} failed:\n{done.stdout}{done.stderr}"
    return done.stdout


@dataclass(frozen=True)
class Machine:
    """A place with a virtual environment and an empty home, where nothing else is installed.

    It has no network if this process may take it away (`without_network`); otherwise only no proxy and no index.
    """

    place: Path

    @property
    def environment(self) -> dict[str, str]:
        """Return all environment variables: only the programs of the virtual environment are found."""
        nowhere = dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), NOWHERE)
        home = self.place / "home"
        home.mkdir(exist_ok=True)
        offline = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
        return {**nowhere, **offline, "PATH": str(self.programs), "HOME": str(home), "LC_ALL": "C.UTF-8"}

    @property
    def programs(self) -> Path:
        """Return the folder of the installed programs."""
        return self.place / "environment" / "bin"

    def shell(self, line: str, cwd: Path | None = None, **more: str) -> str:
        """Run a line that must succeed in a shell, without a network, and return its output."""
        with without_network():
            return run("/bin/sh", "-c", line, cwd=cwd or self.place, environment={**self.environment, **more})


def new_machine(place: Path, has_pip: bool) -> Machine:
    """Return a machine with a new, empty virtual environment."""
    venv.create(place / "environment", with_pip=has_pip)
    machine = Machine(place)
    for program in ("node", "npm", "cc", "gcc", "git", (sysconfig.get_config_var("CC") or "cc").split()[0]):
        assert shutil.which(program, path=machine.environment["PATH"]) is None
    return machine


def repack(found: Distribution, folder: Path) -> None:
    """Write the wheel of an installed package, so that it can be installed again without a network."""
    about = found.read_text("WHEEL")
    assert about is not None
    tags = [tag.split("-") for tag in re.findall(r"^Tag: (\S+)$", about, re.MULTILINE)]
    tag = "-".join(".".join(sorted({one[part] for one in tags})) for part in range(3))
    name = re.sub(r"[-_.]+", "_", found.name).lower()
    with zipfile.ZipFile(folder / f"{name}-{found.version}-{tag}.whl", "w") as wheel:
        for file in found.files or ():
            path = Path(str(found.locate_file(file)))
            is_of_pip = file.name in ("INSTALLER", "REQUESTED", "direct_url.json")
            if ".." not in file.parts and file.suffix != ".pyc" and not is_of_pip:
                wheel.write(path, file.as_posix())


def requirements(wanted: str) -> Iterator[Distribution]:
    """Return the installed packages that one needs, and all that those need."""
    requirement = Requirement(wanted)
    for line in distribution(requirement.name).requires or ():
        needed = Requirement(line)
        extras = requirement.extras or {""}
        if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
            yield distribution(needed.name)
            yield from requirements(str(needed).partition(";")[0])


@dataclass(frozen=True)
class Built:
    """The distributions of this project, and a machine for which wheels of all that they need are at hand."""

    folder: Path

    @property
    def sdist(self) -> Path:
        """Return the source distribution."""
        return next((self.folder / "dist").glob("granada-*.tar.gz"))

    @property
    def wheel(self) -> Path:
        """Return the wheel that was built from the source distribution."""
        return next(self.wheels.glob("granada-*.whl"))

    @property
    def wheels(self) -> Path:
        """Return the folder with this wheel and those of its dependencies."""
        return self.folder / "wheels"

    @property
    def machine(self) -> Machine:
        """Return the machine on which the README's command has installed the wheel."""
        return Machine(self.folder / "machine")


def build(shared: Path) -> Built:
    """Return the built and installed distributions; processes that share a folder build them once."""
    built = Built(shared / "packages")
    built.wheels.mkdir(parents=True, exist_ok=True)
    with (built.folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (built.folder / "done").exists():
            run(sys.executable, "-m", "hatchling", "build", "-t", "sdist", "-d", built.folder / "dist", cwd=ROOT)
            needed = {found.name: found for wanted in WANTED for found in requirements(wanted)}
            for found in [distribution("hatchling"), *needed.values()]:
                repack(found, built.wheels)
            _build_wheel(built)
            machine = new_machine(built.machine.place, has_pip=True)
            command = next(line for line in commands() if line.startswith("pip install"))
            machine.shell(command, PIP_FIND_LINKS=str(built.wheels))
            (built.folder / "done").touch()
    return built


def _build_wheel(built: Built) -> None:
    """Build the wheel from the source distribution, without Node, compiler and network."""
    machine = new_machine(built.folder / "builder", has_pip=False)
    pip = [sys.executable, "-m", "pip", "--python", machine.programs / "python", "install", "--quiet"]
    with without_network():
        run(*pip, "--find-links", built.wheels, "hatchling", cwd=machine.place, environment=machine.environment)
    with tarfile.open(built.sdist) as packed:
        packed.extractall(machine.place / "source", filter="data")
    (source,) = (machine.place / "source").iterdir()
    machine.shell(f"python -m hatchling build -t wheel -d '{built.wheels}'", cwd=source)
    shutil.rmtree(machine.place)


def commands() -> list[str]:
    """Return the commands in the README, without the comments beside them."""
    blocks = re.findall(r"^```sh\n(.*?)^```", README.read_text("utf-8"), re.DOTALL | re.MULTILINE)
    return [re.split(r" +# ", line)[0] for block in blocks for line in block.splitlines()]
